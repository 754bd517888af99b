// sqrt, logarithms and powers of complex numbers.
#pragma once

#include "complex_cases.cuh"
#include "complex_exponential.cuh"

namespace corepy {
namespace complex {

// sqrt(x + iy), x and y >= 0, has the components a = sqrt((x + |x + iy|) / 2) and y / (2a).
// sqrt(-x + iy) has them exchanged.
COREPY_DEVICE Words larger_of_root(Words x, double y) {
  const Words modulus = square_root(squared(x) + product(y, y));
  Words total = sum_ordered(modulus.first, x.first);
  total.second += modulus.second + x.second;
  return square_root(times_power(total, 0.5));
}
struct Root {
  Words larger, smaller;

  COREPY_DEVICE Root(Words larger, double y)
      : larger(larger), smaller(divided({y, 0.0}, times_power(larger, 2.0))) {}
};

COREPY_CALLED complex128 sqrt(complex128 z) {
  if (!is_finite(z)) return first_case(cases::sqrt, z);
  const double x = magnitude(z.real), y = magnitude(z.imag), most = larger(x, y);
  if (most == 0) return {0.0, z.imag};
  const bool large = most > MAX_SQUARABLE, small = most < MIN_SQUARABLE;
  const double scale = large ? 0x1p-600 : small ? 0x1p600 : 1.0;
  const double back = large ? 0x1p300 : small ? 0x1p-300 : 1.0;
  const Root root(times_power(larger_of_root({x * scale, 0.0}, y * scale), back), y);
  const double first = rounded(root.larger), second = rounded(root.smaller);
  const bool left = has_sign(z.real);
  return {left ? second : first, turned(left ? first : second, has_sign(z.imag))};
}

// log|z| of x = |Re z| and y = |Im z|, finite and not both 0.
COREPY_DEVICE Words log_of_modulus(double x, double y) {
  const Scale scale(larger(x, y));
  const Words square = sum_of_squares(larger(x, y) * scale.factor, smaller(x, y) * scale.factor);
  return times_power(log_of_words(square, -2 * scale.exponent), 0.5);
}
// The angle of any finite number with y >= 0. For y much smaller than the real component it is
// their quotient.
COREPY_DEVICE Words angle_of(double real, double y) {
  const double x = magnitude(real), factor = Scale(larger(x, y)).factor;
  const bool left = has_sign(real);
  if (y * factor < TINY) {
    if (left) return {PI, PI_LOW};
    if (y == 0) return {0.0, 0.0};
    const double back = factor < 1 ? 0x1p-300 : 1.0;
    return divided({y * back, 0.0}, {x * back, 0.0});
  }
  return angle_of_words({y * factor, 0.0}, {x * factor, 0.0}, left);
}

// The logarithm to the base where log(e) is of_e.
COREPY_CALLED complex128 log_to_base(complex128 z, Words of_e) {
  const double x = magnitude(z.real), y = magnitude(z.imag);
  if (!is_finite(z)) {
    const complex128 w = first_case(cases::log, z);
    return {w.real * of_e.first, w.imag * of_e.first};
  }
  const Words imag = angle_of(z.real, y);
  const bool below = has_sign(z.imag);
  const bool natural = of_e.first == 1;
  const double angle = natural ? rounded(imag) : rounded_product(imag, of_e);
  if (larger(x, y) == 0) return {-infinity<double>(), turned(angle, below)};
  const Words real = log_of_modulus(x, y);
  return {natural ? rounded(real) : rounded(real * of_e), turned(angle, below)};
}
COREPY_DEVICE complex128 log(complex128 z) { return log_to_base(z, {1.0, 0.0}); }
COREPY_DEVICE complex128 log2(complex128 z) {
  return log_to_base(z, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}
COREPY_DEVICE complex128 log10(complex128 z) {
  return log_to_base(z, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

// log|1 + z| = log1p(2x + x^2 + y^2) / 2. Where the terms cancel, rounding errors must be included.
COREPY_CALLED complex128 log1p(complex128 z) {
  if (!is_finite(z)) return first_case(cases::log, z);
  const double y = magnitude(z.imag);
  const Words one_plus_x = sum(1.0, z.real);
  const double x = magnitude(one_plus_x.first);
  // For large numbers 1 + x equals x, to the precision, and near -1 it is exact.
  if (!is_squared(larger(x, y))) return log({one_plus_x.first, z.imag});
  const Words a = product(z.real, z.real), b = product(y, y);
  const Words first = sum(z.real + z.real, a.first), high = sum(first.first, b.first);
  const Words low = sum(a.second, b.second), middle = sum(high.second, first.second);
  const Words rest = sum(middle.first, low.first);
  const Words total = sum(high.first, rest.first);
  Words square = sum(1.0, total.first);
  square.second += total.second + (middle.second + low.second + rest.second);
  // Near -1 the sum is exact.
  if (!(total.first > -0.75)) square = sum_of_squares(larger(x, y), smaller(x, y));
  const bool left = has_sign(one_plus_x.first);
  const Words angle = angle_of_words({y, 0.0}, turned(one_plus_x, left), left);
  return {rounded(log_of_words(square, 0.0)) * 0.5, turned(rounded(angle), has_sign(z.imag))};
}

// ---- powers

// z^n by squaring, in double-double: small whole powers are products, so that Gaussian integers
// remain such. False if the result leaves the range of squares.
COREPY_DEVICE bool whole_power(complex128 z, int n, complex128& result) {
  struct Factor {
    Words real, imag;
    COREPY_DEVICE Factor operator*(const Factor& b) const {
      return {normalized(real * b.real + -(imag * b.imag)),
              normalized(real * b.imag + imag * b.real)};
    }
  };
  Factor factor = {{z.real, 0.0}, {z.imag, 0.0}}, product = {{1.0, 0.0}, {0.0, 0.0}};
  int left = n < 0 ? -n : n;
  while (left) {
    if (left & 1) product = product * factor;
    left >>= 1;
    if (left) factor = factor * factor;
  }
  // Also rejects NaN.
  if (!is_squared(larger(magnitude(product.real.first), magnitude(product.imag.first))))
    return false;
  if (n < 0) {
    const Words square = normalized(squared(product.real) + squared(product.imag));
    const Words inverse = divided(product.imag, square);
    product.real = divided(product.real, square);
    product.imag = {0.0 - inverse.first, 0.0 - inverse.second};
  }
  result = {rounded(product.real), rounded(product.imag)};
  return true;
}

// e^(w log(z)), with logarithm, exponent and angle in double-double, as w multiplies their errors.
// Infinities and NaN give the result of exp(w log(z)).
COREPY_CALLED complex128 pow(complex128 z, complex128 w) {
  if (w.imag == 0 && magnitude(w.real) <= 127 && ::trunc(w.real) == w.real) {
    complex128 power;
    if (w.real == 1) return z;
    if (w.real == 0) return {1.0, 0.0};
    if (whole_power(z, int(w.real), power)) return power;
  }
  if (z.real == 0 && z.imag == 0) {
    const double power = w.real > 0 ? 0.0 : nan<double>();
    return {power, power};
  }
  if (!is_finite(z) || !is_finite(w)) {
    const complex128 l = log(z);
    if (w.imag == 0) return exp({l.real * w.real, l.imag * w.real});
    return exp({l.real * w.real - l.imag * w.imag, l.real * w.imag + l.imag * w.real});
  }
  const double y = magnitude(z.imag);
  const Words modulus = log_of_modulus(magnitude(z.real), y);
  const Words angle = turned(angle_of(z.real, y), has_sign(z.imag));
  Words real = normalized(modulus * w.real + angle * -w.imag);
  const Words imag = normalized(angle * w.real + modulus * w.imag);
  if (magnitude(real.first) > 1460) real = {bounded(real.first, -1460.0, 1460.0), 0.0};
  const bool below = has_sign(imag.first);
  return exp_of_words(real, Circle(turned(imag, below)), 0, below);
}

}  // namespace complex
}  // namespace corepy
