"""Calls of NumPy's functions with tensors, which share their memory with ndarrays."""

cimport numpy as cnp
from cpython.object cimport PyObject
from libc.string cimport memcpy

from corepy._cython.core cimport (
    Block, NDARRAY, Tensor, VALUE, WRITEABLE, as_class, as_ndarray, code_of_ndarray, empty,
    from_ndarray, from_numpy_scalar, in_host_memory, is_tensor, result_in, materialize, view_all,
)
from corepy._cython.vectorcall cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE

import numpy as np

cnp.import_array()

cdef extern from *:
    Py_ssize_t reference_count "Py_REFCNT"(PyObject*)
    object vectorcall "PyObject_Vectorcall"(object, PyObject**, size_t, PyObject*)
    size_t ARGUMENTS_OFFSET "PY_VECTORCALL_ARGUMENTS_OFFSET"

# The largest ndim of arrays. More deeply nested lists may contain themselves.
cdef int MAX_DEPTH = 64


cdef type MEMMAP = np.memmap


cdef object as_numpy(str function, object value, list pairs, int depth):
    """`value` with tensors replaced by ndarrays over their memory; appends both to `pairs`."""
    cdef Tensor x
    cdef Py_ssize_t k
    cdef list items
    if is_tensor(value):
        x = <Tensor>value
        materialize(x)
        if not in_host_memory(x):
            raise ValueError(
                f"{function}: NumPy's functions compute on the CPU, and this tensor is on "
                f"{x.device}; move it with x.to_device('cpu')"
            )
        array = as_ndarray(x)
        pairs.append(array)
        pairs.append(x)
        return array
    if type(value) is not list and type(value) is not tuple and type(value) is not dict:
        return value
    if depth == 0:
        raise ValueError(f"{function}: lists are nested more than {MAX_DEPTH} levels deep")
    if type(value) is dict:
        return {name: as_numpy(function, item, pairs, depth - 1) for name, item in value.items()}
    items = None  # lists without tensors are not copied: a function may write to them
    for k in range(len(value)):
        item = value[k]
        changed = as_numpy(function, item, pairs, depth - 1)
        if changed is not item:
            if items is None:
                items = list(value)
            items[k] = changed
    if items is None:
        return value
    return items if type(value) is list else tuple(items)


cdef object as_tensors(object value, list pairs):
    """`value` with ndarrays replaced by the drop-in's where a Tensor represents them
    completely, without a copy of memory that others see.
    """
    cdef cnp.ndarray array
    cdef Py_ssize_t k
    if type(value) is cnp.ndarray or (type(value) is MEMMAP and value._mmap is None):
        for k in range(0, len(pairs), 2):
            if pairs[k] is value:
                return pairs[k + 1]
        array = value
        k = code_of_ndarray(array)
        # Others are misaligned or of the other byte order.
        if k >= 0 and cnp.PyArray_ISBEHAVED_RO(array):
            return new_result(array, <int>k)
        return value
    if type(value) is list:
        return [as_tensors(item, pairs) for item in <list>value]
    if type(value) is tuple:
        return tuple([as_tensors(item, pairs) for item in <tuple>value])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[as_tensors(item, pairs) for item in value])
    return value


cdef inline Tensor new_result(cnp.ndarray array, int code):
    """A tensor over the memory of an ndarray, or of its few elements if nothing else refers to it.
    """
    cdef Tensor x
    cdef Py_ssize_t nbytes = cnp.PyArray_NBYTES(array)
    if nbytes > FEW_BYTES or reference_count(<PyObject*>array) > 2 \
            or not cnp.PyArray_CHKFLAGS(array, OWNED) or cnp.PyArray_NDIM(array) == 0:
        return as_class(from_ndarray("asarray", array), NDARRAY, None, 1)
    x = empty(code, cnp.PyArray_NDIM(array), <Py_ssize_t*>cnp.PyArray_DIMS(array))
    memcpy(x.data, cnp.PyArray_DATA(array), nbytes)
    return as_class(x, NDARRAY, None, 2)


cdef enum:
    FEW_BYTES = 2048  # a copy takes less time than a Block around an ndarray
    OWNED = cnp.NPY_ARRAY_OWNDATA | cnp.NPY_ARRAY_WRITEABLE | cnp.NPY_ARRAY_C_CONTIGUOUS


cpdef object standards(object value):
    """A result of the drop-in for operands that are not: with Tensors for its arrays, and for
    NumPy's scalars.
    """
    cdef Tensor x = from_numpy_scalar(value)
    if x is None:
        return result_in(Tensor, value, None, False)
    x.flags |= VALUE
    return x


def finished(value):
    """Return what a function of the drop-in returns for a result of its implementation."""
    return result_in(NDARRAY, value, None, True)


def in_class_of(Tensor result not None, Tensor x not None):
    """Return a new tensor or view in the class of another, which a program may have derived."""
    if type(x) is Tensor or type(x) is NDARRAY:
        return result
    return as_class(result, type(x), x, 1)


cpdef object plain(object value):
    """Return a tensor, or one over the same memory that is in no class of the drop-in's; also of
    those in a tuple.
    """
    cdef Tensor x
    if isinstance(value, tuple):
        items = [plain(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is Tensor or not is_tensor(value):
        return value
    materialize(<Tensor>value)
    x = view_all(<Tensor>value)
    x.flags |= (<Tensor>value).flags & VALUE
    return x


# The dicts in which calls are counted; see `corepy.testing.forwarded`.
cdef tuple counters = ()
cdef bint counting = False


cdef int count_forwarded(str name) except -1:
    """Count and log a call of NumPy's function of a name."""
    import logging  # which takes time that imports should not
    cdef dict calls
    for calls in counters:
        calls[name] = calls.get(name, 0) + 1
    logging.getLogger("corepy").debug("forwarded to NumPy: %s", name)
    return 0


def start_counting(dict calls not None):
    """Count calls of NumPy's functions in a dict, by name."""
    global counters, counting
    counters = (*counters, calls)
    counting = True


def stop_counting(dict calls not None):
    """Count them no longer in a dict."""
    global counters, counting
    counters = tuple([other for other in counters if other is not calls])
    counting = len(counters) > 0


cpdef object call_numpy(str name, object function, tuple args, dict kwargs):
    """Call a function of NumPy's with tensors, passed as ndarrays over the same memory.

    Arguments that NumPy's function ends the process for are refused (`_refusals`).

    Parameters
    ----------
    name : str
        What errors call the function.
    function : callable
    args : tuple
    kwargs : dict

    Returns
    -------
    object
        What the function returns, with arrays of the drop-in for NumPy's where a Tensor can hold
        them. An argument that the function returns is returned itself.

    Raises
    ------
    ValueError
        A tensor is on another device than the CPU.
    """
    if counting:
        count_forwarded(name)
    return called_numpy(name, function, args, kwargs)


cdef dict refusals = None   # the checks of `_refusals`, imported with the first call


cdef object called_numpy(str name, object function, tuple args, dict kwargs):
    """`call_numpy`, not counted."""
    global refusals
    cdef object check
    cdef list pairs = []
    if refusals is None:
        from corepy.numpy._refusals import REFUSALS
        refusals = REFUSALS
    check = refusals.get(name.rpartition(".")[2])
    if check is not None:
        args, kwargs = check(name, args, kwargs)
    args = as_numpy(name, args, pairs, MAX_DEPTH)
    kwargs = as_numpy(name, kwargs, pairs, MAX_DEPTH) if kwargs else {}
    try:
        return as_tensors(function(*args, **kwargs), pairs)
    except ValueError as error:
        if NO_NDARRAY not in str(error):
            raise
    args = as_numpy(name, made_tensors(args, MAX_DEPTH), pairs, MAX_DEPTH)
    kwargs = as_numpy(name, made_tensors(kwargs, MAX_DEPTH), pairs, MAX_DEPTH)
    return as_tensors(function(*args, **kwargs), pairs)


cdef enum:
    VECTOR_ARGUMENTS = 16  # of calls without a tuple and a dict

# Of calls without tensors. Nothing is added to it.
cdef list NO_PAIRS = []


cdef inline bint may_hold_tensors(object value) noexcept:
    """Whether a value is a tensor or a container of others than ints."""
    cdef Py_ssize_t k
    if type(value) is tuple:
        for k in range(PyTuple_GET_SIZE(value)):
            if type(<object>PyTuple_GET_ITEM(value, k)) is not int:
                return True
        return False
    return is_tensor(value) or type(value) is list or type(value) is dict


cdef object call_numpy_by_vector(
    str name, object function, PyObject* first, PyObject** args, Py_ssize_t positional,
    PyObject* names
):
    """`call_numpy` with the arguments of a vectorcall, after `first` if that is not NULL, for a
    function that takes all arguments.
    """
    cdef PyObject* operands[VECTOR_ARGUMENTS + 2]  # the function may use the one before the others
    cdef Py_ssize_t before = first != NULL
    cdef Py_ssize_t k, count = positional
    cdef list pairs = NO_PAIRS
    cdef list kept = None
    if counting:
        count_forwarded(name)
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    if count <= VECTOR_ARGUMENTS:
        operands[1] = first
        for k in range(count):
            operands[before + k + 1] = args[k]
            value = <object>args[k]
            if not may_hold_tensors(value):
                continue
            if pairs is NO_PAIRS:
                pairs = []
            changed = as_numpy(name, value, pairs, MAX_DEPTH)
            if changed is not value:
                if not is_tensor(value):  # `pairs` has the arrays of tensors
                    if kept is None:
                        kept = []
                    kept.append(changed)
                operands[before + k + 1] = <PyObject*>changed
        try:
            return as_tensors(
                vectorcall(
                    function, operands + 1, <size_t>(before + positional) | ARGUMENTS_OFFSET, names
                ),
                pairs,
            )
        except ValueError as error:
            if NO_NDARRAY not in str(error):
                raise
    arguments, named = unpacked(args, positional, names)
    if first != NULL:
        arguments = (<object>first, *arguments)
    return called_numpy(name, function, arguments, named)


cdef tuple unpacked(PyObject** args, Py_ssize_t positional, PyObject* names):
    """The arguments of a vectorcall as a tuple and a dict."""
    cdef Py_ssize_t k
    cdef dict named = {}
    if names != NULL:
        for k, name in enumerate(<tuple>names):
            named[name] = <object>args[positional + k]
    return tuple([<object>args[k] for k in range(positional)]), named


# NumPy's error for an object whose ``__array__`` returns a tensor, as that of a class in a program
# that imports Corepy in NumPy's place.
cdef str NO_NDARRAY = "__array__ method not producing an array"


cdef object made_tensors(object value, int depth):
    """`value` with objects whose ``__array__`` returns a tensor replaced by it."""
    if type(value) is list or type(value) is tuple:
        if depth == 0:
            return value
        return type(value)([made_tensors(item, depth - 1) for item in value])
    if type(value) is dict:
        return {name: made_tensors(item, depth - 1) for name, item in value.items()}
    if is_tensor(value) or isinstance(value, (np.ndarray, np.generic, type)) \
            or not hasattr(value, "__array__"):
        return value
    array = value.__array__()
    return array if is_tensor(array) else value


def owns_memory(Tensor x not None):
    """Return whether the elements are in memory of Corepy's that no other tensor shares."""
    cdef object storage
    materialize(x)
    storage = x.storage
    if storage is None or not in_host_memory(x):
        return storage is None
    return type(storage) is Block and (<Block>storage).owner is None \
        and reference_count(<PyObject*>storage) == 2


def is_writeable(Tensor x not None):
    """Return whether a tensor can be written to."""
    materialize(x)
    return not in_host_memory(x) or (x.flags & WRITEABLE) != 0


def set_writeable(Tensor x not None, bint on):
    """Set whether a tensor can be written to; NumPy's rule: only if its memory can be.

    ValueError if `on` is true, and the memory is shared with what cannot be written to.
    """
    cdef int axis
    if on and not x.flags & WRITEABLE:
        for axis in range(x.ndim):
            if x.dims[axis] > 1 and x.steps[axis] == 0:
                raise ValueError("setflags: elements of a broadcast tensor share memory")
        owner = x.storage
        if type(owner) is Block:
            owner = (<Block>owner).owner
        if not (owner is None or is_tensor(owner)
                or (isinstance(owner, np.ndarray) and owner.flags.writeable)):
            raise ValueError("setflags: the memory belongs to an object that may be read-only")
    x.flags = x.flags | WRITEABLE if on else x.flags & ~WRITEABLE
