// What the standard says about functions of complex numbers that are infinite or NaN.
#pragma once

#include "operations.hpp"

namespace corepy {

// Replaces `components` (real, imaginary) by f(a + bi) where the standard has a rule for it: a or b
// is infinite or NaN. For acos, asinh, atanh, cosh, exp, expm1, log, log1p, log2, log10, sinh, sqrt
// and tanh; what other functions do follows from theirs.
void apply_complex_case(Operation operation, double a, double b, double* components);

}  // namespace corepy
