"""Elementwise functions and sums against Python's own int, float, Fraction and fsum."""

import itertools
import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS
from hypothesis import given
from hypothesis import strategies as st

from . import inputs
from .case import function
from .inputs import INTEGER, REAL_FLOAT

DEVICES = ["cpu", "reference"]
LARGEST = {"float32": float(np.finfo("float32").max), "float64": float(np.finfo("float64").max)}


def wrapped(value, dtype):
    """An int as the integer dtype holds it: modulo two to the power of its bits."""
    limits = np.iinfo(dtype)
    return (value - int(limits.min)) % (1 << limits.bits) + int(limits.min)


def integer_pairs(dtype):
    return list(itertools.product(inputs.special_values(dtype), repeat=2))


INTEGER_BINARY = {
    **{name: f for name, f in ARITHMETIC_OPERATORS.items() if name != "divide"},
    **COMPARISON_OPERATORS,
    "maximum": max,
    "minimum": min,
}
INTEGER_UNARY = {
    "abs": abs,
    "negative": operator.neg,
    "positive": operator.pos,
    "square": lambda v: v * v,
    "bitwise_invert": operator.invert,
    "sign": lambda v: (v > 0) - (v < 0),
    "floor": int,
    "ceil": int,
    "trunc": int,
    "round": int,
    "isfinite": lambda v: True,
    "isnan": lambda v: False,
    "isinf": lambda v: False,
}


def has_result(name, dtype, second):
    if name in ("floor_divide", "remainder"):
        return second != 0
    if "shift" in name:
        return 0 <= second < np.iinfo(dtype).bits
    return name != "pow" or 0 <= second <= 100


def elements(device, name, dtype, *columns):
    x = [inputs.xp.asarray(np.array(c, dtype=dtype), device=device) for c in columns]
    return np.asarray(function(name, device)(*x).to_device("cpu")).tolist()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", INTEGER)
@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_integers_of_two_operands(name, dtype, device):
    pairs = [(a, b) for a, b in integer_pairs(dtype) if has_result(name, dtype, b)]
    actual = elements(device, name, dtype, *zip(*pairs, strict=True))
    for (a, b), value in zip(pairs, actual, strict=True):
        expected = INTEGER_BINARY[name](a, b)
        if not isinstance(expected, bool):
            expected = wrapped(expected, dtype)
        assert value == expected, f"{name}({a}, {b})"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", INTEGER)
@pytest.mark.parametrize("name", INTEGER_UNARY)
def test_integers_of_one_operand(name, dtype, device):
    values = inputs.special_values(dtype)
    for v, value in zip(values, elements(device, name, dtype, values), strict=True):
        expected = INTEGER_UNARY[name](v)
        assert value == (expected if isinstance(expected, bool) else wrapped(expected, dtype))


def nearest(exact, dtype):
    """The floating-point number nearest to a Fraction, infinity beyond the largest."""
    try:
        value = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    if dtype == "float64":
        return value
    # Rounding twice is wrong at ties of float32 only, of which there are none among the cases
    # whose double is not exact; numpy.float32 rounds the double to nearest.
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def floats(dtype):
    return [v for v in inputs.special_values(dtype) if math.isfinite(v)]


FLOAT_BINARY = {
    name: ARITHMETIC_OPERATORS[name] for name in ("add", "subtract", "multiply", "divide")
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", REAL_FLOAT)
@pytest.mark.parametrize("name", FLOAT_BINARY)
def test_floating_arithmetic_is_rounded_correctly(name, dtype, device):
    pairs = list(itertools.product(floats(dtype), repeat=2))
    if name == "divide":
        pairs = [(a, b) for a, b in pairs if b != 0]
    actual = elements(device, name, dtype, *zip(*pairs, strict=True))
    for (a, b), value in zip(pairs, actual, strict=True):
        expected = nearest(FLOAT_BINARY[name](Fraction(a), Fraction(b)), dtype)
        assert value == expected, f"{name}({a!r}, {b!r})"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", REAL_FLOAT)
def test_remainder_and_floor_divide_have_one_quotient(dtype, device):
    """Where the quotient is small, both are exact: x1 = q * x2 + r, r has the sign of x2."""
    pairs = [
        (a, b)
        for a, b in itertools.product(floats(dtype), repeat=2)
        if b != 0 and abs(Fraction(a) / Fraction(b)) < 1000 and abs(a) > 1e-3 and abs(b) > 1e-3
    ]
    columns = list(zip(*pairs, strict=True))
    quotients = elements(device, "floor_divide", dtype, *columns)
    remainders = elements(device, "remainder", dtype, *columns)
    for (a, b), q, r in zip(pairs, quotients, remainders, strict=True):
        exact = math.floor(Fraction(a) / Fraction(b))
        assert q == exact, f"floor_divide({a!r}, {b!r})"
        assert r == nearest(Fraction(a) - exact * Fraction(b), dtype), f"remainder({a!r}, {b!r})"
        assert math.copysign(1, r) == math.copysign(1, b)


ROUNDING = {"ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "round": round}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", REAL_FLOAT)
@pytest.mark.parametrize("name", ROUNDING)
def test_rounding(name, dtype, device):
    values = floats(dtype) + [v / 2 for v in range(-9, 10)]
    for v, value in zip(values, elements(device, name, dtype, values), strict=True):
        assert value == ROUNDING[name](v)
        assert math.copysign(1, value) == math.copysign(1, v) or value > 0


@pytest.mark.parametrize("device", DEVICES)
@given(values=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=50))
def test_integer_sums_and_products(device, values):
    x = inputs.xp.asarray(np.array(values, dtype=np.int64), device=device)
    xp = inputs.corepy.namespace(device)
    assert int(xp.sum(x)) == wrapped(sum(values), "int64")
    assert int(xp.prod(x)) == wrapped(math.prod(values), "int64")
    running = list(itertools.accumulate(values))
    cumulated = np.asarray(xp.cumulative_sum(x).to_device("cpu")).tolist()
    assert cumulated == [wrapped(v, "int64") for v in running]
