"""Medians and quantiles."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy._cython.cpu.sorting import select
from corepy.numpy._arguments import Forward, stored, tensor
from corepy.numpy._statistics import _axes, _with_axes

__all__ = ["median", "percentile", "quantile"]

_CPU = xp.empty(0, device="cpu").device


def _in_line(x: Tensor, axis: Any) -> tuple[Tensor, int]:
    """Return a tensor with the elements of each slice along one axis, and this axis."""
    if axis is None:
        return (x if x.ndim == 1 else x.ravel()), 0
    axes = _axes(x, axis)
    if len(axes) == 1:
        return x, axes[0]
    kept = tuple(k for k in range(x.ndim) if k not in axes)
    moved = xp.permute_dims(x, kept + axes)
    return moved.reshape((*moved.shape[: len(kept)], -1)), len(kept)


def _ranked(line: Tensor, axis: int, ranks: list[tuple[int, int]]) -> list[tuple[Tensor, Tensor]]:
    """Return the elements of pairs of ranks along an axis; NaN where a slice has a NaN."""
    if line.device == _CPU:
        found = select(line, axis, ranks)
        return [(found[2 * k], found[2 * k + 1]) for k in range(len(ranks))]
    line = xp.sort(line, axis=axis, stable=False)
    before = (slice(None),) * axis
    pairs = [(line[(*before, i)], line[(*before, j)]) for i, j in ranks]
    if line.dtype.kind == "f":
        largest = line[(*before, -1)]  # or NaN
        bad = largest != largest
        pairs = [(xp.where(bad, largest, i), xp.where(bad, largest, j)) for i, j in pairs]
    return pairs


def _middle(low: Tensor, high: Tensor, odd: bool) -> Tensor:
    if low.dtype.kind != "f":
        low = xp.astype(low, np.float64)
        high = xp.astype(high, np.float64)
    return low if odd else (low + high) / 2


def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Tensor:
    """Compute the median. See `numpy.median`."""
    x = tensor(a)
    if not x.size or x.dtype.kind == "c":
        raise Forward
    line, along = _in_line(x, axis)
    n = line.shape[along]
    ((low, high),) = _ranked(line, along, [((n - 1) // 2, n // 2)])
    result = _middle(low, high, n % 2 == 1)
    return stored(_with_axes(result, x, axis) if keepdims else result, out)


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


def _between(low: Tensor, high: Tensor, weight: Any) -> Tensor:
    """Interpolate, from the end that is nearer."""
    step = high - low
    if type(weight) is float:
        return low + step * weight if weight < 0.5 else high - step * (1 - weight)
    return xp.where(weight < 0.5, low + step * weight, high - step * (1 - weight))


def _levels(q: Any, scale: float) -> tuple[list[float], tuple[int, ...] | None]:
    """Return quantiles as a list, and their shape; None for a Python scalar."""
    shape = None
    if type(q) is float or (type(q) is int and scale != 1):
        levels = [q / scale]
    else:
        array = np.asarray(tensor(q).to_device("cpu"))
        if array.dtype != np.float64 and (array.dtype.kind not in "iu" or scale == 1):
            raise Forward
        shape = array.shape
        if len(shape) > 1 or not array.size:
            raise Forward
        levels = (array / scale).reshape(-1).tolist()
    for level in levels:
        if not 0 <= level <= 1:
            raise Forward
    return levels, shape


def _quantiles(
    x: Tensor, levels: list[float], shape: Any, axis: Any, method: str, keepdims: Any
) -> Tensor:
    if not x.size or x.dtype.kind in "bc":
        raise Forward
    line, along = _in_line(x, axis)
    n = line.shape[along]
    if method in _DISCRETE:
        ranks = [_rank(level, n, method) for level in levels]
        values = [pair[0] for pair in _ranked(line, along, [(rank, rank) for rank in ranks])]
        result = xp.stack(values) if shape else xp.stack(values)[0]
    elif method in _CONTINUOUS or method in ("linear", "midpoint", "averaged_inverted_cdf"):
        positions = [_position(level, n, method) for level in levels]
        pairs = _ranked(line, along, [(low, high) for low, high, weight in positions])
        if shape is None:
            result = _between(*pairs[0], positions[0][2])
        else:
            weight = xp.asarray([p[2] for p in positions], device=x.device)
            weight = xp.reshape(weight, (-1,) + (1,) * (line.ndim - 1))
            low = xp.stack([pair[0] for pair in pairs])
            high = xp.stack([pair[1] for pair in pairs])
            result = _between(low, high, weight)
            if not shape:
                result = result[0]
                if result.ndim == 0 and result.dtype != x.dtype and result != result:
                    raise Forward  # the dtype depends on where the NaN comes from
    else:
        raise Forward
    return _with_axes(result, x, axis, len(shape or ())) if keepdims else result


def of_levels(
    name: str, scale: float, compute: Callable[..., Tensor], keeps: Any
) -> Callable[..., Tensor]:
    """Return a function with the signature of `numpy.quantile`.

    Parameters
    ----------
    name : str
        NumPy's function that it is.
    scale : float
        What levels are given in units of: 100 for percentiles.
    compute : callable
    keeps : object
        The default of `keepdims`.
    """

    def function(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: Any = "linear",
        keepdims: Any = keeps,
        *,
        weights: Any = None,
    ) -> Tensor:
        if weights is not None:
            raise Forward
        x = tensor(a)
        return stored(compute(x, *_levels(q, scale), axis, method, keepdims), out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Compute quantiles. See `numpy.{name}`."
    return function


quantile = of_levels("quantile", 1, _quantiles, False)
percentile = of_levels("percentile", 100, _quantiles, False)
