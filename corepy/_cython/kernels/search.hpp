// Searching: places in sorted arrays, membership, and what is left of a sorted array once equal
// elements are one.
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
  // The same for a table of few elements in any order.
  void (*find_among_few[DTYPE_COUNT])(ptrdiff_t n, const char* x, ptrdiff_t table_n,
                                      const char* table, uint8_t* out);
  // The same for integers and a table of bytes: table[x[i] - least] of `table_n`.
  void (*look_up[DTYPE_COUNT])(ptrdiff_t n, const char* x, int64_t least, ptrdiff_t table_n,
                               const uint8_t* table, uint8_t* out);
  // Sets table[x[i] - least] of `table_n` to 1. The range of x was measured before, and another
  // thread may have changed an element since: one that lies outside is passed over.
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
// Whether each is in a table of integers that lie within `distance` of `least`; `bytes` is room for
// distance + 1 bytes, all 0.
void find_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   ptrdiff_t table_n, const char* table, uint8_t* bytes, uint8_t* out);
// Sets bytes[value - least] of each of n integers that lie within `distance` of `least` to 1.
void mark_in_range(Dtype dtype, ptrdiff_t n, const char* x, int64_t least, uint64_t distance,
                   uint8_t* bytes);

// mask[i] = whether element i of a sorted array differs from the one before it.
void mark_first(Dtype dtype, ptrdiff_t n, const char* sorted, uint8_t* mask);

// inverse[order[i]] = the number of true bytes in mask[0..i], less one.
void invert_order(ptrdiff_t n, const uint8_t* mask, const int64_t* order, int64_t* inverse);

}  // namespace corepy
