// Copies of contiguous elements: joined, repeated, triangles of matrices; and of elements of any
// layout that overlap their copies. Other layouts are copied by iterate.hpp's copy().
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// Writes one element of 1, 2, 4, 8 or 16 bytes n times.
void fill(ptrdiff_t n, ptrdiff_t itemsize, const char* element, char* out);

// Concatenates rows: each of `rows` rows of the output is one row of every input; rows of input k
// have nbytes[k] bytes.
void join(ptrdiff_t rows, ptrdiff_t count, const char* const* in, const ptrdiff_t* nbytes,
          char* out);

// Writes each of n elements of `itemsize` bytes (any number) `count` times.
void repeat(ptrdiff_t n, ptrdiff_t itemsize, ptrdiff_t count, const char* in, char* out);

// Numbers of copies, and their sums by chunk, from which threads compute the offsets of chunks.
struct Counts {
  static constexpr int MAX_CHUNKS = 256;
  const int64_t* numbers;
  ptrdiff_t n, chunk_size;  // numbers in all, and in a chunk
  // The offsets of chunks in the output; starts[chunks()] is its size.
  ptrdiff_t starts[MAX_CHUNKS + 1];

  ptrdiff_t chunks() const { return n == 0 ? 0 : (n + chunk_size - 1) / chunk_size; }
  ptrdiff_t total() const { return starts[chunks()]; }
};

// Adds n numbers; false if one is negative or the sum overflows. The offsets never decrease, even
// if other threads write to the numbers.
bool add_counts(ptrdiff_t n, const int64_t* numbers, Counts* counts);

// In each of `rows` rows of counts.n elements, writes element i counts.numbers[i] times. If numbers
// have changed since they were added, part of the output is not written, and nothing outside of it.
void repeat_each(ptrdiff_t rows, ptrdiff_t itemsize, const Counts& counts, const char* in,
                 char* out);

// Fills `total` bytes with copies of the first `period` of them, which are written already.
void repeat_start(char* out, ptrdiff_t period, ptrdiff_t total);

// Copies matrices, with zeros above (or, for `upper`, below) the k-th diagonal.
void triangle(ptrdiff_t matrices, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t itemsize,
              ptrdiff_t k, bool upper, const char* in, char* out);

// Copies elements of 1, 2, 4, 8 or 16 bytes to an array of the same layout, which may overlap them:
// in ascending or descending order of addresses, as memmove() does. Returns false without copying
// if elements of the output may overlap each other.
bool move(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides, char* out,
          const char* in);

}  // namespace corepy
