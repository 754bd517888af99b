// Functors that functions of the CPU's kernels compute, for vectors of one lane: of complex
// numbers, whose elementary functions are computed in float64, powers and hypot of float64, and
// activations of neural networks.
// Functors call `computed`; only kernels that need this file include it (runtime.py), as it takes
// long to compile.
#pragma once

#include "../../_cython/schema/special_cases.def"
#include "all.cuh"
#include "standard.cuh"

// The names of the CPU's kernels are in this namespace.
#define COREPY_GPU
#define COREPY_TARGET one_lane
namespace corepy {
#define NAMED(name, ...) OP_##name,
enum Operation : uint8 { SPECIAL_FUNCTIONS(NAMED) SPECIAL_MULTIPLES(NAMED) };
#undef NAMED
template <class T>
using Word = bits_of<T>;
}  // namespace corepy

// NVRTC has an option for functions without a specifier, which CuPy gives.
#if defined(__HIPCC__)
#pragma clang force_cuda_host_device begin
#endif
#include "../../_cython/kernels/simd/math/activations.hpp"
#include "../../_cython/kernels/simd/math/complex_arc.hpp"
#include "../../_cython/kernels/simd/math/complex_pow.hpp"
#include "../../_cython/kernels/simd/math/pow.hpp"
#if defined(__HIPCC__)
#pragma clang force_cuda_host_device end
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define COREPY_CALLED __device__ __noinline__
#else
#define COREPY_CALLED inline
#endif

namespace corepy {
namespace op {

template <class T>
COREPY_DEVICE Complex<T> number_of(VecComplex<T> z) {
  return {z.real.v, z.imag.v};
}

// Long functions are not inlined: loops over elements would have several copies of them.
template <ComplexFunction f, class... Numbers>
COREPY_CALLED complex128 call(Numbers... z) {
  const VecComplex<double> in[] = {z...};
  VecComplex<double> out;
  f(in, &out);
  return number_of(out);
}

#define COREPY_COMPLEX(name, ...)                                          \
  template <class T>                                                       \
  COREPY_DEVICE Complex<T> computed(name<Complex<T>>, Complex<T> z) {      \
    return convert<Complex<T>>(call<__VA_ARGS__>(convert<complex128>(z))); \
  }
COREPY_COMPLEX(acos, compute<ComplexAcos>)
COREPY_COMPLEX(acosh, compute_acosh)
COREPY_COMPLEX(asin, compute_swapped<ComplexAsinh>)
COREPY_COMPLEX(asinh, compute<ComplexAsinh>)
COREPY_COMPLEX(atan, compute_swapped<ComplexAtanh>)
COREPY_COMPLEX(atanh, compute<ComplexAtanh>)
COREPY_COMPLEX(cos, compute_cos)
COREPY_COMPLEX(cosh, compute<ComplexCosh>)
COREPY_COMPLEX(exp, compute<ComplexExp>)
COREPY_COMPLEX(expm1, compute<ComplexExpm1>)
COREPY_COMPLEX(log, compute<ComplexLog>)
COREPY_COMPLEX(log10, compute<ComplexLog10>)
COREPY_COMPLEX(log1p, compute<ComplexLog1p>)
COREPY_COMPLEX(log2, compute<ComplexLog2>)
COREPY_COMPLEX(sin, compute_swapped<ComplexSinh>)
COREPY_COMPLEX(sinh, compute<ComplexSinh>)
COREPY_COMPLEX(sqrt, compute<ComplexSqrt>)
COREPY_COMPLEX(tan, compute_swapped<ComplexTanh>)
COREPY_COMPLEX(tanh, compute<ComplexTanh>)
#undef COREPY_COMPLEX

template <class T>
COREPY_DEVICE Complex<T> computed(pow<Complex<T>>, Complex<T> z, Complex<T> w) {
  const complex128 power =
      call<ComplexPow::compute>(convert<complex128>(z), convert<complex128>(w));
  return convert<Complex<T>>(power);
}
template <class T>
COREPY_DEVICE T computed(abs<Complex<T>>, Complex<T> z) {
  return corepy::abs(VecComplex<T>(z)).v;
}
template <class T>
COREPY_DEVICE Complex<T> computed(sign<Complex<T>>, Complex<T> z) {
  return number_of(direction(VecComplex<T>(z)));
}
template <class T>
COREPY_DEVICE Complex<T> computed(divide<Complex<T>>, Complex<T> z, Complex<T> w) {
  return number_of(quotient(VecComplex<T>(z), VecComplex<T>(w)));
}

#define COREPY_ACTIVATION(name, functor)   \
  template <class T>                       \
  COREPY_DEVICE T computed(name<T>, T x) { \
    return functor::call(Vec<T>(x)).v;     \
  }
COREPY_ACTIVATION(gelu, Gelu)
COREPY_ACTIVATION(gelu_tanh, GeluTanh)
COREPY_ACTIVATION(sigmoid, Sigmoid)
COREPY_ACTIVATION(silu, Silu)
#undef COREPY_ACTIVATION

// CUDA's hypot is infinite for some results that are not.
COREPY_DEVICE double computed(hypot<double>, double x, double y) {
  return computed(abs<complex128>(), complex128{x, y});
}
// CUDA's pow may err in the last digit where the power is exact, as in 3.0^1.
COREPY_DEVICE double computed(pow<double>, double x, double y) {
  const double size = magnitude(x);
  const bool whole = ::trunc(y) == y;
  if (size >= 0x1p-1022 && is_finite(size) && (whole || x > 0)) {
    const auto exponent = times(accurate_log(Vec<double>(size), Vec<double>(0.0)), Vec<double>(y));
    if (magnitude(exponent.first.v) < 760) {
      const double result = exp_of_pair(exponent).v;
      const bool odd = whole && ::trunc(y * 0.5) != y * 0.5;
      return odd && x < 0 ? -result : result;
    }
  }
  return ::pow(x, y);
}

}  // namespace op
}  // namespace corepy
