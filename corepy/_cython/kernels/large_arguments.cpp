// M. Payne, R. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18 (1983), in
// integers: x / pi modulo 2 depends only on 192 bits of 1 / pi, at a position given by the exponent
// of x. No float64 is nearer than 2^-61 to a multiple of pi / 2 (relative to it), so the worst case
// has more than 70 correct bits.
#include "large_arguments.hpp"

#include <cstring>

namespace corepy {
namespace {

typedef unsigned __int128 Wide;

// 1 / pi: 64 bits before the point, 1216 behind it.
constexpr uint64_t INVERSE_PI[] = {
    0,
    0x517cc1b727220a94,
    0xfe13abe8fa9a6ee0,
    0x6db14acc9e21c820,
    0xff28b1d5ef5de2b0,
    0xdb92371d2126e970,
    0x0324977504e8c90e,
    0x7f0ef58e5894d39f,
    0x74411afa975da242,
    0x74ce38135a2fbf20,
    0x9cc8eb1cc1a99cfa,
    0x4e422fc5defc941d,
    0x8ffc4bffef02cc07,
    0xf79788c5ad05368f,
    0xb69b3f6793e584db,
    0xa7a31fb34f2ff516,
    0xba93dd63f5f2f8bd,
    0x9e839cfbc5294975,
    0x35fdafd88fc6ae84,
    0x2b0198237e3db5d5,
};
// pi * 2^62 and the 64 bits after it.
constexpr uint64_t PI_HIGH = 0xc90fdaa22168c234, PI_LOW = 0xc4c6628b80dc1cd1;

inline uint64_t word_at(int bit) {
  const int word = bit / 64, shift = bit % 64;
  const uint64_t next = shift ? INVERSE_PI[word + 1] >> (64 - shift) : 0;
  return INVERSE_PI[word] << shift | next;
}

inline uint64_t high_half(uint64_t a, uint64_t b) { return uint64_t(Wide(a) * b >> 64); }

// 2^exponent, of a normal number.
inline double power_of_2(int exponent) {
  const uint64_t bits = uint64_t(exponent + 1023) << 52;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace

Remainder remainder_of_large(double x, bool half, int offset) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  const int exponent = int(bits >> 52 & 0x7ff) - 1075;

  // |x| / period modulo 2, times 2^191: its whole bits are even multiples of the period beyond the
  // first. Bit 63 of INVERSE_PI is the unit.
  const int first = 63 + exponent + half;
  const uint64_t a = word_at(first), b = word_at(first + 64), c = word_at(first + 128);
  const Wide bc = Wide(mantissa) * c;
  const Wide middle = Wide(mantissa) * b + uint64_t(bc >> 64);
  uint64_t turns = mantissa * a + uint64_t(middle >> 64);
  uint64_t fraction = uint64_t(middle), tail = uint64_t(bc);

  // x = -|x| has the negative quotient, in two's complement.
  if (x < 0) {
    tail = -tail;
    fraction = ~fraction + (tail == 0);
    turns = ~turns + (tail == 0 && fraction == 0);
  }
  if (offset) turns -= uint64_t(1) << 62;
  const bool odd = (turns >> 63) != (turns >> 62 & 1);

  // The distance to the nearest integer, times 2^192, as sign and magnitude.
  turns = turns << 1 | fraction >> 63;
  fraction = fraction << 1 | tail >> 63;
  tail <<= 1;
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
  if (turns == 0) return {0.0, 0.0, odd};  // does not happen for x that are not 0
  const int zeros = __builtin_clzll(turns);
  if (zeros) {
    turns = turns << zeros | fraction >> (64 - zeros);
    fraction = fraction << zeros | tail >> (64 - zeros);
  }
  shift += zeros;

  // Times pi: upper is now the remainder times 2^(62 + shift).
  const Wide product =
      Wide(turns) * PI_HIGH + high_half(turns, PI_LOW) + high_half(fraction, PI_HIGH);
  const uint64_t upper = uint64_t(product >> 64), lower = uint64_t(product);
  const double scale = power_of_2(-62 - shift - half);
  const double sign = negative ? -scale : scale;
  const double high = double(upper & ~uint64_t(0x7ff));
  const double low = double((upper & 0x7ff) << 53 | lower >> 11) * power_of_2(-53);
  return {sign * high, sign * low, odd};
}

}  // namespace corepy
