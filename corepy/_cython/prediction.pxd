"""Prediction: whether it is worth deferring an operation."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

cdef enum:
    LARGE = 1 << 18  # elements from which on deferring costs nothing in comparison

# How it went before. Below 0 operations are not deferred.
cdef struct Place:
    int8_t score
    uint8_t passed   # times that the operation was not deferred

cdef Place* places
cdef uint64_t before   # the two operations before
# Of the operation for which `is_expected_alone` was called last; and of one that the core found worth
# deferring, until the recorder sees it (-1: none).
cdef int16_t first_place, found_worth


cdef inline bint is_expected_alone(
    int operation, int code, Py_ssize_t count, bint binary
) noexcept:
    """Whether an operation whose operands are computed would be computed alone, too, and should not
    be deferred; `binary`: of two tensors.
    """
    global before, first_place
    cdef uint64_t hash = (before << 32 ^ <uint64_t>count << 16 ^ operation << 5 ^ code << 1) + binary
    cdef Place* found
    before = (before << 8 | operation + 1) & 0xFFFF
    first_place = <int16_t>(hash * <uint64_t>0x9E3779B97F4A7C15 >> 52)
    found = &places[first_place]
    if found.score >= 0:
        return False
    found.passed += 1
    return found.passed < 2 << -2 * found.score or is_tried(found)  # 8, 32, 128


cdef inline bint is_tried(Place* found) noexcept:
    found.passed = 0
    return False


cdef int learn(int16_t place, int8_t worth) noexcept
