// Vectors of one lane: a thread of a GPU computes an element. Included by vec.hpp where the kernels
// of corepy/_gpu compile functions of math/, after the dtypes of these.
#pragma once

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
struct Vec {
  static constexpr ptrdiff_t size = 1;

  T v;

  Vec() = default;
  Vec(T v) : v(v) {}

  static Vec load(const T* from) { return *from; }
  void store(T* to) const { *to = v; }
  T get(int) const { return v; }
};

template <class T>
struct Mask {
  bool v;

  static Mask first(ptrdiff_t n) { return {n > 0}; }
};

#define COREPY_COMPARISON(symbol)                      \
  template <class T>                                   \
  inline Mask<T> operator symbol(Vec<T> a, Vec<T> b) { \
    return {a.v symbol b.v};                           \
  }
COREPY_EACH_COMPARISON(COREPY_COMPARISON)
#undef COREPY_COMPARISON

#define COREPY_OF_MASKS(name, value)          \
  template <class T>                          \
  inline Mask<T> name(Mask<T> a, Mask<T> b) { \
    return {value};                           \
  }
COREPY_OF_MASKS(operator&, a.v&& b.v)
COREPY_OF_MASKS(operator|, a.v || b.v)
COREPY_OF_MASKS(operator^, a.v != b.v)
COREPY_OF_MASKS(and_not, a.v && !b.v)
#undef COREPY_OF_MASKS

template <class T>
inline Mask<T> operator~(Mask<T> a) {
  return {!a.v};
}
template <class To, class From>
inline Mask<To> mask_cast(Mask<From> a) {
  return {a.v};
}
template <class T>
inline uint64_t bits(Mask<T> a) {
  return a.v;
}
template <class T>
inline bool any(Mask<T> a) {
  return a.v;
}
template <class T>
inline bool all(Mask<T> a) {
  return a.v;
}

template <class To, class From>
inline Vec<To> bitcast(Vec<From> a) {
  return bit_cast<To>(a.v);
}
template <class To, class From>
inline Vec<To> convert(Vec<From> a) {
  return To(a.v);
}
template <class T>
inline Vec<T> select(Mask<T> mask, Vec<T> a, Vec<T> b) {
  return mask.v ? a.v : b.v;
}
template <class T>
inline Vec<T> sqrt(Vec<T> a) {
  return root_of(a.v);
}
template <class T>
inline Vec<T> floor(Vec<T> a) {
  return rounded_down(a.v);
}
template <class T>
inline Vec<T> trunc(Vec<T> a) {
  return rounded_to_zero(a.v);
}
// a * 2^floor(n), rounded once, for n up to 2044.
inline Vec<double> scale(Vec<double> a, Vec<double> n) {
  const int whole = int(rounded_down(n.v)), half = whole >> 1;
  return a.v * power_of_2(half) * power_of_2(whole - half);
}
template <class T>
inline Vec<T> multiply_add(Vec<T> a, Vec<T> b, Vec<T> c) {
  return fused(a.v, b.v, c.v);
}
template <class T, size_t size>
inline Vec<T> lookup(const T (&table)[size], Vec<Signed_of<T>> index) {
  return table[index.v & (size - 1)];
}

// For the CPU's sets without an fma.
template <class V>
struct VecPair;
VecPair<Vec<double>> widen(Vec<float> a);
Vec<float> narrow(Vec<double> lower, Vec<double> upper);

}  // namespace COREPY_TARGET
}  // namespace corepy
