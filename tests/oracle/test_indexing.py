"""Reading and writing by index on both devices against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import inputs
from .compare import exact, to_host
from .inputs import ALL, arrays, call

DEVICES = ["cpu", "reference"]


@st.composite
def keyed(draw, key_for):
    """An array in some layout, and a key for its shape."""
    dtype = draw(st.sampled_from(ALL))
    made = arrays(draw, dtype, draw(inputs.shapes(max_side=5)))
    return made, key_for(draw, made.shape)


def basic_key(draw, shape):
    key = draw(inputs.xps.indices(shape, allow_newaxis=True))
    # An ellipsis at the end may be left out.
    if isinstance(key, tuple) and key[-1:] == (...,) and draw(st.booleans()):
        return key[:-1]
    return key


def mask_key(draw, shape):
    """A mask over the leading axes, which here is all of them."""
    return arrays(draw, "bool", shape)


def integer_array_key(draw, shape):
    """Integers and integer arrays that broadcast together, one for each axis."""
    sides = [s for s in shape if s]
    if len(sides) < len(shape) or not shape:
        return ...
    parts = []
    together = inputs.broadcastable(draw, len(shape))
    for size, narrow in zip(shape, together, strict=True):
        if draw(st.integers(0, 3)) == 0:
            parts.append(draw(st.integers(-size, size - 1)))
        else:
            within = st.integers(-size, size - 1)
            parts.append(arrays(draw, "int64", narrow, lambda _, within=within: within))
    if all(isinstance(part, int) for part in parts):
        return tuple(parts)
    return tuple(parts) if len(parts) > 1 else parts[0]


KEYS = pytest.mark.parametrize(
    "key_for", [basic_key, mask_key, integer_array_key], ids=["basic", "mask", "integer arrays"]
)


def on_host(key):
    """The key with ndarrays in it."""
    if isinstance(key, tuple):
        return tuple(on_host(part) for part in key)
    return key.values if isinstance(key, inputs.Made) else key


@KEYS
@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_reading(device, key_for, data):
    made, key = data.draw(keyed(key_for))
    expected = np.asarray(made.values[on_host(key)])
    actual = made.on(device)[inputs.put(key, device)]
    assert str(actual.device) == device
    exact(to_host(actual), expected, call(made))


@KEYS
@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_writing(device, key_for, data):
    """A scalar, or an array that broadcasts to what the key selects; views write through."""
    made, key = data.draw(keyed(key_for))
    if made.is_broadcast:
        made = inputs.plain(made.values)  # a broadcast array cannot be written to
    expected = made.values
    selected = np.asarray(expected[on_host(key)]).shape
    if data.draw(st.booleans()):
        value = data.draw(inputs.any_value(made.dtype))
        host = np.array(value, dtype=made.dtype)
    else:
        narrow = tuple(1 if data.draw(st.booleans()) else size for size in selected)
        value = arrays(data.draw, made.dtype, narrow)
        host = value.values
    if has_duplicates(made.shape, on_host(key)):
        return  # which of two values is kept is left open
    expected[on_host(key)] = host
    x = made.on(device)
    x[inputs.put(key, device)] = inputs.put(value, device)
    exact(to_host(x), expected, call(made))


def has_duplicates(shape, key):
    numbers = np.arange(int(np.prod(shape))).reshape(shape)[key]
    return np.unique(numbers).size != np.size(numbers)


@pytest.mark.parametrize("device", DEVICES)
@given(data=st.data())
def test_a_view_shares_its_elements(device, data):
    """Where reading by slices gives a view, writing to it is seen in the array."""
    made = inputs.plain(data.draw(keyed(basic_key))[0].values)
    key = data.draw(inputs.xps.indices(made.shape, allow_newaxis=False, allow_ellipsis=False))
    key = tuple(part for part in (key if isinstance(key, tuple) else (key,)))
    if not made.shape or any(not isinstance(part, slice) for part in key):
        return
    x = made.on(device)
    view = x[(*key, ...)]
    view[...] = 1
    expected = made.values
    expected[key] = 1
    exact(to_host(x), expected, call(made))
