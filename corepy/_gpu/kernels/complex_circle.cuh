// Sines and cosines in double-double, of arguments of any size.
#pragma once

#include "complex_words.cuh"

namespace corepy {
namespace complex {

// The largest argument that is reduced in floating point.
constexpr double MODERATE = 4194304;
// Sines of smaller arguments are computed times 2^300: products with a subnormal sine would lose
// digits.
constexpr double TINY = 0x1p-900;

// x = quarters * pi / 2 + high - negative_low; quarters modulo 4.
struct Reduced {
  double high, negative_low;
  int quarters;
};

// 1 / pi: 64 bits before the point, 1216 after it.
__device__ const uint64 INVERSE_PI[20] = {
    0x0000000000000000, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
    0xff28b1d5ef5de2b0, 0xdb92371d2126e970, 0x0324977504e8c90e, 0x7f0ef58e5894d39f,
    0x74411afa975da242, 0x74ce38135a2fbf20, 0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d,
    0x8ffc4bffef02cc07, 0xf79788c5ad05368f, 0xb69b3f6793e584db, 0xa7a31fb34f2ff516,
    0xba93dd63f5f2f8bd, 0x9e839cfbc5294975, 0x35fdafd88fc6ae84, 0x2b0198237e3db5d5};

COREPY_DEVICE uint64 inverse_pi_at(int bit) {
  const int word = bit / 64, shift = bit % 64;
  const uint64 next = shift ? INVERSE_PI[word + 1] >> (64 - shift) : 0;
  return INVERSE_PI[word] << shift | next;
}

// In integers, as in large_arguments.cpp (M. Payne, R. Hanek, Radian reduction for trigonometric
// functions, SIGNUM Newsletter 18, 1983): x / pi modulo 2 needs no more than those 192 bits of
// 1 / pi that the exponent of x points at. MODERATE <= x < infinity.
COREPY_CALLED Reduced reduced_large(double x) {
  const uint64 bits = bit_cast<uint64>(x);
  const uint64 mantissa = (bits & ((uint64(1) << 52) - 1)) | uint64(1) << 52;
  // x / pi modulo 2, times 2^191. Bit 63 of INVERSE_PI is the unit.
  const int first = 63 + int(bits >> 52) - 1075;
  const uint64 b = inverse_pi_at(first + 64), c = inverse_pi_at(first + 128);
  uint64 tail = mantissa * c;
  const uint64 carry = __umul64hi(mantissa, c);
  uint64 fraction = mantissa * b + carry;
  uint64 turns = mantissa * inverse_pi_at(first) + __umul64hi(mantissa, b) + (fraction < carry);
  Reduced r;
  r.quarters = int((turns + (uint64(1) << 61)) >> 62);
  // The distance to the nearest multiple of pi / 2, times 2^192, as sign and magnitude.
  turns = turns << 2 | fraction >> 62;
  fraction = fraction << 2 | tail >> 62;
  tail <<= 2;
  const bool negative = turns >> 63;
  if (negative) {
    tail = ~tail + 1;
    fraction = ~fraction + (tail == 0);
    turns = ~turns + (tail == 0 && fraction == 0);
  }
  int shift = 0;
  if (turns == 0) {
    turns = fraction, fraction = tail;
    shift = 64;
  }
  const int zeros = __clzll(int64(turns));
  if (zeros) {
    turns = turns << zeros | fraction >> (64 - zeros);
    fraction = fraction << zeros | (shift ? 0 : tail >> (64 - zeros));
  }
  shift += zeros;
  // Times pi * 2^62 and the 64 bits after it: upper is now the remainder times 2^(63 + shift).
  const uint64 pi_high = 0xc90fdaa22168c234, pi_low = 0xc4c6628b80dc1cd1;
  uint64 upper = __umul64hi(turns, pi_high), lower = turns * pi_high;
  const uint64 second = __umul64hi(turns, pi_low), third = __umul64hi(fraction, pi_high);
  lower += second;
  upper += lower < second;
  lower += third;
  upper += lower < third;
  const double unit = power_of_2(-63 - shift);
  const double signed_unit = negative ? -unit : unit;
  r.high = signed_unit * double(upper & ~uint64(0x7ff));
  r.negative_low = -signed_unit * (double((upper & 0x7ff) << 53 | lower >> 11) * 0x1p-53);
  return r;
}

// In floating point (W. Cody, W. Waite, Software Manual for the Elementary Functions, 1980).
COREPY_DEVICE Reduced reduced_moderate(double x) {
  // The first part of pi / 2 has all its digits, since the remainder of x is exact; products of the
  // second, shorter part are exact.
  const double part = 3.141592653589793 / 2, second = 1.224646798818428e-16 / 2;
  const double third = 3.2892513872648515e-26 / 2;
  const double shift = 0x1.8p52, shifted = fused(x, 0.3183098861837907 * 2, shift);
  const double n = shifted - shift;
  const double first = fused(n, -part, x);
  Reduced r;
  r.high = fused(n, -second, first);
  r.negative_low = fused(n, third, fused(n, second, r.high - first));
  r.quarters = int(bit_cast<uint64>(shifted) & 3);
  return r;
}

COREPY_DEVICE Words sine_of(Reduced r) {
  const Words z = product(r.high, r.high);
  const double first = -0.16666666666666666;
  Words ratio = {fused(z.first, first, 1.0), 0.0};
  ratio.second = fused(z.second, first, fused(z.first, first, 1.0 - ratio.first));
  const double rest =
      polynomial(z.first, 0.008333333333333207, -0.0001984126984121247, 2.755731921156607e-06,
                 -2.5052106903906024e-08, 1.605894096583314e-10, -7.643018151073214e-13,
                 2.7214038851710808e-15);
  ratio.second = fused(z.first * z.first, rest, ratio.second);
  const double cosine = fused(z.first, -0.42, 1.0);  // an approximate derivative
  Words sine = product(r.high, ratio.first);
  sine.second = fused(-r.negative_low, cosine, fused(r.high, ratio.second, sine.second));
  return sine;
}

// sin(x) times 2^-exponent, cos(x) and 1 - cos(x).
struct Circle {
  Words sin, cos, versine;
  int exponent;

  COREPY_DEVICE explicit Circle(double x) : Circle(Words{x, 0.0}) {}
  // x.first >= 0.
  COREPY_DEVICE explicit Circle(Words x) {
    const bool tiny = x.first < TINY;
    exponent = tiny ? -300 : 0;
    if (tiny) x = times_power(x, 0x1p300);
    Reduced r = x.first > MODERATE ? reduced_large(x.first) : reduced_moderate(x.first);
    // The low part of numbers without a fraction may be any angle: the sum is unknown then.
    if (magnitude(x.second) < 0.1) {
      const Words high = sum(r.high, x.second);
      r.high = high.first;
      r.negative_low -= high.second;
    }
    const Words sine = sine_of(r), z = product(r.high, r.high);
    Words rest = times_power(z, 0.5);
    // The series of (1 - cos(x) - x^2 / 2) / x^4 in x^2.
    const double series = polynomial(z.first, -1.0 / 24, 1.0 / 720, -1.0 / 40320, 1.0 / 3628800,
                                     -1.0 / 479001600, 1.0 / 87178291200, -1.0 / 20922789888000);
    rest.second = fused(z.first * z.first, series, rest.second);
    rest.second = fused(-r.negative_low, r.high, rest.second);
    Words cosine = sum_ordered(1.0, -rest.first);
    cosine.second -= rest.second;
    const bool odd = r.quarters & 1, below = r.quarters & 2;
    sin = turned(odd ? cosine : sine, below);
    cos = turned(odd ? sine : cosine, odd != below);
    versine = rest;
    if (r.quarters) {
      versine = sum_ordered(1.0, -cos.first);
      versine.second -= cos.second;
    }
  }
};

}  // namespace complex
}  // namespace corepy
