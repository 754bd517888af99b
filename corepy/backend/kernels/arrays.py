"""Arrays in buffers of a device: layouts, and views of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

import numpy as np

#: Bytes at multiples of which bindings begin.
ALIGNMENT = 256


@functools.cache
def name_of(dtype: np.dtype) -> str:
    """Return the name of a dtype, which NumPy makes each time."""
    return dtype.name


def c_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of elements in C order."""
    out, step = [], 1
    for size in reversed(shape):
        out.append(step)
        step *= size
    return tuple(reversed(out))


def broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the common shape of arrays; None if there is none."""
    ndim = max(map(len, shapes), default=0)
    aligned = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    common = tuple(next((n for n in sizes if n != 1), 1) for sizes in zip(*aligned, strict=True))
    fits = all(n in (1, size) for shape in aligned for n, size in zip(shape, common, strict=True))
    return common if fits else None


@dataclass(frozen=True, slots=True)
class Array:
    """Elements in a block of a buffer. Strides and offset count elements.

    An array without axes that is a number of the program has it as `constant`, and no block.
    """

    block: Any
    dtype: str
    itemsize: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    constant: bytes | None = None
    base: int = 0  # the byte of the block at which a kernel's binding begins; offsets count from it

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        """Whether elements are in C order, without gaps."""
        if self.size <= 1:
            return True
        step = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size > 1 and stride != step:
                return False
            step *= size
        return True

    @property
    def ends(self) -> tuple[int, int]:
        """The offsets of the first and the last element in memory."""
        steps = [(size - 1) * step for size, step in zip(self.shape, self.strides, strict=True)]
        first = self.offset + sum(step for step in steps if step < 0)
        return first, self.offset + sum(step for step in steps if step > 0)

    # ---- views

    def bound(self, nbytes: int) -> Array | None:
        """Return the array in a binding of at most `nbytes` bytes; None if it is not that small."""
        first, last = self.ends
        base = first * self.itemsize // ALIGNMENT * ALIGNMENT
        if (last + 1) * self.itemsize - base > nbytes:
            return None
        return replace(self, base=base, offset=self.offset - base // self.itemsize)

    def halves(self, axis: int) -> tuple[Array, Array]:
        """Return both halves along an axis."""
        lead, middle = [slice(None)] * axis, self.shape[axis] // 2
        return self.indexed([*lead, slice(middle)]), self.indexed([*lead, slice(middle, None)])

    def strided(self, shape: Iterable[int], strides: Iterable[int], offset: int = 0) -> Array:
        """Return a view of other axes, which begins `offset` elements behind the first."""
        return replace(
            self, shape=tuple(shape), strides=tuple(strides), offset=self.offset + offset
        )

    def reshaped(self, shape: Sequence[int]) -> Array:
        """Return a contiguous array with another shape."""
        return self.strided(shape, c_strides(shape))

    def reshaped_with(self, further: Sequence[int]) -> Array:
        """Return the array with further, last axes of size 1."""
        return self.strided((*self.shape, *further), (*self.strides, *(0 for _ in further)))

    def permuted(self, axes: Sequence[int]) -> Array:
        """Return the axes in another order."""
        return self.strided((self.shape[k] for k in axes), (self.strides[k] for k in axes))

    def moved_to_end(self, axis: int) -> Array:
        """Return the array with an axis as its last."""
        return self.permuted([*(k for k in range(len(self.shape)) if k != axis), axis])

    def broadcast(self, shape: Sequence[int]) -> Array:
        """Return the array with elements repeated along axes of size 1, and new axes in front."""
        new = len(shape) - len(self.shape)
        pairs = zip(self.shape, self.strides, shape[new:], strict=True)
        steps = [stride if size == out else 0 for size, stride, out in pairs]
        return self.strided(shape, [0] * new + steps)

    def indexed(self, key: Iterable[Any]) -> Array:
        """Return ``self[key]``, for integers, slices and None, one for each axis."""
        shape: list[int] = []
        strides: list[int] = []
        offset, axis = 0, 0
        for item in key:
            if item is None:
                shape.append(1)
                strides.append(0)
                continue
            size, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(item, slice):
                chosen = range(size)[item]
                offset += chosen.start * stride if len(chosen) else 0
                shape.append(len(chosen))
                strides.append(stride * chosen.step)
            else:
                offset += (item + size if item < 0 else item) * stride
        return self.strided([*shape, *self.shape[axis:]], [*strides, *self.strides[axis:]], offset)

    def bits(self, word: int) -> Array:
        """Return the elements as unsigned integers of at most `word` bytes, 4 or 8.

        Larger elements are several integers along a further, last axis.
        """
        size = min(self.itemsize, word)
        name = f"uint{8 * size}"
        if size == self.itemsize:
            return replace(self, dtype=name)
        parts = self.itemsize // size
        return replace(
            self,
            dtype=name,
            itemsize=size,
            shape=(*self.shape, parts),
            strides=(*(step * parts for step in self.strides), 1),
            offset=self.offset * parts,
        )


def collapsed(
    shape: Sequence[int], strides: Sequence[Sequence[int]]
) -> tuple[list[int], list[list[int]]]:
    """Return common axes of several arrays with neighbours made one where all of them allow it."""
    sizes: list[int] = []
    steps: list[list[int]] = [[] for _ in strides]
    for axis, size in enumerate(shape):
        if size == 1:
            continue
        if sizes and all(
            mine[-1] == theirs[axis] * size for mine, theirs in zip(steps, strides, strict=True)
        ):
            sizes[-1] *= size
            for mine, theirs in zip(steps, strides, strict=True):
                mine[-1] = theirs[axis]
        else:
            sizes.append(size)
            for mine, theirs in zip(steps, strides, strict=True):
                mine.append(theirs[axis])
    return sizes, steps


class Index(NamedTuple):
    """Integers that select from an axis: its number, size and stride."""

    array: Array
    axis: int
    size: int
    stride: int
