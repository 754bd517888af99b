"""A stub of what `corepy._gpu.cuda` uses of CuPy and the driver, over the host's memory.

Two devices, whose memory is the host's and whose kernels are compiled by the host runtime. Copies
are done at once, which is one of the orders that streams allow. Everything is counted, so that
tests can tell what was asked of which device; what is not stubbed is an AttributeError, and what
CuPy 14 or the driver refuses is refused: copies that their kind does not name, streams and events
of another device, options that CuPy gives to NVRTC itself.
"""

from __future__ import annotations

import ctypes
import sys
import types
import weakref
from pathlib import Path
from typing import Any

import array_api_compat.numpy
import numpy as np

import corepy._gpu.runtime as gpu_runtime


class CUDARuntimeError(RuntimeError):
    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"status {status}")


class CUDADriverError(CUDARuntimeError):
    pass


class OutOfMemoryError(MemoryError):
    pass


class BaseMemory:
    """Memory of any kind: CuPy's own, or another library's."""


class Memory(BaseMemory):
    """A block of a device's memory."""

    def __init__(self, nbytes: int, device: int, owner: np.ndarray | None = None) -> None:
        self.owner = np.full(nbytes + 64, 0xA5, np.uint8) if owner is None else owner
        address = self.owner.ctypes.data
        self.ptr = address if owner is not None else address + -address % 64
        self.size = nbytes
        self.device_id = device
        MEMORY.add(self)


#: All that is alive: pinned memory has device -1.
MEMORY: weakref.WeakSet[Memory | DLPackMemory] = weakref.WeakSet()


def device_of(address: int, nbytes: int) -> int:
    """Return the device whose memory is at an address; -1 for the host's."""
    for block in MEMORY:
        if block.ptr <= address and address + nbytes <= block.ptr + max(block.size, 1):
            return block.device_id
    return -1


class UnownedMemory(BaseMemory):
    """Memory that something else has."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int) -> None:
        self.ptr, self.size, self._owner, self.device_id = ptr, size, owner, device_id


class DLPackMemory(BaseMemory):
    """Memory of a DLPack exporter. It says nothing of the exporter, as in CuPy."""

    def __init__(self, array: np.ndarray, device_id: int) -> None:
        self._array, self.ptr, self.size = array, array.ctypes.data, array.nbytes
        self.device_id = device_id
        MEMORY.add(self)


class MemoryPointer:
    def __init__(self, mem: Memory | UnownedMemory | DLPackMemory, offset: int) -> None:
        assert mem.ptr or not offset
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id


class _View:
    def __init__(self, memory: MemoryPointer, **interface: Any) -> None:
        self.memory = memory
        self.__array_interface__ = {**interface, "version": 3}


class ndarray(np.ndarray):
    """An ndarray that knows its memory, as CuPy's."""

    memory: MemoryPointer | None = None

    def __new__(cls, shape, dtype=float, memptr=None, strides=None):
        dtype = np.dtype(dtype)
        if memptr is None:
            nbytes = max(int(np.prod(shape)) * dtype.itemsize, 1)
            memptr = MemoryPointer(Memory(nbytes, STATE.device), 0)
        view = _View(
            memptr, data=(memptr.ptr, False), shape=tuple(shape), strides=strides,
            typestr=dtype.str,
        )  # fmt: skip
        array = np.asarray(view).view(cls)
        array.memory = memptr
        return array

    @property
    def data(self):
        if self.memory is None or self.memory.ptr != self.ctypes.data:
            device = STATE.device if self.memory is None else self.memory.device_id
            self.memory = MemoryPointer(Memory(self.nbytes, device, np.asarray(self)), 0)
        return self.memory

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        assert self.data.device_id == STATE.device  # or the stream is another device's
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "data": (self.data.ptr if self.size else 0, False),
            "strides": None if self.flags.c_contiguous else self.strides,
            "stream": STATE.streams[STATE.device].ptr or 1,
            "version": 3,
        }


def _asarray(x: Any) -> ndarray:
    interface = {**x.__cuda_array_interface__}
    address, nbytes = interface["data"][0], x.array.nbytes
    assert x.array.ctypes.data == address
    memory = MemoryPointer(UnownedMemory(address, nbytes, x, 0), 0)
    array = np.asarray(_View(memory, **{**interface, "data": (address, False)})).view(ndarray)
    array.memory = memory
    return array


def _from_dlpack(exporter: Any) -> ndarray:
    array = np.from_dlpack(exporter)
    shared = array.view(ndarray)
    shared.memory = MemoryPointer(DLPackMemory(array, STATE.device), 0)
    return shared


def _ascontiguousarray(x: ndarray) -> ndarray:
    if x.ndim and x.flags.c_contiguous:
        return x
    copied = np.array(x, order="C", ndmin=1).view(ndarray)  # as in NumPy, it has an axis
    assert copied.data.device_id == STATE.device  # it is made where that is current
    return copied


class Event:
    """An event of the device that is current when it is made."""

    def __init__(self, disable_timing: bool = False) -> None:
        self.device, self.recorded = STATE.device, False

    def record(self, stream: Stream) -> None:
        device = STATE.device if stream.device_id == -1 else stream.device_id
        if device != self.device:
            raise CUDARuntimeError(400)
        self.recorded = True

    @property
    def done(self) -> bool:
        return self.recorded and not STATE.busy

    def synchronize(self) -> None:
        assert self.recorded
        STATE.log.append("event.synchronize")


class Stream:
    def __init__(self, ptr: int = 0, device_id: int = -1) -> None:
        self.ptr, self.device_id = ptr, device_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.ptr == other.ptr

    def __hash__(self) -> int:
        return self.ptr

    @classmethod
    def from_external(cls, stream: Any) -> Stream:
        version, ptr = stream.__cuda_stream__()
        assert version == 0
        return cls(ptr)

    def wait_event(self, event: Event) -> None:
        assert event.recorded
        STATE.log.append(f"stream {self.ptr} waits")

    def synchronize(self) -> None:
        STATE.log.append(f"device {STATE.device} stream {self.ptr} synchronize")

    def __enter__(self) -> None:
        if self.device_id not in (-1, STATE.device):
            raise RuntimeError("the stream's device is not the current device")
        self._before = STATE.streams[STATE.device]
        STATE.streams[STATE.device] = self

    def __exit__(self, *error: object) -> None:
        STATE.streams[STATE.device] = self._before


class State:
    """What the stub has been asked, and what it is to answer."""

    def __init__(self) -> None:
        self.device = 0
        self.count = 2
        self.streams = [Stream(), Stream()]
        self.log: list[str] = []
        self.busy = False
        self.fail_allocations = 0  # how many more will fail
        self.fail_launches = 0
        self.context: int | None = 1000
        self.launches: list[tuple[int, int]] = []  # context and stream
        self.active = {0}  # devices with a context
        self.peers: set[tuple[int, int]] = set()


STATE = State()


def _set_device(device: int) -> None:
    if not 0 <= device < STATE.count:
        raise CUDARuntimeError(101)
    STATE.device, STATE.context = device, 1000 + device
    STATE.active.add(device)


def _enable_peer(peer: int) -> None:
    if peer == STATE.device:
        raise CUDARuntimeError(101)
    if (STATE.device, peer) in STATE.peers:
        raise CUDARuntimeError(704)
    STATE.peers.add((STATE.device, peer))
    STATE.log.append(f"peer access to {peer}")


def _alloc(nbytes: int) -> MemoryPointer:
    if not 0 < nbytes < 1 << 63:
        raise OverflowError(nbytes)
    if STATE.fail_allocations:
        STATE.fail_allocations -= 1
        raise OutOfMemoryError("no memory")
    return MemoryPointer(Memory(nbytes, STATE.device), 0)


def _memcpy(target: int, source: int, nbytes: int, kind: int, stream: int) -> None:
    on_device = device_of(source, nbytes) >= 0, device_of(target, nbytes) >= 0
    if on_device != ((False, True) if kind == 1 else (True, False)):
        raise CUDARuntimeError(1)
    STATE.log.append(f"copy kind {kind} stream {stream}")
    ctypes.memmove(target, source, nbytes)


def _memset(target: int, value: int, nbytes: int, stream: int) -> None:
    STATE.log.append(f"clear {nbytes} stream {stream}")
    ctypes.memset(target, value, nbytes)


def _memcpy_peer(target, to, source, origin, nbytes, stream) -> None:
    if (device_of(source, nbytes), device_of(target, nbytes)) != (origin, to):
        raise CUDARuntimeError(1)
    STATE.log.append(f"peer {origin} to {to}")
    ctypes.memmove(target, source, nbytes)


class _Pool:
    def used_bytes(self) -> int:
        return 100

    def free_bytes(self) -> int:
        return 200

    def get_limit(self) -> int:
        return 0

    def free_all_blocks(self) -> None:
        STATE.log.append(f"free_all_blocks on {STATE.device}")


def _stream_module() -> types.ModuleType:
    """Return what CuPy's module in C shows of itself: functions as capsules, by name."""
    module = types.ModuleType("cupy_backends.cuda.stream")
    module.function = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int)(
        lambda device: STATE.streams[device].ptr
    )
    module.signature = ctypes.c_char_p(b"intptr_t (int)")
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
    address = ctypes.cast(module.function, ctypes.c_void_p)
    module.__pyx_capi__ = {
        "get_stream_ptr": new(address, ctypes.cast(module.signature, ctypes.c_void_p), None)
    }
    return module


def driver_library(host: Any) -> dict[str, Any]:
    """Return the driver's functions by name; kernels are launched by the host runtime."""
    launch_type = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3
    )
    get_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p))
    set_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    host_launch = launch_type(host.launch_address)

    def launch(function, *arguments):
        if STATE.fail_launches:
            STATE.fail_launches -= 1
            return 1
        STATE.launches.append((STATE.context, arguments[7] or 0))
        return host_launch(function, *arguments)

    def get_context(where):
        where[0] = STATE.context
        return 0

    def set_context(context):
        STATE.context = context
        return 0

    def error_text(status, where):
        where._obj.value = f"CUDA_ERROR_{status}".encode()

    def state(device, flags, active):
        active._obj.value = device in STATE.active
        return 0

    return {
        "cuDevicePrimaryCtxGetState": state,
        "cuLaunchKernel": launch_type(launch),
        "cuCtxGetCurrent": get_type(get_context),
        "cuCtxSetCurrent": set_type(set_context),
        "cuGetErrorName": error_text,
        "cuGetErrorString": error_text,
    }


def install(host: Any, monkeypatch: Any) -> Any:
    """Make ``import cupy`` find the stub, and return `corepy._gpu.cuda` over it."""
    STATE.__init__()
    runtime = types.ModuleType("cupy.cuda.runtime")
    vars(runtime).update(
        CUDARuntimeError=CUDARuntimeError, is_hip=False,
        cudaDevAttrMultiProcessorCount=16,
        memcpyHostToDevice=1, memcpyDeviceToHost=2,
        getDeviceCount=lambda: STATE.count, getDevice=lambda: STATE.device,
        setDevice=_set_device,
        deviceSynchronize=lambda: STATE.log.append(f"device {STATE.device} synchronize"),
        deviceGetAttribute=lambda attribute, device: 1, memGetInfo=lambda: (10, 1000),
        memsetAsync=_memset, memcpyAsync=_memcpy, memcpyPeerAsync=_memcpy_peer,
        getDeviceProperties=lambda device: {"totalGlobalMem": 1 << 40},
        deviceCanAccessPeer=lambda a, b: 1, deviceEnablePeerAccess=_enable_peer,
    )  # fmt: skip
    driver = types.ModuleType("cupy.cuda.driver")
    driver.ctxGetCurrent, driver.CUDADriverError = lambda: STATE.context, CUDADriverError
    compiler = types.ModuleType("cupy.cuda.compiler")

    def compile_using_nvrtc(source, options=(), cache_in_memory=False):
        assert cache_in_memory
        # CuPy adds these itself, and before CUDA 12.9 NVRTC takes the first once only.
        assert not {"-default-device", "--device-as-default-execution-space"} & {*options}
        assert not any(option.startswith(("-arch", "--gpu-arch")) for option in options)
        assert [(Path(o[2:]) / "all.cuh").exists() for o in options if o.startswith("-I")] == [True]
        STATE.log.append("compile")
        include, line = source.strip().split("\n")
        assert include in {'#include "all.cuh"', '#include "shared.cuh"'}
        name, _, expression = line.removeprefix("COREPY_KERNEL(").removesuffix(")").partition(", ")
        assert name == gpu_runtime.ENTRY
        return expression.encode(), None

    compiler.compile_using_nvrtc = compile_using_nvrtc

    class Module:
        def load(self, image: bytes) -> None:
            self.image = image

        def get_function(self, name: str) -> Any:
            assert name == gpu_runtime.ENTRY
            return types.SimpleNamespace(ptr=host.kernel(self.image.decode(), 0))

    cuda = types.ModuleType("cupy.cuda")
    vars(cuda).update(
        runtime=runtime, driver=driver, compiler=compiler, alloc=_alloc, Event=Event,
        Stream=Stream, ExternalStream=Stream, MemoryPointer=MemoryPointer,
        Memory=Memory, MemoryAsync=Memory, ManagedMemory=Memory, UnownedMemory=UnownedMemory,
        memory=types.SimpleNamespace(PooledMemory=Memory),
        alloc_pinned_memory=lambda nbytes: MemoryPointer(Memory(nbytes, -1), 0),
        get_current_stream=lambda device: STATE.streams[device],
        function=types.SimpleNamespace(Module=Module),
        nvrtc=types.SimpleNamespace(getVersion=lambda: (13, 0)),
        Device=lambda: types.SimpleNamespace(compute_capability="90"),
    )  # fmt: skip
    cupy = types.ModuleType("cupy")
    pool = _Pool()
    vars(cupy).update(
        cuda=cuda, ndarray=ndarray, empty=ndarray, __version__="14.0",
        ascontiguousarray=_ascontiguousarray,
        asarray=_asarray, from_dlpack=_from_dlpack,
        get_default_memory_pool=lambda: pool, get_default_pinned_memory_pool=lambda: pool,
    )  # fmt: skip
    backends = types.ModuleType("cupy_backends")
    backends.cuda = types.ModuleType("cupy_backends.cuda")
    backends.cuda.stream = _stream_module()
    for module in (
        cupy, cuda, runtime, driver, compiler, backends, backends.cuda, backends.cuda.stream
    ):  # fmt: skip
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "array_api_compat.cupy", array_api_compat.numpy)
    monkeypatch.setattr(array_api_compat, "cupy", array_api_compat.numpy, raising=False)
    monkeypatch.delitem(sys.modules, "corepy._gpu.cuda", raising=False)
    module = __import__("corepy._gpu.cuda", fromlist=["cuda"])
    memory_of = module.CudaRuntime.memory_of
    # What NumPy, in the place of CuPy's functions, returns knows no memory.
    monkeypatch.setattr(
        module.CudaRuntime,
        "memory_of",
        lambda self, native: memory_of(
            self, native if isinstance(native, ndarray) else native.view(ndarray)
        ),
    )
    monkeypatch.setattr(module, "_open_driver", lambda: driver_library(host))
    monkeypatch.setitem(sys.modules, "corepy._gpu.cuda", module)
    return module
