#include "convolution.hpp"

#include <algorithm>
#include <cstring>

#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t ACCUMULATOR = 4096;          // bytes
constexpr ptrdiff_t CHUNK = ptrdiff_t(1) << 17;  // bytes of a thread's share
constexpr ptrdiff_t MAX_CHUNKS = 64;

// The n elements at `elements`, of at most ACCUMULATOR bytes, become one, the first.
void fold_here(kernel loop, ptrdiff_t itemsize, ptrdiff_t n, char* elements) {
  while (n > 1) {
    const ptrdiff_t half = n / 2;
    char* const data[] = {elements, elements, elements + (n - half) * itemsize};
    const ptrdiff_t steps[] = {itemsize, itemsize, itemsize};
    loop(half, data, steps);
    n -= half;
  }
}

void fold_chunk(kernel loop, ptrdiff_t itemsize, ptrdiff_t n, const char* in, char* out) {
  alignas(64) char sums[ACCUMULATOR];
  const ptrdiff_t width = std::min(n, ACCUMULATOR / itemsize);
  std::memcpy(sums, in, size_t(width * itemsize));
  for (ptrdiff_t i = width; i < n; i += width) {
    char* const data[] = {sums, sums, const_cast<char*>(in) + i * itemsize};
    const ptrdiff_t steps[] = {itemsize, itemsize, itemsize};
    loop(std::min(width, n - i), data, steps);
  }
  fold_here(loop, itemsize, width, sums);
  std::memcpy(out, sums, size_t(itemsize));
}

}  // namespace

void fold(kernel loop, ptrdiff_t itemsize, ptrdiff_t n, const char* in, char* out) {
  const ptrdiff_t grain = std::max(CHUNK / itemsize, (n + MAX_CHUNKS - 1) / MAX_CHUNKS);
  alignas(64) char results[MAX_CHUNKS * 16];
  parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    fold_chunk(loop, itemsize, end - begin, in + begin * itemsize,
               results + begin / grain * itemsize);
  });
  fold_here(loop, itemsize, (n + grain - 1) / grain, results);
  std::memcpy(out, results, size_t(itemsize));
}

bool has_convolution(Dtype dtype) { return kernels().convolutions.convolve[dtype] != nullptr; }

void convolve(Dtype dtype, ptrdiff_t n, const char* a, ptrdiff_t m, const char* v, ptrdiff_t begin,
              ptrdiff_t end, char* scratch, char* out) {
  const auto loop = kernels().convolutions.convolve[dtype];
  const ptrdiff_t size = dtype_itemsize[dtype], edge = m - 1;
  // Some 2^16 products in a chunk.
  const ptrdiff_t grain = std::max<ptrdiff_t>(96, (ptrdiff_t(1) << 16) / m);
  // Sums from `first` to `last`. Element `start` of `a` is the first one at `elements`.
  const auto sums = [&](ptrdiff_t first, ptrdiff_t last, const char* elements, ptrdiff_t start) {
    parallel_ranges(last - first, grain, [&](ptrdiff_t from, ptrdiff_t to) {
      from += first;
      to += first;
      // Other products than those of v[low] to v[high] are of zeros.
      const ptrdiff_t low = std::max<ptrdiff_t>(0, from - (n - 1)), high = std::min(edge, to - 1);
      loop(to - from, elements + (from - high - start) * size, high - low + 1, v + low * size,
           out + (from - begin) * size);
    });
  };
  if (begin < edge) {  // zeros before the first elements
    std::memset(scratch, 0, size_t(edge * size));
    std::memcpy(scratch + edge * size, a, size_t(edge * size));
    sums(begin, std::min(end, edge), scratch, -edge);
  }
  sums(std::max(begin, edge), std::min(end, n), a, 0);
  if (end > n) {  // zeros after the last ones
    char* const tail = scratch + 2 * edge * size;
    std::memcpy(tail, a + (n - edge) * size, size_t(edge * size));
    std::memset(tail + edge * size, 0, size_t(edge * size));
    sums(std::max(begin, n), end, tail, n - edge);
  }
}

void pack_bits(ptrdiff_t n, const uint8_t* bools, bool big, uint8_t* out) {
  const auto loop = kernels().convolutions.pack_bits;
  parallel_ranges(n, CHUNK / 8, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, bools + 8 * begin, big, out + begin);
  });
}

void unpack_bits(ptrdiff_t n, const uint8_t* bytes, bool big, uint8_t* out) {
  const auto loop = kernels().convolutions.unpack_bits;
  parallel_ranges(n, CHUNK / 8, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, bytes + begin, big, out + 8 * begin);
  });
}

}  // namespace corepy
