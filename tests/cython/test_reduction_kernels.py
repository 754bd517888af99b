"""Reductions on every instruction set and number of threads: the same bits, and the right ones."""

import math
from fractions import Fraction

import numpy as np
import pytest
from strategies import DTYPE_NAMES, assert_same, random_array

import corepy.array_api as xp
from corepy import Tensor

OPERATIONS = (
    "all any argmax argmin count_nonzero max mean min prod std sum var"
).split()  # fmt: skip

# Shapes with the axes to reduce, so chosen that each way through the driver and the kernels is
# taken: runs and rows, wide and narrow, short and long, in one piece and in many.
CASES = {
    "one element": ((1,), (None,)),
    "few": ((7,), (None, 0)),
    "a block and a bit": ((1100,), (None,)),
    "long": ((140_007,), (None,)),
    "three columns": ((12_000, 3), (None, 0, 1)),
    "eight columns": ((5_000, 8), (0, 1)),
    "three rows": ((3, 12_000), (None, 0, 1)),
    "square": ((310, 220), (None, 0, 1)),
    "wide": ((40, 2_000), (0, 1)),
    "cube": ((30, 40, 20), (None, 0, 1, 2, (0, 1), (0, 2), (1, 2))),
    "short inner axis": ((900, 10, 4), (None, 0, 1, 2, (0, 2), (0, 1))),
    "singletons": ((1, 500, 1, 3, 1), (None, 0, 1, 3, (1, 3))),
}
LAYOUTS = {
    "C order": lambda x: x,
    "F order": np.asfortranarray,
    "backwards": lambda x: np.flip(np.flip(x).copy()),
    "every other": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "part of rows": lambda x: np.concatenate([x, x], axis=-1)[..., : x.shape[-1]],
    "first axis repeated": lambda x: np.broadcast_to(x[:1], x.shape),
    "last axis repeated": lambda x: np.broadcast_to(x[..., :1], x.shape),
}


def takes(operation, dtype):
    return np.dtype(dtype).kind != "c" or operation not in ("argmax", "argmin", "max", "min")


def accumulated(operation, array):
    """What NumPy is to compute with: the standard's dtype, and more digits for rounded results."""
    kind = array.dtype.kind
    if operation in ("sum", "prod") and kind in "biu":
        return array.astype("uint64" if kind == "u" else "int64")
    if operation in ("sum", "mean", "var", "std", "prod"):
        return array.astype(np.clongdouble if kind == "c" else np.longdouble)
    return array


def check(operation, result, array, axis):
    exact = np.asarray(getattr(np, operation)(accumulated(operation, array), axis=axis))
    if exact.dtype.kind not in "fc" or operation in ("max", "min"):
        return assert_same(result, exact)
    values = np.asarray(result)
    assert values.shape == exact.shape
    epsilon = np.finfo(values.dtype).eps
    sizes = np.abs(accumulated(operation, array))
    scale = np.sum(sizes, axis=axis)
    if operation == "prod":
        scale, epsilon = np.abs(exact), epsilon * array.size
    elif operation == "var":
        scale = exact + np.sqrt(exact) * np.max(sizes) + 1e3 * epsilon * np.max(sizes) ** 2
    elif operation == "std":
        scale = exact + 8 * np.max(sizes)
    elif operation == "mean":
        scale = scale / (array.size // max(exact.size, 1))
    within = np.abs(values - exact) <= 8 * epsilon * scale + np.finfo(values.dtype).tiny
    assert np.all(within | (values == exact)), (operation, axis)
    return None


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("case", CASES)
def test_every_way_through_on_every_level(case, dtype, levels):
    shape, axes = CASES[case]
    for layout, lay in LAYOUTS.items():
        array = lay(random_array(dtype, shape))
        for operation in OPERATIONS:
            if not takes(operation, dtype):
                continue
            values = array
            if operation == "prod" and array.dtype.kind in "fc":
                # Far from the ends of the range.
                values = np.exp(array.real / max(50, array.size / 100)).astype(dtype)
            for axis in axes:
                if operation.startswith("arg") and isinstance(axis, tuple):
                    continue
                results = []
                for _level in levels():
                    results.append(getattr(xp, operation)(Tensor(values), axis=axis))
                check(operation, results[0], values, axis)
                distinct = {np.asarray(result).tobytes() for result in results}
                assert len(distinct) == 1, (operation, layout, axis)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64", "complex128"])
def test_threads_change_nothing(dtype, numbers_of_threads):
    for shape, axes in [
        ((2_000_001,), (None,)),
        ((700_000, 3), (None, 0, 1)),
        ((3, 700_000), (0, 1)),
        ((1500, 1400), (None, 0, 1)),
        ((90, 200, 100), (0, (0, 2), (0, 1))),
    ]:
        array = random_array(dtype, shape)
        for operation in OPERATIONS:
            if not takes(operation, dtype):
                continue
            for axis in axes:
                if operation.startswith("arg") and isinstance(axis, tuple):
                    continue
                results = {
                    np.asarray(getattr(xp, operation)(Tensor(array), axis=axis)).tobytes()
                    for _n in numbers_of_threads()
                    for _again in range(2)
                }
                assert len(results) == 1, (operation, shape, axis)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("offset", [0, 1e3, 1e6])
def test_variances_are_exact_to_a_few_places(dtype, offset):
    array = (np.random.default_rng(1).standard_normal(5000) + offset).astype(dtype)
    exact = [Fraction(float(a)) for a in array]
    mean = sum(exact) / len(exact)
    for correction in (0, 1, 2.5):
        variance = sum((a - mean) ** 2 for a in exact) / (len(exact) - Fraction(correction))
        result = float(xp.var(Tensor(array), correction=correction))
        assert result == pytest.approx(float(variance), rel=float(4 * np.finfo(dtype).eps))
        result = float(xp.std(Tensor(array), correction=correction))
        assert result == pytest.approx(math.sqrt(variance), rel=float(4 * np.finfo(dtype).eps))


@pytest.mark.parametrize("operation", ["var", "std"])
@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_no_degree_of_freedom_left(operation, dtype):
    function = getattr(xp, operation)
    t = xp.ones((2, 3), dtype=dtype)
    for correction in (3, 4, 3.5):
        assert np.all(np.isnan(np.asarray(function(t, axis=1, correction=correction))))
    assert np.all(np.isnan(np.asarray(function(xp.ones((2, 0), dtype=dtype), axis=1))))
    assert function(xp.ones((0, 2), dtype=dtype), axis=1).shape == (0,)
    assert not np.any(np.asarray(function(t, axis=1)))
    with pytest.raises(TypeError, match=f"^{operation}: correction must be a real number"):
        function(t, correction=1j)
    with pytest.raises(TypeError, match=f"^{operation}: correction must be a real number"):
        function(t, correction="1")


@pytest.mark.parametrize("n", [1, 31, 32, 33, 511, 512, 513, 545, 4096, 4097, 100_000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_and_their_neighbours(n, dtype):
    array = np.random.default_rng(n).standard_normal(n).astype(dtype)
    exact = math.fsum(array)
    bound = 2 * np.finfo(dtype).eps * math.fsum(np.abs(array))
    if dtype == "float32":  # widened, and so rounded once
        bound = np.spacing(np.float32(abs(exact))) / 2 * (1 + 1e-6)
    assert abs(float(xp.sum(Tensor(array))) - exact) <= bound
    # Elements beyond the ends are not read.
    wide = np.concatenate([[np.nan], array, [np.nan]]).astype(dtype)
    assert float(xp.sum(Tensor(wide)[1:-1])) == float(xp.sum(Tensor(array)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_stay_in_range_where_one_after_the_other_does(dtype):
    info = np.finfo(dtype)
    pairs = np.asarray([info.max / 2, 1 / (info.max / 2)] * 200).astype(dtype)
    for layout in (pairs, np.repeat(pairs, 2)[::2], np.stack([pairs] * 3, axis=1)):
        result = np.asarray(xp.prod(Tensor(layout), axis=0))
        np.testing.assert_allclose(result, np.prod(layout.astype("longdouble"), axis=0), rtol=1e-3)


@pytest.mark.parametrize("n", [1, 7, 8, 31, 32, 33, 100, 128, 129, 2048, 2049, 6000])
@pytest.mark.parametrize("spread", [0, 1, 8, 60, 400])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_and_their_exponents(dtype, spread, n, levels):
    # Factors 2^e m whose exponents add up to about 0, but are large on the way to it.
    rng = np.random.default_rng(n + spread)
    spread = min(spread, 60) if dtype == "float32" else spread
    exponents = rng.integers(-spread, spread + 1, n)
    exponents[n // 2 * 2 - n // 2 : n // 2 * 2] = -exponents[: n // 2]
    mantissas = np.exp(rng.standard_normal(n) / 100).astype(dtype)
    array = np.ldexp(mantissas * rng.choice([-1, 1], n).astype(dtype), exponents.astype("int32"))
    exact = Fraction(1)
    for factor in array.tolist():
        exact *= Fraction(factor)
    results = set()
    for _level in levels():
        results.add(float(xp.prod(Tensor(array))))
        if n > 16:  # shorter rows are taken side by side
            rows = xp.prod(Tensor(np.stack([array, -array, array])), axis=1)
            results |= {float(rows[0]), float(rows[2])}
    (result,) = results
    # Each multiplication is rounded, in float64.
    bound = abs(exact) * Fraction((n + 1) * 2.0**-53 + float(np.finfo(dtype).eps))
    assert abs(Fraction(result) - exact) <= bound


@pytest.mark.parametrize("n", [5, 40, 100, 3000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_zeros_infinities_and_the_largest_numbers(dtype, n, levels):
    info = np.finfo(dtype)
    for place in (0, n // 2, n - 1):
        for value in (0.0, -0.0, np.inf, -np.inf, np.nan, info.max, info.smallest_subnormal):
            array = np.ones(n, dtype)
            array[place] = value
            for _level in levels():
                for values in (array, np.stack([array] * 9, axis=1), np.stack([array] * 2)):
                    result = np.asarray(
                        xp.prod(Tensor(values), axis=1 if values.shape[0] == 2 else 0)
                    )
                    np.testing.assert_array_equal(result, np.full_like(result, value))
                    assert np.isnan(value) or np.all(np.signbit(result) == np.signbit(value))
        array[place], array[place - 1] = 0, np.inf
        assert np.isnan(float(xp.prod(Tensor(array))))


@pytest.mark.parametrize("dtype", DTYPE_NAMES[:11])
@pytest.mark.parametrize("operation", ["argmax", "argmin", "max", "min"])
def test_ties_and_places(operation, dtype, levels):
    rng = np.random.default_rng(3)
    for shape in [(5000,), (300, 5), (5, 300), (260, 130)]:
        array = rng.integers(0, 2 if dtype == "bool" else 4, shape).astype(dtype)
        for _level in levels():
            for values in (array, array[::-1], np.asfortranarray(array), array[..., ::2]):
                for axis in (None, *range(array.ndim)):
                    assert_same(
                        getattr(xp, operation)(Tensor(values), axis=axis),
                        np.asarray(getattr(np, operation)(values, axis=axis)),
                    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("operation", ["argmax", "argmin", "max", "min"])
def test_the_first_nan(operation, dtype, levels):
    rng = np.random.default_rng(4)
    for shape in [(20_000,), (400, 5), (5, 400), (130, 140)]:
        array = rng.standard_normal(shape).astype(dtype)
        array[rng.random(shape) < 4 / array.size] = np.nan
        array[rng.random(shape) < 4 / array.size] = np.inf
        for _level in levels():
            for values in (array, np.asfortranarray(array), array[::-1]):
                for axis in (None, *range(array.ndim)):
                    assert_same(
                        getattr(xp, operation)(Tensor(values), axis=axis),
                        np.asarray(getattr(np, operation)(values, axis=axis)),
                    )


@pytest.mark.parametrize("operation", ["argmax", "argmin", "max", "min", "any", "all"])
def test_bytes_that_are_neither_0_nor_1(operation, levels):
    array = np.random.default_rng(5).choice([0, 1, 2, 255], (300, 70)).astype("uint8")
    normal = array != 0
    for _level in levels():
        for axis in (None, 0, 1):
            assert_same(
                getattr(xp, operation)(Tensor(array.view(bool)), axis=axis),
                np.asarray(getattr(np, operation)(normal, axis=axis)),
            )


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_one_element_settles_any_and_all(dtype, levels, numbers_of_threads):
    n = 500_000
    for place in (0, 1, 70_000, n - 1):
        lone = np.zeros(n, dtype=dtype)
        lone[place] = 1
        gap = np.ones(n, dtype=dtype)
        gap[place] = 0
        for _level in levels():
            for _n in numbers_of_threads():
                assert bool(xp.any(Tensor(lone))) is True
                assert bool(xp.all(Tensor(gap))) is False
                assert int(xp.count_nonzero(Tensor(lone))) == 1
                if np.dtype(dtype).kind != "c":
                    assert int(xp.argmax(Tensor(lone))) == place
                    assert int(xp.argmin(Tensor(gap))) == place
        assert bool(xp.any(xp.zeros(n, dtype=dtype))) is False
        assert bool(xp.all(xp.ones(n, dtype=dtype))) is True


@pytest.mark.parametrize("operation", ["argmax", "argmin"])
@pytest.mark.parametrize("n", [300, 450, 700])
def test_the_first_bool_in_another_order_of_memory(operation, n):
    """A value that nothing exceeds is found early in memory, and may be late in the array."""
    array = np.random.default_rng(n).random((n, n)) < 0.5
    for values in (array.T, np.asfortranarray(array)[::-1, ::-1]):
        found = getattr(xp, operation)(Tensor(values))
        assert int(found) == getattr(np, operation)(values)


def test_counts_beyond_a_byte(levels):
    array = np.ones((3000, 70), dtype="uint8")
    for _level in levels():
        for values in (array, array.T, array[:, ::2]):
            for axis in (None, 0, 1):
                assert_same(
                    xp.count_nonzero(Tensor(values), axis=axis),
                    np.asarray(np.count_nonzero(values, axis=axis)),
                )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_order_of_elements_does_not_decide_which_zero_is_the_extreme(dtype, layout, levels):
    rng = np.random.default_rng(0)
    for shape, axes in CASES.values():
        array = LAYOUTS[layout](rng.choice([0.0, -0.0, 1.0, 2.0], shape).astype(dtype))
        for axis in axes:
            negative = np.signbit(array).any(axis=axis)  # there is a -0
            for _level in levels():
                least = np.asarray(xp.min(Tensor(array), axis=axis))
                greatest = np.asarray(xp.max(Tensor(-array), axis=axis))
                np.testing.assert_array_equal(np.signbit(least), negative)
                np.testing.assert_array_equal(np.signbit(greatest), ~negative)
