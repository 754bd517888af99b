"""NumPy's functions of shape, axes and order: views, diagonals, reversals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from corepy import array_api as xp
from corepy._cython.core import Tensor, asarray, held, in_drop_in
from corepy.numpy._arguments import (
    Array,
    Axes,
    DType,
    Shape,
    in_fortran_order,
    is_contiguous,
    takes,
)
from corepy.numpy._joining import at_least_1d, at_least_2d, at_least_3d
from corepy.numpy.conversion import in_class_of

__all__ = [
    "apply_along_axis", "apply_over_axes", "asfortranarray", "atleast_1d", "atleast_2d",
    "atleast_3d", "broadcast_arrays", "broadcast_to", "copy", "diag", "diagflat", "diagonal",
    "expand_dims", "flip", "fliplr", "flipud", "ravel", "reshape", "roll",
    "rollaxis", "rot90", "squeeze", "swapaxes", "transpose", "trim_zeros",
]  # fmt: skip


# ---- memory order

Order = Literal["K", "C", "F", "A"] | None


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


def in_order(x: Tensor, order: str | None, make: Callable[[Any], Tensor]) -> Tensor:
    """Return ``make(x)``, which is in C order, with axes in memory as `order` asks.

    Parameters
    ----------
    x : Tensor
    order : {"C", "F", "A", "K"} or None
        None is "K".
    make : callable
        From a tensor with the axes of `x` in another order to a new one of its shape.
    """
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
    return xp.permute_dims(make(xp.permute_dims(x, tuple(axes))), tuple(inverse))


def copy(a: Array, order: Order = "K", subok: bool = False) -> Tensor:
    """Return a copy. See `numpy.copy`."""
    return asarray(a, None, None, True) if order == "K" else in_order(a, order, type(a).copy)


def made_contiguous(a: Tensor, dtype: Any, like: None) -> Tensor:
    """Return what `ascontiguousarray` does of tensors that are elsewhere or have another dtype."""
    x = _as(a, dtype)
    return x if is_contiguous(x) else x.copy()


def asfortranarray(a: Array, dtype: DType | None = None, *, like: None = None) -> Tensor:
    """Return an array in Fortran order, with at least one axis. See `numpy.asfortranarray`."""
    x = _as(a, dtype)
    return x if is_contiguous(x.T) else x.T.copy().T


def _as(x: Tensor, dtype: Any) -> Tensor:
    if dtype is not None:
        x = x.astype(dtype, copy=False)
    return x if x.ndim else x.reshape(1)


# ---- axes


def squeeze(a: Array, axis: Axes = None) -> Tensor:
    """Return a view without axes of size 1. See `numpy.squeeze`."""
    if not a.ndim and axis in (0, -1):
        return a
    x: Any = a
    return x.squeeze(axis)


def ravel(a: Array, order: Literal["C", "F", "A", "K"] = "C") -> Tensor:
    """Return the elements along one axis, as a view if possible. See `numpy.ravel`."""
    if order == "F" or (order == "A" and in_fortran_order(a)):
        a = a.T
    elif order == "K" and (axes := axes_in_memory(a)):
        a = xp.permute_dims(a, tuple(axes))
    return a.ravel()


def reshape(
    a: Array,
    /,
    shape: Shape,
    order: Literal["C", "F", "A"] = "C",
    *,
    copy: bool | None = None,
) -> Tensor:
    """Return the elements in another shape, as a view if possible. See `numpy.reshape`."""
    if order == "C" or (order == "A" and not in_fortran_order(a)):
        return xp.reshape(a, shape, copy=copy)
    return xp.reshape(a.T, (shape,) if isinstance(shape, int) else shape[::-1], copy=copy).T


def transpose(a: Array, axes: tuple[int, ...] | list[int] | None = None) -> Tensor:
    """Return a view with axes in another order. See `numpy.transpose`."""
    return a.T if axes is None else xp.permute_dims(a, tuple(axes))


def swapaxes(a: Array, axis1: int, axis2: int) -> Tensor:
    """Return a view with two axes exchanged. See `numpy.swapaxes`."""
    axes = list(range(a.ndim))
    first = normalize_axis_index(axis1, a.ndim, "swapaxes")
    second = normalize_axis_index(axis2, a.ndim, "swapaxes")
    axes[first], axes[second] = second, first
    return xp.permute_dims(a, axes)  # type: ignore[arg-type]


def rollaxis(a: Array, axis: int, start: int = 0) -> Tensor:
    """Return a view with an axis moved before another. See `numpy.rollaxis`."""
    ndim = a.ndim
    axes = list(range(ndim))
    moved = axes.pop(normalize_axis_index(axis, ndim, "rollaxis"))
    start = normalize_axis_index(start, ndim if start < 0 else ndim + 1, "rollaxis")
    axes.insert(start - 1 if moved < start else start, moved)
    return xp.permute_dims(a, axes)  # type: ignore[arg-type]


def expand_dims(a: Array, axis: Shape) -> Tensor:
    """Return a view with new axes of size 1. See `numpy.expand_dims`."""
    return xp.expand_dims(a, axis)


def _each(change: Callable[[Tensor], Tensor], arys: tuple[Tensor, ...]) -> Any:
    """Return the changed array, or a tuple of them unless there is one."""
    return change(arys[0]) if len(arys) == 1 else tuple([change(x) for x in arys])


def atleast_1d(*arys: Array) -> Any:
    """Return arrays with at least one axis. See `numpy.atleast_1d`."""
    return _each(at_least_1d, arys)


def atleast_2d(*arys: Array) -> Any:
    """Return arrays with at least two axes. See `numpy.atleast_2d`."""
    return _each(at_least_2d, arys)


def atleast_3d(*arys: Array) -> Any:
    """Return arrays with at least three axes. See `numpy.atleast_3d`."""
    return _each(at_least_3d, arys)


def broadcast_to(array: Array, shape: Shape, subok: bool = False) -> Tensor:
    """Return a view of another shape by broadcasting. See `numpy.broadcast_to`.

    Notes
    -----
    The view may be written to if no element is in it twice; NumPy's may not.
    """
    return xp.broadcast_to(array, shape)


def broadcast_arrays(*args: Array, subok: bool = False) -> tuple[Tensor, ...]:
    """Return views of arrays in their common shape. See `numpy.broadcast_arrays`."""
    return xp.broadcast_arrays(*args)


# ---- reversals


def flip(m: Array, axis: Axes = None) -> Tensor:
    """Return a view with reversed axes; an element if there are none. See `numpy.flip`."""
    return xp.flip(m, axis=axis)[()]


def fliplr(m: Array) -> Tensor:
    """Return a view with the second axis reversed. See `numpy.fliplr`."""
    return xp.flip(m, axis=1)


def flipud(m: Array) -> Tensor:
    """Return a view with the first axis reversed. See `numpy.flipud`."""
    return xp.flip(m, axis=0)


def rot90(m: Array, k: int = 1, axes: tuple[int, ...] | list[int] = (0, 1)) -> Tensor:
    """Return a view, rotated by 90 degrees `k` times. See `numpy.rot90`."""
    ndim = m.ndim
    if len(axes) != 2 or min(axes) < -ndim or max(axes) >= ndim or axes[0] % ndim == axes[1] % ndim:
        raise ValueError(f"rot90: axes must be two of {ndim} axes, got {axes}")
    first, second = axes
    turns = k % 4
    if turns == 0:
        return m[...]
    if turns == 2:
        return xp.flip(m, axis=(first, second))
    if turns == 1:
        return swapaxes(xp.flip(m, axis=second), first, second)
    return xp.flip(swapaxes(m, first, second), axis=second)


@takes(lambda axis: axis != ())
def roll(a: Array, shift: Shape, axis: Shape | None = None) -> Tensor:
    """Return an array with elements shifted around along axes. See `numpy.roll`."""
    return xp.roll(a, shift, axis=axis)


# ---- diagonals


def diagonal(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return a view of diagonals, which cannot be written to. See `numpy.diagonal`."""
    ndim = a.ndim
    if ndim != 2 or (axis1, axis2) != (0, 1):
        first = normalize_axis_index(axis1, ndim, "diagonal")
        second = normalize_axis_index(axis2, ndim, "diagonal")
        axes = [axis for axis in range(ndim) if axis not in (first, second)]
        a = xp.permute_dims(a, (*axes, first, second))  # raises if they are the same
    return xp.linalg.diagonal(a, offset=offset)


def diag(v: Array, k: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or a matrix of its diagonal. See `numpy.diag`."""
    if v.ndim == 2:
        return xp.linalg.diagonal(v, offset=k)
    if v.ndim != 1:
        raise ValueError(f"diag: v must have one or two axes, got {v.ndim}")
    count = v.size
    n = count + abs(k)
    flat = xp.zeros(n * n, dtype=v.dtype, device=v.device)
    start = k if k >= 0 else -k * n
    flat[start : start + count * (n + 1) : n + 1] = v
    return xp.reshape(flat, (n, n))


def diagflat(v: Array, k: int = 0) -> Tensor:
    """Return a matrix with flattened elements on a diagonal. See `numpy.diagflat`."""
    return diag(v.ravel(), k)


@takes(lambda filt: filt.ndim == 1)
def trim_zeros(filt: Tensor, trim: str = "fb", axis: Literal[0, -1] | None = None) -> Tensor:
    """Return a view without zeros at its ends. See `numpy.trim_zeros`."""
    ends = trim.lower()
    if ends not in ("f", "b", "fb", "bf"):
        raise ValueError(f"trim_zeros: unexpected character(s) in `trim`, got {trim!r}")
    there = filt != 0
    if not there.any():
        return filt[:0]
    start = int(xp.argmax(there)) if "f" in ends else 0
    stop = filt.size - int(xp.argmax(there[::-1])) if "b" in ends else filt.size
    return filt[start:stop]


# ---- functions of slices


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Array, *args: Any, **kwargs: Any
) -> Tensor:
    """Return a function's results for the 1-d slices along an axis.

    See `numpy.apply_along_axis`. The slices are tensors.
    """
    axis = normalize_axis_index(axis, arr.ndim, "apply_along_axis")
    rows = in_class_of(xp.moveaxis(arr, axis, -1), arr)
    lead = rows.shape[:-1]
    if 0 in lead:
        raise ValueError(f"apply_along_axis: arr has no slices along axis {axis}: {arr.shape}")
    row, *others = _rows(rows)
    result = func1d(row, *args, **kwargs)
    # The first result decides about all, as in NumPy.
    first: Any = held(result, arr.device)
    if first is None:  # text, dates, objects
        first = np.asanyarray(result)
        out: Any = np.empty((1 + len(others), *first.shape), first.dtype)
        if isinstance(first, np.ma.MaskedArray):
            out = first.__array_wrap__(out)
    else:
        shape = (1 + len(others), *first.shape)
        out = in_drop_in(xp.empty(shape, dtype=first.dtype, device=first.device))
        out = in_class_of(out, first)
    out[0] = first
    for k, row in enumerate(others, 1):
        out[k] = func1d(row, *args, **kwargs)
    out = out.reshape(*lead, *first.shape)
    # Axes of the results take the place of the axis.
    places = tuple(range(len(lead), out.ndim))
    to = tuple(range(axis, axis + first.ndim))
    if not isinstance(out, Tensor):
        return np.moveaxis(out, places, to)
    return in_class_of(xp.moveaxis(out, places, to), out)


def _rows(x: Tensor) -> Sequence[Tensor]:
    """Return the 1-d slices along the last axis in C order."""
    rows = [x]
    for _ in range(x.ndim - 1):
        rows = [part for row in rows for part in row]
    return rows


@takes(lambda a: a.ndim > 0)
def apply_over_axes(func: Callable[[Any, int], Any], a: Array, axes: Shape) -> Tensor:
    """Apply a function over one axis after the other. See `numpy.apply_over_axes`."""
    value: Any = a
    for axis in (axes,) if isinstance(axes, int) else axes:
        axis = axis + a.ndim if axis < 0 else axis
        result = func(value, axis)
        if result.ndim != value.ndim:
            result = result[(slice(None),) * axis + (None,)]
            if result.ndim != value.ndim:
                raise ValueError(
                    f"apply_over_axes: func must keep the axes, or all but one, of {value.shape}"
                )
        value = result
    found = held(value, a.device)
    return value if found is None else found
