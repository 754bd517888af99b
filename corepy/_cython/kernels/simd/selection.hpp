// The greater and the lesser of two elements, for reductions. Internal to the kernels.
#pragma once

#include <cmath>

#include "../types.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// A NaN in either operand is the result of `call`, and +0 is greater than -0, so that the order of
// the elements does not decide. `of_numbers` handles neither; it is one instruction.
struct Maximum {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return a > b ? a : b;
    } else {
      return (a > b) | (a != a) | ((a == b) & !std::signbit(a)) ? a : b;
    }
  }
  static Bool call(Bool a, Bool b) { return bool(a) | bool(b); }

  template <class T>
  static T of_numbers(T a, T b) {
    return a > b ? a : b;
  }
  static Bool of_numbers(Bool a, Bool b) { return call(a, b); }
};

struct Minimum {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return a < b ? a : b;
    } else {
      return (a < b) | (a != a) | ((a == b) & std::signbit(a)) ? a : b;
    }
  }
  static Bool call(Bool a, Bool b) { return bool(a) & bool(b); }

  template <class T>
  static T of_numbers(T a, T b) {
    return a < b ? a : b;
  }
  static Bool of_numbers(Bool a, Bool b) { return call(a, b); }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
