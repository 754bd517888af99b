// CUDA's words with a sequential meaning, so that kernels run as host C++.
//
// One block runs after the other, in the order of their indices; `__shared__` memory is static. The
// threads of a block run one after the other where they do not wait for each other. Where they do
// (a kernel's WAITS), each is a coroutine with a stack of its own, and a wait lets the others go
// on: every order of threads between two waits is as good as another, so it is varied (`turn`).
#pragma once

#include <ucontext.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define __shared__ static
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

// A point where `expected` threads meet. Threads that have ended no longer take part.
struct Meeting {
  int waiting = 0, round = 0;
};

struct Thread {
  ucontext_t context;
  std::vector<char> stack;
  bool ended = false;
};

struct Block {
  ucontext_t scheduler;
  std::vector<Thread> threads;
  int current = 0, alive = 0;
  Meeting all, warps[32];
  int alive_in_warp[32] = {};
  uint64_t slots[1024];  // what the threads of a warp show each other
  void (*body)(const void*) = nullptr;
  const void* arguments = nullptr;
};
inline Block* block = nullptr;

inline void set_thread(int index) {
  const int x = int(block_size.x), y = int(block_size.y);
  thread_index = {unsigned(index % x), unsigned(index / x % y), unsigned(index / x / y)};
}

inline void yield() { swapcontext(&block->threads[block->current].context, &block->scheduler); }

inline void meet(Meeting& meeting, const int& alive) {
  const int round = meeting.round;
  meeting.waiting++;
  while (meeting.round == round) {
    if (meeting.waiting >= alive) {
      meeting.waiting = 0;
      meeting.round++;
      return;
    }
    yield();
  }
}

inline void meet_all() { meet(block->all, block->alive); }
inline void meet_warp() {
  const int warp = block->current / WARP;
  meet(block->warps[warp], block->alive_in_warp[warp]);
}

inline void enter() {
  Block& here = *block;
  here.body(here.arguments);
  Thread& thread = here.threads[here.current];
  thread.ended = true;
  here.alive--;
  here.alive_in_warp[here.current / WARP]--;
  swapcontext(&thread.context, &here.scheduler);
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
    here.warps[warp] = {};
    here.alive_in_warp[warp] = std::min(std::max(count - warp * WARP, 0), WARP);
  }
  if (int(here.threads.size()) < count) here.threads.resize(size_t(count));
  for (int i = 0; i < count; i++) {
    Thread& thread = here.threads[size_t(i)];
    thread.ended = false;
    if (thread.stack.empty()) thread.stack.resize(STACK);
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.data();
    thread.context.uc_stack.ss_size = STACK;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, enter, 0);
  }
  while (here.alive > 0) {
    for (int k = 0; k < count; k++) {
      const int i = turn % 2 ? count - 1 - k : k;
      if (here.threads[size_t(i)].ended) continue;
      here.current = i;
      set_thread(i);
      swapcontext(&here.scheduler, &here.threads[size_t(i)].context);
    }
    turn++;
  }
  block = nullptr;
}

template <class T>
T shown(T value, int lane) {
  static_assert(sizeof(T) <= 8, "shuffles move 8 bytes at most");
  const int base = block->current / WARP * WARP, own = block->current;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  block->slots[own] = bits;
  meet_warp();
  bits = block->slots[base + lane];
  meet_warp();
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

inline int lane() { return block->current % WARP; }

template <class Kernel>
void run_grid(const void* arguments, Three grid, Three threads) {
  using Arguments = typename Kernel::Arguments;
  const auto body = [](const void* at) { Kernel::run(*static_cast<const Arguments*>(at)); };
  grid_size = grid;
  block_size = threads;
  const int count = int(threads.x * threads.y * threads.z);
  if (count > int(Kernel::THREADS)) {
    std::fprintf(stderr, "a block of %d threads, more than the kernel's %d\n", count,
                 int(Kernel::THREADS));
    std::abort();
  }
  for (unsigned z = 0; z < grid.z; z++) {
    for (unsigned y = 0; y < grid.y; y++) {
      for (unsigned x = 0; x < grid.x; x++) {
        block_index = {x, y, z};
        if (Kernel::WAITS) {
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
#define blockDim (::corepy_host::block_size)
#define gridDim (::corepy_host::grid_size)

inline void __syncthreads() { corepy_host::meet_all(); }
inline void __syncwarp(unsigned = ~0u) { corepy_host::meet_warp(); }
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T>
T __shfl_sync(unsigned, T value, int lane, int width = 32) {
  const int own = corepy_host::lane();
  return corepy_host::shown(value, own / width * width + lane % width);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask, int = 32) {
  return corepy_host::shown(value, corepy_host::lane() ^ mask);
}
template <class T>
T __shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
  const int own = corepy_host::lane(), from = own + int(delta);
  return corepy_host::shown(value, own / width == from / width ? from : own);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
  const int own = corepy_host::lane(), from = own - int(delta);
  return corepy_host::shown(value, from >= 0 && own / width == from / width ? from : own);
}
inline unsigned __ballot_sync(unsigned, int predicate) {
  unsigned mask = 0;
  for (int lane = 0; lane < 32; lane++) {
    mask |= unsigned(corepy_host::shown(predicate != 0, lane)) << lane;
  }
  return mask;
}

template <class T>
T atomicAdd(T* at, T value) {
  const T before = *at;
  *at = before + value;
  return before;
}
template <class T>
T atomicMax(T* at, T value) {
  const T before = *at;
  if (value > before) *at = value;
  return before;
}
template <class T>
T atomicMin(T* at, T value) {
  const T before = *at;
  if (value < before) *at = value;
  return before;
}
template <class T>
T atomicExch(T* at, T value) {
  const T before = *at;
  *at = value;
  return before;
}
template <class T>
T atomicCAS(T* at, T expected, T value) {
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
    corepy_host::run_grid<__VA_ARGS__>(parameters[0], grid, threads);                            \
  }

// What stands for the driver's launch function. What it is given as a function is the place of an
// entry point: kernels that are not compiled yet are, all at once, when the first of them is run.
// While launches are gathered none is run.
#define COREPY_LAUNCHER                                                                            \
  extern "C" {                                                                                     \
  int corepy_gathering = 0;                                                                        \
  void (*corepy_compile)(void*) = nullptr;                                                         \
  int corepy_launch(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned x, \
                    unsigned y, unsigned z, unsigned, void*, void** parameters, void**) {          \
    corepy_host::Entry& entry = *static_cast<corepy_host::Entry*>(function);                       \
    if (corepy_gathering) return 0;                                                                \
    if (!entry) corepy_compile(function);                                                          \
    if (!entry) return 1;                                                                          \
    entry(parameters, {grid_x, grid_y, grid_z}, {x, y, z});                                        \
    return 0;                                                                                      \
  }                                                                                                \
  }
