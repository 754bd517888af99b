#include "search.hpp"

#include <algorithm>
#include <cstring>

#include "kernels.hpp"
#include "keys.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t GRAIN = 4096;

// The index of the first NaN in a sorted array.
template <class T>
ptrdiff_t find_first_nan(ptrdiff_t n, const char* bytes) {
  const T* const sorted = reinterpret_cast<const T*>(bytes);
  return std::partition_point(sorted, sorted + n, [](T a) { return a == a; }) - sorted;
}

ptrdiff_t count_without_nan(Dtype dtype, ptrdiff_t n, const char* sorted) {
  for_dtype(Floats{}, dtype, [&](auto zero) { n = find_first_nan<decltype(zero)>(n, sorted); });
  return n;
}

// ---- complex numbers, by hashing

template <class T>
bool same(Complex<T> a, Complex<T> b) {
  return a.real == b.real && a.imag == b.imag;
}

template <class T>
bool has_nan(Complex<T> a) {
  return a.real != a.real || a.imag != a.imag;
}

// The slot that holds the index plus one of a number in `table`, or the free slot for it.
template <class T>
ptrdiff_t slot_of(Complex<T> a, const Complex<T>* table, int bits, const int64_t* slots) {
  const T parts[] = {a.real + T(0), a.imag + T(0)};  // 0 for -0
  uint64_t words[] = {0, 0};
  std::memcpy(&words[0], &parts[0], sizeof(T));
  std::memcpy(&words[1], &parts[1], sizeof(T));
  uint64_t hash = words[0] * 0x9E3779B97F4A7C15u ^ words[1] * 0xC2B2AE3D27D4EB4Fu;
  hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
  uint64_t at = hash >> (64 - bits);
  while (slots[at] != 0 && !same(table[slots[at] - 1], a)) at = (at + 1) & ((1ull << bits) - 1);
  return ptrdiff_t(at);
}

template <class T>
ptrdiff_t number_distinct_of(ptrdiff_t n, const Complex<T>* x, int bits, int64_t* slots,
                             int64_t* first, int64_t* counts, int64_t* numbers) {
  ptrdiff_t found = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    // NaN is never found, so it is not entered.
    const ptrdiff_t at = has_nan(x[i]) ? -1 : slot_of(x[i], x, bits, slots);
    if (at >= 0 && slots[at] != 0) {
      numbers[i] = numbers[slots[at] - 1];
      counts[numbers[i]]++;
      continue;
    }
    if (at >= 0) slots[at] = i + 1;
    first[found] = i;
    counts[found] = 1;
    numbers[i] = found++;
  }
  return found;
}

template <class T>
bool before(Complex<T> a, Complex<T> b) {
  const auto group = [](Complex<T> c) { return c.real != c.real ? 2 : c.imag != c.imag; };
  if (group(a) != group(b)) return group(a) < group(b);
  if (a.real < b.real || b.real < a.real) return a.real < b.real;
  return a.imag < b.imag || (a.imag == a.imag && b.imag != b.imag);
}

template <class T>
void sort_by_imaginary_of(ptrdiff_t n, const Complex<T>* x, int64_t* order) {
  const auto alike = [](Complex<T> a, Complex<T> b) {
    return a.real == b.real || (has_nan(a) && has_nan(b));
  };
  for (ptrdiff_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && alike(x[order[begin]], x[order[end]]);) end++;
    if (end - begin == 1) continue;
    std::stable_sort(order + begin, order + end,
                     [x](int64_t i, int64_t j) { return before(x[i], x[j]); });
  }
}

// Calls f with the complex numbers at `x`.
template <class F>
void with_complex(Dtype dtype, const char* x, F f) {
  for_dtype(Complexes{}, dtype, [&](auto zero) { f(reinterpret_cast<const decltype(zero)*>(x)); });
}

}  // namespace

ptrdiff_t number_distinct(Dtype dtype, ptrdiff_t n, const char* x, int bits, int64_t* slots,
                          int64_t* first, int64_t* counts, int64_t* numbers) {
  ptrdiff_t found = 0;
  with_complex(dtype, x, [&](auto elements) {
    found = number_distinct_of(n, elements, bits, slots, first, counts, numbers);
  });
  return found;
}

void find_distinct(Dtype dtype, ptrdiff_t n, const char* x, const char* table, int bits,
                   const int64_t* slots, uint8_t* out) {
  with_complex(dtype, x, [&](auto elements) {
    const auto others = reinterpret_cast<decltype(elements)>(table);
    parallel_ranges(n, GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
      for (ptrdiff_t i = begin; i < end; i++) {
        out[i] = slots[slot_of(elements[i], others, bits, slots)] != 0;
      }
    });
  });
}

void sort_by_imaginary(Dtype dtype, ptrdiff_t n, const char* x, int64_t* order) {
  with_complex(dtype, x, [&](auto elements) { sort_by_imaginary_of(n, elements, order); });
}

void search_sorted(Dtype dtype, bool right, ptrdiff_t n, const char* x, ptrdiff_t table_n,
                   const char* table, int64_t* out) {
  const auto loop = kernels().searches.search[dtype][right];
  const ptrdiff_t numbers = count_without_nan(dtype, table_n, table), size = dtype_itemsize[dtype];
  parallel_ranges(n, GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, x + begin * size, table_n, numbers, table, out + begin);
  });
}

void find_in_sorted(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t table_n, const char* table,
                    uint8_t* out) {
  const auto loop = kernels().searches.find[dtype];
  const ptrdiff_t numbers = count_without_nan(dtype, table_n, table), size = dtype_itemsize[dtype];
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
  range_of_keys(dtype, n, x, &smallest, &largest);
  *distance = largest - smallest;
  // From a key back to a value: keys of signed values have the sign bit inverted.
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
    rank += mask ? mask[i] : 1;
    inverse[order[i]] = rank;
  }
}

}  // namespace corepy
