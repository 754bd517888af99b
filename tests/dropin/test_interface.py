"""The drop-in has NumPy's structure: modules, classes, ufuncs, signatures."""

import functools
import importlib
import subprocess
import sys

import numpy
import numpy.typing
import pytest

import corepy as np
import corepy.array_api as xp
from corepy import Tensor
from corepy.numpy._names import MODULES


@pytest.mark.parametrize("name", [*MODULES, "random"])
def test_modules_can_be_imported(name):
    ours = importlib.import_module(f"corepy.{name}")
    theirs = importlib.import_module(f"numpy.{name}")
    assert functools.reduce(getattr, name.split("."), np) is ours
    public = getattr(theirs, "__all__", None) or [n for n in dir(theirs) if not n.startswith("_")]
    for attribute in set(public) - {"__version__", "__array_namespace_info__"}:
        assert hasattr(ours, attribute), attribute


def test_names_can_be_imported_from_modules():
    from corepy.lib.stride_tricks import sliding_window_view
    from corepy.linalg import inv

    assert inv is np.linalg.inv
    x = np.arange(5.0)
    assert type(sliding_window_view(x, 2)) is Tensor
    with pytest.raises(ImportError):
        from corepy.linalg import nothing  # noqa: F401


def test_objects_that_are_indexed_return_tensors():
    assert type(np.r_[1:4, 0]) is type(np.c_[[1, 2], [3, 4]]) is type(np.mgrid[0:2, 0:3]) is Tensor
    assert [type(x) for x in np.ogrid[0:2, 0:3]] == [Tensor, Tensor]
    assert type(np.r_["r", 1:4]) is numpy.matrix  # which stays NumPy's


def test_types_for_annotations_are_numpys():
    import corepy.typing as npt

    assert npt.NDArray[np.float64] == numpy.typing.NDArray[numpy.float64]
    assert npt.ArrayLike is numpy.typing.ArrayLike
    assert npt.DTypeLike is numpy.typing.DTypeLike


def test_pages_of_the_standard_are_not_names():
    assert np.info.native is numpy.info
    assert not hasattr(np, "creation_functions")


def test_importing_all_names_gives_numpys():
    script = "from corepy import *\nprint(sorted(n for n in dir() if not n.startswith('_')))"
    ours = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    names = set(eval(ours.stdout))
    assert names >= set(numpy.__all__) - {"__array_namespace_info__", "__version__"}


def test_instances_of_classes():
    x = np.arange(3)
    for array in (x, numpy.arange(3), numpy.array(["a"]), numpy.ma.masked_all(2)):
        assert isinstance(array, np.ndarray)
    for other in (1, 1.0, [1], numpy.float64(1)):
        assert not isinstance(other, np.ndarray)
    assert issubclass(Tensor, np.ndarray)
    assert isinstance(np.add, np.ufunc)
    assert isinstance(numpy.add, np.ufunc)
    assert not isinstance(np.sum, np.ufunc)


def test_ndarray_can_be_called_and_subclassed_and_dispatched_on():
    assert type(np.ndarray((2, 3))) is Tensor
    assert np.ndarray((2, 3), dtype="int32").dtype == np.int32

    class Named(np.ndarray):
        name = "n"

    named = Named((2,))
    named[:] = 1
    assert isinstance(named, numpy.ndarray)
    assert named.name == "n"
    assert isinstance(named, np.ndarray)
    assert not isinstance(np.arange(3), Named)

    @functools.singledispatch
    def kind(_):
        return "other"

    kind.register(np.ndarray, lambda _: "array")
    assert kind(np.arange(3)) == kind(numpy.arange(3)) == "array"
    assert kind([1]) == "other"


# ---- ufuncs

BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "hypot"]
X = numpy.array([[1.0, -2.0, 3.0], [0.5, 4.0, -0.0]])
Y = numpy.array([2.0, 3.0, 0.25])


def assert_equal(actual, expected):
    assert type(actual) is Tensor
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    numpy.testing.assert_array_equal(numpy.asarray(actual), expected)


@pytest.mark.parametrize("name", BINARY)
def test_arguments_of_ufuncs(name):
    ours, theirs = getattr(np, name), getattr(numpy, name)
    x, y = np.abs(np.asarray(X)), np.asarray(Y)
    a, b = numpy.abs(X), Y
    mask = a > 1
    with numpy.errstate(all="ignore"):
        for dtype in ("float64", "float32"):
            for arguments in ({}, {"where": mask}):
                out, expected = np.full((2, 3), 7.0, dtype=dtype), numpy.full((2, 3), 7.0, dtype)
                result = ours(x, y, out=out, **{k: np.asarray(v) for k, v in arguments.items()})
                theirs(a, b, out=expected, **arguments)
                assert result is out
                assert_equal(out, expected)
        out = np.empty((2, 3))
        assert ours(x, y, out) is out
        assert ours(x, y, out=(out,)) is out
        assert_equal(out, theirs(a, b))
        assert_equal(ours(x, y, dtype=np.float32), theirs(a, b, dtype=numpy.float32))
        if name in ("add", "subtract", "multiply"):
            assert_equal(ours(x, y, dtype="complex128"), theirs(a, b, dtype="complex128"))
        with pytest.raises(TypeError):
            ours(x, y, out=np.empty((2, 3), dtype="int64"))
        with pytest.raises(ValueError, match=r"broadcast|shape"):
            ours(x, y, out=np.empty(3))
        assert_equal(ours.outer(x, y), theirs.outer(a, b))


def test_out_may_be_an_operand():
    x = np.array(X)
    np.add(x, x[::-1], out=x)
    assert_equal(x, X + X[::-1])
    np.multiply(x, 2.0, out=x)
    assert_equal(x, 2 * (X + X[::-1]))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "complex64"])
@pytest.mark.parametrize("axis", [0, 1, -1, None, (0, 1)])
@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "minimum", "logical_and", "logical_or"]
)
def test_reductions_of_ufuncs(name, axis, dtype):
    array = (numpy.arange(12).reshape(3, 4) % 5).astype(dtype)
    ours, theirs = getattr(np, name), getattr(numpy, name)
    for keepdims in (False, True):
        expected = theirs.reduce(array, axis=axis, keepdims=keepdims)
        assert_equal(ours.reduce(np.asarray(array), axis=axis, keepdims=keepdims), expected)
    if isinstance(axis, int):
        assert_equal(ours.accumulate(np.asarray(array), axis), theirs.accumulate(array, axis))
    if axis == 0:
        assert_equal(ours.reduce(np.asarray(array)), theirs.reduce(array))
        assert_equal(ours.reduceat(np.asarray(array), [0, 2]), theirs.reduceat(array, [0, 2]))


def test_attributes_of_ufuncs():
    for name in ("add", "sqrt", "divmod", "gcd", "logical_not"):
        ours, theirs = getattr(np, name), getattr(numpy, name)
        for attribute in ("nin", "nout", "nargs", "identity", "types", "ntypes", "signature"):
            if getattr(theirs, attribute) is not None:
                assert getattr(ours, attribute) == getattr(theirs, attribute)
    assert repr(np.add) == "<ufunc corepy.add>"


# ---- signatures


def test_positional_arguments_are_translated():
    x, a = np.asarray(X), X
    assert_equal(np.sum(x, 0), numpy.sum(a, 0))
    assert_equal(np.sum(x, None, None, None, True), numpy.sum(a, None, None, None, True))
    assert_equal(np.sum(a=x, axis=1), numpy.sum(a=a, axis=1))
    assert_equal(np.std(x, 0, ddof=1), numpy.std(a, 0, ddof=1))
    assert_equal(np.var(x, axis=1, ddof=1, dtype=None), numpy.var(a, axis=1, ddof=1, dtype=None))
    assert_equal(np.argsort(x, 1), numpy.argsort(a, 1))
    assert_equal(np.roll(x, 1, 1), numpy.roll(a, 1, 1))
    assert_equal(np.expand_dims(x, 1), numpy.expand_dims(a, 1))
    assert_equal(np.concatenate((x, x), 1), numpy.concatenate((a, a), 1))
    assert_equal(np.zeros((2,), int), numpy.zeros((2,), int))
    assert_equal(np.full((2,), 3, "float32"), numpy.full((2,), 3, "float32"))
    with pytest.raises(TypeError):
        np.sum(x, 0, axis=0)
    with pytest.raises(TypeError):
        np.sum(x, nothing=1)
    assert xp.sum is not np.sum
