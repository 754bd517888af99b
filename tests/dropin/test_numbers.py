"""0-d results where NumPy has scalars, and values that are converted when they are assigned."""

import fractions
import json
import random
import typing
import warnings

import numpy
import pytest

import corepy
import corepy as np
from corepy import Tensor

# ---- numbers


def test_rounded_numbers_are_integers():
    for value in (0.5, 1.5, 2.5, -2.675, 1234.567):
        rounded = round(np.array([value])[0])
        assert type(rounded) is int
        assert rounded == round(numpy.float64(value))
    assert round(np.array([7])[0]) == 7
    assert type(round(np.array([1.25])[0], 1)) is Tensor
    with pytest.raises(ValueError, match="NaN"):
        round(np.array([numpy.nan])[0])
    with pytest.raises(OverflowError):
        round(np.array([numpy.inf])[0])
    with pytest.raises(TypeError, match=r"^round: dtype complex128"):
        round(np.array([1j])[0])


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64"])
def test_integers_repeat_lists(dtype):
    n = np.array([3, 1], dtype=dtype).max()
    for items in ([0], [1, "a"], (None,), []):
        assert items * n == n * items == items * 3
    assert random.Random(1).sample(range(10), n) == random.Random(1).sample(range(10), 3)
    # Arrays of no axes and other dtypes multiply, as in NumPy.
    numpy.testing.assert_array_equal([2, 3] * np.array(3), [6, 9])
    numpy.testing.assert_array_equal([2, 3] * np.array([3.0])[0], [6, 9])
    numpy.testing.assert_array_equal(np.array([3]) * [2], [6])


def test_numbers_serialise(device):
    """JSON has tensors without axes, as it has `np.float64`."""
    x = np.asarray([0.1, 2.0, numpy.nan]).to_device(device)
    found = {
        "a": x[0],
        "b": [x[1], {"c": np.sum(x[:2])}],
        "n": x[2],
        "i": x.argmax(),
        "l": x[0] < 1,
    }
    expected = '{"a": 0.1, "b": [2.0, {"c": 2.1}], "n": NaN, "i": 2, "l": true}'
    assert json.dumps(found) == expected
    assert json.dumps(found, indent=1) == json.dumps(json.loads(expected), indent=1)  # in Python
    assert "".join(json.JSONEncoder().iterencode(found)) == expected
    for value in (x, x[:1], 1j * x[0]):
        with pytest.raises(TypeError, match=r"^Object of type Tensor is not JSON serializable"):
            json.dumps([value])
        assert json.dumps([value], default=lambda value: str(value.shape)) == f'["{value.shape}"]'


def test_numbers_have_methods_of_scalars():
    assert np.array([3.5])[0].hex() == (3.5).hex()
    assert np.array([3.5])[0].is_integer() is False
    assert np.array([3.5])[0].as_integer_ratio() == (7, 2)
    seven = np.array([7])[0]
    assert (seven.bit_count(), seven.numerator, seven.denominator) == (3, 7, 1)
    for x, name in (
        (np.array([7]), "numerator"),
        (seven, "hex"),
        (np.array([3.5])[0], "bit_count"),
    ):
        assert not hasattr(x, name)


# ---- methods


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_extremes_of_complex_numbers_are_numpys(dtype, name):
    array = numpy.array([[1 + 2j, 3 - 1j, 3 + 1j], [1 - 2j, 0, numpy.nan]], dtype)
    x = np.asarray(array)
    for axis in (None, 0, 1):
        result, expected = getattr(x, name)(axis=axis), getattr(array, name)(axis=axis)
        assert result.dtype == expected.dtype
        numpy.testing.assert_array_equal(numpy.asarray(result), expected)


def test_spread_around_a_given_mean():
    array = numpy.random.default_rng(0).normal(size=(3, 5))
    x = np.asarray(array)
    for name in ("std", "var"):
        for axis in (None, 0, 1):
            mean = array.mean(axis=axis, keepdims=True)
            result = getattr(x, name)(axis=axis, mean=np.asarray(mean), ddof=1)
            expected = getattr(array, name)(axis=axis, mean=mean, ddof=1)
            numpy.testing.assert_allclose(numpy.asarray(result), expected, rtol=1e-14)


EMPTY = [
    ((0,), None, 0),
    ((0, 3), 0, 0),
    ((0, 3), (0, 1), 0),
    ((0, 3), 1, 0),
    ((3, 0), -1, 0),
    ((2, 1), 1, 1),
    ((2, 1), 0, 1),
    ((2, 3), (0, 1), 6),
    ((2, 3), None, 7),
    ((), None, 1),
    ((2, 3), 1, 2.5),
]


@pytest.mark.parametrize(("shape", "axis", "ddof"), EMPTY)
@pytest.mark.parametrize("name", ["mean", "std", "var"])
def test_methods_warn_of_missing_elements(shape, axis, ddof, name):
    keywords = {"axis": axis, **({} if name == "mean" else {"ddof": ddof})}
    found = []
    for array in (numpy.ones(shape), np.ones(shape)):
        with warnings.catch_warnings(record=True) as warned, numpy.errstate(all="ignore"):
            warnings.simplefilter("always")
            found.append(getattr(array, name)(**keywords))
        found.append([str(warning.message) for warning in warned])
    expected, numpys, result, ours = found
    assert ours == numpys
    assert type(result) is Tensor
    numpy.testing.assert_array_equal(numpy.asarray(result), expected)


# ---- indices and assignments


def test_named_tuples_are_indices():
    class Point(typing.NamedTuple):
        row: typing.Any
        column: typing.Any

    array = numpy.arange(25.0).reshape(5, 5)
    x = np.asarray(array.copy())
    keys = [Point(1, 2), Point([1, 3], [2, 0]), Point(slice(1, 3), [0, 4]), Point(None, 2)]
    for key in (*keys, Point(numpy.array([True, False, True, False, True]), 1)):
        numpy.testing.assert_array_equal(numpy.asarray(x[key]), array[key])
        x[key] = array[key] = -1.0
        numpy.testing.assert_array_equal(numpy.asarray(x), array)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_text_and_objects_are_converted_when_assigned(dtype):
    half = fractions.Fraction(1, 2)
    values = ["3", ["1", "2", "4"], numpy.array(["1", "2", "4"]), b"7", numpy.float16(2)]
    values += [half, [half, 1, 2], numpy.array([1, 2, 3], object), numpy.longdouble(3)]
    for key in (..., 0, slice(1, None), [0, 2], numpy.array([True, False, True])):
        for value in values:
            array, x = numpy.zeros(3, dtype), np.zeros(3, dtype=dtype)
            try:
                array[key] = value
            except (TypeError, ValueError):
                with pytest.raises((TypeError, ValueError), match=r"^setitem: "):
                    x[key] = value
            else:
                x[key] = value
            assert x.tolist() == array.tolist()
    for value in ("a", ["1", "b", "2"]):
        with pytest.raises(ValueError, match=r"^setitem: "):
            x[...] = value
    for value in (object(), {}, {1}, [1, object(), 2]):
        with pytest.raises(TypeError, match=r"^setitem: "):
            x[...] = value


def test_values_of_other_devices_are_not_converted():
    x = np.zeros(3)
    with pytest.raises(ValueError, match="different devices"):
        x[...] = corepy.ones(3, device="reference")
