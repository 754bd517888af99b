// Functors: elementary functions. Real numbers by CUDA's full-precision functions, with the special
// cases of the C standard and the array API; complex numbers, activations and hypot of float64 as
// on the CPU.
#pragma once

#include "floating.cuh"

namespace corepy {
namespace op {

#define COREPY_ELEMENTARY(name)               \
  COREPY_FUNCTOR(T, name, T x) {              \
    if constexpr (is_complex<T>) {            \
      return computed(*this, x);              \
    } else if constexpr (is_same<T, float>) { \
      return ::name##f(x);                    \
    } else {                                  \
      return ::name(x);                       \
    }                                         \
  }
COREPY_ELEMENTARY(acos)
COREPY_ELEMENTARY(acosh)
COREPY_ELEMENTARY(asin)
COREPY_ELEMENTARY(asinh)
COREPY_ELEMENTARY(atan)
COREPY_ELEMENTARY(atanh)
COREPY_ELEMENTARY(cos)
COREPY_ELEMENTARY(cosh)
COREPY_ELEMENTARY(exp)
COREPY_ELEMENTARY(expm1)
COREPY_ELEMENTARY(log)
COREPY_ELEMENTARY(log10)
COREPY_ELEMENTARY(log1p)
COREPY_ELEMENTARY(log2)
COREPY_ELEMENTARY(sin)
COREPY_ELEMENTARY(sinh)
COREPY_ELEMENTARY(sqrt)
COREPY_ELEMENTARY(tan)
COREPY_ELEMENTARY(tanh)
#undef COREPY_ELEMENTARY

COREPY_FUNCTOR(T, atan2, T x, T y) { return angle_between(x, y); }

COREPY_FUNCTOR(T, gelu, T x) { return computed(*this, x); }
COREPY_FUNCTOR(T, gelu_tanh, T x) { return computed(*this, x); }
COREPY_FUNCTOR(T, sigmoid, T x) { return computed(*this, x); }
COREPY_FUNCTOR(T, silu, T x) { return computed(*this, x); }

COREPY_FUNCTOR(T, hypot, T x, T y) {
  if constexpr (is_same<T, float>) {
    return ::hypotf(x, y);
  } else {
    return computed(*this, x, y);
  }
}

// log(e^x + e^y) = max(x, y) + log1p(e^-|x - y|).
COREPY_FUNCTOR(T, logaddexp, T x, T y) {
  if (x == y && !is_finite(x)) return x;
  const T difference = x - y;
  if (is_nan(difference)) return difference;
  const T greater = x > y ? x : y;
  const T result = greater + log1p<T>()(exp<T>()(-magnitude(difference)));
  if constexpr (is_same<T, float>) {
    // Near its zeros the result has fewer digits than the terms.
    if (magnitude(result) * 16 < magnitude(greater)) return float(logaddexp<double>()(x, y));
  }
  return result;
}

}  // namespace op
}  // namespace corepy
