// Copies of rows of a few bytes from and to indexed addresses.
#include "../bytes.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

bool offsets_loop(ptrdiff_t n, const int64_t* index, ptrdiff_t size, ptrdiff_t stride, bool add,
                  ptrdiff_t* offsets) {
  uint64_t bad = 0;
  const auto run = [&](auto plus, auto times_stride) {
    for (ptrdiff_t i = 0; i < n; i++) {
      const int64_t given = index[i], position = given + ((given >> 63) & size);
      // For a position in range neither it nor size - 1 - position is negative.
      bad |= uint64_t(position) | uint64_t(size - 1 - position);
      offsets[i] = plus(offsets[i]) + ptrdiff_t(times_stride(uint64_t(position)));
    }
  };
  const auto none = [](ptrdiff_t) { return ptrdiff_t(0); };
  const auto multiplied = [=](uint64_t position) { return position * uint64_t(stride); };
  if (add) {
    run([](ptrdiff_t before) { return before; }, multiplied);
  } else if (stride > 0 && (stride & (stride - 1)) == 0) {
    // Most instruction sets lack a multiplication of 64 bits.
    const int shift = __builtin_ctzll(uint64_t(stride));
    run(none, [=](uint64_t position) { return position << shift; });
  } else {
    run(none, multiplied);
  }
  return (bad >> 63) == 0;
}

template <size_t nbytes>
void gather_loop(ptrdiff_t n, const ptrdiff_t* offsets, const char* x, ptrdiff_t, char* out) {
  ptrdiff_t i = 0;
  if constexpr (FAST_GATHER && (nbytes == 4 || nbytes == 8)) {
    using Offsets = Vec<int64_t>;
    for (; i + Offsets::size <= n; i += Offsets::size) {
      const Offsets at = Offsets::load(reinterpret_cast<const int64_t*>(offsets + i));
      if constexpr (nbytes == 8) {
        const Vec<uint64_t> found = gather_scaled<1, uint64_t>(x, at);
        std::memcpy(out + i * 8, &found.v, VECTOR_BYTES);
      } else {
        const Vec<uint32_t> found = gather_first_scaled<1, uint32_t>(x, at);
        std::memcpy(out + i * 4, &found.v, VECTOR_BYTES / 2);
      }
    }
  }
  for (; i < n; i++) std::memcpy(out + i * ptrdiff_t(nbytes), x + offsets[i], nbytes);
}

// Stores leave the processor in order, so each would wait for the cache line of the one before.
template <size_t nbytes>
void scatter_loop(ptrdiff_t n, const ptrdiff_t* offsets, char* x, ptrdiff_t, const char* in,
                  ptrdiff_t in_step) {
  constexpr ptrdiff_t AHEAD = 32;
  ptrdiff_t i = 0;
  for (; i < n - AHEAD; i++) {
    __builtin_prefetch(x + offsets[i + AHEAD], 1);
    std::memcpy(x + offsets[i], in + i * in_step, nbytes);
  }
  for (; i < n; i++) std::memcpy(x + offsets[i], in + i * in_step, nbytes);
}

void gather_bytes(ptrdiff_t n, const ptrdiff_t* offsets, const char* x, ptrdiff_t nbytes,
                  char* out) {
  for (ptrdiff_t i = 0; i < n; i++) {
    copy_bytes(out + i * nbytes, x + offsets[i], size_t(nbytes));
  }
}

void scatter_bytes(ptrdiff_t n, const ptrdiff_t* offsets, char* x, ptrdiff_t nbytes, const char* in,
                   ptrdiff_t in_step) {
  for (ptrdiff_t i = 0; i < n; i++) copy_bytes(x + offsets[i], in + i * in_step, size_t(nbytes));
}

template <size_t nbytes>
void fill_size(GatherLoops& loops) {
  loops.gather[nbytes] = gather_loop<nbytes>;
  loops.scatter[nbytes] = scatter_loop<nbytes>;
}

}  // namespace

void fill_gathers(Kernels& kernels) {
  GatherLoops& loops = kernels.gathers;
  loops.offsets = offsets_loop;
  for (ptrdiff_t nbytes = 0; nbytes <= GatherLoops::MAX_BYTES; nbytes++) {
    loops.gather[nbytes] = gather_bytes;
    loops.scatter[nbytes] = scatter_bytes;
  }
  fill_size<1>(loops);
  fill_size<2>(loops);
  fill_size<4>(loops);
  fill_size<8>(loops);
  fill_size<12>(loops);
  fill_size<16>(loops);
  fill_size<24>(loops);
  fill_size<32>(loops);
  fill_size<64>(loops);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
