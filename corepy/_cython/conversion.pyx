"""Calls of NumPy's functions with tensors, which share their memory with ndarrays."""

cimport numpy as cnp
from cpython.object cimport PyObject
from libc.string cimport memcpy

from corepy._cython.core cimport asarray as converted
from corepy._cython.core cimport (
    Block, CODE_OF_TYPE_NUM, DTYPE_float64, NDARRAY, Tensor, VALUE, WRITEABLE, as_class, as_ndarray,
    choosing, contiguous, empty, expose, from_ndarray, from_numpy_scalar, in_host_memory, is_tensor,
    nested_numbers, provided, result_in, settle,
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
        settle(x)
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
        k = cnp.PyArray_TYPE(array)
        # Others are misaligned or of the other byte order.
        if cnp.PyArray_ISBEHAVED_RO(array) and k < 64 and CODE_OF_TYPE_NUM[k] >= 0:
            return new_result(array, CODE_OF_TYPE_NUM[k])
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


cpdef object call_numpy(str name, object function, tuple args, dict kwargs):
    """Call a function of NumPy's with tensors, passed as ndarrays over the same memory.

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
    cdef list pairs = []
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
    MAX_ARGUMENTS = 16  # of calls without a tuple and a dict

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
    """`call_numpy` with the arguments of a vectorcall, after `first` if that is not NULL."""
    cdef PyObject* operands[MAX_ARGUMENTS + 2]  # the function may use the one before the others
    cdef Py_ssize_t before = first != NULL
    cdef Py_ssize_t k, count = positional
    cdef list pairs = NO_PAIRS
    cdef list kept = None
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    if count <= MAX_ARGUMENTS:
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
    return call_numpy(name, function, arguments, named)


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
    settle(x)
    storage = x.storage
    if storage is None or not in_host_memory(x):
        return storage is None
    return type(storage) is Block and (<Block>storage).owner is None \
        and reference_count(<PyObject*>storage) == 2


cdef inline Tensor numbers_in(object obj, object dtype):
    """A new tensor of a list of Python's numbers; None: something else decides about it."""
    if type(obj) is not list or choosing or not (dtype is None or dtype is float):
        return None
    return nested_numbers(obj, -1 if dtype is None else DTYPE_float64)


cdef inline bint is_held(object array) noexcept:
    """Whether a Tensor represents an array of NumPy's completely."""
    return type(array) is cnp.ndarray and cnp.PyArray_ISBEHAVED_RO(array) \
        and cnp.PyArray_TYPE(array) < 64 and CODE_OF_TYPE_NUM[cnp.PyArray_TYPE(array)] >= 0


def array(
    object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None
):
    """Make an array of an object. See `numpy.array`."""
    cdef Tensor x
    if copy is True and order == "K" and ndmin == 0 and ndmax == 0 and like is None:
        x = numbers_in(object, dtype)
        if x is not None:
            return x
        if dtype is None and (is_tensor(object) or is_held(object)):
            return converted(object, None, None, True)
    from corepy.numpy._creation import any_array
    return any_array(object, dtype, copy, order, subok, ndmin, ndmax, like)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None, chunks=None):
    """Return an object as an array, without a copy if possible. See `numpy.asarray`."""
    cdef Tensor x
    if order is None and device is None and copy is None and like is None and chunks is None:
        x = numbers_in(a, dtype)
        if x is not None:
            return x
        if dtype is None and is_tensor(a):
            return a
        if dtype is None and is_held(a):
            return converted(a)
    from corepy.numpy._creation import any_asarray
    return any_asarray(a, dtype, order, device, copy, like, chunks)


def ascontiguousarray(object a, object dtype=None, *, object like=None) -> Tensor:
    """Return an array in C order, with at least one axis. See `numpy.ascontiguousarray`."""
    cdef Tensor x
    if is_tensor(a) and dtype is None and like is None and (<Tensor>a).ndim:
        x = <Tensor>a
        settle(x)
        if in_host_memory(x):
            return contiguous(x)
    from corepy.numpy._shapes import made_contiguous
    return made_contiguous(a, dtype, like)


def dot(object a, object b, object out=None) -> Tensor:
    """Sum products over the last axis of `a` and the second last of `b`. See `numpy.dot`."""
    if is_tensor(a) and is_tensor(b) and out is None \
            and (<Tensor>a).ndim and 0 < (<Tensor>b).ndim <= 2:
        return provided.matmul(a, b)
    from corepy.numpy._products import any_dot
    return any_dot(a, b, out)


def interface_of(Tensor x not None, str name not None):
    """Return an attribute of the ndarray over a tensor's memory that has its address."""
    expose(x)
    return getattr((<object>x).__array__(), name)


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
