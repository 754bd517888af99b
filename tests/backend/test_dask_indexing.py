"""Indexing of Dask's arrays of tensors: as NumPy's, checked at the call, and random programs."""

import numpy as np
import pytest
from agreement import numbers
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, assert_same, random_array

import corepy.array_api as xp

da = pytest.importorskip("dask.array")

from small_chunks import in_chunks, small_chunks, there  # noqa: E402


@pytest.fixture(autouse=True)
def chunks_are_small():
    with small_chunks():
        yield


KEYS = [
    0, -1, ..., None, True, False, (), slice(None, None, -1), slice(5, 0, -2), slice(4, 4),
    (slice(None), slice(None, None, -2)), (0, slice(None, None, -1)), (..., 0),
    (None, 1, ..., None), [0, 2], [[0, 1], [2, -1]], (slice(None), [0, 1]),
    ([0, 1], slice(None), [1, 0]), (0, slice(None), [1, 0]), ([[0], [1]], [0, 1]),
    ([0, 1], None, [1, 0]), (0, None, [1, 0]), (slice(None), [2, 0, 0], [1, 0, 3]),
    ([0, 1], slice(None, None, -1), 1), (slice(None, None, -1), [1, 0], slice(None, None, -1)),
    (slice(1, None), [0, 1, 1], [1, 0, 2]), (..., [0, 1]), ([], 0), (True, 0), (False, 1),
    np.asarray([0, 2], dtype=np.uint8), (np.int16(1), np.asarray([1, 0], dtype=np.uint64)),
    (slice(None), np.asarray([True, False, True, True])), (1, np.asarray([True, False] * 2), 2),
    (slice(None), [0, 1], ..., [1, 0]), ([0, 1], ..., 2, [1, 0]), (0, ..., [1, 0]),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("dtype", ["float64", "uint16", "bool"])
def test_indices_are_as_in_numpy(key, dtype):
    array = numbers(dtype, 3, 4, 5)
    x = there.asarray(array)
    assert_same(x[key], array[key])
    value = numbers(dtype, *array[key].shape, seed=1)
    for written in (value, value.ravel()[:1], 1) if value.size else (value, 1):
        x[key] = there.asarray(written) if isinstance(written, np.ndarray) else written
        array[key] = written
        assert_same(x, array)


@pytest.mark.parametrize("shape", [(3,), (3, 4), (3, 4, 5), (0,), (3, 0), (0, 4)])
def test_masks(shape):
    array = numbers("int32", 3, 4, 5)
    mask = numbers("bool", *shape, seed=3)
    x, m = there.asarray(array), there.asarray(mask)
    if shape == array.shape[: len(shape)]:
        assert_same(x[m], array[mask])
        x[m] = 7
        array[mask] = 7
        assert_same(x, array)
        values = numbers("int32", *array[mask].shape, seed=5)
        x[m] = there.asarray(values)
        array[mask] = values
        assert_same(x, array)
        with pytest.raises(ValueError, match=r"^setitem: "):
            x[m] = there.asarray(numbers("int32", 77))
    else:  # an empty mask selects nothing
        assert_same(x[m], array[mask])


@pytest.mark.parametrize("shape", [(4,), (3, 3), (0, 7), (3, 4, 5, 0)])
def test_masks_that_do_not_fit(shape):
    x = there.asarray(numbers("int32", 3, 4, 5))
    with pytest.raises(IndexError, match=r"^getitem: "):
        x[there.asarray(numbers("bool", *shape, seed=3))]


def test_masks_of_later_axes():
    array, mask = numbers("float64", 7, 6, 5), numbers("bool", 6, 5, seed=2)
    x, m = there.asarray(array), there.asarray(mask)
    assert_same(x[:, m], array[:, mask])
    x[:, m] = -1
    array[:, mask] = -1
    assert_same(x, array)


@pytest.mark.parametrize(
    "key", [3, -4, (0, 4), [0, 3], [-4], (0, 0, 0), (..., ...), [True, False], [0.5], "a"], ids=repr
)
def test_indices_that_do_not_fit(key):
    array = numbers("float64", 3, 4)
    x = there.asarray(array)
    with pytest.raises(IndexError, match=r"^(getitem|take): "):
        x[key].to_device("cpu")
    with pytest.raises(IndexError):
        x[key] = 1.0
        x.to_device("cpu")
    y = there.asarray(array)
    assert_same(y, array)


def test_lazy_indices_are_checked_when_they_are_computed():
    x = in_chunks(np.arange(9.0), 2)
    index = there.astype(there.exp(in_chunks(np.arange(3.0), 2)), there.int64)
    assert_same(x[index], np.asarray([1.0, 2.0, 7.0]))
    with pytest.raises(IndexError, match=r"^getitem: an index is out of bounds"):
        x[index + 3].to_device("cpu")


def test_values_that_do_not_fit():
    x = there.asarray(numbers("float64", 3, 4))
    for key, value in ((0, [1.0, 2.0]), (slice(None), np.ones((2, 3, 4)))):
        with pytest.raises(ValueError, match=r"^setitem: .*shape"):
            x[key] = there.asarray(value)
    with pytest.raises(TypeError, match=r"^setitem: a complex value"):
        x[0] = 1j
    with pytest.raises(ValueError, match=r"^setitem: "):
        there.asarray([1, 2])[0] = float("nan")


def test_views_keep_their_elements():
    x = there.asarray(np.arange(6.0))
    view, same = x[1:], x
    x[2] = 9
    x += 1
    assert same is x and x.tolist() == [1, 2, 10, 4, 5, 6]
    assert view.tolist() == [1, 2, 3, 4, 5]


def test_an_index_on_another_device():
    with pytest.raises(ValueError, match=r"^getitem: operands are on different devices"):
        there.ones(3)[xp.asarray([0])]


@given(data=st.data())
def test_random_programs_agree_with_the_cpu(data):
    """Chains of indices, shapes, arithmetic, reductions and writes, on both devices."""
    dtype = data.draw(st.sampled_from(DTYPES))
    array = random_array(dtype, (6, 5), seed=data.draw(st.integers(0, 99)))
    pair = [xp.asarray(array.copy()), there.asarray(array)]
    for _ in range(data.draw(st.integers(1, 6))):
        step = data.draw(
            st.sampled_from("slice take flip add write sort T mask join roll flat total".split())
        )
        if pair[0].ndim == 0:
            break
        if step == "slice":
            key = slice(
                *(data.draw(st.none() | st.integers(-7, 7)) for _ in range(2)),
                data.draw(st.sampled_from([None, 1, 2, 3, -1, -2, -3])),
            )
            pair = [x[key] for x in pair]
        elif step == "take" and pair[0].shape[0]:
            index = data.draw(st.lists(st.integers(0, pair[0].shape[0] - 1), max_size=7))
            index = np.asarray(index, dtype=np.int64)
            pair = [x[xp.asarray(index, device=x.device)] for x in pair]
        elif step == "flip":
            pair = [xp.flip(x, axis=0) for x in pair]
        elif step == "add":
            pair = [x + x for x in pair]
        elif step == "write":
            for x in pair:
                x[..., 1::2] = 1
        elif step == "sort" and dtype.kind != "c":
            pair = [xp.sort(x, axis=0, descending=True) for x in pair]
        elif step == "T":
            pair = [x.mT if x.ndim >= 2 else x for x in pair]
        elif step == "mask":
            pair = [x[x != 0] for x in pair]
        elif step == "join":
            pair = [xp.concat([x, x[::-1]], axis=-1) for x in pair]
        elif step == "roll":
            shift = data.draw(st.integers(-5, 5))
            pair = [xp.roll(x, shift) for x in pair]
        elif step == "flat":
            pair = [xp.reshape(x, (-1,)) for x in pair]
        elif step == "total" and dtype.kind not in "fc":
            pair = [xp.sum(x, axis=-1) for x in pair]
        assert pair[0].shape == pair[1].shape and pair[0].dtype == pair[1].dtype
    assert_same(pair[1], np.asarray(pair[0]))
