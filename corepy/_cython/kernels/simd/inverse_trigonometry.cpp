// asin, acos, atan, atan2, hypot.
#include "math/scheduling.hpp"

#include "loops.hpp"
#include "math/hypot.hpp"
#include "math/inverse_trig.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_inverse_trigonometry(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_asin, unary_loop<Asin, T, T>);
    set<T>(kernels, OP_acos, unary_loop<Acos, T, T>);
    set<T>(kernels, OP_atan, unary_loop<Atan, T, T>);
    set<T>(kernels, OP_atan2, binary_loop<Atan2, T, T>);
    set<T>(kernels, OP_hypot, binary_loop<Hypot, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
