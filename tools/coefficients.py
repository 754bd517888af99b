"""Derives the constants of the exponential and logarithmic kernels and writes them as C++.

    python tools/coefficients.py    # rewrites corepy/_cython/kernels/simd/math/constants.hpp

Polynomials are minimax (minimax.py): short series in a small variable whose first terms are exact.
Needs mpmath.
"""

import textwrap
from pathlib import Path

import mpmath
from minimax import DOUBLE, FLOAT, fit
from mpmath import expm1, log, log1p, mpf

OUTPUT = Path(__file__).parent.parent / "corepy/_cython/kernels/simd/math/constants.hpp"


def split(form, value, spare):
    """Write `value` as the sum of two numbers, the first with `spare` trailing zeros."""
    high = form.round(value, spare)
    return high, form.round(value - high)


def lines(form, values):
    """Write an initialiser list."""
    text = ", ".join(form.literal(value) for value in values)
    return "{\n" + textwrap.indent(textwrap.fill(text, 94), "      ") + "}"


def polynomial(form, name, comment, function, degree, weight, limit):
    """Write a polynomial as a constant, with its error."""
    coefficients, error = fit(function, weight, -limit, limit, degree + 1, form)
    return f"""  // {comment}, to 2^{float(log(error, 2)):.1f}.
  static constexpr {form.name} {name}[{degree + 1}] = {lines(form, coefficients)};"""


def exponential(form, degree):
    """Write the constants of e^x = 2^(k / 16) e^r."""
    powers = [form.round(mpf(2) ** (mpf(j) / 16)) for j in range(16)]
    residues = [form.round(mpf(2) ** (mpf(j) / 16) / powers[j] - 1) for j in range(16)]
    # k may be off by a little more than a half, for it is a rounded product.
    limit = log(2) / 32 * mpf("1.0001")
    series = polynomial(
        form,
        "series",
        "(e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r",
        lambda r: (expm1(r) - r - r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        limit,
    )
    high, low = split(form, log(2), form.exponent + 5)
    return f"""template <>
struct ExpConstants<{form.name}> {{
  // 2^(j / 16), and what rounding took from it, relative to it.
  alignas(64) static constexpr {form.name} power[16] = {lines(form, powers)};
  alignas(64) static constexpr {form.name} residue[16] = {lines(form, residues)};
{series}
  // ln2_high times a number of sixteenths is exact.
  static constexpr {form.name} log2_e = {form.literal(form.round(1 / log(2)))};
  static constexpr {form.name} ln2_high = {form.literal(high)}, ln2_low = {form.literal(low)};
}};
"""


# m is looked up by round(LOG_STEP m). With this number and with the inverses below c m is closest
# to 1, relative to the logarithm of m.
LOG_STEP = mpf("16.875")


def log_inverses():
    """Choose c for each j of round(LOG_STEP m), 3/4 <= m <= 3/2.

    c is 1 for the interval around 1. Elsewhere it has so few bits that c m - 1 is exact: c m has 5
    (or 6) bits more than m, and subtracting 1 takes at least 4 (or 5) leading ones.
    """
    inverses, limit = {}, 0
    for j in range(13, 26):
        low, high = max(mpf(3) / 4, (j - mpf(0.5)) / LOG_STEP), (j + mpf(0.5)) / LOG_STEP
        choices = [(max(1 - low, high - 1), mpf(1))] if low < 1 < high else []
        for bits, bound in ((5, mpf(1) / 16), (6, mpf(1) / 32)) if not choices else ():
            unit = mpf(2) ** (-bits if low > 1 else 1 - bits)
            for c in (mpmath.floor(2 / (low + high) / unit) * unit + i * unit for i in (0, 1)):
                distance = max(abs(low * c - 1), abs(high * c - 1))
                if distance < bound and distance < abs(log(c)):
                    choices.append((distance, c))
        distance, inverses[j] = min(choices)
        limit = max(limit, distance)
    return inverses, limit


def logarithm(form, grid, degree, accurate_degree=None):
    """Write the constants of log(2^e m) = e log(2) - log(c) + log1p(c m - 1)."""
    points, limit = log_inverses()

    def table(values):
        by_index = {j % 16: value for j, value in values.items()}
        return lines(form, [by_index.get(i, mpf(0)) for i in range(16)])

    text = f"""template <>
struct LogConstants<{form.name}> {{
  // c by the last four bits of the integer closest to m times step: m c is close to 1.
  static constexpr {form.name} step = {form.literal(LOG_STEP)};
  alignas(64) static constexpr {form.name} inverse[16] = {table(points)};
"""
    text += polynomial(
        form,
        "series",
        "(log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r",
        lambda r: (log1p(r) - r + r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        limit * mpf("1.001"),
    )
    if accurate_degree:
        text += "\n" + polynomial(
            form,
            "accurate_series",
            "(log1p(r) - r + r^2 / 2 - r^3 / 3) / r^4; log1p(r) is accurate, relative to r",
            lambda r: (log1p(r) - r + r**2 / 2 - r**3 / 3) / r**4,
            accurate_degree,
            lambda r: abs(r) ** 3,
            limit * mpf("1.001"),
        )
        third = split(form, mpf(1) / 3, 0)
        text += f"""
  static constexpr {form.name} third_high = {form.literal(third[0])};
  static constexpr {form.name} third_low = {form.literal(third[1])};
"""
    text += "};\n"
    for name, base in (("NaturalLog", mpmath.e), ("Log2", mpf(2)), ("Log10", mpf(10))):
        # The logarithms to base 2 of the same numbers need one bit more before the point.
        step = grid * 2 if base == 2 else grid

        def on_grid(value, step=step):
            return mpmath.nint(value / step) * step

        values = {j: -log(c) / log(base) for j, c in points.items()}
        exact = {j: on_grid(value) for j, value in values.items()}
        rest = {j: form.round(values[j] - exact[j]) for j in values}
        unit = log(2) / log(base)
        factor = split(form, 1 / log(base), 0)
        text += f"""template <>
struct {name}Constants<{form.name}> {{
  // -log(c): multiples of 2^{int(log(step, 2))}, and what is left.
  alignas(64) static constexpr {form.name} high[16] = {table(exact)};
  alignas(64) static constexpr {form.name} low[16] = {table(rest)};
  // The logarithm of 2, the first part a multiple of the same, and that of e.
  static constexpr {form.name} of_2_high = {form.literal(on_grid(unit))};
  static constexpr {form.name} of_2_low = {form.literal(form.round(unit - on_grid(unit)))};
  static constexpr {form.name} of_e_high = {form.literal(factor[0])};
  static constexpr {form.name} of_e_low = {form.literal(factor[1])};
}};
"""
    return text


def short_inverses(size, bits):
    """Choose c for each of `size` pieces of [1, 2).

    c is 1 for the first and 1/2 for the last, for the sake of numbers next to 1. The others are
    multiples of 2^-bits, which makes c m - 1 exact.
    """
    inverses, limit = {}, mpf(1) / size
    for j in range(size):
        low, high = 1 + mpf(j) / size, 1 + mpf(j + 1) / size
        unit = mpf(2) ** -bits
        nearest = mpmath.floor(2 / (low + high) / unit) * unit
        inverses[j] = min(
            (nearest, nearest + unit), key=lambda c: max(abs(low * c - 1), abs(high * c - 1))
        )
        if j in (0, size - 1):
            inverses[j] = 1 / mpf(1 if j == 0 else 2)
        limit = max(limit, 1 - low * inverses[j], high * inverses[j] - 1)
    return inverses, limit


def power(form, size, bits, grid, degree):
    """Write the constants of the logarithm that pow takes."""
    inverses, limit = short_inverses(size, bits)

    def on_grid(value):
        return mpmath.nint(value / grid) * grid

    logs = {j: -log(c) for j, c in inverses.items()}
    columns = [
        [table[j] for j in range(size)]
        for table in (
            inverses,
            {j: on_grid(v) for j, v in logs.items()},
            {j: form.round(v - on_grid(v)) for j, v in logs.items()},
        )
    ]
    text = f"""template <>
struct PowConstants<{form.name}> {{
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  alignas(64) static constexpr {form.name} inverse[{size}] = {lines(form, columns[0])};
  // -log(c): multiples of 2^{int(log(grid, 2))}, and what is left.
  alignas(64) static constexpr {form.name} high[{size}] = {lines(form, columns[1])};
  alignas(64) static constexpr {form.name} low[{size}] = {lines(form, columns[2])};
"""
    text += polynomial(
        form,
        "series",
        "(log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r",
        lambda r: (log1p(r) - r + r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        limit,
    )
    two = on_grid(log(2))
    return (
        text
        + f"""
  // The logarithm of 2, likewise.
  static constexpr {form.name} of_2_high = {form.literal(two)};
  static constexpr {form.name} of_2_low = {form.literal(form.round(log(2) - two))};
}};
"""
    )


HEADER = """// Constants of the exponential and logarithmic kernels. Written by
// tools/coefficients.py, which derives them; do not edit.
#pragma once

#include "../vec.hpp"

// clang-format off
namespace corepy {
inline namespace COREPY_TARGET {

template <class T> struct ExpConstants;
template <class T> struct LogConstants;
template <class T> struct PowConstants;
template <class T> struct NaturalLogConstants;
template <class T> struct Log2Constants;
template <class T> struct Log10Constants;

"""

if __name__ == "__main__":
    OUTPUT.write_text(
        HEADER
        + exponential(FLOAT, 1)
        + exponential(DOUBLE, 4)
        # The largest exponent times log(2) plus log(c) has to fit into the precision.
        + logarithm(FLOAT, mpf(2) ** -17, 3)
        + logarithm(DOUBLE, mpf(2) ** -42, 8, 9)
        + power(FLOAT, 32, 6, mpf(2) ** -17, 3)
        + "\n}  // namespace COREPY_TARGET\n}  // namespace corepy\n"
    )
