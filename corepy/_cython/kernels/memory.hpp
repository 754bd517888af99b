// The memory pool: blocks for elements, cached when they are released and used again.
//
// Fresh memory is expensive: the operating system clears each page when it is first touched, which
// takes longer than most operations take to fill it. The pool therefore keeps what is released, by
// size class, up to a limit.
//
// Every function may be called from any thread, with or without the GIL. Each thread caches small
// blocks of its own, without a lock; all other blocks are cached in one place behind a mutex. A
// block may be released by another thread than the one that acquired it.
#pragma once

#include <cstddef>

namespace corepy {

struct MemoryStats {
  size_t in_use;  // bytes in blocks that are out
  size_t cached;  // bytes in blocks that wait to be used again
  size_t peak;    // the most that was in use at once; where threads acquire small blocks at the
                  // same time, within 256 KiB for each of them
  size_t limit;   // the most that is cached
  size_t allocations;  // blocks taken from the operating system so far
  size_t reuses;       // blocks taken from the cache so far
};

// Blocks of more bytes than these are cached in one place. What a worker thread needs for a moment
// should be as large: its own cache would keep a small block until it next acquires one.
constexpr size_t MOST_BYTES_CACHED_BY_THREADS = size_t(32) << 10;

// A block of at least `nbytes`, aligned to 64 bytes; its true size is written to `capacity`, to be
// given to release_memory(). When there is no memory the cache is emptied and the attempt made once
// more; then the answer is nullptr.
void* acquire_memory(size_t nbytes, size_t* capacity);

// The same with the first `nbytes` bytes zero. From LAZY_ZEROS on (as in the GNU C library's
// calloc) the system clears them page by page when they are first touched, and so for nothing where
// they never are.
constexpr size_t LAZY_ZEROS = size_t(32) << 20;
void* acquire_zeroed_memory(size_t nbytes, size_t* capacity);

// Takes a block back, into the cache if the limit allows.
void release_memory(void* block, size_t capacity);

// Gives all that is cached back to the operating system. Other threads give up what they cache when
// they next acquire or release a block.
void empty_memory_cache();

// Sets the most bytes that are cached, and frees what is beyond; other threads as above.
void limit_memory_cache(size_t limit);

MemoryStats memory_stats();

// A block for the work of a function, in any thread; empty where there is no memory.
class Workspace {
 public:
  explicit Workspace(size_t nbytes)
      : block(acquire_memory(
            nbytes > MOST_BYTES_CACHED_BY_THREADS ? nbytes : MOST_BYTES_CACHED_BY_THREADS + 1,
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
