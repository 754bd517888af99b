// Selection: the elements of given ranks, without sorting the others.
#pragma once

#include <cstddef>

#include "sort.hpp"

namespace corepy {

// Two ranks of a line of n elements that are equal or next to each other:
// 0 <= first <= last <= first + 1 < n + 1.
struct RankPair {
  ptrdiff_t first, last;
};

// Writes the elements of each pair of ranks, as `sort_lines` would order a line, to `out`: for each
// of `lines` contiguous lines of n >= 1 elements 2 * count elements. Those of a line with a NaN are
// all NaN. Which of equal elements, zeros of both signs, are written is not defined. Returns false
// if there is no memory.
bool select_ranks(Dtype dtype, line_sorter sorter, ptrdiff_t lines, ptrdiff_t n, const char* in,
                  ptrdiff_t count, const RankPair* pairs, char* out);

}  // namespace corepy
