// Products of a matrix of 8 or 4 bits with rows that were rounded to 8 bits.
#include "../quantized.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "../kernels.hpp"
#include "vec.hpp"

#if defined(COREPY_NEON) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(COREPY_NEON) && defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

constexpr ptrdiff_t LANES = Vec<int32_t>::size;
// Vectors for the rows of a block.
constexpr ptrdiff_t PARTS = BLOCK_ROWS / LANES;

// Rows of x that are multiplied with a block at a time, or blocks that are multiplied with one row:
// memory is read faster in several streams than in one (one core of an EPYC: 9 GB/s in one, 13.5 in
// two, 14.5 in four; with prefetches a tenth less). One where the sums are too many for the
// registers.
#if defined(COREPY_AVX512) || defined(COREPY_AVX2) || defined(COREPY_NEON)
constexpr int TOGETHER = 4;
#else
constexpr int TOGETHER = 1;
#endif

// The most rows, and blocks, of a tile: with many rows multiplications and not loads take the time.
constexpr int TILE_ROWS = PARTS == 1 ? 6 : TOGETHER, TILE_BLOCKS = PARTS == 1 ? 2 : 1;

// The rows of the next tile, of so many that are left: few remain alone.
constexpr ptrdiff_t tile_rows(ptrdiff_t left) {
  if (left >= TILE_ROWS && left / TOGETHER != 2) return TILE_ROWS;
  return left >= TOGETHER ? TOGETHER : 1;
}

// Smaller elements count as 0: the inverse of their scale could be infinite.
constexpr float LEAST = 0x1p-100f;

// Rounds GROUP elements, given by their bits, to multiples of a scale.
inline void round_group(const uint32_t* bits, RoundedGroup& out) {
  // Of numbers without their sign the order is that of their bits; NaN and infinity come last.
  uint32_t most = 0;
  for (ptrdiff_t i = 0; i < GROUP; i++) most = std::max(most, bits[i] & 0x7fffffff);
  float largest, inverse;
  std::memcpy(&largest, &most, sizeof(largest));
  const bool finite = most < 0x7f800000;
  out.scale = finite ? largest / 127.0f : std::numeric_limits<float>::quiet_NaN();
  inverse = finite && largest >= LEAST ? 127.0f / largest : 0.0f;
  out.sum = 0;
  for (ptrdiff_t i = 0; i < GROUP; i++) {
    float element;
    std::memcpy(&element, &bits[i], sizeof(element));
    // The last byte of the sum is the nearest integer, of two the even one.
    const float sum = (finite ? element * inverse : 0.0f) + 0x1.8p23f;
    uint32_t integer;
    std::memcpy(&integer, &sum, sizeof(integer));
    out.q[i] = int8_t(integer);
    out.sum += out.q[i];
  }
}

void round(ptrdiff_t n, const float* x, RoundedGroup* groups) {
  uint32_t bits[GROUP];
  for (; n >= GROUP; n -= GROUP, x += GROUP) {
    std::memcpy(bits, x, sizeof(bits));
    round_group(bits, *groups++);
  }
  if (n > 0) {
    std::memset(bits, 0, sizeof(bits));
    std::memcpy(bits, x, n * sizeof(float));
    round_group(bits, *groups);
  }
}

// Bytes of a long line, and how far ahead of its use it is prefetched.
constexpr ptrdiff_t LONG_LINE = ptrdiff_t(1) << 14, PREFETCH = 2048;

template <class To>
inline Vec<To> bits_as(Vec<int32_t> a) {
  return typename Vec<To>::native(a.v);
}

// Sums of products of 4 bytes in each lane. `w` has elements of the matrix, [-128, 127] of 8 bits
// and [0, 15] of 4 bits; those of `x` are in [-127, 127]. `start` is what the sums of a group begin
// with, and `finish` makes sums of what `add` returned for all of it.
struct Products {
  template <int bits>
  static int32_t start(const RoundedGroup&) {
    return 0;
  }

#if defined(COREPY_AVX2)
  // An instruction multiplies unsigned bytes with signed ones, and adds two products in 16 bits: at
  // most 2 * 128 * 127. Of 4 bits these hold the sum of a whole group, 16 * 15 * 127.
  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
    const __m256i factor = __m256i(w.v), other = __m256i(x.v);
    if constexpr (bits == 4) {
      return native(_mm256_add_epi16(__m256i(sum.v), _mm256_maddubs_epi16(factor, other)));
    }
    return sum + native(in_pairs(_mm256_maddubs_epi16(_mm256_abs_epi8(factor),
                                                      _mm256_sign_epi8(other, factor))));
  }

  template <int bits>
  static Vec<int32_t> finish(Vec<int32_t> sum) {
    return bits == 4 ? native(in_pairs(__m256i(sum.v))) : sum;
  }

 private:
  static Vec<int32_t> native(__m256i a) { return Vec<int32_t>::native(a); }
  static __m256i in_pairs(__m256i a) { return _mm256_madd_epi16(a, _mm256_set1_epi16(1)); }
#else
  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
#if defined(COREPY_NEON)
    // Two products fit 16 bits: at most 2 * 128 * 127.
    const int8x16_t factor = int8x16_t(w.v), other = int8x16_t(x.v);
    const int16x8_t pairs =
        vpaddq_s16(vmull_s8(vget_low_s8(factor), vget_low_s8(other)), vmull_high_s8(factor, other));
    return Vec<int32_t>::native(vpadalq_s16(int32x4_t(sum.v), pairs));
#else
    const Vec<int16_t> factor = bits_as<int16_t>(w), other = bits_as<int16_t>(x);
    const Vec<int16_t> pairs =
        ((factor << 8) >> 8) * ((other << 8) >> 8) + (factor >> 8) * (other >> 8);
    const Vec<int32_t> both = Vec<int32_t>::native(pairs.v);
    return sum + ((both << 16) >> 16) + (both >> 16);
#endif
  }

  template <int bits>
  static Vec<int32_t> finish(Vec<int32_t> sum) {
    return sum;
  }
#endif
};

// The same by an instruction, VNNI's or that of ARM's dot products. In assembly: a function for
// more instructions than its file's cannot be inlined into a template.
#if defined(COREPY_NEON)
struct DotProducts : Products {
  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
    // sdot %0.4s, %1.16b, %2.16b. As a number: assemblers take the name only after a directive that
    // holds for the rest of the file. The symbols are the numbers of the registers.
    asm(".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,"
        "16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        ".set .Lv\\n, \\n\n"
        ".endr\n"
        ".inst 0x4e809400 | .L%0 | (.L%1 << 5) | (.L%2 << 16)"
        : "+w"(sum.v)
        : "w"(w.v), "w"(x.v));
    return sum;
  }
};
#elif defined(COREPY_AVX512) || defined(COREPY_AVX2)
// It multiplies unsigned bytes with signed ones.
struct DotProducts {
  template <int bits>
  static int32_t start(const RoundedGroup& x) {
    return bits == 8 ? -128 * x.sum : 0;
  }

  template <int bits>
  static Vec<int32_t> add(Vec<int32_t> sum, Vec<int32_t> w, Vec<int32_t> x) {
    const Vec<int32_t> factor = bits == 8 ? w ^ int32_t(0x80808080) : w;  // + 128
#if defined(COREPY_AVX512)
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.v) : "v"(factor.v), "v"(x.v));
#else
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.v) : "x"(factor.v), "x"(x.v));
#endif
    return sum;
  }

  template <int bits>
  static Vec<int32_t> finish(Vec<int32_t> sum) {
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
#elif defined(COREPY_NEON)
  return Vec<float>::native(vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from))));
#else
  uint32_t lanes[LANES];
  for (ptrdiff_t i = 0; i < LANES; i++) lanes[i] = from[i];
  const Vec<uint32_t> half = Vec<uint32_t>::load(lanes);
  // The exponent of float32 has another bias, 112 more.
  const Vec<float> size = bitcast<float>((half & 0x7fffu) << 13) * 0x1p112f;
  return bitcast<float>(bitcast<uint32_t>(size) | ((half & 0x8000u) << 16));
#endif
}

// Multiplies `count` blocks of rows of the matrix, the first one at `matrix`, with `rows` rows of
// x.
template <class Dot, int bits, class Factor, int rows, int count>
inline void multiply_blocks(const QuantizedProduct& p, const char* matrix, const RoundedGroup* x,
                            ptrdiff_t columns, float* out) {
  constexpr ptrdiff_t step = LANES * sizeof(int32_t), q_bytes = BLOCK_ROWS * GROUP * bits / 8;
  constexpr ptrdiff_t bytes = block_bytes(bits, sizeof(Factor) == 2);
  const ptrdiff_t line = p.groups * bytes;
  Vec<float> totals[count][rows][PARTS];
  for (auto& block : totals) {
    for (auto& row : block) {
      for (auto& total : row) total = 0.0f;
    }
  }
  // Short lines end before the hardware's prefetcher has found them: their end is followed by lines
  // of the next blocks. Long ones of 8 bits come at the memory's speed.
  const bool is_short = line < LONG_LINE;
  const ptrdiff_t ahead = is_short ? count * line : PREFETCH;
  for (ptrdiff_t group = 0; group < p.groups; group++, matrix += bytes, x++) {
    if (rows == 1 && (bits == 4 || is_short)) {
      for (int c = 0; c < count; c++) {
        for (ptrdiff_t at = 0; at < bytes; at += 64) {
          __builtin_prefetch(matrix + c * line + ahead + at, 0, 3);
        }
      }
    }
    Vec<int32_t> sums[count][rows][PARTS];
    for (int c = 0; c < count; c++) {
      for (int r = 0; r < rows; r++) {
        for (auto& sum : sums[c][r]) sum = Dot::template start<bits>(x[r * p.groups]);
      }
    }
    const auto words = [&](int r, ptrdiff_t k) {
      int32_t four;
      std::memcpy(&four, x[r * p.groups].q + k, sizeof(four));
      return Vec<int32_t>(four);
    };
    for (ptrdiff_t k = 0; k < GROUP * bits / 8; k += 4) {
      for (int c = 0; c < count; c++) {
        for (ptrdiff_t part = 0; part < PARTS; part++) {
          const void* const from = matrix + c * line + k * BLOCK_ROWS + part * step;
          const Vec<int32_t> w = Vec<int32_t>::load(static_cast<const int32_t*>(from));
          for (int r = 0; r < rows; r++) {
            Vec<int32_t>& sum = sums[c][r][part];
            if constexpr (bits == 8) {
              sum = Dot::template add<8>(sum, w, words(r, k));
            } else {
              sum = Dot::template add<4>(sum, w & 0x0f0f0f0f, words(r, k));
              sum = Dot::template add<4>(sum, (w >> 4) & 0x0f0f0f0f, words(r, k + GROUP / 2));
            }
          }
        }
      }
    }
    for (int c = 0; c < count; c++) {
      for (ptrdiff_t part = 0; part < PARTS; part++) {
        const void* const from = matrix + c * line + q_bytes;
        const Factor* const scales = static_cast<const Factor*>(from) + part * LANES;
        const Vec<float> scale = load_factors(scales);
        for (int r = 0; r < rows; r++) {
          const RoundedGroup& each = x[r * p.groups];
          const Vec<int32_t> sum = Dot::template finish<bits>(sums[c][r][part]);
          const Vec<float> number = convert_lanes<Vec<float>::native>(sum.v);
          Vec<float>& total = totals[c][r][part];
          total = total + number * (scale * each.scale);
          if constexpr (bits == 4) {
            total = total + load_factors(scales + BLOCK_ROWS) * (each.scale * float(each.sum));
          }
        }
      }
    }
  }
  for (int c = 0; c < count; c++) {
    for (int r = 0; r < rows; r++) {
      for (ptrdiff_t part = 0; part < PARTS; part++) {
        const ptrdiff_t column = c * BLOCK_ROWS + part * LANES, left = columns - column;
        float* const to = out + r * p.columns + column;
        if (left > 0) totals[c][r][part].store_first(to, left < LANES ? left : LANES);
      }
    }
  }
}

template <class Dot, int bits, class Factor>
void multiply(const QuantizedProduct& p, ptrdiff_t begin, ptrdiff_t end) {
  const ptrdiff_t line = p.groups * block_bytes(bits, sizeof(Factor) == 2);
  const auto some = [&](ptrdiff_t block, auto count, ptrdiff_t r, auto rows) {
    const ptrdiff_t column = block * BLOCK_ROWS;
    multiply_blocks<Dot, bits, Factor, decltype(rows)::value, decltype(count)::value>(
        p, p.matrix + block * line, p.x + r * p.groups, p.columns - column,
        p.out + r * p.columns + column);
  };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, TOGETHER> several;
  constexpr std::integral_constant<int, TILE_ROWS> most;
  constexpr std::integral_constant<int, TILE_BLOCKS> wide;
  for (ptrdiff_t block = begin; block < end; block += TOGETHER) {
    const ptrdiff_t count = end - block < TOGETHER ? end - block : TOGETHER;
    ptrdiff_t alone = 0;  // the first row that no tile has
    for (ptrdiff_t c = 0; c < count; c += TILE_BLOCKS) {
      const bool narrow = count - c < TILE_BLOCKS;
      ptrdiff_t r = 0;
      for (ptrdiff_t rows; (rows = tile_rows(p.rows - r)) > 1; r += rows) {
        if (rows == TILE_ROWS) {
          narrow ? some(block + c, one, r, most) : some(block + c, wide, r, most);
        } else {
          narrow ? some(block + c, one, r, several) : some(block + c, wide, r, several);
        }
      }
      alone = r;
    }
    for (ptrdiff_t r = alone; r < p.rows; r++) {
      if (count == TOGETHER) {
        some(block, several, r, one);
      } else {
        for (ptrdiff_t c = 0; c < count; c++) some(block + c, one, r, one);
      }
    }
  }
}

template <class Dot>
void enter(QuantizedLoops& loops) {
  loops.round = round;
  loops.multiply[0][0] = multiply<Dot, 4, float>;
  loops.multiply[0][1] = multiply<Dot, 4, uint16_t>;
  loops.multiply[1][0] = multiply<Dot, 8, float>;
  loops.multiply[1][1] = multiply<Dot, 8, uint16_t>;
}

// Whether this processor has the instruction of DotProducts.
bool has_dot_products() {
#if defined(COREPY_AVX512)
  return __builtin_cpu_supports("avx512vnni");
#elif defined(COREPY_AVX2)
  return __builtin_cpu_supports("avxvnni");
#elif defined(COREPY_NEON) && defined(__linux__)
  return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
#elif defined(COREPY_NEON) && defined(__APPLE__)
  int found = 0;
  size_t size = sizeof(found);
  return sysctlbyname("hw.optional.arm.FEAT_DotProd", &found, &size, nullptr, 0) == 0 && found;
#else
  return false;
#endif
}

}  // namespace

void fill_quantized(Kernels& kernels) {
  enter<Products>(kernels.quantized);
#if defined(COREPY_AVX512) || defined(COREPY_AVX2) || defined(COREPY_NEON)
  const char* const wanted = std::getenv("COREPY_DOT_PRODUCTS");
  if (has_dot_products() && !(wanted && std::strcmp(wanted, "0") == 0))
    enter<DotProducts>(kernels.quantized);
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
