// Exponentials and logarithms without tables, where AVOIDS_TABLES (polynomial.hpp): arguments are
// reduced by whole powers of 2, and polynomials are longer.
#pragma once

#include "constants.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Stands for an absent low part.
struct None {};

// x = n log(2) + rest + rest_low, |rest| about log(2) / 2 at most, for |n| as in ExpArgument. rest
// is exact, so that the error of r does not enter e^x = 2^n (1 + rest + tail()).
template <class T>
struct DirectExp {
  using Constants = ExpConstants<T>;
  // Adding this rounds to an integer, in the lowest bits.
  static constexpr T shift = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2));

  Vec<T> x;
  Vec<T> shifted, n;  // shift + n, n
  Vec<T> rest, rest_low;
  Vec<T> r;  // rest + rest_low, rounded

  explicit DirectExp(Vec<T> x) : DirectExp(x, None{}) {}
  // For x + low, where low is about the rounding error of x.
  template <class Low>
  DirectExp(Vec<T> x, Low low) : x(x) {
    shifted = multiply_add(x, Constants::log2_e, Vec<T>(shift));
    n = shifted - shift;
    rest = multiply_add(n, -Constants::ln2_high, x);
    if constexpr (std::is_same_v<Low, None>) {
      rest_low = n * -Constants::ln2_low;
    } else {
      rest_low = multiply_add(n, -Constants::ln2_low, low);
    }
    r = rest + rest_low;
  }
  // e^r - 1 - rest.
  Vec<T> tail() const {
    const Vec<T> r_squared = r * r;
    const Vec<T> series =
        multiply_add(polynomial(r, r_squared, DirectExpConstants<T>::series), r, T(0.5));
    return multiply_add(r_squared, series, rest_low);
  }
  // From shift + k: 2^k times `unit`, a power of 2. 2^k and the result must be in range.
  static Vec<T> power(Vec<T> shifted, T unit = T(1)) {
    using I = Signed_of<T>;
    return bitcast<T>((bitcast<I>(shifted) << (std::numeric_limits<T>::digits - 1)) +
                      bitcast<I>(Vec<T>(unit)));
  }
  // a * 2^n times `unit`, rounded once. n is split, so it may be twice the largest exponent.
  Vec<T> scale(Vec<T> a, T unit = T(1)) const {
    using I = Signed_of<T>;
    const Vec<T> half = multiply_add(x, Constants::log2_e / 2, Vec<T>(shift));
    const Vec<T> other = bitcast<T>(bitcast<I>(shifted) - bitcast<I>(half));
    return a * power(half, unit) * power(other);
  }
  // e^x times `unit`.
  Vec<T> value(T unit = T(1)) const { return scale((rest + tail()) + T(1), unit); }
};

// x = 2^n m, sqrt(1 / 2) <= m < sqrt(2), for positive normal x.
template <class T>
struct DirectLog {
  using I = Signed_of<T>;
  static constexpr int mantissa = std::numeric_limits<T>::digits - 1;
  static constexpr I one = I(std::numeric_limits<T>::max_exponent - 1) << mantissa;
  static constexpr I root_of_half = sizeof(T) == 8 ? I(0x3fe6a09e667f3bcd) : I(0x3f3504f3);

  Vec<I> bits;  // n as exponent, and the bits of m less those of sqrt(1 / 2)
  Vec<T> n;

  explicit DirectLog(Vec<T> x, Vec<T> e_more = T(-0.0)) {
    using U = Unsigned_of<T>;
    constexpr T large = T(uint64_t(1) << mantissa);
    constexpr T bias = std::numeric_limits<T>::max_exponent - 1;
    bits = bitcast<I>(x) + I(one - root_of_half);
    const Vec<U> exponent = bitcast<U>(bits) >> mantissa;
    n = (bitcast<T>(exponent | bitcast<U>(Vec<T>(large))) - (large + bias)) + e_more;
  }
  Vec<T> m() const { return bitcast<T>((bits & I((I(1) << mantissa) - 1)) + root_of_half); }
  // 2^-n, without e_more; it must be normal.
  Vec<T> unit() const {
    constexpr I exponents = std::numeric_limits<I>::max() & -(I(1) << mantissa);
    return bitcast<T>(Vec<I>(I(2 * one)) - (bits & exponents));
  }
};

// log(1 + f) - f = -f^2 / 2 + s (f^2 / 2 + R(s^2)), s = f / (2 + f): from log(1 + f) = 2 atanh(s).
template <class T>
struct DirectLogTail {
  Vec<T> s, z;

  explicit DirectLogTail(Vec<T> f) : s(f / (f + T(2))), z(s * s) {}
  Vec<T> operator()(Vec<T> f) const {
    const Vec<T> half = f * T(-0.5);
    const Vec<T> rest = z * polynomial(z, DirectLogConstants<T>::series);
    return multiply_add(half, f, s * multiply_add(-half, f, rest));
  }
};

// n log(2) + f to the base of Constants, in double-double.
template <class Constants, class T>
inline VecPair<Vec<T>> direct_log_base(Vec<T> n, Vec<T> f) {
  const Vec<T> base = Constants::of_2_high == 1 ? n : n * Constants::of_2_high;
  auto total = sum_ordered(base, f * Constants::of_e_high);
  if constexpr (Constants::of_e_high != 1) {
    const Vec<T> low = multiply_add(f, Constants::of_e_high, -(f * Constants::of_e_high));
    total.second = total.second + multiply_add(f, Constants::of_e_low, low);
  }
  if constexpr (Constants::of_2_low != 0) {
    total.second = multiply_add(n, Constants::of_2_low, total.second);
  }
  return total;
}

// The logarithm of 2^n (1 + f).
template <class Constants, class T>
inline Vec<T> direct_log(Vec<T> n, Vec<T> f) {
  const auto base = direct_log_base<Constants>(n, f);
  const Vec<T> tail = DirectLogTail<T>(f)(f);
  if constexpr (Constants::of_e_high == 1) return base.first + (base.second + tail);
  return base.first + multiply_add(tail, Constants::of_e_high, base.second);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
