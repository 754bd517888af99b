"""Histograms, counts of integers, and the bins of values."""

from __future__ import annotations

import builtins
from typing import Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu
from corepy._cython.cpu import counting
from corepy.numpy._arguments import Forward, Refused, pair, tensor

__all__ = [
    "bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "searchsorted",
]  # fmt: skip

# Up to this size, sorting is faster than looking for the bin of each element.
_SMALL = 2_000
# Up to this number of bins, comparing all elements with every edge is faster.
_FEW = 24


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Tensor:
    """Find where values would be inserted to keep an array sorted. See `numpy.searchsorted`."""
    if isinstance(a, Tensor) and isinstance(v, Tensor):
        if sorter is not None:
            sorter = tensor(sorter, a)
        return xp.searchsorted(a, v, side=side, sorter=sorter)
    x, values = pair(a, v)
    return xp.searchsorted(
        x, values, side=side, sorter=None if sorter is None else tensor(sorter, x)
    )


def digitize(x: Any, bins: Any, right: Any = False) -> Tensor:
    """Find the bin of each element. See `numpy.digitize`."""
    values, edges = pair(x, bins)
    if edges.ndim != 1 or values.dtype.kind == "c":
        raise Forward
    side: Literal["left", "right"] = "left" if right else "right"
    if (edges[1:] >= edges[:-1]).all():
        return xp.searchsorted(edges, values, side=side)
    if not (edges[1:] <= edges[:-1]).all():
        raise Forward  # NumPy raises ValueError, or there is a NaN
    # The number of bins that are behind, in ascending order.
    return edges.size - xp.searchsorted(xp.flip(edges), values, side=side)


def _counts(x: Tensor, size: int, weights: Tensor | None = None) -> Tensor:
    """Count, or sum up the float64 weights of, the integers from 0 to `size` - 1 or beyond."""
    result = counting.bincount(x, weights, size)
    if result is not None:
        return result
    if weights is None:
        limits = xp.searchsorted(xp.sort(x), xp.arange(size + 1, device=x.device))
        return limits[1:] - limits[:-1]
    sums = xp.zeros(size, dtype=np.float64, device=x.device)
    for k in range(size):
        sums[k] = xp.sum(xp.where(x == k, weights, 0))
    return sums


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Tensor:
    """Count the occurrences of integers. See `numpy.bincount`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    if type(minlength) is not int or minlength < 0:
        raise Forward
    if weights is not None and not isinstance(weights, Tensor):
        weights = tensor(weights, x)
    try:
        result = counting.bincount(x, weights, minlength)
    except ValueError as error:
        raise Refused(*error.args) from None
    if result is not None:
        return result
    if weights is not None:
        if weights.shape != x.shape or weights.dtype.kind not in "biuf":
            raise Forward
        weights = weights.astype(np.float64)
    if x.device.backend is cpu or x.ndim != 1 or x.dtype.kind not in "iu" or not x.size:
        raise Forward
    if x.dtype == np.uint64 or x.min() < 0:
        raise Forward
    return _counts(x, builtins.max(minlength, int(x.max()) + 1), weights)


def _edges(x: Tensor, bins: Any, range: Any, double: bool = False) -> tuple[Tensor, bool]:
    """Return the edges of bins, and whether they are of one width.

    With `double`, those of a range that is given are float64 for any dtype.
    """
    if x.dtype.kind not in "iuf":
        raise Forward
    if type(bins) is not int:
        if isinstance(bins, (str, np.generic)):
            raise Forward
        edges = tensor(bins, x)
        if edges.ndim != 1 or edges.size < 2 or edges.dtype.kind not in "iuf":
            raise Forward
        if not (edges[1:] >= edges[:-1]).all():
            raise Forward  # NumPy raises ValueError, or there is a NaN
        return edges, False
    if bins < 1 or not x.size:
        raise Forward
    single = x.dtype == np.float32
    if range is None:
        lowest, highest = x.min(), x.max()
        first, last = lowest.item(), highest.item()
    else:
        first, last = range
        if type(first) not in (int, float) or type(last) not in (int, float):
            raise Forward
    if not -np.inf < first <= last < np.inf:
        raise Forward  # NumPy raises ValueError
    kind = np.finfo(np.float32 if single else np.float64)
    least = 2 * bins * builtins.max(kind.eps * builtins.max(abs(first), abs(last)), kind.tiny)
    if first != last and not least < last - first < np.inf:
        raise Forward  # NumPy raises ValueError if bins would be empty
    if range is None and single:  # computed in this dtype
        if first == last:
            lowest, highest = lowest - 0.5, highest + 0.5
        edges = xp.arange(bins + 1, dtype=np.float32, device=x.device)
        edges = edges * ((highest - lowest) / bins) + lowest
        edges[-1] = highest
        return edges, True
    if first == last:
        first, last = first - 0.5, last + 0.5
    edges = xp.linspace(float(first), float(last), bins + 1, device=x.device)
    return (xp.astype(edges, np.float32) if single and not double else edges), True


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """Compute the edges of the bins of `histogram`. See `numpy.histogram_bin_edges`."""
    if weights is not None or type(bins) is str:
        return NotImplemented
    return _edges(tensor(a), bins, range)[0]


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """Count the elements in each of some bins. See `numpy.histogram`."""
    x = tensor(a)
    edges, uniform = _edges(x, bins, range)
    if weights is not None:
        counts = _weighted(x, edges, tensor(weights, x), uniform)
    else:
        counts = _bins(x, edges, uniform)
    if density:
        width = xp.astype(xp.diff(edges), np.float64)
        return counts / width / xp.sum(counts), edges
    return counts, edges


def _compared(x: Tensor, edges: Tensor) -> tuple[Tensor, Tensor]:
    """Return numbers and edges in the dtype in which they are compared."""
    if x.dtype == edges.dtype and x.dtype.kind == "f":
        return x, edges
    dtype = xp.result_type(x, edges)
    if dtype.kind != "f":  # two dtypes of integers
        raise Forward
    return xp.astype(x, dtype, copy=False), xp.astype(edges, dtype, copy=False)


def _bins(x: Tensor, edges: Tensor, uniform: bool) -> Tensor:
    """Count the elements in each bin; the last one includes its upper edge."""
    number = edges.size - 1
    if x.device.backend is cpu and edges.dtype.kind == "f":
        counts = counting.histogram(*_compared(x, edges), None, uniform)
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
    if weights.shape != x.shape or weights.dtype != np.float64 or not uniform:
        raise Forward
    sums = counting.histogram(*_compared(x, edges), weights, uniform)
    if sums is not None:
        return sums
    number = edges.size - 1
    position = xp.searchsorted(edges, x.ravel(), side="right")
    position = xp.where(x.ravel() == edges[-1], number, position)
    return _counts(position, number + 2, weights.ravel())[1:-1]


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Count points in each of some rectangles. See `numpy.histogram2d`."""
    x, y = pair(x, y)
    if weights is not None or x.ndim != 1 or x.shape != y.shape:
        raise Forward
    if type(bins) in (list, tuple) and len(bins) == 2:
        if type(bins[0]) is not type(bins[1]):
            raise Forward
    elif type(bins) is int:
        bins = (bins, bins)
    else:
        raise Forward
    ranges = (None, None) if range is None else tuple(range)
    # NumPy computes in one dtype.
    dtype = xp.result_type(x, y)
    x, y = x.astype(dtype, copy=False), y.astype(dtype, copy=False)
    xedges = _edges(x, bins[0], ranges[0], True)[0]
    yedges = _edges(y, bins[1], ranges[1], True)[0]
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
