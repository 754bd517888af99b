// Kernels that do what is wrong, one for each argument: test_host.py runs them. What is right is all
// that real kernels do.
#include "cuda_on_host.hpp"

namespace {

struct Arguments {
  int* out;
};

constexpr int COUNT = 64;

struct Case {
  const char* name;
  corepy_host::Entry entry;
};
std::vector<Case> cases;

#define CASE_THAT(waits, name)                                            \
  struct name {                                                           \
    using Arguments = ::Arguments;                                        \
    static constexpr int THREADS = COUNT;                                 \
    static constexpr bool HAS_BARRIERS = waits;                                  \
    static void run(const Arguments& a);                                  \
  };                                                                      \
  COREPY_KERNEL(run_##name, name)                                         \
  const bool known_##name = (cases.push_back({#name, run_##name}), true); \
  void name::run([[maybe_unused]] const Arguments& a)
#define CASE(name) CASE_THAT(true, name)

int me() { return int(threadIdx.x); }
bool is_last() { return me() == COUNT - 1; }

CASE(unwritten) {
  __shared__ int values[COUNT];
  if (me() > 0) values[me()] = me();
  __syncthreads();
  a.out[me()] = values[me()];
}

CASE(read_before_wait) {  // what it reads is there where threads run one after the other
  __shared__ int values[COUNT];
  values[me()] = me();
  a.out[me()] = values[me() ? me() - 1 : 0];
}

CASE(written_after_read) {
  __shared__ int value;
  if (me() == 0) value = 1;
  __syncthreads();
  a.out[me()] = value;
  if (is_last()) value = 2;
}

CASE(written_by_two) {
  __shared__ int value;
  value = 3;
  __syncthreads();
  a.out[me()] = value;
}

CASE(across_warps) {
  __shared__ int values[COUNT];
  values[me()] = me();
  __syncwarp();
  a.out[me()] = values[(me() + 32) % COUNT];
}

CASE(shuffle_is_no_order) {
  __shared__ int values[COUNT];
  values[me()] = me();
  a.out[me()] = __shfl_sync(~0u, me(), 0);
  a.out[me()] += values[me() ^ 1];
}

CASE(atomic_and_not) {
  __shared__ int count;
  if (me() == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  a.out[me()] = count;
}

CASE(two_lines) {
  a.out[me()] = 0;
  if (me() < 32)
    __syncthreads();
  else
    __syncthreads();
}

CASE(never) {
  a.out[me()] = 0;
  if (me() == 5)
    __syncthreads();
  else
    __syncwarp();
}

CASE(outside) { a.out[me()] = __shfl_sync(0xffu, me(), 0); }

CASE_THAT(false, no_barriers) { __syncthreads(); }

}  // namespace

// Prints the output of the named case, or, with "orders" and a count, the orders in which threads
// run.
int main(int argc, char** argv) {
  if (argc == 3) {
    const int count = std::atoi(argv[2]);
    for (unsigned turn = 0; turn < 8; turn++) {
      for (int k = 0; k < count; k++) std::printf("%d ", corepy_host::in_order(k, count, turn));
      std::printf("\n");
    }
    return 0;
  }
  for (const Case& each : cases) {
    if (std::strcmp(each.name, argv[1]) != 0) continue;
    int out[COUNT] = {};
    Arguments arguments = {out};
    void* parameters[] = {&arguments};
    each.entry(parameters, {2, 1, 1}, {COUNT, 1, 1});
    for (int value : out) std::printf("%d ", value);
    return 0;
  }
  return 2;
}
