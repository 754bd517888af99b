"""Histograms, counts of integers, and the bins of values."""

from __future__ import annotations

import builtins
from typing import Annotated, Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, kind_of
from corepy._cython.cpu import beyond_standard
from corepy.numpy._arguments import (
    Elements,
    IntegerArray,
    RealArray,
    RealArrays,
    ndarray,
    takes,
)
from corepy.numpy.conversion import plain

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges"]

# Up to this size, sorting is faster than looking for the bin of each element.
_SMALL = 2_000
# Up to this number of bins, comparing all elements with every edge is faster.
_FEW = 24
Numbers = Annotated[ndarray, Elements("iuf")]


def _is_ascending(x: Tensor) -> bool:
    """Whether no element is smaller than the one before it, or NaN."""
    return bool((x[1:] >= x[:-1]).all())


@takes(lambda bins: bins.ndim == 1 and (_is_ascending(bins) or _is_ascending(bins[::-1])))
def digitize(x: RealArray, bins: RealArray, right: bool = False) -> Tensor:
    """Find the bin of each element. See `numpy.digitize`."""
    x, bins = plain(x), plain(bins)  # indices are of no class that a program derived
    side: Literal["left", "right"] = "left" if right else "right"
    if not bins.size or bins[0] <= bins[-1]:
        return xp.searchsorted(bins, x, side=side)
    # The number of bins that are behind, in ascending order.
    return bins.size - xp.searchsorted(xp.flip(bins), x, side=side)


def _counts(x: Tensor, size: int, weights: Tensor | None = None) -> Tensor:
    """Count, or sum up the float64 weights of, the integers from 0 to `size` - 1 or beyond."""
    result = beyond_standard.bincount(x, weights, size)
    if result is not None:
        return result
    if weights is None:
        limits = xp.searchsorted(xp.sort(x), xp.arange(size + 1, device=x.device))
        return limits[1:] - limits[:-1]
    sums = xp.zeros(size, dtype=np.float64, device=x.device)
    for k in range(size):
        sums[k] = xp.sum(xp.where(x == k, weights, 0))
    return sums


def bincount(x: IntegerArray, /, weights: RealArray | None = None, minlength: int = 0) -> Tensor:
    """Count the occurrences of integers. See `numpy.bincount`."""
    if minlength < 0:
        raise ValueError(f"bincount: minlength must not be negative, got {minlength}")
    result = beyond_standard.bincount(x, weights, minlength)
    if result is not None:
        return result
    if x.dtype == np.uint64:
        return bincount(x.astype(np.int64), weights, minlength)
    if x.ndim == 1 and not x.size:
        return xp.zeros(minlength, dtype=np.int64, device=x.device)
    if x.ndim != 1 or (weights is not None and weights.shape != x.shape):
        raise ValueError(
            "bincount: x must have one axis, and weights the shape of x, got shapes "
            f"{x.shape} and {x.shape if weights is None else weights.shape}"
        )
    least = int(x.min())
    if least < 0:
        raise ValueError(f"bincount: x must not have negative elements, got {least}")
    if weights is not None:
        weights = weights.astype(np.float64)
    return _counts(x, builtins.max(minlength, int(x.max()) + 1), weights)


def _are_bins(bins: Any) -> bool:
    """Whether bins are a number of them, or edges in ascending order."""
    if type(bins) is int or bins.ndim == 0:
        return type(bins) is int or bins.dtype.kind in "iu"
    return bins.ndim == 1 < bins.size and _is_ascending(bins)


def _is_range(range: Any) -> bool:
    """Whether a range is none, or of numbers that do not decide the dtype of edges."""
    return range is None or (type(range) in (list, tuple) and {*map(type, range)} <= {int, float})


def _edges(x: Tensor, bins: Any, range: Any, two: bool = False) -> tuple[Tensor, bool]:
    """Return the edges of bins, and whether they are of one width.

    With `two`, as in `histogram2d`: those of a range are float64, and bins may be empty.
    """
    if type(bins) is not int and bins.ndim:
        return bins, False
    bins = int(bins)
    if bins < 1:
        raise ValueError(f"histogram: bins must be at least 1, got {bins}")
    if not x.size and range is None:
        range = (0, 1)
    single = x.dtype == np.float32
    if range is None:
        lowest, highest = x.min(), x.max()
        first, last = lowest.item(), highest.item()
    else:
        first, last = range
    if not 0 <= last - first < np.inf:
        raise ValueError(
            f"histogram: max must be larger than min in a finite range, got from {first} to {last}"
        )
    if first == last:
        first, last = first - 0.5, last + 0.5
    edges: Tensor
    if range is None and single:  # computed in this dtype
        if lowest == highest:
            lowest, highest = lowest - 0.5, highest + 0.5
        edges = xp.arange(bins + 1, dtype=np.float32, device=x.device)
        edges = edges * ((highest - lowest) / bins) + lowest
        edges[-1] = highest
    else:
        edges = xp.linspace(float(first), float(last), bins + 1, device=x.device)
        edges = xp.astype(edges, np.float32) if single and not two else edges
    kind = np.finfo(edges.dtype)
    least = 2 * bins * builtins.max(kind.eps * builtins.max(abs(first), abs(last)), kind.tiny)
    wide = bool(last - first > least)
    if not (wide or two) and (edges[1:] <= edges[:-1]).any():
        raise ValueError(
            f"histogram: Too many bins for data range from {first} to {last} in {edges.dtype}, "
            f"got {bins}"
        )
    return edges, wide


@takes(lambda bins, range: _are_bins(bins) and _is_range(range))
def histogram_bin_edges(
    a: Numbers, bins: int | Numbers = 10, range: Any = None, weights: None = None
) -> Tensor:
    """Compute the edges of the bins of `histogram`. See `numpy.histogram_bin_edges`."""
    return _edges(a, bins, range)[0]


def _can_count(a: Tensor, bins: Any, range: Any, weights: Tensor | None) -> bool:
    """Whether there is a way to count, or to add up weights: only in bins of one width."""
    if not _are_bins(bins) or not _is_range(range):
        return False
    return weights is None or (
        weights.dtype == np.float64
        and weights.shape == a.shape
        and (type(bins) is int or bins.ndim == 0)
    )


@takes(_can_count)
def histogram(
    a: Numbers,
    bins: int | Numbers = 10,
    range: Any = None,
    density: bool | None = None,
    weights: RealArray | None = None,
) -> tuple[Tensor, Tensor]:
    """Count the elements in each of some bins. See `numpy.histogram`."""
    edges, uniform = _edges(a, bins, range)
    counts = _bins(a, edges, uniform) if weights is None else _weighted(a, edges, weights, uniform)
    if density:
        width = xp.astype(xp.diff(edges), np.float64)
        return counts / width / xp.sum(counts), edges
    return counts, edges


def _compared(x: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
    """Return numbers and edges in the dtype in which they are compared."""
    if x.dtype == edges.dtype and kind_of(x) == "f":
        return x, edges
    dtype = xp.result_type(x, edges)
    return xp.astype(x, dtype, copy=False), xp.astype(edges, dtype, copy=False)


def _bins(x: Tensor, edges: Tensor, uniform: bool) -> Tensor:
    """Count the elements in each bin; the last one includes its upper edge."""
    number = edges.size - 1
    if x.device.backend is cpu and kind_of(edges) == "f":
        counts = beyond_standard.histogram(*_compared(x, edges), None, uniform)
        if counts is not None:
            return counts
    x = x.ravel()
    if x.size <= _SMALL:
        x = xp.sort(x, stable=False)
        below = xp.searchsorted(x, edges)
        below[-1] = xp.searchsorted(x, edges[-1], side="right")
        return below[1:] - below[:-1]
    if number <= _FEW:
        last = xp.count_nonzero(x <= edges[-1])
        below = xp.stack([*[xp.count_nonzero(x < edges[k]) for k in range(number)], last])
        return below[1:] - below[:-1]
    counts = _counts(xp.searchsorted(edges, x, side="right"), number + 2)[1:-1]
    counts[-1] += xp.count_nonzero(x == edges[-1])
    return counts


def _weighted(x: Tensor, edges: Tensor, weights: Tensor, uniform: bool) -> Tensor:
    """Sum up the weights of the elements in each bin."""
    sums = beyond_standard.histogram(*_compared(x, edges), weights, uniform)
    if sums is not None:
        return sums
    number = edges.size - 1
    position = xp.searchsorted(edges, x.ravel(), side="right")
    position = xp.where(x.ravel() == edges[-1], number, position)
    return _counts(position, number + 2, weights.ravel())[1:-1]


def _are_points(x: Tensor, y: Tensor, bins: Any, range: Any) -> bool:
    """Whether there are coordinates of points, and bins and a range for each."""
    return (
        x.ndim == y.ndim == 1
        and x.size == y.size
        and (type(bins) is int or (len(bins) == 2 and all(map(_are_bins, bins))))
        and (range is None or (type(range) in (list, tuple) and all(map(_is_range, range))))
    )


@takes(_are_points)
def histogram2d(
    x: Numbers,
    y: Numbers,
    bins: int | RealArrays = 10,
    range: Any = None,
    density: bool | None = None,
    weights: None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Count points in each of some rectangles. See `numpy.histogram2d`."""
    x_bins, y_bins = (bins, bins) if isinstance(bins, int) else bins
    x_range, y_range = (None, None) if range is None else range
    # NumPy computes in one dtype.
    dtype = xp.result_type(x, y)
    x, y = x.astype(dtype, copy=False), y.astype(dtype, copy=False)
    xedges = _edges(x, x_bins, x_range, True)[0]
    yedges = _edges(y, y_bins, y_range, True)[0]
    columns = yedges.size + 1
    position = _cell(x, xedges) * columns + _cell(y, yedges)
    counts = xp.astype(_counts(position, columns * (xedges.size + 1)), np.float64)
    counts = xp.reshape(counts, (-1, columns))[1:-1, 1:-1]
    if density:
        counts = counts / xp.diff(xedges)[:, None] / xp.diff(yedges) / xp.sum(counts)
    return counts, xedges, yedges


def _cell(x: Tensor, edges: Tensor) -> Tensor:
    """Return the bin of each element, from 1 on; the last one includes its upper edge."""
    position = xp.searchsorted(edges, x, side="right")
    return position - (x == edges[-1])
