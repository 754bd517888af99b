"""Every instruction set gives the same results, and NumPy's, for any size and layout."""

from fractions import Fraction

import numpy as np
import pytest
from elementwise import (
    BINARY,
    IN_PLACE_OPERATORS,
    ROUNDED,
    UNARY,
    accepts,
    comparison_of,
    expected_binary,
    expected_unary,
    samples,
)
from strategies import DTYPE_NAMES, DTYPES, assert_same

import corepy.array_api as xp
from corepy._cython import core

LEVELS = core.simd_levels()
FUSED = [level for level in LEVELS if level in ("avx2", "avx512", "neon")]
# Around the number of lanes of each type and instruction set, and of a few vectors of them.
SIZES = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000]
MOST = max(SIZES)
SAME_BITS = [name for name in UNARY + BINARY if name not in ROUNDED] + [
    "divide", "multiply", "reciprocal", "sqrt", "square",
]  # fmt: skip
INPLACE = [
    "add", "subtract", "multiply", "floor_divide", "remainder", "bitwise_xor", "bitwise_left_shift",
]  # fmt: skip


def numbers(operation, dtype, seed):
    """`MOST` elements: special values, and random ones of all magnitudes between them."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    special = samples(operation, dtype)
    if dtype.kind == "b":
        values = rng.random(MOST) < 0.5
    elif dtype.kind in "iu":
        bits = rng.integers(0, 256, (MOST, dtype.itemsize), dtype="uint8").view(dtype).ravel()
        values = bits >> rng.integers(0, 8 * dtype.itemsize, MOST).astype(dtype)
    else:
        values = np.exp(rng.uniform(-20, 20, MOST)) * rng.choice([-1, 1], MOST)
        if dtype.kind == "c":
            values = values * np.exp(2j * np.pi * rng.random(MOST))
        values = values.astype(dtype)
    if operation == "pow":  # negative powers of integers are not NumPy's
        special, values = special[special >= 0], abs(values)
        values[values < 0] = 0
    chosen = rng.random(MOST) < 0.3
    values[chosen] = rng.choice(special, chosen.sum())
    return values


def in_memory(array, layout):
    """The elements of a one-dimensional array, laid out as the name says."""
    n, itemsize = len(array), array.itemsize
    if layout == "contiguous":
        return array.copy()
    if layout == "offset":  # aligned to an element and no more
        memory = np.zeros((n + 1) * itemsize + 64, dtype="uint8")
        start = -memory.ctypes.data % 64 + itemsize
        view = memory[start : start + n * itemsize].view(array.dtype)
    elif layout == "reversed":
        view = np.zeros(n, dtype=array.dtype)[::-1]
    else:
        step = int(layout.removeprefix("step "))
        view = np.zeros(n * step, dtype=array.dtype)[::step]
    view[...] = array
    return view


MEMORY = ("contiguous", "offset", "reversed", "step 2", "step 3", "step 7")


def bits(tensor):
    """The bytes of a result, with one NaN for all NaNs."""
    values = np.array(tensor)
    if values.dtype.kind in "fc":
        parts = values.reshape(-1).view(f"f{values.real.itemsize}")
        parts[np.isnan(parts)] = np.nan
    return values.tobytes()


def at_every_level(function, *operands, fused=False):
    """The result, of which every instruction set gives the same bits.

    `fused`: those with fused multiply-adds agree among each other, and the others do.
    """
    results, firsts = [], {}
    for level in LEVELS:
        core.use_simd(level)
        result = function(*operands)
        results.append(result)
        first = firsts.setdefault(fused and level in FUSED, result)
        assert bits(result) == bits(first), (level, first, result)
    return results[0]


def is_product(operation, dtype):
    """Whether it is a product of complex numbers, which uses fused multiply-adds."""
    return operation in ("multiply", "square") and np.dtype(dtype).kind == "c"


def cases(operations, kinds="biufc"):
    return [
        pytest.param(operation, dtype, id=f"{operation}-{dtype}")
        for operation in operations
        for dtype in DTYPE_NAMES
        if accepts(operation, dtype) and np.dtype(dtype).kind in kinds
    ]


def same_as_numpy(operation, actual, expected):
    tolerance = comparison_of(operation)
    if operation == "sign" and expected.dtype.kind == "c":
        tolerance = {"ulp": 4}
    if operation == "floor_divide" and expected.dtype.kind == "f":
        tolerance = {"ulp": 2}  # NumPy rounds three times on the way
    if operation in ("multiply", "divide", "reciprocal", "square") and expected.dtype.kind == "c":
        # Cancellation: a component is as exact as the whole number.
        values = np.asarray(actual)
        assert values.dtype == expected.dtype
        finite = np.isfinite(values) & np.isfinite(expected)
        np.testing.assert_allclose(
            values[finite], expected[finite], rtol=16 * np.finfo(expected.dtype).eps
        )
        return
    assert_same(actual, expected, **tolerance)


def exact(operation, dtype):
    kind = np.dtype(dtype).kind
    if kind == "c" and operation == "sign":  # the magnitude may differ in the last place
        return False
    return operation in SAME_BITS or kind != "c"


@pytest.mark.parametrize(
    ("operation", "dtype"), cases([n for n in UNARY if n in SAME_BITS or n == "abs"])
)
def test_unary(operation, dtype):
    values = numbers(operation, dtype, seed=1)
    expected = expected_unary(operation, values)
    function = getattr(xp, operation)
    for n in SIZES:
        for layout in MEMORY:
            x = xp.asarray(in_memory(values[:n], layout))
            if exact(operation, dtype):
                result = at_every_level(function, x, fused=is_product(operation, dtype))
                same_as_numpy(operation, result, expected[:n])
                continue
            for level in LEVELS:
                core.use_simd(level)
                same_as_numpy(operation, function(x), expected[:n])


@pytest.mark.parametrize(
    ("operation", "dtype"),
    cases([n for n in BINARY if n in SAME_BITS]) + cases(["pow"], kinds="iu"),
)
def test_binary(operation, dtype):
    values, others = numbers(operation, dtype, seed=2), numbers(operation, dtype, seed=3)
    function = getattr(xp, operation)
    expected = expected_binary(operation, values, others)
    for n in SIZES:
        for layout, other in (*zip(MEMORY, MEMORY, strict=True), ("contiguous", "step 2")):
            x, y = (
                xp.asarray(in_memory(array[:n], where))
                for array, where in ((values, layout), (others, other))
            )
            result = at_every_level(function, x, y, fused=is_product(operation, dtype))
            same_as_numpy(operation, result, expected[:n])


@pytest.mark.parametrize(
    ("operation", "dtype"),
    cases([n for n in BINARY if n in SAME_BITS]) + cases(["pow"], kinds="iu"),
)
def test_binary_with_one_element(operation, dtype):
    values = numbers(operation, dtype, seed=4)
    function = getattr(xp, operation)
    for scalar in np.unique(samples(operation, dtype)):
        if operation == "pow" and scalar < 0:
            continue
        one = np.asarray(scalar)
        right, left = (
            expected_binary(operation, *operands) for operands in ((values, one), (one, values))
        )
        for n in (1, 2, 17, 129, MOST):
            for layout in ("contiguous", "step 2"):
                x, y = xp.asarray(in_memory(values[:n], layout)), xp.asarray(one)
                for operands, expected in (((x, y), right), ((y, x), left)):
                    result = at_every_level(function, *operands, fused=is_product(operation, dtype))
                    same_as_numpy(operation, result, expected[:n])


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "int" in name])
def test_division_by_every_kind_of_integer(dtype):
    info = np.iinfo(dtype)
    values = numbers("floor_divide", dtype, seed=5)
    powers = [1 << k for k in range(info.bits) if 1 << k <= info.max]
    divisors = {d + e for d in powers for e in (-1, 0, 1)} | set(range(1, 40)) | {info.max}
    if info.min:
        divisors |= {-d for d in divisors} | {info.min}
    if info.bits == 8:
        divisors, values = set(range(info.min, info.max + 1)), np.arange(256).astype(dtype)
    for divisor in sorted(d for d in divisors if info.min <= d <= info.max):
        one = np.asarray(divisor, dtype=dtype)
        for operation in ("floor_divide", "remainder"):
            function = getattr(xp, operation)
            result = at_every_level(function, xp.asarray(values), xp.asarray(one))
            assert_same(result, expected_binary(operation, values, one))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("operation", ["floor_divide", "remainder"])
def test_division_rounded_down_next_to_integers(operation, dtype):
    # Quotients that round to an integer that they do not reach, and those with many digits.
    rng = np.random.default_rng(6)
    b = np.exp(rng.uniform(-40, 40, 4000)).astype(dtype)
    whole = np.floor(np.exp2(rng.uniform(0, 70, b.size))).astype(dtype)
    a = (whole * b).astype(dtype)
    a = np.concatenate([a, np.nextafter(a, np.asarray(0, dtype)),
                        np.nextafter(a, np.asarray(np.inf, dtype))])  # fmt: skip
    b = np.tile(b, 3)
    for signs in ((1, 1), (-1, 1), (1, -1)):
        x, y = a * np.asarray(signs[0], dtype), b * np.asarray(signs[1], dtype)
        result = at_every_level(getattr(xp, operation), xp.asarray(x), xp.asarray(y))
        if operation == "remainder":
            assert_same(result, np.remainder(x, y))
        else:
            # Beyond the digits of the type the quotient is what division gives, up to rounding.
            assert_same(result, np.floor_divide(x, y), ulp=2)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_where(dtype):
    x1, x2 = numbers("add", dtype, seed=7), numbers("add", dtype, seed=8)
    condition = np.random.default_rng(9).integers(0, 3, MOST).astype("uint8")
    truth = condition.astype(bool)
    for n in SIZES:
        for layout in MEMORY:
            # Bytes other than 0 and 1 are true.
            c = in_memory(condition[:n], layout).view(bool)
            a, b = (in_memory(array[:n], layout) for array in (x1, x2))
            for x, y in ((a, b), (a, x2[0]), (x1[0], b), (x1[0], x2[0])):
                result = at_every_level(xp.where, *(xp.asarray(o) for o in (c, x, y)))
                assert_same(result, np.where(truth[:n], x, y))


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "complex" not in name])
def test_clip(dtype):
    if dtype == "bool":
        return
    values, low, high = (numbers("add", dtype, seed=seed) for seed in (10, 11, 12))
    for n in SIZES:
        for layout in MEMORY:
            x, lower, upper = (in_memory(array[:n], layout) for array in (values, low, high))
            for bounds in ((lower, upper), (low[0], high[0]), (low[1], upper), (lower, high[1])):
                result = at_every_level(xp.clip, *(xp.asarray(o) for o in (x, *bounds)))
                assert_same(result, np.clip(x, *bounds))


@pytest.mark.parametrize("target", DTYPES, ids=DTYPE_NAMES)
@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_casts(dtype, target):
    values = numbers("add", dtype, seed=13)
    if values.dtype.kind == "c" and target.kind in "iuf":
        return
    safe = values
    if values.dtype.kind == "f" and target.kind in "iu":
        safe = np.where(abs(values) < 128, abs(values), 0).astype(dtype)
    with np.errstate(all="ignore"):
        expected = safe.astype(target)
    for n in SIZES:
        for layout in MEMORY:
            x = xp.asarray(in_memory(safe[:n], layout))
            result = at_every_level(lambda x: xp.astype(x, target), x)
            assert_same(result, expected[:n], signs=True)
            # Out of range, where only the instruction sets agree.
            at_every_level(
                lambda x: xp.astype(x, target), xp.asarray(in_memory(values[:n], layout))
            )


def long_integers(dtype):
    """Integers of 64 bits next to where float64 rounds them, ties, the extremes, and any others."""
    info = np.iinfo(dtype)
    rng = np.random.default_rng(13)
    found = {0, 1, info.min, info.max, info.min + 1, info.max - 1}
    for power in range(30, 64):
        for k in (-3, -2, -1, 0, 1, 2, 3):
            found |= {2**power + k, -(2**power) + k, 3 * 2**power // 2 + k}
    for power in range(53, 64):  # halfway between two float64, and next to it
        for k in range(-1, 2):
            found |= {2**power + 2 ** (power - 53) + k, -(2**power) - 3 * 2 ** (power - 53) + k}
    found |= {int(x) for x in rng.integers(info.min, info.max, 500, dtype)}
    return [x for x in sorted(found) if info.min <= x <= info.max]


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("target", ["float32", "float64"])
def test_long_integers_are_rounded_once(dtype, target):
    integers = long_integers(dtype)
    result = at_every_level(
        lambda x: xp.astype(x, target), xp.asarray(np.asarray(integers, dtype=dtype))
    )
    # Python rounds integers to the nearest float64, and NumPy those to float32 that it takes.
    exact = [Fraction(float(x)) for x in np.asarray(result)]
    for x, value in zip(integers, exact, strict=True):
        if target == "float64":
            assert value == Fraction(float(x))
        else:
            rounded = Fraction(float(np.float32(np.asarray(x, dtype))))
            assert value == rounded


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("target", ["int64", "uint64", "uint32"])
def test_floats_are_truncated_to_long_integers(dtype, target):
    info = np.iinfo(target)
    numbers = [0.0, -0.0, 0.5, -0.5, 0.99, 1.5, 2.5, -1.99, 5e-324, -5e-324]
    for power in (1, 10, 23, 24, 30, 31, 32, 33, 50, 51, 52, 53, 54, 62, 63, 64, 65, 100):
        for sign in (1, -1):
            near = np.asarray(sign * 2.0**power, dtype)
            numbers += [
                near,
                *(np.nextafter(near, np.asarray(to, dtype)) for to in (0, sign * 1e38)),
            ]
            numbers += [near + np.asarray(sign * 0.5, dtype), near - np.asarray(sign * 0.5, dtype)]
    rng = np.random.default_rng(14)
    numbers += list(rng.uniform(-1, 1, 300) * 2.0 ** rng.integers(0, 64, 300))
    numbers += [np.inf, -np.inf, np.nan]
    array = np.asarray(numbers).astype(dtype)
    # In every order, so that numbers of all kinds are in one vector, and in separate ones.
    for order in (array, np.sort(array), rng.permutation(array)):
        result = at_every_level(lambda x: xp.astype(x, target), xp.asarray(order))
        for given, value in zip(order, np.asarray(result), strict=True):
            if np.isfinite(given) and info.min <= int(given) <= info.max:
                assert int(value) == int(given)
            assert value == np.asarray(xp.astype(xp.asarray(given), target))
            if target == "int64" and not -(2.0**63) <= given < 2.0**63:
                assert value == info.min  # as the processor does it


@pytest.mark.parametrize("target", DTYPE_NAMES)
def test_casts_of_bools_of_any_bytes(target):
    array = np.random.default_rng(15).choice([0, 1, 2, 128, 255], MOST).astype("uint8")
    expected = (array != 0).astype(target)
    for n in SIZES:
        x = xp.asarray(array[:n].view(bool))
        assert_same(at_every_level(lambda x: xp.astype(x, target), x), expected[:n])


@pytest.mark.parametrize(("operation", "dtype"), cases(INPLACE))
def test_in_place(operation, dtype):
    values, others = numbers(operation, dtype, seed=14), numbers(operation, dtype, seed=15)
    expected = expected_binary(operation, values, others)
    if expected.dtype != values.dtype:
        return

    def compute(layout, other):
        target = xp.asarray(in_memory(values[: other.shape[0]], layout))
        return IN_PLACE_OPERATORS[operation](target, other)

    for n in SIZES:
        for layout in MEMORY:
            result = at_every_level(
                compute, layout, xp.asarray(others[:n]), fused=is_product(operation, dtype)
            )
            same_as_numpy(operation, result, expected[:n])


@pytest.mark.parametrize("operation", ["equal", "less", "less_equal", "logical_and", "logical_xor",
                                       "logical_not", "bitwise_xor", "bitwise_invert", "add",
                                       "multiply", "maximum", "minimum"])  # fmt: skip
def test_bools_of_any_bytes(operation):
    rng = np.random.default_rng(16)
    x, y = (rng.choice([0, 1, 2, 255], MOST).astype("uint8") for _ in range(2))
    operands = (x,) if operation in UNARY else (x, y)
    expected = getattr(np, operation)(*(o.astype(bool) for o in operands))
    for n in SIZES:
        tensors = [xp.asarray(o[:n].view(bool)) for o in operands]
        result = at_every_level(getattr(xp, operation), *tensors)
        assert_same(result, expected[:n])
        assert set(np.asarray(result).view("uint8")) <= {0, 1}


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "float64", "complex128"])
def test_every_other_element_from_any_address(dtype):
    itemsize = np.dtype(dtype).itemsize
    for start in range(0, 130, min(itemsize, 8)):
        for n in (1, 16, 63, 64, 65, 129, 300):
            # The last element ends with the memory.
            memory = np.arange(start + (2 * n - 1) * itemsize, dtype="uint8")
            x = memory[start:].view(dtype)[::2]
            result = at_every_level(lambda x: xp.asarray(x, copy=True), xp.asarray(x, copy=False))
            assert np.asarray(result).tobytes() == x.tobytes()


@pytest.mark.parametrize(("operation", "dtype"), cases(["subtract", "less"]))
def test_operands_that_alternate_in_memory(operation, dtype):
    function, theirs = getattr(xp, operation), getattr(np, operation)
    values = numbers(operation, dtype, 18)
    for n in (2, 30, 62, 130, 500, MOST):
        for first, second in ((0, 1), (1, 0)):
            x = values[:n]
            tensor = xp.asarray(x)
            operands = tensor[first::2], tensor[second::2]
            with np.errstate(all="ignore"):
                expected = theirs(x[first::2], x[second::2])
            assert_same(at_every_level(function, *operands), expected)
            if operation == "subtract":
                changed, others = xp.asarray(x, copy=True), x.copy()
                changed[first::2] -= changed[second::2]
                with np.errstate(all="ignore"):
                    others[first::2] -= others[second::2]
                assert_same(changed, others)


def rounded(exact, dtype):
    """The float nearest to a rational number."""
    about = dtype(float(exact))
    neighbours = (about, np.nextafter(about, dtype(-np.inf)), np.nextafter(about, dtype(np.inf)))
    return min(neighbours, key=lambda value: abs(Fraction(float(value)) - exact))


@pytest.mark.parametrize("level", FUSED)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_products_are_fused(dtype, level):
    """Of three products in a component, the sum and one are rounded, for any size and layout."""
    rng = np.random.default_rng(18)
    real = np.finfo(dtype).dtype.type
    parts = rng.standard_normal((4, 40)).astype(real)
    a, b = np.empty((2, 40), dtype=dtype)
    a.real, a.imag, b.real, b.imag = parts

    def product(x, y):
        (p, q), (r, s) = ([Fraction(float(part)) for part in (z.real, z.imag)] for z in (x, y))
        subtrahend, addend = (Fraction(float(rounded(z, real))) for z in (q * s, q * r))
        return complex(rounded(p * r - subtrahend, real), rounded(p * s + addend, real))

    core.use_simd(level)
    expected = np.asarray([product(x, y) for x, y in zip(a, b, strict=True)], dtype=dtype)
    first = np.asarray([product(a[0], y) for y in b], dtype=dtype)
    last = np.asarray([product(x, b[0]) for x in a], dtype=dtype)
    squares = np.asarray([product(x, x) for x in a], dtype=dtype)
    for n in (1, 2, 3, 7, 8, 17, 40):
        for layout, other in zip(MEMORY, MEMORY[::-1], strict=True):
            x, y = xp.asarray(in_memory(a[:n], layout)), xp.asarray(in_memory(b[:n], other))
            assert_same(x * y, expected[:n])
            assert_same(xp.asarray(a[:1]) * y, first[:n])
            assert_same(x * xp.asarray(b[:1]), last[:n])
            assert_same(x * b[0].item(), last[:n])
            assert_same(a[0].item() * y, first[:n])
            assert_same(x**2, squares[:n])
            assert_same(xp.square(x), squares[:n])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_magnitude_is_within_one_unit_in_the_last_place(dtype):
    rng = np.random.default_rng(17)
    component = np.finfo(dtype).dtype
    info = np.finfo(component)
    n = 20000
    exponents = rng.uniform(info.minexp - 20, info.maxexp - 1, n)
    apart = rng.uniform(-30, 2, n)
    values = np.empty(n, dtype=dtype)
    values.real = rng.uniform(1, 2, n) * np.exp2(exponents) * rng.choice([-1, 1], n)
    values.imag = rng.uniform(1, 2, n) * np.exp2(np.minimum(exponents + apart, info.maxexp - 2))
    # Five more digits than float64's are enough to tell 1 from 1.01 units; x87's has eleven.
    wide = [part.astype(np.longdouble) for part in (values.real, values.imag)]
    exact = np.hypot(*wide)
    unit = np.spacing(exact.astype(component)).astype(np.longdouble)
    for level in LEVELS:
        core.use_simd(level)
        result = np.asarray(xp.abs(xp.asarray(values))).astype(np.longdouble)
        assert (abs(result - exact) / unit).max() <= 1.0
        turned = np.asarray(xp.abs(xp.asarray(values * np.asarray(1j, dtype=dtype))))
        assert (abs(turned.astype(np.longdouble) - exact) / unit).max() <= 1.0
