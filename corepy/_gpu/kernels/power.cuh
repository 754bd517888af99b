// Functor: powers. CUDA's pow may err in the last digit where the power is exact, as in 3.0^1, so
// float64 is computed as on the CPU (math/pow.hpp), and whole powers of float32 by multiplications.
#pragma once

#include "complex_logarithm.cuh"

namespace corepy {
namespace powers {

using complex::Words, complex::product, complex::sum_ordered, complex::polynomial;

// log(x) of positive normal x, with a relative error of about 2^-64: a power multiplies it.
COREPY_DEVICE Words accurate_log(double x) {
  using namespace complex;
  const int64 bits = bit_cast<int64>(x), e = (bits >> 52) - 1023;
  const int index = int(bits >> 48 & 15);
  const double of_e = double(int(e));
  const double r = fused(bit_cast<double>(bits - (e << 52)), LOG_INVERSE[index], -1.0);
  const Words square = product(r, r);
  const double tail = polynomial(r, -0x1.ffffffffffff7p-3, 0x1.9999999999974p-3,
                                 -0x1.555555556088fp-3, 0x1.249249250bb18p-3, -0x1.ffffff6c7bdb7p-4,
                                 0x1.c71c6824e2316p-4, -0x1.999b0ebed364ep-4, 0x1.747fbb4159787p-4,
                                 -0x1.548526bf39529p-4, 0x1.12484a58615d9p-4);
  const Words sum1 = sum_ordered(fused(of_e, LOG_OF_2_HIGH, LOG_HIGH[index]), r);
  // (-1 / 2 + r / 3) r^2 in double-double.
  const Words third = product(r, 0x1.5555555555555p-2);
  const Words factor = sum_ordered(-0.5, third.first);
  const double factor_low = fused(r, 0x1.5555555555555p-56, factor.second + third.second);
  const Words term = product(square.first, factor.first);
  const double term_low =
      fused(square.second, factor.first, fused(square.first, factor_low, term.second));
  const Words sum2 = sum_ordered(sum1.first, term.first);
  const double low =
      (sum1.second + sum2.second) + (fused(of_e, LOG_OF_2_LOW, LOG_LOW[index]) + term_low);
  return {sum2.first, fused(tail, square.first * square.first, low)};
}

COREPY_DEVICE double power(double x, double y) {
  const double size = magnitude(x);
  const bool whole = ::trunc(y) == y;
  if (size >= 0x1p-1022 && is_finite(size) && (whole || x > 0)) {
    const Words exponent = accurate_log(size) * y;
    if (magnitude(exponent.first) < 760) {
      const complex::Exponential e(exponent);
      const double result = complex::scale(complex::rounded(e.number), e.exponent);
      const bool odd = whole && ::trunc(y * 0.5) != y * 0.5;
      return complex::turned(result, odd && x < 0);
    }
  }
  return ::pow(x, y);
}

// In float64, rounded once: 2^-48 of the result is lost at most, and beyond its range float32 is
// infinite or 0.
COREPY_DEVICE float power(float x, float y) {
  if (!(magnitude(y) <= 32 && ::truncf(y) == y)) return ::powf(x, y);
  double result = 1, factor = x;
  for (int left = int(magnitude(y)); left != 0;) {
    if (left & 1) result *= factor;
    left >>= 1;
    if (left) factor *= factor;
  }
  return float(y < 0 ? 1 / result : result);
}

}  // namespace powers

namespace op {

// Powers of integers wrap around. For negative exponents, which the standard leaves undefined, the
// exact power is truncated.
COREPY_FUNCTOR(T, pow, T x, T y) {
  if constexpr (is_complex<T>) {
    return convert<T>(complex::pow(convert<complex128>(x), convert<complex128>(y)));
  } else if constexpr (is_floating<T>) {
    return powers::power(x, y);
  } else {
    if constexpr (is_signed<T>) {
      if (y < T(0)) return x == T(1) ? T(1) : x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0);
    }
    wrapping<T> power = 1, factor = wrapping<T>(x);
    for (bits_of<T> left = bits_of<T>(y); left != 0; left >>= 1) {
      if (left & 1) power *= factor;
      factor *= factor;
    }
    return T(power);
  }
}

}  // namespace op
}  // namespace corepy
