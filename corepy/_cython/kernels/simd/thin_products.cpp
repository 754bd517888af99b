// Products of one or a few rows with a large matrix, floating-point. Reading the matrix takes most
// of the time, so each of its elements is read from memory once, in order, and multiplied with all
// rows.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Terms of a sum in a block: the sums of blocks are added, which also keeps the error small. Of dot
// products a whole number of vectors.
constexpr ptrdiff_t TERMS = 256, DOT_TERMS = 4096;

// Columns whose sums are kept in the first-level cache.
template <class T>
constexpr ptrdiff_t STRIP = 2048 / sizeof(T);

// From the sums of one row to the next. Addresses that differ by a multiple of 4096 would compete
// for the same places in the cache.
template <class T>
constexpr ptrdiff_t PITCH = STRIP<T> + 128 / sizeof(T);

template <class T>
inline Vec<T> load_part(const T* from, ptrdiff_t count) {
  return count >= Vec<T>::size ? Vec<T>::load(from) : Vec<T>::load_first(from, count);
}

// Adds `terms` terms to the sums of each row, for `columns` columns of a matrix whose rows are
// contiguous. Two vectors of columns at a time, so that each factor is used twice.
template <int terms, class T>
inline void add_lines(ptrdiff_t rows, ptrdiff_t columns, const char* a, ptrdiff_t a_row,
                      ptrdiff_t a_step, const char* b, ptrdiff_t b_row, T* sums) {
  constexpr ptrdiff_t size = Vec<T>::size;
  for (ptrdiff_t j = 0; j < columns; j += 2 * size) {
    Vec<T> lines[terms][2];
    for (int k = 0; k < terms; k++) {
      const T* const line = reinterpret_cast<const T*>(b + k * b_row) + j;
      const char* const next = reinterpret_cast<const char*>(line) + terms * b_row;
      for (ptrdiff_t byte = 0; byte < ptrdiff_t(2 * sizeof(Vec<T>)); byte += 64) {
        __builtin_prefetch(next + byte);
      }
      if (j + 2 * size <= columns) {
        lines[k][0] = Vec<T>::load(line);
        lines[k][1] = Vec<T>::load(line + size);
      } else {
        const ptrdiff_t left = columns - j;
        lines[k][0] = load_part(line, left);
        lines[k][1] = left > size ? load_part(line + size, left - size) : Vec<T>(T(0));
      }
    }
    T* to = sums + j;
    for (ptrdiff_t r = 0; r < rows; r++, to += PITCH<T>) {
      Vec<T> first = Vec<T>::load(to), second = Vec<T>::load(to + size);
      for (int k = 0; k < terms; k++) {
        const Vec<T> factor = load<T>(a + r * a_row + k * a_step);
        first = multiply_add(factor, lines[k][0], first);
        second = multiply_add(factor, lines[k][1], second);
      }
      first.store(to);
      second.store(to + size);
    }
  }
}

// Rows times a matrix whose rows are contiguous.
template <class T>
void multiply_lines(const MatrixProduct& p, ptrdiff_t out_column) {
  alignas(64) T sums[THIN * PITCH<T>];
  for (ptrdiff_t start = 0; start < p.terms; start += TERMS) {
    for (ptrdiff_t j = 0; j < p.columns; j += STRIP<T>) {
      const ptrdiff_t columns = p.columns - j < STRIP<T> ? p.columns - j : STRIP<T>;
      for (ptrdiff_t i = 0; i < p.rows * PITCH<T>; i += Vec<T>::size) Vec<T>(T(0)).store(sums + i);
      const ptrdiff_t end = p.terms - start < TERMS ? p.terms : start + TERMS;
      const auto add = [&](auto terms, ptrdiff_t k) {
        add_lines<decltype(terms)::value>(p.rows, columns, p.a + k * p.a_step, p.a_row, p.a_step,
                                          p.b + k * p.b_row + j * sizeof(T), p.b_row, sums);
      };
      ptrdiff_t k = start;
      for (; k + 4 <= end; k += 4) add(std::integral_constant<int, 4>{}, k);
      for (; k < end; k++) add(std::integral_constant<int, 1>{}, k);
      for (ptrdiff_t r = 0; r < p.rows; r++) {
        const T* const from = sums + r * PITCH<T>;
        char* to = p.out + r * p.out_row + j * out_column;
        for (ptrdiff_t c = 0; c < columns; c++, to += out_column) {
          store<T>(to, start > 0 ? load<T>(to) + from[c] : from[c]);
        }
      }
    }
  }
}

// Adds the products of `terms` factors with as many rows of a matrix to the sums, or begins them.
template <int terms, class T>
inline void add_to_row(bool begin, ptrdiff_t columns, const char* a, ptrdiff_t a_step,
                       const char* b, ptrdiff_t b_row, T* sums) {
  constexpr ptrdiff_t size = Vec<T>::size;
  Vec<T> factors[terms];
  for (int k = 0; k < terms; k++) factors[k] = load<T>(a + k * a_step);
  const auto add = [&](Vec<T> sum, auto load) {
    for (int k = 0; k < terms; k++) {
      sum = multiply_add(factors[k], load(reinterpret_cast<const T*>(b + k * b_row)), sum);
    }
    return sum;
  };
  ptrdiff_t j = 0;
  for (; j + size <= columns; j += size) {
    const Vec<T> sum = begin ? Vec<T>(T(0)) : Vec<T>::load(sums + j);
    add(sum, [&](const T* line) { return Vec<T>::load(line + j); }).store(sums + j);
  }
  if (j < columns) {
    const ptrdiff_t left = columns - j;
    const Vec<T> sum = begin ? Vec<T>(T(0)) : Vec<T>::load_first(sums + j, left);
    add(sum, [&](const T* line) {
      return Vec<T>::load_first(line + j, left);
    }).store_first(sums + j, left);
  }
}

// One row times a matrix whose rows are contiguous; so is the result. It is read and written once
// for some terms, so it should have few enough columns for the first-level cache.
template <class T>
void multiply_row(const MatrixProduct& p) {
  constexpr int AT_ONCE = 8;
  const auto add = [&](auto terms, ptrdiff_t k) {
    add_to_row<decltype(terms)::value>(k == 0, p.columns, p.a + k * p.a_step, p.a_step,
                                       p.b + k * p.b_row, p.b_row, reinterpret_cast<T*>(p.out));
  };
  ptrdiff_t k = 0;
  for (; k + AT_ONCE <= p.terms; k += AT_ONCE) add(std::integral_constant<int, AT_ONCE>{}, k);
  for (; k < p.terms; k++) add(std::integral_constant<int, 1>{}, k);
}

// The dot products of `rows` contiguous vectors with `columns` others.
template <int rows, int columns, class T>
inline void multiply_dots(ptrdiff_t terms, const char* a, ptrdiff_t a_row, const char* b,
                          ptrdiff_t b_column, char* out, ptrdiff_t out_row, ptrdiff_t out_column) {
  constexpr ptrdiff_t size = Vec<T>::size;
  Vec<T> sums[rows][columns], totals[rows][columns];
  for (auto& row : totals) {
    for (auto& total : row) total = T(0);
  }
  const auto add = [&](auto load) {
    Vec<T> factors[columns];
    for (int c = 0; c < columns; c++) factors[c] = load(b + c * b_column);
    for (int r = 0; r < rows; r++) {
      const Vec<T> row = load(a + r * a_row);
      for (int c = 0; c < columns; c++) sums[r][c] = multiply_add(row, factors[c], sums[r][c]);
    }
  };
  for (ptrdiff_t start = 0; start < terms; start += DOT_TERMS) {
    for (auto& row : sums) {
      for (auto& sum : row) sum = T(0);
    }
    const ptrdiff_t end = terms - start < DOT_TERMS ? terms : start + DOT_TERMS;
    ptrdiff_t k = start;
    for (; k + size <= end; k += size) {
      add([&](const char* from) { return Vec<T>::load(reinterpret_cast<const T*>(from) + k); });
    }
    if (k < end) {
      add([&](const char* from) {
        return Vec<T>::load_first(reinterpret_cast<const T*>(from) + k, end - k);
      });
    }
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) totals[r][c] = totals[r][c] + sums[r][c];
    }
  }
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < columns; c++) {
      T lanes[size];
      totals[r][c].store(lanes);
      for (ptrdiff_t half = size / 2; half > 0; half /= 2) {
        for (ptrdiff_t i = 0; i < half; i++) lanes[i] += lanes[i + half];
      }
      store<T>(out + r * out_row + c * out_column, lanes[0]);
    }
  }
}

// Bytes of rows that stay in the first-level cache.
constexpr ptrdiff_t NEAR_BYTES = 1 << 14;

// Contiguous rows times a matrix whose columns are contiguous. As many sums at a time as there are
// registers for; a group of columns stays in cache while all rows are multiplied with it. One
// column after the other if the rows stay there: memory is read faster in one sequence.
template <class T>
void multiply_columns(const MatrixProduct& p, ptrdiff_t out_column) {
#if defined(COREPY_AVX512)
  constexpr int COLUMNS = 4;
#else
  constexpr int COLUMNS = 2;
#endif
  constexpr int ROWS = 4;
  const auto group = [&](ptrdiff_t j, auto columns, auto most) {
    constexpr int count = decltype(columns)::value;
    const auto some = [&](ptrdiff_t r, auto rows) {
      multiply_dots<decltype(rows)::value, count, T>(
          p.terms, p.a + r * p.a_row, p.a_row, p.b + j * p.b_column, p.b_column,
          p.out + r * p.out_row + j * out_column, p.out_row, out_column);
    };
    ptrdiff_t r = 0;
    for (; r + most <= p.rows; r += most) some(r, most);
    for (; r + 2 <= p.rows; r += 2) some(r, std::integral_constant<int, 2>{});
    for (; r < p.rows; r++) some(r, std::integral_constant<int, 1>{});
  };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, ROWS> few;
  constexpr std::integral_constant<int, THIN> all;
  ptrdiff_t j = 0;
  if (p.rows * p.terms * ptrdiff_t(sizeof(T)) <= NEAR_BYTES) {
    for (; j < p.columns; j++) p.rows < THIN ? group(j, one, few) : group(j, one, all);
  }
  for (; j + COLUMNS <= p.columns; j += COLUMNS) {
    group(j, std::integral_constant<int, COLUMNS>{}, few);
  }
  for (; j < p.columns; j++) group(j, one, few);
}

template <class T>
void thin_matmul(const MatrixProduct& p, ptrdiff_t out_column) {
  if (p.b_column == sizeof(T)) {
    return p.rows == 1 && out_column == sizeof(T) ? multiply_row<T>(p)
                                                  : multiply_lines<T>(p, out_column);
  }
  multiply_columns<T>(p, out_column);
}

}  // namespace

void fill_thin_products(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    kernels.thin_matmul[dtype_of<T>] = thin_matmul<T>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
