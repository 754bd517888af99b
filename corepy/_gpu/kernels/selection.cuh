// Functors: maximum, minimum, fmax, fmin, clip and where.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// The result is NaN if an operand is.
COREPY_FUNCTOR(T, maximum, T x, T y) { return x >= y || x != x ? x : y; }
COREPY_FUNCTOR(T, minimum, T x, T y) { return x <= y || x != x ? x : y; }

// The other operand if one is NaN.
COREPY_FUNCTOR(T, fmax, T x, T y) { return x >= y || y != y ? x : y; }
COREPY_FUNCTOR(T, fmin, T x, T y) { return x <= y || y != y ? x : y; }

COREPY_FUNCTOR(T, clip, T x, T low, T high) { return minimum<T>()(maximum<T>()(x, low), high); }

// x if the condition is true, otherwise y.
template <class T>
struct where : FunctorBase<T> {
  using first_type = bool;
  COREPY_DEVICE T operator()(bool condition, T x, T y) const { return condition ? x : y; }
};

}  // namespace op
}  // namespace corepy
