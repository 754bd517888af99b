"""Reading and writing through an index, against NumPy."""

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPE_NAMES, DTYPES, arrays, assert_same, shapes

import corepy
import corepy.array_api as xp
from corepy import Tensor


def as_tensors(key, device="cpu"):
    """An index with tensors in place of ndarrays."""
    if isinstance(key, np.ndarray):
        return Tensor(key, device=device)
    if isinstance(key, tuple):
        return tuple(as_tensors(item, device) for item in key)
    return key


@st.composite
def basic_keys(draw, shape):
    return draw(hnp.basic_indices(shape, min_dims=0, allow_newaxis=True, allow_ellipsis=True))


@st.composite
def integer_arrays(draw, size):
    """Index arrays for an axis of `size`, negative indices among them."""
    shape = draw(shapes(max_dims=2, max_side=3) if size else st.just((0,)))
    dtype = draw(st.sampled_from(["int8", "int64", "uint8", "int32"]))
    least = 0 if dtype[0] == "u" else -size
    items = st.integers(least, max(size - 1, least))
    return draw(hnp.arrays(dtype, shape, elements=items if size else None))


@st.composite
def advanced_keys(draw, shape):
    """Integer arrays and masks among integers, slices, newaxis and ellipsis."""
    if not shape or draw(st.integers(0, 3)) == 0:
        ndim = draw(st.integers(0, len(shape)))
        mask = draw(hnp.arrays(bool, shape[:ndim]))
        if ndim < len(shape) and draw(st.booleans()):
            return (mask, draw(hnp.basic_indices(shape[ndim : ndim + 1], allow_ellipsis=False)))
        return mask
    items = []
    common = draw(st.sampled_from([(2,), (1,), (3, 2), (), (0,)]))
    for size in shape[: draw(st.integers(1, len(shape)))]:
        kind = draw(st.sampled_from(["array", "array", "mask", "slice", "integer", "newaxis"]))
        if kind == "array" and size:
            narrow = [draw(st.sampled_from([n, 1])) for n in common]
            narrow = narrow[draw(st.integers(0, len(narrow))) :]
            dtype = draw(st.sampled_from(["int64", "int32", "uint8"]))
            within = st.integers(0 if dtype == "uint8" else -size, size - 1)
            items.append(draw(hnp.arrays(dtype, tuple(narrow), elements=within)))
        elif kind == "mask":
            items.append(draw(hnp.arrays(bool, size)))
        elif kind == "integer" and size:
            items.append(draw(st.integers(-size, size - 1)))
        else:
            items.extend([None] if kind == "newaxis" else [])
            items.append(draw(st.slices(size)))
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), ...)
    if draw(st.integers(0, 3)) == 0:  # bools without axes add an axis
        position = draw(st.integers(0, len(items)))
        items.insert(position, draw(st.sampled_from([True, False, np.True_, np.array(True)])))
    return tuple(items)


def outcome(function):
    """What a function returns, or the kind of its error."""
    try:
        return np.asarray(function()), None
    except IndexError:
        return None, IndexError


DEVICES = pytest.mark.parametrize("device", [str(found) for found in corepy.available_devices()])


@DEVICES
@given(data=st.data())
def test_reading_basic(device, data):
    array = data.draw(arrays())
    key = data.draw(basic_keys(array.shape))
    result = Tensor(array, device=device)[key]
    assert result.device == device
    assert_same(result, array[key])
    if device == "cpu" and isinstance(array[key], np.ndarray) and array[key].size:
        assert np.shares_memory(np.asarray(result), array)


@DEVICES
@given(data=st.data())
def test_reading_advanced(device, data):
    array = data.draw(arrays())
    key = data.draw(advanced_keys(array.shape))
    expected, error = outcome(lambda: array[key])
    x = Tensor(array, device=device)
    if error:
        with pytest.raises(error, match=r"^getitem: "):
            x[as_tensors(key, device)]
        return
    assert_same(x[as_tensors(key, device)], expected)
    if device == "cpu":
        assert_same(x[key], expected)  # ndarrays are good for an index, too


@given(data=st.data())
def test_one_integer_array(data):
    array = data.draw(arrays(shape=data.draw(shapes(min_dims=1, min_side=1))))
    key = data.draw(integer_arrays(array.shape[0]))
    assert_same(Tensor(array)[Tensor(key)], array[key])
    if key.ndim:
        nested = key.tolist()
        expected, error = outcome(lambda: array[nested])
        if not error:
            assert_same(Tensor(array)[nested], expected)


@st.composite
def values_for(draw, dtype, shape):
    """Something that can be written into `shape`: broadcast, of another dtype, or a scalar."""
    kinds = {"b": "b", "u": "bu", "i": "bui", "f": "buif", "c": "buifc"}[np.dtype(dtype).kind]
    if draw(st.booleans()):
        scalars = {"b": st.booleans(), "u": st.integers(0, 100), "i": st.integers(-100, 100),
                   "f": st.floats(-100, 100, width=32), "c": st.just(2 - 3j)}  # fmt: skip
        return draw(st.one_of(*(scalars[kind] for kind in kinds)))
    source = draw(st.sampled_from([item for item in DTYPES if item.kind in kinds]))
    shape = tuple(1 if draw(st.integers(0, 3)) == 0 else size for size in shape)
    shape = shape[draw(st.integers(0, len(shape))) :]
    return draw(hnp.arrays(source, shape, elements=st.integers(0, 1)))


@DEVICES
@pytest.mark.parametrize(
    ("shape", "key"),
    [
        ((1, 0), (False, ..., np.array([0]))),
        ((0, 1), (True, ..., np.zeros(0, bool))),
        ((3, 2), (np.zeros((3, 0), bool),)),
    ],
)
def test_an_index_that_selects_nothing_is_not_out_of_bounds(device, shape, key):
    array = np.zeros(shape, np.int8)
    tensor = Tensor(array, device=device)
    assert_same(tensor[as_tensors(key, device)], array[key])
    tensor[as_tensors(key, device)] = 1
    assert_same(tensor, array)


@DEVICES
@pytest.mark.parametrize("keys", [basic_keys, advanced_keys])
@given(data=st.data())
def test_writing(keys, device, data):
    array = data.draw(arrays(layouts=["contiguous", "strided", "negative", "transposed"]))
    array = array.copy(order="K")
    key = data.draw(keys(array.shape))
    expected, error = outcome(lambda: array[key])
    tensor = Tensor(array, copy=True, device=device)
    again = xp.asarray(tensor, copy=True)
    if error:
        with pytest.raises(error, match=r"^setitem: "):
            tensor[as_tensors(key, device)] = 1
        assert_same(tensor, array)
        return
    value = data.draw(values_for(array.dtype, expected.shape))
    array[key] = value
    tensor[as_tensors(key, device)] = as_tensors(value, device)
    assert_same(tensor, array)
    if device == "cpu":
        again[key] = value  # the same with ndarrays
        assert_same(again, array)


@pytest.mark.parametrize(
    "key",
    [5, -6, 10**30, (0, 0), (0, 0, 0), (..., ...), 1.0, "a", (slice(None), slice(None)), {},
     np.array([5]), np.array([-6]), np.array([0.5]), np.array([True, False]), [0, 9], np.float64(1),
     (0, "a"), np.ones((5, 1), bool)],
    ids=str,
)  # fmt: skip
def test_bad_indices_raise_and_write_nothing(key, device):
    t = Tensor(np.arange(5.0), device=device)
    for index in (key, as_tensors(key, device)):
        with pytest.raises(IndexError):
            t[index]
        with pytest.raises(IndexError):
            t[index] = 1.0
    assert_same(t, np.arange(5.0))


def test_messages_say_what_was_asked_of_what():
    t = xp.zeros((3, 4))
    with pytest.raises(
        IndexError, match=r"^getitem: index 7 is out of bounds for axis 1 with size 4"
    ):
        t[0, 7]
    with pytest.raises(
        IndexError, match=r"^getitem: index -4 is out of bounds for axis 0 with size 3"
    ):
        t[-4]
    with pytest.raises(IndexError, match=r"^getitem: too many indices.*2 dimensions.*3"):
        t[0, 0, 0]
    with pytest.raises(IndexError, match=r"^getitem: .*got str"):
        t["a"]


def test_integers_give_values_and_the_rest_views(device):
    if device == "dask":
        pytest.skip("writes and views follow Dask's rules")
    t = Tensor(np.arange(12.0).reshape(3, 4), device=device)
    value = t[1, 2]
    row = t[1, ...]
    zero_d = t[1, 2, ...]
    t[1, 2] = 100
    assert float(value) == 6
    assert float(row[2]) == 100
    assert float(zero_d) == 100
    value += 1
    assert float(t[1, 2]) == 100
    row[0] = -1
    assert float(t[1, 0]) == -1


@pytest.mark.parametrize("ndim", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, Tensor, lambda k: -2 + k], ids=range(5))
def test_integers_of_all_kinds_give_values(ndim, kind):
    t = Tensor(np.zeros((2,) * ndim))
    index = tuple(kind(1) for _ in range(ndim))
    value = t[index] if ndim > 1 else t[index[0]]
    again = t[index]
    t[index] = 7
    assert float(value) == float(again) == 0
    assert float(t[(1,) * ndim]) == 7
    value[()] = 3
    assert float(t[(1,) * ndim]) == 7


def test_zero_d(device):
    t = Tensor(3.0, device=device)
    assert float(t[()]) == 3
    assert t[None].shape == (1,)
    assert t[...].shape == ()
    t[...] = 4
    assert float(t) == 4
    t[()] = 5
    assert float(t) == 5
    with pytest.raises(IndexError):
        t[0]


@pytest.mark.parametrize("n", [3, 9, 100, 5000])
def test_overlapping_assignment(n):
    for target, source in [
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None), slice(None, None, -1)),
        (slice(None, n // 2), slice(None, 2 * (n // 2), 2)),
    ]:
        array = np.arange(n)
        t = Tensor(array.copy())
        array[target] = array[source].copy()
        t[target] = t[source]
        assert_same(t, array)
    square = np.arange(n * n if n < 200 else 900.0).reshape(
        int((n * n if n < 200 else 900) ** 0.5), -1
    )
    t = Tensor(square.copy())
    t[...] = t.T
    assert_same(t, square.T)


def test_overlapping_assignment_through_an_array():
    array = np.arange(10)
    t = Tensor(array.copy())
    key = np.arange(1, 10)
    array[key] = array[:-1].copy()
    t[Tensor(key)] = t[:-1]
    assert_same(t, array)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_written_scalars_are_cast(dtype):
    t = xp.zeros(3, dtype=dtype)
    t[0] = True
    t[1] = Tensor(1, dtype="float64")
    t[2] = np.int8(1)
    assert_same(t, np.ones(3, dtype=dtype))


def test_writing_refuses_what_does_not_fit():
    t = xp.zeros((2, 3), dtype="int8")
    for key in (0, ...):
        with pytest.raises(TypeError, match=r"^setitem: a complex value"):
            t[key] = 1j
        with pytest.warns(np.exceptions.ComplexWarning, match=r"^setitem: imaginary"):
            t[key] = xp.asarray([1j, 2j, 3j])
    with pytest.raises(OverflowError, match=r"^setitem: .*300"):
        t[0] = 300
    with pytest.raises(OverflowError, match=r"^setitem: .*300"):
        t[0, 0] = 300
    with pytest.raises(ValueError, match=r"^setitem: .*\(2,\).*\(3,\)"):
        t[0] = Tensor([1, 2])
    with pytest.raises(ValueError, match=r"^setitem: "):
        t[Tensor([True, False])] = Tensor([1, 2])
    with pytest.raises(ValueError, match=r"^setitem: .*\(3, 2\).*\(6,\)"):
        t[t == 0] = xp.ones((3, 2), dtype="int8")
    with pytest.raises(TypeError, match=r"^setitem: .*NoneType"):
        t[0] = None
    with pytest.raises(TypeError, match=r"^delitem: .*deleted"):
        del t[0]
    assert_same(t, np.zeros((2, 3), dtype="int8"))


def test_writing_drops_leading_axes_of_size_one_as_numpy_does():
    array = np.zeros(3)
    t = Tensor(array.copy())
    array[...] = np.ones((1, 1, 3))
    t[...] = xp.ones((1, 1, 3))
    assert_same(t, array)


def test_read_only_tensors_are_not_written():
    source = np.arange(3.0)
    source.flags.writeable = False
    for t in (Tensor(source), xp.broadcast_to(xp.asarray([1.0]), (3,)), Tensor(source)[1:]):
        before = np.array(t)
        for key in (0, ..., slice(None), Tensor([0, 1])):
            with pytest.raises(ValueError, match="read-only"):
                t[key] = 7
        with pytest.raises(ValueError, match="read-only"):
            t[:] = t
        with pytest.raises(ValueError, match="read-only"):
            t += 1
        assert_same(t, before)


def test_tensors_of_integers_are_integers_in_an_index():
    array = np.arange(12.0).reshape(3, 4)
    t = Tensor(array)
    assert_same(t[Tensor(1)], array[1])
    assert_same(t[Tensor(1), Tensor(2)], array[1, 2])
    assert_same(t[Tensor(1) : Tensor(3)], array[1:3])
    assert_same(t[np.int8(-1)], array[-1])
    assert_same(t[xp.nonzero(t > 5)], array[array > 5])
    assert_same(t[True], array[True])
    assert_same(t[Tensor(False)], array[np.asarray(False)])


def test_many_new_axes():
    t = Tensor([1.0])
    assert t[(None,) * 63].shape == (1,) * 64
    with pytest.raises((IndexError, ValueError), match="64"):
        t[(None,) * 64]


# ---- slices and integers that are read without Python's functions

BOUNDS = [None, 0, 1, 3, 7, 8, -1, -7, -8, -100, 100, 2**31, -(2**31), 2**62, 2**70, -(2**70), True]


@pytest.mark.parametrize("start", BOUNDS)
@pytest.mark.parametrize("stop", [*BOUNDS, np.int64(5)])
def test_bounds_of_slices(start, stop):
    for array in (np.arange(7.0), np.arange(14.0)[::-2], np.arange(28.0).reshape(7, 4)):
        x = xp.asarray(array)
        for key in (slice(start, stop), slice(start, stop, None), slice(start, stop, 2)):
            expected = array[key]
            assert_same(x[key], expected)
            assert x[key].shape == expected.shape
            if len(expected) > 1:
                assert x[key].strides == expected.strides
            if expected.size:
                assert np.shares_memory(np.asarray(x[key]), array)
            written, theirs = xp.asarray(array, copy=True), array.copy()
            written[key] = 5.0
            theirs[key] = 5.0
            assert_same(written, theirs)


def test_slice_of_an_object_with_index():
    class Two:
        def __index__(self):
            return 2

    array = np.arange(5.0)
    assert_same(xp.asarray(array)[Two() :], array[2:])
    with pytest.raises(TypeError, match=r"^getitem: slice indices"):
        xp.asarray(array)["a":]
    with pytest.raises(ValueError, match=r"^getitem: slice step"):
        xp.asarray(array)[::0]
    with pytest.raises(IndexError, match=r"^getitem: "):
        xp.asarray(1.0)[0:1]


@pytest.mark.parametrize("index", [7, -8, 2**31, -(2**31), 2**62, 2**70, -(2**70)])
def test_integers_out_of_bounds(index):
    x = xp.asarray(np.arange(7.0))
    with pytest.raises(
        IndexError, match=f"^getitem: index {index} is out of bounds for axis 0 with size 7"
    ):
        x[index]
    with pytest.raises(IndexError, match=f"^setitem: index {index} is out of bounds"):
        x[index] = 1.0


# ---- writing everything


@pytest.mark.parametrize("n", [0, 1, 8, 9, 5000])
@pytest.mark.parametrize("key", [..., slice(None), slice(0, None)])
def test_setitem_of_everything(n, key):
    array = np.arange(float(n))
    x = xp.zeros(n)
    x[key] = xp.asarray(array)
    assert_same(x, array)
    x[key] = 2.5
    assert_same(x, np.full(n, 2.5))
    x[key] = xp.asarray(np.arange(n))  # cast
    assert_same(x, array)
    x[key] = xp.asarray(array[::-1])
    assert_same(x, array[::-1])


@pytest.mark.parametrize("n", [1, 512, 513, 32768, 32769])
@pytest.mark.parametrize("shape", [(100,), (100, 3)])
def test_setitem_at_positions_writes_all_or_nothing(n, shape):
    rng = np.random.default_rng(n)
    where = rng.integers(-100, 100, n)  # with repetitions: the last one counts
    values = rng.standard_normal((n, *shape[1:]))
    x, expected = xp.zeros(shape), np.zeros(shape)
    x[xp.asarray(where)] = xp.asarray(values)
    expected[where] = values
    assert_same(x, expected)
    for bad in (100, -101, 2**62):
        where[-1] = bad
        with pytest.raises(IndexError, match=r"^setitem: "):
            x[xp.asarray(where)] = xp.asarray(values)
        with pytest.raises(IndexError, match=r"^setitem: "):
            x[xp.asarray(where)] = 5.0
        assert_same(x, expected)


def test_arrays_in_any_axes_of_any_layout():
    """Arrays apart from each other, more than 8 of them, rows that are not one run of bytes."""
    rng = np.random.default_rng(5)
    for _ in range(400):
        ndim = int(rng.integers(1, 11))
        sizes = rng.integers(1, 5 if ndim < 6 else 3, ndim)
        array = rng.permutation(np.arange(sizes.prod())).reshape(sizes)
        array = array.transpose(rng.permutation(ndim))[..., :: rng.choice([1, -1])]
        shape = tuple(rng.integers(0, 3, rng.integers(0, 3)))
        key = tuple(
            slice(None) if rng.random() < 0.4 else rng.integers(-size, size, shape)
            for size in array.shape
        )
        tensor = xp.asarray(array.copy(order="K"))
        index = as_tensors(key, None)
        assert_same(tensor[index], array[key])
        value = rng.integers(100, size=array[key].shape)
        array, tensor = array.copy(order="K"), tensor[...]
        array[key], tensor[index] = value, xp.asarray(value)
        assert_same(tensor, array)
