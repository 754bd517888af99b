"""Products of integers on the GPU, against NumPy: wrap-around, stacks, vectors, any layout."""

from __future__ import annotations

import numpy as np
import pytest

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@pytest.fixture
def rng():
    return np.random.default_rng(6)


def same(x, expected):
    result = np.asarray(x.to_device("cpu"))
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def integers(rng, shape, dtype):
    """Integers of the whole range, so that sums of products wrap around."""
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_matmul_wraps_around(gpu, rng, dtype):
    for rows, terms, columns in [(5, 3, 4), (64, 16, 64), (65, 33, 67), (130, 20, 129)]:
        a, b = integers(rng, (rows, terms), dtype), integers(rng, (terms, columns), dtype)
        same(gpu.matmul(gpu.asarray(a), gpu.asarray(b)), a @ b)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3,)),
        ((3,), (3, 4)),
        ((2, 3), (3,)),
        ((1, 40), (40, 70)),
        ((70, 40), (40, 1)),
        ((5, 2, 3), (3, 4)),
        ((5, 2, 3), (5, 3, 4)),
        ((5, 1, 2, 3), (6, 3, 4)),
        ((2, 3), (5, 3, 4)),
        ((3,), (5, 3, 4)),
        ((5, 2, 3), (3,)),
        ((5, 2, 3), (5, 3, 1)),
        ((0, 3), (3, 4)),
        ((2, 0), (0, 4)),
        ((0,), (0,)),
        ((2, 0), (0,)),
        ((3, 0, 2), (2, 5)),
        ((2, 3000), (3000, 2)),
        ((9000,), (9000,)),
        ((1500,), (1500, 40)),
    ],
)
@pytest.mark.parametrize("dtype", ["int16", "int64"])
def test_matmul_of_shapes(gpu, rng, dtype, left, right):
    a, b = integers(rng, left, dtype), integers(rng, right, dtype)
    same(gpu.matmul(gpu.asarray(a), gpu.asarray(b)), np.asarray(a @ b))


def test_matmul_of_layouts(gpu, rng):
    a, b = integers(rng, (34, 70), "int32"), integers(rng, (34, 70), "int32")
    x, y = gpu.asarray(a), gpu.asarray(b)
    same(gpu.matmul(x, y.T), a @ b.T)
    same(gpu.matmul(x.T, y), a.T @ b)
    same(gpu.matmul(x[::-1, ::2], y[:, 1::2].T), a[::-1, ::2] @ b[:, 1::2].T)
    same(gpu.matmul(x.T, y[:, 0]), a.T @ b[:, 0])
    same(gpu.matmul(x[:, 0], y), a[:, 0] @ b)
    wide = np.broadcast_to(a[:1], (34, 70))
    same(gpu.matmul(gpu.broadcast_to(x[:1], (34, 70)), y.T), wide @ b.T)


def test_matmul_promotes_and_takes_bools(gpu, rng):
    a, b = integers(rng, (4, 5), "uint8"), integers(rng, (5, 6), "int16")
    same(gpu.matmul(gpu.asarray(a), gpu.asarray(b)), a @ b)
    a, b = rng.random((4, 5)) < 0.3, rng.random((5, 6)) < 0.3
    same(gpu.matmul(gpu.asarray(a), gpu.asarray(b)), a @ b)
    same(gpu.matmul(gpu.asarray(a), gpu.asarray(b[:, 0])), a @ b[:, 0])


def test_matmul_checks_shapes(gpu):
    x = gpu.asarray(np.ones((2, 3), int))
    with pytest.raises(ValueError, match="matmul: the sizes to sum over"):
        gpu.matmul(x, x)
    with pytest.raises(ValueError, match="matmul: shapes"):
        gpu.matmul(gpu.asarray(np.ones((2, 4, 3), int)), gpu.asarray(np.ones((5, 3, 2), int)))


@pytest.mark.parametrize("axis", [-1, -2])
@pytest.mark.parametrize("dtype", ["uint8", "int64"])
def test_vecdot(gpu, rng, dtype, axis):
    for left, right in [
        ((7, 5), (7, 5)),
        ((40, 3, 5), (3, 5)),
        ((3, 0), (3, 0)),
        ((2, 900), (2, 900)),
    ]:
        a, b = integers(rng, left, dtype), integers(rng, right, dtype)
        expected = np.asarray((a * b).sum(axis, dtype=dtype))
        same(gpu.vecdot(gpu.asarray(a), gpu.asarray(b), axis=axis), expected)
    a, b = integers(rng, 4000, dtype), integers(rng, 4000, dtype)
    expected = np.asarray((a * b[::-1]).sum(dtype=dtype))
    same(gpu.vecdot(gpu.asarray(a), gpu.asarray(b)[::-1]), expected)


def test_tensordot(gpu, rng):
    a, b = integers(rng, (3, 4, 5), "int32"), integers(rng, (4, 3, 6), "int32")
    x, y = gpu.asarray(a), gpu.asarray(b)
    same(gpu.tensordot(x, y, axes=((0, 1), (1, 0))), np.tensordot(a, b, axes=((0, 1), (1, 0))))
    same(gpu.tensordot(x, y, axes=((1,), (0,))), np.tensordot(a, b, axes=((1,), (0,))))
    same(gpu.tensordot(x, y, axes=0), np.tensordot(a, b, axes=0))
    same(gpu.tensordot(x, x, axes=3), np.asarray(np.tensordot(a, a, axes=3)))


def test_products_of_floats_are_the_librarys(gpu, rng):
    a, b = rng.random((4, 5)), rng.random((5, 6))
    same(gpu.matmul(gpu.asarray(a), gpu.asarray(b)), a @ b)
