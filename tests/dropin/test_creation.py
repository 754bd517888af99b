"""Own functions that create arrays, against NumPy's."""

import inspect
import itertools

import numpy as np
import pytest

import corepy
from corepy.numpy import _creation, _grids, _windows, frequent

from .comparing import DTYPES, array, arrays, check, is_same
from .own import same_signature

SHAPES = (3, 0, (), (2, 3), (0, 2), [2, 1], (2, 3, 4), np.int64(2), np.asarray([2, 3]), -1, 2.5,
          True, np.asarray(3))  # fmt: skip
NUMPY_DTYPES = ("S3", "O", "M8[s]", ">f8", "f2", "g")


def run(name, *args, **keywords):
    return check(getattr(corepy, name), getattr(np, name), *args, **keywords)


@pytest.mark.parametrize("module", [_creation, _grids, _windows])
def test_signatures_are_as_in_numpy(module):
    same_signature(module, set(module.__all__) - {"c_", "mgrid", "ogrid", "r_"})


def test_asarray_has_one_more_parameter():
    *ours, chunks = inspect.signature(frequent.asarray).parameters.values()
    theirs = inspect.signature(np.asarray).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [
        (p.name, p.kind, p.default) for p in theirs
    ]
    assert chunks.name == "chunks"


@pytest.mark.parametrize("name", ["zeros", "ones"])
def test_shapes(name):
    for shape in SHAPES:
        own = not isinstance(shape, np.ndarray)
        run(name, shape, own=own)
        for dtype in (*DTYPES, float, int, bool, np.float32, None):
            run(name, shape, dtype, own=own)
            run(name, shape, dtype, "F", own=own)
            run(name, shape, dtype=dtype, order="K")
        for dtype in NUMPY_DTYPES:
            run(name, shape, dtype, own=False)
    assert corepy.zeros((2, 3), order="F").strides == (8, 16)
    assert corepy.empty((2, 3), "i4", "F").shape == (2, 3)


def test_full():
    for shape, value in itertools.product(
        ((2, 3), 3, (), (0, 3)),
        (1, 2.5, True, -1, 300, np.nan, 1j, np.float32(2), [1, 2, 3], [[1.5], [2]], np.arange(3),
         2**63, "a", None, np.asarray(3, "i4"), array((3,), "f4")),
    ):  # fmt: skip
        run("full", shape, value, own=isinstance(value, float))
        for dtype in DTYPES:
            if value is not np.nan:  # a cast with a warning
                run("full", shape, value, dtype, own=False)
        run("full", shape, value, order="F", own=False)
    assert run("full", (2, 3), 7)
    assert run("full", (2, 3), 7, "f4")
    assert run("full", (2, 3), [1, 2, 3])


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "full_like"])
def test_like(name):
    value = (2,) if name == "full_like" else ()
    for x in arrays():
        run(name, x, *value)
        for dtype in ("f4", "i1", bool, complex):
            run(name, x, *value, dtype)
        for order in "CFAKx":
            run(name, x, *value, None, order)
        for shape in (2, (3, 2), ()):
            run(name, x, *value, shape=shape, own=x.ndim != 2)
            run(name, x, *value, order="C", shape=shape)
            run(name, x, *value, order="F", shape=shape)
        ours = getattr(corepy, name)(corepy.asarray(x), *value)
        theirs = getattr(np, name)(x, *value)
        assert x.size < 2 or 1 in x.shape or ours.strides == theirs.strides
        if name == "full_like":
            for fill in (2.5, [1, 2, 3, 4], np.asarray(2.5), 1j, -1, 300):
                run(name, x, fill, own=False)
    run(name, [1, 2], *value)
    run(name, 1.5, *value, own=False)


def test_eye():
    for n, m, k in itertools.product((0, 1, 3), (None, 0, 2, 4), (-4, -1, 0, 1, 3)):
        run("eye", n, m, k)
        run("eye", n, m, k, "i4", "F")
        run("tri", n, m, k)
        run("tri", n, m, k, "i4")
        for name in ("tril_indices", "triu_indices"):
            run(name, n, k, m)
        if m is not None:
            for name in ("tril_indices_from", "triu_indices_from"):
                run(name, np.zeros((n, m)), k)
    for n in (0, 3, -1, 2.5):
        run("identity", n, own=n != -1)
        run("identity", n, "c16", own=n != -1)
        run("diag_indices", n, own=n != 2.5)
        run("diag_indices", n, 3, own=n != 2.5)
    run("eye", 2, dtype=">f8", own=False)
    run("diag_indices_from", np.zeros((2, 2, 2)))
    run("diag_indices_from", np.zeros((2, 3)))
    run("mask_indices", 3, np.triu)
    run("mask_indices", 3, np.tril, -1)


def test_arange():
    for start, stop, step in itertools.product(
        (0, 3, -2.5, 10, np.float32(1), np.int32(2), np.asarray(1.5), np.uint64(2)),
        (None, 0, 7, -3.5, np.asarray(5)), (1, 2, -1, 0.3, np.float64(0.5), None, 0),
    ):  # fmt: skip
        run("arange", start, stop, step, own=False)
        for dtype in ("f4", "i4", "f8", "u1", "c16"):
            if type(start) is int and type(step) is int and min(start, stop or 0, step) >= 0:
                run("arange", start, stop, step, dtype=dtype, own=False)
    for args in ((5,), (2, 8), (2, 8, 2), (0.0, 1.0, 0.1), (8, 2, -1), (np.asarray(4),)):
        assert run("arange", *args)
        assert run("arange", *args, dtype="f4")
    run("arange", 3, dtype=bool, own=False)
    run("arange", np.asarray([1, 2]), own=False)


def test_linspace():
    for start, stop, num, endpoint in itertools.product(
        (0, -1.5, np.float32(2), np.asarray([1.0, 2.0]), 1j, np.asarray([1, 2], "f4"), [3, 4]),
        (1, 5.5, np.asarray([[3.0], [1.0]]), np.float32(3)),
        (0, 1, 2, 7, -1), (True, False),
    ):  # fmt: skip
        for dtype in (None, "f4", "i4", "c16"):
            for axis in (0, -1):
                run("linspace", start, stop, num, endpoint, False, dtype, axis, own=False,
                    rtol=1e-15, views=False)  # fmt: skip
        run(
            "linspace",
            start,
            stop,
            num,
            endpoint,
            retstep=True,
            own=type(start) in (int, float) and type(stop) is not np.float32 and num >= 0,
            rtol=1e-15,
        )
    run("linspace", 0, 1)
    run("linspace", 2, 2, 3, retstep=True)
    run("linspace", 0, 5e-324, 4)
    run("linspace", 0, 1, 2.5)


def test_powers():
    for start, stop, num, endpoint in itertools.product(
        (0, 1.5, 3), (2, 0.5), (0, 1, 5), (True, False)
    ):
        run("logspace", start, stop, num, endpoint, rtol=1e-14)
        run("logspace", start, stop, num, endpoint, 2, rtol=1e-14)
        run("logspace", start, stop, num, endpoint, dtype="f4", rtol=1e-6)
        run("geomspace", start, stop, num, endpoint, own=start > 0, rtol=1e-14)
        run("geomspace", -start, -stop, num, endpoint, own=start > 0, rtol=1e-14)
        run("geomspace", -start, stop, num, endpoint, own=False, rtol=1e-14)
    run("geomspace", 1, 256, 9, dtype=int, own=False)
    first, last = np.array([1.0, -2.0, 1e-300]), np.array([[8.0, -1024.0, 1e300], [3, -3, 3]])
    for num, endpoint in ((1, True), (4, True), (7, False)):
        for axis in (0, 1, -1):
            run("geomspace", first, last, num, endpoint, axis=axis, rtol=1e-13)
    run("geomspace", first, 5.0, 4, own=False, rtol=1e-13)
    for dtype in DTYPES[1:]:
        for n in (None, 0, 1, 2, 4):
            x = np.asarray([1, 2, 3], dtype)
            run("vander", x, n, views=False)
            run("vander", x, n, increasing=True, views=False)
    run("vander", array((2, 2), "f8"))


def test_grids():
    for name in ("indices",):
        for shape, dtype, sparse in itertools.product(
            ((2, 3), (), (3,), (0, 2), (2, 1, 4), (-1,)), (int, "f4"), (False, True)
        ):
            run(name, shape, dtype, sparse, own=shape != (-1,))
    a, b, c = np.arange(3.0), np.arange(2), array((4,), "f4")
    for indexing, sparse, copy in itertools.product(
        ("xy", "ij", "no"), (False, True), (False, True)
    ):
        for xi in ((a, b), (a, b, c), (a,), (), (a, np.asarray(2)), (a, [1, 2]), (a, b[None])):
            run("meshgrid", *xi, indexing=indexing, sparse=sparse, copy=copy, own=sparse or copy)
    run("ix_", np.asarray([0, 2]), np.asarray([True, False, True]), views=False)
    run("ix_", [0, 1], [], own=False)
    run("ix_", np.zeros((2, 2)))
    run("fromfunction", lambda i, j: i * 2 + j, (2, 3))
    run("fromfunction", lambda i, j, k: i == j + k, (2, 3), dtype=int, k=1, own=False)
    for shape in ((3, 4), (3, 4, 2), (12,), 12, (3, 0)):
        for order in "CF":
            for where in (
                5,
                np.asarray(7),
                np.asarray([0, 3, 11]),
                [[1, 2], [3, 4]],
                99,
                -1,
                [1.5],
            ):
                run("unravel_index", where, shape, order, own=not isinstance(where, (list, int)))


@pytest.mark.parametrize("name", ["mgrid", "ogrid", "r_", "c_"])
def test_objects(name):
    f4, i4, matrix = np.arange(3, dtype="f4"), np.arange(3, dtype="i4"), np.ones((3, 2))
    keys = {
        "r_": (np.s_[1:4, 0, 4], np.s_[f4, 1.0], np.s_[f4, i4], np.s_[0:1:5j], np.s_[i4, 300],
               np.s_[matrix, matrix], np.s_[[1, 2], 3.5], 5, f4, np.s_[True, 2],
               np.s_["0,2", f4, f4], np.s_[-1:1:3j, [0] * 3, 5, 6], np.s_[matrix, f4], np.s_[2:]),
        "c_": (np.s_[f4, i4], np.s_[matrix, f4], np.s_[1:4, 4:7], np.s_[[1], [2.5]], 3,
               np.s_[np.ones((1, 3)), 0, 0]),
    }.get(name, (np.s_[0:5], np.s_[0:5, 0:3], np.s_[0:1:5j],
                 np.s_[-1:1:3j, 0:2], np.s_[0:2:0.5, :3],
                 np.s_[0:2, 0:2, 0:3], np.s_[1:7:2], np.s_[0:1:1j], np.s_[0:0],
                 np.s_[f4[0]:3]))  # fmt: skip
    for key in keys:

        def ours(key):
            return getattr(corepy, name)[key]

        def theirs(key):
            return getattr(np, name)[key]

        check(ours, theirs, key, rtol=1e-15, own=False)
    assert corepy.s_[1:2] == slice(1, 2)
    assert len(corepy.r_) == 0


@pytest.mark.parametrize("name", ["array", "asarray", "asanyarray"])
def test_objects_as_arrays(name):
    for x in arrays():
        run(name, x)
        for order in ("C", "F", "K", "A", "x"):
            for copy in (None, True, False):
                run(name, x, order=order, copy=copy, own=copy is None or copy)
        for dtype in ("f4", "c16", "?"):
            run(name, x, dtype, own=False)
        if name == "array":
            for ndmin in (0, 2, 5):
                run(name, x, ndmin=ndmin)
        for order in "FCK":
            ours, theirs = (
                getattr(corepy, name)(corepy.asarray(x), order=order),
                getattr(np, name)(x, order=order),
            )
            assert x.size < 2 or 1 in x.shape or ours.strides == theirs.strides
    for obj in (
        1,
        2.5,
        [1, 2.5],
        [[1], [2]],
        (1, 2),
        [],
        [np.float32(1), 2],
        [True, 2],
        1j,
        range(3),
    ):
        run(name, obj)
        run(name, obj, "f4" if obj != 1j else "c8")
        run(name, obj, ">f4" if obj != 1j else "O", own=False)
    for obj in (
        "text",
        None,
        ["a"],
        [[1], [1, 2]],
        [2**70],
        {1: 2},
        np.float16(1),
        np.ones(2, "f2"),
    ):
        run(name, obj, own=False)
    for dtype in NUMPY_DTYPES:
        run(name, [1, 2], dtype, own=False)
    assert run(name, [1, 2, 3])
    assert run(name, [1, 2, 3], "f4")


NUMBERS = [
    1, 2.0, True, 3j, 2**70, np.float64(0.5), np.float32(0.1), np.int64(3), np.uint8(200),
    np.int8(-3), np.uint64(2**63 + 5), np.bool(True), np.complex128(1j), np.complex64(2j),
    np.longdouble(2), np.float16(3), np.str_("a"), np.datetime64("2020"),
]  # fmt: skip


@pytest.mark.parametrize("first", NUMBERS, ids=lambda x: type(x).__name__)
def test_lists_of_numbers(first):
    for second, dtype in itertools.product(NUMBERS, (None, "f4", "f8", "i8", "u1", "c8", "?")):
        for obj in ([first, second], (second, first), [[first, second], [first, first]]):
            run("array", obj, dtype, own=False)


VECTOR = np.arange(6.0)
MATRIX = VECTOR.reshape(2, 3)


def of_deferred(items, dtype):
    return corepy.array([corepy.asarray(x) * 1 for x in items], dtype)


@pytest.mark.parametrize("dtype", [None, "f4", "f8"])
def test_lists_of_arrays(dtype):
    for items in (
        [VECTOR, VECTOR], [MATRIX, MATRIX], [MATRIX.T, MATRIX.T], [VECTOR[::2], VECTOR[::2]],
        [VECTOR, VECTOR.astype("f4")], [VECTOR, VECTOR[:2]], [MATRIX[0], MATRIX[1]],
        [np.asarray(1.0), np.asarray(2.0)], [VECTOR, 1.0], [MATRIX, MATRIX[None]],
        [np.ones((1,) * 64)] * 2,
    ):  # fmt: skip
        run("array", items, dtype, own=False)
        check(of_deferred, np.array, items, dtype, own=False)


def test_arrays_are_not_copied():
    x = corepy.asarray(np.arange(3.0))
    assert corepy.asarray(x) is x
    assert corepy.asanyarray(x) is x
    assert np.shares_memory(np.asarray(corepy.array(x, copy=None)), np.asarray(x))
    masked = np.ma.array([1, 2], mask=[True, False])
    assert corepy.asanyarray(masked) is masked


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman", "bartlett"])
def test_windows(name):
    for m in (0, 1, 2, 3, 10, 51, -1):
        ours, theirs = getattr(corepy, name)(m), getattr(np, name)(m)
        assert type(ours) is corepy.ndarray
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert np.allclose(np.asarray(ours), theirs, rtol=1e-14, atol=1e-16)
    assert is_same(corepy.bartlett(11), np.bartlett(11))
