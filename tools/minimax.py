"""Minimax polynomials for the kernels, and binary floating-point numbers.

A polynomial is found by Remez' exchange in 200-bit arithmetic (E. Ya. Remez, 1934; J.-M. Muller,
Elementary Functions, 3rd edition, section 3.5). Its coefficients are then rounded one after the
other, from the constant term on; after each, the remaining ones are fitted again, to compensate for
the rounding (Muller, section 4.4).
"""

from dataclasses import dataclass

from mpmath import mp, mpf

mp.prec = 200


@dataclass(frozen=True)
class Format:
    """A binary floating-point type.

    Parameters
    ----------
    name : str
        Name in C++.
    precision : int
        Bits of the significand.
    exponent : int
        Bits of the largest exponent, subnormal numbers included.
    """

    name: str
    precision: int
    exponent: int

    def round(self, value, less=0):
        """Round `value` to nearest, to the type's precision or `less` bits less."""
        with mp.workprec(self.precision - less):
            return +mpf(value)

    def literal(self, value):
        """Write `value`, which the type represents, as an exact C++ literal."""
        if value == 0:
            return "0"
        digits, exponent = float(value).hex().split("p")
        suffix = "f" if self.name == "float" else ""
        return f"{digits.rstrip('0').rstrip('.')}p{int(exponent)}{suffix}"


FLOAT, DOUBLE = Format("float", 24, 8), Format("double", 53, 11)


def exchange(target, weight, low, high, count, points=1500, rounds=12):
    """Minimax polynomial of `count` terms: (coefficients, largest weighted error).

    The weight may vanish, but not at Chebyshev's nodes.
    """
    # Chebyshev's nodes are close to the extrema of the error.
    nodes = [
        (low + high) / 2 + (low - high) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count + 2))
        for k in range(count + 1)
    ]
    grid = [
        (low + high) / 2 + (low - high) / 2 * mp.cos(mp.pi * (k + mpf(1) / 2) / points)
        for k in range(points)
    ]
    # Near 0 a weight that vanishes there would make the equations singular.
    nodes = [z if abs(z) > (high - low) / 10000 else (high - low) / 1000 for z in nodes]
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
        # The largest error of each run of one sign; if there are too many runs, the largest ones.
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


def fit(target, weight, low, high, count, form):
    """Coefficients of type `form`, `count` of them, and the largest weighted error with them."""
    fixed: list = []
    before: list = []
    best = None
    for k in range(count):
        # The remainder, for the terms from z^k on.
        def rest(z, k=k, known=fixed[::-1]):
            return (target(z) - mp.polyval(known, z)) / z**k if k else target(z)

        def scaled(z, k=k):
            return weight(z) * z**k

        try:
            coefficients, error = exchange(rest, scaled, low, high, count - k, 400, 8)
        except ZeroDivisionError:  # possible if z^k vanishes between the bounds
            error = mp.inf
        best = best or error
        if error > 8 * best:
            # The exchange did not converge; the rounding of later terms hardly matters.
            fixed += [form.round(c) for c in before[1:]]
            break
        before = coefficients
        fixed.append(form.round(coefficients[0]))
    grid = [low + (high - low) * (k + mpf(1) / 2) / 2000 for k in range(2000)]
    error = max(abs(weight(z) * (target(z) - mp.polyval(fixed[::-1], z))) for z in grid)
    return fixed, error
