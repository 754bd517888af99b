"""NumPy's grids and index arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, held, in_drop_in
from corepy._cython.core import asarray as _asarray
from corepy._cython.cpu import beyond_standard
from corepy.numpy._arguments import Array, DType, IntegerArray, Shape, takes
from corepy.numpy.conversion import finished

__all__ = [
    "c_", "diag_indices", "diag_indices_from", "fromfunction", "indices", "ix_",
    "mask_indices", "meshgrid", "mgrid", "ogrid", "r_", "tri", "tril_indices",
    "tril_indices_from", "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DType = float,  # type: ignore[assignment]
    *,
    like: None = None,
) -> Tensor:
    """Return a matrix with ones at and below a diagonal. See `numpy.tri`."""
    sizes = max(N, 0), max(N if M is None else M, 0)
    below = xp.tril(xp.ones(sizes, dtype=xp.bool), k=k)
    return xp.astype(below, dtype, copy=False)


def _open(parts: Any) -> tuple[Tensor, ...]:
    """Return vectors along one axis of a grid each."""
    ndim = len(parts)
    return tuple(
        [
            xp.reshape(part, (1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
            for axis, part in enumerate(parts)
        ]
    )


def _dense(parts: tuple[Tensor, ...], dtype: Any) -> Tensor:
    """Return vectors along one axis of a grid each, for all its elements."""
    out = xp.empty((len(parts), *[part.size for part in parts]), dtype=dtype)
    for axis, part in enumerate(parts):
        out[axis, ...] = part
    return out


def indices(
    dimensions: tuple[int, ...] | list[int],
    dtype: DType = int,  # type: ignore[assignment]
    sparse: bool = False,
) -> Any:
    """Return the indices of each element of a grid. See `numpy.indices`."""
    if not sparse and min(dimensions, default=0) < 0:
        raise ValueError(f"indices: dimensions must not be negative, got {dimensions}")
    parts = _open([xp.arange(size, dtype=dtype) for size in dimensions])
    return parts if sparse else _dense(parts, dtype)


# Of coordinates that are not copied: a list before NumPy 2.5.
_COORDINATES: Any = type(np.meshgrid(sparse=True, copy=False))


# In NumPy, without copies, elements that repeat can be written to.
@takes(lambda copy, sparse: copy or sparse)
def meshgrid(
    *xi: Array, copy: bool = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[Tensor, ...] | list[Tensor]:
    """Return the coordinates of the points of a grid. See `numpy.meshgrid`."""
    ndim = len(xi)
    axes = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        axes[:2] = 1, 0
    out: Any = [
        x.reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
        for x, axis in zip(xi, axes, strict=True)
    ]
    if not sparse:
        out = xp.broadcast_arrays(*out)
    return tuple([x.copy() for x in out]) if copy else _COORDINATES(out)


@takes(lambda *args: all(x.size for x in args))  # lists without items have integers in NumPy
def ix_(*args: Array) -> tuple[Tensor, ...]:
    """Return indices of the elements in chosen rows, columns, ... See `numpy.ix_`."""
    for x in args:
        if x.ndim != 1:
            raise ValueError(f"ix_: arrays must have one axis, got shape {x.shape}")
    return _open([xp.nonzero(x)[0] if x.dtype.kind == "b" else x for x in args])


def fromfunction(
    function: Callable[..., Any],
    shape: tuple[int, ...] | list[int],
    *,
    dtype: DType = float,  # type: ignore[assignment]
    like: None = None,
    **kwargs: Any,
) -> Any:
    """Return what a function makes of the indices of a grid. See `numpy.fromfunction`.

    Notes
    -----
    The function is called with ndarrays.
    """
    return function(*finished(indices(shape, dtype)), **kwargs)


# ---- indices of triangles and diagonals


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """Return the indices of a lower triangle. See `numpy.tril_indices`."""
    return xp.nonzero(tri(n, m, k, np.dtype(bool)))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """Return the indices of an upper triangle. See `numpy.triu_indices`."""
    return xp.nonzero(~tri(n, m, k - 1, np.dtype(bool)))


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the indices of the main diagonal. See `numpy.diag_indices`."""
    return (xp.arange(n),) * ndim


def _beside(indices: tuple[Tensor, ...], arr: Tensor) -> tuple[Tensor, ...]:
    """Return indices on the device of the array that they are for."""
    if arr.device == indices[0].device:
        return indices
    return tuple(places.to_device(arr.device) for places in indices)


@takes(lambda arr: arr.ndim == 2)
def tril_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, ...]:
    """Return the indices of the lower triangle of a matrix. See `numpy.tril_indices_from`."""
    return _beside(tril_indices(arr.shape[0], k, arr.shape[1]), arr)


@takes(lambda arr: arr.ndim == 2)
def triu_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, ...]:
    """Return the indices of the upper triangle of a matrix. See `numpy.triu_indices_from`."""
    return _beside(triu_indices(arr.shape[0], k, arr.shape[1]), arr)


@takes(lambda arr: arr.ndim > 1 and len(set(arr.shape)) == 1)
def diag_indices_from(arr: Tensor) -> tuple[Tensor, ...]:
    """Return the indices of the main diagonal of an array. See `numpy.diag_indices_from`."""
    return _beside(diag_indices(arr.shape[0], arr.ndim), arr)


def mask_indices(n: int, mask_func: Callable[..., Any], k: Any = 0) -> tuple[Tensor, ...]:
    """Return the indices where a function leaves ones. See `numpy.mask_indices`."""
    return xp.nonzero(mask_func(in_drop_in(xp.ones((n, n), dtype=int)), k))


def _is_shape(shape: Any) -> bool:
    """Whether arrays can have a shape; they have axes."""
    sizes = (shape,) if isinstance(shape, int) else shape
    return len(sizes) > 0 and min(sizes) >= 0 and math.prod(sizes) <= np.iinfo(np.intp).max


@takes(_is_shape)
def unravel_index(
    indices: IntegerArray, shape: Shape, order: Literal["C", "F"] = "C"
) -> tuple[Any, ...]:
    """Return indices of the axes for indices of the flat array. See `numpy.unravel_index`."""
    sizes = (shape,) if isinstance(shape, int) else shape
    if order == "C":
        found = beyond_standard.unravel(indices, sizes)
        if found is not None:
            return found
    count = math.prod(sizes)
    if indices.size and not 0 <= int(xp.min(indices)) <= int(xp.max(indices)) < count:
        raise ValueError(f"unravel_index: an index is out of bounds for {count} elements")
    flat = xp.astype(indices, np.intp)
    parts = []
    for size in sizes[:0:-1] if order == "C" else sizes[:-1]:
        rest = flat // size
        parts.append(flat - rest * size)
        flat = rest
    parts.append(flat)
    return tuple([part[()] for part in (parts[::-1] if order == "C" else parts)])


# ---- objects that are indexed: functions of the index


def _is_range(part: Any) -> bool:
    """Whether a part of an index is a slice of Python's numbers; a complex step is a count."""
    return (
        isinstance(part, slice)
        and (part.start is None or type(part.start) in (int, float))
        and type(part.stop) in (int, float)
        and (part.step is None or type(part.step) in (int, float, complex))
    )


def _numbers(part: slice, device: Any = None) -> Tensor:
    """Return the numbers of a slice."""
    start = 0 if part.start is None else part.start
    step = 1 if part.step is None else part.step
    if type(step) is not complex:
        return xp.arange(start, part.stop, step, device=device)
    count = int(abs(step))
    gap = (part.stop - start) / (abs(step) - 1.0) if count > 1 else 1
    return xp.arange(count, dtype=np.float64, device=device) * gap + start


def _is_grid(key: Any) -> bool:
    return all(map(_is_range, key)) and len(key) > 0 if isinstance(key, tuple) else _is_range(key)


def _slices(key: Any) -> tuple[Tensor, ...]:
    """Return the numbers of each slice, in one dtype."""
    parts = [_numbers(part) for part in key]
    if any(part.dtype != parts[0].dtype for part in parts):
        parts = [xp.astype(part, np.float64) for part in parts]
    return _open(parts)


@takes(_is_grid)
def mgrid(key: Any) -> Any:
    """Return a dense grid. See `numpy.mgrid`."""
    if isinstance(key, slice):
        return _numbers(key)
    parts = _slices(key)
    return _dense(parts, parts[0].dtype)


@takes(_is_grid)
def ogrid(key: Any) -> Any:
    """Return an open grid. See `numpy.ogrid`."""
    return _numbers(key) if isinstance(key, slice) else _slices(key)


def _is_joined(key: Any) -> bool:
    """Whether each item of an index is a slice of numbers or becomes a tensor."""
    items = key if isinstance(key, tuple) else (key,)
    return len(items) > 0 and all(_is_range(item) or held(item) is not None for item in items)


def _items(key: Any) -> list[Tensor]:
    """Return the items of an index as tensors in their common dtype."""
    items: Any = key if isinstance(key, tuple) else (key,)
    device = next((item.device for item in items if isinstance(item, Tensor)), None)
    items = [
        _numbers(item, device)
        if isinstance(item, slice)
        # Python's scalars do not decide about the dtype of arrays.
        else item
        if type(item) in (bool, int, float, complex)
        else _asarray(item, None, device)
        for item in items
    ]
    dtype = np.result_type(*[item.dtype if isinstance(item, Tensor) else item for item in items])
    return [_asarray(item, dtype, device) for item in items]


@takes(_is_joined)
def r_(key: Any) -> Tensor:
    """Join along the first axis. See `numpy.r_`."""
    return xp.concat([x if x.ndim else x[None] for x in _items(key)])


@takes(_is_joined)
def c_(key: Any) -> Tensor:
    """Join as columns. See `numpy.c_`."""
    parts = [x if x.ndim > 1 else x[:, None] if x.ndim else x[None, None] for x in _items(key)]
    return xp.concat(parts, axis=-1)
