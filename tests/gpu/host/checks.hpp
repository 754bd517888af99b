// What threads of a block must not do with `__shared__` memory, found while they run on the host:
//
//   - read what none of them has written,
//   - use the same of it, one of them writing, with no wait between the two.
//
// With COREPY_CHECKED the compiler puts a call before each access to memory (-fsanitize=
// kernel-address, which has no runtime of its own), and those are defined here. A byte remembers
// who wrote it and who has read it since, and how often they had waited. The order that threads
// happen to run in does not matter, so this finds races that give right results.
#pragma once

#if defined(COREPY_CHECKED)
#define COREPY_UNCHECKED __attribute__((no_sanitize("thread")))
#else
#define COREPY_UNCHECKED
#endif

#include <link.h>

namespace corepy_host {

// `__shared__` memory is what is local to threads of the host in this library.
struct Shared {
  char* begin = nullptr;
  size_t size = 0;
};
static Shared shared;
static thread_local volatile char anchor;

static int find_shared(dl_phdr_info* info, size_t, void*) {
  const auto here = reinterpret_cast<uintptr_t>(&find_shared);
  bool ours = false;
  size_t size = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& part = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    ours |= part.p_type == PT_LOAD && here - begin < part.p_memsz;
    if (part.p_type == PT_TLS) size = part.p_memsz;
  }
  if (ours) shared = {static_cast<char*>(info->dlpi_tls_data), size};
  return ours;
}

#if defined(COREPY_CHECKED)

struct Access {
  int thread;
  bool atomic;
  unsigned waits, warp_waits;
};
struct Byte {
  bool written;
  Access write, reads[2];
};
constexpr Access NOBODY = {-1, false, 0, 0};
static Byte bytes[size_t(96) << 10];
static bool in_atomic = false;

COREPY_UNCHECKED inline bool ordered(const Access& before, const Access& now) {
  return before.thread < 0 || before.thread == now.thread || before.waits < now.waits ||
         (before.thread / 32 == now.thread / 32 && before.warp_waits < now.warp_waits) ||
         (before.atomic && now.atomic);
}

// Sets the running thread; false if no block of waiting threads is running.
static bool accessing(Access& now);
[[noreturn]] inline void fail(const char* format, ...);

COREPY_UNCHECKED static void on_access(const void* at, size_t size, bool write) {
  const size_t first = size_t(static_cast<const char*>(at) - shared.begin);
  Access now = NOBODY;
  if (first >= shared.size || !accessing(now)) return;
  bool written = write;
  for (size_t i = first; i < first + size && i < shared.size; i++) {
    Byte& byte = bytes[i];
    written |= byte.written;
    const Access* other = ordered(byte.write, now) ? nullptr : &byte.write;
    if (write) {
      for (const Access& read : byte.reads) {
        if (!ordered(read, now)) other = &read;
      }
    }
    if (other) {
      fail("threads %d and %d use byte %zu of shared memory, one writes, and no wait is between",
           other->thread, now.thread, i);
    }
    if (write) {
      byte = {true, now, {NOBODY, NOBODY}};
    } else {
      byte.reads[ordered(byte.reads[0], now) ? 0 : 1] = now;
    }
  }
  // Structures may have gaps.
  if (!written) fail("reads byte %zu of shared memory, which was not written", first);
}

COREPY_UNCHECKED inline void forget_accesses() {
  if (shared.size > sizeof(bytes) / sizeof(Byte)) fail("%zu bytes of shared memory", shared.size);
  for (size_t i = 0; i < shared.size; i++) bytes[i] = {false, NOBODY, {NOBODY, NOBODY}};
}

struct Atomic {
  COREPY_UNCHECKED Atomic() { in_atomic = true; }
  COREPY_UNCHECKED ~Atomic() { in_atomic = false; }
};

#else

struct Atomic {
  Atomic() {}
};
inline void forget_accesses() {}

#endif

// Before each block: kernels must not depend on the initial contents of shared memory.
COREPY_UNCHECKED inline void clear_shared() {
  anchor = 1;  // allocates the memory for this thread of the host
  char* const address = const_cast<char*>(&anchor);
  if (size_t(address - shared.begin) >= shared.size) dl_iterate_phdr(find_shared, nullptr);
  std::memset(shared.begin, 0xA5, shared.size);
  forget_accesses();
}

}  // namespace corepy_host

#if defined(COREPY_CHECKED)
#define COREPY_HOOK(result, name, ...)                                                    \
  extern "C" COREPY_UNCHECKED __attribute__((visibility("hidden"))) result __tsan_##name( \
      __VA_ARGS__)
#define COREPY_HOOKS(bytes)                                                              \
  COREPY_HOOK(void, read##bytes, void* at) { corepy_host::on_access(at, bytes, false); } \
  COREPY_HOOK(void, write##bytes, void* at) { corepy_host::on_access(at, bytes, true); } \
  COREPY_HOOK(void, unaligned_read##bytes, void* at) { __tsan_read##bytes(at); }         \
  COREPY_HOOK(void, unaligned_write##bytes, void* at) { __tsan_write##bytes(at); }
COREPY_HOOKS(1)
COREPY_HOOKS(2)
COREPY_HOOKS(4)
COREPY_HOOKS(8)
COREPY_HOOKS(16)
COREPY_HOOK(void, read_range, void* at, size_t size) { corepy_host::on_access(at, size, false); }
COREPY_HOOK(void, write_range, void* at, size_t size) { corepy_host::on_access(at, size, true); }
COREPY_HOOK(void, vptr_update, void**, void*) {}
COREPY_HOOK(void, vptr_read, void**) {}
COREPY_HOOK(void, init) {}
COREPY_HOOK(char, atomic8_load, const volatile char* at, int) { return *at; }  // guards of statics
#undef COREPY_HOOKS
#undef COREPY_HOOK
#endif
