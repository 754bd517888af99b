// Products of large matrices, in tiles. Panels of b, and rows of a where their addresses compete
// for the same places in a cache, are copied together first (Goto and van de Geijn 2008,
// doi:10.1145/1356052.1356053).
#include "tiles.hpp"

#include <cstring>

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Rows that are copied together: whole vectors, so that they are transposed in registers.
constexpr ptrdiff_t GROUP = 4 * TILE_ROWS;

// Words of a line of a panel, which takes 32 KiB at most.
constexpr ptrdiff_t WORDS = 256;

#if defined(COREPY_AVX512)
// Pairs of bfloat16, by an instruction that adds both products to a float32. It takes subnormal
// numbers to be 0.
struct PairOfHalves {
  using Word = uint32_t;
  using Sum = float;
  static constexpr ptrdiff_t terms = 2;

  static Word whole(const char* from) {
    Word pair;  // of any alignment
    std::memcpy(&pair, from, sizeof(pair));
    return pair;
  }
  static Word last(const char* from) { return load<uint16_t>(from); }
  // In assembly: a function for more instructions than its file's cannot be inlined into a
  // template.
  static Vec<float> add(Vec<float> sum, Vec<uint32_t> a, Vec<uint32_t> b) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.v) : "v"(a.v), "v"(b.v));
    return sum;
  }
};
#endif

// Copies words of some lines, rows of a or columns of b, together: the first words of `lines`
// lines, of which there are `count`, then the second ones.
template <class E, ptrdiff_t lines>
void pack(ptrdiff_t count, ptrdiff_t terms, const char* from, ptrdiff_t line, ptrdiff_t step,
          char* to) {
  constexpr ptrdiff_t size = WORD<E>;
  const ptrdiff_t words = terms / E::terms, row = lines * size, item = size / E::terms;
  if (count < lines) std::memset(to, 0, size_t((terms + E::terms - 1) / E::terms * row));
  if (E::terms == 1 && line == item && count == lines) {
    using V = Vec<typename E::Word>;
    for (ptrdiff_t k = 0; k < words; k++) {
      const auto* const in = reinterpret_cast<const typename E::Word*>(from + k * step);
      auto* const out = reinterpret_cast<typename E::Word*>(to + k * row);
      for (ptrdiff_t i = 0; i < lines; i += V::size) V::load(in + i).store(out + i);
    }
  } else if (E::terms == 1 || step == item) {
    const ptrdiff_t out[] = {row, size}, in[] = {step * E::terms, line};
    constexpr ptrdiff_t some = 128 / size;
    for (ptrdiff_t k = 0; k < words; k += some) {
      for (ptrdiff_t i = 0; i < count && k + some < words; i++) {
        for (ptrdiff_t byte = 0; byte < 128; byte += 64)
          __builtin_prefetch(from + i * line + (k + some) * in[0] + byte);
      }
      const ptrdiff_t sizes[] = {words - k < some ? words - k : some, count};
      kernels().copy_box(size, 2, sizes, to + k * row, out, from + k * in[0], in);
    }
  } else {
    // `line` again, as a constant where it is the usual one: loops over it are vectorized.
    const auto zip = [&](auto line) {
      for (ptrdiff_t k = 0; k < words; k++) {
        const char* const first = from + 2 * k * step;
        uint32_t* const both = reinterpret_cast<uint32_t*>(to + k * row);
        for (ptrdiff_t i = 0; i < count; i++) {
          const uint32_t low = load<uint16_t>(first + i * line);
          both[i] = low | uint32_t(load<uint16_t>(first + step + i * line)) << 16;
        }
      }
    };
    line == item ? zip(std::integral_constant<ptrdiff_t, item>{}) : zip(line);
  }
  if (terms % E::terms) {
    for (ptrdiff_t i = 0; i < count; i++) {
      store(to + words * row + i * size, E::last(from + i * line + (terms - 1) * step));
    }
  }
}

template <class E>
void pack_panel(const MatrixProduct& p, ptrdiff_t first, ptrdiff_t terms, ptrdiff_t column,
                char* to) {
  const ptrdiff_t left = p.columns - column;
  pack<E, PANEL<E>>(left < PANEL<E> ? left : PANEL<E>, terms,
                    p.b + first * p.b_row + column * p.b_column, p.b_column, p.b_row, to);
}

template <class E>
void pack_rows(const MatrixProduct& p, ptrdiff_t first, ptrdiff_t terms, ptrdiff_t row, char* to) {
  const ptrdiff_t left = p.rows - row;
  pack<E, GROUP>(left < GROUP ? left : GROUP, terms, p.a + row * p.a_row + first * p.a_step,
                 p.a_row, p.a_step, to);
}

template <class E>
constexpr TileLoops loops_of() {
  return {WORD<E>,          E::terms,      GROUP,        PANEL<E>,
          WORDS * E::terms, pack_panel<E>, pack_rows<E>, multiply_tile<E>};
}

}  // namespace

void fill_tiles([[maybe_unused]] Kernels& kernels) {
// NumPy's products on macOS use a unit for matrices, Apple's AMX.
#if defined(COREPY_AVX512) || defined(COREPY_AVX2) || (defined(COREPY_NEON) && !defined(__APPLE__))
  kernels.tiles[DTYPE_float32] = loops_of<Single<float>>();
  kernels.tiles[DTYPE_float64] = loops_of<Single<double>>();
#endif
#if defined(COREPY_AVX512)
  if (__builtin_cpu_supports("avx512bf16"))
    kernels.tiles[DTYPE_bfloat16] = loops_of<PairOfHalves>();
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
