"""The class of results follows the operands: Tensor for Tensors, ndarray if one of them is one."""

import contextlib
import gc
import operator
import random
import warnings
from types import ModuleType

import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS
from robustness.random_execute import NAMES, function_of, outcome
from test_inference import SmallArguments

import corepy
import corepy.array_api as xp
from corepy import Tensor
from corepy.lazy import is_deferred
from corepy.numpy.dispatch import Function


@contextlib.contextmanager
def fused():
    """All is deferred that can be."""
    with corepy.config(fusion_threshold=0), corepy.fuse():
        yield


#: What takes no arrays.
CREATION = {"arange", "empty", "eye", "full", "linspace", "ones", "zeros", "fft.fftfreq",
            "fft.rfftfreq"}  # fmt: skip
SCOPES = pytest.mark.parametrize("scope", [contextlib.nullcontext, fused])


def as_ndarrays(value, count):
    """The value with its first `count` Tensors as ndarrays over the same memory."""
    if isinstance(value, Tensor) and count[0]:
        count[0] -= 1
        return corepy.asarray(value)
    return type(value)(as_ndarrays(x, count) for x in value) if is_sequence(value) else value


def is_sequence(value):
    return type(value) in (tuple, list)


def count_tensors(value):
    if is_sequence(value):
        return sum(map(count_tensors, value))
    return isinstance(value, Tensor)


def classes(result):
    """The classes of the arrays in a result."""
    if isinstance(result, (tuple, list)):
        return [cls for item in result for cls in classes(item)]
    return [type(result)] if isinstance(result, (Tensor, np.generic, np.ndarray)) else []


@SCOPES
@pytest.mark.parametrize("name", sorted(set(NAMES) - CREATION))
def test_results_of_the_standards_functions(name, scope):
    random.seed(name)
    arguments, function, found = SmallArguments(), function_of(name), 0
    arguments.tensors = [x for x in arguments.tensors if max(x.shape, default=0) < 200]
    for _ in range(2000):
        if found == 30:
            break
        inputs, params = arguments.for_operation(name)
        of_inputs = count_tensors(inputs)
        if not count_tensors(inputs[:1]) or not all(type(key) is str for key in params):
            continue
        with warnings.catch_warnings(), scope():
            warnings.simplefilter("ignore")
            expected = outcome(function, *inputs, **params)
            if isinstance(expected, Exception):
                continue
            assert set(classes(expected)) <= {Tensor}, (inputs, params)
            for count in {1, of_inputs}:
                mixed = as_ndarrays(inputs, [count])
                result = function(*mixed, **params)
                assert set(classes(result)) <= {corepy.ndarray}, (mixed, params)
                assert len(classes(result)) == len(classes(expected))
        found += 1
    assert found


OPERANDS = [
    (Tensor, Tensor, Tensor),
    (corepy.asarray, corepy.asarray, corepy.ndarray),
    (Tensor, corepy.asarray, corepy.ndarray),
    (corepy.asarray, Tensor, corepy.ndarray),
    (np.asarray, Tensor, Tensor),
    (np.asarray, corepy.asarray, corepy.ndarray),
    (Tensor, np.asarray, Tensor),
    (corepy.asarray, np.asarray, corepy.ndarray),
    (Tensor, lambda x: 2, Tensor),
    (corepy.asarray, lambda x: 2, corepy.ndarray),
    (lambda x: 2, corepy.asarray, corepy.ndarray),
    (lambda x: np.int64(2), Tensor, Tensor),
    (lambda x: np.int64(2), corepy.asarray, corepy.ndarray),
]


@SCOPES
@pytest.mark.parametrize(("one", "other", "cls"), OPERANDS)
@pytest.mark.parametrize("name", [*ARITHMETIC_OPERATORS, *COMPARISON_OPERATORS])
def test_results_of_operators(name, one, other, cls, scope):
    function = (ARITHMETIC_OPERATORS | COMPARISON_OPERATORS)[name]
    x, y = np.array([[3, 1], [2, 5]]), np.array([[1, 2]])
    with scope():
        result = function(one(x), other(y))
        assert type(result) is cls
        np.testing.assert_array_equal(result, function(np.asarray(one(x)), np.asarray(other(y))))
        assert type(function(result, other(y))) is cls if result.dtype == x.dtype else True


@SCOPES
@pytest.mark.parametrize(("one", "other", "cls"), OPERANDS[:8])
def test_results_of_products(one, other, cls, scope):
    x, y = np.array([[3, 1], [2, 5]]), np.array([[1, 2], [0, 4]])
    with scope():
        assert type(one(x) @ other(y)) is cls
        expected = np.int64 if cls is corepy.ndarray else Tensor
        assert type(one(x[0]) @ other(y[0])) is expected
        assert [type(part) for part in divmod(one(x), other(y + 1))] == [cls, cls]


ONE = {
    **{name: getattr(operator, name) for name in ("neg", "pos", "abs", "invert")},
    "T": lambda x: x.T, "mT": lambda x: x.mT, "real": lambda x: x.real, "imag": lambda x: x.imag,
    "to_device": lambda x: x.to_device("cpu"), "elsewhere": lambda x: x.to_device("reference"),
    "row": lambda x: x[0], "rows": lambda x: x[:1], "new axis": lambda x: x[None],
    "mask": lambda x: x[x > 1], "indices": lambda x: x[[0, 1]], "all": lambda x: x[...],
    "array without axes": lambda x: x[0, 0, ...], "first": lambda x: next(iter(x)),
    "last": lambda x: list(x)[-1], "array": lambda x: x[xp.asarray([0])],
}  # fmt: skip


@SCOPES
@pytest.mark.parametrize(("make", "cls"), [(Tensor, Tensor), (corepy.asarray, corepy.ndarray)])
@pytest.mark.parametrize("name", ONE)
def test_results_of_one_operand(name, make, cls, scope):
    array = np.array([[3, 1], [2, 5]])
    with scope():
        assert type(ONE[name](make(array))) is cls
        assert type(ONE[name](make(array) * 2)) is cls


NUMBERS = {
    "element": lambda x: x[1, 0], "item of a row": lambda x: x[1][0], "indices": lambda x: x[0][1],
    "last of an iteration": lambda x: list(x[0])[-1], "product": lambda x: x[0] @ x[0],
    "operator": lambda x: x[0, 0, ...] + 1, "negative": lambda x: -x[0, 0, ...],
    "comparison": lambda x: x[0, 0, ...] > x[0, 1, ...], "()": lambda x: x[0, 0, ...][()],
}  # fmt: skip
REDUCTIONS = "sum prod mean std var min max any all argmin argmax".split()
NUMBERS |= {f"x.{name}": lambda x, name=name: getattr(x, name)() for name in REDUCTIONS}


@SCOPES
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex128"])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_ndarrays_are_as_in_numpy(name, dtype, scope):
    array = np.array([[3, 1], [2, 5]]).astype(dtype)
    if name == "negative" and dtype == "bool":
        return  # NumPy refuses it, too
    expected = NUMBERS[name](array)
    with scope():
        for x in (corepy.asarray(array), corepy.asarray(array) | False if dtype == "bool" else
                  corepy.asarray(array) * np.dtype(dtype).type(1)):  # fmt: skip
            found = NUMBERS[name](x)
            assert type(found) is type(expected)
            assert found == expected


@SCOPES
@pytest.mark.parametrize("name", REDUCTIONS)
def test_numbers_of_functions(name, scope):
    array = np.array([[3.0, 1.0], [2.0, 5.0]])
    expected = getattr(np, name)(array)
    with scope():
        for make in (Tensor, corepy.asarray):
            found = getattr(corepy, name)(make(array) * 1.0)
            assert type(found) is type(expected)
            assert found == expected
            if hasattr(xp, name):
                result = getattr(xp, name)(make(array) * 1.0)
                assert type(result) is (Tensor if make is Tensor else corepy.ndarray)
                assert float(result) == expected


class Derived(corepy.ndarray):
    """A class that Python made."""


FUNCTIONS = [
    name
    for name in sorted({*np.__all__} - {"seterrcall", "set_printoptions"})
    if not isinstance(getattr(np, name), (type, ModuleType))
    and isinstance(getattr(corepy, name), Function)
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_objects_of_derived_classes_stay_so(name):
    """A new result of such a class has a dict, and never becomes an object that has none."""
    function, x = getattr(corepy, name), corepy.asarray([3.0, 1.0, 2.0]).view(Derived)
    for args in ((x,), (x, x), (x, 5), (x, (3,))):
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept = [function(*args) for _ in range(3)]
            del kept
    assert type(x) is Derived
    gc.collect(1)  # these are young; a test run has a million old ones


class DerivedFromNumPy(np.ndarray):
    """The same, of NumPy's."""


def derived(value, cls):
    """Arguments with arrays of floating-point numbers as arrays of a derived class."""
    if isinstance(value, np.ndarray):
        array = corepy.array(value) if cls is Derived else value
        return array.view(cls)
    return type(value)(derived(x, cls) for x in value) if is_sequence(value) else value


def kind_of(result):
    """Whether a result, or the first of several, is of the derived class, an array or a number."""
    while is_sequence(result) or hasattr(result, "_fields"):
        result = result[0] if result else None
    if isinstance(result, (Derived, DerivedFromNumPy)):
        return "derived"
    if isinstance(result, np.generic):
        return "number"
    return "array" if isinstance(result, (Tensor, np.ndarray)) else None


MATRIX = np.array([[3.0, 1.0, 2.0], [2.0, 5.0, 1.0], [4.0, 1.0, 6.0]])
#: Where NumPy's class depends on the values of arguments, or on one that is not the first.
IRREGULAR = {"around", "average", "compress", "diag", "extract", "median", "nanmedian", "polyval",
             "resize", "round", "setdiff1d"}  # fmt: skip


@pytest.mark.parametrize(
    "path", sorted({*FUNCTIONS, *(f"linalg.{n}" for n in np.linalg.__all__)} - IRREGULAR)
)
def test_results_for_derived_classes_are_of_numpy_classes(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # `save` and others write files there
    ours, theirs = operator.attrgetter(path)(corepy), operator.attrgetter(path)(np)
    if isinstance(theirs, type):
        return
    vector, places = MATRIX[0], np.array([[1, 0, 2], [0, 1, 2], [2, 1, 0]])
    for args in ((MATRIX,), (MATRIX, MATRIX), (MATRIX, 1), (MATRIX, 0, 1), (places,), (vector,),
                 (vector, vector), (MATRIX, (3, 3)), (MATRIX > 2, MATRIX, MATRIX), (MATRIX, [0, 1]),
                 (MATRIX, places, 1), ([MATRIX, MATRIX],), ("ij->i", MATRIX)):  # fmt: skip
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = kind_of(theirs(*derived(args, DerivedFromNumPy)))
            if expected is not None and not (expected == "array" and type(args[0]) is list):
                found = kind_of(ours(*derived(args, Derived)))
                if found != expected:
                    pytest.fail(f"{path}{args}: {found}, expected {expected}")


def test_arrays_that_are_deferred():
    x = corepy.ones((30, 30))
    with fused():
        y = x * 2 + Tensor(np.ones(30))
        total = xp.sum(y, axis=0)
        assert is_deferred(y)
        assert is_deferred(total)
        assert type(y) is type(total) is type(total + 1) is corepy.ndarray
        assert type(corepy.compute(y)) is corepy.ndarray
        assert type(y.sum()) is np.float64


@SCOPES
@pytest.mark.parametrize("name", [name for name in ARITHMETIC_OPERATORS if name != "pow"])
def test_assigning_operators_keep_the_array(name, scope):
    function = getattr(operator, f"i{ARITHMETIC_OPERATORS[name].__name__.strip('_')}")
    for make in (Tensor, corepy.asarray):
        for other in (Tensor, corepy.asarray, np.asarray):
            x = make(np.array([3.0, 1.0] if name == "divide" else [3, 1]))
            with scope():
                before = x
                x = function(x, other(np.array([1, 2])))
                assert x is before
                assert type(x) is (Tensor if make is Tensor else corepy.ndarray)
