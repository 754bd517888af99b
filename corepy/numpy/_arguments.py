"""Arguments of the drop-in's own functions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.conversion import call_numpy
from corepy._cython.core import Tensor, in_drop_in
from corepy._cython.forward import Forward, Refused
from corepy.numpy import _refusals
from corepy.numpy.ndarray import ndarray

__all__ = [
    "Forward", "Refused", "array_of", "call_method", "in_fortran_order", "is_contiguous",
    "items_of", "pair", "stored", "tensor", "tensors",
]  # fmt: skip


def call_method(name: str, x: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a method of NumPy's ndarray over the memory of an array."""

    def call(array: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(array, name)(*args, **kwargs)

    given: tuple[Any, ...] = (x, *args)
    check = _refusals.find(name)
    if check is not None:
        given, kwargs = check(name, given, kwargs)
    return call_numpy(name, call, given, kwargs)


def tensor(value: Any, like: Tensor | None = None) -> Tensor:
    """Return an array-like as a tensor.

    Parameters
    ----------
    value : array-like
    like : Tensor, optional
        On whose device the result is. A tensor that is elsewhere is not moved.

    Raises
    ------
    Forward
        A Tensor cannot hold it: text, dates, objects, masked arrays, matrices.
    """
    if isinstance(value, Tensor) and type(value) is not Tensor:
        return value
    if isinstance(value, np.ndarray) and type(value) not in (np.ndarray, np.memmap):
        raise Forward
    try:
        return in_drop_in(xp.asarray(value, device=None if like is None else like.device))
    except (TypeError, ValueError, OverflowError):
        raise Forward from None


def items_of(values: Iterable[Any], most: int = 64) -> list[Any]:
    """Return the items of an argument for each axis, of which no more than `most` are read.

    Raises
    ------
    Forward
        There are more of them.
    """
    items = list(islice(values, most + 1))
    if len(items) > most:
        raise Forward
    return items


def tensors(*values: Any) -> tuple[Tensor, ...]:
    """Return array-likes as tensors, on the device of the first of them that is one."""
    like = next((value for value in values if isinstance(value, Tensor)), None)
    return tuple(tensor(value, like) for value in values)


def pair(first: Any, second: Any) -> tuple[Tensor, ...]:
    """Return two array-likes as tensors, like `tensors`, in fewer steps."""
    if type(first) is not ndarray:
        first = tensor(first, second if isinstance(second, Tensor) else None)
    if type(second) is not ndarray:
        second = tensor(second, first)
    return first, second


def array_of(result: Tensor) -> Tensor:
    """Return a result of the standard's, which is an array in NumPy if it has no axes."""
    return result if result.ndim else result[...]


def stored(result: Tensor, out: Any) -> Tensor:
    """Return a result, written to `out` if that is a tensor like it and not None."""
    if out is None:
        return result
    if not isinstance(out, Tensor) or out.dtype != result.dtype or out.shape != result.shape:
        raise Forward
    out[...] = result
    return out


def is_contiguous(x: Tensor | np.ndarray) -> bool:
    """Return whether the elements are in C order without gaps."""
    shape, strides, step = x.shape, x.strides, x.itemsize
    for axis in range(len(shape) - 1, -1, -1):
        if strides[axis] != step and shape[axis] != 1:
            return x.size == 0
        step *= shape[axis]
    return True


def in_fortran_order(x: Tensor) -> bool:
    """Return whether the elements are in Fortran order without gaps, and not in C order."""
    return x.ndim > 1 and not is_contiguous(x) and is_contiguous(x.T)
