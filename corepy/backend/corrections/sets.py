"""Set functions."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.parts import constant, is_integer
from corepy.backend.corrections.registry import standard


def _as_array(xp: Any, scalar: Any, other: Any) -> Any:
    """Return a scalar as an array of the dtype of `other`, or None if it is not representable."""
    if is_integer(xp, other):
        limits = xp.iinfo(other.dtype)
        if scalar != int(scalar) or not int(limits.min) <= scalar <= int(limits.max):
            return None
        scalar = int(scalar)
    return constant(xp, scalar, like=other)


def _find(xp: Any, x1: Any, x2: Any) -> Any:
    if is_integer(xp, x1) and is_integer(xp, x2):
        return xp.isin(x1, x2)
    values = xp.reshape(x2, (-1,))
    return xp.any(xp.equal(xp.expand_dims(x1, axis=-1), values), axis=-1)


@standard("isin", "numpy", "array_api_strict", "torch")
def isin(xp: Any, x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    """Test for each element of `x1` whether it is in `x2`.

    array-api-strict ignores `invert` and takes integers alone. NumPy takes an integer given for
    an array as int64 and compares it with uint64 as float64.

    Notes
    -----
    array API 2025.12, set_functions.isin.
    """
    scalars = (bool, int, float, complex)
    if isinstance(x1, scalars):
        shape, like = (), x2
        x1 = _as_array(xp, x1, x2)
    else:
        shape, like = x1.shape, x1
        if isinstance(x2, scalars):
            x2 = _as_array(xp, x2, x1)
    if x1 is None or x2 is None:  # not representable, so in no array of the dtype
        found = xp.broadcast_to(constant(xp, False, like=like, dtype=xp.bool), shape)
        return xp.logical_not(found) if invert else xp.asarray(found, copy=True)
    found = _find(xp, x1, x2)
    return xp.logical_not(found) if invert else found
