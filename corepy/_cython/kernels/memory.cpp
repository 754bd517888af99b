#include "memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace corepy {
namespace {

constexpr size_t ALIGNMENT = 64;
constexpr size_t HUGE_PAGE = size_t(2) << 20;
constexpr int CLASSES =
    4 * 64;  // four to each power of two, so at most a quarter of a block is spare

// A cached block is a link in the list of its class. A large one has its link elsewhere: its pages
// may not have been touched yet, and writing to the first would make the system clear it.
struct Link {
  Link* next;
  void* block;
};
constexpr size_t LINKED_OUTSIDE = LAZY_ZEROS;

Link* cache[CLASSES];
size_t capacities[CLASSES];  // bytes of each block in the class, noted when the class is first used
MemoryStats stats;

int floor_log2(size_t n) { return 63 - __builtin_clzll(n); }

// The class of a size; rounds the size up to that of the class's blocks.
int size_class(size_t* nbytes) {
  if (*nbytes <= 4 * ALIGNMENT) {
    const size_t lines = (*nbytes + ALIGNMENT - 1) / ALIGNMENT;
    *nbytes = (lines ? lines : 1) * ALIGNMENT;
    return int(*nbytes / ALIGNMENT) - 1;
  }
  const int log = floor_log2(*nbytes - 1);
  const size_t step = size_t(1) << (log - 2);
  *nbytes = (*nbytes + step - 1) & ~(step - 1);
  return 4 * log + int((*nbytes - 1) >> (log - 2)) - 4;
}

void* allocate(size_t nbytes) {
  const bool huge = nbytes >= 2 * HUGE_PAGE;
  void* block = nullptr;
  if (posix_memalign(&block, huge ? HUGE_PAGE : ALIGNMENT, nbytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  // One page fault for 2 MiB instead of 512. Where the advice is refused nothing is lost.
  if (huge) madvise(block, nbytes, MADV_HUGEPAGE);
#endif
  return block;
}

void cache_block(int index, void* block) {
  void* link = block;
  if (capacities[index] >= LINKED_OUTSIDE) link = std::malloc(sizeof(Link));
  if (!link) return std::free(block);
  cache[index] = new (link) Link{cache[index], block};
  stats.cached += capacities[index];
}

// The block that was cached last; there is one.
void* take_cached(int index) {
  Link* const link = cache[index];
  void* const block = link->block;
  cache[index] = link->next;
  stats.cached -= capacities[index];
  if (link != block) std::free(link);
  return block;
}

// Frees cached blocks, the largest first, until at most `limit` bytes are left.
void trim(size_t limit) {
  for (int index = CLASSES - 1; index >= 0 && stats.cached > limit; index--) {
    while (cache[index] && stats.cached > limit) std::free(take_cached(index));
  }
}

}  // namespace

void* acquire_memory(size_t nbytes, size_t* capacity) {
  if (nbytes > size_t(-1) / 4) return nullptr;
  const int index = size_class(&nbytes);
  void* block = nullptr;
  if (cache[index]) {
    block = take_cached(index);
    stats.reuses++;
  } else {
    block = allocate(nbytes);
    if (!block) {
      trim(0);
      block = allocate(nbytes);
      if (!block) return nullptr;
    }
    stats.allocations++;
  }
  stats.in_use += nbytes;
  if (stats.in_use > stats.peak) stats.peak = stats.in_use;
  *capacity = nbytes;
  return block;
}

void* acquire_zeroed_memory(size_t nbytes, size_t* capacity) {
  void* block = acquire_memory(nbytes, capacity);
  if (!block) return nullptr;
#ifdef MADV_DONTNEED
  // The pages go back to the system, which puts zeros in their place one by one when they are
  // touched.
  if (nbytes >= LAZY_ZEROS && madvise(block, *capacity, MADV_DONTNEED) == 0) return block;
#endif
  std::memset(block, 0, nbytes);
  return block;
}

void release_memory(void* block, size_t capacity) {
  if (!block) return;
  stats.in_use -= capacity;
  if (capacity > stats.limit) {
    std::free(block);
    return;
  }
  // What was used last is the likeliest to be wanted again, so older blocks make room for it.
  if (stats.cached + capacity > stats.limit) trim(stats.limit - capacity);
  const int index = size_class(&capacity);
  capacities[index] = capacity;
  cache_block(index, block);
}

void empty_memory_cache() { trim(0); }

void limit_memory_cache(size_t limit) {
  stats.limit = limit;
  trim(limit);
}

MemoryStats memory_stats() { return stats; }

}  // namespace corepy
