// sigmoid, silu, gelu and gelu_tanh over Vec<T>, within 4 units in the last place: all have one
// exponential of a negative number, and no difference of numbers of like size.
#pragma once

#include "exp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// |x| up to a bound beyond which results are 0 or x; NaN is kept.
template <class T>
COREPY_INLINE Vec<T> bounded_size(Vec<T> x, T float_bound, T double_bound) {
  return min_of_numbers(Vec<T>(sizeof(T) == 8 ? double_bound : float_bound), abs(x));
}

// size e^x without underflow on the way.
template <class T>
COREPY_INLINE Vec<T> times_exp(Vec<T> size, const DirectExp<T>& x) {
  return x.scale(multiply_add(size, x.rest + x.tail(), size));
}

// x / (1 + e^-v), where v has the sign of x, from the exponential of -|v| and a bounded |x|.
template <class T>
COREPY_INLINE Vec<T> times_sigmoid(Vec<T> x, Vec<T> size, const DirectExp<T>& power) {
  return select(x < T(0), -times_exp(size, power), x) / (power.value() + T(1));
}

struct Sigmoid {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const Vec<T> power = DirectExp<T>(-bounded_size<T>(x, 106, 750)).value();
    return select(x < T(0), power, Vec<T>(T(1))) / (power + T(1));
  }
};

struct Silu {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const Vec<T> size = bounded_size<T>(x, 110, 760);
    return times_sigmoid(x, size, DirectExp<T>(-size));
  }
};

// x times the sigmoid of sqrt(8 / pi) (x + 0.044715 x^3), which is computed in double-double.
struct GeluTanh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    constexpr long double first = 1.5957691216057307118L, third = 0.07135481627260024878L;
    const Vec<T> size = bounded_size<T>(x, 12, 26);
    const auto square = product(size, size), cubic = product(square.first, Vec<T>(T(third)));
    const Vec<T> rest = square.first * T(third - T(third)) + square.second * T(third);
    const auto slope = sum(Vec<T>(T(first)), cubic.first);
    const auto v = product(size, slope.first);
    const Vec<T> low = slope.second + (cubic.second + rest + T(first - T(first)));
    return times_sigmoid(x, size, DirectExp<T>(-v.first, -multiply_add(size, low, v.second)));
  }
};

// The coefficients of e^(a^2 / 2) erfc(a / sqrt(2)) / (2 t) in powers of t - 1/2, t = k / (k + a),
// 0 <= a <= 15 (float32) or 39 (float64): interpolated at Chebyshev's nodes, with an error below
// 2^-29 and 2^-60. The substitution is that of Shepherd and Laframboise, Mathematics of Computation
// 36 (1981).
template <class T>
struct NormalTail;
template <>
struct NormalTail<float> {
  static constexpr float k = 3;
  static constexpr float series[] = {
      0x1.f1b89cp-3f,  0x1.5bb438p-2f,  0x1.3a0d02p-2f, 0x1.021e22p-3f,
      -0x1.c91ab8p-5f, -0x1.30853cp-4f, 0x1.65f80cp-6f, 0x1.699366p-5f,
      -0x1.5620e0p-6f, -0x1.74cd00p-6f, 0x1.365542p-6f,
  };
};
template <>
struct NormalTail<double> {
  static constexpr double k = 6;
  static constexpr double series[] = {
      0x1.095608c7b15f1p-3,  0x1.de8e35161dabep-3,   0x1.846a8552187a9p-2,   0x1.1a8ee4f6f1288p-1,
      0x1.6ddfc9a05232dp-1,  0x1.a0eb37cf9d676p-1,   0x1.9a89f49d56a92p-1,   0x1.527138ca49acap-1,
      0x1.b635a5184b8e9p-2,  0x1.7486679a3efd0p-3,   0x1.6fa5111ffc877p-8,   -0x1.fb1f02edd4d00p-5,
      -0x1.6a1e7475159efp-5, -0x1.80b0e05a15c2fp-10, 0x1.300c88f10709bp-6,   0x1.41c893792935bp-7,
      -0x1.32e0455fc749ep-8, -0x1.b9a989939dc7ap-8,  0x1.2307883857d13p-12,  0x1.e332aad2c8a08p-9,
      0x1.085ffd203c724p-11, -0x1.d3c361b21781bp-10, -0x1.bff7bda2d872dp-13, 0x1.17d592b888646p-11,
  };
};

// x times the distribution function of the normal distribution.
struct Gelu {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    using Tail = NormalTail<T>;
    const Vec<T> size = bounded_size<T>(x, 15, 39);
    const Vec<T> t = Vec<T>(Tail::k) / (size + Tail::k), s = t - T(0.5);
    const auto square = product(size, size);
    const DirectExp<T> power(square.first * T(-0.5), square.second * T(-0.5));
    const Vec<T> tail = times_exp(size * t * polynomial(s, s * s, Tail::series), power);
    return select(x < T(0), -tail, x - tail);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
