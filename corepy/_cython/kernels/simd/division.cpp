// divide, reciprocal, floor_divide, remainder, and pow of integers.
#include <cmath>

#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

struct Divide {
  template <class T>
  static T call(T a, T b) {
    return a / b;
  }

  // Smith's algorithm (Communications of the ACM 5, 1962): no overflow where the textbook formula
  // squares b. Divides by the denominator instead of multiplying by its reciprocal, so that
  // division by a real number is exact.
  template <class T>
  static Complex<T> call(Complex<T> a, Complex<T> b) {
    // Where the imaginary component is the larger one, both numbers are turned by -90 degrees:
    // selections, not two formulas and a branch between them.
    const bool turn = std::fabs(b.real) < std::fabs(b.imag);
    const Complex<T> x = {turn ? a.imag : a.real, turn ? -a.real : a.imag};
    const Complex<T> y = {turn ? b.imag : b.real, turn ? -b.real : b.imag};
    if (y.real == 0) {  // b is 0: signed infinities and NaNs per component
      return {a.real / std::fabs(b.real), a.imag / std::fabs(b.real)};
    }
    const T ratio = y.imag / y.real;
    const T denominator = y.real + y.imag * ratio;
    return {(x.real + x.imag * ratio) / denominator, (x.imag - x.real * ratio) / denominator};
  }
};

struct Reciprocal {
  template <class T>
  static T call(T a) {
    return T(1) / a;
  }
  template <class T>
  static Complex<T> call(Complex<T> a) {
    return Divide::call(Complex<T>{1, 0}, a);
  }
};

// Python's remainder: it has the sign of the divisor.
struct Remainder {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;  // as NumPy; the hardware would trap
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;  // the lowest number / -1 would trap
        const T rest = T(a % b);
        return rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest;
      } else {
        return T(a % b);
      }
    } else {
      const T rest = std::fmod(a, b);
      if (rest == 0) return std::copysign(rest, b);
      return (rest < 0) != (b < 0) ? rest + b : rest;  // a NaN stays one
    }
  }
};

struct FloorDivide {
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return T(0 - Wrapping<T>(a));
        const T quotient = T(a / b);
        return T(quotient - ((a % b != 0) & ((a < 0) != (b < 0))));
      } else {
        return T(a / b);
      }
    } else {
      // Zeros, infinities and NaNs in any place: the standard asks for what division gives. Where
      // the quotient is a zero because b is infinite its sign is division's too (floor would leave
      // -0 alone and nothing else is left).
      if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return a / b;
      // Not floor(a / b): the rounded quotient may be the next integer. a - rest is a multiple of
      // b, so its quotient is an integer up to rounding.
      const T rest = std::fmod(a, b);
      T quotient = (a - rest) / b;
      if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
      if (quotient == 0) return std::copysign(T(0), a / b);
      const T floor = std::floor(quotient);
      return quotient - floor > T(0.5) ? floor + 1 : floor;
    }
  }
};

// Powers of integers wrap. Negative exponents, which the standard leaves undefined, truncate the
// exact power.
struct Pow {
  template <class T>
  static T call(T base, T exponent) {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) {
        if (base == -1) return exponent & 1 ? -1 : 1;
        return base == 1;
      }
    }
    Wrapping<T> power = 1, factor = Wrapping<T>(base);
    for (auto rest = std::make_unsigned_t<T>(exponent); rest != 0; rest = rest >> 1) {
      if (rest & 1) power *= factor;
      factor *= factor;
    }
    return T(power);
  }
};

template <class T>
void fill_integer(Kernels& kernels) {
  set<T>(kernels, OP_floor_divide, binary_elements<FloorDivide, T, T>);
  set<T>(kernels, OP_remainder, binary_elements<Remainder, T, T>);
  set<T>(kernels, OP_pow, binary_elements<Pow, T, T>);
}

template <class T>
void fill_division_of(Kernels& kernels) {
  set<T>(kernels, OP_divide, binary_elements<Divide, T, T>);
  set<T>(kernels, OP_reciprocal, unary_elements<Reciprocal, T, T>);
}

}  // namespace

void fill_division(Kernels& kernels) {
  for_each(Signed{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_division_of<T>(kernels);
    set<T>(kernels, OP_floor_divide, binary_elements<FloorDivide, T, T>);
    set<T>(kernels, OP_remainder, binary_elements<Remainder, T, T>);
  });
  for_each(Complexes{}, [&](auto zero) { fill_division_of<decltype(zero)>(kernels); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
