// Singletons of a process: the threads, the memory pool and the table of kernels.
//
// They are linked into the core. Other extension modules link runtime.cpp instead: the same
// functions, which call the core's.
#pragma once

#include "iterate.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "reduce.hpp"
#include "threads.hpp"

namespace corepy {

struct Runtime {
  decltype(&corepy::run_parallel) run_parallel;
  decltype(&corepy::num_threads) num_threads;
  decltype(&corepy::set_interruptible) set_interruptible;
  void (*check_interrupted)();
  decltype(&corepy::acquire_memory) acquire_memory;
  decltype(&corepy::release_memory) release_memory;
  decltype(&corepy::kernels) kernels;
  decltype(&corepy::apply) apply;
  decltype(&corepy::apply_contiguous) apply_contiguous;
  decltype(&corepy::copy) copy;
  decltype(&corepy::reduce) reduce;
  decltype(&corepy::reduce_jointly) reduce_jointly;
  decltype(&corepy::can_be_computed) can_be_computed;
  decltype(&corepy::reduce_row_tile) reduce_row_tile;
};

// The functions that an extension is linked with.
inline const Runtime& linked_runtime() {
  static constexpr Runtime runtime = {run_parallel,
                                      num_threads,
                                      set_interruptible,
                                      check_interrupted,
                                      acquire_memory,
                                      release_memory,
                                      kernels,
                                      apply,
                                      apply_contiguous,
                                      copy,
                                      reduce,
                                      reduce_jointly,
                                      can_be_computed,
                                      reduce_row_tile};
  return runtime;
}

// In an extension other than the core: sets the Runtime to call.
void use_runtime(const void* core);

}  // namespace corepy
