// Convolutions, bits in bytes, and elements combined by the loop of a binary operation.
//
// The loops are in simd/convolution.cpp and simd/bits.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table.hpp"

namespace corepy {

// The loops of one instruction set.
struct ConvolutionLoops {
  // out[k] = sum of v[j] * a[k + m - 1 - j] for j < m, from j = 0 on: n sums of m products of
  // contiguous elements. Of real floating-point numbers, and of integers of 4 and 8 bytes.
  void (*convolve[DTYPE_COUNT])(ptrdiff_t n, const char* a, ptrdiff_t m, const char* v, char* out);
  // Bits, 8 in a byte, the first one highest (big) or lowest. n bytes of bits, each of 8 bools.
  void (*pack_bits)(ptrdiff_t n, const uint8_t* bools, bool big, uint8_t* out);
  void (*unpack_bits)(ptrdiff_t n, const uint8_t* bytes, bool big, uint8_t* out);
};

// Combines n >= 1 contiguous elements by a binary loop for an operation that gives the same result
// in any order, and writes the one that is left.
void fold(kernel loop, ptrdiff_t itemsize, ptrdiff_t n, const char* in, char* out);

// Writes elements `begin` to `end` of the full convolution of n >= m contiguous elements with m:
// element k is the sum of v[j] * a[k - j] for all j for which there are both. `scratch` has 4 m
// elements. Only for dtypes that have the loop.
bool has_convolution(Dtype dtype);
void convolve(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t m, const char* v, ptrdiff_t begin,
              ptrdiff_t end, char* scratch, char* out);

// The loops above, in threads.
void pack_bits(ptrdiff_t n, const uint8_t* bools, bool big, uint8_t* out);
void unpack_bits(ptrdiff_t n, const uint8_t* bytes, bool big, uint8_t* out);

}  // namespace corepy
