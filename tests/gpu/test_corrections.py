"""What stands in for CuPy's functions, run over NumPy: CuPy's own need a GPU."""

from __future__ import annotations

import array_api_compat.numpy as xp
import numpy as np
import pytest

from corepy._gpu.corrections import corrections

WIDER = {np.dtype("float32"): "float64", np.dtype("complex64"): "complex128"}
FOUND = corrections(lambda x: x.astype(WIDER.get(x.dtype, x.dtype)))


def call(operation, *inputs, **params):
    return FOUND[operation](xp, *inputs, **params)


REAL = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()


def values(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(max(-4, np.iinfo(dtype).min), 5, shape).astype(dtype)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.nan, -np.nan, np.inf, 1e-42, 2e-42, 3.0])
    if dtype.kind == "f":
        return rng.choice(special, shape).astype(dtype)
    finite = special[np.isfinite(special)]
    pairs = np.stack([rng.choice(finite, shape), rng.choice(finite, shape)], axis=-1)
    return np.ascontiguousarray(pairs).view("complex128")[..., 0].astype(dtype)


ALL = ["bool", *REAL, "complex64", "complex128"]


@pytest.mark.parametrize("dtype", ["bool", *REAL])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize(("shape", "axis"), [((20,), 0), ((4, 6), 0), ((4, 6), -1), ((0, 3), 0)])
def test_sorting(dtype, shape, axis, descending):
    x = values(dtype, shape)
    places = call("argsort", x, axis=axis, descending=descending, stable=True)
    assert places.dtype == np.int64
    result = call("sort", x, axis=axis, descending=descending, stable=True)
    taken = np.take_along_axis(x, places, axis=axis)
    assert np.array_equal(result, taken, equal_nan=x.dtype.kind == "f")
    if x.dtype.kind == "f":
        finite = ~np.isnan(result)
        assert np.array_equal(np.signbit(result)[finite], np.signbit(taken)[finite])
    ordered = np.sort(x, axis=axis)
    assert np.array_equal(
        result, np.flip(ordered, axis) if descending else ordered, equal_nan=x.dtype.kind == "f"
    )


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(30,), (5, 6), (), (0,), (3, 0)])
def test_unique(dtype, shape):
    x = np.asarray(values(dtype, shape))
    result = call("unique_all", x)
    expected = np.unique_all(x)
    for ours, theirs in zip(result, expected, strict=True):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind in "fc")
    for name, fields in {
        "unique_counts": (0, 3), "unique_inverse": (0, 2),
    }.items():  # fmt: skip
        for ours, field in zip(call(name, x), fields, strict=True):
            assert np.array_equal(ours, result[field], equal_nan=ours.dtype.kind in "fc")
    only = call("unique_values", x)
    assert np.array_equal(only, result[0], equal_nan=only.dtype.kind in "fc")


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("invert", [True, False])
@pytest.mark.parametrize("sizes", [((5, 4), (6,)), ((), (3, 2)), ((4,), (0,)), ((0,), (3,))])
def test_isin(dtype, sizes, invert):
    x1, x2 = (np.asarray(values(dtype, shape, seed)) for seed, shape in enumerate(sizes))
    result = call("isin", x1, x2, invert=invert)
    expected = (x1[..., None] == x2.reshape(-1)).any(axis=-1)
    assert result.dtype == bool and np.array_equal(result, expected ^ invert)


@pytest.mark.parametrize("dtype", ["bool", *REAL])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(dtype, side):
    x1, x2 = values(dtype, (20,)), values(dtype, (3, 4), 1)
    order = np.argsort(x1, stable=True)
    expected = np.searchsorted(x1[order], x2, side=side)
    assert np.array_equal(call("searchsorted", x1[order], x2, side=side, sorter=None), expected)
    result = call("searchsorted", x1, x2, side=side, sorter=order.astype(np.uint64))
    assert result.dtype == np.int64 and np.array_equal(result, expected)
    assert call("searchsorted", x1[:0], x2, side=side).tolist() == np.zeros((3, 4)).tolist()


def test_repeat():
    x = np.arange(6).reshape(2, 3)
    assert np.array_equal(call("repeat", x, 2), np.repeat(x, 2))
    counts = np.array([2, 0, 1], dtype=np.uint64)
    assert np.array_equal(call("repeat", x, counts, axis=1), np.repeat(x, [2, 0, 1], axis=1))
    assert np.array_equal(call("repeat", x, np.array([2]), axis=1), np.repeat(x, 2, axis=1))


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize(
    ("first", "second", "axis"),
    [((4,), (4,), -1), ((3, 4), (4,), -1), ((4, 3), (4, 1), -2), ((2, 1, 4), (3, 4), -1),
     ((0,), (0,), -1), ((3, 0), (3, 0), -1)],
)  # fmt: skip
def test_vecdot(first, second, axis, dtype):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-3, 4, shape).astype(dtype) for shape in (first, second))
    if a.dtype.kind == "c":
        a, b = a * (1 + 2j), b * (2 - 1j)
        a, b = a.astype(dtype), b.astype(dtype)
    result = call("vecdot", a, b, axis=axis)
    assert result.dtype == dtype
    assert np.allclose(result, np.vecdot(*np.broadcast_arrays(a, b), axis=axis))


def matrices(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) + 3 * np.eye(shape[-2], shape[-1])
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


@pytest.mark.parametrize(
    ("first", "second"),
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((4, 3, 3), (3,)), ((4, 3, 3), (3, 2)),
     ((3, 3), (4, 3, 2)), ((2, 1, 3, 3), (4, 3, 1)), ((0, 0), (0,)), ((3, 3), (3, 0)),
     ((0, 3, 3), (0, 3, 2))],
)  # fmt: skip
def test_solve(first, second):
    a = matrices(first)
    b = np.random.default_rng(1).standard_normal(second)
    result = call("linalg.solve", a, b)
    expected = np.linalg.solve(a, b if b.ndim > 1 else b[:, None])
    assert np.allclose(result, expected if b.ndim > 1 else expected[..., 0])
    assert result.shape == (expected if b.ndim > 1 else expected[..., 0]).shape


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_cholesky(upper, dtype):
    a = matrices((2, 3, 3), dtype)
    x = a @ np.conj(np.swapaxes(a, -1, -2))
    factor = call("linalg.cholesky", x, upper=upper)
    assert np.allclose(factor, np.linalg.cholesky(x, upper=upper))


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 3, 7, 8])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (0, 0)])
def test_matrix_power(n, shape):
    x = matrices(shape)
    result = call("linalg.matrix_power", x, n)
    expected = np.linalg.matrix_power(x, n)
    assert np.allclose(result, expected) and result.shape == expected.shape
    assert result is not x and not np.shares_memory(result, x)


@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (2, 2, 40, 40), (0, 0), (0, 3, 3)])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_eigh(shape, dtype):
    a = matrices(shape, dtype)
    x = a + np.conj(np.swapaxes(a, -1, -2))
    w, v = call("linalg.eigh", x)
    assert np.allclose(call("linalg.eigvalsh", x), w)
    assert np.allclose(x @ v, v * w[..., None, :]) and w.dtype == np.float64
