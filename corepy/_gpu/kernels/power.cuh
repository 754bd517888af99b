// Functor: powers.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// Powers of integers wrap around. For negative exponents, which the standard leaves undefined, the
// exact power is truncated.
template <class T>
struct pow {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    if constexpr (is_same<T, float>) {
      return ::powf(x, y);
    } else if constexpr (is_floating<T>) {
      return ::pow(x, y);
    } else {
      if constexpr (is_signed<T>) {
        if (y < T(0)) return x == T(1) ? T(1) : x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0);
      }
      wrapping<T> power = 1, factor = wrapping<T>(x);
      for (bits_of<T> left = bits_of<T>(y); left != 0; left >>= 1) {
        if (left & 1) power *= factor;
        factor *= factor;
      }
      return T(power);
    }
  }
};

}  // namespace op
}  // namespace corepy
