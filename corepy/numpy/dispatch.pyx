"""Dispatch of the functions of ``import corepy as np``.

A `Function` has implementations: the standard's function, Corepy's own with NumPy's signature
(`corepy.numpy`), and NumPy's function, for arrays in host memory. The first that takes the
arguments is called, and what it raises is the caller's error. An implementation takes a call if the
arguments fit its signature, each of them is what the parameter's annotation says (`Parameter`), and
its condition about several of them holds (`takes`). NumPy's function takes all calls: tensors go
there as ndarrays over the same memory, and ndarrays come back as tensors over theirs.
"""

cimport cython
cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF

from corepy.numpy.conversion cimport (
    call_numpy, call_numpy_by_vector, count_forwarded, counting, plain, unpacked,
)
from corepy._cython.core cimport (
    astype, compute_out, CPU, Device, DTYPE_COUNT, DTYPE_float32, DTYPES, empty, HALVES,
    HAS_PYTHON_CLASS, held, held_dtype, in_drop_in, in_ndarray, is_half, is_integer, is_tensor,
    NAMES, Operation, promoted_all, result_in, Tensor, to_device,
)
from corepy._cython.vectorcall cimport (
    call_by_vector, PyObject_Vectorcall, PyTuple_GET_ITEM, PyTuple_GET_SIZE,
    PyVectorcall_NARGS, tuple_items, vectorcallfunc,
)

import functools
import inspect
import sys
from _thread import RLock
from collections.abc import Callable, Sequence
from importlib import import_module
from operator import index
from types import (
    BuiltinFunctionType, FunctionType, GeneratorType, MethodDescriptorType, MethodType, NoneType,
    UnionType,
)
from typing import Annotated, Any, get_args, get_origin, Literal, Never, Union

import numpy as np

from corepy._cython.core import (
    accepted_dtypes, KINDS, named_operations, renew_after_fork, write_where,
)
from corepy.numpy import _own
from corepy.numpy._arguments import Array
from corepy.numpy._conditions import CONDITIONS, IN_FLOAT32
from corepy.numpy._refusals import REFUSALS

cnp.import_array()


@functools.cache
def _signature(function):
    return inspect.signature(function)


# ---- parameters

cdef enum:
    MAX_ARGUMENTS = 32    # of calls that are not left to NumPy
    DDOF = 4              # the position of ddof among the arguments of NumPy's std and var

cdef enum Takes:          # what a parameter takes
    TAKES_ANY = 1 << 0
    TAKES_NONE = 1 << 1
    TAKES_ARRAY = 1 << 2      # array-likes, which become tensors
    TAKES_TENSOR = 1 << 3     # tensors alone
    TAKES_ARRAYS = 1 << 4     # lists and tuples of array-likes, and tensors with axes
    TAKES_BOOL = 1 << 5
    TAKES_INT = 1 << 6
    TAKES_FLOAT = 1 << 7      # ints, too
    TAKES_COMPLEX = 1 << 8    # ints and floats, too
    TAKES_STR = 1 << 9
    TAKES_TUPLE = 1 << 10     # of ints
    TAKES_LIST = 1 << 11      # of ints
    TAKES_DTYPE = 1 << 12     # what is a dtype of tensors
    TAKES_CALLABLE = 1 << 13
    TAKES_VALUES = 1 << 14    # the literals
    TAKES_ITEMS = 1 << 15     # lists of anything, as they are


cdef object NOT_TAKEN = object()
cdef object NO_VALUE = np._NoValue   # NumPy's default of parameters: the argument is not given
cdef dict SIMPLE = {
    NoneType: TAKES_NONE, bool: TAKES_BOOL, int: TAKES_INT, float: TAKES_FLOAT,
    complex: TAKES_COMPLEX, str: TAKES_STR, Any: TAKES_ANY, Tensor: TAKES_TENSOR,
    None: TAKES_NONE, inspect.Parameter.empty: TAKES_ANY,
}


@cython.final
cdef class Parameter:
    """What an implementation takes for one of its parameters.

    `dtypes` are the dtypes of arrays, a bit for each code, and `values` the literals. Arrays are
    passed on as ndarrays of the drop-in if `drop_in` is true, otherwise in their class.
    """

    cdef unsigned int types
    cdef unsigned long long dtypes, of_kinds
    cdef int least
    cdef list values
    cdef object default
    cdef bint drop_in

    def __cinit__(self, object hint, object default, bint drop_in, unsigned long long dtypes):
        self.dtypes = dtypes
        self.values = []
        self.default = default
        self.drop_in = drop_in
        self.add(hint)
        if self.of_kinds:
            self.dtypes &= self.of_kinds

    cdef int add(self, object hint) except -1:
        """Add what an annotation says."""
        cdef object origin = get_origin(hint)
        if hint is Never:
            return 0
        if hint in SIMPLE:
            self.types |= <unsigned int>SIMPLE[hint]
        elif origin is Union or origin is UnionType:
            for part in get_args(hint):
                self.add(part)
        elif origin is Literal:
            self.types |= TAKES_VALUES
            self.values.extend(get_args(hint))
        elif origin is Annotated:
            elements = get_args(hint)[1]
            self.types |= TAKES_ARRAYS if elements.many else TAKES_ARRAY
            self.least = elements.least
            for code, kind in enumerate(KINDS):
                self.of_kinds |= <unsigned long long>(kind in elements.kinds) << <int>code
        elif origin is list and get_args(hint)[0] is Any:
            self.types |= TAKES_ITEMS
        elif origin is tuple or origin is Sequence or origin is list:
            if get_origin(get_args(hint)[0]) is Annotated:
                self.types |= TAKES_ARRAYS
            else:
                self.types |= TAKES_LIST if origin is list else \
                    TAKES_TUPLE if origin is tuple else TAKES_LIST | TAKES_TUPLE
        elif origin is np.dtype:
            self.types |= TAKES_DTYPE
        elif origin is Callable:
            self.types |= TAKES_CALLABLE
        else:
            raise TypeError(f"an implementation cannot have a parameter of {hint!r}")
        return 0

    cdef inline bint has(self, Tensor x):
        return (self.dtypes >> <int>x.code) & 1 and x.ndim >= self.least

    cdef inline bint passes(self, object value):
        """Whether a value is passed on as it is; false if that takes longer to know."""
        cdef Py_ssize_t k
        if is_tensor(value):
            return self.types & (TAKES_ARRAY | TAKES_TENSOR | TAKES_ANY) \
                and self.has(<Tensor>value) and not (self.drop_in and type(value) is Tensor)
        if value is None:
            return self.types & (TAKES_NONE | TAKES_ANY)
        if type(value) is int:
            return self.types & (TAKES_INT | TAKES_FLOAT | TAKES_COMPLEX | TAKES_ANY)
        if type(value) is float:
            return self.types & (TAKES_FLOAT | TAKES_COMPLEX | TAKES_ANY)
        if type(value) is bool:
            return self.types & (TAKES_BOOL | TAKES_ANY)
        if type(value) is tuple and self.types & TAKES_TUPLE:
            for k in range(PyTuple_GET_SIZE(value)):
                if type(<object>PyTuple_GET_ITEM(value, k)) is not int:
                    return False
            return True
        if self.types & TAKES_ARRAYS and not self.drop_in:
            if type(value) is list:
                for item in <list>value:
                    if not is_tensor(item) or not self.has(<Tensor>item):
                        return False
                return True
            if type(value) is tuple:
                for k in range(PyTuple_GET_SIZE(value)):
                    if not is_tensor(<object>PyTuple_GET_ITEM(value, k)) \
                            or not self.has(<Tensor>PyTuple_GET_ITEM(value, k)):
                        return False
                return True
        return False

    cdef object converted(self, object value, PyObject** args, Py_ssize_t count):
        """Return a value as the implementation takes it, or NOT_TAKEN.

        `args` are all arguments of the call: what is copied goes to the device of the first tensor.
        """
        cdef Tensor x
        if is_tensor(value):
            x = value
            if self.types & (TAKES_ARRAY | TAKES_TENSOR | TAKES_ANY):
                if not self.has(x):
                    return NOT_TAKEN
                return in_drop_in(x) if self.drop_in else x
            if self.types & TAKES_INT and x.ndim == 0 and is_integer(x.code):
                return index(x)
            if self.types & TAKES_ARRAYS and x.ndim > 1 and self.has(x):
                return tuple(in_drop_in(x) if self.drop_in else x)
            return NOT_TAKEN
        if self.types & TAKES_ANY:
            return value
        if value is NO_VALUE:
            return NOT_TAKEN if self.default is inspect.Parameter.empty else self.default
        if not isinstance(value, np.generic) or not self.types & TAKES_ARRAY:
            taken = self.not_array(value, args, count)
            if taken is not NOT_TAKEN or not self.types & TAKES_ARRAY:
                return taken
        device = device_of(args, count)
        if device is None and isinstance(value, (np.generic, bool, int, float, complex)):
            return NOT_TAKEN  # numbers alone are NumPy's
        x = held(value, device)
        if x is None or not self.has(x):
            return NOT_TAKEN
        if not self.drop_in:
            return x
        return in_drop_in(x if device is None else to_device(x, device))

    cdef object not_array(self, object value, PyObject** args, Py_ssize_t count):
        """Convert what is neither a tensor nor becomes one."""
        cdef type cls = type(value)
        if cls is bool or cls is np.bool:
            if self.types & TAKES_BOOL:
                return bool(value)
        elif self.types & (TAKES_FLOAT | TAKES_COMPLEX) and isinstance(value, (int, float)):
            return value
        elif self.types & TAKES_COMPLEX and isinstance(value, complex):
            return value
        elif self.types & TAKES_INT and is_index(value):
            return index(value)
        if self.types & TAKES_VALUES:
            for literal in self.values:
                if type(literal) is cls and literal == value:
                    return literal
        if self.types & TAKES_STR and cls is str:
            return value
        if (self.types & TAKES_TUPLE and cls is tuple) or (self.types & TAKES_LIST and cls is list):
            value = tuple(value)
            for item in value:
                if not is_index(item):
                    break
            else:
                return tuple([index(item) for item in value])
        if self.types & TAKES_DTYPE and (isinstance(value, (type, np.dtype)) or cls is str):
            dtype = held_dtype(value)
            return NOT_TAKEN if dtype is None else dtype
        if self.types & TAKES_CALLABLE and callable(value):
            return value
        if self.types & TAKES_ARRAYS and (cls is list or cls is tuple):
            device = device_of(args, count)
            found = []
            for item in tuple(value):
                if not self.drop_in and isinstance(item, (bool, int, float, complex)):
                    return NOT_TAKEN  # in NumPy, arrays decide the dtype
                x = held(item, device)
                if x is None or not self.has(x):
                    return NOT_TAKEN
                found.append(in_drop_in(x) if self.drop_in else x)
            return tuple(found)
        return value if self.types & TAKES_ITEMS and cls is list else NOT_TAKEN


cdef bint is_index(object value) except -1:
    """Whether a value is an integer: of Python, of NumPy, of another class, or an array of one."""
    cdef type cls = type(value)
    if cls is int:
        return True
    if is_tensor(value):
        return (<Tensor>value).ndim == 0 and is_integer((<Tensor>value).code)
    if cls is np.ndarray:
        return value.ndim == 0 and value.dtype.kind in "iu"
    return hasattr(cls, "__index__") and cls is not bool and cls is not np.uint64 \
        and (isinstance(value, np.generic) or not hasattr(cls, "ndim"))


cdef bint has_tensors(PyObject** args, Py_ssize_t count) noexcept:
    cdef Py_ssize_t k
    for k in range(count):
        if is_tensor(<object>args[k]):
            return True
    return False


cdef list in_float32(PyObject** args, Py_ssize_t positional, PyObject* names, int* half):
    """Arguments with float32 for halves, if the dtype of the arrays together is `half`; it is left
    as it is otherwise, and if the call asks for a dtype.
    """
    cdef unsigned int codes = 0
    cdef Py_ssize_t k
    cdef tuple keys = () if names == NULL else <tuple>names
    for k in range(positional + len(keys)):
        if k >= positional and keys[k - positional] == "dtype" and <object>args[k] is not None:
            return None
        if k < positional or keys[k - positional] != "out":
            codes |= codes_of(<object>args[k])
    if codes & HALVES:
        code = promoted_all(codes)
        if is_half(code):
            half[0] = code
            return [
                <object>args[k] if k >= positional and keys[k - positional] == "out"
                else widened(<object>args[k])
                for k in range(positional + len(keys))
            ]
    return None


cdef unsigned int codes_of(object value) except? 0:
    """The dtypes of tensors, a bit for each code."""
    cdef unsigned int codes = 0
    if is_tensor(value):
        return <unsigned int>1 << (<Tensor>value).code
    if type(value) is tuple or type(value) is list:
        for item in value:
            if is_tensor(item):
                codes |= <unsigned int>1 << (<Tensor>item).code
    return codes


cdef object widened(object value):
    if is_tensor(value) and is_half((<Tensor>value).code):
        return astype(value, np.float32)
    if type(value) is tuple or type(value) is list:
        return type(value)([widened(item) for item in value])
    return value


cdef object rounded(object result, object dtype):
    """A result with halves for float32."""
    if is_tensor(result):
        return astype(result, dtype) if (<Tensor>result).code == DTYPE_float32 else result
    if type(result) is np.float32:
        return dtype.type(result)
    if type(result) is tuple or type(result) is list:
        return type(result)([rounded(item, dtype) for item in result])
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[rounded(item, dtype) for item in result])
    return result


cdef Device device_of(PyObject** args, Py_ssize_t count):
    """The device of the first tensor among arguments, in a list too; None if there is none."""
    cdef Py_ssize_t k
    for k in range(count):
        value = <object>args[k]
        if is_tensor(value):
            return (<Tensor>value).device
        if type(value) is list or type(value) is tuple:
            for item in tuple(value):
                if is_tensor(item):
                    return (<Tensor>item).device
    return None


# ---- implementations

# Parameters that NumPy and the standard name differently.
cdef dict RENAMED = {"ddof": "correction"}


@cython.final
cdef class Translation:
    """How the arguments of a call in NumPy's signature are passed to an implementation.

    `order` has, for each argument of the implementation's call, its number in NumPy's, and
    `parameters` its parameter; the last `names` are keywords. Arguments in `dropped`, pairs of
    number and value, have no place there: the implementation takes the call only if they have
    NumPy's default values.
    """

    cdef int[MAX_ARGUMENTS] order
    cdef Py_ssize_t count, positional
    cdef bint is_plain    # whether arguments are passed in their order, and there is no condition
    cdef list parameters
    cdef tuple names
    cdef tuple dropped
    # Where the arguments of the condition are: a number, or -1 less the place of the default; and
    # the place of an argument that is a tuple, with the numbers of its items.
    cdef int[MAX_ARGUMENTS] asked
    cdef Py_ssize_t asked_count
    cdef tuple defaults
    cdef tuple several


cdef object POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
cdef tuple POSITIONAL = (POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
cdef object VARIADIC = inspect.Parameter.VAR_POSITIONAL


@cython.binding(False)
@cython.final
cdef class Implementation:
    """A function that computes some calls of a `Function`.

    Parameters
    ----------
    function : callable
        Its annotations say what it takes. `takes` sets a condition.
    signature : tuple of inspect.Parameter, optional
        The parameters that calls have; by default those of `function`.
    dtypes : dict, optional
        For names of parameters the dtypes that they take, as numbers with a bit for each code.
    condition : callable or dict, optional
        What else must hold; by default that of `takes`. Its parameters are some of the function's,
        or it takes any number of arguments: all. A dict has other annotations.
    """

    cdef readonly object function
    cdef object condition
    cdef bint drop_in
    cdef bint needs_arrays    # whether an argument must be a tensor, and not all numbers
    cdef bint has_axis        # whether it is the standard's, and a parameter is an axis
    cdef bint in_float32      # whether halves are computed in float32
    cdef tuple signature
    cdef list takes           # the parameters of the signature
    cdef dict parameters      # by name
    cdef Parameter others     # of keywords without a name
    cdef tuple asked          # names of parameters of the condition
    cdef dict translations
    cdef list plain           # the translations of calls without keywords, by number of arguments

    def __init__(self, function, tuple signature=None, dict dtypes=None, condition=None):
        cdef dict hints = hints_of(function)
        if type(condition) is dict:
            hints |= condition
            condition = None
        self.function = function
        self.drop_in = signature is None
        self.takes = list(_signature(function).parameters.values())
        self.has_axis = not self.drop_in and any(p.name == "axis" for p in self.takes)
        self.in_float32 = function.__name__ in IN_FLOAT32 \
            and function.__module__.startswith("corepy.numpy.")
        self.signature = tuple(self.takes) if signature is None else signature
        self.parameters = {
            p.name: Parameter(
                hints.get(p.name, Any), p.default, self.drop_in,
                ALL_DTYPES if dtypes is None else dtypes.get(p.name, ALL_DTYPES),
            )
            for p in self.takes
        }
        for p in self.takes:
            if p.kind is p.VAR_KEYWORD:
                self.others = <Parameter>self.parameters[p.name]
        self.condition = getattr(function, "condition", None) if condition is None else condition
        self.asked = () if self.condition is None \
            else tuple(_signature(self.condition).parameters)
        self.translations = {}
        self.plain = [NOT_TAKEN] * MAX_ARGUMENTS

    cdef Translation find(self, Py_ssize_t count, PyObject* names):
        """The translation of calls of this form; None: their arguments do not fit."""
        if names == NULL:
            if count >= MAX_ARGUMENTS:
                return None
            found = self.plain[count]
            if found is NOT_TAKEN:
                found = self.plain[count] = self.translation(count, ())
            return found
        key = (count, <tuple>names)
        found = self.translations.get(key, NOT_TAKEN)
        if found is NOT_TAKEN:
            found = self.translations[key] = self.translation(count, <tuple>names)
        return found

    cdef Translation translation(self, Py_ssize_t count, tuple names):
        cdef Translation found = Translation.__new__(Translation)
        cdef Py_ssize_t k
        cdef dict known = {p.name: p for p in self.signature}
        cdef dict given = {}   # the number of the argument, by the name of NumPy's parameter
        cdef list order = [], chosen = [], renamed = [], dropped = []
        cdef set keywords = {
            p.name for p in self.takes
            if p.kind is not POSITIONAL_ONLY and p.kind is not VARIADIC
            and p.kind is not p.VAR_KEYWORD
        }
        if count + len(names) > MAX_ARGUMENTS:
            return None
        for k in range(count):
            if k < len(self.signature) and self.signature[k].kind in POSITIONAL:
                given[self.signature[k].name] = k
            elif self.signature \
                    and self.signature[min(k, len(self.signature) - 1)].kind is VARIADIC \
                    or any(p.kind is VARIADIC for p in self.takes):
                given[k] = k   # one of any number
            else:
                return None
        for k, name in enumerate(names):
            if name in known and known[name].kind is POSITIONAL_ONLY:
                return None
            if name in given or (
                name not in known and name not in keywords and self.others is None
            ):
                return None
            given[name] = count + k
        # Positional parameters correspond by position where names differ, others by name.
        for k, p in enumerate(self.takes):
            if p.kind is VARIADIC:
                for key in [key for key in given if type(key) is int]:
                    order.append(given.pop(key))
                    chosen.append(p.name)
                break
            if p.kind not in POSITIONAL:
                break
            name = p.name
            if name not in given:
                if p.kind is not POSITIONAL_ONLY or k >= len(self.signature):
                    break
                name = self.signature[k].name
            if name not in given or given[name] >= count and p.kind is not POSITIONAL_ONLY:
                break
            order.append(given.pop(name))
            chosen.append(p.name)
        found.positional = len(order)
        for name, k in given.items():
            new = RENAMED.get(name, name) if type(name) is str and name not in keywords else name
            if new in renamed or type(name) is int:
                return None
            if (new in keywords and new not in chosen) or (
                self.others is not None and new not in known
            ):
                order.append(k)
                renamed.append(new)
                chosen.append(new)
            elif name in known and known[name].default is not inspect.Parameter.empty:
                dropped.append((k, known[name].default))
            else:
                return None
        for p in self.takes:
            if p.default is p.empty and p.name not in chosen \
                    and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                return None
        for k in range(len(order)):
            found.order[k] = order[k]
        found.count = len(order)
        found.parameters = [
            self.parameters[name] if name in self.parameters else self.others for name in chosen
        ]
        found.names = tuple(renamed) if renamed else None
        found.dropped = tuple(dropped)
        found.is_plain = self.condition is None and not names and not renamed and not dropped \
            and not self.drop_in and order == list(range(count))
        found.asked_count = 0
        if self.condition is not None and self.takes_all():
            for k in range(found.count):
                found.asked[k] = k
            found.asked_count = found.count
            return found
        defaults = []
        for place, name in enumerate(self.asked):
            p = _signature(self.function).parameters[name]
            if p.kind is VARIADIC:
                numbers = [k for k, other in enumerate(chosen) if other == name]
                found.several = (place, numbers)
                continue
            if name in chosen:
                found.asked[found.asked_count] = chosen.index(name)
            else:
                defaults.append(p.default)
                found.asked[found.asked_count] = -len(defaults)
            found.asked_count += 1
        found.defaults = tuple(defaults)
        return found

    cdef bint takes_all(self):
        """Whether the condition is about any number of arguments."""
        return all(p.kind is VARIADIC for p in _signature(self.condition).parameters.values())

    cdef PyObject* call(
        self, PyObject** args, Py_ssize_t positional, PyObject* names
    ) except? NULL:
        """Call the function. NULL without an error: it does not take such a call."""
        cdef list values
        cdef PyObject* result
        cdef int half = -1
        if self.in_float32:
            values = in_float32(args, positional, names, &half)
        if half < 0:
            return self.call_with(args, positional, names)
        arguments = tuple(values)
        result = self.call_with(tuple_items(arguments), positional, names)
        if result == NULL:
            return NULL
        found = rounded(<object>result, DTYPES[half])
        Py_DECREF(<object>result)
        Py_INCREF(found)
        return <PyObject*>found

    cdef PyObject* call_with(
        self, PyObject** args, Py_ssize_t positional, PyObject* names
    ) except? NULL:
        cdef PyObject* moved[MAX_ARGUMENTS + 1]  # the function may use the one before the others
        cdef list kept
        cdef PyObject* keywords = NULL
        cdef PyObject* result
        cdef Py_ssize_t k
        cdef Translation how = self.find(positional, names)
        if how is None:
            return NULL
        if how.is_plain and self.passes(how, args):
            return call_checked(self.function, args, positional, NULL)
        kept = []
        if not self.takes_values(how, args, positional, names, moved + 1, kept):
            return NULL
        if how.names is not None:
            keywords = <PyObject*>how.names
        result = call_checked(self.function, moved + 1, how.positional, keywords)
        for k in range(how.count):
            # An argument to write to is returned itself, in its class.
            if result == moved[k + 1] and result != args[how.order[k]] \
                    and is_tensor(<object>args[how.order[k]]) \
                    and not (<Parameter>how.parameters[k]).types & TAKES_ARRAY:
                Py_INCREF(<object>args[how.order[k]])
                Py_DECREF(<object>result)
                return args[how.order[k]]
        return result

    cdef inline bint passes(self, Translation how, PyObject** args):
        """Whether the arguments of a plain call are passed on as they are; false if that takes
        longer to know.
        """
        cdef Py_ssize_t k
        cdef bint has_array = not self.needs_arrays
        for k in range(how.count):
            if not (<Parameter>how.parameters[k]).passes(<object>args[k]):
                return False
            has_array |= is_tensor(<object>args[k])
        return has_array and not (
            self.has_axis and how.count > 1 and is_tensor(<object>args[0])
            and (<Tensor>args[0]).ndim == 0
        )

    cdef bint takes_values(
        self, Translation how, PyObject** args, Py_ssize_t positional, PyObject* names,
        PyObject** moved, list kept,
    ) except -1:
        """Whether the function takes these arguments; sets its own. `kept` owns new ones."""
        cdef PyObject* values[MAX_ARGUMENTS]
        cdef PyObject* holds
        cdef Py_ssize_t k
        cdef Py_ssize_t count = positional if names == NULL \
            else positional + PyTuple_GET_SIZE(<object>names)
        cdef Parameter parameter
        for k, default in how.dropped:
            if not is_default(<object>args[k], default):
                return False
        for k in range(how.count):
            moved[k] = args[how.order[k]]
            parameter = <Parameter>how.parameters[k]
            if not parameter.passes(<object>moved[k]):
                value = parameter.converted(<object>moved[k], args, count)
                if value is NOT_TAKEN:
                    return False
                kept.append(value)
                moved[k] = <PyObject*>value
        if self.has_axis and is_tensor(<object>moved[0]) and (<Tensor>moved[0]).ndim == 0 \
                and how.count > 1:
            return False  # in NumPy, arrays without axes have axis 0
        if self.needs_arrays and not has_tensors(moved, how.count):
            return False
        if self.condition is None:
            return True
        for k in range(how.asked_count):
            if how.asked[k] >= 0:
                values[k] = moved[how.asked[k]]
            else:
                values[k] = PyTuple_GET_ITEM(how.defaults, -1 - how.asked[k])
        if how.several is None:
            holds = PyObject_Vectorcall(self.condition, values, how.asked_count, NULL)
            if holds == NULL:
                raise_pending()
            value = <object>holds
            Py_DECREF(value)
            return bool(value)
        arguments = [<object>values[k] for k in range(how.asked_count)]
        items = tuple([<object>moved[<Py_ssize_t>k] for k in how.several[1]])
        arguments.insert(how.several[0], items)
        return bool(self.condition(*arguments))

    def arguments(self, *args, **kwargs):
        """Return the arguments that the function is called with, as a tuple and a dict; None if it
        does not take the call.
        """
        cdef PyObject* moved[MAX_ARGUMENTS]
        cdef tuple names = tuple(kwargs)
        cdef tuple values = args + tuple(kwargs.values())
        cdef PyObject* keywords = <PyObject*>names if names else NULL
        cdef list kept = []
        cdef Py_ssize_t k
        cdef Translation how = self.find(len(args), keywords)
        if how is None or not self.takes_values(
            how, tuple_items(values), len(args), keywords, moved, kept
        ):
            return None
        found = [<object>moved[k] for k in range(how.count)]
        return tuple(found[:how.positional]), dict(zip(how.names or (), found[how.positional:]))

    def compute(self, *arguments):
        """Call the function with positional arguments of `arguments`."""
        cdef int half = -1
        cdef list values = None
        if self.in_float32:
            values = in_float32(tuple_items(arguments), len(arguments), NULL, &half)
        if half < 0:
            return self.function(*arguments)
        return rounded(self.function(*values), DTYPES[half])


cdef unsigned long long ALL_DTYPES = (<unsigned long long>1 << <int>DTYPE_COUNT) - 1


cdef dict hints_of(object function):
    """The annotations of a function. Those of the standard's functions are text: there a Tensor is
    an array-like.
    """
    cdef dict names = STANDARDS if (function.__module__ or "").startswith("corepy.array_api") \
        else getattr(inspect.unwrap(function), "__globals__", {})
    return {
        name: eval(text, names) if type(text) is str else text
        for name, text in getattr(function, "__annotations__", {}).items() if name != "return"
    }


cdef dict STANDARDS = {
    "Tensor": Array, "Literal": Literal, "Sequence": Sequence, "Any": Any,
    "DTypeLike": np.dtype[Any], "Device": Any, "tuple": tuple, "list": list, "int": int,
    "float": float,
    "complex": complex, "bool": bool, "str": str,
}


cdef bint is_default(object value, object default) except -1:
    if value is default:
        return True
    if type(value) is str or type(value) is int:
        return type(value) is type(default) and value == default
    return False


# ---- functions

cdef bint has_signature(object function) except -1:
    """Whether `inspect` knows the signature of a function: not of all that are written in C."""
    if hasattr(function, "__signature__"):
        return True
    if hasattr(function, "__wrapped__"):
        return has_signature(function.__wrapped__)
    return not isinstance(function, IN_C) \
        or getattr(function, "__text_signature__", None) is not None


cdef tuple IN_C = (BuiltinFunctionType, MethodDescriptorType, np.ufunc, type(np.concatenate))


# Held while a function learns its implementations: a second thread would replace those that a call
# uses.
cdef object LEARNING = RLock()
renew_after_fork(LEARNING)


# A function of the drop-in. (Not a docstring: IPython would show it below that of each function.)
#
# `path` is where it is, as ``"corepy.linalg.svd"``. `standard`, the standard's function or None, is
# asked first, then `own`, Corepy's implementation with NumPy's signature (by default that of
# `corepy.numpy`, if there is one); `native`, NumPy's function, takes what the others do not.
@cython.binding(False)
cdef class Function:
    cdef vectorcallfunc vectorcall
    cdef readonly object standard
    cdef object own
    cdef readonly object native
    cdef readonly str path
    cdef str name           # the path within the drop-in
    cdef Implementation first, second  # of `standard` and `own`; None: there is none
    cdef bint learned
    cdef bint renames       # whether the standard calls it by another name
    cdef bint checked       # whether there are arguments that NumPy's crashes on
    cdef bint gives_arrays  # results without axes are arrays in NumPy, too
    cdef bint divides       # by a number of elements, which may be none: NumPy warns then
    cdef bint asks          # whether NumPy's calls a method of its first argument
    cdef dict __dict__
    cdef object __weakref__

    def __call__(self, *args, **kwargs):
        return self(*args, **kwargs)  # the class is called by vectorcall

    def __init__(self, str path not None, object standard, object native, object own=None):
        self.path = path
        self.name = path.partition(".")[2]
        self.standard = standard
        self.own = own
        self.native = native
        self.vectorcall = <vectorcallfunc>call
        for attribute in ("__module__", "__name__", "__qualname__"):
            value = getattr(native if standard is None else standard, attribute, None)
            if value is not None:
                setattr(self, attribute, value)
        self.__wrapped__ = native if standard is None else standard

    cdef int learn(self) except -1:
        """Find the implementations. At the first call: it takes time that imports should not."""
        with LEARNING:
            if not self.learned:
                self.learn_alone()
        return 0

    cdef int learn_alone(self) except -1:
        self.checked = self.name.rpartition(".")[2] in REFUSALS
        self.gives_arrays = self.name in ARRAYS
        self.divides = self.path in ("corepy.mean", "corepy.var", "corepy.std")
        self.asks = self.name in METHODS or isinstance(self.native, np.ufunc) \
            or isinstance(getattr(self.native, "__self__", None), np.ufunc)
        self.find_implementations()
        self.renames = self.standard is None or _standard_name(self.standard) != self.name
        self.learned = True
        return 0

    def find_implementations(self):
        """Set `first` and `second`."""
        own = _own.find(self.path) if self.own is None else self.own
        if self.standard is not None:
            dtypes = accepted_dtypes(_standard_name(self.standard))
            condition = CONDITIONS.get(self.path)
            self.first = Implementation(self.standard, self.find_parameters(), dtypes, condition)
        if own is not None:
            self.second = Implementation(own)

    def find_parameters(self):
        """Return the parameters of NumPy's function; those of the standard's where it has none."""
        known = self.native if has_signature(self.native) else self.standard
        return tuple(inspect.signature(known).parameters.values())

    cdef object beside_derived(self, object value, Tensor operand):
        """A result for an operand of a class that a program derived, as NumPy's function has it."""
        if self.name in PLAIN:
            return in_ndarray(plain(value), not self.gives_arrays)
        if self.name in NUMBERS:
            value = in_ndarray(value, True)
        return result_in(type(operand), value, operand, False)

    @property
    def implementations(self):
        """The functions that may compute a call, but NumPy's."""
        if not self.learned:
            self.learn()
        return [(<Implementation>found).function for found in (self.first, self.second)
                if found is not None]

    def route(self, *args, **kwargs):
        """Return the implementation that computes a call: a function, or None for NumPy's.

        Arguments of classes that decide by NumPy's protocols are not considered.
        """
        cdef Implementation found
        if not self.learned:
            self.learn()
        for found in (self.first, self.second):
            if found is None or found.arguments(*args, **kwargs) is None:
                continue
            if found is self.first and self.divides:
                names = tuple(kwargs)
                values = args + tuple(kwargs.values())
                if may_lack_elements(tuple_items(values), len(args), <PyObject*>names):
                    continue
            return found.function
        return None

    def __getattr__(self, str name):
        # The methods of NumPy's ufuncs, and other attributes of its functions.
        value = self if name.startswith("_") else getattr(self.native, name, self)
        if value is self:
            raise AttributeError(f"{self.path} has no attribute {name!r}")
        if callable(value) and not isinstance(value, type):
            value = Function(f"{self.path}.{name}", None, value, self.find_method(name))
            setattr(self, name, value)
        return value

    def find_method(self, str name):
        """Return Corepy's own implementation of an attribute that is a function, or None."""
        return None

    @property
    def __signature__(self):
        """NumPy's signature, where it has one."""
        if has_signature(self.native):
            return inspect.signature(self.native)
        if self.standard is None:
            raise AttributeError(f"{self.path} has no signature")
        return _signature(self.standard)

    @property
    def __doc__(self):
        return documentation(self)

    def __get__(self, instance, owner):
        # As NumPy's functions: in the body of a class they are methods.
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self):
        return function_at, (self.path,)

    # Equal to NumPy's, so that lists and tables of functions have it.
    def __eq__(self, other):
        if isinstance(other, Function):
            other = (<Function>other).native
        return self.native is other if callable(other) else NotImplemented

    def __hash__(self):
        return hash(self.native)

    def __repr__(self):
        return f"<function {self.path}>"


cdef object documentation(Function function):
    """The docstring of a function, which is made when it is asked for."""
    from corepy.numpy import _documentation
    return _documentation.of_function(function)


def function_at(path):
    """Return the function of the drop-in with a path, for pickles."""
    first, *rest = path.split(".")
    return functools.reduce(getattr, rest, import_module(first))


cdef int raise_pending() except -1:
    """Raise the error set by a C function."""
    return -1


cdef PyObject* call(
    Function self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    """Call a function of the drop-in, which returns ndarrays and NumPy's scalars."""
    cdef PyObject* result
    cdef PyObject* derived = NULL   # the first array of a class that a program derived
    cdef Py_ssize_t k, count = PyVectorcall_NARGS(nargsf)
    cdef bint is_argument = False
    if names == NULL and type(self) is UFunc and are_numbers(args, count):
        if counting:
            count_forwarded(self.name)
        return call_checked(self.native, args, nargsf, NULL)
    result = computed(self, args, nargsf, names)
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    for k in range(count):
        if args[k] == result:
            if is_out(self, k, PyVectorcall_NARGS(nargsf), names):
                return result
            is_argument = type(<object>result) is not Tensor
        if derived == NULL and HAS_PYTHON_CLASS(<object>args[k]) and is_tensor(<object>args[k]):
            derived = args[k]
    if derived == NULL and HAS_PYTHON_CLASS(<object>result) and is_tensor(<object>result):
        derived = result  # of an operand in a list
    if is_argument and derived == NULL:
        return result
    value = <object>result
    Py_DECREF(value)
    if derived == NULL:
        value = in_ndarray(value, not self.gives_arrays)
    else:
        value = self.beside_derived(value, <Tensor>derived)
    Py_INCREF(value)
    return <PyObject*>value


cdef inline bint are_numbers(PyObject** args, Py_ssize_t count) noexcept:
    """Whether arguments are Python's and NumPy's numbers, which NumPy's ufuncs compute with."""
    cdef Py_ssize_t k
    for k in range(count):
        value = <object>args[k]
        if type(value) is not float and type(value) is not int \
                and not cnp.PyArray_IsAnyScalar(value):
            return False
    return count > 0


cdef bint is_out(Function self, Py_ssize_t k, Py_ssize_t positional, PyObject* names):
    """Whether an argument is one that results are written to."""
    if k < positional:
        return type(self) is UFunc and k >= self.native.nin
    return PyTuple_GET_ITEM(<object>names, k - positional) == <PyObject*>OUT


cdef PyObject* computed(
    Function self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* result
    cdef Py_ssize_t positional = PyVectorcall_NARGS(nargsf)
    cdef Py_ssize_t count = positional
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    if not self.learned:
        self.learn()
    if not is_for_others(self, args, count):
        if type(self) is UFunc and writes_out(self, args, positional, names) \
                and (<UFunc>self).writes(args, names):
            Py_INCREF(<object>args[(<UFunc>self).nin])
            return args[(<UFunc>self).nin]
        if self.first is not None \
                and not (self.divides and may_lack_elements(args, positional, names)):
            result = self.first.call(args, positional, names) if not self.renames \
                else call_renamed(self, self.first, args, positional, names)
            if result != NULL:
                return result
        if self.second is not None:
            result = call_renamed(self, self.second, args, positional, names)
            if result != NULL:
                return result
    if self.checked:
        arguments, named = unpacked(args, positional, names)
        value = call_numpy(self.name, self.native, arguments, named)
    else:
        value = call_numpy_by_vector(self.name, self.native, NULL, args, positional, names)
    Py_INCREF(value)
    return <PyObject*>value


cdef PyObject* call_renamed(
    Function self, Implementation implementation, PyObject** args, Py_ssize_t positional,
    PyObject* names
) except? NULL:
    """Call an implementation whose errors may have another name of the function."""
    try:
        return implementation.call(args, positional, names)
    except Exception as error:
        renamed = in_name_of(self, error)
        if renamed is error:
            raise
        raise renamed from None


cdef object in_name_of(Function self, object error):
    """An error that begins with the name of the function that was called, where it begins with that
    of an operation."""
    name, colon, rest = str(error).partition(": ")
    if not colon or name == self.name or name not in named_operations():
        return error
    return type(error)(f"{self.name}: {rest}")


cdef bint may_lack_elements(PyObject** args, Py_ssize_t positional, PyObject* names) except -1:
    """Whether a mean or variance on the CPU may divide by a number of elements that is below 1."""
    cdef Py_ssize_t k
    cdef double subtracted = 0.0
    if positional == 0:
        return False
    if positional > DDOF and isinstance(<object>args[DDOF], (int, float)):
        subtracted = <object>args[DDOF]
    if names != NULL:
        for k in range(PyTuple_GET_SIZE(<object>names)):
            if <object>PyTuple_GET_ITEM(<object>names, k) in ("ddof", "correction") \
                    and isinstance(<object>args[positional + k], (int, float)):
                subtracted = <object>args[positional + k]
    return has_short_axis(<object>args[0], subtracted)


cdef bint has_short_axis(object x, double limit) except -1:
    """Whether an axis of an array has at most so many elements, or a number is one of them."""
    cdef Tensor tensor
    cdef Py_ssize_t k
    if is_tensor(x):
        tensor = <Tensor>x
        for k in range(tensor.ndim):
            if tensor.dims[k] <= limit and tensor.device is CPU:
                return True
        return tensor.ndim == 0 and limit >= 1 and tensor.device is CPU
    if isinstance(x, np.ndarray):
        return min(x.shape, default=1) <= limit
    while isinstance(x, (list, tuple)):
        if len(x) <= limit:
            return True
        x = x[0]
    return limit >= 1 and not hasattr(x, "__len__")


cdef inline bint writes_out(
    UFunc self, PyObject** args, Py_ssize_t positional, PyObject* names
) noexcept:
    """Whether a ufunc is called with a tensor for `out`, by keyword or after the operands, at most
    one for `where` after it, and nothing else but operands.
    """
    cdef Py_ssize_t named
    if names == NULL:
        if positional != self.nin + 1:
            return False
    else:
        named = PyTuple_GET_SIZE(<object>names)
        if positional != self.nin or PyTuple_GET_ITEM(<object>names, 0) != <PyObject*>OUT:
            return False
        if named != 1 and (
            named != 2 or PyTuple_GET_ITEM(<object>names, 1) != <PyObject*>WHERE
            or not is_tensor(<object>args[self.nin + 1])
        ):
            return False
    return is_tensor(<object>args[self.nin])


cdef str OUT = sys.intern("out")
cdef str WHERE = sys.intern("where")


cdef PyObject* call_checked(
    object function, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* result = PyObject_Vectorcall(function, args, nargsf, names)
    if result == NULL:
        raise_pending()
    return result


# NumPy's functions whose results without axes are arrays, not scalars.
cdef frozenset ARRAYS = frozenset(
    "array asanyarray asarray ascontiguousarray asfortranarray copy imag isin linalg.tensordot "
    "roll tensordot tile unique_all unique_inverse where".split()
)

# NumPy's functions whose results are no arrays of a class that a program derived from ndarray.
cdef frozenset PLAIN = frozenset(
    "append argwhere array asarray asarray_chkfinite ascontiguousarray asfortranarray bincount "
    "broadcast_arrays broadcast_to column_stack concat concatenate convolve copy corrcoef cov "
    "cross diag_indices_from digitize dstack einsum fft.fft fft.fft2 fft.fftn fft.fftshift "
    "fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ifftshift fft.ihfft fft.irfft fft.irfft2 "
    "fft.irfftn fft.rfft fft.rfft2 fft.rfftn flatnonzero from_dlpack frombuffer full histogram "
    "histogram2d histogram_bin_edges histogramdd hstack interp intersect1d iscomplex isin lexsort "
    "linalg.cond linalg.cross linalg.det linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh "
    "linalg.matrix_norm linalg.matrix_rank linalg.norm linalg.outer linalg.slogdet linalg.svdvals "
    "linalg.tensordot linalg.tensorinv linalg.trace linalg.vector_norm nonzero ones outer pad "
    "poly polyder polydiv polyint polymul roots row_stack searchsorted select setxor1d sinc "
    "sort_complex stack tensordot trace tril tril_indices_from triu triu_indices_from union1d "
    "unwrap vander vdot vstack where zeros".split()
)
# Those whose results without axes are numbers then, too.
cdef frozenset NUMBERS = frozenset(
    "argmax argmin count_nonzero dot inner nanargmax nanargmin nanpercentile nanquantile "
    "percentile quantile take".split()
)

# NumPy's functions that call the method of their name if the first argument is no ndarray, or use
# its operators.
cdef frozenset METHODS = frozenset(
    "all any argmax argmin argpartition argsort choose clip compress cumprod cumsum diagonal "
    "flip max mean min nonzero partition prod ptp put ravel repeat reshape round searchsorted "
    "sort squeeze std sum swapaxes take trace transpose var amax amin around".split()
)


# Classes of arguments that have none of NumPy's protocols. The search for those takes longer.
cdef frozenset WITHOUT_PROTOCOLS = frozenset((
    float, int, bool, complex, str, bytes, list, tuple, dict, range, slice, type, type(Ellipsis),
    FunctionType, BuiltinFunctionType, GeneratorType, map, zip, enumerate,
))


cdef bint is_for_others(Function self, PyObject** args, Py_ssize_t count) except -1:
    """Whether the class of an argument, or of the first in a list, decides how NumPy's function
    computes and what it returns: columns of pandas, arrays of Dask and xarray.
    """
    cdef Py_ssize_t k
    for k in range(count):
        value = <object>args[k]
        if is_tensor(value) or type(value) is float or type(value) is int or value is None:
            continue
        if type(value) is list:
            if not (<list>value):
                continue
            value = (<list>value)[0]
        elif type(value) is tuple:
            if not PyTuple_GET_SIZE(value):
                continue
            value = <object>PyTuple_GET_ITEM(value, 0)
        if not is_tensor(value) and decides(self, value, k == 0):
            return True
    return False


cdef bint decides(Function self, object value, bint first) except -1:
    """Whether NumPy asks the class of an argument: by ``__array_function__``, by the method of the
    function's name, or by a ufunc's protocol.
    """
    cdef type cls = type(value)
    if cls in WITHOUT_PROTOCOLS or cnp.PyArray_Check(value) or cnp.PyArray_CheckScalar(value):
        return False
    if hasattr(cls, "__array_function__"):
        return True
    return self.asks and (first or type(self) is UFunc) and hasattr(cls, "__array_ufunc__")


# ---- ufuncs

# An elementwise function, which has the arguments and methods of ufuncs.
@cython.binding(False)
@cython.final
cdef class UFunc(Function):
    cdef int operation  # the standard's; -1 if it is not the standard's
    cdef Py_ssize_t nin

    @property
    def __class__(self):
        """The class for `isinstance`: NumPy's, for libraries that ask for ufuncs."""
        return np.ufunc

    def find_implementations(self):
        """Set what computes from operands alone, and what does with ``out``, ``where`` or a dtype.
        """
        from corepy.numpy import _ufuncs
        cdef dict dtypes = None
        self.nin = self.native.nin
        self.operation = -1
        operands = _own.find(self.path) if self.standard is None else self.standard
        name = self.name if self.standard is None else _standard_name(self.standard)
        if operands is None or self.standard is not None:
            self.operation = NAMES.index(name) if name in NAMES else -1
            refused = dtypes_without_loop(self.native)
            dtypes = {key: bits | refused for key, bits in accepted_dtypes(name).items()}
        if operands is None and self.operation >= 0:
            operands = _ufuncs.operation(name, self.native)
        if operands is not None:
            self.first = Implementation(
                operands, tuple(_signature(operands).parameters.values()), dtypes,
                CONDITIONS.get(self.path),
            )
            self.first.needs_arrays = True
            self.second = Implementation(_ufuncs.with_keywords(self.first, self.native))

    cdef bint writes(self, PyObject** args, PyObject* names) except -1:
        """Compute into the tensor after the operands, where the one that may follow it is true, if
        the operation takes these as they are, and can be computed there; return whether it was.
        """
        cdef Py_ssize_t k
        cdef Tensor out = <Tensor>args[self.nin], result = out
        cdef Translation how = None if self.operation < 0 else self.first.find(self.nin, NULL)
        if how is None or not has_tensors(args, self.nin):
            return False
        for k in range(self.nin):
            if not (<Parameter>how.parameters[k]).passes(<object>args[k]):
                return False
        if names != NULL and PyTuple_GET_SIZE(<object>names) == 2:
            result = empty(out.code, out.ndim, out.dims)
        try:
            return compute_out(
                <Operation>self.operation, result, <object>args[0],
                <object>args[1] if self.nin == 2 else None,
            ) and (result is out or write_where(out, <object>args[self.nin + 1], result))
        except Exception as error:
            raise in_name_of(self, error) from None

    def find_method(self, str name):
        """Return Corepy's own implementation of a method, or None."""
        from corepy.numpy import _ufuncs
        return _ufuncs.method(name, self, Function)

    @property
    def __doc__(self):
        return documentation(self)

    def __get__(self, instance, owner):
        return self

    def __repr__(self):
        return f"<ufunc {self.path}>"


cdef unsigned long long dtypes_without_loop(object ufunc):
    """The dtypes for which a ufunc of NumPy's has no loop, a bit for each code: a call with them is
    an error of the operation.
    """
    loops = {np.dtype(character) for types in ufunc.types for character in types.split("->")[0]}
    loops = [dtype for dtype in loops if dtype.kind not in "OmM"]
    cdef unsigned long long found = 0
    for code, dtype in enumerate(DTYPES):
        if dtype is not None and not any([np.can_cast(dtype, loop) for loop in loops]):
            found |= <unsigned long long>1 << <int>code
    return found


cdef str _standard_name(object function):
    """The name of a function of the standard in the schema."""
    module = function.__module__.rpartition(".")[2]
    return f"{module}.{function.__name__}" if module in ("linalg", "fft") else function.__name__


cdef Function _any = Function.__new__(Function)
call_by_vector(Function, <char*>&_any.vectorcall - <char*><void*>_any)
call_by_vector(UFunc, <char*>&_any.vectorcall - <char*><void*>_any)
