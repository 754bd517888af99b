// Launches of kernels for sums of products of integers.
#pragma once

#include "movement.hpp"

namespace corepy {

// A product of stacks of matrices or vectors. The caller sets `stacks`, the axes of the stacks of a
// and b, and the record's sizes, steps and addresses.
struct Product : ProductShape {
  OperandAxes stacks;
  int tile;  // set by plan()

  // Chooses tiles, and splits the terms if there are fewer tiles than `blocks`.
  void plan(int itemsize, long long blocks) {
    stacks.simplify();
    const auto tiles = [&](long long size) {
      return stacks.n * ceil_div(rows, size) * ceil_div(columns, size);
    };
    tile = itemsize <= 4 && tiles(128) >= blocks ? 128 : 64;
    row_tiles = ceil_div(rows, tile);
    column_tiles = ceil_div(columns, tile);
    split_terms(terms, blocks / std::max(tiles(tile), 1LL), 256, 16);
  }

  void split_terms(long long n, long long count, long long least, long long whole) {
    count = std::clamp(count, 1LL, std::max(n / least, 1LL));
    split = std::max<long long>(ceil_div(ceil_div(n, count), whole), 1) * whole;
    splits = std::max<long long>(ceil_div(n, split), 1);
  }

  int launch_matrices(const Launch& launch) const {
    return launch_with_space<ProductShape>(launch, *this, stacks,
                                           row_tiles * column_tiles * stacks.n * splits);
  }

  // ---- the same for vectors: `stacks` has the axes of the sums

  bool across;

  void plan_vectors(long long blocks) {
    stacks.simplify();
    const int last = stacks.ndim - 1;
    const auto are_adjacent = [&](int k, long long term) {
      const ptrdiff_t stride = last >= 0 ? magnitude(stacks[last].strides[k]) : 0;
      return stride != 0 && stride < magnitude(term);
    };
    across = terms < 16 || are_adjacent(0, a_term) || are_adjacent(1, b_term);
    split_terms(terms, blocks / std::max(groups(), 1LL), across ? 256 : 2048, 1);
  }

  // The groups of sums that a block computes at a time.
  long long groups() const { return ceil_div(stacks.n, across ? 32 : THREADS / 32); }

  int launch_vectors(const Launch& launch) const {
    return launch_with_space<DotShape>(launch, *this, stacks, groups() * splits);
  }
};

}  // namespace corepy
