"""NumPy's functions of shape, axes and order: views, diagonals, reversals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.conversion import ascontiguousarray
from corepy._cython.core import Tensor, asarray
from corepy.numpy._arguments import Forward, array_of, is_contiguous, tensor
from corepy.numpy._joining import (
    append,
    array_split,
    block,
    column_stack,
    concatenate,
    delete,
    dsplit,
    dstack,
    hsplit,
    hstack,
    insert,
    repeat,
    resize,
    split,
    stack,
    tile,
    vsplit,
    vstack,
)
from corepy.numpy._padding import pad
from corepy.numpy.ndarray import ndarray

__all__ = [
    "append",
    "apply_along_axis",
    "apply_over_axes",
    "array_split",
    "ascontiguousarray",
    "asfortranarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "column_stack",
    "concatenate",
    "copy",
    "delete",
    "diag",
    "diagflat",
    "diagonal",
    "dsplit",
    "dstack",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "hsplit",
    "hstack",
    "insert",
    "moveaxis",
    "pad",
    "ravel",
    "repeat",
    "reshape",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "tile",
    "transpose",
    "tril",
    "trim_zeros",
    "triu",
    "vsplit",
    "vstack",
]


# ---- memory order

ORDERS = ("K", "C", "F", "A", None)


def axes_in_memory(x: Tensor | np.ndarray) -> list[int] | None:
    """Return the axes from the largest stride to the smallest; None if that is C order."""
    if x.ndim == 2:  # without a list, as matrices are frequent
        rows, columns = x.strides
        if rows >= columns >= 0:
            return None
    strides = [abs(stride) for stride in x.strides]
    if all(a >= b for a, b in pairwise(strides)):
        return None
    # NumPy orders axes as sorting by insertion does: axes that do not move in memory stay.
    return sorted(range(x.ndim), key=lambda axis: -strides[axis])


def in_order(x: Tensor | np.ndarray, order: str | None, make: Callable[[Any], Tensor]) -> Tensor:
    """Return ``make(x)``, which is in C order, with axes in memory as `order` asks.

    Parameters
    ----------
    x : Tensor or ndarray
    order : {"C", "F", "A", "K"} or None
        None is "K".
    make : callable
        From an array with the axes of `x` in another order to a new one of its shape.
    """
    if order not in ORDERS:
        raise Forward
    if x.ndim < 2 or order == "C":
        return make(x)
    if order == "F":
        return make(x.T).T
    axes = axes_in_memory(x)
    if axes is None:
        return make(x)
    if order == "A" and not is_contiguous(x.T):
        return make(x)
    inverse = sorted(range(x.ndim), key=axes.__getitem__)
    return xp.permute_dims(make(xp.permute_dims(tensor(x), tuple(axes))), tuple(inverse))


def copy(a: Any, order: str = "K", subok: bool = False) -> Tensor:
    """Return a copy. See `numpy.copy`."""
    x = tensor(a)
    return asarray(x, None, None, True) if order == "K" else in_order(x, order, ndarray.copy)


def made_contiguous(a: Any, dtype: Any, like: Any) -> Tensor:
    """Return what `ascontiguousarray` does of other objects than tensors on the CPU."""
    x = _as(a, dtype, like)
    return x if is_contiguous(x) else x.copy()


def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> Tensor:
    """Return an array in Fortran order, with at least one axis. See `numpy.asfortranarray`."""
    x = _as(a, dtype, like)
    return x if is_contiguous(x.T) else x.T.copy().T


def _as(a: Any, dtype: Any, like: Any) -> Tensor:
    if like is not None:
        raise Forward
    x = tensor(a)
    if dtype is not None:
        if not np.can_cast(x.dtype, dtype):  # NumPy has warnings and errors of some casts
            raise Forward
        x = xp.astype(x, dtype, copy=False)
    return x if x.ndim else x.reshape(1)


# ---- axes


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Return a view without axes of size 1. See `numpy.squeeze`."""
    if isinstance(a, np.generic):  # which NumPy returns
        raise Forward
    x = tensor(a)
    if axis is None:
        axis = tuple(k for k, size in enumerate(x.shape) if size == 1)
    return xp.squeeze(x, axis)


def ravel(a: Any, order: str = "C") -> Tensor:
    """Return the elements along one axis, as a view if possible. See `numpy.ravel`."""
    x = tensor(a)
    if order == "F" or (order in ("A", "K") and x.ndim > 1 and is_contiguous(x.T)):
        x = x.T
    elif order != "C" and (order != "A" and not (order == "K" and is_contiguous(x))):
        raise Forward
    flat = x.ravel()
    # The method returns views of other strides, too.
    return flat if flat.strides[0] == flat.itemsize or flat.size < 2 else flat.copy()


def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Tensor:
    """Return the elements in another shape, as a view if possible. See `numpy.reshape`."""
    x = tensor(a)
    if order == "C":
        return xp.reshape(x, shape, copy=copy)
    if order == "A":
        order = "C" if x.ndim < 2 or is_contiguous(x) or not is_contiguous(x.T) else "F"
        return reshape(x, shape, order, copy=copy)
    if order != "F":
        raise Forward
    sizes = tuple(shape)[::-1] if isinstance(shape, (tuple, list)) else shape
    return xp.reshape(x.T, sizes, copy=copy).T


def transpose(a: Any, axes: Any = None) -> Tensor:
    """Return a view with axes in another order. See `numpy.transpose`."""
    x = tensor(a)
    return x.T if axes is None else xp.permute_dims(x, axes)


def swapaxes(a: Any, axis1: Any, axis2: Any) -> Tensor:
    """Return a view with two axes exchanged. See `numpy.swapaxes`."""
    x = tensor(a)
    axes = list(range(x.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return xp.permute_dims(x, axes)  # type: ignore[arg-type]


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Return a view with axes moved to other positions. See `numpy.moveaxis`."""
    return xp.moveaxis(tensor(a), source, destination)


def rollaxis(a: Any, axis: Any, start: Any = 0) -> Tensor:
    """Return a view with an axis moved before another. See `numpy.rollaxis`."""
    x = tensor(a)
    ndim = x.ndim
    axes = list(range(ndim))
    moved = axes.pop(axis)
    if not -ndim <= start <= ndim:
        raise Forward
    if start < 0:
        start += ndim
    axes.insert(start - 1 if moved < start else start, moved)
    return xp.permute_dims(x, axes)  # type: ignore[arg-type]


def expand_dims(a: Any, axis: Any) -> Tensor:
    """Return a view with new axes of size 1. See `numpy.expand_dims`."""
    return xp.expand_dims(tensor(a), axis)


def _each(change: Callable[[Tensor], Tensor], arys: tuple[Any, ...]) -> Any:
    """Return the changed array, or a tuple of them unless there is one."""
    if len(arys) == 1:
        return change(tensor(arys[0]))
    return tuple([change(tensor(a)) for a in arys])


def _in_1d(x: Tensor) -> Tensor:
    return x if x.ndim else x[None]


def _in_2d(x: Tensor) -> Tensor:
    return x if x.ndim > 1 else x[None] if x.ndim else x[None, None]


def _in_3d(x: Tensor) -> Tensor:
    ndim = x.ndim
    if ndim > 2:
        return x
    if ndim == 2:
        return x[:, :, None]
    return x[None, :, None] if ndim else x[None, None, None]


def atleast_1d(*arys: Any) -> Any:
    """Return arrays with at least one axis. See `numpy.atleast_1d`."""
    return _each(_in_1d, arys)


def atleast_2d(*arys: Any) -> Any:
    """Return arrays with at least two axes. See `numpy.atleast_2d`."""
    return _each(_in_2d, arys)


def atleast_3d(*arys: Any) -> Any:
    """Return arrays with at least three axes. See `numpy.atleast_3d`."""
    return _each(_in_3d, arys)


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Tensor:
    """Return a view of another shape by broadcasting. See `numpy.broadcast_to`.

    Notes
    -----
    The view may be written to if no element is in it twice; NumPy's may not.
    """
    return xp.broadcast_to(tensor(array), shape)


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Tensor, ...]:
    """Return views of arrays in their common shape. See `numpy.broadcast_arrays`."""
    for x in args:
        if not isinstance(x, Tensor):
            return xp.broadcast_arrays(*[tensor(each) for each in args])
    return xp.broadcast_arrays(*args)


def broadcast_shapes(*args: Any) -> Any:
    """Return the common shape of shapes. See `numpy.broadcast_shapes`."""
    return xp.broadcast_shapes(*args)


# ---- reversals


def flip(m: Any, axis: Any = None) -> Tensor:
    """Return a view with reversed axes. See `numpy.flip`."""
    x = tensor(m)
    if x.ndim:
        return xp.flip(x, axis=axis)
    if axis is not None and axis != ():
        raise Forward
    return x[()]


def fliplr(m: Any) -> Tensor:
    """Return a view with the second axis reversed. See `numpy.fliplr`."""
    return (tensor(m))[:, ::-1]


def flipud(m: Any) -> Tensor:
    """Return a view with the first axis reversed. See `numpy.flipud`."""
    return (tensor(m))[::-1]


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """Return a view, rotated by 90 degrees `k` times. See `numpy.rot90`."""
    x = tensor(m)
    first, second = axes
    if not -x.ndim <= first < x.ndim or not -x.ndim <= second < x.ndim:
        raise Forward
    if (first - second) % x.ndim == 0:
        raise Forward
    turns = index(k) % 4
    if turns == 0:
        return x[...]
    if turns == 2:
        return xp.flip(x, axis=(first, second))
    if turns == 1:
        return swapaxes(xp.flip(x, axis=second), first, second)
    return xp.flip(swapaxes(x, first, second), axis=second)


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """Return an array with elements shifted around along axes. See `numpy.roll`."""
    if axis == ():
        raise Forward
    return array_of(xp.roll(tensor(a), shift, axis=axis))


# ---- diagonals and triangles


def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Tensor:
    """Return a view of diagonals, which cannot be written to. See `numpy.diagonal`."""
    x = tensor(a)
    ndim = x.ndim
    if ndim != 2 or (axis1, axis2) != (0, 1):
        axes = list(range(ndim))
        first, second = axes[axis1], axes[axis2]
        axes = [axis for axis in axes if axis not in (first, second)]
        x = xp.permute_dims(x, (*axes, first, second))  # raises if they are the same
    return xp.linalg.diagonal(x, offset=offset)


def diag(v: Any, k: Any = 0) -> Tensor:
    """Return a diagonal of a matrix, or a matrix of its diagonal. See `numpy.diag`."""
    x = tensor(v)
    ndim = x.ndim
    if ndim == 2:
        return xp.linalg.diagonal(x, offset=k)
    if ndim != 1:
        raise Forward
    count = x.size
    n = count + abs(k)
    flat = xp.zeros(n * n, dtype=x.dtype, device=x.device)
    start = k if k >= 0 else -k * n
    flat[start : start + count * (n + 1) : n + 1] = x
    return xp.reshape(flat, (n, n))


def diagflat(v: Any, k: Any = 0) -> Tensor:
    """Return a matrix with flattened elements on a diagonal. See `numpy.diagflat`."""
    return diag(tensor(v).ravel(), k)


def tril(m: Any, k: Any = 0) -> Tensor:
    """Return a copy with zeros above a diagonal. See `numpy.tril`."""
    return xp.tril(tensor(m), k=k)


def triu(m: Any, k: Any = 0) -> Tensor:
    """Return a copy with zeros below a diagonal. See `numpy.triu`."""
    return xp.triu(tensor(m), k=k)


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Tensor:
    """Return a view without zeros at its ends. See `numpy.trim_zeros`."""
    if not isinstance(filt, Tensor) or filt.ndim != 1 or trim.lower() not in ("f", "b", "fb", "bf"):
        raise Forward
    if axis not in (None, 0, -1):
        raise Forward
    trim = trim.lower()
    there = filt != 0
    size = filt.size
    if size == 0 or not bool(xp.any(there)):
        return filt[size:] if "f" in trim else filt[:0]
    start = int(xp.argmax(there)) if "f" in trim else 0
    stop = size - int(xp.argmax(there[::-1])) if "b" in trim else size
    return filt[start:stop]


# ---- functions of slices


def apply_along_axis(
    func1d: Callable[..., Any], axis: Any, arr: Any, *args: Any, **kwargs: Any
) -> Tensor:
    """Return a function's results for the 1-d slices along an axis.

    See `numpy.apply_along_axis`. The slices are tensors.
    """
    x = tensor(arr)
    ndim = x.ndim
    axis = range(ndim)[axis]
    lead = x.shape[:axis] + x.shape[axis + 1 :]
    rows = xp.moveaxis(x, axis, -1)
    if rows.size == 0:
        raise Forward
    results = [tensor(func1d(row, *args, **kwargs), x) for row in _rows(rows)]
    first = results[0]
    # The first result decides about all, as in NumPy.
    if any(result.dtype != first.dtype for result in results):
        results = [result.astype(first.dtype, copy=False) for result in results]
    out = xp.stack(results).reshape(*lead, *first.shape)
    if first.ndim == 0:
        return out
    # Axes of the results take the place of the axis.
    places = range(len(lead), len(lead) + first.ndim)
    return xp.moveaxis(out, tuple(places), tuple(range(axis, axis + first.ndim)))


def _rows(x: Tensor) -> Sequence[Tensor]:
    """Return the 1-d slices along the last axis in C order."""
    rows = [x]
    for _ in range(x.ndim - 1):
        rows = [part for row in rows for part in row]
    return rows


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Any) -> Tensor:
    """Apply a function over one axis after the other. See `numpy.apply_over_axes`."""
    x = value = tensor(a)
    for axis in [axes] if isinstance(axes, (int, np.integer)) else axes:
        axis = range(x.ndim)[axis]
        result = tensor(func(value, axis), x)
        if result.ndim != value.ndim:
            result = xp.expand_dims(result, axis)
            if result.ndim != value.ndim:
                raise Forward
        value = result
    return value
