// exp, expm1, sinh, cosh and tanh of complex numbers, and sin, cos and tan from these at iz.
#pragma once

#include "complex_parts.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Up to this bound e^x, e^-x and their halves are in range.
constexpr double USUAL_EXPONENT = 700;

// Elements that are large, infinite, NaN, or have a tiny y other than 0.
COREPY_INLINE Mask<double> is_unusual(Numbers z) {
  const Number y = abs(z.imag);
  return ~((abs(z.real) < USUAL_EXPONENT) & (y <= MODERATE<double>)) | ((y < TINY) & (y != 0.0));
}

template <bool usual>
using CircleAt = std::conditional_t<usual, Circle, AnyCircle>;
// n plus the exponent of the sine.
COREPY_INLINE Number with_sine(Number n, const Circle&) { return n; }
COREPY_INLINE Number with_sine(Number n, const AnyCircle& c) { return n + c.exponent; }

// e^x = number * 2^floor(exponent).
struct Exponential {
  Words number;
  Number exponent;

  explicit Exponential(Number x) : Exponential(Words{x, Number(0.0)}) {}
  explicit Exponential(Words x) {
    const ExpArgument<double> argument(x.first);
    const Number r = argument.r + x.second, r_squared = r * r, power = argument.power();
    const Number growth = r + multiply_add(exp_series(r, r_squared), r_squared, argument.residue());
    number = {power, power * growth};
    exponent = argument.sixteenths;
  }
};

// a * 2^floor(n) for n up to 2200.
COREPY_INLINE Number scale_far(Number a, Number n) {
  const Number whole = floor(n), half = floor(whole * 0.5);
  return scale(scale(a, half), whole - half);
}

// e^(x + iy) 2^n for any x and any y >= 0. An overflowing exponential may be multiplied by a tiny
// sine.
COREPY_INLINE Numbers exp_of_any(Number x, const AnyCircle& circle, double n) {
  const Exponential e(clamp(x, -1460.0, 1460.0));
  const Number exponent = e.exponent + n;
  return {scale_far(rounded_product(e.number, circle.cos), exponent),
          scale_far(rounded_product(e.number, circle.sin), with_sine(exponent, circle))};
}

struct ComplexExp {
  static constexpr Operation operation = OP_exp;

  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    unusual = unusual | is_unusual(z);
    const Circle c(abs(z.imag));
    const Exponential e(z.real);
    return {scale(rounded_product(e.number, c.cos), e.exponent),
            scale(rounded_product(e.number, c.sin), e.exponent) ^ sign_bit_of(z.imag)};
  }
  static Numbers any(Numbers z) {
    const Numbers result = exp_of_any(z.real, AnyCircle(abs(z.imag)), 0);
    return {result.real, result.imag ^ sign_bit_of(z.imag)};
  }
};

// A function F::of<usual>.
template <class F>
struct OfExponent {
  static COREPY_INLINE Numbers usual(Mask<double>& unusual, Numbers z) {
    unusual = unusual | is_unusual(z);
    return F::template of<true>(z);
  }
  static Numbers any(Numbers z) { return F::template of<false>(z); }
};

// Real component: e^x cos(y) - 1 = (e^x - 1) cos(y) - (1 - cos(y)).
struct ComplexExpm1 : OfExponent<ComplexExpm1> {
  static constexpr Operation operation = OP_expm1;

  template <bool usual>
  static COREPY_INLINE Numbers of(Numbers z) {
    const CircleAt<usual> c(abs(z.imag));
    const Number x = clamp(z.real, -USUAL_EXPONENT, USUAL_EXPONENT);
    const Exponential e(x);
    // As in Expm1, in double-double.
    const ExpArgument<double> argument(x);
    const Number r = argument.r, r_squared = r * r, power = argument.power();
    const Number residue = argument.residue();
    const Number small =
        multiply_add(exp_series(r, r_squared), r_squared, multiply_add(residue, r, residue)) +
        argument.r_low(x);
    const Number shift = Number(15.0 / 16) - argument.sixteenths;
    const Number one = scale(Number(1.0), min_of_numbers(Number(100.0), shift));
    const Words base = sum(power, -one), slope = product(power, r);
    const Words total = sum(base.first, slope.first);
    const Number rest = total.second + (slope.second + multiply_add(power, small, base.second));
    const Words growth = sum_ordered(total.first, rest) * c.cos;
    const Words scaled = {scale(growth.first, e.exponent), scale(growth.second, e.exponent)};
    Number real = rounded(scaled + (c.versine ^ Number(-0.0)));
    real = select(x < -45.0, -1.0, real);
    const Number imag = scale(rounded_product(e.number, c.sin), with_sine(e.exponent, c));
    return {real, imag ^ sign_bit_of(z.imag)};
  }
  static Numbers any(Numbers z) {
    return choose(
        abs(z.real) > USUAL_EXPONENT, [&] { return of<false>(z); },
        [&] {
          const Numbers power = ComplexExp::any(z);
          return Numbers{power.real - 1.0, power.imag};
        });
  }
};

// sinh(|x|) and cosh(|x|), times 2^-n, in double-double:
//
//   e^|x| = 2^n power (1 + residue) e^r,  e^-|x| = 2^n power_minus (1 + residue_minus) e^-r
//
// The difference and the sum of the powers are double-doubles, to which terms with sinh(r) and
// cosh(r) - 1 are added, so that nothing cancels where x is close to 0.
struct Hyperbola {
  Words sinh, cosh;
  Number n;

  explicit Hyperbola(Number x) {
    // Beyond this bound both are infinite.
    const Number magnitude = min_of_numbers(Number(712.0), abs(x));
    const ExpArgument<double> argument(magnitude);
    const Number floor_n = floor(argument.sixteenths), r = argument.r, r_squared = r * r;
    const Number power = argument.power(), residue = argument.residue();
    const auto minus = bitcast<Signed_of<double>>(ExpArgument<double>::shift - argument.sixteenths);
    // Powers below 2^-128 are negligible.
    const Number n_minus = max_of_numbers(Number(-128.0), -argument.sixteenths - floor_n);
    const Number power_minus = scale(lookup(ExpConstants<double>::power, minus), n_minus);
    const Number residue_minus = lookup(ExpConstants<double>::residue, minus);
    const Words difference = sum_ordered(power, -power_minus);
    const Words total = sum_ordered(power, power_minus);
    // (sinh(r) - r) / r^3 and cosh(r) - 1.
    const Number odd = polynomial(r_squared, SINH_SERIES);
    const Number even = r_squared * polynomial(r_squared, COSH_SERIES);
    const Number cubic = multiply_add(odd, r_squared * r, argument.r_low(magnitude));

    const Words slope = product(total.first, r);
    sinh = sum_ordered(difference.first, slope.first);
    Number rest = multiply_add(residue, r, residue) * power +
                  multiply_add(residue_minus, r, -residue_minus) * power_minus;
    rest = multiply_add(total.second, r, difference.second + rest);
    rest = multiply_add(difference.first, even, rest + slope.second);
    sinh.second = multiply_add(total.first, cubic, rest + sinh.second);

    rest = multiply_add(residue, power, residue_minus * power_minus);
    rest = multiply_add(difference.first, cubic + r, total.second + rest);
    cosh = {total.first, multiply_add(total.first, even, rest)};
    n = floor_n - 1.0;
  }

 private:
  static constexpr double SINH_SERIES[] = {1.0 / 6, 1.0 / 120, 1.0 / 5040};
  static constexpr double COSH_SERIES[] = {0.5, 1.0 / 24, 1.0 / 720, 1.0 / 40320};
};

// sinh(z), or cosh(z) if `even`, from |x| and |y|.
template <bool even>
struct SinhOrCosh : OfExponent<SinhOrCosh<even>> {
  static constexpr Operation operation = even ? OP_cosh : OP_sinh;

  template <bool usual>
  static COREPY_INLINE Numbers of(Numbers z) {
    const CircleAt<usual> c(abs(z.imag));
    const auto near = [&]() -> Numbers {
      const Hyperbola h(z.real);
      return {scale(rounded_product(even ? h.cosh : h.sinh, c.cos), h.n),
              scale(rounded_product(even ? h.sinh : h.cosh, c.sin), with_sine(h.n, c))};
    };
    Numbers result;
    if constexpr (usual) {
      result = near();
    } else {
      const Number x = abs(z.real);
      result = choose(x >= USUAL_EXPONENT, near, [&] { return exp_of_any(x, c, -1); });
    }
    const Number x_sign = sign_bit_of(z.real), y_sign = sign_bit_of(z.imag);
    if constexpr (even) return {result.real, result.imag ^ x_sign ^ y_sign};
    return {result.real ^ x_sign, result.imag ^ y_sign};
  }
};
using ComplexSinh = SinhOrCosh<false>;
using ComplexCosh = SinhOrCosh<true>;
// cos(z) = cosh(iz).
inline void compute_cos(const Numbers* in, Numbers* out) {
  const Numbers z = {-in->imag, in->real};
  compute<ComplexCosh>(&z, out);
}

// (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)^2 + cos(y)^2).
struct ComplexTanh : OfExponent<ComplexTanh> {
  static constexpr Operation operation = OP_tanh;

  template <bool usual>
  static COREPY_INLINE Numbers of(Numbers z) {
    const CircleAt<usual> c(abs(z.imag));
    const Hyperbola h(z.real);
    const Number unit = scale(Number(1.0), -h.n);
    const Words cosine = {c.cos.first * unit, c.cos.second * unit};
    const Words denominator = normalized(squared(h.sinh) + squared(cosine));
    const Words real = divided(normalized(h.sinh * h.cosh), denominator);
    const Words imag = divided(normalized(c.sin * c.cos), denominator);
    const Number quotient = select(imag.first == 0.0, imag.first, rounded(imag));
    const Number scaled = scale_far(quotient, with_sine(h.n * -2.0, c));
    return {rounded(real) ^ sign_bit_of(z.real), scaled ^ sign_bit_of(z.imag)};
  }
  // Beyond the usual exponents the result is 1 and a zero, as at the bound.
  static Numbers any(Numbers z) {
    return of<false>({clamp(z.real, -USUAL_EXPONENT, USUAL_EXPONENT), z.imag});
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
