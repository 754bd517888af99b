# distutils: language = c++
"""Floating-point errors that a context asks for, as NumPy's `errstate` does.

Corepy's kernels do not notice them. Where they are not all ignored, operations on the CPU reach
the backend here, as if they could be deferred: NumPy computes them first, for its warnings and
errors alone, and then Corepy does.
"""

cimport cython

from contextvars import ContextVar

import numpy as np

from corepy._cython.core cimport DEFERRED, NAMES, Operation, provided, Tensor
from corepy._cython.lazy.recorder cimport DeferringBackend
from corepy._cython.lazy.settings cimport count, lower

cdef object ERRORS = ContextVar("corepy.errors", default=None)
# Contexts that do not ignore all errors.
cdef int contexts = 0


def errors():
    """Return how the context treats floating-point errors: NumPy's keywords; None: ignored."""
    return ERRORS.get()


def set_errors(dict settings):
    """Set how the current context treats floating-point errors; None: all are ignored."""
    global contexts
    cdef int more = (settings is not None) - (ERRORS.get() is not None)
    count(more)
    contexts += more
    provided.check_errors = NULL
    if contexts > 0:
        provided.check_errors = check_errors
    if settings is not None:
        DEFERRED.backend = checking
        lower(0)
    ERRORS.set(settings)


@cython.final
cdef class CheckingBackend(DeferringBackend):
    """The backend of deferred tensors, where some context does not ignore errors."""

    cpdef object unary(self, Operation op, Tensor x):
        check(op, (x,), {})
        return DeferringBackend.unary(self, op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        check(op, (x1, x2), {})
        return DeferringBackend.binary(self, op, x1, x2)

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction,
    ):
        params = {"axis": axis}
        if dtype is not None:
            params["dtype"] = dtype
        if correction:
            params["correction"] = correction
        check(op, (x,), params)
        return DeferringBackend.reduce(self, op, x, axis, keepdims, dtype, correction)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        check_cast(x, dtype)
        return DeferringBackend.astype(self, x, dtype, copy)

    cpdef object inplace(self, Operation op, Tensor x, object other):
        check(op, (x, other), {})
        return DeferringBackend.inplace(self, op, x, other)


cdef int check(Operation op, tuple operands, dict params) except -1:
    return check_errors(NAMES[<int>op], operands, params)


cdef int check_errors(str operation, tuple operands, dict params) except -1:
    """Have NumPy compute an operation, which warns, raises or calls as the context asks."""
    settings = ERRORS.get()
    if settings is None:
        return 0
    function = getattr(np, operation, None)
    arrays = [np.asarray(x) if type(x) is Tensor else x for x in operands]
    if function is not None:
        with np.errstate(**settings):
            try:
                function(*arrays, **params)
            except (TypeError, ValueError, OverflowError):
                pass  # not an operation of NumPy's; Corepy has its own errors
    return 0


cdef int check_cast(Tensor x, object dtype) except -1:
    """Have NumPy convert the elements of a tensor, as `check` has it compute operations."""
    settings = ERRORS.get()
    if settings is not None:
        with np.errstate(**settings):
            np.asarray(x).astype(dtype)
    return 0


cdef CheckingBackend checking = CheckingBackend("cpu")
