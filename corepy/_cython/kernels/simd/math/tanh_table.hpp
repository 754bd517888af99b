// tanh at equidistant points, in double-double, computed by the compiler.
#pragma once

#include "../vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Double-doubles of float64, in constant expressions.
struct TwoWords {
  double high, low;

  static constexpr TwoWords normalized(double a, double b) {
    const double high = a + b;
    return {high, b - (high - a)};
  }
  static constexpr TwoWords exact_sum(double a, double b) {
    const double high = a + b, of_b = high - a;
    return {high, (a - (high - of_b)) + (b - of_b)};
  }
  static constexpr TwoWords exact_product(double a, double b) {
    constexpr double splitter = 134217729;  // 2^27 + 1
    const double a_high = a * splitter - (a * splitter - a), a_low = a - a_high;
    const double b_high = b * splitter - (b * splitter - b), b_low = b - b_high;
    const double high = a * b;
    return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
  }
  constexpr TwoWords operator+(TwoWords b) const {
    const TwoWords s = exact_sum(high, b.high);
    return normalized(s.high, s.low + (low + b.low));
  }
  constexpr TwoWords operator-() const { return {-high, -low}; }
  constexpr TwoWords operator*(TwoWords b) const {
    const TwoWords p = exact_product(high, b.high);
    return normalized(p.high, p.low + (high * b.low + low * b.high));
  }
  constexpr TwoWords operator/(TwoWords b) const {
    const double first = high / b.high;
    const TwoWords rest = *this + -(b * TwoWords{first, 0});
    const double second = rest.high / b.high;
    const TwoWords last = rest + -(b * TwoWords{second, 0});
    return normalized(first, second + last.high / b.high);
  }
};

template <class T, int size>
struct TanhValues {
  alignas(64) T high[size], low[size];

  // tanh(j step) = (1 - q^j) / (1 + q^j), q = e^(-2 step).
  explicit constexpr TanhValues(TwoWords q) : high(), low() {
    TwoWords power = {1, 0};
    for (int j = 0; j < size; j++) {
      const TwoWords value = (TwoWords{1, 0} + -power) / (TwoWords{1, 0} + power);
      high[j] = T(value.high);
      low[j] = T((value.high - double(high[j])) + value.low);
      power = power * q;
    }
  }
};

template <class T>
struct TanhTable;

// From `limit` on, tanh rounds to 1.
template <>
struct TanhTable<float> {
  static constexpr double step = 0.296875, limit = 9.1;
  static constexpr TanhValues<float, 32> values{{0x1.1ac0d5492c0dcp-1, -0x1.229736e5c8d3ap-56}};
  static VecPair<Vec<float>> look_up(Vec<int32_t> index) {
    return {lookup(values.high, index), lookup(values.low, index)};
  }
};

template <>
struct TanhTable<double> {
  static constexpr double step = 1.0 / 32, limit = 19.125;
  static constexpr TanhValues<double, 613> values{{0x1.e0fabfbc702a4p-1, -0x1.8d0e700fcfb65p-56}};
  // j is in the lowest bits of 3 * 2^51 + j.
  static VecPair<Vec<double>> look_up(Vec<int64_t> shifted) {
    const Vec<int64_t> index = shifted & 1023;
    return {gather(values.high, index), gather(values.low, index)};
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
