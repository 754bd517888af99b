// What the native tests share: numbers worth testing, and a count of what went wrong.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

namespace test {

inline int failures = 0;
inline long checks = 0;

// The same bits, but that any NaN is as good as another.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
void expect(T actual, T expected, const char* what, const char* type, long lane) {
  checks++;
  if (same(actual, expected)) return;
  if (failures++ < 50) {
    std::printf("%s of %s, element %ld: %.17g instead of %.17g\n", what, type, lane, double(actual),
                double(expected));
  }
}

// The i-th of a sequence of numbers: extremes first, then bits from a linear congruential generator
// (Knuth's MMIX).
inline uint64_t state = 1;
inline uint64_t random_bits() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 16 ^ state << 32;
}
template <class T>
T number(long i) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {0,
                         T(-0.0),
                         1,
                         -1,
                         T(0.5),
                         T(-0.5),
                         T(1.5),
                         2.5,
                         T(-2.5),
                         T(0.1),
                         T(1e10),
                         T(3),
                         Limits::max(),
                         Limits::lowest(),
                         Limits::min(),
                         Limits::denorm_min(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN()};
    constexpr long count = sizeof(special) / sizeof(T);
    if (i % 3 == 0) return special[i / 3 % count];
    return T((double(random_bits() >> 11) / 0x1p53 - 0.5) * std::exp2(double(i % 60) - 20));
  } else {
    const T special[] = {0,
                         1,
                         2,
                         3,
                         7,
                         T(-1),
                         T(-2),
                         Limits::max(),
                         Limits::min(),
                         T(Limits::max() - 1),
                         T(Limits::min() + 1),
                         100};
    constexpr long count = sizeof(special) / sizeof(T);
    if (i % 3 == 0) return special[i / 3 % count];
    return T(random_bits() >> random_bits() % (8 * sizeof(T)));
  }
}

template <class T>
const char* name() {
  return std::is_same_v<T, float>    ? "float32"
         : std::is_same_v<T, double> ? "float64"
         : std::is_signed_v<T>       ? (sizeof(T) == 1   ? "int8"
                                        : sizeof(T) == 2 ? "int16"
                                        : sizeof(T) == 4 ? "int32"
                                                         : "int64")
                                     : (sizeof(T) == 1   ? "uint8"
                                        : sizeof(T) == 2 ? "uint16"
                                        : sizeof(T) == 4 ? "uint32"
                                                         : "uint64");
}

inline int report(const char* what) {
  std::printf("%s: %ld checks, %d failures\n", what, checks, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace test
