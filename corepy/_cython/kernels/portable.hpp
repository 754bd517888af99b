// What operating systems do differently.
#pragma once

#include <cstddef>
#include <cstdlib>

#ifdef _WIN32
#include <malloc.h>
#else
#include <signal.h>
#endif

namespace corepy {

// Memory of the system, to be released by free_aligned(); nullptr if there is none.
inline void* allocate_aligned(size_t alignment, size_t nbytes) {
#ifdef _WIN32
  return _aligned_malloc(nbytes, alignment);
#else
  void* block = nullptr;
  return posix_memalign(&block, alignment, nbytes) == 0 ? block : nullptr;
#endif
}

inline void free_aligned(void* block) {
#ifdef _WIN32
  _aligned_free(block);
#else
  std::free(block);
#endif
}

// While it exists, threads that the calling thread starts get no signals: these are for the
// program's own threads. Windows delivers signals in threads of its own.
class SignalsBlocked {
 public:
#ifdef _WIN32
  SignalsBlocked() {}
  ~SignalsBlocked() {}
#else
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
#endif
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

#ifndef _WIN32
 private:
  sigset_t before;
#endif
};

}  // namespace corepy
