"""OpenCL's devices, through pyopencl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any

import numpy as np
import pyopencl as cl

from corepy.backend.kernels.dialects import GROUP, REGISTERS, OpenCL


class Runtime:
    """Memory and launches of a device of OpenCL."""

    def __init__(self, device: cl.Device) -> None:
        self.device = device
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(self.queue))
        rounded = bool(device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT)
        self.dialect = OpenCL(True, rounded)
        self.options = ["-w", *["-cl-fp32-correctly-rounded-divide-sqrt"] * rounded]
        #: Key -> a program, and for threads a kernel of it that is not in use.
        self.kernels: dict[Any, tuple[Any, dict[int, Any]]] = {}
        self.max_buffers = 64
        self.max_bytes = self.max_buffer = device.max_mem_alloc_size
        self.native = frozenset(REGISTERS) - (
            frozenset() if "cl_khr_fp64" in device.extensions else {"float64"}
        )

    @property
    def computes_on_processor(self) -> bool:
        """Whether the driver computes on processors of the host."""
        return bool(self.device.type & cl.device_type.CPU)

    def hardware(self) -> tuple[str, int | None, bool]:
        """Return the name, the bytes of memory, and whether that is the host's."""
        device = self.device
        return device.name.strip(), device.global_mem_size, bool(device.host_unified_memory)

    def allocate(self, nbytes: int) -> Any:
        """Return a new buffer."""
        return self.pool.allocate(nbytes)

    def write(self, buffer: Any, array: np.ndarray) -> None:
        """Copy a contiguous ndarray to the beginning of a buffer."""
        cl.enqueue_copy(self.queue, buffer, array)

    def read(self, buffer: Any, offset: int, nbytes: int) -> np.ndarray:
        """Return bytes of a buffer."""
        out = np.empty(nbytes, np.uint8)
        cl.enqueue_copy(self.queue, out, buffer, src_offset=offset)
        return out

    def launch(
        self,
        key: Any,
        source: Callable[[], str],
        items: int,
        bindings: Sequence[tuple[Any, int]],
        numbers: Sequence[int],
    ) -> None:
        """Run a kernel of `source`, which is compiled once for each key, for so many work items."""
        program, free = self.kernels.get(key) or self._compiled(key, source())
        # Arguments are set in a kernel, which nothing else must use meanwhile: no other thread, and
        # no signal handler of this one.
        thread = get_ident()
        kernel = free.pop(thread, None) or program.all_kernels()[0]
        kernel.set_args(np.array(numbers or [0], np.uint32), *(buffer for buffer, _ in bindings))
        size = -(-items // GROUP) * GROUP
        cl.enqueue_nd_range_kernel(self.queue, kernel, (size,), (GROUP,))
        free[thread] = kernel

    def _compiled(self, key: Any, source: str) -> tuple[Any, dict[int, Any]]:
        program = cl.Program(self.context, source).build(self.options)
        return self.kernels.setdefault(key, (program, {}))

    def finish(self) -> None:
        """Wait for all launches."""
        self.queue.finish()


def runtimes() -> list[Runtime]:
    """Return the devices of all platforms, GPUs first."""
    try:
        platforms = cl.get_platforms()
    except cl.LogicError:  # there is none
        return []
    found = [device for platform in platforms for device in platform.get_devices()]
    return [
        Runtime(each) for each in sorted(found, key=lambda each: each.type & cl.device_type.CPU)
    ]
