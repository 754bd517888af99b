// Passing a tile of any layout to a reduction's loops over contiguous elements. There are four
// cases: long contiguous runs; wide contiguous rows; contiguous rows too narrow for vectors, of
// which many are treated as one wide row; and any other layout, packed into rows in cache first.
#include "reductions.hpp"

#include <algorithm>

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

constexpr ptrdiff_t SHORT_RUN = 16;     // elements of runs that are reduced many at a time
constexpr ptrdiff_t PACKED_BOX = 2048;  // elements that are packed at a time

inline ptrdiff_t distance(ptrdiff_t step) { return step < 0 ? -step : step; }

// Narrow contiguous rows: `groups` rows are treated as one, and their accumulators merged at the
// end.
void narrow_rows(ptrdiff_t width, ptrdiff_t n, const char* in, char* acc, const AnyAbout& about,
                 const ReductionLoops& loops) {
  constexpr ptrdiff_t most = 4 * WIDE_ROW;
  const ptrdiff_t row = width * loops.reader.element, size = loops.accumulator;
  ptrdiff_t groups = 1;
  while (!loops.in_order && 2 * groups * width <= most && 4 * groups <= n) groups *= 2;
  if (groups == 1) return loops.rows(width, n, in, row, acc, about);
  const ptrdiff_t wide = groups * width, rows = n / groups, left = n % groups;
  alignas(64) char together[most * MAX_ITEMSIZE], centers[most * MAX_ITEMSIZE];
  AnyAbout here = {nullptr, about.index, groups * about.index_step};
  if (about.centers) {
    here.centers = centers;
    for (ptrdiff_t k = 0; k < groups; k++) {
      std::memcpy(centers + k * width * size, about.centers, size_t(width * size));
    }
  }
  loops.rows(wide, rows, in, groups * row, together, here);
  if (loops.advance) {
    for (ptrdiff_t k = 1; k < groups; k++) {
      loops.advance(width, together + k * width * size, k * about.index_step);
    }
  }
  for (ptrdiff_t half = wide / 2; half >= width; half /= 2) {
    loops.merge(half, together, together + half * size);
  }
  std::memcpy(acc, together, size_t(width * size));
  if (left > 0) {
    loops.rows(width, left, in + rows * groups * row, row, together,
               {about.centers, about.index + rows * groups * about.index_step, about.index_step});
    loops.merge(width, acc, together);
  }
}

// Columns of any layout.
void packed_rows(const Tile& tile, char* acc, const AnyAbout& about, const ReductionLoops& loops) {
  alignas(64) char box[PACKED_BOX * MAX_ITEMSIZE];
  alignas(64) char part[MAX_WIDE * MAX_ITEMSIZE];
  const ptrdiff_t most = PACKED_BOX / SHORT_RUN, size = loops.reader.element;
  for (ptrdiff_t k = 0; k < tile.kept; k += most) {
    const ptrdiff_t width = std::min(tile.kept - k, most), height = PACKED_BOX / width;
    char* const results = acc + k * loops.accumulator;
    const char* const centers = about.centers ? about.centers + k * loops.accumulator : nullptr;
    for (ptrdiff_t r = 0; r < tile.n; r += height) {
      const ptrdiff_t rows = std::min(tile.n - r, height);
      const char* const in = tile.in + k * tile.kept_step + r * tile.step;
      if (distance(tile.step) < distance(tile.kept_step) && rows > width) {
        alignas(64) char column[PACKED_BOX * MAX_ITEMSIZE];
        for (ptrdiff_t j = 0; j < width; j++) {
          loops.reader.copy(rows, column, in + j * tile.kept_step, tile.step);
          unpack(size, rows, box + j * size, width * size, column);
        }
      } else {
        for (ptrdiff_t i = 0; i < rows; i++) {
          loops.reader.copy(width, box + i * width * size, in + i * tile.step, tile.kept_step);
        }
      }
      char* const to = r == 0 ? results : part;
      const AnyAbout here = {centers, about.index + r * about.index_step, about.index_step};
      // Few elements are taken in order, so that a result does not depend on the number of results:
      // SciPy's bootstrap expects equal results for batches of any size.
      if (width < WIDE_ROW && tile.n > SHORT_RUN) {
        narrow_rows(width, rows, box, to, here, loops);
      } else {
        loops.rows(width, rows, box, width * size, to, here);
      }
      if (r > 0) loops.merge(width, results, part);
    }
  }
}

// One run of any layout.
void packed_run(ptrdiff_t n, const char* in, ptrdiff_t step, char* acc, const AnyAbout& about,
                const ReductionLoops& loops) {
  alignas(64) char box[PACKED_BOX * MAX_ITEMSIZE];
  alignas(16) char part[MAX_ITEMSIZE];
  for (ptrdiff_t start = 0; start < n; start += PACKED_BOX) {
    const ptrdiff_t length = std::min(n - start, PACKED_BOX);
    const char* const elements = loops.reader.read(length, box, in + start * step, step);
    loops.run(length, elements, start == 0 ? acc : part,
              {about.centers, about.index + start * about.index_step, about.index_step});
    if (start > 0) loops.merge(1, acc, part);
  }
}

}  // namespace

void accumulate_tile(const Tile& tile, char* acc, const ReductionLoops& loops) {
  const ptrdiff_t size = loops.reader.source;
  const bool as_it_is = !loops.reader.convert;
  AnyAbout about = {tile.centers, tile.index, tile.index_step};
  if (tile.kept > 1) {
    if (as_it_is && tile.kept_step == size && tile.kept >= WIDE_ROW) {
      return loops.rows(tile.kept, tile.n, tile.in, tile.step, acc, about);
    }
    if (as_it_is && tile.kept_step == size && tile.step == tile.kept * size) {
      return narrow_rows(tile.kept, tile.n, tile.in, acc, about, loops);
    }
    const bool across = distance(tile.kept_step) < distance(tile.step);
    // For runs of one or two vectors an index takes fewer operations than with packed rows.
    const bool whole =
        loops.advance && as_it_is && tile.step == size && tile.n * size >= ptrdiff_t(VECTOR_BYTES);
    if ((tile.n <= SHORT_RUN && !whole) || (across && tile.kept_step != 0)) {
      return packed_rows(tile, acc, about, loops);
    }
  }
  for (ptrdiff_t k = 0; k < tile.kept; k++, acc += loops.accumulator) {
    const char* const run = tile.in + k * tile.kept_step;
    if (as_it_is && tile.step == size) {
      loops.run(tile.n, run, acc, about);
    } else {
      packed_run(tile.n, run, tile.step, acc, about, loops);
    }
    if (about.centers) about.centers += loops.accumulator;
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
