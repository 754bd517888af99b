"""The backend of deferred tensors."""

from corepy._cython.core cimport Backend, Operation, Tensor
from corepy._cython.settings cimport Fusion


cdef class DeferringBackend(Backend):
    cdef Tensor recorded(self, Operation op, object x1, object x2, Fusion fusion)
    cdef Tensor recorded_reduction(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction, Fusion fusion,
    )
    cdef bint rebound(self, Operation op, Tensor x, object other, Fusion fusion) except -1
