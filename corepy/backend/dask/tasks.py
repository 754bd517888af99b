"""What Dask's tasks compute, on workers: functions of blocks, which are ndarrays of the CPU.

Dask calls NumPy's methods on blocks: they are of `corepy.ndarray`. Operators and indices of those
give scalars, where there are no axes. Nothing here imports Dask. Objects of the classes are
functions of blocks; they can be pickled, and equal ones have equal tokens.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor, kind_of
from corepy._cython.lazy import recorder
from corepy._cython.settings import Block
from corepy.backend._nested import leaves


class Slot(NamedTuple):
    """The place of a block among the arguments of an operation."""

    number: int


def filled(arguments: Any, blocks: Sequence[Any]) -> Any:
    """Return arguments with blocks in the place of slots."""
    if type(arguments) is Slot:
        return blocks[arguments.number]
    if type(arguments) is tuple or type(arguments) is list:
        return type(arguments)([filled(item, blocks) for item in arguments])
    return arguments


def plain(block: Any) -> Any:
    """Return the block of nested lists of one, which Dask makes of an axis that is dropped."""
    while type(block) is list:
        (block,) = block
    return block


def as_block(value: Any) -> Any:
    """Return what a task computed with ndarrays in the place of other tensors and of scalars."""
    if isinstance(value, np.generic):
        value = core.asarray(value, None, "cpu")
    if isinstance(value, Tensor):
        return core.in_drop_in(value)
    if isinstance(value, (tuple, list)):
        return (list if type(value) is list else tuple)(map(as_block, value))
    return value


def created(name: str, *inputs: Any, **params: Any) -> Any:
    """Compute a creation of the standard."""
    return core.in_drop_in(core.create(name, "cpu", inputs, params))


def exact(value: Any) -> Any:
    """Return an argument for a token: of -NaN and NaN Dask's are the same."""
    if isinstance(value, float):
        return struct.pack("d", value)
    if isinstance(value, complex):
        return "complex", struct.pack("dd", value.real, value.imag)
    if type(value) is tuple or type(value) is list:
        return [exact(item) for item in value]
    return value


@dataclass(eq=False, repr=False, slots=True)
class Operation:
    """An operation of the standard.

    Parameters
    ----------
    name : str
        Its name.
    params : dict
        The keyword arguments, slots for blocks.
    inputs : tuple, optional
        The positional arguments, slots for blocks; by default all blocks.
    elementwise : bool
        Whether an element of the result depends only on the same element of the operands.
    """

    name: str
    params: dict[str, Any]
    inputs: tuple[Any, ...] | None = None
    elementwise: bool = False

    def __call__(self, *blocks: Any) -> Any:
        blocks = tuple(map(plain, blocks))
        inputs = blocks if self.inputs is None else filled(self.inputs, blocks)
        params = {name: filled(value, blocks) for name, value in self.params.items()}
        return as_block(core.execute(self.name, inputs, params))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        params = exact(tuple(sorted(self.params.items())))
        return ("corepy.Operation", self.name, exact(self.inputs), params)

    def __repr__(self) -> str:
        return self.name


class Part:
    """A function of blocks, and of where in the whole array they are, with constant arguments.

    Parameters
    ----------
    function : callable
        A function of this module, or another that can be pickled by its name.
    *arguments : object
        Follow the blocks.
    """

    __slots__ = ("arguments", "function")

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __call__(self, *blocks: Any) -> Any:
        return as_block(self.function(*map(plain, blocks), *self.arguments))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return (self.function.__module__, self.function.__qualname__, exact(self.arguments))

    def __repr__(self) -> str:
        return self.function.__name__


def run(threads: int, function: Callable[..., Any], *blocks: Any, **keywords: Any) -> Any:
    """Compute a task: its operations together, with `threads` threads (0: all)."""
    before = core.limit_threads_of_caller(threads)
    try:
        with Block({"fusion": True}):
            found = function(*blocks, **keywords)
        recorder.compute(*(x for x in leaves(found) if isinstance(x, Tensor)))
        return found
    finally:
        core.limit_threads_of_caller(before)


def one(name: str, *inputs: Any, **params: Any) -> Any:
    """Compute an operation of the standard."""
    return core.execute(name, inputs, params)


# ---- joining and parts


def joined(blocks: Sequence[Tensor], sizes: Sequence[Sequence[int]]) -> Tensor:
    """Return the array whose blocks these are.

    Parameters
    ----------
    blocks : sequence of Tensor
        In C order of their positions.
    sizes : sequence of sequences of int
        The sizes of the blocks along each axis.
    """
    if len(blocks) == 1:
        return blocks[0]
    shape = tuple(map(sum, sizes))
    whole = created("empty", shape, dtype=blocks[0].dtype)
    ranges = [
        [slice(end - size, end) for size, end in zip(row, itertools.accumulate(row), strict=True)]
        for row in sizes
    ]
    for key, block in zip(itertools.product(*ranges), blocks, strict=True):
        whole[key] = block
    return whole


def join(sizes: Any, *blocks: Tensor) -> Tensor:
    """The same with the blocks last."""
    return joined(blocks, sizes)


def part(block: Tensor, key: Any) -> Tensor:
    """Return a part of a block, without the rest of its memory."""
    return one("astype", block[*key, ...], block.dtype)


# ---- creation, where the location of a block is a tuple of slices of the whole array


def _sizes(location: tuple[slice, ...]) -> tuple[int, ...]:
    return tuple(place.stop - place.start for place in location)


def filled_block(location: tuple[slice, ...], value: Any, dtype: np.dtype) -> Tensor:
    return created("full", _sizes(location), value, dtype=dtype)


def range_block(location: tuple[slice], start: Any, step: Any, dtype: np.dtype) -> Tensor:
    """The numbers ``start + step * k`` of a block of `arange`."""
    (place,) = location
    first, last = start + step * place.start, start + step * place.stop
    if isinstance(first, int) and isinstance(step, int) and kind_of(dtype) in "iuf":
        return created("arange", first, last, step, dtype=dtype)
    counted = created("arange", place.start, place.stop, 1, dtype=np.float64)
    return one("astype", counted * step + start, dtype)


def spaced_block(
    location: tuple[slice], start: Any, stop: Any, num: int, dtype: np.dtype, endpoint: bool
) -> Tensor:
    """A block of `linspace`."""
    (place,) = location
    wide = np.dtype(np.complex128 if dtype.kind == "c" else np.float64)
    counted = created("arange", place.start, place.stop, 1, dtype=np.float64)
    counted = one("astype", counted, wide)
    numbers = counted * ((stop - start) / max(num - endpoint, 1)) + start
    if endpoint and place.stop == num > 1:
        numbers[-1] = stop
    if dtype.kind in "iu":
        numbers = one("floor", numbers)
    return one("astype", numbers, dtype)


def eye_block(location: tuple[slice, slice], k: int, dtype: np.dtype) -> Tensor:
    rows, columns = location
    return created("eye", *_sizes(location), k=k + rows.start - columns.start, dtype=dtype)


def frequency_block(
    location: tuple[slice], n: int, d: float, dtype: np.dtype, halved: bool
) -> Tensor:
    """A block of `fftfreq`, or of `rfftfreq`."""
    (place,) = location
    counted = created("arange", place.start, place.stop, 1, dtype=np.float64)
    if not halved:
        counted = one("where", counted > (n - 1) // 2, counted - n, counted)
    return one("astype", counted / (n * d), dtype)


def triangle_block(block: Tensor, location: tuple[slice, ...], name: str, k: int) -> Tensor:
    rows, columns = location[-2:]
    return one(name, block, k=k + rows.start - columns.start)


def broadcast_block(block: Tensor, location: tuple[slice, ...]) -> Tensor:
    return core.broadcast_to(block, _sizes(location))


# ---- writing


def written(block: Tensor, value: Any, key: Any) -> Tensor:
    """Return a block with other elements at a basic index."""
    block = one("astype", block, block.dtype)
    block[key] = value
    return block


def written_at(block: Tensor, value: Tensor, *keys: Any) -> Tensor:
    """The same for any index; its template is last, and its arrays are before that."""
    return written(block, value, filled(keys[-1], keys[:-1]))


# ---- indices


def checked(indices: Tensor, axis: int, size: int, name: str) -> Tensor:
    """Return indices into an axis, counted from 0, as int64; IndexError if one is beyond it."""
    if indices.dtype.kind != "u":
        indices = core.astype(indices, np.dtype(np.int64), False)
        indices = one("where", one("less", indices, 0), one("add", indices, size), indices)
    outside = one("logical_or", one("less", indices, 0), one("greater_equal", indices, size))
    if bool(one("any", outside)):
        raise IndexError(f"{name}: an index is out of bounds for axis {axis} with size {size}")
    return core.astype(indices, np.dtype(np.int64), False)


def taken_block(
    block: Tensor, indices: Tensor, location: tuple[slice, ...], axis: int
) -> tuple[Tensor, Tensor]:
    """Return which of the (checked) indices are in a block, and the elements there."""
    first, last = location[axis].start, location[axis].stop
    here = one("logical_and", one("greater_equal", indices, first), one("less", indices, last))
    found = one("take", block, one("where", here, one("subtract", indices, first), 0), axis=axis)
    return here[(Ellipsis,) + (None,) * (block.ndim - axis - 1)], found


def chosen(partial: Sequence[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Join what was found in several blocks."""
    here, found = partial[0]
    for there, other in partial[1:]:
        found = one("where", there, other, found)
        here = one("logical_or", here, there)
    return here, found


def second(pair: tuple[Tensor, Tensor]) -> Tensor:
    return pair[1]


def linear(*indices: Any) -> Tensor:
    """Return one index into several axes in C order; the last arguments are sizes and a name."""
    *arrays, sizes, name = indices
    found = created("zeros", (), dtype=np.int64)
    for axis, (index, size) in enumerate(zip(arrays, sizes, strict=True)):
        found = one("add", one("multiply", found, size), checked(index, axis, size, name))
    return found


def located(mask: Tensor, location: tuple[slice]) -> Tensor:
    """Return the positions in the whole array of the true elements of a block of one axis."""
    (found,) = one("nonzero", mask)
    return found + location[0].start


def compressed(block: Tensor, mask: Tensor, axis: int) -> Tensor:
    """Return what of a block is where a mask of one axis is true."""
    return block[(slice(None),) * axis + (mask,)]
