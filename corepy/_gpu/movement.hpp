// From operands to launched kernels, for what moves elements: masks, indices, copies. As launch.hpp
// it makes layouts simple and fills in records.
#pragma once

#include "kernels/movement_arguments.cuh"
#include "launch.hpp"

namespace corepy {

constexpr int MOVE_THREADS = 256;

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
  Axis<2> sides[2];   // of a tile: the innermost axis of the output, and that of the input
  OperandAxes outer;  // the other axes

  // Whether the copy, of operands out and in, pays as tiles.
  bool plan(Elementwise& work) {
    constexpr ptrdiff_t LEAST = 16;  // of the sides of a tile, for it to be better than none
    work.normalize();
    const int last = work.ndim - 1;
    if (last < 1 || work[last].size < LEAST || work[last].strides[0] != work.itemsizes[0]) {
      return false;
    }
    int other = -1;
    for (int i = 0; i < last; i++) {
      if (magnitude(work[i].strides[1]) == work.itemsizes[1]) other = i;
    }
    if (other < 0 || work[other].size < LEAST ||
        magnitude(work[last].strides[1]) <= work.itemsizes[1]) {
      return false;
    }
    outer = work;
    const int taken[2] = {last, other};
    for (int k = 0; k < 2; k++) {
      const Axis<MAX_OPERANDS> axis = outer.take(taken[k]);
      sides[k] = {axis.size, {axis.strides[0], axis.strides[1]}};
    }
    outer.simplify();
    return true;
  }

  // Of a tile: a thread finds its place once for all of its elements, so there are more of small
  // ones.
  int side(int widest) const {
    return widest <= 4 && std::min(sides[0].size, sides[1].size) >= 64 ? 64 : 32;
  }

  int launch(const Launch& launch, char* out, const char* in, int side) const {
    return by_bucket(outer.bucket, [&](auto ndim) {
      TransposeArguments<ndim> arguments;
      arguments.out = out;
      arguments.in = in;
      arguments.tiles = outer.n;
      for (int k = 0; k < 2; k++) {
        arguments.across[k] = blocks_for(sides[k].size, side);
        arguments.tiles *= arguments.across[k];
        arguments.sizes[k] = sides[k].size;
        for (int j = 0; j < 2; j++) arguments.strides[j][k] = sides[k].strides[j];
      }
      outer.fill_walk(arguments.walk);
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
