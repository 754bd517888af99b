# Temporaries: operands to which only the interpreter refers. Their memory takes the result.
#
# In ``(x - y) ** 2 + z`` the results of the first two operations are needed once. What is computed
# in their memory needs no other, which would have to be brought to the caches. NumPy does the same
# (temp_elide.c).
#
# A reference count of 1 does not make an operand a temporary: C code may call an operator on an
# object that it alone refers to, and go on with the object as it was (an element of an array of
# objects, a local variable of a Cython function). So the return addresses from here up to the
# interpreter's loop have to be those of an operator that is known to be the interpreter's own call.

cdef extern from *:
    """
    #if defined(__unix__) || defined(__APPLE__)
    #include <unwind.h>
    #define COREPY_HAS_UNWIND 1
    #endif

    namespace {

    // Return addresses from here up to the interpreter's loop, if it is near.
    struct Callers {
      static constexpr int MOST = 12;
      int count = 0;
      bool complete = false;
      uintptr_t at[MOST] = {};

      bool operator==(const Callers& other) const {
        return complete && other.complete && count == other.count &&
               memcmp(at, other.at, sizeof(at[0]) * size_t(count)) == 0;
      }
    };

    #ifdef COREPY_HAS_UNWIND
    _Unwind_Reason_Code add_caller(_Unwind_Context* context, void* found) {
      Callers& callers = *static_cast<Callers*>(found);
      const auto interpreter = reinterpret_cast<uintptr_t>(&_PyEval_EvalFrameDefault);
      callers.complete = _Unwind_GetRegionStart(context) == interpreter;
      if (callers.complete || callers.count == Callers::MOST) return _URC_END_OF_STACK;
      callers.at[callers.count++] = _Unwind_GetIP(context);
      return _URC_NO_REASON;
    }
    #endif

    [[gnu::noinline]] Callers find_callers() {
      Callers callers;
    #ifdef COREPY_HAS_UNWIND
      _Unwind_Backtrace(add_caller, &callers);
    #endif
      return callers;
    }

    // Whether an object that the interpreter gives to an operator has no other reference.
    bool has_one_reference(PyObject* object) {
    #ifdef Py_GIL_DISABLED
      return false;
    #elif PY_VERSION_HEX >= 0x030E0000  // variables are lent without a reference
      return Py_REFCNT(object) == 1 && PyUnstable_Object_IsUniqueReferencedTemporary(object);
    #else
      return Py_REFCNT(object) == 1;
    #endif
    }

    template <class T>
    bool is_weakly_referenced(T* x) {
      return x->__weakref__;
    }

    }  // namespace
    """
    cdef cppclass Callers:
        bint complete
        bint operator==(const Callers&)
    Callers find_callers() noexcept
    bint has_one_reference(PyObject*) noexcept
    bint is_weakly_referenced(Tensor) noexcept

# The least number of bytes that are worth a look at the callers, about 1 us.
cdef Py_ssize_t least_reused = 256 << 10

# How the interpreter calls operators, and those whose second operand is the tensor: in code that
# runs for the first time, and in code that it has specialized, which matters to abs().
cdef Callers[OP_COUNT][2][2] known_callers
cdef bint callers_are_known = False
cdef bint learning = False          # a thread is learning them
cdef PyObject* learned_from = NULL  # the operand of the call that is known, until it is called


cdef inline bint may_be_temporary(object x) noexcept:
    return type(x) is Tensor and has_one_reference(<PyObject*>x) and (
        (<Tensor>x).count * dtype_itemsize[(<Tensor>x).code] >= least_reused
        or <PyObject*>x == learned_from
    )


def reuse_temporaries_from(Py_ssize_t nbytes):
    """Set from how many bytes on temporaries take results, and return what it was."""
    global least_reused
    least, least_reused = least_reused, nbytes
    return least


def temporary_to_learn_from():
    """Return an operand of a call that is the interpreter's."""
    global learned_from
    cdef Py_ssize_t one = 1
    cdef Tensor x = filled(DTYPE_int64, 1, &one, 1)  # operators compute those of 0 axes at once
    learned_from = <PyObject*>x
    return x


cdef int learn_callers() except -1:
    """Have the interpreter evaluate each operator."""
    global callers_are_known, learned_from, learning
    cdef list terms = ["-make()", "~make()"]
    for sign in ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"):
        terms += [f"make() {sign} 1", f"1 {sign} make()"]
    # exec() of text that Ctrl-C interrupts sets the exit status, even if the exception is caught.
    code = compile(f"for _ in range(32): abs(make())\n{'; '.join(terms)}", "<operators>", "exec")
    learning = True
    try:
        exec(code, {"make": temporary_to_learn_from, "range": range, "abs": abs})
        callers_are_known = True
    finally:
        learning = False
        learned_from = NULL
    return 0


def _learn_again():
    """Have callers learned in a process that was forked while a thread was learning them."""
    global learning
    learning = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_learn_again)


cdef inline bint is_learned_from(object x1, object x2) noexcept:
    """Whether a call is the interpreter's. Meanwhile other threads call operators, too."""
    return learned_from != NULL \
        and (<PyObject*>x1 == learned_from or <PyObject*>x2 == learned_from)


cdef bint is_called_by_interpreter(Operation op, object x1, object x2) noexcept:
    """Whether the interpreter calls an operator, of one operand if `x2` is None, for an expression:
    then operands that nothing else refers to are not needed after it.
    """
    global learned_from
    cdef bint reflected = type(x1) is not Tensor
    cdef Callers callers = find_callers()
    cdef Callers* known = known_callers[<int>op][reflected]
    if is_learned_from(x1, x2):
        learned_from = NULL
        if not known[0].complete:
            known[0] = callers
        known[1] = callers
        return False
    return callers == known[0] or callers == known[1]


cdef bint has_own_memory(Tensor x) noexcept:
    """Whether a tensor on the CPU, laid out as a new one is, is the only one over its memory, and
    fills it.
    """
    cdef Block block
    cdef Py_ssize_t step = dtype_itemsize[x.code]
    cdef int axis
    if not in_host_memory(x) or not x.flags & CONTIGUOUS or not x.flags & WRITEABLE \
            or is_weakly_referenced(x) or type(x.storage) is not Block:
        return False
    for axis in range(x.ndim - 1, -1, -1):  # strides of axes of one element may differ
        if x.steps[axis] != step:
            return False
        step *= x.dims[axis]
    block = <Block>x.storage
    # `x` and `block` refer to it.
    return reference_count(<PyObject*>block) == 2 and block.owner is None \
        and not block.exports and not block.readers and x.data == block.memory \
        and block.capacity <= 2 * <size_t>(x.count * dtype_itemsize[x.code])


cdef Tensor reused(Operation op, object x1, object x2):
    """The result of an operator in the memory of an operand that is a temporary; None if there is
    none, or where the result would not be what its memory holds.
    """
    cdef bint first = may_be_temporary(x1)
    cdef Tensor x = <Tensor>x1 if first else <Tensor>x2
    if not is_learned_from(x1, x2):
        if not callers_are_known:
            if learning:
                return None
            learn_callers()
        if not has_own_memory(x) or may_defer_any(x1, x2):
            return None
    if is_called_by_interpreter(op, x1, x2) and compute_over(op, x, x2 if first else x1, first):
        return x
    return None
