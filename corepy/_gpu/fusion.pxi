# Deferred operations: a group is one kernel, whose template arguments describe its operations.
#
# Needs elementwise, kernels, reductions.

cimport cython
from cpython.object cimport PyObject
from libcpp cimport bool as cppbool
from libcpp.vector cimport vector

from corepy._cython.lazy.passes cimport Executor, nodes_needed
from corepy._cython.lazy.groups cimport Group, source_node
from corepy._cython.lazy.nodes cimport (
    finish, MAX_FUSED_NDIM, Node, Nodes, REDUCTION, result_steps, Source,
)
from corepy._cython.lazy.records cimport PlanRecord

cdef extern from "fusion.hpp" namespace "corepy" nogil:
    cdef enum:
        MAX_FUSED_OPERANDS
    cdef struct FusedStep:
        int number, operation, compute, code, count
        int[3] values "from"
    cdef struct FusedOperand:
        int number, code
    cdef cppclass FusedWork:
        int ndim, operands, inputs, steps
        char* data[MAX_FUSED_OPERANDS]
        int itemsizes[MAX_FUSED_OPERANDS]
        char scalars[MAX_FUSED_OPERANDS][16]
        unsigned single
        bint runs, vector, wide
        int bucket, pack
        void add_axis(Py_ssize_t, const Py_ssize_t*)
        void plan(int)
        int launch(const Launch&)
        int launch(const Launch&, const Reduction&)

cdef enum:
    # Limits of kernels that compute the operands of a reduction: the code of the steps is repeated
    # several times, and argument records have the axes of both.
    MAX_REDUCED_STEPS = 16
    MAX_REDUCED_OPERANDS = 16


cdef object new_executor(GpuBackend backend):
    cdef GpuExecutor executor = GpuExecutor.__new__(GpuExecutor)
    executor.backend = backend
    return executor


@cython.final
cdef class FusedPass:
    """Operations of a group that one kernel computes, limited by the number of its operands."""

    cdef FusedWork work
    cdef vector[FusedOperand] reads, writes
    cdef vector[FusedStep] steps
    cdef vector[const Source*] sources  # of `reads`
    cdef Py_ssize_t strides[MAX_FUSED_NDIM][MAX_FUSED_OPERANDS]
    cdef int values

    cdef int read(self, Node node, int k, const Group* group) except -2:
        """The value of an operand that is a constant or in memory; -1 if there are too many."""
        cdef const Source* source = &node.sources[k]
        cdef int number = <int>self.reads.size()
        cdef char* data = NULL
        cdef Py_ssize_t axis
        cdef int i
        cdef bint same
        if source.owner != NULL:
            data = source.data
            if type(<object>source.owner) is Node:
                # In a dry plan, any unique address.
                data += <size_t>source.owner if (<Node>source.owner).block is None \
                    else <size_t>(<Node>source.owner).block.memory
            for i in range(number):
                same = self.work.data[i] == data and self.reads[i].code == source.code
                for axis in range(group.ndim):
                    same &= self.strides[axis][i] == source.steps[axis]
                if same:
                    return self.reads[i].number
        if number == MAX_FUSED_OPERANDS:
            return -1
        self.work.data[number] = data
        self.work.itemsizes[number] = dtype_itemsize[source.code]
        memcpy(self.work.scalars[number], source.scalar, 16)
        for axis in range(group.ndim):
            self.strides[axis][number] = 0 if data == NULL else source.steps[axis]
        self.sources.push_back(source)
        self.reads.push_back(FusedOperand(self.values, source.code))
        self.values += 1
        return self.values - 1

    cdef bint add(self, list nodes, int first, int last, int stored, const Group* group) except -1:
        """Add nodes [first, last) of the list, whose `value` is their index in it; false if there
        are too many operands.
        """
        cdef FusedStep step
        cdef Node node, read
        cdef int position, k
        for position in range(first, last):
            node = <Node>nodes[position]
            for k in range(3):
                step.values[k] = -1
            for k in range(node.inputs):
                read = source_node(&node.sources[k])
                if read is not None:
                    step.values[k] = self.steps[read.value - first].number
                else:
                    step.values[k] = self.read(node, k, group)
                    if step.values[k] < 0:
                        return False
            step.number = self.values
            self.values += 1
            step.operation, step.count, step.code = node.operation, node.inputs, node.code
            step.compute = node.computed[node.inputs - 1]
            self.steps.push_back(step)
        self.work.steps = <int>self.steps.size()
        self.work.inputs = <int>self.reads.size()
        return self.work.inputs + stored <= MAX_FUSED_OPERANDS

    cdef int write(self, Node node, int value, char* address, const Group* group) except -1:
        """Store a value as the result of a node."""
        cdef int k = self.work.inputs + <int>self.writes.size()
        cdef Py_ssize_t axis
        self.work.data[k] = address
        self.work.itemsizes[k] = dtype_itemsize[node.code]
        for axis in range(group.ndim):
            self.strides[axis][k] = result_steps(node)[axis]
        self.writes.push_back(FusedOperand(value, node.code))
        return 0

    cdef int describe(self, list nodes, int first, const Group* group, PlanRecord plan) except -1:
        """Add inputs and operations to a plan."""
        cdef size_t k
        plan.begin(False, group.ndim, group.dims)
        plan.groups.back().in_registers = self.work.steps
        for k in range(self.reads.size()):
            if self.sources[k].owner != NULL:
                plan.add_input(
                    self.reads[k].number, self.sources[k], group.ndim, group.dims
                )
        for k in range(self.steps.size()):
            plan.add_operation(
                <Node>nodes[first + k], self.steps[k].number, self.steps[k].values
            )
        return 0

    cdef int add_axes(self, const Group* group) except -1:
        cdef Py_ssize_t axis
        self.work.operands = self.work.inputs + <int>self.writes.size()
        for axis in range(group.ndim):
            self.work.add_axis(group.dims[axis], self.strides[axis])
        return 0

    cdef int launch(self, GpuBackend backend, Device device, const Group* group) except -1:
        """Launch a kernel that stores results."""
        cdef Launch launch
        cdef string key
        self.add_axes(group)
        self.work.plan(0)
        key = self.key(device, 0)
        if not find_fused(backend, &launch, device, key):
            kernel = f"Run<{constant(self.work.vector)}, {self.group()}>"
            if not self.work.runs:
                kernel = (
                    f"Box<{self.work.bucket}, {constant(self.work.vector)}, "
                    f"{constant(self.work.wide)}, {self.group()}>"
                )
            add_fused(backend, &launch, device, key, f"corepy::fusion::{kernel}")
        return launched(backend, "compute", self.work.launch(launch))

    cdef int find_reduction(
        self, GpuBackend backend, Launch* launch, Operation op, Tensor x, int compute,
        Reduction& work, Tensor out, uint64_t key,
    ) except -1:
        """Find or compile the kernel of a reduction, identified by `key`, of computed elements."""
        cdef string full_key
        self.work.plan(work.pack)
        full_key = self.key(out.device, key)
        if not find_fused(backend, launch, out.device, full_key):
            source = (
                f", corepy::fusion::Elements<{0 if self.work.runs else self.work.bucket}, "
                f"{self.work.pack}, {constant(self.work.wide)}, {self.group()}>"
            )
            add_fused(
                backend, launch, out.device, full_key,
                reduction_kernel(op, x, compute, work, out, source),
            )
        return 0

    cdef string key(self, Device device, uint64_t reduction):
        """The key of the kernel: its template arguments and the device."""
        cdef string key
        cdef size_t k
        cdef int i
        append(key, device.index)
        for i in range(8):
            append(key, reduction >> 8 * i & 255)
        append(key, self.work.runs | self.work.vector << 1 | self.work.wide << 2)
        append(key, self.work.bucket)
        for i in range(4):
            append(key, self.work.single >> 8 * i & 255)
        append(key, self.work.inputs)
        append(key, self.work.steps)
        for k in range(self.reads.size()):
            append(key, self.reads[k].number)
            append(key, self.reads[k].code)
        for k in range(self.steps.size()):
            append(key, self.steps[k].operation)
            append(key, self.steps[k].compute)
            append(key, self.steps[k].code)
            for i in range(self.steps[k].count):
                append(key, self.steps[k].values[i])
        for k in range(self.writes.size()):
            append(key, self.writes[k].number)
        return key

    cdef str group(self):
        """The C++ type of the group."""
        cdef list reads = [], steps = [], writes = []
        cdef size_t k
        cdef int i
        for k in range(self.reads.size()):
            reads.append(
                f"corepy::fusion::Read<{self.reads[k].number}, {k}, "
                f"{CUDA_TYPES[self.reads[k].code]}, {constant(self.work.single >> k & 1)}>"
            )
        for k in range(self.steps.size()):
            name = "copy"
            if self.steps[k].operation != OP_COUNT:
                name = NAMES[self.steps[k].operation]
            values = "".join(
                [f", {self.steps[k].values[i]}" for i in range(self.steps[k].count)]
            )
            steps.append(
                f"corepy::fusion::Step<{self.steps[k].number}, "
                f"corepy::op::{name}<{CUDA_TYPES[self.steps[k].compute]}>, "
                f"{CUDA_TYPES[self.steps[k].code]}{values}>"
            )
        for k in range(self.writes.size()):
            writes.append(
                f"corepy::fusion::Write<{self.writes[k].number}, {self.work.inputs + k}, "
                f"{CUDA_TYPES[self.writes[k].code]}>"
            )
        return (
            f"corepy::fusion::Group<corepy::fusion::Reads<{', '.join(reads)}>, "
            f"corepy::fusion::Steps<{', '.join(steps)}>, "
            f"corepy::fusion::Writes<{', '.join(writes)}>>"
        )


cdef inline void append(string& key, int value) noexcept:
    key.push_back(<char>value)


cdef bint find_fused(
    GpuBackend backend, Launch* launch, Device device, const string& key
) except -1:
    """`find_kernel` for keys of any length."""
    set_stream(backend, launch, device)
    launch.function = backend.fused[key]
    return launch.function != NULL


cdef int add_fused(
    GpuBackend backend, Launch* launch, Device device, const string& key, str kernel
) except -1:
    """`add_kernel` for keys of any length."""
    address = backend._runtime.kernel(kernel, device.index)
    backend.fused[key] = launch.function = <void*><uintptr_t>address
    return 0


@cython.final
cdef class GpuExecutor(Executor):
    """Computes deferred operations on the devices of a GPU backend."""

    cdef GpuBackend backend

    cdef object kernel_of(
        self, list nodes, int first, int last, list stored, const Group* group
    ):
        cdef FusedPass work = FusedPass.__new__(FusedPass)
        return work if work.add(nodes, first, last, <int>len(stored), group) else None

    cdef int describe(
        self, object work, list nodes, int first, const Group* group, PlanRecord plan
    ) except -1:
        return (<FusedPass>work).describe(nodes, first, group, plan)

    cdef int store(self, object kernel, list stored, int first, const Group* group) except -1:
        """Launch a kernel and finish the nodes that it stores."""
        cdef FusedPass work = <FusedPass>kernel
        cdef Device device = <Device>group.device
        cdef Node node
        cdef Block block
        cdef list blocks = []
        for node in stored:
            block = None
            if node.destination == NULL:
                block = self.backend.block_on(device, node.count * dtype_itemsize[node.code])
            blocks.append(block)
            work.write(
                node, work.steps[node.value - first].number,
                node.destination if block is None else <char*>block.memory, group,
            )
        if node.count:
            work.launch(self.backend, device, group)
        for node, block in zip(stored, blocks):
            node.written = node.destination != NULL
            if block is not None or not node.kept:
                finish(node, block)
        return 0

    cdef int run_reduction(
        self, Node node, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1:
        cdef const Source* source = &node.sources[0]
        cdef Node read = source_node(source)
        cdef FusedPass computed = None
        cdef Nodes reads
        cdef int operand = 0
        if read is not None:
            reads.push_back(<PyObject*>read)
            computed = self.computed_elements(reads, nodes, group, plan)
            if computed is None:
                read.stored = read.stored or REDUCTION
                self.run_group(reads, nodes, group, plan)
            else:
                operand = computed.steps.back().number
        if computed is None:
            plan.begin(False, node.space_ndim, node.space)
            plan.add_input(operand, source, node.space_ndim, node.space)
        else:
            plan.groups.back().in_registers = computed.work.steps + 1
        plan.groups.back().reduction = True
        node.stored = node.stored or REDUCTION
        plan.add_operation(node, -1, &operand)
        if plan.dry:
            node.done = True
            return 0
        return self.reduce_array(node, computed)

    cdef FusedPass computed_elements(
        self, Nodes& reads, Nodes& nodes, const Group* group, PlanRecord plan
    ):
        """The pass that computes the operand of a reduction in its kernel; None if it is too large.
        """
        cdef list needed = nodes_needed(reads, nodes)
        cdef FusedPass work = FusedPass.__new__(FusedPass)
        cdef int count = <int>len(needed)
        if count > MAX_REDUCED_STEPS or not work.add(needed, 0, count, 1, group) \
                or work.work.inputs + 1 > MAX_REDUCED_OPERANDS:
            return None
        work.write(<Node>reads[0], work.steps.back().number, NULL, group)
        work.add_axes(group)
        work.describe(needed, 0, group, plan)
        return work

    cdef int reduce_array(self, Node node, FusedPass computed) except -1:
        """Compute a reduction of an array or of computed elements."""
        cdef const Source* source = &node.sources[0]
        cdef char* data = source.data
        cdef cppbool marked[MAX_NDIM]
        cdef Py_ssize_t elements = 1, axis
        cdef Tensor x, out
        if computed is None and type(<object>source.owner) is Node:
            data += <size_t>(<Node>source.owner).block.memory
        x = tensor_at(node.device, None, data, source.code, node.space_ndim, node.space)
        for axis in range(node.space_ndim):
            x.steps[axis] = source.steps[axis]
            marked[axis] = node.reduced[axis]
            if marked[axis]:
                elements *= x.dims[axis]
        out = self.backend.empty_on(node.device, node.code, node.ndim, node.dims)
        if elements == 0:
            reduced_nothing(self.backend, <Operation>node.operation, out)
        elif out.count:
            launch_reduction(
                self.backend, <Operation>node.operation, x, marked, node.ndim == node.space_ndim,
                node.computed[0], elements, node.correction, out, computed,
            )
        return finish(node, <Block>out.storage)

    cdef object unary(self, Operation op, Tensor x):
        return gpu_unary(self.backend, op, x)

    cdef object binary(self, Operation op, object x1, object x2):
        return gpu_binary(self.backend, op, x1, x2)

    cdef object where(self, Tensor condition, object x1, object x2):
        return gpu_where(self.backend, condition, x1, x2)

    cdef object clip(self, Tensor x, object low, object high):
        return gpu_clip(self.backend, x, low, high)

    cdef object astype(self, Tensor x, object dtype, bint copy):
        return gpu_astype(self.backend, x, dtype, copy)

    cdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    ):
        return gpu_reduce(self.backend, op, x, axis, keepdims, dtype, correction)
