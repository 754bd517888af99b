// What kernels are given: records that the launching code (launch.hpp) fills in and kernels read.
#pragma once

namespace corepy {

// One input. A Python scalar has no address: it is in `scalar`, in the input's dtype.
struct Input {
  const char* data;
  alignas(16) char scalar[16];
};

// Elements in runs, or one for all: `n` of them.
struct RunArguments {
  long long n;
  char* out;
  Input inputs[3];
};

// Division of numbers below 2^31 by one of them: the upper half of a product, a sum and a shift
// (Granlund and Montgomery 1994).
struct Divisor {
  unsigned multiplier, shift;
};

// Elements of any layout: axes from the outermost to the innermost, steps in bytes, steps[0] the
// output's.
template <int RANK>
struct BoxArguments {
  long long n;
  char* out;
  Input inputs[3];
  int rank;
  long long sizes[RANK];
  Divisor divisors[RANK];  // of the sizes, where n is below 2^31
  long long steps[4][RANK];
};

}  // namespace corepy
