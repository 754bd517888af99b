// Broadcasting of shapes, and of operands to a shape. Strides are in bytes.
#pragma once

#include <algorithm>
#include <cstddef>

namespace corepy {

// Broadcasts `shape`, of at most MAX_NDIM axes, with another shape; false where they do not fit.
// The shape of several operands is what comes of a shape without axes and each of theirs.
inline bool broadcast_shape(ptrdiff_t* ndim, ptrdiff_t* shape, ptrdiff_t other_ndim,
                            const ptrdiff_t* other) {
  if (other_ndim > *ndim) {
    std::copy_backward(shape, shape + *ndim, shape + other_ndim);
    std::fill_n(shape, other_ndim - *ndim, 1);
    *ndim = other_ndim;
  }
  ptrdiff_t* const last = shape + (*ndim - other_ndim);
  for (ptrdiff_t axis = 0; axis < other_ndim; axis++) {
    if (other[axis] == 1 || other[axis] == last[axis]) continue;
    if (last[axis] != 1) return false;
    last[axis] = other[axis];
  }
  return true;
}

// Writes the strides along the axes of a shape of an operand that is broadcast to it: 0 along those
// that the operand does not have, or has with size 1. False where it does not broadcast.
inline bool broadcast_strides(ptrdiff_t ndim, const ptrdiff_t* dims, const ptrdiff_t* strides,
                              ptrdiff_t shape_ndim, const ptrdiff_t* shape, ptrdiff_t* result) {
  const ptrdiff_t missing = shape_ndim - ndim;
  bool fits = missing >= 0;
  for (ptrdiff_t axis = 0; axis < shape_ndim; axis++) {
    const ptrdiff_t own = axis - missing;
    if (own < 0 || dims[own] == 1) {
      result[axis] = 0;
    } else {
      result[axis] = strides[own];
      fits &= dims[own] == shape[axis];
    }
  }
  return fits;
}

}  // namespace corepy
