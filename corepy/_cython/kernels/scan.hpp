// The driver of scans. Nothing here throws or uses Python.
#pragma once

#include "table.hpp"

namespace corepy {

// Writes the scan of `in` (of dtype `input`) along `axis` into `out`: cumulative sums or products,
// whose dtype is the table's; or for maximum, minimum, bitwise_and, bitwise_or and bitwise_xor the
// result of all elements so far, of the same dtype. `out` and `in` do not overlap. The results
// depend neither on the number of threads nor on the instruction set.
void scan(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape, int axis,
          const char* in, const ptrdiff_t* in_strides, char* out, const ptrdiff_t* out_strides);

// Whether there is such a scan of elements of a dtype.
bool has_scan(Operation operation, Dtype input);

}  // namespace corepy
