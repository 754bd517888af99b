// Launches of reductions: rows or columns, chunks, and the argument record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "kernels/reduce_arguments.cuh"
#include "launch.hpp"

namespace corepy {

// Adds an axis of input and output, reversed where the input's stride is negative.
inline void add_ascending(Axis<2> axis, Axes<2>& axes, const char*& in, char*& out) {
  if (axis.strides[0] < 0) {
    in += axis.extent(0);
    out += axis.extent(1);
    axis.reverse();
  }
  axes.add(axis);
}

// The caller sets `in`, `out` and `divisor` of the record, and `itemsize` to `reduced` below.
struct Reduction : ReduceShape {
  static constexpr ptrdiff_t BLOCKS = 2048;  // enough for any device, with few partial results

  // Idempotent: repeated elements do not change the result. Indexed: the result is an index.
  int itemsize;
  bool idempotent, indexed;
  Axes<2> kept, reduced;  // strides: in the input; in the output, or in indices of elements

  // Set by plan().
  bool rows;  // or columns
  int pack;   // elements
  bool aligned;
  int group;         // threads that share a row
  bool one_axis;     // of elements
  bool many_axes;    // more than a short record has
  ptrdiff_t shared;  // accumulators of chunks, to allocate

  void add_reduced(ptrdiff_t size, ptrdiff_t stride, ptrdiff_t index_stride) {
    if (idempotent && stride == 0) return;
    // The order of elements matters for indices only; otherwise by ascending addresses.
    Axis<2> axis = {size, {stride, indexed ? index_stride : 0}};
    if (!indexed && stride < 0) {
      in += axis.extent(0);
      axis.reverse();
    }
    reduced.add(axis);
  }
  void add_kept(ptrdiff_t size, ptrdiff_t stride, ptrdiff_t out_stride) {
    add_ascending({size, {stride, out_stride}}, kept, in, out);
  }

  void plan() {
    kept.sort(0, OUTERMOST);
    kept.collapse();
    reduced.sort(0, OUTERMOST);
    reduced.collapse();
    elements = reduced.size();
    index_stride = reduced.ndim ? reduced.innermost().strides[1] : 0;
    const ptrdiff_t across = kept.ndim ? kept.innermost().strides[0] : 0;
    const ptrdiff_t along = reduced.ndim ? std::abs(reduced.innermost().strides[0]) : 0;
    rows = kept.ndim == 0 || across == 0 || (along != 0 && along < across);
    lanes = lines = depth = 1;
    tail = 0;
    width = 1;
    tiles = 1;
    column_stride = column_out = 0;
    if (rows) {
      plan_rows();
    } else {
      plan_columns();
    }
    wide = results >= (1LL << 31) || elements >= (1LL << 31);
    one_axis = reduced.ndim <= 1;
    // Kernels for one reduced axis expect it.
    if (reduced.ndim == 0) reduced.axes[reduced.ndim++] = {1, {}};
    outer = kept.ndim;
    ndim = kept.ndim + reduced.ndim;
    many_axes = ndim > 4;
    shared = chunks > 1 ? chunks * results * width : 0;
  }

  // If `shared` is not 0, `partials` must have `shared` accumulators, and `counters` COUNTERS
  // zeros.
  int launch(const Launch& launch) const {
    return many_axes ? launch_as<MAX_NDIM + 1>(launch) : launch_as<4>(launch);
  }

  // Fills the reduction's part of a record.
  template <class Arguments>
  int launch_record(const Launch& launch, Arguments& arguments) const {
    static_cast<ReduceShape&>(arguments) = *this;
    fill_axes(kept, arguments.axes);
    fill_axes(reduced, arguments.axes + kept.ndim);
    const ptrdiff_t blocks = rows ? ceil_div(results * chunks, THREADS / group) : units() * chunks;
    return launch(&arguments, blocks);
  }

 private:
  ptrdiff_t elements;

  void plan_rows() {
    const ptrdiff_t most = 16 / itemsize;
    pack = 1;
    if (reduced.ndim > 0 && reduced.innermost().strides[0] == itemsize && elements >= most &&
        (reduced.ndim == 1 || reduced.innermost().size % most == 0) &&
        kept.are_multiples(0, 16, kept.ndim) && reduced.are_multiples(0, 16, reduced.ndim - 1)) {
      pack = int(most);
    }
    aligned = itemsize * pack == 16 && reinterpret_cast<uintptr_t>(in) % 16 == 0;
    results = kept.size();
    items = elements / pack;
    tail = int(elements % pack);
    if (reduced.ndim > 0) {
      // From elements to packs.
      Axis<2>& last = reduced.innermost();
      last.size /= pack;
      for (ptrdiff_t& stride : last.strides) stride *= pack;
    }
    group = items <= 4 ? 1 : items <= 32 ? 8 : items <= 512 ? 32 : THREADS;
    const int loads = pack > 1 || itemsize >= 16 ? 4 : 8;
    chunk = std::max(items, 1LL);
    chunks = 1;
    if (group == THREADS) split(ceil_div(items, THREADS * loads), THREADS * loads, results);
  }

  void plan_columns() {
    const Axis<2> inner = kept.take_innermost();
    width = inner.size;
    column_stride = inner.strides[0];
    column_out = inner.strides[1];
    results = kept.size();
    const ptrdiff_t most = std::min(4, 16 / itemsize), bytes = most * itemsize;
    const bool packs = inner.strides[0] == itemsize && width % most == 0 &&
                       kept.are_multiples(0, bytes, kept.ndim) &&
                       reduced.are_multiples(0, bytes, reduced.ndim);
    pack = packs ? int(most) : 1;
    aligned = reinterpret_cast<uintptr_t>(in) % uintptr_t(pack * itemsize) == 0;
    items = elements;
    // Threads are distributed along columns, at most 32; then along rows, so that each has the rows
    // of one load; then along other results or, without any, along columns again.
    const ptrdiff_t loads = pack > 1 || itemsize >= 16 ? 4 : 8, packs_across = width / pack;
    const auto even = [](ptrdiff_t n, ptrdiff_t most) { return ceil_div(n, ceil_div(n, most)); };
    lanes = int(even(packs_across, 32));
    lines = int(std::min<ptrdiff_t>(ceil_div(items, loads), THREADS / lanes));
    depth = int(std::min<ptrdiff_t>(results, THREADS / (lanes * lines)));
    lanes = int(even(packs_across, THREADS / (lines * depth)));
    group = 0;
    tiles = ceil_div(packs_across, lanes);
    const ptrdiff_t step = loads * lines;
    chunk = std::max(items, 1LL);
    chunks = 1;
    split(ceil_div(items, step), step, units());
  }

  ptrdiff_t units() const { return ceil_div(results, depth) * tiles; }

  // Splits `tiles` of `step` items each into chunks if there are few units of results.
  void split(ptrdiff_t tiles, ptrdiff_t step, ptrdiff_t units) {
    const ptrdiff_t wanted = std::min(tiles, BLOCKS / units);
    if (wanted < 2) return;
    chunk = ceil_div(tiles, wanted) * step;
    chunks = ceil_div(items, chunk);
  }

  template <int AXES>
  int launch_as(const Launch& launch) const {
    ReduceArguments<AXES> arguments;
    return launch_record(launch, arguments);
  }
};

}  // namespace corepy
