#include "gather.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "../layout/axes.hpp"
#include "iterate.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t BLOCK = 512;      // indices whose offsets are computed at a time
constexpr ptrdiff_t GRAIN = 16384;    // least elements of a chunk
constexpr ptrdiff_t AT_ONCE = 32768;  // maximum of indices whose offsets are all stored

// Writes the offsets in bytes of n indices from `begin` on; false if one is out of range.
bool find_offsets(const Indices& indices, ptrdiff_t begin, ptrdiff_t n, ptrdiff_t* offsets) {
  const auto loop = kernels().gathers.offsets;
  bool good = true;
  for (int k = 0; k < indices.count; k++) {
    good &= loop(n, indices.index[k] + begin, indices.size[k], indices.stride[k], k > 0, offsets);
  }
  return good;
}

ptrdiff_t loop_of(ptrdiff_t nbytes) { return nbytes <= GatherLoops::MAX_BYTES ? nbytes : 0; }

// The axes before the indexed ones.
Axes<1> outer_axes(int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides) {
  Axes<1> axes;
  for (int i = 0; i < ndim; i++) axes.add({shape[i], {strides[i]}});
  axes.collapse();
  return axes;
}

// out[i] = x[index[i]] for one run of `take_along`.
template <size_t itemsize>
bool gather_run(ptrdiff_t n, char* const* data, const ptrdiff_t* steps, ptrdiff_t size,
                ptrdiff_t axis_stride) {
  if (steps[2] == 0) {  // one index for all
    int64_t position = read_once(reinterpret_cast<const int64_t*>(data[2]));
    position += (position >> 63) & size;
    if (uint64_t(position) >= uint64_t(size)) return false;
    const char* const x = data[1] + position * axis_stride;
    for (ptrdiff_t i = 0; i < n; i++) {
      std::memcpy(data[0] + i * steps[0], x + i * steps[1], itemsize);
    }
    return true;
  }
  ptrdiff_t offsets[BLOCK];
  for (ptrdiff_t begin = 0; begin < n; begin += BLOCK) {
    const ptrdiff_t count = n - begin < BLOCK ? n - begin : BLOCK;
    char* const out = data[0] + begin * steps[0];
    const char* const x = data[1] + begin * steps[1];
    const char* const index = data[2] + begin * steps[2];
    bool bad = false;
    for (ptrdiff_t i = 0; i < count; i++) {
      int64_t position = read_once(reinterpret_cast<const int64_t*>(index + i * steps[2]));
      position += (position >> 63) & size;
      bad |= uint64_t(position) >= uint64_t(size);
      offsets[i] = ptrdiff_t(uint64_t(position) * uint64_t(axis_stride));
    }
    if (bad) return false;
    for (ptrdiff_t i = 0; i < count; i++) {
      std::memcpy(out + i * steps[0], x + i * steps[1] + offsets[i], itemsize);
    }
  }
  return true;
}

}  // namespace

bool find_bad_index(const Indices& indices, int* which, ptrdiff_t* where) {
  for (int k = 0; k < indices.count; k++) {
    const int64_t* const index = indices.index[k];
    const uint64_t size = uint64_t(indices.size[k]);
    for (ptrdiff_t begin = 0; begin < indices.n; begin += BLOCK) {
      const ptrdiff_t end = indices.n - begin < BLOCK ? indices.n : begin + BLOCK;
      // Neither sum is negative for an index from -size on and below size.
      uint64_t bad = 0;
      for (ptrdiff_t i = begin; i < end; i++) {
        bad |= (uint64_t(index[i]) + size) | (size - 1 - uint64_t(index[i]));
      }
      if (bad >> 63 == 0) continue;
      for (ptrdiff_t i = begin; i < end; i++) {
        if (index[i] >= -int64_t(size) && index[i] < int64_t(size)) continue;
        *which = k;
        *where = i;
        return true;
      }
    }
  }
  return false;
}

bool take_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
               const char* x, ptrdiff_t nbytes, char* out) {
  const Axes<1> axes = outer_axes(ndim, shape, strides);
  const ptrdiff_t outer = axes.size();
  const auto loop = kernels().gathers.gather[loop_of(nbytes)];
  const ptrdiff_t weight = nbytes < 64 ? 1 : nbytes / 64;  // of a row, in elements
  // Chunks of some of the outer positions and some of the indices.
  const ptrdiff_t inner_grain = std::max<ptrdiff_t>(1, GRAIN / weight);
  const ptrdiff_t inner_chunks = ceil_div(indices.n, inner_grain);
  const ptrdiff_t outer_grain = std::max<ptrdiff_t>(1, indices.n ? inner_grain / indices.n : 1);
  const ptrdiff_t outer_chunks = ceil_div(outer, outer_grain);
  std::atomic<bool> good{true};
  parallel_for(inner_chunks * outer_chunks, [&](ptrdiff_t chunk) {
    const ptrdiff_t outer_begin = chunk / inner_chunks * outer_grain;
    const ptrdiff_t outer_end = std::min(outer, outer_begin + outer_grain);
    const ptrdiff_t inner_begin = chunk % inner_chunks * inner_grain;
    const ptrdiff_t inner_end = std::min(indices.n, inner_begin + inner_grain);
    ptrdiff_t offsets[BLOCK];
    for (ptrdiff_t begin = inner_begin; begin < inner_end; begin += BLOCK) {
      const ptrdiff_t n = inner_end - begin < BLOCK ? inner_end - begin : BLOCK;
      if (!find_offsets(indices, begin, n, offsets)) {
        good.store(false, std::memory_order_relaxed);
        return;
      }
      Position<1> position(axes, outer_begin);
      for (ptrdiff_t k = outer_begin; k < outer_end; k++, position.advance()) {
        loop(n, offsets, x + position[0], nbytes, out + (k * indices.n + begin) * nbytes);
      }
    }
  });
  return good.load(std::memory_order_relaxed);
}

bool put_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
              char* x, ptrdiff_t nbytes, const char* in, bool repeat) {
  const Axes<1> axes = outer_axes(ndim, shape, strides);
  const ptrdiff_t outer = axes.size();
  const auto loop = kernels().gathers.scatter[loop_of(nbytes)];
  const ptrdiff_t in_step = repeat ? 0 : nbytes;
  const auto put = [&](ptrdiff_t begin, ptrdiff_t n, const ptrdiff_t* offsets) {
    if (outer == 0) return;
    Position<1> position(axes);
    for (ptrdiff_t k = 0; k < outer; k++, position.advance()) {
      loop(n, offsets, x + position[0], nbytes, in + (k * indices.n + begin) * in_step, in_step);
    }
  };
  ptrdiff_t block[BLOCK];
  if (indices.n <= AT_ONCE) {  // one read of each index checks it and computes its offset
    size_t capacity = 0;
    ptrdiff_t* offsets = block;
    if (indices.n > BLOCK) {
      offsets =
          static_cast<ptrdiff_t*>(acquire_memory(size_t(indices.n) * sizeof(ptrdiff_t), &capacity));
    }
    if (offsets) {
      const bool good = find_offsets(indices, 0, indices.n, offsets);
      if (good) put(0, indices.n, offsets);
      if (offsets != block) release_memory(offsets, capacity);
      return good;
    }
  }
  int which;
  ptrdiff_t where;
  if (find_bad_index(indices, &which, &where)) return false;
  for (ptrdiff_t begin = 0; begin < indices.n; begin += BLOCK) {
    const ptrdiff_t n = indices.n - begin < BLOCK ? indices.n - begin : BLOCK;
    // Indices that another thread has since set out of range are skipped.
    if (find_offsets(indices, begin, n, block)) put(begin, n, block);
  }
  return true;
}

bool take_boxes(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
                const char* x, const RowLayout& row, char* out) {
  const Axes<1> axes = outer_axes(ndim, shape, strides);
  const ptrdiff_t rows = axes.size() * indices.n;
  const ptrdiff_t grain = row.count < GRAIN ? GRAIN / row.count : 1;
  std::atomic<bool> good{true};
  parallel_ranges(rows, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    Position<1> position(axes, begin / indices.n);
    ptrdiff_t i = begin % indices.n;
    for (ptrdiff_t number = begin; number < end; number++) {
      ptrdiff_t offset;
      if (!find_offsets(indices, i, 1, &offset)) {
        good.store(false, std::memory_order_relaxed);
        return;
      }
      copy(row.itemsize, row.ndim, row.shape, out + number * row.count * row.itemsize,
           row.other_strides, x + position[0] + offset, row.strides);
      if (++i == indices.n) {
        i = 0;
        position.advance();
      }
    }
  });
  return good.load(std::memory_order_relaxed);
}

bool put_boxes(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
               char* x, const RowLayout& row, const char* in, bool repeat) {
  int which;
  ptrdiff_t where, offset;
  if (find_bad_index(indices, &which, &where)) return false;
  const Axes<1> axes = outer_axes(ndim, shape, strides);
  const ptrdiff_t outer = axes.size();
  const ptrdiff_t in_step = repeat ? 0 : row.count * row.itemsize;
  Position<1> position(axes);
  for (ptrdiff_t k = 0; k < outer; k++, position.advance()) {
    for (ptrdiff_t i = 0; i < indices.n; i++) {
      // Indices that another thread has since set out of range are skipped.
      if (!find_offsets(indices, i, 1, &offset)) continue;
      copy(row.itemsize, row.ndim, row.shape, x + position[0] + offset, row.strides,
           in + (k * indices.n + i) * in_step, row.other_strides);
    }
  }
  return true;
}

bool take_along(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
                const ptrdiff_t* out_strides, const char* x, const ptrdiff_t* x_strides,
                const int64_t* index, const ptrdiff_t* index_strides, ptrdiff_t size,
                ptrdiff_t axis_stride) {
  if (is_empty(ndim, shape)) return true;
  Axes<3> axes(3);
  for (int axis = 0; axis < ndim; axis++) {
    axes.add({shape[axis], {out_strides[axis], x_strides[axis], index_strides[axis]}});
  }
  axes.collapse();
  // For runs of a few elements a call would cost more than the elements. The loop then runs along
  // the longest axis, in chunks whose cache lines stay cached for the other elements.
  constexpr ptrdiff_t FEW = 4, CHUNK = 256;
  int along = axes.ndim - 1;
  const bool few = axes.ndim > 0 && axes[along].size <= FEW;
  for (int axis = 0; few && axis < axes.ndim; axis++) {
    if (axes[axis].size > axes[along].size) along = axis;
  }
  const Axis<3> run = axes.take(along);
  const ptrdiff_t chunk = few ? std::min(run.size, CHUNK) : run.size;
  const ptrdiff_t chunks = ceil_div(run.size, chunk);
  const ptrdiff_t outer = axes.size();
  decltype(&gather_run<1>) loop = nullptr;
  with_size(itemsize, [&](auto size) { loop = gather_run<size>; });
  std::atomic<bool> good{true};
  parallel_ranges(
      outer * chunks, chunk < GRAIN ? GRAIN / chunk : 1, [&](ptrdiff_t begin, ptrdiff_t end) {
        for (ptrdiff_t number = begin; number < end; number++) {
          const ptrdiff_t start = number / outer * chunk;
          char* data[3] = {out, const_cast<char*>(x),
                           reinterpret_cast<char*>(const_cast<int64_t*>(index))};
          const Position<3> outside(axes, number % outer);
          for (int k = 0; k < 3; k++) data[k] += outside[k] + start * run.strides[k];
          if (!loop(std::min(chunk, run.size - start), data, run.strides, size, axis_stride)) {
            good.store(false, std::memory_order_relaxed);
            return;
          }
        }
      });
  return good.load(std::memory_order_relaxed);
}

}  // namespace corepy
