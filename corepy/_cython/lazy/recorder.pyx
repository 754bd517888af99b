# distutils: language = c++
"""Recording: the backend of deferred tensors.

Where operations are deferred (`Fusion`), the CPU's backend passes them to the backend here, which
records some as nodes and has the others computed. A deferred tensor has the device on which it will
be computed, and this backend, so operations on it are dispatched here. An operation that is not
recorded computes the tensor first, in place: the same object then has its device's backend.
Backends of GPUs that have an `Executor` do the same.
"""

cimport cython
from cpython.long cimport PyLong_Check
from cpython.object cimport PyObject
from libc.stdint cimport int16_t, int8_t
from libc.string cimport memcpy
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    Axes, Backend, basic_view, check_choice, check_errors, check_inplace, compared_out_of_range,
    CPU, cpu_binary, cpu_clip, cpu_inplace, cpu_reduce, cpu_unary, cpu_where, DEFERRING, Device,
    Dtype, DTYPE_bool, dtype_code, DTYPE_float32, DTYPE_float64, DTYPES, Entry, find_entry,
    foreign_error, in_host_memory, infer_elementwise, infer_reduction, is_comparison, is_deferred,
    is_half, is_inexact, is_shape_of, is_tensor, kernel, loop_of_two, mark_axes, MAX_NDIM, NAMES,
    new_tensor, OP_clip, OP_COUNT, OP_imag, OP_positive, OP_pow, OP_real, OP_square, OP_where,
    Operand, Operation, plain_key, plan_clip, power_loop, provided, read_axes, reduces_as_is,
    set_binary_operands_on, set_deferring, set_operand_on, set_shape, SHAPE_binary, SHAPE_reduce,
    SHAPE_ternary, SHAPE_unary, shape_tuple, take_order, Tensor, tensors_in, to_device, UNCOMPUTED,
    VALUE, WRITEABLE,
)
from corepy._cython.core cimport execute as execute_named
from corepy._cython.lazy.execution cimport compute_nodes, compute_readers, plan_of
from corepy._cython.lazy.passes cimport Executor
from corepy._cython.settings cimport (
    Block, current, Fusion, is_expected_alone, LARGE, predictions,
)
from corepy._cython.lazy.nodes cimport (
    add_pending, add_source, is_held, is_readable, is_too_much, MAX_FUSED_NDIM, new_node, Node,
    Nodes,
)

from corepy._cython.lazy.execution import last_plan  # no-cython-lint: corepy.lazy takes it here

cdef extern from "table.hpp" namespace "corepy" nogil:
    kernel cast_kernel(Dtype, Dtype)

# ---- shared memory

# The last operation that was computed at once, as code outside of Corepy may write to the memory of
# an operand.
cdef struct Sharing:
    long scope           # of the operation
    int operation        # OP_COUNT: a cast
    int operand          # from 1 on; 0: there was none
    int code, ndim
    Py_ssize_t dims[MAX_FUSED_NDIM]

cdef Sharing latest
cdef Device latest_device = None
logged = set()  # the devices that the log has been told of


cdef inline bint may_change(Tensor x, const Fusion* fusion) noexcept:
    """Whether code outside of Corepy may write to an operand before it is read, if it is later."""
    return not fusion.constant and not is_readable(x)


cdef int note_sharing(int operation, int operand, Tensor x, long scope) except -1:
    """Remember an operation that is computed at once; tell the log of the first one on a GPU."""
    global latest_device
    latest.scope, latest.operation, latest.operand = scope, operation, operand
    latest.code, latest.ndim, latest_device = x.code, x.ndim, x.device
    memcpy(latest.dims, x.dims, x.ndim * sizeof(Py_ssize_t))
    if x.device is not CPU and x.device not in logged:
        logged.add(x.device)
        text = "; ".join(sharing())
        import logging  # takes a while, and few want it

        logging.getLogger("corepy").info("%s: %s", x.device, text)
    return 0


def sharing():
    """Return why an operation of the current block was computed at once, and what to do, as two
    texts; none if no operation read shared memory.
    """
    cdef Fusion fusion = current()
    if not latest.operand or not fusion.on or latest.scope != fusion.scope:
        return ()
    name = "astype" if latest.operation == OP_COUNT else NAMES[latest.operation]
    return (
        f"{name} was computed at once: code outside of Corepy may write to its operand "
        f"{latest.operand}, {DTYPES[latest.code]} {shape_tuple(latest.ndim, latest.dims)} on "
        f"{latest_device}",
        "asarray(..., copy=True) has memory of its own; corepy.config(shared_memory='constant') "
        "promises that nobody writes",
    )


# ---- recording

cdef inline bint is_of_others(object x) noexcept:
    """Whether an operand is a tensor that the CPU's functions do not take: deferred, if it has been
    computed as well, or on another device.
    """
    return is_tensor(x) and (is_deferred(<Tensor>x) or (<Tensor>x).device is not CPU)


cdef inline bint is_alone(int op, Tensor x, object other, Fusion* fusion) except -1:
    """Whether an operation on `x`, and perhaps another tensor, is computed at once: it begins a
    chain, and would be computed alone.
    """
    cdef Py_ssize_t count = x.count
    cdef int16_t known = predictions.worth
    predictions.last = predictions.worth = -1
    if not fusion.on:
        return False
    materialize_operand(x)  # of an operand that is computed as of any tensor
    materialize_operand(other)
    if fusion.predicts and not fusion.scope and x.device is not CPU:
        fusion.on = False  # on GPUs in blocks alone: a kernel is compiled for each structure
        return False
    if is_of_others(other):
        return False
    if is_tensor(other):
        count = max(count, (<Tensor>other).count)
    if not fusion.predicts or is_of_others(x) or count >= LARGE:
        return False
    predictions.last = known
    return known < 0 and is_expected_alone(op, x.code, count, is_tensor(other))


cdef inline Executor executor_of(Tensor x):
    """The executor of the device of a tensor that is not deferred; None on the CPU."""
    return <Executor>x.backend.executor


cdef Tensor deferred(Node node, Py_ssize_t ndim, const Py_ssize_t* shape, int code,
                     const Operand* operands, int n):
    """The tensor of a new node, in the common memory order of the operands."""
    cdef Tensor out = new_tensor()
    cdef Py_ssize_t axis
    out.code = <int8_t>code
    set_shape(out, ndim, shape)
    if n:
        take_order(out, operands, n)
    out.backend, out.device = DEFERRING, node.device
    out.storage = node
    out.data = <char*>UNCOMPUTED
    node.code = out.code
    node.ndim, node.count = ndim, out.count
    for axis in range(ndim):
        node.dims[axis], node.steps[axis] = out.dims[axis], out.steps[axis]
    return out


cdef bint is_taken(
    Device device, int operation, int inputs, const Operand* operands, const int8_t* computed,
    int result,
) except -1:
    """Whether the executor of a device takes an operation, and the dtypes of its operands."""
    cdef Executor executor = <Executor>device.backend.executor
    cdef int k
    for k in range(inputs):
        if not executor.takes(OP_COUNT, operands[k].code, operands[k].code, device):
            return False
    return executor.takes(operation, computed[inputs - 1], result, device)


cdef Tensor record(
    int operation, kernel loop, int inputs, const Operand* operands, object x1, object x2,
    object x3, const int8_t* computed, int result, Py_ssize_t ndim, const Py_ssize_t* shape,
    Fusion fusion, bint keep_order=True,
):
    """A deferred tensor; None if the operation should be computed alone.

    What reads memory that code outside of Corepy may write to is computed at once, with what is
    deferred before it.
    """
    cdef Node node
    cdef Tensor out
    cdef PyObject* device = NULL
    cdef Py_ssize_t axis, count = 1
    cdef int k, stored = result, shared = 0
    cdef bint pending = False
    operand = x1
    if is_half(result) and computed[inputs - 1] == DTYPE_float32 and operation != OP_COUNT:
        stored = DTYPE_float32  # and is rounded by another node
    for k in range(inputs):
        operand = x1 if k == 0 else x2 if k == 1 else x3
        if is_tensor(operand):
            if device != NULL and <PyObject*>(<Tensor>operand).device != device:
                raise foreign_error(str(<Device>device), <Tensor>operand)
            device = <PyObject*>(<Tensor>operand).device
            pending |= is_deferred(<Tensor>operand)
            if not shared and may_change(<Tensor>operand, &fusion):
                shared = k + 1
    for axis in range(ndim):
        count *= shape[axis]
    if ndim > MAX_FUSED_NDIM or (count < fusion.threshold and not pending):
        return None
    if shared:
        operand = x1 if shared == 1 else x2 if shared == 2 else x3
        note_sharing(operation, shared, <Tensor>operand, fusion.scope)
        if <object>device is not CPU or (count < LARGE and not pending):
            return None
    if <object>device is not CPU and not is_taken(
        <Device>device, operation, inputs, operands, computed, stored
    ):
        return None
    if is_too_much():
        compute_pending()
        materialize_operands(x1, x2, x3)
        return None
    node = new_node(operation, loop, fusion.scope, <Device>device)
    out = deferred(node, ndim, shape, stored, operands, inputs if keep_order else 0)
    node.place = predictions.last
    node.space_ndim = ndim
    for axis in range(ndim):
        node.space[axis] = shape[axis]
    for k in range(inputs):
        operand = x1 if k == 0 else x2 if k == 1 else x3
        node.computed[k] = computed[k]
        add_source(
            node, <Tensor>operand if is_tensor(operand) else None, &operands[k], ndim, shape
        )
    if stored != result:
        out = recorded_cast(out, result, fusion)
    if shared and out is not None:
        materialize(out)
    return out


cdef Tensor recorded_cast(Tensor x, int code, Fusion fusion, bint keep_order=True):
    cdef Operand operand
    cdef Tensor out
    if x.code == code and not is_readable(x):
        return None  # a copy of what may change
    set_operand_on(None, &operand, x)
    out = record(
        OP_COUNT, cast_kernel(<Dtype>x.code, <Dtype>code), 1, &operand, x, None, None, &x.code,
        code, x.ndim, x.dims, fusion, keep_order,
    )
    if out is not None:
        out.flags &= x.flags | ~VALUE  # the copy of an array is one
    return out


cdef bint compute_pending() except -1:
    """Compute all pending nodes that tensors refer to; false if there are none."""
    cdef list held = held_nodes(-1)
    if held:
        compute_nodes(held)
    return bool(held)


cdef list held_nodes(long scope):
    """The pending nodes that tensors refer to, of a scope or, if it is negative, all."""
    cdef list held = []
    cdef Nodes pending
    cdef PyObject* node
    add_pending(pending)
    for node in pending:
        if (scope < 0 or (<Node>node).scope == scope) and is_held(<Node>node, 0):
            held.append(<Node>node)
    return held


cdef Node operand_to_keep(Node node):
    """The operand of a reduction to one element, if it is pending and has not been computed before.

    It is usually a temporary, as in ``sum(x * y)``, and is not stored. One that the caller still
    refers to stays deferred, and is computed again, and stored, when it is read.
    """
    cdef PyObject* owner = node.sources[0].owner
    if node.loop != NULL or node.count != 1 or owner == NULL or node.device is not CPU \
            or type(<object>owner) is not Node:
        return None
    return <Node>owner if not (<Node>owner).kept_by else None


cdef int materialize(Tensor x) except -1:
    """Make a deferred tensor an ordinary one, computing it if it is pending."""
    cdef Node node
    if not is_deferred(x):
        return 0
    node = <Node>x.storage
    while node.block is None:
        compute_nodes([node], operand_to_keep(node))
    if is_deferred(x):  # false if another thread did this meanwhile
        x.data += <size_t>node.block.memory - UNCOMPUTED
        x.storage = node.block
        x.backend = x.device.backend
    return 0


cdef int materialize_operand(object x) except -1:
    """The same, only for a tensor that is already computed."""
    if is_tensor(x) and is_deferred(<Tensor>x) \
            and (<Node>(<Tensor>x).storage).block is not None:
        materialize(<Tensor>x)
    return 0


cdef int materialize_operands(object x1, object x2, object x3) except -1:
    if is_tensor(x1):
        materialize(<Tensor>x1)
    if is_tensor(x2):
        materialize(<Tensor>x2)
    if is_tensor(x3):
        materialize(<Tensor>x3)
    return 0


@cython.binding(False)
cdef class DeferringBackend(Backend):
    """The backend of deferred tensors: it records operations, or has them computed."""

    def devices(self):
        """Return nothing: users cannot select this device."""
        return []

    cpdef object unary(self, Operation op, Tensor x):
        cdef Fusion fusion = current()
        cdef const Entry* found
        cdef Operand operand
        cdef Tensor out = None
        if provided.check_errors:
            check_errors(NAMES[<int>op], (x,), {})
        if is_alone(op, x, None, &fusion):
            return cpu_unary(op, x)
        if fusion.on and op != OP_imag and op != OP_real:
            materialize_operand(x)
            found = find_entry(op, SHAPE_unary, x.code)
            set_operand_on(None, &operand, x)
            out = record(
                op, found.loop, 1, &operand, x, None, None, &found.compute, found.result, x.ndim,
                x.dims, fusion,
            )
        if out is not None:
            return out
        materialize(x)
        return cpu_unary(op, x) if in_host_memory(x) else executor_of(x).unary(op, x)

    cpdef object binary(self, Operation op, object x1, object x2):
        cdef Fusion fusion = current()
        cdef Tensor like, out = None
        if provided.check_errors:
            check_errors(NAMES[<int>op], (x1, x2), {})
        like = <Tensor>x1 if is_tensor(x1) else <Tensor?>x2
        if is_alone(op, like, x2, &fusion):
            return cpu_binary(op, x1, x2)
        if fusion.on:
            out = self.recorded(op, x1, x2, fusion)
        if out is not None:
            return out
        materialize_operands(x1, x2, None)
        if in_host_memory(like):
            return cpu_binary(op, x1, x2)
        return executor_of(like).binary(op, x1, x2)

    cdef Tensor recorded(self, Operation op, object x1, object x2, Fusion fusion):
        cdef Operand operands[2]
        cdef Py_ssize_t shape[MAX_NDIM]
        cdef Py_ssize_t ndim
        cdef int8_t computed[2]
        cdef const Entry* found
        cdef Tensor like
        cdef kernel loop
        cdef bint on_cpu
        cdef int code
        materialize_operand(x1)
        materialize_operand(x2)
        code = set_binary_operands_on(None, op, x1, x2, operands)
        like = <Tensor>x1 if is_tensor(x1) else <Tensor>x2
        on_cpu = like.device is CPU
        if code == -1:
            return to_device(compared_out_of_range(op, x1, x2), like.device)
        find_entry(op, SHAPE_binary, code)  # raises for an operation of another kind
        found = infer_elementwise(op, operands, 2, &ndim, shape)
        if not on_cpu and is_comparison(op) and code == DTYPE_float64 \
                and not is_inexact(operands[0].code) and not is_inexact(operands[1].code):
            return None  # of int64 and uint64, which float64 does not tell apart
        if op == OP_pow and not on_cpu:
            if PyLong_Check(x2) and code == (<Tensor>x1).code and x2 == 2 and code != DTYPE_bool:
                return self.unary(OP_square, <Tensor>x1)
            if not is_inexact(code) and (is_tensor(x2) or x2 < 0):
                return None
        elif op == OP_pow:
            if is_tensor(x1) and not is_tensor(x2):
                loop = power_loop(x2, found.compute)
                if loop == NULL and (x2 == 0 or not is_inexact(code)):
                    return None
                if loop != NULL:
                    return record(
                        op, loop, 1, operands, x1, None, None, &found.compute, found.result, ndim,
                        shape, fusion,
                    )
            elif not is_inexact(code):
                return None  # negative exponents are errors
        loop = loop_of_two(op, found, operands, computed)
        if not on_cpu:
            loop, computed[1] = found.loop, found.compute
        return record(
            op, loop, 2, operands, x1, x2, None, computed, found.result, ndim, shape, fusion
        )

    cpdef object where(self, Tensor condition, object x1, object x2):
        cdef Fusion fusion = current()
        cdef Operand operands[3]
        cdef Py_ssize_t shape[MAX_NDIM]
        cdef Py_ssize_t ndim
        cdef int8_t computed[3]
        cdef const Entry* found
        cdef Tensor out = None
        if is_alone(OP_where, condition, x1, &fusion) and not is_of_others(x2):
            return cpu_where(condition, x1, x2)
        if fusion.on:
            materialize_operand(condition)
            materialize_operand(x1)
            materialize_operand(x2)
            set_operand_on(None, &operands[0], condition)
            set_binary_operands_on(None, OP_where, x1, x2, &operands[1])
            found = infer_elementwise(OP_where, operands, 3, &ndim, shape)
            computed[0] = DTYPE_bool
            computed[1] = computed[2] = found.compute
            out = record(
                OP_where, found.loop, 3, operands, condition, x1, x2, computed, found.result,
                ndim, shape, fusion,
            )
        if out is not None:
            return out
        materialize_operands(condition, x1, x2)
        if in_host_memory(condition):
            return cpu_where(condition, x1, x2)
        return executor_of(condition).where(condition, x1, x2)

    cpdef object clip(self, Tensor x, object low, object high):
        cdef Fusion fusion = current()
        cdef Operand operands[3]
        cdef Py_ssize_t shape[MAX_NDIM]
        cdef Py_ssize_t ndim
        cdef int8_t computed[3]
        cdef const Entry* found
        cdef Tensor out = None
        cdef int op
        if is_alone(OP_clip, x, low, &fusion) and not is_of_others(high):
            return cpu_clip(x, low, high)
        if fusion.on:
            materialize_operand(x)
            materialize_operand(low)
            materialize_operand(high)
            op = plan_clip(None, x, low, high, operands, &ndim, shape)
            if op == OP_clip:
                found = find_entry(OP_clip, SHAPE_ternary, x.code)
                computed[0] = computed[1] = computed[2] = found.compute
                out = record(
                    OP_clip, found.loop, 3, operands, x, low, high, computed, found.result, ndim,
                    shape, fusion,
                )
            elif op != OP_positive and op != OP_COUNT:
                out = self.recorded(<Operation>op, x, high if low is None else low, fusion)
        if out is not None:
            return out
        materialize_operands(x, low, high)
        return cpu_clip(x, low, high) if in_host_memory(x) else executor_of(x).clip(x, low, high)

    cpdef object astype(self, Tensor x, object dtype, bint copy):
        cdef Fusion fusion = current()
        cdef Tensor out = None
        cdef int code = dtype_code("astype", dtype)
        if provided.check_errors:
            check_errors("astype", (x, dtype), {})
        if code == x.code and not copy:
            return x
        # As on the CPU, a copy is in C order, another dtype keeps the order of memory; on GPUs both
        # are in C order.
        if is_alone(OP_COUNT, x, None, &fusion):
            return CPU.backend.astype(x, dtype, copy)
        if fusion.on:
            materialize_operand(x)
            out = recorded_cast(x, code, fusion, code != x.code and x.device is CPU)
        if out is not None:
            return out
        materialize(x)
        if in_host_memory(x):
            return CPU.backend.astype(x, dtype, copy)
        return executor_of(x).astype(x, dtype, copy)

    cpdef object reduce(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction,
    ):
        cdef Fusion fusion = current()
        cdef Tensor out = None
        if provided.check_errors:
            params = {"axis": axis}
            if dtype is not None:
                params["dtype"] = dtype
            if correction:
                params["correction"] = correction
            check_errors(NAMES[<int>op], (x,), params)
        if is_alone(op, x, None, &fusion):
            return cpu_reduce(op, x, axis, keepdims, dtype, correction)
        if fusion.on:
            materialize_operand(x)
            out = self.recorded_reduction(op, x, axis, keepdims, dtype, correction, fusion)
        if out is not None:
            return out
        materialize(x)
        if in_host_memory(x):
            return cpu_reduce(op, x, axis, keepdims, dtype, correction)
        return executor_of(x).reduce(op, x, axis, keepdims, dtype, correction)

    cdef Tensor recorded_reduction(
        self, Operation op, Tensor x, object axis, bint keepdims, object dtype,
        double correction, Fusion fusion,
    ):
        cdef const Entry* found
        cdef Axes axes
        cdef cppbool marked[MAX_NDIM]
        cdef Py_ssize_t shape[MAX_NDIM]
        cdef Py_ssize_t ndim, k
        cdef Operand operand
        cdef Tensor out
        cdef Node node
        cdef str name
        cdef int wanted, half, code, result
        cdef bint on_cpu
        find_entry(op, SHAPE_reduce, x.code)
        name = NAMES[<int>op]
        read_axes(name, axis, &axes)
        wanted = -1 if dtype is None else dtype_code(name, dtype)
        half = x.code if wanted < 0 else wanted
        if x.ndim > MAX_FUSED_NDIM or (x.count < fusion.threshold and not is_deferred(x)):
            return None
        if may_change(x, &fusion):
            note_sharing(op, 1, x, fusion.scope)
            return None
        mark_axes(name, &axes, x.ndim, marked)
        check_choice(op, &axes, x, marked)
        on_cpu = x.device is CPU
        if on_cpu and wanted < 0 and is_half(x.code) and not is_deferred(x) \
                and (axes.all or x.ndim == 1) and reduces_as_is(op, x.code):
            return None  # halves in memory are not cast to float32 first
        if wanted >= 0 and x.code != wanted and on_cpu:
            x = recorded_cast(x, wanted, fusion)
            if x is None:
                return None
        if is_half(x.code):  # accumulated in float32, and rounded once
            x = recorded_cast(x, DTYPE_float32, fusion)
            if x is None:
                return None
        # On GPUs casts are a part of reductions.
        code = x.code if wanted < 0 or is_half(wanted) else wanted
        found = infer_reduction(op, code, x.ndim, x.dims, marked, keepdims, &ndim, shape)
        result = found.result if on_cpu or code == x.code else wanted
        set_operand_on(None, &operand, x)
        node = new_node(op, NULL, fusion.scope, x.device)
        out = deferred(node, ndim, shape, result, NULL, 0)
        node.place = predictions.last
        node.computed[0] = <int8_t>code
        node.space_ndim, node.correction = x.ndim, correction
        for k in range(x.ndim):
            node.space[k] = x.dims[k]
            node.reduced[k] = marked[k]
        add_source(node, x, &operand, x.ndim, x.dims)
        if is_half(half) and out.code == DTYPE_float32:
            wanted = half
        if wanted >= 0 and wanted != out.code:
            out = recorded_cast(out, wanted, fusion)
        return out

    cpdef object inplace(self, Operation op, Tensor x, object other):
        cdef Fusion fusion = current()
        if provided.check_errors:
            check_errors(NAMES[<int>op], (x, other), {})
        if fusion.on and is_deferred(x) and self.rebound(op, x, other, fusion):
            return x
        materialize_operands(x, other, None)
        if in_host_memory(x):
            return cpu_inplace(op, x, other)
        return x.backend.inplace(op, x, other)

    cdef bint rebound(self, Operation op, Tensor x, object other, Fusion fusion) except -1:
        """Replace the node of a deferred tensor by ``op(x, other)``, if no other tensor shares it.
        """
        cdef Node node = <Node>x.storage
        cdef Operand operands[2]
        cdef Tensor out
        cdef Py_ssize_t axis
        cdef int code
        # `node` and the tensor.
        if node.block is not None or node.computing is not None or is_held(node, 2) \
                or x.ndim != node.ndim or x.count != node.count or x.code != node.code \
                or not x.flags & WRITEABLE:
            return False
        for axis in range(x.ndim):
            if x.dims[axis] != node.dims[axis] or x.steps[axis] != node.steps[axis]:
                return False
        code = set_binary_operands_on(None, op, x, other, operands)
        if code == -1:
            return False
        check_inplace(op, x, find_entry(op, SHAPE_binary, code).result)
        out = self.recorded(op, x, other, fusion)
        if out is None or not is_deferred(out) or not is_shape_of(x, out.ndim, out.dims):
            return False
        if out.code != x.code:
            out = recorded_cast(out, x.code, fusion)
            if out is None:
                return False
        for axis in range(x.ndim):
            if x.dims[axis] != 1 and out.steps[axis] != x.steps[axis]:
                return False
        x.storage = out.storage
        return True

    cpdef object getitem(self, Tensor x, object key):
        cdef bint element
        cdef Tensor view
        key = plain_key("getitem", key)
        if is_deferred(x) and (<Node>x.storage).block is None and not tensors_in((key,), None):
            view = basic_view("getitem", x, key, &element)
            if view is not None and not element:
                return view
        materialize(x)
        return x[key]

    cpdef object setitem(self, Tensor x, object key, object value):
        materialize(x)
        x[key] = value

    # ---- operations that compute their operands first

    cdef object execute_checked(self, str operation, tuple inputs, dict params):
        return self.execute(operation, inputs, params)

    cpdef object execute(self, str operation, object inputs, dict params=None):
        for x in tensors_in(inputs, params):
            materialize(<Tensor>x)
        return execute_named(operation, inputs, params)

    cpdef object scan(
        self, Operation op, Tensor x, Py_ssize_t axis, object dtype, bint include_initial
    ):
        materialize(x)
        return x.backend.scan(op, x, axis, dtype, include_initial)

    cpdef object to_numpy(self, Tensor x):
        materialize(x)
        return x.backend.to_numpy(x)

    cpdef object dlpack(self, Tensor x, dict params):
        materialize(x)
        return x.backend.dlpack(x, params)

    cpdef tuple dlpack_device(self, Tensor x):
        if x.device is CPU:
            return (1, 0)  # kDLCPU
        materialize(x)
        return x.backend.dlpack_device(x)

    def cuda_array_interface(self, Tensor x not None):
        """Return ``x.__cuda_array_interface__``, where its device has it."""
        materialize(x)
        return x.backend.cuda_array_interface(x)

    def unwrap(self, Tensor x not None):
        """Return a native array over the memory of a tensor."""
        materialize(x)
        return x.backend.unwrap(x)


# ---- computing and inspecting

cpdef bint is_pending(object x) noexcept:
    """Return whether a tensor is not computed yet."""
    return is_tensor(x) and is_deferred(<Tensor>x) \
        and (<Node>(<Tensor>x).storage).block is None


cdef dict DEFERS = {"fusion": True}


@cython.binding(False)
cdef class FuseBlock(Block):
    """A block that ends by computing what has been deferred in it, if it is the outermost."""

    def __cinit__(self, *args):
        self.settings = DEFERS

    def __init__(self):
        pass

    def __exit__(self, kind, error, traceback):
        cdef long scope = 0
        try:
            scope = current().scope
        finally:
            self.leave()
        if kind is None and scope and current().scope != scope:
            held = held_nodes(scope)
            if held:
                compute_nodes(held)


def compute(*tensors):
    """Compute deferred tensors together, in place."""
    cdef list nodes = []
    for x in tensors:
        if is_pending(x):
            nodes.append((<Tensor>x).storage)
    if nodes:
        compute_nodes(nodes)
    for x in tensors:
        if is_tensor(x):
            materialize(<Tensor>x)


def explain(*tensors):
    """Return how tensors would be computed: a PlanRecord."""
    cdef list targets = []
    for x in tensors:
        if is_pending(x):
            targets.append((<Tensor>x).storage)
    return plan_of(targets)


def node_number(Tensor x not None):
    """Return the number of the node of a deferred tensor; 0 for others."""
    return (<Node>x.storage).number if is_pending(x) else 0


set_deferring(DeferringBackend("cpu"))
provided.materialize = materialize
provided.compute_readers = compute_readers
provided.compute_pending = compute_pending
