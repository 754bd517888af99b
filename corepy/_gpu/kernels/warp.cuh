// Exchange of values between the threads of a warp. A warp is 32 consecutive threads, also where
// the hardware has warps of 64.
#pragma once

#include "types.cuh"

namespace corepy {

// Values are exchanged word by word.
template <class T>
struct Words {
  static_assert(sizeof(T) % 4 == 0, "values are whole words");
  using type = bits_of<Pack<uint8, sizeof(T) % 8 == 0 ? 8 : 4>>;
  static constexpr int COUNT = sizeof(T) / sizeof(type);
};

// The lane, in groups of `width`, from which a lane takes its value.
enum class From { lane, below, above };

template <From FROM, class T>
COREPY_DEVICE T shuffled(T value, int which, int width) {
  using Word = typename Words<T>::type;
  Word words[Words<T>::COUNT];
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (Word& word : words) {
#if defined(__HIPCC__)
    word = FROM == From::above   ? __shfl_down(word, which, width)
           : FROM == From::below ? __shfl_up(word, which, width)
                                 : __shfl(word, which, width);
#else
    word = FROM == From::above   ? __shfl_down_sync(~0u, word, which, width)
           : FROM == From::below ? __shfl_up_sync(~0u, word, which, width)
                                 : __shfl_sync(~0u, word, which, width);
#endif
  }
  memcpy(&value, words, sizeof(T));
  return value;
}

template <class T>
COREPY_DEVICE T shuffle_down(T value, int delta, int width = 32) {
  return shuffled<From::above>(value, delta, width);
}
template <class T>
COREPY_DEVICE T shuffle_up(T value, int delta) {
  return shuffled<From::below>(value, delta, 32);
}
template <class T>
COREPY_DEVICE T shuffle_from(T value, int lane) {
  return shuffled<From::lane>(value, lane, 32);
}

// Whether a condition is true in any lane of a warp.
COREPY_DEVICE bool any_of_warp(bool value) {
#if defined(__HIPCC__)
  const uint64 lanes = uint64(__ballot(value));  // of a wave of 32 or 64
  return uint32(lanes >> (threadIdx.x % warpSize / 32 * 32)) != 0;
#else
  return __ballot_sync(~0u, value) != 0;
#endif
}

// Makes a number in memory at least `value`, beside other threads.
COREPY_DEVICE void raise_to(long long* to, long long value) {
#if defined(__HIPCC__)  // whose older versions have no such atomicMax
  __hip_atomic_fetch_max(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
  atomicMax(to, value);
#endif
}

// The sum over a warp, in lane 0.
template <class T>
COREPY_DEVICE T sum_of_warp(T value) {
#pragma unroll
  for (int delta = 16; delta > 0; delta /= 2) value += shuffle_down(value, delta);
  return value;
}

}  // namespace corepy
