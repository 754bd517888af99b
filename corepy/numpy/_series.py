"""Values of polynomials whose lowest coefficient is first: `numpy.polynomial`."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy._cython.core import Tensor
from corepy.numpy._arguments import FloatArray, RealArray, takes

__all__ = ["chebval", "polyval"]

_DOUBLE = np.dtype("d")


def _are_doubles(x: Tensor, c: Tensor) -> bool:
    """Whether points have axes and float64, and coefficients one axis and values of float64."""
    return (
        x.ndim > 0
        and x.dtype is _DOUBLE
        and c.ndim == 1
        and c.size > 0
        and (c.dtype is _DOUBLE or c.dtype.kind in "biu")
    )


@takes(_are_doubles)
def polyval(x: FloatArray, c: RealArray, tensor: bool = True) -> Tensor:
    """Evaluate a polynomial. See `numpy.polynomial.polynomial.polyval`."""
    coefficients = [float(coefficient) for coefficient in c.tolist()]
    value = x * 0.0 + coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient  # the sum is written over the product
    return value


@takes(_are_doubles)
def chebval(x: FloatArray, c: RealArray, tensor: bool = True) -> Tensor:
    """Evaluate a Chebyshev series. See `numpy.polynomial.chebyshev.chebval`."""
    coefficients = [float(coefficient) for coefficient in c.tolist()]
    if len(coefficients) == 1:
        return x * 0.0 + coefficients[0]
    # Clenshaw's recursion. The first two values are numbers.
    lower: Any = coefficients[-2]
    upper: Any = coefficients[-1]
    if len(coefficients) > 2:
        twice = x * 2.0
        for coefficient in coefficients[-3::-1]:
            lower, upper = coefficient - upper, upper * twice + lower
    return upper * x + lower
