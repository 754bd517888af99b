"""Reductions with NumPy's keywords, and moments."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from math import prod as product
from typing import Annotated, Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, kind_of
from corepy.numpy._arguments import (
    Array,
    Axes,
    DType,
    Elements,
    Mask,
    RealArray,
    array_of,
    named,
    ndarray,
    stored,
    takes,
)

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "average", "corrcoef", "cov", "max", "mean",
    "min", "prod", "ptp", "std", "sum", "var",
]  # fmt: skip

Number = bool | int | float | complex
RealNumbers = Annotated[ndarray, Elements("iuf")]


# ---- arguments


def has_axis(a: Tensor, axis: Axes) -> bool:
    """Whether a reduction does not name an axis that is not there, which NumPy allows."""
    return a.ndim > 0 or axis is None


def _covers(x: Tensor, other: Any) -> bool:
    """Whether an array can be broadcast to the shape of `x`; so can None and True."""
    if other is None or other is True:
        return True
    pairs = zip(reversed(other.shape), reversed(x.shape), strict=False)
    return other.ndim <= x.ndim and product(m in (1, n) for m, n in pairs) == 1


def _casts(dtype: Any, out: Tensor | None) -> bool:
    """Whether `out` takes elements of a dtype; NumPy's reductions cast to any."""
    return out is None or out.dtype == dtype or np.can_cast(dtype, out.dtype, "same_kind")


def is_inexact(out: Tensor | None) -> bool:
    """Whether `out` takes floating-point numbers."""
    return out is None or kind_of(out) in "fc"


def _count(x: Tensor, axis: Axes) -> int:
    """Return the number of elements that a reduction over `axis` takes for each result."""
    if axis is None:
        return x.size
    axes = axis if isinstance(axis, tuple) else (axis,)
    return product(x.shape[k] for k in axes if -x.ndim <= k < x.ndim)


def with_axes(result: Tensor, x: Tensor, axis: Axes, front: int = 0) -> Tensor:
    """Return a result with the reduced axes of `x` as axes of size 1, behind `front` others."""
    axes = axis if type(axis) is tuple else (axis,)
    shape = tuple(
        1 if axis is None or k in axes or k - x.ndim in axes else x.shape[k] for k in range(x.ndim)
    )
    return xp.reshape(result, result.shape[:front] + shape)


def _chosen(x: Tensor, where: Any, other: Any) -> Tensor:
    """Return the elements of `x` where `where` is True, and `other` elsewhere."""
    return x if where is True else xp.where(where, x, other)


# ---- reductions


def can_add(a: Tensor, axis: Axes, dtype: Any, out: Tensor | None, where: Any) -> bool:
    """Whether a mask has a fitting shape, and `out` takes the result."""
    kept = a.dtype if dtype is None else dtype
    return (a.ndim > 0 or axis is None) and _covers(a, where) and _casts(kept, out)


def total(name: str, compute: Callable[..., Tensor], neutral: int) -> Callable[..., Tensor]:
    """Return a sum or product, which a function computes of all arguments."""

    @takes(can_add)
    def function(
        a: Array,
        axis: Axes = None,
        dtype: DType | None = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: Number = neutral,
        where: Mask = True,
    ) -> Tensor:
        return compute(a, axis, dtype, out, keepdims, initial, where)

    return named(function, name)


def _total(
    reduce: Callable[..., Tensor], operate: Callable[..., Tensor], neutral: int
) -> Callable[..., Tensor]:
    """Return what computes `sum` or `prod`."""

    def compute(
        a: Tensor, axis: Axes, dtype: Any, out: Any, keepdims: bool, initial: Number, where: Any
    ) -> Tensor:
        if dtype is None and out is not None and (out.dtype != a.dtype or out.dtype.kind == "b"):
            dtype = xp.result_type(a, out)
        result = reduce(_chosen(a, where, neutral), axis=axis, dtype=dtype, keepdims=keepdims)
        if initial != neutral:
            result = operate(result, result.dtype.type(initial))
        return stored(result, out, casting="unsafe")

    return compute


sum = total("sum", _total(xp.sum, xp.add, 0), 0)
prod = total("prod", _total(xp.prod, xp.multiply, 1), 1)


def can_compare(a: Tensor, axis: Axes, out: Tensor | None, initial: Any, where: Any) -> bool:
    """Whether a reduction has an element to start from, and `out` takes the result."""
    if initial is None:
        return where is True and (a.ndim > 0 or axis is None) and _casts(a.dtype, out)
    same = initial == initial and (out is None or out.dtype == a.dtype)
    return same and a.size > 0 and has_axis(a, axis) and _covers(a, where)


def extreme(name: str, compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return a least or greatest element, which a function computes of all arguments."""

    @takes(can_compare)
    def function(
        a: RealArray,
        axis: Axes = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        initial: Number | None = None,
        where: Mask = True,
    ) -> Tensor:
        return compute(a, axis, out, keepdims, initial, where)

    return named(function, name)


def _extreme(find: Callable[..., Tensor], choose: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return what computes `min` or `max`."""

    def compute(
        a: Tensor, axis: Axes, out: Any, keepdims: bool, initial: Any, where: Any
    ) -> Tensor:
        if initial is None:
            return stored(find(a, axis=axis, keepdims=keepdims), out)
        initial = a.dtype.type(initial)
        result = choose(find(_chosen(a, where, initial), axis=axis, keepdims=keepdims), initial)
        return stored(result, out)

    return compute


amin = min = extreme("min", _extreme(xp.min, xp.minimum))
amax = max = extreme("max", _extreme(xp.max, xp.maximum))


def _test(name: str, reduce: Callable[..., Tensor], neutral: int) -> Callable[..., Tensor]:
    """Return `any` or `all`."""

    @takes(lambda a, axis, where: has_axis(a, axis) and _covers(a, where))
    def function(
        a: Array,
        axis: Axes = None,
        out: Tensor | None = None,
        keepdims: bool = False,
        *,
        where: Mask = True,
    ) -> Tensor:
        return stored(reduce(_chosen(a, where, neutral), axis=axis, keepdims=keepdims), out)

    return named(function, name)


any = _test("any", xp.any, 0)
all = _test("all", xp.all, 1)


def can_find(a: Tensor, axis: int | None, out: Tensor | None) -> bool:
    """Whether there are elements and an axis, and `out` takes indices as NumPy writes them."""
    there = a.size > 0 and (a.ndim > 0 or axis is None)
    return there and (out is None or out.dtype.kind == "i")


def place(
    name: str,
    find: Callable[..., Tensor],
    prepare: Callable[..., Tensor] = lambda name, a, axis: a,
) -> Callable[..., Tensor]:
    """Return what finds the index of an element of a prepared array."""

    @takes(can_find)
    def function(
        a: RealArray, axis: int | None = None, out: Tensor | None = None, *, keepdims: bool = False
    ) -> Tensor:
        return stored(find(prepare(name, a, axis), axis=axis, keepdims=keepdims), out)

    return named(function, name)


argmin = place("argmin", xp.argmin)
argmax = place("argmax", xp.argmax)


@takes(lambda a, axis: a.ndim > 0 or axis is None)
def ptp(
    a: RealNumbers, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False
) -> Tensor:
    """Subtract the smallest element from the largest. See `numpy.ptp`."""
    x: Any = a
    largest, smallest = x.max(axis, keepdims=keepdims), x.min(axis, keepdims=keepdims)
    return stored(xp.subtract(largest, smallest), out)


# ---- moments


def can_average(a: Tensor, axis: Axes, dtype: Any, out: Tensor | None, where: Any) -> bool:
    """Whether there are elements to average, and nothing is lost by a cast."""
    kept = a.dtype if dtype is None else dtype
    return (
        has_axis(a, axis)
        and (_count(a, axis) > 0 if where is True else _covers(a, where))
        and (dtype is None or (kept.kind in "fc" and np.can_cast(a.dtype, kept, "same_kind")))
        and is_inexact(out)
        and _casts(kept, out)
    )


@takes(can_average)
def mean(
    a: Array,
    axis: Axes = None,
    dtype: DType | None = None,
    out: Tensor | None = None,
    keepdims: bool = False,
    *,
    where: Mask = True,
) -> Tensor:
    """Compute the arithmetic mean. See `numpy.mean`."""
    if where is True:
        return stored(xp.mean(a, axis=axis, dtype=dtype, keepdims=keepdims), out)
    number = xp.sum(xp.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)
    if not xp.all(number):
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    if a.dtype.kind in "biu" and dtype is None:
        dtype = np.dtype(np.float64)
    total = xp.sum(_chosen(a, where, 0), axis=axis, dtype=dtype, keepdims=keepdims)
    return stored(xp.divide(total, xp.astype(number, total.dtype)), out)


def can_spread(
    a: Tensor, axis: Axes, dtype: Any, out: Any, ddof: Any, where: Any, mean: Any, correction: Any
) -> bool:
    """Whether there are more elements than `ddof`, and nothing is lost by a cast."""
    if where is True:
        enough = _count(a, axis) > (ddof if correction is None else correction)
    else:
        enough = _covers(a, where)
    return (
        enough
        and (a.ndim > 0 or axis is None)
        and (correction is None or ddof == 0)
        and (dtype is None or (kind_of(dtype) == "f" and a.dtype.kind != "c"))
        and (out is None or kind_of(out) in "fc")
        and (mean is None or (_covers(a, mean) and (mean.dtype.kind != "c" or a.dtype.kind == "c")))
    )


def spread(name: str, compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return a variance or standard deviation, which a function computes of all arguments."""

    @takes(can_spread)
    def function(
        a: Array,
        axis: Axes = None,
        dtype: DType | None = None,
        out: Tensor | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: Mask = True,
        mean: Array | None = None,
        correction: float | None = None,
    ) -> Tensor:
        ddof = ddof if correction is None else correction
        return compute(a, axis, dtype, out, ddof, keepdims, where, mean)

    return named(function, name)


def _spread(reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return what computes `var` or `std`."""

    def compute(
        a: Tensor, axis: Axes, dtype: Any, out: Any, ddof: float, keepdims: bool, where: Any,
        mean: Any,
    ) -> Tensor:  # fmt: skip
        if where is True and mean is None:
            x = a if dtype is None else xp.astype(a, dtype)
            return stored(reduce(x, axis=axis, correction=ddof, keepdims=keepdims), out)
        squares, number = squared_deviations(a, axis, dtype, keepdims, where, mean)
        degrees = number - ddof
        if not xp.all(degrees > 0):
            warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=3)
        result = xp.divide(squares, xp.maximum(degrees, 0))
        return stored(xp.sqrt(result) if reduce is xp.std else result, out)

    return compute


var = spread("var", _spread(xp.var))
std = spread("std", _spread(xp.std))


def squared_deviations(
    x: Tensor, axis: Axes, dtype: Any, keepdims: bool, where: Any, mean: Any
) -> tuple[Tensor, Tensor]:
    """Return the sums of squared deviations from the mean, and the numbers of their terms."""
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.float64
    where = xp.broadcast_to(xp.asarray(where, device=x.device), x.shape)
    number = xp.sum(where, axis=axis, keepdims=True)
    if mean is None:
        mean = xp.sum(_chosen(x, where, 0), axis=axis, dtype=dtype, keepdims=True)
        mean = xp.divide(mean, xp.astype(number, mean.dtype))
    x = xp.subtract(x, mean)
    x = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
    total = xp.sum(_chosen(x, where, 0), axis=axis, dtype=dtype, keepdims=keepdims)
    return total, xp.astype(xp.reshape(number, total.shape), total.dtype)


def _has_weights(a: Tensor, axis: Axes, weights: Tensor | None) -> bool:
    """Whether there are elements to average, with a weight each or one for each along axes."""
    if weights is None:
        return a.size > 0 and has_axis(a, axis)
    if weights.shape == a.shape:
        return has_axis(a, axis)
    return type(axis) is int and -a.ndim <= axis < a.ndim and weights.shape == (a.shape[axis],)


@takes(_has_weights)
def average(
    a: Array,
    axis: Axes = None,
    weights: Array | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Compute the weighted average. See `numpy.average`."""
    if weights is None:
        result = xp.mean(a, axis=axis, keepdims=keepdims)
        return (result, xp.full_like(result, _count(a, axis))[()]) if returned else result
    dtype = xp.result_type(a, weights)
    if a.dtype.kind in "biu":
        dtype = xp.result_type(dtype, xp.float64)
    weights = xp.astype(weights, dtype, copy=False)
    if weights.shape == a.shape:
        scale = xp.sum(weights, axis=axis, keepdims=keepdims)
    else:
        assert isinstance(axis, int)
        scale = xp.sum(weights)
        weights = xp.reshape(weights, (-1,) + (1,) * (-axis - 1 if axis < 0 else a.ndim - axis - 1))
    if not xp.all(scale):
        raise ZeroDivisionError("average: the sum of weights must not be 0")
    products = xp.multiply(xp.astype(a, dtype, copy=False), weights)
    result = xp.divide(xp.sum(products, axis=axis, keepdims=keepdims), scale)
    if not returned:
        return result
    return result, xp.asarray(xp.broadcast_to(scale, result.shape), copy=True)[()]


def cov(
    m: Array,
    y: Array | None = None,
    rowvar: bool | int = True,
    bias: bool | int = False,
    ddof: int | None = None,
    fweights: None = None,
    aweights: None = None,
    *,
    dtype: None = None,
) -> Tensor:
    """Estimate a covariance matrix. See `numpy.cov`."""
    x = _variables(m, rowvar or m.ndim == 1)
    if not x.shape[0]:
        return xp.zeros((0, 0), device=x.device)
    if y is not None:
        other = _variables(y, rowvar or y.ndim < 2 or y.shape[0] == 1)
        x = xp.concat((x, other))
    if ddof is None:
        ddof = 0 if bias else 1
    degrees = x.shape[1] - ddof
    if not x.shape[1]:
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    if degrees <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
    factor = 1 / degrees if degrees > 0 else inf
    x = xp.subtract(x, xp.mean(x, axis=1, keepdims=True))
    if x.shape[0] == 1:
        x = x[0]
        total = xp.sum(x * xp.conj(x)) if x.dtype.kind == "c" else xp.vecdot(x, x)
        return array_of(xp.multiply(total, factor))
    return xp.matmul(x, xp.conj(x.T) if x.dtype.kind == "c" else x.T) * factor


def _variables(x: Tensor, in_rows: Any) -> Tensor:
    """Return observations of `cov` as a matrix with a variable in each row."""
    if x.ndim > 2:
        raise ValueError(f"cov: arrays can have at most 2 dimensions, got {x.ndim}")
    x = xp.astype(x, np.complex128 if x.dtype.kind == "c" else np.float64, copy=False)
    if x.ndim < 2:
        x = xp.reshape(x, (1, -1))
    return x if in_rows else x.T


def corrcoef(
    x: Array, y: Array | None = None, rowvar: bool | int = True, *, dtype: None = None
) -> Tensor:
    """Compute correlation coefficients. See `numpy.corrcoef`."""
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return xp.divide(c, c)
    deviation = xp.sqrt(xp.linalg.diagonal(c).real)
    c = c / deviation[:, None] / deviation
    if c.dtype.kind != "c":
        return xp.clip(c, -1.0, 1.0)
    for part in (c.real, c.imag):
        part[...] = xp.clip(part, -1.0, 1.0)
    return c
