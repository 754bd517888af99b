"""Settings of deferred operations: whether they are on, and from how many elements on."""


cdef class ConfigBlock:
    cdef readonly dict settings
    cdef public bint left
    cdef readonly bint defers
    cdef readonly long number
    cdef Fusion made        # of a block of `fuse`: its settings
    cdef object token


cdef class Fusion:
    cdef readonly bint on
    cdef readonly Py_ssize_t threshold
    cdef readonly long scope
    cdef readonly bint codegen
    cdef readonly tuple blocks


cdef Fusion current()
cpdef count(int more)
cdef int lower(Py_ssize_t threshold) noexcept
