"""The functions of ``import corepy as np``: the standard's first, NumPy's behind it.

A `Function` costs what the standard's function costs, where that takes the call. What it refuses is
given to NumPy's function of the name: tensors go there as ndarrays over the same memory, and
ndarrays come back as tensors over theirs. What a Tensor cannot hold stays NumPy's.
"""

cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

from corepy._cython.core cimport CODE_OF_TYPE_NUM, Device, settle, Tensor
from corepy._cython.core cimport asarray as tensor_of

import functools
import inspect

import numpy as np

from corepy._cython.core import cpu

cnp.import_array()

cdef extern from *:
    """
    // Cython cannot declare vectorcall.
    static void call_by_vector(PyObject* of, Py_ssize_t offset) {
      PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(of);
      type->tp_vectorcall_offset = offset;
      type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
      type->tp_call = PyVectorcall_Call;
      PyType_Modified(type);
    }
    """
    ctypedef void* vectorcallfunc
    void call_by_vector(object, Py_ssize_t)
    PyObject* PyObject_Vectorcall(object, PyObject**, size_t, PyObject*)
    Py_ssize_t PyVectorcall_NARGS(size_t)

cdef Device CPU = cpu.devices()[0]
# The largest ndim of arrays. More deeply nested lists may contain themselves.
cdef int MAX_DEPTH = 64


# ---- between tensors and NumPy

cdef bint may_be_tensor(object value) except -1:
    """Whether a Tensor represents an ndarray or scalar of NumPy's completely, without a copy."""
    cdef int number
    if type(value) is not np.ndarray and type(value) is not np.memmap:
        if not isinstance(value, np.generic):
            return False
        number = value.dtype.num
    else:
        if not cnp.PyArray_ISBEHAVED_RO(value):  # misaligned, or of the other byte order
            return False
        number = cnp.PyArray_TYPE(value)
    return number < 64 and CODE_OF_TYPE_NUM[number] >= 0


cdef object as_numpy(str function, object value, list pairs, int depth):
    """`value` with tensors replaced by ndarrays over their memory; appends both to `pairs`."""
    cdef Tensor x
    cdef Py_ssize_t k
    cdef list items
    if type(value) is Tensor:
        x = <Tensor>value
        settle(x)
        if x.device_ is not CPU:
            raise ValueError(
                f"{function}: NumPy's functions compute on the CPU, and this tensor is on "
                f"{x.device_}; move it with x.to_device('cpu')"
            )
        array = x.device_.backend.to_numpy(x)
        pairs.append((array, x))
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


cdef object as_tensors(object value, list pairs, bint scalars):
    """`value` with ndarrays and scalars replaced by tensors where possible."""
    if isinstance(value, np.ndarray) or (scalars and isinstance(value, np.generic)):
        for array, x in pairs:
            if array is value:
                return x
        return tensor_of(value) if may_be_tensor(value) else value
    if type(value) is list:
        return [as_tensors(item, pairs, scalars) for item in <list>value]
    if type(value) is tuple:
        return tuple([as_tensors(item, pairs, scalars) for item in <tuple>value])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[as_tensors(item, pairs, scalars) for item in value])
    return value


def call_numpy(str name, object function, tuple args, dict kwargs, bint scalars=True):
    """Call a function of NumPy's with tensors, passed as ndarrays over the same memory.

    Parameters
    ----------
    name : str
        What errors call the function.
    function : callable
    args : tuple
    kwargs : dict
    scalars : bool, default True
        Whether NumPy's scalars, too, become tensors.

    Returns
    -------
    object
        What the function returns, with tensors for ndarrays and NumPy's scalars where a Tensor can
        hold them. An argument that the function returns is returned itself.

    Raises
    ------
    ValueError
        A tensor is on another device than the CPU.
    """
    cdef list pairs = []
    args = as_numpy(name, args, pairs, MAX_DEPTH)
    if kwargs:
        return as_tensors(
            function(*args, **as_numpy(name, kwargs, pairs, MAX_DEPTH)), pairs, scalars
        )
    return as_tensors(function(*args), pairs, scalars)


# ---- functions

@functools.cache
def _signature(function):
    return inspect.signature(function)


def _fits(function, args, kwargs):
    """Whether these arguments fit a function's signature."""
    try:
        _signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


cdef class Function:
    """A function of the drop-in.

    Parameters
    ----------
    path : str
        Where it is, as ``"corepy.linalg.svd"``.
    standard : callable or None
        What is called first.
    native : callable
        NumPy's function, called if `standard` raises TypeError, ValueError or OverflowError.
    """

    cdef vectorcallfunc vectorcall
    cdef object standard
    cdef object native
    cdef str path
    cdef str name   # the path within the drop-in
    cdef dict __dict__
    cdef object __weakref__

    def __init__(self, str path not None, object standard, object native):
        self.path = path
        self.name = path.partition(".")[2]
        self.standard = standard
        self.native = native
        self.vectorcall = <vectorcallfunc>call
        functools.update_wrapper(self, native if standard is None else standard, updated=())

    def __getattr__(self, str name):
        # The methods of NumPy's ufuncs, and other attributes of its functions.
        value = None if name.startswith("_") else getattr(self.native, name, None)
        if value is None:
            raise AttributeError(f"{self.path} has no attribute {name!r}")
        if callable(value) and not isinstance(value, type):
            value = Function(f"{self.path}.{name}", None, value)
            setattr(self, name, value)
        return value

    def __reduce__(self):
        from corepy._fallback import function_at
        return function_at, (self.path,)

    def __repr__(self):
        return f"<function {self.path}>"


cdef int raise_pending() except -1:
    """Raise the error set by a C function."""
    return -1


cdef PyObject* call(
    Function self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* result
    cdef Py_ssize_t k
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    if names != NULL:
        count += len(<tuple>names)
    takes = self.standard is not None
    for k in range(count):
        # If the conversion to a tensor needed a copy, results would not be views of the argument.
        if cnp.PyArray_CheckExact(<object>args[k]) and not cnp.PyArray_ISBEHAVED_RO(
            <object>args[k]
        ):
            takes = False
    failure = None
    if takes:
        result = PyObject_Vectorcall(self.standard, args, nargsf, names)
        if result != NULL:
            return result
        try:
            raise_pending()
        except (TypeError, ValueError, OverflowError) as error:
            failure = error
    value = call_native(self, args, PyVectorcall_NARGS(nargsf), names, failure)
    Py_INCREF(value)
    return <PyObject*>value


cdef object call_native(
    Function self, PyObject** args, Py_ssize_t count, PyObject* names, object failure
):
    """Call NumPy's function, after the standard's raised `failure` if that is not None."""
    cdef Py_ssize_t k
    cdef tuple positional = tuple([<object>args[k] for k in range(count)])
    cdef dict named = {}
    if names != NULL:
        for k, name in enumerate(<tuple>names):
            named[name] = <object>args[count + k]
    if failure is None:
        return call_numpy(self.name, self.native, positional, named)
    try:
        return call_numpy(self.name, self.native, positional, named)
    except Exception:
        # The error of the standard's function is better if values, not arguments, are wrong.
        if _fits(self.standard, positional, named):
            raise failure from None
        raise


cdef Function _any = Function.__new__(Function)
call_by_vector(Function, <char*>&_any.vectorcall - <char*><void*>_any)
