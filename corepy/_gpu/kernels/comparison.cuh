// Functors: comparisons, and logic over truth values.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

// int64 and uint64 promote to float64, where large numbers may compare equal: `exact` compares the
// integers.
#define COREPY_COMPARISON(name, sign)                                        \
  template <class T>                                                         \
  struct name {                                                              \
    using type = T;                                                          \
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

template <class T>
struct equal<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE bool operator()(type x, type y) const {
    return x.real == y.real && x.imag == y.imag;
  }
};

template <class T>
struct not_equal<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE bool operator()(type x, type y) const {
    return x.real != y.real || x.imag != y.imag;
  }
};

// NaN is true.
template <class T>
struct logical_not {
  using type = T;
  COREPY_DEVICE bool operator()(T x) const { return !convert<bool>(x); }
};

template <class T>
struct logical_and {
  using type = T;
  COREPY_DEVICE bool operator()(T x, T y) const { return convert<bool>(x) && convert<bool>(y); }
};

template <class T>
struct logical_or {
  using type = T;
  COREPY_DEVICE bool operator()(T x, T y) const { return convert<bool>(x) || convert<bool>(y); }
};

template <class T>
struct logical_xor {
  using type = T;
  COREPY_DEVICE bool operator()(T x, T y) const { return convert<bool>(x) != convert<bool>(y); }
};

}  // namespace op
}  // namespace corepy
