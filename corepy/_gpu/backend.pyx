# distutils: language = c++
"""The GPU backend: operands -> layout and dtypes -> kernel -> launch.

A tensor on a GPU has an address and strides like one on the CPU, so the core makes views without
calling the backend. The runtime (`corepy._gpu.runtime`) copies to the host, calls libraries and
compiles kernels.
"""

cimport cython
from cpython.long cimport PyLong_Check
from libc.stdint cimport intptr_t, uint64_t, uintptr_t
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map

import threading
from functools import partial

import numpy as np

from corepy._cython.core import load_bfloat16, renew_after_fork
from corepy._cython.lazy.nodes import limit_kept

from corepy._cython.core cimport (
    Backend, Block, CODES, CONTIGUOUS, CheckedBackend, deferring_backend, DTYPES, DTYPE_NAMES,
    DTYPE_bfloat16, DTYPE_bool, DTYPE_float32, DTYPE_int64, DTYPE_uint16, Device, Entry, Export,
    KIND_signed, MAX_NDIM, MAX_OPERANDS, NAMES, NamespaceBackend, OP_COUNT, OP_clip, OP_min,
    OP_positive, OP_pow, OP_square, OP_where, Operand, Operation, PROMOTED, SHAPE_binary,
    SHAPE_unary, Tensor, WRITEABLE, as_assigned, basic_view, before_write, bfloats_to_words,
    broadcast_into, broadcast_steps, check_assignable, checked_ndarray, compared_out_of_range,
    drop_leading_ones, dtype_itemsize, dtype_kind, exported, expose, find_entry, foreign_error,
    has_repeated_elements, is_complex, is_half, is_inexact, is_integer, is_shape_of, is_tensor,
    materialize, may_defer, may_defer_any, negative_power_error, overlaps, plain_key, plan_clip,
    plan_inplace, read_only_error, scalar_code, set_binary_operands_on, set_element, set_tensor,
    shape_tuple, store_named, take_order, tensor_at, to_device, words_to_bfloats, written_number,
)
from corepy._cython.layout.plans cimport (
    find_bad_index, index_array, IndexPlan, plan_along_axis, plan_arrays, plan_index,
    plan_steps,
)
from corepy._cython.layout.plans cimport (
    copy_rolled, count_numbers, plan_arange, plan_linspace, Sequence,
)

cdef extern from "launch.hpp" namespace "corepy" nogil:
    ctypedef int (*LaunchFunction)(
        void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
        void**, void**,
    )
    cdef cppclass Launch:
        LaunchFunction launch
        void* function
        void* stream
        long long blocks
        int call "operator()"(void*, long long)
    enum:
        THREADS
    long long ceil_div(long long, long long)

ctypedef intptr_t (*StreamFunction)(int) except? -1

include "driver.pxi"
include "dlpack.pxi"
include "kernels.pxi"
include "operands.pxi"
include "reports.pxi"
include "elementwise.pxi"

# Library functions that wait for the device, as the shapes of results depend on elements.
cdef frozenset WAITING = frozenset(
    ("unique_all", "unique_counts", "unique_inverse", "unique_values")
)

# Held while a runtime is loaded: other threads wait until it is complete.
cdef object LOADING = threading.RLock()
renew_after_fork(LOADING)


@cython.binding(False)
cdef class GpuBackend(CheckedBackend):
    """A backend of devices whose memory the host cannot address.

    Parameters
    ----------
    name : str
        Name of the backend; its devices are ``name:0``, ``name:1`` ...
    load_runtime : callable
        Returns the runtime (see `corepy._gpu.runtime.Runtime`); called at first use.
    requires, corrections
        As for `NamespaceBackend`.
    missing : callable, optional
        Returns a description of missing requirements of the devices, and what to install; empty if
        there are devices.
    """

    cdef object load_runtime
    cdef object _missing
    cdef object _runtime
    cdef list _devices
    cdef LaunchFunction launch
    cdef StreamFunction stream
    cdef object allocate_here
    cdef readonly list blocks  # for each device, the most blocks of a launch
    cdef unordered_map[uint64_t, void*] entries  # a kernel's key -> its entry point
    cdef unordered_map[string, void*] fused      # the same for kernels of deferred operations
    cdef Reports reports
    cdef dict flags     # device's index -> cleared flags (see implementations.pxi)
    cdef dict counters  # device's index -> memory for reductions in its default stream

    def __init__(
        self, str name not None, load_runtime, str requires not None, corrections=None,
        missing=None,
    ):
        super().__init__(name, self._load_module, requires, corrections)
        self.load_runtime = load_runtime
        self._missing = missing
        self.flags, self.counters = {}, {}
        self.reports = Reports()
        self.executor = new_executor(self)

    def _load_module(self):
        return self.runtime.namespace()

    @property
    def runtime(self):
        """The runtime, loaded at first use."""
        if self._runtime is None:
            with LOADING:
                if self._runtime is None:
                    runtime = self.load_runtime()
                    self.launch = <LaunchFunction><void*><uintptr_t>runtime.launch_address
                    self.stream = <StreamFunction><void*><uintptr_t>runtime.stream_address
                    self.allocate_here = runtime.allocate_here
                    indices = range(runtime.count())
                    self.blocks = [runtime.blocks(index) for index in indices]
                    self._devices = [
                        Device(self, index, f"{self.name}:{index}") for index in indices
                    ]
                    for index in indices:
                        limit_kept(runtime.total_memory(index))
                    self._runtime = runtime  # last: other threads read it without the lock
        return self._runtime

    def missing(self):
        """Return a description of missing requirements; empty if there are devices."""
        return NamespaceBackend.missing(self) if self._missing is None else self._missing()

    def devices(self):
        """Return the backend's devices."""
        self.runtime
        return list(self._devices)

    def synchronize(self):
        """Wait for all work in the devices' current streams.

        Raises
        ------
        IndexError
            An index of an earlier operation was out of range; see ``check_indices`` of
            `corepy.config`.
        """
        cdef list waiting = self.reports.begin()
        try:
            self.runtime.synchronize()
        except BaseException:
            self.reports.cancel(waiting)
            raise
        for device in self._devices:
            index = device.index
            waiting = self.reports.end(waiting, index, queue_of(self, index))
        self.reports.cancel(waiting)
        self.reports.fail()

    @property
    def reports_open(self):
        """The number of kernels whose errors were not yet looked for."""
        return len(self.reports.open)

    def memory_stats(self, Device device=None):
        """Return the counts of a device's memory pool; see `corepy.memory.stats`."""
        return self.runtime.memory_stats(0 if device is None else device.index)

    def empty_cache(self, Device device=None):
        """Return the memory that the pool has cached to a device."""
        self.runtime.empty_cache(0 if device is None else device.index)

    # ---- memory

    cdef Tensor empty_on(self, Device device, int code, Py_ssize_t ndim, const Py_ssize_t* shape):
        """A new tensor in C order, not initialised."""
        cdef Tensor out = tensor_at(device, None, NULL, code, ndim, shape)
        cdef Block block = self.block_on(device, out.count * dtype_itemsize[code])
        out.storage = block
        out.data = <char*>block.memory
        return out

    cdef Block block_on(self, Device device, Py_ssize_t nbytes):
        """A new block of a device's memory."""
        nbytes = max(nbytes, 1)
        memory = self.allocate(nbytes, device.index)
        return block_over(memory, memory.ptr, nbytes)

    cdef object allocate(self, Py_ssize_t nbytes, int device):
        """New memory; MemoryError if there is none, even after the cache was emptied."""
        if self.allocate_here is not None:
            try:
                return self.allocate_here(nbytes)
            except Exception as error:
                if not self._runtime.is_short(error):
                    raise
        return self._runtime.allocate(nbytes, device)

    def wrap(self, native):
        """Return the Tensor over the memory of a native array."""
        return tensor_over(self, native)

    def tensor(self, storage, dtype, tuple shape not None, Device device not None):
        """Return the Tensor around `storage`, a native array of that dtype and shape."""
        x = self.wrap(storage)
        if x.dtype != dtype or x.shape != shape or x.device is not device:
            raise ValueError(
                f"tensor: expected an array of shape {shape} and dtype {dtype} on {device}, "
                f"got shape {x.shape} and dtype {x.dtype} on {x.device}"
            )
        return x

    def unwrap(self, Tensor x not None):
        """Return a native array over the memory of a tensor."""
        materialize(x)
        if x.backend is not self:
            raise ValueError(f"unwrap: the tensor is on {x.device}, not on a device of {self!r}")
        return self.native_over(x, exported(x))

    cdef object native_over(self, Tensor x, object owner):
        """A native array over the memory of a tensor, which keeps `owner` alive. Elements of
        bfloat16, which the library does not have, are uint16 there.
        """
        dtype = DTYPES[<int>DTYPE_uint16 if x.code == DTYPE_bfloat16 else x.code]
        return self._runtime.array(
            owner, <uintptr_t>x.data, x.shape, dtype, x.strides, x.device.index
        )

    cpdef object from_numpy(self, object array, Device device):
        """Return a Tensor on `device` with the elements of an ndarray."""
        return uploaded(self, array, device)

    cpdef object to_numpy(self, Tensor x):
        """Return an ndarray with the elements of `x`."""
        if x is None:
            raise TypeError("to_numpy: expected a Tensor, got None")
        x = in_c_order(self, x)
        native = self.native_over(x, x.storage)
        if not self.reports.open:
            array = self._runtime.download(native, x.device.index)
        else:
            array = self.reports.downloaded(self, native, x.device.index)
        return array.view(DTYPES[x.code]) if x.code == DTYPE_bfloat16 else array

    def move(self, Tensor x not None, Device device not None, stream=None):
        """Return a copy of `x` on another device, of this backend or not.

        `stream` is the stream to copy in: of the target device or, if that is the host, of the
        device of `x`.
        """
        return moved(self, x, device, stream)

    # ---- DLPack

    def from_dlpack(self, exporter):
        """Return the Tensor over the memory of a DLPack exporter on one of the devices."""
        cdef Importing importing = Importing(exporter)
        cdef Tensor x = self.wrap(self.runtime.from_dlpack(importing))
        if importing.read_only:
            x.flags &= ~WRITEABLE
        if importing.is_bfloat16:
            load_bfloat16()
            x.code = DTYPE_bfloat16
        return x

    cpdef object dlpack(self, Tensor x, dict params):
        self.check(x)
        copy = params.get("copy")
        here = stays_here(self.dlpack_device(x), params.get("dl_device"), copy)
        if here and (copy or runs_backwards(x, copy)):
            copied = gpu_astype(self, x, DTYPES[x.code], True)
            return marked_copied(self.dlpack(copied, {**params, "copy": None}))
        with self._runtime.on(x.device.index):
            capsule = Backend.dlpack(self, x, params)
            if x.code == DTYPE_bfloat16:
                words_to_bfloats(capsule)
            if x.flags & WRITEABLE:
                return capsule
            marked = marked_read_only(capsule)
        if marked is not None or not here:  # a copy in memory of the host
            return capsule
        if copy is False:
            raise BufferError(
                "__dlpack__: the tensor is read-only, which DLPack before version 1 cannot "
                "express; pass max_version=(1, 0), or copy=None for a copy"
            )
        return self.dlpack(gpu_astype(self, x, DTYPES[x.code], True), params)

    def current_stream(self, int index):
        """Return the handle of a device's current stream."""
        self.runtime  # loads it
        return <uintptr_t>self.stream(index)

    # ---- CUDA's array interface

    def cuda_array_interface(self, Tensor x not None):
        """Return ``x.__cuda_array_interface__``, if the library supports it."""
        if x.code == DTYPE_bfloat16:
            raise AttributeError("__cuda_array_interface__: it has no bfloat16")
        native = self.unwrap(x)
        expose(x)
        with self._runtime.on(x.device.index):  # the interface has that device's current stream
            interface = native.__cuda_array_interface__
        address = interface["data"][0]
        return {**interface, "data": (address, not x.flags & WRITEABLE)}

    def from_cuda_array(self, exporter):
        """Return the Tensor over the memory of an object with ``__cuda_array_interface__``."""
        cdef Tensor x = tensor_over(self, self.runtime.from_cuda_array(exporter))
        if exporter.__cuda_array_interface__["data"][1]:
            x.flags &= ~WRITEABLE
        return x

    # ---- named operations: by kernels of Corepy, or by the library

    cdef object execute_checked(self, str operation, tuple inputs, dict params):
        cdef Device device
        self.runtime
        function = GPU_IMPLEMENTATIONS.get(operation)
        if function is not None:
            result = function(self, *inputs, **params)
            if result is not NotImplemented:
                return result
        device = device_of(inputs)
        return self.compute(operation, inputs, params, 0 if device is None else device.index)

    cdef object create_checked(self, str operation, tuple inputs, dict params, Device device):
        self.runtime
        function = GPU_IMPLEMENTATIONS.get(operation)
        if function is not None:
            result = function(self, *inputs, device=device, **params)
            if result is not NotImplemented:
                return result
        return self.compute(operation, inputs, params, device.index)

    def network(self, str operation, *args, **options):
        """Compute an operation of `corepy.nn` by a kernel; None if there is none for the arguments.
        """
        function = GPU_IMPLEMENTATIONS.get(operation)
        result = NotImplemented if function is None else function(self, *args, **options)
        return None if result is NotImplemented else result

    cdef object compute(self, str operation, tuple inputs, dict params, int index):
        """Compute an operation by the library on a device; retry if memory is short."""
        with self._runtime.on(index):
            result = self._runtime.with_memory_freed(
                partial(self._computed, operation, inputs, params), (operation + ": {}").format,
                index,
            )
        if self.reports.open and operation in WAITING:
            self.synchronize()
        return result

    def _computed(self, str operation, tuple inputs, dict params):
        return NamespaceBackend.execute(self, operation, inputs, params)

    def native_getitem(self, native, key):
        with self._runtime.on(self._runtime.memory_of(native)[2]):
            return NamespaceBackend.native_getitem(self, native, key)

    def native_setitem(self, native, key, value):
        with self._runtime.on(self._runtime.memory_of(native)[2]):
            NamespaceBackend.native_setitem(self, native, key, value)

    cdef Tensor new_result(
        self, Device device, int code, Py_ssize_t ndim, const Py_ssize_t* shape,
        const Operand* operands, int n,
    ):
        cdef Tensor out = self.empty_on(device, code, ndim, shape)
        take_order(out, operands, n)
        return out

    # ---- kinds of operations

    cpdef object unary(self, Operation op, Tensor x):
        self.check(x)
        return deferring_backend().unary(op, x) if may_defer(x) else gpu_unary(self, op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        if may_defer_any(x1, x2):
            return deferring_backend().binary(op, x1, x2)
        return gpu_binary(self, op, x1, x2)

    cpdef object where(self, Tensor condition, object x1, object x2):
        self.check(condition)
        if may_defer_any(x1, x2) or may_defer_any(condition, x1) or may_defer_any(condition, x2):
            return deferring_backend().where(condition, x1, x2)
        return gpu_where(self, condition, x1, x2)

    cpdef object clip(self, Tensor x, object low, object high):
        self.check(x)
        if may_defer_any(x, low) or may_defer_any(x, high):
            return deferring_backend().clip(x, low, high)
        return gpu_clip(self, x, low, high)

    cdef bint _has(self, int code) except -1:
        return code != DTYPE_bfloat16  # of the library

    cdef Tensor _float32_of(self, Tensor x):
        return gpu_astype(self, x, DTYPES[<int>DTYPE_float32], True)

    cdef Tensor _half_of(self, Tensor x, int code, bint exact):
        return gpu_astype(self, x, DTYPES[code], True)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        self.check(x)
        if may_defer(x) and CODES[dtype] != x.code:  # copies are not deferred
            return deferring_backend().astype(x, dtype, copy)
        return gpu_astype(self, x, dtype, copy)

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    ):
        self.check(x)
        if may_defer(x):
            return deferring_backend().reduce(op, x, axis, keepdims, dtype, correction)
        return gpu_reduce(self, op, x, axis, keepdims, dtype, correction)

    cpdef object scan(
        self, Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
    ):
        return gpu_scan(self, op, x, axis, dtype, include_initial)

    cpdef object full(self, tuple shape, object value, object dtype, Device device):
        cdef Py_ssize_t sizes[MAX_NDIM]
        cdef Py_ssize_t axis
        cdef Operand operand
        cdef Tensor out
        self.runtime
        for axis in range(len(shape)):
            sizes[axis] = shape[axis]
        out = self.empty_on(device, CODES[dtype], len(shape), sizes)
        if value is not None:
            set_scalar("full", &operand, out.code, value)
            self.write(out, &operand)
        return out

    cpdef object inplace(self, Operation op, Tensor x, object other):
        self.check(x)
        before_write(x)
        return written_inplace(self, op, x, other)

    # ---- indexing

    cpdef object getitem(self, Tensor x, object key):
        cdef bint element
        cdef Tensor view
        self.check(x)
        view = basic_view("getitem", x, key, &element)
        if view is None:
            return read_at(self, x, key)
        # One element is a value, not a view, as in NumPy and on the CPU.
        return gpu_astype(self, view, DTYPES[view.code], True) if element else view

    cpdef object setitem(self, Tensor x, object key, object value):
        key = plain_key("setitem", key)
        self.check(x)
        before_write(x)
        write_elements(self, x, key, value)

    cdef int write(self, Tensor out, Operand* operand) except -1:
        """Write the elements of an operand, broadcast and cast, into `out`."""
        if out.ndim > 1 and operand.ndim > 1 and out.count >= TRANSPOSE_PAYS \
                and write_transposed(self, out, operand):
            return 0
        return launch_elementwise(self, "copy", FAMILY_copy, operand.code, out, 1, operand)

    cdef int check(self, Tensor x) except -1:
        if x is None or x.backend is not self:
            raise foreign_error(f"a device of {self!r}", x)
        return 0


cdef Device device_of(tuple inputs):
    """The device of the first tensor among an operation's inputs; None without tensors."""
    for value in inputs:
        if type(value) is tuple or type(value) is list:
            value = value[0] if value else None
        if is_tensor(value):
            return (<Tensor>value).device
    return None


include "native.pxi"
include "assignment.pxi"
include "fusion.pxi"
include "reductions.pxi"
include "scans.pxi"
include "implementations.pxi"
include "masks.pxi"
include "gathering.pxi"
include "products.pxi"
include "rowwise.pxi"
include "quantized.pxi"
include "movement.pxi"
include "creation.pxi"

del implements  # all operations are registered
