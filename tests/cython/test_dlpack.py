"""DLPack: import and export, without a copy unless one is requested."""

import gc

import numpy as np
import pytest
from hypothesis import given
from strategies import DTYPE_NAMES, arrays, assert_same

import corepy.array_api as xp
from corepy import Tensor

CPU = (1, 0)  # kDLCPU


class Exporter:
    """Exports the capsules of a tensor, and records the arguments."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.asked = []

    def __dlpack__(self, **options):
        self.asked.append(options)
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Capsule:
    """One capsule, as often as it is asked for."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return CPU


@given(array=arrays())
def test_numpy_both_ways_without_a_copy(array):
    array = array.copy(order="K")
    t = xp.from_dlpack(array)
    assert_same(t, array)
    back = np.from_dlpack(t)
    np.testing.assert_array_equal(back, array)
    if array.size:
        assert np.shares_memory(np.asarray(t), array)
        assert np.shares_memory(back, array)


@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_pytorch_both_ways_without_a_copy(dtype):
    torch = pytest.importorskip("torch")
    t = xp.ones((3, 4), dtype=dtype)
    there = torch.from_dlpack(t)
    assert there.data_ptr() == np.asarray(t).ctypes.data
    assert str(there.dtype) == f"torch.{dtype}"
    there[0, 0] = 0
    assert not bool(t[0, 0])
    back = xp.from_dlpack(there)
    assert np.shares_memory(np.asarray(back), np.asarray(t))
    strided = xp.from_dlpack(there.T)
    assert_same(strided, np.asarray(t).T)
    assert_same(xp.asarray(there), np.asarray(t))


def test_writes_are_seen_on_both_sides():
    t = Tensor([1.0, 2.0])
    array = np.from_dlpack(t, copy=False)
    t[0] = 5
    assert array.tolist() == [5, 2]


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 1), (7, 0)])
def test_max_version(max_version, device):
    t = Tensor([1, 2, 3], device=device)
    capsule = t.__dlpack__() if max_version is None else t.__dlpack__(max_version=max_version)
    versioned = max_version is not None and max_version >= (1, 0)
    assert ("dltensor_versioned" if versioned else "dltensor") in repr(capsule)
    assert np.from_dlpack(Capsule(capsule)).tolist() == [1, 2, 3]


def test_device(device):
    t = Tensor([1.0], device=device)
    kind, index = t.__dlpack_device__()
    assert (kind, index) == CPU
    assert type(kind) is int or int(kind) == 1
    capsule = t.__dlpack__(dl_device=CPU, max_version=(1, 0))
    assert np.from_dlpack(Capsule(capsule)).tolist() == [1.0]


def test_other_dl_device_is_refused(device):
    with pytest.raises((BufferError, ValueError)):
        Tensor([1.0], device=device).__dlpack__(dl_device=(2, 0), max_version=(1, 0))


def test_stream_is_refused():
    with pytest.raises((RuntimeError, ValueError, BufferError), match="stream"):
        Tensor([1.0]).__dlpack__(stream=1)


def test_export_copy():
    t = Tensor([1.0, 2.0])
    for copy, shared in ((None, True), (False, True), (True, False)):
        array = np.from_dlpack(Capsule(t.__dlpack__(copy=copy, max_version=(1, 0))))
        assert np.shares_memory(array, np.asarray(t)) is shared


def test_import_copy():
    array = np.arange(3.0)
    assert np.shares_memory(np.asarray(xp.from_dlpack(array)), array)
    assert np.shares_memory(np.asarray(xp.from_dlpack(array, copy=False)), array)
    assert not np.shares_memory(np.asarray(xp.from_dlpack(array, copy=True)), array)
    t = Tensor(array)
    assert np.shares_memory(np.asarray(xp.from_dlpack(t)), array)
    assert not np.shares_memory(np.asarray(xp.from_dlpack(t, copy=True)), array)


def test_a_tensor_from_a_tensor_is_another_object(device):
    if device == "dask":
        pytest.skip("writes and views follow Dask's rules")
    t = Tensor([1.0, 2.0], device=device)
    other = xp.from_dlpack(t)
    assert other is not t
    assert other.device == device
    other[0] = 7
    assert float(t[0]) == 7


def test_import_onto_a_device(device):
    array = np.arange(3.0)
    for source in (array, Tensor(array), Exporter(Tensor(array))):
        t = xp.from_dlpack(source, device=device)
        assert t.device == device
        assert_same(t, array)
    there = Tensor(array, device=device)
    back = xp.from_dlpack(there, device="cpu")
    assert back.device == "cpu"
    assert_same(back, array)


def test_import_onto_another_device_without_a_copy(device):
    array = np.arange(3.0)
    if device in ("cpu", "torch:cpu"):  # over the same memory
        assert np.shares_memory(np.asarray(xp.from_dlpack(array, device=device, copy=False)), array)
    else:
        with pytest.raises(ValueError, match=r"^from_dlpack: .*copy=False"):
            xp.from_dlpack(array, device=device, copy=False)


def test_used_capsule():
    capsule = Capsule(Tensor([1.0]).__dlpack__())
    xp.from_dlpack(capsule)
    with pytest.raises((BufferError, ValueError), match="from_dlpack"):
        xp.from_dlpack(capsule)


@pytest.mark.parametrize("value", [None, 3, [1, 2], object()], ids=lambda x: type(x).__name__)
def test_import_of_what_exports_nothing(value):
    with pytest.raises(AttributeError, match=r"^from_dlpack: .*__dlpack__"):  # as NumPy
        xp.from_dlpack(value)


def test_unsupported_dtype():
    with pytest.raises((TypeError, BufferError), match=r"^from_dlpack: .*longdouble"):
        xp.from_dlpack(np.zeros(2, dtype="longdouble"))


def test_read_only_tensors_stay_read_only():
    t = xp.broadcast_to(xp.asarray(1.0), (3,))
    array = np.from_dlpack(t)
    assert not array.flags.writeable
    with pytest.raises(BufferError):
        t.__dlpack__()  # a capsule of the old kind cannot say that it must not be written
    source = np.arange(3.0)
    source.flags.writeable = False
    imported = xp.from_dlpack(source)
    with pytest.raises(ValueError, match="read-only"):
        imported[0] = 1


@pytest.mark.parametrize("n", [2, 1000])
def test_memory_lives_as_long_as_its_importers(n):
    array = np.from_dlpack(xp.arange(n, dtype=xp.float64))
    tensor = xp.from_dlpack(np.arange(n, dtype="float64"))
    unused = Tensor([1.0] * n).__dlpack__()
    gc.collect()
    [xp.full(n, -1.0) for _ in range(300)]
    np.testing.assert_array_equal(array, np.arange(n))
    assert_same(tensor, np.arange(n, dtype="float64"))
    del unused
    gc.collect()
