// Arguments of kernels: records that the launching code (launch.hpp) fills in.
#pragma once

namespace corepy {

constexpr int THREADS = 256;  // of a block, in all kernels

// An input. A Python scalar has no address; its value, in the input's dtype, is in `scalar`.
struct Input {
  const char* data;
  alignas(16) char scalar[16];
};

// n elements; each operand is contiguous or one element.
struct RunArguments {
  long long n;
  char* out;
  Input inputs[3];
};

// Division of numbers below 2^31 by one of them: the upper half of a product, a sum and a shift
// (Granlund and Montgomery 1994).
struct Divisor {
  unsigned multiplier, shift;
};

// An axis of an iteration space: its strides in each operand, in bytes.
template <int OPERANDS>
struct IterationAxis {
  long long size;
  Divisor divisor;  // valid where all dividends are below 2^31
  long long strides[OPERANDS];
};

// The axes of n elements, from the outermost to the innermost; there is at least one.
template <int NDIM, int OPERANDS>
struct IterationSpace {
  long long n;
  int ndim;
  IterationAxis<OPERANDS> axes[NDIM];
};

// A record with the axes of its operands.
template <class Shape, int NDIM>
struct WithSpace : Shape {
  IterationSpace<NDIM, Shape::OPERANDS> space;
};

// Whether kernels unroll the loop over all NDIM axes of a record.
template <int NDIM>
constexpr bool has_all_axes = NDIM <= 4;

// Elements of any layout: axes from the outermost to the innermost; operand 0 is the output. A
// thread computes an item: `pack_of_box` elements of the innermost axis. They are consecutive if
// loaded and stored as a vector; otherwise their distance is 2^lanes, so that the accesses of
// neighbouring threads coalesce. If an input is contiguous along another axis, that axis precedes
// the innermost and blocks compute tiles of 2^rows of its elements, to use whole sectors of the
// input. Sizes of the two innermost axes count items and tiles. Records with up to 4 axes are
// padded with outermost axes of size 1.
template <int NDIM>
struct BoxArguments {
  long long items;
  char* out;
  Input inputs[3];
  int ndim, lanes, rows;
  long long length;  // of the innermost axis
  long long height;  // of the axis before it
  IterationAxis<4> axes[NDIM];
};

// ---- groups of deferred operations (fusion.cuh): inputs come first, outputs follow

constexpr int MAX_FUSED_OPERANDS = 32;

// The operand capacity of records.
constexpr int fused_bucket(int operands) {
  return operands <= 4 ? 4 : operands <= 8 ? 8 : operands <= 16 ? 16 : MAX_FUSED_OPERANDS;
}

template <int OPERANDS>
struct FusedArguments {
  long long n;  // number of elements, or of packs in kernels with axes
  Input operands[OPERANDS];
};
template <int NDIM, int OPERANDS>
struct FusedBoxArguments : FusedArguments<OPERANDS> {
  int ndim;
  IterationAxis<OPERANDS> axes[NDIM];
};
// Arguments of a reduction (A) and of the operations that compute its elements (B).
template <class A, class B>
struct FusedReduceArguments : A {
  B elements;
};

// An operation of contiguous rows of n elements.
struct RowwiseArguments {
  const char* in;
  char* out;
  const char* weight;  // a row by which results are multiplied, or null
  const char* bias;    // a row that is added to them, or null
  long long rows;
  int n;
  double eps;  // of a normalisation
};

// A vector times rows of integers, with factors for groups of their columns.
struct QuantizedArguments {
  const char* x;
  const char* q;
  const char* scales;
  const char* minimums;  // or null
  char* out;
  long long rows, columns, group;
};

// ---- elements of a thread and of a block, for kernels and the launching code

// Number of elements of the widest operand in 16 bytes.
constexpr int pack_of_run(int widest, bool vector) { return vector ? 16 / widest : 1; }
// Packs that a thread loads before it computes, to have enough loads in flight.
constexpr int packs_of_run(int widest, bool vector) {
  return vector ? 2 : widest >= 4 ? 4 : 16 / widest;
}
constexpr int tile_of_run(int widest, bool vector) {
  return THREADS * pack_of_run(widest, vector) * packs_of_run(widest, vector);
}
constexpr int pack_of_box(int widest, bool vector) { return vector ? 16 / widest : 4; }
// Elements of a pack of fused operations: code size grows with packs and steps.
constexpr int pack_of_fused(int widest, bool vector, int steps) {
  return !vector ? 1 : steps <= 8 || widest >= 4 ? 16 / widest : 4;
}

// Elements of a row that a thread loads at a time, and how many times it keeps what it loaded: a
// block has 32 KiB of shared memory.
constexpr int ROW_STEP = 8;
constexpr int kept_steps(int itemsize) { return 16 / itemsize; }

}  // namespace corepy
