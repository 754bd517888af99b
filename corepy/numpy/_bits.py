"""Bits of bytes, and indices of several axes as one number."""

from __future__ import annotations

from typing import Any

from corepy._cython.core import Tensor
from corepy._cython.cpu import counting, further
from corepy.numpy._arguments import Forward, tensor

__all__ = ["packbits", "ravel_multi_index", "unpackbits"]


def _is_flat(x: Tensor, axis: Any) -> bool:
    return axis is None or (x.ndim == 1 and axis in (0, -1))


def packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> Tensor:
    """Pack elements that are 0 or not into the bits of bytes. See `numpy.packbits`."""
    x = a if type(a) is Tensor else tensor(a)
    if bitorder not in ("big", "little") or not _is_flat(x, axis):
        raise Forward
    result = further.packbits(x, bitorder == "big")
    if result is None:
        raise Forward
    return result


def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Tensor:
    """Unpack the bits of bytes. See `numpy.unpackbits`."""
    x = a if type(a) is Tensor else tensor(a)
    if bitorder not in ("big", "little") or count is not None or not _is_flat(x, axis):
        raise Forward
    result = further.unpackbits(x, bitorder == "big")
    if result is None:
        raise Forward
    return result


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Tensor:
    """Join indices along each axis to flat indices. See `numpy.ravel_multi_index`."""
    result = None
    if order == "C" and mode == "raise" and type(multi_index) is type(dims) is tuple:
        result = counting.ravel(multi_index, dims)
    if result is None:
        raise Forward
    return result
