// sqrt and logarithms of complex numbers.
#pragma once

#include "complex_parts.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Squares of numbers in this range and their rounding errors neither overflow nor underflow, nor do
// the terms of exact products without an fma.
constexpr double MAX_SQUARABLE = 0x1p480, MIN_SQUARABLE = 0x1p-400;

COREPY_INLINE Mask<double> is_squared(Number larger) {
  return (larger <= MAX_SQUARABLE) & (larger >= MIN_SQUARABLE);
}

// sqrt(x + iy), x and y >= 0, has the components a = sqrt((x + |x + iy|) / 2) and y / (2a).
// sqrt(-x + iy) has them exchanged.
COREPY_INLINE Words larger_of_root(Words x, Number y) {
  const Words modulus = square_root(squared(x) + product(y, y));
  Words total = sum_ordered(modulus.first, x.first);
  total.second = total.second + (modulus.second + x.second);
  return square_root(total * 0.5);
}
struct Root {
  Words larger, smaller;

  COREPY_INLINE Root(Words larger, Number y)
      : larger(larger), smaller(divided({y, Number(0.0)}, larger * 2.0)) {}
};

struct ComplexSqrt {
  static constexpr Operation operation = OP_sqrt;

  static COREPY_INLINE Numbers of(const Root& root, Numbers z) {
    const Number larger = rounded(root.larger), smaller = rounded(root.smaller);
    const Mask<double> left = is_negative(z.real);
    return {select(left, smaller, larger), select(left, larger, smaller) ^ sign_bit_of(z.imag)};
  }
  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag);
    unusual = unusual | ~is_squared(larger(x, y));
    return of({larger_of_root({x, Number(0.0)}, y), y}, z);
  }
  static Numbers any(Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag), most = larger(x, y);
    const Mask<double> large = most > MAX_SQUARABLE, small = most < MIN_SQUARABLE;
    const Number scale = select(large, Number(0x1p-600), select(small, Number(0x1p600), 1.0));
    const Number back = select(large, Number(0x1p300), select(small, Number(0x1p-300), 1.0));
    Words root = larger_of_root({x * scale, Number(0.0)}, y * scale);
    root = {root.first * back, root.second * back};
    return select(most == 0.0, Numbers{Number(0.0), z.imag}, of({root, y}, z));
  }
};

// log|z| in double-double, for x = |Re z| and y = |Im z| times `scale`.
COREPY_INLINE Words log_of_modulus(Number x, Number y, Number scale, Number e_more) {
  const Number first = larger(x, y) * scale, second = smaller(x, y) * scale;
  return log_of_three(sum_of_squares(first, second), Number(0.0), e_more) * 0.5;
}
// A factor that scales the modulus into the range of squares, and the exponent of 1 / factor^2.
COREPY_INLINE VecPair<Number> scale_into_range(Number larger) {
  const Mask<double> large = larger > MAX_SQUARABLE, small = larger < MIN_SQUARABLE;
  return {select(large, Number(0x1p-600), select(small, Number(0x1p700), 1.0)),
          select(large, Number(1200.0), select(small, Number(-1400.0), 0.0))};
}
// The same for any finite x and y that are not both 0.
COREPY_INLINE Words log_of_any_modulus(Number x, Number y) {
  const auto [scale, e_more] = scale_into_range(larger(x, y));
  return log_of_modulus(x, y, scale, e_more);
}
// The angle of any finite number with y >= 0. For y much smaller than the real component it is
// their quotient.
COREPY_INLINE Words angle_of_any(Number real, Number y) {
  const Number x = abs(real), zero(0.0), scale = scale_into_range(larger(x, y)).first;
  const Mask<double> left = is_negative(real), flat = y * scale < TINY;
  return choose(
      flat, [&] { return angle_words({y * scale, zero}, {x * scale, zero}, left); },
      [&] {
        const Number back = select(scale < 1.0, Number(0x1p-300), 1.0);
        const Words quotient = divided({y * back, zero}, {x * back, zero});
        const Words pi = {Number(Arc<double>::PI), Number(Arc<double>::PI_LOW)};
        return select(left, pi, select(y == 0.0, Words{zero, zero}, quotient));
      });
}

// The logarithm to the base of Constants, which has the logarithm of e.
template <template <class> class Constants>
COREPY_INLINE Numbers in_base(Words real, Words imag, Number sign) {
  using Base = Constants<double>;
  if constexpr (Base::of_e_high == 1) return {rounded(real), rounded(imag) ^ sign};
  const Words of_e = {Number(Base::of_e_high), Number(Base::of_e_low)};
  return {rounded(real * of_e), rounded_product(imag, of_e) ^ sign};
}

template <template <class> class Constants, Operation name>
struct ComplexLogarithm {
  static constexpr Operation operation = name;

  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag), zero(0.0);
    unusual = unusual | ~is_squared(larger(x, y));
    return in_base<Constants>(log_of_modulus(x, y, Number(1.0), zero),
                              angle_words({y, zero}, {x, zero}, is_negative(z.real)),
                              sign_bit_of(z.imag));
  }
  static Numbers any(Numbers z) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Number x = abs(z.real), y = abs(z.imag);
    const Numbers result =
        in_base<Constants>(log_of_any_modulus(x, y), angle_of_any(z.real, y), sign_bit_of(z.imag));
    return {select(larger(x, y) == 0.0, -infinity, result.real), result.imag};
  }
};
using ComplexLog = ComplexLogarithm<NaturalLogConstants, OP_log>;
using ComplexLog2 = ComplexLogarithm<Log2Constants, OP_log2>;
using ComplexLog10 = ComplexLogarithm<Log10Constants, OP_log10>;

// log|1 + z| = log1p(2x + x^2 + y^2) / 2. Where the terms cancel, rounding errors must be included.
struct ComplexLog1p {
  static constexpr Operation operation = OP_log1p;

  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    const Number y = abs(z.imag), zero(0.0), one(1.0);
    const Words a = product(z.real, z.real), b = product(y, y);
    const Words first = sum(z.real + z.real, a.first), high = sum(first.first, b.first);
    const Words low = sum(a.second, b.second), middle = sum(high.second, first.second);
    const Words rest = sum(middle.first, low.first);
    const Words total = sum(high.first, rest.first);
    Words square = sum(one, total.first);
    square.second = square.second + (total.second + (middle.second + low.second + rest.second));

    const Words one_plus_x = sum(one, z.real);
    const Number sign = sign_bit_of(one_plus_x.first), x = abs(one_plus_x.first);
    // Near -1 the sum is exact.
    square = select(total.first > -0.75, square, sum_of_squares(larger(x, y), smaller(x, y)));
    unusual = unusual | ~is_squared(larger(x, y));
    const Words angle = angle_words({y, zero}, one_plus_x ^ sign, is_negative(sign));
    return {rounded(log_of_three(square, zero, zero)) * 0.5, rounded(angle) ^ sign_bit_of(z.imag)};
  }
  // For large numbers 1 + x equals x, to the precision, and near -1 it is exact.
  static Numbers any(Numbers z) {
    const Number one_plus_x = z.real + 1.0;
    auto ignored = Mask<double>::first(0);
    return choose(
        ~is_squared(larger(abs(one_plus_x), abs(z.imag))), [&] { return usual(ignored, z); },
        [&] { return ComplexLog::any({one_plus_x, z.imag}); });
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
