"""Products of arrays: NumPy's functions beside the standard's ``matmul`` and ``vecdot``."""

from __future__ import annotations

from itertools import islice
from operator import index
from typing import Any

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy._arguments import Array, DType, NumericArray, is_contiguous, stored, takes

__all__ = ["cross", "inner", "kron", "outer", "tensordot", "trace", "vdot"]

_FIRST = slice(None), None
_SECOND = None, slice(None)


def any_dot(a: Tensor, b: Tensor, out: Tensor | None) -> Tensor:
    """Compute any call of `dot`."""
    if out is not None:
        return stored_alike("dot", any_dot(a, b, None), out)
    if a.ndim and 0 < b.ndim <= 2:
        return a @ b
    if a.ndim and b.ndim:
        return xp.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 2,)))
    return a * b


def stored_alike(name: str, result: Tensor, out: Tensor) -> Tensor:
    """Write the result of the function `name` to `out`, which must be as NumPy makes results."""
    if out.dtype != result.dtype or out.shape != result.shape or not is_contiguous(out):
        raise ValueError(
            f"{name}: out must have dtype {result.dtype}, shape {result.shape} and C order, "
            f"got dtype {out.dtype}, shape {out.shape} and strides {out.strides}"
        )
    return stored(result, out)


def inner(a: Array, b: Array, /) -> Tensor:
    """Sum products over the last axes. See `numpy.inner`."""
    if a.ndim and 0 < b.ndim <= 2:
        return a @ b.T
    if a.ndim and b.ndim:
        return xp.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 1,)))
    return a * b


def outer(a: Array, b: Array, out: Tensor | None = None) -> Tensor:
    """Multiply each element of `a` by each of `b`. See `numpy.outer`."""
    if a.ndim != 1:
        a = a.reshape(-1)
    if b.ndim != 1:
        b = b.reshape(-1)
    result = a[_FIRST] * b[_SECOND]
    return result if out is None else stored(xp.broadcast_to(result, out.shape), out)


def vdot(a: Array, b: Array, /) -> Tensor:
    """Sum the products of all elements, those of `a` conjugated. See `numpy.vdot`."""
    if a.ndim != 1:
        a = a.reshape(-1)
    if b.ndim != 1:
        b = b.reshape(-1)
    return a @ b if a.dtype.kind != "c" else xp.vecdot(a, b)


def tensordot(a: Array, b: Array, axes: Any = 2) -> Tensor:
    """Sum products over pairs of axes. See `numpy.tensordot`."""
    if hasattr(axes, "__iter__"):
        first, second = axes
        return xp.tensordot(a, b, axes=(_axes_of(first, a.ndim), _axes_of(second, b.ndim)))
    axes = max(index(axes), 0)
    return a @ b if axes == 1 and a.ndim == b.ndim == 2 else xp.tensordot(a, b, axes=axes)


def _axes_of(axes: Any, ndim: int) -> tuple[int, ...]:
    """Return one axis or a sequence of them, of which no more are read than are an error."""
    items = islice(axes, ndim + 1) if hasattr(axes, "__len__") else (axes,)
    return tuple(index(axis) for axis in items)


def trace(
    a: Array,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Sum the elements of diagonals. See `numpy.trace`."""
    if a.ndim != 2 or axis1 != 0 or axis2 != 1:
        a = xp.moveaxis(a, (axis1, axis2), (-2, -1))
    if offset or dtype is not None:
        result = xp.linalg.trace(a, offset=offset, dtype=dtype)
    else:
        result = xp.linalg.trace(a)
    return stored(result, out, casting="unsafe")


def _have_no_pairs(a: Tensor, b: Tensor, axisa: int, axisb: int, axis: int | None) -> bool:
    """Whether vectors do not have 2 elements, which is deprecated in NumPy."""
    if 2 not in a.shape and 2 not in b.shape:
        return True
    if axis is not None:
        axisa = axisb = axis
    return (2,) not in (a.shape[axisa:][:1], b.shape[axisb:][:1])


@takes(_have_no_pairs)
def cross(
    a: NumericArray,
    b: NumericArray,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """Compute cross products of vectors of 3 elements. See `numpy.cross`."""
    if axis is not None:
        axisa = axisb = axisc = axis
    if axisa != -1:
        a = xp.moveaxis(a, axisa, -1)
    if axisb != -1:
        b = xp.moveaxis(b, axisb, -1)
    result = xp.linalg.cross(a, b)
    # A view of another order is NumPy's result, too.
    return result if axisc == -1 or result.ndim == 1 else xp.moveaxis(result, -1, axisc)


def kron(a: Array, b: Array) -> Tensor:
    """Compute the Kronecker product: `b` for each element of `a`, times it. See `numpy.kron`."""
    first, second = a.shape, b.shape
    ndim = max(len(first), len(second))
    first = (1,) * (ndim - len(first)) + first
    second = (1,) * (ndim - len(second)) + second
    apart = a.reshape([size for each in first for size in (each, 1)])
    between = b.reshape([size for each in second for size in (1, each)])
    return (apart * between).reshape([m * n for m, n in zip(first, second, strict=True)])
