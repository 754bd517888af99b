// var and std: the mean of the squared deviations from the mean, which is computed before.
#include <cmath>

#include "sums.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

template <class I>
struct Deviations : ReductionOf<I, double> {
  static double run(ptrdiff_t n, const I* in, About<double> about) {
    if (n == 1) {
      const double d = double(*in) - *about.centers;
      return d * d;
    }
    double sum;
    sum_run<1>(n, in, SquaredDeviation(*about.centers), &sum);
    return sum;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, double* acc,
                   About<double> about) {
    sum_rows<I>(width, n, in, step, acc, SquaredDeviations{about.centers});
  }

  static double merge(double a, double b) { return a + b; }
};

// |a - center|^2 is the sum of the squares of both components, which are summed separately.
template <class T>
struct ComplexDeviations : ReductionOf<Complex<T>, Complex128> {
  static Complex128 run(ptrdiff_t n, const Complex<T>* in, About<Complex128> about) {
    double sums[2];
    sum_run<2>(2 * n, reinterpret_cast<const T*>(in), SquaredDeviation(*about.centers), sums);
    return {sums[0], sums[1]};
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Complex128* acc,
                   About<Complex128> about) {
    const auto* const centers = reinterpret_cast<const double*>(about.centers);
    sum_rows<T>(2 * width, n, in, step, reinterpret_cast<double*>(acc), SquaredDeviations{centers});
  }

  static Complex128 merge(Complex128 a, Complex128 b) { return a + b; }
};

struct Variance {
  static double of(double sum, double divisor) { return sum / divisor; }
  static double of(Complex128 sum, double divisor) { return (sum.real + sum.imag) / divisor; }
  template <class Out, class Acc>
  static Out call(Acc sum, double divisor) {
    return Out(of(sum, divisor));
  }
};

struct StandardDeviation {
  template <class Out, class Acc>
  static Out call(Acc sum, double divisor) {
    return Out(std::sqrt(Variance::of(sum, divisor)));
  }
};

template <class T, class R, class Out>
void fill_moments_of(Kernels& kernels) {
  set<T>(kernels, OP_var, reduction<R, Variance, Out, T>());
  set<T>(kernels, OP_std, reduction<R, StandardDeviation, Out, T>());
}

}  // namespace

void fill_moments(Kernels& kernels) {
  const auto fill_integer = [&](auto zero) {
    using T = decltype(zero);
    fill_moments_of<T, Deviations<double>, double>(kernels);
  };
  fill_integer(Bool{});
  for_each(Integers{}, fill_integer);
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_moments_of<T, Deviations<T>, T>(kernels);
    fill_moments_of<Complex<T>, ComplexDeviations<T>, T>(kernels);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
