// maximum, minimum, fmax, fmin, clip, where.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// A NaN in either operand is the result.
template <bool greatest>
struct Extreme {
  template <class E>
  static constexpr bool commutes = !std::is_floating_point_v<E>;  // zeros have signs

  template <class T>
  static Vec<T> call(Vec<T> a, Vec<T> b) {
    const Vec<T> found = greatest ? max_of_numbers(b, a) : min_of_numbers(b, a);
    if constexpr (std::is_integral_v<T>) return found;
    return select(b != b, b, found);
  }
  template <class T>
  static Mask<T> call(Mask<T> a, Mask<T> b) {
    return greatest ? a | b : a & b;
  }
};
using Maximum = Extreme<true>;
using Minimum = Extreme<false>;

// The other operand where one is NaN.
COREPY_BINARY(GreatestNumber, select((a >= b) | (b != b), a, b))
COREPY_BINARY(LeastNumber, select((a <= b) | (b != b), a, b))

struct Clip {
  template <class V>
  static V call(V x, V lower, V upper) {
    return Minimum::call(Maximum::call(x, lower), upper);
  }
};

// Reads both values and selects one, so random conditions cause no mispredicted branches.
struct Where {
  template <class T, class V>
  static V call(Mask<T> condition, V a, V b) {
    return select(condition, a, b);
  }
};

template <class T>
void fill_order(Kernels& kernels) {
  set<T>(kernels, OP_maximum, binary_loop<Maximum, T, T>);
  set<T>(kernels, OP_minimum, binary_loop<Minimum, T, T>);
  set<T>(kernels, OP_clip, vector_loop<Clip, T, T, T, T>);
  if constexpr (std::is_floating_point_v<T>) {
    set<T>(kernels, OP_fmax, binary_loop<GreatestNumber, T, T>);
    set<T>(kernels, OP_fmin, binary_loop<LeastNumber, T, T>);
  } else {
    set<T>(kernels, OP_fmax, binary_loop<Maximum, T, T>);
    set<T>(kernels, OP_fmin, binary_loop<Minimum, T, T>);
  }
}

template <class T>
constexpr kernel where_loop = vector_loop<Where, T, Bool, T, T>;

}  // namespace

void fill_selection(Kernels& kernels) {
  fill_order<Bool>(kernels);
  for_each(RealNumbers{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  // A selection of bits, the same for all dtypes of one size.
  set<Bool>(kernels, OP_where, where_loop<uint8_t>);
  for_each(RealNumbers{}, [&](auto zero) {
    set<decltype(zero)>(kernels, OP_where, where_loop<Word<decltype(zero)>>);
  });
  for_each(Halves{},
           [&](auto zero) { set<decltype(zero)>(kernels, OP_where, where_loop<uint16_t>); });
  for_each(Complexes{},
           [&](auto zero) { set<decltype(zero)>(kernels, OP_where, where_loop<decltype(zero)>); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
