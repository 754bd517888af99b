// Functors: maximum, minimum, fmax, fmin, clip and where.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// The result is NaN if an operand is.
template <class T>
struct maximum {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return x >= y || x != x ? x : y; }
};

template <class T>
struct minimum {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return x <= y || x != x ? x : y; }
};

// The other operand if one is NaN.
template <class T>
struct fmax {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return x >= y || y != y ? x : y; }
};

template <class T>
struct fmin {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return x <= y || y != y ? x : y; }
};

template <class T>
struct clip {
  using type = T;
  COREPY_DEVICE T operator()(T x, T low, T high) const {
    return minimum<T>()(maximum<T>()(x, low), high);
  }
};

// x if the condition is true, otherwise y.
template <class T>
struct where {
  using type = T;
  using first_type = bool;
  COREPY_DEVICE T operator()(bool condition, T x, T y) const { return condition ? x : y; }
};

}  // namespace op
}  // namespace corepy
