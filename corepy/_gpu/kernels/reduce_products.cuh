// Products; those of floating-point numbers have separate exponents.
#pragma once

#include "reduce_base.cuh"

namespace corepy {

// value * 2^exponent: intermediate products neither overflow nor underflow, in any order. |value|
// is in [1, 2), 0, infinite or NaN.
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

// value * 2^exponent, rounded once.
COREPY_DEVICE float64 scaled_by(float64 value, int64 exponent) {
  if (exponent > 1000) {
    const int64 more = exponent - 1000;
    return value * power_of_2(1000) * power_of_2(more < 1000 ? more : 1000);
  }
  if (exponent < -1000) {
    const int64 more = exponent + 1000;
    return value * power_of_2(-1000) * power_of_2(more > -1000 ? more : -1000);
  }
  return value * power_of_2(exponent);
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

// Both components have the exponent of the larger. `any` is false for no elements: a product of 1
// and an infinity would be NaN.
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
  static COREPY_DEVICE Acc of(T x) { return convert<uint64>(x); }
  static COREPY_DEVICE Acc merge(Acc a, Acc b) { return a * b; }
  static COREPY_DEVICE uint64 value(Acc acc) { return acc; }
};

template <class T>
using product_of = Select<is_complex<T>, ComplexProduct<T>,
                          Select<is_floating<T>, RealProduct<T>, IntegerProduct<T>>>;

}  // namespace corepy
