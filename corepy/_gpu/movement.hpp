// Launches of kernels that move elements: masks, indices, copies.
#pragma once

#include "kernels/movement_arguments.cuh"
#include "launch.hpp"

namespace corepy {

// Splits a mask of n elements into chunks.
inline void split_mask(MaskArguments& mask) {
  const long long tiles = ceil_div(mask.n, MASK_TILE);
  mask.chunk = ceil_div(tiles, MASK_CHUNKS) * MASK_TILE;
  mask.chunks = ceil_div(mask.n, mask.chunk);
}

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
    TransposeShape shape;
    shape.out = out;
    shape.in = in;
    shape.tiles = outer.n;
    for (int k = 0; k < 2; k++) {
      shape.across[k] = ceil_div(sides[k].size, side);
      shape.tiles *= shape.across[k];
      shape.sizes[k] = sides[k].size;
      for (int j = 0; j < 2; j++) shape.strides[j][k] = sides[k].strides[j];
    }
    return launch_with_space(launch, shape, outer, shape.tiles);
  }
};

}  // namespace corepy
