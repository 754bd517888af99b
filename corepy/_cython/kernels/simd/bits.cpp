// Bools as bits of bytes, and bits as bytes of 0 and 1.
#include "../convolution.hpp"

#include "../kernels.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The same bytes with their bits in the other order.
inline uint64_t reverse_bits(uint64_t a) {
  a = (a >> 4 & 0x0F0F0F0F0F0F0F0F) | (a & 0x0F0F0F0F0F0F0F0F) << 4;
  a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
  return (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
}

void pack_bits(ptrdiff_t n, const uint8_t* bools, bool big, uint8_t* out) {
  using Bools = Mask<uint8_t>;
  constexpr ptrdiff_t nbytes = Bools::size / 8;
  ptrdiff_t i = 0;
  for (; i + nbytes <= n; i += nbytes) {
    uint64_t word = bits(Bools::from_bools(bools + 8 * i));
    if (big) word = reverse_bits(word);
    std::memcpy(out + i, &word, nbytes);
  }
  for (; i < n; i++) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) word |= uint64_t(bools[8 * i + k] != 0) << k;
    out[i] = uint8_t(big ? reverse_bits(word) : word);
  }
}

void unpack_bits(ptrdiff_t n, const uint8_t* bytes, bool big, uint8_t* out) {
  // Byte k keeps bit k, and any other value than 0 becomes 1.
  const uint64_t each = big ? 0x0102040810204080 : 0x8040201008040201;
  ptrdiff_t i = 0;
#if defined(COREPY_AVX2)  // without a product of 64 bits compilers do not vectorise the loop below
  const __m256i bit = _mm256_set1_epi64x(int64_t(each)), one = _mm256_set1_epi8(1);
  const __m256i repeated =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  for (; i + 4 <= n; i += 4) {
    int32_t four;
    std::memcpy(&four, bytes + i, 4);
    const __m256i word = _mm256_shuffle_epi8(_mm256_set1_epi32(four), repeated);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 8 * i),
                        _mm256_min_epu8(_mm256_and_si256(word, bit), one));
  }
#endif
  for (; i < n; i++) {
    const uint64_t kept = bytes[i] * 0x0101010101010101u & each;
    const uint64_t word = (kept + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
    std::memcpy(out + 8 * i, &word, 8);
  }
}

}  // namespace

void fill_bits(Kernels& kernels) {
  kernels.convolutions.pack_bits = pack_bits;
  kernels.convolutions.unpack_bits = unpack_bits;
}

}  // namespace COREPY_TARGET
}  // namespace corepy
