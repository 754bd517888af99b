// Transforms of a few complex numbers, each a vector: the parts of a pass of a long transform.
// Forward, in place, in order.
#pragma once

#include "complex.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// a * -i
template <class T>
COREPY_INLINE VecComplex<T> quarter_turn(VecComplex<T> a) {
  return {a.imag, -a.real};
}

template <class T>
COREPY_INLINE void butterfly_2(VecComplex<T>& a, VecComplex<T>& b) {
  const VecComplex<T> sum = a + b;
  b = a - b;
  a = sum;
}

template <class T>
COREPY_INLINE void butterfly_4(VecComplex<T>& a, VecComplex<T>& b, VecComplex<T>& c,
                               VecComplex<T>& d) {
  butterfly_2(a, c);
  butterfly_2(b, d);
  const VecComplex<T> turn = quarter_turn(d);
  const VecComplex<T> second = c + turn, last = c - turn, third = a - b;
  a = a + b;
  b = second;
  c = third;
  d = last;
}

template <class T>
COREPY_INLINE void butterfly_8(VecComplex<T>* a) {
  constexpr T root = T(0.70710678118654752440084436210485L);
  VecComplex<T> e[4] = {a[0], a[2], a[4], a[6]}, o[4] = {a[1], a[3], a[5], a[7]};
  butterfly_4(e[0], e[1], e[2], e[3]);
  butterfly_4(o[0], o[1], o[2], o[3]);
  a[0] = e[0] + o[0];
  a[4] = e[0] - o[0];
  const VecComplex<T> turn = quarter_turn(o[2]);
  a[2] = e[2] + turn;
  a[6] = e[2] - turn;
  // Times (1 - i) / sqrt(2), and that times -i.
  const auto add_turned = [&](int j, Vec<T> real, Vec<T> imag) {
    const Vec<T> plus(root), minus(-root);
    a[j] = {multiply_add(real, plus, e[j].real), multiply_add(imag, plus, e[j].imag)};
    a[j + 4] = {multiply_add(real, minus, e[j].real), multiply_add(imag, minus, e[j].imag)};
  };
  add_turned(1, o[1].real + o[1].imag, o[1].imag - o[1].real);
  add_turned(3, o[3].imag - o[3].real, -(o[3].real + o[3].imag));
}

// For an odd number r: r is R, or the argument if R is 0. The sums and differences of numbers k and
// r - k halve the number of products.
template <int R, class T>
COREPY_INLINE void butterfly_odd(VecComplex<T>* a, int radix, const T* roots) {
  const int r = R ? R : radix, half = (r - 1) / 2;
  const T *const cosines = roots, *const sines = roots + r;
  VecComplex<T> sum[R ? (R + 1) / 2 : (MAX_RADIX + 1) / 2],
      difference[R ? (R + 1) / 2 : (MAX_RADIX + 1) / 2];
  VecComplex<T> total = a[0];
  for (int k = 1; k <= half; k++) {
    sum[k] = a[k] + a[r - k];
    difference[k] = a[k] - a[r - k];
    total = total + sum[k];
  }
  const VecComplex<T> first = a[0];
  for (int j = 1; j <= half; j++) {
    VecComplex<T> even = first, odd;
    int index = j;
    for (int k = 1; k <= half; k++) {
      const Vec<T> c(cosines[index]), s(sines[index]);
      even = {multiply_add(sum[k].real, c, even.real), multiply_add(sum[k].imag, c, even.imag)};
      odd = k == 1 ? VecComplex<T>(difference[k].real * s, difference[k].imag * s)
                   : VecComplex<T>(multiply_add(difference[k].real, s, odd.real),
                                   multiply_add(difference[k].imag, s, odd.imag));
      index += j;
      if (index >= r) index -= r;
    }
    const VecComplex<T> turn = quarter_turn(odd);
    a[j] = even + turn;
    a[r - j] = even - turn;
  }
  a[0] = total;
}

template <int R, class T>
COREPY_INLINE void butterfly(VecComplex<T>* a, int radix, const T* roots) {
  if constexpr (R == 2) {
    butterfly_2(a[0], a[1]);
  } else if constexpr (R == 4) {
    butterfly_4(a[0], a[1], a[2], a[3]);
  } else if constexpr (R == 8) {
    butterfly_8(a);
  } else {
    butterfly_odd<R>(a, radix, roots);
  }
}

// The elements of R vectors interleaved: a[0][0], a[1][0], ..., a[0][1], ...
template <int R, class T>
COREPY_INLINE void interleave(Vec<T>* a) {
  if constexpr (R > 1) {
    Vec<T> even[R / 2], odd[R / 2];
    for (int i = 0; i < R / 2; i++) {
      even[i] = a[2 * i];
      odd[i] = a[2 * i + 1];
    }
    interleave<R / 2>(even);
    interleave<R / 2>(odd);
    for (int i = 0; i < R / 2; i++) {
      const VecPair<Vec<T>> pair = zip(even[i], odd[i]);
      a[2 * i] = pair.first;
      a[2 * i + 1] = pair.second;
    }
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
