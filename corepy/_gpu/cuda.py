"""The runtime over CuPy and the driver: NVIDIA's, or AMD's with CuPy's builds for ROCm.

Importing this imports CuPy; devices are touched when `CudaRuntime` is made.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import cupy
import cupy.cuda.compiler
import cupy_backends.cuda.stream
import numpy as np
from cupy.cuda import driver, runtime

from corepy._gpu import disk
from corepy._gpu.backend import address_in, launcher
from corepy._gpu.runtime import ENTRY, KERNELS, Runtime, digest_of_headers, source_of

# Contraction is off, as on the CPU: compensated sums and products depend on it. (CuPy's RawModule
# adds -ftz=true, which flushes subnormal numbers, so compile_using_nvrtc is called directly. It
# adds the architecture, and makes functions without execution space specifiers device functions.)
OPTIONS = ("-std=c++17", "-ffp-contract=off" if runtime.is_hip else "-fmad=false")

#: Blocks of a launch for each multiprocessor: several times the number of resident blocks.
BLOCKS = 32

#: Bytes of a chunk of a large transfer; the host copies one while another is transferred.
CHUNK = 16 << 20

#: Bytes up to which the driver's staging is as fast.
SMALL_DOWNLOAD = 256 << 10

#: Statuses, the same in the driver, in CUDA's runtime and in HIP; CuPy has no names for them.
OUT_OF_MEMORY, PEER_ACCESS_ALREADY_ENABLED = 2, 704

#: The handle of the default stream of each thread (CUPY_CUDA_PER_THREAD_DEFAULT_STREAM), in CUDA
#: and in HIP.
PER_THREAD_STREAM = 2

#: Memory that CuPy allocates. Other classes, such as that of DLPack, have other libraries' memory.
OWN_MEMORY = (
    cupy.cuda.memory.PooledMemory, cupy.cuda.Memory, cupy.cuda.MemoryAsync, cupy.cuda.ManagedMemory,
)  # fmt: skip


class _EntryPoint(ctypes.Structure):
    """An ``EntryPoint`` of driver.hpp: the function to launch."""

    _fields_ = (("function", ctypes.c_void_p), ("context", ctypes.c_void_p))


class _Handle:
    """A stream's handle, in the ``__cuda_stream__`` protocol."""

    def __init__(self, handle: int, owner: Any) -> None:
        self._handle = handle
        self._owner = owner  # keeps the handle valid

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


class _On:
    """A context in which a device is the current one."""

    __slots__ = ("_before", "_device")

    def __init__(self, device: int) -> None:
        self._device = device

    def __enter__(self) -> None:
        self._before = runtime.getDevice()
        if self._before != self._device:
            runtime.setDevice(self._device)

    def __exit__(self, *error: object) -> None:
        if self._before != self._device:
            runtime.setDevice(self._before)


class CudaRuntime(Runtime):
    """Memory of CuPy's pool, kernels of NVRTC, and the driver's launch."""

    def __init__(self) -> None:
        self._library = _open_driver()
        names = ("hipModuleLaunchKernel", "hipCtxGetCurrent", "hipCtxSetCurrent")
        if not runtime.is_hip:
            names = ("cuLaunchKernel", "cuCtxGetCurrent", "cuCtxSetCurrent")
        self.launch_address = launcher(*(_address(self._library[name]) for name in names))
        self.stream_address = _stream_function()
        self._count = runtime.getDeviceCount()
        if self._count == 1:
            self.allocate_here = cupy.cuda.alloc
        self._here = nullcontext()
        attribute = runtime.cudaDevAttrMultiProcessorCount
        self._blocks = [
            BLOCKS * runtime.deviceGetAttribute(attribute, device) for device in range(self._count)
        ]
        self._lock = threading.RLock()  # of kernels, held while one is compiled
        self._reading = threading.Lock()  # of pinned memory
        self._kernels: dict[tuple[str, int], tuple[_EntryPoint, Any]] = {}
        #: Pinned memory that devices have not read yet, with the events after the reads.
        self._unread: deque[tuple[Any, Any]] = deque()
        self._peers: set[tuple[int, int]] = set()

    # ---- devices and streams

    def count(self) -> int:
        return self._count

    def blocks(self, device: int) -> int:
        return self._blocks[device]

    def on(self, device: int) -> AbstractContextManager[Any]:
        return self._here if self._count == 1 else _On(device)

    @contextmanager
    def on_stream(self, stream: Any, device: int) -> Any:
        with self.on(device):
            current = cupy.cuda.get_current_stream(device)
            chosen = _stream_of(stream, device)
            if chosen.device_id not in (-1, device):  # -1: a handle, whose device is unknown
                raise ValueError(
                    f"to_device: stream must be of device {device}, got one of {chosen.device_id}"
                )
            if chosen.ptr == current.ptr:
                yield
                return
            # The chosen stream waits for the current one.
            before = cupy.cuda.Event(disable_timing=True)
            before.record(current)
            chosen.wait_event(before)
            with chosen:
                yield

    def synchronize(self) -> None:
        self._on_each_active(lambda device: cupy.cuda.get_current_stream(device).synchronize())

    def synchronize_devices(self) -> None:
        self._on_each_active(lambda device: runtime.deviceSynchronize())

    def current_stream(self, device: int) -> Any:
        stream = cupy.cuda.get_current_stream(device)
        # One handle stands for the default streams of all threads.
        return threading.current_thread() if stream.ptr == PER_THREAD_STREAM else stream

    def _on_each_active(self, call: Callable[[int], Any]) -> None:
        """Call a function for each device that has a context, while it is the current one."""
        for device in range(self._count):
            if self._count == 1 or self._is_active(device):
                with self.on(device):
                    call(device)

    def _is_active(self, device: int) -> bool:
        """Return whether a device has a context: making it current would create one."""
        flags, active = ctypes.c_uint(), ctypes.c_int()
        name = f"{'hip' if runtime.is_hip else 'cu'}DevicePrimaryCtxGetState"
        status = self._library[name](device, ctypes.byref(flags), ctypes.byref(active))
        return status != 0 or bool(active.value)

    # ---- memory

    def allocate(self, nbytes: int, device: int) -> Any:
        if self._count > 1 and runtime.getDevice() != device:
            with self.on(device):
                return self.allocate(nbytes, device)
        return self.with_memory_freed(
            lambda: _allocate(nbytes),
            lambda error: f"cannot allocate {nbytes:,} bytes",
            device,
        )

    def allocate_mapped(self, nbytes: int) -> Any:
        # With unified addressing, pinned memory is mapped at the same address on every device.
        memory = cupy.cuda.alloc_pinned_memory(nbytes)
        ctypes.memset(memory.ptr, 0, nbytes)
        return memory

    def is_short(self, error: Exception) -> bool:
        return isinstance(error, OverflowError) or _is_short(error)  # a size out of range

    def with_memory_freed(
        self, call: Callable[[], Any], described: Callable[[Exception], str], device: int
    ) -> Any:
        try:
            return call()
        except Exception as error:  # its references to memory end with this block
            if not _is_short(error):
                raise
        self.empty_cache(device)
        try:
            return call()
        except Exception as error:
            if not _is_short(error):
                raise
            text = described(error)
        raise MemoryError(f"{text} on {self._describe(device)}")

    def _describe(self, device: int) -> str:
        """Return a description of a device and its memory."""
        stats = self.memory_stats(device)
        kind = "rocm" if runtime.is_hip else "cuda"
        limit = f", limit {stats['limit']:,}" if stats["limit"] else ""
        return (
            f"{kind}:{device} (bytes free {stats['free']:,} of {stats['total']:,}; "
            f"of CuPy's pool: in use {stats['in_use']:,}, cached {stats['cached']:,}{limit})"
        )

    def memory_of(self, native: Any) -> tuple[Any, int, int]:
        pointer = native.data
        memory = pointer.mem
        if isinstance(memory, cupy.cuda.UnownedMemory):
            memory = memory._owner
        return memory, pointer.ptr, pointer.device_id

    def is_own(self, memory: Any) -> bool:
        return isinstance(memory, OWN_MEMORY)

    def array(
        self, memory: Any, address: int, shape: tuple[int, ...], dtype: np.dtype,
        strides: tuple[int, ...], device: int,
    ) -> Any:  # fmt: skip
        nbytes = math.prod(shape) * dtype.itemsize
        block = cupy.cuda.UnownedMemory(address, nbytes, memory, device)
        return cupy.ndarray(shape, dtype, cupy.cuda.MemoryPointer(block, 0), strides)

    def memory_stats(self, device: int) -> dict[str, int]:
        pool = cupy.get_default_memory_pool()
        with self.on(device):
            free, total = runtime.memGetInfo()
            return {
                "in_use": pool.used_bytes(),
                "cached": pool.free_bytes(),
                "limit": pool.get_limit(),
                "free": free,
                "total": total,
            }

    def total_memory(self, device: int) -> int:
        return int(runtime.getDeviceProperties(device)["totalGlobalMem"])

    def empty_cache(self, device: int) -> None:
        with self.on(device):
            cupy.get_default_memory_pool().free_all_blocks()
        with self._reading:
            self._release_read()
        cupy.get_default_pinned_memory_pool().free_all_blocks()

    # ---- transfers

    def clear(self, address: int, nbytes: int, device: int) -> None:
        with self.on(device):
            stream = cupy.cuda.get_current_stream(device)
            runtime.memsetAsync(address, 0, nbytes, stream.ptr)

    def upload(self, array: np.ndarray, address: int, device: int) -> None:
        source, nbytes = array.ctypes.data, array.nbytes
        with self._reading:
            self._release_read()
        with self.on(device):
            stream = cupy.cuda.get_current_stream(device)
            if nbytes <= CHUNK:
                self._send(source, address, nbytes, stream)
                return
            # Two chunks of pinned memory: the host fills one while the device reads the other.
            staging = [cupy.cuda.alloc_pinned_memory(CHUNK) for _ in range(2)]
            events = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
            for number, start in enumerate(range(0, nbytes, CHUNK)):
                which, length = number % 2, min(CHUNK, nbytes - start)
                if number >= 2:
                    events[which].synchronize()
                _copy(staging[which].ptr, source + start, length)
                runtime.memcpyAsync(
                    address + start, staging[which].ptr, length, runtime.memcpyHostToDevice,
                    stream.ptr,
                )  # fmt: skip
                events[which].record(stream)
            self._unread.extend(zip(events, staging, strict=True))

    def _send(self, source: int, address: int, nbytes: int, stream: Any) -> None:
        """Copy up to a chunk to a device through pinned memory, asynchronously."""
        staging = cupy.cuda.alloc_pinned_memory(nbytes)
        ctypes.memmove(staging.ptr, source, nbytes)
        runtime.memcpyAsync(address, staging.ptr, nbytes, runtime.memcpyHostToDevice, stream.ptr)
        event = cupy.cuda.Event(disable_timing=True)
        event.record(stream)
        self._unread.append((event, staging))

    def _release_read(self) -> None:
        """Release pinned memory that devices have read."""
        while self._unread and self._unread[0][0].done:
            self._unread.popleft()

    def download(self, native: Any, device: int) -> np.ndarray:
        out = np.empty(native.shape, native.dtype)
        if out.nbytes == 0:
            return out
        with self.on(device):
            native = cupy.ascontiguousarray(native)
            stream = cupy.cuda.get_current_stream(device)
            if out.nbytes <= SMALL_DOWNLOAD:
                runtime.memcpyAsync(
                    out.ctypes.data, native.data.ptr, out.nbytes, runtime.memcpyDeviceToHost,
                    stream.ptr,
                )  # fmt: skip
                stream.synchronize()
            else:
                self._receive(native.data.ptr, out, stream)
        return out

    def _receive(self, address: int, out: np.ndarray, stream: Any) -> None:
        """Copy from a device in chunks: the device fills one while the host copies the other."""
        nbytes, target = out.nbytes, out.ctypes.data
        staging = [cupy.cuda.alloc_pinned_memory(min(CHUNK, nbytes)) for _ in range(2)]
        events = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
        starts = range(0, nbytes, CHUNK)

        def request(number: int) -> None:
            start = starts[number]
            runtime.memcpyAsync(
                staging[number % 2].ptr, address + start, min(CHUNK, nbytes - start),
                runtime.memcpyDeviceToHost, stream.ptr,
            )  # fmt: skip
            events[number % 2].record(stream)

        request(0)
        for number, start in enumerate(starts):
            if number + 1 < len(starts):
                request(number + 1)
            events[number % 2].synchronize()
            _copy(target + start, staging[number % 2].ptr, min(CHUNK, nbytes - start))

    def move(self, native: Any, device: int) -> Any:
        source, shape = native.data.device_id, native.shape
        with self.on(source):
            native = cupy.ascontiguousarray(native)  # at least one axis
            written = cupy.cuda.Event(disable_timing=True)
            written.record(cupy.cuda.get_current_stream(source))
        with self.on(device):
            self._enable_peer(device, source)
            out = cupy.empty(shape, native.dtype)
            stream = cupy.cuda.get_current_stream(device)
            stream.wait_event(written)
            if out.nbytes:
                runtime.memcpyPeerAsync(
                    out.data.ptr, device, native.data.ptr, source, out.nbytes, stream.ptr
                )
            read = cupy.cuda.Event(disable_timing=True)
            read.record(stream)
        with self.on(source):
            # Memory of the source may be reused in its stream, which must wait for the copy.
            cupy.cuda.get_current_stream(source).wait_event(read)
        return out

    def _enable_peer(self, device: int, peer: int) -> None:
        """Enable peer access if possible; otherwise the driver stages copies."""
        if (device, peer) in self._peers:
            return
        if runtime.deviceCanAccessPeer(device, peer):
            try:
                runtime.deviceEnablePeerAccess(peer)
            except runtime.CUDARuntimeError as error:
                if error.status != PEER_ACCESS_ALREADY_ENABLED:
                    raise
        self._peers.add((device, peer))

    def from_dlpack(self, exporter: Any) -> Any:
        _, index = exporter.__dlpack_device__()
        with self.on(int(index)):  # CuPy passes the current stream of that device
            return cupy.from_dlpack(exporter)

    def from_cuda_array(self, exporter: Any) -> Any:
        return cupy.asarray(exporter)

    # ---- kernels

    def kernel(self, expression: str, device: int) -> int:
        with self._lock:
            if (expression, device) not in self._kernels:
                with self.on(device):
                    self._kernels[expression, device] = self.with_memory_freed(
                        lambda: self._load(expression),
                        lambda error: f"{expression}: {error}",
                        device,
                    )
            entry, _ = self._kernels[expression, device]
        return ctypes.addressof(entry)

    def _load(self, expression: str) -> tuple[_EntryPoint, Any]:
        """Return the entry point of a kernel on the current device, and an object that keeps it."""
        runtime.memGetInfo()  # creates a context in threads that have none
        module = cupy.cuda.function.Module()
        module.load(compiled(expression))
        function = module.get_function(ENTRY)
        return _EntryPoint(function.ptr, driver.ctxGetCurrent()), function

    def fail(self, function: str, status: int) -> None:
        name, text = _error_name(self._library, status)
        if status == OUT_OF_MEMORY:
            raise MemoryError(f"{function}: {name} ({text})")
        raise RuntimeError(f"{function}: the launch failed: {name} ({text})")

    # ---- everything else

    def namespace(self) -> Any:
        import array_api_compat.cupy

        return array_api_compat.cupy


# ---- compiling


def compiled(expression: str) -> bytes:
    """Return the image of a kernel for the current device, from the disk cache if possible."""
    capability = _architecture()
    key = "\n".join(
        [digest_of_headers(), expression, capability, *OPTIONS, str(cupy.cuda.nvrtc.getVersion())]
    )
    image = disk.read(key)
    if image is None:
        image, _ = cupy.cuda.compiler.compile_using_nvrtc(
            source_of(expression), options=(*OPTIONS, f"-I{KERNELS}"), cache_in_memory=True
        )
        disk.write(key, image)
    return image


def _architecture() -> str:
    """Return the architecture of the current device."""
    if runtime.is_hip:
        return str(runtime.getDeviceProperties(runtime.getDevice())["gcnArchName"])
    return cupy.cuda.Device().compute_capability


# ---- the driver


def _open_driver() -> ctypes.CDLL:
    return ctypes.CDLL("libamdhip64.so" if runtime.is_hip else "libcuda.so.1")


def _stream_function() -> int:
    """Return the address of CuPy's C function for a device's current stream."""
    signature = "intptr_t (int)"
    functions = getattr(cupy_backends.cuda.stream, "__pyx_capi__", {})
    address = address_in(functions.get("get_stream_ptr"), signature)
    if not address:
        raise RuntimeError(
            f"this version of CuPy ({cupy.__version__}) is not supported: "
            f"cupy_backends.cuda.stream has no get_stream_ptr of type {signature}"
        )
    return address


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _error_name(library: ctypes.CDLL, status: int) -> tuple[str, str]:
    """Return the driver's name and description of a status."""
    found = []
    for function in ("ErrorName", "ErrorString"):
        text = ctypes.c_char_p()
        if runtime.is_hip:
            get = library[f"hipGet{function}"]
            get.restype = ctypes.c_char_p
            text = ctypes.c_char_p(get(status))
        else:
            library[f"cuGet{function}"](status, ctypes.byref(text))
        found.append((text.value or b"unknown").decode())
    return found[0], found[1]


def _allocate(nbytes: int) -> Any:
    try:
        return cupy.cuda.alloc(nbytes)
    except OverflowError as error:  # more than the pool can count
        raise MemoryError(str(error)) from None


def _is_short(error: Exception) -> bool:
    """Return whether an error of the pool, CUDA or a library means that memory is short."""
    if isinstance(error, (runtime.CUDARuntimeError, driver.CUDADriverError)):
        return error.status == OUT_OF_MEMORY
    return isinstance(error, MemoryError) or "ALLOC_FAILED" in str(error)


def _stream_of(stream: Any, device: int) -> Any:
    """Return a CuPy stream for a CuPy stream, a handle, or a stream of another library."""
    if isinstance(stream, (cupy.cuda.Stream, cupy.cuda.ExternalStream)):
        return stream
    handle = getattr(stream, "cuda_stream", stream)  # older versions of PyTorch
    if hasattr(stream, "__cuda_stream__"):
        handle = stream.__cuda_stream__()[1]
    if isinstance(handle, bool) or not isinstance(handle, int) or handle < 0:
        raise TypeError(
            "to_device: stream must be a CuPy stream, a handle (an int) or an object with "
            "__cuda_stream__, "
            f"got {stream!r}"
        )
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(_Handle(handle, stream))
    return cupy.cuda.ExternalStream(handle, device)  # CuPy 13 and before


def _copy(target: int, source: int, nbytes: int) -> None:
    """Copy in host memory, with Corepy's threads."""
    from corepy._cython.core import asarray

    views = [
        asarray(np.ctypeslib.as_array((ctypes.c_uint8 * nbytes).from_address(address)))
        for address in (target, source)
    ]
    views[0][...] = views[1]
