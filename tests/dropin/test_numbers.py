"""0-d results where NumPy has scalars, and values that are converted when they are assigned."""

import copy
import datetime
import decimal
import fractions
import json
import numbers
import operator
import pickle
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


NUMBERS = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers_are_instances_of_numpys_scalar_types(dtype):
    x = np.asarray([1, 2], dtype=dtype)
    classes = (
        bool, int, float, complex, numpy.generic, numpy.integer, numpy.floating, numpy.inexact,
        numbers.Number, numbers.Real, numbers.Integral, numpy.float64, numpy.ndarray, np.ndarray,
    )  # fmt: skip
    for number in (x[0], x.max() if x.dtype.kind != "c" else x.sum(dtype=dtype), -x[1] - x[0]
                   if dtype != "bool" else x[0] & x[1]):  # fmt: skip
        expected = number.to_numpy()[()]
        assert type(number) is Tensor
        assert isinstance(number, Tensor)
        for cls in classes:
            assert isinstance(number, cls) == isinstance(expected, cls), cls
        assert numpy.isscalar(number)
        assert copy.deepcopy(number) == pickle.loads(pickle.dumps(number)) == expected
    for array in (x, x[:1], np.asarray(1, dtype=dtype), x[0, ...]):
        assert array.__class__ is Tensor
        assert isinstance(array, np.ndarray)
        assert not isinstance(array, numpy.generic)


def test_numbers_of_other_devices_are_arrays():
    x = np.asarray([1.0]).to_device("reference")
    assert x[0].__class__ is x.sum().__class__ is Tensor


@pytest.mark.parametrize("dtype", ["int16", "int64", "float32", "float64"])
@pytest.mark.parametrize(
    "other",
    [
        fractions.Fraction(1, 3),
        decimal.Decimal(2),
        datetime.timedelta(1),
        numpy.timedelta64(3, "s"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["add", "mul", "truediv", "eq"])
def test_numbers_beside_objects(dtype, other, name):
    function = getattr(operator, name)
    number = np.asarray([2], dtype=dtype)[0]
    for ours, numpys in (((number, other), (number.to_numpy()[()], other)),
                         ((other, number), (other, number.to_numpy()[()]))):  # fmt: skip
        try:
            expected = function(*numpys)
        except TypeError:
            with pytest.raises(TypeError):
                function(*ours)
        else:
            result = function(*ours)
            assert result == expected
            assert type(result) in (Tensor, type(expected))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("spec", ["", "6", ">12"])
def test_formats(dtype, spec):
    number = np.asarray([0.1, 1 / 3], dtype=dtype)[1]
    assert format(number, spec) == format(number.to_numpy()[()], spec)
    array = np.asarray(number.to_numpy())
    assert f"{array}" == str(array)


def test_lists_are_repeated_in_place():
    items = same = [0, 1]
    items *= np.arange(4)[3]
    assert items is same == [0, 1] * 3


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
        with pytest.raises(
            TypeError, match=r"^Object of type (Tensor|complex128) is not JSON serializable"
        ):
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


def check_assignment(dtype, key, value, given):
    """Assign `given` as NumPy assigns `value`; what NumPy refuses leaves the tensor as it is."""
    expected, x = numpy.ones(2, dtype=dtype), np.ones(2, dtype=dtype)
    try:
        expected[key] = value
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error), match=r"^setitem: "):
            x[key] = given
        assert x.tolist() == [1, 1]  # NumPy may have written some
    else:
        x[key] = given
        numpy.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64"])
def test_numbers_out_of_range_are_not_assigned(dtype):
    limits = numpy.iinfo(dtype)
    for value in (
        limits.max + 1, limits.min - 1, [0, limits.max + 1], (limits.min - 1, 0), 1e30, -1e30,
        float("nan"), [float("inf"), 0.0], [1.0, float("nan")], [1, 2.5], 2.75, -0.5, [True, False],
    ):  # fmt: skip
        for key in (slice(None), Ellipsis, [0, 1], 0):
            if key == 0 and isinstance(value, (list, tuple)):
                continue
            check_assignment(dtype, key, value, value)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float32"])
@pytest.mark.parametrize(
    "value",
    [numpy.float64("nan"), numpy.float64(300.5), numpy.float32("inf"), numpy.float32(2.5),
     numpy.int64(300), numpy.int64(-1), numpy.uint64(2**63 + 5), numpy.bool_(True),
     numpy.complex128(2 + 1j)],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_scalars_are_assigned_as_numpys(dtype, value):
    """Signed integers take the integer part, others cast; elements are such scalars, too."""
    for key in (0, slice(None), ...):
        for given in (value, np.asarray([value])[0]):
            check_assignment(dtype, key, value, given)


def test_imaginary_components_are_dropped_with_a_warning():
    z = np.asarray([1 + 2j, 3 - 4j])
    for key, value in ((slice(None), z), (0, z[1]), ([1, 0], z), (slice(None), np.fft.ifft(z))):
        x, expected = np.zeros(2), numpy.zeros(2)
        with pytest.warns(numpy.exceptions.ComplexWarning, match=r"^setitem: "):
            x[key] = value
        with pytest.warns(numpy.exceptions.ComplexWarning):
            expected[key] = value.to_numpy()
        numpy.testing.assert_array_equal(x, expected)
    with pytest.raises(TypeError):
        np.zeros(2)[0] = 1j
    truths = np.zeros(2, dtype=bool)
    truths[:] = z * 1j
    assert truths.all()


def test_values_of_other_devices_are_not_converted():
    x = np.zeros(3)
    with pytest.raises(ValueError, match="different devices"):
        x[...] = corepy.ones(3, device="reference")
