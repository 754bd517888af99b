// Reductions that add up or multiply: sum, mean, prod.
#include <algorithm>
#include <cmath>

#include "lanes.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Integers, in 64 bits; they wrap, and so are unsigned.
template <class T>
struct IntegerSum : ReductionOf<T, T, uint64_t> {
  static T read(T a) { return a; }

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
template <class S, class I>
struct RealSum : ReductionOf<S, I, double> {
  static I read(S a) { return I(a); }

  static double run(ptrdiff_t n, const I* in, About<double>) {
    if (n == 1) return double(*in);
    double sum;
    sum_run<1>(n, in, Number{}, &sum);
    return sum;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, double* acc,
                   About<double>) {
    sum_rows<I>(width, n, in, step, acc, [](I a, ptrdiff_t) { return double(a); });
  }

  static double merge(double a, double b) { return a + b; }
};

// Both components are summed like real numbers: neighbours in memory, they take lanes by turns.
template <class T>
struct ComplexSum : ReductionOf<Complex<T>, Complex<T>, Complex128> {
  static Complex<T> read(Complex<T> a) { return a; }

  static Complex128 run(ptrdiff_t n, const Complex<T>* in, About<Complex128>) {
    double sums[2];
    sum_run<2>(2 * n, reinterpret_cast<const T*>(in), Number{}, sums);
    return {sums[0], sums[1]};
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Complex128* acc,
                   About<Complex128>) {
    sum_rows<T>(2 * width, n, in, step, reinterpret_cast<double*>(acc),
                [](T a, ptrdiff_t) { return double(a); });
  }

  static Complex128 merge(Complex128 a, Complex128 b) { return plus(a, b); }
};

template <class T>
struct IntegerProduct : ReductionOf<T, T, uint64_t> {
  static T read(T a) { return a; }

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
struct RealProduct : ReductionOf<T, T, double> {
  // Out of order, a product can leave the range of numbers where in order it does not.
  static constexpr bool in_order = true;

  static T read(T a) { return a; }

  static double run(ptrdiff_t n, const T* in, About<double>) {
    // Apart from its exponent, so that it leaves the range of numbers in the end or not at all.
    double product = 1;
    int64_t exponent = 0;
    const auto multiply = [&](double factor) {
      product *= factor;
      if (!(std::fabs(product) >= LEAST && std::fabs(product) <= MOST)) {
        int taken = 0;
        product = std::frexp(product, &taken);  // zeros, infinities and NaN stay what they are
        if (std::isfinite(product)) exponent += taken;
      }
    };
    constexpr ptrdiff_t block = 64 * LANES;
    ptrdiff_t i = 0;
    for (; n - i >= 4 * LANES;) {
      const ptrdiff_t length = n - i < block ? (n - i) / LANES * LANES : block;
      double lanes[LANES];
      if (multiply_lanes(length, in + i, lanes)) {
        for (double lane : lanes) multiply(lane);
      } else {
        for (ptrdiff_t j = i; j < i + length; j++) multiply(in[j]);
      }
      i += length;
    }
    for (; i < n; i++) multiply(in[i]);
    if (exponent == 0) return product;
    return std::ldexp(product, int(std::clamp<int64_t>(exponent, -100000, 100000)));
  }

  // Products closer to 1 than these can be multiplied.
  static constexpr double LEAST = 1e-140, MOST = 1e140;

  // Whole steps of all lanes. False where a product on the way got so large or small that the order
  // might matter.
  static bool multiply_lanes(ptrdiff_t n, const T* in, double* lanes) {
    Lanes product = load_lanes(in), smallest, largest;
    for (int j = 0; j < LANE_VECTORS; j++) smallest.v[j] = largest.v[j] = abs(product.v[j]);
    for (ptrdiff_t i = LANES; i < n; i += LANES) {
      const Lanes more = load_lanes(in + i);
      for (int j = 0; j < LANE_VECTORS; j++) {
        product.v[j] = product.v[j] * more.v[j];
        smallest.v[j] = min_of_numbers(smallest.v[j], abs(product.v[j]));
        largest.v[j] = max_of_numbers(largest.v[j], abs(product.v[j]));
      }
    }
    for (int j = 0; j < LANE_VECTORS; j++) {
      if (!all((smallest.v[j] >= LEAST) & (largest.v[j] <= MOST))) return false;
      product.v[j].store(lanes + j * Vec<double>::size);
    }
    return true;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, double* acc,
                   About<double>) {
    for (ptrdiff_t i = 0; i < width; i++) acc[i] = 1;
    for (ptrdiff_t k = 0; k < n; k++) {
      const T* const row = reinterpret_cast<const T*>(in + k * step);
      COREPY_INDEPENDENT
      for (ptrdiff_t i = 0; i < width; i++) acc[i] *= row[i];
    }
  }

  static double merge(double a, double b) { return a * b; }
};

template <class T>
struct ComplexProduct : ReductionOf<Complex<T>, Complex<T>, Complex128> {
  static constexpr bool in_order = true;

  static Complex<T> read(Complex<T> a) { return a; }

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

  static Complex128 merge(Complex128 a, Complex128 b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
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
  // A sum beyond the range of the dtype is infinite, and so is its mean: that of float32 overflows
  // where NumPy's does, though float64 would hold the sum.
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
  const Reduction long_mean = reduction<RealSum<T, double>, Divided, double>();
  const Reduction mean = sizeof(T) == 8 ? long_mean : reduction<IntegerSum<T>, Mean, double>();
  set<T>(kernels, OP_sum, reduction<IntegerSum<T>>());
  set<T>(kernels, OP_prod, reduction<IntegerProduct<T>>());
  set<T>(kernels, OP_mean, mean);
  kernels.centers[dtype_of<T>] = long_mean;
}

// Bools count as 0 and 1, whatever their bytes.
template <class Base>
struct OfBools : Base {
  using Source = Bool;
  static uint8_t read(Bool a) { return a.byte != 0; }
};

}  // namespace

void fill_sums(Kernels& kernels) {
  for_each(Signed{}, [&](auto zero) { fill_integer_sums<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) { fill_integer_sums<decltype(zero)>(kernels); });
  set<Bool>(kernels, OP_sum, reduction<OfBools<IntegerSum<uint8_t>>>());
  set<Bool>(kernels, OP_prod, reduction<OfBools<IntegerProduct<uint8_t>>>());
  set<Bool>(kernels, OP_mean, reduction<OfBools<IntegerSum<uint8_t>>, Divided, double>());
  kernels.centers[DTYPE_bool] = reduction<RealSum<Bool, double>, Divided, double>();
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    using C = Complex<T>;
    set<T>(kernels, OP_sum, reduction<RealSum<T, T>, AsItIs, T>());
    set<T>(kernels, OP_mean, reduction<RealSum<T, T>, Divided, T>());
    set<T>(kernels, OP_prod, reduction<RealProduct<T>, AsItIs, T>());
    set<C>(kernels, OP_sum, reduction<ComplexSum<T>, Totalled, C>());
    set<C>(kernels, OP_mean, reduction<ComplexSum<T>, Divided, C>());
    set<C>(kernels, OP_prod, reduction<ComplexProduct<T>, Narrowed, C>());
    kernels.centers[dtype_of<T>] = reduction<RealSum<T, T>, Divided, double>();
    kernels.centers[dtype_of<C>] = reduction<ComplexSum<T>, Divided, Complex128>();
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
