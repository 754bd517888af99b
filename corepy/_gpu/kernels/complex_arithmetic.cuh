// Magnitude, direction and quotient of complex numbers, in their own dtype.
#pragma once

#include "complex_words.cuh"

namespace corepy {
namespace complex {

// A number as fraction * power: the larger component of the fraction is in [1, 4) unless the number
// is subnormal or not finite (a power of two and its inverse must both be normal).
template <class T>
struct Scaled {
  Complex<T> fraction;
  T power;

  COREPY_DEVICE explicit Scaled(Complex<T> a) {
    using Bits = bits_of<T>;
    constexpr int DIGITS = sizeof(T) == 8 ? 52 : 23;
    constexpr Bits one = Bits(1) << DIGITS;  // of the exponent
    constexpr Bits exponents = sizeof(T) == 8 ? Bits(0x7ff) << DIGITS : Bits(0xff) << DIGITS;
    constexpr Bits highest = exponents - 2 * one;
    const Bits x = bit_cast<Bits>(magnitude(a.real)), y = bit_cast<Bits>(magnitude(a.imag));
    const Bits exponent = bounded(Bits((x > y ? x : y) & exponents), one, highest);
    const T inverse = bit_cast<T>(Bits(highest + one - exponent));
    fraction = {a.real * inverse, a.imag * inverse};
    power = bit_cast<T>(exponent);
  }
  // sqrt(real^2 + imag^2) of the fraction.
  COREPY_DEVICE T size() const {
    const T x = magnitude(fraction.real), y = magnitude(fraction.imag);
    return length(larger(x, y), smaller(x, y));
  }
};

// No intermediate overflow or underflow. An infinite component gives infinity, even with a NaN.
template <class T>
COREPY_DEVICE T abs(Complex<T> a) {
  const Scaled<T> scaled(a);
  const T size = scaled.size() * scaled.power;
  return is_infinite(a.real) || is_infinite(a.imag) ? infinity<T>() : size;
}

// a / |a|; with one infinite component the finite one is ignored, with two the result is NaN.
template <class T>
COREPY_DEVICE Complex<T> sign(Complex<T> a) {
  const bool real_infinite = is_infinite(a.real), imag_infinite = is_infinite(a.imag);
  if (is_nan(a) || (real_infinite && imag_infinite)) return {nan<T>(), nan<T>()};
  if (real_infinite) return {with_sign(T(1), a.real), T(0)};
  if (imag_infinite) return {T(0), with_sign(T(1), a.imag)};
  // Without the exponent, as |a| could overflow, or be subnormal and lose precision.
  const Scaled<T> scaled(a);
  const T size = scaled.size();
  if (size == T(0)) return {T(0), T(0)};
  return {scaled.fraction.real / size, scaled.fraction.imag / size};
}

// Smith's algorithm (Communications of the ACM 5, 1962): no overflow where the textbook formula
// squares b. Divides by the denominator instead of multiplying by its reciprocal, so that division
// by a real number is exact.
template <class T>
COREPY_DEVICE Complex<T> divide(Complex<T> a, Complex<T> b) {
  // If the imaginary component is larger, both numbers are rotated by -90 degrees.
  if (magnitude(b.real) < magnitude(b.imag)) {
    a = {a.imag, -a.real};
    b = {b.imag, -b.real};
  }
  if (b.real == T(0)) {  // by 0: signed infinities and NaNs per component
    const T zero = magnitude(b.real);
    return {a.real / zero, a.imag / zero};
  }
  const T ratio = b.imag / b.real, denominator = b.real + b.imag * ratio;
  return {(a.real + a.imag * ratio) / denominator, (a.imag - a.real * ratio) / denominator};
}

}  // namespace complex
}  // namespace corepy
