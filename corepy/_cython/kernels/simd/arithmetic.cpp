// add, subtract, multiply, square, negative, positive, abs, sign, conj, real, imag. On bool add and
// multiply are logical operations, which fill_logical has.
#include <limits>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Integers wrap.
COREPY_COMMUTATIVE(Add, a + b)
COREPY_BINARY(Subtract, a - b)
COREPY_UNARY(Negative, -a)
COREPY_UNARY(Abs, abs(a))

struct Multiply {
  template <class E>  // of complex numbers the last bits depend on the order
  static constexpr bool commutes = std::is_arithmetic_v<E>;

  template <class V>
  static V call(V a, V b) {
    return a * b;
  }
  template <class T>
  static VecComplex<T> call(VecComplex<T> a, VecComplex<T> b) {
    return fused_product(a, b);
  }
};

COREPY_UNARY(Square, Multiply::call(a, a))

// Of complex numbers: long enough to keep the processor busy with one vector.
struct Magnitude {
  static constexpr int unroll = 1;

  template <class T>
  static COREPY_INLINE Vec<T> call(VecComplex<T> a) {
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

struct Direction {
  template <class T>
  static COREPY_INLINE VecComplex<T> call(VecComplex<T> a) {
    return direction(a);
  }

  static constexpr int unroll = 1;
};

// Of components side by side: vectors begin with a real one, as every vector does of an even number
// of elements.
struct Conj {
  template <class T>
  static Vec<T> call(Vec<T> a) {
    return a ^ zip(Vec<T>(T(0)), Vec<T>(T(-0.0))).first;
  }
};

// One of the two components.
template <class T, bool imag>
void component_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  char* const component[] = {data[0], data[1] + (imag ? sizeof(T) : 0)};
  copy_loop<T>(n, component, steps);
}

// The imaginary component of real numbers.
template <class T>
void zero_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  const T zero = 0;
  fill<sizeof(T)>(n, data[0], steps[0], reinterpret_cast<const char*>(&zero));
}

template <class T>
void fill_common(Kernels& kernels) {
  set<T>(kernels, OP_add, binary_loop<Add, T, T>);
  set<T>(kernels, OP_subtract, binary_loop<Subtract, T, T>);
  set<T>(kernels, OP_multiply, binary_loop<Multiply, T, T>);
  set<T>(kernels, OP_negative, unary_loop<Negative, T, T>);
  set<T>(kernels, OP_square, unary_loop<Square, T, T>);
  set<T>(kernels, OP_sign, unary_loop<Sign, T, T>);
}

// Two's complement: except for sign and abs, the bits of the results do not depend on the
// signedness of the type.
template <class T>
void fill_integer(Kernels& kernels) {
  using S = std::make_signed_t<T>;
  fill_common<T>(kernels);
  for (Operation operation : {OP_add, OP_subtract, OP_multiply, OP_negative, OP_square}) {
    set<S>(kernels, operation, kernels.table[operation][dtype_of<T>].loop);
  }
  set_both<T>(kernels, OP_imag, zero_loop<T>);
  set<T>(kernels, OP_abs, copy_loop<T>);
  set<S>(kernels, OP_abs, unary_loop<Abs, S, S>);
  set<S>(kernels, OP_sign, unary_loop<Sign, S, S>);
}

template <class T>
void fill_complex(Kernels& kernels) {
  using C = Complex<T>;
  using R = TwoReals<T>;
  using A = AnyOrder<T>;
  set<C>(kernels, OP_add, binary_loop<Add, R, R>);
  set<C>(kernels, OP_subtract, binary_loop<Subtract, R, R>);
  set<C>(kernels, OP_multiply, binary_loop<Multiply, A, A>);
  set<C>(kernels, OP_negative, unary_loop<Negative, R, R>);
  set<C>(kernels, OP_square, unary_loop<Square, A, A>);
  set<C>(kernels, OP_sign, unary_loop<Direction, C, C>);
  set<C>(kernels, OP_abs, unary_loop<Magnitude, T, C>);
  set<C>(kernels, OP_conj, unary_loop<Conj, R, R>);
  set<C>(kernels, OP_real, component_loop<T, false>);
  set<C>(kernels, OP_imag, component_loop<T, true>);
}

}  // namespace

void fill_arithmetic(Kernels& kernels) {
  // These leave real numbers unchanged; complex numbers and bool are set below.
  for_each_bits([&](Dtype dtype, auto bits) {
    for (Operation operation : {OP_positive, OP_conj, OP_real}) {
      kernels.table[operation][dtype].loop = copy_loop<decltype(bits)>;
    }
  });
  set<Bool>(kernels, OP_abs, copy_loop<uint8_t>);
  for_each(Unsigned{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_common<T>(kernels);
    set<T>(kernels, OP_abs, unary_loop<Abs, T, T>);
    set<T>(kernels, OP_imag, zero_loop<T>);
    fill_complex<T>(kernels);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
