#include "program.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "memory.hpp"
#include "threads.hpp"

namespace corepy {

namespace {

// Bytes of the widest value in a chunk, at most.
constexpr ptrdiff_t CHUNK = ptrdiff_t(256) << 10;

// Elements times steps of a chunk, at least, and of work whose chunks are shared immediately: some
// 2 and 50 us. A chain takes as long as two steps, and as one more for every OPERATIONS, and the
// copy of a value as one.
constexpr ptrdiff_t SMALLEST_CHUNK = ptrdiff_t(1) << 13, WORTH_SHARING = ptrdiff_t(1) << 17;
constexpr ptrdiff_t OPERATIONS = 32;

// Chunks that have memory each, whatever the number of threads is: asking for it is a system call.
constexpr ptrdiff_t FEW_CHUNKS = 16;

// The most threads that compute boxes at the same time.
constexpr ptrdiff_t MAX_THREADS = 256;

}  // namespace

// The state of a thread: for each value the address of its elements in the current box, and the
// distance between them.
struct Program::Scratch {
  char** at;
  ptrdiff_t* steps;
  const char** packed;      // the source of the last copy of an input
  ptrdiff_t last_elements;  // of the last box
  char* blocks;
};

Program::Program(int ndim, const ptrdiff_t* shape, bool rows) : ndim(ndim), by_rows(rows) {
  values.reserve(32);
  steps.reserve(16);
  for (int i = 0; i < ndim; i++) {
    sizes[i] = shape[i];
    count *= shape[i];
  }
}

int Program::add_input(const char* data, const ptrdiff_t* strides, ptrdiff_t itemsize,
                       bool per_row) {
  Value value = {Kind::input, per_row};
  value.itemsize = itemsize;
  value.data = const_cast<char*>(data);
  std::copy(strides, strides + ndim, value.strides);
  values.push_back(value);
  return int(values.size()) - 1;
}

int Program::add_constant(const char* element, ptrdiff_t itemsize) {
  Value value = {Kind::constant, false};
  value.itemsize = itemsize;
  std::memcpy(value.element, element, size_t(itemsize));
  values.push_back(value);
  return int(values.size()) - 1;
}

int Program::add_loop(kernel loop, int inputs, const int* numbers, ptrdiff_t itemsize,
                      bool per_row) {
  Value value = {Kind::loop, per_row};
  value.itemsize = itemsize;
  values.push_back(value);
  Step step;
  step.result = int(values.size()) - 1;
  step.inputs = inputs;
  std::copy(numbers, numbers + inputs, step.values);
  step.loop = loop;
  steps.push_back(step);
  return step.result;
}

int Program::add_row_reduction(Operation operation, Dtype input, double correction, int number,
                               ptrdiff_t itemsize) {
  Value value = {Kind::reduction, true};
  value.itemsize = itemsize;
  values.push_back(value);
  Step step;
  step.result = int(values.size()) - 1;
  step.inputs = 1;
  step.values[0] = number;
  step.operation = operation;
  step.input = input;
  step.correction = correction;
  steps.push_back(step);
  return step.result;
}

void Program::store(int number, char* data, const ptrdiff_t* strides) {
  Value& value = values[size_t(number)];
  value.data = data;
  std::copy(strides, strides + ndim, value.strides);
  if (first_stored < 0) first_stored = number;
  value.array = stored++;
}

ptrdiff_t Program::scratch_bytes() const {
  const ptrdiff_t table = ptrdiff_t(values.size() * (2 * sizeof(char*) + sizeof(ptrdiff_t)));
  return slots * slot_bytes + ceil_div(table, 64) * 64;
}

void Program::begin(Scratch& scratch, char* memory) const {
  scratch.blocks = memory;
  scratch.at = reinterpret_cast<char**>(memory + slots * slot_bytes);
  scratch.packed = const_cast<const char**>(scratch.at + values.size());
  scratch.steps = reinterpret_cast<ptrdiff_t*>(scratch.at + 2 * values.size());
  scratch.last_elements = -1;
  for (size_t k = 0; k < values.size(); k++) {
    const Value& value = values[k];
    scratch.packed[k] = nullptr;
    scratch.at[k] = value.data;
    scratch.steps[k] = value.strides[value.per_row ? ndim - 2 : ndim - 1];
    if (value.kind == Kind::constant) {
      scratch.at[k] = const_cast<char*>(value.element);
      scratch.steps[k] = 0;
    } else if (value.slot >= 0) {
      scratch.at[k] = memory + value.slot * slot_bytes;
      scratch.steps[k] = value.itemsize;
    }
  }
}

void Program::reduce_rows(const Step& step, ptrdiff_t rows, ptrdiff_t n, Scratch& scratch) const {
  const Value& input = values[size_t(step.values[0])];
  const Value& result = values[size_t(step.result)];
  const ptrdiff_t item = scratch.steps[step.values[0]];
  const ptrdiff_t row = input.slot >= 0 ? n * item : input.strides[ndim - 2];
  reduce_row_tile(
      step.operation, step.input, {rows, n, scratch.at[step.values[0]], row, item, nullptr, 0, 1},
      scratch.at[step.result], result.slot >= 0 ? result.itemsize : scratch.steps[step.result],
      result.itemsize, step.correction, count == n);
}

// Prefetches elements [from, until) of the box after one of `elements`. Inlined: compilers drop
// calls of functions that only prefetch.
inline void Program::prefetch_next(ptrdiff_t elements, ptrdiff_t from, ptrdiff_t until,
                                   const Scratch& scratch) const {
  for (const int number : streams) {
    const ptrdiff_t item = values[size_t(number)].itemsize;
    const char* const next = scratch.at[number] + elements * item;
    for (ptrdiff_t offset = from * item; offset < until * item; offset += 64) {
      __builtin_prefetch(next + offset, 0, 2);
    }
  }
}

// The distance of rows of `run` elements, in bytes.
ptrdiff_t Program::row_distance(const Value& value, ptrdiff_t run) const {
  if (value.slot < 0) return ndim > 1 ? value.strides[ndim - 2] : 0;
  return (value.per_row ? 1 : run) * value.itemsize;
}

// Computes a loop over all elements on each row of a box: on its own, as values per row are
// scalars.
void Program::run_rows(const Step& step, ptrdiff_t rows, ptrdiff_t run,
                       const Scratch& scratch) const {
  char* data[MAX_OPERANDS];
  ptrdiff_t strides[MAX_OPERANDS], distances[MAX_OPERANDS];
  for (int k = 0; k <= step.inputs; k++) {
    const int number = k ? step.values[k - 1] : step.result;
    const Value& value = values[size_t(number)];
    data[k] = scratch.at[number];
    strides[k] = value.per_row ? 0 : scratch.steps[number];
    distances[k] = row_distance(value, run);
  }
  for (ptrdiff_t row = 0; row < rows; row++) {
    step.loop(run, data, strides);
    for (int k = 0; k <= step.inputs; k++) data[k] += distances[k];
  }
}

// Computes a chain on a box: at once, or on each plane of the last two axes.
void Program::run_chain(const ChainStep& step, const ptrdiff_t* box, ptrdiff_t elements,
                        const Scratch& scratch) const {
  char* operands[Chain::MAX_OPERANDS];
  ptrdiff_t distances[Chain::MAX_OPERANDS], index[MAX_FUSED_NDIM] = {};
  const auto for_operands = [&](const auto& add) {
    size_t k = 0;
    for (const int number : step.inputs) add(number, k++);
    for (const int number : step.outputs) add(number, k++);
  };
  if (!step.by_rows) {
    for_operands([&](int number, size_t k) { operands[k] = scratch.at[number]; });
    return step.chain.run(1, elements, operands, nullptr);
  }
  const int axis = ndim - 2;  // of rows
  const ptrdiff_t rows = box[axis], run = box[axis + 1], plane = rows * run;
  for (ptrdiff_t done = 0; done < elements; done += plane) {
    for_operands([&](int number, size_t k) {
      const Value& value = values[size_t(number)];
      const bool in_block = value.slot >= 0;
      const ptrdiff_t before = value.per_row ? done / run : done;  // in the block
      operands[k] = scratch.at[number] + (in_block ? before * value.itemsize : 0);
      for (int i = first; i < axis && !in_block; i++) operands[k] += index[i] * value.strides[i];
      distances[k] = row_distance(value, run);
    });
    step.chain.run(rows, run, operands, distances);
    for (int i = axis - 1; i >= first && ++index[i] == box[i]; i--) index[i] = 0;
  }
}

// Computes a box. `results`: where stored values are written, instead of their arrays.
void Program::run_box(const ptrdiff_t* index, const ptrdiff_t* box, Scratch& scratch,
                      char* const* results) const {
  const int box_ndim = ndim - first;
  ptrdiff_t elements = 1;
  for (int i = first; i < ndim; i++) elements *= box[i];
  const ptrdiff_t run = box[ndim - 1], rows = run ? elements / run : 0;
  ptrdiff_t dense[MAX_FUSED_NDIM];
  for (size_t k = 0; k < values.size(); k++) {
    const Value& value = values[k];
    if (!value.data) continue;
    char* from = value.data;
    for (int i = 0; i < ndim; i++) from += index[i] * value.strides[i];
    if (results && value.array >= 0) from = results[value.array];
    if (value.packed) {
      if (scratch.packed[k] == from && scratch.last_elements == elements) continue;
      scratch.packed[k] = from;
      dense_strides(value.itemsize, box_ndim, box + first, dense);
      kernels().copy_box(value.itemsize, box_ndim, box + first, scratch.at[k], dense, from,
                         value.strides + first);
    } else if (!value.copied) {
      scratch.at[k] = from;
    }
  }
  scratch.last_elements = elements;
  char* data[MAX_OPERANDS];
  ptrdiff_t strides[MAX_OPERANDS];
  ptrdiff_t prefetched = 0;
  const ptrdiff_t count_of_steps = ptrdiff_t(steps.size());
  for (const Step& step : steps) {
    const ptrdiff_t until = (&step - steps.data() + 1) * elements / count_of_steps;
    prefetch_next(elements, prefetched, until, scratch);
    prefetched = until;
    if (step.chain >= 0) {
      run_chain(chains[size_t(step.chain)], box, elements, scratch);
      continue;
    }
    const Value& value = values[size_t(step.result)];
    if (step.loop && step.row_by_row) {
      run_rows(step, rows, run, scratch);
    } else if (step.loop) {
      data[0] = scratch.at[step.result];
      strides[0] = scratch.steps[step.result];
      for (int k = 0; k < step.inputs; k++) {
        data[k + 1] = scratch.at[step.values[k]];
        strides[k + 1] = scratch.steps[step.values[k]];
      }
      step.loop(value.per_row ? rows : elements, data, strides);
    } else if (value.kind == Kind::reduction) {
      reduce_rows(step, rows, run, scratch);
    } else {
      const ptrdiff_t shape[] = {rows, run}, from[] = {scratch.steps[step.values[0]], 0};
      dense_strides(value.itemsize, 2, shape, dense);
      kernels().copy_box(value.itemsize, 2, shape, scratch.at[step.result], dense,
                         scratch.at[step.values[0]], from);
    }
  }
  for (size_t k = 0; k < values.size(); k++) {
    const Value& value = values[k];
    if (!value.copied) continue;
    char* to = value.data;
    for (int i = 0; i < ndim; i++) to += index[i] * value.strides[i];
    if (value.streamed) {
      const ptrdiff_t nbytes = elements * value.itemsize;
      for (ptrdiff_t done = 0; done < nbytes; done += STREAM_BLOCK) {
        kernels().stream(to + done, scratch.at[k] + done,
                         size_t(std::min(STREAM_BLOCK, nbytes - done)));
      }
      continue;
    }
    dense_strides(value.itemsize, box_ndim, box + first, dense);
    kernels().copy_box(value.itemsize, box_ndim, box + first, to, value.strides + first,
                       scratch.at[k], dense);
  }
}

bool Program::run() const {
  if (count == 0) return true;
  const ptrdiff_t boxes = Boxes<MAX_FUSED_NDIM>::count(ndim, sizes, extents);
  // About 16 chunks, so that costly operations on few elements are shared.
  const ptrdiff_t box_bytes = box_elements * itemsize;
  const ptrdiff_t most = std::max<ptrdiff_t>(1, CHUNK / box_bytes);
  ptrdiff_t work = ptrdiff_t(steps.size() + chains.size()) + copies();
  for (const ChainStep& chain : chains) work += chain.operations / OPERATIONS;
  const ptrdiff_t least = ceil_div(SMALLEST_CHUNK, box_elements * work);
  const ptrdiff_t grain = std::clamp(boxes / 16, std::min(least, most), most);
  // Memory for all concurrent chunks is allocated before anything is written.
  const ptrdiff_t bytes = scratch_bytes();
  ptrdiff_t places = ceil_div(boxes, grain);
  if (places > FEW_CHUNKS) places = std::min<ptrdiff_t>({places, num_threads(), MAX_THREADS});
  const Workspace memory{size_t(places * bytes)};
  if (!memory.data()) return false;
  std::atomic<bool> taken[MAX_THREADS] = {};
  const auto body = [&](ptrdiff_t begin, ptrdiff_t end) {
    ptrdiff_t place = 0;
    while (taken[place].exchange(true, std::memory_order_acquire)) place = (place + 1) % places;
    Scratch scratch;
    this->begin(scratch, memory.data() + place * bytes);
    ptrdiff_t box[MAX_FUSED_NDIM];
    Boxes<MAX_FUSED_NDIM> at(ndim, sizes, extents, begin);
    for (ptrdiff_t done = begin; done < end; done++, at.advance()) {
      for (int i = 0; i < ndim; i++) box[i] = at.size(i);
      run_box(at.index, box, scratch);
    }
    if (streams_past_caches) kernels().finish_streams();
    taken[place].store(false, std::memory_order_release);
  };
  parallel_ranges(boxes, grain, body, count * work >= WORTH_SHARING);
  return true;
}

bool Program::fill(ptrdiff_t begin, ptrdiff_t n, char* const* out) const {
  const Workspace memory{size_t(scratch_bytes())};
  if (!memory.data()) return false;
  Scratch scratch;
  this->begin(scratch, memory.data());
  const ptrdiff_t item = values[size_t(first_stored)].itemsize;
  const int last = ndim - 1;
  ptrdiff_t index[MAX_FUSED_NDIM], box[MAX_FUSED_NDIM];
  char* results[ElementSource::MAX_ARRAYS];
  std::copy(out, out + stored, results);
  while (n > 0) {
    ptrdiff_t rest = begin;
    for (int i = last; i >= 0; i--) {
      index[i] = rest % sizes[i];
      rest /= sizes[i];
      box[i] = 1;
    }
    ptrdiff_t elements;
    if (last > 0 && index[last] == 0 && n >= sizes[last] && extents[last] == sizes[last]) {
      box[last] = sizes[last];
      box[last - 1] =
          std::min({n / sizes[last], extents[last - 1], sizes[last - 1] - index[last - 1]});
      elements = box[last] * box[last - 1];
    } else {
      elements = box[last] = std::min({n, sizes[last] - index[last], extents[last]});
    }
    run_box(index, box, scratch, results);
    for (int k = 0; k < stored; k++) results[k] += elements * item;
    begin += elements;
    n -= elements;
  }
  return true;
}

}  // namespace corepy
