# distutils: language = c++
"""Plans: records of computations, or of computations that are only planned.

Each computation is recorded for later inspection, as plain data, which is cheap to write and keeps
neither nodes nor memory alive. Python objects are made of it on request (corepy/lazy/_plan.py).
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

import numpy as np

from corepy._cython.core cimport (
    Block, CPU, dtype_itemsize, DTYPES, NAMES, OP_COUNT, OP_pow, power_loop,
)
from corepy._cython.lazy.groups cimport next_mark
from corepy._cython.lazy.nodes cimport Node, Nodes, Pointer, Source

# In ns: what a pass, one with reductions, and an operation in it cost beyond the same operations at
# once. The bytes of a result that are written and read again in 1 ns, and those that are computed
# in it. What it costs to copy an element of rows to or from a block.
cdef enum:
    COST_OF_PASS = 1000
    COST_OF_REDUCTION = 3500
    COST_OF_OPERATION = 200
    BYTES_PER_TIME = 48
    BYTES_COMPUTED = 96
    COPY_OF_ELEMENT = 150  # ps


@cython.no_gc
cdef class Work:
    """A pass over elements; see passes.pyx."""

    cdef bint compute(self, Nodes& nodes, PlanRecord plan) except -1:
        raise NotImplementedError


@cython.binding(False)
@cython.final
@cython.no_gc
cdef class PlanRecord:
    """The groups of a computation, with their inputs and operations, in the order in which they
    are computed, and what computes them.
    """

    def __dealloc__(self):
        cdef Pointer work
        for work in self.works:
            Py_DECREF(<Work>work)

    cdef int add_work(self, Work work) except -1:
        self.works.push_back(<Pointer>work)
        Py_INCREF(work)
        return 0

    cdef int begin(self, bint rows, Py_ssize_t ndim, const Py_ssize_t* dims) except -1:
        """Begin a group; inputs and operations that follow belong to it."""
        cdef PlannedGroup group
        group.rows, group.reduction, group.ndim = rows, False, ndim
        memcpy(group.dims, dims, ndim * sizeof(Py_ssize_t))
        group.block_elements = group.block_bytes = group.in_registers = group.copies = 0
        group.inputs, group.operations = self.inputs.size(), self.operations.size()
        self.groups.push_back(group)
        return 0

    cdef bint lacks(self, Lack lack, Py_ssize_t wanted=0) noexcept:
        """Note what there is no memory for, for an error after the computation; return False."""
        self.lack, self.wanted = lack, wanted
        return False

    cdef int add_input(
        self, int value, const Source* source, Py_ssize_t ndim, const Py_ssize_t* dims
    ) except -1:
        """Add an operand in memory, with strides along the axes of the operation's space."""
        cdef PlannedInput made
        cdef Py_ssize_t axis
        made.node = 0
        if type(<object>source.owner) is Node:
            made.node = (<Node>source.owner).number
        made.address = <size_t>source.data
        made.value, made.code, made.ndim = value, source.code, ndim
        for axis in range(ndim):
            made.dims[axis] = 1 if source.steps[axis] == 0 and dims[axis] > 1 else dims[axis]
        self.inputs.push_back(made)
        return 0

    cdef int number_of_input(self, const Source* source, int value) except? -1:
        """The number of an input of the last group that is `source`; `value` if there is none."""
        cdef unsigned long long node = 0
        cdef size_t k
        if type(<object>source.owner) is Node:
            node = (<Node>source.owner).number
        for k in range(self.groups.back().inputs, self.inputs.size()):
            if self.inputs[k].address == <size_t>source.data and self.inputs[k].node == node \
                    and self.inputs[k].code == source.code:
                return self.inputs[k].value
        return value

    cdef int add_operation(self, Node node, int value, const int* operands) except -1:
        cdef PlannedOperation made
        cdef PlannedConstant constant
        cdef int k
        made.node, made.operation, made.stored = node.number, node.operation, node.stored
        made.value, made.code, made.ndim = value, node.code, node.ndim
        made.index, made.loop = node.index, node.loop
        memcpy(made.dims, node.dims, node.ndim * sizeof(Py_ssize_t))
        made.reduces, made.reduced = node.loop == NULL, 0
        if made.reduces:
            for k in range(<int>node.space_ndim):
                made.reduced |= <unsigned int>node.reduced[k] << k
        made.count = node.inputs
        for k in range(node.inputs):
            made.operands[k], made.codes[k] = operands[k], node.sources[k].code
            made.constants[k] = node.sources[k].owner == NULL
            if made.constants[k]:
                memcpy(made.scalars[k], node.sources[k].scalar, sizeof(made.scalars[k]))
                constant.operation, constant.node, constant.operand = \
                    self.operations.size(), node.index, k
                self.constants.push_back(constant)
        self.operations.push_back(made)
        return 0

    cdef int set_constants(self, Nodes& nodes) noexcept:
        """Record the constants of other nodes."""
        cdef PlannedConstant constant
        for constant in self.constants:
            memcpy(
                self.operations[constant.operation].scalars[constant.operand],
                (<Node>nodes[constant.node]).sources[constant.operand].scalar, 16,
            )
        return 0

    cdef int estimate(self) except -1:
        """Set `worth`: whether the passes over memory that were saved took longer than deferring.
        """
        cdef size_t g, k, last
        cdef Py_ssize_t axis, nbytes, saved
        cdef const PlannedGroup* group
        cdef const PlannedOperation* operation
        cdef vector[char] computed
        self.worth.resize(self.twins.size(), 0)
        computed.resize(self.twins.size(), 0)
        for g in range(self.groups.size()):
            group = &self.groups[g]
            last = self.operations.size() if g + 1 == self.groups.size() \
                else self.groups[g + 1].operations
            nbytes = 1
            for axis in range(group.ndim):
                nbytes *= group.dims[axis]
            saved = -COST_OF_REDUCTION if group.reduction else -COST_OF_PASS
            saved -= group.copies * nbytes * COPY_OF_ELEMENT // 1000
            for k in range(group.operations, last):
                operation = &self.operations[k]
                saved -= COST_OF_OPERATION
                if computed[operation.index]:
                    saved -= nbytes * dtype_itemsize[operation.code] // BYTES_COMPUTED
                elif k > group.operations:
                    saved += nbytes * dtype_itemsize[operation.code] // BYTES_PER_TIME
                computed[operation.index] = 1
            for k in range(group.operations, last):
                operation = &self.operations[k]
                if last - group.operations > 1 and saved > 0:
                    self.worth[operation.index] = 1
                elif not self.worth[operation.index]:
                    self.worth[operation.index] = -1
        return 0

    @property
    def computed(self):
        """How many times the plan has computed nodes."""
        return self.times

    def as_list(self):
        """Return the groups: tuples (shape, by rows, whether it is a reduction, elements and bytes
        of blocks, operations in registers, inputs, operations). An input is (value, node, address,
        shape, dtype), an operation (value, node, name, shape, dtype, why it is stored, axes,
        operands), and an operand (value, a Python scalar if it is a constant).
        """
        cdef size_t g, last_input, last_operation, k
        cdef const PlannedGroup* group
        cdef list found = []
        for g in range(self.groups.size()):
            group = &self.groups[g]
            last_input, last_operation = self.inputs.size(), self.operations.size()
            if g + 1 < self.groups.size():
                last_input = self.groups[g + 1].inputs
                last_operation = self.groups[g + 1].operations
            found.append((
                sizes(group.ndim, group.dims), bool(group.rows), bool(group.reduction),
                group.block_elements, group.block_bytes, group.in_registers,
                [input_tuple(&self.inputs[k]) for k in range(group.inputs, last_input)],
                [operation_tuple(&self.operations[k])
                 for k in range(group.operations, last_operation)],
            ))
        return found


cdef tuple sizes(Py_ssize_t ndim, const Py_ssize_t* dims):
    cdef Py_ssize_t axis
    return tuple([dims[axis] for axis in range(ndim)])


cdef tuple input_tuple(const PlannedInput* made):
    return (
        made.value, made.node, made.address, sizes(made.ndim, made.dims), DTYPES[made.code]
    )


cdef tuple operation_tuple(const PlannedOperation* made):
    cdef int k
    cdef list operands = []
    cdef bytes constant
    for k in range(made.count):
        scalar = None
        if made.constants[k]:
            constant = made.scalars[k][:dtype_itemsize[made.codes[k]]]
            scalar = np.frombuffer(constant, DTYPES[made.codes[k]].name)[0].item()
        operands.append((made.operands[k], scalar))
    if made.operation == OP_pow and made.count == 1:  # the loop is that of an exponent
        for exponent in (-1.0, 0.5, 1.0, 2.0, 3.0, 4.0):
            if power_loop(exponent, made.code) == made.loop:
                operands.append((-1, exponent))
    axes = tuple([k for k in range(32) if made.reduced >> k & 1]) if made.reduces else None
    name = "astype" if made.operation == OP_COUNT else NAMES[made.operation]
    return (
        made.value, made.node, name, sizes(made.ndim, made.dims), DTYPES[made.code], made.stored,
        axes, operands,
    )

# ---- plans that are kept, and found again for nodes of the same structure
#
# Programs are loops: the same operations on arrays of the same layout come again and again. The
# key of a plan has everything about nodes that it depends on: operations, loops of the kernel
# table, dtypes, shapes and strides, which operands are results of others, which are in the same
# memory, and which results are stored. Addresses and constants are not in it: they are set each
# time. Nodes on devices other than the CPU have no key.

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
