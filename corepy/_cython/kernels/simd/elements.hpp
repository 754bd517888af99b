// Loops over single elements, for functors F whose static `call` takes elements and not vectors
// (loops.hpp has those): what no processor has vector instructions for, and what the compiler
// vectorises well enough. Each loop is written once per layout that pays: unit steps and broadcast
// scalars, and any other steps.
#pragma once

#include <algorithm>
#include <cstring>

#include "../types.hpp"

// Promises the compiler that iterations are independent, which the rule for `kernel` (output equal
// to an input, or apart from it) ensures. __restrict__ would promise more than is true when an
// operation works in place.
#if defined(__clang__)
#define COREPY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define COREPY_INDEPENDENT _Pragma("GCC ivdep")
#elif defined(_MSC_VER)
#define COREPY_INDEPENDENT __pragma(loop(ivdep))
#else
#define COREPY_INDEPENDENT
#endif

namespace corepy {
inline namespace COREPY_TARGET {

template <class T>
inline const T& load(const char* address) {
  return *reinterpret_cast<const T*>(address);
}

template <class T>
inline void store(char* address, T value) {
  *reinterpret_cast<T*>(address) = value;
}

// out[i] = element(i), where element reads contiguous operands of type In.
template <class In, class Out, class Element>
inline void fill_each(ptrdiff_t n, Out* out, Element element) {
  ptrdiff_t i = 0;
  if constexpr (is_bool<Out> && (std::is_same_v<In, double> || std::is_same_v<In, Complex128>)) {
    // From 8 bytes to one is too far for the compiler, but it narrows by way of float.
    constexpr ptrdiff_t block = 64;
    float flags[block];
    for (; i + block <= n; i += block) {
      for (ptrdiff_t j = 0; j < block; j++) flags[j] = element(i + j) ? 1.0f : 0.0f;
      for (ptrdiff_t j = 0; j < block; j++) out[i + j] = flags[j] != 0;
    }
  }
  COREPY_INDEPENDENT
  for (; i < n; i++) out[i] = element(i);
}

template <class F, class Out, class In>
void unary_elements(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  const ptrdiff_t out_step = steps[0], step = steps[1];
  if (out_step == sizeof(Out)) {
    Out* out = reinterpret_cast<Out*>(data[0]);
    const In* in = reinterpret_cast<const In*>(data[1]);
    if (step == sizeof(In)) {
      return fill_each<In>(n, out, [=](ptrdiff_t i) { return F::call(in[i]); });
    }
    if (step == 0 && n > 0) {
      std::fill_n(out, n, F::call(*in));
      return;
    }
  }
  char* out = data[0];
  const char* in = data[1];
  for (ptrdiff_t i = 0; i < n; i++, out += out_step, in += step) {
    store<Out>(out, F::call(load<In>(in)));
  }
}

template <class F, class Out, class In>
void binary_elements(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(In);
  const ptrdiff_t step1 = steps[1], step2 = steps[2];
  if (steps[0] == sizeof(Out)) {
    Out* out = reinterpret_cast<Out*>(data[0]);
    const In* x1 = reinterpret_cast<const In*>(data[1]);
    const In* x2 = reinterpret_cast<const In*>(data[2]);
    if (step1 == size && step2 == size) {
      return fill_each<In>(n, out, [=](ptrdiff_t i) { return F::call(x1[i], x2[i]); });
    }
    if (step1 == size && step2 == 0) {
      return fill_each<In>(n, out,
                           [=, scalar = *x2](ptrdiff_t i) { return F::call(x1[i], scalar); });
    }
    if (step1 == 0 && step2 == size) {
      return fill_each<In>(n, out,
                           [=, scalar = *x1](ptrdiff_t i) { return F::call(scalar, x2[i]); });
    }
  }
  char* out = data[0];
  const char* x1 = data[1];
  const char* x2 = data[2];
  const ptrdiff_t out_step = steps[0];
  for (ptrdiff_t i = 0; i < n; i++, out += out_step, x1 += step1, x2 += step2) {
    store<Out>(out, F::call(load<In>(x1), load<In>(x2)));
  }
}

// The kernel with its two inputs exchanged: greater is less, and so on.
template <kernel loop>
void swapped(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  char* const swapped_data[] = {data[0], data[2], data[1]};
  const ptrdiff_t swapped_steps[] = {steps[0], steps[2], steps[1]};
  loop(n, swapped_data, swapped_steps);
}

// Calls body(step) with a step that is a constant when the elements are contiguous, so that one
// text of a reduction serves both layouts and the contiguous one is vectorised.
template <class T, class Body>
inline void with_step(ptrdiff_t step, Body body) {
  if (step == sizeof(T)) {
    body(std::integral_constant<ptrdiff_t, sizeof(T)>{});
  } else {
    body(step);
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
