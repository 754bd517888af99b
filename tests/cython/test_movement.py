"""Elements joined, rolled and repeated: many, large ones, and errors; see also tests/oracle."""

import itertools

import numpy as np
import pytest
from strategies import LAYOUTS, assert_same, with_layout

import corepy.array_api as xp
from corepy import Tensor


def numbers(shape, dtype="float64", layout="contiguous"):
    """Different elements in some layout."""
    count = int(np.prod(shape))
    return with_layout((np.arange(count) * 7 % 251).astype(dtype).reshape(shape), layout)


# ---- joining


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("count", [1, 2, 3, 16, 17, 100])
def test_joins_of_many(dtype, count):
    for shape in ((1,), (5,), (3, 4), (2, 1, 3), (3000,), (70, 50)):
        made = [numbers(shape, dtype) + np.asarray(k % 100, dtype=dtype) for k in range(count)]
        tensors = [Tensor(array) for array in made]
        for axis in range(len(shape)):
            assert_same(xp.concat(tensors, axis=axis), np.concatenate(made, axis=axis))
        for axis in range(len(shape) + 1):
            assert_same(xp.stack(tensors, axis=axis), np.stack(made, axis=axis))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_large_joins(layout):
    first, second = numbers((1000, 700), layout=layout), numbers((1000, 700), "int32", layout)
    for axis in (0, 1):
        for one, two in itertools.product((first, second), repeat=2):
            expected = np.concatenate([one, two], axis=axis)
            assert_same(xp.concat((Tensor(one), Tensor(two)), axis=axis), expected)
            expected = np.stack([one, two], axis=axis + 1)
            assert_same(xp.stack((Tensor(one), Tensor(two)), axis=axis + 1), expected)


def test_joins_past_the_caches():
    parts = [np.arange(1_800_001.0) + k for k in range(3)]  # 41 MiB, which end between lines
    assert_same(xp.concat([Tensor(p) for p in parts]), np.concatenate(parts))
    assert_same(
        xp.roll(Tensor(np.arange(4_000_003)), 1_234_567), np.roll(np.arange(4_000_003), 1_234_567)
    )


def test_joins_that_cannot_be():
    a, b = xp.zeros((2, 3)), xp.zeros((3, 2))
    for arguments, axis, error in (
        ((a, b), 0, ValueError), ((a, xp.zeros(3)), 0, ValueError), ((), 0, ValueError),
        ([a], 2, IndexError), ([xp.zeros(())], 0, IndexError), ([a], 0.5, TypeError),
    ):  # fmt: skip
        with pytest.raises(error, match=r"^concat: "):
            xp.concat(arguments, axis=axis)
    for arguments in (a, 5, None, "ab", {1: a}, (x for x in (a, b))):
        with pytest.raises(TypeError, match=r"^concat: .*tuple or list"):
            xp.concat(arguments)
    with pytest.raises(
        ValueError, match=r"^stack: .*\(2, 3\) at position 0 and \(3, 2\) at position 2"
    ):
        xp.stack((a, a, b))
    with pytest.raises(ValueError, match=r"^concat: .*except along axis 1, got"):
        xp.concat((a, b), axis=-1)
    for axis in (3, -4):
        with pytest.raises(IndexError, match=r"^stack: axis"):
            xp.stack((a, a), axis=axis)
    with pytest.raises(IndexError, match=r"^unstack: axis"):
        xp.unstack(xp.zeros(()))
    huge = xp.broadcast_to(xp.zeros(1), (2**58,))
    for count in (8, 16, 32, 64):
        for call in (xp.concat, xp.stack):
            with pytest.raises(ValueError, match="too big"):
                call([huge] * count)
    with pytest.raises(MemoryError):
        xp.concat([huge] * 2)
    with pytest.raises(ValueError, match="64 dimensions"):
        xp.stack([xp.zeros((1,) * 64)] * 2)
    assert_same(xp.concat((a, a)), np.zeros((4, 3)))


# ---- rolling


@pytest.mark.parametrize("shift", [2**70, -(2**70), 10**9, 13, -700])
def test_rolls_by_more_than_there_is(shift):
    array = numbers((3, 4), "int16")
    assert_same(xp.roll(Tensor(array), shift), np.roll(array, shift % 12))
    result = xp.roll(Tensor(array), (shift, 1, -shift), axis=(0, 1, 1))
    assert_same(result, np.roll(array, (shift % 3, 1, -shift % 4), axis=(0, 1, 1)))
    assert xp.roll(xp.zeros((0, 3)), (shift, shift), axis=(0, 1)).shape == (0, 3)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_large_rolls(layout):
    array = numbers((600, 700), "int16", layout)
    t = Tensor(array)
    for shift, axis in ((1, None), (-5, 0), (699, 1), ((3, -4), (0, 1)), (0, 1), (600, 0)):
        assert_same(xp.roll(t, shift, axis=axis), np.roll(array, shift, axis=axis))


def test_rolls_that_cannot_be():
    t = xp.zeros((2, 3))
    for shift, axis, error in (
        ((1, 2), (0, 1, 1), ValueError), (1, 2, IndexError), (1.5, None, TypeError),
        ("a", 0, TypeError), (1, 0.5, TypeError), (1, "a", TypeError),
    ):  # fmt: skip
        with pytest.raises(error, match=r"^roll: "):
            xp.roll(t, shift, axis=axis)
    assert_same(xp.roll(t, (), axis=()), np.zeros((2, 3)))
    assert_same(xp.roll(t, 1, axis=()), np.zeros((2, 3)))


# ---- repeating


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "int64", "complex128"])
def test_large_repeats(dtype):
    for shape, axis in (((30_000,), None), ((300, 200), 0), ((300, 200), 1), ((20, 30, 40), 1)):
        array = numbers(shape, dtype)
        t = Tensor(array)
        for count in (0, 1, 2, 3, 4, 5, 17):
            assert_same(xp.repeat(t, count, axis=axis), np.repeat(array, count, axis=axis))
        size = array.size if axis is None else shape[axis]
        for most, kind in ((1, "int64"), (3, "uint8"), (9, "uint64"), (5, "int8")):
            counts = (np.arange(size) * 13 % (most + 1)).astype(kind)
            expected = np.repeat(array, counts.astype("int64"), axis=axis)
            assert_same(xp.repeat(t, Tensor(counts), axis=axis), expected)


def test_repeats_of_one_count():
    array = np.arange(6).reshape(2, 3)
    for count in (Tensor(3), Tensor([3]), np.int8(3), [3], np.asarray([3], dtype="uint64")):
        assert_same(xp.repeat(Tensor(array), count), np.repeat(array, 3))
        assert_same(xp.repeat(Tensor(array), count, axis=1), np.repeat(array, 3, axis=1))


@pytest.mark.parametrize(
    ("repeats", "axis", "error"),
    [(-1, None, ValueError), ([1, -1, 2], 1, ValueError), ([1, 2], 1, ValueError),
     ([[1, 2, 3]], 1, ValueError), (1.5, None, TypeError), ([1.5, 1, 1], 1, TypeError),
     (2, 2, IndexError), (2**62, None, ValueError), (2**70, None, ValueError),
     ([2**62, 2**62, 5], 1, ValueError),
     (np.asarray([2**63, 1, 1], dtype="uint64"), 1, ValueError),
     ([2**63, 1, 1], 1, TypeError), (2**45, None, MemoryError),
     ([-1], None, ValueError), ("a", None, TypeError), (None, None, TypeError)],
    ids=str,
)  # fmt: skip
def test_repeats_that_cannot_be(repeats, axis, error):
    t = Tensor(np.arange(6.0).reshape(2, 3))
    with pytest.raises(error):
        xp.repeat(t, repeats, axis=axis)
    assert_same(xp.repeat(t, 2), np.repeat(np.arange(6.0), 2))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_large_tiles(layout):
    array = numbers((50, 30), "float32", layout)
    for counts in ((100,), (100, 1), (7, 1, 20), (1, 1, 1, 1), (33, 50), (2, 3, 5, 7)):
        assert_same(xp.tile(Tensor(array), counts), np.tile(array, counts))
    for size in (1, 3, 1000):  # short periods, many times
        assert_same(
            xp.tile(Tensor(array.ravel()[:size]), (5001,)), np.tile(array.ravel()[:size], 5001)
        )


def test_tiles_that_cannot_be():
    t = Tensor(np.arange(6.0).reshape(2, 3))
    for counts, error in (
        ((2**62,), ValueError), ((2**70, 0), ValueError), ((-1,), ValueError), ((1.5,), TypeError),
        ((2**32, 2**32), ValueError), ((2**45,), MemoryError), ("a", TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            xp.tile(t, counts)
    many = xp.zeros((1,) * 40 + (3,))
    assert xp.tile(many, (2,)).shape == (1,) * 40 + (6,)
    assert xp.tile(t, (1,) * 60 + (2, 2)).shape == (1,) * 60 + (4, 6)


# ---- copies


def test_a_tensor_is_itself_unless_it_is_copied():
    t = xp.ones(3)
    assert xp.astype(t, t.dtype, copy=False) is xp.asarray(t) is t
    for copy in (xp.asarray(t, copy=True), xp.astype(t, t.dtype), xp.reshape(t, (3,), copy=True)):
        assert not np.shares_memory(np.asarray(copy), np.asarray(t))


def test_read_only_sources():
    array = np.arange(12.0).reshape(3, 4)
    array.setflags(write=False)
    t = Tensor(array)
    for result in (
        xp.concat((t, t)), xp.stack((t, t)), xp.roll(t, 1), xp.roll(t, 1, axis=1), xp.repeat(t, 2),
        xp.tile(t, (2, 1)), xp.tril(t), xp.meshgrid(t[0, ...], t[1, ...])[0], xp.zeros_like(t),
        xp.full_like(t, 2.0),
    ):  # fmt: skip
        result += 1  # new memory, and writeable
    np.testing.assert_array_equal(array, np.arange(12.0).reshape(3, 4))


def test_results_do_not_depend_on_the_number_of_threads(numbers_of_threads):
    t = Tensor(numbers((700, 900)))
    made = [
        [xp.concat((t, t), axis=1), xp.stack((t, t), axis=-1), xp.tile(t, (2, 2)),
         xp.repeat(t, Tensor(np.arange(900) % 4), axis=1), xp.triu(t, k=3),
         xp.roll(t, (5, 9), axis=(0, 1))]
        for _n in numbers_of_threads()
    ]  # fmt: skip
    for others in made[1:]:
        for one, other in zip(made[0], others, strict=True):
            assert_same(other, np.asarray(one))


@pytest.mark.parametrize("count", [1000, 1023, 1024, 1025, 4096, 70_001])
@pytest.mark.parametrize("distance", [0, 1, 3, 8, 15, 16, 17, 4095, 4097])
def test_copies_to_addresses_near_those_of_the_input_modulo_a_page(count, distance):
    memory = np.arange(3 * (count + 8192), dtype="uint8")
    out = memory[distance : distance + count]
    # Memory of its own, memory that overlaps (when there are more bytes than that), the same.
    for start in (0, (count // 4096 + 1) * 4096 + 4096):
        expected, changed = memory.copy(), memory.copy()
        expected[start + distance :][:count] = memory[:count]
        Tensor(changed)[start + distance : start + distance + count] = Tensor(changed)[:count]
        assert np.array_equal(changed, expected)
        expected, changed = memory.copy(), memory.copy()
        expected[:count] = memory[start + distance :][:count]
        Tensor(changed)[:count] = Tensor(changed)[start + distance : start + distance + count]
        assert np.array_equal(changed, expected)
    assert np.array_equal(np.asarray(xp.roll(Tensor(out), distance)), np.roll(out, distance))
    assert np.array_equal(np.asarray(xp.tile(Tensor(out), (3,))), np.tile(out, 3))
