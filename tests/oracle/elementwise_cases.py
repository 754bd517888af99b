"""Rows for the elementwise functions, and `where`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from . import inputs
from .case import Arguments, Case
from .compare import Check, exact, exact_up_to_zero_sign, within
from .inputs import (
    ALL,
    BOOL,
    COMPLEX,
    FLOAT,
    INTEGER,
    NUMERIC,
    REAL,
    REAL_FLOAT,
    Call,
    Draw,
    any_value,
    arrays,
    call,
    is_complex,
    is_integer,
    moderate,
)

Values = Callable[[str], Any]
CASES: list[Case] = []

# Complex arithmetic with infinities and NaN is the C standard's in the array API ("should"), and
# computed in different ways by everybody; finite operands are compared.
finite_complex: Values = lambda dtype: moderate()(dtype) if is_complex(dtype) else any_value(dtype)


def unary(values: Values = any_value) -> Arguments:
    def arguments(draw: Draw, dtype: str) -> Call:
        return call(arrays(draw, dtype, draw(inputs.shapes()), values))

    return arguments


def second_dtype(draw: Draw, dtype: str, allowed: tuple[str, ...]) -> str:
    """Mostly `dtype` itself, else one that promotes with it."""
    if draw(st.integers(0, 2)):
        return dtype
    return draw(st.sampled_from([d for d in inputs.promotable(dtype) if d in allowed]))


def binary(
    allowed: tuple[str, ...], values: Values = any_value, second: Values | None = None
) -> Arguments:
    """Two arrays, or an array and a scalar on either side."""

    def arguments(draw: Draw, dtype: str) -> Call:
        other_values = second or values
        kind = draw(
            st.sampled_from(["arrays", "arrays", "arrays", "scalar second", "scalar first"])
        )
        if kind == "arrays":
            one, two = inputs.broadcastable(draw, 2)
            other = second_dtype(draw, dtype, allowed)
            if is_complex(dtype) or is_complex(other):
                return call(
                    arrays(draw, dtype, one, _finite_beside(values)),
                    arrays(draw, other, two, _finite_beside(other_values)),
                )
            return call(arrays(draw, dtype, one, values), arrays(draw, other, two, other_values))
        shape = draw(inputs.shapes())
        if kind == "scalar second":
            return call(
                arrays(draw, dtype, shape, values), inputs.scalar(draw, dtype, other_values)
            )
        return call(inputs.scalar(draw, dtype, values), arrays(draw, dtype, shape, other_values))

    return arguments


def _finite_beside(values: Values) -> Values:
    """Beside complex operands real ones are finite too, where complex ones have to be."""
    return moderate() if values is finite_complex else values


def row(name: str, dtypes: tuple[str, ...], arguments: Arguments, check: Check = exact) -> None:
    CASES.append(Case(name, dtypes, arguments, check))


# ---- one operand, results that are exact in IEEE arithmetic

for name in ("ceil", "floor", "trunc"):
    row(name, REAL, unary())
for name in ("negative", "positive", "conj", "real", "imag"):
    dtypes = COMPLEX if name in ("imag",) else NUMERIC
    row(name, dtypes, unary())
row("round", NUMERIC, unary())
row("bitwise_invert", BOOL + INTEGER, unary())
row("logical_not", BOOL, unary())
for name in ("isfinite", "isinf", "isnan"):
    row(name, NUMERIC, unary())
row("signbit", REAL_FLOAT, unary())
row("square", NUMERIC, unary(finite_complex), within(2))
row("abs", NUMERIC, unary(), within(1))
row("sign", NUMERIC, unary(finite_complex), within(2, zero_sign=False))
row("sqrt", FLOAT, unary(finite_complex), within(2))

# ---- one operand, elementary functions

#: Largest distance of two implementations that are each within 4 ULP of the true value.
ELEMENTARY = 8


def elementary_values(dtype: str) -> Any:
    """Complex components at most 20, so that nothing overflows in one implementation only."""
    return moderate(20.0)(dtype) if is_complex(dtype) else any_value(dtype)


for name in (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log"),
    *("log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"),
):
    row(name, FLOAT, unary(elementary_values), within(ELEMENTARY))

# ---- two operands

for name in ("add", "subtract"):
    row(name, NUMERIC, binary(NUMERIC), exact)
row("multiply", NUMERIC, binary(NUMERIC, finite_complex), within(2))
for name in ("equal", "not_equal"):
    row(name, ALL, binary(ALL))
for name in ("greater", "greater_equal", "less", "less_equal"):
    row(name, REAL, binary(REAL))
for name in ("maximum", "minimum"):
    row(name, REAL, binary(REAL), exact_up_to_zero_sign)
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    row(name, BOOL + INTEGER, binary(BOOL + INTEGER))
for name in ("logical_and", "logical_or", "logical_xor"):
    row(name, BOOL, binary(BOOL))
for name in ("copysign", "nextafter"):
    row(name, REAL_FLOAT, binary(REAL_FLOAT))
for name in ("atan2", "hypot"):
    row(name, REAL_FLOAT, binary(REAL_FLOAT), within(ELEMENTARY))


def check_logaddexp(actual: Any, expected: Any, call: Call) -> None:
    """NumPy loses digits where the terms cancel; tests/accuracy has a better oracle for these."""
    larger = np.maximum(*(np.asarray(x) for x in call.on("cpu").args))
    cancelled = np.abs(expected) < np.abs(larger / 8)
    within(ELEMENTARY)(actual, np.where(cancelled, actual, expected), call)


row("logaddexp", REAL_FLOAT, binary(REAL_FLOAT), check_logaddexp)


def nonzero(values: Values) -> Values:
    """Integer divisors are not zero: the standard leaves that open."""

    def drawn(dtype: str) -> Any:
        return values(dtype).filter(bool) if is_integer(dtype) else values(dtype)

    return drawn


def divisors(dtype: str) -> Any:
    """Complex divisors are not zero either: a complex quotient by zero is left open."""
    return moderate()(dtype).filter(bool) if is_complex(dtype) else any_value(dtype)


def divide(draw: Draw, dtype: str) -> Call:
    """A real divisor of a complex number is finite and not zero as well."""
    made = binary(FLOAT, finite_complex, divisors)(draw, dtype)
    if any(is_complex(a.dtype) for a in made.made):
        return Call(tuple(_without_extremes(a) for a in made.args))
    return made


def _without_extremes(value: Any) -> Any:
    if isinstance(value, inputs.Made):
        base = value.base
        bad = ~np.isfinite(base) | (np.abs(base) > 1e6) | (np.abs(base) < 1e-6)
        value.base = np.where(bad, base.dtype.type(1), base)
        return value
    ordinary = np.isfinite(value) and 1e-6 < abs(value) < 1e6
    return value if ordinary else 1.0


row("divide", FLOAT, divide, within(4))
row("reciprocal", FLOAT, unary(divisors), within(2))
for name in ("floor_divide", "remainder"):
    row(name, REAL, binary(REAL, any_value, nonzero(any_value)), within(0))


def shift(draw: Draw, dtype: str) -> Call:
    """The second operand is at least 0 and less than the bits of the result."""
    counts: Values = lambda other: st.integers(0, 7)
    if draw(st.booleans()):
        one, two = inputs.broadcastable(draw, 2)
        width = np.iinfo(dtype).bits
        full: Values = lambda other: st.integers(0, width - 1)
        return call(arrays(draw, dtype, one), arrays(draw, dtype, two, full))
    return binary(INTEGER, any_value, counts)(draw, dtype)


for name in ("bitwise_left_shift", "bitwise_right_shift"):
    row(name, INTEGER, shift)


def power(draw: Draw, dtype: str) -> Call:
    """Integer exponents are not negative; complex powers are of moderate size, and not of zero."""
    if is_integer(dtype):
        exponents: Values = lambda other: st.integers(0, 100)
        return binary(INTEGER, any_value, exponents)(draw, dtype)
    if is_complex(dtype):
        one, two = inputs.broadcastable(draw, 2)
        base: Values = lambda d: moderate(10.0)(d).filter(lambda v: abs(v) > 0.1)
        return call(arrays(draw, dtype, one, base), arrays(draw, dtype, two, moderate(3.0)))
    return binary(REAL_FLOAT)(draw, dtype)


def power_check(actual: Any, expected: Any, made: Call) -> None:
    # The error of a complex power grows with the logarithm of the result.
    within(64 if actual.dtype.kind == "c" else ELEMENTARY)(actual, expected, made)


row("pow", NUMERIC, power, power_check)

# ---- three operands


def clip(draw: Draw, dtype: str) -> Call:
    """Bounds of the dtype of x, arrays or scalars, the lower one not above the upper one."""
    one, two, three = inputs.broadcastable(draw, 3)
    # min and max broadcast against x, and do not enlarge it.
    shape = np.broadcast_shapes(one, two, three)
    x = arrays(draw, dtype, shape)
    low, high = sorted([draw(inputs.not_nan(dtype)), draw(inputs.not_nan(dtype))])
    kinds = st.sampled_from(["none", "scalar", "array"])
    bounds: list[Any] = []
    for bound, narrow in ((low, two), (high, three)):
        kind = draw(kinds)
        if kind == "array":
            values = np.full(narrow, bound, dtype=dtype)
            bounds.append(inputs.laid_out(draw, values))
        else:
            bounds.append(None if kind == "none" else bound)
    if draw(st.booleans()):
        return call(x, *bounds)
    return call(x, min=bounds[0], max=bounds[1])


row("clip", REAL, clip, exact_up_to_zero_sign)


def where(draw: Draw, dtype: str) -> Call:
    one, two, three = inputs.broadcastable(draw, 3)
    condition = arrays(draw, "bool", one)
    values: list[Any] = [
        arrays(draw, dtype, two),
        arrays(draw, second_dtype(draw, dtype, ALL), three),
    ]
    scalar_at = draw(st.sampled_from([None, None, 0, 1]))
    if scalar_at is not None:
        values[scalar_at] = inputs.scalar(draw, values[1 - scalar_at].dtype)
    return call(condition, *values)


row("where", ALL, where)
