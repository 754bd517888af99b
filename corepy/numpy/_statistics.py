"""Reductions with NumPy's keywords, and moments."""

from __future__ import annotations

from collections.abc import Callable
from math import prod as product
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy._arguments import Forward, pair, stored, tensor

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "corrcoef", "count_nonzero", "cov",
    "max", "mean", "min", "prod", "ptp", "std", "sum", "var",
]  # fmt: skip

_NoValue: Any = np._NoValue  # type: ignore[attr-defined]


# ---- arguments


def _keeps(keepdims: Any) -> bool:
    return keepdims is not _NoValue and bool(keepdims)


def _axes(x: Tensor, axis: Any) -> tuple[int, ...]:
    """Return the axes of a reduction, none of them negative."""
    if axis is None:
        return tuple(range(x.ndim))
    axes = axis if type(axis) is tuple else (axis,)
    for k in axes:
        if type(k) is not int or not -x.ndim <= k < x.ndim:
            raise Forward
    axes = tuple(k % x.ndim for k in axes)
    if len(set(axes)) != len(axes):
        raise Forward
    return axes


def _count(x: Tensor, axis: Any) -> int:
    """Return the number of elements that a reduction over `axis` takes for each result."""
    if axis is None:
        return x.size
    if type(axis) is int and -x.ndim <= axis < x.ndim:
        return x.shape[axis]
    return product(x.shape[k] for k in _axes(x, axis))


def _with_axes(result: Tensor, x: Tensor, axis: Any, front: int = 0) -> Tensor:
    """Return a result with the reduced axes of `x` as axes of size 1, behind `front` others."""
    axes = _axes(x, axis)
    shape = tuple(1 if k in axes else x.shape[k] for k in range(x.ndim))
    return xp.reshape(result, result.shape[:front] + shape)


def _chosen(x: Tensor, where: Any, other: Any) -> Tensor:
    """Return the elements of `x` where `where` is True, and `other` elsewhere."""
    if where is _NoValue or where is True:
        return x
    if other is _NoValue or (type(other) is not int and not _fits(other, x.dtype)):
        raise Forward
    mask = _mask(x, where)
    result = xp.where(mask, x, bool(other) if x.dtype.kind == "b" else other)
    if result.shape != x.shape or result.dtype != x.dtype:
        raise Forward
    return result


def _mask(x: Tensor, where: Any) -> Tensor:
    mask = tensor(where, x)
    if mask.dtype.kind != "b":
        raise Forward
    return mask


def _fits(initial: Any, dtype: Any) -> bool:
    """Whether a Python scalar is a value of a dtype."""
    return dtype.kind in "iufc" and (type(initial) is int or _is_float(initial, dtype))


def _is_float(value: Any, dtype: Any) -> bool:
    return type(value) is float and dtype.kind in "fc"


def _floating(dtype: Any, x: Tensor) -> Any:
    """Return the dtype of a mean that is asked for, if it is one for which nothing is lost."""
    if dtype is None:
        return None
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc" or not np.can_cast(x.dtype, dtype, "same_kind"):
        raise Forward
    return dtype


# ---- reductions


def _ordered(a: Any) -> Tensor:
    """Return an array-like as a tensor, if the standard has an order of its elements."""
    x = tensor(a)
    if x.dtype.kind == "c":
        raise Forward
    return x


def _from_initial(operation: Callable[..., Tensor], result: Tensor, initial: Any) -> Tensor:
    """Return a reduction that starts from a value."""
    if initial is _NoValue:
        return result
    if not _fits(initial, result.dtype):
        raise Forward
    return operation(result, initial)


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Add elements. See `numpy.sum`."""
    x = _chosen(tensor(a), where, 0)
    result = xp.sum(x, axis=axis, dtype=dtype, keepdims=_keeps(keepdims))
    return stored(_from_initial(xp.add, result, initial), out)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Multiply elements. See `numpy.prod`."""
    x = _chosen(tensor(a), where, 1)
    result = xp.prod(x, axis=axis, dtype=dtype, keepdims=_keeps(keepdims))
    return stored(_from_initial(xp.multiply, result, initial), out)


def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Find the smallest element. See `numpy.min`."""
    x = _chosen(_ordered(a), where, initial)
    result = x.min(axis, keepdims=_keeps(keepdims))
    return stored(_from_initial(xp.minimum, result, initial), out)


def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Find the largest element. See `numpy.max`."""
    x = _chosen(_ordered(a), where, initial)
    result = x.max(axis, keepdims=_keeps(keepdims))
    return stored(_from_initial(xp.maximum, result, initial), out)


amin = min
amax = max


def any(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NoValue, *, where: Any = _NoValue
) -> Tensor:
    """Test whether any element is True. See `numpy.any`."""
    x = _chosen(tensor(a), where, 0)
    return stored(x.any(axis, keepdims=_keeps(keepdims)), out)


def all(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NoValue, *, where: Any = _NoValue
) -> Tensor:
    """Test whether all elements are True. See `numpy.all`."""
    x = _chosen(tensor(a), where, 1)
    return stored(x.all(axis, keepdims=_keeps(keepdims)), out)


def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NoValue) -> Tensor:
    """Find the index of the smallest element. See `numpy.argmin`."""
    x = _ordered(a)
    return stored(x.argmin(axis, keepdims=_keeps(keepdims)), out)


def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NoValue) -> Tensor:
    """Find the index of the largest element. See `numpy.argmax`."""
    x = _ordered(a)
    return stored(x.argmax(axis, keepdims=_keeps(keepdims)), out)


def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Tensor:
    """Count the elements that are not zero. See `numpy.count_nonzero`."""
    return xp.count_nonzero(tensor(a), axis=axis, keepdims=bool(keepdims))


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NoValue) -> Tensor:
    """Subtract the smallest element from the largest. See `numpy.ptp`."""
    x = tensor(a)
    keep = _keeps(keepdims)
    return stored(xp.subtract(x.max(axis, keepdims=keep), x.min(axis, keepdims=keep)), out)


# ---- moments


def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    *,
    where: Any = _NoValue,
) -> Tensor:
    """Compute the arithmetic mean. See `numpy.mean`."""
    x: Any = tensor(a)
    dtype = _floating(dtype, x)
    keep = _keeps(keepdims)
    if where is not _NoValue and where is not True:
        mask = _mask(x, where)
        number = xp.broadcast_to(mask, x.shape).sum(axis, keepdims=keep)
        if not number.all():
            raise Forward  # NumPy warns
        if x.dtype.kind in "biu" and dtype is None:
            dtype = np.float64
        total = xp.sum(_chosen(x, mask, 0), axis=axis, dtype=dtype, keepdims=keep)
        return stored(total / number.astype(total.dtype), out)
    if not _count(x, axis):
        raise Forward
    return stored(x.mean(axis, dtype, keepdims=keep), out)


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = _NoValue,
    *,
    where: Any = _NoValue,
    mean: Any = _NoValue,
    correction: Any = _NoValue,
) -> Tensor:
    """Compute the variance. See `numpy.var`."""
    x: Any = tensor(a)
    if correction is not _NoValue:
        if ddof != 0:
            raise Forward
        ddof = correction
    if type(ddof) not in (int, float) or _count(x, axis) <= ddof:
        raise Forward  # NumPy warns
    dtype = _floating(dtype, x)
    keep = _keeps(keepdims)
    if where is not _NoValue and where is not True:
        return stored(_masked_var(x, axis, dtype, ddof, keep, _mask(x, where), mean), out)
    if mean is not _NoValue:
        if dtype is not None:
            raise Forward
        centred = x - tensor(mean, x)
        if centred.shape != x.shape or centred.dtype.kind not in "fc":
            raise Forward
        total = _squares(centred).sum(axis, keepdims=keep)
        return stored(total / (_count(x, axis) - ddof), out)
    return stored(x.var(axis, dtype, ddof=ddof, keepdims=keep), out)


def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = _NoValue,
    *,
    where: Any = _NoValue,
    mean: Any = _NoValue,
    correction: Any = _NoValue,
) -> Tensor:
    """Compute the standard deviation. See `numpy.std`."""
    squared = var(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return stored(xp.sqrt(squared), out)


def _squares(x: Tensor) -> Tensor:
    return x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x


def _masked_var(
    x: Tensor, axis: Any, dtype: Any, ddof: Any, keepdims: bool, mask: Tensor, mean: Any = _NoValue
) -> Tensor:
    """Return the variance of the elements where a mask is True."""
    if dtype is not None and dtype.kind == "c":
        raise Forward
    if x.dtype.kind in "biu" or dtype is not None:
        x = xp.astype(x, np.float64 if dtype is None else dtype)
    number = xp.broadcast_to(mask, x.shape).sum(axis, keepdims=True)
    if mean is _NoValue:
        # NumPy's NaN of no elements comes with a warning.
        if not (number > ddof).all():
            raise Forward
        mean = _chosen(x, mask, 0).sum(axis, keepdims=True) / number.astype(x.real.dtype)
    elif not (number > ddof).all():
        raise Forward
    centred = x - tensor(mean, x)
    if centred.dtype != x.dtype:
        raise Forward
    total = _squares(_chosen(centred, mask, 0)).sum(axis, keepdims=True)
    result = total / (number.astype(total.dtype) - ddof)
    return result if keepdims else result.squeeze(_axes(x, axis))[()]


def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: Any = False,
    *,
    keepdims: Any = _NoValue,
) -> Any:
    """Compute the weighted average. See `numpy.average`."""
    keep = _keeps(keepdims)
    if weights is None:
        x = tensor(a)
        number = _count(x, axis)
        if not x.size:
            raise Forward
        result = x.mean(axis, keepdims=keep)
        return (result, xp.full_like(result, number)[()]) if returned else result
    x, w = pair(a, weights)
    if w.shape != x.shape:
        if w.ndim != 1 or type(axis) is not int or w.size != x.shape[axis]:
            raise Forward
        w = w.reshape((-1,) + (1,) * (-axis - 1 if axis < 0 else x.ndim - axis - 1))
        total = w.sum()
    else:
        total = None
    dtype = xp.result_type(x, w)
    if x.dtype.kind in "biu":
        dtype = xp.result_type(dtype, xp.float64)
    if dtype.kind not in "fc":
        raise Forward
    w = w.astype(dtype, copy=False)
    scale = w.sum(axis, keepdims=keep) if total is None else w.sum()
    if not scale.all():
        raise Forward  # NumPy raises ZeroDivisionError
    result = (x.astype(dtype, copy=False) * w).sum(axis, keepdims=keep) / scale
    if not returned:
        return result
    return result, xp.asarray(xp.broadcast_to(scale, result.shape), copy=True)[()]


def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """Estimate a covariance matrix. See `numpy.cov`."""
    if fweights is not None or aweights is not None or dtype is not None:
        raise Forward
    x = _variables(m, rowvar, transpose_row=True)
    if y is not None:
        x, other = pair(x, y)
        other = _variables(other, rowvar, transpose_row=False)
        x = xp.concat((x, other))
    if ddof is None:
        ddof = 0 if bias else 1
    if type(ddof) is not int or not x.shape[0] or x.shape[1] <= ddof:
        raise Forward  # NumPy warns
    x = x - x.mean(1, keepdims=True)
    if x.shape[0] == 1:
        x = x[0]
        result = xp.sum(x * xp.conj(x)) if x.dtype.kind == "c" else xp.vecdot(x, x)
        return tensor(result * (1 / (x.shape[0] - ddof)), x)
    return xp.matmul(x, xp.conj(x.T) if x.dtype.kind == "c" else x.T) * (1 / (x.shape[1] - ddof))


def _variables(m: Any, rowvar: Any, transpose_row: bool) -> Tensor:
    """Return observations of `cov` as a matrix with a variable in each row."""
    x = tensor(m)
    if x.ndim > 2:
        raise Forward
    if x.dtype.char not in "dD":
        x = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    if x.ndim < 2:
        return x.reshape((1, -1))
    return x if rowvar or not (transpose_row or x.shape[0] != 1) else x.T


def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> Tensor:
    """Compute correlation coefficients. See `numpy.corrcoef`."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = xp.sqrt(xp.linalg.diagonal(c).real)
    c = c / deviation[:, None] / deviation
    if c.dtype.kind == "c":
        raise Forward
    return xp.clip(c, -1.0, 1.0)
