// Kernels of groups of deferred operations: a thread computes all operations of a group for its
// elements, and stores the results that are used outside.
//
// Each operation has the same operand and result types as its own kernel (`compute`), so results
// are the same bit for bit. A kernel's type has the operations, their dtypes and operands; sizes,
// strides and constants are arguments.
#pragma once

#include "elementwise.cuh"
#include "reduce_primitives.cuh"

namespace corepy {
namespace fusion {

// A value of an element, by its number in the group.
template <int NUMBER, class T>
struct Value {
  T value;
};
template <int NUMBER, class T>
COREPY_DEVICE T value_of(const Value<NUMBER, T>& x) {
  return x.value;
}

// A value that is read from OPERAND of the arguments. SINGLE: it is one element.
template <int NUMBER_, int OPERAND_, class T_, bool SINGLE_>
struct Read {
  static constexpr int NUMBER = NUMBER_, OPERAND = OPERAND_;
  static constexpr bool SINGLE = SINGLE_;
  using T = T_;
};

// A value that functor F computes from the values A, B and C.
template <int NUMBER_, class F, class T_, int A, int B = -1, int C = -1>
struct Step {
  static constexpr int NUMBER = NUMBER_;
  using T = T_;

  template <class Values>
  static COREPY_DEVICE void run(Values& values) {
    T& result = static_cast<Value<NUMBER, T>&>(values).value;
    if constexpr (B < 0) {
      result = compute<F, T>(value_of<A>(values), None{}, None{});
    } else if constexpr (C < 0) {
      result = compute<F, T>(value_of<A>(values), value_of<B>(values), None{});
    } else {
      result = compute<F, T>(value_of<A>(values), value_of<B>(values), value_of<C>(values));
    }
  }
};

// A value that is stored.
template <int NUMBER_, int OPERAND_, class T_>
struct Write {
  static constexpr int NUMBER = NUMBER_, OPERAND = OPERAND_;
  using T = T_;
};

template <class... R>
struct Reads {};
template <class... S>
struct Steps {};
template <class... W>
struct Writes {};

// A thread's elements of an input: PACK consecutive elements, or the one element.
template <class R, int PACK, bool SINGLE = R::SINGLE>
struct Loaded {
  Pack<typename R::T, PACK> pack;

  COREPY_DEVICE typename R::T at(int i) const { return loaded<typename R::T>(pack.values[i]); }

  // `stride` is the distance between elements.
  COREPY_DEVICE void load(const Input& input, int64 offset, int64 stride) {
    const char* const first = input.data + offset;
    if (stride != 0) {
      pack = *reinterpret_cast<const Pack<typename R::T, PACK>*>(first);
    } else {
      const auto element = *reinterpret_cast<const stored<typename R::T>*>(first);
#pragma unroll
      for (int i = 0; i < PACK; i++) pack.values[i] = element;
    }
  }
  COREPY_DEVICE void load_single(const Input&) {}
};
template <class R, int PACK>
struct Loaded<R, PACK, true> {
  typename R::T element;

  COREPY_DEVICE typename R::T at(int) const { return element; }
  COREPY_DEVICE void load(const Input&, int64, int64) {}
  COREPY_DEVICE void load_single(const Input& input) {
    element = element_at<typename R::T>(input, input.data);
  }
};

template <class W, int PACK>
struct Computed {
  Pack<typename W::T, PACK> pack;
};

template <class R, class S, class W>
struct Group;

template <class... R, class... S, class... W>
struct Group<Reads<R...>, Steps<S...>, Writes<W...>> {
  static constexpr int STEPS = sizeof...(S);
  static constexpr int OPERANDS = fused_bucket(int(sizeof...(R) + sizeof...(W)));

  // The item size of the widest array.
  static constexpr int widest() {
    int widest = 1;
    ((widest =
          !R::SINGLE && int(sizeof(typename R::T)) > widest ? int(sizeof(typename R::T)) : widest),
     ...);
    ((widest = int(sizeof(typename W::T)) > widest ? int(sizeof(typename W::T)) : widest), ...);
    return widest;
  }

  struct Values : Value<R::NUMBER, typename R::T>..., Value<S::NUMBER, typename S::T>... {};

  template <int PACK>
  struct Inputs : Loaded<R, PACK>... {
    COREPY_DEVICE void load_singles(const Input* operands) {
      (Loaded<R, PACK>::load_single(operands[R::OPERAND]), ...);
    }
    // Loads consecutive elements of contiguous arrays, from `first` on.
    COREPY_DEVICE void load_run(const Input* operands, int64 first) {
      (Loaded<R, PACK>::load(operands[R::OPERAND], first * int64(sizeof(typename R::T)), 1), ...);
    }
    COREPY_DEVICE void load(const Input* operands, const int64* offsets, const int64* strides) {
      (Loaded<R, PACK>::load(operands[R::OPERAND], offsets[R::OPERAND], strides[R::OPERAND]), ...);
    }
  };

  template <int PACK>
  struct Outputs : Computed<W, PACK>... {
    COREPY_DEVICE void store_run(const Input* operands, int64 first) const {
      (store_at(Computed<W, PACK>::pack, operands[W::OPERAND],
                first * int64(sizeof(typename W::T))),
       ...);
    }
    COREPY_DEVICE void store(const Input* operands, const int64* offsets) const {
      (store_at(Computed<W, PACK>::pack, operands[W::OPERAND], offsets[W::OPERAND]), ...);
    }

   private:
    template <class Packed>
    static COREPY_DEVICE void store_at(const Packed& pack, const Input& output, int64 offset) {
      *reinterpret_cast<Packed*>(const_cast<char*>(output.data) + offset) = pack;
    }
  };

  template <int PACK>
  static COREPY_DEVICE void run(const Inputs<PACK>& inputs, Outputs<PACK>& outputs) {
#pragma unroll
    for (int i = 0; i < PACK; i++) {
      Values values;
      ((static_cast<Value<R::NUMBER, typename R::T>&>(values).value =
            static_cast<const Loaded<R, PACK>&>(inputs).at(i)),
       ...);
      (S::run(values), ...);
      ((static_cast<Computed<W, PACK>&>(outputs).pack.values[i] = value_of<W::NUMBER>(values)),
       ...);
    }
  }
};

// Contiguous arrays of one layout. VECTOR: they are aligned to 16 bytes.
template <bool VECTOR, class G>
struct Run : KernelBase {
  static constexpr int PACK = pack_of_fused(G::widest(), VECTOR, G::STEPS);
  using Arguments = FusedArguments<G::OPERANDS>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    const int64 packs = arguments.n / PACK;
    run_as<PACK>(arguments, int64(blockIdx.x) * THREADS, int64(gridDim.x) * THREADS, packs, 0);
    if (PACK > 1 && blockIdx.x == gridDim.x - 1) {
      run_as<1>(arguments, 0, THREADS, arguments.n - packs * PACK, packs * PACK);
    }
  }

  // Computes packs `first`, `first` + `stride`, ... below `n`, which begin at element `start`.
  template <int SIZE>
  static COREPY_DEVICE void run_as(const Arguments& arguments, int64 first, int64 stride, int64 n,
                                   int64 start) {
    typename G::template Inputs<SIZE> inputs;
    typename G::template Outputs<SIZE> outputs;
    inputs.load_singles(arguments.operands);
#pragma unroll 1
    for (int64 i = first + threadIdx.x; i < n; i += stride) {
      inputs.load_run(arguments.operands, start + i * SIZE);
      G::template run<SIZE>(inputs, outputs);
      outputs.store_run(arguments.operands, start + i * SIZE);
    }
  }
};

// Arrays of any layout with at most NDIM axes. VECTOR: along the innermost axis, whose size counts
// packs, each array is contiguous or one element, and packs are aligned. WIDE: there are 2^31 packs
// or more.
template <int NDIM, bool VECTOR, bool WIDE, class G>
struct Box : KernelBase {
  static constexpr int PACK = pack_of_fused(G::widest(), VECTOR, G::STEPS);
  using Arguments = FusedBoxArguments<NDIM, G::OPERANDS>;

  static COREPY_DEVICE void run(const Arguments& arguments) {
    constexpr int UNROLLED = has_all_axes<NDIM> ? NDIM : 0;
    typename G::template Inputs<PACK> inputs;
    typename G::template Outputs<PACK> outputs;
    inputs.load_singles(arguments.operands);
#pragma unroll 1
    for (int64 i = first_element(); i < arguments.n; i += grid_stride()) {
      int64 offsets[G::OPERANDS] = {};
      add_offsets<UNROLLED>(arguments.axes, 0, arguments.ndim, number_of<WIDE>(i), offsets);
      inputs.load(arguments.operands, offsets, arguments.axes[arguments.ndim - 1].strides);
      G::template run<PACK>(inputs, outputs);
      outputs.store(arguments.operands, offsets);
    }
  }
};

// The elements of a reduction, computed as the only result of a group. Their addresses are relative
// to 0, in the layout that the result would have. NDIM: 0 for contiguous arrays. PACK: the elements
// of a load of the reduction; 1 for single loads.
template <int NDIM, int PACK, bool WIDE, class G>
struct Elements {
  template <int AXES>
  using Arguments =
      FusedReduceArguments<ReduceArguments<AXES>, Select<NDIM == 0, FusedArguments<G::OPERANDS>,
                                                         FusedBoxArguments<NDIM, G::OPERANDS>>>;

  template <class T, int COUNT, bool ALIGNED, class Arguments>
  static COREPY_DEVICE Pack<T, COUNT> pack(const Arguments& arguments, const char* at) {
    const int64 first = reinterpret_cast<int64>(at) / int64(sizeof(T));
    if constexpr (COUNT == 1 || (COUNT == PACK && ALIGNED)) {
      return computed<COUNT>(arguments.elements, first);
    } else {
      Pack<T, COUNT> pack;
#pragma unroll
      for (int i = 0; i < COUNT; i++) {
        pack.values[i] = computed<1>(arguments.elements, first + i).values[0];
      }
      return pack;
    }
  }

 private:
  template <int COUNT, class Record>
  static COREPY_DEVICE auto computed(const Record& record, int64 first) {
    typename G::template Inputs<COUNT> inputs;
    typename G::template Outputs<COUNT> outputs;
    inputs.load_singles(record.operands);
    if constexpr (NDIM == 0) {
      inputs.load_run(record.operands, first);
    } else {
      const int64* const strides = record.axes[record.ndim - 1].strides;
      int64 offsets[G::OPERANDS] = {};
      add_offsets<(has_all_axes<NDIM> ? NDIM : 0)>(record.axes, 0, record.ndim,
                                                   number_of<WIDE>(first / PACK), offsets);
      if constexpr (COUNT < PACK) {
#pragma unroll
        for (int k = 0; k < G::OPERANDS; k++) offsets[k] += first % PACK * (strides[k] / PACK);
      }
      inputs.load(record.operands, offsets, strides);
    }
    G::template run<COUNT>(inputs, outputs);
    return outputs.pack;
  }
};

}  // namespace fusion
}  // namespace corepy
