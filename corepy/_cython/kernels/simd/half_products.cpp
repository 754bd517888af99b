// Products of matrices of bfloat16, by an instruction that adds two products to a float32. It takes
// subnormal numbers to be 0.
#include <cstring>
#include <utility>

#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

#if defined(COREPY_AVX512)
namespace {

// A panel has pairs of terms of as many columns as two vectors hold, and stays in the first-level
// cache.
constexpr ptrdiff_t LANES = Vec<float>::size, PANEL = 2 * LANES, TERMS = 512;

// Rows whose sums are in registers, and of which few are left.
constexpr int ROWS = 12, FEW = 4;

inline uint32_t load_pair(const char* from) { return load<uint32_t>(from); }
inline uint32_t load_bits(const char* from) { return load<uint16_t>(from); }

// In assembly: a function for more instructions than its file's cannot be inlined into a template.
inline Vec<float> add_products(Vec<float> sum, Vec<uint32_t> a, Vec<uint32_t> b) {
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum.v) : "v"(a.v), "v"(b.v));
  return sum;
}

// Writes the products of some rows with a panel, or adds them to `out`. `r` are the rows' numbers:
// of loops over them compilers keep the sums in memory.
template <size_t... r>
inline void multiply_panel(std::index_sequence<r...>, ptrdiff_t terms, ptrdiff_t columns,
                           const char* a, ptrdiff_t a_row, const uint32_t* panel, char* out,
                           ptrdiff_t out_row, bool add) {
  struct Sums {
    Vec<float> first, second;
  } sums[] = {(r, Sums{0.0f, 0.0f})...};
  const auto add_pair = [&](const char* from, auto load) __attribute__((always_inline)) {
    const Vec<uint32_t> first = Vec<uint32_t>::load(panel);
    const Vec<uint32_t> second = Vec<uint32_t>::load(panel + LANES);
    panel += PANEL;
    const auto with_row = [=](Sums sum, Vec<uint32_t> factor) {
      return Sums{add_products(sum.first, first, factor), add_products(sum.second, second, factor)};
    };
    ((sums[r] = with_row(sums[r], load(from + ptrdiff_t(r) * a_row))), ...);
  };
  for (ptrdiff_t k = 0; k < terms / 2; k++) add_pair(a + 4 * k, load_pair);
  if (terms % 2) add_pair(a + 2 * (terms - 1), load_bits);
  const auto finish = [&](Vec<float> sum, char* line, ptrdiff_t v) {
    const ptrdiff_t left = columns - v * LANES, count = left < LANES ? left : LANES;
    if (left <= 0) return;
    float* const to = reinterpret_cast<float*>(line) + v * LANES;
    if (add) sum = sum + Vec<float>::load_first(to, count);
    sum.store_first(to, count);
  };
  (finish(sums[r].first, out + ptrdiff_t(r) * out_row, 0), ...);
  (finish(sums[r].second, out + ptrdiff_t(r) * out_row, 1), ...);
}

// Copies pairs of terms of a panel's columns together, zeros beyond the last.
void pack_panel(ptrdiff_t terms, ptrdiff_t columns, const char* b, ptrdiff_t b_row,
                ptrdiff_t b_column, uint32_t* panel) {
  const ptrdiff_t pairs = terms / 2, word = sizeof(uint32_t);
  const auto zip = [&](ptrdiff_t k, const char* first, const char* second) {
    uint32_t* const line = panel + k * PANEL;
    for (ptrdiff_t j = 0; j < columns; j++) {
      const uint32_t low = load_bits(first + j * b_column);
      line[j] = second ? low | load_bits(second + j * b_column) << 16 : low;
    }
    for (ptrdiff_t j = columns; j < PANEL; j++) line[j] = 0;
  };
  if (b_row == 2 && columns == PANEL) {
    const ptrdiff_t sizes[] = {pairs, PANEL}, to[] = {PANEL * word, word},
                    from[] = {word, b_column};
    kernels().copy_box(word, 2, sizes, reinterpret_cast<char*>(panel), to, b, from);
  } else if (b_column == 2 && columns == PANEL) {
    for (ptrdiff_t k = 0; k < pairs; k++) {
      uint16_t first[PANEL], second[PANEL];
      std::memcpy(first, b + 2 * k * b_row, sizeof(first));
      std::memcpy(second, b + (2 * k + 1) * b_row, sizeof(second));
      uint32_t* const line = panel + k * PANEL;
      for (ptrdiff_t j = 0; j < PANEL; j++) line[j] = first[j] | uint32_t(second[j]) << 16;
    }
  } else {
    for (ptrdiff_t k = 0; k < pairs; k++) {
      zip(k, b + 2 * k * b_row, b + (2 * k + 1) * b_row);
    }
  }
  if (terms % 2) zip(pairs, b + (terms - 1) * b_row, nullptr);
}

void matmul_bfloat16(const MatrixProduct& p) {
  alignas(64) uint32_t panel[TERMS / 2 * PANEL];
  for (ptrdiff_t j = 0; j < p.columns; j += PANEL) {
    const ptrdiff_t columns = p.columns - j < PANEL ? p.columns - j : PANEL;
    for (ptrdiff_t k = 0; k < p.terms; k += TERMS) {
      const ptrdiff_t terms = p.terms - k < TERMS ? p.terms - k : TERMS;
      pack_panel(terms, columns, p.b + k * p.b_row + j * p.b_column, p.b_row, p.b_column, panel);
      ptrdiff_t i = 0;
      const auto rows = [&](auto count) {
        multiply_panel(count, terms, columns, p.a + i * p.a_row + 2 * k, p.a_row, panel,
                       p.out + i * p.out_row + j * ptrdiff_t(sizeof(float)), p.out_row, k > 0);
        i += count.size();
      };
      while (i + ROWS <= p.rows) rows(std::make_index_sequence<ROWS>{});
      while (i + FEW <= p.rows) rows(std::make_index_sequence<FEW>{});
      while (i < p.rows) rows(std::make_index_sequence<1>{});
    }
  }
}

}  // namespace
#endif

void fill_half_products([[maybe_unused]] Kernels& kernels) {
#if defined(COREPY_AVX512)
  if (__builtin_cpu_supports("avx512bf16")) kernels.matmul[DTYPE_bfloat16] = matmul_bfloat16;
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
