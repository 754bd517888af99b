"""Plans: records of computations, without references to nodes."""

from libc.stdint cimport int8_t, uint64_t
from libcpp.vector cimport vector

from corepy._cython.core cimport kernel
from corepy._cython.lazy.nodes cimport MAX_FUSED_NDIM, MAX_SOURCES, Node, Nodes, Pointer, Source

# A pass over memory: it computes the stored results of a group, or a reduction.
cdef struct PlannedGroup:
    bint rows
    bint reduction
    Py_ssize_t ndim
    Py_ssize_t dims[MAX_FUSED_NDIM]
    Py_ssize_t block_elements, block_bytes   # 0: not computed in blocks
    Py_ssize_t in_registers                  # operations in generated code
    Py_ssize_t copies                        # inputs and results that are copied to or from blocks
    size_t inputs, operations                # indices of its first records

# Values are numbered as in the program of the group, nodes in the order of recording.
cdef struct PlannedInput:
    unsigned long long node                  # whose result it is; 0: none
    size_t address                           # of its first element; of a node, relative
    int value
    int8_t code
    Py_ssize_t ndim
    Py_ssize_t dims[MAX_FUSED_NDIM]          # 1 where it is broadcast

cdef struct PlannedOperation:
    unsigned long long node
    int operation, stored, value
    kernel loop
    int index                                # in the computation
    int8_t code
    Py_ssize_t ndim
    Py_ssize_t dims[MAX_FUSED_NDIM]
    bint reduces
    unsigned int reduced                     # a bit for each axis
    int count
    int operands[MAX_SOURCES]                # values
    int8_t codes[MAX_SOURCES]
    bint constants[MAX_SOURCES]              # whether operands are constants
    char scalars[MAX_SOURCES][16]


# What there was no memory for.
cdef enum Lack:
    NOTHING
    RESULT_BYTES
    BLOCKS
    ACCUMULATORS


# An operand that is a constant: of an operation of the record, and of a node.
cdef struct PlannedConstant:
    size_t operation
    int node, operand

# What computes results of nodes in one pass; it can do so again for nodes of the same structure.
cdef class Work:
    # False if there is no memory; `plan` has what for.
    cdef bint compute(self, Nodes& nodes, PlanRecord plan) except -1


cdef class PlanRecord:
    cdef bint dry                            # nothing is computed
    cdef bint codegen                        # machine code may be generated
    cdef Lack lack
    cdef Py_ssize_t wanted                   # bytes of a result, or the operation
    cdef vector[PlannedGroup] groups
    cdef vector[PlannedInput] inputs
    cdef vector[PlannedOperation] operations
    cdef vector[PlannedConstant] constants
    # How it is computed again (records.pyx).
    cdef vector[Pointer] works               # references to Work, in the order of computation
    cdef vector[int] twins                   # for each node its twin's index, or -1
    cdef vector[int8_t] worth                # ... 1 if deferring it was worth it, -1 if not, or 0
    cdef vector[char] again                  # ... 1 if it was not stored, and computed again
    cdef vector[uint64_t] key                # the structure of the nodes; empty: not kept
    cdef uint64_t hash                       # of the key
    cdef bint used                           # by a thread
    cdef Py_ssize_t times                    # that it computed nodes

    cdef int add_work(self, Work work) except -1
    cdef int estimate(self) except -1
    cdef int set_constants(self, Nodes& nodes) noexcept
    cdef int begin(self, bint rows, Py_ssize_t ndim, const Py_ssize_t* dims) except -1
    cdef int add_input(
        self, int value, const Source* source, Py_ssize_t ndim, const Py_ssize_t* dims
    ) except -1
    cdef int number_of_input(self, const Source* source, int value) except? -1
    cdef int add_operation(self, Node node, int value, const int* operands) except -1
    cdef bint lacks(self, Lack lack, Py_ssize_t wanted=*) noexcept

cdef int add_key(PlanRecord plan, Nodes& nodes) except -1
cdef PlanRecord find_plan(PlanRecord plan, Nodes& nodes)
cdef int keep(PlanRecord plan) except -1
cdef int note_again(Nodes& nodes) except -1
