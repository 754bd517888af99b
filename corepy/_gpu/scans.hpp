// Launches of scans.
#pragma once

#include "reductions.hpp"

namespace corepy {

// The caller sets `in`, `out`, `n`, the strides and `initial` of the record, the itemsizes, `small`
// and axes.
struct Scan : ScanShape {
  static constexpr ptrdiff_t LONG = 2048;   // elements of a run from which on a block scans it
  static constexpr ptrdiff_t MIDDLE = 512;  // the same with few runs
  static constexpr ptrdiff_t MANY_RUNS = 1024;
  static constexpr ptrdiff_t SHORT = 16;        // most elements of a run that a thread scans
  static constexpr ptrdiff_t ENOUGH = 1 << 18;  // threads: enough for any device
  static constexpr ptrdiff_t FEW_TILES = 4;     // most tiles that a block scans in sequence

  int itemsize, out_itemsize;
  bool small;    // accumulators have at most 8 bytes
  Axes<2> kept;  // of input and output

  // Set by plan().
  bool rows;
  int pack, group;
  bool aligned, shared, many_axes;
  ptrdiff_t accumulators, zeros;  // sizes of `partials` and `flags`, in their elements
  bool totals;                    // the totals of chunks are computed first

  void add_kept(ptrdiff_t size, ptrdiff_t stride, ptrdiff_t out_stride) {
    add_ascending({size, {stride, out_stride}}, kept, in, out);
  }

  void plan() {
    kept.sort(0, OUTERMOST);
    kept.collapse();
    runs = kept.size();
    ndim = kept.ndim;
    wide = runs >= (1LL << 31);
    many_axes = ndim > 4;
    const ptrdiff_t across = kept.ndim ? kept.innermost().strides[0] : 0;
    rows = runs == 1 || (n > SHORT && std::abs(stride) < across);
    shared = totals = aligned = false;
    pack = 1;
    group = 0;
    accumulators = zeros = 0;
    tiles = chunks = 1;
    chunk = n;
    if (rows) {
      plan_rows();
    } else if (runs < ENOUGH && n >= 64) {
      // Each thread adds up the chunks before its own.
      chunk = std::max<ptrdiff_t>(32, ceil_div(n, std::clamp<ptrdiff_t>(ENOUGH / runs, 1, 64)));
      chunks = ceil_div(n, chunk);
      totals = chunks > 1;
      if (totals) accumulators = chunks * runs;
    }
  }

  int launch(const Launch& launch) const {
    return many_axes ? launch_as<MAX_NDIM>(launch) : launch_as<4>(launch);
  }

 private:
  void plan_rows() {
    const int most = 16 / std::max(itemsize, out_itemsize);
    const ptrdiff_t bytes = most * itemsize, out_bytes = most * out_itemsize;
    if (stride == itemsize && out_stride == out_itemsize && !initial &&
        kept.are_multiples(0, bytes, kept.ndim) && kept.are_multiples(1, out_bytes, kept.ndim)) {
      pack = most;
    }
    aligned = reinterpret_cast<uintptr_t>(in) % uintptr_t(pack * itemsize) == 0 &&
              reinterpret_cast<uintptr_t>(out) % uintptr_t(pack * out_itemsize) == 0;
    group = n < (runs < MANY_RUNS ? MIDDLE : LONG) ? 32 : THREADS;
    const int lines = pack > 1 || itemsize >= 16 ? 4 : 8;
    tiles = ceil_div(n, ptrdiff_t(THREADS) * pack * lines);
    shared = group == THREADS && tiles > FEW_TILES && runs < MANY_RUNS;
    if (shared) {
      const ptrdiff_t groups = ceil_div(tiles, 32);
      const ptrdiff_t slots = runs * (tiles + groups + ceil_div(groups, 32));
      accumulators = small ? 0 : slots;
      zeros = SCAN_SLOT * (1 + slots);
    }
  }

  template <int AXES>
  int launch_as(const Launch& launch) const {
    ScanArguments<AXES> arguments;
    static_cast<ScanShape&>(arguments) = *this;
    arguments.axes[0] = {};
    fill_axes(kept, arguments.axes);
    const ptrdiff_t threads = shared ? runs * tiles * THREADS : runs * chunks * (rows ? group : 1);
    return launch(&arguments, ceil_div(threads, THREADS));
  }
};

}  // namespace corepy
