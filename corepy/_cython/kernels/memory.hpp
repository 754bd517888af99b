// The memory pool: blocks for elements, cached when they are released and reused.
//
// New memory is expensive: the operating system clears each page at the first access, which takes
// longer than most operations take to fill it. The pool therefore keeps released blocks, by size
// class, up to a limit: at most as many bytes as are in use, or 256 MiB if that is more.
//
// Every function may be called from any thread, with or without the GIL. Each thread caches small
// blocks without a lock; all other blocks are cached in common, behind a mutex. A block may be
// released by another thread than the one that acquired it.
#pragma once

#include <cstddef>

namespace corepy {

struct MemoryStats {
  size_t in_use;       // bytes in acquired blocks
  size_t cached;       // bytes in released blocks
  size_t peak;         // maximum of in_use; if threads acquire small blocks at the same time, exact
                       // to 256 KiB for each of them
  size_t limit;        // maximum of cached
  size_t allocations;  // blocks taken from the operating system so far
  size_t reuses;       // blocks taken from the cache so far
};

// Larger blocks are cached in common. Temporary memory of a worker thread should be as large: the
// thread's cache would keep a small block until the thread next acquires one.
constexpr size_t MAX_BYTES_CACHED_BY_THREADS = size_t(32) << 10;

// A block of at least `nbytes`, aligned to 64 bytes. Its true size is written to `capacity`, for
// release_memory(). If there is no memory the cache is emptied and the allocation is tried once
// more; if that fails, the result is nullptr.
void* acquire_memory(size_t nbytes, size_t* capacity);

// The same with the first `nbytes` bytes zero. From LAZY_ZEROS on (as in the GNU C library's
// calloc) the system clears each page at the first access to it.
constexpr size_t LAZY_ZEROS = size_t(32) << 20;
void* acquire_zeroed_memory(size_t nbytes, size_t* capacity);

// Takes a block back, into the cache if the limit allows.
void release_memory(void* block, size_t capacity);

// Returns all cached blocks to the operating system. Other threads release theirs when they next
// acquire or release a block.
void empty_memory_cache();

// Sets the maximum of cached bytes, and frees blocks beyond it; other threads as above.
void limit_memory_cache(size_t limit);

MemoryStats memory_stats();

// A temporary block for a function, in any thread; data() is nullptr if there is no memory.
class Workspace {
 public:
  explicit Workspace(size_t nbytes)
      : block(acquire_memory(
            nbytes > MAX_BYTES_CACHED_BY_THREADS ? nbytes : MAX_BYTES_CACHED_BY_THREADS + 1,
            &capacity)) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (block) release_memory(block, capacity);
  }
  char* data() const { return static_cast<char*>(block); }

 private:
  size_t capacity = 0;
  void* block;
};

}  // namespace corepy
