"""Differences, sums, integrals, interpolation and polynomials of the drop-in, as NumPy's."""

import inspect
import itertools
import warnings

import numpy as np
import pytest

import corepy
from corepy.numpy import _calculus as own
from corepy.numpy import _series
from corepy.numpy._names import of_numpy

from .against_numpy import DTYPES, SHAPES, check, compare, layouts, samples
from .own import same_signature

SCANS = ["cumsum", "cumprod", "nancumsum", "nancumprod"]


@pytest.mark.parametrize("name", SCANS)
def test_scans(name):
    function, theirs = getattr(own, name), getattr(np, name)
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for array, axis in itertools.product(layouts(samples(shape, dtype)), (None, 0, -1, 1)):
            valid = axis is None or -len(shape) <= axis < len(shape)
            check(function, theirs, array, axis, own_only=valid)
        for other in "lfdD":
            check(function, theirs, samples(shape, dtype), None, other)
    special = np.array([[1.0, np.nan, 2.0], [np.inf, -np.inf, 1.0]])
    for axis in (None, 0, 1):
        assert check(function, theirs, special, axis=axis)
        assert check(function, theirs, special.astype("F"), axis=axis)
    out = corepy.zeros(4)
    assert getattr(corepy, name)(corepy.asarray([1.0, 2.0, 3.0, 4.0]), out=out) is out
    compare(out, theirs([1.0, 2.0, 3.0, 4.0]))
    for values, dtype in (([0.5, 1.75], "l"), ([2, 0], "?"), ([1.5j, 2.0], "d")):
        out, expected = corepy.zeros(2, dtype=dtype), np.zeros(2, dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs(values, out=expected)
            getattr(corepy, name)(corepy.asarray(values), out=out)
        compare(out, expected)


def test_diff():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for array in layouts(samples(shape, dtype)):
            for n, axis in itertools.product((0, 1, 2, 9), (-1, 0)):
                check(own.diff, np.diff, array, n, axis, own_only=True)
    array = samples((3, 4), "f")
    for end in (0, 1.5, np.float32(2), np.ones((3, 1)), np.ones((1, 4)), [[1], [2], [3]]):
        check(own.diff, np.diff, array, 1, -1, end)
        check(own.diff, np.diff, array, axis=0, prepend=end)
        check(own.diff, np.diff, array, 2, append=end, prepend=end)
        check(own.diff, np.diff, samples((3, 4), "i"), append=end)
    for n in (-1, 1.5, None):
        check(own.diff, np.diff, array, n)


def test_ediff1d():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        assert check(own.ediff1d, np.ediff1d, samples(shape, dtype)) or dtype == "?"
    for dtype, end in itertools.product("bild", (7, [1, 2], 1.5, np.array([[3]], "b"), 1j, [])):
        array = samples(5, dtype)
        check(own.ediff1d, np.ediff1d, array, end)
        check(own.ediff1d, np.ediff1d, array, end, end)
        check(own.ediff1d, np.ediff1d, array, to_begin=end)


def test_gradient():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for array in layouts(samples(shape, dtype)):
            valid = dtype != "?" and min(shape, default=2) >= 2 and len(shape) > 0
            check(own.gradient, np.gradient, array, own_only=valid)
            check(own.gradient, np.gradient, array, 2.0)
            check(own.gradient, np.gradient, array, edge_order=2)
    for dtype in "lfdD":
        array = samples((5, 6), dtype)
        places, others = np.array([0.0, 1, 3, 3.5, 7]), np.arange(6) * 0.5
        for steps in [(0.5,), (2, 3.0), (places, others), (places, 2), (np.float64(2), 1)]:
            assert check(own.gradient, np.gradient, array, *steps)
            assert check(own.gradient, np.gradient, array, *steps, edge_order=2)
        assert check(own.gradient, np.gradient, array, places, axis=0)
        assert check(own.gradient, np.gradient, array, np.arange(6), axis=-1, edge_order=2)
        assert check(own.gradient, np.gradient, array, 1, 2.0, axis=(1, 0))
        assert check(own.gradient, np.gradient, array, 2.0, axis=(1,))
        for steps in [(places,), (1, 2, 3), (others, places), (places.reshape(1, -1), 1)]:
            check(own.gradient, np.gradient, array, *steps)
        check(own.gradient, np.gradient, array, axis=(0, 0))
        check(own.gradient, np.gradient, array, axis=())
        check(own.gradient, np.gradient, array, edge_order=3)


def test_unwrap():
    rng = np.random.default_rng(2)
    for shape, dtype in itertools.product([(7,), (4, 5), (1,), (0,), (2, 3, 4)], "dfil"):
        array = (rng.standard_normal(shape) * 10).astype(dtype)
        for axis in (-1, 0):
            assert check(own.unwrap, np.unwrap, array, None, axis, ulps=32)
            assert check(own.unwrap, np.unwrap, array, 4.0, axis=axis, ulps=32)
        for period in (4, 5, 4.0, 0.5):
            assert check(own.unwrap, np.unwrap, array, period=period, ulps=32)
    assert check(own.unwrap, np.unwrap, np.array([0.0, np.pi, 0.0, -np.pi, np.nan, 1.0]))
    for array in (samples(5, "B"), samples(5, "?"), samples((), "d")):
        check(own.unwrap, np.unwrap, array, period=4)


def test_trapezoid():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for array in layouts(samples(shape, dtype)):
            check(own.trapezoid, np.trapezoid, array, own_only=len(shape) > 0 and dtype in "fd")
            check(own.trapezoid, np.trapezoid, array, None, 0.5, 0)
            check(own.trapezoid, np.trapezoid, array, dx=2)
    array = samples((4, 3), "d")
    for x, axis in [(np.arange(3.0) ** 2, 1), (np.array([0, 1, 3, 9]), 0), (array * 2, -1)]:
        for dtype in "bldfD":
            check(own.trapezoid, np.trapezoid, array.astype(dtype), x, axis=axis, own_only=True)
    special = np.array([[1.0, np.inf], [np.nan, 1.0], [-np.inf, 2.0], [np.inf, np.inf]])
    assert check(own.trapezoid, np.trapezoid, special)
    assert check(own.trapezoid, np.trapezoid, special, axis=0)
    for x in (np.arange(2.0), np.arange(5.0), samples((2, 4, 3), "d"), 1.0):
        check(own.trapezoid, np.trapezoid, array, x)


@pytest.fixture
def elsewhere(monkeypatch):
    """What is NumPy's on the CPU is the own function's, as on other devices."""
    monkeypatch.setattr(own, "_is_on_cpu", lambda x: False)


def test_numpy_functions_are_called_where_they_are_faster():
    x = corepy.ones(100)
    assert corepy.interp.route(x, x, x) is None
    x = np.random.default_rng(0).random(1000)
    assert check(own.interp, np.interp, x, np.linspace(0, 1, 50), np.linspace(2, 3, 50))


def test_interp(elsewhere):
    rng = np.random.default_rng(4)
    for count, dtype in itertools.product((2, 3, 50), "ldf"):
        nodes = np.cumsum(rng.integers(1, 5, count)).astype(dtype)
        values = (rng.standard_normal(count) * 10).astype(dtype)
        x = np.concatenate([nodes, rng.random(40) * 70 - 5]).astype(dtype)
        for points in (x, x[::-2], x.reshape(2, -1) if x.size % 2 == 0 else x, x[0], x[:0]):
            assert check(own.interp, np.interp, points, nodes, values)
            assert check(own.interp, np.interp, points, nodes, values, -1.0, 99)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 1.0, 2.0])
    assert check(own.interp, np.interp, special, [0.0, 1.0, 2.0], [3.0, 4.0, -1.0])
    assert check(own.interp, np.interp, 0.5, np.array([0.0, 1.0]), [3.0, 4.0])
    for nodes in ([0.0, 0.0, 1.0, 1.0, 2.0, 2.0], [-np.inf, 0.0, 0.5, 1.0, 1.0, np.inf]):
        for values in ([1, 2, 3, 4, 5, 6], [1, 1, np.inf, 3, np.nan, 2], [np.inf] * 6, [2] * 6):
            assert check(own.interp, np.interp, np.append(special, 0.7), nodes, np.array(values))
    assert check(own.interp, np.interp, np.array([0.0, 1e308]), [-1e308, 1e308], [1.0, 1.0])
    for nodes, values in [
        ([1.0], [2.0]), ([], []), ([0.0, 0.0, 1.0], [1.0, 2.0, 3.0]), ([0.0, np.inf], [1.0, 2.0]),
        ([0.0, 1.0], [np.inf, 1.0]), ([0.0, 1.0], [1.0]), ([1.0, 0.0], [1.0, 2.0]),
        ([0.0, 1.0], [1j, 2.0]), ([0.0, np.nan], [1.0, 2.0]), ([0.0, 1.0], [np.nan, 1.0]),
        ([[0.0, 1.0]], [[1.0, 1.0]]),
    ]:  # fmt: skip
        check(own.interp, np.interp, special, np.array(nodes), np.array(values))
    check(own.interp, np.interp, special, [0.0, 1.0], [1.0, 2.0], period=3.0)
    check(own.interp, np.interp, special + 1j, [0.0, 1.0], [1.0, 2.0])


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_convolutions(name, elsewhere):
    function, theirs = getattr(own, name), getattr(np, name)
    for n, m, mode in itertools.product((1, 2, 5, 8), (1, 2, 3, 8), ("full", "same", "valid")):
        for one, other in itertools.product("bBldfD", "bldD"):
            a, v = samples(n, one, 1), samples(m, other, 2)
            assert check(function, theirs, a, v, mode, ulps=32)
    assert check(function, theirs, [1, 2, 3], [0, 1.5])
    for mode in (0, 1, 2, 3, "f", "valid ", None):
        check(function, theirs, np.arange(6.0), np.arange(3.0), mode)
    for a, v in [(1.0, [1.0, 2.0]), ([], [1.0]), ([[1.0]], [1.0]), ([True], [True]), (2.0, 3.0)]:
        check(function, theirs, np.array(a), np.array(v))


def test_polynomials():
    for one, other in itertools.product("blfdD", "blfdD"):
        for n, m in itertools.product((1, 3, 4), (1, 2, 3)):
            p, q = samples(n, one, 1), samples(m, other, 2)
            p[0], q[0] = 2, 3
            for name in ("polyadd", "polysub", "polymul"):
                assert check(getattr(own, name), getattr(np, name), p, q, ulps=32)
            assert check(own.polyval, np.polyval, p, q, ulps=32)
            for order in (0, 1, 2):
                check(own.polyder, np.polyder, p, order, own_only=order < n)
    x = np.array([1.5, np.nan, np.inf, -2.0, 0.0])
    for points in (x, x.reshape(1, -1), 3, 2.5, x.astype("f"), np.array(2.0)):
        assert check(own.polyval, np.polyval, np.array([1, 2, 3]), points)
        assert check(own.polyval, np.polyval, np.array([1.0, 2.0, 3.0]), points)
    for p, q in [
        ([0, 0, 1], [1, 2]),
        ([], [1]),
        ([0], [0]),
        ([[1, 2]], [1]),
        ([True], [True]),
        (3, 4),
    ]:
        for name in ("polyadd", "polysub", "polymul", "polyval"):
            check(getattr(own, name), getattr(np, name), np.array(p), np.array(q))
        check(own.polyder, np.polyder, np.array(p), 3)
        check(own.polyder, np.polyder, np.array(p), -1)
    assert corepy.polyadd.route(np.poly1d([1, 2]), corepy.ones(1)) is None
    assert type(corepy.polyval(corepy.ones(2), np.poly1d([1, 2]))) is np.poly1d


def test_signatures_are_as_in_numpy():
    same_signature(own)


@pytest.mark.parametrize("dtype", ["d", "f", "D", "i"])
def test_polyfit(dtype):
    x = samples(30, dtype, 1) if dtype == "i" else np.linspace(-1, 2, 30).astype(dtype)
    y = samples(30, dtype, 2)
    for degree in (0, 1, 3):
        assert check(own.polyfit, np.polyfit, x, y, degree, ulps=1e4)
        assert check(own.polyfit, np.polyfit, x, np.stack([y, x], axis=1), degree, ulps=1e4)
    assert check(own.polyfit, np.polyfit, x, y, 2, 1e-3, ulps=1e4)
    for keywords in ({"full": True}, {"cov": True}, {"w": np.ones(30)}):
        assert not check(own.polyfit, np.polyfit, x, y, 2, **keywords)
    for args in [(x[:0], y[:0], 1), (x, y[:9], 1), (x, y, -1), (x, 1.0, 1)]:
        assert not check(own.polyfit, np.polyfit, *args)
    assert check(own.polyfit, np.polyfit, np.ones(30), y, 2, ulps=1e4)
    with pytest.warns(np.exceptions.RankWarning) as warned:
        corepy.polyfit(corepy.ones(5), corepy.ones(5), 2)
    assert warned[0].filename == __file__


SERIES = [("polynomial", "polyval"), ("chebyshev", "chebval"), ("legendre", "legval")]


@pytest.mark.parametrize(("module", "name"), SERIES)
def test_values_of_series(module, name):
    function = getattr(getattr(corepy.polynomial, module), name)
    theirs = getattr(getattr(np.polynomial, module), name)
    x = np.append(samples(15, "d"), [np.nan, np.inf, -0.0, 0.0, -np.inf])
    for points in (x, x.reshape(4, 5), x.reshape(4, 5).T[::2], x[:0], x.astype("f"), x * 1j):
        for c in ([1.0], [2], [1, 2], [0.1, -0.0, 3, 4, 5], [True], (1.0, 2.0, 3.0), [1e308] * 4):
            compare(function(corepy.asarray(points), c), theirs(points, c))
            compare(function(corepy.asarray(points), corepy.asarray(c)), theirs(points, c))
            compare(
                function(corepy.asarray(points), c, tensor=False), theirs(points, c, tensor=False)
            )
    for c in (np.ones((3, 2)), np.array([0.1, 2, 3], "f"), np.array([1, 2j]), 2.0):
        compare(function(corepy.asarray(x), c), theirs(x, c))
    compare(function(corepy.asarray(2.0), [1.0, 2.0, 3.0]), theirs(2.0, [1.0, 2.0, 3.0]))
    with pytest.raises(IndexError):
        function(corepy.asarray(x), [])


@pytest.mark.parametrize("name", _series.__all__)
def test_series_are_computed_without_numpy(name):
    x = corepy.asarray([0.5, 1.0])
    module = np.polynomial.polynomial if name == "polyval" else np.polynomial.chebyshev
    function = of_numpy(getattr(module, name))
    assert function.route(x, [1.0, 2.0, 3.0]) is getattr(_series, name)
    assert function.route(x, [1.0, 2j]) is None
    assert function.route(0.5, [1.0]) is None
    assert inspect.signature(getattr(_series, name)).parameters.keys() == (
        inspect.signature(getattr(module, name)).parameters.keys()
    )
