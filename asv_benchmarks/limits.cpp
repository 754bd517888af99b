// What the machine can do at best: the limits that benchmarks hold large operations against. A
// library of its own (limits.py compiles and loads it), so that nothing of it is in what users
// install.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sched.h>
#include <sys/mman.h>
#endif
#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

// One array read; one written; one read, one written; two read, one written.
enum class Movement { read, fill, copy, add };

// A share of the arrays, in whole cache lines.
struct Share {
  double* out;
  const double* x1;
  const double* x2;
  ptrdiff_t size;
};
// Sums, or the result of a chain: what is not used need not be computed.
using Pass = double (*)(Share);
using ArithmeticLoop = double (*)(ptrdiff_t rounds);

constexpr size_t ALIGNMENT = size_t(2) << 20;  // of a huge page
constexpr ptrdiff_t LINE = 8;                  // float64 in a cache line
constexpr double SECONDS = 0.12;               // for each loop of arithmetic

// ---- stores through the caches

double fill_plainly(Share share) { return std::fill_n(share.out, share.size, 2.0), 0; }

double copy_plainly(Share share) { return std::copy_n(share.x1, share.size, share.out), 0; }

double add_plainly(Share share) {
  double* __restrict out = share.out;
  for (ptrdiff_t i = 0; i < share.size; i++) out[i] = share.x1[i] + share.x2[i];
  return 0;
}

// ---- loops with the registers of an instruction set

// Chains side by side: enough to hide the latency of two units, few enough for 16 registers.
constexpr int CHAINS = 12;

struct Loops {
  Pass read, fill, copy, add;
  ArithmeticLoop multiply_add_float64, multiply_add_float32;
  int bytes;  // of a register
};

// A macro, because a template cannot have the target of its argument. STORE goes past the caches
// where it can: a line that is overwritten whole need not be read first. Chains start apart, or the
// compiler would see that they are one.
#define COREPY_LOOPS(NAME, TARGET, FLOAT64, FLOAT32, STORE, MULTIPLY_ADD64, MULTIPLY_ADD32)     \
  struct NAME {                                                                                 \
    static constexpr int LANES = sizeof(FLOAT64) / sizeof(double);                              \
    TARGET static FLOAT64 at(const double* x) { return *reinterpret_cast<const FLOAT64*>(x); }  \
    TARGET static double read(Share share) {                                                    \
      FLOAT64 sums[8] = {};                                                                     \
      ptrdiff_t i = 0;                                                                          \
      for (; i + 8 * LANES <= share.size; i += 8 * LANES) {                                     \
        for (int k = 0; k < 8; k++) sums[k] += at(share.x1 + i + k * LANES);                    \
      }                                                                                         \
      for (; i < share.size; i += LANES) sums[0] += at(share.x1 + i);                           \
      for (int k = 1; k < 8; k++) sums[0] += sums[k];                                           \
      return sums[0][0] + sums[0][LANES - 1];                                                   \
    }                                                                                           \
    TARGET static double fill(Share share) {                                                    \
      const FLOAT64 value = FLOAT64{} + 2.0;                                                    \
      for (ptrdiff_t i = 0; i < share.size; i += LANES) STORE(share.out + i, value);            \
      return 0;                                                                                 \
    }                                                                                           \
    TARGET static double copy(Share share) {                                                    \
      for (ptrdiff_t i = 0; i < share.size; i += LANES) STORE(share.out + i, at(share.x1 + i)); \
      return 0;                                                                                 \
    }                                                                                           \
    TARGET static double add(Share share) {                                                     \
      for (ptrdiff_t i = 0; i < share.size; i += LANES) {                                       \
        STORE(share.out + i, at(share.x1 + i) + at(share.x2 + i));                              \
      }                                                                                         \
      return 0;                                                                                 \
    }                                                                                           \
    TARGET static double multiply_add_float64(ptrdiff_t rounds) {                               \
      FLOAT64 sums[CHAINS];                                                                     \
      for (int k = 0; k < CHAINS; k++) sums[k] = FLOAT64{} + double(k);                         \
      const FLOAT64 factor = FLOAT64{} + 0.75, term = FLOAT64{} + 0.5;                          \
      for (ptrdiff_t i = 0; i < rounds; i++) {                                                  \
        for (FLOAT64& sum : sums) sum = MULTIPLY_ADD64(sum, factor, term);                      \
      }                                                                                         \
      for (int k = 1; k < CHAINS; k++) sums[0] += sums[k];                                      \
      return sums[0][0];                                                                        \
    }                                                                                           \
    TARGET static double multiply_add_float32(ptrdiff_t rounds) {                               \
      FLOAT32 sums[CHAINS];                                                                     \
      for (int k = 0; k < CHAINS; k++) sums[k] = FLOAT32{} + float(k);                          \
      const FLOAT32 factor = FLOAT32{} + 0.75f, term = FLOAT32{} + 0.5f;                        \
      for (ptrdiff_t i = 0; i < rounds; i++) {                                                  \
        for (FLOAT32& sum : sums) sum = MULTIPLY_ADD32(sum, factor, term);                      \
      }                                                                                         \
      for (int k = 1; k < CHAINS; k++) sums[0] += sums[k];                                      \
      return sums[0][0];                                                                        \
    }                                                                                           \
    static constexpr Loops loops = {                                                            \
        read, fill, copy, add, multiply_add_float64, multiply_add_float32, sizeof(FLOAT64)};    \
  };

#ifdef __x86_64__

#define COREPY_AVX512 __attribute__((target("avx512f")))
#define COREPY_AVX2 __attribute__((target("avx2,fma")))
#define COREPY_ROUND_TWICE(a, b, c) ((a) * (b) + (c))
COREPY_LOOPS(Avx512, COREPY_AVX512, __m512d, __m512, _mm512_stream_pd, _mm512_fmadd_pd,
             _mm512_fmadd_ps)
COREPY_LOOPS(Avx2, COREPY_AVX2, __m256d, __m256, _mm256_stream_pd, _mm256_fmadd_pd, _mm256_fmadd_ps)
COREPY_LOOPS(Baseline, , __m128d, __m128, _mm_stream_pd, COREPY_ROUND_TWICE, COREPY_ROUND_TWICE)

const Loops& widest_loops() {
  if (__builtin_cpu_supports("avx512f")) return Avx512::loops;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Avx2::loops;
  return Baseline::loops;
}

#else

typedef double Float64 __attribute__((vector_size(16)));
typedef float Float32 __attribute__((vector_size(16)));

void store(double* out, Float64 x) { *reinterpret_cast<Float64*>(out) = x; }

#ifdef __aarch64__
#define COREPY_FUSED64(a, b, c) vfmaq_f64(c, a, b)
#define COREPY_FUSED32(a, b, c) vfmaq_f32(c, a, b)
COREPY_LOOPS(Neon, , float64x2_t, float32x4_t, store, COREPY_FUSED64, COREPY_FUSED32)
const Loops& widest_loops() { return Neon::loops; }
#else
#define COREPY_ROUND_TWICE(a, b, c) ((a) * (b) + (c))
COREPY_LOOPS(Generic, , Float64, Float32, store, COREPY_ROUND_TWICE, COREPY_ROUND_TWICE)
const Loops& widest_loops() { return Generic::loops; }
#endif

#endif

// ---- threads that begin together

// The processors that the calling thread may use. While two threads share one, which the scheduler
// may let them do for a tenth of a second, nothing is measured.
class Processors {
 public:
#ifdef __linux__
  Processors() {
    if (sched_getaffinity(0, sizeof(allowed_), &allowed_) != 0) return;
    for (int i = 0; i < CPU_SETSIZE; i++) {
      if (CPU_ISSET(i, &allowed_)) numbers_.push_back(i);
    }
  }

  // Keeps the calling thread on a processor of its own.
  void take(int part) const {
    if (part >= int(numbers_.size())) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(numbers_[part], &one);
    sched_setaffinity(0, sizeof(one), &one);
  }

  void give_back() const {
    if (!numbers_.empty()) sched_setaffinity(0, sizeof(allowed_), &allowed_);
  }

 private:
  cpu_set_t allowed_;
  std::vector<int> numbers_;
#else
  void take(int) const {}
  void give_back() const {}
#endif
};

class Team {
 public:
  // Has fewer threads than asked for where the system does not give more.
  explicit Team(int size) {
    try {
      for (int part = 1; part < size; part++) threads_.emplace_back([this, part] { work(part); });
    } catch (const std::system_error&) {
    }
    processors_.take(0);
  }

  ~Team() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    processors_.give_back();
  }

  int size() const { return int(threads_.size()) + 1; }

  // The seconds until function(part) is done for all parts.
  template <class Function>
  double seconds(Function function) {
    using Clock = std::chrono::steady_clock;
    task_ = &call<Function>;
    argument_ = &function;
    pending_ = size() - 1;
    const auto start = Clock::now();
    generation_++;
    total_ = total_ + function(0);
    while (pending_ != 0) std::this_thread::yield();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

 private:
  template <class Function>
  static double call(void* function, int part) {
    return (*static_cast<Function*>(function))(part);
  }

  // Workers spin: the time to wake a thread would be counted as memory time.
  void work(int part) {
    int done = 0;
    double total = 0;
    processors_.take(part);
    while (!stop_) {
      if (generation_ == done) {
        std::this_thread::yield();
        continue;
      }
      done++;
      total += task_(argument_, part);
      pending_--;
    }
    total_ = total;
  }

  const Processors processors_;
  std::vector<std::thread> threads_;
  double (*task_)(void*, int) = nullptr;
  void* argument_ = nullptr;
  std::atomic<int> generation_{0}, pending_{0};
  std::atomic<bool> stop_{false};
  std::atomic<double> total_{0};  // what is never used may not be computed
};

double* allocate(size_t nbytes) {
  void* block = nullptr;
  if (posix_memalign(&block, ALIGNMENT, nbytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  madvise(block, nbytes, MADV_HUGEPAGE);
#endif
  return static_cast<double*>(block);
}

double multiply_adds(Team& team, ArithmeticLoop loop, int lanes) {
  constexpr ptrdiff_t ROUNDS = 100000;
  double best = 1e30;
  for (double spent = 0; spent < SECONDS;) {
    const double taken = team.seconds([&](int) { return loop(ROUNDS); });
    best = std::min(best, taken);
    spent += taken;
  }
  return double(ROUNDS) * CHAINS * lanes * team.size() / best;
}

// A loop over arrays of `elements` float64 that only moves them.
class MemoryLoop {
 public:
  MemoryLoop(Movement movement, ptrdiff_t elements)
      : lines_(std::max<ptrdiff_t>(elements / LINE, 1)) {
    const Loops& loops = widest_loops();
    const Pass plain[] = {loops.read, fill_plainly, copy_plainly, add_plainly};
    const Pass past[] = {loops.read, loops.fill, loops.copy, loops.add};
    passes_[0] = plain[int(movement)], passes_[1] = past[int(movement)];
    for (double*& block : blocks_) {
      block = allocate(lines_ * LINE * sizeof(double));
      if (!block) return;
      std::fill_n(block, lines_ * LINE, 1.0);
    }
    ready_ = true;
  }
  ~MemoryLoop() {
    for (double* block : blocks_) std::free(block);
  }
  MemoryLoop(const MemoryLoop&) = delete;
  MemoryLoop& operator=(const MemoryLoop&) = delete;

  // The seconds of so many passes, with stores through the caches or past them, whichever is
  // faster. Negative when there is no memory for the arrays, or not so many threads to be had.
  double seconds(int threads, int count) const {
    Team team(threads);
    if (!ready_ || team.size() != threads) return -1;
    const auto time = [&](Pass pass) {
      return team.seconds([&](int part) {
        const ptrdiff_t begin = lines_ * part / threads * LINE;
        const ptrdiff_t end = lines_ * (part + 1) / threads * LINE;
        return pass({blocks_[0] + begin, blocks_[1] + begin, blocks_[2] + begin, end - begin});
      });
    };
    time(passes_[0]);  // wakes the workers
    double least = 1e30;
    for (Pass pass : passes_) {
      double sum = 0;
      for (int i = 0; i < count; i++) sum += time(pass);
      least = std::min(least, sum);
    }
    return least;
  }

 private:
  ptrdiff_t lines_;
  Pass passes_[2] = {};  // storing through the caches, and past them
  double* blocks_[3] = {};
  bool ready_ = false;
};

}  // namespace

extern "C" {

MemoryLoop* new_memory_loop(int movement, ptrdiff_t elements) {
  return new MemoryLoop(Movement(movement), elements);
}

void delete_memory_loop(MemoryLoop* loop) { delete loop; }

double memory_loop_seconds(const MemoryLoop* loop, int threads, int passes) {
  return loop->seconds(threads, passes);
}

// Measures, for a quarter of a second, how many multiplications with an addition that many threads
// do per second. False when there are not so many threads to be had.
bool measure_arithmetic(int threads, double* float64, double* float32) {
  const Loops& loops = widest_loops();
  Team team(threads);
  *float64 = multiply_adds(team, loops.multiply_add_float64, loops.bytes / int(sizeof(double)));
  *float32 = multiply_adds(team, loops.multiply_add_float32, loops.bytes / int(sizeof(float)));
  return team.size() == threads;
}
}
