"""Every pair of special values through every elementwise function, in one call on each device."""

import itertools
import warnings

import numpy as np
import pytest

from . import elementwise_cases, inputs
from .case import function
from .compare import to_host, within
from .elementwise_cases import ELEMENTARY
from .inputs import INTEGER, call, is_complex, is_integer, plain

#: Operands of these functions: one.
UNARY = (
    *("abs", "ceil", "floor", "trunc", "negative", "positive", "conj", "real", "imag", "round"),
    *("bitwise_invert", "logical_not", "isfinite", "isinf", "isnan", "signbit", "square", "sign"),
    *("sqrt", "reciprocal", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh"),
    *("exp", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
)
OTHER = ("clip", "where")
#: The standard leaves complex arithmetic with infinities to the implementation, or advises only.
OPEN_FOR_COMPLEX = ("multiply", "divide", "pow", "square", "reciprocal", "log10", "log2")
OPEN_ZERO_SIGN = ("maximum", "minimum", "sign")

ROWS = {case.name: case for case in elementwise_cases.CASES}


def params(names):
    return [
        pytest.param(name, dtype, id=f"{name}-{dtype}")
        for name in names
        for dtype in ROWS[name].dtypes
        if not (is_complex(dtype) and name in OPEN_FOR_COMPLEX)
    ]


def check_for(name):
    exact_names = ("add", "subtract", "negative", "floor_divide", "remainder", "copysign")
    exactly = name in exact_names or name in ("maximum", "minimum")
    return within(0 if exactly else ELEMENTARY, zero_sign=name not in OPEN_ZERO_SIGN)


def compared(name, *columns):
    made = call(*(plain(column) for column in columns))
    actual, expected = (
        to_host(function(name, device)(*made.on(device).args)) for device in ("cpu", "reference")
    )
    if name == "logaddexp":
        # NumPy loses digits where the terms cancel; tests/accuracy has a better oracle for these.
        cancelled = np.abs(expected) < np.abs(np.maximum(*columns) / 8)
        expected = np.where(cancelled, actual, expected)
    check_for(name)(actual, expected, made)
    # A vector loop and its remainder, and a strided loop, give the long contiguous one's results.
    for step in (3, -2):
        x = [inputs.xp.asarray(column)[::step] for column in columns]
        again = to_host(function(name, "cpu")(*x))
        check_for(name)(again, actual[::step], made)


@pytest.mark.parametrize(("name", "dtype"), params(UNARY))
def test_one_operand(name, dtype):
    compared(name, np.array(inputs.special_values(dtype), dtype=dtype))


@pytest.mark.parametrize(("name", "dtype"), params(sorted(set(ROWS) - {*UNARY, *OTHER})))
def test_two_operands(name, dtype):
    pairs = [
        (a, b)
        for a, b in itertools.product(inputs.special_values(dtype), repeat=2)
        if defined(name, dtype, b)
    ]
    x1, x2 = (np.array(column, dtype=dtype) for column in zip(*pairs, strict=True))
    compared(name, x1, x2)


def defined(name, dtype, second):
    """Whether the standard defines the function for that second operand."""
    if not is_integer(dtype):
        return True
    if name in ("floor_divide", "remainder"):
        return second != 0
    if name in ("bitwise_left_shift", "bitwise_right_shift"):
        return 0 <= second < np.iinfo(dtype).bits
    return name != "pow" or 0 <= second <= 100


def test_the_names_are_those_of_the_table():
    assert set(UNARY) | set(OTHER) <= set(ROWS)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_no_warnings(device):
    """Numerical events emit no warnings, NumPy's neither."""
    x = inputs.xp.asarray([0.0, -1.0, 1e308, np.inf, np.nan], device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("log", "sqrt", "exp", "reciprocal", "acosh", "sign", "log1p"):
            function(name, device)(x)
        for name in ("divide", "multiply", "pow", "remainder", "floor_divide", "hypot", "subtract"):
            function(name, device)(x, x)
        x[1:] *= 1e308
        xp = inputs.corepy.namespace(device)
        for name in ("mean", "var", "std"):
            getattr(xp, name)(xp.zeros(0))
        for name in ("var", "std"):
            getattr(xp, name)(xp.ones(1), correction=2)
        xp.astype(xp.asarray([300]), xp.int8)
        xp.astype(xp.asarray([np.nan, 1e300]), xp.int8)
        xp.astype(xp.asarray([1e300]), xp.float32)


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("dtype", INTEGER)
def test_integers_divided_by_zero_do_no_harm(device, dtype):
    """The result is left open; there is one, and the process is alive."""
    x = inputs.xp.asarray(np.array(inputs.special_values(dtype), dtype=dtype), device=device)
    zero = inputs.xp.zeros_like(x)
    for name in ("floor_divide", "remainder"):
        result = function(name, device)(x, zero)
        assert (result.shape, result.dtype) == (x.shape, x.dtype)
