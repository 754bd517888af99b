"""Shared arithmetic of corrections: complex parts and error-free transformations.

The standard has no function that makes a complex array from its parts, and ``real + imag * 1j``
loses signed zeros and turns infinities into NaN. `complex_from_parts` does it exactly, in array API
calls alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def constant(xp: Any, value: complex, like: Any, dtype: Any = None) -> Any:
    """Return a zero-dimensional array with the device (and, unless given, the dtype) of `like`."""
    dtype = like.dtype if dtype is None else dtype
    return xp.asarray(value, dtype=dtype, device=like.device)


def is_complex(xp: Any, x: Any) -> bool:
    """Whether `x` has a complex dtype."""
    return bool(x.dtype == xp.complex128 or x.dtype == xp.complex64)


def is_real_floating(xp: Any, x: Any) -> bool:
    """Whether `x` has a real floating-point dtype."""
    return bool(x.dtype == xp.float64 or x.dtype == xp.float32)


def is_integer(xp: Any, x: Any) -> bool:
    """Whether `x` has an integer dtype."""
    return bool(xp.isdtype(x.dtype, "integral"))


def complex_from_parts(xp: Any, real: Any, imag: Any) -> Any:
    """Return the complex array ``real + imag * 1j`` with both components exactly as given.

    Parameters
    ----------
    xp : namespace
        The native namespace.
    real, imag : array
        Real floating-point arrays of one dtype and of broadcastable shapes. Signed zeros,
        infinities and NaN are kept.

    Returns
    -------
    array
        complex64 for float32 parts, complex128 for float64.
    """
    make = getattr(xp, "complex", None)  # PyTorch's; its products are not exact, see below
    if make is not None:
        return make(*xp.broadcast_arrays(real, imag))
    # A product with 1j is exact for finite values that are not negative. Other values are added
    # afterwards: complex addition works on each component separately.
    finite = xp.isfinite(imag)
    magnitude = xp.where(finite, xp.abs(imag), 0.0) * 1j
    infinite_part = constant(xp, complex(0.0, float("inf")), like=magnitude)
    nan_part = constant(xp, complex(0.0, float("nan")), like=magnitude)
    if not bool(xp.all(finite)):
        zero = constant(xp, 0.0, like=magnitude)
        rest = xp.where(xp.isnan(imag), nan_part, xp.where(finite, zero, infinite_part))
        magnitude = magnitude + rest
    magnitude = magnitude + xp.abs(real)
    # Signs come last: conj flips the sign of the imaginary component alone, also that of a zero.
    mirrored = xp.conj(magnitude)
    real_is_negative, imag_is_negative = xp.signbit(real), xp.signbit(imag)
    return xp.where(
        real_is_negative,
        xp.where(imag_is_negative, -magnitude, -mirrored),
        xp.where(imag_is_negative, mirrored, magnitude),
    )


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return ``s, e`` with ``s = fl(a + b)`` and ``s + e = a + b`` exactly (Knuth's TwoSum)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_square(xp: Any, a: Any) -> tuple[Any, Any]:
    """Return ``p, e`` with ``p = fl(a * a)`` and ``p + e = a * a`` exactly (Dekker's TwoProduct).

    Exact as long as nothing overflows or underflows.
    """
    splitter = 134217729.0 if a.dtype == xp.float64 else 4097.0  # 2**27 + 1, 2**12 + 1
    p = a * a
    t = splitter * a
    high = t - (t - a)
    low = a - high
    return p, ((high * high - p) + 2 * (high * low)) + low * low


def accurate_sum(terms: Sequence[Any]) -> Any:
    """Return the sum of a few arrays as if computed in three times their precision, rounded once.

    This is SumK with K = 3 (Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci.
    Comput. 26, 2005), across arrays.
    """
    values = list(terms)
    for _ in range(2):
        for i in range(1, len(values)):
            values[i], values[i - 1] = two_sum(values[i], values[i - 1])
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total
