// Arguments of kernels that move elements: masks, indices, copies, products. Those with OPERANDS
// get the axes of these in a WithSpace record.
#pragma once

#include "../../_cython/layout/progression.hpp"
#include "arguments.cuh"

namespace corepy {

// ---- masks

constexpr int MASK_TILE = 4096;    // elements that a block processes at a time
constexpr int MASK_CHUNKS = 4096;  // most chunks of a mask: several waves of blocks

// A contiguous mask in chunks of whole tiles, and the number of true elements of each chunk.
struct MaskArguments {
  long long n, chunk, chunks;
  const char* mask;
  long long* counts;
};

// Elements where the mask is true, and the same elements, or their positions, in `packed`.
struct PackShape {
  static constexpr int OPERANDS = 1;
  MaskArguments mask;
  long long count;
  char* data;
  char* packed;
};

// Operands: data, mask, value.
struct FillShape {
  static constexpr int OPERANDS = 3;
  char* data;
  const char* mask;
  Input value;
};

// ---- indices

constexpr int MAX_INDEX_ARRAYS = 64;

// Operands: out, base, index. `stride` is the base's along the indexed axis. `report` gets 1 and an
// index if that is out of range.
struct GatherShape {
  static constexpr int OPERANDS = 3;
  char* out;
  const char* base;
  const char* index;
  long long size, stride;
  long long* report;
};

// Operands: base, value, offset.
struct ScatterShape {
  static constexpr int OPERANDS = 3;
  char* base;
  Input value;
  const char* offsets;
};

// `count` arrays of n indices each, int64 and contiguous.
struct IndexArguments {
  long long n;
  int count;
  const long long* index[MAX_INDEX_ARRAYS];
  long long sizes[MAX_INDEX_ARRAYS];
  long long strides[MAX_INDEX_ARRAYS];
  long long* offsets;  // in bytes
  // For each row, or slot of a row in `keys`, the last of the n indices that write to it.
  long long* winners;
  unsigned long long* keys;  // a hash table of 2^(64 - shift) slots with linear probing
  int shift;
  long long* flag;
};

// ---- movement

// Axis 0 of a tile is the innermost axis of `out`, axis 1 of `in`. `space` has the other axes.
// Operands: out, in.
struct TransposeShape {
  static constexpr int OPERANDS = 2;
  char* out;
  const char* in;
  long long tiles;
  long long across[2];  // tiles along the axes
  long long sizes[2];
  long long strides[2][2];  // of out and in, along the axes
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

struct ProgressionArguments {
  long long n;
  char* out;
  Sequence plan;
};

// ---- products

// Sums of `terms` products, one for each element of the space; operands: a, b. The terms are split
// into `splits` ranges of `split`; the partial sums of a range are contiguous in `out`, range after
// range.
struct DotShape {
  static constexpr int OPERANDS = 2;
  long long terms, split, splits;
  const char* a;
  const char* b;
  char* out;
  long long a_term, b_term;
};

// Products of matrices: a sum for each row of a and column of b. `space` has the axes of stacks.
struct ProductShape : DotShape {
  long long rows, columns;
  long long row_tiles, column_tiles;
  long long a_row, b_column;
};

}  // namespace corepy
