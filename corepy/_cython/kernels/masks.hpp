// Masks: reading, writing and counting elements where bytes are true (not 0).
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// The index of the loops below for elements of so many bytes.
inline int log2_of(ptrdiff_t itemsize) {
  int result = 0;
  while ((ptrdiff_t(1) << result) < itemsize) result++;
  return result;
}

// The loops of one instruction set, over contiguous operands; `simd/masks.cpp`. Elements are moved
// as bits, by the binary logarithm of their size in bytes (0 to 4). At most `count` elements are
// written or read, so a mask changed by another thread cannot cause an access out of bounds.
struct MaskLoops {
  ptrdiff_t (*count)(ptrdiff_t n, const uint8_t* mask);
  // out[0...] = the elements of `in` where the mask is true.
  void (*compress[5])(ptrdiff_t n, const uint8_t* mask, const char* in, char* out, ptrdiff_t count);
  // The elements of `out` where the mask is true = in[0...].
  void (*expand[5])(ptrdiff_t n, const uint8_t* mask, const char* in, char* out, ptrdiff_t count);
  // The elements of `out` where the mask is true = *value.
  void (*fill[5])(ptrdiff_t n, const uint8_t* mask, const char* value, char* out);
  // out[0...] = first + i for each i at which the mask is true.
  void (*positions)(ptrdiff_t n, const uint8_t* mask, int64_t first, int64_t* out, ptrdiff_t count);
};

// The division of a mask into chunks, with the number of true bytes before each, so that chunks are
// read and written independently by threads.
struct MaskPlan {
  static constexpr int MAX_CHUNKS = 512;
  ptrdiff_t n, chunk, chunks;
  ptrdiff_t before[MAX_CHUNKS + 1];  // before[chunks] is the count of all

  ptrdiff_t count() const { return before[chunks]; }
};

void plan_mask(ptrdiff_t n, const uint8_t* mask, MaskPlan* plan);
void read_masked(const MaskPlan& plan, const uint8_t* mask, ptrdiff_t itemsize, const char* in,
                 char* out);
void write_masked(const MaskPlan& plan, const uint8_t* mask, ptrdiff_t itemsize, const char* in,
                  char* out);
void fill_masked(ptrdiff_t n, const uint8_t* mask, ptrdiff_t itemsize, const char* value,
                 char* out);

// Writes the positions at which a mask of that shape, in C order, is true: the indices along each
// axis into out[axis], in row-major order. `plan` is the mask's.
void find_nonzero(const MaskPlan& plan, const uint8_t* mask, int ndim, const ptrdiff_t* shape,
                  int64_t* const* out);

}  // namespace corepy
