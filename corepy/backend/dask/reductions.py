"""Reductions, by a tree of partial results of chunks, and scans."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import creation, graphs, shapes
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements
from corepy.backend.dask.tasks import Operation, Part, one

#: Partial results that one task joins, at most.
_JOINED = 16

# ---- what tasks compute


@dataclass(eq=False, slots=True)
class Fold:
    """Join partial results, and compute the result of the last ones."""

    combine: Part
    last: Part | None

    def __call__(self, *partial: Any) -> Any:
        found = self.combine.function(partial, *self.combine.arguments)
        return found if self.last is None else self.last(found)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        last = None if self.last is None else self.last.__dask_tokenize__()
        return ("corepy.Fold", self.combine.__dask_tokenize__(), last)


def folded(partial: Sequence[Tensor], name: str) -> Tensor:
    """Join partial results by an elementwise operation."""
    found = partial[0]
    for other in partial[1:]:
        found = one(name, found, other)
    return found


def squeezed(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return core.squeeze(x, axes)


def _squeezed_index(x: tuple[Tensor, Tensor], axes: tuple[int, ...]) -> Tensor:
    """Return the index of (value, index)."""
    return core.squeeze(x[1], axes)


def _total(block: Tensor, axes: tuple[int, ...], dtype: np.dtype) -> Tensor:
    return one("sum", block, axis=axes, keepdims=True, dtype=dtype)


def _rounded(total: Tensor, axes: tuple[int, ...], dtype: np.dtype) -> Tensor:
    return one("astype", core.squeeze(total, axes), dtype)


def _averaged(total: Tensor, count: int, axes: tuple[int, ...], dtype: np.dtype) -> Tensor:
    return one("astype", core.squeeze(one("divide", total, float(count)), axes), dtype)


def _moments(block: Tensor, axes: tuple[int, ...]) -> tuple[int, Tensor, Tensor]:
    """Return the number of elements, their mean, and the sum of their squared distances to it."""
    count = math.prod(block.shape[axis] for axis in axes)
    block = core.astype(block, np.dtype(np.float64), False)
    mean = one("mean", block, axis=axes, keepdims=True)
    spread = one("var", block, axis=axes, keepdims=True, correction=0.0)
    return count, mean, one("multiply", spread, float(count))


def _joined_moments(partial: Sequence[tuple[int, Tensor, Tensor]]) -> tuple[int, Tensor, Tensor]:
    """Join moments (Chan, Golub and LeVeque 1979)."""
    count = sum(n for n, _, _ in partial)
    mean = folded([one("multiply", m, n / count) for n, m, _ in partial], "add")
    squares = [
        one("add", s, one("multiply", one("square", one("subtract", m, mean)), float(n)))
        for n, m, s in partial
    ]
    return count, mean, folded(squares, "add")


def _variance(
    moments: tuple[int, Tensor, Tensor],
    correction: float,
    rooted: bool,
    axes: tuple[int, ...],
    dtype: np.dtype,
) -> Tensor:
    count, _, squares = moments
    found = one("divide", core.squeeze(squares, axes), float(max(count - correction, 0.0)))
    return one("astype", one("sqrt", found) if rooted else found, dtype)


def _extreme(
    block: Tensor, location: tuple[slice, ...], name: str, axis: int | None, shape: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """Return the extreme of a block, and its index in the whole array of that shape."""
    if axis is not None:
        index = one(name, block, axis=axis, keepdims=True)
        value = one("take_along_axis", block, index, axis=axis)
        return value, index + location[axis].start
    flat = core.reshape(block, (-1,))
    first = int(one(name, flat))
    position = np.unravel_index(first, block.shape)
    start = [int(k) + place.start for k, place in zip(position, location, strict=True)]
    index = int(np.ravel_multi_index(start, shape))
    ones = (1,) * block.ndim
    value = core.reshape(flat[first : first + 1], ones)
    return value, core.full("full", ones, index, np.int64, "cpu")


def _joined_extremes(partial: Sequence[tuple[Tensor, Tensor]], name: str) -> tuple[Tensor, Tensor]:
    """Return the extreme of several, and the least index of those that are equal to it."""
    best = folded([value for value, _ in partial], name)
    missing = one("isnan", best)
    beyond = np.iinfo(np.int64).max
    candidates = []
    for value, index in partial:
        both_missing = one("logical_and", one("isnan", value), missing)
        here = one("logical_or", one("equal", value, best), both_missing)
        candidates.append(one("where", here, index, beyond))
    return best, folded(candidates, "minimum")


def _norm(block: Tensor, axes: tuple[int, ...], order: Any) -> Tensor:
    return one("linalg.vector_norm", block, axis=axes, keepdims=True, ord=order)


def _norm_of_norms(partial: Sequence[Tensor], order: Any) -> Tensor:
    stacked = one("stack", partial, axis=0)
    if order == 0:
        return one("sum", stacked, axis=0)
    return one("linalg.vector_norm", stacked, axis=0, ord=order)


# ---- graphs


def tree(
    partial: da.Array,
    axes: tuple[int, ...],
    keepdims: bool,
    combine: Part,
    last: Part | None,
    result: Result,
    prefix: str,
) -> da.Array:
    """Return the reduction of an array of partial results, one in each block along `axes`.

    Parameters
    ----------
    partial : array
        Whose blocks are what `combine` joins.
    axes : tuple of int
        Axes to reduce.
    keepdims : bool
        Whether they are kept, with size 1.
    combine : Part
        Of a sequence of partial results: one.
    last : Part or None
        Of the last partial result: the result, which has no such axes unless they are kept. None:
        the partial result is that.
    result : tuple
        dtype and shape of the result.
    prefix : str
        The beginning of the keys.
    """
    several = sum(partial.numblocks[axis] > 1 for axis in axes)
    width = max(2, round(_JOINED ** (1 / max(several, 1))))
    while True:
        blocks = partial.numblocks
        counts = [
            -(-count // width) if axis in axes else count for axis, count in enumerate(blocks)
        ]
        ends = all(counts[axis] == 1 for axis in axes)
        function = Fold(combine, last if ends else None)
        made = {}
        for position in itertools.product(*map(range, counts)):
            near = [
                range(k * width, min((k + 1) * width, blocks[axis])) if axis in axes else (k,)
                for axis, k in enumerate(position)
            ]
            refs = [graphs.block(partial, place) for place in itertools.product(*near)]
            kept = position
            if ends and not keepdims:
                kept = tuple(k for axis, k in enumerate(position) if axis not in axes)
            made[kept] = (function, *refs)
        if ends:
            chunks = [
                (1,) if axis in axes else row
                for axis, row in enumerate(partial.chunks)
                if keepdims or axis not in axes
            ]
            return graphs.tasks_of(
                prefix, made, tuple(chunks), result[0], [partial], (function, axes, keepdims)
            )
        rows = [
            (1,) * counts[axis] if axis in axes else row for axis, row in enumerate(partial.chunks)
        ]
        partial = graphs.tasks_of(
            f"{prefix}-partial", made, tuple(rows), result[0], [partial], (function, axes)
        )


#: Reduction -> the elementwise operation that joins its partial results.
_FOLDS = {
    "all": "logical_and",
    "any": "logical_or",
    "count_nonzero": "add",
    "max": "maximum",
    "min": "minimum",
    "prod": "multiply",
    "sum": "add",
}


@implements(*_FOLDS, "argmax", "argmin", "linalg.vector_norm", "mean", "std", "var", named=True)
def reduce(
    name: str,
    result: Result,
    x: da.Array,
    *,
    axis: Any = None,
    keepdims: bool = False,
    **params: Any,
) -> da.Array:
    """Compute a reduction of the standard."""
    axes = graphs.axes_of(axis, x.ndim)
    params = {key: value for key, value in params.items() if value is not None}
    if all(x.numblocks[k] == 1 for k in axes):
        out = tuple(k for k in range(x.ndim) if keepdims or k not in axes)
        function = Operation(name, {"axis": axis, "keepdims": keepdims, **params})
        return graphs.mapped(function, result[0], x, out=out, sizes=dict.fromkeys(axes, 1))
    dropped = () if keepdims else axes
    last = Part(squeezed, dropped)
    first: Any = None
    if name in _FOLDS:
        if name in ("sum", "prod") and result[0].name in ("float16", "bfloat16"):
            params["dtype"] = np.dtype(np.float32)  # rounded once
            last = Part(_rounded, dropped, result[0])
        first = Operation(name, {**params, "axis": axes, "keepdims": True})
        combine = Part(folded, _FOLDS[name])
    elif name == "mean":
        wide = np.dtype(np.complex128 if result[0].kind == "c" else np.float64)
        first, combine = Part(_total, axes, wide), Part(folded, "add")
        last = Part(_averaged, math.prod(x.shape[k] for k in axes), dropped, result[0])
    elif name in ("var", "std"):
        first, combine = Part(_moments, axes), Part(_joined_moments)
        correction = params.get("correction", 0.0)
        last = Part(_variance, correction, name == "std", dropped, result[0])
    elif name == "linalg.vector_norm":
        order = params.get("ord", 2)
        first, combine = Part(_norm, axes, order), Part(_norm_of_norms, order)
    else:
        first = Part(_extreme, name, None if axis is None else axes[0], x.shape)
        combine = Part(_joined_extremes, "maximum" if name == "argmax" else "minimum")
        last = Part(_squeezed_index, dropped)
    partial = graphs.mapped(
        first,
        result[0],
        x,
        sizes=dict.fromkeys(axes, 1),
        located=name in ("argmax", "argmin"),
        prefix=f"{name}-chunk",
    )
    return tree(partial, axes, keepdims, combine, last, result, name)


@implements("linalg.trace")
def trace(result: Result, x: da.Array, *, offset: int = 0, dtype: Any = None) -> da.Array:
    """Return the sums of the diagonals."""
    size = max(0, min(x.shape[-2] + min(offset, 0), x.shape[-1] - max(offset, 0)))
    parts = shapes.diagonal((x.dtype, (*x.shape[:-2], size)), x, offset=offset)
    return reduce("sum", result, parts, axis=(parts.ndim - 1,), dtype=result[0])


# ---- scans


def _last(block: Tensor, axis: int) -> Tensor:
    """Return the last elements along an axis."""
    return one("astype", block[(slice(None),) * axis + (slice(-1, None),)], block.dtype)


def _continued(block: Tensor, carried: Tensor, name: str, axis: int) -> Tensor:
    """Scan a block with the last elements of the scan before it."""
    dtype = carried.dtype
    block = core.astype(block, dtype, False)
    found = one(name, one("concat", (carried, block), axis=axis), axis=axis, dtype=dtype)
    return found[(slice(None),) * axis + (slice(1, None),)]


@implements("cumulative_sum", "cumulative_prod", named=True)
def scan(
    name: str,
    result: Result,
    x: da.Array,
    *,
    axis: int,
    dtype: Any = None,
    include_initial: bool = False,
) -> da.Array:
    """Compute cumulative sums, or products.

    Chunks along the axis are summed at once, and get the sum of those before added. Products
    of chunks can overflow where the product from the start does not, so they are computed one
    after the other.
    """
    accumulated, _ = result
    function = Operation(name, {"axis": axis, "dtype": dtype})
    if x.numblocks[axis] == 1:
        whole = graphs.mapped(function, accumulated, x)
    elif name == "cumulative_sum":
        whole = _sums_of_chunks(graphs.mapped(function, accumulated, x), axis, accumulated)
    else:
        whole = _in_turn(function, x, axis, accumulated)
    if not include_initial:
        return whole
    first = list(whole.chunks)
    first[axis] = (1,)
    value = 0 if name == "cumulative_sum" else 1
    start = creation.full(tuple(map(sum, first)), value, accumulated, tuple(first))
    return shapes.joined([start, whole], axis, name)


def _before(position: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return position[:axis] + (position[axis] - 1,) + position[axis + 1 :]


def _sums_of_chunks(whole: da.Array, axis: int, dtype: np.dtype) -> da.Array:
    """Add to each chunk the last elements of the chunks before it."""
    ends = graphs.mapped(Part(_last, axis), dtype, whole, sizes={axis: 1})
    add = Operation("add", {}, elementwise=True)
    name = f"cumulative_sum-{graphs.tokenize(whole.name, axis)}"
    layer = graphs.TaskLayer()
    sums: dict[tuple[int, ...], Any] = {}  # of the chunks before a position
    for position in graphs.positions(whole):
        key = (name, *position)
        if position[axis] == 0:
            layer.alias(key, whole, position)
            continue
        before = _before(position, axis)
        sums[position] = graphs.block(ends, before)
        if position[axis] > 1:
            start = (f"{name}-start", *position)
            sums[position] = layer.task(start, add, sums[before], sums[position])
        layer.task(key, add, graphs.block(whole, position), sums[position])
    return graphs.array(layer, name, whole.chunks, dtype, [whole, ends])


def _in_turn(first: Operation, x: da.Array, axis: int, dtype: np.dtype) -> da.Array:
    """Scan chunks one after the other."""
    name = f"{first.name}-{graphs.tokenize(x.name, first)}"
    layer = graphs.TaskLayer()
    done: dict[tuple[int, ...], Any] = {}
    for position in graphs.positions(x):
        key = (name, *position)
        block = graphs.block(x, position)
        if position[axis] == 0:
            done[position] = layer.task(key, first, block)
            continue
        before = _before(position, axis)
        end = layer.task((f"{name}-end", *before), Part(_last, axis), done[before])
        done[position] = layer.task(key, Part(_continued, first.name, axis), block, end)
    return graphs.array(layer, name, x.chunks, dtype, [x])
