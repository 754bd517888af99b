# Where calls of kernels/runtime.cpp go, which modules beside the core link.
cdef extern from "runtime.hpp" namespace "corepy":
    void use_runtime(const void* core)
