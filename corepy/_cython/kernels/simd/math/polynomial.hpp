// What the elementary functions share: polynomials, and arithmetic in two words.
#pragma once

#include "../vec.hpp"

// For what the loops over elements call: a call of its own would load all constants anew for every
// vector, and compilers do not think so of functions that long.
#define COREPY_INLINE inline __attribute__((always_inline))

namespace corepy {
inline namespace COREPY_TARGET {

// c[0] + c[1] * z + ... The kernels are bound by how many operations they are, not by how long one
// waits for another, since several vectors are under way at once. By recursion, because compilers
// leave longer loops rolled up.
template <size_t first = 0, class T, size_t n>
inline Vec<T> polynomial(Vec<T> z, const T (&c)[n]) {
  if constexpr (first + 1 == n) {
    return Vec<T>(c[first]);
  } else {
    return multiply_add(polynomial<first + 1>(z, c), z, Vec<T>(c[first]));
  }
}

// c[0] + c[1] x + ... by Horner's rule in x^2, whose coefficients are the pairs c[0] + c[1] x,
// c[2] + c[3] x, ...: as many operations as Horner's rule in x, in half the time, for half of them
// do not wait for each other.
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

// Whether one of 32 float32 is found as fast as two are added.
#if defined(COREPY_AVX512)
constexpr bool LOOKS_UP_32 = true;
#else
constexpr bool LOOKS_UP_32 = false;
#endif

// Whether functions do without tables where they can: with AVX2 looking up 4 or 8 numbers of 16 is
// a gather, which takes as long as some 20 multiplications.
#if defined(COREPY_AVX2)
constexpr bool AVOIDS_TABLES = true;
#else
constexpr bool AVOIDS_TABLES = false;
#endif

// The same with coefficients that are looked up for each lane.
template <size_t first = 0, size_t n, size_t size>
inline Vec<float> polynomial_of(Vec<int32_t> piece, Vec<float> x, const float (&c)[n][size]) {
  const Vec<float> constant = lookup(c[first], piece);
  if constexpr (first + 1 == n) {
    return constant;
  } else {
    return multiply_add(polynomial_of<first + 1>(piece, x, c), x, constant);
  }
}

// f(a) by piecewise polynomials (tools/piecewise.py), 0 <= a < P::last. Where LOOKS_UP_32, a term
// costs two operations, and with so many pieces a few terms are enough.
template <class P>
inline Vec<float> piecewise(Vec<float> a) {
  // NaN passes.
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

// Where functions of float32 are computed by piecewise polynomials, as far as those go.
template <class T>
constexpr bool IN_PIECES = sizeof(T) == 4 && LOOKS_UP_32;

// `usual` (loops.hpp) and `call` of a function that is F::usual for most arguments, and F::other
// for those that this marks.
template <class F>
struct MostlyUsual {
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    Mask<T> unusual = Mask<T>::first(0);
    const Vec<T> result = F::usual(unusual, x);
    return __builtin_expect(any(unusual), false) ? select(unusual, F::other(x), result) : result;
  }
};

// The same of a function F::of for which no argument is unusual.
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

// Where the sign bit is set, of -0 too.
template <class T>
inline Mask<T> is_negative(Vec<T> sign) {
  return mask_cast<T>(bitcast<Signed_of<T>>(sign) < Signed_of<T>(0));
}

// a * b + c where the last word counts: as if rounded once, for |c| not larger than |a * b|.
template <class T>
inline Vec<T> multiply_add_once(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (HAS_FMA) {
    return multiply_add(a, b, c);
  } else {
    const auto p = product(a, b);
    return p.first + (p.second + c);
  }
}

// The same where c takes away the first digits of a * b.
template <class T>
inline Vec<T> multiply_add_cancelling(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (HAS_FMA) {
    return multiply_add(a, b, c);
  } else {
    const auto p = product(a, b);
    return (p.first + c) + p.second;
  }
}

// a * b + c in two words, for |a * b| not larger than |c|.
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

// c - a * b, exactly, for a that is c / b rounded.
template <class T>
inline Vec<T> remainder(Vec<T> c, Vec<T> a, Vec<T> b) {
  if constexpr (HAS_FMA) {
    return multiply_add(-a, b, c);
  } else {
    const auto p = product(a, b);
    return (c - p.first) - p.second;
  }
}

// About 1 / a, for normal a > 0: the exponent changes its sign, and a straight line stands for the
// reciprocal of the rest. An eighth off, which is enough for what is itself a rounding error.
template <class T>
inline Vec<T> rough_inverse(Vec<T> a) {
  using S = Signed_of<T>;
  constexpr S magic = sizeof(T) == 8 ? S(0x7fde623822fc16e6) : S(0x7ef311c7);
  return bitcast<T>(Vec<S>(magic) - bitcast<S>(a));
}

}  // namespace COREPY_TARGET
}  // namespace corepy
