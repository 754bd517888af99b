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
      return widened(bools) != 0;
    }
  }
  static Mask from_bools_first(const uint8_t* bools, ptrdiff_t n);

 private:
  // Bytes as integers of the size of T. Compilers convert vectors of less than 16 bytes badly.
  static typename lanes::native widened(const uint8_t* bools) {
    using N = typename lanes::native;
#if defined(COREPY_AVX2)
    __m128i bytes = _mm_setzero_si128();
    std::memcpy(&bytes, bools, size);
    if constexpr (sizeof(T) == 2) return N(_mm256_cvtepu8_epi16(bytes));
    if constexpr (sizeof(T) == 4) return N(_mm256_cvtepu8_epi32(bytes));
    return N(_mm256_cvtepu8_epi64(bytes));
#elif defined(__SSE2__)
    const __m128i zero = _mm_setzero_si128();
    uint64_t word = 0;
    std::memcpy(&word, bools, size);
    __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi64_si128(int64_t(word)), zero);
    if constexpr (sizeof(T) >= 4) wide = _mm_unpacklo_epi16(wide, zero);
    if constexpr (sizeof(T) == 8) wide = _mm_unpacklo_epi32(wide, zero);
    return N(wide);
#else
    typedef uint8_t bytes __attribute__((vector_size(size)));
    bytes b;
    std::memcpy(&b, bools, size);
    return __builtin_convertvector(b, N);
#endif
  }
};

#define COREPY_COMPARISON(symbol)                             \
  template <class T>                                          \
  inline Mask<T> operator symbol(Vec<T> a, Vec<T> b) {        \
    return (typename Mask<T>::lanes::native)(a.v symbol b.v); \
  }
COREPY_COMPARISON(==)
COREPY_COMPARISON(!=)
COREPY_COMPARISON(<)
COREPY_COMPARISON(<=)
COREPY_COMPARISON(>)
COREPY_COMPARISON(>=)
#undef COREPY_COMPARISON

template <class T>
inline Mask<T> operator&(Mask<T> a, Mask<T> b) {
  return a.v & b.v;
}
template <class T>
inline Mask<T> operator|(Mask<T> a, Mask<T> b) {
  return a.v | b.v;
}
template <class T>
inline Mask<T> operator^(Mask<T> a, Mask<T> b) {
  return a.v ^ b.v;
}
template <class T>
inline Mask<T> operator~(Mask<T> a) {
  return ~a.v;
}
template <class T>
inline Mask<T> and_not(Mask<T> a, Mask<T> b) {
  return a.v & ~b.v;
}

// By bits, and not `mask.v ? a.v : b.v`: compilers compare the mask with 0 first.
#if !defined(COREPY_AVX2)
template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  const Vec<T> chosen = bitcast<T>(Vec<Signed_of<T>>(mask.v));
  return (a & chosen) | (b & ~chosen);
}
#endif

// The same lanes as a mask for elements of another type of the same size.
template <class To, class From>
inline Mask<To> mask_cast(Mask<From> mask) {
  return (typename Mask<To>::lanes::native)mask.v;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
