// The kernels, compiled once per instruction set, and the choice of one set at run time.
#pragma once

#include "convolution.hpp"
#include "gather.hpp"
#include "masks.hpp"
#include "quantized.hpp"
#include "search.hpp"
#include "sequences.hpp"
#include "sort.hpp"
#include "table.hpp"
#include "transforms.hpp"

// The instruction set for which a source is compiled. Drivers are compiled once, for the lowest.
#ifndef COREPY_TARGET
#if defined(__aarch64__)
#define COREPY_TARGET neon
#else
#define COREPY_TARGET baseline
#endif
#endif

namespace corepy {

// The product of matrices a (rows x terms) and b (terms x columns). `out` has contiguous rows and
// overlaps neither. Strides are in bytes: from row to row, and within a row (a_step, b_column).
struct MatrixProduct {
  ptrdiff_t rows, terms, columns;
  const char* a;
  ptrdiff_t a_row, a_step;
  const char* b;
  ptrdiff_t b_row, b_column;
  char* out;
  ptrdiff_t out_row;
};

typedef void (*matmul_kernel)(const MatrixProduct&);

// Rows of a product of large matrices, and a panel of its columns: the sum of some terms. `a` is in
// words of one or two terms, and `panel` has the words of its columns, term by term.
struct ProductTile {
  ptrdiff_t terms, rows, columns;
  const char* a;
  ptrdiff_t a_row, a_step;  // from word to word
  const char* panel;
  ptrdiff_t line;   // from the words of a term to the next ones
  ptrdiff_t ahead;  // to the next panel, which follows; 0: there is none
  char* out;
  ptrdiff_t out_row;
  bool add;  // to `out`, instead of writing
};

// Loops for such tiles; multiply == nullptr: there are none. Results of bfloat16 are float32.
struct TileLoops {
  ptrdiff_t word, word_terms;      // bytes of a word, and its terms
  ptrdiff_t rows, columns, terms;  // that are copied together
  // Copy columns of b, or rows of a, together: terms [first, first + terms).
  void (*pack_panel)(const MatrixProduct&, ptrdiff_t first, ptrdiff_t terms, ptrdiff_t column,
                     char* to);
  void (*pack_rows)(const MatrixProduct&, ptrdiff_t first, ptrdiff_t terms, ptrdiff_t row,
                    char* to);
  void (*multiply)(const ProductTile&);
};

// The same for at most THIN rows and a large b, which is read from memory once. Columns of `out`
// are `out_column` bytes apart. b has contiguous rows, or a has contiguous rows and b contiguous
// columns.
constexpr ptrdiff_t THIN = 8;
typedef void (*thin_matmul_kernel)(const MatrixProduct&, ptrdiff_t out_column);

// The correlation of an image with kernels: the product of a matrix of kernels, which are rows,
// with one of windows. `product.b` is the image in C order, (channels, height, width); a term is an
// element of a window, a column a pixel of the result, which is contiguous for each kernel.
struct Correlation {
  MatrixProduct product;
  ptrdiff_t height, width, out_width;
  ptrdiff_t size[2], stride[2], padding[2], dilation[2];
};

// Computes columns [begin, end).
typedef void (*correlation_kernel)(const Correlation&, ptrdiff_t begin, ptrdiff_t end);

// A square matrix `a` of at most SMALL_MATRIX rows, right-hand sides `b` (nullptr: the identity),
// and the result, in C order. Strides are in bytes.
constexpr ptrdiff_t SMALL_MATRIX = 16;
struct SmallMatrix {
  ptrdiff_t rows, columns;  // columns of b
  const char* a;
  ptrdiff_t a_row, a_column;
  const char* b;
  ptrdiff_t b_row, b_column;
  char* out;
};

// Returns false if there is no result: the matrix is singular or not positive definite, or the
// logarithm of its determinant is not finite.
typedef bool (*small_matrix_kernel)(const SmallMatrix&);

// Bytes per block of streamed output: the size of a processor's store buffer. Measured with
// an addition of 10^7 doubles, one thread, 64-byte streams: blocks of 2 KiB 10.2 ms, 8 KiB 12.0 ms,
// ordinary stores 14.6 ms, streaming from the loop itself 9.8 ms.
constexpr ptrdiff_t STREAM_BLOCK = 2048;

// Output of at least so many bytes is streamed. Smaller output may still be cached when it is read;
// at 16 MiB both take the same time, at 32 MiB streaming saves a third. The reported size of the
// last-level cache cannot decide: virtual machines report the whole host's.
constexpr ptrdiff_t STREAM_FROM = ptrdiff_t(24) << 20;
// A box of elements that a reduction reduces to `kept` results, each of `n` elements.
struct Tile {
  ptrdiff_t kept, n;     // 1 or more
  const char* in;        // the first element of the first result
  ptrdiff_t kept_step;   // bytes from the elements of one result to those of the next
  ptrdiff_t step;        // bytes from one element to the next
  const char* centers;   // var, std: the mean (double or two of them) of each result's elements
  int64_t index;         // argmax, argmin: the index of the first element
  ptrdiff_t index_step;  // and how far it is from one element to the next
};

// A reduction of elements of one dtype by accumulators, each of some elements of a result. The
// order of elements depends on the layout alone, so results are the same on every instruction set.
struct Reduction {
  ptrdiff_t accumulator;  // bytes of one; 0: there is no such reduction
  // Writes tile.kept accumulators.
  void (*accumulate)(const Tile& tile, char* accumulators);
  // Merges n accumulators of other elements of the same results.
  void (*merge)(ptrdiff_t n, char* accumulators, const char* others);
  // Writes n results; `divisor` is the divisor of mean, var and std.
  void (*finish)(ptrdiff_t n, char* out, ptrdiff_t out_step, const char* accumulators,
                 double divisor);
  // Whether no further elements can change the result; nullptr: they always can.
  bool (*settled)(const char* accumulator);
};

// A box of `kept` runs of n elements each, to be scanned.
struct ScanTile {
  ptrdiff_t kept, n;
  const char* in;
  ptrdiff_t in_kept_step, in_step;
  char* out;
  ptrdiff_t out_kept_step, out_step;
  char* carries;  // one for each run: accumulated before this tile, and on return including it
  bool begin;     // whether this is the first tile
};

// A cumulative operation on elements of one dtype. The results do not depend on the division of a
// run into tiles of whole blocks (but for its end).
struct Scan {
  ptrdiff_t carry;  // bytes of one; 0: there is no such scan
  ptrdiff_t block;  // elements; the first tile of a run has one more
  ptrdiff_t parts;  // of a block
  void (*scan)(const ScanTile& tile);
  // The totals of the parts of contiguous blocks; nullptr: they depend on the carry.
  void (*total)(ptrdiff_t blocks, const char* in, char* totals);
  void (*merge)(char* carry, const char* total);
};

// Unary loops for x^(1/2), x^3 and x^4 of real floating-point numbers, with pow's special cases and
// at most its error; nullptr for other dtypes.
struct Powers {
  kernel half[DTYPE_COUNT], third[DTYPE_COUNT], fourth[DTYPE_COUNT];
};

// How code that is made at run time (chains.hpp) encodes vector instructions; none: there is no
// such code for the instruction set.
enum Encoding : uint8_t { ENCODING_none, ENCODING_vex, ENCODING_evex };

// What one instruction set offers.
struct Kernels {
  Encoding encoding;
  Entry table[OP_COUNT][DTYPE_COUNT];
  kernel casts[DTYPE_COUNT][DTYPE_COUNT];
  Powers powers;
  // Exact comparisons of int64 with uint64 ([0]), and of uint64 with int64 ([1]).
  kernel mixed_comparisons[2][OP_COUNT];

  // nullptr for bool and halves. `dot` writes the sum of conj(data[1][i]) * data[2][i] to data[0];
  // terms >= 1 in `matmul`. Sums of integers wrap.
  kernel dot[DTYPE_COUNT];
  matmul_kernel matmul[DTYPE_COUNT];
  TileLoops tiles[DTYPE_COUNT];                 // of real floating-point numbers, or none
  thin_matmul_kernel thin_matmul[DTYPE_COUNT];  // of float32 and float64
  correlation_kernel correlate[DTYPE_COUNT];    // likewise

  // Replaces n numbers x by exp(x - max(x)), and returns their sum; nullptr unless they are float32
  // or float64. Where all are -inf, the powers are 0.
  double (*exponentiate[DTYPE_COUNT])(ptrdiff_t n, char* row);

  // Of floating-point numbers; nullptr otherwise.
  small_matrix_kernel determinant[DTYPE_COUNT], solution[DTYPE_COUNT], cholesky[DTYPE_COUNT];
  small_matrix_kernel log_determinant[DTYPE_COUNT];  // of real dtypes: the sign, then the logarithm
  // Copies a box of elements of 1, 2, 4, 8 or 16 bytes, of any alignment, from one layout to
  // another. It should fit the first-level cache; where input and output run along different axes
  // it is transposed in registers.
  void (*copy_box)(ptrdiff_t itemsize, int ndim, const ptrdiff_t* sizes, char* out,
                   const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides);

  // Copies bytes past the caches, for output too large for them: an ordinary store first reads the
  // line that it writes to. nullptr where the hardware does so. finish_streams() must be called
  // after it, before other threads may read the output.
  void (*stream)(char* out, const char* in, size_t nbytes);
  void (*finish_streams)();

  progression progressions[2][DTYPE_COUNT];  // in the precision of the dtype, and of float64
  MaskLoops masks;
  GatherLoops gathers;
  KeyLoops keys;
  SearchLoops searches;
  TransformLoops transforms;
  Reduction reductions[OP_COUNT][DTYPE_COUNT];
  Reduction centers[DTYPE_COUNT];  // means in float64, for var and std
  Scan scans[OP_COUNT][DTYPE_COUNT];
  ConvolutionLoops convolutions;
  QuantizedLoops quantized;
};

// The kernels of the instruction set in use.
const Kernels& kernels();

// The instruction sets of both this processor and this build, from the lowest; nullptr beyond the
// last.
const char* simd_level(int index);

// The instruction sets of this architecture, from the lowest; nullptr beyond the last.
const char* simd_known(int index);

// Whether this processor has the instruction set of that name.
bool simd_supported(const char* name);

// Whether this build has kernels for the instruction set of that name.
bool simd_compiled(const char* name);

// The instruction set in use: the highest, unless another was chosen.
const char* simd_in_use();

// Uses the instruction set of that name; false when it is not one of simd_level(). Not while
// kernels run.
bool use_simd(const char* name);

}  // namespace corepy
