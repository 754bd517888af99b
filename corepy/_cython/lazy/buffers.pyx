# distutils: language = c++
"""Backends whose memory has no addresses: libraries' buffers, with elements at offsets.

Their tensors have addresses in a space of their own, in which each buffer has a range, so that the
core makes views and deferred operations know what they read. Groups of deferred operations are
given to the backend as programs: lists of inputs and operations.
"""

cimport cython
from cpython.object cimport PyObject
from libc.stdint cimport uintptr_t

from corepy._cython.core cimport (
    Backend, before_write, Block, CODES, deferring_backend, Device, dtype_itemsize, DTYPES,
    finish_view, materialize, may_defer, may_defer_any, NAMES, OP_COUNT, Operation, read_only_error,
    Tensor, tensor_at, VALUE, WRITEABLE,
)
from corepy._cython.lazy.groups cimport Group, owner_node, source_node
from corepy._cython.lazy.nodes cimport finish, Node, Nodes, REDUCTION, Source
from corepy._cython.lazy.passes cimport Executor, MAX_KERNEL_STEPS, nodes_needed
from corepy._cython.lazy.records cimport PlanRecord

# Buffers begin at multiples of a page, behind all earlier ones.
cdef enum:
    PAGE = 4096
cdef uintptr_t next_address = <uintptr_t>1 << 40


def block_over(buffer, Py_ssize_t nbytes):
    """Return the block of a new buffer. Nothing else may refer to the buffer."""
    global next_address
    cdef Block block = Block.__new__(Block)
    block.memory = <void*>next_address
    block.capacity = nbytes
    block.owner = buffer
    next_address += (nbytes // PAGE + 1) * PAGE
    return block


def buffer_of(Block block not None):
    """Return the buffer of a block."""
    return block.owner


def bytes_of(Block block not None):
    """Return the bytes of the buffer of a block."""
    return block.capacity


@cython.binding(False)
cdef class BufferBackend(Backend):
    """A backend whose tensors are stored in blocks of `block_over`, or as constants of its own.

    A subclass defines `native_dtypes(device)`, the dtypes that programs may have,
    `fused()`, the names of the operations, `max_buffers(device)`, how many inputs and results,
    `compute_group` and `reduce_group`, and `stored_in_order(x)`, the block of a new tensor in C
    order.
    """

    cdef dict natives  # index of a device -> the codes of the dtypes, a bit for each
    cdef set operations

    def __init__(self, str name=None):
        super().__init__(name)
        self.natives = {}
        self.executor = BufferExecutor.__new__(BufferExecutor)
        (<BufferExecutor>self.executor).backend = self

    def tensor_in(
        self, Block block not None, dtype, tuple shape not None, tuple strides not None,
        Py_ssize_t offset, Device device not None,
    ):
        """Return the Tensor of elements in a block; strides and offset count elements."""
        cdef Py_ssize_t dims[64]
        cdef Py_ssize_t axis
        cdef int code = CODES[dtype]
        cdef int itemsize = dtype_itemsize[code]
        cdef Tensor x
        for axis in range(len(shape)):
            dims[axis] = shape[axis]
        x = tensor_at(
            device, block, <char*>block.memory + offset * itemsize, code, len(shape), dims
        )
        for axis in range(len(shape)):
            x.steps[axis] = strides[axis] * itemsize
        value = x.flags & VALUE
        finish_view(x)
        x.flags |= value
        return x

    def layout(self, Tensor x not None):
        """Return the block of a tensor, its strides and its offset in elements; the strides are
        None if it is not stored in a block.
        """
        cdef int itemsize
        cdef Py_ssize_t axis
        materialize(x)
        if x.backend is not self:
            raise ValueError(f"unwrap: the tensor is on {x.device}, not on a device of {self!r}")
        if type(x.storage) is not Block:
            return x.storage, None, 0
        itemsize = dtype_itemsize[x.code]
        strides = tuple([x.steps[axis] // itemsize for axis in range(x.ndim)])
        return x.storage, strides, (x.data - <char*>(<Block>x.storage).memory) // itemsize

    def put_in(self, Tensor x not None, Block block not None):
        """Give a constant a block with its element, so that it can be written."""
        x.storage = block
        x.data = <char*>block.memory

    def prepare_write(self, Tensor x not None):
        """Compute what is deferred and reads the memory of a tensor; it must not be read-only."""
        if not x.flags & WRITEABLE:
            raise read_only_error("setitem")
        before_write(x)

    cdef bint takes(self, Operation op, int compute, int code, Device device) except -1:
        """Whether a program may have an operation."""
        if device.index not in self.natives:
            bits = 0
            for dtype in self.native_dtypes(device):
                bits |= 1 << CODES[dtype]
            self.natives[device.index] = bits
            self.operations = self.fused()
        bits = self.natives[device.index]
        return bits >> compute & 1 and bits >> code & 1 and (
            op == OP_COUNT or NAMES[<int>op] in self.operations
        )

    cpdef object unary(self, Operation op, Tensor x):
        return deferring_backend().unary(op, x) if may_defer(x) else Backend.unary(self, op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        if may_defer_any(x1, x2):
            return deferring_backend().binary(op, x1, x2)
        return Backend.binary(self, op, x1, x2)

    cpdef object where(self, Tensor condition, object x1, object x2):
        if may_defer_any(x1, x2) or may_defer_any(condition, x1) or may_defer_any(condition, x2):
            return deferring_backend().where(condition, x1, x2)
        return Backend.where(self, condition, x1, x2)

    cpdef object clip(self, Tensor x, object low, object high):
        if may_defer_any(x, low) or may_defer_any(x, high):
            return deferring_backend().clip(x, low, high)
        return Backend.clip(self, x, low, high)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        if may_defer(x) and CODES[dtype] != x.code:  # copies are not deferred
            return deferring_backend().astype(x, dtype, copy)
        return Backend.astype(self, x, dtype, copy)

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    ):
        if may_defer(x):
            return deferring_backend().reduce(op, x, axis, keepdims, dtype, correction)
        return Backend.reduce(self, op, x, axis, keepdims, dtype, correction)


@cython.final
cdef class BufferExecutor(Executor):
    """Gives deferred operations to a backend as programs."""

    cdef BufferBackend backend

    cdef bint takes(self, int operation, int compute, int code, Device device) except -1:
        return self.backend.takes(<Operation>operation, compute, code, device)

    cdef object kernel_of(
        self, list nodes, int first, int last, list stored, const Group* group
    ):
        cdef Program program = Program.of(nodes, first, last, group)
        within = len(program.inputs) + len(stored) <= self.backend.max_buffers(<Device>group.device)
        return program if within else None

    cdef int describe(
        self, object work, list nodes, int first, const Group* group, PlanRecord plan
    ) except -1:
        return (<Program>work).describe(group, plan)

    cdef int store(self, object work, list stored, int first, const Group* group) except -1:
        """Have the backend compute a program, and finish the nodes that it stores."""
        cdef Program program = <Program>work
        cdef Node node
        cdef Py_ssize_t axis
        blocks = self.backend.compute_group(
            <Device>group.device, program.shape, program.inputs, program.steps,
            [node.value - first for node in stored],
            [tuple([node.steps[axis] for axis in range(group.ndim)]) for node in stored],
        )
        for node, block in zip(stored, blocks):
            finish(node, <Block?>block)
        return 0

    cdef int run_reduction(
        self, Node node, Nodes& nodes, const Group* group, PlanRecord plan
    ) except -1:
        cdef const Source* source = &node.sources[0]
        cdef Node read = source_node(source)
        cdef Nodes reads
        cdef Py_ssize_t axis
        cdef int operand = 0
        cdef bint keepdims = node.ndim == node.space_ndim
        cdef Program program = None
        axes = tuple([axis for axis in range(node.space_ndim) if node.reduced[axis]])
        if read is not None:
            reads.push_back(<PyObject*>read)
            program = self.computed_elements(node, reads, nodes, group)
            if program is None:
                read.stored = read.stored or REDUCTION
                self.run_group(reads, nodes, group, plan)
        if program is None:
            plan.begin(False, node.space_ndim, node.space)
            plan.add_input(operand, source, node.space_ndim, node.space)
        else:
            program.describe(group, plan)
            operand = <int>(len(program.inputs) + len(program.steps)) - 1
            plan.groups.back().in_registers += 1
        plan.groups.back().reduction = True
        node.stored = node.stored or REDUCTION
        plan.add_operation(node, -1, &operand)
        if plan.dry:
            node.done = True
            return 0
        if program is None:
            block = self.reduced(node, axes, keepdims)
        else:
            block = self.backend.reduce_group(
                node.device, NAMES[node.operation], program.shape, program.inputs, program.steps,
                axes, DTYPES[node.code],
            )
        return finish(node, <Block?>block)

    cdef Program computed_elements(
        self, Node node, Nodes& reads, Nodes& nodes, const Group* group
    ):
        """The program whose last value a kernel reduces; None if it cannot."""
        cdef list needed = nodes_needed(reads, nodes)
        cdef const Source* source = &node.sources[0]
        cdef Node read = <Node>reads[0]
        cdef Program program
        cdef Py_ssize_t axis
        if source.data != NULL or node.space_ndim != read.ndim:
            return None  # a part of it
        for axis in range(read.ndim):
            if node.space[axis] != read.dims[axis] or (
                read.dims[axis] > 1 and source.steps[axis] != read.steps[axis]
            ):
                return None
        if len(needed) > MAX_KERNEL_STEPS or node.count == 0 \
                or NAMES[node.operation] not in ("sum", "prod", "max", "min", "mean") \
                or not self.takes(OP_COUNT, node.sources[0].code, node.code, node.device):
            return None
        program = Program.of(needed, 0, <int>len(needed), group)
        within = len(program.inputs) + 1 <= self.backend.max_buffers(<Device>group.device)
        return program if within and 0 not in program.shape else None

    cdef object reduced(self, Node node, tuple axes, bint keepdims):
        """The block of the result of a reduction of elements in memory."""
        cdef const Source* source = &node.sources[0]
        cdef Block block = owner_of(source)
        cdef char* data = source.data
        cdef Py_ssize_t axis
        if type(<object>source.owner) is Node:
            data += <size_t>block.memory
        cdef Tensor x = tensor_at(
            node.device, block, data, source.code, node.space_ndim, node.space
        )
        for axis in range(node.space_ndim):
            x.steps[axis] = source.steps[axis]
        finish_view(x)
        params = {"axis": axes, "keepdims": keepdims}
        name = NAMES[node.operation]
        if name in ("argmax", "argmin"):
            params["axis"] = axes[0] if len(axes) < x.ndim else None
        elif name in ("sum", "prod"):
            params["dtype"] = DTYPES[node.code]
        elif name in ("std", "var"):
            params["correction"] = node.correction
        # By its name: methods of the backend would defer conversions.
        out = self.backend.execute_checked(name, (x,), params)
        return self.backend.stored_in_order(out)

    cdef object unary(self, Operation op, Tensor x):
        return Backend.unary(self.backend, op, x)

    cdef object binary(self, Operation op, object x1, object x2):
        return Backend.binary(self.backend, op, x1, x2)

    cdef object where(self, Tensor condition, object x1, object x2):
        return Backend.where(self.backend, condition, x1, x2)

    cdef object clip(self, Tensor x, object low, object high):
        return Backend.clip(self.backend, x, low, high)

    cdef object astype(self, Tensor x, object dtype, bint copy):
        return Backend.astype(self.backend, x, dtype, copy)

    cdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype, double correction
    ):
        return Backend.reduce(self.backend, op, x, axis, keepdims, dtype, correction)


cdef Block owner_of(const Source* source):
    """The block of an operand in memory."""
    if type(<object>source.owner) is Node:
        return owner_node(source).block
    return <Block>source.owner


@cython.final
cdef class Program:
    """The inputs and operations of nodes, as `BufferBackend.compute_group` takes them."""

    cdef list nodes
    cdef list inputs   # (block or bytes of a constant, code, strides, offset): in elements
    cdef list steps    # (name, code that it computes in, code of the result, operands)
    cdef tuple shape
    cdef int first     # the index of the first node
    cdef dict numbers  # what identifies an input -> its number
    cdef list sources  # of the inputs: node and operand

    @staticmethod
    cdef Program of(list nodes, int first, int last, const Group* group):
        """Nodes [first, last) of a list, whose `value` is their index in it."""
        cdef Program program = Program.__new__(Program)
        cdef Node node, read
        cdef Py_ssize_t axis
        cdef int k, number
        program.nodes, program.first = nodes[first:last], first
        program.inputs, program.steps, program.numbers, program.sources = [], [], {}, []
        program.shape = tuple([group.dims[axis] for axis in range(group.ndim)])
        for node in program.nodes:
            operands = []
            for k in range(node.inputs):
                read = source_node(&node.sources[k])
                number = ~program.input(node, k, group) if read is None else read.value - first
                operands.append(number)
            name = "astype" if node.operation == OP_COUNT else NAMES[node.operation]
            compute = node.computed[node.inputs - 1]
            program.steps.append((name, DTYPES[compute], DTYPES[node.code], operands))
        return program

    cdef int input(self, Node node, int k, const Group* group) except -1:
        """The number of an operand that is a constant or in memory."""
        cdef const Source* source = &node.sources[k]
        cdef char* data = source.data
        cdef Py_ssize_t axis
        cdef int itemsize = dtype_itemsize[source.code]
        cdef Block block = None
        if source.owner == NULL:
            found = source.code, source.scalar[:itemsize]
        elif type(<object>source.owner) is Node and owner_node(source).block is None:
            found = source.code, <uintptr_t>source.owner, <uintptr_t>data  # of a dry plan
        else:
            block = owner_of(source)
            if type(<object>source.owner) is Node:
                data += <size_t>block.memory
            strides = tuple([source.steps[axis] // itemsize for axis in range(group.ndim)])
            found = source.code, <uintptr_t>data, strides
        if found not in self.numbers:
            self.numbers[found] = len(self.inputs)
            self.sources.append((node, k))
            if block is None:
                self.inputs.append((DTYPES[source.code], None, source.scalar[:itemsize], 0))
            else:
                offset = (data - <char*>block.memory) // itemsize
                self.inputs.append((DTYPES[source.code], block, strides, offset))
        return self.numbers[found]

    cdef int describe(self, const Group* group, PlanRecord plan) except -1:
        """Add inputs and operations to a plan."""
        cdef Node node
        cdef int values[3]
        cdef int k, number, count = <int>len(self.inputs)
        plan.begin(False, group.ndim, group.dims)
        plan.groups.back().in_registers = <Py_ssize_t>len(self.steps)
        for number, (node, k) in enumerate(self.sources):
            if node.sources[k].owner != NULL:
                plan.add_input(number, &node.sources[k], group.ndim, group.dims)
        for node, (_, _, _, operands) in zip(self.nodes, self.steps):
            for k in range(node.inputs):
                number = operands[k]
                values[k] = ~number if number < 0 else count + number
            plan.add_operation(node, count + node.value - self.first, values)
        return 0
