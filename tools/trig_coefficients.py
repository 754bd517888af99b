"""Print the coefficients of the kernels in kernels/simd/math/{trig,inverse_trig}.hpp.

Each polynomial is the minimax one for its relative error, by Remez' exchange in 200-bit arithmetic
(E. Ya. Remez, 1934; J.-M. Muller, Elementary Functions, 3rd edition, section 3.5). Coefficients
are then rounded one after the other, from the constant term on, and those that are left are fitted
anew after each, so that they make up for the rounding of the earlier ones (Muller, section 4.4).

    python tools/trig_coefficients.py            all of them, with the error that is left
    python tools/trig_coefficients.py atan       those of one function

The constants of the argument reductions (pi in parts) and the table of 1/pi are printed too.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import mp, mpf

mp.prec = 200
DIGITS = {"float": 24, "double": 53}


def rounded(value, digits):
    """`value` to `digits` bits, half to even."""
    with mp.workprec(digits):
        return +value


def exchange(target, weight, low, high, count, points=1500, rounds=12):
    """Minimax polynomial of `count` terms: (coefficients, largest weighted error)."""
    # Chebyshev's nodes are close to the extrema of the error.
    nodes = [
        (low + high) / 2 + (low - high) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count + 2))
        for k in range(count + 1)
    ]
    grid = [
        (low + high) / 2 + (low - high) / 2 * mp.cos(mp.pi * (k + mpf(1) / 2) / points)
        for k in range(points)
    ]
    values = [(z, target(z), weight(z)) for z in grid]
    for _ in range(rounds):
        matrix, right = mp.matrix(count + 1, count + 1), mp.matrix(count + 1, 1)
        for i, z in enumerate(nodes):
            w = weight(z)
            for k in range(count):
                matrix[i, k] = w * z**k
            matrix[i, count] = (-1) ** i
            right[i] = w * target(z)
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[k] for k in range(count)]
        errors = [w * (t - mp.polyval(coefficients[::-1], z)) for z, t, w in values]
        # The largest error of each run of one sign; of too many runs the ones with the largest.
        extrema: list = []
        for z, error in zip(grid, errors, strict=True):
            if extrema and (extrema[-1][1] > 0) == (error > 0):
                if abs(error) > abs(extrema[-1][1]):
                    extrema[-1] = (z, error)
            else:
                extrema.append((z, error))
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        largest = max(abs(error) for _, error in extrema)
        if len(extrema) < count + 1 or largest <= abs(solution[count]) * mpf("1.001"):
            break
        nodes = [z for z, _ in extrema]
    return coefficients, largest


def fit(target, weight, low, high, count, digits):
    """Coefficients rounded to `digits` bits, and the largest weighted error with them."""
    fixed: list = []
    before: list = []
    best = None
    for k in range(count):
        # What is left to the terms from z^k on.
        def rest(z, k=k, known=fixed[::-1]):
            return (target(z) - mp.polyval(known, z)) / z**k if k else target(z)

        def scaled(z, k=k):
            return weight(z) * z**k

        coefficients, error = exchange(rest, scaled, low, high, count - k, 400, 8)
        best = best or error
        if error > 8 * best:
            # The exchange lost its way; the rounding of the later terms hardly matters.
            fixed += [rounded(c, digits) for c in before[1:]]
            break
        before = coefficients
        fixed.append(rounded(coefficients[0], digits))
    grid = [low + (high - low) * (k + mpf(1) / 2) / 2000 for k in range(2000)]
    error = max(abs(weight(z) * (target(z) - mp.polyval(fixed[::-1], z))) for z in grid)
    return fixed, error


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in z = x^2 that stands for `target(z)`, to be judged with `weight(z)`."""

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
#: The reduction leaves a little more than half a period.
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
        parts.append(rounded(rest, width))
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
            coefficients, error = fit(p.target, p.weight, p.low, p.high, p.count, DIGITS[p.element])
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
