#include "masks.hpp"

#include "iterate.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t SMALLEST_CHUNK = 16384;  // mask bytes; a few microseconds of work

// Calls body(chunk, begin, size) for each chunk of a mask.
template <class Body>
void for_chunks(const MaskPlan& plan, Body body) {
  parallel_for(plan.chunks, [&](ptrdiff_t chunk) {
    const ptrdiff_t begin = chunk * plan.chunk;
    const ptrdiff_t size = plan.n - begin < plan.chunk ? plan.n - begin : plan.chunk;
    body(chunk, begin, size);
  });
}

void cut(ptrdiff_t n, MaskPlan* plan) {
  plan->n = n;
  plan->chunk = (n / MaskPlan::MAX_CHUNKS + 64) & ~ptrdiff_t(63);
  if (plan->chunk < SMALLEST_CHUNK) plan->chunk = SMALLEST_CHUNK;
  plan->chunks = (n + plan->chunk - 1) / plan->chunk;
}

// Splits a position in C order into its index along each axis.
void split(ptrdiff_t position, int ndim, const ptrdiff_t* shape, ptrdiff_t* index) {
  for (int axis = ndim - 1; axis >= 0; axis--) {
    index[axis] = position % shape[axis];
    position /= shape[axis];
  }
}

// The positions in one chunk, which may begin and end within a row.
void find_in_chunk(const MaskLoops& loops, const uint8_t* mask, ptrdiff_t begin, ptrdiff_t size,
                   int ndim, const ptrdiff_t* shape, int64_t* const* out, ptrdiff_t from,
                   ptrdiff_t to) {
  const int last = ndim - 1;
  ptrdiff_t index[MAX_NDIM];
  split(begin, ndim, shape, index);
  for (ptrdiff_t at = begin; at < begin + size && from < to;) {
    ptrdiff_t row = shape[last] - index[last];
    if (row > begin + size - at) row = begin + size - at;
    ptrdiff_t found = loops.count(row, mask + at);
    if (found > to - from) found = to - from;
    if (found) {
      loops.positions(row, mask + at, index[last], out[last] + from, found);
      for (int axis = 0; axis < last; axis++) {
        for (ptrdiff_t i = 0; i < found; i++) out[axis][from + i] = index[axis];
      }
    }
    from += found;
    at += row;
    index[last] = 0;
    for (int axis = last - 1; axis >= 0 && ++index[axis] == shape[axis]; axis--) index[axis] = 0;
  }
}

}  // namespace

void plan_mask(ptrdiff_t n, const uint8_t* mask, MaskPlan* plan) {
  const MaskLoops& loops = kernels().masks;
  cut(n, plan);
  for_chunks(*plan, [&](ptrdiff_t chunk, ptrdiff_t begin, ptrdiff_t size) {
    plan->before[chunk + 1] = loops.count(size, mask + begin);
  });
  plan->before[0] = 0;
  for (ptrdiff_t chunk = 0; chunk < plan->chunks; chunk++) {
    plan->before[chunk + 1] += plan->before[chunk];
  }
}

void read_masked(const MaskPlan& plan, const uint8_t* mask, ptrdiff_t itemsize, const char* in,
                 char* out) {
  const auto loop = kernels().masks.compress[log2_of(itemsize)];
  for_chunks(plan, [&](ptrdiff_t chunk, ptrdiff_t begin, ptrdiff_t size) {
    const ptrdiff_t before = plan.before[chunk];
    loop(size, mask + begin, in + begin * itemsize, out + before * itemsize,
         plan.before[chunk + 1] - before);
  });
}

void write_masked(const MaskPlan& plan, const uint8_t* mask, ptrdiff_t itemsize, const char* in,
                  char* out) {
  const auto loop = kernels().masks.expand[log2_of(itemsize)];
  for_chunks(plan, [&](ptrdiff_t chunk, ptrdiff_t begin, ptrdiff_t size) {
    const ptrdiff_t before = plan.before[chunk];
    loop(size, mask + begin, in + before * itemsize, out + begin * itemsize,
         plan.before[chunk + 1] - before);
  });
}

void fill_masked(ptrdiff_t n, const uint8_t* mask, ptrdiff_t itemsize, const char* value,
                 char* out) {
  const auto loop = kernels().masks.fill[log2_of(itemsize)];
  parallel_ranges(n, SMALLEST_CHUNK, [&](ptrdiff_t begin, ptrdiff_t end) {
    loop(end - begin, mask + begin, value, out + begin * itemsize);
  });
}

void find_nonzero(const MaskPlan& plan, const uint8_t* mask, int ndim, const ptrdiff_t* shape,
                  int64_t* const* out) {
  const MaskLoops& loops = kernels().masks;
  for_chunks(plan, [&](ptrdiff_t chunk, ptrdiff_t begin, ptrdiff_t size) {
    const ptrdiff_t from = plan.before[chunk], to = plan.before[chunk + 1];
    if (ndim == 1) return loops.positions(size, mask + begin, begin, out[0] + from, to - from);
    find_in_chunk(loops, mask, begin, size, ndim, shape, out, from, to);
  });
}

}  // namespace corepy
