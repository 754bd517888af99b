"""Plans that are kept, and found again for nodes of the same structure."""

from corepy._cython.lazy.nodes cimport Nodes
from corepy._cython.lazy.records cimport PlanRecord

cdef int add_key(PlanRecord plan, Nodes& nodes) except -1
cdef PlanRecord find_plan(PlanRecord plan, Nodes& nodes)
cdef int keep(PlanRecord plan) except -1
cdef int note_again(Nodes& nodes) except -1
