// sin, cos, tan.
#include "math/scheduling.hpp"

#include "loops.hpp"
#include "math/trig.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_trigonometry(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_sin, unary_loop<Sin, T, T>);
    set<T>(kernels, OP_cos, unary_loop<Cos, T, T>);
    set<T>(kernels, OP_tan, unary_loop<Tan, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
