// log(e^a + e^b) near its zeros, one element at a time: there e^a + e^b - 1 has fewer digits
// than the arguments determine, so it is computed with 192 bits after the point.
#pragma once

#include <cmath>
#include <cstdint>

#include "../vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// A number in [0, 2^64): words[3] before the point, the others after it.
struct Fixed {
  uint64_t words[4] = {};

  // Converts value >= 0; lower bits are truncated.
  static Fixed from(double value) {
    Fixed result;
    for (int i = 3; i >= 0; i--) {
      result.words[i] = uint64_t(value);
      value = (value - double(result.words[i])) * 0x1p64;
    }
    return result;
  }
  bool operator<(const Fixed& b) const {
    for (int i = 3; i > 0; i--) {
      if (words[i] != b.words[i]) return words[i] < b.words[i];
    }
    return words[0] < b.words[0];
  }
  Fixed operator+(const Fixed& b) const {
    Fixed result;
    unsigned __int128 carry = 0;
    for (int i = 0; i < 4; i++) {
      carry += (unsigned __int128)words[i] + b.words[i];
      result.words[i] = uint64_t(carry);
      carry >>= 64;
    }
    return result;
  }
  // Requires b <= *this.
  Fixed operator-(const Fixed& b) const {
    Fixed result;
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
      const unsigned __int128 difference = (unsigned __int128)words[i] - b.words[i] - borrow;
      result.words[i] = uint64_t(difference);
      borrow = uint64_t(difference >> 64) & 1;
    }
    return result;
  }
  Fixed operator*(const Fixed& b) const {
    uint64_t product[8] = {};
    for (int i = 0; i < 4; i++) {
      unsigned __int128 carry = 0;
      for (int j = 0; j < 4; j++) {
        carry += (unsigned __int128)words[i] * b.words[j] + product[i + j];
        product[i + j] = uint64_t(carry);
        carry >>= 64;
      }
      product[i + 4] = uint64_t(carry);
    }
    return {{product[3], product[4], product[5], product[6]}};
  }
  Fixed operator/(uint64_t divisor) const {
    Fixed result;
    unsigned __int128 rest = 0;
    for (int i = 3; i >= 0; i--) {
      rest = (rest << 64) | words[i];
      result.words[i] = uint64_t(rest / divisor);
      rest %= divisor;
    }
    return result;
  }
  bool is_zero() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
};

// |factor (e^x - 1) / x| for x of that magnitude and sign.
inline Fixed exponential_series(const Fixed& factor, const Fixed& magnitude, bool negative) {
  Fixed term = factor, sum = factor;
  for (int i = 2; !term.is_zero(); i++) {
    term = term * magnitude / uint64_t(i);
    sum = negative && i % 2 == 0 ? sum - term : sum + term;
  }
  return sum;
}

// log(e^a + e^b) for b <= a < 0 where that is less than |a| / 16.
inline double logaddexp_near_zero(double a, double b) {
  // e^b = 2^-n e^f; 2^n (1 - e^a) is about e^f.
  const double n = double(int(0.5 - b * 1.4426950408889634));
  const Fixed log2 = {{0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab, 0}};
  const Fixed b_magnitude = Fixed::from(-b), multiple = log2 * Fixed::from(n);
  const bool negative = multiple < b_magnitude;
  const Fixed f = negative ? b_magnitude - multiple : multiple - b_magnitude;
  const Fixed one = Fixed::from(1), growth = exponential_series(f, f, negative);
  const Fixed power = negative ? one - growth : one + growth;
  const Fixed missing =
      exponential_series(Fixed::from(std::ldexp(-a, int(n))), Fixed::from(-a), true);
  const bool below = power < missing;
  const Fixed rest = below ? missing - power : power - missing;
  // 2^n (e^a + e^b - 1) in double-double.
  double high = 0, low = 0;
  for (int i = 7; i >= 0; i--) {
    const double part =
        std::ldexp(double(uint32_t(rest.words[i / 2] >> (i % 2 * 32))), 32 * i - 192);
    const double sum = high + part;
    low += part - (sum - high);
    high = sum;
  }
  const double s = std::ldexp(below ? -high : high, -int(n));
  double series = 1.0 / 14;
  for (int k = 13; k > 1; k--) series = 1.0 / k - s * series;
  const double result = high + (low - high * (s * series));
  return std::ldexp(below ? -result : result, -int(n));
}

}  // namespace COREPY_TARGET
}  // namespace corepy
