"""Errors in units in the last place, quickly for many points and exactly for a few.

mpmath takes a tenth of a millisecond for a value, so it decides only about the points where an
error is largest. Which these are is found with the C library's functions of 64-bit ``long
double``: their error, a few units of 2^-64, is some hundredths of a percent of a unit of float64
and nothing for float32, so the largest error that they find is the largest one but for that much.
This is not taken on trust: `Reference` compares them with mpmath on a random sample of its points
and refuses to work where they are further apart than `TRUST`. Results that they cannot give
(`_untrusted`), or where long double is no wider than float64, are left to mpmath alone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import mpmath
import numpy as np

from .functions import Function
from .points import points

#: Units of float64 that the quick values may be wrong by.
TRUST = 0.01
#: Whether long double has the digits that the quick values need.
EXTENDED = np.finfo(np.longdouble).nmant >= 63
#: Points that mpmath decides about, for every implementation, and to check the quick values.
CANDIDATES, SAMPLE = 24, 48
#: Precision of mpmath, in bits: nothing here cancels more than three words of float64.
PRECISION = 300


def exact_error(function: Function, arguments, got) -> float:
    """|got - exact| in units in the last place of the exact value, for one finite result.

    The unit is the distance of adjacent numbers in the binade of the exact value; that of subnormal
    numbers below the normal ones, and that of the largest numbers above them, where infinity stands
    for the power of two that follows the largest number.
    """
    info = np.finfo(got.dtype)
    with mpmath.workprec(PRECISION):
        exact = mpmath.mpf(function.exact(*(float(a) for a in arguments)))
        if exact == 0:
            exponent = info.minexp + 1
        else:
            exponent = min(max(mpmath.frexp(exact)[1], info.minexp + 1), info.maxexp)
        value = mpmath.mpf(float(got))
        if mpmath.isinf(value):
            if value * exact > 0 and abs(exact) >= mpmath.ldexp(1, info.maxexp):
                return 0.0
            value = mpmath.sign(value) * mpmath.ldexp(1, info.maxexp)
        return float(abs(value - exact) / mpmath.ldexp(1, exponent - info.nmant - 1))


def _units(quick, info):
    """The unit in the last place of each value, see `exact_error`."""
    exponent = np.frexp(quick)[1].astype(np.int64)
    exponent = np.clip(exponent, info.minexp + 1, info.maxexp) - info.nmant - 1
    return np.ldexp(np.longdouble(1), exponent.astype(np.int32))


def _untrusted(function: Function, dtype, arguments, quick):
    """Where the quick value may be wrong by more than `TRUST`."""
    if dtype == np.float32:
        return np.zeros(quick.shape, dtype=bool)
    if not EXTENDED:
        return np.isfinite(quick)
    if function.name == "logaddexp":
        # max(a, b) + log1p(...) cancels.
        return np.isfinite(quick) & (np.abs(quick) * 16 < np.abs(np.maximum(*arguments)))
    return np.zeros(quick.shape, dtype=bool)


@dataclass
class Worst:
    """The largest error of an implementation, and where it is."""

    error: float
    arguments: tuple[float, ...]


class Reference:
    """The exact values of a function at its points, quickly and roughly until asked for more."""

    def __init__(self, function: Function, dtype, count):
        self.function, self.dtype = function, dtype
        if not EXTENDED:
            count = min(count, 2000)
        self.arguments = points(function, dtype, count)
        with np.errstate(all="ignore"):
            self.quick = function.numpy(*(a.astype(np.longdouble) for a in self.arguments))
        self.unit = _units(self.quick, np.finfo(dtype))
        self.untrusted = _untrusted(function, dtype, self.arguments, self.quick)
        self._check_quick_values()

    def _check_quick_values(self):
        """Compare a sample of the trusted values with mpmath's."""
        representable = (self.quick != 0) & (np.abs(self.quick) <= np.finfo(self.dtype).max)
        trusted = np.flatnonzero(representable & ~self.untrusted)
        rng = np.random.default_rng(0)
        for i in rng.choice(trusted, min(SAMPLE, trusted.size), replace=False):
            arguments = [float(a[i]) for a in self.arguments]
            # The digits of a longdouble in two floats.
            digits, exponent = np.frexp(self.quick[i])
            high = float(digits)
            low = float(digits - np.longdouble(high))
            with mpmath.workprec(PRECISION):
                quick = mpmath.ldexp(mpmath.mpf(high) + low, int(exponent))
                error = abs(quick - self.function.exact(*arguments)) / float(self.unit[i])
            if error > TRUST:
                raise AssertionError(
                    f"long double {self.function.name}{tuple(arguments)} is wrong by {error} units"
                )

    def errors(self, got):
        """The error of each of the values `got`, roughly; infinite where their kind is wrong."""
        with np.errstate(all="ignore"):
            largest = np.ldexp(np.longdouble(1), np.finfo(self.dtype).maxexp)
            # Infinity stands for the power of two after the largest number.
            wide = got.astype(np.longdouble)
            wide = np.where(np.isinf(wide), np.copysign(largest, wide), wide)
            error = np.abs(wide - self.quick) / self.unit
            overflow = np.isinf(got) & (np.abs(self.quick) >= largest) & (got * self.quick > 0)
            same = overflow | (np.isnan(got) & np.isnan(self.quick))
            other = np.isnan(got) != np.isnan(self.quick)
            other |= np.isinf(self.quick) & (got != self.quick)
            other |= (self.quick == 0) & (got == 0) & (np.signbit(got) != np.signbit(self.quick))
            return np.where(other, np.inf, np.where(same, 0, error))

    def worst(self, got) -> Worst:
        """The largest error of the values `got`, by mpmath."""
        error = self.errors(got)
        decided = np.flatnonzero(self.untrusted)
        order = np.argsort(np.where(self.untrusted, 0, error))[::-1]
        found = Worst(-1.0, ())
        for i in [*order[:CANDIDATES], *decided]:
            arguments = tuple(a[i] for a in self.arguments)
            if np.isfinite(error[i]) and np.isfinite(self.quick[i]) and np.isfinite(got[i]):
                value = exact_error(self.function, arguments, got[i])
            else:
                value = float(error[i])
            if value > found.error:
                found = Worst(value, tuple(float(a) for a in arguments))
        return found


@functools.lru_cache(maxsize=4)
def reference(name, dtype, count) -> Reference:
    """The `Reference` of a function, which is the same for every instruction set."""
    from .functions import FUNCTIONS

    return Reference(FUNCTIONS[name], dtype, count)
