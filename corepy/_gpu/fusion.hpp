// Launches the kernel of a group of deferred operations.
#pragma once

#include "launch.hpp"
#include "reductions.hpp"

namespace corepy {

// Reductions of computed elements have up to 16 operands.
static_assert(
    sizeof(FusedBoxArguments<8, MAX_FUSED_OPERANDS>) <= 4096 &&
        sizeof(FusedReduceArguments<ReduceArguments<MAX_NDIM + 1>, FusedBoxArguments<8, 16>>) <=
            4096,
    "the arguments of a launch are limited to 4096 bytes");

// An operation of a group: a functor of `count` values.
struct FusedStep {
  int number, operation, compute, code, count;
  int from[3];
};

// A value that is read or stored.
struct FusedOperand {
  int number, code;
};

// Calls f with the operand capacity of records, as a constant.
template <class F>
int by_operands(int operands, const F& f) {
  return with_constant<4, 8, 16, MAX_FUSED_OPERANDS>(fused_bucket(operands), f);
}

// Operands are the inputs, then the outputs. An input without an address is a constant.
struct FusedWork : Axes<MAX_FUSED_OPERANDS> {
  int inputs, steps;
  char* data[MAX_FUSED_OPERANDS];
  int itemsizes[MAX_FUSED_OPERANDS];
  char scalars[MAX_FUSED_OPERANDS][16];

  // Set by plan().
  long long n;      // number of elements, or of packs if not `runs`
  unsigned single;  // bit k: input k is one element
  bool runs;        // the other operands are contiguous; kernels then have no axes
  bool vector;      // operands are loaded and stored in packs
  bool wide;
  int bucket;  // NDIM of the kernel
  int pack;    // elements of a pack

  void add_axis(ptrdiff_t size, const ptrdiff_t* strides) {
    Axis<MAX_FUSED_OPERANDS> axis = {size, {}};
    std::copy(strides, strides + operands, axis.strides);
    add(axis);
  }

  // `wanted`: the pack of the reduction; 0 if elements are stored.
  void plan(int wanted = 0) {
    for (int i = 0; i < ndim; i++) {
      if (axes[i].strides[inputs] >= 0) continue;
      for (int k = 0; k < operands; k++) {
        if (data[k]) data[k] += axes[i].extent(k);
      }
      axes[i].reverse();
    }
    sort(inputs);
    collapse();
    n = size();
    single = 0;
    int widest = 1;
    for (int k = 0; k < operands; k++) {
      if (k < inputs && is_single(k)) {
        single |= 1u << k;
      } else {
        widest = std::max(widest, itemsizes[k]);
      }
    }
    runs = ndim <= 1;
    for (int k = 0; k < operands && ndim == 1; k++) {
      runs &= is_element(k) || axes[0].strides[k] == itemsizes[k];
    }
    pack = wanted ? wanted : pack_of_fused(widest, true, steps);
    vector = runs ? runs_are_aligned() : packs_are_aligned();
    if (!vector) pack = 1;
    if (!runs) divide_innermost();
    wide = n >= (1LL << 31);
    bucket = ndim <= 2 ? 2 : ndim <= 4 ? 4 : 8;
  }

  // Launches a reduction that computes the elements.
  int launch(const Launch& launch, const Reduction& reduction) const {
    return reduction.many_axes ? launch_reduction<MAX_NDIM + 1>(launch, reduction)
                               : launch_reduction<4>(launch, reduction);
  }

  int launch(const Launch& launch) const {
    return by_operands(operands, [&](auto count) {
      if (runs) {
        FusedArguments<count> arguments;
        fill(arguments);
        return launch(&arguments, ceil_div(n, ptrdiff_t(pack) * THREADS));
      }
      return by_bucket(bucket, [&](auto axes) { return launch_box<axes, count>(launch); });
    });
  }

 private:
  bool is_element(int k) const { return k < inputs && (single >> k & 1); }

  bool is_single(int k) const {
    for (int i = 0; i < ndim; i++) {
      if (axes[i].strides[k] != 0) return false;
    }
    return true;
  }

  bool runs_are_aligned() const {
    for (int k = 0; k < operands; k++) {
      if (!is_element(k) && reinterpret_cast<uintptr_t>(data[k]) % 16 != 0) return false;
    }
    return true;
  }

  // Whether the innermost axis has whole, aligned packs.
  bool packs_are_aligned() const {
    const Axis<MAX_FUSED_OPERANDS>& last = innermost();
    if (last.size % pack != 0) return false;
    for (int k = 0; k < operands; k++) {
      if (is_element(k) || (k < inputs && last.strides[k] == 0)) continue;
      const ptrdiff_t bytes = std::min(pack * itemsizes[k], 16);
      if (last.strides[k] != itemsizes[k] || !are_multiples(k, bytes, ndim - 1) ||
          reinterpret_cast<uintptr_t>(data[k]) % uintptr_t(bytes) != 0) {
        return false;
      }
    }
    return true;
  }

  // Makes packs the elements of the innermost axis.
  void divide_innermost() {
    Axis<MAX_FUSED_OPERANDS>& last = innermost();
    last.size /= pack;
    for (ptrdiff_t& stride : last.strides) stride *= pack;
    n /= pack;
  }

  template <class Arguments>
  void fill(Arguments& arguments) const {
    arguments.n = n;
    for (int k = 0; k < operands; k++) {
      arguments.operands[k].data = data[k];
      if (!data[k]) std::memcpy(arguments.operands[k].scalar, scalars[k], 16);
    }
  }

  template <int NDIM, int OPERANDS>
  void fill_box(FusedBoxArguments<NDIM, OPERANDS>& arguments) const {
    fill(arguments);
    arguments.ndim = ndim;
    for (int i = 0; i < ndim; i++) {
      arguments.axes[i] = iteration_axis<OPERANDS>(axes[i]);
    }
  }

  template <int AXES>
  int launch_reduction(const Launch& launch, const Reduction& reduction) const {
    return by_operands(operands, [&](auto count) {
      if (runs) {
        FusedReduceArguments<ReduceArguments<AXES>, FusedArguments<count>> arguments;
        fill(arguments.elements);
        return reduction.launch_record(launch, arguments);
      }
      return by_bucket(bucket, [&](auto axes) {
        FusedReduceArguments<ReduceArguments<AXES>, FusedBoxArguments<axes, count>> arguments;
        fill_box(arguments.elements);
        return reduction.launch_record(launch, arguments);
      });
    });
  }

  template <int NDIM, int OPERANDS>
  int launch_box(const Launch& launch) const {
    FusedBoxArguments<NDIM, OPERANDS> arguments;
    fill_box(arguments);
    return launch(&arguments, ceil_div(n, THREADS));
  }
};

}  // namespace corepy
