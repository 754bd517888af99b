#include "threads.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sched.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "portable.hpp"

namespace corepy {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Remaining work is shared if the caller alone would need at least this long: MIN_REMAINING_AWAKE
// if a worker is spinning, MIN_REMAINING_ASLEEP if one must be woken. Waking costs the caller 2.5
// microseconds, and the worker starts 2 to 4 microseconds later (80 if the processor was in a deep
// idle state; fewer chunks are then left). Several calls of MIN_REMAINING_AWAKE in succession also
// wake one: after CALLS_BEFORE_WAKING of them it stays awake for the following ones.
constexpr auto MIN_REMAINING_AWAKE = microseconds(6), MIN_REMAINING_ASLEEP = microseconds(20);
constexpr int CALLS_BEFORE_WAKING = 4;

// Waking takes 10 times as long on some virtual machines, and data may have to move from one
// processor's cache to another's. So what sharing costs is measured, where the caller alone would
// need less than MEASURED_UP_TO: the excess over half that time, as a running mean over some
// COST_MEMORY calls. While that is more than sharing gains, work is not shared, and the mean falls
// by 1/COST_DECAY at each such call, until it is tried again.
constexpr auto MEASURED_UP_TO = microseconds(200);
constexpr int64_t COST_MEMORY = 4, COST_DECAY = 256;

// Time after which the caller estimates the remaining time from the chunks done so far: the first
// chunk alone takes longer if caches are cold. Also the time of a chunk of work that a Trial has
// measured.
constexpr auto MEASURED = microseconds(1);

// With this many chunks the work is shared immediately. A worker then still spins when the next
// large operation follows; waking one on an idle virtual processor has taken 80 microseconds.
constexpr ptrdiff_t SHARED_AT_ONCE = 32;

// Time for which an idle worker spins before it blocks: the next operation of a Python program
// usually follows within two microseconds.
constexpr auto SPIN_TIME = microseconds(25);

// Time for which a caller spins on unfinished chunks before it blocks.
constexpr auto CALLER_SPIN_TIME = 2 * SPIN_TIME;

constexpr int MAX_WORKERS = 1023;
constexpr int MAX_JOBS = 64;  // calls that share work at once; one more runs alone

// A ticket is a job's generation and the chunks [first, end) that are unclaimed, 16 bits each.
// Claiming a chunk exchanges the whole ticket, so a worker that has read an earlier job out of the
// same slot cannot claim from a later one. The caller claims from the front and workers from the
// back: each accesses memory in order, mostly memory that its caches hold from the last call.
constexpr uint64_t PART = 0xFFFF;
constexpr uint64_t ONE_FIRST = 1, ONE_END = uint64_t(1) << 16, GENERATION = uint64_t(1) << 32;
constexpr uint64_t CLOSED = GENERATION - 1;  // none left
constexpr ptrdiff_t MAX_CHUNKS = 0x8000;     // more are claimed several at a time

ptrdiff_t first_of(uint64_t ticket) { return ptrdiff_t(ticket & PART); }
ptrdiff_t end_of(uint64_t ticket) { return ptrdiff_t(ticket / ONE_END & PART); }

// Jobs are in static slots and not in their callers' frames, because a worker may read one at any
// later time. Each field is atomic for the same reason: values that a worker has read are valid
// only if it then claims a chunk.
struct alignas(64) Job {
  std::atomic<uint64_t> ticket{CLOSED};
  std::atomic<void (*)(void*, ptrdiff_t)> body{nullptr};
  std::atomic<void*> context{nullptr};
  std::atomic<int> helpers{0};     // workers with a number below this may join
  std::atomic<int> processor{-1};  // the caller's
  std::atomic<int> caller{0};      // the system's id of the caller's thread
  std::atomic<bool> taken{false};
  std::atomic<bool> ends{false};  // whether it was interrupted: chunks that are computed end early
  alignas(64) std::atomic<uint64_t> done{0};  // chunks that workers have finished
  std::atomic<bool> awaited{false};           // its caller is blocked until they have
};

struct Pool {
  std::mutex mutex;
  std::condition_variable wake, finished;
  std::atomic<uint32_t> published{0};  // counts jobs, so that no worker misses a new one
  std::atomic<int> sleepers{0};
  std::atomic<int> workers{0};
  bool refused = false;  // the system refused to create a thread
};

Job jobs[MAX_JOBS];
// Of sharing work, in nanoseconds: with sleeping workers, with awake ones.
std::atomic<int64_t> costs[2] = {};
std::atomic<int> wanted{0};  // the argument of set_num_threads()
std::atomic<int> default_limit{0};
thread_local int calling_limit = 0;  // the argument of limit_threads_of_caller()
thread_local bool inside = false;    // this thread computes a chunk
thread_local int thread_id = 0;      // the system's id of this thread, once it was queried

// What decides whether a thread ends an operation early.
struct Interruption {
  bool on = false;                          // in a thread that calls operations: whether they may
  Clock::time_point next;                   // when it is checked again
  const std::atomic<bool>* ends = nullptr;  // in a worker: of the job
};
thread_local Interruption interruption;
std::atomic<bool (*)(double)> interruption_wanted{nullptr};

constexpr ptrdiff_t UNKNOWN = -1;  // chunks that are done

// Throws Interrupted if the operation is to end. The check may call functions of Python, and these
// operations.
void check_interrupted(ptrdiff_t done, ptrdiff_t chunks) {
  Interruption& own = interruption;
  if (own.ends) {
    if (own.ends->load(std::memory_order_relaxed)) throw Interrupted();
    return;
  }
  if (!own.on) return;
  const auto now = Clock::now();
  if (now < own.next) return;
  const auto wanted = interruption_wanted.load(std::memory_order_relaxed);
  own.on = false;
  const bool ends = wanted && wanted(double(done) / double(chunks));
  own.on = true;
  own.next = Clock::now() + CHECK_INTERVAL;
  if (ends) throw Interrupted();
}

// Sets `inside` as long as it exists.
struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

// In static memory and never destroyed: workers block on it while the process exits.
alignas(Pool) char pool_memory[sizeof(Pool)];
Pool& pool() { return *std::launder(reinterpret_cast<Pool*>(pool_memory)); }

// A fork while another thread holds the mutex would leave it locked in the child.
void before_fork() { pool().mutex.lock(); }

void after_fork_in_parent() { pool().mutex.unlock(); }

// The child has only the thread that forked: chunks of other threads are lost. The pool is
// reinitialised; generations continue.
void after_fork_in_child() {
  pool().mutex.unlock();
  new (pool_memory) Pool;
  thread_id = 0;
  for (Job& job : jobs) {
    job.ticket = (job.ticket | CLOSED) + GENERATION;
    job.done = 0;
    job.awaited = false;
    job.taken = false;
  }
}

// Before any fork.
const bool made = [] {
  new (pool_memory) Pool;
  return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}();

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Spins until ready(), at most `limit`.
template <class Ready>
bool spin_until(microseconds limit, Ready ready) {
  if (ready()) return true;
  const auto end = Clock::now() + limit;
  do {
    for (int i = 0; i < 32; i++) {
      pause();
      if (ready()) return true;
    }
  } while (Clock::now() < end);
  return false;
}

// Whether a worker would see a new job without being woken.
bool is_awake(const Pool& pool) {
  return pool.workers.load(std::memory_order_relaxed) >
         pool.sleepers.load(std::memory_order_relaxed);
}

// What the caller expects of the work that it is about to share.
struct Expected {
  std::chrono::nanoseconds alone{0};  // the time that it would take; 0 if that is not known
  bool awake = false;
};
thread_local Expected expected;

// Whether sharing work that takes `left` alone gains more than it has cost before.
bool gains(Clock::duration left, bool awake) {
  std::atomic<int64_t>& cost = costs[awake];
  const int64_t before = cost.load(std::memory_order_relaxed);
  if (std::chrono::nanoseconds(left).count() / 2 < before) {
    cost.store(before - before / COST_DECAY, std::memory_order_relaxed);
    return false;
  }
  expected = {left < MEASURED_UP_TO ? left : Clock::duration::zero(), awake};
  return true;
}

// Notes the cost of sharing that took `spent`.
void note_cost(const Expected& work, Clock::duration spent) {
  std::atomic<int64_t>& mean = costs[work.awake];
  const int64_t most = std::chrono::nanoseconds(MEASURED_UP_TO).count() / 2;
  const int64_t cost = (std::chrono::nanoseconds(spent) - work.alone / 2).count();
  const int64_t bounded = cost < 0 ? 0 : cost > most ? most : cost;
  const int64_t before = mean.load(std::memory_order_relaxed);
  mean.store(before + (bounded - before) / COST_MEMORY, std::memory_order_relaxed);
}

// Whether to share the work of a call that began at `start` and would take `left` more alone.
bool is_worth_sharing(Clock::duration left, Clock::time_point start) {
  if (left < MIN_REMAINING_AWAKE) return false;
  const bool awake = is_awake(pool());
  if (left >= MIN_REMAINING_ASLEEP || awake) return gains(left, awake);
  thread_local Clock::time_point before;
  thread_local int following = 0;
  if (start != before) {
    following = start - before < MIN_REMAINING_ASLEEP + SPIN_TIME ? following + 1 : 0;
    before = start;
  }
  return following >= CALLS_BEFORE_WAKING && gains(left, true);
}

// Wakes up to two sleepers, each of which does the same if it finds work: the caller wakes at most
// two.
void wake_workers(Pool& pool) {
  if (pool.sleepers == 0) return;
  // A worker holds the mutex from its last check until it waits.
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
  }
  pool.wake.notify_one();
  if (pool.sleepers > 1) pool.wake.notify_one();
}

// The processor of the calling thread, or -1.
int current_processor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// The system's id of the calling thread.
int current_thread() {
#ifdef __linux__
  if (thread_id == 0) thread_id = int(syscall(SYS_gettid));
#endif
  return thread_id;
}

// Removes the caller's processor from the calling worker's affinity. The scheduler may wake a
// worker there although others are idle, and then alternates between the two for milliseconds.
//
// The processor that the worker left before is added again, unless the affinity was changed since
// (taskset): then the caller may not run there any more, or the worker's affinity is not the one
// that was set here.
void leave(int processor, int caller) {
#ifdef __linux__
  thread_local int left = -1;
  thread_local cpu_set_t last;
  cpu_set_t allowed, callers;
  if (processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof(allowed), &allowed) != 0 ||
      sched_getaffinity(caller, sizeof(callers), &callers) != 0) {
    return;
  }
  if (left >= 0 && CPU_ISSET(left, &callers) && CPU_EQUAL(&allowed, &last)) {
    CPU_SET(left, &allowed);
  }
  CPU_CLR(processor, &allowed);
  if (sched_setaffinity(0, sizeof(allowed), &allowed) != 0) return;
  left = processor;
  last = allowed;
#else
  (void)processor;
  (void)caller;
#endif
}

// Claims chunks until there are none, and notifies the caller of each.
bool help(Pool& pool, Job& job, int number) {
  bool found = false;
  for (;;) {
    uint64_t ticket = job.ticket.load(std::memory_order_acquire);
    auto* const body = job.body.load(std::memory_order_acquire);
    void* const context = job.context.load(std::memory_order_acquire);
    const ptrdiff_t first = first_of(ticket), last = end_of(ticket) - 1;
    if (first > last) return found;
    if (number >= job.helpers.load(std::memory_order_acquire)) return found;
    if (!found) {
      const int processor = current_processor();
      if (processor >= 0 && processor == job.processor.load(std::memory_order_relaxed)) {
        leave(processor, job.caller.load(std::memory_order_relaxed));
      }
    }
    if (!job.ticket.compare_exchange_weak(ticket, ticket - ONE_END)) continue;
    if (!found && first < last) wake_workers(pool);
    found = true;
    interruption.ends = &job.ends;
    try {
      body(context, last);
    } catch (const Interrupted&) {
    }
    job.done++;
    if (job.awaited) {
      {
        std::lock_guard<std::mutex> lock(pool.mutex);
      }
      pool.finished.notify_all();
    }
  }
}

void* work(void* argument) {
  const int number = int(reinterpret_cast<intptr_t>(argument));
  Pool& pool = corepy::pool();
  inside = true;
  for (;;) {
    const uint32_t seen = pool.published;
    bool found = false;
    for (Job& job : jobs) found |= help(pool, job, number);
    if (found) continue;
    const auto more = [&] { return pool.published != seen; };
    if (spin_until(SPIN_TIME, more)) continue;
    std::unique_lock<std::mutex> lock(pool.mutex);
    pool.sleepers++;
    while (!more()) pool.wake.wait(lock);
    pool.sleepers--;
  }
  return nullptr;
}

// Starts workers until there are `count`, or as many as the system allows.
void start_workers(Pool& pool, int count) {
  if (pool.workers >= count) return;
  std::lock_guard<std::mutex> lock(pool.mutex);
  if (pool.refused) return;
  const SignalsBlocked blocked;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  size_t stack = 0;
  pthread_attr_getstacksize(&attributes, &stack);
  if (stack < size_t(1) << 20) pthread_attr_setstacksize(&attributes, size_t(1) << 20);
  for (int number = pool.workers; number < count; number++) {
    pthread_t thread;
    void* const argument = reinterpret_cast<void*>(intptr_t(number));
    if (pthread_create(&thread, &attributes, work, argument) != 0) {
      pool.refused = true;
      break;
    }
#ifdef __linux__
    pthread_setname_np(thread, "corepy");
#endif
    pool.workers++;
  }
  pthread_attr_destroy(&attributes);
}

// Takes a free slot, or none.
Job* take_slot() {
  for (Job& job : jobs) {
    if (!job.taken.load(std::memory_order_relaxed) && !job.taken.exchange(true)) return &job;
  }
  return nullptr;
}

// Computes chunks from `begin` together with workers.
void share(Job& job, ptrdiff_t begin, ptrdiff_t end, void (*body)(void*, ptrdiff_t), void* context,
           int threads) {
  Pool& pool = corepy::pool();
  const Expected work = std::exchange(expected, {});  // calls within chunks have their own
  const bool measured = work.alone.count() > 0;
  const auto start = measured ? Clock::now() : Clock::time_point();
  const uint64_t generation = (job.ticket & ~CLOSED) + GENERATION;
  job.ticket = generation | CLOSED;
  job.body.store(body, std::memory_order_release);
  job.context.store(context, std::memory_order_release);
  job.helpers.store(threads - 1, std::memory_order_release);
  job.processor.store(current_processor(), std::memory_order_relaxed);
  job.caller.store(current_thread(), std::memory_order_relaxed);
  job.done = 0;
  job.ends.store(false, std::memory_order_relaxed);
  job.ticket = generation | uint64_t(end) * ONE_END | uint64_t(begin);
  pool.published++;
  const ptrdiff_t left = end - begin;
  start_workers(pool, left - 1 < threads - 1 ? int(left - 1) : threads - 1);
  wake_workers(pool);

  uint64_t computed = 0;  // by this thread
  const auto finish = [&] {
    const uint64_t others = uint64_t(left) - computed;
    const auto finished = [&] { return job.done == others; };
    if (!spin_until(CALLER_SPIN_TIME, finished)) {
      std::unique_lock<std::mutex> lock(pool.mutex);
      job.awaited = true;
      while (!finished()) pool.finished.wait(lock);
      job.awaited = false;
    }
    job.taken = false;
  };
  // Before an error is thrown on. (Not kept as an exception_ptr, which needs a newer libstdc++ than
  // wheels may.)
  const auto finish_early = [&] {
    // In a process that was forked meanwhile the chunks of workers are lost, and the slot is free.
    if ((job.ticket & ~CLOSED) != generation) return;
    job.ends.store(true, std::memory_order_relaxed);
    const uint64_t ticket = job.ticket.exchange(generation | CLOSED);
    computed += uint64_t(end_of(ticket) - first_of(ticket));  // those that nobody computes
    finish();
  };
  for (;;) {
    uint64_t ticket = job.ticket.load(std::memory_order_relaxed);
    if (first_of(ticket) >= end_of(ticket)) break;
    if (!job.ticket.compare_exchange_weak(ticket, ticket + ONE_FIRST)) continue;
    computed++;
    try {
      check_interrupted(end - (end_of(ticket) - first_of(ticket)), end);
      body(context, first_of(ticket));
    } catch (const Interrupted&) {
      finish_early();
      throw;
    } catch (const std::exception&) {  // as std::bad_alloc
      finish_early();
      throw;
    }
  }
  finish();
  if (measured) note_cost(work, Clock::now() - start);
}

// Groups chunks where there are more than MAX_CHUNKS.
void run_groups(ptrdiff_t chunks, void (*body)(void*, ptrdiff_t), void* context) {
  const ptrdiff_t size = (chunks + MAX_CHUNKS - 1) / MAX_CHUNKS;
  parallel_ranges(chunks, size, [&](ptrdiff_t begin, ptrdiff_t end) {
    for (ptrdiff_t chunk = begin; chunk < end; chunk++) body(context, chunk);
  });
}

int processors() {
#ifdef __linux__
  cpu_set_t few;
  if (sched_getaffinity(0, sizeof(few), &few) == 0) return CPU_COUNT(&few);
  for (int count = 2 * CPU_SETSIZE; count <= 64 * CPU_SETSIZE; count *= 2) {
    cpu_set_t* const many = CPU_ALLOC(count);
    if (!many) break;
    const size_t size = CPU_ALLOC_SIZE(count);
    const int found = sched_getaffinity(0, size, many) == 0 ? CPU_COUNT_S(size, many) : 0;
    CPU_FREE(many);
    if (found > 0) return found;
  }
#endif
  const int all = int(std::thread::hardware_concurrency());
  return all > 0 ? all : 1;
}

}  // namespace

void run_parallel(ptrdiff_t chunks, void (*body)(void* context, ptrdiff_t chunk), void* context,
                  bool worth_sharing) {
  ptrdiff_t chunk = 0;
  if (chunks > 1 && !inside && wanted != 1) {
    if (chunks > MAX_CHUNKS) return run_groups(chunks, body, context);
    const Inside within;
    if (!worth_sharing) expected = {};
    worth_sharing |= chunks >= SHARED_AT_ONCE;
    if (!worth_sharing) {
      const auto start = Clock::now();
      while (!worth_sharing && chunk < chunks) {
        body(context, chunk++);
        const auto spent = Clock::now() - start;
        if (spent < MEASURED) continue;
        worth_sharing = is_worth_sharing(spent * (chunks - chunk) / chunk, start);
      }
    }
    const int threads = worth_sharing ? num_threads() : 1;
    Job* const job = threads > 1 ? take_slot() : nullptr;
    if (job) {
      share(*job, chunk, chunks, body, context, threads);
      chunk = chunks;
    } else {
      expected = {};
    }
  }
  for (; chunk < chunks; chunk++) {
    check_interrupted(inside ? UNKNOWN : chunk, chunks);
    body(context, chunk);
  }
}

void check_interrupted() { check_interrupted(UNKNOWN, 1); }

bool set_interruptible(bool on) { return std::exchange(interruption.on, on); }

void set_interruption(bool (*is_wanted)(double)) { interruption_wanted = is_wanted; }

Trial::Trial() : counts(!inside && wanted != 1) {
  if (counts) start = Clock::now();
}

Trial::~Trial() { expected = {}; }

ptrdiff_t Trial::chunk(ptrdiff_t done, ptrdiff_t left) const {
  if (!counts) return 0;
  const auto spent = Clock::now() - start;
  if (!is_worth_sharing(spent * left / done, start)) return 0;
  return done * (MEASURED / (spent + std::chrono::nanoseconds(1)) + 1);
}

int num_threads() {
  const auto limited = [](int threads, int limit) {
    return limit > 0 && limit < threads ? limit : threads;
  };
  const int set = wanted.load(std::memory_order_relaxed);
  if (set > 0) return limited(set, calling_limit);
  const int limit = default_limit.load(std::memory_order_relaxed);
  return limited(limited(processors(), limit), calling_limit);
}

void set_num_threads(int threads) {
  wanted = threads > MAX_WORKERS + 1 ? MAX_WORKERS + 1 : threads;
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().refused = false;
}

void limit_num_threads(int threads) { default_limit = threads; }

int limit_threads_of_caller(int threads) { return std::exchange(calling_limit, threads); }

}  // namespace corepy

// For threadpoolctl, which finds these functions by name in the library.
extern "C" {
__attribute__((visibility("default"))) int corepy_get_num_threads() {
  return corepy::num_threads();
}
__attribute__((visibility("default"))) void corepy_set_num_threads(int threads) {
  if (threads > 0) corepy::set_num_threads(threads);
}
}
