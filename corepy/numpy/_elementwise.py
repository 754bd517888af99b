"""Elementwise functions of NumPy's that are compositions of operations.

NumPy's ufuncs are functions of their operands alone here: the caller handles ``out=``, ``where=``
and the other keywords that all ufuncs have. Those that are operations of the schema need no
function.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, function_of, kind_of
from corepy.numpy._arguments import (
    Array,
    IntegerArray,
    NumericArray,
    Operand,
    RealArray,
    RealOperand,
    stored,
    takes,
)

__all__ = [
    "angle", "around", "deg2rad", "degrees", "divmod", "exp2", "fabs", "fix", "float_power", "fmod",
    "ldexp", "modf", "rad2deg", "radians", "real_if_close", "rint", "round", "sinc",
]  # fmt: skip

# Each dtype's own rounding of the factors, as in NumPy.
_DEGREES = {"f": float(np.float32(180) / np.float32(pi)), "d": 180.0 / pi}
_RADIANS = {"f": float(np.float32(pi) / np.float32(180)), "d": pi / 180.0}


def _is_wide(x: Any) -> bool:
    """Return whether NumPy computes in float32 or float64: in float16 for elements of a byte."""
    return x.dtype.itemsize > 1


def _floating(x: Tensor) -> Tensor:
    """Return an operand in the dtype in which NumPy's functions of real numbers compute."""
    return x if kind_of(x) in "fc" else xp.astype(x, np.dtype("df"[x.dtype.itemsize == 2]))


def _are_numbers(x1: Any, x2: Any) -> bool:
    """Return whether operands are not both bools, for which NumPy's functions compute in int8."""
    return xp.result_type(x1, x2).kind != "b"


# ---- ufuncs


@takes(_is_wide)
def deg2rad(x: RealArray, /) -> Tensor:
    """Convert angles from degrees to radians. See `numpy.deg2rad`."""
    x = _floating(x)
    return x * _RADIANS[x.dtype.char]


@takes(_is_wide)
def rad2deg(x: RealArray, /) -> Tensor:
    """Convert angles from radians to degrees. See `numpy.rad2deg`."""
    x = _floating(x)
    return x * _DEGREES[x.dtype.char]


radians = deg2rad
degrees = rad2deg


@takes(_are_numbers)
def divmod(x1: RealOperand, x2: RealOperand, /) -> tuple[Tensor, Tensor]:
    """Return quotients rounded down, and remainders. See `numpy.divmod`."""
    quotient, remainder = x1 // x2, x1 % x2
    if kind_of(remainder) == "f" and not xp.all(xp.isfinite(remainder)):
        # The standard and NumPy differ in quotients of infinities and by them.
        undefined = xp.isnan(remainder) & xp.not_equal(x2, 0.0)
        quotient = xp.where(undefined, np.nan, quotient)
        quotient = xp.where(xp.isinf(remainder), -1.0, quotient)
    return quotient, remainder


@takes(_is_wide)
def exp2(x: Array, /) -> Tensor:
    """Compute the powers of 2. See `numpy.exp2`."""
    return 2.0 ** _floating(x)


@takes(_is_wide)
def fabs(x: RealArray, /) -> Tensor:
    """Compute absolute values of real numbers. See `numpy.fabs`."""
    return abs(_floating(x))


@takes(_is_wide)
def rint(x: Array, /) -> Tensor:
    """Round to the nearest integers, halves to even ones. See `numpy.rint`."""
    return xp.round(_floating(x))


def float_power(x1: Operand, x2: Operand, /) -> Tensor:
    """Raise to powers, in double precision or better. See `numpy.float_power`."""
    dtype = np.dtype("D" if xp.result_type(x1, x2).kind == "c" else "d")
    if isinstance(x1, Tensor):
        x1 = xp.astype(x1, dtype, copy=False)
    if isinstance(x2, Tensor):
        x2 = xp.astype(x2, dtype, copy=False)
    return x1**x2


@takes(_are_numbers)
def fmod(x1: RealOperand, x2: RealOperand, /) -> Tensor:
    """Compute remainders with the sign of the dividend. See `numpy.fmod`."""
    kind = kind_of(xp.result_type(x1, x2))
    if kind == "f":
        # Exact: the remainder of nonnegative numbers is C's fmod.
        return xp.copysign(abs(x1) % abs(x2), x1)
    remainder = x1 % x2
    if kind == "u":
        return remainder
    # It has the sign of the divisor; an absolute value of the least integer would overflow.
    return xp.where(((remainder ^ x1) < 0) & (remainder != 0), remainder - x2, remainder)


_ldexp = function_of("ldexp")


@takes(lambda x1: _is_wide(x1))
def ldexp(x1: RealArray, x2: IntegerArray, /) -> Tensor:
    """Multiply by powers of 2. See `numpy.ldexp`."""
    x1 = _floating(x1)
    return _ldexp(x1, xp.astype(x2, x1.dtype))


@takes(_is_wide)
def modf(x: RealArray, /) -> tuple[Tensor, Tensor]:
    """Return fractional and integral parts, with the sign of `x`. See `numpy.modf`."""
    x = _floating(x)
    integral = xp.trunc(x)
    # Of infinities, the difference is NaN.
    fraction = xp.where(x == integral, 0.0, x - integral)
    return xp.copysign(fraction, x), integral


# ---- other functions


@takes(lambda z: _is_wide(z))
def angle(z: Array, deg: bool = False) -> Tensor:
    """Return the arguments of complex numbers. See `numpy.angle`."""
    if z.dtype.kind == "c":
        result = xp.atan2(xp.imag(z), xp.real(z))
    else:
        result = xp.atan2(0.0, _floating(z))
    if deg:
        result = result * _DEGREES["d"]
    return result


def fix(x: NumericArray, out: Tensor | None = None) -> Tensor:
    """Round towards zero. See `numpy.fix`."""
    return stored(xp.trunc(x), out)


def real_if_close(a: Array, tol: float = 100) -> Tensor:
    """Return the real parts if all imaginary parts are almost zero. See `numpy.real_if_close`."""
    if a.dtype.kind != "c":
        return a
    if tol > 1:
        tol = float(np.finfo(a.dtype).eps) * tol
    return xp.real(a) if xp.all(abs(xp.imag(a)) < tol) else a


_round_fractions, _round_multiples = map(function_of, ("round_fractions", "round_multiples"))


# The powers of 10 are exact.
@takes(lambda a, decimals: decimals == 0 or (kind_of(a) == "f" and -23 < decimals < 23)
       or (a.dtype.kind in "iu" and decimals > 0))  # fmt: skip
def round(a: NumericArray, decimals: int = 0, out: Tensor | None = None) -> Tensor:
    """Round to decimals, halves to even. See `numpy.round`."""
    if decimals == 0 or kind_of(a) != "f":
        return stored(xp.round(a), out)
    rounded = _round_fractions if decimals > 0 else _round_multiples
    return stored(rounded(a, 10.0 ** abs(decimals)), out)


around = round


def sinc(x: Array) -> Tensor:
    """Compute ``sin(pi x) / (pi x)``, which is 1 at 0. See `numpy.sinc`."""
    angles = x * pi
    # The quotient of a tiny number is 1, without a division by zero.
    tiny = float(np.finfo(angles.dtype).eps) if kind_of(angles) == "f" else 1e-20
    angles = xp.where(angles == 0.0, tiny, angles)
    result = xp.sin(angles)
    result /= angles
    return result
