// The functors of reductions, by the names of the standard.
#pragma once

#include "reduce_moments.cuh"
#include "reduce_products.cuh"

namespace corepy {

// ---- sums

// Sums in A, in four lanes: the elements of a load are added as a tree, and so are the sums of
// threads and blocks.
template <class T, class A>
struct Summing : ReductionBase {
  using type = T;
  using Acc = A;
  static constexpr bool EXACT = is_same<A, uint64>, BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
    int32 sum = 0;
    if constexpr (is_bool<T>) {
#pragma unroll
      for (uint32 word : words) sum += __popc(true_bytes(word));
    } else {
      // Adds bytes in 16-bit halves of words; signed bytes are offset by 128.
      uint32 halves = 0;
#pragma unroll
      for (uint32 word : words) {
        if constexpr (is_signed<T>) word ^= 0x80808080u;
        halves += (word & 0x00ff00ffu) + (word >> 8 & 0x00ff00ffu);
      }
      sum = int32((halves & 0xffffu) + (halves >> 16)) - (is_signed<T> ? 16 * 128 : 0);
    }
    acc += uint64(int64(sum));
  }

  // Real sums start from -0, so that a sum of -0 is -0.
  static COREPY_DEVICE Acc start() {
    if constexpr (is_complex<A>) {
      return {-0.0, -0.0};
    } else if constexpr (is_floating<A>) {
      return -0.0;
    } else {
      return 0;
    }
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Nothing) {
    if constexpr (!is_floating<A> && !is_complex<A> && sizeof(T) <= 2) {
      int32 sum = 0;
#pragma unroll
      for (int k = 0; k < N; k++) sum += has[k / V] ? int32(x[k]) : 0;
      acc += uint64(int64(sum));
    } else {
      constexpr int LANES = N < 4 ? N : 4;
      Acc sums[LANES];
#pragma unroll
      for (int k = 0; k < LANES; k++) sums[k] = has[k / V] ? convert<A>(x[k]) : start();
#pragma unroll
      for (int k = LANES; k < N; k++) {
        sums[k % LANES] = sums[k % LANES] + (has[k / V] ? convert<A>(x[k]) : start());
      }
#pragma unroll
      for (int half = LANES / 2; half > 0; half /= 2) {
#pragma unroll
        for (int k = 0; k < half; k++) sums[k] = sums[k] + sums[k + half];
      }
      acc = acc + sums[0];
    }
  }

  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a + b; }
};

// ---- extremes

// Accumulators of real dtypes are whole words.
template <class T, bool NARROW = (sizeof(T) < sizeof(int32))>
struct WordOf {
  using type = T;
};
template <class T>
struct WordOf<T, true> {
  using type = int32;
};

template <class T, bool LARGEST>
struct Extreme : ReductionBase {
  using type = T;
  using Acc = typename WordOf<T>::type;
  static constexpr bool EXACT = true;

  static COREPY_DEVICE Acc start() { return LARGEST ? Acc(least<T>()) : Acc(greatest<T>()); }

  // NaN is kept, and +0 is greater than -0, so that the order of elements does not decide.
  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    const bool better = LARGEST ? b > a : b < a;
    if constexpr (is_floating<T>) {
      return better || b != b || (a == b && has_sign(a) == LARGEST) ? b : a;
    } else {
      return better ? b : a;
    }
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Nothing) {
#pragma unroll
    for (int k = 0; k < N; k++) acc = merge(acc, has[k / V] ? Acc(x[k]) : start());
  }

  static COREPY_DEVICE T finish(Acc acc, float64) { return T(acc); }
};

template <class T>
struct Place {
  T value;
  int64 index;
};

// The index of the first of equal elements, or of the first NaN.
template <class T, bool LARGEST>
struct ExtremePlace : ReductionBase {
  using type = T;
  using Acc = Place<T>;
  static constexpr bool EXACT = true;

  static COREPY_DEVICE Acc start() {
    return {LARGEST ? least<T>() : greatest<T>(), Limits<int64>::highest};
  }

  static COREPY_DEVICE bool is_better(T a, T b) {
    const bool better = LARGEST ? a > b : a < b;
    if constexpr (is_floating<T>) {
      return better || (a != a && b == b);
    } else {
      return better;
    }
  }

  // Of equal elements, the one with the lower index.
  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    const bool takes_b =
        b.index < a.index ? !is_better(a.value, b.value) : is_better(b.value, a.value);
    return takes_b ? b : a;
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>& indices, Nothing) {
#pragma unroll
    for (int p = 0; p < N / V; p++) {
      // Indices ascend within a pack.
      T best = x[p * V];
      int32 position = 0;
#pragma unroll
      for (int i = 1; i < V; i++) {
        const bool better = is_better(x[p * V + i], best);
        best = better ? x[p * V + i] : best;
        position = better ? i : position;
      }
      if (has[p]) acc = merge(acc, Acc{best, indices.first[p] + position * indices.stride});
    }
  }

  static COREPY_DEVICE int64 finish(Acc acc, float64) { return acc.index; }
};

// ---- any, all

// Whether an element is WANTED: true for any; false for all, whose result is the opposite.
template <class T, bool WANTED>
struct Search : ReductionBase {
  using type = T;
  using Acc = int32;
  static constexpr bool STOPS_EARLY = true, EXACT = true, BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
#pragma unroll
    for (uint32 word : words) acc |= WANTED ? word != 0 : __popc(true_bytes(word)) != 4;
  }

  static COREPY_DEVICE Acc start() { return 0; }
  static COREPY_DEVICE bool is_final(Acc acc) { return acc != 0; }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a | b; }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Nothing) {
#pragma unroll
    for (int k = 0; k < N; k++) acc |= has[k / V] && convert<bool>(x[k]) == WANTED;
  }

  static COREPY_DEVICE bool finish(Acc acc, float64) { return (acc != 0) == WANTED; }
};

// ---- by the names of the standard

namespace op {

template <class T>
struct sum : Summing<T, sum_type<T>> {
  using Acc = sum_type<T>;
  static COREPY_DEVICE auto finish(Acc acc, float64) {
    if constexpr (is_complex<T>) {
      // Complex results start from 0.
      return convert<T>(complex128{acc.real + 0.0, acc.imag + 0.0});
    } else if constexpr (is_floating<T>) {
      return T(acc);
    } else {
      return acc;
    }
  }
};

// If the sum overflows the dtype, the mean is infinite, too, although float64 could represent it.
template <class T>
COREPY_DEVICE T mean_of(float64 sum, float64 count) {
  const T total = T(sum), result = T(sum / count);
  return total - total == 0 ? result : total;
}

template <class T>
using mean_type = Select<is_integer<T> && sizeof(T) == 8, float64, sum_type<T>>;

template <class T>
struct mean : Summing<T, mean_type<T>> {
  using Acc = mean_type<T>;
  static COREPY_DEVICE auto finish(Acc acc, float64 divisor) {
    if constexpr (is_complex<T>) {
      using C = component<T>;
      return T{mean_of<C>(acc.real + 0.0, divisor), mean_of<C>(acc.imag + 0.0, divisor)};
    } else if constexpr (is_floating<T>) {
      return mean_of<T>(acc, divisor);
    } else if constexpr (is_signed<T> && !is_floating<Acc>) {
      return float64(int64(acc)) / divisor;
    } else {
      return float64(acc) / divisor;
    }
  }
};

template <class T>
struct count_nonzero : ReductionBase {
  using type = T;
  using Acc = int64;
  static constexpr bool EXACT = true, BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
    int32 count = 0;
#pragma unroll
    for (uint32 word : words) count += __popc(true_bytes(word));
    acc += count;
  }

  static COREPY_DEVICE Acc start() { return 0; }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a + b; }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Nothing) {
    int32 count = 0;
#pragma unroll
    for (int k = 0; k < N; k++) count += has[k / V] && convert<bool>(x[k]);
    acc += count;
  }

  static COREPY_DEVICE int64 finish(Acc acc, float64) { return acc; }
};

template <class T>
struct prod : ReductionBase {
  using type = T;
  using Product = product_of<T>;
  using Acc = typename Product::Acc;
  static constexpr bool EXACT = is_same<Acc, uint64>;
  static COREPY_DEVICE Acc start() { return Product::start(); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return Product::merge(a, b); }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>&, Nothing) {
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) acc = merge(acc, Product::of(x[k]));
    }
  }

  static COREPY_DEVICE auto finish(Acc acc, float64) { return Product::value(acc); }
};

template <class T>
struct max : Extreme<T, true> {};
template <class T>
struct min : Extreme<T, false> {};
template <class T>
struct argmax : ExtremePlace<T, true> {};
template <class T>
struct argmin : ExtremePlace<T, false> {};
template <class T>
struct any : Search<T, true> {};
template <class T>
struct all : Search<T, false> {};

template <class T>
using spread_type = Select<is_integer<T> || is_bool<T>, float64, component<T>>;

template <class T>
struct var : Spread<T> {
  static COREPY_DEVICE auto finish(typename Spread<T>::Acc acc, float64 divisor) {
    return spread_type<T>(acc.squares / divisor);
  }
};
template <class T>
struct std : Spread<T> {
  static COREPY_DEVICE auto finish(typename Spread<T>::Acc acc, float64 divisor) {
    return spread_type<T>(::sqrt(acc.squares / divisor));
  }
};

}  // namespace op
}  // namespace corepy
