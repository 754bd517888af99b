# distutils: language = c++
"""Deferred results that are computed where they are assigned, in the memory of another tensor.

An assigned tensor is usually a temporary, and is not stored. One that the caller still refers to
stays deferred, and is computed again when it is read, as its operands are. Reference counts cannot
decide this: C code may pass the only reference, held by a tuple, and Python that of a local
variable, which a function has until it returns.
"""

from libc.stdint cimport int8_t

from corepy._cython.core cimport (
    basic_view, Block, check_inplace, Entry, find_entry, has_repeated_elements, in_host_memory,
    infer_elementwise, is_comparison, is_deferred, is_shape_of, kernel, loop_of_two, MAX_NDIM,
    OP_pow, Operand, Operation, plain_key, provided, set_binary_operands_on, SHAPE_binary, Tensor,
    tensors_in, WRITEABLE,
)
from corepy._cython.lazy.execution cimport compute_at
from corepy._cython.lazy.nodes cimport (
    add_source, is_held, MAX_FUSED_NDIM, new_node, Node,
)
from corepy._cython.settings cimport current, Fusion


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
