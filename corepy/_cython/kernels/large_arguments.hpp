// Trigonometric arguments that are too large for a reduction in floating point.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// x = (count + offset / 2) * period + high + low, |high| at most slightly more than half a period;
// `odd` is whether count is odd.
struct Remainder {
  double high, low;
  bool odd;
};

// For 2^20 <= |x| < infinity, to 2^-110 of a period and to 2^-60 of the remainder. The period is
// pi, or pi / 2 with `half`; offset is 0 or 1.
Remainder remainder_of_large(double x, bool half, int offset);

}  // namespace corepy
