"""What a Tensor cannot represent stays NumPy's: masked arrays, matrices, text, dates, objects."""

import contextlib
import operator
import pickle

import numpy
import pytest

import corepy
import corepy as np
import corepy.array_api as xp

from .against_numpy import assert_same

MASKED = numpy.ma.masked_invalid([1.0, numpy.nan, 2.0])


def assert_masked(actual, expected):
    assert isinstance(actual, numpy.ma.MaskedArray)
    assert actual.dtype == expected.dtype
    numpy.testing.assert_array_equal(numpy.ma.getmaskarray(actual), numpy.ma.getmaskarray(expected))
    numpy.testing.assert_array_equal(actual.filled(7), expected.filled(7))


def test_masks_are_kept():
    t = np.asarray([1.0, numpy.nan, 2.0])
    made = np.ma.masked_invalid(t)
    assert_masked(made, MASKED)
    assert made.mean() == 1.5
    assert float(np.mean(made)) == 1.5
    assert float(np.sum(made)) == 3.0
    assert_masked(np.add(made, 1), MASKED + 1)
    assert_masked(np.sqrt(made), numpy.sqrt(MASKED))
    assert_masked(np.ma.array([1, 2], mask=[True, False]), numpy.ma.array([1, 2], mask=[1, 0]))
    assert np.ma.masked is numpy.ma.masked
    assert np.asanyarray(made) is made
    # As NumPy's, these leave the mask out.
    assert_same(np.asarray(made), numpy.asarray(MASKED))
    assert_same(np.array(made), numpy.array(MASKED))


OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge,
]  # fmt: skip


@pytest.mark.parametrize("function", OPERATORS)
def test_operators_with_masked_arrays_keep_the_mask(function):
    t, array = corepy.asarray([1.0, 2.0, 3.0]), numpy.array([1.0, 2.0, 3.0])
    with numpy.errstate(all="ignore"):
        assert_masked(function(t, MASKED), function(array, MASKED))
        assert_masked(function(MASKED, t), function(MASKED, array))


@pytest.mark.parametrize("name", ["and_", "or_", "xor", "lshift", "rshift"])
def test_integer_operators_with_masked_arrays(name):
    function = getattr(operator, name)
    masked = numpy.ma.array([1, 2, 3], mask=[False, True, False])
    t, array = corepy.asarray([4, 5, 6]), numpy.array([4, 5, 6])
    assert_masked(function(t, masked), function(array, masked))
    assert_masked(function(masked, t), function(masked, array))


def test_operators_with_matrices_are_matrix_operators():
    matrix = np.asmatrix([[1, 2], [3, 4]])
    t = np.asarray([[1, 1], [0, 1]])
    plain = numpy.asmatrix(numpy.asarray(t))
    for result, expected in (
        (matrix * matrix, [[7, 10], [15, 22]]),
        (matrix * t, matrix * plain),
        (t * matrix, plain * matrix),
        (t @ matrix, plain @ matrix),
        (matrix @ t, matrix @ plain),
        (t + matrix, plain + matrix),
        (np.multiply(matrix, t), numpy.multiply(matrix, plain)),
        (np.matmul(matrix, t), matrix * plain),
    ):
        assert type(result) is numpy.matrix
        numpy.testing.assert_array_equal(result, expected)


def test_in_place_operators_write_where_numpy_do():
    t, array = corepy.asarray([1.0, 2.0, 3.0]), numpy.array([1.0, 2.0, 3.0])
    view, expected = t, array
    view += MASKED
    expected += MASKED
    assert view is t
    assert_same(t, array)
    m, n = corepy.asarray([[1.0, 2.0], [3.0, 4.0]]), numpy.array([[1.0, 2.0], [3.0, 4.0]])
    matrix = numpy.asmatrix([[0.0, 1.0], [1.0, 0.0]])
    before = m
    m @= matrix
    n @= matrix
    assert m is before
    assert_same(m, n)


def test_operators_with_other_dtypes():
    t = corepy.asarray([1, 2, 3])
    half = numpy.array([0.5, 1.5, 2.5], dtype="f2")
    days = numpy.array(["2024-01-31", "2024-02-01", "NaT"], dtype="M8[D]")
    objects = numpy.array([1, 2.5, 3j], dtype=object)
    array = numpy.asarray(t)
    assert_same(t + half, array + half)  # float64, which a Tensor holds
    assert_same(half + t, half + array)
    for result, expected in (
        (days + t, days + array),
        (t + days, array + days),
        (t * objects, array * objects),
        (objects - t, objects - array),
        (days + corepy.asarray(1), days + 1),
    ):
        assert type(result) is numpy.ndarray
        assert result.dtype == expected.dtype
        numpy.testing.assert_array_equal(result, expected)
    assert_same(t == objects, array == objects)
    with pytest.raises(TypeError):
        t + numpy.array(["a", "b", "c"])


def test_in_the_standards_namespace_it_is_an_error():
    for function in (xp.sin, xp.sum, xp.sort, lambda x: xp.add(x, 1), xp.linalg.det):
        with pytest.raises(TypeError, match=r"subclass of ndarray, is not supported"):
            function(numpy.ma.array([[1.0]]))
        with pytest.raises(TypeError, match="not supported"):
            function(numpy.ones((1, 1), dtype="g"))


def test_tensors_of_other_devices_are_not_moved():
    t = corepy.asarray([1.0, 2.0, 3.0], device="reference")
    for call in (
        lambda: t + MASKED,
        lambda: operator.iadd(t, MASKED),
        lambda: np.polyfit(t, t, 1, cov=True),
        lambda: np.i0(t),
    ):
        with pytest.raises((TypeError, ValueError), match=r"reference.*to_device\('cpu'\)"):
            call()
    assert np.sum(t, 0).device == np.polyfit(t, t, 1).device == t.device
    # NumPy's masked arrays read the operand, as np.asarray(t) does.
    assert type(MASKED * t) is numpy.ma.MaskedArray


def test_assigning_takes_the_elements():
    t, array = corepy.asarray([0.0, 0.0, 0.0]), numpy.zeros(3)
    t[...] = MASKED
    array[...] = MASKED
    assert_same(t, array)
    t[1:] = numpy.asmatrix([[5.0, 6.0]])
    assert t.tolist()[1:] == [5.0, 6.0]


def test_text_dates_and_records_go_through_untouched():
    for array in (
        numpy.array(["b", "a"]),
        numpy.array(["2024-01-31", "NaT"], dtype="M8[D]"),
        numpy.array([1, "x", None], dtype=object),
        numpy.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
        numpy.array([1.5, 2.5], dtype="g"),
        numpy.array([1.5, 2.5], dtype=">f8"),
    ):
        assert np.asarray(array) is array
        assert np.asanyarray(array) is array
        for result in (np.array(array), np.roll(array, 1), np.reshape(array, (-1, 1)),
                       np.repeat(array, 2)):  # fmt: skip
            assert type(result) is numpy.ndarray
            assert result.dtype == array.dtype
        assert np.shares_memory(np.reshape(array, (-1, 1)), array)
    assert np.unique(["b", "a", "b"]).tolist() == ["a", "b"]
    assert np.strings.upper(numpy.array("ab")) == "AB"
    assert np.zeros(2, dtype="g").dtype == "g"


def test_misaligned_arrays_stay_views():
    array = numpy.zeros(17, "u1")[1:].view("f8")
    view = np.reshape(array, (2, 1))
    view[0, 0] = 3.0
    assert array[0] == 3.0


def test_memory_maps_become_tensors(tmp_path):
    mapped = numpy.memmap(tmp_path / "x", dtype="f8", mode="w+", shape=(3,))
    view = np.reshape(mapped, (3, 1))
    assert type(view) is corepy.ndarray
    view[0] = 5.0
    assert mapped[0] == 5.0


def test_components_are_views():
    x = np.asarray([[1.0, 2.0], [3.0, 4.0]])
    real = np.real(x)
    real[0, 0] = 9.0
    assert float(x[0, 0]) == 9.0
    assert np.real(x.T).strides == x.T.strides
    with pytest.raises(ValueError, match="read-only"):
        np.imag(x)[0, 0] = 1.0
    for dtype in ("complex64", "complex128"):
        z = np.asarray([1 + 2j, 3 + 4j], dtype=dtype)
        np.real(z)[0] = 5.0
        np.imag(z)[1] = 6.0
        z.real[1] = 7.0
        z.imag[0] = numpy.nan
        assert_same(z, numpy.array([complex(5, numpy.nan), 7 + 6j], dtype=dtype))
        z.real = [1, 2]
        z.imag = 0
        assert z.tolist() == [1, 2]
        assert np.imag(z[::-1]).strides == (-z.itemsize,)
    y = np.asarray([1.0, 2.0])
    y.real = 5
    assert y.tolist() == [5.0, 5.0]
    with pytest.raises(TypeError, match=r"^imag: "):
        y.imag = 0
    assert np.real(corepy.asarray(1.5)).shape == ()
    assert np.real(np.zeros((0, 2))).shape == (0, 2)


def test_results_of_integers_are_as_in_numpy():
    two = np.array([2, -1, 1])
    assert_same(np.reciprocal(two), numpy.reciprocal(numpy.array([2, -1, 1])))
    assert_same(np.reciprocal(corepy.asarray([2.0])), numpy.array([0.5]))
    m = np.asarray([[1, 2], [3, 4]])
    for n in (0, 1, 3):
        expected = numpy.linalg.matrix_power(numpy.asarray(m), n)
        assert_same(np.linalg.matrix_power(m, n), expected)
    symmetric = np.asarray([[2.0, 1.0], [1.0, 2.0]])
    assert_same(np.linalg.eigvals(symmetric), numpy.linalg.eigvals(numpy.asarray(symmetric)))
    assert_same(np.linalg.eig(symmetric)[0], numpy.linalg.eig(numpy.asarray(symmetric))[0])
    # The standard's own stay the standard's.
    assert xp.reciprocal(two).dtype == "float64"
    assert xp.linalg.eigvals(symmetric).dtype == "complex128"


def test_python_scalars_have_the_default_dtype_where_numpy_have():
    small = numpy.array([1, 2, 4], dtype="u1")
    t = np.asarray(small)
    assert_same(np.diff(t, prepend=0), numpy.diff(small, prepend=0))
    assert_same(np.tensordot(t, 2, axes=0), numpy.tensordot(small, 2, axes=0))
    assert xp.diff(t, prepend=t[:1]).dtype == "uint8"
    # Not where the integer is beyond the dtype.
    assert_same(np.linalg.tensordot(t, -1, axes=0), numpy.tensordot(small, -1, axes=0))
    assert_same(xp.tensordot(t, -1, axes=0), numpy.tensordot(small, -1, axes=0))
    assert_same(xp.isin(t, -1), numpy.array([False, False, False]))


def test_keywords_and_methods_of_ufuncs():
    x, y = np.asarray([1.0, 2.0, 3.0]), np.asarray([4.0, 5.0, 6.0])
    out = np.zeros(3)
    assert np.add(x, y, out=out) is out
    assert np.add(x, y, out) is out
    assert out.tolist() == [5.0, 7.0, 9.0]
    assert np.multiply(x, y, where=np.asarray([True, False, True]), out=out) is out
    assert out.tolist() == [4.0, 7.0, 18.0]
    quotient, remainder = np.zeros(3), np.zeros(3)
    results = np.divmod(y, x, out=(quotient, remainder))
    assert results[0] is quotient
    assert results[1] is remainder
    assert_same(np.add.reduce(x), numpy.float64(6.0))
    assert_same(np.maximum.accumulate(x[::-1]), numpy.array([3.0, 3.0, 3.0]))
    assert_same(np.subtract.outer(x, y), numpy.subtract.outer(numpy.asarray(x), numpy.asarray(y)))
    np.add.at(x, [0, 0], 1.0)
    assert x.tolist() == [3.0, 2.0, 3.0]
    assert np.add.nin == 2
    with pytest.raises(AttributeError, match=r"corepy\.add has no attribute 'nothing'"):
        np.add.nothing


def test_other_names_of_the_standards_functions():
    assert np.concatenate.__wrapped__ is xp.concat
    assert np.power.__wrapped__ is xp.pow
    assert np.arctan2.__wrapped__ is xp.atan2


def test_functions_can_be_pickled():
    for function in (np.sum, np.add, np.add.reduce, np.linalg.svd, np.median, np.ma.mean):
        assert pickle.loads(pickle.dumps(function)) is function


def test_lists_that_contain_themselves_do_not_end_the_process():
    endless = []
    endless.append(endless)
    for function in (np.array, np.sum, np.median, np.shape):
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            function(endless)


def test_arguments_that_are_returned_are_the_same_object():
    t = np.asarray([1.0, 2.0])
    assert np.asanyarray(t) is t
    assert np.atleast_1d(t) is t
    assert np.ascontiguousarray(t) is t


def test_fills_and_copies_are_in_place():
    t = np.zeros((2, 2))
    np.fill_diagonal(t, 5.0)
    np.put(t, [1], 7.0)
    np.copyto(t[1], np.asarray([8.0, 9.0]))
    np.place(t, t == 5.0, [6.0])
    assert t.tolist() == [[6.0, 7.0], [8.0, 9.0]]
    frozen = np.broadcast_to(t, (2, 2, 2))
    with pytest.raises(ValueError, match="read-only"):
        np.put(frozen, [0], 1.0)


@pytest.mark.parametrize("dtype", [d for d in "?bBhHiIlLqQfdFD" if d not in "lL"])
@pytest.mark.parametrize("scalar", [
    numpy.float64(2), numpy.complex128(2), numpy.float32(2), numpy.complex64(2), numpy.int64(2),
    numpy.int8(2), numpy.uint64(2), numpy.bool_(True), 2, 2.0, 2j, True,
])  # fmt: skip
def test_scalars_promote_as_numpy(dtype, scalar):
    array = numpy.ones(3, dtype)
    tensor = np.asarray(array)
    for call in (
        lambda x: x + scalar,
        lambda x: scalar * x,
        lambda x: x / scalar,
        lambda x: np.where(x == x, x, scalar) if x is tensor else numpy.where(x == x, x, scalar),
        lambda x: operator.imul(x.copy(), scalar),
    ):
        try:
            expected = call(array)
        except (TypeError, OverflowError):
            with pytest.raises((TypeError, OverflowError)):
                call(tensor)
            continue
        result = call(tensor)
        assert result.dtype == expected.dtype
        assert numpy.array_equal(result, expected)
