"""Elementwise functions of NumPy's that the standard lacks.

NumPy's ufuncs are functions of their operands alone here: the caller handles ``out=``, ``where=``
and the other keywords that all ufuncs have.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from corepy import array_api as xp
from corepy._cython.core import Tensor, cpu
from corepy._cython.cpu import further
from corepy.numpy._arguments import Forward, stored, tensor, tensors

__all__ = [
    "angle", "around", "bitwise_count", "deg2rad", "degrees", "divmod", "exp2", "fabs", "fix",
    "float_power", "fmax", "fmin", "fmod", "gcd", "heaviside", "lcm", "modf", "rad2deg", "radians",
    "real_if_close", "rint", "round", "sinc",
]  # fmt: skip

# Each dtype's own rounding of the factors, as in NumPy.
_DEGREES = {"f": float(np.float32(180) / np.float32(pi)), "d": 180.0 / pi}
_RADIANS = {"f": float(np.float32(pi) / np.float32(180)), "d": pi / 180.0}
_SCALARS = (bool, int, float, complex)


def _operands(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Return two operands, at least one as a tensor.

    A Python scalar stays one beside a tensor: the other operand decides its dtype.
    """
    if isinstance(x1, Tensor):
        if not isinstance(x2, Tensor) and type(x2) not in _SCALARS:
            x2 = tensor(x2, x1)
    elif type(x1) not in _SCALARS or type(x2) in _SCALARS:
        x1, x2 = tensors(x1, x2) if type(x2) not in _SCALARS else (tensor(x1), x2)
    elif not isinstance(x2, Tensor):
        x2 = tensor(x2)
    return x1, x2


def _common_dtype(x1: Any, x2: Any) -> np.dtype[Any]:
    """Return the dtype that two operands promote to; bools are NumPy's, which makes them int8."""
    if isinstance(x1, Tensor) and (
        type(x2) is float or (isinstance(x2, Tensor) and x1.dtype == x2.dtype)
    ):
        dtype = x1.dtype if x1.dtype.kind in "fc" or isinstance(x2, Tensor) else np.dtype("d")
    else:
        dtype = xp.result_type(x1, x2)
    if dtype.kind == "b":
        raise Forward
    return dtype


def _floating_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which NumPy's functions of real numbers compute for this one."""
    if dtype.kind == "f":
        return dtype
    if dtype.kind == "c" or dtype.itemsize == 1:  # refused, or float16
        raise Forward
    return np.dtype("f" if dtype.itemsize == 2 else "d")


def _floating(x: Any) -> Tensor:
    """Return an operand in the dtype in which NumPy's functions of real numbers compute."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    return x if x.dtype.kind == "f" else xp.astype(x, _floating_dtype(x.dtype))


# ---- ufuncs


def deg2rad(x: Any, /) -> Tensor:
    """Convert angles from degrees to radians. See `numpy.deg2rad`."""
    x = _floating(x)
    return x * _RADIANS[x.dtype.char]


def rad2deg(x: Any, /) -> Tensor:
    """Convert angles from radians to degrees. See `numpy.rad2deg`."""
    x = _floating(x)
    return x * _DEGREES[x.dtype.char]


radians = deg2rad
degrees = rad2deg


def divmod(x1: Any, x2: Any, /) -> tuple[Tensor, Tensor]:
    """Return quotients rounded down, and remainders. See `numpy.divmod`."""
    x1, x2 = _operands(x1, x2)
    kind = _common_dtype(x1, x2).kind
    quotient, remainder = x1 // x2, x1 % x2
    if kind == "f" and not xp.all(xp.isfinite(remainder)):
        # The standard and NumPy differ in quotients of infinities and by them.
        undefined = xp.isnan(remainder) & xp.not_equal(x2, 0.0)
        quotient = xp.where(undefined, np.nan, quotient)
        quotient = xp.where(xp.isinf(remainder), -1.0, quotient)
    return quotient, remainder


def exp2(x: Any, /) -> Tensor:
    """Compute the powers of 2. See `numpy.exp2`."""
    return 2.0 ** _floating(x)


def fabs(x: Any, /) -> Tensor:
    """Compute absolute values of real numbers. See `numpy.fabs`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    if x.dtype.kind == "c":
        raise Forward
    return abs(_floating(x))


def rint(x: Any, /) -> Tensor:
    """Round to the nearest integers, halves to even ones. See `numpy.rint`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    return xp.round(x if x.dtype.kind == "c" else _floating(x))


def float_power(x1: Any, x2: Any, /) -> Tensor:
    """Raise to powers, in double precision or better. See `numpy.float_power`."""
    x1, x2 = _operands(x1, x2)
    is_complex = xp.result_type(x1, x2).kind == "c"
    dtype = np.dtype("D" if is_complex else "d")
    if isinstance(x1, Tensor):
        x1 = xp.astype(x1, dtype, copy=False)
    if isinstance(x2, Tensor):
        x2 = xp.astype(x2, dtype, copy=False)
    return x1**x2


def fmod(x1: Any, x2: Any, /) -> Tensor:
    """Compute remainders with the sign of the dividend. See `numpy.fmod`."""
    x1, x2 = _operands(x1, x2)
    kind = _common_dtype(x1, x2).kind
    if kind == "f":
        # Exact: the remainder of nonnegative numbers is C's fmod.
        return xp.copysign(abs(x1) % abs(x2), x1)
    if kind == "c":
        raise Forward
    remainder = x1 % x2
    if kind == "u":
        return remainder
    # It has the sign of the divisor; an absolute value of the least integer would overflow.
    return xp.where(((remainder ^ x1) < 0) & (remainder != 0), remainder - x2, remainder)


def heaviside(x1: Any, x2: Any, /) -> Tensor:
    """Return 0 for negative numbers, 1 for positive ones and `x2` for 0. See `numpy.heaviside`."""
    x1, x2 = _operands(x1, x2)
    result = further.heaviside(x1, x2)
    if result is not None:
        return result
    dtype = _common_dtype(x1, x2)
    for x in (x1, x2):
        if isinstance(x, Tensor) and x.dtype.kind != "f" and x.dtype.itemsize < 4:
            raise Forward  # some of these become float16
    dtype = _floating_dtype(dtype)
    x1 = tensor(x1, x2) if not isinstance(x1, Tensor) else x1
    if isinstance(x2, Tensor):
        x2 = xp.astype(x2, dtype, copy=False)
    x1 = xp.astype(x1, dtype, copy=False)
    return xp.where(x1 == 0.0, x2, xp.clip(xp.sign(x1), 0.0, None))


def _elsewhere(*operands: Any) -> None:
    """Leave calls to NumPy on the CPU, where the kernels take all dtypes that it can take."""
    for x in operands:
        if isinstance(x, Tensor) and x.device.backend is cpu:
            raise Forward


def bitwise_count(x: Any, /) -> Tensor:
    """Count the bits of absolute values. See `numpy.bitwise_count`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    result = further.bitwise_count(x)
    if result is None:
        _elsewhere(x)
        if x.dtype.kind not in "iu":
            raise Forward
        x = abs(x)  # of the least integer, whose only bit is the sign's, itself
        result = xp.zeros_like(x)
        for k in range(8 * x.dtype.itemsize):
            result += (x >> k) & 1
        result = xp.astype(abs(result), np.dtype("B"))
    return result


def fmax(x1: Any, x2: Any, /) -> Tensor:
    """Return the greater of two elements, ignoring NaN. See `numpy.fmax`."""
    x1, x2 = _operands(x1, x2)
    result = further.fmax(x1, x2)
    return _of_numbers(xp.maximum, x1, x2) if result is None else result


def fmin(x1: Any, x2: Any, /) -> Tensor:
    """Return the lesser of two elements, ignoring NaN. See `numpy.fmin`."""
    x1, x2 = _operands(x1, x2)
    result = further.fmin(x1, x2)
    return _of_numbers(xp.minimum, x1, x2) if result is None else result


def _of_numbers(choose: Any, x1: Any, x2: Any) -> Tensor:
    _elsewhere(x1, x2)
    if xp.result_type(x1, x2).kind == "c":
        raise Forward
    chosen = choose(x1, x2)
    if chosen.dtype.kind != "f":
        return chosen
    return xp.where(xp.not_equal(x1, x1), x2, xp.where(xp.not_equal(x2, x2), x1, chosen))


def gcd(x1: Any, x2: Any, /) -> Tensor:
    """Find greatest common divisors. See `numpy.gcd`."""
    x1, x2 = _operands(x1, x2)
    result = further.gcd(x1, x2)
    return _divisors(x1, x2)[0] if result is None else result


def lcm(x1: Any, x2: Any, /) -> Tensor:
    """Find least common multiples. See `numpy.lcm`."""
    x1, x2 = _operands(x1, x2)
    result = further.lcm(x1, x2)
    if result is None:
        divisor, first, second = _divisors(x1, x2)
        result = first // xp.where(divisor == 0, 1, divisor) * second
    return result


def _divisors(x1: Any, x2: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Return greatest common divisors, by Euclid's algorithm, and absolute values."""
    _elsewhere(x1, x2)
    dtype = _common_dtype(x1, x2)
    if dtype.kind not in "iu":
        raise Forward
    like = x1 if isinstance(x1, Tensor) else x2
    a, b = (
        abs(xp.astype(x, dtype))
        if isinstance(x, Tensor)
        else xp.full((), abs(x), dtype=dtype, device=like.device)
        for x in (x1, x2)
    )
    if dtype.kind == "i" and bool(xp.any(a < 0) | xp.any(b < 0)):
        raise Forward  # the least integer has no absolute value
    a, b = xp.broadcast_arrays(a, b)
    first, second = a, b
    while bool(xp.any(b != 0)):
        a, b = xp.where(b == 0, a, b), xp.where(b == 0, 0, a % xp.where(b == 0, 1, b))
    return a, first, second


def modf(x: Any, /) -> tuple[Tensor, Tensor]:
    """Return fractional and integral parts, with the sign of `x`. See `numpy.modf`."""
    x = _floating(x)
    integral = xp.trunc(x)
    # Of infinities, the difference is NaN.
    fraction = xp.where(x == integral, 0.0, x - integral)
    return xp.copysign(fraction, x), integral


# ---- other functions


def angle(z: Any, deg: bool = False) -> Tensor:
    """Return the arguments of complex numbers. See `numpy.angle`."""
    if not isinstance(z, Tensor):
        z = tensor(z)
    if z.dtype.kind == "c":
        result = xp.atan2(xp.imag(z), xp.real(z))
    else:
        result = xp.atan2(0.0, _floating(z))
    if deg:
        result = result * _DEGREES["d"]
    return result


def fix(x: Any, out: Any = None) -> Tensor:
    """Round towards zero. See `numpy.fix`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    return stored(xp.trunc(x), out)


def real_if_close(a: Any, tol: float = 100) -> Tensor:
    """Return the real parts if all imaginary parts are almost zero. See `numpy.real_if_close`."""
    if not isinstance(a, Tensor):
        a = tensor(a)
    if a.dtype.kind != "c":
        return a
    if tol > 1:
        tol = float(np.finfo(a.dtype).eps) * tol
    return xp.real(a) if xp.all(abs(xp.imag(a)) < tol) else a


def round(a: Any, decimals: int = 0, out: Any = None) -> Tensor:
    """Round to decimals, halves to even. See `numpy.round`."""
    if not isinstance(a, Tensor):
        a = tensor(a)
    kind = a.dtype.kind
    if kind == "b" or (decimals != 0 and kind == "c") or type(decimals) is not int:
        raise Forward
    if decimals == 0 or (decimals > 0 and kind in "iu"):
        return stored(xp.round(a), out)
    if kind != "f":
        raise Forward
    if -23 < decimals < 23:  # the powers of 10 are exact
        result = further.round_to(a, 10.0 ** abs(decimals), decimals > 0)
        if result is not None:
            return result if out is None else stored(result, out)
    if decimals > 0:
        factor = 10.0**decimals
        result = xp.round(a * factor)
        result /= factor
    else:
        factor = 10.0**-decimals
        result = xp.round(a / factor)
        result *= factor
    return stored(result, out)


def around(a: Any, decimals: int = 0, out: Any = None) -> Tensor:
    """Round to decimals, halves to even. See `numpy.around`."""
    return round(a, decimals, out)


def sinc(x: Any) -> Tensor:
    """Compute ``sin(pi x) / (pi x)``, which is 1 at 0. See `numpy.sinc`."""
    if not isinstance(x, Tensor):
        x = tensor(x)
    angles = x * pi
    # The quotient of a tiny number is 1, without a division by zero.
    tiny = float(np.finfo(angles.dtype).eps) if angles.dtype.kind == "f" else 1e-20
    angles = xp.where(angles == 0.0, tiny, angles)
    result = xp.sin(angles)
    result /= angles
    return result
