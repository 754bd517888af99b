# distutils: language = c++
"""The core of Corepy: the Tensor, the contract of backends, and the CPU backend.

One extension module, so that the path of a small operation is one chain of C calls. Each part uses
only those above it in this list:

    simd.pxi         the instruction set that the kernels run on
    dtypes.pxi       dtype codes, promotion, Python scalars as elements
    threads.pxi      how many threads compute
    spares.pxi       new tensors, most often made of old ones
    storage.pxi      blocks of memory, tensors of a given layout, ndarray in and out
    device.pxi       Device, and the device that operands share
    backend.pxi      Backend, the contract, and NamespaceBackend, which wraps an array namespace
    operands.pxi     operands of a kernel, their common shape, the loop over their elements
    copies.pxi       elements of one tensor written into another
    elementwise.pxi  unary, binary, where on the CPU: dtype and layout -> kernel -> loop
    arguments.pxi    integers and shapes that functions are given
    checks.pxi       checks of arguments that functions share
    reductions.pxi   sums, extremes, means, deviations on the CPU
    scans.pxi        cumulative sums and products on the CPU
    views.pxi        shapes changed without moving data
    indexing.pxi     reading and writing through an index
    cpu.pxi          CpuBackend: the contract over those
    nested.pxi       nested lists of Python scalars
    masks.pxi        reading and writing where a mask is true; nonzero
    gathering.pxi    reading and writing at integer indices; take, take_along_axis
    sorting.pxi      sort, argsort
    searching.pxi    searchsorted, isin, unique elements
    convert.pxi      asarray, astype, to_device, DLPack
    dispatch.pxi     dispatch: unary, binary, where, reduce, scan
    products.pxi     matmul, vecdot, tensordot
    linalg.pxi       the linear algebra extension
    fft.pxi          Fourier transforms
    creation.pxi     zeros, full, arange, linspace, eye, triangles, meshgrid
    joining.pxi      concat, stack, unstack, broadcast_arrays
    movement.pxi     roll, repeat, tile
    operators.pxi    what the operators of the Tensor do
    protocols.pxi    scalars, ndarrays, buffers and pickles made of a Tensor
    tensor.pxi       Tensor: attributes, operators, methods
    validation.pxi   execute, create: named operations and the checks of their arguments
    table.pxi        the table of named operations, made from schema/operations.def
"""

cimport cython
cimport numpy as cnp
from cpython.bool cimport PyBool_Check
from cpython.buffer cimport (
    PyBUF_ANY_CONTIGUOUS, PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND,
    PyBUF_STRIDES, PyBUF_WRITABLE,
)
from cpython.complex cimport PyComplex_Check, PyComplex_ImagAsDouble, PyComplex_RealAsDouble
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.long cimport PyLong_AsDouble, PyLong_CheckExact
from cpython.object cimport PyTypeObject
from cpython.ref cimport Py_INCREF, PyObject
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from libc.math cimport ceil, isfinite
from libc.stdint cimport (
    int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t,
)
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memmove, memset
from libcpp cimport bool as cppbool

import functools  # no-cython-lint
import math
import operator
import reprlib
import threading

import numpy as np

cnp.import_array()

cdef extern from "Python.h":
    bint PyLong_Check(object)
    bint PyIndex_Check(object)
    bint PySlice_Check(object)
    Py_ssize_t PyNumber_AsSsize_t(object, object) except? -1
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1
    unsigned long long PyLong_AsUnsignedLongLong(object) except? 0xFFFFFFFFFFFFFFFF
    object PyUnicode_InternFromString(const char*)
    const Py_ssize_t PY_SSIZE_T_MAX

cdef extern from * nogil:
    bint multiply_overflows "__builtin_mul_overflow"(Py_ssize_t, Py_ssize_t, Py_ssize_t*)
    int lowest_bit "__builtin_ctz"(unsigned int)
    bint add_overflows "__builtin_add_overflow"(Py_ssize_t, Py_ssize_t, Py_ssize_t*)

cdef extern from "numpy/arrayobject.h":
    object _new_from_descr "PyArray_NewFromDescr"(
        cnp.PyTypeObject*, cnp.dtype, int, cnp.npy_intp*, cnp.npy_intp*, void*, int, void*
    )

cdef extern from "operations.hpp" namespace "corepy" nogil:
    cdef struct OperationInfo:
        const char* name
        Shape shape
        const char* allowed
    const OperationInfo operations[OP_COUNT]

cdef extern from "table.hpp" namespace "corepy" nogil:
    const Entry& entry(Operation, Dtype)
    kernel cast_kernel(Dtype, Dtype)

cdef extern from "iterate.hpp" namespace "corepy" nogil:
    cdef struct Argument:
        char* data
        const Py_ssize_t* strides
        Py_ssize_t itemsize
        kernel cast
        Py_ssize_t loop_itemsize
    void apply(kernel, int, int, const Py_ssize_t*, const Argument*) noexcept
    void apply_contiguous(kernel, int, Py_ssize_t, char**, const Py_ssize_t*) noexcept
    void copy_elements "corepy::copy"(
        Py_ssize_t, int, const Py_ssize_t*, char*, const Py_ssize_t*, const char*,
        const Py_ssize_t*,
    ) noexcept
    bint may_overlap(
        const char*, int, const Py_ssize_t*, const Py_ssize_t*, Py_ssize_t,
        const char*, int, const Py_ssize_t*, const Py_ssize_t*, Py_ssize_t,
    ) noexcept

cdef extern from "movement.hpp" namespace "corepy" nogil:
    bint move_elements "corepy::move"(
        Py_ssize_t, int, const Py_ssize_t*, const Py_ssize_t*, char*, const char*
    ) noexcept
    void fill_elements "corepy::fill"(Py_ssize_t, Py_ssize_t, const char*, char*) noexcept
    cdef cppclass Counts:
        Py_ssize_t total()
    bint add_counts(Py_ssize_t, const int64_t*, Counts*) noexcept
    void join_rows "corepy::join"(
        Py_ssize_t, Py_ssize_t, const char**, const Py_ssize_t*, char*
    ) noexcept
    void repeat_all "corepy::repeat"(
        Py_ssize_t, Py_ssize_t, Py_ssize_t, const char*, char*
    ) noexcept
    void repeat_each(Py_ssize_t, Py_ssize_t, const Counts&, const char*, char*) noexcept
    void repeat_start(char*, Py_ssize_t, Py_ssize_t) noexcept
    void copy_triangle "corepy::triangle"(
        Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, bint, const char*, char*
    ) noexcept

cdef extern from "sequences.hpp" namespace "corepy" nogil:
    cdef enum Precision:
        PRECISION_own "corepy::Precision::dtype"
        PRECISION_wide "corepy::Precision::wide"
    cdef struct Progression:
        double first[2]
        double step[2]
        uint64_t whole_first
        uint64_t whole_step
    bint write_progression(Dtype, Precision, const Progression&, Py_ssize_t, char*) noexcept

cdef extern from "threads.hpp" namespace "corepy" nogil:
    int num_threads()
    void set_number_of_threads "corepy::set_num_threads"(int)
    void limit_number_of_threads "corepy::limit_num_threads"(int)

cdef extern from "reduce.hpp" namespace "corepy" nogil:
    cdef enum ReduceStatus:
        REDUCE_DONE, REDUCE_NO_MEMORY
    enum:
        REDUCE_FEW
    ReduceStatus reduce_axes "corepy::reduce"(
        Operation, Dtype, Dtype, int, const Py_ssize_t*, const char*, const Py_ssize_t*,
        const cppbool*, char*, const Py_ssize_t*, double,
    ) noexcept
    void reduce_few(Operation, Dtype, Py_ssize_t, const char*, char*, double) noexcept

cdef extern from "scan.hpp" namespace "corepy" nogil:
    void scan_axis "corepy::scan"(
        Operation, Dtype, int, const Py_ssize_t*, int, const char*, const Py_ssize_t*, char*,
        const Py_ssize_t*,
    ) noexcept

cdef extern from "memory.hpp" namespace "corepy":
    cdef struct MemoryStats:
        size_t in_use, cached, peak, limit, allocations, reuses
    void* acquire_memory(size_t, size_t*)
    void* acquire_zeroed_memory(size_t, size_t*)
    const size_t LAZY_ZEROS
    void release_memory(void*, size_t)
    void empty_memory_cache()
    void limit_memory_cache(size_t)
    MemoryStats memory_stats()

cdef enum:
    MAX_OPERANDS = 4      # output and three inputs
    RELEASE_GIL = 4096    # elements from which letting go of the GIL costs nothing to speak of

include "simd.pxi"
include "dtypes.pxi"
include "threads.pxi"
include "spares.pxi"
include "storage.pxi"
include "device.pxi"
include "backend.pxi"
include "operands.pxi"
include "copies.pxi"
include "elementwise.pxi"
include "arguments.pxi"
include "checks.pxi"
include "reductions.pxi"
include "scans.pxi"
include "views.pxi"
include "indexing.pxi"
include "cpu.pxi"
include "nested.pxi"
include "masks.pxi"
include "gathering.pxi"
include "sorting.pxi"
include "searching.pxi"
include "convert.pxi"
include "dispatch.pxi"
include "products.pxi"
include "linalg.pxi"
include "fft.pxi"
include "creation.pxi"
include "joining.pxi"
include "movement.pxi"
include "operators.pxi"
include "protocols.pxi"
include "tensor.pxi"
include "validation.pxi"
include "table.pxi"

enter_operations()
keep_spares(new_tensor())

# Types are called by the names under which users find them.
(<PyTypeObject*>Tensor).tp_name = "corepy.Tensor"
(<PyTypeObject*>Device).tp_name = "corepy.Device"
(<PyTypeObject*>Backend).tp_name = "corepy.backend.Backend"
(<PyTypeObject*>NamespaceBackend).tp_name = "corepy.backend.NamespaceBackend"

del own  # all operations are entered
