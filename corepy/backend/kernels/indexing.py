"""Indices: which elements of an array they select."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy.backend._keys import numbers_of
from corepy.backend.corrections.indexing import out_of_bounds
from corepy.backend.kernels.arrays import Array, Index, broadcast
from corepy.backend.kernels.launches import Launcher


class Item:
    """An array in an index."""

    def __init__(self, dtype: np.dtype, array: Array) -> None:
        self.dtype, self.array = dtype, array
        self.ndim = len(array.shape)


def selected(
    launcher: Launcher, function: str, x: Array, items: list[Any]
) -> tuple[Array, list[Index]]:
    """Return the view that an index selects from, and index arrays; see `Launcher.gather`."""
    advanced = any(isinstance(item, Item) for item in items)
    axes: list[tuple[int, int]] = []  # sizes and strides
    indices: list[Index] = []
    places: list[int] = []  # of indices, among the items
    before: int = 0  # axes before the first of them
    offset, axis = 0, 0
    for place, item in enumerate(items):
        if item is None:
            axes.append((1, 0))
        elif isinstance(item, slice):
            numbers = numbers_of(function, item, x.shape[axis])
            offset += numbers.start * x.strides[axis] if numbers else 0
            # A step may be larger than memory, if there is nothing to step to.
            axes.append((len(numbers), numbers.step * x.strides[axis] if len(numbers) > 1 else 0))
            axis += 1
        elif item is not Ellipsis:
            before = before if places else len(axes)
            places.append(place)
            if isinstance(item, int):
                if not -x.shape[axis] <= item < x.shape[axis]:
                    raise out_of_bounds(function, item, axis, x.shape[axis])
                offset += item % x.shape[axis] * x.strides[axis]
                axis += 1
            else:
                found = _index_arrays(launcher, function, x, item, axis)
                indices += found
                axis += item.ndim if item.dtype == "bool" else 1
    if not advanced:
        return x.strided(*_columns(axes), offset), []
    if places[-1] - places[0] + 1 != len(places):  # separated: their axes come first
        before = 0
    shapes = [index.array.shape for index in indices]
    shape = broadcast(shapes)
    if shape is None:
        raise IndexError(
            f"{function}: the indices have shapes that do not broadcast: "
            f"{', '.join(map(str, shapes))}"
        )
    after = len(axes) - before
    axes[before:before] = [(size, 0) for size in shape]
    view = x.strided(*_columns(axes), offset)
    return view, [index._replace(array=index.array.reshaped_with([1] * after)) for index in indices]


def _columns(axes: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [size for size, _ in axes], [stride for _, stride in axes]


def _index_arrays(
    launcher: Launcher, function: str, x: Array, item: Item, axis: int
) -> list[Index]:
    """Return an index array with the size and stride of its axis; of a mask, one for each axis."""
    if item.dtype != "bool":
        if item.dtype.name not in launcher.native:
            raise NotImplementedError(f"{function}: no kernel has indices of dtype {item.dtype}")
        return [Index(item.array, axis, x.shape[axis], x.strides[axis])]
    sizes = x.shape[axis : axis + item.ndim]
    if item.array.shape != sizes and item.array.size:  # without elements it selects nothing
        raise IndexError(
            f"{function}: a mask of shape {item.array.shape} does not fit axes {axis} to "
            f"{axis + item.ndim - 1} of shape {x.shape}"
        )
    places = launcher.positions(item.array)
    if not item.ndim:
        return [Index(places, axis, 1, 0)]
    return [
        Index(found, axis + k, sizes[k], x.strides[axis + k])
        for k, found in enumerate(launcher.unraveled(places, sizes))
    ]
