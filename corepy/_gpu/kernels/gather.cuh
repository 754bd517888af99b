// Reading and writing at integer indices. Negative ones count from the end.
#pragma once

#include "iteration.cuh"

namespace corepy {

// out = base[index]. CHECK: negative indices are wrapped; for indices out of range 0 is written to
// the output, and the report is filled in, which is in memory of the host. Otherwise indices are
// offsets, times `stride`.
template <class T, class Index, int NDIM, bool WIDE, bool CHECK>
struct Gather : KernelBase {
  static constexpr int ITEMS = 4;  // in flight, as each has two dependent loads
  using Arguments = WithSpace<GatherShape, NDIM>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 n = arguments.space.n;
    for (int64 first = first_element(ITEMS); first < n; first += grid_stride(ITEMS)) {
      int64 offsets[ITEMS][3];
      int64 index[ITEMS];
      T elements[ITEMS];
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        const int64 i = first + k * THREADS;
        index[k] = 0;
        if (i < n) {
          find_offsets<WIDE>(arguments.space, i, offsets[k]);
          index[k] = int64(load<Index>(arguments.index + offsets[k][2]));
        }
      }
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        bool good = first + k * THREADS < n;
        if constexpr (CHECK) {
          const int64 given = index[k];
          if (index[k] < 0) index[k] += arguments.size;
          if (good && (index[k] < 0 || index[k] >= arguments.size)) {
            volatile long long* const report = arguments.report;
            report[1] = given;
            report[0] = 1;
            good = false;
          }
        }
        elements[k] = T{};
        if (good)
          elements[k] = load<T>(arguments.base + offsets[k][1] + index[k] * arguments.stride);
      }
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        if (first + k * THREADS < n) store<T>(arguments.out + offsets[k][0], elements[k]);
      }
    }
  }
};

// base[offset] = value; the lowest int64 as offset writes nothing.
template <class T, int NDIM, bool WIDE>
struct Scatter : KernelBase {
  using Arguments = WithSpace<ScatterShape, NDIM>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    for (int64 i = first_element(); i < arguments.space.n; i += grid_stride()) {
      int64 offsets[3];
      find_offsets<WIDE>(arguments.space, i, offsets);
      const int64 offset = load<int64>(arguments.offsets + offsets[2]);
      if (offset != Limits<int64>::lowest) {
        const Input& value = arguments.value;
        store<T>(arguments.base + offsets[0] + offset,
                 element_at<T>(value, value.data + offsets[1]));
      }
    }
  }
};

// The stages from indices to offsets.
enum class Stage {
  check,   // computes offsets, sets the flag, and clears the winners of used rows
  choose,  // the last of equal indices becomes the winner
  drop,    // removes the offsets of the others
};

// Where the winner of a row is stored.
enum class Winners {
  none,
  direct,  // a slot for each row of the array
  hashed,  // a hash table, for many more rows than indices
};

template <Stage STAGE, Winners WINNERS>
struct PrepareIndices : KernelBase {
  static constexpr uint64 EMPTY = ~0ull;  // the key of an unused slot
  using Arguments = IndexArguments;

  static COREPY_DEVICE int64 slot_of(const Arguments& arguments, int64 row) {
    if constexpr (WINNERS == Winners::direct) return row;
    const uint64 last = EMPTY >> arguments.shift;
    uint64 slot = uint64(row) * 0x9e3779b97f4a7c15ull >> arguments.shift;
    while (true) {
      uint64 key = arguments.keys[slot];
      if (key == uint64(row)) return int64(slot);
      if (STAGE == Stage::check && key == EMPTY) {
        key = atomicCAS(arguments.keys + slot, EMPTY, uint64(row));
        if (key == EMPTY || key == uint64(row)) return int64(slot);
      }
      slot = (slot + 1) & last;
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    for (int64 i = first_element(); i < arguments.n; i += grid_stride()) {
      int64 row = 0, offset = 0;
      bool good = true;
      for (int k = 0; k < arguments.count; k++) {
        int64 index = arguments.index[k][i];
        if (index < 0) index += arguments.sizes[k];
        good &= index >= 0 && index < arguments.sizes[k];
        row = row * arguments.sizes[k] + index;
        offset += index * arguments.strides[k];
      }
      if constexpr (STAGE == Stage::check) {
        if (!good) {
          *arguments.flag = 1;
          continue;
        }
        if (arguments.offsets) arguments.offsets[i] = offset;
        if constexpr (WINNERS != Winners::none) {
          arguments.winners[slot_of(arguments, row)] = -1;
        }
      } else if constexpr (STAGE == Stage::choose) {
        raise_to(arguments.winners + slot_of(arguments, row), i);
      } else {
        const bool wins = arguments.winners[slot_of(arguments, row)] == i;
        if (!wins) arguments.offsets[i] = Limits<int64>::lowest;
      }
    }
  }
};

}  // namespace corepy
