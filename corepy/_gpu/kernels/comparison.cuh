// Functors: comparisons, and logic over truth values.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// int64 and uint64 promote to float64, where large numbers may compare equal: `exact` compares the
// integers.
#define COREPY_COMPARISON(name, sign)                                        \
  template <class T>                                                         \
  struct name : FunctorBase<T> {                                             \
    static constexpr bool COMPARES = true;                                   \
    COREPY_DEVICE bool operator()(T x, T y) const { return x sign y; }       \
                                                                             \
    static COREPY_DEVICE bool exact(int64 x, int64 y) { return x sign y; }   \
    static COREPY_DEVICE bool exact(uint64 x, uint64 y) { return x sign y; } \
    static COREPY_DEVICE bool exact(int64 x, uint64 y) {                     \
      return x < 0 ? -1 sign 0 : uint64(x) sign y;                           \
    }                                                                        \
    static COREPY_DEVICE bool exact(uint64 x, int64 y) {                     \
      return y < 0 ? 1 sign 0 : x sign uint64(y);                            \
    }                                                                        \
  };
COREPY_COMPARISON(equal, ==)
COREPY_COMPARISON(not_equal, !=)
COREPY_COMPARISON(less, <)
COREPY_COMPARISON(less_equal, <=)
COREPY_COMPARISON(greater, >)
COREPY_COMPARISON(greater_equal, >=)
#undef COREPY_COMPARISON

// NaN is true.
COREPY_FUNCTOR(bool, logical_not, T x) { return !convert<bool>(x); }
COREPY_FUNCTOR(bool, logical_and, T x, T y) { return convert<bool>(x) && convert<bool>(y); }
COREPY_FUNCTOR(bool, logical_or, T x, T y) { return convert<bool>(x) || convert<bool>(y); }
COREPY_FUNCTOR(bool, logical_xor, T x, T y) { return convert<bool>(x) != convert<bool>(y); }

}  // namespace op
}  // namespace corepy
