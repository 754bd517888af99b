// sqrt, log, log1p, log2, log10 and pow of complex numbers.
#include "complex_loops.hpp"
#include "math/complex_pow.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_logarithm(Kernels& kernels) {
  set_complex<compute<ComplexSqrt>>(kernels, OP_sqrt);
  set_complex<compute<ComplexLog>>(kernels, OP_log);
  set_complex<compute<ComplexLog1p>>(kernels, OP_log1p);
  set_complex<compute<ComplexLog2>>(kernels, OP_log2);
  set_complex<compute<ComplexLog10>>(kernels, OP_log10);
  set_complex<ComplexPow::compute, 2>(kernels, OP_pow);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
