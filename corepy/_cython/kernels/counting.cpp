#include "counting.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "kernels.hpp"
#include "memory.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t BLOCK = 1024;
constexpr ptrdiff_t SMALL_TABLE = 4096;  // bins of which each thread has some tables of its own
constexpr ptrdiff_t CHUNK = 1 << 16;     // least elements of a thread's share
constexpr ptrdiff_t MAX_CHUNKS = 16;
// Elements whose weights are summed up before they are added to others', as many as in NumPy; of so
// many stretches and at most so many sums at a time.
constexpr ptrdiff_t STRETCH = 65536, STRETCHES = 64, MOST_SUMS = 1 << 20;
// Tables that consecutive elements update in turn: an increment waits for the one before of the
// same counter. The counters of an element are next to each other, which takes one address.
constexpr int TABLES = 4;

// Calls f(T{}) for the elements of an integer dtype, or of bool as bytes.
template <class F>
void with_integers(Dtype dtype, F f) {
  if (dtype == DTYPE_bool) return f(uint8_t(0));
  for_dtype(Integers{}, dtype, f);
}

// Counts with `index(i)`, which is below `size` for elements that count, in threads for many
// elements and few bins. `visit(begin, end, count)` calls count(k, lane) for elements' bins.
template <class Visit>
void count_each(ptrdiff_t n, ptrdiff_t size, int64_t* counts, Visit visit) {
  if (size > SMALL_TABLE || n < std::max(ptrdiff_t(64), TABLES * size)) {
    visit(ptrdiff_t(0), n, [counts, size](uint64_t k, ptrdiff_t) {
      if (k < uint64_t(size)) counts[k]++;
    });
    return;
  }
  const ptrdiff_t grain = std::max(CHUNK, (n + MAX_CHUNKS - 1) / MAX_CHUNKS);
  const auto count_range = [&](ptrdiff_t begin, ptrdiff_t end, int32_t* tables) {
    // An element without a bin is counted behind the last one.
    std::memset(tables, 0, size_t(TABLES * (size + 1)) * sizeof(int32_t));
    visit(begin, end, [tables, size](uint64_t k, ptrdiff_t lane) {
      const ptrdiff_t at = k < uint64_t(size) ? ptrdiff_t(k) : size;
      tables[at * TABLES + lane % TABLES]++;
    });
  };
  const auto add = [&](const int32_t* tables) {
    for (ptrdiff_t k = 0; k < size; k++, tables += TABLES) {
      for (int table = 0; table < TABLES; table++) counts[k] += tables[table];
    }
  };
  constexpr ptrdiff_t most = ptrdiff_t(1) << 30;  // elements that a table of int32 counts
  if (n <= grain || n > most) {
    int32_t tables[TABLES * (SMALL_TABLE + 1)];
    for (ptrdiff_t begin = 0; begin < n; begin += most) {
      count_range(begin, std::min(n, begin + most), tables);
      add(tables);
    }
    return;
  }
  const std::unique_ptr<int32_t[]> memory(new (std::nothrow)
                                              int32_t[MAX_CHUNKS * TABLES * (size + 1)]);
  int32_t* const all = memory.get();
  if (!all) {
    int32_t tables[TABLES * (SMALL_TABLE + 1)];
    count_range(0, n, tables);
    return add(tables);
  }
  parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    count_range(begin, end, all + begin / grain * TABLES * (size + 1));
  });
  for (ptrdiff_t chunk = 0; chunk * grain < n; chunk++) add(all + chunk * TABLES * (size + 1));
}

// ---- bins

// The bin of each of n <= BLOCK numbers; a large number for those in none. `T` is float or double.
template <class T>
struct Bins {
  ptrdiff_t number;
  const T* edges;
  bool uniform;

  Bins(ptrdiff_t number, const char* bytes, bool uniform)
      : number(number),
        edges(reinterpret_cast<const T*>(bytes)),
        uniform(uniform && number <= SearchLoops::MOST_BINS) {}

  void find(ptrdiff_t n, const T* x, int64_t* out) const {
    const SearchLoops& loops = kernels().searches;
    const char* const numbers = reinterpret_cast<const char*>(x);
    const char* const limits = reinterpret_cast<const char*>(edges);
    constexpr Dtype dtype = dtype_of<T>;
    if (uniform) return loops.place[dtype](n, numbers, number, limits, out);
    loops.search[dtype][true](n, numbers, number + 1, number + 1, limits, out);
    const T last = edges[number];
    for (ptrdiff_t i = 0; i < n; i++) {
      const T value = x[i];
      out[i] = value == last ? number - 1 : value < last ? out[i] - 1 : int64_t(-1);
    }
  }

  // Calls body(bin, i) for the elements from `begin` to `end`.
  template <class Body>
  void for_bins(ptrdiff_t begin, ptrdiff_t end, const T* x, Body body) const {
    int64_t found[BLOCK];
    for (; begin < end; begin += BLOCK) {
      const ptrdiff_t n = std::min(end - begin, BLOCK);
      find(n, x + begin, found);
      for (ptrdiff_t i = 0; i < n; i++) body(uint64_t(found[i]), begin + i);
    }
  }
};

// The sum of n >= 1 elements; of many, the sum of those of two halves, whose error is smaller.
template <class T>
T sum_of(ptrdiff_t n, const T* x) {
  using Sum = std::conditional_t<std::is_integral_v<T>, Word<T>, T>;
  if (n > 128) {
    const ptrdiff_t half = n / 16 * 8;
    return T(Sum(sum_of(half, x)) + Sum(sum_of(n - half, x + half)));
  }
  Sum total = Sum(x[0]);
  ptrdiff_t i = 1;
  if (n >= 8) {
    Sum parts[8];
    for (int k = 0; k < 8; k++) parts[k] = Sum(x[k]);
    for (i = 8; i + 8 <= n; i += 8) {
      for (int k = 0; k < 8; k++) parts[k] += Sum(x[i + k]);
    }
    total = ((parts[0] + parts[1]) + (parts[2] + parts[3])) +
            ((parts[4] + parts[5]) + (parts[6] + parts[7]));
  }
  for (; i < n; i++) total += Sum(x[i]);
  return T(total);
}

}  // namespace

void count_integers(Dtype dtype, ptrdiff_t n, const char* bytes, ptrdiff_t size, int64_t* counts) {
  with_integers(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* const x = reinterpret_cast<const T*>(bytes);
    count_each(n, size, counts, [x](ptrdiff_t begin, ptrdiff_t end, auto count) {
      ptrdiff_t i = begin;
      for (; i + TABLES <= end; i += TABLES) {
        for (int k = 0; k < TABLES; k++) count(uint64_t(int64_t(read_once(x + i + k))), k);
      }
      for (; i < end; i++) count(uint64_t(int64_t(read_once(x + i))), 0);
    });
  });
}

void sum_weights(Dtype dtype, ptrdiff_t n, const char* bytes, const double* weights, ptrdiff_t size,
                 double* sums) {
  with_integers(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* const x = reinterpret_cast<const T*>(bytes);
    for (ptrdiff_t i = 0; i < n; i++) {
      const uint64_t k = uint64_t(int64_t(read_once(x + i)));
      if (k < uint64_t(size)) sums[k] += weights[i];
    }
  });
}

void count_in_bins(Dtype dtype, ptrdiff_t n, const char* bytes, ptrdiff_t bins, const char* edges,
                   bool uniform, int64_t* counts) {
  for_dtype(Floats{}, dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* const x = reinterpret_cast<const T*>(bytes);
    const Bins<T> all(bins, edges, uniform);
    count_each(n, bins, counts, [&](ptrdiff_t begin, ptrdiff_t end, auto count) {
      all.for_bins(begin, end, x, count);
    });
  });
}

void sum_in_bins(Dtype dtype, ptrdiff_t n, const char* bytes, const double* weights, ptrdiff_t bins,
                 const char* edges, bool uniform, double* sums) {
  for_dtype(Floats{}, dtype, [&](auto zero) {
    using T = decltype(zero);
    const Bins<T> all(bins, edges, uniform);
    const T* const x = reinterpret_cast<const T*>(bytes);
    const auto sum_range = [&](ptrdiff_t begin, ptrdiff_t end, double* to) {
      all.for_bins(begin, end, x, [&](uint64_t k, ptrdiff_t i) {
        if (k < uint64_t(bins)) to[k] += weights[i];
      });
    };
    // The sums of stretches of elements are added in order, which is NumPy's: some at a time. For
    // more bins than a stretch has elements that would take longer than the elements.
    if (n <= STRETCH || bins > STRETCH) return sum_range(0, n, sums);
    const ptrdiff_t at_once = std::min({STRETCHES, MOST_SUMS / bins, (n + STRETCH - 1) / STRETCH});
    const Workspace memory(size_t(at_once * bins) * sizeof(double));
    if (!memory.data()) return sum_range(0, n, sums);
    double* const parts = reinterpret_cast<double*>(memory.data());
    for (ptrdiff_t start = 0; start < n; start += at_once * STRETCH) {
      const ptrdiff_t count = std::min(n - start, at_once * STRETCH);
      parallel_ranges(count, STRETCH, [&](ptrdiff_t begin, ptrdiff_t end) {
        double* const part = parts + begin / STRETCH * bins;
        std::memset(part, 0, size_t(bins) * sizeof(double));
        sum_range(start + begin, start + end, part);
      });
      for (ptrdiff_t part = 0; part * STRETCH < count; part++) {
        for (ptrdiff_t k = 0; k < bins; k++) sums[k] += parts[part * bins + k];
      }
    }
  });
}

// ---- indices

bool unravel(ptrdiff_t n, const int64_t* indices, int ndim, const int64_t* shape,
             int64_t* const* out) {
  uint64_t total = 1;
  for (int axis = 0; axis < ndim; axis++) total *= uint64_t(shape[axis]);
  bool within = true;
  for (ptrdiff_t i = 0; i < n; i++) {
    const uint64_t rest = uint64_t(read_once(indices + i));
    within &= rest < total;
    const auto split = [&](auto number) {
      using T = decltype(number);
      for (int axis = ndim - 1; axis > 0; axis--) {
        const T size = T(shape[axis]), quotient = size ? number / size : 0;
        out[axis][i] = int64_t(number - quotient * size);
        number = quotient;
      }
      if (ndim) out[0][i] = int64_t(number);
    };
    // Divisions of shorter numbers take less time.
    total >> 32 == 0 ? split(uint32_t(rest)) : split(rest);
  }
  return within;
}

bool ravel(ptrdiff_t n, int ndim, const int64_t* shape, const int64_t* const* indices,
           int64_t* out) {
  bool within = true;
  for (ptrdiff_t begin = 0; begin < n; begin += BLOCK) {
    const ptrdiff_t end = std::min(n, begin + BLOCK);
    for (int axis = 0; axis < ndim; axis++) {
      const uint64_t size = uint64_t(shape[axis]);
      const int64_t* const at = indices[axis];
      for (ptrdiff_t i = begin; i < end; i++) {
        const uint64_t k = uint64_t(at[i]);
        within &= k < size;
        out[i] = int64_t(axis ? uint64_t(out[i]) * size + k : k);
      }
    }
  }
  return within;
}

bool sum_segments(Dtype dtype, ptrdiff_t n, const char* bytes, ptrdiff_t count,
                  const int64_t* indices, char* out) {
  bool within = true;
  for_dtype(Types<float, double, int64_t>{}, dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* const x = reinterpret_cast<const T*>(bytes);
    T* const sums = reinterpret_cast<T*>(out);
    for (ptrdiff_t i = 0; i < count; i++) {
      const int64_t begin = read_once(indices + i);
      const int64_t end = i + 1 < count ? read_once(indices + i + 1) : n;
      if (begin < 0 || begin >= n || end < 0 || end > n) {
        within = false;
        return;
      }
      sums[i] = end > begin ? sum_of(end - begin, x + begin) : x[begin];
    }
  });
  return within;
}

bool add_at(Dtype dtype, char* bytes, ptrdiff_t size, ptrdiff_t n, const int64_t* indices,
            const char* values, ptrdiff_t step) {
  // Without comparisons, which baseline x86-64 does not have for vectors of int64: the sign of
  // `place` or of `rest` is set for an index outside, as sums wrap around.
  uint64_t signs = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const uint64_t place = uint64_t(indices[i]) + uint64_t(size);
    const uint64_t rest = 2 * uint64_t(size) - 1 - place;
    signs |= place | rest;
  }
  if (signs >> 63) return false;
  for_dtype(RealNumbers{}, dtype, [&](auto zero) {
    using T = decltype(zero);
    using Sum = std::conditional_t<std::is_integral_v<T>, Word<T>, T>;
    T* const x = reinterpret_cast<T*>(bytes);
    for (ptrdiff_t i = 0; i < n; i++) {
      int64_t k = read_once(indices + i);
      k += k < 0 ? size : 0;
      if (uint64_t(k) >= uint64_t(size)) continue;
      x[k] = T(Sum(x[k]) + Sum(*reinterpret_cast<const T*>(values + i * step)));
    }
  });
  return true;
}

}  // namespace corepy
