// Single elements in memory, functors, and loops that the compiler vectorises.
#pragma once

#include "../types.hpp"

// Promises the compiler that iterations are independent: the output of a `kernel` is equal to an
// input or does not overlap it. __restrict__ would be wrong for operations in place.
#if defined(__clang__)
#define COREPY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define COREPY_INDEPENDENT _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#define COREPY_INDEPENDENT __pragma(loop(ivdep))
#else
#define COREPY_INDEPENDENT
#endif

// The functor of an expression of its operands: a, or a and b.
#define COREPY_UNARY(Name, expression) \
  struct Name {                        \
    template <class V>                 \
    static auto call(V a) {            \
      return expression;               \
    }                                  \
  };
#define COREPY_BINARY(Name, expression) \
  struct Name {                         \
    template <class V>                  \
    static auto call(V a, V b) {        \
      return expression;                \
    }                                   \
  };
#define COREPY_COMMUTATIVE(Name, expression) \
  struct Name {                              \
    template <class E>                       \
    static constexpr bool commutes = true;   \
    template <class V>                       \
    static auto call(V a, V b) {             \
      return expression;                     \
    }                                        \
  };

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline const T& load(const char* address) {
  return *reinterpret_cast<const T*>(address);
}

template <class T>
inline void store(char* address, T value) {
  *reinterpret_cast<T*>(address) = value;
}

// The kernel with its two inputs exchanged: greater is less, and so on.
template <kernel loop>
void swapped(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  char* const swapped_data[] = {data[0], data[2], data[1]};
  const ptrdiff_t swapped_steps[] = {steps[0], steps[2], steps[1]};
  loop(n, swapped_data, swapped_steps);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
