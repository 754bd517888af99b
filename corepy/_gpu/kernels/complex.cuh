// Functors of complex numbers that are not defined with those of real numbers.
#pragma once

#include "arithmetic.cuh"
#include "complex_arithmetic.cuh"
#include "complex_inverse.cuh"
#include "division.cuh"
#include "elementary.cuh"
#include "power.cuh"

namespace corepy {
namespace op {

// Functions that are computed in float64 for either dtype.
#define COREPY_COMPLEX_FUNCTION(name)                                            \
  template <class T>                                                             \
  struct name<Complex<T>> {                                                      \
    using type = Complex<T>;                                                     \
    COREPY_DEVICE Complex<T> operator()(Complex<T> z) const {                    \
      return convert<Complex<T>>(corepy::complex::name(convert<complex128>(z))); \
    }                                                                            \
  };
COREPY_COMPLEX_FUNCTION(acos)
COREPY_COMPLEX_FUNCTION(acosh)
COREPY_COMPLEX_FUNCTION(asin)
COREPY_COMPLEX_FUNCTION(asinh)
COREPY_COMPLEX_FUNCTION(atan)
COREPY_COMPLEX_FUNCTION(atanh)
COREPY_COMPLEX_FUNCTION(cos)
COREPY_COMPLEX_FUNCTION(cosh)
COREPY_COMPLEX_FUNCTION(exp)
COREPY_COMPLEX_FUNCTION(expm1)
COREPY_COMPLEX_FUNCTION(log)
COREPY_COMPLEX_FUNCTION(log10)
COREPY_COMPLEX_FUNCTION(log1p)
COREPY_COMPLEX_FUNCTION(log2)
COREPY_COMPLEX_FUNCTION(sin)
COREPY_COMPLEX_FUNCTION(sinh)
COREPY_COMPLEX_FUNCTION(sqrt)
COREPY_COMPLEX_FUNCTION(tan)
COREPY_COMPLEX_FUNCTION(tanh)
#undef COREPY_COMPLEX_FUNCTION

template <class T>
struct pow<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE Complex<T> operator()(Complex<T> z, Complex<T> w) const {
    return convert<Complex<T>>(
        corepy::complex::pow(convert<complex128>(z), convert<complex128>(w)));
  }
};

template <class T>
struct abs<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE T operator()(Complex<T> z) const { return corepy::complex::abs(z); }
};

template <class T>
struct divide<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE Complex<T> operator()(Complex<T> z, Complex<T> w) const {
    return corepy::complex::divide(z, w);
  }
};

template <class T>
struct reciprocal<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE Complex<T> operator()(Complex<T> z) const {
    return corepy::complex::divide(Complex<T>{T(1), T(0)}, z);
  }
};

template <class T>
struct sign<Complex<T>> {
  using type = Complex<T>;
  COREPY_DEVICE Complex<T> operator()(Complex<T> z) const { return corepy::complex::sign(z); }
};

}  // namespace op
}  // namespace corepy
