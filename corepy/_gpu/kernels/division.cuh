// Functors: division, and floor_divide and remainder as Python's // and %.
#pragma once

#include "arithmetic.cuh"

namespace corepy {
namespace op {

COREPY_FUNCTOR(T, divide, T x, T y) {
  if constexpr (is_complex<T>) {
    return computed(*this, x, y);
  } else {
    return x / y;
  }
}

COREPY_FUNCTOR(T, reciprocal, T x) { return divide<T>()(convert<T>(1), x); }

// A quotient rounded down, and the remainder.
template <class T>
struct Division {
  T quotient, remainder;
};

// Integers: division by 0 gives 0 for both, and the lowest integer divided by -1 is itself.
template <class T>
COREPY_DEVICE Division<T> divide_integers(T x, T y) {
  if (y == T(0)) return {T(0), T(0)};
  if constexpr (is_signed<T>) {
    if (y == T(-1)) return {negative<T>()(x), T(0)};
    const T quotient = T(x / y), remainder = T(x - quotient * y);
    const bool below = remainder != 0 && (remainder < 0) != (y < 0);
    return {T(quotient - T(below)), T(remainder + (below ? y : T(0)))};
  } else {
    const T quotient = T(x / y);
    return {quotient, T(x - quotient * y)};
  }
}

// The truncated quotient and the exact remainder of finite magnitudes, y not 0. The quotient is
// exact where the dtype has all integers up to it: the rounded quotient is then the true one or the
// next integer; a negative remainder indicates the latter.
template <class T>
COREPY_DEVICE Division<T> divide_magnitudes(T x, T y) {
  const T most = sizeof(T) == 4 ? T(8388608.0) : T(4503599627370496.0);  // 2^23, 2^52
  const T ratio = x / y;
  if (ratio < most) {
    const T quotient = rounded_to_zero(ratio);
    const T remainder = fused(-quotient, y, x);
    if (remainder < T(0)) return {quotient - T(1), remainder + y};
    return {quotient, remainder};
  }
  const T remainder = modulo(x, y);
  return {rounded((x - remainder) / y), remainder};
}

COREPY_FUNCTOR(T, floor_divide, T x, T y) {
  if constexpr (is_integer<T>) {
    return divide_integers(x, y).quotient;
  } else {
    // For zeros, infinities and NaNs the standard requires the result of division.
    const T ratio = x / y;
    if (y == T(0) || !is_finite(x) || !is_finite(y)) return ratio;
    const Division<T> divided = divide_magnitudes(magnitude(x), magnitude(y));
    const bool below = has_sign(x) != has_sign(y) && divided.remainder != T(0);
    return with_sign(below ? divided.quotient + T(1) : divided.quotient, ratio);
  }
}

COREPY_FUNCTOR(T, remainder, T x, T y) {
  if constexpr (is_integer<T>) {
    return divide_integers(x, y).remainder;
  } else {
    if (y == T(0) || !is_finite(x) || is_nan(y)) return nan<T>();
    T remainder = magnitude(x);
    if (is_finite(y)) remainder = divide_magnitudes(remainder, magnitude(y)).remainder;
    if (remainder == T(0)) return with_sign(remainder, y);
    remainder = with_sign(remainder, x);
    return has_sign(x) != has_sign(y) ? remainder + y : remainder;
  }
}

}  // namespace op
}  // namespace corepy
