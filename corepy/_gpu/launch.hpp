// Launches of kernels: normalizes the axes of operands and fills argument records.
//
// CUDA is called only through the address of its launch function, so that the same code launches
// kernels that were compiled for the host (tests/gpu/host).
#pragma once

#include <Python.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../_cython/layout/axes.hpp"
#include "kernels/arguments.cuh"

namespace corepy {

// A block's tile is square. A warp covers 8 lanes and 4 rows, so that it loads whole sectors of
// memory along either axis.
constexpr int TILE_ROWS = 5, TILE_LANES = 3, TILE = 1 << TILE_ROWS;
static_assert(TILE == pack_of_box(1, false) << TILE_LANES, "tiles are square");
static_assert(THREADS == 1 << (TILE_ROWS + TILE_LANES), "of one block each");

// As cuLaunchKernel: function, grid, block, shared memory, stream, arguments, extra.
typedef int (*LaunchFunction)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, void*, void**, void**);

// Releases the GIL. A launch waits while the device's queue is full, possibly for a host function
// that needs the GIL.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(thread_); }
  WithoutGil(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

// A kernel and the stream to launch it in.
struct Launch {
  LaunchFunction launch;
  void* function;
  void* stream;
  long long blocks;  // at most; kernels have grid-stride loops

  int operator()(void* arguments, long long grid) const {
    void* parameters[] = {arguments};
    const long long size = std::clamp(grid, 1LL, blocks);
    const WithoutGil unlocked;
    return launch(function, unsigned(size), 1, 1, THREADS, 1, 1, 0, stream, parameters, nullptr);
  }
};

// The multiplier and shift for divisions by `size`.
inline Divisor divisor_of(ptrdiff_t size) {
  if (size >= ptrdiff_t(1) << 31) return {0, 0};
  unsigned shift = 0;
  while ((uint64_t(1) << shift) < uint64_t(size)) shift++;
  const uint64_t multiplier =
      ((uint64_t(1) << 32) * ((uint64_t(1) << shift) - uint64_t(size))) / uint64_t(size) + 1;
  return {unsigned(multiplier), shift};
}

// An axis of the first OPERANDS operands, as an argument of kernels.
template <int OPERANDS, int N>
IterationAxis<OPERANDS> iteration_axis(const Axis<N>& axis) {
  IterationAxis<OPERANDS> to = {axis.size, divisor_of(axis.size), {}};
  for (int k = 0; k < OPERANDS; k++) to.strides[k] = axis.strides[k];
  return to;
}

template <int OPERANDS, int N>
void fill_axes(const Axes<N>& axes, IterationAxis<OPERANDS>* to) {
  for (int i = 0; i < axes.ndim; i++) to[i] = iteration_axis<OPERANDS>(axes[i]);
}

// Calls f with a value, one of FIRST and REST, as a constant.
template <int FIRST, int... REST, class F>
int with_constant(int value, const F& f) {
  if constexpr (sizeof...(REST) > 0) {
    if (value != FIRST) return with_constant<REST...>(value, f);
  }
  return f(std::integral_constant<int, FIRST>{});
}

// Calls f with the kernel's number of axes as a constant.
template <class F>
int by_bucket(int bucket, const F& f) {
  return with_constant<2, 4, 8, MAX_NDIM>(bucket, f);
}

// The axes of a launch's operands. Kernels count their elements in C order.
struct OperandAxes : Axes<MAX_OPERANDS> {
  // Set by measure().
  long long n;
  int bucket;  // NDIM of the kernel
  bool wide;   // 2^31 elements or more

  void add_axis(ptrdiff_t size, ptrdiff_t stride0, ptrdiff_t stride1 = 0, ptrdiff_t stride2 = 0) {
    add({size, {stride0, stride1, stride2}});
  }

  // Adds an axis even if its size is 1, for kernels that write an index for each axis.
  void append_axis(ptrdiff_t size) { axes[ndim++] = {size, {}}; }

  void measure() {
    n = size();
    wide = n >= (1LL << 31);
    bucket = ndim <= 2 ? 2 : ndim <= 4 ? 4 : ndim <= 8 ? 8 : MAX_NDIM;
  }

  void simplify() {
    collapse();
    measure();
  }

  // Combines elements of `itemsize` bytes into units of up to 16, where they are contiguous along
  // the innermost axis in operands 0 and 1 and operand 2 has stride 0. `alignment` is the bitwise
  // or of all addresses and other offsets. Returns the size of a unit.
  int widen(int itemsize, uint64_t alignment) {
    if (ndim == 0) return itemsize;
    Axis<MAX_OPERANDS>& run = innermost();
    if (run.strides[0] != itemsize || run.strides[1] != itemsize || run.strides[2] != 0) {
      return itemsize;
    }
    for (int i = 0; i < ndim - 1; i++) {
      alignment |= uint64_t(axes[i].strides[0]) | uint64_t(axes[i].strides[1]);
    }
    alignment |= uint64_t(run.size) * uint64_t(itemsize);
    int unit = itemsize;
    while (unit < 16 && alignment % uint64_t(2 * unit) == 0) unit *= 2;
    run.size = run.size * itemsize / unit;
    run.strides[0] = run.strides[1] = unit;
    if (run.size == 1) ndim--;
    measure();
    return unit;
  }

  template <int NDIM, int OPERANDS>
  void fill_space(IterationSpace<NDIM, OPERANDS>& space) const {
    space.n = n;
    space.ndim = ndim;
    space.axes[0] = {};
    fill_axes(*this, space.axes);
  }
};

// Launches a kernel with a record and the axes of its operands.
template <class Shape>
int launch_with_space(const Launch& launch, const Shape& shape, const OperandAxes& axes,
                      long long blocks) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    WithSpace<Shape, ndim> arguments;
    static_cast<Shape&>(arguments) = shape;
    axes.fill_space(arguments.space);
    return launch(&arguments, blocks);
  });
}

// An elementwise operation: operand 0 is the output. An input without an address is a scalar.
struct Elementwise : OperandAxes {
  char* data[MAX_OPERANDS];
  int itemsizes[MAX_OPERANDS];
  char scalars[MAX_OPERANDS][16];

  // Set by plan().
  bool runs;    // each operand is contiguous or one element; kernels then have no NDIM
  bool vector;  // packs are loaded and stored as vectors
  int single;   // bit k: input k is one element, where `runs`
  bool tiles;   // an input is contiguous along the axis before the innermost

  // Adds axes with the strides of each operand.
  void add_axes(int count, const ptrdiff_t* shape, const ptrdiff_t* const* strides) {
    for (int i = 0; i < count; i++) {
      Axis<MAX_OPERANDS> axis = {shape[i], {}};
      for (int k = 0; k < operands; k++) axis.strides[k] = strides[k][i];
      add(axis);
    }
  }

  // Sorts axes by the memory order of the output, ascending, and collapses them.
  void normalize() {
    for (int i = 0; i < ndim; i++) {
      if (axes[i].strides[0] >= 0) continue;
      for (int k = 0; k < operands; k++) {
        if (data[k]) data[k] += axes[i].extent(k);
      }
      axes[i].reverse();
    }
    sort(0);
    simplify();
  }

  void plan() {
    normalize();
    single = 0;
    runs = ndim <= 1;
    for (int k = 0; k < operands; k++) {
      const bool one = ndim == 0 || (ndim == 1 && axes[0].strides[k] == 0);
      if (k > 0 && (one || !data[k])) single |= 1 << (k - 1);
      if (ndim == 1 && !one) runs &= axes[0].strides[k] == itemsizes[k];
    }
    vector = runs ? runs_are_aligned() : packs_are_aligned();
    tiles = !runs && !vector && find_tiles();
  }

  int launch(const Launch& launch) const {
    if (runs) {
      RunArguments arguments;
      arguments.n = n;
      fill(arguments);
      const int tile = tile_of_run(widest(), vector);
      return launch(&arguments, ceil_div(n, tile));
    }
    return by_bucket(bucket, [&](auto ndim) { return launch_box<ndim>(launch); });
  }

 private:
  int widest() const { return *std::max_element(itemsizes, itemsizes + operands); }

  // Whether addresses are aligned to 16 bytes.
  bool runs_are_aligned() const {
    bool aligned = true;
    for (int k = 0; k < operands; k++) {
      if (k > 0 && single >> (k - 1) & 1) continue;
      aligned &= reinterpret_cast<uintptr_t>(data[k]) % 16 == 0;
    }
    return aligned;
  }

  // Whether the innermost axis has whole, aligned packs.
  bool packs_are_aligned() const {
    const int pack = pack_of_box(widest(), true);
    const Axis<MAX_OPERANDS>& last = innermost();
    bool aligned = last.size % pack == 0 && last.strides[0] != 0;
    for (int k = 0; k < operands && aligned; k++) {
      if (k > 0 && last.strides[k] == 0) continue;
      const ptrdiff_t bytes = pack * itemsizes[k];
      aligned = last.strides[k] == itemsizes[k] &&
                reinterpret_cast<uintptr_t>(data[k]) % bytes == 0 &&
                are_multiples(k, bytes, ndim - 1);
    }
    return aligned;
  }

  // The binary logarithm of the number of lanes, which leaves few idle threads at the end of the
  // innermost axis.
  static int lanes_of(ptrdiff_t length, int pack) {
    int lanes = 5;
    while (lanes > 0) {
      const ptrdiff_t group = ptrdiff_t(pack) << lanes;
      if (ceil_div(length, group) * group <= length + length / 8) break;
      lanes--;
    }
    return lanes;
  }

  // Whether an input is contiguous along another axis than the innermost, so that its accesses
  // would not coalesce; moves that axis before the innermost.
  bool find_tiles() {
    const int last = ndim - 1;
    if (ndim < 2 || axes[last].size < TILE / 2) return false;
    for (int k = 1; k < operands; k++) {
      int along = last;
      for (int i = 0; i < last; i++) {
        const ptrdiff_t stride = magnitude(axes[i].strides[k]);
        if (stride == 0 || axes[i].size < TILE / 2) continue;
        if (stride < magnitude(axes[along].strides[k])) along = i;
      }
      if (along == last || magnitude(axes[last].strides[k]) < 2 * itemsizes[k] + 16) continue;
      move_inwards(along, last - 1);
      return true;
    }
    return false;
  }

  template <class Arguments>
  void fill(Arguments& arguments) const {
    arguments.out = data[0];
    for (int k = 1; k < operands; k++) {
      arguments.inputs[k - 1].data = data[k];
      std::memcpy(arguments.inputs[k - 1].scalar, scalars[k], 16);
    }
  }

  template <int NDIM>
  int launch_box(const Launch& launch) const {
    BoxArguments<NDIM> arguments;
    fill(arguments);
    const int pack = pack_of_box(widest(), vector), last = ndim - 1;
    const int unused = has_all_axes<NDIM> ? NDIM - ndim : 0;
    arguments.ndim = ndim + unused;
    const Axis<4> one = {1, {}};
    for (int i = 0; i < unused; i++) arguments.axes[i] = iteration_axis<4>(one);
    arguments.length = axes[last].size;
    arguments.height = last > 0 ? axes[last - 1].size : 1;
    arguments.lanes = vector ? 0 : tiles ? TILE_LANES : lanes_of(axes[last].size, pack);
    arguments.rows = tiles ? TILE_ROWS : 0;
    const ptrdiff_t group = ptrdiff_t(pack) << arguments.lanes;
    arguments.items = ptrdiff_t(1) << (arguments.lanes + arguments.rows);
    for (int i = 0; i < ndim; i++) {
      const ptrdiff_t part = i == last ? group : i == last - 1 && tiles ? TILE : 1;
      Axis<4> axis = axes[i];
      axis.size = ceil_div(axis.size, part);
      arguments.items *= axis.size;
      arguments.axes[i + unused] = iteration_axis<4>(axis);
    }
    return launch(&arguments, ceil_div(arguments.items, THREADS));
  }
};

}  // namespace corepy
