// A sum of many terms that come one at a time.
#pragma once

#include "types.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline T plus(T a, T b) {
  return a + b;
}
template <class T>
inline Complex<T> plus(Complex<T> a, Complex<T> b) {
  return {a.real + b.real, a.imag + b.imag};
}

// Only sums of equally many terms are added to each other, as far as that goes: the error grows
// with log(n) and not with n. A binary counter: where bit k of the number of terms is set,
// partials[k] is the sum of 2^k of them.
template <class T>
class PairwiseSum {
 public:
  void add(T term) {
    int k = 0;
    for (; count >> k & 1; k++) term = plus(partials[k], term);
    partials[k] = term;
    count++;
  }

  // Of one term or more.
  T total() const {
    int k = 0;
    while (!(count >> k & 1)) k++;
    T sum = partials[k];
    for (k++; count >> k; k++) {
      if (count >> k & 1) sum = plus(partials[k], sum);
    }
    return sum;
  }

 private:
  uint64_t count = 0;
  T partials[63];
};

}  // namespace COREPY_TARGET
}  // namespace corepy
