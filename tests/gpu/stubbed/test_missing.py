"""What is said where CuPy, the driver or the GPU is missing."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest
from running import known_module_from

import corepy
from corepy._gpu import platforms
from corepy.backend import registry

HOST = Path(__file__).parents[1] / "host"
stub = known_module_from(HOST / "cupy_stub.py")


def raising(error):
    """Return a function that raises an error whatever it is called with."""

    def fail(*arguments):
        raise error

    return fail


PLATFORMS, DRIVER = "corepy._gpu.platforms", "cupy.cuda.runtime.getDeviceCount"
#: What is missing, as what is there instead, and what the message says of it.
MISSING = [
    (f"{PLATFORMS}.find_spec", lambda name: None,
     ["CuPy is not installed", "pip install 'cupy-cuda13x[ctk]'", "available: 'cpu'"]),
    ("cupy.cuda.nvrtc.getVersion", raising(RuntimeError("no libnvrtc.so.13")),
     ["cannot load the compiler of kernels (no libnvrtc.so.13)", "cupy-cuda13x[ctk]"]),
    (f"{PLATFORMS}.ctypes", types.SimpleNamespace(CDLL=raising(OSError("libcuda"))),
     ["NVIDIA's driver is not installed (libcuda.so.1 was not found)", "nvidia.com/drivers"]),
    (DRIVER, raising(stub.CUDARuntimeError(35)), ["NVIDIA's driver is too old for this CuPy"]),
    (DRIVER, raising(stub.CUDARuntimeError(999)), ["NVIDIA's driver does not work"]),
    (DRIVER, raising(stub.CUDARuntimeError(100)), ["NVIDIA's driver found no GPU"]),
    (DRIVER, lambda: 0, ["CUDA_VISIBLE_DEVICES"]),
]  # fmt: skip


def message(kind="cuda"):
    with pytest.raises(ValueError) as caught:
        corepy.zeros(1, device=f"{kind}:0")
    assert not any(str(each).startswith(kind) for each in corepy.backend.available_devices())
    return str(caught.value)


@pytest.fixture
def stubbed(module, monkeypatch):
    """Have CuPy's stub and its driver found, and no device known yet."""
    monkeypatch.setattr(registry, "_devices", {"cpu": registry._devices["cpu"]})
    monkeypatch.setattr(platforms, "find_spec", lambda name: "found")
    monkeypatch.setattr(platforms, "ctypes", types.SimpleNamespace(CDLL=lambda name: None))


@pytest.mark.parametrize(("name", "value", "texts"), MISSING)
def test_what_is_missing_is_said(stubbed, monkeypatch, name, value, texts):
    monkeypatch.setattr(name, value)
    said = message()
    assert [text for text in texts if text not in said] == [], said


def test_cupy_that_cannot_be_imported(stubbed, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy.cuda", None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "CuPy cannot be imported" in message()


def test_with_a_cupy_that_says_much():
    text = "\n====\nFailed to import CuPy.\n\nOriginal error:\n  ImportError: no libfirst\n====\n"
    assert platforms._reason(ImportError(text)) == "ImportError: no libfirst"
    assert platforms._reason(ImportError()) == "ImportError"


def test_cupy_for_other_gpus(stubbed):
    assert "CuPy is installed for cuda:0, not for rocm:0" in message("rocm")
