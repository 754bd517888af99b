// The level without SIMD, for comparisons: a vector is an array whose lanes are computed one by
// one, and the compiler may not vectorise them (setup.py). Included by vec.hpp.
//
// Vectors have as many lanes as those of 16 bytes, so that loops are unrolled as often.
#pragma once

#include <utility>

namespace corepy {
inline namespace COREPY_TARGET {

template <class T, int n>
struct Lanes {
  // Wide enough for products; integers that wrap are unsigned in vec.hpp.
  using Computing = std::conditional_t<std::is_unsigned_v<T> && sizeof(T) < 4, unsigned, T>;
  using Truth = Lanes<std::make_signed_t<Word<T>>, n>;

  T lane[n];

  Lanes() = default;

  // The same bits.
  template <class From, int m>
  explicit Lanes(const Lanes<From, m>& from) {
    static_assert(sizeof(Lanes) == sizeof(from));
    std::memcpy(lane, from.lane, sizeof(lane));
  }

  // Lane i is f(i). Written out and not a loop, so that compilers keep lanes in registers.
  template <class F>
  static Lanes of(F f) {
    return of(f, std::make_integer_sequence<int, n>{});
  }
  template <class F, int... i>
  static Lanes of(F f, std::integer_sequence<int, i...>) {
    Lanes result;
    ((result.lane[i] = T(f(i))), ...);
    return result;
  }

  T& operator[](int i) { return lane[i]; }
  T operator[](int i) const { return lane[i]; }

#define COREPY_OPERATOR(symbol)                                                         \
  friend Lanes operator symbol(const Lanes& a, const Lanes& b) {                        \
    return of([&](int i) { return Computing(a.lane[i]) symbol Computing(b.lane[i]); }); \
  }                                                                                     \
  friend Lanes operator symbol(const Lanes& a, T b) {                                   \
    return of([&](int i) { return Computing(a.lane[i]) symbol Computing(b); });         \
  }                                                                                     \
  friend Lanes operator symbol(T a, const Lanes& b) {                                   \
    return of([&](int i) { return Computing(a) symbol Computing(b.lane[i]); });         \
  }
  COREPY_OPERATOR(+)
  COREPY_OPERATOR(-)
  COREPY_OPERATOR(*)
  COREPY_OPERATOR(/)
  COREPY_OPERATOR(&)
  COREPY_OPERATOR(|)
  COREPY_OPERATOR(^)
#undef COREPY_OPERATOR

#define COREPY_COMPARISON(symbol)                                           \
  friend Truth operator symbol(const Lanes& a, const Lanes& b) {            \
    return Truth::of([&](int i) { return -(a.lane[i] symbol b.lane[i]); }); \
  }                                                                         \
  friend Truth operator symbol(const Lanes& a, T b) {                       \
    return Truth::of([&](int i) { return -(a.lane[i] symbol b); });         \
  }
  COREPY_EACH_COMPARISON(COREPY_COMPARISON)
#undef COREPY_COMPARISON

  Lanes operator-() const {
    return of([&](int i) { return -lane[i]; });
  }
  Lanes operator~() const {
    return of([&](int i) { return ~lane[i]; });
  }
  friend Lanes operator<<(const Lanes& a, int by) {
    return of([&](int i) { return a.lane[i] << by; });
  }
  friend Lanes operator>>(const Lanes& a, int by) {
    return of([&](int i) { return a.lane[i] >> by; });
  }
  friend Lanes operator<<(const Lanes& a, const Lanes& by) {
    return of([&](int i) { return a.lane[i] << by.lane[i]; });
  }
  friend Lanes operator>>(const Lanes& a, const Lanes& by) {
    return of([&](int i) { return a.lane[i] >> by.lane[i]; });
  }
};

template <class To, class From>
inline To convert_lanes(const From& from) {
  return To::of([&](int i) { return from.lane[i]; });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
