// Building blocks of functions of complex numbers. Real and imaginary components are accurate
// separately, so intermediate results are double-doubles, which are rounded once at the end.
// complex64 is computed in float64.
#pragma once

#include "../../complex_cases.hpp"
#include "../complex.hpp"
#include "arc.hpp"
#include "exp.hpp"
#include "log.hpp"
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

// A number less the nearest multiple of pi / 2: high - negative_low. The multiple modulo 4 is in
// the lowest bits of `quarters`.
struct QuarterTurns {
  static constexpr bool HALF = true, OFFSET = false;
  Number high, negative_low;
  Vec<uint64_t> quarters;

  // 0 <= x <= MODERATE<double>.
  COREPY_INLINE explicit QuarterTurns(Number x) {
    const Reduced<double> r = reduce<QuarterTurns>(x);
    high = r.high;
    negative_low = r.negative_low;
    quarters = bitcast<uint64_t>(quotient_by_pi<QuarterTurns>(x).multiple + ROUNDER<double>);
  }
  // For lanes with larger x.
  void replace(Mask<double> large, Number x) {
    double arguments[Number::size], highs[Number::size], lows[Number::size];
    uint64_t multiples[Number::size];
    x.store(arguments);
    high.store(highs);
    negative_low.store(lows);
    quarters.store(multiples);
    uint64_t lanes = bits(large & is_finite(x));
    for (int i = 0; lanes; i++, lanes >>= 1) {
      if (!(lanes & 1)) continue;
      const Remainder r = remainder_of_large(arguments[i], true, 0);
      highs[i] = r.high;
      lows[i] = -r.low;
      multiples[i] = r.count;
    }
    high = Number::load(highs);
    negative_low = Number::load(lows);
    quarters = Vec<uint64_t>::load(multiples);
  }
};

// sin(x), cos(x) and 1 - cos(x).
struct Circle {
  Words sin, cos, versine;

  COREPY_INLINE explicit Circle(QuarterTurns r) {
    // The series of (1 - cos(x) - x^2 / 2) / x^4 in x^2.
    constexpr double COS[] = {
        -1.0 / 24,        1.0 / 720,         -1.0 / 40320,         1.0 / 3628800,
        -1.0 / 479001600, 1.0 / 87178291200, -1.0 / 20922789888000};
    const Words sine = sin_words({r.high, r.negative_low, Number(0.0)});
    const Words z = product(r.high, r.high);
    Words small = z * 0.5;
    small.second = multiply_add(z.first * z.first, polynomial(z.first, COS), small.second);
    small.second = multiply_add(-r.negative_low, r.high, small.second);
    Words cosine = sum_ordered(Number(1.0), -small.first);
    cosine.second = cosine.second - small.second;
    // Bit 1 of the quadrant's number is the sign of the sine.
    const Number odd_sign = sign_bit_of(bitcast<double>(r.quarters << 63));
    const Number sign = sign_bit_of(bitcast<double>(r.quarters << 62)), other = sign ^ odd_sign;
    const Mask<double> odd = is_negative(odd_sign);
    sin = select(odd, cosine, sine) ^ sign;
    cos = select(odd, sine, cosine) ^ other;
    Words rest = sum_ordered(Number(1.0), -cos.first);
    rest.second = rest.second - cos.second;
    versine = select(odd | is_negative(sign), rest, small);
  }
  // Of x + low, 0 <= x <= MODERATE<double>.
  COREPY_INLINE explicit Circle(Number x) : Circle(QuarterTurns(x)) {}
  COREPY_INLINE Circle(Number x, Number low) : Circle(with_low(x, low)) {}

 private:
  static COREPY_INLINE QuarterTurns with_low(Number x, Number low) {
    QuarterTurns r(x);
    r.negative_low = r.negative_low - low;
    return r;
  }
};
// The same for any x >= 0, with the sine times 2^-exponent: products with a subnormal sine would
// lose digits.
constexpr double TINY = 0x1p-900;
struct AnyCircle : Circle {
  Number exponent;

  COREPY_INLINE explicit AnyCircle(Number x, Number low = Number(0.0))
      : Circle(reduced(x, low)), exponent(select(x < TINY, Number(-300.0), 0.0)) {}

 private:
  static COREPY_INLINE QuarterTurns reduced(Number x, Number low) {
    const Mask<double> large = x > MODERATE<double>, tiny = x < TINY;
    x = select(tiny, x * 0x1p300, x);
    low = select(tiny, low * 0x1p300, low);
    QuarterTurns r(x);
    if (any(large)) r.replace(large, x);
    // The low part of numbers without a fraction may be any angle: the sum is unknown then.
    const Words high = sum(r.high, select(abs(low) < 0.1, low, 0.0));
    r.high = high.first;
    r.negative_low = r.negative_low - high.second;
    return r;
  }
};

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

// rare() where the mask is set, usual() elsewhere; neither is called for nothing.
template <class Usual, class Rare>
COREPY_INLINE auto choose(Mask<double> mask, Usual usual, Rare rare) {
  if (all(mask)) return rare();
  const auto result = usual();
  return none(mask) ? result : select(mask, rare(), result);
}

// Reads operands and writes a result. On a GPU they are called by functions of single numbers.
using ComplexFunction = void (*)(const Numbers* in, Numbers* out);
#if defined(COREPY_GPU)
#define COREPY_OUT_OF_LINE inline
#else
#define COREPY_OUT_OF_LINE __attribute__((noinline))
#endif

// F::usual(unusual, z) computes usual elements and adds others to the mask; F::any(z) computes any
// finite elements.
template <class F>
COREPY_OUT_OF_LINE __attribute__((cold)) void compute_unusual(Mask<double> unusual,
                                                              const Numbers* in, Numbers* out) {
  const Numbers z = *in;
  Numbers result = select(unusual, F::any(z), *out);
  double real[Number::size], imag[Number::size];
  result.real.store(real);
  result.imag.store(imag);
  uint64_t lanes = bits(~is_finite(z));
  for (int i = 0; lanes; i++, lanes >>= 1) {
    if (!(lanes & 1)) continue;
    double components[] = {real[i], imag[i]};
    complex_cases::replace<F::operation>(z.real.get(i), z.imag.get(i), components);
    real[i] = components[0];
    imag[i] = components[1];
  }
  *out = {Number::load(real), Number::load(imag)};
}
template <class F>
COREPY_OUT_OF_LINE void compute(const Numbers* in, Numbers* out) {
  // One element takes the way of F::any, which has what is rare in branches.
  if constexpr (Number::size == 1) return compute_unusual<F>(Mask<double>::first(1), in, out);
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
