# distutils: language = c++
"""Execution: which pending nodes are computed, in which order, and by which thread."""

from libc.string cimport memcpy
from libcpp.vector cimport vector

import threading

from corepy._cython.core cimport allocate, Block, dtype_itemsize
from corepy._cython.lazy.groups cimport (
    collect_related, find_twins, Group, next_mark, nodes_for, place_nodes,
)
from corepy._cython.lazy.nodes cimport finish, is_held, Node
from corepy._cython.lazy.passes cimport run_group, run_reductions
from corepy._cython.lazy.plans cimport PlanRecord

cdef extern from "Python.h":
    bint enable_collection "PyGC_Enable"()
    bint disable_collection "PyGC_Disable"()


cdef int finish_twin(Node node, Node twin) except -1:
    """Give a node that a tensor refers to the result of its twin."""
    cdef Block block = twin.block
    cdef Py_ssize_t nbytes = node.count * dtype_itemsize[node.code]
    if twin.held:  # tensors of both may be written to
        block = allocate(max(nbytes, 1))
        with nogil:
            memcpy(block.memory, twin.block.memory, nbytes)
    twin.held = True
    return finish(node, block)


# Threads that plan or compute, and whether garbage collection was enabled before the first.
cdef int number_computing = 0
cdef bint collects = False


cdef int hold_collection() noexcept:
    """Disable garbage collection: a finalizer may read tensors, and so wait for its own thread or
    change an unfinished plan.
    """
    global number_computing, collects
    if number_computing == 0:
        collects = disable_collection()
    number_computing += 1
    return 0


cdef int release_collection() noexcept:
    global number_computing
    number_computing -= 1
    if number_computing == 0 and collects:
        enable_collection()
    return 0


cdef int compute_nodes(list targets) except -1:
    """Compute nodes that tensors refer to, and related pending nodes; wait for those that another
    thread computes.
    """
    hold_collection()
    try:
        return compute_idle_nodes(targets)
    finally:
        release_collection()


cdef int compute_idle_nodes(list targets) except -1:
    """The same, with garbage collection disabled."""
    global latest
    cdef list nodes = idle_nodes_for(targets, True)
    try:
        if nodes:
            latest = compute_together(nodes, False)
        return 0
    except MemoryError:
        nodes = None  # only tensors may hold references to nodes
    # Retry with the requested nodes only.
    nodes = idle_nodes_for(targets, False)
    if nodes:
        latest = compute_together(nodes, False)
    return 0


cdef list idle_nodes_for(list targets, bint related):
    """`nodes_for`, once no other thread computes any of them."""
    cdef list nodes
    while True:
        nodes = nodes_for(targets, related)
        lock = lock_in(nodes)
        if lock is None:
            return nodes
        nodes = None
        with lock:
            pass


cdef object lock_in(list nodes):
    """The lock of another thread that computes one of the nodes."""
    cdef Node node
    for node in nodes:
        if node.computing is not None:
            return node.computing
    return None


cdef PlanRecord compute_together(list nodes, bint dry):
    """Compute the nodes that tensors refer to, and the nodes that these need (`dry`: only plan it).
    Returns the plan.
    """
    cdef PlanRecord plan = PlanRecord.__new__(PlanRecord)
    cdef vector[Group] groups
    cdef Node node
    cdef int level, last = 0
    cdef size_t k
    plan.dry = dry
    lock = threading.Lock()
    with lock:
        for node in nodes:
            node.computing = lock
        try:
            find_twins(nodes)
            place_nodes(nodes, groups)
            for node in nodes:
                last = max(last, node.level)
            for level in range(last + 1):
                for k in range(groups.size()):
                    if groups[k].level != level:
                        continue
                    sinks = [
                        node for node in nodes if (<Node>node).group == <int>k
                        and (<Node>node).stored and not (<Node>node).full_reduction
                    ]
                    if sinks:
                        run_group(sinks, nodes, &groups[k], plan)
                reductions = [
                    node for node in nodes
                    if (<Node>node).full_reduction and (<Node>node).level == level
                ]
                run_reductions(reductions, nodes, groups, plan)
            if not dry:
                for node in nodes:
                    if node.twin != NULL and node.held:
                        finish_twin(node, <Node>node.twin)
        finally:
            for node in nodes:
                node.computing, node.done = None, False
                node.twin = NULL
        if dry:
            return plan
        # Backwards: inner values without remaining readers are no longer pending, either.
        for node in reversed(nodes):
            if node.block is None and node.uses == 0 and not node.kept:
                finish(node, None)
    return plan


cdef int compute_readers(Block block) except -1:
    """Compute all nodes that read a block, before it is written to."""
    hold_collection()
    try:
        return compute_idle_readers(block)
    finally:
        release_collection()


cdef int compute_idle_readers(Block block) except -1:
    """The same, with garbage collection disabled."""
    cdef list found = []
    cdef list held
    collect_related([], block, next_mark(), found)
    # `found` and `node` refer to it, too.
    held = [node for node in found if is_held(<Node>node, 2)]
    found = None  # only tensors may hold references to nodes
    return compute_nodes(held) if held else 0


# The plan of the last computation.
cdef PlanRecord latest = None


cdef PlanRecord last_computed():
    return latest


cdef PlanRecord plan_of(list targets):
    """How nodes would be computed."""
    hold_collection()
    try:
        return compute_together(idle_nodes_for(targets, True), True)
    finally:
        release_collection()
