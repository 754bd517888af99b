// The greater and the lesser of two elements, which elementwise operations and reductions share.
// Internal to the kernels.
#pragma once

#include "types.hpp"

namespace corepy {

// A NaN in either operand is the result.
struct Maximum {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return a > b ? a : b;
    } else {
      return (a >= b) | (a != a) ? a : b;
    }
  }
  static Bool call(Bool a, Bool b) { return bool(a) | bool(b); }
};

struct Minimum {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return a < b ? a : b;
    } else {
      return (a <= b) | (a != a) ? a : b;
    }
  }
  static Bool call(Bool a, Bool b) { return bool(a) & bool(b); }
};

}  // namespace corepy
