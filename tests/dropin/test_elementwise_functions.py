"""Elementwise functions of the drop-in, compared with NumPy's."""

import functools
import inspect
import itertools

import numpy as np
import pytest

import corepy
from corepy.numpy import _elementwise

from .against_numpy import DTYPES, SHAPES, SPECIAL, compare, layouts, samples
from .against_numpy import check as check_with_tolerance

check = functools.partial(check_with_tolerance, sums=False)

UNARY = ["deg2rad", "rad2deg", "degrees", "radians", "exp2", "modf", "angle", "fix", "sinc"]
UNARY += ["real_if_close", "round", "around", "fabs", "rint"]
BINARY = ["divmod", "float_power", "fmod", "heaviside"]
INTEGERS = "b h i l B H I L".split()


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_operand(name):
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for array in layouts(samples(shape, dtype)):
            check(getattr(corepy, name), getattr(np, name), array, own_only=dtype in "fd")
    for dtype in "fd":
        with np.errstate(over="ignore"):
            special = np.array(SPECIAL).astype(dtype)
        assert check(getattr(corepy, name), getattr(np, name), special)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_operands(name):
    for one, other in itertools.product(DTYPES, DTYPES):
        for first, second in [((5,), (5,)), ((2, 3), (3,)), ((), (4,)), ((0,), (1,)), ((), ())]:
            x1, x2 = samples(first, one, 1), samples(second, other, 2)
            check(getattr(corepy, name), getattr(np, name), x1, x2, own_only=one + other in "ffdd")
    for dtype, scalar in itertools.product(DTYPES, (True, 2, -3, 1.5, 0.0, 2j)):
        array = samples((5,), dtype)
        check(getattr(corepy, name), getattr(np, name), array, scalar)
        check(getattr(corepy, name), getattr(np, name), scalar, array)
    for dtype in "fd":
        with np.errstate(over="ignore"):
            special = np.array(SPECIAL).astype(dtype)
        for x2 in (special, 0.5, -2.0, 0.0, np.inf, 3, np.float32(2)):
            x1 = special[:, None] if isinstance(x2, np.ndarray) else special
            assert check(getattr(corepy, name), getattr(np, name), x1, x2)
        assert check(getattr(corepy, name), getattr(np, name), 1.5, special)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_remainders_of_extreme_integers(dtype):
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.min + 1, 0, 1, 3, limits.max - 1, limits.max], dtype)
    if limits.min:
        values = np.concatenate([values, np.array([-1, -3], dtype)])
    for name in ("fmod", "divmod"):
        function, theirs = getattr(corepy, name), getattr(np, name)
        assert check(function, theirs, values[:, None], values)
        assert check(function, theirs, values, 3)
        check(function, theirs, values, 1000)  # NumPy refuses what the dtype cannot hold


def test_signs_of_zeros_are_kept():
    x = np.array([-0.0, 0.0, -3.0, 3.0, -1e300, 1e300])
    for name, args in [("fmod", (3.0,)), ("modf", ()), ("fix", ()), ("round", (1,))]:
        got = getattr(corepy, name)(corepy.asarray(x), *args)
        expected = getattr(np, name)(x, *args)
        for one, other in zip(*[r if type(r) is tuple else (r,) for r in (got, expected)],
                              strict=True):  # fmt: skip
            np.testing.assert_array_equal(np.signbit(np.asarray(one)), np.signbit(other))


def test_round_to_decimals():
    rng = np.random.default_rng(3)
    for dtype, decimals in itertools.product("ilfdD", (-3, -1, 0, 1, 2, 5, 20)):
        array = (rng.standard_normal(50) * 1000).astype(dtype)
        taken = check(corepy.round, np.round, array, decimals, ulps=0)
        assert taken or dtype == "D" or (dtype in "il" and decimals < 0)
    assert check(corepy.around, np.around, [1.25, 2.5], decimals=1)
    out = corepy.zeros(2)
    assert corepy.round(corepy.asarray([1.26, 2.5]), 1, out) is out
    compare(out, np.array([1.3, 2.5]))
    assert _elementwise.round.__kwdefaults__ is None


def test_angle_in_degrees_and_real_if_close():
    z = samples((4, 3), "D")
    assert check(corepy.angle, np.angle, z, True)
    assert check(corepy.angle, np.angle, z, deg=True)
    assert check(corepy.angle, np.angle, z.astype("F"), True)
    for imaginary in (0.0, 1e-15, 1e-13, 1.0, np.nan):
        for tol in (100, 1, 1e-14, 1e6):
            array = np.array([1 + imaginary * 1j, 2])
            assert check(corepy.real_if_close, np.real_if_close, array, tol)
    x = corepy.asarray([1.0])
    assert corepy.real_if_close(x) is x


def test_powers_of_two_are_exact():
    x = np.arange(-1074.0, 1024.0)
    compare(corepy.exp2(corepy.asarray(x)), np.exp2(x), ulps=0)


def test_operands_that_are_not_tensors():
    x = corepy.asarray([1.0, 2.0])
    for other in ([1, 2], (0.5, 2.0), np.array([3.0, 4.0]), np.float32(2), True):
        compare(corepy.fmod(x, other), np.fmod(np.asarray(x), other))
        compare(corepy.fmod(other, x), np.fmod(other, np.asarray(x)))
    compare(corepy.fmod([7, -7], [4, 4]), np.fmod([7, -7], [4, 4]))
    compare(corepy.divmod(7, 4.0), np.divmod(7, 4.0))


def test_signatures_are_as_in_numpy():
    for name in ("angle", "around", "fix", "real_if_close", "round", "sinc"):
        parameters = inspect.signature(getattr(_elementwise, name)).parameters.values()
        expected = inspect.signature(getattr(np, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in parameters] == [
            (p.name, p.kind, p.default) for p in expected
        ]
