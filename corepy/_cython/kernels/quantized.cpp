#include "quantized.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Bytes of the matrix, times rows of x, in a chunk, some 10 microseconds; and the fewest blocks of
// rows, which a kernel reads together.
constexpr ptrdiff_t CHUNK_BYTES = ptrdiff_t(1) << 17, LEAST_BLOCKS = 4;

}  // namespace

bool multiply_quantized(QuantizedProduct p, ptrdiff_t n, const float* x) {
  const Workspace workspace(p.rows * p.groups * sizeof(RoundedGroup));
  RoundedGroup* const rounded = reinterpret_cast<RoundedGroup*>(workspace.data());
  if (!rounded) return false;
  const QuantizedLoops& loops = kernels().quantized;
  parallel_ranges(p.rows, CHUNK_BYTES / (n * ptrdiff_t(sizeof(float))) + 1,
                  [&](ptrdiff_t begin, ptrdiff_t end) {
                    for (ptrdiff_t r = begin; r < end; r++) {
                      loops.round(n, x + r * n, rounded + r * p.groups);
                    }
                  });
  p.x = rounded;
  const ptrdiff_t work = p.rows * p.groups * block_bytes(p.bits, p.half);
  const ptrdiff_t blocks = (p.columns + BLOCK_ROWS - 1) / BLOCK_ROWS;
  const quantized_kernel multiply = loops.multiply[p.bits == 8][p.half];
  parallel_ranges(blocks, std::max(LEAST_BLOCKS, CHUNK_BYTES / work / LEAST_BLOCKS * LEAST_BLOCKS),
                  [&](ptrdiff_t begin, ptrdiff_t end) { multiply(p, begin, end); });
  return true;
}

}  // namespace corepy
