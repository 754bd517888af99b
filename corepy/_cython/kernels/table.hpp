// The kernel table: (operation, dtype) -> loop, and the casts between dtypes.
#pragma once

#include "operations.hpp"

namespace corepy {

// The inner loop. data[0] is the output, data[1...] the inputs; steps are in bytes, and may be 0 or
// negative. Elements are aligned to their component's size. The output is either one of the inputs
// exactly (same address, step and item size) or does not overlap any; its step is 0 only when n
// is 1.
//
//   unary, binary  n elements, one or two inputs of dtype `compute`.
//   where          data = output, condition (bool), x1, x2.
//   clip           data = output, x, lower, upper: minimum(maximum(x, lower), upper).
//
// Reductions and scans have kernels of another kind (kernels.hpp).
typedef void (*kernel)(ptrdiff_t n, char* const* data, const ptrdiff_t* steps);

struct Entry {
  int8_t compute;  // the Dtype of inputs after casts; -1: the operation does not take this dtype
  int8_t result;   // the Dtype of the output; -1 likewise
  int8_t stored;   // the Dtype that the loop writes: `result`, but for halves
  kernel loop;     // nullptr where `compute` is -1, and for reductions and scans
};

// `promoted` is the promoted dtype of the operands (for where: of x1 and x2).
const Entry& entry(Operation operation, Dtype promoted);

// A unary loop from elements of one dtype to another, with the meaning of NumPy's astype: complex
// to real drops the imaginary component, bool is whether the element is nonzero (NaN is), floats to
// integers truncate, and values out of range give x86-64's result on every machine. Defined for all
// pairs, from == to included.
kernel cast_kernel(Dtype from, Dtype to);

// Writes the start value of a reduction whose result has dtype `result`; false for those without
// one: those that choose an element (min, max, argmax, argmin), and var and std.
bool reduce_identity(Operation operation, Dtype result, char* out);

}  // namespace corepy
