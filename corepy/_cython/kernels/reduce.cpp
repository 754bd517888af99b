// A reduction is done in tiles: some results along one kept axis, from elements along one reduced
// axis, both chosen so that a tile is read in the order of memory. The kernels (simd/) compute the
// accumulators of a tile. Where the elements of a result are in several tiles, or are reduced by
// several threads, accumulators are merged, in an order that depends on sizes alone, and in groups
// of groups, so that the rounding errors of sums stay small.
#include "reduce.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "../layout/axes.hpp"
#include "iterate.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Operand 0 of kept axes is the output, of reduced axes the index of an element; operand 1 is the
// input.
using ReduceAxes = Axes<2>;
using ReduceAxis = Axis<2>;
using ReducePosition = Position<2>;

constexpr ptrdiff_t MOST_KEPT = 1024;  // results of a tile
constexpr ptrdiff_t ACCUMULATOR = 16;  // bytes of the largest
constexpr ptrdiff_t CHUNK = 1 << 16;   // bytes of input in a chunk for a thread
constexpr ptrdiff_t PRODUCT_CHUNK = 1
                                    << 17;  // within one, products may leave the range for a while
constexpr ptrdiff_t MOST_CHUNKS = 128;      // of the elements of results; each has accumulators
constexpr ptrdiff_t FEW = 16;  // elements: too few for an axis of tiles if there is a longer one

using Accumulators = char[MOST_KEPT * ACCUMULATOR];

// Merges the successive accumulators of a tile. 16 neighbours are merged, then 16 such groups, and
// so on: the error of a sum grows with the number of terms that are added in sequence.
class Merger {
 public:
  Merger(const Reduction& reduction, ptrdiff_t kept) : reduction(reduction), kept(kept) {}

  // Where to write the next accumulators, before add().
  char* next() { return counts[0] == 0 ? levels[0] : incoming; }

  void add() {
    if (counts[0] > 0) reduction.merge(kept, levels[0], incoming);
    counts[0]++;
    for (int k = 0; counts[k] == GROUP && k + 1 < LEVELS; k++) {
      if (counts[k + 1] == 0) {
        std::memcpy(levels[k + 1], levels[k], size_t(kept * reduction.accumulator));
      } else {
        reduction.merge(kept, levels[k + 1], levels[k]);
      }
      counts[k + 1]++;
      counts[k] = 0;
    }
  }

  // After one add() or more.
  void write(char* out) {
    char* last = nullptr;
    for (int k = 0; k < LEVELS; k++) {
      if (counts[k] == 0) continue;
      if (last) reduction.merge(kept, levels[k], last);
      last = levels[k];
    }
    std::memcpy(out, last, size_t(kept * reduction.accumulator));
  }

 private:
  static constexpr int LEVELS = 6, GROUP = 16;
  const Reduction& reduction;
  const ptrdiff_t kept;
  ptrdiff_t counts[LEVELS] = {};
  alignas(64) Accumulators levels[LEVELS], incoming;
};

bool is_index(Operation operation) { return operation == OP_argmax || operation == OP_argmin; }
bool is_moment(Operation operation) { return operation == OP_var || operation == OP_std; }

// Whether repeated elements make no difference.
bool is_idempotent(Operation operation) {
  switch (operation) {
    case OP_all:
    case OP_any:
    case OP_argmax:
    case OP_argmin:
    case OP_max:
    case OP_min:
      return true;
    default:
      return false;
  }
}

// What the sum of n terms is divided by.
double divisor_of(Operation operation, ptrdiff_t n, double correction) {
  if (operation == OP_mean) return double(n);
  const double left = double(n) - correction;
  return left > 0 ? left : std::numeric_limits<double>::quiet_NaN();
}

class Reducer {
 public:
  Reducer(Operation operation, Dtype input, Dtype result, int ndim, const ptrdiff_t* shape,
          const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
          const ptrdiff_t* out_strides, double correction, const ElementSource* source);
  ReduceStatus run();

 private:
  void normalize_axes();
  void choose_tiles();
  ptrdiff_t tile_width(ptrdiff_t tile) const {
    return std::min(width, kept_axis.size - tile / kept.size() * width);
  }
  void accumulate(const Reduction& reduction, ptrdiff_t tile, ptrdiff_t first, ptrdiff_t end,
                  const char* centers, char* accumulators) const;
  bool has_runs() const;
  bool compute(Tile& tile, char* memory) const;
  void finish(ptrdiff_t tile, const char* accumulators) const;
  void run_tile(ptrdiff_t tile) const;
  bool share_tiles(const Reduction& reduction, const char* centers, char* accumulators) const;

  const Operation operation;
  const Dtype input, result;
  const Reduction& reduction;
  const ElementSource* const source;
  mutable std::atomic<bool> failed{false};  // for want of memory
  const char* in;
  char* out;
  double divisor;
  ptrdiff_t elements = 1;          // of each result
  ReduceAxes kept{2}, reduced{2};  // without the axes of tiles
  ReduceAxis kept_axis, reduced_axis;
  ptrdiff_t width, height;  // of a tile: results, and elements of each
  ptrdiff_t tiles;          // columns of tiles, each with all elements of its results
  ptrdiff_t units;          // tiles in a column
};

Reducer::Reducer(Operation operation, Dtype input, Dtype result, int ndim, const ptrdiff_t* shape,
                 const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
                 const ptrdiff_t* out_strides, double correction, const ElementSource* source)
    : operation(operation),
      input(input),
      result(result),
      reduction(kernels().reductions[operation][input]),
      source(source),
      in(in),
      out(out) {
  ptrdiff_t index_step = 1;
  for (int i = ndim - 1; i >= 0; i--) {
    if (!reduced_axis[i]) continue;
    if (in_strides[i] != 0 || !is_idempotent(operation)) {
      reduced.add({shape[i], {index_step, in_strides[i]}});
    }
    index_step *= shape[i];
  }
  std::reverse(reduced.axes, reduced.axes + reduced.ndim);
  for (int i = 0; i < ndim; i++) {
    if (!reduced_axis[i]) kept.add({shape[i], {out_strides[i], in_strides[i]}});
  }
  elements = index_step;
  divisor = divisor_of(operation, elements, correction);
  normalize_axes();
  choose_tiles();
}

void Reducer::normalize_axes() {
  if (!is_index(operation)) {
    // The order of elements is free: along memory, upwards.
    for (int i = 0; i < reduced.ndim; i++) {
      ReduceAxis& axis = reduced[i];
      axis.strides[0] = 0;
      if (axis.strides[1] >= 0) continue;
      in += axis.extent(1);
      axis.reverse();
    }
  }
  for (int i = 0; i < kept.ndim; i++) {
    ReduceAxis& axis = kept[i];
    if (axis.strides[1] >= 0) continue;
    in += axis.extent(1);
    out += axis.extent(0);
    axis.reverse();
  }
  for (ReduceAxes* const axes : {&reduced, &kept}) {
    axes->sort(1, OUTERMOST);
    axes->collapse();
  }
}

void Reducer::choose_tiles() {
  // A run of one repeated element is faster than runs of elements that are far apart.
  const ptrdiff_t itemsize = dtype_itemsize[input];
  if (reduced.ndim > 1 && reduced[0].strides[1] == 0 &&
      reduced.innermost().strides[1] != itemsize &&
      (kept.ndim == 0 || kept.innermost().strides[1] != itemsize)) {
    reduced.move_inwards(0, reduced.ndim - 1);
  }
  // The innermost axes, unless they are so short that calls of kernels would cost more than work.
  const auto choose = [](ReduceAxes& axes, ptrdiff_t few) {
    int chosen = axes.ndim - 1;
    for (int i = axes.ndim - 2; i >= 0 && axes[chosen].size < few; i--) {
      if (axes[i].size > axes[chosen].size && axes[i].strides[1] != 0) chosen = i;
    }
    return axes.take(chosen);
  };
  reduced_axis = choose(reduced, FEW);
  kept_axis = choose(kept, ceil_div(4 * FEW, reduced_axis.size));

  const ptrdiff_t chunk = (operation == OP_prod ? PRODUCT_CHUNK : CHUNK) / itemsize;
  const bool rows = reduced_axis.strides[1] == 0 ||
                    magnitude(kept_axis.strides[1]) < magnitude(reduced_axis.strides[1]);
  width = ceil_div(kept_axis.size, ceil_div(kept_axis.size, MOST_KEPT));
  if (!rows) width = std::clamp<ptrdiff_t>(chunk / reduced_axis.size, 1, width);
  tiles = ceil_div(kept_axis.size, width) * kept.size();

  // Accumulators of columns are plain sums in sequence, so there must not be too many rows.
  ptrdiff_t limit = chunk;
  if (kept_axis.size > 1) {
    limit = rows ? std::max<ptrdiff_t>(32, 32768 / width) : std::max(chunk, reduced_axis.size / 8);
  }
  const ptrdiff_t parts = ceil_div(reduced_axis.size, limit), whole = rows ? 8 : 512;
  height = ceil_div(reduced_axis.size, parts);
  if (parts > 1) height = std::min(reduced_axis.size, ceil_div(height, whole) * whole);
  units = ceil_div(reduced_axis.size, height) * reduced.size();
}

// The accumulators of one column's results, from the units in [first, end).
void Reducer::accumulate(const Reduction& reduction, ptrdiff_t tile, ptrdiff_t first, ptrdiff_t end,
                         const char* centers, char* accumulators) const {
  const ptrdiff_t outer = kept.size(), inner = reduced.size();
  const ptrdiff_t start = tile / outer * width;
  const ReducePosition column(kept, tile % outer);
  const char* const corner = in + column[1] + start * kept_axis.strides[1];
  ReducePosition position(reduced, first % inner);
  const std::optional<Workspace> computed =
      source ? std::optional<Workspace>(std::in_place,
                                        size_t((width + 1) * (height + 1) * dtype_itemsize[input]))
             : std::nullopt;
  if (source && !computed->data()) {
    failed = true;
    return;
  }
  const auto accumulate_unit = [&](ptrdiff_t unit, char* to) {
    const ptrdiff_t row = unit / inner * height;
    Tile part = {tile_width(tile),
                 std::min(height, reduced_axis.size - row),
                 corner + position[1] + row * reduced_axis.strides[1],
                 kept_axis.strides[1],
                 reduced_axis.strides[1],
                 centers,
                 position[0] + row * reduced_axis.strides[0],
                 reduced_axis.strides[0]};
    if (source && !compute(part, computed->data())) {
      failed = true;
      return;
    }
    reduction.accumulate(part, to);
  };
  if (end - first == 1) return accumulate_unit(first, accumulators);
  Merger merger(reduction, tile_width(tile));
  for (ptrdiff_t unit = first; unit < end; unit++) {
    accumulate_unit(unit, merger.next());
    merger.add();
    position.advance();
  }
  merger.write(accumulators);
}

// Whether tiles have contiguous runs, which a source fills.
bool Reducer::has_runs() const {
  const ptrdiff_t itemsize = dtype_itemsize[input];
  for (const ReduceAxis& axis : {kept_axis, reduced_axis}) {
    if (axis.strides[1] == itemsize) return true;
  }
  return kept_axis.size == 1 && reduced_axis.size == 1;
}

// Has the elements of a tile computed, and the tile read them there. The kernels' way depends on
// whether its runs follow each other without gaps, so these are kept.
bool Reducer::compute(Tile& tile, char* memory) const {
  const ptrdiff_t itemsize = dtype_itemsize[input];
  const bool columns = kept_axis.strides[1] == itemsize;  // a run has elements of several results
  const ptrdiff_t run = columns ? tile.kept : tile.n, runs = columns ? tile.n : tile.kept;
  ptrdiff_t& pitch = columns ? tile.step : tile.kept_step;
  const ptrdiff_t first = (tile.in - source->base) / itemsize;
  tile.in = memory;
  if (runs == 1 || pitch == run * itemsize) {
    return source->fill(source->context, first, runs * run, memory);
  }
  const ptrdiff_t distance = pitch / itemsize;
  pitch = (run + 1) * itemsize;
  for (ptrdiff_t k = 0; k < runs; k++) {
    if (!source->fill(source->context, first + k * distance, run, memory + k * pitch)) return false;
  }
  return true;
}

void Reducer::finish(ptrdiff_t tile, const char* accumulators) const {
  const ptrdiff_t outer = kept.size();
  const ReducePosition column(kept, tile % outer);
  char* const to = out + column[0] + tile / outer * width * kept_axis.strides[0];
  reduction.finish(tile_width(tile), to, kept_axis.strides[0], accumulators, divisor);
}

void Reducer::run_tile(ptrdiff_t tile) const {
  alignas(64) Accumulators accumulators, centers;
  if (is_moment(operation)) {
    const Reduction& center = kernels().centers[input];
    accumulate(center, tile, 0, units, nullptr, accumulators);
    center.finish(tile_width(tile), centers, center.accumulator, accumulators, double(elements));
  }
  accumulate(reduction, tile, 0, units, centers, accumulators);
  finish(tile, accumulators);
}

// The accumulators of all results, which are few, from chunks that each have only some of the
// elements. False when there is no memory.
bool Reducer::share_tiles(const Reduction& reduction, const char* centers,
                          char* accumulators) const {
  const ptrdiff_t chunks = std::clamp<ptrdiff_t>(MOST_CHUNKS / tiles, 1, units);
  const ptrdiff_t slot = width * ACCUMULATOR;
  const std::unique_ptr<char, void (*)(void*)> parts(
      static_cast<char*>(std::malloc(size_t(tiles * chunks * slot))), std::free);
  if (!parts) return false;
  // Chunks after one that makes the only result final are not needed; of an index they are, unless
  // theirs are larger.
  std::atomic<ptrdiff_t> last{chunks - 1};
  const bool ascending = !is_index(operation) || reduced.size() == 1;
  const bool may_settle = tiles == 1 && width == 1 && reduction.settled && ascending;
  parallel_for(tiles * chunks, [&](ptrdiff_t part) {
    const ptrdiff_t tile = part % tiles, chunk = part / tiles;
    if (chunk > last.load(std::memory_order_relaxed)) return;
    char* const to = parts.get() + part * slot;
    accumulate(reduction, tile, chunk * units / chunks, (chunk + 1) * units / chunks,
               centers ? centers + tile * slot : nullptr, to);
    if (!may_settle || !reduction.settled(to)) return;
    ptrdiff_t before = last;
    while (chunk < before && !last.compare_exchange_weak(before, chunk)) {
    }
  });
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const ptrdiff_t kept = tile_width(tile);
    Merger merger(reduction, kept);
    for (ptrdiff_t chunk = 0; chunk <= last; chunk++) {
      std::memcpy(merger.next(), parts.get() + (chunk * tiles + tile) * slot,
                  size_t(kept * reduction.accumulator));
      merger.add();
    }
    merger.write(accumulators + tile * slot);
  }
  return true;
}

ReduceStatus Reducer::run() {
  if (source && !has_runs()) return REDUCE_NO_RUNS;
  const ptrdiff_t work = elements * width;  // per tile
  const ptrdiff_t chunk = CHUNK / dtype_itemsize[input];
  if (work < 2 * chunk || units == 1 || tiles >= MOST_CHUNKS / 2) {
    parallel_ranges(tiles, ceil_div(chunk, 2 * work), [&](ptrdiff_t begin, ptrdiff_t end) {
      for (ptrdiff_t tile = begin; tile < end; tile++) run_tile(tile);
    });
    return failed ? REDUCE_NO_MEMORY : REDUCE_DONE;
  }
  const ptrdiff_t slot = width * ACCUMULATOR;
  const std::unique_ptr<char, void (*)(void*)> memory(
      static_cast<char*>(std::malloc(size_t(2 * tiles * slot))), std::free);
  if (!memory) return REDUCE_NO_MEMORY;
  char* const accumulators = memory.get();
  char* const centers = accumulators + tiles * slot;
  if (is_moment(operation)) {
    const Reduction& center = kernels().centers[input];
    if (!share_tiles(center, nullptr, accumulators)) return REDUCE_NO_MEMORY;
    for (ptrdiff_t tile = 0; tile < tiles; tile++) {
      center.finish(tile_width(tile), centers + tile * slot, center.accumulator,
                    accumulators + tile * slot, double(elements));
    }
  }
  if (!share_tiles(reduction, centers, accumulators)) return REDUCE_NO_MEMORY;
  if (failed) return REDUCE_NO_MEMORY;
  for (ptrdiff_t tile = 0; tile < tiles; tile++) finish(tile, accumulators + tile * slot);
  return REDUCE_DONE;
}

// Writes results of no elements: the start value, or NaN for 0 / 0. False if they are undefined.
bool reduce_nothing(Operation operation, Dtype result, char* value) {
  if (reduce_identity(operation, result, value)) {
    if (operation != OP_mean) return true;
  } else if (!is_moment(operation)) {
    return false;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  char* const data[] = {value, reinterpret_cast<char*>(const_cast<double*>(&nan))};
  const ptrdiff_t steps[] = {0, 0};
  cast_kernel(DTYPE_float64, result)(1, data, steps);
  if (is_complex_dtype(result)) {
    const ptrdiff_t half = dtype_itemsize[result] / 2;
    std::memcpy(value + half, value, size_t(half));
  }
  return true;
}

// All elements in one tile of at most `most` results.
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

// Reduces one axis of a small matrix in C order, one tile of Reducer's, without its planning. False
// for other layouts.
bool reduce_small(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape,
                  const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
                  const ptrdiff_t* out_strides, double correction) {
  constexpr ptrdiff_t MOST_RESULTS = 128, MOST_ROWS = 32, MOST_BYTES = 16384;
  const ptrdiff_t itemsize = dtype_itemsize[input];
  if (ndim != 2 || reduced_axis[0] == reduced_axis[1] || shape[0] < 2 || shape[1] < 2 ||
      in_strides[1] != itemsize || in_strides[0] < shape[1] * itemsize) {
    return false;
  }
  const int kept = reduced_axis[0], reduced = 1 - kept;
  if (shape[kept] > MOST_RESULTS || (reduced == 0 && shape[0] > MOST_ROWS) ||
      shape[0] * shape[1] * itemsize > MOST_BYTES) {
    return false;
  }
  const Tile tile = {shape[kept],         shape[reduced], in, in_strides[kept],
                     in_strides[reduced], nullptr,        0,  1};
  reduce_tile<MOST_RESULTS>(operation, input, tile, out, out_strides[kept], correction);
  return true;
}

}  // namespace

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
      // Kernels have another way for a tile of one result: this row is reduced twice.
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

ReduceStatus reduce(Operation operation, Dtype input, Dtype result, int ndim,
                    const ptrdiff_t* shape, const char* in, const ptrdiff_t* in_strides,
                    const bool* reduced_axis, char* out, const ptrdiff_t* out_strides,
                    double correction, const ElementSource* source) {
  ptrdiff_t kept_shape[MAX_NDIM];
  bool nothing = false;
  for (int i = 0; i < ndim; i++) {
    kept_shape[i] = reduced_axis[i] ? 1 : shape[i];
    nothing |= reduced_axis[i] && shape[i] == 0;
  }
  const bool none_kept = is_empty(ndim, kept_shape);
  if (nothing) {
    const ptrdiff_t no_strides[MAX_NDIM] = {};
    alignas(16) char value[16];
    if (reduce_nothing(operation, result, value) && !none_kept) {
      copy(dtype_itemsize[result], ndim, kept_shape, out, out_strides, value, no_strides);
    }
    return REDUCE_DONE;
  }
  if (none_kept) return REDUCE_DONE;
  if (!source && reduce_small(operation, input, ndim, shape, in, in_strides, reduced_axis, out,
                              out_strides, correction)) {
    return REDUCE_DONE;
  }
  // Where the input is broadcast along a kept axis, so are the results.
  for (int i = 0; i < ndim; i++) {
    if (!reduced_axis[i]) kept_shape[i] = in_strides[i] == 0 ? 1 : shape[i];
  }
  ptrdiff_t distinct[MAX_NDIM];
  for (int i = 0; i < ndim; i++) distinct[i] = reduced_axis[i] ? shape[i] : kept_shape[i];
  const ReduceStatus status = Reducer(operation, input, result, ndim, distinct, in, in_strides,
                                      reduced_axis, out, out_strides, correction, source)
                                  .run();
  if (status != REDUCE_DONE) return status;
  for (int i = 0; i < ndim; i++) {
    if (reduced_axis[i] || kept_shape[i] == shape[i]) continue;
    kept_shape[i] = shape[i] - 1;
    ptrdiff_t repeated[MAX_NDIM];
    std::copy(out_strides, out_strides + ndim, repeated);
    repeated[i] = 0;
    copy(dtype_itemsize[result], ndim, kept_shape, out + out_strides[i], out_strides, out,
         repeated);
    kept_shape[i] = shape[i];
  }
  return REDUCE_DONE;
}

}  // namespace corepy
