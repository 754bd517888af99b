// pow of floating-point numbers; division.cpp has pow of integers.
#include "math/scheduling.hpp"

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/pow.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Unlike the square root, the power of -0 is 0, and the power of -infinity is infinity.
struct HalfPower {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    return select(x == -infinity, Vec<T>(infinity), sqrt(x + T(0)));
  }
};

// first + second, but first where that is an end of the range: second may be NaN there, and would
// take the sign of 0.
template <class T>
inline Vec<T> rounded_once(Vec<T> first, Vec<T> second) {
  const Vec<T> size = abs(first);
  const Mask<T> usual = (size > T(0)) & (size < std::numeric_limits<T>::infinity());
  return select(usual, first + second, first);
}

// The square is exact as a double-double, so the error is little more than the last sum's rounding.
struct ThirdPower {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    const auto square = product(x, x);
    const auto cube = product(square.first, x);
    return rounded_once(cube.first, multiply_add(square.second, x, cube.second));
  }
};
struct FourthPower {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    const auto square = product(x, x);
    const auto fourth = product(square.first, square.first);
    return rounded_once(fourth.first,
                        multiply_add(square.first, square.second + square.second, fourth.second));
  }
};

}  // namespace

void fill_power(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_pow, binary_loop<Pow, T, T>);
    kernels.powers.half[dtype_of<T>] = unary_loop<HalfPower, T, T>;
    // The low words of products near the ends of the range are exact with fused operations alone.
    if constexpr (HAS_FMA) {
      kernels.powers.third[dtype_of<T>] = unary_loop<ThirdPower, T, T>;
      kernels.powers.fourth[dtype_of<T>] = unary_loop<FourthPower, T, T>;
    }
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
