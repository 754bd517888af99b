# distutils: language = c++
"""Passes: computing the nodes of a group, or reductions, in one pass over the elements.

A group (groups.pyx) is one program (program.hpp), which stores only results that tensors or other
groups refer to. A reduction along the last axis, of short rows, is part of a group: its result is a
value per row. Other reductions end a group; their operands are computed in the parts in which a
reduction reads an array, so that the result is the same.

Nodes on devices other than the CPU are computed by the `Executor` of their backend.

On the CPU nothing here makes an object that the garbage collector tracks, see execution.pyx.
Functions that return a bint return False if there is no memory, and `plan` has what for.
"""

cimport cython
from cpython.object cimport PyObject
from libc.stdint cimport int8_t
from libc.string cimport memcmp
from libcpp cimport bool as cppbool
from libcpp.vector cimport vector

from corepy._cython.core cimport (
    allocated, core_runtime, CPU, Dtype, dtype_itemsize, kernel, Operation, RELEASE_GIL, Tensor,
    UNCOMPUTED,
)
from corepy._cython.cpu.runtime cimport use_runtime
from corepy._cython.lazy.groups cimport goes_with, Group, mark_needed, owner_node, source_node
from corepy._cython.lazy.nodes cimport (
    finish, MAX_FUSED_NDIM, MAX_SOURCES, Node, Nodes, REDUCTION, result_steps, Source,
)
from corepy._cython.lazy.plans cimport ACCUMULATORS, BLOCKS, PlanRecord, RESULT_BYTES

cdef extern from "table.hpp" namespace "corepy" nogil:
    kernel cast_kernel(Dtype, Dtype)

cdef extern from "reduce.hpp" namespace "corepy" nogil:
    cdef enum ReduceStatus:
        REDUCE_DONE, REDUCE_NO_MEMORY, REDUCE_NO_RUNS
    cdef struct ElementSource:
        cppbool (*fill)(const void*, Py_ssize_t, Py_ssize_t, char*const*) noexcept
        const void* context
        char* base
        int arrays
    cdef struct JointReduction:
        Operation operation
        Dtype input
        Dtype result
        const char* data "in"
        char* out
        double correction
        const ElementSource* source
        int array
    enum:
        MAX_JOINT_REDUCTIONS
    ReduceStatus reduce_jointly(
        int, const JointReduction*, int, const Py_ssize_t*, const Py_ssize_t*, const cppbool*,
        const Py_ssize_t*,
    ) noexcept

cdef extern from "program.hpp" namespace "corepy" nogil:
    cdef cppclass Program:
        Program(int, const Py_ssize_t*, cppbool) except +
        int add_input(const char*, const Py_ssize_t*, Py_ssize_t, cppbool) except +
        int add_constant(const char*, Py_ssize_t) except +
        int add_loop(kernel, int, const int*, Py_ssize_t, cppbool) except +
        int add_row_reduction(Operation, Dtype, double, int, Py_ssize_t) except +
        void store(int, char*, const Py_ssize_t*)
        void prepare(cppbool, cppbool) except +
        cppbool run()
        cppbool fill(Py_ssize_t, Py_ssize_t, char*const*)
        Py_ssize_t block_bytes()
        Py_ssize_t block_elements()
        Py_ssize_t operations_in_registers()

cdef extern from *:
    """
    static bool fill_from(const void* context, ptrdiff_t first, ptrdiff_t n, char* const* out) {
      return static_cast<const corepy::Program*>(context)->fill(first, n, out);
    }
    """
    cppbool fill_from(const void*, Py_ssize_t, Py_ssize_t, char*const*) noexcept nogil

use_runtime(core_runtime())

# The operand that an input of a program was made from.
cdef struct Input:
    const char* data
    Py_ssize_t steps[MAX_FUSED_NDIM]
    int8_t code
    bint per_row
    int value


# ---- other devices

cdef class Executor:
    """Computes nodes on the devices of a backend, and operations that are not recorded there."""

    cdef int run_group(
        self, Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1:
        raise NotImplementedError

    cdef int run_reduction(
        self, Node node, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1:
        raise NotImplementedError

    cdef object unary(self, Operation op, Tensor x):
        raise NotImplementedError

    cdef object binary(self, Operation op, object x1, object x2):
        raise NotImplementedError

    cdef object where(self, Tensor condition, object x1, object x2):
        raise NotImplementedError

    cdef object clip(self, Tensor x, object low, object high):
        raise NotImplementedError

    cdef object astype(self, Tensor x, object dtype, bint copy):
        raise NotImplementedError

    cdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    ):
        raise NotImplementedError


cdef inline Executor executor_of(Node node):
    return <Executor>node.device.backend.executor


# ---- programs

@cython.final
@cython.no_gc
cdef class Pass:
    """A program and its inputs."""

    cdef Program* program
    cdef PlanRecord plan
    cdef Pass before          # an earlier one that a joint reduction needs, too
    cdef vector[Input] inputs
    cdef vector[int] cast_from, cast_code, cast_value

    def __dealloc__(self):
        del self.program

    cdef int source_value(self, Node node, int k, bint per_row, const Group* group) except -1:
        """The value of an operand that is computed before the program runs."""
        cdef const Source* source = &node.sources[k]
        cdef Node read
        cdef Input made
        cdef Py_ssize_t axis
        cdef size_t i
        if source.owner == NULL:
            return self.program.add_constant(source.scalar, dtype_itemsize[source.code])
        made.data = source.data
        if type(<object>source.owner) is Node:
            read = owner_node(source)
            # In a dry plan, any unique address.
            made.data += <size_t><PyObject*>read if read.block is None \
                else <size_t>read.block.memory
        made.code, made.per_row = source.code, per_row
        for axis in range(MAX_FUSED_NDIM):
            made.steps[axis] = 0
        for axis in range(group.ndim - per_row):
            made.steps[axis] = source.steps[axis]
        for i in range(self.inputs.size()):
            if self.inputs[i].data == made.data and self.inputs[i].code == made.code \
                    and self.inputs[i].per_row == made.per_row \
                    and memcmp(self.inputs[i].steps, made.steps, sizeof(made.steps)) == 0:
                return self.inputs[i].value
        made.value = self.program.add_input(
            made.data, made.steps, dtype_itemsize[source.code], per_row
        )
        self.inputs.push_back(made)
        self.plan.add_input(made.value, source, node.space_ndim, node.space)
        return made.value

    cdef int cast(self, int value, int code, int wanted, bint per_row) except -1:
        """The value converted to another dtype."""
        cdef size_t i
        if code == wanted:
            return value
        for i in range(self.cast_from.size()):
            if self.cast_from[i] == value and self.cast_code[i] == wanted:
                return self.cast_value[i]
        self.cast_from.push_back(value)
        self.cast_code.push_back(wanted)
        self.cast_value.push_back(self.program.add_loop(
            cast_kernel(<Dtype>code, <Dtype>wanted), 1, &value, dtype_itemsize[wanted], per_row
        ))
        return self.cast_value.back()

    cdef int add(self, Node node, const Group* group, bint per_row, int mark) except -1:
        """Add the operation of a node."""
        cdef int values[MAX_SOURCES]
        cdef int operands[MAX_SOURCES]
        cdef Node read
        cdef int k
        cdef bint reads_rows = per_row and node.loop != NULL
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is not None and read.mark == mark:
                values[k] = read.value
            else:
                values[k] = self.source_value(node, k, reads_rows, group)
            operands[k] = values[k]
            if node.loop != NULL:
                values[k] = self.cast(
                    values[k], node.sources[k].code, node.computed[k],
                    reads_rows or (read is not None and read.mark == mark and read.per_row),
                )
        if node.loop == NULL:
            node.value = self.program.add_row_reduction(
                <Operation>node.operation, <Dtype>node.sources[0].code, node.correction, values[0],
                dtype_itemsize[node.code],
            )
        else:
            node.value = self.program.add_loop(
                node.loop, node.inputs, values, dtype_itemsize[node.code], per_row
            )
        return self.plan.add_operation(node, node.value, operands)

    cdef int build(
        self, Nodes& sinks, Nodes& nodes, const Group* group, bint rows, PlanRecord plan
    ) except -1:
        """Add the nodes of a group that the sinks need."""
        cdef PyObject* item
        cdef Node node
        cdef int mark
        self.program = new Program(<int>group.ndim, group.dims, rows)
        self.plan = plan
        plan.begin(rows, group.ndim, group.dims)
        mark = mark_needed(sinks, nodes)
        for item in nodes:
            node = <Node>item
            if node.mark == mark and node.block is None and not node.done:
                self.add(node, group, node.per_row, mark)
        return 0

    cdef int prepare(self, bint for_fill) except -1:
        self.program.prepare(for_fill, self.plan.codegen)
        self.plan.groups.back().in_registers = self.program.operations_in_registers()
        self.plan.groups.back().block_elements = self.program.block_elements()
        self.plan.groups.back().block_bytes = self.program.block_bytes()
        return 0


cdef int store_at(Pass work, Node node, char* address, const Group* group) except -1:
    cdef Py_ssize_t steps[MAX_FUSED_NDIM]
    cdef const Py_ssize_t* stored = result_steps(node)
    cdef Py_ssize_t axis
    for axis in range(group.ndim):
        steps[axis] = 0 if node.per_row and axis == group.ndim - 1 else stored[axis]
    work.program.store(node.value, address, steps)
    return 0


cdef char* memory_for(Node node, PlanRecord plan) except? NULL:
    """Memory for a result; NULL if there is none."""
    cdef Py_ssize_t nbytes = max(node.count * dtype_itemsize[node.code], 1)
    node.result = allocated(nbytes)
    if node.result is None:
        plan.lacks(RESULT_BYTES, nbytes)
        return NULL
    return <char*>node.result.memory


cdef int finish_computed(Node node) except -1:
    """Set the result of a node to that which was computed."""
    finish(node, node.result)
    node.result = None
    return 0


cdef bint run_group(Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan) except -1:
    """Compute nodes of a group in one pass."""
    cdef Pass work
    cdef PyObject* item
    cdef Node node = <Node>sinks[0]
    cdef Py_ssize_t axis, count = 1
    cdef char* memory
    cdef bint done
    if node.device is not CPU:
        executor_of(node).run_group(sinks, nodes, group, plan)
        return True
    work = Pass.__new__(Pass)
    work.build(sinks, nodes, group, group.rows, plan)
    for item in sinks:
        node = <Node>item
        if plan.dry:
            memory = <char*>UNCOMPUTED
            node.done = True
        elif node.destination != NULL:
            memory = node.destination
        else:
            memory = memory_for(node, plan)
            if memory == NULL:
                return False
        store_at(work, node, memory, group)
    work.prepare(False)
    if plan.dry:
        return True
    for axis in range(group.ndim):
        count *= group.dims[axis]
    if count >= RELEASE_GIL:
        with nogil:
            done = work.program.run()
    else:
        done = work.program.run()
    if not done:
        return plan.lacks(BLOCKS)
    for item in sinks:
        node = <Node>item
        node.written = node.destination != NULL
        if node.result is not None or not node.kept:
            finish_computed(node)
    return True


cdef int prepare_source(
    Pass work, Nodes& reads, Nodes& nodes, const Group* group, PlanRecord plan,
    ElementSource* elements,
) except -1:
    """Make the results of some nodes of a group a source of reductions."""
    cdef PyObject* item
    work.build(reads, nodes, group, False, plan)
    elements.base = <char*>UNCOMPUTED
    for item in reads:
        store_at(work, <Node>item, elements.base, group)
    work.prepare(True)
    elements.fill = fill_from
    elements.context = work.program
    elements.arrays = <int>reads.size()
    return 0


cdef const char* address_of(const Source* source):
    """The address of an operand."""
    if source.owner == NULL:
        return &source.scalar[0]
    if type(<object>source.owner) is Node:
        return source.data + <size_t>owner_node(source).block.memory
    return source.data


cdef int lay_out_result(Node node, Py_ssize_t* steps, cppbool* marked) noexcept:
    """Set the strides of a reduction's result along the axes of its operand, and mark reduced axes.
    """
    cdef Py_ssize_t axis, kept = 0
    cdef bint keepdims = node.ndim == node.space_ndim
    for axis in range(node.space_ndim):
        marked[axis] = node.reduced[axis]
        if node.reduced[axis]:
            steps[axis] = 0
            kept += keepdims
        else:
            steps[axis] = node.steps[kept]
            kept += 1
    return 0


cdef bint run_reductions(
    Nodes& reductions, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Compute reductions that end groups, several in one pass where possible; `reductions` are none
    afterwards.
    """
    cdef Nodes together, others
    cdef PyObject* item
    while reductions.size():
        together.clear()
        others.clear()
        for item in reductions:
            if together.size() < MAX_JOINT_REDUCTIONS and (
                item == reductions[0] or goes_with(<Node>reductions[0], <Node>item)
            ):
                together.push_back(item)
            else:
                others.push_back(item)
        if together.size() == 1 or not run_jointly(together, nodes, groups, plan):
            if plan.lack:
                return False
            for item in together:
                if not run_reduction(<Node>item, nodes, groups, plan):
                    return False
        reductions.swap(others)
    return True


cdef bint run_reduction(
    Node node, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Compute a reduction that ends a group, after its operand if both cannot be in one pass."""
    cdef Node read = source_node(&node.sources[0])
    cdef Nodes alone, reads
    if node.device is not CPU:
        executor_of(node).run_reduction(
            node, nodes, &groups[node.group if read is None else read.group], plan
        )
        return True
    alone.push_back(<PyObject*>node)
    if run_jointly(alone, nodes, groups, plan):
        return True
    if plan.lack:
        return False
    reads.push_back(<PyObject*>read)
    return run_group(reads, nodes, &groups[read.group], plan) \
        and run_jointly(alone, nodes, groups, plan)


cdef bint run_jointly(
    Nodes& reductions, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Compute one or several reductions in one pass; false, with nothing done, if that is not
    possible, or there is no memory.
    """
    cdef JointReduction joint[MAX_JOINT_REDUCTIONS]
    # Passes that compute operands, of a group each: the group, the nodes, the elements.
    cdef int pass_group[MAX_JOINT_REDUCTIONS]
    cdef Nodes reads[MAX_JOINT_REDUCTIONS]
    cdef ElementSource elements[MAX_JOINT_REDUCTIONS]
    cdef int passes = 0
    # Of each reduction: the pass that computes its operand, and the index of the operand there.
    cdef int pass_of[MAX_JOINT_REDUCTIONS]
    cdef int array[MAX_JOINT_REDUCTIONS]
    cdef Py_ssize_t steps[MAX_FUSED_NDIM]
    cdef cppbool marked[MAX_FUSED_NDIM]
    cdef const Source* source
    cdef ReduceStatus status
    cdef Node node, read
    cdef Pass work = None, last
    cdef size_t planned = plan.groups.size()
    cdef int k, p, operand, count = <int>reductions.size()
    for k in range(count):
        read = source_node(&(<Node>reductions[k]).sources[0])
        pass_of[k] = -1
        if read is None:
            continue
        p = 0
        while p < passes and pass_group[p] != read.group:
            p += 1
        if p == passes:
            pass_group[p] = read.group
            passes += 1
        pass_of[k], array[k] = p, 0
        while array[k] < <int>reads[p].size() and reads[p][array[k]] != <PyObject*>read:
            array[k] += 1
        if array[k] == <int>reads[p].size():
            reads[p].push_back(<PyObject*>read)
    for p in range(passes):
        last, work = work, Pass.__new__(Pass)
        work.before = last
        prepare_source(work, reads[p], nodes, &groups[pass_group[p]], plan, &elements[p])
        plan.groups.back().reduction = True
    node = <Node>reductions[0]
    if not passes:
        plan.begin(False, node.space_ndim, node.space)
        plan.groups.back().reduction = True
    for k in range(count):
        node = <Node>reductions[k]
        source = &node.sources[0]
        if pass_of[k] >= 0:
            operand = source_node(source).value
        else:
            operand = -2 - k  # programs use numbers >= 0
            if source.owner != NULL:
                operand = plan.number_of_input(source, operand)
                if operand == -2 - k:
                    plan.add_input(operand, source, node.space_ndim, node.space)
        node.stored = node.stored or REDUCTION
        plan.add_operation(node, -1, &operand)
        node.done = plan.dry
    if plan.dry:
        return True
    for k in range(count):
        node = <Node>reductions[k]
        source = &node.sources[0]
        joint[k].operation, joint[k].correction = <Operation>node.operation, node.correction
        joint[k].input, joint[k].result = <Dtype>source.code, <Dtype>node.code
        joint[k].out = memory_for(node, plan)
        if joint[k].out == NULL:
            return False
        joint[k].source = NULL
        joint[k].array = 0
        if pass_of[k] < 0:
            joint[k].data = address_of(source)
        else:
            joint[k].source = &elements[pass_of[k]]
            joint[k].array = array[k]
            joint[k].data = joint[k].source.base + <size_t>source.data
    node = <Node>reductions[0]
    lay_out_result(node, steps, marked)
    with nogil:
        status = reduce_jointly(
            count, joint, <int>node.space_ndim, node.space, node.sources[0].steps, marked, steps
        )
    if status == REDUCE_NO_RUNS:
        while plan.groups.size() > planned:
            plan.drop_group()
        return False
    if status == REDUCE_NO_MEMORY:
        return plan.lacks(ACCUMULATORS, node.operation)
    for k in range(count):
        finish_computed(<Node>reductions[k])
    return True
