#include "table.hpp"

#include <cstring>

#include "kernels.hpp"
#include "types.hpp"

namespace corepy {

// setup.py lists the instruction sets that this build compiles the kernels for, as X(avx2).
inline namespace COREPY_TARGET {}
#define X(name)        \
  namespace name {     \
  void fill(Kernels&); \
  } /* simd/kernels.cpp */
COREPY_COMPILED_TARGETS
#undef X

namespace {

// The dtype in which an operation computes. Reductions take their input unchanged (their loops
// widen while they accumulate), and so do predicates (isnan, ...), which give the same result
// before and after a cast; otherwise operands are cast to the result's dtype. Halves are cast to
// float32, but where elements are only chosen, or are neighbours in the dtype.
Dtype compute_dtype(const OperationInfo& info, Dtype dtype) {
  const ptrdiff_t operation = &info - operations;
  const bool of_bits =
      operation == OP_where || operation == OP_nextafter || operation == OP_spacing;
  if (is_half(dtype) && !of_bits) return DTYPE_float32;
  if (info.shape == SHAPE_reduce) return dtype;
  switch (info.result) {
    case RESULT_arithmetic:
    case RESULT_floating:
    case RESULT_accumulate:
      return result_dtype(info.result, dtype);
    default:
      return dtype;
  }
}

// Sets everything but the loops: the same for every instruction set.
void fill_rules(Kernels& kernels) {
  for (int operation = 0; operation < OP_COUNT; operation++) {
    const OperationInfo& info = operations[operation];
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
      Entry& entry = kernels.table[operation][dtype];
      entry.loop = nullptr;
      entry.compute = entry.result = entry.stored = -1;
      if (accepts(info.category, Dtype(dtype))) {
        entry.compute = int8_t(compute_dtype(info, Dtype(dtype)));
        entry.result = int8_t(result_dtype(info.result, Dtype(dtype)));
        entry.stored = int8_t(result_dtype(info.result, Dtype(entry.compute)));
      }
    }
  }
}

// A dtype that is computed as another uses the other's loop.
void share_loops(Kernels& kernels) {
  for (auto& row : kernels.table) {
    for (Entry& entry : row) {
      entry.loop = entry.compute < 0 ? nullptr : row[entry.compute].loop;
    }
  }
}

struct Compiled {
  const char* name;
  void (*fill)(Kernels&);
};
#define X(name) {#name, name::fill},
constexpr Compiled compiled_levels[] = {COREPY_COMPILED_TARGETS};
#undef X

struct Level {
  const char* name;
  bool (*available)();  // whether this processor has it
};

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif
bool always() { return true; }

// The levels of this architecture, the lowest first.
constexpr Level all_levels[] = {
    {"scalar", always},
#if defined(__aarch64__)
    {"neon", always},
#else
    {"baseline", always},
#endif
#if defined(__x86_64__)
    {"avx2", has_avx2},
    {"avx512", has_avx512},
#endif
};
constexpr int MAX_LEVELS = sizeof(all_levels) / sizeof(Level);

const Compiled* find_compiled(const char* name) {
  for (const Compiled& level : compiled_levels) {
    if (std::strcmp(level.name, name) == 0) return &level;
  }
  return nullptr;
}

// The tables are filled at run time: loops cannot be listed in a constant expression without naming
// every template instance twice. A level's are filled when it is first used: its kernels are in all
// parts of the library, which are read from the disk then.
struct Levels {
  Kernels kernels[MAX_LEVELS];
  const Compiled* compiled[MAX_LEVELS];
  bool filled[MAX_LEVELS] = {};
  int count = 0;
  int in_use = 0;

  Levels() {
    for (const Level& level : all_levels) {
      if (!level.available()) break;
      if (const Compiled* const found = find_compiled(level.name)) compiled[count++] = found;
    }
    if (count) use(count - 1);
  }

  void use(int index) {
    if (!filled[index]) {
      fill_rules(kernels[index]);
      compiled[index]->fill(kernels[index]);
      share_loops(kernels[index]);
      filled[index] = true;
    }
    in_use = index;
  }
};

Levels levels;

}  // namespace

const Kernels& kernels() { return levels.kernels[levels.in_use]; }

const char* simd_level(int index) {
  return index >= 0 && index < levels.count ? levels.compiled[index]->name : nullptr;
}

const char* simd_known(int index) {
  return index >= 0 && index < MAX_LEVELS ? all_levels[index].name : nullptr;
}

bool simd_supported(const char* name) {
  for (const Level& level : all_levels) {
    if (std::strcmp(level.name, name) == 0) return level.available();
  }
  return false;
}

bool simd_compiled(const char* name) { return find_compiled(name) != nullptr; }

const char* simd_in_use() { return levels.compiled[levels.in_use]->name; }

bool use_simd(const char* name) {
  for (int i = 0; i < levels.count; i++) {
    if (std::strcmp(name, levels.compiled[i]->name) == 0) {
      levels.use(i);
      return true;
    }
  }
  return false;
}

kernel cast_kernel(Dtype from, Dtype to) { return kernels().casts[from][to]; }

const Entry& entry(Operation operation, Dtype promoted) {
  return kernels().table[operation][promoted];
}

bool reduce_identity(Operation operation, Dtype result, char* out) {
  // Zero and false are all bits zero in every dtype.
  std::memset(out, 0, size_t(dtype_itemsize[result]));
  switch (operation) {
    case OP_sum:
    case OP_mean:
    case OP_any:
    case OP_count_nonzero:
      return true;
    case OP_all:
    case OP_prod:
      break;
    default:
      return false;
  }
  const Bool yes = true;
  char* const data[] = {out, reinterpret_cast<char*>(const_cast<Bool*>(&yes))};
  const ptrdiff_t steps[] = {0, 0};
  cast_kernel(DTYPE_bool, result)(1, data, steps);
  return true;
}

}  // namespace corepy
