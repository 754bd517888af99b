"""A Python scalar operand gives the same result as a tensor of that value, on every level."""

import itertools
import operator

import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS

import corepy
import corepy.array_api as xp

pytestmark = pytest.mark.usefixtures("level")

OPERATORS = [function for name, function in ARITHMETIC_OPERATORS.items() if "bitwise" not in name]
OPERATORS += COMPARISON_OPERATORS.values()
FUNCTIONS = [xp.maximum, xp.minimum, xp.atan2, xp.hypot, xp.copysign, xp.nextafter, xp.logaddexp]


class Number(float):
    """Not a float, but as good as one."""


DTYPES = "? b B h H i I l L f d F D".split()
VALUES = [0.1, -0.0, 2.0, float("inf"), float("nan"), 1e300, Number(3.5)]
# Below, at and above the number of elements from which threads may share.
SIZES = [0, 1, 7, 9, 4095, 4096, 4097]


def elements(n, dtype):
    array = np.random.default_rng(n).standard_normal(n) * 3
    if n > 5:
        array[:5] = [0.0, -0.0, np.nan, np.inf, -np.inf]
    return xp.asarray(array.astype(dtype))


def assert_equal_bits(ours, expected):
    assert ours.dtype == expected.dtype and ours.shape == expected.shape
    ours, expected = np.asarray(ours), np.asarray(expected)
    np.testing.assert_array_equal(ours, expected)
    if ours.dtype.kind == "f":
        numbers = ~np.isnan(ours)
        np.testing.assert_array_equal(np.signbit(ours)[numbers], np.signbit(expected)[numbers])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_binary(n, dtype):
    x = elements(n, dtype)
    for value in VALUES:
        whole = xp.full((n,), value, dtype=x.dtype)
        for function in [*OPERATORS, *FUNCTIONS]:
            if function is operator.pow and value == 2.0:
                continue  # a square
            assert_equal_bits(function(x, value), function(x, whole))
            assert_equal_bits(function(value, x), function(whole, x))


def test_dtypes_that_a_float_changes():
    for dtype in ("bool", "int8", "uint64", "int64"):
        x = xp.asarray([1, 0, 1], dtype=getattr(xp, dtype))
        assert (x + 0.5).dtype == xp.float64
        assert (x + 0.5).tolist() == [1.5, 0.5, 1.5]
        assert xp.where(xp.asarray([True, False, True]), x, 0.5).tolist() == [1.0, 0.5, 1.0]
    z = xp.asarray([1j, 2j])
    assert (z * 2.0).tolist() == [2j, 4j]
    assert xp.where(xp.asarray([True, False]), z, 2.0).tolist() == [1j, 2.0]
    with pytest.raises(TypeError, match=r"^bitwise_and: dtype float64 is not supported"):
        xp.asarray([1.0]) & 2.0


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_where(n, dtype):
    x, y = xp.asarray(np.arange(n).astype(dtype)), xp.asarray(-np.arange(n).astype(dtype))
    mask = np.random.default_rng(n).integers(0, 2, n).astype(bool)
    c = xp.asarray(mask)
    for value in VALUES:
        code = np.result_type(np.dtype(dtype), np.asarray(0.0) if dtype == "int16" else dtype)
        scalar = np.asarray(value).astype(code)
        assert_equal_bits(xp.where(c, x, value), np.where(mask, np.asarray(x), scalar))
        assert_equal_bits(xp.where(c, value, x), np.where(mask, scalar, np.asarray(x)))
    assert_equal_bits(xp.where(c, x, y), np.where(mask, np.asarray(x), np.asarray(y)))
    assert_equal_bits(xp.where(c, x, 3), np.where(mask, np.asarray(x), np.asarray(3, dtype)))
    assert_equal_bits(xp.where(c[::-1], x, y), np.where(mask[::-1], x, y))
    assert_equal_bits(xp.where(c, x[::-1], 1.0)[:0], np.asarray(xp.where(c, x, 1.0))[:0])


def test_where_of_other_operands():
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    c = xp.asarray([True, False])
    assert xp.where(c, x, 0.0).tolist() == [[1.0, 0.0], [3.0, 0.0]]
    assert xp.where(x > 2.0, 1.0, 2.0).tolist() == [[2.0, 2.0], [1.0, 1.0]]
    assert xp.where(True, x, 0.0).tolist() == x.tolist()
    assert xp.where([True, False], [1, 2], 3).tolist() == [1, 3]
    assert xp.where(x, x, 0.0).tolist() == x.tolist()  # numbers are true unless they are zero
    on_another = xp.asarray([True, False], device="reference")
    assert xp.where(on_another, 1.0, 2.0).device == on_another.device
    for arguments in ((on_another, x, 0.0), (c, xp.asarray([1.0, 2.0], device="reference"), 0.0)):
        with pytest.raises(ValueError, match=r"^where: operands are on different devices"):
            xp.where(*arguments)
    with pytest.raises(ValueError, match=r"^where: shapes .* cannot be broadcast together"):
        xp.where(c, xp.zeros(3), 0.0)
    with pytest.raises(OverflowError):
        xp.where(c, xp.asarray([1, 2], dtype=xp.int8), 300)


@pytest.mark.parametrize("n", [0, 1, 7, 4095, 4096])
def test_casts_of_runs_and_of_what_is_strided(n):
    source = xp.asarray(np.arange(2 * n) % 100)
    for first in ("int8", "uint64", "float32", "complex64", "bool"):
        for second in ("int16", "float64", "complex128", "bool", "uint8"):
            if first == "complex64" and second not in ("complex128", "bool"):
                continue
            x = xp.astype(source, getattr(xp, first))
            strided = xp.astype(x[::2], getattr(xp, second))
            run = xp.astype(xp.asarray(x[::2], copy=True), getattr(xp, second))
            assert_equal_bits(run, strided)


def results(device):
    """0-d results of operations, and what they are equal to."""
    x = xp.asarray([1.5, 2.0, 4.0], device=device)
    yield xp.sum(x), 7.5
    yield xp.max(x) - 1.0, 3.0
    yield xp.vecdot(x, x), 22.25
    yield -xp.sum(x), -7.5
    yield xp.sum(x) > 7.0, True
    yield xp.sum(xp.astype(x, xp.int64)), 7
    yield xp.where(xp.any(x > 3.0), 1.0, 2.0), 1.0
    with corepy.config(fusion_threshold=0), corepy.fuse():
        yield xp.sum(x * 2.0), 15.0


def test_results_of_operations_are_arrays(device):
    for result, value in results(device):
        before = result
        assert before.item() == value
        result += result
        assert result is before
        assert result.item() == (value if result.dtype == xp.bool else 2 * value)


def test_arrays_and_views_without_dimensions_are_written_in_place():
    x = xp.asarray([3.0, 1.0])
    made = [
        xp.asarray(1.0), xp.asarray(np.array(1.0)), xp.zeros(()), xp.ones(()), xp.full((), 2.0),
        xp.empty(()), xp.zeros_like(xp.sum(x)), xp.asarray(xp.sum(x), copy=True), x[0, ...],
        xp.reshape(xp.asarray([1.0]), ()), xp.asarray(1, dtype=xp.float32),
    ]  # fmt: skip
    for array in made:
        other = array
        array += 1.0
        assert other is array
        with pytest.raises(TypeError, match=r"^unhashable type: 'corepy.Tensor'"):
            hash(array)
    assert x.tolist() == [4.0, 1.0]


@pytest.mark.parametrize("name", [*ARITHMETIC_OPERATORS, *COMPARISON_OPERATORS])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scalars_of_numpy_are_as_arrays_without_axes(name):
    """Those with the dtype of the tensor are taken as Python's."""
    function = (ARITHMETIC_OPERATORS | COMPARISON_OPERATORS)[name]

    def outcome(*operands):
        try:
            return function(*operands)
        except (TypeError, ValueError) as error:
            return type(error)

    for dtype, other in itertools.product(DTYPES, DTYPES):
        x = xp.asarray(np.array([1, 0, 3, 1], dtype=dtype))
        scalar = np.dtype(other).type(3)
        array = xp.asarray(np.asarray(scalar))
        ours, expected = outcome(x, scalar), outcome(x, array)
        if isinstance(expected, type):
            assert ours is expected, (dtype, other)
        else:
            assert_equal_bits(ours, expected)
        ours, expected = outcome(scalar, x), outcome(array, x)
        if isinstance(expected, type):
            assert ours is expected, (dtype, other)
        else:
            assert_equal_bits(ours, expected)
            assert_equal_bits(outcome(scalar, x[0]), outcome(array, x)[0])
        if hasattr(xp, name):
            function_of_both = getattr(xp, name)
            try:
                expected = function_of_both(array, x)
            except (TypeError, ValueError):
                continue
            assert_equal_bits(function_of_both(scalar, x), expected)


class Float64(np.float64):
    """A subclass of a scalar type."""


@pytest.mark.parametrize("name", [*ARITHMETIC_OPERATORS, *COMPARISON_OPERATORS])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scalars_of_numpy_are_as_in_numpy_beside_all_but_tensors(name):
    """Their operators, which leave tensors to the tensor's, do the rest as before."""
    function = (ARITHMETIC_OPERATORS | COMPARISON_OPERATORS)[name]
    for dtype in DTYPES:
        scalar = np.dtype(dtype).type(1)
        others = [scalar, True, 2, 2.5, 2j, np.float16(2), np.float64(2), Float64(2), np.array([2])]
        method = getattr(type(scalar), f"__{function.__name__.rstrip('_')}__", None)
        for other in others:
            try:
                # The attribute is NumPy's function itself.
                expected = NotImplemented if method is None else method(scalar, other)
            except TypeError:
                expected = NotImplemented
            if expected is NotImplemented:
                continue
            result = function(scalar, other)
            assert type(result) is type(expected)
            np.testing.assert_array_equal(result, expected)
        for other in ("text", None, object()):
            if name in ("equal", "not_equal"):
                assert function(scalar, other) == (name == "not_equal")
            elif not (other == "text" and name == "multiply"):
                with pytest.raises(TypeError):
                    function(scalar, other)
        with pytest.raises(TypeError):
            pow(scalar, xp.ones((2,)), 3)
    assert divmod(np.int64(7), xp.asarray([2, 4]))[1].tolist() == [1, 3]
    assert type(Float64(2) * xp.ones((2,))) is corepy.Tensor
