// Dtypes and operations of the kernels, with the properties of each from the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "halves.hpp"

namespace corepy {

enum Dtype {
#define DTYPE(name, kind, size, part, number) DTYPE_##name,
#include "../schema/dtypes.def"
  DTYPE_COUNT
};

// In promotion order.
enum Kind { KIND_boolean, KIND_signed, KIND_unsigned, KIND_floating, KIND_complex };

enum Operation {
#define OPERATION(name, work, parameters, accepts, dtype, shape) OP_##name,
#include "../schema/operations.def"
  OP_COUNT
};

enum Shape { SHAPE_unary, SHAPE_binary, SHAPE_ternary, SHAPE_reduce, SHAPE_scan };

enum Category {
#define CATEGORY(name, boolean, integer, floating, complex, words) CATEGORY_##name,
#include "../schema/categories.def"
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
  RESULT_uint8,
};

struct OperationInfo {
  const char* name;
  Shape shape;
  Category category;
  Result result;
};

extern const OperationInfo operations[OP_COUNT];

// By the codes of dtypes: bytes of an element, kind, the dtype of real and imaginary components
// (the same dtype unless it is complex), and NumPy's name.
constexpr int8_t dtype_itemsize[DTYPE_COUNT] = {
#define DTYPE(name, kind, size, part, number) size,
#include "../schema/dtypes.def"
};
constexpr int8_t dtype_kind[DTYPE_COUNT] = {
#define DTYPE(name, kind, size, part, number) KIND_##kind,
#include "../schema/dtypes.def"
};
constexpr int8_t dtype_part[DTYPE_COUNT] = {
#define DTYPE(name, kind, size, part, number) DTYPE_##part,
#include "../schema/dtypes.def"
};
constexpr const char* dtype_names[DTYPE_COUNT] = {
#define DTYPE(name, kind, size, part, number) #name,
#include "../schema/dtypes.def"
};

// The unsigned integer of a size.
template <int size>
using WordOfSize = std::conditional_t<
    size == 1, uint8_t,
    std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;

inline bool is_boolean(Dtype dtype) { return dtype_kind[dtype] == KIND_boolean; }
inline bool is_signed(Dtype dtype) { return dtype_kind[dtype] == KIND_signed; }
inline bool is_unsigned(Dtype dtype) { return dtype_kind[dtype] == KIND_unsigned; }
inline bool is_integer(Dtype dtype) { return is_signed(dtype) || is_unsigned(dtype); }
inline bool is_complex_dtype(Dtype dtype) { return dtype_kind[dtype] == KIND_complex; }
// Whether elements are floating-point numbers or pairs of them.
inline bool is_inexact(Dtype dtype) { return dtype_kind[dtype] >= KIND_floating; }

// Whether elements are computed in float32 (halves.hpp).
inline bool is_half(Dtype dtype) { return dtype == DTYPE_float16 || dtype == DTYPE_bfloat16; }

// Whether an operand of this dtype belongs to the category.
bool accepts(Category category, Dtype dtype);

// The category in words, for error messages: "bool and integer dtypes".
const char* in_words(Category category);

// The result's dtype by the rule, for operands of the (promoted) dtype.
Dtype result_dtype(Result rule, Dtype dtype);

// The dtype to which two operands promote: by the standard; where it is undefined there, by NumPy.
Dtype promoted(Dtype a, Dtype b);

}  // namespace corepy
