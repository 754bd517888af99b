// Reductions that look for an extreme: max, min, argmax, argmin.
#include <algorithm>
#include <cmath>
#include <limits>

#include "elements.hpp"
#include "selection.hpp"

namespace corepy {
inline namespace COREPY_TARGET {

namespace {

// The extreme of n >= 1 elements. Many running extremes, for a single one would make each
// comparison wait for the last; so many that their loop stays a loop, which the compiler
// vectorises. Each takes four elements at a time, which spares loads and stores of itself. Whether
// there is a NaN is noted apart.
template <class Choice, class T, class Step>
T extreme(const char* in, ptrdiff_t n, Step step) {
  constexpr ptrdiff_t count = 32;
  const auto at = [=](ptrdiff_t i) { return load<T>(in + i * step); };
  T best = at(0);
  if (n >= 4 * count) {
    T lanes[count], nans[count];
    for (ptrdiff_t j = 0; j < count; j++) {
      lanes[j] = best;
      nans[j] = T(0);
    }
    for (ptrdiff_t i = 0; i < n; i += 4 * count) {
      // The last elements may be taken twice, which changes nothing.
      const ptrdiff_t start = std::min(i, n - 4 * count);
      for (ptrdiff_t j = start; j < start + count; j++) {
        const T a = at(j), b = at(j + count), c = at(j + 2 * count), d = at(j + 3 * count);
        T& lane = lanes[j - start];
        lane = Choice::of_numbers(
            lane, Choice::of_numbers(Choice::of_numbers(a, b), Choice::of_numbers(c, d)));
        if constexpr (std::is_floating_point_v<T>) {
          T& nan = nans[j - start];
          nan = std::isunordered(a, b) | std::isunordered(c, d) ? T(1) : nan;
        }
      }
    }
    for (ptrdiff_t j = 0; j < count; j++) {
      if constexpr (std::is_floating_point_v<T>) {
        if (nans[j] != 0) return std::numeric_limits<T>::quiet_NaN();
      }
      best = Choice::of_numbers(best, lanes[j]);
    }
    return best;
  }
  bool nan = best != best;
  for (ptrdiff_t i = 1; i < n; i++) {
    const T a = at(i);
    best = Choice::of_numbers(best, a);
    nan |= a != a;
  }
  return nan ? std::numeric_limits<T>::quiet_NaN() : best;
}

template <class Choice, class T>
void extreme_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  if (n <= 0) return;
  with_step<T>(steps[1], [&](auto step) {
    store<T>(data[0], Choice::call(load<T>(data[0]), extreme<Choice, T>(data[1], n, step)));
  });
}

template <class T>
inline bool same(T a, T b) {
  if constexpr (is_bool<T>) {
    return bool(a) == bool(b);
  } else {
    return (a == b) | ((a != a) & (b != b));
  }
}

// The index of the first element from `start` on that is the same as `value`, which is there.
template <class T, class Step>
ptrdiff_t find(const char* in, ptrdiff_t start, ptrdiff_t n, Step step, T value) {
  constexpr ptrdiff_t stretch = 64;
  Bool found[stretch];
  for (; start + stretch <= n; start += stretch) {
    fill_each<T>(stretch, found, [=](ptrdiff_t i) -> Bool {
      return same(load<T>(in + (start + i) * step), value);
    });
    if (const void* first = std::memchr(found, true, stretch)) {
      return start + (static_cast<const Bool*>(first) - found);
    }
  }
  while (!same(load<T>(in + start * step), value)) start++;
  return start;
}

// Finds the extreme of a block fast, and looks for its place only when it is better than all
// before: seldom.
template <class Choice, class T>
void index_loop(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  const char* in = data[1];
  int64_t index = 0;
  with_step<T>(steps[1], [&](auto step) {
    constexpr ptrdiff_t block = 4096;
    T best = load<T>(in);
    for (ptrdiff_t start = 0; start < n; start += block) {
      const ptrdiff_t length = n - start < block ? n - start : block;
      const T candidate = Choice::call(best, extreme<Choice, T>(in + start * step, length, step));
      if (start > 0 && same(candidate, best)) continue;
      best = candidate;
      index = find<T>(in, start, n, step, best);
      if constexpr (std::is_floating_point_v<T>) {
        if (best != best) break;  // nothing goes before the first NaN
      }
    }
  });
  store<int64_t>(data[0], index);
}

template <class T>
void fill_extremes_of(Kernels& kernels) {
  set<T>(kernels, OP_max, extreme_loop<Maximum, T>);
  set<T>(kernels, OP_min, extreme_loop<Minimum, T>);
  set<T>(kernels, OP_argmax, index_loop<Maximum, T>);
  set<T>(kernels, OP_argmin, index_loop<Minimum, T>);
}

}  // namespace

void fill_extremes(Kernels& kernels) {
  fill_extremes_of<Bool>(kernels);
  for_each(Signed{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(kernels); });
  for_each(Unsigned{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(kernels); });
  for_each(Floats{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(kernels); });
}

}  // namespace COREPY_TARGET
}  // namespace corepy
