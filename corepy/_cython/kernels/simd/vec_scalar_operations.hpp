// Operations of the level without SIMD where plain code is shorter than that of vec_portable.hpp.
// Included by vec.hpp.
#pragma once

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  return Vec<T>::native::of([&](int i) { return mask.v[i] ? a.v[i] : b.v[i]; });
}

#if defined(__x86_64__)
// Past the caches, by words.
inline void stream(Vec<uint8_t> a, uint8_t* to) {
  long long words[VECTOR_BYTES / 8];
  a.store(reinterpret_cast<uint8_t*>(words));
  for (int i = 0; i < VECTOR_BYTES / 8; i++) {
    _mm_stream_si64(reinterpret_cast<long long*>(to) + i, words[i]);
  }
}
#endif

}  // namespace COREPY_TARGET
}  // namespace corepy
