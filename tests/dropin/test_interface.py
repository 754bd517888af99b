"""The drop-in has NumPy's structure: modules, classes, ufuncs, signatures."""

import functools
import importlib
import subprocess
import sys

import numpy
import numpy.typing
import pytest

import corepy
import corepy as np
import corepy.array_api as xp
from corepy import Tensor
from corepy._finder import OF_NUMPY


@pytest.mark.parametrize("name", [*OF_NUMPY, "random"])
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
    assert type(sliding_window_view(x, 2)) is corepy.ndarray
    with pytest.raises(ImportError):
        from corepy.linalg import nothing  # noqa: F401


def test_objects_that_are_indexed_return_ndarrays():
    made = [np.r_[1:4, 0], np.c_[[1, 2], [3, 4]], np.mgrid[0:2, 0:3], *np.ogrid[0:2, 0:3]]
    assert {type(x) for x in made} == {corepy.ndarray}
    assert type(np.r_["r", 1:4]) is numpy.matrix  # which stays NumPy's


def test_types_for_annotations_are_as_in_numpy():
    import corepy.typing as npt

    assert npt.NDArray[np.float64] == numpy.typing.NDArray[numpy.float64]
    assert npt.ArrayLike is numpy.typing.ArrayLike
    assert npt.DTypeLike is numpy.typing.DTypeLike


def test_pages_of_the_standard_are_not_names():
    assert np.info.native is numpy.info
    assert not hasattr(np, "creation_functions")


def test_paths_are_not_names():
    assert not hasattr(np, "linalg.svd")
    with pytest.raises(ImportError):
        importlib.import_module("corepy.linalg.svd")


def test_functions_know_their_modules():
    for function, module in ((np.median, "corepy"), (np.add, "corepy"), (np.sum, "corepy"),
                             (np.from_dlpack, "corepy"), (np.linalg.svd, "corepy.linalg"),
                             (np.ma.sum, "corepy.ma"), (np.ndarray.sum, "corepy")):  # fmt: skip
        assert function.__module__ == module


def test_importing_all_names_gives_numpy():
    script = "from corepy import *\nprint(sorted(n for n in dir() if not n.startswith('_')))"
    ours = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    names = set(eval(ours.stdout))
    assert names >= set(numpy.__all__) - {"__array_namespace_info__", "__version__"}


def test_arrays_of_the_standard_are_no_ndarrays():
    x = xp.arange(3)
    assert type(x) is Tensor
    assert not isinstance(x, np.ndarray)
    assert type(np.arange(3)) is type(np.asarray(x)) is np.ndarray is corepy.ndarray


def test_instances_of_classes():
    x = np.arange(3)
    for array in (x, numpy.arange(3), numpy.array(["a"]), numpy.ma.masked_all(2)):
        assert isinstance(array, np.ndarray)
    for other in (1, 1.0, [1], numpy.float64(1)):
        assert not isinstance(other, np.ndarray)
    assert issubclass(np.ndarray, Tensor)
    assert isinstance(np.add, np.ufunc)
    assert isinstance(numpy.add, np.ufunc)
    assert not isinstance(np.sum, np.ufunc)


def test_ndarray_can_be_called_and_subclassed():
    assert type(np.ndarray((2, 3))) is corepy.ndarray
    assert np.ndarray((2, 3), dtype="int32").dtype == np.int32

    class Named(np.ndarray):
        name = "n"

    named = Named((2,))
    named[:] = 1
    assert named.name == "n"
    assert type(named) is type(named[:1]) is type(named + 1) is Named
    assert type(named[0]) is numpy.float64
    assert not isinstance(np.arange(3), Named)


def test_arrays_are_sequences_in_patterns():
    """As NumPy's since 2.5."""

    class Derived(np.ndarray):
        pass

    for x in (np.arange(6).reshape(2, 3), np.ones((2, 3)).view(Derived)):
        match x:
            case [[first, *_], last]:
                assert (first, last.tolist()) == (x[0, 0], x[1].tolist())
            case _:
                pytest.fail("no sequence")
    match xp.ones(2):
        case [*_]:
            pytest.fail("a Tensor is no sequence")


def test_functions_dispatch_on_ndarray():
    @functools.singledispatch
    def kind(_):
        return "other"

    kind.register(np.ndarray, lambda _: "array")
    assert kind(np.arange(3)) == kind(numpy.arange(3)) == "array"
    assert kind([1]) == kind(numpy.float64(1)) == "other"


# ---- ufuncs

BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "hypot"]
X = numpy.array([[1.0, -2.0, 3.0], [0.5, 4.0, -0.0]])
Y = numpy.array([2.0, 3.0, 0.25])


#: Functions whose error is below 1 ULP: results may be the other neighbour of the exact one.
ROUNDED = {"power": 1, "hypot": 1}


def assert_equal(actual, expected, ulp=0):
    wanted = type(expected) if isinstance(expected, numpy.generic) else corepy.ndarray
    assert type(actual) is wanted
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    if ulp:
        numpy.testing.assert_array_max_ulp(numpy.asarray(actual), expected, ulp)
    else:
        numpy.testing.assert_array_equal(numpy.asarray(actual), expected)


@pytest.mark.parametrize("name", BINARY)
def test_arguments_of_ufuncs(name):
    ours, theirs = getattr(np, name), getattr(numpy, name)
    x, y = np.abs(np.asarray(X)), np.asarray(Y)
    a, b = numpy.abs(X), Y
    mask, ulp = a > 1, ROUNDED.get(name, 0)
    with numpy.errstate(all="ignore"):
        for dtype in ("float64", "float32"):
            for arguments in ({}, {"where": mask}):
                out, expected = np.full((2, 3), 7.0, dtype=dtype), numpy.full((2, 3), 7.0, dtype)
                result = ours(x, y, out=out, **{k: np.asarray(v) for k, v in arguments.items()})
                theirs(a, b, out=expected, **arguments)
                assert result is out
                assert_equal(out, expected, ulp)
        out = np.empty((2, 3))
        assert ours(x, y, out) is out
        assert ours(x, y, out=(out,)) is out
        assert_equal(out, theirs(a, b), ulp)
        assert_equal(ours(x, y, dtype=np.float32), theirs(a, b, dtype=numpy.float32), ulp)
        if name in ("add", "subtract", "multiply"):
            assert_equal(ours(x, y, dtype="complex128"), theirs(a, b, dtype="complex128"))
        with pytest.raises(TypeError):
            ours(x, y, out=np.empty((2, 3), dtype="int64"))
        with pytest.raises(ValueError, match=r"broadcast|shape"):
            ours(x, y, out=np.empty(3))
        assert_equal(ours.outer(x, y), theirs.outer(a, b), ulp)


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


# ---- names


def test_names_of_one_object_are_one_function():
    for names in ("concat concatenate", "bitwise_not invert", "conj conjugate", "abs absolute"):
        first, second = (getattr(np, name) for name in names.split())
        assert first is second
        assert second.__name__ == names.split()[1]


def test_every_name_of_dir_is_there():
    for name in dir(np):
        assert hasattr(np, name)
    assert isinstance(np.info, type(np.sum))
    assert not hasattr(np, "there_is_no_such_name")
    with pytest.warns(FutureWarning), pytest.raises(AttributeError, match=r"'corepy'.*\n.*alias"):
        np.object


def test_objects_that_are_indexed_make_arrays():
    for name, key in (
        ("mgrid", np.s_[0:2, 0:3]),
        ("r_", np.s_[1:4, 0, 4]),
        ("c_", np.s_[0:3, 4:7]),
    ):
        assert_equal(getattr(np, name)[key], getattr(numpy, name)[key])


@pytest.mark.parametrize(
    "name", ["fft", "ifft", "rfft", "irfft", "fft2", "fftn", "rfftn", "irfftn"]
)
def test_transforms_write_to_out(name):
    ours, theirs = getattr(np.fft, name), getattr(numpy.fft, name)
    x = numpy.random.default_rng(0).random((4, 6))
    expected = theirs(x, norm="ortho")
    out = np.zeros(expected.shape, dtype=expected.dtype)
    assert ours(np.asarray(x), norm="ortho", out=out) is out
    numpy.testing.assert_allclose(out, expected, atol=1e-12)
    if name.endswith("n"):
        with pytest.warns(DeprecationWarning, match="axes"):
            ours(np.asarray(x), s=(2,))


def test_the_order_in_memory_stays():
    x = np.asarray(numpy.asfortranarray(numpy.ones((3, 4))))
    for result in (
        np.pad(x, 1),
        np.pad(x, 1, mode="edge"),
        np.delete(x, 0, 0),
        np.delete(x, [1, 2], 1),
    ):
        assert result.flags.f_contiguous
        assert not result.flags.c_contiguous
    assert_equal(np.delete(x, [1, 2], 1), numpy.delete(numpy.ones((3, 4)), [1, 2], 1))


def test_errors_are_as_in_numpy():
    x = np.arange(4.0)
    assert np.diff(x, n=0) is x
    with pytest.raises(numpy.exceptions.AxisError):
        np.diff(x, prepend=0, axis=3)
    with pytest.raises(ValueError, match="Too many bins"):
        np.histogram(np.asarray([1.0, 1.0 + 2e-16]), bins=10)
    with pytest.raises(ValueError):
        np.unravel_index(1, (2**32 - 1, 2**31 + 1))
    with pytest.raises(TypeError):
        np.power(1.5, 2.8, dtype=np.intp)
    with pytest.raises(ValueError):
        np.dot(np.ones((3, 3)), np.ones((3, 3)), out=np.ones((3, 3)).T)
    with pytest.raises(ValueError, match="one-dimensional"):
        np.linalg.outer(np.ones((2, 2)), np.ones(2))


def test_views_as_an_array_class():
    x = np.arange(3)
    for cls in (np.ndarray, type(x)):
        y = x.view(cls)
        y[0] = 7
        assert x[0] == 7
        x[0] = 0
