"""Reductions: every operation, dtype, axis and layout against NumPy, and how exact sums are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    CATEGORIES,
    DTYPE_NAMES,
    LAYOUTS,
    arrays,
    assert_same,
    read_operations,
    shapes,
    special_values,
    with_layout,
)

import corepy.array_api as xp
from corepy import Tensor

pytestmark = pytest.mark.filterwarnings("ignore:Degrees of freedom:RuntimeWarning")  # NumPy's

OPERATIONS = {row[0]: row[2:] for row in read_operations() if row[1] == "reduce"}
ONE_AXIS = ("argmax", "argmin")
ROUNDED = ("mean", "prod", "std", "sum", "var")


def accumulator(operation, dtype):
    """The dtype in which the standard has an operation computed."""
    dtype = np.dtype(dtype)
    if operation in ("sum", "prod") and dtype.kind in "biu":
        return np.dtype("uint64" if dtype.kind == "u" else "int64")
    if operation in ("mean", "std", "var") and dtype.kind in "biu":
        return np.dtype("float64")
    return dtype


def expected_reduction(operation, array, axis=None, keepdims=False):
    array = array.astype(accumulator(operation, array.dtype))
    with np.errstate(all="ignore"):
        return np.asarray(getattr(np, operation)(array, axis=axis, keepdims=keepdims))


def small(array):
    """An array whose sums and products stay far from the limits of its dtype."""
    if array.dtype.kind not in "fc":
        return array
    real = np.nan_to_num(array.real, nan=0.5, posinf=2, neginf=-2)
    real = np.where(np.abs(real) > 10, 1.5, real)
    if array.dtype.kind == "c":
        real = real + 0.5j
    return real.astype(array.dtype)


def check(operation, array, axis=None, keepdims=False):
    result = getattr(xp, operation)(Tensor(array), axis=axis, keepdims=keepdims)
    expected = expected_reduction(operation, array, axis, keepdims)
    if operation in ROUNDED and expected.dtype.kind in "fc":
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        scale = np.max(np.abs(array), initial=1) if operation != "prod" else 1
        single = expected.dtype in ("float32", "complex64")
        tolerance = (1e-4 if single else 1e-12) * (scale**2 if operation == "var" else scale)
        np.testing.assert_allclose(
            np.asarray(result), expected, rtol=1e-4 if single else 1e-12, atol=tolerance
        )
    else:
        assert_same(result, expected)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_axis_and_layout(operation, dtype):
    category, _rule = OPERATIONS[operation]
    if np.dtype(dtype).kind not in CATEGORIES[category]:
        with pytest.raises(TypeError, match=f"^{operation}: .*{dtype}"):
            getattr(xp, operation)(xp.ones(3, dtype=dtype))
        return
    base = np.resize(special_values(dtype)[::-1], (3, 5, 9))
    if operation in ROUNDED:
        base = small(base)
    axes = [None, 0, 1, -1] if operation in ONE_AXIS else [None, 0, 1, -1, (0, 2), (1, -1), ()]
    for layout in LAYOUTS:
        array = with_layout(base, layout)
        for axis in axes:
            for keepdims in (False, True):
                check(operation, array, axis, keepdims)
    check(operation, base[0, 0, 0])  # 0-d


@pytest.mark.parametrize("operation", OPERATIONS)
@given(data=st.data())
def test_any_shape(operation, data):
    kinds = CATEGORIES[OPERATIONS[operation][0]]
    dtype = data.draw(
        st.sampled_from([name for name in DTYPE_NAMES if np.dtype(name).kind in kinds])
    )
    array = data.draw(arrays(dtype=dtype, shape=data.draw(shapes(max_side=4))))
    if operation in ROUNDED:
        array = small(array)
    axes = st.integers(-array.ndim, array.ndim - 1) if array.ndim else st.nothing()
    if operation in ONE_AXIS:
        axis = data.draw(st.none() | axes)
    else:
        axis = data.draw(
            st.none() | axes | st.lists(axes, unique_by=lambda k: k % array.ndim).map(tuple)
        )
    keepdims = data.draw(st.booleans())
    if operation in ("std", "var", "mean") and not array.size:
        result = getattr(xp, operation)(Tensor(array), axis=axis, keepdims=keepdims)
        assert np.isnan(np.asarray(result)).all()
        return
    try:
        expected_reduction(operation, array, axis, keepdims)
    except ValueError:
        if expected_reduction("sum", array, axis).size == 0:
            return  # nothing to choose from, but nothing to choose for: NumPy's error is moot
        with pytest.raises(ValueError, match=f"^{operation}: "):
            getattr(xp, operation)(Tensor(array), axis=axis, keepdims=keepdims)
        return
    check(operation, array, axis, keepdims)


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


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("place", [0, 1, 500, -1])
def test_nan_wins(dtype, place):
    array = np.linspace(-5, 5, 1001).astype(dtype)
    array[place] = np.nan
    t = Tensor(array)
    for name in ("sum", "prod", "mean", "max", "min", "var", "std"):
        assert math.isnan(float(getattr(xp, name)(t)))
        assert math.isnan(float(getattr(xp, name)(t[:, None], axis=0)[0]))
    assert int(xp.argmax(t)) == int(xp.argmin(t)) == place % 1001


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


@pytest.mark.parametrize("layout", ["contiguous", "strided", "negative", "transposed", "offset"])
@pytest.mark.parametrize("axis", [0, 1, (0, 1)])
def test_sums_are_accurate_in_every_layout(layout, axis):
    array = np.random.default_rng(7).random((1500, 40)).astype("float32")
    for number, values in enumerate((array, array.T, np.full_like(array, 0.1))):
        values = with_layout(np.ascontiguousarray(values), layout)
        exact = np.asarray(np.sum(values.astype("float64"), axis=axis))
        error, theirs = (
            np.max(np.abs(np.asarray(total, dtype="float64") - exact) / exact)
            for total in (xp.sum(Tensor(values), axis=axis), np.sum(values, axis=axis))
        )
        if number < 2:  # equal summands may by chance round off well, one after the other
            assert error <= max(theirs, 4 * np.finfo("float32").eps)
        # Adding up one after the other is off by 70 units for random numbers, and by 4900 for 0.1.
        assert error <= 16 * np.finfo("float32").eps


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


def test_every_device(device):
    array = np.arange(1.0, 7.0).reshape(2, 3)
    t = Tensor(array, device=device)
    for operation in OPERATIONS:
        result = getattr(xp, operation)(t, axis=1)
        assert result.device == device
        assert_same(result, expected_reduction(operation, array, 1), ulp=4)


@pytest.mark.parametrize("correction", [0, 1, 0.5, 2])
def test_correction(correction):
    array = np.arange(12.0).reshape(3, 4) ** 2
    assert_same(
        xp.var(Tensor(array), axis=1, correction=correction),
        array.var(axis=1, ddof=correction),
        ulp=4,
    )
    assert_same(xp.std(Tensor(array), correction=correction), array.std(ddof=correction), ulp=4)


@pytest.mark.parametrize("name", ["sum", "mean", "std", "prod"])
@pytest.mark.parametrize("n", [2, 3, 5, 10, 16, 17, 40, 100])
def test_a_row_gives_the_same_among_any_number_of_rows(name, n):
    x = np.random.default_rng(n).random((100, n))
    reduce = getattr(xp, name)
    expected = np.asarray(reduce(xp.asarray(x), axis=1))
    for rows in (2, 3, 10, 31, 64, 99):
        actual = reduce(xp.asarray(x[:rows].copy()), axis=1)
        np.testing.assert_array_equal(np.asarray(actual), expected[:rows])
