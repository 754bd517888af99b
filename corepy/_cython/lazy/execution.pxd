"""Execution: which pending nodes are computed, in which order, and by which thread."""

from corepy._cython.core cimport Block, Tensor
from corepy._cython.lazy.nodes cimport Node
from corepy._cython.lazy.records cimport PlanRecord

cdef int compute_nodes(list targets, Node kept=*) except -1
cdef bint compute_at(Node node, Tensor x) except -1
cdef int compute_readers(Block block) except -1
cdef PlanRecord plan_of(list targets)
