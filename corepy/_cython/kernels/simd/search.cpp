// Binary search without branches, of many elements side by side, so that their cache misses
// overlap.
#include "loops.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

// Elements of bool are compared as integers.
template <class T>
using Ordered = std::conditional_t<is_bool<T>, uint8_t, T>;

// Whether a table's element is before the insertion index of x: for side left if it is less, for
// side right if it is not greater. Both are numbers.
template <bool right, class V>
inline auto precedes(V element, V x) {
  if constexpr (right) {
    return element <= x;
  } else {
    return element < x;
  }
}

// The number of elements that are searched together: more where gathers read the table.
template <class T>
constexpr ptrdiff_t BATCH = FAST_GATHER && sizeof(T) >= 4 ? 32 : 16;

// indices[i] = the number of n elements that precede x[i], for `batch` of them.
template <bool right, ptrdiff_t batch, class T>
inline void search_scalars(const T* x, ptrdiff_t n, const T* table, int64_t* indices) {
  const T* base[batch];
  for (ptrdiff_t k = 0; k < batch; k++) base[k] = table;
  ptrdiff_t rest = n;
  while (rest > 1) {
    const ptrdiff_t half = rest >> 1;
    for (ptrdiff_t k = 0; k < batch; k++) {
      base[k] += precedes<right>(base[k][half - 1], x[k]) ? half : 0;
    }
    rest -= half;
  }
  for (ptrdiff_t k = 0; k < batch; k++) {
    indices[k] = base[k] - table + (rest == 1 && precedes<right>(*base[k], x[k]));
  }
}

// The same with gathers, for elements of 4 and 8 bytes.
template <bool right, class T>
inline void search_vectors(const T* x, ptrdiff_t n, const T* table, int64_t* indices) {
  using Index = Vec<int64_t>;
  constexpr ptrdiff_t size = Index::size, vectors = BATCH<T> / size;
  Index base[vectors];
  for (Index& b : base) b = int64_t(0);
  // base[k] + step where the element `behind` it precedes.
  const auto advance = [&](ptrdiff_t k, ptrdiff_t behind, int64_t step) {
    Vec<T> element, wanted;
    if constexpr (sizeof(T) == 8) {
      element = gather(table + behind, base[k]);
      wanted = Vec<T>::load(x + k * size);
    } else {
      element = gather_first(table + behind, base[k]);
      wanted = Vec<T>::load_first(x + k * size, size);
    }
    const auto before = Mask<int64_t>::from_bits(bits(precedes<right>(element, wanted)));
    base[k] = select(before, base[k] + step, base[k]);
  };
  ptrdiff_t rest = n;
  while (rest > 1) {
    const ptrdiff_t half = rest >> 1;
    for (ptrdiff_t k = 0; k < vectors; k++) advance(k, half - 1, half);
    rest -= half;
  }
  for (ptrdiff_t k = 0; k < vectors; k++) {
    if (rest == 1) advance(k, 0, 1);
    base[k].store(indices + k * size);
  }
}

// Tables up to this size are compared as a whole: a comparison with all elements of a vector takes
// less time than a step of the search.
constexpr ptrdiff_t FEW = VECTOR_BYTES == 32 ? 64 : 16;

template <bool right, class T>
inline void search_few(const T* x, ptrdiff_t n, const T* table, int64_t* indices) {
  constexpr ptrdiff_t size = Vec<T>::size, vectors = BATCH<T> / size;
  Vec<T> wanted[vectors], counts[vectors];
  for (ptrdiff_t k = 0; k < vectors; k++) {
    wanted[k] = Vec<T>::load(x + k * size);
    counts[k] = T(0);
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    const Vec<T> element = table[i];
    for (ptrdiff_t k = 0; k < vectors; k++) {
      const Vec<T> one = select(precedes<right>(element, wanted[k]), Vec<T>(T(1)), Vec<T>(T(0)));
      counts[k] = counts[k] + one;
    }
  }
  T numbers[BATCH<T>];
  for (ptrdiff_t k = 0; k < vectors; k++) counts[k].store(numbers + k * size);
  for (ptrdiff_t k = 0; k < BATCH<T>; k++) indices[k] = int64_t(numbers[k]);
}

// Calls body(i, count, indices) for blocks of elements, with the insertion index of each.
template <bool right, class T, class Body>
inline void for_indices(ptrdiff_t n, const T* x, ptrdiff_t table_n, const T* table, Body body) {
  constexpr ptrdiff_t batch = BATCH<T>;
  int64_t indices[batch];
  T padded[batch];
  for (ptrdiff_t i = 0; i < n; i += batch) {
    const ptrdiff_t count = n - i < batch ? n - i : batch;
    const T* wanted = x + i;
    if (count < batch) {
      if (count <= 2) {  // a single search need not wait for 15 others
        for (ptrdiff_t k = 0; k < count; k++) {
          search_scalars<right, 1>(wanted + k, table_n, table, indices + k);
        }
        body(i, count, indices);
        return;
      }
      for (ptrdiff_t k = 0; k < batch; k++) padded[k] = wanted[k < count ? k : 0];
      wanted = padded;
    }
    if constexpr (sizeof(T) < 4) {
      search_scalars<right, batch>(wanted, table_n, table, indices);
    } else if (table_n <= FEW) {
      search_few<right>(wanted, table_n, table, indices);
    } else if constexpr (FAST_GATHER) {
      search_vectors<right>(wanted, table_n, table, indices);
    } else {
      search_scalars<right, batch>(wanted, table_n, table, indices);
    }
    body(i, count, indices);
  }
}

template <bool right, class Element>
void search_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t table_n, ptrdiff_t numbers,
                 const char* table, int64_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  for_indices<right>(n, x, numbers, reinterpret_cast<const T*>(table),
                     [&](ptrdiff_t i, ptrdiff_t count, const int64_t* indices) {
                       for (ptrdiff_t k = 0; k < count; k++) {
                         const bool nan = x[i + k] != x[i + k];
                         out[i + k] = nan ? (right ? table_n : numbers) : indices[k];
                       }
                     });
}

template <class Element>
void find_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t numbers, const char* table_bytes,
               uint8_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  const T* const table = reinterpret_cast<const T*>(table_bytes);
  for_indices<false>(n, x, numbers, table,
                     [&](ptrdiff_t i, ptrdiff_t count, const int64_t* indices) {
                       for (ptrdiff_t k = 0; k < count; k++) {
                         const ptrdiff_t at = indices[k] < numbers ? indices[k] : numbers - 1;
                         out[i + k] = numbers > 0 && table[at] == x[i + k];
                       }
                     });
}

template <class Element>
void few_loop(ptrdiff_t n, const char* x_bytes, ptrdiff_t table_n, const char* table_bytes,
              uint8_t* out) {
  using T = Ordered<Element>;
  const T* const x = reinterpret_cast<const T*>(x_bytes);
  const T* const table = reinterpret_cast<const T*>(table_bytes);
  using V = typename OperandVec<T, T>::type;
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

// Bins are computed, then corrected by their edges: rounding may give the one beside. Two loops of
// a block, which compilers vectorize.
template <class T>
void place_loop(ptrdiff_t n, const char* bytes, ptrdiff_t bins, const char* bins_edges,
                int64_t* out) {
  constexpr ptrdiff_t block = 1024;
  const T* x = reinterpret_cast<const T*>(bytes);
  const T* const edges = reinterpret_cast<const T*>(bins_edges);
  const T first = edges[0], last = edges[bins], scale = T(bins) / (last - first);
  const int64_t most = bins - 1;
  const T top = T(most);
  int32_t computed[block];
  for (; n > 0; n -= block, x += block, out += block) {
    const ptrdiff_t count = n < block ? n : block;
    for (ptrdiff_t i = 0; i < count; i++) {
      const T place = (x[i] - first) * scale;
      computed[i] = int32_t(place > 0 ? (place < top ? place : top) : T(0));
    }
    for (ptrdiff_t i = 0; i < count; i++) {
      const T value = x[i];
      int64_t k = computed[i];
      k += int64_t(value >= edges[k + 1]) - int64_t(value < edges[k]);
      out[i] = (value >= first) & (value <= last) ? (k < most ? k : most) : -1;
    }
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
  if constexpr (std::is_floating_point_v<T>) loops.place[dtype_of<T>] = place_loop<T>;
}

}  // namespace

void fill_searches(Kernels& kernels) {
  const auto fill = [&](auto zero) { fill_searches_of<decltype(zero)>(kernels.searches); };
  fill(Bool{});
  for_each(RealNumbers{}, fill);
  for_each(Complexes{}, [&](auto zero) {
    kernels.searches.find_among_few[dtype_of<decltype(zero)>] = few_loop<decltype(zero)>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
