"""Data type functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.parts import is_complex
from corepy.backend.corrections.registry import standard


@standard("astype", "array_api_strict")
def astype(xp: Any, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """Cast to another dtype.

    array-api-strict refuses complex numbers to bool along with the casts of complex numbers to real
    ones, which the standard advises against.

    Notes
    -----
    array API 2025.12, data_type_functions.astype: ``0 + 0j`` is False, all other values are True.
    """
    if dtype == xp.bool and is_complex(xp, x):
        x = x != 0
    return xp.astype(x, dtype, copy=copy, device=device)
