// Plans of Fourier transforms: the passes, their roots of unity, and the cache. Internal to the
// drivers.
#pragma once

#include <memory>

#include "portable.hpp"
#include "transforms.hpp"

namespace corepy {

// Numbers or pairs of them.
using TransformTable = std::unique_ptr<double, void (*)(void*)>;

// How n complex numbers are transformed.
enum class TransformMethod : int {
  passes,  // over n, which fits a cache
  steps,   // n = n1 n2 as a matrix: its columns, roots of unity times that, its rows
  chirp,   // Bluestein's algorithm, for large prime factors: a convolution by longer transforms
};

struct Transform {
  ptrdiff_t n;  // of real numbers if `real`
  bool real = false;
  TransformMethod method = TransformMethod::passes;
  TransformPasses passes;
  // steps: the transforms of n1 and n2 numbers, both in passes. chirp: of `first->n` numbers. real:
  // of n / 2 complex numbers, or of n if n is odd.
  std::unique_ptr<Transform> first, second;
  // passes: their twiddles and roots. steps: w(n)^(block * i * k) for each block of columns i and
  // row k. chirp: exp(-i pi k^2 / n). real: w(n)^k, in planes.
  TransformTable roots;
  // steps: w(n)^(i k) within a block of columns, a pair of planes. chirp: the transform of `roots`
  // conjugated, over first->n.
  TransformTable others;
  ptrdiff_t block = 0;  // steps: transforms that are computed together
  size_t nbytes = 0;    // of the tables, those of other plans included
  mutable int users = 0;
  mutable size_t last_use = 0;

  Transform() : roots(nullptr, free_aligned), others(nullptr, free_aligned) {}
};

// Transforms n contiguous complex numbers, by a plan that is not real. `in` may be `out`. Large
// transforms are shared by threads, at most `slots` at once. `scratch` has row_memory() bytes.
void transform_row(const Transform& plan, const void* in, bool in_single, void* out,
                   bool out_single, double scale, bool inverse, int slots, char* scratch);
ptrdiff_t row_memory(const Transform& plan, int slots);

}  // namespace corepy
