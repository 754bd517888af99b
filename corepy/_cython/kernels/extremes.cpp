// Reductions that look for an extreme: max, min, argmax, argmin.
#include "loops.hpp"
#include "selection.hpp"

namespace corepy {

namespace {

// The extreme of n >= 1 elements. Many running extremes, for a single one would make each
// comparison wait for the last; so many that their loop stays a loop, which the compiler
// vectorises.
template <class Choice, class T, class Step>
T extreme(const char* in, ptrdiff_t n, Step step) {
  constexpr ptrdiff_t count = 512 / sizeof(T);
  T best = load<T>(in);
  ptrdiff_t i = 0;
  if (n >= 2 * count) {
    T lanes[count];
    for (int j = 0; j < count; j++) lanes[j] = load<T>(in + j * step);
    for (i = count; i + count <= n; i += count) {
      for (int j = 0; j < count; j++) {
        lanes[j] = Choice::call(lanes[j], load<T>(in + (i + j) * step));
      }
    }
    for (int j = 0; j < count; j++) best = Choice::call(best, lanes[j]);
  }
  for (; i < n; i++) best = Choice::call(best, load<T>(in + i * step));
  return best;
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
      for (ptrdiff_t i = start;; i++) {
        if (same(load<T>(in + i * step), best)) {
          index = i;
          break;
        }
      }
      if constexpr (std::is_floating_point_v<T>) {
        if (best != best) break;  // nothing goes before the first NaN
      }
    }
  });
  store<int64_t>(data[0], index);
}

template <class T>
void fill_extremes_of(Table& table) {
  set<T>(table, OP_max, extreme_loop<Maximum, T>);
  set<T>(table, OP_min, extreme_loop<Minimum, T>);
  set<T>(table, OP_argmax, index_loop<Maximum, T>);
  set<T>(table, OP_argmin, index_loop<Minimum, T>);
}

}  // namespace

void fill_extremes(Table& table) {
  fill_extremes_of<Bool>(table);
  for_each(Signed{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(table); });
  for_each(Unsigned{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(table); });
  for_each(Floats{}, [&](auto zero) { fill_extremes_of<decltype(zero)>(table); });
}

}  // namespace corepy
