"""The functions of ``import corepy as np``: the standard's, Corepy's own, NumPy's.

A `Function` costs what the standard's function costs, where that takes the call. A call that only
NumPy's signature allows is translated (``np.sum(x, 0)`` to ``sum(x, axis=0)``), or given to
Corepy's own implementation of NumPy's function (`corepy.numpy`). What neither takes is given to
NumPy's function of the name: tensors go there as ndarrays over the same memory, and ndarrays come
back as tensors over theirs. What a Tensor cannot hold stays NumPy's.
"""

cimport cython
cimport numpy as cnp
from cpython.float cimport PyFloat_Check
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF

from corepy._cython.conversion cimport call_numpy, call_numpy_by_vector, standards, unpacked
from corepy._cython.core import named_operations, NOT_FINITE
from corepy._cython.core cimport (
    compute_out, CPU, in_drop_in, in_ndarray, is_tensor, NAMES, NDARRAY, Operation, result_in,
    Tensor,
)
from corepy._cython.vectorcall cimport (
    call_as_method, call_by_vector, PyObject_Vectorcall, PyTuple_GET_ITEM, PyTuple_GET_SIZE,
    PyVectorcall_NARGS, tuple_items, vectorcallfunc,
)

import functools
import inspect
import sys
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType

import numpy as np

cnp.import_array()

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


cdef enum:
    MAX_ARGUMENTS = 16    # of calls that are translated
    DDOF = 4              # the position of ddof among the arguments of NumPy's std and var

# Parameters that NumPy and the standard name differently.
cdef dict RENAMED = {"ddof": "correction"}


@cython.final
cdef class Translation:
    """How the arguments of a call in NumPy's signature are passed to the standard's function.

    `order` has, for each argument of the standard's call, its number in NumPy's; `names` are the
    standard's keywords. Arguments in `dropped`, pairs of number and value, have no place there: the
    call can be translated only if they have NumPy's default values.
    """

    cdef int[MAX_ARGUMENTS] order
    cdef int count
    cdef tuple names
    cdef tuple dropped


cdef object POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
cdef tuple POSITIONAL = (POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


cdef Translation translation(standard, tuple parameters, Py_ssize_t count, tuple names):
    """Return how a call with `count` positional arguments and the keywords `names` is translated.

    None if it cannot be. `parameters` are NumPy's, as `inspect.Parameter`.
    """
    cdef Translation found = Translation.__new__(Translation)
    cdef Py_ssize_t k
    cdef list takes = list(_signature(standard).parameters.values())
    cdef set keywords = {p.name for p in takes if p.kind is not POSITIONAL_ONLY}
    cdef dict known = {p.name: p for p in parameters}
    cdef dict given = {}   # the number of the argument, by the name of NumPy's parameter
    cdef list order = [], renamed = [], dropped = []
    if count > len(parameters) or count + len(names) > MAX_ARGUMENTS:
        return None
    for k in range(count):
        if parameters[k].kind not in POSITIONAL:
            return None
        given[parameters[k].name] = k
    for k, name in enumerate(names):
        if name in given or (name not in known and name not in keywords):
            return None
        given[name] = count + k
    # Parameters that the standard has by position alone correspond by position, others by name.
    for k in range(len(takes)):
        if takes[k].kind is not POSITIONAL_ONLY:
            break
        if k < len(parameters) and parameters[k].name in given:
            order.append(given.pop(parameters[k].name))
        elif takes[k].default is inspect.Parameter.empty:
            return None
        else:
            break
    found.count = len(order)
    for name, k in given.items():
        new = RENAMED.get(name, name)
        if new in renamed:
            return None
        if new in keywords:
            order.append(k)
            renamed.append(new)
        elif name in known and known[name].default is not inspect.Parameter.empty:
            dropped.append((k, known[name].default))
        else:
            return None
    for k in range(len(order)):
        found.order[k] = order[k]
    found.names = tuple(renamed) if renamed else None
    found.dropped = tuple(dropped)
    return found


cdef class Function:
    """A function of the drop-in.

    Parameters
    ----------
    path : str
        Where it is, as ``"corepy.linalg.svd"``.
    standard : callable or None
        The standard's function, which is called first.
    native : callable
        NumPy's function, which is called last: if the others raise TypeError, ValueError,
        IndexError or OverflowError.

    own : callable, optional
        Corepy's own implementation with NumPy's signature, which is called for what the standard's
        function does not take; by default that of `corepy.numpy`, if there is one.
    """

    cdef vectorcallfunc vectorcall
    cdef readonly object standard
    cdef object own
    cdef readonly object native
    cdef readonly str path
    cdef str name           # the path within the drop-in
    cdef int least, most    # positional arguments that the standard's takes as NumPy's does
    cdef object check       # refuses arguments that NumPy's crashes on; None: there is none
    cdef bint gives_arrays  # results without axes are arrays in NumPy, too
    cdef bint divides       # by a number of elements, which may be none: NumPy warns then
    cdef bint asks          # whether NumPy's calls a method of its first argument
    cdef frozenset same     # keywords that have the same meaning
    cdef tuple parameters   # NumPy's
    cdef dict translations
    cdef dict __dict__
    cdef object __weakref__

    def __init__(self, str path not None, object standard, object native, object own=None):
        self.path = path
        self.name = path.partition(".")[2]
        self.standard = standard
        self.own = own
        self.native = native
        self.most = -1
        self.vectorcall = <vectorcallfunc>call
        functools.update_wrapper(self, native if standard is None else standard, updated=())

    cdef int learn(self) except -1:
        """Compare the signatures. At the first call: it takes time that imports should not."""
        cdef Py_ssize_t k
        self.translations = {}
        self.parameters = self.find_parameters()
        from corepy.numpy import _refusals
        self.check = _refusals.find(self.name)
        if self.own is None:
            self.own = self.find_own()
        self.gives_arrays = self.name in ARRAYS
        self.divides = self.path in ("corepy.mean", "corepy.var", "corepy.std")
        self.asks = self.name in METHODS or isinstance(self.native, np.ufunc) \
            or isinstance(getattr(self.native, "__self__", None), np.ufunc)
        self.least, self.most, self.same = 0, 0, frozenset()
        if self.standard is None:
            return 0
        kept = list(_signature(self.standard).parameters.values())
        for k in range(len(kept)):
            if kept[k].kind is kept[k].POSITIONAL_ONLY:
                self.most = k + 1
                self.least += kept[k].default is kept[k].empty
            elif kept[k].kind is kept[k].VAR_POSITIONAL:
                self.most = 255
            elif kept[k].kind is kept[k].POSITIONAL_OR_KEYWORD and self.most == k:
                if k < len(self.parameters) and self.parameters[k].name == kept[k].name:
                    self.most = k + 1
        self.same = frozenset(p.name for p in kept if p.kind is not p.POSITIONAL_ONLY)
        return 0

    def find_own(self):
        """Return Corepy's own implementation, with NumPy's signature, or None."""
        from corepy.numpy import _own
        return _own.find(self.path)

    def find_parameters(self):
        """Return the parameters of NumPy's function; () where they are not known."""
        try:
            return tuple(inspect.signature(self.native).parameters.values())
        except (TypeError, ValueError):
            return ()

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
        try:
            return inspect.signature(self.native)
        except (TypeError, ValueError):
            if self.standard is None:
                raise AttributeError(f"{self.path} has no signature") from None
            return _signature(self.standard)

    def __reduce__(self):
        from corepy.numpy import function_at
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


cdef int raise_pending() except -1:
    """Raise the error set by a C function."""
    return -1


class Forward(Exception):
    """An own function leaves this call to NumPy's function of the name.

    It may return NotImplemented instead, which takes a tenth of the time.
    """


class Refused(ValueError):
    """An error of an own function for arguments that NumPy's function must not see.

    NumPy's functions may read the memory of an argument twice, and crash if another thread writes
    to it in between.
    """


cdef inline bint fits(Function self, Py_ssize_t count, PyObject* names) except -1:
    """Whether the standard's function takes these arguments as NumPy's does."""
    if not self.least <= count <= self.most:
        return False
    return names == NULL or self.same.issuperset(<tuple>names)


cdef Translation find_translation(Function self, Py_ssize_t count, PyObject* names):
    key = (count, None if names == NULL else <tuple>names)
    found = self.translations.get(key, self)
    if found is self:
        found = translation(
            self.standard, self.parameters, count, () if names == NULL else <tuple>names
        )
        self.translations[key] = found
    return found


cdef bint is_default(object value, object default) except -1:
    if value is default:
        return True
    if type(value) is str or type(value) is int:
        return type(value) is type(default) and value == default
    return False


cdef PyObject* call_standard(
    Function self, PyObject** args, Py_ssize_t count, size_t nargsf, PyObject* names
) except? NULL:
    """Call the standard's function. NULL without an error: it does not take such a call."""
    cdef Translation how
    cdef PyObject* moved[MAX_ARGUMENTS]
    cdef PyObject* renamed
    cdef Py_ssize_t k
    if fits(self, count, names):
        return call_checked(self.standard, args, nargsf, names)
    how = find_translation(self, count, names)
    if how is None:
        return NULL
    for k, default in how.dropped:
        if not is_default(<object>args[k], default):
            return NULL
    k = 0
    while k < how.count + (0 if how.names is None else len(how.names)):
        moved[k] = args[how.order[k]]
        k += 1
    renamed = NULL
    if how.names is not None:
        renamed = <PyObject*>how.names
    return call_checked(self.standard, moved, how.count, renamed)


cdef PyObject* call(
    Function self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    """Call a function of the drop-in, which returns ndarrays and NumPy's scalars."""
    cdef PyObject* result = computed(self, args, nargsf, names)
    cdef Py_ssize_t k, count = PyVectorcall_NARGS(nargsf)
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    for k in range(count):
        if args[k] == result and (
            type(<object>result) is not Tensor or is_out(self, k, PyVectorcall_NARGS(nargsf), names)
        ):
            return result
    value = <object>result
    Py_DECREF(value)
    value = in_ndarray(value, not self.gives_arrays)
    Py_INCREF(value)
    return <PyObject*>value


cdef bint is_out(Function self, Py_ssize_t k, Py_ssize_t positional, PyObject* names) noexcept:
    """Whether an argument is one that results are written to."""
    if k < positional:
        return type(self) is UFunc and k >= self.least
    return PyTuple_GET_ITEM(<object>names, k - positional) == <PyObject*>OUT


def finished(value):
    """Return what a function of the drop-in returns for a result of its implementation."""
    return result_in(NDARRAY, value, None, True)


cdef PyObject* computed(
    Function self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* result
    cdef PyObject* moved[MAX_ARGUMENTS + 1]  # the function may use the one before the others
    cdef Py_ssize_t k
    cdef Py_ssize_t positional = PyVectorcall_NARGS(nargsf)
    cdef Py_ssize_t count = positional
    if names != NULL:
        count += len(<tuple>names)
    if self.most < 0:
        self.learn()
    failure = None
    cdef Others others = is_for_others(self, args, count)
    if others != NOT_OTHERS:
        try:
            value = call_numpy_by_vector(
                self.name, self.native, NULL, args, positional, names
            )
            Py_INCREF(value)
            return <PyObject*>value
        except (TypeError, ValueError):
            if others == OTHERS_COMPUTE:
                raise
            # The object's method does not take such a call: it becomes an array below.
    if is_behaved(args, count):
        # What an error of one of Corepy's functions means is NumPy's to say.
        if self.standard is not None \
                and not (self.divides and lacks_elements(args, positional, names)):
            try:
                if type(self) is UFunc and writes_out(self, args, positional, names):
                    if (<UFunc>self).operation >= 0 and compute_out(
                        <Operation>(<UFunc>self).operation, <Tensor>args[self.least],
                        <object>args[0], <object>args[1] if self.least == 2 else None,
                    ):
                        Py_INCREF(<object>args[self.least])
                        return args[self.least]
                    result = call_checked(self.standard, args, self.least, NULL)
                    if same_layout(<object>result, <object>args[self.least]):
                        value = <object>args[self.least]
                        value[...] = <object>result
                        Py_DECREF(<object>result)
                        Py_INCREF(value)
                        return <PyObject*>value
                    Py_DECREF(<object>result)
                result = call_standard(self, args, positional, nargsf, names)
                if result != NULL:
                    return result
            except Forward:
                pass
            except (TypeError, ValueError, OverflowError, IndexError) as error:
                if is_lapacks(error):
                    raise
                failure = error
        if self.own is not None:
            kept = []
            if count <= MAX_ARGUMENTS:
                for k in range(count):
                    moved[k + 1] = args[k]
                    if type(<object>args[k]) is Tensor:
                        kept.append(in_drop_in(<Tensor>args[k]))
                        moved[k + 1] = <PyObject*>kept[-1]
            try:
                if kept:
                    result = call_checked(self.own, moved + 1, nargsf, names)
                else:
                    result = call_checked(self.own, args, nargsf, names)
                if result != <PyObject*>NotImplemented:
                    return result
                Py_DECREF(NotImplemented)
            except Refused as error:
                raise ValueError(*error.args) from None
            except (Forward, TypeError, ValueError, OverflowError, IndexError) as error:
                if is_lapacks(error):
                    raise
    value = call_native(self, args, positional, names, failure)
    Py_INCREF(value)
    return <PyObject*>value


cdef bint is_lapacks(object error) except -1:
    """Whether LAPACK reports an error, which NumPy's function would compute again.

    Of matrices with elements that are not finite NumPy's function has a result at times.
    """
    return isinstance(error, np.linalg.LinAlgError) and not str(error).endswith(NOT_FINITE)


cdef bint lacks_elements(PyObject** args, Py_ssize_t positional, PyObject* names) except -1:
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
    Function self, PyObject** args, Py_ssize_t positional, PyObject* names
) noexcept:
    """Whether a ufunc is called with a tensor for `out`, by keyword or after the operands, and
    nothing else but operands.
    """
    if names == NULL:
        if positional != self.least + 1:
            return False
    elif positional != self.least or PyTuple_GET_SIZE(<object>names) != 1 \
            or PyTuple_GET_ITEM(<object>names, 0) != <PyObject*>OUT:
        return False
    return is_tensor(<object>args[self.least])


cdef str OUT = sys.intern("out")


cdef inline bint same_layout(object result, object out):
    """Whether the elements of a result can be copied to `out` as they are."""
    cdef Tensor x, y
    cdef int axis
    if not is_tensor(result):
        return False
    x, y = result, out
    if x.code != y.code or x.ndim != y.ndim or x is y:
        return False
    for axis in range(x.ndim):
        if x.dims[axis] != y.dims[axis]:
            return False
    return True


cdef PyObject* call_checked(
    object function, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* result = PyObject_Vectorcall(function, args, nargsf, names)
    if result == NULL:
        raise_pending()
    return result


cdef bint is_behaved(PyObject** args, Py_ssize_t count) noexcept:
    """Whether no argument is an array whose conversion to a tensor copies: results would not be
    views of the argument."""
    cdef Py_ssize_t k
    for k in range(count):
        if cnp.PyArray_CheckExact(<object>args[k]) and not cnp.PyArray_ISBEHAVED_RO(
            <object>args[k]
        ):
            return False
    return True


# NumPy's functions whose results without axes are arrays, not scalars.
cdef frozenset ARRAYS = frozenset(
    "array asanyarray asarray ascontiguousarray asfortranarray copy imag isin linalg.tensordot "
    "roll tensordot tile unique_all unique_inverse where".split()
)

# NumPy's functions that call the method of their name if the first argument is no ndarray.
cdef frozenset METHODS = frozenset(
    "all any argmax argmin argpartition argsort choose clip compress cumprod cumsum diagonal max "
    "mean min nonzero partition prod ptp put ravel repeat reshape round searchsorted sort squeeze "
    "std sum swapaxes take trace transpose var amax amin around".split()
)


# Classes of arguments that have none of NumPy's protocols. The search for those takes longer.
cdef frozenset PYTHONS = frozenset((
    float, int, bool, complex, str, bytes, list, tuple, dict, range, slice, type, type(Ellipsis),
    FunctionType, BuiltinFunctionType, GeneratorType, map, zip, enumerate,
))


cdef enum Others:
    NOT_OTHERS
    OTHERS_ARE_ASKED  # NumPy's function calls a method of the object, or a ufunc its protocol
    OTHERS_COMPUTE    # all of NumPy's functions, by ``__array_function__``


cdef Others is_for_others(Function self, PyObject** args, Py_ssize_t count) except? NOT_OTHERS:
    """Whether the class of an argument, or of the first in a list, decides how NumPy's function
    computes and what it returns: columns of pandas, arrays of Dask and xarray.
    """
    cdef Py_ssize_t k
    cdef Others others
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
        if not is_tensor(value):
            others = is_of_others(self, value, k == 0)
            if others != NOT_OTHERS:
                return others
    return NOT_OTHERS


cdef Others is_of_others(Function self, object value, bint first) except? NOT_OTHERS:
    cdef type cls = type(value)
    if cls in PYTHONS or cnp.PyArray_Check(value) or cnp.PyArray_CheckScalar(value):
        return NOT_OTHERS
    if hasattr(cls, "__array_function__"):
        return OTHERS_COMPUTE
    if self.asks and (first or type(self) is UFunc) and hasattr(cls, "__array_ufunc__"):
        return OTHERS_ARE_ASKED
    return NOT_OTHERS


# ---- ufuncs

@cython.final
cdef class UFunc(Function):
    """An elementwise function of the drop-in, which has the arguments and methods of ufuncs."""

    cdef int operation  # the standard's; -1 if it is not the standard's

    @property
    def __class__(self):
        """The class for `isinstance`: NumPy's, for libraries that ask for ufuncs."""
        return np.ufunc

    def find_parameters(self):
        """Return the parameters that all ufuncs have."""
        cdef list found = [
            inspect.Parameter(f"x{k + 1}", inspect.Parameter.POSITIONAL_ONLY)
            for k in range(self.native.nin)
        ]
        found += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in UFUNC_DEFAULTS.items()
        ]
        return tuple(found)

    def find_own(self):
        """Set what computes calls with `out`, `where` or a dtype."""
        from corepy.numpy import _own, _ufuncs
        self.operation = -1
        if self.standard is None:
            self.standard = _own.find(self.path)
        else:
            name = self.standard.__name__
            self.operation = NAMES.index(name) if name in NAMES else -1
        return None if self.standard is None else _ufuncs.with_keywords(self.standard, self.native)

    def find_method(self, str name):
        """Return Corepy's own implementation of a method, or None."""
        from corepy.numpy import _ufuncs
        return _ufuncs.method(name, self)

    def __repr__(self):
        return f"<ufunc {self.path}>"


cdef dict _drop_ins = {}   # of NumPy's ufuncs; None: there is none


cdef object find_drop_in(object ufunc):
    """Return the drop-in's function for a ufunc of NumPy's, or None."""
    found = _drop_ins.get(ufunc, _drop_ins)
    if found is _drop_ins:
        from corepy.numpy._protocols import drop_in
        found = _drop_ins[ufunc] = drop_in(ufunc)
    return found


cdef bint has_other_protocol(PyObject** operands, Py_ssize_t count) except -1:
    """Whether an operand is of another class with ``__array_ufunc__``, which comes first."""
    cdef Py_ssize_t k
    for k in range(count):
        operand = <object>operands[k]
        if not is_tensor(operand) and not PyFloat_Check(operand) \
                and not cnp.PyArray_Check(operand) and not cnp.PyArray_CheckScalar(operand) \
                and hasattr(operand, "__array_ufunc__"):
            return True
    return False


@cython.final
cdef class ArrayUfunc:
    """``Tensor.__array_ufunc__``: a ufunc of NumPy's, or a method of one, with tensors (NEP 13).

    NumPy calls it for each operator with one of its scalars on the left.
    """

    cdef vectorcallfunc vectorcall

    def __init__(self):
        self.vectorcall = <vectorcallfunc>call_ufunc

    def __get__(self, instance, owner):
        return self if instance is None else METHOD(self, instance)


cdef object METHOD = MethodType


cdef PyObject* call_ufunc(
    ArrayUfunc self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    # The arguments are the tensor, the ufunc, the method's name, and the operands.
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    if names == NULL and 3 < count <= 3 + MAX_ARGUMENTS and <object>args[2] == "__call__" \
            and not has_other_protocol(args + 3, count - 3):
        own = find_drop_in(<object>args[1])
        if type(own) is UFunc:
            return call_for(args + 3, count - 3, <UFunc>own)
    positional, named = unpacked(args, count, names)
    value = apply_ufunc(*positional, **named)
    Py_INCREF(value)
    return <PyObject*>value


cdef PyObject* call_for(PyObject** operands, Py_ssize_t count, UFunc own) except NULL:
    """Call a ufunc, whose results are ndarrays if an operand is one."""
    cdef PyObject* found = call(own, operands, count, NULL)
    cdef Py_ssize_t k
    for k in range(count):
        if is_tensor(<object>operands[k]) and type(<object>operands[k]) is not Tensor:
            return found
    value = <object>found
    Py_DECREF(value)
    value = standards(value)
    Py_INCREF(value)
    return <PyObject*>value


def apply_ufunc(Tensor self not None, ufunc, str method, *inputs, **kwargs):
    """Compute any call of `ArrayUfunc`."""
    given = kwargs.get("out", ())
    cdef tuple out = given if type(given) is tuple else (given,)  # Numba passes the array
    if has_other_protocol(tuple_items(inputs), len(inputs)) \
            or has_other_protocol(tuple_items(out), len(out)):
        return NotImplemented
    own = find_drop_in(ufunc)
    if own is None:
        from corepy.numpy import _refusals
        check = _refusals.find(method)
        if check is not None:
            inputs, kwargs = check(f"{ufunc.__name__}.{method}", inputs, kwargs)
        found = call_numpy(ufunc.__name__, getattr(ufunc, method), inputs, kwargs)
    else:
        found = (own if method == "__call__" else getattr(own, method))(*inputs, **kwargs)
    # An ndarray in `out` is returned itself, so that ``array += x`` leaves it an ndarray.
    if len(out) == 1:
        return out[0]
    for operand in inputs:
        if is_tensor(operand) and type(operand) is not Tensor:
            return found
    return standards(found)


cdef dict UFUNC_DEFAULTS = {
    "out": None, "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True,
    "signature": None,
}


cdef object call_native(
    Function self, PyObject** args, Py_ssize_t count, PyObject* names, object failure
):
    """Call NumPy's function, after the standard's raised `failure` if that is not None."""
    if self.check is not None:
        positional, named = self.check(self.name, *unpacked(args, count, names))
        return call_numpy(self.name, self.native, positional, named)
    if failure is None:
        return call_numpy_by_vector(self.name, self.native, NULL, args, count, names)
    try:
        return call_numpy_by_vector(self.name, self.native, NULL, args, count, names)
    except Exception as error:
        # The error of the standard's function is better if values, not arguments, are wrong.
        if isinstance(failure, type(error)):
            positional, named = unpacked(args, count, names)
            if _fits(self.standard, positional, named):
                raise in_name_of(self, failure) from None
        raise


cdef object in_name_of(Function self, object error):
    """An error with the name of the function that was called, where it begins with the standard's
    name of a function."""
    name, colon, rest = str(error).partition(": ")
    if not colon or name == self.name or name not in named_operations():
        return error
    return type(error)(f"{self.name}: {rest}")


cdef Function _any = Function.__new__(Function)
call_by_vector(Function, <char*>&_any.vectorcall - <char*><void*>_any)
call_by_vector(UFunc, <char*>&_any.vectorcall - <char*><void*>_any)

array_ufunc = ArrayUfunc()
cdef ArrayUfunc _array_ufunc = array_ufunc
call_by_vector(ArrayUfunc, <char*>&_array_ufunc.vectorcall - <char*><void*>_array_ufunc)
call_as_method(ArrayUfunc)
