"""Medians and quantiles."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from corepy import array_api as xp
from corepy._cython.core import Tensor, kind_of
from corepy._cython.cpu.sorting import select
from corepy.numpy._arguments import (
    Array,
    Axes,
    RealArray,
    named,
    stored,
    takes,
)
from corepy.numpy._statistics import RealNumbers, is_inexact, with_axes
from corepy.numpy.conversion import in_class_of

__all__ = ["median", "percentile", "quantile"]

_CPU = xp.empty(0, device="cpu").device


def in_line(x: Tensor, axis: Axes) -> tuple[Tensor, int]:
    """Return a tensor with the elements of each slice along one axis, and this axis."""
    if axis is None:
        return (x if x.ndim == 1 else x.ravel()), 0
    axes = normalize_axis_tuple(axis, x.ndim)
    if len(axes) == 1:
        return x, axes[0]
    kept = tuple(k for k in range(x.ndim) if k not in axes)
    moved = xp.permute_dims(x, kept + axes)
    return moved.reshape((*moved.shape[: len(kept)], -1)), len(kept)


def _ranked(line: Tensor, axis: int, ranks: list[tuple[int, int]]) -> list[tuple[Tensor, Tensor]]:
    """Return the elements of pairs of ranks along an axis; NaN where a slice has a NaN."""
    if line.device == _CPU:
        found = select(line, axis, ranks)
        found = [in_class_of(x, line) for x in found]
        return [(found[2 * k], found[2 * k + 1]) for k in range(len(ranks))]
    line = xp.sort(line, axis=axis, stable=False)
    before = (slice(None),) * axis
    pairs = [(line[(*before, i)], line[(*before, j)]) for i, j in ranks]
    if kind_of(line) == "f":
        largest = line[(*before, -1)]  # or NaN
        bad = largest != largest
        pairs = [(xp.where(bad, largest, i), xp.where(bad, largest, j)) for i, j in pairs]
    return pairs


def _middle(low: Tensor, high: Tensor, odd: bool) -> Tensor:
    if kind_of(low) != "f":
        low = xp.astype(low, np.float64)
        high = xp.astype(high, np.float64)
    return low if odd else (low + high) / 2


@takes(lambda a, out: a.size > 0 and is_inexact(out))
def median(
    a: RealArray,
    axis: Axes = None,
    out: Tensor | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Tensor:
    """Compute the median. See `numpy.median`."""
    line, along = in_line(a, axis)
    n = line.shape[along]
    ((low, high),) = _ranked(line, along, [((n - 1) // 2, n // 2)])
    result = _middle(low, high, n % 2 == 1)
    return stored(with_axes(result, a, axis) if keepdims else result, out)


Method = Literal[
    "linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
    "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
    "normal_unbiased",
]  # fmt: skip
# alpha and beta of the continuous methods (Hyndman and Fan, 1996).
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "median_unbiased": (1 / 3.0, 1 / 3.0),
    "normal_unbiased": (3 / 8.0, 3 / 8.0),
}
_DISCRETE = {"lower", "higher", "nearest", "inverted_cdf", "closest_observation"}


def _rank(q: float, n: int, method: str) -> int:
    """Return the rank of a quantile of `n` elements, for a discrete method."""
    if method == "lower":
        return floor((n - 1) * q)
    if method == "higher":
        return ceil((n - 1) * q)
    if method == "nearest":
        return round((n - 1) * q)
    position = n * q - 1 if method == "inverted_cdf" else n * q - 1 - 0.5
    down = floor(position)
    exact = position == down and (method == "inverted_cdf" or down % 2 == 1)
    rank = down if exact else down + 1
    return 0 if rank < 0 else rank


def _position(q: float, n: int, method: str) -> tuple[int, int, float]:
    """Return the ranks around a quantile of `n` elements, and the weight of the upper one."""
    if method == "linear":
        position = (n - 1) * q
    elif method == "midpoint":
        position = 0.5 * (floor((n - 1) * q) + ceil((n - 1) * q))
    elif method == "averaged_inverted_cdf":
        position = n * q - 1
    else:
        alpha, beta = _CONTINUOUS[method]
        position = n * q + (alpha + q * (1 - alpha - beta)) - 1
    if position >= n - 1:
        low = high = n - 1
    elif position < 0:
        low = high = 0
    else:
        low = floor(position)
        high = low + 1
    weight = position - low
    if method == "midpoint":
        weight = 0.5 if position % 1 else 0.0
    elif method == "averaged_inverted_cdf":
        weight = 1.0 if weight else 0.5
    return low, high, weight


def between(low: Tensor, high: Tensor, weight: Any) -> Tensor:
    """Interpolate, from the end that is nearer."""
    step = high - low
    if type(weight) is float:
        return low + step * weight if weight < 0.5 else high - step * (1 - weight)
    return xp.where(weight < 0.5, low + step * weight, high - step * (1 - weight))


def quantiles(
    x: Tensor, levels: list[float], shape: Any, axis: Axes, method: str, keepdims: bool
) -> Tensor:
    """Return quantiles of a tensor that is not empty.

    Parameters
    ----------
    x : Tensor
    levels : list of float
    shape : tuple of int or None
        The shape that the levels have, before the axes of slices; None for a Python scalar.
    axis : int, tuple of int or None
    method : str
    keepdims : bool
    """
    line, along = in_line(x, axis)
    n = line.shape[along]
    result: Any
    if method in _DISCRETE:
        ranks = [_rank(level, n, method) for level in levels]
        result = xp.stack([low for low, _ in _ranked(line, along, [(k, k) for k in ranks])])
    else:
        positions = [_position(level, n, method) for level in levels]
        pairs = _ranked(line, along, [(low, high) for low, high, _ in positions])
        if shape is None:
            result = [between(*pairs[0], positions[0][2])]
        elif line.ndim == 1 and not shape and pairs[0][0] != pairs[0][0]:
            result = pairs[0]  # NumPy returns the NaN itself
        else:
            weight = xp.asarray([p[2] for p in positions], device=x.device)
            weight = xp.reshape(weight, (-1,) + (1,) * (line.ndim - 1))
            low, high = (xp.stack([pair[k] for pair in pairs]) for k in (0, 1))
            result = between(low, high, weight)
    if not shape:
        result = result[0]
    elif len(shape) > 1:
        result = xp.reshape(result, shape + result.shape[1:])
    return with_axes(result, x, axis, len(shape or ())) if keepdims else result


def of_levels(name: str, scale: float, compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Return a function with the signature of `numpy.quantile`.

    Parameters
    ----------
    name : str
        NumPy's function that it is.
    scale : float
        What levels are given in units of: 100 for percentiles.
    compute : callable
        Has the parameters of `quantiles`.
    """

    def condition(a: Tensor, q: Any, out: Tensor | None, method: str) -> bool:
        if isinstance(q, Tensor):
            kinds = q.dtype == np.float64 or (q.dtype.kind in "iu" and scale != 1)
            known = kinds and q.size > 0
        else:
            known = type(q) is float or (type(q) is int and scale != 1)
        same = out is None or (
            is_inexact(out) and (method not in _DISCRETE or out.dtype == a.dtype)
        )
        return known and same and a.size > 0

    @takes(condition)
    def function(
        a: RealNumbers,
        q: Array | float,
        axis: Axes = None,
        out: Tensor | None = None,
        overwrite_input: bool = False,
        method: Method = "linear",
        keepdims: bool = False,
        *,
        weights: None = None,
    ) -> Tensor:
        if isinstance(q, Tensor):
            shape, levels = q.shape, (np.asarray(q.to_device("cpu")) / scale).reshape(-1).tolist()
        else:
            shape, levels = None, [q / scale]
        for level in levels:
            if not 0 <= level <= 1:
                what = "Quantiles" if scale == 1 else "Percentiles"
                raise ValueError(
                    f"{name}: {what} must be in the range [0, {scale}], got {level * scale}"
                )
        result = compute(a, levels, shape, axis, method, keepdims)
        if out is not None and method not in _DISCRETE:  # as NumPy's ufuncs write it
            result = xp.broadcast_to(result, out.shape)
        return stored(result, out)

    return named(function, name)


quantile = of_levels("quantile", 1, quantiles)
percentile = of_levels("percentile", 100, quantiles)
