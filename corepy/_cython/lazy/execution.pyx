# distutils: language = c++
"""Execution: which pending nodes are computed, in which order, and by which thread.

A thread chooses nodes, claims them for a computation, plans and computes them, and lets them go.
From the choice to the end, nothing is done on the CPU that could run other code of Python in the
same thread: no object is made that the garbage collector tracks, which may collect then (up to
Python 3.11); references are released, and errors raised, after the end. Such code, as a finalizer,
may read the same tensors, and would wait for its own thread or change the plan. The executor of a
GPU does run code of Python, and so do handlers of signals during a pass that takes long; what these
read of the nodes of their thread is an error. Other threads wait.

After a fork the child has only the thread that forked. This is what other threads leave behind:

- their computations: `after_fork` ends them; the nodes are pending again;
- the pool of memory and that of threads, with their locks and the caches of threads: functions of
  pthread_atfork in memory.cpp and threads.cpp; locks of generated code (chains.cpp) are only taken
  while the GIL is held, so no thread that forks finds them locked;
- plans that they use (records.pyx): not used again, and replaced by the next of their structure;
- references that they were to release (nodes.pyx), and memory that their frames refer to: leaked;
- their contexts: CPython releases them, and settings count themselves (settings.pyx, errors.pyx);
- locks for the import of libraries and of Dask's graphs: `renew_after_fork` (threads.pxi).
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int8_t, uint64_t
from libc.string cimport memcpy
from libcpp.algorithm cimport count
from libcpp.vector cimport vector

import os

from corepy._cython.core cimport (
    allocated, basic_view, Block, check_inplace, CPU, dtype_itemsize, Entry, find_entry,
    has_repeated_elements, in_host_memory, infer_elementwise, is_comparison, is_deferred,
    is_private, is_shape_of, kernel, loop_of_two, MAX_NDIM, NAMES, no_memory, OP_divide, OP_pow,
    OP_sqrt, Operand, Operation, plain_key, provided, report_pass, reporting,
    set_binary_operands_on, SHAPE_binary, Tensor, tensors_in, WRITEABLE,
)
from corepy._cython.lazy.groups cimport (
    add_nodes_for, collect_related, find_twins, Group, has_layout, is_in, is_inner_of, mark_needed,
    next_mark, place_nodes, source_node,
)
from corepy._cython.lazy.nodes cimport (
    add_source, Computation, finish, hold_releases, is_held, LATER, MAX_FUSED_NDIM, new_node, Node,
    Nodes, NOT_STORED, OTHER_LAYOUT, OTHER_SHAPE, Source,
)
from corepy._cython.lazy.passes cimport address_of, is_in_registers, plan_group, plan_reductions
from corepy._cython.lazy.records cimport add_key, find_plan, keep, note_again
from corepy._cython.lazy.records cimport BLOCKS, NOTHING, PlanRecord, RESULT_BYTES, Work
from corepy._cython.settings cimport current, Fusion, learn

cdef extern from "Python.h":
    unsigned long this_thread "PyThread_get_thread_ident"()
    void* allocate_lock "PyThread_allocate_lock"()
    int acquire_lock "PyThread_acquire_lock_timed"(void*, long long, int) nogil
    void release_lock "PyThread_release_lock"(void*)
    int check_signals "PyErr_CheckSignals"() except -1
    enum:
        PY_LOCK_ACQUIRED

include "recomputation.pxi"

# A tensor whose memory the result of a node is written to.
cdef struct Assignment:
    PyObject* node
    PyObject* x
    bint written                # whether it was

# The computations of all threads, a list.
cdef PyObject* first_running = NULL


cdef int number_nodes(Nodes& nodes) noexcept:
    """Set the index of each node, and whether its result is stored in any case."""
    cdef Node node
    cdef size_t k
    for k in range(nodes.size()):
        node = <Node>nodes[k]
        node.index = <int>k
        # The computation and `node` refer to it, too.
        node.held = node.destination != NULL or (not node.kept and is_held(node, 2)) \
            or node.read_later and not node.cheap
    return 0


cdef PlanRecord numbered_and_found(Nodes& nodes, PlanRecord plan):
    """Number nodes, set the key of their plan, and return a kept plan with that key, or None."""
    number_nodes(nodes)
    add_key(plan, nodes)
    return find_plan(plan, nodes)


cdef int compute_twin(Node node, Node twin) except -1:
    """Give a node that a tensor refers to the result of its twin."""
    cdef Py_ssize_t nbytes = max(node.count * dtype_itemsize[node.code], 1)
    if node.result is None:
        node.result = twin.block
    else:
        with nogil:
            memcpy(node.result.memory, twin.block.memory, nbytes)
    finish(node, node.result)
    return 0


cdef bint allocate_twin(Node node, Node twin, PlanRecord plan) except -1:
    """Allocate the result of a node, unless its twin's memory can be that: tensors of both may be
    written to.
    """
    cdef Py_ssize_t nbytes = max(node.count * dtype_itemsize[node.code], 1)
    if twin.held:
        node.result = allocated(nbytes)
        if node.result is None:
            return plan.lacks(RESULT_BYTES, nbytes)
    twin.held = True
    return True


cdef Computation computation_of(Nodes& nodes):
    """The computation that one of the nodes belongs to."""
    cdef PyObject* item
    for item in nodes:
        if (<Node>item).computing is not None:
            return (<Node>item).computing
    return None


cdef int wait_for(Computation other) except -1:
    if other.thread == this_thread():
        raise RuntimeError(
            "compute: a tensor was read that the same thread is computing, by a finalizer or a "
            "handler of signals"
        )
    cdef int status
    if other.lock == NULL:
        other.lock = allocate_lock()
        if other.lock == NULL:
            raise MemoryError("compute: no memory for a lock")
        acquire_lock(other.lock, 0, 0)
    while True:
        with nogil:
            status = acquire_lock(other.lock, -1, 1)
        if status == PY_LOCK_ACQUIRED:
            release_lock(other.lock)
            return 0
        check_signals()


cdef int begin(Computation own) noexcept:
    """Claim the nodes of a computation."""
    global first_running
    cdef PyObject* item
    own.thread, own.releases = this_thread(), hold_releases(True)
    own.next = first_running
    if first_running != NULL:
        (<Computation>first_running).previous = <PyObject*>own
    first_running = <PyObject*>own
    for item in own.nodes:
        Py_INCREF(<Node>item)
        (<Node>item).computing = own
    return 0


cdef int end(Computation own) noexcept:
    """Let the nodes of a computation go, as they were before but for results."""
    global first_running
    cdef PyObject* item
    cdef Node node
    if own.previous != NULL:
        (<Computation>own.previous).next = own.next
    else:
        first_running = own.next
    if own.next != NULL:
        (<Computation>own.next).previous = own.previous
    own.next = own.previous = NULL
    for item in own.nodes:
        node = <Node>item
        node.computing = node.result = None
        node.twin = NULL
        node.done = node.kept = node.written = node.dependent = node.read_later = False
        node.destination = NULL
    node = None
    for item in own.nodes:
        Py_DECREF(<Node>item)
    own.nodes.clear()
    if own.lock != NULL:
        release_lock(own.lock)
    return 0


cdef int keep_operands(Nodes& nodes, list targets) except -1:
    """Have nodes that tensors refer to stay pending: nobody has asked for their elements, and an
    assignment needs them as values of a pass only. Those that depend on the memory that it writes
    to are stored. So are those that have stayed before, or depend on one that has, unless to
    compute them again takes no longer than to read them: nothing else is computed more than twice.
    The same holds for nodes that other pending nodes will read. `set_destination` has counted the
    readers of each node among these.
    """
    cdef PyObject* item
    cdef Node node, read
    cdef int k
    for item in nodes:
        node = <Node>item
        node.read_later = node.loop != NULL and node.device is CPU and node.uses > node.position
        node.position = node.kept_by != 0  # whether it, or one that it depends on, has stayed
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is not None:
                node.position |= read.position
        node.cheap = not node.position or is_cheap(node)
        # The computation, and `node`.
        node.kept = node.loop != NULL and node.device is CPU and not node.dependent \
            and is_held(node, 2) and node not in targets and node.cheap
    return 0


cdef bint store_again(Nodes& nodes, PlanRecord plan, list targets) except -1:
    """Have nodes stored that stayed pending in an earlier computation by a plan, and were computed
    again; whether there are any.
    """
    cdef bint found = False
    cdef Node node
    cdef size_t k
    for k in range(plan.again.size()):
        node = <Node>nodes[k]
        if plan.again[k] and node.kept and node not in targets and not is_cheap(node):
            node.kept = False
            found = True
    return found


cdef int note_kept(Nodes& nodes, uint64_t plan) noexcept:
    """Note which plan the nodes have that stay pending."""
    cdef Node node
    cdef PyObject* item
    for item in nodes:
        node = <Node>item
        if (node.kept or node.read_later) and not node.kept_by and node.block is None:
            node.kept_by, node.kept_index = plan, node.index
    return 0


cdef PlanRecord compute_together(
    list targets, bint related, bint dry=False, Assignment* assignment=NULL, Node kept=None,
    bint* running=NULL,
):
    """Compute nodes that tensors refer to, the nodes that these need and, with `related`, other
    pending nodes that share operands with them (`dry`: only plan it). Returns the plan. The node
    `kept` stays pending if it is not stored. `running`: set while a plan runs.
    """
    cdef PlanRecord found, plan = PlanRecord.__new__(PlanRecord)
    cdef Computation own = Computation.__new__(Computation)
    cdef Computation other
    cdef bint releases
    cdef uint64_t first
    plan.dry, plan.codegen = dry, current().codegen
    while True:
        add_nodes_for(targets, related, own.nodes)
        other = computation_of(own.nodes)
        if other is None:
            break
        own.nodes.clear()
        wait_for(other)
    begin(own)
    try:
        if assignment != NULL:
            if (<Node>assignment.node).computing is not own or not set_destination(
                own.nodes, <Node>assignment.node, <Tensor>assignment.x
            ):
                return plan
            keep_operands(own.nodes, targets)
        if kept is not None and kept.computing is own:
            kept.kept = True
        found = numbered_and_found(own.nodes, plan)
        first = plan.hash
        if found is not None and store_again(own.nodes, found, targets):
            found = numbered_and_found(own.nodes, plan)
        if found is None or dry:
            plan_nodes(own.nodes, plan)
            plan.times = 0 if found is None else found.times
        else:
            plan = found
            plan.set_constants(own.nodes)
        if not dry:
            note_again(own.nodes)
            plan.used, plan.lack = True, NOTHING
            plan.times += 1
            if running != NULL:
                running[0] = True
            if run(own.nodes, plan):
                note_kept(own.nodes, first)
                if running != NULL:
                    running[0] = False
                if found is None:
                    keep(plan)
            elif running != NULL:
                running[0] = False
    finally:
        plan.used = False
        if assignment != NULL:
            assignment.written |= (<Node>assignment.node).written
        releases = own.releases
        end(own)
        if not releases:
            hold_releases(False)
    if plan.lack == RESULT_BYTES:
        raise no_memory(plan.wanted)
    if plan.lack == BLOCKS:
        raise MemoryError("no memory for the blocks of fused operations")
    if plan.lack:
        raise MemoryError(f"{NAMES[plan.wanted]}: no memory for the accumulators of threads")
    return plan


cdef bint set_destination(Nodes& nodes, Node node, Tensor x) except -1:
    """Have the result of a node written to a tensor, unless its memory is read meanwhile, other
    elements than the one that is written next, or afterwards; whether it is. Marks nodes that
    depend on that memory.
    """
    cdef Block block = <Block>x.storage
    cdef Py_ssize_t readers = block.readers
    cdef PyObject* item
    cdef Node reader, read
    cdef bint safe = True
    cdef int k
    for item in nodes:
        reader = <Node>item
        reader.position = 0  # number of these nodes that read it
        for k in range(reader.inputs):
            if reader.sources[k].owner == NULL:
                continue
            read = source_node(&reader.sources[k])
            if read is not None:
                read.position += 1
                reader.dependent |= read.dependent
            elif is_in(&reader.sources[k], block):
                readers -= 1
                safe &= is_place_of(&reader.sources[k], reader, x)
                reader.dependent = True
            elif type(<object>reader.sources[k].owner) is Block:
                # In shared memory, tensors with other blocks may have the same elements.
                safe &= is_private(block) or is_private(<Block>reader.sources[k].owner)
    for item in nodes:
        reader = <Node>item
        # Nodes that wait for the result of one that is not stored would read the memory later.
        safe &= not reader.dependent or is_held(reader, 2) or reader.position == reader.uses
    if not safe or readers:
        return False
    node.destination, node.destination_steps = x.data, x.steps
    return True


cdef bint is_place_of(Source* source, Node reader, Tensor x):
    """Whether an operand is, element by element, a tensor."""
    return reader.loop != NULL and address_of(source) == x.data \
        and has_layout(source, reader, x.ndim, x.dims, x.steps)


cdef int plan_nodes(Nodes& nodes, PlanRecord plan) except -1:
    """Plan nodes; those on devices other than the CPU are computed at once."""
    cdef vector[Group] groups
    cdef PyObject* item
    cdef Node node
    cdef Rewriting rewriting = None
    find_twins(nodes)
    for item in nodes:
        node = <Node>item
        plan.twins.push_back(-1 if node.twin == NULL else (<Node>node.twin).index)
    place_nodes(nodes, groups)
    if plan.codegen and groups.size() > 1 and not plan.key.empty():  # of nodes on the CPU
        rewriting = rewrite(nodes)
    if rewriting is None:
        return plan_groups(nodes, groups, plan)
    try:
        groups.clear()
        place_nodes(rewriting.nodes, groups)
        return plan_groups(rewriting.nodes, groups, plan)
    finally:
        rewriting.undo()


cdef int plan_groups(Nodes& nodes, vector[Group]& groups, PlanRecord plan) except -1:
    """Plan the passes of groups, in the order of their levels, and last the one that writes to the
    memory of a tensor: nothing fails afterwards.
    """
    cdef Nodes some
    cdef PyObject* item
    cdef Node node
    cdef int level, last = 0, assigned = -1
    cdef size_t k
    for item in nodes:
        node = <Node>item
        last = max(last, node.level)
        if node.destination != NULL:
            assigned = node.group
    for level in range(last + 1):
        for k in range(groups.size()):
            if groups[k].level == level and <int>k != assigned:
                plan_stored(<int>k, nodes, groups, plan)
        some.clear()
        for item in nodes:
            if (<Node>item).full_reduction and (<Node>item).level == level:
                some.push_back(item)
        plan_reductions(some, nodes, groups, plan)
    if assigned >= 0:
        plan_stored(assigned, nodes, groups, plan)
    return plan.estimate()


cdef int plan_stored(int group, Nodes& nodes, vector[Group]& groups, PlanRecord plan) except -1:
    """Plan a pass that computes what is stored of a group."""
    cdef Nodes some
    cdef PyObject* item
    cdef Node node
    for item in nodes:
        node = <Node>item
        if node.group == group and node.stored and not node.full_reduction:
            some.push_back(item)
    if some.size():
        plan_group(some, nodes, &groups[group], plan)
    return 0


cdef bint run(Nodes& nodes, PlanRecord plan) except -1:
    """Compute nodes by a plan of nodes of their structure; false if there is no memory."""
    cdef Node node
    cdef size_t k
    for k in range(nodes.size()):
        if plan.twins[k] >= 0:
            node = <Node>nodes[k]
            node.twin = nodes[plan.twins[k]]
            if node.held and not allocate_twin(node, <Node>node.twin, plan):
                return False
        if (<Node>nodes[k]).place >= 0:
            learn((<Node>nodes[k]).place, plan.worth[k])
    for k in range(plan.works.size()):
        if reporting:
            report_pass(k, plan.works.size())
        if not (<Work>plan.works[k]).compute(nodes, plan):
            return False
    for k in range(nodes.size()):
        node = <Node>nodes[k]
        if node.twin != NULL and node.held:
            compute_twin(node, <Node>node.twin)
    # Backwards: inner values without remaining readers are no longer pending, either.
    for k in range(nodes.size(), 0, -1):
        node = <Node>nodes[k - 1]
        if node.block is None and node.uses == 0 and not node.kept:
            finish(node, None)
    return True


cdef int compute_nodes(list targets, Node kept=None) except -1:
    """Compute nodes that tensors refer to, and related pending nodes; wait for those that another
    thread computes. The node `kept` stays pending if it is not stored.
    """
    return compute_assigned(targets, NULL, kept)


cdef int compute_assigned(list targets, Assignment* assignment, Node kept) except -1:
    global latest
    cdef PlanRecord plan
    cdef bint running = False
    try:
        plan = compute_together(targets, assignment == NULL, False, assignment, kept, &running)
    except MemoryError:  # retry with the requested nodes only
        if running:
            raise  # by a handler of a signal
        if assignment != NULL and assignment.written:
            return 0  # the plan could not be kept, and must not be computed twice
        plan = compute_together(targets, False, False, assignment, kept)
    if plan.groups.size():
        latest = plan
    return 0


cdef bint compute_at(Node node, Tensor x) except -1:
    """Compute a node in the memory of a tensor; false if it was not computed there, as another
    thread did so, or the tensor is read meanwhile. It has no other memory, and stays pending, as do
    operands that tensors refer to.
    """
    cdef Assignment assignment
    assignment.node, assignment.x, assignment.written = <PyObject*>node, <PyObject*>x, False
    compute_assigned([node], &assignment, node)
    return assignment.written


cdef int compute_readers(Block block) except -1:
    """Compute all nodes that read a block, before it is written to."""
    cdef list held = []
    cdef Nodes found, none
    cdef PyObject* item
    collect_related(none, block, next_mark(), found)
    for item in found:
        if is_held(<Node>item, 0):
            held.append(<Node>item)
    return compute_nodes(held) if held else 0


# The plan of the last computation.
cdef PlanRecord latest = None


def last_plan():
    """Return the PlanRecord of the last computation, or None."""
    return latest


cdef PlanRecord plan_of(list targets):
    """How nodes would be computed."""
    return compute_together(targets, True, True)


# ---- destinations: results that are computed where they are assigned, in another's memory
#
# An assigned tensor is usually a temporary, and is not stored. One that the caller still refers to
# stays deferred, and is computed again when it is read, as its operands are. Reference counts
# cannot decide this: C code may pass the only reference, held by a tuple, and Python that of a
# local variable, which a function has until it returns.

cdef inline bint is_destination(Tensor x) noexcept:
    """Whether deferred results may be written to a tensor."""
    return type(x.storage) is Block and (x.flags & WRITEABLE) != 0


cdef bint compute_into(Tensor x, object key, Tensor value) except -1:
    """``x[key] = value``, by computing the deferred `value` in the memory of `x`; false if it reads
    `x`, or its shape or dtype differs.
    """
    cdef Node node
    cdef Py_ssize_t axis
    cdef bint element
    cdef Tensor view
    key = plain_key("setitem", key)
    if not is_deferred(value):
        return False
    node = <Node>value.storage
    # `node` and the tensor.
    if node.device is not x.device or node.block is not None or node.computing is not None \
            or node.loop == NULL or node.uses \
            or is_held(node, 2) or value.count != node.count or value.ndim != node.ndim \
            or not is_destination(x) or (<Block>x.storage).readers or x.code != value.code \
            or tensors_in((key,), None):
        return False
    for axis in range(value.ndim):
        if value.dims[axis] != node.dims[axis] or value.steps[axis] != node.steps[axis]:
            return False
    view = basic_view("setitem", x, key, &element)
    if view is None or element or not is_shape_of(view, value.ndim, value.dims) \
            or has_repeated_elements(view):
        return False
    return compute_at(node, view)


cdef bint compute_inplace(Operation op, Tensor x, Tensor other) except -1:
    """``x = op(x, other)``, in one pass with the nodes of the deferred `other`; false if these read
    other elements of `x` than the one that is written next, or the result has another shape or
    dtype.
    """
    cdef Fusion fusion = current()
    cdef Operand operands[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim, axis
    cdef int8_t computed[2]
    cdef const Entry* found
    cdef kernel loop
    cdef Node node
    cdef Node read = <Node>other.storage
    cdef int code
    if not fusion.on or read.device is not x.device or not is_destination(x) \
            or read.block is not None \
            or read.computing is not None or x.ndim > MAX_FUSED_NDIM or op == OP_pow \
            or is_comparison(op) or has_repeated_elements(x):
        return False
    code = set_binary_operands_on(None, op, x, other, operands)
    if code < 0:
        return False
    found = find_entry(op, SHAPE_binary, code)
    check_inplace(op, x, found.result)
    infer_elementwise(op, operands, 2, &ndim, shape)
    if found.stored != x.code or not is_shape_of(x, ndim, shape):
        return False
    loop = loop_of_two(op, found, operands, computed)
    if not in_host_memory(x):
        loop, computed[1] = found.loop, found.compute
    node = new_node(op, loop, fusion.scope, x.device)
    node.code, node.ndim, node.count, node.space_ndim = x.code, ndim, x.count, ndim
    for axis in range(ndim):
        node.dims[axis] = node.space[axis] = shape[axis]
        node.steps[axis] = x.steps[axis]
    node.computed[0], node.computed[1] = computed[0], computed[1]
    add_source(node, x, &operands[0], ndim, shape)
    add_source(node, other, &operands[1], ndim, shape)
    return compute_at(node, x)


provided.compute_into = compute_into
provided.compute_inplace = compute_inplace


# ---- fork

def after_fork():
    """End the computations of threads that do not exist after a fork."""
    cdef PyObject* item = first_running
    cdef Computation other
    while item != NULL:
        other = <Computation>item
        item = other.next
        if other.thread != this_thread():
            end(other)  # also for who forked in a handler of signals, in `wait_for`


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork)
