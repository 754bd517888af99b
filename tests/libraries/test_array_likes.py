"""Objects that NumPy reads as arrays are arguments of Corepy's functions, too."""

import array

import numpy
import pytest
from strategies import assert_same

import corepy as np
from libraries.beside_numpy import assert_as_numpy, assert_like

VALUES = numpy.asarray([3.0, 1.0, 2.0])


class Interface:
    """Has NumPy's array interface and nothing else."""

    def __init__(self, values):
        self.values = values
        self.__array_interface__ = values.__array_interface__


class Protocol:
    """Has NumPy's `__array__` and nothing else."""

    def __array__(self, dtype=None, copy=None):
        return VALUES


def of(library, function, *names):
    """Return an array-like of a library, or skip the test."""
    module = pytest.importorskip(library)
    for name in function.split("."):
        module = getattr(module, name)
    return module(*names)


ARRAY_LIKES = {
    "Series": lambda: of("pandas", "Series", VALUES),
    "Index": lambda: of("pandas", "Index", VALUES),
    "DataFrame": lambda: of("pandas", "DataFrame", {"a": VALUES}),
    "xarray": lambda: of("xarray", "DataArray", VALUES),
    "polars": lambda: of("polars", "Series", VALUES),
    "image": lambda: of("PIL.Image", "fromarray", numpy.eye(3, dtype="uint8")),
    "torch": lambda: of("torch", "asarray", VALUES),
    "jax": lambda: of("jax.numpy", "asarray", VALUES),
    "array_api_strict": lambda: of("array_api_strict", "asarray", VALUES),
    "range": lambda: range(3),
    "array": lambda: array.array("d", VALUES),
    "memoryview": lambda: memoryview(VALUES),
    "bytearray": lambda: bytearray(b"abc"),
    "interface": lambda: Interface(VALUES),
    "protocol": lambda: Protocol(),
}
#: Those without operators and functions of their own.
OPERANDS = ["image", "range", "array", "memoryview", "bytearray", "interface", "protocol"]
FUNCTIONS = {
    "asarray": lambda xp, x: xp.asarray(x),
    "array": lambda xp, x: xp.array(x, dtype="float32"),
    "nested": lambda xp, x: xp.array([xp.asarray(x), xp.asarray(x)]),
    "nansum": lambda xp, x: xp.nansum(x, dtype="float64"),
    "sort": lambda xp, x: xp.sort(x, axis=0),
    "add": lambda xp, x: xp.add(x, xp.asarray(x)),
    "where": lambda xp, x: xp.where(xp.asarray(x) > 1, x, 0.0),
    "concatenate": lambda xp, x: xp.concatenate([x, xp.ones((1, *xp.shape(x)[1:]))]),
    "median": lambda xp, x: xp.median(x),
    "dot": lambda xp, x: xp.dot(xp.ones(xp.shape(x)[0]), x),
    "isin": lambda xp, x: xp.isin(xp.asarray(x), x),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.arange(4.0), x),
    "method": lambda xp, x: xp.ones(xp.shape(x)[0]).dot(x),
    "clip": lambda xp, x: xp.clip(xp.asarray(x), x, None),
    "unique": lambda xp, x: xp.unique(x),
    "quantile": lambda xp, x: xp.quantile(x, 0.3),
    "reshape": lambda xp, x: xp.reshape(xp.asarray(x), (-1,)),
}


@pytest.mark.parametrize("kind", ARRAY_LIKES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments(kind, name):
    like = ARRAY_LIKES[kind]()
    # NumPy's functions look for methods of some of these; an ndarray is their equivalent.
    actual, expected = FUNCTIONS[name](np, like), FUNCTIONS[name](numpy, numpy.asarray(like))
    if kind in OPERANDS:
        assert_as_numpy(actual, expected, rtol=1e-12)
    else:  # the result of an object's own function is the object's
        assert_like(actual, expected)


@pytest.mark.parametrize("kind", ARRAY_LIKES)
def test_the_standards_asarray_takes_them(kind):
    like = ARRAY_LIKES[kind]()
    assert_same(np.array_api.asarray(like), numpy.asarray(like))


@pytest.mark.parametrize("kind", OPERANDS)
def test_operands(kind):
    like = ARRAY_LIKES[kind]()
    values = numpy.asarray(like) * 0.5
    t = np.asarray(values, copy=True)
    assert_as_numpy(t + like, values + like)
    assert_as_numpy(t == like, values == like)
    assert_as_numpy(t @ like, values @ like)
    if kind not in ("array", "bytearray"):  # which have operators of their own for buffers
        assert_as_numpy(like - t, like - values)
    other = t
    t *= like
    assert t is other
    assert_as_numpy(t, values * like)


@pytest.mark.parametrize("kind", ARRAY_LIKES)
def test_values_that_are_assigned(kind):
    like = ARRAY_LIKES[kind]()
    expected = numpy.zeros(numpy.shape(like))
    t = np.asarray(expected, copy=True)
    t[...] = like
    expected[...] = like
    assert_as_numpy(t, expected)


def test_keys():
    values = numpy.arange(12.0).reshape(3, 4)
    t = np.asarray(values)
    series = pytest.importorskip("pandas").Series
    for key in (range(2), series([2, 0]), series([True, False, True]), array.array("l", [1, 2])):
        assert_as_numpy(t[key], values[key])
        t[key], values[key] = 0.0, 0.0
        assert_as_numpy(t, values)
