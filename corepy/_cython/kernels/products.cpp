#include "products.hpp"

#include <algorithm>
#include <atomic>

#include "memory.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Multiplications per chunk: some tens of microseconds.
constexpr ptrdiff_t CHUNK = 1 << 19;

// Multiplications that take as long as the transfer of an element.
constexpr ptrdiff_t TRANSFER = 8;

// Rows that kernels take together; chunks are multiples of them.
constexpr ptrdiff_t ROWS = 4;

// Bytes of the panels of a large matrix that are copied together at a time, rows and panels that
// are multiplied in a chunk, and the fewest chunks for which it has so many rows.
constexpr ptrdiff_t PANEL_BYTES = 1 << 24, PANEL_ROWS = 96, FEWEST_CHUNKS = 16;

// Multiplications of a product of a stack above which its matrices are not chunks.
constexpr ptrdiff_t LARGE = 1 << 23;

// Rows whose distance is a multiple of it compete for the same places in a cache, unless they
// are few. Heights of chunks are multiples of the second number, as many rows as a tile has.
constexpr ptrdiff_t RIVALS = 8192, HEIGHT_STEP = 12;

// Columns that any kernel takes together, or a multiple of them.
constexpr ptrdiff_t PIXELS = 32;

// Bytes of a row that a chunk of a product of few rows reads at least, and such chunks.
constexpr ptrdiff_t LINE_BYTES = 2048, LINE_CHUNKS = 8;

// Bytes of a matrix in a chunk of its product with one or a few vectors.
constexpr ptrdiff_t PIECE = 1 << 18;

// Bytes of rows of float32 that halves are widened to at a time.
constexpr ptrdiff_t WIDENED = 1 << 15;

// The sums of a row with a matrix are divided into about so many parts, of at least so many
// terms, and of so many bytes of each row of the matrix.
constexpr ptrdiff_t ROW_PARTS = 32, FEWEST_TERMS = 64, ROW_BYTES = 16384;

// Elements of a part of a long dot product, and the maximum of parts.
constexpr ptrdiff_t PART = 1 << 14;
constexpr ptrdiff_t MAX_PARTS = 1024;

// The dtype of sums of products.
Dtype sums_of(Dtype dtype) { return is_half(dtype) ? DTYPE_float32 : dtype; }

void dot_one(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t a_step, const char* b,
             ptrdiff_t b_step, char* out) {
  char* const data[] = {out, const_cast<char*>(a), const_cast<char*>(b)};
  const ptrdiff_t steps[] = {0, a_step, b_step};
  kernels().dot[dtype](n, data, steps);
}

// Calls body(chunk) for each chunk of data that are read once. The order of what each thread reads
// is reversed from call to call: a matrix that is larger than the caches, and is multiplied again,
// is partly still there, where the last call ended.
template <class Body>
void parallel_back_and_forth(ptrdiff_t chunks, Body body) {
  static std::atomic<unsigned> calls{0};
  const bool back = calls.fetch_add(1, std::memory_order_relaxed) & 1;
  // The calling thread takes chunks from the front, others from the end (threads.hpp).
  const ptrdiff_t half = chunks - chunks / 2;
  const auto run = [&](ptrdiff_t chunk) {
    body(!back ? chunk : chunk < half ? half - 1 - chunk : half + (chunks - 1 - chunk));
  };
  // The first chunks, which may be in a cache, do not predict the time that the others take.
  parallel_for(chunks, run, true);
}

// A row times a matrix whose rows are contiguous. Each chunk has some of the terms of some columns,
// and their sums are added in order. False if there is no memory.
bool multiply_row(Dtype dtype, const MatrixProduct& first, ptrdiff_t out_column) {
  const ptrdiff_t itemsize = dtype_itemsize[dtype], columns = first.columns;
  const ptrdiff_t width = std::min(columns, ROW_BYTES / itemsize);
  const ptrdiff_t strips = (columns + width - 1) / width;
  const ptrdiff_t least = std::max(FEWEST_TERMS, PIECE / (width * itemsize));
  const ptrdiff_t terms = (std::max(least, first.terms / ROW_PARTS) + 7) / 8 * 8;
  const ptrdiff_t parts = (first.terms + terms - 1) / terms;
  const Workspace sums(size_t(parts * columns * itemsize));
  if (!sums.data()) return false;
  parallel_back_and_forth(parts * strips, [&](ptrdiff_t chunk) {
    const ptrdiff_t part = chunk / strips, start = chunk % strips * width;
    MatrixProduct p = first;
    p.terms = std::min(terms, first.terms - part * terms);
    p.columns = std::min(width, columns - start);
    p.a += part * terms * p.a_step;
    p.b += part * terms * p.b_row + start * itemsize;
    p.out = sums.data() + (part * columns + start) * itemsize;
    kernels().thin_matmul[dtype](p, itemsize);
  });
  const kernel add = entry(OP_add, dtype).loop, copy = cast_kernel(dtype, dtype);
  const ptrdiff_t steps[] = {itemsize, itemsize, itemsize}, to_out[] = {out_column, itemsize};
  for (ptrdiff_t part = 1; part < parts; part++) {
    char* const data[] = {sums.data(), sums.data(), sums.data() + part * columns * itemsize};
    add(columns, data, steps);
  }
  char* const data[] = {first.out, sums.data()};
  copy(columns, data, to_out);
  return true;
}

}  // namespace

ptrdiff_t offset_of(ptrdiff_t position, int ndim, const ptrdiff_t* shape, const ptrdiff_t* steps) {
  ptrdiff_t offset = 0;
  for (int axis = ndim - 1; axis > 0; axis--) {
    offset += position % shape[axis] * steps[axis];
    position /= shape[axis];
  }
  return ndim > 0 ? offset + position * steps[0] : offset;
}

ptrdiff_t positions_of(int ndim, const ptrdiff_t* shape) {
  ptrdiff_t positions = 1;
  for (int axis = 0; axis < ndim; axis++) positions *= shape[axis];
  return positions;
}

void multiply_matrix(Dtype dtype, const MatrixProduct& p) {
  const ptrdiff_t itemsize = dtype_itemsize[dtype];
  if (p.columns > 1 || is_complex_dtype(dtype)) return kernels().matmul[dtype](p);
  // A matrix times a vector, some rows at a time; or each row's dot product; or, if the columns are
  // contiguous, the vector times the transposed matrix.
  if (p.a_step == itemsize || p.rows == 1) {
    ptrdiff_t i = 0;
    if (p.b_row == itemsize && p.rows >= ROWS) {
      MatrixProduct most = p;
      i = most.rows = p.rows / ROWS * ROWS;
      kernels().matmul[dtype](most);
    }
    for (; i < p.rows; i++) {
      dot_one(dtype, p.terms, p.a + i * p.a_row, p.a_step, p.b, p.b_row, p.out + i * p.out_row);
    }
    return;
  }
  kernels().matmul[dtype]({1, p.terms, p.rows, p.b, 0, p.b_row, p.a, p.a_step, p.a_row, p.out, 0});
}

bool has_tiles(Dtype dtype) { return kernels().tiles[dtype].multiply != nullptr; }

bool multiply_tiles(Dtype dtype, const MatrixProduct& p) {
  const TileLoops& loops = kernels().tiles[dtype];
  const auto divided = [](ptrdiff_t n, ptrdiff_t by) { return (n + by - 1) / by; };
  const ptrdiff_t panels = divided(p.columns, loops.columns), parts = divided(p.terms, loops.terms);
  const ptrdiff_t words = divided(std::min(p.terms, loops.terms), loops.word_terms);
  const ptrdiff_t panel_bytes = words * loops.columns * loops.word;
  const ptrdiff_t group_bytes = words * loops.rows * loops.word;
  const bool packs_rows =
      p.a_step * loops.word_terms != loops.word || (p.a_row % RIVALS == 0 && p.rows > HEIGHT_STEP);
  // Chunks of rows, of all panels or, where there are few rows, of some. A panel that one chunk of
  // rows needs is packed there.
  const ptrdiff_t heights = divided(p.rows, PANEL_ROWS);
  const ptrdiff_t height = (p.rows / heights + HEIGHT_STEP) / HEIGHT_STEP * HEIGHT_STEP;
  const bool shared = heights > 1;
  // The panels, and parts of sums, that are packed at a time.
  const auto fitting = [&](ptrdiff_t bytes, ptrdiff_t most) {
    return shared ? std::clamp(PANEL_BYTES / bytes, ptrdiff_t(1), most) : most;
  };
  const ptrdiff_t depth = fitting(panel_bytes, parts);
  const ptrdiff_t together = fitting(depth * panel_bytes, panels);
  const ptrdiff_t widths = std::min(together, divided(FEWEST_CHUNKS, heights));
  const ptrdiff_t width = divided(together, widths);
  const Workspace packed(shared ? size_t(together * depth * panel_bytes) : 0);
  if (!packed.data()) return false;
  const auto terms_of = [&](ptrdiff_t part) {
    return std::min(loops.terms, p.terms - part * loops.terms);
  };
  // A matrix times its own transpose is symmetric: panels above the diagonal are copied at the end.
  const bool symmetric = p.a == p.b && p.a_row == p.b_column && p.a_step == p.b_row &&
                         p.rows == p.columns && heights > 1;
  const auto pack_panel = [&](ptrdiff_t part, ptrdiff_t panel, char* to) {
    loops.pack_panel(p, part * loops.terms, terms_of(part), panel * loops.columns, to);
  };
  std::atomic<bool> done{true};
  const auto multiply = [&](ptrdiff_t start, ptrdiff_t stop, ptrdiff_t first) {
    const ptrdiff_t some = std::min(together, panels - first);
    parallel_for(shared ? some * (stop - start) : 0, [&](ptrdiff_t chunk) {
      pack_panel(start + chunk / some, first + chunk % some, packed.data() + chunk * panel_bytes);
    });
    parallel_for(heights * widths, [&](ptrdiff_t chunk) {
      const ptrdiff_t begin = chunk % heights * height, end = std::min(p.rows, begin + height);
      const ptrdiff_t left = chunk / heights * width, right = std::min(some, left + width);
      if (begin >= end || left >= right) return;
      const ptrdiff_t groups = packs_rows ? divided(end - begin, loops.rows) : 1;
      const ptrdiff_t rows_bytes = packs_rows ? groups * group_bytes : 0;
      const Workspace own(size_t(rows_bytes + (shared ? 0 : panel_bytes)));
      if (!own.data()) return done.store(false, std::memory_order_relaxed);
      for (ptrdiff_t part = start; part < stop; part++) {
        const ptrdiff_t term = part * loops.terms;
        ProductTile tile;
        tile.terms = terms_of(part), tile.add = part > 0, tile.out_row = p.out_row;
        tile.line = loops.columns * loops.word, tile.ahead = shared ? panel_bytes : 0;
        tile.a_row = packs_rows ? loops.word : p.a_row;
        tile.a_step = packs_rows ? loops.rows * loops.word : loops.word;
        for (ptrdiff_t k = 0; packs_rows && k < groups; k++) {
          loops.pack_rows(p, term, tile.terms, begin + k * loops.rows,
                          own.data() + k * group_bytes);
        }
        for (ptrdiff_t panel = left; panel < right; panel++) {
          const ptrdiff_t column = (first + panel) * loops.columns;
          if (symmetric && column >= end) break;
          tile.columns = std::min(loops.columns, p.columns - column);
          tile.panel = packed.data() + ((part - start) * some + panel) * panel_bytes;
          if (!shared) {
            pack_panel(part, panel, own.data() + rows_bytes);
            tile.panel = own.data() + rows_bytes;
          }
          for (ptrdiff_t k = 0; k < groups; k++) {
            const ptrdiff_t row = begin + k * loops.rows;
            tile.rows = packs_rows ? std::min(loops.rows, end - row) : end - row;
            tile.a =
                packs_rows ? own.data() + k * group_bytes : p.a + row * p.a_row + term * p.a_step;
            tile.out = p.out + row * p.out_row + column * dtype_itemsize[sums_of(dtype)];
            loops.multiply(tile);
          }
        }
      }
    });
  };
  for (ptrdiff_t part = 0; part < parts; part += depth) {
    for (ptrdiff_t panel = 0; panel < panels; panel += together) {
      multiply(part, std::min(parts, part + depth), panel);
    }
  }
  parallel_for(symmetric ? heights : 0, [&](ptrdiff_t chunk) {
    const ptrdiff_t begin = chunk * height, end = std::min(p.rows, begin + height);
    const ptrdiff_t column = divided(end, loops.columns) * loops.columns;
    if (begin >= end || column >= p.columns) return;
    const ptrdiff_t size = dtype_itemsize[sums_of(dtype)];
    const ptrdiff_t shape[] = {end - begin, p.columns - column};
    const ptrdiff_t to[] = {p.out_row, size}, from[] = {size, p.out_row};
    kernels().copy_box(size, 2, shape, p.out + begin * p.out_row + column * size, to,
                       p.out + column * p.out_row + begin * size, from);
  });
  return done.load();
}

bool multiply_stack(Dtype dtype, const MatrixProduct& first, int ndim, const ptrdiff_t* shape,
                    const ptrdiff_t* a_steps, const ptrdiff_t* b_steps) {
  const ptrdiff_t matrices = positions_of(ndim, shape);
  std::atomic<bool> done{true};
  const auto multiply = [&](ptrdiff_t matrix) {
    MatrixProduct p = first;
    p.a += offset_of(matrix, ndim, shape, a_steps);
    p.b += offset_of(matrix, ndim, shape, b_steps);
    p.out += matrix * first.rows * p.out_row;
    if (!multiply_tiles(dtype, p)) done.store(false, std::memory_order_relaxed);
  };
  if (matrices > 1 && first.rows * first.terms * first.columns < LARGE) {
    parallel_for(matrices, multiply);
  } else {
    for (ptrdiff_t matrix = 0; matrix < matrices; matrix++) multiply(matrix);
  }
  return done.load();
}

void multiply_matrices(Dtype dtype, const MatrixProduct& first, int ndim, const ptrdiff_t* shape,
                       const ptrdiff_t* a_steps, const ptrdiff_t* b_steps) {
  const ptrdiff_t matrices = positions_of(ndim, shape);
  const ptrdiff_t work_of_row =
      first.terms * first.columns + TRANSFER * (first.terms + first.columns);
  // Chunks of rows, a whole number per matrix; then of matrices.
  const ptrdiff_t rows = std::min(
      first.rows, std::max(ROWS, CHUNK / std::max(work_of_row, ptrdiff_t(1)) / ROWS * ROWS));
  const ptrdiff_t per_matrix = rows == 0 ? 1 : (first.rows + rows - 1) / rows;
  const ptrdiff_t grain = std::max(
      ptrdiff_t(1), per_matrix > 1 ? 1 : CHUNK / std::max(work_of_row * first.rows, ptrdiff_t(1)));
  parallel_ranges(matrices * per_matrix, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t chunk = begin; chunk < end; chunk++) {
      const ptrdiff_t matrix = chunk / per_matrix, start = chunk % per_matrix * rows;
      MatrixProduct p = first;
      p.rows = std::min(rows, first.rows - start);
      p.a += offset_of(matrix, ndim, shape, a_steps) + start * p.a_row;
      p.b += offset_of(matrix, ndim, shape, b_steps);
      p.out += (matrix * first.rows + start) * p.out_row;
      multiply_matrix(dtype, p);
    }
  });
}

void correlate_images(Dtype dtype, const Correlation& first, ptrdiff_t images, ptrdiff_t groups) {
  const MatrixProduct& p = first.product;
  const ptrdiff_t size = dtype_itemsize[dtype], window = first.size[0] * first.size[1];
  const ptrdiff_t image = p.terms / window * first.height * first.width * size;
  // Columns in a chunk: a whole number of panels.
  const ptrdiff_t least = CHUNK / std::max<ptrdiff_t>(1, p.rows * p.terms);
  const ptrdiff_t columns = (std::min(p.columns, least) / PIXELS + 1) * PIXELS;
  const ptrdiff_t chunks = (p.columns + columns - 1) / columns;
  parallel_for(images * groups * chunks, [&](ptrdiff_t chunk) {
    const ptrdiff_t part = chunk / chunks, begin = chunk % chunks * columns;
    Correlation c = first;
    c.product.a += part % groups * p.rows * p.a_row;
    c.product.b += part * image;
    c.product.out += part * p.rows * p.out_row;
    kernels().correlate[dtype](c, begin, std::min(begin + columns, p.columns));
  });
}

bool multiply_thin(Dtype dtype, const MatrixProduct& first, ptrdiff_t out_column) {
  const ptrdiff_t itemsize = dtype_itemsize[dtype];
  const bool in_lines = first.b_column == itemsize;
  if (first.rows == 1 && in_lines) return multiply_row(dtype, first, out_column);
  // Where rows of b are contiguous, long parts of them.
  const ptrdiff_t line = LINE_BYTES / itemsize;
  const ptrdiff_t columns = in_lines
                                ? line * std::max(ptrdiff_t(1), first.columns / line / LINE_CHUNKS)
                                : std::max(ROWS, PIECE / (first.terms * itemsize) / ROWS * ROWS);
  parallel_back_and_forth((first.columns + columns - 1) / columns, [&](ptrdiff_t chunk) {
    const ptrdiff_t begin = chunk * columns;
    MatrixProduct p = first;
    p.columns = std::min(columns, first.columns - begin);
    p.b += begin * p.b_column;
    p.out += begin * out_column;
    kernels().thin_matmul[dtype](p, out_column);
  });
  return true;
}

bool multiply_halves(Dtype half, const MatrixProduct& p) {
  const ptrdiff_t bytes = 4 * p.terms, steps[] = {4, 2};
  const ptrdiff_t some = std::max(ptrdiff_t(1), WIDENED / bytes / ROWS) * ROWS;
  const ptrdiff_t rows = std::max(some, PIECE / bytes / some * some);
  const kernel widen = cast_kernel(half, DTYPE_float32);
  std::atomic<bool> done{true};
  parallel_back_and_forth((p.rows + rows - 1) / rows, [&](ptrdiff_t chunk) {
    const Workspace wide(size_t(std::min(some, p.rows) * bytes));
    if (!wide.data()) return done.store(false, std::memory_order_relaxed);
    MatrixProduct part = p;
    part.a = wide.data(), part.a_row = bytes, part.a_step = 4;
    const ptrdiff_t end = std::min(p.rows, (chunk + 1) * rows);
    for (ptrdiff_t i = chunk * rows; i < end; i += some) {
      part.rows = std::min(some, end - i);
      part.out = p.out + i * p.out_row;
      for (ptrdiff_t k = 0; k < part.rows; k++) {
        char* const data[] = {wide.data() + k * bytes, const_cast<char*>(p.a) + (i + k) * p.a_row};
        widen(p.terms, data, steps);
      }
      multiply_matrix(DTYPE_float32, part);
    }
  });
  return done.load();
}

void dot_vectors(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t a_step, const char* b,
                 ptrdiff_t b_step, int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                 const ptrdiff_t* b_steps, char* out) {
  const ptrdiff_t vectors = positions_of(ndim, shape), itemsize = dtype_itemsize[dtype];
  if (vectors == 1 && n > 2 * PART) {
    // Partial sums of one long product, whose parts are then summed by a product with ones.
    alignas(64) char sums[MAX_PARTS * 16], ones[8];
    const Dtype component = Dtype(dtype_part[dtype]);
    const ptrdiff_t part = std::max(PART, (n + MAX_PARTS - 1) / MAX_PARTS);
    const ptrdiff_t parts = (n + part - 1) / part;
    parallel_for(parts, [&](ptrdiff_t i) {
      const ptrdiff_t start = i * part;
      dot_one(dtype, std::min(part, n - start), a + start * a_step, a_step, b + start * b_step,
              b_step, sums + i * itemsize);
    });
    const bool yes = true;
    char* const data[] = {ones, reinterpret_cast<char*>(const_cast<bool*>(&yes))};
    const ptrdiff_t steps[] = {0, 0};
    cast_kernel(DTYPE_bool, component)(1, data, steps);
    for (ptrdiff_t at = 0; at < itemsize; at += dtype_itemsize[component]) {
      dot_one(component, parts, sums + at, itemsize, ones, 0, out + at);
    }
    return;
  }
  const ptrdiff_t grain = std::max(ptrdiff_t(1), PART / std::max(n, ptrdiff_t(1)));
  parallel_ranges(vectors, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t i = begin; i < end; i++) {
      dot_one(dtype, n, a + offset_of(i, ndim, shape, a_steps), a_step,
              b + offset_of(i, ndim, shape, b_steps), b_step, out + i * itemsize);
    }
  });
}

bool each_small_matrix(small_matrix_kernel kernel, const SmallMatrix& first, ptrdiff_t out_step,
                       int ndim, const ptrdiff_t* shape, const ptrdiff_t* a_steps,
                       const ptrdiff_t* b_steps) {
  const ptrdiff_t work = std::max(ptrdiff_t(16), first.rows * first.rows * first.rows);
  std::atomic<bool> all{true};
  parallel_ranges(positions_of(ndim, shape), std::max(ptrdiff_t(1), CHUNK / 16 / work),
                  [&](ptrdiff_t begin, ptrdiff_t end) {
                    for (ptrdiff_t i = begin; i < end; i++) {
                      SmallMatrix m = first;
                      m.a += offset_of(i, ndim, shape, a_steps);
                      if (m.b) m.b += offset_of(i, ndim, shape, b_steps);
                      m.out += i * out_step;
                      if (!kernel(m)) all.store(false, std::memory_order_relaxed);
                    }
                  });
  return all.load();
}

}  // namespace corepy
