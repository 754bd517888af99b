// log(e^x + e^y) over Vec<T>.
#pragma once

#include "cancellation.hpp"
#include "exp.hpp"
#include "log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// A sum of double-doubles, whose larger operand is about as large as the sum.
template <class T>
inline VecPair<Vec<T>> add_pairs(VecPair<Vec<T>> a, VecPair<Vec<T>> b) {
  const auto s = sum(a.first, b.first);
  return sum_ordered(s.first, s.second + (a.second + b.second));
}
template <class T>
inline VecPair<Vec<T>> multiply_pairs(VecPair<Vec<T>> a, VecPair<Vec<T>> b) {
  const auto p = product(a.first, b.first);
  return sum_ordered(p.first,
                     multiply_add(a.first, b.second, multiply_add(a.second, b.first, p.second)));
}

// e^x to about 90 bits: 2^n power (1 + growth).
struct LongExponential {
  using Pair = VecPair<Vec<double>>;
  Vec<double> n;
  Pair power, growth;

  explicit LongExponential(Vec<double> x) {
    const ExpArgument<double> argument(x);
    n = floor(argument.sixteenths);
    power.first = argument.power();
    power.second = power.first * argument.residue();
    const auto low = product(argument.sixteenths, Vec<double>(ExpConstants<double>::ln2_low));
    auto r = sum(argument.remainder(x), -low.first);
    r = sum_ordered(r.first, r.second - low.second);
    // (e^r - 1) / r = 1 + r / 2 + r^2 / 6 + ...; from r^5 on in plain float64.
    constexpr double rest[] = {1.0 / 720,     1.0 / 5040,     1.0 / 40320,    1.0 / 362880,
                               1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
    constexpr double terms[][2] = {{1.0 / 120, 0x1.1111111111111p-63},
                                   {1.0 / 24, 0x1.5555555555555p-59},
                                   {1.0 / 6, 0x1.5555555555555p-57},
                                   {0.5, 0},
                                   {1, 0}};
    Pair total = {polynomial(r.first, rest), Vec<double>(0.0)};
    for (const auto& term : terms) {
      const auto p = multiply_pairs(total, r);
      const auto s = sum_ordered(Vec<double>(term[0]), p.first);
      total = sum_ordered(s.first, s.second + (p.second + term[1]));
    }
    growth = multiply_pairs(total, r);
  }
  Pair value() const {
    const auto grown = multiply_pairs(power, growth);
    const auto total = add_pairs(power, grown);
    return {scale(total.first, n), scale(total.second, n)};
  }
  Pair value_less_one() const {
    const Pair scaled = {scale(power.first, n), scale(power.second, n)};
    auto base = sum(scaled.first, Vec<double>(-1.0));
    base = sum_ordered(base.first, base.second + scaled.second);
    return add_pairs(base, multiply_pairs(scaled, growth));
  }
};

// max(x, y) + log1p(e^-|x - y|), each term in double-double.
struct Logaddexp {
  static constexpr int unroll = 2;
  template <class T>
  static Vec<T> call(Vec<T> x, Vec<T> y) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const Mask<T> ordered = x < y;
    const Vec<T> larger = select(ordered, y, x), smaller = select(ordered, x, y);
    auto difference = sum(smaller, -larger);
    // Below this bound, or where both are infinite, e^difference is 0.
    constexpr T bound = sizeof(T) == 8 ? T(-750) : T(-106);
    const Mask<T> near = difference.first > bound;
    difference.first = select(near, difference.first, bound);
    difference.second = select(near, difference.second, T(0));

    const ExpArgument<T> argument(difference.first);
    const Vec<T> r = argument.r, r_squared = r * r, power = argument.power();
    const Vec<T> residue = argument.residue() + difference.second;
    const Vec<T> small =
        multiply_add(exp_series(r, r_squared), r_squared, multiply_add(residue, r, residue)) +
        argument.r_low(difference.first);
    const auto slope = product(power, r);
    const auto total = sum_ordered(power, slope.first);
    const Vec<T> rest = total.second + multiply_add(power, small, slope.second);
    const auto exponential = sum_ordered(total.first, rest);
    const auto above = sum_ordered(Vec<T>(T(1)), scale(exponential.first, argument.sixteenths));
    const auto logarithm =
        log_of_three(above, scale(exponential.second, argument.sixteenths), Vec<T>(T(-0.0)));
    const auto main = sum(larger, logarithm.first);
    Vec<T> result = main.first + (main.second + logarithm.second);
    // Near its zeros the result has fewer digits than the terms.
    const Mask<T> cancelled = abs(result) * T(16) < abs(larger);
    if (__builtin_expect(any(cancelled), false)) {
      result = select(cancelled, without_cancellation(cancelled, larger, smaller), result);
    }
    result = select(abs(larger) < infinity, result, larger);
    return select((x == x) & (y == y), result, std::numeric_limits<T>::quiet_NaN());
  }

 private:
  // log1p(e^larger - 1 + e^smaller), for -1 <= larger < 0, as where digits cancel; other lanes are
  // undefined.
  static __attribute__((noinline)) Vec<double> without_cancellation(Mask<double> where,
                                                                    Vec<double> larger,
                                                                    Vec<double> smaller) {
    const Vec<double> a = clamp(larger, -1.0, 0.0), b = clamp(smaller, -760.0, 0.0);
    const auto s = add_pairs(LongExponential(a).value_less_one(), LongExponential(b).value());
    const auto one_plus_s = sum(Vec<double>(1.0), s.first);
    const auto logarithm = log_of_three(one_plus_s, s.second, Vec<double>(0.0));
    const Vec<double> result = logarithm.first + logarithm.second;
    // Where 90 bits are not enough, or the last ones are subnormal.
    const Mask<double> deep = where & ((abs(s.first) < abs(a) * 0x1p-24) | (b < -550.0));
    return any(deep) ? one_by_one(deep, larger, smaller, result) : result;
  }
  static __attribute__((noinline)) Vec<float> without_cancellation(Mask<float> where,
                                                                   Vec<float> larger,
                                                                   Vec<float> smaller) {
    const auto a = widen(larger), b = widen(smaller);
    const auto asked = widen(select(where, Vec<float>(1.0f), 0.0f));
    return narrow(without_cancellation(asked.first > 0.0, a.first, b.first),
                  without_cancellation(asked.second > 0.0, a.second, b.second));
  }

  static __attribute__((noinline, cold)) Vec<double> one_by_one(Mask<double> where,
                                                                Vec<double> larger,
                                                                Vec<double> smaller,
                                                                Vec<double> result) {
    double a[Vec<double>::size], b[Vec<double>::size], out[Vec<double>::size];
    larger.store(a);
    smaller.store(b);
    result.store(out);
    const uint64_t lanes = bits(where);
    for (int i = 0; i < Vec<double>::size; i++) {
      if (lanes >> i & 1) out[i] = logaddexp_near_zero(a[i], b[i]);
    }
    return Vec<double>::load(out);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
