// Discrete Fourier transforms: plans, and the driver that runs them. Nothing here throws or uses
// Python.
#pragma once

#include <cstddef>

namespace corepy {

// ---- arguments of the loops of an instruction set (simd/transforms.cpp)

// One pass of Stockham's algorithm. `done` is the product of the radices of earlier passes, `rest`
// of those of later passes. With s = done, m = rest, r = radix, and w a root of unity:
//
//     out[q + s (r p + j)] = w(r m)^(j p) * sum over k of w(r)^(j k) in[q + s (p + m k)]
//
// for q < s, p < m, j < r. Every pass reads in the order of q + s p.
struct TransformPass {
  int radix;
  ptrdiff_t done, rest;
  const void* twiddles;  // w(r m)^(j p): for j = 1 ... r - 1 a row of real parts, one of imaginary
  const void* roots;     // odd radices: cos(2 pi k / r) for k < r, then sin
};

// Rows of twiddles are this much longer than `rest`, so that whole vectors of them can be loaded.
constexpr ptrdiff_t TWIDDLE_PAD = 16;
constexpr int MAX_PASSES = 64;
constexpr int MAX_RADIX = 61;  // larger prime factors use Bluestein's algorithm

struct TransformPasses {
  ptrdiff_t n;  // the product of all radices
  int count;
  TransformPass pass[MAX_PASSES];

  // Numbers in a plane of the scratch memory of one row: vectors may run over the end.
  ptrdiff_t row_plane() const { return (n + (count ? pass[0].radix : 0) * 16 + 31) & ~15; }
};

// Rows of `width` numbers in memory, one of each of `width` transforms: number k of row i is at
// data + offsets[k] + i * step (bytes).
struct TransformRows {
  bool single;  // float32; else float64
  ptrdiff_t rows, width;
  char* data;
  const ptrdiff_t* offsets;
  ptrdiff_t step;
};

// The loops. They compute in float64, for float32 too: its transforms are correctly rounded but for
// few elements (NumPy does the same). "Planes" are rows of float64 of `lanes` numbers each, a
// multiple of the vector's; complex numbers have a plane for the real and one for the imaginary
// parts. Exchanging the two gives the inverse transform. `single` says that the memory on that side
// holds float32 or complex64.
struct TransformLoops {
  ptrdiff_t vector;  // lanes of a vector

  // One transform of contiguous complex numbers, in two passes or more. Scratch: four planes of
  // row_plane(). `out` may be `in`.
  void (*row)(const TransformPasses&, const void* in, bool in_single, void* out, bool out_single,
              void* scratch, double scale, bool inverse);
  // Transforms in planes: from a to b to a and so on. Planes have 16 more numbers than their rows.
  void (*planes)(const TransformPasses&, ptrdiff_t lanes, void* const* a, void* const* b);

  void (*load_complex)(const TransformRows&, ptrdiff_t lanes, void* real, void* imag);
  void (*store_complex)(const TransformRows&, ptrdiff_t lanes, const void* real, const void* imag,
                        double scale);
  void (*load_real)(const TransformRows&, ptrdiff_t lanes, void* plane);
  void (*store_real)(const TransformRows&, ptrdiff_t lanes, const void* plane, double scale);

  // Multiplies row i by coarse[i] (complex) and, lane by lane, by row i of two planes in `fine`.
  void (*twiddle)(ptrdiff_t rows, ptrdiff_t lanes, void* real, void* imag, const void* coarse,
                  const void* fine);

  // Conversions between the transform of `half` complex numbers z[i] = (x[2 i], x[2 i + 1]) and the
  // transform of the 2 * half real numbers x, of which half + 1 are stored. `roots`: w(2 half)^k
  // for k < half, a row of real parts and one of imaginary (each with the pad). z is complex128;
  // the two do not overlap.
  void (*join_planes)(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                      const void* roots);
  void (*split_planes)(ptrdiff_t half, ptrdiff_t lanes, void* const* from, void* const* to,
                       const void* roots);
  void (*join_row)(ptrdiff_t half, const void* from, void* to, bool single, const void* roots);
  void (*split_row)(ptrdiff_t half, const void* from, bool single, void* to, const void* roots);

  // out[i] = scale * a[i] * b[i], of complex numbers; b, of complex128, conjugated if `conjugate`.
  void (*multiply)(ptrdiff_t n, const void* a, bool a_single, const void* b, void* out,
                   bool out_single, double scale, bool conjugate);
};

// ---- the driver

enum TransformKind : int {
  TRANSFORM_FORWARD,
  TRANSFORM_INVERSE,
  TRANSFORM_REAL_FORWARD,
  TRANSFORM_REAL_INVERSE,
};

struct Transform;

// The plan for n >= 1 elements, from a bounded cache or new; nullptr if there is no memory. Callers
// of this and of release_transform hold the GIL, which is the cache's lock.
const Transform* acquire_transform(ptrdiff_t n, bool real);
void release_transform(const Transform* plan);

// Transforms along the middle axis of [outer][size][inner] in C order. Its size is n, and n / 2 + 1
// for the transform of real numbers. `out` may be `in`, except for real transforms; otherwise they
// do not overlap.
struct TransformWork {
  TransformKind kind;
  bool single;  // float32 and complex64; else float64 and complex128
  ptrdiff_t outer, inner;
  const char* in;
  ptrdiff_t in_outer;  // bytes from one [size][inner] to the next
  char* out;
  ptrdiff_t out_outer;
  double scale;
  int slots;  // the threads that compute at once, at most
};

// Bytes of scratch memory (aligned to 64) for the work.
ptrdiff_t transform_memory(const Transform* plan, const TransformWork& work);
void transform(const Transform* plan, const TransformWork& work, char* scratch);

// out[n - k] = conj(out[k]) for the second half of [outer][n][inner] complex numbers in C order.
void mirror_transform(bool single, ptrdiff_t outer, ptrdiff_t n, ptrdiff_t inner, char* out);

}  // namespace corepy
