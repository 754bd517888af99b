"""Elementwise functions of real arguments (complex ones are in `complex_functions`)."""

from __future__ import annotations

from math import ceil as round_up
from math import floor as round_down
from math import isinf, isnan
from typing import Any

from corepy.backend.standard.parts import constant
from corepy.backend.standard.registry import standard


def _is_integer(xp: Any, x: Any) -> bool:
    return bool(xp.isdtype(x.dtype, "integral"))


def _integer_valued(xp: Any, operation: str, x: Any) -> Any:
    """Apply a rounding function, which leaves integers alone."""
    return xp.asarray(x, copy=True) if _is_integer(xp, x) else getattr(xp, operation)(x)


@standard("ceil", "numpy")
def ceil(xp: Any, x: Any, /) -> Any:
    """Round towards plus infinity.

    NumPy 2.0 returns float64 for integers.

    Notes
    -----
    array API 2025.12, elementwise_functions.ceil: the result has the dtype of `x`.
    """
    return _integer_valued(xp, "ceil", x)


@standard("floor", "numpy")
def floor(xp: Any, x: Any, /) -> Any:
    """Round towards minus infinity.

    NumPy 2.0 returns float64 for integers.

    Notes
    -----
    array API 2025.12, elementwise_functions.floor: the result has the dtype of `x`.
    """
    return _integer_valued(xp, "floor", x)


@standard("trunc", "numpy")
def trunc(xp: Any, x: Any, /) -> Any:
    """Round towards zero.

    NumPy 2.0 returns float64 for integers.

    Notes
    -----
    array API 2025.12, elementwise_functions.trunc: the result has the dtype of `x`.
    """
    return _integer_valued(xp, "trunc", x)


@standard("floor_divide", "numpy", "array_api_strict")
def floor_divide(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Divide and round towards minus infinity.

    NumPy (and array-api-strict with it) follows Python where an operand is infinite: ``inf // 1`` is NaN
    and ``-1 // inf`` is -1. The standard wants the quotient itself there, infinity and -0.

    Notes
    -----
    array API 2025.12, elementwise_functions.floor_divide, "Special cases".
    """
    out = xp.floor_divide(x1, x2)
    if not xp.isdtype(out.dtype, "real floating"):
        return out
    infinite = xp.isinf(x1) | xp.isinf(x2)
    if not bool(xp.any(infinite)):
        return out
    return xp.where(infinite, xp.divide(x1, x2), out)


def _bound(xp: Any, x: Any, bound: Any, round_inwards: Any) -> Any:
    """Return a bound of `clip` as an array of the dtype of `x`, integers kept within its range."""
    if isinstance(bound, (bool, int, float)):
        if _is_integer(xp, x):
            limits = xp.iinfo(x.dtype)
            low, high = int(limits.min), int(limits.max)
            if isnan(bound):
                raise ValueError(f"clip: a bound of NaN has no meaning for dtype {x.dtype}")
            if isinf(bound):
                bound = high if bound > 0 else low
            bound = min(max(round_inwards(bound), low), high)
        return constant(xp, bound, like=x)
    if bound.dtype == x.dtype:
        return bound
    if _is_integer(xp, x) and _is_integer(xp, bound):
        ours, theirs = xp.iinfo(x.dtype), xp.iinfo(bound.dtype)
        low = max(int(ours.min), int(theirs.min))
        high = min(int(ours.max), int(theirs.max))
        bound = xp.minimum(
            xp.maximum(bound, constant(xp, low, like=bound)), constant(xp, high, like=bound)
        )
    return xp.astype(bound, x.dtype)


@standard("clip", "numpy", "array_api_strict")
def clip(xp: Any, x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Clamp to ``[min, max]``; bounds are taken to the dtype of `x`, integers without wrapping around.

    array-api-compat overwrites an integer array given as a bound where it exceeds the range of the dtype
    of `x`; array-api-strict refuses ``min > max`` and bounds of another kind. NaN in `x` or in a bound
    gives NaN. Where ``min > max``, which the standard leaves open, the result is `max`, as in NumPy.

    Notes
    -----
    array API 2025.12, elementwise_functions.clip.
    """
    if min is None and max is None:
        return xp.asarray(x, copy=True)
    out = x
    if min is not None:
        out = xp.maximum(out, _bound(xp, x, min, round_up))
    if max is not None:
        out = xp.minimum(out, _bound(xp, x, max, round_down))
    return out
