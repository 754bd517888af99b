"""Set functions: membership and unique elements.

Array API 2025.12, set functions. Elements are the same if they compare as equal: every NaN is an
element of its own, and -0 and +0 are one. The shapes of the results of the ``unique_`` functions
depend on data. The unique elements come in ascending order on the CPU; the standard leaves the
order open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple


from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import searching

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """Result of `unique_all`."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """Result of `unique_counts`."""

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """Result of `unique_inverse`."""

    values: Tensor
    inverse_indices: Tensor


def isin(x1: Tensor | int, x2: Tensor | int, /, *, invert: bool = False) -> Tensor:
    """Test for each element of one array whether another array has it.

    Parameters
    ----------
    x1 : Tensor or Python scalar
        Elements to look for, of any dtype.
    x2 : Tensor or Python scalar
        Elements to look in, of any shape and dtype.
    invert : bool, optional
        Whether to test for absence instead.

    Returns
    -------
    Tensor
        Array of bool, of the shape of ``x1`` (0-d for a Python scalar).

    Notes
    -----
    Elements are compared as ``==`` compares them: in the dtype that the dtypes promote to, and
    integers by value. NaN is in no array.

    Standard: array API 2025.12, set_functions.isin.

    Examples
    --------
    >>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([3, 1]))
    Tensor([ True, False,  True])
    """
    return core.in_class_of_two(searching.isin(x1, x2, invert), x1, x2)


def unique_all(x: Tensor, /) -> UniqueAllResult:
    """Find the unique elements, where they first are, how to rebuild the array, and their counts.

    Parameters
    ----------
    x : Tensor
        Array of any shape and dtype; it is searched as if it were flat.

    Returns
    -------
    values : Tensor
        The ``k`` unique elements, of shape ``(k,)`` and the dtype of ``x``.
    indices : Tensor
        Index of the first occurrence of each in the flattened ``x``, of shape ``(k,)``, int64.
    inverse_indices : Tensor
        Indices into ``values`` that rebuild ``x``, of the shape of ``x``, int64.
    counts : Tensor
        Number of occurrences of each, of shape ``(k,)``, int64. A NaN counts one.

    Notes
    -----
    Standard: array API 2025.12, set_functions.unique_all.
    """
    values, indices, inverse_indices, counts = core.compute("unique_all", (x,))
    return UniqueAllResult(values, indices, inverse_indices, counts)


def unique_counts(x: Tensor, /) -> UniqueCountsResult:
    """Find the unique elements and how often each occurs.

    Parameters
    ----------
    x : Tensor
        Array of any shape and dtype; it is searched as if it were flat.

    Returns
    -------
    values : Tensor
        The ``k`` unique elements, of shape ``(k,)`` and the dtype of ``x``.
    counts : Tensor
        Number of occurrences of each, of shape ``(k,)``, int64. A NaN counts one.

    Notes
    -----
    Standard: array API 2025.12, set_functions.unique_counts.
    """
    values, counts = core.compute("unique_counts", (x,))
    return UniqueCountsResult(values, counts)


def unique_inverse(x: Tensor, /) -> UniqueInverseResult:
    """Find the unique elements and the indices that rebuild the array from them.

    Parameters
    ----------
    x : Tensor
        Array of any shape and dtype; it is searched as if it were flat.

    Returns
    -------
    values : Tensor
        The ``k`` unique elements, of shape ``(k,)`` and the dtype of ``x``.
    inverse_indices : Tensor
        Indices into ``values``, of the shape of ``x``, int64: ``take(values, inverse_indices)``
        equals ``x``, but for the signs of zeros.

    Notes
    -----
    Standard: array API 2025.12, set_functions.unique_inverse.
    """
    values, inverse_indices = core.compute("unique_inverse", (x,))
    return UniqueInverseResult(values, inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """Find the unique elements of an array.

    Parameters
    ----------
    x : Tensor
        Array of any shape and dtype; it is searched as if it were flat.

    Returns
    -------
    Tensor
        The ``k`` unique elements, of shape ``(k,)`` and the dtype of ``x``.

    Notes
    -----
    Standard: array API 2025.12, set_functions.unique_values.

    Examples
    --------
    >>> xp.unique_values(xp.asarray([[2, 1], [1, 2]]))
    Tensor([1, 2])
    """
    return core.compute("unique_values", (x,))
