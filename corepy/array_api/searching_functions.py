"""Searching functions: where elements are, and choosing between arrays.

Array API 2025.12, searching functions. Indices have dtype int64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import masks, searching

if TYPE_CHECKING:
    from typing import Literal

    from corepy._cython.core import Tensor

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Find the index of the largest element.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype.
    axis : int or None, optional
        Axis to search along. With None the index into the flattened array is found.
    keepdims : bool, optional
        Whether the searched axes stay, with size 1.

    Returns
    -------
    Tensor
        Indices, int64: 0-d if ``axis`` is None, else of the shape of ``x`` without ``axis``. Among
        equal elements it is the first; a NaN counts as the largest.

    Raises
    ------
    TypeError
        If ``axis`` is neither an integer nor None, or the dtype has no order.
    ValueError
        If there is no element to search.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, searching_functions.argmax.
    """
    if axis is not None:
        axis = core.as_integer("argmax", "axis", axis)
    return core.reduce(core.OP_argmax, x, axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Find the index of the smallest element.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype.
    axis : int or None, optional
        Axis to search along. With None the index into the flattened array is found.
    keepdims : bool, optional
        Whether the searched axes stay, with size 1.

    Returns
    -------
    Tensor
        Indices, int64: 0-d if ``axis`` is None, else of the shape of ``x`` without ``axis``. Among
        equal elements it is the first; a NaN counts as the smallest.

    Raises
    ------
    TypeError
        If ``axis`` is neither an integer nor None, or the dtype has no order.
    ValueError
        If there is no element to search.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, searching_functions.argmin.
    """
    if axis is not None:
        axis = core.as_integer("argmin", "axis", axis)
    return core.reduce(core.OP_argmin, x, axis, keepdims)


def count_nonzero(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Count the elements that are not zero.

    Parameters
    ----------
    x : Tensor
        Array of any dtype. True, NaN and a complex number with one component that is not zero
        count.
    axis : int, tuple of int or None, optional
        Axes to count along; None counts all elements.
    keepdims : bool, optional
        Whether the counted axes stay, with size 1.

    Returns
    -------
    Tensor
        Counts, int64: 0-d if ``axis`` is None, else of the shape of ``x`` without these axes.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, searching_functions.count_nonzero.
    """
    return core.reduce(core.OP_count_nonzero, x, axis, keepdims)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Find the indices of the elements that are not zero.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with at least one axis.

    Returns
    -------
    tuple of Tensor
        One array of indices per axis of ``x``, each int64 and of shape ``(n,)`` for ``n`` elements
        that are not zero, in row-major order.

    Raises
    ------
    ValueError
        If ``x`` has no axes.

    Notes
    -----
    The shape of the result depends on data.

    Standard: array API 2025.12, searching_functions.nonzero.

    Examples
    --------
    >>> xp.nonzero(xp.asarray([0, 3, 0, 5]))
    (Tensor([1, 3]),)
    """
    return core.in_class_of(masks.nonzero(x), x)


def searchsorted(
    x1: Tensor,
    x2: Tensor | int | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Find where values would be inserted to keep an array sorted.

    Parameters
    ----------
    x1 : Tensor
        Array of shape ``(M,)`` and a real dtype, in ascending order (after ``sorter``, if given).
    x2 : Tensor, int or float
        Values to look for, of any shape.
    side : {'left', 'right'}, optional
        Which index is found for a value that is in ``x1``: the one before the equal elements
        (``x1[i-1] < v <= x1[i]``) or after them (``x1[i-1] <= v < x1[i]``).
    sorter : Tensor or None, optional
        Integer indices of shape ``(M,)`` that sort ``x1``.

    Returns
    -------
    Tensor
        Indices from 0 to ``M``, int64, of the shape of ``x2`` (0-d for a Python scalar). NaN sorts
        behind all numbers, as in `sort`.

    Raises
    ------
    TypeError
        If a dtype is complex, or ``sorter`` does not hold integers.
    ValueError
        If ``x1`` does not have one axis, ``sorter`` has another shape, or `side` is neither
        "left" nor "right".

    Notes
    -----
    Values are compared in the dtype that the dtypes of ``x1`` and ``x2`` promote to, integers by
    value.

    Standard: array API 2025.12, searching_functions.searchsorted.

    Examples
    --------
    >>> xp.searchsorted(xp.asarray([1.0, 2.0, 3.0]), 2.5)
    Tensor(2)
    """
    return core.in_class_of_two(searching.searchsorted(x1, x2, side, sorter), x1, x2)


def where(
    condition: Tensor,
    x1: Tensor | int | float | complex | bool,
    x2: Tensor | int | float | complex | bool,
    /,
) -> Tensor:
    """Choose each element from one of two arrays.

    Parameters
    ----------
    condition : Tensor
        Array of bool. The three shapes broadcast together.
    x1 : Tensor or Python scalar
        Taken where ``condition`` is True.
    x2 : Tensor or Python scalar
        Taken where ``condition`` is False.

    Returns
    -------
    Tensor
        Array of the common shape, in the dtype that the dtypes of ``x1`` and ``x2`` promote to.

    Raises
    ------
    ValueError
        If the shapes do not broadcast together.

    Notes
    -----
    Standard: array API 2025.12, searching_functions.where.

    Examples
    --------
    >>> xp.where(xp.asarray([True, False]), xp.asarray([1.0, 2.0]), 0.0)
    Tensor([1., 0.])
    """
    return core.where(condition, x1, x2)
