"""Functions that change shapes, join, repeat and select slices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from corepy.backend.dask import creation, graphs, tasks
from corepy.backend.dask.graphs import Result
from corepy.backend.dask.operations import implements, warn_computed
from corepy.backend.dask.tasks import Operation, Part, Slot

_FULL = slice(None)


@implements("permute_dims", result=False)
def permute_dims(x: da.Array, axes: Sequence[int]) -> da.Array:
    """Return the axes in another order."""
    axes = tuple(k % x.ndim for k in axes)
    return graphs.mapped(Operation("permute_dims", {}, (Slot(0), axes)), x.dtype, x, out=axes)


@implements("matrix_transpose", "linalg.matrix_transpose", result=False)
def matrix_transpose(x: da.Array) -> da.Array:
    """Exchange the last two axes."""
    last = x.ndim - 1
    return permute_dims(x, (*range(last - 1), last, last - 1))


@implements("moveaxis", result=False)
def moveaxis(x: da.Array, source: Any, destination: Any) -> da.Array:
    """Move axes."""
    sources, targets = graphs.axes_of(source, x.ndim), graphs.axes_of(destination, x.ndim)
    order = [k for k in range(x.ndim) if k not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return permute_dims(x, order)


@implements("expand_dims", result=False)
def expand_dims(x: da.Array, axis: Any) -> da.Array:
    """Add axes of size 1."""
    ndim = x.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    new = sorted(graphs.axes_of(axis, ndim))
    old = iter(range(x.ndim))
    out = tuple(x.ndim + k if k in new else next(old) for k in range(ndim))
    function = Operation("expand_dims", {}, (Slot(0), tuple(new)))
    return graphs.mapped(function, x.dtype, x, out=out)


@implements("squeeze", result=False)
def squeeze(x: da.Array, axis: Any) -> da.Array:
    """Remove axes of size 1."""
    axes = tuple(sorted(graphs.axes_of(axis, x.ndim)))
    out = tuple(k for k in range(x.ndim) if k not in axes)
    return graphs.mapped(Operation("squeeze", {}, (Slot(0), axes)), x.dtype, x, out=out)


@implements("reshape")
def reshape(result: Result, x: da.Array, shape: Any, *, copy: Any = None) -> da.Array:
    """Return the elements in another shape."""
    return reshaped(x, result[1])


def reshaped(x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Return the elements in another shape, whose sizes are known."""
    if x.shape == shape:
        return x
    if x.size == 0 or x.npartitions == 1:
        return graphs.called("reshape", (graphs.gathered(x), shape), {}, [(x.dtype, shape)])[0]
    kept = tuple(n for n in x.shape if n != 1)
    if kept == tuple(n for n in shape if n != 1):  # sizes of 1 come or go
        ones = tuple(k for k, n in enumerate(x.shape) if n == 1)
        x = squeeze(x, ones) if ones else x
        ones = tuple(k for k, n in enumerate(shape) if n == 1)
        return expand_dims(x, ones) if ones else x
    return x.reshape(shape)


@implements("broadcast_to")
def broadcast_to(result: Result, x: da.Array, shape: Any) -> da.Array:
    """Repeat axes of size 1."""
    return broadcast(x, result[1])


def broadcast(x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Repeat axes of size 1."""
    if x.shape == shape:
        return x
    added = len(shape) - x.ndim
    automatic = graphs.automatic_chunks(shape, x.dtype)
    chunks = tuple(
        x.chunks[k - added] if k >= added and x.shape[k - added] == n else automatic[k]
        for k, n in enumerate(shape)
    )
    out = range(len(shape))
    pair = (x, tuple(out[added:]))
    return graphs.mapped(Part(tasks.broadcast_block), x.dtype, pair, out=out, located=chunks)


@implements("broadcast_arrays")
def broadcast_arrays(results: list[Result], *arrays: da.Array) -> list[da.Array]:
    """Broadcast arrays together."""
    return [broadcast(x, shape) for x, (_, shape) in zip(arrays, results, strict=True)]


@implements("meshgrid")
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


# ---- slices


def blocks_in(row: tuple[int, ...], place: slice) -> list[tuple[int, slice, int]]:
    """Return (block, slice of it, size) for the blocks of an axis that a slice reads, in order."""
    start, stop, step = place.indices(sum(row))
    numbers = range(start, stop, step)
    found = []
    for k, block in enumerate(graphs.ranges(row)):
        inside = numbers[_first_from(numbers, block.start) : _first_from(numbers, block.stop)]
        if step < 0:
            inside = numbers[
                _first_from(numbers, block.stop - 1) : _first_from(numbers, block.start - 1)
            ]
        if len(inside):
            last = inside[-1] - block.start + (1 if step > 0 else -1)
            local = slice(inside[0] - block.start, None if last < 0 else last, step)
            if local == slice(0, row[k], 1):
                local = _FULL
            found.append((k, local, len(inside)))
    return found if step > 0 else found[::-1]


def _first_from(numbers: range, value: int) -> int:
    """Return how many numbers of a range are before `value`, in its direction."""
    if numbers.step > 0:
        count = -(-(value - numbers.start) // numbers.step)
    else:
        count = -(-(numbers.start - value) // -numbers.step)
    return min(max(count, 0), len(numbers))


def sliced(x: da.Array, key: tuple[Any, ...]) -> da.Array:
    """Return ``x[key]`` for integers from 0 on, slices and None; further axes are kept."""
    axis = 0
    choices: list[list[tuple[Any, Any, int]]] = []  # block, index of it, size, for each item
    items = (*key, *[_FULL] * (x.ndim - sum(item is not None for item in key)))
    for item in items:
        if item is None:
            choices.append([(None, None, 1)])
            continue
        row = x.chunks[axis]
        if isinstance(item, slice):
            choices.append(blocks_in(row, item))
        else:
            for k, place in enumerate(graphs.ranges(row)):
                if place.start <= item < place.stop:
                    choices.append([(k, item - place.start, 0)])
        axis += 1
    kept = [n for n, item in enumerate(items) if item is None or isinstance(item, slice)]
    chunks = tuple(tuple(size for _, _, size in choices[n]) for n in kept)
    shape = tuple(map(sum, chunks))
    if 0 in shape:
        return creation.full(shape, 0, x.dtype)
    name = f"getitem-{graphs.tokenize(x.name, key)}"
    layer = graphs.TaskLayer()
    for numbers in itertools.product(*(range(len(options)) for options in choices)):
        picked = [options[k] for options, k in zip(choices, numbers, strict=True)]
        source = tuple(block for block, _, _ in picked if block is not None)
        local = tuple(index for _, index, _ in picked)
        task = (name, *(numbers[n] for n in kept))
        if all(index == _FULL for index in local):
            layer.alias(task, x, source)
        else:
            layer.task(task, tasks.part, graphs.block(x, source), local)
    return graphs.array(graphs.MaterializedLayer(layer), name, chunks, x.dtype, [x])


@implements("unstack", result=False)
def unstack(x: da.Array, *, axis: int = 0) -> list[da.Array]:
    """Split an array along an axis."""
    axis %= x.ndim
    return [sliced(x, (*(_FULL,) * axis, k)) for k in range(x.shape[axis])]


@implements("flip", result=False)
def flip(x: da.Array, *, axis: Any = None) -> da.Array:
    """Reverse the order along axes."""
    axes = graphs.axes_of(axis, x.ndim)
    return sliced(x, tuple(slice(None, None, -1 if k in axes else 1) for k in range(x.ndim)))


@implements("roll", result=False)
def roll(x: da.Array, shift: Any, *, axis: Any = None) -> da.Array:
    """Shift elements; those that leave one end come back at the other."""
    if x.size == 0:
        return x
    shifts = tuple(shift) if isinstance(shift, (tuple, list)) else (shift,)
    if axis is None:
        flat = reshaped(x, (x.size,))
        return reshaped(_rolled(flat, sum(shifts), 0), x.shape)
    axes = graphs.axes_of(axis, x.ndim)
    length = max(len(axes), len(shifts))
    axes, shifts = (row * length if len(row) == 1 else row for row in (axes, shifts))
    for k, places in zip(axes, shifts, strict=True):
        x = _rolled(x, places, k)
    return x


def _rolled(x: da.Array, shift: int, axis: int) -> da.Array:
    size = x.shape[axis]
    start = -shift % size
    if start == 0:
        return x
    before = (_FULL,) * axis
    parts = slice(start, size), slice(0, start)
    return joined([sliced(x, (*before, part)) for part in parts], axis, "roll")


# ---- joining


def joined(arrays: Sequence[da.Array], axis: int, prefix: str = "concat") -> da.Array:
    """Join arrays of one dtype along an axis."""
    given = [x for x in arrays if x.shape[axis]] or list(arrays[:1])
    if len(given) == 1:
        return given[0]
    pairs = [
        (x, tuple(k if k != axis else -1 - n for k in range(x.ndim))) for n, x in enumerate(given)
    ]
    given = [x for x, _ in graphs.aligned(pairs)[1]]
    rows = list(given[0].chunks)
    rows[axis] = tuple(itertools.chain.from_iterable(x.chunks[axis] for x in given))
    name = f"{prefix}-{graphs.tokenize([x.name for x in given], axis)}"
    layer = graphs.TaskLayer()
    before = 0
    for x in given:
        for position in graphs.positions(x):
            key = (name, *position[:axis], position[axis] + before, *position[axis + 1 :])
            layer.alias(key, x, position)
        before += x.numblocks[axis]
    return graphs.array(layer, name, tuple(rows), given[0].dtype, given)


@implements("concat")
def concat(result: Result, arrays: Sequence[da.Array], *, axis: Any = 0) -> da.Array:
    """Join arrays along an axis."""
    dtype, shape = result
    arrays = [graphs.cast(x, dtype) for x in arrays]
    if axis is None:
        arrays, axis = [reshaped(x, (x.size,)) for x in arrays], 0
    return joined(arrays, axis % len(shape))


@implements("stack")
def stack(result: Result, arrays: Sequence[da.Array], *, axis: int = 0) -> da.Array:
    """Join arrays along a new axis."""
    dtype, shape = result
    axis %= len(shape)
    return joined([expand_dims(graphs.cast(x, dtype), axis) for x in arrays], axis, "stack")


@implements("tile")
def tile(result: Result, x: da.Array, repetitions: Sequence[int]) -> da.Array:
    """Repeat an array."""
    _, shape = result
    repetitions = (1,) * (len(shape) - len(repetitions)) + tuple(repetitions)
    x = reshaped(x, (1,) * (len(shape) - x.ndim) + x.shape)
    if 0 in shape:
        return creation.full(shape, 0, x.dtype)
    for axis, count in enumerate(repetitions):
        if x.shape[axis] == 1:
            x = broadcast(x, (*x.shape[:axis], count, *x.shape[axis + 1 :]))
        elif count != 1:
            x = joined([x] * count, axis, "tile")
    return x


@implements("repeat", result=False)
def repeat(x: da.Array, repeats: Any, *, axis: Any = None) -> da.Array:
    """Repeat elements."""
    if axis is None:
        x, axis = reshaped(x, (x.size,)), 0
    axis %= x.ndim
    inputs: list[Any] = [x]
    if isinstance(repeats, da.Array):
        warn_computed("repeat", [repeats])
        elements = graphs.elements(repeats)
        counts = np.asarray(elements)
        if (counts < 0).any():
            raise ValueError("repeat: repeats must not be negative")
        total = counts.sum(dtype=np.float64) * (x.shape[axis] if counts.size == 1 else 1)
        if total * x.dtype.itemsize * max(x.size // max(x.shape[axis], 1), 1) >= 2.0**63:
            raise ValueError("repeat: the result is too big for memory to address")
        if counts.size == 1:
            repeats = int(counts.reshape(-1)[0])
        else:
            inputs.append((graphs.of_tensor(elements, (x.chunks[axis],)), (axis,)))
            row = tuple(int(counts[place].sum()) for place in graphs.ranges(x.chunks[axis]))
            repeats = Slot(1)
    if isinstance(repeats, int):
        row = tuple(size * repeats for size in x.chunks[axis])
    function = Operation("repeat", {"axis": axis}, (Slot(0), repeats))
    return without_empty(graphs.mapped(function, x.dtype, *inputs, sizes={axis: row}))


def without_empty(x: da.Array) -> da.Array:
    """Return an array without empty chunks, unless an axis has no elements."""
    if all(0 not in row or row == (0,) for row in x.chunks):
        return x
    kept = [[k for k, n in enumerate(row) if n] or [0] for row in x.chunks]
    chunks = tuple(
        tuple(row[k] for k in places) for row, places in zip(x.chunks, kept, strict=True)
    )
    name = f"chunks-{graphs.tokenize(x.name, chunks)}"
    layer = graphs.TaskLayer()
    for position in itertools.product(*(range(len(places)) for places in kept)):
        key = (name, *position)
        source = [places[k] for places, k in zip(kept, position, strict=True)]
        layer.alias(key, x, source)
    return graphs.array(layer, name, chunks, x.dtype, [x])


# ---- parts of matrices


@implements("tril", "triu", named=True, result=False)
def triangle(name: str, x: da.Array, *, k: int = 0) -> da.Array:
    """Keep the lower (`tril`) or upper triangle."""
    return graphs.mapped(Part(tasks.triangle_block, name, k), x.dtype, x, located=True, prefix=name)


@implements("linalg.diagonal")
def diagonal(result: Result, x: da.Array, *, offset: int = 0) -> da.Array:
    """Return the diagonals of a stack of matrices."""
    dtype, shape = result
    if shape[-1] == 0:
        return creation.full(shape, 0, dtype)
    return da.diagonal(x, offset, -2, -1)
