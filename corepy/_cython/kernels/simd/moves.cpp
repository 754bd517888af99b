// Copies of elements as bits: between layouts, and past the caches.
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "../bytes.hpp"
#include "../kernels.hpp"
#include "packing.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
namespace {

template <class T, int bytes>
struct NativeVec {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T, int bytes>
struct NativeVec<Pair<T>, bytes> : NativeVec<T, bytes> {};

// Bytes of the vectors in which squares are transposed: limited by the number of registers, and at
// least the 16 of every machine.
#if defined(COREPY_AVX512)
constexpr int WIDEST = 64, MAX_LANES = 16;
#elif defined(COREPY_AVX2)
constexpr int WIDEST = 32, MAX_LANES = 8;
#else
constexpr int WIDEST = 16, MAX_LANES = 16;
#endif
template <class T>
constexpr int square_bytes() {
  if (sizeof(T) == 16) return 16;
  int bytes = WIDEST;
  while (bytes > 16 && bytes > MAX_LANES * int(sizeof(T))) bytes /= 2;
  return bytes;
}

template <class V, size_t... lane>
inline V interleave_low(V a, V b, std::index_sequence<lane...>) {
  return __builtin_shufflevector(a, b, (lane / 2 + lane % 2 * sizeof...(lane))...);
}
template <class V, size_t... lane>
inline V interleave_high(V a, V b, std::index_sequence<lane...>) {
  constexpr size_t half = sizeof...(lane) / 2;
  return __builtin_shufflevector(a, b, (half + lane / 2 + lane % 2 * sizeof...(lane))...);
}

// The concatenation of the halves of two vectors that begin at the lane `first`.
template <int first, class V, size_t... lane>
inline V join_halves(V a, V b, std::index_sequence<lane...>) {
  constexpr size_t lanes = sizeof...(lane), half = lanes / 2;
  return __builtin_shufflevector(a, b, (first + lane % half + lane / half * lanes)...);
}

// Interleaves the low (or high) halves of a and b within each 16 bytes of them.
template <bool high, int lanes_of_16, class V, size_t... lane>
inline V interleave_within(V a, V b, std::index_sequence<lane...>) {
  constexpr size_t group = lanes_of_16, lanes = sizeof...(lane), from = high ? group / 2 : 0;
  return __builtin_shufflevector(
      a, b, (lane / group * group + from + lane % group / 2 + lane % 2 * lanes)...);
}

// Transposes a square of as many elements as a vector has lanes: `in` runs down the columns, `out`
// along the rows. Each stage interleaves the halves of the square; after log2(lanes) stages rows
// are columns.
template <class T, int bytes>
inline void transpose_square(char* out, ptrdiff_t out_row, const char* in, ptrdiff_t in_column) {
  using V = typename NativeVec<T, bytes>::type;
  constexpr int lanes = bytes / sizeof(T);
  [[maybe_unused]] constexpr auto all = std::make_index_sequence<size_t(lanes)>{};
  [[maybe_unused]] V shuffled[lanes];
  V square[lanes];
  if constexpr (bytes == 32) {
    // Shuffles across the halves of a vector cost more than shuffles within them, and are last:
    // each stage transposes the four quarters of the square at once.
    constexpr int half = lanes / 2;
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++) std::memcpy(&square[i], in + i * in_column, bytes);
#pragma GCC unroll 16
    for (int stage = 1; stage < half; stage *= 2) {
#pragma GCC unroll 16
      for (int i = 0; i < half; i++) {
        const int from = i / (half / 2) * half + i % (half / 2), to = i / (half / 2) * half;
        const V a = square[from], b = square[from + half / 2];
        shuffled[to + i % (half / 2) * 2] = interleave_within<false, half>(a, b, all);
        shuffled[to + i % (half / 2) * 2 + 1] = interleave_within<true, half>(a, b, all);
      }
#pragma GCC unroll 16
      for (int i = 0; i < lanes; i++) square[i] = shuffled[i];
    }
#pragma GCC unroll 16
    for (int i = 0; i < half; i++) {
      shuffled[i] = join_halves<0>(square[i], square[i + half], all);
      shuffled[i + half] = join_halves<half>(square[i], square[i + half], all);
    }
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++) square[i] = shuffled[i];
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < lanes; i++) std::memcpy(&square[i], in + i * in_column, bytes);
    if constexpr (lanes > 1) {
#pragma GCC unroll 16
      for (int stage = 1; stage < lanes; stage *= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < lanes / 2; i++) {
          shuffled[2 * i] = interleave_low(square[i], square[i + lanes / 2], all);
          shuffled[2 * i + 1] = interleave_high(square[i], square[i + lanes / 2], all);
        }
#pragma GCC unroll 16
        for (int i = 0; i < lanes; i++) square[i] = shuffled[i];
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < lanes; i++) std::memcpy(out + i * out_row, &square[i], bytes);
}

template <class T>
inline void copy_run(ptrdiff_t n, char* out, ptrdiff_t out_step, const char* in,
                     ptrdiff_t in_step) {
  // Four are read before any is written because of 4K aliasing: a load waits for an earlier store
  // with the same low 12 bits of the address.
  ptrdiff_t i = 0;
  const bool far = is_far(out_step);
  for (; i + 4 <= n; i += 4, out += 4 * out_step, in += 4 * in_step) {
    if (far) prefetch_stores(i, n, out, out_step);
    T values[4];
    for (int k = 0; k < 4; k++) std::memcpy(values + k, in + k * in_step, sizeof(T));
    for (int k = 0; k < 4; k++) std::memcpy(out + k * out_step, values + k, sizeof(T));
  }
  for (; i < n; i++, out += out_step, in += in_step) std::memcpy(out, in, sizeof(T));
}

// Copies square blocks of vectors of `bytes` bytes, `parts` next to each other, down all rows.
// Returns the number of copied columns.
template <class T, int bytes, int parts>
ptrdiff_t transpose_columns(ptrdiff_t column, ptrdiff_t rows, ptrdiff_t columns, char* out,
                            ptrdiff_t out_row, const char* in, ptrdiff_t in_column) {
  constexpr ptrdiff_t size = sizeof(T), lanes = bytes / size, width = parts * lanes;
  for (; column + width <= columns; column += width) {
    char* to = out + column * size;
    const char* from = in + column * in_column;
    ptrdiff_t row = 0;
    for (; row + lanes <= rows; row += lanes, to += lanes * out_row, from += bytes) {
      for (int part = 0; part < parts; part++) {
        transpose_square<T, bytes>(to + bytes * part, out_row, from + part * lanes * in_column,
                                   in_column);
      }
    }
    if constexpr (bytes > 16) {
      transpose_columns<T, 16, parts * bytes / 16>(0, rows - row, width, to, out_row, from,
                                                   in_column);
    } else {
      for (; row < rows; row++, to += out_row, from += size) {
        copy_run<T>(width, to, size, from, in_column);
      }
    }
  }
  return column;
}

// Copies columns of the input, which is contiguous along `rows`, to rows. As many columns at a time
// as fill a cache line of the output, so that each line is written at once.
template <class T>
void transpose_all(ptrdiff_t rows, ptrdiff_t columns, char* out, ptrdiff_t out_row, const char* in,
                   ptrdiff_t in_column) {
  constexpr ptrdiff_t size = sizeof(T);
  constexpr int bytes = square_bytes<T>();
  ptrdiff_t column =
      transpose_columns<T, bytes, 64 / bytes>(0, rows, columns, out, out_row, in, in_column);
  if constexpr (bytes > 16) {
    column = transpose_columns<T, 32, 1>(column, rows, columns, out, out_row, in, in_column);
  }
  column = transpose_columns<T, 16, 1>(column, rows, columns, out, out_row, in, in_column);
  for (; column < columns; column++) {
    copy_run<T>(rows, out + column * size, out_row, in + column * in_column, size);
  }
}

// The same. Of few columns as many rows at a time as fill a cache line of the input: the lines of
// all columns stay in the first-level cache, and the output is written in order.
template <class T>
void transpose(ptrdiff_t rows, ptrdiff_t columns, char* out, ptrdiff_t out_row, const char* in,
               ptrdiff_t in_column) {
  constexpr ptrdiff_t size = sizeof(T), together = 64 / size, few = 256;
  if (columns > few) return transpose_all<T>(rows, columns, out, out_row, in, in_column);
  for (ptrdiff_t row = 0; row < rows; row += together, out += together * out_row, in += 64) {
    transpose_all<T>(rows - row < together ? rows - row : together, columns, out, out_row, in,
                     in_column);
  }
}

// Short runs, whose number of elements is a compile-time constant.
template <class T, int columns>
void copy_short_rows(ptrdiff_t rows, char* out, ptrdiff_t out_row, ptrdiff_t out_step,
                     const char* in, ptrdiff_t in_row, ptrdiff_t in_step) {
  for (ptrdiff_t row = 0; row < rows; row++, out += out_row, in += in_row) {
    for (int i = 0; i < columns; i++) std::memcpy(out + i * out_step, in + i * in_step, sizeof(T));
  }
}

template <class T>
void copy_rows(ptrdiff_t rows, ptrdiff_t columns, char* out, ptrdiff_t out_row, ptrdiff_t out_step,
               const char* in, ptrdiff_t in_row, ptrdiff_t in_step) {
  constexpr ptrdiff_t size = sizeof(T);
  if (in_step == size && out_row == size) {
    std::swap(rows, columns);
    std::swap(out_row, out_step);
    std::swap(in_row, in_step);
  }
  const bool repeats = in_step == 0 && out_step == size;
  if (in_row == size && out_step == size && rows > 1 && !repeats) {
    return transpose<T>(rows, columns, out, out_row, in, in_step);
  }
  switch (columns) {
    case 1:
      return copy_run<T>(rows, out, out_row, in, in_row);
    case 2:
      return copy_short_rows<T, 2>(rows, out, out_row, out_step, in, in_row, in_step);
    case 3:
      return copy_short_rows<T, 3>(rows, out, out_row, out_step, in, in_row, in_step);
    case 4:
      return copy_short_rows<T, 4>(rows, out, out_row, out_step, in, in_row, in_step);
  }
  for (ptrdiff_t row = 0; row < rows; row++, out += out_row, in += in_row) {
    if (out_step == size && in_step == size) {
      copy_bytes(out, in, size_t(columns * size));
    } else if (out_step == size && in_step == 0) {
      T value;
      std::memcpy(&value, in, size);
      for (ptrdiff_t i = 0; i < columns; i++) std::memcpy(out + i * size, &value, size);
    } else if (out_step == size) {
      pack<int(size)>(columns, out, in, in_step);
    } else {
      copy_run<T>(columns, out, out_step, in, in_step);
    }
  }
}

template <class T>
void copy_elements(int ndim, const ptrdiff_t* sizes, char* out, const ptrdiff_t* out_strides,
                   const char* in, const ptrdiff_t* in_strides) {
  switch (ndim) {
    case 0:
      return copy_rows<T>(1, 1, out, 0, 0, in, 0, 0);
    case 1:
      return copy_rows<T>(1, sizes[0], out, 0, out_strides[0], in, 0, in_strides[0]);
    case 2:
      return copy_rows<T>(sizes[0], sizes[1], out, out_strides[0], out_strides[1], in,
                          in_strides[0], in_strides[1]);
  }
  for (ptrdiff_t i = 0; i < sizes[0]; i++) {
    copy_elements<T>(ndim - 1, sizes + 1, out + i * out_strides[0], out_strides + 1,
                     in + i * in_strides[0], in_strides + 1);
  }
}

// Whole lines of 64 bytes, aligned. Streaming a block is cheap compared with computing it only if
// its stores fit the processor's store buffer, so wide stores are faster.
#if defined(__x86_64__)
void stream_lines(char* out, const char* in, size_t lines) {
  for (const char* const end = in + 64 * lines; in < end; in += 64, out += 64) {
    for (int i = 0; i < 64; i += VECTOR_BYTES) {
      const uint8_t* const from = reinterpret_cast<const uint8_t*>(in + i);
      stream(Vec<uint8_t>::load(from), reinterpret_cast<uint8_t*>(out + i));
    }
  }
}

void stream_bytes(char* out, const char* in, size_t nbytes) {
  if (reinterpret_cast<uintptr_t>(out) % 64 == 0 && nbytes % 64 == 0) {
    return stream_lines(out, in, nbytes / 64);
  }
  const size_t head = size_t(-reinterpret_cast<uintptr_t>(out)) % 64;
  if (head >= nbytes) {
    std::memcpy(out, in, nbytes);
    return;
  }
  std::memcpy(out, in, head);
  const size_t lines = (nbytes - head) / 64, end = head + 64 * lines;
  stream_lines(out + head, in + head, lines);
  std::memcpy(out + end, in + end, nbytes - end);
}

#endif

void copy_box(ptrdiff_t itemsize, int ndim, const ptrdiff_t* sizes, char* out,
              const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides) {
  with_size(itemsize, [=](auto size) {
    copy_elements<ElementOfSize<size>>(ndim, sizes, out, out_strides, in, in_strides);
  });
}

}  // namespace

void fill_moves(Kernels& kernels) {
  kernels.copy_box = copy_box;
#if defined(__x86_64__)
  kernels.stream = stream_bytes;
  kernels.finish_streams = finish_streams;
#else
  kernels.stream = nullptr;
  kernels.finish_streams = nullptr;
#endif
}

}  // namespace COREPY_TARGET
}  // namespace corepy
