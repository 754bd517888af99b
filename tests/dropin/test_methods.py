"""Methods and attributes of ndarrays for tensors, against NumPy's."""

import importlib
import inspect
import pickle

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy import Tensor, _finder

from .comparing import array, arrays, check, copied, is_same


def run(name, x, *args, own=True, **keywords):
    """Compare a method's call; it returns what NumPy's does for all calls."""

    def ours(x, *args, **keywords):
        result = getattr(corepy.ndarray, name)(x, *args, **keywords)
        assert type(result) is not Tensor
        return result

    ours.__name__ = name
    keywords.setdefault("views", x.ndim > 0)
    return check(ours, getattr(np.ndarray, name), x, *args, own=own, **keywords)


def test_all_of_numpy_are_there():
    missing = {name for name in dir(np.ndarray) if not hasattr(corepy.ndarray, name)}
    assert not [name for name in missing if not name.startswith("_")]


def test_a_tensor_has_not_what_numpy_arrays_alone_have():
    x = xp.asarray([1.0, 2.0])
    for name in vars(corepy.ndarray).keys() - vars(Tensor).keys():
        assert name.startswith("__") or not hasattr(x, name), name
    with pytest.raises(TypeError):
        x.sum(out=x)


def test_base():
    x = corepy.arange(12.0)
    assert x.base is None
    for view, elements in (
        (x[2:9:3], np.arange(2.0, 9.0)),
        (x[::-2], np.arange(1.0, 12.0)),
        (corepy.reshape(x, (3, 4)).T[1:, ::-1], np.arange(1.0, 12.0)),
        (corepy.broadcast_to(x[3:4], (2, 5)), [3.0]),
        (x[:0], []),
    ):
        np.testing.assert_array_equal(np.asarray(view.base), elements)
        assert np.shares_memory(np.asarray(view.base), np.asarray(x)) or not view.size
    pair = corepy.asarray([1 + 2j, 3 + 4j])
    np.testing.assert_array_equal(np.asarray(corepy.imag(pair).base), [2, 3, 4])
    array = np.arange(3)
    assert np.shares_memory(np.asarray(corepy.asarray(array, copy=False).base), array)


@pytest.mark.parametrize(
    "name",
    """
    argpartition argsort byteswap choose clip compress conjugate cumprod cumsum diagonal dot dumps
    getfield nonzero partition put repeat round searchsorted setfield setflags sort swapaxes take
    tobytes trace
    """.split(),
)
def test_signatures_are_as_in_numpy(name):
    ours = inspect.signature(getattr(corepy.ndarray, name)).parameters.values()
    theirs = inspect.signature(getattr(np.ndarray, name)).parameters.values()
    assert [(p.name, p.default) for p in ours] == [(p.name, p.default) for p in theirs]


@pytest.mark.parametrize("name", ["sum", "argsort", "transpose"])  # each is called in another way
def test_methods_are_attributes_of_the_class(name):
    method = getattr(corepy.ndarray, name)
    assert (method.__name__, method.__qualname__) == (name, f"ndarray.{name}")
    assert inspect.isroutine(method)
    assert pickle.loads(pickle.dumps(method)) is method

    class Derived(corepy.ndarray):
        def call(self):
            return getattr(super(), name)()

    values = np.asarray([[3.0, 1.0, 2.0]])
    x, expected = corepy.asarray(values), getattr(values, name)()
    assert is_same(method(x), expected)
    assert is_same(getattr(x, name)(), expected)
    np.testing.assert_array_equal(np.asarray(x.view(Derived).call()), expected)
    with pytest.raises(TypeError):
        method()
    with pytest.raises(TypeError):
        getattr(x, name)(no_such_argument=1)


def test_methods_are_their_functions(xp):
    values = np.asarray([[3.5, -1.25, 2.0], [9.0, 7.75, 8.5]])
    x = corepy.asarray(xp.asarray(values))
    for name, *args in (
        ("take", [4, -7], None, None, "wrap"),
        ("take", [4, -7], 1, None, "clip"),
        ("compress", [1, 0, 2], 1),
        ("compress", [False, True], 0),
        ("round", 1),
        ("round", -1),
        ("argsort", None),
        ("argpartition", 1),
        ("searchsorted", [3.0, 8.5]),
        ("cumsum", 1, "float32"),
        ("cumprod",),
        ("trace", 1),
        ("repeat", [1, 2], 0),
        ("diagonal", 1),
        ("swapaxes", 0, 1),
        ("nonzero",),
        ("dot", [1, 2, 3]),
    ):
        ours, theirs = x, values
        if name == "searchsorted":
            ours, theirs = corepy.sort(x[0]), np.sort(values[0])
        result, expected = getattr(ours, name)(*args), getattr(theirs, name)(*args)
        if str(x.device) == "cpu":
            assert is_same(result, expected), name
            continue
        if type(expected) is not tuple:
            result, expected = (result,), (expected,)
        for one, other in zip(result, expected, strict=True):
            assert type(one) is corepy.ndarray and one.device == x.device, name
            np.testing.assert_array_equal(
                one.to_numpy(), np.asarray(other), strict=True, err_msg=name
            )


def test_methods_of_other_libraries_are_named():
    x = corepy.ones(3)
    for name, instead in (("cpu", "to_device"), ("cuda", "to_device"), ("numpy", "to_numpy")):
        assert not hasattr(x, name)
        with pytest.raises(AttributeError, match=rf"attribute '{name}'; use x\.{instead}\("):
            getattr(x, name)()


def test_a_new_shape_that_needs_a_copy():
    for x in (np.ones((2, 3)), corepy.ones((2, 3))):
        with pytest.raises(AttributeError, match="shape"):
            x.T.shape = (6,)
        with pytest.raises(ValueError, match="reshape"):
            x.shape = (5,)
        x.shape = (6,)
        assert x.shape == (6,)


def test_order():
    for x in arrays():
        for axis in (-1, 0, 1):
            run("sort", x, axis)
            run("sort", x, axis, kind="stable")
            run("argsort", x, axis, stable=True)
            run("argsort", x, axis, "mergesort")
        run("argsort", x, None, "stable")
        run("sort", x, stable=True, kind="stable")
        if x.dtype.kind != "c":
            run("partition", x, 0, views=False)
    x = np.asarray([1.0, 2.0, 2.0, 3.0])
    for value in (2, 2.5, [0, 9], np.asarray([[1, 2]])):
        run("searchsorted", x, value)
        run("searchsorted", x, value, "right")
    run("searchsorted", x[::-1], [1.5], sorter=np.asarray([3, 2, 1, 0]))
    run("searchsorted", x, [1], "middle")


def test_arithmetic():
    for x in arrays():
        x = np.asarray(np.nan_to_num(x, posinf=1, neginf=2))
        rtol = 1e-4 if x.dtype == "f4" else 1e-11
        for axis in (None, 0, 1, -1):
            run("cumsum", x, axis, rtol=rtol)
            run("cumprod", x, axis, rtol=rtol)
        run("cumsum", x, None, "f8" if x.dtype.kind != "c" else None, rtol=1e-12)
        run("clip", x, 0, 2)
        run("clip", x, max=1)
        run("clip", x, 0, 2, casting="unsafe")
        for decimals in (0, 1, 2, -1):
            run("round", x, decimals)
        run("conjugate", x)
        for other in (2, x.T, np.ones(x.shape[-1:])):
            if x.dtype.kind in "fiu":
                run("dot", x, other, rtol=1e-5)
        for k in (0, 1, -1):
            run("trace", x, k, rtol=1e-5)
        run("trace", x, 0, 1, 0, "c16", rtol=1e-5)
    x = array((2, 3), "f8")
    run("cumsum", x, 1, out=np.zeros((2, 3)))
    run("round", x, out=np.zeros((2, 3)))


def test_elements():
    for x in arrays(dtypes=("f8", "i4", "?")):
        for places in (0, [0, 1], np.asarray([[0, -1]]), [5], [], [1.5], [True]):
            for axis in (None, 0, 1):
                run("take", x, places, axis)
        run("take", x, [0, 9], mode="clip")
        for condition in ([True, False], [True, False, True, True], [1, 0], [[True]], [True] * 9):
            for axis in (None, 0, 1):
                run("compress", x, condition, axis)
        for repeats in (2, [1, 2], 0):
            run("repeat", x, repeats)
            run("repeat", x, repeats, 0)
        run("nonzero", x)
        for value in (1, 2.5, np.float32(1), True, [3], [1, 2], 2**70, np.asarray(2), "a"):
            run("fill", x, value)
        run("swapaxes", x, 0, 1)
        run("swapaxes", x, 0, -1)
        run("diagonal", x, 1)
        run("put", x, [0], [1])
        run("put", x, [0, 99], 2, mode="wrap")
        run("put", x, indices=[0], values=[1])
        run("compress", x, condition=[True, False])
        run("resize", x, 2)


def test_views():
    for x in arrays():
        run("view", x)
        for dtype in ("i8", "u1", "f4", "?", "f8"):
            run("view", x, dtype)
        run("view", x, dtype="i4")
        run("byteswap", x)
        run("getfield", x, "u1")
    x = corepy.asarray(np.zeros(3))
    x.view("i8")[0] = 1
    assert x[0] == 5e-324
    run("setfield", array((3,), "i8"), 1, "u1")
    run("choose", np.asarray([0, 1, 0]), [np.arange(3), np.arange(3) * 10])
    run("argpartition", np.arange(5.0)[::-1], 2)


def test_bytes(tmp_path):
    for x in arrays():
        t = corepy.asarray(x)
        for order in "CFA":
            assert t.tobytes(order) == x.tobytes(order)
        assert is_same(pickle.loads(t.dumps()), x)
        assert t.to_numpy().tobytes() == x.tobytes()
        t.tofile(tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == x.tobytes()
        t.dump(tmp_path / "x")
        assert is_same(pickle.loads((tmp_path / "x").read_bytes()), x)
        assert np.array_equal(t.data, x, equal_nan=x.dtype.kind in "fc")
        if x.size:
            assert t.ctypes.data == np.asarray(t).ctypes.data


def test_flags():
    for x in arrays():
        ours, theirs = corepy.asarray(x).flags, x.flags
        for name in ("c_contiguous", "f_contiguous", "writeable", "aligned", "contiguous", "fnc",
                     "forc", "behaved", "carray", "farray", "writebackifcopy"):  # fmt: skip
            assert getattr(ours, name) == getattr(theirs, name), name
        for name in ("C_CONTIGUOUS", "F", "W", "ALIGNED", "CA"):
            assert ours[name] == theirs[name]
    with pytest.raises(KeyError):
        ours["nothing"]
    for t in (corepy.asarray([1.0, 2.0, 3.0]), corepy.arange(100.0), corepy.arange(5.0)[1:]):
        t.setflags(write=False)
        assert not t.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            t[0] = 1.0
        t.flags.writeable = True
        t[0] = 7.0
        assert t[0] == 7.0
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    for t in (np.broadcast_to(1.0, 3), frozen):
        with pytest.raises(ValueError, match=r"^setflags: "):
            corepy.asarray(t).setflags(write=True)


def test_flat():
    for x in arrays(dtypes=("f8", "i4")):
        ours, theirs = corepy.asarray(x).flat, x.flat
        assert len(ours) == len(theirs) and is_same(ours.copy(), theirs.copy())
        assert is_same(corepy.asarray(np.asarray(ours)), np.asarray(theirs))
        if x.size == 0:
            continue
        assert [float(v) for v in corepy.asarray(x).flat] == pytest.approx(
            list(x.flat), nan_ok=True
        )
        next(ours)
        next(theirs)
        assert ours.index == theirs.index and ours.coords[1:] == theirs.coords[1:]
        for key in (0, -1, slice(None), slice(None, None, 2), [0, 0], x.ravel() > 0):
            assert is_same(ours[key], theirs[key])
            for value in (5, [1, 2], np.asarray([7])):
                twin = copied(x)
                mine = corepy.asarray(copied(x))
                try:
                    twin.flat[key] = value
                except ValueError:
                    with pytest.raises(ValueError):
                        mine.flat[key] = value
                    continue
                mine.flat[key] = value
                assert is_same(mine, twin), (x, key, value)
        twin, mine = copied(x), corepy.asarray(copied(x))
        if x.ndim:
            twin[::2].flat[1::2] = 8
            mine[::2].flat[1::2] = 8
            assert is_same(mine, twin)
        twin.flat = [1, 2, 3]
        mine.flat = [1, 2, 3]
        assert is_same(mine, twin)


def test_flags_compare_and_can_be_set():
    x, y = corepy.zeros((2, 3)), corepy.ones((2, 3))
    assert x.flags == y.flags
    assert x.flags != x.T.flags
    x.flags["WRITEABLE"] = False
    assert not x.flags.writeable
    assert x.flags != y.flags
    with pytest.raises(KeyError):
        x.flags["C"] = False


@pytest.mark.parametrize("given", [[1.0, 2.0], None, np.ones(3), object()])
@pytest.mark.parametrize("cls", [corepy.ndarray, Tensor])
def test_methods_refuse_what_is_no_array(cls, given):
    """The process crashed."""
    attributes = {name: getattr(cls, name, None) for name in set(dir(cls)) - set(dir(type))}
    methods = [
        each for each in attributes.values() if callable(each) and not inspect.ismethod(each)
    ]
    assert len(methods) > 50
    for method in methods:
        with pytest.raises(TypeError):
            method(given)


def test_methods_of_all_classes_check_the_type_of_self():
    """Cython's functions with `binding` do not."""
    found = {
        value
        for name in _finder.NAMES
        if not name.startswith("corepy._gpu")
        for value in vars(importlib.import_module(name)).values()
        if isinstance(value, type) and value.__module__.startswith("corepy")
    }
    extension_types = {cls for cls in found if not cls.__flags__ & 1 << 9}
    assert {Tensor, corepy.ndarray, corepy.Device} <= extension_types
    unchecked = {
        (cls, name)
        for cls in extension_types - {Tensor}
        for name, value in vars(cls).items()
        if type(value) is type(xp.sum)
    }
    assert not unchecked


@pytest.mark.parametrize("count", [6, 600])
def test_resize(count):
    x = corepy.arange(count)
    x.resize((2, 4))
    assert x.tolist() == [[0, 1, 2, 3], [4, 5, *range(6, min(count, 8)), *[0] * (8 - count)]]
    x.resize(1000)
    assert x.shape == (1000,) and int(x.sum()) == sum(range(min(count, 8)))
    x += 1
    assert np.asarray(x)[-1] == 1
    x.resize(0)
    x.resize(())
    assert x.shape == () and int(x) == 0
    x.resize()
    x.resize(3, refcheck=False)
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("count", [6, 600])
def test_resize_refuses_shared_memory(count):
    x = corepy.arange(count)
    for make in (lambda x: x[1:], np.asarray, memoryview):
        held = make(x)
        with pytest.raises(ValueError, match="resize: "):
            x.resize(3)
        del held
    with pytest.raises(ValueError, match="resize: "):
        x[1:].resize(3)
    with pytest.raises(ValueError, match="resize: "):
        corepy.zeros((2, 3)).T.resize(3)
    with pytest.raises(ValueError, match="resize: sizes must not be negative"):
        x.resize(-1)
    assert x.tolist() == list(range(count))
    x.resize(2)
    assert x.tolist() == [0, 1]


def test_resize_keeps_memory_that_others_may_read():
    x = corepy.arange(6)
    view = x[1:3]
    x.resize(40, refcheck=False)
    x[...] = 7
    assert view.tolist() == [1, 2] and x.tolist() == [7] * 40
