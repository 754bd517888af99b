// What the standard says about functions of complex numbers that are infinite or NaN.
//
// A row reads like a line of the standard: "if a is ... and b is ..., the result is ...", where a
// is the real and b the imaginary component. Where rows of the standard contradict each other, the
// first one holds; where it leaves a sign open, that is what C libraries make of it. The tables are
// those of the CPU (corepy/_cython/kernels/complex_cases.cpp).
#pragma once

#include "complex_words.cuh"

namespace corepy {
namespace complex {
namespace cases {

enum Condition : uint8 {
  any,
  positive_zero,
  zero,
  finite,
  nonzero_finite,
  positive_finite,
  nonzero,
  positive_infinity,
  negative_infinity,
  infinite,
  is_nan,
};

enum Value : uint8 {
  none,
  one,
  minus_one,
  inf,
  minus_inf,
  nan,
  pi,
  half_pi,
  quarter_pi,
  three_quarter_pi,
};

enum Manner : uint8 {
  plain,
  polar,          // times the cosine (real) and the sine (imaginary component) of b
  sine,           // the imaginary component times the sine of b
  real_unsigned,  // a component without regard to symmetry
  imag_unsigned,
};

struct Case {
  Condition a, b;
  Value real, imag;
  Manner manner;
};

// f(conj(x)) = conj(f(x)) for all of these, so rows speak about b >= +0 alone. f(-x) = -f(x) where
// f is odd and f(-x) = f(x) where it is even: then about a >= +0 alone, too.
enum Parity { NEITHER, ODD, EVEN };

COREPY_DEVICE bool holds(Condition condition, double v) {
  const double infinity = corepy::infinity<double>();
  switch (condition) {
    case any:
      return true;
    case positive_zero:
      return v == 0 && !has_sign(v);
    case zero:
      return v == 0;
    case finite:
      return is_finite(v);
    case nonzero_finite:
      return is_finite(v) && v != 0;
    case positive_finite:
      return is_finite(v) && v > 0;
    case nonzero:
      return v != 0;
    case positive_infinity:
      return v == infinity;
    case negative_infinity:
      return v == -infinity;
    case infinite:
      return v == infinity || v == -infinity;
    case is_nan:
      return v != v;
  }
  return false;
}

COREPY_DEVICE double value_of(Value value) {
  switch (value) {
    case none:
      return 0.0;
    case one:
      return 1.0;
    case minus_one:
      return -1.0;
    case inf:
      return infinity<double>();
    case minus_inf:
      return -infinity<double>();
    case nan:
      return corepy::nan<double>();
    case pi:
      return PI;
    case half_pi:
      return PI / 2;
    case quarter_pi:
      return PI / 4;
    case three_quarter_pi:
      return 3 * PI / 4;
  }
  return 0.0;
}

__device__ const Case ACOS[] = {
    {zero, is_nan, half_pi, nan},
    {finite, positive_infinity, half_pi, minus_inf},
    {nonzero_finite, is_nan, nan, nan},
    {negative_infinity, finite, pi, minus_inf},
    {positive_infinity, finite, none, minus_inf},
    {negative_infinity, positive_infinity, three_quarter_pi, minus_inf},
    {positive_infinity, positive_infinity, quarter_pi, minus_inf},
    {infinite, is_nan, nan, minus_inf},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, nan, minus_inf},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case ASINH[] = {
    {finite, positive_infinity, inf, half_pi},
    {finite, is_nan, nan, nan},
    {positive_infinity, finite, inf, none},
    {positive_infinity, positive_infinity, inf, quarter_pi},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, none},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, inf, nan},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case ATANH[] = {
    {positive_zero, is_nan, none, nan},
    {finite, positive_infinity, none, half_pi},
    {nonzero_finite, is_nan, nan, nan},
    {positive_infinity, finite, none, half_pi},
    {positive_infinity, positive_infinity, none, half_pi},
    {positive_infinity, is_nan, none, nan},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, none, half_pi},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case COSH[] = {
    {positive_zero, positive_infinity, nan, none, imag_unsigned},
    {positive_zero, is_nan, nan, none, imag_unsigned},
    {nonzero_finite, positive_infinity, nan, nan},
    {nonzero_finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, none},
    {positive_infinity, nonzero_finite, inf, inf, polar},
    {positive_infinity, positive_infinity, inf, nan},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, zero, nan, none},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, nan, nan},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case EXP[] = {
    {finite, positive_infinity, nan, nan},
    {finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, none},
    {negative_infinity, finite, none, none, polar},
    {positive_infinity, nonzero_finite, inf, inf, polar},
    {negative_infinity, positive_infinity, none, none},
    {positive_infinity, positive_infinity, inf, nan},
    {negative_infinity, is_nan, none, none},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, none},
    {is_nan, nonzero, nan, nan},
};
__device__ const Case EXPM1[] = {
    {finite, positive_infinity, nan, nan},
    {finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, none},
    {negative_infinity, finite, minus_one, none, sine},
    {positive_infinity, nonzero_finite, inf, inf, polar},
    {negative_infinity, positive_infinity, minus_one, none},
    {positive_infinity, positive_infinity, inf, nan},
    {negative_infinity, is_nan, minus_one, none},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, positive_zero, nan, none},
    {is_nan, nonzero, nan, nan},
};
__device__ const Case LOG[] = {
    {finite, positive_infinity, inf, half_pi},
    {finite, is_nan, nan, nan},
    {negative_infinity, finite, inf, pi},
    {positive_infinity, finite, inf, none},
    {negative_infinity, positive_infinity, inf, three_quarter_pi},
    {positive_infinity, positive_infinity, inf, quarter_pi},
    {infinite, is_nan, inf, nan},
    {is_nan, finite, nan, nan},
    {is_nan, positive_infinity, inf, nan},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case SINH[] = {
    {positive_zero, positive_infinity, none, nan},
    {positive_zero, is_nan, none, nan},
    {positive_finite, positive_infinity, nan, nan},
    {positive_finite, is_nan, nan, nan},
    {positive_infinity, positive_zero, inf, none},
    {positive_infinity, positive_finite, inf, inf, polar},
    {positive_infinity, positive_infinity, inf, nan, real_unsigned},
    {positive_infinity, is_nan, inf, nan, real_unsigned},
    {is_nan, positive_zero, nan, none},
    {is_nan, nonzero_finite, nan, nan},
    {is_nan, positive_infinity, nan, nan},
    {is_nan, is_nan, nan, nan},
};
__device__ const Case SQRT[] = {
    {any, positive_infinity, inf, inf},
    {finite, is_nan, nan, nan},
    {negative_infinity, finite, none, inf},
    {positive_infinity, finite, inf, none},
    {negative_infinity, is_nan, nan, inf},
    {positive_infinity, is_nan, inf, nan},
    {is_nan, any, nan, nan},
};
__device__ const Case TANH[] = {
    {nonzero_finite, positive_infinity, nan, nan},
    {positive_zero, positive_infinity, none, nan},
    {nonzero_finite, is_nan, nan, nan},
    {positive_zero, is_nan, none, nan},
    {positive_infinity, finite, one, none},
    {positive_infinity, positive_infinity, one, none},
    {positive_infinity, is_nan, one, none},
    {is_nan, positive_zero, nan, none},
    {is_nan, nonzero, nan, nan},
};

}  // namespace cases

// The first of the rows that holds for z, which is infinite or NaN.
COREPY_CALLED complex128 first_case(const cases::Case* rows, int count, cases::Parity parity,
                                    complex128 z) {
  using namespace cases;
  // The sign of a NaN is left out of a product.
  const bool a_negative = has_sign(z.real) && !(parity == EVEN && z.real != z.real);
  const bool b_negative = has_sign(z.imag);
  // f(-a + bi) is -conj(f(a + bi)) for an odd and conj(f(a + bi)) for an even function.
  const bool real_negative = parity == ODD && a_negative;
  const bool imag_negative = b_negative != (parity == EVEN && a_negative);
  const double a = parity == NEITHER ? z.real : magnitude(z.real), b = magnitude(z.imag);
  for (int i = 0; i < count; i++) {
    const Case row = rows[i];
    if (!holds(row.a, a) || !holds(row.b, b)) continue;
    double real = value_of(row.real), imag = value_of(row.imag);
    if (row.manner == polar) real *= ::cos(b);
    if (row.manner == polar || row.manner == sine) imag *= ::sin(b);
    return {turned(real, real_negative && row.manner != real_unsigned),
            turned(imag, imag_negative && row.manner != imag_unsigned)};
  }
  return z;
}
template <int COUNT>
COREPY_DEVICE complex128 first_case(const cases::Case (&rows)[COUNT], complex128 z,
                                    cases::Parity parity = cases::NEITHER) {
  return first_case(rows, COUNT, parity, z);
}

}  // namespace complex
}  // namespace corepy
