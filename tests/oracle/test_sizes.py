"""Arrays of many elements and of many axes: blocks, remainders and layouts that small ones miss."""

import math
import zlib

import numpy as np
import pytest

from . import elementwise_cases, inputs
from .compare import close, exact, exact_up_to_zero_sign, to_host, within
from .inputs import ALL, FLOAT, REAL, call, is_complex, is_float, is_integer, with_layout
from .table import TABLE

# One run of more elements than any block, rows that are no multiple of a vector, and more axes
# than a Tensor holds within itself.
SHAPES = [(5003,), (37, 65), (3, 129, 5), (2,) * 11]
SMALL = {"int8": 3, "uint8": 3, "int16": 100, "uint16": 100}


def generator(*key):
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def values(rng, dtype, size, *, moderate=False, specials=True):
    """Random elements, a third of them special values."""
    if dtype == "bool":
        return rng.integers(0, 2, size).astype(bool)
    if is_integer(dtype):
        limits = np.iinfo(dtype)
        drawn = rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
        if moderate:
            return (drawn % 5).astype(dtype)
    else:
        drawn = rng.normal(scale=2.0, size=size).astype(dtype)
        if is_complex(dtype):
            drawn = drawn + 1j * rng.normal(scale=2.0, size=size).astype(drawn.real.dtype)
        if moderate:
            return drawn.astype(dtype)
    chosen = np.array(inputs.special_values(dtype), dtype=dtype)
    if specials:
        drawn = np.where(rng.random(size) < 1 / 3, rng.choice(chosen, size), drawn)
    return drawn.astype(dtype)


def layouts(x):
    """The array contiguous, reversed, transposed and with steps."""
    ndim = x.ndim
    natural, turned = tuple(range(ndim)), tuple(reversed(range(ndim)))
    yield inputs.plain(x)
    yield with_layout(x, natural, (-1,) * ndim)
    yield with_layout(x, turned, (1,) * ndim)
    yield with_layout(x, turned, (-2,) + (1,) * (ndim - 1))


def compared(name, made, check):
    actual, expected = (
        to_host(TABLE[name].run(made.on(device), device)) for device in ("cpu", "reference")
    )
    check(actual, expected, made)


def rows(names):
    return [pytest.param(n, d, id=f"{n}-{d}") for n in names for d in TABLE[n].dtypes]


ELEMENTWISE = [c.name for c in elementwise_cases.CASES if c.name not in ("clip", "where")]
POSITIVE_SECOND = ("floor_divide", "remainder")


def second_operand(name, dtype, rng, size):
    if "shift" in name:
        return rng.integers(0, np.iinfo(dtype).bits, size).astype(dtype)
    if name == "pow":
        return (values(rng, dtype, size, moderate=True).real % 3).astype(dtype)
    if is_integer(dtype) and name in POSITIVE_SECOND:
        x = values(rng, dtype, size)
        return np.where(x == 0, x.dtype.type(1), x)
    return values(rng, dtype, size, moderate=is_complex(dtype))


@pytest.mark.parametrize(("name", "dtype"), rows(ELEMENTWISE))
def test_elementwise(name, dtype):
    rng = generator(name, dtype)
    two = name in BINARY
    check = within(64, zero_sign=False) if is_complex(dtype) else TABLE[name].check
    for shape in SHAPES:
        size = math.prod(shape)
        x1 = values(rng, dtype, size, moderate=is_complex(dtype)).reshape(shape)
        x2 = second_operand(name, dtype, rng, size).reshape(shape)
        if name == "logaddexp":  # NumPy's is wrong next to its zeros, which tests/accuracy looks at
            x1, x2 = np.abs(x1), np.abs(x2)
        for first, second in zip(layouts(x1), reversed(list(layouts(x2))), strict=True):
            compared(name, call(first, second) if two else call(first), check)
        if two:  # rows and columns broadcast against all
            row = inputs.plain(x2[(0,) * (len(shape) - 1)])
            column = inputs.plain(x2[..., :1])
            compared(name, call(inputs.plain(x1), row), check)
            compared(name, call(column, inputs.plain(x2)), check)


BINARY = {
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "pow", "equal"),
    *("not_equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"),
    *("logical_and", "logical_or", "logical_xor", "copysign", "nextafter", "atan2", "hypot"),
    "logaddexp",
}


@pytest.mark.parametrize("dtype", ALL)
def test_where_and_clip(dtype):
    rng = generator("where", dtype)
    for shape in SHAPES:
        size = math.prod(shape)
        x1, x2 = (values(rng, dtype, size).reshape(shape) for _ in range(2))
        condition = values(rng, "bool", size).reshape(shape)
        every = zip(layouts(condition), layouts(x1), reversed(list(layouts(x2))), strict=True)
        for parts in every:
            compared("where", call(*parts), exact)
        if dtype in REAL:
            low, high = (np.array(v, dtype=dtype) for v in (1, 2))
            for made in layouts(x1):
                compared("clip", call(made, low.item(), high.item()), exact)
                bounds = inputs.plain(low), inputs.plain(np.broadcast_to(high, shape))
                compared("clip", call(made, *bounds), exact)


REDUCTIONS = ("sum", "prod", "mean", "var", "std", "max", "min", "argmax", "argmin", "all", "any")
SCANS = ("cumulative_sum", "cumulative_prod")


def reduced_values(name, dtype, rng, shape):
    size = math.prod(shape)
    if name in ("all", "any"):
        x = np.full(size, name == "all", dtype=dtype)
        x[rng.integers(0, size, 3)] = name == "any"
        return x.reshape(shape)
    if "prod" in name and is_float(dtype):
        x = np.exp(values(rng, dtype, size, moderate=True) * 0.01)
        return x.astype(dtype).reshape(shape)
    specials = name in ("max", "min", "count_nonzero") or is_integer(dtype)
    moderate = not specials and is_float(dtype)
    return values(rng, dtype, size, moderate=moderate, specials=specials).reshape(shape)


def reduction_check(name, dtype, size):
    if name in ("max", "min"):
        return exact_up_to_zero_sign
    if not is_float(dtype) or name in ("argmax", "argmin", "all", "any", "count_nonzero"):
        return exact
    return within(8 * size, zero_sign=False) if "prod" in name else close()


@pytest.mark.parametrize(("name", "dtype"), rows([*REDUCTIONS, "count_nonzero"]))
def test_reductions(name, dtype):
    rng = generator(name, dtype)
    for shape in SHAPES:
        x = reduced_values(name, dtype, rng, shape)
        check = reduction_check(name, dtype, x.size)
        several = [] if name.startswith("arg") else [(0, -1), tuple(range(0, x.ndim, 2))]
        for made in layouts(x):
            for axis in [None, 0, -1, x.ndim // 2, *(several if x.ndim > 1 else [])]:
                compared(name, call(made, axis=axis), check)
                compared(name, call(made, axis=axis, keepdims=True), check)


@pytest.mark.parametrize(("name", "dtype"), rows(SCANS))
def test_scans(name, dtype):
    rng = generator(name, dtype)
    for shape in SHAPES:
        x = reduced_values(name, dtype, rng, shape)
        check = reduction_check(name, dtype, x.size)
        for made in layouts(x):
            for axis in (0, -1):
                compared(name, call(made, axis=axis), check)
                compared(name, call(made, axis=axis, include_initial=True), check)


@pytest.mark.parametrize("dtype", FLOAT)
def test_products_of_larger_matrices(dtype):
    rng = generator("matmul", dtype)
    x1 = values(rng, dtype, 70 * 33, moderate=True).reshape(70, 33)
    x2 = values(rng, dtype, 33 * 45, moderate=True).reshape(33, 45)
    for first, second in zip(layouts(x1), reversed(list(layouts(x2))), strict=True):
        compared("matmul", call(first, second), close(2.0))
        compared("tensordot", call(first, second, axes=1), close(2.0))
