// The loops that elementwise kernels are made of. An operation is a functor with a static `call`
// over Vec<T>; these loops feed it whole vectors, whatever the layout of the operands:
//
//   contiguous   loaded a vector at a time, the last ones with load_first;
//   scalar       (a step of 0) broadcast once;
//   any other    packed, a block at a time, into contiguous memory in cache.
//
// So every element goes through the same arithmetic, wherever it lies.
#pragma once

#include "elements.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Elements per block of packed operands: 4 KiB of the widest.
constexpr ptrdiff_t PACKED = 512;

// An operand as a vector functor sees it. Bool operands are masks, and are loaded by a loop that
// knows the size of the elements that they meet; everything else is a Vec.
template <class T>
struct Contiguous {
  const T* from;
  Vec<T> load(ptrdiff_t i) const { return Vec<T>::load(from + i); }
  // One element is the most frequent number of them, and broadcasting it costs less than a mask.
  Vec<T> load_first(ptrdiff_t i, ptrdiff_t n) const {
    return n == 1 ? Vec<T>(from[i]) : Vec<T>::load_first(from + i, n);
  }
};
template <class T>
struct Broadcast {
  Vec<T> value;
  Vec<T> load(ptrdiff_t) const { return value; }
  Vec<T> load_first(ptrdiff_t, ptrdiff_t) const { return value; }
};

template <class T>
inline void write(Vec<T> value, T* to) {
  value.store(to);
}
template <class T>
inline void write(Mask<T> value, Bool* to) {
  store_bools(value, reinterpret_cast<uint8_t*>(to));
}
template <class T>
inline void write_first(Vec<T> value, T* to, ptrdiff_t n) {
  if (n == 1) {
    *to = value.get(0);
  } else {
    value.store_first(to, n);
  }
}
template <class T>
inline void write_first(Mask<T> value, Bool* to, ptrdiff_t n) {
  if (n == 1) {
    *to = bool(bits(value) & 1);
  } else {
    store_bools_first(value, reinterpret_cast<uint8_t*>(to), n);
  }
}

// How many vectors the main loop of F takes at once: 4, unless F says otherwise (`static constexpr
// int unroll`). Long computations keep the processor busy with one.
template <class F, class = void>
constexpr int unroll_of = 4;
template <class F>
constexpr int unroll_of<F, std::void_t<decltype(F::unroll)>> = F::unroll;

// out[i] = F(inputs[i]) for contiguous output. `In` decides how many lanes a step has.
template <class F, class Out, class In, class... Inputs>
inline void run_vectors(ptrdiff_t n, Out* out, Inputs... inputs) {
  constexpr ptrdiff_t size = Vec<In>::size;
  constexpr int unroll = unroll_of<F>;
  ptrdiff_t i = 0;
  if constexpr (unroll > 1) {
    for (; i + unroll * size <= n; i += unroll * size) {
      // All are read before any is written: the compiler cannot know that none depends on another.
      decltype(F::call(inputs.load(0)...)) results[unroll];
#pragma GCC unroll 8
      for (int k = 0; k < unroll; k++) results[k] = F::call(inputs.load(i + k * size)...);
#pragma GCC unroll 8
      for (int k = 0; k < unroll; k++) write(results[k], out + i + k * size);
    }
  }
  for (; i + size <= n; i += size) write(F::call(inputs.load(i)...), out + i);
  if (i < n) write_first(F::call(inputs.load_first(i, n - i)...), out + i, n - i);
}

// Copies n elements with a step into contiguous memory, and back.
template <class T>
inline void pack(ptrdiff_t n, T* out, const char* in, ptrdiff_t step) {
  for (ptrdiff_t i = 0; i < n; i++) out[i] = load<T>(in + i * step);
}
template <class T>
inline void unpack(ptrdiff_t n, char* out, ptrdiff_t step, const T* in) {
  for (ptrdiff_t i = 0; i < n; i++) store<T>(out + i * step, in[i]);
}

template <class F, class Out, class In>
void unary_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (steps[0] == sizeof(Out) && steps[1] == sizeof(In)) {
    return run_vectors<F, Out, In>(n, reinterpret_cast<Out*>(data[0]),
                                   Contiguous<In>{reinterpret_cast<const In*>(data[1])});
  }
  if (steps[1] == 0 && n > 1) {  // one element, computed once
    alignas(64) Out value;
    run_vectors<F, Out, In>(1, &value, Broadcast<In>{load<In>(data[1])});
    for (ptrdiff_t i = 0; i < n; i++) store<Out>(data[0] + i * steps[0], value);
    return;
  }
  alignas(64) In packed[PACKED];
  alignas(64) Out results[PACKED];
  for (ptrdiff_t start = 0; start < n; start += PACKED) {
    const ptrdiff_t length = n - start < PACKED ? n - start : PACKED;
    char* const out = data[0] + start * steps[0];
    pack(length, packed, data[1] + start * steps[1], steps[1]);
    if (steps[0] == sizeof(Out)) {
      run_vectors<F, Out, In>(length, reinterpret_cast<Out*>(out), Contiguous<In>{packed});
    } else {
      run_vectors<F, Out, In>(length, results, Contiguous<In>{packed});
      unpack(length, out, steps[0], results);
    }
  }
}

// Contiguous output, and inputs that are contiguous or scalars.
template <class F, class Out, class In>
inline void binary_run(ptrdiff_t n, Out* out, const char* x1, ptrdiff_t step1, const char* x2,
                       ptrdiff_t step2) {
  const Contiguous<In> a{reinterpret_cast<const In*>(x1)}, b{reinterpret_cast<const In*>(x2)};
  if (step1 != 0 && step2 != 0) return run_vectors<F, Out, In>(n, out, a, b);
  if (step1 != 0) return run_vectors<F, Out, In>(n, out, a, Broadcast<In>{load<In>(x2)});
  if (step2 != 0) return run_vectors<F, Out, In>(n, out, Broadcast<In>{load<In>(x1)}, b);
  run_vectors<F, Out, In>(n, out, Broadcast<In>{load<In>(x1)}, Broadcast<In>{load<In>(x2)});
}

template <class F, class Out, class In>
void binary_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(In);
  const bool ready1 = steps[1] == size || steps[1] == 0, ready2 = steps[2] == size || steps[2] == 0;
  if (steps[0] == sizeof(Out) && ready1 && ready2) {
    return binary_run<F, Out, In>(n, reinterpret_cast<Out*>(data[0]), data[1], steps[1], data[2],
                                  steps[2]);
  }
  alignas(64) In packed1[PACKED], packed2[PACKED];
  alignas(64) Out results[PACKED];
  for (ptrdiff_t start = 0; start < n; start += PACKED) {
    const ptrdiff_t length = n - start < PACKED ? n - start : PACKED;
    char* const out = data[0] + start * steps[0];
    const char* x1 = data[1] + start * steps[1];
    const char* x2 = data[2] + start * steps[2];
    if (!ready1) {
      pack(length, packed1, x1, steps[1]);
      x1 = reinterpret_cast<const char*>(packed1);
    }
    if (!ready2) {
      pack(length, packed2, x2, steps[2]);
      x2 = reinterpret_cast<const char*>(packed2);
    }
    if (steps[0] == sizeof(Out)) {
      binary_run<F, Out, In>(length, reinterpret_cast<Out*>(out), x1, steps[1], x2, steps[2]);
    } else {
      binary_run<F, Out, In>(length, results, x1, steps[1], x2, steps[2]);
      unpack(length, out, steps[0], results);
    }
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
