// floor, ceil, trunc, round, sqrt, copysign, and the questions about floating-point numbers: isnan,
// isinf, isfinite, signbit.
#include <cmath>
#include <limits>

#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Rounding in plain arithmetic, because calls of the C library would keep the loops from being
// vectorised: from 2^(digits - 1) on a floating-point number is an integer, so adding that much
// rounds the fraction away, half to even. The sign is put back for the sake of -0. NaNs and large
// numbers are returned as they are.
template <class T>
inline T nearest(T magnitude) {
  constexpr T large = T(uint64_t(1) << (std::numeric_limits<T>::digits - 1));
  const T rounded = (magnitude + large) - large;
  return magnitude < large ? rounded : magnitude;
}

struct Round {
  template <class T>
  static T call(T a) {
    return std::copysign(nearest(std::fabs(a)), a);
  }
  template <class T>
  static Complex<T> call(Complex<T> a) {
    return {call(a.real), call(a.imag)};
  }
};

struct Floor {
  template <class T>
  static T call(T a) {
    const T rounded = Round::call(a);
    return std::copysign(rounded > a ? rounded - 1 : rounded, a);
  }
};

struct Ceil {
  template <class T>
  static T call(T a) {
    const T rounded = Round::call(a);
    return std::copysign(rounded < a ? rounded + 1 : rounded, a);
  }
};

struct Trunc {
  template <class T>
  static T call(T a) {
    const T magnitude = std::fabs(a), rounded = nearest(magnitude);
    return std::copysign(rounded > magnitude ? rounded - 1 : rounded, a);
  }
};

struct Sqrt {
  template <class T>
  static T call(T a) {
    return std::sqrt(a);
  }
};

struct CopySign {
  template <class T>
  static T call(T a, T b) {
    return std::copysign(a, b);
  }
};

struct SignBit {
  template <class T>
  static Bool call(T a) {
    return a < 0;
  }
  static Bool call(float a) {
    int32_t bits;
    std::memcpy(&bits, &a, sizeof(a));
    return bits < 0;
  }
  // Vectors of 8 bytes compare as floating-point numbers, but not as integers.
  static Bool call(double a) { return std::copysign(1.0, a) < 0; }
};

struct IsNan {
  template <class T>
  static Bool call(T a) {
    return a != a;
  }
  template <class T>
  static Bool call(Complex<T> a) {
    return (a.real != a.real) | (a.imag != a.imag);
  }
};

struct IsInf {
  template <class T>
  static Bool call(T a) {
    return std::fabs(a) > std::numeric_limits<T>::max();
  }
  template <class T>
  static Bool call(Complex<T> a) {
    return call(a.real) | call(a.imag);
  }
};

struct IsFinite {
  template <class T>
  static Bool call(T a) {
    return std::fabs(a) <= std::numeric_limits<T>::max();
  }
  template <class T>
  static Bool call(Complex<T> a) {
    return call(a.real) & call(a.imag);
  }
};

// The answer for dtypes all of whose elements have it: no integer is a NaN.
template <bool answer>
void constant_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (steps[0] == 1) {
    std::memset(data[0], answer, size_t(n));
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) data[0][i * steps[0]] = answer;
}

template <class T>
void fill_questions(Kernels& kernels) {
  set<T>(kernels, OP_isnan, unary_elements<IsNan, Bool, T>);
  set<T>(kernels, OP_isinf, unary_elements<IsInf, Bool, T>);
  set<T>(kernels, OP_isfinite, unary_elements<IsFinite, Bool, T>);
  set<T>(kernels, OP_round, unary_elements<Round, T, T>);
}

template <class T>
void fill_floating(Kernels& kernels) {
  fill_questions<T>(kernels);
  fill_questions<Complex<T>>(kernels);
  set<T>(kernels, OP_floor, unary_elements<Floor, T, T>);
  set<T>(kernels, OP_ceil, unary_elements<Ceil, T, T>);
  set<T>(kernels, OP_trunc, unary_elements<Trunc, T, T>);
  set<T>(kernels, OP_sqrt, unary_elements<Sqrt, T, T>);
  set<T>(kernels, OP_copysign, binary_elements<CopySign, T, T>);
  set<T>(kernels, OP_signbit, unary_elements<SignBit, Bool, T>);
}

template <class T>
void fill_integer(Kernels& kernels) {
  for (Operation operation : {OP_floor, OP_ceil, OP_trunc, OP_round}) {
    set_both<T>(kernels, operation, copy_loop<T>);
  }
  using S = std::make_signed_t<T>;
  set<S>(kernels, OP_signbit, unary_elements<SignBit, Bool, S>);
  set<T>(kernels, OP_signbit, constant_loop<false>);
}

}  // namespace

void fill_rounding(Kernels& kernels) {
  for (int dtype = DTYPE_bool; dtype < DTYPE_float32; dtype++) {
    kernels.table[OP_isnan][dtype].loop = kernels.table[OP_isinf][dtype].loop =
        constant_loop<false>;
    kernels.table[OP_isfinite][dtype].loop = constant_loop<true>;
  }
  set<Bool>(kernels, OP_signbit, constant_loop<false>);
  for_each(Unsigned{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) { fill_floating<decltype(zero)>(kernels); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
