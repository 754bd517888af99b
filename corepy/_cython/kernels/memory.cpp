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

namespace corepy {
namespace {

constexpr size_t ALIGNMENT = 64;
constexpr size_t HUGE_PAGE = size_t(2) << 20;
constexpr int CLASSES =
    4 * 64;  // four to each power of two, so at most a quarter of a block is spare

// Blocks of at most SMALL bytes are cached by threads, each up to THREAD_LIMIT bytes. An operation
// on larger ones takes so long that a lock costs nothing to speak of.
constexpr size_t SMALL = MOST_BYTES_CACHED_BY_THREADS;
constexpr int SMALL_CLASSES = 60;
constexpr size_t THREAD_LIMIT = size_t(256) << 10;

// A cached block is a link in the list of its class. A large one has its link elsewhere: its pages
// may not have been touched yet, and writing to the first would make the system clear it.
struct Link {
  Link* next;
  void* block;
};
constexpr size_t LINKED_OUTSIDE = LAZY_ZEROS;

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
  void* block = nullptr;
  if (posix_memalign(&block, huge ? HUGE_PAGE : ALIGNMENT, nbytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  // One page fault for 2 MiB instead of 512. Where the advice is refused nothing is lost.
  if (huge) madvise(block, nbytes, MADV_HUGEPAGE);
#endif
  return block;
}

// A number that one thread writes and others read.
class Counter {
 public:
  ptrdiff_t get() const { return value.load(std::memory_order_relaxed); }
  void set(ptrdiff_t n) { value.store(n, std::memory_order_relaxed); }
  void add(ptrdiff_t n) { set(get() + n); }

 private:
  std::atomic<ptrdiff_t> value{0};
};

// The blocks and counts of one thread. Only that thread touches them, but for the counts, which
// others read. The counts are what the thread has changed since they were last added to the
// common ones.
struct alignas(64) ThreadCache {
  Link* blocks[SMALL_CLASSES] = {};
  size_t limit = 0;        // the most that it caches: THREAD_LIMIT or nothing
  uint64_t emptied = 0;    // the value of `empties` that it has seen
  Counter cached, in_use;  // bytes; in_use is negative where others' blocks were released
  Counter peak;            // the most that in_use was
  Counter allocations, reuses;
  ThreadCache *next = nullptr, *previous = nullptr;
};

// What threads have in common; `lock` guards all of it but `empties`. In static memory and never
// destroyed: threads may release blocks while the process exits.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Link* cache[CLASSES];
MemoryStats stats;                 // without what is in the counts of thread caches
size_t reserved;                   // the sum of the limits of thread caches, a part of stats.limit
ThreadCache* threads;              // all of them
std::atomic<uint64_t> empties{0};  // how often all caches were to be emptied

class Lock {
 public:
  Lock() { pthread_mutex_lock(&lock); }
  ~Lock() { pthread_mutex_unlock(&lock); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

// ---- the common cache; the caller holds the lock

// Blocks that were taken out of the cache, to be freed when the lock is not held any more: giving
// a large one back to the system takes long.
class Garbage {
 public:
  Garbage() = default;
  Garbage(const Garbage&) = delete;
  Garbage& operator=(const Garbage&) = delete;
  ~Garbage() {
    while (first) {
      Link* const link = first;
      void* const block = link->block;
      first = link->next;
      if (link != block) std::free(link);
      std::free(block);
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
  Link* const link = cache[index];
  cache[index] = link->next;
  stats.cached -= class_size(index);
  return link;
}

// Drops cached blocks, the largest first, until at most `limit` bytes are left.
void trim(size_t limit, Garbage& garbage) {
  for (int index = CLASSES - 1; index >= 0 && stats.cached > limit; index--) {
    while (cache[index] && stats.cached > limit) garbage.add(take_link(index));
  }
}

// Caches a block by a link to it if the limit allows; older blocks make room, because what was used
// last is the likeliest to be wanted again.
void keep(int index, Link* link, Garbage& garbage) {
  const size_t size = class_size(index), limit = stats.limit - reserved;
  if (size > limit) return garbage.add(link);
  if (stats.cached + size > limit) trim(limit - size, garbage);
  link->next = cache[index];
  cache[index] = link;
  stats.cached += size;
}

// Adds a thread's counts to the common ones.
void add_counts(ThreadCache& own) {
  const size_t peak = stats.in_use + size_t(own.peak.get());
  if (ptrdiff_t(peak) > ptrdiff_t(stats.peak)) stats.peak = peak;
  stats.in_use += size_t(own.in_use.get());
  stats.allocations += size_t(own.allocations.get());
  stats.reuses += size_t(own.reuses.get());
  for (Counter* counter : {&own.in_use, &own.peak, &own.allocations, &own.reuses}) counter->set(0);
}

void count_use(ThreadCache* own, ptrdiff_t nbytes) {
  if (own) add_counts(*own);
  stats.in_use += size_t(nbytes);
  if (ptrdiff_t(stats.in_use) > ptrdiff_t(stats.peak)) stats.peak = stats.in_use;
}

// ---- caches of threads

void empty_thread_cache(ThreadCache& own, Garbage& garbage) {
  for (Link*& first : own.blocks) {
    while (first) {
      Link* const link = first;
      first = link->next;
      garbage.add(link);
    }
  }
  own.cached.set(0);
}

// Sets what a thread may cache. All threads together get at most a quarter of the limit.
void set_limit(ThreadCache& own) {
  reserved -= own.limit;
  own.limit = reserved + THREAD_LIMIT <= stats.limit / 4 ? THREAD_LIMIT : 0;
  reserved += own.limit;
}

void leave_list(ThreadCache& own) {
  (own.previous ? own.previous->next : threads) = own.next;
  if (own.next) own.next->previous = own.previous;
  reserved -= own.limit;
  add_counts(own);
}

#if defined(__linux__)
// Found without a call: eight bytes of the memory that is set apart for libraries loaded late.
#define COREPY_THREAD_LOCAL thread_local __attribute__((tls_model("initial-exec")))
#else
#define COREPY_THREAD_LOCAL thread_local
#endif
COREPY_THREAD_LOCAL ThreadCache* own_cache = nullptr;

// Gives the cache of a thread up when the thread ends. Blocks that it releases after that go to the
// common cache.
struct AtThreadEnd {
  bool ended = false;
  ~AtThreadEnd() {
    ended = true;
    ThreadCache* const own = own_cache;
    own_cache = nullptr;
    if (!own) return;
    {
      Garbage garbage;
      const Lock held;
      leave_list(*own);
      if (own->emptied != empties.load(std::memory_order_relaxed)) {
        empty_thread_cache(*own, garbage);
      }
      for (int index = 0; index < SMALL_CLASSES; index++) {
        while (Link* const link = own->blocks[index]) {
          own->blocks[index] = link->next;
          keep(index, link, garbage);
        }
      }
    }
    std::free(own);
  }
};
thread_local AtThreadEnd at_thread_end;

// Makes the calling thread's cache; nullptr where there is no memory, or the thread is ending.
ThreadCache* make_thread_cache() {
  void* memory = nullptr;
  if (at_thread_end.ended) return nullptr;
  if (posix_memalign(&memory, alignof(ThreadCache), sizeof(ThreadCache)) != 0) return nullptr;
  ThreadCache* const own = new (memory) ThreadCache;
  const Lock held;
  own->emptied = empties.load(std::memory_order_relaxed);
  own->next = threads;
  if (threads) threads->previous = own;
  threads = own;
  set_limit(*own);
  return own_cache = own;
}

// Frees the blocks of a thread's cache, for empty_memory_cache() and limit_memory_cache().
void give_up_blocks(ThreadCache& own) {
  Garbage garbage;
  const Lock held;
  own.emptied = empties.load(std::memory_order_relaxed);
  empty_thread_cache(own, garbage);
  set_limit(own);
}

inline ThreadCache* thread_cache() {
  ThreadCache* const own = own_cache;
  if (__builtin_expect(!own, false)) return make_thread_cache();
  if (__builtin_expect(own->emptied != empties.load(std::memory_order_relaxed), false)) {
    give_up_blocks(*own);
  }
  return own;
}

// A thread that works with large blocks alone needs no cache: workers have none.
inline ThreadCache* cache_for(int index) {
  return index < SMALL_CLASSES ? thread_cache() : own_cache;
}

// ---- fork

void before_fork() { pthread_mutex_lock(&lock); }

void after_fork_in_parent() { pthread_mutex_unlock(&lock); }

// The child has only the thread that forked. Other threads may have been in the middle of a change
// to their caches, so what is cached there is left alone.
void after_fork_in_child() {
  for (ThreadCache* other = threads; other;) {
    ThreadCache* const next = other->next;
    if (other != own_cache) leave_list(*other);
    other = next;
  }
  pthread_mutex_unlock(&lock);
}

const bool prepared = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;

}  // namespace

void* acquire_memory(size_t nbytes, size_t* capacity) {
  if (nbytes > size_t(-1) / 4) return nullptr;
  const int index = size_class(&nbytes);
  ThreadCache* const own = cache_for(index);
  *capacity = nbytes;
  if (own && index < SMALL_CLASSES && own->blocks[index]) {
    Link* const link = own->blocks[index];
    own->blocks[index] = link->next;
    own->cached.add(-ptrdiff_t(nbytes));
    own->in_use.add(ptrdiff_t(nbytes));
    if (own->in_use.get() > own->peak.get()) own->peak.set(own->in_use.get());
    own->reuses.add(1);
    return link;
  }
  {
    const Lock held;
    if (cache[index]) {
      Link* const link = take_link(index);
      void* const block = link->block;
      if (link != block) std::free(link);
      stats.reuses++;
      count_use(own, ptrdiff_t(nbytes));
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
  count_use(own, ptrdiff_t(nbytes));
  return block;
}

void* acquire_zeroed_memory(size_t nbytes, size_t* capacity) {
  void* block = acquire_memory(nbytes, capacity);
  if (!block) return nullptr;
#ifdef MADV_DONTNEED
  // The pages go back to the system, which replaces each by a zeroed one at the first access.
  if (nbytes >= LAZY_ZEROS && madvise(block, *capacity, MADV_DONTNEED) == 0) return block;
#endif
  std::memset(block, 0, nbytes);
  return block;
}

void release_memory(void* block, size_t capacity) {
  if (!block) return;
  const int index = size_class(&capacity);
  ThreadCache* const own = cache_for(index);
  if (own && index < SMALL_CLASSES && own->cached.get() + capacity <= own->limit) {
    own->blocks[index] = new (block) Link{own->blocks[index], block};
    own->cached.add(ptrdiff_t(capacity));
    own->in_use.add(-ptrdiff_t(capacity));
    return;
  }
  void* link = block;
  if (capacity >= LINKED_OUTSIDE) link = std::malloc(sizeof(Link));
  Garbage garbage;
  const Lock held;
  count_use(own, -ptrdiff_t(capacity));
  if (link) return keep(index, new (link) Link{nullptr, block}, garbage);
  std::free(block);
}

void empty_memory_cache() {
  empties.fetch_add(1, std::memory_order_relaxed);
  thread_cache();
  Garbage garbage;
  const Lock held;
  trim(0, garbage);
}

void limit_memory_cache(size_t limit) {
  {
    const Lock held;
    stats.limit = limit;
  }
  empties.fetch_add(1, std::memory_order_relaxed);
  thread_cache();
  Garbage garbage;
  const Lock held;
  trim(limit > reserved ? limit - reserved : 0, garbage);
}

MemoryStats memory_stats() {
  const Lock held;
  MemoryStats found = stats;
  for (const ThreadCache* own = threads; own; own = own->next) {
    const size_t peak = stats.in_use + size_t(own->peak.get());
    if (ptrdiff_t(peak) > ptrdiff_t(found.peak)) found.peak = peak;
    found.in_use += size_t(own->in_use.get());
    found.cached += size_t(own->cached.get());
    found.allocations += size_t(own->allocations.get());
    found.reuses += size_t(own->reuses.get());
  }
  if (found.in_use > found.peak) found.peak = found.in_use;
  return found;
}

}  // namespace corepy
