"""Sorting, searching and unique elements of the CPU, against NumPy, on every instruction set."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import in_threads
from strategies import DTYPE_NAMES

import corepy
import corepy.array_api as xp
from corepy._cython.cpu import sorting

pytestmark = pytest.mark.usefixtures("level")

REAL = DTYPE_NAMES[:-2]
# Around the ends of registers and blocks, and large enough for every way to sort.
SIZES = [0, 1, 2, 3, 17, 63, 64, 65, 300, 5000, 70_000, 140_000]


def draw_array(dtype, size, seed, kind="wide"):
    """Random elements: of the whole range of a dtype, few of them different, or special values."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(bool)
    if dtype.kind == "c":
        array = np.empty(size, dtype)
        array.real, array.imag = (draw_array("float64", size, seed + k, kind) for k in (0, 100))
        array.real[::3] = array.real[: len(array.real[::3])]  # some differ in one component alone
        return array
    if dtype.kind in "iu":
        if kind != "wide":
            return rng.integers(0, 5, size).astype(dtype) - dtype.type(
                2 if dtype.kind == "i" else 0
            )
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
    if kind == "wide":
        return (rng.standard_normal(size) * 10.0 ** rng.integers(-30, 30, size)).astype(dtype)
    values = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.0, -1.0, 5e-324, 1e-45])
    return values.astype(dtype)[rng.integers(0, len(values), size)]


def bits_of(array):
    """The bits of an array, in which zeros of both signs and NaNs differ."""
    array = np.asarray(array)
    return array.view(f"u{array.itemsize}") if array.dtype.kind == "f" else array


def sorted_stably(array, axis, descending):
    """NumPy's stable sort; descending order by a sort of the reversed array, reversed."""
    if not descending:
        order = np.argsort(array, axis=axis, kind="stable")
    else:
        last = array.shape[axis] - 1
        order = last - np.argsort(np.flip(array, axis), axis=axis, kind="stable")
        order = np.flip(order, axis)
    return order, np.take_along_axis(array, order, axis=axis)


@pytest.fixture
def fallback_sorters():
    """Sort without NumPy's functions."""
    sorting.use_numpy_sorters(False)
    yield
    sorting.use_numpy_sorters(True)


@pytest.mark.usefixtures("fallback_sorters")
@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("kind", ["wide", "special"])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("shape", [(0,), (1,), (17,), (5000,), (140_000,), (40, 7), (3, 50)])
def test_sorting_without_numpy(dtype, kind, descending, shape):
    array = draw_array(dtype, int(np.prod(shape)), 5, kind).reshape(shape)
    order, expected = sorted_stably(array, -1, descending)
    x = xp.asarray(array)
    found = xp.sort(x, descending=descending)
    assert np.array_equal(bits_of(found), bits_of(expected))
    assert np.array_equal(np.asarray(xp.argsort(x, descending=descending)), order)
    assert np.array_equal(
        np.asarray(xp.isin(x, xp.reshape(x, (-1,))[::3])), np.isin(array, array.reshape(-1)[::3])
    )


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("kind", ["wide", "special"])
@pytest.mark.parametrize("size", SIZES)
def test_sorting_is_stable_to_the_bit(dtype, kind, size):
    array = draw_array(dtype, size, size, kind)
    x = xp.asarray(array)
    for descending in (False, True):
        order, values = sorted_stably(array, -1, descending)
        np.testing.assert_array_equal(xp.argsort(x, descending=descending), order)
        np.testing.assert_array_equal(
            bits_of(xp.sort(x, descending=descending)), bits_of(values), strict=True
        )


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("length", range(2, 18))
def test_many_short_lines(dtype, length):
    """Columns of lines are sorted at once, where no line has zeros of both signs or NaN."""
    for lines, kind in [(15, "wide"), (16, "few"), (1000, "wide"), (1500, "special")]:
        array = draw_array(dtype, lines * length, length, kind).reshape(lines, length)
        for x, axis in ((array, 1), (array.T, 0), (np.ascontiguousarray(array.T), 0)):
            for descending in (False, True):
                _, expected = sorted_stably(x, axis, descending)
                result = xp.sort(xp.asarray(x), axis=axis, descending=descending)
                np.testing.assert_array_equal(bits_of(result), bits_of(expected))


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((2, 2), 0), ((5, 1), 0), ((2, 3000), 0), ((60, 8), 0), ((100, 100), 0), ((255, 130), 0),
     ((257, 70), 0), ((2100, 70), 0), ((17000, 2), 0), ((5, 30, 9), 1), ((5, 30, 9), 0),
     ((300, 20, 1), 1), ((3, 0, 4), 1), ((0, 3, 4), 1)],
)  # fmt: skip
def test_lines_across_rows(dtype, shape, axis):
    """They are sorted tile by tile, unless a tile would be too large."""
    for kind in ("wide", "special"):
        array = draw_array(dtype, int(np.prod(shape)), 7, kind).reshape(shape)
        for x in (array, np.asfortranarray(array), array[..., ::-1]):
            for descending in (False, True):
                _, expected = sorted_stably(x, axis, descending)
                result = xp.sort(corepy.asarray(x), axis=axis, descending=descending)
                np.testing.assert_array_equal(bits_of(result), bits_of(expected), strict=True)
                assert result.base is None


@pytest.mark.parametrize("outlier", [2**63 - 1, -(2**63)])
def test_an_outlier_leaves_the_order_of_the_others(outlier):
    # Keys and indices then need more than 64 bits, and most keys are equal in those that fit.
    array = np.random.default_rng(0).integers(0, 1000, 5000)
    array[77] = outlier
    array[78] = -5 if outlier > 0 else 5000
    np.testing.assert_array_equal(xp.argsort(xp.asarray(array)), np.argsort(array, kind="stable"))
    expected = sorted_stably(array, 0, True)[0]
    np.testing.assert_array_equal(xp.argsort(xp.asarray(array), descending=True), expected)


@pytest.mark.parametrize("size", [1 << 16, 200_001])
@pytest.mark.parametrize("order", ["ascending", "descending", "one value", "two values"])
def test_large_lines_of_little_disorder(size, order):
    array = np.arange(size, dtype="float64")
    if order == "descending":
        array = array[::-1].copy()
    elif order == "one value":
        array[:] = 3.0
    elif order == "two values":
        array = (array % 2).copy()
    x = xp.asarray(array)
    np.testing.assert_array_equal(xp.sort(x), np.sort(array))
    np.testing.assert_array_equal(xp.argsort(x), np.argsort(array, kind="stable"))


@given(
    dtype=st.sampled_from(REAL),
    shape=st.lists(st.integers(0, 9), min_size=1, max_size=4),
    data=st.data(),
)
def test_sorting_along_any_axis_of_any_layout(dtype, shape, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    kind = data.draw(st.sampled_from(["wide", "special"]))
    array = draw_array(dtype, int(np.prod(shape)), 1, kind).reshape(shape)
    x = xp.asarray(array)
    if data.draw(st.booleans()):
        order = data.draw(st.permutations(range(len(shape))))
        array, x = array.transpose(order), xp.permute_dims(x, tuple(order))
    if data.draw(st.booleans()):
        array, x = array[::-2], x[::-2]
    for descending in (False, True):
        order, values = sorted_stably(array, axis, descending)
        ours = xp.argsort(x, axis=axis, descending=descending)
        np.testing.assert_array_equal(ours, order, strict=True)
        ours = xp.sort(x, axis=axis, descending=descending)
        np.testing.assert_array_equal(bits_of(ours), bits_of(values), strict=True)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("kind", ["wide", "special"])
@pytest.mark.parametrize("size", [0, 1, 2, 16, 17, 31, 33, 64, 65, 1000, 20_000])
def test_searchsorted(dtype, kind, size):
    table = np.sort(draw_array(dtype, size, 3, kind))
    wanted = np.concatenate([draw_array(dtype, 777, 4, kind), table[::7]])
    for side in ("left", "right"):
        for n in (len(wanted), 1, 2, 5):
            ours = xp.searchsorted(xp.asarray(table), xp.asarray(wanted[:n]), side=side)
            np.testing.assert_array_equal(ours, np.searchsorted(table, wanted[:n], side=side))
    shuffled = draw_array(dtype, size, 5, kind)
    sorter = np.argsort(shuffled, kind="stable")
    ours = xp.searchsorted(
        xp.asarray(shuffled), xp.asarray(wanted), sorter=xp.asarray(sorter.astype("uint16"))
    )
    np.testing.assert_array_equal(ours, np.searchsorted(shuffled, wanted, sorter=sorter))


def test_a_sorter_out_of_range_is_an_error():
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(IndexError, match=r"index 2 is out of bounds"):
        xp.searchsorted(x, x, sorter=xp.asarray([0, 2]))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("kind", ["wide", "special"])
@pytest.mark.parametrize("sizes", [(0, 5), (5, 0), (1, 1), (100, 16), (100, 17), (9000, 3000)])
def test_isin(dtype, kind, sizes):
    array, table = draw_array(dtype, sizes[0], 6, kind), draw_array(dtype, sizes[1], 7, kind)
    table[: min(sizes) // 2] = array[: min(sizes) // 2]
    expected = (array[:, None] == table[None, :]).any(axis=1)
    x, test = xp.asarray(array), xp.asarray(table)
    np.testing.assert_array_equal(xp.isin(x, test), expected, strict=True)
    np.testing.assert_array_equal(xp.isin(x, test, invert=True), ~expected, strict=True)
    shape = (-1, 5) if sizes[0] % 5 == 0 and sizes[0] else (-1,)
    np.testing.assert_array_equal(
        xp.isin(xp.reshape(x, shape)[::-1], test), expected.reshape(shape)[::-1], strict=True
    )


@pytest.mark.parametrize("ends", [(-(2**63), 2**63 - 1), (-(2**63), -(2**63) + 50), (2**62, 2**62)])
def test_isin_at_the_ends_of_int64(ends):
    table = np.linspace(0, 1, 40)
    table = np.array([int(ends[0] + int(t * 1000) * (ends[1] - ends[0]) // 1000) for t in table])
    wanted = np.array([ends[0], ends[1], 0, -1, 5, 2**63 - 1, -(2**63)])
    ours = xp.isin(xp.asarray(wanted), xp.asarray(table))
    np.testing.assert_array_equal(ours, [w in set(table.tolist()) for w in wanted.tolist()])


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("kind", ["wide", "special"])
@pytest.mark.parametrize("size", [0, 1, 2, 100, 7000, 70_000])
def test_unique(dtype, kind, size):
    array = draw_array(dtype, size, 8, kind)
    if kind == "wide" and size > 2:
        array[size // 2 :] = array[: size - size // 2]
    values, first, inverse, counts = np.unique(
        array, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    x = xp.asarray(array)
    np.testing.assert_array_equal(xp.unique_values(x), values, strict=True)
    ours = xp.unique_counts(x)
    np.testing.assert_array_equal(ours.values, values, strict=True)
    np.testing.assert_array_equal(ours.counts, counts, strict=True)
    ours = xp.unique_inverse(x)
    np.testing.assert_array_equal(ours.values, values, strict=True)
    np.testing.assert_array_equal(ours.inverse_indices, inverse, strict=True)
    ours = xp.unique_all(x)
    np.testing.assert_array_equal(ours.values, values, strict=True)
    np.testing.assert_array_equal(ours.indices, first, strict=True)
    np.testing.assert_array_equal(ours.inverse_indices, inverse, strict=True)
    np.testing.assert_array_equal(ours.counts, counts, strict=True)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int8"])
def test_unique_values_close_together_at_the_ends_of_a_dtype(dtype):
    limits = np.iinfo(dtype)
    for end, sign in ((limits.min, 1), (limits.max, -1)):
        array = np.array([end + sign * (k % 7) for k in range(100)], dtype=dtype)
        np.testing.assert_array_equal(xp.unique_values(xp.asarray(array)), np.unique(array))


def test_unique_keeps_the_shape():
    array = np.array([[[3, 1], [3, 2]], [[1, 1], [2, 9]]])
    for x in (xp.asarray(array), xp.asarray(array).T):
        values, inverse = xp.unique_inverse(x)
        assert inverse.shape == x.shape
        np.testing.assert_array_equal(xp.take(values, inverse), x)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "int64", "float64"])
@pytest.mark.parametrize("n", [2, 3, 511, 512, 513, 1023, 1024, 1025, 1026, 4096, 9001])
def test_descending_lines_around_the_ends_of_blocks(dtype, n):
    array = draw_array(dtype, n, n)
    if array.dtype.kind == "f":
        array[~np.isfinite(array)] = 0.5
    np.testing.assert_array_equal(xp.sort(xp.asarray(array), descending=True), np.sort(array)[::-1])


def test_refused():
    complex_ = xp.asarray([1j, 2j])
    for function in (xp.sort, xp.argsort):
        name = function.__name__
        with pytest.raises(TypeError, match=f"^{name}: dtype complex128 is not supported"):
            function(complex_)
        with pytest.raises(np.exceptions.AxisError, match=f"^{name}: axis 1 is out of range"):
            function(xp.zeros(3), axis=1)
        with pytest.raises(np.exceptions.AxisError, match=rf"axis {2**70} is .* at most 64 dim"):
            function(xp.zeros(3), axis=2**70)
        with pytest.raises(np.exceptions.AxisError, match=r"allowed: none$"):
            function(xp.asarray(1.0))
        with pytest.raises(TypeError, match=f"^{name}: axis must be an integer, got float"):
            function(xp.zeros(3), axis=1.0)
        with pytest.raises(TypeError, match=f"^{name}: expected a Tensor"):
            function(None)
    np.testing.assert_array_equal(xp.sort(xp.asarray([True, False])), [False, True])
    np.testing.assert_array_equal(xp.argsort([3, 1, 2], axis=np.int64(0)), [1, 2, 0])


@pytest.mark.parametrize("dtype", [name for name in REAL if "int" in name and "8" not in name])
@pytest.mark.parametrize("spread", [1, 4094, 4095, 4096, 4097])
@pytest.mark.parametrize("end", ["min", "max"])
def test_numbers_close_together(dtype, spread, end):
    limits = np.iinfo(dtype)
    rng = np.random.default_rng(spread)
    for size in (63, 64, 4095, 4096, 4100, 20_000, 70_000):
        distances = rng.integers(0, spread, size, endpoint=True)
        distances[[0, -1]] = 0, spread
        first = limits.min if end == "min" else limits.max - spread
        array = np.array([first + int(k) for k in distances], dtype=dtype)
        x = xp.asarray(array, copy=True)
        for descending in (False, True):
            order, expected = sorted_stably(array, 0, descending)
            assert np.array_equal(np.asarray(xp.sort(x, descending=descending)), expected)
            assert np.array_equal(np.asarray(xp.argsort(x, descending=descending)), order)
        assert np.array_equal(np.asarray(x), array)


RANK_SIZES = [1, 2, 384, 385, 1000, 5000, 70_000, 300_000]


@pytest.mark.parametrize("dtype", ["bool", *REAL])
@pytest.mark.parametrize("kind", ["wide", "few", "ordered"])
@pytest.mark.parametrize("size", RANK_SIZES)
def test_elements_of_ranks(dtype, kind, size):
    array = draw_array(dtype, size, 7, "wide" if kind == "ordered" else kind)
    if array.dtype.kind == "f":
        array = np.nan_to_num(array, nan=2.0, posinf=np.inf, neginf=-np.inf)
    if kind == "ordered":
        array.sort()
    order = np.sort(array)
    rng = np.random.default_rng(8)
    for count in (1, 2, 5):
        firsts = [*rng.integers(0, size, count).tolist(), 0, size - 1]
        pairs = [(k, min(k + k % 2, size - 1)) for k in firsts]
        found = sorting.select(xp.asarray(array), 0, pairs)
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(np.asarray(found), [order[k] for pair in pairs for k in pair])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(7,), (900,), (3, 4, 5), (700, 3), (3, 700), (2, 0, 3)])
def test_ranks_along_any_axis(dtype, shape):
    """A slice with a NaN has NaN for all."""
    array = np.random.default_rng(9).standard_normal(shape).astype(dtype)
    array.reshape(-1)[:1] = np.nan
    for x in (array, np.asfortranarray(array), np.flip(array)):
        for axis in range(len(shape)):
            last = shape[axis] - 1
            if last < 0:
                continue
            found = np.asarray(
                sorting.select(xp.asarray(x), axis, [(0, 0), (last // 2, last // 2)])
            )
            order = np.where(np.isnan(x).any(axis, keepdims=True), np.nan, np.sort(x, axis))
            expected = [np.take(order, k, axis) for k in (0, 0, last // 2, last // 2)]
            np.testing.assert_array_equal(found, np.stack(expected).astype(dtype))


def test_ranks_do_not_depend_on_threads():
    array = np.random.default_rng(3).standard_normal((3, 300_000))
    x, pairs = xp.asarray(array), [(0, 1), (150_000, 150_000), (299_998, 299_999)]
    expected = np.sort(array)[:, [0, 1, 150_000, 150_000, 299_998, 299_999]].T
    threads = corepy.get_num_threads()

    def check(_):
        np.testing.assert_array_equal(np.asarray(sorting.select(x, 1, pairs)), expected)

    try:
        for count in (1, 2, 5):
            corepy.set_num_threads(count)
            in_threads(check, 3)
    finally:
        corepy.set_num_threads(threads)


def test_ranks_that_are_refused():
    for pairs in ([(0, 2)], [(-1, 0)], [(2, 1)], [(5, 5)], [(4, 5)]):
        with pytest.raises(ValueError, match=r"select: .* are not neighbouring ranks"):
            sorting.select(xp.arange(5), 0, pairs)
    with pytest.raises(TypeError, match="select"):
        sorting.select(xp.ones(3, dtype="complex128"), 0, [(0, 0)])
