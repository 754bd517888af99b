// Functor: powers. CUDA's pow may err in the last digit where the power is exact, as in 3.0^1, so
// float64 is computed as on the CPU (math/pow.hpp), and whole powers of float32 by multiplications.
#pragma once

#include "floating.cuh"

namespace corepy {
namespace powers {

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
  if constexpr (is_complex<T> || is_same<T, double>) {
    return computed(*this, x, y);
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
