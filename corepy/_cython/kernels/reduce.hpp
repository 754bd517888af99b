// The driver of reductions. Nothing here throws or uses Python.
#pragma once

#include "table.hpp"

namespace corepy {

enum ReduceStatus {
  REDUCE_DONE,
  REDUCE_NO_MEMORY,  // for the accumulators of threads
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
                    double correction);

// The same for n >= 1 contiguous elements that make one result: without the plan that few elements
// cannot pay for. Of so many the results are the same as reduce()'s.
constexpr ptrdiff_t REDUCE_FEW = 4096;
void reduce_few(Operation operation, Dtype input, ptrdiff_t n, const char* in, char* out,
                double correction);

}  // namespace corepy
