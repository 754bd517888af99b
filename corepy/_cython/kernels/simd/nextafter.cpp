// nextafter, spacing, ldexp.
#include "loops.hpp"
#include "math/polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// As integers, the numbers of one sign are in the order of their magnitudes.
struct NextAfter {
  template <class T>
  static Vec<T> call(Vec<T> x1, Vec<T> x2) {
    using S = Signed_of<T>;
    const Mask<T> away_from_zero = (x2 > x1) ^ is_negative(x1);
    const Vec<S> step = select(mask_cast<S>(away_from_zero), Vec<S>(S(1)), S(-1));
    const Vec<T> next = bitcast<T>(bitcast<S>(x1) + step);
    const Vec<T> smallest = sign_bit_of(x2) | std::numeric_limits<T>::denorm_min();
    const Vec<T> other = select(x1 == T(0), smallest, next);
    const Mask<T> ordered = (x1 == x1) & (x2 == x2);
    return select(ordered, select(x1 == x2, x2, other), x1 + x2);
  }
};

// The distance to the next number of greater magnitude, with the sign of x.
struct Spacing {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    using S = Signed_of<T>;
    const Vec<T> size = abs(x);
    const Vec<T> step = bitcast<T>(bitcast<S>(size) + S(1)) - size;
    const Vec<T> finite = select(x < T(0), -step, step);
    return select(size < std::numeric_limits<T>::infinity(), finite, x - x);
  }
};

// x 2^exponent for the integral part of the exponent, rounded once: products in steps, the last of
// which alone can be subnormal.
struct Ldexp {
  template <class T>
  static Vec<T> call(Vec<T> x, Vec<T> exponent) {
    using limits = std::numeric_limits<T>;
    constexpr int greatest = limits::max_exponent - 1, least = limits::min_exponent - 1;
    constexpr int down = least + limits::digits;
    const Vec<T> up_step = power_of_two<T>(Vec<T>(T(greatest)));
    const Vec<T> down_step = power_of_two<T>(Vec<T>(T(down)));
    const Mask<T> ordered = exponent == exponent;
    exponent = select(ordered, trunc(exponent), T(0));
    x = select(ordered, x, std::numeric_limits<T>::quiet_NaN());
    for (int k = 0; k < 2; k++) {
      const Mask<T> above = exponent > T(greatest), below = exponent < T(least);
      x = select(above, x * up_step, select(below, x * down_step, x));
      exponent = select(above, exponent - T(greatest), select(below, exponent - T(down), exponent));
    }
    exponent = max_of_numbers(min_of_numbers(exponent, Vec<T>(T(greatest))), Vec<T>(T(least)));
    return x * power_of_two<T>(exponent);
  }

  // 2^exponent of an integer within the range of normal numbers.
  template <class T>
  static Vec<T> power_of_two(Vec<T> exponent) {
    using S = Signed_of<T>;
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    // The lowest bits of 1.5 2^digits + n are those of n.
    constexpr T shift = T(3) * T(S(1) << (digits - 1));
    const Vec<S> n = bitcast<S>(exponent + shift) - bitcast<S>(Vec<T>(shift));
    return bitcast<T>((n + S(std::numeric_limits<T>::max_exponent - 1)) << digits);
  }
};

template <class T>
void fill_neighbours(Kernels& kernels) {
  set<T>(kernels, OP_nextafter, binary_loop<NextAfter, T, T>);
  set<T>(kernels, OP_spacing, unary_loop<Spacing, T, T>);
  set<T>(kernels, OP_ldexp, binary_loop<Ldexp, T, T>);
}

}  // namespace

void fill_nextafter(Kernels& kernels) {
  fill_neighbours<float>(kernels);
  fill_neighbours<double>(kernels);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
