"""Fixtures of tests of the runtime over CuPy and the driver, with a stub of both.

See host/cupy_stub.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from running import known_module_from, module_from

import corepy
from corepy._gpu.backend import GpuBackend
from corepy.array_api import _namespace
from corepy.backend import registry
from corepy.backend.corrections import corrections_for

HOST = Path(__file__).parents[1] / "host"
stub = known_module_from(HOST / "cupy_stub.py")
host = module_from(HOST / "runtime.py").HostRuntime()


@pytest.fixture
def module(monkeypatch, tmp_path):
    monkeypatch.setenv("COREPY_KERNEL_CACHE", str(tmp_path))
    yield stub.install(host, monkeypatch)
    sys.modules.pop("corepy._gpu.cuda", None)


@pytest.fixture
def runtime(module):
    return module.CudaRuntime()


@pytest.fixture
def namespace(monkeypatch):
    """Call it with a runtime (what makes one), for the namespace of one of its devices."""

    def make(runtime, device):
        name = device.partition(":")[0]
        made = GpuBackend(name, runtime, "numpy", lambda: corrections_for("numpy"))
        monkeypatch.setitem(registry._loaded, name, made)
        monkeypatch.setattr(registry, "_devices", dict(registry._devices))
        monkeypatch.setattr(_namespace, "_namespaces", {})
        return corepy.namespace(device)

    return make


@pytest.fixture
def xp(module, namespace):
    """The namespace of the second of two devices."""
    return namespace(module.CudaRuntime, "stub:1")
