// The operations of vec.hpp for any processor; overloads of an instruction set's header come first.
#pragma once

#include <cmath>

namespace corepy {
inline namespace COREPY_TARGET {
#if !defined(COREPY_AVX512)
// Less than 16 bytes, as two words: integers of 8, 4, 2 and 1 that overlap where they have to.
struct Bytes16 {
  uint64_t low, high;
};
template <class Int>
inline uint64_t read_int(const char* from) {
  Int value;
  std::memcpy(&value, from, sizeof(Int));
  return value;
}
template <class Int>
inline void write_int(char* to, uint64_t bytes) {
  const Int value = Int(bytes);
  std::memcpy(to, &value, sizeof(Int));
}
inline Bytes16 read_bytes(const char* from, ptrdiff_t n) {
  if (n > 8) {
    return {read_int<uint64_t>(from), read_int<uint64_t>(from + n - 8) >> 8 * (16 - n)};
  }
  if (n == 8) return {read_int<uint64_t>(from), 0};
  if (n >= 4) {
    return {read_int<uint32_t>(from) | read_int<uint32_t>(from + n - 4) << 8 * (n - 4), 0};
  }
  if (n >= 2) {
    return {read_int<uint16_t>(from) | read_int<uint16_t>(from + n - 2) << 8 * (n - 2), 0};
  }
  return {n == 1 ? read_int<uint8_t>(from) : 0, 0};
}
inline void write_bytes(char* to, Bytes16 bytes, ptrdiff_t n) {
  if (n >= 8) {
    write_int<uint64_t>(to, bytes.low);
    to += 8;
    n -= 8;
    bytes.low = bytes.high;
  }
  if (n & 4) {
    write_int<uint32_t>(to, bytes.low);
    to += 4;
    bytes.low >>= 32;
  }
  if (n & 2) {
    write_int<uint16_t>(to, bytes.low);
    to += 2;
    bytes.low >>= 16;
  }
  if (n & 1) write_int<uint8_t>(to, bytes.low);
}

template <class T>
inline Vec<T> Vec<T>::load_first(const T* from, ptrdiff_t n) {
  if (n == size) return load(from);
#if defined(COREPY_AVX2)
  if constexpr (sizeof(T) >= 4) return masked_load(from, n);
#endif
  Bytes16 parts[VECTOR_BYTES / 16] = {};
  const char* bytes = reinterpret_cast<const char*>(from);
  ptrdiff_t left = n * ptrdiff_t(sizeof(T));
  Bytes16* part = parts;
  for (; left >= 16; left -= 16, bytes += 16) std::memcpy(part++, bytes, 16);
  *part = read_bytes(bytes, left);
  native v;
  std::memcpy(&v, parts, sizeof(v));
  return v;
}

template <class T>
inline void Vec<T>::store_first(T* to, ptrdiff_t n) const {
  if (n == size) return store(to);
  Bytes16 parts[VECTOR_BYTES / 16];
  std::memcpy(parts, &v, sizeof(v));
  char* bytes = reinterpret_cast<char*>(to);
  ptrdiff_t left = n * ptrdiff_t(sizeof(T));
  const Bytes16* part = parts;
  for (; left >= 16; left -= 16, bytes += 16) std::memcpy(bytes, part++, 16);
  write_bytes(bytes, *part, left);
}

template <class T>
inline Mask<T> Mask<T>::from_bools_first(const uint8_t* bools, ptrdiff_t n) {
  const Vec<uint8_t> bytes = Vec<uint8_t>::load_first(bools, n);
  uint8_t padded[VECTOR_BYTES];
  bytes.store(padded);
  return from_bools(padded);
}

template <class T>
inline void store_bools_first(Mask<T> mask, uint8_t* out, ptrdiff_t n) {
  alignas(16) uint8_t bools[Mask<T>::size < 16 ? 16 : Mask<T>::size] = {};
  store_bools(mask, bools);
  ptrdiff_t done = 0;
  for (; n - done >= 16; done += 16) std::memcpy(out + done, bools + done, 16);
  Bytes16 rest;
  if (n > done) {
    std::memcpy(&rest, bools + done, 16);
    write_bytes(reinterpret_cast<char*>(out + done), rest, n - done);
  }
}
#endif

#if !defined(COREPY_SSE2)
// Lane i becomes bit i.
template <class T>
inline uint64_t bits(Mask<T> mask) {
  uint64_t result = 0;
  for (int i = 0; i < Mask<T>::size; i++) result |= uint64_t(mask.v[i] & 1) << i;
  return result;
}
#endif

#if !defined(COREPY_AVX512) && !defined(COREPY_AVX2)
template <class T>
inline void store_bools(Mask<T> mask, uint8_t* out) {
  using bytes = typename Native<uint8_t, Mask<T>::size>::type;
  bytes b;
  if constexpr (sizeof(T) == 1) {
    b = (bytes)mask.v & 1;
  } else {
    b = convert_lanes<bytes>(mask.v) & 1;
  }
  std::memcpy(out, &b, sizeof(b));
}

template <class T>
inline bool any(Mask<T> mask) {
  return bits(mask) != 0;
}
template <class T>
inline bool all(Mask<T> mask) {
  return bits(~mask) == 0;
}
#endif

#if !defined(COREPY_AVX2) && !defined(COREPY_AVX512) && !defined(COREPY_SSE2)
// Several masks in a row.
template <class T>
inline void store_bools(const Mask<T> (&masks)[4], uint8_t* out) {
  for (int k = 0; k < 4; k++) store_bools(masks[k], out + k * Mask<T>::size);
}
#endif

// Comparisons of truth values: false is less than true.
template <class T>
inline Mask<T> operator==(Mask<T> a, Mask<T> b) {
  return ~(a ^ b);
}
template <class T>
inline Mask<T> operator!=(Mask<T> a, Mask<T> b) {
  return a ^ b;
}
template <class T>
inline Mask<T> operator<(Mask<T> a, Mask<T> b) {
  return and_not(b, a);
}
template <class T>
inline Mask<T> operator<=(Mask<T> a, Mask<T> b) {
  return ~and_not(a, b);
}

#if !defined(COREPY_AVX512)
// Where one of the two is a NaN.
template <class T>
inline Mask<T> unordered(Vec<T> a, Vec<T> b) {
  return (a != a) | (b != b);
}
#endif

// Clears the upper halves of registers. Compilers do so at the end of a function that uses them,
// but not behind a call of a function that takes vectors. SSE instructions then wait at each
// transition: a division of two integers took 170 ns instead of 55.
inline void leave_vectors() {
#if defined(__AVX__)
  _mm256_zeroupper();
#endif
}

#if defined(__SSE2__)
// Waits until output of stream() is visible to other threads. Its sizes are multiples of a
// vector's.
inline void finish_streams() { _mm_sfence(); }
#endif

template <class T>
inline Vec<T> sqrt(Vec<T> a) {
  Vec<T> out;
  for (int i = 0; i < Vec<T>::size; i++) out.v[i] = std::sqrt(a.v[i]);
  return out;
}

// a * b + c, rounded once where the instruction set can, else twice.
template <class T>
inline Vec<T> multiply_add(Vec<T> a, Vec<T> b, Vec<T> c) {
  return a * b + c;
}

// To the nearest integer, half to even; -0 and numbers that round to it keep their sign. From
// 2^(digits - 1) on every number is an integer, so adding this number rounds to one.
template <class T>
inline Vec<T> nearest(Vec<T> a) {
  constexpr T large = T(uint64_t(1) << (std::numeric_limits<T>::digits - 1));
  const Vec<T> magnitude = abs(a);
  const Vec<T> rounded = (magnitude + large) - large;
  return copysign(select(magnitude < large, rounded, magnitude), a);
}
template <class T>
inline Vec<T> floor(Vec<T> a) {
  const Vec<T> rounded = nearest(a);
  return copysign(select(rounded > a, rounded - T(1), rounded), a);
}
template <class T>
inline Vec<T> ceil(Vec<T> a) {
  const Vec<T> rounded = nearest(a);
  return copysign(select(rounded < a, rounded + T(1), rounded), a);
}
template <class T>
inline Vec<T> trunc(Vec<T> a) {
  const Vec<T> magnitude = abs(a), rounded = nearest(magnitude);
  return copysign(select(rounded > magnitude, rounded - T(1), rounded), a);
}

// ---- between types

// Of the same size: integers to the nearest float, floats truncated to integers (in range).
template <class To, class From>
inline Vec<To> convert(Vec<From> a) {
  static_assert(sizeof(To) == sizeof(From));
  return convert_lanes<typename Vec<To>::native>(a.v);
}

// Floats to integers as in x86-64: truncated, and the lowest integer for NaN and numbers out of
// range. Other processors saturate.
template <class Int, class Float>
inline Vec<Int> truncate(Vec<Float> a) {
#if defined(__x86_64__) && !defined(COREPY_SCALAR)
  return convert<Int>(a);
#else
  constexpr Float lowest = Float(std::numeric_limits<Int>::min());
  const Vec<Int> numbers = convert<Int>(a);
  return select(mask_cast<Int>((a >= lowest) & (a < -lowest)), numbers,
                Vec<Int>(std::numeric_limits<Int>::min()));
#endif
}
#if !defined(__x86_64__) || defined(COREPY_SCALAR)
// The lanes of `upper` follow those of `lower`.
inline Vec<int32_t> truncate(Vec<double> lower, Vec<double> upper) {
  constexpr int64_t lowest = std::numeric_limits<int32_t>::min();
  const auto one = [](Vec<double> a) {
    const Vec<int64_t> numbers = convert<int64_t>(a);
    return select(mask_cast<int64_t>((a > double(lowest - 1)) & (a < double(-lowest))), numbers,
                  Vec<int64_t>(lowest));
  };
  return narrow<int32_t>(one(lower), one(upper));
}
#endif

#if !defined(COREPY_AVX512) && !defined(COREPY_AVX2)
// As many floats as there are lanes.
inline Vec<double> load_widened(const float* from) {
  using half = Native<float, VECTOR_BYTES / 2>::type;
  half few;
  std::memcpy(&few, from, sizeof(few));
  return convert_lanes<Vec<double>::native>(few);
}
// first has the lower lanes.
inline VecPair<Vec<double>> widen(Vec<float> a) {
  using half = Native<float, VECTOR_BYTES / 2>::type;
  half parts[2];
  std::memcpy(parts, &a.v, sizeof(parts));
  return {convert_lanes<Vec<double>::native>(parts[0]),
          convert_lanes<Vec<double>::native>(parts[1])};
}
inline Vec<float> narrow(Vec<double> lower, Vec<double> upper) {
  using half = Native<float, VECTOR_BYTES / 2>::type;
  const half parts[2] = {convert_lanes<half>(lower.v), convert_lanes<half>(upper.v)};
  Vec<float> out;
  std::memcpy(&out.v, parts, sizeof(parts));
  return out;
}
#endif

// One float as an integer, in the same way.
template <class Int, class Float>
inline Int truncate_one(Float value) {
#if defined(__SSE2__)
  if constexpr (sizeof(Int) == 8) {
    if constexpr (sizeof(Float) == 8) return _mm_cvttsd_si64(_mm_set_sd(value));
    return _mm_cvttss_si64(_mm_set_ss(float(value)));
  } else {
    if constexpr (sizeof(Float) == 8) return _mm_cvttsd_si32(_mm_set_sd(value));
    return _mm_cvttss_si32(_mm_set_ss(float(value)));
  }
#else
  // The bounds are powers of two, so exact; the comparison with the lower one admits all numbers
  // that truncate into range.
  constexpr Float bound = -Float(std::numeric_limits<Int>::min());
  const bool in_range =
      value < bound && (sizeof(Float) > sizeof(Int) ? value > -bound - 1 : value >= -bound);
  return in_range ? Int(value) : std::numeric_limits<Int>::min();
#endif
}

// ---- gather, compress, expand, masked stores

// 0, 1, 2, ...
template <class T>
inline Vec<T> lane_numbers() {
  Vec<T> numbers;
  for (int i = 0; i < Vec<T>::size; i++) numbers.v[i] = T(i);
  return numbers;
}

#if !defined(COREPY_AVX512)
constexpr bool FAST_GATHER = false;
#if !defined(COREPY_AVX2)
// The elements of T at `from` + index * unit, in bytes.
template <int unit, class T>
inline Vec<T> gather_scaled(const void* from, Vec<Signed_of<T>> index) {
  Vec<T> out;
  for (int i = 0; i < Vec<T>::size; i++) {
    T element;
    std::memcpy(&element, static_cast<const char*>(from) + index.v[i] * unit, sizeof(T));
    out.v[i] = element;
  }
  return out;
}
#endif
// The same of elements of 4 bytes by indices of 8, for the lower lanes. The others are undefined.
template <int unit, class T>
inline Vec<T> gather_first_scaled(const void* from, Vec<int64_t> index) {
  Vec<T> out = T(0);
  for (int i = 0; i < Vec<int64_t>::size; i++) {
    T element;
    std::memcpy(&element, static_cast<const char*>(from) + index.v[i] * unit, sizeof(T));
    out.v[i] = element;
  }
  return out;
}
#endif
// table[index] for each lane, for elements of 4 and 8 bytes.
template <class T>
inline Vec<T> gather(const T* table, Vec<Signed_of<T>> index) {
  return gather_scaled<sizeof(T), T>(table, index);
}
template <class T>
inline Vec<T> gather_first(const T* table, Vec<int64_t> index) {
  return gather_first_scaled<sizeof(T), T>(table, index);
}

// The lanes whose bits are set, contiguously; the lanes after them are undefined. HAS_COMPRESS:
// faster than element by element.
#if !defined(COREPY_AVX512) && !defined(COREPY_AVX2)
template <class T>
constexpr bool HAS_COMPRESS = false;
#endif
template <class T>
inline Vec<T> compress(Vec<T> a, uint64_t bits) {
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
  if constexpr (sizeof(T) >= 4) return compress_lanes(a, bits);
#endif
  T from[Vec<T>::size], to[Vec<T>::size] = {};
  a.store(from);
  for (int i = 0, done = 0; i < Vec<T>::size; i++) {
    to[done] = from[i];
    done += int(bits >> i & 1);
  }
  return Vec<T>::load(to);
}
template <class T>
inline Vec<T> compress(Vec<T> a, Mask<T> mask) {
  return compress(a, bits(mask));
}
// The same from memory to memory. May write as many elements as a vector has.
template <class T>
inline void compress(const T* from, uint64_t bits, T* to) {
#if defined(COREPY_AVX512)
  if constexpr (sizeof(T) < 4) {
    using U = Unsigned_of<T>;
    for (int i = 0; i < Vec<T>::size; i += 16) {
      compress_narrow(reinterpret_cast<const U*>(from + i), bits >> i, reinterpret_cast<U*>(to));
      to += __builtin_popcountll(bits >> i & 0xffff);
    }
    return;
  }
#endif
  compress(Vec<T>::load(from), bits).store(to);
}

// The inverse: the first lanes go to where bits are set. The others become 0.
#if !defined(COREPY_AVX512)
template <class T>
constexpr bool HAS_EXPAND = false;
#endif
template <class T>
inline Vec<T> expand(Vec<T> a, uint64_t bits) {
#if defined(COREPY_AVX512)
  if constexpr (HAS_EXPAND<T>) return expand_lanes(a, bits);
#endif
  T from[Vec<T>::size], to[Vec<T>::size];
  a.store(from);
  for (int i = 0, next = 0; i < Vec<T>::size; i++) {
    const bool here = bits >> i & 1;
    to[i] = here ? from[next] : T(0);
    next += here;
  }
  return Vec<T>::load(to);
}
template <class T>
inline Vec<T> expand(Vec<T> a, Mask<T> mask) {
  return expand(a, bits(mask));
}

#if !defined(COREPY_AVX512)
// Writes lanes where the mask is set and nothing else. (AMD's processors take longer for the
// instruction of AVX2 than for single elements.)
constexpr bool HAS_MASKED_STORE = false;
template <class T>
inline void store_masked(Vec<T> a, Mask<T> mask, T* to) {
  for (uint64_t left = bits(mask); left; left &= left - 1) {
    const int i = __builtin_ctzll(left);
    to[i] = a.get(i);
  }
}
#endif

// ---- products of integers

#if !defined(COREPY_SSE2)
// The upper half of the product of each two lanes.
inline Vec<uint16_t> high_product(Vec<uint16_t> a, Vec<uint16_t> b) {
  const VecPair<Vec<uint32_t>> x = widen<uint32_t>(a), y = widen<uint32_t>(b);
  return narrow<uint16_t>((x.first * y.first) >> 16, (x.second * y.second) >> 16);
}
#if !defined(COREPY_NEON)
// The whole product of the lower halves of each two lanes.
inline Vec<uint64_t> product_of_halves(Vec<uint64_t> a, Vec<uint64_t> b) {
  constexpr uint64_t half = 0xffffffff;
  return (a & half) * (b & half);
}
#endif
#endif

// table[index % size] for each lane, size being a power of 2; index may be negative.
template <class T, size_t size>
inline Vec<T> lookup(const T (&table)[size], Vec<Signed_of<T>> index) {
  static_assert((size & (size - 1)) == 0);
  return gather(table, index & Signed_of<T>(size - 1));
}

// a * 2^floor(n), rounded once, for n a multiple of 1/16 and not so large that 2^(n / 2) is out of
// range.
template <class T>
inline Vec<T> scale(Vec<T> a, Vec<T> n) {
  using I = Signed_of<T>;
  constexpr int digits = std::numeric_limits<T>::digits,
                bias = std::numeric_limits<T>::max_exponent - 1;
  // Numbers this large have no fraction, and an integer that is added to one is in its last bits.
  constexpr T large = T(uint64_t(3) << (digits - 2));
  const auto power = [](Vec<T> shifted) {
    return bitcast<T>((bitcast<I>(shifted) + I(bias)) << (digits - 1));
  };
  const Vec<T> whole = ((n - T(15) / 32) + large) - large;
  const Vec<T> half = whole * T(0.5) + large, other = (whole - (half - large)) + large;
  return a * power(half) * power(other);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
