// Sums of products of integers, which wrap around: matrices, and vectors along an axis.
#pragma once

#include "iteration.cuh"

namespace corepy {

// The type of sums of products of T: low bits are exact in any order of summation.
template <class T>
using sum_bits = typename UnsignedOf<(sizeof(T) < 4 ? 4 : sizeof(T))>::type;

template <class T>
COREPY_DEVICE sum_bits<T> load_bits(const char* at) {
  return sum_bits<T>(load<T>(at));
}

// Products of matrices. A block computes TILE x TILE elements, with the factors of DEPTH terms in
// shared memory; a thread computes EACH x EACH elements, and loads the next factors while it
// multiplies.
template <class T, int TILE, int NDIM>
struct Multiply : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  static constexpr int DEPTH = 16;
  static constexpr int EACH = TILE / 16;
  static constexpr int PITCH = TILE / 4 + 1;  // in groups of four factors
  static_assert(EACH % 4 == 0, "threads read four factors at a time");
  using Arguments = WithSpace<ProductShape, NDIM>;
  using Sum = sum_bits<T>;
  using Four = Pack<Sum, 4>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ Four a[DEPTH][PITCH];
    __shared__ Four b[DEPTH][PITCH];
    const int y_of_thread = int(threadIdx.x) / 16, x_of_thread = int(threadIdx.x) % 16;
    // Neighbouring threads load neighbouring addresses.
    const bool a_by_term = distance(arguments.a_term) <= distance(arguments.a_row);
    const bool b_by_term = distance(arguments.b_term) < distance(arguments.b_column);
    const int64 tiles = arguments.row_tiles * arguments.column_tiles;
    const int64 products = arguments.space.n * arguments.splits;
    for (int64 number = blockIdx.x; number < tiles * products; number += gridDim.x) {
      const int64 product = number / tiles, tile = number - product * tiles;
      const int64 split = product / arguments.space.n, stack = product - split * arguments.space.n;
      const int64 row = tile / arguments.column_tiles * TILE;
      const int64 column = tile % arguments.column_tiles * TILE;
      const int64 end = (split + 1) * arguments.split < arguments.terms
                            ? (split + 1) * arguments.split
                            : arguments.terms;
      int64 offsets[2];
      find_offsets<true>(arguments.space, stack, offsets);
      Sum sums[EACH][EACH] = {}, next_a[EACH], next_b[EACH];
      Factors left(arguments.a + offsets[0], arguments.a_row, arguments.a_term, row, arguments.rows,
                   split * arguments.split, a_by_term);
      Factors right(arguments.b + offsets[1], arguments.b_column, arguments.b_term, column,
                    arguments.columns, split * arguments.split, b_by_term);
      int64 term = split * arguments.split;
      left.read(next_a, end - term);
      right.read(next_b, end - term);
      for (; term < end; term += DEPTH) {
        left.write(next_a, a);
        right.write(next_b, b);
        __syncthreads();
        if (term + DEPTH < end) {
          left.read(next_a, end - term - DEPTH);
          right.read(next_b, end - term - DEPTH);
        }
#pragma unroll 2
        for (int k = 0; k < DEPTH; k++) {
          Four rows[EACH / 4], columns[EACH / 4];
#pragma unroll
          for (int group = 0; group < EACH / 4; group++) {
            rows[group] = a[k][group * 16 + y_of_thread];
            columns[group] = b[k][group * 16 + x_of_thread];
          }
#pragma unroll
          for (int i = 0; i < EACH; i++) {
#pragma unroll
            for (int j = 0; j < EACH; j++) {
              sums[i][j] += rows[i / 4].values[i % 4] * columns[j / 4].values[j % 4];
            }
          }
        }
        __syncthreads();
      }
      char* const out =
          arguments.out + product * arguments.rows * arguments.columns * int64(sizeof(T));
#pragma unroll
      for (int i = 0; i < EACH; i++) {
        const int64 y = row + i / 4 * 64 + y_of_thread * 4 + i % 4;
        if (y >= arguments.rows) continue;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
          const int64 x = column + j / 4 * 64 + x_of_thread * 4 + j % 4;
          if (x < arguments.columns) {
            store<T>(out + (y * arguments.columns + x) * int64(sizeof(T)), T(sums[i][j]));
          }
        }
      }
    }
  }

 private:
  static COREPY_DEVICE int64 distance(int64 step) { return step < 0 ? -step : step; }

  // The EACH factors of a tile that a thread copies to shared memory for each DEPTH terms: of one
  // term in lines 16 apart, or of one line.
  struct Factors {
    const char* at;
    int64 step, next;  // in bytes, to the thread's next factor and to the next terms
    int line, term, lines_apart, terms_apart;
    unsigned inside;  // a bit for each factor whose line exists

    COREPY_DEVICE Factors(const char* from, int64 line_stride, int64 term_stride, int64 first_line,
                          int64 lines, int64 first_term, bool by_term) {
      const int thread = int(threadIdx.x);
      line = by_term ? thread / DEPTH : thread % TILE;
      term = by_term ? thread % DEPTH : thread / TILE;
      lines_apart = by_term ? THREADS / DEPTH : 0;
      terms_apart = by_term ? 0 : THREADS / TILE;
      at = from + (first_line + line) * line_stride + (first_term + term) * term_stride;
      step = lines_apart * line_stride + terms_apart * term_stride;
      next = DEPTH * term_stride;
      inside = 0;
      for (int i = 0; i < EACH; i++) {
        inside |= unsigned(first_line + line + i * lines_apart < lines) << i;
      }
    }

    // Reads the next of `terms` remaining terms.
    COREPY_DEVICE void read(Sum (&factors)[EACH], int64 terms) {
#pragma unroll
      for (int i = 0; i < EACH; i++) {
        factors[i] = 0;
        if ((inside >> i & 1) && term + i * terms_apart < terms) {
          factors[i] = load_bits<T>(at + i * step);
        }
      }
      at += next;
    }

    COREPY_DEVICE void write(const Sum (&factors)[EACH], Four (&to)[DEPTH][PITCH]) const {
#pragma unroll
      for (int i = 0; i < EACH; i++) {
        const int to_line = line + i * lines_apart;
        to[term + i * terms_apart][to_line / 4].values[to_line % 4] = factors[i];
      }
    }
  };
};

// Sums along an axis. ACROSS: operands of neighbouring sums are adjacent, so each thread of a warp
// computes one sum, and the warps of a block share the terms; otherwise a warp computes one sum.
// ONES: all elements of b are 1.
template <class T, bool ACROSS, bool ONES, int NDIM>
struct Dot : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  static constexpr int WARPS = THREADS / 32;
  using Arguments = WithSpace<DotShape, NDIM>;
  using Sum = sum_bits<T>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ Sum partials[WARPS][32];
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int64 n = arguments.space.n;
    // Sums of a split, in groups of 32 for a block, or of one for each of its warps.
    const int64 groups = ACROSS ? (n + 31) / 32 : (n + WARPS - 1) / WARPS;
    for (int64 number = blockIdx.x; number < groups * arguments.splits; number += gridDim.x) {
      const int64 split = number / groups, group = number - split * groups;
      const int64 i = ACROSS ? group * 32 + lane : group * WARPS + warp;
      const int64 begin = split * arguments.split;
      const int64 end =
          begin + arguments.split < arguments.terms ? begin + arguments.split : arguments.terms;
      Sum sum = 0;
      if (i < n) {
        int64 offsets[2];
        find_offsets<true>(arguments.space, i, offsets);
        const char* const a = arguments.a + offsets[0];
        const char* const b = arguments.b + offsets[1];
#pragma unroll 4
        for (int64 k = begin + (ACROSS ? warp : lane); k < end; k += ACROSS ? WARPS : 32) {
          const Sum factor = load_bits<T>(a + k * arguments.a_term);
          if constexpr (ONES) {
            sum += factor;
          } else {
            sum += factor * load_bits<T>(b + k * arguments.b_term);
          }
        }
      }
      if constexpr (ACROSS) {
        partials[warp][lane] = sum;
        __syncthreads();
        if (warp == 0) {
          for (int k = 1; k < WARPS; k++) sum += partials[k][lane];
        }
      } else {
        sum = sum_of_warp(sum);
      }
      if (i < n && (ACROSS ? warp : lane) == 0) {
        store<T>(arguments.out + (split * n + i) * int64(sizeof(T)), T(sum));
      }
      if constexpr (ACROSS) __syncthreads();
    }
  }
};

}  // namespace corepy
