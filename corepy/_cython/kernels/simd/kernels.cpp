// The kernels of one instruction set. Each file of kernels has one function that enters its loops.
#include "../kernels.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

void fill_arithmetic(Kernels& kernels);
void fill_division(Kernels& kernels);
void fill_rounding(Kernels& kernels);
void fill_comparison(Kernels& kernels);
void fill_selection(Kernels& kernels);
void fill_bitwise(Kernels& kernels);
void fill_logical(Kernels& kernels);
void fill_sums(Kernels& kernels);
void fill_moments(Kernels& kernels);
void fill_any_all(Kernels& kernels);
void fill_extremes(Kernels& kernels);
void fill_scans(Kernels& kernels);
void fill_casts(Kernels& kernels);
void fill_products(Kernels& kernels);
void fill_thin_products(Kernels& kernels);
void fill_factorizations(Kernels& kernels);
void fill_moves(Kernels& kernels);
void fill_trigonometry(Kernels& kernels);
void fill_exponential(Kernels& kernels);
void fill_logarithm(Kernels& kernels);
void fill_inverse_trigonometry(Kernels& kernels);
void fill_nextafter(Kernels& kernels);
void fill_power(Kernels& kernels);
void fill_hyperbolic(Kernels& kernels);
void fill_complex_exponential(Kernels& kernels);
void fill_complex_logarithm(Kernels& kernels);
void fill_complex_inverse(Kernels& kernels);
void fill_sequences(Kernels& kernels);
void fill_masks(Kernels& kernels);
void fill_gathers(Kernels& kernels);
void fill_keys(Kernels& kernels);
void fill_searches(Kernels& kernels);
void fill_transforms(Kernels& kernels);
void fill_divisors(Kernels& kernels);
void fill_convolutions(Kernels& kernels);
void fill_bits(Kernels& kernels);

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
}

}  // namespace COREPY_TARGET
}  // namespace corepy
