// Arguments of the kernels of reductions and scans.
#pragma once

#include "arguments.cuh"

namespace corepy {

// Bytes of an accumulator, at most.
constexpr int LARGEST_ACCUMULATOR = 32;
// Results, or tiles of them, that are reduced by several blocks: each has a counter.
constexpr int COUNTERS = 4096;

// Arguments of reductions but for the axes.
struct ReduceShape {
  const char* in;
  char* out;
  char* partials;      // accumulators of chunks, where a result has several
  unsigned* counters;  // of finished chunks; zeros before and after
  long long results;   // of rows; of columns: indices on the axes but the one of the columns
  long long items;     // of a result: packs of elements, or elements of a column
  long long chunk;     // items in a chunk, which one block reduces
  long long chunks;    // of a result
  long long width;     // adjacent columns
  long long column_stride, column_out;
  long long tiles;          // of columns
  long long index_stride;   // from one element of a pack to the next
  double divisor;           // of a mean, and of a variance
  int tail;                 // elements after the last pack
  int outer, ndim;          // axes of results, and all
  int lanes, lines, depth;  // threads along columns, along rows, and along results
  bool wide;                // there are 2^31 results or items, or more
};
// Axes of results come first, those of the elements of a result follow; both from the outermost to
// the innermost. Operands are the input and the output, or the input and the index of an element.
template <int AXES>
struct ReduceArguments : ReduceShape {
  IterationAxis<2> axes[AXES];
};

// Cumulative sums: `n` elements along one axis in each run; the other axes count the runs.
struct ScanShape {
  const char* in;
  char* out;        // the sum of a run's first element
  char* partials;   // accumulators of tiles, groups of tiles and groups of groups; or of chunks
  unsigned* flags;  // zeros before: the next tile, then a flag for each accumulator that is written
  long long runs, n;
  long long tiles;          // of a run that several blocks scan
  long long chunk, chunks;  // of a column
  long long stride, out_stride;
  int ndim;
  bool initial;  // the sum of no elements is written first
  bool wide;     // there are 2^31 runs or more
};
// The axes have one at least, and input and output for operands.
template <int AXES>
struct ScanArguments : ScanShape {
  IterationAxis<2> axes[AXES];
};

}  // namespace corepy
