// Launches of kernels that move elements: masks, indices, copies.
#pragma once

#include "kernels/movement_arguments.cuh"
#include "launch.hpp"

namespace corepy {

constexpr int MOVE_THREADS = 256;

// ---- masks

// Splits a mask of n elements into chunks.
inline void split_mask(MaskArguments& mask) {
  const long long tiles = ceil_div(mask.n, MASK_TILE);
  mask.chunk = ceil_div(tiles, MASK_CHUNKS) * MASK_TILE;
  mask.chunks = ceil_div(mask.n, mask.chunk);
}

inline int count_mask(const Launch& launch, MaskArguments mask) {
  return launch(&mask, mask.chunks, MOVE_THREADS);
}

// Launches Compact on `data`, with the axes `axes`, and `packed`.
inline int pack_masked(const Launch& launch, const MaskArguments& mask, long long count,
                       const OperandAxes& axes, char* data, char* packed) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    PackArguments<ndim> arguments;
    arguments.mask = mask;
    arguments.count = count;
    arguments.data = data;
    arguments.packed = packed;
    axes.fill_space(arguments.space);
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
    axes.fill_space(arguments.space);
    return launch(&arguments, ceil_div(axes.n, MOVE_THREADS * 4), MOVE_THREADS);
  });
}

// ---- indices

inline int gather(const Launch& launch, const OperandAxes& axes, char* out, const char* base,
                  const char* index, ptrdiff_t size, ptrdiff_t stride, long long* report) {
  return by_bucket(axes.bucket, [&](auto ndim) {
    GatherArguments<ndim> arguments;
    arguments.out = out;
    arguments.base = base;
    arguments.index = index;
    arguments.size = size;
    arguments.stride = stride;
    arguments.report = report;
    axes.fill_space(arguments.space);
    return launch(&arguments, ceil_div(axes.n, MOVE_THREADS * 4), MOVE_THREADS);
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
    axes.fill_space(arguments.space);
    return launch(&arguments, ceil_div(axes.n, MOVE_THREADS), MOVE_THREADS);
  });
}

inline int prepare_indices(const Launch& launch, IndexArguments& arguments) {
  return launch(&arguments, ceil_div(arguments.n, MOVE_THREADS), MOVE_THREADS);
}

// ---- movement

// A copy whose operands have different innermost axes.
struct TransposePlan {
  Axis<2> sides[2];   // of a tile: the innermost axis of the output, and that of the input
  OperandAxes outer;  // the other axes

  // Whether a copy by tiles is faster.
  bool plan(Elementwise& work) {
    constexpr ptrdiff_t LEAST = 16;  // elements along both axes of a tile
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

  // The side of a tile. It is larger for small elements: a thread computes offsets once for all of
  // its elements.
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
        arguments.across[k] = ceil_div(sides[k].size, side);
        arguments.tiles *= arguments.across[k];
        arguments.sizes[k] = sides[k].size;
        for (int j = 0; j < 2; j++) arguments.strides[j][k] = sides[k].strides[j];
      }
      outer.fill_space(arguments.space);
      return launch(&arguments, arguments.tiles, MOVE_THREADS);
    });
  }
};

inline int copy_triangle(const Launch& launch, TriangleArguments arguments) {
  return launch(&arguments, ceil_div(arguments.n, MOVE_THREADS * 4), MOVE_THREADS);
}

inline int search_sorted(const Launch& launch, SearchArguments arguments) {
  return launch(&arguments, ceil_div(arguments.n, MOVE_THREADS), MOVE_THREADS);
}

inline int write_sequence(const Launch& launch, long long n, char* out, const Sequence& plan) {
  ProgressionArguments arguments;
  arguments.n = n;
  arguments.out = out;
  for (int k = 0; k < 2; k++) {
    arguments.first[k] = plan.terms.first[k];
    arguments.step[k] = plan.terms.step[k];
  }
  arguments.whole_first = plan.terms.whole_first;
  arguments.whole_step = plan.terms.whole_step;
  arguments.given = plan.given;
  arguments.ends = plan.ends;
  std::memcpy(arguments.starts, plan.starts, sizeof plan.starts);
  std::memcpy(arguments.last, plan.last, sizeof plan.last);
  return launch(&arguments, ceil_div(n, MOVE_THREADS), MOVE_THREADS);
}

}  // namespace corepy
