"""Elementary functions of a complex argument.

Formulas are here only where libraries lose accuracy (`expm1`, `log1p`, `sign`); everywhere else the
native function computes and the tables of `special_cases` put the standard's special cases in. Real
arguments go to the native function.

"numpy" below means NumPy 2.0 to 2.4 with the C library's complex functions (measured with glibc).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corepy.backend.corrections.parts import (
    accurate_sum,
    complex_from_parts,
    constant,
    is_complex,
    two_square,
)
from corepy.backend.corrections.registry import standard
from corepy.backend.corrections.special_cases import apply_special_cases


def _with_special_cases(operation: str) -> Callable[..., Any]:
    def function(xp: Any, x: Any, /) -> Any:
        """Compute the native function, and then the standard's special cases."""
        out = getattr(xp, operation)(x)
        return apply_special_cases(xp, operation, x, out) if is_complex(xp, x) else out

    return function


# NumPy before 2.3 returns NaN + NaN j as acosh(0 + NaN j), not NaN + (pi/2) j. A zero component of
# tan (where b is infinite) and of tanh (where a is) gets the sign of sin(2a), or of sin(2b).
for _operation in ("acosh", "tan", "tanh"):
    standard(_operation, "numpy", "array_api_strict", "torch")(_with_special_cases(_operation))


@standard("expm1", "numpy", "array_api_strict", "torch")
def expm1(xp: Any, x: Any, /) -> Any:
    """Compute ``exp(x) - 1``.

    NumPy returns NaN for most complex arguments with an infinite real component (``inf + 0j``),
    -0 for ``-0 + 0j``, and infinity where ``exp`` of the real component alone overflows.

    The result's error is a few units in the last place of its modulus. Where the real component
    is close to zero while the modulus is not, its own relative error is larger, as in every
    library.
    """
    if not is_complex(xp, x):
        return xp.expm1(x)
    if x.dtype == xp.complex64:
        return xp.astype(expm1(xp, xp.astype(x, xp.complex128)), xp.complex64)
    a, b = xp.real(x), xp.imag(x)
    exponential = xp.exp(x)
    # exp(a) cos(b) - 1 = (exp(a) - 1) cos(b) - 2 sin(b / 2)^2 has no cancellation near zero.
    near = xp.abs(a) < 1.0
    half_sine = xp.sin(0.5 * b)
    small = xp.expm1(xp.where(near, a, 0.0)) * xp.cos(b) - 2.0 * half_sine * half_sine
    real = xp.where(near, small + 0.0, xp.real(exponential) - 1.0)  # + 0.0: no negative zero
    return apply_special_cases(xp, "expm1", x, complex_from_parts(xp, real, xp.imag(exponential)))


@standard("log1p", "numpy", "array_api_strict", "torch")
def log1p(xp: Any, x: Any, /) -> Any:
    """Compute ``log(1 + x)``.

    NumPy computes the logarithm of ``abs(1 + x)`` for complex arguments and so loses every
    digit where that is close to 1, in particular near zero, the main use of the function.
    """
    if not is_complex(xp, x):
        return xp.log1p(x)
    if x.dtype == xp.complex64:
        return xp.astype(log1p(xp, xp.astype(x, xp.complex128)), xp.complex64)
    a, b = xp.real(x), xp.imag(x)
    logarithm = xp.log(complex_from_parts(xp, 1.0 + a, b))
    # log abs(1 + x) = log1p(t) / 2 with t = 2a + a^2 + b^2. Near abs(1 + x) = 1 the terms
    # cancel, so the sum is taken in extended precision.
    near = (xp.abs(a) < 3.0) & (xp.abs(b) < 2.0)
    zero = constant(xp, 0.0, like=a)
    a, b = xp.where(near, a, zero), xp.where(near, b, zero)
    t = accurate_sum((*two_square(xp, a), *two_square(xp, b), 2.0 * a))
    near = near & (t > -0.5) & (t < 3.0)
    real = xp.where(near, 0.5 * xp.log1p(xp.where(near, t, zero)), xp.real(logarithm))
    out = complex_from_parts(xp, real, xp.imag(logarithm))
    return apply_special_cases(xp, "log1p", x, out)


@standard("sign", "numpy", "array_api_strict", "torch")
def sign(xp: Any, x: Any, /) -> Any:
    """Compute ``x / abs(x)``, or 0 where `x` is 0.

    For complex arguments array-api-compat divides by a modulus that overflows or underflows;
    array-api-strict returns -0 components for a zero.

    NaN in one component makes both NaN. Infinities are left to how complex numbers are divided; as
    in NumPy, a number with one infinite component has the direction of that component, one with two
    has none (NaN).
    """
    if not is_complex(xp, x):
        return xp.sign(x)
    a, b = xp.real(x), xp.imag(x)
    one, none = constant(xp, 1.0, like=a), constant(xp, 0.0, like=a)
    a_rules, b_rules = xp.isinf(a) & xp.isfinite(b), xp.isinf(b) & xp.isfinite(a)
    a, b = (
        xp.where(a_rules, xp.copysign(one, a), xp.where(b_rules, none, a)),
        xp.where(b_rules, xp.copysign(one, b), xp.where(a_rules, none, b)),
    )
    largest = xp.maximum(xp.abs(a), xp.abs(b))
    zero = largest == 0
    # The larger component becomes 1: the modulus then neither overflows nor underflows.
    scale = xp.where(zero, one, largest)
    u, v = a / scale, b / scale
    modulus = xp.where(zero, one, xp.hypot(u, v))
    u, v = u / modulus, v / modulus
    nan = constant(xp, float("nan"), like=a)
    invalid = xp.isnan(a) | xp.isnan(b)
    u, v = xp.where(invalid, nan, u), xp.where(invalid, nan, v)
    # -0 / 1 is -0, and the standard requires 0 + 0j there.
    u, v = xp.where(zero, xp.abs(u), u), xp.where(zero, xp.abs(v), v)
    return complex_from_parts(xp, u, v)
