// Casts between all dtypes.
#include <array>
#include <limits>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// What x86-64 makes of a float: truncated, and the lowest integer when it is not in range or a NaN.
// Written out, for the language leaves those undefined and other processors saturate. The bounds
// are powers of two, so exact; the comparison with the lower one admits all that truncates into
// range.
template <class Int, class Float>
inline Int truncate(Float value) {
  constexpr Float bound = -Float(std::numeric_limits<Int>::min());
  const bool in_range =
      value < bound && (sizeof(Float) > sizeof(Int) ? value > -bound - 1 : value >= -bound);
  return in_range ? Int(value) : std::numeric_limits<Int>::min();
}

template <class To, class From>
inline To to_integer(From value) {
  if constexpr (std::is_same_v<To, uint64_t>) {
    // There is no instruction for it: the upper half is converted less 2^63.
    constexpr From half = From(uint64_t(1) << 63);
    return value >= half ? uint64_t(truncate<int64_t>(value - half)) ^ (uint64_t(1) << 63)
                         : uint64_t(truncate<int64_t>(value));
  } else if constexpr (std::is_same_v<To, int64_t> || std::is_same_v<To, uint32_t>) {
    return To(truncate<int64_t>(value));
  } else {
    return To(truncate<int32_t>(value));
  }
}

template <class To>
struct Cast {
  template <class From>
  static To call(From value) {
    if constexpr (is_complex<To>) {
      using Component = decltype(To::real);
      if constexpr (is_complex<From>) {
        return {Component(value.real), Component(value.imag)};
      } else {
        return {Cast<Component>::call(value), 0};
      }
    } else if constexpr (is_bool<To>) {
      if constexpr (is_complex<From>) {
        return (value.real != 0) | (value.imag != 0);
      } else {
        return value != 0;
      }
    } else if constexpr (is_complex<From>) {
      return Cast<To>::call(value.real);
    } else if constexpr (is_bool<From>) {
      return To(value.byte != 0);
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      return to_integer<To>(value);
    } else {
      return To(value);
    }
  }
};

// The bits that a cast between integers gives depend on the sign of the source only when it is
// widened, and on that of the target never: such pairs share a loop.
template <class T>
struct Same {
  using type = T;
};
template <class T, bool drop_sign>
using Bits = typename std::conditional_t<drop_sign, std::make_unsigned<T>, Same<T>>::type;

using Row = std::array<kernel, DTYPE_COUNT>;

template <class From, class To>
constexpr kernel cast_loop() {
  constexpr bool integers = std::is_integral_v<From> && std::is_integral_v<To>;
  using F = Bits<From, integers && sizeof(From) >= sizeof(To)>;
  using T = Bits<To, integers>;
  if constexpr (std::is_same_v<F, T>) {
    return copy_loop<T>;
  } else {
    return unary_elements<Cast<T>, T, F>;
  }
}

template <class From>
constexpr Row row() {
  return {cast_loop<From, Bool>(),      cast_loop<From, int8_t>(),   cast_loop<From, int16_t>(),
          cast_loop<From, int32_t>(),   cast_loop<From, int64_t>(),  cast_loop<From, uint8_t>(),
          cast_loop<From, uint16_t>(),  cast_loop<From, uint32_t>(), cast_loop<From, uint64_t>(),
          cast_loop<From, float>(),     cast_loop<From, double>(),   cast_loop<From, Complex64>(),
          cast_loop<From, Complex128>()};
}

constexpr std::array<Row, DTYPE_COUNT> casts = {
    row<Bool>(),    row<int8_t>(),    row<int16_t>(),   row<int32_t>(),  row<int64_t>(),
    row<uint8_t>(), row<uint16_t>(),  row<uint32_t>(),  row<uint64_t>(), row<float>(),
    row<double>(),  row<Complex64>(), row<Complex128>()};

}  // namespace

void fill_casts(Kernels& kernels) {
  for (int from = 0; from < DTYPE_COUNT; from++) {
    for (int to = 0; to < DTYPE_COUNT; to++) kernels.casts[from][to] = casts[from][to];
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
