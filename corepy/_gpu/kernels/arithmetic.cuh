// Functors: arithmetic, comparisons, and what moves elements.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// A copy; with another dtype of the output, a cast.
template <class T>
struct copy {
  using type = T;
  COREPY_DEVICE T operator()(T x) const { return x; }
};

template <class T>
struct add {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_complex<T>) {
      return {x.real + y.real, x.imag + y.imag};
    } else if constexpr (is_bool<T>) {
      return x || y;
    } else if constexpr (is_integer<T>) {
      return T(bits_of<T>(x) + bits_of<T>(y));  // wraps around
    } else {
      return x + y;
    }
  }
};

template <class T>
struct less {
  using type = T;
  COREPY_DEVICE bool operator()(T x, T y) const { return x < y; }
};

// x1 where the condition is true, else x2.
template <class T>
struct where {
  using type = T;
  using first_type = bool;
  COREPY_DEVICE T operator()(bool condition, T x, T y) const { return condition ? x : y; }
};

}  // namespace op
}  // namespace corepy
