// Elements with a step between them to contiguous memory and back. Only their bits matter, so these
// know elements by their size.
#pragma once

#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

// Bytes of a block of packed elements: few enough for packing one to overlap with computing the one
// before.
constexpr ptrdiff_t PACKED_BYTES = 2048;

template <int size>
using WordOfSize = std::conditional_t<
    size == 1, uint8_t,
    std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>;

// Elements of 4 or 8 bytes at offsets in bytes.
#if defined(COREPY_AVX512)
constexpr bool HAS_GATHER = true;
inline Vec<int32_t> gather_bytes(const char* from, Vec<int32_t> offsets) {
  return Vec<int32_t>::native(_mm512_i32gather_epi32(__m512i(offsets.v), from, 1));
}
inline Vec<int64_t> gather_bytes(const char* from, Vec<int64_t> offsets) {
  return Vec<int64_t>::native(_mm512_i64gather_epi64(__m512i(offsets.v), from, 1));
}
#else
constexpr bool HAS_GATHER = false;
template <class T>
Vec<T> gather_bytes(const char*, Vec<T>);
#endif

// 0, 1, 2, ...
template <class T>
inline Vec<T> lane_numbers() {
  Vec<T> numbers;
  for (int i = 0; i < Vec<T>::size; i++) numbers.v[i] = T(i);
  return numbers;
}

// Through a register, so that both may be the same.
template <int size>
inline void copy_element(char* out, const char* in) {
  char element[size];
  std::memcpy(element, in, size);
  std::memcpy(out, element, size);
}

template <int size>
inline void pack(ptrdiff_t n, char* out, const char* in, ptrdiff_t step) {
  ptrdiff_t i = 0;
  if constexpr (size <= 8) {
    using V = Vec<WordOfSize<size>>;
    using Word = WordOfSize<size>;
    const auto load = [](const char* from) { return V::load(reinterpret_cast<const Word*>(from)); };
    const auto store = [](char* to, V words) { words.store(reinterpret_cast<Word*>(to)); };
    if (step == 2 * size) {
      // The last element's neighbour may not exist.
      for (; i + V::size < n; i += V::size) {
        const char* const from = in + i * step;
        store(out + i * size, even(load(from), load(from + VECTOR_BYTES)));
      }
    } else if (step == -size) {
      for (; i + V::size <= n; i += V::size) {
        const char* const from = in + (i + V::size - 1) * step;
        store(out + i * size, reverse(load(from)));
      }
    }
  }
  if constexpr (HAS_GATHER && (size == 4 || size == 8)) {
    using Index = Signed_of<WordOfSize<size>>;
    constexpr ptrdiff_t lanes = Vec<Index>::size;
    if (step < (1 << 24) && step > -(1 << 24)) {
      const Vec<Index> offsets = lane_numbers<Index>() * Vec<Index>(Index(step));
      for (; i + lanes <= n; i += lanes) {
        gather_bytes(in + i * step, offsets).store(reinterpret_cast<Index*>(out + i * size));
      }
    }
  }
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; k++) copy_element<size>(out + (i + k) * size, in + (i + k) * step);
  }
  for (; i < n; i++) copy_element<size>(out + i * size, in + i * step);
}

template <int size>
inline void unpack(ptrdiff_t n, char* out, ptrdiff_t step, const char* in) {
  for (ptrdiff_t i = 0; i < n; i++) copy_element<size>(out + i * step, in + i * size);
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

// The kernel that copies elements of type T unchanged.
template <class T>
void copy_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(T);
  if (steps[1] == size && (steps[0] == size || n == 1)) {
    std::memmove(data[0], data[1], size_t(n) * size);  // not memcpy: may be in place
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
