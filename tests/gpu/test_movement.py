"""Elements moved on the GPU, against NumPy: transposed copies, joins, repetitions, searches."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

DTYPES = ["bool", "int8", "uint16", "float32", "int64", "complex128"]  # one of each size, and bool


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def same(x, expected):
    result = np.asarray(x.to_device("cpu"))
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


def numbers(rng, shape, dtype):
    return rng.integers(0, 2 if dtype == "bool" else 100, shape).astype(dtype)


# ---- transposed copies: around the sides of tiles, 32 and 64


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(16, 64), (32, 32), (33, 65), (15, 200), (130, 31), (64, 129)])
def test_transposed_copies(gpu, rng, dtype, shape):
    array = numbers(rng, shape, dtype)
    x = gpu.asarray(array)
    same(gpu.asarray(x.T, copy=True), array.T)
    same(gpu.reshape(x.T, (-1,)), array.T.reshape(-1))
    same(gpu.reshape(x[:, ::-1].T, (-1,)), array[:, ::-1].T.reshape(-1))


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_permuted_copies(gpu, rng, axes):
    array = numbers(rng, (18, 35, 20), "float32")
    x = gpu.asarray(array)
    same(gpu.reshape(gpu.permute_dims(x, axes), (-1,)), array.transpose(axes).reshape(-1))
    many = numbers(rng, (2, 18, 1, 17, 3, 20), "int64")
    y = gpu.asarray(many)
    same(
        gpu.reshape(gpu.permute_dims(y, (5, 2, 0, 3, 4, 1)), (-1,)),
        many.transpose(5, 2, 0, 3, 4, 1).reshape(-1),
    )


@pytest.mark.parametrize(
    ("source", "target"), [("float32", "float64"), ("int16", "bool"), ("bool", "complex64")]
)
def test_transposed_casts(gpu, rng, source, target):
    array = numbers(rng, (70, 130), source)
    same(gpu.astype(gpu.asarray(array).T, getattr(gpu, target)), array.T.astype(target))


def test_transposed_assignment(gpu, rng):
    array, other = numbers(rng, (40, 50), "int64"), numbers(rng, (50, 40), "int64")
    x = gpu.asarray(array)
    x[...] = gpu.asarray(other).T
    same(x, other.T)
    x[:, 1:41] = x[:, :40].T  # what is written is read first
    expected = other.T.copy()
    expected[:, 1:41] = other.T[:, :40].T
    same(x, expected)
    y = gpu.asarray(other)
    y.T[...] = gpu.asarray(array[0])  # broadcast
    same(y, np.broadcast_to(array[0], (40, 50)).T)


# ---- joins


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_concat(gpu, rng, axis):
    arrays = [numbers(rng, (4, 5, 6), "int16") for _ in range(3)]
    tensors = [gpu.asarray(array) for array in arrays]
    same(gpu.concat(tensors, axis=axis), np.concatenate(arrays, axis=axis))
    odd = [arrays[0][:, ::-1], arrays[1][:0] if axis == 0 else arrays[1]]
    tensors = [tensors[0][:, ::-1], tensors[1][:0] if axis == 0 else tensors[1]]
    same(gpu.concat(tensors, axis=axis), np.concatenate(odd, axis=axis))


def test_concat_promotes(gpu):
    a, b = np.arange(3, dtype="int8"), np.arange(2, dtype="float32")
    same(gpu.concat([gpu.asarray(a), gpu.asarray(b)]), np.concatenate([a, b]))
    same(gpu.concat([gpu.asarray(a)[:0]]), a[:0])
    same(gpu.concat([gpu.asarray(a)] * 40), np.concatenate([a] * 40))
    same(gpu.stack([gpu.asarray(a)] * 40), np.stack([a] * 40))
    with pytest.raises(ValueError, match="concat: arrays must have the same shape"):
        gpu.concat([gpu.asarray(np.ones((2, 2))), gpu.asarray(np.ones((2, 3)))], axis=0)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_stack(gpu, rng, axis):
    arrays = [numbers(rng, (4, 5), "float32") for _ in range(3)]
    same(gpu.stack([gpu.asarray(a) for a in arrays], axis=axis), np.stack(arrays, axis=axis))
    same(gpu.stack([gpu.asarray(a).T for a in arrays], axis=axis),
         np.stack([a.T for a in arrays], axis=axis))  # fmt: skip


# ---- parts and repetitions


@pytest.mark.parametrize(
    ("shift", "axis"),
    [(2, None), (-101, None), (3, 0), (-1, 1), ((1, 2), (0, 2)), ((1, 1), (1, 1)), (0, 0)],
)
def test_roll(gpu, rng, shift, axis):
    array = numbers(rng, (4, 5, 6), "int16")
    x = gpu.asarray(array)
    same(gpu.roll(x, shift, axis=axis), np.roll(array, shift, axis=axis))
    same(gpu.roll(gpu.permute_dims(x, (1, 0, 2)), shift, axis=axis),
         np.roll(array.transpose(1, 0, 2), shift, axis=axis))  # fmt: skip
    same(gpu.roll(x[:0], shift, axis=axis), np.roll(array[:0], shift, axis=axis))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("repeats", [0, 1, 3])
def test_repeat(gpu, rng, axis, repeats):
    array = numbers(rng, (4, 5), "float32")
    same(gpu.repeat(gpu.asarray(array), repeats, axis=axis), np.repeat(array, repeats, axis=axis))
    same(gpu.repeat(gpu.asarray(array).T, repeats, axis=axis),
         np.repeat(array.T, repeats, axis=axis))  # fmt: skip


@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_repeat_by_counts(gpu, rng, dtype):
    array, counts = numbers(rng, (6, 5), "int16"), np.array([2, 0, 1, 3, 0, 1], dtype)
    x, c = gpu.asarray(array), gpu.asarray(counts)
    same(gpu.repeat(x, c, axis=0), np.repeat(array, counts, axis=0))
    same(gpu.repeat(x, c[:5], axis=1), np.repeat(array, counts[:5], axis=1))
    same(gpu.repeat(x, c[:1]), np.repeat(array, counts[:1]))
    same(gpu.repeat(x, c[1:2]), np.repeat(array, 0))
    same(gpu.repeat(x[:0], c[:0], axis=0), np.repeat(array[:0], counts[:0], axis=0))
    with pytest.raises(
        ValueError, match="repeat: each entry of repeats must be at least 0, got -1"
    ):
        gpu.repeat(x, gpu.asarray([1, 1, -1, 1, 1, 1]), axis=0)


@pytest.mark.parametrize("repetitions", [(), (2,), (2, 3), (1, 1), (2, 1, 3), (0, 2), (3, 2, 1, 2)])
def test_tile(gpu, rng, repetitions):
    array = numbers(rng, (4, 5), "float32")
    same(gpu.tile(gpu.asarray(array), repetitions), np.tile(array, repetitions))
    same(gpu.tile(gpu.asarray(array).T, repetitions), np.tile(array.T, repetitions))


def test_flip_and_meshgrid(gpu, rng):
    array = numbers(rng, (4, 5, 6), "int16")
    same(gpu.flip(gpu.asarray(array)), np.flip(array))
    same(gpu.flip(gpu.asarray(array), axis=1), np.flip(array, axis=1))
    for grid, expected in zip(
        gpu.meshgrid(gpu.asarray(array[0, 0]), gpu.asarray(array[0, :, 0])),
        np.meshgrid(array[0, 0], array[0, :, 0]),
        strict=True,
    ):
        same(grid, expected)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(5, 7), (7, 5), (3, 4, 4), (0, 3), (3, 0), (40, 30)])
def test_triangles(gpu, rng, dtype, shape):
    array = numbers(rng, shape, dtype)
    x = gpu.asarray(array)
    for k in (0, 1, -2, 100, -100):
        same(gpu.tril(x, k=k), np.tril(array, k))
        same(gpu.triu(x, k=k), np.triu(array, k))
    same(gpu.tril(gpu.matrix_transpose(x)), np.tril(np.swapaxes(array, -1, -2)))


# ---- searches


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(gpu, rng, dtype, side):
    for n in (0, 1, 2, 100, 257):
        table = np.sort(rng.integers(0, 60, n).astype(dtype))
        wanted = rng.integers(0, 64, (30, 3)).astype(dtype)
        if table.dtype.kind == "f":
            table[n - n // 5 :] = np.nan
            wanted[::4, 0] = np.nan
            wanted[1, :] = [np.inf, -np.inf, -0.0]
        x, w = gpu.asarray(table), gpu.asarray(wanted)
        same(gpu.searchsorted(x, w, side=side), np.searchsorted(table, wanted, side=side))
        same(gpu.searchsorted(x, w.T, side=side), np.searchsorted(table, wanted.T, side=side))
    order = rng.permutation(100)
    values = rng.random(100).astype(np.float32)
    sorter = np.argsort(values)
    same(
        gpu.searchsorted(gpu.asarray(values), gpu.asarray(values[order]),
                         sorter=gpu.asarray(sorter), side=side),
        np.searchsorted(values, values[order], sorter=sorter, side=side),
    )  # fmt: skip
