// From operands to launched kernels, for sums of products of integers.
#pragma once

#include "movement.hpp"

namespace corepy {

// A product of stacks of matrices, or of vectors. `stacks` has the strides of a and b over them;
// the caller sets these, and sizes, steps and addresses in the record.
struct Product : ProductShape {
  OperandAxes stacks;
  int tile;  // set by plan()

  // Chooses tiles, and how many parts the terms are cut into where there are fewer tiles than
  // `blocks` could take.
  void plan(int itemsize, long long blocks) {
    stacks.simplify();
    const auto tiles = [&](long long size) {
      return stacks.n * blocks_for(rows, size) * blocks_for(columns, size);
    };
    tile = itemsize <= 4 && tiles(128) >= blocks ? 128 : 64;
    row_tiles = blocks_for(rows, tile);
    column_tiles = blocks_for(columns, tile);
    cut(terms, blocks / std::max(tiles(tile), 1LL), 256, 16);
  }

  void cut(long long n, long long parts, long long least, long long whole) {
    parts = std::clamp(parts, 1LL, std::max(n / least, 1LL));
    split = std::max(blocks_for(blocks_for(n, parts), whole), 1LL) * whole;
    splits = std::max(blocks_for(n, split), 1LL);
  }

  int launch_matrices(const Launch& launch) const {
    return by_bucket(stacks.bucket, [&](auto ndim) {
      ProductArguments<ndim> arguments;
      static_cast<ProductShape&>(arguments) = *this;
      stacks.fill_walk(arguments.walk);
      return launch(&arguments, row_tiles * column_tiles * stacks.n * splits, MOVE_THREADS);
    });
  }

  // ---- the same for vectors: `stacks` are the sums

  bool across;

  void plan_vectors(long long blocks) {
    stacks.simplify();
    const int last = stacks.ndim - 1;
    const auto side_by_side = [&](int k, long long term) {
      const ptrdiff_t stride = last >= 0 ? magnitude(stacks[last].strides[k]) : 0;
      return stride != 0 && stride < magnitude(term);
    };
    across = terms < 16 || side_by_side(0, a_term) || side_by_side(1, b_term);
    const long long groups = blocks_for(stacks.n, across ? 32 : MOVE_THREADS / 32);
    cut(terms, blocks / std::max(groups, 1LL), across ? 256 : 2048, 1);
  }

  int launch_vectors(const Launch& launch) const {
    return by_bucket(stacks.bucket, [&](auto ndim) {
      DotArguments<ndim> arguments;
      static_cast<DotShape&>(arguments) = *this;
      stacks.fill_walk(arguments.walk);
      return launch(&arguments, blocks_for(stacks.n, across ? 32 : MOVE_THREADS / 32) * splits,
                    MOVE_THREADS);
    });
  }
};

}  // namespace corepy
