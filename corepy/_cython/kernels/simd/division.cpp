// divide, reciprocal, floor_divide, remainder, and pow of integers.
#include <cmath>

#include "integer_division.hpp"
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

struct Divide {
  template <class T>
  static Vec<T> call(Vec<T> a, Vec<T> b) {
    return a / b;
  }

  template <class T>
  static COREPY_INLINE VecComplex<T> call(VecComplex<T> a, VecComplex<T> b) {
    return quotient(a, b);
  }
};

struct Reciprocal {
  template <class T>
  static Vec<T> call(Vec<T> a) {
    return Vec<T>(T(1)) / a;
  }
  template <class T>
  static COREPY_INLINE VecComplex<T> call(VecComplex<T> a) {
    return Divide::call(VecComplex<T>(Complex<T>{1, 0}), a);
  }
};

#if defined(COREPY_AVX512)
// Division of float64 without the processor's divider, in two thirds of the time of Intel's (AMD's
// is faster): an estimate of the reciprocal to 14 bits, a cubic and a quadratic step to all 53
// (relative error 2^-53), and a quotient corrected by its exact remainder (Markstein 1990;
// Harrison, "Formal verification of IA-64 division algorithms", 2000). Unusual are operands for
// which an intermediate result could overflow or underflow, and divisors just below a power of two,
// whose reciprocal lies halfway between two numbers.
struct DivideByReciprocal : Divide {
  static COREPY_INLINE Vec<double> usual(Mask<double>& unusual, Vec<double> a, Vec<double> b) {
    const Vec<double> exponent = larger_magnitude(split_binade(a).second, split_binade(b).second);
    const Vec<int64_t> digits = bitcast<int64_t>(b) | int64_t(0xFFF) << 52;
    unusual = unusual | ~(exponent <= 500.0) | mask_cast<double>(digits == int64_t(-1));
    Vec<double> inverse = reciprocal_estimate(b);
    Vec<double> error = negated_multiply_add(b, inverse, Vec<double>(1.0));
    inverse = multiply_add(inverse, multiply_add(error, error, error), inverse);
    error = negated_multiply_add(b, inverse, Vec<double>(1.0));
    inverse = multiply_add(inverse, error, inverse);
    const Vec<double> quotient = a * inverse;
    const Vec<double> remainder = negated_multiply_add(b, quotient, a);
    return multiply_add(remainder, inverse, quotient);
  }
};
#endif

// ---- rounded down, as Python's // and %

template <class T>
inline T remainder_of(T a, T b) {
  const T remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(remainder, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

template <class T>
inline T quotient_of(T a, T b) {
  // Not floor(a / b): the rounded quotient may be the next integer. a - remainder is a multiple of
  // b, so its quotient is an integer up to rounding.
  const T remainder = std::fmod(a, b);
  T quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T(0), a / b);
  const T floor = std::floor(quotient);
  return quotient - floor > T(0.5) ? floor + 1 : floor;
}

// The truncated quotient and the remainder of magnitudes. Both are exact in lanes of `exact`: there
// the type has all integers up to the quotient, and the product with b is exact as a sum of two
// numbers. The rounded quotient is the true one or the next integer; a negative remainder indicates
// the latter.
template <class T>
struct Truncated {
  Vec<T> quotient, remainder;
  Mask<T> exact;
};
template <class T>
inline Truncated<T> divide_magnitudes(Vec<T> a, Vec<T> b) {
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr T most = T(uint64_t(1) << (digits - 1));
  const Vec<T> ratio = a / b, quotient = trunc(ratio);
  Mask<T> exact = ratio < most;
  if constexpr (!HAS_FMA) {  // product() multiplies by 2^((digits + 1) / 2)
    constexpr T large = std::numeric_limits<T>::max() / T(uint64_t(2) << (digits + 1) / 2);
    exact = exact & (a < large) & (b < large);
  }
  const VecPair<Vec<T>> multiple = product(quotient, b);
  const Vec<T> remainder = (a - multiple.first) - multiple.second;
  const Mask<T> over = remainder < T(0);
  return {select(over, quotient - T(1), quotient), select(over, remainder + b, remainder), exact};
}

// Replaces lanes that are not `known` by f(a, b).
template <class T, class F>
inline Vec<T> complete(Mask<T> known, Vec<T> result, Vec<T> a, Vec<T> b, F f) {
  uint64_t left = bits(~known);
  for (int i = 0; left != 0; i++, left >>= 1) {
    if (left & 1) result.v[i] = f(a.get(i), b.get(i));
  }
  return result;
}

// Division by one integer for all elements.
struct ByScalar {
  static constexpr int unroll = 1;
  template <class T>
  static auto prepare(T b) -> std::enable_if_t<std::is_integral_v<T>, Divisor<T>> {
    return Divisor<T>(b);
  }
};

struct Remainder : ByScalar {
  template <class T>
  static Vec<T> call(Vec<T> a, Vec<T> b) {
    if constexpr (std::is_integral_v<T>) {
      return divide_lanes(a, b).remainder;
    } else {
      const Vec<T> zero = T(0), nan = std::numeric_limits<T>::quiet_NaN();
      const Truncated<T> truncated = divide_magnitudes(abs(a), abs(b));
      const Vec<T> signed_remainder = truncated.remainder ^ sign_bit_of(a);
      const Mask<T> opposite = is_negative(a ^ b);
      const Vec<T> remainder = select(truncated.remainder == zero, copysign(zero, b),
                                      select(opposite, signed_remainder + b, signed_remainder));
      const Mask<T> undefined = (b == zero) | ~is_finite(a) | (b != b);
      const Mask<T> known = undefined | (truncated.exact & is_finite(b));
      const Vec<T> result = select(undefined, nan, remainder);
      return all(known) ? result : complete(known, result, a, b, remainder_of<T>);
    }
  }

  template <class T>
  static Vec<T> call(Vec<T> a, Divisor<T> b) {
    return b.divide(a).remainder;
  }
};

struct FloorDivide : ByScalar {
  template <class T>
  static Vec<T> call(Vec<T> a, Vec<T> b) {
    if constexpr (std::is_integral_v<T>) {
      return divide_lanes(a, b).quotient;
    } else {
      const Vec<T> zero = T(0), ratio = a / b;
      const Truncated<T> truncated = divide_magnitudes(abs(a), abs(b));
      const Mask<T> below = is_negative(a ^ b) & (truncated.remainder != zero);
      const Vec<T> quotient =
          select(below, truncated.quotient + T(1), truncated.quotient) | sign_bit_of(ratio);
      // For zeros, infinities and NaNs the standard requires the result of division.
      const Mask<T> special = (b == zero) | ~(is_finite(a) & is_finite(b));
      const Mask<T> known = special | truncated.exact;
      const Vec<T> result = select(special, ratio, quotient);
      return all(known) ? result : complete(known, result, a, b, quotient_of<T>);
    }
  }

  template <class T>
  static Vec<T> call(Vec<T> a, Divisor<T> b) {
    return b.divide(a).quotient;
  }
};

// Powers of integers wrap. For negative exponents, undefined by the standard, the result is the
// exact power, truncated.
struct Pow {
  static constexpr int unroll = 1;
  template <class T>
  static Vec<T> call(Vec<T> base, Vec<T> exponent) {
    using U = std::make_unsigned_t<T>;
    const Vec<T> zero = T(0), one = T(1);
    Vec<U> left = bitcast<U>(exponent);
    if constexpr (std::is_signed_v<T>) left = bitcast<U>(select(exponent < zero, zero, exponent));
    Vec<T> power = one, factor = base;
    while (any(left != U(0))) {
      power = select(mask_cast<T>((left & U(1)) != U(0)), power * factor, power);
      factor = factor * factor;
      left = left >> 1;
    }
    if constexpr (std::is_signed_v<T>) {
      const Vec<T> minus_one = T(-1);
      const Vec<T> parity = select((exponent & one) != zero, minus_one, one);
      const Vec<T> inverse = select(base == minus_one, parity, select(base == one, one, zero));
      power = select(exponent < zero, inverse, power);
    }
    return power;
  }
};

template <class T>
void fill_division_of(Kernels& kernels) {
  set<T>(kernels, OP_divide, binary_loop<Divide, T, T>);
  set<T>(kernels, OP_reciprocal, unary_loop<Reciprocal, T, T>);
}

}  // namespace

void fill_division(Kernels& kernels) {
  for_each(RealNumbers{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_floor_divide, binary_loop<FloorDivide, T, T>);
    set<T>(kernels, OP_remainder, binary_loop<Remainder, T, T>);
    if constexpr (std::is_integral_v<T>) set<T>(kernels, OP_pow, binary_loop<Pow, T, T>);
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_division_of<T>(kernels);
    fill_division_of<Complex<T>>(kernels);
  });
#if defined(COREPY_AVX512)
  if (!__builtin_cpu_is("amd")) {
    set<double>(kernels, OP_divide, binary_loop<DivideByReciprocal, double, double>);
  }
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
