# distutils: language = c++
"""`corepy.ndarray`, the array of the drop-in: a Tensor that behaves as NumPy's arrays do.

What a Tensor does, the standard's attributes, operators and indices, it inherits. On the CPU what
has no axes is a scalar of NumPy's, as NumPy's own results are (`core/classes.pxi`).
"""

cimport cython
cimport numpy as cnp
from cpython.float cimport PyFloat_Check, PyFloat_CheckExact
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_DECREF, Py_INCREF

from corepy.numpy.conversion cimport call_numpy, plain, standards, unpacked
from corepy._cython.core cimport (
    as_class, astype, CODES, CONTIGUOUS, copied, CPU, DTYPE_bool, expose, has_layout, held_dtype,
    in_drop_in, in_host_memory, in_ndarray, is_complex, is_tensor, lacks_elements, MAX_NDIM, OP_all,
    OP_any, OP_argmax, OP_argmin, OP_conj, OP_max, OP_mean, OP_min, OP_prod, OP_std, OP_sum, OP_var,
    Operation, permuted, raveled, reduce, reshape, resize_in_place, result_in, seen_as,
    small_integer, squeeze, take_tensor, Tensor, transposed, unary, view_all, without_ones,
)
from corepy._cython.vectorcall cimport (
    call_as_method, call_by_vector, PyObject_Vectorcall, PyVectorcall_Function,
    PyVectorcall_NARGS, tuple_items, vectorcallfunc,
)

import pickle
from inspect import signature
from types import GenericAlias, MethodType

import numpy as np

from corepy.numpy.conversion import owns_memory, set_writeable
from corepy._cython.core import asarray, enter_ndarray, extend
from corepy._cython.core import from_pickle as tensor_from_pickle

cnp.import_array()

include "protocols.pxi"

# No argument.
cdef object NOTHING = np._NoValue


cdef inline object result(Tensor self, object value):
    """What a method returns: in the class of the array, or a scalar of NumPy's."""
    if type(self) is ndarray:
        return in_ndarray(value, True)
    return result_in(type(self), value, self, True)


cdef inline object place(Tensor self, object value):
    """The place of an element: without axes a number for arrays of all classes."""
    return result(self, value) if (<Tensor>value).ndim else in_ndarray(plain(value), True)


cdef object by_numpy(str name, Tensor self, tuple args, dict kwargs):
    """Call NumPy's method over the same memory, for what is NumPy's alone."""
    return call_numpy(name, getattr(np.ndarray, name), (self, *args), kwargs)


cdef object find_function = None


def function_at(path):
    """Return a function of the drop-in, which programs of the standard alone do not import."""
    global find_function
    if find_function is None:
        from corepy.numpy._names import at
        find_function = at
    return find_function(path)


cdef object function_with(
    str name, Tensor self, object axis, object dtype, object out, object keepdims, object initial,
    object where
):
    """A reduction with the arguments that only NumPy's has, by the drop-in's function."""
    cdef dict kwargs = {"axis": axis, "keepdims": keepdims}
    if dtype is not None:
        kwargs["dtype"] = dtype
    if out is not None:
        kwargs["out"] = out
    if initial is not NOTHING:
        kwargs["initial"] = initial
    if where is not True:
        kwargs["where"] = where
    return function_at(name)(self, **kwargs)


# A method of the array. Its docstring is made when somebody asks for it. (This is not a docstring:
# IPython would show it below that of each method.)
#
# `function` is called with the array first; None: `find` returns it at the first call. `native` is
# NumPy's method, whose signature it has, or None: the signature is that of `function`.
@cython.binding(False)
cdef class Method:
    cdef vectorcallfunc vectorcall
    cdef vectorcallfunc called  # the vectorcall of `function`
    cdef object function
    cdef object find
    cdef readonly object native
    cdef dict __dict__

    def __init__(self, str name not None, object function, object find=None):
        self.vectorcall = <vectorcallfunc>find_and_call
        if function is not None:
            self.use(function)
        self.find = find
        self.native = getattr(np.ndarray, name) if function is None else None
        self.__name__ = name
        self.__qualname__ = f"ndarray.{name}"
        self.__module__ = "corepy"

    cdef void use(self, object function) noexcept:
        self.function = function
        self.called = PyVectorcall_Function(function)
        if self.called == NULL:  # Cython's functions with any number of arguments
            self.called = <vectorcallfunc>PyObject_Vectorcall
        self.vectorcall = <vectorcallfunc>call

    @property
    def __doc__(self):
        from corepy.numpy import _documentation
        name = self.__name__
        return _documentation.of_method(self, function_at(name) if hasattr(np, name) else None)

    @property
    def __signature__(self):
        return signature(self.function if self.native is None else self.native)

    def __get__(self, instance, owner):
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args, **kwargs):
        return self(*args, **kwargs)  # the class is called by vectorcall

    def __reduce__(self):
        return self.__qualname__

    def __repr__(self):
        return f"<method {self.__name__!r} of 'corepy.ndarray' objects>"


cdef PyObject* call(
    Method self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    if PyVectorcall_NARGS(nargsf) == 0 or not is_tensor(<object>args[0]):
        given = type(<object>args[0]).__name__ if PyVectorcall_NARGS(nargsf) else "nothing"
        raise TypeError(f"{self.__qualname__}: expected an array of Corepy's, got {given}")
    return self.called(<PyObject*>self.function, args, nargsf, names)


cdef PyObject* find_and_call(
    Method self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    found = self.find(self.__name__)
    if self.function is None:  # another thread may have found it
        self.use(found)
    return call(self, args, nargsf, names)


cdef Method _any = Method.__new__(Method)
call_by_vector(Method, <char*>&_any.vectorcall - <char*><void*>_any)
call_as_method(Method)


def function_of(name):
    """Return the function of a method that is no function of the drop-in."""
    from corepy.numpy import _methods
    return _methods.find(name)


cdef bint can_hold(Tensor x, object dtype) except -1:
    """Whether a Tensor has such a dtype, and a cast to it drops no imaginary components."""
    cdef int code = CODES.get(dtype, -1) if dtype.isnative else -1
    return code >= 0 and (not is_complex(x.code) or is_complex(code) or code == DTYPE_bool)


@cython.no_gc
cdef class ndarray(Tensor):
    """An array of numbers on a device, which behaves as NumPy's arrays do.

    Arrays are made by `corepy.array`, `corepy.zeros`, `corepy.empty` and the like; this is the
    low-level constructor.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        By default float64.
    buffer : object with the buffer interface, optional
        The memory; by default new memory, which is not initialised.
    offset : int, optional
        Bytes from the start of the buffer to the first element.
    strides : tuple of int, optional
        Bytes from one element to the next along each axis.
    order : {"C", "F"}, optional
        The order of the elements where there are no strides.

    Notes
    -----
    It has the methods and attributes of `numpy.ndarray`. On the CPU elements, and results without
    axes, are scalars of NumPy's; on other devices they are arrays without axes.

    Examples
    --------
    >>> import corepy as np
    >>> np.array([1, 2, 3]) * 2.5
    array([2.5, 5. , 7.5])
    """

    __array_finalize__ = None
    __class_getitem__ = classmethod(GenericAlias)  # for annotations

    def __cinit__(
        self, shape, dtype=float, buffer=None, offset=0, strides=None, order=None
    ):
        array = np.ndarray(shape, dtype, buffer, offset, strides, order)
        take_tensor(self, asarray(array, None, "cpu"))

    def __init__(self, *args, **kwargs):
        pass  # a class that derives from this one makes its arrays in `__new__`

    # ---- text, pickles

    def __repr__(self):
        from corepy import _format
        return _format.represent_array(self)

    @cython.binding(False)  # it checks the type of `self`
    def __reduce_ex__(self, protocol):
        return from_pickle, (type(self), np.asarray(self.backend.to_numpy(self)), str(self.device))

    # ---- dtype, shape and order

    def astype(self, /, dtype, order="K", casting="unsafe", subok=True, copy=True, *, device=None):
        try:
            found = held_dtype(dtype)  # which knows bfloat16 by its name
            dtype = np.dtype(dtype) if found is None else found
        except TypeError as error:
            raise TypeError(f"astype: {error}") from None
        if device is not None or (
            order == "K" and casting == "unsafe"
            and (self.device is not CPU or can_hold(self, dtype))
        ):
            return astype(self, dtype, copy, device)
        return by_numpy("astype", self, (dtype, order, casting, subok, copy), {})

    def reshape(self, /, *shape, order="C", copy=None):
        if order != "C":
            return by_numpy("reshape", self, shape, {"order": order, "copy": copy})
        return as_class(
            reshape(self, shape[0] if len(shape) == 1 else shape, copy), type(self), self, 1
        )

    @cython.binding(False)  # called faster; its docstring cannot be made later
    def squeeze(self, /, axis=None):
        """Return the array without its axes of size 1, a view.

        Parameters
        ----------
        axis : int or tuple of int, optional
            The axes to leave out; by default all of size 1.

        Returns
        -------
        ndarray
            Of the same dtype and elements.

        Raises
        ------
        ValueError
            If an axis of ``axis`` is of another size.

        Notes
        -----
        As `numpy.ndarray.squeeze`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.reshape(1, 3, 1).squeeze(axis=0).shape
        (3, 1)
        """
        if axis is None:
            if has_layout(self):
                return as_class(without_ones(self), type(self), self, 1)
            axis = tuple([k for k in range(self.ndim) if self.dims[k] == 1])
        return as_class(squeeze(self, axis), type(self), self, 1)

    def transpose(self, /, *axes):
        cdef Py_ssize_t order[MAX_NDIM]
        cdef int axis
        if not axes or axes == (None,):
            for axis in range(self.ndim):
                order[axis] = self.ndim - 1 - axis
            return as_class(transposed(self, order), type(self), self, 1)
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = tuple(axes[0])
        return as_class(permuted("transpose", self, axes), type(self), self, 1)

    def copy(self, /, order="C"):
        if order != "C":
            return by_numpy("copy", self, (order,), {})
        return as_class(copied(self), type(self), self, 1)

    def ravel(self, /, order="C"):
        if order != "C":
            return by_numpy("ravel", self, (order,), {})
        cdef Tensor view = raveled(self)
        return as_class(
            view if view.flags & CONTIGUOUS else copied(view), type(self), self, 2
        )

    def flatten(self, /, order="C"):
        if order != "C":
            return by_numpy("flatten", self, (order,), {})
        return as_class(raveled(copied(self)), type(self), self, 1)

    def resize(self, /, *new_shape, refcheck=True):
        if new_shape and new_shape != (None,):
            resize_in_place(self, new_shape[0] if len(new_shape) == 1 else new_shape, refcheck)

    def fill(self, /, value):
        cdef Py_ssize_t whole
        if PyFloat_CheckExact(value) or small_integer(value, &whole) or self.device is not CPU:
            self[...] = value
        else:
            by_numpy("fill", self, (value,), {})

    def view(self, /, *args, **kwargs):
        cdef object cls = type(self)
        if args and isinstance(args[0], type) and issubclass(args[0], Tensor):
            cls, args = args[0], args[1:]
        elif "type" in kwargs and issubclass(kwargs["type"], Tensor):
            cls = kwargs.pop("type")
        if not kwargs and not args:
            return as_class(view_all(self), cls, self, 1)
        if len(args) == 1 and not kwargs and in_host_memory(self):
            view = seen_as(self, args[0])
            if view is not None:
                return as_class(view, cls, self, 2)
        return by_numpy("view", self, args, kwargs)

    def conj(self, /):
        if self.code == DTYPE_bool:
            return self  # as in NumPy, where it is no number for the function conj
        return result(self, unary(OP_conj, self))

    def compress(self, /, condition, axis=None, out=None):
        return function_at("compress")(condition, self, axis, out)

    def put(self, /, indices, values, mode="raise"):
        return function_at("put")(self, indices, values, mode)

    # ---- memory

    def tobytes(self, /, order="C"):
        if order == "C" and self.device is CPU:
            return memoryview(self).tobytes()
        return self.to_numpy().tobytes(order)

    def tofile(self, /, fid, sep="", format="%s"):
        self.to_numpy().tofile(fid, sep, format)

    def dumps(self, /):
        return pickle.dumps(self, protocol=2)

    def dump(self, /, file):
        if hasattr(file, "write"):
            pickle.dump(self, file, protocol=2)
            return
        with open(file, "wb") as opened:
            pickle.dump(self, opened, protocol=2)

    def setflags(self, /, *, write=None, align=None, uic=None):
        if write is not None:
            set_writeable(self, bool(write))
        if align is not None and not align:
            raise ValueError("setflags: an ndarray is always aligned")
        if uic:
            raise ValueError("setflags: an ndarray has no flag WRITEBACKIFCOPY to set")

    @property
    def flags(self):
        """The layout in memory: attributes such as ``c_contiguous``, ``writeable`` and ``owndata``.

        Notes
        -----
        As `numpy.ndarray.flags`. ``writeable`` can be assigned.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.flags.c_contiguous, x[::2].flags.c_contiguous
        (True, False)
        """
        from corepy.numpy._attributes import Flags
        return Flags(self)

    @property
    def flat(self):
        """The elements in C order: an iterator with indices, which can be assigned to.

        Notes
        -----
        As `numpy.ndarray.flat`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.flat[2], len(x.flat)
        (np.float64(3.0), 4)
        """
        from corepy.numpy._attributes import Flat
        return Flat(self)

    @flat.setter
    def flat(self, value):
        self.flat[:] = value

    @property
    def base(self):
        """None if no other array shares the memory, else a flat array of the part in use.

        Notes
        -----
        An array refers to memory, not to the array that it was made from: the flat array has the
        elements between the first and the last one. NumPy's attribute is the array that owns the
        memory.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.base is None, x[1:].base
        (True, array([1, 2]))
        """
        if owns_memory(self):
            return None
        array = self.to_numpy()
        array = array[tuple([slice(None, None, -1 if step < 0 else 1) for step in array.strides])]
        span = sum([(size - 1) * step for size, step in zip(array.shape, array.strides)])
        count = span // array.itemsize + 1 if array.size else 0
        flat = np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,))
        return in_drop_in(asarray(flat, device="cpu"))

    @property
    def data(self):
        """The memory, a memoryview over it with the array's format, shape and strides.

        Notes
        -----
        As `numpy.ndarray.data`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.data.shape, x.data.nbytes
        ((3,), 24)
        """
        return memoryview(self)

    @property
    def ctypes(self):
        """The memory for `ctypes`: an object with ``data``, the address, ``shape`` and ``strides``.

        Notes
        -----
        As `numpy.ndarray.ctypes`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.ctypes.data == x.to_numpy().ctypes.data
        True
        """
        expose(self)
        return self.__array__().ctypes

    # ---- reductions

    def sum(
        self, /, axis=None, dtype=None, out=None, keepdims=False, initial=NOTHING, where=True
    ):
        if out is not None or initial is not NOTHING or where is not True:
            return function_with("sum", self, axis, dtype, out, keepdims, initial, where)
        return result(self, reduce(OP_sum, self, axis, keepdims, dtype))

    def prod(
        self, /, axis=None, dtype=None, out=None, keepdims=False, initial=NOTHING, where=True
    ):
        if out is not None or initial is not NOTHING or where is not True:
            return function_with("prod", self, axis, dtype, out, keepdims, initial, where)
        return result(self, reduce(OP_prod, self, axis, keepdims, dtype))

    def mean(self, /, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        if out is not None or where is not True or lacks_elements(self, axis, 0):
            return function_with("mean", self, axis, dtype, out, keepdims, NOTHING, where)
        return result(self, reduce(
            OP_mean, self if dtype is None else astype(self, dtype, False), axis, keepdims
        ))

    def std(
        self, /, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *, where=True,
        mean=NOTHING, correction=None,
    ):
        return spread(
            "std", OP_std, self, axis, dtype, out, ddof, keepdims, where, mean, correction
        )

    def var(
        self, /, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *, where=True,
        mean=NOTHING, correction=None,
    ):
        return spread(
            "var", OP_var, self, axis, dtype, out, ddof, keepdims, where, mean, correction
        )

    def min(self, /, axis=None, out=None, keepdims=False, initial=NOTHING, where=True):
        if out is not None or initial is not NOTHING or where is not True \
                or is_complex(self.code):
            return function_with("min", self, axis, None, out, keepdims, initial, where)
        return result(self, reduce(OP_min, self, axis, keepdims))

    def max(self, /, axis=None, out=None, keepdims=False, initial=NOTHING, where=True):
        if out is not None or initial is not NOTHING or where is not True \
                or is_complex(self.code):
            return function_with("max", self, axis, None, out, keepdims, initial, where)
        return result(self, reduce(OP_max, self, axis, keepdims))

    def any(self, /, axis=None, out=None, keepdims=False, *, where=True):
        if out is not None or where is not True:
            return function_with("any", self, axis, None, out, keepdims, NOTHING, where)
        return result(self, reduce(OP_any, self, axis, keepdims))

    def all(self, /, axis=None, out=None, keepdims=False, *, where=True):
        if out is not None or where is not True:
            return function_with("all", self, axis, None, out, keepdims, NOTHING, where)
        return result(self, reduce(OP_all, self, axis, keepdims))

    def argmin(self, /, axis=None, out=None, *, keepdims=False):
        if out is not None or is_complex(self.code):
            return function_with("argmin", self, axis, None, out, keepdims, NOTHING, True)
        return place(self, reduce(OP_argmin, self, axis, keepdims))

    def argmax(self, /, axis=None, out=None, *, keepdims=False):
        if out is not None or is_complex(self.code):
            return function_with("argmax", self, axis, None, out, keepdims, NOTHING, True)
        return place(self, reduce(OP_argmax, self, axis, keepdims))


cdef object spread(
    str name, Operation op, Tensor self, object axis, object dtype, object out, object ddof,
    object keepdims, object where, object mean, object correction
):
    """A standard deviation or variance; `correction` is the standard's name of `ddof`."""
    correction = ddof if correction is None else correction
    if out is not None or where is not True or mean is not NOTHING \
            or lacks_elements(self, axis, correction):
        return function_at(name)(
            self, axis, dtype, out, correction, keepdims, where=where, mean=mean
        )
    if dtype is not None:
        self = astype(self, dtype, False)
    return result(self, reduce(op, self, axis, keepdims, None, correction))


def from_pickle(cls, array, device):
    """Return an array that was pickled as one of NumPy's, its class and the name of its device."""
    return as_class(<Tensor?>tensor_from_pickle(array, device), cls, None, 1)


class ArrayType(type):
    """The type of `ndarray`: NumPy's arrays are instances, too.

    What a Tensor cannot hold (text, objects, masked arrays) stays an array of NumPy's, and programs
    ask for both by one name.
    """

    __slots__ = ()

    def __instancecheck__(cls, x):
        return type.__instancecheck__(cls, x) or (cls is ndarray and isinstance(x, np.ndarray))

    def __subclasscheck__(cls, other):
        return type.__subclasscheck__(cls, other) or (
            cls is ndarray and issubclass(other, np.ndarray)
        )


cdef extern from *:
    """
    // Cython has no syntax for these.
    static void make_sequence(PyObject* cls) {
      reinterpret_cast<PyTypeObject*>(cls)->tp_flags |= Py_TPFLAGS_SEQUENCE;
    }
    static void set_type_of_class(PyObject* cls, PyObject* type) {
      Py_INCREF(type);
      Py_SET_TYPE(cls, reinterpret_cast<PyTypeObject*>(type));
      PyType_Modified(reinterpret_cast<PyTypeObject*>(cls));
    }
    """
    void make_sequence(object)
    void set_type_of_class(object, object)


cdef dict methods = {
    name: Method(name, function) for name, function in vars(ndarray).items()
    if type(function) is type(ndarray.sum) and name[0] != "_"
}
# Those that call the function of the same name; and those that call another one, or NumPy's method
# over the same memory.
for name in """
    argpartition argsort choose cumprod cumsum diagonal dot nonzero repeat round searchsorted
    swapaxes take trace
""".split():
    methods[name] = Method(name, None, function_at)
for name in "clip conjugate partition sort byteswap getfield setfield".split():
    methods[name] = Method(name, None, function_of)
(<dict>(<PyTypeObject*>ndarray).tp_dict).update(methods)
make_sequence(ndarray)  # for `match` statements
set_type_of_class(ndarray, ArrayType)
(<PyTypeObject*>ndarray).tp_name = "corepy.ndarray"
enter_ndarray(ndarray)
