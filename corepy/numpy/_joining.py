"""NumPy's functions that join, split, repeat, insert and delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from corepy import array_api as xp
from corepy._cython.core import Tensor, asarray, held
from corepy.numpy._arguments import (
    Array,
    Arrays,
    DType,
    Elements,
    IntegerArray,
    Shape,
    in_fortran_order,
    ndarray,
    stored,
    takes,
)
from corepy.numpy.conversion import in_class_of

__all__ = [
    "append", "array_split", "block", "column_stack", "concatenate", "delete", "dsplit",
    "dstack", "hsplit", "hstack", "insert", "repeat", "resize", "split", "stack", "tile",
    "vsplit", "vstack",
]  # fmt: skip

Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]


# ---- more axes


def at_least_1d(x: Tensor) -> Tensor:
    return x if x.ndim else x[None]


def at_least_2d(x: Tensor) -> Tensor:
    return x if x.ndim > 1 else x[None] if x.ndim else x[None, None]


def at_least_3d(x: Tensor) -> Tensor:
    ndim = x.ndim
    if ndim > 2:
        return x
    if ndim == 2:
        return x[:, :, None]
    return x[None, :, None] if ndim else x[None, None, None]


# ---- joining


def _cast(name: str, x: Tensor, dtype: Any, casting: Any) -> Tensor:
    """Return a tensor as another dtype; TypeError unless the rule `casting` allows that."""
    if x.dtype == dtype:
        return x
    if not np.can_cast(x.dtype, dtype, casting):
        raise TypeError(f"{name}: {x.dtype} is not cast to {dtype} with casting={casting!r}")
    return x.astype(dtype)  # type: ignore[attr-defined]


def _joined(
    join: Callable[..., Tensor],
    arrays: Sequence[Tensor],
    axis: int | None,
    out: Tensor | None,
    dtype: Any,
    casting: str,
) -> Tensor:
    """Join arrays, as another dtype if one is given or is that of `out`."""
    if out is not None:
        if dtype is not None:
            raise TypeError(f"{join.__name__}: only one of out and dtype can be given")
        dtype = out.dtype
    elif dtype is None and casting not in ("same_kind", "unsafe"):
        dtype = xp.result_type(*arrays)
    if dtype is None:
        return join(arrays, axis=axis)
    arrays = [_cast(join.__name__, x, dtype, casting) for x in arrays]
    return stored(join(arrays, axis=axis), out)


# In NumPy, the others decide the dtype of Python scalars if there is no axis.
@takes(lambda arrays, axis: axis is not None or all(x.ndim for x in arrays))
def concatenate(
    arrays: Arrays,
    /,
    axis: int | None = 0,
    out: Tensor | None = None,
    *,
    dtype: DType | None = None,
    casting: Casting = "same_kind",
) -> Tensor:
    """Join arrays along an axis. See `numpy.concatenate`."""
    return _joined(xp.concat, arrays, axis, out, dtype, casting)


def stack(
    arrays: Arrays,
    axis: int = 0,
    out: Tensor | None = None,
    *,
    dtype: DType | None = None,
    casting: Casting = "same_kind",
) -> Tensor:
    """Join arrays along a new axis. See `numpy.stack`."""
    return _joined(xp.stack, arrays, axis, out, dtype, casting)


def hstack(tup: Arrays, *, dtype: DType | None = None, casting: Casting = "same_kind") -> Tensor:
    """Join arrays along the second axis, or along their only one. See `numpy.hstack`."""
    arrays = [at_least_1d(x) for x in tup]
    axis = 0 if arrays and arrays[0].ndim == 1 else 1
    return _joined(xp.concat, arrays, axis, None, dtype, casting)


def vstack(tup: Arrays, *, dtype: DType | None = None, casting: Casting = "same_kind") -> Tensor:
    """Join arrays along the first axis; those of one axis are rows. See `numpy.vstack`."""
    for x in tup:
        if x.ndim != 1:
            rows = [at_least_2d(x) for x in tup]
            return _joined(xp.concat, rows, 0, None, dtype, casting)
    return _joined(xp.stack, tup, 0, None, dtype, casting)


def dstack(tup: Arrays) -> Tensor:
    """Join arrays along the third axis. See `numpy.dstack`."""
    return xp.concat([at_least_3d(x) for x in tup], axis=2)


def column_stack(tup: Arrays) -> Tensor:
    """Join arrays along the second axis, those of one axis as columns. See `numpy.column_stack`."""
    for x in tup:
        if x.ndim != 1:
            return xp.concat([x if x.ndim > 1 else at_least_2d(x).T for x in tup], axis=1)
    return xp.stack(tup, axis=1)


def _leaves(arrays: Any, depth: int = 0) -> Iterator[tuple[Any, int]]:
    """Yield what is in nested lists, and in how many each is."""
    if type(arrays) is not list:
        yield arrays, depth
        return
    for part in arrays:
        yield from _leaves(part, depth + 1)


def _are_blocks(arrays: Any) -> bool:
    """Whether lists are nested to one depth, of array-likes with a tensor among them."""
    leaves = list(_leaves(arrays))
    return (
        len({depth for _, depth in leaves}) == 1
        and any(isinstance(x, Tensor) for x, _ in leaves)
        and not any(isinstance(x, tuple) or held(x) is None for x, _ in leaves)
    )


@takes(_are_blocks)
def block(arrays: Any) -> Tensor:
    """Return an array of nested lists of blocks. See `numpy.block`."""
    leaves = list(_leaves(arrays))
    depth = leaves[0][1]
    device = next(x.device for x, _ in leaves if isinstance(x, Tensor))
    tensors: list[Any] = [held(x, device) for x, _ in leaves]
    ndim = max(depth, *[x.ndim for x in tensors])
    if depth == 0:
        return tensors[0].copy()
    blocks = iter(tensors)

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


def array_split(
    ary: Array, indices_or_sections: Shape | IntegerArray, axis: int = 0
) -> list[Tensor]:
    """Split into views of nearly equal sizes. See `numpy.array_split`."""
    size = ary.shape[axis]
    sections: Any = indices_or_sections
    if isinstance(sections, Tensor):
        sections = sections.tolist()
    if not isinstance(sections, int):
        return _cut(ary, [0, *sections, size], axis)
    if sections <= 0:
        raise ValueError(f"array_split: there must be one section or more, got {sections}")
    each, more = divmod(size, sections)
    ends = [0] * (sections + 1)  # raises at once if they are too many
    for i in range(sections + 1):
        ends[i] = each * i + min(i, more)
    return _cut(ary, ends, axis)


def split(ary: Array, indices_or_sections: Shape | IntegerArray, axis: int = 0) -> list[Tensor]:
    """Split into views of equal sizes, or at indices. See `numpy.split`."""
    if isinstance(indices_or_sections, int):
        size = ary.shape[axis]
        if size % indices_or_sections:
            raise ValueError(f"split: {size} elements have no {indices_or_sections} equal sections")
        each = size // indices_or_sections
        if axis == 0 and each > 0:
            return [ary[start : start + each] for start in range(0, size, each)]
    return array_split(ary, indices_or_sections, axis)


@takes(lambda ary: ary.ndim > 0)
def hsplit(ary: Array, indices_or_sections: Shape | IntegerArray) -> list[Tensor]:
    """Split along the second axis, or along the only one. See `numpy.hsplit`."""
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


@takes(lambda ary: ary.ndim > 1)
def vsplit(ary: Array, indices_or_sections: Shape | IntegerArray) -> list[Tensor]:
    """Split along the first axis of two or more. See `numpy.vsplit`."""
    return split(ary, indices_or_sections, 0)


@takes(lambda ary: ary.ndim > 2)
def dsplit(ary: Array, indices_or_sections: Shape | IntegerArray) -> list[Tensor]:
    """Split along the third axis. See `numpy.dsplit`."""
    return split(ary, indices_or_sections, 2)


# ---- repeating


def tile(A: Array, reps: Shape | IntegerArray) -> Tensor:
    """Lay copies side by side. See `numpy.tile`."""
    return xp.tile(A, reps.tolist() if isinstance(reps, Tensor) else reps)  # type: ignore[arg-type]


def repeat(
    a: Array, repeats: int | Annotated[ndarray, Elements("biu")], axis: int | None = None
) -> Tensor:
    """Repeat elements along an axis. See `numpy.repeat`."""
    if isinstance(repeats, Tensor):
        repeats = repeats.astype(np.intp, copy=False) if repeats.ndim else int(repeats)
    return xp.repeat(at_least_1d(a), repeats, axis=axis)


def resize(a: Array, new_shape: Shape) -> Tensor:
    """Return an array of another shape, with the elements repeated. See `numpy.resize`."""
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    count = 1
    for size in shape:
        if size < 0:
            raise ValueError(f"resize: sizes must not be negative, got {shape}")
        count *= size
    x = xp.reshape(a, (-1,))
    if x.size == 0:
        return xp.zeros(shape, dtype=x.dtype, device=x.device)
    if count <= x.size:
        return asarray(x[:count], None, None, True).reshape(shape)
    return xp.tile(x, (-(-count // x.size),))[:count].reshape(shape)


# ---- inserting and deleting


def append(arr: Array, values: Array, axis: int | None = None) -> Tensor:
    """Return an array with values after its end. See `numpy.append`."""
    return xp.concat([arr, values], axis=axis)


def _along(name: str, x: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """Return an array and its axis: the flat array if that is None."""
    return (x.ravel(), 0) if axis is None else (x, normalize_axis_index(axis, x.ndim, name))


def _places(name: str, obj: Any, size: int, x: Tensor) -> Any:
    """Return `obj`, indices along an axis of that size, as an int or a tensor of ints or bools."""
    if type(obj) is int or isinstance(obj, np.integer):
        return int(obj)
    if isinstance(obj, slice):
        return xp.arange(*obj.indices(size), device=x.device)
    places = obj if isinstance(obj, Tensor) else np.asarray(obj)
    if not places.size and not hasattr(obj, "dtype"):
        places = places.astype(np.intp)
    if places.dtype.kind not in "biu":
        raise IndexError(f"{name}: obj must be a slice, integers or bools, got {places.dtype}")
    return xp.asarray(places, device=x.device)


def _counted(name: str, place: int, size: int, stop: int) -> int:
    """Return an index below `stop`, counted from the start of an axis."""
    if not -size <= place < stop:
        raise IndexError(f"{name}: obj is out of bounds [{-size}, {stop}), got {place}")
    return place + size if place < 0 else place


def delete(arr: Array, obj: Any, axis: int | None = None) -> Tensor:
    """Return an array without the slices at indices along an axis. See `numpy.delete`."""
    x, axis = _along("delete", arr, axis)
    if in_fortran_order(x):
        return delete(x.T, obj, x.ndim - 1 - axis).T
    size = x.shape[axis]
    before = (slice(None),) * axis
    places = _places("delete", obj, size, x)
    if isinstance(places, int):
        place = _counted("delete", places, size, size)
        if axis == 0:
            return xp.concat([x[:place], x[place + 1 :]])
        parts = [x[(*before, slice(place))], x[(*before, slice(place + 1, None))]]
        return xp.concat(parts, axis=axis)
    if places.dtype.kind == "b":
        if places.shape != (size,):
            raise ValueError(f"delete: bools must have shape {(size,)}, got {places.shape}")
        return x[(*before, ~places)]
    kept = xp.ones(size, dtype=bool, device=x.device)
    kept[places] = False
    return x[(*before, kept)]


def insert(arr: Array, obj: Any, values: Any, axis: int | None = None) -> Tensor:
    """Return an array with values before indices along an axis. See `numpy.insert`."""
    x, axis = _along("insert", arr, axis)
    places = _places("insert", obj, x.shape[axis], x)
    if isinstance(places, Tensor) and (places.ndim > 1 or places.dtype.kind == "b"):
        if getattr(obj, "ndim", 0) != 1:
            raise ValueError("insert: obj must be an array with one axis, integers or a slice")
        (places,) = xp.nonzero(places)
    if isinstance(values, Tensor):
        added = values.astype(x.dtype, copy=False)
    else:  # as NumPy converts numbers and text
        added = xp.asarray(np.asarray(values, dtype=x.dtype), device=x.device)
    if added.ndim < x.ndim:
        added = added[(None,) * (x.ndim - added.ndim)]
    if isinstance(places, int) or places.ndim == 0:
        return _inserted(x, int(places), xp.moveaxis(added, 0, axis), axis)
    if places.size == 1:
        return _inserted(x, int(places[0]), added, axis)
    return _inserted_at(x, places, added, axis)


def _inserted(x: Tensor, place: int, added: Tensor, axis: int) -> Tensor:
    """Insert all that is added at one index."""
    size = x.shape[axis]
    place = _counted("insert", place, size, size + 1)
    shape = x.shape[:axis] + (added.shape[axis],) + x.shape[axis + 1 :]
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
    places = xp.astype(places, np.intp)
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
    return in_class_of(out, x)
