// N-dimensional drivers over the one-dimensional kernels. Nothing here allocates, throws, or uses
// Python.
//
// Strides are in bytes, of any sign, 0 where an operand is broadcast. Overlap between output and
// inputs follows the rule of `kernel` in table.hpp: exactly the same elements, or none.
#pragma once

#include "../layout/axes.hpp"
#include "table.hpp"

namespace corepy {

// An operand of an elementwise operation. `cast` (nullptr: none) converts an input to the loop's
// dtype, or the loop's result to the output's dtype; `loop_itemsize` is the size of the loop's
// elements.
struct Argument {
  char* data;
  const ptrdiff_t* strides;
  ptrdiff_t itemsize;
  kernel cast;
  ptrdiff_t loop_itemsize;
};

// Runs `loop` over arrays of one shape; arguments[0] is the output. `loop` is nullptr for a copy of
// elements of one dtype. Large work is split into chunks for threads, by its size alone.
void apply(kernel loop, int operands, int ndim, const ptrdiff_t* shape, const Argument* arguments);

// The same for n contiguous elements, without casts.
void apply_contiguous(kernel loop, int operands, ptrdiff_t n, char* const* data,
                      const ptrdiff_t* itemsizes);

// Copies elements of `itemsize` bytes (1, 2, 4, 8 or 16). Any alignment; out and in do not overlap.
void copy(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
          const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides);

// Whether the address ranges of two arrays overlap: false is exact, true may be a false positive
// (interleaved views).
bool may_overlap(const char* a, int a_ndim, const ptrdiff_t* a_shape, const ptrdiff_t* a_strides,
                 ptrdiff_t a_itemsize, const char* b, int b_ndim, const ptrdiff_t* b_shape,
                 const ptrdiff_t* b_strides, ptrdiff_t b_itemsize);

}  // namespace corepy
