// pow of floating-point numbers; that of integers is in division.cpp.
#include "math/scheduling.hpp"

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/pow.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_power(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_pow, binary_loop<Pow, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
