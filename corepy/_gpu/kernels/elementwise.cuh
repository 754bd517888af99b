// The shapes of elementwise work: what brings the elements of one to three inputs to a functor.
//
// A functor is a class template `template <class T> struct add` in namespace corepy::op, with
// operator() on values of `type`. Elements of other dtypes are cast on the way, and what it returns
// is cast to the dtype of the output.
#pragma once

#include "arguments.cuh"
#include "types.cuh"

namespace corepy {

// In place of an input that a functor does not have.
struct None {};

template <class A, class B, class C>
constexpr int inputs_of = is_same<B, None>   ? 1
                          : is_same<C, None> ? 2
                                             : 3;

// The type that a functor takes its first argument as: where it differs from the others, as the
// condition of `where` does, the functor has it as `first_type`.
template <class F, class = void>
struct FirstOf {
  using type = typename F::type;
};
template <class T>
struct Exists {
  using type = void;
};
template <class F>
struct FirstOf<F, typename Exists<typename F::first_type>::type> {
  using type = typename F::first_type;
};

template <class F, class Out, class A, class B, class C>
COREPY_DEVICE Out compute(A a, B b, C c) {
  using T = typename F::type;
  const auto first = convert<typename FirstOf<F>::type>(a);
  if constexpr (inputs_of<A, B, C> == 1) {
    return convert<Out>(F()(first));
  } else if constexpr (inputs_of<A, B, C> == 2) {
    return convert<Out>(F()(first, convert<T>(b)));
  } else {
    return convert<Out>(F()(first, convert<T>(b), convert<T>(c)));
  }
}

// ---- operands that are runs of elements, or one element for all ----

// SCALARS has a bit for each input that is one element. VECTOR: the others, and the output, begin
// at multiples of 16 bytes. A thread takes packs of as many elements as 16 bytes of the widest
// operand have; those at the end that are less than a turn of a block go one by one.
template <class F, bool VECTOR, int SCALARS, class Out, class A, class B = None, class C = None>
struct Run {
  static constexpr int THREADS = 256;
  static constexpr bool WAITS = false;
  static constexpr int larger(int x, int y) { return x > y ? x : y; }
  static constexpr int WIDEST =
      larger(larger(sizeof(Out), sizeof(A)), larger(sizeof(B), sizeof(C)));
  static constexpr int PACK = VECTOR ? 16 / WIDEST : 1;
  static constexpr int PACKS = PACK > 4 ? 1 : VECTOR ? 2 : 4;
  static constexpr int TURN = THREADS * PACK * PACKS;
  using Arguments = RunArguments;

  template <class T, int K>
  struct Operand {
    static constexpr bool EXISTS = !is_same<T, None>;
    static constexpr bool SCALAR = EXISTS && (SCALARS >> K & 1);

    T scalar;
    Pack<T, PACK> packs[PACKS];

    COREPY_DEVICE explicit Operand(const Input& input) {
      if constexpr (SCALAR) scalar = corepy::load<T>(input.data ? input.data : input.scalar);
    }

    COREPY_DEVICE void load(const Input& input, int64 first, int p) {
      if constexpr (EXISTS && !SCALAR) {
        packs[p] = *reinterpret_cast<const Pack<T, PACK>*>(input.data + first * int64(sizeof(T)));
      }
    }

    COREPY_DEVICE T at(int p, int i) const {
      if constexpr (SCALAR) return scalar;
      if constexpr (EXISTS && !SCALAR) {
        if constexpr (is_bool<T>) return packs[p].values[i] != 0;
        return packs[p].values[i];
      }
      return T{};
    }

    COREPY_DEVICE T one(const Input& input, int64 i) const {
      if constexpr (SCALAR) return scalar;
      if constexpr (EXISTS && !SCALAR) return corepy::load<T>(input.data + i * int64(sizeof(T)));
      return T{};
    }
  };

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 turns = arguments.n / TURN;
    Operand<A, 0> a(arguments.inputs[0]);
    Operand<B, 1> b(arguments.inputs[1]);
    Operand<C, 2> c(arguments.inputs[2]);
    for (int64 turn = blockIdx.x; turn < turns; turn += gridDim.x) {
      const int64 start = turn * TURN + int64(threadIdx.x) * PACK;
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
    if (blockIdx.x != gridDim.x - 1) return;
    for (int64 i = turns * TURN + threadIdx.x; i < arguments.n; i += THREADS) {
      store<Out>(arguments.out + i * int64(sizeof(Out)),
                 compute<F, Out>(a.one(arguments.inputs[0], i), b.one(arguments.inputs[1], i),
                                 c.one(arguments.inputs[2], i)));
    }
  }
};

// ---- operands of any layout ----

// At most RANK axes. WIDE: there are 2^31 elements or more.
template <class F, int RANK, bool WIDE, class Out, class A, class B = None, class C = None>
struct Box {
  static constexpr int THREADS = 256;
  static constexpr bool WAITS = false;
  static constexpr int INPUTS = inputs_of<A, B, C>;
  using Arguments = BoxArguments<RANK>;
  static constexpr int TURN = THREADS;

  template <class T>
  static COREPY_DEVICE T read(const Input& input, int64 offset) {
    if constexpr (is_same<T, None>) {
      return T{};
    } else {
      return load<T>((input.data ? input.data : input.scalar) + offset);
    }
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 stride = int64(gridDim.x) * THREADS;
    for (int64 i = int64(blockIdx.x) * THREADS + threadIdx.x; i < arguments.n; i += stride) {
      int64 offsets[4] = {0, 0, 0, 0};
      int64 left = i;
      for (int axis = arguments.rank - 1; axis >= 0; axis--) {
        int64 above, position;
        if constexpr (WIDE) {
          above = left / arguments.sizes[axis];
          position = left - above * arguments.sizes[axis];
        } else {
          const Divisor divisor = arguments.divisors[axis];
          const uint32 number = uint32(left);
          above = (__umulhi(number, divisor.multiplier) + number) >> divisor.shift;
          position = number - uint32(above) * uint32(arguments.sizes[axis]);
        }
        left = above;
#pragma unroll
        for (int k = 0; k <= INPUTS; k++) offsets[k] += position * arguments.steps[k][axis];
      }
      const Out result = compute<F, Out>(read<A>(arguments.inputs[0], offsets[1]),
                                         read<B>(arguments.inputs[1], offsets[2]),
                                         read<C>(arguments.inputs[2], offsets[3]));
      store<Out>(arguments.out + offsets[0], result);
    }
  }
};

}  // namespace corepy
