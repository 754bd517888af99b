// Counts of integers and of numbers in bins, indices of arrays of several axes as one number, and
// sums of the elements at one index.
//
// Indices are checked when they are used: other threads may write to memory between two reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "operations.hpp"

namespace corepy {

// Adds to counts[k], for k < size, the number of the n contiguous integers that are k, or with
// `weights` to sums[k] the weights of those. Other integers are ignored.
void count_integers(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t size, int64_t* counts);
void sum_weights(Dtype dtype, ptrdiff_t n, const char* x, const double* weights, ptrdiff_t size,
                 double* sums);

// Counts the n contiguous floating-point numbers of a dtype in each of some bins, whose edges are
// of that dtype and ascend; the last bin includes its upper edge. Bins of one width are found by
// arithmetic, others (not `uniform`) by search. With `weights` sums[k] are their sums.
void count_in_bins(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t bins, const char* edges,
                   bool uniform, int64_t* counts);
void sum_in_bins(Dtype dtype, ptrdiff_t n, const char* x, const double* weights, ptrdiff_t bins,
                 const char* edges, bool uniform, double* sums);

// Splits n indices into an index along each axis of a shape, in C order; false if one of them is
// outside of it.
bool unravel(ptrdiff_t n, const int64_t* indices, int ndim, const int64_t* shape,
             int64_t* const* out);
// The reverse, for contiguous indices along each axis.
bool ravel(ptrdiff_t n, int ndim, const int64_t* shape, const int64_t* const* indices,
           int64_t* out);

// x[indices[i]] += values[i * step] for contiguous x of one axis and `size` elements; negative
// indices count from the end. False, and nothing is written, if one is out of range.
bool add_at(Dtype dtype, char* x, ptrdiff_t size, ptrdiff_t n, const int64_t* indices,
            const char* values, ptrdiff_t step);

// Writes the sum of elements indices[i] to indices[i + 1] of n contiguous ones, the last to the
// end; only the first of them where the next index is not greater. Of float32, float64 and int64;
// false for an index outside of the elements.
bool sum_segments(Dtype dtype, ptrdiff_t n, const char* x, ptrdiff_t count, const int64_t* indices,
                  char* out);

}  // namespace corepy
