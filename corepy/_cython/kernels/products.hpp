// Drivers of linear algebra, in threads: products of stacks of matrices, attention, dot products
// along an axis, factorizations of stacks of small matrices.
#pragma once

#include "../layout/axes.hpp"
#include "kernels.hpp"

namespace corepy {

// The number of matrices in a stack, and the offset of one of them, counted in C order.
ptrdiff_t positions_of(int ndim, const ptrdiff_t* shape);
ptrdiff_t offset_of(ptrdiff_t position, int ndim, const ptrdiff_t* shape, const ptrdiff_t* steps);

// Multiplies two matrices, in the calling thread.
void multiply_matrix(Dtype dtype, const MatrixProduct& p);

// Multiplies pairs of matrices. `first` describes the first pair; the others are `steps` bytes
// apart along the `ndim` axes of the stack (0 where a stack is broadcast). Products are contiguous
// in `first.out`. first.terms >= 1, and there is a kernel for the dtype.
void multiply_matrices(Dtype dtype, const MatrixProduct& first, int ndim, const ptrdiff_t* shape,
                       const ptrdiff_t* a_steps, const ptrdiff_t* b_steps);

// Whether there are loops for large products of a dtype, and these products, of matrices and of
// stacks, laid out as above. Returns false if there is no memory. Of bfloat16 the result is
// float32.
bool has_tiles(Dtype dtype);
bool multiply_tiles(Dtype dtype, const MatrixProduct& p);
bool multiply_stack(Dtype dtype, const MatrixProduct& first, int ndim, const ptrdiff_t* shape,
                    const ptrdiff_t* a_steps, const ptrdiff_t* b_steps);

// Correlates images, which are `image` bytes apart, with the groups of kernels: `first` describes
// the first image and group; the others' kernels, channels and results are contiguous.
void correlate_images(Dtype dtype, const Correlation& first, ptrdiff_t images, ptrdiff_t groups);

// Multiplies two matrices by the kernel `thin_matmul`, whose conditions they meet. Returns false if
// there is no memory.
bool multiply_thin(Dtype dtype, const MatrixProduct& p, ptrdiff_t out_column);

// Multiplies a matrix of halves, whose rows are contiguous, by one of float32 to float32. Some rows
// are widened at a time, and stay in a cache. Returns false if there is no memory.
bool multiply_halves(Dtype half, const MatrixProduct& p);

// Writes the dot products of vectors of n elements, `a_step` and `b_step` bytes apart, for each
// position on the `ndim` axes of `shape`, contiguously to `out`.
void dot_vectors(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t a_step, const char* b,
                 ptrdiff_t b_step, int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                 const ptrdiff_t* b_steps, char* out);

// Scaled dot-product attention: softmax(scale query key^T + mask) value, of real floating-point
// numbers.
struct Attention {
  ptrdiff_t queries, keys, width, values;   // the shapes: (queries, width), (keys, width or values)
  ptrdiff_t query_row, key_row, value_row;  // in bytes; rows are contiguous
  ptrdiff_t mask_row, mask_step;
  bool causal;  // whether a query attends to the keys up to its own position alone
  double scale;
};
// Its arrays. COLUMNS is the keys as columns, in C order, or nullptr; so is MASK.
enum AttentionOperand { QUERY, KEY, COLUMNS, VALUE, MASK, ATTENTION_OPERANDS };

// Writes the results of a stack contiguously to `out`. `steps` has the distances of each array's
// matrices along the axes of the stack. A query that attends to nothing has zeros. Returns false if
// there is no memory.
bool attend(Dtype dtype, const Attention& shape, const char* const* arrays, int ndim,
            const ptrdiff_t* stack, const ptrdiff_t (*steps)[MAX_NDIM], char* out);

// Rotates the pairs of each row of a stack. Rows are contiguous, and those of `out` follow each
// other. `steps` has the distances of rows of the arrays: x, the cosines and the sines.
struct Rotation {
  ptrdiff_t pairs;
  bool interleaved;  // whether pairs are neighbours, or elements k and pairs + k
  const char* arrays[3];
  char* out;
};
void rotate_rows(Dtype dtype, const Rotation& p, int ndim, const ptrdiff_t* stack,
                 const ptrdiff_t (*steps)[MAX_NDIM]);

// Runs a kernel over a stack of small matrices. `first` describes the first; the others are `steps`
// bytes apart, and their results, of `out_step` bytes, are contiguous. Returns whether each has a
// result.
bool each_small_matrix(small_matrix_kernel kernel, const SmallMatrix& first, ptrdiff_t out_step,
                       int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                       const ptrdiff_t* b_steps);

}  // namespace corepy
