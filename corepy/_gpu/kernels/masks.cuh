// Reading and writing where a mask is true, and the positions of true elements: the true elements
// of each chunk are counted; the sum of the counts before a chunk is the index of its first one.
#pragma once

#include "iteration.cuh"

namespace corepy {

struct CountMask : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  static constexpr int PACKS = 4;  // loads of 16 elements in flight
  using Arguments = MaskArguments;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ int64 sums[THREADS / 32];
    const int thread = int(threadIdx.x);
    const bool aligned = reinterpret_cast<uint64>(arguments.mask) % 16 == 0;
    for (int64 chunk = blockIdx.x; chunk < arguments.chunks; chunk += gridDim.x) {
      const int64 begin = chunk * arguments.chunk;
      const int64 end =
          begin + arguments.chunk < arguments.n ? begin + arguments.chunk : arguments.n;
      int64 count = 0;
      if (aligned) {
        const int64 packs = (end - begin) / 16;
        for (int64 first = thread; first < packs; first += THREADS * PACKS) {
          Pack<uint32, 4> words[PACKS];
#pragma unroll
          for (int p = 0; p < PACKS; p++) {
            words[p] = {};
            const int64 pack = first + p * THREADS;
            if (pack < packs) {
              words[p] = reinterpret_cast<const Pack<uint32, 4>*>(arguments.mask + begin)[pack];
            }
          }
#pragma unroll
          for (int p = 0; p < PACKS; p++) {
#pragma unroll
            for (int k = 0; k < 4; k++) count += __popc(true_bytes(words[p].values[k]));
          }
        }
        const int64 single = begin + packs * 16 + thread;
        if (single < end) count += arguments.mask[single] != 0;
      } else {
#pragma unroll 4
        for (int64 i = begin + thread; i < end; i += THREADS) count += arguments.mask[i] != 0;
      }
      count = sum_of_warp(count);
      if (thread % 32 == 0) sums[thread / 32] = count;
      __syncthreads();
      if (thread == 0) {
        for (int warp = 1; warp < THREADS / 32; warp++) count += sums[warp];
        arguments.counts[chunk] = count;
      }
      __syncthreads();
    }
  }
};

// ---- operations on a true element: `at` is its index among the true elements. ITEMS of them are
// loaded at once, to overlap latencies.

// packed[at] = data[position]
template <class T, int NDIM, bool WIDE>
struct ReadMasked {
  using Arguments = WithSpace<PackShape, NDIM>;
  using Element = T;
  static constexpr int ITEMS = sizeof(T) > 8 ? 4 : 8;
  static COREPY_DEVICE T read(const Arguments& arguments, int64 position, int64) {
    int64 offsets[1];
    find_offsets<WIDE>(arguments.space, position, offsets);
    return load<T>(arguments.data + offsets[0]);
  }
  static COREPY_DEVICE void write(const Arguments& arguments, int64, int64 at, T element) {
    store<T>(arguments.packed + at * int64(sizeof(T)), element);
  }
};

// data[position] = packed[at]
template <class T, int NDIM, bool WIDE>
struct WriteMasked {
  using Arguments = WithSpace<PackShape, NDIM>;
  using Element = T;
  static constexpr int ITEMS = 4;
  static COREPY_DEVICE T read(const Arguments& arguments, int64, int64 at) {
    return load<T>(arguments.packed + at * int64(sizeof(T)));
  }
  static COREPY_DEVICE void write(const Arguments& arguments, int64 position, int64, T element) {
    int64 offsets[1];
    find_offsets<WIDE>(arguments.space, position, offsets);
    store<T>(arguments.data + offsets[0], element);
  }
};

// packed[axis][at] = position along that axis
template <int NDIM, bool WIDE>
struct FindPositions {
  using Arguments = WithSpace<PackShape, NDIM>;
  using Element = bool;  // nothing is read
  static constexpr int ITEMS = 1;
  static COREPY_DEVICE bool read(const Arguments&, int64, int64) { return true; }
  static COREPY_DEVICE void write(const Arguments& arguments, int64 position, int64 at, bool) {
    int64* const out = reinterpret_cast<int64*>(arguments.packed);
    auto left = number_of<WIDE>(position);
#pragma unroll 1
    for (int axis = arguments.space.ndim - 1; axis > 0; axis--) {
      const IterationAxis<1>& here = arguments.space.axes[axis];
      out[axis * arguments.count + at] = split_index(left, here.size, here.divisor);
    }
    out[at] = left;
  }
};

template <class Action>
struct Compact : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  // Resident blocks of a multiprocessor, for enough loads in flight.
  static constexpr int RESIDENT = sizeof(typename Action::Element) > 4 ? 5 : 6;
  static constexpr int WARPS = THREADS / 32;
  static constexpr int ITEMS = Action::ITEMS;             // in flight
  static constexpr int ROUNDS = MASK_TILE / THREADS / 4;  // of four elements for each thread
  static_assert(ROUNDS == 4 && ROUNDS * WARPS == 32, "one warp adds up what the rounds found");
  using Arguments = typename Action::Arguments;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ uint16 positions[MASK_TILE];  // of the true elements in the tile
    __shared__ int starts[ROUNDS * WARPS];
    __shared__ int found;
    __shared__ int64 sums[WARPS];
    const MaskArguments& mask = arguments.mask;
    const int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
    const bool aligned = reinterpret_cast<uint64>(mask.mask) % 4 == 0;
    for (int64 chunk = blockIdx.x; chunk < mask.chunks; chunk += gridDim.x) {
      int64 before = 0;
#pragma unroll 4
      for (int64 k = thread; k < chunk; k += THREADS) before += mask.counts[k];
      before = sum_of_warp(before);
      if (lane == 0) sums[warp] = before;
      __syncthreads();
      before = 0;
      for (int k = 0; k < WARPS; k++) before += sums[k];
      const int64 begin = chunk * mask.chunk;
      const int64 end = begin + mask.chunk < mask.n ? begin + mask.chunk : mask.n;
      for (int64 tile = begin; tile < end; tile += MASK_TILE) {
        uint32 bytes[ROUNDS];
        read(bytes, mask.mask + tile, aligned, end - tile);
        uint32 counts = 0;  // a byte for each round, at most 128 in a warp
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
          counts |= uint32(__popc(bytes[r])) << (8 * r);
        }
        uint32 until = counts;
#pragma unroll
        for (int delta = 1; delta < 32; delta *= 2) {
          const uint32 lower = shuffle_up(until, delta);
          if (lane >= delta) until += lower;
        }
        if (lane == 31) {
#pragma unroll
          for (int r = 0; r < ROUNDS; r++) starts[r * WARPS + warp] = int(until >> (8 * r) & 255);
        }
        __syncthreads();
        if (warp == 0) {
          const int count = starts[lane];
          int sum = count;
#pragma unroll
          for (int delta = 1; delta < 32; delta *= 2) {
            const int lower = shuffle_up(sum, delta);
            if (lane >= delta) sum += lower;
          }
          starts[lane] = sum - count;
          if (lane == 31) found = sum;
        }
        __syncthreads();
        const uint32 ahead = until - counts;
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
          int at = starts[r * WARPS + warp] + int(ahead >> (8 * r) & 255);
#pragma unroll
          for (int k = 0; k < 4; k++) {
            if (bytes[r] >> (8 * k + 7) & 1) {
              positions[at++] = uint16((r * THREADS + thread) * 4 + k);
            }
          }
        }
        __syncthreads();
        const int all = found;
        for (int first = thread; first < all; first += THREADS * ITEMS) {
          typename Action::Element elements[ITEMS];
#pragma unroll
          for (int j = 0; j < ITEMS; j++) {
            const int k = first + j * THREADS;
            if (k < all) elements[j] = Action::read(arguments, tile + positions[k], before + k);
          }
#pragma unroll
          for (int j = 0; j < ITEMS; j++) {
            const int k = first + j * THREADS;
            if (k < all) Action::write(arguments, tile + positions[k], before + k, elements[j]);
          }
        }
        before += all;
        __syncthreads();
      }
      __syncthreads();
    }
  }

 private:
  // Bit 7 of each true byte, of four elements in each round; `left` is the number of elements.
  static COREPY_DEVICE void read(uint32 (&bytes)[ROUNDS], const char* tile, bool aligned,
                                 int64 left) {
    if (aligned && left >= MASK_TILE) {
#pragma unroll
      for (int r = 0; r < ROUNDS; r++) {
        bytes[r] = reinterpret_cast<const uint32*>(tile)[r * THREADS + int(threadIdx.x)];
      }
    } else {
#pragma unroll
      for (int r = 0; r < ROUNDS; r++) {
        const int first = (r * THREADS + int(threadIdx.x)) * 4;
        bytes[r] = 0;
#pragma unroll 1
        for (int k = 0; k < 4 && first + k < left; k++) {
          bytes[r] |= uint32(uint8(tile[first + k])) << (8 * k);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) bytes[r] = true_bytes(bytes[r]);
  }
};

// data = value where the mask is true; operands of any layout. Other elements are not written.
template <class T, int NDIM, bool WIDE>
struct FillMask : KernelBase {
  static constexpr int ITEMS = 4;
  using Arguments = WithSpace<FillShape, NDIM>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 n = arguments.space.n;
    for (int64 first = first_element(ITEMS); first < n; first += grid_stride(ITEMS)) {
      int64 offsets[ITEMS][3];
      bool write[ITEMS];
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        write[k] = false;
        if (first + k * THREADS < n) {
          find_offsets<WIDE>(arguments.space, first + k * THREADS, offsets[k]);
          write[k] = arguments.mask[offsets[k][1]] != 0;
        }
      }
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        if (write[k]) {
          const Input& value = arguments.value;
          store<T>(arguments.data + offsets[k][0],
                   element_at<T>(value, value.data + offsets[k][2]));
        }
      }
    }
  }
};

}  // namespace corepy
