"""Shapes changed without moving data, and their errors; see also oracle/test_devices_agree.py."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import arrays, assert_same, shapes

import corepy.array_api as xp
from corepy import Tensor


def shared(t, array):
    """Whether a tensor shows the memory of an ndarray."""
    return np.shares_memory(np.asarray(t), array)


@st.composite
def other_shapes(draw, size):
    """Shapes of `size` elements, sometimes with one size left open."""
    sizes = []
    if size == 0:
        sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
        sizes[draw(st.integers(0, len(sizes) - 1))] = 0
        return tuple(sizes)
    rest = size
    while rest > 1:
        divisor = draw(st.sampled_from([n for n in range(2, rest + 1) if rest % n == 0]))
        sizes.append(divisor)
        rest //= divisor
    for _ in range(draw(st.integers(0, 2))):
        sizes.insert(draw(st.integers(0, len(sizes))), 1)
    if sizes and draw(st.booleans()):
        sizes[draw(st.integers(0, len(sizes) - 1))] = -1
    return tuple(sizes)


@given(data=st.data())
def test_reshape(data):
    array = data.draw(arrays())
    shape = data.draw(other_shapes(array.size))
    expected = array.reshape(shape)
    t = Tensor(array)
    result = xp.reshape(t, shape)
    assert_same(result, expected)
    copied = xp.reshape(t, shape, copy=True)
    assert_same(copied, expected)
    if array.size:
        assert not shared(copied, array)
        assert shared(result, array) == np.shares_memory(expected, array)
        if np.shares_memory(expected, array):
            assert shared(xp.reshape(t, shape, copy=False), array)
        else:
            with pytest.raises(ValueError, match=r"^reshape: .*copy=False"):
                xp.reshape(t, shape, copy=False)


@pytest.mark.parametrize(
    "shape",
    [(4,), (-1, 4), (7, -1), (0, -1), (0,), (-1, -1), (-2, 3), (2, 3, 2), (2**62, 2**62, 6),
     (3, 2**63), (6, 2**62 + 1), (2**32, 2**32, 6), (2**62,), (2, -1, 2**62)],
)  # fmt: skip
def test_impossible_shapes(shape):
    t = Tensor(np.arange(6.0))
    with pytest.raises(ValueError, match=r"^reshape: "):
        xp.reshape(t, shape)


def test_products_of_sizes_do_not_wrap_around():
    with pytest.raises(ValueError, match=r"^reshape: "):
        xp.reshape(Tensor([1, 2, 3, 4]), (4, 2**62 + 1))  # 4 modulo 2**64
    with pytest.raises(ValueError, match=r"^reshape: "):
        xp.reshape(xp.zeros(0), (2**32, 2**32))  # 0 modulo 2**64
    with pytest.raises(ValueError, match="too big"):
        xp.broadcast_to(Tensor(1), (2**32, 2**32))
    with pytest.raises(ValueError, match="too big"):
        xp.broadcast_to(Tensor(1), (2**62, 2))
    with pytest.raises(ValueError, match="too big"):  # NumPy could not show it
        xp.reshape(xp.zeros(0), (2**62, 0, 8))


@pytest.mark.parametrize("shape", ["ab", 2.5, (2.0, 3), None, (None, 6), [[6]]], ids=str)
def test_shapes_are_integers(shape):
    with pytest.raises(TypeError, match="reshape"):
        xp.reshape(Tensor(np.arange(6.0)), shape)


def test_shapes_of_numpy_integers_and_tensors():
    t = Tensor(np.arange(6.0))
    assert xp.reshape(t, (np.int64(2), Tensor(3))).shape == (2, 3)
    assert xp.reshape(t, [3, 2]).shape == (3, 2)
    assert xp.reshape(t, -1).shape == (6,)


@pytest.mark.parametrize("axes", [(0,), (0, 0), (0, 2), (0, 1, 2), (), (0, -2)])
def test_bad_permutations(axes):
    with pytest.raises((ValueError, IndexError), match=r"^permute_dims: "):
        xp.permute_dims(xp.zeros((2, 3)), axes)


@given(data=st.data())
def test_broadcast_shapes_and_arrays(data):
    made = data.draw(st.lists(shapes(max_dims=3, max_side=2), min_size=1, max_size=4))
    try:
        expected = np.broadcast_shapes(*made)
    except ValueError:
        with pytest.raises(ValueError, match=r"^broadcast_"):
            xp.broadcast_shapes(*made)
        with pytest.raises(ValueError, match=r"^broadcast_"):
            xp.broadcast_arrays(*map(xp.zeros, made))
        return
    assert xp.broadcast_shapes(*made) == expected
    for result in xp.broadcast_arrays(*map(xp.zeros, made)):
        assert result.shape == expected


def test_squeeze_of_other_sizes():
    with pytest.raises(ValueError, match=r"^squeeze: axis 1 has size 3"):
        xp.squeeze(xp.zeros((1, 3)), axis=1)
    with pytest.raises(ValueError, match=r"^squeeze: .*twice"):
        xp.squeeze(xp.zeros((1, 3)), axis=(0, -2))


@pytest.mark.parametrize("ndim", [2, 3, 5])
def test_moveaxis_of_every_pair(ndim):
    array = np.arange(2.0**ndim).reshape((2,) * ndim)
    for source, destination in itertools.product(range(-ndim, ndim), repeat=2):
        result = xp.moveaxis(Tensor(array), source, destination)
        assert_same(result, np.moveaxis(array, source, destination))


@given(data=st.data())
def test_views_of_views_and_writing_through_them(data):
    array = np.arange(60.0).reshape(3, 4, 5)
    t = Tensor(array.copy())
    view, expected = t, array
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from(["flip", "T", "slice", "expand", "reshape"]))
        if name == "flip":
            view, expected = xp.flip(view), np.flip(expected)
        elif name == "T":
            view, expected = view.T, expected.T
        elif name == "slice":
            view, expected = view[1:, ..., ::2], expected[1:, ..., ::2]
        elif name == "expand":
            view, expected = view[:, None], expected[:, None]
        elif np.shares_memory(expected.reshape(-1, 1), array):
            view, expected = xp.reshape(view, (-1, 1)), expected.reshape(-1, 1)
    assert_same(view, expected)
    if expected.size:
        view += 1
        expected += 1
    assert_same(t, array)


@pytest.mark.parametrize("axis", [2, -3, 10**30])
@pytest.mark.parametrize("name", ["expand_dims", "squeeze", "flip", "moveaxis"])
def test_axes_out_of_range(name, axis):
    arguments = {"moveaxis": (axis, 0)}.get(name, ())
    params = {} if name == "moveaxis" else {"axis": axis + (axis > 0 and name == "expand_dims")}
    if name == "expand_dims" and axis == -3:
        params = {"axis": -4}
    with pytest.raises(IndexError, match=f"^{name}: axis"):
        getattr(xp, name)(xp.zeros((1, 1)), *arguments, **params)


def test_broadcasting_to_the_same_shape_leaves_tensors_writeable(device):
    if device == "dask":
        pytest.skip("writes and views follow Dask's rules")
    t = Tensor([1.0, 2.0], device=device)
    first, _ = xp.broadcast_arrays(t, t)
    first[0] = 5.0
    assert t[0] == 5.0
