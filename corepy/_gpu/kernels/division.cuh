// Functors: quotients, and what is rounded down as Python's // and %.
#pragma once

#include "arithmetic.cuh"
#include "floating.cuh"

namespace corepy {
namespace op {

template <class T>
struct divide {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return x / y; }
};

template <class T>
struct reciprocal {
  using type = T;
  COREPY_DEVICE T operator()(T x) const { return T(1) / x; }
};

// A quotient that is rounded down, and the rest.
template <class T>
struct Division {
  T quotient, rest;
};

// Of integers: by 0 both are 0, and the lowest number by -1 is itself.
template <class T>
COREPY_DEVICE Division<T> divide_integers(T x, T y) {
  if (y == T(0)) return {T(0), T(0)};
  if constexpr (is_signed<T>) {
    if (y == T(-1)) return {negative<T>()(x), T(0)};
    const T quotient = T(x / y), rest = T(x - quotient * y);
    const bool below = rest != 0 && (rest < 0) != (y < 0);
    return {T(quotient - T(below)), T(rest + (below ? y : T(0)))};
  } else {
    const T quotient = T(x / y);
    return {quotient, T(x - quotient * y)};
  }
}

// Of finite magnitudes, y not 0: the quotient, truncated, and the rest, which is exact. So is the
// quotient where the dtype has all integers: as rounded it is then the true one, or the next
// integer, which the sign of the rest betrays.
template <class T>
COREPY_DEVICE Division<T> divide_magnitudes(T x, T y) {
  const T most = sizeof(T) == 4 ? T(8388608.0) : T(4503599627370496.0);  // 2^23, 2^52
  const T ratio = x / y;
  if (ratio < most) {
    const T quotient = rounded_to_zero(ratio);
    const T rest = fused(-quotient, y, x);
    if (rest < T(0)) return {quotient - T(1), rest + y};
    return {quotient, rest};
  }
  const T rest = modulo(x, y);
  return {rounded((x - rest) / y), rest};
}

template <class T>
struct floor_divide {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_integer<T>) {
      return divide_integers(x, y).quotient;
    } else {
      // Zeros, infinities and NaNs in any place: the standard asks for what division gives.
      const T ratio = x / y;
      if (y == T(0) || !is_finite(x) || !is_finite(y)) return ratio;
      const Division<T> divided = divide_magnitudes(magnitude(x), magnitude(y));
      const bool below = has_sign(x) != has_sign(y) && divided.rest != T(0);
      return with_sign(below ? divided.quotient + T(1) : divided.quotient, ratio);
    }
  }
};

template <class T>
struct remainder {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_integer<T>) {
      return divide_integers(x, y).rest;
    } else {
      if (y == T(0) || !is_finite(x) || is_nan(y)) return nan<T>();
      T rest = magnitude(x);
      if (is_finite(y)) rest = divide_magnitudes(rest, magnitude(y)).rest;
      if (rest == T(0)) return with_sign(rest, y);
      rest = with_sign(rest, x);
      return has_sign(x) != has_sign(y) ? rest + y : rest;
    }
  }
};

}  // namespace op
}  // namespace corepy
