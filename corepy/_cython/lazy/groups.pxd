"""Groups: which nodes are computed together, and in which passes over memory."""

from libcpp.vector cimport vector

from corepy._cython.lazy.nodes cimport MOST_AXES, Node, Source

# Nodes of one shape that are computed at the same time; of `rows`, some reduce the last axis.
cdef struct Group:
    int level
    Py_ssize_t ndim
    Py_ssize_t dims[MOST_AXES]
    bint rows


cdef int next_mark() noexcept
cdef int collect_related(list targets, int mark, list found) except -1
cdef list nodes_for(list targets, bint related)
cdef int place_nodes(list nodes, vector[Group]& groups) except -1


cdef inline Node source_node(const Source* source):
    """The node that an operand is the result of, if it is not computed yet."""
    if source.owner == NULL or type(<object>source.owner) is not Node:
        return None
    cdef Node node = <Node>source.owner
    return node if node.block is None and not node.done else None
