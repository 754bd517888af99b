// Sums of products of two sequences, for convolutions and correlations.
#include "../convolution.hpp"

#include "../kernels.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Products that are added one after the other; sums of so many are then added to the others.
constexpr ptrdiff_t TERMS = 256;

// `count` vectors of sums. The order of additions is the same on every instruction set.
template <int count, class T>
inline void sums_of(const T* a, ptrdiff_t m, const T* v, T* out) {
  constexpr ptrdiff_t size = Vec<T>::size;
  Vec<T> totals[count];
  const T* const last = a + (m - 1);
  for (ptrdiff_t begin = 0; begin < m; begin += TERMS) {
    const ptrdiff_t end = m - begin < TERMS ? m : begin + TERMS;
    Vec<T> sums[count];
    for (int k = 0; k < count; k++) sums[k] = Vec<T>::load(last + k * size - begin) * v[begin];
    for (ptrdiff_t j = begin + 1; j < end; j++) {
      const Vec<T> factor = v[j];
#pragma GCC unroll 8
      for (int k = 0; k < count; k++) {
        sums[k] = sums[k] + Vec<T>::load(last + k * size - j) * factor;
      }
    }
    for (int k = 0; k < count; k++) totals[k] = begin ? totals[k] + sums[k] : sums[k];
  }
  for (int k = 0; k < count; k++) totals[k].store(out + k * size);
}

template <class T>
void convolve_loop(ptrdiff_t n, const char* a_bytes, ptrdiff_t m, const char* v_bytes,
                   char* out_bytes) {
  constexpr ptrdiff_t size = Vec<T>::size;
  constexpr int wide = 6;
  using Sum = std::conditional_t<std::is_integral_v<T>, Word<T>, T>;
  const T* const a = reinterpret_cast<const T*>(a_bytes);
  const T* const v = reinterpret_cast<const T*>(v_bytes);
  T* const out = reinterpret_cast<T*>(out_bytes);
  ptrdiff_t i = 0;
  for (; i + wide * size <= n; i += wide * size) sums_of<wide>(a + i, m, v, out + i);
  for (; i + size <= n; i += size) sums_of<1>(a + i, m, v, out + i);
  if (i < n && n >= size) return sums_of<1>(a + n - size, m, v, out + n - size);
  for (; i < n; i++) {
    Sum total = 0;
    for (ptrdiff_t begin = 0; begin < m; begin += TERMS) {
      const ptrdiff_t end = m - begin < TERMS ? m : begin + TERMS;
      Sum sum = Sum(a[i + m - 1 - begin]) * Sum(v[begin]);
      for (ptrdiff_t j = begin + 1; j < end; j++) sum += Sum(a[i + m - 1 - j]) * Sum(v[j]);
      total = begin ? total + sum : sum;
    }
    out[i] = T(total);
  }
}

}  // namespace

void fill_convolutions(Kernels& kernels) {
  const auto enter = [&](auto zero) {
    using T = decltype(zero);
    kernels.convolutions.convolve[dtype_of<T>] = convolve_loop<T>;
  };
  for_each(Floats{}, enter);
  for_each(Types<int32_t, uint32_t, int64_t, uint64_t>{}, enter);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
