// The types of kernels: Vec<T>, a register of elements, and Mask<T>, a truth value for each of
// them. This file is compiled once per instruction set (setup.py, TARGETS). Operations with an
// instruction in a set are in the set's header; the others are here, in arithmetic of any
// processor.
//
// The representation is the compiler's vector type, so that plain arithmetic needs no intrinsics.
#pragma once

#if !defined(COREPY_GPU)
#include <cstring>
#include <limits>
#include <type_traits>

#include "../types.hpp"
#endif

namespace corepy {
inline namespace COREPY_TARGET {

#if defined(COREPY_AVX512)
constexpr int VECTOR_BYTES = 64;
#elif defined(COREPY_AVX2)
constexpr int VECTOR_BYTES = 32;
#else
constexpr int VECTOR_BYTES = 16;
#endif

#if defined(COREPY_AVX512) || defined(COREPY_AVX2) || defined(COREPY_NEON) || defined(COREPY_GPU)
constexpr bool HAS_FMA = true;
#else
constexpr bool HAS_FMA = false;
#endif

// X of each operator that compares.
#define COREPY_EACH_COMPARISON(X) X(==) X(!=) X(<) X(<=) X(>) X(>=)

// Declares a table of `lookup`; NVRTC refuses the alignment of members.
#if defined(COREPY_GPU)
#define COREPY_TABLE static constexpr
#else
#define COREPY_TABLE alignas(64) static constexpr
#endif

// The integer types of T's size.
template <class T>
using Unsigned_of = Word<T>;
template <class T>
using Signed_of = std::make_signed_t<Word<T>>;

// Arithmetic of signed integers wraps, so it is computed in unsigned ones.
template <class T>
using Arithmetic_of = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                                  std::remove_cv<T>>::type;

}  // namespace COREPY_TARGET
}  // namespace corepy

#if defined(COREPY_GPU)
#include "vec_gpu.hpp"
#elif defined(COREPY_SCALAR)
#include "vec_scalar.hpp"
#elif defined(__SSE2__)
#define COREPY_SSE2  // or more
#endif

namespace corepy {
inline namespace COREPY_TARGET {

#if !defined(COREPY_GPU)
// Not in Vec, because compilers ignore the attribute on a member of a template's parameter type.
template <class T, int bytes = VECTOR_BYTES>
struct Native {
  static_assert(std::is_arithmetic_v<T>);
#if defined(COREPY_SCALAR)
  using type = Lanes<T, bytes / int(sizeof(T))>;
#else
  typedef T type __attribute__((vector_size(bytes)));
#endif
};

#if !defined(COREPY_SCALAR)
// Each lane converted to an element of To.
template <class To, class From>
inline To convert_lanes(From from) {
  return __builtin_convertvector(from, To);
}
#endif

template <class T>
struct Vec {
  using element = T;
  using native = typename Native<T>::type;
  static constexpr ptrdiff_t size = VECTOR_BYTES / sizeof(T);

  native v;

  Vec() = default;
  Vec(native v) : v(v) {}
  // Not 0 + x, which would make 0 of -0.
  Vec(T x) : v(x - native{}) {}

  static Vec load(const T* from) {
    native v;
    std::memcpy(&v, from, sizeof(v));
    return v;
  }
  void store(T* to) const { std::memcpy(to, &v, sizeof(v)); }

  // Only the first n lanes; those beyond are read as 0 and not written. 0 <= n <= size.
  static Vec load_first(const T* from, ptrdiff_t n);
  void store_first(T* to, ptrdiff_t n) const;

  T get(int lane) const { return v[lane]; }
};

// The member `v` of a mask has the truth values of all lanes, as bits.
template <class T>
struct Mask;

#define COREPY_OF_MASKS(name, value)          \
  template <class T>                          \
  inline Mask<T> name(Mask<T> a, Mask<T> b) { \
    return decltype(a.v)(value);              \
  }
COREPY_OF_MASKS(operator&, a.v & b.v)
COREPY_OF_MASKS(operator|, a.v | b.v)
COREPY_OF_MASKS(operator^, a.v ^ b.v)
COREPY_OF_MASKS(and_not, a.v & ~b.v)
#undef COREPY_OF_MASKS
template <class T>
inline Mask<T> operator~(Mask<T> a) {
  return decltype(a.v)(~a.v);
}

// The same lanes as a mask for elements of another type of the same size.
template <class To, class From>
inline Mask<To> mask_cast(Mask<From> mask) {
  return decltype(Mask<To>::v)(mask.v);
}

template <class To, class From>
inline Vec<To> bitcast(Vec<From> a) {
  return typename Vec<To>::native(a.v);
}
#endif

// Two vectors: high and low words of a number, or lower and upper lanes.
template <class V>
struct VecPair {
  V first, second;
};

// ---- bits

// Applies an operator to vectors as if their elements were of another type of the same size.
#define COREPY_OPERATOR(symbol, As)                                                \
  template <class T>                                                               \
  inline Vec<T> operator symbol(Vec<T> a, Vec<T> b) {                              \
    return bitcast<T>(Vec<As<T>>(bitcast<As<T>>(a).v symbol bitcast<As<T>>(b).v)); \
  }                                                                                \
  template <class T>                                                               \
  inline Vec<T> operator symbol(Vec<T> a, std::common_type_t<T> b) {               \
    return a symbol Vec<T>(b);                                                     \
  }                                                                                \
  template <class T>                                                               \
  inline Vec<T> operator symbol(std::common_type_t<T> a, Vec<T> b) {               \
    return Vec<T>(a) symbol b;                                                     \
  }
COREPY_OPERATOR(+, Arithmetic_of)
COREPY_OPERATOR(-, Arithmetic_of)
COREPY_OPERATOR(*, Arithmetic_of)
COREPY_OPERATOR(/, std::common_type_t)
COREPY_OPERATOR(&, Unsigned_of)
COREPY_OPERATOR(|, Unsigned_of)
COREPY_OPERATOR(^, Unsigned_of)
#undef COREPY_OPERATOR

template <class T>
inline Vec<T> operator~(Vec<T> a) {
  return bitcast<T>(Vec<Unsigned_of<T>>(~bitcast<Unsigned_of<T>>(a).v));
}

template <class T>
inline Vec<T> operator-(Vec<T> a) {
  if constexpr (std::is_integral_v<T>) {
    return Vec<T>(T(0)) - a;
  } else {
    return -a.v;
  }
}

// Shifts by less than the width of an element; to the right, signed elements keep their sign.
template <class T>
inline Vec<T> operator<<(Vec<T> a, int by) {
  return bitcast<T>(Vec<Unsigned_of<T>>(bitcast<Unsigned_of<T>>(a).v << by));
}
template <class T>
inline Vec<T> operator>>(Vec<T> a, int by) {
  return a.v >> by;
}
template <class T>
inline Vec<T> operator<<(Vec<T> a, Vec<T> by) {
  return bitcast<T>(
      Vec<Unsigned_of<T>>(bitcast<Unsigned_of<T>>(a).v << bitcast<Unsigned_of<T>>(by).v));
}
template <class T>
inline Vec<T> operator>>(Vec<T> a, Vec<T> by) {
  return a.v >> by.v;
}

#if !defined(COREPY_GPU)
// There is no instruction for bytes: multiplies the lower ones of pairs, and the upper ones in
// place.
template <class T>
inline Vec<T> multiply_bytes(Vec<T> a, Vec<T> b) {
  const Vec<uint16_t> x = typename Vec<uint16_t>::native(a.v),
                      y = typename Vec<uint16_t>::native(b.v);
  const Vec<uint16_t> lower = x * y, upper = Vec<uint16_t>(x.v >> 8) * (y & uint16_t(0xff00));
  return (typename Vec<T>::native)((lower & uint16_t(0x00ff)) | upper).v;
}
inline Vec<uint8_t> operator*(Vec<uint8_t> a, Vec<uint8_t> b) { return multiply_bytes(a, b); }
inline Vec<int8_t> operator*(Vec<int8_t> a, Vec<int8_t> b) { return multiply_bytes(a, b); }
#endif

}  // namespace COREPY_TARGET
}  // namespace corepy

#if !defined(COREPY_GPU)
// Functions of one, two or three vectors of floats by the intrinsics of that name and _ps or _pd.
#define COREPY_INTRINSIC_1(name, intrinsic)                                                \
  inline Vec<float> name(Vec<float> a) { return Vec<float>::native(intrinsic##_ps(a.v)); } \
  inline Vec<double> name(Vec<double> a) { return Vec<double>::native(intrinsic##_pd(a.v)); }
#define COREPY_INTRINSIC_2(name, intrinsic)               \
  inline Vec<float> name(Vec<float> a, Vec<float> b) {    \
    return Vec<float>::native(intrinsic##_ps(a.v, b.v));  \
  }                                                       \
  inline Vec<double> name(Vec<double> a, Vec<double> b) { \
    return Vec<double>::native(intrinsic##_pd(a.v, b.v)); \
  }
#define COREPY_INTRINSIC_3(name, intrinsic)                              \
  inline Vec<float> name(Vec<float> a, Vec<float> b, Vec<float> c) {     \
    return Vec<float>::native(intrinsic##_ps(a.v, b.v, c.v));            \
  }                                                                      \
  inline Vec<double> name(Vec<double> a, Vec<double> b, Vec<double> c) { \
    return Vec<double>::native(intrinsic##_pd(a.v, b.v, c.v));           \
  }
// The functions that round, by an intrinsic of all modes.
#define COREPY_ROUNDING(name, intrinsic, mode)                                 \
  inline Vec<float> name(Vec<float> a) {                                       \
    return Vec<float>::native(intrinsic##_ps(a.v, mode | _MM_FROUND_NO_EXC));  \
  }                                                                            \
  inline Vec<double> name(Vec<double> a) {                                     \
    return Vec<double>::native(intrinsic##_pd(a.v, mode | _MM_FROUND_NO_EXC)); \
  }
#define COREPY_ROUNDINGS(intrinsic)                              \
  COREPY_ROUNDING(nearest, intrinsic, _MM_FROUND_TO_NEAREST_INT) \
  COREPY_ROUNDING(floor, intrinsic, _MM_FROUND_TO_NEG_INF)       \
  COREPY_ROUNDING(ceil, intrinsic, _MM_FROUND_TO_POS_INF)        \
  COREPY_ROUNDING(trunc, intrinsic, _MM_FROUND_TO_ZERO)

// Mask, comparisons and select, with one representation for AVX-512 and one for the others.
#if defined(COREPY_AVX512)
#include "vec_avx512.hpp"
#else
#include "vec_lanes.hpp"
#if defined(COREPY_AVX2)
#include "vec_avx2.hpp"
#elif defined(COREPY_NEON)
#include "vec_neon.hpp"
#elif defined(COREPY_SSE2)
#include "vec_sse2.hpp"
#elif defined(COREPY_SCALAR)
#include "vec_scalar_operations.hpp"
#endif
#endif

#include "vec_order.hpp"
#endif
#include "vec_arithmetic.hpp"
#if !defined(COREPY_GPU)
#include "vec_portable.hpp"
#endif
