// hypot.
#pragma once

#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// The sum of squares in double-double, then one Newton step from the root of its high part.
struct Hypot {
  static constexpr int unroll = 2;

  static COREPY_INLINE Vec<double> call(Vec<double> x1, Vec<double> x2) { return of(x1, x2); }
  static COREPY_INLINE Vec<float> call(Vec<float> x1, Vec<float> x2) {
    if constexpr (HAS_FMA) {
      return of(x1, x2);
    } else {
      const auto a = widen(x1), b = widen(x2);
      return select(is_any_infinite(x1, x2), Vec<float>(std::numeric_limits<float>::infinity()),
                    narrow(sqrt(a.first * a.first + b.first * b.first),
                           sqrt(a.second * a.second + b.second * b.second)));
    }
  }

 private:
  // Squares of numbers in this range and their rounding errors neither overflow nor underflow.
  template <class T>
  static constexpr T MOST = std::is_same_v<T, double> ? T(0x1p500) : T(0x1p60f);
  template <class T>
  static constexpr T LEAST = std::is_same_v<T, double> ? T(0x1p-400) : T(0x1p-40f);
  template <class T>
  static constexpr T SCALE = std::is_same_v<T, double> ? T(0x1p700) : T(0x1p80f);

  // An infinity gives infinity, even with a NaN.
  template <class T>
  static Mask<T> is_any_infinite(Vec<T> a, Vec<T> b) {
    return is_infinite(a) | is_infinite(b);
  }

  template <class T>
  static COREPY_INLINE Vec<T> of(Vec<T> x1, Vec<T> x2) {
    const Vec<T> a = abs(x1), b = abs(x2);
    const Mask<T> first = a > b;
    const Vec<T> large = select(first, a, b), small = select(first, b, a);
    const Vec<T> value = of_sizes(large, small);
    // False for NaN.
    const Mask<T> usual = (large <= Vec<T>(MOST<T>)) & (large >= Vec<T>(LEAST<T>));
    if (__builtin_expect(!all(usual), 0)) return select(usual, value, of_extremes(large, small));
    return value;
  }

  template <class T>
  static COREPY_INLINE Vec<T> of_sizes(Vec<T> large, Vec<T> small) {
    const auto square = product(large, large), other = product(small, small);
    const auto total = sum_ordered(square.first, other.first);
    const Vec<T> low = total.second + (square.second + other.second);
    const Vec<T> root = sqrt(total.first);
    const Vec<T> rest = remainder(total.first, root, root) + low;
    return multiply_add(rest * T(0.5), rough_inverse(root), root);
  }

  template <class T>
  __attribute__((noinline)) static Vec<T> of_extremes(Vec<T> large, Vec<T> small) {
    const Mask<T> huge = large > Vec<T>(T(1));
    const Vec<T> scale = select(huge, Vec<T>(1 / SCALE<T>), SCALE<T>);
    const Vec<T> back = select(huge, Vec<T>(SCALE<T>), 1 / SCALE<T>);
    const Vec<T> value = of_sizes(large * scale, small * scale) * back;
    return select(is_any_infinite(large, small), Vec<T>(std::numeric_limits<T>::infinity()), value);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
