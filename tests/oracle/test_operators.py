"""Operators do what their functions do, on both devices, in place and reflected too."""

import operator

import numpy as np
import pytest
from elementwise import ARITHMETIC_OPERATORS, COMPARISON_OPERATORS, IN_PLACE_OPERATORS
from hypothesis import given, settings
from hypothesis import strategies as st

from . import inputs
from .case import function
from .compare import exact, structure, to_host
from .table import TABLE

DEVICES = ["cpu", "reference"]
EXAMPLES = max(4, settings.default.max_examples // 3)

BINARY = ARITHMETIC_OPERATORS | COMPARISON_OPERATORS | {"matmul": operator.matmul}
UNARY = {
    "abs": operator.abs,
    "negative": operator.neg,
    "positive": operator.pos,
    "bitwise_invert": operator.invert,
}


def drawn(data, name):
    case = TABLE[name]
    return data.draw(case.calls(data.draw(st.sampled_from(case.dtypes))))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", [*BINARY, *UNARY])
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_operators(name, device, data):
    arguments = drawn(data, name).on(device)
    actual = (BINARY.get(name) or UNARY[name])(*arguments.args)
    expected = function(name, device)(*arguments.args)
    exact(to_host(actual), to_host(expected), arguments)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", IN_PLACE_OPERATORS)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_inplace_operators(name, device, data):
    """The same values, in the memory of the array and of the array that it is a view of."""
    made = drawn(data, name)
    first = made.args[0]
    if not isinstance(first, inputs.Made) or first.is_broadcast:
        return  # a scalar, or a broadcast array, which cannot be written to
    second = inputs.put(made.args[1], device)
    x = first.on(device)
    expected = function(name, device)(x, second)
    if expected.shape != x.shape or expected.dtype != x.dtype:
        return
    same, view = x, x[...]
    x = IN_PLACE_OPERATORS[name](x, second)
    assert x is same
    exact(to_host(x), to_host(expected), made)
    exact(to_host(view), to_host(expected), made)


@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_transposes(device, data):
    made = inputs.arrays(data.draw, "float64", data.draw(inputs.shapes(min_dims=2)))
    x = made.on(device)
    exact(to_host(x.mT), np.swapaxes(made.values, -1, -2), made)
    if made.ndim == 2:
        exact(to_host(x.T), made.values.T, made)


@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_attributes_and_moves(device, data):
    """Facts about an array, and a round trip through the other device."""
    dtype = data.draw(st.sampled_from(inputs.ALL))
    made = inputs.arrays(data.draw, dtype, data.draw(inputs.shapes()))
    x = made.on(device)
    assert (x.shape, x.ndim, x.size) == (made.shape, made.ndim, int(np.prod(made.shape)))
    assert x.dtype == np.dtype(dtype)
    assert str(x.device) == device
    for other in DEVICES:
        moved = x.to_device(other)
        assert str(moved.device) == other
        exact(to_host(moved), made.values, made)
    structure(to_host(x), made.values, made)
