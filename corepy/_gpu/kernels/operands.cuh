// What kernels that walk over elements share: arithmetic of their numbers, in 32 bits where there
// are less than 2^31, and inputs of one element.
#pragma once

#include "arguments.cuh"
#include "types.cuh"

namespace corepy {

// WIDE: there are 2^31 elements or more.
template <bool WIDE>
using number_of = Select<WIDE, int64, uint32>;

COREPY_DEVICE int64 quotient_of(int64 number, int64 size, Divisor) { return number / size; }
COREPY_DEVICE uint32 quotient_of(uint32 number, int64, Divisor divisor) {
  return (__umulhi(number, divisor.multiplier) + number) >> divisor.shift;
}

COREPY_DEVICE int64 difference_of(int64 a, int64 b) { return a - b; }
COREPY_DEVICE int32 difference_of(uint32 a, uint32 b) { return int32(a - b); }

// The one element of an input, at `at` where it has an address. That one and those in records are
// loaded each on its own: choosing between their addresses is more than NVRTC 12.0 can do.
template <class T>
COREPY_DEVICE T element_at(const Input& input, const char* at) {
  if (input.data) return load<T>(at);
  return load<T>(input.scalar);
}

}  // namespace corepy
