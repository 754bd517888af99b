"""The backend over Dask: arrays in chunks, which Dask's workers compute with Corepy's kernels.

Tensors store arrays of ``dask.array`` whose chunks are ndarrays of the CPU. Operations make tasks;
they are computed when elements are asked for, by the scheduler that Dask chooses: threads of this
process, or the cluster of a ``distributed.Client``.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from corepy._cython import core
from corepy._cython.core import Backend, Device, Tensor, operation_name
from corepy.backend import registry

if TYPE_CHECKING:
    import dask.array as da


def _dask() -> Any:
    """Return the module over Dask, which is imported at first use."""
    from corepy.backend.dask import execution

    return execution


class DaskBackend(Backend):
    """Arrays of Dask in chunks of `corepy.ndarray`."""

    remote = True  # a cluster may compute: only the user chooses it

    def missing(self) -> str:
        """Return that Dask is not installed; empty if it is."""
        return registry.missing("dask")

    @property
    def device(self) -> Device:
        """The only device."""
        return self.devices()[0]

    # ---- tensors and Dask's arrays

    def wrap(self, native: da.Array) -> Tensor:
        """Return the Tensor around an array of Dask.

        Chunks of other arrays become Corepy's, and unknown sizes of chunks are computed.
        """
        return self._made(_dask().adopted(native))

    def _made(self, native: da.Array) -> Tensor:
        return self.tensor(native, native.dtype, native.shape, self.device)

    def from_numpy(self, array: Any, device: Device) -> Tensor:
        """Return a tensor with the elements of an ndarray."""
        array = core.checked_ndarray("from_numpy", array)
        return self._made(_dask().graphs.of_tensor(core.asarray(array, None, "cpu", True)))

    def to_numpy(self, x: Tensor) -> Any:
        """Return an ndarray with the elements, which are computed."""
        return np.asarray(_dask().copy_of_elements(self, x))

    def move(self, x: Tensor, device: Device, stream: Any = None) -> Tensor:
        """Return a copy of `x` on another device."""
        if stream is None and device is not x.device and x.device.backend is self:
            return core.to_device(_dask().copy_of_elements(self, x), device)
        return super().move(x, device, stream)

    def split(self, x: Tensor, chunks: Any) -> Tensor:
        """Return `x` in chunks of other sizes."""
        native = self.unwrap(x)
        made = _dask().split(native, chunks)
        return x if made is native else self._made(made)

    def represent(self, x: Tensor) -> str | None:
        """Return ``repr(x)``, without elements that are not computed."""
        return _dask().description(self, x)

    def compute(self, tensors: tuple[Tensor, ...]) -> None:
        """Compute tensors together; their chunks are then in this process."""
        _dask().compute(self, tensors)

    def progress(self, tensors: tuple[Tensor, ...]) -> AbstractContextManager[Any]:
        """Return a context in which `compute` shows the progress of Dask's tasks."""
        return _dask().progress(self, tensors)

    def token(self, x: Tensor) -> str:
        """Return the name of Dask's array, which is made of its values."""
        name: str = self.unwrap(x).name
        return name

    def persist(self, tensors: tuple[Tensor, ...]) -> None:
        """Compute tensors together; their chunks stay on the cluster."""
        _dask().persist(self, tensors)

    def dlpack(self, x: Tensor, params: dict[str, Any]) -> Any:
        """Return the DLPack capsule of the elements, which are computed."""
        return self.to_numpy(x).__dlpack__(**params)

    def dlpack_device(self, x: Tensor) -> tuple[int, int]:
        """Return DLPack's number of host memory, where the elements are once computed."""
        return 1, 0

    # ---- operations

    def execute(self, operation: str, inputs: Any, params: dict[str, Any] | None = None) -> Any:
        """Make the tasks of an operation."""
        return _dask().execute(self, operation, tuple(inputs), params or {})

    def create(
        self, operation: str, inputs: tuple[Any, ...], params: dict[str, Any] | None, device: Device
    ) -> Tensor:
        """Make the tasks of a creation."""
        return self.execute(operation, inputs, params)

    def full(self, shape: tuple[int, ...], value: Any, dtype: Any, device: Device) -> Tensor:
        """Return a new tensor filled with a scalar; None: zeros."""
        return self._made(_dask().creation.full(shape, 0 if value is None else value, dtype))

    def astype(self, x: Tensor, dtype: Any, copy: bool) -> Tensor:
        """Return `x` as `dtype`. Nothing is copied: arrays of Dask are not written to."""
        if x.dtype == dtype:
            return self._made(self.unwrap(x)) if copy else x
        return self._elementwise("astype", (x, dtype))

    def unary(self, op: int, x: Tensor) -> Tensor:
        """Compute an elementwise operation of one tensor."""
        return self._elementwise(operation_name(op), (x,))

    def binary(self, op: int, x1: Any, x2: Any) -> Tensor:
        """Compute an elementwise operation of two operands, one of which may be a scalar."""
        return self._elementwise(operation_name(op), (x1, x2))

    def where(self, condition: Tensor, x1: Any, x2: Any) -> Tensor:
        """Select elementwise from two operands, one of which may be a scalar."""
        return self._elementwise("where", (condition, x1, x2))

    def clip(self, x: Tensor, low: Any, high: Any) -> Tensor:
        """Limit elements to an interval."""
        return self._elementwise("clip", (x, low, high))

    def _elementwise(self, name: str, inputs: tuple[Any, ...]) -> Tensor:
        return _dask().elementwise(self, name, inputs)

    def inplace(self, op: int, x: Tensor, other: Any) -> Tensor:
        """Compute ``x = op(x, other)``: `x` gets the result's tasks."""
        super().inplace(op, x, other)
        return x

    # ---- indexing

    def getitem(self, x: Tensor, key: Any) -> Tensor:
        """Return ``x[key]``."""
        return _dask().indexing.getitem(self, x, key)

    def setitem(self, x: Tensor, key: Any, value: Any) -> None:
        """Do ``x[key] = value``: `x` gets the tasks of the array with these elements."""
        _dask().indexing.setitem(self, x, key, value)


backend = DaskBackend("dask")
