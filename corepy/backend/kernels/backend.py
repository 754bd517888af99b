"""The backend whose kernels are rendered for a device's language.

What has no kernel raises NotImplementedError, and another backend computes it: linear algebra but
for products, transforms, complex numbers, and dtypes without arithmetic on the device.
"""

from __future__ import annotations

from importlib import import_module
from math import prod
from threading import RLock
from typing import Any

import numpy as np

from corepy._cython import core
from corepy._cython.core import Device, Tensor
from corepy._cython.lazy.buffers import BufferBackend
from corepy.backend import registry
from corepy.backend._keys import items_of
from corepy.backend._nested import mapped
from corepy.backend._properties import DeviceProperties
from corepy.backend.execution import note_fallback
from corepy.backend.kernels.arrays import Array, broadcast, name_of
from corepy.backend.kernels.indexing import Item, selected
from corepy.backend.kernels.launches import Launcher
from corepy.backend.kernels.operations import compute
from corepy.backend.kernels.table import ELEMENTWISE


class KernelBackend(BufferBackend):
    """Devices whose kernels are written in OpenCL C or WGSL.

    Parameters
    ----------
    name : str
        The name of the backend and of the module that has its devices.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._launchers: list[Launcher] | None = None
        self._devices: list[Device] = []
        self._storing = RLock()

    def missing(self) -> str:
        """Return what the backend needs; empty if it has a device."""
        lacking = registry.missing(self.name)
        if lacking or self._found():
            return lacking
        return f"no driver for {self.name} has a device here"

    def devices(self) -> list[Device]:
        """Return a device for each that the library finds, GPUs first."""
        if not self._devices:
            self._devices = [
                Device(self, index, f"{self.name}:{index}") for index in range(len(self._found()))
            ]
        return self._devices

    def _found(self) -> list[Launcher]:
        if self._launchers is None:
            module = import_module(f"corepy.backend.kernels.{self.name}")
            self._launchers = [Launcher(runtime) for runtime in module.runtimes()]
        return self._launchers

    def launcher(self, device: Device) -> Launcher:
        """Return what computes on a device."""
        return self._found()[device.index]

    def synchronize(self) -> None:
        """Wait until all kernels have run."""
        for launcher in self._found():
            launcher.runtime.finish()

    def chosen_automatically(self, device: Device) -> bool:
        """Return whether the driver computes on a GPU, and not on processors of the host."""
        return not self.launcher(device).runtime.computes_on_processor

    def properties(self, device: Device) -> DeviceProperties:
        """Return what the driver says of a device."""
        name, memory, unified = self.launcher(device).runtime.hardware()
        automatic = self.chosen_automatically(device)
        return DeviceProperties(
            device.index, name, memory, None, None, unified, self.name, automatic
        )

    def get_capabilities(self) -> dict[str, Any]:
        """Return what the first device can do; see `Backend.get_capabilities`."""
        double = "float64" in self._found()[0].native
        return {**super().get_capabilities(), "fp64_support": double}

    def made(self, array: Array, dtype: Any, device: Device) -> Tensor:
        """Return the Tensor around an array."""
        if array.constant is not None:
            return self.tensor(array, dtype, (), device)
        return self.tensor_in(
            array.block, np.dtype(dtype), array.shape, array.strides, array.offset, device
        )

    def unwrap(self, x: Tensor) -> Array:
        """Return the array of a tensor."""
        block, strides, offset = self.layout(x)
        if strides is None:  # a constant
            return block
        dtype = x.dtype
        return Array(block, name_of(dtype), dtype.itemsize, x.shape, strides, offset)

    def stored(self, x: Tensor) -> Array:
        """Return the array of a tensor, in memory from now on: views share it."""
        array = self.unwrap(x)
        if array.constant is not None:
            with self._storing:
                if self.unwrap(x).constant is not None:
                    self.put_in(x, self.launcher(x.device).stored(array).block)
            array = self.unwrap(x)
        return array

    # ---- conversion

    def from_numpy(self, array: Any, device: Device) -> Tensor:
        """Return a tensor with the elements of an ndarray."""
        array = core.checked_ndarray("from_numpy", array)
        return self.made(self.launcher(device).from_numpy(array), array.dtype, device)

    def to_numpy(self, x: Tensor) -> Any:
        """Return a new ndarray with the elements."""
        return self.launcher(x.device).to_numpy(self.unwrap(x), x.dtype)

    def dlpack(self, x: Tensor, params: dict[str, Any]) -> Any:
        """Return the DLPack capsule of the elements, which are copied into host memory.

        DLPack has no buffers of these libraries. Where no copy is wanted and the consumer knows
        read-only memory, the capsule says that it is.
        """
        array = self.to_numpy(x)
        known = (params.get("max_version") or (0, 0))[0] >= 1
        array.flags.writeable = params.get("copy") is not False or not known
        return array.__dlpack__(**params)

    def dlpack_device(self, x: Tensor) -> tuple[int, int]:
        """Return DLPack's number of host memory, into which `dlpack` copies."""
        return 1, 0

    # ---- indexing

    def getitem(self, x: Tensor, key: Any) -> Tensor:
        """Return ``x[key]``; a view for integers and slices."""
        try:
            return self._getitem(x, key)
        except NotImplementedError as reason:  # dtype of indices, or too much memory
            note_fallback(self, "getitem", reason, "cpu")
            return core.to_device(core.to_device(x, "cpu")[_on_cpu(key)], x.device)

    def _getitem(self, x: Tensor, key: Any) -> Tensor:
        launcher, array, items = self._items("getitem", x, key)
        view, indices = selected(launcher, "getitem", array, items)
        if indices:
            view = launcher.gather(view, indices, "getitem")
        elif not view.shape and not any(
            item is Ellipsis for item in (key if isinstance(key, tuple) else (key,))
        ):
            view = launcher.copy(view)  # a value, not a view
        return self.made(view, x.dtype, x.device)

    def setitem(self, x: Tensor, key: Any, value: Any) -> None:
        """Do ``x[key] = value``."""
        try:
            self._setitem(x, key, value)
        except NotImplementedError as reason:
            note_fallback(self, "setitem", reason, "cpu")
            changed = core.to_device(x, "cpu")
            changed[_on_cpu(key)] = _on_cpu(value)
            self._setitem(x, ..., core.to_device(changed, x.device))

    def _setitem(self, x: Tensor, key: Any, value: Any) -> None:
        launcher, array, items = self._items("setitem", x, key)
        source = self.unwrap(core.assigned_to(x, value))
        self.prepare_write(x)
        view, indices = selected(launcher, "setitem", array, items)
        indices = [  # those in the memory that is written
            index._replace(array=launcher.copy(index.array))
            if index.array.block is array.block
            else index
            for index in indices
        ]
        extra = max(len(source.shape) - len(view.shape), 0)
        shape = source.shape[extra:]
        if prod(source.shape[:extra]) != 1 or broadcast([shape, view.shape]) != view.shape:
            raise ValueError(
                f"setitem: a value of shape {source.shape} cannot be broadcast to {view.shape}"
            )
        source = source.strided(shape, source.strides[extra:])
        if source.block is not None and source.block is array.block:
            source = launcher.copy(source)
        launcher.assign(view, source, indices, "setitem")

    def _items(self, function: str, x: Tensor, key: Any) -> tuple[Launcher, Array, list[Any]]:
        launcher = self.launcher(x.device)

        def native(item: Any) -> Item:
            if isinstance(item, Tensor):
                return Item(item.dtype, self.unwrap(item))
            return Item(item.dtype, launcher.stored(launcher.from_numpy(item)))

        items = items_of(function, x, key, native)
        return launcher, self.stored(x), items

    # ---- operations

    def native_dtypes(self, device: Device) -> list[np.dtype]:
        """Return the dtypes that kernels compute."""
        return [np.dtype(name) for name in self.launcher(device).native]

    def fused(self) -> set[str]:
        """Return the operations that kernels of deferred operations have."""
        return set(ELEMENTWISE)

    def max_buffers(self, device: Device) -> int:
        """Return how many inputs and results a kernel can have."""
        return self.launcher(device).runtime.max_buffers

    def compute_group(
        self,
        device: Device,
        shape: tuple[int, ...],
        inputs: list[Any],
        steps: list[Any],
        stored: list[int],
        strides: list[tuple[int, ...]],
    ) -> list[Any]:
        """Compute deferred operations by one kernel.

        Parameters
        ----------
        device : Device
            Where.
        shape : tuple of int
            The space of the operations.
        inputs : list of tuple
            dtype, block, strides and offset in elements; or dtype, None, and the bytes of a number.
        steps : list of tuple
            Operation, the dtype in which it is computed, the dtype of the result, and operands: the
            indices of steps, or of inputs inverted.
        stored : list of int
            The steps whose results are wanted.
        strides : list of tuple of int
            The order of their axes in memory.

        Returns
        -------
        list of Block
        """
        return self.launcher(device).compute_group(shape, inputs, steps, stored, strides)

    def reduce_group(
        self,
        device: Device,
        operation: str,
        shape: tuple[int, ...],
        inputs: list[Any],
        steps: list[Any],
        axes: tuple[int, ...],
        dtype: np.dtype,
    ) -> Any:
        """Reduce the last of deferred operations over axes in its kernel; see `compute_group`."""
        launcher = self.launcher(device)
        return launcher.reduce_group(operation, shape, inputs, steps, axes, dtype.name).block

    def stored_in_order(self, x: Tensor) -> Any:
        """Return the block of a new tensor in C order."""
        return self.launcher(x.device).contiguous(self.unwrap(x)).block

    def execute(self, operation: str, inputs: Any, params: dict[str, Any] | None = None) -> Any:
        """Compute an operation by kernels of the device."""
        return compute(self, operation, tuple(inputs), params or {})

    def create(
        self, operation: str, inputs: tuple[Any, ...], params: dict[str, Any] | None, device: Device
    ) -> Tensor:
        """Create an array on a device."""
        return compute(self, operation, inputs, params or {}, device)


def _on_cpu(value: Any) -> Any:
    """Return an index or a value with its tensors on the CPU."""
    return mapped(lambda x: core.to_device(x, "cpu") if isinstance(x, Tensor) else x, value)


opencl, webgpu = KernelBackend("opencl"), KernelBackend("webgpu")
