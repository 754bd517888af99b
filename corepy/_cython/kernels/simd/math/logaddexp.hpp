// log(e^x + e^y) over Vec<T>.
#pragma once

#include "cancellation.hpp"
#include "exp.hpp"
#include "log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// max(x, y) + log1p(e^-|x - y|), each term in two words.
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
    const Vec<T> residue = argument.residue();
    const Vec<T> small =
        multiply_add(exp_series(r, r_squared), r_squared, multiply_add(residue, r, residue)) +
        (argument.r_low(difference.first) + difference.second);
    const auto slope = product(power, r);
    const auto total = sum_ordered(power, slope.first);
    const Vec<T> rest = total.second + multiply_add(power, small, slope.second);
    const Vec<T> exponential = scale(total.first, argument.sixteenths);
    auto above = sum_ordered(Vec<T>(T(1)), exponential);
    above.second = above.second + scale(rest, argument.sixteenths);

    const auto logarithm = log_of_pair(above, Vec<T>(T(0)));
    const auto main = sum(larger, logarithm.first);
    Vec<T> result = main.first + (main.second + logarithm.second);
    // Next to its zeros the result has fewer digits than the terms.
    const Mask<T> cancelled = abs(result) * T(16) < abs(larger);
    if (__builtin_expect(any(cancelled), false)) {
      result = without_cancellation(cancelled, larger, smaller, result);
    }
    result = select(abs(larger) < infinity, result, larger);
    return select((x == x) & (y == y), result, std::numeric_limits<T>::quiet_NaN());
  }

 private:
  template <class T>
  static __attribute__((noinline, cold)) Vec<T> without_cancellation(Mask<T> where, Vec<T> larger,
                                                                     Vec<T> smaller,
                                                                     Vec<T> result) {
    T a[Vec<T>::size], b[Vec<T>::size], out[Vec<T>::size];
    larger.store(a);
    smaller.store(b);
    result.store(out);
    const uint64_t lanes = bits(where);
    for (int i = 0; i < Vec<T>::size; i++) {
      if (lanes >> i & 1) out[i] = T(logaddexp_near_zero(a[i], b[i]));
    }
    return Vec<T>::load(out);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
