"""Reading and writing through indices.

Arrays of Dask are not written to: a write gives the tensor the tasks of the array with other
elements. What was read before keeps its elements.
"""

from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend._keys import items_of, numbers_of
from corepy.backend.corrections.indexing import out_of_bounds
from corepy.backend.dask import graphs, reductions, shapes, tasks
from corepy.backend.dask.operations import warn_computed, warn_gathered
from corepy.backend.dask.tasks import Operation, Part, Slot

_FULL = slice(None)
_INT64 = np.dtype(np.int64)

# ---- keys


def _items(function: str, x: Any, key: Any) -> list[Any]:
    """Return an index as integers, slices, None and arrays of Dask, an item for each axis; with
    an Ellipsis of no axes where it separates arrays.
    """

    def native(item: Any) -> da.Array:
        if isinstance(item, Tensor):
            return item.device.backend.unwrap(item)
        return graphs.of_tensor(core.asarray(item, None, "cpu"))

    return items_of(function, x, key, native)


def _is_mask(item: Any) -> bool:
    return isinstance(item, da.Array) and item.dtype.kind == "b"


def _position(function: str, item: int, axis: int, size: int) -> int:
    if not -size <= item < size:
        raise out_of_bounds(function, item, axis, size)
    return item % size


def _axis_of_mask(items: list[Any]) -> int | None:
    """Return the axis of the mask in an index that is one mask and full slices, else None."""
    others = [
        (axis, item)
        for axis, item in enumerate(items)
        if isinstance(item, da.Array) or item != _FULL
    ]
    if len(others) != 1:
        return None
    ((axis, item),) = others
    return axis if _is_mask(item) and item.ndim else None


# ---- reading


def getitem(backend: Any, x: Tensor, key: Any) -> Tensor:
    """Return ``x[key]``."""
    native = backend.unwrap(x)
    items = _items("getitem", x, key)
    return backend._made((_advanced if graphs.arrays_in(items) else _basic)(native, items))


def _basic(x: da.Array, items: list[Any]) -> da.Array:
    """Return ``x[key]`` for integers, slices and None."""
    axis = 0
    plain: list[Any] = []
    for item in items:
        if isinstance(item, slice):
            numbers_of("getitem", item, x.shape[axis])
        elif item is not None:
            item = _position("getitem", item, axis, x.shape[axis])
        plain.append(item)
        axis += item is not None
    if x.nbytes <= graphs.KEPT:
        value = graphs.known(x)
        if value is not None:
            found = core.astype(value[tuple(plain)], value.dtype, True)
            return graphs.of_tensor(found)
        if all(isinstance(item, int) for item in plain):
            return _element(x, tuple(plain))
    return shapes.sliced(x, tuple(plain))


def _element(x: da.Array, key: tuple[int, ...]) -> da.Array:
    """Return an element of a small array."""
    found = shapes.sliced(x, key)
    layer = graphs.Element(found.dask.layers[found.name].mapping, x, key)
    return graphs.array(layer, found.name, (), x.dtype, [x])


def _advanced(x: da.Array, items: list[Any]) -> da.Array:
    """Return ``x[key]`` for an index with arrays."""
    axis = _axis_of_mask(items)
    if axis is not None:
        return _masked(x, items[axis], axis)
    x, axes, arrays, front = _with_arrays("getitem", x, items)
    if len(axes) == 1:
        return taken(x, arrays[0], axes[0], "getitem")
    shape = core.broadcast_shapes([index.shape for index in arrays])
    index = _linear("getitem", arrays, [x.shape[k] for k in axes])
    rest = [k for k in range(x.ndim) if k not in axes]
    sizes = tuple(x.shape[k] for k in rest)
    x = shapes.permute_dims(x, (*axes, *rest))
    x = shapes.reshaped(x, (math.prod(x.shape[: len(axes)]), *sizes))
    found = shapes.reshaped(_taken(x, shapes.reshaped(index, (index.size,)), 0), (*shape, *sizes))
    before = 0 if front else sum(k < axes[0] for k in rest)
    new = tuple(range(len(shape)))
    moved = tuple(range(before))
    if not new or not moved:
        return found
    return shapes.moveaxis(found, new, tuple(before + k for k in new))


def _with_arrays(
    function: str, x: da.Array, items: list[Any]
) -> tuple[da.Array, list[int], list[da.Array], bool]:
    """Apply slices and None; return the array, the axes of array indices, these, as integers, and
    whether their axes are first in the result.
    """
    separators = (slice, type(None), type(Ellipsis))
    places = [k for k, item in enumerate(items) if not isinstance(item, separators)]
    front = places != list(range(places[0], places[-1] + 1))
    basic: list[Any] = []
    axes: list[int] = []
    arrays: list[da.Array] = []
    axis = 0
    for item in items:
        if item is Ellipsis:
            continue
        if item is None or isinstance(item, slice):
            basic.append(item)
            axis += item is not None
            continue
        if _is_mask(item):
            _check_mask(function, item, x, axis)
            warn_computed(function, [item])
            mask = np.asarray(graphs.elements(item))
            # Without axes: an axis of one element, or of none.
            found = np.nonzero(mask) if item.ndim else [np.zeros(int(mask), np.int64)]
            indices = [_whole(positions) for positions in found]
        elif isinstance(item, int):
            indices = [_whole(np.asarray(_position(function, item, axis, x.shape[axis])))]
        else:
            indices = [item]
        used = item.ndim if _is_mask(item) else 1
        axes += range(len(basic), len(basic) + len(indices))
        arrays += indices
        basic += [_FULL if used else None] * len(indices)
        axis += used
    if any(item != _FULL for item in basic):
        x = shapes.sliced(x, tuple(basic))
    try:
        indexed = core.broadcast_shapes([index.shape for index in arrays])
    except ValueError:
        raise IndexError(
            f"{function}: the indices have shapes that do not broadcast: "
            f"{', '.join(str(index.shape) for index in arrays)}"
        ) from None
    if 0 in indexed:  # nothing is selected, so nothing is out of bounds
        arrays = [_whole(np.zeros(indexed, np.int64))] * len(arrays)
    else:
        arrays = [
            _in_bounds(function, index, axis, x.shape[axis])
            for index, axis in zip(arrays, axes, strict=True)
        ]
    return x, axes, arrays, front


def _in_bounds(function: str, index: da.Array, axis: int, size: int) -> da.Array:
    """Return indices into an axis, from 0; raise if known ones are out of bounds."""
    known = graphs.known(index)
    if known is None:
        return index
    return graphs.of_tensor(tasks.checked(known, axis, size, function), index.chunks)


def _whole(array: Any) -> da.Array:
    return graphs.of_tensor(core.asarray(np.array(array), None, "cpu"))


def _check_mask(function: str, mask: da.Array, x: da.Array, axis: int) -> None:
    """Raise unless a mask has the shape of axes of `x`; one without elements selects nothing."""
    wanted = x.shape[axis : axis + mask.ndim]
    if mask.shape != wanted and (
        mask.size
        or len(wanted) < mask.ndim
        or any(size not in (0, whole) for size, whole in zip(mask.shape, wanted, strict=True))
    ):
        raise IndexError(
            f"{function}: the mask has shape {mask.shape}, and the tensor {wanted} at these axes"
        )


def _linear(function: str, arrays: list[da.Array], sizes: list[int]) -> da.Array:
    """Return one index, into axes in C order, of several."""
    return graphs.mapped(Part(tasks.linear, tuple(sizes), function), _INT64, *arrays)


def taken(x: da.Array, indices: da.Array, axis: int, function: str) -> da.Array:
    """Return the elements at indices into an axis, in an array of any shape."""
    size = x.shape[axis]
    known = graphs.known(indices)
    if known is not None:
        known = tasks.checked(known, axis, size, function)
        if x.npartitions > 1 and known.ndim == 1 and indices.size:
            array = np.asarray(known)
            return x[(_FULL,) * axis + (array,)]
        indices = graphs.of_tensor(known, indices.chunks)
    else:
        indices = graphs.mapped(Part(tasks.checked, axis, size, function), _INT64, indices)
    return _taken(x, indices, axis)


def _taken(x: da.Array, indices: da.Array, axis: int) -> da.Array:
    """Return the elements at checked indices into an axis: of each chunk those that it has."""
    own = tuple(range(x.ndim))
    new = tuple(range(x.ndim, x.ndim + indices.ndim))
    out = (*own[:axis], *new, *own[axis + 1 :])
    pairs = (x, own), (indices, new)
    if x.numblocks[axis] == 1:
        whole = Part(_taken_whole, axis)
        function = Operation("take", {"axis": axis}) if indices.ndim == 1 else whole
        return graphs.mapped(function, x.dtype, *pairs, out=out, prefix="take")
    partial = graphs.mapped(
        Part(tasks.taken_block, axis),
        x.dtype,
        *pairs,
        out=(*out, axis),
        sizes={axis: 1},
        located=True,
        prefix="take-chunk",
    )
    last = len(out)
    result = (x.dtype, partial.shape[:last])
    combine, second = Part(tasks.chosen), Part(tasks.second)
    return reductions.tree(partial, (last,), False, combine, second, result, "take")


def _taken_whole(block: Tensor, indices: Tensor, axis: int) -> Tensor:
    return block[(_FULL,) * axis + (indices,)]


def _masked(x: da.Array, mask: da.Array, axis: int) -> da.Array:
    """Return the elements where a mask of some axes is true, along one axis."""
    last = axis + mask.ndim
    _check_mask("getitem", mask, x, axis)
    if mask.shape != x.shape[axis:last]:
        none = x[(_FULL,) * axis + (slice(0, 0),)]
        return shapes.reshaped(none, (*x.shape[:axis], 0, *x.shape[last:]))
    flat = shapes.reshaped(mask, (mask.size,))
    x = shapes.reshaped(x, (*x.shape[:axis], mask.size, *x.shape[last:]))
    return compressed("getitem", x, flat, axis)


def compressed(function: str, x: da.Array, mask: da.Array, axis: int) -> da.Array:
    """Return what is where a mask of one axis is true; counts the true elements of its chunks."""
    if x.chunks[axis] != mask.chunks[0]:
        x = x.rechunk({axis: mask.chunks[0]})
    sizes = {axis: counted(function, mask)}
    select = Part(tasks.compressed, axis)
    return shapes.without_empty(graphs.mapped(select, x.dtype, x, (mask, (axis,)), sizes=sizes))


def counted(function: str, mask: da.Array) -> tuple[int, ...]:
    """Return how many elements of each chunk of a mask are true."""
    warn_computed(function, [mask])
    count = Operation("count_nonzero", {"keepdims": True})
    return tuple(graphs.elements(graphs.mapped(count, _INT64, mask, sizes={0: 1})).tolist())


# ---- writing


def setitem(backend: Any, x: Tensor, key: Any, value: Any) -> None:
    """Do ``x[key] = value``."""
    native = backend.unwrap(x)
    items = _items("setitem", x, key)
    given = _assigned(backend, native.dtype, value)
    write = _written_advanced if graphs.arrays_in(items) else _written
    backend.replace(x, write(native, items, given))


def _assigned(backend: Any, dtype: np.dtype, value: Any) -> da.Array:
    """Return a value to assign as an array of a dtype."""
    probe = core.full("empty", (1,), None, dtype, "cpu")
    if not isinstance(value, Tensor):
        probe[0] = value
        return graphs.of_tensor(core.astype(probe[0], dtype, True))
    probe[0] = core.full("full", (), 0, value.dtype, "cpu")  # warns of complex numbers
    native = backend.unwrap(value)
    if native.dtype.kind == "c" and dtype.kind not in "cb":
        native = graphs.elementwise("real", (native,), {}, np.empty(0, native.dtype).real.dtype)
    return graphs.cast(native, dtype)


def _written(x: da.Array, items: list[Any], value: da.Array) -> da.Array:
    """Return `x` with other elements at integers and slices."""
    axis = 0
    shape: list[int] = []  # of x[key]
    kept: list[int | None] = []  # for each axis of x: its axis of x[key]
    places: list[slice] = []
    flipped: list[int] = []
    for item in items:
        if item is None:
            shape.append(1)
            continue
        size = x.shape[axis]
        if isinstance(item, slice):
            numbers = numbers_of("setitem", item, size)
            if numbers.step < 0:
                numbers = numbers[::-1]
                flipped.append(len(shape))
            places.append(slice(numbers.start, max(numbers.stop, numbers.start), numbers.step))
            kept.append(len(shape))
            shape.append(len(numbers))
        else:
            k = _position("setitem", item, axis, size)
            places.append(slice(k, k + 1, 1))
            kept.append(None)
        axis += 1
    value = _fitting(value, tuple(shape))
    if 0 in shape or x.size == 0:
        return x
    if value.ndim:
        axes = [k for k in flipped if value.shape[k] > 1]
        if axes:
            value = shapes.flip(value, axis=tuple(axes))
        gone = tuple(k for k in range(len(shape)) if k not in kept)
        if gone:
            value = shapes.squeeze(value, gone)
        new = tuple(k for k, old in enumerate(kept) if old is None)
        if new:
            value = shapes.expand_dims(value, new)
    parts = [
        {
            block: (n, local, count)
            for n, (block, local, count) in enumerate(shapes.blocks_in(row, place))
        }
        for row, place in zip(x.chunks, places, strict=True)
    ]
    if value.ndim:
        rows = tuple(
            tuple(count for _, _, count in found.values()) if value.shape[k] > 1 else (1,)
            for k, found in enumerate(parts)
        )
        if rows != value.chunks:
            value = value.rechunk(rows)
    made: dict[tuple[int, ...], Any] = {}
    for position in graphs.positions(x):
        block = graphs.block(x, position)
        if all(k in found for found, k in zip(parts, position, strict=True)):
            here = [found[k] for found, k in zip(parts, position, strict=True)]
            source = [here[k][0] if value.numblocks[k] > 1 else 0 for k in range(value.ndim)]
            local = tuple(place for _, place, _ in here)
            made[position] = (tasks.written, block, graphs.block(value, source), local)
        else:
            made[position] = (tasks.plain, block)
    token = ("setitem", [str(place) for place in places])
    return graphs.tasks_of("setitem", made, x.chunks, x.dtype, [x, value], token)


def _fitting(value: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Return a value with the axes of a shape, of these sizes or 1; 0-d if it is one element."""
    given = value.shape
    while len(given) > len(shape) and given[0] == 1:
        given = given[1:]
    padded = (1,) * (len(shape) - len(given)) + given
    if len(padded) != len(shape) or any(
        n not in (1, size) for n, size in zip(padded, shape, strict=True)
    ):
        raise ValueError(f"setitem: a value of shape {value.shape} does not fit into shape {shape}")
    return shapes.reshaped(value, () if value.size == 1 else padded)


def _written_advanced(x: da.Array, items: list[Any], value: da.Array) -> da.Array:
    """Return `x` with other elements at an index with arrays."""
    axis_of_mask = _axis_of_mask(items)
    if axis_of_mask is not None:
        return _written_masked(x, items[axis_of_mask], axis_of_mask, value)
    arrays = graphs.arrays_in(items)
    _with_arrays("setitem", x, items)  # raises where an index is known not to fit
    if x.npartitions > 1 or value.npartitions > 1:
        warn_gathered("setitem", [x, value, *arrays])
    slots = map(Slot, range(len(arrays)))
    template = [next(slots) if isinstance(item, da.Array) else item for item in items]
    inputs = [graphs.gathered(y) for y in (x, value, *arrays)]
    blocks = [graphs.block(y, (0,) * y.ndim) for y in inputs]
    made = {(0,) * x.ndim: (tasks.written_at, *blocks, tuple(template))}
    found = graphs.tasks_of(
        "setitem", made, graphs.single(x.shape), x.dtype, inputs, ("setitem", str(template))
    )
    return found if x.npartitions == 1 else found.rechunk(x.chunks)


def _written_masked(x: da.Array, mask: da.Array, axis: int, value: da.Array) -> da.Array:
    """Return `x` with other elements where a mask of some axes is true."""
    last = axis + mask.ndim
    _check_mask("setitem", mask, x, axis)
    if mask.shape != x.shape[axis:last]:
        return x
    rest = x.ndim - last
    flat = shapes.reshaped(mask, (mask.size,))
    if value.ndim <= rest or value.shape[value.ndim - rest - 1] == 1:
        value = _fitting(value, (*x.shape[:axis], 1, *x.shape[last:]))
        if value.ndim:
            ones = (*value.shape[:axis], *(1,) * mask.ndim, *value.shape[axis + 1 :])
            value = shapes.reshaped(value, ones)
    else:
        count = sum(counted("setitem", flat))
        value = _fitting(value, (*x.shape[:axis], count, *x.shape[last:]))
        if count == 0:
            return x
        value = shapes.broadcast(value, (*value.shape[:axis], count, *value.shape[axis + 1 :]))
        whole = graphs.cast(flat, _INT64)
        sums = reductions.scan("cumulative_sum", (_INT64, flat.shape), whole, axis=0)
        places = graphs.elementwise("subtract", (sums, 1), {}, _INT64)
        places = graphs.elementwise("clip", (places, 0, None), {}, _INT64)
        value = _taken(value, places, axis)
        value = shapes.reshaped(value, (*value.shape[:axis], *mask.shape, *value.shape[axis + 1 :]))
    mask = shapes.reshaped(mask, mask.shape + (1,) * rest)
    return graphs.elementwise("where", (mask, value, x), {}, x.dtype)
