// gcd, lcm, bitwise_count.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

template <class T>
inline Word<T> magnitude_of(T a) {
  return a < 0 ? Word<T>(Word<T>(0) - Word<T>(a)) : Word<T>(a);
}

template <class U>
inline U divisor_of(U a, U b) {
  while (b != 0) {
    const U rest = U(a % b);
    a = b;
    b = rest;
  }
  return a;
}

// The greatest common divisors of numbers below 2^52, by Euclid's algorithm in float64: quotients
// and products of it are exact, but that a quotient may be rounded up to the next integer.
inline Vec<uint64_t> divisors_of(Vec<uint64_t> a, Vec<uint64_t> b) {
  constexpr double shift = 4503599627370496.0;  // 2^52, whose lowest bits are an integer's
  const Vec<uint64_t> bits = bitcast<uint64_t>(Vec<double>(shift));
  Vec<double> x = bitcast<double>(a | bits) - shift, y = bitcast<double>(b | bits) - shift;
  for (;;) {
    const Mask<double> open = y != 0.0;
    if (none(open)) break;
    const Vec<double> rest = x - trunc(x / y) * y;
    x = select(open, y, x);
    y = select(open, select(rest < 0.0, rest + y, rest), 0.0);
  }
  return bitcast<uint64_t>(x + shift) & ((uint64_t(1) << 52) - 1);
}

// Elements of 8 bytes a vector at a time, others and those that are left one by one.
template <class T, bool multiple>
void divisor_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  using U = Word<T>;
  const auto element = [&](int k, ptrdiff_t i) {
    return *reinterpret_cast<const T*>(data[k] + i * steps[k]);
  };
  ptrdiff_t i = 0;
  if constexpr (sizeof(T) == 8 && HAS_FMA) {
    constexpr ptrdiff_t size = Vec<T>::size;
    const auto load = [&](int k) {
      Vec<T> x;
      if (steps[k] == sizeof(T)) {
        x = Vec<T>::load(reinterpret_cast<const T*>(data[k]) + i);
      } else {
        T values[size];
        for (ptrdiff_t lane = 0; lane < size; lane++) values[lane] = element(k, i + lane);
        x = Vec<T>::load(values);
      }
      if constexpr (std::is_signed_v<T>) x = select(x < T(0), -x, x);
      return bitcast<U>(x);
    };
    constexpr U above = ~((U(1) << 52) - 1);
    for (; i + size <= n; i += size) {
      const Vec<U> a = load(1), b = load(2);
      U values[size], first[size], second[size];
      if (all(((a | b) & above) == U(0))) {
        divisors_of(a, b).store(values);
      } else {
        a.store(first);
        b.store(second);
        for (ptrdiff_t lane = 0; lane < size; lane++) {
          values[lane] = divisor_of(first[lane], second[lane]);
        }
      }
      if (multiple) {
        a.store(first);
        b.store(second);
        for (ptrdiff_t lane = 0; lane < size; lane++) {
          values[lane] = values[lane] ? U(first[lane] / values[lane] * second[lane]) : U(0);
        }
      }
      for (ptrdiff_t lane = 0; lane < size; lane++) {
        *reinterpret_cast<T*>(data[0] + (i + lane) * steps[0]) = T(values[lane]);
      }
    }
  }
  for (; i < n; i++) {
    const U a = magnitude_of(element(1, i)), b = magnitude_of(element(2, i));
    U result = divisor_of(a, b);
    if (multiple && result != 0) result = U(a / result * b);
    *reinterpret_cast<T*>(data[0] + i * steps[0]) = T(result);
  }
}

// The numbers of bits of unsigned lanes: of pairs of bits, of four, of bytes, and then their sums.
template <class T>
inline Vec<T> count_bits(Vec<T> a) {
  constexpr T ones = T(~T(0));
  a = a - ((a >> 1) & T(ones / 3));
  a = (a & T(ones / 5)) + ((a >> 2) & T(ones / 5));
  a = (a + (a >> 4)) & T(ones / 17);
  for (int by = 8; by < int(8 * sizeof(T)); by *= 2) a = a + (a >> by);
  return a & T(0x7f);
}

// The numbers of bits of as many elements as a vector of Count has.
template <class Count, class T>
inline Vec<Count> counts_of(const T* in) {
  if constexpr (sizeof(Count) == sizeof(T)) {
    Vec<T> a = Vec<T>::load(in);
    if constexpr (std::is_signed_v<T>) a = abs(a);
    return count_bits(bitcast<Count>(a));
  } else {
    using Wide = std::conditional_t<sizeof(Count) == 1, uint16_t,
                                    std::conditional_t<sizeof(Count) == 2, uint32_t, uint64_t>>;
    return narrow<Count>(counts_of<Wide>(in), counts_of<Wide>(in + Vec<Wide>::size));
  }
}

#if defined(__POPCNT__)
constexpr size_t LONGEST_COUNTED = 2;  // of wider elements, one after the other is faster
#else
constexpr size_t LONGEST_COUNTED = 8;
#endif

template <class T>
void count_bits_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  uint8_t* const out = reinterpret_cast<uint8_t*>(data[0]);
  const auto count = [](T a) { return uint8_t(__builtin_popcountll(magnitude_of(a))); };
  ptrdiff_t i = 0;
  if (steps[0] == 1 && steps[1] == sizeof(T)) {
    const T* const in = reinterpret_cast<const T*>(data[1]);
    if constexpr (sizeof(T) <= LONGEST_COUNTED) {
      constexpr ptrdiff_t size = Vec<uint8_t>::size;
      for (; i + size <= n; i += size) counts_of<uint8_t>(in + i).store(out + i);
    } else {
#pragma GCC unroll 8
      for (; i < n; i++) out[i] = count(in[i]);
    }
  }
  for (; i < n; i++) {
    out[i * steps[0]] = count(*reinterpret_cast<const T*>(data[1] + i * steps[1]));
  }
}

#if defined(COREPY_AVX512)
// The same where processors have an instruction that counts the bits of all lanes.
template <class T>
__attribute__((target("avx512vpopcntdq"))) void count_lanes_loop(ptrdiff_t n, char* const* data,
                                                                 const ptrdiff_t* steps) {
  if (steps[0] != 1 || steps[1] != sizeof(T)) return count_bits_loop<T>(n, data, steps);
  uint8_t* const out = reinterpret_cast<uint8_t*>(data[0]);
  const T* const in = reinterpret_cast<const T*>(data[1]);
  COREPY_INDEPENDENT
  for (ptrdiff_t i = 0; i < n; i++) {
    const T a = in[i];
    out[i] = uint8_t(__builtin_popcountll(a < 0 ? Word<T>(Word<T>(0) - Word<T>(a)) : Word<T>(a)));
  }
}
#endif

template <class T>
void fill_integer(Kernels& kernels) {
  set<T>(kernels, OP_gcd, divisor_loop<T, false>);
  set<T>(kernels, OP_lcm, divisor_loop<T, true>);
  set<T>(kernels, OP_bitwise_count, count_bits_loop<T>);
#if defined(COREPY_AVX512)
  if (sizeof(T) == 8 && __builtin_cpu_supports("avx512vpopcntdq")) {
    set<T>(kernels, OP_bitwise_count, count_lanes_loop<T>);
  }
#endif
}

}  // namespace

void fill_divisors(Kernels& kernels) {
  for_each(Integers{}, [&](auto zero) { fill_integer<decltype(zero)>(kernels); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
