// What the kernels can be asked for: dtypes, operations, and the facts about each operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// The order is part of the interface: it is the dtype code that tensors carry, and a kind's dtypes
// are neighbours, so that "is it complex" is one comparison.
enum Dtype {
  DTYPE_bool,
  DTYPE_int8,
  DTYPE_int16,
  DTYPE_int32,
  DTYPE_int64,
  DTYPE_uint8,
  DTYPE_uint16,
  DTYPE_uint32,
  DTYPE_uint64,
  DTYPE_float32,
  DTYPE_float64,
  DTYPE_complex64,
  DTYPE_complex128,
  DTYPE_COUNT
};

enum Operation {
#define OPERATION(name, shape, category, result) OP_##name,
#include "operations.def"
#undef OPERATION
  OP_COUNT
};

enum Shape { SHAPE_unary, SHAPE_binary, SHAPE_ternary, SHAPE_reduce, SHAPE_scan };

enum Category {
  CATEGORY_all,
  CATEGORY_numeric,       // all but bool
  CATEGORY_bool_or_real,  // all but complex
  CATEGORY_real,          // integer and real floating
  CATEGORY_bool_or_integer,
  CATEGORY_integer,
};

enum Result {
  RESULT_same,
  RESULT_arithmetic,  // same, but bool becomes int8
  RESULT_boolean,
  RESULT_real_of_complex,  // same, but complex becomes its component's dtype
  RESULT_floating,         // bool and integers become float64, others stay
  RESULT_real_floating,    // floating, then real_of_complex
  RESULT_accumulate,       // bool and signed integers become int64, unsigned uint64, others stay
  RESULT_index,            // int64
};

struct OperationInfo {
  const char* name;
  Shape shape;
  Category category;
  Result result;
  const char* allowed;  // the category in words, for error messages: "bool and integer dtypes"
};

extern const OperationInfo operations[OP_COUNT];

// Bytes per element.
extern const int8_t dtype_itemsize[DTYPE_COUNT];

// Whether an operand of this dtype belongs to the category.
bool accepts(Category category, Dtype dtype);

// The dtype that the rule makes of the (promoted) dtype of the operands.
Dtype result_dtype(Result rule, Dtype dtype);

}  // namespace corepy
