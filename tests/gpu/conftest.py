"""The GPU backend over kernels that are compiled for the host: device ``host:0`` of these tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import corepy
from corepy._gpu.launch import GpuBackend
from corepy.backend.registry import register
from corepy.backend.standard import corrections_for


def _runtime():
    name = "corepy_host_runtime"
    if name not in sys.modules:
        path = Path(__file__).parent / "host" / "runtime.py"
        spec = importlib.util.spec_from_file_location(name, path)
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name].HostRuntime()


@pytest.fixture(scope="session")
def backend():
    """The backend; its devices are ``host:0`` ..."""
    made = GpuBackend("host", _runtime, "numpy", lambda: corrections_for("numpy"))
    register(made)
    return made


@pytest.fixture(scope="session")
def gpu(backend):
    """The standard's namespace of a device whose kernels run on the host."""
    return corepy.namespace("host:0")
