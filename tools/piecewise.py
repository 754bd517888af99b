"""Derive the tables of functions in pieces and write them as C++.

    python tools/piecewise.py    # rewrites corepy/_cython/kernels/simd/math/piecewise.hpp

The functions are of float32. There are four pieces to a power of two, so that the exponent and two
bits of an argument are the number of its piece; or those of its distance from 1, where the function
is singular there. Where a register holds eight numbers there are eight pieces. In a piece f(x) =
f(c) + d P(d), d = x - c: c is a number of the middle of the piece such that f(c) is next to a
float32 (S. Gal, B. Bachelis, An accurate elementary mathematical library for the IEEE floating
point standard, ACM TOMS 17, 1991), so the sum is rounded once.
"""

import textwrap
from itertools import islice
from pathlib import Path

from minimax import FLOAT, fit
from mpmath import mp, mpf

OUTPUT = Path(__file__).parent.parent / "corepy/_cython/kernels/simd/math/piecewise.hpp"
SIZE = 32


def centers(function, inverse, low, high):
    """The float32 around the middle at which the function is one, to 10 bits more."""
    value = function((low + high) / 2)
    unit = mpf(2) ** (mp.frexp(value)[1] - 24)
    for i in range(20000):
        for exact in (FLOAT.round(value) + i * unit, FLOAT.round(value) - i * unit):
            x = FLOAT.round(inverse(exact))
            if low < x < high and abs(function(x) - exact) < unit / 1024:
                yield x, exact


def first_piece(function, first, terms):
    """The terms of P for c = 0, f(x) = x + x P(x), and the error."""
    return fit(
        lambda x: function(x) / x - 1, lambda x: x / function(x), first / 2**16, first, terms, FLOAT
    )


def piece(function, inverse, low, high, terms):
    """The c, f(c) and terms of P of the piece between two numbers, and the error.

    The error of the rounded terms varies with c; several are tried.
    """

    def around(c, value):
        def slope(d):
            return (function(c + d) - value) / d if d else mp.diff(function, c)

        def weight(d):
            return abs(d) / function(c + d)

        coefficients, error = fit(slope, weight, low - c, high - c, terms, FLOAT)
        return [c, value, *coefficients], error

    best = None
    for c, value in islice(centers(function, inverse, low, high), 12):
        row, error = around(c, value)
        if not best or error < best[1]:
            best = row, error
        if error < mpf(2) ** -27:
            break
    if not best:
        raise ArithmeticError("no such number")
    return best


def pieces(function, inverse, first, last, terms):
    """Tables by the number of a piece: c, f(c), the terms of P; of all, the largest error.

    The first piece are all numbers below `first`.
    """
    tables = {}
    number = 4 * (127 + int(mp.log(first, 2)))
    coefficients, worst = first_piece(function, first, terms)
    tables[(number - 1) % SIZE] = [mpf(0), mpf(0), *coefficients]
    low = first
    while low < last:
        width = mpf(2) ** (mp.frexp(low)[1] - 3)
        row, error = piece(function, inverse, low, min(low + width, last), terms)
        tables[number % SIZE] = row
        worst, number, low = max(worst, error), number + 1, low + width
    return tables, worst


def pieces_below_1(function, inverse, first, last, terms):
    """The same by the number of the piece of 1 - x.

    The first piece are 1 - first and what is closer to 1, and 1 itself.
    """
    tables = {}
    number = 4 * 127
    coefficients, worst = first_piece(function, first, terms)
    for i in (number, number - 1):
        tables[i % SIZE] = [mpf(0), mpf(0), *coefficients]
    number, high = number - 2, 1 - first
    while 1 - high < last:
        low = high - mpf(2) ** (mp.frexp(high)[1] - (4 if mp.frexp(high)[0] == 0.5 else 3))
        row, error = piece(function, inverse, 1 - high, 1 - low, terms)
        tables[number % SIZE] = row
        worst, number, high = max(worst, error), number - 1, low
    return tables, worst


def eight_pieces(function, inverse, first, last, terms):
    """The same by the exponent and one bit of 1 + 3/2 x, which is 3/2 at `first`."""
    coefficients, worst = first_piece(function, first, terms)
    number, grown = 2 * 127, mpf(3) / 2
    tables = {number % 8: [mpf(0), mpf(0), *coefficients]}
    low = first
    while low < last:
        grown += mpf(2) ** (mp.frexp(grown)[1] - 2)
        number, high = number + 1, (grown - 1) * 2 / 3
        tables[number % 8], error = piece(function, inverse, low, min(high, last), terms)
        worst, low = max(worst, error), high
    return tables, worst


def initializer(values, size):
    """Write the values of one table."""
    text = ", ".join(FLOAT.literal(values.get(i, mpf(0))) for i in range(size))
    return "{\n" + textwrap.indent(textwrap.fill(text, 92), "      ") + "}"


def written(name, function, inverse, first, last, terms, tabulate=pieces):
    """Write the tables of a function."""
    size = 8 if tabulate is eight_pieces else SIZE
    tables, error = tabulate(function, inverse, first, last, terms)
    columns = [{i: row[k] for i, row in tables.items()} for k in range(2 + terms)]
    slopes = ",\n      ".join(initializer(column, size) for column in columns[2:])
    declaration = "COREPY_TABLE float"
    return f"""// To 2^{mp.nstr(mp.log(error, 2), 4)}.
struct {name} {{
  static constexpr float first = {FLOAT.literal(FLOAT.round(first))}, last = {FLOAT.literal(last)};
  {declaration} center[{size}] = {initializer(columns[0], size)};
  {declaration} value[{size}] = {initializer(columns[1], size)};
  {declaration} slope[{terms}][{size}] = {{
      {slopes}}};
}};
"""


HEADER = """// Functions of float32, piecewise. Written by tools/piecewise.py, which derives
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
        + written(
            "EightTanhPieces",
            mp.tanh,
            mp.atanh,
            mpf(1) / 3,
            FLOAT.round(mpf("9.1")),
            7,
            eight_pieces,
        )
        # As far as there are numbers of pieces.
        + written("AsinhPieces", mp.asinh, mp.sinh, mpf(1) / 8, mpf(28), 5)
        + written(
            "AtanhPieces", mp.atanh, mp.tanh, mpf(1) / 8, 1 - mpf(5) / 1024, 5, pieces_below_1
        )
        # acosh(1 + u / 2)^2, which unlike acosh is smooth at 0.
        + written(
            "SquareOfAcoshPieces",
            lambda u: mp.acosh(1 + u / 2) ** 2,
            lambda v: 2 * (mp.cosh(mp.sqrt(v)) - 1),
            mpf(1),
            mpf(224),
            6,
        )
        + written("AtanPieces", mp.atan, mp.tan, mpf(1) / 8, mpf(28), 5)
        + "\n}  // namespace COREPY_TARGET\n}  // namespace corepy\n"
    )
