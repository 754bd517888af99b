# distutils: language = c++
"""Reading and writing at integer indices, alone and among integers, slices and masks; take."""

cimport cython
from libc.stdint cimport int64_t
from libc.string cimport memcpy

import numpy as np

from corepy._cython.core cimport (
    as_integer_index, as_tensor, broadcast_into, broadcast_to, cast_to, CONTIGUOUS, contiguous,
    core_runtime, CPU, dispatched, DTYPE_bool, DTYPE_int64, dtype_itemsize, empty, from_ndarray,
    implements, in_host_memory, is_inexact, is_shape_of, MAX_RANK, moveaxis, nested_numbers,
    normalize_axis, Operand, overlaps, plain_view, provided, RELEASE_GIL, require_integer,
    reshape, same_shape, set_operand, shape_tuple, Tensor,
)
from corepy._cython.cpu.masks cimport nonzero_positions, read_mask, write_mask
from corepy._cython.cpu.runtime cimport use_runtime

use_runtime(core_runtime())

cdef extern from "gather.hpp" namespace "corepy" nogil:
    cdef cppclass Indices:
        int count
        Py_ssize_t n
        const int64_t* index[8]
        Py_ssize_t size[8]
        Py_ssize_t stride[8]
    bint find_bad_index(const Indices&, int*, Py_ssize_t*)
    bint c_take_rows "corepy::take_rows"(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, const char*, Py_ssize_t, char*
    )
    bint put_rows(
        const Indices&, int, const Py_ssize_t*, const Py_ssize_t*, char*, Py_ssize_t, const char*,
        bint,
    )
    bint take_along(
        Py_ssize_t, int, const Py_ssize_t*, char*, const Py_ssize_t*, const char*,
        const Py_ssize_t*, const int64_t*, const Py_ssize_t*, Py_ssize_t, Py_ssize_t,
    )

cdef enum:
    MOST_INDICES = 8


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Gathering:
    """An index with integer arrays, taken apart: the arrays, broadcast together and contiguous
    int64, index axes of `base` from `axis` on, one each.
    """

    cdef Tensor base
    cdef int axis
    cdef list arrays
    cdef Py_ssize_t rank              # of the result
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t nbytes            # of the part of `base` behind the indexed axes
    cdef int inner                    # how many axes that part has
    cdef bint rows                    # whether it is contiguous
    cdef Indices indices


cdef Tensor as_index(object item):
    """An item of an index as an array of integers or a mask on the CPU; None for others."""
    cdef Tensor x
    if type(item) is Tensor:
        x = item
    elif type(item) is np.ndarray and item.dtype.kind in "biu":
        x = from_ndarray("getitem", item)
    elif type(item) is list:
        x = nested_numbers(item, -1)
        if x is None:
            return None
    else:
        return None
    if x.rank == 0 or is_inexact(x.code) or not in_host_memory(x):
        return None
    return x


cdef Gathering gathering_of(Tensor base, int axis, list arrays):
    """The index of `base` by integer arrays from `axis` on; None when they are too many, or do
    not broadcast together.
    """
    cdef Gathering g = Gathering.__new__(Gathering)
    cdef Operand operands[MOST_INDICES]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t rank, expected
    cdef Tensor array
    cdef int count = <int>len(arrays)
    cdef int k
    if count > MOST_INDICES:
        return None
    for k in range(count):
        set_operand(&operands[k], arrays[k])
    try:
        broadcast_into("getitem", operands, count, &rank, shape)
    except ValueError:
        return None
    if rank + base.rank - count > MAX_RANK:
        return None
    g.base = base
    g.axis = axis
    g.inner = base.rank - axis - count
    g.arrays = []
    g.indices.count = count
    g.indices.n = 1
    for k in range(rank):
        g.indices.n *= shape[k]
    for k in range(count):
        array = arrays[k]
        if not is_shape_of(array, rank, shape):
            array = broadcast_to(array, shape_tuple(rank, shape))
        if array.code != DTYPE_int64 or not array.flags & CONTIGUOUS:
            array = cast_to(array, DTYPE_int64)
        g.arrays.append(array)
        g.indices.index[k] = <const int64_t*>array.data
        g.indices.size[k] = base.dims[axis + k]
        g.indices.stride[k] = base.steps[axis + k]
    g.rank = axis + rank + g.inner
    memcpy(g.dims, base.dims, axis * sizeof(Py_ssize_t))
    memcpy(g.dims + axis, shape, rank * sizeof(Py_ssize_t))
    memcpy(g.dims + axis + rank, base.dims + axis + count, g.inner * sizeof(Py_ssize_t))
    expected = dtype_itemsize[base.code]
    g.rows = True
    for k in range(base.rank - 1, axis + count - 1, -1):
        g.rows &= base.steps[k] == expected or base.dims[k] == 1
        expected *= base.dims[k]
    g.nbytes = expected
    return g


cdef Gathering find_gathering(str function, Tensor x, object key):
    """What an index with integer arrays or masks asks for, or None when it is left to NumPy."""
    cdef tuple items = key if type(key) is tuple else (key,)
    cdef list plain = []         # the index with slices for arrays
    cdef list arrays = []
    cdef Py_ssize_t index, consumed = 0
    cdef int axis = -1, new = 0, ellipsis_at = -1
    cdef int state = 0           # 0: before the arrays, 1: among them, 2: behind
    cdef Tensor array, view
    for item in items:
        array = as_index(item)
        if array is None:
            if as_integer_index(item, &index):
                # With arrays beside it an integer is one, too: all must be side by side.
                if state == 2:
                    return None
                state = 1
                plain.append(index)
                consumed += 1
                continue
            if state == 1:
                state = 2
            if isinstance(item, slice):
                consumed += 1
                new += 1
            elif item is None:
                new += 1
            elif item is Ellipsis and ellipsis_at < 0:
                ellipsis_at = new
            else:
                return None
            plain.append(item)
            continue
        if state == 2:
            return None
        state = 1
        if axis < 0:
            axis = new
        if array.code == DTYPE_bool:
            for k in range(array.rank):
                if consumed + k >= x.rank or (
                    ellipsis_at < 0 and array.dims[k] != x.dims[consumed + k]
                ):
                    return None
            if ellipsis_at >= 0:
                return None
            arrays.extend(nonzero_positions(array))
        else:
            arrays.append(array)
        index = array.rank if array.code == DTYPE_bool else 1
        plain.extend([slice(None)] * index)
        consumed += index
        new += <int>index
    if not arrays or consumed > x.rank:
        return None
    if 0 <= ellipsis_at <= axis:
        axis += x.rank - <int>consumed
    if len(plain) == len(arrays):
        view = x
    else:
        view = plain_view(function, x, tuple(plain))
        if view is None:
            return None
    return gathering_of(view, axis, arrays)


cdef Tensor gathered(Gathering g):
    """The elements that an index asks for; None when one is out of range."""
    cdef Tensor out, base = g.base, index
    cdef Py_ssize_t base_steps[MAX_RANK]
    cdef Py_ssize_t index_steps[MAX_RANK]
    cdef Py_ssize_t where
    cdef int axis, rank
    cdef bint good
    out = empty(base.code, g.rank, g.dims)
    if out.count == 0:
        return None if find_bad_index(g.indices, &rank, &where) else out
    # The rows of a few indices within an outer axis, as those of some columns, are short: element
    # by element along the longer axis costs less.
    few = g.axis > 0 and g.inner == 0 and g.indices.n <= 4
    if g.indices.count == 1 and (few or not g.rows):
        index = g.arrays[0]
        rank = index.rank
        for axis in range(g.rank):
            index_steps[axis] = 0
            if axis < g.axis:
                base_steps[axis] = base.steps[axis]
            elif axis < g.axis + rank:
                base_steps[axis] = 0
                index_steps[axis] = index.steps[axis - g.axis]
            else:
                base_steps[axis] = base.steps[axis - rank + 1]
        with nogil:
            good = take_along(
                dtype_itemsize[base.code], out.rank, out.dims, out.data, out.steps, base.data,
                base_steps, <const int64_t*>index.data, index_steps, g.indices.size[0],
                g.indices.stride[0],
            )
        return out if good else None
    if not g.rows:
        g = gathering_of(cast_to(base, base.code), g.axis, g.arrays)
        base = g.base
    if out.count >= RELEASE_GIL:
        with nogil:
            good = c_take_rows(
                g.indices, g.axis, base.dims, base.steps, base.data, g.nbytes, out.data
            )
    else:
        good = c_take_rows(
            g.indices, g.axis, base.dims, base.steps, base.data, g.nbytes, out.data
        )
    return out if good else None


cdef inline bint set_simple(Indices* indices, Tensor x, Tensor array) noexcept:
    """Fill in the index of the first axis of `x` by an array that needs no preparation."""
    if array.code != DTYPE_int64 or not array.flags & CONTIGUOUS:
        return False
    indices.count = 1
    indices.n = array.count
    indices.index[0] = <const int64_t*>array.data
    indices.size[0] = x.dims[0]
    indices.stride[0] = x.steps[0]
    return True


cdef Tensor rows_at(Tensor x, Tensor array):
    """``x[array]`` where neither needs preparation and no index is out of range, else None."""
    cdef Indices indices
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t nbytes = dtype_itemsize[x.code]
    cdef Py_ssize_t k
    cdef Tensor out
    cdef bint good
    if not (x.flags & CONTIGUOUS or x.rank == 1) or array.rank + x.rank - 1 > MAX_RANK \
            or not set_simple(&indices, x, array):
        return None
    for k in range(array.rank):
        dims[k] = array.dims[k]
    for k in range(1, x.rank):
        dims[array.rank + k - 1] = x.dims[k]
        nbytes *= x.dims[k]
    if nbytes == 0:
        return None
    out = empty(x.code, array.rank + x.rank - 1, dims)
    if out.count >= RELEASE_GIL:
        with nogil:
            good = c_take_rows(indices, 0, NULL, NULL, x.data, nbytes, out.data)
    else:
        good = c_take_rows(indices, 0, NULL, NULL, x.data, nbytes, out.data)
    return out if good else None


cdef bint write_elements(Tensor x, Tensor array, Tensor value) except -1:
    """``x[array] = value`` for one dimension, where no operand needs preparation; else false."""
    cdef Indices indices
    cdef bint repeat = value.rank == 0
    cdef bint good
    if not set_simple(&indices, x, array) or overlaps(x, array) or overlaps(x, value):
        return False
    if not repeat and not (value.flags & CONTIGUOUS and same_shape(value, array)):
        return False
    if array.count >= RELEASE_GIL:
        with nogil:
            good = put_rows(
                indices, 0, NULL, NULL, x.data, dtype_itemsize[x.code], value.data, repeat
            )
    else:
        good = put_rows(indices, 0, NULL, NULL, x.data, dtype_itemsize[x.code], value.data, repeat)
    return good


cdef object read_at(Tensor x, object key):
    """``x[key]`` for a mask, or integer arrays among other items; None: left to NumPy."""
    cdef Gathering g
    cdef Tensor array = as_index(key[0] if type(key) is tuple and len(key) == 1 else key)
    cdef Tensor out
    if array is not None:
        if array.code == DTYPE_bool:
            if same_shape(array, x):
                return read_mask(x, array)
        elif x.rank:
            out = rows_at(x, array)
            if out is not None:
                return out
    g = find_gathering("getitem", x, key)
    return None if g is None else gathered(g)


cdef int write_at(Tensor x, object key, Tensor value) except -1:
    """``x[key] = value`` for such an index and a value of the dtype of `x`; false: left to NumPy.
    """
    cdef Gathering g
    cdef Tensor array = as_index(key[0] if type(key) is tuple and len(key) == 1 else key)
    cdef Tensor base
    cdef Py_ssize_t k
    cdef bint repeat, good
    if array is not None:
        if array.code == DTYPE_bool:
            if same_shape(array, x):
                return write_mask(x, array, value)
        elif x.rank == 1 and write_elements(x, array, value):
            return True
    g = find_gathering("setitem", x, key)
    if g is None or not g.rows:
        return False
    if g.indices.n == 0:
        return False
    base = g.base
    for k in range(g.indices.count):
        if overlaps(base, g.arrays[k]):
            g.arrays[k] = cast_to(g.arrays[k], DTYPE_int64)
            g.indices.index[k] = <const int64_t*>(<Tensor>g.arrays[k]).data
    repeat = value.rank <= g.inner
    if overlaps(base, value):
        value = cast_to(value, value.code)
    try:
        if repeat:
            value = broadcast_to(value, shape_tuple(g.inner, g.dims + g.rank - g.inner))
        else:
            value = broadcast_to(value, shape_tuple(g.rank, g.dims))
    except ValueError:
        return False
    value = contiguous(value)
    with nogil:
        good = put_rows(
            g.indices, g.axis, base.dims, base.steps, base.data, g.nbytes, value.data, repeat
        )
    return good


cdef object bad_index_error(str function, Gathering g, int axis):
    cdef Py_ssize_t where = 0
    cdef int which = 0
    if not find_bad_index(g.indices, &which, &where):
        return IndexError(f"{function}: the indices have been changed meanwhile")
    return IndexError(
        f"{function}: index {g.indices.index[which][where]} is out of bounds for axis {axis} "
        f"with size {g.indices.size[which]}"
    )


cpdef Tensor take(object x, object indices, object axis=None):
    """Select the elements at integer positions along an axis. See `corepy.array_api.take`."""
    cdef Tensor source = x if type(x) is Tensor else as_tensor("take", x)
    cdef Tensor array = indices if type(indices) is Tensor else as_tensor("take", indices)
    cdef Py_ssize_t along = 0
    cdef Tensor out
    if source.rank == 0:
        raise ValueError("take: x must have at least 1 dimension, got shape ()")
    require_integer("take", "indices", array)
    if axis is not None:
        along = normalize_axis("take", axis, source.rank)
    elif source.rank != 1:
        raise ValueError(f"take: axis is required unless x has one dimension, got {source.rank}")
    if source.device_ is CPU and array.device_ is CPU:
        return cpu_take("take", source, array, along)
    out = dispatched(
        "take", (source, array if array.rank == 1 else reshape(array, (-1,))), {"axis": along}
    )
    if array.rank == 1:
        return out
    return reshape(out, source.shape[:along] + array.shape + source.shape[along + 1:])


cdef Tensor cpu_take(str function, Tensor x, Tensor indices, int axis):
    cdef Gathering g
    cdef Tensor out
    if axis == 0:
        out = rows_at(x, indices)
        if out is not None:
            return out
    g = gathering_of(x, axis, [indices])
    if g is None:
        raise ValueError(
            f"{function}: the result would have more than {MAX_RANK} dimensions, "
            f"got shapes {x.shape} and {indices.shape}"
        )
    out = gathered(g)
    if out is None:
        raise bad_index_error(function, g, axis)
    return out


@implements("take")
def _take(Tensor x not None, Tensor indices not None, int axis):
    return cpu_take("take", x, indices, axis)


cpdef Tensor take_along_axis(object x, object indices, object axis=-1):
    """Select by an index of its own for each element. See `corepy.array_api.take_along_axis`."""
    cdef Tensor source = x if type(x) is Tensor else as_tensor("take_along_axis", x)
    cdef Tensor array = (
        indices if type(indices) is Tensor else as_tensor("take_along_axis", indices)
    )
    cdef Operand operands[2]
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t shape[MAX_RANK]
    cdef Py_ssize_t along, rank
    require_integer("take_along_axis", "indices", array)
    along = normalize_axis("take_along_axis", axis, source.rank)
    if array.rank != source.rank:
        raise ValueError(
            f"take_along_axis: indices must have as many dimensions as x, {source.rank}, "
            f"got shape {array.shape}"
        )
    memcpy(dims, source.dims, source.rank * sizeof(Py_ssize_t))
    dims[along] = 1
    operands[0].rank, operands[0].dims = source.rank, dims
    operands[1].rank, operands[1].dims = array.rank, array.dims
    broadcast_into("take_along_axis", operands, 2, &rank, shape)
    if source.device_ is CPU and array.device_ is CPU:
        return cpu_take_along_axis(source, array, along)
    return dispatched("take_along_axis", (source, array), {"axis": along})


cdef Tensor cpu_take_along_axis(Tensor x, Tensor indices, Py_ssize_t axis):
    cdef Py_ssize_t dims[MAX_RANK]
    cdef Py_ssize_t base_steps[MAX_RANK]
    cdef Py_ssize_t index_steps[MAX_RANK]
    cdef Py_ssize_t k, size, stride
    cdef Tensor out
    cdef bint good
    if x.rank == 1:
        return cpu_take("take_along_axis", x, indices, 0)
    if indices.code != DTYPE_int64:
        indices = cast_to(indices, DTYPE_int64)
    for k in range(x.rank):
        dims[k] = indices.dims[k]
        base_steps[k] = x.steps[k]
        index_steps[k] = indices.steps[k]
        if k == axis:
            base_steps[k] = 0
        elif indices.dims[k] == 1:
            dims[k] = x.dims[k]
            index_steps[k] = 0
        elif x.dims[k] == 1:
            base_steps[k] = 0
    size, stride = x.dims[axis], x.steps[axis]
    out = empty(x.code, x.rank, dims)
    if out.count >= RELEASE_GIL:
        with nogil:
            good = take_along(
                dtype_itemsize[x.code], out.rank, out.dims, out.data, out.steps, x.data,
                base_steps, <const int64_t*>indices.data, index_steps, size, stride,
            )
    else:
        good = take_along(
            dtype_itemsize[x.code], out.rank, out.dims, out.data, out.steps, x.data, base_steps,
            <const int64_t*>indices.data, index_steps, size, stride,
        )
    if not good:
        g = gathering_of(moveaxis(x, axis, 0), 0, [indices])
        raise bad_index_error("take_along_axis", g, axis)
    return out


@implements("take_along_axis")
def _take_along_axis(Tensor x not None, Tensor indices not None, int axis):
    return cpu_take_along_axis(x, indices, axis)


provided.read_at = read_at
provided.write_at = write_at
