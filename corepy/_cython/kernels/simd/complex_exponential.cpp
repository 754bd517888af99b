// exp, expm1, sinh, cosh, tanh, sin, cos and tan of complex numbers.
#include "complex_loops.hpp"
#include "math/complex_exp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_exponential(Kernels& kernels) {
  set_complex<compute<ComplexExp>>(kernels, OP_exp);
  set_complex<compute<ComplexExpm1>>(kernels, OP_expm1);
  set_complex<compute<ComplexSinh>>(kernels, OP_sinh);
  set_complex<compute_swapped<ComplexSinh>>(kernels, OP_sin);
  set_complex<compute<ComplexCosh>>(kernels, OP_cosh);
  set_complex<compute_cos>(kernels, OP_cos);
  set_complex<compute<ComplexTanh>>(kernels, OP_tanh);
  set_complex<compute_swapped<ComplexTanh>>(kernels, OP_tan);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
