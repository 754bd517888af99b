// floor, ceil, trunc, round, sqrt, copysign, and the predicates of floating-point numbers: isnan,
// isinf, isfinite, signbit.
#include <limits>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

COREPY_UNARY(Round, nearest(a))
COREPY_UNARY(Floor, floor(a))
COREPY_UNARY(Ceil, ceil(a))
COREPY_UNARY(Trunc, trunc(a))
COREPY_UNARY(Sqrt, sqrt(a))
COREPY_BINARY(CopySign, copysign(a, b))

COREPY_UNARY(SignBit, is_negative(a))
// Of a complex number: of either component, for isfinite of both.
COREPY_UNARY(IsNan, is_nan(a))
COREPY_UNARY(IsInf, is_infinite(a))
COREPY_UNARY(IsFinite, is_finite(a))

// A constant result, for dtypes whose elements all have it: no integer is a NaN.
template <bool answer>
void constant_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (steps[0] == 1) {
    std::memset(data[0], answer, size_t(n));
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) data[0][i * steps[0]] = answer;
}

COREPY_BINARY(RoundFractions, (nearest(a * b) / b))
COREPY_BINARY(RoundMultiples, nearest(a / b) * b)

struct Heaviside {
  template <class T>
  static Vec<T> call(Vec<T> x, Vec<T> at_zero) {
    const Vec<T> sides = select(x < T(0), Vec<T>(T(0)), select(x > T(0), Vec<T>(T(1)), x));
    return select(x == T(0), at_zero, sides);
  }
};

template <class T>
void fill_questions(Kernels& kernels) {
  set<T>(kernels, OP_isnan, unary_loop<IsNan, Bool, T>);
  set<T>(kernels, OP_isinf, unary_loop<IsInf, Bool, T>);
  set<T>(kernels, OP_isfinite, unary_loop<IsFinite, Bool, T>);
  set<T>(kernels, OP_round, unary_loop<Round, T, T>);
}

template <class T>
void fill_floating(Kernels& kernels) {
  fill_questions<T>(kernels);
  fill_questions<Complex<T>>(kernels);
  set<T>(kernels, OP_floor, unary_loop<Floor, T, T>);
  set<T>(kernels, OP_ceil, unary_loop<Ceil, T, T>);
  set<T>(kernels, OP_trunc, unary_loop<Trunc, T, T>);
  set<T>(kernels, OP_sqrt, unary_loop<Sqrt, T, T>);
  set<T>(kernels, OP_copysign, binary_loop<CopySign, T, T>);
  set<T>(kernels, OP_signbit, unary_loop<SignBit, Bool, T>);
  set<T>(kernels, OP_round_fractions, binary_loop<RoundFractions, T, T>);
  set<T>(kernels, OP_round_multiples, binary_loop<RoundMultiples, T, T>);
  set<T>(kernels, OP_heaviside, binary_loop<Heaviside, T, T>);
}

template <class T>
void fill_integer(Kernels& kernels) {
  for (Operation operation : {OP_floor, OP_ceil, OP_trunc, OP_round}) {
    set_both<T>(kernels, operation, copy_loop<T>);
  }
  using S = std::make_signed_t<T>;
  set<S>(kernels, OP_signbit, unary_loop<SignBit, Bool, S>);
  set<T>(kernels, OP_signbit, constant_loop<false>);
}

}  // namespace

void fill_rounding(Kernels& kernels) {
  for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
    if (is_inexact(Dtype(dtype))) continue;
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
