#include "reduce_small.hpp"

#include <algorithm>
#include <cstring>

#include "reduce.hpp"

namespace corepy {

namespace {

// Reduces one tile of at most `most` results.
template <ptrdiff_t most>
void reduce_tile(Operation operation, Dtype input, Tile tile, char* out, ptrdiff_t out_step,
                 double correction) {
  const Reduction& reduction = kernels().reductions[operation][input];
  alignas(16) char accumulators[most * ACCUMULATOR], centers[most * ACCUMULATOR];
  if (is_moment(operation)) {
    const Reduction& mean = kernels().centers[input];
    mean.accumulate(tile, accumulators);
    mean.finish(tile.kept, centers, mean.accumulator, accumulators, double(tile.n));
    tile.centers = centers;
  }
  reduction.accumulate(tile, accumulators);
  reduction.finish(tile.kept, out, out_step, accumulators,
                   divisor_of(operation, tile.n, correction));
}

}  // namespace

bool reduce_small(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape,
                  const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
                  const ptrdiff_t* out_strides, double correction) {
  constexpr ptrdiff_t MAX_RESULTS = 128, MAX_ROWS = 32, MAX_BYTES = 16384;
  const ptrdiff_t itemsize = dtype_itemsize[input];
  if (ndim != 2 || reduced_axis[0] == reduced_axis[1] || shape[0] < 2 || shape[1] < 2 ||
      in_strides[1] != itemsize || in_strides[0] < shape[1] * itemsize) {
    return false;
  }
  const int kept = reduced_axis[0], reduced = 1 - kept;
  if (shape[kept] > MAX_RESULTS || (reduced == 0 && shape[0] > MAX_ROWS) ||
      shape[0] * shape[1] * itemsize > MAX_BYTES) {
    return false;
  }
  const Tile tile = {shape[kept],         shape[reduced], in, in_strides[kept],
                     in_strides[reduced], nullptr,        0,  1};
  reduce_tile<MAX_RESULTS>(operation, input, tile, out, out_strides[kept], correction);
  return true;
}

void reduce_few(Operation operation, Dtype input, ptrdiff_t n, const char* in, char* out,
                double correction) {
  reduce_tile<1>(operation, input, {1, n, in, 0, dtype_itemsize[input], nullptr, 0, 1}, out, 0,
                 correction);
}

void reduce_row_tile(Operation operation, Dtype input, const Tile& tile, char* out,
                     ptrdiff_t out_step, ptrdiff_t itemsize, double correction, bool alone) {
  constexpr ptrdiff_t most = 128;
  for (ptrdiff_t k = 0; k < tile.kept; k += most) {
    Tile part = tile;
    part.kept = std::min(most, tile.kept - k);
    part.in += k * tile.kept_step;
    if (part.kept == 1 && !alone) {
      // Kernels treat a tile of one result differently, so this row is reduced twice.
      part.kept = 2;
      part.kept_step = 0;
      alignas(16) char results[2 * ACCUMULATOR];
      reduce_tile<most>(operation, input, part, results, ACCUMULATOR, correction);
      std::memcpy(out + k * out_step, results, size_t(itemsize));
      continue;
    }
    reduce_tile<most>(operation, input, part, out + k * out_step, out_step, correction);
  }
}

}  // namespace corepy
