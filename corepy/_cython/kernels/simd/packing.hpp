// Copies of strided elements to contiguous memory and back, as bits, by the size of elements.
#pragma once

#include "../bytes.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Bytes of a block of packed elements: few enough for packing one to overlap with computing the one
// before.
constexpr ptrdiff_t PACKED_BYTES = 2048;

#if defined(COREPY_AVX512)
// Every `step`th of n elements, in whole vectors; returns the number of elements done. The elements
// between them are loaded as well: a vector is composed from `step` vectors.
template <int step, class T>
inline ptrdiff_t pack_near(ptrdiff_t n, T* out, const T* in) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const Vec<T> place = lane_numbers<T>() * T(step), lane = place & T(size - 1);
  Mask<T> from[step];
  for (int k = 0; k < step; k++) {
    from[k] = (place >= T(k * size)) & (place < T((k + 1) * size));
  }
  ptrdiff_t i = 0;
  for (; i + size < n; i += size) {  // memory after the last element may not exist
    Vec<T> packed = T(0);
#pragma GCC unroll 8
    for (int k = 0; k < step; k++) {
      packed = permute(packed, from[k], lane, Vec<T>::load(in + i * step + k * size));
    }
    packed.store(out + i);
  }
  return i;
}

template <class T>
inline ptrdiff_t pack_near(ptrdiff_t step, ptrdiff_t n, T* out, const T* in) {
  switch (step) {
    case 3:
      return pack_near<3>(n, out, in);
    case 4:
      return pack_near<4>(n, out, in);
    case 5:
      return pack_near<5>(n, out, in);
    case 6:
      return pack_near<6>(n, out, in);
    case 7:
      return pack_near<7>(n, out, in);
    case 8:
      return pack_near<8>(n, out, in);
    default:
      return 0;
  }
}

// The inverse: n elements to every `step`th position, as far as whole vectors of them go.
template <int step, class T>
inline ptrdiff_t unpack_near(ptrdiff_t n, T* out, const T* in) {
  constexpr ptrdiff_t size = Vec<T>::size;
  Vec<T> lane[step];
  Mask<T> to[step];
  for (int k = 0; k < step; k++) {
    T lanes[size];
    uint8_t used[size];
    for (int i = 0; i < size; i++) {
      lanes[i] = T((k * size + i) / step);
      used[i] = (k * size + i) % step == 0;
    }
    lane[k] = Vec<T>::load(lanes);
    to[k] = Mask<T>::from_bools(used);
  }
  ptrdiff_t i = 0;
  for (; i + size <= n; i += size) {
    const Vec<T> elements = Vec<T>::load(in + i);
#pragma GCC unroll 8
    for (int k = 0; k < step; k++) {
      store_masked(permute(elements, to[k], lane[k], elements), to[k], out + i * step + k * size);
    }
  }
  return i;
}

// The same of elements of 4 and 8 bytes, at any distance.
template <class T>
inline ptrdiff_t pack_far(ptrdiff_t step, ptrdiff_t n, T* out, const char* in) {
  constexpr ptrdiff_t size = Vec<T>::size, farthest = 1 << 24;
  if (step > farthest || step < -farthest) return 0;
  using I = Signed_of<T>;
  const Vec<I> offsets = lane_numbers<I>() * I(step);
  ptrdiff_t i = 0;
  for (; i + size <= n; i += size) gather_scaled<1, T>(in + i * step, offsets).store(out + i);
  return i;
}
#endif

// Stores wait for their cache lines in order. If elements are this far apart, in different lines
// but some to a page, lines are prefetched so many elements ahead: from the third-level cache it
// takes a third of the time then. Further apart, and from nearer caches, addresses would only be
// translated twice. Not beyond the last element, because what follows may be another row.
constexpr ptrdiff_t FAR = 64, FARTHEST = 2048, ELEMENTS_AHEAD = 16;
constexpr bool is_far(ptrdiff_t step) {
  return (step >= FAR && step <= FARTHEST) || (step <= -FAR && step >= -FARTHEST);
}

// Four elements, `i` elements from the first of n, at `to`.
inline void prefetch_stores(ptrdiff_t i, ptrdiff_t n, const char* to, ptrdiff_t step) {
  if (i + ELEMENTS_AHEAD + 4 > n) return;
  for (int k = ELEMENTS_AHEAD; k < ELEMENTS_AHEAD + 4; k++) __builtin_prefetch(to + k * step, 1);
}

// Through a register, so that both may be the same.
template <int size>
inline void copy_element(char* out, const char* in) {
  char element[size];
  std::memcpy(element, in, size);
  std::memcpy(out, element, size);
}

// Every other of 2 n - 1 elements. Returns how many are done. A load that straddles cache lines
// takes as long as two, so vectors begin where a line does: there is an element to pack, or, of
// addresses that are an odd number of elements away, the one before it.
template <class T>
inline ptrdiff_t pack_every_other(ptrdiff_t n, T* out, const T* in) {
  constexpr ptrdiff_t size = Vec<T>::size;
  const auto address = reinterpret_cast<uintptr_t>(in);
  const ptrdiff_t place = ptrdiff_t(address / sizeof(T)) % size;
  const bool between = address % sizeof(T) == 0 && place % 2;
  ptrdiff_t i = 0;
  if (n > 4 * size && address % sizeof(T) == 0) {
    const ptrdiff_t before = place > 1 || between ? (size - place + 1) / 2 : 0;
    for (; i < before; i++) {
      copy_element<sizeof(T)>(reinterpret_cast<char*>(out + i),
                              reinterpret_cast<const char*>(in + 2 * i));
    }
  }
  if (between && i > 0) {
    for (; i + size <= n; i += size) {
      const T* const from = in + 2 * i - 1;
      odd(Vec<T>::load(from), Vec<T>::load(from + size)).store(out + i);
    }
  } else {
    for (; i + size < n; i += size) {  // memory after the last element may not exist
      const T* const from = in + 2 * i;
      even(Vec<T>::load(from), Vec<T>::load(from + size)).store(out + i);
    }
  }
  return i;
}

// One function per size, not a copy in every loop.
template <int size>
__attribute__((noinline)) void pack(ptrdiff_t n, char* out, const char* in, ptrdiff_t step) {
  ptrdiff_t i = 0;
  if constexpr (size <= 8) {
    using Word = WordOfSize<size>;
    using V = Vec<Word>;
    const Word* const from = reinterpret_cast<const Word*>(in);
    Word* const to = reinterpret_cast<Word*>(out);
    if (step == 2 * size) {
      i = pack_every_other(n, to, from);
    } else if (step == -size) {
      for (; i + V::size <= n; i += V::size) {
        reverse(V::load(from - i - (V::size - 1))).store(to + i);
      }
    }
#if defined(COREPY_AVX512)
    if constexpr (size > 1) {
      if (step % size == 0) i += pack_near(step / size, n - i, to + i, from + i * (step / size));
    }
    if constexpr (size > 2) {
      // AMD's gather has fewer loads under way: from the third-level cache it takes a third longer.
      if (!__builtin_cpu_is("amd")) i += pack_far(step, n - i, to + i, in + i * step);
    }
#endif
  }
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; k++) copy_element<size>(out + (i + k) * size, in + (i + k) * step);
  }
  for (; i < n; i++) copy_element<size>(out + i * size, in + i * step);
}

// n elements, and the elements after them, which are read together. Those of pairs next to each
// other are separated in registers.
template <int size>
__attribute__((noinline)) void pack_pairs(ptrdiff_t n, char* first, char* second, const char* in,
                                          ptrdiff_t step) {
  ptrdiff_t i = 0;
  if constexpr (size <= 8) {
    using Word = WordOfSize<size>;
    using V = Vec<Word>;
    if (step == 2 * size) {
      for (; i + V::size <= n; i += V::size) {
        const Word* const from = reinterpret_cast<const Word*>(in) + 2 * i;
        const auto both = unzip(V::load(from), V::load(from + V::size));
        both.first.store(reinterpret_cast<Word*>(first) + i);
        both.second.store(reinterpret_cast<Word*>(second) + i);
      }
    }
  }
  for (; i < n; i++) {
    char pair[2 * size];
    std::memcpy(pair, in + i * step, 2 * size);
    std::memcpy(first + i * size, pair, size);
    std::memcpy(second + i * size, pair + size, size);
  }
}

template <int size>
__attribute__((noinline)) void unpack(ptrdiff_t n, char* out, ptrdiff_t step, const char* in) {
  ptrdiff_t i = 0;
#if defined(COREPY_AVX512)
  if constexpr (size > 1 && size <= 8) {
    using Word = WordOfSize<size>;
    Word* const to = reinterpret_cast<Word*>(out);
    const Word* const from = reinterpret_cast<const Word*>(in);
    if (step == 2 * size) i = unpack_near<2>(n, to, from);
    if (step == 3 * size) i = unpack_near<3>(n, to, from);
  }
#endif
  const bool far = is_far(step);
  for (; i + 4 <= n; i += 4) {
    if (far) prefetch_stores(i, n, out + i * step, step);
    for (int k = 0; k < 4; k++) copy_element<size>(out + (i + k) * step, in + (i + k) * size);
  }
  for (; i < n; i++) copy_element<size>(out + i * step, in + i * size);
}

// The same element n times.
template <int size>
inline void fill(ptrdiff_t n, char* out, ptrdiff_t step, const char* element) {
  char value[size];
  copy_element<size>(value, element);
  if (step == size) {
    for (ptrdiff_t i = 0; i < n; i++) copy_element<size>(out + i * size, value);
  } else {
    for (ptrdiff_t i = 0; i < n; i++) copy_element<size>(out + i * step, value);
  }
}

// By sizes that are known at run time.
inline void pack(ptrdiff_t size, ptrdiff_t n, char* out, const char* in, ptrdiff_t step) {
  with_size(size, [=](auto size) {
    if (step == 0) return fill<size>(n, out, size, in);
    pack<size>(n, out, in, step);
  });
}
inline void pack_pairs(ptrdiff_t size, ptrdiff_t n, char* first, char* second, const char* in,
                       ptrdiff_t step) {
  with_size(size, [=](auto size) { pack_pairs<size>(n, first, second, in, step); });
}
inline void unpack(ptrdiff_t size, ptrdiff_t n, char* out, ptrdiff_t step, const char* in) {
  with_size(size, [=](auto size) { unpack<size>(n, out, step, in); });
}
inline void fill(ptrdiff_t size, ptrdiff_t n, char* out, ptrdiff_t step, const char* element) {
  with_size(size, [=](auto size) { fill<size>(n, out, step, element); });
}

// The kernel that copies elements of type T unchanged.
template <class T>
void copy_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(T);
  if (steps[1] == size && (steps[0] == size || n == 1)) {
    copy_bytes(data[0], data[1], size_t(n) * size);
  } else if (steps[1] == 0 || n == 1) {
    fill<size>(n, data[0], steps[0], data[1]);
  } else if (steps[0] == size) {
    pack<size>(n, data[0], data[1], steps[1]);
  } else {
    for (ptrdiff_t i = 0; i < n; i++) {
      copy_element<size>(data[0] + i * steps[0], data[1] + i * steps[1]);
    }
  }
}

}  // namespace COREPY_TARGET
}  // namespace corepy
