// add, subtract, multiply, square, negative, positive, abs, sign, conj, real, imag.
#include <cmath>
#include <limits>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Over vectors; integers wrap.
struct Add {
  template <class V>
  static V call(V a, V b) {
    return a + b;
  }
};

struct Subtract {
  template <class V>
  static V call(V a, V b) {
    return a - b;
  }
};

struct Multiply {
  template <class V>
  static V call(V a, V b) {
    return a * b;
  }
};

struct Square {
  template <class V>
  static V call(V a) {
    return a * a;
  }
};

struct Negative {
  template <class V>
  static V call(V a) {
    return -a;
  }
};

struct Abs {
  template <class V>
  static V call(V a) {
    return abs(a);
  }
};

struct Sign {
  template <class T>
  static Vec<T> call(Vec<T> a) {
    const Vec<T> zero = T(0);
    const Vec<T> sign = select(a > zero, Vec<T>(T(1)), zero);
    if constexpr (std::is_unsigned_v<T>) {
      return sign;
    } else if constexpr (std::is_integral_v<T>) {
      return select(a < zero, Vec<T>(T(-1)), sign);
    } else {
      return select(a < zero, Vec<T>(T(-1)), select(a != a, a, sign));
    }
  }
};

// Over elements: bool, whose bytes may be any, and complex numbers.
struct Or {
  static Bool call(Bool a, Bool b) { return a.byte | b.byte ? true : false; }
};

struct And {
  static Bool call(Bool a, Bool b) { return bool(a) & bool(b); }
};

struct ComplexAdd {
  template <class C>
  static C call(C a, C b) {
    return {a.real + b.real, a.imag + b.imag};
  }
};

struct ComplexSubtract {
  template <class C>
  static C call(C a, C b) {
    return {a.real - b.real, a.imag - b.imag};
  }
};

struct ComplexMultiply {
  template <class C>
  static C call(C a, C b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
};

struct ComplexSquare {
  template <class C>
  static C call(C a) {
    return ComplexMultiply::call(a, a);
  }
};

struct ComplexNegative {
  template <class C>
  static C call(C a) {
    return {-a.real, -a.imag};
  }
};

// hypot, for the sum of squares overflows and underflows long before the result does.
struct Magnitude {
  template <class T>
  static T call(Complex<T> a) {
    return std::hypot(a.real, a.imag);
  }
};

// a / |a|; an infinite component outweighs a finite one, two of them have no direction.
struct Direction {
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
void fill_common(Kernels& kernels) {
  set<T>(kernels, OP_add, binary_loop<Add, T, T>);
  set<T>(kernels, OP_subtract, binary_loop<Subtract, T, T>);
  set<T>(kernels, OP_multiply, binary_loop<Multiply, T, T>);
  set<T>(kernels, OP_negative, unary_loop<Negative, T, T>);
  set<T>(kernels, OP_square, unary_loop<Square, T, T>);
  set<T>(kernels, OP_sign, unary_loop<Sign, T, T>);
}

// Two's complement: but for sign and abs the bits of the results do not depend on the sign of the
// operands' type.
template <class T>
void fill_integer(Kernels& kernels) {
  using S = std::make_signed_t<T>;
  fill_common<T>(kernels);
  for (Operation operation : {OP_add, OP_subtract, OP_multiply, OP_negative, OP_square}) {
    set<S>(kernels, operation, kernels.table[operation][dtype_of<T>].loop);
  }
  set_both<T>(kernels, OP_imag, unary_elements<Zero, T, T>);
  set<T>(kernels, OP_abs, copy_loop<T>);
  set<S>(kernels, OP_abs, unary_loop<Abs, S, S>);
  set<S>(kernels, OP_sign, unary_loop<Sign, S, S>);
}

template <class T>
void fill_complex(Kernels& kernels) {
  using C = Complex<T>;
  set<C>(kernels, OP_add, binary_elements<ComplexAdd, C, C>);
  set<C>(kernels, OP_subtract, binary_elements<ComplexSubtract, C, C>);
  set<C>(kernels, OP_multiply, binary_elements<ComplexMultiply, C, C>);
  set<C>(kernels, OP_negative, unary_elements<ComplexNegative, C, C>);
  set<C>(kernels, OP_square, unary_elements<ComplexSquare, C, C>);
  set<C>(kernels, OP_sign, unary_elements<Direction, C, C>);
  set<C>(kernels, OP_abs, unary_elements<Magnitude, T, C>);
  set<C>(kernels, OP_conj, unary_elements<Conj, C, C>);
  set<C>(kernels, OP_real, unary_elements<Real, T, C>);
  set<C>(kernels, OP_imag, unary_elements<Imag, T, C>);
}

}  // namespace

void fill_arithmetic(Kernels& kernels) {
  // What leaves real numbers as they are; complex numbers and bool get their own below.
  for_each_bits([&](Dtype dtype, auto bits) {
    for (Operation operation : {OP_positive, OP_conj, OP_real}) {
      kernels.table[operation][dtype].loop = copy_loop<decltype(bits)>;
    }
  });
  set<Bool>(kernels, OP_add, binary_elements<Or, Bool, Bool>);
  set<Bool>(kernels, OP_multiply, binary_elements<And, Bool, Bool>);
  set<Bool>(kernels, OP_abs, copy_loop<uint8_t>);
  for_each(Unsigned{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_common<T>(kernels);
    set<T>(kernels, OP_abs, unary_loop<Abs, T, T>);
    set<T>(kernels, OP_imag, unary_elements<Zero, T, T>);
    fill_complex<T>(kernels);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
