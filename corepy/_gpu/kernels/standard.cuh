// What headers of the CPU's kernels use of the standard library, which NVRTC lacks.
#pragma once

#include "types.cuh"

#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
using int32_t = corepy::int32;
using int64_t = corepy::int64;
using uint8_t = corepy::uint8;
using uint64_t = corepy::uint64;

namespace std {

using ::copysign;
using ::cos;
using ::fabs;
using ::memcpy;
using ::sin;

template <class A, class B>
constexpr bool is_same_v = corepy::is_same<A, B>;
template <class T>
constexpr bool is_floating_point_v = corepy::is_floating<T>;
template <class T>
constexpr bool is_integral_v = corepy::is_integer<T>;
template <class T>
constexpr bool is_signed_v = corepy::is_signed<T>;

template <bool condition, class A, class B>
using conditional_t = corepy::Select<condition, A, B>;
template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
};
template <class T>
struct remove_cv {
  using type = T;
};
template <class T>
using common_type_t = typename remove_cv<T>::type;
template <class T>
struct make_unsigned {
  using type = corepy::bits_of<T>;
};
template <class T>
using make_signed_t = conditional_t<sizeof(T) == 8, int64_t, int32_t>;

template <class T>
struct numeric_limits {
  static constexpr T min() { return corepy::Limits<T>::lowest; }
  static constexpr T max() { return corepy::Limits<T>::highest; }
};
// Constant expressions, which the compiler's own functions are not.
template <>
struct numeric_limits<double> {
  static constexpr int digits = 53, max_exponent = 1024;
  static constexpr double min() { return 0x1p-1022; }
  static constexpr double infinity() { return 1.0 / 0.0; }
  static constexpr double quiet_NaN() { return 0.0 / 0.0; }
};
template <>
struct numeric_limits<float> {
  static constexpr int digits = 24, max_exponent = 128;
  static constexpr float min() { return 0x1p-126f; }
  static constexpr float infinity() { return 1.0f / 0.0f; }
  static constexpr float quiet_NaN() { return 0.0f / 0.0f; }
};

}  // namespace std
#else
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#endif
