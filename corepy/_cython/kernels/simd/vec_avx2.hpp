// AVX2 with FMA and BMI2. Included by vec.hpp.
#pragma once

#include <immintrin.h>

namespace corepy {
inline namespace COREPY_TARGET {

// The first n lanes, of 4 or 8 bytes; the others are 0.
template <class T>
inline Vec<T> masked_load(const T* from, ptrdiff_t n) {
  using N = typename Vec<T>::native;
  const __m256i lanes = __m256i(Mask<T>::first(n).v);
  if constexpr (sizeof(T) == 8) {
    return N(_mm256_maskload_epi64(reinterpret_cast<const long long*>(from), lanes));
  } else {
    return N(_mm256_maskload_epi32(reinterpret_cast<const int*>(from), lanes));
  }
}

template <class T>
inline uint64_t bits(Mask<T> mask) {
  if constexpr (sizeof(T) == 8) {
    return unsigned(_mm256_movemask_pd(__m256d(mask.v)));
  } else if constexpr (sizeof(T) == 4) {
    return unsigned(_mm256_movemask_ps(__m256(mask.v)));
  } else if constexpr (sizeof(T) == 2) {
    return _pext_u32(unsigned(_mm256_movemask_epi8(__m256i(mask.v))), 0x55555555u);
  } else {
    return unsigned(_mm256_movemask_epi8(__m256i(mask.v)));
  }
}

template <class T>
inline bool any(Mask<T> mask) {
  return !_mm256_testz_si256(__m256i(mask.v), __m256i(mask.v));
}
template <class T>
inline bool all(Mask<T> mask) {
  return _mm256_testc_si256(__m256i(mask.v), _mm256_set1_epi8(-1));
}

template <class T>
inline void store_bools(Mask<T> mask, uint8_t* out) {
  if constexpr (sizeof(T) >= 4) {
    const uint64_t spread = _pdep_u64(bits(mask), 0x0101010101010101u);
    std::memcpy(out, &spread, Mask<T>::size);
  } else if constexpr (sizeof(T) == 2) {
    const __m256i v = __m256i(mask.v);
    const __m128i b = _mm_packs_epi16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_and_si128(b, _mm_set1_epi8(1)));
  } else {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_and_si256(__m256i(mask.v), _mm256_set1_epi8(1)));
  }
}

template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  if constexpr (std::is_same_v<T, float>) {
    return N(_mm256_blendv_ps(__m256(b.v), __m256(a.v), __m256(mask.v)));
  } else if constexpr (std::is_same_v<T, double>) {
    return N(_mm256_blendv_pd(__m256d(b.v), __m256d(a.v), __m256d(mask.v)));
  } else {
    return N(_mm256_blendv_epi8(__m256i(b.v), __m256i(a.v), __m256i(mask.v)));
  }
}

// Four masks at a time, halved in width until a lane is a byte. The halves of a register are packed
// separately, so their parts are put in order at the end.
template <class T>
inline void store_bools(const Mask<T> (&masks)[4], uint8_t* out) {
  const __m256i a = __m256i(masks[0].v), b = __m256i(masks[1].v);
  const __m256i c = __m256i(masks[2].v), d = __m256i(masks[3].v);
  if constexpr (sizeof(T) == 4) {
    const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out),
        _mm256_and_si256(_mm256_permutevar8x32_epi32(bytes, order), _mm256_set1_epi8(1)));
  } else if constexpr (sizeof(T) == 8) {
    // Words of 4 bytes, in each half of the register two of a, two of b.
    const __m256i ab = _mm256_castps_si256(_mm256_shuffle_ps(__m256(a), __m256(b), 0x88));
    const __m256i cd = _mm256_castps_si256(_mm256_shuffle_ps(__m256(c), __m256(d), 0x88));
    const __m256i words = _mm256_packs_epi32(ab, cd);
    const __m128i lower = _mm256_castsi256_si128(words);
    const __m128i upper = _mm256_extracti128_si256(words, 1);
    const __m128i bytes =
        _mm_packs_epi16(_mm_unpacklo_epi32(lower, upper), _mm_unpackhi_epi32(lower, upper));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_and_si128(bytes, _mm_set1_epi8(1)));
  } else {
    for (int k = 0; k < 4; k++) store_bools(masks[k], out + k * Mask<T>::size);
  }
}

inline Vec<int32_t> truncate(Vec<double> lower, Vec<double> upper) {
  return Vec<int32_t>::native(
      _mm256_inserti128_si256(_mm256_castsi128_si256(_mm256_cvttpd_epi32(__m256d(lower.v))),
                              _mm256_cvttpd_epi32(__m256d(upper.v)), 1));
}

COREPY_INTRINSIC_3(multiply_add, _mm256_fmadd)
COREPY_INTRINSIC_1(sqrt, _mm256_sqrt)
COREPY_INTRINSIC_2(min_of_numbers, _mm256_min)
COREPY_INTRINSIC_2(max_of_numbers, _mm256_max)
COREPY_ROUNDINGS(_mm256_round)

inline Vec<double> load_widened(const float* from) {
  return Vec<double>::native(_mm256_cvtps_pd(_mm_loadu_ps(from)));
}
inline Vec<double> load_widened(const Float16* from) {
  const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return Vec<double>::native(_mm256_cvtps_pd(_mm_cvtph_ps(halves)));
}
inline Vec<double> load_widened(const BFloat16* from) {
  const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  const __m128i words = _mm_slli_epi32(_mm_cvtepu16_epi32(halves), 16);
  return Vec<double>::native(_mm256_cvtps_pd(_mm_castsi128_ps(words)));
}
inline VecPair<Vec<double>> widen(Vec<float> a) {
  const __m256 v = __m256(a.v);
  return {Vec<double>::native(_mm256_cvtps_pd(_mm256_castps256_ps128(v))),
          Vec<double>::native(_mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)))};
}
inline Vec<float> narrow(Vec<double> lower, Vec<double> upper) {
  return Vec<float>::native(
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(__m256d(lower.v))),
                           _mm256_cvtpd_ps(__m256d(upper.v)), 1));
}

template <int unit, class T>
inline Vec<T> gather_scaled(const void* from, Vec<Signed_of<T>> index) {
  static_assert(sizeof(T) >= 4);
  using N = typename Vec<T>::native;
  const __m256i i = __m256i(index.v);
  if constexpr (sizeof(T) == 8) {
    return N(_mm256_i64gather_epi64(static_cast<const long long*>(from), i, unit));
  } else {
    return N(_mm256_i32gather_epi32(static_cast<const int*>(from), i, unit));
  }
}

// By tables of the next lane. (_pext_u64 computes the same from bits, but is slow on AMD's
// processors before Zen 3.)
template <class T>
constexpr bool HAS_COMPRESS = sizeof(T) >= 4;
template <int lanes>
struct CompressTable {
  alignas(64) uint8_t words[1 << lanes][8] = {};  // numbers of words of 4 bytes

  constexpr CompressTable() {
    constexpr int words_of_lane = 8 / lanes;
    for (int bits = 0; bits < 1 << lanes; bits++) {
      int next = 0;
      for (int lane = 0; lane < lanes; lane++) {
        if (!(bits >> lane & 1)) continue;
        for (int k = 0; k < words_of_lane; k++) {
          words[bits][next++] = uint8_t(lane * words_of_lane + k);
        }
      }
    }
  }
};
template <class T>
inline Vec<T> compress_lanes(Vec<T> a, uint64_t bits) {
  constexpr int lanes = int(Vec<T>::size);
  static constexpr CompressTable<lanes> table;
  const uint8_t* const words = table.words[bits & ((1 << lanes) - 1)];
  const __m256i order =
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(words)));
  return typename Vec<T>::native(_mm256_permutevar8x32_epi32(__m256i(a.v), order));
}

inline void stream(Vec<uint8_t> a, uint8_t* to) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), __m256i(a.v));
}

inline Vec<uint16_t> high_product(Vec<uint16_t> a, Vec<uint16_t> b) {
  return Vec<uint16_t>::native(_mm256_mulhi_epu16(__m256i(a.v), __m256i(b.v)));
}
inline Vec<uint64_t> product_of_halves(Vec<uint64_t> a, Vec<uint64_t> b) {
  return Vec<uint64_t>::native(_mm256_mul_epu32(__m256i(a.v), __m256i(b.v)));
}

inline Vec<float> lookup(const float (&table)[8], Vec<int32_t> index) {
  return Vec<float>::native(_mm256_permutevar8x32_ps(_mm256_loadu_ps(table), __m256i(index.v)));
}
inline Vec<float> lookup(const float (&table)[16], Vec<int32_t> index) {
  const __m256i i = __m256i(index.v);
  const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), i);
  const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), i);
  return Vec<float>::native(
      _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(i, 28))));
}

// Lanes 0, 2, 4, ... of two vectors, lanes 1, 3, 5, ..., and back. One instruction exchanges the
// halves of registers before (or after) a shuffle within them; compilers shuffle first, and the
// exchange then takes two instructions on AMD's processors.
struct LowAndHigh {
  __m256d low, high;
  LowAndHigh(__m256d a, __m256d b)
      : low(_mm256_permute2f128_pd(a, b, 0x20)), high(_mm256_permute2f128_pd(a, b, 0x31)) {}
};
template <bool odd, class T>
inline Vec<T> every_other_of_halves(Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  if constexpr (sizeof(T) == 8) {
    return N(_mm256_shuffle_pd((__m256d)a.v, (__m256d)b.v, odd ? 0xF : 0));
  } else {
    return N(_mm256_shuffle_ps((__m256)a.v, (__m256)b.v, odd ? 0xDD : 0x88));
  }
}
template <bool odd, class T>
inline Vec<T> every_other(Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  const LowAndHigh halves((__m256d)a.v, (__m256d)b.v);
  return every_other_of_halves<odd>(Vec<T>(N(halves.low)), Vec<T>(N(halves.high)));
}
// `unzip` and `zip` within the halves of registers, half of the instructions: `unzip_halves`
// permutes the pairs, and `zip_halves` restores their order.
template <class T>
inline VecPair<Vec<T>> unzip_halves(Vec<T> a, Vec<T> b) {
  return {every_other_of_halves<false>(a, b), every_other_of_halves<true>(a, b)};
}
template <class T>
inline VecPair<Vec<T>> zip_halves(Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  if constexpr (sizeof(T) == 8) {
    return {Vec<T>(N(_mm256_unpacklo_pd((__m256d)a.v, (__m256d)b.v))),
            Vec<T>(N(_mm256_unpackhi_pd((__m256d)a.v, (__m256d)b.v)))};
  } else {
    return {Vec<T>(N(_mm256_unpacklo_ps((__m256)a.v, (__m256)b.v))),
            Vec<T>(N(_mm256_unpackhi_ps((__m256)a.v, (__m256)b.v)))};
  }
}

template <class T>
inline VecPair<Vec<T>> zip_words(Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  const VecPair<Vec<T>> within = zip_halves(a, b);
  const LowAndHigh halves((__m256d)within.first.v, (__m256d)within.second.v);
  return {Vec<T>(N(halves.low)), Vec<T>(N(halves.high))};
}

// Words of 4 bytes of a, in the order of `index`.
inline Vec<uint32_t> permute_words(Vec<uint32_t> a, Vec<uint32_t> index) {
  return Vec<uint32_t>::native(_mm256_permutevar8x32_epi32(__m256i(a.v), __m256i(index.v)));
}

#define COREPY_EVERY_OTHER(T)                                                 \
  inline Vec<T> even(Vec<T> a, Vec<T> b) { return every_other<false>(a, b); } \
  inline Vec<T> odd(Vec<T> a, Vec<T> b) { return every_other<true>(a, b); }   \
  inline VecPair<Vec<T>> zip(Vec<T> a, Vec<T> b) { return zip_words(a, b); }
COREPY_EVERY_OTHER(float)
COREPY_EVERY_OTHER(double)
COREPY_EVERY_OTHER(uint32_t)
COREPY_EVERY_OTHER(uint64_t)
#undef COREPY_EVERY_OTHER

}  // namespace COREPY_TARGET
}  // namespace corepy
