// logical_and, logical_or, logical_xor, logical_not, and the bitwise operations of bool.
#include "loops.hpp"

namespace corepy {

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
  set(OP_logical_and, binary_loop<And, Bool, T>);
  set(OP_logical_or, binary_loop<Or, Bool, T>);
  set(OP_logical_xor, binary_loop<Xor, Bool, T>);
  set(OP_logical_not, unary_loop<Not, Bool, T>);
}

}  // namespace

void fill_logical(Table& table) {
  fill<Bool>([&](Operation operation, kernel loop) { set<Bool>(table, operation, loop); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set_both<T>(table, operation, loop); });
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill<T>([&](Operation operation, kernel loop) { set<T>(table, operation, loop); });
    fill<Complex<T>>(
        [&](Operation operation, kernel loop) { set<Complex<T>>(table, operation, loop); });
  });
  set<Bool>(table, OP_bitwise_and, binary_loop<And, Bool, Bool>);
  set<Bool>(table, OP_bitwise_or, binary_loop<Or, Bool, Bool>);
  set<Bool>(table, OP_bitwise_xor, binary_loop<Xor, Bool, Bool>);
  set<Bool>(table, OP_bitwise_invert, unary_loop<Not, Bool, Bool>);
}

}  // namespace corepy
