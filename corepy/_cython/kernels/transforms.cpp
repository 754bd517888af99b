// Short transforms, and those along an axis that is not the last, are computed many at a time, each
// in a lane of the vectors. Single rows of moderate length take passes over scratch memory that
// fits a cache. Long rows are computed as matrices, whose columns and then rows are short
// transforms (Bailey's four steps, Journal of Supercomputing 4, 1990), many at a time and shared by
// threads.
#include "transforms.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "kernels.hpp"
#include "threads.hpp"
#include "transform_plans.hpp"
#include "types.hpp"

namespace corepy {

namespace {

constexpr ptrdiff_t MAX_LANES = 64;                    // of a block of transforms
constexpr ptrdiff_t BLOCK_BYTES = ptrdiff_t(1) << 15;  // of its planes, where they are short
constexpr ptrdiff_t MAX_BYTES = ptrdiff_t(1) << 20;    // rows that need more do not use lanes
constexpr double GRAIN = 20000;                        // least nanoseconds of a chunk

constexpr ptrdiff_t REAL = sizeof(double), NUMBER = 2 * REAL;

ptrdiff_t round_up(ptrdiff_t n, ptrdiff_t to) { return (n + to - 1) / to * to; }

// Four planes of `rows` rows: two pairs, `a` and `b`.
struct PlanePairs {
  void *a[2], *b[2];

  PlanePairs(char* memory, ptrdiff_t numbers) {
    const ptrdiff_t plane = bytes(numbers) / 4;
    for (int i = 0; i < 2; i++) {
      a[i] = memory + i * plane;
      b[i] = memory + (2 + i) * plane;
    }
  }
  // Padded by a cache line, so that the same lines of all planes do not map to one cache set.
  static ptrdiff_t bytes(ptrdiff_t numbers) {
    return 4 * (round_up((numbers + 16) * REAL, 64) + 64);
  }
};

// Scratch memory for each thread that computes. If there are more threads than slots, a thread
// waits for a slot.
class Slots {
 public:
  Slots(char* memory, ptrdiff_t nbytes, int count)
      : memory(memory), nbytes(nbytes), free((~uint64_t(0)) >> (64 - count)) {}

  template <class Body>
  void with(Body body) {
    for (;;) {
      uint64_t seen = free.load(std::memory_order_relaxed);
      if (seen == 0) {
        std::this_thread::yield();
        continue;
      }
      const uint64_t rest = seen & (seen - 1);
      if (!free.compare_exchange_weak(seen, rest, std::memory_order_acquire)) continue;
      const Taken taken{free, seen & ~rest};
      return body(memory + __builtin_ctzll(taken.slot) * nbytes);
    }
  }

 private:
  struct Taken {
    std::atomic<uint64_t>& free;
    const uint64_t slot;
    ~Taken() { free.fetch_or(slot, std::memory_order_release); }
  };

  char* const memory;
  const ptrdiff_t nbytes;
  std::atomic<uint64_t> free;
};

void run_planes(const Transform& plan, ptrdiff_t lanes, PlanePairs& planes, bool inverse) {
  const auto exchange = [&] {
    std::swap(planes.a[0], planes.a[1]);
    std::swap(planes.b[0], planes.b[1]);
  };
  if (inverse) exchange();
  kernels().transforms.planes(plan.passes, lanes, planes.a, planes.b);
  if (plan.passes.count % 2) std::swap(planes.a, planes.b);
  if (inverse) exchange();
}

// ---- one row of complex numbers

// The row size of the matrix between the two halves of a long transform, such that rows do not all
// start in the same cache set.
ptrdiff_t matrix_pitch(const Transform& plan) { return round_up(plan.second->n, 8) + 8; }

ptrdiff_t steps_slot(const Transform& plan) {
  return PlanePairs::bytes(std::max(plan.first->n, plan.second->n) * plan.block);
}

void transform_steps(const Transform& plan, const void* in, bool in_single, void* out,
                     bool out_single, double scale, bool inverse, int slots, char* scratch) {
  const ptrdiff_t in_size = in_single ? NUMBER / 2 : NUMBER;
  const ptrdiff_t out_size = out_single ? NUMBER / 2 : NUMBER;
  const ptrdiff_t n1 = plan.first->n, n2 = plan.second->n, block = plan.block;
  const ptrdiff_t pitch = matrix_pitch(plan) * NUMBER;
  const TransformLoops& loops = kernels().transforms;
  char *const matrix = scratch, *const from = static_cast<char*>(const_cast<void*>(in)),
              *const to = static_cast<char*>(out);
  Slots memory(scratch + round_up(n1 * pitch, 64), steps_slot(plan), slots);
  const auto of_block = [&](ptrdiff_t start, ptrdiff_t n, ptrdiff_t step, ptrdiff_t* offsets) {
    const ptrdiff_t width = std::min(block, n - start);
    for (ptrdiff_t k = 0; k < width; k++) offsets[k] = (start + k) * step;
    return width;
  };
  parallel_for((n2 + block - 1) / block, [&](ptrdiff_t index) {
    memory.with([&](char* slot) {
      ptrdiff_t columns[16], places[16];
      const ptrdiff_t width = of_block(index * block, n2, in_size, columns);
      of_block(index * block, n2, NUMBER, places);
      PlanePairs planes(slot, n1 * block);
      loops.load_complex({in_single, n1, width, from, columns, n2 * in_size}, block,
                         planes.a[inverse], planes.a[!inverse]);
      run_planes(*plan.first, block, planes, false);
      loops.twiddle(n1, block, planes.a[0], planes.a[1], plan.roots.get() + index * n1 * 2,
                    plan.others.get());
      loops.store_complex({false, n1, width, matrix, places, pitch}, block, planes.a[0],
                          planes.a[1], 1.0);
    });
  });
  parallel_for((n1 + block - 1) / block, [&](ptrdiff_t index) {
    memory.with([&](char* slot) {
      ptrdiff_t rows[16], columns[16];
      const ptrdiff_t width = of_block(index * block, n1, pitch, rows);
      of_block(index * block, n1, out_size, columns);
      PlanePairs planes(slot, n2 * block);
      loops.load_complex({false, n2, width, matrix, rows, NUMBER}, block, planes.a[0], planes.a[1]);
      run_planes(*plan.second, block, planes, false);
      loops.store_complex({out_single, n2, width, to, columns, n1 * out_size}, block,
                          planes.a[inverse], planes.a[!inverse], scale);
    });
  });
}

void transform_chirp(const Transform& plan, const void* in, bool in_single, void* out,
                     bool out_single, double scale, bool inverse, int slots, char* scratch) {
  const ptrdiff_t n = plan.n, size = plan.first->n;
  const TransformLoops& loops = kernels().transforms;
  const double *const chirp = plan.roots.get(), *const other = plan.others.get();
  char *const row = scratch, *const rest = scratch + round_up(size * NUMBER, 64);
  loops.multiply(n, in, in_single, chirp, row, false, 1.0, inverse);
  std::memset(row + n * NUMBER, 0, size_t((size - n) * NUMBER));
  transform_row(*plan.first, row, false, row, false, 1.0, false, slots, rest);
  loops.multiply(size, row, false, other, row, false, 1.0, inverse);
  transform_row(*plan.first, row, false, row, false, 1.0, true, slots, rest);
  loops.multiply(n, row, false, chirp, out, out_single, scale, inverse);
}

}  // namespace

ptrdiff_t row_memory(const Transform& plan, int slots) {
  switch (plan.method) {
    case TransformMethod::steps:
      return round_up(plan.first->n * matrix_pitch(plan) * NUMBER, 64) + slots * steps_slot(plan);
    case TransformMethod::chirp:
      return round_up(plan.first->n * NUMBER, 64) + row_memory(*plan.first, slots);
    default:
      if (plan.passes.count < 2) return PlanePairs::bytes(plan.n * 16);
      return 4 * plan.passes.row_plane() * REAL;
  }
}

void transform_row(const Transform& plan, const void* in, bool in_single, void* out,
                   bool out_single, double scale, bool inverse, int slots, char* scratch) {
  switch (plan.method) {
    case TransformMethod::steps:
      return transform_steps(plan, in, in_single, out, out_single, scale, inverse, slots, scratch);
    case TransformMethod::chirp:
      return transform_chirp(plan, in, in_single, out, out_single, scale, inverse, slots, scratch);
    default:
      break;
  }
  const TransformLoops& loops = kernels().transforms;
  if (plan.passes.count >= 2) {
    return loops.row(plan.passes, in, in_single, out, out_single, scratch, scale, inverse);
  }
  const ptrdiff_t first = 0, lanes = loops.vector, n = plan.n;
  char *const from = static_cast<char*>(const_cast<void*>(in)), *const to = static_cast<char*>(out);
  PlanePairs planes(scratch, n * lanes);
  loops.load_complex({in_single, n, 1, from, &first, in_single ? NUMBER / 2 : NUMBER}, lanes,
                     planes.a[inverse], planes.a[!inverse]);
  run_planes(plan, lanes, planes, false);
  loops.store_complex({out_single, n, 1, to, &first, out_single ? NUMBER / 2 : NUMBER}, lanes,
                      planes.a[inverse], planes.a[!inverse], scale);
}

namespace {

// ---- rows of any kind

bool real_input(TransformKind kind) { return kind == TRANSFORM_REAL_FORWARD; }
bool real_output(TransformKind kind) { return kind == TRANSFORM_REAL_INVERSE; }
bool is_inverse(TransformKind kind) {
  return kind == TRANSFORM_INVERSE || kind == TRANSFORM_REAL_INVERSE;
}

// The method of a transform. It depends on size, layout and the size of vectors alone.
struct Schedule {
  const Transform& core;  // the transform of complex numbers
  ptrdiff_t positions;    // the number of transforms
  bool lanes;             // whether many are computed at a time
  ptrdiff_t width;        // how many
  ptrdiff_t slot;         // bytes of scratch memory of a thread
  int slots;
  bool shared;  // one row at a time: whether each is shared by threads
  double cost;  // nanoseconds of a transform, roughly

  Schedule(const Transform& plan, const TransformWork& work)
      : core(plan.real ? *plan.first : plan), positions(work.outer * work.inner) {
    const ptrdiff_t vector = kernels().transforms.vector, per_lane = (core.n + 1) * 4 * REAL;
    lanes = core.method == TransformMethod::passes &&
            (work.inner > 1 || core.passes.count < 2 ||
             (positions >= 4 && per_lane * vector <= MAX_BYTES));
    cost = double(plan.n) * (1 + std::log2(double(plan.n))) * (plan.real ? 0.2 : 0.4);
    shared =
        core.method == TransformMethod::steps ||
        (core.method == TransformMethod::chirp && core.first->method == TransformMethod::steps);
    if (lanes) {
      width = std::clamp(BLOCK_BYTES / per_lane / vector * vector, vector, MAX_LANES);
      width = std::min(width, round_up(positions, vector));
      slot = PlanePairs::bytes((core.n + 1) * width);
      slots =
          int(std::min<ptrdiff_t>(std::clamp(work.slots, 1, 64), (positions + width - 1) / width));
    } else {
      // The row as input and as output, and twice as complex numbers.
      width = 1;
      const int within = shared ? std::clamp(work.slots, 1, 64) : 1;
      slot = 2 * row_bytes(plan) + round_up(row_memory(core, within), 64);
      slots = shared ? within : int(std::min<ptrdiff_t>(std::clamp(work.slots, 1, 64), positions));
    }
  }

  static ptrdiff_t row_bytes(const Transform& plan) { return round_up((plan.n + 1) * NUMBER, 64); }
  ptrdiff_t memory() const { return slot * (shared && !lanes ? 1 : slots); }
};

// The offsets at which transforms start, in bytes.
struct Position {
  ptrdiff_t in, out;

  Position(const TransformWork& work, ptrdiff_t index) {
    const ptrdiff_t itemsize = work.single ? REAL / 2 : REAL;
    const ptrdiff_t outer = index / work.inner, inner = index % work.inner;
    in = outer * work.in_outer + inner * itemsize * (real_input(work.kind) ? 1 : 2);
    out = outer * work.out_outer + inner * itemsize * (real_output(work.kind) ? 1 : 2);
  }
};

void run_lanes(const Transform& plan, const Schedule& schedule, const TransformWork& work,
               ptrdiff_t start, char* scratch) {
  const TransformLoops& loops = kernels().transforms;
  const ptrdiff_t itemsize = work.single ? REAL / 2 : REAL, n = plan.n, half = n / 2;
  const ptrdiff_t width = std::min(schedule.width, schedule.positions - start);
  const ptrdiff_t lanes = round_up(width, loops.vector);
  ptrdiff_t in[MAX_LANES], out[MAX_LANES];
  for (ptrdiff_t k = 0; k < width; k++) {
    const Position position(work, start + k);
    in[k] = position.in;
    out[k] = position.out;
  }
  PlanePairs planes(scratch, (schedule.core.n + 1) * lanes);
  const ptrdiff_t real_step = work.inner * itemsize, complex_step = 2 * real_step;
  char* const data = const_cast<char*>(work.in);
  const bool inverse = is_inverse(work.kind);
  const auto rows_in = [&](ptrdiff_t count, ptrdiff_t step, ptrdiff_t from = 0) {
    return TransformRows{work.single, count, width, data + from, in, step};
  };
  const auto rows_out = [&](ptrdiff_t count, ptrdiff_t step, ptrdiff_t from = 0) {
    return TransformRows{work.single, count, width, work.out + from, out, step};
  };
  if (!plan.real) {
    loops.load_complex(rows_in(n, complex_step), lanes, planes.a[0], planes.a[1]);
    run_planes(schedule.core, lanes, planes, inverse);
    loops.store_complex(rows_out(n, complex_step), lanes, planes.a[0], planes.a[1], work.scale);
  } else if (!inverse) {
    if (n % 2) {
      loops.load_real(rows_in(n, real_step), lanes, planes.a[0]);
      std::memset(planes.a[1], 0, size_t(n * lanes * REAL));
    } else if (work.inner == 1) {
      loops.load_complex(rows_in(half, complex_step), lanes, planes.a[0], planes.a[1]);
    } else {
      loops.load_real(rows_in(half, complex_step), lanes, planes.a[0]);
      loops.load_real(rows_in(half, complex_step, real_step), lanes, planes.a[1]);
    }
    run_planes(schedule.core, lanes, planes, false);
    void** from = planes.a;
    if (n % 2 == 0) {
      loops.join_planes(half, lanes, planes.a, planes.b, plan.roots.get());
      from = planes.b;
    }
    loops.store_complex(rows_out(half + 1, complex_step), lanes, from[0], from[1], work.scale);
  } else {
    loops.load_complex(rows_in(half + 1, complex_step), lanes, planes.a[0], planes.a[1]);
    if (n % 2) {
      double *const real = static_cast<double*>(planes.a[0]), *const imag =
                                                                  static_cast<double*>(planes.a[1]);
      std::memset(imag, 0, size_t(lanes * REAL));
      for (ptrdiff_t i = 1; i <= half; i++) {
        std::memcpy(real + (n - i) * lanes, real + i * lanes, size_t(lanes * REAL));
        for (ptrdiff_t k = 0; k < lanes; k++) imag[(n - i) * lanes + k] = -imag[i * lanes + k];
      }
    } else {
      loops.split_planes(half, lanes, planes.a, planes.b, plan.roots.get());
      std::swap(planes.a, planes.b);
    }
    run_planes(schedule.core, lanes, planes, true);
    if (n % 2) {
      loops.store_real(rows_out(n, real_step), lanes, planes.a[0], work.scale);
    } else if (work.inner == 1) {
      loops.store_complex(rows_out(half, complex_step), lanes, planes.a[0], planes.a[1],
                          work.scale);
    } else {
      loops.store_real(rows_out(half, complex_step), lanes, planes.a[0], work.scale);
      loops.store_real(rows_out(half, complex_step, real_step), lanes, planes.a[1], work.scale);
    }
  }
}

// Copies strided elements to or from adjacent ones.
void copy_row(ptrdiff_t n, ptrdiff_t itemsize, char* out, ptrdiff_t out_step, const char* in,
              ptrdiff_t in_step) {
  const ptrdiff_t out_steps[] = {out_step}, in_steps[] = {in_step};
  kernels().copy_box(itemsize, 1, &n, out, out_steps, in, in_steps);
}

template <class T>
void conjugate_into(ptrdiff_t n, const Complex<T>* in, ptrdiff_t in_step, Complex<T>* out,
                    ptrdiff_t out_step) {
  for (ptrdiff_t k = 0; k < n; k++)
    out[k * out_step] = {in[k * in_step].real, -in[k * in_step].imag};
}

// For an odd number n: real numbers to complex ones; half a transform to the whole one; real parts.
template <class T>
void to_complex(ptrdiff_t n, const T* in, Complex<double>* out) {
  for (ptrdiff_t k = 0; k < n; k++) out[k] = {in[k], 0.0};
}
template <class T>
void complete(ptrdiff_t n, const Complex<T>* in, Complex<double>* out) {
  out[0] = {in[0].real, 0.0};
  for (ptrdiff_t k = 1; k <= n / 2; k++) {
    out[k] = {in[k].real, in[k].imag};
    out[n - k] = {in[k].real, -in[k].imag};
  }
}
template <class T>
void to_real(ptrdiff_t n, const Complex<double>* in, T* out) {
  for (ptrdiff_t k = 0; k < n; k++) out[k] = T(in[k].real);
}
template <class T>
void to_precision(ptrdiff_t n, const Complex<double>* in, Complex<T>* out) {
  for (ptrdiff_t k = 0; k < n; k++) out[k] = {T(in[k].real), T(in[k].imag)};
}

// An odd number of real elements in a row: as complex ones.
template <class T>
void run_odd_row(const Transform& core, ptrdiff_t n, const char* in, char* out, double scale,
                 bool inverse, int slots, Complex<double>* row, char* scratch) {
  if (inverse) {
    complete(n, reinterpret_cast<const Complex<T>*>(in), row);
  } else {
    to_complex(n, reinterpret_cast<const T*>(in), row);
  }
  transform_row(core, row, false, row, false, scale, inverse, slots, scratch);
  if (inverse) {
    to_real(n, row, reinterpret_cast<T*>(out));
  } else {
    to_precision(n / 2 + 1, row, reinterpret_cast<Complex<T>*>(out));
  }
}

void run_row(const Transform& plan, const Schedule& schedule, const TransformWork& work,
             ptrdiff_t index, int slots, char* scratch) {
  const TransformLoops& loops = kernels().transforms;
  const ptrdiff_t itemsize = work.single ? REAL / 2 : REAL, n = plan.n, half = n / 2;
  const bool single = work.single, inverse = is_inverse(work.kind);
  const Position position(work, index);
  char *const first = scratch, *const second = scratch + Schedule::row_bytes(plan);
  char* const rest = second + Schedule::row_bytes(plan);
  const ptrdiff_t kept = plan.real ? half + 1 : n;
  const ptrdiff_t in_size = real_input(work.kind) ? itemsize : 2 * itemsize;
  const ptrdiff_t out_size = real_output(work.kind) ? itemsize : 2 * itemsize;
  const ptrdiff_t in_count = real_input(work.kind) ? n : kept;
  const ptrdiff_t out_count = real_output(work.kind) ? n : kept;
  const char* in = work.in + position.in;
  char* out = work.out + position.out;
  if (work.inner > 1) {
    copy_row(in_count, in_size, first, in_size, in, work.inner * in_size);
    in = first;
    out = plan.real ? first : second;
  }
  if (!plan.real) {
    transform_row(schedule.core, in, single, out, single, work.scale, inverse, slots, rest);
  } else if (n % 2) {
    Complex<double>* const row = reinterpret_cast<Complex<double>*>(second);
    const auto run = single ? run_odd_row<float> : run_odd_row<double>;
    run(schedule.core, n, in, out, work.scale, inverse, slots, row, rest);
  } else if (inverse) {
    loops.split_row(half, in, single, second, plan.roots.get());
    transform_row(schedule.core, second, false, out, single, work.scale, true, slots, rest);
  } else {
    transform_row(schedule.core, in, single, second, false, work.scale, false, slots, rest);
    loops.join_row(half, second, out, single, plan.roots.get());
  }
  if (work.inner > 1) {
    copy_row(out_count, out_size, work.out + position.out, work.inner * out_size, out, out_size);
  }
}

}  // namespace

ptrdiff_t transform_memory(const Transform* plan, const TransformWork& work) {
  return Schedule(*plan, work).memory();
}

void transform(const Transform* plan, const TransformWork& work, char* scratch) {
  const Schedule schedule(*plan, work);
  if (!schedule.lanes && (schedule.shared || schedule.positions == 1)) {
    for (ptrdiff_t i = 0; i < schedule.positions; i++) {
      run_row(*plan, schedule, work, i, schedule.slots, scratch);
    }
    return;
  }
  const ptrdiff_t blocks = (schedule.positions + schedule.width - 1) / schedule.width;
  if (blocks == 1) {
    return schedule.lanes ? run_lanes(*plan, schedule, work, 0, scratch)
                          : run_row(*plan, schedule, work, 0, 1, scratch);
  }
  Slots memory(scratch, schedule.slot, schedule.slots);
  const ptrdiff_t grain =
      std::max<ptrdiff_t>(1, ptrdiff_t(GRAIN / (schedule.cost * double(schedule.width))));
  parallel_ranges(blocks, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
    memory.with([&](char* slot) {
      for (ptrdiff_t block = begin; block < end; block++) {
        if (schedule.lanes) {
          run_lanes(*plan, schedule, work, block * schedule.width, slot);
        } else {
          run_row(*plan, schedule, work, block, 1, slot);
        }
      }
    });
  });
}

void mirror_transform(bool single, ptrdiff_t outer, ptrdiff_t n, ptrdiff_t inner, char* out) {
  const ptrdiff_t count = (n - 1) / 2;
  const auto mirror = [&](auto* data) {
    if (inner == 1 && outer == 1) {
      return parallel_ranges(count, 8192, [&](ptrdiff_t begin, ptrdiff_t end) {
        conjugate_into(end - begin, data + 1 + begin, 1, data + n - 1 - begin, -1);
      });
    }
    parallel_ranges(outer, std::max<ptrdiff_t>(1, 8192 / (n * inner)),
                    [&](ptrdiff_t begin, ptrdiff_t end) {
                      for (ptrdiff_t i = begin; i < end; i++) {
                        auto* const row = data + i * n * inner;
                        for (ptrdiff_t k = 1; k <= count; k++) {
                          conjugate_into(inner, row + k * inner, 1, row + (n - k) * inner, 1);
                        }
                      }
                    });
  };
  single ? mirror(reinterpret_cast<Complex<float>*>(out))
         : mirror(reinterpret_cast<Complex<double>*>(out));
}

}  // namespace corepy
