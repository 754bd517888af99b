// Scans: cumulative_sum, cumulative_prod, and maximum, minimum, bitwise_and, bitwise_or and
// bitwise_xor of each element and all before it.
//
// A running sum waits for each addition before it starts the next. A block is therefore divided
// into 8 parts, which are scanned side by side; then the sum before each part is added to it. The
// end of one part is bit for bit the start of the next, so the sums of numbers that are not
// negative never decrease. Sums and products of floating-point numbers are stored in float64.
//
// Sums of integers are the same in any order, so those within a vector are computed in it.
//
// The loops take contiguous elements of the type of the carries; others are packed and converted
// first, a block at a time.
#include <algorithm>

#include "complex.hpp"
#include "reading.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

constexpr ptrdiff_t PARTS = 8;
constexpr ptrdiff_t LONG_PART = 64, SHORT_PART = 8;
constexpr ptrdiff_t LONG_BLOCK = PARTS * LONG_PART, SHORT_BLOCK = PARTS * SHORT_PART;
constexpr ptrdiff_t WIDE = 16;  // runs from which rows are scanned as rows

struct Plus {
  // Whether the order of operations cannot cause overflow or underflow.
  static constexpr bool any_order = true;
  template <class T>
  static T call(T a, T b) {
    return a + b;
  }
};

struct Times {
  static constexpr bool any_order = false;
  template <class T>
  static T call(T a, T b) {
    return a * b;
  }
  template <class T>
  static Complex<T> call(Complex<T> a, Complex<T> b) {
    return textbook_product(a, b);
  }
};

// The operations on two elements that give the same result in any order.
template <class Functor>
struct InAnyOrder : Functor {
  static constexpr bool any_order = true;
};
// The first of equal elements, such as zeros of both signs, and the first NaN.
COREPY_BINARY(Greatest, (a >= b) | (a != a) ? a : b)
COREPY_BINARY(Least, (a <= b) | (a != a) ? a : b)
COREPY_BINARY(And, (V(a & b)))
COREPY_BINARY(Or, V(a | b))
COREPY_BINARY(Xor, V(a ^ b))

template <class Out, class Carry>
inline Out narrow(Carry a) {
  if constexpr (is_complex<Out>) {
    using T = decltype(Out::real);
    return {T(a.real), T(a.imag)};
  } else {
    return Out(a);
  }
}

template <class F, class Carry, class Out>
struct LoopsOf {
  static constexpr bool sums_integers = std::is_same_v<F, Plus> && std::is_integral_v<Carry>;
  // Whether products overflow or underflow depends on the order.
  static constexpr bool checked = !F::any_order && !std::is_integral_v<Carry>;

  static void one_by_one(ptrdiff_t n, const Carry* in, Out* out, Carry& carry) {
    Carry sum = carry;
    for (ptrdiff_t i = 0; i < n; i++) {
      sum = F::call(sum, in[i]);
      out[i] = narrow<Out>(sum);
    }
    carry = sum;
  }

  // The running sums of each part, and their ends.
  template <ptrdiff_t length, class Write>
  static void scan_parts(const Carry* in, Carry* ends, Write write) {
    Carry sums[PARTS];
    for (ptrdiff_t k = 0; k < PARTS; k++) {
      sums[k] = in[k * length];
      write(k * length, sums[k]);
    }
    for (ptrdiff_t i = 1; i < length; i++) {
#pragma GCC unroll 8
      for (ptrdiff_t k = 0; k < PARTS; k++) {
        sums[k] = F::call(sums[k], in[k * length + i]);
        write(k * length + i, sums[k]);
      }
    }
    for (ptrdiff_t k = 0; k < PARTS; k++) ends[k] = sums[k];
  }

  // Whether n products, whole vectors of them, are far from the ends of the range of numbers.
  static bool in_range(ptrdiff_t n, const double* products) {
    auto within = Mask<double>::first(Vec<double>::size);
    for (ptrdiff_t i = 0; i < n; i += Vec<double>::size) {
      const Vec<double> size = abs(Vec<double>::load(products + i));
      within = within & (size >= 1e-140) & (size <= 1e140);
    }
    return all(within);
  }

  template <ptrdiff_t length>
  static void scan_block(const Carry* in, Out* out, Carry& carry) {
    alignas(64) Carry sums[PARTS * length];
    Carry ends[PARTS];
    scan_parts<length>(in, ends, [&](ptrdiff_t i, Carry sum) { sums[i] = sum; });
    if constexpr (checked) {
      if (!in_range(PARTS * length, sums)) return one_by_one(PARTS * length, in, out, carry);
    }
    Carry before = carry;
    for (ptrdiff_t k = 0; k < PARTS; k++) {
      for (ptrdiff_t i = k * length; i < (k + 1) * length; i++) {
        out[i] = narrow<Out>(F::call(before, sums[i]));
      }
      before = F::call(before, ends[k]);
    }
    carry = before;
  }

  // The running sums of whole vectors; returns the number of elements.
  static ptrdiff_t sum_vectors(ptrdiff_t n, const Carry* in, Out* out, Carry& carry) {
    constexpr ptrdiff_t size = Vec<Carry>::size;
    Vec<Carry> before = carry;
    ptrdiff_t i = 0;
    for (; i + size <= n; i += size) {
      const Vec<Carry> sums = running_sums(Vec<Carry>::load(in + i));
      (sums + before).store(out + i);
      before = before + last_lane(sums);  // the only step that waits for the vector before
    }
    if (i > 0) carry = out[i - 1];
    return i;
  }

  static void run(ptrdiff_t n, const char* elements, char* results, char* last) {
    const Carry* const in = reinterpret_cast<const Carry*>(elements);
    Out* const out = reinterpret_cast<Out*>(results);
    Carry& carry = *reinterpret_cast<Carry*>(last);
    ptrdiff_t i = 0;
    if constexpr (sums_integers) {
      i = sum_vectors(n, in, out, carry);
    } else if constexpr (!checked || !is_complex<Carry>) {  // which are more work than waiting
      for (; i + LONG_BLOCK <= n; i += LONG_BLOCK) scan_block<LONG_PART>(in + i, out + i, carry);
      for (; i + SHORT_BLOCK <= n; i += SHORT_BLOCK) scan_block<SHORT_PART>(in + i, out + i, carry);
    }
    one_by_one(n - i, in + i, out + i, carry);
  }

  static void row(ptrdiff_t n, const char* elements, char* results, char* lasts, bool begin) {
    const Carry* const in = reinterpret_cast<const Carry*>(elements);
    Out* const out = reinterpret_cast<Out*>(results);
    Carry* const carries = reinterpret_cast<Carry*>(lasts);
    COREPY_INDEPENDENT
    for (ptrdiff_t i = 0; i < n; i++) {
      const Carry sum = begin ? in[i] : F::call(carries[i], in[i]);
      out[i] = narrow<Out>(sum);
      carries[i] = sum;
    }
  }

  static void parts(const char* elements, char* results) {
    const Carry* const in = reinterpret_cast<const Carry*>(elements);
    Carry* const ends = reinterpret_cast<Carry*>(results);
    if constexpr (sums_integers) {
      constexpr ptrdiff_t size = Vec<Carry>::size;
      for (ptrdiff_t k = 0; k < PARTS; k++) {
        Vec<Carry> total = Carry(0);
        for (ptrdiff_t i = 0; i < LONG_PART; i += size) {
          total = total + Vec<Carry>::load(in + k * LONG_PART + i);
        }
        Carry sums[size];
        running_sums(total).store(sums);
        ends[k] = sums[size - 1];
      }
    } else {
      scan_parts<LONG_PART>(in, ends, [](ptrdiff_t, Carry) {});
    }
  }

  static void merge(char* carry, const char* total) {
    store<Carry>(carry, F::call(load<Carry>(carry), load<Carry>(total)));
  }
};

// The loops for the drivers, which address elements and carries by their sizes.
struct ScanLoops {
  Reader reader;
  ptrdiff_t out, carry;  // bytes
  // n elements of a run.
  void (*run)(ptrdiff_t n, const char* in, char* out, char* carry);
  // One element of each of n runs, the first one if `begin`.
  void (*row)(ptrdiff_t n, const char* in, char* out, char* carries, bool begin);
  // The totals of the parts of a block.
  void (*parts)(const char* in, char* ends);
};

// An element of each run.
void scan_row(const ScanTile& tile, const char* in, char* out, bool begin, const ScanLoops& loops) {
  alignas(64) char packed[LONG_BLOCK * MAX_ITEMSIZE], results[LONG_BLOCK * MAX_ITEMSIZE];
  const bool contiguous = tile.out_kept_step == loops.out;
  for (ptrdiff_t k = 0; k < tile.kept; k += LONG_BLOCK) {
    const ptrdiff_t n = std::min(tile.kept - k, LONG_BLOCK);
    const char* const elements =
        loops.reader.read(n, packed, in + k * tile.in_kept_step, tile.in_kept_step);
    char* const to = out + k * tile.out_kept_step;
    loops.row(n, elements, contiguous ? to : results, tile.carries + k * loops.carry, begin);
    if (!contiguous) unpack(loops.out, n, to, tile.out_kept_step, results);
  }
}

// Some elements of run k.
void scan_run(const ScanTile& tile, ptrdiff_t k, ptrdiff_t n, const char* in, char* out,
              const ScanLoops& loops) {
  alignas(64) char packed[LONG_BLOCK * MAX_ITEMSIZE], results[LONG_BLOCK * MAX_ITEMSIZE];
  char* const carry = tile.carries + k * loops.carry;
  in += k * tile.in_kept_step;
  out += k * tile.out_kept_step;
  const bool contiguous = tile.out_step == loops.out;
  for (ptrdiff_t i = 0; i < n; i += LONG_BLOCK) {
    const ptrdiff_t length = std::min(n - i, LONG_BLOCK);
    const char* const elements =
        loops.reader.read(length, packed, in + i * tile.in_step, tile.in_step);
    char* const to = out + i * tile.out_step;
    loops.run(length, elements, contiguous ? to : results, carry);
    if (!contiguous) unpack(loops.out, length, to, tile.out_step, results);
  }
}

void scan_tile(const ScanTile& tile, const ScanLoops& loops) {
  const char* in = tile.in;
  char* out = tile.out;
  ptrdiff_t n = tile.n;
  bool begin = tile.begin;
  if (tile.kept >= WIDE &&
      ((tile.in_kept_step == loops.reader.source && tile.out_kept_step == loops.out) ||
       n <= SHORT_PART + begin)) {
    for (; n > 0; n--, in += tile.in_step, out += tile.out_step, begin = false) {
      scan_row(tile, in, out, begin, loops);
    }
    return;
  }
  if (begin) {
    scan_row(tile, in, out, true, loops);
    in += tile.in_step;
    out += tile.out_step;
    n--;
  }
  if (tile.kept == 1) return scan_run(tile, 0, n, in, out, loops);
  // Block by block, for neighbours share cache lines, and few lines at once if each element of
  // the output is in another.
  const ptrdiff_t block = tile.out_step == loops.out ? LONG_BLOCK : SHORT_BLOCK;
  for (; n > 0; n -= block, in += block * tile.in_step, out += block * tile.out_step) {
    for (ptrdiff_t k = 0; k < tile.kept; k++) {
      scan_run(tile, k, std::min(n, block), in, out, loops);
    }
  }
}

void total_blocks(ptrdiff_t blocks, const char* in, char* totals, const ScanLoops& loops) {
  alignas(64) char packed[LONG_BLOCK * MAX_ITEMSIZE];
  const ptrdiff_t size = loops.reader.source;
  for (ptrdiff_t i = 0; i < blocks; i++) {
    const char* const elements =
        loops.reader.read(LONG_BLOCK, packed, in + i * LONG_BLOCK * size, size);
    loops.parts(elements, totals + i * PARTS * loops.carry);
  }
}

template <class F, class In, class Carry, class Out>
struct ScanOf {
  using Loops = LoopsOf<F, Carry, Out>;
  // 64-bit integers of either kind have the same bits.
  using Read = std::conditional_t<std::is_same_v<In, int64_t>, Carry, In>;
  static constexpr ScanLoops loops = {
      reader<Carry, Read>(), sizeof(Out), sizeof(Carry), Loops::run, Loops::row, Loops::parts};

  static void scan(const ScanTile& tile) { scan_tile(tile, loops); }
  static void total(ptrdiff_t blocks, const char* in, char* totals) {
    total_blocks(blocks, in, totals, loops);
  }
  static Scan make() {
    return {sizeof(Carry), LONG_BLOCK, PARTS, scan, Loops::checked ? nullptr : total, Loops::merge};
  }
};

template <class In, class Carry, class Out>
void fill_both(Kernels& kernels) {
  kernels.scans[OP_cumulative_sum][dtype_of<In>] = ScanOf<Plus, In, Carry, Out>::make();
  kernels.scans[OP_cumulative_prod][dtype_of<In>] = ScanOf<Times, In, Carry, Out>::make();
}

template <class F, class In, class Carry>
void fill_one(Kernels& kernels, Operation operation) {
  kernels.scans[operation][dtype_of<In>] = ScanOf<InAnyOrder<F>, In, Carry, Carry>::make();
}
template <class In, class Carry>
void fill_bits(Kernels& kernels) {
  fill_one<And, In, Carry>(kernels, OP_bitwise_and);
  fill_one<Or, In, Carry>(kernels, OP_bitwise_or);
  fill_one<Xor, In, Carry>(kernels, OP_bitwise_xor);
}

}  // namespace

void fill_scans(Kernels& kernels) {
  const auto fill_integer = [&](auto zero) {
    fill_both<decltype(zero), uint64_t, uint64_t>(kernels);
  };
  fill_integer(Bool{});
  for_each(Integers{}, fill_integer);
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_both<T, double, T>(kernels);
    fill_both<Complex<T>, Complex128, Complex<T>>(kernels);
  });
  for_each(RealNumbers{}, [&](auto zero) {
    using T = decltype(zero);
    fill_one<Greatest, T, T>(kernels, OP_maximum);
    fill_one<Least, T, T>(kernels, OP_minimum);
  });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill_bits<T, T>(kernels);
    for (const Operation operation : {OP_bitwise_and, OP_bitwise_or, OP_bitwise_xor}) {
      auto& scans = kernels.scans[operation];
      scans[dtype_of<std::make_signed_t<T>>] = scans[dtype_of<T>];
    }
  });
  // Of bools, as bytes of 0 and 1.
  fill_one<Or, Bool, uint8_t>(kernels, OP_maximum);
  fill_one<And, Bool, uint8_t>(kernels, OP_minimum);
  fill_bits<Bool, uint8_t>(kernels);
}

}  // namespace COREPY_TARGET
}  // namespace corepy
