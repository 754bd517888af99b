// From operands to a launched kernel: layouts are made simple, and argument records filled in.
//
// Nothing here calls the CUDA runtime but through the address of its launch function, so that the
// same code launches kernels that were compiled for the host (tests/gpu/host).
#pragma once

#include <Python.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/arguments.cuh"

namespace corepy {

constexpr int MAX_NDIM = 64, MAX_OPERANDS = 4;
// A block's tile: as many elements of one axis as of the other. A warp has 8 lanes and 4 rows of
// it, so that it reads sectors of memory, not single elements, along either.
constexpr int TILE_ROWS = 5, TILE_LANES = 3, TILE = 1 << TILE_ROWS;
static_assert(TILE == pack_of_box(1, false) << TILE_LANES, "tiles are square");
static_assert(THREADS_OF_ELEMENTWISE == 1 << (TILE_ROWS + TILE_LANES), "of one block each");

// cuLaunchKernel and its like: function, grid, block, shared memory, stream, arguments, extra.
typedef int (*LaunchFunction)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, void*, void**, void**);

// Lets other Python threads run. A launch waits while the device's queue is full, perhaps for
// something that one of them has to do first.
class WithoutLock {
 public:
  WithoutLock() : thread_(PyEval_SaveThread()) {}
  ~WithoutLock() { PyEval_RestoreThread(thread_); }
  WithoutLock(const WithoutLock&) = delete;

 private:
  PyThreadState* thread_;
};

// One launch: where, and what runs.
struct Launch {
  LaunchFunction launch;
  void* function;
  void* stream;
  long long blocks;  // as many as are of use on the device; kernels loop over what is left

  int operator()(void* arguments, long long grid, int threads) const {
    void* parameters[] = {arguments};
    const long long size = std::clamp(grid, 1LL, blocks);
    const WithoutLock unlocked;
    return launch(function, unsigned(size), 1, 1, unsigned(threads), 1, 1, 0, stream, parameters,
                  nullptr);
  }
};

// The multiplier and shift that stand for a division by `size`.
inline Divisor divisor_of(ptrdiff_t size) {
  if (size >= ptrdiff_t(1) << 31) return {0, 0};
  unsigned shift = 0;
  while ((uint64_t(1) << shift) < uint64_t(size)) shift++;
  const uint64_t multiplier =
      ((uint64_t(1) << 32) * ((uint64_t(1) << shift) - uint64_t(size))) / uint64_t(size) + 1;
  return {unsigned(multiplier), shift};
}

// An axis whose steps are 0.
template <int OPERANDS>
WalkAxis<OPERANDS> walk_axis(ptrdiff_t size) {
  return {size, divisor_of(size), {}};
}

// Elementwise work: operand 0 is the output. An input without an address is a scalar.
struct Elementwise {
  int inputs;
  int ndim;
  ptrdiff_t sizes[MAX_NDIM];
  ptrdiff_t steps[MAX_OPERANDS][MAX_NDIM];
  char* data[MAX_OPERANDS];
  int itemsizes[MAX_OPERANDS];
  char scalars[MAX_OPERANDS][16];

  // Set by plan().
  long long n;
  bool runs;    // each operand is a run of elements or one element
  bool vector;  // what a thread takes is loaded and stored together
  int single;   // a bit for each input that is one element, where there are runs
  int bucket;   // NDIM of the kernel, where there are no runs
  bool wide;    // 2^31 elements or more
  bool tiles;   // an input lies along the axis before the innermost

  // Joins axes that follow each other in all operands, the output's largest step first.
  void plan() {
    drop_axes();
    turn_axes();
    sort_axes();
    join_axes();
    single = 0;
    runs = ndim <= 1;
    for (int k = 0; k <= inputs; k++) {
      const bool one = ndim == 0 || (ndim == 1 && steps[k][0] == 0);
      if (one && k > 0) single |= 1 << (k - 1);
      if (ndim == 1 && !one) runs &= steps[k][0] == itemsizes[k];
    }
    for (int k = 1; k <= inputs; k++) {
      if (!data[k]) single |= 1 << (k - 1);
    }
    measure();
    vector = runs ? runs_are_aligned() : packs_are_aligned();
    tiles = !runs && !vector && find_tiles();
  }

  // Counts the elements, and forgets axes of size 1.
  void drop_axes() {
    n = 1;
    int kept = 0;
    for (int axis = 0; axis < ndim; axis++) {
      n *= sizes[axis];
      if (sizes[axis] == 1) continue;
      sizes[kept] = sizes[axis];
      for (int k = 0; k <= inputs; k++) steps[k][kept] = steps[k][axis];
      kept++;
    }
    ndim = kept;
  }

  void measure() {
    wide = n >= (1LL << 31);
    bucket = ndim <= 2 ? 2 : ndim <= 4 ? 4 : ndim <= 8 ? 8 : MAX_NDIM;
  }

  int launch(const Launch& launch) const {
    if (runs) {
      RunArguments arguments;
      arguments.n = n;
      fill(arguments);
      const int turn = turn_of_run(widest(), vector);
      return launch(&arguments, (n + turn - 1) / turn, THREADS_OF_ELEMENTWISE);
    }
    switch (bucket) {
      case 2:
        return launch_box<2>(launch);
      case 4:
        return launch_box<4>(launch);
      case 8:
        return launch_box<8>(launch);
      default:
        return launch_box<MAX_NDIM>(launch);
    }
  }

  static ptrdiff_t distance(ptrdiff_t step) { return step < 0 ? -step : step; }

  // Axes that the output has backwards begin at their other end.
  void turn_axes() {
    for (int axis = 0; axis < ndim; axis++) {
      if (steps[0][axis] >= 0) continue;
      for (int k = 0; k <= inputs; k++) {
        if (data[k]) data[k] += steps[k][axis] * (sizes[axis] - 1);
        steps[k][axis] = -steps[k][axis];
      }
    }
  }

  // By insertion: axes are few, and most often in order.
  void sort_axes() {
    for (int i = 1; i < ndim; i++) {
      for (int j = i; j > 0 && distance(steps[0][j - 1]) < distance(steps[0][j]); j--) {
        std::swap(sizes[j - 1], sizes[j]);
        for (int k = 0; k <= inputs; k++) std::swap(steps[k][j - 1], steps[k][j]);
      }
    }
  }

  void join_axes() {
    int last = 0;
    for (int axis = 1; axis < ndim; axis++) {
      bool follow = true;
      for (int k = 0; k <= inputs; k++) {
        follow &= steps[k][last] == steps[k][axis] * sizes[axis];
      }
      if (!follow) last++;
      sizes[last] = follow ? sizes[last] * sizes[axis] : sizes[axis];
      for (int k = 0; k <= inputs; k++) steps[k][last] = steps[k][axis];
    }
    if (ndim > 0) ndim = last + 1;
  }

  int widest() const { return *std::max_element(itemsizes, itemsizes + inputs + 1); }

  // Whether runs begin at multiples of 16 bytes.
  bool runs_are_aligned() const {
    bool aligned = true;
    for (int k = 0; k <= inputs; k++) {
      if (k > 0 && single >> (k - 1) & 1) continue;
      aligned &= reinterpret_cast<uintptr_t>(data[k]) % 16 == 0;
    }
    return aligned;
  }

  // Whether the innermost axis has whole packs, which begin at multiples of their size.
  bool packs_are_aligned() const {
    const int pack = pack_of_box(widest(), true), last = ndim - 1;
    bool aligned = sizes[last] % pack == 0 && steps[0][last] != 0;
    for (int k = 0; k <= inputs && aligned; k++) {
      if (k > 0 && steps[k][last] == 0) continue;
      const ptrdiff_t bytes = pack * itemsizes[k];
      aligned &= steps[k][last] == itemsizes[k];
      aligned &= reinterpret_cast<uintptr_t>(data[k]) % bytes == 0;
      for (int axis = 0; axis < last; axis++) aligned &= steps[k][axis] % bytes == 0;
    }
    return aligned;
  }

  // The logarithm of the number of lanes: as many as leave few threads without elements at the end
  // of the innermost axis.
  static int lanes_of(ptrdiff_t length, int pack) {
    int lanes = 5;
    while (lanes > 0) {
      const ptrdiff_t group = ptrdiff_t(pack) << lanes;
      if ((length + group - 1) / group * group <= length + length / 8) break;
      lanes--;
    }
    return lanes;
  }

  // Whether there is an input that lies along another axis than the innermost, so that neighbours
  // there are far from each other; puts that axis before the innermost.
  bool find_tiles() {
    const int last = ndim - 1;
    if (ndim < 2 || sizes[last] < TILE / 2) return false;
    for (int k = 1; k <= inputs; k++) {
      int along = last;
      for (int axis = 0; axis < last; axis++) {
        const ptrdiff_t step = distance(steps[k][axis]);
        if (step != 0 && sizes[axis] >= TILE / 2 && step < distance(steps[k][along])) along = axis;
      }
      if (along == last || distance(steps[k][last]) < 2 * itemsizes[k] + 16) continue;
      for (int axis = along; axis < last - 1; axis++) {
        std::swap(sizes[axis], sizes[axis + 1]);
        for (int i = 0; i <= inputs; i++) std::swap(steps[i][axis], steps[i][axis + 1]);
      }
      return true;
    }
    return false;
  }

  template <class Arguments>
  void fill(Arguments& arguments) const {
    arguments.out = data[0];
    for (int k = 0; k < inputs; k++) {
      arguments.inputs[k].data = data[k + 1];
      std::memcpy(arguments.inputs[k].scalar, scalars[k + 1], 16);
    }
  }

  template <int NDIM>
  int launch_box(const Launch& launch) const {
    BoxArguments<NDIM> arguments;
    fill(arguments);
    const int pack = pack_of_box(widest(), vector), last = ndim - 1;
    const int unused = has_all_axes<NDIM> ? NDIM - ndim : 0;
    arguments.ndim = ndim + unused;
    for (int axis = 0; axis < unused; axis++) arguments.axes[axis] = walk_axis<4>(1);
    arguments.length = sizes[last];
    arguments.height = last > 0 ? sizes[last - 1] : 1;
    arguments.lanes = vector ? 0 : tiles ? TILE_LANES : lanes_of(sizes[last], pack);
    arguments.rows = tiles ? TILE_ROWS : 0;
    const ptrdiff_t group = ptrdiff_t(pack) << arguments.lanes;
    arguments.items = ptrdiff_t(1) << (arguments.lanes + arguments.rows);
    for (int axis = 0; axis < ndim; axis++) {
      const ptrdiff_t part = axis == last ? group : axis == last - 1 && tiles ? TILE : 1;
      const ptrdiff_t parts = (sizes[axis] + part - 1) / part;
      arguments.items *= parts;
      WalkAxis<4>& to = arguments.axes[axis + unused] = walk_axis<4>(parts);
      for (int k = 0; k <= inputs; k++) to.steps[k] = steps[k][axis];
    }
    return launch(&arguments,
                  (arguments.items + THREADS_OF_ELEMENTWISE - 1) / THREADS_OF_ELEMENTWISE,
                  THREADS_OF_ELEMENTWISE);
  }
};

}  // namespace corepy
