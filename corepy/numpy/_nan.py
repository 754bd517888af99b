"""Statistics that ignore NaN.

Most data has no NaN. So the result of the usual function is tried first, where it would show one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, kind_of
from corepy._cython.cpu.beyond_standard import reduce_all
from corepy.numpy import _quantiles as ranks
from corepy.numpy import _statistics as usual
from corepy.numpy._arguments import Array, Axes, DType, Mask, RealArray, stored, takes

_BEFORE_NUMPY_25 = np.lib.NumpyVersion(np.__version__) < "2.5.0"

__all__ = [
    "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
]  # fmt: skip


def _has_nan(x: Any) -> bool:
    """Whether a real tensor that is not empty has a NaN."""
    if kind_of(x) != "f":
        return False
    smallest: Any = x.min()
    return bool(smallest != smallest)


def _is_clean(result: Tensor) -> bool:
    return kind_of(result) not in "fc" or not xp.any(result != result)


def _total(reduce: Callable[..., Tensor], neutral: int) -> Callable[..., Tensor]:
    """Return what computes `nansum` or `nanprod`."""

    def compute(a: Tensor, axis: Axes, dtype: Any, out: Any, *rest: Any) -> Tensor:
        if kind_of(a) not in "fc":
            return reduce(a, axis, dtype, out, *rest)
        result = reduce(a, axis, dtype, None, *rest)
        if kind_of(result) not in "fc" or not _is_clean(result):
            result = reduce(xp.where(a != a, neutral, a), axis, dtype, None, *rest)
        return stored(result, out)

    return compute


nansum = usual.total("nansum", _total(usual.sum, 0), 0)
nanprod = usual.total("nanprod", _total(usual.prod, 1), 1)


def _extreme(
    name: str, find: Callable[..., Tensor], kernel: str, last: float
) -> Callable[..., Tensor]:
    """Return what computes `nanmin` or `nanmax`, `last` being the number that is one of no other
    numbers.
    """

    def compute(
        a: Tensor, axis: Axes, out: Any, keepdims: bool, initial: Any, where: Any
    ) -> Tensor:
        if axis is out is initial is None and where is True and not keepdims:
            result = reduce_all(kernel, a)
            if result is not None and result == result:
                return result
        result = find(a, axis, None, keepdims, initial, where)
        if not _is_clean(result):
            bad = a != a
            result = find(xp.where(bad, last, a), axis, None, keepdims, initial, where)
            if initial is None and xp.any(result == last):
                bad = xp.all(bad, axis=axis, keepdims=keepdims)
                if bad.any():
                    warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
                    result = xp.where(bad, np.nan, result)
        if out is not None and out.shape != result.shape:
            raise ValueError(
                f"{name}: out must have the shape of the result of the reduction operation "
                f"{kernel}, {result.shape}, got {out.shape}"
            )
        return stored(result, out)

    return compute


nanmin = usual.extreme("nanmin", _extreme("nanmin", usual.min, "fmin", np.inf))
nanmax = usual.extreme("nanmax", _extreme("nanmax", usual.max, "fmax", -np.inf))


def _without_nan(name: str, x: Tensor, axis: int | None, *, other: float) -> Tensor:
    if not x.size or not _has_nan(x):
        return x
    bad = x != x
    if xp.any(xp.all(bad, axis=axis)):
        raise ValueError(f"{name}: All-NaN slice encountered")
    return xp.where(bad, other, x)


nanargmin = usual.place("nanargmin", xp.argmin, partial(_without_nan, other=np.inf))
nanargmax = usual.place("nanargmax", xp.argmax, partial(_without_nan, other=-np.inf))


@takes(usual.can_average)
def nanmean(
    a: Array,
    axis: Axes = None,
    dtype: DType | None = None,
    out: Tensor | None = None,
    keepdims: bool = False,
    *,
    where: Mask = True,
) -> Tensor:
    """Compute the mean of the elements that are not NaN. See `numpy.nanmean`."""
    if where is True:
        result = xp.mean(a, axis=axis, dtype=dtype, keepdims=keepdims)
        if _is_clean(result):
            return stored(result, out)
    good = a == a if where is True else where & (a == a)
    return usual.mean(a, axis, dtype, out, keepdims, where=good)


def _spread(find: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return what computes `nanvar` or `nanstd`."""

    def compute(
        a: Tensor, axis: Axes, dtype: Any, out: Any, ddof: float, keepdims: bool, where: Any,
        mean: Any,
    ) -> Tensor:  # fmt: skip
        if a.dtype.kind in "biu":
            return find(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean)
        if where is True and mean is None:
            result = find(a, axis, dtype, None, ddof, keepdims)
            if _is_clean(result):
                return stored(result, out)
        if mean is not None and dtype is None:
            dtype = a.real.dtype
        good = a == a if where is True else where & (a == a)
        total, number = usual.squared_deviations(a, axis, dtype, keepdims, good, mean)
        degrees = number - ddof
        result = xp.divide(total, degrees)
        bad = degrees <= 0
        if xp.any(bad):
            warnings.warn("Degrees of freedom <= 0 for slice.", RuntimeWarning, stacklevel=3)
            result = xp.where(bad, np.nan, result)
        return stored(xp.sqrt(result) if find is usual.std else result, out)

    return compute


nanvar = usual.spread("nanvar", _spread(usual.var))
nanstd = usual.spread("nanstd", _spread(usual.std))


@takes(lambda a, out: a.size > 0 and usual.is_inexact(out))
def nanmedian(
    a: RealArray,
    axis: Axes = None,
    out: Tensor | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Tensor:
    """Compute the median of the elements that are not NaN. See `numpy.nanmedian`."""
    if not _has_nan(a):
        return ranks.median(a, axis, out, False, keepdims)
    if a.ndim == 1 and axis is None and (numbers := a[a == a]).size:
        result = ranks.median(numbers)
    else:
        line = xp.sort(_in_last_axis(a, axis), stable=False)
        number = _count(line)
        low = xp.take_along_axis(line, (number - 1) // 2)
        high = xp.take_along_axis(line, number // 2)
        result = xp.where(number % 2 == 1, low, (low + high) / 2)[..., 0][()]
    return stored(usual.with_axes(result, a, axis) if keepdims else result, out)


def _in_last_axis(x: Tensor, axis: Axes) -> Tensor:
    line, along = ranks.in_line(x, axis)
    return xp.moveaxis(line, along, -1)


def _count(line: Tensor) -> Tensor:
    """Return how many elements along the last axis are not NaN."""
    number = xp.sum(line == line, axis=-1, keepdims=True)
    for _ in range(int(xp.count_nonzero(number == 0))):
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=4)
    return number


def _quantiles_of_row(row: Tensor, levels: list[float], shape: Any, method: str) -> Tensor:
    numbers = row[row == row]
    return ranks.quantiles(numbers if numbers.size else row[:1], levels, shape, None, method, False)


def _nanquantiles(
    x: Tensor, levels: list[float], shape: Any, axis: Axes, method: str, keepdims: bool
) -> Tensor:
    if not _has_nan(x):
        return ranks.quantiles(x, levels, shape, axis, method, keepdims)
    line = _in_last_axis(x, axis)
    number = _count(line)
    if line.ndim == 1:
        result = _quantiles_of_row(line, levels, shape, method)
    elif method != "linear":
        rows = xp.reshape(line, (-1, line.shape[-1]))
        found = [_quantiles_of_row(row, levels, shape, method) for row in rows]
        result = xp.reshape(xp.stack(found, axis=-1), (shape or ()) + line.shape[:-1])
    else:
        line = xp.sort(line, stable=False)
        position = (number - 1) * xp.asarray(levels, device=x.device)
        rank = xp.astype(xp.floor(position), np.int64)
        low = xp.take_along_axis(line, rank)
        high = xp.take_along_axis(line, xp.minimum(rank + 1, number - 1))
        weight = position - rank
        if shape is None:
            weight = xp.astype(weight, x.dtype)
        result = xp.moveaxis(ranks.between(low, high, weight), -1, 0)
        result = xp.reshape(result, (shape or ()) + result.shape[1:])
    if _BEFORE_NUMPY_25 and result.dtype != x.dtype and not number[(0,) * number.ndim]:
        result = xp.astype(result, x.dtype)  # its dtype is that of the first slice
    return usual.with_axes(result, x, axis, len(shape or ())) if keepdims else result


nanquantile = ranks.of_levels("nanquantile", 1, _nanquantiles)
nanpercentile = ranks.of_levels("nanpercentile", 100, _nanquantiles)
