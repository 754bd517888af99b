# Products of integers, which libraries do not provide: matmul, vecdot, tensordot.
#
# Needs implementations, kernels.

cdef extern from "products.hpp" namespace "corepy" nogil:
    cdef cppclass Product:
        long long rows, terms, columns, splits
        const char* a
        const char* b
        char* out
        long long a_row, a_term, b_term, b_column
        OperandAxes stacks
        int tile
        bint across
        void plan(int, long long)
        int launch_matrices(const Launch&)
        void plan_vectors(long long)
        int launch_vectors(const Launch&)


cdef int add_stacks(
    str function, Product& product, Operand* stacks, Py_ssize_t* ndim, Py_ssize_t* shape
) except -1:
    """Broadcast the outer axes of two operands, and add them to `product`."""
    cdef Py_ssize_t steps[2][MAX_NDIM]
    cdef Py_ssize_t axis
    cdef int k
    broadcast_into(function, stacks, 2, ndim, shape)
    for k in range(2):
        broadcast_steps(&stacks[k], ndim[0], shape, steps[k])
    for axis in range(ndim[0]):
        product.stacks.add_axis(shape[axis], steps[0][axis], steps[1][axis])
    return 0


cdef Tensor multiplied(GpuBackend backend, Tensor a, Tensor b):
    """The matrix product of tensors of one integer dtype with equal inner sizes."""
    cdef Product product
    cdef Operand stacks[2]
    cdef Py_ssize_t shape[MAX_NDIM + 2]
    cdef Py_ssize_t ndim
    cdef Tensor out, partials, x
    cdef Launch launch
    cdef int k
    if a.ndim == 1 or b.ndim == 1 or a.dims[a.ndim - 2] == 1 or b.dims[b.ndim - 1] == 1:
        return multiplied_vectors(backend, a, b)
    for k in range(2):
        x = a if k == 0 else b
        set_tensor(&stacks[k], x)
        stacks[k].ndim = x.ndim - 2
    add_stacks("matmul", product, stacks, &ndim, shape)
    product.rows, product.terms = a.dims[a.ndim - 2], a.dims[a.ndim - 1]
    product.columns = b.dims[b.ndim - 1]
    product.a, product.b = a.data, b.data
    product.a_row, product.a_term = a.steps[a.ndim - 2], a.steps[a.ndim - 1]
    product.b_term, product.b_column = b.steps[b.ndim - 2], b.steps[b.ndim - 1]
    shape[ndim], shape[ndim + 1] = product.rows, product.columns
    out = backend.empty_on(a.device, a.code, ndim + 2, shape)
    if out.count == 0:
        return out
    product.plan(dtype_itemsize[a.code], backend.blocks[a.device.index])
    partials = out if product.splits == 1 else partials_of(backend, out, product.splits)
    product.out = partials.data
    set_kernel(
        backend, &launch, a.device, KIND_product, a.code, product.stacks.bucket, product.tile
    )
    launched(backend, "matmul", product.launch_matrices(launch))
    return out if partials is out else add_partials(backend, out, partials, product.splits)


cdef Tensor multiplied_vectors(GpuBackend backend, Tensor a, Tensor b):
    """`multiplied` where one of the matrices is a vector: sums along an axis."""
    cdef Tensor left, right, out
    cdef tuple shape
    # (..., rows, 1, terms) and (..., 1, columns, terms)
    left = a if a.ndim > 1 else expand_dims(a, 0)
    right = permute_dims(b, (*range(b.ndim - 2), b.ndim - 1, b.ndim - 2)) if b.ndim > 1 \
        else expand_dims(b, 0)
    left, right = expand_dims(left, left.ndim - 1), expand_dims(right, right.ndim - 2)
    out = dots(backend, "matmul", left, right)
    sizes = list(out.shape)
    if b.ndim == 1:
        del sizes[out.ndim - 1]
    if a.ndim == 1:
        del sizes[out.ndim - 2]
    return reshape(out, tuple(sizes))


cdef Tensor dots(GpuBackend backend, str function, Tensor a, Tensor b):
    """Sums of products along the last axis, of one integer dtype; other axes are broadcast."""
    cdef Product product
    cdef Operand stacks[2]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Tensor out, partials
    set_tensor(&stacks[0], a)
    set_tensor(&stacks[1], b)
    stacks[0].ndim, stacks[1].ndim = a.ndim - 1, b.ndim - 1
    add_stacks(function, product, stacks, &ndim, shape)
    product.terms = a.dims[a.ndim - 1]
    product.a, product.b = a.data, b.data
    product.a_term, product.b_term = a.steps[a.ndim - 1], b.steps[b.ndim - 1]
    out = backend.empty_on(a.device, a.code, ndim, shape)
    if out.count == 0:
        return out
    product.plan_vectors(backend.blocks[a.device.index])
    partials = out if product.splits == 1 else partials_of(backend, out, product.splits)
    launch_vectors(backend, function, product, partials, False)
    return out if partials is out else add_partials(backend, out, partials, product.splits)


cdef int launch_vectors(
    GpuBackend backend, str function, Product& product, Tensor out, bint ones
) except -1:
    cdef Launch launch
    set_kernel(
        backend, &launch, out.device, KIND_dot, out.code, product.stacks.bucket, product.across,
        ones,
    )
    product.out = out.data
    return launched(backend, function, product.launch_vectors(launch))


cdef Tensor partials_of(GpuBackend backend, Tensor out, Py_ssize_t splits):
    """An uninitialised tensor for `splits` partial results."""
    cdef Py_ssize_t shape[2]
    shape[0], shape[1] = splits, out.count
    return backend.empty_on(out.device, out.code, 2, shape)


cdef Tensor add_partials(GpuBackend backend, Tensor out, Tensor partials, long long splits):
    """Write the sums of partial results into `out`, and return it."""
    cdef Product sums
    sums.stacks.add_axis(out.count, dtype_itemsize[out.code], 0)
    sums.terms = splits
    sums.a = sums.b = partials.data
    sums.a_term, sums.b_term = partials.steps[0], 0
    sums.plan_vectors(1)  # without a split
    launch_vectors(backend, "matmul", sums, out, True)
    return out


@implements("matmul")
def _matmul(GpuBackend backend, Tensor x1 not None, Tensor x2 not None):
    if x1.code != x2.code or not is_integer(x1.code):
        return NotImplemented
    return multiplied(backend, x1, x2)


@implements("vecdot")
def _vecdot(GpuBackend backend, Tensor x1 not None, Tensor x2 not None, *, Py_ssize_t axis=-1):
    if x1.code != x2.code or not is_integer(x1.code):
        return NotImplemented
    return dots(backend, "vecdot", moveaxis(x1, axis, -1), moveaxis(x2, axis, -1))


@implements("tensordot")
def _tensordot(GpuBackend backend, Tensor x1 not None, Tensor x2 not None, *, tuple axes):
    """Sum products over pairs of axes: one product of two matrices."""
    if x1.code != x2.code or not is_integer(x1.code):
        return NotImplemented
    axes1, axes2 = axes
    kept1 = tuple([axis for axis in range(x1.ndim) if axis not in axes1])
    kept2 = tuple([axis for axis in range(x2.ndim) if axis not in axes2])
    shape1, shape2 = x1.shape, x2.shape
    rows = tuple([shape1[axis] for axis in kept1])
    columns = tuple([shape2[axis] for axis in kept2])
    terms = math.prod([shape1[axis] for axis in axes1])
    a = reshape(permute_dims(x1, kept1 + tuple(axes1)), (math.prod(rows), terms))
    b = reshape(permute_dims(x2, tuple(axes2) + kept2), (terms, math.prod(columns)))
    return reshape(multiplied(backend, a, b), rows + columns)
