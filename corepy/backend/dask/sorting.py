"""Sorting and sets: along an axis within chunks; one axis of many chunks by samples."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.dask import graphs, indexing, reductions, shapes
from corepy.backend.dask.operations import Result, warn_computed, warn_gathered
from corepy.backend.dask.tasks import Operation, Part, Slot, one

_INT64 = np.dtype(np.int64)

# ---- along one axis in a chunk


def within(
    name: str, results: list[Result], x: da.Array, axis: int, params: dict[str, Any]
) -> da.Array:
    """Compute an operation along an axis, which becomes one chunk; sizes along it may change."""
    ((dtype, shape),) = results
    whole = graphs.whole_axes(x, (axis,))
    if whole.npartitions == 1:
        warn_gathered(name, [x])
    index = tuple(range(x.ndim))
    chunks = tuple((shape[k],) if k == axis else row for k, row in enumerate(whole.chunks))
    return graphs.mapped(
        Operation(name, (Slot(0),), params), [(whole, index)], index, chunks, dtype
    )


def sort(
    name: str,
    results: list[Result],
    x: da.Array,
    *,
    axis: int = -1,
    descending: bool = False,
    stable: bool = True,
) -> da.Array:
    """Sort along an axis."""
    if x.ndim == 1 and x.npartitions > 1:
        return _sorted(name, x, descending)
    params = {"axis": axis, "descending": descending, "stable": stable}
    return within(name, results, x, axis % x.ndim, params)


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


def _partitions(x: da.Array, name: str, descending: bool) -> tuple[dict[Any, Any], list[Any]]:
    """Return tasks that sort an array of one axis, and the keys of its partitions, in order."""
    count = x.numblocks[0]
    base = f"{name}-{graphs.tokenize(x.name, descending)}"
    layer: dict[Any, Any] = {}
    refs = []
    for k, place in enumerate(graphs.ranges(x.chunks[0])):
        key = (f"{base}-chunk", k)
        layer[key] = graphs.Task(key, _ordered, graphs.block(x, (k,)), (place,))
        refs.append(graphs.TaskRef(key))
        sample = (f"{base}-sample", k)
        layer[sample] = graphs.Task(sample, _sampled, refs[-1], 8 * count)
    samples = [graphs.TaskRef((f"{base}-sample", k)) for k in range(count)]
    between = f"{base}-splitters"
    layer[between] = graphs.Task(between, _splitters, *samples, count)
    bounds = []
    for k, ref in enumerate(refs):
        key = (f"{base}-bounds", k)
        layer[key] = graphs.Task(key, _bounds, ref, graphs.TaskRef(between))
        bounds.append(graphs.TaskRef(key))
    partitions = []
    for j in range(count):
        pieces = []
        for k, ref in enumerate(refs):
            piece = (f"{base}-piece", j, k)
            layer[piece] = graphs.Task(piece, _piece, ref, bounds[k], j)
            pieces.append(graphs.TaskRef(piece))
        key = (f"{base}-partition", j)
        layer[key] = graphs.Task(key, _partition, *pieces, name, descending)
        partitions.append(key)
    return layer, partitions[::-1] if descending else partitions


def _sizes_of_sorted(x: da.Array, layer: dict[Any, Any], base: str, name: str) -> list[int]:
    """Return the sizes of partitions: counts of the elements of sorted blocks, computed now."""
    warn_computed(name, [x])
    blocks = x.numblocks[0]
    key_of = f"{base}-counts"
    counts = {
        (key_of, k, 0): graphs.Task((key_of, k, 0), _counted, graphs.TaskRef((f"{base}-bounds", k)))
        for k in range(blocks)
    }
    chunks = ((1,) * blocks, (blocks,))
    counted = graphs.array({**layer, **counts}, key_of, chunks, _INT64, [x])
    return np.asarray(graphs.elements(counted)).sum(axis=0).tolist()


def _sizes(x: da.Array, layer: dict[Any, Any], partitions: Sequence[Any], name: str) -> list[int]:
    """Return the sizes of partitions, computed now."""
    warn_computed(name, [x])
    base = f"{partitions[0][0]}-size"
    sizes = {
        (base, k): graphs.Task((base, k), _sized, graphs.TaskRef(key))
        for k, key in enumerate(partitions)
    }
    one_each = ((1,) * len(partitions),)
    counted = graphs.array({**layer, **sizes}, base, one_each, _INT64, [x])
    return graphs.elements(counted).tolist()


def _sized(block: Any) -> Tensor:
    values = block[0] if type(block) is tuple else block
    return core.full("full", (1,), values.shape[0], _INT64, "cpu")


def _partitioned(
    x: da.Array,
    layer: dict[Any, Any],
    partitions: Sequence[Any],
    sizes: Sequence[int],
    name: str,
    dtype: np.dtype,
    part: int | None = None,
) -> da.Array:
    """Return the array of partitions: of one of their results if `part` is given."""
    base = f"{partitions[0][0]}-{'all' if part is None else part}"
    made = dict(layer)
    for k, source in enumerate(partitions):
        key = (base, k)
        if part is None:
            made[key] = graphs.Task(key, graphs.tasks.plain, graphs.TaskRef(source))
        else:
            made[key] = graphs.Task(key, operator.getitem, graphs.TaskRef(source), part)
    return shapes.without_empty(graphs.array(made, base, (tuple(sizes),), dtype, [x]))


def _sorted(name: str, x: da.Array, descending: bool) -> da.Array:
    layer, partitions = _partitions(x, name, descending)
    base = partitions[0][0].removesuffix("-partition")
    sizes = _sizes_of_sorted(x, layer, base, name)
    if descending:
        sizes.reverse()
    dtype = x.dtype if name == "sort" else _INT64
    return _partitioned(x, layer, partitions, sizes, name, dtype)


# ---- sets


def unique_values(results: list[Result], x: da.Array) -> da.Array:
    """Return the distinct elements."""
    return _unique(results, x, "unique_values")[0]


def unique_counts(results: list[Result], x: da.Array) -> list[da.Array]:
    """Return the distinct elements, and how often they are there."""
    return _unique(results, x, "unique_counts")


def _unique(results: list[Result], x: da.Array, name: str) -> list[da.Array]:
    flat = shapes.reshaped(x, (x.size,))
    if flat.npartitions == 1 or x.dtype.kind == "c":
        return unique_gathered(name, results, flat)
    layer, partitions = _partitions(flat, name, False)
    sizes = _sizes(flat, layer, partitions, name)
    parts = [None] if len(results) == 1 else [0, 1]
    return [
        _partitioned(flat, layer, partitions, sizes, name, dtype, part)
        for part, (dtype, _) in zip(parts, results, strict=True)
    ]


def unique_gathered(name: str, results: list[Result], x: da.Array) -> list[da.Array]:
    """Compute the distinct elements, at the call, in one task."""
    warn_gathered(name, [x])
    warn_computed(name, [x])
    shapes_known = [(dtype, (1,) if None in shape else shape) for dtype, shape in results]
    parts = graphs.called(name, (graphs.gathered(x),), {}, shapes_known)
    found = graphs.compute(parts)
    return [graphs.of_tensor(block) for (block,) in found]


def nonzero(results: list[Result], x: da.Array) -> list[da.Array]:
    """Return the indices of elements that are not zero, an array for each axis."""
    flat = shapes.reshaped(x, (x.size,))
    mask = graphs.elementwise("astype", (flat, np.dtype(np.bool)), {}, np.dtype(np.bool))
    counts = indexing.counted("nonzero", mask)
    pairs = [(mask, (0,)), (graphs.location(mask), (0,))]
    places = graphs.mapped(Part(graphs.tasks.located), pairs, (0,), (counts,), _INT64)
    places = shapes.without_empty(places)
    found = []
    for size in x.shape[:0:-1]:
        found.append(graphs.elementwise("remainder", (places, size), {}, _INT64))
        places = graphs.elementwise("floor_divide", (places, size), {}, _INT64)
    return [places, *found[::-1]]


def isin(results: list[Result], x1: da.Array, x2: Any, *, invert: bool = False) -> da.Array:
    """Return whether elements are among others: those of any chunk of them."""
    (result,) = results
    if not isinstance(x2, da.Array) or not isinstance(x1, da.Array):
        x1, x2 = (
            x if isinstance(x, da.Array) else graphs.of_tensor(core.asarray(x, None, "cpu"))
            for x in (x1, x2)
        )
    others = shapes.reshaped(x2, (x2.size,))
    index = tuple(range(x1.ndim))
    last = x1.ndim
    if others.npartitions == 1:
        function = Operation("isin", (Slot(0), Slot(1)), {"invert": invert})
        pairs = [(x1, index), (others, (last,))]
        return graphs.mapped(function, pairs, index, x1.chunks, result[0])
    partial = graphs.mapped(
        Operation("isin", (Slot(0), Slot(1)), {}),
        [(x1, index), (others, (last,))],
        (*index, last),
        (*x1.chunks, (1,) * others.numblocks[0]),
        result[0],
        "isin-chunk",
    )
    combine = Part(reductions._folded, "logical_or")
    found = reductions.tree(
        partial,
        (last,),
        False,
        lambda ends: reductions.Fold(combine, None),
        result,
        "isin",
    )
    return graphs.elementwise("logical_not", (found,), {}, result[0]) if invert else found


def searchsorted(
    results: list[Result], x1: Any, x2: Any, *, side: str = "left", sorter: Any = None
) -> da.Array:
    """Return where elements would be inserted: the sum over the chunks of the sorted array."""
    (result,) = results
    x1, x2 = (
        x if isinstance(x, da.Array) else graphs.of_tensor(core.asarray(x, None, "cpu"))
        for x in (x1, x2)
    )
    if sorter is not None:
        x1 = indexing.taken(x1, sorter, 0, "searchsorted")
    index = tuple(range(x2.ndim))
    last = x2.ndim
    function = Operation("searchsorted", (Slot(0), Slot(1)), {"side": side})
    pairs = [(x1, (last,)), (x2, index)]
    if x1.npartitions == 1:
        return graphs.mapped(function, pairs, index, x2.chunks, result[0])
    rows = (*x2.chunks, (1,) * x1.numblocks[0])
    partial = graphs.mapped(function, pairs, (*index, last), rows, result[0], "searchsorted-chunk")
    combine = Part(reductions._folded, "add")
    return reductions.tree(
        partial, (last,), False, lambda ends: reductions.Fold(combine, None), result, "searchsorted"
    )


# ---- indices


def take(results: list[Result], x: da.Array, indices: da.Array, *, axis: Any = None) -> da.Array:
    """Return elements at indices into an axis."""
    if axis is None:
        axis = 0
    return indexing.taken(x, indices, axis % x.ndim, "take")


def take_along_axis(
    results: list[Result], x: da.Array, indices: da.Array, *, axis: int = -1
) -> da.Array:
    """Return elements at indices along an axis."""
    (result,) = results
    axis %= x.ndim
    whole = [graphs.whole_axes(y, (axis,)) for y in (x, indices)]
    if all(y.npartitions == 1 for y in whole):
        warn_gathered("take_along_axis", [x, indices])
    index = tuple(range(x.ndim))
    new = tuple(x.ndim if k == axis else k for k in index)
    pairs = [(whole[0], index), (whole[1], new)]
    chunks, whole = graphs.aligned(pairs)
    pairs = [(y, places) for y, (_, places) in zip(whole, pairs, strict=True)]
    function = Operation("take_along_axis", (Slot(0), Slot(1)), {"axis": axis})
    return graphs.mapped(function, pairs, new, tuple(chunks[k] for k in new), result[0])
