// Where elements are: walks over axes of any layout, and the records that they and their kernels
// are given.
#pragma once

#include "arguments.cuh"

namespace corepy {

// ---- masks

constexpr int MASK_TILE = 4096;    // elements that a block takes in one turn
constexpr int MASK_CHUNKS = 1024;  // that a mask is cut into, at most

// A mask, contiguous, in chunks of a whole number of turns; counts of what is true, by chunk.
struct MaskArguments {
  long long n, chunk, chunks;
  const char* mask;
  long long* counts;
};

// Elements where the mask is true, or their positions, and the same side by side (`packed`).
template <int NDIM>
struct PackArguments {
  MaskArguments mask;
  long long count;
  char* data;
  char* packed;
  Walk<NDIM, 1> walk;
};

// Operands of the walk: data, mask, value.
template <int NDIM>
struct FillArguments {
  char* data;
  const char* mask;
  Input value;
  Walk<NDIM, 3> walk;
};

// ---- indices

constexpr int MOST_INDICES = 64;

// Operands of the walk: out, base, index; an index stands for `stride` bytes of the base.
template <int NDIM>
struct GatherArguments {
  char* out;
  const char* base;
  const char* index;
  long long size, stride;
  long long* flag;
  Walk<NDIM, 3> walk;
};

// Operands of the walk: base, value, offset.
template <int NDIM>
struct ScatterArguments {
  char* base;
  Input value;
  const char* offsets;
  Walk<NDIM, 3> walk;
};

// `count` arrays of n indices each, int64 and contiguous.
struct IndexArguments {
  long long n;
  int count;
  const long long* index[MOST_INDICES];
  long long sizes[MOST_INDICES];
  long long strides[MOST_INDICES];
  long long* offsets;  // in bytes
  // By row, or by the place of the row among `keys`: which of n is the last to be written there.
  long long* winners;
  unsigned long long* keys;  // a table of 2^(64 - shift) places with linear probing
  int shift;
  long long* flag;
};

// ---- movement

// Axis 0 of a tile is the innermost one of `out`, axis 1 that of `in`. The walk is over the other
// axes, its operands are out and in.
template <int NDIM>
struct TransposeArguments {
  char* out;
  const char* in;
  long long tiles;
  long long across[2];  // tiles along the axes
  long long sizes[2];
  long long strides[2][2];  // of out and in, along the axes
  Walk<NDIM, 2> walk;
};

struct TriangleArguments {
  long long n;
  long long rows, columns, diagonal;
  bool upper;
  char* out;
  const char* in;
};

struct SearchArguments {
  long long n;
  const char* wanted;
  const char* table;
  long long table_n;
  long long* out;
};

// Element i is first + i * step, for each of two components, or for integers, which wrap around.
// The first `given` elements are those of `starts`, and the last one, if it `ends`, is `last`.
struct ProgressionArguments {
  long long n;
  char* out;
  double first[2], step[2];
  unsigned long long whole_first, whole_step;
  int given;
  bool ends;
  alignas(16) char starts[32];
  alignas(16) char last[16];
};

// ---- products

// Sums of products along `terms`, steps in bytes: one for each element of the walk, whose operands
// are a and b. The terms are cut into `splits` parts of `split`, whose sums lie behind each other
// in `out`, in C order.
struct DotShape {
  long long terms, split, splits;
  const char* a;
  const char* b;
  char* out;
  long long a_term, b_term;
};
template <int NDIM>
struct DotArguments : DotShape {
  Walk<NDIM, 2> walk;
};

// The same for each pair of a row of a and a column of b: matrices. The walk is over stacks of
// them.
struct ProductShape : DotShape {
  long long rows, columns;
  long long row_tiles, column_tiles;
  long long a_row, b_column;
};
template <int NDIM>
struct ProductArguments : ProductShape {
  Walk<NDIM, 2> walk;
};

}  // namespace corepy
