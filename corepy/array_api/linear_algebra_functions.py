"""Linear algebra functions of the main namespace: products and the transpose.

Array API 2025.12, linear algebra functions. Operands of different dtypes are promoted first, those
of different kinds (which the standard leaves open) as in NumPy. Products of bools, for which the
standard says nothing, are an "or" of "and"s and give bool, as in NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.corepy._cython import core
from cython.cimports.corepy._cython.cpu import products

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corepy._cython.core import Tensor

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply matrices, as the operator ``@`` does.

    Parameters
    ----------
    x1 : Tensor
        Array of shape ``(K,)`` or ``(..., M, K)``.
    x2 : Tensor
        Array of shape ``(K,)`` or ``(..., K, N)``. The leading axes broadcast together.

    Returns
    -------
    Tensor
        Products, in the dtype that both promote to: of shape ``(..., M, N)``; without ``M`` if
        ``x1`` has one axis, and without ``N`` if ``x2`` has one. Nothing is conjugated.

    Raises
    ------
    ValueError
        If an operand has no axes, the sizes ``K`` differ, or the leading axes do not broadcast.

    Notes
    -----
    Standard: array API 2025.12, linear_algebra_functions.matmul.
    """
    return core.in_class_of_two(products.matmul(x1, x2), x1, x2)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Exchange the last two axes.

    Parameters
    ----------
    x : Tensor
        Array of shape ``(..., M, N)`` and any dtype.

    Returns
    -------
    Tensor
        Array of shape ``(..., N, M)`` and the dtype of ``x``; on the CPU a view of ``x``.

    Raises
    ------
    ValueError
        If ``x`` has fewer than two axes.

    Notes
    -----
    Standard: array API 2025.12, linear_algebra_functions.matrix_transpose.
    """
    return core.matrix_transpose(x)


def tensordot(
    x1: Tensor,
    x2: Tensor,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Tensor:
    """Sum products of two arrays over pairs of axes.

    Parameters
    ----------
    x1, x2 : Tensor
        Arrays of any dtype. Paired axes have the same size; they do not broadcast.
    axes : int or tuple of two sequences of int, optional
        A number ``n`` pairs the last ``n`` axes of ``x1``, in order, with the first ``n`` of ``x2``
        (0 gives the outer product). Two sequences of the same length name the axes of ``x1`` and
        the axes of ``x2`` that they are paired with.

    Returns
    -------
    Tensor
        Sums of products, in the dtype that both promote to; its axes are the remaining ones of
        ``x1``, then the remaining ones of ``x2``. Nothing is conjugated.

    Raises
    ------
    TypeError
        If ``axes`` is neither a number nor a pair.
    ValueError
        If there are fewer axes than ``axes`` says, or the sizes of paired axes differ.
    numpy.exceptions.AxisError
        If an operand has no such axis.

    Notes
    -----
    Standard: array API 2025.12, linear_algebra_functions.tensordot.
    """
    return core.in_class_of_two(products.tensordot(x1, x2, axes), x1, x2)


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Compute the dot products of vectors, the first ones conjugated.

    Parameters
    ----------
    x1, x2 : Tensor
        Arrays of any dtype that have the same size along ``axis``; the other axes broadcast
        together.
    axis : int, optional
        Axis of the vectors, counted from the end: from ``-N`` to -1 with ``N`` the smaller number
        of axes. If both have equally many axes it may also be counted from the front.

    Returns
    -------
    Tensor
        Sums of ``conj(x1) * x2`` along ``axis``, of the common shape without that axis, in the
        dtype that both promote to.

    Raises
    ------
    ValueError
        If an operand has no axes, the sizes along ``axis`` differ, or the others do not broadcast.
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    Standard: array API 2025.12, linear_algebra_functions.vecdot.
    """
    return core.in_class_of_two(products.vecdot(x1, x2, axis), x1, x2)
