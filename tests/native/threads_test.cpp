// Stress test of threads.cpp without Python, to be run under ThreadSanitizer: many callers, calls
// within calls, changes of the number of threads, forks. Exits with 0 if every sum is right.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "threads.hpp"

namespace {

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::_Exit(1);
}

// Enough work per chunk that sharing pays, with each chunk writing only what is its own.
bool computes(uint64_t seed, ptrdiff_t chunks) {
  std::vector<uint64_t> out(size_t(chunks), 0);
  corepy::parallel_for(chunks, [&](ptrdiff_t chunk) {
    uint64_t value = seed + uint64_t(chunk);
    for (int i = 0; i < 3000; i++) value = value * 6364136223846793005u + 1442695040888963407u;
    out[size_t(chunk)] += value;
  });
  for (ptrdiff_t chunk = 0; chunk < chunks; chunk++) {
    uint64_t value = seed + uint64_t(chunk);
    for (int i = 0; i < 3000; i++) value = value * 6364136223846793005u + 1442695040888963407u;
    if (out[size_t(chunk)] != value) return false;
  }
  return true;
}

void many_callers(int callers, int calls) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < callers; caller++) {
    threads.emplace_back([&, caller] {
      for (int call = 0; call < calls; call++) {
        if (!computes(uint64_t(caller * calls + call), 1 + (caller + call) % 101)) wrong++;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  check(wrong == 0, "many callers");
}

// Every range is visited once, whatever the grain.
void ranges() {
  for (ptrdiff_t n :
       {0, 1, 5, 1000, 12345, 100000}) {  // the last: more chunks than a ticket counts
    for (ptrdiff_t grain : {1, 3, 1000, 20000}) {
      std::vector<int> seen(size_t(n), 0);
      corepy::parallel_ranges(n, grain, [&](ptrdiff_t begin, ptrdiff_t end) {
        for (; begin < end; begin++) seen[size_t(begin)]++;
      });
      for (int count : seen) check(count == 1, "ranges");
    }
  }
}

void nested() {
  std::atomic<ptrdiff_t> total{0};
  corepy::parallel_for(40, [&](ptrdiff_t) {
    check(computes(1, 3), "nested");
    corepy::parallel_for(5, [&](ptrdiff_t chunk) { total += chunk; });
  });
  check(total == 40 * 10, "nested total");
}

void forked_child() {
  const pid_t child = fork();
  check(child >= 0, "fork");
  if (child == 0) {
    bool right = true;
    for (int call = 0; call < 20; call++) right &= computes(uint64_t(call), 17);
    std::_Exit(right ? 0 : 1);
  }
  int status = 0;
  check(waitpid(child, &status, 0) == child && status == 0, "forked child");
}

}  // namespace

int main(int argc, char**) {
  for (int threads : {1, 2, 7}) {
    corepy::set_num_threads(threads);
    check(corepy::num_threads() == threads, "number of threads");
    for (int call = 0; call < 50; call++) check(computes(uint64_t(call), call), "one caller");
    ranges();
    nested();
    many_callers(16, 40);
  }
  // The number changes, and jobs come from more callers than have slots, all at once.
  std::atomic<bool> stop{false};
  std::thread changes([&] {
    for (int threads = 1; !stop; threads = threads % 9 + 1) {
      corepy::set_num_threads(threads);
      std::this_thread::yield();
    }
  });
  many_callers(80, 20);
  stop = true;
  changes.join();
  corepy::set_num_threads(4);
  // A fork while other threads compute. ThreadSanitizer cannot follow a child with threads of its
  // own, so it is left out there (any argument says so).
  if (argc == 1) {
    std::thread others([] { many_callers(8, 100); });
    for (int count = 0; count < 20; count++) forked_child();
    others.join();
  }
  std::puts("right");
  return 0;
}
