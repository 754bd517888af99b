// The kernels of one instruction set. Each file of kernels has one function that enters its loops.
#include "../kernels.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

using Fill = void(Kernels& kernels);
Fill fill_arithmetic, fill_division, fill_rounding, fill_comparison, fill_selection, fill_bitwise,
    fill_logical, fill_sums, fill_moments, fill_any_all, fill_extremes, fill_scans, fill_casts,
    fill_products, fill_thin_products, fill_factorizations, fill_moves, fill_trigonometry,
    fill_exponential, fill_logarithm, fill_inverse_trigonometry, fill_nextafter, fill_power,
    fill_hyperbolic, fill_complex_exponential, fill_complex_logarithm, fill_complex_inverse,
    fill_sequences, fill_masks, fill_gathers, fill_keys, fill_searches, fill_transforms,
    fill_divisors, fill_convolutions, fill_bits, fill_activations, fill_quantized;

void fill(Kernels& kernels) {
#if defined(COREPY_AVX512)
  kernels.encoding = ENCODING_evex;
#elif defined(COREPY_AVX2)
  kernels.encoding = ENCODING_vex;
#endif
  fill_arithmetic(kernels);
  fill_division(kernels);
  fill_rounding(kernels);
  fill_comparison(kernels);
  fill_selection(kernels);
  fill_bitwise(kernels);
  fill_logical(kernels);
  fill_sums(kernels);
  fill_moments(kernels);
  fill_any_all(kernels);
  fill_extremes(kernels);
  fill_scans(kernels);
  fill_casts(kernels);
  fill_products(kernels);
  fill_thin_products(kernels);
  fill_factorizations(kernels);
  fill_moves(kernels);
  fill_trigonometry(kernels);
  fill_exponential(kernels);
  fill_logarithm(kernels);
  fill_inverse_trigonometry(kernels);
  fill_nextafter(kernels);
  fill_power(kernels);
  fill_hyperbolic(kernels);
  fill_complex_exponential(kernels);
  fill_complex_logarithm(kernels);
  fill_complex_inverse(kernels);
  fill_sequences(kernels);
  fill_masks(kernels);
  fill_gathers(kernels);
  fill_keys(kernels);
  fill_searches(kernels);
  fill_transforms(kernels);
  fill_divisors(kernels);
  fill_convolutions(kernels);
  fill_bits(kernels);
  fill_activations(kernels);
  fill_quantized(kernels);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
