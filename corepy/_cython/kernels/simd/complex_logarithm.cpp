// sqrt, log, log1p, log2 and log10 of complex numbers.
#include "../kernels.hpp"
#include "loops.hpp"
#include "math/complex_log.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_logarithm(Kernels& kernels) {
  for_each(Complexes{}, [&](auto zero) {
    using C = decltype(zero);
    set<C>(kernels, OP_sqrt, unary_loop<OfComplex<ComplexSqrt>, C, C>);
    set<C>(kernels, OP_log, unary_loop<OfComplex<ComplexLog>, C, C>);
    set<C>(kernels, OP_log1p, unary_loop<OfComplex<ComplexLog1p>, C, C>);
    set<C>(kernels, OP_log2, unary_loop<OfComplex<ComplexLog2>, C, C>);
    set<C>(kernels, OP_log10, unary_loop<OfComplex<ComplexLog10>, C, C>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
