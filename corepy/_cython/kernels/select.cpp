#include "select.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t SORTED = 384;       // lines of at most so many elements are sorted
constexpr ptrdiff_t BLOCK = 4096;       // elements whose masks stay in the first-level cache
constexpr ptrdiff_t MAX_SAMPLE = 2048;  // elements
constexpr ptrdiff_t MAX_CHUNKS = 256;
constexpr ptrdiff_t SHARED = 1 << 16;  // least elements of a line that threads share
constexpr ptrdiff_t MAX_SIZE = 8;      // bytes of an element

// How often a line is searched before sorting it once is faster.
constexpr ptrdiff_t MAX_SEARCHES = 3;

// Selects from numbers of one dtype, without NaN. Each round compares all elements with two of a
// sorted sample, between which the ranks almost certainly are, and keeps those between them (Floyd
// and Rivest, Expected time bounds for selection, 1975).
class Selection {
 public:
  Selection(Dtype dtype, line_sorter sorter)
      : sorter(sorter),
        not_less(entry(OP_greater_equal, dtype).loop),
        not_greater(entry(OP_less_equal, dtype).loop),
        count(kernels().masks.count),
        size(dtype_itemsize[dtype]) {
    compress = kernels().masks.compress[log2_of(size)];
  }

  // Writes two elements. `kept` and `other` are memory for n elements each; `in` may be memory that
  // other threads change.
  void select(ptrdiff_t n, const char* in, RankPair ranks, char* kept, char* other,
              char* out) const {
    while (n > SORTED) {
      alignas(8) char sample[MAX_SAMPLE * MAX_SIZE];
      const Limits limits = find_limits(n, in, ranks, sample);
      ptrdiff_t below;
      const ptrdiff_t inside = keep(n, in, limits, kept, &below);
      // Ranks that are not inside, or many equal elements: bounds the work.
      if (below > ranks.first || ranks.last >= below + inside || inside > n - n / 4) break;
      ranks.first -= below;
      ranks.last -= below;
      if (limits.low && limits.high && std::memcmp(limits.low, limits.high, size_t(size)) == 0) {
        return write(limits.low, limits.low, out);  // the elements inside are equal
      }
      n = inside;
      in = kept;
      std::swap(kept, other);
    }
    std::memcpy(kept, in, size_t(n * size));
    if (n > 1) sorter(kept, n, nullptr);
    write(kept + ranks.first * size, kept + ranks.last * size, out);
  }

  void write(const char* first, const char* last, char* out) const {
    std::memcpy(out, first, size_t(size));
    std::memcpy(out + size, last, size_t(size));
  }

 private:
  struct Limits {
    const char *low, *high;  // elements; nullptr: none
  };

  Limits find_limits(ptrdiff_t n, const char* in, RankPair ranks, char* sample) const {
    const double share = std::cbrt(double(n));
    const ptrdiff_t samples = std::min(MAX_SAMPLE, ptrdiff_t(share * share));
    sorted_sample(sorter, size, n, in, samples, sample);
    const double per_rank = double(samples) / double(n);
    const double at = double(ranks.first) * per_rank;
    // Four standard deviations of the number of sampled elements below a rank.
    const double spread = 4 * std::sqrt(at * (1 - double(ranks.first) / double(n))) + 2;
    const ptrdiff_t low = ptrdiff_t(std::floor(at - spread));
    const ptrdiff_t high = ptrdiff_t(double(ranks.last) * per_rank + spread) + 1;
    return {low < 0 ? nullptr : sample + low * size,
            high >= samples ? nullptr : sample + high * size};
  }

  // Copies the elements between the limits, these included, to `out`, and returns their number.
  ptrdiff_t keep(ptrdiff_t n, const char* in, Limits limits, char* out, ptrdiff_t* below) const {
    const ptrdiff_t grain = std::max(4 * BLOCK, (n / MAX_CHUNKS + BLOCK) / BLOCK * BLOCK);
    ptrdiff_t found[MAX_CHUNKS];
    std::atomic<ptrdiff_t> less{0};
    // Each chunk writes to its own part of `out`.
    parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
      ptrdiff_t kept = 0, smaller = 0;
      for (ptrdiff_t at = begin; at < end; at += BLOCK) {
        alignas(64) uint8_t mask[BLOCK], high[BLOCK];
        const ptrdiff_t part = std::min(end - at, BLOCK);
        const char* const from = in + at * size;
        if (limits.low) {
          compare(not_less, part, from, limits.low, mask);
          smaller += part - count(part, mask);
        } else {
          std::memset(mask, 1, size_t(part));
        }
        if (limits.high) {
          compare(not_greater, part, from, limits.high, high);
          for (ptrdiff_t i = 0; i < part; i++) mask[i] &= high[i];
        }
        const ptrdiff_t wanted = count(part, mask);
        compress(part, mask, from, out + (begin + kept) * size, wanted);
        kept += wanted;
      }
      found[begin / grain] = kept;
      less.fetch_add(smaller, std::memory_order_relaxed);
    });
    *below = less.load(std::memory_order_relaxed);
    ptrdiff_t total = found[0];
    for (ptrdiff_t begin = grain; begin < n; begin += grain) {
      const ptrdiff_t kept = found[begin / grain];
      std::memmove(out + total * size, out + begin * size, size_t(kept * size));
      total += kept;
    }
    return total;
  }

  void compare(kernel loop, ptrdiff_t n, const char* in, const char* limit, uint8_t* mask) const {
    char* const data[] = {reinterpret_cast<char*>(mask), const_cast<char*>(in),
                          const_cast<char*>(limit)};
    const ptrdiff_t steps[] = {1, size, 0};
    loop(n, data, steps);
  }

  line_sorter sorter;
  kernel not_less, not_greater;
  decltype(MaskLoops::count) count;
  std::remove_extent_t<decltype(MaskLoops::compress)> compress;
  ptrdiff_t size;
};

// Whether there is a NaN among n elements; if so, *out is one.
bool find_nan(Dtype dtype, ptrdiff_t n, const char* in, char* out) {
  std::atomic<int> found{0};
  parallel_ranges(n, SHARED, [&](ptrdiff_t begin, ptrdiff_t end) {
    const int care = kernels().keys.survey[dtype](end - begin, in + begin * dtype_itemsize[dtype]);
    if (care) found.fetch_or(care, std::memory_order_relaxed);
  });
  if (!(found.load(std::memory_order_relaxed) & KeyLoops::HAS_NAN)) return false;
  for_dtype(Floats{}, dtype, [&](auto zero) {
    const auto nan = std::numeric_limits<decltype(zero)>::quiet_NaN();
    std::memcpy(out, &nan, sizeof nan);
  });
  return true;
}

}  // namespace

bool select_ranks(Dtype dtype, line_sorter sorter, ptrdiff_t lines, ptrdiff_t n, const char* in,
                  ptrdiff_t count, const RankPair* pairs, char* out) {
  const Selection selection(dtype, sorter);
  const ptrdiff_t size = dtype_itemsize[dtype];
  std::atomic<bool> done{true};
  const auto select = [&](ptrdiff_t begin, ptrdiff_t end) {
    const Workspace memory(size_t(2 * n * size));
    if (!memory.data()) return done.store(false, std::memory_order_relaxed);
    char* const kept = memory.data();
    char* const other = kept + n * size;
    for (ptrdiff_t line = begin; line < end; line++) {
      const char* const from = in + line * n * size;
      char* const to = out + line * 2 * count * size;
      alignas(8) char nan[MAX_SIZE];
      if (is_inexact(dtype) && find_nan(dtype, n, from, nan)) {
        for (ptrdiff_t k = 0; k < count; k++) selection.write(nan, nan, to + 2 * k * size);
      } else if (count > MAX_SEARCHES) {
        sort_lines(dtype, sorter, false, 1, n, from, kept);
        for (ptrdiff_t k = 0; k < count; k++) {
          selection.write(kept + pairs[k].first * size, kept + pairs[k].last * size,
                          to + 2 * k * size);
        }
      } else {
        for (ptrdiff_t k = 0; k < count; k++) {
          selection.select(n, from, pairs[k], kept, other, to + 2 * k * size);
        }
      }
    }
  };
  if (n >= SHARED) {
    select(0, lines);
  } else {
    parallel_ranges(lines, std::max(ptrdiff_t(1), 16384 / (n + 1)), select);
  }
  return done.load(std::memory_order_relaxed);
}

}  // namespace corepy
