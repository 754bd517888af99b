// sin, cos and tan.
//
// x is reduced by the nearest multiple of the period to a remainder in double-double, because
// digits cancel near multiples of pi / 2: in floating point for small multiples (W. Cody, W. Waite,
// Software Manual for the Elementary Functions, 1980), in integers for large ones
// (large_arguments.hpp).
#pragma once

#include "../../large_arguments.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// The remainder of an argument: high - negative_low. The low part is negated to keep the sign of a
// zero in later sums. odd is a sign bit, set where the subtracted multiple is odd (cos: even); its
// other bits are 0.
template <class T>
struct Reduced {
  Vec<T> high, negative_low, odd;
};

// The largest argument that is reduced in floating point.
template <class T>
constexpr T MODERATE = std::is_same_v<T, float> ? T(1024) : T(1 << 22);
// The same for float32 that is computed in float64.
constexpr double WIDE_MODERATE = 1 << 20;

// Adding this rounds to an integer, in the lowest bits.
template <class T>
constexpr T ROUNDER = T(3) * T(uint64_t(1) << (std::numeric_limits<T>::digits - 2));

// The lowest bit of such a sum as a sign.
template <class T>
inline Vec<T> parity_sign(Vec<T> rounded) {
  return bitcast<T>(bitcast<Word<T>>(rounded) << int(8 * sizeof(T) - 1));
}

// pi in parts. With an fma the first has all its digits, since x - n * PI[0] is exact for every n
// near x / pi; the second is so short that its products with n are exact. No part is negative,
// which would turn -0 into 0. Without an fma all but the last are short.
//
// SIN: sin(x) = x + x * z * (SIN_FIRST + z * polynomial(z)), z = x^2, |x| <= pi / 2.
// COT: x * cot(x) = 1 + z * polynomial(z), |x| <= pi / 4.
// WIDE: for float32 in float64. From tools/trig_coefficients.py.
template <class T>
struct Trig;

template <>
struct Trig<double> {
  static constexpr double PI[] = {3.141592653589793, 1.224646798818428e-16, 3.2892513872648515e-26};
  static constexpr double SHORT_PI[] = {3.1415926534682512, 1.2154201018028943e-10,
                                        -5.016557612685289e-20, 1.69568553207378e-31};
  static constexpr double SIN_FIRST = -0.16666666666666666;
  static constexpr double SIN_REST[] = {
      0.008333333333333207,    -0.0001984126984121247, 2.755731921156607e-06,
      -2.5052106903906024e-08, 1.605894096583314e-10,  -7.643018151073214e-13,
      2.7214038851710808e-15,
  };
  static constexpr double COT[] = {
      -0.33333333333333454,    -0.022222222222146034,   -0.0021164021180677182,
      -0.0002116401937700356,  -2.1377907588675328e-05, -2.1640076672923364e-06,
      -2.2014891533223838e-07, -2.102584236130544e-08,  -3.1033531746573704e-09,
  };
};

template <>
struct Trig<float> {
  static constexpr float PI[] = {3.1415925f, 1.5099067e-07f, 5.126688e-12f};
  static constexpr float SIN_FIRST = -0.1666666f;
  static constexpr float SIN_REST[] = {0.008333069f, -0.00019809777f, 2.6060957e-06f};
  static constexpr float COT[] = {-0.33333305f, -0.022226537f, -0.0020962802f, -0.00024819336f};
  static constexpr double WIDE_PI[] = {3.1415926534682512, 1.2154201013012384e-10};
  static constexpr double WIDE_SIN[] = {
      -0.16666666666504112,   0.008333333321056341,    -0.00019841266723462467,
      2.7556952562327107e-06, -2.5030175100079046e-08, 1.5409207878492076e-10,
  };
  static constexpr double WIDE_COT[] = {
      -0.33333333319346886,    -0.0222222264886799,    -0.0021163586538149666,
      -0.00021184365579623532, -2.089923906301577e-05, -2.7070643540601414e-06,
  };
};

// The multiple of pi near x, and whether it is odd. F::OFFSET: odd multiples of pi / 2 (cos);
// F::HALF: multiples of pi / 2 (tan).
template <class T>
struct Quotient {
  Vec<T> multiple, odd;
};
template <class F, class T>
COREPY_INLINE Quotient<T> quotient_by_pi(Vec<T> x) {
  constexpr T inverse = T(0.3183098861837907) * (F::HALF ? 2 : 1);
  if constexpr (F::OFFSET) {
    const Vec<T> rounded = multiply_add(x, inverse, T(-0.5)) + ROUNDER<T>;
    return {(rounded - ROUNDER<T>)+T(0.5), parity_sign(~rounded)};
  } else {
    const Vec<T> rounded = multiply_add(x, inverse, Vec<T>(ROUNDER<T>));
    return {rounded - ROUNDER<T>, parity_sign(rounded)};
  }
}

template <class F, class T>
COREPY_INLINE Reduced<T> reduce(Vec<T> x) {
  constexpr T unit = F::HALF ? T(0.5) : T(1);
  const auto [n, odd] = quotient_by_pi<F>(x);
  Reduced<T> r;
  r.odd = odd;
  if constexpr (HAS_FMA) {
    constexpr const T* PI = Trig<T>::PI;
    const Vec<T> first = multiply_add(n, -unit * PI[0], x);
    r.high = multiply_add(n, -unit * PI[1], first);
    Vec<T> rest = r.high - first;
    // Below 1, x may have finer digits than PI[0] / 2, and so than first.
    if constexpr (F::OFFSET) rest = rest - (x - multiply_add(n, PI[0], first));
    rest = multiply_add(n, unit * PI[1], rest);
    r.negative_low = multiply_add(n, unit * PI[2], rest);
  } else {
    constexpr const T* PI = Trig<T>::SHORT_PI;
    const auto first = sum(x, n * (-unit * PI[0]));
    const auto second = sum(first.first, n * (-unit * PI[1]));
    const auto third = sum(second.first, n * (-unit * PI[2]));
    const Vec<T> low = (third.second + (second.second + first.second)) - n * (unit * PI[3]);
    r.high = third.first + low;
    r.negative_low = (r.high - third.first) - low;
  }
  return r;
}

// The same for lanes with large arguments; other lanes are undefined.
template <class F>
inline Reduced<double> reduce_large(Vec<double> x, Mask<double> large) {
  constexpr ptrdiff_t size = Vec<double>::size;
  alignas(64) double arguments[size], high[size] = {}, negative_low[size] = {}, odd[size] = {};
  x.store(arguments);
  uint64_t lanes = bits(large);
  for (int i = 0; lanes; i++, lanes >>= 1) {
    if (!(lanes & 1)) continue;
    if (arguments[i] - arguments[i] == 0) {
      const Remainder r = remainder_of_large(arguments[i], F::HALF, F::OFFSET);
      high[i] = r.high;
      negative_low[i] = -r.low;
      odd[i] = (r.count & 1) != F::OFFSET ? -0.0 : 0.0;
    } else {
      high[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return {Vec<double>::load(high), Vec<double>::load(negative_low), Vec<double>::load(odd)};
}

// F::of the remainder, for arguments of any size. Large ones are rare, and handled out of line to
// save registers.
template <class F>
__attribute__((noinline)) Vec<double> with_large(Vec<double> x, Vec<double> value,
                                                 Mask<double> large) {
  return select(large, F::of(reduce_large<F>(x, large)), value);
}

template <class F>
COREPY_INLINE Vec<double> trigonometric(Mask<double>& large, Vec<double> x) {
  large = large | (abs(x) > MODERATE<double>);
  const Vec<double> value = F::of(reduce<F>(x));
  // Sums without an fma turn -0 into 0.
  if constexpr (!HAS_FMA && !F::OFFSET) return select(x == 0.0, x, value);
  return value;
}

// float32 in float64, where no low part is needed.
template <class F>
COREPY_INLINE Vec<double> wide_trigonometric(Vec<double> x) {
  constexpr double unit = F::HALF ? 0.5 : 1;
  const auto [n, odd] = quotient_by_pi<F>(x);
  const Vec<double> first = x - n * (unit * Trig<float>::WIDE_PI[0]);
  const Vec<double> value = F::wide_of(first - n * (unit * Trig<float>::WIDE_PI[1]), odd);
  const Mask<double> large = abs(x) > WIDE_MODERATE;
  if (__builtin_expect(any(large), 0)) return with_large<F>(x, value, large);
  return value;
}
template <class F>
COREPY_INLINE Vec<float> wide_trigonometric(Vec<float> x) {
  const auto halves = widen(x);
  return narrow(wide_trigonometric<F>(halves.first), wide_trigonometric<F>(halves.second));
}

template <class F>
__attribute__((noinline)) Vec<float> with_large(Vec<float> x, Vec<float> value, Mask<float> large) {
  return select(large, wide_trigonometric<F>(x), value);
}

template <class F>
COREPY_INLINE Vec<float> trigonometric(Mask<float>& large, Vec<float> x) {
  if constexpr (HAS_FMA) {
    large = large | (abs(x) > MODERATE<float>);
    return F::of(reduce<F>(x));
  } else {
    return wide_trigonometric<F>(x);
  }
}

// sin of a remainder. 1 + SIN_FIRST * z and its product with high are double-doubles; the other
// terms are less than a tenth of it, and so are their rounding errors.
template <class T>
COREPY_INLINE Vec<T> sin_of(Reduced<T> r) {
  const auto z = product(r.high, r.high);
  const Vec<T> first(Trig<T>::SIN_FIRST);
  auto ratio = multiply_add_pair(z.first, first, Vec<T>(T(1)));
  ratio.second = multiply_add(z.second, first, ratio.second);
  ratio.second =
      multiply_add(z.first * z.first, polynomial(z.first, Trig<T>::SIN_REST), ratio.second);
  // An approximate derivative.
  const Vec<T> cosine = multiply_add(z.first, T(-0.42), T(1));
  const Vec<T> tail = multiply_add(-r.negative_low, cosine, r.high * ratio.second);
  return multiply_add_once(r.high, ratio.first, tail) ^ r.odd;
}
COREPY_INLINE Vec<double> wide_sin_of(Vec<double> r, Vec<double> odd) {
  const Vec<double> z = r * r;
  return (r * multiply_add(z, polynomial(z, Trig<float>::WIDE_SIN), 1.0)) ^ odd;
}

// Shared by the functions: `usual` (loops.hpp), and `call` for arguments of any size.
template <class F>
struct Trigonometric {
  static constexpr int unroll = 2;
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& large, Vec<T> x) {
    return trigonometric<F>(large, x);
  }
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    Mask<T> large = Mask<T>::first(0);
    const Vec<T> value = usual(large, x);
    return __builtin_expect(any(large), 0) ? with_large<F>(x, value, large) : value;
  }
};

// sin(x), and cos(x) = sin(x + pi / 2).
template <bool cosine>
struct SinOrCos : Trigonometric<SinOrCos<cosine>> {
  static constexpr bool HALF = false, OFFSET = cosine;
  template <class T>
  static COREPY_INLINE Vec<T> of(Reduced<T> r) {
    return sin_of(r);
  }
  static COREPY_INLINE Vec<double> wide_of(Vec<double> r, Vec<double> odd) {
    return wide_sin_of(r, odd);
  }
};
using Sin = SinOrCos<false>;
using Cos = SinOrCos<true>;

// tan(x) = x / (x * cot(x)), with the denominator 1 - x^2 / 3 - ...; odd multiples of pi / 2 take
// the reciprocal.
struct Tan : Trigonometric<Tan> {
  static constexpr bool HALF = true, OFFSET = false;

  template <class T>
  static COREPY_INLINE Vec<T> of(Reduced<T> r) {
    const auto z = product(r.high, r.high);
    const Vec<T> z_low = multiply_add(r.high + r.high, -r.negative_low, z.second);
    const Vec<T> factor = polynomial(z.first, Trig<T>::COT);
    const auto cot = multiply_add_pair(z.first, factor, Vec<T>(T(1)));
    const Vec<T> cot_negative_low = multiply_add(-z_low, factor, -cot.second);

    const Mask<T> odd = is_negative(r.odd);
    const Vec<T> numerator = select(odd, cot.first, r.high);
    const Vec<T> numerator_negative_low = select(odd, cot_negative_low, r.negative_low);
    const Vec<T> denominator = select(odd, r.high, cot.first);
    const Vec<T> denominator_negative_low = select(odd, r.negative_low, cot_negative_low);
    // Near a multiple of the period the low part is not negligible here.
    const Vec<T> inverse = T(1) / (denominator - denominator_negative_low);
    const Vec<T> quotient = numerator * inverse;
    const Vec<T> excess =
        multiply_add(-quotient, denominator_negative_low,
                     numerator_negative_low - remainder(numerator, quotient, denominator));
    return multiply_add(-excess, inverse, quotient) ^ r.odd;
  }

  static COREPY_INLINE Vec<double> wide_of(Vec<double> r, Vec<double> odd_sign) {
    const Vec<double> z = r * r;
    const Vec<double> cot = multiply_add(z, polynomial(z, Trig<float>::WIDE_COT), 1.0);
    const Mask<double> odd = is_negative(odd_sign);
    return (select(odd, cot, r) / select(odd, r, cot)) ^ odd_sign;
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
