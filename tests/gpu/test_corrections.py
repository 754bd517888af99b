"""The replacements of CuPy's functions, run over NumPy: CuPy's need a GPU."""

from __future__ import annotations

import itertools
import types

import array_api_compat.numpy as xp
import numpy as np
import pytest
from strategies import DTYPE_NAMES

from corepy.backend.corrections.cupy import corrections

WIDER = {np.dtype("float32"): "float64", np.dtype("complex64"): "complex128"}
FOUND = corrections(lambda x: x.astype(WIDER.get(x.dtype, x.dtype)), host=np)
REAL = [name for name in DTYPE_NAMES if not name.startswith("complex")]


def call(operation, *inputs, **params):
    return FOUND[operation](xp, *inputs, **params)


def check(operation, expected, *inputs, exact=False, dtype=None, **params):
    """Compare what takes the place of a function with what NumPy gives; no result is an input."""
    result = call(operation, *inputs, **params)
    results = result if isinstance(result, (tuple, list)) else [result]
    wanted = expected if isinstance(expected, (tuple, list)) else [expected]
    for ours, theirs in zip(results, wanted, strict=True):
        theirs = np.asarray(theirs)
        assert ours.shape == theirs.shape and ours.dtype == (dtype or theirs.dtype)
        same = np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc")
        assert same or (not exact and np.allclose(ours, theirs, rtol=1e-5, atol=1e-5))
        assert not any(ours is x or np.shares_memory(ours, x) for x in inputs if hasattr(x, "size"))


def values(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind in "biu":
        return np.asarray(rng.integers(0 if dtype.kind != "i" else -4, 5, shape)).astype(dtype)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.nan, -np.nan, np.inf, 1e-42, 2e-42, 3.0])
    if dtype.kind == "f":
        return np.asarray(rng.choice(special, shape)).astype(dtype)
    finite = special[np.isfinite(special)]
    return np.asarray(rng.choice(finite, shape) + 1j * rng.choice(finite, shape)).astype(dtype)


def matrices(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) + 3 * np.eye(shape[-2], shape[-1])
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


# ---- sorting, sets


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize(("shape", "axis"), [((20,), 0), ((4, 6), 0), ((4, 6), -1), ((0, 3), 0)])
def test_sorting(dtype, shape, axis, descending):
    x = values(dtype, shape)
    places = call("argsort", x, axis=axis, descending=descending, stable=True)
    assert places.dtype == np.int64
    taken, ordered = np.take_along_axis(x, places, axis=axis), np.sort(x, axis=axis)
    ordered = np.flip(ordered, axis) if descending else ordered
    np.testing.assert_array_equal(taken, ordered)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_sets(dtype):
    for shape in [(30,), (5, 6), (), (0,), (3, 0)]:
        x = values(dtype, shape)
        found = tuple(np.unique_all(x))
        check("unique_all", found, x, exact=True)
        check("unique_counts", (found[0], found[3]), x, exact=True)
        check("unique_inverse", (found[0], found[2]), x, exact=True)
        check("unique_values", found[0], x, exact=True)
    for sizes in [((5, 4), (6,)), ((), (3, 2)), ((4,), (0,)), ((0,), (3,))]:
        x1, x2 = (values(dtype, shape, seed) for seed, shape in enumerate(sizes))
        expected = (x1[..., None] == x2.reshape(-1)).any(axis=-1)
        for invert in (True, False):
            check("isin", expected ^ invert, x1, x2, invert=invert)


# ---- linear algebra


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex64", "complex128"])
def test_products_of_vectors(dtype):
    for first, second, axis in [
        ((4,), (4,), -1), ((3, 4), (4,), -1), ((4, 3), (4, 1), -2), ((2, 1, 4), (3, 4), -1),
        ((0,), (0,), -1), ((3, 0), (3, 0), -1),
    ]:  # fmt: skip
        a, b = values("int8", first).astype(dtype), values("int8", second, 1).astype(dtype)
        if a.dtype.kind == "c":
            a, b = (a * (1 + 2j)).astype(dtype), (b * (2 - 1j)).astype(dtype)
        check("vecdot", np.vecdot(*np.broadcast_arrays(a, b), axis=axis), a, b, axis=axis)
    x, y = values("int8", (5, 1, 3)).astype(dtype), values("int8", (4, 3), 1).astype(dtype)
    check("linalg.outer", np.outer(x[0, 0], y[0]), x[0, 0], y[0])
    check("linalg.cross", np.cross(x, y), x, y, axis=-1)
    swapped = np.moveaxis(y[None], -1, -2)  # (1, 3, 4)
    expected = np.moveaxis(np.cross(x, y), -1, -2)
    check("linalg.cross", expected, np.moveaxis(x, -1, -2), swapped, axis=-2)
    both = swapped, swapped[:, ::-1]
    check("linalg.cross", np.cross(*both, axis=1), *both, axis=1)


SQUARE = [(3, 3), (2, 3, 3), (2, 2, 40, 40), (0, 0), (0, 3, 3)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", SQUARE)
def test_decompositions(shape, dtype):
    x = matrices(shape, dtype)
    hermitian = x + np.conj(np.swapaxes(x, -1, -2))
    loose = 1e-3 if dtype in ("float32", "complex64") else 1e-9
    for name, only, matrix, kind in [
        ("eigh", "eigvalsh", hermitian, x.real.dtype),
        ("eig", "eigvals", x, np.result_type(dtype, "complex64")),
    ]:
        w, v = call(f"linalg.{name}", matrix)
        assert w.dtype == kind and w.shape == shape[:-1] and (name == "eigh" or v.dtype == kind)
        assert np.allclose(matrix @ v, v * w[..., None, :], atol=loose)
        only = call(f"linalg.{only}", matrix)
        assert only.dtype == kind and np.allclose(only, w, atol=loose)
    positive = x @ np.conj(np.swapaxes(x, -1, -2))
    for upper in (True, False):
        expected = np.linalg.cholesky(positive, upper=upper)
        factor = call("linalg.cholesky", positive, upper=upper)
        assert np.allclose(factor, expected, atol=loose) and factor.dtype == dtype


@pytest.mark.parametrize(
    ("first", "second"),
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((4, 3, 3), (3,)), ((4, 3, 3), (3, 2)),
     ((3, 3), (4, 3, 2)), ((2, 1, 3, 3), (4, 3, 1)), ((0, 0), (0,)), ((3, 3), (3, 0)),
     ((0, 3, 3), (0, 3, 2))],
)  # fmt: skip
def test_solve(first, second):
    a, b = matrices(first), np.random.default_rng(1).standard_normal(second)
    expected = np.linalg.solve(a, b if b.ndim > 1 else b[:, None])
    check("linalg.solve", expected if b.ndim > 1 else expected[..., 0], a, b)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_powers_and_inverses(dtype):
    for shape, n in itertools.product([(3, 3), (2, 3, 3), (0, 0)], [-3, -1, 0, 1, 2, 3, 7, 8]):
        x = matrices(shape)
        check("linalg.matrix_power", np.linalg.matrix_power(x, n), x, n)
    for shape in [(3, 4), (4, 3), (2, 3, 4), (0, 3), (3, 0), (2, 0, 3), (0, 2, 3)]:
        x = matrices(shape, dtype)
        check("linalg.pinv", np.linalg.pinv(x), x, rtol=None)
    x = np.diag([4.0, 2.0, 1.0])
    expected = [[0.25, 0.5, 1.0], [0.25, 0.5, 0.0], [0.25, 0.0, 0.0]]
    expected = np.array([np.diag(each) for each in expected])
    check("linalg.pinv", expected, x, rtol=np.array([0.0, 0.3, 0.6]))
    check("linalg.pinv", 0 * x, 0 * x, rtol=None)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_norms(dtype):
    for keepdims in (True, False):
        keep = {"keepdims": keepdims}
        x = matrices((2, 3, 4), dtype)
        for ord, axis in itertools.product([2, 1, 0, -1, -2, 3, 0.5, np.inf, -np.inf],
                                           [None, 0, -1, (0, 2), (1,), ()]):  # fmt: skip
            expected = np.linalg.vector_norm(x, ord=ord, axis=axis, **keep)
            check("linalg.vector_norm", expected, x, ord=ord, axis=axis, **keep, dtype=x.real.dtype)
        for ord, shape in itertools.product(["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf],
                                            [(3, 4), (2, 4, 3), (0, 3, 3)]):  # fmt: skip
            x = matrices(shape, dtype)
            expected = np.linalg.matrix_norm(x, ord=ord, **keep)
            check("linalg.matrix_norm", expected, x, ord=ord, **keep, dtype=x.real.dtype)


def test_norms_of_nothing():
    for ord in (0, 1, 2, 3, np.inf):
        check("linalg.vector_norm", np.zeros(2), np.empty((2, 0)), axis=1, ord=ord)
    check("linalg.vector_norm", np.zeros(0), np.empty((0, 2)), axis=1, ord=np.inf)
    for ord, shape in itertools.product(("fro", "nuc", 1, 2, np.inf), ((0, 3), (3, 0))):
        check("linalg.matrix_norm", 0.0, np.empty(shape), ord=ord)
    with pytest.raises(ValueError, match="zero-size"):
        call("linalg.vector_norm", np.empty(0), ord=-np.inf)


@pytest.mark.parametrize("offset", [0, 1, -1, 3, -2, 4, -5, 1 << 70, -(1 << 70)])
def test_diagonals(offset):
    near = max(min(offset, 9), -9)
    for shape in [(3, 4), (2, 4, 3), (0, 3)]:
        x = values("int16", shape)
        check("linalg.diagonal", np.diagonal(x, near, -2, -1), x, offset=offset)
        trace = np.trace(x, near, -2, -1)
        check("linalg.trace", trace, x, offset=near, exact=True)
        single = call("linalg.trace", x, offset=near, dtype=np.dtype("float32"))
        assert single.dtype == np.float32 and np.array_equal(single, trace)


# ---- creation, transforms


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid(indexing):
    arrays = [np.arange(3), np.arange(4.0), np.arange(2)]
    for count in range(4):
        expected = np.meshgrid(*arrays[:count], indexing=indexing)
        check("meshgrid", expected, *arrays[:count], indexing=indexing)
        assert all(x.flags.writeable for x in call("meshgrid", *arrays[:count], indexing=indexing))


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
