"""NumPy's own functions call Corepy's where an argument is a tensor."""

import collections
import operator

import numpy
import pytest
from running import output_of

import corepy
import corepy as np
import corepy.array_api as xp
from corepy import Tensor

from .against_numpy import assert_same

VALUES = numpy.asarray([[3.0, 1.0, numpy.nan], [2.0, -4.0, 0.5]])

CALLS = {
    "ufunc": lambda x: numpy.exp(x),
    "ufunc beside an ndarray": lambda x: numpy.add(VALUES, x),
    "ufunc with keywords": lambda x: numpy.sqrt(x, where=x > 0, out=numpy.zeros_like(x)),
    "reduce": lambda x: numpy.add.reduce(x, axis=0),
    "accumulate": lambda x: numpy.multiply.accumulate(x, axis=1),
    "outer": lambda x: numpy.subtract.outer(x[0], x[1]),
    "reduceat": lambda x: numpy.add.reduceat(x[1], [0, 2]),
    "reduction": lambda x: numpy.mean(x, axis=0),
    "of NumPy alone": lambda x: numpy.nanmedian(x),
    "join": lambda x: numpy.concatenate([x, VALUES]),
    "nested": lambda x: numpy.vstack((x, [x[0]])),
    "linalg": lambda x: numpy.linalg.norm(x[1]),
    "fft": lambda x: numpy.fft.rfft(x),
    "where": lambda x: numpy.where(x > 0, x, VALUES),
    "einsum": lambda x: numpy.einsum("ij,kj->ik", x, VALUES),
    "like": lambda x: numpy.asarray([1, 2], like=x),
    "ones_like": lambda x: numpy.ones_like(x, dtype="int8"),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_have_the_class_of_the_arguments(name):
    expected = CALLS[name](VALUES)
    assert_same(CALLS[name](np.asarray(VALUES)), expected, ulp=4)
    result = CALLS[name](xp.asarray(VALUES))
    assert type(result) is Tensor
    assert_same(np.asarray(result.to_numpy()), numpy.asarray(expected), ulp=4)


def test_results_are_on_the_device_of_the_arguments(device):
    t = np.asarray(VALUES).to_device(device)
    for result in (numpy.exp(t), numpy.sum(t, axis=0), numpy.concatenate([t, t])):
        assert type(result) is corepy.ndarray
        assert result.device == t.device
    for number in (numpy.median(t), numpy.sum(t), t.sum(), t[0, 0]):
        if device == "cpu":
            assert type(number) is numpy.float64
        else:
            assert type(number) is corepy.ndarray
            assert number.device == t.device


def test_several_results():
    fraction, whole = numpy.modf(np.asarray(VALUES))
    expected = numpy.modf(VALUES)
    assert_same(fraction, expected[0])
    assert_same(whole, expected[1])


HIDDEN = {
    "an array of objects": lambda parts: object_array(parts),
    "a deque": collections.deque,
    "a list in a deque": lambda parts: collections.deque([*parts]),
}


def object_array(parts):
    made = numpy.empty(len(parts), dtype=object)
    for k, part in enumerate(parts):
        made[k] = part
    return made


@pytest.mark.parametrize("hide", HIDDEN)
def test_tensors_in_other_containers_are_joined(hide):
    parts = [numpy.asarray([1.0, 2.0]), numpy.asarray([3.0, 4.0])]
    for name in ("stack", "vstack", "hstack", "dstack", "column_stack", "concatenate"):
        expected = getattr(numpy, name)(parts)
        for module in (np, numpy):
            try:
                of_numpy = getattr(numpy, name)(HIDDEN[hide](parts))
            except (TypeError, ValueError) as error:
                with pytest.raises(type(error)):
                    getattr(module, name)(HIDDEN[hide]([*map(np.asarray, parts)]))
                continue
            numpy.testing.assert_array_equal(of_numpy, expected)
            result = getattr(module, name)(HIDDEN[hide]([*map(np.asarray, parts)]))
            assert_same(result, expected)
    with pytest.raises(numpy.exceptions.AxisError):
        np.stack(HIDDEN[hide]([*map(np.asarray, parts)]), axis=7)


@pytest.mark.parametrize("name", ["assert_equal", "assert_almost_equal", "assert_array_equal"])
def test_numpy_assertions_compare_tensors(name):
    """In a process of its own, which has the integration whatever the environment says."""
    code = f"""
import numpy, pytest
import corepy as np
check = numpy.testing.{name}
table = numpy.asarray([[3.0, 1.0, numpy.nan], [2.0, -4.0, 0.5]])
for values in (table, table + 1j, table[0], numpy.asarray(2.5), numpy.zeros((0, 3))):
    t = np.asarray(values)
    for one, other in ((t, t), (t, values), (values, t)):
        check(one, other)
        check([one, one], [other, other])
        if "{name}" == "assert_equal":
            check([one, {{"a": other}}], [other, {{"a": one}}])
    if values.size:
        with pytest.raises(AssertionError):
            check(t, values + 1)
check(np.asarray([1.0, 2.0])[1], 2.0)
with pytest.raises(AssertionError):
    check(np.asarray([1.0, 2.0]), numpy.zeros(3))
print("compared")
"""
    assert output_of(code, COREPY_INTEGRATIONS="1") == "compared\n"


class Asked:
    """An object of another library, which says what it was asked for."""

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        return ufunc, method, [type(x) is Asked for x in inputs], out is not None

    def __radd__(self, other):
        return "radd"

    def __eq__(self, other):
        return "eq"


class NotAsked:
    """An object that takes no part in ufuncs."""

    __array_ufunc__ = None

    def __radd__(self, other):
        return "radd"

    def __rdivmod__(self, other):
        return "rdivmod"


class Leaves:
    """An array of another library, without comparisons or with its own."""

    __array_priority__ = 1000

    def __array__(self, dtype=None, copy=None):
        return numpy.ones(3)


class Compares(Leaves):
    def __eq__(self, other):
        return "eq"

    def __ne__(self, other):
        return "ne"


@pytest.mark.parametrize("name", ["eq", "ne"])
@pytest.mark.parametrize("namespace", [np, np.array_api])
def test_comparisons_that_no_class_has_are_errors(name, namespace):
    """Python compares identities, which are no elements: `x == y` would be False."""
    compare = getattr(operator, name)
    t = namespace.ones(3)
    for operands in ((t, Leaves()), (Leaves(), t)):
        with pytest.raises(TypeError, match=r"equal: neither \w+ nor .*Leaves compares"):
            compare(*operands)
        with pytest.raises(TypeError, match="unsupported operand"):
            operator.add(*operands)
    assert compare(t, Compares()) == compare(Compares(), t) == name
    for other in (None, "a", object(), {}, len):
        assert compare(t, other) is (name == "ne")


BINARY = """
    add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le eq ne gt ge
    iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift
""".split()


@pytest.mark.parametrize("name", [*BINARY, "divmod"])
def test_operators_ask_the_other_operand(name):
    operation = divmod if name == "divmod" else getattr(operator, name)
    operands = [numpy.arange(3.0), numpy.arange(6).reshape(2, 3), numpy.float64(2.0)]
    for values in operands[:2] if "matmul" in name else operands:
        for other in (Asked(), NotAsked()):
            for order in (1, -1):
                outcomes = []
                for x in (values.copy(), np.asarray(values)[()]):
                    try:
                        outcomes.append(operation(*(x, other)[::order]))
                    except TypeError:
                        outcomes.append(TypeError)
                assert outcomes[0] == outcomes[1], (values, order)


@pytest.mark.parametrize("operation", [operator.add, operator.pow, operator.matmul, operator.lt])
def test_operators_of_ndarrays_and_scalars(operation):
    values = numpy.abs(numpy.nan_to_num(VALUES[:, :2]))
    t = np.asarray(values)
    assert_same(operation(values, t), operation(values, values), ulp=4)
    if operation is not operator.matmul:
        assert_same(operation(numpy.float64(2.0), t), operation(numpy.float64(2.0), values), ulp=4)


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.truediv, operator.ge])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scalars_of_every_type(operation):
    types = [numpy.dtype(character).type for character in "?bBhHiIlLqQefdgFDG"]
    for first in types:
        for second in "?bBiIlLfdFD":
            values = numpy.asarray([1, 0, 3]).astype(second)
            scalar, t = first(2), np.asarray(values)
            expected = operation(scalar, values)
            if expected.dtype.char == "e":  # float64 of small integers, NumPy's own otherwise
                continue
            if expected.dtype.char in "gG":  # NumPy's own
                assert type(operation(scalar, t)) is numpy.ndarray
                continue
            assert_same(operation(scalar, t), expected, ulp=4)
            assert_same(operation(scalar, t[2]), expected[2], ulp=4)


def test_in_place_an_ndarray_stays_one():
    array = other = VALUES.copy()
    array += np.asarray(VALUES)
    assert array is other
    numpy.testing.assert_array_equal(array, VALUES * 2)


@pytest.mark.parametrize("kind", ["ndarray", "tensor"])
def test_out(kind):
    out = np.zeros((2, 3)) if kind == "tensor" else numpy.zeros((2, 3))
    assert numpy.multiply(np.asarray(VALUES), VALUES, out=out) is out
    numpy.testing.assert_array_equal(numpy.asarray(out), VALUES * VALUES)
    fraction, whole = numpy.zeros((2, 3)), numpy.zeros((2, 3))
    numpy.modf(np.asarray(VALUES), fraction, whole)
    numpy.testing.assert_array_equal(whole, numpy.modf(VALUES)[1])


def test_at():
    t, array = np.asarray(VALUES, copy=True), VALUES.copy()
    numpy.add.at(t, [0, 0], 1.0)
    numpy.add.at(array, [0, 0], 1.0)
    assert_same(t, array)


def test_what_numpy_alone_can_hold_stays_its_own():
    masked = numpy.ma.masked_invalid(VALUES)
    t = np.asarray(VALUES)
    for result in (numpy.add(masked, t), masked + t, t + masked):
        assert type(result) is numpy.ma.MaskedArray
        assert result.mask.tolist() == masked.mask.tolist()
    assert numpy.add(t, numpy.asarray([1, 2, 3], dtype=object)).dtype == object


def test_ufuncs_of_others():
    special = pytest.importorskip("scipy.special")
    assert_same(special.erf(np.asarray(VALUES)), special.erf(VALUES))


def test_other_classes_with_the_protocols_come_first():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return "ufunc"

        def __array_function__(self, function, types, args, kwargs):
            return "function"

    t = np.asarray(VALUES)
    assert numpy.add(t, Other()) == "ufunc"
    assert numpy.concatenate([t, Other()]) == "function"


def test_classes_that_handle_functions_of_numpy():
    """A table of functions, as NEP 18 shows it, has Corepy's and is given NumPy's."""
    handled = {np.sum: "sum", np.concatenate: "concatenate", np.add: "add"}

    class Handler:
        def __array_function__(self, function, types, args, kwargs):
            if function not in handled:
                raise ValueError("not handled")
            return handled[function]

        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return handled[ufunc]

    assert np.sum(Handler()) == "sum"
    assert np.concatenate([Handler(), Handler()]) == "concatenate"
    with pytest.raises(ValueError, match="not handled"):  # no other way is tried
        np.mean(Handler())
    assert np.add(Handler(), 1) == np.add(np.ones(2), Handler()) == "add"
    assert isinstance(np.add, numpy.ufunc)


def test_the_interface_describes_the_memory():
    t = np.asarray(VALUES[:, ::2])
    assert t.__array_interface__ == numpy.asarray(t).__array_interface__
    assert not hasattr(t.to_device("reference"), "__array_interface__")


def test_array_methods_may_return_tensors():
    class Three:
        def __array__(self, dtype=None, copy=None):
            return np.asarray([3.0, 1.0, 2.0])

    three, array = Three(), numpy.asarray([3.0, 1.0, 2.0])
    for ours, theirs in (
        (np.add(three, 1), array + 1),
        (np.add(three, three, out=np.zeros(3)), array + array),
        (np.cbrt(three), numpy.cbrt(array)),
        (np.sum(three), array.sum()),
        (np.ones(3) * three, array),
        (np.array([three, three]), numpy.array([array, array])),
        (np.array([[three, [1, 2, 3]]]), numpy.array([[array, [1, 2, 3]]])),
        (np.polyfit(three, three, 1), numpy.polyfit(array, array, 1)),
        (np.median(three), numpy.median(array)),
    ):
        assert_same(ours, theirs)
    np.testing.assert_allclose(three, array)
