"""The hardware of this machine: processors, memory, and graphics processors.

All of it is read from the operating system and from the drivers' management libraries. Nothing here
initialises CUDA or HIP, so that a process may look at the machine and fork afterwards.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from corepy import _environment
from corepy._cython import core
from corepy.backend import _metal, _nvml, _rocm
from corepy.backend._properties import DeviceProperties

_CPU_INFORMATION = Path("/proc/cpuinfo")
_MEMORY_INFORMATION = Path("/proc/meminfo")


@dataclass(frozen=True)
class DeviceInfo:
    """What `detect_devices` found.

    Attributes
    ----------
    cpu_cores : int
        Processors that this process may use: those of its affinity, within the quota of its control
        group.
    memory_limit_bytes : int
        Memory that this process may use: the machine's, or the limit of its control group.
    has_avx2, has_avx512, has_neon : bool
        Instruction sets of the processor. AVX-512 stands for its parts F, BW, CD, DQ and VL.
    gpu_count : int
        The number of GPUs that this process may use.
    gpu_names : tuple of str
        Their names.
    gpu_memory_bytes : tuple of int or None
        Their memory, None where it is unknown.
    platform_system : str
        "Linux" or "Darwin", see `platform.system`.
    forced_backend : str or None
        The environment variable ``COREPY_BACKEND``.
    devices : tuple of DeviceProperties
        The CPU, then the GPUs.
    """

    cpu_cores: int
    memory_limit_bytes: int
    has_avx2: bool
    has_avx512: bool
    has_neon: bool
    gpu_count: int
    gpu_names: tuple[str, ...]
    gpu_memory_bytes: tuple[int | None, ...]
    platform_system: str
    forced_backend: str | None
    devices: tuple[DeviceProperties, ...]


def detect_devices() -> DeviceInfo:
    """Return the processors, the memory and the GPUs that this process may use.

    GPUs are those that ``CUDA_VISIBLE_DEVICES``, ``ROCR_VISIBLE_DEVICES`` and
    ``HIP_VISIBLE_DEVICES`` leave. No library of theirs needs to be installed, and CUDA is not
    initialised, so CUDA can be used in processes that are forked afterwards.

    Returns
    -------
    DeviceInfo
        As it is at the time of the call.

    Notes
    -----
    NVIDIA's GPUs are numbered in the order of their PCI addresses. CUDA does so if
    ``CUDA_DEVICE_ORDER=PCI_BUS_ID`` is set; by default it puts the fastest first, which is another
    order only on machines with GPUs of several kinds.

    Examples
    --------
    >>> from corepy.backend import detect_devices
    >>> info = detect_devices()
    >>> info.cpu_cores >= 1, info.devices[0].backend
    (True, 'cpu')
    """
    gpus, _ = probe_gpus()
    return DeviceInfo(
        cpu_cores=_cpu_cores(),
        memory_limit_bytes=_environment.usable_memory(),
        has_avx2=core.simd_supported("avx2"),
        has_avx512=core.simd_supported("avx512"),
        has_neon=core.simd_supported("neon"),
        gpu_count=len(gpus),
        gpu_names=tuple(gpu.name for gpu in gpus),
        gpu_memory_bytes=tuple(gpu.total_memory for gpu in gpus),
        platform_system=platform.system(),
        forced_backend=os.environ.get("COREPY_BACKEND", "").strip() or None,
        devices=(cpu_properties(), *gpus),
    )


def cpu_properties() -> DeviceProperties:
    """Return the properties of the CPU; its memory is what this process may use."""
    return DeviceProperties(
        index=0,
        name=_cpu_name(),
        total_memory=_environment.usable_memory(),
        free_memory=_free_memory(),
        compute_capability=None,
        unified_memory=True,
        backend="cpu",
    )


def probe_gpus() -> tuple[list[DeviceProperties], dict[str, str]]:
    """Return the GPUs, and what kept a kind of them from being listed, by backend."""
    found: list[DeviceProperties] = []
    errors: dict[str, str] = {}
    probes: Iterable[tuple[str, Callable[[], list[DeviceProperties]]]] = (
        ("cuda", _nvml.gpus),
        ("rocm", _rocm.gpus),
        ("metal", _metal.gpus),
    )
    for backend, probe in probes:
        try:
            found += probe()
        except Exception as error:  # any: the other devices are there all the same
            errors[backend] = f"{type(error).__name__}: {error}".partition("\n")[0]
    return found, errors


def _cpu_cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return min([count, *_environment.cpu_limits()])


def _cpu_name() -> str:
    """Return the processor's name, or the name of its architecture."""
    if sys.platform == "darwin":
        return _metal.sysctl("machdep.cpu.brand_string") or platform.machine()
    try:
        for line in _CPU_INFORMATION.read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return value.strip()
    except OSError:
        pass
    return platform.machine()


def _free_memory() -> int | None:
    """Return the bytes that this process can still allocate without swapping, or None."""
    try:
        lines = _MEMORY_INFORMATION.read_text().splitlines()
        (kilobytes,) = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError):
        return None
    return min([int(kilobytes) * 1024, *_environment.memory_headroom()])
