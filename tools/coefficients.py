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


def split(form, value, zeros):
    """Write `value` as the sum of two numbers, the first with `zeros` trailing zero bits."""
    high = form.round(value, zeros)
    return high, form.round(value - high)


def lines(form, values):
    """Write an initialiser list."""
    text = ", ".join(form.literal(value) for value in values)
    return "{\n" + textwrap.indent(textwrap.fill(text, 92), "      ") + "}"


def polynomial(form, name, comment, function, degree, weight, low, high):
    """Write a polynomial as a constant, with its error."""
    coefficients, error = fit(function, weight, low, high, degree + 1, form)
    return f"""  // {comment}, to 2^{float(log(error, 2)):.1f}.
  static constexpr {form.name} {name}[{degree + 1}] = {lines(form, coefficients)};"""


def exponential(form, degree):
    """Write the constants of e^x = 2^(k / 16) e^r."""
    powers = [form.round(mpf(2) ** (mpf(j) / 16)) for j in range(16)]
    residues = [form.round(mpf(2) ** (mpf(j) / 16) / powers[j] - 1) for j in range(16)]
    # k is a rounded product: its error may be slightly more than a half.
    limit = log(2) / 32 * mpf("1.0001")
    series = polynomial(
        form,
        "series",
        "(e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r",
        lambda r: (expm1(r) - r - r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        -limit,
        limit,
    )
    high, low = split(form, log(2), form.exponent + 5)
    return f"""template <>
struct ExpConstants<{form.name}> {{
  // 2^(j / 16), and its relative rounding error.
  COREPY_TABLE {form.name} power[16] = {lines(form, powers)};
  COREPY_TABLE {form.name} residue[16] = {lines(form, residues)};
{series}
  // ln2_high times a number of sixteenths is exact.
  static constexpr {form.name} log2_e = {form.literal(form.round(1 / log(2)))};
  static constexpr {form.name} ln2_high = {form.literal(high)}, ln2_low = {form.literal(low)};
}};
"""


def log_inverses(size):
    """Choose c for each of `size` pieces of [1, 2), and the bounds of c m - 1.

    c is 1 for the first and 1/2 for the last, because of numbers near 1. The others have so few
    bits that c m - 1 is exact: c m has 5 bits more than m, and subtracting 1 removes as many
    leading bits; or 6 and so on, where c m is that much closer to 1.
    """
    inverses, lowest, highest = {0: mpf(1), size - 1: mpf(1) / 2}, mpf(0), mpf(0)
    for j in range(size):
        low, high = 1 + mpf(j) / size, 1 + mpf(j + 1) / size
        if j not in inverses:
            choices = []
            for bits in (5, 6, 7):
                unit = mpf(2) ** -bits
                nearest = mpmath.floor(2 / (low + high) / unit) * unit
                for c in (nearest, nearest + unit):
                    distance = max(1 - low * c, high * c - 1)
                    if distance <= 2 * unit:
                        choices.append((distance, c))
            inverses[j] = min(choices)[1]
        lowest = min(lowest, low * inverses[j] - 1)
        highest = max(highest, high * inverses[j] - 1)
    return inverses, lowest, highest


def logarithm(form, size, grid, degree, accurate_degree=None):
    """Write the constants of log(2^e m) = e log(2) - log(c) + log1p(c m - 1)."""
    points, low, high = log_inverses(size)

    def table(values):
        return lines(form, [values[i] for i in range(size)])

    text = f"""template <>
struct LogConstants<{form.name}> {{
  // c by the first bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
  static constexpr int bits = {size.bit_length() - 1};
  COREPY_TABLE {form.name} inverse[{size}] = {table(points)};
"""
    text += polynomial(
        form,
        "series",
        "(log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r",
        lambda r: (log1p(r) - r + r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        low * mpf("1.001"),
        high * mpf("1.001"),
    )
    if accurate_degree:
        text += "\n" + polynomial(
            form,
            "accurate_series",
            "(log1p(r) - r + r^2 / 2 - r^3 / 3) / r^4; log1p(r) is accurate, relative to r",
            lambda r: (log1p(r) - r + r**2 / 2 - r**3 / 3) / r**4,
            accurate_degree,
            lambda r: abs(r) ** 3,
            low * mpf("1.001"),
            high * mpf("1.001"),
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
        series = polynomial(
            form,
            "series",
            "(log(1 + r) - r log(e)) / r^2; log(1 + r) is accurate, relative to r log(e)",
            lambda r, base=base: (log1p(r) - r) / r**2 / log(base),
            degree + 1,
            lambda r, base=base: abs(r) * log(base),
            low * mpf("1.001"),
            high * mpf("1.001"),
        )
        text += f"""template <>
struct {name}Constants<{form.name}> {{
  // -log(c): a multiple of 2^{int(log(step, 2))}, and the remainder.
  COREPY_TABLE {form.name} high[{size}] = {table(exact)};
  COREPY_TABLE {form.name} low[{size}] = {table(rest)};
  // log(2), split in the same way, and log(e).
  static constexpr {form.name} of_2_high = {form.literal(on_grid(unit))};
  static constexpr {form.name} of_2_low = {form.literal(form.round(unit - on_grid(unit)))};
  static constexpr {form.name} of_e_high = {form.literal(factor[0])};
  static constexpr {form.name} of_e_low = {form.literal(factor[1])};
{series if base != mpmath.e else ""}
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
  COREPY_TABLE {form.name} inverse[{size}] = {lines(form, columns[0])};
  // -log(c): a multiple of 2^{int(log(grid, 2))}, and the remainder.
  COREPY_TABLE {form.name} high[{size}] = {lines(form, columns[1])};
  COREPY_TABLE {form.name} low[{size}] = {lines(form, columns[2])};
"""
    text += polynomial(
        form,
        "series",
        "(log1p(r) - r + r^2 / 2) / r^3; log1p(r) is accurate, relative to r",
        lambda r: (log1p(r) - r + r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        -limit,
        limit,
    )
    two = on_grid(log(2))
    return (
        text
        + f"""
  // log(2), split in the same way.
  static constexpr {form.name} of_2_high = {form.literal(two)};
  static constexpr {form.name} of_2_low = {form.literal(form.round(log(2) - two))};
}};
"""
    )


def hyperbolic_tangent(form, grid, degree):
    """Write the constants of log(y) = e log(2) - log(c) + 2 atanh((c m - 1) / (c m + 1)).

    y = 2^e m is (1 + a) / (1 - a). The first pieces have c = 1: there log(y) = 2 atanh(a), whose
    argument is exact. So next to them that of the others, which is not, is small.
    """
    inverses, _ = short_inverses(16, 6)
    first = 4
    inverses |= {j: mpf(1) for j in range(first)}
    # (c m - 1) / (c m + 1) times 2, the largest for m = 1 + first / 16.
    limit = 2 * mpf(first) / (32 + first) * mpf("1.001")
    logs = [-log(inverses[j]) for j in range(16)]
    high = [mpmath.nint(value / grid) * grid for value in logs]
    low = [form.round(value - exact) for value, exact in zip(logs, high, strict=True)]
    coefficients, error = fit(
        lambda z: (2 * mpmath.atanh(mpmath.sqrt(z) / 2) - mpmath.sqrt(z)) / z ** mpf("1.5"),
        lambda z: z,
        limit**2 / 2**20,
        limit**2,
        degree + 1,
        form,
    )
    return f"""template <>
struct AtanhConstants<{form.name}> {{
  // c by the first bits of m, 1 <= m < 2.
  COREPY_TABLE {form.name} inverse[16] = {lines(form, [inverses[j] for j in range(16)])};
  // -log(c): a multiple of 2^{int(log(grid, 2))}, and the remainder.
  COREPY_TABLE {form.name} high[16] = {lines(form, high)};
  COREPY_TABLE {form.name} low[16] = {lines(form, low)};
  // (2 atanh(w / 2) - w) / w^3 in w^2; the former is accurate to 2^{float(log(error, 2)):.1f}.
  static constexpr {form.name} series[{degree + 1}] = {lines(form, coefficients)};
}};
"""


def tangent(form, degree):
    """Write the constants of atan(a) = atan(c) + atan((a - c) / (1 + a c)).

    There are two pieces to a power of two. In the first c = 0, in the last it is infinity.
    """
    number = 2**form.exponent - 2
    points, limit = {number - 7: mpf(0)}, mpf(1) / 8
    low = limit
    for j in range(number - 6, number + 8):
        high = low + mpf(2) ** (mpmath.frexp(low)[1] - 2)
        # The quotient is to be small next to the unit of the result.
        ends = [mpmath.atan(x) for x in (low, high)]
        units = [mpf(2) ** mpmath.floor(log(x, 2)) for x in ends]
        angle = (ends[0] * units[1] + ends[1] * units[0]) / (units[0] + units[1])
        with mpmath.workprec(10):
            points[j] = +mpmath.tan(angle)
        limit = max(limit, (high - points[j]) / (1 + high * points[j]))
        limit = max(limit, (points[j] - low) / (1 + low * points[j]))
        low = high
    values = {j: mpmath.atan(c) for j, c in points.items()}
    points[number + 8], values[number + 8] = mpf(1), mpmath.pi / 2
    high = {j: form.round(value) for j, value in values.items()}

    def table(numbers):
        by_index = {int(j) % 16: value for j, value in numbers.items()}
        return lines(form, [by_index[i] for i in range(16)])

    coefficients, error = fit(
        lambda z: (mpmath.atan(mpmath.sqrt(z)) - mpmath.sqrt(z)) / z ** mpf("1.5"),
        lambda z: z,
        limit**2 / 2**20,
        limit**2,
        degree + 1,
        form,
    )
    return f"""template <>
struct AtanConstants<{form.name}> {{
  // c by the exponent and the first bit of the mantissa, and its arc tangent in double-double. c is
  // infinity from `last` on, and 0 below `first`.
  static constexpr {form.name} first = 0.125, last = 16;
  COREPY_TABLE {form.name} tangent[16] = {table(points)};
  COREPY_TABLE {form.name} high[16] = {table(high)};
  COREPY_TABLE {form.name} low[16] = {
        table({j: form.round(value - high[j]) for j, value in values.items()})
    };
  // (atan(w) - w) / w^3 in w^2; the former is accurate to 2^{float(log(error, 2)):.1f}.
  static constexpr {form.name} series[{degree + 1}] = {lines(form, coefficients)};
}};
"""


def whole_exponential(form, degree):
    """Write the constants of e^x - 1 = 2^n - 1 + 2^n (e^r - 1).

    n is such that 3/4 <= e^r <= 3/2: then the results for n = 1 begin with 1/2, and those for
    n = -1 with -1/4, so that the errors of terms that cancel are small next to their unit.
    """
    low, high = log(mpf(3) / 4), log(mpf(3) / 2)
    series = polynomial(
        form,
        "series",
        "(e^r - 1 - r - r^2 / 2) / r^3; e^r - 1 is accurate, relative to r",
        lambda r: (expm1(r) - r - r**2 / 2) / r**3,
        degree,
        lambda r: r**2,
        low - mpf(2) ** -8,
        high + mpf(2) ** -8,
    )
    return f"""template <>
struct Expm1Constants<{form.name}> {{
  // n is the integer nearest to x / log(2) less this number.
  static constexpr {form.name} offset = {form.literal(form.round(high / log(2) - mpf(1) / 2, 12))};
{series}
}};
"""


def direct_exponential(form, degree):
    """Write the constants of e^x = 2^n e^r, |r| <= log(2) / 2, used without a table."""
    # n may be off by a little more than a half, for it is a rounded product.
    limit = log(2) / 2 * mpf("1.0001")
    series = polynomial(
        form,
        "series",
        "(e^r - 1 - r - r^2 / 2) / r^3; e^r is accurate",
        lambda r: (expm1(r) - r - r**2 / 2) / r**3,
        degree,
        lambda r: abs(r) ** 3,
        -limit,
        limit,
    )
    return f"""template <>
struct DirectExpConstants<{form.name}> {{
{series}
}};
"""


def direct_hyperbolic(form, odd_degree, even_degree):
    """Write the constants of sinh(r) and cosh(r) for |r| <= log(2) / 2."""
    limit = (log(2) / 2 * mpf("1.0001")) ** 2
    odd = polynomial(
        form,
        "odd",
        "(sinh(r) - r) / r^3 in r^2; sinh(r) is accurate, relative to r",
        lambda z: (mpmath.sinh(mpmath.sqrt(z)) - mpmath.sqrt(z)) / z ** mpf("1.5"),
        odd_degree,
        lambda z: z,
        limit / 2**20,
        limit,
    )
    even = polynomial(
        form,
        "even",
        "(cosh(r) - 1) / r^2 in r^2; cosh(r) is accurate",
        lambda z: (mpmath.cosh(mpmath.sqrt(z)) - 1) / z,
        even_degree,
        lambda z: z,
        limit / 2**20,
        limit,
    )
    return f"""template <>
struct DirectSinhConstants<{form.name}> {{
{odd}
{even}
}};
"""


def direct_logarithm(form, degree, atanh_degree):
    """Write the constants of log(m) = 2 atanh(s), s = (m - 1) / (m + 1), used without a table."""

    def series(name, limit, degree):
        return polynomial(
            form,
            name,
            "(2 atanh(s) - 2 s) / s^3 in s^2; atanh(s) is accurate, relative to s",
            lambda z: 2 * (mpmath.atanh(mpmath.sqrt(z)) - mpmath.sqrt(z)) / z ** mpf("1.5"),
            degree,
            lambda z: z / 2,
            limit**2 / 2**20,
            limit**2,
        )

    def argument(exponent):
        m = mpf(2) ** exponent
        return (m - 1) / (m + 1) * mpf("1.0001")

    return f"""template <>
struct DirectLogConstants<{form.name}> {{
  // Where sqrt(1 / 2) <= m <= sqrt(2).
{series("series", argument(mpf(1) / 2), degree)}
  // A wider range: log2(m) may exceed 1/2 by twice the error of approximating log2(m) by
  // m - 1.
{series("wide_series", argument(mpf("0.5861")), atanh_degree)}
}};
"""


def short_logarithm(degree):
    """Write the constants of log1p of float32 without a table and without a division."""
    series = polynomial(
        FLOAT,
        "series",
        "(log1p(f) - f + f^2 / 2) / f^3; log1p(f) is accurate, relative to f",
        lambda f: (log1p(f) - f + f**2 / 2) / f**3,
        degree,
        lambda f: f**2,
        -mpf(1) / 4,
        mpf(1) / 2,
    )
    return f"""struct Log1pConstants {{
{series}
}};
"""


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
template <class T> struct AtanhConstants;
template <class T> struct AtanConstants;
template <class T> struct Expm1Constants;
template <class T> struct DirectExpConstants;
template <class T> struct DirectSinhConstants;
template <class T> struct DirectLogConstants;

"""

if __name__ == "__main__":
    OUTPUT.write_text(
        HEADER
        + exponential(FLOAT, 1)
        + exponential(DOUBLE, 4)
        # The largest exponent times log(2) plus log(c) has to fit into the precision.
        + logarithm(FLOAT, 32, mpf(2) ** -17, 2)
        + logarithm(DOUBLE, 16, mpf(2) ** -42, 8, 9)
        + power(FLOAT, 32, 6, mpf(2) ** -17, 3)
        + whole_exponential(FLOAT, 4)
        + whole_exponential(DOUBLE, 9)
        + tangent(FLOAT, 2)
        + tangent(DOUBLE, 5)
        + hyperbolic_tangent(FLOAT, mpf(2) ** -17, 2)
        + hyperbolic_tangent(DOUBLE, mpf(2) ** -42, 5)
        + direct_exponential(FLOAT, 3)
        + direct_exponential(DOUBLE, 9)
        + direct_hyperbolic(FLOAT, 2, 2)
        + direct_hyperbolic(DOUBLE, 4, 4)
        + direct_logarithm(FLOAT, 2, 3)
        + direct_logarithm(DOUBLE, 6, 7)
        + short_logarithm(8)
        + "\n}  // namespace COREPY_TARGET\n}  // namespace corepy\n"
    )
