#include "bytes.hpp"

namespace corepy {

void copy_forwards(char* out, const char* in, size_t nbytes) {
  struct Line {
    uint64_t words[8];
  } lines[2];
  for (; nbytes >= sizeof(lines); nbytes -= sizeof(lines)) {
    std::memcpy(lines, in, sizeof(lines));
    std::memcpy(out, lines, sizeof(lines));
    in += sizeof(lines);
    out += sizeof(lines);
  }
  std::memcpy(out, in, nbytes);
}

}  // namespace corepy
