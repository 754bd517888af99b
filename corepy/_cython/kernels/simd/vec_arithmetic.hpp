// The arithmetic of vec.hpp for any processor, and for a thread of a GPU; overloads of an
// instruction set's header come first.
#pragma once

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline bool none(Mask<T> mask) {
  return !any(mask);
}

#define COREPY_SCALAR_COMPARISON(symbol)                              \
  template <class T>                                                  \
  inline Mask<T> operator symbol(Vec<T> a, std::common_type_t<T> b) { \
    return a symbol Vec<T>(b);                                        \
  }
COREPY_EACH_COMPARISON(COREPY_SCALAR_COMPARISON)
#undef COREPY_SCALAR_COMPARISON

template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, std::common_type_t<T> b) {
  return select(mask, a, Vec<T>(b));
}
template <class T>
inline Vec<T> select(Mask<T> mask, std::common_type_t<T> a, Vec<T> b) {
  return select(mask, Vec<T>(a), b);
}

// a < b ? a : b: the lesser of two numbers, b if one of them is a NaN. Written so that compilers
// see the minimum of integers, for which most sets have an instruction.
template <class T>
#if defined(COREPY_SCALAR)
constexpr bool NATIVE_MINIMUM = false;
#else
constexpr bool NATIVE_MINIMUM = std::is_integral_v<T> && (sizeof(T) < 8 || VECTOR_BYTES > 16);
#endif
template <class T>
inline Vec<T> min_of_numbers(Vec<T> a, Vec<T> b) {
  if constexpr (NATIVE_MINIMUM<T>) {
    return (typename Vec<T>::native)(a.v < b.v ? a.v : b.v);
  } else {
    return select(a < b, a, b);
  }
}
template <class T>
inline Vec<T> max_of_numbers(Vec<T> a, Vec<T> b) {
  if constexpr (NATIVE_MINIMUM<T>) {
    return (typename Vec<T>::native)(a.v > b.v ? a.v : b.v);
  } else {
    return select(a > b, a, b);
  }
}

// The lowest integer has no counterpart and is unchanged.
template <class T>
inline Vec<T> abs(Vec<T> a) {
  if constexpr (std::is_floating_point_v<T>) {
    return bitcast<T>(bitcast<Unsigned_of<T>>(a) &
                      (std::numeric_limits<Unsigned_of<T>>::max() >> 1));
  } else if constexpr (std::is_signed_v<T>) {
    return select(a < T(0), -a, a);
  } else {
    return a;
  }
}

template <class T>
inline Mask<T> is_nan(Vec<T> a) {
  return a != a;
}
template <class T>
inline Mask<T> is_infinite(Vec<T> a) {
  return abs(a) == std::numeric_limits<T>::infinity();
}
template <class T>
inline Mask<T> is_finite(Vec<T> a) {
  return abs(a) < std::numeric_limits<T>::infinity();
}
// Where the sign bit is set, including -0.
template <class T>
inline Mask<T> is_negative(Vec<T> a) {
  return mask_cast<T>(bitcast<Signed_of<T>>(a) < Signed_of<T>(0));
}
template <class T>
inline Vec<T> sign_bit_of(Vec<T> a) {
  return a & Vec<T>(T(-0.0));
}
template <class T>
inline Vec<T> copysign(Vec<T> magnitude, Vec<T> sign) {
  return abs(magnitude) | sign_bit_of(sign);
}

template <class T>
inline Vec<T> multiply_add(Vec<T> a, std::common_type_t<T> b, Vec<T> c) {
  return multiply_add(a, Vec<T>(b), c);
}
template <class T>
inline Vec<T> multiply_add(Vec<T> a, Vec<T> b, std::common_type_t<T> c) {
  return multiply_add(a, b, Vec<T>(c));
}
template <class T>
inline Vec<T> multiply_add(Vec<T> a, std::common_type_t<T> b, std::common_type_t<T> c) {
  return multiply_add(a, Vec<T>(b), Vec<T>(c));
}

// a + b as a double-double ("in two words"), an unevaluated sum of two floats: first is the rounded
// sum, second its rounding error. Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem
// B.
template <class T>
inline VecPair<Vec<T>> sum(Vec<T> a, Vec<T> b) {
  const Vec<T> high = a + b, of_b = high - a;
  return {high, (a - (high - of_b)) + (b - of_b)};
}
// The same where |a| >= |b|, or a is 0 (Dekker 1971).
template <class T>
inline VecPair<Vec<T>> sum_ordered(Vec<T> a, Vec<T> b) {
  const Vec<T> high = a + b;
  return {high, b - (high - a)};
}
// The exact product: by fma, or by Dekker's splitting, which overflows for operands of more than
// the largest number / 2^27 (float64) or 2^12 (float32).
template <class T>
inline VecPair<Vec<T>> product(Vec<T> a, Vec<T> b) {
  const Vec<T> high = a * b;
  if constexpr (HAS_FMA) {
    return {high, multiply_add(a, b, -high)};
  } else {
    constexpr T splitter = T((uint64_t(1) << (std::numeric_limits<T>::digits + 1) / 2) + 1);
    const Vec<T> a_scaled = a * splitter, b_scaled = b * splitter;
    const Vec<T> a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
    const Vec<T> a_low = a - a_high, b_low = b - b_high;
    return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
  }
}

#if !defined(COREPY_AVX512)
// 1 / sqrt(a) and 1 / a, or estimates of them.
constexpr bool ESTIMATES = false;
template <class T>
inline Vec<T> reciprocal_sqrt_estimate(Vec<T> a) {
  return T(1) / sqrt(a);
}
template <class T>
inline Vec<T> reciprocal_estimate(Vec<T> a) {
  return T(1) / a;
}

// m and e of a = 2^e m with 1 <= m < 2, of positive normal numbers; whether of subnormal ones, too.
constexpr bool SPLITS_ANY = false;
template <class T>
inline VecPair<Vec<T>> split_binade(Vec<T> a) {
  using U = Unsigned_of<T>;
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr T large = T(uint64_t(1) << (digits - 1));
  constexpr T bias = std::numeric_limits<T>::max_exponent - 1;
  const Vec<U> bits = bitcast<U>(a), one = bitcast<U>(Vec<T>(T(1)));
  return {bitcast<T>((bits & ((U(1) << (digits - 1)) - 1)) | one),
          bitcast<T>((bits >> (digits - 1)) | bitcast<U>(Vec<T>(large))) - (large + bias)};
}
#endif

}  // namespace COREPY_TARGET
}  // namespace corepy
