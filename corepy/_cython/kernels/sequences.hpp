// Writing arithmetic progressions.
#pragma once

#include "../layout/progression.hpp"
#include "table.hpp"

namespace corepy {

// Writes elements [begin, end); `out` is the address of element `begin`. Elements do not depend on
// the division into ranges.
using progression = void (*)(ptrdiff_t begin, ptrdiff_t end, const Progression& terms, char* out);

enum class Precision {
  dtype,  // of the dtype
  wide,   // float64, rounded at the end
};

// Writes n contiguous elements, in threads if that is faster. Returns false without writing for
// dtypes that have no progression: bool, complex numbers in the dtype's precision, integers in a
// wider one.
bool write_progression(Dtype dtype, Precision precision, const Progression& terms, ptrdiff_t n,
                       char* out);

}  // namespace corepy
