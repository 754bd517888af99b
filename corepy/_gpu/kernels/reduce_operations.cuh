// Functors of reductions: what accumulates the elements of a result.
//
//   type                     what elements are cast to;
//   Acc, start()             accumulators, and that of no elements;
//   take(acc, x, has, places, center)   adds those packs of elements that are there;
//   merge(a, b)              of accumulators of other elements, in any order;
//   finish(acc, divisor)     -> the result.
#pragma once

#include "reduce_parts.cuh"

namespace corepy {

// The indices of the first elements of packs, and from one element of a pack to the next.
template <int PACKS>
struct Places {
  int64 first[PACKS];
  int64 step;
};

struct Nothing {};

// The base of functors: nothing settles a result early, elements are measured from 0, and those of
// one byte are taken one by one, not four in a word (`take_bytes`).
struct ReductionBase {
  using Center = Nothing;
  static constexpr bool CENTERED = false, SETTLES = false, BYTES = false;
};

// How many of four bytes are not 0.
COREPY_DEVICE int32 nonzero_bytes(uint32 word) {
  return __popc((((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u);
}

// Accumulators of real dtypes are whole words.
template <class T, bool NARROW = (sizeof(T) < sizeof(int32))>
struct WordOf {
  using type = T;
};
template <class T>
struct WordOf<T, true> {
  using type = int32;
};

// ---- sums

COREPY_DEVICE float64 plus(float64 a, float64 b) { return a + b; }
COREPY_DEVICE uint64 plus(uint64 a, uint64 b) { return a + b; }
COREPY_DEVICE complex128 plus(complex128 a, complex128 b) {
  return {a.real + b.real, a.imag + b.imag};
}

template <class A, class T>
COREPY_DEVICE A widened(T x) {
  if constexpr (is_complex<A> || is_floating<A>) {
    return convert<A>(x);
  } else if constexpr (is_signed<T>) {
    return uint64(int64(x));  // extended before the sign is dropped
  } else {
    return uint64(x);
  }
}

// Sums in A, of numbers in four lanes: what a thread takes at once is added as a tree, and so are
// the sums of threads and blocks.
template <class T, class A>
struct Summing : ReductionBase {
  using type = T;
  using Acc = A;
  static constexpr bool BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
    int32 sum = 0;
    if constexpr (is_bool<T>) {
#pragma unroll
      for (uint32 word : words) sum += nonzero_bytes(word);
    } else {
      // Two bytes of a word at a time, in halves of another; signed ones are 128 larger meanwhile.
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
                                 const Places<N / V>&, Nothing) {
    if constexpr (!is_floating<A> && !is_complex<A> && sizeof(T) <= 2) {
      int32 sum = 0;
#pragma unroll
      for (int k = 0; k < N; k++) sum += has[k / V] ? int32(x[k]) : 0;
      acc += uint64(int64(sum));
    } else {
      constexpr int LANES = N < 4 ? N : 4;
      Acc sums[LANES];
#pragma unroll
      for (int k = 0; k < LANES; k++) sums[k] = has[k / V] ? widened<A>(x[k]) : start();
#pragma unroll
      for (int k = LANES; k < N; k++) {
        sums[k % LANES] = plus(sums[k % LANES], has[k / V] ? widened<A>(x[k]) : start());
      }
#pragma unroll
      for (int half = LANES / 2; half > 0; half /= 2) {
#pragma unroll
        for (int k = 0; k < half; k++) sums[k] = plus(sums[k], sums[k + half]);
      }
      acc = plus(acc, sums[0]);
    }
  }

  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return plus(a, b); }
};

template <class T>
using sum_type = Select<is_complex<T>, complex128, Select<is_floating<T>, float64, uint64>>;

// ---- products

// value * 2^exponent: a product leaves the range of numbers in the end or not at all, in whatever
// order it is taken. The value is in [1, 2) or its negative, or 0, an infinity or NaN.
struct Scaled {
  float64 value;
  int64 exponent;
};

COREPY_DEVICE Scaled normalized(float64 value, int64 exponent) {
  uint64 bits = bit_cast<uint64>(value);
  int32 field = int32(bits >> 52 & 0x7ff);
  if (field == 0) {
    if (value == 0) return {value, 0};
    bits = bit_cast<uint64>(value * 18014398509481984.0);  // 2^54
    field = int32(bits >> 52 & 0x7ff);
    exponent -= 54;
  }
  if (field == 0x7ff) return {value, 0};
  bits = (bits & ~(uint64(0x7ff) << 52)) | uint64(1023) << 52;
  return {bit_cast<float64>(bits), exponent + field - 1023};
}

// 2^exponent, which is a normal number.
COREPY_DEVICE float64 power_of_two(int64 exponent) {
  return bit_cast<float64>(uint64(exponent + 1023) << 52);
}

// value * 2^exponent, rounded once.
COREPY_DEVICE float64 scaled_by(float64 value, int64 exponent) {
  if (exponent > 1000) {
    const int64 more = exponent - 1000;
    return value * power_of_two(1000) * power_of_two(more < 1000 ? more : 1000);
  }
  if (exponent < -1000) {
    const int64 more = exponent + 1000;
    return value * power_of_two(-1000) * power_of_two(more > -1000 ? more : -1000);
  }
  return value * power_of_two(exponent);
}

template <class T>
struct RealProduct {
  using Acc = Scaled;
  static COREPY_DEVICE Acc start() { return {1.0, 0}; }
  static COREPY_DEVICE Acc of(T x) { return normalized(float64(x), 0); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    return normalized(a.value * b.value, a.exponent + b.exponent);
  }
  static COREPY_DEVICE T value(Acc acc) { return T(scaled_by(acc.value, acc.exponent)); }
};

// Both components have the exponent of the larger. `any` is false of no elements: a product with 1
// would make NaN of an infinity.
struct ScaledComplex {
  float64 real, imag;
  int64 exponent;
  int64 any;
};

COREPY_DEVICE ScaledComplex normalized(complex128 x, int64 exponent) {
  const float64 real = x.real < 0 ? -x.real : x.real, imag = x.imag < 0 ? -x.imag : x.imag;
  const float64 larger = real > imag ? real : imag;
  if (!(larger > 0 && real < infinity<float64>() && imag < infinity<float64>())) {
    return {x.real, x.imag, 0, 1};
  }
  const int64 shift = normalized(larger, 0).exponent;
  return {scaled_by(x.real, -shift), scaled_by(x.imag, -shift), exponent + shift, 1};
}

template <class C>
struct ComplexProduct {
  using Acc = ScaledComplex;
  static COREPY_DEVICE Acc start() { return {1.0, 0.0, 0, 0}; }
  static COREPY_DEVICE Acc of(C x) { return normalized(convert<complex128>(x), 0); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    if (!a.any) return b;
    if (!b.any) return a;
    return normalized(
        complex128{a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real},
        a.exponent + b.exponent);
  }
  static COREPY_DEVICE C value(Acc acc) {
    return convert<C>(
        complex128{scaled_by(acc.real, acc.exponent), scaled_by(acc.imag, acc.exponent)});
  }
};

template <class T>
struct IntegerProduct {
  using Acc = uint64;
  static COREPY_DEVICE Acc start() { return 1; }
  static COREPY_DEVICE Acc of(T x) { return widened<uint64>(x); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a * b; }
  static COREPY_DEVICE uint64 value(Acc acc) { return acc; }
};

template <class T>
using product_of = Select<is_complex<T>, ComplexProduct<T>,
                          Select<is_floating<T>, RealProduct<T>, IntegerProduct<T>>>;

// ---- the best of all elements

template <class T, bool LARGEST>
struct Extreme : ReductionBase {
  using type = T;
  using Acc = typename WordOf<T>::type;

  static COREPY_DEVICE Acc start() { return LARGEST ? Acc(least<T>()) : Acc(greatest<T>()); }

  // A NaN stays.
  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    const bool better = LARGEST ? b > a : b < a;
    if constexpr (is_floating<T>) {
      return better || b != b ? b : a;
    } else {
      return better ? b : a;
    }
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>&, Nothing) {
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

// The first of equal elements, and of NaN the first.
template <class T, bool LARGEST>
struct ExtremePlace : ReductionBase {
  using type = T;
  using Acc = Place<T>;

  static COREPY_DEVICE Acc start() {
    return {LARGEST ? least<T>() : greatest<T>(), Limits<int64>::highest};
  }

  static COREPY_DEVICE bool goes_before(Acc a, Acc b) {
    const bool better = LARGEST ? a.value > b.value : a.value < b.value;
    if constexpr (is_floating<T>) {
      const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
      const bool as_good = a.value == b.value || (a_nan && b_nan);
      return better || (a_nan && !b_nan) || (as_good && a.index < b.index);
    } else {
      return better || (a.value == b.value && a.index < b.index);
    }
  }

  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return goes_before(b, a) ? b : a; }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>& places, Nothing) {
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) {
        acc = merge(acc, Acc{x[k], places.first[k / V] + k % V * places.step});
      }
    }
  }

  static COREPY_DEVICE int64 finish(Acc acc, float64) { return acc.index; }
};

// ---- questions

// Whether an element is WANTED; false asks for all, which is the opposite of one that is not.
template <class T, bool WANTED>
struct Search : ReductionBase {
  using type = T;
  using Acc = int32;
  static constexpr bool SETTLES = true, BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
#pragma unroll
    for (uint32 word : words) acc |= WANTED ? word != 0 : nonzero_bytes(word) != 4;
  }

  static COREPY_DEVICE Acc start() { return 0; }
  static COREPY_DEVICE bool settled(Acc acc) { return acc != 0; }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a | b; }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>&, Nothing) {
#pragma unroll
    for (int k = 0; k < N; k++) acc |= has[k / V] && convert<bool>(x[k]) == WANTED;
  }

  static COREPY_DEVICE bool finish(Acc acc, float64) { return (acc != 0) == WANTED; }
};

// ---- spread

// Moments of elements less `center`, which is an element of the result, so that no digits are lost
// to a mean that is large. What a thread takes at once is measured from its own mean; merged as
// Chan, Golub and LeVeque 1983.
template <class A>
struct Moments {
  A mean;
  float64 count;
  float64 squares;  // of distances from the mean
};

COREPY_DEVICE float64 minus(float64 a, float64 b) { return a - b; }
COREPY_DEVICE complex128 minus(complex128 a, complex128 b) {
  return {a.real - b.real, a.imag - b.imag};
}
COREPY_DEVICE float64 times(float64 a, float64 factor) { return a * factor; }
COREPY_DEVICE complex128 times(complex128 a, float64 factor) {
  return {a.real * factor, a.imag * factor};
}
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

  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    const float64 count = a.count + b.count, share = b.count / count;
    const A apart = minus(b.mean, a.mean);
    return {plus(a.mean, times(apart, share)), count,
            a.squares + b.squares + square_of(apart) * (a.count * share)};
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>&, Center center) {
    int32 count = 0;
    A sum = {};
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) {
        count++;
        sum = plus(sum, minus(convert<A>(x[k]), center));
      }
    }
    if (count == 0) return;
    const A mean = times(sum, 1.0 / count);
    float64 squares = 0;
#pragma unroll
    for (int k = 0; k < N; k++) {
      if (has[k / V]) squares += square_of(minus(minus(convert<A>(x[k]), center), mean));
    }
    acc = merge(acc, {mean, float64(count), squares});
  }
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

// A sum beyond the range of the dtype is infinite, and so is its mean, though float64 holds it.
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
  static constexpr bool BYTES = sizeof(T) == 1;

  static COREPY_DEVICE void take_bytes(Acc& acc, const uint32 (&words)[4]) {
    int32 count = 0;
#pragma unroll
    for (uint32 word : words) count += nonzero_bytes(word);
    acc += count;
  }

  static COREPY_DEVICE Acc start() { return 0; }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a + b; }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>&, Nothing) {
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
  static COREPY_DEVICE Acc start() { return Product::start(); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return Product::merge(a, b); }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const Places<N / V>&, Nothing) {
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
