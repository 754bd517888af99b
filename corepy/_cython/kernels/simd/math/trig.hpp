// sin, cos and tan.
//
// x is reduced by the nearest multiple of the period to a remainder in two words, because next to a
// multiple of pi / 2 one word of it would have lost the digits that count: in floating point where
// the multiple is small (W. Cody, W. Waite, Software Manual for the Elementary Functions, 1980), in
// integers where it is large (large_arguments.hpp).
#pragma once

#include "../../large_arguments.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// The remainder of an argument: high - negative_low, and the quotient's sign for the result as the
// sign bit of an element (its other bits are 0). The low word is negated because that keeps the
// sign of a zero through the sums that follow.
template <class T>
struct Reduced {
  Vec<T> high, negative_low, sign;
};

// Arguments up to here are reduced in floating point.
template <class T>
constexpr T MODERATE = std::is_same_v<T, float> ? T(1024) : T(1 << 22);

// Adding this rounds to an integer, which is then in the lowest bits.
template <class T>
constexpr T ROUNDER = T(3) * T(uint64_t(1) << (std::numeric_limits<T>::digits - 2));

// The lowest bit of the rounded sum above as a sign.
template <class T>
inline Vec<T> parity_sign(Vec<T> rounded) {
  return bitcast<T>(bitcast<Word<T>>(rounded) << int(8 * sizeof(T) - 1));
}

// pi in parts. With an fma, the first has all its digits, since x - n * PI[0] is exact for every n
// next to x / pi; the second is so short that its products with n are exact. No part is negative,
// which would make 0 of -0. Without an fma, all but the last are short.
//
// SIN are the coefficients of sin(x) = x + x * z * polynomial(z), z = x^2, |x| <= pi / 2; those of
// TAN are likewise for |x| <= pi / 4, and in float64 pi / 8. From tools/trig_coefficients.py.
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
};

template <>
struct Trig<float> {
  static constexpr float PI[] = {3.1415925f, 1.5099067e-07f, 5.126688e-12f};
  static constexpr float SIN_FIRST = -0.1666666f;
  static constexpr float SIN_REST[] = {0.008333069f, -0.00019809777f, 2.6060957e-06f};
  // For float32 in float64.
  static constexpr double WIDE_PI[] = {3.1415926534682512, 1.2154201013012384e-10};
  static constexpr double WIDE_SIN[] = {
      -0.16666666666504112,   0.008333333321056341,    -0.00019841266723462467,
      2.7556952562327107e-06, -2.5030175100079046e-08, 1.5409207878492076e-10,
  };
};

// The nearest n with x = n * pi + r for sin, x = (n + 1/2) * pi + r for cos.
template <class T>
struct Quotient {
  Vec<T> multiple;  // of pi: n or n + 1/2
  Vec<T> sign;      // of the result
};
template <bool cosine, class T>
inline Quotient<T> quotient_by_pi(Vec<T> x) {
  constexpr T inverse = T(0.3183098861837907);
  if constexpr (cosine) {
    const Vec<T> rounded = multiply_add(x, inverse, T(-0.5)) + ROUNDER<T>;
    return {(rounded - ROUNDER<T>)+T(0.5), parity_sign(~rounded)};
  } else {
    const Vec<T> rounded = multiply_add(x, inverse, Vec<T>(ROUNDER<T>));
    return {rounded - ROUNDER<T>, parity_sign(rounded)};
  }
}

template <bool cosine, class T>
inline Reduced<T> reduce(Vec<T> x) {
  const auto [n, sign] = quotient_by_pi<cosine>(x);
  Reduced<T> r;
  r.sign = sign;
  if constexpr (HAS_FMA) {
    constexpr const T* PI = Trig<T>::PI;
    const Vec<T> first = multiply_add(n, -PI[0], x);
    r.high = multiply_add(n, -PI[1], first);
    Vec<T> rest = r.high - first;
    // Below 1, x may have finer digits than PI[0] / 2 and so than first can hold.
    if constexpr (cosine) rest = rest - (x - multiply_add(n, PI[0], first));
    rest = multiply_add(n, PI[1], rest);
    r.negative_low = multiply_add(n, PI[2], rest);
  } else {
    constexpr const T* PI = Trig<T>::SHORT_PI;
    const auto first = sum(x, -n * PI[0]);
    const auto second = sum(first.first, -n * PI[1]);
    const auto third = sum(second.first, -n * PI[2]);
    const Vec<T> low = (third.second + (second.second + first.second)) - n * PI[3];
    r.high = third.first + low;
    r.negative_low = (r.high - third.first) - low;
  }
  return r;
}

// sin of a remainder. 1 + SIN_FIRST * z and its product with high carry all digits; what is added
// to that is less than a tenth of it, so its rounding errors are too.
template <class T>
inline Vec<T> sin_of(Reduced<T> r) {
  const auto z = product(r.high, r.high);
  const Vec<T> first(Trig<T>::SIN_FIRST);
  auto ratio = multiply_add_pair(z.first, first, Vec<T>(T(1)));
  ratio.second = multiply_add(z.second, first, ratio.second);
  ratio.second =
      multiply_add(z.first * z.first, polynomial(z.first, Trig<T>::SIN_REST), ratio.second);
  // The derivative, roughly.
  const Vec<T> cosine = multiply_add(z.first, T(-0.42), T(1));
  const Vec<T> tail = multiply_add(-r.negative_low, cosine, r.high * ratio.second);
  return multiply_add_once(r.high, ratio.first, tail) ^ r.sign;
}

// Replaces the lanes whose argument is large. Out of line, and entered with what is in registers
// anyway, so that the usual path does not pay for it.
template <bool cosine>
__attribute__((noinline)) Vec<double> with_large(Vec<double> x, Vec<double> value,
                                                 Mask<double> large) {
  alignas(64) double arguments[Vec<double>::size], high[Vec<double>::size] = {},
                                                   negative_low[Vec<double>::size] = {},
                                                   sign[Vec<double>::size] = {};
  x.store(arguments);
  for (uint64_t lanes = bits(large); lanes; lanes &= lanes - 1) {
    const int i = __builtin_ctzll(lanes);
    if (arguments[i] - arguments[i] == 0) {
      const Remainder s = remainder_of_large(arguments[i], false, cosine);
      high[i] = s.high;
      negative_low[i] = -s.low;
      sign[i] = s.odd != cosine ? -0.0 : 0.0;
    } else {
      high[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  const Reduced<double> r{Vec<double>::load(high), Vec<double>::load(negative_low),
                          Vec<double>::load(sign)};
  return select(large, sin_of(r), value);
}

template <bool cosine>
inline Vec<double> sin_or_cos(Vec<double> x) {
  Vec<double> value = sin_of(reduce<cosine>(x));
  // Sums without an fma make 0 of -0.
  if constexpr (!HAS_FMA && !cosine) value = select(x == 0.0, x, value);
  const Mask<double> large = abs(x) > MODERATE<double>;
  if (__builtin_expect(any(large), 0)) return with_large<cosine>(x, value, large);
  return value;
}

// float32 in float64, where one word is enough.
template <bool cosine>
inline Vec<double> wide_sin_or_cos(Vec<double> x) {
  const auto [n, sign] = quotient_by_pi<cosine>(x);
  const Vec<double> r = (x - n * Trig<float>::WIDE_PI[0]) - n * Trig<float>::WIDE_PI[1];
  const Vec<double> z = r * r;
  const Vec<double> ratio = multiply_add(z, polynomial(z, Trig<float>::WIDE_SIN), 1.0);
  const Vec<double> value = (r * ratio) ^ sign;
  const Mask<double> large = abs(x) > double(1 << 20);
  if (__builtin_expect(any(large), 0)) return with_large<cosine>(x, value, large);
  return value;
}

template <bool cosine>
inline Vec<float> wide_sin_or_cos(Vec<float> x) {
  const auto halves = widen(x);
  return narrow(wide_sin_or_cos<cosine>(halves.first), wide_sin_or_cos<cosine>(halves.second));
}

template <bool cosine>
__attribute__((noinline)) Vec<float> with_large(Vec<float> x, Vec<float> value, Mask<float> large) {
  return select(large, wide_sin_or_cos<cosine>(x), value);
}

template <bool cosine>
inline Vec<float> sin_or_cos(Vec<float> x) {
  if constexpr (HAS_FMA) {
    const Vec<float> value = sin_of(reduce<cosine>(x));
    const Mask<float> large = abs(x) > MODERATE<float>;
    if (__builtin_expect(any(large), 0)) return with_large<cosine>(x, value, large);
    return value;
  } else {
    return wide_sin_or_cos<cosine>(x);
  }
}

struct Sin {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    return sin_or_cos<false>(x);
  }
};

struct Cos {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    return sin_or_cos<true>(x);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
