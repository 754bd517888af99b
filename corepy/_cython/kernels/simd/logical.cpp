// logical_and, logical_or, logical_xor, logical_not, and the bitwise operations of bool.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Whether lanes are not zero; a NaN is not.
template <class T>
inline Mask<T> truth(Mask<T> a) {
  return a;
}
template <class T>
inline Mask<T> truth(Vec<T> a) {
  return a != T(0);
}
template <class T>
inline Mask<T> truth(VecComplex<T> a) {
  return truth(a.real) | truth(a.imag);
}

struct And {
  template <class E>
  static constexpr bool commutes = true;

  template <class V>
  static auto call(V a, V b) {
    return truth(a) & truth(b);
  }
};

struct Or {
  template <class E>
  static constexpr bool commutes = true;

  template <class V>
  static auto call(V a, V b) {
    return truth(a) | truth(b);
  }
};

struct Xor {
  template <class E>
  static constexpr bool commutes = true;

  template <class V>
  static auto call(V a, V b) {
    return truth(a) ^ truth(b);
  }
};

struct Not {
  template <class V>
  static auto call(V a) {
    return ~truth(a);
  }
};

template <class T, class Set>
void fill(Set set) {
  set(OP_logical_and, binary_loop<And, Bool, T>);
  set(OP_logical_or, binary_loop<Or, Bool, T>);
  set(OP_logical_xor, binary_loop<Xor, Bool, T>);
  set(OP_logical_not, unary_loop<Not, Bool, T>);
}

}  // namespace

void fill_logical(Kernels& kernels) {
  fill<Bool>([&](Operation operation, kernel loop) { set<Bool>(kernels, operation, loop); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set_both<T>(kernels, operation, loop); });
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set<T>(kernels, operation, loop); });
    fill<Complex<T>>(
        [&](Operation operation, kernel loop) { set<Complex<T>>(kernels, operation, loop); });
  });
  set<Bool>(kernels, OP_bitwise_and, binary_loop<And, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_or, binary_loop<Or, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_xor, binary_loop<Xor, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_invert, unary_loop<Not, Bool, Bool>);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
