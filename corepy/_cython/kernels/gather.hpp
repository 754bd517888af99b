// Reading and writing at integer indices. Negative indices count from the end. Each is checked
// where it is used, so indices changed by another thread cannot cause an access out of bounds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// The loops of one instruction set; `simd/gather.cpp`.
struct GatherLoops {
  static constexpr ptrdiff_t MAX_BYTES = 64;

  // offsets[i] = (or, if `add`, +=) the byte offset of an index into an axis of `size` elements,
  // `stride` bytes apart. False if one is out of range.
  bool (*offsets)(ptrdiff_t n, const int64_t* index, ptrdiff_t size, ptrdiff_t stride, bool add,
                  ptrdiff_t* offsets);
  // Rows of nbytes <= MAX_BYTES contiguous bytes, by nbytes; larger ones as [0].
  void (*gather[MAX_BYTES + 1])(ptrdiff_t n, const ptrdiff_t* offsets, const char* x,
                                ptrdiff_t nbytes, char* out);
  void (*scatter[MAX_BYTES + 1])(ptrdiff_t n, const ptrdiff_t* offsets, char* x, ptrdiff_t nbytes,
                                 const char* in, ptrdiff_t in_step);
};

// Integer arrays that index one axis of `x` each, element by element: x[i] or x[i, j].
struct Indices {
  static constexpr int MOST = 64;  // axes of a tensor
  int count = 0;                   // of arrays
  ptrdiff_t n = 0;                 // of elements in each
  const int64_t* index[MOST];      // contiguous
  ptrdiff_t size[MOST];            // of the axis that the array indexes
  ptrdiff_t stride[MOST];          // of that axis, in bytes
};

// The first index that is out of range: the number of its array, and its position; false if there
// is none.
bool find_bad_index(const Indices& indices, int* which, ptrdiff_t* where);

// out[..., k] = x[..., indices k], rows of `nbytes` contiguous bytes. `ndim`, `shape` and `strides`
// describe the axes of x before the indexed ones. `out` is in C order. False if an index is out of
// range: `out` is then incomplete.
bool take_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
               const char* x, ptrdiff_t nbytes, char* out);

// x[..., indices k] = in[..., k], in order, so the last of equal indices decides. `in` is in C
// order, or, if `repeat`, one row for all. False if an index is out of range: nothing is written.
bool put_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
              char* x, ptrdiff_t nbytes, const char* in, bool repeat);

// The axes after the indexed ones if they are not one run of bytes: their layout in x and in an
// array of the result's shape. Each row of it has `count` elements in C order.
struct RowLayout {
  ptrdiff_t itemsize, count;
  int ndim;
  const ptrdiff_t* shape;
  const ptrdiff_t* strides;        // in x
  const ptrdiff_t* other_strides;  // in the array of rows
};

// take_rows and put_rows for rows of such a layout.
bool take_boxes(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
                const char* x, const RowLayout& row, char* out);
bool put_boxes(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
               char* x, const RowLayout& row, const char* in, bool repeat);

// For elements of `itemsize` bytes and arrays of one shape: each element of `out` is the element of
// x at the same position plus index * axis_stride, with index below `size`. The strides are those
// of out, x and index (int64). False if an index is out of range: `out` is then incomplete.
bool take_along(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
                const ptrdiff_t* out_strides, const char* x, const ptrdiff_t* x_strides,
                const int64_t* index, const ptrdiff_t* index_strides, ptrdiff_t size,
                ptrdiff_t axis_stride);

}  // namespace corepy
