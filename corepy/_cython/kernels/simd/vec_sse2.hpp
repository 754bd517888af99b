// SSE2, which every x86-64 processor has. Included by vec.hpp.
#pragma once

#include <emmintrin.h>

#include <limits>

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

// Integers of 8 bytes are compared by halves of 4: the lower ones decide by the borrow that their
// difference takes from the upper ones.
inline Mask<int64_t> less_signed(__m128i a, __m128i b) {
  const __m128i borrow = _mm_and_si128(_mm_cmpeq_epi32(a, b), _mm_sub_epi64(a, b));
  const __m128i upper = _mm_or_si128(_mm_cmpgt_epi32(b, a), borrow);
  return Vec<int64_t>::native(
      _mm_srai_epi32(_mm_shuffle_epi32(upper, _MM_SHUFFLE(3, 3, 1, 1)), 31));
}
inline Mask<int64_t> equal_words(__m128i a, __m128i b) {
  const __m128i halves = _mm_cmpeq_epi32(a, b);
  return Vec<int64_t>::native(
      _mm_and_si128(halves, _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1))));
}
#define COREPY_COMPARISONS(T, top)                                                              \
  inline Mask<T> operator<(Vec<T> a, Vec<T> b) {                                                \
    const __m128i flip = _mm_set1_epi64x(top);                                                  \
    return less_signed(_mm_xor_si128(__m128i(a.v), flip), _mm_xor_si128(__m128i(b.v), flip)).v; \
  }                                                                                             \
  inline Mask<T> operator>(Vec<T> a, Vec<T> b) { return b < a; }                                \
  inline Mask<T> operator<=(Vec<T> a, Vec<T> b) { return ~(b < a); }                            \
  inline Mask<T> operator>=(Vec<T> a, Vec<T> b) { return ~(a < b); }                            \
  inline Mask<T> operator==(Vec<T> a, Vec<T> b) {                                               \
    return equal_words(__m128i(a.v), __m128i(b.v)).v;                                           \
  }                                                                                             \
  inline Mask<T> operator!=(Vec<T> a, Vec<T> b) { return ~(a == b); }
COREPY_COMPARISONS(int64_t, 0)
COREPY_COMPARISONS(uint64_t, std::numeric_limits<int64_t>::min())
#undef COREPY_COMPARISONS

// Four masks at a time, halved in width until a lane is a byte.
template <class T>
inline void store_bools(const Mask<T> (&masks)[4], uint8_t* out) {
  const __m128i one = _mm_set1_epi8(1);
  const __m128i a = __m128i(masks[0].v), b = __m128i(masks[1].v);
  const __m128i c = __m128i(masks[2].v), d = __m128i(masks[3].v);
  __m128i* const to = reinterpret_cast<__m128i*>(out);
  if constexpr (sizeof(T) == 8) {
    const __m128i words = _mm_packs_epi32(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
    _mm_storel_epi64(to, _mm_and_si128(_mm_packs_epi16(words, words), one));
  } else if constexpr (sizeof(T) == 4) {
    const __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
    _mm_storeu_si128(to, _mm_and_si128(bytes, one));
  } else if constexpr (sizeof(T) == 2) {
    _mm_storeu_si128(to, _mm_and_si128(_mm_packs_epi16(a, b), one));
    _mm_storeu_si128(to + 1, _mm_and_si128(_mm_packs_epi16(c, d), one));
  } else {
    _mm_storeu_si128(to, _mm_and_si128(a, one));
    _mm_storeu_si128(to + 1, _mm_and_si128(b, one));
    _mm_storeu_si128(to + 2, _mm_and_si128(c, one));
    _mm_storeu_si128(to + 3, _mm_and_si128(d, one));
  }
}

inline Vec<int32_t> truncate(Vec<double> lower, Vec<double> upper) {
  return Vec<int32_t>::native(
      _mm_unpacklo_epi64(_mm_cvttpd_epi32(__m128d(lower.v)), _mm_cvttpd_epi32(__m128d(upper.v))));
}

inline void stream(Vec<uint8_t> a, uint8_t* to) {
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), __m128i(a.v));
}

inline Vec<uint16_t> high_product(Vec<uint16_t> a, Vec<uint16_t> b) {
  return Vec<uint16_t>::native(_mm_mulhi_epu16(__m128i(a.v), __m128i(b.v)));
}
inline Vec<uint64_t> product_of_halves(Vec<uint64_t> a, Vec<uint64_t> b) {
  return Vec<uint64_t>::native(_mm_mul_epu32(__m128i(a.v), __m128i(b.v)));
}

COREPY_INTRINSIC_1(sqrt, _mm_sqrt)
COREPY_INTRINSIC_2(min_of_numbers, _mm_min)
COREPY_INTRINSIC_2(max_of_numbers, _mm_max)

}  // namespace COREPY_TARGET
}  // namespace corepy
