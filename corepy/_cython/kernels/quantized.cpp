#include "quantized.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Bytes of the matrix, times rows of x, in a chunk, some 10 microseconds; and the fewest blocks of
// rows, which a kernel reads together.
constexpr ptrdiff_t CHUNK_BYTES = ptrdiff_t(1) << 17, LEAST_BLOCKS = 4;

// Smaller elements count as 0: the inverse of their scale could be infinite.
constexpr float LEAST = 0x1p-100f;

// Rounds n elements, at most GROUP of them, to multiples of a scale; the others are 0.
void round_group(ptrdiff_t n, const float* x, RoundedGroup& out) {
  uint32_t bits[GROUP] = {};
  std::memcpy(bits, x, n * sizeof(float));
  // Of numbers without their sign the order is that of their bits; NaN and infinity come last.
  uint32_t most = 0;
  for (const uint32_t each : bits) most = std::max(most, each & 0x7fffffff);
  float largest, inverse;
  std::memcpy(&largest, &most, sizeof(largest));
  const bool finite = most < 0x7f800000;
  out.scale = finite ? largest / 127.0f : std::numeric_limits<float>::quiet_NaN();
  inverse = finite && largest >= LEAST ? 127.0f / largest : 0.0f;
  out.sum = 0;
  for (ptrdiff_t i = 0; i < GROUP; i++) {
    float element;
    std::memcpy(&element, &bits[i], sizeof(element));
    // The last byte of the sum is the nearest integer, of two the even one.
    const float sum = (finite ? element * inverse : 0.0f) + 0x1.8p23f;
    uint32_t integer;
    std::memcpy(&integer, &sum, sizeof(integer));
    out.q[i] = int8_t(integer);
    out.sum += out.q[i];
  }
}

}  // namespace

bool multiply_quantized(QuantizedProduct p, ptrdiff_t n, const float* x) {
  const Workspace workspace(p.rows * p.groups * sizeof(RoundedGroup));
  RoundedGroup* const rounded = reinterpret_cast<RoundedGroup*>(workspace.data());
  if (!rounded) return false;
  parallel_ranges(p.rows * p.groups, 256, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t i = begin; i < end; i++) {
      const ptrdiff_t column = i % p.groups * GROUP;
      round_group(std::min(GROUP, n - column), x + i / p.groups * n + column, rounded[i]);
    }
  });
  p.x = rounded;
  const ptrdiff_t work = p.rows * p.groups * block_bytes(p.bits, p.half);
  const ptrdiff_t blocks = (p.columns + BLOCK_ROWS - 1) / BLOCK_ROWS;
  const quantized_kernel multiply = kernels().quantized.multiply[p.bits == 8][p.half];
  parallel_ranges(blocks, std::max(LEAST_BLOCKS, CHUNK_BYTES / work / LEAST_BLOCKS * LEAST_BLOCKS),
                  [&](ptrdiff_t begin, ptrdiff_t end) { multiply(p, begin, end); });
  return true;
}

}  // namespace corepy
