"""Products of arrays: NumPy's functions beside the standard's ``matmul`` and ``vecdot``."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from corepy import array_api as xp
from corepy._cython.conversion import dot
from corepy._cython.core import Tensor
from corepy.numpy._arguments import (
    Forward,
    is_contiguous,
    items_of,
    stored,
    tensor,
    tensors,
)

__all__ = ["cross", "dot", "inner", "kron", "outer", "tensordot", "trace", "vdot"]

_FIRST = slice(None), None
_SECOND = None, slice(None)


def any_dot(a: Any, b: Any, out: Any) -> Tensor:
    """Return `dot` of objects other than two tensors, or of tensors of more dimensions."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
        return dot(a, b, out)
    if out is not None:
        if not isinstance(out, Tensor) or not is_contiguous(out):
            raise Forward  # NumPy raises ValueError
        return stored(dot(a, b), out)
    if a.ndim and b.ndim:
        return xp.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 2,)))
    return a * b


def inner(a: Any, b: Any, /) -> Tensor:
    """Sum products over the last axes. See `numpy.inner`."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    if a.ndim and 0 < b.ndim <= 2:
        return a @ b.T
    if a.ndim and b.ndim:
        return xp.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 1,)))
    return a * b


def outer(a: Any, b: Any, out: Any = None) -> Tensor:
    """Multiply each element of `a` by each of `b`. See `numpy.outer`."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    if a.ndim != 1:
        a = a.reshape(-1)
    if b.ndim != 1:
        b = b.reshape(-1)
    result = a[_FIRST] * b[_SECOND]
    return result if out is None else stored(result, out)


def vdot(a: Any, b: Any, /) -> Tensor:
    """Sum the products of all elements, those of `a` conjugated. See `numpy.vdot`."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    if a.ndim != 1:
        a = a.reshape(-1)
    if b.ndim != 1:
        b = b.reshape(-1)
    if a.size != b.size:
        raise Forward
    return a @ b if a.dtype.kind != "c" else xp.vecdot(a, b)


def _axes_of(axes: Any, ndim: int) -> tuple[int, ...]:
    """Return one axis or a sequence of them, counted from the front."""
    axes = map(index, items_of(axes)) if isinstance(axes, Sequence) else (index(axes),)
    return tuple(axis + ndim if axis < 0 else axis for axis in axes)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """Sum products over pairs of axes. See `numpy.tensordot`."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    if type(axes) is int:
        if axes == 1 and a.ndim == b.ndim == 2:
            return a @ b
        if axes < 0:
            raise Forward
        return xp.tensordot(a, b, axes=axes)
    if not isinstance(axes, Sequence):
        axes = items_of(axes)
    first, second = axes[0], axes[1]
    if len(axes) != 2:
        raise Forward
    pairs = _axes_of(first, a.ndim), _axes_of(second, b.ndim)
    return xp.tensordot(a, b, axes=pairs)


def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Tensor:
    """Sum the elements of diagonals. See `numpy.trace`."""
    if not isinstance(a, Tensor):
        a = tensor(a)
    if a.ndim != 2 or axis1 != 0 or axis2 != 1:
        a = xp.moveaxis(a, (axis1, axis2), (-2, -1))
    if offset or dtype is not None:
        result = xp.linalg.trace(a, offset=offset, dtype=dtype)
    else:
        result = xp.linalg.trace(a)
    return result if out is None else stored(result, out)


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    """Compute cross products of vectors of 3 elements. See `numpy.cross`.

    Notes
    -----
    NumPy handles vectors of 2 elements, which are deprecated.
    """
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    if axisa != -1:
        a = xp.moveaxis(a, axisa, -1)
    if axisb != -1:
        b = xp.moveaxis(b, axisb, -1)
    result = xp.linalg.cross(a, b)
    # A view of another order is NumPy's result, too.
    return result if axisc == -1 or result.ndim == 1 else xp.moveaxis(result, -1, axisc)


def kron(a: Any, b: Any) -> Tensor:
    """Compute the Kronecker product: `b` for each element of `a`, times it. See `numpy.kron`."""
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        a, b = tensors(a, b)
    first, second = a.shape, b.shape
    ndim = max(len(first), len(second))
    first = (1,) * (ndim - len(first)) + first
    second = (1,) * (ndim - len(second)) + second
    apart = a.reshape([size for each in first for size in (each, 1)])
    between = b.reshape([size for each in second for size in (1, each)])
    return (apart * between).reshape([m * n for m, n in zip(first, second, strict=True)])
