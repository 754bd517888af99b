// Arithmetic progressions: arange and linspace.
#include "../sequences.hpp"

#include "../kernels.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Integers wrap, so that the sums below are the products first + i * step.
template <class T>
void integers(ptrdiff_t begin, ptrdiff_t end, const Progression& terms, char* out) {
  constexpr ptrdiff_t size = Vec<T>::size;
  T lanes[size];
  const T step = T(terms.whole_step);
  for (ptrdiff_t k = 0; k < size; k++) {
    lanes[k] = T(terms.whole_first + uint64_t(begin + k) * terms.whole_step);
  }
  const Vec<T> stride = T(uint64_t(step) * size);
  Vec<T> v = Vec<T>::load(lanes);
  T* to = reinterpret_cast<T*>(out);
  ptrdiff_t n = end - begin;
  for (; n >= size; n -= size, to += size, v = v + stride) v.store(to);
  v.store_first(to, n);
}

// Numbers of a component or two, as vectors of doubles: the indices count up by whole numbers,
// exactly, and each is multiplied and added once.
template <int components>
struct Doubles {
  static constexpr ptrdiff_t size = Vec<double>::size;
  Vec<double> index, first, step;

  Doubles(ptrdiff_t begin, const Progression& terms) {
    double lanes[3][size];
    for (ptrdiff_t k = 0; k < size; k++) {
      lanes[0][k] = double(begin + k / components);
      lanes[1][k] = terms.first[k % components];
      lanes[2][k] = terms.step[k % components];
    }
    index = Vec<double>::load(lanes[0]);
    first = Vec<double>::load(lanes[1]);
    step = Vec<double>::load(lanes[2]);
  }
  Vec<double> next_index() {
    const Vec<double> now = index;
    index = index + Vec<double>(double(size / components));
    return now;
  }
  Vec<double> next() { return next_index() * step + first; }
};

template <int components>
void doubles(ptrdiff_t begin, ptrdiff_t end, const Progression& terms, char* out) {
  constexpr ptrdiff_t size = Vec<double>::size;
  Doubles<components> numbers(begin, terms);
  double* to = reinterpret_cast<double*>(out);
  ptrdiff_t n = (end - begin) * components;
  for (; n >= size; n -= size, to += size) numbers.next().store(to);
  numbers.next().store_first(to, n);
}

// float32, rounded from float64 at the end, or from the index on.
template <int components, bool wide>
void floats(ptrdiff_t begin, ptrdiff_t end, const Progression& terms, char* out) {
  constexpr ptrdiff_t size = Vec<float>::size;
  Doubles<components> numbers(begin, terms);
  const Vec<float> first = float(terms.first[0]), step = float(terms.step[0]);
  const auto next = [&] {
    if constexpr (wide) {
      const Vec<double> lower = numbers.next();
      return narrow(lower, numbers.next());
    } else {
      const Vec<double> lower = numbers.next_index();
      return narrow(lower, numbers.next_index()) * step + first;
    }
  };
  float* to = reinterpret_cast<float*>(out);
  ptrdiff_t n = (end - begin) * components;
  for (; n >= size; n -= size, to += size) next().store(to);
  next().store_first(to, n);
}

}  // namespace

void fill_sequences(Kernels& kernels) {
  auto& exact = kernels.progressions[0];
  auto& wide = kernels.progressions[1];
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    exact[dtype_of<T>] = exact[dtype_of<std::make_signed_t<T>>] = integers<T>;
  });
  exact[DTYPE_float32] = floats<1, false>;
  exact[DTYPE_float64] = wide[DTYPE_float64] = doubles<1>;
  wide[DTYPE_float32] = floats<1, true>;
  wide[DTYPE_complex64] = floats<2, true>;
  wide[DTYPE_complex128] = doubles<2>;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
