"""Computing nodes: in groups, each in one pass over its elements."""

from corepy._cython.core cimport Block
from corepy._cython.lazy.nodes cimport Node

cdef int compute_nodes(list targets) except -1
cdef int compute_readers(Block block) except -1
cdef list plan_of(list targets)
