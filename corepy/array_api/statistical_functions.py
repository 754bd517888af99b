"""Statistical functions: sums, products, extremes and moments.

Array API 2025.12, statistical functions. Where the standard requires numbers, bools count as the
integers 0 and 1, as in NumPy; where it requires floating-point numbers, bools and integers become
float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING


from cython.cimports.corepy._cython import core

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from corepy._cython.core import Tensor

__all__ = ["cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Multiply up the elements along an axis, keeping every intermediate product.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int or None, optional
        Axis to multiply along. May be left out if ``x`` has at most one axis.
    dtype : dtype or None, optional
        dtype to compute in and to return. None means the dtype of ``x``, but int64 for smaller
        integers and bool, and uint64 for smaller unsigned integers.
    include_initial : bool, optional
        Whether the result starts with 1, and has one element more along ``axis``.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, larger by one along ``axis`` with ``include_initial``. A 0-d
        array is treated as one of shape ``(1,)``.

    Raises
    ------
    ValueError
        If ``axis`` is None and ``x`` has more than one axis.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.cumulative_prod.
    """
    return core.scan(core.OP_cumulative_prod, x, axis, dtype, include_initial)


def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Add up the elements along an axis, keeping every intermediate sum.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int or None, optional
        Axis to add along. May be left out if ``x`` has at most one axis.
    dtype : dtype or None, optional
        dtype to compute in and to return. None means the dtype of ``x``, but int64 for smaller
        integers and bool, and uint64 for smaller unsigned integers.
    include_initial : bool, optional
        Whether the result starts with 0, and has one element more along ``axis``.

    Returns
    -------
    Tensor
        Array of the shape of ``x``, larger by one along ``axis`` with ``include_initial``. A 0-d
        array is treated as one of shape ``(1,)``.

    Raises
    ------
    ValueError
        If ``axis`` is None and ``x`` has more than one axis.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.cumulative_sum.

    Examples
    --------
    >>> xp.cumulative_sum(xp.asarray([1, 2, 3]), include_initial=True)
    Tensor([0, 1, 3, 6])
    """
    return core.scan(core.OP_cumulative_sum, x, axis, dtype, include_initial)


def max(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Find the largest element.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype.
    axis : int, tuple of int or None, optional
        Axes to search; None searches all elements.
    keepdims : bool, optional
        Whether the searched axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of the dtype of ``x``: 0-d if ``axis`` is None, else of the shape of ``x`` without
        these axes. NaN where there is a NaN.

    Raises
    ------
    ValueError
        If there is no element to search.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.max.
    """
    return core.reduce(core.OP_max, x, axis, keepdims)


def mean(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Compute the arithmetic mean.

    Parameters
    ----------
    x : Tensor
        Array of any dtype; bools and integers become float64.
    axis : int, tuple of int or None, optional
        Axes to average over; None averages all elements.
    keepdims : bool, optional
        Whether the averaged axes stay, with size 1.
    dtype : dtype, optional
        Floating-point dtype to compute in, beyond the standard; by default that of ``x``.

    Returns
    -------
    Tensor
        Array of ``dtype`` or the floating-point dtype of ``x``: 0-d if ``axis`` is None, else of
        the shape of ``x`` without these axes. NaN where there is a NaN or nothing to average.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.
    TypeError
        If ``dtype`` is not a floating-point dtype, or real for complex ``x``.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.mean.
    """
    if dtype is not None:
        kept = core.as_dtype("mean", dtype)
        x = core.as_tensor("mean", x)
        if kept.kind not in "fc" or (kept.kind == "f" and x.dtype.kind == "c"):
            raise TypeError(
                f"mean: dtype must be a floating-point dtype, complex for complex x, got {kept} "
                f"for x of {x.dtype}"
            )
        x = core.astype(x, kept, False)
    return core.reduce(core.OP_mean, x, axis, keepdims)


def min(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Find the smallest element.

    Parameters
    ----------
    x : Tensor
        Array of bool or a real dtype.
    axis : int, tuple of int or None, optional
        Axes to search; None searches all elements.
    keepdims : bool, optional
        Whether the searched axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of the dtype of ``x``: 0-d if ``axis`` is None, else of the shape of ``x`` without
        these axes. NaN where there is a NaN.

    Raises
    ------
    ValueError
        If there is no element to search.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.min.
    """
    return core.reduce(core.OP_min, x, axis, keepdims)


def prod(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Multiply elements.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int, tuple of int or None, optional
        Axes to multiply over; None multiplies all elements.
    dtype : dtype or None, optional
        dtype to compute in and to return. None means the dtype of ``x``, but int64 for smaller
        integers and bool, and uint64 for smaller unsigned integers.
    keepdims : bool, optional
        Whether the multiplied axes stay, with size 1.

    Returns
    -------
    Tensor
        Products: 0-d if ``axis`` is None, else of the shape of ``x`` without these axes. 1 where
        there is nothing to multiply.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.prod.
    """
    return core.reduce(core.OP_prod, x, axis, keepdims, dtype)


def std(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Tensor:
    """Compute the standard deviation.

    Parameters
    ----------
    x : Tensor
        Array of any dtype; bools and integers become float64. Of complex numbers the absolute
        deviations are taken, as in NumPy.
    axis : int, tuple of int or None, optional
        Axes to compute over; None takes all elements.
    correction : int or float, optional
        What is subtracted from the number of elements to get the divisor: 0 for the standard
        deviation of a population, 1 for the corrected one of a sample.
    keepdims : bool, optional
        Whether these axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of the real floating-point dtype of ``x``: 0-d if ``axis`` is None, else of the shape
        of ``x`` without these axes. NaN where there is a NaN or the divisor is not positive.

    Raises
    ------
    TypeError
        If ``correction`` is not a real number.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.std.
    """
    return core.reduce(core.OP_std, x, axis, keepdims, None, correction)


def sum(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Add elements.

    Parameters
    ----------
    x : Tensor
        Array of any dtype.
    axis : int, tuple of int or None, optional
        Axes to add over; None adds all elements, an empty tuple none.
    dtype : dtype or None, optional
        dtype to compute in and to return. None means the dtype of ``x``, but int64 for smaller
        integers and bool, and uint64 for smaller unsigned integers.
    keepdims : bool, optional
        Whether the added axes stay, with size 1.

    Returns
    -------
    Tensor
        Sums: 0-d if ``axis`` is None, else of the shape of ``x`` without these axes. 0 where there
        is nothing to add.

    Raises
    ------
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.sum.

    Examples
    --------
    >>> xp.sum(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    Tensor([4., 6.])
    """
    return core.reduce(core.OP_sum, x, axis, keepdims, dtype)


def var(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Tensor:
    """Compute the variance: the mean of the squared deviations from the mean.

    Parameters
    ----------
    x : Tensor
        Array of any dtype; bools and integers become float64. Of complex numbers the absolute
        deviations are squared, as in NumPy.
    axis : int, tuple of int or None, optional
        Axes to compute over; None takes all elements.
    correction : int or float, optional
        What is subtracted from the number of elements to get the divisor: 0 for the variance of a
        population, 1 for the unbiased one of a sample.
    keepdims : bool, optional
        Whether these axes stay, with size 1.

    Returns
    -------
    Tensor
        Array of the real floating-point dtype of ``x``: 0-d if ``axis`` is None, else of the shape
        of ``x`` without these axes. NaN where there is a NaN or the divisor is not positive.

    Raises
    ------
    TypeError
        If ``correction`` is not a real number.
    numpy.exceptions.AxisError
        If ``x`` has no such axis.

    Notes
    -----
    Standard: array API 2025.12, statistical_functions.var.
    """
    return core.reduce(core.OP_var, x, axis, keepdims, None, correction)
