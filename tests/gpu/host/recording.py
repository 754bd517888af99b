"""The kernels that calls ask the GPU backend for, over a runtime that launches nothing."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from running import module_from

import corepy
from corepy._gpu.backend import GpuBackend
from corepy.array_api import _namespace
from corepy.backend import registry
from corepy.backend.corrections import corrections_for

#: Bytes of an array from which on its memory is only partly there.
MUCH = 1 << 24


def recorded(calls):
    """Return the expressions of the kernels that calls ``call(xp)`` ask the backend for."""
    runtime = module_from(Path(__file__).with_name("runtime.py")).HostRuntime()
    expressions: dict[str, None] = {}
    place = runtime.kernel("nothing", 0)

    def kernel(expression, device):
        expressions[expression] = None
        return place

    runtime.kernel = kernel
    # What is read back is 0, whatever was to be written there; of much there is only the beginning.
    allocate = runtime.allocate

    def allocate_zeros(nbytes, device):
        memory = allocate(min(nbytes, MUCH), device)
        ctypes.memset(memory.ptr, 0, min(nbytes, MUCH))
        return memory

    runtime.allocate = allocate_zeros
    # But each chunk of a mask has two elements that are true.
    download = runtime.download
    runtime.download = lambda native, device: (
        np.full_like(native, 2) if native.ndim else download(native, device)
    )
    backend = GpuBackend("recording", lambda: runtime, "numpy", lambda: corrections_for("numpy"))
    runtime._gathering.value = 1
    before = dict(registry._loaded), dict(registry._devices), dict(_namespace._namespaces)
    try:
        registry.register_backend(backend.name, backend)
        xp = corepy.namespace("recording:0")
        for call in calls:
            call(xp)
    finally:
        runtime._gathering.value = 0
        for known, kept in zip(
            (registry._loaded, registry._devices, _namespace._namespaces), before, strict=True
        ):
            known.clear()
            known.update(kept)
    return list(expressions)
