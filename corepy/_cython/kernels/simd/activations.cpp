// Activations of neural networks.
#include "math/scheduling.hpp"

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/activations.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_activations(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_sigmoid, unary_loop<Sigmoid, T, T>);
    set<T>(kernels, OP_silu, unary_loop<Silu, T, T>);
    set<T>(kernels, OP_gelu, unary_loop<Gelu, T, T>);
    set<T>(kernels, OP_gelu_tanh, unary_loop<GeluTanh, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
