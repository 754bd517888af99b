// equal, not_equal, less, less_equal, greater, greater_equal.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The operands of bool are masks; all results are masks.
COREPY_COMMUTATIVE(Equal, a == b)
COREPY_COMMUTATIVE(NotEqual, a != b)
COREPY_BINARY(Less, a < b)
COREPY_BINARY(LessEqual, a <= b)

// The bits of an int64 and of a uint64, both as int64. If either sign bit is set, the first number
// is the smaller one.
template <class F, bool negated>
struct WithUnsigned {
  template <class V>
  static auto call(V a, V b) {
    const auto found = F::call(a, b) | ((a | b) < V(0));
    if constexpr (negated) {
      return ~found;
    } else {
      return found;
    }
  }
};

template <class F, bool negated>
void set_mixed(Kernels& kernels, Operation operation, Operation exchanged) {
  constexpr kernel loop = binary_loop<WithUnsigned<F, negated>, Bool, int64_t>;
  kernels.mixed_comparisons[false][operation] = loop;
  kernels.mixed_comparisons[true][exchanged] = swapped<loop>;
}

template <class T>
void fill_order(Kernels& kernels) {
  set<T>(kernels, OP_less, binary_loop<Less, Bool, T>);
  set<T>(kernels, OP_less_equal, binary_loop<LessEqual, Bool, T>);
  set<T>(kernels, OP_greater, swapped<binary_loop<Less, Bool, T>>);
  set<T>(kernels, OP_greater_equal, swapped<binary_loop<LessEqual, Bool, T>>);
}

template <class T>
void fill_equality(Kernels& kernels) {
  set<T>(kernels, OP_equal, binary_loop<Equal, Bool, T>);
  set<T>(kernels, OP_not_equal, binary_loop<NotEqual, Bool, T>);
}

}  // namespace

void fill_comparison(Kernels& kernels) {
  fill_order<Bool>(kernels);
  fill_equality<Bool>(kernels);
  for_each(RealNumbers{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    set_both<T>(kernels, OP_equal, binary_loop<Equal, Bool, T>);
    set_both<T>(kernels, OP_not_equal, binary_loop<NotEqual, Bool, T>);
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_equality<T>(kernels);
    fill_equality<Complex<T>>(kernels);
  });
  set_mixed<NotEqual, false>(kernels, OP_not_equal, OP_not_equal);
  set_mixed<NotEqual, true>(kernels, OP_equal, OP_equal);
  set_mixed<Less, false>(kernels, OP_less, OP_greater);
  set_mixed<Less, true>(kernels, OP_greater_equal, OP_less_equal);
  set_mixed<LessEqual, false>(kernels, OP_less_equal, OP_greater_equal);
  set_mixed<LessEqual, true>(kernels, OP_greater, OP_less);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
