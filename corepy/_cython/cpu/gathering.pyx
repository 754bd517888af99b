# distutils: language = c++
"""Reading and writing at masks and integer indices, alone and among slices; take, nonzero."""

from libc.stdint cimport int64_t, int8_t, uint8_t
from libc.string cimport memcpy

from corepy._cython.core cimport (
    ACCEPTS_take_along_axis_indices, ACCEPTS_take_indices, as_ndarray, as_tensor, ask_kernel,
    assign, before_write, broadcast_to, call_kernel, cast_to, check_stacks, contiguous, CONTIGUOUS,
    dispatched, Dtype, DTYPE_bool, DTYPE_int64, dtype_itemsize, empty, entry, has_repeated_elements,
    implements, in_host_memory, is_inexact, is_shape_of, is_tensor, materialize, MAX_NDIM, moveaxis,
    normalize_axis, OP_where, Operand, overlaps, provided, read_axis, require_dtype, reshape, run,
    same_shape, set_operand, shape_tuple, Tensor, transposed,
)
from corepy._cython.layout.plans cimport (
    find_bad_index, index_array, IndexPlan, plan_along_axis, plan_arrays, plan_index, plan_steps,
)

cdef extern from "masks.hpp" namespace "corepy" nogil:
    cdef struct MaskPlan:
        Py_ssize_t count()
    void plan_mask(Py_ssize_t, const uint8_t*, MaskPlan*)
    void read_masked(const MaskPlan&, const uint8_t*, Py_ssize_t, const char*, char*)
    void write_masked(const MaskPlan&, const uint8_t*, Py_ssize_t, const char*, char*)
    void fill_masked(Py_ssize_t, const uint8_t*, Py_ssize_t, const char*, char*)
    void find_nonzero(
        const MaskPlan&, const uint8_t*, int, const Py_ssize_t*, int64_t* const*
    )

# ---- masks

cdef int make_plan(Tensor mask, MaskPlan* plan) except -1:
    """Count the true elements of a contiguous mask."""
    call_kernel(mask.count, plan_mask, mask.count, <const uint8_t*>mask.data, plan)
    return 0


cdef list nonzero_positions(Tensor x):
    """The positions of the elements that are not zero, one int64 tensor for each axis."""
    cdef MaskPlan plan
    cdef int64_t* addresses[MAX_NDIM]
    cdef Py_ssize_t count
    cdef Tensor mask, positions
    cdef list out = []
    cdef int axis
    mask = contiguous(x) if x.code == DTYPE_bool else cast_to(x, DTYPE_bool)
    make_plan(mask, &plan)
    count = plan.count()
    for axis in range(mask.ndim):
        positions = empty(DTYPE_int64, 1, &count)
        addresses[axis] = <int64_t*>positions.data
        out.append(positions)
    if not count:
        return out
    call_kernel(
        mask.count, find_nonzero, plan, <const uint8_t*>mask.data, mask.ndim, mask.dims, addresses
    )
    return out


cpdef tuple nonzero(object x):
    """Return the positions of nonzero elements. See `corepy.array_api.nonzero`."""
    cdef Tensor source = x if is_tensor(x) else as_tensor("nonzero", x)
    if source.ndim == 0:
        raise ValueError("nonzero: x must have at least 1 dimension, got shape ()")
    if in_host_memory(source):
        return tuple(nonzero_positions(source))
    return tuple(source.backend.execute_checked("nonzero", (source,), {}))


cdef object read_mask(Tensor x, Tensor mask):
    """``x[mask]`` for a mask of the shape of `x`."""
    cdef MaskPlan plan
    cdef Py_ssize_t count
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    cdef Tensor out
    mask = contiguous(mask)
    x = contiguous(x)
    make_plan(mask, &plan)
    count = plan.count()
    out = empty(x.code, 1, &count)
    call_kernel(
        mask.count, read_masked, plan, <const uint8_t*>mask.data, itemsize, x.data, out.data
    )
    return out


cdef int fill_mask(Tensor x, Tensor mask, Tensor value) except -1:
    """``x[mask] = value`` for one value."""
    cdef Operand operands[3]
    cdef int8_t computed[3]
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    if x.flags & CONTIGUOUS:
        mask = contiguous(mask)
        call_kernel(
            mask.count, fill_masked, mask.count, <const uint8_t*>mask.data, itemsize, value.data,
            x.data,
        )
        return 0
    set_operand(&operands[0], mask)
    set_operand(&operands[1], value)
    operands[1].ndim = 0
    set_operand(&operands[2], x)
    computed[0] = DTYPE_bool
    computed[1] = computed[2] = x.code
    return run(entry(OP_where, <Dtype>x.code).loop, 3, operands, computed, x.code, x)


cdef bint write_mask(Tensor x, Tensor mask, Tensor value) except -1:
    """``x[mask] = value`` for a mask of the shape of `x` and a value of its dtype; false if another
    function must handle it.
    """
    cdef MaskPlan plan
    cdef Tensor target
    cdef Py_ssize_t itemsize = dtype_itemsize[x.code]
    if value.ndim > 1 or has_repeated_elements(x):
        return False
    if overlaps(x, mask):
        mask = cast_to(mask, mask.code)
    if value.count == 1:
        if overlaps(x, value):
            value = cast_to(value, value.code)
        fill_mask(x, mask, value)
        return True
    mask = contiguous(mask)
    make_plan(mask, &plan)
    if plan.count() != value.count:
        return False
    value = cast_to(value, value.code) if overlaps(x, value) else contiguous(value)
    target = contiguous(x)
    call_kernel(
        mask.count, write_masked, plan, <const uint8_t*>mask.data, itemsize, value.data, target.data
    )
    if target is not x:
        assign("setitem", x, target)
    return True

# ---- integer indices

cdef extern from "gather.hpp" namespace "corepy" nogil:
    cdef cppclass Indices:
        int count
        Py_ssize_t n
        const int64_t* index[64]
        Py_ssize_t size[64]
        Py_ssize_t stride[64]
    bint has_bad_index "corepy::find_bad_index"(const Indices&, int*, Py_ssize_t*)
    bint c_take_rows "corepy::take_rows"(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, const char*, Py_ssize_t, char*
    )
    bint put_rows(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, char*, Py_ssize_t, const char*,
        bint,
    )
    cdef struct RowLayout:
        Py_ssize_t itemsize, count
        int ndim
        const Py_ssize_t* shape
        const Py_ssize_t* strides
        const Py_ssize_t* other_strides
    bint take_boxes(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, const char*, const RowLayout&,
        char*,
    )
    bint put_boxes(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, char*, const RowLayout&,
        const char*, bint,
    )
    bint take_along(
        Py_ssize_t, int, const Py_ssize_t*, char*, const Py_ssize_t*, const char*,
        const Py_ssize_t*, const int64_t*, const Py_ssize_t*, Py_ssize_t, Py_ssize_t,
    )


cdef inline Tensor only_array(str function, Tensor x, object key):
    """The array of an index that is one array; None for other indices."""
    if is_tensor(key) and not is_inexact((<Tensor>key).code):
        return key
    if isinstance(key, tuple):
        return index_array(function, x, key[0]) if len(key) == 1 else None
    return index_array(function, x, key)


cdef list positions_in_mask(object backend, Tensor mask):
    return nonzero_positions(mask)


cdef list set_indices(Indices* indices, IndexPlan plan):
    """Set the indices of a plan; returns the tensors that own them, contiguous int64."""
    cdef list arrays = []
    cdef Tensor array
    cdef int k
    indices.count = <int>len(plan.arrays)
    indices.n = plan.n
    for k in range(indices.count):
        array = <Tensor>plan.arrays[k]
        if not is_shape_of(array, plan.index_ndim, plan.dims + plan.axis):
            array = broadcast_to(array, shape_tuple(plan.index_ndim, plan.dims + plan.axis))
        # The indices may be in the memory that is written to.
        if array.code != DTYPE_int64 or not array.flags & CONTIGUOUS:
            array = cast_to(array, DTYPE_int64)
        arrays.append(array)
        indices.index[k] = <const int64_t*>array.data
        indices.size[k] = plan.base.dims[plan.axis + k]
        indices.stride[k] = plan.base.steps[plan.axis + k]
    return arrays


cdef enum:
    BOX_PAYS = 16   # least elements of a row for copying it as a box


cdef bint boxes_pay(IndexPlan plan) noexcept:
    """Whether to copy rows, which are not one run, one by one: if they are not short, and their
    elements not further apart than the rows.
    """
    cdef Tensor base = plan.base
    cdef int before = base.ndim - plan.inner
    cdef Py_ssize_t count = 1
    cdef Py_ssize_t within = 0
    cdef int k
    for k in range(before, base.ndim):
        count *= base.dims[k]
        within = max(within, abs(base.steps[k]))
    for k in range(plan.axis, before):
        if abs(base.steps[k]) < within:
            return False
    return count >= BOX_PAYS


cdef RowLayout row_layout(IndexPlan plan, Tensor other) noexcept:
    """The layout of rows of `plan`; in `other` they are in C order."""
    cdef RowLayout row
    cdef Tensor base = plan.base
    cdef int before = base.ndim - plan.inner
    cdef int k
    row.itemsize = dtype_itemsize[base.code]
    row.count = 1
    for k in range(before, base.ndim):
        row.count *= base.dims[k]
    row.ndim = plan.inner
    row.shape = base.dims + before
    row.strides = base.steps + before
    row.other_strides = other.steps + other.ndim - plan.inner
    return row


cdef IndexPlan rows_of_elements(IndexPlan plan):
    """The plan with the axes after the indexed ones moved before them."""
    return plan_arrays(
        "getitem", rotated(plan.base, plan.inner), plan.axis + plan.inner, plan.arrays,
        plan.trusted, plan.named,
    )


cdef Tensor rotated(Tensor x, int count):
    """A view of `x` with the last `count` axes first."""
    cdef Py_ssize_t order[MAX_NDIM]
    cdef int k
    for k in range(x.ndim):
        order[k] = k - count if k >= count else x.ndim - count + k
    return transposed(x, order)


cdef Py_ssize_t row_bytes(IndexPlan plan) noexcept:
    """The bytes of the base's part after the indexed axes; -1 if it is not one run."""
    cdef Tensor base = plan.base
    cdef Py_ssize_t expected = dtype_itemsize[base.code]
    cdef int k
    for k in range(base.ndim - 1, base.ndim - plan.inner - 1, -1):
        if base.steps[k] != expected and base.dims[k] != 1:
            return -1
        expected *= base.dims[k]
    return expected


cdef object bad_index_error(str function, IndexPlan plan, list arrays):
    return find_bad_index(function, plan, [as_ndarray(array) for array in arrays])


cdef Tensor gathered(str function, IndexPlan plan):
    """The elements at an index."""
    cdef Indices indices
    cdef Tensor out, base = plan.base, index
    cdef list arrays = set_indices(&indices, plan)
    cdef Py_ssize_t base_steps[MAX_NDIM]
    cdef Py_ssize_t index_steps[MAX_NDIM]
    cdef Py_ssize_t nbytes = row_bytes(plan)
    cdef RowLayout row
    cdef int which
    cdef Py_ssize_t where
    cdef bint good
    out = empty(base.code, plan.ndim, plan.dims)
    # A few indices after an outer axis, such as some columns, give short rows: element by element
    # along the longer axis is faster.
    few = plan.axis > 0 and plan.inner == 0 and plan.n <= 4
    if out.count == 0:
        good = not has_bad_index(indices, &which, &where)
    elif nbytes < 0 and boxes_pay(plan):
        row = row_layout(plan, out)
        good = ask_kernel(
            out.count, take_boxes, indices, plan.axis, base.dims, base.steps, base.data, row,
            out.data,
        )
    elif indices.count == 1 and few:
        index = arrays[0]
        plan_steps(plan, index, base_steps, index_steps)
        good = ask_kernel(
            out.count, take_along, dtype_itemsize[base.code], out.ndim, out.dims, out.data,
            out.steps, base.data, base_steps, <const int64_t*>index.data, index_steps,
            indices.size[0], indices.stride[0],
        )
    elif nbytes < 0:
        out = gathered(function, rows_of_elements(plan))
        return rotated(out, out.ndim - plan.inner)
    else:
        good = ask_kernel(
            out.count, c_take_rows, indices, plan.axis, base.dims, base.steps, base.data, nbytes,
            out.data,
        )
    if not good:
        raise bad_index_error(function, plan, arrays)
    return out


cdef inline bint set_simple(Indices* indices, Tensor x, Tensor array) noexcept:
    """Set the index of the first axis of `x` to an array that needs no preparation."""
    if array.code != DTYPE_int64 or not array.flags & CONTIGUOUS:
        return False
    indices.count = 1
    indices.n = array.count
    indices.index[0] = <const int64_t*>array.data
    indices.size[0] = x.dims[0]
    indices.stride[0] = x.steps[0]
    return True


cdef Tensor rows_at(Tensor x, Tensor array):
    """``x[array]`` if neither needs preparation and no index is out of range, else None."""
    cdef Indices indices
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t nbytes = dtype_itemsize[x.code]
    cdef Py_ssize_t k
    cdef Tensor out
    cdef bint good
    if not (x.flags & CONTIGUOUS or x.ndim == 1) or array.ndim + x.ndim - 1 > MAX_NDIM \
            or not set_simple(&indices, x, array):
        return None
    for k in range(array.ndim):
        dims[k] = array.dims[k]
    for k in range(1, x.ndim):
        dims[array.ndim + k - 1] = x.dims[k]
        nbytes *= x.dims[k]
    if nbytes == 0:
        return None
    out = empty(x.code, array.ndim + x.ndim - 1, dims)
    good = ask_kernel(out.count, c_take_rows, indices, 0, x.dims, x.steps, x.data, nbytes, out.data)
    return out if good else None


cdef bint write_elements(Tensor x, Tensor array, Tensor value) except -1:
    """``x[array] = value`` for one dimension, where no operand needs preparation; else false."""
    cdef Indices indices
    cdef bint repeat = value.ndim == 0
    if not set_simple(&indices, x, array) or overlaps(x, array) or overlaps(x, value):
        return False
    if not repeat and not (value.flags & CONTIGUOUS and same_shape(value, array)):
        return False
    return ask_kernel(
        array.count, put_rows, indices, 0, x.dims, x.steps, x.data, dtype_itemsize[x.code],
        value.data, repeat,
    )


cdef Tensor read_at(Tensor x, object key):
    """``x[key]`` for an index with arrays."""
    cdef Tensor array = only_array("getitem", x, key)
    cdef Tensor out
    if array is not None:
        if array.code == DTYPE_bool:
            if same_shape(array, x):
                return read_mask(x, array)
        elif x.ndim:
            out = rows_at(x, array)
            if out is not None:
                return out
        key = array
    return gathered("getitem", plan_index("getitem", x, key, positions_in_mask, None))


cdef int write_at(Tensor x, object key, Tensor value) except -1:
    """``x[key] = value`` for an index with arrays and a value of the dtype of `x`."""
    cdef Tensor array = only_array("setitem", x, key)
    cdef IndexPlan plan
    if array is not None:
        before_write(x)
        if array.code == DTYPE_bool:
            if same_shape(array, x) and write_mask(x, array, value):
                return 0
        elif x.ndim == 1 and write_elements(x, array, value):
            return 0
        key = array
    plan = plan_index("setitem", x, key, positions_in_mask, None)
    before_write(x)
    return put(plan, value)


cdef int put(IndexPlan plan, Tensor value) except -1:
    """Write a value of the dtype of the base at an index."""
    cdef Indices indices
    cdef list arrays
    cdef Tensor base = plan.base
    cdef Py_ssize_t nbytes = row_bytes(plan)
    cdef Py_ssize_t k, where
    cdef int which
    cdef RowLayout row
    cdef bint repeat, good
    while value.ndim > plan.ndim and value.dims[0] == 1:
        value = reshape(value, value.shape[1:])
    repeat = value.ndim <= plan.inner
    shape = shape_tuple(plan.ndim, plan.dims)
    if overlaps(base, value):
        value = cast_to(value, value.code)
    try:
        value = broadcast_to(value, shape[plan.ndim - plan.inner:] if repeat else shape)
    except ValueError:
        raise ValueError(
            f"setitem: a value of shape {value.shape} cannot be broadcast to shape {shape}"
        ) from None
    if nbytes < 0 and base.count and not boxes_pay(plan):
        if value.count == 1:
            return put(rows_of_elements(plan), reshape(value, ()))
        value = broadcast_to(value, shape)
        return put(rows_of_elements(plan), rotated(value, plan.inner))
    value = contiguous(value)
    for k in range(len(plan.arrays)):
        if overlaps(base, plan.arrays[k]):
            plan.arrays[k] = cast_to(plan.arrays[k], DTYPE_int64)
    arrays = set_indices(&indices, plan)
    if value.count == 0 or base.count == 0:
        good = not has_bad_index(indices, &which, &where)
    elif nbytes < 0:
        row = row_layout(plan, value)
        good = ask_kernel(
            plan.n * row.count, put_boxes, indices, plan.axis, base.dims, base.steps, base.data,
            row, value.data, repeat,
        )
    else:
        good = ask_kernel(
            plan.n * nbytes, put_rows, indices, plan.axis, base.dims, base.steps, base.data, nbytes,
            value.data, repeat,
        )
    if not good:
        raise bad_index_error("setitem", plan, arrays)
    return 0


cpdef Tensor take(object x, object indices, object axis=None):
    """Select the elements at integer positions along an axis. See `corepy.array_api.take`."""
    cdef Py_ssize_t along = 0 if axis is None else read_axis("take", axis)
    cdef Tensor source = x if is_tensor(x) else as_tensor("take", x)
    cdef Tensor array = indices if is_tensor(indices) else as_tensor("take", indices)
    cdef Tensor out
    if source.ndim == 0:
        raise ValueError("take: x must have at least 1 dimension, got shape ()")
    require_dtype("take", "indices", array.code, ACCEPTS_take_indices)
    if axis is not None:
        along = normalize_axis("take", along, source.ndim)
    elif source.ndim != 1:
        raise ValueError(f"take: axis is required unless x has one dimension, got {source.ndim}")
    materialize(source)
    materialize(array)
    if in_host_memory(source) and in_host_memory(array):
        return cpu_take("take", source, array, along)
    out = dispatched(
        "take", (source, array if array.ndim == 1 else reshape(array, (-1,))), {"axis": along}
    )
    if array.ndim == 1:
        return out
    return reshape(out, source.shape[:along] + array.shape + source.shape[along + 1:])


cdef Tensor cpu_take(str function, Tensor x, Tensor indices, int axis):
    cdef Tensor out
    if axis == 0:
        out = rows_at(x, indices)
        if out is not None:
            return out
    return gathered(function, plan_arrays(function, x, axis, [indices], False, &axis))


@implements("take")
def _take(Tensor x not None, Tensor indices not None, int axis):
    return cpu_take("take", x, indices, axis)


cpdef Tensor take_along_axis(object x, object indices, object axis=-1):
    """Select by one index for each element. See `corepy.array_api.take_along_axis`."""
    cdef Py_ssize_t along = read_axis("take_along_axis", axis)
    cdef Tensor source = x if is_tensor(x) else as_tensor("take_along_axis", x)
    cdef Tensor array = (
        indices if is_tensor(indices) else as_tensor("take_along_axis", indices)
    )
    cdef Py_ssize_t dims[MAX_NDIM]
    require_dtype("take_along_axis", "indices", array.code, ACCEPTS_take_along_axis_indices)
    along = normalize_axis("take_along_axis", along, source.ndim)
    if array.ndim != source.ndim:
        raise ValueError(
            f"take_along_axis: indices must have as many dimensions as x, {source.ndim}, "
            f"got shape {array.shape}"
        )
    memcpy(dims, source.dims, source.ndim * sizeof(Py_ssize_t))
    dims[along] = 1
    check_stacks("take_along_axis", source.ndim, dims, array.ndim, array.dims)
    if in_host_memory(source) and in_host_memory(array):
        return cpu_take_along_axis(source, array, along)
    return dispatched("take_along_axis", (source, array), {"axis": along})


cdef Tensor cpu_take_along_axis(Tensor x, Tensor indices, Py_ssize_t axis):
    cdef int named = <int>axis
    cdef Py_ssize_t dims[MAX_NDIM]
    cdef Py_ssize_t base_steps[MAX_NDIM]
    cdef Py_ssize_t index_steps[MAX_NDIM]
    cdef Py_ssize_t size, stride
    cdef Tensor out
    cdef bint good
    if x.ndim == 1:
        return cpu_take("take_along_axis", x, indices, 0)
    if indices.code != DTYPE_int64:
        indices = cast_to(indices, DTYPE_int64)
    plan_along_axis(x, indices, axis, dims, base_steps, index_steps)
    size, stride = x.dims[axis], x.steps[axis]
    out = empty(x.code, x.ndim, dims)
    good = ask_kernel(
        out.count, take_along, dtype_itemsize[x.code], out.ndim, out.dims, out.data, out.steps,
        x.data, base_steps, <const int64_t*>indices.data, index_steps, size, stride,
    )
    if not good:
        plan = plan_arrays(
            "take_along_axis", moveaxis(x, axis, 0), 0, [indices], False, &named
        )
        raise bad_index_error("take_along_axis", plan, [indices])
    return out


@implements("take_along_axis")
def _take_along_axis(Tensor x not None, Tensor indices not None, int axis):
    return cpu_take_along_axis(x, indices, axis)


provided.read_at = read_at
provided.write_at = write_at
