// From operands to launched kernels, for what moves elements: masks, indices, copies. As launch.hpp
// it makes layouts simple and fills in records.
#pragma once

#include "kernels/movement_arguments.cuh"
#include "launch.hpp"

namespace corepy {

constexpr int MOVE_THREADS = 256;

// Calls f with the constant that stands for the kernel's number of axes.
template <class F>
int by_bucket(int bucket, const F& f) {
  switch (bucket) {
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, MAX_NDIM>{});
  }
}

// Axes with the steps of up to four operands. Kernels count their elements in C order.
struct OperandAxes : Elementwise {
  explicit OperandAxes(int operands = 1) {
    inputs = operands - 1;
    ndim = 0;
    n = 1;
  }

  void add_axis(ptrdiff_t size, ptrdiff_t step0, ptrdiff_t step1 = 0, ptrdiff_t step2 = 0) {
    sizes[ndim] = size;
    steps[0][ndim] = step0;
    steps[1][ndim] = step1;
    steps[2][ndim] = step2;
    ndim++;
    n *= size;
  }

  void simplify() {
    drop_axes();
    join_axes();
    measure();
  }

  // Makes elements of `itemsize` bytes, where they are runs along the innermost axis in the first
  // two operands and the third does not move, fewer and larger. `alignment` has all bits of all
  // addresses and of whatever else is added to them. Returns their size.
  int widen(int itemsize, uint64_t alignment) {
    if (ndim == 0 || steps[0][ndim - 1] != itemsize || steps[2][ndim - 1] != 0) return itemsize;
    if (steps[1][ndim - 1] != itemsize && steps[1][ndim - 1] != 0) return itemsize;
    if (steps[1][ndim - 1] == 0) return itemsize;
    for (int axis = 0; axis < ndim - 1; axis++) {
      alignment |= uint64_t(steps[0][axis]) | uint64_t(steps[1][axis]);
    }
    alignment |= uint64_t(sizes[ndim - 1]) * uint64_t(itemsize);
    int unit = itemsize;
    while (unit < 16 && alignment % uint64_t(2 * unit) == 0) unit *= 2;
    sizes[ndim - 1] = sizes[ndim - 1] * itemsize / unit;
    n = n * itemsize / unit;
    for (int k = 0; k < 2; k++) steps[k][ndim - 1] = unit;
    // An axis of one element has no step of its own.
    simplify();
    return unit;
  }

  template <int NDIM, int OPERANDS>
  void fill_walk(Walk<NDIM, OPERANDS>& walk) const {
    walk.n = n;
    walk.ndim = ndim;
    walk.axes[0] = {};
    for (int axis = 0; axis < ndim; axis++) {
      walk.axes[axis] = walk_axis<OPERANDS>(sizes[axis]);
      for (int k = 0; k < OPERANDS; k++) walk.axes[axis].steps[k] = steps[k][axis];
    }
  }
};

inline long long blocks_for(long long n, long long turn) { return (n + turn - 1) / turn; }

// ---- masks

// Cuts a mask of n elements into chunks.
inline void cut_mask(MaskArguments& mask) {
  const long long turns = blocks_for(mask.n, MASK_TILE);
  mask.chunk = blocks_for(turns, MASK_CHUNKS) * MASK_TILE;
  mask.chunks = blocks_for(mask.n, mask.chunk);
}

inline int count_mask(const Launch& launch, MaskArguments mask) {
  return launch(&mask, mask.chunks, MOVE_THREADS);
}

// Compact: elements of `data`, whose axes are `axes`, and `packed`.
inline int pack_masked(const Launch& launch, const MaskArguments& mask, long long count,
                       const OperandAxes& axes, char* data, char* packed) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    PackArguments<ndim> arguments;
    arguments.mask = mask;
    arguments.count = count;
    arguments.data = data;
    arguments.packed = packed;
    axes.fill_walk(arguments.walk);
    return launch(&arguments, mask.chunks, MOVE_THREADS);
  });
}

inline int fill_mask(const Launch& launch, const OperandAxes& axes, char* data, const char* mask,
                     const char* value, const char* scalar) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    FillArguments<ndim> arguments;
    arguments.data = data;
    arguments.mask = mask;
    arguments.value.data = value;
    std::memcpy(arguments.value.scalar, scalar, 16);
    axes.fill_walk(arguments.walk);
    return launch(&arguments, blocks_for(axes.n, MOVE_THREADS * 4), MOVE_THREADS);
  });
}

// ---- indices

inline int gather(const Launch& launch, const OperandAxes& axes, char* out, const char* base,
                  const char* index, ptrdiff_t size, ptrdiff_t stride, char* flag) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    GatherArguments<ndim> arguments;
    arguments.out = out;
    arguments.base = base;
    arguments.index = index;
    arguments.size = size;
    arguments.stride = stride;
    arguments.flag = reinterpret_cast<long long*>(flag);
    axes.fill_walk(arguments.walk);
    return launch(&arguments, blocks_for(axes.n, MOVE_THREADS * 4), MOVE_THREADS);
  });
}

inline int scatter(const Launch& launch, const OperandAxes& axes, char* base, const char* value,
                   const char* scalar, const char* offsets) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    ScatterArguments<ndim> arguments;
    arguments.base = base;
    arguments.value.data = value;
    std::memcpy(arguments.value.scalar, scalar, 16);
    arguments.offsets = offsets;
    axes.fill_walk(arguments.walk);
    return launch(&arguments, blocks_for(axes.n, MOVE_THREADS), MOVE_THREADS);
  });
}

inline int prepare_indices(const Launch& launch, IndexArguments& arguments) {
  return launch(&arguments, blocks_for(arguments.n, MOVE_THREADS), MOVE_THREADS);
}

// ---- movement

// A copy whose operands have different innermost axes.
struct TransposePlan {
  OperandAxes others{2};
  ptrdiff_t sizes[2];
  ptrdiff_t steps[2][2];

  // Whether the copy, of operands out and in, pays as tiles.
  bool plan(Elementwise& work) {
    constexpr ptrdiff_t LEAST = 16;  // of the sides of a tile, for it to be better than none
    work.drop_axes();
    work.turn_axes();
    work.sort_axes();
    work.join_axes();
    const int last = work.ndim - 1;
    if (last < 1 || work.sizes[last] < LEAST || work.steps[0][last] != work.itemsizes[0]) {
      return false;
    }
    int other = -1;
    for (int axis = 0; axis < last; axis++) {
      if (Elementwise::distance(work.steps[1][axis]) == work.itemsizes[1]) other = axis;
    }
    if (other < 0 || work.sizes[other] < LEAST ||
        Elementwise::distance(work.steps[1][last]) <= work.itemsizes[1]) {
      return false;
    }
    const int axes[2] = {last, other};
    for (int k = 0; k < 2; k++) {
      sizes[k] = work.sizes[axes[k]];
      steps[0][k] = work.steps[0][axes[k]];
      steps[1][k] = work.steps[1][axes[k]];
    }
    for (int axis = 0; axis < last; axis++) {
      if (axis != other) {
        others.add_axis(work.sizes[axis], work.steps[0][axis], work.steps[1][axis]);
      }
    }
    others.simplify();
    return true;
  }

  // Of a tile: a thread finds its place once for all of its elements, so there are more of small
  // ones.
  int side(int widest) const { return widest <= 4 && std::min(sizes[0], sizes[1]) >= 64 ? 64 : 32; }

  int launch(const Launch& launch, char* out, const char* in, int side) const {
    return by_bucket(others.bucket, [&](auto ndim) {
      TransposeArguments<ndim> arguments;
      arguments.out = out;
      arguments.in = in;
      arguments.tiles = others.n;
      for (int k = 0; k < 2; k++) {
        arguments.across[k] = blocks_for(sizes[k], side);
        arguments.tiles *= arguments.across[k];
        arguments.sizes[k] = sizes[k];
        for (int j = 0; j < 2; j++) arguments.steps[j][k] = steps[j][k];
      }
      others.fill_walk(arguments.walk);
      return launch(&arguments, arguments.tiles, MOVE_THREADS);
    });
  }
};

inline int copy_triangle(const Launch& launch, TriangleArguments arguments) {
  return launch(&arguments, blocks_for(arguments.n, MOVE_THREADS * 4), MOVE_THREADS);
}

inline int search_sorted(const Launch& launch, SearchArguments arguments) {
  return launch(&arguments, blocks_for(arguments.n, MOVE_THREADS), MOVE_THREADS);
}

inline int write_progression(const Launch& launch, ProgressionArguments arguments) {
  return launch(&arguments, blocks_for(arguments.n, MOVE_THREADS), MOVE_THREADS);
}

}  // namespace corepy
