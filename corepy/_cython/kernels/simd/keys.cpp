// Elements as sort keys: unsigned integers in the same order.
#include <algorithm>

#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

template <class T>
inline uint64_t key_of(T x) {
  if constexpr (is_bool<T>) {
    return bool(x);
  } else if constexpr (std::is_floating_point_v<T>) {
    using U = Word<T>;
    constexpr U sign = U(1) << (8 * sizeof(T) - 1);
    U word;
    x += T(0);  // -0 becomes +0
    std::memcpy(&word, &x, sizeof(T));
    const U mask = U(U(0) - (word >> (8 * sizeof(T) - 1))) | sign;
    return x != x ? U(~U(0)) : U(word ^ mask);
  } else if constexpr (std::is_signed_v<T>) {
    using U = Word<T>;
    return U(U(x) ^ U(U(1) << (8 * sizeof(T) - 1)));
  } else {
    return x;
  }
}

template <class T>
int survey_loop(ptrdiff_t n, const char* bytes) {
  if constexpr (std::is_floating_point_v<T>) {
    using U = Word<T>;
    const T* const x = reinterpret_cast<const T*>(bytes);
    const Vec<U> sign(U(U(1) << (8 * sizeof(T) - 1)));
    Mask<T> nan = Vec<T>(T(0)) != Vec<T>(T(0));
    Mask<U> zero = sign != sign;
    const auto look = [&](Vec<T> v) {
      nan = nan | (v != v);
      zero = zero | (bitcast<U>(v) == sign);
    };
    ptrdiff_t i = 0;
    for (; i + Vec<T>::size <= n; i += Vec<T>::size) look(Vec<T>::load(x + i));
    if (i < n) look(Vec<T>::load_first(x + i, n - i));
    return (any(nan) ? KeyLoops::HAS_NAN : 0) | (any(zero) ? KeyLoops::HAS_NEGATIVE_ZERO : 0);
  } else {
    return 0;
  }
}

template <class T>
void range_loop(ptrdiff_t n, const char* bytes, uint64_t* smallest, uint64_t* largest) {
  const T* const x = reinterpret_cast<const T*>(bytes);
  uint64_t low = ~uint64_t(0), high = 0;
  ptrdiff_t i = 0;
  if constexpr (std::is_integral_v<T>) {  // in their own order, several vectors at a time
    using V = Vec<T>;
    constexpr ptrdiff_t size = V::size;
    if (n >= 4 * size) {
      V least = V::load(x), most = least;
      for (; i + 4 * size <= n; i += 4 * size) {
        const V a = V::load(x + i), b = V::load(x + i + size);
        const V c = V::load(x + i + 2 * size), d = V::load(x + i + 3 * size);
        least = min_of_numbers(least, min_of_numbers(min_of_numbers(a, b), min_of_numbers(c, d)));
        most = max_of_numbers(most, max_of_numbers(max_of_numbers(a, b), max_of_numbers(c, d)));
      }
      T ends[2][size];
      least.store(ends[0]);
      most.store(ends[1]);
      for (ptrdiff_t k = 0; k < size; k++) {
        low = std::min(low, uint64_t(key_of(ends[0][k])));
        high = std::max(high, uint64_t(key_of(ends[1][k])));
      }
    }
  }
  for (; i < n; i++) {
    const uint64_t key = key_of(x[i]);
    low = std::min(low, key);
    high = std::max(high, key);
  }
  *smallest = low;
  *largest = high;
}

template <class T>
void pack_loop(ptrdiff_t n, const char* bytes, uint64_t flip, uint64_t base, int shift,
               int index_bits, uint64_t first, uint64_t* out) {
  const T* const x = reinterpret_cast<const T*>(bytes);
  for (ptrdiff_t i = 0; i < n; i++) {
    out[i] = ((key_of(x[i]) ^ flip) - base) >> shift << index_bits | (first + uint64_t(i));
  }
}

template <class T>
void fill_keys_of(KeyLoops& keys) {
  keys.survey[dtype_of<T>] = survey_loop<T>;
  keys.range[dtype_of<T>] = range_loop<T>;
  keys.pack[dtype_of<T>] = pack_loop<T>;
}

}  // namespace

void fill_keys(Kernels& kernels) {
  const auto fill = [&](auto zero) { fill_keys_of<decltype(zero)>(kernels.keys); };
  fill(Bool{});
  for_each(RealNumbers{}, fill);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
