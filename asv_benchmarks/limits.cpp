// What the machine can do at best: the limits that benchmarks hold large operations against. A
// library of its own (limits.py compiles and loads it, for the machine that it runs on), so that
// nothing of it is in what users install.

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
#endif

// Bytes of the widest registers that this is compiled for, and how they are stored past the caches.
#ifdef __AVX512F__
#define COREPY_REGISTER 64
#define COREPY_STREAM _mm512_stream_pd
#elif defined(__AVX__)
#define COREPY_REGISTER 32
#define COREPY_STREAM _mm256_stream_pd
#elif defined(__x86_64__)
#define COREPY_REGISTER 16
#define COREPY_STREAM _mm_stream_pd
#else
#define COREPY_REGISTER 16
#define COREPY_STREAM ThroughCaches::store
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

typedef double Float64 __attribute__((vector_size(COREPY_REGISTER)));
typedef float Float32 __attribute__((vector_size(COREPY_REGISTER)));
constexpr ptrdiff_t LANES = COREPY_REGISTER / sizeof(double);

Float64 load(const double* x) { return *reinterpret_cast<const Float64*>(x); }

struct ThroughCaches {
  static void store(double* out, Float64 x) { *reinterpret_cast<Float64*>(out) = x; }
};
// Past the caches, where that is possible: a line that is overwritten whole need not be read first.
struct PastCaches {
  static void store(double* out, Float64 x) { COREPY_STREAM(out, x); }
};

double read(Share share) {
  Float64 sums[8] = {};
  ptrdiff_t i = 0;
  for (; i + 8 * LANES <= share.size; i += 8 * LANES) {
    for (int k = 0; k < 8; k++) sums[k] += load(share.x1 + i + k * LANES);
  }
  for (; i < share.size; i += LANES) sums[0] += load(share.x1 + i);
  for (int k = 1; k < 8; k++) sums[0] += sums[k];
  return sums[0][0] + sums[0][LANES - 1];
}

template <class Caches>
double fill(Share share) {
  for (ptrdiff_t i = 0; i < share.size; i += LANES) Caches::store(share.out + i, Float64{} + 2.0);
  return 0;
}

template <class Caches>
double copy(Share share) {
  for (ptrdiff_t i = 0; i < share.size; i += LANES) {
    Caches::store(share.out + i, load(share.x1 + i));
  }
  return 0;
}

template <class Caches>
double add(Share share) {
  for (ptrdiff_t i = 0; i < share.size; i += LANES) {
    Caches::store(share.out + i, load(share.x1 + i) + load(share.x2 + i));
  }
  return 0;
}

// Chains side by side: enough to hide the latency of two units, few enough for 16 registers. They
// start apart, or the compiler would see that they are one.
constexpr int CHAINS = 12;

template <class Vector, class Number>
double multiply_add(ptrdiff_t rounds) {
  Vector sums[CHAINS];
  for (int k = 0; k < CHAINS; k++) sums[k] = Vector{} + Number(k);
  const Vector factor = Vector{} + Number(0.75), term = Vector{} + Number(0.5);
  for (ptrdiff_t i = 0; i < rounds; i++) {
    for (Vector& sum : sums) sum = sum * factor + term;
  }
  for (int k = 1; k < CHAINS; k++) sums[0] += sums[k];
  return sums[0][0];
}

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
    const Pass through[] = {read, fill<ThroughCaches>, copy<ThroughCaches>, add<ThroughCaches>};
    const Pass past[] = {read, fill<PastCaches>, copy<PastCaches>, add<PastCaches>};
    passes_[0] = through[int(movement)], passes_[1] = past[int(movement)];
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
  Team team(threads);
  *float64 = multiply_adds(team, multiply_add<Float64, double>, LANES);
  *float32 = multiply_adds(team, multiply_add<Float32, float>, 2 * LANES);
  return team.size() == threads;
}
}
