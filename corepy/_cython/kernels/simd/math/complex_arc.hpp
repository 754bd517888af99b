// Inverse trigonometric and hyperbolic functions of complex numbers.
//
// With sqrt(1 + z) = c + id and sqrt(1 - z) = e - if, for z in the first quadrant,
//
//   asin(z) = atan(x / (ec + fd)) + i asinh(ed + fc)
//   acos(z) = 2 atan(e / c) - i asinh(ed + fc)
//
// without cancellation. W. Kahan, Branch cuts for complex elementary functions, in: The State of
// the Art in Numerical Analysis (1987).
#pragma once

#include "complex_log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// 1 - x for x >= 0, as a magnitude and a sign.
struct OneLess {
  Words magnitude;
  Mask<double> negative;

  explicit OneLess(Number x) {
    const Words difference = sum(Number(1.0), -x);
    magnitude = difference ^ sign_bit_of(difference.first);
    negative = is_negative(difference.first);
  }
  // Where squares of terms of x and y may overflow or underflow.
  COREPY_INLINE Mask<double> is_unusual(Number x, Number y) const {
    return ~((larger(x, y) < MAX_SQUARABLE) & (larger(magnitude.first, y) >= MIN_SQUARABLE));
  }
};

template <class Function>
Numbers usual_or_rare(Numbers z) {
  const Number x = abs(z.real);
  auto ignored = Mask<double>::first(0);
  return choose(
      OneLess(x).is_unusual(x, abs(z.imag)), [&] { return Function::usual(ignored, z); },
      [&] { return Function::rare(z); });
}

// asinh(x), x >= 0.
COREPY_INLINE Number asinh_of_words(Words x) {
  Words radicand = squared(x);
  const Words one = sum(radicand.first, Number(1.0));
  radicand = {one.first, one.second + radicand.second};
  const Words root = sqrt_of_pair(radicand);
  Words argument = sum_ordered(root.first, x.first);
  argument.second = argument.second + (root.second + x.second);
  return select(x.first > SMALL<double>, rounded(log_of_pair(argument)), rounded(x));
}

template <bool cosine>
struct ComplexArc {
  static constexpr Operation operation = OP_acos;

  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag);
    const OneLess less(x);
    unusual = unusual | less.is_unusual(x, y);
    const Root plus(larger_of_root(sum(Number(1.0), x), y), y);
    const Root minus(larger_of_root(less.magnitude, y), y);
    const Words c = plus.larger, d = plus.smaller;
    const Words e = select(less.negative, minus.smaller, minus.larger);
    const Words f = select(less.negative, minus.larger, minus.smaller);
    const Number imag = asinh_of_words(e * d + f * c);
    const auto none = Mask<double>::first(0);
    if constexpr (cosine) {
      const Mask<double> left = is_negative(z.real);
      const Words angle = angle_words(select(left, c, e), select(left, e, c), none);
      return {rounded(angle) * 2.0, imag ^ sign_bit_of(z.imag) ^ Number(-0.0)};
    } else {
      const Words angle = angle_words({x, Number(0.0)}, e * c + f * d, none);
      return {rounded(angle) ^ sign_bit_of(z.real), imag ^ sign_bit_of(z.imag)};
    }
  }
  static Numbers any(Numbers z) { return usual_or_rare<ComplexArc>(z); }
  // Large numbers: asin(iz) = i log(2z). Near 1, sqrt(1 - z) is sqrt(-iy).
  static Numbers rare(Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag), root = sqrt(y);
    const Mask<double> large = larger(x, y) > 2.0;
    constexpr double pi = Arc<double>::PI;
    const Words log2 = {Number(0.6931471805599453), Number(2.3190468138462996e-17)};
    const Number logarithm = rounded(log_of_any_modulus(x, y) + log2);
    const Number imag = select(large, logarithm, root) ^ sign_bit_of(z.imag);
    Number real;
    if constexpr (cosine) {
      const Number angle = rounded(angle_of_any(z.real, y));
      real = select(large, angle, select(is_negative(z.real), pi, root));
    } else {
      real = select(large, rounded(angle_of_any(y, x)), pi / 2 - root) ^ sign_bit_of(z.real);
    }
    return {real, cosine ? -imag : imag};
  }
};
using ComplexAcos = ComplexArc<true>;
// asinh(z) = -i asin(iz). The standard lists the special cases of asinh.
struct ComplexAsinh {
  static constexpr Operation operation = OP_asinh;
  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    return swapped(ComplexArc<false>::usual(unusual, swapped(z)));
  }
  static Numbers any(Numbers z) { return swapped(ComplexArc<false>::any(swapped(z))); }

 private:
  static Numbers swapped(Numbers z) { return {z.imag, z.real}; }
};
// acosh(z) = i acos(z) or -i acos(z), whose real component is not negative.
inline void compute_acosh(const Numbers* in, Numbers* out) {
  Numbers w;
  compute<ComplexAcos>(in, &w);
  const Number sign = select(in->imag == in->imag, sign_bit_of(in->imag), 0.0);
  *out = {abs(w.imag), abs(w.real) ^ sign};
}

// log1p(4x / ((1 - x)^2 + y^2)) / 4 + i atan2(2y, 1 - x^2 - y^2) / 2.
struct ComplexAtanh {
  static constexpr Operation operation = OP_atanh;

  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag), zero(0.0);
    const OneLess less(x);
    unusual = unusual | less.is_unusual(x, y);
    const Words denominator = squared(less.magnitude) + product(y, y);
    const Words ratio = divided({x * 4.0, zero}, denominator);
    const Words squares = sum_of_squares(larger(x, y), smaller(x, y));
    Words cosine = sum(Number(1.0), -squares.first);
    cosine = sum(cosine.first, cosine.second - squares.second);
    const Number sign = sign_bit_of(cosine.first);
    const Words angle = angle_words({y * 2.0, zero}, cosine ^ sign, is_negative(sign));
    return {(rounded(log1p_words(ratio)) * 0.25) ^ sign_bit_of(z.real),
            (rounded(angle) * 0.5) ^ sign_bit_of(z.imag)};
  }
  static Numbers any(Numbers z) { return usual_or_rare<ComplexAtanh>(z); }
  // Large numbers: x / |z|^2 + i pi / 2. Near 1: (log(2) - log(y)) / 2 + i pi / 4.
  static Numbers rare(Numbers z) {
    const Number x = abs(z.real), y = abs(z.imag), most = larger(x, y);
    const Mask<double> large = most > 2.0;
    constexpr double pi = Arc<double>::PI, scale = 0x1p-600;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Words square = sum_of_squares(most * scale, smaller(x, y) * scale);
    const Number far = rounded(divided({x * scale, Number(0.0)}, square)) * scale;
    const Number log = rounded(log_of_any_modulus(y, Number(0.0)));
    const Number near = select(y == 0.0, infinity, (log - 0.6931471805599453) * -0.5);
    const Number real = select(large, far, near);
    const Number imag = select(large, Number(pi / 2), select(y == 0.0, y, pi / 4));
    return {real ^ sign_bit_of(z.real), imag ^ sign_bit_of(z.imag)};
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
