"""The device ``"auto"``: a place for each array that is created, by its size."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy._cython.core import Backend, Device, Tensor, create
from corepy._cython.inference import infer


def place_for(nbytes: int) -> Device:
    """Return the device for an array of `nbytes` bytes."""
    from corepy.backend.choosing import select_backend
    from corepy.backend.costs import OperationProperties

    found = select_backend(op_props=OperationProperties("elementwise", nbytes))
    return found.devices()[0]


class AutomaticBackend(Backend):
    """A backend that has no tensors: it creates them on the devices of others."""

    def place(self, device: Device, nbytes: int) -> Device:
        return place_for(nbytes)

    def execute(self, operation: str, inputs: tuple, params: dict[str, Any] | None = None) -> Any:
        return self.create(operation, inputs, params, None)

    def create(
        self, operation: str, inputs: tuple, params: dict[str, Any] | None, device: Device | None
    ) -> Tensor:
        dtype, shape = infer(operation, inputs, params)
        nbytes = int(np.prod(shape, dtype=object)) * dtype.itemsize
        return create(operation, place_for(nbytes), inputs, params)


#: The device, which stands for one that is chosen by an array's size.
AUTOMATIC = AutomaticBackend("auto").devices()[0]
