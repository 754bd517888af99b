"""The linear algebra extension."""

from __future__ import annotations

from typing import Any

from corepy.backend.standard.parts import constant
from corepy.backend.standard.registry import standard


@standard("linalg.matrix_rank", "numpy", "array_api_strict")
def matrix_rank(xp: Any, x: Any, /, *, rtol: Any = None) -> Any:
    """Count the singular values larger than ``rtol`` times the largest one.

    array-api-compat and array-api-strict fail on matrices without elements, whose rank is 0.

    Notes
    -----
    array API 2025.12, linalg.matrix_rank: by default ``rtol`` is ``max(M, N) * eps``.
    """
    if x.ndim < 2:
        raise ValueError(f"matrix_rank: x must have at least 2 dimensions, not shape {x.shape}")
    values = xp.linalg.svdvals(x)
    if values.shape[-1] == 0:
        return xp.sum(xp.astype(values, xp.int64), axis=-1)
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(xp.finfo(values.dtype).eps)
    if isinstance(rtol, (bool, int, float)):
        rtol = constant(xp, float(rtol), like=values)
    rtol = xp.expand_dims(xp.astype(rtol, values.dtype, copy=False), axis=-1)
    tolerance = xp.max(values, axis=-1, keepdims=True) * rtol
    return xp.count_nonzero(values > tolerance, axis=-1)
