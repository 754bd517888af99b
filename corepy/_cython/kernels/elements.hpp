// Single elements of any dtype as numbers of C++, for Python scalars. Dtypes are given by code.
#pragma once

#include <cstring>
#include <type_traits>

#include "operations.hpp"

namespace corepy {

// The number that elements of a kind and size are; a complex element is two of them.
template <Kind kind, int size>
struct NumberOf;
template <>
struct NumberOf<KIND_boolean, 1> {
  using type = uint8_t;
};
template <>
struct NumberOf<KIND_signed, 1> {
  using type = int8_t;
};
template <>
struct NumberOf<KIND_signed, 2> {
  using type = int16_t;
};
template <>
struct NumberOf<KIND_signed, 4> {
  using type = int32_t;
};
template <>
struct NumberOf<KIND_signed, 8> {
  using type = int64_t;
};
template <int size>
struct NumberOf<KIND_unsigned, size> {
  using type = std::make_unsigned_t<typename NumberOf<KIND_signed, size>::type>;
};
template <>
struct NumberOf<KIND_floating, 4> {
  using type = float;
};
template <>
struct NumberOf<KIND_floating, 8> {
  using type = double;
};
template <int size>
struct NumberOf<KIND_complex, size> : NumberOf<KIND_floating, size / 2> {};

template <class T>
T load_number(const char* data) {
  T number;
  std::memcpy(&number, data, sizeof(T));
  return number;
}

template <class T>
void store_number(char* out, T number) {
  std::memcpy(out, &number, sizeof(T));
}

// A floating-point element, or the real component of a complex one.
inline double load_real(const char* data, int code) {
#define DTYPE(name, kind, size, part)                            \
  if (KIND_##kind >= KIND_floating && code == DTYPE_##name) {    \
    return load_number<NumberOf<KIND_##kind, size>::type>(data); \
  }
#include "../schema/dtypes.def"
  return 0;
}

// An element of an integer dtype; of uint64 its bits.
inline long long load_whole(const char* data, int code) {
#define DTYPE(name, kind, size, part)                                         \
  if (KIND_##kind < KIND_floating && code == DTYPE_##name) {                  \
    return (long long)(load_number<NumberOf<KIND_##kind, size>::type>(data)); \
  }
#include "../schema/dtypes.def"
  return 0;
}

// Writes a floating-point element, or one component of a complex one.
inline void store_real(char* out, int code, double value) {
#define DTYPE(name, kind, size, part)                         \
  if (KIND_##kind >= KIND_floating && code == DTYPE_##name) { \
    using Number = NumberOf<KIND_##kind, size>::type;         \
    return store_number(out, Number(value));                  \
  }
#include "../schema/dtypes.def"
}

// Writes an integer as an element of a numeric dtype that is not complex; false for other dtypes,
// and for those of integers that cannot hold it.
inline bool store_whole(char* out, int code, ptrdiff_t value) {
#define DTYPE(name, kind, size, part)                                                       \
  if (KIND_##kind != KIND_boolean && KIND_##kind != KIND_complex && code == DTYPE_##name) { \
    using Number = NumberOf<KIND_##kind, size>::type;                                       \
    const Number number = Number(value);                                                    \
    store_number(out, number);                                                              \
    return KIND_##kind == KIND_floating ||                                                  \
           (ptrdiff_t(number) == value && (value < 0) == (number < 0));                     \
  }
#include "../schema/dtypes.def"
  return false;
}

}  // namespace corepy
