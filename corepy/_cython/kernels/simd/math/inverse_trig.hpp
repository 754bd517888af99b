// asin, acos, atan, atan2.
//
// Every function is the sum of a constant and of a function of a small argument, whose polynomial
// adds less than a third to the argument: only the argument and the constant are double-doubles.
#pragma once

#include "arc.hpp"
#include "constants.hpp"
#include "piecewise.hpp"
#include "polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Calls F with the element type, or for float32 without an fma in float64.
template <class F>
struct InTheirType {
  static constexpr int unroll = 2;

  template <class... More>
  static COREPY_INLINE Vec<double> call(Vec<double> x, More... more) {
    return F::template of<double>(x, more...);
  }
  template <class... More>
  static COREPY_INLINE Vec<float> call(Vec<float> x, More... more) {
    if constexpr (HAS_FMA) {
      return F::template of<float>(x, more...);
    } else {
      return in_halves(widen(x), widen(more)...);
    }
  }

 private:
  template <class... Pair>
  static COREPY_INLINE Vec<float> in_halves(Pair... x) {
    return narrow(F::template of<Wide>(x.first...), F::template of<Wide>(x.second...));
  }
};

// axis + atan(numerator / denominator), of double-doubles. The axis is a multiple of pi / 4, and so
// is its low part.
template <class T>
struct Direction {
  Vec<T> numerator, denominator, denominator_low, axis;
};
template <class K, class T>
COREPY_INLINE Vec<T> angle(Direction<T> d) {
  const Vec<T> t = d.numerator / d.denominator, z = t * t;
  if constexpr (Arc<K>::ONE_WORD) {
    return d.axis + multiply_add(t * z, polynomial(z, Arc<K>::ATAN), t);
  } else {
    const Vec<T> factor = polynomial(z, Arc<K>::ATAN);
    const Vec<T> rest =
        multiply_add(-t, d.denominator_low, remainder(d.numerator, t, d.denominator));
    Vec<T> low = rest * rough_inverse(d.denominator);
    // Without an fma the remainder of a subnormal quotient cannot be computed, and is not needed.
    if constexpr (!HAS_FMA) low = select(abs(d.numerator) < T(0x1p-900), T(0), low);
    const Vec<T> tail = multiply_add(t * z, factor, low);
    const auto high = sum_ordered(d.axis, t);
    return high.first + (high.second + multiply_add(d.axis, Arc<K>::PI_LOW / Arc<K>::PI, tail));
  }
}

// atan(a) = atan(c) + atan(w), w = (a - c) / (1 + a c), c one of 14 numbers by the first bits of a,
// or 0 or infinity. a - c is exact.
struct Atan : MostlyUsual<Atan> {
  template <class T>
  static COREPY_INLINE Vec<T> usual(Mask<T>& unusual, Vec<T> x) {
    const Vec<T> a = abs(x);
    if constexpr (IN_PIECES<T>) {
      unusual = unusual | (a >= AtanPieces::last);
      return piecewise<AtanPieces>(a) | sign_bit_of(x);
    } else {
      return of(a) | sign_bit_of(x);
    }
  }
  template <class T>
  static __attribute__((noinline)) Vec<T> other(Vec<T> x) {
    return of(abs(x)) | sign_bit_of(x);
  }

 private:
  static COREPY_INLINE Vec<double> of(Vec<double> a) { return by_table(a); }
  static COREPY_INLINE Vec<float> of(Vec<float> a) {
    if constexpr (HAS_FMA) {
      return by_table(a);
    } else {
      const auto halves = widen(a);
      return narrow(wide(halves.first), wide(halves.second));
    }
  }

  template <class T>
  static COREPY_INLINE Vec<T> by_table(Vec<T> a) {
    using Constants = AtanConstants<T>;
    const Mask<T> steep = a >= Constants::last;
    const Vec<T> bounded = min_of_numbers(Vec<T>(Constants::last),
                                          max_of_numbers(Vec<T>(Constants::first * T(0.9375)), a));
    const auto index = bitcast<Signed_of<T>>(bounded) >> (std::numeric_limits<T>::digits - 2);
    const Vec<T> c = lookup(Constants::tangent, index);
    const Vec<T> w = select(steep, T(-1), a - c) / select(steep, a, multiply_add(a, c, T(1)));
    const Vec<T> w_squared = w * w;
    const auto total = sum_ordered(lookup(Constants::high, index), w);
    const Vec<T> low = total.second + lookup(Constants::low, index);
    const Vec<T> series = polynomial(w_squared, Constants::series);
    return total.first + multiply_add(series, w * w_squared, low);
  }

  // From the nearer axis: 0 or pi / 2.
  static COREPY_INLINE Vec<double> wide(Vec<double> a) {
    const Mask<double> steep = a > 1.0;
    const Vec<double> zero(0.0), one(1.0);
    return angle<Wide>(Direction<double>{select(steep, -one, a), select(steep, a, one), zero,
                                         select(steep, Vec<double>(Arc<Wide>::PI / 2), zero)});
  }
};

struct Atan2 : InTheirType<Atan2> {
  template <class K, class T = typename Arc<K>::element>
  static COREPY_INLINE Vec<T> of(Vec<T> y, Vec<T> x) {
    const Vec<T> value = of_sizes<K>(y, x, abs(y), abs(x));
    const Mask<T> usual = is_usual<K>(y, x);
    if (__builtin_expect(!all(usual), 0)) return select(usual, value, of_extremes<K>(y, x));
    return value;
  }

 private:
  // For arguments whose remainders neither overflow nor underflow.
  template <class K, class T>
  static Mask<T> is_usual(Vec<T> y, Vec<T> x) {
    const Vec<T> larger = max_of_numbers(abs(y), abs(x));
    return (larger <= Vec<T>(Arc<K>::MOST)) & (larger >= Vec<T>(Arc<K>::LEAST));
  }

  template <class K, class T>
  static COREPY_INLINE Vec<T> of_sizes(Vec<T> y, Vec<T> x, Vec<T> y_size, Vec<T> x_size) {
    constexpr T PI = Arc<K>::PI;
    auto d = direction<K>(y_size, x_size);
    // For negative x the angle is measured from pi.
    d.axis = select(is_negative(x), PI - d.axis, d.axis);
    d.numerator = d.numerator ^ sign_bit_of(x);
    return angle<K>(d) ^ sign_bit_of(y);
  }

  // From the nearest axis: 0, pi / 2 and, except for Wide, pi / 4, so that quotients are at most
  // 1/2: at 1 the rounding errors of the polynomial reach half a unit.
  template <class K, class T>
  static COREPY_INLINE Direction<T> direction(Vec<T> y, Vec<T> x) {
    constexpr T right_angle = Arc<K>::PI / 2;
    const Vec<T> zero(T(0));
    if constexpr (Arc<K>::ONE_WORD) {
      const Mask<T> steep = y > x;
      return {select(steep, -x, y), select(steep, y, x), zero, select(steep, right_angle, zero)};
    } else {
      const Mask<T> flat = y + y <= x, steep = y >= x + x;
      const Vec<T> total = y + x;
      return {select(steep, -x, select(flat, y, y - x)), select(steep, y, select(flat, x, total)),
              select(steep | flat, zero, max_of_numbers(x, y) - total + min_of_numbers(x, y)),
              select(steep, right_angle, select(flat, zero, Vec<T>(right_angle / 2)))};
    }
  }

  // Zeros, infinities, and numbers that must be scaled for an exact remainder.
  template <class K, class T>
  __attribute__((noinline)) static Vec<T> of_extremes(Vec<T> y, Vec<T> x) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const Vec<T> zero(T(0)), one(T(1));
    const Vec<T> y_size = abs(y), x_size = abs(x), larger = max_of_numbers(y_size, x_size);
    const Vec<T> scale =
        select(larger > Vec<T>(T(1)), Vec<T>(T(1) / Arc<K>::SCALE), Vec<T>(Arc<K>::SCALE));
    const Mask<T> infinite = larger == infinity;
    Vec<T> y_scaled = y_size * scale, x_scaled = x_size * scale;
    // NaN is kept, even with an infinity.
    y_scaled = select(infinite, select(y_size == infinity, one, y_size * zero), y_scaled);
    x_scaled = select(infinite, select(x_size == infinity, one, x_size * zero), x_scaled);
    x_scaled = select(larger == T(0), one, x_scaled);
    return of_sizes<K>(y, x, y_scaled, x_scaled);
  }
};

// asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)) beyond 1/2, where its derivative goes to infinity.
// The argument of the small asin in both ranges: s + tail.
template <class T>
struct HalfAngle {
  Mask<T> large;
  Vec<T> s, tail;
};
template <class K, class T>
COREPY_INLINE HalfAngle<T> half_angle(Vec<T> x) {
  const Vec<T> magnitude = abs(x);
  const Mask<T> large = magnitude > Vec<T>(T(0.5));
  const Vec<T> z = select(large, (T(1) - magnitude) * T(0.5), magnitude * magnitude);
  const Vec<T> root = sqrt(z);
  const Vec<T> s = select(large, root, magnitude);
  Vec<T> low(T(0));
  if constexpr (!Arc<K>::ONE_WORD) {
    low = remainder(z, root, root) * rough_inverse(root + root);
    low = select(large, low, Vec<T>(T(0)));
  }
  return {large, s, multiply_add(s * z, polynomial(z, Arc<K>::ASIN), low)};
}

// a + t + tail, for |a| >= |t| or a = 0, and small tail.
template <class K, class T>
inline Vec<T> sum_of_three(Vec<T> a, Vec<T> t, Vec<T> tail) {
  if constexpr (Arc<K>::ONE_WORD) {
    return a + (t + tail);
  } else {
    const auto high = sum_ordered(a, t);
    return high.first + (high.second + tail);
  }
}

struct Asin : InTheirType<Asin> {
  template <class K, class T = typename Arc<K>::element>
  static COREPY_INLINE Vec<T> of(Vec<T> x) {
    constexpr T PI = Arc<K>::PI, PI_LOW = Arc<K>::PI_LOW;
    const HalfAngle<T> h = half_angle<K>(x);
    const Vec<T> factor = select(h.large, Vec<T>(T(-2)), T(1));
    const Vec<T> half = select(h.large, PI / 2, Vec<T>(T(0)));
    const Vec<T> half_low = select(h.large, PI_LOW / 2, Vec<T>(T(0)));
    return sum_of_three<K>(half, h.s * factor, multiply_add(h.tail, factor, half_low)) ^
           sign_bit_of(x);
  }
};

// 2 asin(sqrt((1 - x) / 2)) beyond 1/2, pi - acos(-x) below -1/2, pi / 2 - asin(x) between.
struct Acos : InTheirType<Acos> {
  template <class K, class T = typename Arc<K>::element>
  static COREPY_INLINE Vec<T> of(Vec<T> x) {
    constexpr T PI = Arc<K>::PI, PI_LOW = Arc<K>::PI_LOW;
    const HalfAngle<T> h = half_angle<K>(x);
    const Mask<T> left = x<Vec<T>(T(-0.5)), right = x> Vec<T>(T(0.5));
    const Vec<T> axis = select(right, T(0), select(left, Vec<T>(PI), PI / 2));
    const Vec<T> axis_low = select(right, T(0), select(left, Vec<T>(PI_LOW), PI_LOW / 2));
    const Vec<T> factor = select(h.large, Vec<T>(T(2)), T(-1)) ^ sign_bit_of(x);
    return sum_of_three<K>(axis, h.s * factor, multiply_add(h.tail, factor, axis_low));
  }
};

}  // namespace COREPY_TARGET
}  // namespace corepy
