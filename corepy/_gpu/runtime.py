"""The interface of a GPU backend to the libraries below: memory, transfers, streams, kernels.

`corepy._gpu.cuda` implements it with CuPy and the driver, and the tests with the host's memory and
compiler (tests/gpu/host), so that the rest of the backend is tested without a GPU.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

#: The folder of the kernels' sources, and that of lists which these include.
KERNELS = Path(__file__).resolve().parent / "kernels"
SCHEMA = KERNELS.parents[1] / "_cython" / "schema"

#: Name of the entry point in what `source_of` returns.
ENTRY = "corepy_kernel"


def source_of(*expressions: str) -> str:
    """Return CUDA C++ with an entry point for each kernel class.

    The first is called `ENTRY`, the others `ENTRY` with their position behind it.
    """
    lines = [
        f"COREPY_KERNEL({ENTRY}{number or ''}, {expression})"
        for number, expression in enumerate(expressions)
    ]
    return "\n".join(['#include "all.cuh"', *lines, ""])


@cache
def digest_of_headers() -> str:
    """Return a digest of all headers that `source_of` includes, for keys of caches."""
    text = hashlib.sha256()
    for path in [*sorted(KERNELS.glob("*.cuh")), *sorted(SCHEMA.glob("*.def"))]:
        text.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return text.hexdigest()


class Runtime(ABC):
    """Memory, transfers, streams and kernels of the devices of one kind.

    Devices are numbered from 0. All addresses are ints. An array is *native* when it is the
    library's own (``cupy.ndarray``); *memory* is any object that keeps a block alive, and has its
    address as ``ptr`` if it is new. A runtime is made when a device of its kind is first used.

    Attributes
    ----------
    launch_address : int
        Address of a C function that takes ``cuLaunchKernel``'s arguments and returns a status, 0
        for success. What it takes for a function is what `kernel` returns. It may be called in
        any thread, whichever device is current there, and leaves that device current.
    stream_address : int
        Address of a C function that takes a device's number, with Python's lock held, and returns
        the handle of the calling thread's current stream there (``intptr_t``); -1 where it raises.
    allocate_here : callable or None
        Does for every operation what `allocate` does, in less time: takes a number of bytes and
        returns memory on the only device, or raises; `is_short` tells which errors mean that the
        cache should be emptied. None where there are several devices.
    """

    launch_address: int
    stream_address: int
    allocate_here: Callable[[int], Any] | None = None

    # ---- devices and streams

    @abstractmethod
    def count(self) -> int:
        """Return how many devices there are."""

    @abstractmethod
    def blocks(self, device: int) -> int:
        """Return how many blocks of 256 threads fill a device a few times over."""

    def on(self, device: int) -> AbstractContextManager[Any]:
        """Return a context in which a device is the library's current one."""
        return nullcontext()

    def on_stream(self, stream: Any, device: int) -> AbstractContextManager[Any]:
        """Return a context in which a stream, as users name it, is the device's current one."""
        raise ValueError(f"to_device: these devices have no streams, got stream={stream!r}")

    @abstractmethod
    def synchronize(self) -> None:
        """Wait for all work in the current streams of all devices."""

    # ---- memory

    @abstractmethod
    def allocate(self, nbytes: int, device: int) -> Any:
        """Return new memory of at least one byte, at a multiple of 16 bytes.

        Raises
        ------
        MemoryError
            There is too little, even after the cache was emptied; the message has the sizes.
        """

    def is_short(self, error: Exception) -> bool:
        """Return whether an error of `allocate_here` says that there is not enough memory."""
        return isinstance(error, MemoryError)

    def with_memory_freed(
        self, call: Callable[[], Any], described: Callable[[Exception], str], device: int
    ) -> Any:
        """Return what a function of the library returns, which may need memory of a device.

        If there is not enough, the cache is emptied and the function called once more.

        Raises
        ------
        MemoryError
            There is still not enough; the message is `described`, and has the sizes.
        """
        return call()

    @abstractmethod
    def memory_of(self, native: Any) -> tuple[Any, int, int]:
        """Return the memory of a native array, the address of its first element, the device.

        The memory of what `array` has made, and of views of that, is the object that it was given.
        """

    def is_own(self, memory: Any) -> bool:
        """Return whether only who refers to memory of a native array can write to it."""
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
    def memory_stats(self, device: int) -> dict[str, int]:
        """Return the counts of the memory pool; see `corepy.memory.stats`."""

    @abstractmethod
    def total_memory(self, device: int) -> int:
        """Return how many bytes of memory a device has, without creating a context."""

    @abstractmethod
    def empty_cache(self, device: int) -> None:
        """Return the memory that the pool has cached to the device."""

    # ---- transfers

    @abstractmethod
    def clear(self, address: int, nbytes: int, device: int) -> None:
        """Fill memory of a device with zeros, in its current stream."""

    @abstractmethod
    def upload(self, array: np.ndarray, address: int, device: int) -> None:
        """Copy a C-contiguous ndarray, which may change as soon as this returns, to a device."""

    @abstractmethod
    def download(self, native: Any, device: int) -> np.ndarray:
        """Return a new ndarray with the elements of a native array; all of them are there."""

    @abstractmethod
    def move(self, native: Any, device: int) -> Any:
        """Return a new native array on another device, with the elements of `native`."""

    @abstractmethod
    def from_dlpack(self, exporter: Any) -> Any:
        """Return a native array over the memory of a DLPack exporter on one of the devices."""

    def from_cuda_array(self, exporter: Any) -> Any:
        """Return a native array over the memory of what has ``__cuda_array_interface__``."""
        raise BufferError("asarray: these devices are not CUDA's")

    # ---- kernels

    @abstractmethod
    def kernel(self, expression: str, device: int) -> int:
        """Return what `launch_address` takes for the kernel of a class, compiled if need be.

        Parameters
        ----------
        expression : str
            The class, in C++: ``"corepy::Run<...>"``.
        device : int
            Where it will be launched.
        """

    def fail(self, function: str, status: int) -> None:
        """Raise the error that a launch ended with."""
        raise RuntimeError(f"{function}: the launch failed with status {status}")

    # ---- everything else

    @abstractmethod
    def namespace(self) -> Any:
        """Return the array API namespace of native arrays."""
