# distutils: language = c++
"""Groups: which nodes are computed together, and in which passes over memory.

Reading a deferred tensor computes its node and all pending nodes that share operands with it. Nodes
of one shape whose operands are available at the same time form a group, which execution.pyx
computes.
"""

from cpython.object cimport PyObject
from cython.operator cimport dereference
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp
from libcpp.algorithm cimport sort
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

from corepy._cython.core cimport (
    Block, CPU, Device, dtype_itemsize, OP_argmax, OP_argmin, OP_prod,
)
from corepy._cython.lazy.nodes cimport (
    add_pending, ASSIGNED, is_held, is_pending, LATER, Node, Nodes, NOT_STORED, number_pending,
    OTHER_LAYOUT, OTHER_SHAPE, Pointer, REDUCED_OFTEN, REDUCTION, RESULT, Source,
)

cdef extern from "reduce.hpp" namespace "corepy" nogil:
    enum:
        LONGEST_ROW

cdef int last_mark = 0


cdef int next_mark() noexcept:
    """A mark that no node has."""
    global last_mark
    last_mark += 1
    return last_mark


# ---- selection of nodes

cdef inline Node pending_source(const Source* source):
    """The node whose result an operand is, if it is pending."""
    if source.owner == NULL or type(<object>source.owner) is not Node:
        return None
    cdef Node node = <Node>source.owner
    return node if node.block is None else None


cdef int collect(PyObject* node, int mark, Nodes& found) except -1:
    """Add and mark a node and the nodes that it needs, unless they are marked."""
    cdef Nodes stack
    cdef Node current, read
    cdef int k
    stack.push_back(node)
    while stack.size():
        current = <Node>stack.back()
        stack.pop_back()
        if current.mark == mark or current.block is not None:
            continue
        current.mark = mark
        found.push_back(<PyObject*>current)
        for k in range(current.inputs):
            read = pending_source(&current.sources[k])
            if read is not None and read.mark != mark:
                stack.push_back(<PyObject*>read)
    return 0


cdef int root_of(vector[int]& parents, int k) noexcept:
    """The representative of a set of nodes."""
    while parents[k] != k:
        parents[k] = parents[parents[k]]
        k = parents[k]
    return k


cdef bint is_in(const Source* source, Block block) noexcept:
    """Whether an operand is in the memory of a block."""
    if type(<object>source.owner) is Node:
        return (<Node>source.owner).block is block
    return <object>source.owner is block


cdef int collect_related(Nodes& targets, Block written, int mark, Nodes& found) except -1:
    """Add the nodes of tensors that share an operand, directly or through other nodes, with targets
    or with readers of a block (None: no block).
    """
    cdef Nodes nodes
    cdef vector[int] parents
    cdef unordered_map[Pointer, int] readers   # owner of memory -> a node that reads it
    cdef vector[int] wanted
    cdef vector[char] is_root
    cdef PyObject* item
    cdef Node node, read
    cdef int k, number
    add_pending(nodes)
    for number in range(<int>nodes.size()):
        (<Node>nodes[number]).position = number
        parents.push_back(number)
    for item in nodes:
        node = <Node>item
        for k in range(node.inputs):
            if node.sources[k].owner == NULL:
                continue
            read = pending_source(&node.sources[k])
            if read is not None:
                number = read.position
            else:
                number = dereference(readers.insert(
                    pair[Pointer, int](node.sources[k].owner, node.position)
                ).first).second
            parents[root_of(parents, node.position)] = root_of(parents, number)
            if written is not None and is_in(&node.sources[k], written):
                wanted.push_back(node.position)
    for item in targets:
        wanted.push_back((<Node>item).position)
    is_root.resize(nodes.size(), 0)
    for number in wanted:
        is_root[root_of(parents, number)] = 1
    node = read = None
    for item in nodes:
        if (<Node>item).mark != mark and is_held(<Node>item, 0) \
                and is_root[root_of(parents, (<Node>item).position)]:
            collect(item, mark, found)
    return 0


cdef int add_nodes_for(list targets, bint related, Nodes& found) except -1:
    """Add the nodes to compute for some targets, in the order of recording: the targets, the nodes
    that they need and, with `related`, other nodes of tensors that share an operand with them.
    """
    cdef Nodes wanted
    cdef Node node
    cdef int mark = next_mark()
    for node in targets:
        # Another thread may have computed or discarded a target meanwhile.
        if is_pending(node):
            wanted.push_back(<PyObject*>node)
            collect(<PyObject*>node, mark, found)
    if <Py_ssize_t>found.size() == number_pending():
        found.clear()
        return add_pending(found)
    if related and wanted.size():
        node = None
        collect_related(wanted, None, mark, found)
    sort(found.begin(), found.end(), &is_earlier)
    return 0


cdef bint is_earlier(PyObject* a, PyObject* b) noexcept:
    """The order of recording."""
    return (<Node>a).number < (<Node>b).number


cdef int mark_needed(Nodes& sinks, Nodes& nodes) except -1:
    """Mark the nodes, of some in the order of recording, that the sinks need; return the mark."""
    cdef PyObject* item
    cdef Node node, read
    cdef int k
    cdef size_t i
    cdef int mark = next_mark()
    for item in sinks:
        (<Node>item).needed = mark
    for i in range(nodes.size(), 0, -1):
        node = <Node>nodes[i - 1]
        if node.needed != mark:
            continue
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is not None:
                read.needed = mark
    return mark


# ---- common subexpressions

cdef inline uint64_t mixed(uint64_t hash, uint64_t value) noexcept:
    hash = (hash ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash ^ (hash >> 29)


cdef inline const void* identity(const Source* source) noexcept:
    """The owner of an operand; equal for twins."""
    if source.owner != NULL and type(<object>source.owner) is Node \
            and (<Node>source.owner).twin != NULL:
        return (<Node>source.owner).twin
    return source.owner


cdef uint64_t hash_of(Node node) noexcept:
    """A hash that is equal for nodes that compute the same."""
    cdef uint64_t hash = mixed(<uint64_t>node.operation, <uint64_t><size_t>node.loop)
    cdef const Source* source
    cdef Py_ssize_t axis
    cdef int k
    for k in range(node.inputs):
        source = &node.sources[k]
        hash = mixed(hash, <uint64_t><size_t>identity(source) + <uint64_t>source.code)
        if source.owner == NULL:
            hash = mixed(hash, <uint8_t>source.scalar[0] + <uint64_t>node.inputs)
        else:
            hash = mixed(hash, <uint64_t><size_t>source.data)
            for axis in range(node.space_ndim):
                hash = mixed(hash, <uint64_t>source.steps[axis])
    for axis in range(node.space_ndim):
        hash = mixed(hash, <uint64_t>node.space[axis])
    return hash


cdef bint computes_the_same(Node a, Node b) noexcept:
    """Whether the results of two nodes have the same elements, dtype and layout."""
    cdef const Source* first
    cdef const Source* second
    cdef int k
    if a.operation != b.operation or a.loop != b.loop or a.inputs != b.inputs \
            or a.code != b.code or a.correction != b.correction or a.ndim != b.ndim \
            or a.space_ndim != b.space_ndim \
            or memcmp(a.space, b.space, a.space_ndim * sizeof(Py_ssize_t)) != 0 \
            or memcmp(a.dims, b.dims, a.ndim * sizeof(Py_ssize_t)) != 0 \
            or memcmp(a.steps, b.steps, a.ndim * sizeof(Py_ssize_t)) != 0:
        return False
    if a.loop == NULL and memcmp(a.reduced, b.reduced, a.space_ndim * sizeof(bint)) != 0:
        return False
    for k in range(a.inputs):
        first, second = &a.sources[k], &b.sources[k]
        if identity(first) != identity(second) or first.code != second.code \
                or a.computed[k] != b.computed[k]:
            return False
        if first.owner == NULL:
            if memcmp(first.scalar, second.scalar, dtype_itemsize[first.code]) != 0:
                return False
        elif first.data != second.data \
                or memcmp(first.steps, second.steps, a.space_ndim * sizeof(Py_ssize_t)) != 0:
            return False
    return True


cdef int find_twins(Nodes& nodes) except -1:
    """Find nodes that compute the same as an earlier one, from operands that are the same or twins.
    """
    cdef vector[PyObject*] table
    cdef PyObject* item
    cdef Node node, other
    cdef size_t size = 16, place
    while size < 2 * nodes.size():
        size *= 2
    table.resize(size, NULL)
    for item in nodes:
        node = <Node>item
        node.twin = NULL
        node.held_twin = False
        if node.destination != NULL or node.kept or node.device is not CPU:
            continue
        place = hash_of(node) % size
        while table[place] != NULL and not computes_the_same(<Node>table[place], node):
            place = (place + 1) % size
        if table[place] == NULL:
            table[place] = <PyObject*>node
            continue
        other = <Node>table[place]
        node.twin = table[place]
        other.held_twin |= node.held
    return 0


# ---- groups

cdef bint has_layout(
    const Source* source, Node reader, Py_ssize_t ndim, const Py_ssize_t* dims,
    const Py_ssize_t* steps,
) noexcept:
    """Whether an operand is read with these dims and steps."""
    cdef Py_ssize_t axis
    if ndim != reader.space_ndim:
        return False
    for axis in range(ndim):
        if dims[axis] != reader.space[axis] \
                or (dims[axis] != 1 and source.steps[axis] != steps[axis]):
            return False
    return True


cdef inline bint same_place(const Source* source, Node reader, Node read) noexcept:
    """Whether an operand is, element by element, the whole result of another node."""
    return source.data == NULL and has_layout(source, reader, read.ndim, read.dims, read.steps)


cdef inline bint same_rows(
    const Source* source, Node read, const Group* group, Py_ssize_t ndim
) noexcept:
    """Whether an operand of a node with `ndim` axes has one element of `read` for each row of a
    group's space, or can be read so.
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
    """Whether a reduction is one of rows, short enough for whole rows in the blocks of a group."""
    cdef Py_ssize_t last = node.space_ndim - 1
    cdef Py_ssize_t axis, nbytes
    cdef const Source* source = &node.sources[0]
    cdef Py_ssize_t itemsize = dtype_itemsize[source.code]
    if node.device is not CPU or last < 1 or not node.reduced[last] or node.space[last] < 1 \
            or node.count == 0:
        return False
    nbytes = node.space[last] * itemsize
    if nbytes > LONGEST_ROW or source.owner == NULL or source.steps[last] != itemsize:
        return False
    for axis in range(last):
        # Elements are combined row by row.
        if node.reduced[axis] or (
            node.space[axis] > 1 and -nbytes < source.steps[axis] < nbytes
        ):
            return False
    return True


cdef bint can_go_with_others(Node node) noexcept:
    """Whether a full reduction may share a pass with others."""
    cdef const Source* source = &node.sources[0]
    cdef Py_ssize_t axis
    if node.device is not CPU or source.owner == NULL or node.count == 0 \
            or node.operation in (OP_argmax, OP_argmin, OP_prod):
        return False
    for axis in range(node.space_ndim):
        if node.space[axis] == 0 or (node.space[axis] > 1 and source.steps[axis] == 0):
            return False
    return True


cdef bint goes_with(Node first, Node other) noexcept:
    """Whether two full reductions can be computed in one pass: of one level, along the same axes,
    with operands of one layout and results of one layout.
    """
    cdef const Source* a = &first.sources[0]
    cdef const Source* b = &other.sources[0]
    cdef Py_ssize_t axis
    if first.level != other.level or first.space_ndim != other.space_ndim \
            or first.ndim != other.ndim \
            or dtype_itemsize[a.code] != dtype_itemsize[b.code] \
            or dtype_itemsize[first.code] != dtype_itemsize[other.code] \
            or not can_go_with_others(first) or not can_go_with_others(other):
        return False
    for axis in range(first.space_ndim):
        if first.space[axis] != other.space[axis] or first.reduced[axis] != other.reduced[axis] \
                or (first.space[axis] > 1 and a.steps[axis] != b.steps[axis]):
            return False
    for axis in range(first.ndim):
        if first.dims[axis] > 1 and first.steps[axis] != other.steps[axis]:
            return False
    return True


cdef int group_of(
    vector[Group]& groups, int level, Device device, Py_ssize_t ndim, const Py_ssize_t* dims
) except -1:
    cdef Group group
    cdef int k
    for k in range(<int>groups.size()):
        if groups[k].level == level and groups[k].device == <PyObject*>device \
                and groups[k].ndim == ndim \
                and memcmp(groups[k].dims, dims, ndim * sizeof(Py_ssize_t)) == 0:
            return k
    group.level, group.device, group.ndim, group.rows = level, <PyObject*>device, ndim, False
    for k in range(ndim):
        group.dims[k] = dims[k]
    groups.push_back(group)
    return <int>groups.size() - 1


cdef bint joins_rows(Node node, vector[Group]& groups) noexcept:
    """Whether a node is a value per row of the group of its operands; if so, add it to that group.
    """
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
    """Whether an operand is a value of its reader's program."""
    cdef bint reads_rows = reader.per_row and reader.loop != NULL
    if read.full_reduction or reader.full_reduction:
        return False
    if read.per_row:
        if reader.loop == NULL:  # a reduction of values per row belongs to another group
            return False
        return (reads_rows or reader.space_ndim == groups[read.group].ndim) \
            and same_rows(source, read, &groups[read.group], reader.space_ndim)
    return not reads_rows and same_place(source, reader, read)


cdef bint is_inner_of(const Source* source, Node reader, Node read) noexcept:
    """Whether an operand is a value of its reader's group that has an element for each of its own.
    """
    return read.group == reader.group and not read.full_reduction and not reader.full_reduction \
        and not read.per_row and not (reader.per_row and reader.loop != NULL) \
        and same_place(source, reader, read)


cdef int move_copies(Node node) noexcept:
    """Have copies of operands be in the group of a node, which alone reads them."""
    cdef Node read
    cdef int k
    for k in range(node.inputs):
        read = source_node(&node.sources[k])
        if read is not None and read.original != NULL and read.level != node.level:
            read.level, read.group = node.level, node.group
            move_copies(read)
    return 0


cdef int place_nodes(Nodes& nodes, vector[Group]& groups) except -1:
    """Assign nodes to groups, and mark nodes whose results are stored."""
    cdef PyObject* item
    cdef Node node, read
    cdef const Source* source
    cdef int k, level
    for item in nodes:
        node = <Node>item
        node.per_row = node.full_reduction = node.by_rows = False
        node.value = 0  # number of passes of reductions that compute it
        node.reduction = NULL
        node.stored = NOT_STORED
        node.level, node.group = 0, -1
        if node.twin != NULL:
            continue
        if node.held or node.held_twin:
            node.stored = RESULT if node.destination == NULL else ASSIGNED
        level = 0
        if node.loop != NULL and joins_rows(node, groups):
            continue
        if node.loop == NULL and (nodes.size() == 1 or not reduces_rows(node)):
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
        node.group = group_of(groups, level, node.device, node.space_ndim, node.space)
        move_copies(node)
        if node.loop == NULL and not node.full_reduction:
            node.per_row = True
            groups[node.group].rows = True
    for item in nodes:
        node = <Node>item
        if node.twin != NULL:
            continue
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is None:
                continue
            if node.full_reduction:
                # Elements are computed again for up to two passes, and stored for more.
                if read.reduction == NULL or not goes_with(<Node>read.reduction, node):
                    read.value += 1
                read.reduction = <PyObject*>node
                if read.stored:
                    continue
                if read.by_rows or read.per_row or read.full_reduction:
                    read.stored = REDUCTION
                elif read.value > 2:
                    read.stored = REDUCED_OFTEN
            elif not read.stored and (
                read.group != node.group or not is_inner(&node.sources[k], node, read, groups)
            ):
                read.stored = why_stored(&node.sources[k], node, read)
    return 0


cdef int why_stored(const Source* source, Node reader, Node read) noexcept:
    """Why an operand is not in the program of its reader."""
    if read.full_reduction:
        return REDUCTION
    if read.ndim != reader.space_ndim \
            or memcmp(read.dims, reader.space, read.ndim * sizeof(Py_ssize_t)) != 0:
        return OTHER_SHAPE
    return LATER if same_place(source, reader, read) else OTHER_LAYOUT


cdef bint is_inner_at(const Source* source, Node reader, Node read, vector[Group]& groups) noexcept:
    """Whether an operand can be a value of its reader's program, given equal levels."""
    cdef Group* group = &groups[read.group]
    if reader.loop == NULL:
        return not read.per_row and not read.full_reduction and same_place(source, reader, read)
    if read.per_row and (
        group.ndim != reader.space_ndim
        or memcmp(group.dims, reader.space, group.ndim * sizeof(Py_ssize_t)) != 0
    ):
        return False
    return is_inner(source, reader, read, groups)
