"""Masks, integer arrays and nonzero on the CPU, against NumPy, on every instruction set."""

import numpy as np
import pytest
from strategies import DTYPE_NAMES

import corepy.array_api as xp

pytestmark = pytest.mark.usefixtures("level")

# Around the ends of registers, words of 64 mask bytes, and chunks.
SIZES = [0, 1, 3, 15, 16, 17, 63, 64, 65, 200, 1000, 20_000, 40_003]
SHARES = [0.0, 0.02, 0.5, 0.97, 1.0]


def draw_array(dtype, shape, seed=0):
    """Random bytes as elements: moves must not change any bits, NaNs included."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(rng.bytes(nbytes), dtype=dtype).reshape(shape).copy()


def same_bits(ours, theirs):
    ours = np.asarray(ours)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("size", SIZES)
def test_masks_read_fill_and_write(dtype, size):
    rng = np.random.default_rng(size)
    for share in SHARES:
        array, mask = draw_array(dtype, size), rng.random(size) < share
        x, m = xp.asarray(array.copy()), xp.asarray(mask)
        same_bits(x[m], array[mask])
        same_bits(xp.nonzero(m)[0], np.flatnonzero(mask))
        value = draw_array(dtype, int(mask.sum()), 1)
        array[mask] = value
        x[m] = xp.asarray(value)
        same_bits(x, array)
        array[mask] = 1
        x[m] = 1
        same_bits(x, array)


@pytest.mark.parametrize("dtype", ["uint8", "float64", "complex128"])
def test_masks_of_any_layout(dtype):
    array, mask = draw_array(dtype, (30, 40)), np.random.default_rng(1).random((30, 40)) < 0.5
    views = [
        lambda a: a,
        lambda a: a.T,
        lambda a: a[::-1, ::2],
        lambda a: a[3, :],
        lambda a: a[:, ::-1][:, 5:6],
    ]
    for of_array in views:
        for of_mask in views:
            theirs, theirs_mask = array.copy(), mask.copy()
            ours, ours_mask = xp.asarray(theirs.copy()), xp.asarray(mask)
            if of_array(theirs).shape != of_mask(theirs_mask).shape:
                continue
            same_bits(of_array(ours)[of_mask(ours_mask)], of_array(theirs)[of_mask(theirs_mask)])
            value = draw_array(dtype, int(of_mask(mask).sum()), 2)
            of_array(ours)[of_mask(ours_mask)] = xp.asarray(value)
            of_array(theirs)[of_mask(theirs_mask)] = value
            same_bits(ours, theirs)
            of_array(ours)[of_mask(ours_mask)] = True
            of_array(theirs)[of_mask(theirs_mask)] = True
            same_bits(ours, theirs)


def test_masks_of_fewer_dimensions():
    array = draw_array("float32", (6, 5, 4))
    x = xp.asarray(array.copy())
    for shape in [(6,), (6, 5)]:
        mask = np.random.default_rng(2).random(shape) < 0.5
        m = xp.asarray(mask)
        same_bits(x[m], array[mask])
        same_bits(x[m, ...], array[mask, ...])
        same_bits(x[m][..., ::-1], array[mask][..., ::-1])
        for value in (np.float32(3), draw_array("float32", (4,), 3), draw_array("float32", (1, 4))):
            array[mask] = value
            x[m] = xp.asarray(value)
            same_bits(x, array)
    mask = np.array([True, False, True, True, False])
    same_bits(x[:, xp.asarray(mask)], array[:, mask])
    same_bits(x[1:, xp.asarray(mask), 2], array[1:, mask, 2])
    same_bits(x[..., xp.asarray(mask), :], array[..., mask, :])


def test_operands_that_overlap():
    array = np.arange(100) % 3 == 0
    for of_x, of_mask in [
        (slice(None), slice(None)),
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
    ]:
        theirs, x = array.copy(), xp.asarray(array.copy())
        theirs[of_x][theirs[of_mask].copy()] = False
        x[of_x][x[of_mask]] = False
        same_bits(x, theirs)
    numbers = np.arange(100.0)
    theirs, x = numbers.copy(), xp.asarray(numbers.copy())
    mask = xp.asarray(array)
    count = int(array.sum())
    theirs[array] = theirs[:count].copy()
    x[mask] = x[:count]
    same_bits(x, theirs)
    indices = np.random.default_rng(0).permutation(100)
    theirs, x = indices.copy(), xp.asarray(indices.copy())
    theirs[theirs.copy()] = theirs.copy()
    x[x] = x
    same_bits(x, theirs)


def test_mask_bytes_other_than_one_are_true():
    mask = np.array([0, 2, 255, 1, 0, 128] * 20, dtype="uint8").view(bool)
    array = np.arange(120)
    x, m = xp.asarray(array.copy()), xp.asarray(mask)
    expected = array[mask.view("uint8") != 0]
    same_bits(x[m], expected)
    same_bits(xp.nonzero(m)[0], np.nonzero(mask.view("uint8"))[0])
    x[m] = -1
    same_bits(x, np.where(mask.view("uint8") != 0, -1, array))


def test_a_mask_of_another_shape_is_an_error():
    x = xp.zeros((3, 4))
    for shape in [(4,), (3, 3), (3, 4, 1)]:
        mask = xp.zeros(shape, dtype=xp.bool)
        with pytest.raises(IndexError, match=r"^getitem: "):
            x[mask]
        with pytest.raises(IndexError, match=r"^setitem: "):
            x[mask] = 1.0
    mask = xp.asarray([True, False, True])
    with pytest.raises(ValueError, match=r"^setitem: "):
        x[:, 0][mask] = xp.asarray([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(x, np.zeros((3, 4)))


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_nonzero(dtype):
    for shape in [(0,), (1,), (70,), (40_003,), (5, 0), (200, 131), (7, 1, 3), (2, 3, 4, 5)]:
        array = draw_array(dtype, shape)
        array[np.random.default_rng(3).random(shape) < 0.5] = 0
        x = xp.asarray(array)
        for ours, theirs in zip(xp.nonzero(x), np.nonzero(array), strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)
        for ours, theirs in zip(xp.nonzero(x.T), np.nonzero(array.T), strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
@pytest.mark.parametrize("index_dtype", ["int64", "int8", "uint64"])
def test_taking_along_an_axis(dtype, index_dtype):
    rng = np.random.default_rng(4)
    array = draw_array(dtype, (7, 9, 3))
    for axis in range(3):
        low = 0 if index_dtype[0] == "u" else -array.shape[axis]
        for count in (0, 1, 5, 700):
            index = rng.integers(low, array.shape[axis], count).astype(index_dtype)
            ours = xp.take(xp.asarray(array), xp.asarray(index), axis=axis)
            same_bits(ours, np.take(array, index.astype("int64"), axis=axis))
            ours = xp.take(xp.asarray(array)[::-1].T, xp.asarray(index)[::-1], axis=2 - axis)
            same_bits(ours, np.take(array[::-1].T, index[::-1].astype("int64"), axis=2 - axis))
        for shape in [(7, 9, 3), (1, 9, 3), (7, 1, 1), (1, 1, 1)]:
            shape = shape[:axis] + (4,) + shape[axis + 1 :]
            index = rng.integers(low, array.shape[axis], shape).astype(index_dtype)
            expected = np.take_along_axis(array, index.astype("int64"), axis=axis)
            same_bits(xp.take_along_axis(xp.asarray(array), xp.asarray(index), axis=axis), expected)
            ours = xp.take_along_axis(xp.asarray(array).T, xp.asarray(index).T, axis=2 - axis)
            same_bits(ours, np.ascontiguousarray(expected.T))


@pytest.mark.parametrize("index", [4, -5, 2**40, -(2**63), 2**63 - 1])
def test_an_index_out_of_range_is_named_and_nothing_is_written(index):
    array = np.arange(12.0).reshape(3, 4)
    x = xp.asarray(array.copy())
    bad = xp.asarray(np.array([0, index, 1]))
    with pytest.raises(IndexError, match=rf"^take: index {index} is out of bounds for axis 1"):
        xp.take(x, bad, axis=1)
    with pytest.raises(IndexError, match=rf"^take_along_axis: index {index} is out of bounds"):
        xp.take_along_axis(x, xp.reshape(bad, (1, 3)), axis=1)
    for key in [(slice(None), bad), (0, bad), (bad * 0, bad)]:
        with pytest.raises(IndexError, match=r"^getitem: "):
            x[key]
        with pytest.raises(IndexError, match=r"^setitem: "):
            x[key] = 9.0
    with pytest.raises(IndexError, match=r"^setitem: "):
        x[0][bad] = xp.asarray([1.0, 2.0, 3.0])
    same_bits(x, array)


def test_the_last_of_equal_indices_wins():
    index = np.random.default_rng(5).integers(0, 50, 3000)
    array, value = np.zeros(50), np.arange(3000.0)
    x = xp.asarray(array.copy())
    array[index] = value
    x[xp.asarray(index)] = xp.asarray(value)
    same_bits(x, array)
