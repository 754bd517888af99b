// Offsets in each operand, and types of elements by size, for kernels that move elements.
#pragma once

#include "movement_arguments.cuh"
#include "operands.cuh"
#include "warp.cuh"

namespace corepy {

// Computes the offsets of element i. WIDE: there are 2^31 elements or more.
template <bool WIDE, int NDIM, int OPERANDS>
COREPY_DEVICE void find_offsets(const IterationSpace<NDIM, OPERANDS>& space, int64 i,
                                int64 (&offsets)[OPERANDS]) {
#pragma unroll
  for (int k = 0; k < OPERANDS; k++) offsets[k] = 0;
  constexpr int UNROLLED = has_all_axes<NDIM> ? NDIM : 0;
  add_offsets<UNROLLED>(space.axes, 0, space.ndim, number_of<WIDE>(i), offsets);
}

// A type for elements that are copied as they are, by their size in bytes.
template <int BYTES>
struct UnitOf : UnsignedOf<BYTES> {};
template <>
struct UnitOf<16> {
  using type = Pack<uint64, 2>;
};
template <int BYTES>
using unit = typename UnitOf<BYTES>::type;

}  // namespace corepy
