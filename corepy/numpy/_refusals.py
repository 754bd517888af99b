"""Arguments that NumPy's functions end the process for: they are refused, or replaced by others of
the same meaning, before a call of NumPy's.

A check takes the arguments of a call, and returns them converted, because NumPy converts an object
again and may get something else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

_Call = tuple[tuple[Any, ...], dict[str, Any]]
_LARGEST = sys.maxsize
#: Axes that iterators of NumPy's `ufunc.at` have memory for.
_MOST_AXES = 32


def _scan(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
    """Refuse an `out` without axes."""
    out = args[3] if len(args) > 3 else kwargs.get("out")
    if isinstance(out, tuple):
        (out,) = out if len(out) == 1 else (None,)
    if out is not None and np.ndim(out) == 0:
        raise ValueError(f"{name}: out must have the shape of the result, got shape ()")
    return args, kwargs


def _repeat(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
    """Refuse numbers whose sum NumPy does not check."""
    values = dict(zip(("a", "repeats", "axis"), args, strict=False)) | kwargs
    if "repeats" not in values or "a" not in values:
        return args, kwargs  # an error of NumPy's
    x, axis = np.atleast_1d(np.asanyarray(values["a"])), values.get("axis")
    counts = np.asarray(values["repeats"])
    if counts.dtype.kind == "O":
        counts = np.array([index(item) for item in counts.ravel()], object)
    elif counts.dtype.kind not in "biu":
        return args, kwargs
    axis = None if axis is None else index(axis)
    if axis is not None and not -x.ndim <= axis < x.ndim:
        return args, kwargs
    size = x.size if axis is None else x.shape[axis]
    total = sum(map(int, counts.ravel())) * (size if counts.size == 1 else 1)
    if total * (1 if axis is None else x.size // max(size, 1)) * x.itemsize > _LARGEST:
        raise ValueError(f"{name}: {total} repeated elements are too many for an array")
    if counts.dtype.kind == "O":
        counts = counts.astype(np.intp)
    changed = {"a": values["a"], "repeats": counts, "axis": axis}
    return tuple(changed[key] for key, _ in zip(changed, args, strict=False)), {
        key: changed.get(key, value) for key, value in kwargs.items()
    }


def _at(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
    """Refuse an index with more axes than iterators of NumPy have."""
    if len(args) < 2:
        return args, kwargs  # an error of NumPy's
    key = args[1]
    items = [_index(item) for item in (key if isinstance(key, tuple) else (key,))]
    arrays = [item for item in items if isinstance(item, np.ndarray)]
    taken = sum(item.ndim if item.dtype == bool else 1 for item in arrays)
    taken += sum(isinstance(item, int) for item in items)
    axes = max(np.ndim(args[0]) - taken, 0) + sum(item is None for item in items)
    axes += max((1 if item.dtype == bool else item.ndim for item in arrays), default=0)
    axes = max(axes, np.ndim(args[0]))
    if axes > _MOST_AXES:
        raise ValueError(f"{name}: an index can have at most {_MOST_AXES} axes, got {axes}")
    return (args[0], tuple(items) if isinstance(key, tuple) else items[0], *args[2:]), kwargs


def _index(item: Any) -> Any:
    """Return an item of an index as NumPy reads it: an array (of a bool, too), or what it is."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if hasattr(type(item), "__index__") and not isinstance(item, bool) and not np.ndim(item):
        return index(item)
    return np.asarray(item)


def _mode(position: int) -> Callable[[str, tuple[Any, ...], dict[str, Any]], _Call]:
    """Refuse a mode, at a position of the arguments, that is an integer without a meaning: NumPy
    goes on with an error set.
    """

    def check(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        mode = args[position] if len(args) > position else kwargs.get("mode", "raise")
        if isinstance(mode, str) or not hasattr(mode, "__index__"):
            return args, kwargs
        mode = index(mode)
        if mode not in range(3):
            raise ValueError(f"{name}: mode must be 'raise', 'wrap' or 'clip', got {mode}")
        if len(args) > position:
            return (*args[:position], mode, *args[position + 1 :]), kwargs
        return args, kwargs | {"mode": mode}

    return check


def _comparison(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
    """Compare an integer as an object where there is a mask: NumPy's loop for a number beyond the
    dtype of the other operand reads data that were never made (numpy#28117).
    """
    numbers = [isinstance(x, int) and not isinstance(x, bool) for x in args[:2]]
    if kwargs.get("where", True) is True or sum(numbers) != 1 or len(args) < 2:
        return args, kwargs
    number = numbers.index(True)
    other = np.asanyarray(args[1 - number])
    if other.dtype.kind not in "iu":
        return args, kwargs
    operands = (np.asarray(args[number], object), other)
    return (operands[number], operands[1 - number], *args[2:]), kwargs


#: The check of a function or method of NumPy's, by its name.
REFUSALS = {
    **dict.fromkeys(
        ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"), _comparison
    ),
    "accumulate": _scan,
    "at": _at,
    "choose": _mode(3),
    "cumprod": _scan,
    "cumsum": _scan,
    "cumulative_prod": _scan,
    "cumulative_sum": _scan,
    "nancumprod": _scan,
    "nancumsum": _scan,
    "put": _mode(3),
    "ravel_multi_index": _mode(2),
    "repeat": _repeat,
    "take": _mode(4),
}
