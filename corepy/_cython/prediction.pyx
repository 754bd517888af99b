# distutils: language = c++
"""Prediction: whether it is worth deferring an operation.

Deferring saves passes over memory where an operation is computed with others, and costs time where
it is computed alone. Which of both will happen is not known when an operation on arrays begins a
chain, but programs are loops: as for branches in processors, a table has how it went before, for
the operation, its dtype and number of elements, and the two that began chains before it. What is
expected to be computed alone is not deferred, but now and then, to see whether that is still so.
"""

cdef enum:
    BEST = 3
    WORST = -3

cdef Predictions table
cdef Predictions* predictions = &table
predictions.last = predictions.worth = -1


cdef int learn(int16_t place, int8_t worth) noexcept:
    """Note whether deferring an operation was worth it: 1 or -1."""
    cdef Place* found = &predictions.places[place]
    found.score = max(WORST, min(BEST, found.score + worth))
    return 0
