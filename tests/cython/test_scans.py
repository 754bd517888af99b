"""Cumulative sums and products against exact ones, in every layout."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from strategies import DTYPE_NAMES, LAYOUTS, assert_same, random_array, special_values, with_layout

import corepy.array_api as xp
from corepy import Tensor

FUNCTIONS = ("cumulative_prod", "cumulative_sum")
LENGTHS = (0, 1, 2, 8, 64, 65, 66, 512, 513, 514, 600, 1500)


def accumulator(dtype):
    kind = np.dtype(dtype).kind
    return "int64" if kind in "bi" else "uint64" if kind == "u" else dtype


def expected(function, array, axis, include_initial=False):
    with np.errstate(all="ignore"):
        return getattr(np, function)(
            array.astype(accumulator(array.dtype)), axis=axis, include_initial=include_initial
        )


def close(actual, array):
    """Check against NumPy, whose own error grows with the number of elements."""
    assert actual.dtype == array.dtype
    assert actual.shape == array.shape
    if array.dtype.kind in "fc":
        epsilon = float(np.finfo(array.dtype).eps)
        scale = np.abs(array[np.isfinite(array)])
        np.testing.assert_allclose(
            np.asarray(actual), array, rtol=2e3 * epsilon,
            atol=2e3 * epsilon * np.max(scale, initial=1),
        )  # fmt: skip
    else:
        assert_same(actual, array)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_length_axis_and_layout(function, dtype, level):
    scan = getattr(xp, function)
    for n in LENGTHS:
        array = random_array(dtype, n, near_one=True)
        close(scan(Tensor(array)), expected(function, array, 0))
        close(scan(Tensor(array[::-1])), expected(function, array[::-1], 0))
    for shape in [(0, 3), (3, 0), (1, 1), (3, 5), (2, 3, 4), (600, 3), (3, 600), (40, 30), (20, 3)]:
        for layout in LAYOUTS:
            array = with_layout(random_array(dtype, shape, near_one=True), layout)
            for axis in range(-1, len(shape)):
                for initial in (False, True):
                    close(
                        scan(Tensor(array), axis=axis, include_initial=initial),
                        expected(function, array, axis, initial),
                    )


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_special_values_come_through(function, dtype, level):
    wide = {"float32": "float64", "complex64": "complex128"}.get(dtype, dtype)
    for value in special_values(dtype):
        array = np.asarray([value] * 5, dtype=dtype)
        array[[1, 3, 4]] = 1, 0, 1
        for values in (array[:1], array):
            with np.errstate(all="ignore"):
                exact = expected(function, values.astype(wide), 0)
                exact = exact if wide == dtype else exact.astype(dtype)
                assert_same(getattr(xp, function)(Tensor(values)), exact, signs=True)


def test_arguments():
    t = xp.ones((2, 3))
    for function in FUNCTIONS:
        scan = getattr(xp, function)
        with pytest.raises(ValueError, match=f"^{function}: axis is required"):
            scan(t)
        with pytest.raises(IndexError, match=f"^{function}: axis 2 is out of range"):
            scan(t, axis=2)
        with pytest.raises(TypeError, match=f"^{function}: axis must be an integer"):
            scan(t, axis=0.5)
        assert scan(xp.asarray(3.0)).shape == (1,)
        assert scan(t, axis=0, dtype=xp.float32).dtype == np.float32
        small = np.asarray([100, 100], "int8")
        assert_same(scan(Tensor(small), dtype="int8"), getattr(np, function)(small, dtype="int8"))


@pytest.mark.parametrize("n", [1000, 300_000])
def test_sums_are_more_accurate_than_one_after_the_other(n):
    for array in (np.full(n, 0.1), np.random.default_rng(n).standard_normal(n)):
        exact = [float(a) for a in itertools.accumulate(map(Fraction, array.tolist()))]
        error = np.max(np.abs(np.asarray(xp.cumulative_sum(Tensor(array))) - exact))
        assert error <= np.max(np.abs(np.cumsum(array) - exact))
        single = array.astype("float32")
        sums = np.cumsum(single, dtype="float64")
        result = np.asarray(xp.cumulative_sum(Tensor(single)))
        assert np.all(np.abs(result - sums) <= np.spacing(np.abs(sums).astype("float32")) * 0.51)


def test_sums_of_numbers_that_are_not_negative_never_decrease():
    rng = np.random.default_rng(0)
    for n in (100, 1000, 400_000):
        for array in (rng.random(n), rng.random(n) * 10.0 ** rng.integers(-20, 3, n)):
            array[rng.random(n) < 0.3] = 0
            assert np.all(np.diff(np.asarray(xp.cumulative_sum(Tensor(array)))) >= 0)


def test_products_leave_the_range_of_numbers_no_sooner_than_one_after_the_other():
    for values in ([1e200, 1e-200], [1e-300, 1e300, 1e5, 1e-5], [0.0, 1.0], [2.0, 0.5, 1e-310]):
        array = np.resize(values, 700)
        assert_same(xp.cumulative_prod(Tensor(array)), np.cumprod(array), ulp=500)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "float64", "complex64",
                                   "complex128"])  # fmt: skip
def test_levels_and_threads_change_nothing(dtype, levels, numbers_of_threads):
    cases = [((1_000_001,), 0), ((700_000, 3), 0), ((700_000, 3), 1), ((3, 700_000), 1),
             ((900, 1000), 0), ((900, 1000), 1)]  # fmt: skip
    for (shape, axis), function in itertools.product(cases, FUNCTIONS):
        array = random_array(dtype, shape, near_one=True)
        results = {
            hash(np.asarray(getattr(xp, function)(Tensor(array), axis=axis)).tobytes())
            for _n in numbers_of_threads()
            for _level in levels()
        }
        assert len(results) == 1, (shape, axis, function)


@pytest.mark.parametrize("shape", [(2, 12), (40, 12), (40, 7), (12, 40), (200, 16), (1000, 30)])
@pytest.mark.usefixtures("level")
def test_complex_products_of_a_line_and_of_a_matrix(shape):
    """Each product is rounded, whatever the compiler makes of the loops."""
    array = random_array("complex128", shape, near_one=True)
    last = array[0]
    for row in array[1:]:
        last = (
            last.real * row.real
            - last.imag * row.imag
            + 1j * (last.real * row.imag + last.imag * row.real)
        )
    for order in "CF":
        t = Tensor(np.asarray(array, order=order))
        for axis, lines in ((0, t.T), (1, t)):
            products, scans = xp.prod(t, axis=axis), xp.cumulative_prod(t, axis=axis)
            for k in (0, lines.shape[0] - 1):
                assert_same(xp.prod(lines[k, :]), np.asarray(products)[k])
                of_line = np.take(np.asarray(scans), k, axis=1 - axis)
                assert_same(xp.cumulative_prod(lines[k, :]), of_line)
        assert_same(xp.prod(t, axis=0), last)
        assert_same(xp.cumulative_prod(t, axis=0)[-1, :], last)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_differences(dtype):
    array = random_array(dtype, (6, 40), near_one=True)
    for layout in LAYOUTS:
        values = with_layout(array, layout)
        for n in range(4):
            for axis in (0, 1, -1):
                assert_same(
                    xp.diff(Tensor(values), axis=axis, n=n), np.diff(values, n=n, axis=axis)
                )
    assert xp.diff(Tensor(array), axis=0, n=9).shape == (0, 40)
    empty = Tensor(array[:0])
    assert xp.diff(empty, axis=0).shape == (0, 40)
    assert xp.diff(empty, axis=0) is not empty
    assert math.prod(xp.diff(Tensor(array), axis=0, n=6).shape) == 0
