"""The backends ``cuda`` and ``rocm``, and checks of their requirements.

CuPy is imported, and the driver called, only when a device is first used.
"""

from __future__ import annotations

import ctypes
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from corepy._gpu.backend import GpuBackend

INSTALL = {
    "cuda": "pip install 'cupy-cuda13x[ctk]' (or 'cupy-cuda12x[ctk]' for a driver of CUDA 12)",
    "rocm": "install CuPy for your version of ROCm, as CuPy's installation guide says",
}
DRIVER = {
    "cuda": (
        "libcuda.so.1",
        "NVIDIA's driver",
        "install it from https://www.nvidia.com/drivers, or start the container with GPUs",
    ),
    "rocm": ("libamdhip64.so", "ROCm", "install it from https://rocm.docs.amd.com"),
}
#: Statuses of CUDA's runtime, and HIP's, that CuPy has no names for.
INSUFFICIENT_DRIVER, NO_DEVICE = 35, 100
HIDDEN = {"cuda": "CUDA_VISIBLE_DEVICES", "rocm": "HIP_VISIBLE_DEVICES"}


def missing(kind: str) -> str:
    """Return a description of missing requirements of a kind of devices, and how to install them.

    Parameters
    ----------
    kind : {"cuda", "rocm"}
        Name of the backend.

    Returns
    -------
    str
        Empty if there are such devices.
    """
    if find_spec("cupy") is None:
        return f"CuPy is not installed: {INSTALL[kind]}"
    try:
        from cupy.cuda import runtime
    except Exception as error:  # any error: Corepy works without CuPy
        return f"CuPy cannot be imported ({_reason(error)}): {INSTALL[kind]}"
    built_for = "rocm" if runtime.is_hip else "cuda"
    if built_for != kind:
        return f"CuPy is installed for {built_for}:0, not for {kind}:0: {INSTALL[kind]}"
    library, driver, where = DRIVER[kind]
    try:
        ctypes.CDLL(library)
    except OSError:
        return f"{driver} is not installed ({library} was not found): {where}"
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        if error.status == INSUFFICIENT_DRIVER:
            return f"{driver} is too old for this CuPy ({error}): update it, or {INSTALL[kind]}"
        if error.status != NO_DEVICE:
            return f"{driver} does not work ({error}): see the output of `nvidia-smi`"
        count = 0
    if count == 0:
        return f"{driver} found no GPU: check the hardware and {HIDDEN[kind]}"
    try:
        from cupy.cuda import nvrtc

        nvrtc.getVersion()
    except Exception as error:  # it is loaded when it is first called
        return f"CuPy cannot load the compiler of kernels ({_reason(error)}): {INSTALL[kind]}"
    return ""


def _reason(error: Exception) -> str:
    """Return the most informative line of an error: CuPy adds advice around the original one."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" =")]
    original = lines.index("Original error:") + 1 if "Original error:" in lines[:-1] else 0
    return lines[original] if lines else type(error).__name__


def _load_runtime() -> Any:
    from corepy._gpu.cuda import CudaRuntime

    return CudaRuntime()


def _backend(kind: str) -> GpuBackend:
    def corrections() -> dict[str, Any]:
        import cupyx

        from corepy.backend.corrections import cupy

        raising = partial(cupyx.errstate, linalg="raise")
        return cupy.corrections(cupy.widened(backend), raising, cupy.on_tensors(backend), host=np)

    backend = GpuBackend(kind, _load_runtime, "cupy", corrections, lambda: missing(kind))
    return backend


cuda = _backend("cuda")
rocm = _backend("rocm")
