"""Nodes: deferred operations."""

from cpython.object cimport PyObject
from libc.stdint cimport int16_t, int8_t, uint64_t
from libcpp.vector cimport vector

from corepy._cython.core cimport Block, Device, kernel, Operand, Tensor

cdef enum:
    MAX_FUSED_NDIM = 8  # an operation with more is not deferred
    MAX_SOURCES = 3

# Why a result is stored.
cdef enum Reason:
    NOT_STORED
    RESULT          # a tensor refers to it
    OTHER_SHAPE     # an operation of another shape reads it
    OTHER_LAYOUT    # an operation reads it in another order, or a part of it
    LATER           # an operation of a later group reads it
    REDUCTION       # the result or an operand of a reduction that ends a group
    REDUCED_OFTEN   # more than two reductions read it
    ASSIGNED        # it is computed in the memory of another tensor


# An operand of a deferred operation.
cdef struct Source:
    PyObject* owner               # a reference to a Node or a Block; NULL: a constant
    char* data                    # the first element; of a Node, relative to its first element
    int8_t code
    Py_ssize_t steps[MAX_FUSED_NDIM]  # along the axes of the operation's space; 0 where broadcast
    char scalar[16]               # a constant


ctypedef PyObject* Pointer
ctypedef vector[Pointer] Nodes  # not references


# A computation of some nodes by a thread, from begin() to end() (execution.pyx).
cdef class Computation:
    cdef void* lock               # PyThread's, held meanwhile; NULL: no thread waits
    cdef unsigned long thread
    cdef Nodes nodes              # references, from begin() on
    cdef bint releases            # whether the thread released references at once before
    cdef PyObject* next           # in the list of computations that run; not references
    cdef PyObject* previous


cdef class Node:
    # What is computed: the loop of an elementwise operation, or a reduction.
    cdef int operation            # OP_COUNT: a cast
    cdef kernel loop              # NULL: a reduction
    cdef int inputs
    cdef int8_t computed[MAX_SOURCES]  # dtypes that the loop takes; GPUs have one, the last
    cdef int8_t code              # dtype of the result
    cdef Source sources[MAX_SOURCES]
    # The iteration space: the shape of the result or, of a reduction, of the operand.
    cdef Py_ssize_t space_ndim
    cdef Py_ssize_t space[MAX_FUSED_NDIM]
    cdef bint reduced[MAX_FUSED_NDIM]
    cdef double correction
    # The result.
    cdef Py_ssize_t ndim, count
    cdef Py_ssize_t dims[MAX_FUSED_NDIM]
    cdef Py_ssize_t steps[MAX_FUSED_NDIM]
    cdef Device device
    cdef Block block              # its memory, once it is computed
    cdef Py_ssize_t uses          # pending nodes that read it; tensors hold the other references
    cdef int16_t place            # of the prediction that it is worth deferring it; -1: none
    cdef long scope
    cdef uint64_t kept_by        # the hash of the plan that computed and did not store it, or 0
    cdef int kept_index          # among its nodes
    cdef unsigned long long number  # in the order of recording
    cdef PyObject* next           # in the list of pending nodes; these links are not references
    cdef PyObject* previous
    # While nodes are selected, which a thread also does while others compute the same nodes.
    cdef int mark, position
    # Of a computation; a fork ends those of other threads.
    cdef Computation computing
    cdef int index                # among the nodes of the computation
    cdef int needed               # a mark of nodes that one pass needs
    cdef Block result             # memory for the result, until it is computed
    cdef char* destination        # in the memory of another tensor; NULL: a new block
    cdef const Py_ssize_t* destination_steps
    cdef bint written             # whether it was computed there
    cdef bint kept                # stays pending if its result is not stored in a block
    cdef bint dependent           # on the memory of a destination
    cdef bint read_later          # by pending nodes that are not computed
    cdef bint cheap               # to compute it again, as far as that is known to happen
    cdef int level, group, value
    cdef bint per_row         # one element for each row of the group's space
    cdef bint by_rows         # reads a value per row of its own group
    cdef int stored           # a Reason
    cdef bint done            # computed by an earlier pass of the plan
    cdef bint full_reduction  # not of a group's rows
    cdef PyObject* reduction  # the last full reduction that reads it; not a reference
    cdef PyObject* twin       # an earlier node that computes the same; not a reference
    cdef PyObject* original   # of a copy (recomputation.pxi); not a reference
    cdef bint held            # a tensor refers to it, or it has a destination
    cdef bint held_twin       # a tensor refers to a node whose twin it is


cdef int add_pending(Nodes& found) except -1
cdef bint is_too_much() except -1
cdef Py_ssize_t number_pending() noexcept
cdef Node new_node(int operation, kernel loop, long scope, Device device)
cdef int add_source(
    Node node, Tensor x, const Operand* operand, Py_ssize_t ndim, const Py_ssize_t* shape
) except -1
cdef int finish(Node node, Block block) except -1
cdef bint hold_releases(bint hold) noexcept
cdef bint is_pending(Node node) noexcept
cdef bint is_held(Node node, Py_ssize_t known) noexcept
cdef bint is_readable(Tensor x) noexcept


cdef inline const Py_ssize_t* result_steps(Node node) noexcept:
    """The strides of the memory that the result is written to."""
    if node.destination == NULL:
        return node.steps
    return node.destination_steps
