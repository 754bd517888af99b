#include "runtime.hpp"

namespace corepy {
namespace {

const Runtime* core;

}  // namespace

void use_runtime(const void* runtime) { core = static_cast<const Runtime*>(runtime); }

void run_parallel(ptrdiff_t chunks, void (*body)(void* context, ptrdiff_t chunk), void* context,
                  bool worth_sharing) {
  core->run_parallel(chunks, body, context, worth_sharing);
}

int num_threads() { return core->num_threads(); }

bool set_interruptible(bool on) { return core->set_interruptible(on); }

void check_interrupted() { core->check_interrupted(); }

void* acquire_memory(size_t nbytes, size_t* capacity) {
  return core->acquire_memory(nbytes, capacity);
}

void release_memory(void* block, size_t capacity) { core->release_memory(block, capacity); }

const Kernels& kernels() { return core->kernels(); }

const Entry& entry(Operation operation, Dtype promoted) {
  return kernels().table[operation][promoted];
}

kernel cast_kernel(Dtype from, Dtype to) { return kernels().casts[from][to]; }

void apply(kernel loop, int operands, int ndim, const ptrdiff_t* shape, const Argument* arguments) {
  core->apply(loop, operands, ndim, shape, arguments);
}

void apply_contiguous(kernel loop, int operands, ptrdiff_t n, char* const* data,
                      const ptrdiff_t* itemsizes) {
  core->apply_contiguous(loop, operands, n, data, itemsizes);
}

void copy(ptrdiff_t itemsize, int ndim, const ptrdiff_t* shape, char* out,
          const ptrdiff_t* out_strides, const char* in, const ptrdiff_t* in_strides) {
  core->copy(itemsize, ndim, shape, out, out_strides, in, in_strides);
}

bool reduce(Operation operation, Dtype input, Dtype result, int ndim, const ptrdiff_t* shape,
            const char* in, const ptrdiff_t* in_strides, const bool* reduced_axis, char* out,
            const ptrdiff_t* out_strides, double correction, const ElementSource* source) {
  return core->reduce(operation, input, result, ndim, shape, in, in_strides, reduced_axis, out,
                      out_strides, correction, source);
}

bool reduce_jointly(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                    const ptrdiff_t* in_strides, const bool* reduced_axis,
                    const ptrdiff_t* out_strides) {
  return core->reduce_jointly(count, reductions, ndim, shape, in_strides, reduced_axis,
                              out_strides);
}

bool can_be_computed(int count, const JointReduction* reductions, int ndim, const ptrdiff_t* shape,
                     const ptrdiff_t* in_strides, const bool* reduced_axis,
                     const ptrdiff_t* out_strides) {
  return core->can_be_computed(count, reductions, ndim, shape, in_strides, reduced_axis,
                               out_strides);
}

void reduce_row_tile(Operation operation, Dtype input, const Tile& tile, char* out,
                     ptrdiff_t out_step, ptrdiff_t itemsize, double correction, bool alone) {
  core->reduce_row_tile(operation, input, tile, out, out_step, itemsize, correction, alone);
}

}  // namespace corepy
