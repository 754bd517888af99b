// AVX-512 (F, BW, CD, DQ, VL): mask registers have one bit per lane. Included by vec.hpp.
#pragma once

#include <immintrin.h>

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
struct Mask {
  static constexpr ptrdiff_t size = Vec<T>::size;
  using word =
      std::conditional_t<size == 64, __mmask64,
                         std::conditional_t<size == 32, __mmask32,
                                            std::conditional_t<size == 16, __mmask16, __mmask8>>>;
  word v;

  Mask() = default;
  Mask(word v) : v(v) {}

  static Mask from_bits(uint64_t bits) { return word(bits); }
  static Mask first(ptrdiff_t n) { return word(_bzhi_u64(~uint64_t(0), unsigned(n))); }

  static Mask from_bools(const uint8_t* bools) {
    if constexpr (size == 64) {
      const __m512i b = _mm512_loadu_si512(bools);
      return _mm512_test_epi8_mask(b, b);
    } else if constexpr (size == 32) {
      const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bools));
      return _mm256_test_epi8_mask(b, b);
    } else if constexpr (size == 16) {
      const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bools));
      return _mm_test_epi8_mask(b, b);
    } else {
      const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bools));
      return word(_mm_test_epi8_mask(b, b));
    }
  }
  static Mask from_bools_first(const uint8_t* bools, ptrdiff_t n) {
    const __m512i b = _mm512_maskz_loadu_epi8(_bzhi_u64(~uint64_t(0), unsigned(n)), bools);
    return word(_mm512_test_epi8_mask(b, b));
  }
};

// Returns, as an R, the result of the intrinsic whose name begins with `intrinsic` and ends with
// the size of T's elements in bits, and `suffix`.
#define COREPY_RETURN_SIZED(T, R, intrinsic, suffix, ...) \
  if constexpr (sizeof(T) == 1) {                         \
    return R(intrinsic##8##suffix(__VA_ARGS__));          \
  } else if constexpr (sizeof(T) == 2) {                  \
    return R(intrinsic##16##suffix(__VA_ARGS__));         \
  } else if constexpr (sizeof(T) == 4) {                  \
    return R(intrinsic##32##suffix(__VA_ARGS__));         \
  } else {                                                \
    return R(intrinsic##64##suffix(__VA_ARGS__));         \
  }

// Comparisons: `predicate` is one of _MM_CMPINT_* for integers, _CMP_*_Q for floats.
template <int predicate, class T>
inline Mask<T> compare(Vec<T> a, Vec<T> b) {
  using W = typename Mask<T>::word;
  const __m512i x = __m512i(a.v), y = __m512i(b.v);
  if constexpr (std::is_same_v<T, float>) {
    return W(_mm512_cmp_ps_mask(a.v, b.v, predicate));
  } else if constexpr (std::is_same_v<T, double>) {
    return W(_mm512_cmp_pd_mask(a.v, b.v, predicate));
  } else if constexpr (std::is_signed_v<T>) {
    COREPY_RETURN_SIZED(T, W, _mm512_cmp_epi, _mask, x, y, predicate)
  } else {
    COREPY_RETURN_SIZED(T, W, _mm512_cmp_epu, _mask, x, y, predicate)
  }
}

#define COREPY_COMPARISON(symbol, of_floats, of_integers)                                    \
  template <class T>                                                                         \
  inline Mask<T> operator symbol(Vec<T> a, Vec<T> b) {                                       \
    return compare<(std::is_floating_point_v<T> ? int(of_floats) : int(of_integers))>(a, b); \
  }
COREPY_COMPARISON(==, _CMP_EQ_OQ, _MM_CMPINT_EQ)
COREPY_COMPARISON(!=, _CMP_NEQ_UQ, _MM_CMPINT_NE)
COREPY_COMPARISON(<, _CMP_LT_OQ, _MM_CMPINT_LT)
COREPY_COMPARISON(<=, _CMP_LE_OQ, _MM_CMPINT_LE)
COREPY_COMPARISON(>, _CMP_GT_OQ, _MM_CMPINT_NLE)
COREPY_COMPARISON(>=, _CMP_GE_OQ, _MM_CMPINT_NLT)
#undef COREPY_COMPARISON

template <class T>
inline Mask<T> unordered(Vec<T> a, Vec<T> b) {
  if constexpr (std::is_floating_point_v<T>) {
    return compare<_CMP_UNORD_Q>(a, b);
  } else {
    return Mask<T>::first(0);
  }
}

template <class T>
inline uint64_t bits(Mask<T> mask) {
  return mask.v;
}
template <class T>
inline bool any(Mask<T> mask) {
  return mask.v != 0;
}
template <class T>
inline bool all(Mask<T> mask) {
  return mask.v == typename Mask<T>::word(~uint64_t(0));
}

template <class T>
inline void store_bools(Mask<T> mask, uint8_t* out) {
  if constexpr (Mask<T>::size == 64) {
    _mm512_storeu_si512(out, _mm512_maskz_set1_epi8(mask.v, 1));
  } else if constexpr (Mask<T>::size == 32) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_maskz_set1_epi8(mask.v, 1));
  } else if constexpr (Mask<T>::size == 16) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_maskz_set1_epi8(mask.v, 1));
  } else {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_maskz_set1_epi8(mask.v, 1));
  }
}
// Four masks at once: joined in general registers, they are one store instead of four. Instructions
// on masks would compete with comparisons for one port.
template <class T>
inline void store_bools(const Mask<T> (&masks)[4], uint8_t* out) {
  constexpr int size = Mask<T>::size;
  if constexpr (size == 8) {
    const uint32_t joined = uint32_t(masks[0].v) | uint32_t(masks[1].v) << 8 |
                            uint32_t(masks[2].v) << 16 | uint32_t(masks[3].v) << 24;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_maskz_mov_epi8(joined, _mm256_set1_epi8(1)));
  } else if constexpr (size == 16) {
    const uint64_t joined = uint64_t(masks[0].v) | uint64_t(masks[1].v) << 16 |
                            uint64_t(masks[2].v) << 32 | uint64_t(masks[3].v) << 48;
    _mm512_storeu_si512(out, _mm512_maskz_mov_epi8(joined, _mm512_set1_epi8(1)));
  } else {
    for (int k = 0; k < 4; k++) store_bools(masks[k], out + k * size);
  }
}
template <class T>
inline void store_bools_first(Mask<T> mask, uint8_t* out, ptrdiff_t n) {
  _mm512_mask_storeu_epi8(out, _bzhi_u64(~uint64_t(0), unsigned(n)),
                          _mm512_maskz_set1_epi8(mask.v, 1));
}

template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  using N = typename Vec<T>::native;
  if constexpr (std::is_same_v<T, float>) {
    return N(_mm512_mask_blend_ps(mask.v, b.v, a.v));
  } else if constexpr (std::is_same_v<T, double>) {
    return N(_mm512_mask_blend_pd(mask.v, b.v, a.v));
  } else {
    COREPY_RETURN_SIZED(T, N, _mm512_mask_blend_epi, , mask.v, __m512i(b.v), __m512i(a.v))
  }
}

constexpr bool HAS_MASKED_STORE = true;
template <class T>
inline void store_masked(Vec<T> a, Mask<T> mask, T* to) {
  COREPY_RETURN_SIZED(T, void, _mm512_mask_storeu_epi, , to, mask.v, __m512i(a.v))
}

template <class T>
inline Vec<T> Vec<T>::load_first(const T* from, ptrdiff_t n) {
  COREPY_RETURN_SIZED(T, native, _mm512_maskz_loadu_epi, , Mask<T>::first(n).v, from)
}
template <class T>
inline void Vec<T>::store_first(T* to, ptrdiff_t n) const {
  store_masked(*this, Mask<T>::first(n), to);
}

// ---- operations with an instruction

COREPY_INTRINSIC_3(multiply_add, _mm512_fmadd)
COREPY_INTRINSIC_1(sqrt, _mm512_sqrt)
COREPY_INTRINSIC_2(min_of_numbers, _mm512_min)
COREPY_INTRINSIC_2(max_of_numbers, _mm512_max)
COREPY_ROUNDINGS(_mm512_roundscale)

// 1 / sqrt(a) and 1 / a with a relative error below 2^-14.
constexpr bool ESTIMATES = true;
COREPY_INTRINSIC_1(reciprocal_sqrt_estimate, _mm512_rsqrt14)
COREPY_INTRINSIC_1(reciprocal_estimate, _mm512_rcp14)

inline Vec<int32_t> truncate(Vec<double> lower, Vec<double> upper) {
  return Vec<int32_t>::native(
      _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvttpd_epi32(__m512d(lower.v))),
                         _mm512_cvttpd_epi32(__m512d(upper.v)), 1));
}

inline Vec<double> load_widened(const float* from) {
  return Vec<double>::native(_mm512_cvtps_pd(_mm256_loadu_ps(from)));
}
inline Vec<double> load_widened(const Float16* from) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return Vec<double>::native(_mm512_cvtps_pd(_mm256_cvtph_ps(halves)));
}
inline Vec<double> load_widened(const BFloat16* from) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m256i words = _mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16);
  return Vec<double>::native(_mm512_cvtps_pd(_mm256_castsi256_ps(words)));
}
inline VecPair<Vec<double>> widen(Vec<float> a) {
  const __m512 v = __m512(a.v);
  return {Vec<double>::native(_mm512_cvtps_pd(_mm512_castps512_ps256(v))),
          Vec<double>::native(_mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1)))};
}
inline Vec<float> narrow(Vec<double> lower, Vec<double> upper) {
  return Vec<float>::native(
      _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(__m512d(lower.v))),
                         _mm512_cvtpd_ps(__m512d(upper.v)), 1));
}

// A gather takes less time than single loads.
constexpr bool FAST_GATHER = true;
template <int unit, class T>
inline Vec<T> gather_scaled(const void* from, Vec<Signed_of<T>> index) {
  static_assert(sizeof(T) >= 4);
  using N = typename Vec<T>::native;
  if constexpr (sizeof(T) == 8) {
    return N(_mm512_i64gather_epi64(__m512i(index.v), from, unit));
  } else {
    return N(_mm512_i32gather_epi32(__m512i(index.v), from, unit));
  }
}
template <int unit, class T>
inline Vec<T> gather_first_scaled(const void* from, Vec<int64_t> index) {
  static_assert(sizeof(T) == 4);
  const __m256i found = _mm512_i64gather_epi32(__m512i(index.v), from, unit);
  return typename Vec<T>::native(_mm512_castsi256_si512(found));
}

// ---- lanes selected by a mask

// Elements of 1 and 2 bytes are compressed as 4, because AVX-512 has no narrower ones in its
// first version.
template <class T>
constexpr bool HAS_COMPRESS = true;
template <class T>
constexpr bool HAS_EXPAND = sizeof(T) >= 4;
template <class T>
inline Vec<T> compress_lanes(Vec<T> a, uint64_t bits) {
  using N = typename Vec<T>::native;
  if constexpr (sizeof(T) == 8) {
    return N(_mm512_maskz_compress_epi64(__mmask8(bits), __m512i(a.v)));
  } else {
    return N(_mm512_maskz_compress_epi32(__mmask16(bits), __m512i(a.v)));
  }
}
template <class T>
inline Vec<T> expand_lanes(Vec<T> a, uint64_t bits) {
  using N = typename Vec<T>::native;
  if constexpr (sizeof(T) == 8) {
    return N(_mm512_maskz_expand_epi64(__mmask8(bits), __m512i(a.v)));
  } else {
    return N(_mm512_maskz_expand_epi32(__mmask16(bits), __m512i(a.v)));
  }
}
// 16 elements.
inline void compress_narrow(const uint8_t* from, uint64_t bits, uint8_t* to) {
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m512i packed = _mm512_maskz_compress_epi32(__mmask16(bits), _mm512_cvtepu8_epi32(v));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(packed));
}
inline void compress_narrow(const uint16_t* from, uint64_t bits, uint16_t* to) {
  const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const __m512i packed = _mm512_maskz_compress_epi32(__mmask16(bits), _mm512_cvtepu16_epi32(v));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(packed));
}

// Words of 4 bytes of a, in the order of `index`.
inline Vec<uint32_t> permute_words(Vec<uint32_t> a, Vec<uint32_t> index) {
  return Vec<uint32_t>::native(_mm512_permutexvar_epi32(__m512i(index.v), __m512i(a.v)));
}

// lanes[index] where the mask is set, `others` elsewhere.
template <class T>
inline Vec<T> permute(Vec<T> others, Mask<T> mask, Vec<T> index, Vec<T> lanes) {
  static_assert(sizeof(T) > 1);
  const __m512i of_others = __m512i(others.v), i = __m512i(index.v), from = __m512i(lanes.v);
  if constexpr (sizeof(T) == 2) {
    return typename Vec<T>::native(_mm512_mask_permutexvar_epi16(of_others, mask.v, i, from));
  } else if constexpr (sizeof(T) == 4) {
    return typename Vec<T>::native(_mm512_mask_permutexvar_epi32(of_others, mask.v, i, from));
  } else {
    return typename Vec<T>::native(_mm512_mask_permutexvar_epi64(of_others, mask.v, i, from));
  }
}

// ---- memory past the caches, and the end of vector code

inline void stream(Vec<uint8_t> a, uint8_t* to) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), __m512i(a.v));
}

// ---- products of integers

inline Vec<uint16_t> high_product(Vec<uint16_t> a, Vec<uint16_t> b) {
  return Vec<uint16_t>::native(_mm512_mulhi_epu16(__m512i(a.v), __m512i(b.v)));
}
inline Vec<uint64_t> product_of_halves(Vec<uint64_t> a, Vec<uint64_t> b) {
  return Vec<uint64_t>::native(_mm512_mul_epu32(__m512i(a.v), __m512i(b.v)));
}

// -a * b + c, rounded once.
inline Vec<double> negated_multiply_add(Vec<double> a, Vec<double> b, Vec<double> c) {
  return Vec<double>::native(_mm512_fnmadd_pd(__m512d(a.v), __m512d(b.v), __m512d(c.v)));
}
// The larger of |a| and |b|; a NaN only if both are.
inline Vec<double> larger_magnitude(Vec<double> a, Vec<double> b) {
  return Vec<double>::native(_mm512_range_pd(__m512d(a.v), __m512d(b.v), 0b1011));
}

COREPY_INTRINSIC_2(scale, _mm512_scalef)

// 0, infinity and NaN have no finite e, negative numbers a NaN for m.
constexpr bool SPLITS_ANY = true;
inline VecPair<Vec<float>> split_binade(Vec<float> a) {
  const __m512 v = __m512(a.v);
  return {Vec<float>::native(_mm512_getmant_ps(v, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan)),
          Vec<float>::native(_mm512_getexp_ps(v))};
}
inline VecPair<Vec<double>> split_binade(Vec<double> a) {
  const __m512d v = __m512d(a.v);
  return {Vec<double>::native(_mm512_getmant_pd(v, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan)),
          Vec<double>::native(_mm512_getexp_pd(v))};
}

inline Vec<float> lookup(const float (&table)[16], Vec<int32_t> index) {
  return Vec<float>::native(_mm512_permutexvar_ps(__m512i(index.v), _mm512_loadu_ps(table)));
}
inline Vec<float> lookup(const float (&table)[32], Vec<int32_t> index) {
  return Vec<float>::native(_mm512_permutex2var_ps(_mm512_loadu_ps(table), __m512i(index.v),
                                                   _mm512_loadu_ps(table + 16)));
}
inline Vec<double> lookup(const double (&table)[16], Vec<int64_t> index) {
  return Vec<double>::native(
      _mm512_permutex2var_pd(_mm512_loadu_pd(table), __m512i(index.v), _mm512_loadu_pd(table + 8)));
}

}  // namespace COREPY_TARGET
}  // namespace corepy
