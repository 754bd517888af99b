"""Passes: computing the nodes of a group, or reductions, in one pass over the elements."""

from libcpp.vector cimport vector

from corepy._cython.core cimport Device, kernel, Operation, Tensor
from corepy._cython.lazy.groups cimport Group
from corepy._cython.lazy.nodes cimport Node, Nodes, Source
from corepy._cython.lazy.records cimport PlanRecord


cdef enum:
    MAX_KERNEL_STEPS = 64  # operations of a kernel


cdef class Executor:
    # Whether an operation that computes in one dtype and returns another can be deferred.
    cdef bint takes(self, int operation, int compute, int code, Device device) except -1
    # Compute nodes of a group, or a reduction; `group` is then that of its operand, if it is not
    # computed. In a `dry` plan nothing is computed, and nodes are only marked as `done`. They may
    # run code of Python: what that code reads of these nodes is an error.
    cdef int run_group(
        self, Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1
    cdef int run_reduction(
        self, Node node, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1
    # Parts of run_group: the kernel that computes nodes [first, last) of a list, some of which it
    # stores (None: it would have too many operands), its entry in a plan, and its launch.
    cdef object kernel_of(
        self, list nodes, int first, int last, list stored, const Group* group
    )
    cdef int describe(
        self, object work, list nodes, int first, const Group* group, PlanRecord plan
    ) except -1
    cdef int store(self, object work, list stored, int first, const Group* group) except -1
    # The backend's operations, not deferred.
    cdef object unary(self, Operation op, Tensor x)
    cdef object binary(self, Operation op, object x1, object x2)
    cdef object where(self, Tensor condition, object x1, object x2)
    cdef object clip(self, Tensor x, object low, object high)
    cdef object astype(self, Tensor x, object dtype, bint copy)
    cdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    )


cdef list nodes_needed(Nodes& sinks, Nodes& nodes)
cdef char* address_of(Source* source)
cdef bint is_in_registers(kernel loop) noexcept
cdef int plan_group(Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan) except -1
cdef int plan_reductions(
    Nodes& reductions, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1
