// Reductions of rows, whose elements are adjacent, and of columns.
//
// The order in which elements are combined depends on layout and sizes alone: each thread has fixed
// elements of a tile, and chunks of tiles have a fixed size. Results do not depend on the number of
// blocks or the alignment.
#pragma once

#include "reduce_operations.cuh"

namespace corepy {

// A thread sums groups of this many iterations, then the groups, so that rounding errors grow
// slowly with the number of elements. (EXACT reductions need no groups, and may have any number of
// elements in an iteration.)
constexpr int REDUCE_GROUP = 32;

template <class F, class Out>
COREPY_DEVICE void store_result(char* at, typename F::Acc acc, float64 divisor) {
  store<Out>(at, convert<Out>(F::finish(acc, divisor)));
}

// Returns the offset of item `number` of a result, and sets the index of its first element. ONE:
// one reduced axis.
template <bool ONE, class Arguments>
COREPY_DEVICE int64 find_item(const Arguments& arguments, int64 number, int64& index) {
  int64 offsets[2] = {};
  if constexpr (ONE) {
    add_offsets<0>(arguments.axes, arguments.outer, arguments.outer, number, offsets);
  } else {
    add_offsets_at(arguments.axes, arguments.outer, arguments.ndim, arguments.wide, number,
                   offsets);
  }
  index = offsets[1];
  return offsets[0];
}

// GROUP threads, a block or a part of a warp, reduce the elements of a result, in packs of V
// consecutive elements. ALIGNED: packs are aligned. ONE: one reduced axis. If results have several
// chunks, the last block to finish merges all accumulators.
template <class F, class In, class Out, int V, bool ALIGNED, int GROUP, bool ONE, int AXES,
          class Source = FromMemory>
struct Rows : KernelBase {
  static constexpr bool HAS_BARRIERS = GROUP > 1;
  using Arguments = typename Source::template Arguments<AXES>;
  using T = typename F::type;
  using Acc = typename F::Acc;
  // Packs of a load: fewer if each needs many registers.
  static constexpr int MAX_PACKS = V > 1 || sizeof(In) >= 16 ? 4 : 8;
  static constexpr bool WIDE = sizeof(Acc) > 8, HEAVY = V >= (WIDE ? 8 : 16) && !F::BYTES;
  static constexpr int PACKS = HEAVY ? 2 : F::EXACT && WIDE ? 4 : MAX_PACKS;
  static constexpr int ITERATIONS = REDUCE_GROUP * MAX_PACKS / PACKS;
  // 5 blocks have 48 registers for a thread. That is enough where warps, or parts of them, reduce
  // rows of 16-bit integers, or find extremes of float32; others would need a stack.
  static constexpr bool FEW_REGISTERS =
      is_integer<In> ? V == 8 && !WIDE
                     : is_floating<In> && V == 4 && sizeof(Acc) == 4 && !F::STOPS_EARLY;
  static constexpr bool OF_WARPS = is_same<Source, FromMemory> && ONE && GROUP > 1 && GROUP <= 32;
  static constexpr int RESIDENT = FEW_REGISTERS && OF_WARPS ? 5 : 0;

  static COREPY_DEVICE T element_at(const Arguments& arguments, const char* at) {
    const Pack<In, 1> pack = Source::template pack<In, 1, true>(arguments, at);
    return convert<T>(loaded<In>(pack.values[0]));
  }

  static COREPY_DEVICE typename F::Center center_of(const Arguments& arguments, const char* row) {
    if constexpr (F::CENTERED) {
      return F::center(element_at(arguments, row));
    } else {
      return {};
    }
  }

  static COREPY_DEVICE void convert_pack(const Pack<In, V>& pack, bool has, T* x) {
#pragma unroll
    for (int i = 0; i < V; i++) x[i] = has ? convert<T>(loaded<In>(pack.values[i])) : T{};
  }

  // Accumulates packs `first`, first + GROUP, first + 2 GROUP, ...
  static COREPY_DEVICE void take(Acc& acc, const Arguments& arguments, const char* row, int64 first,
                                 int64 end, typename F::Center center) {
    Pack<In, V> packs[PACKS];
    bool has[PACKS];
    PackIndices<PACKS> indices;
    indices.stride = arguments.index_stride;
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
      const int64 number = first + p * GROUP;
      has[p] = number < end;
      if (has[p]) {
        const int64 offset = find_item<ONE>(arguments, number, indices.first[p]);
        packs[p] = Source::template pack<In, V, ALIGNED>(arguments, row + offset);
      }
    }
    if constexpr (F::BYTES && V == 16 && is_same<In, T>) {
#pragma unroll
      for (int p = 0; p < PACKS; p++) {
        if (has[p]) {
          uint32 words[4];
          memcpy(words, &packs[p], 16);
          F::take_bytes(acc, words);
        }
      }
    } else if constexpr (V <= 4) {
      T x[PACKS * V];
#pragma unroll
      for (int p = 0; p < PACKS; p++) convert_pack(packs[p], has[p], x + p * V);
      F::template take<V>(acc, x, has, indices, center);
    } else {
      // Pack by pack, to save registers for loads.
#pragma unroll
      for (int p = 0; p < PACKS; p++) {
        T x[V];
        convert_pack(packs[p], has[p], x);
        const bool active[1] = {has[p]};
        F::template take<V>(acc, x, active, PackIndices<1>{{indices.first[p]}, indices.stride},
                            center);
      }
    }
  }

  static COREPY_DEVICE Acc accumulate(const Arguments& arguments, const char* row, int64 begin,
                                      int64 end, int lane) {
    const auto center = center_of(arguments, row);
    Acc acc = F::start();
    int64 first = begin + lane;
    while (first < end) {
      Acc group = F::EXACT ? acc : F::start();
      for (int k = 0; k < ITERATIONS && first < end; k++, first += GROUP * PACKS) {
        take(group, arguments, row, first, end, center);
        if constexpr (F::STOPS_EARLY) {
          if (F::is_final(group)) first = end;
        }
      }
      acc = F::EXACT ? group : F::merge(acc, group);
    }
    const int tail = end == arguments.items ? arguments.tail : 0;
#pragma unroll 1
    for (int i = lane; i < tail; i += GROUP) {
      const bool has[1] = {true};
      const int64 number = arguments.items * V + i;
      const T x[1] = {element_at(arguments, row + number * int64(sizeof(In)))};
      F::template take<1>(acc, x, has, PackIndices<1>{{number * arguments.index_stride}, 0},
                          center);
    }
    return acc;
  }

  // Merges the accumulators of a result's chunks.
  static COREPY_DEVICE Acc merge_chunks(const Arguments& arguments, int64 result) {
    const char* const chunks = arguments.partials + result * arguments.chunks * int64(sizeof(Acc));
    Acc acc = F::start();
    for (int64 i = threadIdx.x; i < arguments.chunks; i += THREADS) {
      acc = F::merge(acc, load_published<Acc>(chunks + i * int64(sizeof(Acc))));
    }
    return merge_block<F, THREADS>(acc);
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    constexpr int ROWS = THREADS / GROUP;
    const int lane = threadIdx.x % GROUP;
    const int64 units = arguments.results * arguments.chunks;
    for (int64 start = int64(blockIdx.x) * ROWS; start < units; start += int64(gridDim.x) * ROWS) {
      const int64 unit = start + threadIdx.x / GROUP;
      const int64 result = arguments.chunks == 1 ? unit : unit / arguments.chunks;
      int64 offsets[2] = {};
      Acc acc = F::start();
      if (unit < units) {
        add_offsets_at(arguments.axes, 0, arguments.outer, arguments.wide, result, offsets);
        const int64 begin = (unit - result * arguments.chunks) * arguments.chunk;
        const int64 left = arguments.items - begin;
        acc = accumulate(arguments, arguments.in + offsets[0], begin,
                         left < arguments.chunk ? arguments.items : begin + arguments.chunk, lane);
      }
      if constexpr (GROUP == THREADS) {
        acc = merge_block<F, THREADS>(acc);
      } else if constexpr (GROUP > 1) {
        acc = merge_warp<F, GROUP>(acc);
      }
      if constexpr (GROUP == THREADS) {
        if (arguments.chunks > 1) {
          if (threadIdx.x == 0) {
            *reinterpret_cast<Acc*>(arguments.partials + unit * int64(sizeof(Acc))) = acc;
          }
          if (!is_last_block(arguments.counters + result, arguments.chunks)) continue;
          acc = merge_chunks(arguments, result);
        }
      }
      if (lane == 0 && unit < units) {
        store_result<F, Out>(arguments.out + offsets[1], acc, arguments.divisor);
      }
    }
  }
};

// Columns: adjacent results. A thread reduces elements of V consecutive columns. Depending on the
// sizes, a block has threads along columns, along rows and along the outer axes of results.
template <class F, class In, class Out, int V, bool ALIGNED, bool ONE, int AXES,
          class Source = FromMemory>
struct Columns : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  using Arguments = typename Source::template Arguments<AXES>;
  using T = typename F::type;
  using Acc = typename F::Acc;
  using Center = typename F::Center;
  // Rows of a load, as MAX_PACKS of Rows.
  static constexpr int MAX_ROWS = V > 1 || sizeof(In) >= 16 ? 4 : 8;
  static constexpr bool WIDE = sizeof(Acc) > 8;
  static constexpr int ROWS = !(F::EXACT && WIDE) ? MAX_ROWS : V > 2 ? 2 : 4;
  static constexpr int ITERATIONS = REDUCE_GROUP * MAX_ROWS / ROWS;

  static COREPY_DEVICE Center center_of(const Arguments& arguments, const char* element) {
    if constexpr (F::CENTERED) {
      const Pack<In, 1> pack = Source::template pack<In, 1, true>(arguments, element);
      return F::center(convert<T>(loaded<In>(pack.values[0])));
    } else {
      return {};
    }
  }

  // Accumulates rows `first`, first + step, first + 2 step, ...
  static COREPY_DEVICE void take(Acc (&acc)[V], const Arguments& arguments, const char* columns,
                                 int64 first, int64 step, int64 end, const Center (&centers)[V]) {
    Pack<In, V> packs[ROWS];
    bool has[ROWS];
    PackIndices<ROWS> indices;
    indices.stride = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int64 number = first + r * step;
      has[r] = number < end;
      if (has[r]) {
        const int64 offset = find_item<ONE>(arguments, number, indices.first[r]);
        packs[r] = Source::template pack<In, V, ALIGNED>(arguments, columns + offset);
      }
    }
#pragma unroll
    for (int i = 0; i < V; i++) {
      T x[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        x[r] = has[r] ? convert<T>(loaded<In>(packs[r].values[i])) : T{};
      }
      F::template take<1>(acc[i], x, has, indices, centers[i]);
      F::share(acc[i], acc[0]);
    }
  }

  static COREPY_DEVICE void accumulate(Acc (&acc)[V], const Arguments& arguments,
                                       const char* columns, int64 begin, int64 end, int64 step) {
    Center centers[V];
#pragma unroll
    for (int i = 0; i < V; i++) {
      centers[i] = center_of(arguments, columns + i * int64(sizeof(In)));
    }
    int64 first = begin;
    while (first < end) {
      Acc group[V];
#pragma unroll
      for (int i = 0; i < V; i++) group[i] = F::EXACT ? acc[i] : F::start();
      for (int k = 0; k < ITERATIONS && first < end; k++, first += step * ROWS) {
        take(group, arguments, columns, first, step, end, centers);
      }
#pragma unroll
      for (int i = 0; i < V; i++) {
        acc[i] = F::EXACT ? group[i] : F::merge(acc[i], group[i]);
        F::share(acc[i], acc[0]);
      }
    }
  }

  // Merges the accumulators of threads along rows as a tree; the first has the result.
  static COREPY_DEVICE void merge_rows(Acc (&acc)[V], int row, int lanes, int rows) {
    __shared__ Acc shared[THREADS];
    if (rows == 1) return;
#pragma unroll
    for (int i = 0; i < V; i++) {
      shared[threadIdx.x] = acc[i];
      __syncthreads();
      for (int count = rows; count > 1;) {
        const int half = (count + 1) / 2;
        if (row + half < count) {
          shared[threadIdx.x] = F::merge(shared[threadIdx.x], shared[threadIdx.x + half * lanes]);
        }
        __syncthreads();
        count = half;
      }
      acc[i] = shared[threadIdx.x];
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int lanes = arguments.lanes, rows = arguments.lines, depth = arguments.depth;
    const int line = threadIdx.x / lanes, lane = threadIdx.x - line * lanes;
    // Surplus threads get a row past the end.
    const int slice = line / rows, row = slice < depth ? line - slice * rows : rows;
    const int64 tiles = arguments.tiles;
    const int64 units = (arguments.results + depth - 1) / depth * tiles;
    for (int64 number = blockIdx.x; number < units * arguments.chunks; number += gridDim.x) {
      const int64 chunk = arguments.chunks == 1 ? 0 : number / units;
      const int64 unit = number - chunk * units, above = unit / tiles;
      const int64 outer = above * depth + slice;
      const int64 column = ((unit - above * tiles) * lanes + lane) * V;
      const bool active = slice < depth && outer < arguments.results && column < arguments.width;
      Acc acc[V];
#pragma unroll
      for (int i = 0; i < V; i++) acc[i] = F::start();
      int64 offsets[2] = {column * arguments.column_stride, column * arguments.column_out};
      if (active) {
        add_offsets_at(arguments.axes, 0, arguments.outer, arguments.wide, outer, offsets);
        const int64 begin = chunk * arguments.chunk, left = arguments.items - begin;
        // Threads along rows begin one row apart; indices are relative to the first element of all.
        accumulate(acc, arguments, arguments.in + offsets[0], begin + row,
                   left < arguments.chunk ? arguments.items : begin + arguments.chunk, rows);
      }
      merge_rows(acc, row, lanes, rows);
      if (arguments.chunks > 1) {
        const int64 result = outer * arguments.width + column;
        const int64 results = arguments.results * arguments.width;
        Acc* const partials = reinterpret_cast<Acc*>(arguments.partials);
        if (active && row == 0) {
#pragma unroll
          for (int i = 0; i < V; i++) partials[chunk * results + result + i] = acc[i];
        }
        if (!is_last_block(arguments.counters + unit, arguments.chunks)) continue;
#pragma unroll
        for (int i = 0; i < V; i++) acc[i] = F::start();
        if (active) {
          for (int64 k = row; k < arguments.chunks; k += rows) {
#pragma unroll
            for (int i = 0; i < V; i++) {
              acc[i] = F::merge(acc[i], load_published<Acc>(reinterpret_cast<const char*>(
                                            partials + k * results + result + i)));
            }
          }
        }
        merge_rows(acc, row, lanes, rows);
      }
      if (active && row == 0) {
#pragma unroll
        for (int i = 0; i < V; i++) {
          store_result<F, Out>(arguments.out + offsets[1] + i * arguments.column_out, acc[i],
                               arguments.divisor);
        }
      }
    }
  }
};

}  // namespace corepy
