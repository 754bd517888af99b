"""Manipulation functions."""

from __future__ import annotations

from math import prod
from typing import Any

from corepy.backend.corrections.registry import standard


@standard("repeat", "numpy", "array_api_strict", "torch")
def repeat(xp: Any, x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Repeat each element a number of times.

    NumPy refuses repeats of dtype uint64, which it cannot cast to int64 safely, and writes out of
    bounds where their sum is more than int64 holds.

    Notes
    -----
    array API 2025.12, manipulation_functions.repeat: `repeats` has an integer dtype.
    """
    if isinstance(repeats, int):
        copies = float(repeats * prod(x.shape))
    else:
        repeats = xp.astype(repeats, xp.int64, copy=False)
        total = float(xp.sum(xp.astype(repeats, xp.float64)))
        copies = total * prod(x.shape) / max(prod(repeats.shape), 1)
    if copies >= 2**59:
        raise ValueError(f"repeat: {copies:.3g} elements are too many for an array")
    return xp.repeat(x, repeats, axis=axis)
