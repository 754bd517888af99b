// The plan of a program: the iteration order and the boxes, the chains, and the blocks of values.
#include <algorithm>

#include "program.hpp"

namespace corepy {

namespace {

// Bytes of a block of the widest value. A chain of ten additions and multiplications of 10^7
// float64 takes 7.9 ms with blocks of 4 KiB, 10.6 with 8 and 13 to 19 with 16 KiB: several blocks
// have to fit the first-level cache.
constexpr ptrdiff_t BLOCK = 4096;

// The same where boxes consist of several whole rows: with a row reduction, a box costs more. A
// softmax of 1562 rows of 64 float64 takes 154 us with 16 KiB, 161 with 8 and 169 with 4; one of
// 200 rows of 1024 float32 56 us, and 78 row by row.
constexpr ptrdiff_t ROW_BLOCK = ptrdiff_t(16) << 10;

// Bytes of a row from which on loops compute one row at a time if they read values per row. Layer
// norms of 32 float32 take 16 % less so, softmax 5 % more; from 64 on both take less.
constexpr ptrdiff_t ROW_APART = 128;

// Bytes of an input from which on the next box is prefetched while a box is computed. Hardware
// prefetches within a page only, which is the size of a block: the sum of
// w / 2 * (x * x + y * y + z * z), 10^7 float64 each, takes 10.3 ms with it and 18.4 without.
constexpr ptrdiff_t PREFETCH_FROM = ptrdiff_t(1) << 20;

// Bytes of a block where all operations are computed in registers.
constexpr ptrdiff_t LONG_BLOCK = ptrdiff_t(32) << 10;

// Operations of a chain that take as long as to copy an element to a block. Differences of arrays
// whose rows have 2 elements (48 operations) take 35 us with copies and 48 without; with rows of 8
// to 10 elements they take the same.
constexpr ptrdiff_t COPY = 8;

// The prefetch distance of chains, in bytes.
constexpr int PREFETCH_DISTANCE = 8192;

}  // namespace

void Program::prepare(bool for_fill, bool in_registers) {
  for (const Value& value : values) itemsize = std::max(itemsize, value.itemsize);
  order_axes();
  choose_boxes(for_fill);
  if (by_rows) expand_rows();
  if (in_registers && has_chains()) form_chains(for_fill);
  choose_slots();
  const bool one_chain = steps.size() == 1 && steps[0].chain >= 0;
  if (slots == 0 && !by_rows && (ndim == 1 || (one_chain && chains[0].by_rows))) {
    // There are no blocks to keep in the first-level cache.
    choose_extents(LONG_BLOCK);
  }
  const auto computes_rows = [](const ChainStep& chain) { return chain.by_rows; };
  const bool padded = std::any_of(chains.begin(), chains.end(), computes_rows);
  slot_bytes = std::max<ptrdiff_t>(box_elements, 1) * itemsize + (padded ? Chain::PADDING : 0);
  slot_bytes = ceil_div(slot_bytes, 64) * 64;
  for (size_t k = 0; k < values.size(); k++) {
    const Value& value = values[k];
    if (value.kind == Kind::input && !value.packed && !value.per_row &&
        value.strides[ndim - 1] == value.itemsize && count * value.itemsize >= PREFETCH_FROM &&
        steps.size() > 1) {
      streams.push_back(int(k));
    }
  }
}

// Sorts axes into the memory order of the first stored array, and merges them where possible.
void Program::order_axes() {
  const auto exchange = [&](int i, int j) {
    std::swap(sizes[i], sizes[j]);
    for (Value& value : values) std::swap(value.strides[i], value.strides[j]);
  };
  const auto remove = [&](int i) {
    for (int j = i; j < ndim - 1; j++) exchange(j, j + 1);
    ndim--;
  };
  const int movable = by_rows ? ndim - 1 : ndim;  // the last axis of rows stays where it is
  const ptrdiff_t* const strides = values[size_t(first_stored)].strides;
  for (int i = 1; i < movable; i++) {
    for (int j = i; j > 0 && magnitude(strides[j - 1]) < magnitude(strides[j]); j--) {
      exchange(j - 1, j);
    }
  }
  for (int i = movable - 1; i >= 0; i--) {
    if (sizes[i] == 1 && ndim > 1 + by_rows) remove(i);
  }
  for (int i = ndim - 2 - by_rows; i >= 0; i--) {
    bool one_run = true;
    for (const Value& value : values) {
      if (value.kind == Kind::constant || (value.kind != Kind::input && !value.data)) continue;
      one_run &= value.strides[i] == value.strides[i + 1] * sizes[i + 1];
    }
    if (!one_run) continue;
    sizes[i] *= sizes[i + 1];
    for (Value& value : values) value.strides[i] = value.strides[i + 1];
    remove(i + 1);
  }
  if (ndim == 0) sizes[ndim++] = 1;
}

// Chooses the extents of a box whose widest value has up to some bytes.
void Program::choose_extents(ptrdiff_t bytes) {
  ptrdiff_t limit = bytes / itemsize;
  for (int i = 0; i < ndim; i++) extents[i] = 1;
  box_elements = extents[ndim - 1] = by_rows ? sizes[ndim - 1] : part_size(sizes[ndim - 1], limit);
  for (int i = ndim - 2; i >= 0; i--) {
    limit = extents[i + 1] > 0 ? limit / extents[i + 1] : limit;
    extents[i] = std::max<ptrdiff_t>(1, part_size(sizes[i], limit));
    box_elements *= extents[i];
    if (by_rows && !has_linear_rows(i)) break;  // values per row are at one distance in a box
  }
  first = 0;
  while (first < ndim - 1 && extents[first] == 1) first++;
}

// Whether the rows of a box that has all of an axis are at one distance along the axis before, too.
bool Program::has_linear_rows(int axis) const {
  if (axis == 0 || extents[axis] != sizes[axis]) return false;
  for (const Value& value : values) {
    const bool in_memory = value.kind == Kind::input || value.data;
    if (value.per_row && in_memory &&
        value.strides[axis - 1] != value.strides[axis] * sizes[axis]) {
      return false;
    }
  }
  return true;
}

void Program::choose_boxes(bool for_fill) {
  const bool short_rows = by_rows && sizes[ndim - 1] * itemsize < ROW_BLOCK / 2;
  choose_extents(short_rows ? ROW_BLOCK : BLOCK);
  for (Value& value : values) {
    if (value.kind == Kind::constant || value.per_row) continue;
    if (value.kind == Kind::input) {
      value.packed = !is_linear(value);
    } else if (value.data) {
      value.streamed = !for_fill && count * value.itemsize >= STREAM_FROM && kernels().stream &&
                       is_linear(value) && value.strides[ndim - 1] == value.itemsize;
      value.copied = value.streamed || !is_linear(value);
      streams_past_caches |= value.streamed;
    }
  }
}

// Whether the elements of a box are at equal distances.
bool Program::is_linear(const Value& value) const {
  for (int i = first; i < ndim - 1; i++) {
    if (value.strides[i] != value.strides[i + 1] * extents[i + 1]) return false;
  }
  return true;
}

// Has loops over all elements of several rows read values per row: short rows by repeating the
// value along them, others row by row.
void Program::expand_rows() {
  const bool several = box_elements > extents[ndim - 1];
  const bool repeats = several && sizes[ndim - 1] * itemsize < ROW_APART;
  std::vector<int> expanded(values.size(), -1);
  std::vector<Step> all;
  for (Step step : steps) {
    const bool of_all = step.loop && !values[size_t(step.result)].per_row;
    for (int k = 0; k < step.inputs && of_all; k++) {
      const int number = step.values[k];
      if (!values[size_t(number)].per_row) continue;
      if (!repeats) {
        values[size_t(number)].by_row = several;
        step.row_by_row = true;
        continue;
      }
      if (expanded[size_t(number)] < 0) {
        Value copy = {Kind::expansion, false};
        copy.itemsize = values[size_t(number)].itemsize;
        values.push_back(copy);
        expanded[size_t(number)] = int(values.size()) - 1;
        Step repeat;
        repeat.result = expanded[size_t(number)];
        repeat.inputs = 1;
        repeat.values[0] = number;
        all.push_back(repeat);
      }
      step.values[k] = expanded[size_t(number)];
    }
    all.push_back(step);
  }
  steps = std::move(all);
}

// What a value that chains read has one element for: each, a row or all of a box.
Chain::Extent Program::extent_of(const Value& value) const {
  const bool repeated =
      value.per_row || (value.kind == Kind::input && !value.packed && value.strides[ndim - 1] == 0);
  if (value.kind != Kind::constant && !repeated) return Chain::EACH;
  return value.by_row ? Chain::ROW : Chain::ALL;
}

// Whether every box of a stored value, or every row of it, is aligned for streaming stores.
bool Program::begins_at_vectors(const Value& value, bool rows) const {
  if (rows && (value.strides[ndim - 2] % Chain::VECTOR != 0 ||
               sizes[ndim - 1] * value.itemsize % Chain::VECTOR != 0)) {
    return false;
  }
  bool begins = reinterpret_cast<uintptr_t>(value.data) % Chain::VECTOR == 0;
  for (int i = 0; i < ndim; i++) {
    begins &= extents[i] == sizes[i] || extents[i] * value.strides[i] % Chain::VECTOR == 0;
  }
  return begins;
}

// Combines loops into chains, as long as possible.
void Program::form_chains(bool for_fill) {
  std::vector<int> itemsizes(steps.size(), 0);
  for (size_t i = 0; i < steps.size(); i++) {
    const Step& step = steps[i];
    if (!step.loop || values[size_t(step.result)].per_row) continue;
    itemsizes[i] = chain_itemsize(step.loop);
    for (int k = 0; k < step.inputs; k++) {
      const Value& value = values[size_t(step.values[k])];
      if (is_narrow(value) && extent_of(value) != Chain::EACH) itemsizes[i] = 0;
    }
  }
  order_for_chains(itemsizes);
  struct Range {
    size_t begin, end;
    int chained;
  };
  std::vector<Range> ranges;
  for (size_t begin = 0, end; begin < steps.size(); begin = end) {
    int chained = 0;
    for (end = begin; end < steps.size(); end++) {
      const int size = itemsizes[end];
      if (size == 0 || (size > 1 && chained > 1 && size != chained)) break;
      chained = std::max(chained, size);
    }
    if (chained <= 1) end = begin + 1;
    const bool streamed = chained > 1 && values[size_t(steps[begin].result)].streamed;
    ranges.push_back({begin, end, end - begin > 1 || streamed ? chained : 0});
  }
  // Chains write bools and halves behind the ends of rows, where fill() has no memory.
  if (!for_fill || !is_narrow(values[size_t(first_stored)])) {
    std::vector<bool> in_loops(values.size(), false);
    for (const Range& range : ranges) {
      const Step& step = steps[range.begin];
      if (range.chained) continue;
      if (step.result >= 0) in_loops[size_t(step.result)] = true;
      for (int k = 0; k < step.inputs; k++) in_loops[size_t(step.values[k])] = true;
    }
    // In place, an operation computes whole vectors for a row, so that some elements are computed
    // in vain; in blocks there are none, but elements are copied.
    ptrdiff_t operations = 0, copies = 0;
    for (const Range& range : ranges) {
      operations += range.chained ? ptrdiff_t(range.end - range.begin) : 0;
    }
    for (size_t k = 0; k < values.size(); k++) {
      copies += !in_loops[k] && (values[k].packed || values[k].copied);
    }
    const ptrdiff_t run = sizes[ndim - 1], lanes = Chain::VECTOR / itemsize;
    const ptrdiff_t in_vain = ceil_div(run, lanes) * lanes - run;
    const bool in_place = in_vain * operations < COPY * run * copies;
    for (size_t k = 0; k < values.size(); k++) {
      if (!in_loops[k] && in_place) leave_in_place(values[k]);
    }
  }
  std::vector<Step> made;
  for (const Range& range : ranges) {
    add_chain(steps.data() + range.begin, steps.data() + range.end, range.chained, for_fill, made);
  }
  steps = std::move(made);
}

// Has chains read or write a value row by row where it is, instead of in a block.
void Program::leave_in_place(Value& value) const {
  const ptrdiff_t step = value.strides[ndim - 1];
  if (ndim < 2 || is_narrow(value) || value.streamed) return;
  if (step != value.itemsize && (step != 0 || !value.packed)) return;
  value.by_row = value.packed || value.copied;
  value.packed = value.copied = false;
}

// Sorts steps topologically by depth in loops outside of chains, so that the steps of a chain are
// adjacent. A step of a chain is moved to shortly before the first use of its result.
void Program::order_for_chains(std::vector<int>& itemsizes) {
  if (std::find(itemsizes.begin(), itemsizes.end(), 0) == itemsizes.end()) return;
  const int n = int(steps.size());
  std::vector<int> maker(values.size(), -1), depth(steps.size(), 0), key(steps.size(), 0);
  int most = 0;
  for (int i = 0; i < n; i++) {
    const Step& step = steps[size_t(i)];
    maker[size_t(step.result)] = i;
    int before = 0;
    for (int k = 0; k < step.inputs; k++) {
      const int made = maker[size_t(step.values[k])];
      if (made >= 0) before = std::max(before, depth[size_t(made)]);
    }
    depth[size_t(i)] = before + (itemsizes[size_t(i)] == 0);
    most = std::max(most, depth[size_t(i)]);
  }
  // Loops of depth d are at 2 * d - 1, chains after them at 2 * d.
  constexpr int none = 1 << 30;
  std::fill(key.begin(), key.end(), none);
  for (int i = n - 1; i >= 0; i--) {
    const Step& step = steps[size_t(i)];
    const int at = depth[size_t(i)];
    int& place = key[size_t(i)];
    if (itemsizes[size_t(i)] == 0) {
      place = 2 * at - 1;
    } else if (place == none) {
      place = 2 * at;
    }
    for (int k = 0; k < step.inputs; k++) {
      const int made = maker[size_t(step.values[k])];
      if (made < 0) continue;
      key[size_t(made)] = std::min(key[size_t(made)], place % 2 ? place - 1 : place);
    }
  }
  std::vector<int> order(steps.size());
  for (int i = 0; i < n; i++) order[size_t(i)] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return key[size_t(a)] < key[size_t(b)]; });
  std::vector<Step> sorted;
  std::vector<int> sizes_of;
  for (const int i : order) {
    sorted.push_back(steps[size_t(i)]);
    sizes_of.push_back(itemsizes[size_t(i)]);
  }
  steps = std::move(sorted);
  itemsizes = std::move(sizes_of);
}

// Whether a value differs between elements of the space.
bool Program::varies(const Value& value) const {
  return std::any_of(value.strides, value.strides + ndim, [](ptrdiff_t step) { return step != 0; });
}

// Whether a chain cannot read or write a value where it is: it takes contiguous elements only.
bool Program::needs_block(const ChainStep& chain, const Value& value) const {
  return value.strides[ndim - 1] != value.itemsize || (chain.by_rows && is_narrow(value));
}

// Makes a value an input of a chain, and returns its number in it. `alone`: there is no other
// chain.
int Program::add_chain_input(ChainStep& chain, int index, kernel loop, bool alone) {
  Value& value = values[size_t(index)];
  const bool in_place = value.kind == Kind::input && !value.packed;
  if (chain.by_rows && in_place) value.by_row = varies(value);
  const Chain::Extent extent = extent_of(value);
  if (value.data && extent == Chain::EACH && needs_block(chain, value)) {
    (value.kind == Kind::input ? value.packed : value.copied) = true;
  }
  const bool far = alone && value.kind == Kind::input && !value.packed && extent == Chain::EACH &&
                   count * value.itemsize >= PREFETCH_FROM;
  chain.inputs.push_back(index);
  return chain.chain.add_input(format_of_operand(loop, value.itemsize), extent,
                               far ? PREFETCH_DISTANCE : 0);
}

// Has a chain store the result of a step, `number` in it, if it is stored or read by other steps.
void Program::add_chain_output(ChainStep& chain, const Step& step, int number, bool read,
                               bool for_fill) {
  Value& value = values[size_t(step.result)];
  if (!value.data && !read) {
    value.inner = true;
    return;
  }
  const bool streamed =
      value.streamed && !read && !is_narrow(value) && begins_at_vectors(value, chain.by_rows);
  if (streamed) {
    value.streamed = value.copied = false;
  } else if (value.data && !for_fill && needs_block(chain, value)) {
    value.copied = true;
  }
  chain.chain.add_output(number, format_of_result(step.loop), streamed);
  chain.outputs.push_back(step.result);
}

// Makes a chain of some steps: none of a single step, several if they exceed the limits of a chain.
void Program::add_chain(const Step* begin, const Step* end, int chained, bool for_fill,
                        std::vector<Step>& made) {
  if (begin == end || (end - begin == 1 && !(chained && values[size_t(begin->result)].streamed))) {
    made.insert(made.end(), begin, end);
    return;
  }
  const auto halve = [&] {
    const Step* const middle = begin + (end - begin) / 2;
    add_chain(begin, middle, chained, for_fill, made);
    add_chain(middle, end, chained, for_fill, made);
  };
  const bool alone = size_t(end - begin) == steps.size();
  ChainStep chain = {Chain(chained), {}, {}, int(end - begin)};
  std::vector<int> number(values.size(), -1);
  std::vector<bool> read(values.size(), false);  // by other steps
  for (const Step& step : steps) {
    const bool own = &step >= begin && &step < end;
    for (int k = 0; k < step.inputs; k++) {
      const size_t value = size_t(step.values[k]);
      if (!own) read[value] = true;
      if (own) chain.by_rows |= values[value].by_row;
    }
    if (own) chain.by_rows |= values[size_t(step.result)].by_row;
  }
  for (const Step* step = begin; step < end; step++) {
    int operands[MAX_OPERANDS - 1];
    for (int k = 0; k < step->inputs; k++) {
      int& known = number[size_t(step->values[k])];
      if (known < 0) known = add_chain_input(chain, step->values[k], step->loop, alone);
      operands[k] = known;
    }
    if (!chain.chain.has_room()) return halve();
    number[size_t(step->result)] = chain.chain.add_loop(step->loop, operands);
  }
  for (const Step* step = begin; step < end; step++) {
    const size_t value = size_t(step->result);
    add_chain_output(chain, *step, number[value], read[value], for_fill);
  }
  if (chain.inputs.size() + chain.outputs.size() > size_t(Chain::MAX_OPERANDS)) {
    for (const Step* step = begin; step < end; step++) values[size_t(step->result)].inner = false;
    return halve();
  }
  chain.chain.translate();
  Step step;
  step.chain = int(chains.size());
  chains.push_back(std::move(chain));
  made.push_back(step);
}

ptrdiff_t Program::operations_in_registers() const {
  ptrdiff_t operations = 0;
  for (const ChainStep& chain : chains) operations += chain.operations;
  return operations;
}

const int* Program::inputs_of(const Step& step, int* number) const {
  if (step.chain < 0) {
    *number = step.inputs;
    return step.values;
  }
  const std::vector<int>& inputs = chains[size_t(step.chain)].inputs;
  *number = int(inputs.size());
  return inputs.data();
}

const int* Program::results_of(const Step& step, int* number) const {
  if (step.chain < 0) {
    *number = 1;
    return &step.result;
  }
  const std::vector<int>& outputs = chains[size_t(step.chain)].outputs;
  *number = int(outputs.size());
  return outputs.data();
}

// Assigns blocks to values; a block is reused after the last step that reads its value. A result
// may have the block of an input of its own step: loops work in place.
void Program::choose_slots() {
  int inputs, results;
  for (int i = 0; i < int(steps.size()); i++) {
    const int* const read = inputs_of(steps[size_t(i)], &inputs);
    for (int k = 0; k < inputs; k++) values[size_t(read[k])].last_use = i;
  }
  for (Value& value : values) {
    if (value.copied) value.last_use = int(steps.size());
  }
  std::vector<int> free;
  const auto take = [&](Value& value) {
    if (free.empty()) free.push_back(slots++);
    value.slot = free.back();
    free.pop_back();
  };
  for (Value& value : values) {
    if (value.packed) take(value);
  }
  for (int i = 0; i < int(steps.size()); i++) {
    const Step& step = steps[size_t(i)];
    const int* const read = inputs_of(step, &inputs);
    const int* const made = results_of(step, &results);
    const Value& result = values[size_t(made[0])];
    const auto release = [&] {
      for (int k = 0; k < inputs; k++) {
        Value& value = values[size_t(read[k])];
        bool again = false;  // an input that occurs twice
        for (int j = 0; j < k; j++) again |= read[j] == read[k];
        // Packed inputs may be reused for the next box.
        if (value.slot >= 0 && value.last_use == i && !again && !value.packed) {
          free.push_back(value.slot);
        }
      }
    };
    // In place requires equal item sizes.
    bool same_size = result.kind == Kind::loop;
    const auto compare = [&](const Value& value) {
      same_size &= value.itemsize == result.itemsize && value.per_row == result.per_row;
    };
    for (int k = 0; k < inputs; k++) compare(values[size_t(read[k])]);
    for (int k = 0; k < results; k++) compare(values[size_t(made[k])]);
    if (same_size) release();
    for (int k = 0; k < results; k++) {
      Value& value = values[size_t(made[k])];
      if (!value.data || value.copied) take(value);
    }
    if (!same_size) release();
  }
}

}  // namespace corepy
