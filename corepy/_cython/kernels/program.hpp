// Programs: elementwise operations that are computed block by block, without intermediate arrays.
// Arithmetic is computed in registers (chains.hpp) where possible and enabled, other operations by
// the loops of the kernel table, with intermediate values in blocks that fit the first-level cache.
//
// A program computes the elements of one iteration space. Its values are inputs (arrays that are
// broadcast to the space), constants, and results of loops and of reductions along the last axis.
// Each may be stored in an array. Values "per row" have one element for each index of all axes but
// the last.
//
// Results equal those of the same loops over whole arrays, bit for bit.
#pragma once

#include <algorithm>
#include <vector>

#include "../layout/axes.hpp"
#include "chains.hpp"
#include "kernels.hpp"
#include "reduce.hpp"

namespace corepy {

class Program {
 public:
  static constexpr int MAX_FUSED_NDIM = 8;

  // The iteration space. With `rows` blocks have whole rows, and values per row are allowed.
  Program(int ndim, const ptrdiff_t* shape, bool rows);

  // Each adds a value and returns its number. Strides are in bytes along the axes of the space, 0
  // along the last axis of a value per row. They throw std::bad_alloc.
  int add_input(const char* data, const ptrdiff_t* strides, ptrdiff_t itemsize, bool per_row);
  int add_constant(const char* element, ptrdiff_t itemsize);
  int add_loop(kernel loop, int inputs, const int* values, ptrdiff_t itemsize, bool per_row);
  int add_row_reduction(Operation operation, Dtype input, double correction, int value,
                        ptrdiff_t itemsize);

  // Stores a value in an array. The first stored array determines the iteration order.
  void store(int value, char* data, const ptrdiff_t* strides);

  // Replaces the address of an input or a stored array, or the element of a constant, of a program
  // that is run again. Addresses of stored arrays have the same remainder by Chain::VECTOR.
  void set_data(int value, const char* data) {
    values[size_t(value)].data = const_cast<char*>(data);
  }
  void set_constant(int value, const char* element) {
    std::copy(element, element + sizeof(Value::element), values[size_t(value)].element);
  }

  // Plans blocks and their memory for run() or fill(), after all values have been added.
  // `in_registers`: whether chains are enabled. Throws std::bad_alloc.
  void prepare(bool for_fill, bool in_registers);

  // Computes the stored values, in threads if there are enough elements. False if there is no
  // memory; nothing is written then.
  bool run() const;

  // Writes elements [begin, begin + n) of the stored values, in the order of store(), to out[0],
  // out[1], ...: for reductions of values without arrays. Elements are counted in memory order; all
  // stored values have one contiguous layout.
  bool fill(ptrdiff_t begin, ptrdiff_t n, char* const* out) const;

  // Bytes of the blocks of a thread.
  ptrdiff_t block_bytes() const { return slots * slot_bytes; }
  ptrdiff_t block_elements() const { return box_elements; }
  // Number of inputs and stored values that are copied from or to blocks.
  ptrdiff_t copies() const {
    return std::count_if(values.begin(), values.end(), [](const Value& value) {
      return value.packed || (value.copied && !value.streamed);
    });
  }
  // Number of operations that are computed in registers.
  ptrdiff_t operations_in_registers() const;

 private:
  enum class Kind : unsigned char { input, constant, loop, reduction, expansion };

  struct Value {
    Kind kind;
    bool per_row;
    bool packed = false;    // an input that is copied to a block first
    bool copied = false;    // a stored value that is copied from a block
    bool streamed = false;  // ... with non-temporal stores
    bool inner = false;     // a value of a chain that no other step reads
    bool by_row = false;    // chains read or write it row by row, where its elements are
    ptrdiff_t itemsize;
    char* data = nullptr;  // of the input, or of the array that stores it
    ptrdiff_t strides[MAX_FUSED_NDIM] = {};
    alignas(16) char element[16];
    int slot = -1;
    int array = -1;     // the index among stored values
    int last_use = -1;  // the last step that reads it
  };
  // A loop, a chain, a reduction or an expansion. Operands and results of chains are in `chains`.
  struct Step {
    int result = -1;
    int inputs = 0;
    int values[MAX_OPERANDS - 1] = {};
    int chain = -1;
    kernel loop = nullptr;
    bool row_by_row = false;  // a loop over all elements that reads values per row
    Operation operation = OP_COUNT;
    Dtype input = DTYPE_COUNT;
    double correction = 0;
  };
  struct ChainStep {
    Chain chain;
    std::vector<int> inputs, outputs;
    int operations;
    bool by_rows = false;  // it computes rows of the last axis
  };
  struct Scratch;

  void order_axes();
  void choose_boxes(bool for_fill);
  void choose_extents(ptrdiff_t bytes);
  void expand_rows();
  void form_chains(bool for_fill);
  void order_for_chains(std::vector<int>& itemsizes);
  bool needs_block(const ChainStep& chain, const Value& value) const;
  int add_chain_input(ChainStep& chain, int index, kernel loop, bool alone);
  void add_chain_output(ChainStep& chain, const Step& step, int number, bool read, bool for_fill);
  void add_chain(const Step* begin, const Step* end, int chained, bool for_fill,
                 std::vector<Step>& made);
  Chain::Extent extent_of(const Value& value) const;
  bool varies(const Value& value) const;
  bool begins_at_vectors(const Value& value, bool rows) const;
  const int* inputs_of(const Step& step, int* number) const;
  const int* results_of(const Step& step, int* number) const;
  void leave_in_place(Value& value) const;
  ptrdiff_t row_distance(const Value& value, ptrdiff_t run) const;
  void run_rows(const Step& step, ptrdiff_t rows, ptrdiff_t run, const Scratch& scratch) const;
  void run_chain(const ChainStep& step, const ptrdiff_t* box, ptrdiff_t elements,
                 const Scratch& scratch) const;
  void choose_slots();
  static bool is_narrow(const Value& value) { return value.itemsize <= 2; }  // bools, halves
  bool is_linear(const Value& value) const;
  bool has_linear_rows(int axis) const;
  void begin(Scratch& scratch, char* memory) const;
  [[gnu::always_inline]] void prefetch_next(ptrdiff_t elements, ptrdiff_t from, ptrdiff_t until,
                                            const Scratch& scratch) const;
  void run_box(const ptrdiff_t* index, const ptrdiff_t* box, Scratch& scratch,
               char* const* results = nullptr) const;
  void reduce_rows(const Step& step, ptrdiff_t rows, ptrdiff_t n, Scratch& scratch) const;
  ptrdiff_t scratch_bytes() const;

  int ndim;
  ptrdiff_t sizes[MAX_FUSED_NDIM], extents[MAX_FUSED_NDIM];
  const bool by_rows;
  int first = 0;  // the outermost axis of a box
  int first_stored = -1, stored = 0;
  ptrdiff_t count = 1;
  ptrdiff_t itemsize = 1;  // the largest
  ptrdiff_t box_elements = 0;
  ptrdiff_t slot_bytes = 0;
  int slots = 0;
  std::vector<Value> values;
  std::vector<Step> steps;
  std::vector<ChainStep> chains;
  bool streams_past_caches = false;
  std::vector<int> streams;  // inputs to prefetch, which are contiguous
};

}  // namespace corepy
