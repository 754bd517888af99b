"""What stands in for CuPy's functions, run over NumPy: CuPy's own need a GPU."""

from __future__ import annotations

import types

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


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (0, 0), (0, 3, 3)])
def test_eig_is_complex(shape, dtype):
    x = matrices(shape, dtype)
    w, v = call("linalg.eig", x)
    expected = "complex128" if dtype == "complex128" else "complex64"
    assert w.dtype == v.dtype == call("linalg.eigvals", x).dtype == expected
    assert np.allclose(x @ v, v * w[..., None, :], atol=1e-5)
    assert call("linalg.eigvals", x).shape == w.shape == shape[:-1]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (2, 3, 4), (0, 3), (3, 0), (2, 0, 3), (0, 2, 3)])
def test_pinv(shape, dtype):
    x = matrices(shape, dtype)
    result = call("linalg.pinv", x, rtol=None)
    assert result.dtype == dtype and result.shape == (*shape[:-2], *shape[:-3:-1])
    assert np.allclose(result, np.linalg.pinv(x), atol=1e-5)


def test_pinv_with_tolerances_of_more_axes():
    x = np.diag([4.0, 2.0, 1.0])
    result = call("linalg.pinv", x, rtol=np.array([0.0, 0.3, 0.6]))
    expected = [[0.25, 0.5, 1.0], [0.25, 0.5, 0.0], [0.25, 0.0, 0.0]]
    assert np.allclose(result, [np.diag(each) for each in expected])
    assert not call("linalg.pinv", 0 * x, rtol=None).any()


@pytest.mark.parametrize("ord", [2, 1, 0, -1, -2, 3, 0.5, np.inf, -np.inf])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (1,), ()])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_vector_norm(dtype, axis, ord):
    x = matrices((2, 3, 4), dtype)
    for keepdims in (True, False):
        result = call("linalg.vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)
        expected = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
        assert result.shape == expected.shape and result.dtype == x.real.dtype
        assert np.allclose(result, expected, rtol=1e-5)


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("shape", [(3, 4), (2, 4, 3), (0, 3, 3)])
def test_matrix_norm(shape, dtype, ord):
    x = matrices(shape, dtype)
    for keepdims in (True, False):
        result = call("linalg.matrix_norm", x, keepdims=keepdims, ord=ord)
        expected = np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)
        assert result.shape == expected.shape and result.dtype == x.real.dtype
        assert np.allclose(result, expected, rtol=1e-5)


def test_norms_of_nothing():
    for ord in (0, 1, 2, 3, np.inf):
        result = call("linalg.vector_norm", np.empty((2, 0)), axis=1, ord=ord)
        assert result.tolist() == [0.0, 0.0]
    assert call("linalg.vector_norm", np.empty((0, 2)), axis=1, ord=np.inf).shape == (0,)
    for ord in ("fro", "nuc", 1, 2, np.inf):
        assert call("linalg.matrix_norm", np.empty((0, 3)), ord=ord) == 0.0
        assert call("linalg.matrix_norm", np.empty((3, 0)), ord=ord) == 0.0
    with pytest.raises(ValueError, match="zero-size"):
        call("linalg.vector_norm", np.empty(0), ord=-np.inf)


@pytest.mark.parametrize("offset", [0, 1, -1, 3, -2, 4, -5, 1 << 70, -(1 << 70)])
@pytest.mark.parametrize("shape", [(3, 4), (2, 4, 3), (0, 3)])
def test_diagonals(shape, offset):
    x = values("int16", shape)
    result = call("linalg.diagonal", x, offset=offset)
    near = max(min(offset, 9), -9)
    assert np.array_equal(result, np.diagonal(x, near, -2, -1))
    assert not np.shares_memory(result, x)
    traced = call("linalg.trace", x, offset=near)
    assert traced.dtype == np.int64 and np.array_equal(traced, np.trace(x, near, -2, -1))
    assert call("linalg.trace", x, offset=near, dtype=np.dtype("float32")).dtype == np.float32


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_products_of_vectors(dtype):
    x, y = values(dtype, (5, 1, 3)), values(dtype, (4, 3), 1)
    x, y = np.nan_to_num(x, posinf=2), np.nan_to_num(y, posinf=2)
    assert np.array_equal(call("linalg.outer", x[0, 0], y[0]), np.outer(x[0, 0], y[0]))
    assert np.array_equal(call("linalg.cross", x, y, axis=-1), np.cross(x, y))
    swapped = np.moveaxis(y[None], -1, -2)  # (1, 3, 4)
    result = call("linalg.cross", np.moveaxis(x, -1, -2), swapped, axis=-2)
    assert np.array_equal(result, np.moveaxis(np.cross(x, y), -1, -2))
    assert np.array_equal(
        call("linalg.cross", swapped, swapped[:, ::-1], axis=1),
        np.cross(swapped, swapped[:, ::-1], axis=1),
    )


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid(indexing):
    arrays = [np.arange(3), np.arange(4.0), np.arange(2)]
    for count in range(4):
        result = call("meshgrid", *arrays[:count], indexing=indexing)
        expected = np.meshgrid(*arrays[:count], indexing=indexing)
        assert len(result) == count
        for ours, theirs, x in zip(result, expected, arrays, strict=False):
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
            assert not np.shares_memory(ours, x) and ours.flags.writeable


class Placed(np.ndarray):
    """An array that says where it is in the way that CuPy's do."""

    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data)


@pytest.mark.parametrize("name", ["rfft", "rfftn", "ihfft"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_numbers_are_transformed_from_aligned_memory(monkeypatch, name, dtype):
    memory = np.arange(40, dtype=dtype).view(Placed)
    taken = []
    real = getattr(np.fft, name)
    monkeypatch.setattr(xp.fft, name, lambda x, **params: taken.append(x) or real(x, **params))
    for first in range(4):
        x = memory[first : first + 32]
        assert np.array_equal(call(f"fft.{name}", x), real(x))
        assert taken[-1].ctypes.data % (2 * x.itemsize) == 0
        assert (taken[-1] is x) == (x.ctypes.data % (2 * x.itemsize) == 0)
