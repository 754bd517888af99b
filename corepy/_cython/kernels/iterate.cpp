#include "iterate.hpp"

#include <cstring>

#include "axes.hpp"
#include "types.hpp"

namespace corepy {

namespace {

// Bytes per operand of the blocks that apply_cast works through: four of them fit the first-level
// cache.
constexpr ptrdiff_t BLOCK = 8192;

Axes<MAX_OPERANDS> tidy(int operands, int ndim, const ptrdiff_t* shape,
                        const ptrdiff_t* const* strides) {
  Axes<MAX_OPERANDS> axes(operands);
  for (int i = 0; i < ndim; i++) {
    Axis<MAX_OPERANDS> axis;
    axis.size = shape[i];
    for (int k = 0; k < operands; k++) axis.strides[k] = strides[k][i];
    axes.add(axis);
  }
  axes.sort(0);
  axes.collapse();
  return axes;
}

// One run with casts. Operands that do not move are cast once.
void cast_run(kernel loop, int operands, ptrdiff_t n, ptrdiff_t block, char* const* start,
              const ptrdiff_t* steps, const kernel* casts, const ptrdiff_t* itemsizes,
              char (*blocks)[BLOCK]) {
  char* data[MAX_OPERANDS];
  ptrdiff_t loop_steps[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    data[k] = casts[k] ? blocks[k] : start[k];
    loop_steps[k] = !casts[k] ? steps[k] : k > 0 && steps[k] == 0 ? 0 : itemsizes[k];
  }
  for (ptrdiff_t done = 0; done < n; done += block) {
    const ptrdiff_t length = n - done < block ? n - done : block;
    for (int k = 1; k < operands; k++) {
      if (!casts[k] || (loop_steps[k] == 0 && done > 0)) continue;
      char* const cast_data[] = {blocks[k], start[k] + done * steps[k]};
      const ptrdiff_t cast_steps[] = {itemsizes[k], steps[k]};
      casts[k](loop_steps[k] == 0 ? 1 : length, cast_data, cast_steps);
    }
    loop(length, data, loop_steps);
    if (casts[0]) {
      char* const cast_data[] = {start[0] + done * steps[0], blocks[0]};
      const ptrdiff_t cast_steps[] = {steps[0], itemsizes[0]};
      casts[0](length, cast_data, cast_steps);
    }
    for (int k = 0; k < operands; k++) {
      if (!casts[k]) data[k] += length * steps[k];
    }
  }
}

template <class T>
void copy_run(ptrdiff_t n, char* out, ptrdiff_t out_step, const char* in, ptrdiff_t in_step) {
  if (out_step == sizeof(T) && in_step == 0) {
    T value;
    std::memcpy(&value, in, sizeof(T));
    for (ptrdiff_t i = 0; i < n; i++) std::memcpy(out + i * sizeof(T), &value, sizeof(T));
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++, out += out_step, in += in_step) std::memcpy(out, in, sizeof(T));
}

void copy_run(ptrdiff_t itemsize, ptrdiff_t n, char* out, ptrdiff_t out_step, const char* in,
              ptrdiff_t in_step) {
  if (out_step == itemsize && in_step == itemsize) {
    std::memcpy(out, in, size_t(n * itemsize));
    return;
  }
  switch (itemsize) {
    case 1:
      return copy_run<uint8_t>(n, out, out_step, in, in_step);
    case 2:
      return copy_run<uint16_t>(n, out, out_step, in, in_step);
    case 4:
      return copy_run<uint32_t>(n, out, out_step, in, in_step);
    case 8:
      return copy_run<uint64_t>(n, out, out_step, in, in_step);
    case 16:
      return copy_run<Pair<uint64_t>>(n, out, out_step, in, in_step);
    default:
      for (ptrdiff_t i = 0; i < n; i++) {
        std::memcpy(out + i * out_step, in + i * in_step, size_t(itemsize));
      }
  }
}

// The first byte and the one past the last byte that an array's elements occupy.
void extent(const char* data, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
            ptrdiff_t itemsize, uintptr_t* first, uintptr_t* end) {
  ptrdiff_t below = 0, above = itemsize;
  for (int i = 0; i < ndim; i++) {
    const ptrdiff_t reach = (shape[i] - 1) * strides[i];
    (reach < 0 ? below : above) += reach;
  }
  *first = reinterpret_cast<uintptr_t>(data) + uintptr_t(below);
  *end = reinterpret_cast<uintptr_t>(data) + uintptr_t(above);
}

}  // namespace

void apply(kernel loop, int operands, int ndim, const ptrdiff_t* shape, char* const* data,
           const ptrdiff_t* const* strides) {
  if (is_empty(ndim, shape)) return;
  if (ndim <= 1) {  // the common small case, without the tidying
    ptrdiff_t steps[MAX_OPERANDS] = {};
    for (int k = 0; ndim == 1 && k < operands; k++) steps[k] = strides[k][0];
    return loop(ndim == 1 ? shape[0] : 1, data, steps);
  }
  Axes<MAX_OPERANDS> axes = tidy(operands, ndim, shape, strides);
  const Axis<MAX_OPERANDS> run = axes.take_innermost();
  axes.walk(data, [&](char* const* at) { loop(run.size, at, run.strides); });
}

void apply_cast(kernel loop, int operands, int ndim, const ptrdiff_t* shape, char* const* data,
                const ptrdiff_t* const* strides, const kernel* casts, const ptrdiff_t* itemsizes) {
  if (is_empty(ndim, shape)) return;
  alignas(64) char blocks[MAX_OPERANDS][BLOCK];
  ptrdiff_t largest = 1;
  for (int k = 0; k < operands; k++) {
    if (itemsizes[k] > largest) largest = itemsizes[k];
  }
  Axes<MAX_OPERANDS> axes = tidy(operands, ndim, shape, strides);
  const Axis<MAX_OPERANDS> run = axes.take_innermost();
  axes.walk(data, [&](char* const* at) {
    cast_run(loop, operands, run.size, BLOCK / largest, at, run.strides, casts, itemsizes, blocks);
  });
}

void copy(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
          const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides) {
  if (is_empty(ndim, shape)) return;
  Axes<2> axes(2);
  for (int i = 0; i < ndim; i++) axes.add({shape[i], {out_strides[i], in_strides[i]}});
  axes.sort(0);
  axes.collapse();
  const Axis<2> run = axes.take_innermost();
  char* const data[] = {out, const_cast<char*>(in)};

  // A transposition: where the input's runs lie along another axis, a walk along the output's alone
  // would fetch a cache line per element. Square tiles use each line whole while it is in cache.
  constexpr ptrdiff_t TILE = 32;
  int other = -1;
  for (int i = 0; i < axes.ndim; i++) {
    const Axis<2>& axis = axes.axes[i];
    if (axis.strides[1] != 0 && magnitude(axis.strides[1]) < magnitude(run.strides[1]) &&
        (other < 0 || magnitude(axis.strides[1]) < magnitude(axes.axes[other].strides[1]))) {
      other = i;
    }
  }
  if (other >= 0 && run.size >= TILE && axes.axes[other].size >= 4) {
    const Axis<2> across = axes.take(other);
    axes.walk(data, [&](char* const* at) {
      for (ptrdiff_t start = 0; start < run.size; start += TILE) {
        const ptrdiff_t length = run.size - start < TILE ? run.size - start : TILE;
        for (ptrdiff_t i = 0; i < across.size; i++) {
          copy_run(itemsize, length, at[0] + start * run.strides[0] + i * across.strides[0],
                   run.strides[0], at[1] + start * run.strides[1] + i * across.strides[1],
                   run.strides[1]);
        }
      }
    });
    return;
  }
  axes.walk(data, [&](char* const* at) {
    copy_run(itemsize, run.size, at[0], run.strides[0], at[1], run.strides[1]);
  });
}

bool may_overlap(const char* a, int a_ndim, const ptrdiff_t* a_shape, const ptrdiff_t* a_strides,
                 ptrdiff_t a_itemsize, const char* b, int b_ndim, const ptrdiff_t* b_shape,
                 const ptrdiff_t* b_strides, ptrdiff_t b_itemsize) {
  if (is_empty(a_ndim, a_shape) || is_empty(b_ndim, b_shape)) return false;
  uintptr_t a_first, a_end, b_first, b_end;
  extent(a, a_ndim, a_shape, a_strides, a_itemsize, &a_first, &a_end);
  extent(b, b_ndim, b_shape, b_strides, b_itemsize, &b_first, &b_end);
  return a_first < b_end && b_first < a_end;
}

}  // namespace corepy
