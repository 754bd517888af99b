// Element types, and registration of kernels. Internal to the kernels.
#pragma once

#include <initializer_list>
#include <type_traits>

#include "kernels.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// A bool element. Bytes other than 0 and 1 occur in views of memory of other libraries; they are
// true, as in NumPy, so a C++ bool (for which they are undefined) cannot be used.
struct Bool {
  uint8_t byte;
  Bool() = default;
  Bool(bool value) : byte(value) {}
  operator bool() const { return byte != 0; }
};

// Not std::complex: its multiplication recovers infinities element by element, which neither the
// standard nor NumPy do.
template <class T>
struct Complex {
  T real, imag;
};
using Complex64 = Complex<float>;
using Complex128 = Complex<double>;

template <class T>
inline Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.real + b.real, a.imag + b.imag};
}
template <class T>
inline Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.real - b.real, a.imag - b.imag};
}
template <class T>
inline Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

template <class T>
constexpr bool is_complex = std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>;
template <class T>
constexpr bool is_bool = std::is_same_v<T, Bool>;

// What elements of a kind are.
template <Kind kind, class Number>
using ElementOf =
    std::conditional_t<kind == KIND_boolean, Bool,
                       std::conditional_t<kind == KIND_complex, Complex<Number>, Number>>;

// The dtype code of an element type.
template <class T>
constexpr Dtype dtype_of = T::is_the_element_type_of_no_dtype;
#define DTYPE(name, kind, size, part, number) \
  template <>                                 \
  constexpr Dtype dtype_of<ElementOf<KIND_##kind, number>> = DTYPE_##name;
#include "../schema/dtypes.def"

// Elements of two words, for loops that only move bits. Not one wide word: the alignment of a
// complex number is that of its components.
template <class Word>
struct Pair {
  Word low, high;
};

// The truth value of an element. A NaN is true.
template <class T>
inline bool truth(T a) {
  return a != 0;
}
template <class T>
inline bool truth(Complex<T> a) {
  return (a.real != 0) | (a.imag != 0);
}
inline bool truth(Bool a) { return a.byte != 0; }

// An integer in memory that other threads may write to. It is read once: the checked value is the
// used one.
template <class T>
inline T read_once(const T* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

// ---- filling the table
template <class... T>
struct Types {};
using Signed = Types<int8_t, int16_t, int32_t, int64_t>;
using Unsigned = Types<uint8_t, uint16_t, uint32_t, uint64_t>;
using Integers = Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
using Floats = Types<float, double>;
using Halves = Types<Float16, BFloat16>;
using RealNumbers =
    Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
using Complexes = Types<Complex64, Complex128>;

// Calls f(T{}) for each type of the list.
template <class... T, class F>
void for_each(Types<T...>, F f) {
  (f(T{}), ...);
}

// Calls f(T{}) for the type of the list that has the dtype; false if there is none.
template <class... T, class F>
bool for_dtype(Types<T...>, Dtype dtype, F f) {
  return ((dtype_of<T> == dtype && (f(T{}), true)) || ...);
}

template <class T>
void set(Kernels& kernels, Operation operation, kernel loop) {
  kernels.table[operation][dtype_of<T>].loop = loop;
}

// One loop for the integers of T's size, signed and unsigned: right where only the bits matter.
template <class T>
void set_both(Kernels& kernels, Operation operation, kernel loop) {
  set<std::make_signed_t<T>>(kernels, operation, loop);
  set<std::make_unsigned_t<T>>(kernels, operation, loop);
}

template <class T>
using Word = WordOfSize<sizeof(T)>;
template <Kind kind, int size>
using BitsOf =
    std::conditional_t<kind == KIND_complex, Pair<WordOfSize<size / 2>>, WordOfSize<size>>;

// Elements of a size as bits.
constexpr int MAX_ITEMSIZE = 16;
template <int size>
using ElementOfSize = BitsOf<size == MAX_ITEMSIZE ? KIND_complex : KIND_unsigned, size>;
inline bool is_itemsize(ptrdiff_t size) {
  return size > 0 && size <= MAX_ITEMSIZE && (size & (size - 1)) == 0;
}
// Calls f(size) with a constant for the size of an element.
template <class F>
inline void with_size(ptrdiff_t size, F f) {
  switch (size) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, MAX_ITEMSIZE>{});
  }
}

// Calls f(dtype, T{}) for every dtype, T being the type of its elements.
template <class F>
void for_each_dtype(F f) {
#define DTYPE(name, kind, size, part, number) f(DTYPE_##name, ElementOf<KIND_##kind, number>{});
#include "../schema/dtypes.def"
}

// Calls set(dtype, Bits{}) for every dtype. Bits is an unsigned type of its size, for loops that
// only move bits, so that dtypes of one size share a loop.
template <class Set>
void for_each_bits(Set set) {
#define DTYPE(name, kind, size, part, number) set(DTYPE_##name, BitsOf<KIND_##kind, size>{});
#include "../schema/dtypes.def"
}

}  // namespace COREPY_TARGET
}  // namespace corepy
