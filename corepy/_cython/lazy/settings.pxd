"""Where operations are deferred, and from how many elements on."""


cdef class ConfigBlock:
    cdef readonly dict settings
    cdef public bint left
    cdef readonly bint defers
    cdef readonly long number
    cdef Fusion made        # of a block of `fuse`: what holds in it
    cdef object token


cdef class Fusion:
    cdef readonly bint on
    cdef readonly Py_ssize_t threshold
    cdef readonly long scope
    cdef readonly bint codegen
    cdef readonly tuple blocks


cdef Fusion current()
