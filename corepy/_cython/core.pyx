# distutils: language = c++
"""The core of Corepy: Tensor, Backend, and the hot operations of the CPU.

One extension module, so that the path of a small operation is one chain of C calls. Other families
of operations are modules in ``cpu/``, which cimport this one. Its parts:

    core/simd.pxi         the instruction set of the kernels
    core/dtypes.pxi       dtype codes, promotion, Python scalars as elements
    core/threads.pxi      the number of threads
    core/freelist.pxi     a free list of tensors
    core/storage.pxi      blocks of memory, tensors of a given layout, ndarray in and out
    core/classes.pxi      the class of results
    core/filling.pxi      tensors filled with one value
    core/upcalls.pxi      what the core calls in the layers above it
    core/device.pxi       Device, and the common device of operands
    core/backend.pxi      Backend, the interface of all backends
    core/namespace_backend.pxi  NamespaceBackend over a namespace, CheckedBackend
    core/operands.pxi     operands, plans of elementwise operations, the loop over their elements
    core/arguments.pxi    arguments that are integers or shapes
    core/checks.pxi       shared checks of arguments
    core/views.pxi        changes of shape without copies
    core/indexing.pxi     reading and writing through an index
    core/nested.pxi       nested lists of Python scalars
    core/convert.pxi      asarray, astype, to_device, DLPack
    core/dispatch.pxi     dispatch: unary, binary, where, reduce, scan
    core/operators.pxi    the operators of the Tensor
    core/protocols.pxi    scalars, ndarrays, buffers and pickles made of a Tensor
    core/tensor.pxi       Tensor: attributes, operators, methods
    core/validation.pxi   execute, create: named operations and the checks of their arguments
    cpu/copies.pxi        copies of elements from one tensor into another
    cpu/elementwise.pxi   unary, binary, where on the CPU: dtype and layout -> kernel -> loop
    cpu/reductions.pxi    sums, extremes, means, deviations on the CPU
    cpu/scans.pxi         cumulative sums and products on the CPU
    cpu/backend.pxi       CpuBackend
"""

cimport cython
cimport numpy as cnp
from cpython.bool cimport PyBool_Check
from cpython.buffer cimport (
    PyObject_CheckBuffer,
    PyBUF_ANY_CONTIGUOUS, PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND,
    PyBUF_STRIDES, PyBUF_WRITABLE,
)
from cpython.complex cimport (
    PyComplex_Check, PyComplex_CheckExact, PyComplex_ImagAsDouble, PyComplex_RealAsDouble,
)
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.long cimport PyLong_AsDouble, PyLong_CheckExact
from cpython.object cimport Py_EQ, Py_NE, PyTypeObject
from cpython.ref cimport Py_INCREF, PyObject
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from libc.math cimport isfinite
from libc.string cimport memcpy, memmove, memset
from libcpp cimport bool as cppbool

from corepy._cython.settings cimport (
    choosing, deferring, is_expected_alone, LARGE, least_deferred, predicting, predictions, setting,
)

import _thread  # no-cython-lint
import functools  # no-cython-lint
import importlib  # no-cython-lint
import operator
import os
import reprlib
import sys
import warnings

import numpy as np

cnp.import_array()

cdef extern from "Python.h":
    bint PyLong_Check(object)
    Py_ssize_t reference_count "Py_REFCNT"(PyObject*)
    PyObject* PyDict_GetItem(dict, object)
    bint PyIndex_Check(object)
    bint PySlice_Check(object)
    unsigned long long PyLong_AsUnsignedLongLong(object) except? 0xFFFFFFFFFFFFFFFF
    object PyUnicode_InternFromString(const char*)

cdef extern from * nogil:
    int lowest_bit "__builtin_ctz"(unsigned int)

cdef extern from "numpy/arrayobject.h":
    object _new_from_descr "PyArray_NewFromDescr"(
        cnp.PyTypeObject*, cnp.dtype, int, cnp.npy_intp*, cnp.npy_intp*, void*, int, void*
    )

cdef extern from "operations.hpp" namespace "corepy" nogil:
    cdef struct OperationInfo:
        const char* name
        Shape shape
        Category category
    const OperationInfo operations[OP_COUNT]
    bint accepts(Category, Dtype)
    Dtype result_dtype(Result, Dtype)
    const char* in_words(Category)

cdef extern from "iterate.hpp" namespace "corepy" nogil:
    void apply_contiguous(kernel, int, Py_ssize_t, char**, const Py_ssize_t*) noexcept
    bint may_overlap(
        const char*, int, const Py_ssize_t*, const Py_ssize_t*, Py_ssize_t,
        const char*, int, const Py_ssize_t*, const Py_ssize_t*, Py_ssize_t,
    ) noexcept

cdef extern from "movement.hpp" namespace "corepy" nogil:
    bint move_elements "corepy::move"(
        Py_ssize_t, int, const Py_ssize_t*, const Py_ssize_t*, char*, const char*
    ) noexcept
    void fill_elements "corepy::fill"(Py_ssize_t, Py_ssize_t, const char*, char*) noexcept
    void join_rows "corepy::join"(
        Py_ssize_t, Py_ssize_t, const char**, const Py_ssize_t*, char*
    ) noexcept

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef struct Powers:
        kernel* half
        kernel* third
        kernel* fourth
    cdef struct Kernels:
        Powers powers
        kernel mixed_comparisons[2][OP_COUNT]
    const Kernels& kernels()

cdef extern from "threads.hpp" namespace "corepy" nogil:
    int num_threads()
    void set_number_of_threads "corepy::set_num_threads"(int)
    void limit_number_of_threads "corepy::limit_num_threads"(int)
    int limit_number_of_threads_of_caller "corepy::limit_threads_of_caller"(int)
    void set_interruption(cppbool (*)(double) noexcept)

cdef extern from "reduce.hpp" namespace "corepy" nogil:
    enum:
        REDUCE_FEW
    cppbool reduce_axes "corepy::reduce"(
        Operation, Dtype, Dtype, int, const Py_ssize_t*, const char*, const Py_ssize_t*,
        const cppbool*, char*, const Py_ssize_t*, double,
    ) noexcept
    cppbool reduces_halves(Operation, Dtype) noexcept
    cppbool can_be_widened(
        Operation, Dtype, int, const Py_ssize_t*, const char*, const Py_ssize_t*, const cppbool*,
        const Py_ssize_t*,
    ) noexcept
    void reduce_few(Operation, Dtype, Py_ssize_t, const char*, char*, double) noexcept

cdef extern from "scan.hpp" namespace "corepy" nogil:
    cppbool has_scan(Operation, Dtype)
    void scan_axis "corepy::scan"(
        Operation, Dtype, int, const Py_ssize_t*, int, const char*, const Py_ssize_t*, char*,
        const Py_ssize_t*,
    ) noexcept

cdef extern from *:
    """
    static void document_attribute(PyObject* type, const char* name, const char* doc) {
      PyGetSetDef* attribute = reinterpret_cast<PyTypeObject*>(type)->tp_getset;
      while (strcmp(attribute->name, name) != 0) attribute++;
      attribute->doc = doc;
    }
    """
    void document_attribute(object, const char*, const char*)

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

include "core/simd.pxi"
include "core/dtypes.pxi"
include "core/threads.pxi"
include "core/freelist.pxi"
include "core/storage.pxi"
include "core/classes.pxi"
include "core/filling.pxi"
include "core/upcalls.pxi"
include "core/device.pxi"
include "core/backend.pxi"
include "core/namespace_backend.pxi"
include "core/operands.pxi"
include "cpu/copies.pxi"
include "cpu/elementwise.pxi"
include "core/arguments.pxi"
include "core/checks.pxi"
include "cpu/reductions.pxi"
include "cpu/scans.pxi"
include "core/views.pxi"
include "core/indexing.pxi"
include "cpu/backend.pxi"
include "core/nested.pxi"
include "core/convert.pxi"
include "core/dispatch.pxi"
include "core/operators.pxi"
include "core/protocols.pxi"
include "core/tensor.pxi"
include "core/methods.pxi"
include "core/validation.pxi"

keep_free_tensors(new_tensor())

# Cython gives the attributes of fields no docstrings.
document_attribute(Tensor, "ndim", "Number of axes.")
document_attribute(Tensor, "device", "The `Device` that holds the elements.")

# The public names of the types.
(<PyTypeObject*>Tensor).tp_name = "corepy.Tensor"
(<PyTypeObject*>Device).tp_name = "corepy.Device"
(<PyTypeObject*>Backend).tp_name = "corepy.backend.Backend"
(<PyTypeObject*>NamespaceBackend).tp_name = "corepy.backend.NamespaceBackend"
