"""The core's interface for compiled modules: Tensor, Backend and dispatch."""

cimport cython
cimport numpy as cnp
from cpython.object cimport PyObject
from libc.stdint cimport int8_t, uint8_t, uintptr_t
from libcpp cimport bool as cppbool

from corepy._cython.layout.broadcasting cimport broadcast_shape, broadcast_strides


include "declarations.pxi"  # enumerations, made from the schema and operations.hpp

cdef extern from "operations.hpp" namespace "corepy" nogil:
    const int8_t dtype_itemsize[DTYPE_COUNT]
    const int8_t dtype_kind[DTYPE_COUNT]
    const int8_t dtype_part[DTYPE_COUNT]
    const char* dtype_names[DTYPE_COUNT]
    Dtype promoted_dtype "corepy::promoted"(Dtype, Dtype)

cdef extern from "../layout/axes.hpp" namespace "corepy" nogil:
    cdef enum:
        MAX_NDIM
        MAX_OPERANDS

cdef enum:
    MAX_INTEGERS = 1024  # of an argument that is a sequence of integers

# An argument that names axes.
cdef struct Axes:
    bint all       # None
    bint single    # an int, no sequence
    Py_ssize_t count
    Py_ssize_t numbers[MAX_NDIM]

cdef extern from "elements.hpp" namespace "corepy" nogil:
    double load_real(const char*, int)
    long long load_whole(const char*, int)
    void store_real(char*, int, double)
    bint store_float(char*, int, double)
    bint store_whole(char*, int, Py_ssize_t)

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    const Py_ssize_t PY_SSIZE_T_MIN
    bint PySequence_Check(object)
    long long PyLong_AsLongLongAndOverflow(object, int*) except? -1

cdef extern from * nogil:
    bint multiply_overflows "__builtin_mul_overflow"(Py_ssize_t, Py_ssize_t, Py_ssize_t*)

cdef extern from *:
    """
    namespace {

    // The value of a small int, most often read of all that an index is made of.
    inline bool small_integer(PyObject* object, Py_ssize_t* value) {
      if (!PyLong_CheckExact(object)) return false;
      const PyLongObject* const number = reinterpret_cast<const PyLongObject*>(object);
    #if PY_VERSION_HEX >= 0x030C0000
      if (!PyUnstable_Long_IsCompact(number)) return false;
      *value = PyUnstable_Long_CompactValue(number);
    #else
      const Py_ssize_t digits = Py_SIZE(object);  // negative for a negative number
      if (digits < -1 || digits > 1) return false;
      *value = digits * Py_ssize_t(number->ob_digit[0]);
    #endif
      return true;
    }

    }  // namespace
    """
    bint small_integer(object, Py_ssize_t*)


# ---- kinds of dtypes

cdef inline bint is_complex(int code) noexcept nogil:
    return dtype_kind[code] == KIND_complex


cdef inline bint is_half(int code) noexcept nogil:
    """Whether elements are computed in float32."""
    return code == DTYPE_float16 or code == DTYPE_bfloat16


cdef inline bint is_floating(int code) noexcept nogil:
    return dtype_kind[code] == KIND_floating


cdef inline bint is_full_float(int code) noexcept nogil:
    """Whether elements are float32 or float64, for which all kernels have loops."""
    return code == DTYPE_float32 or code == DTYPE_float64


cdef inline int summed_code(int code) noexcept nogil:
    """The dtype that sums of products of a dtype are computed in."""
    return DTYPE_int64 if code == DTYPE_bool else DTYPE_float32 if is_half(code) else code


cdef inline int sorted_code(int code) noexcept nogil:
    """The dtype that elements of a dtype are compared in."""
    return DTYPE_uint8 if code == DTYPE_bool else DTYPE_float32 if is_half(code) else code


cdef inline bint is_inexact(int code) noexcept nogil:
    """Whether elements are floating-point numbers or pairs of them."""
    return dtype_kind[code] >= KIND_floating


cdef inline bint is_unsigned(int code) noexcept nogil:
    return dtype_kind[code] == KIND_unsigned


cdef inline bint is_integer(int code) noexcept nogil:
    return dtype_kind[code] == KIND_signed or dtype_kind[code] == KIND_unsigned


cdef inline int floating_code(int code) noexcept nogil:
    """`code`, or the code of float64 for bools and integers."""
    return code if is_inexact(code) else DTYPE_float64


cdef extern from "table.hpp" namespace "corepy" nogil:
    ctypedef void (*kernel)(Py_ssize_t n, char** data, const Py_ssize_t* steps) noexcept
    cdef struct Entry:
        int8_t compute
        int8_t result
        int8_t stored
        kernel loop
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


cdef extern from *:
    """
    #include <new>
    #include <type_traits>

    #include "threads.hpp"

    namespace {

    // Elements from which the cost of releasing the GIL is negligible.
    enum { RELEASE_GIL = 4096 };

    template <class Function>
    inline Py_ssize_t result_of(const Function& function) {
      if constexpr (std::is_void_v<decltype(function())>) {
        function();
        return 0;
      } else {
        return Py_ssize_t(function());
      }
    }

    // -1 with an error that is set: after Interrupted it is already (ends_by_error). No destructor
    // takes the GIL, and nothing catches all: Python ends threads by unwinding while it exits.
    template <class Function>
    inline Py_ssize_t without_gil(const Function& function) {
      Py_ssize_t result = -1;
      bool no_memory = false;
      PyThreadState* const thread = PyEval_SaveThread();
      try {
        const corepy::Interruptible interruptible;
        result = result_of(function);
      } catch (const corepy::Interrupted&) {
      } catch (const std::bad_alloc&) {
        no_memory = true;
      }
      PyEval_RestoreThread(thread);
      if (no_memory) PyErr_NoMemory();
      return result;
    }

    }  // namespace

    // Calls a function of the kernels for `count` elements. If there are so many, it is called
    // without the GIL, and may be interrupted by the handler of a signal.
    #define call_kernel(count, function, ...)                                     \
      ((count) < RELEASE_GIL ? result_of([&] { return function(__VA_ARGS__); })   \
                             : without_gil([&] { return function(__VA_ARGS__); }))
    """
    enum:
        RELEASE_GIL
    int call_kernel(Py_ssize_t, ...) except? -1
    # For the function's result.
    Py_ssize_t ask_kernel "call_kernel"(Py_ssize_t, ...) except? -1

cdef enum:  # Tensor.flags
    WRITEABLE = 1
    CONTIGUOUS = 2   # in C order, as a tensor of one element or none also is
    READY = 4        # holds a value: __init__ has nothing left to do
    VALUE = 8        # a 0-d result where NumPy has a scalar, not an array without axes


cdef class Backend:
    cdef readonly str name
    cdef Device only      # its one device, unless the class overrides `devices`
    cdef object executor  # computes what is deferred on its devices (lazy/passes.pxd), or None
    cdef object __weakref__

    cpdef object execute(self, str operation, object inputs, dict params=*)
    cpdef object create(self, str operation, tuple inputs, dict params, Device device)
    cdef object execute_checked(self, str operation, tuple inputs, dict params)
    cdef object create_checked(self, str operation, tuple inputs, dict params, Device device)
    cpdef object unary(self, Operation op, Tensor x)
    cpdef object binary(self, Operation op, object x1, object x2)
    cpdef object where(self, Tensor condition, object x1, object x2)
    cpdef object clip(self, Tensor x, object low, object high)
    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction,
    )
    cpdef object scan(
        self, Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
    )
    cpdef object getitem(self, Tensor x, object key)
    cpdef object setitem(self, Tensor x, object key, object value)
    cpdef object inplace(self, Operation op, Tensor x, object other)
    cpdef object astype(self, Tensor x, object dtype, bint copy)
    cpdef object full(self, tuple shape, object value, object dtype, Device device)
    cpdef object from_numpy(self, object array, Device device)
    cpdef object to_numpy(self, Tensor x)
    cpdef object dlpack(self, Tensor x, dict params)
    cpdef tuple dlpack_device(self, Tensor x)
    cpdef Device place(self, Device device, Py_ssize_t nbytes)
    cdef object _array_of(self, str method, Tensor x)
    cdef object _unwrapped(self, object value)
    cdef object _native_key(self, str method, Tensor x, object key)
    cdef Tensor _taken(self, Tensor x, object key, object native)
    cdef Tensor _assigned(self, Tensor x, object value)


cdef class NamespaceBackend(Backend):
    cdef readonly str requires
    cdef object load
    cdef object load_corrections
    cdef object _namespace
    cdef dict functions      # operation -> callable over native arrays
    cdef dict native_dtypes  # code -> the namespace's dtype, which may not be hashable

    cdef int _load_namespace(self) except -1
    cdef object _function(self, str operation)
    cdef object _wrapped(self, object result)
    cdef bint _has(self, int code) except -1
    cdef Tensor _float32_of(self, Tensor x)
    cdef Tensor _half_of(self, Tensor x, int code, bint exact)
    cdef object _widened(self, object value)
    cdef object _rounded(self, object result, int code, bint exact)
    cdef object _executed_in_float32(self, str operation, tuple inputs, dict params)


cdef class CheckedBackend(NamespaceBackend):
    pass


cdef class Device:
    cdef readonly Backend backend
    cdef readonly int index
    cdef str text
    cdef object __weakref__


@cython.no_gc
cdef class Tensor:
    # The layout is in the object, for every backend. There is no __dealloc__: it would cost more
    # than freeing the tensor. What all operations read comes first, in a cache line.
    cdef char* data            # first element, in the device's memory; NULL: the backend has them
    cdef Backend backend       # its device's, or DEFERRING until it is computed
    cdef int8_t code           # dtype code: a row of schema/dtypes.def
    cdef readonly int8_t ndim  # number of axes
    cdef uint8_t flags
    cdef Py_ssize_t count      # number of elements
    cdef object storage        # the owner of `data`, or the backend's array; None if it is inline
    cdef Py_ssize_t* dims      # shape, `ndim` entries: `layout`, or above 8 `long_layout`
    cdef Py_ssize_t* steps     # strides in bytes, `ndim` entries
    cdef readonly Device device  # where its elements are, or will be once they are computed
    cdef object long_layout    # Block of `dims` and `steps` elsewhere; with those of earlier shapes
    cdef Py_ssize_t layout[16]
    cdef char small[64]        # the elements of a small tensor
    cdef object __weakref__


cdef extern from *:
    """
    // Whether a class was made by a class statement of Python.
    #define HAS_PYTHON_CLASS(object) PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE)
    """
    bint HAS_PYTHON_CLASS(object) noexcept

cdef object NDARRAY  # corepy.ndarray, the subclass of the drop-in, which has no fields of its own


cdef inline bint is_tensor(object x) noexcept:
    """Whether `x` is a Tensor, of whatever class."""
    return type(x) is Tensor or type(x) is NDARRAY \
        or (HAS_PYTHON_CLASS(x) and isinstance(x, Tensor))


cdef inline bint sets_class(object x) noexcept:
    """Whether an operand gives results another class than Tensor; at times also of others."""
    return type(x) is not Tensor and (type(x) is NDARRAY or HAS_PYTHON_CLASS(x))


cdef inline object in_class_of(object result, object x):
    """What a function of the standard returns for an operand, in its class."""
    if type(x) is NDARRAY:
        return in_ndarray(result, False)
    return result_of(result, (x,)) if sets_class(x) else result


cdef inline object in_class_of_two(object result, object x1, object x2):
    """The same for two operands."""
    return result_of(result, (x1, x2)) if sets_class(x1) or sets_class(x2) else result


cdef inline object in_class_of_all(object result, object arrays):
    """The same for a sequence of them."""
    return result_of(result, (arrays,))


@cython.final
@cython.no_gc
cdef class Block:
    cdef void* memory         # the pool's, or with an owner a device's; NULL: that of `owner`
    cdef size_t capacity      # bytes
    cdef object owner         # whose memory it is: an ndarray or another exporter, or a device's
    cdef Py_ssize_t exports   # objects through which code outside of Corepy may write to it
    cdef Py_ssize_t readers   # nodes of deferred tensors that read it when they are computed
    # While a key of nodes is made: of the first operand in the block its address.
    cdef int mark, index
    cdef char* first


@cython.final
@cython.no_gc
cdef class Export:
    cdef Tensor x


ctypedef object (*parameter_check)(str function, Parameter parameter, object value, list values)


@cython.final
cdef class Parameter:
    cdef str name
    cdef parameter_check check    # NULL: passed on as it is
    cdef Category accepts         # the dtypes that a tensor may have here
    cdef bint required
    cdef object default
    cdef tuple allowed            # the choices, where there are some


# Dispatch, one function for each kind of operation.
cpdef object unary(Operation op, object x)
cpdef object binary(Operation op, object x1, object x2)
cpdef object where(object condition, object x1, object x2)
cpdef object clip(object x, object low, object high)
cpdef object reduce(
    Operation op, object x, object axis=*, bint keepdims=*, object dtype=*, object correction=*
)
cpdef object scan(
    Operation op, object x, object axis=*, object dtype=*, bint include_initial=*
)
cpdef object execute(str operation, tuple inputs, dict params=*)
cpdef object create(str operation, object device, tuple inputs, dict params=*)
cdef object compute(str operation, tuple arguments)

# Operands, dtypes and devices.
cdef bint is_array_like(object x) except -1
cpdef Tensor as_tensor(str function, object x)
cpdef str kind_of(object x)
cpdef object as_dtype(str function, object dtype)
cpdef Device as_device(object device, str function=*)
cpdef object result_type(object operands)
cpdef object dtype_of(str function, object operand)
cpdef bint can_cast(object source, object target) except -1
cpdef Tensor asarray(
    object obj, object dtype=*, object device=*, object copy=*, str function=*
)
cpdef Tensor held(object obj, Device device=*)
cpdef object held_dtype(object dtype)
cpdef Tensor astype(object x, object dtype, bint copy=*, object device=*)
cpdef Tensor to_device(object x, object device, object stream=*)
cpdef Tensor from_dlpack(object x, object device=*, object copy=*, str function=*)

# Views if tensors have an address; otherwise the backend's functions.
cpdef tuple broadcast_shapes(object shapes)
cpdef Tensor reshape(object x, object shape, object copy=*)
cpdef Tensor permute_dims(object x, object axes)
cpdef Tensor matrix_transpose(object x)
cpdef Tensor moveaxis(object x, object source, object destination)
cpdef Tensor broadcast_to(object x, object shape)
cpdef Tensor expand_dims(object x, object axis)
cpdef Tensor squeeze(object x, object axis)
cpdef Tensor flip(object x, object axis=*)

# Arguments.
cpdef object as_integer(str function, str name, object value, object minimum=*)
cpdef tuple as_integers(str function, str name, object values, object minimum=*)

# Creation.
cpdef Tensor full(str function, object shape, object value, object dtype, object device)
cpdef Tensor full_like(str function, object x, object value, object dtype, object device)
cpdef Tensor full_with(object shape, object fill_value, object dtype=*, object device=*)
cpdef Tensor full_like_with(object x, object fill_value, object dtype=*, object device=*)

# For backends of device memory.

ctypedef struct Operand:
    char* data
    const Py_ssize_t* dims
    const Py_ssize_t* steps
    Py_ssize_t ndim
    char scalar[16]        # the element of a Python scalar (aligned to 8)
    int code


cdef inline void set_tensor(Operand* operand, Tensor x) noexcept:
    """Take address and layout from a tensor that has them."""
    operand.data = x.data
    operand.dims = x.dims
    operand.steps = x.steps
    operand.ndim = x.ndim
    operand.code = x.code


cdef inline void set_element(Operand* operand, int code) noexcept:
    """Make an operand of the element that is stored, or will be, in it."""
    operand.data = operand.scalar
    operand.dims = operand.steps = NULL
    operand.ndim = 0
    operand.code = code


cdef inline bint broadcast_steps(
    const Operand* operand, Py_ssize_t ndim, const Py_ssize_t* dims, Py_ssize_t* steps
) noexcept nogil:
    """Write an operand's strides along axes of those sizes; false where it does not broadcast."""
    return broadcast_strides(operand.ndim, operand.dims, operand.steps, ndim, dims, steps)


cdef list DTYPES
cdef list DTYPE_NAMES
cdef dict CODES
cdef tuple NAMES
cdef int8_t PROMOTED[DTYPE_COUNT][DTYPE_COUNT]
cdef unsigned int HALVES
cdef int code_of_ndarray(cnp.ndarray array) except -2
cdef bint bfloats_to_words(object capsule) except -1
cdef bint words_to_bfloats(object capsule) except -1
cdef Device CPU
cdef Backend HOST  # its backend

# The backend of deferred tensors (lazy/), never visible to users; their addresses start at
# UNCOMPUTED.
cdef Backend DEFERRING
cdef Backend deferring_backend()
cdef enum:
    UNCOMPUTED = 4096


# A tensor has one device, and whether its elements can be read now is another question.
# `x.device is CPU` says nothing of its memory: it may be deferred.

@cython.nonecheck(False)
cdef inline bint in_host_memory(Tensor x) noexcept:
    """Whether elements are in host memory now."""
    return x.backend is HOST


@cython.nonecheck(False)
cdef inline bint is_deferred(Tensor x) noexcept:
    """Whether elements are still to be computed, or not yet fetched from the node that has them."""
    return x.backend is DEFERRING


@cython.nonecheck(False)
cdef inline bint shares_backend(Tensor x, Tensor other) noexcept:
    """Whether tensors are on one device, both of them deferred or neither."""
    return x.backend is other.backend and x.device is other.device


# ---- functions of other modules that the core calls

# The CPU's functions for operations of `execute`: name -> function(*inputs, **params), which
# returns NotImplemented for operands that NumPy computes.
cdef dict CPU_IMPLEMENTATIONS

# Set by the modules that define the functions.
cdef struct Provided:
    int (*materialize)(Tensor x) except -1              # compute a deferred tensor, in place
    int (*compute_readers)(Block block) except -1  # compute what reads the block
    bint (*compute_pending)() except -1    # compute all that is pending; false if nothing was
    # x[key] = value, if `value` can be computed there
    bint (*compute_into)(Tensor x, object key, Tensor value) except -1
    # x = op(x, other), likewise
    bint (*compute_inplace)(Operation op, Tensor x, Tensor other) except -1
    Tensor (*matmul)(object x1, object x2)
    Tensor (*read_at)(Tensor x, object key)
    int (*write_at)(Tensor x, object key, Tensor value) except -1
    # warn of floating-point errors, or raise, as the context asks; NULL: no context does
    int (*check_errors)(str operation, tuple operands, dict params) except -1
cdef Provided provided

cdef object implements(str operation)

cdef Shape operation_shape(int operation) noexcept
cdef int promoted_all(unsigned int codes) noexcept
cdef int result_code(int rule, int code) noexcept
cdef const Entry* find_entry(Operation op, Shape shape, int code) except NULL
cdef int set_binary_operands_on(
    Device device, Operation op, object x1, object x2, Operand* operands
) except -2
cdef int plan_clip(
    Device device, Tensor x, object low, object high, Operand* operands, Py_ssize_t* ndim,
    Py_ssize_t* shape,
) except -1
cdef bint is_comparison(Operation op) noexcept
cdef kernel loop_of_two(
    Operation op, const Entry* found, const Operand* operands, int8_t* computed
) noexcept
cdef kernel power_loop(object exponent, int code) noexcept
cdef int check_choice(Operation op, const Axes* axes, Tensor x, const cppbool* marked) except -1
cdef int scalar_code(object value, int other) noexcept
cdef int broadcast_into(
    str function, const Operand* operands, int n, Py_ssize_t* ndim, Py_ssize_t* shape
) except -1
# dtype and shape of a result, without tensors: of elementwise operations and of reductions.
cdef object broadcast_error(str function, list shapes)
cdef void drop_leading_ones(Operand* operand, Py_ssize_t ndim) noexcept
cdef const Entry* infer_elementwise(
    Operation op, const Operand* operands, int n, Py_ssize_t* ndim, Py_ssize_t* shape
) except NULL
cdef bint reduces_as_is(int op, int half) noexcept
cdef const Entry* infer_reduction(
    Operation op, int code, Py_ssize_t ndim, const Py_ssize_t* dims, const cppbool* marked,
    bint keepdims, Py_ssize_t* result_ndim, Py_ssize_t* shape,
) except NULL
cdef Py_ssize_t reduced_shape(
    Py_ssize_t ndim, const Py_ssize_t* dims, const cppbool* marked, bint keepdims,
    Py_ssize_t* shape,
) noexcept
cdef Tensor tensor_at(
    Device device, object storage, char* address, int code, Py_ssize_t ndim,
    const Py_ssize_t* shape,
)
cdef void take_order(Tensor out, const Operand* operands, int n) noexcept
cdef Tensor compared_out_of_range(Operation op, object x1, object x2)
cdef Tensor basic_view(str function, Tensor x, object key, bint* element)
cdef object key_beside(str function, Tensor x, object key)
cdef bint overlaps(Tensor a, Tensor b) noexcept
cdef bint compute_out(Operation op, Tensor out, object x1, object x2) except -1
cdef bint has_repeated_elements(Tensor x) noexcept
cdef bint is_shape_of(Tensor x, Py_ssize_t ndim, const Py_ssize_t* shape) noexcept
cdef int check_inplace(Operation op, Tensor x, int result) except -1
cdef int check_assignable(Tensor x, int code) except -1
cdef Tensor as_assigned(Tensor x, Tensor value)
cdef object written_number(Tensor x, object value)
cdef const Entry* plan_inplace(
    Device device, Operation op, Tensor x, object other, Operand* operands
) except? NULL
cdef object read_only_error(str function)
cdef object negative_power_error()
cdef object foreign_error(str expected, Tensor x)
cdef object find_reader(int kind, str function)
cdef int store_scalar(char* out, int code, object value) except -1
cdef int store_named(str function, char* out, int code, object value) except -1
cdef tuple shape_tuple(Py_ssize_t ndim, const Py_ssize_t* sizes)
cdef tuple normalize_axes(str function, const Axes* axes, Py_ssize_t ndim, bint unique)
cdef int mark_axes(
    str function, const Axes* axes, Py_ssize_t ndim, cppbool* marked
) except -1


# ---- declarations for the modules of cpu/

# core/arguments.pxi
cdef Py_ssize_t clamped(object value, Py_ssize_t low, Py_ssize_t high) except? -1
cdef int read_axes(str function, object axis, Axes* axes) except -1
cdef Py_ssize_t read_any_axis(str function, object axis) except? -1
cdef Py_ssize_t read_integer(
    str function, str name, object value, object minimum=*
) except? -1


cdef inline Py_ssize_t read_axis(str function, object axis) except? -1:
    """An axis as a C integer."""
    cdef Py_ssize_t number
    return number if small_integer(axis, &number) else read_any_axis(function, axis)


# core/backend.pxi
cdef Tensor as_code(Tensor x, int code)

# core/checks.pxi
cdef object choice(str function, str name, object value, tuple allowed)
cdef Py_ssize_t common_axis(str function, Py_ssize_t axis, Tensor x1, Tensor x2) except 0
cdef Tensor complex_operand(str function, object x)
cdef object finite_number(str function, str name, object value)
cdef Tensor floating_operand(str function, object x)
cdef Py_ssize_t normalize_axis(str function, Py_ssize_t axis, Py_ssize_t ndim) except -1
cdef tuple pair(str function, object x1, object x2)
cdef tuple comparable(str function, object like, object x)
cdef object python_number(str function, str name, object value)
cdef double real_number(str function, str name, object value) except? -1.0
cdef int require_dtype(str function, str name, int code, int category) except -1
cdef int require_least_ndim(str function, str name, Tensor x, Py_ssize_t ndim) except -1
cdef int require_ndim(str function, str name, Tensor x, Py_ssize_t ndim) except -1
cdef Tensor scalar_beside(str function, Tensor x, object value)
cpdef object named_error(str function, object error)
cdef bint truth(str function, str name, object value) except -1

# core/classes.pxi
cdef object in_ndarray(object result, bint scalars)
cpdef object in_drop_in(Tensor x)
cdef object result_of(object result, tuple operands)
cdef object result_in(
    object cls, object result, object source, bint scalars, Py_ssize_t references=*
)
cdef Tensor as_class(Tensor x, object cls, object source, Py_ssize_t references)

cdef int take_tensor(Tensor self, Tensor x) except -1

# core/convert.pxi
cdef Tensor view_all(Tensor x)

# core/device.pxi
cdef int check_errors(str operation, tuple operands, dict params) except -1
cdef Backend shared_backend(str function, tuple tensors)
cdef tuple on_one_device(str function, Tensor a, Tensor b)
cdef int materialize(Tensor x) except -1


cdef inline bint is_here(object x) except -1:
    """Whether an operand is a tensor on the CPU; computes its elements."""
    if not is_tensor(x):
        return False
    materialize(<Tensor>x)
    return in_host_memory(<Tensor>x)


cdef int before_write(Tensor x) except -1
cdef bint may_defer(Tensor x) noexcept
cdef bint may_defer_any(object x1, object x2) noexcept
cdef tuple tensors_in(tuple inputs, dict params)

# core/dispatch.pxi
cdef object dispatched(str operation, tuple inputs, dict params)

# core/dtypes.pxi
cdef int dtype_code(str function, object dtype) except -1
cdef int find_code(object dtype) except -2
cdef object load_scalar(const char* data, int code)
cdef bint is_scalar(object value) noexcept

# core/filling.pxi
cdef int fill_with(Tensor out, const char* element) except -1
# Whether computations tell their progress.
cdef bint reporting
cdef int report_pass(Py_ssize_t index, Py_ssize_t count) except -1
cdef Tensor zeroed(int code, Py_ssize_t ndim, const Py_ssize_t* dims)

# core/freelist.pxi
cdef Tensor new_tensor()
cdef int set_ndim(Tensor x, Py_ssize_t ndim) except -1
cdef int set_deferring(Backend backend) except -1

# core/indexing.pxi
cdef object index_error(str function, str text)
cdef void keep_axes(Tensor x, int axis, Py_ssize_t count, Tensor view, int new) noexcept
cdef object plain_key(str function, object key)
cdef Tensor plain_view(str function, Tensor x, tuple items)

# core/methods.pxi
cdef Tensor seen_as(Tensor x, object dtype)
cdef int resize_in_place(Tensor x, object shape, bint check) except -1

# core/nested.pxi
cdef Tensor nested_numbers(object obj, int wanted)

# core/operands.pxi
cdef int run(
    kernel loop, int inputs, Operand* operands, const int8_t* computed, int result, Tensor out
) except -1
cdef int set_operand(Operand* operand, Tensor x) except -1
cdef int set_operand_on(Device device, Operand* operand, Tensor x) except -1
cdef int set_shape(Tensor x, Py_ssize_t ndim, const Py_ssize_t* shape) except -1

# core/protocols.pxi
cdef bint lacks_elements(Tensor x, object axis, double subtracted) except -1

# core/storage.pxi
cdef Block allocate(Py_ssize_t nbytes)
cdef Block allocated(Py_ssize_t nbytes, bint zeros=*)
cdef Export exported(Tensor x)
cdef bint is_private(Block block) noexcept
cdef void keep_order(Tensor out, Tensor x) noexcept
cdef bint common_order(tuple arrays, Py_ssize_t* order) noexcept
cdef Py_ssize_t place_in(const Py_ssize_t* order, Py_ssize_t axis) noexcept
cdef Tensor reordered(Tensor x, const Py_ssize_t* order)
cdef int expose(Tensor x) except -1
cdef cnp.ndarray as_ndarray(Tensor x)
cdef int check_size(
    str function, int code, Py_ssize_t ndim, const Py_ssize_t* shape
) except -1
cdef Tensor empty(int code, Py_ssize_t ndim, const Py_ssize_t* shape)
cdef int finish_part(Tensor x) noexcept
cdef int finish_view(Tensor x) except -1
cpdef object checked_ndarray(str function, object array)
cdef Tensor from_ndarray(str function, object array)
cdef Tensor from_numpy_scalar(object scalar)
cdef bint is_contiguous(Tensor x) noexcept
cdef object no_memory(Py_ssize_t nbytes, str what=*)
cdef bint same_shape(Tensor a, Tensor b) noexcept
cdef Tensor view_of(Tensor base, Py_ssize_t ndim)

# core/validation.pxi
cdef Parameter required(str name, parameter_check check, int accepts)
cdef Parameter optional(
    str name, parameter_check check, int accepts, object default, tuple allowed
)
cdef int enter(
    str name, object function, list positional, list keywords, bint variadic
) except -1
cdef object an_array(str function, Parameter parameter, object value, list values)
cdef object an_operand(str function, Parameter parameter, object value, list values)
cdef object floating(str function, Parameter parameter, object value, list values)
cdef object matrices(str function, Parameter parameter, object value, list values)
cdef object matrices_of_any_dtype(str function, Parameter parameter, object value, list values)
cdef object square(str function, Parameter parameter, object value, list values)
cdef object integer(str function, Parameter parameter, object value, list values)
cdef object diagonal_offset(str function, Parameter parameter, object value, list values)
cdef object flag(str function, Parameter parameter, object value, list values)
cdef object word(str function, Parameter parameter, object value, list values)
cdef object one_axis(str function, Parameter parameter, object value, list values)
cdef object tolerance(str function, Parameter parameter, object value, list values)
cdef object axis_of_three(str function, Parameter parameter, object value, list values)
cdef int check_stacks(
    str function, Py_ssize_t ndim1, const Py_ssize_t* dims1, Py_ssize_t ndim2,
    const Py_ssize_t* dims2,
) except -1

# core/views.pxi
cdef bint has_layout(Tensor x) noexcept
cdef Tensor raveled(Tensor x)
cdef Tensor copied(Tensor x)
cdef Tensor without_ones(Tensor x)
cdef Tensor permuted(str function, object x, object axes)
cdef Tensor transposed(Tensor x, const Py_ssize_t* order)

# cpu/copies.pxi
cdef int assign(str function, Tensor out, Tensor x) except -1
cdef Tensor cast_to(Tensor x, int code, bint keep_order=*)
cdef Tensor contiguous(Tensor x)

# cpu/elementwise.pxi
cdef Tensor cpu_binary(Operation op, object x1, object x2)
cdef Tensor cpu_unary(Operation op, Tensor x)
cdef Tensor cpu_where(Tensor condition, object x1, object x2)
cdef Tensor cpu_clip(Tensor x, object low, object high)
cdef Tensor cpu_inplace(Operation op, Tensor x, object other)

# cpu/reductions.pxi
cdef Tensor cpu_reduce(
    Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
)
