"""DLPack and CUDA's array interface of tensors on GPUs."""

from __future__ import annotations

import ctypes
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest
from running import known_module_from

import corepy
from corepy.backend import registry
from corepy.lazy import is_deferred

HOST = Path(__file__).parents[1] / "host"
stub = known_module_from(HOST / "cupy_stub.py")
STATE = stub.STATE


def test_dlpack_goes_out_with_a_copy_if_asked(xp):
    x = xp.asarray([1.0, 2.0])
    assert np.from_dlpack(x).tolist() == [1.0, 2.0]
    copied = np.from_dlpack(x, copy=True)
    x[0] = 5.0
    assert copied.tolist() == [1.0, 2.0]


VERSIONS = [None, (0, 8), (1, 0), (2, 0)]


def flags_of(capsule):
    """Return DLPack's flags in a capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_uint64.from_address(get(capsule, b"dltensor_versioned") + 24).value


def test_a_copy_is_marked_as_one(xp):
    x = xp.asarray([1.0, 2.0])
    assert flags_of(x.__dlpack__(max_version=(1, 0))) == 0
    assert flags_of(x.__dlpack__(max_version=(1, 0), copy=True)) == 2
    assert flags_of(x[::-1].__dlpack__(max_version=(1, 0))) == 2


def test_negative_strides_go_out_as_a_copy(xp):
    """PyTorch aborts the process at one."""
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    for view in (x[::-1], x[:, ::-1], xp.flip(x)):
        shared = np.from_dlpack(view)
        assert shared.strides == (16, 8)
        assert np.array_equal(shared, np.asarray(view.to_device("cpu")))
        with pytest.raises(BufferError, match=r"^__dlpack__: strides .* without a copy"):
            view.__dlpack__(copy=False)


def test_errors_of_dlpack_are_those_of_the_standard(xp, monkeypatch):
    """BufferError, where CuPy has ValueError for some."""
    asked = []

    def export(self, **params):
        asked.append(params)
        return np.ndarray.__dlpack__(self)

    monkeypatch.setattr(stub.ndarray, "__dlpack_device__", lambda self: (2, 1), raising=False)
    monkeypatch.setattr(stub.ndarray, "__dlpack__", export, raising=False)
    x = xp.asarray([1.0, 2.0])
    for version, copy in itertools.product(VERSIONS, (None, True, False)):
        for target in (None, (2, 1), [2, 1]):
            x.__dlpack__(dl_device=target, max_version=version, copy=copy)
        for target in ((2, 0), (3, 0), (10, 1), (13, 1)):
            with pytest.raises(BufferError, match=r"^__dlpack__: cannot export to DLPack device"):
                x.__dlpack__(dl_device=target, max_version=version, copy=copy)
        if copy is not False:
            x.__dlpack__(dl_device=(1, 0), max_version=version, copy=copy)
            assert asked[-1]["dl_device"] == (1, 0) and asked[-1].get("copy") == copy
            continue
        for of in (x, x[::-1], xp.broadcast_to(x, (3, 2))):
            with pytest.raises(BufferError, match=r"^__dlpack__: memory of .* without a copy"):
                of.__dlpack__(dl_device=(1, 0), max_version=version, copy=False)
    for wrong in (5, (1,), (1, "a"), "cpu"):
        with pytest.raises(TypeError, match=r"^__dlpack__: dl_device must be"):
            x.__dlpack__(dl_device=wrong)
    monkeypatch.setattr(stub.ndarray, "__dlpack_device__", lambda self: (13, 1))
    x.__dlpack__(dl_device=(1, 0), copy=False)  # managed memory


def test_what_is_read_only_does_not_go_out_as_writeable(xp):
    x = xp.broadcast_to(xp.asarray([1.0, 2.0]), (3, 2))
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = 1.0
    shared = np.from_dlpack(x)  # asks for DLPack 1, which has a flag
    assert not shared.flags.writeable and shared.strides == (0, 8)

    class Old:
        """A consumer of an earlier version."""

        def __init__(self, **params):
            self.params = params

        def __dlpack__(self, **ignored):
            return x.__dlpack__(**self.params)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    copied = np.from_dlpack(Old())
    assert copied.strides == (16, 8)
    assert copied.tolist() == [[1.0, 2.0]] * 3
    assert x.to_device("cpu").tolist() == [[1.0, 2.0]] * 3
    with pytest.raises(BufferError, match=r"^__dlpack__: the tensor is read-only"):
        x.__dlpack__(copy=False)
    writeable = np.from_dlpack(x, copy=True)
    assert writeable.flags.writeable and writeable.strides == (16, 8)
    assert np.from_dlpack(xp.ones(3)).flags.writeable


def test_what_is_read_only_is_marked_where_the_host_shares_it(xp, monkeypatch):
    """CuPy exports managed memory to the host without a copy."""
    x = xp.broadcast_to(xp.asarray([1.0, 2.0]), (3, 2))
    monkeypatch.setattr(stub.ndarray, "__dlpack_device__", lambda self: (13, 1), raising=False)

    class OnHost:
        def __dlpack__(self, **ignored):
            return x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))

        def __dlpack_device__(self):
            return 1, 0

    shared = np.from_dlpack(OnHost())
    assert shared.strides == (0, 8) and not shared.flags.writeable


@pytest.mark.parametrize("read_only", [False, True])
def test_what_came_in_read_only_refuses_writes(module, namespace, monkeypatch, read_only):
    namespace(module.CudaRuntime, "cuda:0")
    exporter = Exporter(2)
    exporter.array.flags.writeable = not read_only
    exporter.__class__ = type("New", (Exporter,), {
        "__dlpack__": lambda self, *, stream=None, max_version=None, copy=None: (
            self.array.__dlpack__(max_version=max_version)
        )
    })  # fmt: skip

    def from_dlpack(x):  # as CuPy, which ignores the flag
        capsule = x.__dlpack__(stream=1, max_version=(1, 0), copy=None)
        assert "dltensor_versioned" in repr(capsule)
        return stub.ndarray(
            x.array.shape, x.array.dtype,
            stub.MemoryPointer(stub.UnownedMemory(x.array.ctypes.data, 24, x.array, 0), 0),
        )  # fmt: skip

    monkeypatch.setattr(sys.modules["cupy"], "from_dlpack", from_dlpack, raising=True)
    x = corepy.from_dlpack(exporter)
    assert x.device == "cuda:0"
    if not read_only:
        x[0] = 5.0
        assert exporter.array[0] == 5.0
        return
    for write in (
        lambda: x.__setitem__(0, 5.0), lambda: x.__iadd__(1.0), lambda: x[1:].__setitem__(0, 5.0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert exporter.array.tolist() == [0.0, 1.0, 2.0]
    assert (x + 1).to_device("cpu").tolist() == [1.0, 2.0, 3.0]
    copied = corepy.from_dlpack(exporter, copy=True)
    copied[0] = 5.0
    assert copied.to_device("cpu").tolist() == [5.0, 1.0, 2.0]


def test_cuda_array_interface(xp):
    STATE.streams[1] = stub.Stream(42, 1)
    x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    address = registry.get_backend("stub").unwrap(x).data.ptr
    interface = x.__cuda_array_interface__
    assert interface == {
        "shape": (2, 3), "typestr": "<f8", "descr": [("", "<f8")], "data": (address, False),
        "strides": None, "stream": 42, "version": 3,
    }  # fmt: skip
    assert x.T.__cuda_array_interface__["strides"] == (8, 24)
    assert x[:, 1].__cuda_array_interface__["data"] == (address + 8, False)
    assert x[:0].__cuda_array_interface__["data"] == (0, False)
    assert xp.broadcast_to(x, (4, 2, 3)).__cuda_array_interface__["data"] == (address, True)
    STATE.streams[1] = stub.Stream(0, 1)
    assert x.__cuda_array_interface__["stream"] == 1  # 0 would say nothing
    assert STATE.device == 0


def test_only_gpus_of_cuda_have_its_array_interface(xp, monkeypatch):
    x = xp.ones(2)
    monkeypatch.delattr(stub.ndarray, "__cuda_array_interface__")  # as CuPy for ROCm
    for tensor in (x, x.to_device("cpu"), x.to_device("cpu").to_device("host:0")):
        assert not hasattr(tensor, "__cuda_array_interface__")


class CudaArray:
    """What has CUDA's array interface alone, such as Numba's arrays."""

    def __init__(self, read_only):
        self.array = np.arange(6.0)
        self.__cuda_array_interface__ = {
            "shape": (3,), "typestr": "<f8", "data": (self.array.ctypes.data, read_only),
            "strides": (16,), "version": 3,
        }  # fmt: skip


@pytest.mark.parametrize("read_only", [False, True])
def test_asarray_of_what_has_cuda_s_array_interface(module, namespace, read_only):
    namespace(module.CudaRuntime, "cuda:0")
    array = CudaArray(read_only)
    x = corepy.asarray(array)
    assert x.device == "cuda:0" and x.to_device("cpu").tolist() == [0.0, 2.0, 4.0]
    array.array[2] = 7.0
    assert x.to_device("cpu").tolist() == [0.0, 7.0, 4.0]
    assert corepy.asarray(array, device="cpu").tolist() == [0.0, 7.0, 4.0]
    copied = corepy.asarray(array, dtype=corepy.float32, copy=True)
    assert copied.device == "cuda:0" and copied.dtype == np.float32
    if read_only:
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1.0
    else:
        x[0] = 1.0
        assert array.array[0] == 1.0


class Exporter:
    """Memory of the host that says it is a GPU's."""

    def __init__(self, kind):
        self.array, self.kind = np.arange(3.0), kind

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, **params):
        return self.array.__dlpack__()


@pytest.mark.parametrize("kind", [2, 13])
def test_dlpack_comes_in_from_gpus(module, namespace, monkeypatch, kind):
    namespace(module.CudaRuntime, "cuda:0")
    exporter = Exporter(kind)
    monkeypatch.setattr(
        sys.modules["cupy"], "from_dlpack", lambda x: x.array.view(stub.ndarray), raising=True
    )
    x = corepy.from_dlpack(exporter)
    assert x.device == "cuda:0"
    exporter.array[0] = 7.0
    assert x.to_device("cpu").tolist() == [7.0, 1.0, 2.0]
    copied = corepy.from_dlpack(exporter, copy=True)
    exporter.array[0] = 8.0
    assert copied.to_device("cpu").tolist() == [7.0, 1.0, 2.0]
    assert corepy.from_dlpack(exporter, device="cpu").tolist() == [8.0, 1.0, 2.0]
    monkeypatch.setattr(stub.ndarray, "__dlpack_device__", lambda x: (kind, 0), raising=False)
    with pytest.raises(ValueError, match="needs a copy"):
        corepy.from_dlpack(exporter, device="cpu", copy=False)


def test_memory_of_a_dlpack_exporter_is_not_read_later(module, namespace, monkeypatch):
    """The exporter writes to it without any reference that the runtime could count."""
    namespace(module.CudaRuntime, "cuda:0")
    exporter = Exporter(2)

    def from_dlpack(x):
        shared = exporter.array.view(stub.ndarray)
        shared.memory = stub.MemoryPointer(stub.DLPackMemory(exporter.array, 0), 0)
        return shared

    monkeypatch.setattr(sys.modules["cupy"], "from_dlpack", from_dlpack, raising=True)
    x = corepy.from_dlpack(exporter)
    with corepy.config(fusion_threshold=0), corepy.fuse():
        y = x + 1
        assert not is_deferred(y)
        exporter.array[:] = 9.0
    assert y.to_device("cpu").tolist() == [1.0, 2.0, 3.0]
    assert x.to_device("cpu").tolist() == [9.0, 9.0, 9.0]


def test_dlpack_of_a_gpu_says_what_is_missing():
    if "cuda:0" in map(str, corepy.backend.available_devices()):
        pytest.skip("there is a GPU")
    with pytest.raises(ValueError, match="there is no device 'cuda:0' here"):
        corepy.from_dlpack(Exporter(2))
