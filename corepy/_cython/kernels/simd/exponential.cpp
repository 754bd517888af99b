// exp and expm1, and the powers of softmax.
#include "math/scheduling.hpp"

#include <limits>

#include "../kernels.hpp"
#include "loops.hpp"
#include "math/exp.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

template <class T>
inline Vec<T> exp(Vec<T> x) {
  if constexpr (AVOIDS_TABLES) {
    return ExpWithoutTable::of(x);
  } else {
    return ExpWithTable::call(x);
  }
}

inline Vec<double> sum_of_lanes(Vec<double> a) { return a; }
inline Vec<double> sum_of_lanes(Vec<float> a) {
  const VecPair<Vec<double>> wide = widen(a);
  return wide.first + wide.second;
}

// Where a NaN is, the sum is NaN; the other powers may be any number.
template <class T>
double exponentiate(ptrdiff_t n, char* numbers) {
  constexpr ptrdiff_t size = Vec<T>::size;
  constexpr T least = -std::numeric_limits<T>::infinity();
  T* const row = reinterpret_cast<T*>(numbers);
  const Mask<T> first = Mask<T>::first(n % size);
  const auto rest = [&] { return Vec<T>::load_first(row + n - n % size, n % size); };
  Vec<T> most = least;
  for (ptrdiff_t i = 0; i + size <= n; i += size)
    most = max_of_numbers(most, Vec<T>::load(row + i));
  if (n % size) most = max_of_numbers(most, select(first, rest(), Vec<T>(least)));
  T lanes[size], largest = least;
  most.store(lanes);
  for (T lane : lanes) largest = lane > largest || lane != lane ? lane : largest;
  const Vec<T> shift = largest == least ? T(0) : largest;
  Vec<double> sum = 0.0;
  for (ptrdiff_t i = 0; i + size <= n; i += size) {
    const Vec<T> power = exp(Vec<T>::load(row + i) - shift);
    power.store(row + i);
    sum = sum + sum_of_lanes(power);
  }
  if (n % size) {
    const Vec<T> power = exp(rest() - shift);
    power.store_first(row + n - n % size, n % size);
    sum = sum + sum_of_lanes(select(first, power, Vec<T>(T(0))));
  }
  double sums[Vec<double>::size], total = 0;
  sum.store(sums);
  for (double lane : sums) total += lane;
  return total;
}

}  // namespace

void fill_exponential(Kernels& kernels) {
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    set<T>(kernels, OP_exp, unary_loop<Exp, T, T>);
    set<T>(kernels, OP_expm1, unary_loop<Expm1, T, T>);
    kernels.exponentiate[dtype_of<T>] = exponentiate<T>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
