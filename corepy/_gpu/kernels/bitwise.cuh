// Functors: bits of integers, and logic of bool.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

template <class T>
struct bitwise_and {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return T(x & y); }
};

template <class T>
struct bitwise_or {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return T(x | y); }
};

template <class T>
struct bitwise_xor {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return T(x ^ y); }
};

template <class T>
struct bitwise_invert {
  using type = T;
  COREPY_DEVICE T operator()(T x) const {
    if constexpr (is_bool<T>) {
      return !x;
    } else {
      return T(~x);
    }
  }
};

// Negative counts, which are large as unsigned numbers, and counts of the width or more shift every
// bit out.
template <class T>
struct bitwise_left_shift {
  using type = T;
  COREPY_DEVICE T operator()(T x, T count) const {
    return bits_of<T>(count) < 8 * sizeof(T) ? T(wrapping<T>(x) << count) : T(0);
  }
};

// Signed numbers keep copies of the sign.
template <class T>
struct bitwise_right_shift {
  using type = T;
  COREPY_DEVICE T operator()(T x, T count) const {
    const bool within = bits_of<T>(count) < 8 * sizeof(T);
    if constexpr (is_signed<T>) {
      return T(x >> (within ? int(count) : int(8 * sizeof(T) - 1)));
    } else {
      return within ? T(x >> count) : T(0);
    }
  }
};

}  // namespace op
}  // namespace corepy
