// Helpers of functors of floating-point numbers.
#pragma once

#include "types.cuh"

namespace corepy {

// name(x) for both dtypes, by C's functions.
#define COREPY_BOTH(name, function)    \
  template <class T>                   \
  COREPY_DEVICE T name(T x) {          \
    if constexpr (is_same<T, float>) { \
      return ::function##f(x);         \
    } else {                           \
      return ::function(x);            \
    }                                  \
  }
COREPY_BOTH(magnitude, fabs)
COREPY_BOTH(rounded, rint)  // halves to even
COREPY_BOTH(rounded_to_zero, trunc)
#undef COREPY_BOTH

// x y + z, rounded once.
template <class T>
COREPY_DEVICE T fused(T x, T y, T z) {
  if constexpr (is_same<T, float>) {
    return ::fmaf(x, y, z);
  } else {
    return ::fma(x, y, z);
  }
}

// x less the nearest multiple of y towards zero; exact.
template <class T>
COREPY_DEVICE T modulo(T x, T y) {
  if constexpr (is_same<T, float>) {
    return ::fmodf(x, y);
  } else {
    return ::fmod(x, y);
  }
}

// The magnitude of x with the sign of y.
template <class T>
COREPY_DEVICE T with_sign(T x, T y) {
  if constexpr (is_same<T, float>) {
    return ::copysignf(x, y);
  } else {
    return ::copysign(x, y);
  }
}

// The sign bit, also of zeros and NaNs.
template <class T>
COREPY_DEVICE bool has_sign(T x) {
  return bit_cast<bits_of<T>>(x) >> (8 * sizeof(T) - 1);
}

template <class T>
COREPY_DEVICE bool is_finite(T x) {
  return magnitude(x) < infinity<T>();
}

}  // namespace corepy
