// Sums of products: dot products and matrix products, for integers, which BLAS lacks, and for
// floating-point matrices for which a call of BLAS costs more than the work.
#include "complex.hpp"
#include "tiles.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The type of sums: unsigned for integers, whose sums wrap.
template <class T>
using Sum = Arithmetic_of<T>;

// A panel is as many columns as two vectors hold. A single row takes one of eight vectors instead.
template <class T>
constexpr ptrdiff_t COLUMNS = 2 * Vec<T>::size;
constexpr int WIDE = 8;

// Rows that are multiplied with a vector at a time.
constexpr int ROWS = 4;

// Terms and columns of products whose rows are computed several in a vector.
constexpr ptrdiff_t NARROW = 4;

// Terms of a sum in a block, so that a packed panel of them stays in cache.
constexpr ptrdiff_t TERMS = 256;

// Writes the products of a row with `WIDE` vectors of columns, whose lines are `line` elements
// apart.
template <class T>
inline void multiply_wide(ptrdiff_t terms, const char* a, ptrdiff_t a_step, const T* panel,
                          ptrdiff_t line, T* out) {
  constexpr ptrdiff_t size = Vec<T>::size;
  Vec<T> sums[WIDE];
  for (auto& sum : sums) sum = T(0);
  for (ptrdiff_t k = 0; k < terms; k++) {
    const Vec<T> factor = load<T>(a + k * a_step);
    for (int v = 0; v < WIDE; v++) {
      sums[v] = multiply_add(factor, Vec<T>::load(panel + k * line + v * size), sums[v]);
    }
  }
  for (int v = 0; v < WIDE; v++) sums[v].store(out + v * size);
}

// Copies a panel's columns together, zeros beyond the last.
template <class T>
inline void pack_panel(ptrdiff_t terms, ptrdiff_t columns, const char* b, ptrdiff_t b_row,
                       ptrdiff_t b_column, T* panel) {
  constexpr ptrdiff_t size = Vec<T>::size;
  if (b_column == sizeof(T)) {
    const ptrdiff_t first = columns < size ? columns : size;
    for (ptrdiff_t k = 0; k < terms; k++) {
      const T* const from = reinterpret_cast<const T*>(b + k * b_row);
      T* const line = panel + k * COLUMNS<T>;
      Vec<T>::load_first(from, first).store(line);
      const Vec<T> zeros = T(0);
      (columns > size ? Vec<T>::load_first(from + size, columns - size) : zeros).store(line + size);
    }
    return;
  }
  for (ptrdiff_t k = 0; k < terms; k++) {
    T* const line = panel + k * COLUMNS<T>;
    for (ptrdiff_t j = 0; j < columns; j++) line[j] = load<T>(b + k * b_row + j * b_column);
    for (ptrdiff_t j = columns; j < COLUMNS<T>; j++) line[j] = T(0);
  }
}

// One row times a matrix whose rows are contiguous, whole wide panels of it; returns the number of
// columns that are done.
template <class T>
ptrdiff_t multiply_row(const MatrixProduct& p) {
  constexpr ptrdiff_t columns = WIDE * Vec<T>::size, size = sizeof(T);
  ptrdiff_t j = 0;
  for (; j + columns <= p.columns; j += columns) {
    multiply_wide(p.terms, p.a, p.a_step, reinterpret_cast<const T*>(p.b) + j, p.b_row / size,
                  reinterpret_cast<T*>(p.out) + j);
  }
  return j;
}

// The sums of pairs of neighbouring lanes.
template <class T>
inline Vec<T> halve(Vec<T> a, Vec<T> b) {
  const VecPair<Vec<T>> halves = unzip(a, b);
  return halves.first + halves.second;
}

// The sums of the lanes of four vectors.
template <class T>
inline void store_sums(const Vec<T> (&sums)[ROWS], char* out, ptrdiff_t out_row) {
  constexpr ptrdiff_t size = Vec<T>::size;
  T lanes[2 * size];
  const Vec<T> first = halve(sums[0], sums[1]), second = halve(sums[2], sums[3]);
  if constexpr (size == 2) {
    first.store(lanes);
    second.store(lanes + size);
  } else {
    Vec<T> all = halve(first, second);
    for (ptrdiff_t parts = size / ROWS; parts > 1; parts /= 2) all = halve(all, all);
    all.store(lanes);
  }
  for (int r = 0; r < ROWS; r++) store<T>(out + r * out_row, lanes[r]);
}

// A matrix whose rows are contiguous times a contiguous vector, four rows at a time, of which there
// are a whole number. Rows are not shorter than a vector.
template <class T>
void multiply_vector(const MatrixProduct& p) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const T* const b = reinterpret_cast<const T*>(p.b);
  const ptrdiff_t rest = p.terms % size, last = p.terms - size;
  // The last elements are the end of a vector whose other lanes were used before.
  T shown[2 * size];
  for (ptrdiff_t i = 0; i < 2 * size; i++) shown[i] = T(i < size ? 0 : -1);
  const Mask<T> end = Vec<T>::load(shown + rest) != Vec<T>(T(0));
  for (ptrdiff_t i = 0; i < p.rows; i += ROWS) {
    const T* rows[ROWS];
    Vec<T> sums[ROWS][2];
    for (int r = 0; r < ROWS; r++) {
      rows[r] = reinterpret_cast<const T*>(p.a + (i + r) * p.a_row);
      sums[r][0] = sums[r][1] = T(0);
    }
    ptrdiff_t k = 0;
    for (; k + 2 * size <= p.terms; k += 2 * size) {
      for (int v = 0; v < 2; v++) {
        const Vec<T> factor = Vec<T>::load(b + k + v * size);
        for (int r = 0; r < ROWS; r++) {
          sums[r][v] = multiply_add(Vec<T>::load(rows[r] + k + v * size), factor, sums[r][v]);
        }
      }
    }
    for (; k + size <= p.terms; k += size) {
      const Vec<T> factor = Vec<T>::load(b + k);
      for (int r = 0; r < ROWS; r++) {
        sums[r][0] = multiply_add(Vec<T>::load(rows[r] + k), factor, sums[r][0]);
      }
    }
    if (rest) {
      const Vec<T> factor = select(end, Vec<T>::load(b + last), Vec<T>(T(0)));
      for (int r = 0; r < ROWS; r++) {
        const Vec<T> row = select(end, Vec<T>::load(rows[r] + last), Vec<T>(T(0)));
        sums[r][1] = multiply_add(row, factor, sums[r][1]);
      }
    }
    Vec<T> totals[ROWS];
    for (int r = 0; r < ROWS; r++) totals[r] = sums[r][0] + sums[r][1];
    store_sums(totals, p.out + i * p.out_row, p.out_row);
  }
}

// A contiguous matrix of short rows times a matrix of few columns. BLAS and panels spend most of
// their time on parts of vectors there.
template <class T>
bool is_narrow(const MatrixProduct& p) {
  constexpr ptrdiff_t size = sizeof(T);
  return p.terms <= NARROW && p.columns <= NARROW && p.a_step == size &&
         p.a_row == p.terms * size && p.out_row == p.columns * size;
}

#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
// Orders of the words of a vector: in `rows`, by terms, columns and term, of elements of some rows,
// one for each column; in `columns`, of a row, as often as the vector holds it.
template <int WORDS>
struct NarrowOrders {
  static constexpr ptrdiff_t size = VECTOR_BYTES / 4;
  uint32_t rows[NARROW][NARROW][NARROW][size] = {}, columns[NARROW][size] = {};

  constexpr NarrowOrders() {
    for (ptrdiff_t n = 0; n < NARROW; n++) {
      for (ptrdiff_t word = 0; word < size; word++) {
        const ptrdiff_t row = word / WORDS / (n + 1), column = word / WORDS % (n + 1);
        columns[n][word] = uint32_t(column * WORDS + word % WORDS);
        for (ptrdiff_t terms = 1; terms <= NARROW; terms++) {
          const bool whole = row < size / WORDS / (terms > n + 1 ? terms : n + 1);
          for (ptrdiff_t k = 0; k < terms; k++) {
            const ptrdiff_t from = whole ? row * terms + k : 0;
            rows[terms - 1][n][k][word] = uint32_t(from * WORDS + word % WORDS);
          }
        }
      }
    }
  }
};

template <int WORDS>
constexpr NarrowOrders<WORDS> NARROW_ORDERS{};

// A vector holds products of several rows: for each term, the rows' elements times the columns'.
template <class T>
void multiply_narrow(const MatrixProduct& p) {
  constexpr ptrdiff_t size = Vec<T>::size, words = sizeof(T) / 4;
  constexpr const auto& orders = NARROW_ORDERS<int(words)>;
  const ptrdiff_t rows = size / (p.terms > p.columns ? p.terms : p.columns);
  const auto repeat = Vec<uint32_t>::load(orders.columns[p.columns - 1]);
  Vec<T> b[NARROW];
  Vec<uint32_t> order[NARROW];
  for (ptrdiff_t k = 0; k < p.terms; k++) {
    const char* const from = p.b + k * p.b_row;
    Vec<T> once = T(0);
    if (p.b_column == sizeof(T)) {
      once = Vec<T>::load_first(reinterpret_cast<const T*>(from), p.columns);
    } else {
      T line[size] = {};
      for (ptrdiff_t j = 0; j < p.columns; j++) line[j] = load<T>(from + j * p.b_column);
      once = Vec<T>::load(line);
    }
    b[k] = bitcast<T>(permute_words(bitcast<uint32_t>(once), repeat));
    order[k] = Vec<uint32_t>::load(orders.rows[p.terms - 1][p.columns - 1][k]);
  }
  // Whole vectors are loaded and stored where there are enough rows. The last lanes may be of rows
  // that are written later.
  const ptrdiff_t least = p.terms < p.columns ? p.terms : p.columns;
  for (ptrdiff_t i = 0; i < p.rows; i += rows) {
    const auto* const row = reinterpret_cast<const uint32_t*>(p.a + i * p.a_row);
    auto* const out = reinterpret_cast<T*>(p.out + i * p.out_row);
    const ptrdiff_t left = p.rows - i, some = left < rows ? left : rows;
    const bool whole = left * least >= size;
    const auto a =
        whole ? Vec<uint32_t>::load(row) : Vec<uint32_t>::load_first(row, some * p.terms * words);
    Vec<T> sum = T(0);
    for (ptrdiff_t k = 0; k < p.terms; k++) {
      sum = multiply_add(bitcast<T>(permute_words(a, order[k])), b[k], sum);
    }
    whole ? sum.store(out) : sum.store_first(out, some * p.columns);
  }
}
#else
template <int columns, class T>
void multiply_narrow(const MatrixProduct& p) {
  T b[NARROW][columns];
  for (ptrdiff_t k = 0; k < p.terms; k++) {
    for (int j = 0; j < columns; j++) b[k][j] = load<T>(p.b + k * p.b_row + j * p.b_column);
  }
  for (ptrdiff_t i = 0; i < p.rows; i++) {
    const T* const a = reinterpret_cast<const T*>(p.a + i * p.a_row);
    T* const out = reinterpret_cast<T*>(p.out + i * p.out_row);
    T sums[columns] = {};
    for (ptrdiff_t k = 0; k < p.terms; k++) {
      for (int j = 0; j < columns; j++) sums[j] += a[k] * b[k][j];
    }
    std::memcpy(out, sums, sizeof(sums));
  }
}
template <class T>
void multiply_narrow(const MatrixProduct& p) {
  if (p.columns == 1) multiply_narrow<1, T>(p);
  if (p.columns == 2) multiply_narrow<2, T>(p);
  if (p.columns == 3) multiply_narrow<3, T>(p);
  if (p.columns == 4) multiply_narrow<4, T>(p);
}
#endif

// Adds to some columns of the result, or writes them: the products of all rows with a panel of
// terms [k, k + terms) and columns [j, j + columns), whose lines are `line` elements apart.
template <class T>
inline void multiply_with_panel(const MatrixProduct& p, ptrdiff_t k, ptrdiff_t terms, ptrdiff_t j,
                                ptrdiff_t columns, const T* panel, ptrdiff_t line) {
  constexpr ptrdiff_t size = sizeof(T);
  multiply_tile<Single<T>>({terms, p.rows, columns, p.a + k * p.a_step, p.a_row, p.a_step,
                            reinterpret_cast<const char*>(panel), line * size, 0, p.out + j * size,
                            p.out_row, k > 0});
}

// Panels of columns times all rows.
template <class T>
void multiply_panels(const MatrixProduct& p) {
  alignas(64) T packed[TERMS * COLUMNS<T>];
  constexpr ptrdiff_t size = sizeof(T);
  const bool lines = p.b_column == size && p.b_row % size == 0;
  for (ptrdiff_t j = p.rows == 1 && lines ? multiply_row<T>(p) : 0; j < p.columns;
       j += COLUMNS<T>) {
    const ptrdiff_t columns = p.columns - j < COLUMNS<T> ? p.columns - j : COLUMNS<T>;
    // With few rows a panel is not used often enough to be worth packing.
    const bool in_place = lines && columns == COLUMNS<T> && p.rows <= 2 * ROWS;
    for (ptrdiff_t k = 0; k < p.terms; k += TERMS) {
      const ptrdiff_t terms = p.terms - k < TERMS ? p.terms - k : TERMS;
      const char* const b = p.b + k * p.b_row + j * p.b_column;
      const T* panel = reinterpret_cast<const T*>(b);
      ptrdiff_t line = p.b_row / size;
      if (!in_place) {
        pack_panel(terms, columns, b, p.b_row, p.b_column, packed);
        panel = packed;
        line = COLUMNS<T>;
      }
      multiply_with_panel(p, k, terms, j, columns, panel, line);
    }
  }
}

// Copies to lines `step` elements apart what some pixels [j, j + columns) of the result are
// multiplied with: for each of `channels`, the elements at place (y, x) of their windows.
template <class T>
inline void pack_pixels(const Correlation& c, ptrdiff_t y, ptrdiff_t x, ptrdiff_t j,
                        ptrdiff_t columns, const T* image, ptrdiff_t channels, T* line,
                        ptrdiff_t step) {
  const ptrdiff_t plane = c.height * c.width;
  for (ptrdiff_t done = 0; done < columns;) {
    const ptrdiff_t row = (j + done) / c.out_width, first = (j + done) % c.out_width;
    ptrdiff_t count = c.out_width - first;
    if (count > columns - done) count = columns - done;
    const ptrdiff_t at = row * c.stride[0] - c.padding[0] + y;
    const ptrdiff_t from = first * c.stride[1] - c.padding[1] + x;
    // Elements [low, high) are of the image, the others are zeros around it.
    ptrdiff_t low = 0, high = count;
    if (at < 0 || at >= c.height) high = 0;
    while (low < high && from + low * c.stride[1] < 0) low++;
    while (high > low && from + (high - 1) * c.stride[1] >= c.width) high--;
    const T* source = image + at * c.width + from;
    T* to = line + done;
    for (ptrdiff_t k = 0; k < channels; k++, source += plane, to += step) {
      if (high - low == COLUMNS<T> && c.stride[1] == 1) {
        constexpr ptrdiff_t size = Vec<T>::size;
        Vec<T>::load(source).store(to);
        Vec<T>::load(source + size).store(to + size);
        continue;
      }
      for (ptrdiff_t i = 0; i < low; i++) to[i] = T(0);
      for (ptrdiff_t i = low; i < high; i++) to[i] = source[i * c.stride[1]];
      for (ptrdiff_t i = high; i < count; i++) to[i] = T(0);
    }
    done += count;
  }
}

// A product of the kernels, as rows, with the windows of the image, as columns, of which a panel at
// a time is copied together.
template <class T>
void correlate(const Correlation& c, ptrdiff_t begin, ptrdiff_t end) {
  const ptrdiff_t window = c.size[0] * c.size[1], most = TERMS / window;
  const ptrdiff_t plane = c.height * c.width;
  const MatrixProduct& p = c.product;
  // Windows of more elements than a panel has lines are divided.
  const ptrdiff_t places = window < TERMS ? window : TERMS, channels = most > 1 ? most : 1;
  alignas(64) T panel[TERMS * COLUMNS<T>] = {};
  for (ptrdiff_t j = begin; j < end; j += COLUMNS<T>) {
    const ptrdiff_t columns = end - j < COLUMNS<T> ? end - j : COLUMNS<T>;
    for (ptrdiff_t k = 0; k < p.terms;) {
      const ptrdiff_t channel = k / window, first = k % window;
      ptrdiff_t number = p.terms / window - channel;
      if (number > channels) number = channels;
      const ptrdiff_t count = window - first < places ? window - first : places;
      const T* const image = reinterpret_cast<const T*>(p.b) + channel * plane;
      for (ptrdiff_t place = first; place < first + count; place++) {
        pack_pixels(c, place / c.size[1] * c.dilation[0], place % c.size[1] * c.dilation[1], j,
                    columns, image, number, panel + (place - first) * COLUMNS<T>,
                    window * COLUMNS<T>);
      }
      const ptrdiff_t terms = number * count;
      multiply_with_panel<T>(p, k, terms, j, columns, panel, COLUMNS<T>);
      k += terms;
    }
  }
}

template <class T>
void matmul(const MatrixProduct& p) {
  if (p.columns == 1 && p.rows % ROWS == 0 && p.terms >= Vec<T>::size && p.a_step == sizeof(T) &&
      p.b_row == sizeof(T)) {
    return multiply_vector<T>(p);
  }
  if constexpr (sizeof(T) >= 4) {
    if (is_narrow<T>(p)) return multiply_narrow<T>(p);
  }
  multiply_panels<T>(p);
}

// Small matrices of complex numbers, an element at a time.
template <class T>
void matmul_complex(const MatrixProduct& p) {
  using C = Complex<T>;
  for (ptrdiff_t i = 0; i < p.rows; i++) {
    C* const out = reinterpret_cast<C*>(p.out + i * p.out_row);
    for (ptrdiff_t j = 0; j < p.columns; j++) out[j] = {0, 0};
    for (ptrdiff_t k = 0; k < p.terms; k++) {
      const C a = load<C>(p.a + i * p.a_row + k * p.a_step);
      for (ptrdiff_t j = 0; j < p.columns; j++) {
        const C b = load<C>(p.b + k * p.b_row + j * p.b_column);
        out[j] = out[j] + a * b;
      }
    }
  }
}

// The sum of a[i] * b[i]. Four running sums of vectors, joined in a fixed order.
// Memory is prefetched ahead of long runs (see AHEAD in reductions.hpp).
template <bool ask_ahead, class T>
inline T dot_run(ptrdiff_t n, const T* a, const T* b) {
  constexpr ptrdiff_t size = Vec<T>::size, ahead = 4096 / sizeof(T);
  Vec<T> sums[4];
  for (auto& sum : sums) sum = T(0);
  ptrdiff_t i = 0;
  for (; i + 4 * size <= n; i += 4 * size) {
    if (ask_ahead) {
      for (ptrdiff_t byte = 0; byte < ptrdiff_t(4 * sizeof(Vec<T>)); byte += 64) {
        __builtin_prefetch(reinterpret_cast<const char*>(a + i + ahead) + byte);
        __builtin_prefetch(reinterpret_cast<const char*>(b + i + ahead) + byte);
      }
    }
    for (int k = 0; k < 4; k++) {
      const ptrdiff_t at = i + k * size;
      sums[k] = multiply_add(Vec<T>::load(a + at), Vec<T>::load(b + at), sums[k]);
    }
  }
  for (; i + size <= n; i += size) {
    sums[0] = multiply_add(Vec<T>::load(a + i), Vec<T>::load(b + i), sums[0]);
  }
  if (i < n) {
    sums[1] =
        multiply_add(Vec<T>::load_first(a + i, n - i), Vec<T>::load_first(b + i, n - i), sums[1]);
  }
  T lanes[size];
  ((sums[0] + sums[1]) + (sums[2] + sums[3])).store(lanes);
  for (ptrdiff_t width = size / 2; width > 0; width /= 2) {
    for (ptrdiff_t j = 0; j < width; j++) {
      lanes[j] = T(Sum<T>(lanes[j]) + Sum<T>(lanes[j + width]));
    }
  }
  return lanes[0];
}

// The sum of conj(a[i]) * b[i], of which each component is two sums of products.
template <bool, class T>
inline Complex<T> dot_run(ptrdiff_t n, const Complex<T>* a, const Complex<T>* b) {
  using V = VecComplex<T>;
  constexpr ptrdiff_t size = V::size;
  if (n < size) {  // vectors would be mostly zeros
    T few[4] = {};
    for (ptrdiff_t i = 0; i < n; i++) {
      few[0] += a[i].real * b[i].real;
      few[1] += a[i].imag * b[i].imag;
      few[2] += a[i].real * b[i].imag;
      few[3] += a[i].imag * b[i].real;
    }
    return {few[0] + few[1], few[2] - few[3]};
  }
  Vec<T> sums[2][4];
  for (auto& four : sums) {
    for (auto& sum : four) sum = T(0);
  }
  const auto add = [](Vec<T>(&to)[4], V x, V y) {
    to[0] = multiply_add(x.real, y.real, to[0]);
    to[1] = multiply_add(x.imag, y.imag, to[1]);
    to[2] = multiply_add(x.real, y.imag, to[2]);
    to[3] = multiply_add(x.imag, y.real, to[3]);
  };
  ptrdiff_t i = 0;
  for (; i + 2 * size <= n; i += 2 * size) {
    add(sums[0], V::load(a + i), V::load(b + i));
    add(sums[1], V::load(a + i + size), V::load(b + i + size));
  }
  for (; i < n; i += size) {
    const ptrdiff_t count = n - i < size ? n - i : size;
    add(sums[0], V::load_first(a + i, count), V::load_first(b + i, count));
  }
  for (int k = 0; k < 4; k++) sums[0][k] = sums[0][k] + sums[1][k];
  Vec<T> both = halve(sums[0][0] + sums[0][1], sums[0][2] - sums[0][3]);
  for (ptrdiff_t parts = size / 2; parts > 1; parts /= 2) both = halve(both, both);
  return {both.get(0), both.get(1)};
}

constexpr ptrdiff_t LONG_RUN = 32768;  // bytes: two of them are more than the first-level cache has

template <class T>
void dot(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(T);
  T total = {};
  if (steps[1] == size && steps[2] == size) {
    const T *const a = reinterpret_cast<const T*>(data[1]), *const b =
                                                                reinterpret_cast<const T*>(data[2]);
    total = n * size < LONG_RUN ? dot_run<false>(n, a, b) : dot_run<true>(n, a, b);
  } else {
    constexpr ptrdiff_t block = PACKED_BYTES / size;
    alignas(64) T a[block], b[block];
    for (ptrdiff_t start = 0; start < n; start += block) {
      const ptrdiff_t length = n - start < block ? n - start : block;
      pack<size>(length, reinterpret_cast<char*>(a), data[1] + start * steps[1], steps[1]);
      pack<size>(length, reinterpret_cast<char*>(b), data[2] + start * steps[2], steps[2]);
      total = T(Sum<T>(total) + Sum<T>(dot_run<false>(length, a, b)));
    }
  }
  store<T>(data[0], total);
}

}  // namespace

void fill_products(Kernels& kernels) {
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    kernels.dot[dtype_of<T>] = dot<T>;
    kernels.matmul[dtype_of<T>] = matmul<T>;
  };
  for_each(Floats{}, [&](auto zero) {
    fill(zero);
    kernels.correlate[dtype_of<decltype(zero)>] = correlate<decltype(zero)>;
    using C = Complex<decltype(zero)>;
    kernels.dot[dtype_of<C>] = dot<C>;
    kernels.matmul[dtype_of<C>] = matmul_complex<decltype(zero)>;
  });
  for_each(Unsigned{}, [&](auto zero) {
    using S = std::make_signed_t<decltype(zero)>;
    fill(zero);
    // Two's complement: the same bits.
    kernels.dot[dtype_of<S>] = kernels.dot[dtype_of<decltype(zero)>];
    kernels.matmul[dtype_of<S>] = kernels.matmul[dtype_of<decltype(zero)>];
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
