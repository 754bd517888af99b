// pow of complex numbers.
#include "../kernels.hpp"
#include "loops.hpp"
#include "math/complex_pow.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_complex_power(Kernels& kernels) {
  for_each(Complexes{}, [&](auto zero) {
    using C = decltype(zero);
    set<C>(kernels, OP_pow, binary_loop<ComplexPow, C, C>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
