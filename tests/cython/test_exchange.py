"""DLPack's C functions for the exchange of tensors, called as a consumer in C calls them."""

import ctypes
import gc

import numpy as np
import pytest

import corepy
import corepy.array_api as xp
from corepy import Tensor

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
KINDS = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
HOST, READ_ONLY, IS_COPIED = 1, 1, 2


class View(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    pass


Release = ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
Managed._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("context", ctypes.c_void_p),
    ("release", Release),
    ("flags", ctypes.c_uint64),
    ("view", View),
]
Out = ctypes.POINTER(ctypes.POINTER(Managed))
Export = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, Out)
Fail = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)


class Functions(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("older", ctypes.c_void_p),
        ("allocate", ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(View), Out, ctypes.c_void_p, Fail)),
        ("export", Export),
        ("import_", ctypes.PYFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(Managed), ctypes.POINTER(ctypes.py_object))),
        ("view", ctypes.c_void_p),
        ("stream", ctypes.PYFUNCTYPE(
            ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))),
    ]  # fmt: skip


def functions():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(Tensor.__dlpack_c_exchange_api__, b"dlpack_exchange_api")
    return Functions.from_address(address)


API = functions()


def exported(x):
    out = ctypes.POINTER(Managed)()
    assert API.export(x, ctypes.byref(out)) == 0
    return out


def imported(managed):
    out = ctypes.py_object()
    assert API.import_(managed, ctypes.byref(out)) == 0
    x = out.value
    ctypes.pythonapi.Py_DecRef(out)  # `value` took a reference of its own
    return x


def elements(managed):
    """The elements as a list, read as a consumer in C would."""
    view = managed.contents.view
    shape, strides = view.shape[: view.ndim], view.strides[: view.ndim]
    dtype = next(d for d in map(np.dtype, DTYPES)
                 if KINDS[d.kind] == view.kind and d.itemsize * 8 == view.bits)  # fmt: skip
    if 0 in shape:
        return np.empty(shape, dtype)
    reach = 1 + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    memory = (ctypes.c_char * (reach * dtype.itemsize)).from_address(view.data + view.byte_offset)
    flat = np.frombuffer(memory, dtype)
    steps = [step * dtype.itemsize for step in strides]
    return np.lib.stride_tricks.as_strided(flat, shape, steps).copy()


def layouts(dtype):
    x = xp.reshape(xp.astype(xp.arange(24), getattr(xp, dtype)), (2, 3, 4))
    yield from (x, x.T, x[:, ::2], x[:, ::-1], x[1, 2, 3], x[:0], x[0, :, :1])
    yield xp.broadcast_to(x[0, 0], (3, 4))
    yield xp.reshape(x, (1,) * 20 + (24,))


@pytest.mark.parametrize("dtype", DTYPES)
def test_exports(dtype):
    for x in layouts(dtype):
        expected, exports = np.asarray(x).copy(), xp.asarray(x, copy=True)
        managed = exported(x)
        held = managed.contents
        assert (held.major, held.minor) == (API.major, API.minor) == (1, 3)
        assert (held.view.device_type, held.view.device_id, held.view.lanes) == (HOST, 0, 1)
        found = elements(managed)
        assert found.dtype == dtype and found.shape == x.shape
        np.testing.assert_array_equal(found, expected)
        negative = any(step < 0 for step in x.strides) and x.size > 0
        assert bool(held.flags & IS_COPIED) == negative
        held.release(managed)
        np.testing.assert_array_equal(np.asarray(x), np.asarray(exports))


def test_memory_is_shared_and_kept():
    x = xp.arange(1000.0)
    managed = exported(x)
    (ctypes.c_double * 2).from_address(managed.contents.view.data)[1] = 7.0
    assert float(x[1]) == 7.0
    before = corepy.memory.stats()["in_use"]
    del x
    gc.collect()
    assert corepy.memory.stats()["in_use"] == before
    assert elements(managed)[1] == 7.0
    managed.contents.release(managed)
    assert corepy.memory.stats()["in_use"] < before


def test_read_only_and_strides_that_are_not_elements():
    array = np.arange(6.0)
    array.flags.writeable = False
    managed = exported(xp.asarray(array))
    assert managed.contents.flags == READ_ONLY
    assert np.asarray(imported(managed)).flags.writeable is False
    # Aligned, but a step of one element and a half.
    x = xp.asarray(np.ndarray((2,), "c16", np.arange(5.0), strides=(24,)))
    assert x.strides == (24,)
    managed = exported(x)
    assert managed.contents.flags == IS_COPIED
    assert elements(managed).tolist() == [1j, 3 + 4j]
    managed.contents.release(managed)


def test_deferred_tensors_are_computed():
    with corepy.config(fusion_threshold=0), corepy.fuse():
        x = xp.arange(10.0) + 1.0
        managed = exported(x)
        assert elements(managed).tolist() == np.arange(1.0, 11.0).tolist()
        managed.contents.release(managed)


def test_other_objects_are_refused():
    out = ctypes.POINTER(Managed)()
    with pytest.raises(TypeError):
        API.export([1.0], ctypes.byref(out))


@pytest.mark.parametrize("dtype", DTYPES)
def test_imports(dtype):
    for x in layouts(dtype):
        y = imported(exported(x))
        assert type(y) is Tensor and y.dtype == x.dtype and y.shape == x.shape
        np.testing.assert_array_equal(np.asarray(y), np.asarray(x))
        if x.size and min(x.strides, default=1) > 0:
            y[...] = 0
            assert not np.any(np.asarray(x))


def test_what_the_host_cannot_read_is_refused():
    managed = exported(xp.arange(3))
    managed.contents.view.bits = 128
    with pytest.raises((BufferError, RuntimeError)):
        imported(managed)
    managed = exported(xp.arange(3))
    managed.contents.view.shape[0] = -1
    with pytest.raises(ValueError, match="axis 0 has a negative size"):
        imported(managed)
    managed = exported(xp.arange(3))
    managed.contents.view.strides[0] = 2**61
    with pytest.raises(ValueError, match=r"stride .* of axis 0 is too large"):
        imported(managed)


def test_allocation():
    failures = []
    fail = Fail(lambda context, kind, message: failures.append((kind, message)))
    shape = (ctypes.c_int64 * 2)(3, 5)
    like = View(None, HOST, 0, 2, 2, 64, 1, shape, None, 0)
    out = ctypes.POINTER(Managed)()
    assert API.allocate(ctypes.byref(like), ctypes.byref(out), None, fail) == 0
    x = imported(out)
    assert x.shape == (3, 5) and x.dtype == xp.float64 and x.strides == (40, 8)
    x[...] = 1.0
    assert float(xp.sum(x)) == 15.0
    shape[0] = 2**61
    assert API.allocate(ctypes.byref(like), ctypes.byref(out), None, fail) == -1
    shape[0] = 2**40
    assert API.allocate(ctypes.byref(like), ctypes.byref(out), None, fail) == -1
    like.device_type = 2
    assert API.allocate(ctypes.byref(like), ctypes.byref(out), None, fail) == -1
    assert [kind for kind, _ in failures] == [b"ValueError", b"MemoryError", b"BufferError"]


def test_streams():
    out = ctypes.c_void_p(1)
    assert API.stream(HOST, 0, ctypes.byref(out)) == 0
    assert out.value is None
    with pytest.raises(BufferError, match="no device has DLPack's type 99"):
        API.stream(99, 0, ctypes.byref(out))
