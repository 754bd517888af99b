// Arithmetic progressions: what arange and linspace are made of. Kernels of GPUs have them as
// arguments, and their compilers no headers, so nothing is included.
#pragma once

namespace corepy {

// Element i is first + i * step. Complex numbers have two components, each with a progression of
// its own; integers wrap around.
struct Progression {
  double first[2], step[2];
  unsigned long long whole_first, whole_step;
};

// A progression of which the first `given` elements are those of `starts`, and the last one, if it
// `ends`, is `last`.
struct Sequence {
  Progression terms;
  int given;
  bool ends;
  alignas(16) char starts[32];
  alignas(16) char last[16];
};

}  // namespace corepy
