"""Methods of ndarrays that compute what no function of the drop-in does.

What an implementation does not take is left to NumPy's method, over the same memory.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy import _logic, _sorting
from corepy.numpy._arguments import Array, RealArray, Shape, takes
from corepy.numpy.dispatch import Function


def find(name: str) -> Function:
    """Return the function that a method calls with the array first."""
    return Function(f"corepy.ndarray.{name}", None, getattr(np.ndarray, name), _OWN.get(name))


@takes(_sorting.has_one_kind)
def sort(
    self: RealArray,
    /,
    axis: int = -1,
    kind: _sorting.Kind = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> None:
    """Sort in place. See `numpy.ndarray.sort`."""
    self[...] = _sorting.sort(self, axis, kind, stable=stable, descending=descending)


@takes(lambda self: self.device != "cpu")
def partition(
    self: RealArray,
    kth: Shape,
    /,
    axis: int = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> None:
    """Sort in place as far as some elements are in their places. See `numpy.ndarray.partition`."""
    self[...] = _sorting.partition(self, kth, axis, kind, order)


@takes(lambda min, max: min is not None or max is not None)
def clip(
    self: RealArray, /, min: _logic.Limit = None, max: _logic.Limit = None, out: Any = None
) -> Tensor:
    """Return elements limited to an interval. See `numpy.ndarray.clip`."""
    return _logic.clip(self, min, max, out)


def conjugate(self: Array, /) -> Tensor:
    """Return complex conjugates. See `numpy.ndarray.conjugate`."""
    return xp.conj(self) if self.dtype.kind == "c" else self


_OWN = {"sort": sort, "partition": partition, "clip": clip, "conjugate": conjugate}
