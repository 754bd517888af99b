"""What this installation of Corepy is, and how it is set up: `show_config`."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import platform
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

import corepy
from corepy import _config, integrations
from corepy._cython import core
from corepy._cython.settings import setting
from corepy.backend import registry
from corepy.backend.discovery import described
from corepy.backend.machine import DeviceInfo, cpu_properties, detect_devices

#: The libraries of backends that are not in the registry's own table.
_LIBRARIES = registry._LIBRARIES | {"cuda": "cupy", "rocm": "cupy"}

#: Words that are other values than text in YAML.
_YAML_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"}


def facts(machine: DeviceInfo) -> dict[str, Any]:
    """Return versions, instruction sets, threads and integrations, for ``python -m corepy info``.

    Parameters
    ----------
    machine : DeviceInfo
        What `detect_devices` found.
    """
    return {
        "corepy": corepy.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "threads": core.get_num_threads(),
        "simd": {
            "in_use": core.simd_in_use(),
            "usable": list(core.simd_levels()),
            "missing": core.simd_missing(),
        },
        "machine": dataclasses.asdict(machine),
        "integrations": integrations.wanted(),
    }


def show_config(mode: Literal["stdout", "dicts"] = "stdout") -> dict[str, Any] | None:
    """Show versions, instruction set, threads, backends and settings of this process.

    Parameters
    ----------
    mode : {"stdout", "dicts"}, optional
        "stdout", the default, prints them as YAML. "dicts" returns them.

    Returns
    -------
    dict or None
        With ``mode="dicts"`` a dict of dicts. ``"Settings"`` has for each parameter of `config` its
        value in the current context, and where that comes from: ``"default"``, the name of a
        variable of the environment, ``"set_config"``, or ``"config"`` (a ``with`` block).

    Raises
    ------
    ValueError
        `mode` is none of these.

    See Also
    --------
    get_config : returns the values of the settings alone.

    Notes
    -----
    No library is imported for it. A backend whose library was not imported yet is shown as
    installed or not; ``python -m corepy info`` imports the libraries and lists all devices.
    ``numpy.show_config()`` shows how NumPy was built.

    Examples
    --------
    >>> import corepy
    >>> corepy.show_config(mode="dicts")["Settings"]["fallback"]["value"]
    'warn'
    """
    if mode not in ("stdout", "dicts"):
        raise ValueError(f"show_config: mode must be 'stdout' or 'dicts', got {mode!r}")
    machine = detect_devices()
    known = facts(machine)
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    shown = {
        "Versions": {name: known[name] for name in ("corepy", "numpy", "python", "platform")}
        | core.compiled_with(),
        "Machine": {
            "processor": machine.devices[0].name,
            "processors": machine.cpu_cores,
            "threads": known["threads"],
            "memory": machine.memory_limit_bytes,
            "gpus": list(machine.gpu_names),
        },
        "Instruction Set": {
            "in use": known["simd"]["in_use"],
            "usable": known["simd"]["usable"],
            "not usable": known["simd"]["missing"],
        },
        "BLAS and LAPACK of NumPy": {
            name: blas[name] for name in ("name", "version") if name in blas
        },
        "Backends": {name: _state(name) for name in registry.backend_names()},
        "Settings": {
            name: {"value": value, "from": _config.source(name)}
            for name, value in _config.get_config().items()
        },
        "Default Device": str(setting("device")),
        "Environment": {
            name: value
            for name, value in sorted(os.environ.items())
            if name.startswith("COREPY_") or name == "OMP_NUM_THREADS"
        },
        "Integrations": {
            "active": integrations.active(),
            "when imported": [n for n in known["integrations"] if n not in integrations.active()],
        },
    }
    if mode == "dicts":
        return shown
    print("\n".join(_lines(shown)))
    return None


def _state(name: str) -> dict[str, Any]:
    """Return the devices of a backend that is loaded, and whether another one is installed."""
    if name == "cpu":
        return {"devices": {"cpu": described(cpu_properties())}}
    if name in registry._loaded:
        devices, missing, _ = registry.probe(name)
        return {"not available": missing} if missing else {"devices": list(map(str, devices))}
    library = _LIBRARIES.get(name)
    if library is not None and importlib.util.find_spec(library) is None:
        return {"not available": f"{library} is not installed"}
    return {"not loaded": f"{library or 'its package'} is installed"}


def _lines(value: Any, indent: str = "") -> Iterator[str]:
    """Yield the lines of a dict in YAML."""
    for name, item in value.items():
        if isinstance(item, dict) and item.keys() == {"value", "from"}:
            yield f"{indent}{name}: {_scalar(item['value'])}  # {item['from']}"
        elif isinstance(item, dict) and item:
            yield f"{indent}{name}:"
            yield from _lines(item, indent + "  ")
        elif isinstance(item, list) and item:
            yield f"{indent}{name}:"
            yield from (f"{indent}- {_scalar(each)}" for each in item)
        else:
            yield f"{indent}{name}: {_scalar(item)}"


def _scalar(value: Any) -> str:
    """Return a value in YAML; text that YAML would not read as this text is quoted."""
    if (
        isinstance(value, str)
        and value.replace(" ", "").isidentifier()
        and value.lower() not in _YAML_WORDS
    ):
        return value
    return json.dumps(value, ensure_ascii=False)
