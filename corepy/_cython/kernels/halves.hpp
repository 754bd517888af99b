// Floating-point numbers of 16 bits, which are computed in float32 and rounded once, to nearest
// even. IEEE's binary16, and bfloat16: the upper half of a float32.
// Kernels of GPUs use it, too, and define what they have no headers for.
#pragma once

#if !defined(COREPY_DEVICE)
#include <cstdint>
#include <cstring>
#define COREPY_DEVICE inline
#endif

namespace corepy {

namespace halves {

COREPY_DEVICE uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
COREPY_DEVICE float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// A number as a float32 that rounds to the same half: where it is not exact, its last bit is set
// instead of rounding, which tells that there is more (rounding to odd).
COREPY_DEVICE float to_odd(float value) { return value; }
COREPY_DEVICE float to_odd(double value) {
  const float nearest = float(value);
  if (double(nearest) == value || value != value) return nearest;
  const uint32_t bits = bits_of(nearest);
  const bool away =
      (double(nearest) < 0 ? -double(nearest) : double(nearest)) > (value < 0 ? -value : value);
  return float_of((bits - away) | 1);
}
template <class T>
COREPY_DEVICE float to_odd(T value) {
  if constexpr (sizeof(T) == 8) {
    // Of a large number some of the last 12 bits are beyond a float64's: whether any of them is set
    // goes into the highest.
    const T last = value & 0xFFF;
    const bool large = value >> 52 != 0 && value >> 52 != T(-1);
    return to_odd(double(large ? T((value ^ last) | T(last != 0) << 11) : value));
  } else if constexpr (sizeof(T) == 4) {
    return to_odd(double(value));
  } else {
    return float(value);
  }
}

}  // namespace halves

struct Float16 {
  uint16_t bits;

  Float16() = default;
  template <class T>
  COREPY_DEVICE explicit Float16(T value) : bits(rounded(halves::to_odd(value))) {}

  COREPY_DEVICE operator float() const {
    const uint32_t rest = uint32_t(bits & 0x7FFF) << 13, sign = uint32_t(bits & 0x8000) << 16;
    // As a float32 it is 2^112 times too small; infinities and NaN need the largest exponent.
    const uint32_t scaled = halves::bits_of(halves::float_of(rest) * 0x1p112f);
    return halves::float_of(sign | (rest < 0x0F800000 ? scaled : rest | 0x7F800000));
  }

  static COREPY_DEVICE uint16_t rounded(float value) {
    const uint32_t all = halves::bits_of(value), a = all & 0x7FFFFFFF;
    const uint32_t nan = 0x7E00 | (a >> 13 & 0x3FF);
    // From 2^-14 on, with the exponent less 112; infinity where it is too large.
    const uint32_t normal = (a - 0x38000000 + 0xFFF + (a >> 13 & 1)) >> 13;
    // Below, the unit of 0.5 is that of the smallest halves.
    const uint32_t small = halves::bits_of(halves::float_of(a) + 0.5f) - 0x3F000000;
    const uint32_t number = a < 0x38800000 ? small : normal < 0x7C00 ? normal : 0x7C00;
    return uint16_t(all >> 16 & 0x8000) | uint16_t(a > 0x7F800000 ? nan : number);
  }
};

struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  template <class T>
  COREPY_DEVICE explicit BFloat16(T value) : bits(rounded(halves::to_odd(value))) {}

  COREPY_DEVICE operator float() const { return halves::float_of(uint32_t(bits) << 16); }

  static COREPY_DEVICE uint16_t rounded(float value) {
    const uint32_t a = halves::bits_of(value);
    const bool is_nan = (a & 0x7FFFFFFF) > 0x7F800000;
    return uint16_t(is_nan ? a >> 16 | 0x40 : (a + 0x7FFF + (a >> 16 & 1)) >> 16);
  }
};

template <class T>
constexpr bool is_half_type = false;
template <>
constexpr bool is_half_type<Float16> = true;
template <>
constexpr bool is_half_type<BFloat16> = true;

}  // namespace corepy
