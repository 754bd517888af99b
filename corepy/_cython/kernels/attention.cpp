// Attention without an array of all scores: those of some queries of one head at a time, which stay
// in the second-level cache.
#include <algorithm>
#include <atomic>

#include "memory.hpp"
#include "products.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Bytes of the scores of a block of queries, and its rows: a panel of keys is packed for each
// block.
constexpr ptrdiff_t SCORES = ptrdiff_t(1) << 18, LEAST_ROWS = 4, MOST_ROWS = 128;

// Multiplications from which on blocks are shared with other threads immediately.
constexpr ptrdiff_t WORTH_SHARING = ptrdiff_t(1) << 19;

// Pairs in a chunk of rotations.
constexpr ptrdiff_t PAIRS = ptrdiff_t(1) << 14;

// Loops for rows of one dtype.
struct RowLoops {
  Dtype dtype;
  ptrdiff_t size;

  // row = row op other, whose elements are `step` bytes apart.
  void binary(Operation operation, ptrdiff_t n, char* row, const char* other,
              ptrdiff_t step) const {
    char* const data[] = {row, row, const_cast<char*>(other)};
    const ptrdiff_t steps[] = {size, size, step};
    entry(operation, dtype).loop(n, data, steps);
  }
};

// The results of queries [begin, end) of one head. `scratch` has their scores, and scaled queries.
template <class T>
void attend_block(Dtype dtype, const Attention& p, const char* const* arrays, ptrdiff_t begin,
                  ptrdiff_t end, char* scratch, char* out) {
  constexpr ptrdiff_t size = sizeof(T);
  const RowLoops loops = {dtype, size};
  const ptrdiff_t rows = end - begin, keys = p.causal ? std::min(p.keys, end) : p.keys;
  const ptrdiff_t row_bytes = keys * size, width_bytes = p.width * size;
  char* const scores = scratch;
  char* const queries = scratch + rows * row_bytes;
  const T scale = T(p.scale);
  // As one row if they follow each other.
  const ptrdiff_t together = p.query_row == width_bytes ? rows : 1;
  for (ptrdiff_t r = 0; r < rows; r += together) {
    char* const data[] = {queries + r * width_bytes,
                          const_cast<char*>(arrays[QUERY] + (begin + r) * p.query_row),
                          reinterpret_cast<char*>(const_cast<T*>(&scale))};
    const ptrdiff_t steps[] = {size, size, 0};
    entry(OP_multiply, dtype).loop(together * p.width, data, steps);
  }
  if (arrays[COLUMNS]) {
    multiply_matrix(dtype, {rows, p.width, keys, queries, width_bytes, size, arrays[COLUMNS],
                            p.keys * size, size, scores, row_bytes});
  }
  T inverses[MOST_ROWS];
  for (ptrdiff_t r = 0; r < rows; r++) {
    char* const row = scores + r * row_bytes;
    if (!arrays[COLUMNS]) {
      multiply_matrix(dtype, {keys, p.width, 1, arrays[KEY], p.key_row, size,
                              queries + r * width_bytes, size, size, row, size});
    }
    const ptrdiff_t n = p.causal ? std::min(keys, begin + r + 1) : keys;
    if (arrays[MASK]) {
      loops.binary(OP_add, n, row, arrays[MASK] + (begin + r) * p.mask_row, p.mask_step);
    }
    const double sum = kernels().exponentiate[dtype](n, row);
    inverses[r] = sum == 0 ? T(0) : T(1 / sum);
    std::fill(reinterpret_cast<T*>(row) + n, reinterpret_cast<T*>(row) + keys, T(0));
  }
  const ptrdiff_t out_row = p.values * size;
  multiply_matrix(dtype, {rows, keys, p.values, scores, row_bytes, size, arrays[VALUE], p.value_row,
                          size, out, out_row});
  for (ptrdiff_t r = 0; r < rows; r++) {
    loops.binary(OP_multiply, p.values, out + r * out_row, reinterpret_cast<char*>(&inverses[r]),
                 0);
  }
}

template <class T, bool interleaved>
void rotate_row(ptrdiff_t pairs, const T* x, const T* cos, const T* sin, T* __restrict out) {
  constexpr ptrdiff_t step = interleaved ? 2 : 1;
  const ptrdiff_t second = interleaved ? 1 : pairs;
  for (ptrdiff_t k = 0; k < pairs; k++) {
    const T a = x[k * step], b = x[k * step + second];
    out[k * step] = a * cos[k] - b * sin[k];
    out[k * step + second] = b * cos[k] + a * sin[k];
  }
}

template <class T>
void rotate_some(const Rotation& p, int ndim, const ptrdiff_t* stack,
                 const ptrdiff_t (*steps)[MAX_NDIM], ptrdiff_t begin, ptrdiff_t end) {
  for (ptrdiff_t row = begin; row < end; row++) {
    const T* at[3];
    for (int k = 0; k < 3; k++) {
      at[k] = reinterpret_cast<const T*>(p.arrays[k] + offset_of(row, ndim, stack, steps[k]));
    }
    T* const out = reinterpret_cast<T*>(p.out) + row * 2 * p.pairs;
    (p.interleaved ? rotate_row<T, true> : rotate_row<T, false>)(p.pairs, at[0], at[1], at[2], out);
  }
}

}  // namespace

void rotate_rows(Dtype dtype, const Rotation& p, int ndim, const ptrdiff_t* stack,
                 const ptrdiff_t (*steps)[MAX_NDIM]) {
  parallel_ranges(positions_of(ndim, stack), PAIRS / std::max<ptrdiff_t>(1, p.pairs) + 1,
                  [&](ptrdiff_t begin, ptrdiff_t end) {
                    (dtype == DTYPE_float32
                         ? rotate_some<float>
                         : rotate_some<double>)(p, ndim, stack, steps, begin, end);
                  });
}

bool attend(Dtype dtype, const Attention& p, const char* const* arrays, int ndim,
            const ptrdiff_t* stack, const ptrdiff_t (*steps)[MAX_NDIM], char* out) {
  const ptrdiff_t size = dtype_itemsize[dtype], heads = positions_of(ndim, stack);
  const ptrdiff_t fitting =
      SCORES / std::max<ptrdiff_t>(1, p.keys * size) / LEAST_ROWS * LEAST_ROWS;
  const ptrdiff_t most = std::clamp(fitting, LEAST_ROWS, MOST_ROWS);
  const ptrdiff_t blocks = (p.queries + most - 1) / most;
  const ptrdiff_t even = (p.queries + blocks - 1) / blocks;
  const ptrdiff_t rows = std::min((even + LEAST_ROWS - 1) / LEAST_ROWS * LEAST_ROWS, p.queries);
  const ptrdiff_t bytes = rows * (p.keys + p.width) * size;
  std::atomic<bool> all{true};
  const auto run = [&](ptrdiff_t chunk) {
    const Workspace scratch{size_t(bytes)};
    if (!scratch.data()) return all.store(false, std::memory_order_relaxed);
    const ptrdiff_t head = chunk / blocks, begin = chunk % blocks * rows;
    const ptrdiff_t end = std::min(begin + rows, p.queries);
    const char* at[ATTENTION_OPERANDS];
    for (int k = 0; k < ATTENTION_OPERANDS; k++) {
      at[k] = arrays[k] ? arrays[k] + offset_of(head, ndim, stack, steps[k]) : nullptr;
    }
    char* const to = out + (head * p.queries + begin) * p.values * size;
    (size == 4 ? attend_block<float> : attend_block<double>)(dtype, p, at, begin, end,
                                                             scratch.data(), to);
  };
  const ptrdiff_t work = heads * p.queries * p.keys * (p.width + p.values);
  parallel_for(heads * blocks, run, work >= WORTH_SHARING);
  return all.load();
}

}  // namespace corepy
