# distutils: language = c++
"""Settings of the process and of contexts.

A context has the blocks that it is in (`Context`), which never change. What they do not say is the
default of the process. Blocks are entered and left without code of Python: signals are handled
before or after that.

Operations first test counters (`deferring`, `choosing`) that are not zero if a setting may be in
effect in any context: objects of `Context` count themselves for as long as they live, as contexts
are copied, and end without a word.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    object new_context_variable "PyContextVar_New"(const char*, PyObject*)
    int get_context_variable "PyContextVar_Get"(object, PyObject*, PyObject**) except -1
    object set_context_variable "PyContextVar_Set"(object, object)
    int reset_context_variable "PyContextVar_Reset"(object, object) noexcept
    void clear_error "PyErr_Clear"()

cdef extern from *:
    """
    // Whether the thread is about to set the Context: a finalizer that runs then must not.
    static thread_local bool is_setting = false;
    """
    bint is_setting

cdef enum:
    MAX_OUTER = 100  # of `outer`, which are released by recursion
    # The threshold "automatic": of fewer elements, chains cost more than they save. A chain of 22
    # operations on float64 takes 0.8 of its time there, one of three breaks even at 4,000.
    AUTOMATIC = 2048

# The Context of the current context; None or nothing: it is in no block.
cdef object CONTEXT = new_context_variable("corepy.settings", NULL)
cdef dict DEFAULTS = {}
cdef int contexts = 0  # that there are
cdef bint predicting = False
cdef int deferring = 0
cdef int choosing = 0
cdef Py_ssize_t least_deferred = PY_SSIZE_T_MAX
cdef Fusion default = Fusion(False, 0, False, True, False, 0)
cdef long numbers = 0
cdef long lefts = 0  # entries that were left in a context that they were not in


@cython.final
@cython.no_gc
cdef class Entry:
    pass


@cython.final
@cython.no_gc
cdef class Context:
    def __cinit__(self):
        global contexts, predicting
        contexts += 1
        predicting = False

    def __dealloc__(self):
        global choosing, contexts, predicting
        contexts -= 1
        predicting = not contexts and default.on and default.predicts
        count(-self.defers)
        choosing -= self.chooses


cdef Context extended(Context outer, Entry entry):
    """The blocks of a context (None: none), and one more."""
    cdef Context made = Context.__new__(Context)
    made.lefts = lefts if outer is None else outer.lefts
    if outer is None:
        made.entries = (entry,)
    else:
        made.entries = (*outer.entries, entry)
        made.outer = outer if len(outer.entries) % MAX_OUTER else None
        made.fusion, made.sets_on, made.sets_threshold = \
            outer.fusion, outer.sets_on, outer.sets_threshold
        made.sets_codegen, made.sets_constant = outer.sets_codegen, outer.sets_constant
    read_settings(made, entry, outer is not None and outer.defers,
                  outer is not None and outer.chooses)
    return made


cdef int read_settings(Context made, Entry entry, bint defers, bint chooses) except -1:
    global choosing
    on, threshold = entry.settings.get("fusion"), entry.settings.get("fusion_threshold")
    codegen, shared = entry.settings.get("fusion_codegen"), entry.settings.get("shared_memory")
    if on is not None:
        made.fusion.on, made.sets_on = on, True
        if not on:
            made.fusion.scope = 0
        elif not made.fusion.scope:
            made.fusion.scope = entry.number
    if threshold is not None:
        set_threshold(&made.fusion, threshold)
        made.sets_threshold = True
    if codegen is not None:
        made.fusion.codegen, made.sets_codegen = codegen, True
    if shared is not None:
        made.fusion.constant, made.sets_constant = shared == "constant", True
    made.chooses = chooses or "device" in entry.settings
    choosing += made.chooses
    made.defers = defers or on or threshold is not None
    count(made.defers)
    if made.defers:
        lower(made.fusion.threshold if made.sets_threshold else default.threshold)
    return 0


cdef int set_threshold(Fusion* fusion, object value) except -1:
    """Set the threshold: a number of elements, or "automatic"."""
    fusion.predicts = isinstance(value, str)
    fusion.threshold = AUTOMATIC if fusion.predicts else value
    return 0


cdef Context without(Context context, Entry left):
    """The blocks of a context without one, and without those that were left elsewhere; None: there
    are none.
    """
    cdef Context made = None
    cdef Entry entry
    for entry in context.entries:
        if entry is not left and not entry.left:
            made = extended(made, entry)
    return made


cdef Context here():
    """The blocks that the current context is in, or None."""
    cdef PyObject* found
    cdef Context context
    get_context_variable(CONTEXT, NULL, &found)
    if found == NULL:
        return None
    context = <Context>found
    Py_DECREF(context)
    return context if context is None or context.lefts == lefts else looked_through(context)


cdef Context looked_through(Context context):
    """A context's blocks, after some blocks were left elsewhere."""
    global is_setting
    cdef bint before = is_setting
    for entry in context.entries:
        if (<Entry>entry).left:
            break
    else:
        context.lefts = lefts
        return context
    is_setting = True
    try:
        context = without(context, None)
        if not before:
            set_context_variable(CONTEXT, context)
    finally:
        is_setting = before
    return context


@cython.binding(False)
cdef class Block:
    """A ``with`` block in which settings differ, which can be entered more than once."""

    def __cinit__(self, *args, **options):
        self.settings = {}
        self.entered = []
        self.tokens = []

    def __init__(self, dict settings not None):
        self.settings = settings

    def __del__(self):  # no code of Python in general, which could be interrupted
        if self.settings and not self.used:
            self.never_entered()

    def never_entered(self):
        """Called before an object is deleted that was never entered."""

    def __enter__(self):
        self.enter()
        return self.settings.get("device", self)

    def __exit__(self, kind, error, traceback):
        self.leave()

    cdef int enter(self) except -1:
        global is_setting, numbers
        cdef Entry entry = Entry.__new__(Entry)
        cdef bint before = is_setting
        numbers += 1
        entry.settings, entry.number = self.settings, numbers
        self.used = is_setting = True
        try:
            self.entered.append(entry)
            self.tokens.append(set_context_variable(CONTEXT, extended(here(), entry)))
        except BaseException:
            self.entered.remove(entry)
            raise
        finally:
            is_setting = before
        return 0

    cdef int leave(self) except -1:
        """Leave the innermost entry of the current context, or the last one if it has none.

        In the context that it was entered in, it is left there alone: tasks that were created
        meanwhile have it as long as they run. In another one, as by a generator that is closed in
        a task, it is left in all contexts: nothing else will leave it where it was entered.
        """
        global is_setting, lefts
        cdef bint before = is_setting
        cdef Py_ssize_t left = len(self.entered) - 1
        cdef bint is_left = False
        if left < 0:
            raise RuntimeError(f"{type(self).__name__}: a block is left that was not entered")
        is_setting = True
        try:
            if not before:
                left = innermost(self.entered)
                is_left = leave_here(<Entry>self.entered[left], self.tokens[left])
        finally:
            is_setting = before
            if not is_left:
                (<Entry>self.entered[left]).left = True
                lefts += 1
            del self.entered[left], self.tokens[left]
        return 0


cdef Py_ssize_t innermost(list entered) except -1:
    """The place of the innermost of some entries that the current context is in, or the last."""
    cdef Context context = here()
    if context is not None:
        for entry in reversed(context.entries):
            if entry in entered:
                return entered.index(entry)
    return len(entered) - 1


cdef bint leave_here(Entry entry, object token) except -1:
    """Leave an entry in the current context, if that can be reset: only where it was entered."""
    cdef Context context = here()
    cdef Context then
    if context is None or entry not in context.entries:
        return False
    if reset_context_variable(CONTEXT, token) < 0:
        clear_error()
        return False
    then = context.outer
    if then is None or entry is not context.entries[len(context.entries) - 1]:
        then = without(context, entry)
    set_context_variable(CONTEXT, then)
    return True


cdef Fusion current() except *:
    """The settings of deferred operations in the current context."""
    cdef Context context = here() if contexts else None
    cdef Fusion fusion = default
    if context is None:
        return fusion
    fusion.scope = context.fusion.scope
    if context.sets_on:
        fusion.on = context.fusion.on
    if context.sets_threshold:
        fusion.threshold, fusion.predicts = context.fusion.threshold, context.fusion.predicts
    if context.sets_codegen:
        fusion.codegen = context.fusion.codegen
    if context.sets_constant:
        fusion.constant = context.fusion.constant
    return fusion


cpdef object setting(str name):
    """Return a setting of the current context."""
    cdef Entry entry = entry_of(name)
    return DEFAULTS[name] if entry is None else entry.settings[name]


def is_default(str name):
    """Return whether no block of the current context has a setting."""
    return entry_of(name) is None


cdef Entry entry_of(str name):
    """The innermost block of the current context that has a setting, or None."""
    cdef Context context = here()
    if context is not None:
        for entry in reversed(context.entries):
            if name in (<Entry>entry).settings:
                return entry
    return None


def set_defaults(dict settings not None):
    """Set settings of the process."""
    global choosing, predicting
    cdef bint chose = DEFAULTS.get("device", "cpu") != "cpu"
    cdef bint was_on = default.on
    DEFAULTS.update(settings)
    choosing += (DEFAULTS.get("device", "cpu") != "cpu") - chose
    default.on = DEFAULTS.get("fusion", False)
    set_threshold(&default, DEFAULTS.get("fusion_threshold", 0))
    default.codegen = DEFAULTS.get("fusion_codegen", True)
    default.constant = DEFAULTS.get("shared_memory") == "constant"
    predicting = not contexts and default.on and default.predicts
    count(default.on - was_on)
    if deferring:
        lower(default.threshold)


cdef int lower(Py_ssize_t threshold) noexcept:
    """Lower the number of elements from which on operations check whether they are deferred."""
    global least_deferred
    least_deferred = min(least_deferred, threshold)
    return 0


cdef int count(int more) noexcept:
    """Add to the number of objects for which operations check whether they are deferred."""
    global deferring, least_deferred
    deferring += more
    if not deferring:
        least_deferred = PY_SSIZE_T_MAX
    return 0


# ---- prediction: whether it is worth deferring an operation
#
# Deferring saves passes over memory where an operation is computed with others, and costs time
# where it is computed alone. Which of both will happen is not known when an operation on arrays
# begins a chain, but programs are loops: as for branches in processors, a table has how it went
# before, for the operation, its dtype and number of elements, and the two that began chains before
# it. What is expected to be computed alone is not deferred, but now and then, to see whether that
# is still so.

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
