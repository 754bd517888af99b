"""The drop-in's own sorting, sets and selections, against NumPy's."""

import bisect
import itertools

import numpy as np
import pytest

import corepy
from corepy import array_api as xp
from corepy.numpy import _sorting

from .own import arrays, check, quiet, same_signature

NUMBERS = "bool int8 uint8 int32 int64 uint64 float32 float64 complex128".split()
DRAW = np.random.default_rng(5)


def test_signatures_are_as_in_numpy():
    same_signature(_sorting)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_sort(dtype):
    for x in arrays(dtype, nan=True):
        for axis, kind in itertools.product((-1, 0, None, 2), (None, "stable", "mergesort", "x")):
            own = dtype != "complex128" and axis in (-1, None) and x.ndim > 0 and kind != "x"
            check(_sorting, "sort", x, axis, kind, own=own)
            if kind == "stable":
                check(_sorting, "argsort", x, axis, kind, own=own)
        check(_sorting, "sort", x, stable=True, own=dtype != "complex128" and x.ndim > 0)
        check(_sorting, "sort", x, kind="stable", stable=True, own=False)
        check(_sorting, "sort", x, order="f0", own=False)


@pytest.mark.parametrize("dtype", NUMBERS[:-1])
def test_descending_order_has_nan_last(dtype):
    """As NumPy's since 2.5; the drop-in has it with all versions."""
    for x in arrays(dtype, ((0,), (7,), (40,)), nan=True):
        nan = x != x
        order = sorted(range(x.size), key=lambda k, x=x, nan=nan: (nan[k], nan[k] or -x[k].item()))
        t = corepy.array(x)
        assert corepy.argsort(t, descending=True).tolist() == order
        assert t.argsort(descending=True).tolist() == order
        columns = corepy.sort(corepy.stack([t, t]), axis=None, descending=True, stable=True)
        np.testing.assert_array_equal(np.asarray(columns), np.repeat(x[order], 2))
        t.sort(descending=True)
        np.testing.assert_array_equal(np.asarray(t), x[order])
    with pytest.raises((TypeError, ValueError)):
        corepy.sort(t, kind="stable", descending=True)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_lexsort(dtype):
    for x in arrays(dtype, nan=True):
        y = np.round(DRAW.normal(size=x.shape))
        check(_sorting, "lexsort", (x, y), own=dtype != "complex128" and x.ndim > 0)
        check(_sorting, "lexsort", (y, x, y), 0, own=dtype != "complex128" and x.ndim > 0)
        if x.ndim == 2:
            check(_sorting, "lexsort", x, own=dtype != "complex128" and x.size > 0)
    check(_sorting, "lexsort", (np.arange(3), np.arange(4)), own=False)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_unique(dtype):
    for x in arrays(dtype, nan=True):
        for flags in itertools.product((False, True), repeat=3):
            for equal_nan in (True, False):
                own = dtype != "complex128" and (equal_nan or not any(flags))
                check(_sorting, "unique", x, *flags, equal_nan=equal_nan, own=own)
            for axis in range(-x.ndim, x.ndim):
                own = dtype != "complex128" and bool(x.size)
                check(_sorting, "unique", x, *flags, axis=axis, own=own)


def test_unique_of_slices():
    draw = np.random.default_rng(3)
    for shape in ((40, 2), (30, 1), (9, 2, 2), (1, 5), (50,)):
        for x in (draw.integers(0, 3, shape), np.round(draw.normal(size=shape)) + 0.0):
            for axis, flags in itertools.product(
                range(x.ndim), itertools.product((False, True), repeat=3)
            ):
                check(_sorting, "unique", x, *flags, axis=axis)
    check(_sorting, "unique", np.ones((2, 3)), axis=2, own=False)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "bool"])
def test_unique_on_another_device(dtype):
    for x in arrays(dtype, nan=True):
        there = corepy.asarray(np.asarray(x), device="reference")
        for flags in itertools.product((False, True), repeat=3):
            for keywords in ({}, {"axis": 0}, {"axis": -1}):
                if keywords and (not x.ndim or not x.size or (x != x).any()):
                    continue
                expected = np.unique(x, *flags, **keywords)
                results = corepy.unique(there, *flags, **keywords)
                if not any(flags):
                    expected, results = (expected,), (results,)
                for result, other in zip(results, expected, strict=True):
                    assert result.device == there.device
                    np.testing.assert_array_equal(np.asarray(result.to_device("cpu")), other)


def test_methods_on_another_device():
    x = corepy.asarray([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]], device="reference")
    y = x.copy()
    y.put([0, -1], [5.0, 6.0])
    assert y.tolist() == [[5, 1, 2], [9, 7, 6]]
    y.partition(1)
    assert y.tolist() == [[1, 2, 5], [6, 7, 9]]
    assert x.argpartition(1, axis=None).tolist()[1] == 2
    places = corepy.asarray([0, 1, 0], device="reference")
    assert places.choose([x[0], x[1]]).tolist() == [3, 7, 2]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_sets(dtype):
    others = [np.array([1, 2, 0, 2, -3]), np.array([0.5, np.nan, 1]), np.zeros((0,)), [1, 0]]
    for x, y in itertools.product(arrays(dtype, nan=True), others):
        own = dtype != "complex128"
        for name in ("intersect1d", "union1d", "setdiff1d", "setxor1d", "isin"):
            check(_sorting, name, x, y, own=own or name == "isin")
        check(_sorting, "isin", x, y, invert=True, own=dtype == "float64")
        check(_sorting, "isin", x, y, kind="table", own=False)
        check(_sorting, "intersect1d", x, y, return_indices=True, own=False)
    once = np.array([1, 0] if dtype == "bool" else [3, 1, 2]).astype(dtype)
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        check(_sorting, name, once, once[1:], assume_unique=True, own=dtype != "complex128")
    check(_sorting, "isin", 3, [1, 3])


# Around the limits of integers, and where float64 has a value for several of them.
LARGE = [0, 1, 2**53, 2**53 + 1, 2**60 - 1, 2**60, 2**63 - 1]
LARGE_OF = {
    "uint64": [*LARGE, 2**63, 2**64 - 1],
    "int64": [-(2**63), -(2**60), -1, *LARGE],
    "int8": [-128, -1, 0, 1, 127],
}


@pytest.mark.parametrize("kinds", [("uint64", "int64"), ("int64", "uint64"), ("uint64", "int8")])
def test_integers_are_compared_by_value(xp, kinds):
    first, second = (LARGE_OF[kind] for kind in kinds)
    x, y = (xp.asarray(LARGE_OF[kind], dtype=kind) for kind in kinds)
    found = [value in second for value in first]
    for values in (y, list(map(int, second))) if kinds == ("uint64", "int64") else (y,):
        assert corepy.isin(x, values).tolist() == found
        assert corepy.isin(x, values, invert=True).tolist() == [not value for value in found]
        rest = [value for value in first if value not in second]
        assert corepy.setdiff1d(x, values).tolist() == rest
        common = [value for value in first if value in second]
        assert corepy.intersect1d(x, values).tolist() == [float(value) for value in common]
        others = [*rest, *[value for value in second if value not in first]]
        assert corepy.setxor1d(x, values).tolist() == sorted(map(float, others))
        for side in ("left", "right"):
            expected = [getattr(bisect, f"bisect_{side}")(first, value) for value in second]
            assert corepy.searchsorted(x, values, side).tolist() == expected
            assert corepy.asarray(x).searchsorted(values, side).tolist() == expected
        assert corepy.digitize(values, x).tolist() == expected
    sorter = corepy.argsort(x[::-1])
    assert xp.searchsorted(x[::-1], y, side="right", sorter=sorter).tolist() == expected
    assert xp.isin(x[:0], y).tolist() == []
    assert xp.isin(x, y[:0]).tolist() == [False] * len(first)
    for value in second:
        assert xp.isin(x, value).tolist() == [other == value for other in first]
        assert bool(xp.isin(value, x)) == (value in first) == (value in x)
        assert xp.searchsorted(x, value).tolist() == bisect.bisect_left(first, value)
        assert corepy.count_nonzero(x == value) == first.count(value)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_where_elements_are(dtype):
    for x in arrays(dtype, nan=True):
        check(_sorting, "nonzero", x, own=x.ndim > 0)
        check(_sorting, "flatnonzero", x)
        check(_sorting, "argwhere", x, own=x.ndim > 0)
        check(_sorting, "where", x, own=x.ndim > 0)
        check(_sorting, "where", x, x, 0)
        check(_sorting, "where", x, 1.5, x)
        check(_sorting, "where", x, 1, own=False)
        check(_sorting, "where", x, [3.5], np.float32(1))
    check(_sorting, "where", [True, False], 1, 2)
    assert corepy.where([True, False], ["a", "b"], "c").tolist() == ["a", "c"]


@pytest.mark.parametrize("into", ["bool", "int16", "float32", "float64"])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_selected_elements_are_cast_to_out(dtype, into):
    x = np.arange(1.5, 4.5).astype(dtype)
    for name, args in (("take", (x, [0, 2])), ("compress", ([True, False, True], x))):
        expected, out = np.zeros(2, into), corepy.zeros(2, into)
        with quiet():
            if np.can_cast(into, dtype, "safe"):  # before 2.5 NumPy asked for that
                getattr(np, name)(*args, out=expected)
            else:
                expected[...] = x[[0, 2]]
            getattr(corepy, name)(*map(corepy.asarray, args), out=out)
        np.testing.assert_array_equal(np.asarray(out), expected)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_masks_and_indices(dtype):
    for x in arrays(dtype):
        mask = np.arange(x.size).reshape(x.shape) % 3 > 0
        check(_sorting, "extract", mask, x)
        check(_sorting, "extract", mask.astype(int) * 5, x)
        check(_sorting, "compress", mask.ravel(), x)
        check(_sorting, "extract", np.array([True]), x, own=False)
        check(_sorting, "compress", [True, False], x, own=False)
        for axis in (0, -1, 1):
            check(_sorting, "compress", [0, 1], x, axis, own=False)
            check(_sorting, "compress", [True], x, axis, own=x.ndim > 1 and x.size > 0)
        for indices, axis, mode in itertools.product(
            (0, -1, [0, 2], [[0], [-1]], [7, -9], [True], [], [0.5], np.array([1], "u8"), 10**6),
            (None, 0, -1, 3),
            ("raise", "wrap", "clip"),
        ):
            common = indices in (0, -1, [[0], [-1]]) if type(indices) is not np.ndarray else False
            own = x.size > 0 and x.ndim > 0 and axis in (None, 0) and common
            check(_sorting, "take", x, indices, axis, mode=mode, own=own)
        if x.ndim:
            order = np.argsort(x, axis=-1)
            check(_sorting, "take_along_axis", x, order, own=x.size > 0)
            check(_sorting, "take_along_axis", x, order[..., :1], axis=-1, own=x.size > 0)
            check(_sorting, "take_along_axis", x, np.zeros(3, int), None, own=x.size > 0)
            check(_sorting, "take_along_axis", x, order, axis=0, own=False)
            check(_sorting, "take_along_axis", x, order > 0, own=False)


def test_results_of_take_are_copies():
    x = xp.arange(5)
    for args in ((0,), (0, 0), ([1, 2],)):
        _sorting.take(x, *args)[...] = 9
    assert x.tolist() == [0, 1, 2, 3, 4]
    out = xp.zeros(2, dtype=xp.int64)
    assert _sorting.take(x, [1, 2], out=out) is out
    assert out.tolist() == [1, 2]
    for values in ([xp.arange(3), xp.arange(3)],):
        _sorting.choose(xp.zeros(3, dtype=xp.int64), values)[...] = 9
        assert values[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_choices(dtype):
    for x in arrays(dtype, nan=True):
        low, high = np.asarray(x != 0), np.asarray(x == 1)
        check(_sorting, "select", [low, high], [x, 2 * np.ones(x.shape)])
        check(_sorting, "select", [high, low], [x, 1.5], 7)
        check(_sorting, "select", [high, low], [1, np.float32(2)], x)
        check(_sorting, "select", [high], [x], 1j)
        check(_sorting, "select", [high * 1], [x], own=False)
        check(_sorting, "select", [], [], own=False)
        check(_sorting, "choose", low, [x, x[::-1] if x.ndim else x], own=x.size > 0)
        check(_sorting, "choose", low * 1, [np.float32(3), x], own=x.size > 0)
        check(_sorting, "choose", low * 1 + 1, [x, 5, 2.5], own=x.size > 0)
        check(_sorting, "choose", low * 4 - 1, [x, 5], own=False)
        check(_sorting, "choose", low * 4 - 1, [x, 5], mode="wrap", own=False)
        if dtype != "bool" and x.ndim:
            check(_sorting, "piecewise", x, [low, high], [lambda v: v * 2, 3])
            check(_sorting, "piecewise", x, [high], [lambda v: v + v, lambda v: -v])
            check(
                _sorting, "piecewise", x, [high, low], [1, 2, lambda v, k=0: v + k], k=3, own=False
            )
            check(_sorting, "piecewise", x, [high], [1, 2, 3], own=False)
        check(_sorting, "piecewise", x, low, [1, 2], own=False)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_writing(dtype):
    for x in arrays(dtype, nan=True):
        mask = np.arange(x.size).reshape(x.shape) % 3 > 0
        flipped = np.flip(x).copy()
        common = dtype == "float64" and x.ndim > 0
        for values in (flipped, 1, 2.5, 300, -1, True, 1j, np.float32(2), [1, 2], np.float64(9)):
            own = common and (type(values) in (int, float) or values is flipped)
            call = {"writes": 0, "own": False}
            check(_sorting, "copyto", x, values, writes=0, own=own)
            check(_sorting, "copyto", x, values, where=mask, writes=0, own=own)
            check(_sorting, "copyto", x, values, where=mask[..., :1] if x.ndim else mask, **call)
            check(_sorting, "copyto", x, values, casting="no", **call)
            check(_sorting, "putmask", x, mask, values, writes=0, own=own)
            check(_sorting, "putmask", x, mask * 1, values, **call)
            check(_sorting, "place", x, mask, values, **call)
            check(_sorting, "place", x, mask[:1] if x.ndim else mask, values, **call)
            for index in ([0, 2], [-1], 0, [2, 0, 2], [99], [], [True], [0.5]):
                own = common and x.size > 5 and x.ndim > 0 and type(values) in (int, float)
                own = own and index in ([0, 2], [-1], [2, 0, 2]) and index != [True]
                check(_sorting, "put", x, index, values, writes=0, own=own)
                check(_sorting, "put", x, index, values, mode="clip", **call)
            if x.ndim:
                order = np.argsort(x, axis=-1)
                check(_sorting, "put_along_axis", x, order, values, -1, **call)
                check(_sorting, "put_along_axis", x, order[..., :1], values, -1, **call)
                check(_sorting, "put_along_axis", x, order, values, 0, **call)
                check(_sorting, "put_along_axis", x, order[..., :2], x[..., :2], -1, **call)
    x = np.arange(6.0)
    check(_sorting, "put_along_axis", x, np.array([0, 3]), np.array([8.0, 9]), 0, writes=0)
    check(_sorting, "put", x, [0, 3], np.array([8.0, 9]), writes=0)
    check(_sorting, "place", x, x > 2, np.array([8.0, 9, 7, 5]), writes=0)


def test_numpy_arrays_are_written_to_by_numpy():
    for name, args in (("copyto", (1,)), ("putmask", ([True] * 3, 1)), ("put", ([0], 1))):
        x = np.zeros(3)
        assert getattr(corepy, name).route(x, *args) is None
        getattr(corepy, name)(x, *args)
        assert x[0] == 1
