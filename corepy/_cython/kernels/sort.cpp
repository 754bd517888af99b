#include "sort.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels.hpp"
#include "keys.hpp"
#include "threads.hpp"
#include "types.hpp"

namespace corepy {
namespace {

constexpr ptrdiff_t LARGE_LINE = 1 << 16;  // least elements of a line that threads share
constexpr ptrdiff_t BLOCK = 4096;          // elements whose mask stays in the first-level cache
constexpr int MAX_PARTS = 9;

int bits_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

template <class T>
int sort_numbers(void* start, ptrdiff_t n, void*) {
  T* const first = static_cast<T*>(start);
  std::sort(first, first + n, [](T a, T b) { return a < b || (a == a && b != b); });
  return 0;
}

// ---- small integers: counting is faster than comparing

template <class U>
void count_sort(ptrdiff_t n, const U* in, U* out, U flip, bool descending) {
  constexpr int values = 1 << 8 * sizeof(U);
  constexpr int tables =
      sizeof(U) == 1 ? 4 : 1;  // equal elements in sequence update different ones
  static_assert(sizeof(U) <= 2);
  ptrdiff_t small[tables][sizeof(U) == 1 ? 256 : 1] = {};
  uint32_t large[sizeof(U) == 2 ? 65536 : 1];
  if constexpr (sizeof(U) == 1) {
    ptrdiff_t i = 0;
    for (; i + 4 <= n; i += 4) {
      for (int k = 0; k < 4; k++) small[k][U(in[i + k] ^ flip)]++;
    }
    for (; i < n; i++) small[0][U(in[i] ^ flip)]++;
  } else {
    std::memset(large, 0, sizeof(large));
    for (ptrdiff_t i = 0; i < n; i++) large[U(in[i] ^ flip)]++;
  }
  for (int k = 0; k < values; k++) {
    const int value = descending ? values - 1 - k : k;
    ptrdiff_t count;
    if constexpr (sizeof(U) == 1) {
      count = small[0][value] + small[1][value] + small[2][value] + small[3][value];
    } else {
      count = large[value];
    }
    out = std::fill_n(out, count, U(value ^ flip));
  }
}

bool sorts_by_counting(Dtype dtype, ptrdiff_t n) {
  return (dtype_itemsize[dtype] == 1 && n >= 64) ||
         (dtype_itemsize[dtype] == 2 && n >= (1 << 17) && n < (ptrdiff_t(1) << 32));
}

void sort_by_counting(Dtype dtype, ptrdiff_t n, const char* in, char* out, bool descending) {
  if (dtype_itemsize[dtype] == 1) {
    count_sort<uint8_t>(n, reinterpret_cast<const uint8_t*>(in), reinterpret_cast<uint8_t*>(out),
                        is_signed(dtype) ? 0x80 : 0, descending);
  } else {
    count_sort<uint16_t>(n, reinterpret_cast<const uint16_t*>(in), reinterpret_cast<uint16_t*>(out),
                         is_signed(dtype) ? 0x8000 : 0, descending);
  }
}

// ---- integers that are close together, such as labels

constexpr uint64_t MAX_COUNTED = 4096;    // different values, whose counts fit the caches
constexpr ptrdiff_t FEWEST_COUNTED = 64;  // elements

// Whether the elements of a line are so close together that counting them is faster. Another thread
// may change them afterwards.
bool is_narrow(Dtype dtype, ptrdiff_t n, const char* in) {
  if (is_inexact(dtype) || n < FEWEST_COUNTED) return false;
  uint64_t smallest, largest;
  kernels().keys.range[dtype](n, in, &smallest, &largest);
  return largest - smallest < std::min(MAX_COUNTED, uint64_t(n));
}

// Sorts a line in place, if its elements are close together.
template <class T>
bool sort_narrow(ptrdiff_t n, T* line, bool descending) {
  T low = line[0], high = line[0];
  for (ptrdiff_t i = 1; i < n; i++) {
    low = std::min(low, line[i]);
    high = std::max(high, line[i]);
  }
  const uint64_t spread = uint64_t(high) - uint64_t(low);
  if (spread >= MAX_COUNTED) return false;
  ptrdiff_t counts[MAX_COUNTED];
  std::fill_n(counts, spread + 1, 0);
  for (ptrdiff_t i = 0; i < n; i++) counts[uint64_t(line[i]) - uint64_t(low)]++;
  for (uint64_t k = 0; k <= spread; k++) {
    const uint64_t place = descending ? spread - k : k;
    line = std::fill_n(line, counts[place], T(uint64_t(low) + place));
  }
  return true;
}

bool sort_narrow(Dtype dtype, ptrdiff_t n, const char* in, char* out, bool descending) {
  if (!is_narrow(dtype, n, in)) return false;
  std::memcpy(out, in, size_t(n * dtype_itemsize[dtype]));  // nobody else can change the copy
  bool sorted = false;
  const auto sort = [&](auto zero) {
    sorted = sort_narrow(n, reinterpret_cast<decltype(zero)*>(out), descending);
  };
  for_dtype(Integers{}, dtype, sort);
  return sorted;
}

// ---- one large line in threads: it is partitioned by pivots while it is copied, and the parts are
// sorted by different threads. The first part is small, so that workers start soon (threads.hpp).

struct Partition {
  kernel less;
  std::remove_extent_t<decltype(MaskLoops::compress)> compress;
  decltype(MaskLoops::count) count;
  ptrdiff_t size;  // of an element
  int parts;
  alignas(8) char pivots[MAX_PARTS][8];

  // Sets the mask of n <= BLOCK elements: whether each is less than pivot k.
  void mark(int k, ptrdiff_t n, const char* in, uint8_t* mask) const {
    char* const data[] = {reinterpret_cast<char*>(mask), const_cast<char*>(in),
                          const_cast<char*>(pivots[k])};
    const ptrdiff_t steps[] = {1, size, 0};
    less(n, data, steps);
  }
};

void choose_pivots(Partition& partition, line_sorter sorter, ptrdiff_t n, const char* in) {
  constexpr ptrdiff_t samples = 1024;
  alignas(64) char sample[samples * 8];
  const ptrdiff_t size = partition.size;
  sorted_sample(sorter, size, n, in, samples, sample);
  const ptrdiff_t first = samples / 32;
  for (int k = 0; k + 1 < partition.parts; k++) {
    const ptrdiff_t at = first + (samples - first) * k / (partition.parts - 1);
    std::memcpy(partition.pivots[k], sample + at * size, size_t(size));
  }
}

void sort_in_parts(Dtype dtype, line_sorter sorter, ptrdiff_t n, const char* in, char* out) {
  constexpr ptrdiff_t MAX_CHUNKS = 256;
  Partition partition;
  partition.less = entry(OP_less, dtype).loop;
  partition.size = dtype_itemsize[dtype];
  partition.compress = kernels().masks.compress[log2_of(partition.size)];
  partition.count = kernels().masks.count;
  partition.parts = std::min(num_threads() + 1, MAX_PARTS);
  choose_pivots(partition, sorter, n, in);
  const int parts = partition.parts;
  const ptrdiff_t size = partition.size;
  const ptrdiff_t grain = std::max(ptrdiff_t(4 * BLOCK), (n / MAX_CHUNKS + BLOCK) / BLOCK * BLOCK);
  const ptrdiff_t chunks = (n + grain - 1) / grain;
  // The offset of each chunk's elements in each part.
  ptrdiff_t begins[MAX_PARTS][MAX_CHUNKS + 1];
  parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    uint8_t mask[BLOCK];
    ptrdiff_t before[MAX_PARTS] = {};  // elements less than each pivot
    for (ptrdiff_t at = begin; at < end; at += BLOCK) {
      const ptrdiff_t count = std::min(end - at, BLOCK);
      for (int k = 0; k + 1 < parts; k++) {
        partition.mark(k, count, in + at * size, mask);
        before[k] += partition.count(count, mask);
      }
    }
    before[parts - 1] = end - begin;
    // Another thread may have changed elements between the comparisons with two pivots. Counts must
    // not be negative, or parts would overlap.
    for (int k = 1; k < parts; k++) before[k] = std::max(before[k], before[k - 1]);
    for (int k = parts - 1; k > 0; k--) before[k] -= before[k - 1];
    for (int k = 0; k < parts; k++) begins[k][begin / grain] = before[k];
  });
  ptrdiff_t total = 0;
  for (int k = 0; k < parts; k++) {
    for (ptrdiff_t chunk = 0; chunk < chunks; chunk++) {
      const ptrdiff_t count = begins[k][chunk];
      begins[k][chunk] = total;
      total += count;
    }
    begins[k][chunks] = total;
  }
  parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    const ptrdiff_t chunk = begin / grain;
    uint8_t masks[2][BLOCK], wanted[BLOCK];
    ptrdiff_t places[MAX_PARTS], ends[MAX_PARTS];
    for (int k = 0; k < parts; k++) {
      places[k] = begins[k][chunk];
      ends[k] = begins[k][chunk + 1];
    }
    for (ptrdiff_t at = begin; at < end; at += BLOCK) {
      const ptrdiff_t count = std::min(end - at, BLOCK);
      std::memset(masks[1], 0, size_t(count));
      for (int k = 0; k < parts; k++) {
        uint8_t* const mask = masks[k & 1];
        const uint8_t* const last = masks[~k & 1];
        if (k + 1 < parts) {
          partition.mark(k, count, in + at * size, mask);
        } else {
          std::memset(mask, 1, size_t(count));
        }
        for (ptrdiff_t i = 0; i < count; i++) wanted[i] = uint8_t(mask[i] & ~last[i]);
        const ptrdiff_t found = std::min(partition.count(count, wanted), ends[k] - places[k]);
        partition.compress(count, wanted, in + at * size, out + places[k] * size, found);
        places[k] += found;
      }
    }
  });
  parallel_for(parts, [&](ptrdiff_t k) {
    const ptrdiff_t begin = begins[k][0], end = begins[k][chunks];
    if (end > begin) sorter(out + begin * size, end - begin, nullptr);
  });
}

// Sorts numbers in ascending order; equal ones have the same bits.
void sort_plain(Dtype dtype, line_sorter sorter, ptrdiff_t n, const char* in, char* out) {
  if (n >= LARGE_LINE && num_threads() > 1 && entry(OP_less, dtype).loop) {
    return sort_in_parts(dtype, sorter, n, in, out);
  }
  std::memcpy(out, in, size_t(n) * size_t(dtype_itemsize[dtype]));
  if (n > 1) sorter(out, n, nullptr);
}

// ---- floating point: NaN of any bits, and zeros of both signs, keep their order

// Reverses n numbers in place, a block from either end at a time. Compilers vectorize a loop from
// the last to the first as reversals of whole registers.
void reverse(Dtype dtype, ptrdiff_t n, char* data) {
  constexpr ptrdiff_t nbytes = 4096;
  alignas(64) char front[2 * nbytes], back[nbytes];
  const ptrdiff_t size = dtype_itemsize[dtype], most = nbytes / size;
  const kernel copy = entry(OP_positive, dtype).loop;
  const auto copy_back = [&](ptrdiff_t count, char* last, char* to) {
    char* const operands[] = {to, last};
    const ptrdiff_t steps[] = {size, -size};
    copy(count, operands, steps);
  };
  char* end = data + n * size;
  for (; end - data >= 2 * nbytes; data += nbytes, end -= nbytes) {
    copy_back(most, data + nbytes - size, front);
    copy_back(most, end - size, back);
    std::memcpy(data, back, size_t(nbytes));
    std::memcpy(end - nbytes, front, size_t(nbytes));
  }
  if (end - data > size) {
    copy_back((end - data) / size, end - size, front);
    std::memcpy(data, front, size_t(end - data));
  }
}

template <class T>
void restore_order(ptrdiff_t n, ptrdiff_t numbers, int care, bool descending, const T* in, T* out) {
  if (care & KeyLoops::HAS_NEGATIVE_ZERO) {
    T* const sorted = descending ? out + (n - numbers) : out;
    T* zero = descending
                  ? std::lower_bound(sorted, sorted + numbers, T(0), [](T a, T b) { return a > b; })
                  : std::lower_bound(sorted, sorted + numbers, T(0));
    for (ptrdiff_t i = 0; i < n; i++) {
      if (in[i] == 0 && zero < sorted + numbers) *zero++ = in[i];
    }
  }
  if (numbers < n) {
    T* nan = descending ? out : out + numbers;
    T* const end = nan + (n - numbers);
    for (ptrdiff_t i = 0; i < n && nan < end; i++) {
      if (in[i] != in[i]) *nan++ = in[i];
    }
  }
}

template <class T>
void sort_floats(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t n, const T* in,
                 T* out) {
  std::atomic<int> found{0};
  parallel_ranges(n, LARGE_LINE, [&](ptrdiff_t begin, ptrdiff_t end) {
    const int care =
        kernels().keys.survey[dtype](end - begin, reinterpret_cast<const char*>(in + begin));
    if (care) found.fetch_or(care, std::memory_order_relaxed);
  });
  const int care = found.load(std::memory_order_relaxed);
  ptrdiff_t numbers = n;
  if (care & KeyLoops::HAS_NAN) {
    numbers = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
      out[numbers] = in[i];
      numbers += in[i] == in[i];
    }
    if (numbers > 1) sorter(out, numbers, nullptr);
  } else {
    sort_plain(dtype, sorter, n, reinterpret_cast<const char*>(in), reinterpret_cast<char*>(out));
  }
  if (descending) {
    reverse(dtype, numbers, reinterpret_cast<char*>(out));
    if (numbers < n) std::memmove(out + (n - numbers), out, size_t(numbers) * sizeof(T));
  }
  if (care) restore_order(n, numbers, care, descending, in, out);
}

void sort_line(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t n, const char* in,
               char* out) {
  const bool floating = for_dtype(Floats{}, dtype, [&](auto zero) {
    using T = decltype(zero);
    sort_floats(dtype, sorter, descending, n, reinterpret_cast<const T*>(in),
                reinterpret_cast<T*>(out));
  });
  if (floating) return;
  if (sorts_by_counting(dtype, n)) return sort_by_counting(dtype, n, in, out, descending);
  if (sort_narrow(dtype, n, in, out, descending)) return;
  sort_plain(dtype, sorter, n, in, out);
  if (descending) reverse(dtype, n, out);
}

// ---- argsort: a word holds a key and an index, so a sort of words is a stable sort of indices. n
// is at most 2^32: an index has at most 32 bits, and the key has the others.

struct Packing {
  uint64_t flip, base, index_mask;
  int shift, index_bits;
};

// Sorts the indices of a run of words with equal packed keys by the bits that packing dropped.
// These fit beside an index within the run: the run is short enough.
void sort_run(Dtype dtype, line_sorter sorter, const Packing& packing, ptrdiff_t n, const char* in,
              int64_t* indices, uint64_t* scratch) {
  const KeyLoops& keys = kernels().keys;
  const ptrdiff_t size = dtype_itemsize[dtype];
  const int index_bits = bits_of(uint64_t(n - 1));
  const uint64_t dropped = (uint64_t(1) << packing.shift) - 1;
  const uint64_t mask = (uint64_t(1) << index_bits) - 1;
  bool sorted = true;
  for (ptrdiff_t i = 0; i < n; i++) {
    uint64_t key;
    keys.pack[dtype](1, in + indices[i] * size, packing.flip, packing.base, 0, 0, 0, &key);
    scratch[i] = (key & dropped) << index_bits | uint64_t(i);
    sorted &= i == 0 || scratch[i - 1] < scratch[i];
  }
  if (sorted) return;  // always if all elements are equal
  sorter(scratch, n, nullptr);
  for (ptrdiff_t i = 0; i < n; i++) scratch[i] = uint64_t(indices[scratch[i] & mask]);
  std::memcpy(indices, scratch, size_t(n) * sizeof(uint64_t));
}

// Writes the indices that sort n words, each of a key above an index, whose keys are at most
// `largest` unless another thread changed an element.
void order_by_counting(ptrdiff_t n, const uint64_t* words, int index_bits, uint64_t largest,
                       int64_t* out) {
  ptrdiff_t places[MAX_COUNTED + 1];
  std::fill_n(places, largest + 2, 0);
  const auto key = [&](ptrdiff_t i) { return std::min(words[i] >> index_bits, largest); };
  for (ptrdiff_t i = 0; i < n; i++) places[key(i) + 1]++;
  for (uint64_t k = 0; k < largest; k++) places[k + 1] += places[k];
  for (ptrdiff_t i = 0; i < n; i++) out[places[key(i)]++] = i;
}

void argsort_line(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t n, const char* in,
                  int64_t* out, uint64_t* scratch) {
  const KeyLoops& keys = kernels().keys;
  const ptrdiff_t size = dtype_itemsize[dtype];
  if (n <= 1) {
    if (n) out[0] = 0;
    return;
  }
  uint64_t smallest = 0, largest = size < 8 ? (uint64_t(1) << 8 * size) - 1 : 0;
  const bool narrow = n < LARGE_LINE && is_narrow(dtype, n, in);
  // Any shorter key and index fit into a word.
  if (size == 8 || narrow) range_of_keys(dtype, n, in, &smallest, &largest);
  Packing packing;
  packing.flip = descending ? ~uint64_t(0) : 0;
  packing.base = descending ? ~largest : smallest;
  packing.index_bits = bits_of(uint64_t(n - 1));
  packing.shift = std::max(0, bits_of(largest - smallest) + packing.index_bits - 64);
  packing.index_mask = (uint64_t(1) << packing.index_bits) - 1;
  uint64_t* const words = reinterpret_cast<uint64_t*>(out);
  if (narrow && largest - smallest < MAX_COUNTED) {
    keys.pack[dtype](n, in, packing.flip, packing.base, 0, packing.index_bits, 0, scratch);
    return order_by_counting(n, scratch, packing.index_bits, largest - smallest, out);
  }
  const bool large = n >= LARGE_LINE && num_threads() > 1;
  uint64_t* const packed = large ? scratch : words;
  parallel_ranges(n, LARGE_LINE / 4, [&](ptrdiff_t begin, ptrdiff_t end) {
    keys.pack[dtype](end - begin, in + begin * size, packing.flip, packing.base, packing.shift,
                     packing.index_bits, uint64_t(begin), packed + begin);
  });
  if (large) {
    sort_in_parts(DTYPE_uint64, sorter, n, reinterpret_cast<const char*>(scratch),
                  reinterpret_cast<char*>(out));
  } else {
    sorter(words, n, nullptr);
  }
  if (packing.shift == 0) {
    parallel_ranges(n, LARGE_LINE / 4, [&](ptrdiff_t begin, ptrdiff_t end) {
      for (ptrdiff_t i = begin; i < end; i++) out[i] = int64_t(words[i] & packing.index_mask);
    });
    return;
  }
  // Runs of equal packed keys, each found before its words become indices.
  for (ptrdiff_t begin = 0; begin < n;) {
    ptrdiff_t end = begin + 1;
    const uint64_t key = words[begin] >> packing.index_bits;
    out[begin] = int64_t(words[begin] & packing.index_mask);
    while (end < n && words[end] >> packing.index_bits == key) {
      out[end] = int64_t(words[end] & packing.index_mask);
      end++;
    }
    if (end - begin > 1) {
      sort_run(dtype, sorter, packing, end - begin, in, out + begin, scratch + begin);
    }
    begin = end;
  }
}

// ---- many short lines: the numbers at one index of all lines are a column, and a sorting network
// on columns sorts all lines at once, by the loops of minimum and maximum.

constexpr ptrdiff_t MAX_IN_NETWORK = 16, FEWEST_LINES = 16, COLUMN_BYTES = 2048;
// Of lines across rows. Two tiles fit the first-level cache.
constexpr ptrdiff_t TILE_BYTES = 16384;

// For longer lines of wide numbers a sort of each line is faster.
ptrdiff_t longest_in_network(Dtype dtype) {
  return dtype_itemsize[dtype] >= 4 ? 13 : MAX_IN_NETWORK;
}

// Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M).
struct Network {
  int count = 0;
  uint8_t pairs[64][2];  // 63 for 16 numbers

  explicit Network(ptrdiff_t n) {
    ptrdiff_t top = 1;
    while (2 * top < n) top *= 2;
    for (ptrdiff_t p = top; p > 0; p /= 2) {
      for (ptrdiff_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
        for (ptrdiff_t i = 0; i + d < n; i++) {
          if ((i & p) != r) continue;
          pairs[count][0] = uint8_t(i);
          pairs[count++][1] = uint8_t(i + d);
        }
        if (q == p) break;
      }
    }
  }
};

// Sorts as many lines as fit into a column; equal numbers have the same bits.
void sort_columns(Dtype dtype, const Network& network, bool descending, ptrdiff_t lines,
                  ptrdiff_t n, const char* in, char* out) {
  const ptrdiff_t size = dtype_itemsize[dtype], line = n * size;
  const kernel minimum = entry(OP_minimum, dtype).loop, maximum = entry(OP_maximum, dtype).loop;
  const kernel copy = cast_kernel(dtype, dtype);
  const ptrdiff_t steps[] = {size, size, size}, to_column[] = {size, line},
                  to_line[] = {line, size};
  alignas(64) char memory[MAX_IN_NETWORK + 1][COLUMN_BYTES];
  char* columns[MAX_IN_NETWORK];
  char* unused = memory[n];
  for (ptrdiff_t k = 0; k < n; k++) {
    columns[k] = memory[k];
    char* const data[] = {columns[k], const_cast<char*>(in) + k * size};
    copy(lines, data, to_column);
  }
  for (int k = 0; k < network.count; k++) {
    char *&low = columns[network.pairs[k][0]], *const high = columns[network.pairs[k][1]];
    char* const smaller[] = {unused, low, high};
    char* const larger[] = {high, low, high};
    minimum(lines, smaller, steps);
    maximum(lines, larger, steps);
    std::swap(low, unused);
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    char* const data[] = {out + (descending ? n - 1 - k : k) * size, columns[k]};
    copy(lines, data, to_line);
  }
}

// Calls body(line) for every line, several at a time where they are short.
template <class Body>
void for_lines(ptrdiff_t lines, ptrdiff_t n, Body body) {
  if (n >= LARGE_LINE) {  // threads share each line
    for (ptrdiff_t line = 0; line < lines; line++) body(line);
    return;
  }
  parallel_ranges(lines, std::max(ptrdiff_t(1), 2048 / (n + 1)),
                  [&](ptrdiff_t begin, ptrdiff_t end) {
                    for (ptrdiff_t line = begin; line < end; line++) body(line);
                  });
}

}  // namespace

line_sorter fallback_sorter(Dtype dtype) {
  line_sorter found = nullptr;
  const auto choose = [&](auto zero) { found = sort_numbers<decltype(zero)>; };
  for_dtype(RealNumbers{}, dtype, choose);
  return found;
}

void sorted_sample(line_sorter sorter, ptrdiff_t size, ptrdiff_t n, const char* in,
                   ptrdiff_t samples, char* out) {
  const ptrdiff_t stretch = n / samples;
  uint64_t random = 0x9E3779B97F4A7C15;
  for (ptrdiff_t i = 0; i < samples; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const ptrdiff_t at = i * stretch + ptrdiff_t((random >> 33) % uint64_t(stretch));
    std::memcpy(out + i * size, in + at * size, size_t(size));
  }
  sorter(out, samples, nullptr);
}

void sort_lines(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t lines, ptrdiff_t n,
                const char* in, char* out) {
  const ptrdiff_t nbytes = n * dtype_itemsize[dtype];
  if (n >= 2 && n <= longest_in_network(dtype) && lines >= FEWEST_LINES &&
      entry(OP_minimum, dtype).loop) {
    const Network network(n);
    return parallel_ranges(
        lines, COLUMN_BYTES / dtype_itemsize[dtype], [&](ptrdiff_t begin, ptrdiff_t end) {
          const char* const from = in + begin * nbytes;
          char* const to = out + begin * nbytes;
          if (!is_inexact(dtype) || kernels().keys.survey[dtype]((end - begin) * n, from) == 0) {
            return sort_columns(dtype, network, descending, end - begin, n, from, to);
          }
          for (ptrdiff_t line = begin; line < end; line++) {
            sort_line(dtype, sorter, descending, n, in + line * nbytes, out + line * nbytes);
          }
        });
  }
  for_lines(lines, n, [&](ptrdiff_t line) {
    sort_line(dtype, sorter, descending, n, in + line * nbytes, out + line * nbytes);
  });
}

bool sort_across(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t outer, ptrdiff_t n,
                 ptrdiff_t inner, const char* in, char* out) {
  const ptrdiff_t size = dtype_itemsize[dtype], line = n * size, row = inner * size;
  const ptrdiff_t most = std::min(TILE_BYTES / line, COLUMN_BYTES / size), words = 64 / size;
  if (most < words) return false;
  const ptrdiff_t width = most / words * words;  // of tiles; whole cache lines
  const ptrdiff_t tiles = (inner + width - 1) / width;
  parallel_ranges(outer * tiles, 1, [&](ptrdiff_t begin, ptrdiff_t end) {
    alignas(64) char lines[TILE_BYTES], sorted[TILE_BYTES];
    for (ptrdiff_t tile = begin; tile < end; tile++) {
      const ptrdiff_t column = tile % tiles * width, at = tile / tiles * n * row + column * size;
      const ptrdiff_t columns = std::min(width, inner - column);
      const ptrdiff_t sizes[] = {n, columns}, across[] = {row, size}, along[] = {size, line};
      kernels().copy_box(size, 2, sizes, lines, along, in + at, across);
      sort_lines(dtype, sorter, descending, columns, n, lines, sorted);
      kernels().copy_box(size, 2, sizes, out + at, across, sorted, along);
    }
  });
  return true;
}

void argsort_lines(Dtype dtype, line_sorter sorter, bool descending, ptrdiff_t lines, ptrdiff_t n,
                   const char* in, int64_t* out, uint64_t* scratch) {
  const ptrdiff_t nbytes = n * dtype_itemsize[dtype];
  for_lines(lines, n, [&](ptrdiff_t line) {
    argsort_line(dtype, sorter, descending, n, in + line * nbytes, out + line * n,
                 scratch + line * n);
  });
}

}  // namespace corepy
