"""Manipulation functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.registry import standard


@standard("repeat", "numpy")
def repeat(xp: Any, x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Repeat each element a number of times.

    NumPy refuses repeats of dtype uint64, which it cannot cast to int64 safely.

    Notes
    -----
    array API 2025.12, manipulation_functions.repeat: `repeats` has an integer dtype.
    """
    if not isinstance(repeats, int):
        repeats = xp.astype(repeats, xp.int64, copy=False)
    return xp.repeat(x, repeats, axis=axis)
