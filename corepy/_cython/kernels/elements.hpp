// Single elements of any dtype as numbers of C++, for Python scalars. Dtypes are given by code.
#pragma once

#include <cstring>

#include "operations.hpp"

namespace corepy {

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
#define DTYPE(name, kind, size, part, number)                 \
  if (KIND_##kind >= KIND_floating && code == DTYPE_##name) { \
    return load_number<number>(data);                         \
  }
#include "../schema/dtypes.def"
  return 0;
}

// An element of an integer dtype; of uint64 its bits.
inline long long load_whole(const char* data, int code) {
#define DTYPE(name, kind, size, part, number)                \
  if (KIND_##kind < KIND_floating && code == DTYPE_##name) { \
    return (long long)(load_number<number>(data));           \
  }
#include "../schema/dtypes.def"
  return 0;
}

// Writes a floating-point element, or one component of a complex one.
inline void store_real(char* out, int code, double value) {
#define DTYPE(name, kind, size, part, number)                 \
  if (KIND_##kind >= KIND_floating && code == DTYPE_##name) { \
    return store_number(out, number(value));                  \
  }
#include "../schema/dtypes.def"
}

// Writes a number as an element of a real floating-point dtype; false for other dtypes.
inline bool store_float(char* out, int code, double value) {
#define DTYPE(name, kind, size, part, number)                 \
  if (KIND_##kind == KIND_floating && code == DTYPE_##name) { \
    return store_number(out, number(value)), true;            \
  }
#include "../schema/dtypes.def"
  return false;
}

// Writes an integer as an element of a numeric dtype that is not complex; false for other dtypes,
// and for those of integers that cannot hold it. Not inline, or what calls it would not be.
[[gnu::noinline]] inline bool store_whole(char* out, int code, ptrdiff_t value) {
#define DTYPE(name, kind, size, part, number)                                               \
  if (KIND_##kind != KIND_boolean && KIND_##kind != KIND_complex && code == DTYPE_##name) { \
    const number element = number(value);                                                   \
    store_number(out, element);                                                             \
    return KIND_##kind == KIND_floating ||                                                  \
           (ptrdiff_t(element) == value && (value < 0) == (element < 0));                   \
  }
#include "../schema/dtypes.def"
  return false;
}

}  // namespace corepy
