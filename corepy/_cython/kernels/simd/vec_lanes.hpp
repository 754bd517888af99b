// Masks of instruction sets without mask registers: a vector whose lanes are all ones or all zeros.
// Included by vec.hpp.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
struct Mask {
  using lanes = Vec<Signed_of<T>>;
  static constexpr ptrdiff_t size = lanes::size;
  typename lanes::native v;

  Mask() = default;
  Mask(typename lanes::native v) : v(v) {}

  // Lane i is true if bit i is set; bits beyond the last lane are ignored.
  static Mask from_bits(uint64_t bits) {
    typename lanes::native v;
    for (int i = 0; i < size; i++) v[i] = Signed_of<T>(-int64_t(bits >> i & 1));
    return v;
  }
  // The lanes before lane n.
  static Mask first(ptrdiff_t n) {
    typename lanes::native index;
    for (int i = 0; i < size; i++) index[i] = Signed_of<T>(i);
    return index < lanes(Signed_of<T>(n)).v;
  }

  // True where a byte is not 0.
  static Mask from_bools(const uint8_t* bools) {
    if constexpr (sizeof(T) == 1) {
      return Vec<uint8_t>::load(bools).v != 0;
    } else {
      return widened(bools);
    }
  }
  static Mask from_bools_first(const uint8_t* bools, ptrdiff_t n);

 private:
  // Compared as bytes, then widened with their sign. Compilers convert vectors of less than 16
  // bytes badly.
  static typename lanes::native widened(const uint8_t* bools) {
    using N = typename lanes::native;
#if defined(COREPY_SSE2)
    __m128i bytes;
    if constexpr (size == 16) {
      bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bools));
    } else {
      std::conditional_t<size == 8, int64_t, std::conditional_t<size == 4, int32_t, int16_t>> few;
      std::memcpy(&few, bools, size);
      bytes = _mm_cvtsi64_si128(few);
    }
    const __m128i no = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
    __m128i yes = _mm_xor_si128(no, _mm_set1_epi8(-1));
#if defined(COREPY_AVX2)
    if constexpr (sizeof(T) == 2) return N(_mm256_cvtepi8_epi16(yes));
    if constexpr (sizeof(T) == 4) return N(_mm256_cvtepi8_epi32(yes));
    return N(_mm256_cvtepi8_epi64(yes));
#else
    yes = _mm_unpacklo_epi8(yes, yes);
    if constexpr (sizeof(T) >= 4) yes = _mm_unpacklo_epi16(yes, yes);
    if constexpr (sizeof(T) == 8) yes = _mm_unpacklo_epi32(yes, yes);
    return N(yes);
#endif
#else
    using Bytes = typename Native<int8_t, size>::type;
    Bytes b;
    std::memcpy(&b, bools, size);
    return convert_lanes<N>(Bytes(b != 0));  // of Clang's `char`, which may be unsigned
#endif
  }
};

#define COREPY_COMPARISON(symbol)                             \
  template <class T>                                          \
  inline Mask<T> operator symbol(Vec<T> a, Vec<T> b) {        \
    return (typename Mask<T>::lanes::native)(a.v symbol b.v); \
  }
COREPY_EACH_COMPARISON(COREPY_COMPARISON)
#undef COREPY_COMPARISON

// By bits, and not `mask.v ? a.v : b.v`: compilers compare the mask with 0 first.
#if !defined(COREPY_AVX2) && !defined(COREPY_SCALAR)
template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  const Vec<T> chosen = bitcast<T>(Vec<Signed_of<T>>(mask.v));
  return (a & chosen) | (b & ~chosen);
}
#endif

}  // namespace COREPY_TARGET
}  // namespace corepy
