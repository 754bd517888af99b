# The table of named operations with kernels of Corepy, and helpers of their functions.
#
# Needs elementwise.

from libc.string cimport memset

import math

from corepy._cython.core cimport (
    DTYPE_int32, OP_cumulative_sum, OP_floor, broadcast_to, dtype_part, expand_dims, flip,
    floating_code, key_beside, moveaxis, permute_dims, reshape,
)

# Operations that `execute` computes with Corepy's kernels: name -> function(backend, *inputs,
# **params), which returns NotImplemented to use the library.
cdef dict GPU_IMPLEMENTATIONS = {}


def implements(str operation):
    """Register the decorated function as a named operation."""
    def enter(function):
        GPU_IMPLEMENTATIONS[operation] = function
        return function
    return enter


cdef inline Tensor in_c_order(GpuBackend backend, Tensor x):
    """`x`, or a copy in C order."""
    return x if x.flags & CONTIGUOUS else gpu_astype(backend, x, DTYPES[x.code], True)


cdef Tensor as_code_in_c_order(GpuBackend backend, Tensor x, int code):
    return in_c_order(backend, x) if x.code == code else gpu_astype(backend, x, DTYPES[code], True)


# ---- flags: an integer on the device that kernels set to 1 for bad input
#
# A flag that was read as 0 is reused: reading waits for all kernels that could set it.

cdef list flags_of(GpuBackend backend, Device device):
    return backend.flags.setdefault(device.index, [])


cdef Tensor take_flag(GpuBackend backend, Device device):
    cdef list flags = flags_of(backend, device)
    if flags:
        return flags.pop()
    return backend.full((), 0, DTYPES[DTYPE_int64], device)


cdef bint is_raised(GpuBackend backend, Tensor flag) except -1:
    """Wait for a flag and read it. The caller must not use it again."""
    if backend.to_numpy(flag)[()]:
        return True
    flags_of(backend, flag.device).append(flag)
    return False
