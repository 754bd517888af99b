// The axes of a walk over several operands at once: tidied, so that a walk takes few and long
// steps. Internal to the drivers.
#pragma once

#include "iterate.hpp"

namespace corepy {

template <int operands>
struct Axis {
  ptrdiff_t size;
  ptrdiff_t strides[operands];

  // Whether this axis continues the next one (which is inner to it) in every operand, so that they
  // are one.
  bool continues(const Axis& inner, int count) const {
    for (int k = 0; k < count; k++) {
      if (strides[k] != inner.strides[k] * inner.size) return false;
    }
    return true;
  }
};

inline ptrdiff_t magnitude(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

// Axes from the outermost to the innermost.
template <int operands>
struct Axes {
  int ndim = 0;
  int count;  // operands in use
  Axis<operands> axes[MAX_NDIM];

  explicit Axes(int count) : count(count) {}

  // Adds an axis at the inner end; those of size 1 lead nowhere.
  void add(const Axis<operands>& axis) {
    if (axis.size != 1) axes[ndim++] = axis;
  }

  // Puts the axes in the order of operand k in memory. Equal ones stay in order (insertion sort,
  // for few and mostly sorted).
  void sort(int k) {
    for (int i = 1; i < ndim; i++) {
      const Axis<operands> axis = axes[i];
      int j = i;
      for (; j > 0 && magnitude(axes[j - 1].strides[k]) < magnitude(axis.strides[k]); j--) {
        axes[j] = axes[j - 1];
      }
      axes[j] = axis;
    }
  }

  // Makes one axis of neighbours that are one.
  void collapse() {
    int kept = 0;
    for (int i = 1; i < ndim; i++) {
      if (axes[kept].continues(axes[i], count)) {
        const ptrdiff_t size = axes[kept].size * axes[i].size;
        axes[kept] = axes[i];
        axes[kept].size = size;
      } else {
        axes[++kept] = axes[i];
      }
    }
    if (ndim > 0) ndim = kept + 1;
  }

  // Removes and returns the innermost axis, or one of size 1.
  Axis<operands> take_innermost() { return take(ndim - 1); }
  Axis<operands> take(int position) {
    if (position < 0 || position >= ndim) return Axis<operands>{1, {}};
    const Axis<operands> axis = axes[position];
    for (int i = position + 1; i < ndim; i++) axes[i - 1] = axes[i];
    ndim--;
    return axis;
  }

  // How many positions a walk visits.
  ptrdiff_t positions() const {
    ptrdiff_t product = 1;
    for (int i = 0; i < ndim; i++) product *= axes[i].size;
    return product;
  }

  // Calls body(data) for every position on the axes, data being the operands' addresses there.
  template <class Body>
  void walk(char* const* start, Body body) const {
    char* data[operands] = {};
    for (int k = 0; k < count; k++) data[k] = start[k];
    if (ndim == 0) return body(data);
    ptrdiff_t index[MAX_NDIM];
    for (int i = 0; i < ndim; i++) index[i] = 0;
    for (;;) {
      body(data);
      int i = ndim - 1;
      for (;; i--) {
        if (i < 0) return;
        for (int k = 0; k < count; k++) data[k] += axes[i].strides[k];
        if (++index[i] < axes[i].size) break;
        for (int k = 0; k < count; k++) data[k] -= axes[i].strides[k] * axes[i].size;
        index[i] = 0;
      }
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
