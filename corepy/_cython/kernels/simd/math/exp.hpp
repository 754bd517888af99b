// e^x and e^x - 1, over Vec<T>, and what other functions need of them.
//
//   e^x = 2^(k / 16) e^r,  k = the integer nearest to 16 x / log(2),  |r| <= log(2) / 32
//
// 2^(k / 16) is a power of 2 times one of 16 numbers, which a register or two hold, and the series
// of e^r is short. Tang, "Table-driven implementation of the exponential function in IEEE
// floating-point arithmetic", ACM TOMS 15 (1989).
#pragma once

#include "constants.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// x = k log(2) / 16 + r + r_low. Accurate for |k| < 2^15 (float64) or 2^12 (float32).
template <class T>
struct ExpArgument {
  using Constants = ExpConstants<T>;
  // A number added to this one is rounded to sixteenths, and its lowest bits are their count.
  static constexpr T shift = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2)) / 16;

  Vec<T> shifted, sixteenths;  // shift + k / 16, k / 16
  Vec<T> r;

  explicit ExpArgument(Vec<T> x) {
    shifted = multiply_add(x, Constants::log2_e, shift);
    sixteenths = shifted - shift;
    r = multiply_add(sixteenths, -Constants::ln2_low, remainder(x));
  }
  // What is left of x after the larger part of k log(2) / 16, without an error.
  Vec<T> remainder(Vec<T> x) const { return multiply_add(sixteenths, -Constants::ln2_high, x); }
  // What rounding took from r.
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

// x where that is within the bounds, else the nearer of them; NaN remains.
template <class T>
inline Vec<T> clamp(Vec<T> x, T lower, T upper) {
  return min_of_numbers(Vec<T>(upper), max_of_numbers(Vec<T>(lower), x));
}

struct Exp {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    constexpr bool wide = sizeof(T) == 8;
    // Beyond these bounds the result is 0 and infinity.
    x = clamp(x, wide ? T(-750) : T(-106), wide ? T(711) : T(90));
    const ExpArgument<T> argument(x);
    const Vec<T> r = argument.r, r_squared = r * r, power = argument.power();
    const Vec<T> growth = r + multiply_add(exp_series(r, r_squared), r_squared, argument.residue());
    return scale(multiply_add(power, growth, power), argument.sixteenths);
  }
};

struct Expm1 {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    constexpr bool wide = sizeof(T) == 8;
    const Vec<T> sign = sign_bit_of(x);  // for -0
    x = clamp(x, wide ? T(-45) : T(-20), wide ? T(711) : T(90));
    const ExpArgument<T> argument(x);
    const Vec<T> r = argument.r, r_squared = r * r, power = argument.power();
    // 2^-n (e^x - 1) = power - 2^-n + power r + power small: where x is close to 0 the first terms
    // cancel, so they are added up exactly.
    const Vec<T> residue = argument.residue();
    const Vec<T> small =
        multiply_add(exp_series(r, r_squared), r_squared, multiply_add(residue, r, residue)) +
        argument.r_low(x);
    const Vec<T> one = scale(Vec<T>(T(1)), Vec<T>(T(15) / 16) - argument.sixteenths);
    const auto base = sum(power, -one);
    const auto slope = product(power, r);
    const auto total = sum_ordered(base.first, slope.first);
    const Vec<T> rest = total.second + (slope.second + multiply_add(power, small, base.second));
    return scale(total.first + rest, argument.sixteenths) | sign;
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
