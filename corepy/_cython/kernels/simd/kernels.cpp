// The kernels of one instruction set. Each file of kernels has one function that enters its loops.
#include "../kernels.hpp"

#include <initializer_list>

namespace corepy {
inline namespace COREPY_TARGET {

#define COREPY_FILLS                                                                              \
  fill_arithmetic, fill_division, fill_rounding, fill_comparison, fill_selection, fill_bitwise,   \
      fill_logical, fill_sums, fill_moments, fill_any_all, fill_extremes, fill_scans, fill_casts, \
      fill_products, fill_thin_products, fill_factorizations, fill_moves, fill_trigonometry,      \
      fill_exponential, fill_logarithm, fill_inverse_trigonometry, fill_nextafter, fill_power,    \
      fill_hyperbolic, fill_complex_exponential, fill_complex_logarithm, fill_complex_inverse,    \
      fill_sequences, fill_masks, fill_gathers, fill_keys, fill_searches, fill_transforms,        \
      fill_divisors, fill_convolutions, fill_bits, fill_activations, fill_quantized, fill_tiles
using Fill = void(Kernels& kernels);
Fill COREPY_FILLS;

void fill(Kernels& kernels) {
#if defined(COREPY_AVX512)
  kernels.encoding = ENCODING_evex;
#elif defined(COREPY_AVX2)
  kernels.encoding = ENCODING_vex;
#endif
  for (Fill* const fill_some : {COREPY_FILLS}) fill_some(kernels);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
