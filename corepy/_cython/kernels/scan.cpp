// Scans are split into tiles of adjacent runs for threads. One long run is split as well: all
// threads compute the sums of its blocks first, then the scan of each block starts from the sum of
// the blocks before. Results are bit for bit equal to one scan, which adds the same numbers.
#include "scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "../layout/axes.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

constexpr ptrdiff_t MAX_KEPT = 512;              // runs of a tile
constexpr ptrdiff_t CARRY = 16;                  // bytes of the largest
constexpr ptrdiff_t CHUNK = ptrdiff_t(1) << 17;  // least bytes of input of a chunk
constexpr ptrdiff_t SHORT_RUN = 64;
constexpr ptrdiff_t PART = ptrdiff_t(1) << 22;  // elements of a run between two checks

// Scans a contiguous run in threads. False if that is not possible or not faster.
bool share_run(const Scan& kernels, const ScanTile& tile, ptrdiff_t itemsize) {
  const ptrdiff_t blocks = (tile.n - 1) / kernels.block;
  const ptrdiff_t grain = std::max<ptrdiff_t>(1, CHUNK / (kernels.block * itemsize));
  if (!kernels.total || tile.in_step != itemsize || blocks < 8 * grain || num_threads() == 1) {
    return false;
  }
  const ptrdiff_t size = kernels.carry;
  const std::unique_ptr<char, void (*)(void*)> memory(
      static_cast<char*>(std::malloc(size_t((blocks * kernels.parts + blocks + 1) * size))),
      std::free);
  if (!memory) return false;
  char* const totals = memory.get();
  char* const carries = totals + blocks * kernels.parts * size;  // before each block, and the end
  const char* const in = tile.in + tile.in_step;                 // the first element is a carry
  parallel_ranges(blocks, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    kernels.total(end - begin, in + begin * kernels.block * itemsize,
                  totals + begin * kernels.parts * size);
  });
  ScanTile first = tile;
  first.n = 1;
  kernels.scan(first);
  std::memcpy(carries, tile.carries, size_t(size));
  for (ptrdiff_t i = 0; i < blocks; i++) {
    char* const carry = carries + (i + 1) * size;
    std::memcpy(carry, carry - size, size_t(size));
    for (ptrdiff_t k = 0; k < kernels.parts; k++) {
      kernels.merge(carry, totals + (i * kernels.parts + k) * size);
    }
  }
  // The elements after the last block are one more block.
  parallel_ranges(blocks + 1, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    ScanTile part = tile;
    const ptrdiff_t start = 1 + begin * kernels.block;
    part.n = (end > blocks ? tile.n : 1 + end * kernels.block) - start;
    if (part.n == 0) return;
    part.in += start * tile.in_step;
    part.out += start * tile.out_step;
    part.carries = carries + begin * size;
    part.begin = false;
    // The next range reads its carry while this one would overwrite it by that of its last block.
    alignas(16) char carry[CARRY];
    std::memcpy(carry, part.carries, size_t(size));
    part.carries = carry;
    kernels.scan(part);
  });
  return true;
}

// Scans a run in parts, between which it may be interrupted. They have whole blocks but for the
// first element, so that results are the same.
void scan_run(const Scan& kernels, const ScanTile& tile) {
  const ptrdiff_t size = kernels.block ? PART / kernels.block * kernels.block : PART;
  ScanTile part = tile;
  for (ptrdiff_t done = 0, next = 1 + size; done < tile.n; done += part.n, next = size) {
    check_interrupted();
    part.in = tile.in + done * tile.in_step;
    part.out = tile.out + done * tile.out_step;
    part.n = std::min(next, tile.n - done);
    part.begin = tile.begin && done == 0;
    kernels.scan(part);
  }
}

}  // namespace

bool has_scan(Operation operation, Dtype input) {
  return corepy::kernels().scans[operation][input].carry != 0;
}

void scan(Operation operation, Dtype input, int ndim, const ptrdiff_t* shape, int axis,
          const char* in, const ptrdiff_t* in_strides, char* out, const ptrdiff_t* out_strides) {
  if (is_empty(ndim, shape)) return;
  const Scan& kernels = corepy::kernels().scans[operation][input];
  const ptrdiff_t itemsize = dtype_itemsize[input];
  Axes<2> kept(2);
  ptrdiff_t runs = 1;
  for (int i = 0; i < ndim; i++) {
    if (i == axis) continue;
    kept.add({shape[i], {out_strides[i], in_strides[i]}});
    runs *= shape[i];
  }
  kept.sort(0);
  kept.collapse();
  const Axis<2> along = {shape[axis], {out_strides[axis], in_strides[axis]}};
  alignas(16) char carry[CARRY];
  if (runs == 1) {
    const ScanTile tile = {1, along.size,       in,    0,   along.strides[1], out,
                           0, along.strides[0], carry, true};
    if (!share_run(kernels, tile, itemsize)) scan_run(kernels, tile);
    return;
  }
  const Axis<2> inner = kept.take_innermost();
  // Adjacent runs are scanned together, and so are short ones.
  const bool rows = magnitude(inner.strides[0]) < magnitude(along.strides[0]) ||
                    magnitude(inner.strides[1]) < magnitude(along.strides[1]);
  const ptrdiff_t most = rows ? std::clamp<ptrdiff_t>(inner.size / 8, 64, MAX_KEPT)
                         : along.size < SHORT_RUN ? MAX_KEPT
                                                  : 1;
  const ptrdiff_t width = std::min(inner.size, most);
  const ptrdiff_t outer = kept.size(), tiles = ceil_div(inner.size, width) * outer;
  const ptrdiff_t grain = std::max<ptrdiff_t>(1, CHUNK / itemsize / (width * along.size));
  parallel_ranges(tiles, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    alignas(64) char carries[MAX_KEPT * CARRY];
    for (ptrdiff_t number = begin; number < end; number++) {
      const ptrdiff_t start = number / outer * width;
      const Position<2> outside(kept, number % outer);
      kernels.scan({std::min(width, inner.size - start), along.size,
                    in + outside[1] + start * inner.strides[1], inner.strides[1], along.strides[1],
                    out + outside[0] + start * inner.strides[0], inner.strides[0], along.strides[0],
                    carries, true});
    }
  });
}

}  // namespace corepy
