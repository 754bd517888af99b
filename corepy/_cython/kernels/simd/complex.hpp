// VecComplex<T>: as many complex numbers as a Vec<T> has lanes, as two vectors of real and
// imaginary components.
#pragma once

#include "vec.hpp"

// For long functions of complex numbers: a call would pass those through memory.
#define COREPY_INLINE inline __attribute__((always_inline))

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
struct VecComplex {
  using element = Complex<T>;
  static constexpr ptrdiff_t size = Vec<T>::size;

  Vec<T> real, imag;

  VecComplex() = default;
  VecComplex(Vec<T> real, Vec<T> imag) : real(real), imag(imag) {}
  VecComplex(Complex<T> a) : real(a.real), imag(a.imag) {}

  // Unless `in_order`, the numbers are permuted in the lanes, and storing restores their order.
  template <bool in_order = true>
  static VecComplex load(const Complex<T>* from) {
    const T* words = reinterpret_cast<const T*>(from);
    return separate<in_order>(Vec<T>::load(words), Vec<T>::load(words + size));
  }
  template <bool in_order = true>
  void store(Complex<T>* to) const {
    T* words = reinterpret_cast<T*>(to);
    const VecPair<Vec<T>> both = mixed<in_order>();
    both.first.store(words);
    both.second.store(words + size);
  }

  // Only the first n numbers; those beyond are read as 0 and not written. 0 <= n <= size.
  template <bool in_order = true>
  static VecComplex load_first(const Complex<T>* from, ptrdiff_t n) {
    const T* words = reinterpret_cast<const T*>(from);
    if (2 * n <= size) return separate<in_order>(Vec<T>::load_first(words, 2 * n), Vec<T>(T(0)));
    return separate<in_order>(Vec<T>::load(words), Vec<T>::load_first(words + size, 2 * n - size));
  }
  template <bool in_order = true>
  void store_first(Complex<T>* to, ptrdiff_t n) const {
    T* words = reinterpret_cast<T*>(to);
    const VecPair<Vec<T>> both = mixed<in_order>();
    if (2 * n <= size) return both.first.store_first(words, 2 * n);
    both.first.store(words);
    both.second.store_first(words + size, 2 * n - size);
  }

  Complex<T> get(int lane) const { return {real.get(lane), imag.get(lane)}; }

 private:
  template <bool in_order>
  static VecComplex separate(Vec<T> a, Vec<T> b) {
    const VecPair<Vec<T>> parts = in_order ? unzip(a, b) : unzip_halves(a, b);
    return {parts.first, parts.second};
  }
  template <bool in_order>
  VecPair<Vec<T>> mixed() const {
    return in_order ? zip(real, imag) : zip_halves(real, imag);
  }
};

template <class T>
inline VecComplex<T> operator+(VecComplex<T> a, VecComplex<T> b) {
  return {a.real + b.real, a.imag + b.imag};
}
template <class T>
inline VecComplex<T> operator-(VecComplex<T> a, VecComplex<T> b) {
  return {a.real - b.real, a.imag - b.imag};
}
template <class T>
inline VecComplex<T> operator-(VecComplex<T> a) {
  return {-a.real, -a.imag};
}
// The textbook formula, without fused operations: the same bits everywhere.
template <class T>
inline VecComplex<T> operator*(VecComplex<T> a, VecComplex<T> b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
// With fused operations, if there are any, as in NumPy's loops: the last bits may differ between
// instruction sets, and depend on the order of the factors.
template <class T>
COREPY_INLINE VecComplex<T> fused_product(VecComplex<T> a, VecComplex<T> b) {
  return {multiply_add(a.real, b.real, -(a.imag * b.imag)),
          multiply_add(a.real, b.imag, a.imag * b.real)};
}
// The textbook formula of single numbers. With a subtraction GCC 12 fuses operations in loops that
// it vectorises, in spite of -ffp-contract=off, and not in others.
template <class T>
inline Complex<T> textbook_product(Complex<T> a, Complex<T> b) {
  return {a.real * b.real + -a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
template <class T>
inline VecComplex<T> conj(VecComplex<T> a) {
  return {a.real, -a.imag};
}
template <class T>
inline Mask<T> operator==(VecComplex<T> a, VecComplex<T> b) {
  return (a.real == b.real) & (a.imag == b.imag);
}
template <class T>
inline Mask<T> operator!=(VecComplex<T> a, VecComplex<T> b) {
  return (a.real != b.real) | (a.imag != b.imag);
}
template <class T>
inline VecComplex<T> select(Mask<T> mask, VecComplex<T> a, VecComplex<T> b) {
  return {select(mask, a.real, b.real), select(mask, a.imag, b.imag)};
}
template <class T>
inline VecComplex<T> nearest(VecComplex<T> a) {
  return {nearest(a.real), nearest(a.imag)};
}
template <class T>
inline Mask<T> is_nan(VecComplex<T> a) {
  return is_nan(a.real) | is_nan(a.imag);
}
template <class T>
inline Mask<T> is_infinite(VecComplex<T> a) {
  return is_infinite(a.real) | is_infinite(a.imag);
}
template <class T>
inline Mask<T> is_finite(VecComplex<T> a) {
  return is_finite(a.real) & is_finite(a.imag);
}

// A number as fraction * 2^exponent: the larger component of the fraction is in [1, 4) unless the
// number is subnormal or not finite (a power of two and its inverse must both be normal).
template <class T>
struct Scaled {
  VecComplex<T> fraction;
  Vec<T> power;  // 2^exponent
};
template <class T>
COREPY_INLINE Scaled<T> scaled(VecComplex<T> a) {
  using Bits = Signed_of<T>;
  constexpr Bits one = Bits(1) << (std::numeric_limits<T>::digits - 1);  // of the exponent
  constexpr Bits exponents = std::numeric_limits<Bits>::max() & ~(one - 1);
  constexpr Bits highest = exponents - 2 * one;
  // Of a NaN and a number either may be the larger one: the fraction has a NaN whatever it is.
  const Vec<T> larger = max_of_numbers(abs(a.real), abs(a.imag));
  const Vec<T> whole = bitcast<T>(bitcast<Bits>(larger) & exponents);
  const Vec<T> least = std::numeric_limits<T>::min(), most = bitcast<T>(Vec<Bits>(highest));
  const Vec<T> power = min_of_numbers(max_of_numbers(whole, least), most);
  const Vec<T> inverse = bitcast<T>(Vec<Bits>(highest + one) - bitcast<Bits>(power));
  return {{a.real * inverse, a.imag * inverse}, power};
}

// A square root to half of its digits at least, and 1 / (2 root) to 6 %.
template <class T>
COREPY_INLINE VecPair<Vec<T>> estimated_root(Vec<T> a) {
#if defined(COREPY_AVX512)
  if constexpr (sizeof(T) == 4) {  // in less time than the square root takes
    const Vec<T> positive = max_of_numbers(Vec<T>(std::numeric_limits<T>::min()), a);
    const Vec<T> inverse = reciprocal_sqrt_estimate(positive);
    return {a * inverse, inverse * T(0.5)};
  }
#endif
  const Vec<T> root = sqrt(a);  // less than 5.7
  const Vec<T> cubic = multiply_add(root, T(-0.0073767), T(0.0988483));
  const Vec<T> square = multiply_add(root, cubic, T(-0.455975));
  return {root, multiply_add(root, square, T(0.8363813))};
}

// sqrt(real^2 + imag^2) of a number whose larger component is in [1, 4), or with fewer correct
// digits of a smaller one: the sum of squares as a double-double, then one step of Newton's
// iteration. Its quotient is approximate, because the correction is small.
template <class T>
COREPY_INLINE Vec<T> magnitude_of_scaled(VecComplex<T> a) {
  VecPair<Vec<T>> squares;
  const VecPair<Vec<T>> x = product(a.real, a.real);
  if constexpr (HAS_FMA && sizeof(T) == 4) {
    // The sum may be rounded once: half a unit of it is 0.36 of the root's.
    squares = {multiply_add(a.imag, a.imag, x.first), x.second};
  } else {
    const VecPair<Vec<T>> y = product(a.imag, a.imag);
    squares = sum(x.first, y.first);
    squares.second = squares.second + (x.second + y.second);
  }
  const VecPair<Vec<T>> root = estimated_root(squares.first);
  const VecPair<Vec<T>> again = product(root.first, root.first);
  const Vec<T> rest = ((squares.first - again.first) - again.second) + squares.second;
  return multiply_add(rest, root.second, root.first);
}

// Within 0.6 units in the last place (float32: 0.9), and no overflow or underflow on the way. An
// infinite component outweighs a NaN.
template <class T>
COREPY_INLINE Vec<T> abs(VecComplex<T> a) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  Vec<T> magnitude;
  if constexpr (sizeof(T) == 4 && !HAS_FMA) {  // float64 neither overflows nor loses digits here
    const auto root = [](Vec<double> x, Vec<double> y) { return sqrt(x * x + y * y); };
    const VecPair<Vec<double>> x = widen(a.real), y = widen(a.imag);
    magnitude = narrow(root(x.first, y.first), root(x.second, y.second));
  } else {
    const Scaled<T> parts = scaled(a);
    magnitude = magnitude_of_scaled(parts.fraction) * parts.power;
  }
  return select(is_infinite(a), Vec<T>(infinity), magnitude);
}

// a / |a|; an infinite component outweighs a finite one, two of them have no direction.
template <class T>
COREPY_INLINE VecComplex<T> direction(VecComplex<T> a) {
  const Vec<T> zero = T(0), nan = std::numeric_limits<T>::quiet_NaN();
  // The exponent is taken out first: |a| could overflow, or be subnormal and have lost its
  // precision.
  const VecComplex<T> fraction = scaled(a).fraction;
  const Vec<T> magnitude = magnitude_of_scaled(fraction);
  const Mask<T> is_zero = magnitude == zero;
  const Mask<T> real_infinite = is_infinite(a.real), imag_infinite = is_infinite(a.imag);
  const Mask<T> nowhere = is_nan(a) | (real_infinite & imag_infinite);
  const auto component = [&](Vec<T> part, Vec<T> whole, Mask<T> infinite, Mask<T> other) {
    const Vec<T> finite = select(is_zero | other, zero, part / magnitude);
    return select(nowhere, nan, select(infinite, copysign(Vec<T>(T(1)), whole), finite));
  };
  return {component(fraction.real, a.real, real_infinite, imag_infinite),
          component(fraction.imag, a.imag, imag_infinite, real_infinite)};
}

// Smith's algorithm (Communications of the ACM 5, 1962): no overflow where the textbook formula
// squares b. Divides by the denominator instead of multiplying by its reciprocal, so that division
// by a real number is exact.
template <class T>
COREPY_INLINE VecComplex<T> quotient(VecComplex<T> a, VecComplex<T> b) {
  // Where the imaginary component is the larger one, both numbers are turned by -90 degrees.
  const Mask<T> turn = abs(b.real) < abs(b.imag);
  const VecComplex<T> x = select(turn, VecComplex<T>(a.imag, -a.real), a);
  const VecComplex<T> y = select(turn, VecComplex<T>(b.imag, -b.real), b);
  const Vec<T> ratio = y.imag / y.real;
  const Vec<T> denominator = y.real + y.imag * ratio;
  const VecComplex<T> quotient = {(x.real + x.imag * ratio) / denominator,
                                  (x.imag - x.real * ratio) / denominator};
  // b is 0: signed infinities and NaNs per component.
  const Mask<T> by_zero = y.real == T(0);
  if (none(by_zero)) return quotient;
  const Vec<T> zero = abs(b.real);
  return select(by_zero, VecComplex<T>(a.real / zero, a.imag / zero), quotient);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
