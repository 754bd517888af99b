// Shared by the elementary functions: polynomials and double-double arithmetic.
#pragma once

#include "../vec.hpp"

// For functions called in loops over elements: a call would load all constants for every vector,
// and compilers do not inline functions of this length.
#define COREPY_INLINE inline __attribute__((always_inline))

namespace corepy {
inline namespace COREPY_TARGET {

// c[0] + c[1] * z + ... by Horner's rule: kernels process several vectors at once, so throughput
// matters, not latency. Recursive, as compilers do not unroll longer loops.
template <size_t first = 0, class T, size_t n>
inline Vec<T> polynomial(Vec<T> z, const T (&c)[n]) {
  if constexpr (first + 1 == n) {
    return Vec<T>(c[first]);
  } else {
    return multiply_add(polynomial<first + 1>(z, c), z, Vec<T>(c[first]));
  }
}

// c[0] + c[1] x + ... by Horner's rule in x^2, with the coefficients c[0] + c[1] x, c[2] + c[3] x,
// ...: as many operations as Horner's rule in x, with half the latency.
template <class T, int n, int first = 0>
inline Vec<T> polynomial(Vec<T> x, Vec<T> x_squared, const T (&c)[n],
                         std::integral_constant<int, first> = {}) {
  if constexpr (first + 1 == n) {
    return Vec<T>(c[first]);
  } else {
    const Vec<T> pair = multiply_add(x, c[first + 1], Vec<T>(c[first]));
    if constexpr (first + 2 == n) {
      return pair;
    } else {
      return multiply_add(polynomial(x, x_squared, c, std::integral_constant<int, first + 2>{}),
                          x_squared, pair);
    }
  }
}

// Whether a lookup in 32 float32 is as fast as an addition.
#if defined(COREPY_AVX512)
constexpr bool LOOKS_UP_32 = true;
#else
constexpr bool LOOKS_UP_32 = false;
#endif

// Whether functions avoid tables: with AVX2 a lookup of 4 or 8 numbers in 16 is a gather, which
// takes as long as about 20 multiplications.
#if defined(COREPY_AVX2)
constexpr bool AVOIDS_TABLES = true;
#else
constexpr bool AVOIDS_TABLES = false;
#endif

// The same with coefficients looked up for each lane.
template <size_t first = 0, size_t n, size_t size>
inline Vec<float> polynomial_of(Vec<int32_t> piece, Vec<float> x, const float (&c)[n][size]) {
  const Vec<float> constant = lookup(c[first], piece);
  if constexpr (first + 1 == n) {
    return constant;
  } else {
    return multiply_add(polynomial_of<first + 1>(piece, x, c), x, constant);
  }
}

// f(a) by piecewise polynomials (tools/piecewise.py), 0 <= a < P::last, where LOOKS_UP_32. A term
// costs two operations; with 32 pieces few terms are enough.
template <class P>
inline Vec<float> piecewise(Vec<float> a) {
  // NaN is kept.
  const Vec<float> bounded = max_of_numbers(Vec<float>(P::first * 0.9375f), a);
  const Vec<int32_t> piece = bitcast<int32_t>(bounded) >> 21;
  const Vec<float> d = a - lookup(P::center, piece);
  const Vec<float> value = select(a < P::first, a, lookup(P::value, piece));
  return multiply_add(d, polynomial_of(piece, d, P::slope), value);
}
// The same in eight pieces, numbered by the exponent and one bit of 1 + 3/2 a.
template <class P>
inline Vec<float> in_eight_pieces(Vec<float> a) {
  const Vec<float> grown = multiply_add(a, 1.5f, Vec<float>(1.0f));
  const Vec<int32_t> piece = bitcast<int32_t>(grown) >> 22;
  const Vec<float> d = a - lookup(P::center, piece);
  const Vec<float> value = select(grown < 1.5f, a, lookup(P::value, piece));
  return multiply_add(d, polynomial_of(piece, d, P::slope), value);
}
// The same, with pieces of 1 - a, 0 <= a <= P::last.
template <class P>
inline Vec<float> piecewise_below_1(Vec<float> a) {
  const Vec<float> distance = 1.0f - a;
  const Vec<int32_t> piece = bitcast<int32_t>(distance) >> 21;
  const Vec<float> d = a - lookup(P::center, piece);
  const Vec<float> value = select(distance < 1 - P::first, lookup(P::value, piece), a);
  return multiply_add(d, polynomial_of(piece, d, P::slope), value);
}

// Whether functions of float32 use piecewise polynomials, in the range of these.
template <class T>
constexpr bool IN_PIECES = sizeof(T) == 4 && LOOKS_UP_32;

// `call` of a function that is F::usual (loops.hpp) for most arguments, and F::other for arguments
// that F::usual marks.
template <class F>
struct MostlyUsual {
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    Mask<T> unusual = Mask<T>::first(0);
    const Vec<T> result = F::usual(unusual, x);
    return __builtin_expect(any(unusual), false) ? select(unusual, F::other(x), result) : result;
  }
};

// The same for a function F::of without unusual arguments.
template <class F>
struct AlwaysUsual {
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>&, Vec<T> x) {
    return F::of(x);
  }
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    return F::of(x);
  }
};

// a * b + c as if rounded once, for |c| not larger than |a * b|.
template <class T>
inline Vec<T> multiply_add_once(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (HAS_FMA) {
    return multiply_add(a, b, c);
  } else {
    const auto p = product(a, b);
    return p.first + (p.second + c);
  }
}

// The same where c cancels the first digits of a * b.
template <class T>
inline Vec<T> multiply_add_cancelling(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (HAS_FMA) {
    return multiply_add(a, b, c);
  } else {
    const auto p = product(a, b);
    return (p.first + c) + p.second;
  }
}

// a * b + c in double-double, for |a * b| not larger than |c|.
template <class T>
inline VecPair<Vec<T>> multiply_add_pair(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (HAS_FMA) {
    const Vec<T> high = multiply_add(a, b, c);
    return {high, multiply_add(a, b, c - high)};
  } else {
    const auto p = product(a, b);
    const auto s = sum_ordered(c, p.first);
    return {s.first, s.second + p.second};
  }
}

// c - a * b, exact where a is the rounded c / b.
template <class T>
inline Vec<T> remainder(Vec<T> c, Vec<T> a, Vec<T> b) {
  if constexpr (HAS_FMA) {
    return multiply_add(-a, b, c);
  } else {
    const auto p = product(a, b);
    return (c - p.first) - p.second;
  }
}

// About 1 / a, for normal a > 0: the exponent is negated, and the reciprocal of the mantissa is
// approximated by a line. The error of 1/8 is small enough for rounding errors.
template <class T>
inline Vec<T> rough_inverse(Vec<T> a) {
  using S = Signed_of<T>;
  constexpr S magic = sizeof(T) == 8 ? S(0x7fde623822fc16e6) : S(0x7ef311c7);
  return bitcast<T>(Vec<S>(magic) - bitcast<S>(a));
}

// The square root of x.first + x.second >= 0, in double-double.
template <bool of_small = false, class T>
COREPY_INLINE VecPair<Vec<T>> sqrt_of_pair(VecPair<Vec<T>> x) {
  if constexpr (ESTIMATES) {
    // From sqrt(x) = root / sqrt(1 - 2 e), root = x estimate, which is faster than a square root.
    // The estimate for 0 is infinity.
    constexpr T most = T(sizeof(T) == 8 ? 0x1p600 : 0x1p80f);
    const Vec<T> estimate = min_of_numbers(reciprocal_sqrt_estimate(x.first), Vec<T>(most));
    const Vec<T> root = x.first * estimate, half_inverse = estimate * T(0.5);
    const Vec<T> e = multiply_add(-root, half_inverse, T(0.5));
    const Vec<T> series = sizeof(T) == 8 ? multiply_add(e * T(1.5), e, e) : e;
    const Vec<T> better_root = multiply_add(root, series, root);
    const Vec<T> better_half_inverse = multiply_add(half_inverse, series, half_inverse);
    const Vec<T> rest = multiply_add(-better_root, better_root, x.first) + x.second;
    const Vec<T> high = multiply_add(rest, better_half_inverse, better_root);
    return {high, multiply_add(rest, better_half_inverse, better_root - high)};
  } else {
    const Vec<T> root = sqrt(x.first);
    const Vec<T> rest = remainder(x.first, root, root) + x.second;
    // A rough inverse suffices where the root is not much larger than the result.
    if constexpr (AVOIDS_TABLES && of_small) return {root, rest * rough_inverse(root + root)};
    return {root, rest * (T(0.5) / max_of_numbers(Vec<T>(std::numeric_limits<T>::min()), root))};
  }
}

// Below this number asinh(x) rounds to x.
template <class T>
constexpr T SMALL = T(1) / T(uint64_t(1) << (sizeof(T) == 8 ? 30 : 14));

}  // namespace COREPY_TARGET
}  // namespace corepy
