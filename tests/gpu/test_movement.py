"""Creation, indexing, movement and products of integers on the GPU, against the CPU's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from agreement import numbers
from strategies import DTYPE_NAMES, random_array

import corepy

DTYPES = ["bool", "int8", "uint16", "float32", "int64", "complex128"]  # one of each size, and bool


@pytest.fixture
def rng():
    return np.random.default_rng(7)


# ---- creation: the same bits, or the same errors


@pytest.mark.parametrize("dtype", [None, "bool", "int8", "int16", "int64", "uint64", "float32",
                                   "float64", "complex64", "complex128"])  # fmt: skip
def test_creation(agree, dtype):
    dtype = dtype and np.dtype(dtype)
    for arguments in [
        (0,), (1,), (2,), (3,), (1000,), (3, 1000, 7), (1000, 3, -7), (5, 5), (5, 3), (-0.0, 1),
        (0.0, 1.0, 0.1), (0.1, 50.3, 0.1), (1e10, 1e10 + 300, 0.3), (3, -3, -0.7), (1.5, 300),
        (-(2**63), 2**63 - 1, 2**60), (0.5, 7.0, 1.5),
    ]:  # fmt: skip
        agree("arange", *arguments, dtype=dtype)
    for arguments, endpoint in itertools.product([
        (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 50), (-3.7, 1e5, 999), (1e300, -1e300, 7),
        (0.0, 5e-324, 3), (2, 2, 5), (1, 0, 300), (1, 100, 12), (1 - 2j, 3.5j, 70),
    ], (True, False)):  # fmt: skip
        agree("linspace", *arguments, dtype=dtype, endpoint=endpoint)
    for rows, columns, k in [(3, 3, 0), (3, 5, 1), (5, 3, -2), (3, 3, 9), (3, 3, -9), (0, 3, 0),
                             (4, None, 0)]:  # fmt: skip
        agree("eye", rows, columns, k=k, dtype=dtype)
    for shape, value in itertools.product([(3, 4), (3, 0), (70,), ()], (0, 7, 1 + 2j)):
        agree("full", shape, value, dtype=dtype)
        agree("full_like", np.ones(shape, dtype or "float32"), value)
    agree("zeros", (3, 4), dtype=dtype)
    agree("ones", (3, 0), dtype=dtype)


# ---- indices


def read_and_write(xp, x, key, value, one=1):
    """Read elements, write some, then a number to all of them."""
    found = x[key]
    x[key] = value
    after = +x if x.dtype != bool else x | False
    x[key] = one
    return found, after


# Around what a thread, a block in one turn, and a chunk take.
LENGTHS = [0, 1, 3, 4, 15, 16, 17, 1023, 4095, 4096, 4097, 12301]


@pytest.mark.parametrize("dtype", DTYPES)
def test_masks(agree_at_once, rng, dtype):
    for n in LENGTHS if dtype == "float32" else LENGTHS[-2:]:
        for share in (0.0, 0.3, 1.0):
            x, mask = numbers(dtype, n), rng.random(n) < share
            agree_at_once(read_and_write, x, mask, numbers(dtype, int(mask.sum()), seed=1))
            agree_at_once("nonzero", np.where(mask, x, 0).astype(dtype))


VIEWS = [
    lambda x: x, lambda x: corepy.permute_dims(x, (2, 1, 0)), lambda x: x[::-1, :, ::2],
    lambda x: x[:, 1:, 1:], lambda x: corepy.permute_dims(x, (1, 0, 2))[:, ::-2], lambda x: x[:1],
    lambda x: x[:, :0],
]  # fmt: skip


def test_masks_of_any_layout(agree_at_once, rng):
    """Of the array's shape, or of its first axes; values of every shape that fits."""
    x, flags = numbers("int64", 6, 7, 8, limit=50), rng.random((6, 7, 8)) < 0.5
    for view in VIEWS:
        count = int(corepy.count_nonzero(view(corepy.asarray(flags))))
        call = lambda xp, x, m, value, v=view: read_and_write(xp, v(x), v(m), value)
        agree_at_once(call, x, flags, -np.arange(count))
    for mask in (flags[:, 0, 0], flags[:, :, 0]):
        inner = x.shape[mask.ndim :]
        for shape in (inner[-1:], (1, *inner), (int(mask.sum()), *inner)):
            agree_at_once(read_and_write, x, mask, numbers("int64", *shape), one=9)
    for shape in [(5,), (3, 0, 4), (40, 7), (4, 3, 9), (2, 1, 3, 1, 2)]:
        values = numbers("float32", *shape, limit=3)
        agree_at_once("nonzero", np.where(values == 1, np.nan, values))


@pytest.mark.parametrize(("shape", "flags"), [
    ((1,), (0,)), ((4,), (0,)), ((4, 3), (0,)), ((4, 3), (0, 3)), ((4, 3), (4, 0)),
    ((4, 3), (0, 0)), ((0, 3), (0, 0)), ((2, 4, 3), (0, 4)),
])  # fmt: skip
def test_masks_without_elements(agree_at_once, shape, flags):
    x, mask = numbers("float32", *shape), np.zeros(flags, bool)
    nothing = np.zeros((0, *shape[mask.ndim :]), "float32")
    agree_at_once(read_and_write, x, mask, nothing)
    for rest in (0, slice(1, None), np.array([1])):
        agree_at_once(lambda xp, x, m, rest: x[m, rest], x, mask, rest)
    agree_at_once(lambda xp, x, m: x[m], x, np.zeros((0, *flags, 0, 0), bool))


def test_values_that_share_memory_are_read_first(agree_at_once, rng):
    def write(xp, x, m):
        x[m] = x[::-1][: int(xp.count_nonzero(m))]
        m[m] = m[::-1][: int(xp.count_nonzero(m))]

    agree_at_once(write, numbers("int64", 600), rng.random(600) < 0.5)


def test_errors_of_masks(gpu, agree_at_once):
    x, mask = np.arange(6.0), np.arange(6) % 2 == 0
    for key, value in [
        (mask, np.ones(2)), (np.ones(5, bool), 1), (np.ones((6, 1), bool), 1), (mask, 1j),
    ]:  # fmt: skip
        agree_at_once(read_and_write, x, key, value)
    with pytest.raises(ValueError, match=r"^setitem: a value of shape \(2, 3\)"):
        read_and_write(None, gpu.asarray(x), gpu.asarray(mask), gpu.asarray(np.ones((2, 3))))


FEW = np.array([0, -1, 3, 3])
COLUMN = np.array([[1], [-2]])
ALL = slice(None)
KEYS = [
    (FEW,), (FEW.astype(np.uint8) % 4,), (FEW.astype(np.int32),), (ALL, FEW), (ALL, ALL, FEW),
    (Ellipsis, FEW), (COLUMN, FEW), (slice(1, None), COLUMN, FEW), (FEW, ALL, FEW),
    (ALL, FEW, FEW), (2, ALL, FEW), (2, FEW), (FEW, 2), (None, FEW, slice(1, 3)),
    (FEW, None, FEW), (FEW, Ellipsis, FEW), (FEW, 2, FEW),
    (slice(None, None, -2), FEW, slice(None, None, 3)), (FEW[:0],), (ALL, FEW[:0]),
    (FEW.reshape(2, 2), FEW.reshape(2, 2).T),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_integer_arrays(agree_at_once, key):
    x = numbers("float32", 5, 6, 7)
    value = numbers("float32", *x[key].shape, seed=1) + 100
    agree_at_once(read_and_write, x, key, value, one=-1.5)
    if value.ndim and value.size:
        agree_at_once(read_and_write, x, key, value[..., -1:])


ONE = np.array(1)


@pytest.mark.parametrize("key", [
    (ONE,), (ALL, ONE), (ONE, slice(2, 4)), (-ONE, 0, Ellipsis), (ONE, ONE.astype(np.uint8), -2),
])  # fmt: skip
def test_integers_of_the_device(agree_at_once, key):
    x = numbers("float32", 5, 6, 7)
    agree_at_once(read_and_write, x, key, numbers("float32", *x[key].shape, seed=1))


def test_masks_among_integers_lists_and_bools(agree_at_once):
    x = numbers("int64", 5, 6, 7)
    mask, rows = x[0] > 50, x[:, 0, 0] > 40
    for key in [
        (ALL, mask), (rows, ALL, np.array([1])), (2, mask), (rows, 1), [2, 0], [], True, False,
        ([0, 1], [2, 3]),
    ]:  # fmt: skip
        agree_at_once(read_and_write, x, key, -3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("inner", [(), (1,), (2,), (3,), (16,), (33,)])
def test_rows(agree_at_once, rng, dtype, inner):
    # Rows are moved in the widest units that their sizes and places allow.
    x, indices = numbers(dtype, 50, *inner), rng.integers(-50, 50, 90 if inner else 2100)
    # Of equal indices the last one wins.
    agree_at_once(read_and_write, x, indices, numbers(dtype, len(indices), *inner, seed=1))
    agree_at_once(lambda xp, x, i: xp.take(x[1:], i, axis=0), x, abs(indices) % 49)


@pytest.mark.parametrize("inner", [(), (3,)])
def test_few_of_many_rows_are_written(agree_at_once, rng, inner):
    # Which of equal indices wins is found in a table.
    x = numbers("int16", 3000, *inner)
    for n in (1, 2, 300):
        indices = rng.choice([0, -1, -3000, *rng.integers(0, 3000, 50)], n)
        agree_at_once(read_and_write, x, indices, -numbers("int16", n, *inner, seed=1))


def test_indices_out_of_range(agree_at_once):
    """Nothing is written then."""
    x = np.arange(12).reshape(3, 4)
    for key in [
        np.array([0, 3]), (ALL, np.array([1, -5])), (1, np.array([1, 4])),
        (np.array([0, 1]), np.array([0, 7])), (np.array([9]), slice(0, 0)), np.array([0.5]),
        (np.array([0, 1]), np.array([0, 1, 2])),
    ]:  # fmt: skip
        agree_at_once(lambda xp, x, key: x[key], x, key)
        agree_at_once(read_and_write, x, key, 1)
    agree_at_once(read_and_write, x, np.array([0, 1]), np.array([1, 2, 3]))
    agree_at_once("take", x, np.array([0, 3]), axis=0)
    agree_at_once("take_along_axis", x, np.array([[4]]), axis=1)
    agree_at_once(lambda xp, x: x[xp.asarray([1])], x)  # not affected by what came before


@pytest.mark.parametrize("dtype", DTYPES)
def test_take(agree_at_once, rng, dtype):
    x = numbers(dtype, 5, 6, 7)
    for axis in (0, 1, 2, -1):
        for indices in (np.array([0, 2, -1, 4]), np.array([[1, 2], [3, -4]]), np.array([], int)):
            agree_at_once("take", x, indices, axis=axis)
        turned = lambda x: corepy.permute_dims(x, (2, 0, 1)) if x.ndim == 3 else x
        agree_at_once("take", x, np.array([4, 0]), axis=axis, view=turned)
        shape = list(x.shape)
        shape[axis] = 3
        for kind in (np.int64, np.int32, np.int8):
            indices = rng.integers(-5, 5, shape).astype(kind)
            agree_at_once("take_along_axis", x, indices, axis=axis)
    agree_at_once("take_along_axis", x, np.array([[[3]]]), axis=1)


# ---- copies that are transposed: around the sides of tiles, 32 and 64


@pytest.mark.parametrize("dtype", DTYPES)
def test_transposed_copies(agree, dtype):
    for shape in [(16, 64), (32, 32), (33, 65), (15, 200), (130, 31), (64, 129)]:
        x = numbers(dtype, *shape)
        agree("asarray", x, copy=True, view=lambda x: x.T)
        agree("reshape", x, (-1,), view=lambda x: x.T)
        agree("reshape", x, (-1,), view=lambda x: x[:, ::-1].T)
    for target in ("bool", "float64", "complex64"):
        if dtype != "complex128" or target != "float64":
            agree("astype", numbers(dtype, 70, 130), np.dtype(target), view=lambda x: x.T)


def test_permuted_copies(agree):
    for axes in itertools.permutations(range(3)):
        view = lambda x, axes=axes: corepy.permute_dims(x, axes)
        agree("reshape", numbers("float32", 18, 35, 20), (-1,), view=view)
    view = lambda x: corepy.permute_dims(x, (5, 2, 0, 3, 4, 1))
    agree("reshape", numbers("int64", 2, 18, 1, 17, 3, 20), (-1,), view=view)


def test_transposed_assignment(agree):
    def write(xp, x, y):
        x[...] = y.T
        x[:, 1:41] = x[:, :40].T  # what is written is read first
        y.T[...] = x[0]  # broadcast

    agree(write, numbers("int64", 40, 50), numbers("int64", 50, 40, seed=1))


# ---- joins, parts, repetitions


def test_joins(agree):
    arrays = [numbers("int16", 4, 5, 6, seed=k) for k in range(3)]
    for axis in (0, 1, -1, None):
        agree("concat", arrays, axis=axis)
        agree("concat", arrays, axis=axis, view=lambda x: x[:, ::-1])
        agree(lambda xp, x, y, a=axis: xp.concat((x, y[:0]), axis=a), *arrays[:2])
    for axis in (0, 1, 2, -1, 5):
        agree("stack", arrays, axis=axis)
        agree("stack", arrays, axis=axis, view=lambda x: corepy.permute_dims(x, (2, 1, 0)))
    few, other = np.arange(3, dtype="int8"), np.arange(2, dtype="float32")
    for join in ([few, other], [few[:0]], [few] * 40, [np.ones((2, 2)), np.ones((2, 3))]):
        agree("concat", join)
    agree("stack", [few] * 40)
    for indexing in ("xy", "ij"):
        agree("meshgrid", few, other, indexing=indexing)


LAID = [lambda x: x, lambda x: corepy.permute_dims(x, (1, 0, 2)), lambda x: x[:0]]


@pytest.mark.parametrize("view", LAID)
def test_parts_and_repetitions(agree, view):
    x = numbers("int16", 4, 5, 6)
    for shift, axis in [(2, None), (-101, None), (3, 0), (-1, 1), ((1, 2), (0, 2)),
                        ((1, 1), (1, 1)), (0, 0)]:  # fmt: skip
        agree("roll", x, shift, axis=axis, view=view)
    for axis, repeats in itertools.product((None, 0, 1), (0, 1, 3)):
        agree("repeat", x, repeats, axis=axis, view=view)
        agree("flip", x, axis=axis, view=view)
    for repetitions in [(), (2,), (2, 3), (1, 1), (2, 1, 3), (0, 2), (3, 2, 1, 2)]:
        agree("tile", x, repetitions, view=view)


@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_repeat_by_counts(agree_at_once, dtype):
    x, counts = numbers("int16", 6, 5), np.array([2, 0, 1, 3, 0, 1], dtype)
    for axis, some in [(0, counts), (1, counts[:5]), (None, counts[:1]), (None, counts[1:2]),
                       (0, counts[:3])]:  # fmt: skip
        agree_at_once("repeat", x, some, axis=axis)
    agree_at_once("repeat", x[:0], counts[:0], axis=0)
    agree_at_once("repeat", x, np.array([1, 1, -1, 1, 1, 1]), axis=0)


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_triangles(agree, name):
    for dtype in ("bool", "int16", "float64", "complex128"):
        for shape in [(5, 7), (7, 5), (3, 4, 4), (0, 3), (3, 0), (40, 30)]:
            for k in (0, 1, -2, 100, -100):
                agree(name, numbers(dtype, *shape), k=k)
            agree(name, numbers(dtype, *shape), view=corepy.matrix_transpose)


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "complex" not in name])
def test_sort(agree_at_once, dtype):
    """NaNs of either sign are last; equal zeros keep their order."""
    x = numbers(dtype, 6, 7, limit=9)
    if x.dtype.kind == "f":
        x[x == 3] *= -1
        x[1, :4], x[3, 2:6] = np.nan, -np.nan
        x[0, ::2], x[2, 1::2], x[4, 4] = -0.0, 0.0, -np.inf
    for axis, descending in itertools.product((0, 1, -1), (False, True)):
        for view in (None, lambda x: x.T, lambda x: x[::-1, ::2], lambda x: x[:0]):
            agree_at_once("sort", x, axis=axis, descending=descending, view=view)
    agree_at_once("sort", numbers(dtype))
    agree_at_once("sort", x, axis=2)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64"])
def test_searchsorted(agree_at_once, rng, dtype):
    agree = agree_at_once
    for side, n in itertools.product(("left", "right"), (0, 1, 2, 100, 257)):
        table, wanted = np.sort(numbers(dtype, n, limit=60)), numbers(dtype, 30, 3, limit=64)
        if table.dtype.kind == "f":
            table[n - n // 5 :] = np.nan
            wanted[::4, 0] = np.nan
            wanted[1, :] = [np.inf, -np.inf, -0.0]
        agree("searchsorted", table, wanted, side=side)
        agree(lambda xp, x, w, side=side: xp.searchsorted(x, w.T, side=side), table, wanted)
        values = rng.random(100).astype(np.float32)
        agree("searchsorted", values, rng.permutation(values), sorter=np.argsort(values), side=side)


# ---- products of integers, of the whole range, so that sums of products wrap around


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "int" in name])
def test_matmul_wraps_around(agree, dtype):
    for rows, terms, columns in [(5, 3, 4), (64, 16, 64), (65, 33, 67), (130, 20, 129)]:
        agree("matmul", random_array(dtype, (rows, terms)), random_array(dtype, (terms, columns)))


@pytest.mark.parametrize("dtype", ["int16", "int64"])
def test_matmul_of_shapes(agree, dtype):
    for left, right in [
        ((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((1, 40), (40, 70)), ((70, 40), (40, 1)),
        ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (6, 3, 4)),
        ((2, 3), (5, 3, 4)), ((3,), (5, 3, 4)), ((5, 2, 3), (3,)), ((5, 2, 3), (5, 3, 1)),
        ((0, 3), (3, 4)), ((2, 0), (0, 4)), ((0,), (0,)), ((2, 0), (0,)), ((3, 0, 2), (2, 5)),
        ((2, 3000), (3000, 2)), ((9000,), (9000,)), ((1500,), (1500, 40)), ((2, 3), (2, 3)),
        ((2, 4, 3), (5, 3, 2)),
    ]:  # fmt: skip
        agree("matmul", random_array(dtype, left), random_array(dtype, right, 1))


def test_matmul_of_layouts_and_dtypes(agree):
    x, y = random_array("int32", (34, 70)), random_array("int32", (34, 70), 1)
    for call in (
        lambda xp, x, y: x @ y.T, lambda xp, x, y: x.T @ y, lambda xp, x, y: x.T @ y[:, 0],
        lambda xp, x, y: x[::-1, ::2] @ y[:, 1::2].T, lambda xp, x, y: x[:, 0] @ y,
        lambda xp, x, y: xp.broadcast_to(x[:1], (34, 70)) @ y.T,
    ):  # fmt: skip
        agree(call, x, y)
    for first, second in [("uint8", "int16"), ("bool", "int8"), ("float64", "float64")]:
        agree("matmul", random_array(first, (4, 5)), random_array(second, (5, 6)), ulp=16)


@pytest.mark.parametrize("dtype", ["uint8", "int64"])
def test_vecdot_and_tensordot(agree, dtype):
    for left, right in [((7, 5), (7, 5)), ((40, 3, 5), (3, 5)), ((3, 0), (3, 0)),
                        ((2, 900), (2, 900)), ((4000,), (4000,))]:  # fmt: skip
        for axis in (-1, -2):
            agree("vecdot", random_array(dtype, left), random_array(dtype, right, 1), axis=axis)
    agree(lambda xp, x: xp.vecdot(x, x[::-1]), random_array(dtype, (4000,)))
    x, y = random_array(dtype, (3, 4, 5)), random_array(dtype, (4, 3, 6), 1)
    for axes in (((0, 1), (1, 0)), ((1,), (0,)), 0):
        agree("tensordot", x, y, axes=axes)
    agree("tensordot", x, x, axes=3)
