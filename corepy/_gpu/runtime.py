"""The interface of a GPU backend to its libraries: memory, transfers, streams, kernels.

`corepy._gpu.cuda` implements it with CuPy and the driver; tests implement it with host memory and
the host compiler (tests/gpu/host), to test the backend without a GPU.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

#: The folder of the sources of kernels.
KERNELS = Path(__file__).resolve().parent / "kernels"

#: What kernels contain that need functions of the CPU's kernels (shared.cuh).
SHARED = re.compile(r"complex|op::(gelu|gelu_tanh|hypot|pow|sigmoid|silu)<")

#: Name of the entry point in the result of `source_of`.
ENTRY = "corepy_kernel"


def source_of(*expressions: str) -> str:
    """Return CUDA C++ with an entry point for each kernel class.

    The first is named `ENTRY`, the others `ENTRY` followed by their index.
    """
    lines = [
        f"COREPY_KERNEL({ENTRY}{number or ''}, {expression})"
        for number, expression in enumerate(expressions)
    ]
    header = "shared.cuh" if any(map(SHARED.search, expressions)) else "all.cuh"
    return "\n".join([f'#include "{header}"', *lines, ""])


@cache
def digest_of_headers() -> str:
    """Return a digest of all headers that `source_of` includes, for keys of caches."""
    text = hashlib.sha256()
    shared = KERNELS.parents[1] / "_cython"
    patterns = ("schema/*.def", "layout/*.hpp", "kernels/*.hpp", "kernels/simd/**/*.hpp")
    others = [path for pattern in patterns for path in sorted(shared.glob(pattern))]
    for path in [*sorted(KERNELS.glob("*.cuh")), *others]:
        text.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return text.hexdigest()


class Runtime(ABC):
    """Memory, transfers, streams and kernels of the devices of one kind.

    Devices are numbered from 0. All addresses are ints. A *native* array is one of the library
    (``cupy.ndarray``); *memory* is any object that keeps a block alive; new memory has its address
    as ``ptr``. A runtime is created when a device of its kind is first used.

    Attributes
    ----------
    launch_address : int
        Address of a C function that takes ``cuLaunchKernel``'s arguments, with the result of
        `kernel` as the function, and returns a status, 0 for success. It may be called in any
        thread, and keeps the current device.
    stream_address : int
        Address of a C function that takes a device's number, with the GIL held, and returns the
        handle of the calling thread's current stream there (``intptr_t``); -1 if it raises.
    allocate_here : callable or None
        A faster `allocate` for a single device: takes a number of bytes and returns memory, or
        raises; `is_short` tells which errors mean that the cache should be emptied. None with
        several devices.
    """

    launch_address: int
    stream_address: int
    allocate_here: Callable[[int], Any] | None = None

    # ---- devices and streams

    @abstractmethod
    def count(self) -> int:
        """Return the number of devices."""

    @abstractmethod
    def blocks(self, device: int) -> int:
        """Return the most blocks of a launch, a multiple of the resident blocks of a device."""

    def on(self, device: int) -> AbstractContextManager[Any]:
        """Return a context in which a device is the library's current one."""
        return nullcontext()

    def on_stream(self, stream: Any, device: int) -> AbstractContextManager[Any]:
        """Return a context in which a stream, given by a user, is the device's current one."""
        raise ValueError(f"to_device: these devices have no streams, got stream={stream!r}")

    @abstractmethod
    def synchronize(self) -> None:
        """Wait for all work in the current streams of all devices."""

    def synchronize_devices(self) -> None:
        """Wait for all work in all streams of all devices."""
        self.synchronize()

    def current_stream(self, device: int) -> Any:
        """Return an object that equals those of the same stream alone.

        While it is referenced, no other stream has the handle of its stream. The default stream is
        not asked for.
        """
        raise ValueError("these devices have no streams")

    # ---- memory

    @abstractmethod
    def allocate(self, nbytes: int, device: int) -> Any:
        """Return new memory of at least one byte, aligned to 16 bytes.

        Raises
        ------
        MemoryError
            There is not enough, even after the cache was emptied; the message has the sizes.
        """

    def is_short(self, error: Exception) -> bool:
        """Return whether an error of `allocate_here` means that there is not enough memory."""
        return isinstance(error, MemoryError)

    def with_memory_freed(
        self, call: Callable[[], Any], described: Callable[[Exception], str], device: int
    ) -> Any:
        """Call a function of the library that may allocate memory of a device.

        If there is not enough, the cache is emptied and the function called again.

        Raises
        ------
        MemoryError
            There is still not enough; the message is `described`, and has the sizes.
        """
        return call()

    @abstractmethod
    def memory_of(self, native: Any) -> tuple[Any, int, int]:
        """Return the memory of a native array, the address of its first element, the device.

        For results of `array` and their views it is the `memory` that `array` was given.
        """

    def is_own(self, memory: Any) -> bool:
        """Return whether memory of a native array is written to only through references to it.

        Memory of another library, of which the native library has a reference, is not.
        """
        return False

    def is_read_only(self, native: Any) -> bool:
        """Return whether a native array must not be written to."""
        return False

    @abstractmethod
    def array(
        self, memory: Any, address: int, shape: tuple[int, ...], dtype: np.dtype,
        strides: tuple[int, ...], device: int,
    ) -> Any:  # fmt: skip
        """Return a native array at an address; it keeps `memory`, any object, alive."""

    @abstractmethod
    def allocate_mapped(self, nbytes: int) -> Any:
        """Return new memory of the host, all zeros, that all devices can write to at its address.

        What a kernel wrote is there after the kernel was waited for.
        """

    @abstractmethod
    def memory_stats(self, device: int) -> dict[str, int]:
        """Return the counts of the memory pool; see `corepy.memory.stats`."""

    @abstractmethod
    def total_memory(self, device: int) -> int:
        """Return the bytes of memory of a device, without creating a context."""

    @abstractmethod
    def empty_cache(self, device: int) -> None:
        """Return the memory that the pool has cached to the device."""

    # ---- transfers

    @abstractmethod
    def clear(self, address: int, nbytes: int, device: int) -> None:
        """Fill memory of a device with zeros, in its current stream."""

    @abstractmethod
    def upload(self, array: np.ndarray, address: int, device: int) -> None:
        """Copy a C-contiguous ndarray to a device; it may change once this returns."""

    @abstractmethod
    def download(self, native: Any, device: int) -> np.ndarray:
        """Return a new ndarray with the elements of a native array, after the copy is complete."""

    @abstractmethod
    def move(self, native: Any, device: int) -> Any:
        """Return a new native array on another device, with the elements of `native`."""

    @abstractmethod
    def from_dlpack(self, exporter: Any) -> Any:
        """Return a native array over the memory of a DLPack exporter on one of the devices."""

    def from_cuda_array(self, exporter: Any) -> Any:
        """Return a native array over the memory of an object with ``__cuda_array_interface__``."""
        raise BufferError("asarray: these are not CUDA devices")

    # ---- kernels

    @abstractmethod
    def kernel(self, expression: str, device: int) -> int:
        """Return the function argument of `launch_address` for a kernel, compiled if necessary.

        Parameters
        ----------
        expression : str
            The kernel's class in C++: ``"corepy::Run<...>"``.
        device : int
            The device of launches.
        """

    def fail(self, function: str, status: int) -> None:
        """Raise an error for the status of a launch."""
        raise RuntimeError(f"{function}: the launch failed with status {status}")

    # ---- everything else

    @abstractmethod
    def namespace(self) -> Any:
        """Return the array API namespace of native arrays."""
