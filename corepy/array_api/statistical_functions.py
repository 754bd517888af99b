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

    References
    ----------
    array API 2025.12, statistical_functions.mean

    Examples
    --------
    >>> import corepy.array_api as xp
    >>> xp.mean(xp.asarray([[1, 2], [3, 5]]), axis=1)
    Tensor([1.5, 4. ])
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


# schema/pages.py writes the other functions, from schema/operations/statistical_functions.def.
