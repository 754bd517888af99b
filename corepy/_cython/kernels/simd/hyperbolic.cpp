// sinh, cosh, tanh, asinh, acosh and atanh.
#include "math/scheduling.hpp"

#include "math/hyperbolic.hpp"

#include "../kernels.hpp"
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_hyperbolic(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_sinh, unary_loop<Sinh, T, T>);
    set<T>(kernels, OP_cosh, unary_loop<Cosh, T, T>);
    set<T>(kernels, OP_tanh, unary_loop<Tanh, T, T>);
    set<T>(kernels, OP_asinh, unary_loop<Asinh, T, T>);
    set<T>(kernels, OP_acosh, unary_loop<Acosh, T, T>);
    set<T>(kernels, OP_atanh, unary_loop<Atanh, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
