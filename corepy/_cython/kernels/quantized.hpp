// Products of a matrix of 8 or 4 bits with floating-point numbers, which are rounded to 8 bits
// first: sums of GROUP products are integers, and exact.
//
// The loops are in simd/quantized.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// A block of the matrix has GROUP columns of BLOCK_ROWS rows: their integers q and then, for each
// row, a scale, and with 4 bits a minimum. An element is `scale * q + minimum`. The blocks of the
// same rows follow each other, so memory is read in sequence, and rows are in the lanes of vectors,
// so no lanes are added.
//
//   8 bits  int8, 4 columns of each row, then the next 4.
//   4 bits  the same of columns 0 to 15 in the lower half of bytes, of 16 to 31 in the upper one.
constexpr ptrdiff_t BLOCK_ROWS = 16, GROUP = 32;

// GROUP elements that were rounded: `scale * q`.
struct RoundedGroup {
  int8_t q[GROUP];
  float scale;
  int32_t sum;  // of q
};

struct QuantizedProduct {
  int bits;                         // 8 or 4
  bool half;                        // whether scales and minimums are float16; otherwise float32
  ptrdiff_t rows, columns, groups;  // of x; rows of the matrix; of a row of either
  const RoundedGroup* x;            // [rows][groups]
  const char* matrix;
  float* out;  // [rows][columns]
};

// Multiplies all rows of x with the rows [begin, end) * BLOCK_ROWS of the matrix.
typedef void (*quantized_kernel)(const QuantizedProduct&, ptrdiff_t begin, ptrdiff_t end);

// The loops of one instruction set. The order of operations is the same for each of them.
struct QuantizedLoops {
  void (*round)(ptrdiff_t n, const float* x, RoundedGroup* groups);  // n elements
  quantized_kernel multiply[2][2];                                   // [bits == 8][half]
};

// The bytes of a block.
constexpr ptrdiff_t block_bytes(int bits, bool half) {
  const ptrdiff_t factors = bits == 8 ? 1 : 2;
  return BLOCK_ROWS * (GROUP * bits / 8 + factors * (half ? 2 : 4));
}

// Multiplies rows of x, of n contiguous elements, with a matrix, in threads. `p.x` is made here;
// returns false if there is no memory. A row that is not finite has NaN as its results.
bool multiply_quantized(QuantizedProduct p, ptrdiff_t n, const float* x);

}  // namespace corepy
