#include "operations.hpp"

#include <algorithm>

namespace corepy {

namespace {

// By categories: the kinds of dtypes, a bit for each, and words.
struct CategoryInfo {
  int kinds;
  const char* words;
};
constexpr CategoryInfo categories[] = {
#define CATEGORY(name, boolean, integer, floating, complex, words)               \
  {boolean << KIND_boolean | integer << KIND_signed | integer << KIND_unsigned | \
       floating << KIND_floating | complex << KIND_complex,                      \
   words},
#include "../schema/categories.def"
};

}  // namespace

const char* in_words(Category category) { return categories[category].words; }

bool accepts(Category category, Dtype dtype) {
  return categories[category].kinds >> dtype_kind[dtype] & 1;
}

const OperationInfo operations[OP_COUNT] = {
#define OPERATION(name, work, parameters, accepts, dtype, shape) \
  {#name, SHAPE_##work, CATEGORY_##accepts, RESULT_##dtype},
#include "../schema/operations.def"
};

namespace {

// The smallest dtype of a kind whose components have at least so many bytes; DTYPE_COUNT: none.
Dtype smallest(Kind kind, int size) {
  int found = DTYPE_COUNT;
  for (int code = 0; code < DTYPE_COUNT; code++) {
    if (dtype_kind[code] == kind && dtype_itemsize[dtype_part[code]] >= size &&
        (found == DTYPE_COUNT || dtype_itemsize[code] < dtype_itemsize[found])) {
      found = code;
    }
  }
  return Dtype(found);
}

// Bytes of the floating-point numbers that hold all values of a dtype, or come closest to that.
int floating_size(Dtype dtype) {
  const int size = dtype_itemsize[dtype_part[dtype]];
  return is_inexact(dtype) ? size : std::min(2 * size, 8);
}

}  // namespace

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
    case RESULT_uint8:
      return DTYPE_uint8;
  }
  return dtype;
}

Dtype promoted(Dtype a, Dtype b) {
  if (dtype_kind[a] > dtype_kind[b]) return promoted(b, a);
  const int size_a = dtype_itemsize[a], size_b = dtype_itemsize[b];
  if (is_boolean(a)) return b;
  if (dtype_kind[a] == dtype_kind[b]) {
    if (is_half(a) && is_half(b) && a != b) return DTYPE_float32;
    return size_a > size_b ? a : b;
  }
  if (b == DTYPE_bfloat16) return b;  // as in PyTorch and JAX
  if (is_integer(b)) {  // with one that has a sign: twice the size of the one that has none
    const Dtype both = smallest(KIND_signed, size_a > size_b ? size_a : 2 * size_b);
    return both == DTYPE_COUNT ? DTYPE_float64 : both;
  }
  return smallest(Kind(dtype_kind[b]), std::max(floating_size(a), floating_size(b)));
}

}  // namespace corepy
