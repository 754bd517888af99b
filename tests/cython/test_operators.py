"""The operators of Tensor: operands on either side, and in place."""

import operator

import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS, IN_PLACE_OPERATORS
from strategies import assert_same

from corepy import Tensor

BITWISE = [function for name, function in ARITHMETIC_OPERATORS.items() if "bitwise" in name]
ARITHMETIC = [function for function in ARITHMETIC_OPERATORS.values() if function not in BITWISE]
ARITHMETIC.append(operator.matmul)
COMPARISONS = list(COMPARISON_OPERATORS.values())
INPLACE = dict(zip(IN_PLACE_OPERATORS.values(), ARITHMETIC_OPERATORS.values(), strict=True))
# NumPy's power and ours are each within one unit of the exact one.
ULP = {operator.pow: 2}


def named(function):
    return function.__name__


def operands(function):
    if function in BITWISE:
        return np.array([1, 6, 12]), np.array([3, 2, 1])
    return np.array([1.5, -2.0, 7.0]), np.array([2.0, 3.0, 0.5])


@pytest.mark.parametrize("function", ARITHMETIC + BITWISE + COMPARISONS, ids=named)
def test_tensors_ndarrays_and_lists_on_either_side(function):
    a, b = operands(function)
    expected = np.asarray(function(a, b))
    for left in (Tensor(a), a, a.tolist()):
        for right in (Tensor(b), b, b.tolist()):
            if isinstance(left, Tensor) or isinstance(right, Tensor):
                assert_same(function(left, right), expected)


@pytest.mark.parametrize("function", ARITHMETIC[:-1] + BITWISE + COMPARISONS, ids=named)
@pytest.mark.parametrize("kind", [int, float, np.int64, np.float64, np.float32, np.asarray])
def test_scalars_on_either_side(function, kind):
    a, _ = operands(function)
    scalar = kind(2)
    if function in BITWISE and isinstance(scalar, (float, np.floating)):
        for left, right in ((Tensor(a), scalar), (scalar, Tensor(a))):
            with pytest.raises(TypeError, match=r"allowed: (bool and )?integer"):
                function(left, right)
        return
    if function in (operator.pow, operator.lshift, operator.rshift):
        a = abs(a)
    ulp = ULP.get(function, 0)
    assert_same(function(Tensor(a), scalar), function(a, scalar), ulp=ulp)
    assert_same(function(scalar, Tensor(a)), function(scalar, a), ulp=ulp)


def test_divmod():
    a, b = np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])
    for result, expected in zip(divmod(Tensor(a), Tensor(b)), divmod(a, b), strict=True):
        assert_same(result, expected)
    for result, expected in zip(divmod(7, Tensor(b)), divmod(7, b), strict=True):
        assert_same(result, expected)


def test_what_is_on_no_device_goes_to_that_of_the_tensor(device):
    t = Tensor([1.0, 2.0], device=device)
    for other in ([1, 2], (1, 2), np.float32(2), np.int8(2), 2, True):
        for result, expected in ((t + other, np.add([1.0, 2.0], other)),
                                 (other * t, np.multiply([1.0, 2.0], other))):  # fmt: skip
            assert result.device == device
            assert_same(result, expected)
    t += [1, 1]
    t[:1] = [5]
    t[1] = np.float32(9)
    assert t.device == device
    assert_same(t, np.asarray([5.0, 9.0]))


def test_ndarrays_are_on_the_cpu(device):
    t, array = Tensor([1.0, 2.0], device=device), np.asarray([1.0, 2.0])
    if device == "cpu":
        assert_same(array + t, array + array)
        return
    with pytest.raises(ValueError, match=rf"^add: .*{device} and cpu"):
        t + array
    with pytest.raises(ValueError, match=rf"^add: .*cpu and {device}"):
        array + t


@pytest.mark.parametrize("function", INPLACE, ids=named)
def test_inplace_keeps_views_views(function, device):
    if device == "dask":
        pytest.skip("writes and views follow Dask's rules")
    a, _ = operands(INPLACE[function])
    base = np.stack([abs(a), abs(a)])
    t = Tensor(base, device=device, copy=True)
    view = t[1, ::2]
    view = function(view, 2)
    base = base.copy()
    base[1, ::2] = INPLACE[function](base[1, ::2], 2)
    assert_same(t, base)
    t[0] = function(t[0], 1)
    base[0] = INPLACE[function](base[0], 1)
    assert_same(t, base)


def test_inplace_takes_ndarrays_and_lists():
    t = Tensor([1.0, 2.0])
    alias = t
    t += np.array([1, 2])
    t *= [2, 2]
    assert t is alias
    assert_same(t, np.asarray([4.0, 8.0]))
    array = np.array([1.0, 2.0])
    shared = Tensor(array)
    shared += 1
    np.testing.assert_array_equal(array, [2.0, 3.0])


def test_inplace_keeps_the_dtype():
    t = Tensor([1, 2], dtype="float32")
    t += Tensor([1.0, 2.0])
    assert_same(t, np.asarray([2, 4], dtype="float32"))
    t = Tensor([1, 2], dtype="int16")
    t += Tensor([1, 2])  # of the same kind, as NumPy allows
    assert_same(t, np.asarray([2, 4], dtype="int16"))


def test_inplace_matmul():
    a = np.arange(4.0).reshape(2, 2)
    t = Tensor(a, copy=True)
    alias = t
    t @= t
    assert t is alias
    assert_same(t, a @ a)
    with pytest.raises(ValueError, match=r"^matmul: "):
        t @= Tensor([1.0, 2.0])
    assert_same(t, a @ a)


class Other:
    """Something that works with tensors by itself."""

    def __radd__(self, other):
        return "radd"

    def __add__(self, other):
        return "add"

    def __eq__(self, other):
        return "eq"


def test_foreign_operands_decide_themselves():
    t = Tensor([1, 2])
    assert t + Other() == "radd"
    assert Other() + t == "add"
    assert (t == Other()) == "eq"


@pytest.mark.parametrize("other", [None, "text", object(), {}], ids=lambda x: type(x).__name__)
def test_unsupported_operands(other):
    t = Tensor([1, 2])
    assert (t == other) is False
    assert (t != other) is True
    for function in (operator.add, operator.matmul, operator.lt):
        with pytest.raises(TypeError, match=r"unsupported operand|not supported"):
            function(t, other)
        with pytest.raises(TypeError):
            function(other, t)
    with pytest.raises(TypeError):
        t += other


def test_power_with_a_modulus():
    with pytest.raises(TypeError):
        pow(Tensor([2]), 2, 3)


def test_broadcasting_and_its_errors():
    a, b = np.arange(3), np.arange(4)[:, None]
    assert_same(Tensor(a) + Tensor(b), a + b)
    with pytest.raises(ValueError, match=r"^add: .*\(3,\).*\(4,\)"):
        Tensor(a) + Tensor(b[:, 0])


def test_numpy_functions_of_tensors_are_tensors():
    t = Tensor([1.0, 4.0])
    for result, expected in (
        (np.sqrt(t), [1.0, 2.0]),
        (np.add(np.ones(2), t), [2.0, 5.0]),
        (np.concatenate([t, t]), [1.0, 4.0, 1.0, 4.0]),
    ):
        assert type(result) is Tensor
        assert result.tolist() == expected
    array = np.zeros(2)
    array[:] = t
    assert array.tolist() == [1.0, 4.0]
