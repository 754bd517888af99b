"""Elementwise operations as expressions of values in kernels.

Values are in the types of `dialects.REGISTERS`: small integers and bool in 32 bits. bool is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corepy.backend.kernels.dialects import REGISTERS, SIZES

Expression = Callable[..., str]


def is_float(dtype: str) -> bool:
    """Return whether a dtype is of floating-point numbers."""
    return dtype.startswith("float")


def is_signed(dtype: str) -> bool:
    """Return whether a dtype is of signed integers."""
    return dtype.startswith("int")


def number(dtype: str, value: int) -> str:
    """Return an integer as a literal."""
    suffix = {"int64": "li", "uint64": "lu", "uint32": "u"}.get(dtype, "")
    return f"{REGISTERS[dtype]}({value}{suffix})"


def truth(condition: str) -> str:
    """Return a condition as an element of bool."""
    return f"select(0u, 1u, {condition})"


def magnitude(dtype: str, x: str) -> str:
    """Return the bits of a floating-point number without its sign."""
    if dtype == "float64":
        return f"(bitcast<u64>({x}) & 0x7ffffffffffffffflu)"
    return f"(bitcast<u32>({x}) & 0x7fffffffu)"


def is_nan(dtype: str, x: str) -> str:
    """Return the condition that a number is NaN, by its bits.

    WGSL's compilers may take it that there are none.
    """
    infinity = "0x7ff0000000000000lu" if dtype == "float64" else "0x7f800000u"
    return f"({magnitude(dtype, x)} > {infinity})"


def is_zero(dtype: str, x: str) -> str:
    """Return the condition that a value is zero; subnormal numbers are not."""
    if is_float(dtype):
        return f"({magnitude(dtype, x)} == {'0lu' if dtype == 'float64' else '0u'})"
    return f"({x} == {number(dtype, 0)})"


def wrapped(dtype: str, value: str) -> str:
    """Return an integer of 32 bits reduced to those of its dtype."""
    if SIZES[dtype] >= 4 or dtype == "bool":
        return value
    unused = 32 - 8 * SIZES[dtype]
    if is_signed(dtype):
        return f"(({value} << {unused}u) >> {unused}u)"
    return f"({value} & {(1 << 8 * SIZES[dtype]) - 1}u)"


def cast(to: str, value: str, dtype: str, wide: bool = True) -> str:
    """Return a value as another dtype; integers wrap around, floats are truncated.

    `wide`: whether the device has integers of 64 bits.
    """
    if to == dtype:
        return value
    if to == "bool":
        return truth(f"!{is_zero(dtype, value)}")
    register = REGISTERS[to]
    if is_float(dtype) and not is_float(to):
        return _integer_of(to, value, dtype, wide)
    if SIZES[to] == 8 and SIZES[dtype] < 8 and not is_float(to):
        # In two steps: WGSL's conversions do not extend the sign to unsigned integers.
        value = f"{'i64' if is_signed(dtype) else 'u64'}({value})"
    return wrapped(to, f"{register}({value})")


#: Bits of floating-point numbers: 2^31 and 2^63.
_LIMITS = {
    ("float32", "i32"): "0x4f000000u",
    ("float32", "i64"): "0x5f000000u",
    ("float64", "i32"): "0x41e0000000000000lu",
    ("float64", "i64"): "0x43e0000000000000lu",
}


def _integer_of(to: str, value: str, dtype: str, wide: bool) -> str:
    """Return the integer part of a floating-point number, as processors convert it.

    Numbers out of the range of the signed integer by way of which it is found give its least.
    """
    by = "i64" if SIZES[to] == 8 or (to == "uint32" and wide) else "i32"
    least = lowest("int64" if by == "i64" else "int32")
    signed = f"select({by}({value}), {least}, {magnitude(dtype, value)} >= {_LIMITS[dtype, by]})"
    if to == "uint64" or (to == "uint32" and not wide):
        register, bits = REGISTERS[to], 8 * SIZES[to]
        half, whole = (f"{REGISTERS[dtype]}({2**n}.0)" for n in (bits - 1, bits))
        found = f"select({register}({signed}), {register}({value}), {value} >= {half})"
        return f"select({found}, {register}(0), {value} >= {whole})"
    return wrapped(to, f"{REGISTERS[to]}({signed})")


def _unsigned(dtype: str) -> str:
    return "u64" if SIZES[dtype] == 8 else "u32"


def _arithmetic(sign: str, of_bool: str = "|") -> Expression:
    """Return an operation of numbers whose integers wrap around."""

    def expression(t: str, a: str, b: str) -> str:
        if t == "bool":
            return f"({a} {of_bool} {b})"
        if is_signed(t):
            u = _unsigned(t)
            return wrapped(t, f"{REGISTERS[t]}({u}({a}) {sign} {u}({b}))")
        return wrapped(t, f"({a} {sign} {b})")

    return expression


def _comparison(sign: str) -> Expression:
    return lambda t, a, b: truth(f"{a} {sign} {b}")


def _not_equal(t: str, a: str, b: str) -> str:
    if is_float(t):
        return truth(f"({a} != {b}) | {is_nan(t, a)} | {is_nan(t, b)}")
    return truth(f"{a} != {b}")


def _logical(text: str) -> Expression:
    def expression(t: str, *values: str) -> str:
        return truth(text.format(*(f"!{is_zero(t, x)}" for x in values)))

    return expression


def _bits(sign: str) -> Expression:
    return lambda t, a, b: f"({a} {sign} {b})"


def _invert(t: str, a: str) -> str:
    return f"({a} ^ 1u)" if t == "bool" else wrapped(t, f"(~{a})")


def _shift(sign: str) -> Expression:
    def expression(t: str, a: str, b: str) -> str:
        bits = 8 * SIZES[t]
        u = _unsigned(t)
        beyond = f"{u}({b}) >= {u}({bits})"
        by = f"u32({u}({b}) & {u}({max(bits, 32) - 1}))"
        empty = f"({a} >> {max(bits, 32) - 1}u)" if sign == ">>" and is_signed(t) else number(t, 0)
        return f"select({wrapped(t, f'({a} {sign} {by})')}, {empty}, {beyond})"

    return expression


def _abs(t: str, a: str) -> str:
    if is_float(t):
        return f"bitcast<{REGISTERS[t]}>({magnitude(t, a)})"
    return f"select({a}, {_negative(t, a)}, {a} < {number(t, 0)})" if is_signed(t) else a


def _negative(t: str, a: str) -> str:
    if is_float(t):
        top = "0x8000000000000000lu" if t == "float64" else "0x80000000u"
        return f"bitcast<{REGISTERS[t]}>(bitcast<{_unsigned(t)}>({a}) ^ {top})"
    return wrapped(t, f"{REGISTERS[t]}({_unsigned(t)}(0) - {_unsigned(t)}({a}))")


def _sign(t: str, a: str) -> str:
    zero = number(t, 0)
    signs = f"select({zero}, {number(t, 1)}, {a} > {zero})"
    if t.startswith(("u", "b")):
        return signs
    signs = f"select({signs}, {number(t, -1)}, {a} < {zero})"
    return f"select({signs}, {a}, {is_nan(t, a)})" if is_float(t) else signs


def _extreme(name: str, sign: str) -> Expression:
    def expression(t: str, a: str, b: str) -> str:
        if is_float(t):
            return _function(name)(t, a, b)
        return f"select({b}, {a}, {a} {sign} {b})"

    return expression


def _function(name: str) -> Expression:
    """Return a call of a function of `functions`, of floating-point numbers or of integers."""
    return lambda t, *values: f"{name}_{REGISTERS[t]}({', '.join(values)})"


def _small(name: str) -> Expression:
    """Return a call of a function whose integers are reduced to those of the dtype."""
    return lambda t, *values: wrapped(t, _function(name)(t, *values))


def _rounded(name: str) -> Expression:
    """Return a function that leaves integers as they are."""
    return lambda t, a: _function(name)(t, a) if is_float(t) else a


def _of_float(expression: Expression, otherwise: str) -> Expression:
    return lambda t, a: expression(t, a) if is_float(t) else otherwise


def _is_infinite(t: str, a: str) -> str:
    infinity = "0x7ff0000000000000lu" if t == "float64" else "0x7f800000u"
    return truth(f"{magnitude(t, a)} == {infinity}")


def _is_finite(t: str, a: str) -> str:
    infinity = "0x7ff0000000000000lu" if t == "float64" else "0x7f800000u"
    return truth(f"{magnitude(t, a)} < {infinity}")


def _sign_bit(t: str, a: str) -> str:
    if is_float(t):
        u = _unsigned(t)
        return f"u32(bitcast<{u}>({a}) >> {8 * SIZES[t] - 1}u)"
    return truth(f"{a} < {number(t, 0)}") if is_signed(t) else "0u"


def _bit_count(t: str, a: str) -> str:
    a = _abs(t, a)
    if SIZES[t] == 8:
        return f"(countOneBits(u32({a})) + countOneBits(u32(u64({a}) >> 32u)))"
    unsigned = "bool" if t == "bool" else "u" + t.lstrip("u")
    return f"countOneBits({wrapped(unsigned, f'u32({a})')})"


_FUNCTIONS = (
    "acos acosh asin asinh atan atan2 atanh copysign cos cosh divide exp expm1 heaviside hypot "
    "ldexp "
    "log log10 log1p log2 logaddexp nextafter reciprocal sin sinh spacing sqrt tan tanh gelu "
    "gelu_tanh sigmoid silu round_fractions round_multiples"
).split()

#: Operation -> its expression, of the dtype that it computes in and the values.
ELEMENTWISE: dict[str, Expression] = {
    **{name: _function(name) for name in _FUNCTIONS},
    **{name: _rounded(name) for name in ("ceil", "floor", "round", "trunc")},
    "abs": _abs,
    "add": _arithmetic("+"),
    "bitwise_and": _bits("&"),
    "bitwise_count": _bit_count,
    "bitwise_invert": _invert,
    "bitwise_left_shift": _shift("<<"),
    "bitwise_or": _bits("|"),
    "bitwise_right_shift": _shift(">>"),
    "bitwise_xor": _bits("^"),
    "equal": _comparison("=="),
    "floor_divide": _small("floor_divide"),
    "fmax": _extreme("fmax", ">="),
    "fmin": _extreme("fmin", "<="),
    "gcd": _small("gcd"),
    "greater": _comparison(">"),
    "greater_equal": _comparison(">="),
    "imag": lambda t, a: number(t, 0),
    "isfinite": _of_float(_is_finite, "1u"),
    "isinf": _of_float(_is_infinite, "0u"),
    "isnan": _of_float(lambda t, a: truth(is_nan(t, a)), "0u"),
    "lcm": _small("lcm"),
    "less": _comparison("<"),
    "less_equal": _comparison("<="),
    "logical_and": _logical("({0}) & ({1})"),
    "logical_not": _logical("!({0})"),
    "logical_or": _logical("({0}) | ({1})"),
    "logical_xor": _logical("({0}) != ({1})"),
    "maximum": _extreme("maximum", ">="),
    "minimum": _extreme("minimum", "<="),
    "multiply": _arithmetic("*", "&"),
    "negative": _negative,
    "not_equal": _not_equal,
    "positive": lambda t, a: a,
    "pow": _small("pow"),
    "conj": lambda t, a: a,
    "real": lambda t, a: a,
    "remainder": _small("remainder"),
    "sign": _sign,
    "signbit": _sign_bit,
    "square": lambda t, a: _arithmetic("*", "&")(t, a, a),
    "subtract": _arithmetic("-"),
    "where": lambda t, a, b, c: f"select({c}, {b}, {a} != 0u)",
}

#: Operations whose expressions for floating-point numbers call a function of `functions`.
FLOAT_FUNCTIONS = frozenset(
    [*_FUNCTIONS, "ceil", "floor", "round", "trunc", "floor_divide", "fmax", "fmin", "maximum"]
    + ["minimum", "pow", "remainder"]
)

#: Operations whose result is bool.
BOOLEAN = frozenset(
    "equal greater greater_equal isfinite isinf isnan less less_equal logical_and logical_not "
    "logical_or logical_xor not_equal signbit".split()
)


def result_dtype(operation: str, compute: str) -> str:
    """Return the dtype of the value of an expression."""
    if operation in BOOLEAN:
        return "bool"
    return "uint8" if operation == "bitwise_count" else compute


def sort_key(dtype: str, x: str, inverse: bool = False) -> str:
    """Return an unsigned integer that sorts as a value does; NaN is the greatest.

    `inverse`: in the other order, but NaN is the greatest there too.
    """
    u, bits = _unsigned(dtype), max(8 * SIZES[dtype], 32)
    top = f"{1 << bits - 1}{'lu' if bits == 64 else 'u'}"
    sign = "~" * inverse
    if not is_float(dtype):
        return f"{sign}({u}({x}) ^ {top})" if is_signed(dtype) else f"{sign}{u}({x})"
    pattern = f"bitcast<{u}>({x})"
    ordered = f"select({pattern} | {top}, ~{pattern}, {pattern} >= {top})"
    ordered = f"select({ordered}, {top}, {magnitude(dtype, x)} == {u}(0))"
    return f"select({sign}({ordered}), ~{u}(0), {is_nan(dtype, x)})"


#: Keys of values, as steps of programs.
KEYS: dict[str, Expression] = {
    "sort_key": sort_key,
    "inverse_sort_key": lambda t, x: sort_key(t, x, True),
}


def least_zero(dtype: str) -> str:
    """Return the zero that changes no number when it is added: -0 of floating-point numbers."""
    return _negative(dtype, number(dtype, 0)) if is_float(dtype) else number(dtype, 0)


def lowest(dtype: str) -> str:
    """Return the least value of a dtype: minus infinity of floating-point numbers."""
    if is_float(dtype):
        bits = "0xfff0000000000000lu" if dtype == "float64" else "0xff800000u"
        return f"bitcast<{REGISTERS[dtype]}>({bits})"
    if is_signed(dtype):
        return f"(-{number(dtype, 2 ** (8 * SIZES[dtype] - 1) - 1)} - {number(dtype, 1)})"
    return number(dtype, 0)


def greatest(dtype: str) -> str:
    """Return the greatest value of a dtype: infinity of floating-point numbers."""
    if is_float(dtype):
        bits = "0x7ff0000000000000lu" if dtype == "float64" else "0x7f800000u"
        return f"bitcast<{REGISTERS[dtype]}>({bits})"
    if is_signed(dtype):
        return number(dtype, 2 ** (8 * SIZES[dtype] - 1) - 1)
    return (
        f"~{number(dtype, 0)}" if SIZES[dtype] >= 4 else number(dtype, 2 ** (8 * SIZES[dtype]) - 1)
    )


#: Source of functions of integers, by name; {t} is the type, {u} its unsigned one.
_INTEGERS: dict[str, str] = {
    "floor_divide": """fn floor_divide_{t}(a: {t}, b: {t}) -> {t} {{
    if (b == {t}(0)) {{ return {t}(0); }}
    {negative}
    let q: {t} = a / b;
    {adjust_quotient}
    }}""",
    "remainder": """fn remainder_{t}(a: {t}, b: {t}) -> {t} {{
    if (b == {t}(0)) {{ return {t}(0); }}
    {zero}
    let r: {t} = a % b;
    {adjust_remainder}
    }}""",
    "pow": """fn pow_{t}(a: {t}, b: {t}) -> {t} {{
    var result: {u} = {u}(1);
    var base: {u} = {u}(a);
    var rest: {u} = {u}(b);
    while (rest != {u}(0)) {{
    if ((rest & {u}(1)) != {u}(0)) {{ result = result * base; }}
    base = base * base;
    rest = rest >> 1u;
    }}
    return {t}(result);
    }}""",
    "gcd": """fn gcd_{t}(a: {t}, b: {t}) -> {t} {{
    var x: {u} = {magnitude_a};
    var y: {u} = {magnitude_b};
    while (y != {u}(0)) {{
    let rest: {u} = x % y;
    x = y;
    y = rest;
    }}
    return {t}(x);
    }}""",
    "lcm": """fn lcm_{t}(a: {t}, b: {t}) -> {t} {{
    let d: {u} = {u}(gcd_{t}(a, b));
    if (d == {u}(0)) {{ return {t}(0); }}
    return {t}({magnitude_a} / d * {magnitude_b});
    }}""",
}


def integer_source(name: str, register: str) -> str:
    """Return the functions of integers that an operation needs."""
    if name == "lcm":
        return integer_source("gcd", register) + "\n" + _integer_source("lcm", register)
    return _integer_source(name, register)


def _integer_source(name: str, register: str) -> str:
    signed = register.startswith("i")
    u = "u" + register[1:]
    words: dict[str, Any] = {
        "t": register,
        "u": u,
        "negative": f"if (b == {register}(-1)) {{ return {register}({u}(0) - {u}(a)); }}" * signed,
        "zero": f"if (b == {register}(-1)) {{ return {register}(0); }}" * signed,
        "adjust_quotient": (
            f"return q - select({register}(0), {register}(1), "
            "(a % b != " + f"{register}(0)) && ((a < {register}(0)) != (b < {register}(0))));"
            if signed
            else "return q;"
        ),
        "adjust_remainder": (
            f"return r + select({register}(0), b, "
            f"(r != {register}(0)) && ((r < {register}(0)) != (b < {register}(0))));"
            if signed
            else "return r;"
        ),
    }
    for x in ("a", "b"):
        words[f"magnitude_{x}"] = (
            f"select({u}({x}), {u}(0) - {u}({x}), {x} < {register}(0))" if signed else x
        )
    return _INTEGERS[name].format(**words)


INTEGER_FUNCTIONS = frozenset(_INTEGERS)
