"""Elements and results without axes, and values that are converted when they are assigned."""

import fractions
import json
import typing
import warnings

import numpy
import pytest

import corepy
import corepy as np

from .against_numpy import assert_same

# ---- numbers

NUMBERS = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_elements_and_results_without_axes_are_as_in_numpy_scalars(dtype):
    array = numpy.asarray([[1, 0], [1, 1]], dtype)
    x = np.asarray(array)
    for of in (
        lambda x: x[0, 1],
        lambda x: x[0][()][0],
        lambda x: x[numpy.int64(1), -1],
        lambda x: next(iter(x[1])),
        lambda x: list(x.flat),
        lambda x: x.flat[2],
        lambda x: x.sum(),
        lambda x: x[1] @ x[1],
        lambda x: x[0, ...][0, ...] * 1,
        lambda x: x[0, 0, ...] == x[0, 0, ...],
        lambda x: x.reshape(4)[2:3].reshape(())[()],
        lambda x: x.any(),
        lambda x: x.argmax(),
        lambda x: x.trace(),
        lambda x: x.mean(),
    ):
        assert_same(of(x), of(array), ulp=1)
    for name in ("sum", "max", "median", "ptp", "trace", "count_nonzero", "all", "prod"):
        if dtype in ("bool", "complex64", "complex128") and name in ("ptp", "median"):
            continue
        assert_same(getattr(np, name)(x), getattr(numpy, name)(array))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_arrays_without_axes_stay_arrays(dtype):
    array = numpy.asarray([1, 2], dtype)
    x = np.asarray(array)
    for of in (
        lambda module, x: module.asarray(x[0]),
        lambda module, x: module.array(x[0]),
        lambda module, x: module.zeros((), x.dtype),
        lambda module, x: module.full((), x[0]),
        lambda module, x: module.where(x[0], x[0], x[1]),
        lambda module, x: module.imag(x[0, ...]),
        lambda module, x: module.isin(x[0], x),
        lambda module, x: module.roll(x[0], 1),
        lambda module, x: module.tile(x[0], ()),
        lambda module, x: module.tensordot(x, x, 1),
        lambda module, x: module.unique_inverse(x[0]).inverse_indices,
        lambda module, x: module.cov(x * 0.5),
        lambda module, x: x[0, ...],
        lambda module, x: x[:1].reshape(()),
        lambda module, x: x[:1].squeeze(),
        lambda module, x: x[1, ...].copy(),
        lambda module, x: x[1, ...].T,
    ):
        result = of(np, x)
        assert_same(result, of(numpy, array))
        assert not isinstance(result, numpy.generic)
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)


def test_numbers_of_other_devices_are_arrays():
    x = np.asarray([1.0]).to_device("reference")
    assert type(x[0]) is type(x.sum()) is type(np.sum(x)) is np.ndarray


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("spec", ["", "6", ">12"])
def test_formats(dtype, spec):
    array = numpy.asarray([0.1, 1 / 3], dtype)
    assert format(np.asarray(array)[1, ...], spec) == format(array[1, ...], spec)
    assert format(np.asarray(array)) == str(array)


def test_lists_and_arrays_without_axes_are_multiplied():
    for numbers in ([2, 3] * np.array(3), np.array(3) * [2, 3]):
        assert_same(numbers, numpy.asarray([6, 9]))
    assert_same(np.array([3]) * [2], numpy.asarray([6]))


def test_json_has_elements_as_it_has_numpy():
    x = np.asarray([0.1, 2.0, numpy.nan])
    found = json.dumps({"a": x[0], "b": [x[1], {"c": x[:2].sum()}]})
    assert found == '{"a": 0.1, "b": [2.0, {"c": 2.1}]}'
    for value in (x, np.argmax(x), x[0] < 1):  # as NumPy's
        with pytest.raises(TypeError, match="is not JSON serializable"):
            json.dumps([value])


# ---- methods


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_extremes_of_complex_numbers_are_as_in_numpy(dtype, name):
    array = numpy.array([[1 + 2j, 3 - 1j, 3 + 1j], [1 - 2j, 0, numpy.nan]], dtype)
    x = np.asarray(array)
    for axis in (None, 0, 1):
        result, expected = getattr(x, name)(axis=axis), getattr(array, name)(axis=axis)
        assert_same(result, expected)


def test_spread_around_a_given_mean():
    array = numpy.random.default_rng(0).normal(size=(3, 5))
    x = np.asarray(array)
    for name in ("std", "var"):
        for axis in (None, 0, 1):
            mean = array.mean(axis=axis, keepdims=True)
            result = getattr(x, name)(axis=axis, mean=np.asarray(mean), ddof=1)
            expected = getattr(array, name)(axis=axis, mean=mean, ddof=1)
            assert_same(result, expected, ulp=50)


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
    expected, theirs, result, ours = found
    assert ours == theirs
    assert_same(result, expected)


# ---- indices and assignments


@pytest.mark.parametrize(
    "index",
    [numpy.int8(1), numpy.uint8(2), numpy.int64(-1), numpy.uint64(1), numpy.int64(5),
     numpy.int16(-4), numpy.int64(2**62), numpy.bool(True), numpy.float64(1.0), numpy.complex64(1)],
    ids=repr,
)  # fmt: skip
def test_scalars_are_indices_as_in_numpy(index):
    keys = [
        index, (index, 0), (0, index), (index, index), (slice(None), index), (None, index),
        (..., index), (index, slice(2)), slice(index, None), slice(0, index),
    ]  # fmt: skip
    for array in (numpy.arange(12.0).reshape(3, 4), numpy.arange(3.0)):
        x = np.asarray(array.copy())
        for key in keys:
            try:
                expected = array[key]
            except (IndexError, TypeError) as error:
                with pytest.raises(type(error)):
                    x[key]
                with pytest.raises(type(error)):
                    x[key] = 5.0
            else:
                numpy.testing.assert_array_equal(x[key], expected, strict=True)
                x[key] = array[key] = -1.0
                numpy.testing.assert_array_equal(x, array)


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


def check_assignment(dtype, key, value):
    """Assign a value as NumPy does; what NumPy refuses leaves the array as it is."""
    expected, x = numpy.ones(2, dtype=dtype), np.ones(2, dtype=dtype)
    try:
        expected[key] = value
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error), match=r"^setitem: "):
            x[key] = value
        assert x.tolist() == [1, 1]  # NumPy may have written some
    else:
        x[key] = value
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
            check_assignment(dtype, key, value)


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "complex64"],
)
@pytest.mark.parametrize(
    "value",
    [numpy.float64("nan"), numpy.float64(300.5), numpy.float32("inf"), numpy.float32(2.5),
     numpy.int64(300), numpy.int64(-1), numpy.uint64(2**63 + 5), numpy.bool_(True),
     numpy.complex128(2 + 1j)],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_scalars_are_assigned_as_numpy(dtype, value):
    """Signed integers take the integer part, others cast."""
    for key in (0, slice(None), ...):
        check_assignment(dtype, key, value)


def test_imaginary_components_are_dropped_with_a_warning():
    z = np.asarray([1 + 2j, 3 - 4j])
    for key, value in ((slice(None), z), (0, z[1]), ([1, 0], z), (slice(None), np.fft.ifft(z))):
        x, expected = np.zeros(2), numpy.zeros(2)
        with pytest.warns(numpy.exceptions.ComplexWarning, match=r"^setitem: "):
            x[key] = value
        with pytest.warns(numpy.exceptions.ComplexWarning):
            expected[key] = numpy.asarray(value)[()]
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
