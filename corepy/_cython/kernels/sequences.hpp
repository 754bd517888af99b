// Writing arithmetic progressions.
#pragma once

#include "../layout/progression.hpp"
#include "table.hpp"

namespace corepy {

// Writes elements [begin, end); `out` is the address of element `begin`. No element depends on how
// the work is cut.
using progression = void (*)(ptrdiff_t begin, ptrdiff_t end, const Progression& terms, char* out);

enum class Precision {
  dtype,  // that of the dtype
  wide,   // float64, rounded at the end
};

// Writes n contiguous elements, in threads if that pays. Returns false, having written nothing, for
// dtypes without a progression: bool, complex numbers in their own precision, integers in a wider
// one.
bool write_progression(Dtype dtype, Precision precision, const Progression& terms, ptrdiff_t n,
                       char* out);

}  // namespace corepy
