// Division of integers, rounded down, as Python's // and %; processors have no vector instruction
// for it. The result is 0 for a divisor of 0. The lowest number divided by -1 wraps.
#pragma once

#include <limits>

#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
struct Division {
  Vec<T> quotient, remainder;
};

// ---- by the same number for all elements
//
// The product with a reciprocal, as in Granlund and Montgomery, "Division by Invariant Integers
// using Multiplication" (1994), figure 4.1.

// The upper half of the product of each two lanes.
inline Vec<uint32_t> high_product(Vec<uint32_t> a, Vec<uint32_t> b) {
  const Vec<uint64_t> x = Vec<uint64_t>::native(a.v), y = Vec<uint64_t>::native(b.v);
  const Vec<uint64_t> even = product_of_halves(x, y) >> 32;
  const Vec<uint64_t> odd = product_of_halves(x >> 32, y >> 32) & ~uint64_t(0xffffffff);
  return Vec<uint32_t>::native((even | odd).v);
}
inline Vec<uint64_t> high_product(Vec<uint64_t> a, Vec<uint64_t> b) {
  constexpr uint64_t half = 0xffffffff;
  const Vec<uint64_t> a_high = a >> 32, b_high = b >> 32;
  const Vec<uint64_t> low = product_of_halves(a, b), cross = product_of_halves(a_high, b);
  const Vec<uint64_t> middle = (low >> 32) + cross;
  const Vec<uint64_t> other = product_of_halves(a, b_high) + (middle & half);
  return product_of_halves(a_high, b_high) + (middle >> 32) + (other >> 32);
}

// A divisor, with the constants of a division by its magnitude.
template <class T>
struct Divisor {
  using U = std::make_unsigned_t<T>;

  T value;
  U reciprocal = 0;
  int shift1 = 0, shift2 = 0;

  explicit Divisor(T value) : value(value) {
    const U size = magnitude();
    if (size == 0) return;
    constexpr int width = 8 * sizeof(T);
    const int log2 = size == 1 ? 0 : 64 - __builtin_clzll(uint64_t(size) - 1);  // rounded up
    const Wide excess = (Wide(1) << log2) - size;
    reciprocal = U((excess << width) / size + 1);
    shift1 = log2 < 1 ? 0 : 1;
    shift2 = log2 < 1 ? 0 : log2 - 1;
  }

  Division<T> divide(Vec<T> a) const {
    const Vec<T> zero = T(0);
    if (value == 0) return {zero, zero};
    Vec<T> quotient;
    if constexpr (std::is_unsigned_v<T>) {
      quotient = divide_magnitude(a);
    } else {
      // floor(a / d) is floor(-a / -d), and for negative a it is ~floor(~a / d).
      const Mask<T> flip = value < 0 ? a > zero : a < zero;
      const Vec<T> flips = select(flip, Vec<T>(T(-1)), zero);
      const Vec<T> positive = (value < 0 ? -a : a) ^ flips;
      quotient = bitcast<T>(divide_magnitude(bitcast<U>(positive))) ^ flips;
    }
    return {quotient, a - quotient * Vec<T>(value)};
  }

 private:
  __extension__ typedef std::conditional_t<sizeof(T) == 8, unsigned __int128, uint64_t> Wide;

  U magnitude() const { return value < 0 ? U(0) - U(value) : U(value); }

  Vec<U> divide_magnitude(Vec<U> a) const {
    if constexpr (sizeof(T) == 1) {
      // There are no instructions for bytes; in 16 bits one product is enough: 255 * 255 < 2^16.
      if (magnitude() == 1) return a;
      const Vec<uint16_t> inverse = uint16_t(65536 / magnitude() + 1);
      const Vec<uint16_t> both = Vec<uint16_t>::native(a.v);
      const Vec<uint16_t> even = high_product(both & uint16_t(0xff), inverse);
      const Vec<uint16_t> odd = high_product(both >> 8, inverse);
      return (typename Vec<U>::native)((even | (odd << 8)).v);
    } else {
      const Vec<U> product = high_product(a, Vec<U>(reciprocal));
      return (product + ((a - product) >> shift1)) >> shift2;
    }
  }
};

// ---- each element by its own divisor
//
// Floating-point quotients: exact but for the last unit before or after an integer, because the
// operands have so few digits that no other quotient is that near to it. The remainder decides.

inline Vec<float> to_float(Vec<int32_t> a) { return convert<float>(a); }
inline Vec<float> to_float(Vec<uint32_t> a) { return convert<float>(bitcast<int32_t>(a)); }

inline VecPair<Vec<double>> to_doubles(Vec<int32_t> a) {
  using half = Native<int32_t, VECTOR_BYTES / 2>::type;
  half parts[2];
  std::memcpy(parts, &a.v, sizeof(parts));
  return {convert_lanes<Vec<double>::native>(parts[0]),
          convert_lanes<Vec<double>::native>(parts[1])};
}
inline VecPair<Vec<double>> to_doubles(Vec<uint32_t> a) {
  const VecPair<Vec<double>> shifted =
      to_doubles(bitcast<int32_t>(a ^ std::numeric_limits<int32_t>::min()));
  return {shifted.first + 0x1p31, shifted.second + 0x1p31};
}

// Truncated quotients; b is not 0.
template <class T>
inline Vec<T> quotient_of(Vec<T> a, Vec<T> b) {
  if constexpr (sizeof(T) == 4) {
    const VecPair<Vec<double>> x = to_doubles(a), y = to_doubles(b);
    const Vec<T> quotient = bitcast<T>(truncate(x.first / y.first, x.second / y.second));
    if constexpr (std::is_signed_v<T>) return quotient;  // 2^31 truncates to the lowest number
    return select(b == T(1), a, quotient);               // all others are below 2^31
  } else {
    using Wider = std::conditional_t<sizeof(T) == 1,
                                     std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>,
                                     std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;
    const VecPair<Vec<Wider>> x = widen<Wider>(a), y = widen<Wider>(b);
    if constexpr (sizeof(T) == 1) {
      return narrow<T>(quotient_of(x.first, y.first), quotient_of(x.second, y.second));
    } else {
      const auto divide = [](Vec<Wider> x, Vec<Wider> y) {
        return truncate<int32_t>(to_float(x) / to_float(y));
      };
      return narrow<T>(divide(x.first, y.first), divide(x.second, y.second));
    }
  }
}

// From the quotient rounded in any way.
template <class T>
inline Division<T> rounded_down(Vec<T> a, Vec<T> b, Vec<T> quotient) {
  const Vec<T> remainder = a - quotient * b;
  if constexpr (std::is_unsigned_v<T> && sizeof(T) < 8) return {quotient, remainder};
  using S = std::make_signed_t<T>;
  const Mask<S> below = (bitcast<S>(remainder ^ b) < S(0)) & (bitcast<S>(remainder) != S(0));
  const Mask<T> over = mask_cast<T>(below);
  return {select(over, quotient - T(1), quotient), select(over, remainder + b, remainder)};
}

// Divides the elements in sequence.
template <class T>
inline Division<T> divide_elements(Vec<T> a, Vec<T> b) {
  Division<T> result;
  for (int i = 0; i < Vec<T>::size; i++) {
    T x = a.get(i), y = b.get(i);
    // The divisor is checked and used as one value. The compiler may not read it from memory again:
    // another thread may have written a 0.
    asm("" : "+r"(x), "+r"(y));
    const bool wraps = std::is_signed_v<T> && y == T(-1);  // the processor would trap
    const T divisor = y == 0 || wraps ? T(1) : y;
    const T quotient = T(x / divisor), remainder = T(x - uint64_t(quotient) * uint64_t(divisor));
    const bool below = (remainder != 0) & ((x ^ divisor) < 0);
    result.quotient.v[i] = y == 0 ? T(0) : wraps ? T(0 - uint64_t(x)) : T(quotient - T(below));
    result.remainder.v[i] = T(remainder + (below ? divisor : T(0)));  // 0 for a divisor of 1
  }
  return result;
}

// Numbers below 2^51 are exact in float64. Their quotient has an error below 1/4, so its nearest
// integer is one of two. Adding 1.5 * 2^52 rounds to it, in the last bits.
constexpr int64_t SMALL = int64_t(1) << 51;
template <class T>
inline bool all_small(Vec<T> a) {
  const uint64_t below_zero = std::is_signed_v<T> ? SMALL : 0;
  return all(bitcast<uint64_t>(a) + below_zero < Vec<uint64_t>(below_zero + SMALL));
}
template <class T>
inline Vec<T> quotient_of_small(Vec<T> a, Vec<T> b) {
  constexpr double shift = 0x1.8p52;
  constexpr int64_t shift_bits = 0x4338000000000000;
  const auto to_double = [](Vec<T> x) {
    return bitcast<double>(bitcast<int64_t>(x) + shift_bits) - shift;
  };
  const Vec<double> quotient = to_double(a) / to_double(b) + shift;
  return bitcast<T>(bitcast<int64_t>(quotient) - shift_bits);
}

template <class T>
inline Division<T> divide_lanes(Vec<T> a, Vec<T> b) {
  if constexpr (sizeof(T) == 8) {  // slower for two lanes
    if (Vec<T>::size == 2 || !(all_small(a) && all_small(b))) return divide_elements(a, b);
  }
  const Vec<T> zero = T(0);
  const Mask<T> by_zero = b == zero;
  const Vec<T> divisor = select(by_zero, Vec<T>(T(1)), b);
  Vec<T> quotient;
  if constexpr (sizeof(T) == 8) {
    quotient = quotient_of_small(a, divisor);
  } else {
    quotient = quotient_of(a, divisor);
  }
  const Division<T> result = rounded_down(a, divisor, quotient);
  return {select(by_zero, zero, result.quotient), select(by_zero, zero, result.remainder)};
}

}  // namespace COREPY_TARGET
}  // namespace corepy
