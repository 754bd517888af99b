# distutils: language = c++
"""Attention on the CPU, without an array of all scores."""

from libc.string cimport memcpy
from libcpp cimport bool as cppbool

from corepy._cython.core cimport (
    ask_kernel, broadcast_into, broadcast_steps, call_kernel, contiguous, Dtype, dtype_itemsize,
    empty, in_class_of, is_full_float, is_here, matrix_transpose, MAX_NDIM, no_memory, Operand,
    require_least_ndim, set_operand, Tensor,
)

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
