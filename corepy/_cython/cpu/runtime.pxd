# The threads, the pool and the kernel table of the core, for the other modules.
cdef extern from "runtime.hpp" namespace "corepy":
    void use_runtime(const void* core)
