"""NVIDIA's GPUs, through NVML, the management library of the driver.

NVML does not initialise CUDA. It lists all GPUs of the machine; ``CUDA_VISIBLE_DEVICES`` selects
those that CUDA would list.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corepy import _environment
from corepy.backend._properties import DeviceProperties

_LIBRARY = "libnvidia-ml.so.1"
_TEXT_BYTES = 96
_SUCCESS = 0
#: Statuses of a machine without GPUs or driver, and of a fact that a GPU does not have.
_DRIVER_NOT_LOADED, _NOT_SUPPORTED, _NO_PERMISSION, _NOT_FOUND = 9, 3, 4, 6


class _Memory(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in ("total", "free", "used")]


class NvmlError(RuntimeError):
    """A function of NVML failed."""

    def __init__(self, function: str, status: int) -> None:
        super().__init__(f"{function} returned {status}")
        self.status = status


@dataclass
class _Gpu:
    """A GPU, or a part of one (MIG), with its handle."""

    handle: Any
    uuid: str


def gpus(library: Any = None) -> list[DeviceProperties]:
    """Return the GPUs that CUDA would list in this process.

    Parameters
    ----------
    library : optional
        NVML, by default the system's.

    Returns
    -------
    list of DeviceProperties
        Empty if there is no driver.

    Raises
    ------
    NvmlError
        NVML cannot say.
    """
    if library is None:
        library = _load()
        if library is None:
            return []
    status = library.nvmlInit_v2()
    if status == _DRIVER_NOT_LOADED:
        return []
    if status != _SUCCESS:
        raise NvmlError("nvmlInit_v2", status)
    try:
        chosen = _visible(library, os.environ.get("CUDA_VISIBLE_DEVICES"))
        return [_properties(library, index, gpu) for index, gpu in enumerate(chosen)]
    finally:
        library.nvmlShutdown()


def _load() -> Any:
    try:
        return ctypes.CDLL(_LIBRARY)
    except OSError:
        return None


def _call(library: Any, function: str, *args: Any) -> None:
    status = getattr(library, function)(*args)
    if status != _SUCCESS:
        raise NvmlError(function, status)


def _handle(library: Any, function: str, *args: Any) -> Any:
    handle = ctypes.c_void_p()
    _call(library, function, *args, ctypes.byref(handle))
    return handle


def _numbers(library: Any, function: str, handle: Any, kinds: Sequence[Any]) -> list[int]:
    """Return the numbers, of these types of C, that a function gives."""
    found = [kind() for kind in kinds]
    _call(library, function, handle, *map(ctypes.byref, found))
    return [number.value for number in found]


def _text(library: Any, function: str, handle: Any) -> str:
    buffer = ctypes.create_string_buffer(_TEXT_BYTES)
    _call(library, function, handle, buffer, ctypes.c_uint(_TEXT_BYTES))
    return buffer.value.decode(errors="replace")


def _all_gpus(library: Any) -> list[_Gpu]:
    """Return every GPU that NVML may look at, in the order of PCI addresses."""
    count = ctypes.c_uint()
    _call(library, "nvmlDeviceGetCount_v2", ctypes.byref(count))
    found = []
    for index in range(count.value):
        try:
            handle = _handle(library, "nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index))
            found.append(_Gpu(handle, _text(library, "nvmlDeviceGetUUID", handle)))
        except NvmlError as error:
            if error.status not in (_NO_PERMISSION, _NOT_FOUND):
                raise
            found.append(_Gpu(None, ""))  # keeps its number, and is never visible
    return found


def _parts(library: Any, gpu: _Gpu) -> list[_Gpu] | None:
    """Return the parts (MIG) that a GPU is divided into; None if it is not."""
    uint = ctypes.c_uint
    try:
        current, _ = _numbers(library, "nvmlDeviceGetMigMode", gpu.handle, (uint, uint))
        if not current:
            return None
        (most,) = _numbers(library, "nvmlDeviceGetMaxMigDeviceCount", gpu.handle, (uint,))
    except (NvmlError, AttributeError):  # GPUs, or drivers, that do not know of parts
        return None
    found = []
    for index in range(most):
        try:
            handle = _handle(
                library, "nvmlDeviceGetMigDeviceHandleByIndex", gpu.handle, uint(index)
            )
        except NvmlError as error:
            if error.status in (_NOT_FOUND, _NOT_SUPPORTED):
                continue
            raise
        found.append(_Gpu(handle, _text(library, "nvmlDeviceGetUUID", handle)))
    return found


def _visible(library: Any, setting: str | None) -> list[_Gpu]:
    """Return the GPUs that ``CUDA_VISIBLE_DEVICES`` selects, in its order.

    Its elements are numbers, UUIDs ("GPU-...") or their beginnings, or UUIDs of parts ("MIG-...").
    The first that is none of the machine's ends the list; one that is given twice makes it empty.
    Of a GPU that is divided into parts CUDA sees the first.
    """
    if setting is not None and not setting.strip():
        return []
    known = _all_gpus(library)
    names = [str(index) for index in range(len(known))] if setting is None else setting.split(",")
    chosen: list[_Gpu] = []
    for name in map(str.strip, names):
        if name.startswith("MIG-"):
            parts = [part for gpu in known if gpu.handle for part in _parts(library, gpu) or ()]
            matching = [part for part in parts if part.uuid == name]
        else:
            named = [gpu for gpu in _named(known, name) if gpu.handle]
            matching = [seen for gpu in named for seen in _seen(library, gpu)]
        if len(matching) != 1:
            if setting is None:
                continue
            break
        if any(matching[0].uuid == other.uuid for other in chosen):
            return []
        chosen += matching
    return chosen


def _seen(library: Any, gpu: _Gpu) -> list[_Gpu]:
    """Return what CUDA sees of a GPU: itself, or the first of its parts, if there is one."""
    parts = _parts(library, gpu)
    return [gpu] if parts is None else parts[:1]


def _named(known: list[_Gpu], name: str) -> list[_Gpu]:
    """Return the GPUs of a number or of a UUID's beginning; CUDA reads digits as strtol does."""
    number = re.match(r"\+?\d+", name)
    if number:
        index = int(number.group())
        return known[index : index + 1]
    if not name.startswith("GPU-"):
        return []
    return [gpu for gpu in known if gpu.uuid.startswith(name)]


def _properties(library: Any, index: int, gpu: _Gpu) -> DeviceProperties:
    memory = _Memory()
    shared = False
    total: int | None = None
    free: int | None = None
    try:
        _call(library, "nvmlDeviceGetMemoryInfo", gpu.handle, ctypes.byref(memory))
        total, free = memory.total, memory.free
    except NvmlError as error:
        if error.status == _NOT_SUPPORTED:  # the GPU has no memory of its own
            shared, total = True, _environment.usable_memory()
        elif error.status != _NO_PERMISSION:
            raise
    kinds = ctypes.c_int, ctypes.c_int
    capability: tuple[int, int] | None = None
    try:
        major, minor = _numbers(library, "nvmlDeviceGetCudaComputeCapability", gpu.handle, kinds)
        capability = major, minor
    except NvmlError:  # of a part, with some drivers
        pass
    return DeviceProperties(
        index=index,
        name=_text(library, "nvmlDeviceGetName", gpu.handle),
        total_memory=total,
        free_memory=free,
        compute_capability=capability,
        unified_memory=shared,
        backend="cuda",
    )
