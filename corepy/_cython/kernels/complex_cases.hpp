// What the standard says about functions of complex numbers that are infinite or NaN.
#pragma once

#include "operations.hpp"

namespace corepy {

// Replaces `components` (real, imaginary) by f(a + bi) where the standard has a rule for it: a or b
// is infinite or NaN. For the functions in schema/special_cases.def; what others do follows from
// theirs.
void apply_complex_case(Operation operation, double a, double b, double* components);

}  // namespace corepy
