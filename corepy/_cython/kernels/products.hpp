// Drivers of linear algebra, in threads: products of stacks of matrices, dot products along an
// axis, factorizations of stacks of small matrices.
#pragma once

#include "kernels.hpp"

namespace corepy {

// Multiplies pairs of matrices. `first` describes the first pair; the others are `steps` bytes
// apart along the `ndim` axes of the stack (0 where a stack is broadcast). Products are contiguous
// in `first.out`. first.terms >= 1, and there is a kernel for the dtype.
void multiply_matrices(Dtype dtype, const MatrixProduct& first, int ndim, const ptrdiff_t* shape,
                       const ptrdiff_t* a_steps, const ptrdiff_t* b_steps);

// Multiplies two matrices by the kernel `thin_matmul`, whose conditions they meet. Returns false if
// there is no memory.
bool multiply_thin(Dtype dtype, const MatrixProduct& p, ptrdiff_t out_column);

// Writes the dot products of vectors of n elements, `a_step` and `b_step` bytes apart, for each
// position on the `ndim` axes of `shape`, contiguously to `out`.
void dot_vectors(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t a_step, const char* b,
                 ptrdiff_t b_step, int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                 const ptrdiff_t* b_steps, char* out);

// Runs a kernel over a stack of small matrices. `first` describes the first; the others are `steps`
// bytes apart, and their results, of `out_step` bytes, are contiguous. Returns whether each has a
// result.
bool each_small_matrix(small_matrix_kernel kernel, const SmallMatrix& first, ptrdiff_t out_step,
                       int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                       const ptrdiff_t* b_steps);

}  // namespace corepy
