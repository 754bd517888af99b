// e^x and e^x - 1, over Vec<T>, and their parts that other functions use.
//
//   e^x = 2^(k / 16) e^r,  k = the integer nearest to 16 x / log(2),  |r| <= log(2) / 32
//
// 2^(k / 16) is a power of 2 times one of 16 numbers, which fit one or two registers, and the
// series of e^r is short. Tang, "Table-driven implementation of the exponential function in IEEE
// floating-point arithmetic", ACM TOMS 15 (1989).
#pragma once

#include "constants.hpp"
#include "direct.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// x = k log(2) / 16 + r + r_low. Accurate for |k| < 2^15 (float64) or 2^12 (float32).
template <class T>
struct ExpArgument {
  using Constants = ExpConstants<T>;
  // Adding this rounds to sixteenths, with their count in the lowest bits.
  static constexpr T shift = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2)) / 16;

  Vec<T> shifted, sixteenths;  // shift + k / 16, k / 16
  Vec<T> r;

  explicit ExpArgument(Vec<T> x) {
    shifted = multiply_add(x, Constants::log2_e, shift);
    sixteenths = shifted - shift;
    r = multiply_add(sixteenths, -Constants::ln2_low, remainder(x));
  }
  // x less the high part of k log(2) / 16, exactly.
  Vec<T> remainder(Vec<T> x) const { return multiply_add(sixteenths, -Constants::ln2_high, x); }
  // The rounding error of r.
  Vec<T> r_low(Vec<T> x) const {
    return multiply_add(sixteenths, -Constants::ln2_low, remainder(x) - r);
  }
  // 2^(j / 16), where j is k modulo 16, is power() (1 + residue()).
  Vec<T> power() const { return lookup(Constants::power, bitcast<Signed_of<T>>(shifted)); }
  Vec<T> residue() const { return lookup(Constants::residue, bitcast<Signed_of<T>>(shifted)); }
};

// (e^r - 1 - r) / r^2.
template <class T>
inline Vec<T> exp_series(Vec<T> r, Vec<T> r_squared) {
  return multiply_add(polynomial(r, r_squared, ExpConstants<T>::series), r, T(0.5));
}

// x limited to the bounds; NaN is kept.
template <class T>
inline Vec<T> clamp(Vec<T> x, T lower, T upper) {
  return min_of_numbers(Vec<T>(upper), max_of_numbers(Vec<T>(lower), x));
}

// Beyond these bounds e^x is 0 or infinity.
template <class T>
inline Vec<T> clamp_exponent(Vec<T> x) {
  constexpr bool wide = sizeof(T) == 8;
  return clamp(x, wide ? T(-750) : T(-106), wide ? T(711) : T(90));
}

struct ExpWithTable {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    x = clamp_exponent(x);
    const ExpArgument<T> argument(x);
    const Vec<T> r = argument.r, r_squared = r * r, power = argument.power();
    const Vec<T> growth = r + multiply_add(exp_series(r, r_squared), r_squared, argument.residue());
    return scale(multiply_add(power, growth, power), argument.sixteenths);
  }
};

struct ExpWithoutTable : AlwaysUsual<ExpWithoutTable> {
  template <class T>
  static COREPY_INLINE Vec<T> of(Vec<T> x) {
    return DirectExp<T>(clamp_exponent(x)).value();
  }
};

using Exp = std::conditional_t<AVOIDS_TABLES, ExpWithoutTable, ExpWithTable>;

// e^x - 1 = 2^n - 1 + 2^n (e^r - 1), 3/4 <= e^r <= 3/2. Where x is close to 0, n is 0 and nothing
// is added to e^r - 1.
struct Expm1 : MostlyUsual<Expm1> {
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    unusual = unusual | (x > T(sizeof(T) == 8 ? 709 : 88));
    return of(x, T(1));
  }
  // In halves, which do not overflow before the result does.
  template <class T>
  static __attribute__((noinline, cold)) Vec<T> other(Vec<T> x) {
    return of(min_of_numbers(Vec<T>(T(sizeof(T) == 8 ? 710 : 89)), x), T(0.5)) * T(2);
  }

 private:
  // (e^x - 1) times `unit`, a power of 2.
  template <class T>
  static COREPY_INLINE Vec<T> of(Vec<T> x, T unit) {
    using I = Signed_of<T>;
    constexpr int digits = std::numeric_limits<T>::digits;
    constexpr T shift = T(uint64_t(3) << (digits - 2));
    const Vec<T> sign = sign_bit_of(x);  // for -0
    x = max_of_numbers(Vec<T>(T(sizeof(T) == 8 ? -45 : -20)), x);
    const Vec<T> quotient = multiply_add(x, ExpConstants<T>::log2_e, -Expm1Constants<T>::offset);
    const Vec<T> shifted = quotient + shift, n = shifted - shift;
    // x = n log(2) + rest + rest_low, with rest exact.
    const Vec<T> rest = multiply_add(n, -ExpConstants<T>::ln2_high, x);
    const Vec<T> rest_low = n * -ExpConstants<T>::ln2_low, r = rest + rest_low, r_squared = r * r;
    const Vec<T> power =
        bitcast<T>((bitcast<I>(shifted) << (digits - 1)) + bitcast<I>(Vec<T>(unit)));
    // From 2^(digits + 1) on power - unit rounds to power.
    const auto total = sum_ordered(power - unit, power * rest);
    Vec<T> low = multiply_add(power, rest_low, total.second);
    low = select(n > T(digits), low - unit, low);
    const Vec<T> series =
        multiply_add(polynomial(r, r_squared, Expm1Constants<T>::series), r, T(0.5));
    return (total.first + multiply_add(power * r_squared, series, low)) | sign;
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
