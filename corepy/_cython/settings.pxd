"""Settings of the process and of contexts."""

# Settings of deferred operations and of a default device, in any context, that there are; not 0 if
# one may be in effect.
cdef int deferring, choosing
# Whether the process defers by predictions, and no context has a setting of its own.
cdef bint predicting
# The smallest number of elements from which on operations may be deferred.
cdef Py_ssize_t least_deferred


# Those of deferred operations.
cdef struct Fusion:
    bint on
    Py_ssize_t threshold   # elements from which on operations are deferred
    bint predicts          # whether those that would be computed alone are not (prediction.pyx)
    bint codegen           # whether machine code may be generated
    bint constant          # whether shared memory is not written while it is to be read
    long scope             # the outermost block that defers; 0: the default of the process


# A block that was entered.
cdef class Entry:
    cdef dict settings
    cdef long number
    cdef bint left         # in a context that it is not in


# The blocks that a context is in, and what they say.
cdef class Context:
    cdef tuple entries     # the innermost last
    cdef Context outer     # without the last entry; None: not known
    cdef Fusion fusion
    cdef bint sets_on, sets_threshold, sets_codegen, sets_constant
    cdef bint defers, chooses
    cdef long lefts


cdef class Block:
    cdef readonly dict settings
    cdef list entered, tokens   # of each entry, the token of the context variable
    cdef public bint used

    cdef int enter(self) except -1
    cdef int leave(self) except -1


cdef Fusion current() except *
cpdef object setting(str name)
cdef int count(int more) noexcept
cdef int lower(Py_ssize_t threshold) noexcept
