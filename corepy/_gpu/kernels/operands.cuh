// The base of kernels; offsets of elements from linear indices, in 32 bits for less than 2^31
// elements; inputs of one element.
#pragma once

#include "arguments.cuh"
#include "types.cuh"

namespace corepy {

struct KernelBase {
  static constexpr int THREADS = corepy::THREADS;
  static constexpr bool HAS_BARRIERS = false;  // whether threads of a block wait for each other
  // The number of resident blocks of a multiprocessor, for which the compiler limits registers; 0:
  // no limit.
  static constexpr int RESIDENT = 0;

  // A thread's first element, of `items` elements of each thread of a block, and the distance to
  // the same elements of the next iteration.
  static COREPY_DEVICE int64 first_element(int items = 1) {
    return int64(blockIdx.x) * (THREADS * items) + threadIdx.x;
  }
  static COREPY_DEVICE int64 grid_stride(int items = 1) {
    return int64(gridDim.x) * (THREADS * items);
  }
};

// WIDE: there are 2^31 elements or more.
template <bool WIDE>
using number_of = Select<WIDE, int64, uint32>;

COREPY_DEVICE int64 quotient_of(int64 number, int64 size, Divisor) { return number / size; }
COREPY_DEVICE uint32 quotient_of(uint32 number, int64, Divisor divisor) {
  return (__umulhi(number, divisor.multiplier) + number) >> divisor.shift;
}

// Returns the index along an axis of a linear index; `left` is set to the linear index of the outer
// axes.
template <class Number>
COREPY_DEVICE Number split_index(Number& left, int64 size, Divisor divisor) {
  const Number above = quotient_of(left, size, divisor);
  const Number position = left - above * Number(size);
  left = above;
  return position;
}

// Adds the offsets of element `number` of axes [begin, end). UNROLLED: the number of axes that the
// loop is unrolled for, or 0.
template <int UNROLLED, class Number, int OPERANDS>
COREPY_DEVICE void add_offsets(const IterationAxis<OPERANDS>* axes, int begin, int end,
                               Number number, int64 (&offsets)[OPERANDS]) {
#pragma unroll(UNROLLED > 0 ? UNROLLED : 1)
  for (int i = (UNROLLED > 0 ? UNROLLED : end) - 1; i > begin; i--) {
    if (UNROLLED > 0 && i >= end) continue;
    const Number position = split_index(number, axes[i].size, axes[i].divisor);
#pragma unroll
    for (int k = 0; k < OPERANDS; k++) offsets[k] += int64(position) * axes[i].strides[k];
  }
  // The outermost axis needs no division.
#pragma unroll
  for (int k = 0; k < OPERANDS; k++) offsets[k] += int64(number) * axes[begin].strides[k];
}

COREPY_DEVICE int64 difference_of(int64 a, int64 b) { return a - b; }
COREPY_DEVICE int32 difference_of(uint32 a, uint32 b) { return int32(a - b); }

// The element of an input of one element, at `at` if it has an address. Elements in memory and in
// records are loaded separately: NVRTC 12.0 cannot compile a choice of the address.
template <class T>
COREPY_DEVICE T element_at(const Input& input, const char* at) {
  if (input.data) return load<T>(at);
  return load<T>(input.scalar);
}

}  // namespace corepy
