// Elementwise kernels: they pass the elements of one to three inputs to a functor.
//
// A functor (COREPY_FUNCTOR) takes values of `type`. Elements of other dtypes are cast to it, and
// the result is cast to the dtype of the output.
#pragma once

#include "operands.cuh"

namespace corepy {

// Placeholder for an input that a functor does not have.
struct None {};

template <class A, class B, class C>
constexpr int inputs_of = is_same<B, None>   ? 1
                          : is_same<C, None> ? 2
                                             : 3;

template <class T>
COREPY_DEVICE auto widest_integer(T x) {
  if constexpr (is_signed<T>) {
    return int64(x);
  } else {
    return uint64(x);
  }
}

template <class F, class Out, class A, class B, class C>
COREPY_DEVICE Out compute(A a, B b, C c) {
  using T = typename F::type;
  if constexpr (F::COMPARES && is_floating<T> && is_integer<A> && is_integer<B>) {
    return convert<Out>(F::exact(widest_integer(a), widest_integer(b)));
  } else {
    const auto first = convert<typename F::first_type>(a);
    if constexpr (inputs_of<A, B, C> == 1) {
      return convert<Out>(F()(first));
    } else if constexpr (inputs_of<A, B, C> == 2) {
      return convert<Out>(F()(first, convert<T>(b)));
    } else {
      return convert<Out>(F()(first, convert<T>(b), convert<T>(c)));
    }
  }
}

template <class Out, class A, class B, class C>
constexpr int widest_of() {
  int widest = int(sizeof(Out));
  if (int(sizeof(A)) > widest) widest = int(sizeof(A));
  if (int(sizeof(B)) > widest) widest = int(sizeof(B));
  if (int(sizeof(C)) > widest) widest = int(sizeof(C));
  return widest;
}

// ---- operands that are contiguous, or one element ----

// SCALARS has a bit for each input that is one element. VECTOR: the others and the output are
// aligned to 16 bytes. A thread computes packs of 16 bytes of the widest operand; elements after
// the last whole tile of a block are computed singly.
template <class F, bool VECTOR, int SCALARS, class Out, class A, class B = None, class C = None>
struct Run : KernelBase {
  static constexpr int WIDEST = widest_of<Out, A, B, C>();
  static constexpr int PACK = pack_of_run(WIDEST, VECTOR);
  static constexpr int PACKS = packs_of_run(WIDEST, VECTOR);
  static constexpr int TILE = tile_of_run(WIDEST, VECTOR);
  static constexpr int SINGLES = 4;  // single elements that a thread loads before it computes
  using Arguments = RunArguments;

  // A thread's elements of an input: COUNT packs of SIZE elements, or the one element.
  template <class T, int K, int COUNT, int SIZE>
  struct Operand {
    static constexpr bool EXISTS = !is_same<T, None>;
    static constexpr bool SCALAR = EXISTS && (SCALARS >> K & 1);

    T scalar;
    Pack<T, SIZE> packs[COUNT];

    COREPY_DEVICE explicit Operand(const Input& input) {
      if constexpr (SCALAR) scalar = element_at<T>(input, input.data);
    }

    COREPY_DEVICE void load(const Input& input, int64 first, int p) {
      if constexpr (EXISTS && !SCALAR) {
        packs[p] = *reinterpret_cast<const Pack<T, SIZE>*>(input.data + first * int64(sizeof(T)));
      }
    }

    COREPY_DEVICE T at(int p, int i) const {
      if constexpr (SCALAR) {
        return scalar;
      } else if constexpr (EXISTS) {
        return loaded<T>(packs[p].values[i]);
      } else {
        return T{};
      }
    }
  };

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 tiles = arguments.n / TILE;
    run_packs(arguments, tiles);
    // The last block has the fewest tiles to compute.
    if (blockIdx.x == gridDim.x - 1) run_singles(arguments, tiles * TILE);
  }

  static COREPY_DEVICE void run_packs(const Arguments& arguments, int64 tiles) {
    Operand<A, 0, PACKS, PACK> a(arguments.inputs[0]);
    Operand<B, 1, PACKS, PACK> b(arguments.inputs[1]);
    Operand<C, 2, PACKS, PACK> c(arguments.inputs[2]);
    for (int64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const int64 start = tile * TILE + int64(threadIdx.x) * PACK;
#pragma unroll
      for (int p = 0; p < PACKS; p++) {
        const int64 first = start + p * THREADS * PACK;
        a.load(arguments.inputs[0], first, p);
        b.load(arguments.inputs[1], first, p);
        c.load(arguments.inputs[2], first, p);
      }
#pragma unroll
      for (int p = 0; p < PACKS; p++) {
        Pack<Out, PACK> out;
#pragma unroll
        for (int i = 0; i < PACK; i++) {
          out.values[i] = compute<F, Out>(a.at(p, i), b.at(p, i), c.at(p, i));
        }
        const int64 first = start + p * THREADS * PACK;
        *reinterpret_cast<Pack<Out, PACK>*>(arguments.out + first * int64(sizeof(Out))) = out;
      }
    }
  }

  static COREPY_DEVICE void run_singles(const Arguments& arguments, int64 start) {
    Operand<A, 0, SINGLES, 1> a(arguments.inputs[0]);
    Operand<B, 1, SINGLES, 1> b(arguments.inputs[1]);
    Operand<C, 2, SINGLES, 1> c(arguments.inputs[2]);
#pragma unroll 1
    for (int64 i = start + threadIdx.x; i < arguments.n; i += SINGLES * THREADS) {
#pragma unroll
      for (int p = 0; p < SINGLES; p++) {
        if (i + p * THREADS < arguments.n) {
          a.load(arguments.inputs[0], i + p * THREADS, p);
          b.load(arguments.inputs[1], i + p * THREADS, p);
          c.load(arguments.inputs[2], i + p * THREADS, p);
        }
      }
#pragma unroll
      for (int p = 0; p < SINGLES; p++) {
        if (i + p * THREADS < arguments.n) {
          store<Out>(arguments.out + (i + p * THREADS) * int64(sizeof(Out)),
                     compute<F, Out>(a.at(p, 0), b.at(p, 0), c.at(p, 0)));
        }
      }
    }
  }
};

// ---- operands of any layout ----

// At most NDIM axes. VECTOR: along the innermost axis each operand is contiguous or one element,
// its length is a multiple of PACK, and packs are aligned. WIDE: there are 2^31 elements or more.
template <class F, int NDIM, bool VECTOR, bool WIDE, class Out, class A, class B = None,
          class C = None>
struct Box : KernelBase {
  static constexpr int INPUTS = inputs_of<A, B, C>;
  static constexpr int PACK = pack_of_box(widest_of<Out, A, B, C>(), VECTOR);
  using Arguments = BoxArguments<NDIM>;

  static constexpr bool ALL_AXES = has_all_axes<NDIM>;
  using Number = number_of<WIDE>;

  // The offset of an item's first element in each operand, and the number of its elements.
  struct Location {
    int64 offsets[INPUTS + 1];
    int count;
  };

  static COREPY_DEVICE int innermost_of(const Arguments& arguments) {
    return (ALL_AXES ? NDIM : arguments.ndim) - 1;
  }

  static COREPY_DEVICE Location find(const Arguments& arguments, int64 item) {
    Location location;
    location.count = PACK;
    Number left = Number(VECTOR ? item : item >> (arguments.lanes + arguments.rows));
#pragma unroll
    for (int k = 0; k <= INPUTS; k++) location.offsets[k] = 0;
    const int innermost = innermost_of(arguments);
#pragma unroll(ALL_AXES ? NDIM : 1)
    for (int axis = innermost; axis >= 0; axis--) {
      const IterationAxis<4>& here = arguments.axes[axis];
      // The outermost axis needs no division.
      Number position = axis > 0 ? split_index(left, here.size, here.divisor) : left;
      if constexpr (VECTOR) {
        if (axis == innermost) position *= PACK;
      } else if (axis == innermost) {
        const int lanes = 1 << arguments.lanes;
        position = (position * PACK << arguments.lanes) + (int(item) & (lanes - 1));
        const auto rest = difference_of(Number(arguments.length), position) + lanes - 1;
        location.count = rest >= PACK * lanes ? PACK : rest <= 0 ? 0 : int(rest >> arguments.lanes);
      } else if (axis == innermost - 1 && arguments.rows != 0) {
        const int rows = 1 << arguments.rows;
        position = (position << arguments.rows) + (int(item >> arguments.lanes) & (rows - 1));
        if (position >= Number(arguments.height)) location.count = 0;
      }
#pragma unroll
      for (int k = 0; k <= INPUTS; k++) {
        location.offsets[k] += int64(position) * here.strides[k];
      }
    }
    return location;
  }

  // A thread's elements of input K.
  template <class T, int K>
  struct Operand {
    static constexpr bool EXISTS = !is_same<T, None>;
    Pack<T, PACK> pack;

    COREPY_DEVICE Operand(const Arguments& arguments, const Location& location) {
      if constexpr (EXISTS) {
        const Input& input = arguments.inputs[K];
        const char* const first = input.data + location.offsets[K + 1];
        const int64 stride = arguments.axes[innermost_of(arguments)].strides[K + 1];
        if (stride == 0) {
          const stored<T> element = element_at<stored<T>>(input, first);
#pragma unroll
          for (int i = 0; i < PACK; i++) pack.values[i] = element;
        } else if constexpr (VECTOR) {
          pack = *reinterpret_cast<const Pack<T, PACK>*>(first);
        } else {
#pragma unroll
          for (int i = 0; i < PACK; i++) {
            if (i < location.count) {
              pack.values[i] =
                  *reinterpret_cast<const stored<T>*>(first + (stride * i << arguments.lanes));
            }
          }
        }
      }
    }

    COREPY_DEVICE T at(int i) const {
      if constexpr (EXISTS) {
        return loaded<T>(pack.values[i]);
      } else {
        return T{};
      }
    }
  };

  static COREPY_DEVICE void run(const Arguments& arguments) {
    for (int64 item = first_element(); item < arguments.items; item += grid_stride()) {
      const Location location = find(arguments, item);
      if (location.count == 0) continue;
      const Operand<A, 0> a(arguments, location);
      const Operand<B, 1> b(arguments, location);
      const Operand<C, 2> c(arguments, location);
      char* const out = arguments.out + location.offsets[0];
      if constexpr (VECTOR) {
        Pack<Out, PACK> result;
#pragma unroll
        for (int i = 0; i < PACK; i++) {
          result.values[i] = compute<F, Out>(a.at(i), b.at(i), c.at(i));
        }
        *reinterpret_cast<Pack<Out, PACK>*>(out) = result;
      } else {
        const int64 stride = arguments.axes[innermost_of(arguments)].strides[0];
#pragma unroll
        for (int i = 0; i < PACK; i++) {
          if (i < location.count) {
            store<Out>(out + (stride * i << arguments.lanes),
                       compute<F, Out>(a.at(i), b.at(i), c.at(i)));
          }
        }
      }
    }
  }
};

}  // namespace corepy
