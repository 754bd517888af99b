// Reductions that add up, multiply or count: sum, mean, prod, count_nonzero, any, all.
#include "../pairwise.hpp"
#include "elements.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Widens an element to the accumulator's type.
template <class Acc, class T>
inline Acc widen(T a) {
  if constexpr (is_bool<T>) {
    return Acc(a.byte != 0);
  } else if constexpr (std::is_integral_v<Acc>) {
    // Signed elements are extended before the sign is dropped.
    return Acc(std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(a));
  } else {
    return Acc(a);
  }
}

// Pairwise summation: halves are summed apart, so that the error grows with log(n) and not with n;
// blocks of 128 are summed in 8 running sums, which hide the latency of addition and fill vector
// registers. -0 is what adds nothing.
template <class Acc, class T, class Step>
Acc pairwise(const char* in, ptrdiff_t n, Step step) {
  if (n < 8) {
    Acc sum = Acc(-0.0);
    for (ptrdiff_t i = 0; i < n; i++) sum += widen<Acc>(load<T>(in + i * step));
    return sum;
  }
  if (n <= 128) {
    Acc sums[8];
    for (int j = 0; j < 8; j++) sums[j] = widen<Acc>(load<T>(in + j * step));
    ptrdiff_t i = 8;
    for (; i + 8 <= n; i += 8) {
      for (int j = 0; j < 8; j++) sums[j] += widen<Acc>(load<T>(in + (i + j) * step));
    }
    Acc sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < n; i++) sum += widen<Acc>(load<T>(in + i * step));
    return sum;
  }
  const ptrdiff_t half = n / 2 - n / 2 % 8;
  return pairwise<Acc, T>(in, half, step) + pairwise<Acc, T>(in + half * step, n - half, step);
}

// Contiguous complex numbers in the manner of `pairwise`: the running sums are of real and
// imaginary components in turn.
template <class Real>
Complex<Real> pairwise_complex(const Real* in, ptrdiff_t n) {
  if (n <= 64) {
    Real sums[8] = {-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0};
    ptrdiff_t i = 0;
    for (; i + 4 <= n; i += 4) {
      for (int j = 0; j < 8; j++) sums[j] += in[2 * i + j];
    }
    Complex<Real> sum = {(sums[0] + sums[2]) + (sums[4] + sums[6]),
                         (sums[1] + sums[3]) + (sums[5] + sums[7])};
    for (; i < n; i++) sum = {sum.real + in[2 * i], sum.imag + in[2 * i + 1]};
    return sum;
  }
  const ptrdiff_t half = n / 2 - n / 2 % 4;
  return plus(pairwise_complex(in, half), pairwise_complex(in + 2 * half, n - half));
}

// Components are neighbours in memory, and each is a strided run of real numbers.
template <class Real>
void sum_complex(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  auto& sum = *reinterpret_cast<Complex<Real>*>(data[0]);
  if (steps[1] == sizeof(sum) && n >= 8) {
    sum = plus(sum, pairwise_complex(reinterpret_cast<const Real*>(data[1]), n));
    return;
  }
  sum.real += pairwise<Real, Real>(data[1], n, steps[1]);
  sum.imag += pairwise<Real, Real>(data[1] + sizeof(Real), n, steps[1]);
}

// Acc is unsigned for integers, since sums wrap.
template <class Acc, class T>
void sum_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  Acc& sum = *reinterpret_cast<Acc*>(data[0]);
  const char* in = data[1];
  with_step<T>(steps[1], [&](auto step) {
    if constexpr (std::is_floating_point_v<Acc>) {
      sum += pairwise<Acc, T>(in, n, step);
    } else {
      Acc run = 0;
      for (ptrdiff_t i = 0; i < n; i++) run += widen<Acc>(load<T>(in + i * step));
      sum += run;
    }
  });
}

template <class Acc, class T>
void prod_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  Acc product = load<Acc>(data[0]);
  const char* in = data[1];
  for (ptrdiff_t i = 0; i < n; i++, in += steps[1]) {
    if constexpr (is_complex<Acc>) {
      const Acc a = product, b = load<T>(in);
      product = {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
    } else {
      product *= widen<Acc>(load<T>(in));
    }
  }
  store<Acc>(data[0], product);
}

// What to count elements of type T in: as wide as they are, which is what vectors do fast.
template <class T>
using Counter = Word<T>;

template <class T>
void count_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  const char* in = data[1];
  int64_t count = 0;
  with_step<T>(steps[1], [&](auto step) {
    // Counted in the width of the elements, which is what vectors do fast.
    for (ptrdiff_t start = 0; start < n; start += 255) {
      const ptrdiff_t length = n - start < 255 ? n - start : 255;
      Counter<T> part = 0;
      for (ptrdiff_t i = 0; i < length; i++) {
        part = Counter<T>(part + truth(load<T>(in + (start + i) * step)));
      }
      count += part;
    }
  });
  *reinterpret_cast<int64_t*>(data[0]) += count;
}

// any and all: whether an element's truth is `wanted`, which settles the result. Blocks end early,
// elements do not.
template <class T, bool wanted>
void search_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (truth(load<Bool>(data[0])) == wanted) return;
  const char* in = data[1];
  with_step<T>(steps[1], [&](auto step) {
    constexpr ptrdiff_t block = 256;
    for (ptrdiff_t start = 0; start < n; start += block) {
      const ptrdiff_t length = n - start < block ? n - start : block;
      Counter<T> found = 0;
      for (ptrdiff_t i = 0; i < length; i++) {
        found |= truth(load<T>(in + (start + i) * step)) == wanted;
      }
      if (found) {
        store<Bool>(data[0], wanted);
        return;
      }
    }
  });
}

template <class T, class Set>
void fill_truth(Set set) {
  set(OP_count_nonzero, count_loop<T>);
  set(OP_any, search_loop<T, true>);
  set(OP_all, search_loop<T, false>);
}

template <class T>
void fill_integer_sums(Kernels& kernels) {
  set<T>(kernels, OP_sum, sum_loop<uint64_t, T>);
  set<T>(kernels, OP_prod, prod_loop<uint64_t, T>);
  set<T>(kernels, OP_mean, sum_loop<double, T>);
}

}  // namespace

void fill_sums(Kernels& kernels) {
  fill_integer_sums<Bool>(kernels);
  for_each(Signed{}, [&](auto zero) { fill_integer_sums<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) { fill_integer_sums<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) {
    using T = decltype(zero);
    using C = Complex<T>;
    for (Operation operation : {OP_sum, OP_mean}) {
      set<T>(kernels, operation, sum_loop<T, T>);
      set<C>(kernels, operation, sum_complex<T>);
    }
    set<T>(kernels, OP_prod, prod_loop<T, T>);
    set<C>(kernels, OP_prod, prod_loop<C, C>);
    fill_truth<T>([&](Operation operation, kernel loop) { set<T>(kernels, operation, loop); });
    fill_truth<C>([&](Operation operation, kernel loop) { set<C>(kernels, operation, loop); });
  });
  fill_truth<Bool>([&](Operation operation, kernel loop) { set<Bool>(kernels, operation, loop); });
  for_each(Unsigned{}, [&](auto zero) {
    using T = decltype(zero);
    fill_truth<T>([&](Operation operation, kernel loop) { set_both<T>(kernels, operation, loop); });
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
