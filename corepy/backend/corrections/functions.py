"""Functions that are neither elementwise nor of a group with a file of its own."""

from __future__ import annotations

from math import prod
from typing import Any

from corepy.backend.corrections.parts import constant, is_complex
from corepy.backend.corrections.registry import standard


@standard("astype", "array_api_strict")
def astype(xp: Any, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """Cast to another dtype.

    array-api-strict refuses complex numbers to bool along with the casts of complex numbers to real
    ones, which the standard advises against.

    ``0 + 0j`` is False, all other values are True.
    """
    if dtype == xp.bool and is_complex(xp, x):
        x = x != 0
    return xp.astype(x, dtype, copy=copy, device=device)


@standard("sort", "numpy", "array_api_strict", "torch")
def sort(
    xp: Any, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Any:
    """Sort along an axis.

    array-api-compat and array-api-strict reverse the ascending order for ``descending=True``,
    and with it the order of values that compare equal (-0 and +0).

    A stable sort keeps the order of equal values.
    """
    if not descending:
        return xp.sort(x, axis=axis, stable=stable)
    reversed_ = xp.flip(x, axis=axis)
    return xp.flip(xp.sort(reversed_, axis=axis, stable=stable), axis=axis)


@standard("searchsorted", "numpy", "array_api_strict", "torch")
def searchsorted(xp: Any, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Find where elements of `x2` would be inserted into the sorted `x1`.

    NumPy compares a Python scalar in float64 although the standard gives it the dtype of `x1`, and
    refuses a `sorter` of dtype uint64; so does array-api-strict with the latter. It also refuses
    bool.
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


@standard("repeat", "numpy", "array_api_strict", "torch")
def repeat(xp: Any, x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Repeat each element a number of times.

    NumPy refuses repeats of dtype uint64, which it cannot cast to int64 safely, and writes out of
    bounds where their sum is more than int64 holds.
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
