// Logarithms over Vec<T>.
//
//   log(2^e m) = e log(2) - log(c) + log1p(r),  r = c m - 1,  1 <= m < 2,  |r| <= 1/16
//
// c is one of 16 numbers (float32: 32), which fit one or two registers, by the first bits of m, and
// the series of log1p is short. The c have so few bits that r and the sum of the first two terms
// are exact. Where m is close to 1, c is 1, and where it is close to 2, c is 1/2. Tang,
// "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM
// TOMS 16 (1990).
#pragma once

#include "constants.hpp"
#include "direct.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Where x is zero, subnormal, negative, infinite or NaN, or at least 2^end.
template <class T, int end = std::numeric_limits<T>::max_exponent>
inline Mask<T> not_positive_normal(Vec<T> x) {
  using I = Signed_of<T>;
  constexpr I one = I(1) << (std::numeric_limits<T>::digits - 1);
  constexpr I last = I(end + std::numeric_limits<T>::max_exponent - 1) * one;
  constexpr I lowest = std::numeric_limits<I>::min();
  // As unsigned numbers, the others are in [0, last - one) after the subtraction.
  return mask_cast<T>((bitcast<I>(x) - one + lowest) >= Vec<I>(lowest + (last - one)));
}

// m c - 1, exact for m c close to 1 and c with few bits.
template <class T>
inline Vec<T> less_one(Vec<T> m, Vec<T> c) {
  return multiply_add_cancelling(m, c, Vec<T>(T(-1)));
}

// The argument 2^e m of a logarithm, m in [1, 2).
template <class T>
struct LogArgument {
  Vec<Signed_of<T>> index;  // of c, in the last bits
  Vec<T> e, r;

  LogArgument(Vec<T> m, Vec<T> e) : e(e) {
    constexpr int digits = std::numeric_limits<T>::digits;
    index = bitcast<Signed_of<T>>(m) >> (digits - 1 - LogConstants<T>::bits);
    r = less_one(m, inverse());
  }
  Vec<T> inverse() const { return lookup(LogConstants<T>::inverse, index); }
  // The first two terms, in double-double.
  template <class Constants>
  VecPair<Vec<T>> base() const {
    const Vec<T> high = lookup(Constants::high, index), low = lookup(Constants::low, index);
    if constexpr (Constants::of_2_high == 1) return {high + e, low};
    return {multiply_add(e, Constants::of_2_high, high), multiply_add(e, Constants::of_2_low, low)};
  }
};

// (log1p(r) - r) / r^2.
template <class T>
inline Vec<T> log_series(Vec<T> r, Vec<T> r_squared) {
  return multiply_add(polynomial(r, r_squared, LogConstants<T>::series), r, T(-0.5));
}

// The logarithm to the base of Constants.
template <class Constants, class T>
inline Vec<T> log_of(const LogArgument<T>& x) {
  const Vec<T> r = x.r, r_squared = r * r;
  const auto base = x.template base<Constants>();
  if constexpr (Constants::of_e_high == 1) {
    const auto total = sum_ordered(base.first, r);
    return total.first +
           multiply_add(log_series(r, r_squared), r_squared, total.second + base.second);
  } else {
    const Vec<T> series =
        multiply_add(polynomial(r, r_squared, Constants::series), r, Constants::of_e_low);
    const Vec<T> rest = multiply_add(series, r, base.second);
    return base.first + multiply_add_once(r, Vec<T>(Constants::of_e_high), rest);
  }
}

// Replaces the result where x is zero, negative, infinite or NaN.
template <class T>
inline Vec<T> log_special(Vec<T> x, Vec<T> result) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  result = select(x == T(0), -infinity, result);
  result = select(x < T(0), std::numeric_limits<T>::quiet_NaN(), result);
  return select(x < infinity, result, x);  // infinity and NaN
}

// Subnormal numbers scaled to normal ones, and the change of the exponent.
template <class T>
inline VecPair<Vec<T>> normalized(Vec<T> x) {
  constexpr int digits = std::numeric_limits<T>::digits;
  const Mask<T> small = x < std::numeric_limits<T>::min();
  return {select(small, x * T(uint64_t(1) << digits), x),
          select(small, Vec<T>(T(digits)), Vec<T>(T(0)))};
}

// Logarithm::call for any x.
template <class Constants, class T>
__attribute__((noinline, cold)) Vec<T> log_any(Vec<T> x) {
  const auto normal = normalized(x);
  if constexpr (AVOIDS_TABLES) {
    const DirectLog<T> argument(normal.first, -normal.second);
    return log_special(x, direct_log<Constants>(argument.n, argument.m() - T(1)));
  }
  const auto parts = split_binade(normal.first);
  const LogArgument<T> argument(parts.first, parts.second - normal.second);
  return log_special(x, log_of<Constants>(argument));
}

template <template <class> class Constants>
struct Logarithm {
  template <class T>
  __attribute__((always_inline)) static Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    unusual = unusual | not_positive_normal(x);
    if constexpr (AVOIDS_TABLES) {
      const DirectLog<T> argument(x);
      return direct_log<Constants<T>>(argument.n, argument.m() - T(1));
    }
    const auto parts = split_binade(x);
    return log_of<Constants<T>>(LogArgument<T>(parts.first, parts.second));
  }
  template <class T>
  static Vec<T> call(Vec<T> x) {
    Mask<T> unusual = Mask<T>::first(0);
    const Vec<T> result = usual(unusual, x);
    return any(unusual) ? log_any<Constants<T>>(x) : result;
  }
};

using Log = Logarithm<NaturalLogConstants>;
using Log2 = Logarithm<Log2Constants>;
using Log10 = Logarithm<Log10Constants>;

// log(2^e_more (x.first + x.second + third)), for positive normal x.first, where x.second and third
// are about the rounding errors of x.first and x.second. The result is a double-double; without a
// third, an unevaluated sum of lower precision.
template <class T, class Third>
COREPY_INLINE VecPair<Vec<T>> log_of_three(VecPair<Vec<T>> x, Third third, Vec<T> e_more) {
  using I = Signed_of<T>;
  const auto parts = split_binade(x.first);
  // 2^-e, but 0 where it is subnormal: x.second is negligible then.
  const Vec<T> unit =
      bitcast<T>(bitcast<I>(parts.first) - bitcast<I>(x.first) + bitcast<I>(Vec<T>(T(1))));
  const LogArgument<T> argument(parts.first, parts.second + e_more);
  const Vec<T> factor = unit * argument.inverse();
  VecPair<Vec<T>> r = {argument.r, x.second * factor};
  if constexpr (!std::is_same_v<Third, None>) {
    r = sum_ordered(r.first, r.second);
    r.second = multiply_add(third, factor, r.second);
  }
  const auto base = argument.template base<NaturalLogConstants<T>>();
  const auto total = sum_ordered(base.first, r.first);
  // log(1 + r.first + r.second) = log(1 + r.first) + r.second - r.first r.second.
  const Vec<T> series = multiply_add(log_series(r.first, r.first * r.first), r.first, -r.second);
  return {total.first, multiply_add(series, r.first, (base.second + total.second) + r.second)};
}
template <class T>
COREPY_INLINE VecPair<Vec<T>> log_of_pair(VecPair<Vec<T>> x, Vec<T> e_more = T(-0.0)) {
  if constexpr (AVOIDS_TABLES) {
    const DirectLog<T> argument(x.first, e_more);
    const Vec<T> f = argument.m() - T(1), low = x.second * argument.unit();
    const auto base = direct_log_base<NaturalLogConstants<T>>(argument.n, f);
    const DirectLogTail<T> tail(f);
    // low / (1 + f): 1 - f / (1 + f) = 1 - 2 (s - s^2 + ...).
    const Vec<T> low_term = multiply_add(low * T(-2), tail.s - tail.z, low);
    return {base.first, base.second + (tail(f) + low_term)};
  }
  return log_of_three(x, None{}, e_more);
}

struct Log1p {
  template <class T>
  __attribute__((always_inline)) static Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    if constexpr (AVOIDS_TABLES) return direct(unusual, x);
    // Where |x| is larger, the difference is exact, too, or 1 is negligible.
    const auto one_plus_x = sum_ordered(Vec<T>(T(1)), x);
    unusual = unusual | not_positive_normal(one_plus_x.first);
    const auto result = log_of_pair(one_plus_x);
    return (result.first + result.second) | sign_bit_of(x);  // for -0
  }
  template <class T>
  static Vec<T> call(Vec<T> x) {
    Mask<T> unusual = Mask<T>::first(0);
    const Vec<T> result = usual(unusual, x);
    if constexpr (AVOIDS_TABLES) {
      return any(unusual) ? select(unusual, log_any<NaturalLogConstants<T>>(x + T(1)), result)
                          : result;
    }
    return any(unusual) ? log_special(x + T(1), result) : result;
  }

 private:
  // 2^-n x + (2^-n - 1) = f + low, 1 + x = 2^n (1 + f + low). Exact where n is 0.
  template <class T>
  static COREPY_INLINE Vec<T> direct(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> one_plus_x = x + T(1);
    // From 2^end on 2^-n may be subnormal.
    constexpr int end = std::numeric_limits<T>::max_exponent - 2;
    unusual = unusual | not_positive_normal<T, end>(one_plus_x);
    const DirectLog<T> argument(one_plus_x);
    const Vec<T> unit = argument.unit(), less = unit - T(1);
    const Vec<T> f = multiply_add(unit, x, less), low = multiply_add(unit, x, less - f);
    const auto base = direct_log_base<NaturalLogConstants<T>>(argument.n, f);
    const Vec<T> rest = DirectLogTail<T>(f)(f) + multiply_add(-f, low, low);
    return (base.first + (base.second + rest)) | sign_bit_of(x);
  }
  // float32 without a division: 1 + x = 2^n (1 + f), 3/4 <= 1 + f < 3/2. Where n > 0, x >= 1/2, so
  // f is exact unless n is so large that its error is negligible.
  static COREPY_INLINE Vec<float> direct(Mask<float>& unusual, Vec<float> x) {
    using Constants = NaturalLogConstants<float>;
    constexpr int32_t one = 0x3f800000, three_quarters = 0x3f400000, exponents = -0x800000;
    const Vec<float> one_plus_x = x + 1.0f;
    unusual = unusual | not_positive_normal<float, 126>(one_plus_x);
    const Vec<int32_t> exponent = (bitcast<int32_t>(one_plus_x) - three_quarters) & exponents;
    const Vec<float> unit = bitcast<float>(one - exponent);  // 2^-n
    const Vec<float> n = convert<float>(exponent);           // times 2^23
    const Vec<float> f = multiply_add(unit, x, unit - 1.0f), f_squared = f * f;
    constexpr float high = Constants::of_2_high * 0x1p-23f, low = Constants::of_2_low * 0x1p-23f;
    const Vec<float> base = multiply_add(n, high, f), base_low = f - multiply_add(n, -high, base);
    const Vec<float> series =
        multiply_add(polynomial(f, f_squared, Log1pConstants::series), f, -0.5f);
    const Vec<float> rest = multiply_add(f_squared, series, multiply_add(n, low, base_low));
    return (base + rest) | sign_bit_of(x);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
