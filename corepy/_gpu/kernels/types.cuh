// The dtypes in CUDA C++, the casts between them, and what kernels are made of.
//
// Kernels are compiled at run time, without the headers of a host compiler: nothing is included
// here. The same sources are compiled as host C++ by the tests (tests/gpu/host), where
// cuda_on_host.hpp comes first.
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

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T real, imag;
};
using complex64 = Complex<float>;
using complex128 = Complex<double>;

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
constexpr bool is_integer = !is_bool<T> && !is_floating<T> && !is_complex<T>;

template <class T>
constexpr bool is_signed = T(-1) < T(0);
template <class T>
constexpr bool is_signed<Complex<T>> = true;
template <>
constexpr bool is_signed<bool> = false;

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

template <class T>
struct ComponentOf {
  using type = T;
};
template <class T>
struct ComponentOf<Complex<T>> {
  using type = T;
};
// The dtype of a component: float64 of complex128, of others their own.
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
  __builtin_memcpy(&result, &value, sizeof(To));
  return result;
}

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

// The least and the greatest value of a real dtype: infinities where it has them.
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

// ---- casts, with the meaning of NumPy's astype ----

// Floats to integers: what x86-64 gives for values out of range, as on the CPU. `convert` to a
// signed integer of 64 bits has all values of narrower ones; beyond it the lowest value comes out.
template <class T>
COREPY_DEVICE int64 truncated(T x) {
  // False for NaN, too.
  return x >= T(-9223372036854775808.0) && x < T(9223372036854775808.0) ? static_cast<int64>(x)
                                                                        : Limits<int64>::lowest;
}

template <class To, class From>
COREPY_DEVICE To convert(From x) {
  if constexpr (is_same<To, From>) {
    return x;
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
  } else if constexpr (is_integer<To> && is_floating<From>) {
    if constexpr (is_same<To, uint64>) {
      // From 2^63 on the difference to 2^63 is converted.
      const From middle = From(9223372036854775808.0);
      return x < middle ? uint64(truncated(x)) : uint64(truncated(x - middle)) ^ (uint64(1) << 63);
    } else if constexpr (sizeof(To) <= 2 || is_same<To, int32>) {
      // By way of int32, whose lowest value stands for all that is out of range.
      const int64 wide = truncated(x);
      const bool fits =
          wide == static_cast<int64>(static_cast<int32>(wide)) && wide != Limits<int64>::lowest;
      return static_cast<To>(fits ? static_cast<int32>(wide) : Limits<int32>::lowest);
    } else {
      return static_cast<To>(truncated(x));
    }
  } else {
    return static_cast<To>(x);
  }
}

// ---- elements in memory ----

// What an element is in memory: any byte but 0 is true.
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
COREPY_DEVICE T load(const char* at) {
  if constexpr (is_bool<T>) {
    return *reinterpret_cast<const uint8*>(at) != 0;
  } else {
    return *reinterpret_cast<const T*>(at);
  }
}

template <class T>
COREPY_DEVICE void store(char* at, T value) {
  *reinterpret_cast<stored<T>*>(at) = value;
}

// COUNT elements that are loaded and stored together.
template <class T, int COUNT>
struct alignas(COUNT * sizeof(T) > 16 ? 16 : COUNT * sizeof(T)) Pack {
  stored<T> values[COUNT];
};

}  // namespace corepy

// A kernel is a class: the type of its `Arguments`, the number of `THREADS` in a block, and what
// each of them does (`run`). WAITS says whether threads of a block wait for each other.
// COREPY_KERNEL(name, class) makes an entry point of that name; on the host, cuda_on_host.hpp
// defines it.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define COREPY_KERNEL(name, ...)                                                \
  extern "C" __global__ void __launch_bounds__((__VA_ARGS__::THREADS))          \
      name(const __grid_constant__ typename __VA_ARGS__::Arguments arguments) { \
    __VA_ARGS__::run(arguments);                                                \
  }
#endif
