// Trigonometric arguments that are too large for a reduction in floating point.
//
// M. Payne, R. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18 (1983), in
// integers: x / pi modulo 2 depends only on 192 bits of 1 / pi, at a position given by the exponent
// of x. No float64 is nearer than 2^-61 to a multiple of pi / 2 (relative to it), so the worst case
// has more than 70 correct bits.
#pragma once

#if !defined(COREPY_GPU)
#include <cstdint>
#include <cstring>
#endif

namespace corepy {
inline namespace COREPY_TARGET {

// x = (count + offset / 2) * period + high + low, |high| at most slightly more than half a period.
struct Remainder {
  double high, low;
  unsigned count;  // modulo 2, and 4 if the period is pi / 2
};

// The 64 bits of 1 / pi from `bit` on.
inline uint64_t inverse_pi_at(int bit) {
  // 64 bits before the point, 1216 behind it.
  static constexpr uint64_t INVERSE_PI[] = {
      0x0000000000000000, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
      0xff28b1d5ef5de2b0, 0xdb92371d2126e970, 0x0324977504e8c90e, 0x7f0ef58e5894d39f,
      0x74411afa975da242, 0x74ce38135a2fbf20, 0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d,
      0x8ffc4bffef02cc07, 0xf79788c5ad05368f, 0xb69b3f6793e584db, 0xa7a31fb34f2ff516,
      0xba93dd63f5f2f8bd, 0x9e839cfbc5294975, 0x35fdafd88fc6ae84, 0x2b0198237e3db5d5,
  };
  const int word = bit / 64, shift = bit % 64;
  const uint64_t next = shift ? INVERSE_PI[word + 1] >> (64 - shift) : 0;
  return INVERSE_PI[word] << shift | next;
}

#if defined(COREPY_GPU)
inline uint64_t high_half(uint64_t a, uint64_t b) { return __umul64hi(a, b); }
inline int leading_zeros(uint64_t a) { return __clzll(int64_t(a)); }
#else
inline uint64_t high_half(uint64_t a, uint64_t b) {
  return uint64_t((unsigned __int128)(a)*b >> 64);
}
inline int leading_zeros(uint64_t a) { return __builtin_clzll(a); }
#endif

// 2^exponent, of a normal number.
inline double normal_power_of_2(int exponent) {
  const uint64_t bits = uint64_t(exponent + 1023) << 52;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// For 2^20 <= |x| < infinity, to 2^-110 of a period and to 2^-60 of the remainder. The period is
// pi, or pi / 2 with `half`; offset is 0 or 1.
inline __attribute__((noinline)) Remainder remainder_of_large(double x, bool half, int offset) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  const int exponent = int(bits >> 52 & 0x7ff) - 1075;

  // |x| / pi modulo 2, times 2^191. Bit 63 of INVERSE_PI is the unit.
  const int first = 63 + exponent;
  const uint64_t b = inverse_pi_at(first + 64), c = inverse_pi_at(first + 128);
  const uint64_t carry = high_half(mantissa, c);
  uint64_t tail = mantissa * c, fraction = mantissa * b + carry;
  uint64_t turns = mantissa * inverse_pi_at(first) + high_half(mantissa, b) + (fraction < carry);

  // x = -|x| has the negative quotient, in two's complement.
  if (x < 0) {
    tail = -tail;
    fraction = ~fraction + (tail == 0);
    turns = ~turns + (tail == 0 && fraction == 0);
  }
  if (offset) turns -= uint64_t(1) << 62;
  const int digits = half ? 2 : 1;  // of the count
  const unsigned count = unsigned((turns + (uint64_t(1) << (63 - digits))) >> (64 - digits));

  // The distance to the nearest multiple, times 2^(191 + digits), as sign and magnitude.
  turns = turns << digits | fraction >> (64 - digits);
  fraction = fraction << digits | tail >> (64 - digits);
  tail <<= digits;
  const bool negative = turns >> 63;
  if (negative) {
    tail = -tail;
    fraction = ~fraction + (tail == 0);
    turns = ~turns + (tail == 0 && fraction == 0);
  }
  int shift = 0;
  if (turns == 0) {
    turns = fraction, fraction = tail, tail = 0;
    shift = 64;
  }
  if (turns == 0) return {0.0, 0.0, count};  // does not happen for x that are not 0
  const int zeros = leading_zeros(turns);
  if (zeros) {
    turns = turns << zeros | fraction >> (64 - zeros);
    fraction = fraction << zeros | tail >> (64 - zeros);
  }
  shift += zeros;

  // Times pi * 2^62 and the 64 bits after it: upper is now the remainder times 2^(62 + shift).
  const uint64_t pi_high = 0xc90fdaa22168c234, pi_low = 0xc4c6628b80dc1cd1;
  const uint64_t second = high_half(turns, pi_low), third = high_half(fraction, pi_high);
  const uint64_t sum = turns * pi_high + second, lower = sum + third;
  const uint64_t upper = high_half(turns, pi_high) + (sum < second) + (lower < third);
  const double scale = normal_power_of_2(-62 - shift - half);
  const double sign = negative ? -scale : scale;
  const double high = double(upper & ~uint64_t(0x7ff));
  const double low = double((upper & 0x7ff) << 53 | lower >> 11) * 0x1p-53;
  return {sign * high, sign * low, count};
}

}  // namespace COREPY_TARGET
}  // namespace corepy
