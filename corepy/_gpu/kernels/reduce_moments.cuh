// Variances: means, and sums of squared deviations.
#pragma once

#include "reduce_base.cuh"

namespace corepy {

// Moments of elements less `center`, an element of the result, so that large means lose no digits.
// The elements of a load are centered at their own mean, and merged as in Chan, Golub and LeVeque
// 1983.
template <class A>
struct Moments {
  A mean;
  float64 count;
  float64 squares;  // of distances from the mean
};

COREPY_DEVICE float64 square_of(float64 a) { return a * a; }
COREPY_DEVICE float64 square_of(complex128 a) { return a.real * a.real + a.imag * a.imag; }

template <class T>
struct Spread : ReductionBase {
  using type = T;
  using A = Select<is_complex<T>, complex128, float64>;
  using Acc = Moments<A>;
  using Center = A;
  static constexpr bool CENTERED = true;

  static COREPY_DEVICE Center center(T x) { return convert<A>(x); }
  static COREPY_DEVICE Acc start() { return {A{}, 0.0, 0.0}; }
  static COREPY_DEVICE void share(Acc& acc, const Acc& other) { acc.count = other.count; }

  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const float64 count = a.count + b.count, share = b.count / count;
    const A apart = b.mean - a.mean;
    return {a.mean + apart * share, count,
            a.squares + b.squares + square_of(apart) * (a.count * share)};
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Center center) {
    int32 count = 0;
    A sum = {};
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) {
        count++;
        sum = sum + (convert<A>(x[k]) - center);
      }
    }
    if (count == 0) return;
    const A mean = sum * (1.0 / count);
    float64 squares = 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) squares += square_of(convert<A>(x[k]) - center - mean);
    }
    acc = merge(acc, {mean, float64(count), squares});
  }
};

}  // namespace corepy
