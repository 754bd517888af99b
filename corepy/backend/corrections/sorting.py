"""Sorting functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.registry import standard


@standard("sort", "numpy", "array_api_strict", "torch")
def sort(
    xp: Any, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Any:
    """Sort along an axis.

    array-api-compat and array-api-strict reverse the ascending order for ``descending=True``,
    and with it the order of values that compare equal (-0 and +0).

    Notes
    -----
    array API 2025.12, sorting_functions.sort: a stable sort keeps the order of equal values.
    """
    if not descending:
        return xp.sort(x, axis=axis, stable=stable)
    reversed_ = xp.flip(x, axis=axis)
    return xp.flip(xp.sort(reversed_, axis=axis, stable=stable), axis=axis)
