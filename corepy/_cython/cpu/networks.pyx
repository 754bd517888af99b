# distutils: language = c++
"""Operations of neural networks on the CPU: attention, correlation of images, and products with
matrices of 8 or 4 bits.
"""

from libc.string cimport memcpy, memset
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ask_kernel, broadcast_into, broadcast_steps, call_kernel, contiguous, Dtype, DTYPE_float32,
    dtype_itemsize, DTYPE_uint8, empty, in_class_of, is_full_float, is_here, matrix_transpose,
    MAX_NDIM, no_memory, Operand, RELEASE_GIL, require_least_ndim, set_operand, Tensor,
)
from corepy._cython.cpu.linear_algebra cimport MatrixProduct

cdef extern from "products.hpp" namespace "corepy" nogil:
    cdef struct Attention:
        Py_ssize_t queries, keys, width, values
        Py_ssize_t query_row, key_row, value_row
        Py_ssize_t mask_row, mask_step
        cppbool causal
        double scale

    enum:
        ATTENTION_OPERANDS

    cppbool attend_heads "corepy::attend"(
        Dtype, const Attention&, const char*const*, int, const Py_ssize_t*,
        const Py_ssize_t (*)[MAX_NDIM], char*,
    )

    cdef struct Rotation:
        Py_ssize_t pairs
        cppbool interleaved
        const char* arrays[3]
        char* out

    void rotate_rows(
        Dtype, const Rotation&, int, const Py_ssize_t*, const Py_ssize_t (*)[MAX_NDIM]
    )

# ---- attention, without an array of all scores

cdef str NAME = "scaled_dot_product_attention"

cdef enum:
    # Queries from which on the keys are transposed first.
    MANY_QUERIES = 8


cdef Tensor with_contiguous_rows(Tensor x):
    require_least_ndim(NAME, "an array", x, 2)
    return x if x.steps[x.ndim - 1] == dtype_itemsize[x.code] else contiguous(x)


def attend(
    Tensor query not None, Tensor key not None, Tensor value not None, Tensor mask, bint causal,
    double scale,
):
    """Compute attention of tensors whose shapes match; see
    `corepy.nn.scaled_dot_product_attention`. The mask is added to the products. None if an operand
    is on another device, or of another dtype than the query.
    """
    cdef Tensor given = query
    cdef Tensor columns = None
    cdef Tensor x, out
    cdef Attention p
    cdef const char* arrays[ATTENTION_OPERANDS]
    cdef Operand stacks[ATTENTION_OPERANDS]
    cdef Py_ssize_t steps[ATTENTION_OPERANDS][MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef int k
    for x in (query, key, value, mask):
        if x is not None and (not is_here(x) or x.code != query.code):
            return None
    if not is_full_float(query.code):
        return None
    query, key = with_contiguous_rows(query), with_contiguous_rows(key)
    value = with_contiguous_rows(value)
    if query.dims[query.ndim - 2] >= MANY_QUERIES:
        columns = contiguous(matrix_transpose(key))
    # From here to the kernel no other thread can change a shape.
    for x in (query, key, value, columns, mask):
        if x is not None:
            require_least_ndim(NAME, "an array", x, 2)
    p.queries, p.width = query.dims[query.ndim - 2], query.dims[query.ndim - 1]
    p.keys, p.values = key.dims[key.ndim - 2], value.dims[value.ndim - 1]
    if key.dims[key.ndim - 1] != p.width or value.dims[value.ndim - 2] != p.keys or (
        columns is not None
        and (columns.dims[columns.ndim - 2] != p.width or columns.dims[columns.ndim - 1] != p.keys)
    ):
        raise ValueError(
            f"{NAME}: expected query (..., L, E), key (..., S, E) and value (..., S, V), "
            f"got {query.shape}, {key.shape} and {value.shape}"
        )
    p.query_row, p.key_row = query.steps[query.ndim - 2], key.steps[key.ndim - 2]
    p.value_row = value.steps[value.ndim - 2]
    p.causal, p.scale = causal, scale
    if mask is not None:
        set_operand(&stacks[0], mask)
        shape[0], shape[1] = p.queries, p.keys
        stacks[0].dims, stacks[0].steps = &mask.dims[mask.ndim - 2], &mask.steps[mask.ndim - 2]
        stacks[0].ndim = 2
        if not broadcast_steps(&stacks[0], 2, shape, steps[0]):
            raise ValueError(
                f"{NAME}: expected mask to broadcast to (..., {p.queries}, {p.keys}), "
                f"got {mask.shape}"
            )
        p.mask_row, p.mask_step = steps[0][0], steps[0][1]
    for k, x in enumerate((query, key, columns, value, mask)):  # as AttentionOperand
        arrays[k] = NULL
        if x is None:
            x = query  # whose strides are not used
        else:
            arrays[k] = x.data
        set_operand(&stacks[k], x)
        stacks[k].ndim = x.ndim - 2
    broadcast_into(NAME, stacks, ATTENTION_OPERANDS, &ndim, shape)
    if ndim > MAX_NDIM - 2:
        raise ValueError(
            f"{NAME}: arrays have at most {MAX_NDIM} dimensions here, got {ndim + 2}"
        )
    for k in range(ATTENTION_OPERANDS):
        broadcast_steps(&stacks[k], ndim, shape, steps[k])
    shape[ndim], shape[ndim + 1] = p.queries, p.values
    out = empty(query.code, ndim + 2, shape)
    if not out.count:
        return in_class_of(out, given)
    if not ask_kernel(
        out.count * max(p.keys, 1), attend_heads, <Dtype>query.code, p, arrays, ndim, shape,
        steps, out.data,
    ):
        raise no_memory(p.keys * dtype_itemsize[query.code])
    return in_class_of(out, given)


def rotate(Tensor x not None, Tensor cos not None, Tensor sin not None, bint interleaved):
    """Rotate pairs of the last axis; see `corepy.nn.rope`. None if an operand is on another device
    or of another dtype than x, or if x does not have the shape of the result.
    """
    cdef Tensor given = x
    cdef Rotation p
    cdef Operand rows[3]
    cdef Py_ssize_t steps[3][MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t ndim
    cdef Tensor each, out
    cdef int k
    for each in (x, cos, sin):
        if not is_here(each) or each.code != x.code or not is_full_float(x.code) or each.ndim == 0:
            return None
    x, cos, sin = contiguous(x), contiguous(cos), contiguous(sin)
    # From here to the kernel no other thread can change a shape.
    if x.ndim == 0 or x.dims[x.ndim - 1] % 2:
        return None
    ndim = x.ndim - 1
    memcpy(shape, x.dims, x.ndim * sizeof(Py_ssize_t))
    p.pairs, p.interleaved = x.dims[ndim] // 2, interleaved
    for k, each in enumerate((x, cos, sin)):
        if each.ndim == 0 or (k > 0 and each.dims[each.ndim - 1] != p.pairs):
            return None
        set_operand(&rows[k], each)
        rows[k].ndim = each.ndim - 1
        if not broadcast_steps(&rows[k], ndim, shape, steps[k]):
            return None
        p.arrays[k] = each.data
    out = empty(x.code, ndim + 1, shape)
    p.out = out.data
    if out.count:
        call_kernel(out.count, rotate_rows, <Dtype>x.code, p, <int>ndim, shape, steps)
    return in_class_of(out, given)


# ---- correlation of images with kernels

cdef extern from "kernels.hpp" namespace "corepy" nogil:
    cdef struct Correlation:
        MatrixProduct product
        Py_ssize_t height, width, out_width
        Py_ssize_t[2] size, stride, padding, dilation

cdef extern from "products.hpp" namespace "corepy" nogil:
    void correlate_images(Dtype, const Correlation&, Py_ssize_t, Py_ssize_t)


def correlate(
    Tensor x not None, Tensor weight not None, tuple stride not None, tuple padding not None,
    tuple dilation not None, Py_ssize_t groups,
):
    """Correlate images (N, C, H, W) with kernels (O, C / groups, KH, KW), see `corepy.nn.conv2d`.
    None if one of them is on another device, or they have different dtypes.
    """
    cdef Correlation c
    cdef Py_ssize_t shape[4]
    cdef Py_ssize_t size, span
    cdef Tensor given = x
    cdef Tensor out
    cdef int k, of_rows, of_columns
    if not is_here(x) or not is_here(weight) or x.code != weight.code or not is_full_float(x.code):
        return None
    x, weight = contiguous(x), contiguous(weight)
    of_rows, of_columns = stride  # as C's int: sums of a few cannot overflow
    c.stride[0], c.stride[1] = of_rows, of_columns
    of_rows, of_columns = padding
    c.padding[0], c.padding[1] = of_rows, of_columns
    of_rows, of_columns = dilation
    c.dilation[0], c.dilation[1] = of_rows, of_columns
    # From here to the kernel no other thread can change a shape.
    if x.ndim != 4 or weight.ndim != 4 or groups < 1 or x.dims[1] != weight.dims[1] * groups \
            or weight.dims[0] % groups:
        raise ValueError(
            f"conv2d: expected x (N, C, H, W) and weight (O, C / groups, KH, KW), got {x.shape}, "
            f"{weight.shape} and groups={groups}"
        )
    shape[0], shape[1] = x.dims[0], weight.dims[0]
    for k in range(2):
        c.size[k] = weight.dims[2 + k]
        span = c.dilation[k] * (c.size[k] - 1) + 1
        if c.size[k] < 1 or c.stride[k] < 1 or c.padding[k] < 0 or c.dilation[k] < 1:
            raise ValueError("conv2d: expected windows, strides and dilations of at least 1")
        if x.dims[2 + k] + 2 * c.padding[k] < span:
            raise ValueError(
                f"conv2d: expected images, with their padding, of at least the size of the "
                f"window, {span} along axis {2 + k}, got {x.dims[2 + k] + 2 * c.padding[k]}"
            )
        shape[2 + k] = (x.dims[2 + k] + 2 * c.padding[k] - span) // c.stride[k] + 1
    out = empty(x.code, 4, shape)
    size = dtype_itemsize[x.code]
    c.height, c.width, c.out_width = x.dims[2], x.dims[3], shape[3]
    c.product.rows = weight.dims[0] // groups
    c.product.terms = weight.dims[1] * c.size[0] * c.size[1]
    c.product.columns = shape[2] * shape[3]
    c.product.a, c.product.a_row, c.product.a_step = weight.data, c.product.terms * size, size
    c.product.b = x.data
    c.product.out, c.product.out_row = out.data, c.product.columns * size
    if not c.product.terms:
        return None
    if out.count:
        call_kernel(
            out.count * c.product.terms, correlate_images, <Dtype>x.code, c, x.dims[0], groups
        )
    return in_class_of(out, given)


# ---- matrices of 8 or 4 bits

cdef extern from "quantized.hpp" namespace "corepy" nogil:
    cdef struct QuantizedProduct:
        int bits
        cppbool half
        Py_ssize_t rows, columns, groups
        const char* matrix
        float* out
    Py_ssize_t BLOCK_ROWS, GROUP
    Py_ssize_t block_bytes(int, cppbool)
    cppbool multiply_quantized(QuantizedProduct, Py_ssize_t, const float*) noexcept


def quantized_product(object matrix, int bits, bint half, Py_ssize_t columns, object x):
    """Multiply x (..., K) with the transpose of a matrix (columns, K), the bytes of whose blocks
    `matrix` has, for a result of shape (..., columns). `half` says that its factors are float16.
    """
    cdef Tensor blocks, rows, out
    cdef QuantizedProduct p
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t terms, line
    cdef int axis
    if not is_here(matrix) or not is_here(x):
        return None
    rows = <Tensor>x
    if rows.code != DTYPE_float32 or rows.ndim == 0:
        return None
    # From here to the kernel no other thread can change a shape.
    blocks, rows = contiguous(<Tensor>matrix), contiguous(rows)
    p.bits, p.half, p.columns, p.rows = bits, half, columns, 1
    for axis in range(rows.ndim - 1):
        shape[axis] = rows.dims[axis]
        p.rows *= rows.dims[axis]
    shape[rows.ndim - 1] = columns
    terms = rows.dims[rows.ndim - 1]
    p.groups = (terms + GROUP - 1) // GROUP
    # The bytes of a group of all rows; there cannot be more rows than bytes.
    line = (min(columns, blocks.count + 1) + BLOCK_ROWS - 1) // BLOCK_ROWS * block_bytes(bits, half)
    if bits not in (4, 8) or columns < 0 or blocks.code != DTYPE_uint8 or (
        blocks.count != 0 if line == 0
        else blocks.count % line != 0 or blocks.count // line != p.groups
    ):
        raise ValueError(
            f"quantize: expected the blocks of a matrix of shape ({columns}, {terms}) and {bits} "
            f"bits, got {blocks.count} bytes"
        )
    out = empty(DTYPE_float32, rows.ndim, shape)
    if out.count == 0:
        return in_class_of(out, x)
    if terms == 0:
        memset(out.data, 0, out.count * sizeof(float))
        return in_class_of(out, x)
    p.matrix, p.out = blocks.data, <float*>out.data
    if not ask_kernel(RELEASE_GIL, multiply_quantized, p, terms, <const float*>rows.data):
        raise MemoryError(f"matmul: no memory for {rows.count} elements of 8 bits")
    return in_class_of(out, x)
