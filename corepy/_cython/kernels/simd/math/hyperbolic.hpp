// Hyperbolic functions and their inverses over Vec<T>.
#pragma once

#include "exp.hpp"
#include "log.hpp"
#include "pieces.hpp"
#include "tanh_table.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// What 2 sinh(|x|) and 2 cosh(|x|) are made of:
//
//   e^|x| = 2^n power (1 + residue) e^r,  e^-|x| = 2^n power_minus (1 + residue_minus) e^-r
//
// and 2^-n times their difference and sum at r = 0 in two words. A sinh(r) and a cosh(r) - 1 carry
// the rest, so that nothing cancels where x is close to 0.
template <class T>
struct HyperbolicParts {
  Vec<T> n, r, r_low, r_squared;
  Vec<T> power, power_minus, residue, residue_minus;
  VecPair<Vec<T>> difference, total;

  explicit HyperbolicParts(Vec<T> x) {
    // Beyond this bound both are infinity.
    const Vec<T> magnitude = min_of_numbers(Vec<T>(T(sizeof(T) == 8 ? 712 : 91)), abs(x));
    const ExpArgument<T> argument(magnitude);
    n = floor(argument.sixteenths);
    r = argument.r;
    r_low = argument.r_low(magnitude);
    r_squared = r * r;
    power = argument.power();
    residue = argument.residue();
    const auto minus = bitcast<Signed_of<T>>(ExpArgument<T>::shift - argument.sixteenths);
    // Less than 2^-128 does not count.
    const Vec<T> n_minus = max_of_numbers(Vec<T>(T(-128)), -argument.sixteenths - n);
    power_minus = scale(lookup(ExpConstants<T>::power, minus), n_minus);
    residue_minus = lookup(ExpConstants<T>::residue, minus);
    difference = sum_ordered(power, -power_minus);
    total = sum_ordered(power, power_minus);
  }
  // (sinh(r) - r) / r^3.
  Vec<T> sinh_series() const {
    return multiply_add(multiply_add(r_squared, T(1) / 5040, T(1) / 120), r_squared, T(1) / 6);
  }
  // cosh(r) - 1.
  Vec<T> cosh_series() const {
    const Vec<T> low = multiply_add(r_squared, T(1) / 40320, T(1) / 720);
    return r_squared * multiply_add(multiply_add(low, r_squared, T(1) / 24), r_squared, T(0.5));
  }
};

struct Sinh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const HyperbolicParts<T> parts(x);
    const auto slope = product(parts.total.first, parts.r);
    const auto main = sum_ordered(parts.difference.first, slope.first);
    const Vec<T> cubic = multiply_add(parts.sinh_series(), parts.r_squared * parts.r, parts.r_low);
    const Vec<T> residues =
        multiply_add(parts.residue, parts.r, parts.residue) * parts.power +
        multiply_add(parts.residue_minus, parts.r, -parts.residue_minus) * parts.power_minus;
    Vec<T> rest = multiply_add(parts.total.second, parts.r, parts.difference.second + residues);
    rest = multiply_add(parts.difference.first, parts.cosh_series(), rest + slope.second);
    rest = multiply_add(parts.total.first, cubic, rest + main.second);
    return scale(main.first + rest, parts.n - T(1)) | sign_bit_of(x);
  }
};

struct Cosh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const HyperbolicParts<T> parts(x);
    const Vec<T> sinh_r =
        multiply_add(parts.sinh_series(), parts.r_squared * parts.r, parts.r_low) + parts.r;
    const Vec<T> residues =
        multiply_add(parts.residue, parts.power, parts.residue_minus * parts.power_minus);
    Vec<T> rest = multiply_add(parts.difference.first, sinh_r, parts.total.second + residues);
    rest = multiply_add(parts.total.first, parts.cosh_series(), rest);
    return scale(parts.total.first + rest, parts.n - T(1));
  }
};

// tanh(x_j + d) = T + (1 - T^2) t / (1 + T t),  T = tanh(x_j), t = tanh(d), x_j in a table.
struct Tanh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    if constexpr (sizeof(T) == 4 && LOOKS_UP_32) {
      return in_pieces<TanhPieces>(x) | sign_bit_of(x);
    }
    using Table = TanhTable<T>;
    constexpr T large = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2));
    const Vec<T> magnitude = abs(x), limit = T(Table::limit);
    // The first takes NaN for the limit, for the sake of the index; the second keeps it.
    const Vec<T> shifted =
        multiply_add(min_of_numbers(magnitude, limit), T(1 / Table::step), Vec<T>(large));
    const Vec<T> d =
        multiply_add(shifted - large, T(-Table::step), min_of_numbers(limit, magnitude));
    const auto entry = Table::look_up(bitcast<Signed_of<T>>(shifted));
    const Vec<T> base = entry.first, d_squared = d * d;
    // t = d + cubic.
    Vec<T> cubic = multiply_add(d_squared, T(62) / 2835, T(-17) / 315);
    cubic = multiply_add(multiply_add(cubic, d_squared, T(2) / 15), d_squared, T(-1) / 3);
    cubic = cubic * (d * d_squared);
    const Vec<T> t = d + cubic;
    // y / (1 + y) = y (1 - y) (1 + y^2) (1 + y^4) ...
    const Vec<T> y = base * t, y2 = y * y, y4 = y2 * y2;
    Vec<T> quotient = y - y2;
    quotient = multiply_add(quotient, y2, quotient);
    quotient = multiply_add(quotient, y4, quotient);
    // (1 - T^2) t / (1 + T t) = leading + rest. The first is d, which is added to T exactly, but 0
    // where all of it is small next to T and d much larger.
    Vec<T> leading = d, part = multiply_add(-t, quotient, cubic);
    const Vec<T> fraction = d + part;
    if constexpr (sizeof(T) == 4) {
      const Mask<T> steep = base < T(0.75);
      leading = select(steep, d, T(0));
      part = select(steep, part, fraction);
    }
    const Vec<T> rest = multiply_add(base * base, -fraction, part);
    const auto total = sum_ordered(base, leading);
    return (total.first + (total.second + (rest + entry.second))) | sign_bit_of(x);
  }
};

// The square root of x.first + x.second > 0, in two words.
template <class T>
inline VecPair<Vec<T>> sqrt_of_pair(VecPair<Vec<T>> x) {
  const Vec<T> root = sqrt(x.first);
  const auto square = product(root, root);
  const Vec<T> rest = ((x.first - square.first) - square.second) + x.second;
  return {root, rest / (root + root)};
}

// Above this number a, a^2 + 1 and a^2 - 1 are as good as a^2.
template <class T>
constexpr T LARGE = T(uint64_t(1) << (sizeof(T) == 8 ? 30 : 14));
// Below this one asinh and atanh are as good as a.
template <class T>
constexpr T SMALL = 1 / LARGE<T>;

// log(a + sqrt(a^2 + one)), for one = 1 or -1.
template <class T>
inline Vec<T> log_of_sum_with_root(Vec<T> a, T one) {
  const Mask<T> large = a > LARGE<T>;
  const Vec<T> usual = select(large, T(1.5), a);
  const auto square = product(usual, usual);
  auto radicand = sum(square.first, Vec<T>(one));
  radicand = sum_ordered(radicand.first, radicand.second + square.second);
  auto root = sqrt_of_pair(radicand);
  root.second = select(radicand.first == T(0), T(0), root.second);
  auto argument = one > 0 ? sum_ordered(root.first, usual) : sum_ordered(usual, root.first);
  argument.first = select(large, a, argument.first);
  argument.second = select(large, T(0), argument.second + root.second);
  const auto result = log_of_pair(argument, select(large, Vec<T>(T(1)), Vec<T>(T(0))));
  return result.first + result.second;
}

struct Asinh {
  static constexpr int unroll = 2;
  template <class T>
  static Vec<T> call(Vec<T> x) {
    const Vec<T> a = abs(x);
    const Vec<T> result = log_of_sum_with_root(a, T(1));
    const Mask<T> usual = (a > SMALL<T>)&(a < std::numeric_limits<T>::infinity());
    return select(usual, result, a) | sign_bit_of(x);
  }
};

struct Acosh {
  static constexpr int unroll = 2;
  template <class T>
  static Vec<T> call(Vec<T> x) {
    const Vec<T> result = log_of_sum_with_root(x, T(-1));
    const Vec<T> in_domain = select(x < std::numeric_limits<T>::infinity(), result, x);
    return select(x >= T(1), in_domain, std::numeric_limits<T>::quiet_NaN());
  }
};

// atanh(a) = log((1 + a) / (1 - a)) / 2.
struct Atanh {
  static constexpr int unroll = 2;
  template <class T>
  static Vec<T> call(Vec<T> x) {
    const Vec<T> a = abs(x), one = T(1);
    const auto above = sum_ordered(one, a), below = sum_ordered(one, -a);
    const Vec<T> quotient = above.first / below.first;
    const auto back = product(quotient, below.first);
    const Vec<T> rest = ((above.first - back.first) - back.second) +
                        multiply_add(-quotient, below.second, above.second);
    const auto logarithm = log_of_pair({quotient, rest / below.first}, Vec<T>(T(0)));
    Vec<T> result = (logarithm.first + logarithm.second) * T(0.5);
    result = select(a > SMALL<T>, result, a);
    result = select(a < one, result, std::numeric_limits<T>::infinity());
    return select(a <= one, result, std::numeric_limits<T>::quiet_NaN()) | sign_bit_of(x);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
