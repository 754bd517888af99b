// asin, acos, atan, asinh, acosh and atanh of complex numbers.
#include "complex_loops.hpp"
#include "math/complex_arc.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_inverse(Kernels& kernels) {
  set_complex<compute<ComplexAcos>>(kernels, OP_acos);
  set_complex<compute_acosh>(kernels, OP_acosh);
  set_complex<compute<ComplexAsinh>>(kernels, OP_asinh);
  set_complex<compute_swapped<ComplexAsinh>>(kernels, OP_asin);
  set_complex<compute<ComplexAtanh>>(kernels, OP_atanh);
  set_complex<compute_swapped<ComplexAtanh>>(kernels, OP_atan);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
