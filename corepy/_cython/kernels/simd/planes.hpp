// Operands of transforms and complex functions: float64 in planes, and elements of either precision
// in memory.
#pragma once

#include "complex.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

using Reals = Vec<double>;
using Numbers = VecComplex<double>;
constexpr ptrdiff_t SIZE = Reals::size;

struct Planes {
  double *real, *imag;

  explicit Planes(void* const* planes)
      : real(static_cast<double*>(planes[0])), imag(static_cast<double*>(planes[1])) {}
  Planes(double* real, double* imag) : real(real), imag(imag) {}

  Numbers load(ptrdiff_t i) const { return {Reals::load(real + i), Reals::load(imag + i)}; }
  void store(ptrdiff_t i, Numbers a) const {
    a.real.store(real + i);
    a.imag.store(imag + i);
  }
};

// ---- elements in memory, of either precision

COREPY_INLINE Reals load(const double* from, Reals*) { return Reals::load(from); }
COREPY_INLINE Reals load_first(const double* from, ptrdiff_t n, Reals*) {
  return Reals::load_first(from, n);
}
COREPY_INLINE void store(Reals a, double* to) { a.store(to); }
COREPY_INLINE void store_first(Reals a, double* to, ptrdiff_t n) { a.store_first(to, n); }

COREPY_INLINE Reals load_first(const float* from, ptrdiff_t n, Reals*) {
  return widen(Vec<float>::load_first(from, n)).first;
}
COREPY_INLINE Reals load(const float* from, Reals* as) { return load_first(from, SIZE, as); }
COREPY_INLINE void store_first(Reals a, float* to, ptrdiff_t n) { narrow(a, a).store_first(to, n); }
COREPY_INLINE void store(Reals a, float* to) { store_first(a, to, SIZE); }

COREPY_INLINE Numbers load(const Complex<double>* from, Numbers*) { return Numbers::load(from); }
COREPY_INLINE Numbers load_first(const Complex<double>* from, ptrdiff_t n, Numbers*) {
  return Numbers::load_first(from, n);
}
COREPY_INLINE void store(Numbers a, Complex<double>* to) { a.store(to); }
COREPY_INLINE void store_first(Numbers a, Complex<double>* to, ptrdiff_t n) {
  a.store_first(to, n);
}

COREPY_INLINE Numbers separate(Vec<float> words) {
  const VecPair<Reals> wide = widen(words);
  return {even(wide.first, wide.second), odd(wide.first, wide.second)};
}
COREPY_INLINE Numbers load(const Complex<float>* from, Numbers*) {
  return separate(Vec<float>::load(reinterpret_cast<const float*>(from)));
}
COREPY_INLINE Numbers load_first(const Complex<float>* from, ptrdiff_t n, Numbers*) {
  return separate(Vec<float>::load_first(reinterpret_cast<const float*>(from), 2 * n));
}
COREPY_INLINE Vec<float> mix(Numbers a) {
  const VecPair<Reals> mixed = zip(a.real, a.imag);
  return narrow(mixed.first, mixed.second);
}
COREPY_INLINE void store(Numbers a, Complex<float>* to) {
  mix(a).store(reinterpret_cast<float*>(to));
}
COREPY_INLINE void store_first(Numbers a, Complex<float>* to, ptrdiff_t n) {
  mix(a).store_first(reinterpret_cast<float*>(to), 2 * n);
}

template <class V, class E>
COREPY_INLINE V load_as(const E* from) {
  return load(from, static_cast<V*>(nullptr));
}
template <class V, class E>
COREPY_INLINE V load_first_as(const E* from, ptrdiff_t n) {
  return load_first(from, n, static_cast<V*>(nullptr));
}

// Calls body with a float or a double.
template <class Body>
COREPY_INLINE void with_precision(bool single, Body body) {
  single ? body(float{}) : body(double{});
}

}  // namespace COREPY_TARGET
}  // namespace corepy
