"""Prediction: whether it is worth deferring an operation."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

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
