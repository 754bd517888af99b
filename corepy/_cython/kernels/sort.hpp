// Sorting lines of elements, and finding the indices that sort them.
//
// A line is sorted by a library function: `sorter` sorts n contiguous elements in place (NumPy's
// functions for its dtypes do, with the processor's best instructions), NaN after all numbers. Its
// argument is always memory that no other thread can access: a sort of elements that change may
// access memory outside of its array. The code here makes the result stable, divides lines for
// threads, and reduces argsort to a sort of integers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "operations.hpp"

namespace corepy {

typedef int (*line_sorter)(void* start, ptrdiff_t n, void* array);

// The sorter for a real dtype without a library function; nullptr for other dtypes.
line_sorter fallback_sorter(Dtype dtype);

// Sorts `samples` elements of a line of n: one of each stretch, at a pseudorandom index,
// independent of patterns in the data.
void sorted_sample(line_sorter sorter, ptrdiff_t size, ptrdiff_t n, const char* in,
                   ptrdiff_t samples, char* out);

// The loops of one instruction set, by dtype; `simd/keys.cpp`. A key is an element as an unsigned
// integer in the same order: zeros of both signs are one key, NaN the largest.
struct KeyLoops {
  static constexpr int HAS_NAN = 1, HAS_NEGATIVE_ZERO = 2;

  // Which of the above occur in n contiguous elements, as a sum.
  int (*survey[DTYPE_COUNT])(ptrdiff_t n, const char* x);
  // The smallest and the largest key of n contiguous elements, n >= 1.
  void (*range[DTYPE_COUNT])(ptrdiff_t n, const char* x, uint64_t* smallest, uint64_t* largest);
  // out[i] = ((key i ^ flip) - base) >> shift << index_bits | first + i.
  void (*pack[DTYPE_COUNT])(ptrdiff_t n, const char* x, uint64_t flip, uint64_t base, int shift,
                            int index_bits, uint64_t first, uint64_t* out);
};

// Sorts each of `lines` contiguous lines of n elements from `in` to `out`, which do not overlap.
// Equal elements keep their order. NaN is the largest.
void sort_lines(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t lines, ptrdiff_t n,
                const char* in, char* out);

// Sorts along the second axis of contiguous arrays of outer * n * inner elements that do not
// overlap, n >= 1, a tile of some lines at a time. False, and nothing done, if a tile of a cache
// line's width would be too large.
bool sort_across(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t outer, ptrdiff_t n,
                 ptrdiff_t inner, const char* in, char* out);

// Writes the indices that sort each line to `out`; equal elements keep their order. `sorter` is
// that of uint64; `scratch` has lines * n words. n must be at most 2^32.
void argsort_lines(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t lines, ptrdiff_t n,
                   const char* in, int64_t* out, uint64_t* scratch);

}  // namespace corepy
