// Operators of single elements, without a kernel's call: what loops over elements are made of. The
// results are those of the kernels, except for products of complex numbers.
#pragma once

#include <cmath>

#include "elements.hpp"

namespace corepy {

// Writes a result and returns its dtype.
template <class Result, class T>
int store_result(char* out, T value, int code) {
  store_number(out, Result(value));
  return code;
}

// `a op b` of two elements of one dtype; -1 for an operation that only a kernel computes.
template <class T>
int operate_on_numbers(Operation op, int code, T a, T b, char* out) {
  const auto compared = [&](bool answer) { return store_result<uint8_t>(out, answer, DTYPE_bool); };
  switch (op) {
    case OP_less:
      return compared(a < b);
    case OP_less_equal:
      return compared(a <= b);
    case OP_equal:
      return compared(a == b);
    case OP_not_equal:
      return compared(a != b);
    case OP_greater:
      return compared(a > b);
    case OP_greater_equal:
      return compared(a >= b);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
      case OP_add:
        return store_result<T>(out, a + b, code);
      case OP_subtract:
        return store_result<T>(out, a - b, code);
      case OP_multiply:
        return store_result<T>(out, a * b, code);
      case OP_divide:
        return store_result<T>(out, a / b, code);
      default:
        return -1;
    }
  } else {
    // Wide and unsigned: neither sums nor promoted products overflow.
    const auto x = uint64_t(a), y = uint64_t(b);
    constexpr auto bits = T(8 * sizeof(T));
    switch (op) {
      case OP_add:
        return store_result<T>(out, x + y, code);
      case OP_subtract:
        return store_result<T>(out, x - y, code);
      case OP_multiply:
        return store_result<T>(out, x * y, code);
      case OP_bitwise_and:
        return store_result<T>(out, x & y, code);
      case OP_bitwise_or:
        return store_result<T>(out, x | y, code);
      case OP_bitwise_xor:
        return store_result<T>(out, x ^ y, code);
      default:
        break;
    }
    if (op == OP_floor_divide || op == OP_remainder) {
      // 0 and -1 are the divisors with special cases.
      if (b == 0 || b == T(-1)) return -1;
      const T rest = T(a % b);
      const bool lower = rest != 0 && (rest < 0) != (b < 0);
      if (op == OP_remainder) return store_result<T>(out, lower ? rest + b : rest, code);
      return store_result<T>(out, a / b - lower, code);
    }
    if (b < 0 || b >= bits) return -1;
    if (op == OP_bitwise_left_shift) return store_result<T>(out, x << b, code);
    if (op == OP_bitwise_right_shift) return store_result<T>(out, a >> b, code);
    return -1;
  }
}

// The same for complex numbers at addresses. The product is the textbook's, as NumPy's scalars have
// it; kernels fuse multiplications and additions, as NumPy's loops do.
template <class T>
int operate_on_complex_numbers(Operation op, int code, const char* a, const char* b, char* out) {
  const T a_real = load_number<T>(a), a_imag = load_number<T>(a + sizeof(T));
  const T b_real = load_number<T>(b), b_imag = load_number<T>(b + sizeof(T));
  const auto result = [&](T real, T imag) {
    store_number(out, real);
    store_number(out + sizeof(T), imag);
    return code;
  };
  switch (op) {
    case OP_add:
      return result(a_real + b_real, a_imag + b_imag);
    case OP_subtract:
      return result(a_real - b_real, a_imag - b_imag);
    case OP_multiply:
      return result(a_real * b_real - a_imag * b_imag, a_real * b_imag + a_imag * b_real);
    case OP_equal:
      return store_result<uint8_t>(out, a_real == b_real && a_imag == b_imag, DTYPE_bool);
    case OP_not_equal:
      return store_result<uint8_t>(out, a_real != b_real || a_imag != b_imag, DTYPE_bool);
    default:
      return -1;
  }
}

// The same for elements at addresses; writes the result and returns its dtype.
inline int operate_on_elements(Operation op, int code, const char* a, const char* b, char* out) {
  switch (code) {
#define DTYPE(name, kind, size, part)                                                           \
  case DTYPE_##name:                                                                            \
    if constexpr (KIND_##kind == KIND_complex) {                                                \
      using Component = NumberOf<KIND_##kind, size>::type;                                      \
      return operate_on_complex_numbers<Component>(op, code, a, b, out);                        \
    } else if constexpr (KIND_##kind != KIND_boolean) {                                         \
      using Number = NumberOf<KIND_##kind, size>::type;                                         \
      return operate_on_numbers(op, code, load_number<Number>(a), load_number<Number>(b), out); \
    }                                                                                           \
    return -1;
#include "../schema/dtypes.def"
  }
  return -1;
}

// `-a`, `~a` or abs(a) of an element at an address; -1 for what only a kernel computes.
template <class T>
int operate_on_number(Operation op, int code, T a, char* out) {
  if constexpr (std::is_floating_point_v<T>) {
    if (op == OP_negative) return store_result<T>(out, -a, code);
    if (op == OP_abs) return store_result<T>(out, std::fabs(a), code);
  } else {
    const auto x = uint64_t(a);
    if (op == OP_bitwise_invert) return store_result<T>(out, ~x, code);
    if (std::is_signed_v<T> && op == OP_negative) return store_result<T>(out, 0 - x, code);
    if (std::is_signed_v<T> && op == OP_abs) {
      return store_result<T>(out, a < 0 ? 0 - x : x, code);
    }
  }
  return -1;
}

inline int operate_on_element(Operation op, int code, const char* a, char* out) {
  switch (code) {
#define DTYPE(name, kind, size, part)                                           \
  case DTYPE_##name:                                                            \
    if constexpr (KIND_##kind != KIND_boolean && KIND_##kind != KIND_complex) { \
      using Number = NumberOf<KIND_##kind, size>::type;                         \
      return operate_on_number(op, code, load_number<Number>(a), out);          \
    }                                                                           \
    return -1;
#include "../schema/dtypes.def"
  }
  return -1;
}

// Whether an element is true; false for complex numbers, too.
inline bool is_true(const char* data, int code) {
  switch (code) {
#define DTYPE(name, kind, size, part)                                             \
  case DTYPE_##name:                                                              \
    if constexpr (KIND_##kind == KIND_complex) {                                  \
      return load_real(data, code) != 0 || load_real(data + size / 2, code) != 0; \
    } else if constexpr (KIND_##kind == KIND_boolean) {                           \
      return *data != 0;                                                          \
    } else {                                                                      \
      return load_number<NumberOf<KIND_##kind, size>::type>(data) != 0;           \
    }
#include "../schema/dtypes.def"
  }
  return false;
}

}  // namespace corepy
