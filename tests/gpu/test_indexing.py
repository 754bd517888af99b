"""Masks, nonzero and integer arrays as indices on the GPU, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

DTYPES = ["bool", "int8", "uint16", "float32", "int64", "complex128"]  # one of each size, and bool


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def host(x):
    return np.asarray(x.to_device("cpu"))


def same(x, expected):
    result = host(x)
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def numbers(rng, shape, dtype):
    values = rng.integers(0, 2 if dtype == "bool" else 100, shape)
    return values.astype(dtype)


def on(gpu, key):
    """An index with its arrays moved to the GPU."""
    if isinstance(key, tuple):
        return tuple(on(gpu, item) for item in key)
    return gpu.asarray(key) if isinstance(key, np.ndarray) else key


# ---- masks

# Around what a thread, a block in one turn, and a chunk take.
SIZES = [0, 1, 3, 4, 15, 16, 17, 1023, 4095, 4096, 4097, 12301]


@pytest.mark.parametrize("dtype", DTYPES)
def test_masks_read_and_write(gpu, rng, dtype):
    for n in SIZES if dtype == "float32" else SIZES[-2:]:
        for share in (0.0, 0.3, 1.0):
            array = numbers(rng, n, dtype)
            mask = rng.random(n) < share
            x, m = gpu.asarray(array), gpu.asarray(mask)
            same(x[m], array[mask])
            values = numbers(rng, n, dtype)[: mask.sum()]
            expected = array.copy()
            expected[mask] = values
            x[m] = gpu.asarray(values)
            same(x, expected)
            expected[mask] = 1
            x[m] = 1
            same(x, expected)
            for found, positions in zip(gpu.nonzero(x), expected.nonzero(), strict=True):
                same(found, positions)


@pytest.mark.parametrize("shape", [(5,), (3, 0, 4), (40, 7), (4, 3, 9), (2, 1, 3, 1, 2)])
def test_nonzero(gpu, rng, shape):
    array = rng.integers(0, 3, shape).astype(np.float32)
    array[array == 1] = np.nan
    for found, positions in zip(gpu.nonzero(gpu.asarray(array)), array.nonzero(), strict=True):
        same(found, positions)


def layouts(array):
    """Views of a 3-d array in many layouts."""
    return [
        array, array.T, array[::-1, :, ::2], array[:, 1:, 1:], array.transpose(1, 0, 2)[:, ::-2],
        array[:1], array[:, :0],
    ]  # fmt: skip


def strided(gpu, array, k):
    """The tensor with the elements of ``layouts(array)[k]``, in that layout."""
    x = gpu.asarray(array)
    views = [
        lambda: x, lambda: gpu.permute_dims(x, (2, 1, 0)), lambda: x[::-1, :, ::2],
        lambda: x[:, 1:, 1:], lambda: gpu.permute_dims(x, (1, 0, 2))[:, ::-2], lambda: x[:1],
        lambda: x[:, :0],
    ]  # fmt: skip
    return views[k]()


@pytest.mark.parametrize("k", range(7))
def test_masks_of_any_layout(gpu, rng, k):
    array = rng.integers(0, 50, (6, 7, 8))
    flags = rng.random((6, 7, 8)) < 0.5
    view, mask = layouts(array)[k], layouts(flags)[k]
    x, m = strided(gpu, array, k), strided(gpu, flags, k)
    same(x[m], view[mask])
    view[mask] = -np.arange(mask.sum())
    x[m] = gpu.asarray(-np.arange(mask.sum()))
    same(x, view)
    view[mask] = 7
    x[m] = 7
    same(x, view)


def test_masks_over_the_first_axes(gpu, rng):
    array = rng.integers(0, 50, (5, 6, 4))
    for mask in (rng.random(5) < 0.5, rng.random((5, 6)) < 0.5):
        inner = array.shape[mask.ndim :]
        for values in (
            9, rng.integers(0, 9, inner[-1:]), rng.integers(0, 9, (1, *inner)),
            rng.integers(0, 9, (mask.sum(), *inner)),
        ):  # fmt: skip
            expected, x = array.copy(), gpu.asarray(array)
            same(x[gpu.asarray(mask)], array[mask])
            expected[mask] = values
            x[gpu.asarray(mask)] = on(gpu, values)
            same(x, expected)


@pytest.mark.parametrize(
    ("shape", "flags"),
    [((1,), (0,)), ((4,), (0,)), ((4, 3), (0,)), ((4, 3), (0, 3)), ((4, 3), (4, 0)),
     ((4, 3), (0, 0)), ((0, 3), (0, 0)), ((2, 4, 3), (0, 4))],
)  # fmt: skip
def test_masks_without_elements(gpu, rng, shape, flags):
    array, mask = numbers(rng, shape, "float32"), np.zeros(flags, bool)
    x, m = gpu.asarray(array), gpu.asarray(mask)
    same(x[m], array[mask])
    x[m] = 5
    x[m] = gpu.zeros((0, *shape[mask.ndim :]), dtype=gpu.float32)
    same(x, array)
    for rest in (0, slice(1, None), np.array([1])):
        if mask.ndim < len(shape):
            same(x[m, *on(gpu, (rest,))], array[mask, rest])
    with pytest.raises(IndexError):
        x[gpu.asarray(np.zeros((0, *flags, 0, 0), bool))]


def test_values_that_share_memory_are_read_first(gpu, rng):
    array = rng.integers(0, 50, 600)
    mask = rng.random(600) < 0.5
    x = gpu.asarray(array)
    expected = array.copy()
    expected[mask] = array[::-1][: mask.sum()]
    x[gpu.asarray(mask)] = x[::-1][: int(mask.sum())]
    same(x, expected)
    flags = mask.copy()
    flags[flags] = mask[::-1][: mask.sum()]
    m = gpu.asarray(mask)
    m[m] = m[::-1][: int(mask.sum())]
    same(m, flags)


def test_errors_of_masks(gpu):
    x = gpu.asarray(np.arange(6.0))
    mask = gpu.asarray(np.arange(6) % 2 == 0)
    with pytest.raises(ValueError, match=r"^setitem: 2 values .* 3 elements"):
        x[mask] = gpu.asarray(np.ones(2))
    with pytest.raises(ValueError, match=r"^setitem: "):
        x[mask] = gpu.asarray(np.ones((2, 3)))
    with pytest.raises(IndexError, match=r"^getitem: a mask of shape"):
        x[gpu.asarray(np.ones(5, bool))]
    with pytest.raises(IndexError, match="too many"):
        x[gpu.asarray(np.ones((6, 1), bool))]
    with pytest.raises(TypeError, match="complex"):
        x[mask] = 1j
    same(x, np.arange(6.0))


# ---- integer arrays

FEW = np.array([0, -1, 3, 3])
COLUMN = np.array([[1], [-2]])
KEYS = [
    (FEW,),
    (FEW.astype(np.uint8) % 4,),
    (FEW.astype(np.int32),),
    (slice(None), FEW),
    (slice(None), slice(None), FEW),
    (Ellipsis, FEW),
    (COLUMN, FEW),
    (slice(1, None), COLUMN, FEW),
    (FEW, slice(None), FEW),
    (slice(None), FEW, FEW),
    (2, slice(None), FEW),
    (2, FEW),
    (FEW, 2),
    (None, FEW, slice(1, 3)),
    (FEW, None, FEW),
    (FEW, Ellipsis, FEW),
    (FEW, 2, FEW),
    (slice(None, None, -2), FEW, slice(None, None, 3)),
    (FEW[:0],),
    (slice(None), FEW[:0]),
    (FEW.reshape(2, 2), FEW.reshape(2, 2).T),
]


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_integer_arrays(gpu, rng, key):
    array = rng.integers(0, 99, (5, 6, 7)).astype(np.float32)
    expected = array[key]
    x = gpu.asarray(array)
    same(x[on(gpu, key)], expected)
    values = rng.integers(100, 999, expected.shape).astype(np.float32)
    array[key] = values
    x[on(gpu, key)] = gpu.asarray(values)
    same(x, array)
    array[key] = -1.5
    x[on(gpu, key)] = -1.5
    same(x, array)
    if expected.ndim and expected.size:
        array[key] = values[..., -1:]
        x[on(gpu, key)] = gpu.asarray(values[..., -1:])
        same(x, array)


def test_masks_among_integers(gpu, rng):
    array = rng.integers(0, 99, (5, 6, 7))
    mask, rows = array[0] > 50, array[:, 0, 0] > 40
    for key in ((slice(None), mask), (rows, slice(None), np.array([1])), (2, mask), (rows, 1)):
        x = gpu.asarray(array)
        same(x[on(gpu, key)], array[key])
        expected = array.copy()
        expected[key] = -3
        x[on(gpu, key)] = -3
        same(x, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("inner", [(), (1,), (2,), (3,), (16,), (33,)])
def test_rows(gpu, rng, dtype, inner):
    # Rows are moved in the widest units that their sizes and places allow.
    array = numbers(rng, (50, *inner), dtype)
    indices = rng.integers(-50, 50, 2100 if not inner else 90)
    x = gpu.asarray(array)
    same(x[gpu.asarray(indices)], array[indices])
    same(gpu.take(x[1:], gpu.asarray(abs(indices) % 49), axis=0), array[1:][abs(indices) % 49])
    values = numbers(rng, (len(indices), *inner), dtype)
    x[gpu.asarray(indices)] = gpu.asarray(values)
    array[indices] = values  # of equal indices the last one wins
    same(x, array)


@pytest.mark.parametrize("inner", [(), (3,)])
def test_few_of_many_rows_are_written(gpu, rng, inner):
    # Which of equal indices wins is found in a table.
    array = numbers(rng, (3000, *inner), "int16")
    for n in (1, 2, 300):
        indices = rng.choice([0, -1, -3000, *rng.integers(0, 3000, 50)], n)
        values = rng.integers(-99, 0, (n, *inner)).astype("int16")
        x = gpu.asarray(array)
        x[gpu.asarray(indices)] = gpu.asarray(values)
        array[indices] = values
        same(x, array)


def test_lists_and_bools_index(gpu):
    array = np.arange(12.0).reshape(3, 4)
    x = gpu.asarray(array)
    same(x[[2, 0]], array[[2, 0]])
    same(x[[]], array[[]])
    same(x[True], array[True])
    same(x[False], array[False])
    x[[0, 1], [2, 3]] = 5
    array[[0, 1], [2, 3]] = 5
    same(x, array)


def test_indices_out_of_range(gpu):
    array = np.arange(12).reshape(3, 4)
    x = gpu.asarray(array)
    for key, message in [
        ((np.array([0, 3]),), "index 3 is out of bounds for axis 0 with size 3"),
        ((slice(None), np.array([1, -5])), "index -5 is out of bounds for axis 1 with size 4"),
        ((1, np.array([1, 4])), "index 4 is out of bounds for axis 1 with size 4"),
        ((np.array([0, 1]), np.array([0, 7])), "index 7 is out of bounds for axis 1 with size 4"),
        ((np.array([9]), slice(0, 0)), "index 9 is out of bounds for axis 0 with size 3"),
    ]:
        with pytest.raises(IndexError, match=message):
            x[on(gpu, key)]
        with pytest.raises(IndexError, match=message):
            x[on(gpu, key)] = 1
    same(x, array)  # nothing has been written
    with pytest.raises(IndexError, match="take: index 3 is out of bounds for axis 0"):
        gpu.take(x, gpu.asarray([0, 3]), axis=0)
    with pytest.raises(IndexError, match="take_along_axis: index 4 is out of bounds for axis 1"):
        gpu.take_along_axis(x, gpu.asarray([[4]]), axis=1)
    with pytest.raises(IndexError, match="cannot"):
        x[gpu.asarray([0, 1]), gpu.asarray([0, 1, 2])]
    with pytest.raises(IndexError, match="dtype"):
        x[gpu.asarray([0.5])]
    with pytest.raises(ValueError, match="cannot be broadcast"):
        x[gpu.asarray([0, 1])] = gpu.asarray([1, 2, 3])
    # What follows a bad index is not affected.
    same(x[gpu.asarray([1])], array[[1]])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_take(gpu, rng, axis):
    array = rng.integers(0, 99, (5, 6, 7)).astype(np.int16)
    x = gpu.asarray(array)
    for indices in (np.array([0, 2, -1, 4]), np.array([[1, 2], [3, -4]]), np.array([], int)):
        same(gpu.take(x, gpu.asarray(indices), axis=axis), np.take(array, indices, axis=axis))
    same(
        gpu.take(gpu.permute_dims(x, (2, 0, 1)), gpu.asarray([4, 0]), axis=axis),
        np.take(array.transpose(2, 0, 1), [4, 0], axis=axis),
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_take_along_axis(gpu, rng, dtype):
    array = numbers(rng, (5, 6, 7), dtype)
    x = gpu.asarray(array)
    for axis in (0, 1, -1):
        shape = [5, 6, 7]
        shape[axis] = 3
        indices = rng.integers(-5, 5, shape)
        for kind in (np.int64, np.int32, np.int8):
            same(
                gpu.take_along_axis(x, gpu.asarray(indices.astype(kind)), axis=axis),
                np.take_along_axis(array, indices, axis=axis),
            )
    same(
        gpu.take_along_axis(x, gpu.asarray([[[3]]]), axis=1),
        np.take_along_axis(array, np.array([[[3]]]), axis=1),
    )
