"""NumPy's indexing for libraries with part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def expanded(
    function: str, items: Sequence[Any], ndim: int, is_mask: Callable[[Any], bool]
) -> list[Any]:
    """Return an item of an index for each axis, None, and Ellipsis where that stands for no axes.

    Parameters
    ----------
    function : str
        The function that is named in errors.
    items : sequence
        Integers, slices, None, Ellipsis, and arrays.
    ndim : int
        How many axes are indexed.
    is_mask : callable
        Tells whether an item is an array of bools, which is for as many axes as it has.
    """
    indices = [item for item in items if item is not None and item is not Ellipsis]
    used = sum(item.ndim if is_mask(item) else 1 for item in indices)
    places = [place for place, item in enumerate(items) if item is Ellipsis]
    if len(places) > 1:
        raise IndexError(f"{function}: only one ellipsis ('...') is allowed")
    if used > ndim:
        raise IndexError(
            f"{function}: too many indices: the tensor has {ndim} dimensions, but {used} were "
            "indexed"
        )
    if used == ndim:
        return list(items)
    (place,) = places or (len(items),)
    return [*items[:place], *[slice(None)] * (ndim - used), *items[place + 1 :]]


def _parsed(function: str, xp: Any, x: Any, key: tuple[Any, ...]) -> list[Any]:
    """Return an index as `expanded` does, with integer arrays as int64."""
    items = []
    for item in key:
        if hasattr(item, "shape") and item.dtype != xp.bool:
            if not xp.isdtype(item.dtype, "integral"):
                raise IndexError(
                    f"{function}: an index must have an integer dtype or bool, got {item.dtype}"
                )
            item = xp.astype(item, xp.int64, copy=False)
        items.append(item)
    return expanded(function, items, x.ndim, lambda item: _is_mask(xp, item))


def _is_mask(xp: Any, item: Any) -> bool:
    return hasattr(item, "shape") and item.dtype == xp.bool


class _Place:
    """The part of an array that an index selects; errors name `function`.

    Attributes
    ----------
    part : array
        A view: of the elements themselves, or of those that index arrays select from, whose axes
        come first.
    flipped : tuple of int
        Axes of `part` that are in the other order.
    indices : tuple of array
        One index array for each of the first axes of `part`.
    first : int
        The axis at which the axes of the index arrays are in the result.
    """

    def __init__(self, function: str, xp: Any, x: Any, key: Any) -> None:
        items = _parsed(function, xp, x, key)
        advanced = any(hasattr(item, "shape") for item in items)
        basic: list[Any] = []
        flips: list[int] = []
        # Axis of the view; of `x`, for indices that may be out of bounds; the index array.
        arrays: list[tuple[int, int | None, Any]] = []
        axis = ndim = 0
        groups = 0  # of index arrays side by side
        beside = False
        self.first = 0
        for item in items:
            is_basic = item is None or item is Ellipsis or isinstance(item, slice)
            is_index = advanced and not is_basic
            if is_index and not beside:
                groups += 1
                self.first = ndim - len(arrays)
            beside = is_index
            if item is Ellipsis:  # for no axes, but it separates index arrays
                continue
            if is_index:
                found, used = _index_arrays(function, xp, x, item, axis)
                checked = None if _is_mask(xp, item) else axis
                arrays += [(ndim + k, checked, array) for k, array in enumerate(found)]
                basic += [slice(None) if used else None] * len(found)
                axis += used
                ndim += len(found)
                continue
            if isinstance(item, slice):
                item, backward = _forward(item, x.shape[axis])
                if backward:
                    flips.append(ndim)
            elif item is not None and not -x.shape[axis] <= item < x.shape[axis]:
                raise out_of_bounds(function, item, axis, x.shape[axis])
            basic.append(item)
            axis += item is not None
            ndim += is_basic
        part = x[tuple(basic)] if basic else x
        if groups > 1:
            self.first = 0
        if arrays:
            axes = [axis for axis, _, _ in arrays]
            others = [axis for axis in range(ndim) if axis not in axes]
            part = xp.permute_dims(part, (*axes, *others))
            flips = [len(axes) + others.index(axis) for axis in flips]
            try:
                shape = xp.broadcast_shapes(*(array.shape for _, _, array in arrays))
            except RuntimeError as error:
                raise IndexError(f"{function}: index arrays do not broadcast: {error}") from None
            self.indices = tuple(
                xp.broadcast_to(
                    index
                    if axis is None or 0 in shape  # nothing is selected
                    else position(xp, index, axis, size, function),
                    shape,
                )
                for (_, axis, index), size in zip(arrays, part.shape, strict=False)
            )
        else:
            self.indices = ()
        self.part, self.flipped = part, tuple(flips)


def _index_arrays(function: str, xp: Any, x: Any, item: Any, axis: int) -> tuple[list[Any], int]:
    """Return the index arrays that an item stands for, and how many axes of `x` they are for."""
    if not _is_mask(xp, item):
        return [xp.asarray(item, dtype=xp.int64, device=x.device)], 1
    if item.ndim == 0:  # an axis of one element, or of none
        return [xp.nonzero(xp.reshape(item, (1,)))[0]], 0
    sizes = zip(item.shape, x.shape[axis:], strict=False)
    if any(size not in (0, wanted) for size, wanted in sizes):
        raise IndexError(
            f"{function}: a mask of shape {tuple(item.shape)} does not fit axes "
            f"{axis} to {axis + item.ndim - 1} of shape {tuple(x.shape)}"
        )
    return list(xp.nonzero(item)), item.ndim


def out_of_bounds(function: str, index: int, axis: int, size: int) -> IndexError:
    """Return the error of an index that is not in an axis."""
    return IndexError(
        f"{function}: index {index} is out of bounds for axis {axis} with size {size}"
    )


def _forward(item: slice, size: int) -> tuple[slice, bool]:
    """Return a slice with a positive step, and whether its elements are in the other order."""
    start, stop, step = item.indices(size)
    if step > 0:
        return slice(start, max(start, stop), step), False
    count = len(range(start, stop, step))
    if count == 0:
        return slice(0, 0, 1), True
    return slice(start + (count - 1) * step, start + 1, -step), True


def position(xp: Any, indices: Any, axis: int, size: int, function: str) -> Any:
    """Return indices of an axis, counted from 0."""
    beyond = (indices < -size) | (indices >= size)
    if bool(xp.any(beyond)):
        raise out_of_bounds(function, int(indices[beyond][0]), axis, size)
    return xp.where(indices < 0, indices + size, indices)


def selected(xp: Any, x: Any, key: Any) -> Any:
    """Return ``x[key]`` as NumPy does, for libraries without negative steps and mixed indices.

    Parameters
    ----------
    xp : namespace
        The native namespace.
    x : array
        The native array.
    key : tuple
        Integers, slices, None, Ellipsis, and native arrays of integers or bool.
    """
    place = _Place("getitem", xp, x, key)
    out = place.part
    if place.flipped:
        out = xp.flip(out, axis=place.flipped)
    if not place.indices:
        return out
    out = out[place.indices]
    count = place.indices[0].ndim
    if place.first == 0 or count == 0:
        return out
    return xp.moveaxis(out, tuple(range(count)), tuple(range(place.first, place.first + count)))


def assign(xp: Any, x: Any, key: Any, value: Any) -> None:
    """Do ``x[key] = value`` as NumPy does; see `selected`."""
    place = _Place("setitem", xp, x, key)
    part, indices = place.part, place.indices
    count = indices[0].ndim if indices else 0
    shape = tuple(part.shape)
    if indices:
        rest = shape[len(indices) :]
        shape = (*rest[: place.first], *indices[0].shape, *rest[place.first :])
    given = tuple(value.shape)
    extra = max(len(given) - len(shape), 0)
    if any(size != 1 for size in given[:extra]) or any(
        size not in (1, wanted)
        for size, wanted in zip(
            given[extra:], shape[len(shape) - len(given) + extra :], strict=True
        )
    ):
        raise ValueError(f"setitem: a value of shape {given} does not fit into shape {shape}")
    value = xp.broadcast_to(xp.reshape(value, given[extra:]), shape)
    if indices:
        if place.first and count:
            value = xp.moveaxis(
                value, tuple(range(place.first, place.first + count)), tuple(range(count))
            )
        if place.flipped:
            skipped = len(indices) - count
            value = xp.flip(value, axis=tuple(axis - skipped for axis in place.flipped))
        part[indices] = value
    else:
        if place.flipped:
            value = xp.flip(value, axis=place.flipped)
        part[...] = value
