// The driver of scans. Nothing here throws or uses Python.
#pragma once

#include "table.hpp"

namespace corepy {

// Writes the cumulative sums or products of `in` (of dtype `input`) along `axis` into `out`, whose
// dtype is the table's. `out` and `in` do not overlap. The results depend neither on the number of
// threads nor on the instruction set.
void scan(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape, int axis,
          const char* in, const ptrdiff_t* in_strides, char* out, const ptrdiff_t* out_strides);

}  // namespace corepy
