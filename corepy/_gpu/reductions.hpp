// From a reduction to a launched kernel: which shape of work, how it is cut, and its record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "kernels/reduce_arguments.cuh"
#include "launch.hpp"

namespace corepy {

// An axis of the input: `other` is its step in the output, or in the indices of elements.
struct WalkedAxis {
  ptrdiff_t size, step, other;

  bool continues(const WalkedAxis& inner) const {
    return step == inner.step * inner.size && other == inner.other * inner.size;
  }
};

// Axes from the outermost to the innermost.
struct WalkedAxes {
  int ndim = 0;
  WalkedAxis axes[MAX_NDIM];

  void add(const WalkedAxis& axis) {
    if (axis.size != 1) axes[ndim++] = axis;
  }
  const WalkedAxis& last() const { return axes[ndim - 1]; }
  ptrdiff_t positions() const {
    ptrdiff_t product = 1;
    for (int i = 0; i < ndim; i++) product *= axes[i].size;
    return product;
  }

  // In the order of memory, those that repeat what is within outside, and neighbours that are one
  // joined.
  void tidy() {
    const auto outerness = [](const WalkedAxis& axis) {
      return axis.step == 0 ? PTRDIFF_MAX : std::abs(axis.step);
    };
    std::stable_sort(axes, axes + ndim, [&](const WalkedAxis& a, const WalkedAxis& b) {
      return outerness(a) > outerness(b);
    });
    int kept = 0;
    for (int i = 1; i < ndim; i++) {
      if (axes[kept].continues(axes[i])) {
        const ptrdiff_t size = axes[kept].size * axes[i].size;
        axes[kept] = axes[i];
        axes[kept].size = size;
      } else {
        axes[++kept] = axes[i];
      }
    }
    if (ndim > 0) ndim = kept + 1;
  }

  // Whether all steps in the input, but for the last `but` axes, are multiples of so many bytes.
  bool keeps_alignment(ptrdiff_t bytes, int but = 0) const {
    for (int i = 0; i < ndim - but; i++) {
      if (axes[i].step % bytes != 0) return false;
    }
    return true;
  }

  void fill(WalkAxis<2>* to) const {
    for (int i = 0; i < ndim; i++) {
      to[i] = {axes[i].size, divisor_of(axes[i].size), {axes[i].step, axes[i].other}};
    }
  }
};

inline ptrdiff_t parts_of(ptrdiff_t n, ptrdiff_t size) { return (n + size - 1) / size; }

// The caller sets `in`, `out` and `divisor` of the record, and what is below.
struct Reduction : ReduceShape {
  static constexpr int THREADS = 256;
  static constexpr ptrdiff_t BLOCKS = 4096;  // that are enough for any device

  // Of a choice repeated elements make no difference; of places the index of an element counts.
  int itemsize;
  bool choice, places;
  WalkedAxes kept, reduced;

  // Set by plan().
  bool rows;  // or columns
  int pack;   // elements
  bool aligned;
  int group;         // threads that share a row
  bool one;          // one axis of elements
  bool many;         // more axes than a short record has
  ptrdiff_t shared;  // accumulators that chunks leave

  void add_reduced(ptrdiff_t size, ptrdiff_t step, ptrdiff_t index_step) {
    if (choice && step == 0) return;
    if (!places) {
      // The order of elements is free: upwards.
      if (step < 0) in += (size - 1) * step;
      step = std::abs(step);
      index_step = 0;
    }
    reduced.add({size, step, index_step});
  }
  void add_kept(ptrdiff_t size, ptrdiff_t step, ptrdiff_t out_step) {
    if (step < 0) {
      in += (size - 1) * step;
      out += (size - 1) * out_step;
      step = -step, out_step = -out_step;
    }
    kept.add({size, step, out_step});
  }

  void plan() {
    kept.tidy();
    reduced.tidy();
    elements = reduced.positions();
    index_step = reduced.ndim ? reduced.last().other : 0;
    const ptrdiff_t across = kept.ndim ? kept.last().step : 0;
    const ptrdiff_t along = reduced.ndim ? std::abs(reduced.last().step) : 0;
    rows = kept.ndim == 0 || across == 0 || (along != 0 && along < across);
    lanes = lines = depth = 1;
    tail = 0;
    width = 1;
    tiles = 1;
    column_step = column_out = 0;
    if (rows) {
      plan_rows();
    } else {
      plan_columns();
    }
    wide = results >= (1LL << 31) || elements >= (1LL << 31);
    one = reduced.ndim <= 1;
    // A kernel that is made for one axis finds it there.
    if (reduced.ndim == 0) reduced.axes[reduced.ndim++] = {1, 0, 0};
    outer = kept.ndim;
    ndim = kept.ndim + reduced.ndim;
    many = ndim > 4;
    shared = chunks > 1 ? chunks * results * width : 0;
  }

  // With `partials` for `shared` accumulators, and COUNTERS `counters`, where there are any.
  int launch(const Launch& launch) const {
    return many ? launch_as<MAX_NDIM + 1>(launch) : launch_as<4>(launch);
  }

 private:
  ptrdiff_t elements;

  void plan_rows() {
    const ptrdiff_t most = 16 / itemsize;
    pack = 1;
    if (reduced.ndim > 0 && reduced.last().step == itemsize && elements >= most &&
        (reduced.ndim == 1 || reduced.last().size % most == 0) && kept.keeps_alignment(16) &&
        reduced.keeps_alignment(16, 1)) {
      pack = int(most);
    }
    aligned = itemsize * pack == 16 && reinterpret_cast<uintptr_t>(in) % 16 == 0;
    results = kept.positions();
    parts = elements / pack;
    tail = int(elements % pack);
    if (reduced.ndim > 0) {
      // From elements to packs.
      WalkedAxis& last = reduced.axes[reduced.ndim - 1];
      last.size /= pack;
      last.step *= pack;
      last.other *= pack;
    }
    group = parts <= 4 ? 1 : parts <= 32 ? 8 : parts <= 512 ? 32 : THREADS;
    const int loads = pack > 1 || itemsize >= 16 ? 4 : 8;
    chunk = std::max(parts, 1LL);
    chunks = 1;
    if (group == THREADS) share(parts_of(parts, THREADS * loads), THREADS * loads, results);
  }

  void plan_columns() {
    const WalkedAxis inner = kept.axes[--kept.ndim];
    width = inner.size;
    column_step = inner.step;
    column_out = inner.other;
    results = kept.positions();
    const ptrdiff_t most = std::min(4, 16 / itemsize), bytes = most * itemsize;
    const bool packs = inner.step == itemsize && width % most == 0 && kept.keeps_alignment(bytes) &&
                       reduced.keeps_alignment(bytes);
    pack = packs ? int(most) : 1;
    aligned = reinterpret_cast<uintptr_t>(in) % uintptr_t(pack * itemsize) == 0;
    parts = elements;
    // Threads along columns, as far as they are of use; then along rows, so that each has as many
    // as it loads at once; then along other results, and if there are none, along columns again.
    const ptrdiff_t loads = pack > 1 || itemsize >= 16 ? 4 : 8, packs_across = width / pack;
    const auto even = [](ptrdiff_t n, ptrdiff_t most) { return parts_of(n, parts_of(n, most)); };
    lanes = int(even(packs_across, 32));
    lines = int(std::min<ptrdiff_t>(parts_of(parts, loads), THREADS / lanes));
    depth = int(std::min<ptrdiff_t>(results, THREADS / (lanes * lines)));
    lanes = int(even(packs_across, THREADS / (lines * depth)));
    group = 0;
    tiles = parts_of(packs_across, lanes);
    const ptrdiff_t step = loads * lines;
    chunk = std::max(parts, 1LL);
    chunks = 1;
    share(parts_of(parts, step), step, units());
  }

  ptrdiff_t units() const { return parts_of(results, depth) * tiles; }

  // Cuts `turns` of `step` parts each into chunks, where there are few units of results.
  void share(ptrdiff_t turns, ptrdiff_t step, ptrdiff_t units) {
    const ptrdiff_t wanted = std::min(turns, BLOCKS / units);
    if (wanted < 2) return;
    chunk = parts_of(turns, wanted) * step;
    chunks = parts_of(parts, chunk);
  }

  template <int AXES>
  int launch_as(const Launch& launch) const {
    ReduceArguments<AXES> arguments;
    static_cast<ReduceShape&>(arguments) = *this;
    kept.fill(arguments.axes);
    reduced.fill(arguments.axes + kept.ndim);
    const ptrdiff_t blocks = rows ? parts_of(results * chunks, THREADS / group) : units() * chunks;
    return launch(&arguments, blocks, THREADS);
  }
};

}  // namespace corepy
