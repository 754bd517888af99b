// Primitives of reductions and scans: offsets of elements, loads of packs, and exchange of
// accumulators between threads and blocks.
#pragma once

#include "operands.cuh"
#include "reduce_arguments.cuh"
#include "warp.cuh"

namespace corepy {

// Adds the offsets of element `number` of axes [begin, end). Not unrolled, to limit code size.
COREPY_DEVICE void add_offsets_at(const IterationAxis<2>* axes, int begin, int end, bool wide,
                                  int64 number, int64 (&offsets)[2]) {
  if (wide) {
    add_offsets<0>(axes, begin, end, number, offsets);
  } else {
    add_offsets<0>(axes, begin, end, uint32(number), offsets);
  }
}

// Loads COUNT consecutive elements. ALIGNED: as one aligned pack.
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

// The source of a reduction's elements: memory. fusion.cuh has the source of computed elements.
struct FromMemory {
  template <int AXES>
  using Arguments = ReduceArguments<AXES>;

  // COUNT consecutive elements, as `load_pack`.
  template <class T, int COUNT, bool ALIGNED, class Arguments>
  static COREPY_DEVICE Pack<T, COUNT> pack(const Arguments&, const char* at) {
    return load_pack<T, COUNT, ALIGNED>(at);
  }
};

// Loads an accumulator that another block has published, bypassing the multiprocessor's cache.
template <class Acc>
COREPY_DEVICE Acc load_published(const char* at) {
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

// Two halves of a word of 16 bytes. Each half is loaded and stored at once, the word not always.
struct Halves {
  uint64 first, second;
};
COREPY_DEVICE Halves load_halves(const void* at) {
  Halves halves;
#if defined(__CUDACC__) && !defined(__HIPCC__)
  asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];"
               : "=l"(halves.first), "=l"(halves.second)
               : "l"(at)
               : "memory");
#else
  halves.first = static_cast<const volatile uint64*>(at)[0];
  halves.second = static_cast<const volatile uint64*>(at)[1];
#endif
  return halves;
}
COREPY_DEVICE void store_halves(void* at, Halves halves) {
#if defined(__CUDACC__) && !defined(__HIPCC__)
  asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};"
               :
               : "l"(at), "l"(halves.first), "l"(halves.second)
               : "memory");
#else
  static_cast<volatile uint64*>(at)[0] = halves.first;
  static_cast<volatile uint64*>(at)[1] = halves.second;
#endif
}

// Merges the accumulators of GROUP consecutive threads of a warp as a tree; the first has the
// result.
template <class F, int GROUP>
COREPY_DEVICE typename F::Acc merge_warp(typename F::Acc acc) {
#pragma unroll
  for (int delta = GROUP / 2; delta > 0; delta /= 2) {
    acc = F::merge(acc, shuffle_down(acc, delta, GROUP));
  }
  return acc;
}

// Merges the accumulators of a block; the first thread has the result. All threads must call it.
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

// Whether this block is the last of `count` to write its accumulators; it may then read all of
// them. All threads must call it. The last block resets the counter to 0. One thread's fences order
// the accesses of the whole block, which barriers order with that thread.
COREPY_DEVICE bool is_last_block(unsigned* counter, int64 count) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(counter, 1u) == unsigned(count - 1);
    if (last) {
      *counter = 0;
      __threadfence();
    }
  }
  __syncthreads();
  return last;  // written again after the next call's first barrier
}

}  // namespace corepy
