"""Sorting and sets: along an axis within chunks; one axis of many chunks by samples."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import graphs, indexing, reductions, shapes, tasks
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements, warn_computed, warn_gathered
from corepy.backend.dask.tasks import Operation, Part, one

_INT64 = np.dtype(np.int64)

# ---- along one axis in a chunk


def within(name: str, result: Result, x: da.Array, axis: int, params: dict[str, Any]) -> da.Array:
    """Compute an operation along an axis, which becomes one chunk; sizes along it may change."""
    dtype, shape = result
    whole = graphs.whole_axes(x, (axis,))
    if whole.npartitions == 1:
        warn_gathered(name, [x])
    return graphs.mapped(Operation(name, params), dtype, whole, sizes={axis: shape[axis]})


@implements("argsort", "sort", named=True)
def sort(
    name: str,
    result: Result,
    x: da.Array,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> da.Array:
    """Sort along an axis."""
    if x.ndim > 1 or x.npartitions == 1:
        params = {"axis": axis, "descending": descending, "stable": stable}
        return within(name, result, x, axis % x.ndim, params)
    base, layer, partitions = _partitions(x, name, descending)
    # The sizes of partitions follow from the bounds: no partition is sorted for them.
    warn_computed(name, [x])
    counts = graphs.TaskLayer(layer)
    blocks = x.numblocks[0]
    for k in range(blocks):
        bounds = graphs.TaskRef((f"{base}-bounds", k))
        counts.task((f"{base}-counts", k, 0), _counted, bounds)
    rows = ((1,) * blocks, (blocks,))
    counted = graphs.array(counts, f"{base}-counts", rows, _INT64, [x])
    sizes = np.asarray(graphs.elements(counted)).sum(axis=0).tolist()
    if descending:
        sizes.reverse()
    return _partitioned(x, base, layer, partitions, sizes, result[0])


# ---- sorting by samples


def _ordered(block: Tensor, location: tuple[slice]) -> tuple[Tensor, Tensor]:
    """Return a sorted block, and the positions of its elements in the whole array."""
    order = one("argsort", block)
    return one("take", block, order), order + location[0].start


def _sampled(pair: tuple[Tensor, Tensor], count: int) -> Tensor:
    """Return some elements of a sorted block, evenly spaced."""
    values = pair[0]
    return values[:: max(1, values.shape[0] // count)]


def _splitters(*samples: Any) -> Tensor:
    """Return the elements between partitions; their number is last."""
    *parts, count = samples
    ordered = one("sort", one("concat", parts, axis=0))
    places = [k * ordered.shape[0] // count for k in range(1, count)]
    return one("take", ordered, core.asarray(np.asarray(places, dtype=np.int64), None, "cpu"))


def _bounds(pair: tuple[Tensor, Tensor], splitters: Tensor) -> list[int]:
    """Return where partitions begin and end in a sorted block."""
    inner = one("searchsorted", pair[0], splitters, side="left")
    return [0, *inner.tolist(), pair[0].shape[0]]


def _counted(bounds: list[int]) -> Tensor:
    """Return how many elements of a sorted block are in each partition, as one row."""
    counts = np.diff(np.asarray(bounds, dtype=np.int64))[None]
    return core.asarray(counts, None, "cpu")


def _piece(pair: tuple[Tensor, Tensor], bounds: list[int], k: int) -> tuple[Tensor, Tensor]:
    values, places = pair
    return values[bounds[k] : bounds[k + 1]], places[bounds[k] : bounds[k + 1]]


def _partition(*pieces: Any) -> Tensor:
    """Sort a partition; which function, and whether descending, is last."""
    *parts, name, descending = pieces
    values = one("concat", [value for value, _ in parts], axis=0)
    if name == "sort":
        return one("sort", values, descending=descending)
    if name == "unique_values":
        return one("unique_values", values)
    if name == "unique_counts":
        return tuple(one("unique_counts", values))  # type: ignore[return-value]
    places = one("concat", [place for _, place in parts], axis=0)
    return one("take", places, one("argsort", values, descending=descending, stable=True))


def _partitions(
    x: da.Array, name: str, descending: bool
) -> tuple[str, graphs.TaskLayer, list[Any]]:
    """Return the beginning of the keys of tasks that sort an array of one axis, these tasks, and
    what stands for the partitions, in order.
    """
    count = x.numblocks[0]
    base = f"{name}-{graphs.tokenize(x.name, descending)}"
    layer = graphs.TaskLayer()
    ordered = [
        layer.task((f"{base}-chunk", k), _ordered, graphs.block(x, (k,)), (place,))
        for k, place in enumerate(graphs.ranges(x.chunks[0]))
    ]
    samples = [
        layer.task((f"{base}-sample", k), _sampled, pair, 8 * count)
        for k, pair in enumerate(ordered)
    ]
    between = layer.task(f"{base}-splitters", _splitters, *samples, count)
    bounds = [
        layer.task((f"{base}-bounds", k), _bounds, pair, between) for k, pair in enumerate(ordered)
    ]
    partitions = []
    for j in range(count):
        pieces = [
            layer.task((f"{base}-piece", j, k), _piece, pair, bounds[k], j)
            for k, pair in enumerate(ordered)
        ]
        key = (f"{base}-partition", j)
        partitions.append(layer.task(key, _partition, *pieces, name, descending))
    return base, layer, partitions[::-1] if descending else partitions


def _partitioned(
    x: da.Array,
    base: str,
    layer: graphs.TaskLayer,
    partitions: Sequence[Any],
    sizes: Sequence[int],
    dtype: np.dtype,
    part: int | None = None,
) -> da.Array:
    """Return the array of partitions: of one of their results if `part` is given."""
    name = f"{base}-{'all' if part is None else part}"
    made = graphs.TaskLayer(layer)
    for k, source in enumerate(partitions):
        if part is None:
            made.task((name, k), tasks.plain, source)
        else:
            made.task((name, k), operator.getitem, source, part)
    return shapes.without_empty(graphs.array(made, name, (tuple(sizes),), dtype, [x]))


# ---- sets


@implements("unique_counts", "unique_values", named=True)
def unique(name: str, results: Any, x: da.Array) -> list[da.Array]:
    """Return the distinct elements, and how often they are there."""
    several = name == "unique_counts"
    results = results if several else [results]
    flat = shapes.reshaped(x, (x.size,))
    if flat.npartitions == 1 or x.dtype.kind == "c":
        return unique_gathered(name, results, flat)
    base, layer, partitions = _partitions(flat, name, False)
    warn_computed(name, [flat])
    counts = graphs.TaskLayer(layer)
    for k, partition in enumerate(partitions):
        counts.task((f"{base}-size", k), _sized, partition)
    rows = ((1,) * len(partitions),)
    counted = graphs.array(counts, f"{base}-size", rows, _INT64, [flat])
    sizes = graphs.elements(counted).tolist()
    return [
        _partitioned(flat, base, layer, partitions, sizes, dtype, part if several else None)
        for part, (dtype, _) in enumerate(results)
    ]


def _sized(block: Any) -> Tensor:
    """Return how many elements a partition has, as one element."""
    values = block[0] if type(block) is tuple else block
    return core.full("full", (1,), values.shape[0], _INT64, "cpu")


@implements("unique_all", "unique_inverse", named=True)
def unique_gathered(name: str, results: list[Result], x: da.Array) -> list[da.Array]:
    """Compute the distinct elements, at the call, in one task."""
    warn_gathered(name, [x])
    warn_computed(name, [x])
    shapes_known = [(dtype, (1,) if None in shape else shape) for dtype, shape in results]
    parts = graphs.called(name, (graphs.gathered(x),), {}, shapes_known)
    found = graphs.compute(parts)
    return [graphs.of_tensor(block) for (block,) in found]


@implements("nonzero", result=False)
def nonzero(x: da.Array) -> list[da.Array]:
    """Return the indices of elements that are not zero, an array for each axis."""
    mask = graphs.cast(shapes.reshaped(x, (x.size,)), np.dtype(np.bool))
    sizes = {0: indexing.counted("nonzero", mask)}
    places = graphs.mapped(Part(tasks.located), _INT64, mask, located=True, sizes=sizes)
    places = shapes.without_empty(places)
    found = []
    for size in x.shape[:0:-1]:
        found.append(graphs.elementwise("remainder", (places, size), {}, _INT64))
        places = graphs.elementwise("floor_divide", (places, size), {}, _INT64)
    return [places, *found[::-1]]


def _over_chunks(
    function: Operation, result: Result, pairs: Sequence[Any], last: int, joined_by: str
) -> da.Array:
    """Return an operation that needs all of an array of one axis, whose number is `last`: the
    results with its chunks, joined by an elementwise operation.
    """
    out = tuple(range(last))
    if all(x.numblocks[index.index(last)] == 1 for x, index in pairs if last in index):
        return graphs.mapped(function, result[0], *pairs, out=out)
    partial = graphs.mapped(
        function,
        result[0],
        *pairs,
        out=(*out, last),
        sizes={last: 1},
        prefix=f"{function.name}-chunk",
    )
    combine = Part(reductions.folded, joined_by)
    return reductions.tree(partial, (last,), False, combine, None, result, function.name)


def _as_arrays(*given: Any) -> list[da.Array]:
    """Return arrays, and scalars as arrays."""
    return [
        x if isinstance(x, da.Array) else graphs.of_tensor(core.asarray(x, None, "cpu"))
        for x in given
    ]


@implements("isin")
def isin(result: Result, x1: Any, x2: Any, *, invert: bool = False) -> da.Array:
    """Return whether elements are among others: those of any chunk of them."""
    x1, x2 = _as_arrays(x1, x2)
    last = x1.ndim
    pairs = [(x1, tuple(range(last))), (shapes.reshaped(x2, (x2.size,)), (last,))]
    found = _over_chunks(Operation("isin", {}), result, pairs, last, "logical_or")
    return graphs.elementwise("logical_not", (found,), {}, result[0]) if invert else found


@implements("searchsorted")
def searchsorted(
    result: Result, x1: Any, x2: Any, *, side: str = "left", sorter: Any = None
) -> da.Array:
    """Return where elements would be inserted: the sum over the chunks of the sorted array."""
    x1, x2 = _as_arrays(x1, x2)
    if sorter is not None:
        x1 = indexing.taken(x1, sorter, 0, "searchsorted")
    last = x2.ndim
    pairs = [(x1, (last,)), (x2, tuple(range(last)))]
    return _over_chunks(Operation("searchsorted", {"side": side}), result, pairs, last, "add")


# ---- indices


@implements("take", result=False)
def take(x: da.Array, indices: da.Array, *, axis: Any = None) -> da.Array:
    """Return elements at indices into an axis."""
    return indexing.taken(x, indices, (axis or 0) % x.ndim, "take")


@implements("take_along_axis")
def take_along_axis(result: Result, x: da.Array, indices: da.Array, *, axis: int = -1) -> da.Array:
    """Return elements at indices along an axis."""
    axis %= x.ndim
    whole = [graphs.whole_axes(y, (axis,)) for y in (x, indices)]
    if all(y.npartitions == 1 for y in whole):
        warn_gathered("take_along_axis", [x, indices])
    index = tuple(range(x.ndim))
    new = tuple(x.ndim if k == axis else k for k in index)
    function = Operation("take_along_axis", {"axis": axis})
    return graphs.mapped(function, result[0], (whole[0], index), (whole[1], new), out=new)
