// Loops over masks: elements where the mask is true are packed (compress), or packed elements are
// written where it is true (expand). No loop branches on a single mask byte, so random masks cost
// the same as regular ones.
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

// Eight bytes. Not uint64_t: the alignment of a complex64 is its components'.
using Words = Pair<uint32_t>;

// ---- up to 64 mask bytes as the bits of a word

inline uint64_t mask_word(const uint8_t* mask) {
  if constexpr (Vec<uint8_t>::size == 64) {
    return bits(Mask<uint8_t>::from_bools(mask));
  } else {
    constexpr int size = int(Vec<uint8_t>::size);
    uint64_t word = 0;
    for (int i = 0; i < 64; i += size) {
      word |= bits(Vec<uint8_t>::load(mask + i) != Vec<uint8_t>(uint8_t(0))) << i;
    }
    return word;
  }
}

inline uint64_t mask_word_first(const uint8_t* mask, ptrdiff_t n) {
  if (n == 64) return mask_word(mask);
  if constexpr (Vec<uint8_t>::size == 64) {
    return bits(Mask<uint8_t>::from_bools_first(mask, n));
  } else {
    uint64_t word = 0;
    for (ptrdiff_t i = 0; i < n; i++) word |= uint64_t(mask[i] != 0) << i;
    return word;
  }
}

// Calls body(i, word) for each 64 mask bytes from i on; `word` has their bits.
template <class Body>
inline void for_words(ptrdiff_t n, const uint8_t* mask, Body body) {
  ptrdiff_t i = 0;
  for (; i + 64 <= n; i += 64) body(i, mask_word(mask + i));
  if (i < n) body(i, mask_word_first(mask + i, n - i));
}

ptrdiff_t count_loop(ptrdiff_t n, const uint8_t* mask) {
  ptrdiff_t count = 0;
  for_words(n, mask, [&](ptrdiff_t, uint64_t word) { count += __builtin_popcountll(word); });
  return count;
}

// ---- elements as lanes of vectors

// An element is one lane, or one of 16 bytes two.
template <class T>
struct LanesOfElement {
  using type = Word<T>;
  static constexpr ptrdiff_t lanes = 1;
};
template <>
struct LanesOfElement<Words> {
  using type = uint64_t;
  static constexpr ptrdiff_t lanes = 1;
};
template <>
struct LanesOfElement<Pair<uint64_t>> {
  using type = uint64_t;
  static constexpr ptrdiff_t lanes = 2;
};
template <class T>
using VecOf = Vec<typename LanesOfElement<T>::type>;
template <class T>
constexpr ptrdiff_t PER_VECTOR = VecOf<T>::size / LanesOfElement<T>::lanes;

template <class T>
inline auto* lanes_at(T* elements) {
  using Lane = typename LanesOfElement<std::remove_const_t<T>>::type;
  if constexpr (std::is_const_v<T>) {
    return reinterpret_cast<const Lane*>(elements);
  } else {
    return reinterpret_cast<Lane*>(elements);
  }
}

// The bits of a vector's lanes, from the bits of as many elements.
template <class T>
inline uint64_t bits_of_lanes(uint64_t bits) {
  if constexpr (LanesOfElement<T>::lanes == 1) {
    return bits;
  } else {
    static_assert(PER_VECTOR<T> <= 4);
    static constexpr uint8_t doubled[] = {0x00, 0x03, 0x0C, 0x0F, 0x30, 0x33, 0x3C, 0x3F,
                                          0xC0, 0xC3, 0xCC, 0xCF, 0xF0, 0xF3, 0xFC, 0xFF};
    return doubled[bits];
  }
}

// Compressing a vector is faster from four elements on.
template <class T>
constexpr bool COMPRESSES = HAS_COMPRESS<typename LanesOfElement<T>::type> && PER_VECTOR<T> >= 4;

// Calls step(i, bits) for each vector of 64 elements, with the bits of its elements. A mask
// register is loaded faster from bytes than from a word.
template <class T, class Step>
inline void for_vectors(const uint8_t* mask, uint64_t word, Step step) {
  constexpr ptrdiff_t size = PER_VECTOR<T>;
#pragma GCC unroll 16
  for (ptrdiff_t i = 0; i < 64; i += size) {
    if constexpr (HAS_MASKED_STORE && VecOf<T>::size == size && size <= 16) {
      step(i, bits(Mask<typename VecOf<T>::element>::from_bools(mask + i)));
    } else {
      step(i, size == 64 ? word : word >> i & ((uint64_t(1) << (size % 64)) - 1));
    }
  }
}

// Calls body(k) for each bit of a word, the lowest first.
template <class Body>
inline void for_bits(uint64_t word, Body body) {
  for (; word; word &= word - 1) body(__builtin_ctzll(word));
}

// Calls write(i, done) for each true byte i, where `done` counts those before it, until `count` are
// done. While 64 elements fit into the output and more than 8 of 64 bytes are true, all 64 may be
// written at a time: many(i, word, done) does so if `compresses`, and returns the number that are
// done; whole vectors are written, and later ones overwrite the excess.
template <bool compresses, class Write, class Many>
inline void by_words(ptrdiff_t n, const uint8_t* mask, ptrdiff_t count, Write write, Many many) {
  ptrdiff_t begin = 0, done = 0;
  for (; begin + 64 <= n && done + 64 <= count; begin += 64) {
    const uint64_t word = mask_word(mask + begin);
    if (__builtin_popcountll(word) <= 8) {
      for_bits(word, [&](int bit) { write(begin + bit, done++); });
    } else if constexpr (compresses) {
      done = many(begin, word, done);
    } else {
      for (ptrdiff_t i = begin; i < begin + 64; i++) {
        write(i, done);
        done += mask[i] != 0;
      }
    }
  }
  for_words(n - begin, mask + begin, [&](ptrdiff_t i, uint64_t word) {
    for_bits(word, [&](int bit) {
      if (done < count) write(begin + i + bit, done++);
    });
  });
}

template <class T>
void compress_loop(ptrdiff_t n, const uint8_t* mask, const char* in_bytes, char* out_bytes,
                   ptrdiff_t count) {
  const T* const in = reinterpret_cast<const T*>(in_bytes);
  T* const out = reinterpret_cast<T*>(out_bytes);
  const auto many = [=](ptrdiff_t begin, uint64_t word, ptrdiff_t done) {
    for_vectors<T>(mask + begin, word, [&](ptrdiff_t i, uint64_t bits) {
      compress(lanes_at(in + begin + i), bits_of_lanes<T>(bits), lanes_at(out + done));
      done += __builtin_popcountll(bits);
    });
    return done;
  };
  by_words<COMPRESSES<T>>(
      n, mask, count, [=](ptrdiff_t i, ptrdiff_t done) { out[done] = in[i]; }, many);
}

void positions_loop(ptrdiff_t n, const uint8_t* mask, int64_t first, int64_t* out,
                    ptrdiff_t count) {
  const auto many = [=](ptrdiff_t begin, uint64_t word, ptrdiff_t done) {
    for_vectors<int64_t>(mask + begin, word, [&](ptrdiff_t i, uint64_t bits) {
      const Vec<int64_t> positions = lane_numbers<int64_t>() + (first + begin + i);
      compress(positions, bits).store(out + done);
      done += __builtin_popcountll(bits);
    });
    return done;
  };
  by_words<COMPRESSES<int64_t>>(
      n, mask, count, [=](ptrdiff_t i, ptrdiff_t done) { out[done] = first + i; }, many);
}

// ---- expand and fill

template <class T>
void expand_loop(ptrdiff_t n, const uint8_t* mask, const char* in_bytes, char* out_bytes,
                 ptrdiff_t count) {
  const T* const in = reinterpret_cast<const T*>(in_bytes);
  T* const out = reinterpret_cast<T*>(out_bytes);
  ptrdiff_t i = 0, done = 0;
  if constexpr (LanesOfElement<T>::lanes == 1 && HAS_MASKED_STORE) {
    using V = VecOf<T>;
    if constexpr (HAS_EXPAND<typename V::element>) {
      for (; i + V::size <= n && done + V::size <= count; i += V::size) {
        const auto wanted = Mask<typename V::element>::from_bools(mask + i);
        store_masked(expand(V::load(lanes_at(in + done)), wanted), wanted, lanes_at(out + i));
        done += __builtin_popcountll(bits(wanted));
      }
    }
  }
  for_words(n - i, mask + i, [&](ptrdiff_t at, uint64_t word) {
    for_bits(word, [&](int bit) {
      if (done < count) out[i + at + bit] = in[done++];
    });
  });
}

template <class T>
void fill_loop(ptrdiff_t n, const uint8_t* mask, const char* value_bytes, char* out_bytes) {
  T* const out = reinterpret_cast<T*>(out_bytes);
  T value;
  std::memcpy(&value, value_bytes, sizeof(T));
  if constexpr (LanesOfElement<T>::lanes == 1 && HAS_MASKED_STORE) {
    using Lane = typename LanesOfElement<T>::type;
    Lane lane;
    std::memcpy(&lane, value_bytes, sizeof(T));
    return for_words(n, mask, [&](ptrdiff_t i, uint64_t word) {
      if (!word) return;
#pragma GCC unroll 8
      for (ptrdiff_t k = 0; k < 64; k += Vec<Lane>::size) {
        store_masked(Vec<Lane>(lane), Mask<Lane>::from_bits(word >> k), lanes_at(out + i + k));
      }
    });
  }
  for_words(n, mask, [&](ptrdiff_t i, uint64_t word) {
    if (!word) return;
    if (word == ~uint64_t(0)) {
      for (int k = 0; k < 64; k++) out[i + k] = value;
      return;
    }
    for_bits(word, [&](int bit) { out[i + bit] = value; });
  });
}

template <class T>
void fill_size(MaskLoops& loops, int log2_size) {
  loops.compress[log2_size] = compress_loop<T>;
  loops.expand[log2_size] = expand_loop<T>;
  loops.fill[log2_size] = fill_loop<T>;
}

}  // namespace

void fill_masks(Kernels& kernels) {
  kernels.masks.count = count_loop;
  kernels.masks.positions = positions_loop;
  fill_size<uint8_t>(kernels.masks, 0);
  fill_size<uint16_t>(kernels.masks, 1);
  fill_size<uint32_t>(kernels.masks, 2);
  fill_size<Words>(kernels.masks, 3);
  fill_size<Pair<uint64_t>>(kernels.masks, 4);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
