#include "threads.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace corepy {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// Work that is left is shared when it would take the caller this much longer alone, if a worker
// looks around already. Waking one costs the caller 2.5 microseconds, and the worker starts 2 to 4
// microseconds later (where idle processors sleep deeply, 80: it then finds less left to claim), so
// there must be more, or calls that are WORTH_SHARING must follow each other: the worker that is
// woken for one of them is still awake for those that come after it.
constexpr auto WORTH_SHARING = microseconds(6), WORTH_WAKING = microseconds(20);
constexpr int FOLLOWING = 4;

// How long the caller works before it judges what is left by what is done, because the first chunk
// alone takes longer than the others where it meets cold caches; and how long a chunk takes of work
// that a trial has measured.
constexpr auto MEASURED = microseconds(1);

// So many chunks are shared at once. A worker then still looks around when the next large operation
// follows; waking one that sleeps in an idle virtual processor has taken 80 microseconds here.
constexpr ptrdiff_t PLENTY = 32;

// How long a worker looks for more work before it sleeps: the next operation of a Python program
// mostly comes within a microsecond or two.
constexpr auto LOOK_AROUND = microseconds(25);

// How long a caller looks at the chunks that workers still compute before it sleeps.
constexpr auto LAST_CHUNKS = 2 * LOOK_AROUND;

constexpr int MAX_WORKERS = 1023;
constexpr int MAX_JOBS = 64;  // calls that share work at once; one more runs alone

// A ticket is a job's generation and the chunks [first, end) that nobody has claimed, 16 bits each.
// Claiming a chunk exchanges the whole ticket, so a worker that has read an earlier job out of the
// same slot cannot claim from a later one. The caller claims from the front and workers from the
// back: each goes through memory in order, mostly through what its caches hold from the last call.
constexpr uint64_t PART = 0xFFFF;
constexpr uint64_t ONE_FIRST = 1, ONE_END = uint64_t(1) << 16, GENERATION = uint64_t(1) << 32;
constexpr uint64_t CLOSED = GENERATION - 1;  // none left
constexpr ptrdiff_t MOST_CHUNKS = 0x8000;    // more are claimed several at a time

ptrdiff_t first_of(uint64_t ticket) { return ptrdiff_t(ticket & PART); }
ptrdiff_t end_of(uint64_t ticket) { return ptrdiff_t(ticket / ONE_END & PART); }

// Jobs live in static slots and not with their callers, because a worker may look at one at any
// time later. For the same reason each field is atomic: what a worker has read counts only if it
// then claims a chunk.
struct alignas(64) Job {
  std::atomic<uint64_t> ticket{CLOSED};
  std::atomic<void (*)(void*, ptrdiff_t)> body{nullptr};
  std::atomic<void*> context{nullptr};
  std::atomic<int> helpers{0};     // workers with a number below this may join
  std::atomic<int> processor{-1};  // where its caller runs
  std::atomic<int> caller{0};      // the system's number of the caller's thread
  std::atomic<bool> taken{false};
  alignas(64) std::atomic<uint64_t> done{0};  // chunks that workers have finished
  std::atomic<bool> awaited{false};           // its caller sleeps until they have
};

struct Pool {
  std::mutex mutex;
  std::condition_variable wake, finished;
  std::atomic<uint32_t> published{0};  // counts jobs, so that no worker sleeps over a new one
  std::atomic<int> sleepers{0};
  std::atomic<int> workers{0};
  bool refused = false;  // the system has no more threads to give
};

Job jobs[MAX_JOBS];
std::atomic<int> wanted{0};  // what set_num_threads() was given
std::atomic<int> default_limit{0};
thread_local int own_limit = 0;    // what limit_own_threads() was given
thread_local bool inside = false;  // this thread computes a chunk
thread_local int own_number = 0;   // the system's id of this thread, once it was queried

// In static memory and never destroyed: workers sleep in it while the process exits.
alignas(Pool) char pool_memory[sizeof(Pool)];
Pool& pool() { return *std::launder(reinterpret_cast<Pool*>(pool_memory)); }

// A fork while another thread holds the mutex would leave it locked in the child for ever.
void before_fork() { pool().mutex.lock(); }

void after_fork_in_parent() { pool().mutex.unlock(); }

// The child has one thread, the one that forked, and what the others were doing is not finished by
// anybody. It starts anew; tickets go on, as ever.
void after_fork_in_child() {
  new (pool_memory) Pool;
  own_number = 0;
  for (Job& job : jobs) {
    job.ticket = (job.ticket | CLOSED) + GENERATION;
    job.done = 0;
    job.awaited = false;
    job.taken = false;
  }
}

// Before anybody can fork while it is being made.
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

// Waits for `ready()` with open eyes, but not for long.
template <class Ready>
bool look_for(microseconds limit, Ready ready) {
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

// Whether work of a call, begun at `start`, is shared when what is left would take so much longer.
bool is_worth_sharing(Clock::duration left, Clock::time_point start) {
  if (left < WORTH_SHARING) return false;
  if (left >= WORTH_WAKING || is_awake(pool())) return true;
  thread_local Clock::time_point before;
  thread_local int following = 0;
  if (start != before) {
    following = start - before < WORTH_WAKING + LOOK_AROUND ? following + 1 : 0;
    before = start;
  }
  return following >= FOLLOWING;
}

// Wakes up to two sleepers; each that finds work does the same, so that the caller pays for little.
void wake_workers(Pool& pool) {
  if (pool.sleepers == 0) return;
  // A worker that has made up its mind to sleep holds the mutex until it does.
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
  }
  pool.wake.notify_one();
  if (pool.sleepers > 1) pool.wake.notify_one();
}

// The processor that the calling thread runs on, or -1.
int current_processor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// The calling thread, as the system numbers it.
int current_thread() {
#ifdef __linux__
  if (own_number == 0) own_number = int(syscall(SYS_gettid));
#endif
  return own_number;
}

// Moves the calling worker away from its caller's processor, and keeps it away. The scheduler may
// wake a worker there though others are idle, and then alternates between the two for milliseconds.
//
// The worker gets back the processor that it left before, unless somebody has taken that away since
// (taskset): then the caller may not run there any more, or the worker's processors are not those
// that were set here.
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
    body(context, last);
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
    if (look_for(LOOK_AROUND, more)) continue;
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
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
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
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
  const uint64_t generation = (job.ticket & ~CLOSED) + GENERATION;
  job.ticket = generation | CLOSED;
  job.body.store(body, std::memory_order_release);
  job.context.store(context, std::memory_order_release);
  job.helpers.store(threads - 1, std::memory_order_release);
  job.processor.store(current_processor(), std::memory_order_relaxed);
  job.caller.store(current_thread(), std::memory_order_relaxed);
  job.done = 0;
  job.ticket = generation | uint64_t(end) * ONE_END | uint64_t(begin);
  pool.published++;
  const ptrdiff_t left = end - begin;
  start_workers(pool, left - 1 < threads - 1 ? int(left - 1) : threads - 1);
  wake_workers(pool);

  uint64_t own = 0;
  for (;;) {
    uint64_t ticket = job.ticket.load(std::memory_order_relaxed);
    if (first_of(ticket) >= end_of(ticket)) break;
    if (!job.ticket.compare_exchange_weak(ticket, ticket + ONE_FIRST)) continue;
    body(context, first_of(ticket));
    own++;
  }
  const uint64_t others = uint64_t(left) - own;
  const auto finished = [&] { return job.done == others; };
  if (!look_for(LAST_CHUNKS, finished)) {
    std::unique_lock<std::mutex> lock(pool.mutex);
    job.awaited = true;
    while (!finished()) pool.finished.wait(lock);
    job.awaited = false;
  }
  job.taken = false;
}

// Work of very many chunks, as work of fewer.
void run_bunches(ptrdiff_t chunks, void (*body)(void*, ptrdiff_t), void* context) {
  const ptrdiff_t size = (chunks + MOST_CHUNKS - 1) / MOST_CHUNKS;
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
    if (chunks > MOST_CHUNKS) return run_bunches(chunks, body, context);
    inside = true;
    worth_sharing |= chunks >= PLENTY;
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
    }
    inside = false;
  }
  for (; chunk < chunks; chunk++) body(context, chunk);
}

Trial::Trial() : counts(!inside && wanted != 1) {
  if (counts) start = Clock::now();
}

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
  if (set > 0) return limited(set, own_limit);
  const int limit = default_limit.load(std::memory_order_relaxed);
  return limited(limited(processors(), limit), own_limit);
}

void set_num_threads(int threads) {
  wanted = threads > MAX_WORKERS + 1 ? MAX_WORKERS + 1 : threads;
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().refused = false;
}

void limit_num_threads(int threads) { default_limit = threads; }

int limit_own_threads(int threads) { return std::exchange(own_limit, threads); }

}  // namespace corepy

// For threadpoolctl, which finds them by their names in the library.
extern "C" {
__attribute__((visibility("default"))) int corepy_get_num_threads() {
  return corepy::num_threads();
}
__attribute__((visibility("default"))) void corepy_set_num_threads(int threads) {
  if (threads > 0) corepy::set_num_threads(threads);
}
}
