"""Indexing functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.registry import standard


@standard("take", "numpy", "array_api_strict")
def take(xp: Any, x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    """Take elements along an axis.

    NumPy before 2.1 refuses indices of dtype uint64, which it cannot cast to int64 safely.

    Notes
    -----
    array API 2025.12, indexing_functions.take: `indices` has an integer dtype.
    """
    if indices.dtype == xp.uint64:
        indices = xp.astype(indices, xp.int64)
    return xp.take(x, indices, axis=axis)
