"""Own functions of shape, order, joining and splitting, against NumPy's."""

import inspect
import itertools
import math

import numpy as np
import pytest

import corepy
from corepy.numpy import _joining, _shapes

from .comparing import array, arrays, check

AXES = (0, 1, -1, -2, 2, None, (0, 1), (-1,), ())


def run(name, *args, **keywords):
    return check(getattr(corepy, name), getattr(np, name), *args, **keywords)


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module in (_joining, _shapes) for name in module.__all__],
)
def test_signatures_are_as_in_numpy(module, name):
    ours = inspect.signature(getattr(module, name)).parameters.values()
    theirs = inspect.signature(getattr(np, name)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [
        (p.name, p.kind, p.default) for p in theirs
    ]


@pytest.mark.parametrize(
    "name",
    ["squeeze", "ravel", "transpose", "atleast_1d", "atleast_2d", "atleast_3d", "flip", "fliplr",
     "flipud", "rot90", "copy", "ascontiguousarray", "asfortranarray", "diagflat", "tril", "triu",
     "diag", "diagonal", "trim_zeros"],
)  # fmt: skip
def test_one_array(name):
    own = name not in ("diag", "diagonal", "tril", "triu", "trim_zeros")
    taken = [run(name, x, own=own, views=x.ndim > 0) for x in arrays()]
    assert sum(taken) > 15


@pytest.mark.parametrize("name", ["squeeze", "flip", "expand_dims", "roll", "repeat", "append"])
def test_axis(name):
    more = {"roll": (2,), "repeat": (2,), "append": (np.zeros((2, 3, 4)),)}.get(name, ())
    for x, axis in itertools.product(arrays(dtypes=("f8", "i4")), AXES):
        run(name, x, *more, axis=axis, own=x.ndim > 1 and axis != (), views=x.ndim > 0)


def test_order():
    for x in arrays(dtypes=("f8", "u1")):
        for order in "CFAKx":
            run("ravel", x, order, own=order in "CF")
            run("copy", x, order)
            own = _shapes.copy(corepy.asarray(x), order) if order != "x" else None
            assert (
                own is None
                or x.size < 2
                or 1 in x.shape
                or own.strides == np.copy(x, order).strides
            )
            for shape in (-1, (-1, 2), (4, 3), (2, -1), (x.size,), ()):
                run("reshape", x, shape, order, own=order in "CFA")
        run("reshape", x, shape=(-1,), copy=True)
        run("reshape", x, (-1,), copy=False)


def test_contiguous_of_another_dtype():
    for x in arrays():
        for dtype in ("f4", "c16", "i8"):
            for name in ("ascontiguousarray", "asfortranarray"):
                run(name, x, dtype, own=False)
    assert run("ascontiguousarray", array((3,), "i4"), "f8")


def test_axes_of_views():
    for x in arrays(dtypes=("f8",)):
        for a, b in itertools.product(range(-3, 3), repeat=2):
            for name in ("swapaxes", "moveaxis", "rollaxis"):
                run(name, x, a, b)
            run("rot90", x, 3, (a, b))
            run("diagonal", x, 0, a, b, own=False)
        for axes in ((1, 0), (-1, 0), (2, 0, 1), (0, 0), (0,), None):
            run("transpose", x, axes)
        run("moveaxis", x, (0, 1), (-1, 0))
        for k in range(-5, 6):
            run("rot90", x, k)
            run("diagonal", x, k, own=False)
            run("diag", x, k, own=x.ndim == 1)
            run("diagflat", x, k)
            run("tril", x, k, own=x.ndim > 1)
            run("triu", x, k, own=x.ndim > 1)


def test_diagonals_are_read_only_views():
    x = corepy.asarray(np.arange(12.0).reshape(3, 4))
    diagonal = _shapes.diagonal(x, 1)
    with pytest.raises(ValueError):
        diagonal[0] = 1
    x[0, 1] = 100
    assert diagonal.tolist() == [100, 6, 11]
    assert run("diagonal", array((2, 3, 4), "f8"), 1)
    assert run("diagonal", array((2, 3, 4), "f8"), 0, 2, 1)


def test_several_arrays():
    a, b, c = array((3,), "f4"), array((2, 1), "i8"), array((), "?")
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        run(name, a, b, c)
        run(name)
        run(name, [1, 2], 3.5, own=False)
        run(name, [1, 2], a)
    run("broadcast_arrays", a, b, c)
    run("broadcast_arrays", a, [[1], [2]])
    run("broadcast_arrays", a)
    run("broadcast_to", a, (2, 3))
    run("broadcast_to", a, 3)
    run("broadcast_to", c, 3)
    run("broadcast_to", a, (3, 2))
    for shapes in (((3,), (2, 1)), (), (3, (1,)), ((0, 1), (1, 4)), ((2,), (3,))):
        run("broadcast_shapes", *shapes, own=False)


JOINING = ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")


@pytest.mark.parametrize("name", JOINING)
def test_joining(name):
    for x, y in zip(arrays(), arrays(dtypes=("f4", "i8", "?", "u8", "c16") * 2), strict=False):
        run(name, (x, y))
        run(name, [x])
        run(name, [x, x.tolist()])
    run(name, [])
    run(name, array((2, 3, 4), "f8"))
    run(name, ([1, 2], (3.5, 4)))
    run(name, (1, 2.5), own=False)
    run(name, [array((2, 3), "f8"), array((2,), "f8")])


@pytest.mark.parametrize("name", ["concatenate", "stack"])
def test_joining_along_an_axis(name):
    for x, axis in itertools.product(arrays(dtypes=("f8", "i4")), (0, 1, -1, 2, None)):
        run(name, (x, x), axis=axis, own=x.ndim > 0)
        run(name, (x, x), axis, dtype="f4", own=axis is not None)
        run(name, (x, x), axis, dtype="i1", own=False)
        run(name, (x, x), axis, dtype="c16", casting="safe", own=x.ndim > 0)
        run(name, (x, x), axis, dtype="i8", casting="unsafe", own=False)
        run(name, (x, x), axis, casting="no", own=False)
        run(name, (x, x), axis, casting="nothing", own=False)
        for dtype in ("f8", "f4", "i8"):
            try:
                out = np.ones(getattr(np, name)((x, x), axis=axis).shape, dtype)
            except (TypeError, ValueError):
                break
            run(name, (x, x), axis, out, own=False)
    run(name, (array((3,), "f4"), 2.0), axis=None, own=False)


def test_out_is_returned():
    out = corepy.asarray(np.zeros(6))
    x = corepy.asarray(np.arange(3.0))
    assert _joining.concatenate((x, x), out=out) is out
    assert out.tolist() == [0, 1, 2, 0, 1, 2]


def test_blocks():
    a, b, c = array((2, 3), "f8"), array((2, 1), "i4"), array((1, 4), "f4")
    for blocks in ([[a, b], [c]], [a, b], a, [a], [[a], [a]], [[[a], [a]]], [b, [b]],
                   [], [[]], (a, a), [[a, b], [a]],
                   [array((), "f8"), 3]):  # fmt: skip
        run("block", blocks, own=type(blocks) is list, views=False)
    run("block", [[1, 2], [3, 4]], own=False)


def test_splitting():
    for x in arrays(dtypes=("f8",)):
        for how in (1, 2, 3, 7, 0, -1, [1], [1, 3], (2, 1), [-1], [0, 9], np.asarray([1, 2]), []):
            for name in ("split", "array_split"):
                run(name, x, how)
                run(name, x, how, 1)
                run(name, x, how, axis=-1)
            for name in ("hsplit", "vsplit", "dsplit"):
                run(name, x, how)


def test_repeating():
    for x in arrays(dtypes=("f8", "u1")):
        for reps in (2, (2,), (1, 2), (2, 1, 3), 0, (), [2, 0], np.asarray([2, 1]), 1):
            run("tile", x, reps)
        for repeats in (
            0,
            3,
            [2],
            [1, 0, 2],
            np.asarray([1, 0, 2]),
            1.5,
            [1.5],
            -1,
            np.int8(2),
            [True],
        ):
            if x.size == 0 and str(repeats) == "-1":
                continue  # in NumPy, there is nothing to repeat
            run("repeat", x, repeats, own=str(repeats) not in ("1.5", "[1.5]", "-1"))
            run(
                "repeat",
                x,
                repeats,
                axis=0,
                own=x.ndim > 0 and str(repeats) not in ("1.5", "[1.5]", "-1"),
            )
            run(
                "repeat",
                x,
                repeats,
                -1,
                own=x.ndim > 0 and str(repeats) not in ("1.5", "[1.5]", "-1"),
            )
        for shape in (3, (2, 5), (), (0,), (7,), -1, [3, 3], np.asarray([2, 2])):
            run("resize", x, shape, own=not isinstance(shape, np.ndarray))
        for shift in (0, 1, -2, 100, (1, 2), (1, -1), 1.5):
            for axis in (None, 0, 1, -1, (0, 1), (0, 0), 5):
                run("roll", x, shift, axis, own=shift != 1.5)


INDICES = (0, 1, -1, 3, 9, -9, [0], [0, 2], [2, 0, 2], [-1, 0], [], slice(None), slice(1, 3),
           slice(None, None, -2), np.asarray([1, 1]), np.asarray(1), [9], [1.0],
           [True, False])  # fmt: skip


def test_deleting():
    for x, where, axis in itertools.product(arrays(dtypes=("f8", "i4")), INDICES, (None, 0, 1, -1)):
        run("delete", x, where, axis, own=str(where) not in ("[True, False]", "[1.0]"), views=False)
    run("delete", array((5,), "f8"), np.asarray([True, False, True, False, False]))
    run("delete", array((2, 5), "f8"), np.asarray([True, False]), 0)


def test_inserting():
    for x, where, axis in itertools.product(arrays(dtypes=("f8", "i4")), INDICES, (None, 0, 1, -1)):
        for values in (2, [1, 2], [[1], [2]], [[1, 2, 3, 4]], np.ones(2), np.asarray(3)):
            run("insert", x, where, values, axis, own=False)
    for where in (1, [1], [0, 2]):
        assert run("insert", array((5,), "f8"), where, 2.5)
        assert run("insert", array((3, 4), "f8"), where, 2.5, axis=1)


def test_appending():
    for x in arrays():
        for values in (1, 2.5, [1, 2], [[1]], x):
            run("append", x, values)


WIDTHS = (0, 1, 3, (2, 1), ((1, 2),), [(0, 2), (1, 0)], ((1, 2), (0, 0), (3, 1)), (1,), -1, 1.5,
          np.asarray([1, 2]), 11, [[1], [2]], {0: 1})  # fmt: skip
MODES = (
    ("constant", {}), ("constant", {"constant_values": 3}), ("edge", {}), ("reflect", {}),
    ("constant", {"constant_values": (4, 5)}), ("constant", {"constant_values": 300.7}),
    ("symmetric", {}), ("wrap", {}), ("maximum", {}), ("minimum", {"stat_length": 2}),
    ("linear_ramp", {}), ("linear_ramp", {"end_values": (2, -5)}),
    ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "odd"}), ("nothing", {}),
    ("edge", {"stat_length": 2}), ("maximum", {"stat_length": 0}), ("mean", {}),
    ("mean", {"stat_length": (1, 2)}), ("median", {}), ("minimum", {"stat_length": ((3, 1),)}),
)  # fmt: skip


@pytest.mark.parametrize(("mode", "keywords"), MODES)
def test_padding(mode, keywords):
    taken = 0
    for x, width in itertools.product(arrays(dtypes=("f8", "i4", "u1", "f4")), WIDTHS):
        if mode in ("mean", "linear_ramp", "median"):
            x = np.nan_to_num(x, posinf=1, neginf=2) % 7
        if "odd" in keywords.values() and x.dtype.kind in "iu":
            x %= 9
        rtol = 1e-6 if mode in ("mean", "linear_ramp") else 0
        taken += run("pad", x, width, mode, own=False, rtol=rtol, **keywords)
    refused = keywords.get("stat_length") in (2, 0) and mode != "minimum"
    if refused or mode in ("nothing", "median"):
        assert taken <= 8  # arrays without elements
    else:
        assert taken > 130


@pytest.mark.parametrize("shape", [(20_000,), (100, 200), (0, 20_000)])
def test_padding_large_arrays_with_zeros(shape):
    for width in (0, 2, (1, 3)):
        assert run("pad", np.arange(1.0, 1.0 + math.prod(shape)).reshape(shape), width)


def test_padding_by_a_function_is_as_in_numpy():
    assert not run("pad", array((3,), "f8"), 1, lambda *_: None, own=False)


def test_trimming():
    x = np.asarray([0, 0, 1, 0, 2, 0])
    for trim in ("f", "b", "fb", "FB", "x", ""):
        for each in (x, x[:2], x[2:5], x[:0], x.astype(float)):
            run("trim_zeros", each, trim, own=trim not in ("x", ""))


def test_functions_of_slices():
    for x in arrays(dtypes=("f8", "i4")):
        for axis in (0, 1, -1, 2):
            for name, by in (
                ("sum", lambda a: a.sum()), ("plus", lambda a: a + 1), ("first", lambda a: a[0]),
                ("float", lambda a: float(a[0])), ("outer", lambda a: a[:, None] * a),
                ("two", lambda a, b, c=0: a * b + c),
            ):  # fmt: skip
                more = (2,) if name == "two" else ()
                run("apply_along_axis", by, axis, x, *more, own=x.size > 0, rtol=1e-6, views=False)
        for axes in (0, (0, 1), [-1], 5):
            run(
                "apply_over_axes",
                lambda a, axis: a.sum(axis),
                x,
                axes,
                own=x.ndim > 0,
                rtol=1e-6,
                views=False,
            )
