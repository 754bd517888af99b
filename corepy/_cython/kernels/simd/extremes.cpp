// Extremes: max, min, argmax, argmin.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reductions.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The greater or the lesser of two numbers.
template <bool greatest>
struct ChoiceOf {
  template <class V>
  static auto is_better(V a, V before) {
    if constexpr (greatest) return a > before;
    return a < before;
  }

  // A NaN in either operand is the result, and +0 is greater than -0, so that the order of the
  // elements does not decide.
  template <class T>
  static T call(T a, T b) {
    if constexpr (std::is_integral_v<T>) return is_better(a, b) ? a : b;
    const bool first_zero = (a == b) & (std::signbit(a) != greatest);
    return is_better(a, b) | (a != a) | first_zero ? a : b;
  }

  // The same of vectors without NaN, in one instruction: which zero is not defined.
  template <class T>
  static Vec<T> of_numbers(Vec<T> a, Vec<T> b) {
    return greatest ? max_of_numbers(a, b) : min_of_numbers(a, b);
  }

  // Which zero is the extreme, if there are zeros of both signs: +0 of max, -0 of min. Where the
  // extreme is zero, no other element is beyond it, so the sign bits of all elements decide: these
  // are the bits that all (max) or any (min) have. Elements whose extreme is not zero need not be
  // asked: if the extreme of all is zero, their signs do not change the common ones.
  template <class T>
  static Vec<T> common_signs(Vec<T> a, Vec<T> b) {
    return greatest ? a & b : a | b;
  }
};
using Maximum = ChoiceOf<true>;
using Minimum = ChoiceOf<false>;

template <class T>
inline Vec<T> with_signs(Vec<T> best, Vec<T> signs) {
  return select(best == Vec<T>(T(0)), sign_bit_of(signs), best);
}

// Two vectors' common result of all lanes, in each of them.
template <class Merge, class T, int half = int(Vec<T>::size) / 2>
inline Vec<T> merged_lanes(Merge merge, Vec<T> a) {
  a = merge(a, ordered<LanesExchanged<half>>(a, a));
  if constexpr (half > 1) {
    return merged_lanes<Merge, T, half / 2>(merge, a);
  } else {
    return a;
  }
}
template <class Choice, class T>
inline Vec<T> extreme_of_lanes(Vec<T> a) {
  return merged_lanes([](Vec<T> x, Vec<T> y) { return Choice::of_numbers(x, y); }, a);
}
template <class Choice, class T>
inline Vec<T> extreme_of_lanes(Vec<T> a, Vec<T> signs) {
  const Vec<T> best = extreme_of_lanes<Choice>(a);
  if constexpr (std::is_integral_v<T>) return best;
  return with_signs(
      best, merged_lanes([](Vec<T> x, Vec<T> y) { return Choice::common_signs(x, y); }, signs));
}

// The extreme of n >= 1 elements, NaN if there is one.
template <class Choice, class T>
T extreme(ptrdiff_t n, const T* in) {
  constexpr ptrdiff_t size = Vec<T>::size;
  constexpr bool floating = std::is_floating_point_v<T>;
  if (n == 1) return *in;
  if (n < size) {
    const Vec<T> all = select(Mask<T>::first(n), Vec<T>::load_first(in, n), *in);
    if (floating && any(unordered(all, all))) return std::numeric_limits<T>::quiet_NaN();
    return extreme_of_lanes<Choice>(all, all).get(0);
  }
  const auto best_of = [](Vec<T> a, Vec<T> b) { return Choice::of_numbers(a, b); };
  const auto signs_of = [](Vec<T> a, Vec<T> b) { return Choice::common_signs(a, b); };
  Vec<T> a = Vec<T>::load(in), signs = a;
  Mask<T> nan = a != a;
  // From where vectors do not straddle cache lines; the elements before are in `a`.
  const auto address = reinterpret_cast<uintptr_t>(in);
  ptrdiff_t i = ptrdiff_t((VECTOR_BYTES - address % VECTOR_BYTES) % VECTOR_BYTES / sizeof(T));
  const bool ask_ahead = n * ptrdiff_t(sizeof(T)) >= WORTH_ASKING;
  for (; i + 8 * size <= n; i += 8 * size) {
    if (ask_ahead) prefetch(in + i, 8 * VECTOR_BYTES);
    const auto at = [=](int k) { return Vec<T>::load(in + i + k * size); };
    const auto merged = [at](auto merge) {
      return merge(merge(merge(at(0), at(1)), merge(at(2), at(3))),
                   merge(merge(at(4), at(5)), merge(at(6), at(7))));
    };
    const Vec<T> best = merged(best_of);
    a = best_of(best, a);
    if constexpr (floating) {
      nan = nan | (unordered(at(0), at(1)) | unordered(at(2), at(3))) |
            (unordered(at(4), at(5)) | unordered(at(6), at(7)));
      if (any(best == Vec<T>(T(0)))) signs = signs_of(signs, merged(signs_of));
    }
  }
  // The last elements may be taken twice, which changes nothing.
  for (; i < n; i += size) {
    const Vec<T> more = Vec<T>::load(in + (i + size <= n ? i : n - size));
    a = best_of(more, a);
    if constexpr (floating) {
      nan = nan | unordered(more, more);
      signs = signs_of(signs, more);
    }
  }
  if (floating && any(nan)) return std::numeric_limits<T>::quiet_NaN();
  return extreme_of_lanes<Choice>(a, signs).get(0);
}

// The index of the first element equal to `value`, or of the first NaN if `value` is NaN. If
// another thread has changed that element, the index of the last.
template <class T>
ptrdiff_t find(ptrdiff_t n, const T* in, T value) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const Vec<T> wanted = value;
  const bool nan = value != value;
  const auto found_at = [&](ptrdiff_t i) {
    const Vec<T> a = Vec<T>::load(in + i);
    return nan ? a != a : a == wanted;
  };
  ptrdiff_t i = 0;
  while (i + 4 * size <= n && none((found_at(i) | found_at(i + size)) |
                                   (found_at(i + 2 * size) | found_at(i + 3 * size)))) {
    i += 4 * size;
  }
  for (; i + size <= n; i += size) {
    const uint64_t found = bits(found_at(i));
    if (found) return i + __builtin_ctzll(found);
  }
  while (i < n - 1 && (nan ? in[i] == in[i] : !(in[i] == value))) i++;
  return i < n ? i : n - 1;
}

// The index of the extreme of elements that fit into a fixed number of vectors; the last vector may
// repeat some, and one word has a bit for each element. Except for NaN no branch depends on
// elements, so the processor begins the next run before this one is done.
template <class Choice, int vectors, class T>
inline ptrdiff_t index_of_few(ptrdiff_t n, const T* in) {
  constexpr ptrdiff_t size = Vec<T>::size;
  static_assert(vectors * size <= 64);
  const auto at = [=](int k) { return std::min(k * size, n - size); };
  Vec<T> a[vectors], best = a[0] = Vec<T>::load(in);
  Mask<T> nan = best != best;
#pragma GCC unroll 4
  for (int k = 1; k < vectors; k++) {
    a[k] = Vec<T>::load(in + at(k));
    best = Choice::of_numbers(a[k], best);
    nan = nan | (a[k] != a[k]);
  }
  if (std::is_floating_point_v<T> && any(nan)) return find(n, in, extreme<Choice>(n, in));
  const Vec<T> wanted = extreme_of_lanes<Choice>(best);
  uint64_t found = uint64_t(1) << (n - 1);  // the last one, unless there is one before
#pragma GCC unroll 4
  for (int k = 0; k < vectors; k++) found |= bits(a[k] == wanted) << at(k);
  return __builtin_ctzll(found);
}
template <class Choice, class T>
inline ptrdiff_t index_of_few(ptrdiff_t n, const T* in) {
  constexpr int size = int(Vec<T>::size);
  if (n <= size) return index_of_few<Choice, 1>(n, in);
  if constexpr (2 * size <= 64) {
    if (n <= 2 * size) return index_of_few<Choice, 2>(n, in);
  }
  if constexpr (4 * size <= 64) {
    if (n <= 3 * size) return index_of_few<Choice, 3>(n, in);
  }
  return index_of_few<Choice, 4 * size <= 64 ? 4 : 64 / size>(n, in);
}

// The index of the extreme of n >= group * size elements, the first of equal ones, a NaN before all
// others. One pass stores the best of each lane and the number of its group of vectors; the index
// is then searched in one group. Except for NaN no branch depends on elements, so the processor
// begins the next run before the result of this one is known.
template <class Choice, int group, class T>
inline ptrdiff_t index_of_extreme(ptrdiff_t n, const T* in) {
  using Number = Signed_of<T>;
  constexpr ptrdiff_t size = Vec<T>::size, step = group * size;
  const auto best_of = [](Vec<T> a, Vec<T> b) { return Choice::of_numbers(a, b); };
  // Becomes a NaN if there is one, in fewer operations than comparisons; also if infinities, or
  // products out of range, meet others of the opposite sign, or zeros.
  Vec<T> nan = T(0);
  const auto best_at = [&](ptrdiff_t i) {
    const auto at = [=](int k) { return Vec<T>::load(in + i + k * size); };
    if constexpr (group == 4) {
      if constexpr (std::is_floating_point_v<T>) {
        nan = multiply_add(at(0), at(1), multiply_add(at(2), at(3), nan));
      }
      return best_of(best_of(at(0), at(1)), best_of(at(2), at(3)));
    } else {
      static_assert(group == 1);
      if constexpr (std::is_floating_point_v<T>) nan = nan + at(0);
      return at(0);
    }
  };
  Vec<T> best = best_at(0);
  Vec<Number> groups = Number(0);
  Number number = 1;
  const auto take = [&](ptrdiff_t i) {
    const Vec<T> candidate = best_at(i);
    const Mask<T> better = Choice::is_better(candidate, best);
    best = best_of(candidate, best);
    groups = select(mask_cast<Number>(better), number, groups);
    number++;
  };
  ptrdiff_t i = step;
  for (; i + step <= n; i += step) take(i);
  if (i < n) take(n - step);  // some elements a second time, which changes nothing
  if (std::is_floating_point_v<T> && any(nan != nan)) return find(n, in, extreme<Choice>(n, in));
  const Vec<T> wanted = extreme_of_lanes<Choice>(best);
  constexpr Number none = std::numeric_limits<Number>::max();
  const Vec<Number> first =
      extreme_of_lanes<Minimum>(select(mask_cast<Number>(best == wanted), groups, none));
  const ptrdiff_t start = std::min(ptrdiff_t(first.get(0)) * step, n - step);
  // Zeros below the first one of a word, 64 for all, added up as far as words have none.
  constexpr int words = step <= 64 ? 1 : int(step / 64), vectors = group / words;
  ptrdiff_t index = 0, reached = -1;
#pragma GCC unroll 4
  for (int w = 0; w < words; w++) {
    uint64_t found = 0;
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++) {
      const Vec<T> a = Vec<T>::load(in + start + (w * vectors + k) * size);
      found |= bits(a == wanted) << (k * size);
    }
    const ptrdiff_t zeros = found ? __builtin_ctzll(found) : 64;
    index += zeros & reached;
    reached &= -(zeros >> 6);
  }
  return start + std::min(index, step - 1);
}

// ---- max, min

template <class Choice, class T>
struct Extreme : ReductionOf<T, T> {
  static T run(ptrdiff_t n, const T* in, About<T>) { return extreme<Choice>(n, in); }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, T* acc, About<T>) {
    std::memcpy(acc, in, size_t(width) * sizeof(T));
    ptrdiff_t k = 1;
    for (; k + 4 <= n; k += 4) take_rows<4>(width, in + k * step, step, acc);
    for (; k < n; k++) take_rows<1>(width, in + k * step, step, acc);
  }

  template <int count>
  static void take_rows(ptrdiff_t width, const char* in, ptrdiff_t step, T* acc) {
    constexpr ptrdiff_t size = Vec<T>::size;
    const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
    if (width < size) {
      for (ptrdiff_t i = 0; i < width; i++) {
        for (int k = 0; k < count; k++) acc[i] = Choice::call(acc[i], row(k)[i]);
      }
      return;
    }
    const auto best_of = [](Vec<T> a, Vec<T> b) { return Choice::of_numbers(a, b); };
    const auto signs_of = [](Vec<T> a, Vec<T> b) { return Choice::common_signs(a, b); };
    for (ptrdiff_t i = 0; i < width; i += size) {
      // The last vector may take elements a second time, which changes nothing.
      i = i + size <= width ? i : width - size;
      const Vec<T> before = Vec<T>::load(acc + i), a = Vec<T>::load(row(0) + i);
      Vec<T> best = a, b = a, c = a, d = a;
      Mask<T> nan = unordered(a, a);
      if constexpr (count == 4) {
        b = Vec<T>::load(row(1) + i);
        c = Vec<T>::load(row(2) + i), d = Vec<T>::load(row(3) + i);
        best = best_of(best_of(a, b), best_of(c, d));
        nan = unordered(a, b) | unordered(c, d);
      }
      best = best_of(best, before);  // which stays, if it is a NaN
      if constexpr (std::is_floating_point_v<T>) {
        if (any(best == Vec<T>(T(0)))) {
          best = with_signs(best, signs_of(before, signs_of(signs_of(a, b), signs_of(c, d))));
        }
        best = select(nan, std::numeric_limits<T>::quiet_NaN(), best);
      }
      best.store(acc + i);
    }
  }

  static T merge(T a, T b) { return Choice::call(a, b); }
};

// ---- argmax, argmin

template <class T>
struct ValueIndex {
  T value;
  int64_t index;
};

// Whether a goes before b, which is from other elements: it is better, or as good and earlier.
template <class Choice, class T>
inline bool goes_before(ValueIndex<T> a, ValueIndex<T> b) {
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  if (a_nan | b_nan) return a_nan & (!b_nan | (a.index < b.index));
  if (a.value == b.value) return a.index < b.index;
  return Choice::is_better(a.value, b.value);
}

template <class Choice, class T>
struct ArgExtreme : ReductionOf<T, ValueIndex<T>> {
  using Acc = ValueIndex<T>;
  static constexpr bool has_index = true;

  // The extremes of blocks are found first; the index is searched only in the block with the best.
  static Acc run(ptrdiff_t n, const T* in, About<Acc> about) {
    constexpr ptrdiff_t size = Vec<T>::size, block = WORTH_ASKING / sizeof(T);
    // Groups of vectors have numbers as wide as elements.
    constexpr ptrdiff_t most = sizeof(T) == 1 ? std::min(block, 127 * 4 * size) : block;
    if (n >= size && n <= std::min<ptrdiff_t>(64, 4 * size)) {
      const ptrdiff_t found = index_of_few<Choice>(n, in);
      return {in[found], about.index + found * about.index_step};
    }
    // With AVX-512 two passes over floats take less time: NaN is found together with the extreme.
    constexpr bool one_pass = std::is_integral_v<T> || VECTOR_BYTES < 64;
    if (one_pass && n >= size && n <= most) {
      const ptrdiff_t found =
          n < 4 * size ? index_of_extreme<Choice, 1>(n, in) : index_of_extreme<Choice, 4>(n, in);
      return {in[found], about.index + found * about.index_step};
    }
    T best = *in;
    ptrdiff_t start = 0;
    for (ptrdiff_t i = 0; i < n && best == best; i += block) {
      const T candidate = extreme<Choice>(n - i < block ? n - i : block, in + i);
      if (!is_better(candidate, best)) continue;
      best = candidate;
      start = i;
    }
    const ptrdiff_t found = start + find(n - start, in + start, best);
    return {in[found], about.index + found * about.index_step};
  }

  // Better than what came before: what a NaN is, unless it comes after another.
  static bool is_better(T a, T before) {
    return Choice::is_better(a, before) | ((a != a) & (before == before));
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Acc* acc,
                   About<Acc> about) {
    using Row = Signed_of<T>;  // numbers of rows, in words as wide as the elements
    constexpr ptrdiff_t most = std::numeric_limits<Row>::max();
    T best[MAX_WIDE];
    Row indices[MAX_WIDE];
    for (ptrdiff_t start = 0; start < n; start += most) {
      const ptrdiff_t rows = n - start < most ? n - start : most;
      const char* const first = in + start * step;
      std::memcpy(best, first, size_t(width) * sizeof(T));
      std::memset(indices, 0, size_t(width) * sizeof(Row));
      ptrdiff_t k = 1;
      for (; k + 4 <= rows; k += 4) take_rows<4>(width, first + k * step, step, k, best, indices);
      for (; k < rows; k++) take_rows<1>(width, first + k * step, step, k, best, indices);
      for (ptrdiff_t i = 0; i < width; i++) {
        const Acc best_of_rows = {best[i], about.index + (start + indices[i]) * about.index_step};
        acc[i] = start == 0 ? best_of_rows : merge(acc[i], best_of_rows);
      }
    }
  }

  // Rows that have the numbers from `number` on.
  template <int count>
  static void take_rows(ptrdiff_t width, const char* in, ptrdiff_t step, ptrdiff_t number, T* best,
                        Signed_of<T>* indices) {
    using Row = Signed_of<T>;
    constexpr ptrdiff_t size = Vec<T>::size;
    const auto row = [=](int k) { return reinterpret_cast<const T*>(in + k * step); };
    if (width < size) {
      for (ptrdiff_t i = 0; i < width; i++) {
        for (int k = 0; k < count; k++) {
          if (!is_better(row(k)[i], best[i])) continue;
          best[i] = row(k)[i];
          indices[i] = Row(number + k);
        }
      }
      return;
    }
    for (ptrdiff_t i = 0; i < width; i += size) {
      // The last vector may take elements a second time, which changes nothing.
      i = i + size <= width ? i : width - size;
      Vec<T> before = Vec<T>::load(best + i);
      Vec<Row> index = Vec<Row>::load(indices + i);
      for (int k = 0; k < count; k++) {
        const Vec<T> a = Vec<T>::load(row(k) + i);
        Mask<T> better = Choice::is_better(a, before);
        if constexpr (std::is_floating_point_v<T>)
          better = better | and_not(a != a, before != before);
        before = select(better, a, before);
        index = select(mask_cast<Row>(better), Vec<Row>(Row(number + k)), index);
      }
      before.store(best + i);
      index.store(indices + i);
    }
  }

  static Acc merge(Acc a, Acc b) { return goes_before<Choice>(b, a) ? b : a; }
};

// Of bools: the first that is `wanted`.
template <bool wanted>
struct FirstBool : ReductionOf<uint8_t, ValueIndex<uint8_t>> {
  using Acc = ValueIndex<uint8_t>;
  static constexpr bool has_index = true;

  static Acc run(ptrdiff_t n, const uint8_t* in, About<Acc> about) {
    constexpr ptrdiff_t size = Vec<uint8_t>::size;
    ptrdiff_t i = 0;
    for (; i + size <= n; i += size) {
      const auto nonzero = Vec<uint8_t>::load(in + i) != Vec<uint8_t>(uint8_t(0));
      const uint64_t found = bits(wanted ? nonzero : ~nonzero);
      if (found) return {1, about.index + (i + __builtin_ctzll(found)) * about.index_step};
    }
    for (; i < n; i++) {
      if ((in[i] != 0) == wanted) return {1, about.index + i * about.index_step};
    }
    return {0, about.index};
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, Acc* acc,
                   About<Acc> about) {
    constexpr ptrdiff_t most = 255;
    uint8_t found[MAX_WIDE], indices[MAX_WIDE];
    for (ptrdiff_t start = 0; start < n; start += most) {
      const ptrdiff_t rows = n - start < most ? n - start : most;
      std::memset(found, 0, size_t(width));
      std::memset(indices, 0, size_t(width));
      for (ptrdiff_t k = rows - 1; k >= 0; k--) {
        const uint8_t* const row = reinterpret_cast<const uint8_t*>(in + (start + k) * step);
        COREPY_INDEPENDENT
        for (ptrdiff_t i = 0; i < width; i++) {
          const bool here = (row[i] != 0) == wanted;
          found[i] = here ? 1 : found[i];
          indices[i] = here ? uint8_t(k) : indices[i];
        }
      }
      for (ptrdiff_t i = 0; i < width; i++) {
        const Acc best_of_rows = {found[i], about.index + (start + indices[i]) * about.index_step};
        acc[i] = start == 0 ? best_of_rows : merge(acc[i], best_of_rows);
      }
    }
  }

  static Acc merge(Acc a, Acc b) { return goes_before<Maximum>(b, a) ? b : a; }
};

struct IndexOf {
  template <class Out, class Acc>
  static Out call(Acc found, double) {
    return found.index;
  }
};

template <class R>
Reduction arg_reduction() {
  return reduction<R, IndexOf, int64_t>();
}

template <bool wanted>
Reduction first_bool() {
  Reduction result = arg_reduction<FirstBool<wanted>>();
  result.settled = [](const char* acc) {
    return reinterpret_cast<const ValueIndex<uint8_t>*>(acc)->value != 0;
  };
  return result;
}

template <class T>
void fill_extremes_of(Kernels& kernels) {
  set<T>(kernels, OP_max, reduction<Extreme<Maximum, T>>());
  set<T>(kernels, OP_min, reduction<Extreme<Minimum, T>>());
  set<T>(kernels, OP_argmax, arg_reduction<ArgExtreme<Maximum, T>>());
  set<T>(kernels, OP_argmin, arg_reduction<ArgExtreme<Minimum, T>>());
}

}  // namespace

// Bools are in any_all.cpp, except for argmax and argmin.
void fill_extremes(Kernels& kernels) {
  set<Bool>(kernels, OP_argmax, first_bool<true>());
  set<Bool>(kernels, OP_argmin, first_bool<false>());
  for_each(RealNumbers{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(kernels); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
