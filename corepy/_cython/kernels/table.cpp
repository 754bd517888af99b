#include "table.hpp"

#include <cstring>

#include "types.hpp"

namespace corepy {

namespace {

// The dtype that an operation computes in. Reductions take their input as it is (their loops widen
// while they accumulate), and so do questions, which have the same answer before and after a cast;
// otherwise operands become what the result is, less the step from complex to real.
Dtype compute_dtype(const OperationInfo& info, Dtype dtype) {
  if (info.shape == SHAPE_reduce && info.result != RESULT_real_floating) return dtype;
  switch (info.result) {
    case RESULT_arithmetic:
    case RESULT_floating:
    case RESULT_accumulate:
      return result_dtype(info.result, dtype);
    case RESULT_real_floating:
      return result_dtype(RESULT_floating, dtype);
    default:
      return dtype;
  }
}

// The table is filled when the library is loaded: loops cannot be listed in a constant expression
// without naming every template instance twice.
struct Kernels {
  Table table;

  Kernels() {
    for (int operation = 0; operation < OP_COUNT; operation++) {
      const OperationInfo& info = operations[operation];
      for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
        Entry& entry = table[operation][dtype];
        entry.loop = nullptr;
        entry.compute = entry.result = -1;
        if (accepts(info.category, Dtype(dtype))) {
          entry.compute = int8_t(compute_dtype(info, Dtype(dtype)));
          entry.result = int8_t(result_dtype(info.result, Dtype(dtype)));
        }
      }
    }
    fill_arithmetic(table);
    fill_division(table);
    fill_rounding(table);
    fill_comparison(table);
    fill_selection(table);
    fill_bitwise(table);
    fill_logical(table);
    fill_sums(table);
    fill_extremes(table);
    // A dtype that is computed as another uses the other's loop.
    for (auto& row : table) {
      for (Entry& entry : row) {
        entry.loop = entry.compute < 0 ? nullptr : row[entry.compute].loop;
      }
    }
  }
};

const Kernels kernels;

}  // namespace

const Entry& entry(Operation operation, Dtype promoted) {
  return kernels.table[operation][promoted];
}

bool reduce_identity(Operation operation, Dtype result, char* out) {
  // Zero and false are all bits zero in every dtype.
  std::memset(out, 0, size_t(dtype_itemsize[result]));
  switch (operation) {
    case OP_sum:
    case OP_mean:
    case OP_any:
    case OP_count_nonzero:
      return true;
    case OP_all:
    case OP_prod:
      break;
    default:
      return false;
  }
  const Bool yes = true;
  char* const data[] = {out, reinterpret_cast<char*>(const_cast<Bool*>(&yes))};
  const ptrdiff_t steps[] = {0, 0};
  cast_kernel(DTYPE_bool, result)(1, data, steps);
  return true;
}

}  // namespace corepy
