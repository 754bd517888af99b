"""NumPy's elementwise functions that the standard does not have, for namespaces without them."""

from __future__ import annotations

from typing import Any

from corepy.backend.corrections.parts import is_real_floating
from corepy.backend.corrections.registry import standard

_ALL = ("numpy", "array_api_strict", "torch")


@standard("bitwise_count", *_ALL)
def bitwise_count(xp: Any, x: Any, /) -> Any:
    """Count the bits of absolute values. See `numpy.bitwise_count`."""
    if xp.isdtype(x.dtype, "signed integer"):
        x = xp.abs(x)  # of the least integer, whose only bit is the sign's, itself
    count = xp.zeros_like(x)
    for k in range(xp.iinfo(x.dtype).bits):
        count = count + ((x >> k) & 1)
    return xp.astype(count, xp.uint8)


def _of_numbers(xp: Any, chosen: Any, x1: Any, x2: Any) -> Any:
    if not is_real_floating(xp, chosen):
        return chosen
    return xp.where(xp.isnan(x1), x2, xp.where(xp.isnan(x2), x1, chosen))


@standard("fmax", *_ALL)
def fmax(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Return the greater element, or the other one beside NaN. See `numpy.fmax`."""
    if xp.isdtype(x1.dtype, "bool"):
        return x1 | x2
    return _of_numbers(xp, xp.maximum(x1, x2), x1, x2)


@standard("fmin", *_ALL)
def fmin(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Return the lesser element, or the other one beside NaN. See `numpy.fmin`."""
    if xp.isdtype(x1.dtype, "bool"):
        return x1 & x2
    return _of_numbers(xp, xp.minimum(x1, x2), x1, x2)


@standard("gcd", *_ALL)
def gcd(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Find greatest common divisors by Euclid's algorithm. See `numpy.gcd`."""
    a, b = xp.broadcast_arrays(x1, x2)
    zero = xp.zeros_like(b)
    while bool(xp.any(b != 0)):
        # Remainders of negative numbers are negative; the sign does not change the divisors.
        a, b = (
            xp.where(b == 0, a, b),
            xp.where(b == 0, zero, xp.remainder(a, xp.where(b == 0, 1, b))),
        )
    return xp.abs(a)


@standard("lcm", *_ALL)
def lcm(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Find least common multiples. See `numpy.lcm`."""
    divisor = gcd(xp, x1, x2)
    return xp.floor_divide(xp.abs(x1), xp.where(divisor == 0, 1, divisor)) * xp.abs(x2)


@standard("heaviside", *_ALL)
def heaviside(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Return 0 for negative numbers, 1 for positive ones and `x2` for 0. See `numpy.heaviside`."""
    sides = xp.where(x1 < 0, xp.zeros_like(x1), xp.where(x1 > 0, xp.ones_like(x1), x1))
    return xp.where(x1 == 0, x2, sides)


@standard("spacing", *_ALL)
def spacing(xp: Any, x: Any, /) -> Any:
    """Return the distance to the next number of greater magnitude. See `numpy.spacing`."""
    size = xp.abs(x)
    step = xp.nextafter(size, xp.full_like(size, float("inf"))) - size
    return xp.where(xp.isfinite(x), xp.where(x < 0, -step, step), x - x)


@standard("ldexp", *_ALL)
def ldexp(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Multiply by 2 to the integral part of `x2`, rounded once. See `numpy.ldexp`."""
    greatest, digits = (127, 24) if x1.dtype == xp.float32 else (1023, 53)
    down = 1 - greatest + digits  # the last product alone may be subnormal
    x, exponent = xp.broadcast_arrays(x1, xp.trunc(x2))
    for _ in range(2):
        above, below = exponent > greatest, exponent < 1 - greatest
        x = xp.where(above, x * 2.0**greatest, xp.where(below, x * 2.0**down, x))
        exponent = xp.where(above, exponent - greatest, xp.where(below, exponent - down, exponent))
    exponent = xp.clip(exponent, 1.0 - greatest, float(greatest))
    return x * xp.pow(xp.full_like(x, 2.0), exponent)


@standard("round_fractions", *_ALL)
def round_fractions(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Round to multiples of 1 / `x2`, as np.round does."""
    return xp.round(x1 * x2) / x2


@standard("round_multiples", *_ALL)
def round_multiples(xp: Any, x1: Any, x2: Any, /) -> Any:
    """Round to multiples of `x2`, as np.round does."""
    return xp.round(x1 / x2) * x2
