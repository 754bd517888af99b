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

// The magnitude of an integer, as an unsigned number.
template <class T>
COREPY_DEVICE bits_of<T> unsigned_magnitude(T x) {
  return x < T(0) ? bits_of<T>(bits_of<T>(0) - bits_of<T>(x)) : bits_of<T>(x);
}

template <class T>
COREPY_DEVICE bits_of<T> common_divisor(T x, T y) {
  bits_of<T> a = unsigned_magnitude(x), b = unsigned_magnitude(y);
  while (b != 0) {
    const bits_of<T> rest = bits_of<T>(a % b);
    a = b;
    b = rest;
  }
  return a;
}

template <class T>
struct gcd {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const { return T(common_divisor(x, y)); }
};

template <class T>
struct lcm {
  using type = T;
  COREPY_DEVICE T operator()(T x, T y) const {
    const bits_of<T> divisor = common_divisor(x, y);
    if (divisor == 0) return T(0);
    return T(bits_of<T>(unsigned_magnitude(x) / divisor * unsigned_magnitude(y)));
  }
};

template <class T>
struct bitwise_count {
  using type = T;
  COREPY_DEVICE uint8 operator()(T x) const {
    const uint64 bits = unsigned_magnitude(x);
    return uint8(__popc(uint32(bits)) + __popc(uint32(bits >> 32)));
  }
};

}  // namespace op
}  // namespace corepy
