// The driver of reductions. Elements are visited in the order of memory, by one of two plans:
//
//   runs  where a reduced axis is innermost in memory:
//         the reduction's own kernel takes a run of it per call.
//   rows  where a kept axis is innermost:
//         whole rows are combined with the output by an elementwise kernel (sums by add), a strip
//         at a time, so that the strip of the output stays in cache while the rows pass by.
//
// Rounded sums are made of sums of few elements in both plans (PairwiseSum, add_rows), in an
// order that the layout alone decides, so that errors stay small and results can be repeated.
#include <algorithm>
#include <cstring>

#include "axes.hpp"
#include "pairwise.hpp"

namespace corepy {

namespace {

// Operand 0 is the output (stride 0 on reduced axes), operand 1 the input.
using ReduceAxes = Axes<2>;
using ReduceAxis = Axis<2>;

// Bytes of a strip of rows.
constexpr ptrdiff_t STRIP = 8192;

bool is_index(Operation operation) { return operation == OP_argmax || operation == OP_argmin; }

struct Plan {
  Operation operation;
  kernel loop;
  Dtype input, result;
  ReduceAxes kept{2}, reduced{2};

  // Whether additions are rounded, so that their order matters for accuracy.
  bool is_rounded_sum() const {
    return (operation == OP_sum || operation == OP_mean) && result >= DTYPE_float32;
  }
};

// What elements are cast to, and combined with, when rows are reduced. `first` and `second` are
// casts (nullptr: none): count_nonzero takes two, by way of bool.
struct RowKernels {
  kernel combine, first, second;
  ptrdiff_t first_size, second_size;
};

RowKernels row_kernels(const Plan& plan) {
  Operation combine;
  switch (plan.operation) {
    case OP_prod:
      combine = OP_multiply;
      break;
    case OP_min:
      combine = OP_minimum;
      break;
    case OP_max:
      combine = OP_maximum;
      break;
    case OP_any:
      combine = OP_logical_or;
      break;
    case OP_all:
      combine = OP_logical_and;
      break;
    default:
      combine = OP_add;
  }
  RowKernels row = {entry(combine, plan.result).loop, nullptr, nullptr, 0, 0};
  if (plan.operation == OP_count_nonzero) {
    row.first = cast_kernel(plan.input, DTYPE_bool);
    row.first_size = 1;
    row.second = cast_kernel(DTYPE_bool, plan.result);
    row.second_size = dtype_itemsize[plan.result];
  } else if (plan.input != plan.result) {
    row.first = cast_kernel(plan.input, plan.result);
    row.first_size = dtype_itemsize[plan.result];
  }
  return row;
}

// out = combine(out, row) for one strip.
void combine_strip(const RowKernels& row, ptrdiff_t n, char* out, ptrdiff_t out_step, char* in,
                   ptrdiff_t in_step, char* first, char* second) {
  if (row.first) {
    char* const data[] = {first, in};
    const ptrdiff_t steps[] = {row.first_size, in_step};
    row.first(n, data, steps);
    in = first;
    in_step = row.first_size;
  }
  if (row.second) {
    char* const data[] = {second, in};
    const ptrdiff_t steps[] = {row.second_size, in_step};
    row.second(n, data, steps);
    in = second;
    in_step = row.second_size;
  }
  char* const data[] = {out, out, in};
  const ptrdiff_t steps[] = {out_step, out_step, in_step};
  row.combine(n, data, steps);
}

// The rows of a rounded sum that are added up apart before they join the output: about as many as
// there are such blocks, which makes for the fewest additions one after the other.
ptrdiff_t rows_per_block(ptrdiff_t rows) {
  ptrdiff_t block = 16;
  while (block < rows / block) block *= 2;
  return block;
}

// Adds up the rows under one strip of the output by way of sums of `block_rows`, because the error
// of a sum grows with the number of terms added one after the other.
void add_rows(const Plan& plan, const RowKernels& row, ptrdiff_t n, char* const* corner,
              const ReduceAxis& along, ptrdiff_t block_rows, char* first) {
  alignas(64) char block[STRIP];
  const ptrdiff_t itemsize = dtype_itemsize[plan.result];
  const kernel assign = cast_kernel(plan.input, plan.result);
  const auto add_block = [&] {
    char* const data[] = {corner[0], corner[0], block};
    const ptrdiff_t steps[] = {along.strides[0], along.strides[0], itemsize};
    row.combine(n, data, steps);
  };
  ptrdiff_t rows = 0;
  plan.reduced.walk(corner, [&](char* const* here) {
    if (rows == block_rows) {
      add_block();
      rows = 0;
    }
    if (rows++ == 0) {
      char* const data[] = {block, here[1]};
      const ptrdiff_t steps[] = {itemsize, along.strides[1]};
      assign(n, data, steps);
    } else {
      combine_strip(row, n, block, itemsize, here[1], along.strides[1], first, nullptr);
    }
  });
  add_block();
}

void reduce_rows(const Plan& plan, char* const* data) {
  alignas(64) char first[STRIP], second[STRIP];
  const RowKernels row = row_kernels(plan);
  ReduceAxes kept = plan.kept;
  const ReduceAxis along = kept.take_innermost();
  const ptrdiff_t strip = STRIP / std::max(dtype_itemsize[plan.input], dtype_itemsize[plan.result]);
  const ptrdiff_t rows = plan.reduced.positions(), block_rows = rows_per_block(rows);
  const bool in_blocks = plan.is_rounded_sum() && rows > block_rows;
  kept.walk(data, [&](char* const* at) {
    for (ptrdiff_t start = 0; start < along.size; start += strip) {
      const ptrdiff_t length = std::min(strip, along.size - start);
      char* const corner[] = {at[0] + start * along.strides[0], at[1] + start * along.strides[1]};
      if (in_blocks) {
        add_rows(plan, row, length, corner, along, block_rows, first);
        continue;
      }
      plan.reduced.walk(corner, [&](char* const* here) {
        combine_strip(row, length, here[0], along.strides[0], here[1], along.strides[1], first,
                      second);
      });
    }
  });
}

// The runs of one output element that make a term of its pairwise sum: enough elements to be worth
// the bookkeeping, few enough runs to be added one after the other.
ptrdiff_t runs_per_term(ptrdiff_t run_size) { return std::clamp<ptrdiff_t>(128 / run_size, 1, 16); }

template <class T>
void add_runs(const Plan& plan, char* const* data) {
  ReduceAxes reduced = plan.reduced;
  const ReduceAxis run = reduced.take_innermost();
  const ptrdiff_t limit = runs_per_term(run.size);
  plan.kept.walk(data, [&](char* const* at) {
    T& out = *reinterpret_cast<T*>(at[0]);
    const T start = out;
    PairwiseSum<T> sum;
    T term = start;
    ptrdiff_t runs = 0;
    reduced.walk(at, [&](char* const* here) {
      if (runs++ == limit) {
        sum.add(term);
        term = start;
        runs = 1;
      }
      char* const run_data[] = {reinterpret_cast<char*>(&term), here[1]};
      plan.loop(run.size, run_data, run.strides);
    });
    sum.add(term);
    out = sum.total();
  });
}

void reduce_runs(const Plan& plan, char* const* data) {
  if (plan.is_rounded_sum() && plan.reduced.ndim > 1) {
    switch (plan.result) {
      case DTYPE_float32:
        return add_runs<float>(plan, data);
      case DTYPE_float64:
        return add_runs<double>(plan, data);
      case DTYPE_complex64:
        return add_runs<Complex64>(plan, data);
      default:
        return add_runs<Complex128>(plan, data);
    }
  }
  ReduceAxes reduced = plan.reduced;
  const ReduceAxis run = reduced.take_innermost();
  plan.kept.walk(data, [&](char* const* at) {
    reduced.walk(at, [&](char* const* here) { plan.loop(run.size, here, run.strides); });
  });
}

// Turns sums into means. A complex number is two real ones.
template <class T>
void divide(const Plan& plan, char* const* data, ptrdiff_t count, int components) {
  plan.kept.walk(data, [&](char* const* at) {
    T* mean = reinterpret_cast<T*>(at[0]);
    for (int i = 0; i < components; i++) mean[i] /= T(count);
  });
}

// The start value of a reduction of something. Of real numbers it is -0 and not 0, which would turn
// a sum of nothing but -0 into 0; complex sums start from 0, as NumPy's do.
bool start_value(const Plan& plan, char* value) {
  if (plan.operation == OP_sum || plan.operation == OP_mean) {
    const float single = -0.0f;
    const double full = -0.0;
    if (plan.result == DTYPE_float32) {
      std::memcpy(value, &single, sizeof(single));
      return true;
    }
    if (plan.result == DTYPE_float64) {
      std::memcpy(value, &full, sizeof(full));
      return true;
    }
  }
  return reduce_identity(plan.operation, plan.result, value);
}

// Whether rows are the better plan. A walk in the order of memory is worth much, but not calls for
// a handful of elements each where the other plan has long ones.
bool rows_pay(const Plan& plan) {
  if (is_index(plan.operation) || plan.kept.ndim == 0) return false;
  if (plan.reduced.ndim == 0) return true;
  const ReduceAxis& kept = plan.kept.axes[plan.kept.ndim - 1];
  const ReduceAxis& reduced = plan.reduced.axes[plan.reduced.ndim - 1];
  if (magnitude(kept.strides[1]) < magnitude(reduced.strides[1])) {
    return kept.size >= 16 || reduced.size <= 4 * kept.size;
  }
  return reduced.size < 8 && kept.size > 4 * reduced.size;
}

}  // namespace

bool reduce(Operation operation, kernel loop, Dtype input, Dtype result, int ndim,
            const ptrdiff_t* shape, const char* in, const ptrdiff_t* in_strides,
            const bool* reduced_axis, char* out, const ptrdiff_t* out_strides) {
  Plan plan = {operation, loop, input, result};
  ptrdiff_t kept_shape[MAX_NDIM];
  const ptrdiff_t no_strides[MAX_NDIM] = {};
  ptrdiff_t count = 1;
  char* data[] = {out, const_cast<char*>(in)};
  for (int i = 0; i < ndim; i++) {
    kept_shape[i] = reduced_axis[i] ? 1 : shape[i];
    if (reduced_axis[i]) {
      count *= shape[i];
      plan.reduced.add({shape[i], {0, in_strides[i]}});
    } else {
      plan.kept.add({shape[i], {out_strides[i], in_strides[i]}});
    }
  }
  const ptrdiff_t itemsize = dtype_itemsize[result];
  alignas(16) char value[16];
  const bool has_start =
      count > 0 ? start_value(plan, value) : reduce_identity(operation, result, value);
  if (is_index(operation)) plan.reduced.collapse();
  const bool none_kept = is_empty(ndim, kept_shape);
  if (count == 0 && !has_start && (is_index(operation) || !none_kept)) return false;
  if (is_index(operation) && plan.reduced.ndim > 1) return false;
  if (none_kept) return true;

  if (has_start) {
    copy(itemsize, ndim, kept_shape, out, out_strides, value, no_strides);
  } else if (!is_index(operation)) {
    // The extreme of the first element and all of them, itself included.
    copy(itemsize, ndim, kept_shape, out, out_strides, in, in_strides);
  }
  if (count > 0) {
    plan.kept.sort(1);
    plan.kept.collapse();
    if (!is_index(operation)) {
      // The order of summands is free: along memory, upwards.
      for (int i = 0; i < plan.reduced.ndim; i++) {
        ReduceAxis& axis = plan.reduced.axes[i];
        if (axis.strides[1] < 0) {
          data[1] += (axis.size - 1) * axis.strides[1];
          axis.strides[1] = -axis.strides[1];
        }
      }
      plan.reduced.sort(1);
      plan.reduced.collapse();
    }
    if (rows_pay(plan)) {
      reduce_rows(plan, data);
    } else {
      reduce_runs(plan, data);
    }
  }
  if (operation == OP_mean) {
    const int components = result >= DTYPE_complex64 ? 2 : 1;
    if (result == DTYPE_float32 || result == DTYPE_complex64) {
      divide<float>(plan, data, count, components);
    } else {
      divide<double>(plan, data, count, components);
    }
  }
  return true;
}

}  // namespace corepy
