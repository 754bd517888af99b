// exp, expm1, sinh, cosh and tanh of complex numbers, and sin, cos and tan from these at iz.
#pragma once

#include "complex_cases.cuh"
#include "complex_circle.cuh"

namespace corepy {
namespace complex {

// Up to this bound e^x, e^-x and their halves are in range.
constexpr double USUAL_EXPONENT = 700;

// e^(x + iy) 2^n for |x| <= 1460, from the circle at |y|. An overflowing exponential may be
// multiplied by a tiny sine.
COREPY_DEVICE complex128 exp_of_words(Words x, const Circle& circle, int n, bool below) {
  const Exponential e(x);
  const int exponent = e.exponent + n;
  return {scale(rounded_product(e.number, circle.cos), exponent),
          turned(scale(rounded_product(e.number, circle.sin), exponent + circle.exponent), below)};
}
COREPY_DEVICE complex128 exp_of_any(double x, const Circle& circle, int n, bool below) {
  return exp_of_words({bounded(x, -1460.0, 1460.0), 0.0}, circle, n, below);
}

COREPY_CALLED complex128 exp(complex128 z) {
  if (!is_finite(z)) return first_case(cases::exp, z);
  return exp_of_any(z.real, Circle(magnitude(z.imag)), 0, has_sign(z.imag));
}

// Real component: e^x cos(y) - 1 = (e^x - 1) cos(y) - (1 - cos(y)).
COREPY_CALLED complex128 expm1(complex128 z) {
  if (!is_finite(z)) return first_case(cases::expm1, z);
  const Circle c(magnitude(z.imag));
  const bool below = has_sign(z.imag);
  const double x = z.real;
  if (magnitude(x) > USUAL_EXPONENT) {
    const complex128 e = exp_of_any(x, c, 0, below);
    return {e.real - 1.0, e.imag};
  }
  // 2^-n (e^x - 1) = power - 2^-n + power r + power small: where x is close to 0 the first terms
  // cancel, so they are added exactly.
  const ExpArgument argument(x);
  const double r = argument.r, series = exp_series(r), r_squared = r * r;
  const double power = argument.power(), residue = argument.residue();
  const int n = argument.exponent();
  const double small = fused(series, r_squared, fused(residue, r, residue)) + argument.r_low(x);
  const double one = power_of_2(-n < 100 ? -n : 100);
  const Words base = sum(power, -one), slope = product(power, r);
  const Words total = sum(base.first, slope.first);
  const double rest = total.second + (slope.second + fused(power, small, base.second));
  const Words growth = sum_ordered(total.first, rest) * c.cos;
  const Words scaled = {scale(growth.first, n), scale(growth.second, n)};
  const double real = x < -45 ? -1.0 : rounded(scaled + -c.versine);
  const Words e = {power, power * (r + fused(series, r_squared, residue))};
  return {real, turned(scale(rounded_product(e, c.sin), n + c.exponent), below)};
}

// sinh(x) and cosh(x) of x >= 0, times 2^-n, in double-double:
//
//   e^x = 2^n power (1 + residue) e^r,  e^-x = 2^n power_minus (1 + residue_minus) e^-r
//
// The difference and the sum of the powers are double-doubles, to which terms with sinh(r) and
// cosh(r) - 1 are added, so that nothing cancels where x is close to 0.
struct Hyperbola {
  Words sinh, cosh;
  int n;

  COREPY_DEVICE explicit Hyperbola(double x) {
    const ExpArgument argument(x);
    const double r = argument.r, r_squared = r * r;
    const double power = argument.power(), residue = argument.residue();
    // Powers below 2^-128 are negligible.
    const int n_minus = (-argument.k >> 4) - argument.exponent();
    const double power_minus =
        POWER[-argument.k & 15] * power_of_2(n_minus < -128 ? -128 : n_minus);
    const double residue_minus = POWER_RESIDUE[-argument.k & 15];
    const Words difference = sum_ordered(power, -power_minus);
    const Words total = sum_ordered(power, power_minus);
    // (sinh(r) - r) / r^3 and cosh(r) - 1.
    const double odd = polynomial(r_squared, 1.0 / 6, 1.0 / 120, 1.0 / 5040);
    const double even = r_squared * polynomial(r_squared, 0.5, 1.0 / 24, 1.0 / 720, 1.0 / 40320);
    const double cubic = fused(odd, r_squared * r, argument.r_low(x));

    const Words slope = product(total.first, r);
    sinh = sum_ordered(difference.first, slope.first);
    double rest =
        fused(residue, r, residue) * power + fused(residue_minus, r, -residue_minus) * power_minus;
    rest = fused(total.second, r, difference.second + rest);
    rest = fused(difference.first, even, rest + slope.second);
    sinh.second = fused(total.first, cubic, rest + sinh.second);

    rest = fused(residue, power, residue_minus * power_minus);
    rest = fused(difference.first, cubic + r, total.second + rest);
    cosh = {total.first, fused(total.first, even, rest)};
    n = argument.exponent() - 1;
  }
};

// sinh(z), or cosh(z) if `even`, for finite z.
template <bool even>
COREPY_DEVICE complex128 hyperbolic(complex128 z) {
  const Circle c(magnitude(z.imag));
  const double x = magnitude(z.real);
  complex128 result;
  if (x < USUAL_EXPONENT) {
    const Hyperbola h(x);
    result = {scale(rounded_product(even ? h.cosh : h.sinh, c.cos), h.n),
              scale(rounded_product(even ? h.sinh : h.cosh, c.sin), h.n + c.exponent)};
  } else {
    result = exp_of_any(x, c, -1, false);
  }
  const bool left = has_sign(z.real), below = has_sign(z.imag);
  if (even) return {result.real, turned(result.imag, left != below)};
  return {turned(result.real, left), turned(result.imag, below)};
}

COREPY_CALLED complex128 sinh(complex128 z) {
  if (!is_finite(z)) return first_case(cases::sinh, z);
  return hyperbolic<false>(z);
}
COREPY_CALLED complex128 cosh(complex128 z) {
  if (!is_finite(z)) return first_case(cases::cosh, z);
  return hyperbolic<true>(z);
}

// (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2).
COREPY_CALLED complex128 tanh(complex128 z) {
  if (!is_finite(z)) return first_case(cases::tanh, z);
  const Circle c(magnitude(z.imag));
  // Beyond the usual exponents the result is 1 and a zero, as at the bound.
  const Hyperbola h(smaller(magnitude(z.real), USUAL_EXPONENT));
  const Words cosine = times_power(c.cos, power_of_2(-h.n));
  const Words denominator = normalized(squared(h.sinh) + squared(cosine));
  const Words real = divided(normalized(h.sinh * h.cosh), denominator);
  const Words imag = divided(normalized(c.sin * c.cos), denominator);
  const double quotient = imag.first == 0 ? imag.first : rounded(imag);
  return {turned(rounded(real), has_sign(z.real)),
          turned(scale(quotient, h.n * -2 + c.exponent), has_sign(z.imag))};
}

// f(iz) / i of an odd function: components are exchanged.
COREPY_DEVICE complex128 swapped(complex128 z) { return {z.imag, z.real}; }

COREPY_DEVICE complex128 sin(complex128 z) { return swapped(sinh(swapped(z))); }
COREPY_DEVICE complex128 cos(complex128 z) { return cosh({-z.imag, z.real}); }
COREPY_DEVICE complex128 tan(complex128 z) { return swapped(tanh(swapped(z))); }

}  // namespace complex
}  // namespace corepy
