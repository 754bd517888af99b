// maximum, minimum, clip, where.
#include <algorithm>

#include "elements.hpp"
#include "selection.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// Three inputs of which the first is as long as the output: x and its two bounds.
template <class T>
void clip_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  const auto clip = [](T x, T lower, T upper) {
    return Minimum::call(Maximum::call(x, lower), upper);
  };
  if (steps[0] == sizeof(T) && steps[1] == sizeof(T) && steps[2] == 0 && steps[3] == 0) {
    T* out = reinterpret_cast<T*>(data[0]);
    const T* in = reinterpret_cast<const T*>(data[1]);
    const T lower = load<T>(data[2]), upper = load<T>(data[3]);
    if (lower != lower || upper != upper) {  // a NaN, and so are all results
      std::fill(out, out + n, lower != lower ? lower : upper);
      return;
    }
    // With bounds that are numbers plain comparisons are enough (they keep a NaN in x), and are
    // vectorised.
    COREPY_INDEPENDENT
    for (ptrdiff_t i = 0; i < n; i++) {
      const T raised = in[i] < lower ? lower : in[i];
      out[i] = raised > upper ? upper : raised;
    }
    return;
  }
  for (ptrdiff_t i = 0; i < n; i++) {
    store<T>(data[0] + i * steps[0],
             clip(load<T>(data[1] + i * steps[1]), load<T>(data[2] + i * steps[2]),
                  load<T>(data[3] + i * steps[3])));
  }
}

// Both values are read and one is kept by a mask, so that random conditions cost no mispredicted
// branches.
template <class T>
inline T choose(bool condition, T a, T b) {
  return T(b ^ ((a ^ b) & T(-T(condition))));
}
template <class T>
inline Pair<T> choose(bool condition, Pair<T> a, Pair<T> b) {
  return {choose(condition, a.low, b.low), choose(condition, a.high, b.high)};
}

template <class T>
void where_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  constexpr ptrdiff_t size = sizeof(T);
  char* const out = data[0];
  const char* const condition = data[1];
  const char* const x1 = data[2];
  const char* const x2 = data[3];
  const auto run = [=](auto condition_step, auto step1, auto step2) {
    COREPY_INDEPENDENT
    for (ptrdiff_t i = 0; i < n; i++) {
      const T a = load<T>(x1 + i * step1), b = load<T>(x2 + i * step2);
      store<T>(out + i * size, choose(condition[i * condition_step] != 0, a, b));
    }
  };
  using Unit = std::integral_constant<ptrdiff_t, size>;
  using One = std::integral_constant<ptrdiff_t, 1>;
  using Scalar = std::integral_constant<ptrdiff_t, 0>;
  if (steps[0] == size && steps[1] == 1) {
    if (steps[2] == size && steps[3] == size) return run(One{}, Unit{}, Unit{});
    if (steps[2] == size && steps[3] == 0) return run(One{}, Unit{}, Scalar{});
    if (steps[2] == 0 && steps[3] == size) return run(One{}, Scalar{}, Unit{});
    if (steps[2] == 0 && steps[3] == 0) return run(One{}, Scalar{}, Scalar{});
  }
  if (steps[0] == size) return run(steps[1], steps[2], steps[3]);
  for (ptrdiff_t i = 0; i < n; i++) {
    const T a = load<T>(x1 + i * steps[2]), b = load<T>(x2 + i * steps[3]);
    store<T>(out + i * steps[0], condition[i * steps[1]] ? a : b);
  }
}

template <class T>
void fill_order(Kernels& kernels) {
  set<T>(kernels, OP_maximum, binary_elements<Maximum, T, T>);
  set<T>(kernels, OP_minimum, binary_elements<Minimum, T, T>);
  set<T>(kernels, OP_clip, clip_loop<T>);
}

}  // namespace

void fill_selection(Kernels& kernels) {
  fill_order<Bool>(kernels);
  for_each(Signed{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) { fill_order<decltype(zero)>(kernels); });
  for_each_bits([&](Dtype dtype, auto bits) {
    kernels.table[OP_where][dtype].loop = where_loop<decltype(bits)>;
  });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
