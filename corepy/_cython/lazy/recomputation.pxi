# Recomputation: operations whose results other operations read in part or at a distance.
#
# In ``f = h * u; g = f[1:] - f[:-1]`` the difference has another shape than the product, which
# would be stored by a pass of its own and read by another one. It takes less time to compute the
# product twice in registers, once for each part that is read, if it takes few operations. Then
# there is one pass, which computes no element of `f` that `g` does not need.
#
# While nodes are planned, each reader gets copies of such nodes, which compute the elements that it
# reads: their operands begin elsewhere, and their space is that of the reader. Copies have the
# index and the number of their original; passes refer to operands of the original.

# The elements of a result that a reader takes: of index `start`, and from there by `step`, which is
# not negative, along `axis` of the result for each axis of the reader (-1: one element).
cdef struct View:
    Py_ssize_t start[MAX_FUSED_NDIM]
    Py_ssize_t step[MAX_FUSED_NDIM]
    int axis[MAX_FUSED_NDIM]


# Elements of a result that a group reads.
cdef struct Part:
    int group
    const Source* source


# Of a node: what it takes to compute it again.
cdef struct Candidate:
    bint reduces              # it depends on a reduction that is not computed
    bint can_be_copied
    bint is_copied            # instead of stored
    bint is_read_whole        # by a reader that takes no copy
    int cost                  # operations, with those of the operands that are copied, too
    vector[Part] parts        # different elements that other passes read


# An operand of a node that is replaced.
cdef struct Replaced:
    PyObject* node
    int operand
    Source source


cdef enum:
    # Operations in registers that take as long as to write a result to memory and to read it, and
    # one of less than IN_MEMORY bytes. For one that is stored by a pass of its own, its size does
    # not matter: small ones take less, but a pass costs more.
    FEW = 12
    FEW_IN_CACHE = 4
    IN_MEMORY = 1 << 20
    LONG = 4   # operations that a division or a square root takes as long as
    READ = 4   # ... and to read one more array
    MOST = 64  # operations of a copy


cdef bint find_view(const Source* source, Node reader, Node read, View* view) noexcept:
    """Set `view` to the elements of `read` that an operand is; false if an element is repeated, if
    axes have another order or direction, or if the last one has a step.
    """
    cdef Py_ssize_t offset = <Py_ssize_t><size_t>source.data, step, last = reader.space_ndim - 1
    cdef Py_ssize_t axis, k
    cdef int chosen, before = -1
    cdef bint taken[MAX_FUSED_NDIM]
    for axis in range(read.ndim):
        taken[axis] = read.dims[axis] == 1
        view.start[axis] = 0
    # The axes of the result from the slowest one.
    while True:
        chosen = -1
        for axis in range(read.ndim):
            if not taken[axis] and (chosen < 0 or read.steps[axis] > read.steps[chosen]):
                chosen = <int>axis
        if chosen < 0:
            break
        if read.steps[chosen] <= 0:
            return False
        taken[chosen] = True
        view.start[chosen] = offset // read.steps[chosen]
        offset -= view.start[chosen] * read.steps[chosen]
    if offset:
        return False
    for axis in range(reader.space_ndim):
        view.axis[axis], view.step[axis] = -1, 0
        if reader.space[axis] == 1:
            continue
        step = source.steps[axis]
        chosen = -1
        for k in range(read.ndim):
            if read.dims[k] > 1 and read.steps[k] <= step \
                    and (chosen < 0 or read.steps[k] > read.steps[chosen]):
                chosen = <int>k
        if chosen <= before or step < 0 or step % read.steps[chosen] \
                or (axis == last and step != read.steps[chosen]):
            return False
        before = chosen
        view.axis[axis], view.step[axis] = chosen, step // read.steps[chosen]
        k = view.start[chosen] + (reader.space[axis] - 1) * view.step[axis]
        if not 0 <= k < read.dims[chosen]:
            return False
    for axis in range(read.ndim):
        if not 0 <= view.start[axis] < read.dims[axis]:
            return False
    return True


cdef int compose(
    const View* outer, Py_ssize_t ndim, const View* inner, Py_ssize_t between, View* view
) noexcept:
    """Set `view` to the elements that a reader with `ndim` axes takes, by `outer`, of a result with
    `between` axes, which takes them by `inner`.
    """
    cdef Py_ssize_t axis
    cdef int through
    for axis in range(MAX_FUSED_NDIM):
        view.start[axis] = inner.start[axis]
    for axis in range(between):
        if inner.axis[axis] >= 0:
            view.start[inner.axis[axis]] += outer.start[axis] * inner.step[axis]
    for axis in range(ndim):
        view.axis[axis], view.step[axis] = -1, 0
        through = outer.axis[axis]
        if through >= 0 and inner.axis[through] >= 0:
            view.axis[axis] = inner.axis[through]
            view.step[axis] = outer.step[axis] * inner.step[through]
    return 0


cdef int cost_of(Node node) noexcept:
    """How long the operation of a node takes in registers; 0 if it is not computed there."""
    cdef int k
    if node.loop == NULL or node.device is not CPU or node.twin != NULL or node.dependent \
            or not is_in_registers(node.loop):
        return 0
    for k in range(node.inputs):
        if node.sources[k].code != node.computed[k]:
            return 0
    return LONG if node.operation in (OP_divide, OP_sqrt) else 1


cdef int cost_with_operands(Node node, int most, Nodes& arrays) except -1:
    """How long a node takes in registers, with the pending nodes that it needs and the arrays that
    they read; above `most` if it is longer, or if one of them is not computed in registers.
    `arrays`: the owners of those that are counted.
    """
    cdef Node read
    cdef PyObject* owner
    cdef int k, cost = cost_of(node)
    if not cost:
        return most + 1
    for k in range(node.inputs):
        owner = node.sources[k].owner
        if cost > most:
            break
        read = source_node(&node.sources[k])
        if read is not None:
            cost += cost_with_operands(read, most - cost, arrays)
        elif owner != NULL and count(arrays.begin(), arrays.end(), owner) == 0:
            cost += READ if arrays.size() else 0
            arrays.push_back(owner)
    return cost


cdef bint is_cheap(Node node) except -1:
    """Whether to compute a node again takes no longer than to write its result and to read it."""
    cdef Nodes arrays
    cdef int most = FEW if node.count * dtype_itemsize[node.code] >= IN_MEMORY else FEW_IN_CACHE
    return cost_with_operands(node, most, arrays) <= most


cdef int add_part(Candidate* candidate, const Source* source, Node reader) except -1:
    """Note that a pass reads elements of a result, unless they are noted."""
    cdef Part part, other
    cdef Py_ssize_t axis
    cdef bint same
    for other in candidate.parts:
        same = other.group == reader.group and other.source.data == source.data
        for axis in range(reader.space_ndim):
            same &= other.source.steps[axis] == source.steps[axis]
        if same:
            return 0
    part.group, part.source = reader.group, source
    candidate.parts.push_back(part)
    return 0


cdef int choose(Nodes& nodes, vector[Candidate]& candidates) except -1:
    """Choose nodes that are copied; return how many. `place_nodes` has placed all."""
    cdef PyObject* item
    cdef Node node, read
    cdef Candidate* own
    cdef Candidate* other
    cdef View view
    cdef int k, found = 0
    candidates.resize(nodes.size())
    for item in nodes:
        node = <Node>item
        own = &candidates[node.index]
        own.cost = cost_of(node)
        own.can_be_copied = own.cost > 0
        own.reduces = node.loop == NULL
        if node.twin != NULL:
            continue
        for k in range(node.inputs):
            read = source_node(&node.sources[k])
            if read is None:
                continue
            other = &candidates[read.index]
            own.reduces |= other.reduces
            if is_inner_of(&node.sources[k], node, read):
                continue
            if own.reduces or not find_view(&node.sources[k], node, read, &view):
                other.is_read_whole = True
            else:
                add_part(other, &node.sources[k], node)
    for item in nodes:
        node = <Node>item
        own = &candidates[node.index]
        own.can_be_copied &= not own.reduces
        for k in range(node.inputs if own.can_be_copied else 0):
            read = source_node(&node.sources[k])
            if read is None:
                continue
            other = &candidates[read.index]
            if other.is_copied or read.stored == NOT_STORED:
                own.can_be_copied &= other.can_be_copied \
                    and find_view(&node.sources[k], node, read, &view)
                own.cost = min(own.cost + other.cost, MOST + 1)
        own.is_copied = own.can_be_copied and not own.is_read_whole \
            and node.stored in (LATER, OTHER_LAYOUT, OTHER_SHAPE) \
            and own.cost <= MOST and own.cost * (<int>own.parts.size() - 1) <= FEW
        found += own.is_copied
    return found


@cython.final
@cython.no_gc
cdef class Rewriting:
    """Nodes some of whose operands are replaced by copies, until `undo`."""

    cdef Nodes nodes               # copies precede their readers
    cdef Nodes copies              # references
    cdef vector[Candidate] candidates  # by the index of nodes
    cdef vector[Replaced] replaced

    def __dealloc__(self):
        self.undo()

    cdef int undo(self) except -1:
        """Give readers their operands back."""
        cdef Replaced replaced
        cdef PyObject* item
        for replaced in self.replaced:
            (<Node>replaced.node).sources[replaced.operand] = replaced.source
        self.replaced.clear()
        for item in self.copies:
            (<Node>item).inputs = 0  # its references are those of its original
            Py_DECREF(<Node>item)
        self.copies.clear()
        return 0

    cdef int add_reader(self, Node node) except -1:
        """Add a node, after copies of the operands that are not stored."""
        cdef Replaced replaced
        cdef Source* source
        cdef Node read
        cdef View view
        cdef int k
        for k in range(node.inputs):
            source = &node.sources[k]
            read = source_node(source)
            if read is None or not self.candidates[read.index].is_copied \
                    or is_inner_of(source, node, read):
                continue
            find_view(source, node, read, &view)
            replaced.node, replaced.operand, replaced.source = <PyObject*>node, k, source[0]
            self.replaced.push_back(replaced)
            self.replace(source, node, read, &view)
        self.nodes.push_back(<PyObject*>node)
        return 0

    cdef int replace(self, Source* source, Node reader, Node read, const View* view) except -1:
        """Have an operand of a reader be a copy of `read`, of the elements that it takes."""
        cdef Node copy = Node.__new__(Node)
        cdef Source* own
        cdef Node other
        cdef View inner, through
        cdef Py_ssize_t axis
        cdef int k
        self.copies.push_back(<PyObject*>copy)
        Py_INCREF(copy)
        copy.original = <PyObject*>read if read.original == NULL else read.original
        copy.index, copy.number = read.index, read.number
        copy.operation, copy.loop, copy.device, copy.place = \
            read.operation, read.loop, read.device, -1
        copy.code, copy.ndim, copy.space_ndim = read.code, reader.space_ndim, reader.space_ndim
        copy.count = 1
        for axis in range(reader.space_ndim):
            copy.dims[axis] = copy.space[axis] = reader.space[axis]
            copy.steps[axis] = source.steps[axis]
            copy.count *= reader.space[axis]
        for k in range(read.inputs):
            own = &copy.sources[k]
            own[0] = read.sources[k]
            copy.computed[k] = read.computed[k]
            copy.inputs += 1
            if own.owner == NULL:
                continue
            for axis in range(read.space_ndim):
                own.data += view.start[axis] * read.sources[k].steps[axis]
            for axis in range(reader.space_ndim):
                own.steps[axis] = 0 if view.axis[axis] < 0 \
                    else view.step[axis] * read.sources[k].steps[view.axis[axis]]
            other = source_node(own)
            if other is not None and (
                self.candidates[other.index].is_copied or other.stored == NOT_STORED
            ):
                through = view[0]
                if other.original == NULL:  # copies are read as a whole
                    find_view(&read.sources[k], read, other, &inner)
                    compose(view, reader.space_ndim, &inner, read.space_ndim, &through)
                self.replace(own, copy, other, &through)
        self.nodes.push_back(<PyObject*>copy)
        source.owner, source.data = <PyObject*>copy, <char*>NULL
        return 0


cdef Rewriting rewrite(Nodes& nodes):
    """Nodes to plan instead of these, which were placed in groups; None: these."""
    cdef Rewriting made = Rewriting.__new__(Rewriting)
    cdef Nodes sinks, needed
    cdef PyObject* item
    cdef int mark
    if not choose(nodes, made.candidates):
        return None
    for item in nodes:
        if (<Node>item).twin != NULL:
            made.nodes.push_back(item)
            continue
        made.add_reader(<Node>item)
        if (<Node>item).held or (<Node>item).held_twin:
            sinks.push_back(item)
    # Without originals of which all readers have copies.
    mark = mark_needed(sinks, made.nodes)
    for item in made.nodes:
        if (<Node>item).needed == mark:
            needed.push_back(item)
    made.nodes.swap(needed)
    return made
