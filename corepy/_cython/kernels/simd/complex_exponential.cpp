// exp, expm1, sinh, cosh, tanh, sin, cos and tan of complex numbers.
#include "../kernels.hpp"
#include "loops.hpp"
#include "math/complex_exp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_exponential(Kernels& kernels) {
  for_each(Complexes{}, [&](auto zero) {
    using C = decltype(zero);
    set<C>(kernels, OP_exp, unary_loop<OfComplex<ComplexExp>, C, C>);
    set<C>(kernels, OP_expm1, unary_loop<OfComplex<ComplexExpm1>, C, C>);
    set<C>(kernels, OP_sinh, unary_loop<OfComplex<ComplexSinh>, C, C>);
    set<C>(kernels, OP_sin, unary_loop<OfComplex<ComplexSinh, Swapped>, C, C>);
    set<C>(kernels, OP_cosh, unary_loop<OfComplex<ComplexCosh>, C, C>);
    set<C>(kernels, OP_cos, unary_loop<OfComplex<ComplexCosh, Turned>, C, C>);
    set<C>(kernels, OP_tanh, unary_loop<OfComplex<ComplexTanh>, C, C>);
    set<C>(kernels, OP_tan, unary_loop<OfComplex<ComplexTanh, Swapped>, C, C>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
