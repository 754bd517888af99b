// Functors: rounding to integers, and predicates, signs and neighbours of floating-point numbers.
#pragma once

#include "floating.cuh"

namespace corepy {
namespace op {

// Integers are unchanged.
#define COREPY_ROUNDING(name, rounded_number)                  \
  COREPY_FUNCTOR(T, name, T x) {                               \
    if constexpr (is_complex<T>) {                             \
      return {rounded_number(x.real), rounded_number(x.imag)}; \
    } else if constexpr (is_floating<T>) {                     \
      return rounded_number(x);                                \
    } else {                                                   \
      return x;                                                \
    }                                                          \
  }
COREPY_ROUNDING(floor, rounded_down)
COREPY_ROUNDING(ceil, rounded_up)
COREPY_ROUNDING(trunc, rounded_to_zero)
COREPY_ROUNDING(round, rounded)
#undef COREPY_ROUNDING

// Complex numbers: either component, or both for isfinite.
COREPY_FUNCTOR(bool, isnan, T x) { return is_nan(x); }

COREPY_FUNCTOR(bool, isinf, T x) {
  if constexpr (is_complex<T>) {
    return is_infinite(x.real) || is_infinite(x.imag);
  } else if constexpr (is_floating<T>) {
    return is_infinite(x);
  } else {
    return false;
  }
}

COREPY_FUNCTOR(bool, isfinite, T x) {
  if constexpr (is_complex<T>) {
    return is_finite(x.real) && is_finite(x.imag);
  } else if constexpr (is_floating<T>) {
    return is_finite(x);
  } else {
    return true;
  }
}

// The sign bit, also of zeros and NaNs.
COREPY_FUNCTOR(bool, signbit, T x) {
  if constexpr (is_floating<T>) {
    return has_sign(x);
  } else if constexpr (is_signed<T>) {
    return x < T(0);
  } else {
    return false;
  }
}

COREPY_FUNCTOR(T, copysign, T x, T y) { return with_sign(x, y); }

// As integers, numbers of one sign are ordered by magnitude.
COREPY_FUNCTOR(T, nextafter, T x, T y) {
  if (is_nan(x) || is_nan(y)) return T(x + y);
  if (x == y) return y;
  const bits_of<T> bits = bit_cast<bits_of<T>>(x);
  if (x == T(0)) return bit_cast<T>(bits_of<T>((bit_cast<bits_of<T>>(y) & sign_bit<T>) | 1));
  const bool away_from_zero = (y > x) == (x > T(0));
  return bit_cast<T>(away_from_zero ? bits_of<T>(bits + 1) : bits_of<T>(bits - 1));
}

// The distance to the next number of greater magnitude, with the sign of x.
COREPY_FUNCTOR(T, spacing, T x) {
  const bits_of<T> bits = bit_cast<bits_of<T>>(x) & bits_of<T>(~sign_bit<T>);
  const T size = bit_cast<T>(bits);
  if (is_nan(size - size)) return T(x - x);
  const auto step = bit_cast<T>(bits_of<T>(bits + 1)) - size;
  return T(x < T(0) ? -step : step);
}

// x 2^exponent for the integral part of the exponent.
COREPY_FUNCTOR(T, ldexp, T x, T exponent) {
  if (is_nan(exponent)) return exponent;
  const int n = exponent > T(5000) ? 5000 : exponent < T(-5000) ? -5000 : int(exponent);
  return times_power_of_2(x, n);
}

COREPY_FUNCTOR(T, round_fractions, T x, T factor) { return rounded(x * factor) / factor; }
COREPY_FUNCTOR(T, round_multiples, T x, T factor) { return rounded(x / factor) * factor; }

COREPY_FUNCTOR(T, heaviside, T x, T at_zero) {
  return x == T(0) ? at_zero : x < T(0) ? T(0) : x > T(0) ? T(1) : x;
}

}  // namespace op
}  // namespace corepy
