"""Operators of single elements give what the kernels give for vectors, and as indices what ints
give."""

import operator

import numpy as np
import pytest

import corepy
import corepy.array_api as xp

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge,
]  # fmt: skip
UNARY = [operator.neg, operator.invert, abs]
DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
]  # fmt: skip


def values(dtype):
    if dtype == "bool":
        return [False, True]
    kind = np.dtype(dtype).kind
    if kind in "iu":
        info = np.iinfo(dtype)
        return sorted({info.min, info.min + 1, max(info.min, -7), 0, 1, 2, 3, 7, 8, info.max})
    found = [0.0, -0.0, 1.0, -1.5, 2.0, 7.25, np.inf, -np.inf, np.nan, 1e38, 1e-45]
    return [complex(value, 1.5) for value in found] if kind == "c" else found


def outcome(function, *operands):
    """Return the element and the dtype of a result, or the type of the error."""
    try:
        found = function(*operands)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)
    array = np.asarray(found).reshape(-1)
    return str(array.dtype), array.tobytes() if not np.isnan(array).any() else "nan"


def textbook_product(x, y):
    """The product of two complex numbers of NumPy's, each operation rounded."""
    x, y = np.asarray(x)[()], np.asarray(y)[()]
    result = np.empty((), dtype=x.dtype)
    result.real = x.real * y.real - x.imag * y.imag
    result.imag = x.real * y.imag + x.imag * y.real
    return result


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", BINARY)
def test_binary(function, dtype):
    for first in values(dtype):
        for second in values(dtype):
            x, y = (np.asarray([value], dtype=dtype) for value in (first, second))
            x, y = xp.asarray(x), xp.asarray(y)
            expected = outcome(function, x, y)
            assert outcome(function, x[0], y[0]) == expected, (first, second)
            # Numbers follow the other operand's dtype.
            if abs(second) < 100 and second == second:
                number = np.asarray(second, dtype=dtype).item()
                assert outcome(function, x[0], number) == outcome(function, x, number)
                assert outcome(function, number, x[0]) == outcome(function, number, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", UNARY)
def test_unary(function, dtype):
    for value in values(dtype):
        x = xp.asarray(np.asarray([value], dtype=dtype))
        assert outcome(function, x[0]) == outcome(function, x), value


@pytest.mark.parametrize("dtype", DTYPES)
def test_truth(dtype):
    for value in [*values(dtype), *([2j] if dtype.startswith("complex") else [])]:
        array = np.asarray(value, dtype=dtype)
        assert bool(corepy.asarray(array)) is bool(array)


@pytest.mark.parametrize("first", [np.float32, np.float64, np.int8, np.int64, np.uint64, np.bool_])
@pytest.mark.parametrize("second", [np.float32, np.float64, np.int8, np.int64, np.bool_])
def test_a_number_and_a_vector(first, second):
    for function in (operator.add, operator.mul, operator.lt, np.maximum):
        x, y = np.asarray(3, dtype=first), np.asarray([1, 5, 2], dtype=second)
        for shape in ((3,), (1, 3), (3, 1), (0,)):
            vector = y[:0] if shape == (0,) else y.reshape(shape)
            for operands in ((x, vector), (vector, x), (x, vector[..., ::-1])):
                expected = function(*operands)
                found = function(*map(corepy.asarray, operands))
                assert found.shape == expected.shape
                np.testing.assert_array_equal(np.asarray(found), expected)


def test_in_place_makes_a_new_value():
    x = corepy.asarray([1, 2, 3])
    first = kept = x[0]
    first += 1
    assert (int(first), int(kept), x.tolist()) == (2, 1, [1, 2, 3])


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64"])
def test_elements_as_indices(dtype):
    array = np.arange(24).reshape(2, 3, 4)
    x = corepy.asarray(array)
    indices = corepy.asarray(np.asarray([1, 0, 2], dtype=dtype))
    one, none, two = indices
    assert xp.all(x[one] == corepy.asarray(array[1]))
    assert int(x[one, none, two]) == array[1, 0, 2]
    assert x[:, two, 1:].tolist() == array[:, 2, 1:].tolist()
    assert x[0, 0][two].item() == 2
    x[one, two, none] = -5
    assert x[1, 2, 0].item() == -5
    for key in (indices[2], (0, 0, corepy.asarray(np.asarray(100, dtype=dtype)))):
        with pytest.raises(IndexError, match=r"getitem: index .* is out of bounds"):
            x[key]


def test_indices_beyond_the_signed_range():
    for value in (2**63, 2**64 - 1):
        with pytest.raises(IndexError, match=str(value)):
            corepy.arange(5)[corepy.asarray(np.uint64(value))]
    assert corepy.arange(5)[corepy.asarray(np.int8(-1))] == 4


@pytest.mark.parametrize("function", [operator.lt, operator.le, operator.gt, operator.ge])
def test_complex_numbers_have_numpy_order(function):
    array = np.asarray([1 + 1j, 1 - 1j, 2, complex(np.nan, 1), -0.0, 1])
    for other in (1, 1.0, 1 + 0.5j, array[::-1].copy(), array.real.copy(), np.complex64(1)):
        theirs = other if isinstance(other, (int, float, complex)) else np.asarray(other)
        ours = corepy.asarray(other) if isinstance(other, np.ndarray) else other
        expected = function(array, theirs)
        assert function(corepy.asarray(array), ours).tolist() == expected.tolist()
        assert function(ours, corepy.asarray(array)).tolist() == function(theirs, array).tolist()
    assert hash(function(corepy.asarray(array)[0], 1)) == function(array[0], 1)
    assert (
        function(corepy.asarray([1.0, 2.0]), 1j).tolist()
        == function(array[2:].real, 1j)[[3, 0]].tolist()
    )
    with pytest.raises(TypeError):
        xp.less(corepy.asarray(array), 1)
