"""Indexing functions: selecting by arrays of indices.

Array API 2025.12, indexing functions. Negative indices count from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import gathering

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
    return core.in_class_of(gathering.take(x, indices, axis), x)


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
    return core.in_class_of(gathering.take_along_axis(x, indices, axis), x)
