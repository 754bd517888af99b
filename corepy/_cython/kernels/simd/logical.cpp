// logical_and, logical_or, logical_xor, logical_not, and the bitwise operations of bool.
#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

struct And {
  template <class T>
  static Bool call(T a, T b) {
    return truth(a) & truth(b);
  }
};

struct Or {
  template <class T>
  static Bool call(T a, T b) {
    return truth(a) | truth(b);
  }
};

struct Xor {
  template <class T>
  static Bool call(T a, T b) {
    return truth(a) ^ truth(b);
  }
};

struct Not {
  template <class T>
  static Bool call(T a) {
    return !truth(a);
  }
};

template <class T, class Set>
void fill(Set set) {
  set(OP_logical_and, binary_elements<And, Bool, T>);
  set(OP_logical_or, binary_elements<Or, Bool, T>);
  set(OP_logical_xor, binary_elements<Xor, Bool, T>);
  set(OP_logical_not, unary_elements<Not, Bool, T>);
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
  set<Bool>(kernels, OP_bitwise_and, binary_elements<And, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_or, binary_elements<Or, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_xor, binary_elements<Xor, Bool, Bool>);
  set<Bool>(kernels, OP_bitwise_invert, unary_elements<Not, Bool, Bool>);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
