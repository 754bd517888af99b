"""Prediction: whether it is worth deferring an operation."""

from libc.stdint cimport int16_t, int8_t

cdef int16_t place_of(int operation, int code, Py_ssize_t count, bint binary) noexcept
cdef bint is_worth(int16_t place) noexcept
cdef int learn(int16_t place, int8_t worth) noexcept
