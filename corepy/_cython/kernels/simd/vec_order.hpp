// Lanes in another order, and elements in other widths, for strided operands, complex numbers and
// casts. Compilers select each processor's instructions for these. Included by vec.hpp.
#pragma once

#include <utility>

namespace corepy {
inline namespace COREPY_TARGET {

// Lanes index... of a and b, in this order.
template <class T, int... index>
inline Vec<T> shuffle(Vec<T> a, Vec<T> b, std::integer_sequence<int, index...>) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define COREPY_SHUFFLEVECTOR
#endif
#endif
#if defined(COREPY_SCALAR)
  typename Vec<T>::native result;
  int i = 0;
  ((result[i++] = index < Vec<T>::size ? a.v[index] : b.v[index - int(Vec<T>::size)]), ...);
  return result;
#elif defined(COREPY_SHUFFLEVECTOR)
  return __builtin_shufflevector(a.v, b.v, index...);
#else  // GCC before 12
  return __builtin_shuffle(a.v, b.v, typename Vec<Signed_of<T>>::native{Signed_of<T>(index)...});
#endif
}

// The lane of (a, b) that becomes lane i.
struct EvenLanes {
  static constexpr int at(int i, int) { return 2 * i; }
};
struct OddLanes {
  static constexpr int at(int i, int) { return 2 * i + 1; }
};
struct ZippedLow {
  static constexpr int at(int i, int size) { return i / 2 + (i % 2) * size; }
};
struct ZippedHigh {
  static constexpr int at(int i, int size) { return (size + i) / 2 + (i % 2) * size; }
};
struct Reversed {
  static constexpr int at(int i, int size) { return size - 1 - i; }
};
// Lanes exchanged with those `by` further on, a power of 2.
template <int by>
struct LanesExchanged {
  static constexpr int at(int i, int) { return i ^ by; }
};
// Lanes of a, each `by` further on, after the first lanes of b.
template <int by>
struct MovedUp {
  static constexpr int at(int i, int size) { return i < by ? size + i : i - by; }
};
struct LastLane {
  static constexpr int at(int, int size) { return size - 1; }
};

template <class Order, class T, int... i>
inline Vec<T> ordered(Vec<T> a, Vec<T> b, std::integer_sequence<int, i...>) {
  constexpr int size = sizeof...(i);
  return shuffle(a, b, std::integer_sequence<int, Order::at(i, size)...>{});
}
template <class Order, class T>
inline Vec<T> ordered(Vec<T> a, Vec<T> b) {
  return ordered<Order>(a, b, std::make_integer_sequence<int, int(Vec<T>::size)>{});
}

// Lanes 0, 2, 4, ... of a and then of b; lanes 1, 3, 5, ...
template <class T>
inline Vec<T> even(Vec<T> a, Vec<T> b) {
  return ordered<EvenLanes>(a, b);
}
template <class T>
inline Vec<T> odd(Vec<T> a, Vec<T> b) {
  return ordered<OddLanes>(a, b);
}
#if defined(COREPY_SSE2) && !defined(COREPY_AVX2) && !defined(COREPY_AVX512)
inline Vec<uint16_t> even(Vec<uint16_t> a, Vec<uint16_t> b) {
  // The instruction saturates signed numbers: these have no more than 16 bits.
  const __m128i x = _mm_srai_epi32(_mm_slli_epi32(__m128i(a.v), 16), 16);
  const __m128i y = _mm_srai_epi32(_mm_slli_epi32(__m128i(b.v), 16), 16);
  return Vec<uint16_t>::native(_mm_packs_epi32(x, y));
}
#endif

// a0 b0 a1 b1 ...: the first vector has the lower lanes of both.
template <class T>
inline VecPair<Vec<T>> zip(Vec<T> a, Vec<T> b) {
  return {ordered<ZippedLow>(a, b), ordered<ZippedHigh>(a, b)};
}

// The lanes of (a, b) with even numbers, and with odd numbers.
template <class T>
inline VecPair<Vec<T>> unzip(Vec<T> a, Vec<T> b) {
  return {even(a, b), odd(a, b)};
}

#if !defined(COREPY_AVX2)
// The same in any order of the pairs, which `zip_halves` restores.
template <class T>
inline VecPair<Vec<T>> unzip_halves(Vec<T> a, Vec<T> b) {
  return unzip(a, b);
}
template <class T>
inline VecPair<Vec<T>> zip_halves(Vec<T> a, Vec<T> b) {
  return zip(a, b);
}
#endif

template <class T>
inline Vec<T> reverse(Vec<T> a) {
  return ordered<Reversed>(a, a);
}

// The sum of each lane and all before it.
template <int by = 1, class T>
inline Vec<T> running_sums(Vec<T> a) {
  if constexpr (by < Vec<T>::size) {
    return running_sums<2 * by>(a + ordered<MovedUp<by>>(a, Vec<T>(T(0))));
  } else {
    return a;
  }
}

// The last lane, in all lanes.
template <class T>
inline Vec<T> last_lane(Vec<T> a) {
  return ordered<LastLane>(a, a);
}

// Integers to half their width, wrapping; the lanes of `upper` follow those of `lower`.
template <class To, class From>
inline Vec<To> narrow(Vec<From> lower, Vec<From> upper) {
  static_assert(std::is_integral_v<From> && sizeof(From) == 2 * sizeof(To));
  // The low half of an integer comes first in memory.
  using Half = Unsigned_of<To>;
  return bitcast<To>(even(Vec<Half>((typename Vec<Half>::native)lower.v),
                          Vec<Half>((typename Vec<Half>::native)upper.v)));
}

// Integers to twice their width; first has the lower lanes.
template <class To, class From>
inline VecPair<Vec<To>> widen(Vec<From> a) {
  static_assert(std::is_integral_v<From> && sizeof(To) == 2 * sizeof(From));
  using half = typename Native<From, VECTOR_BYTES / 2>::type;
  half parts[2];
  std::memcpy(parts, &a.v, sizeof(parts));
  return {convert_lanes<typename Vec<To>::native>(parts[0]),
          convert_lanes<typename Vec<To>::native>(parts[1])};
}

}  // namespace COREPY_TARGET
}  // namespace corepy
