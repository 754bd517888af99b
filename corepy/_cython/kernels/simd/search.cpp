// Binary search without branches, many elements side by side: what one waits for from memory, the
// others wait for at the same time.
#include "complex.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

// Elements of bool are compared as the integers that they are to be.
template <class T>
using Ordered = std::conditional_t<is_bool<T>, uint8_t, T>;

// Whether a table's element comes before the place of x: for side left those that are less, for
// side right those that are not greater. Both are numbers.
template <bool right, class V>
inline auto precedes(V element, V x) {
  if constexpr (right) {
    return element <= x;
  } else {
    return element < x;
  }
}

template <class T>
constexpr ptrdiff_t LANES = 16;

// places[i] = how many of n elements precede x[i], for LANES<T> of them.
template <bool right, class T>
inline void search_lanes(const T* x, ptrdiff_t n, const T* table, int64_t* places) {
  constexpr ptrdiff_t lanes = LANES<T>;
  const T* base[lanes];
  for (ptrdiff_t k = 0; k < lanes; k++) base[k] = table;
  ptrdiff_t rest = n;
  while (rest > 1) {
    const ptrdiff_t half = rest >> 1;
    for (ptrdiff_t k = 0; k < lanes; k++) {
      base[k] += precedes<right>(base[k][half - 1], x[k]) ? half : 0;
    }
    rest -= half;
  }
  for (ptrdiff_t k = 0; k < lanes; k++) {
    places[k] = base[k] - table + (rest == 1 && precedes<right>(*base[k], x[k]));
  }
}

#if defined(COREPY_AVX512)

// The same with gathers, for elements of 4 and 8 bytes; 32 lanes of int64 places.
template <bool right, class T>
inline void search_vectors(const T* x, ptrdiff_t n, const T* table, int64_t* places) {
  using I = Signed_of<T>;  // of the table as gathers see it
  constexpr int vectors = 32 / int(Vec<int64_t>::size);
  __m512i base[vectors];
  for (auto& b : base) b = _mm512_setzero_si512();
  const auto element = [&](__m512i at, ptrdiff_t behind) {
    if constexpr (sizeof(T) == 8) {
      return bitcast<T>(Vec<I>(typename Vec<I>::native(
          _mm512_i64gather_epi64(at, reinterpret_cast<const long long*>(table) + behind, 8))));
    } else {
      const __m256i found =
          _mm512_i64gather_epi32(at, reinterpret_cast<const int*>(table) + behind, 4);
      return bitcast<T>(Vec<I>(typename Vec<I>::native(_mm512_castsi256_si512(found))));
    }
  };
  const auto wanted = [&](int k) {
    if constexpr (sizeof(T) == 8) {
      return Vec<T>::load(x + 8 * k);
    } else {
      return Vec<T>::load_first(x + 8 * k, 8);
    }
  };
  ptrdiff_t rest = n;
  while (rest > 1) {
    const ptrdiff_t half = rest >> 1;
    const __m512i step = _mm512_set1_epi64(half);
    for (int k = 0; k < vectors; k++) {
      const auto before = precedes<right>(element(base[k], half - 1), wanted(k));
      base[k] = _mm512_mask_add_epi64(base[k], __mmask8(before.m), base[k], step);
    }
    rest -= half;
  }
  for (int k = 0; k < vectors; k++) {
    if (rest == 1) {
      const auto before = precedes<right>(element(base[k], 0), wanted(k));
      base[k] = _mm512_mask_add_epi64(base[k], __mmask8(before.m), base[k], _mm512_set1_epi64(1));
    }
    _mm512_storeu_si512(places + 8 * k, base[k]);
  }
}

template <>
constexpr ptrdiff_t LANES<float> = 32;
template <>
constexpr ptrdiff_t LANES<double> = 32;
template <>
constexpr ptrdiff_t LANES<int32_t> = 32;
template <>
constexpr ptrdiff_t LANES<uint32_t> = 32;
template <>
constexpr ptrdiff_t LANES<int64_t> = 32;
template <>
constexpr ptrdiff_t LANES<uint64_t> = 32;

#endif

// Calls body(i, count, places) for blocks of elements, of which each has its place found.
template <bool right, class T, class Body>
inline void for_places(ptrdiff_t n, const T* x, ptrdiff_t table_n, const T* table, Body body) {
  constexpr ptrdiff_t lanes = LANES<T>;
  int64_t places[lanes];
  T padded[lanes];
  for (ptrdiff_t i = 0; i < n; i += lanes) {
    const ptrdiff_t count = n - i < lanes ? n - i : lanes;
    const T* wanted = x + i;
    if (count < lanes) {
      if (count <= 2) {  // a single search need not wait for 15 others
        for (ptrdiff_t k = 0; k < count; k++) {
          ptrdiff_t rest = table_n;
          const T* base = table;
          while (rest > 1) {
            const ptrdiff_t half = rest >> 1;
            base += precedes<right>(base[half - 1], wanted[k]) ? half : 0;
            rest -= half;
          }
          places[k] = base - table + (rest == 1 && precedes<right>(*base, wanted[k]));
        }
        body(i, count, places);
        return;
      }
      for (ptrdiff_t k = 0; k < lanes; k++) padded[k] = wanted[k < count ? k : 0];
      wanted = padded;
    }
#if defined(COREPY_AVX512)
    if constexpr (lanes == 32) {
      search_vectors<right>(wanted, table_n, table, places);
    } else {
      search_lanes<right>(wanted, table_n, table, places);
    }
#else
    search_lanes<right>(wanted, table_n, table, places);
#endif
    body(i, count, places);
  }
}

template <bool right, class Element>
void search_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t table_n, ptrdiff_t numbers,
                 const char* table, int64_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  for_places<right>(n, x, numbers, reinterpret_cast<const T*>(table),
                    [&](ptrdiff_t i, ptrdiff_t count, const int64_t* places) {
                      for (ptrdiff_t k = 0; k < count; k++) {
                        const bool nan = x[i + k] != x[i + k];
                        out[i + k] = nan ? (right ? table_n : numbers) : places[k];
                      }
                    });
}

template <class Element>
void find_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t numbers, const char* table_bytes,
               uint8_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  const T* const table = reinterpret_cast<const T*>(table_bytes);
  for_places<false>(n, x, numbers, table, [&](ptrdiff_t i, ptrdiff_t count, const int64_t* places) {
    for (ptrdiff_t k = 0; k < count; k++) {
      const ptrdiff_t at = places[k] < numbers ? places[k] : numbers - 1;
      out[i + k] = numbers > 0 && table[at] == x[i + k];
    }
  });
}

template <class T>
struct LanesOf {
  using type = Vec<T>;
};
template <class T>
struct LanesOf<Complex<T>> {
  using type = VecComplex<T>;
};

template <class Element>
void few_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t table_n, const char* table_bytes,
              uint8_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  const T* const table = reinterpret_cast<const T*>(table_bytes);
  using V = typename LanesOf<T>::type;
  const auto look = [&](V v) {
    auto found = V(T{}) != V(T{});
    for (ptrdiff_t k = 0; k < table_n; k++) found = found | (v == V(table[k]));
    return found;
  };
  ptrdiff_t i = 0;
  for (; i + V::size <= n; i += V::size) store_bools(look(V::load(x + i)), out + i);
  if (i < n) store_bools_first(look(V::load_first(x + i, n - i)), out + i, n - i);
}

template <class Element>
void look_up_loop(ptrdiff_t n, const char* x_bytes, int64_t least, ptrdiff_t table_n,
                  const uint8_t* table, uint8_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  for (ptrdiff_t i = 0; i < n; i++) {
    const uint64_t at = uint64_t(read_once(x + i)) - uint64_t(least);
    const bool inside = at < uint64_t(table_n);
    out[i] = table[inside ? at : 0] & uint8_t(inside);
  }
}

template <class Element>
void mark_loop(ptrdiff_t n, const char* x_bytes, int64_t least, ptrdiff_t table_n, uint8_t* table) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  for (ptrdiff_t i = 0; i < n; i++) {
    const uint64_t at = uint64_t(read_once(x + i)) - uint64_t(least);
    if (at < uint64_t(table_n)) table[at] = 1;
  }
}

template <class T>
void fill_searches_of(SearchLoops& loops) {
  loops.search[dtype_of<T>][0] = search_loop<false, T>;
  loops.search[dtype_of<T>][1] = search_loop<true, T>;
  loops.find[dtype_of<T>] = find_loop<T>;
  loops.find_among_few[dtype_of<T>] = few_loop<T>;
  if constexpr (std::is_integral_v<Ordered<T>>) {
    loops.look_up[dtype_of<T>] = look_up_loop<T>;
    loops.mark[dtype_of<T>] = mark_loop<T>;
  }
}

}  // namespace

void fill_searches(Kernels& kernels) {
  const auto fill = [&](auto zero) { fill_searches_of<decltype(zero)>(kernels.searches); };
  fill_searches_of<Bool>(kernels.searches);
  for_each(Signed{}, fill);
  for_each(Unsigned{}, fill);
  for_each(Floats{}, fill);
  for_each(Complexes{}, [&](auto zero) {
    kernels.searches.find_among_few[dtype_of<decltype(zero)>] = few_loop<decltype(zero)>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
