"""NumPy's functions that join, split, repeat, insert and delete; public names in `_shapes`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor
from corepy.numpy._arguments import Forward, array_of, in_fortran_order, tensor, tensors

# ---- joining


def into(out: Any, result: Tensor) -> Tensor:
    """Write a result into `out`, an argument of that name, and return it."""
    if not isinstance(out, Tensor) or out.shape != result.shape:
        raise Forward
    if not np.can_cast(result.dtype, out.dtype, "same_kind"):
        raise Forward
    out[...] = result
    return out


def _as_list(arrays: Any, axis: Any = 0) -> Any:
    """Return array-likes as tensors, in a list."""
    if type(arrays) is not list and type(arrays) is not tuple:
        if not isinstance(arrays, Tensor) and getattr(arrays, "dtype", None) != np.object_:
            raise Forward
        arrays = list(arrays)
    for x in arrays:
        if not isinstance(x, Tensor):
            # Python scalars do not take part in promotion here as arrays do.
            if axis is None and isinstance(x, (int, float, complex)):
                raise Forward
            return list(tensors(*arrays))
    return arrays


def _cast(arrays: Any, dtype: Any, casting: Any) -> Any:
    """Return tensors of the dtype that a result is asked to have."""
    if casting != "same_kind" and casting not in ("no", "equiv", "safe", "unsafe"):
        raise Forward
    if dtype is None:
        if casting not in ("same_kind", "unsafe"):
            raise Forward
        return arrays
    for x in arrays:
        if not np.can_cast(x.dtype, dtype, casting) or (
            x.dtype.kind == "c" and np.dtype(dtype).kind != "c"
        ):
            raise Forward
    return [xp.astype(x, dtype, copy=False) for x in arrays]


def concatenate(
    arrays: Any,
    /,
    axis: Any = 0,
    out: Any = None,
    *,
    dtype: Any = None,
    casting: str = "same_kind",
) -> Tensor:
    """Join arrays along an axis. See `numpy.concatenate`."""
    arrays = _as_list(arrays, axis)
    if out is None and dtype is None and casting == "same_kind":
        return xp.concat(arrays, axis=axis)
    if out is not None and dtype is not None:
        raise Forward
    result = xp.concat(_cast(arrays, dtype, casting), axis=axis)
    return result if out is None else into(out, result)


def stack(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Tensor:
    """Join arrays along a new axis. See `numpy.stack`."""
    arrays = _as_list(arrays)
    if out is None and dtype is None and casting == "same_kind":
        return xp.stack(arrays, axis=axis)
    if out is not None and dtype is not None:
        raise Forward
    result = xp.stack(_cast(arrays, dtype, casting), axis=axis)
    return result if out is None else into(out, result)


def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    """Join arrays along the second axis, or along their only one. See `numpy.hstack`."""
    arrays = _as_list(tup)
    if dtype is not None or casting != "same_kind":
        arrays = _cast(arrays, dtype, casting)
    ndim = arrays[0].ndim
    if ndim == 0 or any(x.ndim == 0 for x in arrays):
        arrays = [x if x.ndim else x[None] for x in arrays]
        ndim = arrays[0].ndim
    return xp.concat(arrays, axis=0 if ndim == 1 else 1)


def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Tensor:
    """Join arrays along the first axis; those of one axis are rows. See `numpy.vstack`."""
    arrays = _as_list(tup)
    if dtype is not None or casting != "same_kind":
        arrays = _cast(arrays, dtype, casting)
    for x in arrays:
        if x.ndim != 1:
            rows = [x if x.ndim > 1 else x[None] if x.ndim else x[None, None] for x in arrays]
            return xp.concat(rows, axis=0)
    return xp.stack(arrays)


def dstack(tup: Any) -> Tensor:
    """Join arrays along the third axis. See `numpy.dstack`."""
    arrays = _as_list(tup)
    ndim = max(x.ndim for x in arrays)
    if ndim == 2 and all(x.ndim == 2 for x in arrays):
        return xp.stack(arrays, axis=2)
    if ndim == 1 and all(x.ndim == 1 for x in arrays):
        return xp.stack(arrays, axis=1)[None]
    cubes = []
    for x in arrays:
        if x.ndim < 3:
            x = (
                x[:, :, None]
                if x.ndim == 2
                else x[None, :, None]
                if x.ndim
                else x[None, None, None]
            )
        cubes.append(x)
    return xp.concat(cubes, axis=2)


def column_stack(tup: Any) -> Tensor:
    """Join arrays along the second axis, those of one axis as columns. See `numpy.column_stack`."""
    arrays = _as_list(tup)
    for x in arrays:
        if x.ndim != 1:
            break
    else:
        return xp.stack(arrays, axis=1)
    columns = [x if x.ndim > 1 else x[:, None] if x.ndim else x[None, None] for x in arrays]
    return xp.concat(columns, axis=1)


def _depth_of(arrays: Any) -> int:
    """Return how deeply lists are nested; Forward if not all to one depth."""
    if type(arrays) is not list:
        if isinstance(arrays, tuple):
            raise Forward
        return 0
    depths = {_depth_of(part) for part in arrays}
    if len(depths) != 1:
        raise Forward
    return depths.pop() + 1


def _leaves(arrays: Any) -> list[Any]:
    if type(arrays) is not list:
        return [arrays]
    return [leaf for part in arrays for leaf in _leaves(part)]


def block(arrays: Any) -> Tensor:
    """Return an array of nested lists of blocks. See `numpy.block`."""
    depth = _depth_of(arrays)
    leaves = tensors(*_leaves(arrays))
    ndim = max(depth, *[x.ndim for x in leaves]) if leaves else 0
    if depth == 0:
        return leaves[0].copy()
    blocks = iter(leaves)

    def join(parts: Any, level: int) -> Tensor:
        if level == depth:
            x = next(blocks)
            return x if x.ndim == ndim else x[(None,) * (ndim - x.ndim)]
        return xp.concat([join(part, level + 1) for part in parts], axis=ndim - depth + level)

    return join(arrays, 0)


# ---- splitting


def _cut(x: Tensor, points: Sequence[int], axis: int) -> list[Tensor]:
    """Return the slices between neighbouring points."""
    if axis == 0:
        return [x[start:stop] for start, stop in pairwise(points)]
    before = (slice(None),) * (axis if axis > 0 else range(x.ndim)[axis])
    return [x[(*before, slice(start, stop))] for start, stop in pairwise(points)]


def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """Split into views of nearly equal sizes. See `numpy.array_split`."""
    x = tensor(ary)
    size = x.shape[axis]
    if type(indices_or_sections) is int:
        sections = indices_or_sections
        if sections <= 0:
            raise Forward
        each, more = divmod(size, sections)
        ends = [0] * (sections + 1)  # raises at once if they are too many
        for i in range(sections + 1):
            ends[i] = each * i + min(i, more)
        return _cut(x, ends, axis)
    if isinstance(indices_or_sections, (tuple, list)):
        points = indices_or_sections
    elif isinstance(indices_or_sections, Tensor) and indices_or_sections.ndim == 1:
        points = indices_or_sections.tolist()
    else:
        raise Forward
    return _cut(x, [0, *[index(point) for point in points], size], axis)


def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[Tensor]:
    """Split into views of equal sizes, or at indices. See `numpy.split`."""
    x = tensor(ary)
    if type(indices_or_sections) is int:
        size = x.shape[axis]
        if indices_or_sections <= 0 or size % indices_or_sections:
            raise Forward
        each = size // indices_or_sections
        if axis == 0 and each:
            return [x[start : start + each] for start in range(0, size, each)]
    return array_split(x, indices_or_sections, axis)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """Split along the second axis, or along the only one. See `numpy.hsplit`."""
    x = tensor(ary)
    return split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """Split along the first axis of two or more. See `numpy.vsplit`."""
    x = tensor(ary)
    if x.ndim < 2:
        raise Forward
    return split(x, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """Split along the third axis. See `numpy.dsplit`."""
    return split(ary, indices_or_sections, 2)


# ---- repeating


def tile(A: Any, reps: Any) -> Tensor:
    """Lay copies side by side. See `numpy.tile`."""
    return array_of(xp.tile(tensor(A), reps))


def repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    """Repeat elements along an axis. See `numpy.repeat`."""
    x = tensor(a)
    if type(repeats) is not int:
        repeats = tensor(repeats, x)
        if not np.can_cast(repeats.dtype, np.intp):
            raise Forward
        if repeats.ndim == 0:
            repeats = int(repeats)
        elif repeats.dtype.kind == "b":
            repeats = repeats.astype(np.intp)
    return xp.repeat(x, repeats, axis=axis)


def resize(a: Any, new_shape: Any) -> Tensor:
    """Return an array of another shape, with the elements repeated. See `numpy.resize`."""
    x = tensor(a).ravel()
    shape = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (index(new_shape),)
    count = 1
    for size in shape:
        if size < 0:
            raise Forward
        count *= size
    if x.size == 0:
        return xp.zeros(shape, dtype=x.dtype, device=x.device)
    if count <= x.size:
        return x[:count].copy().reshape(shape)
    return xp.tile(x, (-(-count // x.size),))[:count].reshape(shape)


# ---- inserting and deleting


def append(arr: Any, values: Any, axis: Any = None) -> Tensor:
    """Return an array with values after its end. See `numpy.append`."""
    x = tensor(arr)
    added = tensor(values, x)
    if axis is None:
        return xp.concat([x.ravel(), added.ravel()])
    return xp.concat([x, added], axis=axis)


def _along(x: Tensor, axis: Any) -> tuple[Tensor, int]:
    """Return an array and its axis: the flat array if that is None."""
    if axis is None:
        return x.ravel(), 0
    return x, range(x.ndim)[axis]


def _places(obj: Any, size: int, x: Tensor) -> Tensor | int:
    """Return `obj`, indices along an axis of that size, as an int or a tensor of ints."""
    if type(obj) is int:
        return obj
    if isinstance(obj, slice):
        start, stop, step = obj.indices(size)
        return xp.arange(start, stop, step, device=x.device)
    places = tensor(obj, x)
    if places.ndim > 1 or (places.dtype.kind not in "iu" and (places.size or obj is places)):
        raise Forward
    if places.size == 1 and places.ndim == 0:
        return int(places)
    return places.astype(np.int64, copy=False)


def delete(arr: Any, obj: Any, axis: Any = None) -> Tensor:
    """Return an array without the slices at indices along an axis. See `numpy.delete`."""
    x, axis = _along(tensor(arr), axis)
    if in_fortran_order(x):
        return delete(x.T, obj, x.ndim - 1 - axis).T
    size = x.shape[axis]
    before = (slice(None),) * axis
    if type(obj) is not int and getattr(obj, "dtype", None) == np.bool:
        if not isinstance(obj, Tensor) or obj.shape != (size,):
            raise Forward
        return x[(*before, ~obj)]
    places = _places(obj, size, x)
    if isinstance(places, int):
        if not -size <= places < size:
            raise Forward
        if places < 0:
            places += size
        if axis == 0:
            return xp.concat([x[:places], x[places + 1 :]])
        parts = [x[(*before, slice(places))], x[(*before, slice(places + 1, None))]]
        return xp.concat(parts, axis=axis)
    kept = xp.ones(size, dtype=bool, device=x.device)
    kept[places] = False
    return x[(*before, kept)]


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Tensor:
    """Return an array with values before indices along an axis. See `numpy.insert`."""
    x, axis = _along(tensor(arr), axis)
    size = x.shape[axis]
    places = _places(obj, size, x)
    added = tensor(values, x)
    if not np.can_cast(added.dtype, x.dtype, "same_kind"):
        raise Forward
    added = added.astype(x.dtype, copy=False)
    if added.ndim < x.ndim:
        added = added[(None,) * (x.ndim - added.ndim)]
    if isinstance(places, int):
        return _inserted(x, places, xp.moveaxis(added, 0, axis), axis)
    if places.size == 1:
        return _inserted(x, places.item(), added, axis)
    return _inserted_at(x, places, added, axis)


def _inserted(x: Tensor, place: int, added: Tensor, axis: int) -> Tensor:
    """Insert all that is added at one index."""
    size = x.shape[axis]
    if not -size <= place <= size:
        raise Forward
    if place < 0:
        place += size
    count = added.shape[axis]
    shape = x.shape[:axis] + (count,) + x.shape[axis + 1 :]
    if added.shape != shape:
        added = xp.broadcast_to(added, shape)
    if axis == 0:
        return xp.concat([x[:place], added, x[place:]])
    before = (slice(None),) * axis
    parts = [x[(*before, slice(place))], added, x[(*before, slice(place, None))]]
    return xp.concat(parts, axis=axis)


def _inserted_at(x: Tensor, places: Tensor, added: Tensor, axis: int) -> Tensor:
    """Insert one slice at each index."""
    size, count = x.shape[axis], places.size
    if bool(xp.any((places < -size) | (places > size))):
        raise Forward
    places = xp.where(places < 0, places + size, places)
    order = xp.argsort(places, stable=True)
    # Each place moves by the number of slices that are inserted before it.
    moved = xp.empty(count, dtype=np.int64, device=x.device)
    moved[order] = places[order] + xp.arange(count, device=x.device)
    old = xp.ones(size + count, dtype=bool, device=x.device)
    old[moved] = False
    shape = x.shape[:axis] + (size + count,) + x.shape[axis + 1 :]
    out = xp.empty(shape, dtype=x.dtype, device=x.device)
    before = (slice(None),) * axis
    out[(*before, moved)] = added
    out[(*before, old)] = x
    return out
