// Sums of contiguous real numbers, and rows of them.
//
// With vectors of any size, numbers are added in 32 lanes of float64, and the lanes in a fixed
// order: all instruction sets give the same bits. float32 is widened, so its sums are correctly
// rounded. In each lane blocks of 16 numbers are summed and added pairwise, so the error grows with
// log(n) and not with n.
#pragma once

#include <functional>

#include "reductions.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

constexpr int SUM_LANES = 32;
constexpr int SUM_VECTORS = SUM_LANES / int(Vec<double>::size);
constexpr ptrdiff_t SUM_BLOCK = 16;  // numbers per lane that are added in sequence

// One number in each lane. Functions take these by reference and process a vector at a time:
// compilers copy a structure of vectors through memory in parts, and the next load of a whole
// vector waits for these stores.
struct SumLanes {
  Vec<double> v[SUM_VECTORS];
};

// Calls f(0), f(1), ... for each vector of SumLanes.
template <class F, size_t... j>
[[gnu::always_inline]] inline void for_vectors(F f, std::index_sequence<j...>) {
  (f(j), ...);
}
template <class F>
[[gnu::always_inline]] inline void for_vectors(F f) {
  for_vectors(f, std::make_index_sequence<SUM_VECTORS>{});
}

// a + b, where b was converted from a T. AMD's processors with AVX2 widen and add in the same
// units, and multiply in others: a fused multiplication by 1 rounds like the sum, and float32 are
// added in three quarters of the time.
template <class T>
[[gnu::always_inline]] inline Vec<double> sum_with(Vec<double> a, Vec<double> b) {
#if defined(COREPY_AVX2)
  if constexpr (std::is_same_v<T, float>) return multiply_add(b, Vec<double>(1.0), a);
#endif
  return a + b;
}

// -0 is the identity of addition.
[[gnu::always_inline]] inline void clear(SumLanes& sum) {
  for_vectors([&](int j) { sum.v[j] = -0.0; });
}
[[gnu::always_inline]] inline void add(SumLanes& sum, const SumLanes& more) {
  for_vectors([&](int j) { sum.v[j] = sum.v[j] + more.v[j]; });
}
// From memory, where the lanes are contiguous.
[[gnu::always_inline]] inline void add(SumLanes& sum, const double* more) {
  for_vectors(
      [&](int j) { sum.v[j] = sum.v[j] + Vec<double>::load(more + j * Vec<double>::size); });
}
[[gnu::always_inline]] inline void store(const SumLanes& lanes, double* to) {
  for_vectors([&](int j) { lanes.v[j].store(to + j * Vec<double>::size); });
}

inline Vec<double> load_widened(const double* in) { return Vec<double>::load(in); }

// The first 0 < n < Vec<double>::size numbers; the other lanes are any number.
inline Vec<double> load_first_widened(const double* in, ptrdiff_t n) {
  return Vec<double>::load_first(in, n);
}
inline Vec<double> load_first_widened(const float* in, ptrdiff_t n) {
  return widen(Vec<float>::load_first(in, n)).first;
}

#if defined(COREPY_AVX512) || defined(COREPY_AVX2)
template <class Half>
inline Vec<double> load_first_widened(const Half* in, ptrdiff_t n) {
  Half padded[Vec<double>::size] = {};
  for (ptrdiff_t i = 0; i < n; i++) padded[i] = in[i];
  return load_widened(padded);
}
#endif

// A sum to which terms are added one at a time. Where possible only sums of equally many terms are
// added to each other: the error grows with log(n) and not with n. A binary counter: if bit k of
// the number of terms is set, partials[k] is the sum of 2^k of them.
class PairwiseSum {
 public:
  // Overwrites `term`.
  [[gnu::always_inline]] void add(SumLanes& term) {
    int k = 0;
    for (; count >> k & 1; k++) corepy::add(term, partials[k]);
    store(term, partials[k]);
    count++;
  }

  [[gnu::always_inline]] void total(SumLanes& sum) const {
    clear(sum);
    for (int k = 0; count >> k; k++) {
      if (count >> k & 1) corepy::add(sum, partials[k]);
    }
  }

 private:
  uint64_t count = 0;
  alignas(64) double partials[63][SUM_LANES];
};

// The term is the number.
struct Number {
  Vec<double> operator()(Vec<double> a) const { return a; }
};

// The term is the square of the distance from a centre. Complex numbers have two centres, in
// alternating lanes.
struct SquaredDeviation {
  Vec<double> center;

  explicit SquaredDeviation(double center) : center(center) {}
  explicit SquaredDeviation(Complex128 center) {
    double both[Vec<double>::size];
    for (ptrdiff_t i = 0; i < Vec<double>::size; i += 2) {
      both[i] = center.real;
      both[i + 1] = center.imag;
    }
    this->center = Vec<double>::load(both);
  }
  Vec<double> operator()(Vec<double> a) const {
    const Vec<double> d = a - center;
    return d * d;
  }
};

// Adds the terms of `steps` times 32 numbers, in sequence in each lane.
template <bool ask_ahead, class T, class Term>
[[gnu::always_inline]] inline void add_steps(SumLanes& sum, const T* in, ptrdiff_t steps,
                                             Term term) {
  // Not unrolled: compilers would then add up one lane after the other.
#pragma GCC unroll 1
  for (const T* const end = in + steps * SUM_LANES; in != end; in += SUM_LANES) {
    if (ask_ahead) prefetch(in, SUM_LANES * sizeof(T));
    for_vectors([&](int j) {
      sum.v[j] = sum_with<T>(sum.v[j], term(load_widened(in + j * Vec<double>::size)));
    });
  }
}

// Adds the terms of n < 32 numbers.
template <class T, class Term>
[[gnu::always_inline]] inline void add_few(SumLanes& sum, const T* in, ptrdiff_t n, Term term) {
  constexpr ptrdiff_t size = Vec<double>::size;
  const ptrdiff_t left = n % size;
  Vec<double> last = -0.0;
  if (left > 0) {
    last = select(Mask<double>::first(left), term(load_first_widened(in + n - left, left)), last);
  }
  for_vectors([&](int j) {
    if ((j + 1) * size <= n) {
      sum.v[j] = sum.v[j] + term(load_widened(in + j * size));
    } else if (j * size < n) {
      sum.v[j] = sum.v[j] + last;
    }
  });
}

// The sum of the terms of n >= 1 numbers; of two sums by turns when `sums` is 2. Inlined always:
// compilers clear the upper halves of registers (vzeroupper) only at the end of functions that are
// not passed vectors, and without that the next SSE instructions of the driver cost 300 ns.
template <int sums, class T, class Term>
[[gnu::always_inline]] inline void sum_run(ptrdiff_t n, const T* in, Term term, double* out) {
  constexpr ptrdiff_t block = SUM_LANES * SUM_BLOCK;
  PairwiseSum blocks;
  SumLanes sum, total;
  clear(sum);
  const T* const end = in + n;
  const bool ask_ahead = n * ptrdiff_t(sizeof(T)) >= WORTH_ASKING;
  for (; end - in >= block; in += block) {
    if (ask_ahead) {
      add_steps<true>(sum, in, SUM_BLOCK, term);
    } else {
      add_steps<false>(sum, in, SUM_BLOCK, term);
    }
    blocks.add(sum);
    clear(sum);
  }
  const ptrdiff_t steps = (end - in) / SUM_LANES, few = (end - in) % SUM_LANES;
  add_steps<false>(sum, in, steps, term);
  if (few > 0) add_few(sum, end - few, few, term);
  blocks.total(total);
  add(sum, total);
  for (int half = SUM_VECTORS / 2; half > 0; half /= 2) {
    for (int j = 0; j < half; j++) sum.v[j] = sum.v[j] + sum.v[j + half];
  }
  double lanes[Vec<double>::size];
  sum.v[0].store(lanes);
  for (int half = Vec<double>::size / 2; half >= sums; half /= 2) {
    for (int j = 0; j < half; j++) lanes[j] += lanes[j + half];
  }
  for (int j = 0; j < sums; j++) out[j] = lanes[j];
}

// The sum of term(0), term(1), ..., in the order in which `count` rows are added.
template <int count, class Term, class Plus>
[[gnu::always_inline]] inline auto sum_of(Term term, Plus plus) {
  auto sum = term(0);
  if constexpr (count >= 2) sum = plus(sum, term(1));
  if constexpr (count >= 4) sum = plus(sum, plus(term(2), term(3)));
  if constexpr (count >= 8) {
    sum = plus(sum, plus(plus(term(4), term(5)), plus(term(6), term(7))));
  }
  return sum;
}

// Adds `count` rows to the accumulators, or initializes them. term(element, column) -> Acc.
template <int count, bool first, class T, class Acc, class Term>
inline void add_some_rows(ptrdiff_t width, const char* in, ptrdiff_t step, Acc* acc, Term term) {
  const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
  COREPY_INDEPENDENT
  for (ptrdiff_t i = 0; i < width; i++) {
    const Acc sum = sum_of<count>([=](int k) { return term(row(k)[i], i); }, std::plus<Acc>{});
    acc[i] = first ? sum : acc[i] + sum;
  }
}

// The same for real numbers, a vector at a time: compilers widen float32 in more instructions than
// necessary. The last vector ends with the row, so some of its columns are in two vectors; it is
// read before any accumulator is written.
template <int count, bool first, class T, class Term>
inline void add_some_rows(ptrdiff_t width, const char* in, ptrdiff_t step, double* acc, Term term) {
  constexpr ptrdiff_t size = Vec<double>::size;
  const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
  if (width < size) {
    for (ptrdiff_t i = 0; i < width; i++) {
      const double sum =
          sum_of<count>([=](int k) { return term(double(row(k)[i]), i); }, std::plus<double>{});
      acc[i] = first ? sum : acc[i] + sum;
    }
    return;
  }
  const auto add = [=](ptrdiff_t i) {
    const Vec<double> sum =
        sum_of<count>([=](int k) { return term(load_widened(row(k) + i), i); }, sum_with<T>);
    return first ? sum : sum_with<T>(Vec<double>::load(acc + i), sum);
  };
  const Vec<double> last = add(width - size);
  for (ptrdiff_t i = 0; i < width - size; i += size) add(i).store(acc + i);
  last.store(acc + width - size);
}

// The squares of the distances from the centre of each column.
struct SquaredDeviations {
  const double* centers;

  double operator()(double a, ptrdiff_t column) const { return square(a - centers[column]); }
  Vec<double> operator()(Vec<double> a, ptrdiff_t column) const {
    return square(a - Vec<double>::load(centers + column));
  }

 private:
  template <class V>
  static V square(V d) {
    return d * d;
  }
};

template <class T, class Acc, class Term>
void sum_rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Acc* acc, Term term) {
  ptrdiff_t i = 0;
  const auto add = [&](auto count) {
    const char* const rows = in + i * step;
    if (i == 0) {
      add_some_rows<count, true, T>(width, rows, step, acc, term);
    } else {
      add_some_rows<count, false, T>(width, rows, step, acc, term);
    }
    i += count;
  };
  while (n - i >= 8) add(std::integral_constant<int, 8>{});
  if (n - i >= 4) add(std::integral_constant<int, 4>{});
  if (n - i >= 2) add(std::integral_constant<int, 2>{});
  if (n - i >= 1) add(std::integral_constant<int, 1>{});
}

}  // namespace COREPY_TARGET
}  // namespace corepy
