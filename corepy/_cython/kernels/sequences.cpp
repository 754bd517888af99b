#include "sequences.hpp"

#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

constexpr ptrdiff_t CHUNK = ptrdiff_t(128) << 10;  // bytes of a chunk

}  // namespace

bool write_progression(Dtype dtype, Precision precision, const Progression& terms, ptrdiff_t n,
                       char* out) {
  const progression loop = kernels().progressions[precision == Precision::wide][dtype];
  if (!loop) return false;
  const ptrdiff_t itemsize = dtype_itemsize[dtype];
  const auto stream = n * itemsize >= STREAM_FROM ? kernels().stream : nullptr;
  parallel_ranges(n, CHUNK / itemsize, [&](ptrdiff_t begin, ptrdiff_t end) {
    if (!stream) return loop(begin, end, terms, out + begin * itemsize);
    alignas(64) char block[STREAM_BLOCK];
    const ptrdiff_t step = STREAM_BLOCK / itemsize;
    for (ptrdiff_t i = begin; i < end; i += step) {
      const ptrdiff_t next = end - i < step ? end : i + step;
      loop(i, next, terms, block);
      stream(out + i * itemsize, block, size_t((next - i) * itemsize));
    }
    kernels().finish_streams();
  });
  return true;
}

}  // namespace corepy
