"""``python -m corepy info``: the machine, its devices, and the backends."""

from __future__ import annotations

import dataclasses
import json
import platform
import sys

import numpy as np

import corepy
from corepy._cython import core
from corepy._information import facts
from corepy.backend import detect_devices, discover_backends, print_backend_summary


def info(*, as_json: bool = False) -> int:
    """Print what is known about the machine."""
    if as_json:
        known = facts(detect_devices()) | {
            "backends": [dataclasses.asdict(each) for each in discover_backends()]
        }
        print(json.dumps(known, indent=2))
        return 0
    for line in lines():
        print(line)
    print("backends:")
    print_backend_summary()
    return 0


def lines() -> list[str]:
    """Return them as lines of text."""
    known = facts(detect_devices())
    machine, simd = known["machine"], known["simd"]
    sets = [name for name in ("avx2", "avx512", "neon") if machine[f"has_{name}"]]
    text = {
        "Corepy": f"{known['corepy']}, Python {known['python']}, NumPy {known['numpy']}",
        "platform": known["platform"],
        "processor": machine["devices"][0]["name"],
        "cores": f"{machine['cpu_cores']} ({known['threads']} threads)",
        "memory": f"{machine['memory_limit_bytes'] / 1e9:.1f} GB for this process",
        "SIMD": f"{simd['in_use']} in use; the processor has {', '.join(sets) or 'none of ours'}; "
        f"kernels for {', '.join(simd['usable'])}",
        "GPUs": str(machine["gpu_count"]),
        "integrations": ", ".join(known["integrations"]) or "none",
    }
    if machine["forced_backend"]:
        text["COREPY_BACKEND"] = machine["forced_backend"]
    width = max(map(len, text))
    return [f"{name + ':':{width + 1}} {value}" for name, value in text.items()]


def environment() -> str:
    """Return the machine in one line, for measurements."""
    machine = detect_devices()
    return (
        f"{machine.devices[0].name}, {machine.cpu_cores} processors, {core.simd_in_use()}, "
        f"{corepy.get_num_threads()} threads; Corepy {corepy.__version__}, NumPy {np.__version__}, "
        f"Python {platform.python_version()}, {sys.platform}"
    )
