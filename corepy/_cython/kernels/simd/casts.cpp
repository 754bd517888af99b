// Casts between all dtypes.
#include <limits>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// ---- one element

// The intermediate integer type of casts from floats to each type.
template <class To>
using IntermediateInteger =
    std::conditional_t<(sizeof(To) < 4) || std::is_same_v<To, int32_t>, int32_t, int64_t>;

template <class To, class From>
inline To to_integer(From value) {
  if constexpr (std::is_same_v<To, uint64_t>) {
    // There is no instruction: the upper half is converted less 2^63.
    constexpr From half = From(uint64_t(1) << 63);
    const bool upper = value >= half;
    const int64_t lower = truncate_one<int64_t>(upper ? value - half : value);
    return uint64_t(lower) ^ (uint64_t(upper) << 63);
  } else {
    return To(truncate_one<IntermediateInteger<To>>(value));
  }
}

template <class To, class From>
inline To cast(From value) {
  if constexpr (is_half_type<From>) {
    return cast<To>(float(value));
  } else if constexpr (is_complex<To>) {
    using Component = decltype(To::real);
    if constexpr (is_complex<From>) {
      return {Component(value.real), Component(value.imag)};
    } else {
      return {cast<Component>(value), 0};
    }
  } else if constexpr (is_bool<To>) {
    return truth(value);
  } else if constexpr (is_complex<From>) {
    return cast<To>(value.real);
  } else if constexpr (is_bool<From>) {
    return To(int8_t(value.byte != 0));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return to_integer<To>(value);
  } else {
    return To(value);
  }
}

// ---- a vector of the narrower type at a time, where compilers vectorize badly

// Two, four or eight vectors of wider integers as one.
template <class To, class From, size_t count>
inline Vec<To> narrow_all(const Vec<From> (&in)[count]) {
  using Half = Signed_of<WordOfSize<sizeof(From) / 2>>;
  if constexpr (count == 1) {
    return bitcast<To>(in[0]);
  } else if constexpr (count == 2) {
    return narrow<To>(in[0], in[1]);
  } else {
    Vec<Half> halves[count / 2];
    for (size_t k = 0; k < count / 2; k++) halves[k] = narrow<Half>(in[2 * k], in[2 * k + 1]);
    return narrow_all<To>(halves);
  }
}

// Floats as integers of the same size, or half of it, two vectors at a time.
inline Vec<int32_t> truncated(const float* in) { return truncate<int32_t>(Vec<float>::load(in)); }
inline Vec<int32_t> truncated(const double* in) {
  return truncate(Vec<double>::load(in), Vec<double>::load(in + Vec<double>::size));
}

// The instruction sets of x86-64 below AVX-512 convert integers of 8 bytes one by one. Numbers
// small enough lie in the last bits of a float64 when one is added whose unit is 1.
#if defined(__x86_64__) && !defined(COREPY_AVX512) && !defined(COREPY_SCALAR)
constexpr bool CONVERTS_LONG = false;
#else
constexpr bool CONVERTS_LONG = true;
#endif

// Integers of 8 bytes, rounded once. The upper halves become multiples of 2^32, the lower ones
// integers, both above a power of two that leaves with the first, exact subtraction.
template <class Int>
inline Vec<double> to_doubles(const Int* in) {
  const Vec<Int> a = Vec<Int>::load(in);
  if constexpr (CONVERTS_LONG) return convert<double>(a);
  // A signed upper half is counted from -2^31.
  constexpr bool is_signed = std::is_signed_v<Int>;
  constexpr double upper_unit = 0x1p84, lower_unit = 0x1p52;
  constexpr double first = upper_unit + (is_signed ? 0x1p63 : 0);
  const auto bits_of = [](double number) { return bitcast<uint64_t>(Vec<double>(number)); };
  const Vec<uint64_t> bits = bitcast<uint64_t>(a);
  const Vec<double> upper = bitcast<double>((bits >> 32) ^ bits_of(first));
  const Vec<double> lower = bitcast<double>((bits & uint64_t(0xFFFFFFFF)) | bits_of(lower_unit));
  return (upper - (first + lower_unit)) + lower;
}

// Floats as integers of 8 bytes, truncated; the lowest one where they are not in range, or a NaN.
inline Vec<int64_t> truncated_long(Vec<double> a) {
  if constexpr (CONVERTS_LONG) {
    return truncate<int64_t>(a);
  } else {
    const Vec<double> whole = trunc(a), unit = 0x1.8p52;
    if (__builtin_expect(all(abs(whole) < 0x1p51), true)) {
      return bitcast<int64_t>(whole + unit) - bitcast<int64_t>(unit);
    }
    Vec<int64_t> result;
    for (int i = 0; i < Vec<double>::size; i++) result.v[i] = truncate_one<int64_t>(a.get(i));
    return result;
  }
}

template <class To, class From>
constexpr bool narrows_integers =
    std::is_integral_v<To> && std::is_integral_v<From> && sizeof(To) < sizeof(From);
template <class To, class From>
constexpr bool truncates = std::is_integral_v<To> && std::is_floating_point_v<From> &&
                           std::is_same_v<IntermediateInteger<To>, int32_t>;
// The baseline has no instruction that truncates, and other processors have one that compilers use.
template <class To, class From>
constexpr bool truncates_wide =
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
    std::is_integral_v<To> && std::is_same_v<From, double> && !truncates<To, From>;
#else
    false;
#endif
template <class To, class From>
constexpr bool converts_long =
    !CONVERTS_LONG && std::is_same_v<To, double> && std::is_integral_v<From> && sizeof(From) == 8;

template <class To, class From>
constexpr bool from_bools = is_bool<From> && std::is_arithmetic_v<To> && (sizeof(To) >= 4);

template <class To, class From>
constexpr bool has_vectors =
    narrows_integers<To, From> || truncates<To, From> || truncates_wide<To, From> ||
    converts_long<To, From> || from_bools<To, From>;

// Vec<To>::size elements.
template <class To, class From>
inline Vec<To> cast_vector(const From* in) {
  constexpr size_t ratio = sizeof(From) / sizeof(To);
  if constexpr (from_bools<To, From>) {
    return select(Mask<To>::from_bools(reinterpret_cast<const uint8_t*>(in)), Vec<To>(To(1)),
                  Vec<To>(To(0)));
  } else if constexpr (converts_long<To, From>) {
    return to_doubles(in);
  } else if constexpr (narrows_integers<To, From>) {
    Vec<From> parts[ratio];
    for (size_t k = 0; k < ratio; k++) parts[k] = Vec<From>::load(in + k * Vec<From>::size);
    return narrow_all<To>(parts);
  } else if constexpr (truncates<To, From>) {
    Vec<int32_t> parts[4 / sizeof(To)];
    ptrdiff_t k = 0;
    for (Vec<int32_t>& part : parts) part = truncated(in + k++ * Vec<int32_t>::size);
    return narrow_all<To>(parts);
  } else if constexpr (std::is_same_v<To, uint64_t>) {
    // There is no instruction: the upper half is converted less 2^63.
    const Vec<double> a = Vec<double>::load(in), lower = a - 0x1p63;
    const Mask<double> upper = a >= 0x1p63;
    const Vec<uint64_t> bits = bitcast<uint64_t>(truncated_long(select(upper, lower, a)));
    return bits ^ select(mask_cast<uint64_t>(upper), Vec<uint64_t>(uint64_t(1) << 63),
                         Vec<uint64_t>(uint64_t(0)));
  } else {
    Vec<int64_t> parts[ratio];
    for (size_t k = 0; k < ratio; k++) {
      parts[k] = truncated_long(Vec<double>::load(in + k * Vec<double>::size));
    }
    return narrow_all<To>(parts);
  }
}

// ---- contiguous elements

// Vectors of float32 from and to binary16. Compilers vectorize the arithmetic for bfloat16.
#if defined(COREPY_AVX512)
constexpr bool CONVERTS_HALVES = true;
inline Vec<float> widened(const Float16* in) {
  return Vec<float>(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in))));
}
inline void store_rounded(Vec<float> a, Float16* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm512_cvtps_ph(__m512(a.v), _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(COREPY_AVX2)
constexpr bool CONVERTS_HALVES = true;
inline Vec<float> widened(const Float16* in) {
  return Vec<float>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in))));
}
inline void store_rounded(Vec<float> a, Float16* out) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm256_cvtps_ph(__m256(a.v), _MM_FROUND_TO_NEAREST_INT));
}
#else
constexpr bool CONVERTS_HALVES = false;
inline Vec<float> widened(const Float16*);
inline void store_rounded(Vec<float>, Float16*);
#endif
template <class To, class From>
constexpr bool widens =
    CONVERTS_HALVES && std::is_same_v<From, Float16> && std::is_same_v<To, float>;
template <class To, class From>
constexpr bool rounds =
    CONVERTS_HALVES && std::is_same_v<To, Float16> && std::is_same_v<From, float>;

// The intermediate dtype of a cast in blocks, where both steps are faster than the cast itself.
template <class To, class From>
constexpr auto intermediate() {
  if constexpr (std::is_same_v<From, float> && truncates_wide<To, double>) {
    return double{};
  } else if constexpr (is_half_type<From> && !std::is_same_v<To, float>) {
    return float{};
  } else if constexpr (is_half_type<To> && (sizeof(From) <= 2 || std::is_same_v<From, Complex64>)) {
    return float{};
  } else {
    return From{};
  }
}
template <class To, class From>
using Intermediate = decltype(intermediate<To, From>());

struct IsTrue {
  template <class T>
  static Mask<T> call(Vec<T> a) {
    return a != T(0);
  }
  template <class T>
  static Mask<T> call(VecComplex<T> a) {
    return call(a.real) | call(a.imag);
  }
};

template <class F, class To, class From>
inline void run_unary(ptrdiff_t n, To* out, const From* in) {
  const char* const inputs[] = {reinterpret_cast<const char*>(in)};
  const ptrdiff_t steps[] = {sizeof(From)};
  run<F, To, From>(n, reinterpret_cast<char*>(out), inputs, steps);
}

template <class To, class From>
inline void cast_run(ptrdiff_t n, To* out, const From* in) {
  if constexpr (is_bool<To> && !is_bool<From> && !is_half_type<From>) {
    run_unary<IsTrue>(n, out, in);
  } else if constexpr (!std::is_same_v<Intermediate<To, From>, From>) {
    using Middle = Intermediate<To, From>;
    constexpr ptrdiff_t block = PACKED_BYTES / sizeof(Middle);
    alignas(64) Middle middle[block];
    for (ptrdiff_t start = 0; start < n; start += block) {
      const ptrdiff_t length = std::min(n - start, block);
      cast_run(length, middle, in + start);
      cast_run(length, out + start, middle);
    }
  } else {
    ptrdiff_t i = 0;
    if constexpr (has_vectors<To, From>) {
      for (; i + Vec<To>::size <= n; i += Vec<To>::size) cast_vector<To>(in + i).store(out + i);
    }
    if constexpr (widens<To, From>) {
      for (; i + Vec<float>::size <= n; i += Vec<float>::size) widened(in + i).store(out + i);
    }
    if constexpr (rounds<To, From>) {
      for (; i + Vec<float>::size <= n; i += Vec<float>::size) {
        store_rounded(Vec<float>::load(in + i), out + i);
      }
    }
    COREPY_INDEPENDENT
    for (; i < n; i++) out[i] = cast<To>(in[i]);
  }
}

// ---- any layout

template <class To, class From>
[[gnu::noinline]] void run_cast(ptrdiff_t n, char* to, const char* const* inputs,
                                const ptrdiff_t*) {
  To* const out = reinterpret_cast<To*>(to);
  const From* const in = reinterpret_cast<const From*>(inputs[0]);
  if (n == 1) {
    *out = cast<To>(*in);
  } else {
    cast_run(n, out, in);
  }
}

template <class To, class From>
void cast_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (n == 1 || (steps[0] == sizeof(To) && steps[1] == sizeof(From))) {
    const char* const inputs[] = {data[1]};
    return run_cast<To, From>(n, data[0], inputs, steps + 1);
  }
  static constexpr ptrdiff_t sizes[] = {sizeof(To), sizeof(From)};
  strided_loop<1>(n, data, steps, sizes, run_cast<To, From>);
}

// The bits that a cast between integers gives depend on the sign of the source only when it is
// widened, and on that of the target never: such pairs share a loop.
template <class T, bool drop_sign>
using Bits = typename std::conditional_t<drop_sign, std::make_unsigned<T>, std::remove_cv<T>>::type;

template <class From, class To>
constexpr kernel loop_between() {
  constexpr bool integers = std::is_integral_v<From> && std::is_integral_v<To>;
  using F = Bits<From, integers && sizeof(From) >= sizeof(To)>;
  using T = Bits<To, integers>;
  if constexpr (std::is_same_v<F, T>) {
    return copy_loop<T>;
  } else {
    return cast_loop<T, F>;
  }
}

}  // namespace

void fill_casts(Kernels& kernels) {
  for_each_dtype([&](Dtype from, auto source) {
    for_each_dtype([&](Dtype to, auto target) {
      kernels.casts[from][to] = loop_between<decltype(source), decltype(target)>();
    });
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
