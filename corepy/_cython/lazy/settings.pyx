# distutils: language = c++
"""Where operations are deferred, and from how many elements on."""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF

from corepy._cython.core cimport deferring

cdef extern from "Python.h":
    object new_context_variable "PyContextVar_New"(const char*, PyObject*)
    int get_context_variable "PyContextVar_Get"(object, PyObject*, PyObject**) except -1


@cython.final
cdef class Fusion:
    """Whether operations are deferred, and from how many elements on; `scope` is the outermost
    block in which they are, or 0 for the default of the process. `codegen`: whether code may be
    made for what is computed in this context.
    """

    def __init__(self, bint on, Py_ssize_t threshold, long scope, bint codegen):
        self.on, self.threshold, self.scope, self.codegen = on, threshold, scope, codegen


# The Fusion of the current context.
cdef object FUSION = new_context_variable("corepy.fusion", NULL)
cdef Fusion default = Fusion(False, 8192, 0, True)


cdef Fusion current():
    cdef PyObject* found
    get_context_variable(FUSION, NULL, &found)
    if found == NULL:
        return default
    fusion = <object>found
    Py_DECREF(fusion)
    return <Fusion>fusion


def set_current(bint on, Py_ssize_t threshold, long scope, bint codegen):
    """Set what holds in the current context."""
    FUSION.set(Fusion(on, threshold, scope, codegen))


def set_default(bint on, Py_ssize_t threshold, bint codegen):
    """Set what holds where no block says otherwise."""
    global default
    count(on - default.on)
    default = Fusion(on, threshold, 0, codegen)


def count(int more):
    """Add to the number of contexts in which operations are deferred."""
    global deferring
    deferring += more


def current_scope():
    """Return the scope in which operations are deferred here; 0 where there is none."""
    cdef Fusion fusion = current()
    return fusion.scope if fusion.on else 0
