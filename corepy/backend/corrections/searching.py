"""Searching functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.parts import constant
from corepy.backend.corrections.registry import standard


@standard("searchsorted", "numpy", "array_api_strict", "torch")
def searchsorted(xp: Any, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Find where elements of `x2` would be inserted into the sorted `x1`.

    NumPy compares a Python scalar in float64 although the standard gives it the dtype of `x1`, and
    refuses a `sorter` of dtype uint64; so does array-api-strict with the latter. It also refuses
    bool.

    Notes
    -----
    array API 2025.12, searching_functions.searchsorted, and "Mixing arrays with Python scalars".
    """
    if x1.dtype == xp.bool:
        x1 = xp.astype(x1, xp.uint8)
    if isinstance(x2, (bool, int, float)):
        x2 = constant(xp, x2, like=x1)
    elif x2.dtype == xp.bool:
        x2 = xp.astype(x2, xp.uint8)
    if sorter is not None:
        sorter = xp.astype(sorter, xp.int64, copy=False)
    return xp.searchsorted(x1, x2, side=side, sorter=sorter)
