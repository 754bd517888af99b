"""Utility functions: tests over whole arrays, and differences.

Array API 2025.12, utility functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import differences

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = ["all", "any", "diff"]


def all(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Test whether all elements are True (not zero).

    Parameters
    ----------
    x : Tensor
        Array of any dtype. NaN, infinities and complex numbers with one component that is not zero
        count as True.
    axis : int, tuple of int or None, optional
        Axes to test along; None tests all elements.
    keepdims : bool, optional
        Whether the tested axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of bool: 0-d if ``axis`` is None, else of the shape of ``x`` without these axes. True
        where there is nothing to test.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, utility_functions.all.
    """
    return core.reduce(core.OP_all, x, axis, keepdims)


def any(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Test whether at least one element is True (not zero).

    Parameters
    ----------
    x : Tensor
        Array of any dtype. NaN, infinities and complex numbers with one component that is not zero
        count as True.
    axis : int, tuple of int or None, optional
        Axes to test along; None tests all elements.
    keepdims : bool, optional
        Whether the tested axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of bool: 0-d if ``axis`` is None, else of the shape of ``x`` without these axes. False
        where there is nothing to test.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, utility_functions.any.
    """
    return core.reduce(core.OP_any, x, axis, keepdims)


def diff(
    x: Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Subtract each element from the next one along an axis.

    Parameters
    ----------
    x : Tensor
        Array of any dtype, with at least one axis. The difference of bools is whether they differ,
        as in NumPy.
    axis : int, optional
        Axis to take differences along.
    n : int, optional
        How many times to take them, not negative.
    prepend, append : Tensor or None, optional
        Elements to put before and behind ``x`` along ``axis`` first. Their shapes agree with the
        shape of ``x`` except along ``axis``; a scalar is repeated to size 1 along ``axis``.

    Returns
    -------
    Tensor
        Array of the shape of ``x`` except along ``axis``, whose size, including ``prepend`` and
        ``append``, is smaller by ``n`` (at least 0). It has the dtype of ``x``, promoted with the
        dtypes of ``prepend`` and ``append``.

    Raises
    ------
    ValueError
        If ``n`` is negative or the shapes do not agree.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, utility_functions.diff.

    Examples
    --------
    >>> xp.diff(xp.asarray([1, 4, 9, 16]))
    Tensor([3, 5, 7])
    """
    return core.in_class_of(differences.diff(x, axis, n, prepend, append), x)
