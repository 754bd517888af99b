// asin, acos, atan, asinh, acosh and atanh of complex numbers.
#include "../kernels.hpp"
#include "loops.hpp"
#include "math/complex_arc.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_inverse(Kernels& kernels) {
  for_each(Complexes{}, [&](auto zero) {
    using C = decltype(zero);
    set<C>(kernels, OP_acos, unary_loop<OfComplex<ComplexAcos>, C, C>);
    set<C>(kernels, OP_acosh, unary_loop<OfComplex<ComplexAcos, FromAcos>, C, C>);
    set<C>(kernels, OP_asinh, unary_loop<OfComplex<ComplexAsinh>, C, C>);
    set<C>(kernels, OP_asin, unary_loop<OfComplex<ComplexAsinh, Swapped>, C, C>);
    set<C>(kernels, OP_atanh, unary_loop<OfComplex<ComplexAtanh>, C, C>);
    set<C>(kernels, OP_atan, unary_loop<OfComplex<ComplexAtanh, Swapped>, C, C>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
