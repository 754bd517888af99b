// Loops that select by a mask: elements are packed together where it is true (compress), or spread
// out to where it is true (expand). None of them branches on a single mask byte, so that random
// masks cost what regular ones do.
#include "vec.hpp"

#if defined(COREPY_AVX2)
#include <immintrin.h>
#endif

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

// Eight bytes. Not uint64_t, for a complex64 need be aligned only like its components.
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

// Calls body(i, word) for each 64 mask bytes from i on, of which word has the bits.
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

// ---- compress: a step packs `lanes` elements at a time, and writes whole registers while there
// is room behind, which later steps overwrite.

template <class T>
struct Packing {
  static constexpr ptrdiff_t lanes = 0;
};

#if defined(COREPY_AVX512)

constexpr int BITS_PER_LANE = 1;

// The bits of `lanes` mask bytes.
template <int lanes>
inline uint32_t mask_bits(const uint8_t* mask) {
  if constexpr (lanes == 16) {
    return bits(Mask<int32_t>::from_bools(mask));
  } else if constexpr (lanes == 8) {
    return uint32_t(bits(Mask<int64_t>::from_bools(mask)));
  } else {
    int32_t bytes;
    std::memcpy(&bytes, mask, sizeof(bytes));
    const __m128i v = _mm_cvtsi32_si128(bytes);
    return _mm_test_epi8_mask(v, v);
  }
}

template <>
struct Packing<uint8_t> {
  static constexpr ptrdiff_t lanes = 16;
  static void step(uint32_t wanted, const uint8_t* in, uint8_t* out) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
    const __m512i packed = _mm512_maskz_compress_epi32(__mmask16(wanted), _mm512_cvtepu8_epi32(v));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtepi32_epi8(packed));
  }
};
template <>
struct Packing<uint16_t> {
  static constexpr ptrdiff_t lanes = 16;
  static void step(uint32_t wanted, const uint16_t* in, uint16_t* out) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
    const __m512i packed = _mm512_maskz_compress_epi32(__mmask16(wanted), _mm512_cvtepu16_epi32(v));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi32_epi16(packed));
  }
};
template <>
struct Packing<uint32_t> {
  static constexpr ptrdiff_t lanes = 16;
  static void step(uint32_t wanted, const uint32_t* in, uint32_t* out) {
    const __m512i v = _mm512_loadu_si512(in);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(wanted), v));
  }
};
template <>
struct Packing<Words> {
  static constexpr ptrdiff_t lanes = 8;
  static void step(uint32_t wanted, const Words* in, Words* out) {
    const __m512i v = _mm512_loadu_si512(in);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(__mmask8(wanted), v));
  }
};
template <>
struct Packing<Pair<uint64_t>> {
  static constexpr ptrdiff_t lanes = 4;
  static void step(uint32_t wanted, const Pair<uint64_t>* in, Pair<uint64_t>* out) {
    const __m512i v = _mm512_loadu_si512(in);
    const __mmask8 words = __mmask8(_pdep_u32(wanted, 0x55) * 3);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(words, v));
  }
};

#elif defined(COREPY_AVX2)

constexpr int BITS_PER_LANE = 8;

// The bits of `lanes` mask bytes, 8 for each: 0xFF where the byte is true.
template <int lanes>
inline uint64_t mask_bits(const uint8_t* mask) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, mask, lanes);
  const __m128i is_false = _mm_cmpeq_epi8(_mm_cvtsi64_si128(int64_t(bytes)), _mm_setzero_si128());
  const uint64_t wanted = ~uint64_t(_mm_cvtsi128_si64(is_false));
  return lanes == 8 ? wanted : wanted & 0xFFFFFFFF;
}

// Permutes the 32-bit words of a register: those marked by a byte of `wanted` come first.
inline void pack_words(uint64_t wanted, __m256i v, void* out) {
  const uint64_t order = _pext_u64(0x0706050403020100, wanted);
  const __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(int64_t(order)));
  _mm256_storeu_si256(static_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(v, index));
}

template <>
struct Packing<uint32_t> {
  static constexpr ptrdiff_t lanes = 8;
  static void step(uint64_t wanted, const uint32_t* in, uint32_t* out) {
    pack_words(wanted, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)), out);
  }
};
template <>
struct Packing<Words> {
  static constexpr ptrdiff_t lanes = 4;
  static void step(uint64_t wanted, const Words* in, Words* out) {
    step(wanted, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)), out);
  }
  static void step(uint64_t wanted, __m256i words, void* out) {
    const uint64_t even = _pdep_u64(wanted, 0x00FF00FF00FF00FF);
    pack_words(even | even << 8, words, out);
  }
};

#else
constexpr int BITS_PER_LANE = 1;
template <int lanes>
uint64_t mask_bits(const uint8_t* mask);  // there is no Packing to ask for it
#endif

// Calls body(k) for each bit of a word, the lowest first.
template <class Body>
inline void for_bits(uint64_t word, Body body) {
  for (; word; word &= word - 1) body(__builtin_ctzll(word));
}

// Where a loop over a mask has got to: how many mask bytes it has seen, and how many elements it
// has written.
struct Progress {
  ptrdiff_t seen = 0, done = 0;
};

// Goes through a mask by 64 bytes, as long as the output has room for 64 elements. few(i, word,
// done) writes elements where at most 8 bytes are true, many(i, done) others; both return how many
// are done then.
template <class Few, class Many>
inline Progress by_words(ptrdiff_t n, const uint8_t* mask, ptrdiff_t count, Few few, Many many) {
  Progress at;
  for (; at.seen + 64 <= n && at.done + 64 <= count; at.seen += 64) {
    const uint64_t word = mask_word(mask + at.seen);
    at.done =
        __builtin_popcountll(word) <= 8 ? few(at.seen, word, at.done) : many(at.seen, at.done);
  }
  return at;
}

// What is left at the end: write(i, done) for each true byte, until `count` are done.
template <class Write>
inline void by_bits(Progress at, ptrdiff_t n, const uint8_t* mask, ptrdiff_t count, Write write) {
  for_words(n - at.seen, mask + at.seen, [&](ptrdiff_t i, uint64_t word) {
    for_bits(word, [&](int bit) {
      if (at.done < count) write(at.seen + i + bit, at.done++);
    });
  });
}

template <class T>
void compress_loop(ptrdiff_t n, const uint8_t* mask, const char* in_bytes, char* out_bytes,
                   ptrdiff_t count) {
  const T* const in = reinterpret_cast<const T*>(in_bytes);
  T* const out = reinterpret_cast<T*>(out_bytes);
  constexpr ptrdiff_t lanes = Packing<T>::lanes;
  const auto few = [=](ptrdiff_t i, uint64_t word, ptrdiff_t done) {
    for_bits(word, [&](int bit) { out[done++] = in[i + bit]; });
    return done;
  };
  const auto many = [=](ptrdiff_t begin, ptrdiff_t done) {
    if constexpr (lanes > 0) {
      for (ptrdiff_t i = begin; i < begin + 64; i += lanes) {
        const auto wanted = mask_bits<int(lanes)>(mask + i);
        Packing<T>::step(wanted, in + i, out + done);
        done += __builtin_popcountll(wanted) / BITS_PER_LANE;
      }
    } else {
      for (ptrdiff_t i = begin; i < begin + 64; i++) {
        out[done] = in[i];
        done += mask[i] != 0;
      }
    }
    return done;
  };
  const Progress at = by_words(n, mask, count, few, many);
  by_bits(at, n, mask, count, [=](ptrdiff_t i, ptrdiff_t done) { out[done] = in[i]; });
}

void positions_loop(ptrdiff_t n, const uint8_t* mask, int64_t first, int64_t* out,
                    ptrdiff_t count) {
  const auto few = [=](ptrdiff_t i, uint64_t word, ptrdiff_t done) {
    for_bits(word, [&](int bit) { out[done++] = first + i + bit; });
    return done;
  };
  const auto many = [=](ptrdiff_t begin, ptrdiff_t done) {
#if defined(COREPY_AVX512)
    const __m512i steps = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    for (ptrdiff_t i = begin; i < begin + 64; i += 8) {
      const __m512i position = _mm512_add_epi64(_mm512_set1_epi64(first + i), steps);
      const uint32_t wanted = mask_bits<8>(mask + i);
      _mm512_storeu_si512(out + done, _mm512_maskz_compress_epi64(__mmask8(wanted), position));
      done += __builtin_popcount(wanted);
    }
#elif defined(COREPY_AVX2)
    const __m256i steps = _mm256_setr_epi64x(0, 1, 2, 3);
    for (ptrdiff_t i = begin; i < begin + 64; i += 4) {
      const uint64_t wanted = mask_bits<4>(mask + i);
      Packing<Words>::step(wanted, _mm256_add_epi64(_mm256_set1_epi64x(first + i), steps),
                           out + done);
      done += __builtin_popcountll(wanted) / BITS_PER_LANE;
    }
#else
    for (ptrdiff_t i = begin; i < begin + 64; i++) {
      out[done] = first + i;
      done += mask[i] != 0;
    }
#endif
    return done;
  };
  const Progress at = by_words(n, mask, count, few, many);
  by_bits(at, n, mask, count, [=](ptrdiff_t i, ptrdiff_t done) { out[done] = first + i; });
}

// ---- expand and fill

template <class T>
void expand_loop(ptrdiff_t n, const uint8_t* mask, const char* in_bytes, char* out_bytes,
                 ptrdiff_t count) {
  const T* const in = reinterpret_cast<const T*>(in_bytes);
  T* const out = reinterpret_cast<T*>(out_bytes);
  ptrdiff_t i = 0, done = 0;
#if defined(COREPY_AVX512)
  if constexpr (std::is_same_v<T, uint32_t> || std::is_same_v<T, Words>) {
    constexpr ptrdiff_t lanes = Packing<T>::lanes;
    for (; i + lanes <= n && done + lanes <= count; i += lanes) {
      const uint32_t wanted = mask_bits<int(lanes)>(mask + i);
      const __m512i v = _mm512_loadu_si512(in + done);
      if constexpr (sizeof(T) == 4) {
        const __mmask16 m = __mmask16(wanted);
        _mm512_mask_storeu_epi32(out + i, m, _mm512_maskz_expand_epi32(m, v));
      } else {
        const __mmask8 m = __mmask8(wanted);
        _mm512_mask_storeu_epi64(out + i, m, _mm512_maskz_expand_epi64(m, v));
      }
      done += __builtin_popcount(wanted);
    }
  }
#endif
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
#if defined(COREPY_AVX512)
  if constexpr (sizeof(T) <= 8) {
    uint64_t word_of_value = 0;
    std::memcpy(&word_of_value, value_bytes, sizeof(T));
    for (size_t size = sizeof(T); size < 8; size *= 2) word_of_value |= word_of_value << 8 * size;
    const __m512i v = _mm512_set1_epi64(int64_t(word_of_value));
    return for_words(n, mask, [&](ptrdiff_t i, uint64_t word) {
      if (!word) return;
      if constexpr (sizeof(T) == 1) _mm512_mask_storeu_epi8(out + i, word, v);
      if constexpr (sizeof(T) == 2) {
        _mm512_mask_storeu_epi16(out + i, __mmask32(word), v);
        _mm512_mask_storeu_epi16(out + i + 32, __mmask32(word >> 32), v);
      }
      if constexpr (sizeof(T) == 4) {
        for (int k = 0; k < 64; k += 16) {
          _mm512_mask_storeu_epi32(out + i + k, __mmask16(word >> k), v);
        }
      }
      if constexpr (sizeof(T) == 8) {
        for (int k = 0; k < 64; k += 8) {
          _mm512_mask_storeu_epi64(out + i + k, __mmask8(word >> k), v);
        }
      }
    });
  }
#endif
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
