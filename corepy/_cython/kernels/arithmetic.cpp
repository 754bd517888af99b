// add, subtract, multiply, square, negative, positive, abs, sign, conj, real, imag.
#include <cmath>
#include <limits>

#include "loops.hpp"

namespace corepy {

namespace {

struct Add {
  template <class T>
  static T call(T a, T b) {
    if constexpr (is_bool<T>) {
      return a.byte | b.byte ? true : false;
    } else if constexpr (is_complex<T>) {
      return {a.real + b.real, a.imag + b.imag};
    } else if constexpr (std::is_integral_v<T>) {
      return T(Wrapping<T>(a) + Wrapping<T>(b));
    } else {
      return a + b;
    }
  }
};

struct Subtract {
  template <class T>
  static T call(T a, T b) {
    if constexpr (is_complex<T>) {
      return {a.real - b.real, a.imag - b.imag};
    } else if constexpr (std::is_integral_v<T>) {
      return T(Wrapping<T>(a) - Wrapping<T>(b));
    } else {
      return a - b;
    }
  }
};

struct Multiply {
  template <class T>
  static T call(T a, T b) {
    if constexpr (is_bool<T>) {
      return bool(a) & bool(b);
    } else if constexpr (is_complex<T>) {
      return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
    } else if constexpr (std::is_integral_v<T>) {
      return T(Wrapping<T>(a) * Wrapping<T>(b));
    } else {
      return a * b;
    }
  }
};

struct Square {
  template <class T>
  static T call(T a) {
    return Multiply::call(a, a);
  }
};

struct Negative {
  template <class T>
  static T call(T a) {
    if constexpr (is_complex<T>) {
      return {-a.real, -a.imag};
    } else if constexpr (std::is_integral_v<T>) {
      return T(0 - Wrapping<T>(a));
    } else {
      return -a;
    }
  }
};

struct Abs {
  template <class T>
  static T call(T a) {
    if constexpr (std::is_integral_v<T>) {
      return T(a < 0 ? 0 - Wrapping<T>(a) : Wrapping<T>(a));
    } else {
      return std::fabs(a);
    }
  }
  // hypot, for the sum of squares overflows and underflows long before the result does.
  template <class T>
  static T call(Complex<T> a) {
    return std::hypot(a.real, a.imag);
  }
};

struct Sign {
  template <class T>
  static T call(T a) {
    if constexpr (std::is_integral_v<T>) {
      return T((a > 0) - (a < 0));
    } else {
      return a != a ? a : T((a > 0) - (a < 0));
    }
  }

  // a / |a|; an infinite component outweighs a finite one, two of them have no direction.
  template <class T>
  static Complex<T> call(Complex<T> a) {
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    if (std::isnan(a.real) || std::isnan(a.imag)) return {nan, nan};
    if (std::isinf(a.real) || std::isinf(a.imag)) {
      if (std::isinf(a.real) && std::isinf(a.imag)) return {nan, nan};
      return std::isinf(a.real) ? Complex<T>{std::copysign(T(1), a.real), 0}
                                : Complex<T>{0, std::copysign(T(1), a.imag)};
    }
    if (a.real == 0 && a.imag == 0) return {0, 0};
    // The exponent is taken out first: |a| could overflow, or be subnormal and have lost its
    // precision.
    const int exponent = std::ilogb(std::fmax(std::fabs(a.real), std::fabs(a.imag)));
    const T real = std::scalbn(a.real, -exponent), imag = std::scalbn(a.imag, -exponent);
    const T magnitude = std::hypot(real, imag);
    return {real / magnitude, imag / magnitude};
  }
};

struct Conj {
  template <class T>
  static Complex<T> call(Complex<T> a) {
    return {a.real, -a.imag};
  }
};

struct Real {
  template <class T>
  static T call(Complex<T> a) {
    return a.real;
  }
};

struct Imag {
  template <class T>
  static T call(Complex<T> a) {
    return a.imag;
  }
};

struct Zero {
  template <class T>
  static T call(T) {
    return 0;
  }
};

template <class T>
void fill_common(Table& table) {
  set<T>(table, OP_add, binary_loop<Add, T, T>);
  set<T>(table, OP_subtract, binary_loop<Subtract, T, T>);
  set<T>(table, OP_multiply, binary_loop<Multiply, T, T>);
  set<T>(table, OP_negative, unary_loop<Negative, T, T>);
  set<T>(table, OP_square, unary_loop<Square, T, T>);
  set<T>(table, OP_sign, unary_loop<Sign, T, T>);
}

// Two's complement: the bits of these results do not depend on the sign of the operands' type.
template <class T>
void fill_integer(Table& table) {
  using S = std::make_signed_t<T>;
  set_both<T>(table, OP_add, binary_loop<Add, T, T>);
  set_both<T>(table, OP_subtract, binary_loop<Subtract, T, T>);
  set_both<T>(table, OP_multiply, binary_loop<Multiply, T, T>);
  set_both<T>(table, OP_negative, unary_loop<Negative, T, T>);
  set_both<T>(table, OP_square, unary_loop<Square, T, T>);
  set_both<T>(table, OP_imag, unary_loop<Zero, T, T>);
  set<T>(table, OP_abs, copy_loop<T>);
  set<S>(table, OP_abs, unary_loop<Abs, S, S>);
  set<T>(table, OP_sign, unary_loop<Sign, T, T>);
  set<S>(table, OP_sign, unary_loop<Sign, S, S>);
}

template <class T>
void fill_complex(Table& table) {
  using C = Complex<T>;
  fill_common<C>(table);
  set<C>(table, OP_abs, unary_loop<Abs, T, C>);
  set<C>(table, OP_conj, unary_loop<Conj, C, C>);
  set<C>(table, OP_real, unary_loop<Real, T, C>);
  set<C>(table, OP_imag, unary_loop<Imag, T, C>);
}

}  // namespace

void fill_arithmetic(Table& table) {
  // What leaves real numbers as they are; complex numbers and bool get their own below.
  for_each_bits([&](Dtype dtype, auto bits) {
    for (Operation operation : {OP_positive, OP_conj, OP_real}) {
      table[operation][dtype].loop = copy_loop<decltype(bits)>;
    }
  });
  set<Bool>(table, OP_add, binary_loop<Add, Bool, Bool>);
  set<Bool>(table, OP_multiply, binary_loop<Multiply, Bool, Bool>);
  set<Bool>(table, OP_abs, copy_loop<uint8_t>);
  for_each(Unsigned{}, [&](auto zero) { fill_integer<decltype(zero)>(table); });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_common<T>(table);
    set<T>(table, OP_abs, unary_loop<Abs, T, T>);
    set<T>(table, OP_imag, unary_loop<Zero, T, T>);
    fill_complex<T>(table);
  });
}

}  // namespace corepy
