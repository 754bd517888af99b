// Cumulative sums and products: along rows, by warps or blocks, and along columns, by threads.
//
// The order in which elements are combined depends on layout and sizes alone, as in reductions.
// Products have separate exponents, so a cumulative product that overflows or underflows is correct
// again where the exact product is in range.
#pragma once

#include "reduce_operations.cuh"

namespace corepy {

namespace op {

template <class T>
struct cumulative_sum {
  using type = T;
  using Acc = sum_type<T>;
  static constexpr int INITIAL = 0;
  static COREPY_DEVICE Acc start() { return Summing<T, Acc>::start(); }
  static COREPY_DEVICE Acc of(T x) { return convert<Acc>(x); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a + b; }
  static COREPY_DEVICE auto value(Acc acc) {
    if constexpr (is_floating<T> || is_complex<T>) {
      return convert<T>(acc);
    } else {
      return acc;
    }
  }
};

template <class T>
struct cumulative_prod {
  using type = T;
  using Product = product_of<T>;
  using Acc = typename Product::Acc;
  static constexpr int INITIAL = 1;
  static COREPY_DEVICE Acc start() { return Product::start(); }
  static COREPY_DEVICE Acc of(T x) { return Product::of(x); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return Product::merge(a, b); }
  static COREPY_DEVICE auto value(Acc acc) { return Product::value(acc); }
};

}  // namespace op

// A decoupled look-back in a fixed order. Tiles publish their sums, the sums of groups of 32 tiles,
// and the sum of all elements up to the end of a group of 32 groups. A tile adds up to 31 sums of
// each kind to the sum before its group of groups, in a fixed order, so that results do not depend
// on timing. (Merrill and Garland 2016 use any published sums.) Blocks take tiles in ascending
// order, so the lowest tile that is not done waits for no other.
template <class F, class Arguments>
struct LookBack {
  using Acc = typename F::Acc;
  static constexpr int GROUP = 32;
  // Whether a slot is one word of 16 bytes. Each half has four bytes of the sum and a state, and is
  // written and read at once, so that no fence is needed.
  static constexpr bool WORDS = sizeof(Acc) <= 8;
  static constexpr int LEVELS = 3;

  // The slots that a lane waits for, one of each level.
  struct Waits {
    int slots[LEVELS];
    bool open[LEVELS];
    Acc sums[LEVELS];
  };

  char* sums;
  unsigned* states;   // SCAN_SLOT for each slot
  int tiles, groups;  // of a run, which are counted with 32 bits

  COREPY_DEVICE LookBack(const Arguments& arguments, int64 run) : tiles(int(arguments.tiles)) {
    groups = (tiles + GROUP - 1) / GROUP;
    const int64 slots = tiles + groups + (groups + GROUP - 1) / GROUP;
    sums = arguments.partials + run * slots * int64(sizeof(Acc));
    states = arguments.flags + SCAN_SLOT * (1 + run * slots);
  }

  COREPY_DEVICE void publish(int slot, Acc acc) const {
    if constexpr (WORDS) {
      uint64 bits = 0;
      memcpy(&bits, &acc, sizeof(Acc));
      store_halves(states + int64(slot) * SCAN_SLOT, {bits << 32 | 1, bits >> 32 << 32 | 1});
    } else {
      *reinterpret_cast<Acc*>(sums + slot * int64(sizeof(Acc))) = acc;
      __threadfence();
      *static_cast<volatile unsigned*>(states + int64(slot) * SCAN_SLOT) = 1;
    }
  }

  // Reads the slots of all levels at once.
  COREPY_DEVICE void poll(Waits& waits) const {
    if constexpr (WORDS) {
      Halves words[LEVELS];
#pragma unroll
      for (int k = 0; k < LEVELS; k++)
        words[k] = load_halves(states + int64(waits.slots[k]) * SCAN_SLOT);
#pragma unroll
      for (int k = 0; k < LEVELS; k++) {
        if (waits.open[k] && (words[k].first & words[k].second & 1)) {
          const uint64 bits = words[k].first >> 32 | words[k].second >> 32 << 32;
          memcpy(&waits.sums[k], &bits, sizeof(Acc));
          waits.open[k] = false;
        }
      }
    } else {
      unsigned found[LEVELS];
#pragma unroll
      for (int k = 0; k < LEVELS; k++) {
        found[k] = *static_cast<volatile unsigned*>(states + int64(waits.slots[k]) * SCAN_SLOT);
      }
      __threadfence();
#pragma unroll
      for (int k = 0; k < LEVELS; k++) {
        if (waits.open[k] && found[k]) {
          waits.sums[k] = load_published<Acc>(sums + waits.slots[k] * int64(sizeof(Acc)));
          waits.open[k] = false;
        }
      }
    }
  }

  // The sum over a warp, in all lanes.
  static COREPY_DEVICE Acc sum_of(Acc acc) { return shuffle_from(merge_warp<F, GROUP>(acc), 0); }

  // The sum of all elements before a tile whose sum is `total`. Called by a warp.
  COREPY_DEVICE Acc before(int tile, Acc total, int lane) const {
    const int group = tile / GROUP, super = group / GROUP;
    if (lane == 0) publish(tile, total);
    const int slots[LEVELS] = {group * GROUP + lane, tiles + super * GROUP + lane,
                               tiles + groups + super - 1};
    const bool open[LEVELS] = {lane < tile % GROUP, lane < group % GROUP, lane == 0 && super > 0};
    Waits waits;
#pragma unroll
    for (int k = 0; k < LEVELS; k++) {
      waits.slots[k] = open[k] ? slots[k] : tile;  // one that is there
      waits.open[k] = open[k];
      waits.sums[k] = F::start();
    }
    while (any_of_warp(waits.open[0])) poll(waits);
    const Acc near = sum_of(waits.sums[0]);
    const Acc with = F::merge(near, total);
    // Before it waits for other groups, a group publishes its sum: these waits are no chain.
    if (lane == 0 && tile % GROUP == GROUP - 1) publish(tiles + group, with);
    while (any_of_warp(waits.open[1] || waits.open[2])) poll(waits);
    const Acc outside = F::merge(shuffle_from(waits.sums[2], 0), sum_of(waits.sums[1]));
    if (lane == 0 && tile % (GROUP * GROUP) == GROUP * GROUP - 1) {
      publish(tiles + groups + super, F::merge(outside, with));
    }
    return F::merge(outside, near);
  }
};

// Runs of equidistant elements. GROUP threads, a warp or a block, scan one tile of a run at a time;
// a lane has V consecutive elements in each line of its warp. SHARED: different blocks scan the
// tiles of a run, and take them in order.
template <class F, class In, class Out, int V, bool ALIGNED, int GROUP, bool SHARED, int AXES>
struct ScanRows : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  static constexpr int LINES = V > 1 || sizeof(In) >= 16 ? 4 : 8;
  static constexpr int LINE = 32 * V;
  static constexpr int TILE = GROUP * V * LINES;
  // Many tiles wait for others: more of them at a time, at the price of a few bytes of stack.
  static constexpr int RESIDENT = !SHARED || sizeof(typename F::Acc) > 8 ? 0 : V > 1 ? 4 : 3;
  using Arguments = ScanArguments<AXES>;
  using T = typename F::type;
  using Acc = typename F::Acc;

  // Loads a lane's elements of a line, and returns their sum. The elements are kept, not the sums
  // up to each of them, which may need twice the registers.
  static COREPY_DEVICE Acc load_line(const Arguments& arguments, const char* in, int64 first,
                                     T (&x)[V]) {
    Acc sum = F::start();
    if (V > 1 && first + V <= arguments.n) {
      const auto pack = load_pack<In, V, ALIGNED>(in + first * int64(sizeof(In)));
#pragma unroll
      for (int i = 0; i < V; i++) {
        x[i] = convert<T>(loaded<In>(pack.values[i]));
        sum = i == 0 ? F::of(x[i]) : F::merge(sum, F::of(x[i]));
      }
      return sum;
    }
#pragma unroll
    for (int i = 0; i < V; i++) {
      x[i] = T{};
      if (first + i < arguments.n) {
        x[i] = convert<T>(load<In>(in + (first + i) * arguments.stride));
        sum = i == 0 ? F::of(x[i]) : F::merge(sum, F::of(x[i]));
      }
    }
    return sum;
  }

  static COREPY_DEVICE void store_line(const Arguments& arguments, char* out, int64 first, Acc sum,
                                       const T (&x)[V]) {
    Pack<Out, V> pack;
#pragma unroll
    for (int i = 0; i < V; i++) {
      sum = F::merge(sum, F::of(x[i]));
      pack.values[i] = convert<Out>(F::value(sum));
    }
    if (V > 1 && ALIGNED && first + V <= arguments.n) {
      *reinterpret_cast<Pack<Out, V>*>(out + first * int64(sizeof(Out))) = pack;
      return;
    }
#pragma unroll
    for (int i = 0; i < V; i++) {
      if (first + i < arguments.n) {
        *reinterpret_cast<stored<Out>*>(out + (first + i) * arguments.out_stride) = pack.values[i];
      }
    }
  }

  // Scans a tile and returns the sum of all elements up to its end; `carry` is the sum before the
  // tile. Shared tiles get it from LookBack; the number of the block's next tile is taken before.
  static COREPY_DEVICE Acc scan_tile(const Arguments& arguments, const char* in, char* out,
                                     int64 run, int64 tile, Acc carry, unsigned* next) {
    __shared__ Acc warps[THREADS / 32 + 1];
    const int lane = threadIdx.x % 32, warp = threadIdx.x % GROUP / 32;
    const int64 first = tile * TILE + int64(warp) * LINE * LINES + lane * V;
    T x[LINES][V];
    Acc sums[LINES], before[LINES];
#pragma unroll
    for (int k = 0; k < LINES; k++) sums[k] = load_line(arguments, in, first + k * LINE, x[k]);
    Acc total = F::start();
#pragma unroll
    for (int k = 0; k < LINES; k++) {
      before[k] = total;
      if (first - lane * V + k * LINE >= arguments.n) continue;  // a line without elements
      Acc sum = sums[k];
#pragma unroll
      for (int delta = 1; delta < 32; delta *= 2) {
        const Acc other = shuffle_up(sum, delta);
        if (lane >= delta) sum = F::merge(other, sum);
      }
      const Acc others = shuffle_up(sum, 1);
      if (lane > 0) before[k] = F::merge(total, others);
      total = F::merge(total, shuffle_from(sum, 31));
    }
    Acc start = carry;
    if constexpr (GROUP > 32) {
      if (lane == 0) warps[warp] = total;
      __syncthreads();
      Acc mine = F::start();
      total = F::start();
#pragma unroll
      for (int k = 0; k < THREADS / 32; k++) {
        if (k == warp) mine = total;
        total = F::merge(total, warps[k]);
      }
      if constexpr (SHARED) {
        if (warp == 0) {
          unsigned number = 0;
          if (lane == 0) number = atomicAdd(arguments.flags, 1u);
          carry = LookBack<F, Arguments>(arguments, run).before(int(tile), total, lane);
          if (lane == 0) {
            warps[THREADS / 32] = carry;
            *next = number;
          }
        }
        __syncthreads();
        carry = warps[THREADS / 32];
      }
      __syncthreads();
      start = F::merge(carry, mine);
    }
#pragma unroll
    for (int k = 0; k < LINES; k++) {
      store_line(arguments, out, first + k * LINE, F::merge(start, before[k]), x[k]);
    }
    return F::merge(carry, total);
  }

  static COREPY_DEVICE void run_of(const Arguments& arguments, int64 run, const char*& in,
                                   char*& out) {
    int64 offsets[2] = {};
    add_offsets_at(arguments.axes, 0, arguments.ndim, arguments.wide, run, offsets);
    in = arguments.in + offsets[0];
    out = arguments.out + offsets[1];
  }

  static COREPY_DEVICE void begin(const Arguments& arguments, char* out) {
    if (arguments.initial && threadIdx.x % GROUP == 0) {
      store<Out>(out - arguments.out_stride, convert<Out>(F::INITIAL));
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const char* in;
    char* out;
    if constexpr (SHARED) {
      __shared__ unsigned next;
      if (threadIdx.x == 0) next = atomicAdd(arguments.flags, 1u);
      __syncthreads();
      // The number of the next tile is written after a barrier that follows its last reading.
      for (int64 number = next; number < arguments.runs * arguments.tiles; number = next) {
        const int64 run = number / arguments.tiles, tile = number - run * arguments.tiles;
        run_of(arguments, run, in, out);
        if (tile == 0) begin(arguments, out);
        scan_tile(arguments, in, out, run, tile, F::start(), &next);
      }
    } else {
      constexpr int RUNS = THREADS / GROUP;
      for (int64 run = int64(blockIdx.x) * RUNS + threadIdx.x / GROUP; run < arguments.runs;
           run += int64(gridDim.x) * RUNS) {
        run_of(arguments, run, in, out);
        begin(arguments, out);
        Acc carry = F::start();
        for (int64 tile = 0; tile * TILE < arguments.n; tile++) {
          carry = scan_tile(arguments, in, out, run, tile, carry, nullptr);
        }
      }
    }
  }
};

// Runs that are closer together than their elements: a thread scans a run, or a chunk of one.
// TOTALS: it writes only the sum of its chunk, for the next kernel.
template <class F, class In, class Out, bool TOTALS, int AXES>
struct ScanColumns : KernelBase {
  static constexpr int LOADS = 8;  // in flight
  using Arguments = ScanArguments<AXES>;
  using T = typename F::type;
  using Acc = typename F::Acc;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    Acc* const partials = reinterpret_cast<Acc*>(arguments.partials);
    const int64 count = arguments.runs * arguments.chunks;
    for (int64 number = first_element(); number < count; number += grid_stride()) {
      const int64 chunk = arguments.chunks == 1 ? 0 : number / arguments.runs;
      const int64 run = number - chunk * arguments.runs;
      const int64 begin = chunk * arguments.chunk, left = arguments.n - begin;
      const int64 end = left < arguments.chunk ? arguments.n : begin + arguments.chunk;
      int64 offsets[2] = {};
      add_offsets_at(arguments.axes, 0, arguments.ndim, arguments.wide, run, offsets);
      const char* const in = arguments.in + offsets[0];
      char* const out = arguments.out + offsets[1];
      Acc sum = F::start();
      if constexpr (!TOTALS) {
        if (chunk == 0 && arguments.initial) {
          store<Out>(out - arguments.out_stride, convert<Out>(F::INITIAL));
        }
        for (int64 k = 0; k < chunk; k++) {
          sum = F::merge(sum, partials[k * arguments.runs + run]);
        }
      }
      for (int64 first = begin; first < end; first += LOADS) {
        T x[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
          x[k] = T{};
          if (first + k < end) x[k] = convert<T>(load<In>(in + (first + k) * arguments.stride));
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
          if (first + k < end) {
            sum = F::merge(sum, F::of(x[k]));
            if constexpr (!TOTALS) {
              store<Out>(out + (first + k) * arguments.out_stride, convert<Out>(F::value(sum)));
            }
          }
        }
      }
      if constexpr (TOTALS) partials[chunk * arguments.runs + run] = sum;
    }
  }
};

}  // namespace corepy
