// All that is compiled once per instruction set, and the choice of one at run time.
#pragma once

#include "table.hpp"

// The instruction set that a source is compiled for. Drivers, which the build compiles once, are
// compiled for the lowest.
#ifndef COREPY_TARGET
#if defined(__aarch64__)
#define COREPY_TARGET neon
#else
#define COREPY_TARGET baseline
#endif
#endif

namespace corepy {

// What one instruction set offers.
struct Kernels {
  Entry table[OP_COUNT][DTYPE_COUNT];
  kernel casts[DTYPE_COUNT][DTYPE_COUNT];
};

// Those of the instruction set in use.
const Kernels& kernels();

// The instruction sets that this processor has, from the lowest; nullptr beyond the last.
const char* simd_level(int index);

// The instruction set in use: the highest, until another is asked for.
const char* simd_in_use();

// Uses the instruction set of that name; false when this processor does not have it. Not while
// kernels run.
bool use_simd(const char* name);

}  // namespace corepy
