#include "memory.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

#include <pthread.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "portable.hpp"

namespace corepy {
namespace {

constexpr size_t ALIGNMENT = 64;
constexpr size_t HUGE_PAGE = size_t(2) << 20;
constexpr int CLASSES = 4 * 64;  // four to each power of two: at most a quarter of a block is spare

// Blocks of at most SMALL bytes are cached by threads, each up to THREAD_LIMIT bytes. For
// operations on larger ones the cost of a lock is negligible.
constexpr size_t SMALL = MAX_BYTES_CACHED_BY_THREADS;
constexpr int SMALL_CLASSES = 60;
constexpr size_t THREAD_LIMIT = size_t(256) << 10;

// A cached block contains the link of its class's list. A large one has its link elsewhere: its
// pages may be untouched, and a write to the first would make the system clear it.
struct Link {
  Link* next;
  void* block;
};
constexpr size_t LINKED_OUTSIDE = LAZY_ZEROS;

// So many bytes may be cached, whatever is in use.
constexpr size_t ALWAYS_CACHED = size_t(256) << 20;

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

// The size of a class's blocks.
constexpr size_t class_size(int index) {
  return index < 4 ? (index + 1) * ALIGNMENT : size_t(index % 4 + 5) << (index / 4 - 2);
}
static_assert(class_size(SMALL_CLASSES - 1) == SMALL);

void* allocate(size_t nbytes) {
  const bool huge = nbytes >= 2 * HUGE_PAGE;
  void* const block = allocate_aligned(huge ? HUGE_PAGE : ALIGNMENT, nbytes);
#ifdef MADV_HUGEPAGE
  // One page fault for 2 MiB instead of 512. madvise may fail; that is harmless.
  if (huge && block) madvise(block, nbytes, MADV_HUGEPAGE);
#endif
  return block;
}

// A counter with one writer and many readers.
class Counter {
 public:
  ptrdiff_t get() const { return value.load(std::memory_order_relaxed); }
  void set(ptrdiff_t n) { value.store(n, std::memory_order_relaxed); }
  void add(ptrdiff_t n) { set(get() + n); }

 private:
  std::atomic<ptrdiff_t> value{0};
};

// The blocks and counts of one thread. Only that thread accesses the blocks; other threads read the
// counts, which hold the changes since they were last added to the common ones.
struct alignas(64) ThreadCache {
  Link* blocks[SMALL_CLASSES] = {};
  size_t limit = 0;        // maximum of cached bytes: THREAD_LIMIT or 0
  uint64_t emptied = 0;    // the value of `empties` that it has seen
  Counter cached, in_use;  // bytes; in_use is negative if blocks of other threads were released
  Counter peak;            // maximum of in_use
  Counter allocations, reuses;
  ThreadCache *next = nullptr, *previous = nullptr;
};

// Shared by all threads; `lock` guards all of it but `empties`. In static memory and never
// destroyed: threads may release blocks while the process exits.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Link* common_cache[CLASSES];
uint64_t last_use[CLASSES];  // when a block of a class was taken from it or put into it
uint64_t uses;
MemoryStats stats;                 // without the counts of thread caches
size_t reserved;                   // the sum of the limits of thread caches, a part of stats.limit
ThreadCache* threads;              // a list of all
std::atomic<uint64_t> empties{0};  // the number of requests to empty all caches

class Lock {
 public:
  Lock() { pthread_mutex_lock(&lock); }
  ~Lock() { pthread_mutex_unlock(&lock); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

// ---- the common cache; the caller holds the lock

// Blocks that were removed from the cache, freed when the lock is not held any more: returning a
// large one to the system takes long.
class DeferredFrees {
 public:
  DeferredFrees() = default;
  DeferredFrees(const DeferredFrees&) = delete;
  DeferredFrees& operator=(const DeferredFrees&) = delete;
  ~DeferredFrees() {
    while (first) {
      Link* const link = first;
      void* const block = link->block;
      first = link->next;
      if (link != block) std::free(link);
      free_aligned(block);
    }
  }
  void add(Link* link) {
    link->next = first;
    first = link;
  }

 private:
  Link* first = nullptr;
};

Link* take_link(int index) {
  Link* const link = common_cache[index];
  common_cache[index] = link->next;
  stats.cached -= class_size(index);
  return link;
}

// Frees cached blocks, those of the classes that were not used for the longest time first, until at
// most `limit` bytes are left.
void trim(size_t limit, DeferredFrees& frees) {
  while (stats.cached > limit) {
    int oldest = -1;
    for (int index = 0; index < CLASSES; index++) {
      if (common_cache[index] && (oldest < 0 || last_use[index] < last_use[oldest])) oldest = index;
    }
    if (oldest < 0) return;
    while (common_cache[oldest] && stats.cached > limit) frees.add(take_link(oldest));
  }
}

// The maximum of bytes in the common cache: as many as are in use, and a few. What a program uses
// once more while it holds its data stays; what it has deleted goes back to the system.
size_t most_cached() {
  const size_t limit = stats.limit - reserved;
  const size_t share =
      ptrdiff_t(stats.in_use) > ptrdiff_t(ALWAYS_CACHED) ? stats.in_use : ALWAYS_CACHED;
  return share < limit ? share : limit;
}

// Caches a block by a link to it if the limit allows. Others are freed first: the block used last
// is the likeliest to be reused.
void keep(int index, Link* link, DeferredFrees& frees) {
  last_use[index] = ++uses;
  const size_t size = class_size(index), limit = most_cached();
  if (stats.cached + size > limit) trim(size < limit ? limit - size : limit, frees);
  if (size > limit) return frees.add(link);
  link->next = common_cache[index];
  common_cache[index] = link;
  stats.cached += size;
}

// Adds a thread's counts to the common ones.
void add_counts(ThreadCache& cache) {
  const size_t peak = stats.in_use + size_t(cache.peak.get());
  if (ptrdiff_t(peak) > ptrdiff_t(stats.peak)) stats.peak = peak;
  stats.in_use += size_t(cache.in_use.get());
  stats.allocations += size_t(cache.allocations.get());
  stats.reuses += size_t(cache.reuses.get());
  for (Counter* counter : {&cache.in_use, &cache.peak, &cache.allocations, &cache.reuses}) {
    counter->set(0);
  }
}

void count_use(ThreadCache* cache, ptrdiff_t nbytes) {
  if (cache) add_counts(*cache);
  stats.in_use += size_t(nbytes);
  if (ptrdiff_t(stats.in_use) > ptrdiff_t(stats.peak)) stats.peak = stats.in_use;
}

// ---- caches of threads

void empty_thread_cache(ThreadCache& cache, DeferredFrees& frees) {
  for (Link*& first : cache.blocks) {
    while (first) {
      Link* const link = first;
      first = link->next;
      frees.add(link);
    }
  }
  cache.cached.set(0);
}

// Sets the limit of a thread's cache. All threads together get at most a quarter of the limit.
void set_limit(ThreadCache& cache) {
  reserved -= cache.limit;
  cache.limit = reserved + THREAD_LIMIT <= stats.limit / 4 ? THREAD_LIMIT : 0;
  reserved += cache.limit;
}

void remove_from_list(ThreadCache& cache) {
  (cache.previous ? cache.previous->next : threads) = cache.next;
  if (cache.next) cache.next->previous = cache.previous;
  reserved -= cache.limit;
  add_counts(cache);
}

#if defined(__linux__)
// Accessed without a call: eight bytes of the static TLS reserved for libraries loaded late.
#define COREPY_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
#else
#define COREPY_THREAD_LOCAL thread_local
#endif
COREPY_THREAD_LOCAL ThreadCache* this_thread_cache = nullptr;

// Moves a thread's cached blocks to the common cache when the thread ends. Blocks that it releases
// after that go to the common cache.
struct AtThreadEnd {
  bool ended = false;
  ~AtThreadEnd() {
    ended = true;
    ThreadCache* const cache = this_thread_cache;
    this_thread_cache = nullptr;
    if (!cache) return;
    {
      DeferredFrees frees;
      const Lock held;
      remove_from_list(*cache);
      if (cache->emptied != empties.load(std::memory_order_relaxed)) {
        empty_thread_cache(*cache, frees);
      }
      for (int index = 0; index < SMALL_CLASSES; index++) {
        while (Link* const link = cache->blocks[index]) {
          cache->blocks[index] = link->next;
          keep(index, link, frees);
        }
      }
    }
    free_aligned(cache);
  }
};
thread_local AtThreadEnd at_thread_end;

// Makes the calling thread's cache; nullptr if there is no memory, or the thread is ending.
ThreadCache* make_thread_cache() {
  if (at_thread_end.ended) return nullptr;
  void* const memory = allocate_aligned(alignof(ThreadCache), sizeof(ThreadCache));
  if (!memory) return nullptr;
  ThreadCache* const cache = new (memory) ThreadCache;
  const Lock held;
  cache->emptied = empties.load(std::memory_order_relaxed);
  cache->next = threads;
  if (threads) threads->previous = cache;
  threads = cache;
  set_limit(*cache);
  return this_thread_cache = cache;
}

// Frees the blocks of a thread's cache, for empty_memory_cache() and limit_memory_cache().
void release_blocks(ThreadCache& cache) {
  DeferredFrees frees;
  const Lock held;
  cache.emptied = empties.load(std::memory_order_relaxed);
  empty_thread_cache(cache, frees);
  set_limit(cache);
}

inline ThreadCache* thread_cache() {
  ThreadCache* const cache = this_thread_cache;
  if (__builtin_expect(!cache, false)) return make_thread_cache();
  if (__builtin_expect(cache->emptied != empties.load(std::memory_order_relaxed), false)) {
    release_blocks(*cache);
  }
  return cache;
}

// A thread that acquires large blocks alone, such as a worker, needs no cache.
inline ThreadCache* cache_for(int index) {
  return index < SMALL_CLASSES ? thread_cache() : this_thread_cache;
}

// ---- fork

void before_fork() { pthread_mutex_lock(&lock); }

void after_fork_in_parent() { pthread_mutex_unlock(&lock); }

// The child has only the thread that forked. Other threads may have been changing their caches, so
// their blocks are not reused.
void after_fork_in_child() {
  for (ThreadCache* other = threads; other;) {
    ThreadCache* const next = other->next;
    if (other != this_thread_cache) remove_from_list(*other);
    other = next;
  }
  pthread_mutex_unlock(&lock);
}

const bool prepared = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;

}  // namespace

void* acquire_memory(size_t nbytes, size_t* capacity) {
  if (nbytes > size_t(-1) / 4) return nullptr;
  const int index = size_class(&nbytes);
  ThreadCache* const cache = cache_for(index);
  *capacity = nbytes;
  if (cache && index < SMALL_CLASSES && cache->blocks[index]) {
    Link* const link = cache->blocks[index];
    cache->blocks[index] = link->next;
    cache->cached.add(-ptrdiff_t(nbytes));
    cache->in_use.add(ptrdiff_t(nbytes));
    if (cache->in_use.get() > cache->peak.get()) cache->peak.set(cache->in_use.get());
    cache->reuses.add(1);
    return link;
  }
  {
    const Lock held;
    if (common_cache[index]) {
      Link* const link = take_link(index);
      void* const block = link->block;
      last_use[index] = ++uses;
      if (link != block) std::free(link);
      stats.reuses++;
      count_use(cache, ptrdiff_t(nbytes));
      return block;
    }
  }
  void* block = allocate(nbytes);
  if (!block) {
    empty_memory_cache();
    block = allocate(nbytes);
    if (!block) return nullptr;
  }
  const Lock held;
  stats.allocations++;
  count_use(cache, ptrdiff_t(nbytes));
  return block;
}

void* acquire_zeroed_memory(size_t nbytes, size_t* capacity) {
  void* block = acquire_memory(nbytes, capacity);
  if (!block) return nullptr;
#ifdef MADV_DONTNEED
  // The system takes the pages and supplies a zeroed one at the first access to each.
  if (nbytes >= LAZY_ZEROS && madvise(block, *capacity, MADV_DONTNEED) == 0) return block;
#endif
  std::memset(block, 0, nbytes);
  return block;
}

void release_memory(void* block, size_t capacity) {
  if (!block) return;
  const int index = size_class(&capacity);
  ThreadCache* const cache = cache_for(index);
  if (cache && index < SMALL_CLASSES && cache->cached.get() + capacity <= cache->limit) {
    cache->blocks[index] = new (block) Link{cache->blocks[index], block};
    cache->cached.add(ptrdiff_t(capacity));
    cache->in_use.add(-ptrdiff_t(capacity));
    return;
  }
  void* link = block;
  if (capacity >= LINKED_OUTSIDE) link = std::malloc(sizeof(Link));
  DeferredFrees frees;
  const Lock held;
  count_use(cache, -ptrdiff_t(capacity));
  if (link) return keep(index, new (link) Link{nullptr, block}, frees);
  free_aligned(block);
}

void empty_memory_cache() {
  empties.fetch_add(1, std::memory_order_relaxed);
  thread_cache();
  DeferredFrees frees;
  const Lock held;
  trim(0, frees);
}

void limit_memory_cache(size_t limit) {
  {
    const Lock held;
    stats.limit = limit;
  }
  empties.fetch_add(1, std::memory_order_relaxed);
  thread_cache();
  DeferredFrees frees;
  const Lock held;
  trim(limit > reserved ? limit - reserved : 0, frees);
}

MemoryStats memory_stats() {
  const Lock held;
  MemoryStats found = stats;
  for (const ThreadCache* cache = threads; cache; cache = cache->next) {
    const size_t peak = stats.in_use + size_t(cache->peak.get());
    if (ptrdiff_t(peak) > ptrdiff_t(found.peak)) found.peak = peak;
    found.in_use += size_t(cache->in_use.get());
    found.cached += size_t(cache->cached.get());
    found.allocations += size_t(cache->allocations.get());
    found.reuses += size_t(cache->reuses.get());
  }
  if (found.in_use > found.peak) found.peak = found.in_use;
  return found;
}

}  // namespace corepy
