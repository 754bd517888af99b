#include "operations.hpp"

namespace corepy {

namespace {

constexpr const char* in_words(Category category) {
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
  }
  return "";
}

}  // namespace

const OperationInfo operations[OP_COUNT] = {
#define OPERATION(name, shape, category, result) \
  {#name, SHAPE_##shape, CATEGORY_##category, RESULT_##result, in_words(CATEGORY_##category)},
#include "operations.def"
#undef OPERATION
};

const int8_t dtype_itemsize[DTYPE_COUNT] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};

bool accepts(Category category, Dtype dtype) {
  switch (category) {
    case CATEGORY_all:
      return true;
    case CATEGORY_numeric:
      return dtype != DTYPE_bool;
    case CATEGORY_bool_or_real:
      return dtype < DTYPE_complex64;
    case CATEGORY_real:
      return dtype != DTYPE_bool && dtype < DTYPE_complex64;
    case CATEGORY_bool_or_integer:
      return dtype < DTYPE_float32;
    case CATEGORY_integer:
      return dtype != DTYPE_bool && dtype < DTYPE_float32;
  }
  return false;
}

Dtype result_dtype(Result rule, Dtype dtype) {
  switch (rule) {
    case RESULT_same:
      return dtype;
    case RESULT_arithmetic:
      return dtype == DTYPE_bool ? DTYPE_int8 : dtype;
    case RESULT_boolean:
      return DTYPE_bool;
    case RESULT_real_of_complex:
      return dtype == DTYPE_complex64    ? DTYPE_float32
             : dtype == DTYPE_complex128 ? DTYPE_float64
                                         : dtype;
    case RESULT_floating:
      return dtype < DTYPE_float32 ? DTYPE_float64 : dtype;
    case RESULT_real_floating:
      return result_dtype(RESULT_real_of_complex, result_dtype(RESULT_floating, dtype));
    case RESULT_accumulate:
      return dtype < DTYPE_uint8 ? DTYPE_int64 : dtype < DTYPE_float32 ? DTYPE_uint64 : dtype;
    case RESULT_index:
      return DTYPE_int64;
  }
  return dtype;
}

}  // namespace corepy
