"""Sorting, sets, and selecting elements, with NumPy's keywords."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, held, kind_of, write_where
from corepy._cython.cpu.sorting import argpartition as _argpartition
from corepy._cython.cpu.sorting import partition as _partition
from corepy.numpy._arguments import (
    Array,
    Elements,
    IntegerArray,
    Mask,
    Operand,
    RealArray,
    RealArrays,
    Shape,
    array_of,
    ndarray,
    stored,
    takes,
)
from corepy.numpy._grids import unravel_index

__all__ = [
    "argpartition", "argsort", "argwhere", "choose", "compress", "copyto", "extract", "flatnonzero",
    "intersect1d", "isin", "lexsort", "partition", "piecewise", "place", "put", "put_along_axis",
    "putmask", "select", "setdiff1d", "setxor1d", "sort", "take", "take_along_axis", "union1d",
    "unique", "where",
]  # fmt: skip

Kind = Literal["quicksort", "mergesort", "heapsort", "stable"] | None
Numbers = Annotated[ndarray, Elements("biu")]  # of choices
BoolArrays = Annotated[tuple[ndarray, ...], Elements("b", many=True)]


def _has_axis(a: ndarray, axis: int | None) -> bool:
    return axis is None or -a.ndim <= axis < a.ndim


# ---- sorting


def is_stable(kind: str | None, stable: bool | None) -> bool:
    """Return whether equal elements keep their order."""
    return bool(stable) or kind in ("stable", "mergesort")


def has_one_kind(kind: str | None, stable: bool | None, descending: bool | None) -> bool:
    """Return whether an algorithm is not given in two ways."""
    return kind is None or stable is descending is None


@takes(has_one_kind)
def sort(
    a: RealArray,
    axis: int | None = -1,
    kind: Kind = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> Tensor:
    """Sort along an axis. See `numpy.sort`."""
    if descending and kind_of(a) == "f":
        return -sort(-a, axis, stable=stable)  # NaN stays behind numbers
    x, axis = (a.ravel(), 0) if axis is None else (a, axis)
    return xp.sort(x, axis=axis, descending=bool(descending), stable=is_stable(kind, stable))


@takes(has_one_kind)
def argsort(
    a: RealArray,
    axis: int | None = -1,
    kind: Kind = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> Tensor:
    """Find the indices that sort along an axis. See `numpy.argsort`."""
    if descending and kind_of(a) == "f":
        return argsort(-a, axis)
    if axis is None or (a.ndim == 0 and axis in (0, -1)):
        a, axis = a.ravel(), 0
    return xp.argsort(a, axis=axis, descending=bool(descending))


def _can_partition(a: ndarray, kth: Any, axis: int | None) -> bool:
    """Whether there is a kernel; other devices than the CPU sort everything."""
    on_cpu = a.device.backend is cpu
    if not _has_axis(a, axis) or (on_cpu and (axis is None or type(kth) is not int)):
        return False
    size = a.size if axis is None else a.shape[axis]
    return all(-size <= k < size for k in (kth if type(kth) is tuple else (kth,)))


@takes(_can_partition)
def partition(
    a: RealArray,
    kth: Shape,
    axis: int | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> Tensor:
    """Sort as far as some elements are in their places. See `numpy.partition`.

    On other devices than the CPU everything is sorted.
    """
    return _partition(a, kth, axis) if a.device.backend is cpu else sort(a, axis)


@takes(_can_partition)
def argpartition(
    a: RealArray,
    kth: Shape,
    axis: int | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> Tensor:
    """Find the indices of `partition`. See `numpy.argpartition`."""
    return _argpartition(a, kth, axis) if a.device.backend is cpu else argsort(a, axis)


@takes(lambda keys: len(keys) > 0 and keys[0].ndim > 0 and len({key.shape for key in keys}) == 1)
def lexsort(keys: RealArrays, axis: int = -1) -> Tensor:
    """Find the indices that sort by several keys, the last one first. See `numpy.lexsort`."""
    vectors = keys[0].ndim == 1
    order = xp.argsort(keys[0], axis=axis)
    for key in keys[1:]:
        if vectors:
            order = order[xp.argsort(key[order])]
        else:
            key = xp.take_along_axis(key, order, axis=axis)
            order = xp.take_along_axis(order, xp.argsort(key, axis=axis), axis=axis)
    return order


# ---- sets


def _can_be_unique(
    ar: ndarray, return_index: bool, return_inverse: bool, axis: int | None, equal_nan: bool
) -> bool:
    if axis is not None and ar.ndim > 1:
        return ar.size > 0 and _has_axis(ar, axis)
    # In which order NaN are, NumPy leaves open without their indices.
    ordered = equal_nan or return_index or not return_inverse or ar.device.backend is not cpu
    return ordered and _has_axis(ar, axis)


@takes(_can_be_unique)
def unique(
    ar: RealArray,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: Literal[True] = True,
) -> Any:
    """Find the unique elements. See `numpy.unique`."""
    if axis is not None and ar.ndim > 1:
        return _unique_slices(ar, axis, (return_index, return_inverse, return_counts))
    on_cpu = ar.device.backend is cpu
    if not (return_index or return_inverse or return_counts):
        values = xp.unique_values(ar)
        if not on_cpu:  # the order is open there
            values = xp.sort(values)
        return values[: _distinct(values)] if equal_nan else values
    if not (on_cpu and equal_nan):
        return _unique_in_groups(ar, equal_nan, (return_index, return_inverse, return_counts))
    index = inverse = counts = None
    if return_index or (return_inverse and return_counts):
        values, index, inverse, counts = xp.unique_all(ar)
    elif return_inverse:
        values, inverse = xp.unique_inverse(ar)
    else:
        values, counts = xp.unique_counts(ar)
    size = _distinct(values)
    if size < values.size:  # each NaN is an element of its own there
        values = values[:size]
        if index is not None:
            index[size - 1] = index[size - 1 :].min()
            index = index[:size]
        if inverse is not None:
            inverse = xp.minimum(inverse, size - 1)
        if counts is not None:
            counts[size - 1] = counts[size - 1 :].sum()
            counts = counts[:size]
    if inverse is not None:
        inverse = array_of(inverse)
    results = ((return_index, index), (return_inverse, inverse), (return_counts, counts))
    return (values, *[result for wanted, result in results if wanted])


def _unique_in_groups(x: Tensor, equal_nan: bool, wanted: tuple[bool, ...]) -> tuple[Tensor, ...]:
    """Find the unique elements of a sorted copy, with the results of `_groups`."""
    flat = x.ravel()
    order = xp.argsort(flat)
    line = flat[order]
    changes = line[1:] != line[:-1]
    if equal_nan and kind_of(x) == "f":
        changes = changes & ((line[1:] == line[1:]) | (line[:-1] == line[:-1]))
    places, results = _groups(order, changes, x.shape, wanted)
    return (line[places], *results)


def _unique_slices(x: Tensor, axis: int, wanted: tuple[bool, ...]) -> Any:
    """Find the unique slices along an axis, of which those with NaN differ from all others."""
    moved = xp.moveaxis(x, axis, 0)
    rows = moved.reshape((moved.shape[0], -1))
    order = lexsort(tuple(rows.T[::-1]))
    rows = rows[order]
    changes = (rows[1:] != rows[:-1]).any(axis=1)
    places, results = _groups(order, changes, order.shape, wanted)
    values = xp.moveaxis(moved[order[places]], 0, axis)
    return (values, *results) if results else values


def _groups(
    order: Tensor, changes: Tensor, shape: tuple[int, ...], wanted: tuple[bool, ...]
) -> tuple[Tensor, list[Tensor]]:
    """Return where groups of equal elements start in a sorted tensor, and what `unique` returns.

    `order` sorted it, `changes` tells, from the second element on, which differ from the one
    before, `shape` is that of the inverse, and `wanted` has the flags of `unique`.
    """
    index, inverse, counts = wanted
    starts = xp.concat([xp.ones(min(order.size, 1), dtype=bool, device=order.device), changes])
    (places,) = xp.nonzero(starts)
    results = [order[places]] if index else []
    if inverse:
        number = xp.cumulative_sum(xp.astype(starts, order.dtype)) - 1
        results.append(number[xp.argsort(order)].reshape(shape))
    if counts:
        end = xp.asarray([order.size], dtype=places.dtype, device=places.device)
        results.append(xp.diff(xp.concat([places, end])))
    return places, results


def _distinct(values: Tensor) -> int:
    """Return the number of sorted unique elements, where all NaN count one."""
    size = values.size
    if kind_of(values) == "f" and size > 1:
        last = values[-2]
        if last != last:
            return size - int(xp.count_nonzero(values != values)) + 1
    return size


def intersect1d(
    ar1: RealArray,
    ar2: RealArray,
    assume_unique: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor:
    """Find the elements that are in both arrays. See `numpy.intersect1d`."""
    rounded = _is_rounded(ar1, ar2)
    x, y = _sets(ar1, ar2, assume_unique)
    if rounded:
        return xp.sort(x[xp.isin(x, y)], stable=False).astype(np.float64)
    both = xp.sort(xp.concat((x, y)), stable=False)
    return both[:-1][both[1:] == both[:-1]]


def _is_rounded(x: Tensor, y: Tensor) -> bool:
    """Return whether integers are joined as float64: int64 and uint64."""
    return {x.dtype.kind, y.dtype.kind} == {"i", "u"} and xp.result_type(x, y) == np.float64


def _sets(x: Any, y: Any, assume_unique: bool) -> tuple[Tensor, Tensor]:
    """Return the elements of two arrays, each once."""
    return (x.ravel(), y.ravel()) if assume_unique else (unique(x), unique(y))


def union1d(ar1: RealArray, ar2: RealArray) -> Tensor:
    """Find the elements that are in one of two arrays. See `numpy.union1d`."""
    return unique(xp.concat((ar1.ravel(), ar2.ravel())))


def setdiff1d(ar1: RealArray, ar2: Array, assume_unique: bool = False) -> Tensor:
    """Find the elements of one array that another does not have. See `numpy.setdiff1d`."""
    x = ar1.ravel() if assume_unique else unique(ar1)
    return x[xp.isin(x, ar2, invert=True)]


def setxor1d(ar1: RealArray, ar2: RealArray, assume_unique: bool = False) -> Tensor:
    """Find the elements that are in just one of two arrays. See `numpy.setxor1d`."""
    rounded = _is_rounded(ar1, ar2)
    x, y = _sets(ar1, ar2, assume_unique)
    if rounded:
        alone = xp.concat((x[xp.isin(x, y, invert=True)], y[xp.isin(y, x, invert=True)]))
        return xp.sort(alone, stable=False)
    both = xp.sort(xp.concat((x, y)), stable=False)
    if both.size < 2:
        return both
    changes = both[1:] != both[:-1]
    start = xp.ones(1, dtype=np.bool, device=both.device)
    changes = xp.concat((start, changes, start))
    return both[changes[1:] & changes[:-1]]


def isin(
    element: Array,
    test_elements: Array,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: None = None,
) -> Tensor:
    """Test which elements another array has. See `numpy.isin`."""
    return xp.isin(element, test_elements, invert=invert)


# ---- where elements are


def flatnonzero(a: Array) -> Tensor:
    """Find the indices into the flat array of what is not zero. See `numpy.flatnonzero`."""
    return xp.nonzero(a if a.ndim == 1 else a.ravel())[0]


def argwhere(a: Array) -> Tensor:
    """Find the indices of the elements that are not zero, in rows. See `numpy.argwhere`."""
    if a.ndim == 0:
        return argwhere(a.ravel())[:, :0]
    if a.ndim == 1:
        return xp.nonzero(a)[0][:, None]
    return xp.stack(xp.nonzero(a)).T


# ---- selecting


def where(condition: Array, x: None = None, y: None = None, /) -> tuple[Tensor, ...]:
    """Find the indices of the elements that are not zero. See `numpy.where`."""
    return xp.nonzero(condition)


def extract(condition: Array, arr: Array) -> Tensor:
    """Select the elements where a condition is True. See `numpy.extract`."""
    mask, x = _mask(condition).ravel(), arr.ravel()
    return x[mask] if mask.size == x.size else xp.take(x, xp.nonzero(mask)[0])


def _mask(x: Tensor) -> Any:
    return x if x.dtype.kind == "b" else x != 0


def _can_select(a: ndarray, axis: int | None, out: Tensor | None) -> bool:
    """Whether there is the axis, and `out` holds the elements without a deprecated cast."""
    castable = out is None or np.can_cast(a.dtype, out.dtype, "same_kind")
    return castable and _has_axis(a, axis)


@takes(lambda condition, a, axis, out: condition.ndim == 1 and _can_select(a, axis, out))
def compress(
    condition: Array, a: Array, axis: int | None = None, out: Tensor | None = None
) -> Tensor:
    """Select slices where a condition is True. See `numpy.compress`."""
    mask = _mask(condition)
    x: Any = a.ravel() if axis is None else a
    found = x[mask] if mask.shape == x.shape else take(x, xp.nonzero(mask)[0], axis or 0)
    return stored(found, out)


@takes(_can_select)
def take(
    a: Array,
    indices: IntegerArray,
    axis: int | None = None,
    out: Tensor | None = None,
    mode: Literal["raise", "wrap", "clip"] = "raise",
) -> Tensor:
    """Select slices along an axis. See `numpy.take`."""
    x, axis = (a.ravel(), 0) if axis is None else (a, axis)
    if mode != "raise" or not a.size:  # NumPy checks no indices if there are no elements before
        mode = "clip" if 0 in x.shape[:axis] else mode
        indices = _within("take", indices, x.shape[axis], mode)
    return stored(xp.take(x, indices, axis=axis), out)


def _within(name: str, indices: Tensor, size: int, mode: str) -> Tensor:
    """Return indices, those out of range changed as a mode says; with "raise" they stay."""
    if not size and indices.size:
        raise IndexError(f"{name}: indices must be empty for an axis of size 0")
    if mode == "raise" or not size:
        return indices
    indices = xp.astype(indices, np.int64, copy=False)
    return indices % size if mode == "wrap" else xp.clip(indices, 0, size - 1)


@takes(lambda indices, axis: axis is None and indices.ndim == 1)
def take_along_axis(arr: Array, indices: IntegerArray, axis: int | None = -1) -> Tensor:
    """Select elements of the flat array. See `numpy.take_along_axis`."""
    return xp.take(arr.ravel(), indices)


def _is_operand(value: Any) -> bool:
    if type(value) in (bool, int, float, complex):  # which do not decide about the dtype
        return True
    return isinstance(value, (Tensor, np.ndarray, np.generic)) and held(value) is not None


def _are_operands(values: Any) -> bool:
    if isinstance(values, Tensor):
        return values.ndim > 0
    return type(values) in (list, tuple) and all(map(_is_operand, values))


@takes(
    lambda condlist, choicelist: _are_operands(choicelist) and 0 < len(condlist) == len(choicelist)
)
def select(condlist: BoolArrays, choicelist: Any, default: Operand = 0) -> Tensor:
    """Choose elements of the first array whose condition is True. See `numpy.select`."""
    result: Any = default
    dtype = xp.result_type(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = xp.where(condition, choice, result)
    return array_of(result if result.dtype == dtype else xp.astype(result, dtype))


@takes(lambda choices: _are_operands(choices) and 1 < len(choices) <= 8)
def choose(
    a: Numbers,
    choices: Any,
    out: Tensor | None = None,
    mode: Literal["raise", "wrap", "clip"] = "raise",
) -> Tensor:
    """Choose elements of the arrays with the numbers in `a`. See `numpy.choose`."""
    count, dtype = len(choices), xp.result_type(*choices)
    numbers: Any = _within("choose", a, count, mode)
    values = [xp.astype(x, dtype) if isinstance(x, Tensor) else x for x in choices]
    result = values[0]
    for k, value in enumerate(values[1:], 1):
        result = xp.where(numbers == k, value, result)
    if mode == "raise" and result.size and (numbers.min() < 0 or numbers.max() >= count):
        raise ValueError(f"choose: elements of a must be from 0 to {count - 1}, with mode='raise'")
    return stored(result, out, casting="unsafe")


def _has_pieces(x: ndarray, condlist: tuple[ndarray, ...], funclist: Any) -> bool:
    return (
        x.ndim > 0
        and len(condlist) > 0
        and all(condition.shape == x.shape for condition in condlist)
        and type(funclist) in (list, tuple)
        and len(funclist) - len(condlist) in (0, 1)
    )


@takes(_has_pieces)
def piecewise(x: Array, condlist: BoolArrays, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """Apply a function to the elements where its condition is True. See `numpy.piecewise`."""
    conditions: list[Any] = list(condlist)
    if len(funclist) > len(conditions):
        conditions.append(~xp.any(xp.stack(conditions), axis=0))
    result = xp.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if callable(function):
            values = x[condition]
            if values.size:
                result[condition] = function(values, *args, **kw)
        else:
            result[condition] = function
    return result


# ---- writing


# Up to this number of elements calls cost more than the work.
_FEW = 500


def _can_cast(a: Tensor, values: Any, casting: Any) -> bool:
    if isinstance(values, Tensor):
        return values.dtype is a.dtype or np.can_cast(values.dtype, a.dtype, casting)
    return casting == "unsafe" or a.dtype.kind in ("iufc" if isinstance(values, int) else "fc")


def copyto(
    dst: Tensor,
    src: Array | float,
    casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"] = "same_kind",
    where: Mask = True,
) -> None:
    """Copy values into an array. See `numpy.copyto`."""
    same = isinstance(src, Tensor) and src.dtype is dst.dtype
    if not same and not _can_cast(dst, src, casting):
        given = src.dtype if isinstance(src, Tensor) else type(src).__name__
        raise TypeError(f"copyto: {given} is not cast to {dst.dtype} with casting={casting!r}")
    if where is True:
        dst[...] = src
    elif write_where(dst, where, src):
        return
    elif dst.size <= _FEW and (same or not isinstance(src, Tensor)):
        dst[...] = xp.where(where, src, dst)  # one pass takes less time than two over parts
    else:
        mask = where if where.shape == dst.shape else xp.broadcast_to(where, dst.shape)
        if isinstance(src, Tensor) and src.ndim:
            src = xp.broadcast_to(src, dst.shape)[mask]
        dst[mask] = src


def _can_fill(a: Tensor, values: Any) -> bool:
    return not isinstance(values, Tensor) or _can_cast(a, values, "safe")


@takes(_can_fill)
def putmask(a: Tensor, /, mask: Array, values: Array | float) -> None:
    """Write values where a mask is True. See `numpy.putmask`."""
    where = _mask_for(a, mask)
    if isinstance(values, Tensor) and values.shape == a.shape:
        values = values[where]
    elif isinstance(values, Tensor) and values.ndim:
        if not values.size:
            return
        values = xp.take(values.ravel(), xp.nonzero(where.ravel())[0] % values.size)
    a[where] = values


@takes(lambda arr, vals: _can_fill(arr, vals))
def place(arr: Tensor, mask: Array, vals: Array | float) -> None:
    """Write values, in turn, where a mask is True. See `numpy.place`."""
    where = _mask_for(arr, mask)
    if isinstance(vals, Tensor) and vals.size != 1:
        count = int(xp.count_nonzero(where))
        if count and not vals.size:
            raise ValueError("place: vals must have elements, as there are some to write")
        vals = _in_turn(vals, count)
    arr[where] = vals


def _mask_for(a: Any, mask: Any) -> Any:
    return _mask(mask if mask.shape == a.shape else mask.reshape(a.shape))


def _in_turn(values: Tensor, count: int) -> Tensor:
    """Return a number of elements: the first ones, or all again and again."""
    values = values.ravel()[:count]
    if values.size < count:
        values = xp.take(values, xp.arange(count, device=values.device) % values.size)
    return values


# Index assignment refuses complex numbers for bools, which NumPy takes.
@takes(lambda a, v: a.ndim > 0 and (type(v) is not complex or a.dtype.kind != "b"))
def put(
    a: Tensor, ind: IntegerArray, v: Operand, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> None:
    """Write values at indices of the flat array. See `numpy.put`."""
    size = a.size
    where: Any = ind.ravel()
    if mode != "raise" or not size:
        where = _within("put", where, size, mode)
    if isinstance(v, Tensor) and v.size != 1:
        if not (v.size and where.size):
            return
        v = _in_turn(v, where.size)
    if a.ndim > 1 and where.size:
        where = xp.astype(where, np.int64, copy=False)
        if mode == "raise" and (where.min() < -size or where.max() >= size):
            raise IndexError(f"put: indices must be from {-size} to {size - 1}")
        where = unravel_index(where % size, a.shape)
    a[where] = v


@takes(
    lambda arr, indices, values, axis: (
        indices.ndim == arr.ndim
        and -arr.ndim <= axis < arr.ndim
        and (type(values) is not complex or arr.dtype.kind != "b")
    )
)
def put_along_axis(arr: Tensor, indices: IntegerArray, values: Operand, axis: int) -> None:
    """Write an element for each index along an axis. See `numpy.put_along_axis`."""
    key: list[Any] = [
        xp.reshape(xp.arange(size, device=arr.device), (-1,) + (1,) * (arr.ndim - k - 1))
        for k, size in enumerate(arr.shape)
    ]
    key[axis] = indices
    arr[tuple(key)] = values
