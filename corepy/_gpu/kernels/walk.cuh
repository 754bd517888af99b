// Walks over axes: from the number of an element to its place in each operand.
#pragma once

#include "movement_arguments.cuh"
#include "operands.cuh"

namespace corepy {

// Writes the offsets of element i. WIDE: there are 2^31 elements or more.
template <bool WIDE, int RANK, int OPERANDS>
COREPY_DEVICE void find_places(const Walk<RANK, OPERANDS>& walk, int64 i,
                               int64 (&offsets)[OPERANDS]) {
  using Number = number_of<WIDE>;
  constexpr bool SHORT = has_all_axes<RANK>;  // no loop, but conditions
#pragma unroll
  for (int k = 0; k < OPERANDS; k++) offsets[k] = 0;
  Number left = Number(i);
#pragma unroll(SHORT ? RANK : 1)
  for (int axis = (SHORT ? RANK : walk.rank) - 1; axis > 0; axis--) {
    if (SHORT && axis >= walk.rank) continue;
    const Number above = quotient_of(left, walk.sizes[axis], walk.divisors[axis]);
    const Number position = left - above * Number(walk.sizes[axis]);
    left = above;
#pragma unroll
    for (int k = 0; k < OPERANDS; k++) offsets[k] += int64(position) * walk.steps[k][axis];
  }
  // Nothing is above the outermost axis.
#pragma unroll
  for (int k = 0; k < OPERANDS; k++) offsets[k] += int64(left) * walk.steps[k][0];
}

// Sums over a warp; lane 0 has the result.
template <class T>
COREPY_DEVICE T sum_of_warp(T value) {
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(~0u, value, delta);
  return value;
}

// Elements that are moved as they are, by their size in bytes.
template <int BYTES>
struct UnitOf : UnsignedOf<BYTES> {};
template <>
struct UnitOf<16> {
  using type = Pack<uint64, 2>;
};
template <int BYTES>
using unit = typename UnitOf<BYTES>::type;

}  // namespace corepy
