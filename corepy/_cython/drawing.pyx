"""Functions of `numpy.random`, and methods of its generators, with tensors in and out."""

cimport cython
cimport numpy as cnp
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF
from libc.math cimport INFINITY

from corepy.numpy.conversion cimport call_numpy_by_vector
from corepy._cython.core cimport (
    CPU, DTYPE_float64, MAX_NDIM, NDARRAY, Tensor, as_ndarray, cast_to, empty, is_tensor, result_in,
    materialize,
)
from corepy._cython.cpu.creation cimport arange
from corepy._cython.vectorcall cimport (
    call_as_method, call_by_vector, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyVectorcall_NARGS,
    tuple_items, vectorcallfunc,
)

from types import MethodType

from numpy.random import RandomState

cnp.import_array()

ctypedef double (*double_source)(void*) noexcept nogil

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() except -1

cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        void* state
        double_source next_double

cdef extern from *:
    """
    // Whether NumPy's ``low + width * number`` is compiled to two operations.
    #ifdef __x86_64__
    static constexpr bool ROUNDED_TWICE = true;
    #else
    static constexpr bool ROUNDED_TWICE = false;
    #endif
    """
    bint ROUNDED_TWICE

cdef enum:
    RELEASE_GIL = 1000  # numbers
    PART = 1 << 24      # that are drawn between two checks for signals

cdef object METHOD = MethodType
cdef Py_ssize_t LARGEST = 1 << 31  # NumPy raises errors of sizes that are beyond memory


@cython.binding(False)
@cython.final
cdef class Draw:
    """A function of NumPy's that draws random numbers, or a method of a generator.

    Parameters
    ----------
    path : str
        What errors call it, as ``"random.normal"``.
    native : callable
        NumPy's function; of a method, that of the class.
        Its first argument is NumPy's generator.
    generator : object or None
        NumPy's generator; None: this is a method, whose first argument has it in the attribute
        ``_native`` (methods of NumPy's call each other and expect ndarrays).
    takes : {None, "size", "axes", "range", "choice", "permutation"}
        What is computed here of the numbers of the generator. The first three draw float64 of a
        uniform distribution; their arguments are the size; one number for each axis; or the least
        and the greatest value, and the size.
    document : callable
        Returns its docstring.
    """

    cdef vectorcallfunc vectorcall
    cdef str path
    cdef object native
    cdef object generator
    cdef str takes
    cdef object document
    cdef dict __dict__
    cdef object __weakref__

    def __init__(
        self, str path not None, object native, object generator, str takes, object document
    ):
        self.vectorcall = <vectorcallfunc>draw
        self.path = path
        self.native = native
        self.generator = generator
        self.takes = takes
        self.document = document

    def __get__(self, instance, owner):
        return self if instance is None or self.generator is not None else METHOD(self, instance)

    @property
    def __doc__(self):
        return self.document(self)

    def __reduce__(self):
        return self.__qualname__

    def __repr__(self):
        return f"<function {self.__module__}.{self.__qualname__}>"


cdef PyObject* draw(
    Draw self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef Py_ssize_t positional = PyVectorcall_NARGS(nargsf)
    generator = self.generator
    if generator is None:
        if positional == 0:
            raise TypeError(f"{self.path}: the method needs a generator")
        generator = (<object>args[0])._native
        args, positional = args + 1, positional - 1
    value = None
    if self.takes is not None:
        if names == NULL:
            if self.takes == "permutation":
                value = permuted(generator, args, positional)
            elif self.takes == "choice":
                value = chosen(generator, args, positional)
            else:
                value = uniform(self, generator, args, positional)
        elif self.takes in ("size", "range") and PyTuple_GET_SIZE(<object>names) == 1 \
                and <object>PyTuple_GET_ITEM(<object>names, 0) == "size":
            value = uniform(self, generator, args, positional + 1)
    if value is None:
        value = call_numpy_by_vector(
            self.path, self.native, <PyObject*>generator, args, positional, names
        )
    value = result_in(NDARRAY, value, None, True)
    Py_INCREF(value)
    return <PyObject*>value


cdef inline bint is_real(object x) noexcept:
    return type(x) is float or type(x) is int


cdef object uniform(Draw self, object generator, PyObject** args, Py_ssize_t count):
    """Numbers of a range, the next of the generator; None where the arguments need NumPy."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k, begin, part, total = 1
    cdef int overflow  # -1 is returned then
    cdef bitgen_t* bits
    cdef double_source draw_one
    cdef void* state
    cdef double* numbers
    cdef double low = 0, width = 1
    cdef Tensor x
    if self.takes == "range":
        if not (ROUNDED_TWICE and count == 3 and is_real(<object>args[0])
                and is_real(<object>args[1])):
            return None
        low = <object>args[0]
        width = <double><object>args[1] - low
        if not 0 < width < INFINITY:
            return None
        args, count = args + 2, 1
    if self.takes != "axes":
        if count != 1:
            return None
        if type(<object>args[0]) is tuple:
            count = PyTuple_GET_SIZE(<object>args[0])
            args = tuple_items(<object>args[0])
    if not 0 < count <= MAX_NDIM:
        return None
    for k in range(count):
        if type(<object>args[k]) is not int:
            return None
        dims[k] = PyLong_AsLongAndOverflow(<object>args[k], &overflow)
        if not 0 <= dims[k] < LARGEST or dims[k] * total >= LARGEST:
            return None
        total *= dims[k]
    x = empty(DTYPE_float64, count, dims)
    numbers = <double*>x.data
    source = generator._bit_generator
    bits = <bitgen_t*>PyCapsule_GetPointer(source.capsule, "BitGenerator")
    draw_one, state = bits.next_double, bits.state
    if total < RELEASE_GIL:
        with source.lock:
            draw_range(total, numbers, draw_one, state, low, width)
        return x
    for begin in range(0, total, PART):
        part = min(PART, total - begin)
        with source.lock, nogil:
            draw_range(part, numbers + begin, draw_one, state, low, width)
        check_signals()  # without the lock: a handler may draw, too
    return x


cdef inline bint is_vector(object x) noexcept:
    return is_tensor(x) and (<Tensor>x).ndim == 1 and (<Tensor>x).device is CPU


cdef Tensor permuted(object generator, PyObject** args, Py_ssize_t count):
    """A shuffled copy of a vector, or of the first integers; None for what needs NumPy."""
    cdef Tensor out
    if count != 1:
        return None
    value = <object>args[0]
    # A RandomState makes C's long integers, which are others on Windows.
    if type(value) is int and 0 < value < LARGEST \
            and (sizeof(long) == 8 or not isinstance(generator, RandomState)):
        out = arange(value)
    elif is_vector(value):
        materialize(<Tensor>value)
        out = cast_to(<Tensor>value, (<Tensor>value).code)
    else:
        return None
    generator.shuffle(as_ndarray(out))
    return out


cdef object chosen(object generator, PyObject** args, Py_ssize_t count):
    """Elements of a vector, with repetitions; None for what needs NumPy."""
    if count != 2 or not is_vector(<object>args[0]):
        return None
    vector, size = <object>args[0], <object>args[1]
    if not (type(size) is int or (type(size) is tuple and size)) or (<Tensor>vector).dims[0] == 0:
        return None
    integers = generator.randint if isinstance(generator, RandomState) else generator.integers
    return vector[integers(0, (<Tensor>vector).dims[0], size)]


cdef inline void draw_range(
    Py_ssize_t n, double* out, double_source draw_one, void* state, double low, double width
) noexcept nogil:
    cdef Py_ssize_t k
    if low == 0 and width == 1:
        for k in range(n):
            out[k] = draw_one(state)
    else:
        for k in range(n):
            out[k] = low + width * draw_one(state)


cdef Draw _any = Draw.__new__(Draw)
call_by_vector(Draw, <char*>&_any.vectorcall - <char*><void*>_any)
call_as_method(Draw)
