// Operations of rows: softmax and normalisations. A functor is that of a reduction
// (reduce_base.cuh) and has
//
//   Row, row_of(acc, center, n, eps)   what the results of a row of n elements need;
//   result(row, x)                     -> the result of an element.
#pragma once

#include "elementary.cuh"
#include "reduce_operations.cuh"

namespace corepy {
namespace op {

// e^(x - largest). Where nothing is larger than -inf, it is 0, so that parts of a row can be
// merged.
template <class T>
COREPY_DEVICE T power_below(T largest, T x) {
  return largest == least<T>() ? T(0) : exp<T>()(x - largest);
}

// The largest element, and the sum of e^(x - largest), in one pass (Milakov and Gimelshein 2018,
// arXiv:1805.02867).
template <class T>
struct SumOfPowers : ReductionBase {
  using type = T;
  struct Acc {
    sum_type<T> total;
    T largest;
  };

  static COREPY_DEVICE Acc start() { return {0, least<T>()}; }

  static COREPY_DEVICE Acc merge(Acc a, Acc b) {
    const T largest = max<T>::merge(a.largest, b.largest);
    return {a.total * power_below(largest, a.largest) + b.total * power_below(largest, b.largest),
            largest};
  }

  template <int V, int N>
  static COREPY_DEVICE void take(Acc& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>& indices, Nothing) {
    T largest = acc.largest, powers[N];
    max<T>::template take<V>(largest, x, has, indices, {});
    acc = {acc.total * power_below(largest, acc.largest), largest};
#pragma unroll
    for (int k = 0; k < N; k++) powers[k] = power_below(largest, x[k]);
    sum<T>::template take<V>(acc.total, powers, has, indices, {});
  }
};

template <class T>
struct softmax : SumOfPowers<T> {
  struct Row {
    T largest, factor;
  };
  static COREPY_DEVICE Row row_of(typename SumOfPowers<T>::Acc acc, Nothing, int, float64) {
    return {acc.largest, T(1) / T(acc.total)};
  }
  static COREPY_DEVICE T result(Row row, T x) { return exp<T>()(x - row.largest) * row.factor; }
};

template <class T>
struct log_softmax : SumOfPowers<T> {
  struct Row {
    T largest, logarithm;
  };
  static COREPY_DEVICE Row row_of(typename SumOfPowers<T>::Acc acc, Nothing, int, float64) {
    return {acc.largest, log<T>()(T(acc.total))};
  }
  static COREPY_DEVICE T result(Row row, T x) { return x - row.largest - row.logarithm; }
};

template <class T>
COREPY_DEVICE T reciprocal_root(float64 sum_of_squares, int n, float64 eps) {
  return T(1) / root_of(mean_of<T>(sum_of_squares, float64(n)) + T(eps));
}

template <class T>
struct rms_norm : Summing<T, sum_type<T>> {
  using Row = T;  // a factor

  template <int V, int N>
  static COREPY_DEVICE void take(sum_type<T>& acc, const T (&x)[N], const bool (&has)[N / V],
                                 const PackIndices<N / V>& indices, Nothing) {
    T squares[N];
#pragma unroll
    for (int k = 0; k < N; k++) squares[k] = x[k] * x[k];
    sum<T>::template take<V>(acc, squares, has, indices, {});
  }

  static COREPY_DEVICE Row row_of(sum_type<T> acc, Nothing, int n, float64 eps) {
    return reciprocal_root<T>(acc, n, eps);
  }
  static COREPY_DEVICE T result(Row factor, T x) { return x * factor; }
};

template <class T>
struct layer_norm : Spread<T> {
  struct Row {
    float64 mean;
    T factor;
  };
  static COREPY_DEVICE Row row_of(Moments<float64> acc, float64 center, int n, float64 eps) {
    return {center + acc.mean, reciprocal_root<T>(acc.squares, n, eps)};
  }
  static COREPY_DEVICE T result(Row row, T x) { return T(x - row.mean) * row.factor; }
};

}  // namespace op

// Merges the accumulators of GROUP threads, a warp or a block; all of them have the result.
template <class F, int GROUP>
COREPY_DEVICE typename F::Acc merge_for_all(typename F::Acc acc) {
  if constexpr (GROUP == 32) {
    return shuffle_from(merge_warp<F, GROUP>(acc), 0);
  } else {
    __shared__ typename F::Acc merged;
    acc = merge_block<F, GROUP>(acc);  // its barriers are after the last reading of `merged`
    if (threadIdx.x == 0) merged = acc;
    __syncthreads();
    return merged;
  }
}

// A warp, or a block (OF_BLOCKS), computes a row, in steps of ROW_STEP elements of each thread and
// packs of V. What fits into shared memory is read once, the rest of long rows twice.
template <template <class> class Functor, class In, int V, bool OF_BLOCKS>
struct Rowwise : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  using Arguments = RowwiseArguments;
  using T = Select<is_half_type<In>, float32, In>;
  using F = Functor<T>;
  // Their bits: objects with constructors cannot be in shared memory.
  using Elements = Pack<bits_of<In>, V>;
  static constexpr int GROUP = OF_BLOCKS ? THREADS : 32;
  static constexpr int PACKS = ROW_STEP / V, KEPT = kept_steps(sizeof(In));
  // A thread reads its own packs alone.
  using Kept = Elements[KEPT][PACKS][THREADS];

  // The index of the first element of a thread's pack.
  static COREPY_DEVICE int place_of(int step, int pack) {
    return ((step * PACKS + pack) * GROUP + int(threadIdx.x) % GROUP) * V;
  }

  static COREPY_DEVICE Elements load_at(const char* row, int place) {
    return load_pack<bits_of<In>, V, true>(row + place * int(sizeof(In)));
  }

  static COREPY_DEVICE T number_at(const Elements& pack, int i) {
    return convert<T>(bit_cast<In>(pack.values[i]));
  }

  static COREPY_DEVICE void take(typename F::Acc& acc, const char* in, int step, int n, Kept& kept,
                                 typename F::Center center) {
    Elements packs[PACKS];
    bool has[PACKS];
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
      has[p] = place_of(step, p) < n;
      if (has[p]) packs[p] = load_at(in, place_of(step, p));
    }
    T x[ROW_STEP];
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
      if (has[p] && step < KEPT) kept[step][p][threadIdx.x] = packs[p];
#pragma unroll
      for (int i = 0; i < V; i++) x[p * V + i] = has[p] ? number_at(packs[p], i) : T{};
    }
    F::template take<V>(acc, x, has, PackIndices<PACKS>{}, center);
  }

  static COREPY_DEVICE void store_pack(const Arguments& arguments, char* out, int place,
                                       Elements pack, typename F::Row row) {
    Elements weight, bias;
    if (arguments.weight) weight = load_at(arguments.weight, place);
    if (arguments.bias) bias = load_at(arguments.bias, place);
#pragma unroll
    for (int i = 0; i < V; i++) {
      T y = F::result(row, number_at(pack, i));
      if (arguments.weight) y = y * number_at(weight, i);
      if (arguments.bias) y = y + number_at(bias, i);
      pack.values[i] = bit_cast<bits_of<In>>(convert<In>(y));
    }
    *reinterpret_cast<Elements*>(out + place * int(sizeof(In))) = pack;
  }

  static COREPY_DEVICE typename F::Center center_of(const char* row) {
    if constexpr (F::CENTERED) {
      return F::center(convert<T>(load<In>(row)));
    } else {
      return {};
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ Kept kept;
    constexpr int ROWS = THREADS / GROUP;
    const int n = arguments.n, steps = (n + GROUP * ROW_STEP - 1) / (GROUP * ROW_STEP);
    for (int64 number = int64(blockIdx.x) * ROWS + threadIdx.x / GROUP; number < arguments.rows;
         number += int64(gridDim.x) * ROWS) {
      const int64 offset = number * n * int64(sizeof(In));
      const char* const in = arguments.in + offset;
      const typename F::Center center = center_of(in);
      typename F::Acc acc = F::start();
#pragma unroll 1
      for (int step = 0; step < steps; step++) take(acc, in, step, n, kept, center);
      const auto row = F::row_of(merge_for_all<F, GROUP>(acc), center, n, arguments.eps);
#pragma unroll 1
      for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int p = 0; p < PACKS; p++) {
          const int place = place_of(step, p);
          if (place >= n) continue;
          const Elements pack = step < KEPT ? kept[step][p][threadIdx.x] : load_at(in, place);
          store_pack(arguments, arguments.out + offset, place, pack, row);
        }
      }
    }
  }
};

}  // namespace corepy
