// Hyperbolic functions and their inverses over Vec<T>.
#pragma once

#include "exp.hpp"
#include "log.hpp"
#include "pieces.hpp"
#include "tanh_table.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// (sinh(r) - r) / r^3 and (cosh(r) - 1) / r^2 for |r| <= log(2) / 32: Taylor's. The same of sinh
// for |r| <= 1/2; that of float32 makes up for the term that is left out.
template <class T>
struct SinhConstants;
template <>
struct SinhConstants<float> {
  static constexpr float odd[] = {1.0f / 6};
  static constexpr float even[] = {0.5f, 1.0f / 24};
  static constexpr float series[] = {1.0f / 6, 1.0f / 120, 0x1.a1p-13f};
};
template <>
struct SinhConstants<double> {
  static constexpr double odd[] = {1.0 / 6, 1.0 / 120, 1.0 / 5040};
  static constexpr double even[] = {0.5, 1.0 / 24, 1.0 / 720};
  static constexpr double series[] = {
      1.0 / 6,        1.0 / 120,        1.0 / 5040,          1.0 / 362880,
      1.0 / 39916800, 1.0 / 6227020800, 1.0 / 1307674368000,
  };
};

// What sinh(|x|) and cosh(|x|) are made of:
//
//   e^|x| / 4 = up (1 + growth),  e^-|x| / 4 = down (1 + decline)
template <class T>
struct HyperbolicParts {
  Vec<T> up, growth, down, decline;

  explicit HyperbolicParts(Vec<T> magnitude) {
    // Beyond this bound both are infinity.
    const Vec<T> x = min_of_numbers(Vec<T>(T(sizeof(T) == 8 ? 711 : 90)), magnitude);
    const ExpArgument<T> argument(x);
    const Vec<T> r = argument.r, r_squared = r * r;
    // sinh(r) and cosh(r) - 1.
    const Vec<T> odd = multiply_add(polynomial(r_squared, SinhConstants<T>::odd), r_squared * r, r);
    const Vec<T> even = r_squared * polynomial(r_squared, SinhConstants<T>::even);
    growth = odd + (even + argument.residue());
    decline = even - odd;
    up = scale(argument.power(), argument.sixteenths - T(2));
    const auto minus = bitcast<Signed_of<T>>(ExpArgument<T>::shift - argument.sixteenths);
    // What is less than 2^-128 does not count.
    down = scale(lookup(ExpConstants<T>::power, minus),
                 max_of_numbers(Vec<T>(T(-128)), T(-2) - argument.sixteenths));
  }
};

struct Cosh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const HyperbolicParts<T> parts(abs(x));
    const auto total = sum_ordered(parts.up, parts.down);
    const Vec<T> rest = multiply_add(parts.down, parts.decline, total.second);
    return (total.first + multiply_add(parts.up, parts.growth, rest)) * T(2);
  }
};

struct Sinh {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const Vec<T> magnitude = abs(x), x_squared = x * x;
    const HyperbolicParts<T> parts(magnitude);
    const auto total = sum_ordered(parts.up, -parts.down);
    const Vec<T> rest = multiply_add(-parts.down, parts.decline, total.second);
    const Vec<T> large = (total.first + multiply_add(parts.up, parts.growth, rest)) * T(2);
    // There e^x and e^-x cancel.
    const Vec<T> small = multiply_add(polynomial(x_squared, SinhConstants<T>::series),
                                      magnitude * x_squared, magnitude);
    return select(magnitude < T(0.5), small, large) | sign_bit_of(x);
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

// 1 / a for a > 0, roughly, but next to 1 to (a - 1)^2: for what counts more there.
template <class T>
inline Vec<T> rough_inverse_near_1(Vec<T> a) {
  // Both are below it.
  return max_of_numbers(T(2) - a, rough_inverse(a) * T(0.875));
}

// The square root of x.first + x.second > 0, in two words.
template <class T>
inline VecPair<Vec<T>> sqrt_of_pair(VecPair<Vec<T>> x) {
  const Vec<T> root = sqrt(x.first);
  const auto square = product(root, root);
  const Vec<T> rest = ((x.first - square.first) - square.second) + x.second;
  return {root, rest * (rough_inverse_near_1(root) * T(0.5))};
}

// Above this number a, a^2 + 1 and a^2 - 1 are as good as a^2.
template <class T>
constexpr T LARGE = T(uint64_t(1) << (sizeof(T) == 8 ? 30 : 14));
// Below this one asinh and atanh are as good as a.
template <class T>
constexpr T SMALL = 1 / LARGE<T>;

// log(a + sqrt(a^2 + one)), for one = 1 or -1.
template <class T>
COREPY_INLINE Vec<T> log_of_sum_with_root(Vec<T> a, T one) {
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
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    const Vec<T> a = abs(x);
    const Vec<T> result = log_of_sum_with_root(a, T(1));
    const Mask<T> usual = (a > SMALL<T>)&(a < std::numeric_limits<T>::infinity());
    return select(usual, result, a) | sign_bit_of(x);
  }
};

struct Acosh {
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    const Vec<T> result = log_of_sum_with_root(x, T(-1));
    const Vec<T> in_domain = select(x < std::numeric_limits<T>::infinity(), result, x);
    return select(x >= T(1), in_domain, std::numeric_limits<T>::quiet_NaN());
  }
};

// atanh(a) = log((1 + a) / (1 - a)) / 2.
struct Atanh {
  template <class T>
  static COREPY_INLINE Vec<T> call(Vec<T> x) {
    const Vec<T> a = abs(x), one = T(1);
    const auto above = sum_ordered(one, a), below = sum_ordered(one, -a);
    const Vec<T> quotient = above.first / below.first;
    const auto back = product(quotient, below.first);
    const Vec<T> rest = ((above.first - back.first) - back.second) +
                        multiply_add(-quotient, below.second, above.second);
    const auto logarithm =
        log_of_pair({quotient, rest * rough_inverse_near_1(below.first)}, Vec<T>(T(0)));
    Vec<T> result = (logarithm.first + logarithm.second) * T(0.5);
    result = select(a > SMALL<T>, result, a);
    result = select(a < one, result, std::numeric_limits<T>::infinity());
    return select(a <= one, result, std::numeric_limits<T>::quiet_NaN()) | sign_bit_of(x);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
