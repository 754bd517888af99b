"""Statistical functions."""

from __future__ import annotations

from collections.abc import Callable
from math import nan, prod
from typing import Any

from corepy.backend.corrections.parts import complex_from_parts, is_complex
from corepy.backend.corrections.registry import standard

Axis = int | tuple[int, ...] | None


def _reduced(x: Any, axis: Axis, keepdims: bool) -> tuple[int, tuple[int, ...]]:
    """Return the number of elements of each result, and the shape of the result."""
    if axis is None:
        axis = tuple(range(x.ndim))
    axes = {a % x.ndim for a in ((axis,) if isinstance(axis, int) else axis)}
    count = prod(x.shape[a] for a in axes)
    shape = tuple(
        1 if a in axes else size for a, size in enumerate(x.shape) if keepdims or a not in axes
    )
    return count, shape


def _all_nan(xp: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return xp.full(shape, nan, dtype=x.dtype, device=x.device)


@standard("mean", "numpy", "array_api_strict", "torch")
def mean(xp: Any, x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """Compute the arithmetic mean, NaN of no elements.

    NumPy (and array-api-strict with it) warns about the mean of no elements, and divides the sum of
    complex numbers by a complex number, which makes NaN of a component beside an infinite one.
    """
    if is_complex(xp, x):
        return complex_from_parts(
            xp,
            mean(xp, xp.real(x), axis=axis, keepdims=keepdims),
            mean(xp, xp.imag(x), axis=axis, keepdims=keepdims),
        )
    count, shape = _reduced(x, axis, keepdims)
    if count == 0:
        return _all_nan(xp, x, shape)
    return xp.mean(x, axis=axis, keepdims=keepdims)


def _spread(operation: str) -> Callable[..., Any]:
    def function(
        xp: Any, x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
    ) -> Any:
        """Compute the standard deviation or the variance, NaN without degrees of freedom.

        NumPy (and array-api-strict with it) warns there, and where the correction exceeds the
        number of elements it can return infinity.
        """
        count, shape = _reduced(x, axis, keepdims)
        if count - correction <= 0:
            return _all_nan(xp, x, shape)
        return getattr(xp, operation)(x, axis=axis, correction=correction, keepdims=keepdims)

    return function


for _operation in ("std", "var"):
    standard(_operation, "numpy", "array_api_strict", "torch")(_spread(_operation))
