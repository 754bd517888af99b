#include "operations.hpp"

#include <algorithm>

namespace corepy {

const char* in_words(Category category) {
  switch (category) {
    case CATEGORY_all:
      return "all dtypes";
    case CATEGORY_numeric:
      return "numeric dtypes";
    case CATEGORY_bool_or_real:
      return "bool and real-valued dtypes";
    case CATEGORY_real:
      return "real-valued dtypes";
    case CATEGORY_bool_or_integer:
      return "bool and integer dtypes";
    case CATEGORY_integer:
      return "integer dtypes";
    case CATEGORY_real_floating:
      return "real floating-point dtypes";
  }
  return "";
}

const OperationInfo operations[OP_COUNT] = {
#define OPERATION(name, work, parameters, accepts, dtype, shape) \
  {#name, SHAPE_##work, CATEGORY_##accepts, RESULT_##dtype},
#include "../schema/operations.def"
};

namespace {

// The smallest dtype of a kind whose components have at least so many bytes; DTYPE_COUNT: none.
Dtype smallest(Kind kind, int size) {
  for (int code = 0; code < DTYPE_COUNT; code++) {
    if (dtype_kind[code] == kind && dtype_itemsize[dtype_part[code]] >= size) return Dtype(code);
  }
  return DTYPE_COUNT;
}

// Bytes of the floating-point numbers that hold all values of a dtype, or come closest to that.
int floating_size(Dtype dtype) {
  const int size = dtype_itemsize[dtype_part[dtype]];
  return is_inexact(dtype) ? size : size <= 2 ? 4 : 8;
}

}  // namespace

bool accepts(Category category, Dtype dtype) {
  switch (category) {
    case CATEGORY_all:
      return true;
    case CATEGORY_numeric:
      return !is_boolean(dtype);
    case CATEGORY_bool_or_real:
      return !is_complex_dtype(dtype);
    case CATEGORY_real:
      return !is_boolean(dtype) && !is_complex_dtype(dtype);
    case CATEGORY_bool_or_integer:
      return !is_inexact(dtype);
    case CATEGORY_integer:
      return is_integer(dtype);
    case CATEGORY_real_floating:
      return dtype_kind[dtype] == KIND_floating;
  }
  return false;
}

Dtype result_dtype(Result rule, Dtype dtype) {
  switch (rule) {
    case RESULT_same:
      return dtype;
    case RESULT_arithmetic:
      return is_boolean(dtype) ? DTYPE_int8 : dtype;
    case RESULT_boolean:
      return DTYPE_bool;
    case RESULT_real_of_complex:
      return Dtype(dtype_part[dtype]);
    case RESULT_floating:
      return is_inexact(dtype) ? dtype : DTYPE_float64;
    case RESULT_real_floating:
      return result_dtype(RESULT_real_of_complex, result_dtype(RESULT_floating, dtype));
    case RESULT_accumulate:
      return is_inexact(dtype) ? dtype : is_unsigned(dtype) ? DTYPE_uint64 : DTYPE_int64;
    case RESULT_index:
      return DTYPE_int64;
  }
  return dtype;
}

Dtype promoted(Dtype a, Dtype b) {
  if (dtype_kind[a] > dtype_kind[b]) return promoted(b, a);
  const int size_a = dtype_itemsize[a], size_b = dtype_itemsize[b];
  if (is_boolean(a)) return b;
  if (dtype_kind[a] == dtype_kind[b]) return size_a > size_b ? a : b;
  if (is_integer(b)) {  // with one that has a sign: twice the size of the one that has none
    const Dtype both = smallest(KIND_signed, size_a > size_b ? size_a : 2 * size_b);
    return both == DTYPE_COUNT ? DTYPE_float64 : both;
  }
  return smallest(Kind(dtype_kind[b]), std::max(floating_size(a), floating_size(b)));
}

}  // namespace corepy
