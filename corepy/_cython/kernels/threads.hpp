// Threads for large work: the calling thread claims chunks of its own work, and idle workers claim
// others.
//
// No thread waits for one that is not scheduled: a late worker finds no chunk left, and the caller
// waits only for chunks that are being computed. Several threads may call at once. A call from
// within a chunk runs on the calling thread.
//
// An operation can be interrupted, as by Ctrl-C: between chunks, and at calls of
// check_interrupted() in chunks that take long. Then Interrupted is thrown in the calling thread,
// when no other thread computes a chunk of the call any more. Nothing else is thrown. So what a
// thread holds while it calls these functions must be released by a destructor.
//
// The number of workers, and the thread that computes a chunk, are not deterministic. Results must
// not depend on them: divide work by its size alone, and let chunks write to separate memory.
#pragma once

#include <chrono>
#include <cstddef>

namespace corepy {

// Thrown where an operation ends early.
struct Interrupted {};

// How often it is checked at most whether an operation is to end.
constexpr auto CHECK_INTERVAL = std::chrono::milliseconds(100);

// Whether operations of the calling thread may throw Interrupted; returns what was set before.
bool set_interruptible(bool on);

// Throws Interrupted if the operation that the calling thread computes, or a part of, is to end.
void check_interrupted();

// Sets the function that says whether operations of the calling thread are to end. `done` is the
// part of the current call of run_parallel() that is done.
void set_interruption(bool (*is_wanted)(double done));

// While an object exists, operations of the calling thread may throw Interrupted.
class Interruptible {
 public:
  Interruptible() : before(set_interruptible(true)) {}
  ~Interruptible() { set_interruptible(before); }

 private:
  const bool before;
};

// Calls body(context, chunk) once for each chunk in [0, chunks). Many chunks are shared with the
// workers immediately. With fewer the calling thread starts alone; it shares the remaining chunks
// once the time of the first ones predicts a gain, so little work wakes no worker. The caller takes
// chunks from the front, workers from the back. `worth_sharing` shares them immediately.
void run_parallel(ptrdiff_t chunks, void (*body)(void* context, ptrdiff_t chunk), void* context,
                  bool worth_sharing = false);

// The same for a function object. Chunks should take some 5 to 100 microseconds each.
//
//     parallel_for(chunks, [&](ptrdiff_t chunk) { ... });
template <class Body>
void parallel_for(ptrdiff_t chunks, Body&& body, bool worth_sharing = false) {
  if (chunks == 1) return body(ptrdiff_t(0));
  auto* const function = &body;
  using Function = decltype(function);
  run_parallel(
      chunks, [](void* context, ptrdiff_t chunk) { (**static_cast<Function*>(context))(chunk); },
      const_cast<void*>(static_cast<const void*>(&function)), worth_sharing);
}

// Calls body(begin, end) for consecutive ranges of [0, n) of `grain` each; the last may be shorter.
template <class Body>
void parallel_ranges(ptrdiff_t n, ptrdiff_t grain, Body&& body, bool worth_sharing = false) {
  if (n <= grain) {
    if (n > 0) body(ptrdiff_t(0), n);
    return;
  }
  const auto range = [&](ptrdiff_t chunk) {
    const ptrdiff_t begin = chunk * grain;
    body(begin, n - begin < grain ? n : begin + grain);
  };
  parallel_for((n + grain - 1) / grain, range, worth_sharing);
}

// Times the first elements of a call, to estimate the time of the remaining ones.
class Trial {
 public:
  Trial();
  ~Trial();

  // The number of elements of a short chunk, if `done` elements took the time since construction;
  // 0 if the remaining work should not be shared yet.
  ptrdiff_t chunk(ptrdiff_t done, ptrdiff_t left) const;

 private:
  bool counts;
  std::chrono::steady_clock::time_point start;
};

// The same if [0, n) may be divided anywhere. The time of the first `tried` elements decides: cheap
// work is divided into ranges of `grain`, costly work into shorter ones, shared immediately.
template <class Body>
void parallel_elements(ptrdiff_t n, ptrdiff_t tried, ptrdiff_t grain, Body&& body) {
  const Trial trial;
  body(ptrdiff_t(0), tried);
  const ptrdiff_t chunk = trial.chunk(tried, n - tried);
  const auto others = [&](ptrdiff_t begin, ptrdiff_t end) { body(tried + begin, tried + end); };
  parallel_ranges(n - tried, chunk > 0 && chunk < grain ? chunk : grain, others, chunk > 0);
}

// The number of threads of a call, including the calling one: the number that was set, otherwise
// the number of processors on which the calling thread may run, at most the default limit.
int num_threads();

// Sets the number for the whole process; 0: the number of processors.
void set_num_threads(int threads);

// Sets the default limit, from the quota of a control group (0: none).
void limit_num_threads(int threads);

// Limits the number of threads for calls of the calling thread (0: no limit); returns the limit
// before.
int limit_threads_of_caller(int threads);

}  // namespace corepy
