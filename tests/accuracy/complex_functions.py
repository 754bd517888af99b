"""Functions of complex numbers: their exact values, where to measure, and errors by components.

mpmath computes every value here: C libraries are several units off. The error of a result is the
larger of its components' errors, each in units of its own last place, unless a function says that
cancellation between the terms of a component makes the unit that of the modulus.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import numpy as np

from .errors import PRECISION, Worst
from .points import of_magnitudes

#: mpmath takes as long for one value as the quick references of real functions for hundreds.
REAL_POINTS_PER_COMPLEX_POINT = 100
DTYPES = {"complex64": np.complex64, "complex128": np.complex128}
#: The bar: errors larger than this are defects. Subnormal results round twice.
LARGEST_ERROR = 1.5


@dataclass(frozen=True)
class ComplexFunction:
    """A function of complex numbers and where to measure it.

    Parameters
    ----------
    name : str
        The standard's name.
    exact : callable
        Its value for mpmath's complex numbers, in mpmath's current precision.
    numpy : callable
        NumPy's function.
    reach : float
        Real components up to here (imaginary ones where `turned`) are worth more points.
    turned : bool
        Whether it grows with the imaginary component.
    by_modulus : bool
        Whether errors are in units of the modulus: components cancel on curves, not in points.
    cancels : bool
        Whether small arguments need as many digits more as their exponents are away from 0.
    operands : int
        1 or 2.
    bar : float
        The largest error that is none.
    """

    name: str
    exact: Callable
    numpy: Callable
    reach: float = 0.0
    turned: bool = False
    by_modulus: bool = False
    cancels: bool = True
    operands: int = 1
    bar: float = LARGEST_ERROR


def _log2(z):
    return mpmath.log(z) / mpmath.log(2)


FUNCTIONS = {
    f.name: f
    for f in (
        ComplexFunction("acos", mpmath.acos, np.arccos),
        ComplexFunction("acosh", mpmath.acosh, np.arccosh),
        ComplexFunction("asin", mpmath.asin, np.arcsin),
        ComplexFunction("asinh", mpmath.asinh, np.arcsinh),
        ComplexFunction("atan", mpmath.atan, np.arctan),
        ComplexFunction("atanh", mpmath.atanh, np.arctanh),
        ComplexFunction("cos", mpmath.cos, np.cos, 760, turned=True, cancels=False),
        ComplexFunction("cosh", mpmath.cosh, np.cosh, 760, cancels=False),
        ComplexFunction("exp", mpmath.exp, np.exp, 760, cancels=False),
        ComplexFunction("expm1", lambda z: mpmath.exp(z) - 1, np.expm1, 760, by_modulus=True),
        ComplexFunction("log", mpmath.log, np.log),
        ComplexFunction("log10", mpmath.log10, np.log10),
        ComplexFunction("log1p", lambda z: mpmath.log(1 + z), np.log1p),
        ComplexFunction("log2", _log2, np.log2),
        # The logarithm's error is multiplied by the exponent, here up to 8.
        ComplexFunction("pow", mpmath.power, np.power, by_modulus=True, operands=2, bar=4.0),
        ComplexFunction("sin", mpmath.sin, np.sin, 760, turned=True, cancels=False),
        ComplexFunction("sinh", mpmath.sinh, np.sinh, 760, cancels=False),
        ComplexFunction("sqrt", mpmath.sqrt, np.sqrt, cancels=False),
        ComplexFunction("tan", mpmath.tan, np.tan, 400, turned=True),
        ComplexFunction("tanh", mpmath.tanh, np.tanh, 400),
    )
}


def points(function: ComplexFunction, dtype, count):
    """About `count` arguments: of all magnitudes, next to the unit circle and to 0, 1, i, -1, -i.

    Zeros are left out, for mpmath has none with a sign.
    """
    rng = np.random.default_rng([*function.name.encode(), np.dtype(dtype).itemsize])
    n = count if function.operands == 2 else count // 6

    def magnitudes(low, high):
        parts = (of_magnitudes(rng, np.float64, n, low, high) for _ in range(2))
        return next(parts) + 1j * next(parts)

    def normal(scale):
        return scale * (rng.normal(size=n) + 1j * rng.normal(size=n))

    if function.operands == 2:
        base = normal(1.0) * np.exp2(rng.uniform(-4, 4, n))
        return (base.astype(dtype), normal(2.0).astype(dtype))
    wide = np.finfo(dtype).maxexp
    circle = np.exp(1j * rng.uniform(-np.pi, np.pi, n))
    drawn = [
        normal(2.0),
        magnitudes(-30, 6),
        magnitudes(-wide, wide),
        circle * (1 + of_magnitudes(rng, np.float64, n, -50, -2)),
        rng.choice([0, 1, 1j, -1, -1j], n) + magnitudes(-60, -1),
    ]
    if function.reach:
        z = rng.uniform(-function.reach, function.reach, n) + 1j * rng.uniform(-20, 20, n)
        drawn.append(1j * z if function.turned else z)
    with np.errstate(all="ignore"):
        z = np.concatenate(drawn).astype(dtype)
    return (z[np.isfinite(z) & (z.real != 0) & (z.imag != 0)],)


class ComplexReference:
    """The exact values of a function at its points, in units of their last places."""

    def __init__(self, function: ComplexFunction, dtype, count):
        self.function, self.arguments = function, points(function, dtype, count)
        self.info = np.finfo(dtype)
        # Components in two columns, each a sum of two floats.
        size = self.arguments[0].size
        self.exponents = np.empty((size, 2), np.int64)
        self.exact = np.empty((size, 2, 2))
        for i, arguments in enumerate(zip(*self.arguments, strict=True)):
            self._compute(i, [complex(a) for a in arguments])

    def _compute(self, i, arguments):
        parts = [part for z in arguments for part in (z.real, z.imag)]
        more = max(abs(int(np.frexp(part)[1])) for part in parts) if self.function.cancels else 0
        with mpmath.workprec(PRECISION + 3 * more):
            value = mpmath.mpc(self.function.exact(*(mpmath.mpc(z) for z in arguments)))
            components = (value.real, value.imag)
            sizes = [mpmath.frexp(c)[1] if c else self.info.minexp for c in components]
            if self.function.by_modulus:
                sizes = [max(sizes)] * 2
            for k, component in enumerate(components):
                exponent = min(max(sizes[k], self.info.minexp + 1), self.info.maxexp)
                exponent -= self.info.nmant + 1
                scaled = mpmath.ldexp(component, -exponent)
                high = float(scaled)
                self.exponents[i, k] = exponent
                self.exact[i, k] = high, float(scaled - high) if np.isfinite(high) else 0.0

    def errors(self, got):
        """The errors of the values `got`; infinite where one is NaN or beyond all numbers."""
        wide = np.stack([got.real, got.imag], axis=-1).astype(np.longdouble)
        largest = np.ldexp(np.longdouble(1), self.info.maxexp)
        exact = self.exact[..., 0].astype(np.longdouble) + self.exact[..., 1]
        with np.errstate(all="ignore"):
            # Infinity stands for the power of two after the largest number, and for what is larger.
            limits = np.ldexp(largest, -self.exponents.astype(np.int32))
            exact = np.clip(exact, -limits, limits)
            units = np.ldexp(np.clip(wide, -largest, largest), -self.exponents.astype(np.int32))
            return np.where(np.isnan(wide), np.inf, np.abs(units - exact)).max(axis=-1)

    def worst(self, got) -> Worst:
        """The largest error of the values `got`."""
        error = self.errors(got)
        i = int(np.argmax(error))
        return Worst(float(error[i]), tuple(complex(a[i]) for a in self.arguments))


@functools.lru_cache(maxsize=4)
def complex_reference(name, dtype, count) -> ComplexReference:
    """The `ComplexReference` of a function, which is the same for every instruction set."""
    return ComplexReference(FUNCTIONS[name], dtype, count)
