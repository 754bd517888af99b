// Copies of many bytes. Internal to the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace corepy {

// Copies bytes forwards by vector loads and stores.
void copy_forwards(char* out, const char* in, size_t nbytes);

// memmove(). C libraries copy thousands of bytes with `rep movs`, which on AMD's Zen 3 and Zen 4
// takes 16 times as long where output is 1 to 15 bytes after input, modulo the size of a page.
// Blocks of the pool start at equal offsets in their pages, so `y[1:] = x[:-1]` is such a copy.
__attribute__((always_inline)) inline void copy_bytes(char* out, const char* in, size_t nbytes) {
  constexpr size_t WORTH_ASKING = 1024, PAGE = 4096, FEW = 16;
  const size_t distance = size_t(out - in);  // of overlapping output that comes after: < nbytes
  if (nbytes >= WORTH_ASKING && distance % PAGE - 1 < FEW - 1 && distance >= nbytes) {
    copy_forwards(out, in, nbytes);
  } else {
    std::memmove(out, in, nbytes);
  }
}

}  // namespace corepy
