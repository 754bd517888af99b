"""WebGPU's devices, through wgpu: wgpu-native on Vulkan, Metal or Direct3D 12."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import numpy as np
import wgpu

from corepy.backend.kernels.dialects import GROUP, REGISTERS, Wgsl

#: Groups of a dimension of a launch.
_MAX_GROUPS = 65_535

_LIMITS = (
    "max-buffer-size",
    "max-storage-buffer-binding-size",
    "max-storage-buffers-per-shader-stage",
)


class Runtime:
    """Memory and launches of an adapter of WebGPU."""

    def __init__(self, adapter: Any) -> None:
        self.adapter = adapter
        wanted = [name for name in ("shader-int64",) if name in adapter.features]
        self.device = adapter.request_device_sync(
            required_features=wanted,
            required_limits={name: adapter.limits[name] for name in _LIMITS},
        )
        self.queue = self.device.queue
        self.dialect = Wgsl(bool(wanted), False)
        self.kernels: dict[Any, Any] = {}
        self.lock = RLock()
        self.mark = self.allocate(4)
        # One is for the numbers.
        self.max_buffers = self.device.limits["max-storage-buffers-per-shader-stage"] - 1
        self.max_buffer = self.device.limits["max-buffer-size"]
        self.max_bytes = self.device.limits["max-storage-buffer-binding-size"]
        lacking = {"float64"} if wanted else {"float64", "int64", "uint64"}
        self.native = frozenset(REGISTERS) - lacking

    @property
    def computes_on_processor(self) -> bool:
        """Whether the driver computes on processors of the host."""
        return self.adapter.info["adapter_type"] == "CPU"

    def hardware(self) -> tuple[str, int | None, bool]:
        """Return the name, the bytes of memory, and whether that is the host's."""
        kind = self.adapter.info["adapter_type"]
        return self.adapter.info["device"], None, kind in ("CPU", "IntegratedGPU")

    def allocate(self, nbytes: int) -> Any:
        """Return a new buffer."""
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
        with self.lock:
            return self.device.create_buffer(size=-(-nbytes // 4) * 4, usage=usage)

    def write(self, buffer: Any, array: np.ndarray) -> None:
        """Copy a contiguous ndarray to the beginning of a buffer."""
        data = array.reshape(-1).view(np.uint8)
        if data.nbytes % 4:
            data = np.concatenate([data, np.zeros(-data.nbytes % 4, np.uint8)])
        with self.lock:
            self.queue.write_buffer(buffer, 0, data)

    def read(self, buffer: Any, offset: int, nbytes: int) -> np.ndarray:
        """Return bytes of a buffer."""
        start = offset // 4 * 4
        size = -(-(offset - start + nbytes) // 4) * 4
        with self.lock:
            data = self.queue.read_buffer(buffer, start, size)
        return np.frombuffer(data, np.uint8)[offset - start :][:nbytes].copy()

    def launch(
        self,
        key: Any,
        source: Callable[[], str],
        items: int,
        bindings: Sequence[tuple[Any, int]],
        numbers: Sequence[int],
    ) -> None:
        """Run a kernel of `source`, which is compiled once for each key, for so many work items."""
        with self.lock:
            found = self.kernels.get(key)
            if found is None:
                module = self.device.create_shader_module(code=source())
                pipeline = self.device.create_compute_pipeline(
                    layout="auto", compute={"module": module, "entry_point": "kernel_main"}
                )
                found = self.kernels[key] = pipeline, pipeline.get_bind_group_layout(0)
            pipeline, layout = found
            parameters = self.device.create_buffer_with_data(
                data=np.array(numbers or [0], np.uint32), usage=wgpu.BufferUsage.STORAGE
            )
            bound = [(parameters, 0), *bindings]
            entries = [
                {
                    "binding": k,
                    "resource": {
                        "buffer": buffer,
                        "offset": base,
                        "size": min(buffer.size - base, self.max_bytes),
                    },
                }
                for k, (buffer, base) in enumerate(bound)
            ]
            group = self.device.create_bind_group(layout=layout, entries=entries)
            encoder = self.device.create_command_encoder()
            work = encoder.begin_compute_pass()
            work.set_pipeline(pipeline)
            work.set_bind_group(0, group)
            groups = -(-items // GROUP)
            rows = -(-groups // _MAX_GROUPS)
            work.dispatch_workgroups(-(-groups // rows), rows)
            work.end()
            self.queue.submit([encoder.finish()])

    def finish(self) -> None:
        """Wait for all launches."""
        self.read(self.mark, 0, 4)  # after all that was submitted before


def runtimes() -> list[Runtime]:
    """Return the adapters that Vulkan, Metal and Direct3D 12 have, GPUs first."""
    native = [x for x in wgpu.gpu.enumerate_adapters_sync() if x.info["backend_type"] != "OpenGL"]
    return [Runtime(x) for x in sorted(native, key=lambda x: x.info["adapter_type"] == "CPU")]
