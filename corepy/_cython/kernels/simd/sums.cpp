// Reductions by addition and multiplication: sum, mean, prod.
#include <algorithm>
#include <cmath>

#include "complex.hpp"
#include "sums.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Integers, in 64 bits; unsigned, because they wrap.
template <class T>
struct IntegerSum : ReductionOf<T, uint64_t> {
  // Signed elements are extended before the sign is dropped.
  static uint64_t widen(T a) {
    return uint64_t(std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(a));
  }

  static uint64_t run(ptrdiff_t n, const T* in, About<uint64_t>) {
    uint64_t sum = 0;
    if constexpr (sizeof(T) <= 2) {
      // Twice as many lanes, in blocks that cannot overflow 32 bits.
      constexpr ptrdiff_t block = 1 << 15;
      for (ptrdiff_t start = 0; start < n; start += block) {
        const ptrdiff_t end = n - start < block ? n : start + block;
        std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t> part = 0;
        for (ptrdiff_t i = start; i < end; i++) part += in[i];
        sum += uint64_t(std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(part));
      }
    } else {
      for (ptrdiff_t i = 0; i < n; i++) sum += widen(in[i]);
    }
    return sum;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, uint64_t* acc,
                   About<uint64_t>) {
    sum_rows<T>(width, n, in, step, acc, [](T a, ptrdiff_t) { return widen(a); });
  }

  static uint64_t merge(uint64_t a, uint64_t b) { return a + b; }
};

// Real numbers, in float64.
template <class I>
struct RealSum : ReductionOf<I, double> {
  static double run(ptrdiff_t n, const I* in, About<double>) {
    if (n == 1) return double(*in);
    double sum;
    sum_run<1>(n, in, Number{}, &sum);
    return sum;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, double* acc,
                   About<double>) {
    sum_rows<I>(width, n, in, step, acc, [](auto a, ptrdiff_t) { return a; });
  }

  static double merge(double a, double b) { return a + b; }
};

// Both components are summed like real numbers: adjacent in memory, they alternate between lanes.
template <class T>
struct ComplexSum : ReductionOf<Complex<T>, Complex128> {
  static Complex128 run(ptrdiff_t n, const Complex<T>* in, About<Complex128>) {
    double sums[2];
    sum_run<2>(2 * n, reinterpret_cast<const T*>(in), Number{}, sums);
    return {sums[0], sums[1]};
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Complex128* acc,
                   About<Complex128>) {
    sum_rows<T>(2 * width, n, in, step, reinterpret_cast<double*>(acc),
                [](auto a, ptrdiff_t) { return a; });
  }

  static Complex128 merge(Complex128 a, Complex128 b) { return a + b; }
};

template <class T>
struct IntegerProduct : ReductionOf<T, uint64_t> {
  static uint64_t run(ptrdiff_t n, const T* in, About<uint64_t>) {
    uint64_t product = 1;
    for (ptrdiff_t i = 0; i < n; i++) product *= IntegerSum<T>::widen(in[i]);
    return product;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, uint64_t* acc,
                   About<uint64_t>) {
    for (ptrdiff_t i = 0; i < width; i++) acc[i] = 1;
    for (ptrdiff_t k = 0; k < n; k++) {
      const T* const row = reinterpret_cast<const T*>(in + k * step);
      COREPY_INDEPENDENT
      for (ptrdiff_t i = 0; i < width; i++) acc[i] *= IntegerSum<T>::widen(row[i]);
    }
  }

  static uint64_t merge(uint64_t a, uint64_t b) { return a * b; }
};

template <class T>
struct RealProduct : ReductionOf<T, double> {
  // In another order a product can overflow or underflow although it does not in order.
  static constexpr bool in_order = true;

  static double run(ptrdiff_t n, const T* in, About<double>) {
    // Separate from its exponent, so that no intermediate product overflows or underflows.
    double product = 1;
    int64_t exponent = 0;
    const auto multiply = [&](double factor) {
      product *= factor;
      if (!(std::fabs(product) >= LEAST && std::fabs(product) <= MOST)) {
        int taken = 0;
        product = std::frexp(product, &taken);  // zeros, infinities and NaN are unchanged
        if (std::isfinite(product)) exponent += taken;
      }
    };
    constexpr ptrdiff_t block = 64 * SUM_LANES;
    for (ptrdiff_t i = 0; i < n; i += block) {
      const ptrdiff_t length = std::min(n - i, block);
      double lanes[SUM_LANES], all;
      if (length < WORTH_LANES || !multiply_lanes(length, in + i, lanes)) {
        for (ptrdiff_t j = i; j < i + length; j++) multiply(in[j]);
      } else if (multiply_halves(lanes, &all)) {
        multiply(all);
      } else {
        for (double lane : lanes) multiply(lane);
      }
    }
    if (exponent == 0) return product;
    return std::ldexp(product, int(std::clamp<int64_t>(exponent, -100000, 100000)));
  }

  // The next factor of a product may be as far from 1 as a number of MODERATE.
  static constexpr double LEAST = 1e-140, MOST = 1e140;
  static constexpr ptrdiff_t WORTH_LANES = 8;

  // Numbers with 2^-511 <= |x| < 2^512 have two different bits on top of the exponent. These leave
  // their difference in bit 62.
  static constexpr uint64_t MODERATE = uint64_t(1) << 62;
  [[gnu::always_inline]] static inline Vec<uint64_t> moderate(Vec<double> a) {
    const Vec<uint64_t> bits = bitcast<uint64_t>(a);
    return bits ^ (bits << 1);
  }

  // The first of two factors is moderate, and so is the product if bit 62 of `usual` stays.
  [[gnu::always_inline]] static inline void multiply_moderate(Vec<double>& a, Vec<double> b,
                                                              Vec<uint64_t>& usual) {
    a = a * b;
    usual = usual & moderate(a);
  }

  // The products of every 32nd of n numbers. False if an intermediate one was so large or small
  // that the order might matter. Three factors of float32 keep a moderate number in range.
  static bool multiply_lanes(ptrdiff_t n, const T* in, double* lanes) {
    constexpr ptrdiff_t size = Vec<double>::size, together = sizeof(T) == 4 ? 3 : 1;
    SumLanes product;
    Vec<uint64_t> usual = ~uint64_t(0);
    const auto multiply_steps = [&](auto steps) {
      for_vectors([&](int j) {
        for (int k = 0; k < steps - 1; k++) {
          product.v[j] = product.v[j] * load_widened(in + k * SUM_LANES + j * size);
        }
        RealProduct::multiply_moderate(
            product.v[j], load_widened(in + (steps - 1) * SUM_LANES + j * size), usual);
      });
      in += steps * SUM_LANES;
      n -= steps * SUM_LANES;
    };
    for_vectors([&](int j) { product.v[j] = 1.0; });
    while (n >= together * SUM_LANES) multiply_steps(std::integral_constant<int, together>{});
    if constexpr (together > 1) {
      while (n >= SUM_LANES) multiply_steps(std::integral_constant<int, 1>{});
    }
    if (n > 0) {
      const ptrdiff_t left = n % size;
      Vec<double> last = 1.0;
      if (left > 0) {
        last = select(Mask<double>::first(left), load_first_widened(in + n - left, left), last);
      }
      for_vectors([&](int j) {
        if ((j + 1) * size <= n) {
          RealProduct::multiply_moderate(product.v[j], load_widened(in + j * size), usual);
        } else if (j * size < n) {
          RealProduct::multiply_moderate(product.v[j], last, usual);
        }
      });
    }
    store(product, lanes);
    return all((usual & MODERATE) != uint64_t(0));
  }

  // The product of all lanes, moderate numbers, by halves. False if an intermediate one is not
  // moderate.
  static bool multiply_halves(const double* lanes, double* product) {
    double rest[SUM_LANES / 2];
    uint64_t usual = MODERATE;
    for (int half = SUM_LANES / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        rest[i] = lanes[i] * lanes[half + i];
        uint64_t bits;
        std::memcpy(&bits, rest + i, sizeof(bits));
        usual &= bits ^ (bits << 1);
      }
      lanes = rest;
    }
    *product = *rest;
    return usual != 0;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, double* acc,
                   About<double>) {
    for (ptrdiff_t i = 0; i < width; i++) acc[i] = 1;
    for (; n >= 4; n -= 4, in += 4 * step) multiply_rows<4>(width, in, step, acc);
    for (; n > 0; n--, in += step) multiply_rows<1>(width, in, step, acc);
  }

  // In order. The last vector ends with the row, so some of its columns are in two vectors; it is
  // read before any accumulator is written.
  template <int count>
  static void multiply_rows(ptrdiff_t width, const char* in, ptrdiff_t step, double* acc) {
    constexpr ptrdiff_t size = Vec<double>::size;
    const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
    if (width < size) {
      for (ptrdiff_t i = 0; i < width; i++) {
        for (int k = 0; k < count; k++) acc[i] *= row(k)[i];
      }
      return;
    }
    const auto multiplied = [=](ptrdiff_t i) {
      Vec<double> product = Vec<double>::load(acc + i);
      for (int k = 0; k < count; k++) product = product * load_widened(row(k) + i);
      return product;
    };
    const Vec<double> last = multiplied(width - size);
    for (ptrdiff_t i = 0; i < width - size; i += size) multiplied(i).store(acc + i);
    last.store(acc + width - size);
  }

  static double merge(double a, double b) { return a * b; }
};

template <class T>
struct ComplexProduct : ReductionOf<Complex<T>, Complex128> {
  static constexpr bool in_order = true;

  static Complex128 run(ptrdiff_t n, const Complex<T>* in, About<Complex128>) {
    Complex128 product = {in[0].real, in[0].imag};
    for (ptrdiff_t i = 1; i < n; i++) product = merge(product, {in[i].real, in[i].imag});
    return product;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Complex128* acc,
                   About<Complex128>) {
    for (ptrdiff_t k = 0; k < n; k++) {
      const auto* const row = reinterpret_cast<const Complex<T>*>(in + k * step);
      for (ptrdiff_t i = 0; i < width; i++) {
        const Complex128 factor = {row[i].real, row[i].imag};
        acc[i] = k == 0 ? factor : merge(acc[i], factor);
      }
    }
  }

  static Complex128 merge(Complex128 a, Complex128 b) { return textbook_product(a, b); }
};

// ---- results from accumulators

struct Signedly {
  template <class Out>
  static Out call(uint64_t sum, double count) {
    return Out(int64_t(sum)) / Out(count);
  }
};

struct Divided {
  template <class Out, class Acc>
  static Out call(Acc sum, double count) {
    if constexpr (is_complex<Out>) {
      using T = decltype(Out::real);
      // + 0: complex results start from 0 and not from -0, as NumPy's do.
      return {quotient<T>(sum.real + 0.0, count), quotient<T>(sum.imag + 0.0, count)};
    } else {
      return quotient<Out>(double(sum), count);
    }
  }

 private:
  // If the sum is beyond the range of the dtype the mean is infinite: float32 overflows as in
  // NumPy, although float64 can represent the sum.
  template <class T>
  static T quotient(double sum, double count) {
    const T total = T(sum), result = T(sum / count);
    return total - total == 0 ? result : total;
  }
};

struct Narrowed {
  template <class Out>
  static Out call(Complex128 product, double) {
    using T = decltype(Out::real);
    return {T(product.real), T(product.imag)};
  }
};

struct Totalled {
  template <class Out>
  static Out call(Complex128 sum, double) {
    return Divided::call<Out>(sum, 1);
  }
};

template <class T>
void fill_integer_sums(Kernels& kernels) {
  using Mean = std::conditional_t<std::is_signed_v<T>, Signedly, Divided>;
  const Reduction long_mean = reduction<RealSum<double>, Divided, double, T>();
  const Reduction mean = sizeof(T) == 8 ? long_mean : reduction<IntegerSum<T>, Mean, double>();
  set<T>(kernels, OP_sum, reduction<IntegerSum<T>>());
  set<T>(kernels, OP_prod, reduction<IntegerProduct<T>>());
  set<T>(kernels, OP_mean, mean);
  kernels.centers[dtype_of<T>] = long_mean;
}

}  // namespace

void fill_sums(Kernels& kernels) {
  for_each(Integers{}, [&](auto zero) { fill_integer_sums<decltype(zero)>(kernels); });
  // Bools count as 0 and 1 for any nonzero byte.
  using Sum = IntegerSum<uint8_t>;
  set<Bool>(kernels, OP_sum, reduction<Sum, AsItIs, uint64_t, Bool>());
  set<Bool>(kernels, OP_prod, reduction<IntegerProduct<uint8_t>, AsItIs, uint64_t, Bool>());
  set<Bool>(kernels, OP_mean, reduction<Sum, Divided, double, Bool>());
  kernels.centers[DTYPE_bool] = reduction<RealSum<double>, Divided, double, Bool>();
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    using C = Complex<T>;
    set<T>(kernels, OP_sum, reduction<RealSum<T>, AsItIs, T>());
    set<T>(kernels, OP_mean, reduction<RealSum<T>, Divided, T>());
    set<T>(kernels, OP_prod, reduction<RealProduct<T>, AsItIs, T>());
    set<C>(kernels, OP_sum, reduction<ComplexSum<T>, Totalled, C>());
    set<C>(kernels, OP_mean, reduction<ComplexSum<T>, Divided, C>());
    set<C>(kernels, OP_prod, reduction<ComplexProduct<T>, Narrowed, C>());
    kernels.centers[dtype_of<T>] = reduction<RealSum<T>, Divided, double>();
    kernels.centers[dtype_of<C>] = reduction<ComplexSum<T>, Divided, Complex128>();
  });
#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
  for_each(Halves{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_sum, reduction<RealSum<T>, AsItIs, float>());
    set<T>(kernels, OP_mean, reduction<RealSum<T>, Divided, float>());
  });
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
