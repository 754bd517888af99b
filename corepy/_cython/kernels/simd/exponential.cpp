// exp and expm1.
#include "math/scheduling.hpp"

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/exp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_exponential(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_exp, unary_loop<Exp, T, T>);
    set<T>(kernels, OP_expm1, unary_loop<Expm1, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
