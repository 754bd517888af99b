// The driver of reductions. Nothing here throws or uses Python.
#pragma once

#include "kernels.hpp"

namespace corepy {

// Elements that are computed when they are read: of contiguous arrays of one layout, at a virtual
// address `base`. `fill` writes elements [first, first + n) of each array to out[0], out[1], ...;
// it returns false if there is no memory. Several threads call it.
struct ElementSource {
  static constexpr int MAX_ARRAYS = 8;
  bool (*fill)(const void* context, ptrdiff_t first, ptrdiff_t n, char* const* out);
  const void* context;
  char* base;
  int arrays;
};

// Reduces `in` (of dtype `input`) over the axes marked in `reduced_axis` into `out` (of dtype
// `result`). out_strides has ndim entries; entries of reduced axes are ignored. `out` and `in` do
// not overlap. `correction` is for var and std. The result of halves is that of float32; unless
// reduces_halves() they are contiguous, can_be_widened(), and are reduced as float32.
//
// Layout and sizes alone determine the order in which elements are combined: results do not depend
// on the number of threads or the instruction set. False if there is no memory for the accumulators
// of threads.
bool reduce(Operation operation, Dtype input, Dtype result, int ndim, const ptrdiff_t* shape,
            const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
            const ptrdiff_t* out_strides, double correction, const ElementSource* source = nullptr);

// One of several reductions of arrays of one layout. `array` is the index among the source's.
struct JointReduction {
  Operation operation;
  Dtype input, result;
  const char* in;
  char* out;
  double correction;
  const ElementSource* source;
  int array;
};

// The same for up to MAX_JOINT_REDUCTIONS reductions in one pass, which computes elements of a
// source once. If there are several, all arrays have one item size, all results have one, axes of
// more than one element have strides other than 0, and none is argmax, argmin or prod.
constexpr int MAX_JOINT_REDUCTIONS = 8;
bool reduce_jointly(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                    const ptrdiff_t* in_strides, const bool* reduced_axis,
                    const ptrdiff_t* out_strides);

// Whether a source can compute the elements of such reductions: they have contiguous runs.
bool can_be_computed(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                     const ptrdiff_t* in_strides, const bool* reduced_axis,
                     const ptrdiff_t* out_strides);

// Whether there are loops for halves. They add the same numbers as those for float32.
bool reduces_halves(Operation operation, Dtype half);

// Whether reduce() takes contiguous halves; others are cast to float32 before.
bool can_be_widened(Operation operation, Dtype half, int ndim, const ptrdiff_t* shape,
                    const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis,
                    const ptrdiff_t* out_strides);

// Reduces tile.kept rows of tile.n elements, up to LONGEST_ROW bytes each, to the same results as
// reduce() for a matrix of such rows. `out_step` and `itemsize`, of results, are in bytes. `alone`:
// the matrix has one row.
constexpr ptrdiff_t LONGEST_ROW = 1 << 15;
void reduce_row_tile(Operation operation, Dtype input, const Tile& tile, char* out,
                     ptrdiff_t out_step, ptrdiff_t itemsize, double correction, bool alone);

// The same for n >= 1 contiguous elements and one result, without a plan. For up to REDUCE_FEW
// elements the results are the same as reduce()'s.
constexpr ptrdiff_t REDUCE_FEW = 4096;
void reduce_few(Operation operation, Dtype input, ptrdiff_t n, const char* in, char* out,
                double correction);

}  // namespace corepy
