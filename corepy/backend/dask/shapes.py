"""Functions that change shapes, join and repeat."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython.core import Tensor
from corepy.backend.dask import graphs, tasks
from corepy.backend.dask.operations import Result, warn_computed
from corepy.backend.dask.tasks import Operation, Part, Slot, one


def permute_dims(results: list[Result], x: da.Array, axes: Sequence[int]) -> da.Array:
    """Return the axes in another order."""
    axes = tuple(k % x.ndim for k in axes)
    function = Operation("permute_dims", (Slot(0), axes), {})
    chunks = tuple(x.chunks[k] for k in axes)
    return graphs.mapped(function, [(x, tuple(range(x.ndim)))], axes, chunks, x.dtype)


def matrix_transpose(results: list[Result], x: da.Array) -> da.Array:
    """Exchange the last two axes."""
    last = x.ndim - 1
    return permute_dims(results, x, (*range(last - 1), last, last - 1))


def moveaxis(results: list[Result], x: da.Array, source: Any, destination: Any) -> da.Array:
    """Move axes."""
    sources = [k % x.ndim for k in (source if isinstance(source, tuple) else (source,))]
    targets = [
        k % x.ndim for k in (destination if isinstance(destination, tuple) else (destination,))
    ]
    order = [k for k in range(x.ndim) if k not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return permute_dims(results, x, order)


def expand_dims(results: list[Result], x: da.Array, axis: Any) -> da.Array:
    """Add axes of size 1."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = x.ndim + len(axes)
    new = {k % ndim for k in axes}
    old = iter(range(x.ndim))
    out = tuple(x.ndim + k if k in new else next(old) for k in range(ndim))
    rows = iter(x.chunks)
    chunks = tuple((1,) if k in new else next(rows) for k in range(ndim))
    function = Operation("expand_dims", (Slot(0), tuple(sorted(new))), {})
    return graphs.mapped(function, [(x, tuple(range(x.ndim)))], out, chunks, x.dtype)


def squeeze(results: list[Result], x: da.Array, axis: Any) -> da.Array:
    """Remove axes of size 1."""
    axes = {k % x.ndim for k in (axis if isinstance(axis, (tuple, list)) else (axis,))}
    out = tuple(k for k in range(x.ndim) if k not in axes)
    function = Operation("squeeze", (Slot(0), tuple(sorted(axes))), {})
    chunks = tuple(x.chunks[k] for k in out)
    return graphs.mapped(function, [(x, tuple(range(x.ndim)))], out, chunks, x.dtype)


def reshape(results: list[Result], x: da.Array, shape: Any, *, copy: Any = None) -> da.Array:
    """Return the elements in another shape."""
    return reshaped(x, results[0][1])


def reshaped(x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Return the elements in another shape, whose sizes are known."""
    if x.shape == shape:
        return x
    if x.size == 0 or x.npartitions == 1:
        return graphs.called("reshape", (graphs.gathered(x), shape), {}, [(x.dtype, shape)])[0]
    kept = tuple(n for n in x.shape if n != 1)
    if kept == tuple(n for n in shape if n != 1):  # sizes of 1 come or go
        ones = tuple(k for k, n in enumerate(x.shape) if n == 1)
        x = squeeze([], x, ones) if ones else x
        ones = tuple(k for k, n in enumerate(shape) if n == 1)
        return expand_dims([], x, ones) if ones else x
    return x.reshape(shape)


def broadcast_to(results: list[Result], x: da.Array, shape: Any) -> da.Array:
    """Repeat axes of size 1."""
    return broadcast(x, results[0][1])


def broadcast(x: da.Array, shape: tuple[int, ...], like: graphs.Chunks | None = None) -> da.Array:
    """Repeat axes of size 1, in the chunks `like`, as far as they are new."""
    if x.shape == shape:
        return x
    added = len(shape) - x.ndim
    automatic = graphs.automatic_chunks(shape, x.dtype) if like is None else like
    chunks = tuple(
        x.chunks[k - added] if k >= added and x.shape[k - added] == n else automatic[k]
        for k, n in enumerate(shape)
    )
    index = tuple(range(len(shape)))
    inputs = [(x, index[added:]), (graphs.location(chunks), index)]
    return graphs.mapped(Part(tasks.broadcast_block), inputs, index, chunks, x.dtype)


def broadcast_arrays(results: list[Result], *arrays: da.Array) -> list[da.Array]:
    """Broadcast arrays together."""
    return [broadcast(x, shape) for x, (_, shape) in zip(arrays, results, strict=True)]


def meshgrid(results: list[Result], *arrays: da.Array, indexing: str = "xy") -> list[da.Array]:
    """Return the coordinates of a grid."""
    made = []
    for k, (x, (_, shape)) in enumerate(zip(arrays, results, strict=True)):
        axis = {0: 1, 1: 0}.get(k, k) if indexing == "xy" and len(arrays) > 1 else k
        row = [1] * len(shape)
        if shape:
            row[axis] = x.size
        made.append(broadcast(reshaped(x, tuple(row)), shape))
    return made


# ---- joining


def joined(arrays: Sequence[da.Array], axis: int, prefix: str = "concat") -> da.Array:
    """Join arrays of one dtype along an axis."""
    given = [x for x in arrays if x.shape[axis]] or list(arrays[:1])
    if len(given) == 1:
        return given[0]
    pairs = [
        (x, tuple(k if k != axis else -1 - n for k in range(x.ndim))) for n, x in enumerate(given)
    ]
    _, given = graphs.aligned(pairs)
    rows = list(given[0].chunks)
    rows[axis] = tuple(itertools.chain.from_iterable(x.chunks[axis] for x in given))
    name = f"{prefix}-{graphs.tokenize([x.name for x in given], axis)}"
    layer: dict[Any, Any] = {}
    before = 0
    for x in given:
        for position in graphs.positions(x):
            key = (name, *position[:axis], position[axis] + before, *position[axis + 1 :])
            layer[key] = graphs.alias(key, x, position)
        before += x.numblocks[axis]
    return graphs.array(layer, name, tuple(rows), given[0].dtype, given)


def _cast(x: da.Array, dtype: np.dtype) -> da.Array:
    return x if x.dtype == dtype else graphs.elementwise("astype", (x, dtype), {}, dtype)


def concat(results: list[Result], arrays: Sequence[da.Array], *, axis: Any = 0) -> da.Array:
    """Join arrays along an axis."""
    ((dtype, shape),) = results
    arrays = [_cast(x, dtype) for x in arrays]
    if axis is None:
        arrays, axis = [reshaped(x, (x.size,)) for x in arrays], 0
    return joined(arrays, axis % len(shape))


def stack(results: list[Result], arrays: Sequence[da.Array], *, axis: int = 0) -> da.Array:
    """Join arrays along a new axis."""
    ((dtype, shape),) = results
    axis %= len(shape)
    return joined([expand_dims([], _cast(x, dtype), axis) for x in arrays], axis, "stack")


def unstack(results: list[Result], x: da.Array, *, axis: int = 0) -> list[da.Array]:
    """Split an array along an axis."""
    axis %= x.ndim
    from corepy.backend.dask import indexing

    return [
        indexing.sliced(x, (slice(None),) * axis + (k,), result) for k, result in enumerate(results)
    ]


def flip(results: list[Result], x: da.Array, *, axis: Any = None) -> da.Array:
    """Reverse the order along axes."""
    given = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = {k % x.ndim for k in given}
    chunks = tuple(row[::-1] if k in axes else row for k, row in enumerate(x.chunks))
    function = Operation("flip", (Slot(0),), {"axis": tuple(sorted(axes))})
    made = {}
    for position in graphs.positions(x):
        source = [x.numblocks[k] - 1 - p if k in axes else p for k, p in enumerate(position)]
        made[position] = (function, graphs.block(x, source))
    return graphs.tasks_of("flip", made, chunks, x.dtype, [x], function)


def roll(results: list[Result], x: da.Array, shift: Any, *, axis: Any = None) -> da.Array:
    """Shift elements; those that leave one end come back at the other."""
    from corepy.backend.dask import indexing

    if x.size == 0:
        return x
    if axis is None:
        flat = reshaped(x, (x.size,))
        total = sum(shift) if isinstance(shift, (tuple, list)) else shift
        return reshaped(_rolled(flat, total, 0, indexing), x.shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,)
    length = max(len(axes), len(shifts))
    axes, shifts = (
        tuple(values) * length if len(values) == 1 else tuple(values) for values in (axes, shifts)
    )
    for k, places in zip(axes, shifts, strict=True):
        x = _rolled(x, places, k % x.ndim, indexing)
    return x


def _rolled(x: da.Array, shift: int, axis: int, indexing: Any) -> da.Array:
    size = x.shape[axis]
    start = -shift % size
    if start == 0:
        return x
    before = (slice(None),) * axis
    parts = []
    for place in (slice(start, size), slice(0, start)):
        shape = (*x.shape[:axis], place.stop - place.start, *x.shape[axis + 1 :])
        parts.append(indexing.sliced(x, (*before, place), (x.dtype, shape)))
    return joined(parts, axis, "roll")


def tile(results: list[Result], x: da.Array, repetitions: Sequence[int]) -> da.Array:
    """Repeat an array."""
    ((_, shape),) = results
    repetitions = (1,) * (len(shape) - len(repetitions)) + tuple(repetitions)
    x = reshaped(x, (1,) * (len(shape) - x.ndim) + x.shape)
    if 0 in shape:
        from corepy.backend.dask import creation

        return creation.full(shape, 0, x.dtype)
    for axis, count in enumerate(repetitions):
        if x.shape[axis] == 1:
            target = (*x.shape[:axis], count, *x.shape[axis + 1 :])
            x = broadcast(x, target)
        elif count != 1:
            x = joined([x] * count, axis, "tile")
    return x


def repeat(results: list[Result], x: da.Array, repeats: Any, *, axis: Any = None) -> da.Array:
    """Repeat elements."""
    if axis is None:
        x, axis = reshaped(x, (x.size,)), 0
    axis %= x.ndim
    if isinstance(repeats, da.Array):
        warn_computed("repeat", [repeats])
        counts = np.asarray(graphs.elements(repeats))
        if (counts < 0).any():
            raise ValueError("repeat: repeats must not be negative")
        total = counts.sum(dtype=np.float64) * (x.shape[axis] if counts.size == 1 else 1)
        if total * x.dtype.itemsize * max(x.size // max(x.shape[axis], 1), 1) >= 2.0**63:
            raise ValueError("repeat: the result is too big for memory to address")
        repeats = int(counts.reshape(-1)[0]) if counts.size == 1 else counts
    places = graphs.ranges(x.chunks[axis])
    if isinstance(repeats, int):
        row = tuple(size * repeats for size in x.chunks[axis])
    else:
        row = tuple(int(repeats[place].sum()) for place in places)
    chunks = list(x.chunks)
    chunks[axis] = row
    index = tuple(range(x.ndim))
    made = {}
    for position in graphs.positions(x):
        place = (slice(None),) * axis + (places[position[axis]],)
        part = repeats if isinstance(repeats, int) else repeats[place[axis]]
        made[position] = (_repeat, graphs.block(x, position), part, axis)
    found = graphs.tasks_of("repeat", made, tuple(chunks), x.dtype, [x], ("repeat", repeats, axis))
    return without_empty(found) if len(index) else found


def _repeat(block: Tensor, counts: Any, axis: int) -> Tensor:
    from corepy._cython import core

    if not isinstance(counts, int):
        counts = core.asarray(np.array(counts), None, "cpu")
    return one("repeat", block, counts, axis=axis)


def without_empty(x: da.Array) -> da.Array:
    """Return an array without empty chunks, unless an axis has no elements."""
    if all(0 not in row or row == (0,) for row in x.chunks):
        return x
    kept = [[k for k, n in enumerate(row) if n] or [0] for row in x.chunks]
    chunks = tuple(
        tuple(row[k] for k in places) for row, places in zip(x.chunks, kept, strict=True)
    )
    name = f"chunks-{graphs.tokenize(x.name, chunks)}"
    layer: dict[Any, Any] = {}
    for position in itertools.product(*(range(len(places)) for places in kept)):
        key = (name, *position)
        source = [places[k] for places, k in zip(kept, position, strict=True)]
        layer[key] = graphs.alias(key, x, source)
    return graphs.array(layer, name, chunks, x.dtype, [x])


# ---- others


def triangle(name: str, results: list[Result], x: da.Array, *, k: int = 0) -> da.Array:
    """Keep the lower (`tril`) or upper triangle."""
    index = tuple(range(x.ndim))
    function = Part(tasks.triangle_block, name, k)
    return graphs.mapped(
        function, [(x, index), (graphs.location(x), index)], index, x.chunks, x.dtype, name
    )


def diagonal(results: list[Result], x: da.Array, *, offset: int = 0) -> da.Array:
    """Return the diagonals of a stack of matrices."""
    ((dtype, shape),) = results
    if shape[-1] == 0:
        from corepy.backend.dask import creation

        return creation.full(shape, 0, dtype)
    rows, columns = (graphs.ranges(sizes) for sizes in x.chunks[-2:])
    found: list[tuple[int, tuple[int, int], int, int]] = []
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            first = max(row.start, column.start - offset)
            last = min(row.stop, column.stop - offset)
            if first < last:
                local = offset + row.start - column.start
                found.append((first, (i, j), local, last - first))
    found.sort()
    made = {}
    for k, (_, place, local, _) in enumerate(found):
        function = Operation("linalg.diagonal", (Slot(0),), {"offset": local})
        for position in itertools.product(*map(range, x.numblocks[:-2])):
            made[(*position, k)] = (function, graphs.block(x, (*position, *place)))
    chunks = (*x.chunks[:-2], tuple(size for *_, size in found))
    return graphs.tasks_of("diagonal", made, chunks, dtype, [x], ("diagonal", offset))


def trace(results: list[Result], x: da.Array, *, offset: int = 0, dtype: Any = None) -> da.Array:
    """Return the sums of the diagonals."""
    from corepy.backend.dask import reductions

    (result,) = results
    size = max(0, min(x.shape[-2] + min(offset, 0), x.shape[-1] - max(offset, 0)))
    parts = diagonal([(x.dtype, (*x.shape[:-2], size))], x, offset=offset)
    return reductions.reduce("sum", results, parts, axis=(parts.ndim - 1,), dtype=result[0])
