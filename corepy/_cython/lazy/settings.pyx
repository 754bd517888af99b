# distutils: language = c++
"""Settings of deferred operations: whether they are on, and from how many elements on."""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF

from corepy._cython.core cimport deferring, least_deferred, PY_SSIZE_T_MAX

cdef extern from "Python.h":
    object new_context_variable "PyContextVar_New"(const char*, PyObject*)
    int get_context_variable "PyContextVar_Get"(object, PyObject*, PyObject**) except -1


@cython.final
cdef class ConfigBlock:
    """A ``with`` block of `corepy.config` or `corepy.fuse`, shared by all contexts in it."""

    def __init__(self, dict settings):
        self.settings = settings
        self.left = False  # set when it is left in a context that did not enter it
        self.defers = bool(settings.get("fusion"))
        self.number = next_number()


cdef long numbers = 0


cdef long next_number() noexcept:
    global numbers
    numbers += 1
    return numbers


@cython.final
cdef class Fusion:
    """The settings of a context: the entered blocks, the innermost last; whether operations are
    deferred, and from how many elements on; `scope`: the outermost block that defers, or 0 for the
    default of the process; `codegen`: whether machine code may be generated.
    """

    def __init__(
        self, bint on, Py_ssize_t threshold, long scope, bint codegen, tuple blocks=()
    ):
        self.on, self.threshold, self.scope, self.codegen = on, threshold, scope, codegen
        self.blocks = blocks
        if on:
            lower(threshold)


cdef int lower(Py_ssize_t threshold) noexcept:
    """Lower the number of elements from which on operations check whether they are deferred."""
    global least_deferred
    least_deferred = min(least_deferred, threshold)  # no-cython-lint
    return 0


# The Fusion of the current context; None or nothing: the default.
cdef object FUSION = new_context_variable("corepy.fusion", NULL)
cdef Fusion default = Fusion(False, 0, 0, True)   # until `corepy._config` is imported


cdef Fusion current():
    cdef PyObject* found
    get_context_variable(FUSION, NULL, &found)
    if found == NULL:
        return default
    fusion = <object>found
    Py_DECREF(fusion)
    return default if fusion is None else <Fusion>fusion


def blocks():
    """Return the blocks that the current context is in, the innermost last."""
    return current().blocks


def set_current(bint on, Py_ssize_t threshold, long scope, bint codegen, tuple blocks):
    """Set the settings of the current context; without blocks, the default."""
    FUSION.set(Fusion(on, threshold, scope, codegen, blocks) if blocks else None)


def set_default(bint on, Py_ssize_t threshold, bint codegen):
    """Set the settings outside of blocks."""
    global default
    count(on - default.on)
    default = Fusion(on, threshold, 0, codegen)


cdef dict DEFERS = {"fusion": True}


def enter_fuse(list entered):
    """Begin a block of `corepy.fuse`, and add it to the list."""
    cdef Fusion now = current()
    cdef ConfigBlock block = ConfigBlock(DEFERS)
    block.made = Fusion(
        True, now.threshold, now.scope or block.number, now.codegen,
        (*[known for known in now.blocks if not (<ConfigBlock>known).left], block),
    )
    block.token = FUSION.set(block.made)
    count(1)
    entered.append(block)


def leave_fuse(list entered):
    """End the last of these blocks if it is still the innermost; otherwise return False."""
    cdef ConfigBlock block = entered[len(entered) - 1]
    if block.made is None or current() is not block.made:
        return False
    try:
        FUSION.reset(block.token)
    except (ValueError, RuntimeError):  # another context
        return False
    block.made = block.token = None
    entered.pop()
    count(-1)
    return True


cpdef count(int more):
    """Add to the number of contexts in which operations are deferred."""
    global deferring, least_deferred
    deferring += more
    if not deferring:
        least_deferred = PY_SSIZE_T_MAX  # no-cython-lint


def current_scope():
    """Return the scope in which operations are deferred; 0 if they are not."""
    cdef Fusion fusion = current()
    return fusion.scope if fusion.on else 0
