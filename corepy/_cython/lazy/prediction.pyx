# distutils: language = c++
"""Prediction: whether it is worth deferring an operation.

Deferring saves passes over memory where an operation is computed with others, and costs time where
it is computed alone. Which of both will happen is not known when an operation on arrays begins a
chain, but programs are loops: as for branches in processors, a table has how it went before, for the
operation, its dtype and number of elements, and the two that began chains before it. What is expected to be
computed alone is not deferred, but now and then, to see whether that is still so.
"""

from libc.stdint cimport int16_t, int8_t, uint8_t, uint64_t

cdef enum:
    PLACES = 4096
    BEST = 3
    WORST = -3

# How it went before. Below 0 operations are not deferred.
cdef struct Place:
    int8_t score
    uint8_t passed   # times that the operation was not deferred

cdef Place places[PLACES]
cdef uint64_t before = 0  # the operations before


cdef int16_t place_of(int operation, int code, Py_ssize_t count, bint binary) noexcept:
    """The place of an operation; `binary`: of two tensors."""
    global before
    cdef uint64_t hash = (before << 32 ^ <uint64_t>count << 16 ^ operation << 5 ^ code << 1) + binary
    before = (before << 8 | operation + 1) & 0xFFFF
    hash *= <uint64_t>0x9E3779B97F4A7C15
    return <int16_t>(hash >> 52)


cdef bint is_worth(int16_t place) noexcept:
    """Whether an operation at a place should be deferred."""
    cdef Place* found = &places[place]
    if found.score >= 0:
        return True
    found.passed += 1
    if found.passed < 2 << -2 * found.score:  # 8, 32, 128
        return False
    found.passed = 0
    return True


cdef int learn(int16_t place, int8_t worth) noexcept:
    """Note whether deferring an operation was worth it: 1 or -1."""
    cdef Place* found = &places[place]
    found.score = max(WORST, min(BEST, found.score + worth))
    return 0
