"""Arrays made on the GPU have the bits of those made on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import corepy.array_api as xp


def same_bits(x, expected):
    result, expected = np.asarray(x.to_device("cpu")), np.asarray(expected)
    assert x.device != xp.asarray(0).device
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    "arguments",
    [
        (0,), (1,), (2,), (3,), (1000,), (3, 1000, 7), (1000, 3, -7), (5, 5), (5, 3), (-0.0, 1),
        (0.0, 1.0, 0.1), (0.1, 50.3, 0.1), (1e10, 1e10 + 300, 0.3), (3, -3, -0.7), (1.5, 300),
        (-(2**63), 2**63 - 1, 2**60),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [None, "int16", "uint64", "float32", "float64"])
def test_arange(gpu, arguments, dtype):
    kind = None if dtype is None else getattr(xp, dtype)
    try:
        expected = xp.arange(*arguments, dtype=kind)
    except (ValueError, TypeError, OverflowError) as error:
        with pytest.raises(type(error)):
            gpu.arange(*arguments, dtype=kind)
        return
    same_bits(gpu.arange(*arguments, dtype=kind), expected)


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("dtype", [None, "float32", "float64", "complex64", "complex128"])
def test_linspace(gpu, endpoint, dtype):
    kind = None if dtype is None else getattr(xp, dtype)
    for start, stop, num in [
        (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 50), (-3.7, 1e5, 999), (1e300, -1e300, 7),
        (0.0, 5e-324, 3), (2, 2, 5), (1, 0, 300),
    ]:  # fmt: skip
        expected = xp.linspace(start, stop, num, dtype=kind, endpoint=endpoint)
        same_bits(gpu.linspace(start, stop, num, dtype=kind, endpoint=endpoint), expected)
    if dtype is None or dtype.startswith("complex"):
        expected = xp.linspace(1 - 2j, 3.5j, 70, dtype=kind, endpoint=endpoint)
        same_bits(gpu.linspace(1 - 2j, 3.5j, 70, dtype=kind, endpoint=endpoint), expected)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
def test_what_has_no_kernel(gpu, dtype):
    kind = getattr(xp, dtype)
    same_bits(gpu.arange(0.5, 7.0, 1.5, dtype=kind), xp.arange(0.5, 7.0, 1.5, dtype=kind))
    for endpoint in (True, False):
        expected = xp.linspace(1, 100, 12, dtype=kind, endpoint=endpoint)
        same_bits(gpu.linspace(1, 100, 12, dtype=kind, endpoint=endpoint), expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_eye(gpu, dtype):
    kind = getattr(xp, dtype)
    for rows, columns, k in [(3, 3, 0), (3, 5, 1), (5, 3, -2), (3, 3, 9), (3, 3, -9), (0, 3, 0),
                             (4, None, 0)]:  # fmt: skip
        same_bits(gpu.eye(rows, columns, k=k, dtype=kind), xp.eye(rows, columns, k=k, dtype=kind))


def test_full_and_its_like(gpu):
    same_bits(gpu.zeros((3, 4)), xp.zeros((3, 4)))
    same_bits(gpu.ones((3, 0)), xp.ones((3, 0)))
    same_bits(gpu.full((70,), 7, dtype=gpu.int8), xp.full((70,), 7, dtype=xp.int8))
    same_bits(gpu.full((), 1 + 2j), xp.full((), 1 + 2j))
    x = gpu.asarray(np.ones((2, 3), np.float32))
    same_bits(gpu.full_like(x, 2), xp.full((2, 3), 2, dtype=xp.float32))
