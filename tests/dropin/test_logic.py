"""Own comparisons, tests of elements and facts, against NumPy's."""

import itertools

import numpy as np
import pytest

import corepy
from corepy.numpy import _logic

from .comparing import array, arrays, check
from .own import same_signature


def run(name, *args, **keywords):
    return check(getattr(corepy, name), getattr(np, name), *args, **keywords)


def test_signatures_are_as_in_numpy():
    same_signature(_logic)


@pytest.mark.parametrize(
    "name", ["isreal", "iscomplex", "isrealobj", "iscomplexobj", "iterable", "ndim",
             "size", "shape", "isposinf", "isneginf", "nan_to_num"],
)  # fmt: skip
def test_one_array(name):
    for x in arrays():
        own = name not in ("isposinf", "isneginf") or x.dtype.kind in "iuf"
        run(name, x, own=own, views=x.ndim > 0)
    for value in (1, 2.5, "a", [1, 2j], [], None, np.float32(1), {1: 2}):
        run(name, value, own=False)


def test_results_without_axes_are_scalars():
    assert corepy.isscalar(corepy.sum(corepy.arange(3.0))) and corepy.isscalar(corepy.arange(3)[0])
    assert not corepy.isscalar(corepy.array(2.0)) and not corepy.isscalar(corepy.arange(3))


def near(x, seed):
    """A second array, near to `x` at most places."""
    rng = np.random.default_rng(seed)
    if x.dtype.kind not in "fc":
        return np.where(rng.random(x.shape) < 0.9, x, 1).astype(x.dtype)
    with np.errstate(all="ignore"):
        return (x * (1 + rng.choice([0, 1e-7, 1e-3], x.shape))).astype(x.dtype)


@pytest.mark.parametrize("name", ["isclose", "allclose"])
def test_closeness(name):
    for seed, x in enumerate(arrays()):
        for y in (near(x, seed), x, near(x, seed).astype("f8"), 1.0, 2, np.float64(0.5), np.nan):
            if x.dtype.kind == "b" and isinstance(y, np.ndarray) and y.dtype.kind == "b":
                continue  # NumPy has no differences of them
            if x.dtype.kind == "c" and isinstance(y, np.ndarray) and y.dtype == "f8":
                continue  # a cast with a warning
            for equal_nan in (False, True):
                run(name, x, y, equal_nan=equal_nan)
            run(name, x, y, 0.1, 0.0)
            run(name, x, y, rtol=np.float64(1e-3), atol=1)
    run(name, 1.0, 1.0 + 1e-9, own=False)
    run(name, [1, 2], [1.0, 2.5])
    run(name, [1, 2], [1, 2, 3])
    run(name, 2, np.asarray([1.0, 2.0], "f4"))
    run(name, np.inf, np.asarray([np.inf, 1.0]))
    run(name, np.asarray([np.inf, 1.0]), np.inf)
    run(name, np.asarray([True]), np.asarray([True]))


@pytest.mark.parametrize("name", ["array_equal", "array_equiv"])
def test_equality(name):
    for seed, x in enumerate(arrays()):
        for y in (x, near(x, seed), x.astype("c16"), x[None], x.tolist(), 1):
            run(name, x, y)
            if name == "array_equal":
                run(name, x, y, equal_nan=True)
                run(name, y, x, True)
    run(name, [1, 2], (1, 2))
    run(name, "a", "a", own=False)
    run(name, [[1], [1, 2]], 3, own=False)


def test_clip():
    limits = (None, 0, -1, 2.5, 300, np.nan, np.float64(0.5), np.asarray(1), np.int8(1), 2**40)
    for x, low, high in itertools.product(arrays(shapes=((), (5,), (3, 4))), limits, limits):
        run("clip", x, low, high, own=False, views=False)
    for x in arrays(shapes=((3, 4),)):
        own = x.dtype.kind != "c"
        run("clip", x, 0, 2, own=own)
        run("clip", x, min=1, own=own)
        run("clip", x, max=1, own=own)
        run("clip", x, 1, own=False)
        run("clip", x, own=False)
        run("clip", x, 1, 2, min=1)
        run("clip", x, a_min=1, a_max=[2, 3, 1, 0], own=False)
        run("clip", x, 1, 2, casting="unsafe", own=False)
        for dtype in ("f4", "f8", "i1"):
            run("clip", x, 1, 2, np.zeros((3, 4), dtype), own=False)
        out = corepy.asarray(x.copy())
        assert x.dtype.kind in "bc" or corepy.clip(out, 0, 1, out) is out


def test_nan_to_num():
    for x in arrays(dtypes=("f4", "f8", "c16", "i4", "?")):
        for copy in (True, False):
            run("nan_to_num", x, copy, views=x.ndim > 0)
            run("nan_to_num", x, copy, 7, views=x.ndim > 0)
            run("nan_to_num", x, copy, posinf=1, neginf=-1.5, views=x.ndim > 0)
            run("nan_to_num", x, copy, nan=np.inf, neginf=np.nan, views=x.ndim > 0)
            run("nan_to_num", x, copy, [1], own=False, views=x.ndim > 0)
    run("nan_to_num", [1.0, np.nan])
    run("nan_to_num", np.nan, own=False)


def test_infinities():
    x = array((5,), "f8", 3)
    for name in ("isposinf", "isneginf"):
        run(name, x, np.zeros(5, bool))
        run(name, x, np.zeros(5))
        run(name, x, np.zeros(4, bool))
        run(name, [1, np.inf])


def test_diagonals():
    def filled(a, *args, **keywords):
        assert corepy.fill_diagonal(a, *args, **keywords) is None
        return a

    def theirs(a, *args, **keywords):
        np.fill_diagonal(a, *args, **keywords)
        return a

    for shape, layout in itertools.product(
        ((3, 3), (2, 4), (5, 2), (2, 2, 2), (0, 3), (2, 3, 2), (4,)), ("C", "F", "steps")
    ):
        for dtype in ("f8", "i4", "?"):
            x = array(shape, dtype, layout=layout)
            own = layout == "C" and dtype == "f8"
            for value in (1, 2.5, True, np.float32(2)):
                for wrap in (False, True):
                    check(filled, theirs, x, value, wrap, own=own)
            for value in ([1, 2], [1, 2, 3], np.arange(3), 1j, 2**40):
                check(filled, theirs, x, value, own=False)


def test_sizes():
    for x in arrays(dtypes=("f8",)):
        for axis in (0, -1, 2, (0, 1), (), (0, 0)):
            run("size", x, axis)


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("name", ["rtol", "atol"])
def test_operands_are_where_a_tolerance_is(device, name):
    tolerance = {name: corepy.asarray(1e-3, device=device)}
    for a, b in (
        (2.0, 2.0001),
        (np.asarray([2.0, 3.0]), np.asarray([2.0001, 3.1])),
        ([2.0], 2),
    ):
        found = np.isclose(a, b, **tolerance)
        assert found.device == device
        assert np.array_equal(np.asarray(found), np.isclose(a, b, **{name: 1e-3}))
        assert np.allclose(a, b, **tolerance) == np.allclose(a, b, **{name: 1e-3})
    np.testing.assert_allclose(np.ones(2), np.ones(2), **tolerance)


@pytest.mark.parametrize("name", ["may_share_memory", "shares_memory"])
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_shared_memory(device, name):
    x = corepy.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y = corepy.array_api.asarray(x, copy=True)
    shared = getattr(corepy, name)
    for a, b, expected in (
        (x, x, True),
        (x, x[1:, ::2], True),
        (x[0, ...], x[1, ...], False),
        (x, y, False),
        (x, x[:0], False),
        (x, np.ones(3), False),
        (x, x.to_device("cpu" if device == "reference" else "reference"), False),
    ):
        assert shared(a, b) is expected
        assert getattr(np, name)(a, b) is expected
    # Bounds overlap; the elements are others.
    assert shared(x[:, ::2], x[:, 1::2]) is (name == "may_share_memory")
