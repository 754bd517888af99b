"""uint16, uint32 and uint64 for libraries that store them, but compute with few of their functions.

Functions here compute with signed integers of the same size. Sums, products, shifts to the left and
comparisons for equality have the same bits in both. For functions that order numbers the sign bit
is flipped, which maps the order of unsigned integers to that of signed ones.

Arrays need a method ``view(dtype)``, which reinterprets elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corepy.backend._nested import leaves, mapped

Array = Any
Function = Callable[..., Any]

#: Functions whose result has the bits that signed integers give, for each array among the
#: arguments and the results.
SAME_BITS = (
    "add", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_xor",
    "concat", "diff", "flip", "linalg.cross", "linalg.outer", "matmul", "multiply", "negative",
    "roll", "square", "stack", "subtract", "tensordot", "tile", "tril", "triu", "vecdot",
)  # fmt: skip

#: Functions of the bits alone, whose result has another dtype.
TESTS = (
    "all", "any", "count_nonzero", "equal", "logical_and", "logical_not", "logical_or",
    "logical_xor", "nonzero", "not_equal",
)  # fmt: skip

#: Functions of the order, whose result has the dtype of the arrays.
ORDERED = ("max", "maximum", "min", "minimum", "sort")

#: Functions of the order, whose result has another dtype.
ORDER_TESTS = (
    "argmax", "argmin", "argsort", "greater", "greater_equal", "isin", "less", "less_equal",
    "searchsorted",
)  # fmt: skip

#: Sums and products along axes, which take a dtype.
ACCUMULATIONS = ("cumulative_prod", "cumulative_sum", "linalg.trace", "prod", "sum")


def functions(xp: Any, native: Callable[[str], Function]) -> dict[str, Function]:
    """Return functions that take all dtypes, by operation.

    Parameters
    ----------
    xp : namespace
        The native namespace.
    native : callable
        Returns the native function of an operation, which computes for all other dtypes.
    """
    pairs = {xp.uint16: xp.int16, xp.uint32: xp.int32, xp.uint64: xp.int64}
    back = {signed: unsigned for unsigned, signed in pairs.items()}

    def is_wide(x: Any) -> bool:
        return hasattr(x, "view") and x.dtype in pairs

    def bits(x: Any) -> Any:
        return x.view(pairs[x.dtype]) if is_wide(x) else x

    def flipped(x: Array) -> Array:
        """Return signed integers with the other sign bit."""
        return xp.bitwise_xor(
            x, xp.asarray(int(xp.iinfo(x.dtype).min), dtype=x.dtype, device=x.device)
        )

    def order(x: Any) -> Any:
        return flipped(bits(x)) if is_wide(x) else x

    def unsigned(x: Array) -> Array:
        return x.view(back[x.dtype])

    def over(operation: str, change: Function, restore: Function | None) -> Function:
        compute = native(operation)

        def function(*inputs: Any, **params: Any) -> Any:
            if not any(map(is_wide, leaves((inputs, params)))):
                return compute(*inputs, **params)
            inputs, params = mapped(change, (inputs, params))
            out = compute(*inputs, **params)
            return out if restore is None else restore(out)

        return function

    found = {name: over(name, bits, unsigned) for name in SAME_BITS}
    found.update({name: over(name, bits, None) for name in TESTS})
    found.update({name: over(name, order, lambda x: unsigned(flipped(x))) for name in ORDERED})
    found.update({name: over(name, order, None) for name in ORDER_TESTS})

    def accumulated(operation: str) -> Function:
        compute = native(operation)

        def function(x: Array, /, *, dtype: Any = None, **params: Any) -> Array:
            if dtype is None and xp.isdtype(x.dtype, "unsigned integer"):
                dtype = xp.uint64
            if dtype is None or dtype not in pairs:
                return compute(x, dtype=dtype, **params)
            x = bits(xp.astype(x, dtype, copy=False))
            return compute(x, dtype=x.dtype, **params).view(dtype)

        return function

    found.update({name: accumulated(name) for name in ACCUMULATIONS})

    def first_alone(operation: str) -> Function:
        """Only the first array is of the dtype of the result; others are indices or counts."""
        compute = native(operation)

        def function(x: Array, *inputs: Any, **params: Any) -> Array:
            inputs = tuple(
                xp.astype(value, xp.int64, copy=False) if hasattr(value, "view") else value
                for value in inputs
            )
            out = compute(bits(x), *inputs, **params)
            return unsigned(out) if is_wide(x) else out

        return function

    found.update({name: first_alone(name) for name in ("take", "take_along_axis", "repeat")})

    def where(condition: Array, x1: Array, x2: Array, /) -> Array:
        if not is_wide(x1):
            return native("where")(condition, x1, x2)
        return unsigned(native("where")(condition, bits(x1), bits(x2)))

    def sign(x: Array, /) -> Array:
        return xp.astype(bits(x) != 0, x.dtype) if is_wide(x) else native("sign")(x)

    def identity(operation: str) -> Function:
        compute = native(operation)
        return lambda x, /: xp.asarray(x, copy=True) if is_wide(x) else compute(x)

    def logical_shift(x: Array, count: Array) -> Array:
        """Shift the bits of signed integers to the right; zeros come in."""
        one, zero = xp.asarray(1, dtype=x.dtype, device=x.device), xp.zeros_like(x)
        size = int(xp.iinfo(x.dtype).bits)
        some = (count > 0) & (count < size)
        half = xp.bitwise_right_shift(x, one) & int(xp.iinfo(x.dtype).max)
        rest = xp.where(some, count - 1, zero)
        return xp.where(count == 0, x, xp.where(some, xp.bitwise_right_shift(half, rest), zero))

    def bitwise_right_shift(x1: Array, x2: Array, /) -> Array:
        if not is_wide(x1):
            return native("bitwise_right_shift")(x1, x2)
        return unsigned(logical_shift(bits(x1), bits(x2)))

    def quotient(x1: Array, x2: Array) -> Array:
        """Divide the bits of uint64; by zero the result is 0."""
        one, zero = xp.asarray(1, dtype=x1.dtype, device=x1.device), xp.zeros_like(x1)
        divisor = xp.where(x2 > 0, x2, one)  # from 2**63 on the quotient is 0 or 1
        half = logical_shift(x1, one)
        out = xp.bitwise_left_shift(native("floor_divide")(half, divisor), one)
        out = out + xp.where(flipped(x1 - out * divisor) >= flipped(divisor), one, zero)
        large = xp.where(flipped(x1) >= flipped(x2), one, zero)
        return xp.where(x2 > 0, out, xp.where(x2 < 0, large, zero))

    def floor_divide(x1: Array, x2: Array, /) -> Array:
        if not is_wide(x1):
            return native("floor_divide")(x1, x2)
        if x1.dtype == xp.uint64:
            return unsigned(quotient(bits(x1), bits(x2)))
        return xp.astype(quotient(xp.astype(x1, xp.int64), xp.astype(x2, xp.int64)), x1.dtype)

    def remainder(x1: Array, x2: Array, /) -> Array:
        if not is_wide(x1):
            return native("remainder")(x1, x2)
        a, b = (bits(xp.astype(x, xp.uint64, copy=False)) for x in (x1, x2))
        out = xp.where(b == 0, xp.zeros_like(a), a - quotient(a, b) * b)
        return xp.astype(unsigned(out), x1.dtype, copy=False)

    def pow(x1: Array, x2: Array, /) -> Array:
        if not is_wide(x1):
            return native("pow")(x1, x2)
        base, exponent = bits(x1), bits(x2)
        one = xp.asarray(1, dtype=base.dtype, device=base.device)
        out = one
        while True:
            out = xp.where((exponent & 1) == 1, out * base, out)
            exponent = logical_shift(exponent, one)
            if not bool(xp.any(exponent != 0)):
                return unsigned(out)
            base = base * base

    found.update({
        "where": where,
        "sign": sign,
        "bitwise_right_shift": bitwise_right_shift,
        "floor_divide": floor_divide,
        "remainder": remainder,
        "pow": pow,
    })  # fmt: skip
    for name in ("abs", "ceil", "conj", "floor", "positive", "real", "round", "trunc"):
        found[name] = identity(name)
    return found
