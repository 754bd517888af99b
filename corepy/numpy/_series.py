"""Values of polynomials whose lowest coefficient is first: `numpy.polynomial`."""

from __future__ import annotations

from typing import Any

import numpy as np

from corepy._cython.core import Tensor
from corepy.numpy._arguments import tensor as as_tensor

__all__ = ["chebval", "polyval"]

_DOUBLE = np.dtype("d")


def _coefficients(x: Any, c: Any) -> list[float] | None:
    """Return the coefficients for points of float64; None for those that NumPy handles."""
    if not isinstance(x, Tensor) or x.ndim == 0 or x.dtype != _DOUBLE:
        return None
    c = as_tensor(c, x)
    if c.ndim != 1 or c.size == 0 or not (c.dtype == _DOUBLE or c.dtype.kind in "biu"):
        return None
    return [float(coefficient) for coefficient in c.tolist()]


def polyval(x: Any, c: Any, tensor: bool = True) -> Any:
    """Evaluate a polynomial. See `numpy.polynomial.polynomial.polyval`."""
    coefficients = _coefficients(x, c)
    if coefficients is None:
        return NotImplemented
    value = x * 0.0 + coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        value = value * x + coefficient  # the sum is written over the product
    return value


def chebval(x: Any, c: Any, tensor: bool = True) -> Any:
    """Evaluate a Chebyshev series. See `numpy.polynomial.chebyshev.chebval`."""
    coefficients = _coefficients(x, c)
    if coefficients is None:
        return NotImplemented
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
