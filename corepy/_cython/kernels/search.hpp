// Searching: insertion indices in sorted arrays, membership, and distinct elements of sorted
// arrays.
#pragma once

#include <cstddef>
#include <cstdint>

#include "operations.hpp"

namespace corepy {

// The loops of one instruction set, by dtype, over contiguous elements; `simd/search.cpp`.
struct SearchLoops {
  // out[i] = how many elements of the sorted table come before x[i] ([0], side left), or do not
  // come behind it ([1], side right). NaN comes behind all numbers; `numbers` is how many of the
  // table's elements are not NaN.
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
  // Sets table[x[i] - least] of `table_n` to 1. The range of x was measured before, and another
  // thread may have changed an element since: one that is out of range is skipped.
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

// Numbers the distinct ones of n complex numbers in the order in which they are met, NaN being
// distinct from all, and returns how many there are. first[k] is the index of distinct number k,
// counts[k] how often it is there, numbers[i] the number that element i is. All have room for n.
// `slots` has 2^bits words, all 0; bits >= 1 and 2^bits > n. It is what find_distinct takes.
ptrdiff_t number_distinct(Dtype dtype, ptrdiff_t n, const char* x, int bits, int64_t* slots,
                          int64_t* first, int64_t* counts, int64_t* numbers);
// Whether each of n complex numbers is among those of `table` that `slots` was made of.
void find_distinct(Dtype dtype, ptrdiff_t n, const char* x, const char* table, int bits,
                   const int64_t* slots, uint8_t* out);
// Sorts n indices of complex numbers, which are in the order of the real components with what has a
// NaN behind the others, as NumPy does: then by the imaginary ones; behind all numbers those with a
// NaN for the imaginary component alone, then those with one for the real component.
void sort_by_imaginary(Dtype dtype, ptrdiff_t n, const char* x, int64_t* order);

// mask[i] = whether element i of a sorted array differs from the one before it.
void mark_first(Dtype dtype, ptrdiff_t n, const char* sorted, uint8_t* mask);

// inverse[order[i]] = the number of true bytes in mask[0..i] (nullptr: all are), less one.
void invert_order(ptrdiff_t n, const uint8_t* mask, const int64_t* order, int64_t* inverse);

}  // namespace corepy
