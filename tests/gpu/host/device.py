"""The GPU backend over kernels that are compiled for the host: ``host:0``, a device of the tests.

Where the runtime calls a library, it calls NumPy in place of CuPy, with what is computed in place
of CuPy's functions.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

from corepy._gpu.backend import GpuBackend
from corepy.backend import registry
from corepy.backend.corrections.cupy import corrections, widened


def host_runtime() -> Any:
    """Return a runtime that compiles kernels for the host."""
    name = "corepy_host_runtime"
    if name not in sys.modules:
        path = Path(__file__).with_name("runtime.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec and spec.loader
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name].HostRuntime()


# One object: devices, and the namespaces made for them, are kept by name.
BACKEND = GpuBackend("host", host_runtime, "numpy", lambda: corrections(widened(BACKEND), host=np))


def register() -> None:
    """Have the device found by its name."""
    if BACKEND.name not in registry.backend_names():
        registry.register_backend(BACKEND.name, BACKEND)
