"""Set functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.standard.parts import constant
from corepy.backend.standard.registry import standard


def _as_array(xp: Any, scalar: Any, other: Any) -> Any:
    """Return an integer as an array of the dtype of `other`, or None if the dtype cannot hold it."""
    if xp.isdtype(other.dtype, "integral"):
        limits = xp.iinfo(other.dtype)
        if not int(limits.min) <= scalar <= int(limits.max):
            return None
    return constant(xp, scalar, like=other)


@standard("isin", "numpy", "array_api_strict")
def isin(xp: Any, x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Test for each element of `x1` whether it is in `x2`.

    array-api-strict ignores `invert`. NumPy takes an integer given for an array as int64 and compares it
    with uint64 as float64.

    Notes
    -----
    array API 2025.12, set_functions.isin.
    """
    absent = None
    if isinstance(x1, (bool, int, float, complex)):
        x1 = _as_array(xp, x1, x2)
        absent = constant(xp, False, like=x2, dtype=xp.bool) if x1 is None else None
    elif isinstance(x2, (bool, int, float, complex)):
        x2 = _as_array(xp, x2, x1)
        absent = xp.zeros_like(x1, dtype=xp.bool) if x2 is None else None
    found = xp.isin(x1, x2) if absent is None else absent
    return xp.logical_not(found) if invert else found
