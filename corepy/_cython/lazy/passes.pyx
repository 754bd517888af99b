# distutils: language = c++
"""Passes: computing the nodes of a group, or reductions, in one pass over the elements.

They are planned first, all passes of a computation, and refer to nodes by their index, so that the
same passes compute other nodes of the same structure again (records.pyx).

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
from libc.string cimport memcmp, memcpy
from libcpp cimport bool as cppbool
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from corepy._cython.core cimport (
    allocated, apply, Argument, ask_kernel, call_kernel, cast_kernel, CPU, Device, Dtype,
    dtype_itemsize, kernel, Operation, RELEASE_GIL, Tensor, UNCOMPUTED,
)
from corepy._cython.lazy.groups cimport goes_with, Group, mark_needed, owner_node, source_node
from corepy._cython.lazy.nodes cimport (
    finish, LATER, MAX_FUSED_NDIM, MAX_SOURCES, Node, Nodes, Pointer, REDUCTION, result_steps,
    Source,
)
from corepy._cython.lazy.records cimport ACCUMULATORS, BLOCKS, PlanRecord, RESULT_BYTES, Work

cdef extern from "reduce.hpp" namespace "corepy" nogil:
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
    cppbool reduce_jointly(
        int, const JointReduction*, int, const Py_ssize_t*, const Py_ssize_t*, const cppbool*,
        const Py_ssize_t*,
    ) noexcept
    cppbool can_be_computed(
        int, const JointReduction*, int, const Py_ssize_t*, const Py_ssize_t*, const cppbool*,
        const Py_ssize_t*,
    ) noexcept

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    Py_ssize_t STREAM_FROM

cdef extern from "chains.hpp" namespace "corepy" nogil:
    cppbool has_chains()
    int chain_itemsize(kernel)

cdef extern from "program.hpp" namespace "corepy" nogil:
    cdef cppclass Program:
        Program(int, const Py_ssize_t*, cppbool) except +
        int add_input(const char*, const Py_ssize_t*, Py_ssize_t, cppbool) except +
        int add_constant(const char*, Py_ssize_t) except +
        int add_loop(kernel, int, const int*, Py_ssize_t, cppbool) except +
        int add_row_reduction(Operation, Dtype, double, int, Py_ssize_t) except +
        void store(int, char*, const Py_ssize_t*)
        void set_data(int, const char*)
        void set_constant(int, const char*)
        void prepare(cppbool, cppbool) except +
        cppbool run()
        cppbool fill(Py_ssize_t, Py_ssize_t, char*const*)
        Py_ssize_t block_bytes()
        Py_ssize_t block_elements()
        Py_ssize_t copies()
        Py_ssize_t operations_in_registers()

cdef extern from *:
    """
    static bool fill_from(const void* context, ptrdiff_t first, ptrdiff_t n, char* const* out) {
      return static_cast<const corepy::Program*>(context)->fill(first, n, out);
    }
    static bool run_program(const corepy::Program* program) { return program->run(); }
    """
    cppbool run_program(const Program*) noexcept nogil
    cppbool fill_from(const void*, Py_ssize_t, Py_ssize_t, char*const*) noexcept nogil

# A value of a program, and the node whose result it is, or whose operand (-1: the result): from
# `offset` bytes behind its first element on.
cdef struct Binding:
    int value, node, operand
    Py_ssize_t offset

# The operand that an input of a program was made from.
cdef struct Input:
    const void* owner         # a node whose result has no memory yet, or NULL
    const char* data
    Py_ssize_t steps[MAX_FUSED_NDIM]
    int8_t code
    bint per_row
    int value

# A copy of a node (recomputation.pxi) that is in a program.
cdef struct Copy:
    int operands[MAX_SOURCES]
    int value


# ---- other devices

cdef class Executor:
    """Computes nodes on the devices of a backend, and operations that are not recorded there."""

    cdef bint takes(self, int operation, int compute, int code, Device device) except -1:
        return True

    cdef int run_group(
        self, Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1:
        """Compute nodes in as few kernels as their limits allow."""
        cdef PyObject* item
        cdef Node node, read
        cdef list needed = nodes_needed(sinks, nodes)
        cdef vector[int] last_reader  # in the list
        cdef int first = 0, last, k
        for node in needed:
            last_reader.push_back(0)
            for k in range(node.inputs):
                read = source_node(&node.sources[k])
                if read is not None:
                    last_reader[read.value] = node.value
        for item in sinks:
            last_reader[(<Node>item).value] = <int>len(needed)
        while first < <int>len(needed):
            last = min(first + MAX_KERNEL_STEPS, <int>len(needed))
            while True:
                stored = [node for node in needed[first:last] if last_reader[node.value] >= last]
                work = self.kernel_of(needed, first, last, stored, group)
                if work is not None:
                    break
                last -= max((last - first) // 8, 1)
            for node in stored:
                node.stored = node.stored or LATER
            self.describe(work, needed, first, group, plan)
            if plan.dry:
                for node in stored:
                    node.done = True
            else:
                self.store(work, stored, first, group)
            first = last
        return 0

    cdef object kernel_of(
        self, list nodes, int first, int last, list stored, const Group* group
    ):
        raise NotImplementedError

    cdef int describe(
        self, object work, list nodes, int first, const Group* group, PlanRecord plan
    ) except -1:
        raise NotImplementedError

    cdef int store(self, object work, list stored, int first, const Group* group) except -1:
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


cdef list nodes_needed(Nodes& sinks, Nodes& nodes):
    """The nodes to compute for some sinks; `value` of each is its index in the list."""
    cdef PyObject* item
    cdef Node node
    cdef list needed = []
    cdef int mark = mark_needed(sinks, nodes)
    for item in nodes:
        node = <Node>item
        if node.needed == mark and node.block is None and not node.done:
            node.value = <int>len(needed)
            needed.append(node)
    return needed


cdef inline Executor executor_of(Node node):
    return <Executor>node.device.backend.executor


# ---- programs

@cython.final
@cython.no_gc
cdef class Pass(Work):
    """A program, and the operands and results of nodes that it reads and stores."""

    cdef Program* program
    cdef Py_ssize_t count     # elements
    cdef Pass before          # an earlier one that a joint reduction needs, too
    cdef vector[Binding] operands, results
    cdef vector[Input] inputs
    cdef unordered_map[Pointer, vector[Copy]] copies  # by their originals
    cdef vector[int] cast_from, cast_code, cast_value

    def __dealloc__(self):
        del self.program

    cdef int source_value(
        self, Node node, int k, bint per_row, const Group* group, PlanRecord plan
    ) except -1:
        """The value of an operand that is computed before the program runs."""
        cdef const Source* source = &node.sources[k]
        cdef Node read
        cdef Input made
        cdef Binding bound
        cdef Py_ssize_t axis
        cdef size_t i
        bound.node, bound.operand, bound.offset = node.index, k, 0
        if node.original != NULL:
            bound.offset = source.data - (<Node>node.original).sources[k].data
        if source.owner == NULL:
            bound.value = self.program.add_constant(source.scalar, dtype_itemsize[source.code])
            self.operands.push_back(bound)
            return bound.value
        made.owner, made.data = NULL, source.data
        if type(<object>source.owner) is Node:
            read = owner_node(source)
            if read.block is None:
                made.owner = <PyObject*>read
            else:
                made.data += <size_t>read.block.memory
        made.code, made.per_row = source.code, per_row
        for axis in range(MAX_FUSED_NDIM):
            made.steps[axis] = 0
        for axis in range(group.ndim - per_row):
            made.steps[axis] = source.steps[axis]
        for i in range(self.inputs.size()):
            if self.inputs[i].owner == made.owner and self.inputs[i].data == made.data \
                    and self.inputs[i].code == made.code \
                    and self.inputs[i].per_row == made.per_row \
                    and memcmp(self.inputs[i].steps, made.steps, sizeof(made.steps)) == 0:
                return self.inputs[i].value
        made.value = self.program.add_input(
            made.data + <size_t>made.owner, made.steps, dtype_itemsize[source.code], per_row
        )
        self.inputs.push_back(made)
        bound.value = made.value
        self.operands.push_back(bound)
        plan.add_input(made.value, source, node.space_ndim, node.space)
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

    cdef int value_of_copy(self, Node node, const int* operands) except -2:
        """The value of an earlier copy of the same elements; -1 if there is none."""
        cdef Copy copy
        cdef bint same
        cdef int k
        for copy in self.copies[node.original]:
            same = True
            for k in range(node.inputs):
                same &= node.sources[k].owner == NULL or copy.operands[k] == operands[k]
            if same:
                return copy.value
        return -1

    cdef int add(
        self, Node node, const Group* group, bint per_row, int mark, PlanRecord plan
    ) except -1:
        """Add the operation of a node."""
        cdef int values[MAX_SOURCES]
        cdef int operands[MAX_SOURCES]
        cdef Node read
        cdef Copy copy
        cdef int k
        cdef bint reads_rows = per_row and node.loop != NULL
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is not None and read.needed == mark:
                operands[k] = read.value
            elif node.sources[k].owner != NULL:
                operands[k] = self.source_value(node, k, reads_rows, group, plan)
        if node.original != NULL:
            node.value = self.value_of_copy(node, operands)
            if node.value >= 0:
                return 0
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if node.sources[k].owner == NULL:
                operands[k] = self.source_value(node, k, reads_rows, group, plan)
            values[k] = operands[k]
            if node.loop != NULL:
                values[k] = self.cast(
                    values[k], node.sources[k].code, node.computed[k],
                    reads_rows or (read is not None and read.needed == mark and read.per_row),
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
        if node.original != NULL:
            copy.value = node.value
            memcpy(copy.operands, operands, sizeof(operands))
            self.copies[node.original].push_back(copy)
        return plan.add_operation(node, node.value, operands)

    cdef int build(
        self, Nodes& sinks, Nodes& nodes, const Group* group, bint rows, PlanRecord plan
    ) except -1:
        """Add the nodes of a group that the sinks need."""
        cdef PyObject* item
        cdef Node node
        cdef int mark
        self.program = new Program(<int>group.ndim, group.dims, rows)
        plan.begin(rows, group.ndim, group.dims)
        mark = mark_needed(sinks, nodes)
        for item in nodes:
            node = <Node>item
            if node.needed == mark and node.block is None and not node.done:
                self.add(node, group, node.per_row, mark, plan)
        self.copies.clear()
        return 0

    cdef int store(self, Node node, char* address, const Group* group) except -1:
        """Have the result of a node stored; of the address only the alignment is used."""
        cdef Py_ssize_t steps[MAX_FUSED_NDIM]
        cdef const Py_ssize_t* stored = result_steps(node)
        cdef Binding bound
        cdef Py_ssize_t axis
        for axis in range(group.ndim):
            steps[axis] = 0 if node.per_row and axis == group.ndim - 1 else stored[axis]
        self.program.store(node.value, address, steps)
        bound.value, bound.node, bound.operand, bound.offset = node.value, node.index, -1, 0
        self.results.push_back(bound)
        return 0

    cdef int prepare(self, bint for_fill, PlanRecord plan) except -1:
        self.program.prepare(for_fill, plan.codegen)
        plan.groups.back().in_registers = self.program.operations_in_registers()
        plan.groups.back().block_elements = self.program.block_elements()
        plan.groups.back().block_bytes = self.program.block_bytes()
        plan.groups.back().copies = self.program.copies()
        return 0

    cdef int bind(self, Nodes& nodes) except -1:
        """Have the program read operands of these nodes."""
        cdef Binding bound
        cdef Source* source
        for bound in self.operands:
            source = &(<Node>nodes[bound.node]).sources[bound.operand]
            if source.owner == NULL:
                self.program.set_constant(bound.value, source.scalar)
            else:
                self.program.set_data(bound.value, address_of(source) + bound.offset)
        return 0

    cdef bint compute(self, Nodes& nodes, PlanRecord plan) except -1:
        cdef Binding bound
        cdef Node node
        cdef char* memory
        cdef bint done, writes = False  # to the memory of a tensor
        self.bind(nodes)
        for bound in self.results:
            node = <Node>nodes[bound.node]
            writes |= node.destination != NULL
            memory = memory_for(node, plan) if node.destination == NULL else node.destination
            if memory == NULL:
                return False
            self.program.set_data(bound.value, memory)
        if writes and self.results.size() > 1:
            # Others of its results may depend on the elements before.
            with nogil:
                done = self.program.run()
        else:
            done = ask_kernel(self.count, run_program, self.program)
        if not done:
            return plan.lacks(BLOCKS)
        for bound in self.results:
            node = <Node>nodes[bound.node]
            node.written = node.destination != NULL
            if node.result is not None or not node.kept:
                finish_computed(node)
        return True


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


@cython.final
@cython.no_gc
cdef class LoopPass(Work):
    """An elementwise operation that is computed alone, as it is when it is not deferred."""

    cdef int node

    cdef bint compute(self, Nodes& nodes, PlanRecord plan) except -1:
        cdef Node node = <Node>nodes[self.node]
        cdef Argument arguments[MAX_SOURCES + 1]
        cdef Source* source
        cdef int k
        arguments[0].data = memory_for(node, plan)
        if arguments[0].data == NULL:
            return False
        arguments[0].strides = node.steps
        arguments[0].cast = NULL
        arguments[0].itemsize = arguments[0].loop_itemsize = dtype_itemsize[node.code]
        for k in range(node.inputs):
            source = &node.sources[k]
            arguments[k + 1].data = address_of(source)
            arguments[k + 1].strides = source.steps
            arguments[k + 1].itemsize = dtype_itemsize[source.code]
            arguments[k + 1].loop_itemsize = dtype_itemsize[node.computed[k]]
            arguments[k + 1].cast = NULL
            if source.code != node.computed[k]:
                arguments[k + 1].cast = cast_kernel(<Dtype>source.code, <Dtype>node.computed[k])
        call_kernel(
            node.count, apply, node.loop, node.inputs + 1, <int>node.space_ndim, node.space,
            arguments,
        )
        finish_computed(node)
        return True


cdef bint is_alone(Nodes& sinks, bint codegen) except -1:
    """Whether a node of a group is computed without others, by a loop of the kernel table."""
    cdef Node read, node = <Node>sinks[0]
    cdef int k
    if sinks.size() > 1 or node.loop == NULL or node.destination != NULL or node.kept:
        return False
    for k in range(node.inputs):
        read = source_node(&node.sources[k])
        if read is not None:
            return False
    return not (codegen and is_streamed_by_chain(node))


cdef bint is_in_registers(kernel loop) noexcept:
    """Whether chains have a loop, of elements other than bool."""
    return has_chains() and chain_itemsize(loop) > 1


cdef bint is_streamed_by_chain(Node node) noexcept:
    """Whether a chain stores a result past the caches: it does so from registers, and a loop of the
    kernel table from a block in the cache.
    """
    cdef const Source* source
    cdef Py_ssize_t last = node.space_ndim - 1
    cdef int k
    if node.count * dtype_itemsize[node.code] < STREAM_FROM or not is_in_registers(node.loop):
        return False
    for k in range(node.inputs):
        source = &node.sources[k]
        if source.code != node.computed[k] \
                or source.steps[last] not in (0, dtype_itemsize[source.code]):
            return False
    return node.steps[last] == dtype_itemsize[node.code]


cdef int plan_alone(Node node, PlanRecord plan) except -1:
    """Plan a node whose operands are computed before."""
    cdef LoopPass work = LoopPass.__new__(LoopPass)
    cdef int operands[MAX_SOURCES]
    cdef const Source* source
    cdef int k
    work.node = node.index
    plan.begin(False, node.space_ndim, node.space)
    for k in range(node.inputs):
        source = &node.sources[k]
        operands[k] = k
        if source.owner != NULL:
            operands[k] = plan.number_of_input(source, k)
            if operands[k] == k:
                plan.add_input(k, source, node.space_ndim, node.space)
    plan.add_operation(node, node.inputs, operands)
    node.done = True
    return plan.add_work(work)


cdef int plan_group(Nodes& sinks, Nodes& nodes, const Group* group, PlanRecord plan) except -1:
    """Plan a pass that computes nodes of a group; on devices other than the CPU compute them."""
    cdef Pass work
    cdef PyObject* item
    cdef Node node = <Node>sinks[0]
    cdef Py_ssize_t axis
    if node.device is not CPU:
        return executor_of(node).run_group(sinks, nodes, group, plan)
    if is_alone(sinks, plan.codegen):
        return plan_alone(node, plan)
    work = Pass.__new__(Pass)
    work.build(sinks, nodes, group, group.rows, plan)
    for item in sinks:
        node = <Node>item
        work.store(node, <char*>UNCOMPUTED if node.destination == NULL else node.destination, group)
        node.done = True
    work.prepare(False, plan)
    work.count = 1
    for axis in range(group.ndim):
        work.count *= group.dims[axis]
    return plan.add_work(work)


cdef char* address_of(Source* source):
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


cdef int plan_reductions(
    Nodes& reductions, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Plan reductions that end groups, several in one pass where possible; `reductions` are none
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
        if together.size() == 1 or not plan_jointly(together, nodes, groups, plan):
            for item in together:
                plan_reduction(<Node>item, nodes, groups, plan)
        reductions.swap(others)
    return 0


cdef int plan_reduction(
    Node node, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Plan a reduction that ends a group, after its operand if both cannot be in one pass."""
    cdef Node read = source_node(&node.sources[0])
    cdef Nodes alone, reads
    if node.device is not CPU:
        return executor_of(node).run_reduction(
            node, nodes, &groups[node.group if read is None else read.group], plan
        )
    alone.push_back(<PyObject*>node)
    if not plan_jointly(alone, nodes, groups, plan):
        reads.push_back(<PyObject*>read)
        plan_group(reads, nodes, &groups[read.group], plan)
        plan_jointly(alone, nodes, groups, plan)
    return 0


@cython.final
@cython.no_gc
cdef class JointPass(Work):
    """One or several reductions, and the passes that compute their operands."""

    cdef int count
    cdef Py_ssize_t ndim
    cdef Py_ssize_t space[MAX_FUSED_NDIM]
    cdef Py_ssize_t operand_steps[MAX_FUSED_NDIM]
    cdef Py_ssize_t steps[MAX_FUSED_NDIM]
    cdef cppbool marked[MAX_FUSED_NDIM]
    cdef JointReduction joint[MAX_JOINT_REDUCTIONS]
    cdef int node[MAX_JOINT_REDUCTIONS]
    cdef Pass last            # a list of the passes, of a group each
    cdef ElementSource elements[MAX_JOINT_REDUCTIONS]

    cdef bint compute(self, Nodes& nodes, PlanRecord plan) except -1:
        cdef Pass work = self.last
        cdef Node node
        cdef int k
        while work is not None:
            work.bind(nodes)
            work = work.before
        for k in range(self.count):
            node = <Node>nodes[self.node[k]]
            if self.joint[k].source == NULL:
                self.joint[k].data = address_of(&node.sources[0])
            self.joint[k].out = memory_for(node, plan)
            if self.joint[k].out == NULL:
                return False
        if not ask_kernel(
            RELEASE_GIL, reduce_jointly, self.count, self.joint, <int>self.ndim, self.space,
            self.operand_steps, self.marked, self.steps,
        ):
            return plan.lacks(ACCUMULATORS, self.joint[0].operation)
        for k in range(self.count):
            finish_computed(<Node>nodes[self.node[k]])
        return True


cdef bint plan_jointly(
    Nodes& reductions, Nodes& nodes, vector[Group]& groups, PlanRecord plan
) except -1:
    """Plan one or several reductions in one pass; false if that is not possible."""
    cdef JointPass made = JointPass.__new__(JointPass)
    # Passes that compute operands, of a group each: the group, and the nodes.
    cdef int pass_group[MAX_JOINT_REDUCTIONS]
    cdef Nodes reads[MAX_JOINT_REDUCTIONS]
    cdef int passes = 0
    cdef const Source* source
    cdef PyObject* item
    cdef Node read, node = <Node>reductions[0]
    cdef Pass work
    cdef size_t planned = plan.groups.size()
    cdef int k, p, array, operand
    cdef Py_ssize_t axis
    made.count, made.ndim = <int>reductions.size(), node.space_ndim
    for axis in range(node.space_ndim):
        made.space[axis], made.operand_steps[axis] = node.space[axis], node.sources[0].steps[axis]
    lay_out_result(node, made.steps, made.marked)
    for k in range(made.count):
        node = <Node>reductions[k]
        source = &node.sources[0]
        made.node[k] = node.index
        made.joint[k].operation, made.joint[k].correction = \
            <Operation>node.operation, node.correction
        made.joint[k].input, made.joint[k].result = <Dtype>source.code, <Dtype>node.code
        made.joint[k].source = NULL
        made.joint[k].array = 0
        read = source_node(source)
        if read is None:
            continue
        p = 0
        while p < passes and pass_group[p] != read.group:
            p += 1
        if p == passes:
            pass_group[p] = read.group
            passes += 1
        array = 0
        while array < <int>reads[p].size() and reads[p][array] != <PyObject*>read:
            array += 1
        if array == <int>reads[p].size():
            reads[p].push_back(<PyObject*>read)
        made.elements[p].base = <char*>UNCOMPUTED
        made.joint[k].source, made.joint[k].array = &made.elements[p], array
        made.joint[k].data = made.elements[p].base + <size_t>source.data
    if passes and not can_be_computed(
        made.count, made.joint, <int>made.ndim, made.space, made.operand_steps, made.marked,
        made.steps,
    ):
        return False
    for p in range(passes):
        work = Pass.__new__(Pass)
        work.before, made.last = made.last, work
        work.build(reads[p], nodes, &groups[pass_group[p]], False, plan)
        for item in reads[p]:
            work.store(<Node>item, made.elements[p].base, &groups[pass_group[p]])
        work.prepare(True, plan)
        made.elements[p].fill, made.elements[p].context = fill_from, work.program
        made.elements[p].arrays = <int>reads[p].size()
    if not passes:
        plan.begin(False, made.ndim, made.space)
    for p in range(<int>planned, <int>plan.groups.size()):
        plan.groups[p].reduction = True
    for k in range(made.count):
        node = <Node>reductions[k]
        source = &node.sources[0]
        if made.joint[k].source != NULL:
            operand = source_node(source).value
        else:
            operand = -2 - k  # programs use numbers >= 0
            if source.owner != NULL:
                operand = plan.number_of_input(source, operand)
                if operand == -2 - k:
                    plan.add_input(operand, source, node.space_ndim, node.space)
        node.stored = node.stored or REDUCTION
        plan.add_operation(node, -1, &operand)
    for item in reductions:
        (<Node>item).done = True
    plan.add_work(made)
    return True
