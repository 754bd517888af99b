// Logarithms over Vec<T>.
//
//   log(2^e m) = e log(2) - log(c) + log1p(c m - 1),  3/4 <= m < 3/2
//
// c is one of 16 numbers, which a register or two hold, and close to 1/m, so that the series of
// log1p is short. Where m is close to 1, c is 1. The sum of the first two terms has no error. Tang,
// "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM
// TOMS 16 (1990).
#pragma once

#include "constants.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Where x is not a positive normal number: zero, subnormal, negative, infinite or NaN.
template <class T>
inline Mask<T> not_positive_normal(Vec<T> x) {
  using I = Signed_of<T>;
  constexpr I one = I(1) << (std::numeric_limits<T>::digits - 1);
  constexpr I infinity = I(2 * std::numeric_limits<T>::max_exponent - 1) * one;
  constexpr I lowest = std::numeric_limits<I>::min();
  // As unsigned numbers the others are in [0, infinity - one) after this subtraction.
  return mask_cast<T>((bitcast<I>(x) - one + lowest) >= Vec<I>(lowest + (infinity - one)));
}

// The index of c, in its lowest four bits.
template <class T>
inline Vec<Signed_of<T>> log_index(Vec<T> m) {
  constexpr T large = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2));
  return bitcast<Signed_of<T>>(multiply_add(m, T(15), large));
}

// (log1p(r) - r) / r^2.
template <class T>
inline Vec<T> log_series(Vec<T> r, Vec<T> r_squared) {
  return multiply_add(polynomial(r, r_squared, LogConstants<T>::series), r, T(-0.5));
}

// The logarithm to the base of Constants, for positive normal x; e_extra is added to its exponent.
template <class Constants, class T>
inline Vec<T> log_normal(Vec<T> x, Vec<T> e_extra) {
  constexpr bool natural = Constants::of_e_high == 1;
  const auto parts = split_exponent(x);
  const Vec<T> m = parts.first, e = parts.second + e_extra;
  const auto index = log_index(m);
  const Vec<T> c = lookup(LogConstants<T>::inverse, index);
  const Vec<T> base = multiply_add(e, Constants::of_2_high, lookup(Constants::high, index));
  if constexpr (natural && HAS_FMA) {
    const Vec<T> r = multiply_add(m, c, T(-1)), r_squared = r * r;
    const auto total = sum_ordered(base, r);
    const Vec<T> low = multiply_add(e, Constants::of_2_low, total.second);
    return total.first + multiply_add(log_series(r, r_squared), r_squared, low);
  } else {
    const auto scaled = product(m, c);
    const auto r = sum_ordered(scaled.first - T(1), scaled.second);
    Vec<T> series =
        multiply_add(log_series(r.first, r.first * r.first), r.first * r.first, r.second);
    Vec<T> low = multiply_add(e, Constants::of_2_low, lookup(Constants::low, index));
    auto leading = r;
    if constexpr (!natural) {
      leading = product(r.first, Vec<T>(Constants::of_e_high));
      low = low + multiply_add(r.first, Constants::of_e_low, leading.second);
      series = series * Constants::of_e_high;
    }
    const auto total = sum_ordered(base, leading.first);
    return total.first + (series + (low + total.second));
  }
}

// The same for any x.
template <class Constants, class T>
__attribute__((noinline, cold)) Vec<T> log_any(Vec<T> x) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr int digits = std::numeric_limits<T>::digits;
  const Mask<T> small = x < std::numeric_limits<T>::min();
  const Vec<T> scaled = select(small, x * T(uint64_t(1) << digits), x);
  Vec<T> result = log_normal<Constants>(scaled, select(small, Vec<T>(T(-digits)), Vec<T>(T(0))));
  result = select(x == T(0), -infinity, result);
  result = select(x < T(0), std::numeric_limits<T>::quiet_NaN(), result);
  return select(x < infinity, result, x);  // infinity and NaN
}

template <template <class> class Constants>
struct Logarithm {
  static constexpr int unroll = 2;
  template <class T>
  static Vec<T> call(Vec<T> x) {
    if (any(not_positive_normal(x))) return log_any<Constants<T>>(x);
    return log_normal<Constants<T>>(x, Vec<T>(T(0)));
  }
};

using Log = Logarithm<NaturalLogConstants>;
using Log2 = Logarithm<Log2Constants>;
using Log10 = Logarithm<Log10Constants>;

}  // namespace COREPY_TARGET
}  // namespace corepy
