// z^w = e^(w log(z)) of complex numbers. Logarithm, exponent and angle are double-doubles, as w
// multiplies their errors. Small whole powers are products, so that Gaussian integers remain such.
#pragma once

#include "complex_exp.hpp"
#include "complex_log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

struct ComplexPow {
  static void compute(const Numbers* in, Numbers* out) {
    const Numbers *const z = in, *const w = in + 1;
    const Mask<double> whole =
        (w->imag == 0.0) & (abs(w->real) <= MAX_FACTORS) & (trunc(w->real) == w->real);
    auto unusual = Mask<double>::first(0), done = unusual;
    Numbers result = *z;
    if constexpr (Numbers::size == 1) {
      unusual = ~whole;  // one element takes the way that has what is rare in branches
    } else {
      if (!all(whole)) result = general<true>(unusual, *z, *w);
    }
    if (any(whole)) {
      result = select(whole, power(done, *z, w->real), result);
      unusual = and_not(unusual, whole) | and_not(whole, done);
    }
    *out = result;
    if (__builtin_expect(any(unusual), 0)) compute_unusual(unusual, z, w, out);
  }

 private:
  static constexpr double MAX_FACTORS = 127;

  static COREPY_INLINE Words times(Words a, Number b) {
    Words p = product(a.first, b);
    p.second = multiply_add(a.second, b, p.second);
    return p;
  }

  // e^(x + iy) of double-doubles.
  template <bool usual>
  static COREPY_INLINE Numbers exponential(Mask<double>& unusual, Words x, Words y) {
    const Number sign = sign_bit_of(y.first);
    const Words angle = y ^ sign;
    Exponential e(x);
    if constexpr (usual) {
      unusual = unusual | is_unusual({x.first, y.first});
      const Circle c(angle.first, angle.second);
      return {scale(rounded_product(e.number, c.cos), e.exponent),
              scale(rounded_product(e.number, c.sin), e.exponent) ^ sign};
    } else {
      const AnyCircle c(angle.first, angle.second);
      return {scale_far(rounded_product(e.number, c.cos), e.exponent),
              scale_far(rounded_product(e.number, c.sin), with_sine(e.exponent, c)) ^ sign};
    }
  }

  template <bool usual>
  static COREPY_INLINE Numbers general(Mask<double>& unusual, Numbers z, Numbers w) {
    const Number x = abs(z.real), y = abs(z.imag), zero(0.0);
    Words modulus, angle;
    if constexpr (usual) {
      unusual = unusual | ~is_squared(larger(x, y)) | ~is_finite(z) | ~is_finite(w);
      modulus = log_of_modulus(x, y, Number(1.0), zero);
      angle = angle_words({y, zero}, {x, zero}, is_negative(z.real)) ^ sign_bit_of(z.imag);
    } else {
      modulus = log_of_any_modulus(x, y);
      angle = angle_of_any(z.real, y) ^ sign_bit_of(z.imag);
    }
    Words real = times(modulus, w.real) + times(angle, -w.imag);
    Words imag = times(angle, w.real) + times(modulus, w.imag);
    if constexpr (!usual) {
      const Mask<double> far = abs(real.first) > 1460.0;
      real = {clamp(real.first, -1460.0, 1460.0), select(far, zero, real.second)};
    }
    return exponential<usual>(unusual, normalized(real), normalized(imag));
  }

  // z^n by squaring; `done` where no square leaves its range.
  static COREPY_INLINE Numbers power(Mask<double>& done, Numbers z, Number n) {
    struct Factor {
      Words real, imag;
      COREPY_INLINE Factor operator*(const Factor& b) const {
        return {normalized(real * b.real + (imag * b.imag ^ Number(-0.0))),
                normalized(real * b.imag + imag * b.real)};
      }
    };
    const Number zero(0.0), one(1.0);
    Factor factor = {{z.real, zero}, {z.imag, zero}}, product = {{one, zero}, {zero, zero}};
    auto rest = bitcast<uint64_t>(abs(n) + ROUNDER<double>) & uint64_t(MAX_FACTORS);
    while (true) {
      const auto odd = mask_cast<double>((rest & uint64_t(1)) != uint64_t(0));
      const Factor more = product * factor;
      product = {select(odd, more.real, product.real), select(odd, more.imag, product.imag)};
      rest = rest >> 1;
      if (!any(rest != uint64_t(0))) break;
      factor = factor * factor;
    }
    const Words square = normalized(squared(product.real) + squared(product.imag));
    const Mask<double> inverted = n < 0.0;
    const Words real = select(inverted, divided(product.real, square), product.real);
    const Words inverse = divided(product.imag, square);
    const Words imag =
        select(inverted, Words{zero - inverse.first, zero - inverse.second}, product.imag);
    done = is_squared(larger(abs(product.real.first), abs(product.imag.first)));
    const Mask<double> same = n == 1.0;
    done = done | same;
    return select(same, z, Numbers{rounded(real), rounded(imag)});
  }

  // Infinities and NaN give the result of exp(w log(z)).
  static COREPY_OUT_OF_LINE __attribute__((cold)) void compute_unusual(Mask<double> unusual,
                                                                       const Numbers* z,
                                                                       const Numbers* w,
                                                                       Numbers* out) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const Number zero(0.0);
    Numbers result = general<false>(unusual, *z, *w), logarithm, exponent;
    const Mask<double> finite = is_finite(*z) & is_finite(*w);
    if (!all(finite)) {
      COREPY_TARGET::compute<ComplexLog>(z, &logarithm);
      exponent = select(w->imag == 0.0, Numbers{logarithm.real * w->real, logarithm.imag * w->real},
                        logarithm * *w);
      COREPY_TARGET::compute<ComplexExp>(&exponent, &logarithm);
      result = select(finite, result, logarithm);
    }
    const Mask<double> of_zero = (z->real == 0.0) & (z->imag == 0.0);
    const Number power_of_zero = select(w->real > 0.0, zero, nan);
    result = select(of_zero, Numbers{power_of_zero, power_of_zero}, result);
    const Mask<double> to_zero = (w->real == 0.0) & (w->imag == 0.0);
    result = select(to_zero, Numbers{Number(1.0), zero}, result);
    *out = select(unusual, result, *out);
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
