// Common parts of reductions: passing a tile of any layout to loops over contiguous elements.
//
// A reduction is a class R:
//
//   In, Acc             what its loops take, and its accumulators;
//   run(n, in, about)   -> Acc: n >= 1 contiguous elements;
//   rows(width, n, in, step, acc, about)   `width` accumulators, each from the n elements of a
//                       column; rows are contiguous and `step` bytes apart;
//   Acc merge(a, b)     of elements before and after.
//
// Elements in memory may have another type, from which they are converted (reading.hpp). The code
// between tile and loops is the same for all reductions and compiled once (reductions.cpp).
#pragma once

#include "elements.hpp"
#include "reading.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Properties of a tile besides its elements.
template <class Acc>
struct About {
  const Acc* centers;
  int64_t index;
  ptrdiff_t index_step;
};

constexpr ptrdiff_t WIDE_ROW = 64;    // least elements of a row that is not merged with others
constexpr ptrdiff_t MAX_WIDE = 1024;  // accumulators of a tile

// Prefetches memory that a loop over `bytes` from here reads later. Hardware does so only up to the
// end of a page: with this sums of 10^6 float64 take 0.7 of the time.
constexpr ptrdiff_t AHEAD = 4096;
constexpr ptrdiff_t WORTH_ASKING = 16384;  // bytes of a run
[[gnu::always_inline]] inline void prefetch(const void* from, ptrdiff_t bytes) {
  const char* const ahead = static_cast<const char*>(from) + AHEAD;
  for (ptrdiff_t i = 0; i < bytes; i += 64) __builtin_prefetch(ahead + i);
}

// A reduction's loops, for the drivers, which address elements and accumulators by their sizes.
using AnyAbout = About<char>;
struct ReductionLoops {
  Reader reader;
  ptrdiff_t accumulator;  // bytes
  // Whether elements of a result should be accumulated in order.
  bool in_order;
  void (*run)(ptrdiff_t n, const char* in, char* acc, const AnyAbout& about);
  void (*rows)(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, char* acc,
               const AnyAbout& about);
  void (*merge)(ptrdiff_t n, char* accumulators, const char* others);
  // Adds an offset to the indices in accumulators; nullptr: they have none.
  void (*advance)(ptrdiff_t n, char* accumulators, ptrdiff_t by);
};
void accumulate_tile(const Tile& tile, char* accumulators, const ReductionLoops& loops);

template <class Acc>
inline About<Acc> about_of(const AnyAbout& about) {
  return {reinterpret_cast<const Acc*>(about.centers), about.index, about.index_step};
}
template <class R>
void run_any(ptrdiff_t n, const char* in, char* acc, const AnyAbout& about) {
  using Acc = typename R::Acc;
  store<Acc>(acc, R::run(n, reinterpret_cast<const typename R::In*>(in), about_of<Acc>(about)));
}
template <class R>
void rows_any(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, char* acc,
              const AnyAbout& about) {
  using Acc = typename R::Acc;
  R::rows(width, n, in, step, reinterpret_cast<Acc*>(acc), about_of<Acc>(about));
}
template <class R>
void merge(ptrdiff_t n, char* accumulators, const char* others) {
  auto* const acc = reinterpret_cast<typename R::Acc*>(accumulators);
  const auto* const other = reinterpret_cast<const typename R::Acc*>(others);
  for (ptrdiff_t i = 0; i < n; i++) acc[i] = R::merge(acc[i], other[i]);
}
template <class R>
void advance(ptrdiff_t n, char* accumulators, ptrdiff_t by) {
  auto* const acc = reinterpret_cast<typename R::Acc*>(accumulators);
  for (ptrdiff_t i = 0; i < n; i++) acc[i].index += by;
}

template <class R, class Source>
constexpr ReductionLoops loops_of() {
  ReductionLoops loops = {reader<typename R::In, Source>(),
                          sizeof(typename R::Acc),
                          R::in_order,
                          run_any<R>,
                          rows_any<R>,
                          merge<R>,
                          nullptr};
  if constexpr (R::has_index) loops.advance = advance<R>;
  return loops;
}
template <class R, class Source>
void accumulate(const Tile& tile, char* accumulators) {
  static constexpr ReductionLoops loops = loops_of<R, Source>();
  accumulate_tile(tile, accumulators, loops);
}

// F::call(accumulator, divisor) -> a result.
template <class F, class Out, class Acc>
void finish(ptrdiff_t n, char* out, ptrdiff_t out_step, const char* accumulators, double divisor) {
  const auto* const acc = reinterpret_cast<const Acc*>(accumulators);
  for (ptrdiff_t i = 0; i < n; i++) {
    store<Out>(out + i * out_step, F::template call<Out>(acc[i], divisor));
  }
}

struct AsItIs {
  template <class Out, class Acc>
  static Out call(Acc acc, double) {
    return Out(acc);
  }
};

template <class R, class F = AsItIs, class Out = typename R::Acc, class Source = typename R::In>
constexpr Reduction reduction() {
  return {sizeof(typename R::Acc), accumulate<R, Source>, merge<R>, finish<F, Out, typename R::Acc>,
          nullptr};
}

// The base of reductions.
template <class I, class A>
struct ReductionOf {
  using In = I;
  using Acc = A;
  static constexpr bool in_order = false;
  static constexpr bool has_index = false;  // whether accumulators have indices
};

template <class T>
void set(Kernels& kernels, Operation operation, Reduction reduction) {
  kernels.reductions[operation][dtype_of<T>] = reduction;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
