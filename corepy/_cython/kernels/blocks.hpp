// Moving elements between memory and blocks in cache. Internal to the drivers.
#pragma once

#include <cstddef>

namespace corepy {

// Copies a box of elements of 1, 2, 4, 8 or 16 bytes, of any alignment, from one layout to another.
// The box should fit the first-level cache; where input and output run along different axes it is
// transposed in registers.
void copy_box(ptrdiff_t itemsize, int ndim, const ptrdiff_t* sizes, char* out,
              const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides);

// Whether stream() does more than memcpy on this machine.
bool can_stream();

// Copies bytes past the caches, for output that is too large to stay there: an ordinary store first
// reads the line that it writes to. Whole lines only; what is left at the ends is stored as usual.
void stream(char* out, const char* in, size_t nbytes);

// To be called once after streaming, before other threads are told that the output is there.
void finish_streams();

}  // namespace corepy
