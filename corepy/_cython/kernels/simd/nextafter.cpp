// nextafter, spacing, ldexp.
#include "loops.hpp"
#include "math/polynomial.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// As integers, the numbers of one sign are in the order of their magnitudes.
struct NextAfter {
  template <class T>
  static Vec<T> call(Vec<T> x1, Vec<T> x2) {
    using S = Signed_of<T>;
    const Mask<T> away_from_zero = (x2 > x1) ^ is_negative(x1);
    const Vec<S> step = select(mask_cast<S>(away_from_zero), Vec<S>(S(1)), S(-1));
    const Vec<T> next = bitcast<T>(bitcast<S>(x1) + step);
    const Vec<T> smallest = sign_bit_of(x2) | std::numeric_limits<T>::denorm_min();
    const Vec<T> other = select(x1 == T(0), smallest, next);
    const Mask<T> ordered = (x1 == x1) & (x2 == x2);
    return select(ordered, select(x1 == x2, x2, other), x1 + x2);
  }
};

// The distance to the next number of greater magnitude, with the sign of x.
struct Spacing {
  template <class T>
  static Vec<T> call(Vec<T> x) {
    using S = Signed_of<T>;
    const Vec<T> size = abs(x);
    const Vec<T> step = bitcast<T>(bitcast<S>(size) + S(1)) - size;
    const Vec<T> finite = select(x < T(0), -step, step);
    return select(size < std::numeric_limits<T>::infinity(), finite, x - x);
  }
};

// x 2^exponent for the integral part of the exponent, rounded once: products in steps, the last of
// which alone can be subnormal.
struct Ldexp {
  template <class T>
  static Vec<T> call(Vec<T> x, Vec<T> exponent) {
    using limits = std::numeric_limits<T>;
    constexpr int greatest = limits::max_exponent - 1, least = limits::min_exponent - 1;
    constexpr int down = least + limits::digits;
    const Vec<T> up_step = power_of_two<T>(Vec<T>(T(greatest)));
    const Vec<T> down_step = power_of_two<T>(Vec<T>(T(down)));
    const Mask<T> ordered = exponent == exponent;
    exponent = select(ordered, trunc(exponent), T(0));
    x = select(ordered, x, std::numeric_limits<T>::quiet_NaN());
    for (int k = 0; k < 2; k++) {
      const Mask<T> above = exponent > T(greatest), below = exponent < T(least);
      x = select(above, x * up_step, select(below, x * down_step, x));
      exponent = select(above, exponent - T(greatest), select(below, exponent - T(down), exponent));
    }
    exponent = max_of_numbers(min_of_numbers(exponent, Vec<T>(T(greatest))), Vec<T>(T(least)));
    return x * power_of_two<T>(exponent);
  }

  // 2^exponent of an integer within the range of normal numbers.
  template <class T>
  static Vec<T> power_of_two(Vec<T> exponent) {
    using S = Signed_of<T>;
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    // The lowest bits of 1.5 2^digits + n are those of n.
    constexpr T shift = T(3) * T(S(1) << (digits - 1));
    const Vec<S> n = bitcast<S>(exponent + shift) - bitcast<S>(Vec<T>(shift));
    return bitcast<T>((n + S(std::numeric_limits<T>::max_exponent - 1)) << digits);
  }
};

template <class T>
void fill_neighbours(Kernels& kernels) {
  set<T>(kernels, OP_nextafter, binary_loop<NextAfter, T, T>);
  set<T>(kernels, OP_spacing, unary_loop<Spacing, T, T>);
  set<T>(kernels, OP_ldexp, binary_loop<Ldexp, T, T>);
}

// The same of halves, one at a time: neighbours are of the dtype itself, not of float32.
template <class H>
struct HalfNeighbours {
  static uint16_t next(uint16_t x1, uint16_t x2) {
    H a, b;
    a.bits = x1, b.bits = x2;
    if (a != a || b != b) return H(float(a) + float(b)).bits;
    if (float(a) == float(b)) return x2;
    if (float(a) == 0) return uint16_t((x2 & 0x8000) | 1);
    return uint16_t(x1 + ((float(b) > float(a)) == (x1 < 0x8000) ? 1 : -1));
  }
  static uint16_t spacing(uint16_t x) {
    H given, size, above;
    given.bits = x, size.bits = x & 0x7FFF;
    above.bits = uint16_t(size.bits + 1);
    const float step = float(above) - float(size);
    if (!(float(size) < std::numeric_limits<float>::infinity())) return H(size - size).bits;
    return H(given < 0.0f ? -step : step).bits;
  }

  static void next_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
    for (ptrdiff_t i = 0; i < n; i++) {
      *word(data[0], i * steps[0]) =
          next(*word(data[1], i * steps[1]), *word(data[2], i * steps[2]));
    }
  }
  static void spacing_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
    for (ptrdiff_t i = 0; i < n; i++) {
      *word(data[0], i * steps[0]) = spacing(*word(data[1], i * steps[1]));
    }
  }
  static uint16_t* word(char* start, ptrdiff_t offset) {
    return reinterpret_cast<uint16_t*>(start + offset);
  }
};

}  // namespace

void fill_nextafter(Kernels& kernels) {
  fill_neighbours<float>(kernels);
  fill_neighbours<double>(kernels);
  for_each(Halves{}, [&](auto zero) {
    using H = decltype(zero);
    set<H>(kernels, OP_nextafter, HalfNeighbours<H>::next_loop);
    set<H>(kernels, OP_spacing, HalfNeighbours<H>::spacing_loop);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
