// Tiles of products of matrices: some rows and a panel of columns, whose sums are in registers.
#pragma once

#include <utility>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Rows of a tile: with two vectors of columns the sums take most of the registers. There are more
// rows with one.
#if defined(COREPY_AVX512)
constexpr int TILE_ROWS = 12, TALL_ROWS = 12;
#elif defined(COREPY_NEON)  // with more rows GCC keeps some sums in memory: it loads factors early
constexpr int TILE_ROWS = 8, TALL_ROWS = 12;
#elif defined(COREPY_AVX2)
constexpr int TILE_ROWS = 6, TALL_ROWS = 12;
#else
constexpr int TILE_ROWS = 4, TALL_ROWS = 4;
#endif

// Numbers, which are multiplied as they are.
template <class T>
struct Single {
  using Word = T;  // one or two terms
  using Sum = T;
  static constexpr ptrdiff_t terms = 1;  // of a word

  static Word whole(const char* from) { return load<T>(from); }
  // A word with one term.
  static Word last(const char* from) { return load<T>(from); }
  static Vec<T> add(Vec<T> sum, Vec<T> a, Vec<T> b) { return multiply_add(a, b, sum); }
};

template <class E>
constexpr ptrdiff_t WORD = sizeof(typename E::Word);  // in bytes
template <class E>
constexpr ptrdiff_t LANES = Vec<typename E::Sum>::size;
template <class E>
constexpr ptrdiff_t PANEL = 2 * LANES<E>;

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
  const ptrdiff_t a_row = t.a_row, a_step = t.a_step, next = t.line;
  const auto add_word = [&](auto load) __attribute__((always_inline)) {
    const Word* const words = reinterpret_cast<const Word*>(line);
    const Vec<Word> first = Vec<Word>::load(words);
    const Vec<Word> second = vectors == 2 ? Vec<Word>::load(words + LANES<E>) : first;
    for (ptrdiff_t byte = 0; ahead && byte < PANEL<E> * WORD<E>; byte += 64) {
      __builtin_prefetch(line + t.ahead + byte, 0, 2);
    }
    line += next;
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
  for (ptrdiff_t k = t.terms / E::terms; k > 0; k--, a += a_step) add_word(E::whole);
  if (t.terms % E::terms) add_word(E::last);
  const auto finish = [&](Sum sum, char* to, ptrdiff_t column) __attribute__((always_inline)) {
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
  constexpr int most = vectors == 1 ? TALL_ROWS : TILE_ROWS;
  ptrdiff_t i = 0;
  const auto some = [&](auto numbers, auto ahead) {
    multiply_rows<E, vectors, ahead>(numbers, t, i);
    i += numbers.size();
  };
  constexpr std::false_type no;
  if (vectors == 2 && t.ahead && t.rows >= 2 * most)
    some(std::make_index_sequence<most>{}, std::true_type{});
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

}  // namespace COREPY_TARGET
}  // namespace corepy
