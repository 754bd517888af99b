// The dtypes in CUDA C++, the casts between them, and the definition of kernels.
//
// Kernels are compiled at run time, without host headers, so nothing is included here. Products and
// sums must not be contracted (--fmad=false): results equal those of the CPU's kernels. The tests
// compile the same sources as host C++ (tests/gpu/host), after cuda_on_host.hpp.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define COREPY_DEVICE __device__ __forceinline__
#else
#define COREPY_DEVICE inline
#endif

namespace corepy {

using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long long;
using float32 = float;
using float64 = double;

}  // namespace corepy

#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
using uint16_t = corepy::uint16;
using uint32_t = corepy::uint32;
#else
#include <cstdint>
#include <cstring>
#endif
#include "../../_cython/kernels/halves.hpp"

namespace corepy {

using float16 = Float16;
using bfloat16 = BFloat16;

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T real, imag;
};
using complex64 = Complex<float>;
using complex128 = Complex<double>;

template <class T>
COREPY_DEVICE Complex<T> operator+(Complex<T> x, Complex<T> y) {
  return {x.real + y.real, x.imag + y.imag};
}
template <class T>
COREPY_DEVICE Complex<T> operator-(Complex<T> x, Complex<T> y) {
  return {x.real - y.real, x.imag - y.imag};
}
template <class T>
COREPY_DEVICE Complex<T> operator*(Complex<T> x, T factor) {
  return {x.real * factor, x.imag * factor};
}
template <class T>
COREPY_DEVICE bool operator==(Complex<T> x, Complex<T> y) {
  return x.real == y.real && x.imag == y.imag;
}
template <class T>
COREPY_DEVICE bool operator!=(Complex<T> x, Complex<T> y) {
  return x.real != y.real || x.imag != y.imag;
}

// ---- kinds of dtypes ----

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<Complex<T>> = true;

template <class T>
constexpr bool is_floating = false;
template <>
constexpr bool is_floating<float> = true;
template <>
constexpr bool is_floating<double> = true;

template <class T>
constexpr bool is_bool = false;
template <>
constexpr bool is_bool<bool> = true;

template <class T>
constexpr bool is_integer = !is_bool<T> && !is_floating<T> && !is_complex<T> && !is_half_type<T>;

template <class T>
constexpr bool is_signed = T(-1) < T(0);
template <class T>
constexpr bool is_signed<Complex<T>> = true;
template <>
constexpr bool is_signed<bool> = false;
template <>
constexpr bool is_signed<float16> = true;
template <>
constexpr bool is_signed<bfloat16> = true;

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

// A if CONDITION, otherwise B.
template <bool CONDITION, class A, class B>
struct SelectOf {
  using type = A;
};
template <class A, class B>
struct SelectOf<false, A, B> {
  using type = B;
};
template <bool CONDITION, class A, class B>
using Select = typename SelectOf<CONDITION, A, B>::type;

// Defines a functor, class template `name`, with operator() on values of `type`, which is T:
// COREPY_FUNCTOR(result type, name, parameters...) { ... }
#define COREPY_FUNCTOR(Result, name, ...)               \
  template <class T>                                    \
  struct name : FunctorBase<T> {                        \
    COREPY_DEVICE Result operator()(__VA_ARGS__) const; \
  };                                                    \
  template <class T>                                    \
  COREPY_DEVICE Result name<T>::operator()(__VA_ARGS__) const

template <class T>
struct FunctorBase {
  using type = T;
  using first_type = T;  // of the first argument
  // Whether integers without a common integer dtype are compared by `exact`.
  static constexpr bool COMPARES = false;
};

template <class T>
struct ComponentOf {
  using type = T;
};
template <class T>
struct ComponentOf<Complex<T>> {
  using type = T;
};
// The dtype of a component: float64 for complex128; real dtypes are unchanged.
template <class T>
using component = typename ComponentOf<T>::type;

template <int BYTES>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = uint8;
};
template <>
struct UnsignedOf<2> {
  using type = uint16;
};
template <>
struct UnsignedOf<4> {
  using type = uint32;
};
template <>
struct UnsignedOf<8> {
  using type = uint64;
};
// The unsigned integer of as many bytes.
template <class T>
using bits_of = typename UnsignedOf<sizeof(T)>::type;

// ---- numbers ----

template <class To, class From>
COREPY_DEVICE To bit_cast(From value) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To result;
  memcpy(&result, &value, sizeof(To));
  return result;
}

// The type in which integers are added and multiplied, with wrap-around: unsigned, because signed
// overflow is undefined, and at least as wide as int, because of promotion.
template <class T>
using wrapping = typename UnsignedOf<(sizeof(T) < 4 ? 4 : sizeof(T))>::type;

template <class T>
struct Limits {
  static constexpr bool SIGNED = is_signed<T>;
  static constexpr T lowest = SIGNED ? T(uint64(1) << (8 * sizeof(T) - 1)) : T(0);
  static constexpr T highest = T(~lowest);
};
template <>
struct Limits<bool> {
  static constexpr bool lowest = false, highest = true;
};

template <class T>
COREPY_DEVICE T infinity() {
  if constexpr (is_same<T, float>) {
    return bit_cast<float>(0x7f800000u);
  } else {
    return bit_cast<double>(0x7ff0000000000000ull);
  }
}

template <class T>
COREPY_DEVICE T nan() {
  if constexpr (is_same<T, float>) {
    return bit_cast<float>(0x7fc00000u);
  } else {
    return bit_cast<double>(0x7ff8000000000000ull);
  }
}

// The least and the greatest value of a real dtype, including infinities.
template <class T>
COREPY_DEVICE T least() {
  if constexpr (is_floating<T>) {
    return -infinity<T>();
  } else {
    return Limits<T>::lowest;
  }
}
template <class T>
COREPY_DEVICE T greatest() {
  if constexpr (is_floating<T>) {
    return infinity<T>();
  } else {
    return Limits<T>::highest;
  }
}

template <class T>
COREPY_DEVICE bool is_nan(T x) {
  if constexpr (is_complex<T>) {
    return x.real != x.real || x.imag != x.imag;
  } else {
    return x != x;
  }
}

// ---- casts, as NumPy's astype ----

// Floats to integers, as on x86-64: the lowest value for numbers out of range and for NaN. The
// bounds are powers of two, which are exact; numbers that are truncated into range are in them.
template <class Int, class Float>
COREPY_DEVICE Int truncated(Float x) {
  const Float bound = sizeof(Int) == 4 ? Float(2147483648.0) : Float(9223372036854775808.0);
  const bool above = sizeof(Float) > sizeof(Int) ? x > -bound - Float(1) : x >= -bound;
  return above && x < bound ? static_cast<Int>(x) : Limits<Int>::lowest;
}

template <class To, class From>
COREPY_DEVICE To convert(From x) {
  if constexpr (is_same<To, From>) {
    return x;
  } else if constexpr (is_half_type<From>) {
    return convert<To>(float(x));
  } else if constexpr (is_complex<To>) {
    if constexpr (is_complex<From>) {
      return {static_cast<component<To>>(x.real), static_cast<component<To>>(x.imag)};
    } else {
      return {convert<component<To>>(x), component<To>(0)};
    }
  } else if constexpr (is_bool<To>) {
    if constexpr (is_complex<From>) {
      return x.real != 0 || x.imag != 0;
    } else {
      return x != From(0);
    }
  } else if constexpr (is_complex<From>) {
    return convert<To>(x.real);
  } else if constexpr (is_half_type<To> && is_bool<From>) {
    return To(float(x));
  } else if constexpr (is_integer<To> && is_floating<From>) {
    if constexpr (is_same<To, uint64>) {
      // From 2^63 on the difference to 2^63 is converted.
      const From middle = From(9223372036854775808.0);
      const bool upper = x >= middle;
      return uint64(truncated<int64>(upper ? x - middle : x)) ^ (uint64(upper) << 63);
    } else if constexpr (sizeof(To) <= 2 || is_same<To, int32>) {
      return static_cast<To>(truncated<int32>(x));
    } else {
      return static_cast<To>(truncated<int64>(x));
    }
  } else {
    return static_cast<To>(x);
  }
}

// ---- elements in memory ----

// An element in memory: any nonzero byte is true.
template <class T>
struct StoredAs {
  using type = T;
};
template <>
struct StoredAs<bool> {
  using type = uint8;
};
template <class T>
using stored = typename StoredAs<T>::type;

template <class T>
COREPY_DEVICE T loaded(stored<T> value) {
  if constexpr (is_bool<T>) {
    return value != 0;
  } else {
    return value;
  }
}

template <class T>
COREPY_DEVICE T load(const char* at) {
  return loaded<T>(*reinterpret_cast<const stored<T>*>(at));
}

template <class T>
COREPY_DEVICE void store(char* at, T value) {
  *reinterpret_cast<stored<T>*>(at) = value;
}

// Bit 7 of each nonzero byte of a word.
COREPY_DEVICE uint32 true_bytes(uint32 word) {
  return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
}

// COUNT elements that are loaded and stored together.
template <class T, int COUNT>
struct alignas(COUNT * sizeof(T) > 16 ? 16 : COUNT * sizeof(T)) Pack {
  stored<T> values[COUNT];
};

}  // namespace corepy

// A kernel is a class with the type of its `Arguments` and the function of a thread (`run`),
// derived from KernelBase (operands.cuh). COREPY_KERNEL(name, class) defines an entry point; on the
// host, cuda_on_host.hpp defines the macro.
#if defined(__HIPCC__)
#define __grid_constant__
#define COREPY_BOUNDS(...) __launch_bounds__((__VA_ARGS__::THREADS))
#else
#define COREPY_BOUNDS(...) __launch_bounds__((__VA_ARGS__::THREADS), (__VA_ARGS__::RESIDENT))
#endif
#if defined(__CUDACC__) || defined(__HIPCC__)
#define COREPY_KERNEL(name, ...)                                                \
  extern "C" __global__ void COREPY_BOUNDS(__VA_ARGS__)                         \
      name(const __grid_constant__ typename __VA_ARGS__::Arguments arguments) { \
    __VA_ARGS__::run(arguments);                                                \
  }
#endif
