// Products of a matrix of 8 or 4 bits with rows that were rounded to 8 bits.
#include "../quantized.hpp"

#include "../kernels.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

constexpr ptrdiff_t LANES = Vec<int32_t>::size;
// Vectors for the rows of a block.
constexpr ptrdiff_t PARTS = BLOCK_ROWS / LANES;

// Rows of x that are multiplied with a block at a time, if their sums fit the registers.
constexpr int ROWS = PARTS <= 2 ? 4 : 1;

// The matrix is read so many bytes ahead.
constexpr ptrdiff_t AHEAD = 2048;

template <class To>
inline Vec<To> bits_as(Vec<int32_t> a) {
  return typename Vec<To>::native(a.v);
}

// Sums of products of 4 bytes in each lane. `w` has elements of the matrix, [-128, 127] of 8 bits
// and [0, 15] of 4 bits; those of `x` are in [-127, 127].
struct Products {
  // What the sums of a group begin with.
  template <int bits>
  static int32_t start(const RoundedGroup&) {
    return 0;
  }

  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
#if defined(COREPY_AVX2)
    // The instruction multiplies unsigned bytes with signed ones, and adds two products, at most
    // 2 * 128 * 127, in 16 bits.
    __m256i factor = __m256i(w.v), other = __m256i(x.v);
    if constexpr (bits == 8) {
      other = _mm256_sign_epi8(other, factor);
      factor = _mm256_abs_epi8(factor);
    }
    const __m256i pairs = _mm256_maddubs_epi16(factor, other);
    return sum + Vec<int32_t>(Vec<int32_t>::native(
                     _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))));
#else
    const Vec<int16_t> factor = bits_as<int16_t>(w), other = bits_as<int16_t>(x);
    const Vec<int16_t> pairs =
        ((factor << 8) >> 8) * ((other << 8) >> 8) + (factor >> 8) * (other >> 8);
    const Vec<int32_t> both = Vec<int32_t>::native(pairs.v);
    return sum + ((both << 16) >> 16) + (both >> 16);
#endif
  }
};

#if defined(COREPY_AVX512)
// By an instruction that multiplies unsigned bytes with signed ones. In assembly: a function for
// more instructions than its file's cannot be inlined into a template.
struct ProductsVNNI {
  template <int bits>
  static int32_t start(const RoundedGroup& x) {
    return bits == 8 ? -128 * x.sum : 0;
  }

  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
    const Vec<int32_t> factor = bits == 8 ? w ^ int32_t(0x80808080) : w;  // + 128
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.v) : "v"(factor.v), "v"(x.v));
    return sum;
  }
};
#endif

inline Vec<float> load_factors(const float* from) { return Vec<float>::load(from); }

inline Vec<float> load_factors(const uint16_t* from) {
#if defined(COREPY_AVX512)
  const void* const address = from;
  return Vec<float>::native(
      _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(address))));
#elif defined(COREPY_AVX2)
  const void* const address = from;
  return Vec<float>::native(_mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(address))));
#else
  uint32_t lanes[LANES];
  for (ptrdiff_t i = 0; i < LANES; i++) lanes[i] = from[i];
  const Vec<uint32_t> half = Vec<uint32_t>::load(lanes);
  // The exponent of float32 has another bias, 112 more.
  const Vec<float> size = bitcast<float>((half & 0x7fffu) << 13) * 0x1p112f;
  return bitcast<float>(bitcast<uint32_t>(size) | ((half & 0x8000u) << 16));
#endif
}

// Multiplies a block of rows of the matrix with `rows` rows of x.
template <class Dot, int bits, class Factor, int rows>
inline void multiply_block(const QuantizedProduct& p, const char* block, const RoundedGroup* x,
                           ptrdiff_t columns, float* out) {
  constexpr ptrdiff_t step = LANES * sizeof(int32_t), q_bytes = BLOCK_ROWS * GROUP * bits / 8;
  constexpr ptrdiff_t bytes = block_bytes(bits, sizeof(Factor) == 2);
  Vec<float> totals[rows][PARTS];
  for (auto& row : totals) {
    for (auto& total : row) total = 0.0f;
  }
  for (ptrdiff_t group = 0; group < p.groups; group++, block += bytes, x++) {
    for (ptrdiff_t byte = 0; byte < bytes; byte += 64) __builtin_prefetch(block + AHEAD + byte);
    Vec<int32_t> sums[rows][PARTS];
    for (int r = 0; r < rows; r++) {
      for (auto& sum : sums[r]) sum = Dot::template start<bits>(x[r * p.groups]);
    }
    const auto words = [&](int r, ptrdiff_t k) {
      int32_t four;
      std::memcpy(&four, x[r * p.groups].q + k, sizeof(four));
      return Vec<int32_t>(four);
    };
    for (ptrdiff_t k = 0; k < GROUP * bits / 8; k += 4) {
      for (ptrdiff_t part = 0; part < PARTS; part++) {
        const void* const from = block + k * BLOCK_ROWS + part * step;
        const Vec<int32_t> w = Vec<int32_t>::load(static_cast<const int32_t*>(from));
        for (int r = 0; r < rows; r++) {
          Vec<int32_t>& sum = sums[r][part];
          if constexpr (bits == 8) {
            sum = Dot::template add<8>(sum, w, words(r, k));
          } else {
            sum = Dot::template add<4>(sum, w & 0x0f0f0f0f, words(r, k));
            sum = Dot::template add<4>(sum, (w >> 4) & 0x0f0f0f0f, words(r, k + GROUP / 2));
          }
        }
      }
    }
    const void* const factors = block + q_bytes;
    for (ptrdiff_t part = 0; part < PARTS; part++) {
      const Factor* const scales = static_cast<const Factor*>(factors) + part * LANES;
      const Vec<float> scale = load_factors(scales);
      for (int r = 0; r < rows; r++) {
        const RoundedGroup& each = x[r * p.groups];
        const Vec<float> sum = convert_lanes<Vec<float>::native>(sums[r][part].v);
        totals[r][part] = totals[r][part] + sum * (scale * each.scale);
        if constexpr (bits == 4) {
          totals[r][part] =
              totals[r][part] + load_factors(scales + BLOCK_ROWS) * (each.scale * float(each.sum));
        }
      }
    }
  }
  for (int r = 0; r < rows; r++, out += p.columns) {
    for (ptrdiff_t part = 0; part < PARTS; part++) {
      const ptrdiff_t left = columns - part * LANES;
      if (left > 0) totals[r][part].store_first(out + part * LANES, left < LANES ? left : LANES);
    }
  }
}

template <class Dot, int bits, class Factor>
void multiply(const QuantizedProduct& p, ptrdiff_t begin, ptrdiff_t end) {
  const ptrdiff_t line = p.groups * block_bytes(bits, sizeof(Factor) == 2);
  for (ptrdiff_t block = begin; block < end; block++) {
    const ptrdiff_t first = block * BLOCK_ROWS, left = p.columns - first;
    const auto some = [&](ptrdiff_t r, auto rows) {
      multiply_block<Dot, bits, Factor, decltype(rows)::value>(
          p, p.matrix + block * line, p.x + r * p.groups, left < BLOCK_ROWS ? left : BLOCK_ROWS,
          p.out + r * p.columns + first);
    };
    ptrdiff_t r = 0;
    for (; r + ROWS <= p.rows; r += ROWS) some(r, std::integral_constant<int, ROWS>{});
    for (; r < p.rows; r++) some(r, std::integral_constant<int, 1>{});
  }
}

template <class Dot>
void enter(QuantizedLoops& loops) {
  loops.multiply[0][0] = multiply<Dot, 4, float>;
  loops.multiply[0][1] = multiply<Dot, 4, uint16_t>;
  loops.multiply[1][0] = multiply<Dot, 8, float>;
  loops.multiply[1][1] = multiply<Dot, 8, uint16_t>;
}

}  // namespace

void fill_quantized(Kernels& kernels) {
  enter<Products>(kernels.quantized);
#if defined(COREPY_AVX512)
  if (__builtin_cpu_supports("avx512vnni")) enter<ProductsVNNI>(kernels.quantized);
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
