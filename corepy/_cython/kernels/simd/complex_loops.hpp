// Loops over long functions of complex numbers. The functions are called through a pointer, with
// operands and results in memory: compared with the computation the cost is negligible, and there
// is one loop for all. complex64 is widened and computed in float64.
#pragma once

#include "loops.hpp"
#include "math/complex_parts.hpp"
#include "planes.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// The last elements of a run are computed in a vector padded with its last element.
template <class E>
inline Numbers load_last(const E* from, ptrdiff_t n) {
  if (n == 1) return Complex128{double(from->real), double(from->imag)};
  E elements[Numbers::size];
  for (ptrdiff_t i = 0; i < Numbers::size; i++) elements[i] = from[i < n ? i : n - 1];
  return load_as<Numbers>(elements);
}
template <class T>
inline void store_last(Numbers numbers, Complex<T>* to, ptrdiff_t n) {
  if (n == 1 || Numbers::size <= 2) {  // n is less than the size
    *to = {T(numbers.real.get(0)), T(numbers.imag.get(0))};
    return;
  }
  Complex<T> elements[Numbers::size];
  store(numbers, elements);
  std::memcpy(to, elements, size_t(n) * sizeof(Complex<T>));
}

// f(in, out) for each vector of n numbers of contiguous operands, or scalars.
template <class E, class... In>
__attribute__((noinline)) void run_complex(ComplexFunction f, ptrdiff_t n, E* out,
                                           const char* const* inputs, const ptrdiff_t* steps) {
  constexpr int operands = sizeof...(In);
  Numbers in[operands], result;
  const E* from[operands];
  for (int k = 0; k < operands; k++) {
    from[k] = reinterpret_cast<const E*>(inputs[k]);
    if (steps[k] == 0) in[k] = load_last(from[k], 1);
  }
  for (ptrdiff_t i = 0; i < n; i += Numbers::size) {
    const ptrdiff_t left = n - i;
    for (int k = 0; k < operands; k++) {
      if (steps[k] == 0) continue;
      in[k] = left >= Numbers::size ? load_as<Numbers>(from[k] + i) : load_last(from[k] + i, left);
    }
    f(in, &result);
    if (left >= Numbers::size) {
      store(result, out + i);
    } else {
      store_last(result, out + i, left);
    }
  }
}
template <ComplexFunction f, class E, class... In>
void run_function(ptrdiff_t n, char* out, const char* const* inputs, const ptrdiff_t* steps) {
  run_complex<E, In...>(f, n, reinterpret_cast<E*>(out), inputs, steps);
}

template <ComplexFunction f, class E, class... In>
void complex_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  any_loop<run_function<f, E, In...>, E, In...>(std::index_sequence_for<In...>{}, n, data, steps);
  leave_vectors();
}

// Enters a function of that many operands, for both dtypes.
template <ComplexFunction f, int operands = 1>
inline void set_complex(Kernels& kernels, Operation operation) {
  for_each(Complexes{}, [&](auto zero) {
    using E = decltype(zero);
    if constexpr (operands == 1) {
      set<E>(kernels, operation, complex_loop<f, E, E>);
    } else {
      set<E>(kernels, operation, complex_loop<f, E, E, E>);
    }
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
