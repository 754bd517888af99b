// The loops of elementwise kernels. An operation is a functor with a static `call` over vectors:
// Vec<T> for real elements, VecComplex<T> for complex ones, and for bool a Mask<T> of as many lanes
// as the other vectors. The loops pass whole vectors for any layout of the operands:
//
//   contiguous   loaded a vector at a time, the last ones with load_first;
//   scalar       (a step of 0) broadcast once;
//   any other    packed, a block at a time, into contiguous memory in cache.
//
// So the arithmetic is the same for every element, independent of its position.
#pragma once

#include <algorithm>
#include <cstring>

#include "complex.hpp"
#include "elements.hpp"
#include "packing.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// ---- elements as vectors

template <class E>
struct ComponentOf {
  using type = E;
};
template <class T>
struct ComponentOf<Complex<T>> {
  using type = T;
};

// A complex number treated as two real ones, in two lanes.
template <class T>
struct TwoReals {
  T real, imag;
};
template <class T>
struct ComponentOf<TwoReals<T>> {
  using type = T;
};
// A complex number of a function whose operands and results are all complex. Their lanes may be
// permuted, in the same way for all of them.
template <class T>
struct AnyOrder {
  T real, imag;
};
template <class T>
struct ComponentOf<AnyOrder<T>> {
  using type = T;
};
template <class T>
inline Complex<T>* numbers(AnyOrder<T>* to) {
  return reinterpret_cast<Complex<T>*>(to);
}
template <class T>
inline const Complex<T>* numbers(const AnyOrder<T>* from) {
  return reinterpret_cast<const Complex<T>*>(from);
}
template <class E>
constexpr ptrdiff_t lanes_of = 1;
template <class T>
constexpr ptrdiff_t lanes_of<TwoReals<T>> = 2;

// The type that determines the number of lanes of a step: of the first operand that is not bool.
template <class... E>
struct LaneOf {
  using type = uint8_t;
};
template <class E, class... Rest>
struct LaneOf<E, Rest...> : std::conditional_t<is_bool<E>, LaneOf<Rest...>, ComponentOf<E>> {};

// Operands of element type E among lanes of type L.
template <class E, class L>
struct OperandVec {
  using type = std::conditional_t<std::is_arithmetic_v<E>, Vec<E>,
                                  VecComplex<typename ComponentOf<E>::type>>;
  static type load(const E* from) { return type::load(from); }
  static type load_first(const E* from, ptrdiff_t n) { return type::load_first(from, n); }
  static type broadcast(E value) { return type(value); }
};
template <class L>
struct OperandVec<Bool, L> {
  using type = Mask<L>;
  static type load(const Bool* from) { return type::from_bools(bytes(from)); }
  static type load_first(const Bool* from, ptrdiff_t n) {
    return type::from_bools_first(bytes(from), n);
  }
  static type broadcast(Bool value) { return type::first(value ? type::size : 0); }

 private:
  static const uint8_t* bytes(const Bool* from) { return reinterpret_cast<const uint8_t*>(from); }
};

template <class T, class L>
struct OperandVec<TwoReals<T>, L> {
  using type = Vec<T>;
  static type load(const TwoReals<T>* from) { return type::load(&from->real); }
  static type load_first(const TwoReals<T>* from, ptrdiff_t n) {
    return type::load_first(&from->real, 2 * n);
  }
  static type broadcast(TwoReals<T> value) {
    TwoReals<T> values[type::size / 2];
    std::fill_n(values, type::size / 2, value);
    return load(values);
  }
};

template <class T, class L>
struct OperandVec<AnyOrder<T>, L> {
  using type = VecComplex<T>;
  static type load(const AnyOrder<T>* from) { return type::template load<false>(numbers(from)); }
  static type load_first(const AnyOrder<T>* from, ptrdiff_t n) {
    return type::template load_first<false>(numbers(from), n);
  }
  static type broadcast(AnyOrder<T> value) { return {Vec<T>(value.real), Vec<T>(value.imag)}; }
};

template <class E, class L>
struct Contiguous {
  const E* from;
  auto load(ptrdiff_t i) const { return OperandVec<E, L>::load(from + i); }
};
template <class V>
struct Broadcast {
  V value;
  V load(ptrdiff_t) const { return value; }
};

template <class V, class E>
inline void write(V value, E* to) {
  value.store(to);
}
template <class T>
inline void write(Vec<T> value, TwoReals<T>* to) {
  value.store(&to->real);
}
template <class T>
inline void write(VecComplex<T> value, AnyOrder<T>* to) {
  value.template store<false>(numbers(to));
}
template <class T>
inline void write(Mask<T> value, Bool* to) {
  store_bools(value, reinterpret_cast<uint8_t*>(to));
}
template <int count, class V, class E>
inline void write_all(const V (&values)[count], E* to) {
#pragma GCC unroll 8
  for (int k = 0; k < count; k++) write(values[k], to + k * (V::size / lanes_of<E>));
}
template <class T>
inline void write_all(const Mask<T> (&values)[4], Bool* to) {
  store_bools(values, reinterpret_cast<uint8_t*>(to));
}
// The first n >= 1 elements of a vector; n = 1 is the most frequent. Others are not inlined: their
// code is long, and the same for many loops.
template <class V, class E>
[[gnu::noinline]] void write_several(V value, E* to, ptrdiff_t n) {
  value.store_first(to, n);
}
template <class T>
[[gnu::noinline]] void write_several(Vec<T> value, TwoReals<T>* to, ptrdiff_t n) {
  value.store_first(&to->real, 2 * n);
}
template <class T>
[[gnu::noinline]] void write_several(VecComplex<T> value, AnyOrder<T>* to, ptrdiff_t n) {
  value.template store_first<false>(numbers(to), n);
}
template <class T>
[[gnu::noinline]] void write_several(Mask<T> value, Bool* to, ptrdiff_t n) {
  store_bools_first(value, reinterpret_cast<uint8_t*>(to), n);
}
template <class V, class E>
inline E first_of(V value, const E*) {
  return value.get(0);
}
template <class T>
inline TwoReals<T> first_of(Vec<T> value, const TwoReals<T>*) {
  return {value.get(0), value.get(1)};
}
template <class T>
inline AnyOrder<T> first_of(VecComplex<T> value, const AnyOrder<T>*) {
  return {value.real.get(0), value.imag.get(0)};  // any order begins with the first
}
template <class T>
inline Bool first_of(Mask<T> value, const Bool*) {
  return bool(bits(value) & 1);
}
template <class V, class E>
inline void write_first(V value, E* to, ptrdiff_t n) {
  if (n == 1) {
    *to = first_of(value, to);
  } else {
    write_several(value, to, n);
  }
}
template <class E, class L>
[[gnu::noinline]] typename OperandVec<E, L>::type load_several(const E* from, ptrdiff_t n) {
  return OperandVec<E, L>::load_first(from, n);
}
// The only element of an input whose step is 0, in all lanes. Broadcasting it costs less than a
// mask.
template <class E, class L>
inline auto load_first(const char* input, ptrdiff_t n, ptrdiff_t step) {
  const E* const from = reinterpret_cast<const E*>(input);
  return n == 1 || step == 0 ? OperandVec<E, L>::broadcast(*from) : load_several<E, L>(from, n);
}

// ---- contiguous output

// The result of F::prepare for a scalar.
template <class P>
struct Prepared : Broadcast<P> {};

// The number of vectors in an iteration of the main loop of F: 4, or 2 of complex numbers, unless F
// declares fewer (`static constexpr int unroll`). One vector is enough for long computations; after
// an operand is prepared the remaining computation is short.
template <class V>
constexpr bool has_parts = false;
template <class T>
constexpr bool has_parts<VecComplex<T>> = true;
template <class Operand>
constexpr bool is_prepared = false;
template <class P>
constexpr bool is_prepared<Prepared<P>> = true;
template <class F, class = void>
constexpr int unroll_of = 4;
template <class F>
constexpr int unroll_of<F, std::void_t<decltype(F::unroll)>> = F::unroll;

// F may have a faster function for usual elements, `usual(mask, inputs...)`, which sets the mask in
// lanes where its results differ from `call`. The main loop then has one branch for all the vectors
// of an iteration, and no function call, across which no vector register is preserved.
template <class Void, class F, class Result, class... In>
constexpr bool has_usual = false;
template <class F, class Result, class... In>
constexpr bool
    has_usual<std::void_t<decltype(F::usual(std::declval<Mask<typename Result::element>&>(),
                                            std::declval<In>()...))>,
              F, Result, In...> = true;

// The main loop, from element i on, while elements are usual; returns the next element.
template <class F, class Result, int unroll, class Out, class... Inputs>
__attribute__((noinline)) ptrdiff_t run_usual(ptrdiff_t i, ptrdiff_t n, Out* out,
                                              Inputs... inputs) {
  constexpr ptrdiff_t size = Result::size;
  for (; i + unroll * size <= n; i += unroll * size) {
    Result results[unroll];
    auto unusual = Mask<typename Result::element>::first(0);
#pragma GCC unroll 8
    for (int k = 0; k < unroll; k++) {
      results[k] = F::usual(unusual, inputs.load(i + k * size)...);
    }
    if (__builtin_expect(any(unusual), false)) break;
    write_all(results, out + i);
  }
  return i;
}

// Prevents the compiler from reordering reads across this point. It would read the lines of an
// unrolled loop in any order, and the hardware prefetcher then detects no stream: an addition from
// memory takes a sixth longer.
inline void in_order() { asm volatile("" ::: "memory"); }

// Prefetches the lines that are written next, for output beyond the first-level cache: the hardware
// prefetches for loads, less so for stores. An addition in the second-level cache takes a sixth
// less time.
constexpr ptrdiff_t BEYOND_FIRST_LEVEL = 24576, PREFETCH_AHEAD = 256;
template <ptrdiff_t nbytes>
inline void prefetch_lines(const void* from) {
#pragma GCC unroll 16
  for (ptrdiff_t offset = 0; offset < nbytes; offset += 64) {
    __builtin_prefetch(static_cast<const char*>(from) + PREFETCH_AHEAD + offset, 1);
  }
}

// out[i] = F(inputs[i]...) for n >= size elements, `size` at once. The last elements, fewer than a
// vector's, are computed in a vector that ends with them. Since its other lanes may be in place, it
// is read before any output is written.
template <class F, ptrdiff_t size, class Out, class... Inputs>
inline void run_vectors(ptrdiff_t n, Out* out, Inputs... inputs) {
  using Result = decltype(F::call(inputs.load(0)...));
  constexpr int most = has_parts<Result> ? 2 : 4;
  constexpr int unroll = (is_prepared<Inputs> || ...) ? 4 : std::min(unroll_of<F>, most);
  const ptrdiff_t last = n - size;
  Result end;
  const bool rest = n % size != 0;
  if (rest) end = F::call(inputs.load(last)...);
  ptrdiff_t i = 0;
  if constexpr (unroll > 1) {
    for (; i + unroll * size <= n; i += unroll * size) {
      if constexpr (has_usual<void, F, Result, decltype(inputs.load(0))...>) {
        i = run_usual<F, Result, unroll>(i, n, out, inputs...);
        if (i + unroll * size > n) break;
      }
      // All are read before any is written: the compiler cannot know that none depends on another.
      Result results[unroll];
#pragma GCC unroll 8
      for (int k = 0; k < unroll; k++) {
        results[k] = F::call(inputs.load(i + k * size)...);
        in_order();
      }
      if (n >= BEYOND_FIRST_LEVEL / ptrdiff_t(sizeof(Out))) {
        prefetch_lines<unroll * size * sizeof(Out)>(out + i);
      }
      write_all(results, out + i);
    }
  }
  for (; i <= last; i += size) write(F::call(inputs.load(i)...), out + i);
  if (rest) write(end, out + last);
}

// Whether F has a `prepare` for a scalar second operand of type E, whose result `call` takes
// instead of a vector. It is not used for few elements.
template <class F, class E, class = void>
constexpr bool prepares = false;
template <class F, class E>
constexpr bool prepares<F, E, std::void_t<decltype(F::prepare(std::declval<E>()))>> = true;
constexpr ptrdiff_t WORTH_PREPARING = 16;

// The inputs of F that may be scalars; other scalars are first repeated in blocks, because each
// combination is a copy of the loops. Of two operands that commute (`template <class E> constexpr
// bool commutes`, of F) it is the second, for which they are exchanged; of three, all but the
// first.
template <class F, class E, class = void>
constexpr bool commutes = false;
template <class F, class E>
constexpr bool commutes<F, E, std::enable_if_t<F::template commutes<E>>> = true;

// Chooses, input by input, between Contiguous and Broadcast. At least one is contiguous.
template <class F, class L, ptrdiff_t size, bool some_contiguous, class Out, class... Operands>
inline void run_operands(Types<>, ptrdiff_t n, Out* out, const char* const*, const ptrdiff_t*,
                         Operands... operands) {
  run_vectors<F, size>(n, out, operands...);
}
template <class F, class L, ptrdiff_t size, bool some_contiguous, class E, class... Rest, class Out,
          class... Operands>
inline void run_operands(Types<E, Rest...>, ptrdiff_t n, Out* out, const char* const* inputs,
                         const ptrdiff_t* steps, Operands... operands) {
  constexpr int number = sizeof...(operands), count = number + 1 + sizeof...(Rest);
  constexpr bool must_be_contiguous = (number + 1 == count && !some_contiguous) ||
                                      (number == 0 && count == 3) ||
                                      (number == 0 && count == 2 && commutes<F, E>);
  const E* from = reinterpret_cast<const E*>(*inputs);
  if (must_be_contiguous || *steps != 0) {
    return run_operands<F, L, size, true>(Types<Rest...>{}, n, out, inputs + 1, steps + 1,
                                          operands..., Contiguous<E, L>{from});
  }
  if constexpr (!must_be_contiguous) {
    if constexpr (number == 1 && prepares<F, E>) {
      if (n >= WORTH_PREPARING) {
        using P = decltype(F::prepare(*from));
        return run_operands<F, L, size, some_contiguous>(Types<Rest...>{}, n, out, inputs + 1,
                                                         steps + 1, operands...,
                                                         Prepared<P>{{F::prepare(*from)}});
      }
    }
    run_operands<F, L, size, some_contiguous>(
        Types<Rest...>{}, n, out, inputs + 1, steps + 1, operands...,
        Broadcast<typename OperandVec<E, L>::type>{OperandVec<E, L>::broadcast(*from)});
  }
}

// Fewer elements than a vector's: a separate function, because it needs few registers.
template <class F, class Out, class... In, size_t... k>
[[gnu::noinline]] void run_few(std::index_sequence<k...>, ptrdiff_t n, Out* out,
                               const char* const* inputs, const ptrdiff_t* steps) {
  using L = typename LaneOf<In...>::type;
  if (n > 0) write_first(F::call(load_first<In, L>(inputs[k], n, steps[k])...), out, n);
}

template <class F, ptrdiff_t size, class Out, class... In>
[[gnu::noinline]] void run_many(ptrdiff_t n, Out* out, const char* const* inputs,
                                const ptrdiff_t* steps) {
  using L = typename LaneOf<In...>::type;
  if constexpr (sizeof...(In) == 2 && (commutes<F, In> && ...)) {
    if (steps[0] == 0) {
      const char* const exchanged[] = {inputs[1], inputs[0]};
      const ptrdiff_t exchanged_steps[] = {steps[1], 0};
      return run_operands<F, L, size, false>(Types<In...>{}, n, out, exchanged, exchanged_steps);
    }
  }
  run_operands<F, L, size, false>(Types<In...>{}, n, out, inputs, steps);
}

// Contiguous output, and inputs that are contiguous or scalars: not all, unless n is 1, and of
// three not the first.
template <class F, class Out, class... In>
void run(ptrdiff_t n, char* to, const char* const* inputs, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = Vec<typename LaneOf<In...>::type>::size / std::max({lanes_of<In>...});
  Out* const out = reinterpret_cast<Out*>(to);
  if (n < size) {
    run_few<F, Out, In...>(std::index_sequence_for<In...>{}, n, out, inputs, steps);
  } else {
    run_many<F, size, Out, In...>(n, out, inputs, steps);
  }
}

// ---- any layout

template <class E>
inline bool is_ready(ptrdiff_t step) {
  return step == sizeof(E) || step == 0;
}

using RunLoop = void (*)(ptrdiff_t n, char* out, const char* const* inputs, const ptrdiff_t* steps);

// Calls `run` directly where it takes the layout, and with packed blocks otherwise. `sizes` are the
// elements' sizes, the output's first.
template <int operands>
[[gnu::noinline]] void strided_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps,
                                    const ptrdiff_t* sizes, RunLoop run) {
  const char* inputs[operands];
  bool one_for_all = true;
  for (int k = 0; k < operands; k++) {
    inputs[k] = data[k + 1];
    one_for_all &= steps[k + 1] == 0;
  }
  if (one_for_all) {
    alignas(64) char result[MAX_ITEMSIZE];
    run(1, result, inputs, steps + 1);
    return fill(sizes[0], n, data[0], steps[0], result);
  }
  const ptrdiff_t block = PACKED_BYTES / *std::max_element(sizes, sizes + operands + 1);
  alignas(64) char packed[operands][PACKED_BYTES];
  alignas(64) char results[PACKED_BYTES];
  ptrdiff_t packed_steps[operands];
  for (int k = 0; k < operands; k++) {
    // Of three operands `run` takes no scalar for the first.
    packed_steps[k] = steps[k + 1] == 0 && !(operands == 3 && k == 0) ? 0 : sizes[k + 1];
  }
  bool pairs = false;  // z.real * z.imag, x[::2] + x[1::2], a[:, 1] - a[:, 0]
  if constexpr (operands > 1) {
    const ptrdiff_t step = steps[1];
    pairs = std::abs(data[2] - data[1]) == sizes[1] && steps[2] == step && sizes[2] == sizes[1] &&
            (step == 2 * sizes[1] || std::abs(step) >= FAR);
  }
  for (ptrdiff_t start = 0; start < n; start += block) {
    const ptrdiff_t length = n - start < block ? n - start : block;
    if constexpr (operands > 1) {
      if (pairs) {
        const int first = data[1] < data[2] ? 0 : 1;
        pack_pairs(sizes[1], length, packed[first], packed[1 - first],
                   data[first + 1] + start * steps[1], steps[1]);
        inputs[0] = packed[0];
        inputs[1] = packed[1];
      }
    }
    for (int k = pairs ? 2 : 0; k < operands; k++) {
      const ptrdiff_t step = steps[k + 1];
      inputs[k] = data[k + 1] + start * step;
      if (step == packed_steps[k]) continue;
      if (k > 0 && inputs[k] == data[1] + start * steps[1] && step == steps[1] &&
          sizes[k + 1] == sizes[1]) {
        inputs[k] = packed[0];  // x * x
        continue;
      }
      pack(sizes[k + 1], length, packed[k], inputs[k], step);
      inputs[k] = packed[k];
    }
    char* const out = data[0] + start * steps[0];
    const bool contiguous = steps[0] == sizes[0];
    run(length, contiguous ? out : results, inputs, packed_steps);
    if (!contiguous) unpack(sizes[0], length, out, steps[0], results);
  }
}

// The kernel of elements of types Out and In by `run`, which is like the function above.
template <RunLoop run, class Out, class... In, size_t... k>
inline void any_loop(std::index_sequence<k...>, ptrdiff_t n, char* const* data,
                     const ptrdiff_t* steps) {
  constexpr int operands = sizeof...(In);
  const bool some_contiguous = operands == 3 ? steps[1] != 0 : ((steps[k + 1] != 0) || ...);
  if (n == 1 ||
      (steps[0] == sizeof(Out) && (is_ready<In>(steps[k + 1]) && ...) && some_contiguous)) {
    // The addresses are read where they are, one by one: a copy of several would be one load, which
    // the processor cannot forward from the stores of a caller that goes from row to row.
    return run(n, data[0], data + 1, steps + 1);
  }
  static constexpr ptrdiff_t sizes[] = {sizeof(Out), sizeof(In)...};
  strided_loop<operands>(n, data, steps, sizes, run);
}

// The kernel of a functor F with an operand for each type `In`.
template <class F, class Out, class... In>
void vector_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  any_loop<run<F, Out, In...>, Out, In...>(std::index_sequence_for<In...>{}, n, data, steps);
  leave_vectors();
}
template <class F, class Out, class In>
constexpr kernel unary_loop = vector_loop<F, Out, In>;
template <class F, class Out, class In>
constexpr kernel binary_loop = vector_loop<F, Out, In, In>;

}  // namespace COREPY_TARGET
}  // namespace corepy
