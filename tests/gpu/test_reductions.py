"""Reductions and scans of the GPU backend against the CPU's and math.fsum."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from agreement import to_numpy
from strategies import DTYPE_NAMES, random_array

import corepy

REDUCTIONS = "sum prod min max all any count_nonzero argmin argmax mean var std".split()
SCANS = ["cumulative_sum", "cumulative_prod"]


def numbers(dtype, *shape, seed=0):
    """Few different elements, so that extremes occur several times, and zeros."""
    if np.dtype(dtype).kind in "biu":
        return np.fmod(random_array(dtype, shape, seed), 100).astype(dtype)
    x = np.round(random_array("complex128", shape, seed) * 4) / 3
    return (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)


def near_one(dtype, *shape, seed=0):
    if np.dtype(dtype).kind in "biu":
        return (random_array(dtype, shape, seed) % 3).astype(dtype)
    return random_array(dtype, shape, seed, near_one=True)


@pytest.fixture
def reduce(agree):
    """Compare a reduction or scan; sums and products are as exact as the largest result."""

    def compare(name, x, **keywords):
        exact = name.startswith(("arg", "m")) and name != "mean"
        agree(name, x, **({} if exact else {"error": 16, "signs": name == "sum"}), **keywords)

    return compare


# ---- dtypes, and kinds of shapes

SHAPES = [
    ((1,), None), ((3,), None), ((40,), None), ((700,), None), ((2100,), None), ((40, 64), 1),
    ((9, 5), 1), ((5, 40), 0), ((37, 64), 0), ((3, 20, 5), 1), ((3, 8, 4), (0, 2)), ((), None),
]  # fmt: skip
EMPTY = [((0,), None), ((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), 0), ((3, 0), 1)]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_each_dtype(reduce, name):
    for dtype in DTYPE_NAMES:
        short = 12 if name == "prod" else 300
        reduce(name, numbers(dtype, short))
        reduce(name, numbers(dtype))
        reduce(name, numbers(dtype, min(5, short), 40), axis=0)
        for shape, axis in EMPTY:
            reduce(name, np.empty(shape, dtype), axis=axis)


@pytest.mark.parametrize("name", SCANS)
def test_scans_of_each_dtype(reduce, name):
    for dtype in DTYPE_NAMES:
        reduce(name, near_one(dtype, 150))
        reduce(name, near_one(dtype, 20, 9), axis=0, include_initial=True)
        for (shape, axis), initial in itertools.product(EMPTY, (False, True)):
            reduce(name, np.empty(shape, dtype), axis=axis, include_initial=initial)
    reduce(name, np.asarray(3.0), include_initial=True)


@pytest.mark.parametrize("name", ["sum", "argmax", "var", "any"])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_shapes(reduce, name, dtype):
    for shape, axis in SHAPES:
        reduce(name, numbers(dtype, *shape), axis=axis)
        reduce(name, numbers(dtype, *shape), axis=axis, keepdims=True)


#: Around the sizes of packs, warps, blocks and tiles.
LENGTHS = [
    *(1, 2, 4, 15, 16, 17, 31, 32, 33, 64, 127, 128, 129, 511, 513, 1023, 1025, 2047, 2048, 2049),
    *(4097, 8193, 12000, 20000),
]


@pytest.mark.parametrize(("name", "dtype"), [
    ("sum", "float64"), ("argmin", "float64"), ("max", "float64"), ("cumulative_sum", "float32"),
    ("cumulative_sum", "int64"),
])  # fmt: skip
def test_lengths(reduce, name, dtype):
    for n in LENGTHS:
        x = numbers(dtype, n + 1, seed=n)
        reduce(name, x, view=lambda a: a[:-1])
        reduce(name, x, view=lambda a: a[1:])
        reduce(name, numbers(dtype, 3, n, seed=n), axis=1)
        reduce(name, numbers(dtype, n, 3, seed=n), axis=0)
        if name in SCANS:
            reduce(name, x, include_initial=True)


@pytest.mark.parametrize("name", SCANS)
def test_tiles_that_blocks_share(agree, name):
    """As many as have groups."""
    agree(name, near_one("float32", 140000), ulp=40000)
    agree(name, near_one("int16", 70001), include_initial=True)
    agree(name, near_one("float64", 2, 30000), axis=1, ulp=8000)


def test_groups_of_groups_of_tiles(gpu):
    """More than 1,024 tiles, of 1,024 elements: the sums before them are of three levels."""
    n = 1024 * 1024 + 70_000
    x = near_one("complex128", 1, seed=4) * np.ones(n)
    x[::1000] += 1j
    running = to_numpy(gpu.cumulative_sum(gpu.asarray(x)))
    for place in (0, 1023, 1024 * 32, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1056 + 5, n - 1):
        for part in (np.real, np.imag):
            want = math.fsum(part(x[: place + 1]))
            assert part(running[place]) == pytest.approx(want, rel=1e-14)
    differences = np.diff(running)
    np.testing.assert_allclose(differences, x[1:], atol=1e-8)


VIEWS = [
    lambda a: a[::2, ::3, ::-1], lambda a: a[::-1, :, 1:], lambda a: a[:, ::-2, 2:9],
    lambda a: a[1:4, :1, :], lambda a: a[:, :, :32], lambda a: corepy.permute_dims(a, (2, 1, 0)),
    lambda a: corepy.permute_dims(a, (1, 2, 0)), lambda a: corepy.permute_dims(a, (0, 2, 1)),
    lambda a: corepy.broadcast_to(a[:1, :, :1], (4, 40, 3)),
]  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "argmin", "mean", "std", "all", "cumulative_sum"])
def test_layouts(reduce, name):
    x = numbers("float32", 6, 40, 34)
    for view, axis in itertools.product(VIEWS, (0, 1, 2) if name in SCANS else (0, 1, 2, None)):
        reduce(name, x, view=view, axis=axis)
        if name in SCANS:
            reduce(name, x, view=view, axis=axis, include_initial=True)


def test_many_axes(reduce):
    x = numbers("float64", *(2,) * 12)
    view = lambda a: a[(slice(None, None, -1),) * 12]
    for axis in [tuple(range(0, 12, 2)), tuple(range(1, 12, 2)), (3, 4, 5), (0, 11), ()]:
        reduce("sum", x, axis=axis, keepdims=True)
        reduce("max", x, axis=axis, view=view)
    for axis in (0, 7, 11):
        reduce("argmax", x, axis=axis, view=view)
        reduce("cumulative_sum", x, axis=axis, view=view)


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum"])
def test_dtype_casts_first(agree, name):
    for source, target in [
        ("int8", "int16"), ("uint8", "float32"), ("float32", "float64"), ("float64", "float32"),
        ("bool", "uint8"), ("int32", "complex64"), ("float64", "int32"),
    ]:  # fmt: skip
        agree(name, numbers(source, 3, 11), axis=0, dtype=np.dtype(target), error=16, signs=False)


def test_errors(agree):
    for name in [*REDUCTIONS, *SCANS]:
        for axis in (2, (0, -2)):
            agree(name, np.ones((2, 3)), axis=axis)


# ---- special numbers


@pytest.mark.parametrize(("shape", "axis"), [((4096,), None), ((4096, 2), 0), ((2, 4096), 1)])
def test_nan(reduce, shape, axis):
    for place in (0, 5, 300, 1023, 4000):
        x = random_array("float64", shape, place)
        np.moveaxis(x, axis or 0, 0)[[place, 4050]] = np.nan
        for name in ("max", "min", "sum", "var", "argmax", "argmin"):
            reduce(name, x, axis=axis)


def test_infinities_zeros_and_limits(reduce):
    inf, nan = np.inf, np.nan
    for values in [
        [-inf], [inf, -inf], [-inf] * 40, [inf, 1.0], [inf, 0.0, 1.0], [0.0, -0.0], [-0.0] * 3,
        [-0.0] * 40, [-0.0] * 700, [-0.0] * 3000, [1.0, nan, 2.0], [inf, -inf, 1.0] * 20,
        [complex(-0.0, -0.0)] * 70,
    ]:  # fmt: skip
        x = np.asarray(values)
        for name in ("sum", "mean", "max", "min", "argmax", "argmin", "prod", *SCANS):
            reduce(name, x)
    for dtype in ("int8", "int32", "uint8", "int64", "uint64"):
        limits = np.iinfo(dtype)
        x = np.asarray([limits.max, limits.min, limits.max] * 300, dtype=dtype)
        for name in ("sum", "min", "max", "argmin", "argmax", *SCANS):
            reduce(name, x)


def test_products_come_back_to_the_range_of_numbers(gpu):
    def product(values):
        return to_numpy(gpu.prod(gpu.asarray(values))).item()

    assert product([1e200, 1e200, 1e-200, 1e-200] * 300) == pytest.approx(1.0)
    assert product([5e-324, 1e300, 1e20]) == pytest.approx(4.94065645841246544e-4)
    assert product([1e-200, 1e-120, 1.0]) == 1e-200 * 1e-120
    assert product([2.0] * 5000) == math.inf and product([0.5] * 5000) == 0.0
    values = [1e200, 1e200j, 1e-200, 1e-200j] * 50
    assert product(values) == pytest.approx(1.0)
    values = [1e200, 1e200, 1e-200, 1e-200, 1e-200, 1e-200, 1e200, 1e200]
    want = [1e200, math.inf, 1e200, 1.0, 1e-200, 0.0, 1e-200, 1.0]
    np.testing.assert_allclose(to_numpy(gpu.cumulative_prod(gpu.asarray(values))), want, rtol=1e-15)


def test_float32_sums_do_not_overflow_on_the_way(gpu):
    largest = float(np.finfo(np.float32).max)
    x = gpu.asarray([largest, largest, -largest, -largest, 1.0], dtype="float32")
    assert float(gpu.sum(x)) == 1.0
    assert math.isinf(float(gpu.mean(x[:2])))  # the mean of a sum that is not finite


# ---- accuracy


def test_sums_are_accurate(gpu):
    x = np.random.default_rng(1).random(60000)
    for n, dtype in itertools.product((1000, 30000, 60000), ("float64", "float32")):
        values = x[:n].astype(dtype)
        places = range(0, n, 997)
        want = np.asarray([math.fsum(values[: i + 1]) for i in places])
        units = np.spacing(want.astype(dtype)).astype("float64")
        bars = (4, 24) if dtype == "float64" else (0.5001, 0.5001)  # NumPy's scans: 100
        for t in (gpu.asarray(values), gpu.asarray(np.stack([values, values], axis=1))):
            total = to_numpy(gpu.sum(t[: places[-1] + 1, ...], axis=0)).astype("float64")
            assert np.max(np.abs(total - want[-1])) <= bars[0] * units[-1]
            running = to_numpy(gpu.cumulative_sum(t, axis=0)).reshape(n, -1)[places, 0]
            assert np.max(np.abs(running - want) / units) <= bars[1]


@pytest.mark.parametrize("outlier", [0.0, 50.0])
def test_spread_keeps_its_digits(gpu, outlier):
    """Also where the mean is large, and where the first element is far from all others."""
    for shift in (0.0, 1e6, 1e9):
        x = random_array("float64", (3000,), 2) + shift
        x[0] += outlier
        want = np.var(x.astype(np.longdouble))
        for got in (gpu.var(gpu.asarray(x)), gpu.var(gpu.asarray(x[:, None]), axis=0)[0]):
            assert float(got) == pytest.approx(float(want), rel=1e-14)
        got = gpu.std(gpu.asarray(x), correction=1)
        want = np.std(x.astype(np.longdouble), ddof=1)
        assert float(got) == pytest.approx(float(want), rel=1e-14)


@pytest.mark.parametrize("name", ["var", "std"])
def test_correction(agree, name):
    for correction in (0, 1.5, 3, 4):
        agree(name, np.asarray([1.0, 2.0, 4.0]), correction=correction, ulp=4)


# ---- the same bits for any number of blocks, and any alignment


@pytest.fixture
def same_bits(gpu, set_blocks):
    def compare(x, name, axis, blocks=(1, 3, 100000), shift=0):
        apart = gpu.asarray(np.concatenate([np.zeros(shift), x.ravel()]).astype(x.dtype))
        found = set()
        for count, t in itertools.product(blocks, (gpu.asarray(x), apart[shift:])):
            set_blocks(count)
            result = getattr(gpu, name)(gpu.reshape(t, x.shape), axis=axis)
            found.add(to_numpy(result).tobytes())
        assert len(found) == 1

    return compare


@pytest.mark.parametrize("name", ["sum", "var", "prod", "cumulative_sum"])
def test_blocks_and_alignment_do_not_matter(same_bits, name):
    for dtype, shape, axis in [
        ("float64", (30000,), 0), ("float32", (5000,), 0), ("float32", (700, 40), 0),
        ("float32", (700, 40), 1), ("float64", (9000, 3), 0), ("float64", (7, 96), 1),
        ("float32", (3, 6000), 1), ("float64", (90000,), 0),
    ]:  # fmt: skip
        same_bits(random_array(dtype, shape, 3), name, axis, shift=1)
