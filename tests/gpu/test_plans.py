"""How much memory and how many chunks large arrays take, with nothing computed."""

from pathlib import Path

import numpy as np
import pytest
from running import module_from

import corepy
from corepy._gpu.backend import GpuBackend
from corepy.array_api import _namespace
from corepy.backend import registry
from corepy.backend.corrections import corrections_for

N = 100_000_000
ACCUMULATOR = 32


@pytest.fixture
def planned(monkeypatch):
    """Call it with a function of a namespace, for the bytes that it allocates."""
    runtime = module_from(Path(__file__).parent / "host" / "runtime.py").HostRuntime()
    runtime._gathering.value = 1  # no kernel is run
    allocate, sizes = runtime.allocate, []

    def noted(nbytes, device):
        sizes.append(nbytes)
        return allocate(min(nbytes, 1 << 20), device)

    runtime.allocate = noted
    runtime.clear = lambda address, nbytes, device: None
    runtime.download = lambda native, device: np.zeros(native.shape, native.dtype)
    made = GpuBackend("planned", lambda: runtime, "numpy", lambda: corrections_for("numpy"))
    monkeypatch.setitem(registry._loaded, "planned", made)
    monkeypatch.setattr(registry, "_devices", dict(registry._devices))
    monkeypatch.setattr(_namespace, "_namespaces", {})
    xp = corepy.namespace("planned:0")

    def call(function, dtype):
        x = xp.empty((N,), dtype=dtype)
        sizes.clear()
        with corepy.config(fusion=False):
            function(xp, x)
        return list(sizes)

    return call


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_chunks_of_reductions(planned, dtype):
    for call in (lambda xp, x: xp.sum(x), lambda xp, x: xp.sum(xp.reshape(x, (-1, 4)), axis=0)):
        _, partials, *_ = planned(call, dtype)
        results = 1 if partials <= 2048 * ACCUMULATOR else 4
        assert 1024 < partials // ACCUMULATOR // results <= 2048


def test_chunks_of_masks(planned):
    counts, *_ = planned(lambda xp, x: x[x], "bool")
    assert 2048 < counts // 8 <= 4096


@pytest.mark.parametrize(
    ("name", "dtype", "small"),
    [
        ("cumulative_sum", "int8", True), ("cumulative_sum", "float32", True),
        ("cumulative_sum", "float64", True), ("cumulative_sum", "complex64", False),
        ("cumulative_prod", "int64", True), ("cumulative_prod", "float32", False),
    ],
)  # fmt: skip
def test_slots_of_scans(planned, name, dtype, small):
    """One word for each tile if its sum fits in it; else the accumulators are separate."""
    _, *others = planned(lambda xp, x: getattr(xp, name)(x), dtype)
    elements = 256 * (16 if dtype in ("float32", "complex64") else 8)
    if dtype == "complex64":
        elements = 256 * 2 * 4
    tiles = -(-N // elements)
    assert len(others) == (1 if small else 2)
    words = others[-1] // 16
    assert tiles <= words <= 2 * tiles or dtype == "int8"
    assert small or others[0] == (words - 1) * ACCUMULATOR
