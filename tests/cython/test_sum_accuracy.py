"""Sums and means are as exact as NumPy's, for every layout of the summands."""

import math

import numpy as np
import pytest

import corepy.array_api as xp
from corepy import Tensor

FLOATING = ("float32", "float64", "complex64", "complex128")


def random(rng, dtype, shape):
    """Numbers in [0, 1), so that their sum is of the size of the sum of magnitudes."""
    values = rng.random(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.random(shape)
    return values.astype(dtype)


def exact_sum(values):
    values = values.ravel().tolist()
    if isinstance(values[0], complex):
        return complex(math.fsum(z.real for z in values), math.fsum(z.imag for z in values))
    return math.fsum(values)


def errors(array, axis, operation="sum"):
    """The largest errors of Corepy and NumPy, in units of the dtype's epsilon."""
    kept = [i for i in range(array.ndim) if i not in axis]
    cells = np.transpose(array, [*kept, *axis]).reshape(math.prod(array.shape[i] for i in kept), -1)
    count = cells.shape[1] if operation == "mean" else 1
    exact = np.asarray([exact_sum(cell) for cell in cells]) / count
    scale = np.sum(np.abs(cells), axis=1, dtype=np.float64) / count
    scale *= np.finfo(array.dtype).eps
    return [
        np.max(np.abs(np.asarray(result).ravel().astype(exact.dtype) - exact) / scale)
        for result in (
            getattr(xp, operation)(Tensor(array), axis=axis),
            getattr(np, operation)(array, axis=axis),
        )
    ]


SHORT_RUNS = {
    "three of ten columns": lambda x: x.reshape(-1, 10)[:, :3],
    "all columns but one": lambda x: x.reshape(-1, 20)[:, 1:],
    "three of four channels": lambda x: x.reshape(250, -1, 4)[..., :3],
    "long rows but one": lambda x: x.reshape(-1, 500)[:, 1:],
    "every other column": lambda x: x.reshape(-1, 10)[:, ::2],
    "backwards": lambda x: x.reshape(-1, 10)[::-1, 6:2:-1],
    "transposed": lambda x: x.reshape(-1, 10)[:, :3].T,
    "broadcast": lambda x: np.broadcast_to(x.reshape(-1, 1), (x.size, 3)),
}


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("layout", SHORT_RUNS)
def test_many_short_runs(layout, dtype):
    array = SHORT_RUNS[layout](random(np.random.default_rng(0), dtype, 300_000))
    for operation in ("sum", "mean"):
        error, _ = errors(array, tuple(range(array.ndim)), operation)
        assert error <= 2


@pytest.mark.parametrize("value", [0.1, 1e4])
def test_many_equal_summands(value):
    # What one running sum gets wrong most: every addition errs to the same side.
    array = np.full((300_000, 10), value, dtype="float32")[:, :3]
    assert errors(array, (0, 1))[0] <= 1
    assert errors(array, (0, 1), "mean")[0] <= 1


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((20_000, 16), (0,)),
        ((5_000, 10, 4), (0, 2)),
        ((5_000, 4, 10), (0, 1)),
        ((100, 20, 100), (0, 2)),
        ((3, 40, 1_000), (1,)),
    ],
)
def test_some_axes(shape, axis, dtype):
    error, numpy_error = errors(random(np.random.default_rng(0), dtype, shape), axis)
    assert error <= max(2, numpy_error)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("seed", range(10))
def test_random_layouts(seed, dtype):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        ndim = rng.integers(1, 5)
        shape = rng.permutation([2, 3, 7, 300])[:ndim] + rng.integers(0, 3, ndim)
        steps = rng.choice([1, 1, 2, -1], ndim)
        array = random(rng, dtype, shape * np.abs(steps))
        array = array[tuple(slice(None, None, step) for step in steps)]
        array = array[tuple(slice(int(size) - 1) for size in shape)]
        array = array.transpose(rng.permutation(ndim))
        axis = tuple(i for i in range(ndim) if rng.random() < 0.7) or (0,)
        error, numpy_error = errors(array, axis)
        assert error <= max(3, 1.5 * numpy_error), (array.shape, array.strides, axis)


@pytest.mark.parametrize("dtype", ["int8", "uint32", "int64"])
def test_means_of_integers(dtype):
    array = np.random.default_rng(0).integers(0, 100, (30_000, 10)).astype(dtype)[:, :3]
    assert np.asarray(xp.mean(Tensor(array))) == pytest.approx(array.mean(), rel=1e-15)


@pytest.mark.parametrize("dtype", FLOATING)
def test_the_same_layout_gives_the_same_bits(dtype):
    array = random(np.random.default_rng(0), dtype, (999, 50))
    results = set()
    for offset in range(4):
        memory = np.empty(array.size + offset, dtype)
        copy = memory[offset:].reshape(array.shape)
        copy[...] = array
        results.add(np.asarray(xp.sum(Tensor(copy[:, 1:]))).tobytes())
    assert len(results) == 1


@pytest.mark.parametrize("shape", [(5, 3), (1000, 3), (1000, 200)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_negative_zeros(dtype, shape):
    array = np.full(shape, -0.0, dtype)[:, 1:]
    for axis in (None, 0, 1):
        result = np.asarray(xp.sum(Tensor(array), axis=axis))
        assert np.all((result == 0) & np.signbit(result))
