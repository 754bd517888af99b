"""NumPy's grids and index arrays; their public names are in `_creation`."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.conversion import call_numpy
from corepy._cython.core import Tensor
from corepy._cython.cpu import counting
from corepy._cython.forward import finished
from corepy.numpy._arguments import Forward, items_of, tensor


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *, like: Any = None) -> Tensor:
    """Return a matrix with ones at and below a diagonal. See `numpy.tri`."""
    if like is not None:
        raise Forward
    below = xp.tril(xp.ones((index(N), index(N if M is None else M)), dtype=xp.bool), k=k)
    return xp.astype(below, np.dtype(dtype), copy=False)


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """Return the indices of each element of a grid. See `numpy.indices`."""
    sizes = tuple(dimensions)
    ndim = len(sizes)
    ranges = [
        xp.reshape(xp.arange(size, dtype=dtype), (1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
        for axis, size in enumerate(sizes)
    ]
    if any(size < 0 for size in sizes):
        raise Forward
    if sparse:
        return tuple(ranges)
    out = xp.empty((ndim, *sizes), dtype=dtype)
    for axis, numbers in enumerate(ranges):
        out[axis, ...] = numbers
    return out


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[Tensor, ...] | list[Tensor]:
    """Return the coordinates of the points of a grid. See `numpy.meshgrid`."""
    if indexing not in ("xy", "ij") or (copy is not True and not sparse):
        raise Forward  # views of elements that repeat can be written to in NumPy
    ndim = len(xi)
    axes = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        axes[:2] = 1, 0
    out: Any = [
        tensor(x).reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
        for x, axis in zip(xi, axes, strict=True)
    ]
    if not sparse:
        out = xp.broadcast_arrays(*out)
    return tuple([x.copy() for x in out]) if copy else out


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Return indices of the elements in chosen rows, columns, ... See `numpy.ix_`."""
    ndim = len(args)
    out = []
    for axis, sequence in enumerate(args):
        x = tensor(sequence)
        if x.ndim != 1:
            raise Forward
        if x.size == 0 and not isinstance(sequence, Tensor):
            x = x.astype(np.intp)
        if x.dtype.kind == "b":
            (x,) = xp.nonzero(x)
        out.append(x.reshape((1,) * axis + (-1,) + (1,) * (ndim - axis - 1)))
    return tuple(out)


def fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """Return what a function makes of the indices of a grid. See `numpy.fromfunction`.

    Notes
    -----
    The function is called with ndarrays.
    """
    if like is not None:
        raise Forward
    return function(*finished(indices(shape, dtype=dtype)), **kwargs)


# ---- indices of triangles and diagonals


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """Return the indices of a lower triangle. See `numpy.tril_indices`."""
    return xp.nonzero(tri(n, m, k, bool))


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """Return the indices of an upper triangle. See `numpy.triu_indices`."""
    return xp.nonzero(~tri(n, m, k - 1, bool))


def diag_indices(n: Any, ndim: Any = 2) -> tuple[Tensor, ...]:
    """Return the indices of the main diagonal. See `numpy.diag_indices`."""
    return (xp.arange(n),) * ndim


def _beside(indices: tuple[Tensor, ...], arr: Any) -> tuple[Tensor, ...]:
    """Return indices on the device of the array that they are for."""
    if not isinstance(arr, Tensor) or arr.device == indices[0].device:
        return indices
    return tuple(places.to_device(arr.device) for places in indices)


def tril_indices_from(arr: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """Return the indices of the lower triangle of a matrix. See `numpy.tril_indices_from`."""
    rows, columns = arr.shape
    return _beside(tril_indices(rows, k, columns), arr)


def triu_indices_from(arr: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """Return the indices of the upper triangle of a matrix. See `numpy.triu_indices_from`."""
    rows, columns = arr.shape
    return _beside(triu_indices(rows, k, columns), arr)


def diag_indices_from(arr: Any) -> tuple[Tensor, ...]:
    """Return the indices of the main diagonal of an array. See `numpy.diag_indices_from`."""
    if arr.ndim < 2 or len(set(arr.shape)) != 1:
        raise Forward
    return _beside(diag_indices(arr.shape[0], arr.ndim), arr)


def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> tuple[Tensor, ...]:
    """Return the indices where a function leaves ones. See `numpy.mask_indices`."""
    return xp.nonzero(tensor(mask_func(tensor(xp.ones((n, n), dtype=int)), k)))


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Tensor, ...]:
    """Return indices of the axes for indices of the flat array. See `numpy.unravel_index`."""
    if isinstance(indices, Tensor) and type(shape) is tuple and order == "C":
        found = counting.unravel(indices, shape)
        if found is not None:
            return found
    sizes = (index(shape),) if isinstance(shape, int) else tuple(map(index, items_of(shape)))
    if order not in ("C", "F") or not sizes or any(size < 0 for size in sizes):
        raise Forward
    count = math.prod(sizes)
    if count > np.iinfo(np.intp).max:
        raise Forward  # NumPy raises ValueError
    x = tensor(indices)
    if x.dtype.kind not in "iu" or x.size == 0 or not np.can_cast(x.dtype, np.intp, "same_kind"):
        raise Forward
    flat: Any = x
    if x.ndim == 0:
        flat = int(x)
        if not 0 <= flat < count:
            raise Forward
    else:
        if int(xp.min(x)) < 0 or int(xp.max(x)) >= count:
            raise Forward
        flat = x.astype(np.intp, copy=False)
    parts = []
    for size in sizes[:0:-1] if order == "C" else sizes[:-1]:
        rest = flat // size
        parts.append(flat - rest * size)
        flat = rest
    parts.append(flat)
    if order == "C":
        parts.reverse()
    if x.ndim == 0:
        return tuple([xp.asarray(part, device=x.device)[()] for part in parts])
    # An axis alone: not the argument itself.
    return tuple([part.copy() if part is x else part for part in parts])


# ---- objects that are indexed


class Indexed:
    """An object of NumPy's that makes arrays of an index.

    Parameters
    ----------
    name : str
    own : callable
        From an index to the result; what it does not take is NumPy's.
    """

    def __init__(self, name: str, own: Callable[[Any], Any]) -> None:
        self._name = name
        self._own = own

    def __getitem__(self, key: Any) -> Any:
        try:
            return finished(self._own(key))
        except (Forward, TypeError, ValueError, IndexError, OverflowError):
            return call_numpy(self._name, getattr(np, self._name).__getitem__, (key,), {})

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<corepy.{self._name}>"


def _bounds(part: slice) -> tuple[Any, Any, Any]:
    """Return start, stop and step of a slice; a complex step is a number of points."""
    start = 0 if part.start is None else part.start
    step = 1 if part.step is None else part.step
    for number in (start, part.stop, step):
        if type(number) is not int and type(number) is not float and number is not step:
            raise Forward
    if type(step) not in (int, float, complex):
        raise Forward
    return start, part.stop, step


def _numbers(part: slice) -> Tensor:
    """Return the numbers of a slice."""
    start, stop, step = _bounds(part)
    if type(step) is not complex:
        return xp.arange(start, stop, step)
    count = int(abs(step))
    gap = (stop - start) / (abs(step) - 1.0) if count > 1 else 1
    return xp.arange(count, dtype=np.float64) * gap + start


def _slices(key: Any) -> list[Tensor]:
    """Return the numbers of each slice, in one dtype."""
    parts = [_numbers(part) if isinstance(part, slice) else None for part in key]
    out = [part for part in parts if part is not None]
    if len(out) != len(parts) or not out:
        raise Forward
    if all(part.dtype == out[0].dtype for part in out):
        return out
    return [xp.astype(part, np.float64) for part in out]


def _mgrid(key: Any) -> Any:
    if isinstance(key, slice):
        return _numbers(key)
    parts = _slices(key)
    out = xp.empty((len(parts), *[part.size for part in parts]), dtype=parts[0].dtype)
    for axis, part in enumerate(parts):
        out[axis, ...] = xp.reshape(part, (-1,) + (1,) * (len(parts) - axis - 1))
    return out


def _ogrid(key: Any) -> Any:
    if isinstance(key, slice):
        return _numbers(key)
    parts = _slices(key)
    ndim = len(parts)
    return tuple(
        [
            xp.reshape(part, (1,) * axis + (-1,) + (1,) * (ndim - axis - 1))
            for axis, part in enumerate(parts)
        ]
    )


def _items(key: Any) -> list[Tensor]:
    """Return the items of an index as tensors in their common dtype."""
    parts: list[Any] = []
    kinds: list[Any] = []  # Python's scalars do not decide about the dtype of arrays
    for item in key if isinstance(key, tuple) else (key,):
        if isinstance(item, slice):
            part = _numbers(item)
        elif isinstance(item, str):
            raise Forward
        else:
            part = tensor(item)
        parts.append(part)
        kinds.append(item if type(item) in (bool, int, float, complex) else part.dtype)
    dtype = np.result_type(*kinds)
    if dtype.kind not in "biufc":
        raise Forward
    # Integers out of the range of the dtype are errors in NumPy.
    if any(type(kind) is int and not -128 <= kind < 128 for kind in kinds) and dtype.itemsize < 8:
        raise Forward
    if dtype.kind == "u" and any(type(kind) is int and kind < 0 for kind in kinds):
        raise Forward
    return [xp.astype(part, dtype, copy=False) for part in parts]


def _rows(key: Any) -> Tensor:
    return xp.concat([x if x.ndim else x[None] for x in _items(key)])


def _columns(key: Any) -> Tensor:
    parts = [x if x.ndim > 1 else x[:, None] if x.ndim else x[None, None] for x in _items(key)]
    return xp.concat(parts, axis=-1)


mgrid = Indexed("mgrid", _mgrid)
ogrid = Indexed("ogrid", _ogrid)
r_ = Indexed("r_", _rows)
c_ = Indexed("c_", _columns)
s_ = np.s_
index_exp = np.index_exp
