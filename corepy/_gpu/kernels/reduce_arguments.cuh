// What the kernels of reductions and scans are given.
#pragma once

#include "arguments.cuh"

namespace corepy {

// Accumulators that blocks share are of so many bytes at most.
constexpr int LARGEST_ACCUMULATOR = 32;
// Results, or tiles of them, whose elements several blocks share: each has a counter.
constexpr int COUNTERS = 4096;

// What kernels of reductions are given but for the axes.
struct ReduceShape {
  const char* in;
  char* out;
  char* partials;      // accumulators: where a result has several chunks
  unsigned* counters;  // of chunks that are done; zeros before and after
  long long results;   // of rows; of columns: indices on the axes but the one of the columns
  long long parts;     // of a result: packs of elements, or elements of a column
  long long chunk;     // parts that a block takes at a time
  long long chunks;    // of a result
  long long width;     // columns next to each other
  long long column_stride, column_out;
  long long tiles;          // that the columns make
  long long index_stride;   // from one element of a pack to the next
  double divisor;           // of a mean, and of a variance
  int tail;                 // elements after the last pack
  int outer, ndim;          // axes of results, and all
  int lanes, lines, depth;  // threads along columns, along rows, and along results
  bool wide;                // numbers are not below 2^31
};
// Axes of results come first, those of the elements of a result follow; both from the outermost to
// the innermost. Operands are the input and the output, or the input and the index of an element.
template <int AXES>
struct ReduceArguments : ReduceShape {
  WalkAxis<2> axes[AXES];
};

// Running sums: `n` elements along one axis, of each of the runs that the axes lead to.
struct ScanShape {
  const char* in;
  char* out;        // where the sum of a run's first element goes
  char* partials;   // accumulators: of tiles, groups of them and groups of these; or of chunks
  unsigned* marks;  // zeros before: the next tile, then a mark for each accumulator that is there
  long long runs, n;
  long long tiles;          // of a run that blocks share
  long long chunk, chunks;  // of a column
  long long stride, out_stride;
  int ndim;
  bool initial;  // the sum of no elements goes before the first
  bool wide;     // there are 2^31 runs or more
};
// The axes have one at least, and input and output for operands.
template <int AXES>
struct ScanArguments : ScanShape {
  WalkAxis<2> axes[AXES];
};

}  // namespace corepy
