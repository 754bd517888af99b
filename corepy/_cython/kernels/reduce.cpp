// A reduction is computed in tiles: results along one kept axis, from elements along one reduced
// axis, chosen so that a tile is read in memory order. The kernels (simd/) compute the accumulators
// of a tile. Accumulators of several tiles or threads are merged in an order that depends on sizes
// alone, and hierarchically, so that the rounding errors of sums stay small.
#include "reduce.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "../layout/axes.hpp"
#include "iterate.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "reduce_small.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Operand 0 is the output for kept axes, and the index of an element for reduced axes; operand 1 is
// the input.
using ReduceAxes = Axes<2>;
using ReduceAxis = Axis<2>;
using ReducePosition = Position<2>;

constexpr ptrdiff_t MAX_KEPT = 1024;          // results of a tile
constexpr ptrdiff_t CHUNK = 1 << 16;          // bytes of input in a chunk for a thread
constexpr ptrdiff_t PRODUCT_CHUNK = 1 << 17;  // of products, which may overflow within a chunk
constexpr ptrdiff_t MAX_CHUNKS = 128;         // each has accumulators for all results
constexpr ptrdiff_t COMPUTED_CHUNKS = 4;      // are shared at once: the first takes 3 us or more
constexpr ptrdiff_t FEW = 16;                 // elements of an axis that are too few for tiles

// Bytes of an element in chunks: halves are added in the order of float32.
ptrdiff_t summed_bytes(Dtype input) {
  return dtype_itemsize[is_half(input) ? DTYPE_float32 : input];
}

using Accumulators = char[MAX_KEPT * ACCUMULATOR];

// Merges the successive accumulators of a tile: 16 neighbours, then 16 such groups, and so on. The
// error of a sum grows with the number of terms that are added in sequence.
class Merger {
 public:
  // Bytes of memory for `kept` results.
  static constexpr ptrdiff_t memory(ptrdiff_t kept) { return (LEVELS + 1) * kept * ACCUMULATOR; }

  Merger(const Reduction& reduction, ptrdiff_t kept, char* memory)
      : reduction(reduction), kept(kept), memory_of_levels(memory) {}

  // The destination of the next accumulators, before add().
  char* next() { return counts[0] == 0 ? level(0) : incoming(); }

  void add() {
    if (counts[0] > 0) reduction.merge(kept, level(0), incoming());
    counts[0]++;
    for (int k = 0; counts[k] == GROUP && k + 1 < LEVELS; k++) {
      if (counts[k + 1] == 0) {
        std::memcpy(level(k + 1), level(k), size_t(kept * reduction.accumulator));
      } else {
        reduction.merge(kept, level(k + 1), level(k));
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
      if (last) reduction.merge(kept, level(k), last);
      last = level(k);
    }
    std::memcpy(out, last, size_t(kept * reduction.accumulator));
  }

 private:
  static constexpr int LEVELS = 6, GROUP = 16;
  char* level(int k) const { return memory_of_levels + k * kept * ACCUMULATOR; }
  char* incoming() const { return level(LEVELS); }

  const Reduction& reduction;
  const ptrdiff_t kept;
  char* const memory_of_levels;
  ptrdiff_t counts[LEVELS] = {};
};

bool is_index(Operation operation) { return operation == OP_argmax || operation == OP_argmin; }

// Whether repeated elements do not change the result.
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

// One of the reductions of a pass.
struct Job {
  Operation operation;
  const Reduction* reduction;
  const Reduction* center;  // of the means for var and std; nullptr for others
  const char* in;
  char* out;
  double divisor;
  const ElementSource* source;
  int array;
};

// A job of one pass over the elements, and the reduction that it accumulates in it.
struct Turn {
  const Job* job;
  const Reduction* reduction;
  int slot;  // the job's number
};
struct Turns {
  int count = 0;
  Turn all[MAX_JOINT_REDUCTIONS];
};

// Memory for the parts of sources that turns read.
class ComputedParts {
 public:
  ComputedParts(const Turns& turns, ptrdiff_t nbytes);
  explicit operator bool() const { return !memory || memory->data(); }

  // Computes elements [first, first + n) at `offset` in each part.
  bool fill(ptrdiff_t first, ptrdiff_t n, ptrdiff_t offset) const;
  char* part(const Turn& turn) const { return parts[sources_of[turn.slot]][turn.job->array]; }
  bool any() const { return sources > 0; }

 private:
  int sources = 0;
  const ElementSource* all[MAX_JOINT_REDUCTIONS];
  int sources_of[MAX_JOINT_REDUCTIONS];
  char* parts[MAX_JOINT_REDUCTIONS][ElementSource::MAX_ARRAYS];
  std::optional<Workspace> memory;
};

ComputedParts::ComputedParts(const Turns& turns, ptrdiff_t nbytes) {
  nbytes = ceil_div(nbytes, 64) * 64;
  int arrays = 0;
  for (int t = 0; t < turns.count; t++) {
    const ElementSource* const source = turns.all[t].job->source;
    if (!source) continue;
    const int known = int(std::find(all, all + sources, source) - all);
    sources_of[turns.all[t].slot] = known;
    if (known < sources) continue;
    all[sources++] = source;
    arrays += source->arrays;
  }
  if (sources == 0) return;
  memory.emplace(size_t(arrays * nbytes));
  char* next = memory->data();
  for (int k = 0; k < sources && next; k++) {
    for (int i = 0; i < all[k]->arrays; i++, next += nbytes) parts[k][i] = next;
  }
}

bool ComputedParts::fill(ptrdiff_t first, ptrdiff_t n, ptrdiff_t offset) const {
  for (int k = 0; k < sources; k++) {
    char* out[ElementSource::MAX_ARRAYS];
    for (int i = 0; i < all[k]->arrays; i++) out[i] = parts[k][i] + offset;
    if (!all[k]->fill(all[k]->context, first, n, out)) return false;
  }
  return true;
}

class Reducer {
 public:
  Reducer(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
          const ptrdiff_t* in_strides, const bool* reduced_axis, const ptrdiff_t* out_strides);
  bool run();
  bool has_runs() const;

 private:
  void normalize_axes();
  void choose_tiles();
  Turns turns_of(bool centers) const;
  ptrdiff_t slot_bytes() const { return width * ACCUMULATOR; }
  ptrdiff_t tile_width(ptrdiff_t tile) const {
    return std::min(width, kept_axis.size - tile / kept.size() * width);
  }
  void accumulate(const Turns& turns, ptrdiff_t tile, ptrdiff_t first, ptrdiff_t end,
                  const char* centers, char* accumulators) const;
  bool compute(Tile& tile, ptrdiff_t offset, const ComputedParts& parts) const;
  void finish_centers(const Turns& turns, ptrdiff_t tile, const char* accumulators,
                      char* centers) const;
  void finish(ptrdiff_t tile, const char* accumulators) const;
  void run_tile(ptrdiff_t tile) const;
  bool share_tiles(const Turns& turns, const char* centers, char* accumulators) const;

  const int count;
  Job jobs[MAX_JOINT_REDUCTIONS];
  const Operation operation;  // of the first job
  const Dtype input;
  int source_job = -1;                      // a job with a source; -1: none
  mutable std::atomic<bool> failed{false};  // for lack of memory
  ptrdiff_t elements = 1;                   // of each result
  ReduceAxes kept{2}, reduced{2};           // without the axes of tiles
  ReduceAxis kept_axis, reduced_axis;
  ptrdiff_t width, height;  // of a tile: results, and elements of each
  ptrdiff_t tiles;          // columns of tiles, each with all elements of its results
  ptrdiff_t units;          // tiles in a column
};

Reducer::Reducer(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                 const ptrdiff_t* in_strides, const bool* reduced_axis,
                 const ptrdiff_t* out_strides)
    : count(count), operation(reductions[0].operation), input(reductions[0].input) {
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
  for (int j = 0; j < count; j++) {
    const JointReduction& each = reductions[j];
    jobs[j] = {each.operation,
               &kernels().reductions[each.operation][each.input],
               is_moment(each.operation) ? &kernels().centers[each.input] : nullptr,
               each.in,
               each.out,
               divisor_of(each.operation, elements, each.correction),
               each.source,
               each.array};
    if (each.source) source_job = j;
  }
  normalize_axes();
  choose_tiles();
}

void Reducer::normalize_axes() {
  if (!is_index(operation)) {
    // The order of elements does not matter: by ascending addresses.
    for (int i = 0; i < reduced.ndim; i++) {
      ReduceAxis& axis = reduced[i];
      axis.strides[0] = 0;
      if (axis.strides[1] >= 0) continue;
      for (int j = 0; j < count; j++) jobs[j].in += axis.extent(1);
      axis.reverse();
    }
  }
  for (int i = 0; i < kept.ndim; i++) {
    ReduceAxis& axis = kept[i];
    if (axis.strides[1] >= 0) continue;
    for (int j = 0; j < count; j++) {
      jobs[j].in += axis.extent(1);
      jobs[j].out += axis.extent(0);
    }
    axis.reverse();
  }
  for (ReduceAxes* const axes : {&reduced, &kept}) {
    axes->sort(1, OUTERMOST);
    axes->collapse();
  }
}

void Reducer::choose_tiles() {
  // Runs of one repeated element are faster than runs of distant elements.
  const ptrdiff_t itemsize = dtype_itemsize[input];
  if (reduced.ndim > 1 && reduced[0].strides[1] == 0 &&
      reduced.innermost().strides[1] != itemsize &&
      (kept.ndim == 0 || kept.innermost().strides[1] != itemsize)) {
    reduced.move_inwards(0, reduced.ndim - 1);
  }
  // The innermost axes, unless they are so short that calls of kernels would dominate.
  const auto choose = [](ReduceAxes& axes, ptrdiff_t few) {
    int chosen = axes.ndim - 1;
    for (int i = axes.ndim - 2; i >= 0 && axes[chosen].size < few; i--) {
      if (axes[i].size > axes[chosen].size && axes[i].strides[1] != 0) chosen = i;
    }
    return axes.take(chosen);
  };
  reduced_axis = choose(reduced, FEW);
  kept_axis = choose(kept, ceil_div(4 * FEW, reduced_axis.size));

  const ptrdiff_t chunk = (operation == OP_prod ? PRODUCT_CHUNK : CHUNK) / summed_bytes(input);
  const bool rows = reduced_axis.strides[1] == 0 ||
                    magnitude(kept_axis.strides[1]) < magnitude(reduced_axis.strides[1]);
  width = ceil_div(kept_axis.size, ceil_div(kept_axis.size, MAX_KEPT));
  if (!rows) width = std::clamp<ptrdiff_t>(chunk / reduced_axis.size, 1, width);
  tiles = ceil_div(kept_axis.size, width) * kept.size();

  // Accumulators of columns add rows in sequence, so the number of rows is limited.
  ptrdiff_t limit = chunk;
  if (kept_axis.size > 1) {
    limit = rows ? std::max<ptrdiff_t>(32, 32768 / width) : std::max(chunk, reduced_axis.size / 8);
  }
  const ptrdiff_t parts = ceil_div(reduced_axis.size, limit), whole = rows ? 8 : 512;
  height = ceil_div(reduced_axis.size, parts);
  if (parts > 1) height = std::min(reduced_axis.size, ceil_div(height, whole) * whole);
  units = ceil_div(reduced_axis.size, height) * reduced.size();
}

// The turns of the first pass, which computes the means for var and std, or of the second
// (`centers` false).
Turns Reducer::turns_of(bool centers) const {
  Turns turns;
  for (int j = 0; j < count; j++) {
    const Job& job = jobs[j];
    if (!centers && !job.center) continue;
    turns.all[turns.count++] = {&job, centers && job.center ? job.center : job.reduction, j};
  }
  return turns;
}

// Computes the accumulators of a column from units [first, end). Accumulators and centers of job j
// are at j * slot_bytes().
void Reducer::accumulate(const Turns& turns, ptrdiff_t tile, ptrdiff_t first, ptrdiff_t end,
                         const char* centers, char* accumulators) const {
  const ptrdiff_t outer = kept.size(), inner = reduced.size(), slot = slot_bytes();
  const ptrdiff_t start = tile / outer * width;
  const ReducePosition column(kept, tile % outer);
  const ptrdiff_t corner = column[1] + start * kept_axis.strides[1];
  ReducePosition position(reduced, first % inner);
  const ComputedParts parts(turns, (width + 1) * (height + 1) * dtype_itemsize[input]);
  if (!parts) {
    failed = true;
    return;
  }
  const auto accumulate_unit = [&](ptrdiff_t unit, const auto& to) {
    const ptrdiff_t row = unit / inner * height;
    const ptrdiff_t offset = corner + position[1] + row * reduced_axis.strides[1];
    const Tile there = {tile_width(tile),
                        std::min(height, reduced_axis.size - row),
                        nullptr,
                        kept_axis.strides[1],
                        reduced_axis.strides[1],
                        nullptr,
                        position[0] + row * reduced_axis.strides[0],
                        reduced_axis.strides[0]};
    Tile computed = there;
    if (parts.any() && !compute(computed, offset, parts)) failed = true;
    if (failed) return;
    for (int t = 0; t < turns.count; t++) {
      const Turn& turn = turns.all[t];
      Tile part = turn.job->source ? computed : there;
      part.in = turn.job->source ? parts.part(turn) : turn.job->in + offset;
      part.centers = centers ? centers + turn.slot * slot : nullptr;
      turn.reduction->accumulate(part, to(turn.slot, t));
    }
  };
  if (end - first == 1) {
    return accumulate_unit(first, [&](int job, int) { return accumulators + job * slot; });
  }
  const ptrdiff_t nbytes = Merger::memory(tile_width(tile));
  const Workspace memory{size_t(turns.count * nbytes)};
  if (!memory.data()) {
    failed = true;
    return;
  }
  std::optional<Merger> mergers[MAX_JOINT_REDUCTIONS];
  for (int t = 0; t < turns.count; t++) {
    mergers[t].emplace(*turns.all[t].reduction, tile_width(tile), memory.data() + t * nbytes);
  }
  for (ptrdiff_t unit = first; unit < end && !failed; unit++) {
    accumulate_unit(unit, [&](int, int t) { return mergers[t]->next(); });
    for (int t = 0; t < turns.count; t++) mergers[t]->add();
    position.advance();
  }
  if (failed) return;
  for (int t = 0; t < turns.count; t++) {
    mergers[t]->write(accumulators + turns.all[t].slot * slot);
  }
}

// Whether tiles have contiguous runs for a source to fill.
bool Reducer::has_runs() const {
  const ptrdiff_t itemsize = dtype_itemsize[input];
  for (const ReduceAxis& axis : {kept_axis, reduced_axis}) {
    if (axis.strides[1] == itemsize) return true;
  }
  return kept_axis.size == 1 && reduced_axis.size == 1;
}

// Computes the elements of a tile, at `offset` in the source's arrays, and sets the tile's strides.
// Gaps between runs are kept: kernels combine contiguous runs in another order.
bool Reducer::compute(Tile& tile, ptrdiff_t offset, const ComputedParts& parts) const {
  const ptrdiff_t itemsize = dtype_itemsize[input];
  const bool columns = kept_axis.strides[1] == itemsize;  // a run has elements of several results
  const ptrdiff_t run = columns ? tile.kept : tile.n, runs = columns ? tile.n : tile.kept;
  ptrdiff_t& pitch = columns ? tile.step : tile.kept_step;
  const ptrdiff_t first = (jobs[source_job].in - jobs[source_job].source->base + offset) / itemsize;
  if (runs == 1 || pitch == run * itemsize) return parts.fill(first, runs * run, 0);
  const ptrdiff_t distance = pitch / itemsize;
  pitch = (run + 1) * itemsize;
  for (ptrdiff_t k = 0; k < runs; k++) {
    if (!parts.fill(first + k * distance, run, k * pitch)) return false;
  }
  return true;
}

// Computes the means for var and std of a tile, after the first pass.
void Reducer::finish_centers(const Turns& turns, ptrdiff_t tile, const char* accumulators,
                             char* centers) const {
  for (int t = 0; t < turns.count; t++) {
    const Reduction* const center = turns.all[t].job->center;
    if (!center) continue;
    const ptrdiff_t at = turns.all[t].slot * slot_bytes();
    center->finish(tile_width(tile), centers + at, center->accumulator, accumulators + at,
                   double(elements));
  }
}

// Writes the results of a tile from the accumulators of all jobs.
void Reducer::finish(ptrdiff_t tile, const char* accumulators) const {
  const ptrdiff_t outer = kept.size();
  const ReducePosition column(kept, tile % outer);
  for (int j = 0; j < count; j++) {
    const Job& job = jobs[j];
    char* const to = job.out + column[0] + tile / outer * width * kept_axis.strides[0];
    job.reduction->finish(tile_width(tile), to, kept_axis.strides[0],
                          accumulators + j * slot_bytes(), job.divisor);
  }
}

void Reducer::run_tile(ptrdiff_t tile) const {
  alignas(64) Accumulators of_one_job[2];
  std::optional<Workspace> of_several;
  const ptrdiff_t slots = count * slot_bytes();
  if (count > 1) of_several.emplace(size_t(2 * slots));
  char* const accumulators = of_several ? of_several->data() : of_one_job[0];
  if (!accumulators) {
    failed = true;
    return;
  }
  const Turns all = turns_of(true), moments = turns_of(false);
  accumulate(all, tile, 0, units, nullptr, accumulators);
  if (moments.count > 0 && !failed) {
    char* const centers = of_several ? accumulators + slots : of_one_job[1];
    finish_centers(all, tile, accumulators, centers);
    accumulate(moments, tile, 0, units, centers, accumulators);
  }
  if (!failed) finish(tile, accumulators);
}

// Computes the accumulators of all results in chunks of elements. False if there is no memory.
bool Reducer::share_tiles(const Turns& turns, const char* centers, char* accumulators) const {
  const ptrdiff_t chunks = std::clamp<ptrdiff_t>(MAX_CHUNKS / tiles, 1, units);
  const ptrdiff_t slot = slot_bytes(), slots = count * slot;
  const Workspace parts{size_t(tiles * chunks * slots)};
  const Workspace merging{size_t(Merger::memory(width))};
  if (!parts.data() || !merging.data()) return false;
  // Chunks after one that makes the only result final are skipped; for an index only if their
  // indices are larger.
  std::atomic<ptrdiff_t> last{chunks - 1};
  const auto settled = turns.all[0].reduction->settled;
  const bool ascending = !is_index(operation) || reduced.size() == 1;
  const bool may_settle = tiles == 1 && width == 1 && turns.count == 1 && settled && ascending;
  const auto accumulate_part = [&](ptrdiff_t part) {
    const ptrdiff_t tile = part % tiles, chunk = part / tiles;
    if (chunk > last.load(std::memory_order_relaxed)) return;
    char* const to = parts.data() + part * slots;
    accumulate(turns, tile, chunk * units / chunks, (chunk + 1) * units / chunks,
               centers ? centers + tile * slots : nullptr, to);
    if (!may_settle || failed || !settled(to)) return;
    ptrdiff_t before = last;
    while (chunk < before && !last.compare_exchange_weak(before, chunk)) {
    }
  };
  const ptrdiff_t total = tiles * chunks;
  parallel_for(total, accumulate_part, source_job >= 0 && total >= COMPUTED_CHUNKS);
  if (failed) return false;
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const ptrdiff_t kept = tile_width(tile);
    for (int t = 0; t < turns.count; t++) {
      const Reduction& reduction = *turns.all[t].reduction;
      const ptrdiff_t at = turns.all[t].slot * slot;
      Merger merger(reduction, kept, merging.data());
      for (ptrdiff_t chunk = 0; chunk <= last; chunk++) {
        std::memcpy(merger.next(), parts.data() + (chunk * tiles + tile) * slots + at,
                    size_t(kept * reduction.accumulator));
        merger.add();
      }
      merger.write(accumulators + tile * slots + at);
    }
  }
  return true;
}

bool Reducer::run() {
  const ptrdiff_t work = elements * width;  // per tile
  const ptrdiff_t chunk = CHUNK / summed_bytes(input);
  if (work < 2 * chunk || units == 1 || tiles >= MAX_CHUNKS / 2) {
    parallel_ranges(tiles, ceil_div(chunk, 2 * work), [&](ptrdiff_t begin, ptrdiff_t end) {
      for (ptrdiff_t tile = begin; tile < end && !failed; tile++) run_tile(tile);
    });
    return !failed;
  }
  const ptrdiff_t slots = count * slot_bytes();
  const Workspace memory{size_t(2 * tiles * slots)};
  char* const accumulators = memory.data();
  if (!accumulators) return false;
  char* const centers = accumulators + tiles * slots;
  const Turns all = turns_of(true), moments = turns_of(false);
  if (!share_tiles(all, nullptr, accumulators)) return false;
  if (moments.count > 0) {
    for (ptrdiff_t tile = 0; tile < tiles; tile++) {
      finish_centers(all, tile, accumulators + tile * slots, centers + tile * slots);
    }
    if (!share_tiles(moments, centers, accumulators)) return false;
  }
  for (ptrdiff_t tile = 0; tile < tiles; tile++) finish(tile, accumulators + tile * slots);
  return true;
}

// Writes the result of no elements: the identity, or NaN for 0 / 0. False if it is undefined.
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

// The shape of the elements that differ: where the input is broadcast along a kept axis, so are the
// results.
void distinct_shape(int ndim, const ptrdiff_t* shape, const ptrdiff_t* in_strides,
                    const bool* reduced_axis, ptrdiff_t* distinct) {
  distinct[0] = 1;  // avoids a warning: it is not read if ndim is 0
  for (int i = 0; i < ndim; i++) {
    distinct[i] = !reduced_axis[i] && in_strides[i] == 0 ? 1 : shape[i];
  }
}

// Contiguous halves, which are read as float32.
struct Widened {
  Widened(Dtype half, const char* data, int ndim, const ptrdiff_t* in_strides)
      : cast(cast_kernel(half, DTYPE_float32)), data(data) {
    for (int i = 0; i < ndim; i++) strides[i] = 2 * in_strides[i];
  }
  ElementSource source() const { return {fill, this, const_cast<char*>(data), 1}; }

  static bool fill(const void* context, ptrdiff_t first, ptrdiff_t n, char* const* out) {
    const Widened& from = *static_cast<const Widened*>(context);
    char* const data[] = {out[0], const_cast<char*>(from.data) + 2 * first};
    const ptrdiff_t steps[] = {4, 2};
    from.cast(n, data, steps);
    return true;
  }

  const kernel cast;
  const char* const data;
  ptrdiff_t strides[MAX_NDIM] = {};
};

}  // namespace

bool reduce(Operation operation, Dtype input, Dtype result, int ndim, const ptrdiff_t* shape,
            const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
            const ptrdiff_t* out_strides, double correction, const ElementSource* source) {
  if (is_half(input) && !reduces_halves(operation, input)) {
    const Widened widened(input, in, ndim, in_strides);
    const ElementSource floats = widened.source();
    return reduce(operation, DTYPE_float32, result, ndim, shape, in, widened.strides, reduced_axis,
                  out, out_strides, correction, &floats);
  }
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
    return true;
  }
  if (none_kept) return true;
  if (!source && reduce_small(operation, input, ndim, shape, in, in_strides, reduced_axis, out,
                              out_strides, correction)) {
    return true;
  }
  ptrdiff_t distinct[MAX_NDIM];
  distinct_shape(ndim, shape, in_strides, reduced_axis, distinct);
  for (int i = 0; i < ndim; i++) {
    if (!reduced_axis[i]) kept_shape[i] = distinct[i];
  }
  const JointReduction alone = {operation, input, result, in, out, correction, source, 0};
  if (!Reducer(1, &alone, ndim, distinct, in_strides, reduced_axis, out_strides).run()) {
    return false;
  }
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
  return true;
}

bool reduce_jointly(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                    const ptrdiff_t* in_strides, const bool* reduced_axis,
                    const ptrdiff_t* out_strides) {
  if (count == 1) {
    const JointReduction& only = reductions[0];
    return reduce(only.operation, only.input, only.result, ndim, shape, only.in, in_strides,
                  reduced_axis, only.out, out_strides, only.correction, only.source);
  }
  return Reducer(count, reductions, ndim, shape, in_strides, reduced_axis, out_strides).run();
}

bool can_be_computed(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                     const ptrdiff_t* in_strides, const bool* reduced_axis,
                     const ptrdiff_t* out_strides) {
  if (is_empty(ndim, shape)) return true;
  ptrdiff_t distinct[MAX_NDIM];
  if (count == 1) {
    distinct_shape(ndim, shape, in_strides, reduced_axis, distinct);
    shape = distinct;
  }
  return Reducer(count, reductions, ndim, shape, in_strides, reduced_axis, out_strides).has_runs();
}

bool reduces_halves(Operation operation, Dtype half) {
  return kernels().reductions[operation][half].accumulator != 0;
}

bool can_be_widened(Operation operation, Dtype half, int ndim, const ptrdiff_t* shape,
                    const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis,
                    const ptrdiff_t* out_strides) {
  const Widened widened(half, in, ndim, in_strides);
  const ElementSource floats = widened.source();
  const JointReduction alone = {operation, DTYPE_float32, DTYPE_float32, in, nullptr, 0, &floats,
                                0};
  return can_be_computed(1, &alone, ndim, shape, widened.strides, reduced_axis, out_strides);
}

}  // namespace corepy
