// equal, not_equal, less, less_equal, greater, greater_equal.
#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

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
void fill_order(Kernels& kernels) {
  set<T>(kernels, OP_less, binary_elements<Less, Bool, T>);
  set<T>(kernels, OP_less_equal, binary_elements<LessEqual, Bool, T>);
  set<T>(kernels, OP_greater, swapped<binary_elements<Less, Bool, T>>);
  set<T>(kernels, OP_greater_equal, swapped<binary_elements<LessEqual, Bool, T>>);
}

template <class T>
void fill_equality(Kernels& kernels) {
  set<T>(kernels, OP_equal, binary_elements<Equal, Bool, T>);
  set<T>(kernels, OP_not_equal, binary_elements<NotEqual, Bool, T>);
}

}  // namespace

void fill_comparison(Kernels& kernels) {
  fill_order<Bool>(kernels);
  fill_equality<Bool>(kernels);
  for_each(Signed{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill_order<T>(kernels);
    set_both<T>(kernels, OP_equal, binary_elements<Equal, Bool, T>);
    set_both<T>(kernels, OP_not_equal, binary_elements<NotEqual, Bool, T>);
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_order<T>(kernels);
    fill_equality<T>(kernels);
    fill_equality<Complex<T>>(kernels);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
