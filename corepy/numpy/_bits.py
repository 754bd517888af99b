"""Bits of bytes, and indices of several axes as one number."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu
from corepy._cython.cpu import beyond_standard
from corepy.numpy._arguments import (
    Elements,
    IntegerArray,
    ndarray,
    takes,
)

__all__ = ["packbits", "ravel_multi_index", "unpackbits"]

BitArray = Annotated[ndarray, Elements("biu")]
IntegerArrays = Annotated[tuple[ndarray, ...], Elements("iu", many=True)]


def _is_flat(a: ndarray, axis: int | None) -> bool:
    return axis is None or (a.ndim == 1 and axis in (0, -1))


@takes(_is_flat)
def packbits(
    a: BitArray, /, axis: int | None = None, bitorder: Literal["big", "little"] = "big"
) -> Tensor:
    """Pack elements that are 0 or not into the bits of bytes. See `numpy.packbits`."""
    result = beyond_standard.packbits(a, bitorder == "big")
    if result is not None:
        return result
    if a.device.backend is cpu:
        return beyond_standard.packbits(a.ravel() != 0, bitorder == "big")
    bits = xp.zeros((a.size + 7) // 8 * 8, dtype=np.uint8, device=a.device)
    bits[: a.size] = a.ravel() != 0
    bits = xp.reshape(bits, (-1, 8)) << _places(a, bitorder)
    return xp.sum(bits, axis=-1, dtype=np.uint8)


def _places(x: Tensor, bitorder: str) -> Tensor:
    """Return the places of the bits of a byte, in order."""
    places = xp.arange(8, dtype=np.uint8, device=x.device)
    return 7 - places if bitorder == "big" else places


@takes(_is_flat)
def unpackbits(
    a: IntegerArray,
    /,
    axis: int | None = None,
    count: None = None,
    bitorder: Literal["big", "little"] = "big",
) -> Tensor:
    """Unpack the bits of bytes. See `numpy.unpackbits`."""
    result = beyond_standard.unpackbits(a, bitorder == "big")
    if result is None:
        if a.dtype != np.uint8:
            raise TypeError(f"unpackbits: a must have dtype uint8, got {a.dtype}")
        result = ((a.ravel()[:, None] >> _places(a, bitorder)) & 1).ravel()
    return result


def ravel_multi_index(
    multi_index: IntegerArrays,
    dims: tuple[int, ...] | list[int],
    mode: Literal["raise"] = "raise",
    order: Literal["C"] = "C",
) -> Tensor:
    """Join indices along each axis to flat indices. See `numpy.ravel_multi_index`."""
    result = beyond_standard.ravel(multi_index, dims)
    if result is not None:
        return result
    if not 0 < len(dims) == len(multi_index) or math.prod(dims) >= 1 << 63:
        raise ValueError(
            f"ravel_multi_index: dims must have {len(multi_index)} sizes below 2**63, got {dims}"
        )
    result = 0
    for k, size in zip(multi_index, dims, strict=True):
        if k.size and (int(k.min()) < 0 or int(k.max()) >= size):
            raise ValueError(f"ravel_multi_index: indices are out of range for dims={dims}")
        result = result * size + xp.astype(k, np.int64, copy=False)
    return result
