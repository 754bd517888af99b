"""The elementary functions: exact values, and difficult points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import mpmath
import numpy as np


@dataclass(frozen=True)
class Function:
    """An elementary function and the places to measure it at.

    Parameters
    ----------
    name : str
        The standard's name.
    exact : callable
        Its value for Python floats, in mpmath's current precision.
    numpy : callable
        NumPy's function, which in ``longdouble`` is the C library's.
    near : tuple of float
        Zeros, singularities, and other places whose neighbourhood matters.
    spans : tuple of (float, float)
        Intervals to spread points over evenly.
    magnitudes : tuple of (float, float)
        Powers of two that bound the magnitudes to spread points over evenly in their logarithm; of
        the whole dtype where None.
    positive : bool
        Whether there is nothing to measure for negative arguments.
    periodic : bool
        Whether the neighbourhood of multiples of pi / 2 matters.
    operands : int
        1 or 2; for 2 see `points.pairs`.
    """

    name: str
    exact: Callable
    numpy: Callable
    near: tuple[float, ...] = (0.0,)
    spans: tuple[tuple[float, float], ...] = ()
    magnitudes: tuple[float, float] | None = None
    positive: bool = False
    periodic: bool = False
    operands: int = field(default=1)


def _log1p_of_exp(a, b):
    # mpmath's exponents are unbounded, so nothing overflows.
    larger, smaller = max(a, b), min(a, b)
    return larger + mpmath.log1p(mpmath.exp(mpmath.mpf(smaller) - larger))


def _atan2(y, x):
    # mpmath has no -0.
    angle = mpmath.atan2(abs(y), x)
    return -angle if np.signbit(y) else angle


# Arguments beyond which the results of float32 and float64 overflow or vanish.
_EXP = (-103.972, 88.7228, -745.13, -708.396, 709.7827)
_SINH = (89.4159, 710.4758, -89.4159, -710.4758)
_UNIT = (0.0, 1.0, -1.0, 0.5, -0.5)
# Where kernels change from one way to another.
_ATAN = (0.125, 16.0, 28.0)
_ATANH = (0.125, 1 / 6, 0.9951171875, 1 - 2.0**-14, 1 - 2.0**-40)
_HALVES = (88.0, 709.0)
# Half of log(2), and the square roots of 1/2 and 2: with those arguments exponents change.
_HALF_LOG_2, _ROOTS = 0.34657359, (0.70710678, 1.41421356)
_ASINH = (2.0**-30, 2.0**-14, 0.5, 28.0)
_LOG1P = (-0.29289322, 0.41421356, 2.0**126)
# tanh is the number before 1 from the first of each pair on, and 1 from the second on.
_TANH = (8.664, 9.0109133, 18.71, 19.0615475)

FUNCTIONS = {
    f.name: f
    for f in (
        Function("acos", mpmath.acos, np.arccos, _UNIT, ((-1, 1),), (-60, 0)),
        Function("acosh", mpmath.acosh, np.arccosh, (1.0, 2.0, 113.0), ((1, 10),), (0, 1024), True),
        Function("asin", mpmath.asin, np.arcsin, _UNIT, ((-1, 1),), (-60, 0)),
        Function("asinh", mpmath.asinh, np.arcsinh, (0.0, 1.0, *_ASINH), ((-10, 10),)),
        Function("atan", mpmath.atan, np.arctan, (0.0, 1.0, *_ATAN), ((-4, 4),)),
        Function("atanh", mpmath.atanh, np.arctanh, (*_UNIT, *_ATANH), ((-1, 1),), (-60, 0)),
        Function("cos", mpmath.cos, np.cos, spans=((-10, 10), (-1e4, 1e4)), periodic=True),
        Function(
            "cosh",
            mpmath.cosh,
            np.cosh,
            (0.0, _HALF_LOG_2, *_SINH, *_HALVES),
            ((-90, 90), (-3, 3)),
            (-60, 10),
        ),
        Function(
            "exp", mpmath.exp, np.exp, (0.0, _HALF_LOG_2, *_EXP), ((-104, 89), (-1, 1)), (-60, 10)
        ),
        Function(
            "expm1", mpmath.expm1, np.expm1, (0.0, *_EXP, *_HALVES), ((-40, 89), (-1, 1)), (-60, 10)
        ),
        Function("log", mpmath.log, np.log, (0.0, 1.0, *_ROOTS), ((0, 3),), positive=True),
        Function("log10", mpmath.log10, np.log10, (0.0, 1.0, *_ROOTS), ((0, 3),), positive=True),
        Function("log1p", mpmath.log1p, np.log1p, (0.0, -1.0, *_LOG1P), ((-1, 3),)),
        Function(
            "log2",
            lambda v: mpmath.log(v, 2),
            np.log2,
            (0.0, 1.0, *_ROOTS),
            ((0, 3),),
            positive=True,
        ),
        Function("sin", mpmath.sin, np.sin, spans=((-10, 10), (-1e4, 1e4)), periodic=True),
        Function(
            "sinh",
            mpmath.sinh,
            np.sinh,
            (0.0, _HALF_LOG_2, *_SINH, *_HALVES),
            ((-90, 90), (-3, 3)),
            (-60, 10),
        ),
        Function("sqrt", mpmath.sqrt, np.sqrt, (0.0, 1.0), ((0, 4),), positive=True),
        Function("tan", mpmath.tan, np.tan, spans=((-10, 10), (-1e4, 1e4)), periodic=True),
        Function(
            "tanh",
            mpmath.tanh,
            np.tanh,
            (0.0, _HALF_LOG_2 / 2, *_TANH),
            ((-20, 20), (-2, 2)),
            (-60, 5),
        ),
        Function("atan2", _atan2, np.arctan2, operands=2),
        Function(
            "hypot",
            lambda a, b: mpmath.sqrt(mpmath.mpf(a) ** 2 + mpmath.mpf(b) ** 2),
            np.hypot,
            operands=2,
        ),
        Function("logaddexp", _log1p_of_exp, np.logaddexp, operands=2),
        Function(
            "pow", lambda a, b: mpmath.power(mpmath.mpf(a), mpmath.mpf(b)), np.power, operands=2
        ),
    )
}
