// Threads for large work: the calling thread claims chunks of its own work, and idle workers join
// in if they are awake in time.
//
// Nobody waits for a thread that is not scheduled: a worker that comes late finds nothing left to
// claim, and the caller only waits for chunks that are being computed. Several threads may call at
// once; a call from within a chunk runs on the thread that makes it. Nothing here throws.
//
// Which thread computes a chunk, and whether there are any workers at all, is chance. Results must
// therefore not depend on it: cut work by its size alone, and let each chunk write what is its own.
#pragma once

#include <chrono>
#include <cstddef>

namespace corepy {

// Calls body(context, chunk) once for each chunk in [0, chunks). Very many chunks are shared at
// once. With fewer the calling thread starts alone, and shares what is left when the time that it
// has taken so far says that this pays: few or short ones wake nobody. The caller takes chunks from
// the front, workers from the back. They are shared at once where that is known to pay.
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

// Times the first elements of a call, to judge by them what is left.
class Trial {
 public:
  Trial();

  // How many elements make a short chunk, when `done` elements took the time since the beginning;
  // 0 when the rest had better not be shared (yet).
  ptrdiff_t chunk(ptrdiff_t done, ptrdiff_t left) const;

 private:
  bool counts;
  std::chrono::steady_clock::time_point start;
};

// The same where [0, n) may be cut anywhere, and the first `tried` elements say how: cheap work
// into ranges of `grain`, costly work into shorter ones, which are shared at once.
template <class Body>
void parallel_elements(ptrdiff_t n, ptrdiff_t tried, ptrdiff_t grain, Body&& body) {
  const Trial trial;
  body(ptrdiff_t(0), tried);
  const ptrdiff_t chunk = trial.chunk(tried, n - tried);
  const auto rest = [&](ptrdiff_t begin, ptrdiff_t end) { body(tried + begin, tried + end); };
  parallel_ranges(n - tried, chunk > 0 && chunk < grain ? chunk : grain, rest, chunk > 0);
}

// How many threads a call may use, the calling one included: what was set, or else the processors
// that the calling thread may run on, but no more than the default.
int num_threads();

// Sets it for the whole process; 0: as many as there are processors.
void set_num_threads(int threads);

// Sets what 0 stands for at most: the quota of a control group (0: no bound).
void limit_num_threads(int threads);

// Sets how many threads calls of the calling thread may use at most (0: no bound); returns what was
// set before.
int limit_own_threads(int threads);

}  // namespace corepy
