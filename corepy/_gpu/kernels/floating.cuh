// Helpers of functors of floating-point numbers.
#pragma once

#include "types.cuh"

namespace corepy {

// name(x, ...) for both dtypes, by C's functions.
#define COREPY_BOTH(name, function)           \
  template <class T, class... More>           \
  COREPY_DEVICE T name(T x, More... others) { \
    if constexpr (is_same<T, float>) {        \
      return ::function##f(x, others...);     \
    } else {                                  \
      return ::function(x, others...);        \
    }                                         \
  }
COREPY_BOTH(magnitude, fabs)
COREPY_BOTH(rounded, rint)  // halves to even
COREPY_BOTH(rounded_down, floor)
COREPY_BOTH(rounded_up, ceil)
COREPY_BOTH(rounded_to_zero, trunc)
COREPY_BOTH(root_of, sqrt)
COREPY_BOTH(fused, fma)           // x y + z, rounded once
COREPY_BOTH(modulo, fmod)         // x less the nearest multiple of y towards zero; exact
COREPY_BOTH(with_sign, copysign)  // the magnitude of x with the sign of y
COREPY_BOTH(times_power_of_2, ldexp)
COREPY_BOTH(angle_between, atan2)
#undef COREPY_BOTH

// 2^n in the normal range.
COREPY_DEVICE double power_of_2(int64 n) { return bit_cast<double>((n + 1023) << 52); }

template <class T>
constexpr bits_of<T> sign_bit = bits_of<T>(1) << (8 * sizeof(T) - 1);

// The sign bit, also of zeros and NaNs.
template <class T>
COREPY_DEVICE bool has_sign(T x) {
  return bit_cast<bits_of<T>>(x) & sign_bit<T>;
}

template <class T>
COREPY_DEVICE bool is_infinite(T x) {
  return magnitude(x) == infinity<T>();
}

template <class T>
COREPY_DEVICE bool is_finite(T x) {
  return magnitude(x) < infinity<T>();
}

}  // namespace corepy
