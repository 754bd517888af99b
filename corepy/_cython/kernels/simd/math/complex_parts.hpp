// Building blocks of functions of complex numbers. Real and imaginary components are accurate
// separately, so intermediate results are double-doubles, which are rounded once at the end.
// complex64 is computed in float64.
#pragma once

#include "../../complex_cases.hpp"
#include "../complex.hpp"
#include "hyperbolic.hpp"
#include "inverse_trig.hpp"
#include "trig.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

using Number = Vec<double>;
// first + second, where second is less than a tenth of first.
using Words = VecPair<Number>;
using Numbers = VecComplex<double>;

// ---- arithmetic in double-double

COREPY_INLINE Number rounded(Words a) { return a.first + a.second; }
COREPY_INLINE Words operator*(Words a, double power_of_two) {
  return {a.first * power_of_two, a.second * power_of_two};
}
COREPY_INLINE Words operator^(Words a, Number sign) { return {a.first ^ sign, a.second ^ sign}; }
COREPY_INLINE Words select(Mask<double> mask, Words a, Words b) {
  return {select(mask, a.first, b.first), select(mask, a.second, b.second)};
}
COREPY_INLINE Words operator+(Words a, Words b) {
  Words s = sum(a.first, b.first);
  s.second = s.second + (a.second + b.second);
  return s;
}
COREPY_INLINE Words operator*(Words a, Words b) {
  Words p = product(a.first, b.first);
  p.second = multiply_add(rounded(a), b.second, multiply_add(a.second, b.first, p.second));
  return p;
}
COREPY_INLINE Words squared(Words a) {
  Words p = product(a.first, a.first);
  p.second = multiply_add(a.first + rounded(a), a.second, p.second);
  return p;
}
// A rounded product. A zero keeps its sign, which the sum would lose.
COREPY_INLINE Number rounded_product(Words a, Words b) {
  const Words p = a * b;
  return select(p.first == 0.0, p.first, rounded(p));
}

// 1 / a to 1.6 %, for normal a > 0, which suffices to divide rounding errors.
COREPY_INLINE Number estimated_inverse(Number a) {
  const Number rough = rough_inverse(a);
  return rough * multiply_add(-a, rough, Number(2.0));
}
// a - b * c where b is about a / c. Without an fma the remainder of nearly subnormal numbers cannot
// be computed, and is not needed.
COREPY_INLINE Number rest_of(Number a, Number b, Number c) {
  const Number rest = remainder(a, b, c);
  if constexpr (HAS_FMA) return rest;
  return select(abs(a) < 0x1p-900, 0.0, rest);
}
COREPY_INLINE Words normalized(Words a) { return sum_ordered(a.first, a.second); }
// The following take normalized double-doubles, whose second is the rounding error of the first.
COREPY_INLINE Words divided(Words a, Words b) {
  const Number quotient = a.first / b.first;
  const Number rest =
      multiply_add(-quotient, b.second, rest_of(a.first, quotient, b.first) + a.second);
  return {quotient, rest * (estimated_inverse(abs(b.first)) | sign_bit_of(b.first))};
}
COREPY_INLINE Words square_root(Words a) {
  const Number root = sqrt(a.first), rest = remainder(a.first, root, root) + a.second;
  return {root, rest * estimated_inverse(root + root)};
}

// ---- functions of real numbers in double-double

// sin of a remainder.
COREPY_INLINE Words sin_words(Reduced<double> r) {
  const Words z = product(r.high, r.high);
  const Number first(Trig<double>::SIN_FIRST);
  Words ratio = multiply_add_pair(z.first, first, Number(1.0));
  ratio.second = multiply_add(z.second, first, ratio.second);
  ratio.second =
      multiply_add(z.first * z.first, polynomial(z.first, Trig<double>::SIN_REST), ratio.second);
  const Number cosine = multiply_add(z.first, -0.42, 1.0);
  Words sine = product(r.high, ratio.first);
  sine.second =
      multiply_add(-r.negative_low, cosine, multiply_add(r.high, ratio.second, sine.second));
  return sine ^ r.odd;
}

// sin(x), cos(x) and 1 - cos(x).
struct Circle {
  Words sin, cos, versine;
};

// The remainder of a multiple of pi / 2.
struct Quarter {
  static constexpr bool HALF = true, OFFSET = false;
};

// Of x + low, 0 <= x <= MODERATE<double>.
COREPY_INLINE Circle circle(Number x, Number low = Number(0.0)) {
  // The series of (1 - cos(x) - x^2 / 2) / x^4 in x^2.
  constexpr double COS[] = {
      -1.0 / 24,        1.0 / 720,         -1.0 / 40320,         1.0 / 3628800,
      -1.0 / 479001600, 1.0 / 87178291200, -1.0 / 20922789888000};
  const Number shifted = quotient_by_pi<Quarter>(x).multiple + ROUNDER<double>;
  Reduced<double> r = reduce<Quarter>(x);
  const Mask<double> odd = is_negative(r.odd);
  r.odd = Number(0.0);
  r.negative_low = r.negative_low - low;
  const Words sine = sin_words(r), z = product(r.high, r.high);
  Words versine = z * 0.5;
  versine.second = multiply_add(z.first * z.first, polynomial(z.first, COS), versine.second);
  versine.second = multiply_add(-r.negative_low, r.high, versine.second);
  Words cosine = sum_ordered(Number(1.0), -versine.first);
  cosine.second = cosine.second - versine.second;
  // Bit 1 of the quadrant's number is the sign of the sine.
  const auto bits = bitcast<uint64_t>(shifted);
  const Number sign = sign_bit_of(bitcast<double>(bits << 62));
  const Number other = sign ^ sign_bit_of(bitcast<double>(bits << 63));
  Circle result = {select(odd, cosine, sine) ^ sign, select(odd, sine, cosine) ^ other, versine};
  Words rest = sum_ordered(Number(1.0), -result.cos.first);
  rest.second = rest.second - result.cos.second;
  result.versine = select(odd | is_negative(sign), rest, versine);
  return result;
}
// The same for any x >= 0, with the sine times 2^-exponent: products with a subnormal sine would
// lose digits.
struct AnyCircle : Circle {
  Number exponent;
};
constexpr double TINY = 0x1p-900;

template <bool with_versine = false>
COREPY_INLINE AnyCircle circle_of_any(Number x, Number low = Number(0.0)) {
  const Mask<double> large = x > MODERATE<double>, tiny = x < TINY;
  x = select(tiny, x * 0x1p300, x);
  low = select(tiny, low * 0x1p300, low);
  AnyCircle result = {circle(x, low), select(tiny, Number(-300.0), 0.0)};
  result.sin = select(large, sin_words(reduce_large<Sin>(x, large)), result.sin);
  result.cos = select(large, sin_words(reduce_large<Cos>(x, large)), result.cos);
  if constexpr (with_versine) {
    const Words half = sin_words(reduce_large<Sin>(x * 0.5, large));
    result.versine = select(large, squared(half) * 2.0, result.versine);
  }
  return result;
}

// The angle of a point in the first quadrant, or of its mirror image in the second, as Atan2 in
// double-double. The larger coordinate must be scaled so that remainders do not over- or underflow.
COREPY_INLINE Words angle_words(Words y, Words x, Mask<double> mirrored) {
  constexpr double PI = Arc<double>::PI, right_angle = PI / 2;
  const Mask<double> flat = y.first + y.first <= x.first, steep = y.first >= x.first + x.first;
  const Words zero = {Number(0.0), Number(0.0)};
  // The point rotated by -pi / 4, times sqrt(2). The difference is exact.
  const Words numerator = {y.first - x.first, y.second - x.second};
  Words denominator = sum(x.first, y.first);
  denominator.second = denominator.second + (x.second + y.second);
  const Number minus(-0.0);
  const Words t = divided(select(steep, x ^ minus, select(flat, y, numerator)),
                          select(steep, y, select(flat, x, denominator)));
  Number axis = select(steep, right_angle, select(flat, zero.first, Number(right_angle / 2)));
  axis = select(mirrored, PI - axis, axis);
  const Words turned = t ^ select(mirrored, minus, zero.first);
  const Number z = t.first * t.first;
  const Number tail =
      multiply_add(turned.first * z, polynomial(z, Arc<double>::ATAN), turned.second);
  Words result = sum_ordered(axis, turned.first);
  result.second = result.second + multiply_add(axis, Arc<double>::PI_LOW / Arc<double>::PI, tail);
  return result;
}

// x^2 + y^2, x >= y >= 0, so that x^2 + y^2 - 1 is accurate near 1, too.
COREPY_INLINE Words sum_of_squares(Number x, Number y) {
  const Words a = product(x, x), b = product(y, y);
  const Words high = sum_ordered(a.first, b.first), low = sum(a.second, b.second);
  const Words middle = sum(high.second, low.first);
  Words result = sum_ordered(high.first, middle.first);
  result.second = result.second + (middle.second + low.second);
  return result;
}

// log(1 + x), for x that is not close to -1.
COREPY_INLINE Words log1p_words(Words x) {
  Words total = sum(Number(1.0), x.first);
  total.second = total.second + x.second;
  return log_of_three(total, Number(0.0), Number(0.0));
}

// ---- functions of complex numbers

COREPY_INLINE Number larger(Number a, Number b) { return max_of_numbers(a, b); }
COREPY_INLINE Number smaller(Number a, Number b) { return min_of_numbers(a, b); }

// Reads operands and writes a result.
using ComplexFunction = void (*)(const Numbers* in, Numbers* out);

// F::usual(unusual, z) computes usual elements and adds others to the mask; F::any(z) computes any
// finite elements.
template <class F>
__attribute__((noinline, cold)) void compute_unusual(Mask<double> unusual, const Numbers* in,
                                                     Numbers* out) {
  const Numbers z = *in;
  Numbers result = select(unusual, F::any(z), *out);
  uint64_t lanes = bits(~is_finite(z));
  for (int i = 0; lanes; i++, lanes >>= 1) {
    if (!(lanes & 1)) continue;
    double components[] = {result.real.get(i), result.imag.get(i)};
    apply_complex_case(F::operation, z.real.get(i), z.imag.get(i), components);
    result.real.v[i] = components[0];
    result.imag.v[i] = components[1];
  }
  *out = result;
}
template <class F>
__attribute__((noinline)) void compute(const Numbers* in, Numbers* out) {
  Mask<double> unusual = ~is_finite(*in);
  *out = F::usual(unusual, *in);
  if (__builtin_expect(any(unusual), 0)) compute_unusual<F>(unusual, in, out);
}

// -i f(iz) of an odd function that commutes with conj: components are exchanged.
template <class F>
void compute_swapped(const Numbers* in, Numbers* out) {
  const Numbers z = {in->imag, in->real};
  Numbers w;
  compute<F>(&z, &w);
  *out = {w.imag, w.real};
}

}  // namespace COREPY_TARGET
}  // namespace corepy
