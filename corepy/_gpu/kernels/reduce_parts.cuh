// What reductions and scans are made of: ways through layouts, and accumulators that threads and
// blocks show each other.
#pragma once

#include "operands.cuh"
#include "reduce_arguments.cuh"
#include "warp.cuh"

namespace corepy {

// Adds up where place `number` on the axes from `begin` to `end` is. There is a loop, as so much of
// a reduction's code is unrolled already.
COREPY_DEVICE void walk(const WalkAxis<2>* axes, int begin, int end, bool wide, int64 number,
                        int64 (&offsets)[2]) {
  if (wide) {
    add_offsets<0>(axes, begin, end, number, offsets);
  } else {
    add_offsets<0>(axes, begin, end, uint32(number), offsets);
  }
}

// COUNT elements next to each other. ALIGNED: at a multiple of their bytes.
template <class T, int COUNT, bool ALIGNED>
COREPY_DEVICE Pack<T, COUNT> load_pack(const char* at) {
  if constexpr (ALIGNED) {
    return *reinterpret_cast<const Pack<T, COUNT>*>(at);
  } else {
    Pack<T, COUNT> pack;
#pragma unroll
    for (int i = 0; i < COUNT; i++) pack.values[i] = reinterpret_cast<const stored<T>*>(at)[i];
    return pack;
  }
}

// An element of a pack.
template <class T>
COREPY_DEVICE T loaded(stored<T> value) {
  if constexpr (is_bool<T>) {
    return value != 0;
  } else {
    return value;
  }
}

// What another block wrote before it said so: not from this processor's own cache.
template <class Acc>
COREPY_DEVICE Acc load_shown(const char* at) {
  static_assert(sizeof(Acc) <= LARGEST_ACCUMULATOR, "memory is allocated for so many");
  using Word = typename Words<Acc>::type;
  Word words[Words<Acc>::COUNT];
#pragma unroll
  for (int i = 0; i < Words<Acc>::COUNT; i++) {
    words[i] = reinterpret_cast<const volatile Word*>(at)[i];
  }
  Acc value;
  memcpy(&value, words, sizeof(Acc));
  return value;
}

// The accumulators of GROUP threads next to each other, a part of a warp, merged as a tree: in the
// first of them.
template <class F, int GROUP>
COREPY_DEVICE typename F::Acc merge_warp(typename F::Acc acc) {
#pragma unroll
  for (int delta = GROUP / 2; delta > 0; delta /= 2) {
    acc = F::merge(acc, shuffle_down(acc, delta, GROUP));
  }
  return acc;
}

// The accumulators of a block, in its first thread. Every thread takes part.
template <class F, int THREADS>
COREPY_DEVICE typename F::Acc merge_block(typename F::Acc acc) {
  __shared__ typename F::Acc warps[THREADS / 32];
  acc = merge_warp<F, 32>(acc);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = acc;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int i = 1; i < THREADS / 32; i++) acc = F::merge(acc, warps[i]);
  }
  __syncthreads();
  return acc;
}

// Whether this block is the last of `count` that come here with their accumulators written, which
// it can read from then on. Every thread takes part. The counter is 0 again afterwards.
COREPY_DEVICE bool comes_last(unsigned* counter, int64 count) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(counter, 1u) == unsigned(count - 1);
    if (last) *counter = 0;
  }
  __syncthreads();
  const bool result = last;
  __threadfence();
  __syncthreads();
  return result;
}

}  // namespace corepy
