// Functors: sums, products, signs and the parts of complex numbers. Integers wrap around; of bool,
// a sum is "or", and a product "and".
#pragma once

#include "floating.cuh"

namespace corepy {
namespace op {

// A copy, or a cast to another dtype of the output.
COREPY_FUNCTOR(T, copy, T x) { return x; }

// A copy of numbers to sort: radix sorts put NaNs with a sign first.
COREPY_FUNCTOR(T, positive_nan, T x) { return x == x ? x : nan<T>(); }

COREPY_FUNCTOR(T, add, T x, T y) {
  if constexpr (is_bool<T>) {
    return x || y;
  } else if constexpr (is_integer<T>) {
    return T(wrapping<T>(x) + wrapping<T>(y));
  } else {
    return x + y;
  }
}

COREPY_FUNCTOR(T, subtract, T x, T y) {
  if constexpr (is_integer<T>) {
    return T(wrapping<T>(x) - wrapping<T>(y));
  } else {
    return x - y;
  }
}

COREPY_FUNCTOR(T, multiply, T x, T y) {
  if constexpr (is_complex<T>) {
    return {fused(x.real, y.real, -(x.imag * y.imag)), fused(x.real, y.imag, x.imag * y.real)};
  } else if constexpr (is_bool<T>) {
    return x && y;
  } else if constexpr (is_integer<T>) {
    return T(wrapping<T>(x) * wrapping<T>(y));
  } else {
    return x * y;
  }
}

COREPY_FUNCTOR(T, square, T x) { return multiply<T>()(x, x); }

COREPY_FUNCTOR(T, negative, T x) {
  if constexpr (is_complex<T>) {
    return {-x.real, -x.imag};
  } else if constexpr (is_integer<T>) {
    return T(wrapping<T>(0) - wrapping<T>(x));
  } else {
    return -x;
  }
}

COREPY_FUNCTOR(T, positive, T x) { return x; }

// The lowest integer is returned unchanged.
COREPY_FUNCTOR(component<T>, abs, T x) {
  if constexpr (is_complex<T>) {
    return computed(*this, x);
  } else if constexpr (is_floating<T>) {
    return magnitude(x);
  } else if constexpr (is_signed<T>) {
    return x < 0 ? negative<T>()(x) : x;
  } else {
    return x;
  }
}

// 0 for either zero, NaN for NaN.
COREPY_FUNCTOR(T, sign, T x) {
  if constexpr (is_floating<T>) {
    if (is_nan(x)) return x;
  }
  if constexpr (is_complex<T>) {
    return computed(*this, x);
  } else if constexpr (is_signed<T>) {
    return T(int(x > T(0)) - int(x < T(0)));
  } else {
    return T(x != T(0));
  }
}

COREPY_FUNCTOR(T, conj, T x) {
  if constexpr (is_complex<T>) {
    return {x.real, -x.imag};
  } else {
    return x;
  }
}

COREPY_FUNCTOR(component<T>, real, T x) {
  if constexpr (is_complex<T>) {
    return x.real;
  } else {
    return x;
  }
}

COREPY_FUNCTOR(component<T>, imag, T x) {
  if constexpr (is_complex<T>) {
    return x.imag;
  } else {
    return T(0);
  }
}

}  // namespace op
}  // namespace corepy
