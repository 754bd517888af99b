"""Bits of bytes, and indices of several axes as one number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu
from corepy._cython.cpu import counting, further
from corepy.numpy._arguments import Forward, tensor

__all__ = ["packbits", "ravel_multi_index", "unpackbits"]


def _is_flat(x: Tensor, axis: Any) -> bool:
    return axis is None or (x.ndim == 1 and axis in (0, -1))


def packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> Tensor:
    """Pack elements that are 0 or not into the bits of bytes. See `numpy.packbits`."""
    x = tensor(a)
    if bitorder not in ("big", "little") or not _is_flat(x, axis):
        raise Forward
    result = further.packbits(x, bitorder == "big")
    if result is None:
        if x.device.backend is cpu or x.dtype.kind not in "biu":
            raise Forward
        bits = xp.zeros((x.size + 7) // 8 * 8, dtype=np.uint8, device=x.device)
        bits[: x.size] = x.ravel() != 0
        bits = xp.reshape(bits, (-1, 8)) << _places(x, bitorder)
        result = xp.sum(bits, axis=-1, dtype=np.uint8)
    return result


def _places(x: Tensor, bitorder: str) -> Tensor:
    """Return the places of the bits of a byte, in order."""
    places = xp.arange(8, dtype=np.uint8, device=x.device)
    return 7 - places if bitorder == "big" else places


def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Tensor:
    """Unpack the bits of bytes. See `numpy.unpackbits`."""
    x = tensor(a)
    if bitorder not in ("big", "little") or count is not None or not _is_flat(x, axis):
        raise Forward
    result = further.unpackbits(x, bitorder == "big")
    if result is None:
        if x.device.backend is cpu or x.dtype != np.uint8:
            raise Forward
        result = ((x.ravel()[:, None] >> _places(x, bitorder)) & 1).ravel()
    return result


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Tensor:
    """Join indices along each axis to flat indices. See `numpy.ravel_multi_index`."""
    if order != "C" or mode != "raise" or not type(multi_index) is type(dims) is tuple:
        raise Forward
    result = counting.ravel(multi_index, dims)
    if result is None:
        if len(dims) != len(multi_index) or not dims or math.prod(dims) >= 1 << 63:
            raise Forward
        for k, size in zip(multi_index, dims, strict=True):
            if not isinstance(k, Tensor) or k.device.backend is cpu or k.dtype != np.int64:
                raise Forward
            if not k.size or int(k.min()) < 0 or int(k.max()) >= size:
                raise Forward  # NumPy raises ValueError
        result = multi_index[0]
        for k, size in zip(multi_index[1:], dims[1:], strict=True):
            result = result * size + k
    return result
