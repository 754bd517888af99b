// Elementwise work is done box by box. A box is a part of the iteration space: the innermost axes
// whole, the next one in part. An operand of a box is passed to the loop in place, or is packed:
// copied to a block in cache first, where that is cheaper because its smallest stride is along
// another axis than the output's, or because runs are short and calls of the loop would dominate.
// The loop writes to the output directly, or to a block where the result must be cast, scattered,
// or streamed past the caches because it is large.
//
// Sizes and strides alone decide on boxes and chunks, and no element depends on them.
#include "iterate.hpp"

#include <algorithm>
#include <cstring>

#include "../layout/axes.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Bytes per block, and of all blocks of a thread. Four operands fit the first-level cache.
constexpr ptrdiff_t BLOCK = 16384;
constexpr ptrdiff_t ALL_BLOCKS = 65536;

// Least bytes of a row of output for streaming row by row.
constexpr ptrdiff_t SHORTEST_STREAM = 512;

// Runs of fewer elements are packed together.
constexpr ptrdiff_t SHORT_RUN = 32;

// Broadcast rows of up to LONGEST_REPEATED elements are packed repeatedly, for at least
// FEWEST_ROWS.
constexpr ptrdiff_t LONGEST_REPEATED = 512, FEWEST_ROWS = 8;

// A single run of up to SMALL elements is one call of the loop.
constexpr ptrdiff_t SMALL = 8192;

// Elements of a longer run that are computed first, to measure the cost of an element.
constexpr ptrdiff_t TRIAL = 1024;

constexpr ptrdiff_t LINE = 64;

// Bytes of the widest operand in a chunk for a thread: a few microseconds of the cheapest work, and
// more where there are many chunks.
constexpr ptrdiff_t SMALLEST_CHUNK = ptrdiff_t(64) << 10, LARGEST_CHUNK = ptrdiff_t(1) << 20;

ptrdiff_t chunk_elements(ptrdiff_t count, ptrdiff_t itemsize) {
  return std::clamp(count * itemsize / 256, SMALLEST_CHUNK, LARGEST_CHUNK) / itemsize / 64 * 64;
}

// The blocks of a thread, and their contents from the last box: operands that are broadcast along
// all axes outside the box are packed once.
struct Scratch {
  alignas(LINE) char blocks[ALL_BLOCKS];
  const char* packed[MAX_OPERANDS];
  const char* cast[MAX_OPERANDS];
  ptrdiff_t sizes[MAX_NDIM];
};

class Elementwise {
 public:
  // loop == nullptr: a copy of arguments[1].
  Elementwise(kernel loop, int operands, int ndim, const ptrdiff_t* shape,
              const Argument* arguments);

  void run();

 private:
  void choose_order();
  void choose_boxes();
  bool is_linear(int operand) const;
  bool repeats_rows() const;
  void run_boxes(ptrdiff_t begin, ptrdiff_t end) const;
  void run_box(char* const* at, const ptrdiff_t* sizes, Scratch& scratch) const;
  void run_group(ptrdiff_t n, char* const* at, const ptrdiff_t* steps, Scratch& scratch) const;
  void stream_group(ptrdiff_t n, char* const* at, const ptrdiff_t* steps, Scratch& scratch) const;
  char* cast_input(int operand, ptrdiff_t n, char* from, ptrdiff_t stride, Scratch& scratch) const;
  char* raw_block(Scratch& scratch, int k) const { return scratch.blocks + raw_offset[k]; }
  char* loop_block(Scratch& scratch, int k) const { return scratch.blocks + loop_offset[k]; }

  const kernel loop;
  const int operands;
  const Argument* const arguments;
  Axes<MAX_OPERANDS> axes;
  int ndim = 0;            // of axes
  ptrdiff_t count = 1;     // elements
  ptrdiff_t itemsize = 1;  // the largest
  int partner = -1;        // an outer axis along which some inputs have their smallest stride
  int first = 0;           // axes from here on are those of a box
  bool merged = false;     // whether a box is one call of the loop
  bool streamed = false;
  bool casting = false;
  ptrdiff_t call_limit = 0;  // elements that one call of the loop takes at most
  bool packed[MAX_OPERANDS] = {};
  ptrdiff_t raw_offset[MAX_OPERANDS], loop_offset[MAX_OPERANDS];
  ptrdiff_t sizes[MAX_NDIM], extents[MAX_NDIM];  // of the axes, of a box
  ptrdiff_t strides[MAX_OPERANDS][MAX_NDIM];
};

Elementwise::Elementwise(kernel loop, int operands, int ndim, const ptrdiff_t* shape,
                         const Argument* arguments)
    : loop(loop), operands(operands), arguments(arguments), axes(operands) {
  for (int i = 0; i < ndim; i++) {
    Axis<MAX_OPERANDS> axis;
    axis.size = shape[i];
    for (int k = 0; k < operands; k++) axis.strides[k] = arguments[k].strides[i];
    axes.add(axis);
    count *= shape[i];
  }
  axes.sort(0);
  axes.collapse();
  for (int k = 0; k < operands; k++) {
    itemsize = std::max({itemsize, arguments[k].itemsize, arguments[k].loop_itemsize});
  }
  choose_order();
  choose_boxes();
}

// Axes in the order of the output's memory, but with the partner just before the innermost.
void Elementwise::choose_order() {
  if (axes.ndim == 0) axes[axes.ndim++] = {1, {}};
  ndim = axes.ndim;
  const Axis<MAX_OPERANDS>& run = axes.innermost();
  for (int k = 1; k < operands; k++) {
    const ptrdiff_t along = magnitude(run.strides[k]);
    int other = -1;
    for (int i = 0; i < ndim - 1; i++) {
      const ptrdiff_t stride = magnitude(axes[i].strides[k]);
      if (stride == 0 || stride >= LINE || stride >= along) continue;
      if (other < 0 || stride < magnitude(axes[other].strides[k])) other = i;
    }
    if (other < 0 || (partner >= 0 && partner != other)) continue;
    partner = other;
    packed[k] = true;
  }
  if (partner >= 0) {
    axes.move_inwards(partner, ndim - 2);
  }
  for (int i = 0; i < ndim; i++) {
    sizes[i] = axes[i].size;
    for (int k = 0; k < operands; k++) strides[k][i] = axes[i].strides[k];
  }
}

void Elementwise::choose_boxes() {
  const Argument& out = arguments[0];
  const ptrdiff_t run = sizes[ndim - 1];
  streamed = count * out.itemsize >= STREAM_FROM && strides[0][ndim - 1] == out.itemsize &&
             kernels().stream != nullptr;
  for (int k = 1; k < operands; k++) streamed &= arguments[k].data != out.data;  // not in place
  merged = ndim > 1 && (loop || streamed) && (run < SHORT_RUN || repeats_rows());
  if (!merged && run * out.itemsize < SHORTEST_STREAM) streamed = false;
  if (!loop && streamed && strides[1][ndim - 1] != out.itemsize) packed[1] = true;

  // Blocks for operands that may need them: before and after the cast.
  int blocks = 0;
  bool boxed = merged, has_raw[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    boxed |= packed[k];
    has_raw[k] = merged || packed[k] || (k == 0 && streamed);
    blocks += has_raw[k] + (arguments[k].cast != nullptr);
  }
  ptrdiff_t limit = chunk_elements(count, itemsize);
  call_limit = limit;
  for (int k = 0; k < operands; k++) casting |= arguments[k].cast != nullptr;
  if (blocks > 0) {
    const ptrdiff_t block = std::min(BLOCK, ALL_BLOCKS / blocks / LINE * LINE);
    ptrdiff_t offset = 0;
    for (int k = 0; k < operands; k++) {
      raw_offset[k] = offset;
      loop_offset[k] = offset + has_raw[k] * block;
      offset = loop_offset[k] + (arguments[k].cast != nullptr) * block;
    }
    call_limit = block / itemsize;
    if (boxed && (loop || streamed)) limit = call_limit;
    if (streamed) call_limit = std::min(call_limit, STREAM_BLOCK / out.itemsize);
  }
  ptrdiff_t innermost = limit;
  ptrdiff_t lines = 1;  // elements along the partner that a box is to have a multiple of
  if (partner >= 0 && !merged) {
    // A copy needs no blocks: its boxes may be as large as all of them.
    limit = std::min(limit, (loop || streamed ? BLOCK : ALL_BLOCKS) / itemsize);
    // A line of each run of the packed inputs, so that it is read once, and long runs of the output
    // and the other inputs, for the hardware prefetcher.
    const ptrdiff_t side = std::max<ptrdiff_t>(4, LINE / itemsize);
    innermost = limit / std::min(side, sizes[ndim - 2]);
    lines = side;
  }
  for (int i = 0; i < ndim; i++) extents[i] = 1;
  extents[ndim - 1] = part_size(run, innermost);
  for (int i = ndim - 2; i >= 0; i--) {
    limit /= extents[i + 1];
    extents[i] = part_size(sizes[i], limit);
    if (i == ndim - 2 && extents[i] < sizes[i] && limit >= lines) {
      extents[i] = std::min(limit, extents[i] + lines - 1) / lines * lines;
    }
  }
  first = 0;
  while (first < ndim - 1 && extents[first] == 1) first++;

  // If a box has whole runs, one call of the loop may take them all.
  bool whole = partner >= 0 && loop;
  for (int k = 0; k < operands; k++) whole &= packed[k] || is_linear(k);
  merged |= whole && extents[ndim - 1] == run;
  if (merged) {
    for (int k = 0; k < operands; k++) packed[k] |= !is_linear(k);
    if (packed[0]) streamed = false;
  }
}

// Whether some inputs are a short broadcast row: packed once for all rows of a box, they allow one
// call of the loop per box.
bool Elementwise::repeats_rows() const {
  if (!loop || partner >= 0 || sizes[ndim - 1] > LONGEST_REPEATED ||
      sizes[ndim - 2] < FEWEST_ROWS) {
    return false;
  }
  for (int k = 0; k < operands; k++) {
    const ptrdiff_t step = strides[k][ndim - 1], row = strides[k][ndim - 2];
    const bool repeated = k > 0 && row == 0 && step == arguments[k].itemsize;
    if (!repeated && row != step * sizes[ndim - 1]) return false;
  }
  return true;
}

// Whether an operand's elements in a box are at equal distances.
bool Elementwise::is_linear(int k) const {
  for (int i = first; i < ndim - 1; i++) {
    if (strides[k][i] != strides[k][i + 1] * extents[i + 1]) return false;
  }
  return true;
}

void Elementwise::run() {
  ptrdiff_t elements = 1;
  for (int i = 0; i < ndim; i++) elements *= extents[i];
  const ptrdiff_t grain =
      std::max<ptrdiff_t>(1, chunk_elements(count, itemsize) / std::max<ptrdiff_t>(1, elements));
  parallel_ranges(Boxes<MAX_NDIM>::count(ndim, sizes, extents), grain,
                  [&](ptrdiff_t begin, ptrdiff_t end) { run_boxes(begin, end); });
}

void Elementwise::run_boxes(ptrdiff_t begin, ptrdiff_t end) const {
  Scratch scratch;
  for (int k = 0; k < operands; k++) scratch.packed[k] = scratch.cast[k] = nullptr;
  for (int i = 0; i < ndim; i++) scratch.sizes[i] = 0;
  ptrdiff_t box[MAX_NDIM];
  char* at[MAX_OPERANDS];
  Boxes<MAX_NDIM> boxes(ndim, sizes, extents, begin);
  for (ptrdiff_t done = begin; done < end; done++, boxes.advance()) {
    for (int k = 0; k < operands; k++) {
      at[k] = arguments[k].data;
      for (int i = 0; i < ndim; i++) at[k] += boxes.index[i] * strides[k][i];
    }
    for (int i = first; i < ndim; i++) box[i] = boxes.size(i);
    run_box(at, box, scratch);
  }
  if (streamed) kernels().finish_streams();
}

void Elementwise::run_box(char* const* at, const ptrdiff_t* box, Scratch& scratch) const {
  const int box_ndim = ndim - first, last = ndim - 1;
  if (!loop && !streamed) {
    return kernels().copy_box(arguments[0].itemsize, box_ndim, box + first, at[0],
                              strides[0] + first, at[1], strides[1] + first);
  }
  ptrdiff_t elements = 1;
  bool same_sizes = true;
  for (int i = first; i < ndim; i++) {
    elements *= box[i];
    same_sizes &= box[i] == scratch.sizes[i];
    scratch.sizes[i] = box[i];
  }
  ptrdiff_t dense[MAX_NDIM];
  char* data[MAX_OPERANDS];
  ptrdiff_t steps[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    data[k] = at[k];
    steps[k] = strides[k][last];
    if (!packed[k]) continue;
    data[k] = raw_block(scratch, k);
    steps[k] = arguments[k].itemsize;
    if (k == 0 || (same_sizes && scratch.packed[k] == at[k])) continue;
    scratch.packed[k] = at[k];
    dense_strides(arguments[k].itemsize, box_ndim, box + first, dense);
    kernels().copy_box(arguments[k].itemsize, box_ndim, box + first, data[k], dense, at[k],
                       strides[k] + first);
  }
  if (merged || box_ndim == 1) {
    run_group(elements, data, steps, scratch);
    if (packed[0]) {
      dense_strides(arguments[0].itemsize, box_ndim, box + first, dense);
      kernels().copy_box(arguments[0].itemsize, box_ndim, box + first, at[0], strides[0] + first,
                         data[0], dense);
    }
    return;
  }
  const bool plain = !casting && !streamed;
  const ptrdiff_t rows = box[last - 1];
  ptrdiff_t index[MAX_NDIM] = {}, row_steps[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    row_steps[k] = packed[k] ? box[last] * steps[k] : strides[k][last - 1];
  }
  for (;;) {
    for (ptrdiff_t row = 0; row < rows; row++) {
      plain ? loop(box[last], data, steps) : run_group(box[last], data, steps, scratch);
      for (int k = 0; k < operands; k++) data[k] += row_steps[k];
    }
    for (int k = 0; k < operands; k++) {
      if (!packed[k]) data[k] -= rows * row_steps[k];
    }
    int i = last - 2;
    for (;; i--) {
      if (i < first) return;
      const bool more = ++index[i] < box[i];
      if (!more) index[i] = 0;
      for (int k = 0; k < operands; k++) {
        if (!packed[k]) data[k] += more ? strides[k][i] : -(box[i] - 1) * strides[k][i];
      }
      if (more) break;
    }
  }
}

// Calls the loop for n elements at equal distances, with casts and streaming before and after.
void Elementwise::run_group(ptrdiff_t n, char* const* at, const ptrdiff_t* strides,
                            Scratch& scratch) const {
  if (!casting && !streamed) return loop(n, at, strides);
  if (!casting && loop) return stream_group(n, at, strides, scratch);
  const Argument& out = arguments[0];
  ptrdiff_t steps[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    const bool scalar = k > 0 && strides[k] == 0;
    steps[k] = arguments[k].cast && !scalar ? arguments[k].loop_itemsize : strides[k];
  }
  for (ptrdiff_t done = 0; done < n; done += call_limit) {
    const ptrdiff_t length = std::min(n - done, call_limit);
    const size_t nbytes = size_t(length * out.itemsize);
    char* data[MAX_OPERANDS];
    for (int k = 1; k < operands; k++) {
      data[k] = at[k] + done * strides[k];
      if (arguments[k].cast) data[k] = cast_input(k, length, data[k], strides[k], scratch);
    }
    char* const to = at[0] + done * strides[0];
    if (!loop) {
      kernels().stream(to, data[1], nbytes);
      continue;
    }
    char* const target = streamed ? raw_block(scratch, 0) : to;
    data[0] = out.cast ? loop_block(scratch, 0) : target;
    loop(length, data, steps);
    if (out.cast) {
      char* const cast_data[] = {target, data[0]};
      const ptrdiff_t cast_steps[] = {strides[0], out.loop_itemsize};
      out.cast(length, cast_data, cast_steps);
    }
    if (streamed) kernels().stream(to, target, nbytes);
  }
}

// The same where the loop's output is streamed and nothing is cast.
//
// The addresses of a block are written some blocks ahead. A loop reads two of them in one load,
// which the processor cannot forward from two stores in its store buffer; and stores leave the
// buffer in order, so the next block would wait until the streamed stores before it are in memory.
// While a block is streamed, the inputs of the next one and of the next group are prefetched; a
// single input is left to the hardware prefetcher.
void Elementwise::stream_group(ptrdiff_t n, char* const* at, const ptrdiff_t* strides,
                               Scratch& scratch) const {
  constexpr ptrdiff_t AHEAD = 4, SLOTS = 2 * AHEAD, PAGE = 4096, APART = 1024;
  auto* const stream = kernels().stream;
  char* const block = raw_block(scratch, 0);
  char* data[SLOTS][MAX_OPERANDS];
  const auto locate = [&](ptrdiff_t turn) {
    char** const to = data[turn % SLOTS];
    const char* const out = at[0] + turn * call_limit * strides[0];
    to[0] = block + ((out + APART - block) & (PAGE - LINE));
    for (int k = 1; k < operands; k++) to[k] = at[k] + turn * call_limit * strides[k];
  };
  const auto prefetch = [&](const char* in, ptrdiff_t stride) {
    if (operands == 2 || stride > LINE) return;  // lines between are not needed
    for (ptrdiff_t i = 0; i < call_limit * stride; i += LINE) __builtin_prefetch(in + i, 0, 2);
  };
  for (ptrdiff_t turn = 0; turn < AHEAD; turn++) locate(turn);
  ptrdiff_t turn = 0;
  for (ptrdiff_t done = 0; done < n; done += call_limit, turn++) {
    const ptrdiff_t length = std::min(n - done, call_limit);
    locate(turn + AHEAD);
    char* const* const now = data[turn % SLOTS];
    loop(length, now, strides);
    for (int k = 1; k < operands; k++) prefetch(data[(turn + 1) % SLOTS][k], strides[k]);
    stream(at[0] + done * strides[0], now[0], size_t(length * strides[0]));
  }
}

// Casts n elements of an input into its block, and returns the block. A scalar is cast once.
char* Elementwise::cast_input(int k, ptrdiff_t n, char* from, ptrdiff_t stride,
                              Scratch& scratch) const {
  char* const block = loop_block(scratch, k);
  if (stride != 0 || scratch.cast[k] != from) {
    char* const data[] = {block, from};
    const ptrdiff_t steps[] = {arguments[k].loop_itemsize, stride};
    arguments[k].cast(stride == 0 ? 1 : n, data, steps);
    scratch.cast[k] = from;
  }
  return block;
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

// Whether to stream output past the caches: it is large, contiguous (`step` is the size of an
// element), and not in the caches already, as in-place output is.
bool worth_streaming(ptrdiff_t n, ptrdiff_t step, int operands, char* const* data) {
  if (n * step < STREAM_FROM || kernels().stream == nullptr) return false;
  for (int k = 1; k < operands; k++) {
    if (data[k] == data[0]) return false;
  }
  return true;
}

// Work along one axis, split only for threads. loop == nullptr: a copy.
void apply_line(kernel loop, int operands, ptrdiff_t n, char* const* data, const ptrdiff_t* steps,
                const ptrdiff_t* itemsizes) {
  const auto run = [&](ptrdiff_t length, char* const* at) {
    if (loop) return loop(length, at, steps);
    kernels().copy_box(itemsizes[0], 1, &length, at[0], steps, at[1], steps + 1);
  };
  const ptrdiff_t widest = *std::max_element(itemsizes, itemsizes + operands);
  // A trial would cost a copy a tenth of its time.
  if (n * widest <= (loop ? SMALLEST_CHUNK : 2 * SMALLEST_CHUNK)) return run(n, data);
  parallel_elements(n, TRIAL, part_size(n, chunk_elements(n, widest)),
                    [&](ptrdiff_t begin, ptrdiff_t end) {
                      char* at[MAX_OPERANDS];
                      for (int k = 0; k < operands; k++) at[k] = data[k] + begin * steps[k];
                      run(end - begin, at);
                    });
}

}  // namespace

void apply(kernel loop, int operands, int ndim, const ptrdiff_t* shape, const Argument* arguments) {
  if (is_empty(ndim, shape)) return;
  bool cast = false;
  for (int k = 0; k < operands; k++) cast |= arguments[k].cast != nullptr;
  if (ndim <= 1 && !cast) {
    // The common case of few axes and no packing, without the planning.
    const ptrdiff_t n = ndim == 1 ? shape[0] : 1;
    char* data[MAX_OPERANDS];
    ptrdiff_t steps[MAX_OPERANDS] = {}, itemsizes[MAX_OPERANDS];
    for (int k = 0; k < operands; k++) {
      data[k] = arguments[k].data;
      itemsizes[k] = arguments[k].itemsize;
      if (ndim == 1) steps[k] = arguments[k].strides[0];
    }
    if (n <= SMALL || !worth_streaming(n, steps[0], operands, data)) {
      return apply_line(loop, operands, n, data, steps, itemsizes);
    }
  }
  Elementwise(loop, operands, ndim, shape, arguments).run();
}

void apply_contiguous(kernel loop, int operands, ptrdiff_t n, char* const* data,
                      const ptrdiff_t* itemsizes) {
  if (n <= SMALL) return loop(n, data, itemsizes);
  if (!worth_streaming(n, itemsizes[0], operands, data)) {
    return apply_line(loop, operands, n, data, itemsizes, itemsizes);
  }
  Argument arguments[MAX_OPERANDS];
  for (int k = 0; k < operands; k++) {
    arguments[k] = {data[k], itemsizes + k, itemsizes[k], nullptr, itemsizes[k]};
  }
  Elementwise(loop, operands, 1, &n, arguments).run();
}

void copy(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
          const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides) {
  if (is_empty(ndim, shape)) return;
  const Argument arguments[] = {{out, out_strides, itemsize, nullptr, itemsize},
                                {const_cast<char*>(in), in_strides, itemsize, nullptr, itemsize}};
  Elementwise(nullptr, 2, ndim, shape, arguments).run();
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
