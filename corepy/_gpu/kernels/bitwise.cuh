// Functors: bits of integers, and logic of bool.
#pragma once

#include "types.cuh"

namespace corepy {
namespace op {

COREPY_FUNCTOR(T, bitwise_and, T x, T y) { return T(x & y); }
COREPY_FUNCTOR(T, bitwise_or, T x, T y) { return T(x | y); }
COREPY_FUNCTOR(T, bitwise_xor, T x, T y) { return T(x ^ y); }

COREPY_FUNCTOR(T, bitwise_invert, T x) {
  if constexpr (is_bool<T>) {
    return !x;
  } else {
    return T(~x);
  }
}

// Negative counts, which are large as unsigned numbers, and counts of the width or more shift every
// bit out.
COREPY_FUNCTOR(T, bitwise_left_shift, T x, T count) {
  return bits_of<T>(count) < 8 * sizeof(T) ? T(wrapping<T>(x) << count) : T(0);
}

// Signed numbers keep copies of the sign.
COREPY_FUNCTOR(T, bitwise_right_shift, T x, T count) {
  const bool within = bits_of<T>(count) < 8 * sizeof(T);
  if constexpr (is_signed<T>) {
    return T(x >> (within ? int(count) : int(8 * sizeof(T) - 1)));
  } else {
    return within ? T(x >> count) : T(0);
  }
}

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

COREPY_FUNCTOR(T, gcd, T x, T y) { return T(common_divisor(x, y)); }

COREPY_FUNCTOR(T, lcm, T x, T y) {
  const bits_of<T> divisor = common_divisor(x, y);
  if (divisor == 0) return T(0);
  return T(bits_of<T>(unsigned_magnitude(x) / divisor * unsigned_magnitude(y)));
}

COREPY_FUNCTOR(uint8, bitwise_count, T x) {
  const uint64 bits = unsigned_magnitude(x);
  return uint8(__popc(uint32(bits)) + __popc(uint32(bits >> 32)));
}

}  // namespace op
}  // namespace corepy
