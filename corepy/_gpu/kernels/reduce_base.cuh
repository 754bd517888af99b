// Functors of reductions, which accumulate the elements of a result.
//
//   type                     the type to which elements are cast;
//   Acc, start()             accumulators, and the accumulator of no elements;
//   take(acc, x, has, indices, center)   adds the packs of elements for which `has` is true;
//   merge(a, b)              merges accumulators of different elements, in any order;
//   finish(acc, divisor)     -> the result.
#pragma once

#include "floating.cuh"
#include "reduce_primitives.cuh"

namespace corepy {

// The indices of the first elements of packs, and the distance between indices in a pack.
template <int PACKS>
struct PackIndices {
  int64 first[PACKS];
  int64 stride;
};

struct Nothing {};

// The defaults of functors: no element decides the result early, the order of elements matters,
// elements are not centered, and bytes are taken one by one, not as words of four (`take_bytes`).
struct ReductionBase {
  using Center = Nothing;
  static constexpr bool CENTERED = false, STOPS_EARLY = false, EXACT = false, BYTES = false;

  // Declares the parts of `acc` that equal those of an accumulator of other elements with the same
  // indices, so that the compiler stores them once.
  template <class Acc>
  static COREPY_DEVICE void share(Acc&, const Acc&) {}
};

template <class T>
using sum_type = Select<is_complex<T>, complex128, Select<is_floating<T>, float64, uint64>>;

}  // namespace corepy
