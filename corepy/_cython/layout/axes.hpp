// The axes that several operands have in common: sorted, reversed and collapsed, so that a loop
// over them takes few and long steps. For drivers of kernels on the CPU and launches on GPUs.
//
// Strides are in bytes, of any sign, 0 where an operand is broadcast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace corepy {

constexpr int MAX_NDIM = 64;     // as NumPy
constexpr int MAX_OPERANDS = 4;  // output + 3 inputs

inline ptrdiff_t magnitude(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

inline ptrdiff_t ceil_div(ptrdiff_t a, ptrdiff_t b) { return (a + b - 1) / b; }

// An axis and its stride in each of up to N operands.
template <int N>
struct Axis {
  ptrdiff_t size;
  ptrdiff_t strides[N];

  // The distance from the first to the last element in operand k.
  ptrdiff_t extent(int k) const { return (size - 1) * strides[k]; }

  // Negates the strides: the caller adds the extents to the operands' addresses first.
  void reverse() {
    for (ptrdiff_t& stride : strides) stride = -stride;
  }

  // Whether this axis and the next inner one are one axis in each of the first `operands`.
  bool continues(const Axis& inner, int operands) const {
    for (int k = 0; k < operands; k++) {
      if (strides[k] != inner.strides[k] * inner.size) return false;
    }
    return true;
  }
};

// Where `sort` puts axes of stride 0.
constexpr ptrdiff_t INNERMOST = 0, OUTERMOST = PTRDIFF_MAX;

// Axes from the outermost to the innermost.
template <int N>
struct Axes {
  int ndim = 0;
  int operands;  // in use
  Axis<N> axes[MAX_NDIM];

  explicit Axes(int operands = N) : operands(operands) {}

  Axis<N>& operator[](int i) { return axes[i]; }
  const Axis<N>& operator[](int i) const { return axes[i]; }
  Axis<N>& innermost() { return axes[ndim - 1]; }
  const Axis<N>& innermost() const { return axes[ndim - 1]; }

  // Adds an axis at the inner end, unless its size is 1.
  void add(const Axis<N>& axis) {
    if (axis.size != 1) axes[ndim++] = axis;
  }

  // Sorts by descending magnitude of the strides of operand k. Axes of equal strides stay in order
  // (insertion sort, for few and mostly sorted).
  void sort(int k, ptrdiff_t stride_0 = INNERMOST) {
    const auto key = [=](const Axis<N>& axis) {
      return axis.strides[k] == 0 ? stride_0 : magnitude(axis.strides[k]);
    };
    for (int i = 1; i < ndim; i++) {
      const Axis<N> axis = axes[i];
      int j = i;
      for (; j > 0 && key(axes[j - 1]) < key(axis); j--) axes[j] = axes[j - 1];
      axes[j] = axis;
    }
  }

  // Makes one axis of neighbours that are one in all operands.
  void collapse() {
    int last = 0;
    for (int i = 1; i < ndim; i++) {
      if (axes[last].continues(axes[i], operands)) {
        const ptrdiff_t size = axes[last].size * axes[i].size;
        axes[last] = axes[i];
        axes[last].size = size;
      } else {
        axes[++last] = axes[i];
      }
    }
    if (ndim > 0) ndim = last + 1;
  }

  // Moves an axis inwards; those between move outwards by one.
  void move_inwards(int from, int to) { std::rotate(axes + from, axes + from + 1, axes + to + 1); }

  // Removes and returns an axis; one of size 1 if there is none at i.
  Axis<N> take(int i) {
    if (i < 0 || i >= ndim) return Axis<N>{1, {}};
    const Axis<N> axis = axes[i];
    move_inwards(i, --ndim);
    return axis;
  }
  Axis<N> take_innermost() { return take(ndim - 1); }

  // The number of elements.
  ptrdiff_t size() const {
    ptrdiff_t product = 1;
    for (int i = 0; i < ndim; i++) product *= axes[i].size;
    return product;
  }

  // Whether the strides of operand k along the outermost `count` axes are multiples of `bytes`.
  bool are_multiples(int k, ptrdiff_t bytes, int count) const {
    for (int i = 0; i < count; i++) {
      if (axes[i].strides[k] % bytes != 0) return false;
    }
    return true;
  }
};

// An element by its number in C order: its offset in each operand.
template <int N>
class Position {
 public:
  explicit Position(const Axes<N>& axes, ptrdiff_t number = 0) : axes(axes) {
    for (int i = axes.ndim - 1; i >= 0; i--) {
      index[i] = number % axes[i].size;
      number /= axes[i].size;
      for (int k = 0; k < N; k++) offsets[k] += index[i] * axes[i].strides[k];
    }
  }

  // To the next one; from the last to the first.
  void advance() {
    for (int i = axes.ndim - 1; i >= 0; i--) {
      const Axis<N>& axis = axes[i];
      for (int k = 0; k < N; k++) offsets[k] += axis.strides[k];
      if (++index[i] < axis.size) return;
      for (int k = 0; k < N; k++) offsets[k] -= axis.strides[k] * axis.size;
      index[i] = 0;
    }
  }

  ptrdiff_t operator[](int k) const { return offsets[k]; }

 private:
  const Axes<N>& axes;
  ptrdiff_t offsets[N] = {};
  ptrdiff_t index[MAX_NDIM];
};

// The size of the parts, up to the limit, that an axis is split into: about equal, and of whole
// cache lines of any dtype if they are long enough.
inline ptrdiff_t part_size(ptrdiff_t size, ptrdiff_t limit) {
  constexpr ptrdiff_t LINE = 64;
  if (size <= limit) return size;
  if (limit <= 1) return 1;
  const ptrdiff_t equal = ceil_div(size, ceil_div(size, limit));
  const ptrdiff_t rounded = ceil_div(equal, LINE) * LINE;
  return rounded <= limit ? rounded : equal;
}

// The strides of contiguous elements of `itemsize` bytes.
inline void dense_strides(ptrdiff_t itemsize, int ndim, const ptrdiff_t* sizes,
                          ptrdiff_t* strides) {
  for (int i = ndim - 1; i >= 0; i--) {
    strides[i] = itemsize;
    itemsize *= sizes[i];
  }
}

// Boxes of up to `extents` elements along each axis that a space of `sizes` is divided into, in C
// order.
template <int most>
struct Boxes {
  int ndim;
  const ptrdiff_t *sizes, *extents;
  ptrdiff_t index[most];  // of the first element of the current box

  Boxes(int ndim, const ptrdiff_t* sizes, const ptrdiff_t* extents, ptrdiff_t number)
      : ndim(ndim), sizes(sizes), extents(extents) {
    for (int i = ndim - 1; i >= 0; i--) {
      const ptrdiff_t along = ceil_div(sizes[i], extents[i]);
      index[i] = number % along * extents[i];
      number /= along;
    }
  }
  static ptrdiff_t count(int ndim, const ptrdiff_t* sizes, const ptrdiff_t* extents) {
    ptrdiff_t boxes = 1;
    for (int i = 0; i < ndim; i++) boxes *= ceil_div(sizes[i], extents[i]);
    return boxes;
  }
  ptrdiff_t size(int i) const { return std::min(extents[i], sizes[i] - index[i]); }
  void advance() {
    for (int i = ndim - 1; i >= 0; i--) {
      index[i] += extents[i];
      if (index[i] < sizes[i]) return;
      index[i] = 0;
    }
  }
};

inline bool is_empty(int ndim, const ptrdiff_t* shape) {
  for (int i = 0; i < ndim; i++) {
    if (shape[i] == 0) return true;
  }
  return false;
}

}  // namespace corepy
