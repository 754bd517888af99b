#include "movement.hpp"

#include <algorithm>
#include <cstring>

#include "../layout/axes.hpp"
#include "bytes.hpp"
#include "elements.hpp"
#include "kernels.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {

namespace {

// Bytes of output in a chunk for a thread.
constexpr ptrdiff_t CHUNK = ptrdiff_t(128) << 10;

// Bytes of output in a block, which stays in the first-level cache.
constexpr ptrdiff_t BLOCK = 16384;

// Calls body(T{}) with a type of that many bytes; false when there is none.
template <class Body>
bool with_word(ptrdiff_t itemsize, Body body) {
  if (!is_itemsize(itemsize)) return false;
  with_size(itemsize, [&](auto size) { body(ElementOfSize<size>{}); });
  return true;
}

// A dtype of elements of that many bytes: 1, 2, 4, 8 or 16.
Dtype word_of(ptrdiff_t itemsize) {
  Dtype dtype = DTYPE_complex128;
  if (itemsize < MAX_ITEMSIZE) {
    with_size(itemsize, [&](auto size) { dtype = dtype_of<WordOfSize<size>>; });
  }
  return dtype;
}

// The function that stores output of so many bytes past the caches, or nullptr if it fits them.
auto stream_for(ptrdiff_t total) { return total >= STREAM_FROM ? kernels().stream : nullptr; }

// n elements at equal distances, in order. Four are read before any is written because of 4K
// aliasing: a load waits for an earlier store with the same low 12 bits of the address.
template <class T>
void copy_spread(ptrdiff_t n, char* out, ptrdiff_t out_step, const char* in, ptrdiff_t in_step) {
  ptrdiff_t i = 0;
  for (; i + 4 <= n; i += 4) {
    T values[4];
    for (int k = 0; k < 4; k++) values[k] = load_number<T>(in + (i + k) * in_step);
    for (int k = 0; k < 4; k++) store_number(out + (i + k) * out_step, values[k]);
  }
  for (; i < n; i++) store_number(out + i * out_step, load_number<T>(in + i * in_step));
}

// One input of some rows of a join.
void join_input(ptrdiff_t rows, ptrdiff_t nbytes, ptrdiff_t width, const char* in, char* out) {
  const bool done = with_word(nbytes, [&](auto word) {
    using T = decltype(word);
    copy_spread<T>(rows, out, width, in, sizeof(T));
  });
  if (done || nbytes == 0) return;
  for (ptrdiff_t i = 0; i < rows; i++) {
    copy_bytes(out + i * width, in + i * nbytes, size_t(nbytes));
  }
}

template <class T, int count>
void repeat_fixed(ptrdiff_t n, const char* in, char* out) {
  for (ptrdiff_t i = 0; i < n; i++) {
    const T value = load_number<T>(in + i * sizeof(T));
#pragma GCC unroll 4
    for (int k = 0; k < count; k++)
      store_number(out + (i * count + k) * ptrdiff_t(sizeof(T)), value);
  }
}

template <class T>
void store_all(char* out, ptrdiff_t count, T value) {
  for (ptrdiff_t k = 0; k < count; k++) store_number(out + k * ptrdiff_t(sizeof(T)), value);
}

void repeat_run(ptrdiff_t n, ptrdiff_t itemsize, ptrdiff_t count, const char* in, char* out) {
  const bool done = with_word(itemsize, [&](auto word) {
    using T = decltype(word);
    if (count == 2) return repeat_fixed<T, 2>(n, in, out);
    if (count == 3) return repeat_fixed<T, 3>(n, in, out);
    if (count == 4) return repeat_fixed<T, 4>(n, in, out);
    for (ptrdiff_t i = 0; i < n; i++) {
      store_all(out + i * count * ptrdiff_t(sizeof(T)), count, load_number<T>(in + i * sizeof(T)));
    }
  });
  if (done) return;
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; k < count; k++) {
      std::memcpy(out + (i * count + k) * itemsize, in + i * itemsize, size_t(itemsize));
    }
  }
}

// A number of copies, at most `most`, for which there is memory: another thread may have changed it
// since the numbers were added.
ptrdiff_t copies(int64_t wanted, ptrdiff_t most) {
  return uint64_t(wanted) <= uint64_t(most) ? wanted : most;  // a negative one is a large one
}

// Repeats elements [begin, end) of a row counts[i] times each, from `out` up to out_end.
void repeat_counted(ptrdiff_t begin, ptrdiff_t end, ptrdiff_t itemsize, const int64_t* counts,
                    const char* in, char* out, char* out_end) {
  const bool done = with_word(itemsize, [&](auto word) {
    using T = decltype(word);
    // Counts are usually small, and the processor cannot predict them. So four copies are written
    // for any count; the next element overwrites the excess.
    constexpr ptrdiff_t size = sizeof(T);
    ptrdiff_t i = begin;
    for (const char* const last = out_end - 4 * size; i < end && out <= last; i++) {
      const T value = load_number<T>(in + i * size);
#pragma GCC unroll 4
      for (int k = 0; k < 4; k++) store_number(out + k * size, value);
      ptrdiff_t count = read_once(counts + i);
      if (__builtin_expect(uint64_t(count) > 4, false)) {
        count = copies(count, (out_end - out) / size);
        store_all(out + 4 * size, count - 4, value);
      }
      out += count * size;
    }
    for (; i < end; i++) {
      const ptrdiff_t count = copies(read_once(counts + i), (out_end - out) / size);
      store_all(out, count, load_number<T>(in + i * size));
      out += count * size;
    }
  });
  if (done) return;
  for (ptrdiff_t i = begin; i < end; i++) {
    for (int64_t k = read_once(counts + i); k > 0 && out < out_end; k--, out += itemsize) {
      std::memcpy(out, in + i * itemsize, size_t(itemsize));
    }
  }
}

// n elements at equal distances, the last one first if `backward`.
void move_run(ptrdiff_t n, ptrdiff_t itemsize, ptrdiff_t step, bool backward, char* out,
              const char* in) {
  if (step == itemsize || n == 1) {
    copy_bytes(out, in, size_t(n * itemsize));
    return;
  }
  with_word(itemsize, [&](auto word) {
    using T = decltype(word);
    if (backward) {
      copy_spread<T>(n, out + (n - 1) * step, -step, in + (n - 1) * step, -step);
    } else {
      copy_spread<T>(n, out, step, in, step);
    }
  });
}

// A join of one row, `total` bytes wide.
void join_once(ptrdiff_t total, const char* const* in, const ptrdiff_t* nbytes, char* out) {
  const auto stream = stream_for(total);
  parallel_ranges(total, CHUNK, [&](ptrdiff_t begin, ptrdiff_t end) {
    ptrdiff_t k = 0, start = 0;  // the input, and its offset in the row
    for (ptrdiff_t at = begin; at < end;) {
      for (; at >= start + nbytes[k]; k++) start += nbytes[k];
      const ptrdiff_t length = std::min(end, start + nbytes[k]) - at;
      const char* const from = in[k] + (at - start);
      stream ? stream(out + at, from, size_t(length)) : copy_bytes(out + at, from, size_t(length));
      at += length;
    }
    if (stream) kernels().finish_streams();
  });
}

}  // namespace

bool add_counts(ptrdiff_t n, const int64_t* numbers, Counts* counts) {
  counts->numbers = numbers;
  counts->n = n;
  counts->chunk_size = std::max<ptrdiff_t>(4096, (n + Counts::MAX_CHUNKS - 1) / Counts::MAX_CHUNKS);
  int64_t total = 0;
  for (ptrdiff_t p = 0; p < counts->chunks(); p++) {
    counts->starts[p] = total;
    const ptrdiff_t begin = p * counts->chunk_size, end = std::min(n, begin + counts->chunk_size);
    int64_t all = 0, sum = 0;
    for (ptrdiff_t i = begin; i < end; i++) {
      const int64_t number = numbers[i];
      all |= number;
      sum += number & 0xFFFFFFFF;  // the sum of what the check lets pass cannot overflow
    }
    if (all < 0) return false;
    if (all > 0xFFFFFFFF || end - begin > 0x7FFFFFFF) {
      sum = 0;
      for (ptrdiff_t i = begin; i < end; i++) {
        const int64_t number = read_once(numbers + i);
        if (number < 0 || __builtin_add_overflow(sum, number, &sum)) return false;
      }
    }
    if (__builtin_add_overflow(total, sum, &total)) return false;
  }
  counts->starts[counts->chunks()] = total;
  return true;
}

void fill(ptrdiff_t n, ptrdiff_t itemsize, const char* element, char* out) {
  const ptrdiff_t total = n * itemsize;
  const auto stream = stream_for(total);
  if (!stream && std::memcmp(element, element + 1, size_t(itemsize - 1)) == 0) {
    return parallel_ranges(total, CHUNK, [&](ptrdiff_t begin, ptrdiff_t end) {
      std::memset(out + begin, element[0], size_t(end - begin));
    });
  }
  const Dtype word = word_of(itemsize);
  const kernel copy = cast_kernel(word, word);
  const auto spread = [&](ptrdiff_t count, char* to) {
    char* const data[] = {to, const_cast<char*>(element)};
    const ptrdiff_t steps[] = {itemsize, 0};
    copy(count, data, steps);
  };
  if (!stream) {
    return parallel_ranges(n, CHUNK / itemsize, [&](ptrdiff_t begin, ptrdiff_t end) {
      spread(end - begin, out + begin * itemsize);
    });
  }
  alignas(64) char block[STREAM_BLOCK];
  spread(STREAM_BLOCK / itemsize, block);
  parallel_ranges(total, CHUNK, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t at = begin; at < end; at += STREAM_BLOCK) {
      stream(out + at, block, size_t(std::min(STREAM_BLOCK, end - at)));
    }
    kernels().finish_streams();
  });
}

void join(ptrdiff_t rows, ptrdiff_t count, const char* const* in, const ptrdiff_t* nbytes,
          char* out) {
  ptrdiff_t width = 0;
  for (ptrdiff_t k = 0; k < count; k++) width += nbytes[k];
  if (width == 0) return;
  if (rows == 1) return join_once(width, in, nbytes, out);
  const ptrdiff_t block = std::max<ptrdiff_t>(1, BLOCK / width);
  parallel_ranges(rows, std::max<ptrdiff_t>(1, CHUNK / width), [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t row = begin; row < end; row += block) {
      const ptrdiff_t length = std::min(block, end - row);
      char* to = out + row * width;
      for (ptrdiff_t k = 0; k < count; k++) {
        join_input(length, nbytes[k], width, in[k] + row * nbytes[k], to);
        to += nbytes[k];
      }
    }
  });
}

void repeat(ptrdiff_t n, ptrdiff_t itemsize, ptrdiff_t count, const char* in, char* out) {
  if (n == 0 || itemsize == 0 || count == 0) return;
  const ptrdiff_t grain = std::max<ptrdiff_t>(1, CHUNK / (itemsize * count));
  parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    repeat_run(end - begin, itemsize, count, in + begin * itemsize, out + begin * count * itemsize);
  });
}

void repeat_each(ptrdiff_t rows, ptrdiff_t itemsize, const Counts& counts, const char* in,
                 char* out) {
  const ptrdiff_t chunks = counts.chunks(), width = counts.total() * itemsize;
  if (rows == 0 || width == 0) return;
  const ptrdiff_t grain = std::max<ptrdiff_t>(1, CHUNK / (width / chunks + 1));
  parallel_ranges(rows * chunks, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t at = begin; at < end; at++) {
      const ptrdiff_t row = at / chunks, p = at % chunks, first = p * counts.chunk_size;
      char* const to = out + row * width;
      repeat_counted(first, std::min(counts.n, first + counts.chunk_size), itemsize, counts.numbers,
                     in + row * counts.n * itemsize, to + counts.starts[p] * itemsize,
                     to + counts.starts[p + 1] * itemsize);
    }
  });
}

void repeat_start(char* out, ptrdiff_t period, ptrdiff_t total) {
  if (period == 0) return;
  // Doubled while the source is in cache; then copied in whole chunks of it.
  ptrdiff_t done = period;
  while (done < total && done < BLOCK) {
    const ptrdiff_t length = std::min(done, total - done);
    copy_bytes(out + done, out, size_t(length));
    done += length;
  }
  if (done == total) return;
  char* const rest = out + done;
  const ptrdiff_t grain = done < CHUNK ? CHUNK / done * done : CHUNK;
  parallel_ranges(total - done, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    while (begin < end) {
      const ptrdiff_t from = begin % done, length = std::min(done - from, end - begin);
      copy_bytes(rest + begin, out + from, size_t(length));
      begin += length;
    }
  });
}

void triangle(ptrdiff_t matrices, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t itemsize,
              ptrdiff_t k, bool upper, const char* in, char* out) {
  const ptrdiff_t width = columns * itemsize;
  if (width == 0) return;
  const ptrdiff_t grain = std::max<ptrdiff_t>(1, CHUNK / width);
  parallel_ranges(matrices * rows, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t at = begin; at < end; at++) {
      // Where the row passes from the lower triangle to the upper one.
      const ptrdiff_t first = at % rows + k + !upper;
      const size_t left = size_t(std::clamp<ptrdiff_t>(first, 0, columns) * itemsize);
      const size_t right = size_t(width) - left;
      char* const to = out + at * width;
      const char* const from = in + at * width;
      if (upper) {
        std::memset(to, 0, left);
        copy_bytes(to + left, from + left, right);
      } else {
        copy_bytes(to, from, left);
        std::memset(to + left, 0, right);
      }
    }
  });
}

bool move(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides, char* out,
          const char* in) {
  if (is_empty(ndim, shape)) return true;
  const ptrdiff_t distance = out - in;
  const bool backward = distance > 0;
  Axes<1> axes(1);
  for (int i = 0; i < ndim; i++) {
    // In ascending order of addresses, as along the run.
    if (strides[i] < 0) out += (shape[i] - 1) * strides[i];
    axes.add({shape[i], {magnitude(strides[i])}});
  }
  axes.sort(0);
  axes.collapse();
  ptrdiff_t reach = itemsize;
  for (int i = axes.ndim - 1; i >= 0; i--) {
    if (axes[i].strides[0] < reach) return false;
    reach += axes[i].extent(0);
  }
  const Axis<1> run = axes.take_innermost();
  if (backward) {
    for (int i = 0; i < axes.ndim; i++) {
      out += axes[i].extent(0);
      axes[i].reverse();
    }
  }
  Position<1> position(axes);
  for (ptrdiff_t left = axes.size(); left > 0; left--, position.advance()) {
    char* const to = out + position[0];
    move_run(run.size, itemsize, run.strides[0], backward, to, to - distance);
  }
  return true;
}

}  // namespace corepy
