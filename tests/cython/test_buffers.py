"""The buffer protocol and `__array__`: the same memory as an ndarray."""

import array as stdlib_array
import ctypes
import gc
import struct

import numpy as np
import pytest
from hypothesis import given
from strategies import DTYPE_NAMES, arrays, assert_same

import corepy.array_api as xp
from corepy import Tensor

SIMPLE, WRITABLE, FORMAT, ND = 0, 1, 4, 8
STRIDES, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS = 0x18, 0x38, 0x58, 0x98


class PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p),
    ]  # fmt: skip


def buffer_facts(obj, flags):
    """Request a buffer with these flags; return its fields."""
    view = PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(
        ctypes.py_object(obj), ctypes.byref(view), ctypes.c_int(flags)
    )
    facts = {
        "len": view.len,
        "ndim": view.ndim,
        "itemsize": view.itemsize,
        "readonly": bool(view.readonly),
        "format": view.format,
        "shape": tuple(view.shape[: view.ndim]) if view.shape else None,
        "strides": tuple(view.strides[: view.ndim]) if view.strides else None,
    }
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return facts


@given(array=arrays())
def test_memoryview(array):
    array = array.copy(order="K")
    view, expected = memoryview(Tensor(array)), memoryview(array)
    assert view.shape == expected.shape
    assert view.ndim == expected.ndim
    assert view.itemsize == expected.itemsize
    assert view.nbytes == expected.nbytes
    assert view.readonly == expected.readonly
    assert np.dtype(array.dtype) == np.asarray(view).dtype
    np.testing.assert_array_equal(np.asarray(view), array)
    assert view.tobytes() == expected.tobytes()
    if array.size:
        for size, stride, wanted in zip(view.shape, view.strides, expected.strides, strict=True):
            assert size == 1 or stride == wanted


@pytest.mark.parametrize("dtype", [name for name in DTYPE_NAMES if "complex" not in name])
def test_formats_are_those_of_struct(dtype):
    t = xp.ones(2, dtype=dtype)
    view = memoryview(t)
    assert struct.calcsize(view.format) == t.itemsize
    assert view.tolist() == [1, 1]


def test_writing_through_a_memoryview():
    t = Tensor([1.0, 2.0])
    memoryview(t)[0] = 9.0
    assert_same(t, np.asarray([9.0, 2.0]))


def test_read_only():
    t = xp.broadcast_to(xp.asarray(1.0), (3,))
    view = memoryview(t)
    assert view.readonly
    assert not memoryview(Tensor([1])).readonly
    with pytest.raises(TypeError):
        view[0] = 1
    with pytest.raises(BufferError, match=r"^memoryview: .*read-only"):
        buffer_facts(t, WRITABLE | STRIDES)
    assert not np.asarray(t).flags.writeable


@pytest.mark.parametrize(
    "flags", [SIMPLE, FORMAT, ND, STRIDES, C_CONTIGUOUS, ANY_CONTIGUOUS, WRITABLE | ND]
)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_contiguous_tensors_grant_what_ndarrays_grant(flags, shape):
    array = np.ones(shape)
    got, expected = buffer_facts(Tensor(array), flags), buffer_facts(array, flags)
    assert (got["shape"] or None) == expected["shape"]
    for name in ("len", "itemsize", "readonly", "format"):
        assert got[name] == expected[name]
    assert (not got["strides"]) == (not expected["strides"])


@pytest.mark.parametrize("flags", [SIMPLE, ND, C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS], ids=hex)
@pytest.mark.parametrize(
    "array",
    [np.arange(6.0)[::2], np.ones((4, 4))[::2, ::2], np.arange(4.0)[::-1]],
    ids=["1-d", "2-d", "reversed"],
)
def test_strided_tensors_refuse_contiguous_requests(flags, array):
    with pytest.raises((BufferError, ValueError)):
        buffer_facts(array, flags)
    with pytest.raises(BufferError, match=r"contiguous|order"):
        buffer_facts(Tensor(array), flags)
    assert buffer_facts(Tensor(array), STRIDES)["strides"] == array.strides


def test_fortran_order():
    transposed = Tensor(np.ones((2, 3))).T
    with pytest.raises(BufferError):
        buffer_facts(transposed, C_CONTIGUOUS)
    assert buffer_facts(transposed, F_CONTIGUOUS)["strides"] == (8, 24)
    assert buffer_facts(transposed, ANY_CONTIGUOUS)["strides"] == (8, 24)
    with pytest.raises(BufferError):
        buffer_facts(Tensor(np.ones((2, 3))), F_CONTIGUOUS)


def test_consumers_of_buffers():
    t = Tensor([1, 2, 3], dtype="int32")
    assert bytes(t) == np.array([1, 2, 3], dtype="int32").tobytes()
    target = bytearray(12)
    memoryview(target)[:] = memoryview(t).cast("B")
    assert target == bytes(t)
    assert b"".join([t]) == bytes(t)


@given(array=arrays())
def test_ndarrays_and_tensors_share_memory_both_ways(array):
    t = Tensor(array)
    back = np.asarray(t)
    assert type(back) is np.ndarray
    np.testing.assert_array_equal(back, array)
    if array.size:
        assert np.shares_memory(back, array)
        assert back.strides == array.strides
    assert back.flags.writeable == array.flags.writeable
    assert not t.size or np.shares_memory(np.asarray(Tensor(back)), array)


def test_writes_are_seen_on_both_sides():
    t = Tensor([1.0, 2.0, 3.0])
    array = np.asarray(t)
    array[0] = 10
    t[1] = 20
    assert t.tolist() == array.tolist() == [10, 20, 3]


def test_array_method():
    t = Tensor([1.5, 2.5])
    assert np.shares_memory(t.__array__(), np.asarray(t))
    assert not np.shares_memory(t.__array__(copy=True), np.asarray(t))
    assert np.asarray(t, dtype="int8").tolist() == [1, 2]
    assert np.array(t, copy=False).tolist() == [1.5, 2.5]
    assert not np.shares_memory(np.array(t), np.asarray(t))
    with pytest.raises(ValueError, match="copy"):
        np.array(t, dtype="int8", copy=False)
    with pytest.raises(ValueError, match="copy"):
        t.__array__(np.dtype("float32"), copy=False)


def test_foreign_byte_order_and_alignment_are_copied():
    swapped = np.arange(5, dtype=">i4")
    packed = np.frombuffer(b"x" + np.arange(3.0).tobytes(), dtype="f8", offset=1)
    for array in (swapped, packed):
        t = Tensor(array)
        assert_same(t, array.astype(array.dtype.newbyteorder("=")))
        assert t.dtype.isnative
        with pytest.raises(ValueError, match="copy"):
            Tensor(array, copy=False)


@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble", "U3", "O", "M8[s]"])
def test_unsupported_dtypes(dtype):
    array = np.zeros(2, dtype=dtype)
    with pytest.raises(TypeError, match=r"^Tensor: dtype .* not supported; allowed: bool, int8"):
        Tensor(array)


def test_subclasses_of_ndarray():
    class Mine(np.ndarray):
        pass

    assert_same(Tensor(np.arange(3).view(Mine)), np.arange(3))
    assert_same(Tensor(stdlib_array.array("d", [1.0, 2.0])), np.asarray([1.0, 2.0]))


@pytest.mark.parametrize("n", [1, 8, 9, 1000])
def test_views_outlive_their_base(n):
    # 8 float64 are stored inside the tensor object, 9 are not.
    def reference_cycle():
        return [xp.full(n, -1.0) for _ in range(500)]

    expected = np.arange(float(n))
    made = {
        "view": Tensor(expected, copy=True)[:],
        "reversed": Tensor(expected, copy=True)[::-1],
        "ndarray": np.asarray(Tensor(expected, copy=True)),
        "memoryview": memoryview(Tensor(expected, copy=True)),
        "view of a view": Tensor(expected, copy=True)[None].T[:, 0],
        "dlpack": np.from_dlpack(Tensor(expected, copy=True)),
        "tensor of a tensor": Tensor(Tensor(expected, copy=True)),
    }
    gc.collect()
    reference_cycle()
    for name, view in made.items():
        values = np.asarray(view)
        np.testing.assert_array_equal(values[::-1] if name == "reversed" else values, expected)


def test_ndarrays_outlive_as_long_as_a_tensor_shows_them():
    t = Tensor(np.arange(1000.0))
    view = t[::2]
    del t
    gc.collect()
    [np.full(1000, -1.0) for _ in range(50)]
    assert_same(view, np.arange(0, 1000.0, 2))


def test_every_device_in_host_memory_has_an_ndarray(device):
    t = Tensor([1.0, 2.0], device=device)
    if t.__dlpack_device__()[0] == 1:
        assert np.asarray(t).tolist() == [1.0, 2.0]
        assert np.asarray(t, dtype="int8").dtype == "int8"
    else:
        with pytest.raises(TypeError, match=r"to_device\('cpu'\)"):
            np.asarray(t)


def test_only_the_cpu_has_buffers(device):
    t = Tensor([1.0], device=device)
    if device == "cpu":
        assert memoryview(t).tolist() == [1.0]
    else:
        with pytest.raises(BufferError, match=r"to_device\('cpu'\)"):
            memoryview(t)


def test_no_shape_asked_for_no_shape_given():
    t = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    facts = buffer_facts(t, SIMPLE)
    assert (facts["ndim"], facts["itemsize"], facts["len"]) == (1, 8, 48)
    facts = buffer_facts(t, FORMAT)
    assert (facts["ndim"], facts["itemsize"], facts["len"]) == (1, 8, 48)


@pytest.mark.skipif(not hasattr(Tensor, "__buffer__"), reason="from Python 3.12 on")
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (1, 0, 2)])
def test_any_flags_give_a_memoryview_that_can_be_read(shape):
    t = xp.ones(shape)
    for flags in range(0x200):
        try:
            view = t.__buffer__(flags)
        except (BufferError, ValueError):
            continue
        assert len(view.tobytes()) == t.nbytes
        view.release()
