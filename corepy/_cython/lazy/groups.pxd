"""Groups: which nodes are computed together, and in which passes over memory."""

from cpython.object cimport PyObject
from libcpp.vector cimport vector

from corepy._cython.core cimport Block
from corepy._cython.lazy.nodes cimport MAX_FUSED_NDIM, Node, Nodes, Source

# Nodes of one shape that are computed in one pass; with `rows`, some reduce the last axis.
cdef struct Group:
    int level
    PyObject* device  # a borrowed reference
    Py_ssize_t ndim
    Py_ssize_t dims[MAX_FUSED_NDIM]
    bint rows


cdef int next_mark() noexcept
cdef int collect_related(Nodes& targets, Block written, int mark, Nodes& found) except -1
cdef int add_nodes_for(list targets, bint related, Nodes& found) except -1
cdef int find_twins(Nodes& nodes) except -1
cdef int mark_needed(Nodes& sinks, Nodes& nodes) except -1
cdef bint has_layout(
    const Source* source, Node reader, Py_ssize_t ndim, const Py_ssize_t* dims,
    const Py_ssize_t* steps,
) noexcept
cdef bint is_in(const Source* source, Block block) noexcept
cdef bint is_inner_of(const Source* source, Node reader, Node read) noexcept
cdef bint goes_with(Node first, Node other) noexcept
cdef int place_nodes(Nodes& nodes, vector[Group]& groups) except -1


cdef inline Node owner_node(const Source* source):
    """The node whose result an operand is, computed or not, or its twin."""
    cdef Node node = <Node>source.owner
    return node if node.twin == NULL else <Node>node.twin


cdef inline Node source_node(const Source* source):
    """The node whose result an operand is, if no earlier pass of the plan computes it; of nodes of
    the own computation only.
    """
    if source.owner == NULL or type(<object>source.owner) is not Node:
        return None
    cdef Node node = owner_node(source)
    return node if node.block is None and not node.done else None
