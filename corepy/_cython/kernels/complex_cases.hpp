// What the standard says about functions of complex numbers that are infinite or NaN.
#pragma once

#include "../schema/special_cases.def"

#if !defined(COREPY_GPU)
#include <cmath>
#include <limits>

#include "operations.hpp"
#endif

namespace corepy {
inline namespace COREPY_TARGET {
namespace complex_cases {

#define CONDITION(name, kinds) IS_##name = kinds,
enum Condition : uint8_t { SPECIAL_CONDITIONS(CONDITION) };
#undef CONDITION
enum Manner : uint8_t { plain, polar, sine, real_unsigned, imag_unsigned };
enum Parity : uint8_t { neither, odd, even };

constexpr double infinity = std::numeric_limits<double>::infinity(), minus_infinity = -infinity;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double zero = 0, one = 1, minus_one = -1, pi = 3.141592653589793;
constexpr double half_pi = pi / 2, quarter_pi = pi / 4, three_quarter_pi = 3 * pi / 4;

struct Case {
  Condition a, b;
  double real, imag;
  Manner manner;
};
struct Table {
  Parity parity;
  Case cases[12];  // unused ones have conditions that no number satisfies
};

inline uint8_t kind_of(double v) {
  if (v != v) return IS_nan;
  uint8_t kind = std::fabs(v) == infinity ? IS_positive_infinity : IS_positive_finite;
  if (v == 0) kind = IS_positive_zero;
  return std::copysign(1.0, v) < 0 ? kind << 1 : kind;
}

inline __attribute__((noinline)) void apply(const Table& table, double a, double b,
                                            double* components) {
  // The sign of a NaN is left out of a product.
  const double sign_of_a = table.parity == even && a != a ? 1 : std::copysign(1.0, a);
  const double sign_of_b = std::copysign(1.0, b);
  // f(-a + bi) is -conj(f(a + bi)) for an odd and conj(f(a + bi)) for an even function.
  const double sign_of_real = table.parity == odd ? sign_of_a : 1;
  const double sign_of_imag = table.parity == even ? sign_of_a * sign_of_b : sign_of_b;
  if (table.parity != neither) a = std::fabs(a);
  b = std::fabs(b);
  const uint8_t kind_of_a = kind_of(a), kind_of_b = kind_of(b);
  for (const Case& row : table.cases) {
    if (!(row.a & kind_of_a) || !(row.b & kind_of_b)) continue;
    double real = row.real, imag = row.imag;
    if (row.manner == polar) real *= std::cos(b);
    if (row.manner == polar || row.manner == sine) imag *= std::sin(b);
    components[0] = row.manner == real_unsigned ? real : sign_of_real * real;
    components[1] = row.manner == imag_unsigned ? imag : sign_of_imag * imag;
    return;
  }
}

// Replaces `components` (real, imaginary) by f(a + bi) where the standard has a rule for it: a or b
// is infinite or NaN. For the functions in schema/special_cases.def; what others do follows from
// theirs.
template <Operation operation>
inline void replace(double a, double b, double* components) {
#define CASE(a, b, real, imag, manner) {IS_##a, IS_##b, real, imag, manner},
#define FUNCTION(name, parity)                                             \
  if constexpr (operation == OP_##name) {                                  \
    static constexpr Table table = {parity, {SPECIAL_CASES_##name(CASE)}}; \
    apply(table, a, b, components);                                        \
  }
#define MULTIPLE(name, of, factor)        \
  if constexpr (operation == OP_##name) { \
    replace<OP_##of>(a, b, components);   \
    components[0] *= factor;              \
    components[1] *= factor;              \
  }
  SPECIAL_FUNCTIONS(FUNCTION)
  SPECIAL_MULTIPLES(MULTIPLE)
#undef CASE
#undef FUNCTION
#undef MULTIPLE
}

}  // namespace complex_cases
}  // namespace COREPY_TARGET
}  // namespace corepy
