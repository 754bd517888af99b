"""Recomputation: operations whose results other operations read in part or at a distance."""

from cpython.object cimport PyObject
from libcpp.vector cimport vector

from corepy._cython.lazy.nodes cimport MAX_FUSED_NDIM, Node, Nodes, Source

# The elements of a result that a reader takes: of index `start`, and from there by `step`, which is
# not negative, along `axis` of the result for each axis of the reader (-1: one element).
cdef struct View:
    Py_ssize_t start[MAX_FUSED_NDIM]
    Py_ssize_t step[MAX_FUSED_NDIM]
    int axis[MAX_FUSED_NDIM]


# Elements of a result that a group reads.
cdef struct Part:
    int group
    const Source* source


# Of a node: what it takes to compute it again.
cdef struct Candidate:
    bint reduces              # it depends on a reduction that is not computed
    bint can_be_copied
    bint is_copied            # instead of stored
    bint is_read_whole        # by a reader that takes no copy
    int cost                  # operations, with those of the operands that are copied, too
    vector[Part] parts        # different elements that other passes read


# An operand of a node that is replaced.
cdef struct Replaced:
    PyObject* node
    int operand
    Source source


cdef class Rewriting:
    cdef Nodes nodes               # copies precede their readers
    cdef Nodes copies              # references
    cdef vector[Candidate] candidates  # by the index of nodes
    cdef vector[Replaced] replaced

    cdef int add_reader(self, Node node) except -1
    cdef int replace(self, Source* source, Node reader, Node read, const View* view) except -1
    cdef int undo(self) except -1


cdef bint is_cheap(Node node) except -1
cdef Rewriting rewrite(Nodes& nodes)
