"""Reductions, by a tree of partial results of chunks, and scans."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import dask.array as da
import numpy as np
from dask._task_spec import Task, TaskRef

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import graphs
from corepy.backend.dask.operations import Result
from corepy.backend.dask.tasks import Operation, Part, Slot, one

#: Partial results that one task joins, at most.
_JOINED = 16

# ---- what tasks compute


class Fold:
    """Join partial results, and compute the result of the last ones."""

    __slots__ = ("combine", "last")

    def __init__(self, combine: Part, last: Part | None) -> None:
        self.combine, self.last = combine, last

    def __call__(self, *partial: Any) -> Any:
        found = self.combine.function(partial, *self.combine.arguments)
        return found if self.last is None else self.last(found)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        last = None if self.last is None else self.last.__dask_tokenize__()
        return ("corepy.Fold", self.combine.__dask_tokenize__(), last)


def _folded(partial: Sequence[Tensor], name: str) -> Tensor:
    """Join partial results by an elementwise operation."""
    found = partial[0]
    for other in partial[1:]:
        found = one(name, found, other)
    return found


def _squeezed(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return core.squeeze(x, axes)


def _shifted_squeezed(x: tuple[Tensor, Tensor], axes: tuple[int, ...]) -> Tensor:
    """Return the index of (value, index)."""
    return core.squeeze(x[1], axes)


def _total(block: Tensor, axes: tuple[int, ...], dtype: np.dtype) -> Tensor:
    return one("sum", block, axis=axes, keepdims=True, dtype=dtype)


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
    mean = _folded([one("multiply", m, n / count) for n, m, _ in partial], "add")
    squares = [
        one("add", s, one("multiply", one("square", one("subtract", m, mean)), float(n)))
        for n, m, s in partial
    ]
    return count, mean, _folded(squares, "add")


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
    best = _folded([value for value, _ in partial], name)
    missing = one("isnan", best)
    beyond = np.iinfo(np.int64).max
    candidates = []
    for value, index in partial:
        both_missing = one("logical_and", one("isnan", value), missing)
        here = one("logical_or", one("equal", value, best), both_missing)
        candidates.append(one("where", here, index, beyond))
    return best, _folded(candidates, "minimum")


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
    fold: Callable[[bool], Any],
    result: Result,
    prefix: str,
) -> da.Array:
    """Return the reduction of an array of partial results, one in each block along `axes`.

    Parameters
    ----------
    partial : array
        Whose blocks are what `fold` joins.
    axes : tuple of int
        Axes to reduce.
    keepdims : bool
        Whether they are kept, with size 1.
    fold : callable
        Returns the function of several partial results: for True, of the last ones, whose result
        has no such axes unless they are kept.
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
        last = all(counts[axis] == 1 for axis in axes)
        function = fold(last)
        made = {}
        for position in itertools.product(*map(range, counts)):
            near = [
                range(k * width, min((k + 1) * width, blocks[axis])) if axis in axes else (k,)
                for axis, k in enumerate(position)
            ]
            refs = [graphs.block(partial, place) for place in itertools.product(*near)]
            kept = position
            if last and not keepdims:
                kept = tuple(k for axis, k in enumerate(position) if axis not in axes)
            made[kept] = (function, *refs)
        if last:
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


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(k % ndim for k in (axis if isinstance(axis, (tuple, list)) else (axis,)))


def reduced(
    x: da.Array,
    axes: tuple[int, ...],
    keepdims: bool,
    first: Part,
    combine: Part,
    last: Part,
    result: Result,
    prefix: str,
    placed: bool = False,
) -> da.Array:
    """Return a reduction: `first` of each block, `combine` of several, `last` of the joined one."""
    index = tuple(range(x.ndim))
    chunks = tuple((1,) * len(r) if k in axes else r for k, r in enumerate(x.chunks))
    inputs: list[tuple[Any, tuple[int, ...]]] = [(x, index)]
    if placed:
        inputs.append((graphs.location(x), index))
    partial = graphs.mapped(first, inputs, index, chunks, result[0], f"{prefix}-chunk")
    return tree(
        partial, axes, keepdims, lambda ends: Fold(combine, last if ends else None), result, prefix
    )


def reduce(
    name: str,
    results: list[Result],
    x: da.Array,
    *,
    axis: Any = None,
    keepdims: bool = False,
    dtype: Any = None,
    correction: float = 0.0,
    ord: Any = 2,
) -> da.Array:
    """Compute a reduction of the standard."""
    (result,) = results
    axes = _axes(axis, x.ndim)
    params: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if dtype is not None:
        params["dtype"] = dtype
    if name in ("var", "std"):
        params["correction"] = correction
    if name == "linalg.vector_norm":
        params["ord"] = ord
    if all(x.numblocks[k] == 1 for k in axes):
        return _within(name, result, x, axes, keepdims, params)
    dropped = () if keepdims else axes
    squeeze = Part(_squeezed, dropped)
    if name in _FOLDS:
        kept = {**params, "axis": axes, "keepdims": True}
        first: Any = Operation(name, (Slot(0),), kept)
        combine = Part(_folded, _FOLDS[name])
        return reduced(x, axes, keepdims, first, combine, squeeze, result, name)
    if name == "mean":
        wide = np.dtype(np.complex128 if result[0].kind == "c" else np.float64)
        count = math.prod(x.shape[k] for k in axes)
        first, combine = Part(_total, axes, wide), Part(_folded, "add")
        last = Part(_averaged, count, dropped, result[0])
        return reduced(x, axes, keepdims, first, combine, last, result, name)
    if name in ("var", "std"):
        last = Part(_variance, correction, name == "std", dropped, result[0])
        first, combine = Part(_moments, axes), Part(_joined_moments)
        return reduced(x, axes, keepdims, first, combine, last, result, name)
    if name == "linalg.vector_norm":
        first, combine = Part(_norm, axes, ord), Part(_norm_of_norms, ord)
        return reduced(x, axes, keepdims, first, combine, squeeze, result, name)
    one_axis = None if axis is None else axes[0]
    first = Part(_extreme, name, one_axis, x.shape)
    combine = Part(_joined_extremes, "maximum" if name == "argmax" else "minimum")
    last = Part(_shifted_squeezed, dropped)
    return reduced(x, axes, keepdims, first, combine, last, result, name, placed=True)


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


def _within(
    name: str,
    result: Result,
    x: da.Array,
    axes: tuple[int, ...],
    keepdims: bool,
    params: dict[str, Any],
) -> da.Array:
    """Reduce axes of one block each."""
    index = tuple(range(x.ndim))
    out = index if keepdims else tuple(k for k in index if k not in axes)
    chunks = tuple((1,) if k in axes else x.chunks[k] for k in out)
    function = Operation(name, (Slot(0),), params)
    return graphs.mapped(function, [(x, index)], out, chunks, result[0])


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


def scan(
    name: str,
    results: list[Result],
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
    ((accumulated, _),) = results
    index = tuple(range(x.ndim))
    count = x.numblocks[axis]
    params = {"axis": axis, "dtype": dtype}
    prefix = name
    if name == "cumulative_sum" or count == 1:
        function = Operation(name, (Slot(0),), params)
        whole = graphs.mapped(function, [(x, index)], index, x.chunks, accumulated)
        if count > 1:
            whole = _sums_of_chunks(whole, axis, accumulated)
    else:
        whole = _in_turn(name, x, axis, dtype, accumulated)
    if not include_initial:
        return whole
    first = list(whole.chunks)
    first[axis] = (1,)
    from corepy.backend.dask import creation, shapes

    value = 0 if name == "cumulative_sum" else 1
    start = creation.full(tuple(map(sum, first)), value, accumulated, tuple(first))
    return shapes.joined([start, whole], axis, prefix)


def _before(position: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return position[:axis] + (position[axis] - 1,) + position[axis + 1 :]


def _sums_of_chunks(whole: da.Array, axis: int, dtype: np.dtype) -> da.Array:
    """Add to each chunk the last elements of the chunks before it."""
    index = tuple(range(whole.ndim))
    rows = tuple((1,) * len(r) if k == axis else r for k, r in enumerate(whole.chunks))
    ends = graphs.mapped(Part(_last, axis), [(whole, index)], index, rows, dtype)
    add = Operation("add", (Slot(0), Slot(1)), {}, elementwise=True)
    name = f"cumulative_sum-{graphs.tokenize(whole.name, axis)}"

    def start_of(position: tuple[int, ...]) -> Any:
        return (f"{name}-start", *position)

    layer: dict[Any, Any] = {}
    for position in graphs.positions(whole):
        key = (name, *position)
        if position[axis] == 0:
            layer[key] = graphs.alias(key, whole, position)
            continue
        before = _before(position, axis)
        start = start_of(position)
        end = graphs.block(ends, before)
        if position[axis] == 1:
            layer[start] = graphs.alias(start, ends, before)
        else:
            layer[start] = Task(start, add, TaskRef(start_of(before)), end)
        layer[key] = Task(key, add, graphs.block(whole, position), TaskRef(start))
    return graphs.array(layer, name, whole.chunks, dtype, [whole, ends])


def _in_turn(name: str, x: da.Array, axis: int, dtype: Any, accumulated: np.dtype) -> da.Array:
    """Scan chunks one after the other."""
    token = graphs.tokenize(x.name, axis, dtype)
    key_of = f"{name}-{token}"
    layer: dict[Any, Any] = {}
    first = Operation(name, (Slot(0),), {"axis": axis, "dtype": dtype})
    for position in graphs.positions(x):
        key = (key_of, *position)
        block = graphs.block(x, position)
        if position[axis] == 0:
            layer[key] = Task(key, first, block)
            continue
        before: Any = _before(position, axis)
        end = (f"{key_of}-end", *before)
        layer[end] = Task(end, Part(_last, axis), TaskRef((key_of, *before)))
        function = Part(_continued, name, axis)
        layer[key] = Task(key, function, block, TaskRef(end))
    return graphs.array(layer, key_of, x.chunks, accumulated, [x])
