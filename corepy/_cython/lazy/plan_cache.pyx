# distutils: language = c++
"""Plans that are kept, and found again for nodes of the same structure.

Programs are loops: the same operations on arrays of the same layout come again and again. The key
of a plan has everything about nodes that it depends on: operations, loops of the kernel table,
dtypes, shapes and strides, which operands are results of others, which are in the same memory, and
which results are stored. Addresses and constants are not in it: they are set each time. Nodes on
devices other than the CPU have no key.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

from corepy._cython.core cimport Block, CPU, dtype_itemsize
from corepy._cython.lazy.groups cimport next_mark
from corepy._cython.lazy.nodes cimport Node, Nodes, Pointer, Source
from corepy._cython.lazy.records cimport PlanRecord

ctypedef vector[uint64_t] Key

cdef enum:
    MAX_KEPT = 1 << 14  # operations of all plans that are kept; beyond it all plans are dropped
    VECTOR = 64         # whether results are aligned to it matters

# References to plans by the hashes of their keys.
cdef unordered_map[uint64_t, Pointer] plans
cdef size_t operations_kept = 0


# ---- keys

cdef inline int add_sizes(Key& key, Py_ssize_t ndim, const Py_ssize_t* sizes) except -1:
    cdef Py_ssize_t axis
    for axis in range(ndim):
        key.push_back(<uint64_t>sizes[axis])
    return 0


cdef inline int add_source(
    Key& key, const Source* source, Py_ssize_t ndim, int mark, int* blocks
) except -1:
    """Add an operand. `blocks`: the number of blocks that have an index, and the mark."""
    cdef uint64_t kind = <uint64_t>source.code << 2
    cdef char* data = source.data
    cdef Block block
    cdef Node read
    if source.owner == NULL:
        key.push_back(kind)
        return 0
    if type(<object>source.owner) is Node:
        read = <Node>source.owner
        if read.block is None:
            key.push_back(kind | 1 | <uint64_t>read.index << 16)
            key.push_back(<uint64_t>data)
            return add_sizes(key, ndim, source.steps)
        block = read.block
        data += <size_t>block.memory
    else:
        block = <Block>source.owner
    if block.mark != mark:
        block.mark, block.index, block.first = mark, blocks[0], data
        blocks[0] += 1
    key.push_back(kind | 2 | <uint64_t>block.index << 16)
    key.push_back(<uint64_t>(data - block.first))
    return add_sizes(key, ndim, source.steps)


cdef int add_key(PlanRecord plan, Nodes& nodes) except -1:
    """Set the key of a plan of nodes, whose `index`, `held` and `destination` are set; none if one
    of them is on another device.
    """
    cdef Key key
    cdef PyObject* item
    cdef Node node
    cdef uint64_t flags, correction
    cdef int k, blocks = 0, mark = next_mark()
    key.reserve(16 * nodes.size())
    key.push_back(plan.codegen)
    for item in nodes:
        node = <Node>item
        if node.device is not CPU:
            return 0
        flags = node.held | node.kept << 1 | node.inputs << 2 | node.code << 4
        flags |= node.ndim << 12 | node.space_ndim << 16
        for k in range(node.inputs):
            flags |= <uint64_t>node.computed[k] << (40 + 8 * k)
        key.push_back(flags)
        key.push_back(<uint64_t>node.operation)
        key.push_back(<uint64_t>node.loop)
        add_sizes(key, node.space_ndim, node.space)
        add_sizes(key, node.ndim, node.steps)
        if node.loop == NULL:
            memcpy(&correction, &node.correction, sizeof(correction))
            key.push_back(correction)
            add_sizes(key, node.ndim, node.dims)
            flags = 0
            for k in range(<int>node.space_ndim):
                flags |= <uint64_t>node.reduced[k] << k
            key.push_back(flags)
        key.push_back(node.destination != NULL)
        if node.destination != NULL:
            key.push_back(<size_t>node.destination % VECTOR)
            add_sizes(key, node.ndim, node.destination_steps)
        for k in range(node.inputs):
            add_source(key, &node.sources[k], node.space_ndim, mark, &blocks)
    plan.key.swap(key)
    return 0


cdef inline uint64_t mixed(uint64_t hash, uint64_t word) noexcept:
    hash = (hash ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ hash >> 29


cdef uint64_t hash_of(const Key& key) noexcept:
    cdef uint64_t lanes[4]  # independent of each other, for processors
    cdef const uint64_t* words = key.data()
    cdef size_t k, n = key.size()
    for k in range(4):
        lanes[k] = n + k
    for k in range(n & ~<size_t>3):
        lanes[k & 3] = mixed(lanes[k & 3], words[k])
    for k in range(n & ~<size_t>3, n):
        lanes[0] = mixed(lanes[0], words[k])
    return mixed(mixed(lanes[0], lanes[1]), mixed(lanes[2], lanes[3]))


# ---- plans

cdef bint has_same_twins(PlanRecord plan, Nodes& nodes) noexcept:
    """Whether nodes that have twins in a plan have the same constants as these."""
    cdef const Source* own
    cdef const Source* other
    cdef size_t k
    cdef int i
    for k in range(nodes.size()):
        if plan.twins[k] < 0:
            continue
        for i in range((<Node>nodes[k]).inputs):
            own = &(<Node>nodes[k]).sources[i]
            other = &(<Node>nodes[plan.twins[k]]).sources[i]
            if own.owner == NULL and memcmp(own.scalar, other.scalar, dtype_itemsize[own.code]):
                return False
    return True


cdef PlanRecord find_plan(PlanRecord plan, Nodes& nodes):
    """A kept plan with the key of `plan` that no thread uses; None if there is none."""
    cdef unordered_map[uint64_t, Pointer].iterator place
    cdef PlanRecord found
    if plan.key.empty():
        return None
    plan.hash = hash_of(plan.key)
    place = plans.find(plan.hash)
    if place == plans.end():
        return None
    found = <PlanRecord>(<PyObject*>dereference(place).second)
    if found.used or found.key != plan.key or not has_same_twins(found, nodes):
        return None
    return found


cdef int note_again(Nodes& nodes) except -1:
    """Note of plans which computed one of the nodes, and did not store it, that it was needed."""
    cdef unordered_map[uint64_t, Pointer].iterator place
    cdef PyObject* item
    cdef PlanRecord plan
    cdef Node node
    for item in nodes:
        node = <Node>item
        if not node.kept_by or node.kept:
            continue
        place = plans.find(node.kept_by)
        if place == plans.end():
            continue
        plan = <PlanRecord>(<PyObject*>dereference(place).second)
        plan.again.resize(plan.twins.size(), 0)
        if node.kept_index < <int>plan.again.size():
            plan.again[node.kept_index] = 1
    return 0


cdef int keep(PlanRecord plan) except -1:
    """Keep a plan that has a key."""
    global operations_kept
    cdef pair[uint64_t, Pointer] entry
    cdef Pointer* kept
    if plan.key.empty():
        return 0
    if operations_kept + plan.operations.size() > MAX_KEPT:
        for entry in plans:
            Py_DECREF(<PlanRecord>entry.second)
        plans.clear()
        operations_kept = 0
    kept = &plans[plan.hash]
    if kept[0] != NULL:
        operations_kept -= (<PlanRecord>kept[0]).operations.size()
        Py_DECREF(<PlanRecord>kept[0])
    kept[0] = <Pointer>plan
    Py_INCREF(plan)
    operations_kept += plan.operations.size()
    return 0
