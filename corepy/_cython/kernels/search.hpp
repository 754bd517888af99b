// Searching: insertion indices in sorted arrays, membership, and distinct elements of sorted
// arrays.
#pragma once

#include <cstddef>
#include <cstdint>

#include "operations.hpp"

namespace corepy {

// The loops of one instruction set, by dtype, over contiguous elements; `simd/search.cpp`.
struct SearchLoops {
  // out[i] = the number of elements of the sorted table before x[i] ([0], side left), or not after
  // it ([1], side right). NaN is after all numbers; `numbers` is the number of elements of the
  // table that are not NaN.
  void (*search[DTYPE_COUNT][2])(ptrdiff_t n, const char* x, ptrdiff_t table_n, ptrdiff_t numbers,
                                 const char* table, int64_t* out);
  // out[i] = whether x[i] is in the sorted table. NaN is in none.
  void (*find[DTYPE_COUNT])(ptrdiff_t n, const char* x, ptrdiff_t numbers, const char* table,
                            uint8_t* out);
  // The same for a table of few elements, also complex ones, in any order.
  void (*find_among_few[DTYPE_COUNT])(ptrdiff_t n, const char* x, ptrdiff_t table_n,
                                      const char* table, uint8_t* out);
  // The same for integers and a table of bytes: table[x[i] - least] of `table_n`.
  void (*look_up[DTYPE_COUNT])(ptrdiff_t n, const char* x, int64_t least, ptrdiff_t table_n,
                               const uint8_t* table, uint8_t* out);
  // The same for equal bins of floating-point numbers, at most MOST_BINS, with ascending edges:
  // out[i] is the bin of x[i], the last of which includes its upper edge, or -1.
  static constexpr ptrdiff_t MOST_BINS = 1 << 24;
  void (*place[DTYPE_COUNT])(ptrdiff_t n, const char* x, ptrdiff_t bins, const char* edges,
                             int64_t* out);
  // Sets table[x[i] - least] of `table_n` to 1. Another thread may have changed x since its range
  // was computed: elements out of range are skipped.
  void (*mark[DTYPE_COUNT])(ptrdiff_t n, const char* x, int64_t least, ptrdiff_t table_n,
                            uint8_t* table);
};

void search_sorted(Dtype dtype, bool right, ptrdiff_t n, const char* x, ptrdiff_t table_n,
                   const char* table, int64_t* out);

// Whether each of n elements is in a sorted table.
void find_in_sorted(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t table_n, const char* table,
                    uint8_t* out);
// Whether each is in a table of few elements, in any order.
void find_among_few(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t table_n, const char* table,
                    uint8_t* out);
constexpr ptrdiff_t FEW = 16;

// The smallest element of n >= 1 integers, as bits of an int64, and the distance to the largest.
void range_of_integers(Dtype dtype, ptrdiff_t n, const char* x, int64_t* least, uint64_t* distance);
// Whether each is in a table of integers from `least` to least + distance; `bytes` has distance + 1
// bytes, all 0.
void find_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   ptrdiff_t table_n, const char* table, uint8_t* bytes, uint8_t* out);
// Sets bytes[value - least] to 1 for n integers from `least` to least + distance.
void mark_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   uint8_t* bytes);

// Enumerates the distinct ones of n complex numbers in order of first occurrence, and returns their
// count. NaN is distinct from all. first[k] is the index of the first occurrence of distinct number
// k, counts[k] its frequency, numbers[i] the k of element i; each array has n elements. `slots` has
// 2^bits words, all 0, with bits >= 1 and 2^bits > n; it is an argument of find_distinct.
ptrdiff_t number_distinct(Dtype dtype, ptrdiff_t n, const char* x, int bits, int64_t* slots,
                          int64_t* first, int64_t* counts, int64_t* numbers);
// Whether each of n complex numbers is in `table`, from which number_distinct filled `slots`.
void find_distinct(Dtype dtype, ptrdiff_t n, const char* x, const char* table, int bits,
                   const int64_t* slots, uint8_t* out);
// Completes the sort of n indices of complex numbers, in NumPy's order. On entry they are in the
// order of the real components, numbers with a NaN last. On return equal real components are in the
// order of the imaginary ones; after all numbers come those with a NaN in the imaginary component
// alone, then those with one in the real component.
void sort_by_imaginary(Dtype dtype, ptrdiff_t n, const char* x, int64_t* order);

// mask[i] = whether element i of a sorted array differs from the one before it.
void mark_first(Dtype dtype, ptrdiff_t n, const char* sorted, uint8_t* mask);

// inverse[order[i]] = the number of true bytes in mask[0..i] (nullptr: all are), less one.
void invert_order(ptrdiff_t n, const uint8_t* mask, const int64_t* order, int64_t* inverse);

}  // namespace corepy
