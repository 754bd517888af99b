"""Derive the tables of functions in pieces and write them as C++.

    python tools/pieces.py    # rewrites corepy/_cython/kernels/simd/math/pieces.hpp

The functions are of float32. There are four pieces to a power of two, so that the exponent and two
bits of an argument are the number of its piece. In a piece f(x) = f(c) + d P(d), d = x - c: c is a
number of the middle of the piece such that f(c) is next to a float32 (S. Gal, B. Bachelis, An
accurate elementary mathematical library for the IEEE floating point standard, ACM TOMS 17, 1991),
so the sum is rounded once.
"""

import textwrap
from pathlib import Path

from minimax import FLOAT, fit
from mpmath import mp, mpf

OUTPUT = Path(__file__).parent.parent / "corepy/_cython/kernels/simd/math/pieces.hpp"
SIZE = 32


def center(function, inverse, low, high):
    """A float32 near the middle at which the function is one, to 10 bits more."""
    value = function((low + high) / 2)
    unit = mpf(2) ** (mp.frexp(value)[1] - 24)
    for i in range(20000):
        for exact in (FLOAT.round(value) + i * unit, FLOAT.round(value) - i * unit):
            x = FLOAT.round(inverse(exact))
            if low < x < high and abs(function(x) - exact) < unit / 1024:
                return x, exact
    raise ArithmeticError("no such number")


def pieces(function, inverse, first, last, terms):
    """Tables by the number of a piece: c, f(c), the terms of P; of all, the largest error.

    The first piece are all numbers below `first`: there c = 0, and f(x) = x + x P(x).
    """
    tables = {}
    worst = mpf(0)
    number = 4 * (127 + int(mp.log(first, 2)))
    coefficients, error = fit(
        lambda x: function(x) / x - 1, lambda x: x / function(x), first / 2**16, first, terms, FLOAT
    )
    tables[(number - 1) % SIZE] = [mpf(0), mpf(0), *coefficients]
    worst, low = max(worst, error), first
    while low < last:
        width = mpf(2) ** (mp.frexp(low)[1] - 3)
        high = min(low + width, last)
        c, value = center(function, inverse, low, high)

        def slope(d, c=c, value=value):
            return (function(c + d) - value) / d if d else mp.diff(function, c)

        def weight(d, c=c):
            return abs(d) / function(c + d)

        coefficients, error = fit(slope, weight, low - c, high - c, terms, FLOAT)
        tables[number % SIZE] = [c, value, *coefficients]
        worst = max(worst, error)
        number, low = number + 1, low + width
    return tables, worst


def initializer(values):
    """Write the values of one table."""
    text = ", ".join(FLOAT.literal(values.get(i, mpf(0))) for i in range(SIZE))
    return "{\n" + textwrap.indent(textwrap.fill(text, 94), "      ") + "}"


def written(name, function, inverse, first, last, terms):
    """Write the tables of a function."""
    tables, error = pieces(function, inverse, first, last, terms)
    columns = [{i: row[k] for i, row in tables.items()} for k in range(2 + terms)]
    slopes = ",\n      ".join(initializer(column) for column in columns[2:])
    declaration = "alignas(64) static constexpr float"
    return f"""// To 2^{mp.nstr(mp.log(error, 2), 4)}.
struct {name} {{
  static constexpr float first = {FLOAT.literal(first)}, last = {FLOAT.literal(last)};
  {declaration} center[{SIZE}] = {initializer(columns[0])};
  {declaration} value[{SIZE}] = {initializer(columns[1])};
  {declaration} slope[{terms}][{SIZE}] = {{
      {slopes}}};
}};
"""


HEADER = """// Functions of float32 in pieces. Written by tools/pieces.py, which derives
// them; do not edit.
#pragma once

#include "../vec.hpp"

// clang-format off
namespace corepy {
inline namespace COREPY_TARGET {

"""

if __name__ == "__main__":
    OUTPUT.write_text(
        HEADER
        # From the last number on, tanh is 1.
        + written("TanhPieces", mp.tanh, mp.atanh, mpf(1) / 8, FLOAT.round(mpf("9.1")), 5)
        + "\n}  // namespace COREPY_TARGET\n}  // namespace corepy\n"
    )
