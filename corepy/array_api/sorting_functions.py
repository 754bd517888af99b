"""Sorting functions.

Array API 2025.12, sorting functions. NaN sorts behind all numbers in ascending order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import sorting

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = ["argsort", "sort"]


def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Find the indices that sort an array along an axis.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype, with at least one axis.
    axis : int, optional
        Axis to sort along.
    descending : bool, optional
        Whether the largest comes first.
    stable : bool, optional
        Whether equal elements keep their order (also in descending order). If False they may lose
        it, which can be faster.

    Returns
    -------
    Tensor
        Indices along ``axis``, of the shape of ``x``, int64: `take_along_axis` of ``x`` with them
        is sorted.

    Raises
    ------
    TypeError
        If ``x`` is complex.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, sorting_functions.argsort.

    Examples
    --------
    >>> xp.argsort(xp.asarray([3, 1, 2]))
    Tensor([1, 2, 0])
    """
    return core.in_class_of(sorting.argsort(x, axis, descending, stable), x)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Sort an array along an axis.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype, with at least one axis.
    axis : int, optional
        Axis to sort along.
    descending : bool, optional
        Whether the largest comes first.
    stable : bool, optional
        Whether equal elements keep their order (which shows only in the signs of zeros).

    Returns
    -------
    Tensor
        Sorted copy, of the shape and dtype of ``x``.

    Raises
    ------
    TypeError
        If ``x`` is complex.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, sorting_functions.sort.
    """
    return core.in_class_of(sorting.sort(x, axis, descending, stable), x)
