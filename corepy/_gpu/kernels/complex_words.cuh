// Double-doubles ("two words", unevaluated sums of two float64), for functions of complex numbers.
// Real and imaginary components must be accurate separately, so intermediate sums, products and
// quotients are double-doubles, and rounded once at the end. complex64 is computed in float64.
//
// The algorithms are those of the CPU (corepy/_cython/kernels/simd/math), one element at a time:
// where the CPU masks unusual elements, a thread branches.
#pragma once

#include "floating.cuh"

// Long functions are not inlined: loops over elements would have several copies of them.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define COREPY_CALLED static __device__ __noinline__
#else
#define COREPY_CALLED inline
#endif

namespace corepy {
namespace complex {

// ---- numbers

using corepy::is_finite;
COREPY_DEVICE bool is_finite(complex128 z) { return is_finite(z.real) && is_finite(z.imag); }
COREPY_DEVICE double turned(double a, bool minus) { return minus ? -a : a; }
template <class T>
COREPY_DEVICE T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
COREPY_DEVICE T smaller(T a, T b) {
  return a > b ? b : a;
}
// a limited to the bounds.
template <class T>
COREPY_DEVICE T bounded(T a, T lower, T upper) {
  return a < lower ? lower : a > upper ? upper : a;
}

// a * 2^n, rounded once. Beyond the bounds of n it is 0 or infinity for all a used here.
COREPY_DEVICE double scale(double a, int n) {
  n = bounded(n, -2044, 2044);
  const int half = n >> 1;
  return a * power_of_2(half) * power_of_2(n - half);
}

// c + c1 x + c2 x^2 + ...
COREPY_DEVICE double polynomial(double, double c) { return c; }
template <class... Rest>
COREPY_DEVICE double polynomial(double x, double c, Rest... rest) {
  return fused(polynomial(x, rest...), x, c);
}

// ---- arithmetic in double-double

// first + second, where second is less than a tenth of first.
template <class T>
struct Pair {
  T first, second;
};
using Words = Pair<double>;

// Exact sums and products; sum_ordered is for |a| >= |b| or a = 0.
template <class T>
COREPY_DEVICE Pair<T> sum(T a, T b) {
  const T s = a + b, of_b = s - a;
  return {s, (a - (s - of_b)) + (b - of_b)};
}
template <class T>
COREPY_DEVICE Pair<T> sum_ordered(T a, T b) {
  const T s = a + b;
  return {s, b - (s - a)};
}
template <class T>
COREPY_DEVICE Pair<T> product(T a, T b) {
  const T p = a * b;
  return {p, fused(a, b, -p)};
}

COREPY_DEVICE double rounded(Words a) { return a.first + a.second; }
COREPY_DEVICE Words normalized(Words a) { return sum_ordered(a.first, a.second); }
COREPY_DEVICE Words turned(Words a, bool minus) {
  return {turned(a.first, minus), turned(a.second, minus)};
}
COREPY_DEVICE Words times_power(Words a, double power_of_2) {
  return {a.first * power_of_2, a.second * power_of_2};
}
COREPY_DEVICE Words operator-(Words a) { return {-a.first, -a.second}; }
COREPY_DEVICE Words operator+(Words a, Words b) {
  Words s = sum(a.first, b.first);
  s.second += a.second + b.second;
  return s;
}
COREPY_DEVICE Words operator*(Words a, Words b) {
  Words p = product(a.first, b.first);
  p.second = fused(rounded(a), b.second, fused(a.second, b.first, p.second));
  return p;
}
COREPY_DEVICE Words operator*(Words a, double b) {
  Words p = product(a.first, b);
  p.second = fused(a.second, b, p.second);
  return p;
}
COREPY_DEVICE Words squared(Words a) {
  Words p = product(a.first, a.first);
  p.second = fused(a.first + rounded(a), a.second, p.second);
  return p;
}
// A rounded product. A zero keeps its sign, which the sum would lose.
COREPY_DEVICE double rounded_product(Words a, Words b) {
  const Words p = a * b;
  return p.first == 0 ? p.first : rounded(p);
}

// About 1 / a, for normal a > 0: the exponent is negated, and the reciprocal of the mantissa is
// approximated by a line. The error of 1/8, or 1.6 % after a Newton step, is small enough to divide
// rounding errors.
COREPY_DEVICE float rough_inverse(float a) {
  return bit_cast<float>(int32(0x7ef311c7) - bit_cast<int32>(a));
}
COREPY_DEVICE double rough_inverse(double a) {
  return bit_cast<double>(int64(0x7fde623822fc16e6) - bit_cast<int64>(a));
}

// sqrt(x^2 + y^2), x >= y >= 0: the sum of squares in double-double, then one Newton step with an
// approximate quotient, as the correction is small.
template <class T>
COREPY_DEVICE T length(T x, T y) {
  const Pair<T> a = product(x, x), b = product(y, y), squares = sum_ordered(a.first, b.first);
  const T low = squares.second + (a.second + b.second);
  const T root = root_of(squares.first), rest = fused(-root, root, squares.first) + low;
  return fused(rest * T(0.5), rough_inverse(root), root);
}

COREPY_DEVICE double estimated_inverse(double a) {
  const double rough = rough_inverse(a);
  return rough * fused(-a, rough, 2.0);
}
// The following take normalized double-doubles, whose second is the rounding error of the first.
COREPY_DEVICE Words divided(Words a, Words b) {
  const double quotient = a.first / b.first;
  const double rest = fused(-quotient, b.second, fused(-quotient, b.first, a.first) + a.second);
  const double inverse = estimated_inverse(magnitude(b.first));
  return {quotient, rest * turned(inverse, has_sign(b.first))};
}
COREPY_DEVICE Words square_root(Words a) {
  const double root = ::sqrt(a.first), rest = fused(-root, root, a.first) + a.second;
  return {root, rest * estimated_inverse(root + root)};
}

// x^2 + y^2, x >= y >= 0, so that x^2 + y^2 - 1 is accurate near 1, too.
COREPY_DEVICE Words sum_of_squares(double x, double y) {
  const Words a = product(x, x), b = product(y, y);
  const Words high = sum_ordered(a.first, b.first), low = sum(a.second, b.second);
  const Words middle = sum(high.second, low.first);
  Words result = sum_ordered(high.first, middle.first);
  result.second += middle.second + low.second;
  return result;
}

// Squares of numbers in this range and their rounding errors neither overflow nor underflow.
constexpr double MAX_SQUARABLE = 0x1p480, MIN_SQUARABLE = 0x1p-400;

COREPY_DEVICE bool is_squared(double larger) {
  return larger <= MAX_SQUARABLE && larger >= MIN_SQUARABLE;
}

// A factor that scales any number into that range: 2^exponent.
struct Scale {
  double factor, exponent;

  COREPY_DEVICE explicit Scale(double larger) {
    const bool large = larger > MAX_SQUARABLE, small = larger < MIN_SQUARABLE;
    factor = large ? 0x1p-600 : small ? 0x1p700 : 1.0;
    exponent = large ? -600.0 : small ? 700.0 : 0.0;
  }
};

// ---- exponentials and logarithms (exp.hpp, log.hpp; the tables are those of constants.hpp)

// 2^(j / 16), and its relative rounding error.
__device__ const double POWER[16] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
__device__ const double POWER_RESIDUE[16] = {
    0x0.0p+0,
    0x1.79aa65d837b6dp-54,
    -0x1.01b15eaa59348p-55,
    0x1.68efde3a8a894p-54,
    0x1.34d754db0abb6p-55,
    0x1.59f48a72a4c6dp-55,
    0x1.690cebb7aafb0p-56,
    0x1.063e1e21c5409p-54,
    -0x1.3b3efbf5e2228p-54,
    -0x1.b32dcb94da51dp-56,
    0x1.db72fc1f0eab4p-55,
    0x1.1affc2b91ce27p-56,
    0x1.c1a7792cb3387p-55,
    0x1.36eae30af0cb3p-56,
    0x1.4a385a63d07a7p-56,
    -0x1.ff7128fd391f0p-55,
};
constexpr double LOG2_E = 0x1.71547652b82fep+0;
constexpr double LN2_HIGH = 0x1.62e42fefa0000p-1, LN2_LOW = 0x1.cf79abc9e3b3ap-40;

// x = k log(2) / 16 + r + r_low, for |k| < 2^15.
struct ExpArgument {
  int k;
  double sixteenths, r;

  COREPY_DEVICE explicit ExpArgument(double x) {
    // Adding this rounds to sixteenths, with their count in the lowest bits.
    const double shift = 0x1.8p48, shifted = fused(x, LOG2_E, shift);
    k = int(uint32(bit_cast<uint64>(shifted)));
    sixteenths = shifted - shift;
    r = fused(sixteenths, -LN2_LOW, remainder(x));
  }
  // The rounding error of r.
  COREPY_DEVICE double r_low(double x) const {
    return fused(sixteenths, -LN2_LOW, remainder(x) - r);
  }
  // 2^(j / 16), where j is k modulo 16, is power() (1 + residue()).
  COREPY_DEVICE double power() const { return POWER[k & 15]; }
  COREPY_DEVICE double residue() const { return POWER_RESIDUE[k & 15]; }
  COREPY_DEVICE int exponent() const { return k >> 4; }

 private:
  // x less the high part of k log(2) / 16, exactly.
  COREPY_DEVICE double remainder(double x) const { return fused(sixteenths, -LN2_HIGH, x); }
};

// (e^r - 1 - r) / r^2.
COREPY_DEVICE double exp_series(double r) {
  return polynomial(r, 0.5, 0x1.5555555555558p-3, 0x1.55555554f2605p-5, 0x1.11111110936a5p-7,
                    0x1.6c17eb206745cp-10, 0x1.a01b8fcf67186p-13);
}

// e^x = number * 2^exponent.
struct Exponential {
  Words number;
  int exponent;

  COREPY_DEVICE explicit Exponential(Words x) {
    const ExpArgument argument(x.first);
    const double r = argument.r + x.second, power = argument.power();
    const double growth = r + fused(exp_series(r), r * r, argument.residue());
    number = {power, power * growth};
    exponent = argument.exponent();
  }
  COREPY_DEVICE explicit Exponential(double x) : Exponential(Words{x, 0.0}) {}
};

// c by the first four bits of m, 1 <= m < 2: m c is close to 1, and m c - 1 exact.
__device__ const double LOG_INVERSE[16] = {
    0x1.0000000000000p+0, 0x1.d000000000000p-1, 0x1.c000000000000p-1, 0x1.a000000000000p-1,
    0x1.9000000000000p-1, 0x1.8000000000000p-1, 0x1.7000000000000p-1, 0x1.6000000000000p-1,
    0x1.5000000000000p-1, 0x1.4000000000000p-1, 0x1.3800000000000p-1, 0x1.2800000000000p-1,
    0x1.2000000000000p-1, 0x1.1800000000000p-1, 0x1.1000000000000p-1, 0x1.0000000000000p-1};
// -log(c): a multiple of 2^-42, and the remainder.
__device__ const double LOG_HIGH[16] = {0x0.0p+0,
                                        0x1.9335e5d594000p-4,
                                        0x1.1178e8227e000p-3,
                                        0x1.a93ed3c8ae000p-3,
                                        0x1.f991c6cb3c000p-3,
                                        0x1.269621134e000p-2,
                                        0x1.522ae0738a000p-2,
                                        0x1.7fafa3bd81000p-2,
                                        0x1.af5295248d000p-2,
                                        0x1.e148a1a272000p-2,
                                        0x1.fb358af7a5000p-2,
                                        0x1.188ee40f24000p-1,
                                        0x1.269621134d800p-1,
                                        0x1.35028ad9d9000p-1,
                                        0x1.43d9ff2f92000p-1,
                                        0x1.62e42fefa3800p-1};
__device__ const double LOG_LOW[16] = {0x0.0p+0,
                                       0x1.3115c3abd47dap-45,
                                       0x1.1ef78ce2d07f2p-45,
                                       -0x1.8724350562169p-45,
                                       -0x1.90d04cd7cc834p-44,
                                       -0x1.1b61f10522625p-44,
                                       0x1.ebe708164c759p-45,
                                       0x1.46fb79bf6d4cbp-44,
                                       -0x1.17cc552774458p-45,
                                       0x1.b36537e3375b2p-44,
                                       -0x1.def40b87d36d9p-44,
                                       -0x1.accec41d52e6cp-44,
                                       0x1.c93c1df5bb3b6p-44,
                                       -0x1.bd1f01ab60655p-44,
                                       0x1.e267b0b7efae1p-44,
                                       0x1.ef35793c76730p-45};
// log(2), split in the same way.
constexpr double LOG_OF_2_HIGH = 0x1.62e42fefa3800p-1, LOG_OF_2_LOW = 0x1.ef35793c76730p-45;

// log(2^e_more x), for x.first positive and normal.
COREPY_DEVICE Words log_of_words(Words x, double e_more) {
  // x = 2^e m, m in [1, 2).
  const int64 bits = bit_cast<int64>(x.first), e = (bits >> 52) - 1023;
  const double m = bit_cast<double>(bits - (e << 52));
  // 2^-e, but 0 where it is subnormal: x.second is negligible then.
  const double unit = bit_cast<double>(0x3ff0000000000000 - (e << 52));
  const int index = int(bits >> 48 & 15);
  const double c = LOG_INVERSE[index], e_all = double(int(e)) + e_more;
  const Words r = sum_ordered(fused(m, c, -1.0), x.second * (unit * c));
  const Words total = sum_ordered(fused(e_all, LOG_OF_2_HIGH, LOG_HIGH[index]), r.first);
  const double low = fused(e_all, LOG_OF_2_LOW, LOG_LOW[index]) + total.second;
  // (log1p(r) - r) / r^2; log(1 + r.first + r.second) = log(1 + r.first) + r.second
  // - r.first r.second.
  const double series =
      polynomial(r.first, -0.5, 0x1.5555555555536p-2, -0x1.0000000001534p-2, 0x1.9999999a0b1d5p-3,
                 -0x1.55555534be0c4p-3, 0x1.249244e3f7cc2p-3, -0x1.00006d2d6905fp-3,
                 0x1.c73cb8511ea82p-4, -0x1.993329e91d121p-4, 0x1.4b0ec2222dc7cp-4);
  return {total.first, fused(fused(series, r.first, -r.second), r.first, low + r.second)};
}

// log(1 + x), for x that is not close to -1.
COREPY_DEVICE Words log1p_of_words(Words x) {
  Words total = sum(1.0, x.first);
  total.second += x.second;
  return log_of_words(total, 0.0);
}

// ---- angles (inverse_trig.hpp)

constexpr double PI = 3.141592653589793, PI_LOW = 1.2246467991473532e-16;

// The angle of a point in the first quadrant, or of its mirror image in the second: from the
// nearest of the axes and the diagonal. The larger coordinate must be scaled so that remainders do
// not over- or underflow.
COREPY_DEVICE Words angle_of_words(Words y, Words x, bool mirrored) {
  const bool flat = y.first + y.first <= x.first, steep = y.first >= x.first + x.first;
  // The point rotated by -pi / 4, times sqrt(2). The difference is exact.
  Words numerator = {y.first - x.first, y.second - x.second};
  Words denominator = sum(x.first, y.first);
  denominator.second += x.second + y.second;
  if (flat) {
    numerator = y;
    denominator = x;
  } else if (steep) {
    numerator = -x;
    denominator = y;
  }
  double axis = flat ? 0.0 : steep ? PI / 2 : PI / 4;
  if (mirrored) axis = PI - axis;
  const Words t = turned(divided(numerator, denominator), mirrored);
  const double z = t.first * t.first;
  const double series = polynomial(
      z, -0.3333333333333298, 0.19999999999903104, -0.14285714276385764, 0.11111110659670262,
      -0.09090896246950132, 0.07692073973514123, -0.0666381154994697, 0.058583075650442094,
      -0.0512205549039106, 0.041866773545558206, -0.027438292757801633, 0.010119596915500385);
  Words result = sum_ordered(axis, t.first);
  result.second += fused(axis, PI_LOW / PI, fused(t.first * z, series, t.second));
  return result;
}

}  // namespace complex
}  // namespace corepy
