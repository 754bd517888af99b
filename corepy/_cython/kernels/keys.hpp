// Keys of elements (sort.hpp) in threads.
#pragma once

#include <atomic>

#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {

// The smallest and the largest key of n >= 1 contiguous elements.
inline void range_of_keys(Dtype dtype, ptrdiff_t n, const char* x, uint64_t* smallest,
                          uint64_t* largest) {
  constexpr ptrdiff_t GRAIN = 1 << 16;
  const ptrdiff_t size = dtype_itemsize[dtype];
  std::atomic<uint64_t> low{~uint64_t(0)}, high{0};
  parallel_ranges(n, GRAIN, [&](ptrdiff_t begin, ptrdiff_t end) {
    uint64_t least, most, seen = low.load();
    kernels().keys.range[dtype](end - begin, x + begin * size, &least, &most);
    while (least < seen && !low.compare_exchange_weak(seen, least)) {
    }
    seen = high.load();
    while (most > seen && !high.compare_exchange_weak(seen, most)) {
    }
  });
  *smallest = low.load();
  *largest = high.load();
}

}  // namespace corepy
