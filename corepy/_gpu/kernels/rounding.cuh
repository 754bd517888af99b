// Functors: rounding to integers, and predicates, signs and neighbours of floating-point numbers.
#pragma once

#include "floating.cuh"

namespace corepy {
namespace op {

// Integers are unchanged.
#define COREPY_ROUNDING(name)                    \
  template <class T>                             \
  struct name {                                  \
    using type = T;                              \
    COREPY_DEVICE T operator()(T x) const {      \
      if constexpr (is_same<T, float>) {         \
        return ::name##f(x);                     \
      } else if constexpr (is_same<T, double>) { \
        return ::name(x);                        \
      } else {                                   \
        return x;                                \
      }                                          \
    }                                            \
  };
COREPY_ROUNDING(floor)
COREPY_ROUNDING(ceil)
COREPY_ROUNDING(trunc)
#undef COREPY_ROUNDING

// Rounds halves to even.
template <class T>
struct round {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_complex<T>) {
      return {rounded(x.real), rounded(x.imag)};
    } else if constexpr (is_floating<T>) {
      return rounded(x);
    } else {
      return x;
    }
  }
};

// Complex numbers: either component, or both for isfinite.
template <class T>
struct isnan {
  using type = T;
  COREPY_DEVICE bool operator()(T x) const { return is_nan(x); }
};

template <class T>
struct isinf {
  using type = T;
  COREPY_DEVICE bool operator()(T x) const {
    if constexpr (is_complex<T>) {
      const isinf<component<T>> infinite;
      return infinite(x.real) || infinite(x.imag);
    } else if constexpr (is_floating<T>) {
      return magnitude(x) == infinity<T>();
    } else {
      return false;
    }
  }
};

template <class T>
struct isfinite {
  using type = T;
  COREPY_DEVICE bool operator()(T x) const {
    if constexpr (is_complex<T>) {
      return is_finite(x.real) && is_finite(x.imag);
    } else if constexpr (is_floating<T>) {
      return is_finite(x);
    } else {
      return true;
    }
  }
};

// The sign bit, also of zeros and NaNs.
template <class T>
struct signbit {
  using type = T;
  COREPY_DEVICE bool operator()(T x) const {
    if constexpr (is_floating<T>) {
      return has_sign(x);
    } else if constexpr (is_signed<T>) {
      return x < T(0);
    } else {
      return false;
    }
  }
};

template <class T>
struct copysign {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return with_sign(x, y); }
};

// As integers, numbers of one sign are ordered by magnitude.
template <class T>
struct nextafter {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if (is_nan(x) || is_nan(y)) return x + y;
    if (x == y) return y;
    if (x == T(0)) return with_sign(bit_cast<T>(bits_of<T>(1)), y);
    const bool away_from_zero = (y > x) == (x > T(0));
    const bits_of<T> bits = bit_cast<bits_of<T>>(x);
    return bit_cast<T>(away_from_zero ? bits_of<T>(bits + 1) : bits_of<T>(bits - 1));
  }
};

// The distance to the next number of greater magnitude, with the sign of x.
template <class T>
struct spacing {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    const T size = magnitude(x);
    if (!(size < infinity<T>())) return x - x;
    const T step = bit_cast<T>(bits_of<T>(bit_cast<bits_of<T>>(size) + 1)) - size;
    return x < T(0) ? -step : step;
  }
};

// x 2^exponent for the integral part of the exponent.
template <class T>
struct ldexp {
  using type = T;
  COREPY_DEVICE T operator()(T x, T exponent) const {
    if (is_nan(exponent)) return exponent;
    const int n = exponent > T(5000) ? 5000 : exponent < T(-5000) ? -5000 : int(exponent);
    if constexpr (is_same<T, float>) {
      return ::ldexpf(x, n);
    } else {
      return ::ldexp(x, n);
    }
  }
};

template <class T>
struct round_fractions {
  using type = T;
  COREPY_DEVICE T operator()(T x, T factor) const { return rounded(x * factor) / factor; }
};

template <class T>
struct round_multiples {
  using type = T;
  COREPY_DEVICE T operator()(T x, T factor) const { return rounded(x / factor) * factor; }
};

template <class T>
struct heaviside {
  using type = T;
  COREPY_DEVICE T operator()(T x, T at_zero) const {
    return x == T(0) ? at_zero : x < T(0) ? T(0) : x > T(0) ? T(1) : x;
  }
};

}  // namespace op
}  // namespace corepy
