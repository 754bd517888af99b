// Reading and writing at integer indices. Negative indices count from the end; all are checked
// where they are used, so that indices that another thread changes meanwhile do no harm.
#pragma once

#include <cstddef>
#include <cstdint>

namespace corepy {

// The loops of one instruction set; `simd/gather.cpp`.
struct GatherLoops {
  static constexpr ptrdiff_t MOST_BYTES = 64;

  // offsets[i] = (or, if `add`, +=) the byte offset of an index among `size`, each `stride` bytes
  // from the next. False when one is out of range.
  bool (*offsets)(ptrdiff_t n, const int64_t* index, ptrdiff_t size, ptrdiff_t stride, bool add,
                  ptrdiff_t* offsets);
  // Rows of nbytes <= MOST_BYTES contiguous bytes, by nbytes; larger ones as [0].
  void (*gather[MOST_BYTES + 1])(ptrdiff_t n, const ptrdiff_t* offsets, const char* x,
                                 ptrdiff_t nbytes, char* out);
  void (*scatter[MOST_BYTES + 1])(ptrdiff_t n, const ptrdiff_t* offsets, char* x, ptrdiff_t nbytes,
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

// The first index that is out of range: in which of the arrays, and where; false when there is
// none.
bool find_bad_index(const Indices& indices, int* which, ptrdiff_t* where);

// out[..., k] = x[..., indices k], rows of `nbytes` contiguous bytes; `ndim`, `shape` and `strides`
// are those of the axes of x before the indexed ones. `out` is in C order. False when an index is
// out of range: `out` is then not complete.
bool take_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
               const char* x, ptrdiff_t nbytes, char* out);

// x[..., indices k] = in[..., k], in order, so that the last of equal indices wins. `in` is in C
// order, or, if `repeat`, one row for all. False when an index is out of range: nothing is written
// then.
bool put_rows(const Indices& indices, int ndim, const ptrdiff_t* shape, const ptrdiff_t* strides,
              char* x, ptrdiff_t nbytes, const char* in, bool repeat);

// The axes behind the indexed ones, where they are not one run of bytes: their layout in x and in
// an array of the result's shape, of which each row has `count` elements in C order.
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

// For elements of `itemsize` bytes and arrays of one shape: each element of `out` is that of `x`
// which is `index` steps of `axis_stride` further, among `size`. `strides` are those of out, x and
// index (int64). False when an index is out of range: `out` is then not complete.
bool take_along(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
                const ptrdiff_t* out_strides, const char* x, const ptrdiff_t* x_strides,
                const int64_t* index, const ptrdiff_t* index_strides, ptrdiff_t size,
                ptrdiff_t axis_stride);

}  // namespace corepy
