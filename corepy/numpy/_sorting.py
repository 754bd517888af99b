"""Sorting, sets, and selecting elements, with NumPy's keywords."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu, write_where
from corepy._cython.cpu.sorting import argpartition as _argpartition
from corepy._cython.cpu.sorting import partition as _partition
from corepy.numpy._arguments import Forward, array_of, items_of, pair, stored, tensor, tensors
from corepy.numpy._grids import unravel_index

__all__ = [
    "argpartition", "argsort", "argwhere", "choose", "compress", "copyto", "extract", "flatnonzero",
    "intersect1d", "isin", "lexsort", "nonzero", "partition", "piecewise", "place", "put",
    "put_along_axis", "putmask", "select", "setdiff1d", "setxor1d", "sort", "take",
    "take_along_axis", "union1d", "unique", "where",
]  # fmt: skip

# Up to this number of elements calls cost more than the work.
_FEW = 500
_KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")


# ---- sorting


def sort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Tensor:
    """Sort along an axis. See `numpy.sort`."""
    x, axis, stable = _to_sort(a, axis, kind, order, stable)
    return xp.sort(x, axis=axis, stable=stable)


def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Tensor:
    """Find the indices that sort along an axis. See `numpy.argsort`."""
    x, axis, _ = _to_sort(a, axis, kind, order, stable)
    return xp.argsort(x, axis=axis)


def _to_sort(a: Any, axis: Any, kind: Any, order: Any, stable: Any) -> tuple[Tensor, int, bool]:
    if order is not None or kind not in _KINDS or (kind is not None and stable is not None):
        raise Forward
    x = tensor(a)
    if axis is None:
        x, axis = x.ravel(), -1
    return x, axis, kind in ("stable", "mergesort") or bool(stable)


def partition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Tensor:
    """Sort as far as some elements are in their places. See `numpy.partition`.

    On the CPU it is NumPy's. On other devices everything is sorted.
    """
    if (
        isinstance(a, Tensor)
        and type(kth) is type(axis) is int
        and kind == "introselect"
        and not order
    ):
        result = _partition(a, kth, axis)
        if result is not None:
            return result
    return sort(_to_partition(a, kth, axis, kind), axis, None, order)


def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Tensor:
    """Find the indices of `partition`. See `numpy.argpartition`."""
    if (
        isinstance(a, Tensor)
        and type(kth) is type(axis) is int
        and kind == "introselect"
        and not order
    ):
        result = _argpartition(a, kth, axis)
        if result is not None:
            return result
    return argsort(_to_partition(a, kth, axis, kind), axis, None, order)


def _to_partition(a: Any, kth: Any, axis: Any, kind: Any) -> Tensor:
    x = tensor(a)
    if kind != "introselect" or x.device.backend is cpu:
        raise Forward
    size = x.size if axis is None else x.shape[axis]
    for k in kth if type(kth) in (list, tuple) else (kth,):
        if type(k) is not int or not -size <= k < size:
            raise Forward
    return x


def lexsort(keys: Any, axis: Any = -1) -> Tensor:
    """Find the indices that sort by several keys, the last one first. See `numpy.lexsort`."""
    columns = tuple(keys)
    for key in columns:
        if not isinstance(key, Tensor):
            columns = tensors(*columns)
            break
    if not columns or type(axis) is not int:
        raise Forward
    shape = columns[0].shape
    if not shape:
        raise Forward
    vectors = len(shape) == 1
    order = xp.argsort(columns[0], axis=axis)
    for column in columns[1:]:
        if column.shape != shape:
            raise Forward
        if vectors:
            order = order[xp.argsort(column[order])]
        else:
            column = xp.take_along_axis(column, order, axis=axis)
            order = xp.take_along_axis(order, xp.argsort(column, axis=axis), axis=axis)
    return order


# ---- sets


def unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,
) -> Any:
    """Find the unique elements. See `numpy.unique`."""
    x = tensor(ar)
    if not sorted or x.dtype.kind == "c":
        return NotImplemented
    on_cpu = x.device.backend is cpu
    if axis is not None:
        return _unique_slices(x, axis, return_index, return_inverse, return_counts)
    if not (return_index or return_inverse or return_counts):
        values = xp.unique_values(x)
        if not on_cpu:  # the order is open there
            values = xp.sort(values)
        return values[: _distinct(values)] if equal_nan else values
    if not on_cpu:
        return _unique_elsewhere(x, equal_nan, return_index, return_inverse, return_counts)
    index = inverse = None
    if return_index:
        values, index, inverse, counts = xp.unique_all(x)
    elif not return_inverse:
        values, counts = xp.unique_counts(x)
    elif not return_counts:
        values, inverse = xp.unique_inverse(x)
        counts = None
    else:
        values, _, inverse, counts = xp.unique_all(x)
    size = _distinct(values)
    if not equal_nan and size < values.size:
        raise Forward  # in which order they are, NumPy leaves open
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


def _unique_elsewhere(x: Tensor, equal_nan: Any, index: Any, inverse: Any, counts: Any) -> Any:
    """Find the unique elements on another device than the CPU."""
    flat = x.ravel()
    order = xp.argsort(flat)
    line = flat[order]
    changes = line[1:] != line[:-1]
    if equal_nan and x.dtype.kind == "f":
        changes = changes & ((line[1:] == line[1:]) | (line[:-1] == line[:-1]))
    places, results = _groups(order, changes, x.shape, index, inverse, counts)
    return (line[places], *results)


def _unique_slices(x: Tensor, axis: Any, index: Any, inverse: Any, counts: Any) -> Any:
    """Find the unique slices along an axis."""
    if type(axis) is not int or not -x.ndim <= axis < x.ndim or not x.size:
        raise Forward
    moved = xp.moveaxis(x, axis, 0)
    rows = moved.reshape((moved.shape[0], -1))
    if x.dtype.kind == "f" and (rows != rows).any():
        raise Forward  # NumPy's order of slices with NaN
    order = lexsort(tuple(rows.T[::-1]))
    rows = rows[order]
    changes = (rows[1:] != rows[:-1]).any(axis=1)
    places, results = _groups(order, changes, order.shape, index, inverse, counts)
    values = xp.moveaxis(moved[order[places]], 0, axis)
    return (values, *results) if results else values


def _groups(
    order: Tensor,
    changes: Tensor,
    shape: tuple[int, ...],
    index: Any,
    inverse: Any,
    counts: Any,
) -> tuple[Tensor, list[Tensor]]:
    """Describe the groups of equal elements of a sorted tensor.

    Parameters
    ----------
    order : Tensor
        The indices that sorted it, those of equal elements in order.
    changes : Tensor
        Whether an element differs from the one before it, from the second one on.
    shape : tuple of int
        Of the inverse.
    index, inverse, counts : bool
        Which results `unique` returns.

    Returns
    -------
    tuple
        Where groups start, and the results.
    """
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
    if values.dtype.kind == "f" and size > 1:
        last = values[-2]
        if last != last:
            return size - int(xp.count_nonzero(values != values)) + 1
    return size


def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """Find the elements that are in both arrays. See `numpy.intersect1d`."""
    x, y = pair(ar1, ar2)
    if return_indices:
        raise Forward
    rounded = _is_rounded(x, y)
    if assume_unique:
        x, y = x.ravel(), y.ravel()
    else:
        x, y = unique(x), unique(y)
    if rounded:
        return xp.sort(x[xp.isin(x, y)], stable=False).astype(np.float64)
    both = xp.sort(xp.concat((x, y)), stable=False)
    return both[:-1][both[1:] == both[:-1]]


def _is_rounded(x: Tensor, y: Tensor) -> bool:
    """Return whether integers are joined as float64: int64 and uint64."""
    return {x.dtype.kind, y.dtype.kind} == {"i", "u"} and xp.result_type(x, y) == np.float64


def union1d(ar1: Any, ar2: Any) -> Tensor:
    """Find the elements that are in one of two arrays. See `numpy.union1d`."""
    x, y = pair(ar1, ar2)
    return unique(xp.concat((x.ravel(), y.ravel())))


def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Tensor:
    """Find the elements of one array that another does not have. See `numpy.setdiff1d`."""
    x, y = pair(ar1, ar2)
    x = x.ravel() if assume_unique else unique(x)
    return x[xp.isin(x, y, invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Tensor:
    """Find the elements that are in just one of two arrays. See `numpy.setxor1d`."""
    x, y = pair(ar1, ar2)
    rounded = _is_rounded(x, y)
    if assume_unique:
        x, y = x.ravel(), y.ravel()
    else:
        x, y = unique(x), unique(y)
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
    element: Any,
    test_elements: Any,
    assume_unique: Any = False,
    invert: Any = False,
    *,
    kind: Any = None,
) -> Tensor:
    """Test which elements another array has. See `numpy.isin`."""
    if kind is not None or isinstance(test_elements, (set, frozenset)):
        raise Forward
    x, y = pair(element, test_elements)
    return array_of(xp.isin(x, y, invert=bool(invert)))


# ---- where elements are


def nonzero(a: Any) -> tuple[Tensor, ...]:
    """Find the indices of the elements that are not zero. See `numpy.nonzero`."""
    return xp.nonzero(tensor(a))


def flatnonzero(a: Any) -> Tensor:
    """Find the indices into the flat array of what is not zero. See `numpy.flatnonzero`."""
    x = tensor(a)
    return xp.nonzero(x if x.ndim == 1 else x.ravel())[0]


def argwhere(a: Any) -> Tensor:
    """Find the indices of the elements that are not zero, in rows. See `numpy.argwhere`."""
    x = tensor(a)
    if x.ndim == 1:
        return xp.nonzero(x)[0][:, None]
    if x.ndim == 0:
        raise Forward
    return xp.stack(xp.nonzero(x)).T


# ---- selecting


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Choose elements of two arrays, or find those that are not zero. See `numpy.where`."""
    condition = tensor(condition)
    if x is None and y is None:
        return xp.nonzero(condition)
    if x is None or y is None:
        raise Forward
    if condition.dtype.kind != "b":
        condition = condition != 0
    return array_of(xp.where(condition, _choice(x, condition), _choice(y, condition)))


def _choice(value: Any, like: Tensor) -> Any:
    """Return an operand; Python scalars stay, as they do not promote the others."""
    return value if type(value) in (int, float, complex) else tensor(value, like)


def extract(condition: Any, arr: Any) -> Tensor:
    """Select the elements where a condition is True. See `numpy.extract`."""
    mask, x = pair(condition, arr)
    return x.ravel()[_mask(mask).ravel()]


def _mask(x: Tensor) -> Tensor:
    return x if x.dtype.kind == "b" else x != 0


def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Tensor:
    """Select slices where a condition is True. See `numpy.compress`."""
    mask, x = pair(condition, a)
    mask = _mask(mask)
    if axis is None:
        x, axis = x.ravel(), 0
    if mask.ndim != 1:
        raise Forward
    if axis == 0 and mask.shape == x.shape:
        return stored(x[mask], out)
    return stored(xp.take(x, xp.nonzero(mask)[0], axis=axis), out)


def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Tensor:
    """Select slices along an axis. See `numpy.take`."""
    x, where = pair(a, indices)
    if where.dtype.kind != "i":
        if where.dtype.char not in "bBHI?":
            raise Forward  # not safely an index
        where = where.astype(np.int64)
    if axis is None:
        x, axis = x.ravel(), 0
    if mode == "wrap" or mode == "clip":
        size = x.shape[axis]
        if not size:
            raise Forward
        if where.dtype != np.int64:
            where = where.astype(np.int64)
        where = where % size if mode == "wrap" else xp.clip(where, 0, size - 1)
    elif mode != "raise":
        raise Forward
    return stored(xp.take(x, where, axis=axis), out)


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Tensor:
    """Select an element for each index along an axis. See `numpy.take_along_axis`."""
    x, where = pair(arr, indices)
    if axis is None:
        if where.ndim != 1:
            raise Forward
        x, axis = x.ravel(), 0
    return xp.take_along_axis(x, where, axis=axis)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """Choose elements of the first array whose condition is True. See `numpy.select`."""
    if not condlist or len(condlist) != len(choicelist):
        raise Forward
    conditions = tensors(*condlist)
    choices = [_choice(choice, conditions[0]) for choice in choicelist]
    result = _choice(default, conditions[0])
    dtype = xp.result_type(*choices, result)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        if condition.dtype.kind != "b":
            raise Forward
        result = xp.where(condition, choice, result)
    return array_of(result if result.dtype == dtype else xp.astype(result, dtype))


def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Tensor:
    """Choose elements of the arrays with the numbers in `a`. See `numpy.choose`."""
    choices = items_of(choices, 8)
    number = tensor(a, next((value for value in choices if isinstance(value, Tensor)), None))
    values = [_choice(choice, number) for choice in choices]
    if mode != "raise" or not 1 < len(values) <= 8 or not number.size:
        raise Forward
    if number.dtype.kind not in "biu" or number.min() < 0 or number.max() >= len(values):
        raise Forward
    result = values[0]
    for k, value in enumerate(values[1:], 1):
        result = xp.where(number == k, value, result)
    dtype = xp.result_type(*values)
    return stored(result if result.dtype == dtype else xp.astype(result, dtype), out)


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """Apply a function to the elements where its condition is True. See `numpy.piecewise`."""
    x = tensor(x)
    if type(condlist) not in (list, tuple) or not x.ndim:
        raise Forward
    conditions = [tensor(condition, x) for condition in condlist]
    if not conditions or any(c.dtype.kind != "b" or c.shape != x.shape for c in conditions):
        raise Forward
    if len(funclist) == len(conditions) + 1:
        rest = conditions[0]
        for condition in conditions[1:]:
            rest = rest | condition
        conditions.append(~rest)
    elif len(funclist) != len(conditions):
        raise Forward
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


def _to_write(a: Any, values: Any) -> Any:
    """Return values for a tensor to write to, if they are of its dtype."""
    if not isinstance(a, Tensor):
        raise Forward
    kind = a.dtype.kind
    if type(values) is float and kind in "fc":
        return values
    if type(values) is int and kind in "iufc":
        if kind in "iu" and not np.iinfo(a.dtype).min <= values <= np.iinfo(a.dtype).max:
            raise Forward
        return values
    values = tensor(values, a)
    if values.dtype is not a.dtype and values.dtype != a.dtype:
        raise Forward
    return values


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Copy values into an array. See `numpy.copyto`."""
    plain = isinstance(src, Tensor) and isinstance(dst, Tensor) and src.dtype is dst.dtype
    values = src if plain else _to_write(dst, src)
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
        raise Forward
    if where is True:
        dst[...] = values
        return
    mask = tensor(where, dst)
    if mask.dtype.kind != "b" or mask.shape != dst.shape:
        raise Forward
    if write_where(dst, mask, values):
        return
    if dst.size <= _FEW:  # one pass over everything takes less time than two over parts
        dst[...] = xp.where(mask, values, dst)
        return
    if isinstance(values, Tensor) and values.ndim:
        if values.shape != dst.shape:
            values = xp.broadcast_to(values, dst.shape)
        values = values[mask]
    dst[mask] = values


def putmask(a: Any, /, mask: Any, values: Any) -> None:
    """Write values where a mask is True. See `numpy.putmask`."""
    values = _to_write(a, values)
    where = _mask(tensor(mask, a))
    if where.shape != a.shape:
        raise Forward
    if isinstance(values, Tensor) and values.ndim:
        if values.shape != a.shape:
            raise Forward
        values = values[where]
    a[where] = values


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Write values, in turn, where a mask is True. See `numpy.place`."""
    values = _to_write(arr, vals)
    where = _mask(tensor(mask, arr))
    if where.shape != arr.shape:
        raise Forward
    if isinstance(values, Tensor) and values.size != 1:
        count = int(xp.count_nonzero(where))
        if values.size < count:
            raise Forward
        values = values.ravel()[:count]
    elif isinstance(values, Tensor):
        values = values.ravel()[0]
    arr[where] = values


def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Write values at indices of the flat array. See `numpy.put`."""
    values = _to_write(a, v)
    where = tensor(ind, a)
    if mode != "raise" or where.dtype.kind != "i":
        raise Forward
    where = where.ravel()
    if a.ndim != 1 and where.size:
        if where.min() < -a.size or where.max() >= a.size:
            raise Forward
        where = where % a.size
    if isinstance(values, Tensor) and values.ndim:
        values = values.ravel()
        if values.size < where.size:
            raise Forward
        values = values[: where.size]
    a[where if a.ndim == 1 else unravel_index(where, a.shape)] = values


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """Write an element for each index along an axis. See `numpy.put_along_axis`."""
    values = _to_write(arr, values)
    where = tensor(indices, arr)
    if type(axis) is not int or not -arr.ndim <= axis < arr.ndim or where.dtype.kind != "i":
        raise Forward
    if where.ndim != arr.ndim:
        raise Forward
    axis %= arr.ndim
    key = [
        xp.reshape(xp.arange(size, device=arr.device), (-1,) + (1,) * (arr.ndim - k - 1))
        for k, size in enumerate(arr.shape)
    ]
    key[axis] = where
    arr[tuple(key)] = values
