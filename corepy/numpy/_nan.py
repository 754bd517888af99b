"""Statistics that ignore NaN.

Most data has no NaN. So the result of the usual function is tried first, where it would show one.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy._cython.cpu.further import reduce_all
from corepy.numpy import _quantiles as ranks
from corepy.numpy import _statistics as usual
from corepy.numpy._arguments import Forward, stored, tensor

__all__ = [
    "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
]  # fmt: skip

_NoValue = usual._NoValue
_keeps = usual._keeps


def _has_nan(x: Tensor) -> bool:
    """Whether a tensor that is not empty has a NaN."""
    if x.dtype.kind not in "fc":
        return False
    smallest = x.min() if x.dtype.kind == "f" else x.sum()
    # A sum may also be NaN for other reasons.
    return bool(smallest != smallest)


def _is_clean(result: Tensor) -> bool:
    return result.dtype.kind not in "fc" or not (result != result).any()


def _neutral(
    reduction: Any,
    other: Any,
    a: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: Any,
    initial: Any,
    where: Any,
) -> Tensor:
    """Reduce, with `other` in place of NaN."""
    x = tensor(a)
    result = reduction(x, axis, dtype, None, keepdims, initial, where)
    if not _is_clean(result) or _lost_nan(x, result):
        x = xp.where(x != x, other, x)
        result = reduction(x, axis, dtype, None, keepdims, initial, where)
    return stored(result, out)


def _lost_nan(x: Tensor, result: Tensor) -> bool:
    """Whether a result has a dtype without NaN, unlike its argument."""
    return x.dtype.kind in "fc" and result.dtype.kind not in "fc"


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Add the elements that are not NaN. See `numpy.nansum`."""
    return _neutral(usual.sum, 0, a, axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Multiply the elements that are not NaN. See `numpy.nanprod`."""
    return _neutral(usual.prod, 1, a, axis, dtype, out, keepdims, initial, where)


def _extreme(
    find: Any,
    kernel: str,
    last: float,
    a: Any,
    axis: Any,
    out: Any,
    keepdims: Any,
    initial: Any,
    where: Any,
) -> Tensor:
    """Find an extreme, `last` being the number that is one of no other numbers."""
    x = tensor(a)
    if axis is out is None and keepdims is initial is where is _NoValue:
        result = reduce_all(kernel, x)
        if result is not None and result == result:
            return result
    result = find(x, axis, None, keepdims, initial, where)
    if not _is_clean(result):
        bad = x != x
        result = find(xp.where(bad, last, x), axis, None, keepdims, initial, where)
        if initial is _NoValue and (result == last).any():
            bad = bad.all(axis, keepdims=_keeps(keepdims))
            if bad.any():
                warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
                result = xp.where(bad, np.nan, result)
    return stored(result, out)


def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Find the smallest element that is not NaN. See `numpy.nanmin`."""
    return _extreme(usual.min, "fmin", np.inf, a, axis, out, keepdims, initial, where)


def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> Tensor:
    """Find the largest element that is not NaN. See `numpy.nanmax`."""
    return _extreme(usual.max, "fmax", -np.inf, a, axis, out, keepdims, initial, where)


def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NoValue) -> Tensor:
    """Find the index of the smallest element that is not NaN. See `numpy.nanargmin`."""
    x = tensor(a)
    return usual.argmin(_without_nan(x, axis, np.inf), axis, out, keepdims=keepdims)


def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NoValue) -> Tensor:
    """Find the index of the largest element that is not NaN. See `numpy.nanargmax`."""
    x = tensor(a)
    return usual.argmax(_without_nan(x, axis, -np.inf), axis, out, keepdims=keepdims)


def _without_nan(x: Tensor, axis: Any, other: float) -> Tensor:
    if not x.size:
        raise Forward
    if not _has_nan(x):
        return x
    bad = x != x
    if bad.all(axis).any():
        raise Forward  # NumPy raises ValueError
    return xp.where(bad, other, x)


def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    *,
    where: Any = _NoValue,
) -> Tensor:
    """Compute the mean of the elements that are not NaN. See `numpy.nanmean`."""
    x = tensor(a)
    result = usual.mean(x, axis, dtype, None, keepdims, where=where)
    if not _is_clean(result):
        good = x == x
        if where is not _NoValue:
            good = good & tensor(where, x)
        keep = _keeps(keepdims)
        total = xp.sum(xp.where(good, x, 0), axis=axis, dtype=dtype, keepdims=keep)
        number = good.sum(axis, keepdims=keep)
        if not number.all():
            warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
        result = xp.divide(total, xp.astype(number, total.dtype))
    return stored(result, out)


def nanvar(
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
    """Compute the variance of the elements that are not NaN. See `numpy.nanvar`."""
    x = tensor(a)
    result = usual.var(
        x, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    if not _is_clean(result):
        if where is not _NoValue:
            raise Forward
        ddof = ddof if correction is _NoValue else correction
        dtype = None if dtype is None else np.dtype(dtype)
        result = usual._masked_var(x, axis, dtype, ddof, _keeps(keepdims), x == x, mean)
    return stored(result, out)


def nanstd(
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
    """Compute the standard deviation of what is not NaN. See `numpy.nanstd`."""
    squared = nanvar(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return stored(xp.sqrt(squared), out)


def nanmedian(
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    keepdims: Any = _NoValue,
) -> Tensor:
    """Compute the median of the elements that are not NaN. See `numpy.nanmedian`."""
    x = tensor(a)
    if not x.size or x.dtype.kind == "c":
        raise Forward
    if not _has_nan(x):
        return ranks.median(x, axis, out, False, _keeps(keepdims))
    if x.ndim == 1 and axis is None and not _keeps(keepdims):
        numbers = x[x == x]
        if not numbers.size:
            raise Forward  # NumPy warns
        return ranks.median(numbers, None, out)
    line, number = _sorted(x, axis)
    if not number.all():
        raise Forward  # NumPy warns
    low = xp.take_along_axis(line, (number - 1) // 2)
    high = xp.take_along_axis(line, number // 2)
    result = xp.where(number % 2 == 1, low, (low + high) / 2)[..., 0][()]
    return stored(usual._with_axes(result, x, axis) if _keeps(keepdims) else result, out)


def _sorted(x: Tensor, axis: Any) -> tuple[Tensor, Tensor]:
    """Return slices with elements in order, along the last axis, and their counts without NaN."""
    line, along = ranks._in_line(x, axis)
    if along != line.ndim - 1:
        line = xp.moveaxis(line, along, -1)
    line = xp.sort(line, stable=False)
    return line, (line == line).sum(-1, keepdims=True)


def _nanquantiles(
    x: Tensor, levels: list[float], shape: Any, axis: Any, method: str, keepdims: Any
) -> Tensor:
    if not x.size or x.dtype.kind == "c":
        raise Forward
    keep = _keeps(keepdims)
    if not _has_nan(x):
        return ranks._quantiles(x, levels, shape, axis, method, keep)
    usual._axes(x, axis)
    if x.ndim == 1 or axis is None:
        result = ranks._quantiles(x[x == x], levels, shape, None, method, False)
        return usual._with_axes(result, x, axis, len(shape or ())) if keep else result
    if method != "linear":
        raise Forward
    line, number = _sorted(x, axis)
    if not number.all():
        raise Forward  # the dtype may depend on where NumPy finds a slice of NaN
    last = number - 1
    if shape is None:
        levels_ = xp.asarray(levels[0], device=x.device)
    else:
        levels_ = xp.asarray(levels, device=x.device)
    position = last * levels_
    low_rank = xp.floor(position).astype(np.int64)
    low = xp.take_along_axis(line, low_rank)
    high = xp.take_along_axis(line, xp.minimum(low_rank + 1, last))
    weight = position - low_rank
    result = ranks._between(low, high, weight.astype(x.dtype) if shape is None else weight)
    result = xp.moveaxis(result, -1, 0) if shape else result[..., 0][()]
    return usual._with_axes(result, x, axis, len(shape or ())) if keep else result


nanquantile = ranks.of_levels("nanquantile", 1, _nanquantiles, _NoValue)
nanpercentile = ranks.of_levels("nanpercentile", 100, _nanquantiles, _NoValue)
