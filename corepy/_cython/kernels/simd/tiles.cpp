// Products of large matrices, in tiles of some rows and a panel of columns, whose sums are in
// registers. Panels of b, and rows of a where their addresses compete for the same places in a
// cache, are copied together first (Goto and van de Geijn 2008, doi:10.1145/1356052.1356053).
#include <cstring>
#include <utility>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
namespace {

// Rows of a tile: with two vectors of columns the sums take most of the registers.
#if defined(COREPY_AVX512)
constexpr int ROWS = 12;
#else
constexpr int ROWS = 6;
#endif

// Rows that are copied together: whole vectors, so that they are transposed in registers.
constexpr ptrdiff_t GROUP = 4 * ROWS;

// Words of a line of a panel, which takes 32 KiB at most.
constexpr ptrdiff_t WORDS = 256;

// Numbers, which are multiplied as they are.
template <class T>
struct Single {
  using Word = T;
  using Sum = T;
  static constexpr ptrdiff_t terms = 1;

  static Word last(const char* from) { return load<T>(from); }
  static Vec<T> add(Vec<T> sum, Vec<T> a, Vec<T> b) { return multiply_add(a, b, sum); }
};

// Pairs of bfloat16, by an instruction that adds both products to a float32. It takes subnormal
// numbers to be 0.
struct PairOfHalves {
  using Word = uint32_t;
  using Sum = float;
  static constexpr ptrdiff_t terms = 2;

  // A pair of which there is one number.
  static Word last(const char* from) { return load<uint16_t>(from); }
  // In assembly: a function for more instructions than its file's cannot be inlined into a
  // template.
  static Vec<float> add(Vec<float> sum, Vec<uint32_t> a, Vec<uint32_t> b) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.v) : "v"(a.v), "v"(b.v));
    return sum;
  }
};

template <class E>
constexpr ptrdiff_t SIZE = sizeof(typename E::Word);  // of a word, in bytes
template <class E>
constexpr ptrdiff_t LANES = Vec<typename E::Sum>::size;
template <class E>
constexpr ptrdiff_t PANEL = 2 * LANES<E>;

// Copies words of some lines, rows of a or columns of b, together: the first words of `lines`
// lines, of which there are `count`, then the second ones.
template <class E, ptrdiff_t lines>
void pack(ptrdiff_t count, ptrdiff_t terms, const char* from, ptrdiff_t line, ptrdiff_t step,
          char* to) {
  constexpr ptrdiff_t size = SIZE<E>;
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
        for (ptrdiff_t byte = 0; byte < 128; byte += 64) __builtin_prefetch(from + i * line + (k + some) * in[0] + byte);
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

// Rows of a tile of one vector of columns.
constexpr int TALL_ROWS = 12;

// Computes rows i + r of a tile, in one or two vectors of columns. Not by loops over rows:
// compilers keep the sums of these in memory. `ahead`: what follows the panel, the next one, is
// prefetched into the second-level cache.
template <class E, int vectors, bool ahead, size_t... r>
inline void multiply_rows(std::index_sequence<r...>, const ProductTile& t, ptrdiff_t i) {
  using Word = typename E::Word;
  using Sum = Vec<typename E::Sum>;
  struct Sums {
    Sum first, second;
  } sums[] = {(void(r), Sums{0, 0})...};
  const char *a = t.a + i * t.a_row, *line = t.panel;
  char* const out = t.out + i * t.out_row;
  const ptrdiff_t a_row = t.a_row, a_step = t.a_step;
  const auto add_word = [&](auto load) __attribute__((always_inline)) {
    const Word* const words = reinterpret_cast<const Word*>(line);
    const Vec<Word> first = Vec<Word>::load(words);
    const Vec<Word> second = vectors == 2 ? Vec<Word>::load(words + LANES<E>) : first;
    for (ptrdiff_t byte = 0; ahead && byte < PANEL<E> * SIZE<E>; byte += 64) {
      __builtin_prefetch(line + WORDS * PANEL<E> * SIZE<E> + byte, 0, 2);
    }
    line += PANEL<E> * SIZE<E>;
    const auto with_row = [=](Sums sum, Vec<Word> factor) {
      sum.first = E::add(sum.first, factor, first);
      if constexpr (vectors == 2) sum.second = E::add(sum.second, factor, second);
      return sum;
    };
    ((sums[r] = with_row(sums[r], load(a + ptrdiff_t(r) * a_row))), ...);
  };
  const auto fetch = [&](const char* to) {  // where the sums will be added
    for (ptrdiff_t byte = 0; byte < PANEL<E> * ptrdiff_t(sizeof(typename E::Sum)); byte += 64) {
      __builtin_prefetch(to + byte, 1);
    }
  };
  (fetch(out + ptrdiff_t(r) * t.out_row), ...);
  for (ptrdiff_t k = t.terms / E::terms; k > 0; k--, a += a_step) add_word(load<Word>);
  if (t.terms % E::terms) add_word(E::last);
  const auto finish = [&](Sum sum, char* to, ptrdiff_t column) {
    const ptrdiff_t left = t.columns - column;
    auto* const place = reinterpret_cast<typename E::Sum*>(to) + column;
    if (left >= LANES<E>) {
      (t.add ? sum + Sum::load(place) : sum).store(place);
    } else if (left > 0) {
      (t.add ? sum + Sum::load_first(place, left) : sum).store_first(place, left);
    }
  };
  (finish(sums[r].first, out + ptrdiff_t(r) * t.out_row, 0), ...);
  (finish(sums[r].second, out + ptrdiff_t(r) * t.out_row, LANES<E>), ...);
}

template <class E, int vectors>
void multiply_vectors(const ProductTile& t) {
  constexpr int most = vectors == 1 ? TALL_ROWS : ROWS;
  ptrdiff_t i = 0;
  const auto some = [&](auto numbers, auto ahead) {
    multiply_rows<E, vectors, ahead>(numbers, t, i);
    i += numbers.size();
  };
  constexpr std::false_type no;
  if (vectors == 2 && t.rows >= 2 * most) some(std::make_index_sequence<most>{}, std::true_type{});
  while (t.rows - i >= most) some(std::make_index_sequence<most>{}, no);
  if (most > 8 && t.rows - i >= 8) some(std::make_index_sequence<8>{}, no);
  if (t.rows - i >= 4) some(std::make_index_sequence<4>{}, no);
  if (t.rows - i >= 2) some(std::make_index_sequence<2>{}, no);
  if (t.rows - i >= 1) some(std::make_index_sequence<1>{}, no);
}

template <class E>
void multiply_tile(const ProductTile& t) {
  t.columns > LANES<E> ? multiply_vectors<E, 2>(t) : multiply_vectors<E, 1>(t);
}

template <class E>
constexpr TileLoops loops_of() {
  return {SIZE<E>,          E::terms,      GROUP,        PANEL<E>,
          WORDS * E::terms, pack_panel<E>, pack_rows<E>, multiply_tile<E>};
}

}  // namespace
#endif

void fill_tiles([[maybe_unused]] Kernels& kernels) {
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
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
