"""Elementwise functions of real arguments (complex ones are in `complex_functions`)."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil as round_up
from math import floor as round_down
from math import inf, isinf, isnan
from typing import Any

from corepy.backend.corrections.parts import constant, is_integer, is_real_floating
from corepy.backend.corrections.registry import standard


def _rounding(operation: str) -> Callable[..., Any]:
    def function(xp: Any, x: Any, /) -> Any:
        """Round numbers, but integers, which array-api-strict returns themselves."""
        if is_integer(xp, x):
            return xp.asarray(x, copy=True)
        return getattr(xp, operation)(x)

    return function


for _operation in ("ceil", "floor", "trunc"):
    standard(_operation, "array_api_strict")(_rounding(_operation))


@standard("floor_divide", "numpy", "array_api_strict", "torch")
def floor_divide(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Divide and round towards minus infinity.

    NumPy (and array-api-strict with it) follows Python where an operand is infinite: ``inf //
    1`` is NaN and ``-1 // inf`` is -1. The standard requires the quotient itself there, infinity
    and -0.
    """
    out = xp.floor_divide(x1, x2)
    if not is_real_floating(xp, out):
        return out
    infinite = xp.isinf(x1) | xp.isinf(x2)
    if not bool(xp.any(infinite)):
        return out
    return xp.where(infinite, xp.divide(x1, x2), out)


@standard("pow", "numpy", "array_api_strict", "torch")
def pow(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Raise `x1` to the power `x2`.

    Where the exponent is one number for the whole array, and that is 0.5, NumPy takes the
    square root instead:
    -0 stays -0 and minus infinity gives NaN, where the standard requires +0 and plus infinity.
    """
    out = xp.pow(x1, x2)
    if not is_real_floating(xp, out):
        return out
    half = x2 == 0.5
    if not bool(xp.any(half)):
        return out
    wrong = half & ((x1 == 0) | (x1 == -inf))
    return xp.where(wrong, xp.astype(xp.abs(x1), out.dtype), out)


def _bound(xp: Any, x: Any, bound: Any, round_inwards: Any) -> Any:
    """Return a bound of `clip` as an array of the dtype of `x`, integers kept within its range."""
    if isinstance(bound, (bool, int, float)):
        if is_integer(xp, x):
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
    if is_integer(xp, x) and is_integer(xp, bound):
        ours, theirs = xp.iinfo(x.dtype), xp.iinfo(bound.dtype)
        low = max(int(ours.min), int(theirs.min))
        high = min(int(ours.max), int(theirs.max))
        bound = xp.minimum(
            xp.maximum(bound, constant(xp, low, like=bound)), constant(xp, high, like=bound)
        )
    return xp.astype(bound, x.dtype)


@standard("clip", "numpy", "array_api_strict", "torch")
def clip(xp: Any, x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Clamp to ``[min, max]``; bounds are cast to the dtype of `x`, integers without wraparound.

    array-api-compat overwrites an integer array given as a bound where it exceeds the range of
    the dtype of `x`; array-api-strict refuses ``min > max``, bool, and bounds of another kind. NaN
    in `x` or in a bound gives NaN. Where ``min > max``, which the standard leaves open, the result
    is `max`, as in NumPy.
    """
    if min is None and max is None:
        return xp.asarray(x, copy=True)
    if x.dtype == xp.bool:
        return xp.astype(clip(xp, xp.astype(x, xp.uint8), min, max), xp.bool)
    out = x
    if min is not None:
        out = xp.maximum(out, _bound(xp, x, min, round_up))
    if max is not None:
        out = xp.minimum(out, _bound(xp, x, max, round_down))
    return out
