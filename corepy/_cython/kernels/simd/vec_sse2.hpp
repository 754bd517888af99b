// SSE2, which every x86-64 processor has. Included by vec.hpp.
#pragma once

#include <emmintrin.h>

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline uint64_t bits(Mask<T> mask) {
  if constexpr (sizeof(T) == 8) {
    return unsigned(_mm_movemask_pd(__m128d(mask.v)));
  } else if constexpr (sizeof(T) == 4) {
    return unsigned(_mm_movemask_ps(__m128(mask.v)));
  } else if constexpr (sizeof(T) == 2) {
    return unsigned(_mm_movemask_epi8(_mm_packs_epi16(__m128i(mask.v), _mm_setzero_si128())));
  } else {
    return unsigned(_mm_movemask_epi8(__m128i(mask.v)));
  }
}

inline Vec<float> sqrt(Vec<float> a) { return Vec<float>::native(_mm_sqrt_ps(__m128(a.v))); }
inline Vec<double> sqrt(Vec<double> a) { return Vec<double>::native(_mm_sqrt_pd(__m128d(a.v))); }
inline Vec<float> min_of_numbers(Vec<float> a, Vec<float> b) {
  return Vec<float>::native(_mm_min_ps(__m128(a.v), __m128(b.v)));
}
inline Vec<double> min_of_numbers(Vec<double> a, Vec<double> b) {
  return Vec<double>::native(_mm_min_pd(__m128d(a.v), __m128d(b.v)));
}
inline Vec<float> max_of_numbers(Vec<float> a, Vec<float> b) {
  return Vec<float>::native(_mm_max_ps(__m128(a.v), __m128(b.v)));
}
inline Vec<double> max_of_numbers(Vec<double> a, Vec<double> b) {
  return Vec<double>::native(_mm_max_pd(__m128d(a.v), __m128d(b.v)));
}

}  // namespace COREPY_TARGET
}  // namespace corepy
