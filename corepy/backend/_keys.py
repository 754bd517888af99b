"""Indices of tensors, as NumPy takes them, for backends with indexing of their own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from corepy._cython import core
from corepy._cython.core import Tensor
from corepy.backend.corrections.indexing import expanded


def items_of(
    function: str, x: Tensor, key: Any, native: Callable[[Tensor | np.ndarray], Any]
) -> list[Any]:
    """Return an index as integers, slices, None and native arrays, an item for each axis; with an
    Ellipsis of no axes where it separates arrays.

    Parameters
    ----------
    function : str
        The function that is named in errors.
    x : Tensor
        What is indexed.
    key : object
        The index, as NumPy takes it.
    native : callable
        Makes native arrays, with `dtype` and `ndim`, of tensors on the device of `x` and of
        ndarrays.
    """
    key = core.index_beside(function, x, key)
    found: list[Any] = []
    for item in key if isinstance(key, tuple) else (key,):
        if item is None or item is Ellipsis or isinstance(item, slice):
            found.append(item)
        elif isinstance(item, Tensor) and (item.ndim or item.dtype.kind == "b"):
            _check_kind(function, item.dtype)
            found.append(native(item))
        elif hasattr(item, "__index__") and not isinstance(item, (bool, np.bool_, np.ndarray)):
            found.append(operator.index(item))
        else:
            found.append(native(_array(function, item)))
    items = expanded(function, found, x.ndim, lambda item: _is_array(item) and item.dtype == "bool")
    indices = [item for item in items if item is not None and not isinstance(item, slice)]
    if len(indices) < 3 or not any(map(_is_array, items)):  # nothing is separated by an Ellipsis
        return [item for item in items if item is not Ellipsis]
    return items


def _is_array(item: Any) -> bool:
    return not (item is None or item is Ellipsis or isinstance(item, (int, slice)))


def _check_kind(function: str, dtype: np.dtype) -> None:
    if dtype.kind not in "biu":
        raise IndexError(f"{function}: an index must have an integer dtype or bool, got {dtype}")


def _array(function: str, item: Any) -> np.ndarray:
    """Return an index that is a list, a bool or an ndarray as an ndarray."""
    valid = (
        f"{function}: only integers, slices (':'), ellipsis ('...'), newaxis (None), and "
        "integer or boolean arrays are valid, got"
    )
    if not isinstance(item, (bool, list, tuple, range, np.ndarray)) and not hasattr(item, "dtype"):
        raise IndexError(f"{valid} {type(item).__name__}")
    if isinstance(item, (list, tuple)):
        item = [np.asarray(y.to_device("cpu")) if isinstance(y, Tensor) else y for y in item]
    array = np.array(item)
    if core.kind_of(array) not in "biuf":
        raise IndexError(f"{valid} {item!r}")
    if array.size == 0 and array.dtype == np.float64 and not hasattr(item, "dtype"):
        array = array.astype(np.int64)
    _check_kind(function, array.dtype)
    return array


def numbers_of(function: str, item: slice, size: int) -> range:
    """Return the indices into an axis that a slice selects."""
    try:
        return range(*item.indices(size))
    except (TypeError, ValueError) as error:
        raise core.named_error(function, error) from None
