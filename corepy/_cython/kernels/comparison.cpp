// equal, not_equal, less, less_equal, greater, greater_equal.
#include "loops.hpp"

namespace corepy {

namespace {

struct Equal {
  template <class T>
  static Bool call(T a, T b) {
    return a == b;
  }
  template <class T>
  static Bool call(Complex<T> a, Complex<T> b) {
    return (a.real == b.real) & (a.imag == b.imag);
  }
  static Bool call(Bool a, Bool b) { return bool(a) == bool(b); }
};

struct NotEqual {
  template <class T>
  static Bool call(T a, T b) {
    return a != b;
  }
  template <class T>
  static Bool call(Complex<T> a, Complex<T> b) {
    return (a.real != b.real) | (a.imag != b.imag);
  }
  static Bool call(Bool a, Bool b) { return bool(a) != bool(b); }
};

struct Less {
  template <class T>
  static Bool call(T a, T b) {
    return a < b;
  }
  static Bool call(Bool a, Bool b) { return bool(a) < bool(b); }
};

struct LessEqual {
  template <class T>
  static Bool call(T a, T b) {
    return a <= b;
  }
  static Bool call(Bool a, Bool b) { return bool(a) <= bool(b); }
};

template <class T>
void fill_order(Table& table) {
  set<T>(table, OP_less, binary_loop<Less, Bool, T>);
  set<T>(table, OP_less_equal, binary_loop<LessEqual, Bool, T>);
  set<T>(table, OP_greater, swapped<binary_loop<Less, Bool, T>>);
  set<T>(table, OP_greater_equal, swapped<binary_loop<LessEqual, Bool, T>>);
}

template <class T>
void fill_equality(Table& table) {
  set<T>(table, OP_equal, binary_loop<Equal, Bool, T>);
  set<T>(table, OP_not_equal, binary_loop<NotEqual, Bool, T>);
}

}  // namespace

void fill_comparison(Table& table) {
  fill_order<Bool>(table);
  fill_equality<Bool>(table);
  for_each(Signed{}, [&](auto zero) { fill_order<decltype(zero)>(table); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill_order<T>(table);
    set_both<T>(table, OP_equal, binary_loop<Equal, Bool, T>);
    set_both<T>(table, OP_not_equal, binary_loop<NotEqual, Bool, T>);
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_order<T>(table);
    fill_equality<T>(table);
    fill_equality<Complex<T>>(table);
  });
}

}  // namespace corepy
