"""Powers by numbers with special loops, against pow's kernel, Python and mpmath."""

import math
from fractions import Fraction

import numpy as np
import pytest
from strategies import assert_same, special_values

import corepy.array_api as xp
from corepy import Tensor

mpmath = pytest.importorskip("mpmath")

pytestmark = pytest.mark.usefixtures("level")

NUMBERS = [0, 1, 2, 3, 4, -1, 0.5]
INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


def wide(dtype, n, seed=0):
    """Numbers of all sizes and both signs, subnormal ones and the largest among them."""
    rng = np.random.default_rng(seed)
    info = np.finfo(dtype)
    exponents = rng.uniform(info.minexp - info.nmant, info.maxexp, n)
    values = np.ldexp(rng.uniform(0.5, 1, n), exponents.astype(int)).astype(dtype)
    return np.concatenate([values * rng.choice([-1, 1], n), special_values(dtype)]).astype(dtype)


def near_bounds(dtype, exponent):
    """Numbers whose power is near the ends of the range, or subnormal."""
    info = np.finfo(dtype)
    rng = np.random.default_rng(1)
    ends = [info.maxexp, info.maxexp - 1, info.minexp, info.minexp - info.nmant]
    return np.concatenate(
        [np.exp2(rng.uniform(-2, 2, 200) / exponent + end / exponent) for end in ends]
    ).astype(dtype)


def ulps(found, exact, dtype):
    """Distance of a float from an exact fraction in units of the last place of the exact one."""
    info = np.finfo(dtype)
    if exact == 0:
        return 0.0 if found == 0 else math.inf
    if math.isinf(found):
        # As far as the number that follows the largest.
        found = int(math.copysign(1, found)) * Fraction(2) ** info.maxexp
    else:
        found = Fraction(float(found))
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** (max(min(exponent, info.maxexp - 1), info.minexp) - info.nmant)
    limit = Fraction(2) ** info.maxexp
    exact = max(min(exact, limit), -limit)
    return float(abs(found - exact) / unit)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("number", [2, 3, 4, -1, 2.0, 3.0, -1.0])
def test_error_of_whole_powers(dtype, number):
    values = wide(dtype, 2000)
    if number != -1:
        values = np.concatenate([values, near_bounds(dtype, number)])
    values = values[np.isfinite(values) & (values != 0)]
    found = np.asarray(Tensor(values) ** number)
    worst = max(
        ulps(y, Fraction(float(x)) ** int(number), dtype)
        for x, y in zip(values, found, strict=True)
    )
    assert worst <= 1.0


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_error_of_square_roots(dtype):
    values = np.abs(wide(dtype, 500))
    values = values[np.isfinite(values)]
    found = np.asarray(Tensor(values) ** 0.5)
    with mpmath.workprec(200):
        exact = [np.dtype(dtype).type(mpmath.sqrt(mpmath.mpf(float(x)))) for x in values]
    assert_same(Tensor(found), np.array(exact, dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("number", NUMBERS)
def test_special_cases_are_those_of_pow(dtype, number):
    tiny = np.finfo(dtype).smallest_subnormal
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, -2.5, -tiny, tiny, -3e38], dtype)
    exponents = np.full_like(values, number)
    expected = np.asarray(xp.pow(Tensor(values), Tensor(exponents)))
    for found in (Tensor(values) ** number, Tensor(values) ** float(number)):
        found = np.asarray(found)
        special = ~np.isfinite(expected) | (expected == 0) | ~np.isfinite(values) | (number == 0)
        np.testing.assert_array_equal(found[special], expected[special])
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
        np.testing.assert_array_equal(
            np.signbit(found)[found == found], np.signbit(expected)[found == found]
        )


def test_half_powers_are_no_square_roots():
    found = Tensor([-0.0, -math.inf, -1.0, math.inf, 0.0]) ** 0.5
    expected = np.array([0.0, math.inf, math.nan, math.inf, 0.0])
    np.testing.assert_array_equal(np.asarray(found), expected)
    assert not np.signbit(np.asarray(found)[0])


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_integers_wrap(dtype, number):
    values = special_values(dtype)
    bits = 8 * values.dtype.itemsize
    exact = [int(x) ** number % 2**bits for x in values]
    if values.dtype.kind == "i":
        exact = [x - 2**bits if x >= 2 ** (bits - 1) else x for x in exact]
    expected = np.array(exact, dtype)
    assert_same(Tensor(values) ** number, expected)
    x = Tensor(values, copy=True)
    x **= number
    assert_same(x, expected)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_complex_numbers(number):
    values = np.array([1 + 2j, -3j, 0, 2.5])
    assert_same(Tensor(values) ** number, values**number)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (9, 11), (5000,), (80, 90)])
@pytest.mark.parametrize(
    ("dtype", "number"),
    [
        (dtype, number)
        for dtype in ("float64", "float32", "int64")
        for number in NUMBERS
        if dtype != "int64" or number not in (-1, 0.5)  # those are no integers
    ],
)
def test_layouts_and_in_place(shape, number, dtype):
    values = np.random.default_rng(2).uniform(1, 9, shape).astype(dtype)
    expected = (
        np.asarray(xp.stack([x**number for x in Tensor(values.ravel())]) if values.size else values)
        .reshape(shape)
        .astype(dtype)
    )
    assert_same(Tensor(values) ** number, expected)
    assert_same(Tensor(values).T ** number, expected.T)
    spread = np.repeat(values[..., None], 3, axis=-1)
    assert_same(Tensor(spread)[..., 1] ** number, expected)
    x = Tensor(values, copy=True)
    view = x
    view **= number
    assert view is x
    assert_same(x, expected)
    wide = Tensor(spread, copy=True)
    part = wide[..., 1]
    part **= number
    spread[..., 1] = expected
    assert_same(wide, spread)


def test_dtypes():
    assert (Tensor([2, 3]) ** 2.0).dtype == xp.float64
    assert (Tensor([4, 9], dtype="int8") ** 0.5).dtype == xp.float64
    assert (Tensor([4, 9], dtype="float32") ** 0.5).dtype == xp.float32
    assert (Tensor([4, 9], dtype="float32") ** 2.0).dtype == xp.float32
    for number in (0, 1, 2, 3):
        assert_same(Tensor([True, False]) ** number, np.array([1, 0**number]))


def test_integers_have_no_negative_or_broken_powers():
    x = Tensor([1, 2, 3])
    with pytest.raises(ValueError, match=r"^pow: .*negative integer powers"):
        x**-1
    with pytest.raises(ValueError, match=r"^pow: .*negative integer powers"):
        x **= -1
    with pytest.raises(TypeError, match="in-place result"):
        x **= 0.5
    with pytest.raises(TypeError, match="in-place result"):
        x **= 2.0
    with pytest.raises(ValueError, match="read-only"):
        y = xp.broadcast_to(x, (3, 3))
        y **= 2
    assert_same(x, np.array([1, 2, 3]))


def test_an_output_with_elements_in_several_places():
    base = np.array([2.0, 3.0])
    array = np.lib.stride_tricks.as_strided(base, (3, 2), (0, 8))
    x = Tensor(array)
    x **= 2
    assert base.tolist() == [4.0, 9.0]
