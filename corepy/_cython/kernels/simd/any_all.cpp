// Reductions of whether elements are nonzero: any, all, count_nonzero; and max and min of bools,
// equal to any and all.
#include "reductions.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Rows are combined in words as wide as the elements, which vectorizes.
constexpr ptrdiff_t ROWS_AT_ONCE = 4;

// combine(word, element) -> word, for each element of a column.
template <class I, class Combine>
inline void combine_rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step,
                         Word<I>* words, Combine combine) {
  const auto row = [=](ptrdiff_t k) { return reinterpret_cast<const I*>(in + k * step); };
  ptrdiff_t k = 0;
  for (; k + ROWS_AT_ONCE <= n; k += ROWS_AT_ONCE) {
    const I *a = row(k), *b = row(k + 1), *c = row(k + 2), *d = row(k + 3);
    COREPY_INDEPENDENT
    for (ptrdiff_t i = 0; i < width; i++) {
      words[i] = combine(combine(combine(combine(words[i], a[i]), b[i]), c[i]), d[i]);
    }
  }
  for (; k < n; k++) {
    const I* a = row(k);
    COREPY_INDEPENDENT
    for (ptrdiff_t i = 0; i < width; i++) words[i] = combine(words[i], a[i]);
  }
}

// Whether an element is `wanted`: true for any; false for all, the opposite of this.
template <class I, bool wanted>
struct Search : ReductionOf<I, uint8_t> {
  static Mask<I> found_in(const I* in) {
    const Vec<I> zero = I(0);
    if constexpr (wanted) {
      return Vec<I>::load(in) != zero;
    } else {
      return Vec<I>::load(in) == zero;
    }
  }

  static uint8_t run(ptrdiff_t n, const I* in, About<uint8_t>) {
    constexpr ptrdiff_t size = Vec<I>::size;
    const bool ask_ahead = n * ptrdiff_t(sizeof(I)) >= WORTH_ASKING;
    ptrdiff_t i = 0;
    for (; i + 8 * size <= n; i += 8 * size) {
      if (ask_ahead) prefetch(in + i, 8 * VECTOR_BYTES);
      Mask<I> found = found_in(in + i);
      for (int k = 1; k < 8; k++) found = found | found_in(in + i + k * size);
      if (any(found)) return wanted;
    }
    for (; i + size <= n; i += size) {
      if (any(found_in(in + i))) return wanted;
    }
    for (; i < n; i++) {
      if ((in[i] != 0) == wanted) return wanted;
    }
    return !wanted;
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, uint8_t* acc,
                   About<uint8_t>) {
    Word<I> words[MAX_WIDE] = {};
    combine_rows<I>(width, n, in, step, words,
                    [](Word<I> word, I a) { return Word<I>(word | Word<I>((a != 0) == wanted)); });
    for (ptrdiff_t i = 0; i < width; i++) acc[i] = (words[i] != 0) == wanted;
  }

  static uint8_t merge(uint8_t a, uint8_t b) { return wanted ? a | b : a & b; }
};

template <class I>
struct Count : ReductionOf<I, int64_t> {
  // The largest count in a word.
  static constexpr ptrdiff_t MOST = sizeof(I) == 1 ? 255 : 65535;

  static int64_t run(ptrdiff_t n, const I* in, About<int64_t>) {
    using W = Word<I>;
    constexpr ptrdiff_t size = Vec<I>::size;
    int64_t count = 0;
    ptrdiff_t i = 0;
    while (i + size <= n) {
      const ptrdiff_t left = (n - i) / size, steps = left < MOST ? left : MOST;
      Vec<W> counts = W(0), others = W(0);
      ptrdiff_t k = 0;
      for (; k + 2 <= steps; k += 2, i += 2 * size) {
        prefetch(in + i, 2 * VECTOR_BYTES);
        counts = counts + one_where(Vec<I>::load(in + i));
        others = others + one_where(Vec<I>::load(in + i + size));
      }
      if (k < steps) {
        counts = counts + one_where(Vec<I>::load(in + i));
        i += size;
      }
      W lanes[2 * size];
      counts.store(lanes);
      others.store(lanes + size);
      for (ptrdiff_t j = 0; j < 2 * size; j++) count += lanes[j];
    }
    for (; i < n; i++) count += in[i] != 0;
    return count;
  }

  static Vec<Word<I>> one_where(Vec<I> a) {
    using W = Word<I>;
    return select(mask_cast<W>(a != Vec<I>(I(0))), Vec<W>(W(1)), Vec<W>(W(0)));
  }

  static void rows(ptrdiff_t width, ptrdiff_t n, const char* in, ptrdiff_t step, int64_t* acc,
                   About<int64_t>) {
    for (ptrdiff_t k = 0; k < n; k += MOST) {
      Word<I> words[MAX_WIDE] = {};
      combine_rows<I>(width, n - k < MOST ? n - k : MOST, in + k * step, step, words,
                      [](Word<I> word, I a) { return Word<I>(word + Word<I>(a != 0)); });
      for (ptrdiff_t i = 0; i < width; i++) acc[i] = int64_t(words[i]) + (k == 0 ? 0 : acc[i]);
    }
  }

  static int64_t merge(int64_t a, int64_t b) { return a + b; }
};

template <class I, bool wanted, class Source>
Reduction search() {
  Reduction result = reduction<Search<I, wanted>, AsItIs, Bool, Source>();
  result.settled = [](const char* acc) { return (*acc != 0) == wanted; };
  return result;
}

template <class I, class Source, class Set>
void fill_any_all_of(Set set) {
  set(OP_any, search<I, true, Source>());
  set(OP_all, search<I, false, Source>());
  set(OP_count_nonzero, reduction<Count<I>, AsItIs, int64_t, Source>());
}

}  // namespace

void fill_any_all(Kernels& kernels) {
  const auto of = [&](Dtype dtype) {
    return [&kernels, dtype](Operation operation, Reduction reduction) {
      kernels.reductions[operation][dtype] = reduction;
    };
  };
  fill_any_all_of<uint8_t, uint8_t>(of(DTYPE_bool));
  set<Bool>(kernels, OP_max, search<uint8_t, true, uint8_t>());
  set<Bool>(kernels, OP_min, search<uint8_t, false, uint8_t>());
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill_any_all_of<T, T>(of(dtype_of<T>));
    fill_any_all_of<T, T>(of(dtype_of<std::make_signed_t<T>>));
  });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_any_all_of<T, T>(of(dtype_of<T>));
    fill_any_all_of<uint8_t, Complex<T>>(of(dtype_of<Complex<T>>));
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
