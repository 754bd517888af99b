"""Settings of the process and of contexts; predictions."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

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
    bint predicts          # whether those that would be computed alone are not (below)
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


# ---- prediction: whether it is worth deferring an operation (settings.pyx)

cdef enum:
    LARGE = 1 << 18  # elements from which on deferring costs nothing in comparison
    PLACES = 4096

# How it went before. Below 0 operations are not deferred.
cdef struct Place:
    int8_t score
    uint8_t passed       # times that the operation was not deferred

cdef struct Predictions:
    Place places[PLACES]
    uint64_t before      # the two operations before
    int16_t last         # the place of the operation that was asked for last
    int16_t worth        # ... if the core asked, until the recorder is called; -1: it did not

cdef Predictions* predictions


cdef inline bint is_expected_alone(
    int operation, int code, Py_ssize_t count, bint binary
) noexcept:
    """Whether an operation whose operands are computed would be computed alone, too, and should not
    be deferred; `binary`: of two tensors.
    """
    cdef uint64_t hash = predictions.before << 32 ^ <uint64_t>count << 16 ^ operation << 5
    cdef Place* found
    hash = ((hash ^ code << 1) + binary) * <uint64_t>0x9E3779B97F4A7C15
    predictions.before = (predictions.before << 8 | operation + 1) & 0xFFFF
    predictions.last = <int16_t>(hash >> 52)
    found = &predictions.places[predictions.last]
    if found.score >= 0:
        return False
    found.passed += 1
    if found.passed < 2 << -2 * found.score:  # 8, 32, 128
        return True
    found.passed = 0
    return False


cdef int learn(int16_t place, int8_t worth) noexcept
