"""AMD's GPUs, as the kernel's driver lists them in sysfs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from corepy import _environment
from corepy.backend._properties import DeviceProperties

_NODES = Path("/sys/class/kfd/kfd/topology/nodes")
_CARDS = Path("/sys/class/drm")


@dataclass
class _Gpu:
    """A node of the topology that has processors for kernels."""

    node: Path
    properties: dict[str, int]

    @property
    def uuid(self) -> str:
        """The name of the GPU in ``ROCR_VISIBLE_DEVICES``."""
        return f"GPU-{self.properties.get('unique_id', 0):016x}"


def gpus() -> list[DeviceProperties]:
    """Return the GPUs that HIP would list in this process; none without the driver."""
    try:
        nodes = sorted(_NODES.iterdir(), key=lambda node: int(node.name))
    except OSError:
        return []
    found = []
    for node in nodes:
        try:
            properties = _properties_of(node / "properties")
        except OSError:  # of GPUs that this process may not use (control groups)
            continue
        if properties.get("simd_count", 0) > 0:
            found.append(_Gpu(node, properties))
    found = _selected(found, os.environ.get("ROCR_VISIBLE_DEVICES"))
    hidden = os.environ.get("HIP_VISIBLE_DEVICES", os.environ.get("CUDA_VISIBLE_DEVICES"))
    found = _selected(found, hidden)
    return [_described(index, gpu) for index, gpu in enumerate(found)]


def _properties_of(file: Path) -> dict[str, int]:
    """Return the numbers in lines of a name and a number."""
    pairs = (line.split() for line in file.read_text().splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def _selected(known: list[_Gpu], setting: str | None) -> list[_Gpu]:
    """Return the GPUs that an environment variable selects, by number or UUID, in its order."""
    if setting is None:
        return known
    chosen: list[_Gpu] = []
    for name in map(str.strip, setting.split(",")):
        if re.fullmatch(r"\d+", name):
            matching = known[int(name) : int(name) + 1]
        else:
            matching = [
                gpu for gpu in known if name and gpu.uuid == name.lower().replace("gpu", "GPU")
            ]
        if not matching:
            break
        chosen += [gpu for gpu in matching if gpu not in chosen]
    return chosen


def _described(index: int, gpu: _Gpu) -> DeviceProperties:
    card = _CARDS / f"renderD{gpu.properties.get('drm_render_minor', 0)}" / "device"
    shared = gpu.properties.get("cpu_cores_count", 0) > 0  # CPU and GPU are one node
    total = _number(card / "mem_info_vram_total") or _banks(gpu.node)
    used = _number(card / "mem_info_vram_used")
    free = None if total is None or used is None else max(0, total - used)
    if shared:
        total, free = _environment.usable_memory(), None
    version = gpu.properties.get("gfx_target_version", 0)
    return DeviceProperties(
        index=index,
        name=_name(card / "product_name") or _name(gpu.node / "name") or "AMD GPU",
        total_memory=total,
        free_memory=free,
        compute_capability=(version // 10000, version // 100 % 100) if version else None,
        unified_memory=shared,
        backend="rocm",
    )


def _name(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""


def _number(file: Path) -> int | None:
    text = _name(file)
    return int(text) if text.isdigit() else None


def _banks(node: Path) -> int | None:
    """Return the bytes of the banks of local memory (types 1 and 2 of heaps)."""
    total = 0
    for file in node.glob("mem_banks/*/properties"):
        bank = _properties_of(file)
        if bank.get("heap_type") in (1, 2):
            total += bank.get("size_in_bytes", 0)
    return total or None
