// Transposed copies, triangles, progressions, binary search.
#pragma once

#include "iteration.cuh"

namespace corepy {

// A copy, or cast, whose operands have different innermost axes, through tiles of SIDE x SIDE
// elements in shared memory, so that both loads and stores coalesce.
template <class Out, class In, int SIDE, int NDIM, bool WIDE>
struct Transpose : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  static constexpr int LINES = THREADS / SIDE;  // of one iteration
  using Arguments = WithSpace<TransposeShape, NDIM>;

  static COREPY_DEVICE int in_tile(int64 left) { return left < SIDE ? int(left) : SIDE; }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    __shared__ stored<Out> tile[SIDE][SIDE + 1];
    const int lane = int(threadIdx.x) % SIDE, line = int(threadIdx.x) / SIDE;
    for (int64 number = blockIdx.x; number < arguments.tiles; number += gridDim.x) {
      const int64 row = number / arguments.across[0];
      const int64 outer = row / arguments.across[1];
      const int64 x = (number - row * arguments.across[0]) * SIDE;
      const int64 y = (row - outer * arguments.across[1]) * SIDE;
      const int width = in_tile(arguments.sizes[0] - x), height = in_tile(arguments.sizes[1] - y);
      int64 offsets[2];
      find_offsets<WIDE>(arguments.space, outer, offsets);
      const char* const in = arguments.in + offsets[1] + (y + lane) * arguments.strides[1][1] +
                             (x + line) * arguments.strides[1][0];
      if (lane < height) {
        In elements[SIDE / LINES];
#pragma unroll
        for (int j = 0; j < SIDE / LINES; j++) {
          if (line + j * LINES < width) {
            elements[j] = load<In>(in + j * (LINES * arguments.strides[1][0]));
          }
        }
#pragma unroll
        for (int j = 0; j < SIDE / LINES; j++) {
          if (line + j * LINES < width) tile[line + j * LINES][lane] = convert<Out>(elements[j]);
        }
      }
      __syncthreads();
      char* const out = arguments.out + offsets[0] + (x + lane) * arguments.strides[0][0] +
                        (y + line) * arguments.strides[0][1];
      if (lane < width) {
#pragma unroll
        for (int j = 0; j < SIDE / LINES; j++) {
          if (line + j * LINES < height) {
            store<stored<Out>>(out + j * (LINES * arguments.strides[0][1]),
                               tile[lane][line + j * LINES]);
          }
        }
      }
      __syncthreads();
    }
  }
};

// Copies of matrices, in C order, with zeros above (or below) a diagonal.
template <class T>
struct Triangle : KernelBase {
  static constexpr int ITEMS = 4;
  using Arguments = TriangleArguments;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    for (int64 first = first_element(ITEMS); first < arguments.n; first += grid_stride(ITEMS)) {
      T elements[ITEMS];
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        const int64 i = first + k * THREADS;
        elements[k] = T{};
        if (i < arguments.n) {
          const int64 row = i / arguments.columns;
          const int64 beyond = i - row * arguments.columns - row % arguments.rows;
          if (arguments.upper ? beyond >= arguments.diagonal : beyond <= arguments.diagonal) {
            elements[k] = load<T>(arguments.in + i * int64(sizeof(T)));
          }
        }
      }
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        const int64 i = first + k * THREADS;
        if (i < arguments.n) store<T>(arguments.out + i * int64(sizeof(T)), elements[k]);
      }
    }
  }
};

// Whether x precedes y in sorted order, with NaN last.
template <class T>
COREPY_DEVICE bool precedes(T x, T y) {
  if constexpr (is_floating<T>) {
    return x < y || (y != y && x == x);
  } else {
    return x < y;
  }
}

// The number of elements of a sorted table that are less than each value, or not greater if RIGHT.
template <class T, bool RIGHT>
struct SearchSorted : KernelBase {
  using Arguments = SearchArguments;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    for (int64 i = first_element(); i < arguments.n; i += grid_stride()) {
      const T x = load<T>(arguments.wanted + i * int64(sizeof(T)));
      int64 low = 0, high = arguments.table_n;
      while (low < high) {
        const int64 middle = low + (high - low) / 2;
        const T element = load<T>(arguments.table + middle * int64(sizeof(T)));
        const bool before = RIGHT ? !precedes(x, element) : precedes(element, x);
        if (before) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      arguments.out[i] = low;
    }
  }
};

// Arithmetic progressions, with the same results as on the CPU: kernels are compiled without
// contraction.
// WIDE: in float64, rounded at the end; else in T.
template <class T, bool WIDE>
struct Progress : KernelBase {
  using Arguments = ProgressionArguments;

  template <class Component>
  static COREPY_DEVICE Component term(const Progression& terms, int64 i, int k) {
    if constexpr (WIDE || is_same<Component, double>) {
      return Component(double(i) * terms.step[k] + terms.first[k]);
    } else {
      const float step = float(terms.step[k]), first = float(terms.first[k]);
      return float(double(i)) * step + first;
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const Sequence& plan = arguments.plan;
    for (int64 i = first_element(); i < arguments.n; i += grid_stride()) {
      T value;
      if (i < plan.given) {
        value = load<T>(plan.starts + i * int64(sizeof(T)));
      } else if (plan.ends && i == arguments.n - 1) {
        value = load<T>(plan.last);
      } else if constexpr (is_complex<T>) {
        value = {term<component<T>>(plan.terms, i, 0), term<component<T>>(plan.terms, i, 1)};
      } else if constexpr (is_integer<T>) {
        value = T(plan.terms.whole_first + uint64(i) * plan.terms.whole_step);
      } else {
        value = term<T>(plan.terms, i, 0);
      }
      store<T>(arguments.out + i * int64(sizeof(T)), value);
    }
  }
};

}  // namespace corepy
