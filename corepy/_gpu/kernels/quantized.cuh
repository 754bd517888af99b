// Products of a quantized matrix and a vector.
#pragma once

#include "reduce_primitives.cuh"

namespace corepy {

// A warp multiplies a row of integers with a vector, in packs of V elements of one group. The terms
// are those of the definition: (q scale + minimum) x.
template <class In, int V>
struct MultiplyQuantized : KernelBase {
  static constexpr bool HAS_BARRIERS = true;
  using Arguments = QuantizedArguments;

  static COREPY_DEVICE float sum_of_row(const Arguments& arguments, int64 row) {
    const int64 groups = (arguments.columns + arguments.group - 1) / arguments.group;
    const char* const q = arguments.q + row * arguments.columns;
    float sum = 0;
    for (int64 i = int(threadIdx.x) % 32 * V; i < arguments.columns; i += 32 * V) {
      const auto pack = load_pack<In, V, true>(q + i);
      const auto x = load_pack<float, V, true>(arguments.x + i * int64(sizeof(float)));
      const int64 place = (row * groups + i / arguments.group) * int64(sizeof(float));
      const float scale = load<float>(arguments.scales + place);
      const float minimum = arguments.minimums ? load<float>(arguments.minimums + place) : 0;
#pragma unroll
      for (int k = 0; k < V; k++) sum += (float(pack.values[k]) * scale + minimum) * x.values[k];
    }
    return sum_of_warp(sum);
  }

  static COREPY_DEVICE void run(const Arguments& arguments) {
    constexpr int ROWS = THREADS / 32;
    for (int64 row = int64(blockIdx.x) * ROWS + threadIdx.x / 32; row < arguments.rows;
         row += int64(gridDim.x) * ROWS) {
      const float sum = sum_of_row(arguments, row);
      if (threadIdx.x % 32 == 0) store<float>(arguments.out + row * int64(sizeof(float)), sum);
    }
  }
};

}  // namespace corepy
