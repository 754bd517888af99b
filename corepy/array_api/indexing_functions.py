"""Indexing functions: selecting by arrays of indices.

Array API 2025.12, indexing functions. Negative indices count from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.core import as_tensor, execute
from cython.cimports.corepy.array_api._checks import (
    normalize_axis,
    require_integer,
    require_min_ndim,
)

from corepy.array_api._checks import broadcast

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = ["take", "take_along_axis"]


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Select slices of an array along an axis.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with at least one axis.
    indices : Tensor
        Integer indices along ``axis``, of shape ``(k,)``. Indices of another shape, which the
        standard leaves out, work as in NumPy: their shape takes the place of ``axis``.
    axis : int or None, optional
        Axis to select along. May be left out if ``x`` has one axis.

    Returns
    -------
    Tensor
        Array of the dtype of ``x`` and its shape, with ``k`` in the place of the size of ``axis``.

    Raises
    ------
    TypeError
        If ``indices`` does not hold integers.
    ValueError
        If ``axis`` is None and ``x`` does not have one axis.
    IndexError
        If an index is out of range (on backends that look).
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, indexing_functions.take.

    Examples
    --------
    >>> xp.take(xp.asarray([10, 20, 30]), xp.asarray([2, 0]))
    Tensor([30, 10])
    """
    x = as_tensor("take", x)
    indices = as_tensor("take", indices)
    require_min_ndim("take", "x", x, 1)
    require_integer("take", "indices", indices)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: axis is required unless x has one dimension, got {x.ndim}")
        axis = 0
    axis = normalize_axis("take", axis, x.ndim)
    if indices.ndim == 1:
        return execute("take", (x, indices), {"axis": axis})
    flat = execute("take", (x, core.reshape(indices, (-1,), None)), {"axis": axis})
    return core.reshape(flat, x.shape[:axis] + indices.shape + x.shape[axis + 1 :], None)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Select one element for each index, by an index of its own along an axis.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with at least one axis.
    indices : Tensor
        Integer indices along ``axis``, with as many axes as ``x``. Along the other axes the two
        shapes broadcast together.
    axis : int, optional
        Axis to select along.

    Returns
    -------
    Tensor
        Array of the dtype of ``x``: the common shape, with the size of ``indices`` along ``axis``.

    Raises
    ------
    TypeError
        If ``indices`` does not hold integers.
    ValueError
        If the numbers of axes differ or the shapes do not broadcast together.
    IndexError
        If an index is out of range (on backends that look).
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    It applies what `argsort`, and `argmin` or `argmax` with ``keepdims=True``, return.

    Standard: array API 2025.12, indexing_functions.take_along_axis.
    """
    x = as_tensor("take_along_axis", x)
    indices = as_tensor("take_along_axis", indices)
    require_integer("take_along_axis", "indices", indices)
    axis = normalize_axis("take_along_axis", axis, x.ndim)
    if indices.ndim != x.ndim:
        raise ValueError(
            f"take_along_axis: indices must have as many dimensions as x, {x.ndim}, "
            f"got shape {indices.shape}"
        )
    shape = x.shape
    broadcast("take_along_axis", shape[:axis] + (1,) + shape[axis + 1 :], indices.shape)
    return execute("take_along_axis", (x, indices), {"axis": axis})
