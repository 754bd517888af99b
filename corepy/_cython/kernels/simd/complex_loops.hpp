// Loops over long functions of complex numbers. The functions are called through a pointer, with
// operands and results in memory: compared with the computation the cost is negligible, and there
// is one loop for all. complex64 is widened and computed in float64.
#pragma once

#include "elements.hpp"
#include "math/complex_parts.hpp"
#include "packing.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// As many complex numbers as a Vec<double> has lanes.
inline Numbers load_numbers(const Complex128* from) { return Numbers::load(from); }
inline void store_numbers(Numbers numbers, Complex128* to) { numbers.store(to); }
inline Numbers load_numbers(const Complex64* from) {
  const auto words = widen(Vec<float>::load(reinterpret_cast<const float*>(from)));
  return {even(words.first, words.second), odd(words.first, words.second)};
}
inline void store_numbers(Numbers numbers, Complex64* to) {
  const auto words = zip(numbers.real, numbers.imag);
  narrow(words.first, words.second).store(reinterpret_cast<float*>(to));
}

// The last elements of a run are computed in a vector padded with its last element.
template <class E>
inline Numbers load_last(const E* from, ptrdiff_t n) {
  if (n == 1) return Complex128{double(from->real), double(from->imag)};
  E elements[Numbers::size];
  for (ptrdiff_t i = 0; i < Numbers::size; i++) elements[i] = from[i < n ? i : n - 1];
  return load_numbers(elements);
}
template <class T>
inline void store_last(Numbers numbers, Complex<T>* to, ptrdiff_t n) {
  if (n == 1 || Numbers::size <= 2) {  // n is less than the size
    *to = {T(numbers.real.get(0)), T(numbers.imag.get(0))};
    return;
  }
  Complex<T> elements[Numbers::size];
  store_numbers(numbers, elements);
  std::memcpy(to, elements, size_t(n) * sizeof(Complex<T>));
}

// f(in, out) for each vector of n numbers; operands that are nullptr are in `in` already.
template <class E, int operands>
inline void run_complex(ComplexFunction f, ptrdiff_t n, E* out, const E* const* from, Numbers* in) {
  Numbers result;
  for (ptrdiff_t i = 0; i < n; i += Numbers::size) {
    const ptrdiff_t left = n - i;
    for (int k = 0; k < operands; k++) {
      if (from[k] == nullptr) continue;
      in[k] = left >= Numbers::size ? load_numbers(from[k] + i) : load_last(from[k] + i, left);
    }
    f(in, &result);
    if (left >= Numbers::size) {
      store_numbers(result, out + i);
    } else {
      store_last(result, out + i, left);
    }
  }
}

template <class E, int operands>
__attribute__((noinline)) void complex_loop(ComplexFunction f, ptrdiff_t n, char* const* data,
                                            const ptrdiff_t* steps) {
  alignas(64) char packed[operands + 1][PACKED_BYTES];
  Numbers in[operands];
  const E* from[operands];
  bool ready = n == 1 || steps[0] == sizeof(E), scalars = true;
  for (int k = 0; k < operands; k++) {
    const ptrdiff_t step = steps[k + 1];
    from[k] = reinterpret_cast<const E*>(data[k + 1]);
    ready &= n == 1 || step == 0 || step == sizeof(E);
    if (step != 0) {
      scalars = false;
    } else {
      in[k] = load_last(from[k], 1);
      from[k] = nullptr;
    }
  }
  if (ready && (n == 1 || !scalars)) {
    return run_complex<E, operands>(f, n, reinterpret_cast<E*>(data[0]), from, in);
  }
  E* const results = reinterpret_cast<E*>(packed[operands]);
  if (scalars) {
    run_complex<E, operands>(f, 1, results, from, in);
    return fill<sizeof(E)>(n, data[0], steps[0], packed[operands]);
  }
  constexpr ptrdiff_t block = PACKED_BYTES / sizeof(E);
  for (ptrdiff_t start = 0; start < n; start += block) {
    const ptrdiff_t length = n - start < block ? n - start : block;
    for (int k = 0; k < operands; k++) {
      const ptrdiff_t step = steps[k + 1];
      if (step == 0) continue;
      pack<sizeof(E)>(length, packed[k], data[k + 1] + start * step, step);
      from[k] = reinterpret_cast<const E*>(packed[k]);
    }
    run_complex<E, operands>(f, length, results, from, in);
    unpack<sizeof(E)>(length, data[0] + start * steps[0], steps[0], packed[operands]);
  }
}

template <class E, int operands, ComplexFunction f>
void complex_kernel(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  complex_loop<E, operands>(f, n, data, steps);
}

// Enters a function of that many operands, for both dtypes.
template <ComplexFunction f, int operands = 1>
inline void set_complex(Kernels& kernels, Operation operation) {
  set<Complex64>(kernels, operation, complex_kernel<Complex64, operands, f>);
  set<Complex128>(kernels, operation, complex_kernel<Complex128, operands, f>);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
