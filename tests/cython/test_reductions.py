"""Reductions: lengths, NaN, dtypes and accuracy of sums, and errors; see also tests/oracle."""

import math

import numpy as np
import pytest
from strategies import (
    DTYPE_NAMES,
    assert_same,
    read_operations,
)

import corepy.array_api as xp
from corepy import Tensor

OPERATIONS = {row[0]: row[2:] for row in read_operations() if row[1] == "reduce"}
ONE_AXIS = ("argmax", "argmin")


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("n", [1, 7, 8, 127, 128, 129, 1000, 4097, 20001])
def test_lengths_around_block_sizes(dtype, n):
    rng = np.random.default_rng(n)
    values = rng.integers(0, 2 if dtype == "bool" else 100, n)
    array = values.astype(dtype)
    t = Tensor(array)
    total = np.asarray(xp.sum(t))
    assert complex(total) == complex(values.sum())
    assert int(xp.count_nonzero(t)) == np.count_nonzero(array)
    assert bool(xp.all(t)) == array.all()
    assert bool(xp.any(xp.zeros(n, dtype=dtype))) is False
    lone = np.zeros(n, dtype=dtype)
    lone[-1] = 1
    assert bool(xp.any(Tensor(lone))) is True
    if "complex" not in dtype:
        assert_same(xp.max(t), array.max())
        assert_same(xp.min(t[::-1]), array.min())
        assert int(xp.argmax(t)) == array.argmax()
        assert int(xp.argmin(Tensor(array[::-1]))) == array[::-1].argmin()
        two = np.stack([array, array[::-1]])
        assert_same(xp.max(Tensor(two), axis=0), two.max(axis=0))
        assert_same(xp.argmin(Tensor(two), axis=1), two.argmin(axis=1))
        assert_same(xp.argmax(Tensor(two.T), axis=0), two.argmax(axis=1))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("place", [0, 1, 31, 1000, 4999, -1])
def test_nan_wins(dtype, place):
    array = np.linspace(-5, 5, 5003).astype(dtype)
    array[place] = np.nan
    t = Tensor(array)
    real = ("max", "min") if t.dtype.kind == "f" else ()
    for name in ("sum", "prod", "mean", "var", "std", *real):
        for result in (getattr(xp, name)(t), getattr(xp, name)(t[:, None], axis=0)):
            assert np.isnan(np.asarray(result)).all()
    if real:
        assert int(xp.argmax(t)) == int(xp.argmin(t)) == place % 5003


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "int64"])
def test_sums_of_integers_wrap_around_only_beyond_64_bits(dtype):
    array = np.full(1000, np.iinfo(dtype).max, dtype=dtype)
    assert_same(xp.sum(Tensor(array)), np.sum(array))
    assert_same(xp.prod(Tensor(array)), np.prod(array))
    assert_same(xp.sum(Tensor(array), dtype=dtype), np.sum(array, dtype=dtype))


@pytest.mark.parametrize("dtype", DTYPE_NAMES[1:])
@pytest.mark.parametrize("target", ["int64", "float32", "float64", "complex128"])
def test_dtype_of_the_sum(dtype, target):
    if "complex" in dtype and "complex" not in target:
        return
    array = np.asarray([1, 2, 100]).astype(dtype)
    for name in ("sum", "prod"):
        result = getattr(xp, name)(Tensor(array), dtype=np.dtype(target))
        assert_same(result, getattr(np, name)(array, dtype=target))


def test_sums_are_accumulated_in_the_dtype_asked_for():
    array = np.full(10, 3e38, dtype="float32")
    assert float(xp.sum(Tensor(array), dtype=xp.float64)) == float(array.sum(dtype="float64"))
    assert float(xp.sum(Tensor(array))) == math.inf


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_the_mean_of_a_sum_out_of_range_is_infinite(dtype):
    most = np.finfo(dtype).max
    for shape, axis in [((2,), None), ((100,), None), ((40, 7), 0), ((7, 40), 1), ((30, 30), None)]:
        for value in (most, -most):
            means = np.asarray(xp.mean(Tensor(np.full(shape, value, dtype=dtype)), axis=axis))
            assert np.all(means.real == np.copysign(np.inf, value))
    assert float(xp.mean(xp.asarray([most / 2, most / 4], dtype=dtype)).real) == most * 0.375


@pytest.mark.parametrize("n", [10, 1000, 100_003, 1_000_000])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_sums_are_as_accurate_as_those_of_numpy(n, axis):
    rng = np.random.default_rng(n)
    for values in (rng.random(n), rng.standard_normal(n), np.full(n, 0.1)):
        array = values.astype("float32")
        exact = math.fsum(array)
        scale = math.fsum(abs(array))
        array = array if axis is None else array[None] if axis else array[:, None]
        ours = float(np.asarray(xp.sum(Tensor(array), axis=axis)).ravel()[0])
        theirs = float(np.sum(array, axis=axis).ravel()[0])
        # Both may hit upon the exact value; what counts is the bound.
        bound = max(abs(theirs - exact), 2 * np.finfo("float32").eps * scale)
        assert abs(ours - exact) <= bound
        mean = float(np.asarray(xp.mean(Tensor(array), axis=axis)).ravel()[0])
        assert abs(mean - exact / n) <= bound / n + 1e-7 * abs(exact / n)


@pytest.mark.parametrize("operation", ["max", "min", "argmax", "argmin"])
def test_nothing_to_choose_from(operation, device):
    function = getattr(xp, operation)
    with pytest.raises(ValueError, match=f"^{operation}: "):
        function(xp.zeros(0, device=device))
    with pytest.raises(ValueError, match=f"^{operation}: "):
        function(xp.zeros((2, 0), device=device), axis=1)
    assert function(xp.zeros((0, 2), device=device), axis=1).shape == (0,)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_bad_axes(operation, device):
    function = getattr(xp, operation)
    t = xp.ones((2, 3), device=device)
    for axis in (2, -3):
        with pytest.raises(IndexError, match=f"^{operation}: axis {axis} is out of range"):
            function(t, axis=axis)
    if operation not in ONE_AXIS:
        with pytest.raises(ValueError, match=f"^{operation}: .*(twice|differ)"):
            function(t, axis=(0, -2))
    for axis in (1.0, "a"):
        with pytest.raises(TypeError, match=f"^{operation}: axis"):
            function(t, axis=axis)


@pytest.mark.parametrize("name", ["sum", "mean", "std", "prod"])
@pytest.mark.parametrize("n", [2, 3, 5, 10, 16, 17, 40, 100])
def test_a_row_gives_the_same_among_any_number_of_rows(name, n):
    x = np.random.default_rng(n).random((100, n))
    reduce = getattr(xp, name)
    expected = np.asarray(reduce(xp.asarray(x), axis=1))
    for rows in (2, 3, 10, 31, 64, 99):
        actual = reduce(xp.asarray(x[:rows].copy()), axis=1)
        np.testing.assert_array_equal(np.asarray(actual), expected[:rows])
