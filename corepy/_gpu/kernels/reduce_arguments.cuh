// Arguments of the kernels of reductions and scans.
#pragma once

#include "arguments.cuh"

namespace corepy {

// Bytes of the largest accumulator.
constexpr int LARGEST_ACCUMULATOR = 32;
// The most results, or tiles of results, that several blocks reduce: each has a counter.
constexpr int COUNTERS = 4096;

// Arguments of reductions except the axes.
struct ReduceShape {
  const char* in;
  char* out;
  char* partials;      // accumulators of chunks, if results have several
  unsigned* counters;  // of finished chunks; 0 before and after a launch
  long long results;   // number of rows; for columns, of indices of the other kept axes
  long long items;     // of a result: packs of elements, or elements of a column
  long long chunk;     // items of a chunk, which one block reduces
  long long chunks;    // of a result
  long long width;     // adjacent columns
  long long column_stride, column_out;
  long long tiles;          // of columns
  long long index_stride;   // between indices of elements of a pack
  double divisor;           // of a mean, and of a variance
  int tail;                 // elements after the last pack
  int outer, ndim;          // axes of results, and all
  int lanes, lines, depth;  // threads along columns, along rows, and along results
  bool wide;                // 2^31 results or items, or more
};
// Axes of results, then of the elements of a result, both from the outermost to the innermost. The
// operands are the input and, for results, the output, for elements, their index.
template <int AXES>
struct ReduceArguments : ReduceShape {
  IterationAxis<2> axes[AXES];
};

// Numbers of a slot in `flags`: the state of an accumulator in `partials`, or both in one word if
// it has at most 8 bytes. The first slot has the next tile.
constexpr int SCAN_SLOT = 4;

// Cumulative sums: `n` elements along one axis in each run; the other axes count the runs.
struct ScanShape {
  const char* in;
  char* out;        // the sum of a run's first element
  char* partials;   // accumulators of tiles, groups of tiles and groups of groups; or of chunks
  unsigned* flags;  // the next tile, then the slots of accumulators; 0 before a launch
  long long runs, n;
  long long tiles;          // of a run that several blocks scan
  long long chunk, chunks;  // of a column
  long long stride, out_stride;
  int ndim;
  bool initial;  // the sum of no elements is written first
  bool wide;     // 2^31 runs or more
};
// There is at least one axis. Operands: input, output.
template <int AXES>
struct ScanArguments : ScanShape {
  IterationAxis<2> axes[AXES];
};

}  // namespace corepy
