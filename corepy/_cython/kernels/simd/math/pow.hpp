// x^y = e^(y log(x)) over Vec<T>, with a logarithm in double-double: y may multiply its relative
// error by 2^10 (float64).
#pragma once

#include "exp.hpp"
#include "log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// log(x) - e_less log(2) = first + second for positive normal x, with a relative error of about
// 2^-33 (float32) or 2^-64 (float64). second may be 2^-10 times first. Where SPLITS_ANY, x may be
// any number; the result is not finite where x has no logarithm.
inline VecPair<Vec<float>> accurate_log(Vec<float> x, Vec<float> e_less) {
  using Constants = PowConstants<float>;
  const auto parts = split_binade(x);
  const Vec<int32_t> index = bitcast<int32_t>(parts.first) >> 18;
  const Vec<float> e = parts.second - e_less;
  const Vec<float> r = less_one(parts.first, lookup(Constants::inverse, index));
  const Vec<float> base = multiply_add(e, Constants::of_2_high, lookup(Constants::high, index));
  const Vec<float> base_low = multiply_add(e, Constants::of_2_low, lookup(Constants::low, index));
  // r - r^2 / 2 in double-double. Exponents are below 2^7, so later terms need not be.
  const auto parabola = multiply_add_pair(r * -0.5f, r, r);
  const Vec<float> r_squared = r * r;
  const Vec<float> low =
      multiply_add(polynomial(r, r_squared, Constants::series), r_squared * r, parabola.second);
  const auto total = sum_ordered(base, parabola.first);
  return {total.first, (total.second + base_low) + low};
}
inline VecPair<Vec<double>> accurate_log(Vec<double> x, Vec<double> e_less) {
  using Constants = LogConstants<double>;
  const auto parts = split_binade(x);
  const LogArgument<double> argument(parts.first, parts.second - e_less);
  const auto base = argument.base<NaturalLogConstants<double>>();
  const Vec<double> r = argument.r;
  const auto square = product(r, r);
  const Vec<double> tail = polynomial(r, square.first, Constants::accurate_series);
  const auto sum1 = sum_ordered(base.first, r);
  // (-1 / 2 + r / 3) r^2 in double-double.
  const auto third = product(r, Vec<double>(Constants::third_high));
  const auto factor = sum_ordered(Vec<double>(-0.5), third.first);
  const Vec<double> factor_low =
      multiply_add(r, Constants::third_low, factor.second + third.second);
  const auto term = product(square.first, factor.first);
  const Vec<double> term_low = multiply_add(square.second, factor.first,
                                            multiply_add(square.first, factor_low, term.second));
  const auto sum2 = sum_ordered(sum1.first, term.first);
  const Vec<double> low = (sum1.second + sum2.second) + (base.second + term_low);
  return {sum2.first, multiply_add(tail, square.first * square.first, low)};
}

// e^(x.first + x.second), where |x.second| is at most a few times 1/100.
template <class T>
inline Vec<T> exp_of_pair(VecPair<Vec<T>> x) {
  if constexpr (AVOIDS_TABLES) {
    const auto exponent = sum_ordered(x.first, x.second);
    return DirectExp<T>(exponent.first, exponent.second).value();
  }
  const ExpArgument<T> argument(x.first + x.second);
  const Vec<T> r = multiply_add(argument.sixteenths, -ExpConstants<T>::ln2_low,
                                argument.remainder(x.first) + x.second);
  const Vec<T> r_squared = r * r, power = argument.power();
  const Vec<T> growth = r + multiply_add(exp_series(r, r_squared), r_squared, argument.residue());
  return scale(multiply_add(power, growth, power), argument.sixteenths);
}

// y times a logarithm.
template <class T>
inline VecPair<Vec<T>> times(VecPair<Vec<T>> logarithm, Vec<T> y) {
  auto exponent = product(logarithm.first, y);
  exponent.second = multiply_add(logarithm.second, y, exponent.second);
  return exponent;
}

struct Pow {
  // e^x is infinity for larger x, and 0 for lower -x.
  template <class T>
  static constexpr T bound = sizeof(T) == 8 ? T(760) : T(120);

  template <class T>
  __attribute__((always_inline)) static Vec<T> usual(Mask<T>& unusual, Vec<T> x, Vec<T> y) {
    const auto exponent = times(accurate_log(x, Vec<T>(T(0))), y);
    // With SPLITS_ANY, a missing logarithm gives an exponent out of these bounds.
    if constexpr (!SPLITS_ANY || sizeof(T) == 8) unusual = unusual | not_positive_normal(x);
    unusual = unusual | ~(abs(exponent.first) < Vec<T>(bound<T>));
    // Without an fma the product of log(1) = 0 and a huge y has a NaN as low part.
    if constexpr (!HAS_FMA) unusual = unusual | (exponent.second != exponent.second);
    return exp_of_pair(exponent);
  }
  template <class T>
  static Vec<T> call(Vec<T> x, Vec<T> y) {
    Mask<T> unusual = Mask<T>::first(0);
    const Vec<T> result = usual(unusual, x, y);
    return any(unusual) ? call_any(x, y) : result;
  }

 private:
  // Special cases as in C99, F.9.4.4, and in the standard.
  template <class T>
  static __attribute__((noinline, cold)) Vec<T> call_any(Vec<T> x, Vec<T> y) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    const Vec<T> magnitude = abs(x), half = y * T(0.5);
    const Mask<T> integral = trunc(y) == y, odd = and_not(integral, trunc(half) == half);

    const auto normal = normalized(magnitude);
    // Larger numbers, whose products below would be NaN, give the same result.
    constexpr T large = sizeof(T) == 8 ? T(0x1p66) : T(0x1p34);
    auto exponent = times(accurate_log(normal.first, normal.second), clamp(y, -large, large));
    const Mask<T> usual = abs(exponent.first) < bound<T>;
    exponent.first = clamp(exponent.first, -bound<T>, bound<T>);
    exponent.second = select(usual, exponent.second, T(0));
    Vec<T> result = exp_of_pair(exponent);

    const Mask<T> one = magnitude == T(1), boundless = abs(y) == infinity;
    const Mask<T> extreme = (magnitude == T(0)) | (magnitude == infinity) | boundless;
    const Mask<T> growing = (magnitude > T(1)) ^ (y < T(0));
    result = select(extreme, select(growing, infinity, Vec<T>(T(0))), result);
    result = select(one, T(1), result);
    result = result ^ select(odd, sign_bit_of(x), T(0));
    result = select(and_not((x < T(0)) & (magnitude < infinity), integral), nan, result);
    result = select((x == x) & (y == y), result, nan);
    return select((x == T(1)) | (y == T(0)), T(1), result);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
