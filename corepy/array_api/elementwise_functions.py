"""Elementwise functions (array API standard 2025.12, "Elementwise functions").

These rules apply to all of them; the documentation of a function describes only the rest:

- An operand may be a Tensor or an object that `asarray` converts (a list, a NumPy array). One of
  two operands may be a Python scalar, which takes the dtype of the other if its kind allows.
  The result is on the device of the operands.
- Two operands are broadcast together and promoted by the standard's rules; if it leaves promotion
  open (integers with floating-point numbers, Python scalars of a higher kind), by NumPy 2's.
- No operation warns or raises because of a value: overflow, division by zero and invalid arguments
  give infinities and NaN.
- Operands of a dtype that the operation does not have raise ``TypeError``, shapes that do not
  broadcast ``ValueError``; operands on different devices raise an error that names both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING


from cython.cimports.corepy._cython import core

if TYPE_CHECKING:
    from corepy._cython.core import Tensor

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def abs(x: Tensor, /) -> Tensor:
    """Absolute value of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype.

    Returns
    -------
    Tensor
        The magnitudes: same dtype as ``x``, or for complex ``x`` the real dtype of its
        components.

    Notes
    -----
    For complex numbers the magnitude ``hypot(real(x), imag(x))``, computed without overflow or
    underflow on the way; it is infinity as soon as one component is infinite, even beside a NaN.
    ``abs(-0.0)`` is ``+0.0``. The smallest number of a signed integer dtype has no counterpart
    and stays as it is.

    References
    ----------
    array API 2025.12, elementwise_functions.abs
    """
    return core.unary(core.OP_abs, x)


def acos(x: Tensor, /) -> Tensor:
    """Inverse cosine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The angles in radians, from 0 to pi, of the floating-point dtype of ``x`` (float64 for
        bool and integers).

    Notes
    -----
    NaN outside [-1, 1]; ``acos(1)`` is ``+0``. Complex numbers have branch cuts on the real axis
    outside [-1, 1], and the real part of the result lies in [0, pi].

    References
    ----------
    array API 2025.12, elementwise_functions.acos
    """
    return core.unary(core.OP_acos, x)


def acosh(x: Tensor, /) -> Tensor:
    """Inverse hyperbolic cosine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, zero or greater for real ``x``, of the floating-point dtype of ``x`` (float64
        for bool and integers).

    Notes
    -----
    NaN below 1; ``acosh(1)`` is ``+0``. Complex numbers have a branch cut on the real axis below
    1.

    References
    ----------
    array API 2025.12, elementwise_functions.acosh
    """
    return core.unary(core.OP_acosh, x)


def add(x1: Tensor | int | float | complex, x2: Tensor | int | float | complex, /) -> Tensor:
    """Sum of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or Python number
        Any dtype; shapes that broadcast together.

    Returns
    -------
    Tensor
        The sums, of the promoted dtype.

    Notes
    -----
    Integers wrap around on overflow. For two bool arrays the result is their logical or, as in
    NumPy. Infinities of opposite sign add up to NaN, and ``-0 + -0`` is ``-0``, every other sum
    of zeros ``+0``.

    References
    ----------
    array API 2025.12, elementwise_functions.add

    Examples
    --------
    >>> xp.add(xp.asarray([1, 2]), 10)
    Tensor([11, 12])
    """
    return core.binary(core.OP_add, x1, x2)


def asin(x: Tensor, /) -> Tensor:
    """Inverse sine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The angles in radians, from -pi/2 to pi/2, of the floating-point dtype of ``x`` (float64
        for bool and integers).

    Notes
    -----
    NaN outside [-1, 1]; zeros keep their sign. Complex numbers have branch cuts on the real axis
    outside [-1, 1]; special cases are those of ``-1j * asinh(1j * x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.asin
    """
    return core.unary(core.OP_asin, x)


def asinh(x: Tensor, /) -> Tensor:
    """Inverse hyperbolic sine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros and infinities are returned unchanged. Complex numbers have branch cuts on the imaginary
    axis outside [-1j, 1j].

    References
    ----------
    array API 2025.12, elementwise_functions.asinh
    """
    return core.unary(core.OP_asinh, x)


def atan(x: Tensor, /) -> Tensor:
    """Inverse tangent of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The angles in radians, from -pi/2 to pi/2, of the floating-point dtype of ``x`` (float64
        for bool and integers).

    Notes
    -----
    Infinities give plus or minus pi/2; zeros keep their sign. Complex numbers have branch cuts on
    the imaginary axis outside [-1j, 1j]; special cases are those of ``-1j * atanh(1j * x)``.

    See `atan2` for the angle of a point, in all four quadrants.

    References
    ----------
    array API 2025.12, elementwise_functions.atan
    """
    return core.unary(core.OP_atan, x)


def atan2(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Angle of the point with ordinate ``x1`` and abscissa ``x2``, element by element.

    Parameters
    ----------
    x1 : Tensor, int or float
        Ordinates; bool or real dtype (bool and integers are computed as float64).
    x2 : Tensor, int or float
        Abscissas; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        The angles in radians, from -pi to pi, of the promoted floating-point dtype.

    Notes
    -----
    Signs of zeros count: ``atan2(+0, -0)`` is pi and ``atan2(-0, -0)`` is -pi. Two infinities
    give an odd multiple of pi/4. NaN if either is NaN.

    References
    ----------
    array API 2025.12, elementwise_functions.atan2
    """
    return core.binary(core.OP_atan2, x1, x2)


def atanh(x: Tensor, /) -> Tensor:
    """Inverse hyperbolic tangent of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Infinite at 1 and -1, NaN outside [-1, 1]; zeros keep their sign. Complex numbers have branch
    cuts on the real axis outside [-1, 1].

    References
    ----------
    array API 2025.12, elementwise_functions.atanh
    """
    return core.unary(core.OP_atanh, x)


def bitwise_and(x1: Tensor | int | bool, x2: Tensor | int | bool, /) -> Tensor:
    """Bitwise and of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or bool
        Both of bool or integer dtype; shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 & x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand has a floating-point or complex dtype.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_and
    """
    return core.binary(core.OP_bitwise_and, x1, x2)


def bitwise_invert(x: Tensor, /) -> Tensor:
    """Invert every bit of each element.

    Parameters
    ----------
    x : Tensor
        Bool or integer dtype.

    Returns
    -------
    Tensor
        ``~x``, of the dtype of ``x``.

    Raises
    ------
    TypeError
        If ``x`` has a floating-point or complex dtype.

    Notes
    -----
    For bool this is `logical_not`.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_invert
    """
    return core.unary(core.OP_bitwise_invert, x)


def bitwise_left_shift(x1: Tensor | int, x2: Tensor | int, /) -> Tensor:
    """Shift the bits of each element to the left, filling with zeros.

    Parameters
    ----------
    x1 : Tensor or int
        What to shift; integer dtype.
    x2 : Tensor or int
        By how many bits, zero or more; integer dtype, of a shape that broadcasts with that of
        ``x1``.

    Returns
    -------
    Tensor
        ``x1 << x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand does not have an integer dtype.

    Notes
    -----
    Shifting by the width of the dtype or more gives 0.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_left_shift
    """
    return core.binary(core.OP_bitwise_left_shift, x1, x2)


def bitwise_or(x1: Tensor | int | bool, x2: Tensor | int | bool, /) -> Tensor:
    """Bitwise or of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or bool
        Both of bool or integer dtype; shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 | x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand has a floating-point or complex dtype.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_or
    """
    return core.binary(core.OP_bitwise_or, x1, x2)


def bitwise_right_shift(x1: Tensor | int, x2: Tensor | int, /) -> Tensor:
    """Shift the bits of each element to the right, keeping the sign.

    Parameters
    ----------
    x1 : Tensor or int
        What to shift; integer dtype.
    x2 : Tensor or int
        By how many bits, zero or more; integer dtype, of a shape that broadcasts with that of
        ``x1``.

    Returns
    -------
    Tensor
        ``x1 >> x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand does not have an integer dtype.

    Notes
    -----
    The same as floor division by ``2**x2``: shifting by the width of the dtype or more gives 0,
    or -1 for negative numbers.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_right_shift
    """
    return core.binary(core.OP_bitwise_right_shift, x1, x2)


def bitwise_xor(x1: Tensor | int | bool, x2: Tensor | int | bool, /) -> Tensor:
    """Bitwise exclusive or of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or bool
        Both of bool or integer dtype; shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 ^ x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand has a floating-point or complex dtype.

    References
    ----------
    array API 2025.12, elementwise_functions.bitwise_xor
    """
    return core.binary(core.OP_bitwise_xor, x1, x2)


def ceil(x: Tensor, /) -> Tensor:
    """Round each element up to the next integer.

    Parameters
    ----------
    x : Tensor
        Real dtype.

    Returns
    -------
    Tensor
        The rounded values, of the dtype of ``x``.

    Notes
    -----
    Integers, infinities, NaN and signed zeros are returned unchanged.

    References
    ----------
    array API 2025.12, elementwise_functions.ceil
    """
    return core.unary(core.OP_ceil, x)


def clip(
    x: Tensor,
    /,
    min: Tensor | int | float | None = None,
    max: Tensor | int | float | None = None,
) -> Tensor:
    """Limit each element to an interval.

    Parameters
    ----------
    x : Tensor
        Bool or real dtype.
    min, max : Tensor, int, float or None, optional
        Ends of the interval, inclusive; None is no limit on that side. Of shapes that broadcast
        with that of ``x``.

    Returns
    -------
    Tensor
        The limited elements, of the promoted dtype: that of ``x`` if the ends are Python scalars of
        its kind or arrays of its dtype.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    NaN where an operand is NaN. What is returned where ``min`` is greater than ``max`` is not
    specified.

    References
    ----------
    array API 2025.12, elementwise_functions.clip

    Examples
    --------
    >>> xp.clip(xp.asarray([-2, 0, 2]), -1, 1)
    Tensor([-1,  0,  1])
    """
    return core.clip(x, min, max)


def conj(x: Tensor, /) -> Tensor:
    """Complex conjugate of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        ``x`` with the sign of the imaginary parts changed, of the dtype of ``x``.

    Notes
    -----
    Real numbers are returned unchanged.

    References
    ----------
    array API 2025.12, elementwise_functions.conj
    """
    return core.unary(core.OP_conj, x)


def copysign(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Magnitudes of one array with the signs of another.

    Parameters
    ----------
    x1 : Tensor, int or float
        Magnitudes; bool or real dtype (bool and integers are computed as float64).
    x2 : Tensor, int or float
        Numbers whose signs are taken; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        The values, of the promoted floating-point dtype.

    Notes
    -----
    Only sign bits are read and written, so -0 counts as negative, and NaN has a sign in both
    operands.

    References
    ----------
    array API 2025.12, elementwise_functions.copysign
    """
    return core.binary(core.OP_copysign, x1, x2)


def cos(x: Tensor, /) -> Tensor:
    """Cosine of each element.

    Parameters
    ----------
    x : Tensor
        Angles in radians. Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The cosines, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    ``cos(0)`` is 1; infinities give NaN. For complex numbers special cases are those of ``cosh(1j
    * x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.cos
    """
    return core.unary(core.OP_cos, x)


def cosh(x: Tensor, /) -> Tensor:
    """Hyperbolic cosine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    ``cosh(0)`` is 1 and both infinities give ``+infinity``; ``cosh(-x)`` equals ``cosh(x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.cosh
    """
    return core.unary(core.OP_cosh, x)


def divide(x1: Tensor | int | float | complex, x2: Tensor | int | float | complex, /) -> Tensor:
    """Quotient of two arrays, element by element (true division).

    Parameters
    ----------
    x1 : Tensor or Python number
        Dividend; any dtype (bool and integers are divided as float64).
    x2 : Tensor or Python number
        Divisor; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        ``x1 / x2``, of the promoted floating-point dtype.

    Notes
    -----
    Division by zero gives an infinity of the sign of the quotient, and NaN for ``0 / 0``; nothing
    is raised or warned about. Infinity divided by infinity is NaN. See `floor_divide` for a
    quotient of integers.

    References
    ----------
    array API 2025.12, elementwise_functions.divide

    Examples
    --------
    >>> xp.divide(xp.asarray([1, 2]), 2)
    Tensor([0.5, 1. ])
    """
    return core.binary(core.OP_divide, x1, x2)


def equal(
    x1: Tensor | int | float | complex | bool, x2: Tensor | int | float | complex | bool, /
) -> Tensor:
    """Test whether two arrays are equal, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or Python scalar
        Any dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 == x2``, of dtype bool.

    Notes
    -----
    NaN is not equal to anything, itself included; ``-0`` equals ``+0``. Complex numbers are equal
    if both components are.

    References
    ----------
    array API 2025.12, elementwise_functions.equal
    """
    return core.binary(core.OP_equal, x1, x2)


def exp(x: Tensor, /) -> Tensor:
    """Exponential of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        ``e`` to the power of the elements, of the floating-point dtype of ``x`` (float64 for bool
        and integers).

    Notes
    -----
    ``exp(0)`` is 1, ``exp(-infinity)`` is ``+0`` and ``exp(+infinity)`` is ``+infinity``. See
    `expm1` for small ``x``.

    References
    ----------
    array API 2025.12, elementwise_functions.exp
    """
    return core.unary(core.OP_exp, x)


def expm1(x: Tensor, /) -> Tensor:
    """``exp(x) - 1`` for each element, accurate near zero.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros keep their sign; ``expm1(-infinity)`` is -1. For complex numbers see the table in the
    standard: an infinite real part gives ``+infinity * cis(imag(x)) - 1`` or ``0 * cis(imag(x)) -
    1``, where ``cis(v)`` is ``cos(v) + 1j * sin(v)``.

    References
    ----------
    array API 2025.12, elementwise_functions.expm1
    """
    return core.unary(core.OP_expm1, x)


def floor(x: Tensor, /) -> Tensor:
    """Round each element down to the next integer.

    Parameters
    ----------
    x : Tensor
        Real dtype.

    Returns
    -------
    Tensor
        The rounded values, of the dtype of ``x``.

    Notes
    -----
    Integers, infinities, NaN and signed zeros are returned unchanged.

    References
    ----------
    array API 2025.12, elementwise_functions.floor
    """
    return core.unary(core.OP_floor, x)


def floor_divide(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Quotient of two arrays rounded down, element by element.

    Parameters
    ----------
    x1 : Tensor, int or float
        Dividend; bool or real dtype.
    x2 : Tensor, int or float
        Divisor; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        ``floor(x1 / x2)``, of the promoted dtype (int8 for two bool arrays).

    Notes
    -----
    Floating-point numbers get the floor of the true quotient in all special cases, as the
    standard prefers: dividing by zero gives an infinity (``0 // 0`` NaN), an infinite dividend
    stays infinite, and a finite number divided by infinity gives a zero of the sign of the
    quotient (where Python gives -1 if the signs differ). Integer division by zero gives 0.

    References
    ----------
    array API 2025.12, elementwise_functions.floor_divide

    Examples
    --------
    >>> xp.floor_divide(xp.asarray([7, -7]), 2)
    Tensor([ 3, -4])
    """
    return core.binary(core.OP_floor_divide, x1, x2)


def greater(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Test whether one array is greater than another, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 > x2``, of dtype bool.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    False where an operand is NaN. Integers are compared by value, a signed with an unsigned one
    too.

    References
    ----------
    array API 2025.12, elementwise_functions.greater
    """
    return core.binary(core.OP_greater, x1, x2)


def greater_equal(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Test whether one array is greater than or equal to another, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 >= x2``, of dtype bool.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    False where an operand is NaN. Integers are compared by value, a signed with an unsigned one
    too.

    References
    ----------
    array API 2025.12, elementwise_functions.greater_equal
    """
    return core.binary(core.OP_greater_equal, x1, x2)


def hypot(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Length of the hypotenuse of right-angled triangles, ``sqrt(x1**2 + x2**2)``.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes (bool and integers are computed as float64), of shapes that broadcast
        together.

    Returns
    -------
    Tensor
        The lengths, of the promoted floating-point dtype.

    Notes
    -----
    Does not overflow or underflow on the way. ``+infinity`` if either operand is infinite, even
    beside a NaN.

    References
    ----------
    array API 2025.12, elementwise_functions.hypot

    Examples
    --------
    >>> xp.hypot(xp.asarray(3.0), 4)
    Tensor(5.)
    """
    return core.binary(core.OP_hypot, x1, x2)


def imag(x: Tensor, /) -> Tensor:
    """Imaginary part of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        The imaginary parts, of the real dtype of the components; zeros of the dtype of ``x`` if
        ``x`` is real.

    References
    ----------
    array API 2025.12, elementwise_functions.imag
    """
    return core.unary(core.OP_imag, x)


def isfinite(x: Tensor, /) -> Tensor:
    """Test whether each element is neither infinite nor NaN.

    Parameters
    ----------
    x : Tensor
        Any dtype.

    Returns
    -------
    Tensor
        The answers, of dtype bool.

    Notes
    -----
    A complex number is finite if both components are; integers and bool are always finite.

    References
    ----------
    array API 2025.12, elementwise_functions.isfinite
    """
    return core.unary(core.OP_isfinite, x)


def isinf(x: Tensor, /) -> Tensor:
    """Test whether each element is infinite.

    Parameters
    ----------
    x : Tensor
        Any dtype.

    Returns
    -------
    Tensor
        The answers, of dtype bool.

    Notes
    -----
    A complex number is infinite if a component is, even if the other one is NaN.

    References
    ----------
    array API 2025.12, elementwise_functions.isinf
    """
    return core.unary(core.OP_isinf, x)


def isnan(x: Tensor, /) -> Tensor:
    """Test whether each element is NaN.

    Parameters
    ----------
    x : Tensor
        Any dtype.

    Returns
    -------
    Tensor
        The answers, of dtype bool.

    Notes
    -----
    A complex number is NaN if a component is.

    References
    ----------
    array API 2025.12, elementwise_functions.isnan
    """
    return core.unary(core.OP_isnan, x)


def less(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Test whether one array is less than another, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 < x2``, of dtype bool.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    False where an operand is NaN. Integers are compared by value, a signed with an unsigned one
    too.

    References
    ----------
    array API 2025.12, elementwise_functions.less
    """
    return core.binary(core.OP_less, x1, x2)


def less_equal(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Test whether one array is less than or equal to another, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 <= x2``, of dtype bool.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    False where an operand is NaN. Integers are compared by value, a signed with an unsigned one
    too.

    References
    ----------
    array API 2025.12, elementwise_functions.less_equal
    """
    return core.binary(core.OP_less_equal, x1, x2)


def log(x: Tensor, /) -> Tensor:
    """Natural logarithm of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The logarithms, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    ``log(0)`` is ``-infinity``; NaN for negative real numbers. Complex numbers have a branch cut
    on the negative real axis.

    References
    ----------
    array API 2025.12, elementwise_functions.log
    """
    return core.unary(core.OP_log, x)


def log1p(x: Tensor, /) -> Tensor:
    """``log(1 + x)`` for each element, accurate near zero.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The logarithms, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros keep their sign; ``log1p(-1)`` is ``-infinity``, and NaN follows below -1. Complex
    numbers have a branch cut on the real axis below -1.

    References
    ----------
    array API 2025.12, elementwise_functions.log1p
    """
    return core.unary(core.OP_log1p, x)


def log2(x: Tensor, /) -> Tensor:
    """Logarithm to base 2 of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The logarithms, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    ``log2(0)`` is ``-infinity``; NaN for negative real numbers. Powers of two give exact
    integers. Complex numbers have a branch cut on the negative real axis.

    References
    ----------
    array API 2025.12, elementwise_functions.log2
    """
    return core.unary(core.OP_log2, x)


def log10(x: Tensor, /) -> Tensor:
    """Logarithm to base 10 of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The logarithms, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    ``log10(0)`` is ``-infinity``; NaN for negative real numbers. Complex numbers have a branch
    cut on the negative real axis.

    References
    ----------
    array API 2025.12, elementwise_functions.log10
    """
    return core.unary(core.OP_log10, x)


def logaddexp(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """``log(exp(x1) + exp(x2))``, element by element, without overflow.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes (bool and integers are computed as float64), of shapes that broadcast
        together.

    Returns
    -------
    Tensor
        The logarithms, of the promoted floating-point dtype.

    Notes
    -----
    NaN if either operand is NaN, else ``+infinity`` if either is ``+infinity``; two ``-infinity``
    stay ``-infinity``. Useful for sums of probabilities that are kept as logarithms.

    References
    ----------
    array API 2025.12, elementwise_functions.logaddexp
    """
    return core.binary(core.OP_logaddexp, x1, x2)


def logical_and(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Logical and of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or bool
        Any dtypes, of shapes that broadcast together. Numbers count as true unless they are zero.

    Returns
    -------
    Tensor
        True where both operands are, of dtype bool.

    References
    ----------
    array API 2025.12, elementwise_functions.logical_and
    """
    return core.binary(core.OP_logical_and, x1, x2)


def logical_not(x: Tensor, /) -> Tensor:
    """Logical negation of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; numbers count as true unless they are zero.

    Returns
    -------
    Tensor
        True where ``x`` is false, of dtype bool.

    References
    ----------
    array API 2025.12, elementwise_functions.logical_not
    """
    return core.unary(core.OP_logical_not, x)


def logical_or(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Logical or of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or bool
        Any dtypes, of shapes that broadcast together. Numbers count as true unless they are zero.

    Returns
    -------
    Tensor
        True where at least one operand is, of dtype bool.

    References
    ----------
    array API 2025.12, elementwise_functions.logical_or
    """
    return core.binary(core.OP_logical_or, x1, x2)


def logical_xor(x1: Tensor | bool, x2: Tensor | bool, /) -> Tensor:
    """Logical exclusive or of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or bool
        Any dtypes, of shapes that broadcast together. Numbers count as true unless they are zero.

    Returns
    -------
    Tensor
        True where exactly one operand is, of dtype bool.

    References
    ----------
    array API 2025.12, elementwise_functions.logical_xor
    """
    return core.binary(core.OP_logical_xor, x1, x2)


def maximum(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """The larger of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        The larger elements, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    NaN if either operand is NaN. Which of ``-0`` and ``+0`` is returned is not specified.

    References
    ----------
    array API 2025.12, elementwise_functions.maximum
    """
    return core.binary(core.OP_maximum, x1, x2)


def minimum(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """The smaller of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor, int or float
        Bool or real dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        The smaller elements, of the promoted dtype.

    Raises
    ------
    TypeError
        If an operand is complex: complex numbers have no order.

    Notes
    -----
    NaN if either operand is NaN. Which of ``-0`` and ``+0`` is returned is not specified.

    References
    ----------
    array API 2025.12, elementwise_functions.minimum
    """
    return core.binary(core.OP_minimum, x1, x2)


def multiply(x1: Tensor | int | float | complex, x2: Tensor | int | float | complex, /) -> Tensor:
    """Product of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or Python number
        Any dtype; shapes that broadcast together.

    Returns
    -------
    Tensor
        The products, of the promoted dtype.

    Notes
    -----
    Integers wrap around on overflow. For two bool arrays the result is their logical and, as in
    NumPy. Zero times infinity is NaN.

    References
    ----------
    array API 2025.12, elementwise_functions.multiply

    Examples
    --------
    >>> xp.multiply(xp.asarray([1.0, 2.0]), 3)
    Tensor([3., 6.])
    """
    return core.binary(core.OP_multiply, x1, x2)


def negative(x: Tensor, /) -> Tensor:
    """Negative of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        ``-x``, of the dtype of ``x``.

    Raises
    ------
    TypeError
        If ``x`` is bool; `logical_not` negates truth values.

    Notes
    -----
    Unsigned integers, and the smallest signed one, wrap around. Zeros and NaN change their sign
    bits.

    References
    ----------
    array API 2025.12, elementwise_functions.negative
    """
    return core.unary(core.OP_negative, x)


def nextafter(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Next representable number after ``x1`` in the direction of ``x2``, element by element.

    Parameters
    ----------
    x1 : Tensor, int or float
        Where to start; bool or real dtype (bool and integers are computed as float64).
    x2 : Tensor, int or float
        Which way to go; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        The neighbours, of the promoted floating-point dtype.

    Notes
    -----
    NaN if either operand is NaN. Equal operands give ``x2``, so ``nextafter(-0, +0)`` is ``+0``.

    References
    ----------
    array API 2025.12, elementwise_functions.nextafter

    Examples
    --------
    >>> xp.nextafter(xp.asarray(1.0), 2) - 1 == xp.finfo(xp.float64).eps
    Tensor(True)
    """
    return core.binary(core.OP_nextafter, x1, x2)


def not_equal(
    x1: Tensor | int | float | complex | bool, x2: Tensor | int | float | complex | bool, /
) -> Tensor:
    """Test whether two arrays differ, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or Python scalar
        Any dtypes, of shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 != x2``, of dtype bool.

    Notes
    -----
    NaN differs from everything, itself included; ``-0`` does not differ from ``+0``. Complex
    numbers differ if a component does.

    References
    ----------
    array API 2025.12, elementwise_functions.not_equal
    """
    return core.binary(core.OP_not_equal, x1, x2)


def positive(x: Tensor, /) -> Tensor:
    """Numerical positive of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        ``+x``: a copy of ``x``.

    Raises
    ------
    TypeError
        If ``x`` is bool.

    References
    ----------
    array API 2025.12, elementwise_functions.positive
    """
    return core.unary(core.OP_positive, x)


def pow(x1: Tensor | int | float | complex, x2: Tensor | int | float | complex, /) -> Tensor:
    """Raise each element of one array to the power of another.

    Parameters
    ----------
    x1 : Tensor or Python number
        Base; any dtype.
    x2 : Tensor or Python number
        Exponent; any dtype, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        ``x1 ** x2``, of the promoted dtype (int8 for two bool arrays).

    Notes
    -----
    Anything to the power of zero is 1, NaN included, and 1 to any power is 1. A negative base
    with an exponent that is not an integer gives NaN; a zero base with a negative exponent an
    infinity. Integers wrap around on overflow; to a negative power they give the exact result
    rounded towards zero. Complex numbers are computed as ``exp(x2 * log(x1))``, or more
    carefully.

    References
    ----------
    array API 2025.12, elementwise_functions.pow

    Examples
    --------
    >>> xp.pow(xp.asarray([2, 3]), 2)
    Tensor([4, 9])
    """
    return core.binary(core.OP_pow, x1, x2)


def real(x: Tensor, /) -> Tensor:
    """Real part of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        The real parts, of the real dtype of the components; ``x`` itself if it is real.

    References
    ----------
    array API 2025.12, elementwise_functions.real
    """
    return core.unary(core.OP_real, x)


def reciprocal(x: Tensor, /) -> Tensor:
    """``1 / x`` for each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The reciprocals, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    As `divide`: the reciprocal of a zero is an infinity of the same sign.

    References
    ----------
    array API 2025.12, elementwise_functions.reciprocal
    """
    return core.unary(core.OP_reciprocal, x)


def remainder(x1: Tensor | int | float, x2: Tensor | int | float, /) -> Tensor:
    """Remainder of the division of two arrays, element by element.

    Parameters
    ----------
    x1 : Tensor, int or float
        Dividend; bool or real dtype.
    x2 : Tensor, int or float
        Divisor; likewise, of a shape that broadcasts with that of ``x1``.

    Returns
    -------
    Tensor
        ``x1 % x2``, of the promoted dtype (int8 for two bool arrays); it has the sign of the
        divisor.

    Notes
    -----
    The same as Python's ``%``. NaN for an infinite dividend or a zero divisor; a finite dividend
    and an infinite divisor of the same sign give the dividend, of opposite signs the divisor. The
    integer remainder of a division by zero is 0.

    References
    ----------
    array API 2025.12, elementwise_functions.remainder

    Examples
    --------
    >>> xp.remainder(xp.asarray([7, -7]), 3)
    Tensor([1, 2])
    """
    return core.binary(core.OP_remainder, x1, x2)


def round(x: Tensor, /) -> Tensor:
    """Round each element to the nearest integer.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        The rounded values, of the dtype of ``x``.

    Notes
    -----
    Halves are rounded to the nearest even integer. Complex numbers are rounded component by
    component. Integers, infinities, NaN and signed zeros are returned unchanged.

    References
    ----------
    array API 2025.12, elementwise_functions.round

    Examples
    --------
    >>> xp.round(xp.asarray([0.5, 1.5, 2.5]))
    Tensor([0., 2., 2.])
    """
    return core.unary(core.OP_round, x)


def sign(x: Tensor, /) -> Tensor:
    """Sign of each element.

    Parameters
    ----------
    x : Tensor
        Numeric dtype.

    Returns
    -------
    Tensor
        -1, 0 or 1, of the dtype of ``x``; for complex numbers ``x / abs(x)``, and 0 for 0.

    Notes
    -----
    NaN stays NaN. The sign of ``-0`` is 0; see `signbit` to tell the zeros apart.

    References
    ----------
    array API 2025.12, elementwise_functions.sign
    """
    return core.unary(core.OP_sign, x)


def signbit(x: Tensor, /) -> Tensor:
    """Test whether the sign bit of each element is set.

    Parameters
    ----------
    x : Tensor
        Real dtype.

    Returns
    -------
    Tensor
        The answers, of dtype bool.

    Notes
    -----
    True for negative numbers, ``-0`` and a NaN whose sign bit is set. Integers have it set if
    they are negative.

    References
    ----------
    array API 2025.12, elementwise_functions.signbit
    """
    return core.unary(core.OP_signbit, x)


def sin(x: Tensor, /) -> Tensor:
    """Sine of each element.

    Parameters
    ----------
    x : Tensor
        Angles in radians. Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The sines, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros keep their sign; infinities give NaN. For complex numbers special cases are those of
    ``-1j * sinh(1j * x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.sin

    Examples
    --------
    >>> xp.sin(xp.asarray([0.0, xp.pi / 2]))
    Tensor([0., 1.])
    """
    return core.unary(core.OP_sin, x)


def sinh(x: Tensor, /) -> Tensor:
    """Hyperbolic sine of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros and infinities are returned unchanged; ``sinh(-x)`` equals ``-sinh(x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.sinh
    """
    return core.unary(core.OP_sinh, x)


def sqrt(x: Tensor, /) -> Tensor:
    """Principal square root of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The square roots, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Correctly rounded for real numbers; NaN below zero, and ``sqrt(-0)`` is ``-0``. Complex
    numbers have a branch cut on the negative real axis, and results with a real part of zero or
    more.

    References
    ----------
    array API 2025.12, elementwise_functions.sqrt
    """
    return core.unary(core.OP_sqrt, x)


def square(x: Tensor, /) -> Tensor:
    """Square of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype.

    Returns
    -------
    Tensor
        ``x * x``, of the dtype of ``x`` (int8 for bool).

    Notes
    -----
    Integers wrap around on overflow. For complex numbers this is the product, not the squared
    magnitude.

    References
    ----------
    array API 2025.12, elementwise_functions.square
    """
    return core.unary(core.OP_square, x)


def subtract(x1: Tensor | int | float | complex, x2: Tensor | int | float | complex, /) -> Tensor:
    """Difference of two arrays, element by element.

    Parameters
    ----------
    x1, x2 : Tensor or Python number
        Numeric dtypes; shapes that broadcast together.

    Returns
    -------
    Tensor
        ``x1 - x2``, of the promoted dtype.

    Raises
    ------
    TypeError
        If both operands are bool; `logical_xor` is the difference of truth values.

    Notes
    -----
    Integers wrap around on overflow. The same as adding ``-x2``: infinities of the same sign give
    NaN.

    References
    ----------
    array API 2025.12, elementwise_functions.subtract
    """
    return core.binary(core.OP_subtract, x1, x2)


def tan(x: Tensor, /) -> Tensor:
    """Tangent of each element.

    Parameters
    ----------
    x : Tensor
        Angles in radians. Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The tangents, of the floating-point dtype of ``x`` (float64 for bool and integers).

    Notes
    -----
    Zeros keep their sign; infinities give NaN. For complex numbers special cases are those of
    ``-1j * tanh(1j * x)``.

    References
    ----------
    array API 2025.12, elementwise_functions.tan
    """
    return core.unary(core.OP_tan, x)


def tanh(x: Tensor, /) -> Tensor:
    """Hyperbolic tangent of each element.

    Parameters
    ----------
    x : Tensor
        Any dtype; bool and integers are computed as float64.

    Returns
    -------
    Tensor
        The values, from -1 to 1 for real ``x``, of the floating-point dtype of ``x`` (float64 for
        bool and integers).

    Notes
    -----
    Zeros keep their sign, infinities give 1 and -1; ``tanh(-x)`` equals ``-tanh(x)``. A complex
    number with real part ``+0`` and an infinite or NaN imaginary part gives ``+0 + NaN j``.

    References
    ----------
    array API 2025.12, elementwise_functions.tanh
    """
    return core.unary(core.OP_tanh, x)


def trunc(x: Tensor, /) -> Tensor:
    """Round each element towards zero.

    Parameters
    ----------
    x : Tensor
        Real dtype.

    Returns
    -------
    Tensor
        The integer parts, of the dtype of ``x``.

    Notes
    -----
    Integers, infinities, NaN and signed zeros are returned unchanged.

    References
    ----------
    array API 2025.12, elementwise_functions.trunc
    """
    return core.unary(core.OP_trunc, x)
