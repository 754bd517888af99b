// Sums of contiguous real numbers, and rows of them.
//
// Whatever the vector registers of an instruction set hold, numbers are added in 32 lanes of
// float64, which are added up in a fixed order: so all instruction sets give the same bits. float32
// is widened, which makes its sums right to the last place. In each lane blocks of 16 numbers are
// summed apart and then pairwise, so that the error grows with log(n) and not with n.
#pragma once

#include "../pairwise.hpp"
#include "reductions.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

constexpr int LANES = 32;
constexpr int LANE_VECTORS = LANES / int(Vec<double>::size);
constexpr ptrdiff_t LANE_BLOCK = 16;  // numbers per lane that are added one after the other

struct Lanes {
  Vec<double> v[LANE_VECTORS];
};

inline Lanes plus(Lanes a, Lanes b) {
  for (int i = 0; i < LANE_VECTORS; i++) a.v[i] = a.v[i] + b.v[i];
  return a;
}

inline Lanes load_lanes(const double* in) {
  Lanes lanes;
  for (int i = 0; i < LANE_VECTORS; i++) {
    lanes.v[i] = Vec<double>::load(in + i * Vec<double>::size);
  }
  return lanes;
}
inline Lanes load_lanes(const float* in) {
  Lanes lanes;
  for (int i = 0; i < LANE_VECTORS; i += 2) {
    const auto pair = widen(Vec<float>::load(in + i * Vec<double>::size));
    lanes.v[i] = pair.first;
    lanes.v[i + 1] = pair.second;
  }
  return lanes;
}

// The first n < 32 lanes; the others are any number.
template <class T>
inline Lanes load_first_lanes(const T* in, ptrdiff_t n) {
#if defined(COREPY_AVX512)
  Lanes lanes;
  constexpr int step = sizeof(double) / sizeof(T);
  for (int i = 0; i < LANE_VECTORS; i += step) {
    const ptrdiff_t left = n - i * Vec<double>::size;
    const Vec<T> part =
        Vec<T>::load_first(in + i * Vec<double>::size, left < 0              ? 0
                                                       : left > Vec<T>::size ? Vec<T>::size
                                                                             : left);
    if constexpr (step == 1) {
      lanes.v[i] = part;
    } else {
      const auto pair = widen(part);
      lanes.v[i] = pair.first;
      lanes.v[i + 1] = pair.second;
    }
  }
  return lanes;
#else
  T padded[LANES] = {};
  for (ptrdiff_t i = 0; i < n; i++) padded[i] = in[i];
  return load_lanes(padded);
#endif
}

// Takes each number as it is.
struct Number {
  Vec<double> operator()(Vec<double> a) const { return a; }
};

// The square of its distance from a centre. Complex numbers have theirs in every other lane.
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

template <class Term>
inline Lanes terms(Lanes lanes, Term term) {
  for (int i = 0; i < LANE_VECTORS; i++) lanes.v[i] = term(lanes.v[i]);
  return lanes;
}

// -0 is what adds nothing.
template <class Term>
inline Lanes first_terms(Lanes lanes, ptrdiff_t n, Term term) {
  for (int i = 0; i < LANE_VECTORS; i++) {
    const ptrdiff_t left = n - i * Vec<double>::size;
    const auto within = Mask<double>::first(left < 0                   ? 0
                                            : left > Vec<double>::size ? Vec<double>::size
                                                                       : left);
    lanes.v[i] = select(within, term(lanes.v[i]), -0.0);
  }
  return lanes;
}

template <bool ask_ahead, class T, class Term>
inline Lanes sum_steps(const T* in, ptrdiff_t steps, Term term) {
  if (ask_ahead) prefetch(in, LANES * sizeof(T));
  Lanes sum = terms(load_lanes(in), term);
  for (ptrdiff_t i = 1; i < steps; i++) {
    if (ask_ahead) prefetch(in + i * LANES, LANES * sizeof(T));
    sum = plus(sum, terms(load_lanes(in + i * LANES), term));
  }
  return sum;
}

// The sum of the terms of n >= 1 numbers; of two sums by turns when `sums` is 2. Inlined always:
// compilers clear the upper halves of registers (vzeroupper) only at the end of functions that are
// not passed vectors, and without that the next SSE instructions of the driver cost 300 ns.
template <int sums, class T, class Term>
[[gnu::always_inline]] inline void sum_run(ptrdiff_t n, const T* in, Term term, double* out) {
  constexpr ptrdiff_t block = LANES * LANE_BLOCK;
  PairwiseSum<Lanes> total;
  ptrdiff_t i = 0;
  if (n * ptrdiff_t(sizeof(T)) >= WORTH_ASKING) {
    for (; i + block <= n; i += block) total.add(sum_steps<true>(in + i, LANE_BLOCK, term));
  } else {
    for (; i + block <= n; i += block) total.add(sum_steps<false>(in + i, LANE_BLOCK, term));
  }
  Lanes rest;
  const bool whole = i > 0;
  const ptrdiff_t steps = (n - i) / LANES;
  if (steps > 0) {
    rest = sum_steps<false>(in + i, steps, term);
    i += steps * LANES;
    if (i < n) rest = plus(rest, first_terms(load_first_lanes(in + i, n - i), n - i, term));
  } else if (i < n) {
    rest = first_terms(load_first_lanes(in + i, n - i), n - i, term);
    i = -1;
  } else {
    i = 0;
  }
  Lanes sum = !whole ? rest : i == 0 ? total.total() : plus(total.total(), rest);
  for (int half = LANE_VECTORS / 2; half > 0; half /= 2) {
    for (int j = 0; j < half; j++) sum.v[j] = sum.v[j] + sum.v[j + half];
  }
  double lanes[Vec<double>::size];
  sum.v[0].store(lanes);
  for (int half = Vec<double>::size / 2; half >= sums; half /= 2) {
    for (int j = 0; j < half; j++) lanes[j] += lanes[j + half];
  }
  for (int j = 0; j < sums; j++) out[j] = lanes[j];
}

// Adds `count` rows to the accumulators, or makes them of these. term(element, column) -> Acc.
template <int count, bool first, class T, class Acc, class Term>
inline void add_some_rows(ptrdiff_t width, const char* in, ptrdiff_t step, Acc* acc, Term term) {
  const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
  COREPY_INDEPENDENT
  for (ptrdiff_t i = 0; i < width; i++) {
    Acc sum = term(row(0)[i], i);
    if constexpr (count >= 2) sum += term(row(1)[i], i);
    if constexpr (count >= 4) sum += term(row(2)[i], i) + term(row(3)[i], i);
    if constexpr (count >= 8) {
      sum += (term(row(4)[i], i) + term(row(5)[i], i)) + (term(row(6)[i], i) + term(row(7)[i], i));
    }
    acc[i] = first ? sum : acc[i] + sum;
  }
}

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
