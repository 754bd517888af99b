"""NumPy's indexing for libraries with part of it."""

from __future__ import annotations

from typing import Any


def _parsed(function: str, xp: Any, x: Any, key: tuple[Any, ...]) -> list[Any]:
    """Return an item of the index for each axis, None, and Ellipsis where that stands for no axes.

    Integer arrays are int64.

    Errors name `function`.
    """
    out: list[Any] = []
    used = 0
    for item in key:
        if hasattr(item, "shape"):
            if item.dtype != xp.bool:
                if not xp.isdtype(item.dtype, "integral"):
                    raise IndexError(
                        f"{function}: an index must have an integer dtype or bool, got {item.dtype}"
                    )
                item = xp.astype(item, xp.int64, copy=False)
            used += item.ndim if item.dtype == xp.bool else 1
        elif item is not None and item is not Ellipsis:
            used += 1
        out.append(item)
    if sum(item is Ellipsis for item in out) > 1:
        raise IndexError(f"{function}: an index can have only one ellipsis")
    if used > x.ndim:
        raise IndexError(f"{function}: {used} indices for an array of {x.ndim} dimensions")
    place = next((i for i, item in enumerate(out) if item is Ellipsis), len(out))
    if used == x.ndim:
        return out
    return out[:place] + [slice(None)] * (x.ndim - used) + out[place + 1 :]


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
        arrays: list[tuple[int, Any]] = []  # axis of the view, and its index array
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
            if item is None:
                basic.append(None)
                ndim += 1
                continue
            if isinstance(item, slice):
                item, backward = _forward(item, x.shape[axis])
                basic.append(item)
                if backward:
                    flips.append(ndim)
                axis += 1
                ndim += 1
            elif not is_index:
                size = x.shape[axis]
                if not -size <= item < size:
                    raise IndexError(
                        f"{function}: index {item} is out of bounds for axis {axis} "
                        f"with size {size}"
                    )
                basic.append(item)
                axis += 1
            elif isinstance(item, int) or item.dtype != xp.bool:
                basic.append(slice(None))
                arrays.append((ndim, position(xp, x, item, axis, function)))
                axis += 1
                ndim += 1
            elif item.ndim == 0:
                basic.append(None)
                arrays.append((ndim, xp.nonzero(xp.reshape(item, (1,)))[0]))
                ndim += 1
            else:
                sizes = zip(item.shape, x.shape[axis:], strict=False)
                if any(size not in (0, wanted) for size, wanted in sizes):
                    raise IndexError(
                        f"{function}: a mask of shape {tuple(item.shape)} does not fit axes "
                        f"{axis} to {axis + item.ndim - 1} of shape {tuple(x.shape)}"
                    )
                for positions in xp.nonzero(item):
                    basic.append(slice(None))
                    arrays.append((ndim, positions))
                    axis += 1
                    ndim += 1
        part = x[tuple(basic)] if basic else x
        if groups > 1:
            self.first = 0
        if arrays:
            axes = [axis for axis, _ in arrays]
            others = [axis for axis in range(ndim) if axis not in axes]
            part = xp.permute_dims(part, (*axes, *others))
            flips = [len(axes) + others.index(axis) for axis in flips]
            try:
                self.indices = tuple(xp.broadcast_arrays(*(array for _, array in arrays)))
            except RuntimeError as error:
                raise IndexError(f"{function}: index arrays do not broadcast: {error}") from None
        else:
            self.indices = ()
        self.part, self.flipped = part, tuple(flips)


def _forward(item: slice, size: int) -> tuple[slice, bool]:
    """Return a slice with a positive step, and whether its elements are in the other order."""
    start, stop, step = item.indices(size)
    if step > 0:
        return slice(start, max(start, stop), step), False
    count = len(range(start, stop, step))
    if count == 0:
        return slice(0, 0, 1), True
    return slice(start + (count - 1) * step, start + 1, -step), True


def position(xp: Any, x: Any, item: Any, axis: int, function: str = "getitem") -> Any:
    """Return indices of an axis, an array or an integer, as an array that counts from 0."""
    size = x.shape[axis]
    if isinstance(item, int):
        item = xp.asarray(item, dtype=xp.int64, device=x.device)
    beyond = (item < -size) | (item >= size)
    if bool(xp.any(beyond)):
        first = int(item[beyond][0])
        raise IndexError(
            f"{function}: index {first} is out of bounds for axis {axis} with size {size}"
        )
    return xp.where(item < 0, item + size, item)


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
