// The driver of reductions. Nothing here throws or uses Python.
#pragma once

#include "kernels.hpp"

namespace corepy {

// Elements that are computed when they are read: those of arrays of one layout, without gaps, that
// begin at `base`, where there is no memory. `fill` writes n elements of each array, from the
// first-th on, to out[0], out[1], ..., and returns false when there is no memory. It is called by
// several threads.
struct ElementSource {
  static constexpr int MAX_ARRAYS = 8;
  bool (*fill)(const void* context, ptrdiff_t first, ptrdiff_t n, char* const* out);
  const void* context;
  char* base;
  int arrays;
};

enum ReduceStatus {
  REDUCE_DONE,
  REDUCE_NO_MEMORY,  // for the accumulators of threads
  REDUCE_NO_RUNS,    // of contiguous elements that a source could fill: nothing is done
};

// Reduces `in` (of dtype `input`) over the axes marked in `reduced_axis` into `out` (of dtype
// `result`), writing every element: out_strides has ndim entries, those of reduced axes are
// ignored. `out` and `in` do not overlap. `correction` is that of var and std.
//
// Which elements are combined when is decided by layout and sizes alone: neither the number of
// threads nor the instruction set changes a bit of the result.
ReduceStatus reduce(Operation operation, Dtype input, Dtype result, int ndim,
                    const ptrdiff_t* shape, const char* in, const ptrdiff_t* in_strides,
                    const bool* reduced_axis, char* out, const ptrdiff_t* out_strides,
                    double correction, const ElementSource* source = nullptr);

// One of several reductions of arrays of one layout. `array` is the number of its source's.
struct JointReduction {
  Operation operation;
  Dtype input, result;
  const char* in;
  char* out;
  double correction;
  const ElementSource* source;
  int array;
};

// The same for up to MAX_JOINT_REDUCTIONS reductions, which read their arrays part by part at the
// same time, and compute what they read of a source once. Items of all arrays have one size, and so
// have those of all results; axes of more than one element have strides other than 0. Not for
// argmax, argmin and prod.
constexpr int MAX_JOINT_REDUCTIONS = 8;
ReduceStatus reduce_jointly(int count, const JointReduction* reductions, int ndim,
                            const ptrdiff_t* shape, const ptrdiff_t* in_strides,
                            const bool* reduced_axis, const ptrdiff_t* out_strides);

// Reduces tile.kept rows of tile.n elements, of as many bytes as a row may have that is reduced at
// once: results are those of reduce() for a matrix of such rows. `out_step` and
// `itemsize`, of a result, are in bytes; `alone` says that the matrix has this row only.
constexpr ptrdiff_t LONGEST_ROW = 1 << 15;
void reduce_row_tile(Operation operation, Dtype input, const Tile& tile, char* out,
                     ptrdiff_t out_step, ptrdiff_t itemsize, double correction, bool alone);

// The same for n >= 1 contiguous elements that make one result: without the plan that few elements
// cannot pay for. Of so many the results are the same as reduce()'s.
constexpr ptrdiff_t REDUCE_FEW = 4096;
void reduce_few(Operation operation, Dtype input, ptrdiff_t n, const char* in, char* out,
                double correction);

}  // namespace corepy
