// Hyperbolic functions and their inverses over Vec<T>.
#pragma once

#include "exp.hpp"
#include "log.hpp"
#include "piecewise.hpp"
#include "tanh_table.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Taylor series of (sinh(r) - r) / r^3 and (cosh(r) - 1) / r^2 for |r| <= log(2) / 32, and of sinh
// for |r| <= 1/2; the last coefficient for float32 compensates for the omitted terms.
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

// The parts of sinh(x) and cosh(x), x >= 0:
//
//   2^-n e^x = up (1 + growth),  2^-n e^-x = down (1 + decline)
//
// where that is finite.
template <class T>
struct HyperbolicParts {
  Vec<T> up, growth, down, decline;

  HyperbolicParts(Vec<T> x, T n) {
    const ExpArgument<T> argument(x);
    const Vec<T> r = argument.r, r_squared = r * r;
    // sinh(r) and cosh(r) - 1.
    const Vec<T> odd = multiply_add(polynomial(r_squared, SinhConstants<T>::odd), r_squared * r, r);
    const Vec<T> even = r_squared * polynomial(r_squared, SinhConstants<T>::even);
    growth = odd + (even + argument.residue());
    decline = even - odd;
    up = scale(argument.power(), argument.sixteenths - n);
    const auto minus = bitcast<Signed_of<T>>(ExpArgument<T>::shift - argument.sixteenths);
    down = scale(lookup(ExpConstants<T>::power, minus), -n - argument.sixteenths);
  }
};

// Beyond LAST_HALF the parts of e^x are scaled by 1/4 instead of 1/2; from FIRST_INFINITE on the
// result is infinite.
template <class T>
constexpr T LAST_HALF = T(sizeof(T) == 8 ? 709 : 88);
template <class T>
constexpr T FIRST_INFINITE = T(sizeof(T) == 8 ? 711 : 90);

// sinh(a) and cosh(a) for 0 <= a <= LAST_HALF without a table:
//
//   sinh(a) = D cosh(r) + S sinh(r),  cosh(a) = S cosh(r) + D sinh(r)
//
// where S and D are the sum and the difference of 2^(n - 1) and 2^(-n - 1). D is 0 where a is
// small; the leading terms are double-doubles.
template <class T>
struct DirectHyperbolic {
  using Constants = DirectSinhConstants<T>;
  Vec<T> up, down, rest;
  Vec<T> odd, even;  // sinh(r) - rest, cosh(r) - 1

  COREPY_INLINE DirectHyperbolic(Vec<T> a) {
    using I = Signed_of<T>;
    // Powers below 2^-most are negligible.
    constexpr T most = T(sizeof(T) == 8 ? 1000 : 100);
    const DirectExp<T> argument(a);
    rest = argument.rest;
    const Vec<T> r = argument.r, r_squared = r * r;
    odd = multiply_add(polynomial(r_squared, Constants::odd), r_squared * r, argument.rest_low);
    even = r_squared * polynomial(r_squared, Constants::even);
    up = argument.power(argument.shifted, T(0.5));
    const Vec<T> bounded = min_of_numbers(Vec<T>(argument.shift + most), argument.shifted);
    down = bitcast<T>(bitcast<I>(Vec<T>(T(0.5))) -
                      (bitcast<I>(bounded) << (std::numeric_limits<T>::digits - 1)));
  }
  COREPY_INLINE Vec<T> sinh() const { return total(sum_ordered(up, -down), up + down); }
  COREPY_INLINE Vec<T> cosh() const { return total(sum_ordered(up, down), up - down); }

 private:
  // a cosh(r) + b sinh(r).
  COREPY_INLINE Vec<T> total(VecPair<Vec<T>> a, Vec<T> b) const {
    const auto high = multiply_add_pair(b, rest, a.first);
    const Vec<T> low = multiply_add(a.first, even, b * odd);
    return high.first + (low + (high.second + a.second));
  }
};

// e^a / 2 where e^a may overflow.
template <class T>
COREPY_INLINE Vec<T> half_exp(Vec<T> a) {
  const Vec<T> bounded = min_of_numbers(Vec<T>(FIRST_INFINITE<T>), a);
  return DirectExp<T>(bounded).value(T(0.5));
}

struct Cosh : MostlyUsual<Cosh> {
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> a = abs(x);
    unusual = unusual | (a > LAST_HALF<T>);
    if constexpr (AVOIDS_TABLES) return DirectHyperbolic<T>(a).cosh();
    return of(a, T(1));
  }
  template <class T>
  static __attribute__((noinline, cold)) Vec<T> other(Vec<T> x) {
    if constexpr (AVOIDS_TABLES) return half_exp(abs(x));
    return of(min_of_numbers(Vec<T>(FIRST_INFINITE<T>), abs(x)), T(2)) * T(2);
  }

 private:
  template <class T>
  static COREPY_INLINE Vec<T> of(Vec<T> x, T n) {
    const HyperbolicParts<T> parts(x, n);
    const Vec<T> rest = multiply_add(parts.down, parts.decline, parts.down);
    return parts.up + multiply_add(parts.up, parts.growth, rest);
  }
};

struct SinhWithoutTable : MostlyUsual<SinhWithoutTable> {
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> a = abs(x);
    unusual = unusual | (a > LAST_HALF<T>);
    return DirectHyperbolic<T>(a).sinh() | sign_bit_of(x);
  }
  template <class T>
  static __attribute__((noinline, cold)) Vec<T> other(Vec<T> x) {
    return half_exp(abs(x)) | sign_bit_of(x);
  }
};

struct SinhWithTable {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    const Vec<T> magnitude = abs(x), x_squared = x * x;
    const HyperbolicParts<T> parts(min_of_numbers(Vec<T>(FIRST_INFINITE<T>), magnitude), T(2));
    const auto total = sum_ordered(parts.up, -parts.down);
    const Vec<T> rest = multiply_add(-parts.down, parts.decline, total.second);
    const Vec<T> large = (total.first + multiply_add(parts.up, parts.growth, rest)) * T(2);
    // For small x, where e^x and e^-x cancel.
    const Vec<T> small = multiply_add(polynomial(x_squared, SinhConstants<T>::series),
                                      magnitude * x_squared, magnitude);
    return select(magnitude < T(0.5), small, large) | sign_bit_of(x);
  }
};

using Sinh = std::conditional_t<AVOIDS_TABLES, SinhWithoutTable, SinhWithTable>;

// tanh(x_j + d) = T + (1 - T^2) t / (1 + T t),  T = tanh(x_j), t = tanh(d), x_j in a table.
struct TanhWithTable {
  template <class T>
  __attribute__((always_inline)) static Vec<T> call(Vec<T> x) {
    if constexpr (sizeof(T) == 4 && LOOKS_UP_32) {
      // NaN is kept.
      const Vec<T> a = min_of_numbers(Vec<T>(TanhPieces::last), abs(x));
      return piecewise<TanhPieces>(a) | sign_bit_of(x);
    }
    using Table = TanhTable<T>;
    constexpr T large = T(uint64_t(3) << (std::numeric_limits<T>::digits - 2));
    const Vec<T> magnitude = abs(x), limit = T(Table::limit);
    // The first replaces NaN by the limit, for a valid index; the second keeps it.
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
    // (1 - T^2) t / (1 + T t) = leading + rest. leading is d, which is added to T exactly, but 0
    // where the sum is much smaller than T and d much larger.
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

// float32: by tables of a register's size. float64: (e^2a - 1) / (e^2a + 1), a = |x|, in
// double-double.
struct TanhWithoutGather : AlwaysUsual<TanhWithoutGather> {
  template <class T>
  static COREPY_INLINE Vec<T> of(Vec<T> x) {
    const Vec<T> a = abs(x);
    if constexpr (sizeof(T) == 4) {
      // NaN is kept.
      const Vec<T> bounded = min_of_numbers(Vec<T>(EightTanhPieces::last), a);
      return in_eight_pieces<EightTanhPieces>(bounded) | sign_bit_of(x);
    }
    // From `first_one` on tanh rounds to 1, and from half of `limit` on to the number before it.
    // Beyond that 2 is lost in the denominator. NaN is kept.
    constexpr T limit = T(37.42), first_one = T(19.061547465398498);
    const DirectExp<T> argument(min_of_numbers(Vec<T>(limit), a + a));
    const Vec<T> power = argument.power(argument.shifted);
    const auto first = sum_ordered(power - T(1), power * argument.rest);
    const auto above = sum_ordered(first.first, multiply_add(power, argument.tail(), first.second));
    // Exact below 2^(digits + 1), even where 2 is the smaller term.
    const auto below = sum_ordered(Vec<T>(T(2)), above.first);
    const Vec<T> quotient = above.first / below.first;
    const Vec<T> rest = remainder(above.first, quotient, below.first) +
                        multiply_add(-quotient, below.second + above.second, above.second);
    const Vec<T> result = multiply_add(rest, rough_inverse(below.first), quotient);
    return select(a >= first_one, T(1), result) | sign_bit_of(x);
  }
};

using Tanh = std::conditional_t<AVOIDS_TABLES, TanhWithoutGather, TanhWithTable>;

// a^2 + c in double-double, c >= 0.
template <class T>
COREPY_INLINE VecPair<Vec<T>> square_plus(Vec<T> a, Vec<T> c) {
  if constexpr (HAS_FMA) {
    const Vec<T> high = multiply_add(a, a, c);
    // Where the square is so large that c - high is rounded, c is negligible.
    return {high, multiply_add(a, a, c - high)};
  } else {
    const auto square = product(a, a);
    const auto total = sum(square.first, c);
    return {total.first, total.second + square.second};
  }
}

// log(2 a + 2 more) for infinity, NaN, and large a with small `more`.
template <class T>
COREPY_INLINE Vec<T> log_of_twice(Vec<T> a, Vec<T> more) {
  if constexpr (AVOIDS_TABLES) {
    // Halved, as the inverse of the largest power of 2 is subnormal.
    const auto result = log_of_pair(VecPair<Vec<T>>{a * T(0.5), more * T(0.5)}, Vec<T>(T(2)));
    return select(a < std::numeric_limits<T>::infinity(), result.first + result.second, a);
  }
  const auto result = log_of_pair(VecPair<Vec<T>>{a, more}, Vec<T>(T(1)));
  return select(a < std::numeric_limits<T>::infinity(), result.first + result.second, a);
}

// The largest argument that is squared.
template <class T>
constexpr T LAST_SQUARED = T(sizeof(T) == 8 ? 0x1p500 : 0x1p60f);

// log(a + sqrt(a^2 + 1)).
struct Asinh : MostlyUsual<Asinh> {
  template <class T>
  static constexpr T last = IN_PIECES<T> ? T(AsinhPieces::last) : LAST_SQUARED<T>;

  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> a = abs(x);
    unusual = unusual | ~(a < last<T>);
    if constexpr (IN_PIECES<T>) {
      return piecewise<AsinhPieces>(a) | sign_bit_of(x);
    } else {
      const auto root = sqrt_of_pair(square_plus(a, Vec<T>(T(1))));
      const auto total = sum_ordered(root.first, a);
      const auto logarithm = log_of_pair(VecPair<Vec<T>>{total.first, total.second + root.second});
      const Vec<T> result = logarithm.first + logarithm.second;
      return select(a > SMALL<T>, result, a) | sign_bit_of(x);
    }
  }
  template <class T>
  static __attribute__((noinline)) Vec<T> other(Vec<T> x) {
    const Vec<T> a = abs(x);
    return log_of_twice(a, T(0.25) / a) | sign_bit_of(x);
  }
};

// log(a + sqrt(a^2 - 1)).
struct Acosh : MostlyUsual<Acosh> {
  template <class T>
  static constexpr T last = IN_PIECES<T> ? T(1 + SquareOfAcoshPieces::last / 2) : LAST_SQUARED<T>;

  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    if constexpr (AVOIDS_TABLES) {
      // The polynomials give NaN from -1 on, but not below.
      x = select(x >= T(1), x, std::numeric_limits<T>::quiet_NaN());
    }
    const Vec<T> less = x - T(1), twice = less + less;
    if constexpr (AVOIDS_TABLES) {
      unusual = unusual | (x >= last<T>);
    } else {
      unusual = unusual | ~((x >= T(1)) & (x < last<T>));
    }
    if constexpr (IN_PIECES<T>) {
      return sqrt(piecewise<SquareOfAcoshPieces>(twice));
    } else {
      // Near 1 the low part of (a - 1) (a - 1 + 2) matters.
      const auto root = sqrt_of_pair<true>(square_plus(less, twice));
      const auto total = sum_ordered(x, root.first);
      const auto logarithm = log_of_pair(VecPair<Vec<T>>{total.first, total.second + root.second});
      return logarithm.first + logarithm.second;
    }
  }
  template <class T>
  static __attribute__((noinline)) Vec<T> other(Vec<T> x) {
    return select(x < T(1), std::numeric_limits<T>::quiet_NaN(), log_of_twice(x, T(-0.25) / x));
  }
};

// log(y) / 2, y = (1 + a) / (1 - a). For c about 2^e / y
//
//   log(y) = e log(2) - log(c) + 2 atanh(w / 2),  w / 2 = (c 2^-e y - 1) / (c 2^-e y + 1)
//
// c is 1 for small a, and w = 2 a; else one of 12 numbers with few bits, so that numerator and
// denominator are rounded once in
//
//   w = ((c 2^-e + 1) a + (c 2^-e - 1)) / ((c 2^-e - 1) / 2 a + (c 2^-e + 1) / 2)
struct Atanh : MostlyUsual<Atanh> {
  // Beyond it c 2^-e + 1 is not exact.
  template <class T>
  static constexpr T last_quotient = T(1) - T(sizeof(T) == 8 ? 0x1p-40 : 0x1p-14f);
  template <class T>
  static constexpr T last = IN_PIECES<T> ? T(AtanhPieces::last) : last_quotient<T>;

  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> a = abs(x);
    unusual = unusual | ~(a <= last<T>);
    if constexpr (IN_PIECES<T>) {
      return piecewise_below_1<AtanhPieces>(a) | sign_bit_of(x);
    } else {
      return by_quotient(a) | sign_bit_of(x);
    }
  }
  template <class T>
  static __attribute__((noinline)) Vec<T> other(Vec<T> x) {
    // log(2 / d - 1) / 2, where d is the distance from 1.
    const Vec<T> a = abs(x), d = T(1) - a;
    VecPair<Vec<T>> half_inverse = {d, d * d * T(0.5)};
    if constexpr (AVOIDS_TABLES) half_inverse = sum_ordered(d, half_inverse.second);
    const auto logarithm = log_of_pair(half_inverse, Vec<T>(T(-1)));
    Vec<T> result = (logarithm.first + logarithm.second) * T(-0.5);
    if constexpr (IN_PIECES<T>) result = select(a <= last_quotient<T>, by_quotient(a), result);
    result = select(d == T(0), std::numeric_limits<T>::infinity(), result);
    return select(d >= T(0), result, std::numeric_limits<T>::quiet_NaN()) | sign_bit_of(x);
  }

 private:
  template <class T>
  static COREPY_INLINE Vec<T> by_quotient(Vec<T> a) {
    if constexpr (AVOIDS_TABLES) return direct(a);
    using I = Signed_of<T>;
    using Logarithms = NaturalLogConstants<T>;
    using Constants = AtanhConstants<T>;
    constexpr int digits = std::numeric_limits<T>::digits;
    constexpr I exponent_bits = -(I(1) << (digits - 1));
    const Vec<T> estimate = reciprocal_estimate(T(1) - a), y = multiply_add(a, estimate, estimate);
    const Vec<I> index = bitcast<I>(y) >> (digits - 1 - 4);
    const Vec<I> power = (bitcast<I>(y) & exponent_bits) - bitcast<I>(Vec<T>(T(1)));
    const Vec<T> c = bitcast<T>(bitcast<I>(lookup(Constants::inverse, index)) - power);
    const Vec<T> more = c + T(1), less = c - T(1);
    const Vec<T> w = multiply_add_cancelling(a, more, less) /
                     multiply_add_cancelling(a, less * T(0.5), more * T(0.5));
    const Vec<T> e = split_binade(y).second, w_squared = w * w;
    const Vec<T> high = multiply_add(e, Logarithms::of_2_high, lookup(Constants::high, index));
    const Vec<T> low = multiply_add(e, Logarithms::of_2_low, lookup(Constants::low, index));
    const auto total = sum_ordered(high, w);
    const Vec<T> series = polynomial(w_squared, Constants::series);
    const Vec<T> rest = multiply_add(series, w * w_squared, total.second + low);
    return (total.first + rest) * T(0.5);
  }

  // The same without a table, with c = 1. Numerator and denominator are the difference and the sum
  // of 2^-e (1 + a) and 1 - a in double-double; these are so close that the difference is exact.
  template <class T>
  static COREPY_INLINE Vec<T> direct(Vec<T> a) {
    using I = Signed_of<T>;
    using U = Unsigned_of<T>;
    using Logarithms = NaturalLogConstants<T>;
    constexpr int mantissa = std::numeric_limits<T>::digits - 1;
    constexpr I one = I(std::numeric_limits<T>::max_exponent - 1) << mantissa;
    constexpr T large = T(uint64_t(1) << mantissa);
    const auto sum = sum_ordered(Vec<T>(T(1)), a), difference = sum_ordered(Vec<T>(T(1)), -a);
    // The bits of a number approximate its binary logarithm.
    const Vec<I> logarithm =
        bitcast<I>(sum.first) - bitcast<I>(difference.first) + (I(1) << (mantissa - 1));
    const Vec<U> exponent = bitcast<U>(logarithm) >> mantissa;
    const Vec<T> e = bitcast<T>(exponent | bitcast<U>(Vec<T>(large))) - large;
    const Vec<T> unit = bitcast<T>(Vec<I>(one) - bitcast<I>(exponent << mantissa));
    auto above = sum_ordered(multiply_add(unit, sum.first, -difference.first),
                             multiply_add(unit, sum.second, -difference.second));
    auto below = sum_ordered(difference.first + difference.first, above.first);
    below.second = multiply_add(difference.second, T(2), below.second + above.second);
    const Vec<T> s = above.first / below.first;
    const Vec<T> rest = remainder(above.first, s, below.first) + above.second;
    const Vec<T> s_low = multiply_add(-s, below.second, rest) * rough_inverse(below.first);
    const Vec<T> z = s * s;
    const Vec<T> half = e * T(0.5);
    const auto total = sum_ordered(half * Logarithms::of_2_high, s);
    const Vec<T> low = multiply_add(half, Logarithms::of_2_low, total.second) + s_low;
    const Vec<T> series = polynomial(z, DirectLogConstants<T>::wide_series);
    return total.first + multiply_add(series, s * T(0.5) * z, low);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
