// Reductions of few elements, and declarations shared with reduce.cpp.
#pragma once

#include <limits>

#include "kernels.hpp"

namespace corepy {

constexpr ptrdiff_t ACCUMULATOR = 16;  // bytes of the largest accumulator

inline bool is_moment(Operation operation) { return operation == OP_var || operation == OP_std; }

// The divisor of the sum of n terms.
inline double divisor_of(Operation operation, ptrdiff_t n, double correction) {
  if (operation == OP_mean) return double(n);
  const double left = double(n) - correction;
  return left > 0 ? left : std::numeric_limits<double>::quiet_NaN();
}

// Reduces one axis of a small matrix in C order, which is one tile of reduce(), without its
// planning. False for other layouts.
bool reduce_small(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape,
                  const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
                  const ptrdiff_t* out_strides, double correction);

}  // namespace corepy
