"""Functions of `numpy.random`, and methods of its generators, with tensors in and out."""

cimport cython
cimport numpy as cnp
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF

from corepy._cython.conversion cimport as_tensors, call_numpy, is_plain
from corepy._cython.core cimport DTYPE_float64, empty, MAX_NDIM, Tensor
from corepy._cython.vectorcall cimport (
    call_as_method, call_by_vector, PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyVectorcall_NARGS,
    vectorcallfunc,
)

from types import MethodType

cnp.import_array()

ctypedef double (*double_source)(void*) noexcept nogil

cdef extern from "numpy/random/bitgen.h":
    ctypedef struct bitgen_t:
        void* state
        double_source next_double

cdef extern from *:
    """
    static PyObject** tuple_items(PyObject* tuple) {
      return reinterpret_cast<PyTupleObject*>(tuple)->ob_item;
    }
    """
    PyObject** tuple_items(object)
    object vectorcall "PyObject_Vectorcall"(object, PyObject**, size_t, PyObject*)
    size_t ARGUMENTS_OFFSET "PY_VECTORCALL_ARGUMENTS_OFFSET"

cdef enum:
    MAX_ARGUMENTS = 16
    RELEASE_GIL = 1000  # numbers

cdef object METHOD = MethodType
cdef Py_ssize_t LARGEST = 1 << 31  # NumPy raises errors of sizes that are beyond memory


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
        ``_numpys`` (methods of NumPy's call each other and expect ndarrays).
    size : {None, "size", "axes"}
        The meaning of all positional arguments of a function that draws float64 from 0 to 1: the
        size, or one for each axis.
    """

    cdef vectorcallfunc vectorcall
    cdef str path
    cdef object native
    cdef object generator
    cdef str size
    cdef dict __dict__
    cdef object __weakref__

    def __init__(self, str path not None, object native, object generator, str size=None):
        self.vectorcall = <vectorcallfunc>draw
        self.path = path
        self.native = native
        self.generator = generator
        self.size = size

    def __get__(self, instance, owner):
        return self if instance is None or self.generator is not None else METHOD(self, instance)

    def __reduce__(self):
        return self.__qualname__

    def __repr__(self):
        return f"<function {self.__module__}.{self.__qualname__}>"


cdef PyObject* draw(
    Draw self, PyObject** args, size_t nargsf, PyObject* names
) except NULL:
    cdef PyObject* operands[MAX_ARGUMENTS + 2]
    cdef Py_ssize_t positional = PyVectorcall_NARGS(nargsf)
    cdef Py_ssize_t k, count = positional
    generator = self.generator
    if names != NULL:
        count += PyTuple_GET_SIZE(<object>names)
    if generator is None:
        if positional == 0:
            raise TypeError(f"{self.path}: the method needs a generator")
        generator = (<object>args[0])._numpys
        args, positional, count = args + 1, positional - 1, count - 1
    value = None
    if self.size is not None and names == NULL:
        value = uniform(self, generator, args, positional)
    if value is None:
        operands[1] = <PyObject*>generator
        for k in range(min(count, MAX_ARGUMENTS)):
            if not is_plain(<object>args[k]):
                break
            operands[k + 2] = args[k]
        else:
            if count <= MAX_ARGUMENTS:
                value = as_tensors(vectorcall(
                    self.native, operands + 1, (positional + 1) | ARGUMENTS_OFFSET, names
                ), [], False)
                Py_INCREF(value)
                return <PyObject*>value
        named = {}
        for k in range(positional, count):
            named[<object>PyTuple_GET_ITEM(<object>names, k - positional)] = <object>args[k]
        operand = [<object>args[k] for k in range(positional)]
        value = call_numpy(self.path, self.native, (generator, *operand), named, False)
    Py_INCREF(value)
    return <PyObject*>value


cdef object uniform(Draw self, object generator, PyObject** sizes, Py_ssize_t count):
    """Numbers from 0 to 1, the next of the generator; None where the arguments need NumPy."""
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t k, total = 1
    cdef int overflow  # -1 is returned then
    cdef bitgen_t* bits
    cdef double_source draw_one
    cdef void* state
    cdef double* numbers
    cdef Tensor x
    if self.size == "size":
        if count != 1:
            return None
        if type(<object>sizes[0]) is tuple:
            count = PyTuple_GET_SIZE(<object>sizes[0])
            sizes = tuple_items(<object>sizes[0])
    if not 0 < count <= MAX_NDIM:
        return None
    for k in range(count):
        if type(<object>sizes[k]) is not int:
            return None
        dims[k] = PyLong_AsLongAndOverflow(<object>sizes[k], &overflow)
        if not 0 <= dims[k] < LARGEST or dims[k] * total >= LARGEST:
            return None
        total *= dims[k]
    x = empty(DTYPE_float64, count, dims)
    numbers = <double*>x.data
    source = generator._bit_generator
    bits = <bitgen_t*>PyCapsule_GetPointer(source.capsule, "BitGenerator")
    draw_one, state = bits.next_double, bits.state
    with source.lock:
        if total < RELEASE_GIL:
            for k in range(total):
                numbers[k] = draw_one(state)
        else:
            with nogil:
                for k in range(total):
                    numbers[k] = draw_one(state)
    return x


cdef Draw _any = Draw.__new__(Draw)
call_by_vector(Draw, <char*>&_any.vectorcall - <char*><void*>_any)
call_as_method(Draw)
