// What kernels are given: records that the launching code (launch.hpp) fills in and kernels read.
#pragma once

namespace corepy {

// One input. A Python scalar has no address: it is in `scalar`, in the input's dtype.
struct Input {
  const char* data;
  alignas(16) char scalar[16];
};

// Elements in runs, or one for all: `n` of them.
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

// An axis of a walk over elements: its strides in each operand, in bytes.
template <int OPERANDS>
struct WalkAxis {
  long long size;
  Divisor divisor;  // where all numbers that are divided are below 2^31
  long long strides[OPERANDS];
};

// A walk over n elements: axes from the outermost, which there always is, to the innermost.
template <int NDIM, int OPERANDS>
struct Walk {
  long long n;
  int ndim;
  WalkAxis<OPERANDS> axes[NDIM];
};

// Whether kernels have no loop over the axes of a record, which is short.
template <int NDIM>
constexpr bool has_all_axes = NDIM <= 4;

// Elements of any layout: axes from the outermost to the innermost; operand 0 is the output, and
// sizes are in groups for the two innermost axes. A thread takes an item: `pack_of_box` elements of
// the innermost axis, which follow each other where they are read and written together; else they
// are as far from each other as there are lanes, 2^lanes, so that what neighbouring threads ask for
// at a time lies together. Where an input lies along another axis, that is the one before the
// innermost, and blocks take tiles: 2^rows of its elements, which use the whole of what is read of
// the input's lines of memory. Short records have NDIM axes, the outermost ones of one element if
// need be.
template <int NDIM>
struct BoxArguments {
  long long items;
  char* out;
  Input inputs[3];
  int ndim, lanes, rows;
  long long length;  // of the innermost axis
  long long height;  // of the axis before it
  WalkAxis<4> axes[NDIM];
};

// ---- how many elements a thread takes, which the launching code has to know

constexpr int THREADS_OF_ELEMENTWISE = 256;

// Elements of the widest operand in 16 bytes.
constexpr int pack_of_run(int widest, bool vector) { return vector ? 16 / widest : 1; }
// Packs that a thread loads before it computes, so that enough of them are on their way.
constexpr int packs_of_run(int widest, bool vector) {
  return vector ? 2 : widest >= 4 ? 4 : 16 / widest;
}
constexpr int turn_of_run(int widest, bool vector) {
  return THREADS_OF_ELEMENTWISE * pack_of_run(widest, vector) * packs_of_run(widest, vector);
}
constexpr int pack_of_box(int widest, bool vector) { return vector ? 16 / widest : 4; }

}  // namespace corepy
