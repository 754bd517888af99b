// Inverse trigonometric and hyperbolic functions of complex numbers.
//
// With sqrt(1 + z) = c + id and sqrt(1 - z) = e - if, for z in the first quadrant,
//
//   asin(z) = atan(x / (ec + fd)) + i asinh(ed + fc)
//   acos(z) = 2 atan(e / c) - i asinh(ed + fc)
//
// without cancellation. W. Kahan, Branch cuts for complex elementary functions, in: The State of
// the Art in Numerical Analysis (1987).
#pragma once

#include "complex_logarithm.cuh"

namespace corepy {
namespace complex {

// 1 - x for x >= 0, as a magnitude and a sign.
struct OneLess {
  Words magnitude;
  bool negative;

  COREPY_DEVICE explicit OneLess(double x) {
    const Words difference = sum(1.0, -x);
    negative = has_sign(difference.first);
    magnitude = turned(difference, negative);
  }
  // Whether squares of terms of x and y neither overflow nor underflow.
  COREPY_DEVICE bool is_usual(double x, double y) const {
    return larger(x, y) < MAX_SQUARABLE && larger(magnitude.first, y) >= MIN_SQUARABLE;
  }
};

// asinh(x), x >= 0.
COREPY_DEVICE double asinh_of_words(Words x) {
  if (!(x.first > 0x1p-30)) return rounded(x);
  Words radicand = squared(x);
  const Words one = sum(radicand.first, 1.0);
  radicand = {one.first, one.second + radicand.second};
  Words root = {::sqrt(radicand.first), 0.0};
  // Near 1 the rounding error is as large as x.
  root.second = (fused(-root.first, root.first, radicand.first) + radicand.second) /
                (root.first + root.first);
  Words argument = sum_ordered(root.first, x.first);
  argument.second += root.second + x.second;
  return rounded(log_of_words(argument, 0.0));
}

// acos(z) if `cosine`, otherwise asin(z), for finite z.
template <bool cosine>
COREPY_DEVICE complex128 arc(complex128 z) {
  const double x = magnitude(z.real), y = magnitude(z.imag);
  const bool left = has_sign(z.real), below = has_sign(z.imag);
  const OneLess less(x);
  double real, imag;
  if (less.is_usual(x, y)) {
    const Root plus(larger_of_root(sum(1.0, x), y), y);
    const Root minus(larger_of_root(less.magnitude, y), y);
    const Words c = plus.larger, d = plus.smaller;
    const Words e = less.negative ? minus.smaller : minus.larger;
    const Words f = less.negative ? minus.larger : minus.smaller;
    imag = asinh_of_words(e * d + f * c);
    if (cosine) {
      real = rounded(angle_of_words(left ? c : e, left ? e : c, false)) * 2.0;
    } else {
      real = rounded(angle_of_words({x, 0.0}, e * c + f * d, false));
    }
  } else if (larger(x, y) > 2) {  // asin(iz) = i log(2z)
    imag = rounded(log_of_modulus(x, y) + Words{0.6931471805599453, 2.3190468138462996e-17});
    real = rounded(cosine ? angle_of(z.real, y) : angle_of(y, x));
  } else {  // near 1, where sqrt(1 - z) is sqrt(-iy)
    imag = ::sqrt(y);
    real = cosine ? (left ? PI : imag) : PI / 2 - imag;
  }
  return {turned(real, !cosine && left), turned(imag, cosine != below)};
}

COREPY_CALLED complex128 acos(complex128 z) {
  if (!is_finite(z)) return first_case(cases::acos, z);
  return arc<true>(z);
}
// asinh(z) = -i asin(iz). The standard lists the special cases of asinh.
COREPY_CALLED complex128 asinh(complex128 z) {
  if (!is_finite(z)) return first_case(cases::asinh, z);
  return swapped(arc<false>(swapped(z)));
}
COREPY_DEVICE complex128 asin(complex128 z) { return swapped(asinh(swapped(z))); }
// acosh(z) = i acos(z) or -i acos(z), whose real component is not negative.
COREPY_DEVICE complex128 acosh(complex128 z) {
  const complex128 w = acos(z);
  return {magnitude(w.imag), turned(magnitude(w.real), z.imag == z.imag && has_sign(z.imag))};
}

// log1p(4x / ((1 - x)^2 + y^2)) / 4 + i atan2(2y, 1 - x^2 - y^2) / 2.
COREPY_CALLED complex128 atanh(complex128 z) {
  if (!is_finite(z)) return first_case(cases::atanh, z);
  const double x = magnitude(z.real), y = magnitude(z.imag);
  const OneLess less(x);
  double real, imag;
  if (less.is_usual(x, y)) {
    const Words denominator = squared(less.magnitude) + product(y, y);
    const Words ratio = divided({x * 4.0, 0.0}, denominator);
    const Words squares = sum_of_squares(larger(x, y), smaller(x, y));
    Words cosine = sum(1.0, -squares.first);
    cosine = sum(cosine.first, cosine.second - squares.second);
    const bool left = has_sign(cosine.first);
    real = rounded(log1p_of_words(ratio)) * 0.25;
    imag = rounded(angle_of_words({y * 2.0, 0.0}, turned(cosine, left), left)) * 0.5;
  } else if (larger(x, y) > 2) {  // x / |z|^2 + i pi / 2
    const double unit = 0x1p-600;
    const Words square = sum_of_squares(larger(x, y) * unit, smaller(x, y) * unit);
    real = rounded(divided({x * unit, 0.0}, square)) * unit;
    imag = PI / 2;
  } else {  // near 1: (log(2) - log(y)) / 2 + i pi / 4
    real = y == 0 ? infinity<double>() : (0.6931471805599453 - ::log(y)) * 0.5;
    imag = y == 0 ? y : PI / 4;
  }
  return {turned(real, has_sign(z.real)), turned(imag, has_sign(z.imag))};
}
COREPY_DEVICE complex128 atan(complex128 z) { return swapped(atanh(swapped(z))); }

}  // namespace complex
}  // namespace corepy
