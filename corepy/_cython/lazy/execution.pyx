# distutils: language = c++
"""Computing nodes: in groups, each in one pass over its elements.

A look at a deferred tensor computes its node, together with the other nodes that wait and share
something with it. Nodes of one shape whose operands are there at the same time make a group; a
group is one program (program.hpp), which stores what tensors or other groups refer to and nothing
else. A reduction along the last axis, of rows that are short enough, is part of a group: its result
is a value per row. Other reductions end a group; they have the elements that they read computed a
part at a time, in the parts in which a reduction of an array reads it, and so with the same result.
"""

from libc.stdint cimport int8_t
from libc.string cimport memcmp
from libcpp cimport bool as cppbool
from libcpp.vector cimport vector

import threading

from corepy._cython.core cimport (
    allocate, Block, core_runtime, Dtype, dtype_itemsize, kernel, NAMES, Operation,
    RELEASE_GIL, UNCOMPUTED,
)
from corepy._cython.cpu.runtime cimport use_runtime
from corepy._cython.lazy.nodes cimport (
    finish, is_held, MOST_AXES, MOST_SOURCES, Node, Source, waiting_nodes,
)

cdef extern from "table.hpp" namespace "corepy" nogil:
    kernel cast_kernel(Dtype, Dtype)

cdef extern from "reduce.hpp" namespace "corepy" nogil:
    cdef enum ReduceStatus:
        REDUCE_DONE, REDUCE_NO_MEMORY, REDUCE_NO_RUNS
    enum:
        LONGEST_ROW
    cdef struct ElementSource:
        cppbool (*fill)(const void*, Py_ssize_t, Py_ssize_t, char*) noexcept
        const void* context
        char* base
    ReduceStatus reduce_axes "corepy::reduce"(
        Operation, Dtype, Dtype, int, const Py_ssize_t*, const char*, const Py_ssize_t*,
        const cppbool*, char*, const Py_ssize_t*, double, const ElementSource*,
    ) noexcept

cdef extern from "program.hpp" namespace "corepy" nogil:
    cdef cppclass Program:
        Program(int, const Py_ssize_t*, cppbool) except +
        int add_input(const char*, const Py_ssize_t*, Py_ssize_t, cppbool) except +
        int add_constant(const char*, Py_ssize_t) except +
        int add_loop(kernel, int, const int*, Py_ssize_t, cppbool) except +
        int add_row_reduction(Operation, Dtype, double, int, Py_ssize_t) except +
        void store(int, char*, const Py_ssize_t*)
        void prepare(cppbool) except +
        cppbool run()
        cppbool fill(Py_ssize_t, Py_ssize_t, char*)
        Py_ssize_t block_bytes()
        Py_ssize_t block_elements()

cdef extern from *:
    """
    static bool fill_from(const void* context, ptrdiff_t first, ptrdiff_t n, char* out) {
      return static_cast<const corepy::Program*>(context)->fill(first, n, out);
    }
    """
    cppbool fill_from(const void*, Py_ssize_t, Py_ssize_t, char*) noexcept nogil

use_runtime(core_runtime())

# Nodes of one shape that are computed at the same time; of `rows`, some reduce the last axis.
cdef struct Group:
    int level
    Py_ssize_t ndim
    Py_ssize_t dims[MOST_AXES]
    bint rows

# What an input of a program was made from.
cdef struct Input:
    const char* data
    Py_ssize_t steps[MOST_AXES]
    int8_t code
    bint per_row
    int value

cdef int last_mark = 0


# ---- which nodes

cdef inline Node source_node(const Source* source):
    """The node that an operand is the result of, if it is not computed yet."""
    if source.owner == NULL or type(<object>source.owner) is not Node:
        return None
    return <Node>source.owner if (<Node>source.owner).block is None else None


cdef int collect(Node node, int mark, list found) except -1:
    """Add a node and those that it needs, unless they are marked, and mark them."""
    cdef list stack = [node]
    cdef Node current, read
    cdef int k
    while stack:
        current = <Node>stack.pop()
        if current.mark == mark or current.block is not None:
            continue
        current.mark = mark
        found.append(current)
        for k in range(current.inputs):
            read = source_node(&current.sources[k])
            if read is not None and read.mark != mark:
                stack.append(read)
    return 0


cdef int root_of(vector[int]& parents, int k) noexcept:
    """The representative of a set of nodes."""
    while parents[k] != k:
        parents[k] = parents[parents[k]]
        k = parents[k]
    return k


cdef int collect_related(list targets, int mark, list found) except -1:
    """Add the nodes of tensors that share an operand with some nodes, by way of others perhaps."""
    cdef list nodes = waiting_nodes()
    cdef vector[int] parents
    cdef dict readers = {}   # memory -> a node that reads it
    cdef set wanted
    cdef Node node, read
    cdef int k, number
    for number in range(len(nodes)):
        (<Node>nodes[number]).value = number
        parents.push_back(number)
    for node in nodes:
        for k in range(node.inputs):
            if node.sources[k].owner == NULL:
                continue
            read = source_node(&node.sources[k])
            number = read.value if read is not None else readers.setdefault(
                <size_t>node.sources[k].owner, node.value
            )
            parents[root_of(parents, node.value)] = root_of(parents, number)
    wanted = {root_of(parents, (<Node>target).value) for target in targets}
    for node in nodes:
        # `nodes` and `node` refer to it, too.
        if node.mark != mark and is_held(node, 2) and root_of(parents, node.value) in wanted:
            collect(node, mark, found)
    return 0


cdef list nodes_for(list targets, bint related):
    """The nodes to compute for some that are looked at, in the order of recording: those and what
    they need, and with `related` tensors' other nodes that share an operand with them.
    """
    global last_mark
    cdef list found = []
    cdef list wanted = [node for node in targets if (<Node>node).block is None]
    cdef Node node
    last_mark += 1
    for node in wanted:
        collect(node, last_mark, found)
    if related and wanted:
        collect_related(wanted, last_mark, found)
    found.sort(key=number_of)
    return found


def number_of(Node node not None):
    """Sort key: the order of recording."""
    return node.number


# ---- groups

cdef inline bint same_place(const Source* source, Node reader, Node read) noexcept:
    """Whether an operand is, element by element, the whole result of another node."""
    cdef Py_ssize_t axis
    if source.data != NULL or read.ndim != reader.space_ndim:
        return False
    for axis in range(read.ndim):
        if read.dims[axis] != reader.space[axis] \
                or (read.dims[axis] != 1 and source.steps[axis] != read.steps[axis]):
            return False
    return True


cdef inline bint same_rows(
    const Source* source, Node read, const Group* group, Py_ssize_t ndim
) noexcept:
    """Whether an operand of a node with `ndim` axes is one element of `read` for each row of a
    group's space, or an array that can be read so.
    """
    cdef Py_ssize_t axis
    if source.data != NULL:
        return False
    for axis in range(group.ndim - 1):
        if group.dims[axis] != 1 and (
            read.dims[axis] != group.dims[axis] or source.steps[axis] != read.steps[axis]
        ):
            return False
    return ndim < group.ndim or source.steps[group.ndim - 1] == 0 or group.dims[group.ndim - 1] == 1


cdef inline bint is_shape_of_rows(Node node, const Group* group) noexcept:
    """Whether a node has one element for each row of a group's space."""
    cdef Py_ssize_t axis
    if node.ndim != group.ndim and node.ndim != group.ndim - 1:
        return False
    for axis in range(group.ndim - 1):
        if node.dims[axis] != group.dims[axis]:
            return False
    return node.ndim < group.ndim or node.dims[node.ndim - 1] == 1


cdef bint reduces_rows(Node node) noexcept:
    """Whether a reduction is one of rows that a group can have whole in its blocks."""
    cdef Py_ssize_t last = node.space_ndim - 1
    cdef Py_ssize_t axis, nbytes
    cdef const Source* source = &node.sources[0]
    cdef Py_ssize_t itemsize = dtype_itemsize[source.code]
    if last < 1 or not node.reduced[last] or node.space[last] < 1 or node.count == 0:
        return False
    nbytes = node.space[last] * itemsize
    if nbytes > LONGEST_ROW or source.owner == NULL or source.steps[last] != itemsize:
        return False
    for axis in range(last):
        # The order in which elements are combined is that of rows one after the other.
        if node.reduced[axis] or (
            node.space[axis] > 1 and -nbytes < source.steps[axis] < nbytes
        ):
            return False
    return True


cdef int group_of(
    vector[Group]& groups, int level, Py_ssize_t ndim, const Py_ssize_t* dims
) except -1:
    cdef Group group
    cdef int k
    for k in range(<int>groups.size()):
        if groups[k].level == level and groups[k].ndim == ndim \
                and memcmp(groups[k].dims, dims, ndim * sizeof(Py_ssize_t)) == 0:
            return k
    group.level, group.ndim, group.rows = level, ndim, False
    for k in range(ndim):
        group.dims[k] = dims[k]
    groups.push_back(group)
    return <int>groups.size() - 1


cdef bint joins_rows(Node node, vector[Group]& groups) noexcept:
    """Whether a node is a value per row of the group that its operands are; enters it there."""
    cdef Node read
    cdef const Source* source
    cdef int k, chosen = -1
    for k in range(node.inputs):
        read = source_node(&node.sources[k])
        if read is not None and read.per_row \
                and (chosen < 0 or groups[read.group].level > groups[chosen].level):
            chosen = read.group
    if chosen < 0 or not is_shape_of_rows(node, &groups[chosen]):
        return False
    for k in range(node.inputs):
        source = &node.sources[k]
        read = source_node(source)
        if read is None or read.level < groups[chosen].level:
            continue
        if read.group != chosen or not read.per_row \
                or not same_rows(source, read, &groups[chosen], node.ndim):
            return False
    node.per_row, node.group, node.level = True, chosen, groups[chosen].level
    return True


cdef bint is_inner(const Source* source, Node reader, Node read, vector[Group]& groups) noexcept:
    """Whether an operand is a value of the program that computes its reader."""
    cdef bint reads_rows = reader.per_row and reader.loop != NULL
    if read.full_reduction or reader.full_reduction:
        return False
    if read.per_row:
        if reader.loop == NULL:  # a reduction of values per row is one of another group
            return False
        return (reads_rows or reader.space_ndim == groups[read.group].ndim) \
            and same_rows(source, read, &groups[read.group], reader.space_ndim)
    return not reads_rows and same_place(source, reader, read)


cdef int place_nodes(list nodes, vector[Group]& groups) except -1:
    """Give each node its group, and mark those whose results are stored."""
    cdef Node node, read
    cdef const Source* source
    cdef int k, level
    for node in nodes:
        node.per_row = node.full_reduction = node.by_rows = False
        node.value = 0  # how many reductions read it as it is computed
        # The list, `node`, and the references of tensors and nodes.
        node.stored = is_held(node, 2)
        level = 0
        if node.loop != NULL and joins_rows(node, groups):
            continue
        if node.loop == NULL and not reduces_rows(node):
            node.full_reduction = True
        for k in range(node.inputs):
            source = &node.sources[k]
            read = source_node(source)
            if read is None:
                continue
            if node.full_reduction:
                level = max(level, read.level + read.full_reduction)
            elif is_inner_at(source, node, read, groups):
                level = max(level, read.level)
                node.by_rows |= read.per_row or read.by_rows
            else:
                level = max(level, read.level + 1)
        node.level = level
        node.group = group_of(groups, level, node.space_ndim, node.space)
        if node.loop == NULL and not node.full_reduction:
            node.per_row = True
            groups[node.group].rows = True
    for node in nodes:
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is None:
                continue
            if node.full_reduction:
                # Up to two reductions have their elements computed; for more they are stored.
                read.value += 1
                read.stored |= read.by_rows or read.per_row or read.full_reduction \
                    or read.value > 2
            elif read.group != node.group or not is_inner(&node.sources[k], node, read, groups):
                read.stored = True
    return 0


cdef bint is_inner_at(const Source* source, Node reader, Node read, vector[Group]& groups) noexcept:
    """Whether an operand can be a value of its reader's program, if both are at one level."""
    cdef Group* group = &groups[read.group]
    if reader.loop == NULL:
        return not read.per_row and not read.full_reduction and same_place(source, reader, read)
    if read.per_row and (
        group.ndim != reader.space_ndim
        or memcmp(group.dims, reader.space, group.ndim * sizeof(Py_ssize_t)) != 0
    ):
        return False
    return is_inner(source, reader, read, groups)


# ---- programs

cdef class Pass:
    """A program, and what its values are made from."""

    cdef Program* program
    cdef vector[Input] inputs
    cdef vector[int] cast_from, cast_code, cast_value

    def __dealloc__(self):
        del self.program

    cdef int source_value(self, Node node, int k, bint per_row, const Group* group) except -1:
        """The value of an operand that is there before the program runs."""
        cdef const Source* source = &node.sources[k]
        cdef Input made
        cdef Py_ssize_t axis
        cdef size_t i
        if source.owner == NULL:
            return self.program.add_constant(source.scalar, dtype_itemsize[source.code])
        made.data = source.data
        if type(<object>source.owner) is Node:
            made.data += <size_t>(<Node>source.owner).block.memory
        made.code, made.per_row = source.code, per_row
        for axis in range(MOST_AXES):
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
        return made.value

    cdef int cast(self, int value, int code, int wanted, bint per_row) except -1:
        """The value as another dtype."""
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
        """Add what a node computes."""
        cdef int values[MOST_SOURCES]
        cdef Node read
        cdef int k
        cdef bint reads_rows = per_row and node.loop != NULL
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is not None and read.mark == mark:
                values[k] = read.value
            else:
                values[k] = self.source_value(node, k, reads_rows, group)
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
        return 0

    cdef int build(self, list sinks, list nodes, const Group* group, bint rows) except -1:
        """Add all that some nodes of a group need of it."""
        global last_mark
        cdef Node node, read
        cdef int k, mark
        self.program = new Program(<int>group.ndim, group.dims, rows)
        last_mark += 1
        mark = last_mark
        for node in sinks:
            node.mark = mark
        for node in reversed(nodes):
            if node.mark != mark:
                continue
            for k in range(node.inputs):
                read = source_node(&node.sources[k])
                if read is not None:
                    read.mark = mark
        for node in nodes:
            if node.mark == mark and node.block is None:
                self.add(node, group, node.per_row, mark)
        return 0


cdef int store_at(Pass work, Node node, char* address, const Group* group) except -1:
    cdef Py_ssize_t steps[MOST_AXES]
    cdef Py_ssize_t axis
    for axis in range(group.ndim):
        steps[axis] = 0 if node.per_row and axis == group.ndim - 1 else node.steps[axis]
    work.program.store(node.value, address, steps)
    return 0


cdef int run_group(list sinks, list nodes, const Group* group) except -1:
    """Compute nodes of a group, all in one pass."""
    cdef Pass work = Pass.__new__(Pass)
    cdef Node node
    cdef Py_ssize_t axis, count = 1
    cdef list blocks = []
    cdef bint done
    work.build(sinks, nodes, group, group.rows)
    for node in sinks:
        if node.destination != NULL:
            blocks.append(None)
            store_at(work, node, node.destination, group)
            continue
        block = allocate(max(node.count * dtype_itemsize[node.code], 1))
        blocks.append(block)
        store_at(work, node, <char*>(<Block>block).memory, group)
    for axis in range(group.ndim):
        count *= group.dims[axis]
    work.program.prepare(False)
    if count >= RELEASE_GIL:
        with nogil:
            done = work.program.run()
    else:
        done = work.program.run()
    if not done:
        raise MemoryError("no memory for the blocks of fused operations")
    for node, block in zip(sinks, blocks):
        finish(node, <Block>block)
    return 0


cdef int run_reduction(Node node, list nodes, vector[Group]& groups) except -1:
    """Compute a reduction that ends a group."""
    cdef const Source* source = &node.sources[0]
    cdef Node read = source_node(source)
    cdef Block block = allocate(max(node.count * dtype_itemsize[node.code], 1))
    cdef ElementSource elements
    cdef const ElementSource* computed = NULL
    cdef Py_ssize_t steps[MOST_AXES]
    cdef cppbool marked[MOST_AXES]
    cdef Py_ssize_t axis, kept = 0
    cdef Py_ssize_t count = 1
    cdef const char* data = NULL
    cdef bint keepdims = node.ndim == node.space_ndim
    cdef ReduceStatus status
    cdef Pass work = None
    for axis in range(node.space_ndim):
        count *= node.space[axis]
        marked[axis] = node.reduced[axis]
        if node.reduced[axis]:
            steps[axis] = 0
            kept += keepdims
        else:
            steps[axis] = node.steps[kept]
            kept += 1
    if read is not None:
        work = Pass.__new__(Pass)
        work.build([read], nodes, &groups[read.group], False)
        elements.base = <char*>UNCOMPUTED
        store_at(work, read, elements.base, &groups[read.group])
        work.program.prepare(True)
        elements.fill = fill_from
        elements.context = work.program
        computed = &elements
        data = elements.base + <size_t>source.data
    elif source.owner == NULL:
        data = &source.scalar[0]
    elif type(<object>source.owner) is Node:
        data = source.data + <size_t>(<Node>source.owner).block.memory
    else:
        data = source.data
    with nogil:
        status = reduce_axes(
            <Operation>node.operation, <Dtype>source.code, <Dtype>node.code, <int>node.space_ndim,
            node.space, data, source.steps, marked, <char*>block.memory, steps, node.correction,
            computed,
        )
    if status == REDUCE_NO_RUNS:
        run_group([read], nodes, &groups[read.group])
        return run_reduction(node, nodes, groups)
    if status == REDUCE_NO_MEMORY:
        raise MemoryError(f"{NAMES[node.operation]}: no memory for the accumulators of threads")
    return finish(node, block)


cdef int compute_nodes(list targets) except -1:
    """Compute nodes that tensors refer to, and what waits with them; for those that another thread
    computes it waits.
    """
    cdef list nodes = idle_nodes_for(targets, True)
    try:
        if nodes:
            compute_together(nodes)
        return 0
    except MemoryError:
        nodes = None  # references to nodes are tensors'
    # Perhaps there is enough for what is looked at.
    nodes = idle_nodes_for(targets, False)
    return compute_together(nodes) if nodes else 0


cdef list idle_nodes_for(list targets, bint related):
    """`nodes_for`, when no other thread computes any of them."""
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


cdef int compute_together(list nodes) except -1:
    """Compute all that tensors refer to of some nodes and of those that they need."""
    cdef vector[Group] groups
    cdef Node node
    cdef int level, last = 0
    cdef size_t k
    lock = threading.Lock()
    with lock:
        for node in nodes:
            node.computing = lock
        try:
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
                        run_group(sinks, nodes, &groups[k])
                for node in nodes:
                    if node.full_reduction and node.level == level:
                        run_reduction(node, nodes, groups)
        finally:
            for node in nodes:
                node.computing = None
        # From the last on: an inner value that nothing reads any more need not wait, either.
        for node in reversed(nodes):
            if node.block is None and node.uses == 0 and node.destination == NULL:
                finish(node, None)
    return 0


cdef int compute_readers(Block block) except -1:
    """Compute all nodes that read a block, before it is written to."""
    global last_mark
    cdef Node node
    cdef int k
    cdef list readers = []
    cdef list found = []
    cdef const Source* source
    for node in waiting_nodes():
        for k in range(node.inputs):
            source = &node.sources[k]
            if source.owner == NULL:
                continue
            if <object>source.owner is block or (
                type(<object>source.owner) is Node and (<Node>source.owner).block is block
            ):
                readers.append(node)
                break
    if not readers:
        return 0
    last_mark += 1
    collect_related(readers, last_mark, found)
    readers = None
    # `found` and `node` refer to it, too.
    return compute_nodes([node for node in found if is_held(node, 2)])


cdef list plan_of(list targets):
    """The groups that computing nodes would make, for `explain`: a list of (level, shape, rows,
    nodes that are computed, nodes that are stored) in the order of computation.
    """
    cdef vector[Group] groups
    cdef list nodes = idle_nodes_for(targets, True)
    cdef list found = []
    cdef Node node
    cdef size_t k
    cdef int axis
    place_nodes(nodes, groups)
    for k in range(groups.size()):
        shape = tuple([groups[k].dims[axis] for axis in range(groups[k].ndim)])
        members = [node for node in nodes if (<Node>node).group == <int>k]
        found.append((groups[k].level, shape, bool(groups[k].rows), members))
    found.sort(key=first_of)
    return found


def first_of(tuple group not None):
    """Sort key: the level of a group."""
    return group[0]
