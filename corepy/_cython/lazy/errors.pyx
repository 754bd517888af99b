# distutils: language = c++
"""Floating-point errors that a context asks for, as NumPy's `errstate` does.

Corepy's kernels do not notice them. Where they are not all ignored, operations on the CPU reach
the backend of deferred tensors, as if they could be deferred, and it calls `check_errors`: NumPy
computes them first, for its warnings and errors alone, and then Corepy does.
"""

cimport cython

from contextvars import ContextVar

import numpy as np

from corepy._cython.core cimport is_tensor, provided
from corepy._cython.settings cimport count, lower

cdef object ERRORS = ContextVar("corepy.errors", default=None)
cdef int contexts = 0  # that do not ignore all errors
IGNORED = dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")


@cython.final
cdef class Treatment:
    """How a context treats floating-point errors, if it does not ignore all.

    It exists as long as a context has it. A context may be copied, and end without a word.
    """

    cdef dict settings  # NumPy's keywords

    def __cinit__(self, dict settings not None):
        global contexts
        self.settings = settings
        contexts += 1
        count(1)
        provided.check_errors = check_errors

    def __dealloc__(self):
        global contexts
        contexts -= 1
        count(-1)
        if contexts == 0:
            provided.check_errors = NULL


def errors():
    """Return how the context treats floating-point errors: NumPy's keywords; None: ignored."""
    treatment = ERRORS.get()
    return None if treatment is None else (<Treatment>treatment).settings


def set_errors(dict given not None):
    """Set how the current context treats floating-point errors; ``all``: those not given."""
    cdef dict settings = {}
    before = errors() or IGNORED
    for name in IGNORED:
        settings[name] = str(given.get(name) or given.get("all") or before[name])
    if settings == IGNORED:
        ERRORS.set(None)
        return
    ERRORS.set(Treatment(settings))
    lower(0)


@cython.binding(False)
cdef class ErrorBlock:
    """A ``with`` block in which floating-point errors are treated otherwise, by NumPy, too. It is
    entered and left without code of Python but NumPy's.
    """

    cdef dict settings
    cdef object manager  # that of NumPy
    cdef list before

    def __init__(self, dict settings not None, manager):
        self.settings, self.manager, self.before = settings, manager, []

    def __enter__(self):
        self.manager.__enter__()
        self.before.append(ERRORS.get())
        set_errors(self.settings)

    def __exit__(self, kind, error, traceback):
        ERRORS.set(self.before.pop())
        self.manager.__exit__(kind, error, traceback)


cdef int check_errors(str operation, tuple operands, dict params) except -1:
    """Have NumPy compute an operation, which warns, raises or calls as the context asks."""
    settings = errors()
    if settings is None:
        return 0
    function = getattr(np, operation, None)
    arrays = [np.asarray(x) if is_tensor(x) else x for x in operands]
    if function is not None:
        with np.errstate(**settings):
            function(*arrays, **params)
    return 0
