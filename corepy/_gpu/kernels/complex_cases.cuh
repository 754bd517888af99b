// The standard's special cases, as the CPU applies them (corepy/_cython/kernels/complex_cases.cpp).
#pragma once

#include "../../_cython/schema/special_cases.def"
#include "complex_words.cuh"

namespace corepy {
namespace complex {
namespace cases {

#define CONDITION(name, kinds) IS_##name = kinds,
enum Condition : uint8 { SPECIAL_CONDITIONS(CONDITION) };
#undef CONDITION
enum Manner : uint8 { plain, polar, sine, real_unsigned, imag_unsigned };
enum Parity : uint8 { neither, odd, even };

// Tables in device memory need constant initialisers, which infinity and NaN are not.
enum Value : uint8 {
  VALUE_zero,
  VALUE_one,
  VALUE_minus_one,
  VALUE_pi,
  VALUE_half_pi,
  VALUE_quarter_pi,
  VALUE_three_quarter_pi,
  VALUE_infinity,
  VALUE_minus_infinity,
  VALUE_nan,
};
__device__ const double FINITE[] = {0.0, 1.0, -1.0, PI, PI / 2, PI / 4, 3 * PI / 4};

COREPY_DEVICE double number_of(Value value) {
  if (value < VALUE_infinity) return FINITE[value];
  return value == VALUE_nan ? nan<double>() : turned(infinity<double>(), value != VALUE_infinity);
}

struct Case {
  Condition a, b;
  Value real, imag;
  Manner manner;
};
struct Table {
  Parity parity;
  Case cases[12];  // no number satisfies the conditions of unused ones
};
#define CASE(a, b, real, imag, manner) {IS_##a, IS_##b, VALUE_##real, VALUE_##imag, manner},
#define FUNCTION(name, parity) __device__ const Table name = {parity, {SPECIAL_CASES_##name(CASE)}};
SPECIAL_FUNCTIONS(FUNCTION)
#undef CASE
#undef FUNCTION

COREPY_DEVICE uint8 kind_of(double v) {
  if (v != v) return IS_nan;
  uint8 kind = is_finite(v) ? IS_positive_finite : IS_positive_infinity;
  if (v == 0) kind = IS_positive_zero;
  return has_sign(v) ? kind << 1 : kind;
}

}  // namespace cases

// The result of the first case that z, which is infinite or NaN, satisfies.
COREPY_CALLED complex128 first_case(const cases::Table& table, complex128 z) {
  using namespace cases;
  // The sign of a NaN is ignored for even functions.
  const bool a_negative = has_sign(z.real) && !(table.parity == even && z.real != z.real);
  const bool b_negative = has_sign(z.imag);
  // f(-a + bi) is -conj(f(a + bi)) for odd and conj(f(a + bi)) for even functions.
  const bool real_negative = table.parity == odd && a_negative;
  const bool imag_negative = b_negative != (table.parity == even && a_negative);
  const double a = table.parity == neither ? z.real : magnitude(z.real), b = magnitude(z.imag);
  const uint8 kind_of_a = kind_of(a), kind_of_b = kind_of(b);
  for (const Case& row : table.cases) {
    if (!(row.a & kind_of_a) || !(row.b & kind_of_b)) continue;
    double real = number_of(row.real), imag = number_of(row.imag);
    if (row.manner == polar) real *= ::cos(b);
    if (row.manner == polar || row.manner == sine) imag *= ::sin(b);
    return {turned(real, real_negative && row.manner != real_unsigned),
            turned(imag, imag_negative && row.manner != imag_unsigned)};
  }
  return z;
}

}  // namespace complex
}  // namespace corepy
