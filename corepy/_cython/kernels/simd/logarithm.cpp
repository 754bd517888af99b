// log, log1p, log2, log10 and logaddexp.
#include "math/scheduling.hpp"

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/log.hpp"
#include "math/logaddexp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_logarithm(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_log, unary_loop<Log, T, T>);
    set<T>(kernels, OP_log1p, unary_loop<Log1p, T, T>);
    set<T>(kernels, OP_log2, unary_loop<Log2, T, T>);
    set<T>(kernels, OP_logaddexp, binary_loop<Logaddexp, T, T>);
    set<T>(kernels, OP_log10, unary_loop<Log10, T, T>);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
