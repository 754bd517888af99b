// What the machine can do at best: the limits that benchmarks hold large operations against.
#pragma once

#include <cstddef>

namespace corepy {

struct Limits {
  // Bytes per second, what is read and what is written counted alike.
  double read;  // one array read
  double fill;  // one array written
  double copy;  // one read, one written
  double add;   // two read, one written
  // Multiplications with an addition, per second.
  double multiply_add_float64;
  double multiply_add_float32;
};

// Measures for about a second with that many threads, on arrays of `elements` float64 each. False
// when there is no memory for three of them, or there are not so many threads to be had.
bool measure_limits(int threads, ptrdiff_t elements, Limits* limits);

}  // namespace corepy
