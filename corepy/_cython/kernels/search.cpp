#include "search.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t GRAIN = 4096;

// The first element of a sorted array that is NaN.
template <class T>
ptrdiff_t count_numbers_in(ptrdiff_t n, const char* bytes) {
  const T* const sorted = reinterpret_cast<const T*>(bytes);
  return std::partition_point(sorted, sorted + n, [](T a) { return a == a; }) - sorted;
}

ptrdiff_t count_numbers(Dtype dtype, ptrdiff_t n, const char* sorted) {
  if (dtype == DTYPE_float64) return count_numbers_in<double>(n, sorted);
  if (dtype == DTYPE_float32) return count_numbers_in<float>(n, sorted);
  return n;
}

}  // namespace

void search_sorted(Dtype dtype, bool right, ptrdiff_t n, const char* x, ptrdiff_t table_n,
                   const char* table, int64_t* out) {
  const auto loop = kernels().searches.search[dtype][right];
  const ptrdiff_t numbers = count_numbers(dtype, table_n, table), size = dtype_itemsize[dtype];
  parallel_ranges(n, GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, x + begin * size, table_n, numbers, table, out + begin);
  });
}

void find_in_sorted(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t table_n, const char* table,
                    uint8_t* out) {
  const auto loop = kernels().searches.find[dtype];
  const ptrdiff_t numbers = count_numbers(dtype, table_n, table), size = dtype_itemsize[dtype];
  parallel_ranges(n, GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, x + begin * size, numbers, table, out + begin);
  });
}

void find_among_few(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t table_n, const char* table,
                    uint8_t* out) {
  const auto loop = kernels().searches.find_among_few[dtype];
  const ptrdiff_t size = dtype_itemsize[dtype];
  parallel_ranges(n, 4 * GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, x + begin * size, table_n, table, out + begin);
  });
}

void range_of_integers(Dtype dtype, ptrdiff_t n, const char* x, int64_t* least,
                       uint64_t* distance) {
  uint64_t smallest, largest;
  kernels().keys.range[dtype](n, x, &smallest, &largest);
  *distance = largest - smallest;
  // From a key back to a value: signed ones have their sign bit the other way round.
  const bool has_sign = is_signed(dtype);
  const uint64_t sign = has_sign ? uint64_t(1) << (8 * dtype_itemsize[dtype] - 1) : 0;
  *least = int64_t(smallest - sign);
}

void find_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   ptrdiff_t table_n, const char* table, uint8_t* bytes, uint8_t* out) {
  const SearchLoops& loops = kernels().searches;
  const ptrdiff_t size = dtype_itemsize[dtype];
  loops.mark[dtype](table_n, table, least, ptrdiff_t(distance + 1), bytes);
  parallel_ranges(n, 4 * GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    loops.look_up[dtype](end - begin, x + begin * size, least, ptrdiff_t(distance + 1), bytes,
                         out + begin);
  });
}

void mark_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   uint8_t* bytes) {
  kernels().searches.mark[dtype](n, x, least, ptrdiff_t(distance + 1), bytes);
}

void mark_first(Dtype dtype, ptrdiff_t n, const char* sorted, uint8_t* mask) {
  if (n == 0) return;
  const kernel differ = entry(OP_not_equal, dtype).loop;
  const ptrdiff_t size = dtype_itemsize[dtype];
  mask[0] = 1;
  parallel_ranges(n - 1, 8 * GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    char* const data[] = {reinterpret_cast<char*>(mask + 1 + begin),
                          const_cast<char*>(sorted + (begin + 1) * size),
                          const_cast<char*>(sorted + begin * size)};
    const ptrdiff_t steps[] = {1, size, size};
    differ(end - begin, data, steps);
  });
}

void invert_order(ptrdiff_t n, const uint8_t* mask, const int64_t* order, int64_t* inverse) {
  int64_t rank = -1;
  for (ptrdiff_t i = 0; i < n; i++) {
    rank += mask[i];
    inverse[order[i]] = rank;
  }
}

}  // namespace corepy
