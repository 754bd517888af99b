// What the machine can do at best: the limits that benchmarks hold large operations against.
#pragma once

#include <cstddef>

namespace corepy {

enum class Movement {
  read,  // one array read
  fill,  // one array written
  copy,  // one read, one written
  add,   // two read, one written
};

// A loop over arrays of `elements` float64 that does little else than move them.
class MemoryLoop {
 public:
  // A share of the arrays, in whole cache lines.
  struct Share {
    double* out;
    const double* x1;
    const double* x2;
    ptrdiff_t size;
  };
  using Pass = double (*)(Share);

  MemoryLoop(Movement movement, ptrdiff_t elements);
  ~MemoryLoop();
  MemoryLoop(const MemoryLoop&) = delete;
  MemoryLoop& operator=(const MemoryLoop&) = delete;

  // The seconds of so many passes, with stores by way of the caches or past them, whichever is
  // faster. Negative when there is no memory for the arrays, or not so many threads to be had.
  double seconds(int threads, int passes) const;

 private:
  ptrdiff_t lines_;
  Pass passes_[2] = {};  // storing by way of the caches, and past them
  double* blocks_[3] = {};
  bool ready_ = false;
};

// Measures, for a quarter of a second, how many multiplications with an addition that many threads
// do per second. False when there are not so many threads to be had.
bool measure_arithmetic(int threads, double* float64, double* float32);

}  // namespace corepy
