// What reductions have in common: how a tile of any layout gets to loops over contiguous elements.
//
// A reduction is a class R:
//
//   Source, In, Acc     the elements in memory, what its loops take, and its accumulators;
//   In read(Source)     from one to the other;
//   run(n, in, about)   -> Acc: n >= 1 contiguous elements;
//   rows(width, n, in, step, acc, about)   `width` accumulators, each from the n elements of a
//                       column; rows are contiguous and `step` bytes apart;
//   Acc merge(a, b)     of elements before and after.
//
// There are four ways through a tile: long contiguous runs; wide contiguous rows; contiguous rows
// that are too narrow for vectors, many of which are treated as one wide row; and anything else,
// which is packed into rows in cache first.
#pragma once

#include "elements.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// What a tile is about besides its elements.
template <class Acc>
struct About {
  const Acc* centers;
  int64_t index;
  ptrdiff_t index_step;
};

inline ptrdiff_t distance(ptrdiff_t step) { return step < 0 ? -step : step; }

constexpr ptrdiff_t SHORT_RUN = 16;     // elements up to which runs are taken across, many at once
constexpr ptrdiff_t WIDE_ROW = 64;      // elements from which a row is taken as it is
constexpr ptrdiff_t MOST_WIDE = 1024;   // the most accumulators of a tile
constexpr ptrdiff_t PACKED_BOX = 2048;  // elements that are packed at once

// Asks for memory that a loop over `bytes` from here will come to later. Processors do so by
// themselves, but not beyond the end of a page: sums of 10^6 float64 take 0.7 of the time with it.
constexpr ptrdiff_t AHEAD = 4096;
constexpr ptrdiff_t WORTH_ASKING = 16384;  // bytes of a run
inline void prefetch(const void* from, ptrdiff_t bytes) {
  const char* const ahead = static_cast<const char*>(from) + AHEAD;
  for (ptrdiff_t i = 0; i < bytes; i += 64) __builtin_prefetch(ahead + i);
}

// Not inlined, since each is called from several places.
template <class R>
[[gnu::noinline]] typename R::Acc contiguous_run(ptrdiff_t n, const typename R::In* in,
                                                 About<typename R::Acc> about) {
  return R::run(n, in, about);
}
template <class R>
[[gnu::noinline]] void contiguous_rows(ptrdiff_t width, ptrdiff_t n, const void* in, ptrdiff_t step,
                                       typename R::Acc* acc, About<typename R::Acc> about) {
  R::rows(width, n, static_cast<const char*>(in), step, acc, about);
}

// Contiguous columns that are narrow: `groups` rows are taken as one, and their accumulators merged
// in the end.
template <class R>
[[gnu::noinline]] void narrow_rows(ptrdiff_t width, ptrdiff_t n, const typename R::In* in,
                                   typename R::Acc* acc, About<typename R::Acc> about) {
  using Acc = typename R::Acc;
  const ptrdiff_t row = width * ptrdiff_t(sizeof(typename R::In));
  ptrdiff_t groups = 1;
  while (!R::in_order && 2 * groups * width <= 4 * WIDE_ROW && 4 * groups <= n) groups *= 2;
  if (groups == 1) return contiguous_rows<R>(width, n, in, row, acc, about);
  const ptrdiff_t wide = groups * width, rows = n / groups, left = n % groups;
  Acc together[4 * WIDE_ROW], centers[4 * WIDE_ROW];
  if (about.centers) {
    for (ptrdiff_t i = 0; i < wide; i++) centers[i] = about.centers[i % width];
  }
  contiguous_rows<R>(wide, rows, in, groups * row, together,
                     {about.centers ? centers : nullptr, about.index, groups * about.index_step});
  for (ptrdiff_t i = 0; i < wide; i++) R::advance(together[i], i / width * about.index_step);
  for (ptrdiff_t half = wide / 2; half >= width; half /= 2) {
    for (ptrdiff_t i = 0; i < half; i++) together[i] = R::merge(together[i], together[half + i]);
  }
  for (ptrdiff_t i = 0; i < width; i++) acc[i] = together[i];
  if (left > 0) {
    contiguous_rows<R>(
        width, left, in + rows * wide, row, together,
        {about.centers, about.index + rows * groups * about.index_step, about.index_step});
    for (ptrdiff_t i = 0; i < width; i++) acc[i] = R::merge(acc[i], together[i]);
  }
}

template <class R>
[[gnu::noinline]] void read_run(ptrdiff_t n, typename R::In* out, const char* in, ptrdiff_t step) {
  using Source = typename R::Source;
  const auto read = [&](auto step) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = R::read(load<Source>(in + i * step));
  };
  // A step that is known can be vectorised.
  if (step == 0) {
    read(std::integral_constant<ptrdiff_t, 0>{});
  } else if (step == 2 * sizeof(Source)) {
    read(std::integral_constant<ptrdiff_t, 2 * sizeof(Source)>{});
  } else {
    with_step<Source>(step, read);
  }
}

// Columns of any layout.
template <class R>
[[gnu::noinline]] void packed_rows(const Tile& tile, typename R::Acc* acc,
                                   About<typename R::Acc> about) {
  using In = typename R::In;
  alignas(64) In box[PACKED_BOX];
  typename R::Acc part[MOST_WIDE];
  const ptrdiff_t most = PACKED_BOX / SHORT_RUN;
  for (ptrdiff_t k = 0; k < tile.kept; k += most) {
    const ptrdiff_t width = tile.kept - k < most ? tile.kept - k : most;
    const ptrdiff_t height = PACKED_BOX / width;
    const auto* centers = about.centers ? about.centers + k : nullptr;
    for (ptrdiff_t r = 0; r < tile.n; r += height) {
      const ptrdiff_t rows = tile.n - r < height ? tile.n - r : height;
      const char* const in = tile.in + k * tile.kept_step + r * tile.step;
      if (distance(tile.step) < distance(tile.kept_step) && rows > width) {
        for (ptrdiff_t j = 0; j < width; j++) {
          for (ptrdiff_t i = 0; i < rows; i++) {
            box[i * width + j] =
                R::read(load<typename R::Source>(in + j * tile.kept_step + i * tile.step));
          }
        }
      } else {
        for (ptrdiff_t i = 0; i < rows; i++) {
          read_run<R>(width, box + i * width, in + i * tile.step, tile.kept_step);
        }
      }
      typename R::Acc* const to = r == 0 ? acc + k : part;
      const About<typename R::Acc> here = {centers, about.index + r * about.index_step,
                                           about.index_step};
      // Few elements are taken in order, so that a result does not depend on how many others there
      // are: SciPy's bootstrap expects the same of batches of any size.
      if (width < WIDE_ROW && tile.n > SHORT_RUN) {
        narrow_rows<R>(width, rows, box, to, here);
      } else {
        contiguous_rows<R>(width, rows, box, width * ptrdiff_t(sizeof(In)), to, here);
      }
      if (r > 0) {
        for (ptrdiff_t i = 0; i < width; i++) acc[k + i] = R::merge(acc[k + i], part[i]);
      }
    }
  }
}

// One run of any layout.
template <class R>
[[gnu::noinline]] typename R::Acc packed_run(ptrdiff_t n, const char* in, ptrdiff_t step,
                                             About<typename R::Acc> about) {
  alignas(64) typename R::In box[PACKED_BOX];
  typename R::Acc acc{};
  for (ptrdiff_t start = 0; start < n; start += PACKED_BOX) {
    const ptrdiff_t length = n - start < PACKED_BOX ? n - start : PACKED_BOX;
    read_run<R>(length, box, in + start * step, step);
    const auto part = contiguous_run<R>(
        length, box, {about.centers, about.index + start * about.index_step, about.index_step});
    acc = start == 0 ? part : R::merge(acc, part);
  }
  return acc;
}

template <class R>
void accumulate(const Tile& tile, char* accumulators) {
  using Source = typename R::Source;
  using In = typename R::In;
  constexpr bool as_it_is = std::is_same_v<Source, In>;
  constexpr ptrdiff_t size = sizeof(Source);
  auto* const acc = reinterpret_cast<typename R::Acc*>(accumulators);
  About<typename R::Acc> about = {reinterpret_cast<const typename R::Acc*>(tile.centers),
                                  tile.index, tile.index_step};
  const auto* const in = reinterpret_cast<const In*>(tile.in);
  if (tile.kept == 1) {
    *acc = as_it_is && tile.step == size ? contiguous_run<R>(tile.n, in, about)
                                         : packed_run<R>(tile.n, tile.in, tile.step, about);
    return;
  }
  if (as_it_is && tile.kept_step == size && tile.kept >= WIDE_ROW) {
    return contiguous_rows<R>(tile.kept, tile.n, tile.in, tile.step, acc, about);
  }
  if (as_it_is && tile.kept_step == size && tile.step == tile.kept * size) {
    return narrow_rows<R>(tile.kept, tile.n, in, acc, about);
  }
  const bool across = distance(tile.kept_step) < distance(tile.step);
  if (tile.n <= SHORT_RUN || (across && tile.kept_step != 0)) {
    return packed_rows<R>(tile, acc, about);
  }
  for (ptrdiff_t k = 0; k < tile.kept; k++, about.centers += about.centers != nullptr) {
    const char* const run = tile.in + k * tile.kept_step;
    acc[k] = as_it_is && tile.step == size
                 ? contiguous_run<R>(tile.n, reinterpret_cast<const In*>(run), about)
                 : packed_run<R>(tile.n, run, tile.step, about);
  }
}

template <class R>
void merge(ptrdiff_t n, char* accumulators, const char* others) {
  auto* const acc = reinterpret_cast<typename R::Acc*>(accumulators);
  const auto* const other = reinterpret_cast<const typename R::Acc*>(others);
  for (ptrdiff_t i = 0; i < n; i++) acc[i] = R::merge(acc[i], other[i]);
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

template <class R, class F = AsItIs, class Out = typename R::Acc>
constexpr Reduction reduction() {
  return {sizeof(typename R::Acc), accumulate<R>, merge<R>, finish<F, Out, typename R::Acc>,
          nullptr};
}

// The base of reductions whose accumulators know nothing of places.
template <class S, class I, class A>
struct ReductionOf {
  using Source = S;
  using In = I;
  using Acc = A;
  // Whether elements of a result should be taken one after the other.
  static constexpr bool in_order = false;
  // Tells an accumulator that its elements are so much further on.
  static void advance(A&, ptrdiff_t) {}
};

template <class T>
void set(Kernels& kernels, Operation operation, Reduction reduction) {
  kernels.reductions[operation][dtype_of<T>] = reduction;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
