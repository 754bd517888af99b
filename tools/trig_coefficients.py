"""Print the coefficients of the kernels in kernels/simd/math/{trig,inverse_trig}.hpp.

    python tools/trig_coefficients.py            all of them, with the remaining error
    python tools/trig_coefficients.py atan       of one function

Each polynomial is the minimax one for its relative error (minimax.py). The constants of the
argument reductions (pi in parts) and the table of 1/pi are printed too.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from minimax import DOUBLE, FLOAT, fit
from mpmath import mp, mpf

FORMATS = {"float": FLOAT, "double": DOUBLE}


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in z = x^2 that approximates `target(z)`, errors weighted by `weight(z)`."""

    name: str
    element: str
    low: Any
    high: Any
    count: int
    target: Callable
    weight: Callable


def root(function):
    """`function(x) / x` as a function of z = x^2, 1 at 0."""
    return lambda z: function(mp.sqrt(z)) / mp.sqrt(z)


def odd(name, element, function, high, count):
    """function(x) = x + x * z * polynomial(z), for x to `high`."""
    ratio = root(function)
    return Polynomial(
        name,
        element,
        mpf(2) ** -40,
        mpf(high) ** 2,
        count,
        lambda z: (ratio(z) - 1) / z,
        lambda z: z / ratio(z),
    )


def cotangent(x):
    """x^2 / tan(x), which is x * (1 - x^2 / 3 - ...)."""
    return x * x / mp.tan(x)


HALF_PI, QUARTER_PI = mp.pi / 2, mp.pi / 4
#: Reduced arguments are slightly more than half a period.
SLACK = 1 + mpf(2) ** -12
POLYNOMIALS = {
    "sin": [
        odd("SIN", "double", mp.sin, HALF_PI * (1 + mpf(2) ** -20), 8),
        odd("SIN", "float", mp.sin, HALF_PI * SLACK, 4),
        odd("SIN of float in double", "double", mp.sin, HALF_PI * SLACK, 6),
    ],
    "tan": [
        odd("COT", "double", cotangent, QUARTER_PI * (1 + mpf(2) ** -20), 9),
        odd("COT", "float", cotangent, QUARTER_PI * SLACK, 4),
        odd("COT of float in double", "double", cotangent, QUARTER_PI * SLACK, 6),
    ],
    "atan": [
        odd("ATAN to 1/2", "double", mp.atan, mpf("0.5"), 12),
        odd("ATAN to 1/2", "float", mp.atan, mpf("0.5"), 5),
        odd("ATAN of float in double", "double", mp.atan, 1, 15),
    ],
    "asin": [
        odd("ASIN", "double", mp.asin, mpf("0.5"), 13),
        odd("ASIN", "float", mp.asin, mpf("0.5"), 6),
        odd("ASIN of float in double", "double", mp.asin, mpf("0.5"), 9),
    ],
}


def literal(value, element):
    """The shortest decimal literal that reads back as `value`."""
    kind = np.float32 if element == "float" else np.float64
    text = repr(float(value)) if element == "double" else str(kind(float(value)))
    return text + ("f" if element == "float" else "")


def print_parts(name, value, element, widths):
    """`value` as a sum of numbers of so many bits each."""
    rest, parts = value, []
    for width in widths:
        parts.append(DOUBLE.round(rest, 53 - width))
        rest -= parts[-1]
    print(
        f"{name} in {element}, parts of {widths} bits, 2^{mp.nstr(mp.log(abs(rest), 2), 4)} left:"
    )
    print("   ", ", ".join(literal(part, element) for part in parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=[], help=f"of {', '.join(POLYNOMIALS)}")
    names = parser.parse_args().names
    for name in names or POLYNOMIALS:
        for p in POLYNOMIALS[name]:
            coefficients, error = fit(
                p.target, p.weight, p.low, p.high, p.count, FORMATS[p.element]
            )
            print(f"{p.name}, {p.element}: relative error 2^{mp.nstr(mp.log(error, 2), 5)}")
            for c in coefficients:
                print(f"    {literal(c, p.element)},")
    if not names:
        print_parts("pi", mp.pi, "double", [53, 31, 53])
        print_parts("pi / 2", mp.pi / 2, "double", [53, 31, 53])
        print_parts("pi, no fma", mp.pi, "double", [31, 31, 31, 53])
        print_parts("pi", mp.pi, "float", [24, 15, 24])
        print_parts("pi / 2", mp.pi / 2, "float", [24, 15, 24])
        print_parts("pi, whole", mp.pi, "double", [53, 53, 53])
        for function in (lambda: 1 / mp.pi, lambda: 2 / mp.pi):
            print(literal(function(), "double"), literal(function(), "float"))


if __name__ == "__main__":
    main()
