// Fuzz test of iterate.cpp without Python, to be run under the sanitizers: elementwise operations
// and copies over random layouts, for several numbers of threads, against a plain walk. Exits with
// 0 if every element is right.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "iterate.hpp"
#include "kernels.hpp"
#include "threads.hpp"

namespace corepy {
inline namespace COREPY_TARGET {
void fill_moves(Kernels& kernels);
}

// The moves alone: the loops are the test's own.
const Kernels& kernels() {
  static Kernels* const moves = [] {
    Kernels* const kernels = new Kernels();
    fill_moves(*kernels);
    return kernels;
  }();
  return *moves;
}
}  // namespace corepy

namespace {

using corepy::Argument;

std::mt19937_64 random_numbers(7);

ptrdiff_t below(ptrdiff_t n) { return ptrdiff_t(random_numbers() % uint64_t(n)); }

// out = 3 * x1 + x2, in wrapping integers of 4 bytes.
void add(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  for (ptrdiff_t i = 0; i < n; i++) {
    uint32_t x1, x2;
    std::memcpy(&x1, data[1] + i * steps[1], 4);
    std::memcpy(&x2, data[2] + i * steps[2], 4);
    x1 = 3 * x1 + x2;
    std::memcpy(data[0] + i * steps[0], &x1, 4);
  }
}

template <class From, class To>
void cast(ptrdiff_t n, char* const* data, const ptrdiff_t* steps) {
  for (ptrdiff_t i = 0; i < n; i++) {
    From value;
    std::memcpy(&value, data[1] + i * steps[1], sizeof(From));
    const To cast = To(value);
    std::memcpy(data[0] + i * steps[0], &cast, sizeof(To));
  }
}

// An array of a random layout with the shape, in memory of exactly the size that it spans.
struct Array {
  std::vector<char> memory;
  std::vector<ptrdiff_t> strides;
  char* data;

  Array(const std::vector<ptrdiff_t>& shape, ptrdiff_t itemsize, bool broadcast)
      : strides(shape.size()) {
    std::vector<size_t> order(shape.size());
    for (size_t i = 0; i < order.size(); i++) order[i] = i;
    if (below(2)) std::shuffle(order.begin(), order.end(), random_numbers);
    ptrdiff_t stride = itemsize, first = 0, last = 0;
    for (size_t i = order.size(); i-- > 0;) {
      const size_t axis = order[i];
      if (broadcast && below(8) == 0) continue;
      stride *= below(6) == 0 ? 2 : 1;
      strides[axis] = below(8) == 0 ? -stride : stride;
      (strides[axis] < 0 ? first : last) += strides[axis] * (shape[axis] - 1);
      stride *= shape[axis] + (below(6) == 0);
    }
    memory.resize(size_t(last - first + itemsize));
    data = memory.data() - first;
    for (size_t i = 0; i < memory.size(); i += 8) {
      const uint64_t bytes = random_numbers();
      std::memcpy(memory.data() + i, &bytes, std::min<size_t>(8, memory.size() - i));
    }
  }
};

std::vector<ptrdiff_t> random_shape(ptrdiff_t most) {
  std::vector<ptrdiff_t> shape;
  for (ptrdiff_t ndim = below(5); ndim > 0; ndim--) {
    const ptrdiff_t sizes[] = {1, 2, 3, 7, 16, 33, 100, 1000, most};
    const ptrdiff_t size = std::max<ptrdiff_t>(1, std::min(sizes[below(9)], most));
    shape.push_back(size);
    most /= size;
  }
  std::shuffle(shape.begin(), shape.end(), random_numbers);
  return shape;
}

template <class Visit>
void visit(const std::vector<ptrdiff_t>& shape, const std::vector<const Array*>& arrays,
           Visit body) {
  std::vector<ptrdiff_t> index(shape.size(), 0);
  for (;;) {
    const char* at[4];
    for (size_t k = 0; k < arrays.size(); k++) {
      at[k] = arrays[k]->data;
      for (size_t i = 0; i < shape.size(); i++) at[k] += index[i] * arrays[k]->strides[i];
    }
    body(at);
    size_t i = shape.size();
    for (;; i--) {
      if (i == 0) return;
      if (++index[i - 1] < shape[i - 1]) break;
      index[i - 1] = 0;
    }
  }
}

void check(bool right, const char* what, int round) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s, round %d\n", what, round);
  std::_Exit(1);
}

void elementwise(int round, const std::vector<ptrdiff_t>& shape) {
  const bool casts[] = {below(3) == 0, below(3) == 0, below(3) == 0};
  const ptrdiff_t itemsizes[] = {casts[0] ? 8 : 4, casts[1] ? 2 : 4, casts[2] ? 1 : 4};
  Array out(shape, itemsizes[0], false), x1(shape, itemsizes[1], true),
      x2(shape, itemsizes[2], true);
  const corepy::kernel loops[] = {cast<uint32_t, uint64_t>, cast<uint16_t, uint32_t>,
                                  cast<uint8_t, uint32_t>};
  const Array* const arrays[] = {&out, &x1, &x2};
  Argument arguments[3];
  for (int k = 0; k < 3; k++) {
    arguments[k] = {arrays[k]->data, arrays[k]->strides.data(), itemsizes[k],
                    casts[k] ? loops[k] : nullptr, 4};
  }
  corepy::apply(add, 3, int(shape.size()), shape.data(), arguments);
  visit(shape, {&out, &x1, &x2}, [&](const char* const* at) {
    uint32_t a = 0, b = 0;
    uint64_t found = 0;
    std::memcpy(&found, at[0], size_t(itemsizes[0]));
    std::memcpy(&a, at[1], size_t(itemsizes[1]));
    std::memcpy(&b, at[2], size_t(itemsizes[2]));
    check(found == uint32_t(3 * a + b), "elementwise", round);
  });
}

void in_place(int round, const std::vector<ptrdiff_t>& shape) {
  Array x1(shape, 4, false), x2(shape, 4, true);
  Array before = x1;
  before.data = before.memory.data() + (x1.data - x1.memory.data());
  const Argument out = {x1.data, x1.strides.data(), 4, nullptr, 4};
  const Argument arguments[] = {out, out, {x2.data, x2.strides.data(), 4, nullptr, 4}};
  corepy::apply(add, 3, int(shape.size()), shape.data(), arguments);
  visit(shape, {&x1, &before, &x2}, [&](const char* const* at) {
    uint32_t found, a, b;
    std::memcpy(&found, at[0], 4);
    std::memcpy(&a, at[1], 4);
    std::memcpy(&b, at[2], 4);
    check(found == 3 * a + b, "in place", round);
  });
}

void copies(int round, const std::vector<ptrdiff_t>& shape) {
  const ptrdiff_t itemsize = ptrdiff_t(1) << below(5);
  Array out(shape, itemsize, false), in(shape, itemsize, true);
  corepy::copy(itemsize, int(shape.size()), shape.data(), out.data, out.strides.data(), in.data,
               in.strides.data());
  visit(shape, {&out, &in}, [&](const char* const* at) {
    check(std::memcmp(at[0], at[1], size_t(itemsize)) == 0, "copy", round);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  for (int threads : {1, 2, 7}) {
    corepy::set_num_threads(threads);
    for (int round = 0; round < rounds; round++) {
      const ptrdiff_t sizes[] = {10, 1000, 30000, 300000};
      const ptrdiff_t most = sizes[below(4)];
      elementwise(round, random_shape(most));
      in_place(round, random_shape(most));
      copies(round, random_shape(most));
    }
  }
  // Streamed past the caches.
  corepy::set_num_threads(2);
  for (const std::vector<ptrdiff_t>& shape :
       {std::vector<ptrdiff_t>{6'400'000}, {2'530, 2'531}, {2'140'000, 3}}) {
    elementwise(-1, shape);
    copies(-1, shape);
  }
  std::puts("right");
  return 0;
}
