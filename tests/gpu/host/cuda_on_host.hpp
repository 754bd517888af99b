// CUDA's words with a sequential meaning, so that kernels run as host C++.
//
// One block runs after the other; `__shared__` memory is overwritten before each. The threads of a
// block run one after the other where they do not wait for each other. Where they do (a kernel's
// HAS_BARRIERS), each is a coroutine with a stack of its own, and a wait lets the others go on: every
// order of threads between two waits is as good as another, so it is varied (`turn`).
//
// What has no meaning on a device (waits that not all threads come to, values of lanes that take no
// part) ends the process with a message; with COREPY_CHECKED, so do races (checks.hpp).
#pragma once

#include <ucontext.h>
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "checks.hpp"

#define __shared__ static thread_local
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __grid_constant__

namespace corepy_host {

struct Three {
  unsigned x = 0, y = 0, z = 0;
};
inline Three thread_index, block_index, block_size, grid_size;

constexpr int WARP = 32;
constexpr size_t STACK = size_t(128) << 10;

inline const char* kernel = "";  // the one that runs

// A point where threads meet. Those that have ended no longer take part.
struct Meeting {
  int waiting = 0, round = 0;
  unsigned mask = 0;  // of the lanes that meet, for warps
  int line = 0;       // where the first one waits, for blocks
};
// Groups of lanes may wait at the same time.
struct Warp {
  Meeting meetings[4];
  unsigned alive = 0;  // a bit for each lane
};

struct Thread {
  ucontext_t context;
  bool ended = false;
  unsigned waits = 0, warp_waits = 0;
};

struct Block {
  ucontext_t scheduler;
  std::vector<Thread> threads;
  std::unique_ptr<char[]> stacks;  // not written here: a thread touches little of its own
  const Thread* first = nullptr;
  int current = 0, alive = 0, progress = 0;
  Meeting all;
  Warp warps[32];
  uint64_t slots[1024];  // exchanged by the threads of a warp
  void (*body)(const void*) = nullptr;
  const void* arguments = nullptr;
};
inline Block* block = nullptr;

inline void set_thread(int index) {
  const int x = int(block_size.x), y = int(block_size.y);
  thread_index = {unsigned(index % x), unsigned(index / x % y), unsigned(index / x / y)};
}

inline void yield() { swapcontext(&block->threads[block->current].context, &block->scheduler); }

[[noreturn]] inline void fail(const char* format, ...) {
  std::fprintf(stderr, "%s, block (%u, %u, %u)", kernel, block_index.x, block_index.y,
               block_index.z);
  if (block) std::fprintf(stderr, ", thread %d", block->current);
  std::fputs(": ", stderr);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputs("\n", stderr);
  std::fflush(stderr);
  std::abort();
}

#if defined(COREPY_CHECKED)
COREPY_UNCHECKED static bool accessing(Access& now) {
  const Block* const here = block;
  if (!here) return false;
  const Thread* const thread = here->first + here->current;
  now = {here->current, in_atomic, thread->waits, thread->warp_waits};
  return true;
}
#endif

inline Block& waiting_block() {
  if (!block) fail("waits, though its HAS_BARRIERS is false");
  return *block;
}

// Until as many wait as `expected` counts: it may become less, where threads end.
template <class Expected>
void meet(Meeting& meeting, Expected expected) {
  const int round = meeting.round;
  meeting.waiting++;
  while (meeting.round == round) {
    if (meeting.waiting >= expected()) {
      meeting.waiting = 0;
      meeting.round++;
      block->progress++;
      return;
    }
    yield();
  }
}

inline void meet_all(int line) {
  Block& here = waiting_block();
  if (here.all.waiting == 0) here.all.line = line;
  if (here.all.line != line) {
    fail("waits in line %d, and others of the block in line %d", line, here.all.line);
  }
  meet(here.all, [&] { return here.alive; });
  here.threads[size_t(here.current)].waits++;
}

// The lanes of the mask wait for each other.
inline void meet_warp(unsigned mask) {
  Block& here = waiting_block();
  Warp& warp = here.warps[here.current / WARP];
  if (!(mask >> here.current % WARP & 1)) fail("is not in the mask %#x that it waits with", mask);
  Meeting* found = nullptr;
  for (Meeting& meeting : warp.meetings) {
    if (meeting.waiting && meeting.mask == mask) found = &meeting;
  }
  for (Meeting& meeting : warp.meetings) {
    if (!found && !meeting.waiting) found = &meeting;
  }
  if (!found) fail("is in the fifth group of its warp that waits");
  found->mask = mask;
  meet(*found, [&] { return __builtin_popcount(mask & warp.alive); });
}

inline void enter() {
  Block& here = *block;
  here.body(here.arguments);
  Thread& thread = here.threads[here.current];
  thread.ended = true;
  here.alive--;
  here.progress++;
  here.warps[here.current / WARP].alive &= ~(1u << here.current % WARP);
  swapcontext(&thread.context, &here.scheduler);
}

// The k-th thread of a turn: from first to last, from last to first, the warps one after the other
// with their lanes turned around, and in leaps.
inline int in_order(int k, int count, unsigned turn) {
  switch (turn % 4) {
    case 1:
      return count - 1 - k;
    case 2:
      return count % WARP == 0 ? k ^ (WARP - 1) : k;
    case 3:
      return std::gcd(37, count) == 1 ? int((37u * unsigned(k) + turn) % unsigned(count)) : k;
    default:
      return k;
  }
}

// Runs the threads of one block, in turns of an order that `turn` varies.
inline void run_waiting(int count, unsigned turn, void (*body)(const void*),
                        const void* arguments) {
  static Block storage;
  Block& here = storage;
  block = &here;
  here.body = body;
  here.arguments = arguments;
  here.alive = count;
  here.all = {};
  for (int warp = 0; warp < 32; warp++) {
    const int lanes = std::min(std::max(count - warp * WARP, 0), WARP);
    here.warps[warp] = {};
    here.warps[warp].alive = unsigned((uint64_t(1) << lanes) - 1);
  }
  if (int(here.threads.size()) < count) {
    here.threads.resize(size_t(count));
    here.stacks.reset(new char[size_t(count) * STACK]);
  }
  here.first = here.threads.data();
  for (int i = 0; i < count; i++) {
    Thread& thread = here.threads[size_t(i)];
    thread.ended = false;
    thread.waits = thread.warp_waits = 0;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = &here.stacks[size_t(i) * STACK];
    thread.context.uc_stack.ss_size = STACK;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, enter, 0);
  }
  while (here.alive > 0) {
    const int before = here.progress;
    for (int k = 0; k < count; k++) {
      const int i = in_order(k, count, turn);
      if (here.threads[size_t(i)].ended) continue;
      here.current = i;
      set_thread(i);
      swapcontext(&here.scheduler, &here.threads[size_t(i)].context);
    }
    if (here.progress == before) fail("all threads that are left wait, but not for the same");
    turn++;
  }
  block = nullptr;
}

// Exchanges values between the lanes of a warp that are in `mask`. The value of another lane is
// garbage.
template <class T>
T exchanged(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");
  Block& here = waiting_block();
  const int thread = here.current, warp = thread / WARP;
  std::memcpy(&here.slots[thread], &value, sizeof(T));
  meet_warp(mask);
  if (mask & here.warps[warp].alive & 1u << lane) {
    std::memcpy(&value, &here.slots[warp * WARP + lane], sizeof(T));
  } else {
    std::memset(&value, 0xA5, sizeof(T));
  }
  meet_warp(mask);
  return value;
}

inline int lane() { return block->current % WARP; }

template <class Kernel>
void run_grid(const char* name, const void* arguments, Three grid, Three threads) {
  using Arguments = typename Kernel::Arguments;
  const auto body = [](const void* at) { Kernel::run(*static_cast<const Arguments*>(at)); };
  kernel = name;
  grid_size = grid;
  block_size = threads;
  const int count = int(threads.x * threads.y * threads.z);
  if (count > int(Kernel::THREADS)) {
    fail("a block of %d threads, more than %d", count, int(Kernel::THREADS));
  }
  for (unsigned z = 0; z < grid.z; z++) {
    for (unsigned y = 0; y < grid.y; y++) {
      for (unsigned x = 0; x < grid.x; x++) {
        block_index = {x, y, z};
        clear_shared();
        if (Kernel::HAS_BARRIERS) {
          run_waiting(count, x + y + z, body, arguments);
          continue;
        }
        for (int i = 0; i < count; i++) {
          set_thread(i);
          body(arguments);
        }
      }
    }
  }
}

typedef void (*Entry)(void** parameters, Three grid, Three threads);

}  // namespace corepy_host

#define threadIdx (::corepy_host::thread_index)
#define blockIdx (::corepy_host::block_index)
#define gridDim (::corepy_host::grid_size)

#define __syncthreads() ::corepy_host::meet_all(__LINE__)
// Shuffles bring lanes together, too, but only this puts accesses to memory in an order.
inline void __syncwarp(unsigned mask = ~0u) {
  corepy_host::meet_warp(mask);
  corepy_host::block->threads[size_t(corepy_host::block->current)].warp_waits++;
}
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  const int current = corepy_host::lane();
  return corepy_host::exchanged(mask, value, current / width * width + lane % width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int other, int = 32) {
  return corepy_host::exchanged(mask, value, corepy_host::lane() ^ other);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = corepy_host::lane(), from = lane + int(delta);
  return corepy_host::exchanged(mask, value, lane / width == from / width ? from : lane);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = corepy_host::lane(), from = lane - int(delta);
  return corepy_host::exchanged(mask, value, from >= 0 && lane / width == from / width ? from : lane);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  corepy_host::Block& here = corepy_host::waiting_block();
  const int thread = here.current, warp = thread / corepy_host::WARP;
  here.slots[thread] = predicate != 0;
  corepy_host::meet_warp(mask);
  unsigned votes = 0;
  for (int lane = 0; lane < corepy_host::WARP; lane++) {
    const bool vote = here.slots[warp * corepy_host::WARP + lane] != 0;
    votes |= unsigned(vote) << lane & mask & here.warps[warp].alive;
  }
  corepy_host::meet_warp(mask);
  return votes;
}

template <class T>
T atomicAdd(T* at, T value) {
  const corepy_host::Atomic atomic;
  const T before = *at;
  *at = before + value;
  return before;
}
template <class T>
T atomicMax(T* at, T value) {
  const corepy_host::Atomic atomic;
  const T before = *at;
  if (value > before) *at = value;
  return before;
}
template <class T>
T atomicCAS(T* at, T expected, T value) {
  const corepy_host::Atomic atomic;
  const T before = *at;
  if (before == expected) *at = value;
  return before;
}

template <class To, class From>
To corepy_bits(From value) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}
inline unsigned __float_as_uint(float x) { return corepy_bits<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return corepy_bits<float>(x); }
inline long long __double_as_longlong(double x) { return corepy_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return corepy_bits<double>(x); }

inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t(a) * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(uint64_t(x)) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline unsigned __activemask() { return ~0u; }
using std::max;
using std::min;

#define COREPY_KERNEL(name, ...)                                                                 \
  extern "C" void name(void** parameters, corepy_host::Three grid, corepy_host::Three threads) { \
    corepy_host::run_grid<__VA_ARGS__>(#__VA_ARGS__, parameters[0], grid, threads);              \
  }

namespace corepy_host {

// A kernel, as its runtime knows it: it is compiled, with others, when it is first run, and not run
// while launches are gathered.
struct Place {
  Entry entry;
  void (*compile)(void*);
  const int* gathering;
};

}  // namespace corepy_host

// What stands for the driver's launch function; the function that it is given is a Place.
#define COREPY_LAUNCHER                                                                           \
  extern "C" int corepy_launch(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
                               unsigned x, unsigned y, unsigned z, unsigned, void*,               \
                               void** parameters, void**) {                                       \
    auto& place = *static_cast<corepy_host::Place*>(function);                                    \
    if (*place.gathering) return 0;                                                               \
    if (!place.entry) place.compile(function);                                                    \
    if (!place.entry) return 1;                                                                   \
    place.entry(parameters, {grid_x, grid_y, grid_z}, {x, y, z});                                 \
    return 0;                                                                                     \
  }                                                                                               \
  extern "C" long corepy_stream(int) { return 0; }
