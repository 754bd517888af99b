// Scans: cumulative_sum, cumulative_prod.
//
// A running sum waits for each addition before it starts the next. A block is therefore cut into 8
// parts, which are scanned side by side; then what came before is added to each part. The end of
// one part is, bit for bit, where the next one starts, so the sums of numbers that are not negative
// never decrease. Sums and products of floating-point numbers are kept in float64.
#include <algorithm>
#include <cmath>

#include "elements.hpp"
#include "vec.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

constexpr ptrdiff_t PARTS = 8;
constexpr ptrdiff_t LONG_PART = 64, SHORT_PART = 8;
constexpr ptrdiff_t LONG_BLOCK = PARTS * LONG_PART, SHORT_BLOCK = PARTS * SHORT_PART;
constexpr ptrdiff_t WIDE = 16;  // runs from which rows are scanned as rows

struct Plus {
  // Whether any order of the same operations stays in the range of numbers when one does.
  static constexpr bool any_order = true;
  template <class T>
  static T call(T a, T b) {
    return a + b;
  }
  template <class T>
  static Complex<T> call(Complex<T> a, Complex<T> b) {
    return {a.real + b.real, a.imag + b.imag};
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
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
};

template <class Carry, class T>
inline Carry widen(T a) {
  if constexpr (is_complex<T>) {
    return {a.real, a.imag};
  } else if constexpr (is_bool<T>) {
    return Carry(a.byte != 0);
  } else if constexpr (std::is_integral_v<Carry>) {
    // Signed elements are extended before the sign is dropped.
    return Carry(std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(a));
  } else {
    return Carry(a);
  }
}

template <class Out, class Carry>
inline Out narrow(Carry a) {
  if constexpr (is_complex<Out>) {
    using T = decltype(Out::real);
    return {T(a.real), T(a.imag)};
  } else {
    return Out(a);
  }
}

template <class F, class In, class Carry, class Out>
struct ScanOf {
  // Products that leave the range of numbers may do so in this order and not in another.
  static constexpr bool checked = !F::any_order && !std::is_integral_v<Carry>;

  static void one_by_one(ptrdiff_t n, const char* in, ptrdiff_t step, char* out, ptrdiff_t out_step,
                         Carry& carry) {
    Carry sum = carry;
    for (ptrdiff_t i = 0; i < n; i++) {
      sum = F::call(sum, widen<Carry>(load<In>(in + i * step)));
      store<Out>(out + i * out_step, narrow<Out>(sum));
    }
    carry = sum;
  }

  // The running sums of each part, and their ends.
  template <ptrdiff_t length, class Step, class Write>
  static void scan_parts(const char* in, Step step, Carry* ends, Write write) {
    Carry sums[PARTS];
    for (ptrdiff_t k = 0; k < PARTS; k++) {
      sums[k] = widen<Carry>(load<In>(in + k * length * step));
      write(k * length, sums[k]);
    }
    for (ptrdiff_t i = 1; i < length; i++) {
#pragma GCC unroll 8
      for (ptrdiff_t k = 0; k < PARTS; k++) {
        sums[k] = F::call(sums[k], widen<Carry>(load<In>(in + (k * length + i) * step)));
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

  template <ptrdiff_t length, class Step, class OutStep>
  static void scan_block(const char* in, Step step, char* out, OutStep out_step, Carry& carry) {
    alignas(64) Carry sums[PARTS * length];
    Carry ends[PARTS];
    scan_parts<length>(in, step, ends, [&](ptrdiff_t i, Carry sum) { sums[i] = sum; });
    if constexpr (checked) {
      if (!in_range(PARTS * length, sums)) {
        return one_by_one(PARTS * length, in, step, out, out_step, carry);
      }
    }
    Carry before = carry;
    for (ptrdiff_t k = 0; k < PARTS; k++) {
      for (ptrdiff_t i = k * length; i < (k + 1) * length; i++) {
        store<Out>(out + i * out_step, narrow<Out>(F::call(before, sums[i])));
      }
      before = F::call(before, ends[k]);
    }
    carry = before;
  }

  template <class Step, class OutStep>
  static void scan_run(ptrdiff_t n, const char* in, Step step, char* out, OutStep out_step,
                       Carry& carry) {
    ptrdiff_t i = 0;
    if constexpr (!checked || !is_complex<Carry>) {  // which are more work than waiting
      for (; i + LONG_BLOCK <= n; i += LONG_BLOCK) {
        scan_block<LONG_PART>(in + i * step, step, out + i * out_step, out_step, carry);
      }
      for (; i + SHORT_BLOCK <= n; i += SHORT_BLOCK) {
        scan_block<SHORT_PART>(in + i * step, step, out + i * out_step, out_step, carry);
      }
    }
    one_by_one(n - i, in + i * step, step, out + i * out_step, out_step, carry);
  }

  // All runs at once, element by element.
  template <class Step, class OutStep>
  static void scan_rows(const ScanTile& tile, const char* in, Step step, char* out,
                        OutStep out_step, ptrdiff_t n, Carry* carries) {
    for (ptrdiff_t i = 0; i < n; i++, in += tile.in_step, out += tile.out_step) {
      COREPY_INDEPENDENT
      for (ptrdiff_t k = 0; k < tile.kept; k++) {
        carries[k] = F::call(carries[k], widen<Carry>(load<In>(in + k * step)));
        store<Out>(out + k * out_step, narrow<Out>(carries[k]));
      }
    }
  }

  static void scan(const ScanTile& tile) {
    Carry* const carries = reinterpret_cast<Carry*>(tile.carries);
    const char* in = tile.in;
    char* out = tile.out;
    ptrdiff_t n = tile.n;
    if (tile.begin) {
      for (ptrdiff_t k = 0; k < tile.kept; k++) {
        carries[k] = widen<Carry>(load<In>(in + k * tile.in_kept_step));
        store<Out>(out + k * tile.out_kept_step, narrow<Out>(carries[k]));
      }
      in += tile.in_step;
      out += tile.out_step;
      n--;
    }
    if (tile.kept >= WIDE && tile.in_kept_step == sizeof(In) && tile.out_kept_step == sizeof(Out)) {
      return scan_rows(tile, in, std::integral_constant<ptrdiff_t, sizeof(In)>{}, out,
                       std::integral_constant<ptrdiff_t, sizeof(Out)>{}, n, carries);
    }
    if (tile.kept >= WIDE && n <= SHORT_PART) {
      return scan_rows(tile, in, tile.in_kept_step, out, tile.out_kept_step, n, carries);
    }
    if (tile.kept == 1 && tile.in_step == sizeof(In) && tile.out_step == sizeof(Out)) {
      return scan_run(n, in, std::integral_constant<ptrdiff_t, sizeof(In)>{}, out,
                      std::integral_constant<ptrdiff_t, sizeof(Out)>{}, *carries);
    }
    // Block by block, for neighbours share cache lines, and few lines at once if each element of
    // the output is in another.
    const ptrdiff_t block = tile.out_step == sizeof(Out) ? LONG_BLOCK : SHORT_BLOCK;
    for (; n > 0; n -= block, in += block * tile.in_step, out += block * tile.out_step) {
      const ptrdiff_t length = std::min(n, block);
      for (ptrdiff_t k = 0; k < tile.kept; k++) {
        scan_run(length, in + k * tile.in_kept_step, tile.in_step, out + k * tile.out_kept_step,
                 tile.out_step, carries[k]);
      }
    }
  }

  static void total(ptrdiff_t blocks, const char* in, char* totals) {
    for (ptrdiff_t i = 0; i < blocks; i++) {
      scan_parts<LONG_PART>(in + i * LONG_BLOCK * ptrdiff_t(sizeof(In)),
                            std::integral_constant<ptrdiff_t, sizeof(In)>{},
                            reinterpret_cast<Carry*>(totals) + i * PARTS, [](ptrdiff_t, Carry) {});
    }
  }

  static void merge(char* carry, const char* total) {
    store<Carry>(carry, F::call(load<Carry>(carry), load<Carry>(total)));
  }

  static Scan make() {
    return {sizeof(Carry), LONG_BLOCK, PARTS, scan, checked ? nullptr : total, merge};
  }
};

template <class In, class Carry, class Out>
void fill_both(Kernels& kernels) {
  kernels.scans[OP_cumulative_sum][dtype_of<In>] = ScanOf<Plus, In, Carry, Out>::make();
  kernels.scans[OP_cumulative_prod][dtype_of<In>] = ScanOf<Times, In, Carry, Out>::make();
}

}  // namespace

void fill_scans(Kernels& kernels) {
  const auto fill_integer = [&](auto zero) {
    fill_both<decltype(zero), uint64_t, uint64_t>(kernels);
  };
  fill_integer(Bool{});
  for_each(Signed{}, fill_integer);
  for_each(Unsigned{}, fill_integer);
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    fill_both<T, double, T>(kernels);
    fill_both<Complex<T>, Complex128, Complex<T>>(kernels);
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
